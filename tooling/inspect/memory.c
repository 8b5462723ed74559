// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory over time. Time is counted in ticks: one per wave. What a function allocates counts from
// its allocation to its release. Inside a buffer, bytes are live from a write to the last read
// before the next write: each buffer is cut where any use begins or ends, and what has the same
// fate in neighbouring cuts is put together again.
#include <stdlib.h>
#include <string.h>

#include "tooling/inspect/inspect.h"

enum { MAX_TICKS = 1 << 16, MAX_USES = 1 << 18, MAX_CALL_DEPTH = 8, MAX_STEPS = 1 << 20, MAX_LOOK_BACK = 128 };
#define MAX_WORK 8000000ull  // uses times cuts, of all buffers

typedef struct touch_t {
  uint32_t tenant, tick;
  uint64_t begin, end;
  uint32_t access;
} touch_t;

typedef struct ticker_t {
  const inspect_t *self;
  iree_arena_t *arena;
  inspect_timeline_t *out;
  touch_t *touches;
  uint32_t n_touches, cap_touches;
  uint64_t allocated, work;
  uint32_t n_steps;     // calls in calls make any number of them
  uint32_t *tenant_of;  // by object, + 1
} ticker_t;

static void inexact(ticker_t *t, const char *why) {
  if (!t->out->inexact) t->out->inexact = why;
}

// The tenant of an object; one per object.
static uint32_t tenant(ticker_t *t, uint32_t object) {
  uint32_t *of = &t->tenant_of[object];
  if (*of) return *of - 1;
  inspect_tenant_t fresh = {.object = object, .first = t->out->n_ticks, .last = UINT32_MAX};
  fresh.bytes = t->self->objects[object].size;
  IREE_ARENA_PUSH(t->arena, t->out->tenants, t->out->n_tenants, t->out->cap_tenants, fresh);
  *of = t->out->n_tenants;
  return *of - 1;
}

static uint32_t buffer_of(const ticker_t *t, uint32_t object) {
  if (object >= t->self->n_objects || object <= OBJECT_ANY) return 0;
  uint32_t buffer = inspect_resolve(t->self, object, OBJECT_BUFFER);
  return buffer ? buffer : object;
}

static void allocate(ticker_t *t, const inspect_step_t *step) {
  uint32_t buffer = buffer_of(t, step->buffer);
  if (!buffer) return;
  uint32_t who = tenant(t, buffer);
  inspect_tenant_t *of = &t->out->tenants[who];
  of->is_allocated = true;
  of->is_host = step->is_host;
  of->bytes = step->bytes;
  of->first = t->out->n_ticks;
  if (step->is_host) return;
  if (step->flow & INSPECT_IN_LOOP) inexact(t, "memory is allocated in a loop");
  else if (step->flow & INSPECT_ON_SOME_PATHS) inexact(t, "memory is allocated on some paths only");
  if (!step->bytes.is_known) inexact(t, "sizes are known at run time only");
  else t->allocated += step->bytes.value;
  if (t->allocated > t->out->peak_bytes) t->out->peak_bytes = t->allocated;
}
static void release(ticker_t *t, const inspect_step_t *step) {
  uint32_t buffer = buffer_of(t, step->buffer);
  if (!buffer) return;
  uint32_t who = tenant(t, buffer);
  inspect_tenant_t *of = &t->out->tenants[who];
  if (!of->is_allocated || of->last != UINT32_MAX) return;
  of->last = t->out->n_ticks ? t->out->n_ticks - 1 : 0;
  if (!of->is_host && of->bytes.is_known && of->bytes.value <= t->allocated) t->allocated -= of->bytes.value;
}

// A command's use, with the slot's buffer where it is one.
static void touch(ticker_t *t, const inspect_step_t *step, const inspect_use_t *use, uint32_t tick) {
  uint32_t object = use->buffer;
  inspect_amount_t offset = use->offset, length = use->length;
  if (object == OBJECT_NULL) {
    if (!use->slot.is_known || use->slot.value >= step->n_table) return;
    const inspect_use_t *entry = &step->table[use->slot.value];
    object = entry->buffer;
    offset.is_known &= entry->offset.is_known;
    offset.value += entry->offset.value;
  }
  uint32_t buffer = buffer_of(t, object);
  if (!buffer) return;
  uint32_t who = tenant(t, buffer);
  if (!offset.is_known || !length.is_known || length.value == UINT64_MAX || t->n_touches == MAX_USES ||
      offset.value + length.value < offset.value) {
    ++t->out->tenants[who].n_unplaced;
    return;
  }
  touch_t fresh = {who, tick, offset.value, offset.value + length.value, use->access};
  IREE_ARENA_PUSH(t->arena, t->touches, t->n_touches, t->cap_touches, fresh);
}

