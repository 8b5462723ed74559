// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schur forms a = q t q* of square matrices by the QR algorithm: to Hessenberg form, then steps
// with two shifts that chase a bulge of three rows down the last block that has not come apart yet.
// The same steps serve real and complex numbers. Each matrix of a batch has its own block; those
// that are done rest. Blocks of two with a pair of conjugate eigenvalues stay in real forms.
#include "compiler/input/lower_matrix.h"

// ---- a reflection of rows k to k + 2, with a last number of 0 of rows k and k + 1
typedef struct bulge {
  ir_value_t *on, *tau, *beta, *v1, *v2;  // per matrix; v0 is 1
} bulge_t;
static void bulge_outs(const matrices_t *m, nest_out_t *outs) {
  outs[0] = (nest_out_t){ir_type_i(m->l->ctx, 1), 0};
  for (size_t i = 1; i < 5; ++i) outs[i] = (nest_out_t){m->f, 0};
}
// Ends |n|, whose outs are those above, with the reflection that maps (x, y, z) to (beta, 0, 0).
static bulge_t bulge_end(nest_t *n, ir_value_t *active, ir_value_t *x, ir_value_t *y,
                         ir_value_t *z) {
  const matrices_t *m = n->m;
  ir_builder_t *b = &n->b;
  ir_value_t *none = low_zero(b, m->real), *one = low_float(b, m->real, 1);
  ir_value_t *rest = low_op2(b, OP_ARITH_ADDF, low_size(b, y), low_size(b, z));
  ir_value_t *size = low_op2(b, OP_ARITH_ADDF, low_size(b, x), rest);
  ir_value_t *on = low_both(b, active, low_cmpf(b, "ogt", rest, none));
  ir_value_t *inverse = low_op2(b, OP_ARITH_DIVF, one, size);
  x = low_scaled(b, x, inverse), y = low_scaled(b, y, inverse), z = low_scaled(b, z, inverse);
  ir_value_t *norm = low_op2(b, OP_ARITH_ADDF, low_norm2(b, x),
                             low_op2(b, OP_ARITH_ADDF, low_norm2(b, y), low_norm2(b, z)));
  norm = low_op2(b, OP_MATH_COPYSIGN, low_op1(b, OP_MATH_SQRT, norm), low_real(b, x));
  ir_value_t *beta = low_of_real(b, m->f, low_op1(b, OP_ARITH_NEGF, norm));
  ir_value_t *scale = low_div(b, low_number(b, m->f, 1), low_sub(b, x, beta));
  ir_value_t *values[5] = {on, low_div(b, low_sub(b, beta, x), beta), low_scaled(b, beta, size),
                           low_mul(b, y, scale), low_mul(b, z, scale)},
             *r[5];
  for (size_t i = 1; i < 5; ++i) values[i] = low_select(b, on, values[i], low_zero(b, m->f));
  low_nest_end(n, values, r);
  return (bulge_t){r[0], r[1], r[2], r[3], r[4]};
}
typedef struct rows {
  ir_value_t *k, *k1, *k2;  // k2 is no further than the last
} rows_t;
static rows_t rows_from(lowering_t *l, extent_t n, ir_value_t *k) {
  ir_value_t *last = low_op2(&l->b, OP_ARITH_SUBI, n.v, low_index(&l->b, 1));
  ir_value_t *k2 = low_op2(&l->b, OP_ARITH_ADDI, k, low_index(&l->b, 2));
  return (rows_t){k, low_op2(&l->b, OP_ARITH_ADDI, k, low_index(&l->b, 1)),
                  low_op2(&l->b, OP_ARITH_MINSI, k2, last)};
}
// v at row |i|, zero outside the three.
static ir_value_t *bulge_at(nest_t *n, const bulge_t *h, const rows_t *r, ir_value_t *i) {
  ir_builder_t *b = &n->b;
  ir_value_t *v = low_select(b, low_cmpi(b, "eq", i, r->k2), low_at(n, h->v2, NULL, NULL),
                             low_zero(b, n->m->f));
  v = low_select(b, low_cmpi(b, "eq", i, r->k1), low_at(n, h->v1, NULL, NULL), v);
  return low_select(b, low_cmpi(b, "eq", i, r->k), low_number(b, n->m->f, 1), v);
}
// The last block of three or more, per matrix
typedef struct block {
  ir_value_t *first, *last;  // i64; where there is none, last is 0 and first the extent
} block_t;
// H* t. Beyond the first row of |block|, if given, the column to the left is what H comes from: it
// is zero below row k exactly.
static ir_value_t *bulge_left(const matrices_t *m, const bulge_t *h, const rows_t *r,
                              const block_t *block, ir_value_t *t) {
  extent_t e = low_extent(m->l, t, 0);
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  ir_builder_t *b = &n.b;
  ir_value_t *own = low_at(&n, t, n.i, n.j), *on = low_at(&n, h->on, NULL, NULL);
  ir_value_t *w =
      low_add(b, low_at(&n, t, r->k, n.j),
              low_mul(b, low_conj(b, low_at(&n, h->v1, NULL, NULL)), low_at(&n, t, r->k1, n.j)));
  w = low_add(b, w,
              low_mul(b, low_conj(b, low_at(&n, h->v2, NULL, NULL)), low_at(&n, t, r->k2, n.j)));
  ir_value_t *pull =
      low_mul(b, low_conj(b, low_at(&n, h->tau, NULL, NULL)), bulge_at(&n, h, r, n.i));
  ir_value_t *v = low_sub(b, own, low_mul(b, pull, w));
  ir_value_t *inside = low_both(b, low_cmpi(b, "sge", n.i, r->k), low_cmpi(b, "sle", n.i, r->k2));
  if (block) {
    ir_value_t *k = low_from_index(b, r->k, ir_type_i(b->ctx, 64)),
               *left = low_op2(b, OP_ARITH_SUBI, r->k, low_index(b, 1));
    ir_value_t *exact = low_select(b, low_cmpi(b, "eq", n.i, r->k), low_at(&n, h->beta, NULL, NULL),
                                   low_zero(b, m->f));
    ir_value_t *source = low_both(b, low_cmpi(b, "eq", n.j, left),
                                  low_cmpi(b, "sgt", k, low_at(&n, block->first, NULL, NULL)));
    v = low_select(b, source, exact, v);
  }
  return low_cells_end(&n, low_select(b, low_both(b, on, inside), v, own));
}
// t H
static ir_value_t *bulge_right(const matrices_t *m, const bulge_t *h, const rows_t *r,
                               ir_value_t *t) {
  extent_t e = low_extent(m->l, t, 0);
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  ir_builder_t *b = &n.b;
  ir_value_t *own = low_at(&n, t, n.i, n.j), *on = low_at(&n, h->on, NULL, NULL);
  ir_value_t *u = low_add(b, low_at(&n, t, n.i, r->k),
                          low_mul(b, low_at(&n, t, n.i, r->k1), low_at(&n, h->v1, NULL, NULL)));
  u = low_add(b, u, low_mul(b, low_at(&n, t, n.i, r->k2), low_at(&n, h->v2, NULL, NULL)));
  u = low_mul(b, low_mul(b, low_at(&n, h->tau, NULL, NULL), u),
              low_conj(b, bulge_at(&n, h, r, n.j)));
  ir_value_t *inside = low_both(b, low_cmpi(b, "sge", n.j, r->k), low_cmpi(b, "sle", n.j, r->k2));
  return low_cells_end(&n, low_select(b, low_both(b, on, inside), low_sub(b, own, u), own));
}

