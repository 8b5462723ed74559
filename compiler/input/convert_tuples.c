// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  values of tuple, token and future types anywhere: at function boundaries, carried by loops,
//      passed to calls.
// Out: a value per member in their place, nested ones in order; a token is no value at all. What a
//      future is of has been computed where it was started: nothing runs beside the program.
// Relies on: nothing. Breaks: the order of a function's arguments stays, their number may not.
//
//   func.func @f(%t: tuple<tensor<f32>, tensor<i32>>) -> tensor<i32> {
//     %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
// becomes
//   func.func @f(%t0: tensor<f32>, %t1: tensor<i32>) -> tensor<i32> {
#include "compiler/dialects/ops.h"
#include "compiler/pass.h"

typedef struct values {
  ir_value_t **at;
  size_t n, cap;
} values_t;
typedef struct types {
  ir_type_t *at;
  size_t n, cap;
} types_t;
typedef struct flattener {
  ir_ctx_t *ctx;
  iree_arena_t *arena;
  ir_map_t *members;  // nested value -> its values_t
  ir_op_t **dead;     // in order; users come after what they use
  size_t n_dead, cap_dead;
  values_t dead_args;
} flattener_t;

static bool is_token(ir_type_t type) { return ir_type_is(type, "stablehlo.token"); }
static bool is_future(ir_type_t type) { return ir_type_is(type, "stablehlo.future"); }
static bool is_nested(ir_type_t type) {
  return ir_is(type, IR_T_TUPLE) || is_token(type) || is_future(type);
}
static void push_leaves(flattener_t *f, ir_type_t type, types_t *out) {
  if (!is_nested(type)) {
    IREE_ARENA_PUSH(f->arena, out->at, out->n, out->cap, type);
  } else if (!is_token(type)) {
    for (uint32_t i = 0; i < type->n_kids; ++i) push_leaves(f, ir_kid(type, i), out);
  }
}
static size_t n_leaves(flattener_t *f, ir_type_t type) {
  types_t leaves = {0};
  push_leaves(f, type, &leaves);
  return leaves.n;
}
static void push_value(flattener_t *f, values_t *out, ir_value_t *v) {
  IREE_ARENA_PUSH(f->arena, out->at, out->n, out->cap, v);
}
static void bury(flattener_t *f, ir_op_t *op) {
  IREE_ARENA_PUSH(f->arena, f->dead, f->n_dead, f->cap_dead, op);
}

// ---- members of values
static iree_status_t push_members(flattener_t *f, ir_op_t *user, ir_value_t *v, values_t *out) {
  if (!is_nested(v->type)) return push_value(f, out, v), iree_ok_status();
  const values_t *members = ir_map_get(f->members, v);
  if (!members) return ir_op_error(user, "uses a tuple that is made after it");
  for (size_t i = 0; i < members->n; ++i) push_value(f, out, members->at[i]);
  return iree_ok_status();
}
static iree_status_t members_of_operands(flattener_t *f, ir_op_t *op, values_t *out) {
  *out = (values_t){0};
  for (uint32_t i = 0; i < op->n_operands; ++i)
    IREE_RETURN_IF_ERROR(push_members(f, op, ir_operand(op, i), out));
  return iree_ok_status();
}
// |v| is |values| from |*next| on.
static void stand_for(flattener_t *f, ir_value_t *v, const values_t *values, size_t *next) {
  if (!is_nested(v->type)) {
    ir_replace_uses(v, values->at[(*next)++]);
    return;
  }
  values_t *members = IREE_ARENA_NEW(f->arena, values_t);
  for (size_t n = n_leaves(f, v->type); n; --n) push_value(f, members, values->at[(*next)++]);
  ir_map_set(f->members, v, members);
}
static iree_status_t replace_results(flattener_t *f, ir_op_t *op, const values_t *values) {
  size_t next = 0, wanted = 0;
  for (uint32_t i = 0; i < op->n_results; ++i) wanted += n_leaves(f, ir_result(op, i)->type);
  if (wanted != values->n) return ir_op_error(op, "gives %zu values of %zu", wanted, values->n);
  for (uint32_t i = 0; i < op->n_results; ++i) stand_for(f, ir_result(op, i), values, &next);
  bury(f, op);
  return iree_ok_status();
}

// ---- ops
static iree_status_t flatten_block(flattener_t *f, ir_block_t *block);

