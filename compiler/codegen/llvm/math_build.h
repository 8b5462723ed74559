// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of math_kernels share: a vocabulary for straight-line code on lanes, and the
// functions that others are made of.
#ifndef IREE_COMPILER_CODEGEN_LLVM_MATH_BUILD_H_
#define IREE_COMPILER_CODEGEN_LLVM_MATH_BUILD_H_

#include "compiler/codegen/llvm/math_kernels.h"

typedef LLVMValueRef V;

static inline bool is64(V x) {
  return LLVMGetTypeKind(emit_llvm_scalar(LLVMTypeOf(x))) == LLVMDoubleTypeKind;
}
static inline V K(emit_t *e, V like, double value) {
  (void)e;
  return emit_real(LLVMTypeOf(like), value);
}
static inline V I(emit_t *e, V like, uint64_t value) {
  (void)e;
  return emit_int(emit_int_like(LLVMTypeOf(like)), value);
}
static inline V add(emit_t *e, V a, V b) { return LLVMBuildFAdd(e->builder, a, b, ""); }
static inline V sub(emit_t *e, V a, V b) { return LLVMBuildFSub(e->builder, a, b, ""); }
static inline V mul(emit_t *e, V a, V b) { return LLVMBuildFMul(e->builder, a, b, ""); }
static inline V quotient(emit_t *e, V a, V b) { return LLVMBuildFDiv(e->builder, a, b, ""); }
static inline V neg(emit_t *e, V a) { return LLVMBuildFNeg(e->builder, a, ""); }
static inline V iadd(emit_t *e, V a, V b) { return LLVMBuildAdd(e->builder, a, b, ""); }
static inline V isub(emit_t *e, V a, V b) { return LLVMBuildSub(e->builder, a, b, ""); }
static inline V iand(emit_t *e, V a, V b) { return LLVMBuildAnd(e->builder, a, b, ""); }
static inline V shl(emit_t *e, V a, uint64_t n) {
  return LLVMBuildShl(e->builder, a, I(e, a, n), "");
}
static inline V sar(emit_t *e, V a, uint64_t n) {
  return LLVMBuildAShr(e->builder, a, I(e, a, n), "");
}
static inline V shr(emit_t *e, V a, uint64_t n) {
  return LLVMBuildLShr(e->builder, a, I(e, a, n), "");
}
static inline V bits(emit_t *e, V x) {
  return LLVMBuildBitCast(e->builder, x, emit_int_like(LLVMTypeOf(x)), "");
}
static inline V real(emit_t *e, V i, V like) {
  return LLVMBuildBitCast(e->builder, i, LLVMTypeOf(like), "");
}
static inline V pick(emit_t *e, V c, V a, V b) { return LLVMBuildSelect(e->builder, c, a, b, ""); }
static inline V cmp(emit_t *e, LLVMRealPredicate p, V a, V b) {
  return LLVMBuildFCmp(e->builder, p, a, b, "");
}
static inline V cmpk(emit_t *e, LLVMRealPredicate p, V a, double b) {
  return cmp(e, p, a, K(e, a, b));
}
static inline V fabs_(emit_t *e, V x) { return emit_intrinsic1(e, "llvm.fabs", x); }
static inline V copysign_(emit_t *e, V x, V s) { return emit_intrinsic2(e, "llvm.copysign", x, s); }
static inline V sqrt_(emit_t *e, V x) { return emit_intrinsic1(e, "llvm.sqrt", x); }
static inline V nan_(emit_t *e, V like) {
  return real(e, I(e, like, is64(like) ? 0x7FF8000000000000ull : 0x7FC00000u), like);
}
static inline V infinity(emit_t *e, V like) {
  return real(e, I(e, like, is64(like) ? 0x7FF0000000000000ull : 0x7F800000u), like);
}

// Horner: the highest coefficient first.
static inline V horner(emit_t *e, V x, const double *c, int n) {
  V r = K(e, x, c[0]);
  for (int i = 1; i < n; ++i) r = emit_fma(e, r, x, K(e, x, c[i]));
  return r;
}
#define POLY(e, x, ...)                           \
  horner((e), (x), (const double[]){__VA_ARGS__}, \
         (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)))

// A number as the sum of a value and what its rounding lost.
typedef struct {
  V high, low;
} pair_t;

// a + b exactly, for |a| >= |b| or a = 0.
static inline pair_t sum_pair(emit_t *e, V a, V b) {
  V s = add(e, a, b);
  return (pair_t){s, sub(e, b, sub(e, s, a))};
}

// The upper half of a significand of 53 bits.
static inline V upper_half(emit_t *e, V a) {
  return real(e, iand(e, bits(e, a), I(e, a, 0xFFFFFFFFF8000000ull)), a);
}

