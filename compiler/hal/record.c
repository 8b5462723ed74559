// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command regions. A region whose ranges, grids and constants are all known now is recorded once,
// when the module is loaded, against slots of a binding table, and run with the resources of the
// call. Any other is recorded where it runs. One copy or fill alone needs no command buffer.
#include <stdio.h>
#include <string.h>

#include "compiler/hal/convert.h"
#include "compiler/ir/fold.h"

enum {
  STAGE_ISSUE = 1,
  STAGE_DISPATCH = 4,
  STAGE_TRANSFER = 8,
  STAGE_RETIRE = 16,
  MODE_ONE_SHOT = 1,
  TRANSFER_AND_DISPATCH = 3
};

typedef struct recording {
  hal_convert_t *c;
  ir_op_t *op;  // stream.cmd.execute
  ir_builder_t b;
  bool indirect;  // resources are slots
  ir_value_t *device, *command_buffer;
  ir_attr_t device_symbol;
  ir_map_t *values;  // constants rebuilt in the initializer; executables loaded there
  bool needs_barrier;
} recording_t;

// ---- what the region holds
typedef struct survey {
  ir_op_t *root, *only;  // |only|: the command, if there is one
  size_t n_commands;
  bool is_static;
} survey_t;
static iree_status_t look(ir_op_t *op, void *self) {
  survey_t *s = self;
  if (op == s->root) return iree_ok_status();
  switch (op->kind) {
    case OP_STREAM_CMD_DISPATCH:
    case OP_STREAM_CMD_COPY:
    case OP_STREAM_CMD_FILL:
      ++s->n_commands, s->only = op;
      break;
    case OP_STREAM_CMD_FLUSH:
    case OP_STREAM_CMD_INVALIDATE:
    case OP_STREAM_CMD_DISCARD:
    case OP_STREAM_CMD_SERIAL:
    case OP_STREAM_CMD_CONCURRENT:
    case OP_STREAM_YIELD:
      return iree_ok_status();
    default:
      return ir_op_error(op, "is no command that devices record");
  }
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    int64_t value;
    const ir_value_t *v = ir_operand(op, i);
    bool resource = ir_type_is(v->type, "stream.resource") || ir_type_is(v->type, "hal.buffer");
    if (resource && !(v->is_arg && v->block == ir_body(s->root))) s->is_static = false;
    if (!resource && !ir_constant_int(v, &value) &&
        !(ir_constant_of(v) && !ir_type_is_shaped(v->type)))
      s->is_static = false;
  }
  return iree_ok_status();
}

// ---- values
// A value from outside the region, where the code of the recording stands.
static ir_value_t *outer(recording_t *r, ir_value_t *v) {
  if (!r->indirect) return v;
  ir_value_t *known = ir_map_get(r->values, v);
  if (known) return known;
  known = ir_build_constant(&r->b, v->type, ir_constant_of(v));
  ir_map_set(r->values, v, known);
  return known;
}
// The buffer or slot of region argument |v| and the range's offset in it.
static ir_value_t *buffer_or_slot(recording_t *r, ir_value_t *v, ir_value_t *offset,
                                  ir_value_t **out_offset) {
  *out_offset = outer(r, offset);
  if (r->indirect && v->is_arg) return hal_index(r->c, &r->b, v->index);
  ir_value_t *base = NULL;
  ir_group_t resources = ir_operand_group(r->op, "resource_operands");
  bool captured = v->is_arg && v->block == ir_body(r->op);
  ir_value_t *buffer = hal_buffer_of(
      r->c, &r->b, captured ? ir_operand(r->op, resources.first + v->index) : v, &base);
  *out_offset = hal_add(r->c, &r->b, base, *out_offset);
  return buffer;
}
static ir_attr_t no_flags(recording_t *r) { return ir_attr_i64(r->c->ctx, 0); }

