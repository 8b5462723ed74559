// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky factors and triangular systems, column by column: a loop on the host around two
// generics, one that subtracts what is known and one that puts the new column or row in place.
#include "compiler/input/lower_matrix.h"

host_loop_t low_loop_begin(lowering_t *l, int64_t n, ir_value_t *const *init, size_t n_init) {
  host_loop_t h = {.n = n_init};
  ir_value_t *operands[3 + LOOP_MAX_CARRIED] = {low_index(&l->b, 0), low_index(&l->b, n),
                                                low_index(&l->b, 1)};
  ir_type_t types[LOOP_MAX_CARRIED];
  for (size_t i = 0; i < n_init; ++i) operands[3 + i] = init[i], types[i] = init[i]->type;
  h.op = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_FOR,
                                         .operands = operands,
                                         .n_operands = 3 + n_init,
                                         .results = types,
                                         .n_results = n_init,
                                         .n_regions = 1});
  ir_block_t *body = ir_block_create(l->ctx, h.op->regions[0]);
  h.i = ir_block_add_arg(l->ctx, body, ir_type_index(l->ctx));
  for (size_t i = 0; i < n_init; ++i) h.carried[i] = ir_block_add_arg(l->ctx, body, types[i]);
  h.saved = l->b;
  l->b = ir_builder_at_end(l->ctx, body);
  l->b.loc = h.saved.loc;
  return h;
}
void low_loop_end(lowering_t *l, host_loop_t *h, ir_value_t *const *next) {
  ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_YIELD, .operands = next, .n_operands = h->n});
  l->b = h->saved;
}
static iree_status_t check_matrix(ir_op_t *op, ir_type_t type) {
  size_t rank = ir_type_rank(type);
  if (!ir_is(type, IR_T_TENSOR) || rank < 2 || rank + 1 > HLO_MAX_RANK ||
      !ir_type_is_static(type) || !ir_type_is_float(ir_type_element(type)))
    return ir_op_error(op, "needs matrices of floats in a static shape");
  return iree_ok_status();
}
static void batch_indices(ir_builder_t *b, ir_value_t **at, size_t n) {
  for (size_t i = 0; i < n; ++i) at[i] = low_loop_index(b, i);
}

