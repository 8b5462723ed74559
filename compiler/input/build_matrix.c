// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What matrix algorithms are built of: nests over batches, loops of the host, numbers that are real
// or complex.
#include "compiler/input/lower_matrix.h"

#include <string.h>

// ---- shapes
extent_t low_extent_of(lowering_t *l, int64_t n) { return (extent_t){n, low_index(&l->b, n)}; }
extent_t low_extent(lowering_t *l, ir_value_t *tensor, size_t from_last) {
  size_t at = ir_type_rank(tensor->type) - 1 - from_last;
  return (extent_t){ir_type_dim(tensor->type, at), low_dim_value(l, tensor, at)};
}
extent_t low_least(lowering_t *l, extent_t x, extent_t y) {
  if (x.n != IR_DYNAMIC && y.n != IR_DYNAMIC) return x.n < y.n ? x : y;
  return (extent_t){IR_DYNAMIC, low_op2(&l->b, OP_ARITH_MINSI, x.v, y.v)};
}
extent_t low_less_one(lowering_t *l, extent_t x) {
  if (x.n != IR_DYNAMIC) return low_extent_of(l, x.n > 0 ? x.n - 1 : 0);
  ir_value_t *less = low_op2(&l->b, OP_ARITH_SUBI, x.v, low_index(&l->b, 1));
  return (extent_t){IR_DYNAMIC, low_op2(&l->b, OP_ARITH_MAXSI, less, low_index(&l->b, 0))};
}
matrices_t low_matrices(lowering_t *l, ir_value_t *like) {
  matrices_t m = {
      .l = l, .n_batch = ir_type_rank(like->type) - 2, .f = ir_type_element(like->type)};
  m.real = ir_is(m.f, IR_T_COMPLEX) ? ir_kid(m.f, 0) : m.f;
  for (size_t i = 0; i < m.n_batch; ++i) m.batch[i] = low_extent(l, like, m.n_batch + 1 - i);
  return m;
}
iree_status_t low_check_matrix(ir_op_t *op, ir_type_t type) {
  size_t rank = ir_is(type, IR_T_TENSOR) ? ir_type_rank(type) : 0;
  ir_type_t f = rank ? ir_type_element(type) : NULL;
  if (f && ir_is(f, IR_T_COMPLEX)) f = ir_kid(f, 0);
  if (rank < 2 || rank + 2 > HLO_MAX_RANK || !ir_type_is_float(f) || ir_type_width(f) < 32)
    return ir_op_error(op,
                       "needs matrices of floats or complex numbers, with at most %d dimensions",
                       HLO_MAX_RANK - 2);
  return iree_ok_status();
}
iree_status_t low_check_equal(lowering_t *l, ir_op_t *op, ir_value_t *x, size_t i, ir_value_t *y,
                              size_t k) {
  int64_t a = ir_type_dim(x->type, i), c = ir_type_dim(y->type, k);
  if (a != IR_DYNAMIC && c != IR_DYNAMIC && a != c)
    return ir_op_error(op,
                       "needs equal extents, but dimension %zu has %lld and dimension %zu has %lld",
                       i, (long long)a, k, (long long)c);
  low_check_extents(l, op, x, i, y, k);
  return iree_ok_status();
}
double low_epsilon(const matrices_t *m) { return ir_type_width(m->real) == 64 ? 0x1p-53 : 0x1p-24; }