// ---- finding the last block
static ir_value_t *minus(ir_builder_t *b, ir_value_t *v, int64_t n) {
  return low_op2(b, OP_ARITH_SUBI, v, low_index(b, n));
}
// Row by row: does it still hang together with the one above it?
static ir_value_t *find_joints(const matrices_t *m, ir_value_t *t) {
  extent_t e = low_extent(m->l, t, 0);
  nest_t n = low_cells_begin(m, own1(e), ir_type_i(m->l->ctx, 1));
  ir_builder_t *b = &n.b;
  ir_value_t *above = low_op2(b, OP_ARITH_MAXSI, minus(b, n.i, 1), low_index(b, 0));
  ir_value_t *scale = low_op2(b, OP_ARITH_ADDF, low_size(b, low_at(&n, t, above, above)),
                              low_size(b, low_at(&n, t, n.i, n.i)));
  // The matrix was scaled: what is smaller than the rounding of its rounding is nothing.
  scale = low_op2(b, OP_ARITH_MAXIMUMF, scale, low_float(b, m->real, low_epsilon(m)));
  scale = low_op2(b, OP_ARITH_MULF, scale, low_float(b, m->real, low_epsilon(m)));
  ir_value_t *joint = low_cmpf(b, "ogt", low_size(b, low_at(&n, t, n.i, above)), scale);
  return low_cells_end(&n, low_both(b, joint, low_cmpi(b, "sgt", n.i, low_index(b, 0))));
}
static block_t find_block(const matrices_t *m, ir_value_t *joints) {
  ir_type_t i64 = ir_type_i(m->l->ctx, 64);
  extent_t e = low_extent(m->l, joints, 0);
  block_t r;
  nest_t n = low_nest_begin(m, own_none(), &e, &(nest_out_t){i64, 0}, 1);
  ir_value_t *above = low_op2(&n.b, OP_ARITH_MAXSI, minus(&n.b, n.k, 1), low_index(&n.b, 0));
  ir_value_t *deep = low_both(&n.b, low_at(&n, joints, n.k, NULL), low_at(&n, joints, above, NULL));
  ir_value_t *row = low_from_index(&n.b, n.k, i64);
  r.last = low_cells_end(&n, low_op2(&n.b, OP_ARITH_MAXSI, n.acc[0],
                                     low_select(&n.b, deep, row, low_int(&n.b, i64, 0))));
  n = low_nest_begin(m, own_none(), &e, &(nest_out_t){i64, 0}, 1);
  row = low_from_index(&n.b, n.k, i64);
  ir_value_t *starts = low_both(&n.b, low_not(&n.b, low_at(&n, joints, n.k, NULL)),
                                low_cmpi(&n.b, "sle", row, low_at(&n, r.last, NULL, NULL)));
  r.first = low_cells_end(&n, low_op2(&n.b, OP_ARITH_MAXSI, n.acc[0],
                                      low_select(&n.b, starts, row, low_int(&n.b, i64, 0))));
  n = low_cells_begin(m, own_none(), i64);
  ir_value_t *none = low_cmpi(&n.b, "eq", low_at(&n, r.last, NULL, NULL), low_int(&n.b, i64, 0));
  r.first = low_cells_end(
      &n, low_select(&n.b, none, low_from_index(&n.b, e.v, i64), low_at(&n, r.first, NULL, NULL)));
  return r;
}
// What came apart is zero from now on.
static ir_value_t *cut(const matrices_t *m, ir_value_t *t, ir_value_t *joints) {
  extent_t e = low_extent(m->l, t, 0);
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  ir_value_t *under = low_cmpi(&n.b, "sgt", n.i, n.j);
  ir_value_t *kept =
      low_both(&n.b, low_cmpi(&n.b, "eq", minus(&n.b, n.i, 1), n.j), low_at(&n, joints, n.i, NULL));
  ir_value_t *gone = low_both(&n.b, under, low_not(&n.b, kept));
  return low_cells_end(&n, low_select(&n.b, gone, low_zero(&n.b, m->f), low_at(&n, t, n.i, n.j)));
}
static ir_value_t *as_index(nest_t *n, ir_value_t *number) {
  return low_to_index(&n->b, low_at(n, number, NULL, NULL), ir_type_i(n->b.ctx, 64));
}

