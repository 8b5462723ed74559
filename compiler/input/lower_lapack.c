// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The LAPACK routines that JAX calls by name on CPU, as loops over columns: LU with row pivots
// (getrf), Householder QR (geqrf, orgqr), Cholesky (potrf), triangular systems (trsm). Status
// results are 0: failures show as NaN or infinity in the values.
#include <string.h>

#include "compiler/input/lower_matrix.h"

static ir_value_t *and_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_ANDI, x, y);
}
static ir_value_t *zeros(lowering_t *l, ir_type_t type) {
  sizes_t none = sizes_none();
  return low_filled(l, type, &none, low_zero(&l->b, ir_type_element(type)));
}
// |v| of rank |n| at batch indices |at| and then |i| and, if given, |j|.
static ir_value_t *element(ir_builder_t *b, ir_value_t *v, ir_value_t *const *at, size_t n_batch,
                           ir_value_t *i, ir_value_t *j) {
  ir_value_t *full[HLO_MAX_RANK];
  memcpy(full, at, n_batch * sizeof *full);
  if (i) full[n_batch++] = i;
  if (j) full[n_batch++] = j;
  return low_extract(b, v, full, n_batch);
}
static ir_type_t without_last(lowering_t *l, ir_type_t type, size_t n, ir_type_t of) {
  return ir_type_tensor(l->ctx, ir_type_dims(type), ir_type_rank(type) - n,
                        of ? of : ir_type_element(type), NULL);
}
// A reduction over one more loop of |extent|, nothing read through maps: the caller extracts.
static ir_op_t *fold_over(lowering_t *l, ir_value_t *const *outs, size_t n_outs, int64_t extent) {
  size_t rank = ir_type_rank(outs[0]->type);
  ir_expr_t exprs[HLO_MAX_RANK + 1];
  bool parallel[HLO_MAX_RANK + 1];
  for (size_t i = 0; i <= rank; ++i) exprs[i] = ir_expr_dim(l->ctx, i), parallel[i] = i < rank;
  sizes_t none = sizes_none();
  ir_value_t *space = low_empty(l, ir_type_tensor(l->ctx, &extent, 1, ir_type_i(l->ctx, 8), NULL),
                                &none);  // never read
  ir_attr_t maps[4] = {ir_attr_map(l->ctx, rank + 1, 0, exprs + rank, 1)};
  for (size_t i = 0; i < n_outs; ++i) maps[i + 1] = ir_attr_map(l->ctx, rank + 1, 0, exprs, rank);
  return linalg_build_generic(&l->b, &space, 1, outs, n_outs, maps, parallel, rank + 1);
}