// A fill pattern as an integer of 1, 2 or 4 bytes.
static iree_status_t pattern_of(recording_t *r, ir_op_t *op, ir_value_t **out) {
  ir_ctx_t *ctx = r->c->ctx;
  ir_value_t *v = ir_operand_named(op, "value");
  unsigned width = ir_type_width(v->type);
  *out = NULL;
  v = outer(r, v);
  if (ir_type_is_float(v->type) && width <= 32)
    v = hal_build(&r->b, OP_ARITH_BITCAST, &v, 1, NULL, ir_type_i(ctx, width), NULL, 0);
  if (v->type->kind != IR_T_INTEGER || width > 32)
    return ir_op_error(op, "fills with a pattern of more than 4 bytes");
  if (width < 8) v = hal_build(&r->b, OP_ARITH_EXTUI, &v, 1, NULL, ir_type_i(ctx, 8), NULL, 0);
  *out = v;
  return iree_ok_status();
}

// ---- commands
static void barrier(recording_t *r) {
  ir_ctx_t *ctx = r->c->ctx;
  if (!r->needs_barrier) return;
  ir_named_t attrs[3] = {
      {"source_stage_mask", ir_attr_i32(ctx, STAGE_DISPATCH | STAGE_TRANSFER | STAGE_RETIRE)},
      {"target_stage_mask", ir_attr_i32(ctx, STAGE_ISSUE | STAGE_DISPATCH | STAGE_TRANSFER)},
      {"flags", no_flags(r)}};
  hal_build(&r->b, OP_HAL_COMMAND_BUFFER_EXECUTION_BARRIER, &r->command_buffer, 1, NULL, NULL,
            attrs, 3);
  r->needs_barrier = false;
}

static iree_status_t record_fill(recording_t *r, ir_op_t *op) {
  ir_value_t *pattern, *offset;
  IREE_RETURN_IF_ERROR(pattern_of(r, op, &pattern));
  ir_value_t *target = buffer_or_slot(r, ir_operand_named(op, "target"),
                                      ir_operand_named(op, "target_offset"), &offset);
  ir_value_t *operands[5] = {r->command_buffer, target, offset,
                             outer(r, ir_operand_named(op, "target_length")), pattern};
  ir_named_t flags = {"flags", no_flags(r)};
  hal_build(&r->b, OP_HAL_COMMAND_BUFFER_FILL_BUFFER, operands, 5, NULL, NULL, &flags, 1);
  return iree_ok_status();
}
static iree_status_t record_copy(recording_t *r, ir_op_t *op) {
  ir_value_t *source_offset, *target_offset;
  ir_value_t *source = buffer_or_slot(r, ir_operand_named(op, "source"),
                                      ir_operand_named(op, "source_offset"), &source_offset);
  ir_value_t *target = buffer_or_slot(r, ir_operand_named(op, "target"),
                                      ir_operand_named(op, "target_offset"), &target_offset);
  ir_value_t *operands[6] = {r->command_buffer, source,
                             source_offset,     target,
                             target_offset,     outer(r, ir_operand_named(op, "length"))};
  ir_named_t flags = {"flags", no_flags(r)};
  hal_build(&r->b, OP_HAL_COMMAND_BUFFER_COPY_BUFFER, operands, 6, NULL, NULL, &flags, 1);
  return iree_ok_status();
}

// The export of |entry| in the executable's first variant.
static ir_op_t *find_export(hal_convert_t *c, ir_attr_t entry) {
  ir_op_t *executable = entry->n_kids == 3 ? ir_map_get(c->symbols, ir_kid(entry, 0)) : NULL;
  if (!ir_op_is(executable, OP_HAL_EXECUTABLE)) return NULL;
  for (ir_op_t *v = ir_body(executable)->first; v; v = v->next) {
    if (v->kind != OP_HAL_EXECUTABLE_VARIANT || ir_op_attr(v, "sym_name") != ir_kid(entry, 1))
      continue;
    for (ir_op_t *e = ir_body(v)->first; e; e = e->next)
      if (e->kind == OP_HAL_EXECUTABLE_EXPORT && ir_op_attr(e, "sym_name") == ir_kid(entry, 2))
        return e;
  }
  return NULL;
}

