// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Householder reflections I - tau v v*: QR factors, with column pivots or not, Hessenberg and
// tridiagonal forms, and the unitary matrices they stand for. Each round clears one column.
#include "compiler/input/lower_matrix.h"

typedef struct reflection {
  ir_value_t *v;           // a vector
  ir_value_t *tau, *beta;  // per matrix; beta is what the column's head becomes
} reflection_t;

// Clears what lies below row |head| in column |column| of |a|. Squares are of numbers scaled to 1.
static reflection_t reflection(const matrices_t *m, ir_value_t *a, ir_value_t *head,
                               ir_value_t *column) {
  extent_t rows = low_extent(m->l, a, 1);
  ir_type_t real = m->real;
  nest_t s = low_nest_begin(m, own_none(), &rows, &(nest_out_t){real, 0}, 1);
  ir_value_t *size = low_select(&s.b, low_cmpi(&s.b, "sge", s.k, head),
                                low_size(&s.b, low_at(&s, a, s.k, column)), low_zero(&s.b, real));
  ir_value_t *most = low_cells_end(&s, low_op2(&s.b, OP_ARITH_MAXIMUMF, s.acc[0], size));
  nest_t c = low_cells_begin(m, own_none(), real);
  most = low_at(&c, most, NULL, NULL);
  ir_value_t *least = low_float(&c.b, real, ir_type_width(real) == 64 ? 0x1p-1000 : 0x1p-120);
  most = low_select(&c.b, low_cmpf(&c.b, "olt", most, least), low_zero(&c.b, real),
                    low_op2(&c.b, OP_ARITH_DIVF, low_float(&c.b, real, 1), most));
  ir_value_t *scale = low_cells_end(&c, most);  // 0 where there is nothing
  s = low_sum_begin(m, own_none(), rows, real);
  ir_value_t *x = low_scaled(&s.b, low_at(&s, a, s.k, column), low_at(&s, scale, NULL, NULL));
  ir_value_t *below = low_cmpi(&s.b, "sgt", s.k, head);
  ir_value_t *squares =
      low_sum_end(&s, low_select(&s.b, below, low_norm2(&s.b, x), low_zero(&s.b, real)));
  nest_out_t outs[3] = {{m->f, 0}, {m->f, 0}, {m->f, 0}};
  c = low_nest_begin(m, own_none(), NULL, outs, 3);
  ir_builder_t *b = &c.b;
  ir_value_t *by = low_at(&c, scale, NULL, NULL), *tail = low_at(&c, squares, NULL, NULL);
  ir_value_t *own = low_at(&c, a, head, column), *alpha = low_scaled(b, own, by);
  ir_value_t *zero = low_zero(b, m->f), *one = low_number(b, m->f, 1);
  ir_value_t *norm = low_op1(b, OP_MATH_SQRT, low_op2(b, OP_ARITH_ADDF, low_norm2(b, alpha), tail));
  norm = low_op1(b, OP_ARITH_NEGF, low_op2(b, OP_MATH_COPYSIGN, norm, low_real(b, alpha)));
  ir_value_t *beta = low_of_real(b, m->f, norm),
             *unscaled = low_of_real(b, m->f, low_op2(b, OP_ARITH_DIVF, norm, by));
  ir_value_t *done = low_cmpf(b, "oeq", tail, low_zero(b, real));
  if (m->f != real)
    done = low_both(b, done, low_cmpf(b, "oeq", low_im(b, alpha), low_zero(b, real)));
  ir_value_t *values[3] = {low_select(b, done, own, unscaled),
                           low_select(b, done, zero, low_div(b, low_sub(b, beta, alpha), beta)),
                           low_select(b, done, zero, low_div(b, one, low_sub(b, alpha, beta)))},
             *r[3];
  low_nest_end(&c, values, r);
  nest_t n = low_cells_begin(m, own1(rows), m->f);
  ir_value_t *v = low_scaled(&n.b, low_at(&n, a, n.i, column), low_at(&n, scale, NULL, NULL));
  v = low_mul(&n.b, v, low_at(&n, r[2], NULL, NULL));
  v = low_select(&n.b, low_cmpi(&n.b, "eq", n.i, head), low_number(&n.b, m->f, 1), v);
  v = low_select(&n.b, low_cmpi(&n.b, "slt", n.i, head), low_zero(&n.b, m->f), v);
  return (reflection_t){.v = low_cells_end(&n, v), .tau = r[1], .beta = r[0]};
}
// |a| - tau v (v* a), tau conjugate if |adjoint|.
static ir_value_t *from_left(const matrices_t *m, const reflection_t *h, ir_value_t *a,
                             bool adjoint) {
  extent_t rows = low_extent(m->l, a, 1), columns = low_extent(m->l, a, 0);
  nest_t s = low_sum_begin(m, own1(columns), rows, m->f);
  ir_value_t *w = low_sum_end(
      &s, low_mul(&s.b, low_conj(&s.b, low_at(&s, h->v, s.k, NULL)), low_at(&s, a, s.k, s.i)));
  nest_t n = low_cells_begin(m, own2(rows, columns), m->f);
  ir_value_t *tau = low_at(&n, h->tau, NULL, NULL);
  if (adjoint) tau = low_conj(&n.b, tau);
  ir_value_t *pull =
      low_mul(&n.b, low_mul(&n.b, tau, low_at(&n, h->v, n.i, NULL)), low_at(&n, w, n.j, NULL));
  return low_cells_end(&n, low_sub(&n.b, low_at(&n, a, n.i, n.j), pull));
}
// |a| - tau (a v) v*
static ir_value_t *from_right(const matrices_t *m, const reflection_t *h, ir_value_t *a) {
  extent_t rows = low_extent(m->l, a, 1), columns = low_extent(m->l, a, 0);
  nest_t s = low_sum_begin(m, own1(rows), columns, m->f);
  ir_value_t *w =
      low_sum_end(&s, low_mul(&s.b, low_at(&s, a, s.i, s.k), low_at(&s, h->v, s.k, NULL)));
  nest_t n = low_cells_begin(m, own2(rows, columns), m->f);
  ir_value_t *pull =
      low_mul(&n.b, low_mul(&n.b, low_at(&n, h->tau, NULL, NULL), low_at(&n, w, n.i, NULL)),
              low_conj(&n.b, low_at(&n, h->v, n.j, NULL)));
  return low_cells_end(&n, low_sub(&n.b, low_at(&n, a, n.i, n.j), pull));
}
// |next| where row and column are beyond those done; column |k| keeps beta and v.
static ir_value_t *packed(const matrices_t *m, const reflection_t *h, ir_value_t *a,
                          ir_value_t *next, ir_value_t *head, ir_value_t *k) {
  nest_t n = low_cells_begin(m, own2(low_extent(m->l, a, 1), low_extent(m->l, a, 0)), m->f);
  ir_value_t *own = low_at(&n, a, n.i, n.j);
  ir_value_t *column = low_select(&n.b, low_cmpi(&n.b, "eq", n.i, head),
                                  low_at(&n, h->beta, NULL, NULL), low_at(&n, h->v, n.i, NULL));
  column = low_select(&n.b, low_cmpi(&n.b, "slt", n.i, head), own, column);
  ir_value_t *r =
      low_select(&n.b, low_cmpi(&n.b, "eq", n.j, k), column, low_at(&n, next, n.i, n.j));
  return low_cells_end(&n, low_select(&n.b, low_cmpi(&n.b, "slt", n.j, k), own, r));
}
static ir_value_t *with_element(const matrices_t *m, ir_value_t *vector, ir_value_t *k,
                                ir_value_t *value) {
  nest_t n = low_cells_begin(m, own1(low_extent(m->l, vector, 0)), ir_type_element(vector->type));
  return low_cells_end(&n,
                       low_select(&n.b, low_cmpi(&n.b, "eq", n.i, k), low_at(&n, value, NULL, NULL),
                                  low_at(&n, vector, n.i, NULL)));
}

