// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tridiagonal forms of Hermitian matrices, and tridiagonal systems by elimination with row pivots.
#include "compiler/input/lower_matrix.h"

// ---- forms
static ir_value_t *back_to_front(nest_t *n, extent_t e, ir_value_t *i) {
  return low_op2(&n->b, OP_ARITH_SUBI, low_op2(&n->b, OP_ARITH_SUBI, e.v, low_index(&n->b, 1)), i);
}
static ir_value_t *flipped(const matrices_t *m, ir_value_t *a) {
  extent_t e = low_extent(m->l, a, 0);
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  return low_cells_end(&n, low_at(&n, a, back_to_front(&n, e, n.i), back_to_front(&n, e, n.j)));
}
static ir_value_t *flipped_vector(const matrices_t *m, ir_value_t *v) {
  extent_t e = low_extent(m->l, v, 0);
  nest_t n = low_cells_begin(m, own1(e), ir_type_element(v->type));
  return low_cells_end(&n, low_at(&n, v, back_to_front(&n, e, n.i), NULL));
}
// The upper half leads to the same from the other end.
tridiagonal_t low_tridiagonal(const matrices_t *m, ir_value_t *a, bool lower) {
  extent_t e = low_extent(m->l, a, 0);
  ir_value_t *from = lower ? a : flipped(m, a);
  reflections_t h = low_reflections(m, low_hermitian(m, from, true), REFLECT_BOTH);
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  ir_value_t *keep = low_cmpi(&n.b, "slt", n.i, n.j);
  tridiagonal_t r = {.tau = h.tau};
  r.packed = low_cells_end(
      &n, low_select(&n.b, keep, low_at(&n, from, n.i, n.j), low_at(&n, h.packed, n.i, n.j)));
  n = low_cells_begin(m, own1(e), m->real);
  r.diagonal = low_cells_end(&n, low_real(&n.b, low_at(&n, h.packed, n.i, n.i)));
  n = low_cells_begin(m, own1(low_extent(m->l, h.tau, 0)), m->real);
  ir_value_t *next = low_op2(&n.b, OP_ARITH_ADDI, n.i, low_index(&n.b, 1));
  r.beside = low_cells_end(&n, low_real(&n.b, low_at(&n, h.packed, next, n.i)));
  if (lower) return r;
  r.packed = flipped(m, r.packed), r.tau = flipped_vector(m, r.tau);
  r.diagonal = flipped_vector(m, r.diagonal), r.beside = flipped_vector(m, r.beside);
  return r;
}

