// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  StableHLO and CHLO.
// Out: without batch normalisations, implicit broadcasts and unfoldable constants: each is written
//      with simpler ops before it. Types stay as they were.
//
//   %0 = chlo.broadcast_add %a, %b : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
// becomes
//   %c = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
//   %0 = stablehlo.add %a, %c : tensor<4x4xf32>
#include "compiler/input/build_hlo.h"

static iree_status_t decompose_constant_like(ir_ctx_t *ctx, ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  ir_attr_t value = ir_op_attr(op, "value"), splat = NULL;
  if (!ir_is(type, IR_T_TENSOR)) return ir_op_error(op, "needs a ranked tensor");
  bool is_static = ir_type_is_static(type);
  ir_type_t from = is_static ? type : ir_type_tensor(ctx, NULL, 0, ir_type_element(type), NULL);
  if (ir_is(value, IR_A_INT) || ir_is(value, IR_A_FLOAT) || ir_is(value, IR_A_BOOL))
    splat = ir_dense_splat(ctx, from, value);
  if (!splat) return ir_op_error(op, "needs a number of the element type");
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *v = ir_build_attr(&b, OP_HLO_CONSTANT, from, "value", splat, NULL, NULL);
  if (!is_static) v = hlo_broadcast(&b, v, type, NULL, hlo_shape_of(&b, ir_operand(op, 0)));
  ir_op_replace(op, &v);
  return iree_ok_status();
}

// A constant behind a barrier: nothing folds through that.
static iree_status_t decompose_unfoldable(ir_ctx_t *ctx, ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_kind_t kind = ir_type_is_shaped(type) ? OP_HLO_CONSTANT : OP_ARITH_CONSTANT;
  ir_value_t *v = ir_build_attr(&b, kind, type, "value", ir_op_attr(op, "value"), NULL, NULL);
  ir_op_t *barrier = ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_OPTIMIZATION_BARRIER,
                                                  .operands = &v,
                                                  .n_operands = 1,
                                                  .results = &type,
                                                  .n_results = 1});
  ir_op_replace(op, (ir_value_t *[]){ir_result(barrier, 0)});
  return iree_ok_status();
}
// flow.tensor.dynamic_constant: likewise, of a type that does not say its extents.
static iree_status_t decompose_dynamic_constant(ir_ctx_t *ctx, ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  ir_attr_t value = ir_op_attr(op, "value");
  if (!ir_is(value, IR_A_DENSE)) return ir_op_error(op, "needs a dense constant");
  ir_type_t from = ir_dense_type(value);
  if (ir_type_rank(from) != ir_type_rank(type))
    return ir_op_error(op, "gives rank %zu of rank %zu", ir_type_rank(type), ir_type_rank(from));
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *v = ir_build_attr(&b, OP_UTIL_UNFOLDABLE_CONSTANT, from, "value", value, NULL, NULL);
  ir_op_t *constant = ir_def(v);
  ir_op_replace(op, (ir_value_t *[]){ir_build1(&b, OP_TENSOR_CAST, type, v, NULL, NULL)});
  return decompose_unfoldable(ctx, constant);
}

typedef struct decomposer {
  ir_ctx_t *ctx;
  ir_op_t *module;
} decomposer_t;
static iree_status_t decompose_op(ir_op_t *op, void *self) {
  const decomposer_t *d = self;
  ir_ctx_t *ctx = d->ctx;
  if (input_is_broadcast(op->kind)) return input_decompose_broadcast(ctx, op);
  switch (op->kind) {
    case OP_HLO_BATCH_NORM_INFERENCE:
    case OP_HLO_BATCH_NORM_TRAINING:
    case OP_HLO_BATCH_NORM_GRAD:
      return input_decompose_batch_norm(ctx, op);
    case OP_CHLO_CONSTANT_LIKE:
      return decompose_constant_like(ctx, op);
    case OP_UTIL_UNFOLDABLE_CONSTANT:
      return decompose_unfoldable(ctx, op);
    case OP_FLOW_TENSOR_DYNAMIC_CONSTANT:
      return decompose_dynamic_constant(ctx, op);
    case OP_HLO_CUSTOM_CALL:
      if (!ir_str_is(ir_op_attr(op, "call_target_name"), "ApproxTopK")) return input_decompose_top_k(ctx, op);
      return input_decompose_approx_top_k(ctx, d->module, op);
    default:
      return iree_ok_status();
  }
}
iree_status_t input_decompose_ops(pass_t *pass, ir_op_t *module) {
  decomposer_t d = {pass->ctx, module};
  IREE_RETURN_IF_ERROR(ir_walk(module, decompose_op, &d));
  // Functions that end as regions do were there for custom calls.
  for (ir_op_t *op = ir_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind == OP_FUNC_FUNC && ir_body(op) && ir_op_is(ir_body(op)->last, OP_HLO_RETURN))
      ir_op_erase(op);
  }
  return iree_ok_status();
}
