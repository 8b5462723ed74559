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
#include <string.h>

#include "compiler/input/lower.h"

// ---- StableHLO in small steps
static ir_value_t *hlo2(ir_builder_t *b, ir_kind_t kind, ir_value_t *x, ir_value_t *y) {
  return ir_build1(b, kind, x->type, x, y, NULL);
}
static ir_value_t *hlo1(ir_builder_t *b, ir_kind_t kind, ir_value_t *x) {
  return ir_build1(b, kind, x->type, x, NULL, NULL);
}
static ir_value_t *hlo_splat(ir_builder_t *b, ir_type_t type, double value) {
  ir_type_t element = ir_type_element(type);
  ir_attr_t scalar =
      ir_attr_float_bits(b->ctx, element, ir_float_from_double(ir_float_kind(element), value));
  return ir_build_attr(b, OP_HLO_CONSTANT, type, "value", ir_dense_splat(b->ctx, type, scalar),
                       NULL, NULL);
}
static ir_value_t *hlo_broadcast(ir_builder_t *b, ir_value_t *v, ir_type_t type,
                                 const int64_t *dims) {
  return ir_build_attr(b, OP_HLO_BROADCAST_IN_DIM, type, "broadcast_dimensions",
                       ir_attr_i64s(b->ctx, dims, ir_type_rank(v->type)), v, NULL);
}
static ir_value_t *hlo_sum(ir_builder_t *b, ir_value_t *v, const int64_t *dims, size_t n,
                           ir_type_t type) {
  ir_type_t scalar = ir_type_tensor(b->ctx, NULL, 0, ir_type_element(v->type), NULL);
  ir_value_t *operands[2] = {v, hlo_splat(b, scalar, 0)};
  ir_named_t attrs[1] = {{"dimensions", ir_attr_i64s(b->ctx, dims, n)}};
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = OP_HLO_REDUCE,
                                            .operands = operands,
                                            .n_operands = 2,
                                            .segments = (uint32_t[]){1, 1},
                                            .results = &type,
                                            .n_results = 1,
                                            .attrs = attrs,
                                            .n_attrs = 1,
                                            .n_regions = 1});
  ir_block_t *body = ir_block_create(b->ctx, op->regions[0]);
  ir_value_t *x = ir_block_add_arg(b->ctx, body, scalar),
             *y = ir_block_add_arg(b->ctx, body, scalar);
  ir_builder_t inner = ir_builder_at_end(b->ctx, body);
  ir_value_t *r = hlo2(&inner, OP_HLO_ADD, x, y);
  ir_build(&inner, &(ir_op_desc_t){.kind = OP_HLO_RETURN, .operands = &r, .n_operands = 1});
  return ir_result(op, 0);
}

