// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions; see the header for bounds. NaN operands reach the result through
// arithmetic; conversions to integers go through bit patterns, so that no lane is ever undefined.
#include "compiler/codegen/llvm/math_kernels.h"

typedef LLVMValueRef V;

//===-- a small vocabulary -------------------------------------------------------------------------

static bool is64(V x) {
  return LLVMGetTypeKind(emit_llvm_scalar(LLVMTypeOf(x))) == LLVMDoubleTypeKind;
}
static V K(emit_t *e, V like, double value) {
  (void)e;
  return emit_real(LLVMTypeOf(like), value);
}
static V I(emit_t *e, V like, uint64_t value) {
  (void)e;
  return emit_int(emit_int_like(LLVMTypeOf(like)), value);
}
static V add(emit_t *e, V a, V b) { return LLVMBuildFAdd(e->builder, a, b, ""); }
static V sub(emit_t *e, V a, V b) { return LLVMBuildFSub(e->builder, a, b, ""); }
static V mul(emit_t *e, V a, V b) { return LLVMBuildFMul(e->builder, a, b, ""); }
static V quotient(emit_t *e, V a, V b) { return LLVMBuildFDiv(e->builder, a, b, ""); }
static V neg(emit_t *e, V a) { return LLVMBuildFNeg(e->builder, a, ""); }
static V iadd(emit_t *e, V a, V b) { return LLVMBuildAdd(e->builder, a, b, ""); }
static V isub(emit_t *e, V a, V b) { return LLVMBuildSub(e->builder, a, b, ""); }
static V iand(emit_t *e, V a, V b) { return LLVMBuildAnd(e->builder, a, b, ""); }
static V shl(emit_t *e, V a, uint64_t n) { return LLVMBuildShl(e->builder, a, I(e, a, n), ""); }
static V sar(emit_t *e, V a, uint64_t n) { return LLVMBuildAShr(e->builder, a, I(e, a, n), ""); }
static V shr(emit_t *e, V a, uint64_t n) { return LLVMBuildLShr(e->builder, a, I(e, a, n), ""); }
static V bits(emit_t *e, V x) {
  return LLVMBuildBitCast(e->builder, x, emit_int_like(LLVMTypeOf(x)), "");
}
static V real(emit_t *e, V i, V like) {
  return LLVMBuildBitCast(e->builder, i, LLVMTypeOf(like), "");
}
static V pick(emit_t *e, V c, V a, V b) { return LLVMBuildSelect(e->builder, c, a, b, ""); }
static V cmp(emit_t *e, LLVMRealPredicate p, V a, V b) {
  return LLVMBuildFCmp(e->builder, p, a, b, "");
}
static V cmpk(emit_t *e, LLVMRealPredicate p, V a, double b) { return cmp(e, p, a, K(e, a, b)); }
static V fabs_(emit_t *e, V x) { return emit_intrinsic1(e, "llvm.fabs", x); }
static V copysign_(emit_t *e, V x, V s) { return emit_intrinsic2(e, "llvm.copysign", x, s); }
static V sqrt_(emit_t *e, V x) { return emit_intrinsic1(e, "llvm.sqrt", x); }
static V nan_(emit_t *e, V like) {
  return real(e, I(e, like, is64(like) ? 0x7FF8000000000000ull : 0x7FC00000u), like);
}
static V infinity(emit_t *e, V like) {
  return real(e, I(e, like, is64(like) ? 0x7FF0000000000000ull : 0x7F800000u), like);
}

// Horner: the highest coefficient first.
static V horner(emit_t *e, V x, const double *c, int n) {
  V r = K(e, x, c[0]);
  for (int i = 1; i < n; ++i) r = emit_fma(e, r, x, K(e, x, c[i]));
  return r;
}
#define POLY(e, x, ...)                           \
  horner((e), (x), (const double[]){__VA_ARGS__}, \
         (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)))

// 2^k for integer lanes |k| within the normal range.
static V exp2i(emit_t *e, V k, V like) {
  return is64(like) ? real(e, shl(e, iadd(e, k, I(e, like, 1023)), 52), like)
                    : real(e, shl(e, iadd(e, k, I(e, like, 127)), 23), like);
}

// Rounds |x|, small against 2^22 (2^51), to the nearest integer: as integer lanes, and as real.
static V nearest(emit_t *e, V x, V *out_real) {
  V magic = K(e, x, is64(x) ? 6755399441055744.0 : 12582912.0);
  V shifted = add(e, x, magic);
  *out_real = sub(e, shifted, magic);
  return isub(e, bits(e, shifted), bits(e, magic));
}

static V clamp(emit_t *e, V x, double lo, double hi) {
  x = pick(e, cmpk(e, LLVMRealOLT, x, lo), K(e, x, lo), x);
  return pick(e, cmpk(e, LLVMRealOGT, x, hi), K(e, x, hi), x);
}

// x * 2^k in two steps, so that results at both ends of the range are reached. Down to twice the
// smallest exponent: there both steps are by zero, so that clamped arguments (masks have many) do
// not make denormals on their way to zero, which is slow.
static V scale(emit_t *e, V x, V k) {
  V half = sar(e, k, 1);
  return mul(e, mul(e, x, exp2i(e, half, x)), exp2i(e, isub(e, k, half), x));
}

