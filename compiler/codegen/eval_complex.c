// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex elements: pairs of real values, real in |value|, imaginary in |imag|. Operations are
// their definitions on real and imaginary parts, arranged so that neither cancels nor overflows
// where the result does not. Those of f32 that are more than sums and products are computed in
// f64, where squares have room: |narrow| says so, and scaling is left out.
#include <math.h>

#include "compiler/codegen/eval_internal.h"

typedef ir_value_t *V;
typedef struct {
  V re, im;
} pair_t;
typedef struct {
  kernel_t *k;
  bool narrow;
} math_t;

static V add(kernel_t *k, V a, V b) { return kernel_op2(k, OP_ARITH_ADDF, a, b); }
static V sub(kernel_t *k, V a, V b) { return kernel_op2(k, OP_ARITH_SUBF, a, b); }
static V mul(kernel_t *k, V a, V b) { return kernel_op2(k, OP_ARITH_MULF, a, b); }
static V quotient(kernel_t *k, V a, V b) { return kernel_op2(k, OP_ARITH_DIVF, a, b); }
static V unary(kernel_t *k, ir_kind_t kind, V x) { return kernel_op1(k, kind, x->type, x); }
static V neg(kernel_t *k, V x) { return unary(k, OP_ARITH_NEGF, x); }

static V constant(kernel_t *k, V like, double value) {
  ir_type_t element = ir_type_element(like->type);
  uint64_t bits = ir_float_from_double(ir_float_kind(element), value);
  return kernel_constant(k, ir_attr_float_bits(k->ctx, element, bits), element);
}

static V compare(kernel_t *k, const char *predicate, V a, V b) {
  bool is_vector = kernel_is_vector(a) || kernel_is_vector(b);
  if (is_vector) a = kernel_broadcast(k, a), b = kernel_broadcast(k, b);
  kernel_attr_t attr = {"predicate", ir_attr_keyword(k->ctx, predicate)};
  ir_type_t type = is_vector ? kernel_vector_type(k, k->i1_type) : k->i1_type;
  return kernel_op(k, OP_ARITH_CMPF, type, (V[]){a, b}, 2, &attr, 1);
}

static V convert(kernel_t *k, ir_kind_t kind, V x, ir_float_t format) {
  ir_type_t element = ir_type_float(k->ctx, format);
  return kernel_op1(k, kind, kernel_is_vector(x) ? kernel_vector_type(k, element) : element, x);
}

static bool is_f32(V x) { return ir_float_kind(ir_type_element(x->type)) == IR_F32; }

// ---- small steps
// a b, and 0 where a is 0 even if b is infinite.
static V product_of_zero(kernel_t *k, V a, V b) {
  V sign = kernel_op2(k, OP_MATH_COPYSIGN, constant(k, b, 1), b);
  return mul(k, a, kernel_select(k, compare(k, "oeq", a, constant(k, a, 0)), sign, b));
}
static V fma_of(kernel_t *k, V a, V b, V c) {
  return kernel_op(k, OP_MATH_FMA, a->type, (V[]){a, b, c}, 3, NULL, 0);
}
// x, or its product with |factor| if there is one.
static V times(kernel_t *k, V x, V factor) { return factor ? product_of_zero(k, x, factor) : x; }
static V both(kernel_t *k, V a, V b) { return kernel_op2(k, OP_ARITH_ANDI, a, b); }