// The lower factor of |a| of which the lower triangle counts.
static ir_value_t *factor(lowering_t *l, ir_value_t *a) {
  ir_type_t type = a->type, element = ir_type_element(type);
  size_t rank = ir_type_rank(type), batch = rank - 2;
  int64_t n = ir_type_dim(type, rank - 1);
  sizes_t none = sizes_none();
  ir_value_t *start = low_filled(l, type, &none, low_zero(&l->b, element));
  host_loop_t h = low_loop_begin(l, n, &start, 1);
  // column[i] = a[i, j] - sum_k l[i, k] l[j, k]
  ir_type_t column_type = ir_type_tensor(l->ctx, ir_type_dims(type), rank - 1, element, NULL);
  pointwise_t p = low_pointwise_begin(l, column_type, &none, NULL, 0);
  ir_value_t *at[HLO_MAX_RANK];
  batch_indices(&p.b, at, rank - 1);
  at[rank - 1] = h.i;
  ir_value_t *column = low_pointwise_end(l, &p, low_extract(&p.b, a, at, rank));
  ir_expr_t exprs[HLO_MAX_RANK];
  bool parallel[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) exprs[i] = ir_expr_dim(l->ctx, i), parallel[i] = i + 1 < rank;
  ir_attr_t maps[2] = {ir_attr_map(l->ctx, rank, 0, exprs, rank),
                       ir_attr_map(l->ctx, rank, 0, exprs, rank - 1)};
  ir_op_t *g = linalg_build_generic(&l->b, &h.carried[0], 1, &column, 1, maps, parallel, rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  batch_indices(&b, at, rank);
  at[batch] = h.i;
  ir_value_t *r =
      low_op2(&b, OP_ARITH_MULF, ir_body(g)->args[0], low_extract(&b, h.carried[0], at, rank));
  r = low_op2(&b, OP_ARITH_SUBF, ir_body(g)->args[1], r);
  linalg_build_yield(l->ctx, g, &r, 1, l->b.loc);
  column = ir_result(g, 0);
  // Column j of the factor, the others as they are.
  p = low_pointwise_begin(l, type, &none, &h.carried[0], 1);
  batch_indices(&p.b, at, rank);
  ir_value_t *row = at[rank - 2], *col = at[rank - 1];
  ir_value_t *own = low_extract(&p.b, column, at, rank - 1);
  at[rank - 2] = h.i;
  ir_value_t *pivot = low_op1(&p.b, OP_MATH_SQRT, low_extract(&p.b, column, at, rank - 1));
  ir_value_t *v = low_select(&p.b, low_cmpi(&p.b, "eq", row, h.i), pivot,
                             low_op2(&p.b, OP_ARITH_DIVF, own, pivot));
  ir_value_t *here =
      low_op2(&p.b, OP_ARITH_ANDI, low_cmpi(&p.b, "eq", col, h.i), low_cmpi(&p.b, "sge", row, h.i));
  low_loop_end(
      l, &h,
      (ir_value_t *[]){low_pointwise_end(l, &p, low_select(&p.b, here, v, p.body->args[0]))});
  return ir_result(h.op, 0);
}
static ir_value_t *swapped(lowering_t *l, ir_value_t *v) {
  int64_t permutation[HLO_MAX_RANK];
  size_t rank = ir_type_rank(v->type);
  for (size_t i = 0; i < rank; ++i) permutation[i] = (int64_t)i;
  permutation[rank - 2] = (int64_t)rank - 1, permutation[rank - 1] = (int64_t)rank - 2;
  return low_transposed(l, v, permutation);
}
ir_value_t *low_cholesky(lowering_t *l, ir_value_t *a, bool lower) {
  a = factor(l, lower ? a : swapped(l, a));
  return lower ? a : swapped(l, a);
}
iree_status_t input_lower_cholesky(lowering_t *l, ir_op_t *op) {
  ir_value_t *a = lowered_operand(l, op, 0);
  size_t rank = ir_type_rank(a->type);
  IREE_RETURN_IF_ERROR(check_matrix(op, a->type));
  if (ir_type_dim(a->type, rank - 1) != ir_type_dim(a->type, rank - 2))
    return ir_op_error(op, "needs square matrices");
  ir_attr_t lower = ir_op_attr(op, "lower");
  return input_lower_result(l, op, low_cholesky(l, a, lower && ir_int(lower, 0)));
}

// x with a x = b for a triangular |a|, of which |lower| says which half counts.
static ir_value_t *solve(lowering_t *l, ir_value_t *a, ir_value_t *rhs, bool lower, bool unit) {
  ir_type_t type = rhs->type, element = ir_type_element(type);
  size_t rank = ir_type_rank(type), batch = rank - 2;
  int64_t n = ir_type_dim(a->type, rank - 1), dims[HLO_MAX_RANK];
  sizes_t none = sizes_none();
  ir_value_t *start = low_filled(l, type, &none, low_zero(&l->b, element));
  host_loop_t h = low_loop_begin(l, n, &start, 1);
  ir_value_t *i = lower ? h.i : low_op2(&l->b, OP_ARITH_SUBI, low_index(&l->b, n - 1), h.i),
             *at[HLO_MAX_RANK];
  // row[c] = b[i, c] - sum_k a[i, k] x[k, c]
  for (size_t d = 0; d < batch; ++d) dims[d] = ir_type_dim(type, d);
  dims[batch] = ir_type_dim(type, rank - 1);
  ir_type_t row_type = ir_type_tensor(l->ctx, dims, rank - 1, element, NULL);
  pointwise_t p = low_pointwise_begin(l, row_type, &none, NULL, 0);
  batch_indices(&p.b, at, rank - 1);
  at[rank - 1] = at[rank - 2];
  at[rank - 2] = i;
  ir_value_t *row = low_pointwise_end(l, &p, low_extract(&p.b, rhs, at, rank));
  ir_expr_t exprs[HLO_MAX_RANK], in[HLO_MAX_RANK];
  bool parallel[HLO_MAX_RANK];
  for (size_t d = 0; d < rank; ++d)
    exprs[d] = in[d] = ir_expr_dim(l->ctx, d), parallel[d] = d + 1 < rank;
  in[rank - 2] = ir_expr_dim(l->ctx, rank - 1), in[rank - 1] = ir_expr_dim(l->ctx, rank - 2);
  ir_attr_t maps[2] = {ir_attr_map(l->ctx, rank, 0, in, rank),
                       ir_attr_map(l->ctx, rank, 0, exprs, rank - 1)};
  ir_op_t *g = linalg_build_generic(&l->b, &h.carried[0], 1, &row, 1, maps, parallel, rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  batch_indices(&b, at, rank);
  at[rank - 2] = i;  // a[.., i, k]
  ir_value_t *k = at[rank - 1];
  ir_value_t *known =
      low_cmpi(&b, lower ? "slt" : "sgt", k, i);  // rows to come are zero, but 0 * inf is not
  ir_value_t *product =
      low_op2(&b, OP_ARITH_MULF, low_extract(&b, a, at, rank), ir_body(g)->args[0]);
  ir_value_t *r = low_op2(&b, OP_ARITH_SUBF, ir_body(g)->args[1],
                          low_select(&b, known, product, low_zero(&b, element)));
  linalg_build_yield(l->ctx, g, &r, 1, l->b.loc);
  row = ir_result(g, 0);
  p = low_pointwise_begin(l, type, &none, &h.carried[0], 1);
  batch_indices(&p.b, at, rank);
  ir_value_t *here = low_cmpi(&p.b, "eq", at[rank - 2], i);
  at[rank - 2] = at[rank - 1];
  ir_value_t *v = low_extract(&p.b, row, at, rank - 1);
  at[rank - 2] = at[rank - 1] = i;
  if (!unit) v = low_op2(&p.b, OP_ARITH_DIVF, v, low_extract(&p.b, a, at, rank));
  low_loop_end(
      l, &h,
      (ir_value_t *[]){low_pointwise_end(l, &p, low_select(&p.b, here, v, p.body->args[0]))});
  return ir_result(h.op, 0);
}
ir_value_t *low_triangular_solve(lowering_t *l, ir_value_t *a, ir_value_t *rhs, bool left,
                                 bool lower, bool unit, bool transposed) {
  if (transposed == left) a = swapped(l, a), lower = !lower;  // x a = b is a' x' = b'
  if (!left) rhs = swapped(l, rhs);
  ir_value_t *x = solve(l, a, rhs, lower, unit);
  return left ? x : swapped(l, x);
}
iree_status_t input_lower_triangular_solve(lowering_t *l, ir_op_t *op) {
  ir_value_t *a = lowered_operand(l, op, 0), *rhs = lowered_operand(l, op, 1);
  size_t rank = ir_type_rank(a->type);
  IREE_RETURN_IF_ERROR(check_matrix(op, a->type));
  IREE_RETURN_IF_ERROR(check_matrix(op, rhs->type));
  bool left = ir_op_flag(op, "left_side"), lower = ir_op_flag(op, "lower"),
       unit = ir_op_flag(op, "unit_diagonal");
  bool transposed = !ir_str_is(ir_op_attr(op, "transpose_a"), "NO_TRANSPOSE");
  if (ir_type_rank(rhs->type) != rank ||
      ir_type_dim(a->type, rank - 1) != ir_type_dim(a->type, rank - 2) ||
      ir_type_dim(rhs->type, left ? rank - 2 : rank - 1) != ir_type_dim(a->type, rank - 1))
    return ir_op_error(op, "needs square matrices and right sides of their size");
  return input_lower_result(l, op, low_triangular_solve(l, a, rhs, left, lower, unit, transposed));
}
