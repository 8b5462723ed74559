// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch normalisation over all dimensions but one, in elementwise ops and sums.
#include "compiler/input/build_hlo.h"

typedef struct batch_norm {
  ir_type_t type, feature_type;
  int64_t feature, others[HLO_MAX_RANK];
  size_t n_others;
  double epsilon;
  ir_value_t *shape, *feature_shape;  // where the types do not say
} batch_norm_t;
static bool fits(ir_type_t type, ir_type_t like) {
  if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) != ir_type_rank(like) ||
      ir_type_element(type) != ir_type_element(like))
    return false;
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) != ir_type_dim(like, i) && ir_type_dim(type, i) != IR_DYNAMIC &&
        ir_type_dim(like, i) != IR_DYNAMIC)
      return false;
  return true;
}
static iree_status_t read_batch_norm(ir_op_t *op, batch_norm_t *n) {
  *n = (batch_norm_t){.type = ir_operand(op, 0)->type,
                      .feature_type = ir_operand(op, 1)->type,
                      .feature = ir_op_int(op, "feature_index", -1)};
  ir_attr_t epsilon = ir_op_attr(op, "epsilon");
  size_t rank = ir_type_rank(n->type);
  if (!ir_is(n->type, IR_T_TENSOR) || !ir_type_is_float(ir_type_element(n->type)) ||
      rank > HLO_MAX_RANK)
    return ir_op_error(op, "needs a tensor of floats");
  if (n->feature < 0 || n->feature >= (int64_t)rank)
    return ir_op_error(op, "has no dimension %lld", (long long)n->feature);
  int64_t n_features = ir_type_dim(n->type, (size_t)n->feature);
  ir_type_t features =
      ir_type_tensor(ir_op_ctx(op), &n_features, 1, ir_type_element(n->type), NULL);
  for (uint32_t i = 1; i < op->n_operands; ++i) {
    bool whole = op->kind == OP_HLO_BATCH_NORM_GRAD && i == 4;
    if (!fits(ir_operand(op, i)->type, whole ? n->type : features))
      return ir_op_error(op, "operand %u does not fit the features", i);
  }
  if (!ir_is(epsilon, IR_A_FLOAT)) return ir_op_error(op, "needs a float epsilon");
  n->epsilon = ir_float_to_double(ir_float_kind(ir_kid(epsilon, 0)), (uint64_t)ir_int(epsilon, 0));
  for (size_t i = 0; i < rank; ++i) {
    if ((int64_t)i == n->feature) continue;
    n->others[n->n_others++] = (int64_t)i;
  }
  return iree_ok_status();
}
static ir_value_t *over_features(ir_builder_t *b, const batch_norm_t *n, ir_value_t *v) {
  return hlo_broadcast(b, v, n->type, &n->feature, n->shape);
}
// How many elements a feature has, as a float.
static ir_value_t *count_of(ir_builder_t *b, const batch_norm_t *n, ir_value_t *operand) {
  ir_type_t scalar = ir_type_tensor(b->ctx, NULL, 0, ir_type_element(n->type), NULL);
  double known = 1;
  ir_value_t *count = NULL;
  for (size_t i = 0; i < n->n_others; ++i) {
    int64_t dim = ir_type_dim(n->type, (size_t)n->others[i]);
    if (dim != IR_DYNAMIC) {
      known *= (double)dim;
      continue;
    }
    ir_value_t *extent = ir_build1(b, OP_HLO_CONVERT, scalar,
                                   hlo_extent(b, operand, (size_t)n->others[i]), NULL, NULL);
    count = count ? hlo2(b, OP_HLO_MULTIPLY, count, extent) : extent;
  }
  ir_value_t *constant = hlo_splat(b, scalar, known);
  return count ? hlo2(b, OP_HLO_MULTIPLY, count, constant) : constant;
}
static ir_value_t *epsilon_of(ir_builder_t *b, const batch_norm_t *n) {
  ir_type_t scalar = ir_type_tensor(b->ctx, NULL, 0, ir_type_element(n->type), NULL);
  return hlo_broadcast(b, hlo_splat(b, scalar, n->epsilon), n->feature_type, NULL,
                       n->feature_shape);
}
static ir_value_t *sum_others(ir_builder_t *b, const batch_norm_t *n, ir_value_t *v) {
  return hlo_sum(b, v, n->others, n->n_others, n->feature_type);
}
static ir_value_t *deviation(ir_builder_t *b, const batch_norm_t *n, ir_value_t *variance) {
  return over_features(b, n, hlo1(b, OP_HLO_SQRT, hlo2(b, OP_HLO_ADD, variance, epsilon_of(b, n))));
}
static ir_value_t *normalized(ir_builder_t *b, const batch_norm_t *n, ir_op_t *op, ir_value_t *mean,
                              ir_value_t *variance) {
  ir_value_t *centered = hlo2(b, OP_HLO_SUBTRACT, ir_operand(op, 0), over_features(b, n, mean));
  ir_value_t *v =
      hlo2(b, OP_HLO_MULTIPLY, hlo2(b, OP_HLO_DIVIDE, centered, deviation(b, n, variance)),
           over_features(b, n, ir_operand(op, 1)));
  return hlo2(b, OP_HLO_ADD, v, over_features(b, n, ir_operand(op, 2)));
}
iree_status_t input_decompose_batch_norm(ir_ctx_t *ctx, ir_op_t *op) {
  batch_norm_t n;
  IREE_RETURN_IF_ERROR(read_batch_norm(op, &n));
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *results[3] = {0};
  n.shape = ir_type_is_static(n.type) ? NULL : hlo_shape_of(&b, ir_operand(op, 0));
  n.feature_shape = ir_type_is_static(n.feature_type) ? NULL : hlo_shape_of(&b, ir_operand(op, 1));
  ir_value_t *scalar_count = count_of(&b, &n, ir_operand(op, 0));
  ir_value_t *count = hlo_broadcast(&b, scalar_count, n.feature_type, NULL, n.feature_shape);
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
    ir_value_t *variance = hlo2(&b, OP_HLO_ADD, ir_operand(op, 3), epsilon_of(&b, &n)),
               *dev = deviation(&b, &n, ir_operand(op, 3));
    ir_value_t *all = hlo_broadcast(&b, scalar_count, n.type, NULL, n.shape),
               *sum = sum_others(&b, &n, grad),
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