// How numbers are scaled so that their squares are neither infinite nor 0; NULLs for narrow ones.
typedef struct {
  V is_large, is_small;
} scale_t;
static scale_t scale_of(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  if (m->narrow) return (scale_t){NULL, NULL};
  V largest =
      kernel_op2(k, OP_ARITH_MAXIMUMF, unary(k, OP_MATH_ABSF, z.re), unary(k, OP_MATH_ABSF, z.im));
  return (scale_t){compare(k, "ogt", largest, constant(k, largest, 0x1p500)),
                   compare(k, "olt", largest, constant(k, largest, 0x1p-500))};
}
static V by_scale(const math_t *m, scale_t s, V like, double large, double normal, double small) {
  kernel_t *k = m->k;
  V r = kernel_select(k, s.is_small, constant(k, like, small), constant(k, like, normal));
  return kernel_select(k, s.is_large, constant(k, like, large), r);
}
static pair_t scaled(const math_t *m, scale_t s, pair_t z) {
  if (m->narrow) return z;
  V factor = by_scale(m, s, z.re, 0x1p-540, 1, 0x1p540);
  return (pair_t){mul(m->k, z.re, factor), mul(m->k, z.im, factor)};
}
static V unscaled(const math_t *m, scale_t s, V x) {
  return m->narrow ? x : mul(m->k, x, by_scale(m, s, x, 0x1p540, 1, 0x1p-540));
}

static V norm(kernel_t *k, pair_t z) { return add(k, mul(k, z.re, z.re), mul(k, z.im, z.im)); }

static V magnitude(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  scale_t s = scale_of(m, z);
  V r = unscaled(m, s, unary(k, OP_MATH_SQRT, norm(k, scaled(m, s, z))));
  V infinity = constant(k, r, INFINITY);
  V is_infinite =
      kernel_op2(k, OP_ARITH_ORI, compare(k, "oeq", unary(k, OP_MATH_ABSF, z.re), infinity),
                 compare(k, "oeq", unary(k, OP_MATH_ABSF, z.im), infinity));
  return kernel_select(k, is_infinite, infinity, r);
}

static pair_t product(kernel_t *k, pair_t a, pair_t b) {
  return (pair_t){sub(k, mul(k, a.re, b.re), mul(k, a.im, b.im)),
                  add(k, mul(k, a.re, b.im), mul(k, a.im, b.re))};
}

// A number with an infinite part stands for a direction: its infinite parts become 1, the others 0.
static pair_t boxed(kernel_t *k, pair_t z, V *out_is_infinite) {
  V one = constant(k, z.re, 1), zero = constant(k, z.re, 0), infinity = constant(k, z.re, INFINITY);
  V re = compare(k, "oeq", unary(k, OP_MATH_ABSF, z.re), infinity);
  V im = compare(k, "oeq", unary(k, OP_MATH_ABSF, z.im), infinity);
  V any = kernel_op2(k, OP_ARITH_ORI, re, im);
  V box_re = kernel_op2(k, OP_MATH_COPYSIGN, kernel_select(k, re, one, zero), z.re);
  V box_im = kernel_op2(k, OP_MATH_COPYSIGN, kernel_select(k, im, one, zero), z.im);
  *out_is_infinite = any;
  return (pair_t){kernel_select(k, any, box_re, z.re), kernel_select(k, any, box_im, z.im)};
}

// Infinities and zero divisors as in C's Annex G.
static pair_t ratio(const math_t *m, pair_t a, pair_t b) {
  kernel_t *k = m->k;
  V zero = constant(k, b.re, 0), one = constant(k, b.re, 1), infinity = constant(k, b.re, INFINITY);
  V a_infinite, b_infinite, b_re = b.re;
  a = boxed(k, a, &a_infinite), b = boxed(k, b, &b_infinite);
  scale_t sa = scale_of(m, a), sb = scale_of(m, b);
  a = scaled(m, sa, a), b = scaled(m, sb, b);
  V n = norm(k, b);
  pair_t p = product(k, a, (pair_t){b.re, neg(k, b.im)});
  V factor = kernel_select(k, a_infinite, infinity, one);
  factor = mul(k, factor, kernel_select(k, b_infinite, zero, one));
  V is_zero = compare(k, "oeq", n, zero), pole = kernel_op2(k, OP_MATH_COPYSIGN, infinity, b_re);
  V back = NULL;  // the root of what the scales leave, to be applied twice
  if (!m->narrow)
    back =
        mul(k, by_scale(m, sa, n, 0x1p270, 1, 0x1p-270), by_scale(m, sb, n, 0x1p-270, 1, 0x1p270));
  V parts[2] = {p.re, p.im}, tops[2] = {a.re, a.im};
  for (int i = 0; i < 2; ++i) {
    V q = quotient(k, parts[i], n);
    if (back) q = mul(k, mul(k, q, back), back);
    parts[i] = kernel_select(k, is_zero, mul(k, tops[i], pole), mul(k, q, factor));
  }
  return (pair_t){parts[0], parts[1]};
}