// ---- nests
typedef struct dims {
  int64_t at[HLO_MAX_RANK];
  sizes_t sizes;
  size_t n;
} dims_t;
static void add_dim(dims_t *d, extent_t e) {
  d->at[d->n] = e.n;
  if (e.n == IR_DYNAMIC) d->sizes.at[d->n] = e.v;
  d->n++;
}
static dims_t dims_of(const matrices_t *m, own_t own) {
  dims_t d = {.n = 0};
  for (size_t i = 0; i < m->n_batch; ++i) add_dim(&d, m->batch[i]);
  for (size_t i = 0; i < own.n; ++i) add_dim(&d, own.e[i]);
  return d;
}
ir_value_t *low_constant(const matrices_t *m, own_t own, ir_type_t type, double value) {
  dims_t d = dims_of(m, own);
  return low_filled(m->l, ir_type_tensor(m->l->ctx, d.at, d.n, type, NULL), &d.sizes,
                    low_number(&m->l->b, type, value));
}
nest_t low_nest_begin(const matrices_t *m, own_t own, const extent_t *over, const nest_out_t *outs,
                      size_t n_outs) {
  lowering_t *l = m->l;
  dims_t d = dims_of(m, own);
  size_t n_loops = d.n + (over != NULL), n_in = over ? 1 : 0;
  ir_expr_t exprs[HLO_MAX_RANK + 1];
  bool parallel[HLO_MAX_RANK + 1];
  ir_attr_t maps[NEST_MAX_OUTS + 1];
  ir_value_t *values[NEST_MAX_OUTS], *space = NULL;
  for (size_t i = 0; i < n_loops; ++i) exprs[i] = ir_expr_dim(l->ctx, i), parallel[i] = i < d.n;
  if (over) {  // never read: its shape gives the last loop its extent
    dims_t s = {.n = 0};
    add_dim(&s, *over);
    space = low_empty(l, ir_type_tensor(l->ctx, s.at, 1, ir_type_i(l->ctx, 8), NULL), &s.sizes);
    maps[0] = ir_attr_map(l->ctx, n_loops, 0, exprs + d.n, 1);
  }
  for (size_t i = 0; i < n_outs; ++i) {
    ir_type_t type = ir_type_tensor(l->ctx, d.at, d.n, outs[i].type, NULL);
    values[i] =
        over ? low_constant(m, own, outs[i].type, outs[i].first) : low_empty(l, type, &d.sizes);
    maps[n_in + i] = ir_attr_map(l->ctx, n_loops, 0, exprs, d.n);
  }
  nest_t n = {.m = m, .n_outs = n_outs};
  n.op = linalg_build_generic(&l->b, &space, n_in, values, n_outs, maps, parallel, n_loops);
  n.b = ir_builder_at_end(l->ctx, ir_body(n.op));
  n.b.loc = l->b.loc;
  for (size_t i = 0; i < m->n_batch; ++i) n.at[i] = low_loop_index(&n.b, i);
  if (own.n > 0) n.i = low_loop_index(&n.b, m->n_batch);
  if (own.n > 1) n.j = low_loop_index(&n.b, m->n_batch + 1);
  if (over) n.k = low_loop_index(&n.b, d.n);
  for (size_t i = 0; i < n_outs; ++i) n.acc[i] = ir_body(n.op)->args[n_in + i];
  return n;
}
void low_nest_end(nest_t *n, ir_value_t *const *values, ir_value_t **out) {
  linalg_build_yield(n->m->l->ctx, n->op, values, n->n_outs, n->m->l->b.loc);
  for (size_t i = 0; i < n->n_outs; ++i) out[i] = ir_result(n->op, i);
}
nest_t low_cells_begin(const matrices_t *m, own_t own, ir_type_t type) {
  return low_nest_begin(m, own, NULL, &(nest_out_t){type, 0}, 1);
}
nest_t low_sum_begin(const matrices_t *m, own_t own, extent_t over, ir_type_t type) {
  return low_nest_begin(m, own, &over, &(nest_out_t){type, 0}, 1);
}
ir_value_t *low_cells_end(nest_t *n, ir_value_t *v) {
  ir_value_t *out;
  low_nest_end(n, &v, &out);
  return out;
}
ir_value_t *low_sum_end(nest_t *n, ir_value_t *v) {
  return low_cells_end(n, low_add(&n->b, n->acc[0], v));
}
ir_value_t *low_at(nest_t *n, ir_value_t *tensor, ir_value_t *i, ir_value_t *j) {
  ir_value_t *full[HLO_MAX_RANK];
  size_t count = n->m->n_batch;
  memcpy(full, n->at, count * sizeof *full);
  if (i) full[count++] = i;
  if (j) full[count++] = j;
  return low_extract(&n->b, tensor, full, count);
}