static uint32_t add_tick(ticker_t *t, uint32_t function, uint32_t step, uint32_t wave) {
  inspect_tick_t tick = {.function = function, .step = step, .wave = wave, .allocated_bytes = t->allocated};
  IREE_ARENA_PUSH(t->arena, t->out->ticks, t->out->n_ticks, t->out->cap_ticks, tick);
  return t->out->n_ticks - 1;
}

static void run(ticker_t *t, uint32_t function, int depth) {
  const inspect_function_t *f = &t->self->functions[function];
  for (uint32_t i = 0; i < f->n_steps && t->out->n_ticks < MAX_TICKS; ++i) {
    const inspect_step_t *step = &f->steps[i];
    if (++t->n_steps > MAX_STEPS) return inexact(t, "there are too many steps to follow");
    if (step->kind == STEP_ALLOCA || step->kind == STEP_ALLOCATE) allocate(t, step);
    if (step->kind == STEP_DEALLOCA) release(t, step);
    if (step->kind == STEP_CALL && depth < MAX_CALL_DEPTH) run(t, step->callee, depth + 1);
    if (step->kind == STEP_COMMAND) {
      uint32_t tick = add_tick(t, function, i, 0);
      for (uint32_t u = 0; u < step->command.n_uses; ++u) touch(t, step, &step->command.uses[u], tick);
    }
    if (step->kind != STEP_EXECUTE) continue;
    uint32_t commands = inspect_resolve(t->self, step->commands, OBJECT_COMMANDS);
    if (!commands) continue;
    const inspect_object_t *o = &t->self->objects[commands];
    uint32_t first = t->out->n_ticks;
    for (uint32_t w = 0; w < o->n_waves && t->out->n_ticks < MAX_TICKS; ++w) add_tick(t, function, i, w);
    for (uint32_t c = 0; c < o->n_commands; ++c)
      for (uint32_t u = 0; u < o->commands[c].n_uses && first + o->commands[c].wave < t->out->n_ticks; ++u)
        touch(t, step, &o->commands[c].uses[u], first + o->commands[c].wave);
  }
}

// ---- what is live inside of buffers ------------------------------------------------------------