// ---- getrf
static iree_status_t lower_getrf(lowering_t *l, ir_op_t *op, ir_value_t *a) {
  ir_type_t type = a->type, f = ir_type_element(type), i64 = ir_type_i(l->ctx, 64),
            index = ir_type_index(l->ctx);
  ir_type_t pivots_type = low_type(l->ctx, ir_result(op, 1)->type),
            batch_type = without_last(l, type, 2, NULL);
  size_t n_batch = ir_type_rank(type) - 2;
  int64_t m = ir_type_dim(type, n_batch), n = ir_type_dim(type, n_batch + 1), steps = m < n ? m : n;
  host_loop_t h = low_loop_begin(l, steps, (ir_value_t *[]){a, zeros(l, pivots_type)}, 2);
  ir_value_t *k = h.i, *lu = h.carried[0], *at[HLO_MAX_RANK];
  // The row of the largest element at or below the diagonal.
  ir_value_t *outs[2] = {zeros(l, batch_type), zeros(l, without_last(l, type, 2, i64))};
  sizes_t none = sizes_none();
  outs[0] = low_filled(l, batch_type, &none, low_float(&l->b, f, -1));
  ir_op_t *g = fold_over(l, outs, 2, m);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  for (size_t i = 0; i < n_batch; ++i) at[i] = low_loop_index(&b, i);
  ir_value_t *row = low_loop_index(&b, n_batch), *best = ir_body(g)->args[1],
             *where = ir_body(g)->args[2];
  ir_value_t *size = low_op1(&b, OP_MATH_ABSF, element(&b, lu, at, n_batch, row, k));
  ir_value_t *take = and_(&b, low_cmpi(&b, "sge", row, k), low_cmpf(&b, "ogt", size, best));
  ir_value_t *r[2] = {low_select(&b, take, size, best),
                      low_select(&b, take, low_from_index(&b, row, i64), where)};
  linalg_build_yield(l->ctx, g, r, 2, l->b.loc);
  ir_value_t *pivot = ir_result(g, 1);
  // Rows k and p change places; rows below lose their multiple of row k.
  pointwise_t p = low_pointwise_begin(l, type, &none, NULL, 0);
  for (size_t i = 0; i < n_batch; ++i) at[i] = low_loop_index(&p.b, i);
  ir_value_t *i = low_loop_index(&p.b, n_batch), *j = low_loop_index(&p.b, n_batch + 1);
  ir_value_t *top = ir_build1(&p.b, OP_ARITH_INDEX_CAST, index,
                              element(&p.b, pivot, at, n_batch, NULL, NULL), NULL, NULL);
  top = low_op2(&p.b, OP_ARITH_MAXSI, top, k);  // no number was larger: NaN
  ir_value_t *from = low_select(&p.b, low_cmpi(&p.b, "eq", i, k), top,
                                low_select(&p.b, low_cmpi(&p.b, "eq", i, top), k, i));
  ir_value_t *own = element(&p.b, lu, at, n_batch, from, j),
             *head = element(&p.b, lu, at, n_batch, from, k);
  ir_value_t *diagonal = element(&p.b, lu, at, n_batch, top, k),
             *above = element(&p.b, lu, at, n_batch, top, j);
  ir_value_t *singular = low_cmpf(&p.b, "oeq", diagonal, low_zero(&p.b, f));
  ir_value_t *factor =
      low_select(&p.b, singular, head, low_op2(&p.b, OP_ARITH_DIVF, head, diagonal));
  ir_value_t *below = low_cmpi(&p.b, "sgt", i, k);
  ir_value_t *v =
      low_select(&p.b, low_cmpi(&p.b, "eq", j, k), factor,
                 low_op2(&p.b, OP_ARITH_SUBF, own, low_op2(&p.b, OP_ARITH_MULF, factor, above)));
  v = low_select(&p.b, and_(&p.b, below, low_cmpi(&p.b, "sge", j, k)), v, own);
  ir_value_t *next = low_pointwise_end(l, &p, v);
  p = low_pointwise_begin(l, pivots_type, &none, &h.carried[1], 1);
  for (size_t d = 0; d < n_batch; ++d) at[d] = low_loop_index(&p.b, d);
  ir_value_t *number = low_op2(&p.b, OP_ARITH_MAXSI, element(&p.b, pivot, at, n_batch, NULL, NULL),
                               low_from_index(&p.b, k, i64));
  number = low_convert(&p.b, low_op2(&p.b, OP_ARITH_ADDI, number, low_int(&p.b, i64, 1)), i64,
                       ir_type_element(pivots_type));  // counted from 1
  ir_value_t *here = low_cmpi(&p.b, "eq", low_loop_index(&p.b, n_batch), k);
  ir_value_t *rows = low_pointwise_end(l, &p, low_select(&p.b, here, number, p.body->args[0]));
  low_loop_end(l, &h, (ir_value_t *[]){next, rows});
  set_lowered(l, ir_result(op, 0), ir_result(h.op, 0));
  set_lowered(l, ir_result(op, 1), ir_result(h.op, 1));
  set_lowered(l, ir_result(op, 2), zeros(l, low_type(l->ctx, ir_result(op, 2)->type)));
  return iree_ok_status();
}

