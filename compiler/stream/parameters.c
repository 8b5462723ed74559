// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters: globals whose contents the host program provides. One initializer loads them all, one
// command for those of a scope and a lifetime, so that the host sees few requests.
//
//   util.global private @w = #flow.parameter.named<"s"::"w"> : tensor<4xf32>
//   ->
//   util.global private @w : !stream.resource<constant>
//   util.initializer {
//     %w, %tp = stream.cmd.parameter.load { "s"::"w"[0] : !stream.resource<constant>{16} } => !stream.timepoint
//     %w_1 = stream.timepoint.await sync %tp => %w
//     util.global.store %w_1, @w
#include "compiler/dialects/parameter.h"
#include "compiler/stream/schedule.h"

typedef struct parameter_global {
  ir_op_t *global;
  parameter_t name;
  ir_type_t tensor;
  const char *lifetime;
  ir_value_t *resource, *size;  // once loaded
} parameter_global_t;

struct parameters {
  parameter_global_t *list;
  size_t n, cap;
};

// ---- which globals there are
typedef struct uses {
  schedule_t *s;
  ir_map_t *used, *stored;  // by symbol
} uses_t;

static iree_status_t note_use(ir_op_t *op, void *self) {
  uses_t *u = self;
  ir_attr_t symbol = ir_op_attr(op, "global");
  if (!symbol || op->kind == OP_UTIL_GLOBAL) return iree_ok_status();
  ir_attr_t name = ir_attr_string(u->s->ctx, ir_symref_leaf(symbol).data, ir_symref_leaf(symbol).size);
  ir_map_set(u->used, name, op);
  if (op->kind != OP_UTIL_GLOBAL_LOAD) ir_map_set(u->stored, name, op);
  return iree_ok_status();
}

iree_status_t parameters_collect(schedule_t *s) {
  s->parameters = IREE_ARENA_NEW(s->arena, parameters_t);
  uses_t uses = {.s = s, .used = ir_map_create(s->arena), .stored = ir_map_create(s->arena)};
  IREE_RETURN_IF_ERROR(ir_walk(s->module, note_use, &uses));
  for (ir_op_t *op = ir_body(s->module)->first, *next; op; op = next) {
    next = op->next;
    parameter_global_t p = {.global = op};
    if (op->kind != OP_UTIL_GLOBAL || !parameter_of(ir_op_attr(op, "initial_value"), &p.name)) continue;
    p.tensor = ir_op_attr(op, "type");
    if (!ir_is(p.tensor, IR_T_TENSOR)) return ir_op_error(op, "is a parameter, but no tensor");
    if (!ir_type_is_static(p.tensor)) return ir_op_error(op, "is a parameter of dynamic shape; parameters have the shape that their file holds");
    bool is_private = ir_op_attr(op, "sym_visibility") && ir_str_is(ir_op_attr(op, "sym_visibility"), "private");
    if (is_private && !ir_map_get(uses.used, ir_op_attr(op, "sym_name"))) {
      ir_op_erase(op);  // the host need not have it
      continue;
    }
    if (is_private && !ir_map_get(uses.stored, ir_op_attr(op, "sym_name"))) ir_op_set_attr(s->ctx, op, "is_mutable", NULL);
    p.lifetime = ir_op_flag(op, "is_mutable") ? "variable" : "constant";
    ir_op_set_attr(s->ctx, op, "initial_value", NULL);
    IREE_ARENA_PUSH(s->arena, s->parameters->list, s->parameters->n, s->parameters->cap, p);
  }
  return iree_ok_status();
}

// ---- the initializer
static ir_op_t *build(ir_builder_t *b, ir_op_desc_t desc) { return ir_build(b, &desc); }

static ir_value_t *name_buffer(ir_builder_t *b, ir_attr_t text) {
  ir_type_t type = ir_type_dialect(b->ctx, "util.buffer", NULL, 0);
  return ir_build_attr(b, OP_UTIL_BUFFER_CONSTANT, type, "value", text, NULL, NULL);
}

static bool together(const parameter_global_t *a, const parameter_global_t *b) {
  return a->name.scope == b->name.scope && a->lifetime == b->lifetime;
}