//===-- rounding -----------------------------------------------------------------------------------

static bool has_rounding(emit_t *e) {
  return e->target->arch != CODEGEN_ARCH_X86_64 || (e->target->processor[0] & (1u << 2));
}

static V round_with(emit_t *e, V x, math_function_t f) {
  static const char *const names[] = {"llvm.floor", "llvm.ceil", "llvm.trunc"};
  if (f == MATH_ROUND) {
    // Away from zero on ties: the largest value below 1/2 never carries a smaller fraction over.
    V half = K(e, x, is64(x) ? 0.49999999999999994 : 0.49999997019767761);
    return round_with(e, add(e, x, copysign_(e, half, x)), MATH_TRUNC);
  }
  if (has_rounding(e)) {
    return emit_intrinsic1(e, f == MATH_ROUNDEVEN ? "llvm.roundeven" : names[f - MATH_FLOOR], x);
  }
  V magnitude = fabs_(e, x), magic = K(e, x, is64(x) ? 4503599627370496.0 : 8388608.0);
  V r = sub(e, add(e, magnitude, magic), magic);  // to even
  V one = K(e, x, 1), zero = K(e, x, 0);
  if (f == MATH_TRUNC) {
    r = sub(e, r, pick(e, cmp(e, LLVMRealOGT, r, magnitude), one, zero));
  } else if (f != MATH_ROUNDEVEN) {
    V signed_r = copysign_(e, r, x);
    V off = f == MATH_FLOOR ? pick(e, cmp(e, LLVMRealOGT, signed_r, x), one, zero)
                            : pick(e, cmp(e, LLVMRealOLT, signed_r, x), K(e, x, -1), zero);
    r = fabs_(e, sub(e, signed_r, off));
    V down = sub(e, signed_r, off);
    r = pick(e, cmp(e, LLVMRealULT, magnitude, magic), down, x);
    return copysign_(e, r, x);
  }
  r = pick(e, cmp(e, LLVMRealULT, magnitude, magic), r, magnitude);
  return copysign_(e, r, x);
}

//===-- exponentials -------------------------------------------------------------------------------

// e^x = result * 2^n for |x| small against 2^22.
static V exp_parts_f32(emit_t *e, V x, V *out_n) {
  V k;
  *out_n = nearest(e, mul(e, x, K(e, x, 1.44269504088896341)), &k);
  V r = emit_fma(e, k, K(e, x, -0.693359375), x);
  r = emit_fma(e, k, K(e, x, 2.12194440e-4), r);
  V p = POLY(e, r, 1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
             1.6666665459e-1, 5.0000001201e-1);
  return add(e, emit_fma(e, p, mul(e, r, r), r), K(e, r, 1));
}

static V exp_f32(emit_t *e, V x) {
  V n, y = exp_parts_f32(e, clamp(e, x, -176.0, 89.0), &n);
  return scale(e, y, n);
}

// For |x| < 80: the power of two is a normal number.
static V exp_bounded_f32(emit_t *e, V x) {
  V n, y = exp_parts_f32(e, x, &n);
  return mul(e, y, exp2i(e, n, y));
}

// e^(hi - lo) for a reduced argument.
static V exp_kernel_f64(emit_t *e, V hi, V lo) {
  V r = sub(e, hi, lo), z = mul(e, r, r);
  V p = POLY(e, z, 4.13813679705723846039e-08, -1.65339022054652515390e-06,
             6.61375632143793436117e-05, -2.77777777770155933842e-03, 1.66666666666666019037e-01);
  V c = sub(e, r, mul(e, z, p));
  V q = quotient(e, mul(e, r, c), sub(e, K(e, r, 2), c));
  return add(e, K(e, r, 1), sub(e, hi, sub(e, lo, q)));
}

static V exp_f64(emit_t *e, V x) {
  V t = clamp(e, x, -1418.0, 710.0), k;
  V n = nearest(e, mul(e, t, K(e, t, 1.44269504088896338700)), &k);
  V hi = emit_fma(e, k, K(e, t, -6.93147180369123816490e-01), t);
  V lo = mul(e, k, K(e, t, 1.90821492927058770002e-10));
  return scale(e, exp_kernel_f64(e, hi, lo), n);
}

static V exp2_f64(emit_t *e, V x) {
  V t = clamp(e, x, -2046.0, 1025.0), k;
  V n = nearest(e, t, &k);
  V r = sub(e, t, k);
  V hi = mul(e, r, K(e, r, 6.93147180369123816490e-01));
  V lo = mul(e, r, K(e, r, -1.90821492927058770002e-10));
  return scale(e, exp_kernel_f64(e, hi, lo), n);
}