// ---- whole matrices
ir_value_t *low_identity(const matrices_t *m, extent_t rows, extent_t columns) {
  nest_t n = low_cells_begin(m, own2(rows, columns), m->f);
  return low_cells_end(&n, low_select(&n.b, low_cmpi(&n.b, "eq", n.i, n.j),
                                      low_number(&n.b, m->f, 1), low_zero(&n.b, m->f)));
}
ir_value_t *low_adjoint(const matrices_t *m, ir_value_t *a) {
  nest_t n = low_cells_begin(m, own2(low_extent(m->l, a, 0), low_extent(m->l, a, 1)), m->f);
  return low_cells_end(&n, low_conj(&n.b, low_at(&n, a, n.j, n.i)));
}
ir_value_t *low_swapped(lowering_t *l, ir_value_t *v) {
  int64_t permutation[HLO_MAX_RANK];
  size_t rank = ir_type_rank(v->type);
  for (size_t i = 0; i < rank; ++i) permutation[i] = (int64_t)i;
  permutation[rank - 2] = (int64_t)rank - 1, permutation[rank - 1] = (int64_t)rank - 2;
  return low_transposed(l, v, permutation);
}
ir_value_t *low_product(const matrices_t *m, ir_value_t *x, ir_value_t *y) {
  nest_t n = low_sum_begin(m, own2(low_extent(m->l, x, 1), low_extent(m->l, y, 0)),
                           low_extent(m->l, x, 0), m->f);
  return low_sum_end(&n, low_mul(&n.b, low_at(&n, x, n.i, n.k), low_at(&n, y, n.k, n.j)));
}
ir_value_t *low_complex_of(const matrices_t *m, ir_value_t *a, matrices_t *out_m) {
  *out_m = *m;
  out_m->f = ir_type_complex(m->l->ctx, m->real);
  if (m->f != m->real) return a;
  nest_t n = low_cells_begin(out_m, own2(low_extent(m->l, a, 1), low_extent(m->l, a, 0)), out_m->f);
  return low_cells_end(&n, low_of_real(&n.b, out_m->f, low_at(&n, a, n.i, n.j)));
}
ir_value_t *low_reduce_all(lowering_t *l, ir_value_t *v, ir_kind_t kind, int64_t first) {
  size_t rank = ir_type_rank(v->type);
  ir_type_t element = ir_type_element(v->type);
  ir_value_t *r = v;
  if (rank) {
    bool parallel[HLO_MAX_RANK] = {false};
    sizes_t none = sizes_none();
    ir_value_t *out = low_filled(l, ir_type_tensor(l->ctx, NULL, 0, element, NULL), &none,
                                 low_int(&l->b, element, first));
    ir_attr_t maps[2] = {ir_attr_identity_map(l->ctx, rank), ir_attr_map(l->ctx, rank, 0, NULL, 0)};
    ir_op_t *g = linalg_build_generic(&l->b, &v, 1, &out, 1, maps, parallel, rank);
    ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
    ir_value_t *folded = low_op2(&b, kind, ir_body(g)->args[1], ir_body(g)->args[0]);
    linalg_build_yield(l->ctx, g, &folded, 1, l->b.loc);
    r = ir_result(g, 0);
  }
  return low_extract(&l->b, r, NULL, 0);
}

// ---- loops of the host
static void open_block(lowering_t *l, host_loop_t *h, ir_region_t *region,
                       ir_value_t *const *like) {
  ir_block_t *body = ir_block_create(l->ctx, region);
  h->i = ir_block_add_arg(l->ctx, body, ir_type_index(l->ctx));
  for (size_t i = 0; i < h->n; ++i) h->carried[i] = ir_block_add_arg(l->ctx, body, like[i]->type);
  l->b = ir_builder_at_end(l->ctx, body);
  l->b.loc = h->saved.loc;
}
static void yield(lowering_t *l, ir_kind_t kind, ir_value_t *first, ir_value_t *second,
                  ir_value_t *const *next, size_t n) {
  ir_value_t *values[LOOP_MAX_CARRIED + 2];
  size_t at = 0;
  if (first) values[at++] = first;
  if (second) values[at++] = second;
  memcpy(values + at, next, n * sizeof *next);
  ir_build(&l->b, &(ir_op_desc_t){.kind = kind, .operands = values, .n_operands = at + n});
}
host_loop_t low_loop_begin(lowering_t *l, ir_value_t *first, ir_value_t *end,
                           ir_value_t *const *init, size_t n_init) {
  host_loop_t h = {.n = n_init, .saved = l->b};
  ir_value_t *operands[3 + LOOP_MAX_CARRIED] = {first, end, low_index(&l->b, 1)};
  ir_type_t types[LOOP_MAX_CARRIED];
  for (size_t i = 0; i < n_init; ++i) operands[3 + i] = init[i], types[i] = init[i]->type;
  h.op = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_FOR,
                                         .operands = operands,
                                         .n_operands = 3 + n_init,
                                         .results = types,
                                         .n_results = n_init,
                                         .n_regions = 1});
  h.saved = l->b;
  open_block(l, &h, h.op->regions[0], init);
  return h;
}
void low_loop_end(lowering_t *l, host_loop_t *h, ir_value_t *const *next) {
  yield(l, OP_SCF_YIELD, NULL, NULL, next, h->n);
  l->b = h->saved;
}
host_loop_t low_while_begin(lowering_t *l, ir_value_t *limit, ir_value_t *const *init,
                            size_t n_init) {
  host_loop_t h = {.n = n_init, .limit = limit, .saved = l->b};
  ir_value_t *operands[1 + LOOP_MAX_CARRIED] = {low_index(&l->b, 0)};
  ir_type_t types[1 + LOOP_MAX_CARRIED] = {ir_type_index(l->ctx)};
  for (size_t i = 0; i < n_init; ++i) operands[1 + i] = init[i], types[1 + i] = init[i]->type;
  h.op = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_WHILE,
                                         .operands = operands,
                                         .n_operands = 1 + n_init,
                                         .results = types,
                                         .n_results = 1 + n_init,
                                         .n_regions = 2});
  h.saved = l->b;
  open_block(l, &h, h.op->regions[0], init);
  return h;
}
void low_while_do(lowering_t *l, host_loop_t *h, ir_value_t *go) {
  ir_value_t *in_time = low_cmpi(&l->b, "slt", h->i, h->limit);
  yield(l, OP_SCF_CONDITION, low_both(&l->b, in_time, go), h->i, h->carried, h->n);
  open_block(l, h, h->op->regions[1], h->carried);
}
void low_while_end(lowering_t *l, host_loop_t *h, ir_value_t *const *next) {
  ir_value_t *count = low_op2(&l->b, OP_ARITH_ADDI, h->i, low_index(&l->b, 1));
  yield(l, OP_SCF_YIELD, count, NULL, next, h->n);
  l->b = h->saved;
}