// ---- a step: the first reflection comes from (t - s1)(t - s2), shifts s1 and s2 being the
// eigenvalues of the block's last two rows
static void first_column(const matrices_t *m, ir_value_t *t, const block_t *block, ir_value_t *trip,
                         ir_value_t **out) {
  nest_out_t outs[3] = {{m->f, 0}, {m->f, 0}, {m->f, 0}};
  ir_value_t *e = low_extent(m->l, t, 0).v;
  nest_t n = low_nest_begin(m, own_none(), NULL, outs, 3);
  ir_builder_t *b = &n.b;
  ir_value_t *two = low_index(b, 2), *one = low_index(b, 1);
  ir_value_t *i = low_op2(b, OP_ARITH_MINSI, as_index(&n, block->first), minus(b, e, 3));
  ir_value_t *i1 = low_op2(b, OP_ARITH_ADDI, i, one), *i2 = low_op2(b, OP_ARITH_ADDI, i, two);
  ir_value_t *z = low_op2(b, OP_ARITH_MAXSI, as_index(&n, block->last), two), *y = minus(b, z, 1),
             *x = minus(b, z, 2);
  ir_value_t *last = low_at(&n, t, z, z), *before = low_at(&n, t, y, y),
             *below = low_at(&n, t, z, y);
  ir_value_t *across = low_mul(b, low_at(&n, t, y, z), below);
  // Every tenth step takes shifts of another kind, lest it turns in circles.
  ir_value_t *odd =
      low_cmpi(b, "eq", low_op2(b, OP_ARITH_REMUI, trip, low_index(b, 10)), low_index(b, 9));
  ir_value_t *size =
      low_op2(b, OP_ARITH_ADDF, low_size(b, below), low_size(b, low_at(&n, t, y, x)));
  ir_value_t *shift =
      low_of_real(b, m->f, low_op2(b, OP_ARITH_MULF, size, low_float(b, m->real, 0.75)));
  ir_value_t *square = low_op2(b, OP_ARITH_MULF, low_op2(b, OP_ARITH_MULF, size, size),
                               low_float(b, m->real, -0.4375));
  last = low_select(b, odd, low_add(b, last, shift), last);
  before = low_select(b, odd, last, before);
  across = low_select(b, odd, low_of_real(b, m->f, square), across);
  ir_value_t *h = low_at(&n, t, i, i), *under = low_at(&n, t, i1, i);
  ir_value_t *p = low_sub(b, h, last), *q = low_sub(b, h, before);
  ir_value_t *head = low_div(b, low_sub(b, low_mul(b, p, q), across), under);
  ir_value_t *values[3] = {low_add(b, head, low_at(&n, t, i, i1)),
                           low_add(b, p, low_sub(b, low_at(&n, t, i1, i1), before)),
                           low_at(&n, t, i2, i1)};
  low_nest_end(&n, values, out);
}
static bulge_t next_bulge(const matrices_t *m, ir_value_t *t, const block_t *block,
                          ir_value_t *const *first, const rows_t *r) {
  ir_type_t i64 = ir_type_i(m->l->ctx, 64);
  nest_out_t outs[5];
  bulge_outs(m, outs);
  nest_t n = low_nest_begin(m, own_none(), NULL, outs, 5);
  ir_builder_t *b = &n.b;
  ir_value_t *k = low_from_index(b, r->k, i64), *start = low_at(&n, block->first, NULL, NULL),
             *last = low_at(&n, block->last, NULL, NULL);
  ir_value_t *column = low_op2(b, OP_ARITH_MAXSI, minus(b, r->k, 1), low_index(b, 0)),
             *at[3] = {r->k, r->k1, r->k2};
  ir_value_t *starts = low_cmpi(b, "eq", k, start), *v[3];
  for (size_t i = 0; i < 3; ++i)
    v[i] = low_select(b, starts, low_at(&n, first[i], NULL, NULL), low_at(&n, t, at[i], column));
  ir_value_t *third = low_cmpi(b, "sle", low_op2(b, OP_ARITH_ADDI, k, low_int(b, i64, 2)), last);
  v[2] = low_select(b, third, v[2], low_zero(b, m->f));
  ir_value_t *active = low_both(b, low_cmpi(b, "sge", k, start), low_cmpi(b, "slt", k, last));
  return bulge_end(&n, active, v[0], v[1], v[2]);
}
static void chase(const matrices_t *m, schur_t *s, const block_t *block, ir_value_t *trip) {
  lowering_t *l = m->l;
  extent_t n = low_extent(l, s->t, 0);
  ir_type_t i64 = ir_type_i(l->ctx, 64);
  ir_value_t *first[3], *init[2] = {s->t, s->q};
  first_column(m, s->t, block, trip, first);
  ir_value_t *from =
      low_to_index(&l->b, low_reduce_all(l, block->first, OP_ARITH_MINSI, INT64_MAX), i64);
  ir_value_t *to = low_to_index(&l->b, low_reduce_all(l, block->last, OP_ARITH_MAXSI, 0), i64);
  host_loop_t h = low_loop_begin(l, from, to, init, 2);
  rows_t r = rows_from(l, n, h.i);
  bulge_t bulge = next_bulge(m, h.carried[0], block, first, &r);
  ir_value_t *t = bulge_left(m, &bulge, &r, block, h.carried[0]);
  low_loop_end(
      l, &h,
      (ir_value_t *[]){bulge_right(m, &bulge, &r, t), bulge_right(m, &bulge, &r, h.carried[1])});
  s->t = ir_result(h.op, 0), s->q = ir_result(h.op, 1);
}

