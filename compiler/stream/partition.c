// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partitions: waves by hazards, memory by lifetime, and the stream.cmd.execute that results.
#include <stdlib.h>
#include <string.h>

#include "compiler/stream/schedule.h"

// ---- buffers
buffer_t *buffer_create(schedule_t *s, ir_value_t *size) {
  buffer_t *buffer = IREE_ARENA_NEW(s->arena, buffer_t);
  *buffer = (buffer_t){.size = size, .lifetime = "external", .owned = true, .partition = s->partition,
                       .first_wave = -1, .last_write = -1, .last_read = -1};
  IREE_ARENA_PUSH(s->arena, s->buffers, s->n_buffers, s->buffer_cap, buffer);
  return buffer;
}
buffer_t *buffer_of_resource(schedule_t *s, ir_value_t *resource, ir_value_t *total, ir_value_t *ready) {
  buffer_t *buffer = IREE_ARENA_NEW(s->arena, buffer_t);
  *buffer = (buffer_t){.resource = resource, .total = total, .size = total, .ready = ready};
  return buffer;
}
void buffer_add_value(schedule_t *s, buffer_t *buffer, ir_value_t *value) {
  IREE_ARENA_PUSH(s->arena, buffer->values, buffer->n_values, buffer->value_cap, value);
}

// Uses of the buffer by ops that no partition and no host op has taken yet.
static size_t open_uses(schedule_t *s, const buffer_t *buffer) {
  size_t n = 0;
  for (size_t i = 0; i < buffer->n_values; ++i)
    for (ir_use_t *use = buffer->values[i]->uses; use; use = use->next) n += !ir_map_get(s->done, use->user);
  return n;
}
bool buffer_may_be_written(schedule_t *s, const buffer_t *buffer, const ir_op_t *by) {
  return buffer->owned && !buffer->read_elsewhere && buffer->block == by->block && open_uses(s, buffer) == 1 &&
         ir_may_rewrite(by, "write in place by");
}

// ---- commands and waves
command_t *partition_add(schedule_t *s, ir_kind_t kind, ir_loc_t loc, size_t n_operands) {
  command_t command = {.kind = kind, .loc = loc, .n_operands = n_operands};
  command.operands = IREE_ARENA_ARRAY(s->arena, operand_t, n_operands + 1);
  IREE_ARENA_PUSH(s->arena, s->commands, s->n_commands, s->command_cap, command);
  return &s->commands[s->n_commands - 1];
}

// The first wave in which all of the command's inputs are there and nobody still needs what it
// overwrites.
void partition_place(schedule_t *s, command_t *command) {
  int wave = 0;
  for (size_t i = 0; i < command->n_operands; ++i) {
    buffer_t *buffer = command->operands[i].buffer;
    if (buffer->partition != s->partition) {
      buffer->partition = s->partition;
      buffer->first_wave = buffer->last_write = buffer->last_read = -1;
    }
    if (buffer->last_write + 1 > wave) wave = buffer->last_write + 1;
    if ((command->operands[i].access & ACCESS_WRITE) && buffer->last_read + 1 > wave) wave = buffer->last_read + 1;
  }
  command->wave = wave;
  for (size_t i = 0; i < command->n_operands; ++i) {
    buffer_t *buffer = command->operands[i].buffer;
    if (buffer->first_wave < 0 || wave < buffer->first_wave) buffer->first_wave = wave;
    if (command->operands[i].access & ACCESS_READ && wave > buffer->last_read) buffer->last_read = wave;
    if (command->operands[i].access & ACCESS_WRITE && wave > buffer->last_write) buffer->last_write = wave;
  }
}

// ---- the slab: linear scan over waves, best fit among free ranges
typedef struct range {
  int64_t offset, size;
  int last_wave;
} range_t;
static int last_wave_of(const buffer_t *b) { return b->last_read > b->last_write ? b->last_read : b->last_write; }
static int compare_start(const void *a, const void *b) {
  const buffer_t *x = *(buffer_t *const *)a, *y = *(buffer_t *const *)b;
  return x->first_wave - y->first_wave;
}