// ---- exponentials
// e^x by the result times |*out_factor| (NULL: 1): where e^x is infinite, a product with what is
// below 1 need not be, so large ones are taken in two halves.
static V exp_parts(const math_t *m, V x, V *out_factor) {
  kernel_t *k = m->k;
  *out_factor = NULL;
  if (m->narrow) return unary(k, OP_MATH_EXP, x);
  V is_large = compare(k, "ogt", x, constant(k, x, 700)), half = mul(k, x, constant(k, x, 0.5));
  V e = unary(k, OP_MATH_EXP, kernel_select(k, is_large, half, x));
  *out_factor = kernel_select(k, is_large, e, constant(k, x, 1));
  return e;
}

static pair_t exponential(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  V factor, e = exp_parts(m, z.re, &factor);
  V re = mul(k, e, unary(k, OP_MATH_COS, z.im));
  V im = product_of_zero(k, unary(k, OP_MATH_SIN, z.im), e);
  return (pair_t){times(k, re, factor), times(k, im, factor)};
}

static pair_t exp_minus_one(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  V one = constant(k, z.re, 1), half = unary(k, OP_MATH_SIN, mul(k, z.im, constant(k, z.im, 0.5)));
  pair_t e = exponential(m, z);
  V near = sub(k, mul(k, unary(k, OP_MATH_EXPM1, z.re), unary(k, OP_MATH_COS, z.im)),
               mul(k, constant(k, half, 2), mul(k, half, half)));
  V re = kernel_select(k, compare(k, "olt", z.re, one), near, sub(k, e.re, one));
  return (pair_t){re, e.im};
}

// ---- logarithms
// log |z + low|: by the logarithm of the squares' sum and what its rounding lost, which counts
// where the sum is near 1.
static V log_magnitude(const math_t *m, pair_t z, V low) {
  kernel_t *k = m->k;
  scale_t s = scale_of(m, z);
  if (low) low = scaled(m, s, (pair_t){low, low}).re;
  z = scaled(m, s, z);
  V p = mul(k, z.re, z.re), q = mul(k, z.im, z.im), h = add(k, p, q);
  V back = sub(k, h, p), lost = add(k, sub(k, p, sub(k, h, back)), sub(k, q, back));
  lost = add(k, lost, add(k, fma_of(k, z.re, z.re, neg(k, p)), fma_of(k, z.im, z.im, neg(k, q))));
  if (low) lost = add(k, lost, mul(k, mul(k, constant(k, low, 2), z.re), low));
  V more = quotient(k, lost, h);
  more = kernel_select(k, compare(k, "ord", more, more), more, constant(k, more, 0));
  V r = mul(k, constant(k, h, 0.5), add(k, unary(k, OP_MATH_LOG, h), more));
  if (m->narrow) return r;
  return add(k, r, by_scale(m, s, r, 374.29947750237048, 0, -374.29947750237048));
}

static pair_t logarithm(const math_t *m, pair_t z) {
  return (pair_t){log_magnitude(m, z, NULL), kernel_op2(m->k, OP_MATH_ATAN2, z.im, z.re)};
}

static pair_t log_plus_one(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  V one = constant(k, z.re, 1), re = add(k, one, z.re), back = sub(k, re, one);
  V low = add(k, sub(k, one, sub(k, re, back)), sub(k, z.re, back));
  return (pair_t){log_magnitude(m, (pair_t){re, z.im}, low),
                  kernel_op2(k, OP_MATH_ATAN2, z.im, re)};
}

