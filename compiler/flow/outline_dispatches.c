// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves the bodies of dispatches into executables.
//   in:  flow.dispatch.workgroups      out: flow.executable before the function, flow.dispatch in place
//
//   util.func @f(...) { %0 = flow.dispatch.workgroups(%a) : ... = (...) {BODY} count() -> ... {COUNT} }
//   ->
//   flow.executable private @f_dispatch_0 {
//     flow.executable.export public @f_dispatch_0_NAME workgroups() -> (index, index, index) {COUNT}
//     builtin.module { func.func @f_dispatch_0_NAME(...) {BODY} }
//   }
//   util.func @f(...) { %0 = flow.dispatch @f_dispatch_0::@f_dispatch_0_NAME(%a) : ... }
//
// Bindings of dynamic shape are tied to their extents at the head of the body, for later passes that
// see only the binding.
#include <string.h>

#include "compiler/flow/bindings.h"
#include "compiler/flow/dispatch_names.h"
#include "compiler/pass.h"

typedef struct outliner {
  pass_t *pass;
  ir_op_t *func;
  ir_map_t *names;  // of the module
  text_t name;      // of the function
  uint32_t count;   // dispatches so far
} outliner_t;

// ---- the executable
static ir_op_t *build_executable(outliner_t *o, const char *name, const char *entry, ir_op_t *dispatch) {
  ir_ctx_t *ctx = o->pass->ctx;
  ir_builder_t b = ir_builder_before(ctx, o->func);
  b.loc = dispatch->loc;
  ir_named_t attrs[2] = {{"sym_name", ir_attr_str(ctx, name)}, {"sym_visibility", ir_attr_str(ctx, "private")}};
  ir_op_t *executable = ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_EXECUTABLE, .attrs = attrs, .n_attrs = 2, .n_regions = 1});
  b = ir_builder_at_end(ctx, ir_block_create(ctx, executable->regions[0]));
  b.loc = dispatch->loc;
  ir_named_t export_attrs[3] = {{"sym_name", ir_attr_str(ctx, entry)}, {"sym_visibility", ir_attr_str(ctx, "public")},
                                {"function_ref", ir_attr_sym(ctx, entry)}};
  ir_op_t *export = ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_EXECUTABLE_EXPORT, .attrs = export_attrs, .n_attrs = 3, .n_regions = 1});
  ir_region_take(export->regions[0], dispatch->regions[1]);
  ir_op_t *module = ir_build(&b, &(ir_op_desc_t){.kind = OP_BUILTIN_MODULE, .n_regions = 1});
  ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_EXECUTABLE_END});
  b = ir_builder_at_end(ctx, ir_block_create(ctx, module->regions[0]));
  b.loc = dispatch->loc;
  ir_block_t *body = ir_body(dispatch);
  ir_type_t *types = IREE_ARENA_ARRAY(o->pass->scratch, ir_type_t, body->n_args + 1);
  for (uint32_t i = 0; i < body->n_args; ++i) types[i] = body->args[i]->type;
  ir_named_t func_attrs[2] = {{"sym_name", ir_attr_str(ctx, entry)}, {"function_type", ir_type_function(ctx, types, body->n_args, NULL, 0)}};
  ir_op_t *func = ir_build(&b, &(ir_op_desc_t){.kind = OP_FUNC_FUNC, .attrs = func_attrs, .n_attrs = 2, .n_regions = 1});
  ir_region_take(func->regions[0], dispatch->regions[0]);
  b = ir_builder_before(ctx, body->last);
  ir_build(&b, &(ir_op_desc_t){.kind = OP_FUNC_RETURN});
  ir_op_erase(body->last);
  return func;
}

