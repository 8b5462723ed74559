// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters: commands of the stream become requests to the io_parameters module on the device's
// queue. A single read or write is a request of one row.
#include "compiler/hal/convert.h"

typedef struct request {
  hal_convert_t *c;
  ir_builder_t b;
  ir_op_t *op;
  ir_value_t **operands;
  size_t n;
  uint32_t segments[12];
  size_t n_segments;
} request_t;

static void add(request_t *r, ir_value_t *v) {
  r->operands[r->n++] = v;
  r->segments[r->n_segments++] = 1;
}
// The operands of a group; the one of a single transfer is named |single|.
static ir_group_t group_of(const request_t *r, const char *name, const char *single) {
  const ir_group_t group = ir_operand_group(r->op, name);
  return group.n || !single ? group : ir_operand_group(r->op, single);
}
static void add_group(request_t *r, const char *name, const char *single, ir_value_t *offset) {
  const ir_group_t group = group_of(r, name, single);
  for (uint32_t i = 0; i < group.n; ++i) {
    ir_value_t *v = ir_operand(r->op, group.first + i);
    r->operands[r->n++] = offset ? hal_add(r->c, &r->b, offset, v) : v;
  }
  r->segments[r->n_segments++] = group.n;
}

// Device, affinity, wait and signal fence; returns the latter.
static iree_status_t begin(request_t *r, ir_value_t **out_signal) {
  ir_value_t *device;
  IREE_RETURN_IF_ERROR(hal_device(r->c, r->op, &device));
  *out_signal = hal_fence(r->c, &r->b, device);
  add(r, device);
  add(r, hal_i64(r->c, &r->b, -1));
  add(r, hal_wait(r->c, &r->b, r->op));
  add(r, *out_signal);
  return iree_ok_status();
}

static iree_status_t convert_load(request_t *r, ir_value_t *signal) {
  ir_value_t *memory, *usage;
  hal_memory_of(r->c, &r->b, ir_result(r->op, 0)->type, &memory, &usage);
  add_group(r, "source_scope", NULL, NULL);
  add_group(r, "source_keys", NULL, NULL);
  add_group(r, "source_offsets", NULL, NULL);
  add(r, memory);
  add(r, usage);
  add_group(r, "result_sizes", NULL, NULL);
  uint32_t n = r->op->n_results - 1;
  ir_type_t *types = IREE_ARENA_ARRAY(r->c->pass->scratch, ir_type_t, n + 1);
  ir_value_t **values = IREE_ARENA_ARRAY(r->c->pass->scratch, ir_value_t *, n + 1);
  for (uint32_t i = 0; i < n; ++i) types[i] = hal_type(r->c, "hal.buffer");
  ir_op_t *load = ir_build(&r->b, &(ir_op_desc_t){.kind = OP_IO_PARAMETERS_LOAD,
                                                  .operands = r->operands,
                                                  .n_operands = r->n,
                                                  .segments = r->segments,
                                                  .results = types,
                                                  .n_results = n});
  for (uint32_t i = 0; i < n; ++i) values[i] = ir_result(load, i);
  values[n] = signal;
  ir_op_replace(r->op, values);
  return iree_ok_status();
}

static iree_status_t convert_transfer(request_t *r, ir_value_t *signal, bool is_read) {
  ir_value_t *offset = NULL;
  ir_value_t *buffer =
      hal_buffer_of(r->c, &r->b, ir_operand_named(r->op, is_read ? "target" : "source"), &offset);
  if (is_read) {
    add_group(r, "source_scope", NULL, NULL);
    add_group(r, "source_keys", "source_key", NULL);
    add_group(r, "source_offsets", "source_offset", NULL);
    add(r, buffer);
    add_group(r, "target_offsets", "target_offset", offset);
    add_group(r, "target_lengths", "target_length", NULL);
  } else {
    add(r, buffer);
    add_group(r, "source_offsets", "source_offset", offset);
    add_group(r, "source_lengths", "source_length", NULL);
    add_group(r, "target_scope", NULL, NULL);
    add_group(r, "target_keys", "target_key", NULL);
    add_group(r, "target_offsets", "target_offset", NULL);
  }
  hal_build(&r->b, is_read ? OP_IO_PARAMETERS_GATHER : OP_IO_PARAMETERS_SCATTER, r->operands, r->n,
            r->segments, NULL, NULL, 0);
  ir_op_replace(r->op, &signal);
  return iree_ok_status();
}

iree_status_t hal_convert_parameters(hal_convert_t *c, ir_op_t *op) {
  request_t r = {.c = c, .b = ir_builder_before(c->ctx, op), .op = op};
  r.b.loc = op->loc;
  r.operands = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, op->n_operands + 8);
  ir_value_t *signal;
  IREE_RETURN_IF_ERROR(begin(&r, &signal));
  if (op->kind == OP_STREAM_CMD_PARAMETER_LOAD) return convert_load(&r, signal);
  return convert_transfer(&r, signal,
                          op->kind == OP_STREAM_CMD_PARAMETER_READ ||
                              op->kind == OP_STREAM_CMD_PARAMETER_GATHER);
}