static iree_status_t flatten_get_element(flattener_t *f, ir_op_t *op) {
  ir_type_t type = ir_operand(op, 0)->type;
  int64_t index = ir_op_int(op, "index", -1);
  values_t all, picked = {0};
  if (!ir_is(type, IR_T_TUPLE) || index < 0 || index >= (int64_t)type->n_kids)
    return ir_op_error(op, "has no member %lld", (long long)index);
  if (ir_kid(type, (size_t)index) != ir_result(op, 0)->type)
    return ir_op_error(op, "gives another type than member %lld has", (long long)index);
  IREE_RETURN_IF_ERROR(members_of_operands(f, op, &all));
  size_t first = 0;
  for (int64_t i = 0; i < index; ++i) first += n_leaves(f, ir_kid(type, (size_t)i));
  for (size_t n = n_leaves(f, ir_result(op, 0)->type); n; --n)
    push_value(f, &picked, all.at[first++]);
  return replace_results(f, op, &picked);
}
// The body of async_start runs in its place.
static iree_status_t flatten_async_start(flattener_t *f, ir_op_t *op) {
  ir_block_t *body = ir_body(op);
  values_t values;
  if (!body || body->next || !body->last || body->n_args != op->n_operands)
    return ir_op_error(op, "needs a body of one block that takes its operands");
  for (uint32_t i = 0; i < body->n_args; ++i) {
    if (body->args[i]->type != ir_operand(op, i)->type)
      return ir_op_error(op, "passes value %u of another type than its body takes", i);
    ir_replace_uses(body->args[i], ir_operand(op, i));
  }
  IREE_RETURN_IF_ERROR(flatten_block(f, body));
  IREE_RETURN_IF_ERROR(members_of_operands(f, body->last, &values));
  for (ir_op_t *o = body->first, *next; o != body->last; o = next) {
    next = o->next;
    ir_op_move_before(o, op);
  }
  return replace_results(f, op, &values);
}
// |op| with members for operands and results; regions and attributes move over.
static iree_status_t flatten_signature(flattener_t *f, ir_op_t *op, ir_op_t **out) {
  values_t operands, results = {0};
  types_t types = {0};
  if (op->n_succs) return ir_op_error(op, "passes a tuple or a token to a block");
  IREE_RETURN_IF_ERROR(members_of_operands(f, op, &operands));
  for (uint32_t i = 0; i < op->n_results; ++i) push_leaves(f, ir_result(op, i)->type, &types);
  ir_op_t *made = ir_op_create(f->ctx, &(ir_op_desc_t){.kind = op->kind,
                                                       .name = op->name,
                                                       .loc = op->loc,
                                                       .operands = operands.at,
                                                       .n_operands = operands.n,
                                                       .results = types.at,
                                                       .n_results = types.n,
                                                       .n_regions = op->n_regions});
  ir_op_copy_attrs(f->ctx, made, op);
  for (uint16_t r = 0; r < op->n_regions; ++r) ir_region_take(made->regions[r], op->regions[r]);
  ir_builder_t b = ir_builder_before(f->ctx, op);
  ir_insert(&b, made);
  for (uint32_t i = 0; i < made->n_results; ++i) push_value(f, &results, ir_result(made, i));
  *out = made;
  return replace_results(f, op, &results);
}
static iree_status_t flatten_op(flattener_t *f, ir_op_t *op) {
  values_t values;
  bool nested = false;
  for (uint32_t i = 0; i < op->n_operands; ++i) nested |= is_nested(ir_operand(op, i)->type);
  for (uint32_t i = 0; i < op->n_results; ++i) nested |= is_nested(ir_result(op, i)->type);
  switch ((op_kind_t)op->kind) {
    case OP_HLO_TUPLE:
    case OP_HLO_AFTER_ALL:
    case OP_HLO_CREATE_TOKEN:
    case OP_HLO_ASYNC_DONE:
      IREE_RETURN_IF_ERROR(members_of_operands(f, op, &values));
      return replace_results(f, op, &values);
    case OP_HLO_GET_TUPLE_ELEMENT:
      return flatten_get_element(f, op);
    case OP_HLO_ASYNC_START:
      return flatten_async_start(f, op);
    case OP_HLO_INFEED:
    case OP_HLO_OUTFEED:
    case OP_HLO_SEND:
    case OP_HLO_RECV:
      return ir_op_error(op,
                         "talks to a host program or another device while the program runs; "
                         "pass what it moves as arguments and results");
    default:
      break;
  }
  if (nested) IREE_RETURN_IF_ERROR(flatten_signature(f, op, &op));
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next)
      IREE_RETURN_IF_ERROR(flatten_block(f, b));
  return iree_ok_status();
}