// The grid: the export's count region with the workload, in place.
static iree_status_t workgroups(recording_t *r, ir_op_t *op, const ir_op_t *export,
                                ir_value_t *out[3]) {
  hal_convert_t *c = r->c;
  ir_group_t workload = ir_operand_group(op, "workload");
  const ir_block_t *count = ir_body(export);
  for (int i = 0; i < 3; ++i)
    out[i] = !count && i < (int)workload.n ? outer(r, ir_operand(op, workload.first + (uint32_t)i))
                                           : hal_index(c, &r->b, 1);
  if (!count) return iree_ok_status();
  if (count->n_args != workload.n + 1)
    return ir_op_error(op, "passes a workload of %u values, its kernel takes %u", workload.n,
                       count->n_args - 1);
  ir_map_t *map = ir_map_create(c->pass->scratch);
  ir_map_set(map, count->args[0], r->device);
  for (uint32_t i = 0; i < workload.n; ++i)
    ir_map_set(map, count->args[i + 1], outer(r, ir_operand(op, workload.first + i)));
  for (const ir_op_t *o = count->first; o; o = o->next) {
    if (o->kind == OP_HAL_RETURN) {
      for (uint32_t i = 0; i < 3 && i < o->n_operands; ++i)
        out[i] = ir_map_get(map, ir_operand(o, i));
      return iree_ok_status();
    }
    if (!strncmp(ir_op_name(o), "iree_tensor_ext.", 16))
      return ir_op_error(
          o, "still counts workgroups from a slice; phase 'executable-targets' gives the numbers");
    ir_insert(&r->b, ir_op_clone(c->ctx, o, map));
  }
  return ir_op_error(export, "does not return the number of workgroups");
}

static ir_value_t *load_executable(recording_t *r, ir_attr_t symbol) {
  hal_convert_t *c = r->c;
  ir_type_t type = hal_type(c, "hal.executable");
  if (!r->indirect) return hal_load(c, symbol, type);
  ir_value_t *v = ir_map_get(r->values, symbol);
  if (v) return v;
  ir_named_t attr = {"global", symbol};
  v = hal_build(&r->b, OP_UTIL_GLOBAL_LOAD, NULL, 0, NULL, type, &attr, 1);
  ir_map_set(r->values, symbol, v);
  return v;
}

// Of several variants the loaded one says how many: the first whose format the device accepts, as
// in the executable's initializer.
static iree_status_t choose_workgroups(recording_t *r, ir_op_t *op, ir_value_t *out[3]) {
  ir_attr_t entries = ir_op_attr(op, "entry_points");
  for (uint32_t v = entries->n_kids; v-- > 0;) {
    ir_attr_t entry = ir_kid(entries, v);
    ir_op_t *export = find_export(r->c, entry);
    if (!export)
      return ir_op_error(op, "dispatches %s, which no executable of the module exports",
                         ir_bytes(ir_kid(entry, entry->n_kids - 1)));
    ir_value_t *these[3];
    IREE_RETURN_IF_ERROR(workgroups(r, op, export, these));
    if (v + 1 < entries->n_kids) {
      const char *format = hal_variant_format(ir_op_parent(export));
      ir_value_t *loaded = hal_query(r->c, &r->b, r->device, "hal.executable.format", format);
      for (int i = 0; i < 3; ++i)
        these[i] = hal_build(&r->b, OP_ARITH_SELECT, (ir_value_t *[]){loaded, these[i], out[i]}, 3,
                             NULL, these[i]->type, NULL, 0);
    }
    for (int i = 0; i < 3; ++i) out[i] = these[i];
  }
  return iree_ok_status();
}