// ---- pivots: the column with the largest rest comes next
static ir_value_t *largest_column(const matrices_t *m, ir_value_t *a, ir_value_t *k) {
  extent_t rows = low_extent(m->l, a, 1), columns = low_extent(m->l, a, 0);
  ir_type_t i64 = ir_type_i(m->l->ctx, 64);
  nest_t s = low_sum_begin(m, own1(columns), rows, m->real);
  ir_value_t *norms = low_sum_end(
      &s, low_select(&s.b, low_cmpi(&s.b, "sge", s.k, k), low_norm2(&s.b, low_at(&s, a, s.k, s.i)),
                     low_zero(&s.b, m->real)));
  nest_out_t outs[2] = {{m->real, -1}, {i64, 0}};
  nest_t n = low_nest_begin(m, own_none(), &columns, outs, 2);
  ir_value_t *norm = low_at(&n, norms, n.k, NULL), *r[2];
  ir_value_t *take =
      low_both(&n.b, low_cmpi(&n.b, "sge", n.k, k), low_cmpf(&n.b, "ogt", norm, n.acc[0]));
  ir_value_t *values[2] = {low_select(&n.b, take, norm, n.acc[0]),
                           low_select(&n.b, take, low_from_index(&n.b, n.k, i64), n.acc[1])};
  low_nest_end(&n, values, r);
  nest_t c = low_cells_begin(m, own_none(), i64);  // no number was larger: NaN
  return low_cells_end(&c, low_op2(&c.b, OP_ARITH_MAXSI, low_at(&c, r[1], NULL, NULL),
                                   low_from_index(&c.b, k, i64)));
}
// Which column comes to |j| when |k| and |pivot| change places.
static ir_value_t *exchanged(nest_t *n, ir_value_t *pivot, ir_value_t *k, ir_value_t *j) {
  ir_value_t *p = low_to_index(&n->b, low_at(n, pivot, NULL, NULL), ir_type_i(n->b.ctx, 64));
  return low_select(&n->b, low_cmpi(&n->b, "eq", j, k), p,
                    low_select(&n->b, low_cmpi(&n->b, "eq", j, p), k, j));
}

