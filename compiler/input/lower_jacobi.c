// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues of Hermitian matrices and singular values by Jacobi's rotations. A sweep meets every
// pair of columns once, in rounds of disjoint pairs (a round-robin tournament), so that a round is
// a few generics over all pairs; sweeps go on until one turns nothing.
//   a Hermitian: J* a J clears a[p, q]          any a: a J makes columns p and q orthogonal
#include "compiler/input/lower_matrix.h"

enum { MAX_SWEEPS = 30 };

// ---- pairs: |players| is even; the last one stays in its place, the others go round
typedef struct tournament {
  extent_t n;
  ir_value_t *last;  // number of the last player, and of rounds
  ir_value_t *half;  // of the players
} tournament_t;
static tournament_t tournament(lowering_t *l, extent_t n) {
  ir_value_t *one = low_index(&l->b, 1), *two = low_index(&l->b, 2);
  tournament_t t = {.n = n};
  t.half = low_op2(&l->b, OP_ARITH_DIVUI, low_op2(&l->b, OP_ARITH_ADDI, n.v, one), two);
  t.half = low_op2(&l->b, OP_ARITH_MAXSI, t.half, one);
  t.last = low_op2(&l->b, OP_ARITH_SUBI, low_op2(&l->b, OP_ARITH_MULI, t.half, two), one);
  return t;
}
typedef struct pair {
  ir_value_t *other;  // the column itself if it rests
  ir_value_t *low, *high, *is_low;
} pair_t;
static pair_t pair_of(ir_builder_t *b, const tournament_t *t, ir_value_t *round, ir_value_t *i) {
  ir_value_t *of_last =
      low_op2(b, OP_ARITH_REMUI, low_op2(b, OP_ARITH_MULI, round, t->half), t->last);
  ir_value_t *sum = low_op2(b, OP_ARITH_SUBI, low_op2(b, OP_ARITH_ADDI, round, t->last), i);
  ir_value_t *other = low_op2(b, OP_ARITH_REMUI, sum, t->last);
  other = low_select(b, low_cmpi(b, "eq", other, i), t->last, other);
  other = low_select(b, low_cmpi(b, "eq", i, t->last), of_last, other);
  other = low_select(b, low_cmpi(b, "slt", other, t->n.v), other, i);
  return (pair_t){.other = other,
                  .low = low_op2(b, OP_ARITH_MINSI, i, other),
                  .high = low_op2(b, OP_ARITH_MAXSI, i, other),
                  .is_low = low_cmpi(b, "slt", i, other)};
}