static iree_status_t record_dispatch(recording_t *r, ir_op_t *op) {
  hal_convert_t *c = r->c;
  ir_ctx_t *ctx = c->ctx;
  ir_attr_t entries = ir_op_attr(op, "entry_points"), symbol;
  if (!entries->n_kids) return ir_op_error(op, "names no kernel");
  ir_attr_t entry = ir_kid(entries, 0);
  IREE_RETURN_IF_ERROR(hal_executable_symbol(c, op, r->device_symbol, ir_kid(entry, 0), &symbol));
  ir_group_t constants = ir_operand_group(op, "uniform_operands"),
             resources = ir_operand_group(op, "resources"),
             offsets = ir_operand_group(op, "resource_offsets"),
             lengths = ir_operand_group(op, "resource_lengths");
  size_t n = 6 + constants.n + 3 * (size_t)resources.n;
  ir_value_t **operands = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, n);
  operands[0] = r->command_buffer;
  operands[1] = load_executable(r, symbol);
  ir_named_t point = {"entry_point", entry};
  operands[2] = hal_build(&r->b, OP_HAL_EXECUTABLE_LOOKUP_FUNCTION, &operands[1], 1, NULL,
                          ir_type_i(ctx, 64), &point, 1);
  IREE_RETURN_IF_ERROR(choose_workgroups(r, op, &operands[3]));
  for (uint32_t i = 0; i < constants.n; ++i)
    operands[6 + i] = outer(r, ir_operand(op, constants.first + i));
  ir_value_t **bindings = operands + 6 + constants.n;
  for (uint32_t i = 0; i < resources.n; ++i) {
    bindings[i] = buffer_or_slot(r, ir_operand(op, resources.first + i),
                                 ir_operand(op, offsets.first + i), &bindings[resources.n + i]);
    bindings[2 * resources.n + i] = outer(r, ir_operand(op, lengths.first + i));
  }
  uint32_t segments[10] = {1, 1, 1, 1, 1, 1, constants.n, resources.n, resources.n, resources.n};
  ir_named_t flags = {"flags", no_flags(r)};
  hal_build(&r->b, OP_HAL_COMMAND_BUFFER_DISPATCH, operands, n, segments, NULL, &flags, 1);
  return iree_ok_status();
}

static iree_status_t record_block(recording_t *r, ir_block_t *block, bool concurrent);
static iree_status_t record_op(recording_t *r, ir_op_t *op) {
  switch (op->kind) {
    case OP_STREAM_CMD_DISPATCH:
      return record_dispatch(r, op);
    case OP_STREAM_CMD_COPY:
      return record_copy(r, op);
    case OP_STREAM_CMD_FILL:
      return record_fill(r, op);
    case OP_STREAM_CMD_SERIAL:
      return record_block(r, ir_body(op), false);
    case OP_STREAM_CMD_CONCURRENT:
      return record_block(r, ir_body(op), true);
    default:
      return iree_ok_status();  // flush, invalidate, discard: nothing to do on coherent memory
  }
}
static bool records(const ir_op_t *op) {
  return op->kind == OP_STREAM_CMD_DISPATCH || op->kind == OP_STREAM_CMD_COPY ||
         op->kind == OP_STREAM_CMD_FILL;
}
// Commands of a concurrent block have no barrier between them, others have one before each but the
// first.
static iree_status_t record_block(recording_t *r, ir_block_t *block, bool concurrent) {
  bool after = false;
  for (ir_op_t *op = block->first; op; op = op->next) {
    if (records(op)) {
      if (!concurrent || !after) barrier(r);
      IREE_RETURN_IF_ERROR(record_op(r, op));
      after = true;
      if (!concurrent) r->needs_barrier = true;
    } else {
      bool pending = r->needs_barrier;
      IREE_RETURN_IF_ERROR(record_op(r, op));
      after = after || r->needs_barrier != pending || op->kind == OP_STREAM_CMD_CONCURRENT ||
              op->kind == OP_STREAM_CMD_SERIAL;
    }
  }
  if (concurrent && after) r->needs_barrier = true;
  return iree_ok_status();
}

