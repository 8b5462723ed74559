// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last walk over a function: its blocks once each, loop bodies before what follows them, so that
// steps stand as they happen. Of each it is told whether it repeats, or is one of several ways.
#include <string.h>

#include "tooling/inspect/flow.h"

typedef struct edges_t {
  uint32_t *first, *target, n;  // of block i: target[first[i] .. first[i + 1])
  bool *returns, *calls;        // by block
  uint32_t *stack;              // for walks
  bool *seen;
} edges_t;

static void push_edge(walk_t *w, edges_t *e, uint32_t *cap, uint32_t pc) {
  uint32_t block = flow_block_at(w, pc);
  if (block != UINT32_MAX) IREE_ARENA_PUSH(&w->flow->scratch, e->target, e->n, *cap, block);
}
static void find_edges(walk_t *w, edges_t *e) {
  iree_arena_t *arena = &w->flow->scratch;
  e->first = IREE_ARENA_ARRAY(arena, uint32_t, w->n_blocks + 1);
  e->returns = IREE_ARENA_ARRAY(arena, bool, w->n_blocks + 1);
  e->calls = IREE_ARENA_ARRAY(arena, bool, w->n_blocks + 1);
  e->stack = IREE_ARENA_ARRAY(arena, uint32_t, w->n_blocks + 1);
  e->seen = IREE_ARENA_ARRAY(arena, bool, w->n_blocks + 1);
  uint32_t cap = 0;
  for (uint32_t b = 0; b < w->n_blocks; ++b) {
    e->first[b] = e->n;
    bytecode_cursor_t cursor = {w->function->bytecode, w->function->length, w->starts[b], false};
    uint32_t end = b + 1 < w->n_blocks ? w->starts[b + 1] : w->function->length;
    bytecode_instruction_t at;
    while (cursor.pc < end) {
      bytecode_instruction_read(&at, &cursor);
      e->returns[b] |= at.row->number == ISA_OP_Return;
      e->calls[b] |= at.field_count && at.fields[0].kind == '@' && at.fields[0].bank == 'f';
      for (uint32_t i = 0; i < at.field_count; ++i) {
        bytecode_cursor_t field = bytecode_instruction_field(&at, w->function, i);
        if (at.fields[i].kind == '>') push_edge(w, e, &cap, cursor_u32(&field));
        if (at.fields[i].kind != '=') continue;
        for (uint32_t k = cursor_u16(&field); k-- > 0;) {
          push_edge(w, e, &cap, cursor_u32(&field));
          bytecode_skip_remap(&field);
        }
      }
    }
  }
  e->first[w->n_blocks] = e->n;
}

// Reverse postorder; of two successors the first one's blocks come first: loop bodies before exits.
static void find_order(walk_t *w, const edges_t *e) {
  iree_arena_t *arena = &w->flow->scratch;
  uint32_t n = w->n_blocks, depth = 0, n_done = 0;
  uint32_t *stack = IREE_ARENA_ARRAY(arena, uint32_t, n + 1), *next = IREE_ARENA_ARRAY(arena, uint32_t, n + 1);
  bool *seen = IREE_ARENA_ARRAY(arena, bool, n + 1);
  w->order = IREE_ARENA_ARRAY(arena, uint32_t, n + 1);
  for (uint32_t b = 0; b < n; ++b) next[b] = e->first[b + 1];
  stack[depth++] = 0;
  seen[0] = true;
  while (depth) {
    uint32_t b = stack[depth - 1];
    if (next[b] == e->first[b]) {
      w->order[n - 1 - n_done++] = b;
      --depth;
      continue;
    }
    uint32_t to = e->target[--next[b]];
    if (seen[to]) continue;
    seen[to] = true;
    stack[depth++] = to;
  }
  w->order += n - n_done;
  w->n_order = n_done;
}

// Whether a path that avoids |avoid| leads from |from| over an edge to |to|; without |to|, to a return.
static bool reaches(walk_t *w, edges_t *e, uint32_t from, uint32_t to, uint32_t avoid) {
  if (!flow_spend(w->flow, w->n_blocks + e->n)) return false;
  memset(e->seen, 0, w->n_blocks * sizeof(*e->seen));
  uint32_t depth = 0;
  e->stack[depth++] = from;
  while (depth) {
    uint32_t b = e->stack[--depth];
    if (b == avoid) continue;
    if (to == UINT32_MAX && e->returns[b]) return true;
    for (uint32_t i = e->first[b]; i < e->first[b + 1]; ++i) {
      if (e->target[i] == to) return true;
      if (e->seen[e->target[i]]) continue;
      e->seen[e->target[i]] = true;
      e->stack[depth++] = e->target[i];
    }
  }
  return false;
}

void flow_record(walk_t *w) {
  edges_t e = {0};
  find_edges(w, &e);
  find_order(w, &e);
  w->flow->is_recording = true;
  for (uint32_t i = 0; i < w->n_order; ++i) {
    uint32_t b = w->order[i];
    if (!w->is_reached[b]) continue;
    w->flow->flow = 0;
    if (w->n_blocks > 1 && e.calls[b]) {
      if (reaches(w, &e, b, b, UINT32_MAX)) w->flow->flow |= INSPECT_IN_LOOP;
      if (reaches(w, &e, 0, UINT32_MAX, b)) w->flow->flow |= INSPECT_ON_SOME_PATHS;
    }
    flow_walk_block(w, b);
  }
  w->flow->is_recording = false;
}
