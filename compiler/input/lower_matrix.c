// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cholesky factors and triangular systems, column by column: a loop on the host around two
// generics, one that sums what is known and one that puts the new column or row in place.
#include "compiler/input/lower_matrix.h"

// The lower factor of |a| of which the lower triangle counts. The status of a matrix is the number,
// counted from 1, of the first column without a positive pivot.
static ir_value_t *factor(const matrices_t *m, ir_value_t *a, ir_value_t **out_info) {
  lowering_t *l = m->l;
  extent_t n = low_extent(l, a, 0);
  ir_type_t i32 = ir_type_i(l->ctx, 32);
  ir_value_t *init[2] = {low_constant(m, own2(n, n), m->f, 0), low_constant(m, own_none(), i32, 0)};
  host_loop_t h = low_loop_begin(l, low_index(&l->b, 0), n.v, init, 2);
  ir_value_t *j = h.i, *done = h.carried[0], *next[2];
  // column[i] = a[i, j] - sum_k l[i, k] conj l[j, k]
  nest_t s = low_sum_begin(m, own1(n), n, m->f);
  ir_value_t *sum = low_sum_end(
      &s, low_mul(&s.b, low_at(&s, done, s.i, s.k), low_conj(&s.b, low_at(&s, done, j, s.k))));
  nest_t c = low_cells_begin(m, own1(n), m->f);
  ir_value_t *column =
      low_cells_end(&c, low_sub(&c.b, low_at(&c, a, c.i, j), low_at(&c, sum, c.i, NULL)));
  // Column j of the factor, the others as they are.
  c = low_cells_begin(m, own2(n, n), m->f);
  ir_value_t *pivot = low_op1(&c.b, OP_MATH_SQRT, low_real(&c.b, low_at(&c, column, j, NULL)));
  ir_value_t *inverse = low_op2(&c.b, OP_ARITH_DIVF, low_float(&c.b, m->real, 1), pivot);
  ir_value_t *below = m->f == m->real
                          ? low_op2(&c.b, OP_ARITH_DIVF, low_at(&c, column, c.i, NULL), pivot)
                          : low_scaled(&c.b, low_at(&c, column, c.i, NULL), inverse);
  ir_value_t *v =
      low_select(&c.b, low_cmpi(&c.b, "eq", c.i, j), low_of_real(&c.b, m->f, pivot), below);
  ir_value_t *here = low_both(&c.b, low_cmpi(&c.b, "eq", c.j, j), low_cmpi(&c.b, "sge", c.i, j));
  next[0] = low_cells_end(&c, low_select(&c.b, here, v, low_at(&c, done, c.i, c.j)));
  c = low_cells_begin(m, own_none(), i32);
  ir_value_t *before = low_at(&c, h.carried[1], NULL, NULL);
  ir_value_t *fails =
      low_cmpf(&c.b, "ule", low_real(&c.b, low_at(&c, column, j, NULL)), low_zero(&c.b, m->real));
  fails = low_both(&c.b, fails, low_cmpi(&c.b, "eq", before, low_int(&c.b, i32, 0)));
  ir_value_t *number =
      low_from_index(&c.b, low_op2(&c.b, OP_ARITH_ADDI, j, low_index(&c.b, 1)), i32);
  next[1] = low_cells_end(&c, low_select(&c.b, fails, number, before));
  low_loop_end(l, &h, next);
  if (out_info) *out_info = ir_result(h.op, 1);
  return ir_result(h.op, 0);
}
ir_value_t *low_cholesky(const matrices_t *m, ir_value_t *a, bool lower, ir_value_t **out_info) {
  a = factor(m, lower ? a : low_adjoint(m, a), out_info);
  return lower ? a : low_adjoint(m, a);
}
// As f32 where the elements are narrower, and back.
static ir_value_t *converted(lowering_t *l, ir_value_t *v, ir_type_t element) {
  ir_type_t from = ir_type_element(v->type), type = ir_type_with_element(l->ctx, v->type, element);
  if (from == element) return v;
  sizes_t sizes = low_sizes_like(l, type, v);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, &v, 1);
  return low_pointwise_end(l, &p, low_convert(&p.b, p.body->args[0], from, element));
}
static ir_value_t *widened(lowering_t *l, ir_value_t *v) {
  ir_type_t element = ir_is(v->type, IR_T_TENSOR) ? ir_type_element(v->type) : NULL;
  bool narrow = element && ir_type_is_float(element) && ir_type_width(element) < 32;
  return narrow ? converted(l, v, ir_type_float(l->ctx, IR_F32)) : v;
}
static iree_status_t give(lowering_t *l, ir_op_t *op, ir_value_t *v) {
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  return input_lower_result(l, op,
                            low_tensor_cast(l, converted(l, v, ir_type_element(type)), type));
}