// ---- numbers
static bool is_complex(const ir_value_t *v) { return ir_is(v->type, IR_T_COMPLEX); }
ir_value_t *low_number(ir_builder_t *b, ir_type_t type, double value) {
  if (ir_is(type, IR_T_COMPLEX)) {
    ir_type_t part = ir_kid(type, 0);
    if (value == 0) return low_zero(b, type);
    return low_complex(b, low_float(b, part, value), low_float(b, part, 0));
  }
  return ir_type_is_float(type) ? low_float(b, type, value) : low_int(b, type, (int64_t)value);
}
ir_value_t *low_sub(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  if (!is_complex(x)) return low_op2(b, OP_ARITH_SUBF, x, y);
  return low_complex(b, low_op2(b, OP_ARITH_SUBF, low_re(b, x), low_re(b, y)),
                     low_op2(b, OP_ARITH_SUBF, low_im(b, x), low_im(b, y)));
}
ir_value_t *low_neg(ir_builder_t *b, ir_value_t *x) {
  if (!is_complex(x)) return low_op1(b, OP_ARITH_NEGF, x);
  return low_complex(b, low_op1(b, OP_ARITH_NEGF, low_re(b, x)),
                     low_op1(b, OP_ARITH_NEGF, low_im(b, x)));
}
ir_value_t *low_conj(ir_builder_t *b, ir_value_t *x) {
  if (!is_complex(x)) return x;
  return low_complex(b, low_re(b, x), low_op1(b, OP_ARITH_NEGF, low_im(b, x)));
}
ir_value_t *low_real(ir_builder_t *b, ir_value_t *x) { return is_complex(x) ? low_re(b, x) : x; }
ir_value_t *low_size(ir_builder_t *b, ir_value_t *x) {
  if (!is_complex(x)) return low_op1(b, OP_MATH_ABSF, x);
  return low_op2(b, OP_ARITH_ADDF, low_op1(b, OP_MATH_ABSF, low_re(b, x)),
                 low_op1(b, OP_MATH_ABSF, low_im(b, x)));
}
ir_value_t *low_norm2(ir_builder_t *b, ir_value_t *x) {
  if (!is_complex(x)) return low_op2(b, OP_ARITH_MULF, x, x);
  ir_value_t *re = low_re(b, x), *im = low_im(b, x);
  return low_op2(b, OP_ARITH_ADDF, low_op2(b, OP_ARITH_MULF, re, re),
                 low_op2(b, OP_ARITH_MULF, im, im));
}
ir_value_t *low_scaled(ir_builder_t *b, ir_value_t *x, ir_value_t *by) {
  if (!is_complex(x)) return low_op2(b, OP_ARITH_MULF, x, by);
  return low_complex(b, low_op2(b, OP_ARITH_MULF, low_re(b, x), by),
                     low_op2(b, OP_ARITH_MULF, low_im(b, x), by));
}
ir_value_t *low_of_real(ir_builder_t *b, ir_type_t type, ir_value_t *x) {
  return ir_is(type, IR_T_COMPLEX) ? low_complex(b, x, low_float(b, x->type, 0)) : x;
}
ir_value_t *low_precedes(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  ir_value_t *less = low_cmpf(b, "olt", x, y);
  ir_value_t *nan_last = low_both(b, low_cmpf(b, "uno", y, y), low_cmpf(b, "ord", x, x));
  return low_op2(b, OP_ARITH_ORI, less, nan_last);
}
