// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction row of each vm op kind.
#ifndef COMPILER_VM_ROWS_H_
#define COMPILER_VM_ROWS_H_

#include "base/isa.h"
#include "compiler/ir/ir.h"

// Indexed by op kind; NULL where the op is no instruction. Owned by |arena|.
const isa_row_t *const *vm_rows(iree_arena_t *arena);
// May operand |index| of |op| (before those of its successors) carry MOVE?
bool vm_row_moves(const isa_row_t *row, uint32_t index);

#endif  // COMPILER_VM_ROWS_H_