static V expm1_f64(emit_t *e, V x) {
  V half = mul(e, x, K(e, x, 0.5)), hxs = mul(e, x, half);
  V r1 = emit_fma(
      e, hxs,
      POLY(e, hxs, -2.01099218183624371326e-07, 4.00821782732936239552e-06,
           -7.93650757867487942473e-05, 1.58730158725481460165e-03, -3.33333333333331316428e-02),
      K(e, x, 1));
  V t = sub(e, K(e, x, 3), mul(e, r1, half));
  V q = mul(e, hxs, quotient(e, sub(e, r1, t), sub(e, K(e, x, 6), mul(e, x, t))));
  V small = sub(e, x, sub(e, mul(e, x, q), hxs));
  V large = sub(e, exp_f64(e, x), K(e, x, 1));
  V result = pick(e, cmpk(e, LLVMRealOLT, fabs_(e, x), 0.35), small, large);
  return pick(e, cmpk(e, LLVMRealOEQ, x, 0), x, result);
}

//===-- logarithms ---------------------------------------------------------------------------------

// Splits a positive x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); k as real.
static V split(emit_t *e, V x, V *out_k) {
  bool wide = is64(x);
  double tiny = wide ? 2.2250738585072014e-308 : 1.1754943508222875e-38;
  double up = wide ? 18014398509481984.0 : 33554432.0;
  V is_tiny = cmpk(e, LLVMRealOLT, x, tiny);
  x = pick(e, is_tiny, mul(e, x, K(e, x, up)), x);
  V u = bits(e, x);
  uint64_t one = wide ? 0x3FF0000000000000ull : 0x3F800000u;
  uint64_t root = wide ? 0x3FE6A09E667F3BCDull : 0x3F3504F3u;
  unsigned mantissa = wide ? 52 : 23;
  u = iadd(e, u, I(e, x, one - root));
  V exponent = isub(e, shr(e, u, mantissa), I(e, x, wide ? 1023 : 127));
  u = iadd(e, iand(e, u, I(e, x, (1ull << mantissa) - 1)), I(e, x, root));
  V k = LLVMBuildSIToFP(e->builder, exponent, LLVMTypeOf(x), "");
  *out_k = sub(e, k, pick(e, is_tiny, K(e, x, wide ? 54 : 25), K(e, x, 0)));
  return sub(e, real(e, u, x), K(e, x, 1));
}

// log(1 + f) = f - rest for the f of split.
static V log_rest(emit_t *e, V f) {
  V s = quotient(e, f, add(e, K(e, f, 2), f)), z = mul(e, s, s);
  V p = is64(f) ? POLY(e, z, 1.479819860511658591e-01, 1.531383769920937332e-01,
                       1.818357216161805012e-01, 2.222219843214978396e-01, 2.857142874366239149e-01,
                       3.999999999940941908e-01, 6.666666666666735130e-01)
                : POLY(e, z, 0.24279078841, 0.28498786688, 0.40000972152, 0.66666662693);
  V half_square = mul(e, K(e, f, 0.5), mul(e, f, f));
  V r = mul(e, z, p);
  return sub(e, half_square, mul(e, s, add(e, half_square, r)));
}

// Results outside the domain of a logarithm of x.
static V log_limits(emit_t *e, V x, V result) {
  result = pick(e, cmp(e, LLVMRealUNE, x, infinity(e, x)), result, x);
  result = pick(e, cmpk(e, LLVMRealOEQ, x, 0), neg(e, infinity(e, x)), result);
  V bad = cmpk(e, LLVMRealULT, x, 0);
  return pick(e, bad, pick(e, cmpk(e, LLVMRealOLT, x, 0), nan_(e, x), x), result);
}

static V log_any(emit_t *e, V x) {
  V k, f = split(e, x, &k), rest = log_rest(e, f);
  double hi = is64(x) ? 6.93147180369123816490e-01 : 6.9313812256e-01;
  double lo = is64(x) ? 1.90821492927058770002e-10 : 9.0580006145e-06;
  V low = sub(e, rest, mul(e, k, K(e, x, lo)));
  V result = emit_fma(e, k, K(e, x, hi), sub(e, f, low));
  return log_limits(e, x, result);
}

static V log_base(emit_t *e, V x, double inverse, double two_hi, double two_lo) {
  V k, f = split(e, x, &k), rest = log_rest(e, f);
  V mantissa = mul(e, sub(e, f, rest), K(e, x, inverse));
  mantissa = emit_fma(e, k, K(e, x, two_lo), mantissa);
  return log_limits(e, x, emit_fma(e, k, K(e, x, two_hi), mantissa));
}

static V log1p_f64(emit_t *e, V x) {
  V u = add(e, K(e, x, 1), x);
  // What the rounding of u lost, to first order.
  V lost = quotient(e, sub(e, x, sub(e, u, K(e, x, 1))), u);
  V result = add(e, log_any(e, u), lost);
  V is_edge = LLVMBuildOr(e->builder, cmpk(e, LLVMRealULE, u, 0),
                          cmp(e, LLVMRealOEQ, u, infinity(e, u)), "");
  result = pick(e, is_edge, log_any(e, u), result);
  return pick(e, cmpk(e, LLVMRealOEQ, u, 1), x, result);
}

//===-- circular functions -------------------------------------------------------------------------