// Loads all that go together with entry |first|; the timepoint when they are there.
static ir_value_t *load_group(schedule_t *s, ir_builder_t *b, size_t first) {
  parameters_t *all = s->parameters;
  const parameter_global_t *like = &all->list[first];
  ir_value_t **operands = IREE_ARENA_ARRAY(s->arena, ir_value_t *, 3 * all->n + 1);
  ir_type_t *results = IREE_ARENA_ARRAY(s->arena, ir_type_t, all->n + 1);
  parameter_global_t **members = IREE_ARENA_ARRAY(s->arena, parameter_global_t *, all->n);
  size_t n = 0, at = 0;
  for (size_t i = first; i < all->n; ++i)
    if (together(like, &all->list[i])) members[n++] = &all->list[i];
  ir_value_t *zero = ir_build_attr(b, OP_ARITH_CONSTANT, ir_type_i(s->ctx, 64), "value", ir_attr_i64(s->ctx, 0), NULL, NULL);
  if (like->name.scope) operands[at++] = name_buffer(b, like->name.scope);
  for (size_t i = 0; i < n; ++i) operands[at++] = name_buffer(b, members[i]->name.key);
  for (size_t i = 0; i < n; ++i) operands[at++] = zero;
  for (size_t i = 0; i < n; ++i) {
    operands[at++] = members[i]->size = stream_tensor_bytes(b, members[i]->tensor, NULL);
    results[i] = stream_resource_type(s->ctx, like->lifetime);
  }
  results[n] = stream_timepoint_type(s->ctx);
  uint32_t count = (uint32_t)n, segments[5] = {like->name.scope != NULL, count, count, count, 0};
  ir_named_t on = {"affinity", s->affinity};
  ir_op_t *load = build(b, (ir_op_desc_t){.kind = OP_STREAM_CMD_PARAMETER_LOAD, .operands = operands, .n_operands = at, .segments = segments,
                                          .results = results, .n_results = n + 1, .attrs = &on, .n_attrs = 1});
  for (size_t i = 0; i < n; ++i) members[i]->resource = ir_result(load, (uint32_t)i);
  return ir_result(load, count);
}

// The timepoint when all of |n| are reached.
static ir_value_t *join(schedule_t *s, ir_builder_t *b, ir_value_t **timepoints, size_t n) {
  if (n == 1) return timepoints[0];
  ir_type_t type = stream_timepoint_type(s->ctx);
  return ir_result(build(b, (ir_op_desc_t){.kind = OP_STREAM_TIMEPOINT_JOIN, .operands = timepoints, .n_operands = n, .results = &type, .n_results = 1}), 0);
}

static void await_and_store(schedule_t *s, ir_builder_t *b, ir_value_t *ready) {
  parameters_t *all = s->parameters;
  ir_value_t **operands = IREE_ARENA_ARRAY(s->arena, ir_value_t *, 2 * all->n + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(s->arena, ir_type_t, all->n);
  for (size_t i = 0; i < all->n; ++i) {
    operands[i] = all->list[i].resource;
    operands[all->n + i] = all->list[i].size;
    types[i] = all->list[i].resource->type;
  }
  operands[2 * all->n] = ready;
  ir_named_t sync = {"sync", ir_attr_unit(s->ctx)};
  uint32_t n = (uint32_t)all->n, segments[3] = {n, n, 1};
  ir_op_t *await = build(b, (ir_op_desc_t){.kind = OP_STREAM_TIMEPOINT_AWAIT, .operands = operands, .n_operands = 2 * all->n + 1, .segments = segments,
                                           .results = types, .n_results = all->n, .attrs = &sync, .n_attrs = 1});
  for (uint32_t i = 0; i < n; ++i) {
    ir_value_t *value = ir_result(await, i);
    ir_named_t global = {"global", ir_attr_sym(s->ctx, ir_op_sym_name(all->list[i].global).data)};
    build(b, (ir_op_desc_t){.kind = OP_UTIL_GLOBAL_STORE, .operands = &value, .n_operands = 1, .attrs = &global, .n_attrs = 1});
  }
}

void parameters_emit(schedule_t *s, ir_op_t *before) {
  parameters_t *all = s->parameters;
  if (!all->n) return;
  for (size_t i = 0; i < all->n; ++i) ir_op_move_before(all->list[i].global, before);
  ir_builder_t b = ir_builder_before(s->ctx, before);
  b.loc = all->list[0].global->loc;
  ir_named_t type = {"function_type", ir_type_function(s->ctx, NULL, 0, NULL, 0)};
  ir_op_t *init = build(&b, (ir_op_desc_t){.kind = OP_UTIL_INITIALIZER, .attrs = &type, .n_attrs = 1, .n_regions = 1});
  ir_builder_t body = ir_builder_at_end(s->ctx, ir_block_create(s->ctx, init->regions[0]));
  body.loc = b.loc;
  ir_value_t **timepoints = IREE_ARENA_ARRAY(s->arena, ir_value_t *, all->n);
  size_t n = 0;
  for (size_t i = 0; i < all->n; ++i)
    if (!all->list[i].resource) timepoints[n++] = load_group(s, &body, i);
  await_and_store(s, &body, join(s, &body, timepoints, n));
  build(&body, (ir_op_desc_t){.kind = OP_UTIL_RETURN});
}