static iree_status_t record_all(recording_t *r, ir_value_t *capacity) {
  hal_convert_t *c = r->c;
  ir_ctx_t *ctx = c->ctx;
  ir_named_t attrs[2] = {{"modes", ir_attr_i32(ctx, r->indirect ? 0 : MODE_ONE_SHOT)},
                         {"command_categories", ir_attr_i32(ctx, TRANSFER_AND_DISPATCH)}};
  ir_value_t *operands[3] = {r->device, hal_i64(c, &r->b, -1), capacity};
  r->command_buffer =
      hal_build(&r->b, OP_HAL_COMMAND_BUFFER_CREATE, operands, capacity ? 3 : 2,
                (uint32_t[]){1, 1, capacity ? 1 : 0}, hal_type(c, "hal.command_buffer"), attrs, 2);
  IREE_RETURN_IF_ERROR(record_block(r, ir_body(r->op), false));
  hal_build(&r->b, OP_HAL_COMMAND_BUFFER_FINALIZE, &r->command_buffer, 1, NULL, NULL, NULL, 0);
  return iree_ok_status();
}

// ---- the three ways to run
static iree_status_t run_alone(recording_t *r, ir_op_t *only, ir_value_t *wait,
                               ir_value_t *signal) {
  hal_convert_t *c = r->c;
  ir_named_t flags = {"flags", no_flags(r)};
  ir_value_t *operands[10] = {r->device, hal_i64(c, &r->b, -1), wait, signal};
  ir_value_t *offset;
  if (only->kind == OP_STREAM_CMD_FILL) {
    IREE_RETURN_IF_ERROR(pattern_of(r, only, &operands[7]));
    operands[4] = buffer_or_slot(r, ir_operand_named(only, "target"),
                                 ir_operand_named(only, "target_offset"), &offset);
    operands[5] = offset;
    operands[6] = ir_operand_named(only, "target_length");
    hal_build(&r->b, OP_HAL_DEVICE_QUEUE_FILL, operands, 8, NULL, NULL, &flags, 1);
    return iree_ok_status();
  }
  operands[4] = buffer_or_slot(r, ir_operand_named(only, "source"),
                               ir_operand_named(only, "source_offset"), &offset);
  operands[5] = offset;
  operands[6] = buffer_or_slot(r, ir_operand_named(only, "target"),
                               ir_operand_named(only, "target_offset"), &offset);
  operands[7] = offset;
  operands[8] = ir_operand_named(only, "length");
  hal_build(&r->b, OP_HAL_DEVICE_QUEUE_COPY, operands, 9, NULL, NULL, &flags, 1);
  return iree_ok_status();
}

static iree_status_t run_once(recording_t *r, ir_value_t *wait, ir_value_t *signal) {
  IREE_RETURN_IF_ERROR(record_all(r, NULL));
  ir_value_t *operands[5] = {r->device, hal_i64(r->c, &r->b, -1), wait, signal, r->command_buffer};
  ir_named_t flags = {"flags", no_flags(r)};
  hal_build(&r->b, OP_HAL_DEVICE_QUEUE_EXECUTE, operands, 5, NULL, NULL, &flags, 1);
  return iree_ok_status();
}

