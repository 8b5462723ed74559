// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code as assembly.
#ifndef IREE_COMPILER_CODEGEN_DISASSEMBLE_H_
#define IREE_COMPILER_CODEGEN_DISASSEMBLE_H_

#include "iree/base/api.h"

// Appends a line per instruction of |code|, which stands at |address|; |machine| is "x86-64" or "AArch64".
//   errors: UNIMPLEMENTED  another machine;  RESOURCE_EXHAUSTED  no memory
iree_status_t codegen_disassemble(iree_string_view_t machine, uint64_t address, iree_const_byte_span_t code,
                                  iree_string_builder_t *out);

#endif  // IREE_COMPILER_CODEGEN_DISASSEMBLE_H_