// ---- Householder reflections: H = I - tau v v', v_k = 1, v_i below the diagonal of column k
// sum over rows i >= k of v_i x[i, j]
static ir_value_t *project(lowering_t *l, ir_value_t *vectors, ir_value_t *scale, ir_value_t *x,
                           ir_value_t *k) {
  ir_type_t type = x->type, f = ir_type_element(type);
  size_t n_batch = ir_type_rank(type) - 2;
  int64_t dims[HLO_MAX_RANK];
  for (size_t i = 0; i < n_batch; ++i) dims[i] = ir_type_dim(type, i);
  dims[n_batch] = ir_type_dim(type, n_batch + 1);
  ir_value_t *out = zeros(l, ir_type_tensor(l->ctx, dims, n_batch + 1, f, NULL)), *at[HLO_MAX_RANK];
  ir_op_t *g = fold_over(l, &out, 1, ir_type_dim(type, n_batch));
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  for (size_t i = 0; i < n_batch; ++i) at[i] = low_loop_index(&b, i);
  ir_value_t *j = low_loop_index(&b, n_batch), *i = low_loop_index(&b, n_batch + 1);
  ir_value_t *v = element(&b, vectors, at, n_batch, i, k);
  if (scale) v = low_op2(&b, OP_ARITH_MULF, v, element(&b, scale, at, n_batch, NULL, NULL));
  v = low_select(&b, low_cmpi(&b, "eq", i, k), low_float(&b, f, 1), v);
  v = low_op2(&b, OP_ARITH_MULF, v, element(&b, x, at, n_batch, i, j));
  v = low_select(&b, low_cmpi(&b, "sge", i, k), v, low_zero(&b, f));
  v = low_op2(&b, OP_ARITH_ADDF, ir_body(g)->args[1], v);
  linalg_build_yield(l->ctx, g, &v, 1, l->b.loc);
  return ir_result(g, 0);
}
static iree_status_t lower_geqrf(lowering_t *l, ir_op_t *op, ir_value_t *a) {
  ir_type_t type = a->type, f = ir_type_element(type),
            tau_type = low_type(l->ctx, ir_result(op, 1)->type),
            batch_type = without_last(l, type, 2, NULL);
  size_t n_batch = ir_type_rank(type) - 2;
  int64_t m = ir_type_dim(type, n_batch), n = ir_type_dim(type, n_batch + 1);
  sizes_t none = sizes_none();
  host_loop_t h = low_loop_begin(l, m < n ? m : n, (ir_value_t *[]){a, zeros(l, tau_type)}, 2);
  ir_value_t *k = h.i, *x = h.carried[0], *at[HLO_MAX_RANK], *out = zeros(l, batch_type);
  ir_op_t *g = fold_over(l, &out, 1, m);  // squares below the diagonal
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  for (size_t i = 0; i < n_batch; ++i) at[i] = low_loop_index(&b, i);
  ir_value_t *i = low_loop_index(&b, n_batch), *v = element(&b, x, at, n_batch, i, k);
  v = low_select(&b, low_cmpi(&b, "sgt", i, k), low_op2(&b, OP_ARITH_MULF, v, v), low_zero(&b, f));
  v = low_op2(&b, OP_ARITH_ADDF, ir_body(g)->args[1], v);
  linalg_build_yield(l->ctx, g, &v, 1, l->b.loc);
  ir_value_t *squares = ir_result(g, 0), *of_column[3];  // beta, tau, 1 / (alpha - beta)
  for (int which = 0; which < 3; ++which) {
    pointwise_t p = low_pointwise_begin(l, batch_type, &none, &squares, 1);
    for (size_t d = 0; d < n_batch; ++d) at[d] = low_loop_index(&p.b, d);
    ir_value_t *alpha = element(&p.b, x, at, n_batch, k, k), *s = p.body->args[0],
               *zero = low_zero(&p.b, f), *r;
    ir_value_t *norm =
        low_op1(&p.b, OP_MATH_SQRT,
                low_op2(&p.b, OP_ARITH_ADDF, low_op2(&p.b, OP_ARITH_MULF, alpha, alpha), s));
    ir_value_t *beta = low_op1(&p.b, OP_ARITH_NEGF, low_op2(&p.b, OP_MATH_COPYSIGN, norm, alpha)),
               *done = low_cmpf(&p.b, "oeq", s, zero);
    if (which == 0)
      r = low_select(&p.b, done, alpha, beta);
    else if (which == 1)
      r = low_select(&p.b, done, zero,
                     low_op2(&p.b, OP_ARITH_DIVF, low_op2(&p.b, OP_ARITH_SUBF, beta, alpha), beta));
    else
      r = low_select(&p.b, done, zero,
                     low_op2(&p.b, OP_ARITH_DIVF, low_float(&p.b, f, 1),
                             low_op2(&p.b, OP_ARITH_SUBF, alpha, beta)));
    of_column[which] = low_pointwise_end(l, &p, r);
  }
  ir_value_t *w = project(l, x, of_column[2], x, k);
  pointwise_t p = low_pointwise_begin(l, type, &none, &x, 1);
  for (size_t d = 0; d < n_batch; ++d) at[d] = low_loop_index(&p.b, d);
  ir_value_t *row = low_loop_index(&p.b, n_batch), *col = low_loop_index(&p.b, n_batch + 1),
             *own = p.body->args[0];
  ir_value_t *vi = low_op2(&p.b, OP_ARITH_MULF, element(&p.b, x, at, n_batch, row, k),
                           element(&p.b, of_column[2], at, n_batch, NULL, NULL));
  ir_value_t *on = low_cmpi(&p.b, "eq", row, k),
             *unit = low_select(&p.b, on, low_float(&p.b, f, 1), vi);
  ir_value_t *pull = low_op2(
      &p.b, OP_ARITH_MULF,
      low_op2(&p.b, OP_ARITH_MULF, element(&p.b, of_column[1], at, n_batch, NULL, NULL), unit),
      element(&p.b, w, at, n_batch, col, NULL));
  ir_value_t *column =
      low_select(&p.b, on, element(&p.b, of_column[0], at, n_batch, NULL, NULL), vi);
  ir_value_t *r = low_select(&p.b, low_cmpi(&p.b, "eq", col, k), column,
                             low_op2(&p.b, OP_ARITH_SUBF, own, pull));
  r = low_select(&p.b, and_(&p.b, low_cmpi(&p.b, "sge", row, k), low_cmpi(&p.b, "sge", col, k)), r,
                 own);
  ir_value_t *next = low_pointwise_end(l, &p, r);
  p = low_pointwise_begin(l, tau_type, &none, &h.carried[1], 1);
  for (size_t d = 0; d < n_batch; ++d) at[d] = low_loop_index(&p.b, d);
  r = low_select(&p.b, low_cmpi(&p.b, "eq", low_loop_index(&p.b, n_batch), k),
                 element(&p.b, of_column[1], at, n_batch, NULL, NULL), p.body->args[0]);
  ir_value_t *tau = low_pointwise_end(l, &p, r);
  low_loop_end(l, &h, (ir_value_t *[]){next, tau});
  set_lowered(l, ir_result(op, 0), ir_result(h.op, 0));
  set_lowered(l, ir_result(op, 1), ir_result(h.op, 1));
  return iree_ok_status();
}
// Q = H_0 H_1 ... applied to the first columns of the identity, last reflection first.
static iree_status_t lower_orgqr(lowering_t *l, ir_op_t *op, ir_value_t *a, ir_value_t *tau) {
  ir_type_t type = a->type, f = ir_type_element(type);
  size_t n_batch = ir_type_rank(type) - 2;
  sizes_t none = sizes_none();
  pointwise_t p = low_pointwise_begin(l, type, &none, NULL, 0);
  ir_value_t *eye = low_cmpi(&p.b, "eq", low_loop_index(&p.b, n_batch),
                             low_loop_index(&p.b, n_batch + 1)),
             *at[HLO_MAX_RANK];
  ir_value_t *q =
      low_pointwise_end(l, &p, low_select(&p.b, eye, low_float(&p.b, f, 1), low_zero(&p.b, f)));
  int64_t n = ir_type_dim(tau->type, ir_type_rank(tau->type) - 1);
  host_loop_t h = low_loop_begin(l, n, &q, 1);
  ir_value_t *k = low_op2(&l->b, OP_ARITH_SUBI, low_index(&l->b, n - 1), h.i),
             *w = project(l, a, NULL, h.carried[0], k);
  p = low_pointwise_begin(l, type, &none, &h.carried[0], 1);
  for (size_t d = 0; d < n_batch; ++d) at[d] = low_loop_index(&p.b, d);
  ir_value_t *row = low_loop_index(&p.b, n_batch), *col = low_loop_index(&p.b, n_batch + 1),
             *own = p.body->args[0];
  ir_value_t *v = low_select(&p.b, low_cmpi(&p.b, "eq", row, k), low_float(&p.b, f, 1),
                             element(&p.b, a, at, n_batch, row, k));
  v = low_op2(&p.b, OP_ARITH_MULF,
              low_op2(&p.b, OP_ARITH_MULF, element(&p.b, tau, at, n_batch, k, NULL), v),
              element(&p.b, w, at, n_batch, col, NULL));
  v = low_select(&p.b, low_cmpi(&p.b, "sge", row, k), low_op2(&p.b, OP_ARITH_SUBF, own, v), own);
  low_loop_end(l, &h, (ir_value_t *[]){low_pointwise_end(l, &p, v)});
  set_lowered(l, ir_result(op, 0), ir_result(h.op, 0));
  return iree_ok_status();
}