static iree_status_t run_memoized(recording_t *r, ir_value_t *wait, ir_value_t *signal) {
  hal_convert_t *c = r->c;
  ir_builder_t here = r->b;
  ir_group_t resources = ir_operand_group(r->op, "resource_operands"),
             sizes = ir_operand_group(r->op, "resource_operand_sizes");
  ir_type_t type = hal_type(c, "hal.command_buffer");
  // Recorded at the module's end, after whatever fills the globals.
  ir_op_t *global;
  char name[64];
  snprintf(name, sizeof name, "__commands_%u", c->n_commands++);
  ir_attr_t symbol = hal_add_global(c, c->func->prev, name, type, &global);
  hal_add_initializer(c, NULL, &r->b);
  ir_named_t load = {"global", r->device_symbol}, store = {"global", symbol},
             flags = {"flags", no_flags(r)};
  ir_value_t *device = r->device;
  r->indirect = true;
  r->values = ir_map_create(c->pass->scratch);
  r->device =
      hal_build(&r->b, OP_UTIL_GLOBAL_LOAD, NULL, 0, NULL, hal_type(c, "hal.device"), &load, 1);
  IREE_RETURN_IF_ERROR(record_all(r, hal_index(c, &r->b, resources.n)));
  hal_build(&r->b, OP_UTIL_GLOBAL_STORE, &r->command_buffer, 1, NULL, NULL, &store, 1);
  hal_build(&r->b, OP_UTIL_RETURN, NULL, 0, NULL, NULL, NULL, 0);
  // Run with the resources of this call.
  r->b = here;
  size_t n = 5 + 3 * (size_t)resources.n;
  ir_value_t **operands = IREE_ARENA_ARRAY(c->pass->scratch, ir_value_t *, n);
  operands[0] = device;
  operands[1] = hal_i64(c, &r->b, -1);
  operands[2] = wait;
  operands[3] = signal;
  operands[4] = hal_load(c, symbol, type);
  for (uint32_t i = 0; i < resources.n; ++i) {
    ir_value_t *offset;
    operands[5 + i] = hal_buffer_of(c, &r->b, ir_operand(r->op, resources.first + i), &offset);
    operands[5 + resources.n + i] = offset ? offset : hal_index(c, &r->b, 0);
    operands[5 + 2 * resources.n + i] = ir_operand(r->op, sizes.first + i);
  }
  uint32_t segments[8] = {1, 1, 1, 1, 1, resources.n, resources.n, resources.n};
  hal_build(&r->b, OP_HAL_DEVICE_QUEUE_EXECUTE_INDIRECT, operands, n, segments, NULL, &flags, 1);
  return iree_ok_status();
}

// A caller's fence that waits for nothing but |op| is signalled by it; else a new fence.
static ir_value_t *signal_of(recording_t *r, ir_op_t *op) {
  ir_value_t *result = ir_result(op, 0);
  ir_op_t *chain = ir_has_one_use(result) ? result->uses->user : NULL;
  if (ir_op_is(chain, OP_STREAM_TIMEPOINT_CHAIN_EXTERNAL)) {
    ir_group_t fences = ir_operand_group(chain, "external_values");
    ir_value_t *fence = fences.n == 1 ? ir_operand(chain, fences.first) : NULL;
    bool argument = fence && fence->is_arg && fence->block == r->c->func->regions[0]->first;
    if (argument && ir_type_is(fence->type, "hal.fence")) {
      ir_map_set(r->c->chained, chain, chain);
      return fence;
    }
  }
  return hal_fence(r->c, &r->b, r->device);
}

iree_status_t hal_convert_execute(hal_convert_t *c, ir_op_t *op) {
  survey_t survey = {.root = op, .is_static = true};
  IREE_RETURN_IF_ERROR(ir_walk(op, look, &survey));
  recording_t r = {.c = c, .op = op, .b = ir_builder_before(c->ctx, op)};
  r.b.loc = op->loc;
  ir_value_t *wait = ir_operand_named(op, "await_timepoint");
  if (!wait) wait = hal_null(c, &r.b, "hal.fence");
  if (!survey.n_commands) {  // nothing to do but wait
    ir_op_replace(op, &wait);
    return iree_ok_status();
  }
  IREE_RETURN_IF_ERROR(hal_device_symbol(c, op, &r.device_symbol));
  IREE_RETURN_IF_ERROR(hal_device(c, op, &r.device));
  ir_value_t *signal = signal_of(&r, op);
  bool alone = survey.n_commands == 1 && survey.only->kind != OP_STREAM_CMD_DISPATCH;
  bool memoize = survey.is_static && !ir_op_flag(op, "once") && c->func->kind == OP_UTIL_FUNC;
  IREE_RETURN_IF_ERROR(alone     ? run_alone(&r, survey.only, wait, signal)
                       : memoize ? run_memoized(&r, wait, signal)
                                 : run_once(&r, wait, signal));
  ir_op_replace(op, &signal);
  return iree_ok_status();
}
