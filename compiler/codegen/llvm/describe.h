// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the note of kernels (abi/elf_note.h) says of one.
#ifndef IREE_COMPILER_CODEGEN_LLVM_DESCRIBE_H_
#define IREE_COMPILER_CODEGEN_LLVM_DESCRIBE_H_

#include "compiler/ir/ir.h"

// Bindings that |func| reads and writes, and where in the source it comes from. |*inout_file| is the
// place named last, whose file is not repeated.
//   owns:  transfers ownership of the bytes to the caller (free)
iree_const_byte_span_t kernel_describe(const ir_op_t *func, uint32_t binding_count,
                                       ir_loc_t *inout_file);

#endif  // IREE_COMPILER_CODEGEN_LLVM_DESCRIBE_H_
