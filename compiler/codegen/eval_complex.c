// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex elements: pairs of real values, real in |value|, imaginary in |imag|. Operations are
// their definitions on real and imaginary parts; those that would lose range or digits in f32 are
// computed in f64.
#include "compiler/codegen/eval_internal.h"

typedef ir_value_t *V;
typedef struct {
  V re, im;
} pair_t;

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

static V magnitude(kernel_t *k, pair_t z) {
  // Scaled, so that squares neither overflow nor vanish.
  V a = unary(k, OP_MATH_ABSF, z.re), b = unary(k, OP_MATH_ABSF, z.im);
  V large = kernel_op2(k, OP_ARITH_MAXIMUMF, a, b), small = kernel_op2(k, OP_ARITH_MINIMUMF, a, b);
  V ratio = quotient(k, small, large);
  V root = unary(k, OP_MATH_SQRT, add(k, constant(k, a, 1), mul(k, ratio, ratio)));
  V is_plain = compare(k, "ogt", small, constant(k, a, 0));
  V result = kernel_select(k, is_plain, mul(k, large, root), large);
  V infinite = compare(k, "oeq", large, constant(k, a, 1e300 * 1e300));
  return kernel_select(k, infinite, large, result);
}

static pair_t product(kernel_t *k, pair_t a, pair_t b) {
  return (pair_t){sub(k, mul(k, a.re, b.re), mul(k, a.im, b.im)),
                  add(k, mul(k, a.re, b.im), mul(k, a.im, b.re))};
}

static pair_t ratio(kernel_t *k, pair_t a, pair_t b) {
  // Smith's form: by the larger part of the divisor.
  V by_re = compare(k, "oge", unary(k, OP_MATH_ABSF, b.re), unary(k, OP_MATH_ABSF, b.im));
  V large = kernel_select(k, by_re, b.re, b.im), small = kernel_select(k, by_re, b.im, b.re);
  V r = quotient(k, small, large), d = add(k, large, mul(k, small, r));
  V re = kernel_select(k, by_re, add(k, a.re, mul(k, a.im, r)), add(k, mul(k, a.re, r), a.im));
  V im = kernel_select(k, by_re, sub(k, a.im, mul(k, a.re, r)), sub(k, mul(k, a.im, r), a.re));
  return (pair_t){quotient(k, re, d), quotient(k, im, d)};
}

static pair_t exponential(kernel_t *k, pair_t z) {
  V e = unary(k, OP_MATH_EXP, z.re);
  V is_real = compare(k, "oeq", z.im, constant(k, z.im, 0));
  V im = mul(k, e, unary(k, OP_MATH_SIN, z.im));
  return (pair_t){mul(k, e, unary(k, OP_MATH_COS, z.im)), kernel_select(k, is_real, z.im, im)};
}

static pair_t logarithm(kernel_t *k, pair_t z) {
  return (pair_t){unary(k, OP_MATH_LOG, magnitude(k, z)), kernel_op2(k, OP_MATH_ATAN2, z.im, z.re)};
}

static pair_t log_plus_one(kernel_t *k, pair_t z) {
  // |1 + z|^2 - 1 = 2 re + re^2 + im^2, without the cancellation.
  V square = add(k, mul(k, z.re, add(k, z.re, constant(k, z.re, 2))), mul(k, z.im, z.im));
  V re = mul(k, constant(k, z.re, 0.5), unary(k, OP_MATH_LOG1P, square));
  return (pair_t){re, kernel_op2(k, OP_MATH_ATAN2, z.im, add(k, z.re, constant(k, z.re, 1)))};
}

static pair_t exp_minus_one(kernel_t *k, pair_t z) {
  V half = unary(k, OP_MATH_SIN, mul(k, z.im, constant(k, z.im, 0.5)));
  V re = sub(k, mul(k, unary(k, OP_MATH_EXPM1, z.re), unary(k, OP_MATH_COS, z.im)),
             mul(k, constant(k, half, 2), mul(k, half, half)));
  return (pair_t){re, mul(k, unary(k, OP_MATH_EXP, z.re), unary(k, OP_MATH_SIN, z.im))};
}

static pair_t square_root(kernel_t *k, pair_t z) {
  V half = constant(k, z.re, 0.5), zero = constant(k, z.re, 0);
  V m = magnitude(k, z), a = unary(k, OP_MATH_ABSF, z.re);
  V t = unary(k, OP_MATH_SQRT, mul(k, half, add(k, m, a)));
  V s = quotient(k, mul(k, half, unary(k, OP_MATH_ABSF, z.im)), t);
  s = kernel_select(k, compare(k, "oeq", t, zero), zero, s);
  V right = compare(k, "oge", z.re, zero);
  V re = kernel_select(k, right, t, s), im = kernel_select(k, right, s, t);
  return (pair_t){re, kernel_op2(k, OP_MATH_COPYSIGN, im, z.im)};
}

static pair_t sine(kernel_t *k, pair_t z) {
  return (pair_t){mul(k, unary(k, OP_MATH_SIN, z.re), unary(k, OP_MATH_COSH, z.im)),
                  mul(k, unary(k, OP_MATH_COS, z.re), unary(k, OP_MATH_SINH, z.im))};
}

