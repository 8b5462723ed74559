// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops on complex scalars. Sums and products are written out on the parts; functions
// that the complex dialect has become its ops, the rest are made of real ones. These are computed
// in f64, where f32 has neither overflow nor cancellation to fear.
#include <float.h>
#include <math.h>

#include "compiler/input/lower.h"

typedef ir_builder_t B;
typedef ir_value_t *V;

V low_complex(B *b, V re, V im) {
  return ir_build1(b, OP_COMPLEX_CREATE, ir_type_complex(b->ctx, re->type), re, im, NULL);
}
static V part(B *b, V v, ir_kind_t kind) {
  ir_op_t *def = ir_def(v);
  if (ir_op_is(def, OP_COMPLEX_CREATE)) return ir_operand(def, kind == OP_COMPLEX_IM);
  return ir_build1(b, kind, ir_kid(v->type, 0), v, NULL, NULL);
}
V low_re(B *b, V v) { return part(b, v, OP_COMPLEX_RE); }
V low_im(B *b, V v) { return part(b, v, OP_COMPLEX_IM); }

// ---- sums and products
V low_complex_by_parts(B *b, ir_kind_t kind, V x, V y) {
  return low_complex(b, low_op2(b, kind, low_re(b, x), low_re(b, y)),
                     low_op2(b, kind, low_im(b, x), low_im(b, y)));
}
V low_complex_mul(B *b, V x, V y) {
  V xr = low_re(b, x), xi = low_im(b, x), yr = low_re(b, y), yi = low_im(b, y);
  return low_complex(b,
                     low_op2(b, OP_ARITH_SUBF, low_op2(b, OP_ARITH_MULF, xr, yr),
                             low_op2(b, OP_ARITH_MULF, xi, yi)),
                     low_op2(b, OP_ARITH_ADDF, low_op2(b, OP_ARITH_MULF, xr, yi),
                             low_op2(b, OP_ARITH_MULF, xi, yr)));
}
static V negated(B *b, V z) {
  return low_complex(b, low_op1(b, OP_ARITH_NEGF, low_re(b, z)),
                     low_op1(b, OP_ARITH_NEGF, low_im(b, z)));
}
static V conjugate(B *b, V z) {
  return low_complex(b, low_re(b, z), low_op1(b, OP_ARITH_NEGF, low_im(b, z)));
}
static V swapped(B *b, V z) { return low_complex(b, low_im(b, z), low_re(b, z)); }
static V absolute(B *b, V z) {
  return ir_build1(b, OP_COMPLEX_ABS, ir_kid(z->type, 0), z, NULL, NULL);
}

// By the real part, then by the imaginary one.
V low_complex_extreme(B *b, bool is_max, V x, V y) {
  const char *better = is_max ? "ogt" : "olt";
  V xr = low_re(b, x), yr = low_re(b, y);
  V ties = low_op2(b, OP_ARITH_ANDI, low_cmpf(b, "oeq", xr, yr),
                   low_cmpf(b, better, low_im(b, x), low_im(b, y)));
  return low_select(b, low_op2(b, OP_ARITH_ORI, low_cmpf(b, better, xr, yr), ties), x, y);
}

// ---- functions made of real ones, on f64 parts
static V num(B *b, V like, double v) { return low_float(b, like->type, v); }
static V add(B *b, V x, V y) { return low_op2(b, OP_ARITH_ADDF, x, y); }
static V sub(B *b, V x, V y) { return low_op2(b, OP_ARITH_SUBF, x, y); }
static V mul(B *b, V x, V y) { return low_op2(b, OP_ARITH_MULF, x, y); }
static V quotient(B *b, V x, V y) { return low_op2(b, OP_ARITH_DIVF, x, y); }
static V root(B *b, V x) { return low_op1(b, OP_MATH_SQRT, x); }

static V cube_root(B *b, V z) {
  V length = low_op1(b, OP_MATH_CBRT, absolute(b, z)), third = num(b, length, 3);
  V angle = quotient(b, low_op2(b, OP_MATH_ATAN2, low_im(b, z), low_re(b, z)), third);
  return low_complex(b, mul(b, length, low_op1(b, OP_MATH_COS, angle)),
                     mul(b, length, low_op1(b, OP_MATH_SIN, angle)));
}