static int compare_touches(const void *a, const void *b) {
  const touch_t *x = a, *y = b;
  if (x->tenant != y->tenant) return x->tenant < y->tenant ? -1 : 1;
  if (x->tick != y->tick) return x->tick < y->tick ? -1 : 1;
  // Within a wave nothing depends on each other: reads of what was there before come first.
  uint32_t xw = x->access == INSPECT_WRITES, yw = y->access == INSPECT_WRITES;
  return xw != yw ? (xw < yw ? -1 : 1) : 0;
}
static int compare_u64(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// Extends a piece that ends where this one begins and has its life, or adds it.
static void add_piece(ticker_t *t, inspect_tenant_t *of, inspect_piece_t piece) {
  for (uint32_t i = of->n_pieces, k = 0; i-- > 0 && k < MAX_LOOK_BACK; ++k) {
    inspect_piece_t *p = &of->pieces[i];
    if (p->offset + p->length != piece.offset || p->first != piece.first || p->last != piece.last) continue;
    p->length += piece.length;
    return;
  }
  IREE_ARENA_PUSH(t->arena, of->pieces, of->n_pieces, of->cap_pieces, piece);
}

// The lives of bytes [begin, end), which every touch has all of or nothing.
static void cut(ticker_t *t, inspect_tenant_t *of, const touch_t *touches, uint32_t n, uint64_t begin,
                uint64_t end, bool is_filled, bool is_kept) {
  inspect_piece_t piece = {begin, end - begin, of->first, of->first};
  bool is_open = is_filled;
  for (uint32_t i = 0; i < n; ++i) {
    const touch_t *touch = &touches[i];
    if (touch->begin >= end || touch->end <= begin) continue;
    bool writes = touch->access == INSPECT_WRITES || !is_open;
    // In place: what was read in this tick makes way in it.
    if (writes && is_open && piece.last == touch->tick && piece.first < touch->tick) --piece.last;
    if (writes && is_open) add_piece(t, of, piece);
    if (writes) piece.first = touch->tick;
    piece.last = touch->tick;
    is_open = true;
  }
  if (is_kept && is_open) piece.last = t->out->n_ticks ? t->out->n_ticks - 1 : 0;
  if (is_open) add_piece(t, of, piece);
}

static bool is_result(const ticker_t *t, uint32_t function, uint32_t buffer) {
  const inspect_function_t *f = &t->self->functions[function];
  for (uint32_t i = 0; i < f->n_results; ++i) {
    uint32_t view = inspect_resolve(t->self, f->results[i], OBJECT_VIEW);
    if (view && buffer_of(t, t->self->objects[view].of) == buffer) return true;
  }
  return false;
}

static void find_pieces(ticker_t *t, uint32_t function, inspect_tenant_t *of, const touch_t *touches, uint32_t n) {
  uint64_t *edges = IREE_ARENA_ARRAY(t->arena, uint64_t, 2 * (size_t)n + 1);
  for (uint32_t i = 0; i < n; ++i) edges[2 * i] = touches[i].begin, edges[2 * i + 1] = touches[i].end;
  qsort(edges, 2 * (size_t)n, sizeof(*edges), compare_u64);
  uint32_t n_edges = 0;
  for (uint32_t i = 0; i < 2 * n; ++i)
    if (!n_edges || edges[n_edges - 1] != edges[i]) edges[n_edges++] = edges[i];
  t->work += (uint64_t)n * n_edges;
  if (t->work > MAX_WORK) {
    of->n_unplaced += n;
    return;
  }
  bool is_kept = is_result(t, function, of->object);
  for (uint32_t i = 0; i + 1 < n_edges; ++i)
    cut(t, of, touches, n, edges[i], edges[i + 1], !of->is_allocated, is_kept);
}

// Where it is not said what is read and what written: what is touched, tick by tick.
static bool find_touched(ticker_t *t, inspect_tenant_t *of, const touch_t *touches, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) of->is_vague |= !touches[i].access;
  for (uint32_t i = 0; of->is_vague && i < n; ++i) {
    inspect_piece_t piece = {touches[i].begin, touches[i].end - touches[i].begin, touches[i].tick, touches[i].tick};
    IREE_ARENA_PUSH(t->arena, of->pieces, of->n_pieces, of->cap_pieces, piece);
  }
  t->out->is_vague |= of->is_vague && of->is_allocated;
  return of->is_vague;
}

static int compare_pieces(const void *a, const void *b) {
  const inspect_piece_t *x = a, *y = b;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

void inspect_timeline(const inspect_t *self, uint32_t function, iree_arena_t *arena, inspect_timeline_t *out) {
  *out = (inspect_timeline_t){0};
  ticker_t t = {.self = self, .arena = arena, .out = out};
  t.tenant_of = IREE_ARENA_ARRAY(arena, uint32_t, self->n_objects + 1u);
  run(&t, function, 0);
  uint32_t last = out->n_ticks ? out->n_ticks - 1 : 0;
  for (uint32_t i = 0; i < out->n_tenants; ++i) {
    if (!out->tenants[i].is_allocated) out->tenants[i].first = 0;
    if (out->tenants[i].last == UINT32_MAX) out->tenants[i].last = last;
  }
  if (t.n_touches) qsort(t.touches, t.n_touches, sizeof(*t.touches), compare_touches);
  for (uint32_t i = 0, k; i < t.n_touches; i = k) {
    for (k = i; k < t.n_touches && t.touches[k].tenant == t.touches[i].tenant;) ++k;
    inspect_tenant_t *of = &out->tenants[t.touches[i].tenant];
    if (!find_touched(&t, of, &t.touches[i], k - i)) find_pieces(&t, function, of, &t.touches[i], k - i);
  }
  // Differences first: what begins and, one tick late, what ends.
  uint64_t *ends = IREE_ARENA_ARRAY(arena, uint64_t, out->n_ticks + 1u);
  for (uint32_t i = 0; i < out->n_tenants; ++i) {
    inspect_tenant_t *of = &out->tenants[i];
    if (of->n_pieces) qsort(of->pieces, of->n_pieces, sizeof(*of->pieces), compare_pieces);
    for (uint32_t p = 0; of->is_allocated && !of->is_host && !out->is_vague && p < of->n_pieces; ++p) {
      out->ticks[of->pieces[p].first].live_bytes += of->pieces[p].length;
      ends[of->pieces[p].last] += of->pieces[p].length;
    }
  }
  for (uint32_t k = 1; k < out->n_ticks; ++k)
    out->ticks[k].live_bytes += out->ticks[k - 1].live_bytes - ends[k - 1];
  if (!self->functions[function].is_followed) inexact(&t, "the function is too large to be followed");
}