// ---- ties: the loads and stores of a binding name its extents; tie once, after the ordinals
static ir_group_t access_dims(const ir_op_t *op) {
  return ir_operand_group(op, op->kind == OP_TEXT_TENSOR_LOAD ? "source_dims" : "target_dims");
}
// Constants move there where they are not; one that stands at the place itself lets the place follow it.
static bool known_before(const ir_value_t *v, ir_op_t **place) {
  if (v->is_arg || ir_op_is_before(v->op, *place)) return true;
  if (!ir_op_has_trait(v->op, IR_CONSTANT)) return false;
  if (v->op == *place) *place = v->op->next;
  else ir_op_move_before(v->op, *place);
  return true;
}
static void tie_shapes(ir_ctx_t *ctx, ir_block_t *body) {
  ir_op_t *at = body->first;
  while (at && at->kind == OP_TEXT_WORKLOAD_ORDINAL) at = at->next;
  for (uint32_t i = 0; i < body->n_args; ++i) {
    ir_value_t *arg = body->args[i];
    if (!binding_is(arg->type) || ir_type_is_static(binding_tensor(arg->type)) || !arg->uses) continue;
    const ir_op_t *access = arg->uses->user;
    if (access->kind != OP_TEXT_TENSOR_LOAD && access->kind != OP_TEXT_TENSOR_STORE) continue;
    ir_group_t g = access_dims(access);
    ir_value_t *operands[65] = {arg};
    bool known = g.n <= 64;
    for (uint32_t k = 0; known && k < g.n; ++k) {
      operands[k + 1] = ir_operand(access, g.first + k);
      known = known_before(operands[k + 1], &at);
    }
    if (!known) continue;
    ir_builder_t b = ir_builder_before(ctx, at);
    ir_op_t *tie = ir_op_create(ctx, &(ir_op_desc_t){.kind = OP_FLOW_DISPATCH_TIE_SHAPE, .loc = at->loc, .operands = operands,
                                                     .n_operands = g.n + 1, .results = &arg->type, .n_results = 1});
    for (ir_use_t *use = arg->uses, *next; use; use = next) {
      next = use->next;
      if (use->user != tie) ir_use_set(use, ir_result(tie, 0));
    }
    ir_insert(&b, tie);
  }
}

// ---- the dispatch
static void replace_dispatch(outliner_t *o, ir_op_t *op, const char *name, const char *entry) {
  ir_ctx_t *ctx = o->pass->ctx;
  ir_value_t **operands = IREE_ARENA_ARRAY(o->pass->scratch, ir_value_t *, op->n_operands + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(o->pass->scratch, ir_type_t, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_operands; ++i) operands[i] = ir_operand(op, i);
  for (uint32_t i = 0; i < op->n_results; ++i) types[i] = ir_result(op, i)->type;
  const char *path[2] = {name, entry};
  ir_attr_t symbol = ir_attr_symref(ctx, path, 2);
  ir_named_t attrs[2] = {{"entry_points", ir_attr_array(ctx, &symbol, 1)}, {"tied_operands", ir_op_attr(op, "tied_operands")}};
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_op_t *dispatch = ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_DISPATCH, .operands = operands, .n_operands = op->n_operands,
                                                   .segments = op->segments, .results = types, .n_results = op->n_results,
                                                   .attrs = attrs, .n_attrs = 2});
  for (uint32_t i = 0; i < op->n_extra; ++i) ir_op_set_attr(ctx, dispatch, op->extra[i].name, op->extra[i].value);
  for (uint32_t i = 0; i < op->n_results; ++i) ir_replace_uses(ir_result(op, i), ir_result(dispatch, i));
  ir_op_erase(op);
}
static iree_status_t outline(ir_op_t *op, void *self) {
  outliner_t *o = self;
  if (op->kind != OP_FLOW_DISPATCH_WORKGROUPS) return iree_ok_status();
  text_t name = {.arena = o->pass->scratch}, entry = {.arena = o->pass->scratch};
  text_add(&name, "%s_dispatch_%u", o->name.data, o->count++);
  const char *unique = ir_symbol_fresh(o->pass->ctx, o->names, name.data);
  text_add(&entry, "%s", unique);
  dispatch_add_summary(&entry, o->pass->ctx, ir_body(op));
  ir_op_t *func = build_executable(o, unique, entry.data, op);
  tie_shapes(o->pass->ctx, ir_body(func));
  replace_dispatch(o, op, unique, entry.data);
  return iree_ok_status();
}

iree_status_t flow_outline_dispatches(pass_t *pass, ir_op_t *module) {
  uint32_t initializers = 0;
  ir_map_t *names = ir_symbol_names(pass->scratch, module);
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    outliner_t o = {.pass = pass, .func = op, .names = names, .name = {.arena = pass->scratch}};
    if (op->kind == OP_UTIL_FUNC) text_add(&o.name, "%s", ir_bytes(ir_op_attr(op, "sym_name")));
    else if (op->kind == OP_UTIL_INITIALIZER) text_add(&o.name, "_initializer_%u", initializers++);
    else continue;
    IREE_RETURN_IF_ERROR(ir_walk(op, outline, &o));
  }
  return iree_ok_status();
}