// ---- rotations: to column i come |own| times itself and |others| times its partner
typedef struct rotations {
  ir_value_t *own, *others, *turned;  // per column
} rotations_t;
// For the pair's part [p, g; conj g, q] of a Hermitian matrix; nothing turns unless |active|.
static void rotation(nest_t *n, const pair_t *pair, ir_value_t *p, ir_value_t *q, ir_value_t *g,
                     ir_value_t *active, ir_value_t *before, ir_value_t **values) {
  const matrices_t *m = n->m;
  ir_builder_t *b = &n->b;
  ir_value_t *one = low_float(b, m->real, 1), *size = low_abs(b, g);
  ir_value_t *tau = low_op2(b, OP_ARITH_DIVF, low_op2(b, OP_ARITH_SUBF, q, p),
                            low_op2(b, OP_ARITH_ADDF, size, size));
  ir_value_t *steep = low_op1(b, OP_MATH_ABSF, tau);
  ir_value_t *root =
      low_op1(b, OP_MATH_SQRT, low_op2(b, OP_ARITH_ADDF, one, low_op2(b, OP_ARITH_MULF, tau, tau)));
  // Where the square would overflow, the root is the number itself.
  ir_value_t *far = low_cmpf(b, "ogt", steep, low_float(b, m->real, 1 / low_epsilon(m)));
  root = low_op2(b, OP_ARITH_ADDF, steep, low_select(b, far, steep, root));
  ir_value_t *t = low_op2(b, OP_MATH_COPYSIGN, low_op2(b, OP_ARITH_DIVF, one, root), tau);
  ir_value_t *c = low_op2(
      b, OP_ARITH_DIVF, one,
      low_op1(b, OP_MATH_SQRT, low_op2(b, OP_ARITH_ADDF, one, low_op2(b, OP_ARITH_MULF, t, t))));
  ir_value_t *s = low_op2(b, OP_ARITH_MULF, t, c);
  ir_value_t *phase = low_scaled(b, g, low_op2(b, OP_ARITH_DIVF, s, size));
  phase = low_select(b, pair->is_low, low_neg(b, low_conj(b, phase)), phase);
  // What is added stays small for small angles, and so does its rounding: cos - 1 = -sin^2 / (1 +
  // cos).
  ir_value_t *less =
      low_op2(b, OP_ARITH_DIVF, low_op2(b, OP_ARITH_MULF, s, s), low_op2(b, OP_ARITH_ADDF, one, c));
  values[0] = low_select(b, active, low_op1(b, OP_ARITH_NEGF, less), low_float(b, m->real, 0));
  values[1] = low_select(b, active, phase, low_zero(b, m->f));
  values[2] = low_op2(b, OP_ARITH_ORI, before, active);
}
static void rotation_outs(const matrices_t *m, nest_out_t *outs) {
  outs[0] = (nest_out_t){m->real, 0}, outs[1] = (nest_out_t){m->f, 0};
  outs[2] = (nest_out_t){ir_type_i(m->l->ctx, 1), 0};
}
static ir_value_t *turned_element(nest_t *n, const rotations_t *r, ir_value_t *i, ir_value_t *own,
                                  ir_value_t *other, bool adjoint) {
  ir_value_t *others = low_at(n, r->others, i, NULL);
  if (adjoint) others = low_conj(&n->b, others);
  ir_value_t *more = low_scaled(&n->b, own, low_at(n, r->own, i, NULL));
  return low_add(&n->b, own, low_add(&n->b, more, low_mul(&n->b, other, others)));
}
static ir_value_t *turn_columns(const matrices_t *m, const tournament_t *t, const rotations_t *r,
                                ir_value_t *round, ir_value_t *a) {
  nest_t n = low_cells_begin(m, own2(low_extent(m->l, a, 1), t->n), m->f);
  pair_t pair = pair_of(&n.b, t, round, n.j);
  return low_cells_end(&n, turned_element(&n, r, n.j, low_at(&n, a, n.i, n.j),
                                          low_at(&n, a, n.i, pair.other), false));
}