typedef struct slab {
  range_t *used, *free;
  size_t n_used, used_cap, n_free, free_cap;
  int64_t end;
} slab_t;

static void slab_release(schedule_t *s, slab_t *slab, range_t range) {
  // Join with neighbours so that large holes form again.
  for (size_t i = 0; i < slab->n_free;) {
    range_t *f = &slab->free[i];
    if (f->offset + f->size == range.offset) {
      range.offset = f->offset;
      range.size += f->size;
    } else if (range.offset + range.size == f->offset) {
      range.size += f->size;
    } else {
      ++i;
      continue;
    }
    *f = slab->free[--slab->n_free];
    i = 0;
  }
  IREE_ARENA_PUSH(s->arena, slab->free, slab->n_free, slab->free_cap, range);
}

static bool may_reuse(const buffer_t *buffer) {
  const ir_op_t *op = buffer->n_values ? ir_def(buffer->values[0]) : NULL;
  return !op || ir_may_rewrite(op, "reuse memory for");
}

static int64_t slab_place(schedule_t *s, slab_t *slab, const buffer_t *buffer, int64_t size) {
  for (size_t i = 0; i < slab->n_used;) {
    if (slab->used[i].last_wave < buffer->first_wave) {
      range_t freed = slab->used[i];
      slab->used[i] = slab->used[--slab->n_used];
      slab_release(s, slab, freed);
    } else {
      ++i;
    }
  }
  range_t *best = NULL;
  size_t n_free = slab->n_free && may_reuse(buffer) ? slab->n_free : 0;
  for (size_t i = 0; i < n_free; ++i)
    if (slab->free[i].size >= size && (!best || slab->free[i].size < best->size)) best = &slab->free[i];
  range_t placed = {slab->end, size, last_wave_of(buffer)};
  if (best) {
    placed.offset = best->offset;
    best->offset += size;
    best->size -= size;
    if (!best->size) *best = slab->free[--slab->n_free];
  } else {
    // The last hole may be extended.
    for (size_t i = 0; i < n_free; ++i) {
      if (slab->free[i].offset + slab->free[i].size != slab->end) continue;
      placed.offset = slab->free[i].offset;
      slab->free[i] = slab->free[--slab->n_free];
      break;
    }
    slab->end = placed.offset + size;
  }
  IREE_ARENA_PUSH(s->arena, slab->used, slab->n_used, slab->used_cap, placed);
  return placed.offset;
}

// ---- closing
static bool escapes(schedule_t *s, const buffer_t *buffer) {
  return buffer->escapes || strcmp(buffer->lifetime, "external") || open_uses(s, buffer) > 0;
}

static ir_op_t *build_alloca(schedule_t *s, ir_builder_t *b, const char *lifetime, ir_value_t *size) {
  ir_type_t results[2] = {stream_resource_type(s->ctx, lifetime), stream_timepoint_type(s->ctx)};
  ir_named_t attrs[2] = {{"uninitialized", NULL}, {"affinity", s->affinity}};
  return ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_RESOURCE_ALLOCA, .operands = &size, .n_operands = 1,
                                     .results = results, .n_results = 2, .attrs = attrs, .n_attrs = 2});
}

typedef struct timepoints {
  ir_value_t **values;
  size_t n, cap;
} timepoints_t;
static void timepoints_add(schedule_t *s, timepoints_t *t, ir_value_t *tp) {
  if (!tp) return;
  for (size_t i = 0; i < t->n; ++i)
    if (t->values[i] == tp) return;
  IREE_ARENA_PUSH(s->arena, t->values, t->n, t->cap, tp);
}
static ir_value_t *timepoints_join(schedule_t *s, ir_builder_t *b, const timepoints_t *t) {
  if (t->n < 2) return t->n ? t->values[0] : NULL;
  ir_type_t type = stream_timepoint_type(s->ctx);
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_TIMEPOINT_JOIN, .operands = t->values,
                                               .n_operands = t->n, .results = &type, .n_results = 1}), 0);
}

