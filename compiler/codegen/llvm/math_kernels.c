// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions: which one is computed how in which width; see the header for bounds. NaN
// operands reach the result through arithmetic; conversions to integers go through bit patterns,
// so that no lane is ever undefined.
#include "compiler/codegen/llvm/math_build.h"

// |reach|: which values the operands are of; below f64, the result will be rounded to f32.
static V emit_f64(emit_t *e, math_function_t f, V x, V y, math_reach_t reach) {
  bool from_f32 = reach != MATH_REACH_F64;
  switch (f) {
    case MATH_EXP:
      return math_exp_f64(e, x);
    case MATH_EXP2:
      return math_exp2_f64(e, x);
    case MATH_EXPM1:
      return math_expm1_f64(e, x);
    case MATH_LOG:
      return math_log(e, x);
    case MATH_LOG2:
      return math_log_base(e, x, 1.44269504088896338700, 1.0, 0.0);
    case MATH_LOG10:
      return math_log_base(e, x, 4.34294481903251816668e-01, 3.01029995663611771306e-01,
                           3.69423907715893078616e-13);
    case MATH_LOG1P:
      return math_log1p_f64(e, x);
    case MATH_SIN:
      return math_sin_cos_f64(e, x, 0, reach);
    case MATH_COS:
      return math_sin_cos_f64(e, x, 1, reach);
    case MATH_TAN:
      return math_tan_f64(e, x, reach);
    case MATH_ASIN:
      return math_asin_f64(e, x);
    case MATH_ACOS:
      return math_acos_f64(e, x);
    case MATH_ATAN:
      return math_atan_f64(e, x);
    case MATH_SINH:
      return math_sinh_f64(e, x);
    case MATH_COSH:
      return math_cosh_f64(e, x);
    case MATH_TANH:
      return math_tanh_f64(e, x);
    case MATH_ASINH:
      return math_asinh_f64(e, x);
    case MATH_ACOSH:
      return math_acosh_f64(e, x);
    case MATH_ATANH:
      return math_atanh_f64(e, x);
    case MATH_ERF:
      return math_erf_f64(e, x, false);
    case MATH_ERFC:
      return math_erf_f64(e, x, true);
    case MATH_CBRT:
      return math_cbrt_f64(e, x, from_f32);
    case MATH_ATAN2:
      return math_atan2_f64(e, x, y);
    case MATH_POW:
      return math_pow(e, x, y, from_f32);
    case MATH_FMOD:
      return math_fmod(e, x, y, from_f32);
    case MATH_SQRT:
      return sqrt_(e, x);
    case MATH_RSQRT:
      return quotient(e, K(e, x, 1), sqrt_(e, x));
    case MATH_FLOOR:
    case MATH_CEIL:
    case MATH_TRUNC:
    case MATH_ROUND:
    case MATH_ROUNDEVEN:
      return math_round_with(e, x, f);
    case MATH_ABS:
      return fabs_(e, x);
    case MATH_COPYSIGN:
      return copysign_(e, x, y);
  }
  return NULL;
}

V math_emit(emit_t *e, math_function_t f, V x, V y, bool is_small) {
  if (is64(x)) return emit_f64(e, f, x, y, MATH_REACH_F64);
  switch (f) {
    case MATH_EXP:
      return math_exp_f32(e, x);
    case MATH_LOG:
      return math_log(e, x);
    case MATH_TANH:
      return math_tanh_f32(e, x);
    case MATH_ERF:
      return math_erf_f32(e, x);
    case MATH_SQRT:
    case MATH_RSQRT:
    case MATH_FLOOR:
    case MATH_CEIL:
    case MATH_TRUNC:
    case MATH_ROUND:
    case MATH_ROUNDEVEN:
    case MATH_ABS:
    case MATH_COPYSIGN:
      return emit_f64(e, f, x, y, MATH_REACH_F64);  // no constants of a width
    default:
      break;
  }
  LLVMTypeRef narrow = LLVMTypeOf(x), wide = emit_shape_like(e->f64, emit_llvm_lanes(narrow));
  V wx = LLVMBuildFPExt(e->builder, x, wide, ""),
    wy = y ? LLVMBuildFPExt(e->builder, y, wide, "") : NULL;
  math_reach_t reach = is_small ? MATH_REACH_F16 : MATH_REACH_F32;
  return LLVMBuildFPTrunc(e->builder, emit_f64(e, f, wx, wy, reach), narrow, "");
}

// a b + c of f64 without the instruction: the product and the sum with what each loses.
static V exact_fma(emit_t *e, V a, V b, V c) {
  pair_t p = product_pair(e, a, b);
  V s = add(e, p.high, c), back = sub(e, s, p.high);
  V lost = add(e, sub(e, p.high, sub(e, s, back)), sub(e, c, back));
  V rest = add(e, lost, p.low);
  return pick(e, cmp(e, LLVMRealUNO, rest, rest), s, add(e, s, rest));
}

V math_emit_fma(emit_t *e, V a, V b, V c) {
  if (e->target->has_fma) return emit_fma(e, a, b, c);
  if (is64(a)) return exact_fma(e, a, b, c);
  LLVMTypeRef narrow = LLVMTypeOf(a), wide = emit_shape_like(e->f64, emit_llvm_lanes(narrow));
  V parts[] = {a, b, c};
  for (int i = 0; i < 3; ++i) parts[i] = LLVMBuildFPExt(e->builder, parts[i], wide, "");
  V sum = add(e, mul(e, parts[0], parts[1]), parts[2]);
  return LLVMBuildFPTrunc(e->builder, sum, narrow, "");
}
