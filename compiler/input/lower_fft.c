// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fourier transforms of any length as sums over a table of roots of unity, one dimension at a time.
#include <math.h>
#include <string.h>

#include "compiler/input/lower.h"

enum { MAX_LENGTH = 1 << 20 };

// exp(-2 pi i k / n) or its conjugate, for k < n.
static ir_value_t *roots(lowering_t *l, int64_t n, ir_type_t part, bool inverse) {
  size_t size = ir_type_storage_bytes(part);
  ir_float_t kind = ir_float_kind(part);
  uint8_t *data = iree_arena_alloc(ir_arena(l->ctx), (size_t)n * 2 * size);
  for (int64_t k = 0; k < n; ++k) {
    double angle = (inverse ? 2 : -2) * 3.14159265358979323846 * (double)k / (double)n;
    uint64_t re = ir_float_from_double(kind, cos(angle)),
             im = ir_float_from_double(kind, sin(angle));
    memcpy(data + (size_t)k * 2 * size, &re, size);
    memcpy(data + ((size_t)k * 2 + 1) * size, &im, size);
  }
  ir_type_t type = ir_type_tensor(l->ctx, &n, 1, ir_type_complex(l->ctx, part), NULL);
  return ir_build_constant(&l->b, type,
                           ir_attr_dense(l->ctx, type, data, (size_t)n * 2 * size, n == 1, false));
}

typedef enum { COMPLEX_TO_COMPLEX, REAL_TO_COMPLEX, COMPLEX_TO_REAL } fft_kind_t;

// Transforms dimension |dim| of |v| with |n| points; the result has |n_out| there.
static ir_value_t *transform(lowering_t *l, ir_value_t *v, size_t dim, int64_t n, int64_t n_out,
                             fft_kind_t kind, bool inverse) {
  ir_type_t element = ir_type_element(v->type),
            part = kind == REAL_TO_COMPLEX ? element : ir_kid(element, 0);
  ir_type_t out_element = kind == COMPLEX_TO_REAL ? part : ir_type_complex(l->ctx, part),
            i64 = ir_type_i(l->ctx, 64);
  size_t rank = ir_type_rank(v->type);
  int64_t dims[HLO_MAX_RANK];
  bool parallel[HLO_MAX_RANK + 1];
  ir_expr_t exprs[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = i == dim ? n_out : ir_type_dim(v->type, i);
    exprs[i] = ir_expr_dim(l->ctx, i);
    parallel[i] = true;
  }
  parallel[rank] = false;
  ir_type_t type = ir_type_tensor(l->ctx, dims, rank, out_element, NULL);
  sizes_t sizes = low_sizes_like(l, type, v);
  ir_value_t *table = roots(l, n, part, inverse),
             *out = low_filled(l, type, &sizes, low_zero(&l->b, out_element));
  ir_attr_t maps[2] = {NULL, ir_attr_map(l->ctx, rank + 1, 0, exprs, rank)};
  exprs[dim] = ir_expr_dim(l->ctx, rank);
  maps[0] = ir_attr_map(l->ctx, rank + 1, 0, exprs, rank);
  ir_op_t *g = linalg_build_generic(&l->b, &v, 1, &out, 1, maps, parallel, rank + 1);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *x = ir_body(g)->args[0], *acc = ir_body(g)->args[1], *at, *r;
  ir_value_t *k = low_from_index(&b, low_loop_index(&b, dim), i64),
             *j = low_from_index(&b, low_loop_index(&b, rank), i64);
  at = low_op2(&b, OP_ARITH_REMUI, low_op2(&b, OP_ARITH_MULI, k, j), low_int(&b, i64, n));
  at = low_to_index(&b, at, i64);
  ir_value_t *root = low_extract(&b, table, &at, 1);
  double scale = inverse ? 1.0 / (double)n : 1;
  if (kind == REAL_TO_COMPLEX) {
    r = low_complex(&b, low_op2(&b, OP_ARITH_MULF, x, low_re(&b, root)),
                    low_op2(&b, OP_ARITH_MULF, x, low_im(&b, root)));
  } else {
    r = low_mul(&b, x, root);
  }
  if (kind == COMPLEX_TO_REAL) {  // each inner point stands for its conjugate too
    ir_value_t *once = low_cmpi(&b, "eq", j, low_int(&b, i64, 0));
    if (n % 2 == 0)
      once = low_op2(&b, OP_ARITH_ORI, once, low_cmpi(&b, "eq", j, low_int(&b, i64, n / 2)));
    r = low_op2(&b, OP_ARITH_MULF, low_re(&b, r),
                low_select(&b, once, low_float(&b, part, scale), low_float(&b, part, 2 * scale)));
  } else if (inverse) {
    ir_value_t *s = low_float(&b, part, scale);
    r = low_complex(&b, low_op2(&b, OP_ARITH_MULF, low_re(&b, r), s),
                    low_op2(&b, OP_ARITH_MULF, low_im(&b, r), s));
  }
  r = low_add(&b, acc, r);
  linalg_build_yield(l->ctx, g, &r, 1, l->b.loc);
  return ir_result(g, 0);
}

iree_status_t input_lower_fft(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  hlo_dims_t length = hlo_dims(op, "fft_length", 0, 0);
  const char *kind = ir_bytes(ir_op_attr(op, "fft_type"));
  bool real_in = !strcmp(kind, "RFFT"), real_out = !strcmp(kind, "IRFFT"),
       inverse = real_out || !strcmp(kind, "IFFT");
  size_t rank = ir_type_rank(v->type);
  ir_type_t element = ir_type_element(v->type);
  if (!length.n || length.n > rank || rank >= HLO_MAX_RANK)
    return ir_op_error(op, "transforms the last dimensions, at least one");
  if (real_in ? !ir_type_is_float(element) : !ir_is(element, IR_T_COMPLEX))
    return ir_op_error(op, "of type %s does not take this element type", kind);
  for (size_t i = 0; i < length.n; ++i) {
    int64_t have = ir_type_dim(v->type, rank - length.n + i), n = length.at[i];
    if (n < 1 || n > MAX_LENGTH)
      return ir_op_error(op, "has a length of %lld, not 1 to %d", (long long)n, MAX_LENGTH);
    if (have != (real_out && i + 1 == length.n ? n / 2 + 1 : n))
      return ir_op_error(op, "has length %lld for extent %lld", (long long)n, (long long)have);
  }
  for (size_t i = 0; i < length.n; ++i) {
    // A real side is the last dimension: first on the way in, last on the way out.
    size_t k = real_out ? i : length.n - 1 - i, dim = rank - length.n + k;
    bool last = k + 1 == length.n;
    fft_kind_t step = last && real_in    ? REAL_TO_COMPLEX
                      : last && real_out ? COMPLEX_TO_REAL
                                         : COMPLEX_TO_COMPLEX;
    v = transform(l, v, dim, length.at[k],
                  step == REAL_TO_COMPLEX ? length.at[k] / 2 + 1 : length.at[k], step, inverse);
  }
  return input_lower_result(l, op, v);
}
