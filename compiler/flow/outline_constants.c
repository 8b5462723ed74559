// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves constant tensors out of functions into globals, so that they are uploaded once.
//   in:  arith.constant of tensors, and parameters, in functions      out: immutable util.globals and loads of them
//
//   %c = arith.constant dense<...> : tensor<784x128xf32>
//   ->
//   util.global private @__constant_tensor_784x128xf32 {inlining_policy = #util.inline.never} = dense<...> : tensor<784x128xf32>
//   %c = util.global.load immutable @__constant_tensor_784x128xf32 : tensor<784x128xf32>
#include "compiler/dialects/parameter.h"
#include "compiler/flow/text.h"
#include "compiler/ir/fold.h"
#include "compiler/ir/printer.h"
#include "compiler/pass.h"

typedef struct outliner {
  pass_t *pass;
  ir_op_t *func;
  ir_map_t *globals;  // attribute -> name
  ir_map_t *names;    // of the module
} outliner_t;

static const char *global_name(outliner_t *o, ir_type_t type) {
  text_t name = {.arena = o->pass->scratch};
  text_add(&name, "__constant_tensor_");
  for (size_t i = 0; i < ir_type_rank(type); ++i) text_add(&name, "%lldx", (long long)ir_type_dim(type, i));
  for (const char *c = ir_print_term_to(o->pass->scratch, ir_type_element(type)); *c; ++c) {
    bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
    text_add(&name, "%c", plain ? *c : '_');
  }
  return ir_symbol_fresh(o->pass->ctx, o->names, name.data);
}
static iree_status_t visit(ir_op_t *op, void *self) {
  outliner_t *o = self;
  ir_ctx_t *ctx = o->pass->ctx;
  parameter_t parameter;
  bool is_parameter = op->kind == OP_FLOW_TENSOR_CONSTANT && parameter_of(ir_op_attr(op, "value"), &parameter);
  if ((op->kind != OP_ARITH_CONSTANT && !is_parameter) || !ir_is(ir_result(op, 0)->type, IR_T_TENSOR)) return iree_ok_status();
  if (ir_unused(ir_result(op, 0))) return iree_ok_status();
  ir_attr_t value = ir_op_attr(op, "value");
  ir_type_t type = ir_result(op, 0)->type;
  // One value throughout is a fill, which needs no bytes.
  if (ir_is(value, IR_A_DENSE) && ir_dense_is_splat(value)) {
    ir_attr_t element = ir_dense_element(ctx, value, 0);
    if (element) {
      ir_builder_t b = ir_builder_before(ctx, op);
      ir_value_t *scalar = ir_build_constant(&b, ir_type_element(type), element);
      ir_op_t *splat = ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_TENSOR_SPLAT, .operands = &scalar, .n_operands = 1, .results = &type, .n_results = 1});
      ir_op_replace(op, (ir_value_t *[]){ir_result(splat, 0)});
      return iree_ok_status();
    }
  }
  const char *name = ir_map_get(o->globals, value);
  if (!name) {
    name = global_name(o, type);
    ir_builder_t b = ir_builder_before(ctx, o->func);
    b.loc = op->loc;
    ir_named_t attrs[5] = {{"sym_name", ir_attr_str(ctx, name)}, {"sym_visibility", ir_attr_str(ctx, "private")}, {"type", type},
                           {"initial_value", value}, {"inlining_policy", ir_attr_dialect(ctx, "util.inline.never", NULL, 0)}};
    ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL, .attrs = attrs, .n_attrs = 5});
    ir_map_set(o->globals, value, (void *)(uintptr_t)name);
  }
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_named_t attrs[2] = {{"global", ir_attr_sym(ctx, name)}, {"is_immutable", ir_attr_unit(ctx)}};
  ir_op_t *load = ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL_LOAD, .results = &type, .n_results = 1, .attrs = attrs, .n_attrs = 2});
  ir_op_replace(op, (ir_value_t *[]){ir_result(load, 0)});
  return iree_ok_status();
}

iree_status_t flow_outline_constants(pass_t *pass, ir_op_t *module) {
  outliner_t o = {.pass = pass, .globals = ir_map_create(pass->scratch), .names = ir_symbol_names(pass->scratch, module)};
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind != OP_UTIL_FUNC && op->kind != OP_UTIL_INITIALIZER) continue;
    o.func = op;
    IREE_RETURN_IF_ERROR(ir_walk(op, visit, &o));
  }
  return iree_ok_status();
}