static V logistic(B *b, V z) {
  V one = low_complex(b, num(b, low_re(b, z), 1), num(b, low_re(b, z), 0));
  V power = low_op1(b, OP_COMPLEX_EXP, negated(b, z));
  return low_op2(b, OP_COMPLEX_DIV, one, low_complex_by_parts(b, OP_ARITH_ADDF, one, power));
}

// asin and acos by the ellipse through z with the foci -1 and 1 (Hull, Fairgrieve and Tang): r and
// s are its distances from them. Where r or s is near the difference it is taken from, that is
// r - (x + 1) = y (y / (r + (x + 1))), free of cancellation.
typedef struct {
  V x, y, a, far;    // |re|, |im|, (r + s) / 2, whether x > 1
  V r_plus, s_plus;  // r + (x + 1), s + |x - 1|
  V infinite;        // whether a part is
  V unscale;         // what the logarithm lacks where the number was scaled
} ellipse_t;

static ellipse_t ellipse_of(B *b, V z) {
  ellipse_t e;
  V re = low_re(b, z), one = num(b, re, 1), half = num(b, re, 0.5);
  e.x = low_op1(b, OP_MATH_ABSF, re), e.y = low_op1(b, OP_MATH_ABSF, low_im(b, z));
  // Beyond 2^1000 only the direction and the logarithm matter, and sums might overflow. Infinite
  // parts have the direction of the largest finite ones.
  V largest = low_op2(b, OP_ARITH_MAXIMUMF, e.x, e.y), limit = num(b, re, DBL_MAX);
  V large = low_cmpf(b, "ogt", largest, num(b, re, 0x1p1000));
  e.infinite = low_cmpf(b, "oeq", largest, num(b, re, INFINITY));
  e.x = low_op2(b, OP_ARITH_MINIMUMF, e.x, limit), e.y = low_op2(b, OP_ARITH_MINIMUMF, e.y, limit);
  V scale = low_select(b, large, num(b, re, 0x1p-100), one);
  e.unscale = low_select(b, large, num(b, re, 69.314718055994530942), num(b, re, 0));
  e.x = mul(b, e.x, scale), e.y = mul(b, e.y, scale);
  V sum = add(b, e.x, one), difference = sub(b, e.x, one);
  V r = absolute(b, low_complex(b, sum, e.y)), s = absolute(b, low_complex(b, difference, e.y));
  e.far = low_cmpf(b, "ogt", e.x, one);
  e.r_plus = add(b, r, sum), e.s_plus = add(b, s, low_op1(b, OP_MATH_ABSF, difference));
  e.a = mul(b, half, add(b, r, s));
  return e;
}

// log(a + sqrt(a^2 - 1)): by log1p of (a - 1) + sqrt((a - 1)(a + 1)). Where x <= 1, a - 1 has the
// factor y, whose square may vanish.
static V ellipse_log(B *b, const ellipse_t *e) {
  V half = num(b, e->x, 0.5), one = num(b, e->x, 1), zero = num(b, e->x, 0);
  V s_part = low_select(b, low_cmpf(b, "oeq", e->s_plus, zero), zero, quotient(b, e->y, e->s_plus));
  V r_part = quotient(b, e->y, e->r_plus);
  V near = mul(b, half, add(b, r_part, s_part));  // times y
  V far = mul(b, half, add(b, mul(b, r_part, e->y), e->s_plus));
  V a_minus_1 = low_select(b, e->far, far, mul(b, e->y, near));
  V factor = low_select(b, e->far, far, near), more = low_select(b, e->far, one, e->y);
  V product = mul(b, mul(b, root(b, more), root(b, factor)), root(b, add(b, e->a, one)));
  V r = low_op1(b, OP_MATH_LOG1P, add(b, a_minus_1, product));
  return low_select(b, e->infinite, num(b, e->x, INFINITY), add(b, r, e->unscale));
}