// ---- batch normalisation over all dimensions but one
typedef struct batch_norm {
  ir_type_t type, feature_type;
  int64_t feature, others[HLO_MAX_RANK];
  size_t n_others;
  double epsilon, count;
} batch_norm_t;
static iree_status_t read_batch_norm(ir_op_t *op, batch_norm_t *n) {
  *n = (batch_norm_t){.type = ir_operand(op, 0)->type,
                      .feature_type = ir_operand(op, 1)->type,
                      .feature = ir_op_int(op, "feature_index", -1),
                      .count = 1};
  ir_attr_t epsilon = ir_op_attr(op, "epsilon");
  size_t rank = ir_type_rank(n->type);
  if (!ir_is(n->type, IR_T_TENSOR) || !ir_type_is_static(n->type) ||
      !ir_type_is_float(ir_type_element(n->type)) || rank > HLO_MAX_RANK)
    return ir_op_error(op, "needs a tensor of floats in a static shape");
  if (n->feature < 0 || n->feature >= (int64_t)rank)
    return ir_op_error(op, "has no dimension %lld", (long long)n->feature);
  for (uint32_t i = 1; i < op->n_operands; ++i) {
    ir_type_t t = ir_operand(op, i)->type;
    bool whole = op->kind == OP_HLO_BATCH_NORM_GRAD && i == 4;
    if (whole ? t != n->type
              : !ir_is(t, IR_T_TENSOR) || ir_type_rank(t) != 1 ||
                    ir_type_dim(t, 0) != ir_type_dim(n->type, (size_t)n->feature) ||
                    ir_type_element(t) != ir_type_element(n->type))
      return ir_op_error(op, "operand %u does not fit the features", i);
  }
  if (!ir_is(epsilon, IR_A_FLOAT)) return ir_op_error(op, "needs a float epsilon");
  n->epsilon = ir_float_to_double(ir_float_kind(ir_kid(epsilon, 0)), (uint64_t)ir_int(epsilon, 0));
  for (size_t i = 0; i < rank; ++i) {
    if ((int64_t)i == n->feature) continue;
    n->others[n->n_others++] = (int64_t)i;
    n->count *= (double)ir_type_dim(n->type, i);
  }
  return iree_ok_status();
}
static ir_value_t *over_features(ir_builder_t *b, const batch_norm_t *n, ir_value_t *v) {
  return hlo_broadcast(b, v, n->type, &n->feature);
}
static ir_value_t *sum_others(ir_builder_t *b, const batch_norm_t *n, ir_value_t *v) {
  return hlo_sum(b, v, n->others, n->n_others, n->feature_type);
}
static ir_value_t *deviation(ir_builder_t *b, const batch_norm_t *n, ir_value_t *variance) {
  return over_features(
      b, n,
      hlo1(b, OP_HLO_SQRT,
           hlo2(b, OP_HLO_ADD, variance, hlo_splat(b, n->feature_type, n->epsilon))));
}
static ir_value_t *normalized(ir_builder_t *b, const batch_norm_t *n, ir_op_t *op, ir_value_t *mean,
                              ir_value_t *variance) {
  ir_value_t *centered = hlo2(b, OP_HLO_SUBTRACT, ir_operand(op, 0), over_features(b, n, mean));
  ir_value_t *v =
      hlo2(b, OP_HLO_MULTIPLY, hlo2(b, OP_HLO_DIVIDE, centered, deviation(b, n, variance)),
           over_features(b, n, ir_operand(op, 1)));
  return hlo2(b, OP_HLO_ADD, v, over_features(b, n, ir_operand(op, 2)));
}
static iree_status_t decompose_batch_norm(ir_ctx_t *ctx, ir_op_t *op) {
  batch_norm_t n;
  IREE_RETURN_IF_ERROR(read_batch_norm(op, &n));
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *results[3] = {0};
  ir_value_t *count = hlo_splat(&b, n.feature_type, n.count);
  if (op->kind == OP_HLO_BATCH_NORM_INFERENCE) {
    results[0] = normalized(&b, &n, op, ir_operand(op, 3), ir_operand(op, 4));
  } else if (op->kind == OP_HLO_BATCH_NORM_TRAINING) {
    ir_value_t *mean = hlo2(&b, OP_HLO_DIVIDE, sum_others(&b, &n, ir_operand(op, 0)), count);
    ir_value_t *centered =
        hlo2(&b, OP_HLO_SUBTRACT, ir_operand(op, 0), over_features(&b, &n, mean));
    ir_value_t *variance =
        hlo2(&b, OP_HLO_DIVIDE, sum_others(&b, &n, hlo2(&b, OP_HLO_MULTIPLY, centered, centered)),
             count);
    results[0] = normalized(&b, &n, op, mean, variance);
    results[1] = mean, results[2] = variance;
  } else {
    ir_value_t *grad = ir_operand(op, 4),
               *centered = hlo2(&b, OP_HLO_SUBTRACT, ir_operand(op, 0),
                                over_features(&b, &n, ir_operand(op, 2)));
    ir_value_t *variance = hlo2(&b, OP_HLO_ADD, ir_operand(op, 3),
                                hlo_splat(&b, n.feature_type, n.epsilon)),
               *dev = deviation(&b, &n, ir_operand(op, 3));
    ir_value_t *all = hlo_splat(&b, n.type, n.count), *sum = sum_others(&b, &n, grad),
               *dot = sum_others(&b, &n, hlo2(&b, OP_HLO_MULTIPLY, grad, centered));
    ir_value_t *pull =
        hlo2(&b, OP_HLO_DIVIDE, hlo2(&b, OP_HLO_MULTIPLY, over_features(&b, &n, dot), centered),
             over_features(&b, &n, variance));
    ir_value_t *rest = hlo2(
        &b, OP_HLO_SUBTRACT,
        hlo2(&b, OP_HLO_SUBTRACT, hlo2(&b, OP_HLO_MULTIPLY, grad, all), over_features(&b, &n, sum)),
        pull);
    ir_value_t *factor =
        hlo2(&b, OP_HLO_DIVIDE,
             hlo2(&b, OP_HLO_DIVIDE, over_features(&b, &n, ir_operand(op, 1)), dev), all);
    results[0] = hlo2(&b, OP_HLO_MULTIPLY, factor, rest);
    results[1] =
        sum_others(&b, &n, hlo2(&b, OP_HLO_MULTIPLY, grad, hlo2(&b, OP_HLO_DIVIDE, centered, dev)));
    results[2] = sum;
  }
  ir_op_replace(op, results);
  return iree_ok_status();
}