// x = q pi/2 + r; returns r, q modulo 4 matters.
static V reduce_half_pi(emit_t *e, V x, V *out_quadrant) {
  // Beyond 2^50 the quadrant has no meaning in this precision; the clamp keeps it an integer.
  V t = clamp(e, x, -1125899906842624.0, 1125899906842624.0), k;
  *out_quadrant = nearest(e, mul(e, t, K(e, t, 6.36619772367581382433e-01)), &k);
  V r = emit_fma(e, k, K(e, t, -1.57079632673412561417e+00), t);
  r = emit_fma(e, k, K(e, t, -6.07710050630396597660e-11), r);
  return emit_fma(e, k, K(e, t, -2.02226624879595063154e-21), r);
}

static V sin_kernel(emit_t *e, V r) {
  V z = mul(e, r, r);
  V p = POLY(e, z, 1.58969099521155010221e-10, -2.50507602534068634195e-08,
             2.75573137070700676789e-06, -1.98412698298579493134e-04, 8.33333333332248946124e-03,
             -1.66666666666666324348e-01);
  return emit_fma(e, mul(e, z, r), p, r);
}

static V cos_kernel(emit_t *e, V r) {
  V z = mul(e, r, r), half = mul(e, z, K(e, r, 0.5)), w = sub(e, K(e, r, 1), half);
  V p = POLY(e, z, -1.13596475577881948265e-11, 2.08757232129817482790e-09,
             -2.75573143513906633035e-07, 2.48015872894767294178e-05, -1.38888888888741095749e-03,
             4.16666666666666019037e-02);
  V rest = emit_fma(e, mul(e, z, z), p, sub(e, sub(e, K(e, r, 1), w), half));
  return add(e, w, rest);
}

static V test_bit(emit_t *e, V i, uint64_t mask) {
  V zero = emit_int(LLVMTypeOf(i), 0);
  return LLVMBuildICmp(e->builder, LLVMIntNE, iand(e, i, emit_int(LLVMTypeOf(i), mask)), zero, "");
}

static V not_finite_is_nan(emit_t *e, V x, V result) {
  return pick(e, cmp(e, LLVMRealOEQ, fabs_(e, x), infinity(e, x)), nan_(e, x), result);
}

static V sin_cos_f64(emit_t *e, V x, unsigned phase) {
  V q, r = reduce_half_pi(e, x, &q);
  if (phase) q = iadd(e, q, I(e, x, 1));
  V s = sin_kernel(e, r), c = cos_kernel(e, r);
  V result = pick(e, test_bit(e, q, 1), c, s);
  result = pick(e, test_bit(e, q, 2), neg(e, result), result);
  if (!phase) result = pick(e, cmpk(e, LLVMRealOEQ, x, 0), x, result);
  return not_finite_is_nan(e, x, result);
}

static V tan_f64(emit_t *e, V x) {
  V q, r = reduce_half_pi(e, x, &q);
  V s = sin_kernel(e, r), c = cos_kernel(e, r), odd = test_bit(e, q, 1);
  V result = quotient(e, pick(e, odd, neg(e, c), s), pick(e, odd, s, c));
  result = pick(e, cmpk(e, LLVMRealOEQ, x, 0), x, result);
  return not_finite_is_nan(e, x, result);
}

static V atan_f64(emit_t *e, V x) {
  V a = fabs_(e, x), one = K(e, x, 1);
  V is_big = cmpk(e, LLVMRealOGT, a, 2.41421356237309504880),
    is_middle = cmpk(e, LLVMRealOGT, a, 0.66);
  V t = pick(e, is_middle, quotient(e, sub(e, a, one), add(e, a, one)), a);
  t = pick(e, is_big, quotient(e, K(e, x, -1), a), t);
  V base = pick(e, is_middle, K(e, x, 7.85398163397448309616e-1), K(e, x, 0));
  base = pick(e, is_big, K(e, x, 1.57079632679489661923), base);
  V more = pick(e, is_middle, K(e, x, 3.061616997868382943e-17), K(e, x, 0));
  more = pick(e, is_big, K(e, x, 6.123233995736765886130e-17), more);
  V z = mul(e, t, t);
  V p = POLY(e, z, -8.750608600031904122785e-1, -1.615753718733365076637e1,
             -7.500855792314704667340e1, -1.228866684490136173410e2, -6.485021904942025371773e1);
  V q = POLY(e, z, 1.0, 2.485846490142306297962e1, 1.650270098316988542046e2,
             4.328810604912902668951e2, 4.853903996359136964868e2, 1.945506571482613964425e2);
  V r = emit_fma(e, t, quotient(e, mul(e, z, p), q), t);
  return copysign_(e, add(e, base, add(e, r, more)), x);
}

static V atan2_f64(emit_t *e, V y, V x) {
  V ax = fabs_(e, x), ay = fabs_(e, y);
  V swap = cmp(e, LLVMRealOGT, ay, ax);
  V num = pick(e, swap, ax, ay), den = pick(e, swap, ay, ax);
  V ratio = quotient(e, num, den);
  V both_inf = cmp(e, LLVMRealOEQ, num, infinity(e, x));
  ratio = pick(e, both_inf, K(e, x, 1), ratio);
  ratio = pick(e, cmpk(e, LLVMRealOEQ, den, 0), K(e, x, 0), ratio);
  V r = atan_f64(e, ratio);
  r = pick(e, swap, sub(e, K(e, x, 1.57079632679489661923), r), r);
  V x_negative = LLVMBuildICmp(e->builder, LLVMIntSLT, bits(e, x), I(e, x, 0), "");
  r = pick(e, x_negative, sub(e, K(e, x, 3.14159265358979323846), r), r);
  V is_nan = cmp(e, LLVMRealUNO, x, y);
  return pick(e, is_nan, add(e, x, y), copysign_(e, r, y));
}