// ---- by name
static char option(const ir_op_t *op, const char *name, char absent) {
  ir_attr_t config = ir_op_attr(op, "mhlo.backend_config");
  if (!config) config = ir_op_attr(op, "backend_config");
  ir_attr_t value = ir_is(config, IR_A_DICT) ? ir_dict_get(config, name) : NULL;
  return ir_is(value, IR_A_INT) ? (char)ir_int(value, 0) : absent;
}
static bool is_matrix(ir_type_t type) {
  return ir_is(type, IR_T_TENSOR) && ir_type_rank(type) >= 2 &&
         ir_type_rank(type) + 1 < HLO_MAX_RANK && ir_type_is_static(type) &&
         ir_type_is_float(ir_type_element(type));
}
iree_status_t low_lapack(lowering_t *l, ir_op_t *op, bool *out_done) {
  static const char *const names[] = {"getrf_ffi", "geqrf_ffi", "orgqr_ffi", "potrf_ffi",
                                      "trsm_ffi"};
  const char *name = ir_bytes(ir_op_attr(op, "call_target_name"));
  size_t which = 0;
  *out_done = false;
  if (strncmp(name, "lapack_", 7) || (name[7] != 's' && name[7] != 'd')) return iree_ok_status();
  while (which < 5 && strcmp(name + 8, names[which])) ++which;
  if (which == 5) return iree_ok_status();
  static const uint32_t n_operands[] = {1, 1, 2, 1, 2}, n_results[] = {3, 2, 1, 2, 1};
  if (op->n_operands != n_operands[which] || op->n_results != n_results[which] ||
      !is_matrix(ir_operand(op, 0)->type))
    return ir_op_error(op, "calls '%s' with operands or results that it does not have", name);
  ir_value_t *a = lowered_operand(l, op, 0);
  size_t rank = ir_type_rank(a->type);
  int64_t m = ir_type_dim(a->type, rank - 2), n = ir_type_dim(a->type, rank - 1);
  ir_type_t second = op->n_results > 1 ? ir_result(op, 1)->type : NULL;
  bool vector = !second || (ir_is(second, IR_T_TENSOR) && ir_type_rank(second) == rank - 1 &&
                            ir_type_dim(second, rank - 2) == (m < n ? m : n));
  *out_done = true;
  if (which < 2 && !vector)
    return ir_op_error(op, "calls '%s' for a second result of another shape", name);
  switch (which) {
    case 0:
      return lower_getrf(l, op, a);
    case 1:
      return lower_geqrf(l, op, a);
    case 2: {
      ir_type_t tau = ir_operand(op, 1)->type;
      if (!ir_is(tau, IR_T_TENSOR) || ir_type_rank(tau) != rank - 1 || !ir_type_is_static(tau) ||
          ir_type_dim(tau, rank - 2) > n || m < n ||
          ir_result(op, 0)->type != ir_operand(op, 0)->type)
        return ir_op_error(op, "calls '%s' with shapes that do not fit", name);
      return lower_orgqr(l, op, a, lowered_operand(l, op, 1));
    }
    case 3:
      if (m != n || !ir_is(second, IR_T_TENSOR) || !ir_type_is_static(second))
        return ir_op_error(op, "needs square matrices and a static status");
      set_lowered(l, ir_result(op, 0), low_cholesky(l, a, option(op, "uplo", 'L') != 'U'));
      set_lowered(l, ir_result(op, 1), zeros(l, low_type(l->ctx, second)));
      return iree_ok_status();
    default: {
      ir_value_t *rhs = lowered_operand(l, op, 1);
      bool left = option(op, "side", 'L') != 'R';
      if (m != n || !is_matrix(rhs->type) || ir_type_rank(rhs->type) != rank ||
          ir_type_dim(rhs->type, left ? rank - 2 : rank - 1) != n)
        return ir_op_error(op, "needs square matrices and right sides of their size");
      return input_lower_result(
          l, op,
          low_triangular_solve(l, a, rhs, left, option(op, "uplo", 'L') != 'U',
                               option(op, "diag", 'N') == 'U', option(op, "trans_x", 'N') != 'N'));
    }
  }
}