// ---- the order of |values|: which comes at each place
static ir_value_t *order(const matrices_t *m, ir_value_t *values, bool falling) {
  ir_type_t i64 = ir_type_i(m->l->ctx, 64);
  extent_t n = low_extent(m->l, values, 0);
  nest_t c = low_sum_begin(m, own1(n), n, i64);
  ir_value_t *own = low_at(&c, values, c.i, NULL), *other = low_at(&c, values, c.k, NULL);
  ir_value_t *before = falling ? low_precedes(&c.b, own, other) : low_precedes(&c.b, other, own);
  ir_value_t *after = falling ? low_precedes(&c.b, other, own) : low_precedes(&c.b, own, other);
  ir_value_t *tie = low_both(&c.b, low_not(&c.b, after), low_cmpi(&c.b, "slt", c.k, c.i));
  before = low_op2(&c.b, OP_ARITH_ORI, before, tie);
  ir_value_t *place = low_sum_end(&c, ir_build1(&c.b, OP_ARITH_EXTUI, i64, before, NULL, NULL));
  c = low_sum_begin(m, own1(n), n, i64);
  ir_value_t *here =
      low_cmpi(&c.b, "eq", low_at(&c, place, c.k, NULL), low_from_index(&c.b, c.i, i64));
  return low_sum_end(&c,
                     low_select(&c.b, here, low_from_index(&c.b, c.k, i64), low_int(&c.b, i64, 0)));
}
static ir_value_t *nth(nest_t *n, ir_value_t *places, ir_value_t *i) {
  return low_to_index(&n->b, low_at(n, places, i, NULL), ir_type_i(n->b.ctx, 64));
}
// The first |count| of them.
static ir_value_t *in_order(const matrices_t *m, ir_value_t *values, ir_value_t *places,
                            extent_t count) {
  nest_t n = low_cells_begin(m, own1(count), ir_type_element(values->type));
  return low_cells_end(&n, low_at(&n, values, nth(&n, places, n.i), NULL));
}
static ir_value_t *columns_in_order(const matrices_t *m, ir_value_t *a, ir_value_t *places,
                                    extent_t count) {
  nest_t n = low_cells_begin(m, own2(low_extent(m->l, a, 1), count), m->f);
  return low_cells_end(&n, low_at(&n, a, n.i, nth(&n, places, n.j)));
}
// 1 where something still turned or is no number.
static ir_value_t *status(const matrices_t *m, ir_value_t *turned, ir_value_t *values) {
  ir_type_t i32 = ir_type_i(m->l->ctx, 32);
  extent_t over = low_extent(m->l, values, 0);
  nest_t n = low_nest_begin(m, own_none(), &over, &(nest_out_t){i32, 0}, 1);
  ir_value_t *v = low_at(&n, values, n.k, NULL);
  ir_value_t *fails =
      low_op2(&n.b, OP_ARITH_ORI, low_at(&n, turned, n.k, NULL), low_cmpf(&n.b, "uno", v, v));
  return low_cells_end(&n, low_select(&n.b, fails, low_int(&n.b, i32, 1), n.acc[0]));
}

// ---- scale: squares of elements must neither overflow nor vanish
ir_value_t *low_scale_of(const matrices_t *m, ir_value_t *a) {
  extent_t rows = low_extent(m->l, a, 1), columns = low_extent(m->l, a, 0);
  nest_t n = low_nest_begin(m, own1(columns), &rows, &(nest_out_t){m->real, 0}, 1);
  ir_value_t *most = low_cells_end(
      &n, low_op2(&n.b, OP_ARITH_MAXIMUMF, n.acc[0], low_abs(&n.b, low_at(&n, a, n.k, n.i))));
  n = low_nest_begin(m, own_none(), &columns, &(nest_out_t){m->real, 0}, 1);
  most = low_cells_end(&n, low_op2(&n.b, OP_ARITH_MAXIMUMF, n.acc[0], low_at(&n, most, n.k, NULL)));
  // A power of two, so that nothing is rounded; 1 for zero, infinity and what is no number.
  bool wide = ir_type_width(m->real) == 64;
  ir_type_t bits = ir_type_i(m->l->ctx, wide ? 64 : 32);
  n = low_cells_begin(m, own_none(), m->real);
  ir_value_t *v = low_at(&n, most, NULL, NULL),
             *exponent = low_int(&n.b, bits, wide ? 0x7FF0000000000000 : 0x7F800000);
  ir_value_t *power =
      low_both(&n.b, ir_build1(&n.b, OP_ARITH_BITCAST, bits, v, NULL, NULL), exponent);
  ir_value_t *fits = low_both(&n.b, low_cmpi(&n.b, "ne", power, exponent),
                              low_cmpi(&n.b, "ne", power, low_int(&n.b, bits, 0)));
  power = ir_build1(&n.b, OP_ARITH_BITCAST, m->real, power, NULL, NULL);
  return low_cells_end(&n, low_select(&n.b, fits, power, low_float(&n.b, m->real, 1)));
}
ir_value_t *low_scaled_down(const matrices_t *m, ir_value_t *a, ir_value_t *scale) {
  nest_t n = low_cells_begin(m, own2(low_extent(m->l, a, 1), low_extent(m->l, a, 0)), m->f);
  ir_value_t *v = low_at(&n, a, n.i, n.j), *s = low_at(&n, scale, NULL, NULL);
  if (m->f == m->real) return low_cells_end(&n, low_op2(&n.b, OP_ARITH_DIVF, v, s));
  return low_cells_end(&n, low_complex(&n.b, low_op2(&n.b, OP_ARITH_DIVF, low_re(&n.b, v), s),
                                       low_op2(&n.b, OP_ARITH_DIVF, low_im(&n.b, v), s)));
}
static ir_value_t *scaled_up(const matrices_t *m, ir_value_t *values, ir_value_t *scale) {
  nest_t n = low_cells_begin(m, own1(low_extent(m->l, values, 0)), m->real);
  return low_cells_end(&n, low_op2(&n.b, OP_ARITH_MULF, low_at(&n, values, n.i, NULL),
                                   low_at(&n, scale, NULL, NULL)));
}

