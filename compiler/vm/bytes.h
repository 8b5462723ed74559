// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that a constant's attribute has in memory.
#ifndef COMPILER_VM_BYTES_H_
#define COMPILER_VM_BYTES_H_

#include "compiler/ir/ir.h"

// Strings, dense elements, resources, #util.composite, #util.byte_pattern. Dense data is borrowed
// where it can be, else the bytes belong to |arena|.
//   errors: INVALID_ARGUMENT  the attribute has no bytes (message sent at |op|)
iree_status_t attr_bytes(const ir_op_t *op, ir_attr_t value, iree_arena_t *arena,
                         const uint8_t **out_data, uint64_t *out_length);

#endif  // COMPILER_VM_BYTES_H_