// ---- systems: rows keep the diagonal and two numbers to its right
typedef struct system {
  ir_value_t *band, *x, *lower;  // n x 3, n x right sides, n
  ir_value_t *least;             // of pivots; NULL if they stay as they are
} system_t;
static ir_value_t *pivot(nest_t *n, const system_t *s, ir_value_t *v) {
  if (!s->least) return v;
  ir_builder_t *b = &n->b;
  ir_value_t *least = low_at(n, s->least, NULL, NULL),
             *small = low_cmpf(b, "olt", low_size(b, v), least);
  ir_value_t *back = low_cmpf(b, "olt", low_real(b, v), low_zero(b, n->m->real));
  least = low_of_real(b, n->m->f, least);
  return low_select(b, small, low_select(b, back, low_neg(b, least), least), v);
}
// One unit of the largest element.
static ir_value_t *least_pivot(const matrices_t *m, ir_value_t *const diagonals[3]) {
  extent_t e = low_extent(m->l, diagonals[1], 0);
  nest_t n = low_nest_begin(m, own_none(), &e, &(nest_out_t){m->real, 0}, 1);
  ir_value_t *most = n.acc[0];
  for (size_t i = 0; i < 3; ++i)
    most =
        low_op2(&n.b, OP_ARITH_MAXIMUMF, most, low_size(&n.b, low_at(&n, diagonals[i], n.k, NULL)));
  most = low_cells_end(&n, most);
  n = low_cells_begin(m, own_none(), m->real);
  return low_cells_end(&n, low_op2(&n.b, OP_ARITH_MULF, low_at(&n, most, NULL, NULL),
                                   low_float(&n.b, m->real, 2 * low_epsilon(m))));
}
static ir_value_t *initial_band(const matrices_t *m, ir_value_t *const diagonals[3]) {
  extent_t e = low_extent(m->l, diagonals[1], 0);
  nest_t n = low_cells_begin(m, own2(e, low_extent_of(m->l, 3)), m->f);
  ir_builder_t *b = &n.b;
  ir_value_t *last = low_op2(b, OP_ARITH_SUBI, e.v, low_index(b, 1));
  ir_value_t *right =
      low_both(b, low_cmpi(b, "eq", n.j, low_index(b, 1)), low_cmpi(b, "slt", n.i, last));
  ir_value_t *v = low_select(b, right, low_at(&n, diagonals[2], n.i, NULL), low_zero(b, m->f));
  return low_cells_end(&n, low_select(b, low_cmpi(b, "eq", n.j, low_index(b, 0)),
                                      low_at(&n, diagonals[1], n.i, NULL), v));
}
// Row k loses its place to the next one if that has the larger element; what remains is eliminated.
static void eliminate(const matrices_t *m, system_t *s, ir_value_t *k) {
  lowering_t *l = m->l;
  ir_type_t i1 = ir_type_i(l->ctx, 1);
  ir_value_t *next = low_op2(&l->b, OP_ARITH_ADDI, k, low_index(&l->b, 1)), *step[3],
             *zero = low_index(&l->b, 0), *one = low_index(&l->b, 1);
  nest_out_t outs[3] = {{i1, 0}, {m->f, 0}, {m->f, 0}};
  nest_t n = low_nest_begin(m, own_none(), NULL, outs, 3);
  ir_builder_t *b = &n.b;
  ir_value_t *upper = low_at(&n, s->band, k, zero), *under = low_at(&n, s->lower, next, NULL);
  ir_value_t *swap = low_cmpf(b, "ogt", low_size(b, under), low_size(b, upper));
  ir_value_t *head = pivot(&n, s, low_select(b, swap, under, upper));
  low_nest_end(
      &n, (ir_value_t *[]){swap, head, low_div(b, low_select(b, swap, upper, under), head)}, step);
  n = low_cells_begin(m, own2(low_extent(l, s->band, 1), low_extent(l, s->band, 0)), m->f);
  b = &n.b;
  swap = low_at(&n, step[0], NULL, NULL);
  ir_value_t *factor = low_at(&n, step[2], NULL, NULL), *none = low_zero(b, m->f);
  ir_value_t *a1 = low_at(&n, s->band, k, one), *c0 = low_at(&n, s->band, next, zero),
             *c1 = low_at(&n, s->band, next, one);
  ir_value_t *p1 = low_select(b, swap, c0, a1), *p2 = low_select(b, swap, c1, none);
  ir_value_t *o1 = low_select(b, swap, a1, c0), *o2 = low_select(b, swap, none, c1);
  ir_value_t *is0 = low_cmpi(b, "eq", n.j, zero), *is1 = low_cmpi(b, "eq", n.j, one);
  ir_value_t *first =
      low_select(b, is0, low_at(&n, step[1], NULL, NULL), low_select(b, is1, p1, p2));
  ir_value_t *second = low_select(b, is1, low_sub(b, o2, low_mul(b, factor, p2)), none);
  second = low_select(b, is0, low_sub(b, o1, low_mul(b, factor, p1)), second);
  ir_value_t *v =
      low_select(b, low_cmpi(b, "eq", n.i, next), second, low_at(&n, s->band, n.i, n.j));
  ir_value_t *band = low_cells_end(&n, low_select(b, low_cmpi(b, "eq", n.i, k), first, v));
  n = low_cells_begin(m, own2(low_extent(l, s->x, 1), low_extent(l, s->x, 0)), m->f);
  b = &n.b;
  swap = low_at(&n, step[0], NULL, NULL);
  ir_value_t *x0 = low_at(&n, s->x, k, n.j), *x1 = low_at(&n, s->x, next, n.j);
  first = low_select(b, swap, x1, x0);
  second =
      low_sub(b, low_select(b, swap, x0, x1), low_mul(b, low_at(&n, step[2], NULL, NULL), first));
  v = low_select(b, low_cmpi(b, "eq", n.i, next), second, low_at(&n, s->x, n.i, n.j));
  s->x = low_cells_end(&n, low_select(b, low_cmpi(b, "eq", n.i, k), first, v));
  s->band = band;
}
// x[k] from the two below it.
static ir_value_t *substitute(const matrices_t *m, const system_t *s, ir_value_t *x,
                              ir_value_t *k) {
  extent_t e = low_extent(m->l, x, 1);
  nest_t n = low_cells_begin(m, own2(e, low_extent(m->l, x, 0)), m->f);
  ir_builder_t *b = &n.b;
  ir_value_t *last = low_op2(b, OP_ARITH_SUBI, e.v, low_index(b, 1)), *v = low_at(&n, x, k, n.j);
  for (int64_t i = 1; i < 3; ++i) {
    ir_value_t *row = low_op2(b, OP_ARITH_ADDI, k, low_index(b, i)),
               *there = low_cmpi(b, "sle", row, last);
    row = low_op2(b, OP_ARITH_MINSI, row, last);
    ir_value_t *known =
        low_mul(b, low_at(&n, s->band, k, low_index(b, i)), low_at(&n, x, row, n.j));
    v = low_sub(b, v, low_select(b, there, known, low_zero(b, m->f)));
  }
  v = low_div(b, v, pivot(&n, s, low_at(&n, s->band, k, low_index(b, 0))));
  return low_cells_end(&n, low_select(b, low_cmpi(b, "eq", n.i, k), v, low_at(&n, x, n.i, n.j)));
}
// The number, counted from 1, of the first pivot that is zero.
static ir_value_t *first_zero(const matrices_t *m, ir_value_t *band) {
  ir_type_t i32 = ir_type_i(m->l->ctx, 32);
  extent_t e = low_extent(m->l, band, 1);
  nest_t n = low_nest_begin(m, own_none(), &e, &(nest_out_t){i32, INT32_MAX}, 1);
  ir_value_t *number =
      low_from_index(&n.b, low_op2(&n.b, OP_ARITH_ADDI, n.k, low_index(&n.b, 1)), i32);
  ir_value_t *fails =
      low_cmpf(&n.b, "oeq", low_size(&n.b, low_at(&n, band, n.k, low_index(&n.b, 0))),
               low_zero(&n.b, m->real));
  number = low_select(&n.b, fails, number, low_int(&n.b, i32, INT32_MAX));
  ir_value_t *first = low_cells_end(&n, low_op2(&n.b, OP_ARITH_MINSI, n.acc[0], number));
  n = low_cells_begin(m, own_none(), i32);
  first = low_at(&n, first, NULL, NULL);
  ir_value_t *none = low_cmpi(&n.b, "eq", first, low_int(&n.b, i32, INT32_MAX));
  return low_cells_end(&n, low_select(&n.b, none, low_int(&n.b, i32, 0), first));
}
ir_value_t *low_tridiagonal_solve(const matrices_t *m, ir_value_t *const diagonals[3],
                                  ir_value_t *rhs, bool perturb, ir_value_t **out_info) {
  lowering_t *l = m->l;
  extent_t e = low_extent(l, rhs, 1);
  system_t s = {.band = initial_band(m, diagonals), .x = rhs, .lower = diagonals[0]};
  if (perturb) s.least = least_pivot(m, diagonals);
  ir_value_t *zero = low_index(&l->b, 0);
  host_loop_t h = low_loop_begin(l, zero, low_less_one(l, e).v, (ir_value_t *[]){s.band, s.x}, 2);
  s.band = h.carried[0], s.x = h.carried[1];
  eliminate(m, &s, h.i);
  low_loop_end(l, &h, (ir_value_t *[]){s.band, s.x});
  s.band = ir_result(h.op, 0), s.x = ir_result(h.op, 1);
  h = low_loop_begin(l, zero, e.v, &s.x, 1);
  ir_value_t *last = low_op2(&l->b, OP_ARITH_SUBI, e.v, low_index(&l->b, 1));
  ir_value_t *k = low_op2(&l->b, OP_ARITH_SUBI, last, h.i);
  low_loop_end(l, &h, (ir_value_t *[]){substitute(m, &s, h.carried[0], k)});
  if (out_info) *out_info = first_zero(m, s.band);
  return ir_result(h.op, 0);
}
