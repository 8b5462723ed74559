// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fourier transforms of any length, one dimension at a time, on real and imaginary parts apart.
//
//   n = r m: with P points done, D[k][j m' + i] for k < P; the next radix r gives, for t < r,
//     D'[k + P t][i] = sum over j < r of  w_r^(j t)  (w_Pr^(j k)  D[k][j M' + i])
//   which is one contraction over j, in natural order at the end (Stockham).
//
// Lengths with large prime factors become a convolution of smooth length (Bluestein):
//     X[k] = c[k] sum over j of (x[j] c[j]) conj(c[k - j]),   c[j] = exp(-pi i j^2 / n)
// Inverse transforms are the forward ones with the parts exchanged on both sides.
#include <math.h>
#include <string.h>

#include "compiler/input/lower.h"

enum {
  MAX_LENGTH = 1 << 26,
  MAX_STAGES = 32,
  DIRECT = 32,      // up to this length one contraction does
  RADIX = 8,        // small prime factors are joined up to this: fewer passes over memory
  TABLE = 1 << 14,  // longer tables of roots are products of two short ones
  TABLE_STEP = 1 << 10,
  TABLE_SHIFT = 10,
};
static const double pi = 3.14159265358979323846;

typedef struct parts {
  ir_value_t *re, *im;  // |im| NULL: zero
} parts_t;

// ---- constants
// exp(-2 pi i k / n), from an angle of at most an eighth of a turn: exact where it can be.
static void root(int64_t k, int64_t n, double *re, double *im) {
  k %= n;
  int64_t eighths = 8 * k / n;                                      // of a turn, rounded down
  int64_t quarter = (eighths + 1) / 2, rest = 4 * k - quarter * n;  // rest / 4n turns beyond it
  double angle = pi / 2 * (double)rest / (double)n, c = cos(angle), s = -sin(angle);
  switch (quarter % 4) {
    case 0:
      *re = c, *im = s;
      break;
    case 1:
      *re = s, *im = -c;
      break;
    case 2:
      *re = -c, *im = -s;
      break;
    default:
      *re = -s, *im = c;
      break;
  }
}
static ir_value_t *table_of(lowering_t *l, ir_type_t part, const double *values,
                            const int64_t *dims, size_t rank) {
  size_t size = ir_type_storage_bytes(part), n = 1;
  for (size_t i = 0; i < rank; ++i) n *= (size_t)dims[i];
  uint8_t *data = iree_arena_alloc(ir_arena(l->ctx), n * size);
  for (size_t i = 0; i < n; ++i) {
    uint64_t bits = ir_float_from_double(ir_float_kind(part), values[2 * i]);
    memcpy(data + i * size, &bits, size);
  }
  ir_type_t type = ir_type_tensor(l->ctx, dims, rank, part, NULL);
  return ir_build_constant(&l->b, type, ir_attr_dense(l->ctx, type, data, n * size, n == 1, false));
}
static parts_t complex_table(lowering_t *l, ir_type_t part, const double *values,
                             const int64_t *dims, size_t rank) {
  return (parts_t){table_of(l, part, values, dims, rank),
                   table_of(l, part, values + 1, dims, rank)};
}
static double *doubles(lowering_t *l, int64_t n) {
  return IREE_ARENA_ARRAY(ir_arena(l->ctx), double, (size_t)n * 2 + 1);
}
// The powers of the n-th root of unity; |high| is of every TABLE_STEP-th, if there are many.
typedef struct roots {
  parts_t low, high;
} roots_t;
static roots_t roots_of(lowering_t *l, ir_type_t part, int64_t n) {
  int64_t n_low = n > TABLE ? TABLE_STEP : n, n_high = (n + TABLE_STEP - 1) / TABLE_STEP;
  double *values = doubles(l, n_low > n_high ? n_low : n_high);
  roots_t r = {.high = {NULL, NULL}};
  for (int64_t k = 0; k < n_low; ++k) root(k, n, &values[2 * k], &values[2 * k + 1]);
  r.low = complex_table(l, part, values, &n_low, 1);
  if (n_low == n) return r;
  for (int64_t k = 0; k < n_high; ++k) root(k * TABLE_STEP, n, &values[2 * k], &values[2 * k + 1]);
  r.high = complex_table(l, part, values, &n_high, 1);
  return r;
}