// ---- sweeps over |x| and |v|, until nothing turns
typedef rotations_t (*find_fn_t)(const matrices_t *m, const tournament_t *t, ir_value_t *round,
                                 ir_value_t *x, ir_value_t *turned, ir_value_t *threshold);
typedef ir_value_t *(*turn_fn_t)(const matrices_t *m, const tournament_t *t, const rotations_t *r,
                                 ir_value_t *round, ir_value_t *x);
typedef struct sweeps {
  extent_t n;
  find_fn_t find;
  turn_fn_t turn;
  ir_value_t *threshold;
  ir_value_t *x, *v, *turned;  // in and out; v may be NULL
} sweeps_t;
static void sweep(const matrices_t *m, sweeps_t *s) {
  lowering_t *l = m->l;
  ir_type_t i1 = ir_type_i(l->ctx, 1);
  tournament_t t = tournament(l, s->n);
  size_t n = s->v ? 3 : 2;
  ir_value_t *never = low_constant(m, own1(s->n), i1, 0);
  ir_value_t *init[3] = {s->x, low_constant(m, own1(s->n), i1, 1), s->v}, *results[3] = {NULL};
  host_loop_t w = low_while_begin(l, low_index(&l->b, MAX_SWEEPS), init, n);
  low_while_do(l, &w, low_reduce_all(l, w.carried[1], OP_ARITH_ORI, 0));
  ir_value_t *start[3] = {w.carried[0], never, w.carried[2]};
  host_loop_t h = low_loop_begin(l, low_index(&l->b, 0), t.last, start, n);
  rotations_t r = s->find(m, &t, h.i, h.carried[0], h.carried[1], s->threshold);
  ir_value_t *next[3] = {s->turn(m, &t, &r, h.i, h.carried[0]), r.turned, NULL};
  if (s->v) next[2] = turn_columns(m, &t, &r, h.i, h.carried[2]);
  low_loop_end(l, &h, next);
  for (size_t i = 0; i < n; ++i) results[i] = ir_result(h.op, (uint32_t)i);
  low_while_end(l, &w, results);
  s->x = ir_result(w.op, 1), s->turned = ir_result(w.op, 2);
  if (s->v) s->v = ir_result(w.op, 3);
}

