// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are live where, for one vm.func.
//
// Blocks are numbered in reverse postorder of the control flow: a definition's block comes before
// every block it dominates. Cost is that of the live ranges, counted in blocks.
// While a vm_liveness_t is in use it owns value.mark (value number) and block.mark (block number +
// 1, 0: unreachable) of the function.
#ifndef COMPILER_VM_LIVENESS_H_
#define COMPILER_VM_LIVENESS_H_

#include "compiler/ir/ir.h"

typedef struct vm_live_block {
  ir_block_t *block;
  uint32_t *preds;  // block numbers, one per edge
  uint32_t n_preds, pred_cap;
  ir_value_t **live_in;  // used here or later, defined in an earlier block
  uint32_t n_live_in, live_cap;
  uint32_t last_value;  // scratch: number + 1 of the last value recorded
} vm_live_block_t;

typedef struct vm_liveness {
  iree_arena_t *arena;
  vm_live_block_t *blocks;  // reachable ones, in reverse postorder
  uint32_t n_blocks, n_values;
  uint32_t *stamps;  // per value, of vm_live_begin
  uint32_t stamp;
} vm_liveness_t;

// The reachable blocks of |body| in reverse postorder; sets block.mark of all its blocks.
ir_block_t **vm_block_order(ir_region_t *body, iree_arena_t *arena, size_t *out_count);

void vm_liveness_init(vm_liveness_t *live, ir_op_t *func, iree_arena_t *arena);

// The block's entry; NULL if unreachable.
vm_live_block_t *vm_live_block(const vm_liveness_t *live, const ir_block_t *block);

// A set over all values that empties in constant time; one at a time.
void vm_live_begin(vm_liveness_t *live);
static inline void vm_live_add(vm_liveness_t *live, const ir_value_t *v) {
  live->stamps[v->mark] = live->stamp;
}
static inline void vm_live_remove(vm_liveness_t *live, const ir_value_t *v) {
  live->stamps[v->mark] = 0;
}
static inline bool vm_live_has(const vm_liveness_t *live, const ir_value_t *v) {
  return live->stamps[v->mark] == live->stamp;
}
// Empties the set and adds what is live into |block|.
void vm_live_begin_at(vm_liveness_t *live, const ir_block_t *block);
// Empties the set and adds what is live into any successor of |terminator|.
void vm_live_begin_after(vm_liveness_t *live, const ir_op_t *terminator);

#endif  // COMPILER_VM_LIVENESS_H_