typedef struct capture {  // a resource used inside the execute and its region argument
  ir_value_t *resource, *size, *arg;
} capture_t;
typedef struct captures {
  capture_t *items;
  size_t n, cap;
} captures_t;
static void captures_add(schedule_t *s, captures_t *c, const buffer_t *buffer) {
  for (size_t i = 0; i < c->n; ++i)
    if (c->items[i].resource == buffer->resource) return;
  capture_t capture = {buffer->resource, buffer->total, NULL};
  IREE_ARENA_PUSH(s->arena, c->items, c->n, c->cap, capture);
}
static const capture_t *captures_find(const captures_t *c, const buffer_t *buffer) {
  for (size_t i = 0; i < c->n; ++i)
    if (c->items[i].resource == buffer->resource) return &c->items[i];
  return NULL;
}

static ir_value_t *absolute(ir_builder_t *b, const operand_t *o) {
  ir_value_t *offset = o->offset, *base = o->buffer->base;
  if (offset && base) return stream_add(b, base, offset);
  return offset ? offset : base ? base : stream_index(b, 0);
}

// |outer| builds what commands need outside the region, |inner| the command itself.
static iree_status_t emit_dispatch(schedule_t *s, ir_builder_t *outer, ir_builder_t *inner, const command_t *c,
                                   const captures_t *captures) {
  ir_group_t workload = ir_operand_group(c->op, "workload"), arguments = ir_operand_group(c->op, "arguments");
  size_t max = workload.n + 2 * arguments.n + 4 * c->n_operands, n = 0;
  ir_value_t **operands = IREE_ARENA_ARRAY(s->arena, ir_value_t *, max + 1);
  ir_attr_t *accesses = IREE_ARENA_ARRAY(s->arena, ir_attr_t, c->n_operands + 1);
  uint32_t k = (uint32_t)c->n_operands, segments[6] = {workload.n, 0, k, k, k, k};
  for (uint32_t i = 0; i < workload.n; ++i) operands[n++] = ir_operand(c->op, workload.first + i);
  for (uint32_t i = 0; i < arguments.n; ++i) {
    ir_value_t *argument = ir_operand(c->op, arguments.first + i);
    if (argument->type->kind == IR_T_TENSOR) continue;
    size_t words = stream_pack_scalar(outer, argument, operands + n);
    n += words;
    segments[1] += (uint32_t)words;
  }
  for (size_t i = 0; i < k; ++i) operands[n++] = captures_find(captures, c->operands[i].buffer)->arg;
  for (size_t i = 0; i < k; ++i) operands[n++] = captures_find(captures, c->operands[i].buffer)->size;
  for (size_t i = 0; i < k; ++i) operands[n++] = absolute(outer, &c->operands[i]);
  for (size_t i = 0; i < k; ++i) operands[n++] = c->operands[i].length;
  for (size_t i = 0; i < k; ++i) accesses[i] = ir_attr_i32(s->ctx, c->operands[i].access);
  ir_named_t attrs[2] = {{"entry_points", ir_op_attr(c->op, "entry_points")},
                         {"resource_accesses", ir_attr_array(s->ctx, accesses, k)}};
  ir_build(inner, &(ir_op_desc_t){.kind = OP_STREAM_CMD_DISPATCH, .loc = c->loc, .operands = operands, .n_operands = n,
                                  .segments = segments, .attrs = attrs, .n_attrs = 2});
  return iree_ok_status();
}