// ---- blocks of two
// The first column of the rotation that makes block (a b; c d) triangular or, where a real one has
// no real eigenvalues, its diagonal equal; |*out_apart| says which.
static void block_column(nest_t *n, ir_value_t *const *block, ir_value_t **out,
                         ir_value_t **out_apart) {
  const matrices_t *m = n->m;
  ir_builder_t *b = &n->b;
  ir_value_t *half = low_float(b, m->real, 0.5), *c = block[2];
  ir_value_t *p = low_scaled(b, low_sub(b, block[0], block[3]), half);
  ir_value_t *square = low_add(b, low_mul(b, p, p), low_mul(b, block[1], c));
  if (m->f != m->real) {
    ir_value_t *root = low_sqrt(b, square), *along = low_real(b, low_mul(b, low_conj(b, p), root));
    ir_value_t *back = low_cmpf(b, "olt", along, low_zero(b, m->real));
    out[0] = low_add(b, p, low_select(b, back, low_neg(b, root), root)), out[1] = c;
    *out_apart = low_int(b, ir_type_i(b->ctx, 1), 1);
    return;
  }
  *out_apart = low_cmpf(b, "oge", square, low_zero(b, m->real));
  ir_value_t *one = low_float(b, m->real, 1);
  ir_value_t *root =
      low_op2(b, OP_MATH_COPYSIGN, low_op1(b, OP_MATH_SQRT, low_op1(b, OP_MATH_ABSF, square)), p);
  ir_value_t *sigma = low_add(b, block[1], c), *twice = low_add(b, p, p);
  ir_value_t *tau = low_op1(b, OP_MATH_SQRT, low_add(b, low_norm2(b, sigma), low_norm2(b, twice)));
  ir_value_t *ratio = low_op2(b, OP_ARITH_DIVF, low_op1(b, OP_MATH_ABSF, sigma), tau);
  ir_value_t *cs =
      low_op1(b, OP_MATH_SQRT, low_op2(b, OP_ARITH_MULF, half, low_add(b, one, ratio)));
  ir_value_t *sn = low_op2(b, OP_ARITH_DIVF, low_neg(b, p), low_mul(b, tau, cs));
  sn = low_op2(b, OP_ARITH_MULF, sn, low_op2(b, OP_MATH_COPYSIGN, one, sigma));
  out[0] = low_select(b, *out_apart, low_add(b, p, root), cs);
  out[1] = low_select(b, *out_apart, c, sn);
}
static void read_block(nest_t *n, ir_value_t *t, const rows_t *r, ir_value_t **out) {
  out[0] = low_at(n, t, r->k, r->k), out[1] = low_at(n, t, r->k, r->k1);
  out[2] = low_at(n, t, r->k1, r->k), out[3] = low_at(n, t, r->k1, r->k1);
}
static ir_value_t *is_block(nest_t *n, ir_value_t *t, const rows_t *r) {
  return low_cmpf(&n->b, "une", low_size(&n->b, low_at(n, t, r->k1, r->k)),
                  low_zero(&n->b, n->m->real));
}
// What the rotation made zero or equal is exactly so.
static ir_value_t *settled(const matrices_t *m, ir_value_t *before, ir_value_t *t,
                           const rows_t *r) {
  extent_t e = low_extent(m->l, t, 0);
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  ir_builder_t *b = &n.b;
  ir_value_t *block[4], *column[2], *apart;
  read_block(&n, before, r, block);
  block_column(&n, block, column, &apart);
  ir_value_t *was = is_block(&n, before, r), *v = low_at(&n, t, n.i, n.j);
  ir_value_t *corner = low_both(b, low_cmpi(b, "eq", n.i, r->k1), low_cmpi(b, "eq", n.j, r->k));
  ir_value_t *zero = low_both(b, low_both(b, was, apart), corner);
  ir_value_t *sum = low_add(b, low_at(&n, t, r->k, r->k), low_at(&n, t, r->k1, r->k1));
  ir_value_t *inside =
      low_both(b, low_cmpi(b, "eq", n.i, n.j),
               low_both(b, low_cmpi(b, "sge", n.i, r->k), low_cmpi(b, "sle", n.i, r->k1)));
  inside = low_both(b, inside, low_both(b, was, low_not(b, apart)));
  v = low_select(b, inside, low_scaled(b, sum, low_float(b, m->real, 0.5)), v);
  return low_cells_end(&n, low_select(b, zero, low_zero(b, m->f), v));
}
void low_schur_split(const matrices_t *m, schur_t *s) {
  lowering_t *l = m->l;
  extent_t e = low_extent(l, s->t, 0);
  host_loop_t h =
      low_loop_begin(l, low_index(&l->b, 0), low_less_one(l, e).v, (ir_value_t *[]){s->t, s->q}, 2);
  rows_t r = rows_from(l, e, h.i);
  ir_value_t *t = h.carried[0], *block[4], *column[2], *apart;
  nest_out_t outs[5];
  bulge_outs(m, outs);
  nest_t n = low_nest_begin(m, own_none(), NULL, outs, 5);
  read_block(&n, t, &r, block);
  block_column(&n, block, column, &apart);
  ir_value_t *active = is_block(&n, t, &r);
  bulge_t bulge = bulge_end(&n, active, column[0], column[1], low_zero(&n.b, m->f));
  ir_value_t *turned = bulge_right(m, &bulge, &r, bulge_left(m, &bulge, &r, NULL, t));
  low_loop_end(
      l, &h, (ir_value_t *[]){settled(m, t, turned, &r), bulge_right(m, &bulge, &r, h.carried[1])});
  s->t = ir_result(h.op, 0), s->q = ir_result(h.op, 1);
}

