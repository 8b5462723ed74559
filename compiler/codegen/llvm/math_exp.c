// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exponentials and logarithms.
#include "compiler/codegen/llvm/math_build.h"

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

V math_exp_f32(emit_t *e, V x) {
  V n, y = exp_parts_f32(e, clamp(e, x, -176.0, 89.0), &n);
  return scale(e, y, n);
}

// For |x| < 80: the power of two is a normal number.
V math_exp_bounded_f32(emit_t *e, V x) {
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

V math_exp_f64(emit_t *e, V x) {
  V t = clamp(e, x, -1418.0, 710.0), k;
  V n = nearest(e, mul(e, t, K(e, t, 1.44269504088896338700)), &k);
  V hi = emit_fma(e, k, K(e, t, -6.93147180369123816490e-01), t);
  V lo = mul(e, k, K(e, t, 1.90821492927058770002e-10));
  return scale(e, exp_kernel_f64(e, hi, lo), n);
}

// e^(high + low), for |low| small against |high|.
V math_exp_pair_f64(emit_t *e, pair_t x) {
  V t = clamp(e, x.high, -1418.0, 710.0), k;
  V rest = pick(e, cmp(e, LLVMRealOEQ, t, x.high), x.low, K(e, t, 0));
  V n = nearest(e, mul(e, t, K(e, t, 1.44269504088896338700)), &k);
  V hi = emit_fma(e, k, K(e, t, -6.93147180369123816490e-01), t);
  V lo = sub(e, mul(e, k, K(e, t, 1.90821492927058770002e-10)), rest);
  return scale(e, exp_kernel_f64(e, hi, lo), n);
}

V math_exp2_f64(emit_t *e, V x) {
  V t = clamp(e, x, -2046.0, 1025.0), k;
  V n = nearest(e, t, &k);
  V r = sub(e, t, k);
  V hi = mul(e, r, K(e, r, 6.93147180369123816490e-01));
  V lo = mul(e, r, K(e, r, -1.90821492927058770002e-10));
  return scale(e, exp_kernel_f64(e, hi, lo), n);
}

V math_expm1_f64(emit_t *e, V x) {
  V half = mul(e, x, K(e, x, 0.5)), hxs = mul(e, x, half);
  V r1 = emit_fma(
      e, hxs,
      POLY(e, hxs, -2.01099218183624371326e-07, 4.00821782732936239552e-06,
           -7.93650757867487942473e-05, 1.58730158725481460165e-03, -3.33333333333331316428e-02),
      K(e, x, 1));
  V t = sub(e, K(e, x, 3), mul(e, r1, half));
  V q = mul(e, hxs, quotient(e, sub(e, r1, t), sub(e, K(e, x, 6), mul(e, x, t))));
  V small = sub(e, x, sub(e, mul(e, x, q), hxs));
  V large = sub(e, math_exp_f64(e, x), K(e, x, 1));
  V result = pick(e, cmpk(e, LLVMRealOLT, fabs_(e, x), 0.35), small, large);
  return pick(e, cmpk(e, LLVMRealOEQ, x, 0), x, result);
}

//===-- logarithms ---------------------------------------------------------------------------------

// Splits a positive x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); k as real.
V math_split(emit_t *e, V x, V *out_k) {
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

V math_log(emit_t *e, V x) {
  V k, f = math_split(e, x, &k), rest = log_rest(e, f);
  double hi = is64(x) ? 6.93147180369123816490e-01 : 6.9313812256e-01;
  double lo = is64(x) ? 1.90821492927058770002e-10 : 9.0580006145e-06;
  V low = sub(e, rest, mul(e, k, K(e, x, lo)));
  V result = emit_fma(e, k, K(e, x, hi), sub(e, f, low));
  return log_limits(e, x, result);
}

V math_log_base(emit_t *e, V x, double inverse, double two_hi, double two_lo) {
  V k, f = math_split(e, x, &k), rest = log_rest(e, f);
  V mantissa = mul(e, sub(e, f, rest), K(e, x, inverse));
  mantissa = emit_fma(e, k, K(e, x, two_lo), mantissa);
  return log_limits(e, x, emit_fma(e, k, K(e, x, two_hi), mantissa));
}

V math_log1p_f64(emit_t *e, V x) {
  V u = add(e, K(e, x, 1), x);
  // What the rounding of u lost, to first order.
  V lost = quotient(e, sub(e, x, sub(e, u, K(e, x, 1))), u);
  V result = add(e, math_log(e, u), lost);
  V is_edge = LLVMBuildOr(e->builder, cmpk(e, LLVMRealULE, u, 0),
                          cmp(e, LLVMRealOEQ, u, infinity(e, u)), "");
  result = pick(e, is_edge, math_log(e, u), result);
  return pick(e, cmpk(e, LLVMRealOEQ, u, 1), x, result);
}