// ---- roots and powers
static pair_t square_root(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  V half = constant(k, z.re, 0.5), zero = constant(k, z.re, 0);
  scale_t scale = scale_of(m, z);
  pair_t w = scaled(m, scale, z);
  V a = unary(k, OP_MATH_ABSF, w.re), b = unary(k, OP_MATH_ABSF, w.im);
  V t = unary(k, OP_MATH_SQRT, mul(k, half, add(k, unary(k, OP_MATH_SQRT, norm(k, w)), a)));
  V infinite = compare(k, "oeq", b, constant(k, b, INFINITY));
  t = kernel_select(k, infinite, b, t);
  V s = quotient(k, mul(k, half, b), t);
  s = kernel_select(k, compare(k, "oeq", t, zero), zero, s);
  s = kernel_select(k, infinite, b, s);
  V right = compare(k, "oge", w.re, zero);
  V re = kernel_select(k, right, t, s), im = kernel_select(k, right, s, t);
  if (!m->narrow) {
    V root = by_scale(m, scale, re, 0x1p270, 1, 0x1p-270);
    re = mul(k, re, root), im = mul(k, im, root);
  }
  return (pair_t){re, kernel_op2(k, OP_MATH_COPYSIGN, im, z.im)};
}

static pair_t power(const math_t *m, pair_t a, pair_t b) {
  kernel_t *k = m->k;
  V zero = constant(k, a.re, 0), one = constant(k, a.re, 1);
  pair_t r = exponential(m, product(k, b, logarithm(m, a)));
  V base_zero = both(k, compare(k, "oeq", a.re, zero), compare(k, "oeq", a.im, zero));
  V exponent_zero = both(k, compare(k, "oeq", b.re, zero), compare(k, "oeq", b.im, zero));
  V at_zero = kernel_select(k, exponent_zero, one, zero);
  return (pair_t){kernel_select(k, base_zero, at_zero, r.re),
                  kernel_select(k, base_zero, zero, r.im)};
}

static pair_t direction(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  pair_t w = scaled(m, scale_of(m, z), z);
  V length = unary(k, OP_MATH_SQRT, norm(k, w));
  V at_zero = compare(k, "oeq", length, constant(k, length, 0));
  return (pair_t){kernel_select(k, at_zero, z.re, quotient(k, w.re, length)),
                  kernel_select(k, at_zero, z.im, quotient(k, w.im, length))};
}

// ---- circular and hyperbolic functions
typedef struct {
  V sin, cos, sinh, cosh, factor;
} parts_t;  // of x and y; factor as in exp_parts
static parts_t circular_parts(const math_t *m, V x, V y) {
  kernel_t *k = m->k;
  parts_t p = {unary(k, OP_MATH_SIN, x), unary(k, OP_MATH_COS, x), NULL, NULL, NULL};
  V is_large = NULL;
  if (!m->narrow) {
    V a = unary(k, OP_MATH_ABSF, y);
    is_large = compare(k, "ogt", a, constant(k, a, 700));
    y = kernel_select(k, is_large, mul(k, y, constant(k, y, 0.5)), y);
  }
  p.sinh = unary(k, OP_MATH_SINH, y), p.cosh = unary(k, OP_MATH_COSH, y);
  if (is_large)  // of large numbers both are half of e^|y|
    p.factor = kernel_select(k, is_large, add(k, p.cosh, p.cosh), constant(k, y, 1));
  return p;
}

static pair_t sine(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  parts_t p = circular_parts(m, z.re, z.im);
  return (pair_t){times(k, product_of_zero(k, p.sin, p.cosh), p.factor),
                  times(k, mul(k, p.cos, p.sinh), p.factor)};
}

static pair_t cosine(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  parts_t p = circular_parts(m, z.re, z.im);
  return (pair_t){times(k, mul(k, p.cos, p.cosh), p.factor),
                  neg(k, times(k, product_of_zero(k, p.sin, p.sinh), p.factor))};
}

