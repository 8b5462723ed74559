// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which blocks of a region every path to a block goes through (Cooper, Harvey, Kennedy: "A Simple,
// Fast Dominance Algorithm").
#ifndef COMPILER_IR_DOMINANCE_H_
#define COMPILER_IR_DOMINANCE_H_

#include "compiler/ir/ir.h"

typedef struct ir_dominance {
  ir_block_t **order;  // reachable blocks in reverse postorder
  uint32_t *idom;      // immediate dominator by position in |order|; the entry's is itself
  uint32_t n;
} ir_dominance_t;

// Analyses |region|; writes each block's position in |order| plus one to its mark, 0 if unreachable.
//   owns: everything is |arena|'s; valid until blocks or branches change
ir_dominance_t ir_dominance(iree_arena_t *arena, const ir_region_t *region);
// Does |a| dominate |b|? Every block does so to itself; unreachable blocks are dominated by all.
bool ir_dominates(const ir_dominance_t *d, const ir_block_t *a, const ir_block_t *b);

#endif  // COMPILER_IR_DOMINANCE_H_
