// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says in each entry point's reflection how much device memory a call takes at once, where that is known.
//   in, out: stream commands and allocations
//   relies on: stream-simplify having made sizes constants
//
//   util.func public @f(...) attributes {iree.reflection = {...}}
//   ->
//   util.func public @f(...) attributes {iree.reflection = {..., iree.memory.peak = "552"}}
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/stream/build.h"
#include "compiler/stream/peak.h"

// ---- following allocations
typedef struct held {
  const ir_value_t *value;
  int64_t bytes;
} held_t;
typedef struct follow {
  stream_peak_t *out;
  held_t held[1024];
  uint32_t n;
  int64_t bytes;
} follow_t;

static void inexact(follow_t *f, const char *why) {
  if (!f->out->inexact) f->out->inexact = why;
}
static const char *lifetime_of(ir_ctx_t *ctx, const ir_value_t *v) {
  static const char *const words[] = {"external", "transient", "variable", "constant", "staging"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (v->type == stream_resource_type(ctx, words[i])) return words[i];
  return "resource";
}
static void note_peak(ir_ctx_t *ctx, follow_t *f) {
  stream_peak_t *out = f->out;
  if (f->bytes <= out->bytes) return;
  out->bytes = f->bytes;
  out->n_live = out->n_more = 0;
  for (uint32_t i = 0; i < f->n; ++i) {
    if (out->n_live == STREAM_PEAK_MAX_SHOWN) {
      ++out->n_more;
      continue;
    }
    out->live[out->n_live].lifetime = lifetime_of(ctx, f->held[i].value);
    out->live[out->n_live].bytes = f->held[i].bytes;
    out->live[out->n_live++].loc = f->held[i].value->op->loc;
  }
}
static void allocate(ir_ctx_t *ctx, follow_t *f, ir_op_t *op) {
  if (ir_result(op, 0)->type == stream_resource_type(ctx, "staging")) return;  // memory of the host
  const ir_op_t *size = ir_def(ir_operand(op, 0));
  ir_attr_t value = ir_op_is(size, OP_ARITH_CONSTANT) ? ir_op_attr(size, "value") : NULL;
  if (!ir_is(value, IR_A_INT)) {
    inexact(f, "sizes are known at run time only");
    return;
  }
  if (f->n == sizeof f->held / sizeof *f->held) {
    inexact(f, "there are too many allocations to follow");
    return;
  }
  f->held[f->n++] = (held_t){ir_result(op, 0), ir_int(value, 0)};
  f->bytes += ir_int(value, 0);
  note_peak(ctx, f);
}
static void release(follow_t *f, const ir_value_t *v) {
  for (uint32_t i = 0; i < f->n; ++i) {
    if (f->held[i].value != v) continue;
    f->bytes -= f->held[i].bytes;
    f->held[i] = f->held[--f->n];
    return;
  }
}

void stream_peak(ir_ctx_t *ctx, const ir_op_t *func, stream_peak_t *out) {
  *out = (stream_peak_t){0};
  follow_t f = {.out = out};
  bool is_first = true;
  for (ir_block_t *block = ir_body(func); block; block = block->next, is_first = false) {
    for (ir_op_t *op = block->first; op; op = op->next) {
      bool allocates = op->kind == OP_STREAM_RESOURCE_ALLOCA || op->kind == OP_STREAM_RESOURCE_ALLOC;
      if (op->kind == OP_UTIL_CALL) inexact(&f, "other functions are called");
      if (allocates && !is_first && ir_result(op, 0)->type != stream_resource_type(ctx, "staging")) inexact(&f, "memory is allocated in loops or branches");
      if (allocates) allocate(ctx, &f, op);
      if (op->kind == OP_STREAM_RESOURCE_DEALLOCA) release(&f, ir_operand(op, 0));
    }
  }
}

// ---- the pass
static void set_peak(ir_ctx_t *ctx, ir_op_t *func, ir_attr_t reflection, int64_t bytes, iree_arena_t *arena) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, bytes);
  ir_attr_t *pairs = IREE_ARENA_ARRAY(arena, ir_attr_t, reflection->n_kids + 2);
  size_t n = 0;
  for (uint32_t i = 0; i + 1 < reflection->n_kids; i += 2) {
    if (ir_str_is(ir_kid(reflection, i), "iree.memory.peak")) continue;
    pairs[n++] = ir_kid(reflection, i);
    pairs[n++] = ir_kid(reflection, i + 1);
  }
  pairs[n++] = ir_attr_str(ctx, "iree.memory.peak");
  pairs[n++] = ir_attr_str(ctx, text);
  ir_op_set_attr(ctx, func, "iree.reflection", ir_attr_dict(ctx, pairs, n / 2));
}
iree_status_t stream_annotate_peak(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    ir_attr_t reflection = op->kind == OP_UTIL_FUNC && ir_body(op) ? ir_op_attr(op, "iree.reflection") : NULL;
    if (!reflection) continue;
    stream_peak_t peak;
    stream_peak(pass->ctx, op, &peak);
    if (peak.bytes && !peak.inexact) set_peak(pass->ctx, op, reflection, peak.bytes, pass->scratch);
  }
  return iree_ok_status();
}