// sqrt(a^2 - x^2); a - x has the factor y where x > 1.
static V ellipse_height(B *b, const ellipse_t *e) {
  V half = num(b, e->x, 0.5), one = num(b, e->x, 1);
  V r_part = quotient(b, e->y, e->r_plus);
  V near = mul(b, half, add(b, mul(b, r_part, e->y), e->s_plus));
  V far = mul(b, half, add(b, r_part, quotient(b, e->y, e->s_plus)));
  V factor = low_select(b, e->far, far, near), more = low_select(b, e->far, e->y, one);
  return mul(b, mul(b, root(b, more), root(b, factor)), root(b, add(b, e->a, e->x)));
}

// asin: atan(re / height), with the logarithm of im's sign.
static V arc_sine(B *b, V z) {
  ellipse_t e = ellipse_of(b, z);
  V re = low_op2(b, OP_MATH_ATAN2, e.x, ellipse_height(b, &e));
  return low_complex(b, low_op2(b, OP_MATH_COPYSIGN, re, low_re(b, z)),
                     low_op2(b, OP_MATH_COPYSIGN, ellipse_log(b, &e), low_im(b, z)));
}
static V arc_cosine(B *b, V z) {
  ellipse_t e = ellipse_of(b, z);
  V x = low_op2(b, OP_MATH_COPYSIGN, e.x, low_re(b, z));
  V log = low_op2(b, OP_MATH_COPYSIGN, ellipse_log(b, &e), low_im(b, z));
  return low_complex(b, low_op2(b, OP_MATH_ATAN2, ellipse_height(b, &e), x),
                     low_op1(b, OP_ARITH_NEGF, log));
}
// asinh(x + i y) has the parts of asin(y + i x) in the other order, and so have atan and atanh.
static V area_sine(B *b, V z) { return swapped(b, arc_sine(b, swapped(b, z))); }
// +-i acos, on the side where the real part is positive.
static V area_cosine(B *b, V z) {
  V c = arc_cosine(b, z);
  return low_complex(b, low_op1(b, OP_MATH_ABSF, low_im(b, c)),
                     low_op2(b, OP_MATH_COPYSIGN, low_re(b, c), low_im(b, z)));
}

// re = log1p(4 |x| / |1 - |x| + i y|^2) / 4, im = atan2(2 y, (1 - x)(1 + x) - y^2) / 2. At a pole
// the quotient may overflow; there re = log(2 / |1 - |x| + i y|) / 2.
static V area_tangent(B *b, V z) {
  V x = low_op1(b, OP_MATH_ABSF, low_re(b, z)), y = low_im(b, z), one = num(b, x, 1);
  V half = num(b, x, 0.5);
  V below = sub(b, one, x), above = add(b, one, x), m = absolute(b, low_complex(b, below, y));
  V ratio = mul(b, num(b, x, 4), quotient(b, quotient(b, x, m), m));
  V infinite = low_cmpf(b, "oeq", m, num(b, x, INFINITY));
  ratio = low_select(b, infinite, num(b, x, 0), ratio);
  V re = mul(b, num(b, x, 0.25), low_op1(b, OP_MATH_LOG1P, ratio));
  V at_pole = sub(b, num(b, x, 0.34657359027997265471), mul(b, half, low_op1(b, OP_MATH_LOG, m)));
  re = low_select(b, low_cmpf(b, "olt", m, num(b, x, 0x1p-500)), at_pole, re);
  V t = mul(b, half, sub(b, mul(b, below, above), mul(b, y, y)));
  t = low_select(b, infinite, num(b, x, -1), t);
  V height = low_select(b, infinite, low_op2(b, OP_MATH_COPYSIGN, num(b, x, 0), y), y);
  return low_complex(b, low_op2(b, OP_MATH_COPYSIGN, re, low_re(b, z)),
                     mul(b, half, low_op2(b, OP_MATH_ATAN2, height, t)));
}
static V arc_tangent(B *b, V z) { return swapped(b, area_tangent(b, swapped(b, z))); }