// ---- Hermitian matrices
static rotations_t find_hermitian(const matrices_t *m, const tournament_t *t, ir_value_t *round,
                                  ir_value_t *a, ir_value_t *turned, ir_value_t *threshold) {
  nest_out_t outs[3];
  ir_value_t *values[3], *r[3];
  rotation_outs(m, outs);
  nest_t n = low_nest_begin(m, own1(t->n), NULL, outs, 3);
  pair_t pair = pair_of(&n.b, t, round, n.i);
  ir_value_t *g = low_at(&n, a, pair.low, pair.high);
  ir_value_t *active = low_cmpf(&n.b, "ogt", low_abs(&n.b, g), low_at(&n, threshold, NULL, NULL));
  active = low_both(&n.b, active, low_cmpi(&n.b, "ne", pair.low, pair.high));
  rotation(&n, &pair, low_real(&n.b, low_at(&n, a, pair.low, pair.low)),
           low_real(&n.b, low_at(&n, a, pair.high, pair.high)), g, active,
           low_at(&n, turned, n.i, NULL), values);
  low_nest_end(&n, values, r);
  return (rotations_t){r[0], r[1], r[2]};
}
// J* a J
static ir_value_t *turn_both(const matrices_t *m, const tournament_t *t, const rotations_t *r,
                             ir_value_t *round, ir_value_t *a) {
  a = turn_columns(m, t, r, round, a);
  nest_t n = low_cells_begin(m, own2(t->n, t->n), m->f);
  pair_t pair = pair_of(&n.b, t, round, n.i);
  ir_value_t *others = low_at(&n, r->others, n.i, NULL), *zero = low_zero(&n.b, m->f);
  ir_value_t *v =
      turned_element(&n, r, n.i, low_at(&n, a, n.i, n.j), low_at(&n, a, pair.other, n.j), true);
  // What a turn clears is zero, and the diagonal is real.
  ir_value_t *cleared = low_cmpf(&n.b, "une", low_norm2(&n.b, others), low_zero(&n.b, m->real));
  cleared = low_both(&n.b, cleared, low_cmpi(&n.b, "eq", n.j, pair.other));
  if (m->f != m->real)
    v = low_select(&n.b, low_cmpi(&n.b, "eq", n.i, n.j), low_of_real(&n.b, m->f, low_real(&n.b, v)),
                   v);
  return low_cells_end(&n, low_select(&n.b, cleared, zero, v));
}
// The size below which elements count as zero: half a unit of the Frobenius norm.
static ir_value_t *negligible(const matrices_t *m, ir_value_t *a) {
  extent_t n = low_extent(m->l, a, 0);
  nest_t s = low_sum_begin(m, own1(n), n, m->real);
  ir_value_t *rows = low_sum_end(&s, low_norm2(&s.b, low_at(&s, a, s.i, s.k)));
  s = low_sum_begin(m, own_none(), n, m->real);
  ir_value_t *all = low_sum_end(&s, low_at(&s, rows, s.k, NULL));
  nest_t c = low_cells_begin(m, own_none(), m->real);
  ir_value_t *norm = low_op1(&c.b, OP_MATH_SQRT, low_at(&c, all, NULL, NULL));
  return low_cells_end(
      &c, low_op2(&c.b, OP_ARITH_MULF, norm, low_float(&c.b, m->real, low_epsilon(m) / 8)));
}
ir_value_t *low_hermitian(const matrices_t *m, ir_value_t *a, bool lower) {
  extent_t n = low_extent(m->l, a, 0);
  nest_t c = low_cells_begin(m, own2(n, n), m->f);
  ir_value_t *own = low_at(&c, a, c.i, c.j), *mirrored = low_conj(&c.b, low_at(&c, a, c.j, c.i));
  ir_value_t *v = low_select(&c.b, low_cmpi(&c.b, lower ? "sge" : "sle", c.i, c.j), own, mirrored);
  if (m->f != m->real)
    v = low_select(&c.b, low_cmpi(&c.b, "eq", c.i, c.j),
                   low_of_real(&c.b, m->f, low_real(&c.b, own)), v);
  return low_cells_end(&c, v);
}
eigh_t low_eigh(const matrices_t *m, ir_value_t *a, bool lower, bool vectors) {
  extent_t n = low_extent(m->l, a, 0);
  a = low_hermitian(m, a, lower);
  ir_value_t *scale = low_scale_of(m, a);
  a = low_scaled_down(m, a, scale);
  sweeps_t s = {
      .n = n, .find = find_hermitian, .turn = turn_both, .threshold = negligible(m, a), .x = a};
  if (vectors) s.v = low_identity(m, n, n);
  sweep(m, &s);
  nest_t c = low_cells_begin(m, own1(n), m->real);
  ir_value_t *values = low_cells_end(&c, low_real(&c.b, low_at(&c, s.x, c.i, c.i)));
  ir_value_t *places = order(m, values, false);
  return (eigh_t){.values = scaled_up(m, in_order(m, values, places, n), scale),
                  .vectors = vectors ? columns_in_order(m, s.v, places, n) : NULL,
                  .info = status(m, s.turned, values)};
}