// ---- implicit broadcasts: dimensions align at the end, or as broadcast_dimensions says
static const struct {
  ir_kind_t from, to;
} broadcasts[] = {
    {OP_CHLO_BROADCAST_ADD, OP_HLO_ADD},
    {OP_CHLO_BROADCAST_AND, OP_HLO_AND},
    {OP_CHLO_BROADCAST_ATAN2, OP_HLO_ATAN2},
    {OP_CHLO_BROADCAST_COMPLEX, OP_HLO_COMPLEX},
    {OP_CHLO_BROADCAST_DIVIDE, OP_HLO_DIVIDE},
    {OP_CHLO_BROADCAST_MAXIMUM, OP_HLO_MAXIMUM},
    {OP_CHLO_BROADCAST_MINIMUM, OP_HLO_MINIMUM},
    {OP_CHLO_BROADCAST_MULTIPLY, OP_HLO_MULTIPLY},
    {OP_CHLO_BROADCAST_NEXT_AFTER, OP_CHLO_NEXT_AFTER},
    {OP_CHLO_BROADCAST_OR, OP_HLO_OR},
    {OP_CHLO_BROADCAST_POLYGAMMA, OP_CHLO_POLYGAMMA},
    {OP_CHLO_BROADCAST_POWER, OP_HLO_POWER},
    {OP_CHLO_BROADCAST_REMAINDER, OP_HLO_REMAINDER},
    {OP_CHLO_BROADCAST_SHIFT_LEFT, OP_HLO_SHIFT_LEFT},
    {OP_CHLO_BROADCAST_SHIFT_RIGHT_ARITHMETIC, OP_HLO_SHIFT_RIGHT_ARITHMETIC},
    {OP_CHLO_BROADCAST_SHIFT_RIGHT_LOGICAL, OP_HLO_SHIFT_RIGHT_LOGICAL},
    {OP_CHLO_BROADCAST_SUBTRACT, OP_HLO_SUBTRACT},
    {OP_CHLO_BROADCAST_XOR, OP_HLO_XOR},
    {OP_CHLO_BROADCAST_ZETA, OP_CHLO_ZETA},
    {OP_CHLO_BROADCAST_COMPARE, OP_HLO_COMPARE},
    {OP_CHLO_BROADCAST_SELECT, OP_HLO_SELECT},
};
static ir_kind_t broadcast_of(ir_kind_t kind) {
  for (size_t i = 0; i < sizeof broadcasts / sizeof *broadcasts; ++i)
    if (broadcasts[i].from == kind) return broadcasts[i].to;
  return OP_NONE;
}
static iree_status_t decompose_broadcast(ir_ctx_t *ctx, ir_op_t *op, ir_kind_t kind) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_type_t result = ir_result(op, 0)->type;
  ir_value_t *operands[3] = {0};
  hlo_dims_t given = hlo_dims(op, "broadcast_dimensions", 0, 0);
  if (!ir_is(result, IR_T_TENSOR)) return ir_op_error(op, "needs a ranked result");
  size_t rank = ir_type_rank(result);
  for (uint32_t i = 0; i < op->n_operands && i < 3; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    int64_t dims[HLO_MAX_RANK];
    if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) > rank || rank > HLO_MAX_RANK)
      return ir_op_error(op, "operand %u does not fit the result's rank", i);
    size_t r = ir_type_rank(type);
    bool same = r == rank;
    for (size_t d = 0; d < r; ++d) {
      dims[d] = given.n == r && r < rank ? given.at[d] : (int64_t)(d + rank - r);
      if (dims[d] < 0 || dims[d] >= (int64_t)rank)
        return ir_op_error(op, "names dimension %lld of rank %zu", (long long)dims[d], rank);
      int64_t to = ir_type_dim(result, (size_t)dims[d]), from = ir_type_dim(type, d);
      if (from != to && from != 1)
        return ir_op_error(op, "cannot broadcast extent %lld of operand %u", (long long)from, i);
      same = same && from == to;
    }
    ir_type_t want = ir_type_with_element(ctx, result, ir_type_element(type));
    operands[i] = ir_operand(op, i);
    if (same) continue;
    if (!ir_type_is_static(result))
      return ir_op_error(op,
                         "broadcasts to a dynamic shape; use stablehlo.dynamic_broadcast_in_dim");
    operands[i] = hlo_broadcast(&b, operands[i], want, dims);
  }
  ir_named_t attrs[2] = {{"comparison_direction", ir_op_attr(op, "comparison_direction")},
                         {"compare_type", ir_op_attr(op, "compare_type")}};
  ir_op_t *made = ir_build(&b, &(ir_op_desc_t){.kind = kind,
                                               .loc = op->loc,
                                               .operands = operands,
                                               .n_operands = op->n_operands,
                                               .results = &result,
                                               .n_results = 1,
                                               .attrs = attrs,
                                               .n_attrs = kind == OP_HLO_COMPARE ? 2 : 0});
  ir_op_replace(op, (ir_value_t *[]){ir_result(made, 0)});
  return iree_ok_status();
}
static iree_status_t decompose_constant_like(ir_ctx_t *ctx, ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  ir_attr_t value = ir_op_attr(op, "value"), splat = NULL;
  if (!ir_is(type, IR_T_TENSOR) || !ir_type_is_static(type))
    return ir_op_error(op, "is supported on static shapes only");
  if (ir_is(value, IR_A_INT) || ir_is(value, IR_A_FLOAT) || ir_is(value, IR_A_BOOL))
    splat = ir_dense_splat(ctx, type, value);
  if (!splat) return ir_op_error(op, "needs a number of the element type");
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_op_replace(
      op, (ir_value_t *[]){ir_build_attr(&b, OP_HLO_CONSTANT, type, "value", splat, NULL, NULL)});
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
  ir_value_t *v =
      ir_build_attr(&b, OP_UTIL_UNFOLDABLE_CONSTANT, from, "value", value, NULL, NULL);
  ir_op_t *constant = ir_def(v);
  ir_op_replace(op,
                (ir_value_t *[]){ir_build1(&b, OP_TENSOR_CAST, type, v, NULL, NULL)});
  return decompose_unfoldable(ctx, constant);
}