static iree_status_t emit_command(schedule_t *s, ir_builder_t *outer, ir_builder_t *inner, const command_t *c,
                                  const captures_t *captures) {
  if (c->kind == OP_STREAM_CMD_DISPATCH) return emit_dispatch(s, outer, inner, c, captures);
  ir_value_t *operands[8];
  size_t n = 0;
  for (size_t i = 0; i < c->n_operands; ++i) {
    const capture_t *capture = captures_find(captures, c->operands[i].buffer);
    operands[n++] = capture->arg;
    operands[n++] = capture->size;
    operands[n++] = absolute(outer, &c->operands[i]);
  }
  operands[n++] = c->operands[0].length;
  if (c->value) operands[n++] = c->value;
  ir_build(inner, &(ir_op_desc_t){.kind = c->kind, .loc = c->loc, .operands = operands, .n_operands = n});
  return iree_ok_status();
}

static int compare_wave(const void *a, const void *b) {
  const command_t *x = *(command_t *const *)a, *y = *(command_t *const *)b;
  if (x->wave != y->wave) return x->wave - y->wave;
  return x < y ? -1 : x > y;  // commands of a wave keep their order
}

static iree_status_t emit_waves(schedule_t *s, ir_builder_t *outer, ir_block_t *body, const captures_t *captures) {
  command_t **order = IREE_ARENA_ARRAY(s->arena, command_t *, s->n_commands + 1);
  for (size_t i = 0; i < s->n_commands; ++i) order[i] = &s->commands[i];
  qsort(order, s->n_commands, sizeof *order, compare_wave);
  ir_builder_t b = ir_builder_at_end(s->ctx, body);
  for (size_t i = 0; i < s->n_commands;) {
    size_t end = i + 1;
    while (end < s->n_commands && order[end]->wave == order[i]->wave) ++end;
    ir_builder_t inner = b;
    if (end - i > 1) {
      ir_op_t *concurrent = ir_build(&b, &(ir_op_desc_t){.kind = OP_STREAM_CMD_CONCURRENT, .loc = order[i]->loc, .n_regions = 1});
      inner = ir_builder_at_end(s->ctx, ir_block_create(s->ctx, concurrent->regions[0]));
    }
    for (size_t k = i; k < end; ++k) IREE_RETURN_IF_ERROR(emit_command(s, outer, &inner, order[k], captures));
    if (end - i > 1) ir_build(&inner, &(ir_op_desc_t){.kind = OP_STREAM_YIELD});
    i = end;
  }
  ir_build(&b, &(ir_op_desc_t){.kind = OP_STREAM_YIELD});
  return iree_ok_status();
}

typedef struct transient {
  ir_value_t *resource, *size;
} transient_t;

// Gives every buffer made here its resource: own allocations for what escapes or has a size known
// only at run time, places in one slab for the rest.
static size_t allocate(schedule_t *s, ir_builder_t *b, timepoints_t *await, transient_t *out_transients) {
  size_t n_transients = 0, n_slab = 0;
  buffer_t **slab_buffers = IREE_ARENA_ARRAY(s->arena, buffer_t *, s->n_buffers + 1);
  for (size_t i = 0; i < s->n_buffers; ++i) {
    buffer_t *buffer = s->buffers[i];
    if (buffer->resource) continue;  // the caller's
    int64_t ignored;
    bool out = escapes(s, buffer);
    if (!out && stream_constant(buffer->size, &ignored)) {
      slab_buffers[n_slab++] = buffer;
      continue;
    }
    ir_op_t *alloca = build_alloca(s, b, out ? buffer->lifetime : "transient", buffer->size);
    buffer->resource = ir_result(alloca, 0);
    buffer->total = buffer->size;
    timepoints_add(s, await, ir_result(alloca, 1));
    if (!out) out_transients[n_transients++] = (transient_t){buffer->resource, buffer->size};
  }
  if (!n_slab) return n_transients;
  qsort(slab_buffers, n_slab, sizeof *slab_buffers, compare_start);
  slab_t slab = {0};
  int64_t *offsets = IREE_ARENA_ARRAY(s->arena, int64_t, n_slab);
  for (size_t i = 0; i < n_slab; ++i) {
    int64_t size = 0;
    stream_constant(slab_buffers[i]->size, &size);
    size = (size + STREAM_ALIGNMENT - 1) / STREAM_ALIGNMENT * STREAM_ALIGNMENT;
    offsets[i] = slab_place(s, &slab, slab_buffers[i], size ? size : STREAM_ALIGNMENT);
  }
  ir_value_t *total = stream_index(b, slab.end);
  ir_op_t *alloca = build_alloca(s, b, "transient", total);
  timepoints_add(s, await, ir_result(alloca, 1));
  for (size_t i = 0; i < n_slab; ++i) {
    slab_buffers[i]->resource = ir_result(alloca, 0);
    slab_buffers[i]->total = total;
    slab_buffers[i]->base = offsets[i] ? stream_index(b, offsets[i]) : NULL;
  }
  out_transients[n_transients++] = (transient_t){ir_result(alloca, 0), total};
  return n_transients;
}

