// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular functions and their inverses.
#include "compiler/codegen/llvm/math_build.h"

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

V math_sin_cos_f64(emit_t *e, V x, unsigned phase, math_reach_t reach) {
  V q, r = math_reduce_half_pi(e, x, reach, &q);
  if (phase) q = iadd(e, q, I(e, x, 1));
  V s = sin_kernel(e, r), c = cos_kernel(e, r);
  V result = pick(e, test_bit(e, q, 1), c, s);
  result = pick(e, test_bit(e, q, 2), neg(e, result), result);
  if (!phase) result = pick(e, cmpk(e, LLVMRealOEQ, x, 0), x, result);
  return not_finite_is_nan(e, x, result);
}

V math_tan_f64(emit_t *e, V x, math_reach_t reach) {
  V q, r = math_reduce_half_pi(e, x, reach, &q);
  V s = sin_kernel(e, r), c = cos_kernel(e, r), odd = test_bit(e, q, 1);
  V result = quotient(e, pick(e, odd, neg(e, c), s), pick(e, odd, s, c));
  result = pick(e, cmpk(e, LLVMRealOEQ, x, 0), x, result);
  return not_finite_is_nan(e, x, result);
}

V math_atan_f64(emit_t *e, V x) {
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

V math_atan2_f64(emit_t *e, V y, V x) {
  V ax = fabs_(e, x), ay = fabs_(e, y);
  V swap = cmp(e, LLVMRealOGT, ay, ax);
  V num = pick(e, swap, ax, ay), den = pick(e, swap, ay, ax);
  V ratio = quotient(e, num, den);
  V both_inf = cmp(e, LLVMRealOEQ, num, infinity(e, x));
  ratio = pick(e, both_inf, K(e, x, 1), ratio);
  ratio = pick(e, cmpk(e, LLVMRealOEQ, den, 0), K(e, x, 0), ratio);
  V r = math_atan_f64(e, ratio);
  r = pick(e, swap, sub(e, K(e, x, 1.57079632679489661923), r), r);
  V x_negative = LLVMBuildICmp(e->builder, LLVMIntSLT, bits(e, x), I(e, x, 0), "");
  r = pick(e, x_negative, sub(e, K(e, x, 3.14159265358979323846), r), r);
  V is_nan = cmp(e, LLVMRealUNO, x, y);
  return pick(e, is_nan, add(e, x, y), copysign_(e, r, y));
}

V math_asin_f64(emit_t *e, V x) {
  V one = K(e, x, 1);
  return math_atan2_f64(e, x, sqrt_(e, mul(e, sub(e, one, x), add(e, one, x))));
}

V math_acos_f64(emit_t *e, V x) {
  V one = K(e, x, 1);
  V r = math_atan2_f64(e, sqrt_(e, sub(e, one, x)), sqrt_(e, add(e, one, x)));
  return add(e, r, r);
}