static V asin_f64(emit_t *e, V x) {
  V one = K(e, x, 1);
  return atan2_f64(e, x, sqrt_(e, mul(e, sub(e, one, x), add(e, one, x))));
}

static V acos_f64(emit_t *e, V x) {
  V one = K(e, x, 1);
  V r = atan2_f64(e, sqrt_(e, sub(e, one, x)), sqrt_(e, add(e, one, x)));
  return add(e, r, r);
}

//===-- hyperbolic functions -----------------------------------------------------------------------

static V sinh_f64(emit_t *e, V x) {
  V a = fabs_(e, x), one = K(e, x, 1), half = K(e, x, 0.5);
  V t = expm1_f64(e, clamp(e, a, 0, 40));
  V small = mul(e, half, add(e, t, quotient(e, t, add(e, t, one))));
  V root = exp_f64(e, mul(e, a, half));
  V large = mul(e, mul(e, half, root), root);
  V r = pick(e, cmpk(e, LLVMRealOGT, a, 22), large, small);
  r = pick(e, cmp(e, LLVMRealUNO, x, x), x, r);
  return copysign_(e, r, x);
}

static V cosh_f64(emit_t *e, V x) {
  V a = fabs_(e, x), half = K(e, x, 0.5);
  V root = exp_f64(e, mul(e, a, half));
  V large = mul(e, mul(e, half, root), root);
  V small = quotient(e, half, mul(e, root, root));
  return add(e, large, pick(e, cmpk(e, LLVMRealOGT, a, 22), K(e, x, 0), small));
}

static V tanh_f64(emit_t *e, V x) {
  V a = clamp(e, fabs_(e, x), 0, 22);
  V t = expm1_f64(e, add(e, a, a));
  return copysign_(e, quotient(e, t, add(e, t, K(e, x, 2))), x);
}

static V tanh_f32(emit_t *e, V x) {
  V a = clamp(e, fabs_(e, x), 0, 10), z = mul(e, x, x);
  V p = POLY(e, z, -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1,
             -3.33332819422e-1);
  V small = emit_fma(e, mul(e, p, z), x, x);
  V t = exp_bounded_f32(e, add(e, a, a)), one = K(e, x, 1);
  V large = sub(e, one, quotient(e, K(e, x, 2), add(e, t, one)));
  return copysign_(e, pick(e, cmpk(e, LLVMRealOLT, a, 0.625), small, large), x);  // -0 is kept
}

static V asinh_f64(emit_t *e, V x) {
  V a = fabs_(e, x), one = K(e, x, 1);
  V t = clamp(e, a, 0, 268435456.0), z = mul(e, t, t);
  V near = log1p_f64(e, add(e, t, quotient(e, z, add(e, one, sqrt_(e, add(e, one, z))))));
  V far = add(e, log_any(e, a), K(e, x, 6.93147180559945286227e-01));
  V r = pick(e, cmpk(e, LLVMRealOGT, a, 268435456.0), far, near);
  r = pick(e, cmp(e, LLVMRealUNO, x, x), x, r);
  return copysign_(e, r, x);
}

static V acosh_f64(emit_t *e, V x) {
  V t = sub(e, clamp(e, x, -2, 268435456.0), K(e, x, 1));
  V near = log1p_f64(e, add(e, t, sqrt_(e, add(e, add(e, t, t), mul(e, t, t)))));
  V far = add(e, log_any(e, x), K(e, x, 6.93147180559945286227e-01));
  V r = pick(e, cmpk(e, LLVMRealOGT, x, 268435456.0), far, near);
  return pick(e, cmpk(e, LLVMRealULT, x, 1), nan_(e, x), r);
}

static V atanh_f64(emit_t *e, V x) {
  V a = fabs_(e, x), one = K(e, x, 1);
  V r = log1p_f64(e, quotient(e, add(e, a, a), sub(e, one, a)));
  return copysign_(e, mul(e, K(e, x, 0.5), r), x);
}

//===-- error function -----------------------------------------------------------------------------