// ---- scalars
static ir_value_t *mul_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_MULF, x, y);
}
static parts_t times(ir_builder_t *b, parts_t x, parts_t y) {
  if (!x.im) return (parts_t){mul_(b, x.re, y.re), mul_(b, x.re, y.im)};
  return (parts_t){low_op2(b, OP_ARITH_SUBF, mul_(b, x.re, y.re), mul_(b, x.im, y.im)),
                   low_op2(b, OP_ARITH_ADDF, mul_(b, x.re, y.im), mul_(b, x.im, y.re))};
}
static parts_t read_parts(ir_builder_t *b, parts_t from, ir_value_t *const *at, size_t rank) {
  return (parts_t){low_extract(b, from.re, at, rank),
                   from.im ? low_extract(b, from.im, at, rank) : NULL};
}
static parts_t root_at(ir_builder_t *b, const roots_t *r, ir_value_t *k) {
  if (!r->high.re) return read_parts(b, r->low, &k, 1);
  ir_value_t *low = low_op2(b, OP_ARITH_ANDI, k, low_index(b, TABLE_STEP - 1)),
             *high = low_op2(b, OP_ARITH_SHRUI, k, low_index(b, TABLE_SHIFT));
  return times(b, read_parts(b, r->low, &low, 1), read_parts(b, r->high, &high, 1));
}

// ---- elementwise ops on parts: dimension |dim| becomes |n| long
typedef parts_t (*part_fn_t)(ir_builder_t *b, const void *self, parts_t from, ir_value_t **at,
                             size_t rank, size_t dim);
