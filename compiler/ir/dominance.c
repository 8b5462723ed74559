// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/dominance.h"

typedef struct frame {
  ir_block_t *block;
  uint16_t next;
} frame_t;

// Fills |out| in postorder without recursion; returns the number of reachable blocks.
static uint32_t postorder(iree_arena_t *arena, ir_block_t *entry, uint32_t n_blocks, ir_block_t **out) {
  frame_t *stack = IREE_ARENA_ARRAY(arena, frame_t, n_blocks + 1);
  uint32_t depth = 0, n = 0;
  entry->mark = 1;
  stack[depth++] = (frame_t){entry, 0};
  while (depth) {
    frame_t *top = &stack[depth - 1];
    const ir_op_t *end = top->block->last;
    if (end && top->next < end->n_succs) {
      ir_block_t *to = end->succs[top->next++].block;
      if (to->mark) continue;
      to->mark = 1;
      stack[depth++] = (frame_t){to, 0};
    } else {
      out[n++] = top->block;
      --depth;
    }
  }
  return n;
}

static uint32_t intersect(const uint32_t *idom, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b) a = idom[a];
    while (b > a) b = idom[b];
  }
  return a;
}

ir_dominance_t ir_dominance(iree_arena_t *arena, const ir_region_t *region) {
  ir_dominance_t d = {0};
  uint32_t n_blocks = 0;
  for (ir_block_t *b = region->first; b; b = b->next) b->mark = 0, ++n_blocks;
  if (!n_blocks) return d;
  ir_block_t **post = IREE_ARENA_ARRAY(arena, ir_block_t *, n_blocks);
  d.n = postorder(arena, region->first, n_blocks, post);
  d.order = IREE_ARENA_ARRAY(arena, ir_block_t *, d.n);
  d.idom = IREE_ARENA_ARRAY(arena, uint32_t, d.n);
  for (uint32_t i = 0; i < d.n; ++i) {
    d.order[i] = post[d.n - 1 - i];
    d.order[i]->mark = i + 1;
    d.idom[i] = UINT32_MAX;
  }
  d.idom[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    // Pushing a block's dominator to its successors visits every edge once per sweep.
    for (uint32_t i = 0; i < d.n; ++i) {
      const ir_op_t *end = d.order[i]->last;
      for (uint16_t k = 0; end && k < end->n_succs; ++k) {
        uint32_t to = end->succs[k].block->mark - 1;
        if (!to) continue;  // the entry
        uint32_t meet = d.idom[to] == UINT32_MAX ? i : intersect(d.idom, d.idom[to], i);
        if (meet != d.idom[to]) d.idom[to] = meet, changed = true;
      }
    }
  }
  return d;
}

bool ir_dominates(const ir_dominance_t *d, const ir_block_t *a, const ir_block_t *b) {
  if (!b->mark) return true;
  if (!a->mark) return false;
  uint32_t to = a->mark - 1, at = b->mark - 1;
  while (at > to) at = d->idom[at];
  return at == to;
}
