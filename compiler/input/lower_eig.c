// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues and vectors of square matrices from their Schur forms: vectors of the triangle by
// substitution, all at once, row by row from the last.
#include "compiler/input/lower_matrix.h"

static ir_value_t *reversed(nest_t *n, ir_value_t *last, ir_value_t *i) {
  return low_op2(&n->b, OP_ARITH_SUBI, last, i);
}
// |t| mirrored along its other diagonal, conjugate: its right vectors are t's left ones, reversed.
static ir_value_t *mirrored(const matrices_t *m, ir_value_t *t) {
  extent_t e = low_extent(m->l, t, 0);
  ir_value_t *last = low_op2(&m->l->b, OP_ARITH_SUBI, e.v, low_index(&m->l->b, 1));
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  return low_cells_end(
      &n, low_conj(&n.b, low_at(&n, t, reversed(&n, last, n.j), reversed(&n, last, n.i))));
}
static ir_value_t *turned(const matrices_t *m, ir_value_t *x) {
  extent_t e = low_extent(m->l, x, 0);
  ir_value_t *last = low_op2(&m->l->b, OP_ARITH_SUBI, e.v, low_index(&m->l->b, 1));
  nest_t n = low_cells_begin(m, own2(e, e), m->f);
  return low_cells_end(&n, low_at(&n, x, reversed(&n, last, n.i), reversed(&n, last, n.j)));
}
// Column k is x with (t - t[k, k]) x = 0 and x[k] = 1.
static ir_value_t *triangle_vectors(const matrices_t *m, ir_value_t *t) {
  lowering_t *l = m->l;
  extent_t e = low_extent(l, t, 0);
  ir_value_t *start = low_constant(m, own2(e, e), m->f, 0), *one = low_index(&l->b, 1);
  host_loop_t h = low_loop_begin(l, low_index(&l->b, 0), e.v, &start, 1);
  ir_value_t *row = low_op2(&l->b, OP_ARITH_SUBI, low_op2(&l->b, OP_ARITH_SUBI, e.v, one), h.i),
             *x = h.carried[0];
  nest_t s = low_sum_begin(m, own1(e), e, m->f);
  ir_value_t *product = low_mul(&s.b, low_at(&s, t, row, s.k), low_at(&s, x, s.k, s.i));
  ir_value_t *known =
      low_both(&s.b, low_cmpi(&s.b, "sgt", s.k, row), low_cmpi(&s.b, "sle", s.k, s.i));
  ir_value_t *sum = low_sum_end(&s, low_select(&s.b, known, product, low_zero(&s.b, m->f)));
  // Equal eigenvalues are taken as half a unit apart; what grows too large is scaled down.
  nest_t n = low_cells_begin(m, own1(e), m->f);
  ir_builder_t *b = &n.b;
  ir_value_t *own = low_at(&n, t, n.i, n.i), *apart = low_sub(b, own, low_at(&n, t, row, row));
  ir_value_t *least =
      low_op2(b, OP_ARITH_MULF, low_size(b, own), low_float(b, m->real, 2 * low_epsilon(m)));
  least = low_op2(b, OP_ARITH_MAXIMUMF, least,
                  low_float(b, m->real, ir_type_width(m->real) == 64 ? 1e-290 : 1e-30));
  ir_value_t *close = low_cmpf(b, "olt", low_size(b, apart), least);
  apart = low_select(b, close, low_of_real(b, m->f, least), apart);
  ir_value_t *v = low_div(b, low_at(&n, sum, n.i, NULL), apart);
  v = low_select(b, low_cmpi(b, "eq", n.i, row), low_number(b, m->f, 1), v);
  v = low_select(b, low_cmpi(b, "slt", n.i, row), low_zero(b, m->f), v);
  ir_value_t *values = low_cells_end(&n, v);
  n = low_cells_begin(m, own2(e, e), m->f);
  b = &n.b;
  v = low_at(&n, values, n.j, NULL);
  ir_value_t *size = low_size(b, v),
             *large = low_cmpf(b, "ogt", size,
                               low_float(b, m->real, ir_type_width(m->real) == 64 ? 1e150 : 1e15));
  ir_value_t *scale = low_op2(b, OP_ARITH_DIVF, low_float(b, m->real, 1), size);
  v = low_select(b, low_cmpi(b, "eq", n.i, row), v, low_at(&n, x, n.i, n.j));
  low_loop_end(
      l, &h, (ir_value_t *[]){low_cells_end(&n, low_select(b, large, low_scaled(b, v, scale), v))});
  return ir_result(h.op, 0);
}
// Of length 1, with a real largest element. Those of real eigenvalues of real matrices are real,
// those of conjugate ones conjugate: |imaginary| parts say which, NULL for complex matrices.
static ir_value_t *normalized(const matrices_t *m, ir_value_t *x, ir_value_t *imaginary) {
  ir_type_t i64 = ir_type_i(m->l->ctx, 64);
  extent_t e = low_extent(m->l, x, 0);
  nest_out_t outs[2] = {{m->real, -1}, {i64, 0}};
  nest_t n = low_nest_begin(m, own1(e), &e, outs, 2);
  ir_value_t *size = low_size(&n.b, low_at(&n, x, n.k, n.i)), *largest[2];
  ir_value_t *take = low_cmpf(&n.b, "ogt", size, n.acc[0]);
  low_nest_end(&n,
               (ir_value_t *[]){low_select(&n.b, take, size, n.acc[0]),
                                low_select(&n.b, take, low_from_index(&n.b, n.k, i64), n.acc[1])},
               largest);
  n = low_cells_begin(m, own2(e, e), m->f);
  ir_builder_t *b = &n.b;
  ir_value_t *column = n.j, *zero = low_float(b, m->real, 0), *conjugate = NULL, *part = NULL;
  if (imaginary) {
    part = low_at(&n, imaginary, n.j, NULL);
    conjugate = low_cmpf(b, "olt", part, zero);
    ir_value_t *before = low_op2(b, OP_ARITH_MAXSI, low_op2(b, OP_ARITH_SUBI, n.j, low_index(b, 1)),
                                 low_index(b, 0));
    column = low_select(b, conjugate, before, n.j);
  }
  ir_value_t *where = low_to_index(b, low_at(&n, largest[1], column, NULL), i64),
             *head = low_at(&n, x, where, column);
  // Divided by the largest element, it is 1 there.
  ir_value_t *v = low_div(b, low_at(&n, x, n.i, column), head);
  v = low_select(b, low_cmpi(b, "eq", n.i, where), low_number(b, m->f, 1), v);
  if (imaginary) {
    ir_value_t *im = low_select(b, low_cmpf(b, "oeq", part, zero), zero, low_im(b, v));
    im = low_select(b, conjugate, low_op1(b, OP_ARITH_NEGF, im), im);
    v = low_complex(b, low_re(b, v), im);
  }
  v = low_cells_end(&n, v);
  n = low_sum_begin(m, own1(e), e, m->real);
  ir_value_t *squares = low_sum_end(&n, low_norm2(&n.b, low_at(&n, v, n.k, n.i)));
  n = low_cells_begin(m, own2(e, e), m->f);
  ir_value_t *length = low_op1(&n.b, OP_MATH_SQRT, low_at(&n, squares, n.j, NULL));
  length = low_op2(&n.b, OP_ARITH_DIVF, low_float(&n.b, m->real, 1), length);
  return low_cells_end(&n, low_scaled(&n.b, low_at(&n, v, n.i, n.j), length));
}
eig_t low_eig(const matrices_t *m, ir_value_t *a, bool right, bool left) {
  schur_t s = low_schur(m, a);
  eig_t r = {.info = s.info};
  low_schur_values(m, s.t, r.values);
  if (!right && !left) return r;
  matrices_t c;
  s.t = low_complex_of(m, s.t, &c), s.q = low_complex_of(m, s.q, &c);
  if (m->f != c.f) low_schur_split(&c, &s);
  if (right) r.right = normalized(&c, low_product(&c, s.q, triangle_vectors(&c, s.t)), r.values[1]);
  if (left) {
    ir_value_t *x = turned(&c, triangle_vectors(&c, mirrored(&c, s.t)));
    r.left = normalized(&c, low_product(&c, s.q, x), r.values[1]);
  }
  return r;
}