static ir_type_t with_extent(lowering_t *l, ir_type_t type, size_t dim, int64_t n) {
  int64_t dims[HLO_MAX_RANK];
  memcpy(dims, ir_type_dims(type), ir_type_rank(type) * sizeof *dims);
  dims[dim] = n;
  return ir_type_tensor(l->ctx, dims, ir_type_rank(type), ir_type_element(type), NULL);
}
static parts_t elementwise(lowering_t *l, parts_t v, size_t dim, int64_t n, part_fn_t fn,
                           const void *self) {
  ir_type_t type = with_extent(l, v.re->type, dim, n);
  size_t rank = ir_type_rank(type);
  sizes_t sizes = low_sizes_like(l, type, v.re);
  ir_value_t *outs[2] = {low_empty(l, type, &sizes), low_empty(l, type, &sizes)}, *at[HLO_MAX_RANK];
  ir_attr_t maps[2] = {ir_attr_identity_map(l->ctx, rank), ir_attr_identity_map(l->ctx, rank)};
  ir_op_t *g = linalg_build_generic(&l->b, NULL, 0, outs, 2, maps, NULL, rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  for (size_t d = 0; d < rank; ++d) at[d] = low_loop_index(&b, d);
  parts_t r = fn(&b, self, v, at, rank, dim);
  linalg_build_yield(l->ctx, g, (ir_value_t *[]){r.re, r.im}, 2, l->b.loc);
  return (parts_t){ir_result(g, 0), ir_result(g, 1)};
}

// ---- smooth lengths
typedef struct plan {
  int64_t radix[MAX_STAGES];
  size_t n_stages;
  double cost;  // per point, about in vector instructions
} plan_t;
static plan_t smooth_plan(int64_t n) {
  plan_t p = {.n_stages = 0};
  int64_t primes[64], rest = n;
  size_t n_primes = 0;
  for (int64_t f = 2; f * f <= rest; ++f)
    for (; rest % f == 0; rest /= f) primes[n_primes++] = f;
  if (rest > 1) primes[n_primes++] = rest;
  if (n <= DIRECT && n > 1) primes[0] = n, n_primes = 1;
  while (n_primes) {
    int64_t r = primes[--n_primes];
    while (n_primes && r * primes[n_primes - 1] <= RADIX) r *= primes[--n_primes];
    p.radix[p.n_stages++] = r;
    p.cost += 5 * (double)r + 20;
  }
  return p;
}
static parts_t stage(lowering_t *l, parts_t v, size_t dim, int64_t done, int64_t r, int64_t left,
                     const roots_t *roots) {
  size_t rank = ir_type_rank(v.re->type), red = rank + 2, n_in = 0;
  ir_type_t part = ir_type_element(v.re->type);
  // A square table is read along its rows; a large one is not worth its size.
  bool square = r <= DIRECT;
  double *values = doubles(l, square ? r * r : r);
  for (int64_t t = 0; t < (square ? r : 1); ++t)
    for (int64_t j = 0; j < r; ++j)
      root(square ? j * t % r : j, r, &values[2 * (t * r + j)], &values[2 * (t * r + j) + 1]);
  parts_t inner = complex_table(l, part, values, (int64_t[]){r, r}, square ? 2 : 1);
  parts_t in = {low_split_dim(l, v.re, dim, (int64_t[]){done, r, left}, 3),
                v.im ? low_split_dim(l, v.im, dim, (int64_t[]){done, r, left}, 3) : NULL};
  ir_expr_t own[HLO_MAX_RANK], from[HLO_MAX_RANK];
  bool parallel[HLO_MAX_RANK + 1];
  int64_t dims[HLO_MAX_RANK];
  sizes_t sizes = sizes_none();
  for (size_t d = 0; d <= red; ++d) parallel[d] = d < red;
  for (size_t d = 0; d < red; ++d) {
    own[d] = from[d] = ir_expr_dim(l->ctx, d);
    dims[d] = ir_type_dim(in.re->type, d);
    if (dims[d] == IR_DYNAMIC) sizes.at[d] = low_dim_value(l, in.re, d);
  }
  from[dim] = ir_expr_dim(l->ctx, dim + 1), from[dim + 1] = ir_expr_dim(l->ctx, red);
  dims[dim] = r, dims[dim + 1] = done;
  ir_type_t type = ir_type_tensor(l->ctx, dims, red, part, NULL);
  ir_expr_t tj[2] = {ir_expr_dim(l->ctx, dim), ir_expr_dim(l->ctx, red)};
  ir_value_t *zero = low_filled(l, type, &sizes, low_zero(&l->b, part)), *outs[2] = {zero, zero},
             *inputs[4];
  ir_attr_t maps[6];
  inputs[n_in] = in.re, maps[n_in++] = ir_attr_map(l->ctx, red + 1, 0, from, red);
  if (v.im) inputs[n_in] = in.im, maps[n_in++] = maps[0];
  if (square) {
    inputs[n_in] = inner.re, maps[n_in++] = ir_attr_map(l->ctx, red + 1, 0, tj, 2);
    inputs[n_in] = inner.im, maps[n_in] = maps[n_in - 1], ++n_in;
  }
  maps[n_in] = maps[n_in + 1] = ir_attr_map(l->ctx, red + 1, 0, own, red);
  ir_op_t *g = linalg_build_generic(&l->b, inputs, n_in, outs, 2, maps, parallel, red + 1);
  ir_value_t *const *args = ir_body(g)->args;
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  parts_t x = {args[0], v.im ? args[1] : NULL}, w = {args[n_in - 2], args[n_in - 1]};
  ir_value_t *j = low_loop_index(&b, red);
  if (done > 1) {
    ir_value_t *jk =
        low_op2(&b, OP_ARITH_MULI, low_loop_index(&b, red), low_loop_index(&b, dim + 1));
    x = times(&b, x, root_at(&b, roots, low_op2(&b, OP_ARITH_MULI, jk, low_index(&b, left))));
  }
  if (!square) {
    ir_value_t *jt = low_op2(&b, OP_ARITH_MULI, j, low_loop_index(&b, dim));
    jt = low_op2(&b, OP_ARITH_REMUI, jt, low_index(&b, r));
    w = read_parts(&b, inner, &jt, 1);
  }
  x = times(&b, x, w);
  ir_value_t *sum[2] = {low_op2(&b, OP_ARITH_ADDF, args[n_in], x.re),
                        low_op2(&b, OP_ARITH_ADDF, args[n_in + 1], x.im)};
  linalg_build_yield(l->ctx, g, sum, 2, l->b.loc);
  return (parts_t){low_merge_dims(l, ir_result(g, 0), dim, 3),
                   low_merge_dims(l, ir_result(g, 1), dim, 3)};
}
static parts_t smooth(lowering_t *l, parts_t v, size_t dim, int64_t n, const plan_t *plan) {
  roots_t roots = {.high = {NULL, NULL}};
  if (plan->n_stages > 1) roots = roots_of(l, ir_type_element(v.re->type), n);
  for (int64_t s = 0, done = 1; s < (int64_t)plan->n_stages; done *= plan->radix[s++])
    v = stage(l, v, dim, done, plan->radix[s], n / done / plan->radix[s], &roots);
  return v;
}

// ---- other lengths
typedef struct chirp {
  parts_t table;  // c
  int64_t n;
} chirp_t;
static parts_t chirped(ir_builder_t *b, const void *self, parts_t from, ir_value_t **at,
                       size_t rank, size_t dim) {
  const chirp_t *c = self;
  ir_value_t *k = at[dim], *inside = low_cmpi(b, "slt", k, low_index(b, c->n));
  at[dim] = low_op2(b, OP_ARITH_MINSI, k, low_index(b, c->n - 1));
  parts_t r = times(b, read_parts(b, from, at, rank), read_parts(b, c->table, &at[dim], 1));
  ir_value_t *zero = low_zero(b, r.re->type);
  return (parts_t){low_select(b, inside, r.re, zero), low_select(b, inside, r.im, zero)};
}
static parts_t filtered(ir_builder_t *b, const void *self, parts_t from, ir_value_t **at,
                        size_t rank, size_t dim) {
  return times(b, read_parts(b, from, at, rank),
               read_parts(b, *(const parts_t *)self, &at[dim], 1));
}
// In place, by halves; |m| a power of two.
static void transform_doubles(double *x, double *scratch, int64_t m, int64_t stride) {
  if (m == 1) return;
  transform_doubles(x, scratch, m / 2, stride * 2);
  transform_doubles(x + 2 * stride, scratch, m / 2, stride * 2);
  for (int64_t k = 0; k < m / 2; ++k) {
    double c, s, *even = x + 4 * k * stride, *odd = even + 2 * stride;
    root(k, m, &c, &s);
    double re = odd[0] * c - odd[1] * s, im = odd[0] * s + odd[1] * c;
    scratch[2 * k] = even[0] + re, scratch[2 * k + 1] = even[1] + im;
    scratch[2 * k + m] = even[0] - re, scratch[2 * k + m + 1] = even[1] - im;
  }
  for (int64_t k = 0; k < m; ++k)
    x[2 * k * stride] = scratch[2 * k], x[2 * k * stride + 1] = scratch[2 * k + 1];
}
static int64_t convolution_length(int64_t n) {
  int64_t m = 1;
  while (m < 2 * n - 1) m *= 2;
  return m;
}
static parts_t convolved(lowering_t *l, parts_t v, size_t dim, int64_t n, int64_t m,
                         const plan_t *plan) {
  ir_type_t part = ir_type_element(v.re->type);
  double *values = doubles(l, n), *filter = doubles(l, m), *scratch = doubles(l, m);
  for (int64_t j = 0; j < n; ++j) {
    double re, im;
    root((int64_t)((unsigned __int128)j * (uint64_t)j % (uint64_t)(2 * n)), 2 * n, &re, &im);
    values[2 * j] = re, values[2 * j + 1] = im;
    int64_t mirror = j ? m - j : 0;
    filter[2 * j] = filter[2 * mirror] = re / (double)m;
    filter[2 * j + 1] = filter[2 * mirror + 1] = -im / (double)m;
  }
  transform_doubles(filter, scratch, m, 1);
  chirp_t c = {complex_table(l, part, values, &n, 1), n};
  parts_t f = complex_table(l, part, filter, &m, 1);
  v = smooth(l, elementwise(l, v, dim, m, chirped, &c), dim, m, plan);
  v = elementwise(l, v, dim, m, filtered, &f);
  v = smooth(l, (parts_t){v.im, v.re}, dim, m, plan);
  return elementwise(l, (parts_t){v.im, v.re}, dim, n, chirped, &c);
}
static parts_t forward(lowering_t *l, parts_t v, size_t dim, int64_t n) {
  plan_t plan = smooth_plan(n);
  int64_t m = convolution_length(n);
  plan_t longer = smooth_plan(m);
  if ((double)n * plan.cost <= 2 * (double)m * (longer.cost + 20))
    return smooth(l, v, dim, n, &plan);
  return convolved(l, v, dim, n, m, &longer);
}

// ---- real sides
// The whole spectrum of real values from its first half.
static parts_t mirrored(ir_builder_t *b, const void *self, parts_t from, ir_value_t **at,
                        size_t rank, size_t dim) {
  int64_t n = *(const int64_t *)self;
  ir_value_t *k = at[dim], *other = low_op2(b, OP_ARITH_SUBI, low_index(b, n), k);
  ir_value_t *first = low_cmpi(b, "sle", k, low_index(b, n / 2)),
             *real = low_cmpi(b, "eq", k, low_index(b, 0));
  if (n % 2 == 0) real = low_op2(b, OP_ARITH_ORI, real, low_cmpi(b, "eq", k, low_index(b, n / 2)));
  at[dim] = low_select(b, first, k, other);
  parts_t r = read_parts(b, from, at, rank);
  ir_value_t *im = low_select(b, first, r.im, low_op1(b, OP_ARITH_NEGF, r.im));
  return (parts_t){r.re, low_select(b, real, low_zero(b, im->type), im)};
}
static parts_t split(lowering_t *l, ir_value_t *v) {
  ir_type_t type = ir_type_with_element(l->ctx, v->type, ir_kid(ir_type_element(v->type), 0));
  size_t rank = ir_type_rank(type);
  sizes_t sizes = low_sizes_like(l, type, v);
  ir_value_t *outs[2] = {low_empty(l, type, &sizes), low_empty(l, type, &sizes)};
  ir_attr_t same = ir_attr_identity_map(l->ctx, rank), maps[3] = {same, same, same};
  ir_op_t *g = linalg_build_generic(&l->b, &v, 1, outs, 2, maps, NULL, rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *x = ir_body(g)->args[0], *r[2] = {low_re(&b, x), low_im(&b, x)};
  linalg_build_yield(l->ctx, g, r, 2, l->b.loc);
  return (parts_t){ir_result(g, 0), ir_result(g, 1)};
}
// The first |n| points along |dim|, times |scale|; |complex_out|: else the real part.
static ir_value_t *joined(lowering_t *l, parts_t v, size_t dim, int64_t n, double scale,
                          bool complex_out) {
  ir_type_t part = ir_type_element(v.re->type), type = with_extent(l, v.re->type, dim, n);
  ir_value_t *inputs[2] = {v.re, v.im};
  slice_spec_t first = {.offsets = {0}};
  size_t n_inputs = complex_out && v.im ? 2 : 1;
  for (size_t d = 0; d < ir_type_rank(type); ++d) {
    first.strides[d] = 1, first.sizes[d] = ir_type_dim(type, d);
    if (first.sizes[d] == IR_DYNAMIC) first.size_values[d] = low_dim_value(l, v.re, d);
  }
  for (size_t i = 0; i < n_inputs && ir_type_dim(v.re->type, dim) != n; ++i)
    inputs[i] = low_extract_slice(l, inputs[i], &first, type);
  if (complex_out) type = ir_type_with_element(l->ctx, type, ir_type_complex(l->ctx, part));
  sizes_t sizes = low_sizes_like(l, type, v.re);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, inputs, n_inputs);
  ir_value_t *re = p.body->args[0], *im = n_inputs > 1 ? p.body->args[1] : low_zero(&p.b, part),
             *factor = low_float(&p.b, part, scale);
  if (scale != 1) re = mul_(&p.b, re, factor), im = mul_(&p.b, im, factor);
  return low_pointwise_end(l, &p, complex_out ? low_complex(&p.b, re, im) : re);
}

iree_status_t input_lower_fft(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  hlo_dims_t length = hlo_dims(op, "fft_length", 0, 0);
  const char *kind = ir_bytes(ir_op_attr(op, "fft_type"));
  bool real_in = !strcmp(kind, "RFFT"), real_out = !strcmp(kind, "IRFFT"),
       inverse = real_out || !strcmp(kind, "IFFT");
  size_t rank = ir_type_rank(v->type);
  ir_type_t element = ir_type_element(v->type);
  if (!length.n || length.n > rank || rank + 3 > HLO_MAX_RANK)
    return ir_op_error(op, "transforms the last dimensions, at least one, of at most %d",
                       HLO_MAX_RANK - 3);
  if (real_in ? !ir_type_is_float(element) : !ir_is(element, IR_T_COMPLEX))
    return ir_op_error(op, "of type %s does not take this element type", kind);
  double scale = 1;
  for (size_t i = 0; i < length.n; ++i) {
    int64_t have = ir_type_dim(v->type, rank - length.n + i), n = length.at[i];
    if (n < 1 || n > MAX_LENGTH)
      return ir_op_error(op, "has a length of %lld, not 1 to %d", (long long)n, MAX_LENGTH);
    if (have != (real_out && i + 1 == length.n ? n / 2 + 1 : n))
      return ir_op_error(op, "has length %lld for extent %lld", (long long)n, (long long)have);
    if (inverse) scale /= (double)n;
  }
  parts_t p = {v, NULL};
  if (!real_in) p = split(l, v);
  int64_t n = length.at[length.n - 1], kept = real_in ? n / 2 + 1 : n;
  if (inverse) p = (parts_t){p.im, p.re};
  // A real side is the last dimension: first on the way in, last on the way out.
  for (size_t i = 0; i < length.n; ++i) {
    size_t k = real_out ? i : length.n - 1 - i, dim = rank - length.n + k;
    if (real_out && k + 1 == length.n) {
      p = elementwise(l, (parts_t){p.im, p.re}, dim, n, mirrored, &n);
      p = (parts_t){p.im, p.re};
    }
    p = forward(l, p, dim, length.at[k]);
  }
  if (inverse) p = (parts_t){p.im, p.re};
  return input_lower_result(l, op, joined(l, p, rank - 1, kept, scale, !real_out));
}