typedef struct decomposer {
  ir_ctx_t *ctx;
  ir_op_t *module;
} decomposer_t;
static iree_status_t decompose_op(ir_op_t *op, void *self) {
  const decomposer_t *d = self;
  ir_ctx_t *ctx = d->ctx;
  ir_kind_t broadcast = broadcast_of(op->kind);
  if (broadcast) return decompose_broadcast(ctx, op, broadcast);
  switch (op->kind) {
    case OP_HLO_BATCH_NORM_INFERENCE:
    case OP_HLO_BATCH_NORM_TRAINING:
    case OP_HLO_BATCH_NORM_GRAD:
      return decompose_batch_norm(ctx, op);
    case OP_CHLO_CONSTANT_LIKE:
      return decompose_constant_like(ctx, op);
    case OP_UTIL_UNFOLDABLE_CONSTANT:
      return decompose_unfoldable(ctx, op);
    case OP_FLOW_TENSOR_DYNAMIC_CONSTANT:
      return decompose_dynamic_constant(ctx, op);
    case OP_HLO_CUSTOM_CALL:
      if (!ir_str_is(ir_op_attr(op, "call_target_name"), "ApproxTopK")) return iree_ok_status();
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
    if (op->kind == OP_FUNC_FUNC && ir_body(op) && ir_op_is(ir_body(op)->last, OP_HLO_RETURN)) ir_op_erase(op);
  }
  return iree_ok_status();
}
