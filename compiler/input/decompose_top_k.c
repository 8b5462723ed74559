// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom calls for the largest or smallest elements along the last dimension.
//   %v:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 3 : i64, largest = true}}
//   %v:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k)
//   ->
//   %v, %i = chlo.top_k(%x, k = 3)
// The smallest are the largest of what negation or, for integers, complement makes of the elements.
// A number that only run time knows cuts from all of them, sorted.
#include "compiler/input/build_hlo.h"

static ir_op_t *build_top_k(ir_builder_t *b, ir_op_t *op, ir_value_t *v, int64_t k) {
  ir_type_t types[2];
  for (uint32_t i = 0; i < 2; ++i) {
    ir_type_t type = ir_result(op, i)->type;
    int64_t dims[HLO_MAX_RANK];
    size_t rank = ir_type_rank(v->type);
    for (size_t d = 0; d < rank; ++d) dims[d] = d + 1 < rank ? ir_type_dim(v->type, d) : k;
    types[i] = ir_type_tensor(b->ctx, dims, rank, ir_type_element(type), NULL);
  }
  ir_named_t attrs[1] = {{"k", ir_attr_i64(b->ctx, k)}};
  return ir_build(b, &(ir_op_desc_t){.kind = OP_CHLO_TOP_K,
                                     .loc = op->loc,
                                     .operands = &v,
                                     .n_operands = 1,
                                     .results = types,
                                     .n_results = 2,
                                     .attrs = attrs,
                                     .n_attrs = 1});
}
static iree_status_t check_call(ir_op_t *op, uint32_t n_operands) {
  ir_type_t type = op->n_operands ? ir_operand(op, 0)->type : NULL;
  if (op->n_operands != n_operands || op->n_results != 2 || !ir_is(type, IR_T_TENSOR) ||
      !ir_type_rank(type) || ir_type_rank(type) > HLO_MAX_RANK)
    return ir_op_error(
        op,
        "takes %u operand(s), the first of them a ranked tensor, and gives values and positions",
        n_operands);
  for (uint32_t i = 0; i < 2; ++i)
    if (!ir_is(ir_result(op, i)->type, IR_T_TENSOR) ||
        ir_type_rank(ir_result(op, i)->type) != ir_type_rank(type))
      return ir_op_error(op, "keeps the rank of its operand");
  return iree_ok_status();
}
static iree_status_t decompose_static(ir_ctx_t *ctx, ir_op_t *op) {
  ir_attr_t attributes = ir_op_attr(op, "mhlo.attributes");
  ir_attr_t k = ir_is(attributes, IR_A_DICT) ? ir_dict_get(attributes, "k") : NULL;
  ir_attr_t largest = ir_is(attributes, IR_A_DICT) ? ir_dict_get(attributes, "largest") : NULL;
  IREE_RETURN_IF_ERROR(check_call(op, 1));
  if (!ir_is(k, IR_A_INT))
    return ir_op_error(op, "calls 'mhlo.topk' without a number k in 'mhlo.attributes'");
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *v = ir_operand(op, 0);
  bool smallest = largest && !ir_int(largest, 0);
  ir_kind_t turn = ir_type_is_float(ir_type_element(v->type)) ? OP_HLO_NEGATE : OP_HLO_NOT;
  ir_op_t *top = build_top_k(&b, op, smallest ? hlo1(&b, turn, v) : v, ir_int(k, 0));
  ir_value_t *results[2] = {ir_result(top, 0), ir_result(top, 1)};
  if (smallest) results[0] = hlo1(&b, turn, results[0]);
  for (uint32_t i = 0; i < 2; ++i)
    if (results[i]->type != ir_result(op, i)->type)
      return ir_op_error(op, "calls 'mhlo.topk' for results of another shape");
  ir_op_replace(op, results);
  return iree_ok_status();
}
static iree_status_t decompose_dynamic(ir_ctx_t *ctx, ir_op_t *op) {
  IREE_RETURN_IF_ERROR(check_call(op, 2));
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *v = ir_operand(op, 0), *k = ir_operand(op, 1);
  size_t rank = ir_type_rank(v->type);
  ir_type_t i32 = ir_type_i(ctx, 32), scalar = ir_type_tensor(ctx, NULL, 0, i32, NULL);
  int64_t n = ir_type_dim(v->type, rank - 1);
  if (n == IR_DYNAMIC) return ir_op_error(op, "needs a static extent to choose from");
  if (!ir_is(k->type, IR_T_TENSOR) || ir_type_rank(k->type) ||
      !ir_is(ir_type_element(k->type), IR_T_INTEGER))
    return ir_op_error(op, "needs a number k as tensor<i32>");
  ir_op_t *top = build_top_k(&b, op, v, n);
  ir_value_t *starts[HLO_MAX_RANK], *limits[HLO_MAX_RANK], *steps[HLO_MAX_RANK], *results[2];
  for (size_t d = 0; d < rank; ++d) {
    starts[d] = hlo_i32(&b, 0), steps[d] = hlo_i32(&b, 1);
    limits[d] =
        d + 1 < rank ? hlo_extent(&b, v, d) : ir_build1(&b, OP_HLO_CONVERT, scalar, k, NULL, NULL);
  }
  ir_value_t *from = hlo_shape(&b, starts, rank), *to = hlo_shape(&b, limits, rank),
             *by = hlo_shape(&b, steps, rank);
  for (uint32_t i = 0; i < 2; ++i) {
    ir_value_t *operands[4] = {ir_result(top, i), from, to, by};
    results[i] = ir_result(ir_build(&b, &(ir_op_desc_t){.kind = OP_HLO_REAL_DYNAMIC_SLICE,
                                                        .loc = op->loc,
                                                        .operands = operands,
                                                        .n_operands = 4,
                                                        .results = &ir_result(op, i)->type,
                                                        .n_results = 1}),
                           0);
  }
  ir_op_replace(op, results);
  return iree_ok_status();
}
iree_status_t input_decompose_top_k(ir_ctx_t *ctx, ir_op_t *op) {
  ir_attr_t name = ir_op_attr(op, "call_target_name");
  if (ir_str_is(name, "mhlo.topk")) return decompose_static(ctx, op);
  return ir_str_is(name, "stablehlo.dynamic_top_k") ? decompose_dynamic(ctx, op) : iree_ok_status();
}