static ir_value_t *hessenberg(const matrices_t *m, ir_value_t *packed) {
  extent_t e = low_extent(m->l, packed, 0);
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  ir_value_t *under = low_cmpi(&n.b, "sgt", minus(&n.b, n.i, 1), n.j);
  return low_cells_end(&n,
                       low_select(&n.b, under, low_zero(&n.b, m->f), low_at(&n, packed, n.i, n.j)));
}
schur_t low_schur(const matrices_t *m, ir_value_t *a) {
  lowering_t *l = m->l;
  ir_type_t i64 = ir_type_i(l->ctx, 64), i32 = ir_type_i(l->ctx, 32);
  extent_t e = low_extent(l, a, 0);
  ir_value_t *scale = low_scale_of(m, a);
  reflections_t r = low_reflections(m, low_scaled_down(m, a, scale), REFLECT_BOTH);
  schur_t s = {.t = hessenberg(m, r.packed),
               .q = low_reflections_product(m, r.packed, r.tau, e, e, true)};
  ir_value_t *joints = find_joints(m, s.t);
  block_t block = find_block(m, joints);
  ir_value_t *limit = low_op2(&l->b, OP_ARITH_MAXSI, e.v, low_index(&l->b, 10));
  limit = low_op2(&l->b, OP_ARITH_MULI, limit, low_index(&l->b, 30));
  ir_value_t *init[4] = {cut(m, s.t, joints), s.q, block.first, block.last};
  host_loop_t w = low_while_begin(l, limit, init, 4);
  ir_value_t *last = low_reduce_all(l, w.carried[3], OP_ARITH_MAXSI, 0);
  low_while_do(l, &w, low_cmpi(&l->b, "sgt", last, low_int(&l->b, i64, 0)));
  s.t = w.carried[0], s.q = w.carried[1];
  block = (block_t){w.carried[2], w.carried[3]};
  chase(m, &s, &block, w.i);
  joints = find_joints(m, s.t);
  block = find_block(m, joints);
  low_while_end(l, &w, (ir_value_t *[]){cut(m, s.t, joints), s.q, block.first, block.last});
  s.t = ir_result(w.op, 1), s.q = ir_result(w.op, 2);
  low_schur_split(m, &s);
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  s.t =
      low_cells_end(&n, low_scaled(&n.b, low_at(&n, s.t, n.i, n.j), low_at(&n, scale, NULL, NULL)));
  n = low_cells_begin(m, own_none(), i32);
  s.info =
      low_cells_end(&n, low_convert(&n.b, low_at(&n, ir_result(w.op, 4), NULL, NULL), i64, i32));
  return s;
}