// With t = tan im, b = 1 + t^2, s = sinh re, c = cosh re:  (b c s + i t) / (1 + b s^2).
static pair_t hyperbolic_tangent(const math_t *m, pair_t z) {
  kernel_t *k = m->k;
  V one = constant(k, z.re, 1), t = unary(k, OP_MATH_TAN, z.im), b = add(k, one, mul(k, t, t));
  V s = unary(k, OP_MATH_SINH, z.re), c = unary(k, OP_MATH_COSH, z.re), bs = mul(k, b, s);
  V d = add(k, one, mul(k, bs, s)), re = quotient(k, mul(k, bs, c), d);
  V a = unary(k, OP_MATH_ABSF, z.re), is_far = compare(k, "ogt", a, constant(k, a, 22));
  V limit = kernel_op2(k, OP_MATH_COPYSIGN, one, z.re);
  V nothing = kernel_op2(k, OP_MATH_COPYSIGN, constant(k, a, 0), z.im);
  V is_infinite = compare(k, "oeq", a, constant(k, a, INFINITY));
  return (pair_t){kernel_select(k, is_far, limit, re),
                  kernel_select(k, is_infinite, nothing, quotient(k, t, d))};
}

// tan(x + i y) = -i tanh(-y + i x): the parts of tanh(y + i x) in the other order.
static pair_t tangent(const math_t *m, pair_t z) {
  pair_t r = hyperbolic_tangent(m, (pair_t){z.im, z.re});
  return (pair_t){r.im, r.re};
}

static pair_t arc_tangent2(const math_t *m, pair_t y, pair_t x) {
  // -i log((x + i y) / sqrt(x^2 + y^2))
  kernel_t *k = m->k;
  pair_t squares = product(k, x, x), more = product(k, y, y);
  pair_t root = square_root(m, (pair_t){add(k, squares.re, more.re), add(k, squares.im, more.im)});
  pair_t z = {sub(k, x.re, y.im), add(k, x.im, y.re)};
  pair_t l = logarithm(m, ratio(m, z, root));
  return (pair_t){l.im, neg(k, l.re)};
}

// Ops whose parts are plain sums and products of the operands' parts: any precision is theirs.
static bool simple(eval_t *e, ir_kind_t kind, pair_t a, pair_t b, kval_t *out) {
  kernel_t *k = &e->k;
  pair_t r;
  switch ((op_kind_t)kind) {
    case OP_COMPLEX_CREATE:
      *out = (kval_t){.value = a.re, .imag = b.re};
      return true;
    case OP_COMPLEX_RE:
      *out = kval(a.re);
      return true;
    case OP_COMPLEX_IM:
      *out = kval(a.im);
      return true;
    case OP_COMPLEX_ADD:
      r = (pair_t){add(k, a.re, b.re), add(k, a.im, b.im)};
      break;
    case OP_COMPLEX_SUB:
      r = (pair_t){sub(k, a.re, b.re), sub(k, a.im, b.im)};
      break;
    case OP_COMPLEX_MUL:
      r = product(k, a, b);
      break;
    case OP_COMPLEX_NEG:
      r = (pair_t){neg(k, a.re), neg(k, a.im)};
      break;
    case OP_COMPLEX_CONJ:
      r = (pair_t){a.re, neg(k, a.im)};
      break;
    case OP_COMPLEX_EQ:
      *out = kval(kernel_op2(k, OP_ARITH_ANDI, compare(k, "oeq", a.re, b.re),
                             compare(k, "oeq", a.im, b.im)));
      return true;
    case OP_COMPLEX_NEQ:
      *out = kval(kernel_op2(k, OP_ARITH_ORI, compare(k, "une", a.re, b.re),
                             compare(k, "une", a.im, b.im)));
      return true;
    default:
      return false;
  }
  *out = (kval_t){.value = r.re, .imag = r.im};
  return true;
}

typedef pair_t (*unary_fn_t)(const math_t *m, pair_t z);
typedef pair_t (*binary_fn_t)(const math_t *m, pair_t a, pair_t b);