// ---- blocks
static void flatten_args(flattener_t *f, ir_block_t *block) {
  uint32_t n = block->n_args;
  bool nested = false;
  for (uint32_t i = 0; i < n; ++i) nested |= is_nested(block->args[i]->type);
  if (!nested) return;
  for (uint32_t i = 0; i < n; ++i) {
    types_t types = {0};
    values_t values = {0};
    size_t next = 0;
    push_leaves(f, block->args[i]->type, &types);
    for (size_t k = 0; k < types.n; ++k)
      push_value(f, &values, ir_block_add_arg(f->ctx, block, types.at[k]));
    stand_for(f, block->args[i], &values, &next);
  }
  for (uint32_t i = 0; i < n; ++i) push_value(f, &f->dead_args, block->args[i]);
}
static iree_status_t flatten_block(flattener_t *f, ir_block_t *block) {
  flatten_args(f, block);
  for (ir_op_t *op = block->first, *next; op; op = next) {
    next = op->next;
    IREE_RETURN_IF_ERROR(flatten_op(f, op));
  }
  return iree_ok_status();
}

// ---- functions
static ir_attr_t flatten_attrs(flattener_t *f, ir_attr_t list, const ir_type_t *types, size_t n) {
  ir_attr_t *out = NULL;
  size_t n_out = 0, cap = 0;
  if (!ir_is(list, IR_A_ARRAY)) return list;
  for (size_t i = 0; i < n && i < list->n_kids; ++i)
    for (size_t k = n_leaves(f, types[i]); k; --k)
      IREE_ARENA_PUSH(f->arena, out, n_out, cap, ir_kid(list, i));
  return ir_attr_array(f->ctx, out, n_out);
}
static void flatten_type(flattener_t *f, ir_op_t *function) {
  ir_type_t type = ir_op_attr(function, "function_type");
  size_t n_in = ir_fn_n_inputs(type), n_out = ir_fn_n_results(type);
  types_t in = {0}, out = {0};
  for (size_t i = 0; i < n_in; ++i) push_leaves(f, ir_fn_input(type, i), &in);
  for (size_t i = 0; i < n_out; ++i) push_leaves(f, ir_fn_result(type, i), &out);
  ir_type_t flat = ir_type_function(f->ctx, in.at, in.n, out.at, out.n);
  if (flat == type) return;
  ir_op_set_attr(f->ctx, function, "function_type", flat);
  ir_op_set_attr(f->ctx, function, "arg_attrs",
                 flatten_attrs(f, ir_op_attr(function, "arg_attrs"), ir_kids(type), n_in));
  ir_op_set_attr(f->ctx, function, "res_attrs",
                 flatten_attrs(f, ir_op_attr(function, "res_attrs"), ir_kids(type) + n_in, n_out));
}
static iree_status_t flatten_functions(flattener_t *f, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind == OP_BUILTIN_MODULE) IREE_RETURN_IF_ERROR(flatten_functions(f, op));
    if (op->kind != OP_FUNC_FUNC) continue;
    flatten_type(f, op);
    for (ir_block_t *b = ir_body(op); b; b = b->next) IREE_RETURN_IF_ERROR(flatten_block(f, b));
  }
  return iree_ok_status();
}
// Most programs have none of these types: found out without changing anything.
static iree_status_t look_for_nested(ir_op_t *op, void *self) {
  bool *found = self;
  for (uint32_t i = 0; i < op->n_results; ++i) *found |= is_nested(ir_result(op, i)->type);
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next)
      for (uint32_t i = 0; i < b->n_args; ++i) *found |= is_nested(b->args[i]->type);
  return iree_ok_status();
}
iree_status_t input_convert_tuples(pass_t *pass, ir_op_t *module) {
  bool found = false;
  IREE_RETURN_IF_ERROR(ir_walk(module, look_for_nested, &found));
  if (!found) return iree_ok_status();
  flattener_t f = {
      .ctx = pass->ctx, .arena = pass->scratch, .members = ir_map_create(pass->scratch)};
  IREE_RETURN_IF_ERROR(flatten_functions(&f, module));
  while (f.n_dead) ir_op_erase(f.dead[--f.n_dead]);
  while (f.dead_args.n) {
    ir_value_t *arg = f.dead_args.at[--f.dead_args.n];
    ir_block_erase_arg(arg->block, arg->index);
  }
  return iree_ok_status();
}