// sinh(x + i y) has the parts of sin(y + i x) in the other order; cosh is the conjugate of cos.
static V hyperbolic_sine(B *b, V z) {
  return swapped(b, low_op1(b, OP_COMPLEX_SIN, swapped(b, z)));
}
static V hyperbolic_cosine(B *b, V z) {
  return conjugate(b, low_op1(b, OP_COMPLEX_COS, swapped(b, z)));
}

// ---- the table
typedef struct row {
  ir_kind_t kind, complex_op;  // an op of the complex dialect, or
  V (*wide)(B *b, V z);        // a function on f64 parts, or
  V (*any)(B *b, V z);         // one on parts of any type
} row_t;
static const row_t rows[] = {
    {OP_HLO_EXPONENTIAL, OP_COMPLEX_EXP, 0, 0},
    {OP_HLO_EXPONENTIAL_MINUS_ONE, OP_COMPLEX_EXPM1, 0, 0},
    {OP_HLO_LOG, OP_COMPLEX_LOG, 0, 0},
    {OP_HLO_LOG_PLUS_ONE, OP_COMPLEX_LOG1P, 0, 0},
    {OP_HLO_SQRT, OP_COMPLEX_SQRT, 0, 0},
    {OP_HLO_RSQRT, OP_COMPLEX_RSQRT, 0, 0},
    {OP_HLO_TANH, OP_COMPLEX_TANH, 0, 0},
    {OP_HLO_COSINE, OP_COMPLEX_COS, 0, 0},
    {OP_HLO_SINE, OP_COMPLEX_SIN, 0, 0},
    {OP_HLO_TAN, OP_COMPLEX_TAN, 0, 0},
    {OP_CHLO_TAN, OP_COMPLEX_TAN, 0, 0},
    {OP_HLO_SIGN, OP_COMPLEX_SIGN, 0, 0},
    {OP_HLO_DIVIDE, OP_COMPLEX_DIV, 0, 0},
    {OP_HLO_POWER, OP_COMPLEX_POW, 0, 0},
    {OP_HLO_ATAN2, OP_COMPLEX_ATAN2, 0, 0},
    {OP_HLO_CBRT, 0, cube_root, 0},
    {OP_HLO_LOGISTIC, 0, logistic, 0},
    {OP_CHLO_ACOS, 0, arc_cosine, 0},
    {OP_CHLO_ACOSH, 0, area_cosine, 0},
    {OP_CHLO_ASIN, 0, arc_sine, 0},
    {OP_CHLO_ASINH, 0, area_sine, 0},
    {OP_CHLO_ATAN, 0, arc_tangent, 0},
    {OP_CHLO_ATANH, 0, area_tangent, 0},
    {OP_CHLO_SINH, 0, 0, hyperbolic_sine},
    {OP_CHLO_COSH, 0, 0, hyperbolic_cosine},
    {OP_CHLO_CONJ, 0, 0, conjugate},
    {OP_CHLO_ABS, 0, 0, absolute},
    {OP_HLO_ABS, 0, 0, absolute},
    {OP_HLO_NEGATE, 0, 0, negated},
    {OP_HLO_REAL, 0, 0, low_re},
    {OP_HLO_IMAG, 0, 0, low_im},
};

V low_complex_op(B *b, const ir_op_t *op, V const *args) {
  ir_kind_t kind = op->kind;
  if (kind == OP_HLO_SUBTRACT) return low_complex_by_parts(b, OP_ARITH_SUBF, args[0], args[1]);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const row_t *row = &rows[i];
    if (row->kind != kind) continue;
    if (row->any) return row->any(b, args[0]);
    if (row->complex_op)
      return ir_build1(b, row->complex_op, args[0]->type, args[0],
                       op->n_operands == 2 ? args[1] : NULL, NULL);
    ir_type_t type = args[0]->type, f64 = ir_type_complex(b->ctx, ir_type_float(b->ctx, IR_F64));
    return low_convert(b, row->wide(b, low_convert(b, args[0], type, f64)), f64, type);
  }
  return NULL;
}