static V erf_f32(emit_t *e, V x) {
  V t = fabs_(e, x), s = mul(e, x, x);
  V big = emit_fma(e, K(e, x, -1.72853470e-5), t, K(e, x, 3.83197126e-4));
  V u = emit_fma(e, K(e, x, -3.88396438e-3), t, K(e, x, 2.42546219e-2));
  big = emit_fma(e, big, s, u);
  big = emit_fma(e, big, t, K(e, x, -1.06777877e-1));
  big = emit_fma(e, big, t, K(e, x, -6.34846687e-1));
  big = emit_fma(e, big, t, K(e, x, -1.28717512e-1));
  big = emit_fma(e, big, t, neg(e, t));
  big = sub(e, K(e, x, 1), exp_bounded_f32(e, big));
  // Far out the polynomial turns around; there is nothing left to subtract.
  big = pick(e, cmpk(e, LLVMRealOGT, t, 4.0), K(e, x, 1), big);
  V small = POLY(e, s, -5.96761703e-4, 4.99119423e-3, -2.67681349e-2, 1.12819925e-1, -3.76125336e-1,
                 1.28379166e-1);
  small = emit_fma(e, small, x, x);
  return pick(e, cmpk(e, LLVMRealOGT, t, 0.927734375), copysign_(e, big, x), small);
}

// 1 - erf(a) for a >= 1.25, as e^(-a^2) times a rational function; the square is split to keep it
// exact.
static V erfc_tail(emit_t *e, V a) {
  V s = quotient(e, K(e, a, 1), mul(e, a, a));
  V is_near = cmpk(e, LLVMRealOLT, a, 2.857142857142857);
  V ra =
      POLY(e, s, -9.81432934416914548592e+00, -8.12874355063065934246e+01,
           -1.84605092906711035994e+02, -1.62396669462573470355e+02, -6.23753324503260060396e+01,
           -1.05586262253232909814e+01, -6.93858572707181764372e-01, -9.86494403484714822705e-03);
  V sa =
      POLY(e, s, -6.04244152148580987438e-02, 6.57024977031928170135e+00,
           1.08635005541779435134e+02, 4.29008140027567833386e+02, 6.45387271733267880336e+02,
           4.34565877475229228821e+02, 1.37657754143519042600e+02, 1.96512716674392571292e+01, 1.0);
  V rb = POLY(e, s, -4.83519191608651397019e+02, -1.02509513161107724954e+03,
              -6.37566443368389627722e+02, -1.60636384855821916062e+02, -1.77579549177547519889e+01,
              -7.99283237680523006574e-01, -9.86494292470009928597e-03);
  V sb = POLY(e, s, -2.24409524465858183362e+01, 4.74528541206955367215e+02,
              2.55305040643316442583e+03, 3.19985821950859553908e+03, 1.53672958608443695994e+03,
              3.25792512996573918826e+02, 3.03380607434824582924e+01, 1.0);
  V ratio = quotient(e, pick(e, is_near, ra, rb), pick(e, is_near, sa, sb));
  V z = real(e, iand(e, bits(e, a), I(e, a, 0xFFFFFFFF00000000ull)), a);
  V first = exp_f64(e, sub(e, neg(e, mul(e, z, z)), K(e, a, 0.5625)));
  V second = exp_f64(e, add(e, mul(e, sub(e, z, a), add(e, z, a)), ratio));
  return quotient(e, mul(e, first, second), a);
}

static V erf_f64(emit_t *e, V x, bool complement) {
  V a = fabs_(e, x), one = K(e, x, 1), z = mul(e, x, x), s = sub(e, a, one);
  V pp = POLY(e, z, -2.37630166566501626084e-05, -5.77027029648944159157e-03,
              -2.84817495755985104766e-02, -3.25042107247001499370e-01, 1.28379167095512558561e-01);
  V qq =
      POLY(e, z, -3.96022827877536812320e-06, 1.32494738004321644526e-04,
           5.08130628187576562776e-03, 6.50222499887672944485e-02, 3.97917223959155352819e-01, 1.0);
  V small = emit_fma(e, x, quotient(e, pp, qq), x);
  V pa = POLY(e, s, -2.16637559486879084300e-03, 3.54783043256182359371e-02,
              -1.10894694282396677476e-01, 3.18346619901161753674e-01, -3.72207876035701323847e-01,
              4.14856118683748331666e-01, -2.36211856075265944077e-03);
  V qa =
      POLY(e, s, 1.19844998467991074170e-02, 1.36370839120290507362e-02, 1.26171219808761642112e-01,
           7.18286544141962662868e-02, 5.40397917702171048937e-01, 1.06420880400844228286e-01, 1.0);
  V middle = quotient(e, pa, qa), erx = K(e, x, 8.45062911510467529297e-01);
  V tail = erfc_tail(e, clamp(e, a, 1.25, complement ? 28.0 : 6.0));
  V is_small = cmpk(e, LLVMRealOLT, a, 0.84375), is_middle = cmpk(e, LLVMRealOLT, a, 1.25);
  if (!complement) {
    V r = pick(e, is_middle, add(e, erx, middle), sub(e, one, tail));
    r = pick(e, is_small, small, copysign_(e, r, x));
    return pick(e, cmp(e, LLVMRealUNO, x, x), x, r);
  }
  V is_negative = cmpk(e, LLVMRealOLT, x, 0);
  V middle_c =
      pick(e, is_negative, add(e, one, add(e, erx, middle)), sub(e, sub(e, one, erx), middle));
  V tail_c = pick(e, is_negative, sub(e, K(e, x, 2), tail), tail);
  V r = pick(e, is_middle, middle_c, tail_c);
  r = pick(e, is_small, sub(e, one, small), r);
  return pick(e, cmp(e, LLVMRealUNO, x, x), x, r);
}