void low_schur_values(const matrices_t *m, ir_value_t *t, ir_value_t **out) {
  extent_t e = low_extent(m->l, t, 0);
  out[1] = NULL;
  nest_t n = low_cells_begin(m, own1(e), m->f);
  out[0] = low_cells_end(&n, low_at(&n, t, n.i, n.i));
  if (m->f != m->real) return;
  // A block (a b; c a) has a +- i sqrt(-b c).
  n = low_cells_begin(m, own1(e), m->f);
  ir_builder_t *b = &n.b;
  ir_value_t *zero = low_zero(b, m->f),
             *above = low_op2(b, OP_ARITH_MAXSI, minus(b, n.i, 1), low_index(b, 0));
  ir_value_t *below =
      low_op2(b, OP_ARITH_MINSI, low_op2(b, OP_ARITH_ADDI, n.i, low_index(b, 1)), minus(b, e.v, 1));
  ir_value_t *second = low_both(b, low_cmpf(b, "une", low_at(&n, t, n.i, above), zero),
                                low_cmpi(b, "ne", n.i, above));
  ir_value_t *first = low_both(b, low_cmpf(b, "une", low_at(&n, t, below, n.i), zero),
                               low_cmpi(b, "ne", n.i, below));
  ir_value_t *x = low_select(b, second, above, n.i), *y = low_select(b, second, n.i, below);
  ir_value_t *root = low_mul(b, low_op1(b, OP_MATH_SQRT, low_abs(b, low_at(&n, t, x, y))),
                             low_op1(b, OP_MATH_SQRT, low_abs(b, low_at(&n, t, y, x))));
  root = low_select(b, second, low_neg(b, root), low_select(b, first, root, zero));
  out[1] = low_cells_end(&n, root);
}