static pair_t cosine(kernel_t *k, pair_t z) {
  return (pair_t){mul(k, unary(k, OP_MATH_COS, z.re), unary(k, OP_MATH_COSH, z.im)),
                  neg(k, mul(k, unary(k, OP_MATH_SIN, z.re), unary(k, OP_MATH_SINH, z.im)))};
}

static pair_t hyperbolic_tangent(kernel_t *k, pair_t z) {
  // (t + i n)/(1 + i t n) with t = tanh re, n = tan im: no large intermediate values.
  V t = unary(k, OP_MATH_TANH, z.re), n = unary(k, OP_MATH_TAN, z.im);
  return ratio(k, (pair_t){t, n}, (pair_t){constant(k, t, 1), mul(k, t, n)});
}

static pair_t tangent(kernel_t *k, pair_t z) {
  pair_t r = hyperbolic_tangent(k, (pair_t){neg(k, z.im), z.re});
  return (pair_t){r.im, neg(k, r.re)};
}

static pair_t power(kernel_t *k, pair_t a, pair_t b) {
  V zero = constant(k, a.re, 0), one = constant(k, a.re, 1);
  pair_t r = exponential(k, product(k, b, logarithm(k, a)));
  V base_zero =
      kernel_op2(k, OP_ARITH_ANDI, compare(k, "oeq", a.re, zero), compare(k, "oeq", a.im, zero));
  V exponent_zero =
      kernel_op2(k, OP_ARITH_ANDI, compare(k, "oeq", b.re, zero), compare(k, "oeq", b.im, zero));
  V at_zero = kernel_select(k, exponent_zero, one, zero);
  return (pair_t){kernel_select(k, base_zero, at_zero, r.re),
                  kernel_select(k, base_zero, zero, r.im)};
}

static pair_t direction(kernel_t *k, pair_t z) {
  V m = magnitude(k, z), zero = constant(k, m, 0), at_zero = compare(k, "oeq", m, zero);
  return (pair_t){kernel_select(k, at_zero, zero, quotient(k, z.re, m)),
                  kernel_select(k, at_zero, zero, quotient(k, z.im, m))};
}

static pair_t arc_tangent2(kernel_t *k, pair_t y, pair_t x) {
  // -i log((x + i y) / sqrt(x^2 + y^2))
  pair_t squares = product(k, x, x), more = product(k, y, y);
  pair_t root = square_root(k, (pair_t){add(k, squares.re, more.re), add(k, squares.im, more.im)});
  pair_t z = {sub(k, x.re, y.im), add(k, x.im, y.re)};
  pair_t l = logarithm(k, ratio(k, z, root));
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

static bool elementary(eval_t *e, ir_kind_t kind, pair_t a, pair_t b, pair_t *out) {
  kernel_t *k = &e->k;
  *out = (pair_t){NULL, NULL};
  switch ((op_kind_t)kind) {
    case OP_COMPLEX_ABS:
      out->re = magnitude(k, a);
      return true;
    case OP_COMPLEX_ANGLE:
      out->re = kernel_op2(k, OP_MATH_ATAN2, a.im, a.re);
      return true;
    case OP_COMPLEX_DIV:
      *out = ratio(k, a, b);
      return true;
    case OP_COMPLEX_EXP:
      *out = exponential(k, a);
      return true;
    case OP_COMPLEX_EXPM1:
      *out = exp_minus_one(k, a);
      return true;
    case OP_COMPLEX_LOG:
      *out = logarithm(k, a);
      return true;
    case OP_COMPLEX_LOG1P:
      *out = log_plus_one(k, a);
      return true;
    case OP_COMPLEX_SQRT:
      *out = square_root(k, a);
      return true;
    case OP_COMPLEX_RSQRT: {
      pair_t one = {constant(k, a.re, 1), constant(k, a.re, 0)};
      *out = ratio(k, one, square_root(k, a));
      return true;
    }
    case OP_COMPLEX_SIN:
      *out = sine(k, a);
      return true;
    case OP_COMPLEX_COS:
      *out = cosine(k, a);
      return true;
    case OP_COMPLEX_TAN:
      *out = tangent(k, a);
      return true;
    case OP_COMPLEX_TANH:
      *out = hyperbolic_tangent(k, a);
      return true;
    case OP_COMPLEX_SIGN:
      *out = direction(k, a);
      return true;
    case OP_COMPLEX_POW:
      *out = power(k, a, b);
      return true;
    case OP_COMPLEX_ATAN2:
      *out = arc_tangent2(k, a, b);
      return true;
    default:
      return false;
  }
}

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
  bool widens = is_f32(parts[0].re);
  for (size_t i = 0; widens && i < op->n_operands; ++i) {
    parts[i].re = convert(k, OP_ARITH_EXTF, parts[i].re, IR_F64);
    parts[i].im = convert(k, OP_ARITH_EXTF, parts[i].im, IR_F64);
  }
  if (!elementary(e, op->kind, parts[0], parts[1], &r))
    return eval_fail(e, op, "has no lowering inside a kernel");
  if (widens) {
    r.re = convert(k, OP_ARITH_TRUNCF, r.re, IR_F32);
    if (r.im) r.im = convert(k, OP_ARITH_TRUNCF, r.im, IR_F32);
  }
  return (kval_t){.value = r.re, .imag = r.im};
}
