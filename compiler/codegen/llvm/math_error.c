// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function and its complement.
#include "compiler/codegen/llvm/math_build.h"

V math_erf_f32(emit_t *e, V x) {
  V t = fabs_(e, x), s = mul(e, x, x);
  V big = emit_fma(e, K(e, x, -1.72853470e-5), t, K(e, x, 3.83197126e-4));
  V u = emit_fma(e, K(e, x, -3.88396438e-3), t, K(e, x, 2.42546219e-2));
  big = emit_fma(e, big, s, u);
  big = emit_fma(e, big, t, K(e, x, -1.06777877e-1));
  big = emit_fma(e, big, t, K(e, x, -6.34846687e-1));
  big = emit_fma(e, big, t, K(e, x, -1.28717512e-1));
  big = emit_fma(e, big, t, neg(e, t));
  big = sub(e, K(e, x, 1), math_exp_bounded_f32(e, big));
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
  V first = math_exp_f64(e, sub(e, neg(e, mul(e, z, z)), K(e, a, 0.5625)));
  V second = math_exp_f64(e, add(e, mul(e, sub(e, z, a), add(e, z, a)), ratio));
  return quotient(e, mul(e, first, second), a);
}

V math_erf_f64(emit_t *e, V x, bool complement) {
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