// ---- any matrices: columns are made orthogonal, their lengths are the singular values
// The largest element is 1 to 2. Shorter columns are rounding, whose squares soon have no digits.
static double shortest(const matrices_t *m) {
  return ir_type_width(m->real) == 64 ? 0x1p-460 : 0x1p-50;
}
static rotations_t find_orthogonal(const matrices_t *m, const tournament_t *t, ir_value_t *round,
                                   ir_value_t *a, ir_value_t *turned, ir_value_t *threshold) {
  (void)threshold;
  extent_t rows = low_extent(m->l, a, 1);
  nest_out_t sums[2] = {{m->real, 0}, {m->f, 0}}, outs[3];
  ir_value_t *values[3], *r[3], *products[2];
  nest_t n = low_nest_begin(m, own1(t->n), &rows, sums, 2);
  pair_t pair = pair_of(&n.b, t, round, n.i);
  ir_value_t *own = low_at(&n, a, n.k, n.i), *other = low_at(&n, a, n.k, pair.other);
  values[0] = low_op2(&n.b, OP_ARITH_ADDF, n.acc[0], low_norm2(&n.b, own));
  values[1] = low_add(&n.b, n.acc[1], low_mul(&n.b, low_conj(&n.b, own), other));
  low_nest_end(&n, values, products);
  rotation_outs(m, outs);
  n = low_nest_begin(m, own1(t->n), NULL, outs, 3);
  pair = pair_of(&n.b, t, round, n.i);
  ir_value_t *p = low_at(&n, products[0], pair.low, NULL),
             *q = low_at(&n, products[0], pair.high, NULL);
  ir_value_t *g = low_at(&n, products[1], pair.low, NULL);
  ir_value_t *bound =
      low_op2(&n.b, OP_ARITH_MULF, low_op1(&n.b, OP_MATH_SQRT, p), low_op1(&n.b, OP_MATH_SQRT, q));
  bound = low_op2(&n.b, OP_ARITH_MULF, bound, low_float(&n.b, m->real, 4 * low_epsilon(m)));
  ir_value_t *least = low_float(&n.b, m->real, shortest(m) * shortest(m));
  ir_value_t *active = low_both(&n.b, low_cmpf(&n.b, "ogt", low_abs(&n.b, g), bound),
                                low_cmpi(&n.b, "ne", pair.low, pair.high));
  active =
      low_both(&n.b, active, low_cmpf(&n.b, "ogt", low_op2(&n.b, OP_ARITH_MINIMUMF, p, q), least));
  rotation(&n, &pair, p, q, g, active, low_at(&n, turned, n.i, NULL), values);
  low_nest_end(&n, values, r);
  return (rotations_t){r[0], r[1], r[2]};
}
static ir_value_t *column_lengths(const matrices_t *m, ir_value_t *a) {
  nest_t n = low_sum_begin(m, own1(low_extent(m->l, a, 0)), low_extent(m->l, a, 1), m->real);
  ir_value_t *squares = low_sum_end(&n, low_norm2(&n.b, low_at(&n, a, n.k, n.i)));
  n = low_cells_begin(m, own1(low_extent(m->l, a, 0)), m->real);
  return low_cells_end(&n, low_op1(&n.b, OP_MATH_SQRT, low_at(&n, squares, n.i, NULL)));
}
// Columns of length 1, or 0 where they are too short to have a direction.
static ir_value_t *unit_columns(const matrices_t *m, ir_value_t *a, ir_value_t *lengths) {
  nest_t n = low_cells_begin(m, own2(low_extent(m->l, a, 1), low_extent(m->l, a, 0)), m->f);
  ir_value_t *length = low_at(&n, lengths, n.j, NULL), *v = low_at(&n, a, n.i, n.j);
  ir_value_t *inverse = low_op2(&n.b, OP_ARITH_DIVF, low_float(&n.b, m->real, 1), length);
  ir_value_t *has = low_cmpf(&n.b, "ogt", length, low_float(&n.b, m->real, shortest(m)));
  return low_cells_end(&n,
                       low_select(&n.b, has, low_scaled(&n.b, v, inverse), low_zero(&n.b, m->f)));
}
// The directions of orthogonal columns, |count| of them: reflections give them where a column is
// zero or not there, too.
static ir_value_t *directions(const matrices_t *m, ir_value_t *a, ir_value_t *lengths,
                              extent_t count) {
  a = unit_columns(m, a, lengths);
  extent_t rows = low_extent(m->l, a, 1), columns = low_extent(m->l, a, 0);
  reflections_t r = low_reflections(m, a, REFLECT_LEFT);
  ir_value_t *q = low_reflections_product(m, r.packed, r.tau, rows, count, false);
  nest_t n = low_cells_begin(m, own2(rows, count), m->f);
  ir_value_t *last = low_op2(&n.b, OP_ARITH_SUBI, columns.v, low_index(&n.b, 1));
  ir_value_t *own = low_op2(&n.b, OP_ARITH_MINSI, n.j, last), *v = low_at(&n, q, n.i, n.j);
  ir_value_t *turned = low_cmpf(&n.b, "olt", low_real(&n.b, low_at(&n, r.packed, own, own)),
                                low_zero(&n.b, m->real));
  turned = low_both(&n.b, turned, low_cmpi(&n.b, "sle", n.j, last));
  return low_cells_end(&n, low_select(&n.b, turned, low_neg(&n.b, v), v));
}
// Where |a| turns out to be wider than high, the columns too many become zero.
static svd_t tall_svd(const matrices_t *m, ir_value_t *a, char vectors) {
  extent_t rows = low_extent(m->l, a, 1), n = low_extent(m->l, a, 0),
           count = low_least(m->l, n, rows);
  ir_value_t *scale = low_scale_of(m, a);
  sweeps_t s = {
      .n = n, .find = find_orthogonal, .turn = turn_columns, .x = low_scaled_down(m, a, scale)};
  if (vectors != 'N') s.v = low_identity(m, n, n);
  sweep(m, &s);
  ir_value_t *values = column_lengths(m, s.x), *places = order(m, values, true),
             *sorted = in_order(m, values, places, count);
  svd_t r = {.values = scaled_up(m, sorted, scale), .info = status(m, s.turned, values)};
  if (vectors == 'N') return r;
  ir_value_t *columns = columns_in_order(m, s.x, places, count);
  r.u = directions(m, columns, sorted, vectors == 'A' ? rows : count);
  r.vh = low_adjoint(m, columns_in_order(m, s.v, places, vectors == 'A' ? n : count));
  return r;
}
svd_t low_svd(const matrices_t *m, ir_value_t *a, char vectors) {
  int64_t rows = low_extent(m->l, a, 1).n, columns = low_extent(m->l, a, 0).n;
  if (rows == IR_DYNAMIC || columns == IR_DYNAMIC || rows >= columns)
    return tall_svd(m, a, vectors);
  svd_t r = tall_svd(m, low_adjoint(m, a), vectors);
  if (vectors == 'N') return r;
  ir_value_t *u = low_adjoint(m, r.vh);
  r.vh = low_adjoint(m, r.u);
  r.u = u;
  return r;
}