//===-- roots and powers ---------------------------------------------------------------------------

static V cbrt_f64(emit_t *e, V x) {
  V a = fabs_(e, x);
  // A third of the exponent, through the upper word.
  V high = shr(e, bits(e, a), 32);
  V guess = shr(e, LLVMBuildMul(e->builder, high, I(e, x, 0x55555556ull), ""), 32);
  guess = shl(e, iadd(e, guess, I(e, x, 715094163)), 32);
  V t = real(e, guess, x);
  V r = mul(e, mul(e, t, t), quotient(e, t, a));
  V p = add(e, POLY(e, r, 1.621429720105354466140, -1.88497979543377169875, 1.87595182427177009643),
            mul(e, mul(e, mul(e, r, r), r),
                POLY(e, r, 0.145996192886612446982, -0.758397934778766047437)));
  t = mul(e, t, p);
  V rounded = iand(e, iadd(e, bits(e, t), I(e, x, 0x80000000ull)), I(e, x, 0xFFFFFFFFC0000000ull));
  t = real(e, rounded, x);
  V s = mul(e, t, t), d = quotient(e, a, s);
  d = quotient(e, sub(e, d, t), add(e, add(e, t, t), d));
  t = emit_fma(e, t, d, t);
  V edge = LLVMBuildOr(e->builder, cmpk(e, LLVMRealOEQ, a, 0),
                       cmp(e, LLVMRealUEQ, a, infinity(e, a)), "");
  return pick(e, edge, x, copysign_(e, t, x));
}

static V pow_f64(emit_t *e, V x, V y) {
  V a = fabs_(e, x), one = K(e, x, 1);
  V r = exp_f64(e, mul(e, y, log_any(e, a)));
  V half = mul(e, y, K(e, x, 0.5));
  V is_integer = cmp(e, LLVMRealOEQ, round_with(e, y, MATH_TRUNC), y);
  V is_even = cmp(e, LLVMRealOEQ, round_with(e, half, MATH_TRUNC), half);
  V is_odd = LLVMBuildAnd(e->builder, is_integer, LLVMBuildNot(e->builder, is_even, ""), "");
  V sign_negative = LLVMBuildICmp(e->builder, LLVMIntSLT, bits(e, x), I(e, x, 0), "");
  r = pick(e, LLVMBuildAnd(e->builder, is_odd, sign_negative, ""), neg(e, r), r);
  V finite_negative = LLVMBuildAnd(e->builder, cmpk(e, LLVMRealOLT, x, 0),
                                   cmp(e, LLVMRealONE, a, infinity(e, a)), "");
  V bad = LLVMBuildAnd(e->builder, finite_negative, LLVMBuildNot(e->builder, is_integer, ""), "");
  r = pick(e, bad, nan_(e, x), r);
  V y_infinite = cmp(e, LLVMRealOEQ, fabs_(e, y), infinity(e, y));
  V unit = LLVMBuildAnd(e->builder, cmpk(e, LLVMRealOEQ, a, 1), y_infinite, "");
  r = pick(e, unit, one, r);
  V is_one = LLVMBuildOr(e->builder, cmpk(e, LLVMRealOEQ, x, 1), cmpk(e, LLVMRealOEQ, y, 0), "");
  return pick(e, is_one, one, r);
}

// Lanes combined by or: one bit.
static V any(emit_t *e, V condition) {
  if (!emit_llvm_lanes(LLVMTypeOf(condition))) return condition;
  return emit_intrinsic1(e, "llvm.vector.reduce.or", condition);
}

// x - n y with the sign of x, exact: each round takes off the upper 26 bits of the quotient, times
// the upper and lower half of y. At most ceil(2046 / 25) rounds; one for quotients below 2^26.
static V fmod_f64(emit_t *e, V x, V y) {
  LLVMBuilderRef b = e->builder;
  V a = fabs_(e, x), d = fabs_(e, y);
  V d_high = real(e, iand(e, bits(e, d), I(e, d, 0xFFFFFFFFF8000000ull)), d);
  V d_low = sub(e, d, d_high);
  V usable =
      LLVMBuildAnd(b, cmpk(e, LLVMRealOGT, d, 0), cmp(e, LLVMRealONE, a, infinity(e, a)), "");
  usable = LLVMBuildAnd(b, usable, cmp(e, LLVMRealONE, d, infinity(e, d)), "");
  V start = pick(e, usable, a, K(e, a, 0));
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(e->context, e->function, "");
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(e->context, e->function, "");
  LLVMBasicBlockRef exit = LLVMAppendBasicBlockInContext(e->context, e->function, "");
  LLVMBuildBr(b, loop);
  LLVMPositionBuilderAtEnd(b, loop);
  V r = LLVMBuildPhi(b, LLVMTypeOf(a), "");
  V goes_on = cmp(e, LLVMRealOGE, r, d);
  LLVMBuildCondBr(b, any(e, LLVMBuildAnd(b, goes_on, usable, "")), body, exit);
  LLVMPositionBuilderAtEnd(b, body);
  V q = quotient(e, r, d);
  V top = real(e, iand(e, bits(e, q), I(e, q, 0xFFFFFFFFF8000000ull)), q);
  top = pick(e, cmpk(e, LLVMRealOLT, q, 67108864.0), round_with(e, q, MATH_TRUNC), top);
  // Overflow of the quotient: a power of two that is certainly below it.
  top = pick(e, cmp(e, LLVMRealOEQ, q, infinity(e, q)), K(e, q, 8.98846567431158e307), top);
  V next = sub(e, sub(e, r, mul(e, top, d_high)), mul(e, top, d_low));
  next = pick(e, cmpk(e, LLVMRealOLT, next, 0), add(e, next, d), next);
  next = pick(e, goes_on, next, r);
  V incoming[] = {start, next};
  LLVMBasicBlockRef from[] = {before, LLVMGetInsertBlock(b)};
  LLVMAddIncoming(r, incoming, from, 2);
  LLVMBuildBr(b, loop);
  LLVMPositionBuilderAtEnd(b, exit);
  V result = copysign_(e, r, x);
  // An infinite divisor leaves x; a zero divisor, an infinite dividend or a NaN gives NaN.
  V keeps = LLVMBuildAnd(b, cmp(e, LLVMRealOEQ, d, infinity(e, d)),
                         cmp(e, LLVMRealONE, a, infinity(e, a)), "");
  return pick(e, keeps, x, pick(e, usable, result, nan_(e, x)));
}