iree_status_t input_lower_cholesky(lowering_t *l, ir_op_t *op) {
  ir_value_t *a = widened(l, lowered_operand(l, op, 0));
  IREE_RETURN_IF_ERROR(low_check_matrix(op, a->type));
  matrices_t m = low_matrices(l, a);
  IREE_RETURN_IF_ERROR(low_check_equal(l, op, a, m.n_batch, a, m.n_batch + 1));
  ir_attr_t lower = ir_op_attr(op, "lower");
  return give(l, op, low_cholesky(&m, a, lower && ir_int(lower, 0), NULL));
}

// x with a x = b for a triangular |a|, of which |lower| says which half counts.
static ir_value_t *solve(const matrices_t *m, ir_value_t *a, ir_value_t *rhs, bool lower,
                         bool unit) {
  lowering_t *l = m->l;
  extent_t n = low_extent(l, a, 0), columns = low_extent(l, rhs, 0);
  ir_value_t *start = low_constant(m, own2(n, columns), m->f, 0);
  host_loop_t h = low_loop_begin(l, low_index(&l->b, 0), n.v, &start, 1);
  ir_value_t *last = low_op2(&l->b, OP_ARITH_SUBI, n.v, low_index(&l->b, 1)), *x = h.carried[0];
  ir_value_t *row = lower ? h.i : low_op2(&l->b, OP_ARITH_SUBI, last, h.i);
  // sum_k a[row, k] x[k, c] over the rows known: those to come are zero, but 0 * inf is not.
  nest_t s = low_sum_begin(m, own1(columns), n, m->f);
  ir_value_t *product = low_mul(&s.b, low_at(&s, a, row, s.k), low_at(&s, x, s.k, s.i));
  ir_value_t *known = low_cmpi(&s.b, lower ? "slt" : "sgt", s.k, row);
  ir_value_t *sum = low_sum_end(&s, low_select(&s.b, known, product, low_zero(&s.b, m->f)));
  nest_t c = low_cells_begin(m, own2(n, columns), m->f);
  ir_value_t *v = low_sub(&c.b, low_at(&c, rhs, row, c.j), low_at(&c, sum, c.j, NULL));
  if (!unit) v = low_div(&c.b, v, low_at(&c, a, row, row));
  v = low_select(&c.b, low_cmpi(&c.b, "eq", c.i, row), v, low_at(&c, x, c.i, c.j));
  low_loop_end(l, &h, (ir_value_t *[]){low_cells_end(&c, v)});
  return ir_result(h.op, 0);
}
ir_value_t *low_triangular_solve(const matrices_t *m, ir_value_t *a, ir_value_t *rhs,
                                 triangular_t how) {
  // x a = b is a' x' = b'
  if (how.transposed == how.left)
    a = how.conjugate ? low_adjoint(m, a) : low_swapped(m->l, a), how.lower = !how.lower;
  else if (how.conjugate)
    a = low_adjoint(m, low_swapped(m->l, a));
  if (!how.left) rhs = low_swapped(m->l, rhs);
  ir_value_t *x = solve(m, a, rhs, how.lower, how.unit);
  return how.left ? x : low_swapped(m->l, x);
}
iree_status_t input_lower_triangular_solve(lowering_t *l, ir_op_t *op) {
  ir_value_t *a = widened(l, lowered_operand(l, op, 0)),
             *rhs = widened(l, lowered_operand(l, op, 1));
  IREE_RETURN_IF_ERROR(low_check_matrix(op, a->type));
  IREE_RETURN_IF_ERROR(low_check_matrix(op, rhs->type));
  ir_attr_t transpose = ir_op_attr(op, "transpose_a");
  triangular_t how = {
      .left = ir_op_flag(op, "left_side"),
      .lower = ir_op_flag(op, "lower"),
      .unit = ir_op_flag(op, "unit_diagonal"),
      .transposed = ir_str_is(transpose, "TRANSPOSE") || ir_str_is(transpose, "ADJOINT"),
      .conjugate = ir_str_is(transpose, "ADJOINT")};
  matrices_t m = low_matrices(l, a);
  if (ir_type_rank(rhs->type) != m.n_batch + 2 || ir_type_element(rhs->type) != m.f)
    return ir_op_error(op, "needs matrices and right sides of one rank and type");
  size_t side = m.n_batch + !how.left;
  IREE_RETURN_IF_ERROR(low_check_equal(l, op, a, m.n_batch, a, m.n_batch + 1));
  IREE_RETURN_IF_ERROR(low_check_equal(l, op, a, m.n_batch, rhs, side));
  for (size_t i = 0; i < m.n_batch; ++i) IREE_RETURN_IF_ERROR(low_check_equal(l, op, a, i, rhs, i));
  return give(l, op, low_triangular_solve(&m, a, rhs, how));
}
