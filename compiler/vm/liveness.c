// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vm/liveness.h"

#include "compiler/dialects/ops.h"

// ---- blocks in reverse postorder
typedef struct frame {
  ir_block_t *block;
  uint32_t next;  // successor to visit
} frame_t;

ir_block_t **vm_block_order(ir_region_t *body, iree_arena_t *arena, size_t *out_count) {
  uint32_t count = 0;
  for (ir_block_t *b = body->first; b; b = b->next) b->mark = 0, ++count;
  frame_t *stack = IREE_ARENA_ARRAY(arena, frame_t, count + 1);
  ir_block_t **post = IREE_ARENA_ARRAY(arena, ir_block_t *, count + 1);
  uint32_t depth = 0, n = 0;
  stack[depth++] = (frame_t){body->first, 0};
  body->first->mark = 1;
  while (depth) {
    frame_t *top = &stack[depth - 1];
    const ir_op_t *terminator = top->block->last;
    if (top->next < terminator->n_succs) {
      // Last successor first, so that the first one follows its block in the final order.
      ir_block_t *next = terminator->succs[terminator->n_succs - 1 - top->next++].block;
      if (next->mark) continue;
      next->mark = 1;
      stack[depth++] = (frame_t){next, 0};
    } else {
      post[n++] = top->block;
      --depth;
    }
  }
  for (uint32_t i = 0; i < n / 2; ++i) {
    ir_block_t *swap = post[i];
    post[i] = post[n - 1 - i];
    post[n - 1 - i] = swap;
  }
  for (uint32_t i = 0; i < n; ++i) post[i]->mark = i + 1;
  *out_count = n;
  return post;
}

static void link_preds(vm_liveness_t *live) {
  for (uint32_t i = 0; i < live->n_blocks; ++i) {
    const ir_op_t *terminator = live->blocks[i].block->last;
    for (uint16_t s = 0; s < terminator->n_succs; ++s) {
      vm_live_block_t *to = &live->blocks[terminator->succs[s].block->mark - 1];
      IREE_ARENA_PUSH(live->arena, to->preds, to->n_preds, to->pred_cap, i);
    }
  }
}

vm_live_block_t *vm_live_block(const vm_liveness_t *live, const ir_block_t *block) {
  return block->mark ? &live->blocks[block->mark - 1] : NULL;
}

// ---- values
typedef struct work {
  uint32_t *blocks, n, cap;
} work_t;

static void record(vm_liveness_t *live, ir_value_t *v, uint32_t block, work_t *work) {
  vm_live_block_t *b = &live->blocks[block];
  if (b->last_value == v->mark + 1) return;
  b->last_value = v->mark + 1;
  IREE_ARENA_PUSH(live->arena, b->live_in, b->n_live_in, b->live_cap, v);
  IREE_ARENA_PUSH(live->arena, work->blocks, work->n, work->cap, block);
}

static void trace_value(vm_liveness_t *live, ir_value_t *v, uint32_t home, work_t *work) {
  for (const ir_use_t *use = v->uses; use; use = use->next) {
    const ir_block_t *at = use->user->block;
    if (at->mark && at->mark - 1 != home) record(live, v, at->mark - 1, work);
  }
  while (work->n) {
    const vm_live_block_t *b = &live->blocks[work->blocks[--work->n]];
    for (uint32_t i = 0; i < b->n_preds; ++i)
      if (b->preds[i] != home) record(live, v, b->preds[i], work);
  }
}

static void number_values(vm_liveness_t *live) {
  for (uint32_t i = 0; i < live->n_blocks; ++i) {
    ir_block_t *b = live->blocks[i].block;
    for (uint32_t a = 0; a < b->n_args; ++a) b->args[a]->mark = live->n_values++;
    for (ir_op_t *op = b->first; op; op = op->next)
      for (uint32_t r = 0; r < op->n_results; ++r) op->results[r].mark = live->n_values++;
  }
}

void vm_liveness_init(vm_liveness_t *live, ir_op_t *func, iree_arena_t *arena) {
  *live = (vm_liveness_t){.arena = arena};
  size_t n;
  ir_block_t **order = vm_block_order(func->regions[0], arena, &n);
  live->n_blocks = (uint32_t)n;
  live->blocks = IREE_ARENA_ARRAY(arena, vm_live_block_t, n + 1);
  for (size_t i = 0; i < n; ++i) live->blocks[i].block = order[i];
  link_preds(live);
  number_values(live);
  work_t work = {0};
  for (uint32_t i = 0; i < live->n_blocks; ++i) {
    ir_block_t *b = live->blocks[i].block;
    for (uint32_t a = 0; a < b->n_args; ++a) trace_value(live, b->args[a], i, &work);
    for (ir_op_t *op = b->first; op; op = op->next)
      for (uint32_t r = 0; r < op->n_results; ++r) trace_value(live, &op->results[r], i, &work);
  }
  live->stamps = IREE_ARENA_ARRAY(arena, uint32_t, live->n_values + 1);
}

void vm_live_begin(vm_liveness_t *live) { ++live->stamp; }
static void add_live_in(vm_liveness_t *live, const ir_block_t *block) {
  const vm_live_block_t *b = vm_live_block(live, block);
  for (uint32_t i = 0; b && i < b->n_live_in; ++i) vm_live_add(live, b->live_in[i]);
}
void vm_live_begin_at(vm_liveness_t *live, const ir_block_t *block) {
  vm_live_begin(live);
  add_live_in(live, block);
}
void vm_live_begin_after(vm_liveness_t *live, const ir_op_t *terminator) {
  vm_live_begin(live);
  for (uint16_t s = 0; s < terminator->n_succs; ++s) add_live_in(live, terminator->succs[s].block);
}