//===-- dispatch -----------------------------------------------------------------------------------

static V emit_f64(emit_t *e, math_function_t f, V x, V y) {
  switch (f) {
    case MATH_EXP:
      return exp_f64(e, x);
    case MATH_EXP2:
      return exp2_f64(e, x);
    case MATH_EXPM1:
      return expm1_f64(e, x);
    case MATH_LOG:
      return log_any(e, x);
    case MATH_LOG2:
      return log_base(e, x, 1.44269504088896338700, 1.0, 0.0);
    case MATH_LOG10:
      return log_base(e, x, 4.34294481903251816668e-01, 3.01029995663611771306e-01,
                      3.69423907715893078616e-13);
    case MATH_LOG1P:
      return log1p_f64(e, x);
    case MATH_SIN:
      return sin_cos_f64(e, x, 0);
    case MATH_COS:
      return sin_cos_f64(e, x, 1);
    case MATH_TAN:
      return tan_f64(e, x);
    case MATH_ASIN:
      return asin_f64(e, x);
    case MATH_ACOS:
      return acos_f64(e, x);
    case MATH_ATAN:
      return atan_f64(e, x);
    case MATH_SINH:
      return sinh_f64(e, x);
    case MATH_COSH:
      return cosh_f64(e, x);
    case MATH_TANH:
      return tanh_f64(e, x);
    case MATH_ASINH:
      return asinh_f64(e, x);
    case MATH_ACOSH:
      return acosh_f64(e, x);
    case MATH_ATANH:
      return atanh_f64(e, x);
    case MATH_ERF:
      return erf_f64(e, x, false);
    case MATH_ERFC:
      return erf_f64(e, x, true);
    case MATH_CBRT:
      return cbrt_f64(e, x);
    case MATH_ATAN2:
      return atan2_f64(e, x, y);
    case MATH_POW:
      return pow_f64(e, x, y);
    case MATH_FMOD:
      return fmod_f64(e, x, y);
    case MATH_SQRT:
      return sqrt_(e, x);
    case MATH_RSQRT:
      return quotient(e, K(e, x, 1), sqrt_(e, x));
    case MATH_FLOOR:
    case MATH_CEIL:
    case MATH_TRUNC:
    case MATH_ROUND:
    case MATH_ROUNDEVEN:
      return round_with(e, x, f);
    case MATH_ABS:
      return fabs_(e, x);
    case MATH_COPYSIGN:
      return copysign_(e, x, y);
  }
  return NULL;
}

V math_emit(emit_t *e, math_function_t f, V x, V y) {
  if (is64(x)) return emit_f64(e, f, x, y);
  switch (f) {
    case MATH_EXP:
      return exp_f32(e, x);
    case MATH_LOG:
      return log_any(e, x);
    case MATH_TANH:
      return tanh_f32(e, x);
    case MATH_ERF:
      return erf_f32(e, x);
    case MATH_SQRT:
    case MATH_RSQRT:
    case MATH_FLOOR:
    case MATH_CEIL:
    case MATH_TRUNC:
    case MATH_ROUND:
    case MATH_ROUNDEVEN:
    case MATH_ABS:
    case MATH_COPYSIGN:
      return emit_f64(e, f, x, y);  // no constants of a width
    default:
      break;
  }
  LLVMTypeRef narrow = LLVMTypeOf(x), wide = emit_shape_like(e->f64, emit_llvm_lanes(narrow));
  V wx = LLVMBuildFPExt(e->builder, x, wide, ""),
    wy = y ? LLVMBuildFPExt(e->builder, y, wide, "") : NULL;
  return LLVMBuildFPTrunc(e->builder, emit_f64(e, f, wx, wy), narrow, "");
}
