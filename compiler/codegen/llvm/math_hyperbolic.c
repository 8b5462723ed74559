// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hyperbolic functions and their inverses.
#include "compiler/codegen/llvm/math_build.h"

V math_sinh_f64(emit_t *e, V x) {
  V a = fabs_(e, x), one = K(e, x, 1), half = K(e, x, 0.5);
  V t = math_expm1_f64(e, clamp(e, a, 0, 40));
  V small = mul(e, half, add(e, t, quotient(e, t, add(e, t, one))));
  V root = math_exp_f64(e, mul(e, a, half));
  V large = mul(e, mul(e, half, root), root);
  V r = pick(e, cmpk(e, LLVMRealOGT, a, 22), large, small);
  r = pick(e, cmp(e, LLVMRealUNO, x, x), x, r);
  return copysign_(e, r, x);
}

V math_cosh_f64(emit_t *e, V x) {
  V a = fabs_(e, x), half = K(e, x, 0.5);
  V root = math_exp_f64(e, mul(e, a, half));
  V large = mul(e, mul(e, half, root), root);
  V small = quotient(e, half, mul(e, root, root));
  return add(e, large, pick(e, cmpk(e, LLVMRealOGT, a, 22), K(e, x, 0), small));
}

V math_tanh_f64(emit_t *e, V x) {
  V a = clamp(e, fabs_(e, x), 0, 22);
  V t = math_expm1_f64(e, add(e, a, a));
  return copysign_(e, quotient(e, t, add(e, t, K(e, x, 2))), x);
}

V math_tanh_f32(emit_t *e, V x) {
  V a = clamp(e, fabs_(e, x), 0, 10), z = mul(e, x, x);
  V p = POLY(e, z, -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1,
             -3.33332819422e-1);
  V small = emit_fma(e, mul(e, p, z), x, x);
  V t = math_exp_bounded_f32(e, add(e, a, a)), one = K(e, x, 1);
  V large = sub(e, one, quotient(e, K(e, x, 2), add(e, t, one)));
  return copysign_(e, pick(e, cmpk(e, LLVMRealOLT, a, 0.625), small, large), x);  // -0 is kept
}

V math_asinh_f64(emit_t *e, V x) {
  V a = fabs_(e, x), one = K(e, x, 1);
  V t = clamp(e, a, 0, 268435456.0), z = mul(e, t, t);
  V near = math_log1p_f64(e, add(e, t, quotient(e, z, add(e, one, sqrt_(e, add(e, one, z))))));
  V far = add(e, math_log(e, a), K(e, x, 6.93147180559945286227e-01));
  V r = pick(e, cmpk(e, LLVMRealOGT, a, 268435456.0), far, near);
  r = pick(e, cmp(e, LLVMRealUNO, x, x), x, r);
  return copysign_(e, r, x);
}

V math_acosh_f64(emit_t *e, V x) {
  V t = sub(e, clamp(e, x, -2, 268435456.0), K(e, x, 1));
  V near = math_log1p_f64(e, add(e, t, sqrt_(e, add(e, add(e, t, t), mul(e, t, t)))));
  V far = add(e, math_log(e, x), K(e, x, 6.93147180559945286227e-01));
  V r = pick(e, cmpk(e, LLVMRealOGT, x, 268435456.0), far, near);
  return pick(e, cmpk(e, LLVMRealULT, x, 1), nan_(e, x), r);
}

V math_atanh_f64(emit_t *e, V x) {
  V a = fabs_(e, x), one = K(e, x, 1);
  V r = math_log1p_f64(e, quotient(e, add(e, a, a), sub(e, one, a)));
  return copysign_(e, mul(e, K(e, x, 0.5), r), x);
}