reflections_t low_reflections(const matrices_t *m, ir_value_t *a, reflect_t how) {
  lowering_t *l = m->l;
  ir_type_t i64 = ir_type_i(l->ctx, 64);
  extent_t rows = low_extent(l, a, 1), columns = low_extent(l, a, 0);
  extent_t steps = how == REFLECT_BOTH ? low_less_one(l, rows) : low_least(l, rows, columns);
  ir_value_t *init[3] = {a, low_constant(m, own1(steps), m->f, 0), NULL}, *next[3];
  if (how == REFLECT_PIVOTED) {
    nest_t n = low_cells_begin(m, own1(columns), i64);
    init[2] = low_cells_end(&n, low_from_index(&n.b, n.i, i64));
  }
  host_loop_t h =
      low_loop_begin(l, low_index(&l->b, 0), steps.v, init, how == REFLECT_PIVOTED ? 3 : 2);
  ir_value_t *k = h.i, *x = h.carried[0], *head = k;
  if (how == REFLECT_BOTH) head = low_op2(&l->b, OP_ARITH_ADDI, k, low_index(&l->b, 1));
  if (how == REFLECT_PIVOTED) {
    ir_value_t *pivot = largest_column(m, x, k);
    nest_t n = low_cells_begin(m, own2(rows, columns), m->f);
    ir_value_t *moved = low_cells_end(&n, low_at(&n, x, n.i, exchanged(&n, pivot, k, n.j)));
    n = low_cells_begin(m, own1(columns), i64);
    next[2] = low_cells_end(&n, low_at(&n, h.carried[2], exchanged(&n, pivot, k, n.i), NULL));
    x = moved;
  }
  reflection_t r = reflection(m, x, head, k);
  ir_value_t *reflected = from_left(m, &r, x, true);
  if (how == REFLECT_BOTH) reflected = from_right(m, &r, reflected);
  next[0] = packed(m, &r, x, reflected, head, k);
  next[1] = with_element(m, h.carried[1], k, r.tau);
  low_loop_end(l, &h, next);
  return (reflections_t){.packed = ir_result(h.op, 0),
                         .tau = ir_result(h.op, 1),
                         .pivots = how == REFLECT_PIVOTED ? ir_result(h.op, 2) : NULL};
}
// The last reflection comes first: the product is applied to columns of the identity.
ir_value_t *low_reflections_product(const matrices_t *m, ir_value_t *vectors, ir_value_t *tau,
                                    extent_t rows, extent_t columns, bool below) {
  lowering_t *l = m->l;
  extent_t steps = low_extent(l, tau, 0);
  ir_value_t *q = low_identity(m, rows, columns), *one = low_index(&l->b, 1);
  host_loop_t h = low_loop_begin(l, low_index(&l->b, 0), steps.v, &q, 1);
  ir_value_t *k = low_op2(&l->b, OP_ARITH_SUBI, low_op2(&l->b, OP_ARITH_SUBI, steps.v, one), h.i),
             *head = k;
  if (below) head = low_op2(&l->b, OP_ARITH_ADDI, k, one);
  nest_t n = low_cells_begin(m, own1(rows), m->f);
  ir_value_t *v = low_select(&n.b, low_cmpi(&n.b, "eq", n.i, head), low_number(&n.b, m->f, 1),
                             low_at(&n, vectors, n.i, k));
  v = low_select(&n.b, low_cmpi(&n.b, "slt", n.i, head), low_zero(&n.b, m->f), v);
  reflection_t r = {.v = low_cells_end(&n, v)};
  n = low_cells_begin(m, own_none(), m->f);
  r.tau = low_cells_end(&n, low_at(&n, tau, k, NULL));
  low_loop_end(l, &h, (ir_value_t *[]){from_left(m, &r, h.carried[0], false)});
  return ir_result(h.op, 0);
}