static ir_value_t *build_execute(schedule_t *s, ir_builder_t *b, const captures_t *captures, ir_value_t *await, ir_op_t **out_op) {
  uint32_t n = (uint32_t)captures->n, segments[3] = {n, n, await ? 1 : 0};
  ir_value_t **operands = IREE_ARENA_ARRAY(s->arena, ir_value_t *, 2 * n + 1);
  for (uint32_t i = 0; i < n; ++i) {
    operands[i] = captures->items[i].resource;
    operands[n + i] = captures->items[i].size;
  }
  operands[2 * n] = await;
  ir_type_t type = stream_timepoint_type(s->ctx);
  ir_named_t attrs[2] = {{"affinity", s->affinity}, {"once", s->in_initializer ? ir_attr_unit(s->ctx) : NULL}};
  *out_op = ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_CMD_EXECUTE, .loc = s->commands[0].loc, .operands = operands,
                                        .n_operands = 2 * n + (await ? 1 : 0), .segments = segments, .results = &type,
                                        .n_results = 1, .attrs = attrs, .n_attrs = 2, .n_regions = 1});
  return ir_result(*out_op, 0);
}

iree_status_t partition_close(schedule_t *s, ir_builder_t *b) {
  if (!s->n_commands) return iree_ok_status();
  timepoints_t await = {0};
  transient_t *transients = IREE_ARENA_ARRAY(s->arena, transient_t, s->n_buffers + 1);
  size_t n_transients = allocate(s, b, &await, transients);
  captures_t captures = {0};
  for (size_t i = 0; i < s->n_commands; ++i) {
    for (size_t k = 0; k < s->commands[i].n_operands; ++k) {
      buffer_t *buffer = s->commands[i].operands[k].buffer;
      captures_add(s, &captures, buffer);
      timepoints_add(s, &await, buffer->ready);
      if (buffer->ready) buffer->read_elsewhere = true;
    }
  }
  ir_value_t *start = timepoints_join(s, b, &await);
  ir_op_t *execute;
  ir_value_t *ready = build_execute(s, b, &captures, start, &execute);
  ir_block_t *body = ir_block_create(s->ctx, execute->regions[0]);
  for (size_t i = 0; i < captures.n; ++i)
    captures.items[i].arg = ir_block_add_arg(s->ctx, body, captures.items[i].resource->type);
  ir_builder_t outer = ir_builder_before(s->ctx, execute);
  IREE_RETURN_IF_ERROR(emit_waves(s, &outer, body, &captures));
  for (size_t i = 0; i < n_transients; ++i) {
    ir_value_t *operands[3] = {transients[i].resource, transients[i].size, ready};
    ir_type_t type = stream_timepoint_type(s->ctx);
    ir_named_t attr = {"affinity", s->affinity};
    ready = ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_STREAM_RESOURCE_DEALLOCA, .operands = operands,
                                                  .n_operands = 3, .results = &type, .n_results = 1,
                                                  .attrs = &attr, .n_attrs = 1}), 0);
  }
  for (size_t i = 0; i < s->n_buffers; ++i) s->buffers[i]->ready = ready;
  s->n_commands = s->n_buffers = 0;
  s->partition++;
  return iree_ok_status();
}