// a b exactly, but for what four products of halves lose at the ends of the range.
static inline pair_t product_pair(emit_t *e, V a, V b) {
  V p = mul(e, a, b);
  if (e->target->has_fma) return (pair_t){p, emit_fma(e, a, b, neg(e, p))};
  V ah = upper_half(e, a), al = sub(e, a, ah), bh = upper_half(e, b), bl = sub(e, b, bh);
  V rest = add(e, add(e, sub(e, mul(e, ah, bh), p), mul(e, ah, bl)), mul(e, al, bh));
  return (pair_t){p, add(e, rest, mul(e, al, bl))};
}

// 2^k for integer lanes |k| within the normal range.
static inline V exp2i(emit_t *e, V k, V like) {
  return is64(like) ? real(e, shl(e, iadd(e, k, I(e, like, 1023)), 52), like)
                    : real(e, shl(e, iadd(e, k, I(e, like, 127)), 23), like);
}

// Rounds |x|, small against 2^22 (2^51), to the nearest integer: as integer lanes, and as real.
static inline V nearest(emit_t *e, V x, V *out_real) {
  V magic = K(e, x, is64(x) ? 6755399441055744.0 : 12582912.0);
  V shifted = add(e, x, magic);
  *out_real = sub(e, shifted, magic);
  return isub(e, bits(e, shifted), bits(e, magic));
}

static inline V clamp(emit_t *e, V x, double lo, double hi) {
  x = pick(e, cmpk(e, LLVMRealOLT, x, lo), K(e, x, lo), x);
  return pick(e, cmpk(e, LLVMRealOGT, x, hi), K(e, x, hi), x);
}

// x * 2^k in two steps, so that results at both ends of the range are reached. Down to twice the
// smallest exponent: there both steps are by zero, so that clamped arguments (masks have many) do
// not make denormals on their way to zero, which is slow.
static inline V scale(emit_t *e, V x, V k) {
  V half = sar(e, k, 1);
  return mul(e, mul(e, x, exp2i(e, half, x)), exp2i(e, isub(e, k, half), x));
}

//===-- functions, by file -------------------------------------------------------------------------

// math_exp.c
V math_exp_f32(emit_t *e, V x);
V math_exp_bounded_f32(emit_t *e, V x);
V math_exp_f64(emit_t *e, V x);
V math_exp_pair_f64(emit_t *e, pair_t x);
V math_exp2_f64(emit_t *e, V x);
V math_expm1_f64(emit_t *e, V x);
V math_split(emit_t *e, V x, V *out_k);
V math_log(emit_t *e, V x);
V math_log_base(emit_t *e, V x, double inverse, double two_hi, double two_lo);
V math_log1p_f64(emit_t *e, V x);

// math_reduce.c
typedef enum {
  MATH_REACH_F16,  // finite operands are below 2^20
  MATH_REACH_F32,  // below 2^128, of up to 24 bits
  MATH_REACH_F64,
} math_reach_t;
// x = q pi/2 + r, |r| <= pi/4 about; returns r, |out_quadrant| is q modulo 4 or more. NaN where x is
// NaN; what r is for infinities is left open.
V math_reduce_half_pi(emit_t *e, V x, math_reach_t reach, V *out_quadrant);

// math_circular.c
V math_sin_cos_f64(emit_t *e, V x, unsigned phase, math_reach_t reach);
V math_tan_f64(emit_t *e, V x, math_reach_t reach);
V math_atan_f64(emit_t *e, V x);
V math_atan2_f64(emit_t *e, V y, V x);
V math_asin_f64(emit_t *e, V x);
V math_acos_f64(emit_t *e, V x);

// math_hyperbolic.c
V math_sinh_f64(emit_t *e, V x);
V math_cosh_f64(emit_t *e, V x);
V math_tanh_f64(emit_t *e, V x);
V math_tanh_f32(emit_t *e, V x);
V math_asinh_f64(emit_t *e, V x);
V math_acosh_f64(emit_t *e, V x);
V math_atanh_f64(emit_t *e, V x);

// math_error.c
V math_erf_f32(emit_t *e, V x);
V math_erf_f64(emit_t *e, V x, bool complement);

// math_power.c
V math_round_with(emit_t *e, V x, math_function_t f);
V math_cbrt_f64(emit_t *e, V x, bool from_f32);
V math_pow(emit_t *e, V x, V y, bool from_f32);
V math_fmod(emit_t *e, V x, V y, bool from_f32);

#endif  // IREE_COMPILER_CODEGEN_LLVM_MATH_BUILD_H_