static pair_t absolute(const math_t *m, pair_t z) { return (pair_t){magnitude(m, z), NULL}; }
static pair_t angle(const math_t *m, pair_t z) {
  return (pair_t){kernel_op2(m->k, OP_MATH_ATAN2, z.im, z.re), NULL};
}
static pair_t inverse_root(const math_t *m, pair_t z) {
  pair_t one = {constant(m->k, z.re, 1), constant(m->k, z.re, 0)};
  return ratio(m, one, square_root(m, z));
}

static const struct {
  ir_kind_t kind;
  unary_fn_t unary;
  binary_fn_t binary;
} elementary[] = {
    {OP_COMPLEX_ABS, absolute, NULL},     {OP_COMPLEX_ANGLE, angle, NULL},
    {OP_COMPLEX_EXP, exponential, NULL},  {OP_COMPLEX_EXPM1, exp_minus_one, NULL},
    {OP_COMPLEX_LOG, logarithm, NULL},    {OP_COMPLEX_LOG1P, log_plus_one, NULL},
    {OP_COMPLEX_SQRT, square_root, NULL}, {OP_COMPLEX_RSQRT, inverse_root, NULL},
    {OP_COMPLEX_SIN, sine, NULL},         {OP_COMPLEX_COS, cosine, NULL},
    {OP_COMPLEX_TAN, tangent, NULL},      {OP_COMPLEX_TANH, hyperbolic_tangent, NULL},
    {OP_COMPLEX_SIGN, direction, NULL},   {OP_COMPLEX_DIV, NULL, ratio},
    {OP_COMPLEX_POW, NULL, power},        {OP_COMPLEX_ATAN2, NULL, arc_tangent2},
};

static kval_t complex_constant(eval_t *e, const ir_op_t *op) {
  ir_attr_t parts = ir_op_attr(op, "value");
  ir_type_t element = ir_kid(ir_result(op, 0)->type, 0);
  if (!parts || parts->n_kids != 2) return eval_fail(e, op, "needs a real and an imaginary part");
  return (kval_t){.value = kernel_constant(&e->k, ir_kid(parts, 0), element),
                  .imag = kernel_constant(&e->k, ir_kid(parts, 1), element)};
}

kval_t eval_complex_op(eval_t *e, const ir_op_t *op, const kval_t *operands) {
  kernel_t *k = &e->k;
  kval_t out;
  pair_t parts[2] = {{0}}, r;
  if (op->kind == OP_COMPLEX_CONSTANT) return complex_constant(e, op);
  if (op->kind == OP_ARITH_SELECT) {
    V c = kval_get(k, operands[0]);
    return (kval_t){.value = kernel_select(k, c, operands[1].value, operands[2].value),
                    .imag = kernel_select(k, c, operands[1].imag, operands[2].imag)};
  }
  if (op->n_operands > 2) return eval_fail(e, op, "has no lowering inside a kernel");
  for (size_t i = 0; i < op->n_operands; ++i)
    parts[i] = (pair_t){kval_get(k, operands[i]), operands[i].imag};
  if (!kernel_ok(k)) return eval_failed(e);
  if (simple(e, op->kind, parts[0], parts[1], &out)) return out;
  math_t m = {k, is_f32(parts[0].re)};
  for (size_t i = 0; m.narrow && i < op->n_operands; ++i) {
    parts[i].re = convert(k, OP_ARITH_EXTF, parts[i].re, IR_F64);
    parts[i].im = convert(k, OP_ARITH_EXTF, parts[i].im, IR_F64);
  }
  size_t row = 0, n = sizeof elementary / sizeof *elementary;
  while (row < n && elementary[row].kind != op->kind) ++row;
  if (row == n) return eval_fail(e, op, "has no lowering inside a kernel");
  r = elementary[row].unary ? elementary[row].unary(&m, parts[0])
                            : elementary[row].binary(&m, parts[0], parts[1]);
  if (m.narrow) {
    r.re = convert(k, OP_ARITH_TRUNCF, r.re, IR_F32);
    if (r.im) r.im = convert(k, OP_ARITH_TRUNCF, r.im, IR_F32);
  }
  return (kval_t){.value = r.re, .imag = r.im};
}
