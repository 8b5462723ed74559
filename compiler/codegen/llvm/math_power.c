// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding, roots, powers and the remainder.
#include "compiler/codegen/llvm/math_build.h"

//===-- rounding -----------------------------------------------------------------------------------

static bool has_rounding(emit_t *e) {
  return e->target->arch != CODEGEN_ARCH_X86_64 || (e->target->processor[0] & (1u << 2));
}

V math_round_with(emit_t *e, V x, math_function_t f) {
  static const char *const names[] = {"llvm.floor", "llvm.ceil", "llvm.trunc"};
  if (f == MATH_ROUND) {
    // Away from zero on ties: the largest value below 1/2 never carries a smaller fraction over.
    V half = K(e, x, is64(x) ? 0.49999999999999994 : 0.49999997019767761);
    return math_round_with(e, add(e, x, copysign_(e, half, x)), MATH_TRUNC);
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

//===-- roots and powers ---------------------------------------------------------------------------

V math_cbrt_f64(emit_t *e, V x, bool from_f32) {
  V a = fabs_(e, x), is_tiny = NULL;
  if (!from_f32) {  // no denormals in the exponent arithmetic below
    is_tiny = cmpk(e, LLVMRealOLT, a, 2.2250738585072014e-308);
    a = pick(e, is_tiny, mul(e, a, K(e, a, 18014398509481984.0)), a);
  }
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
  if (is_tiny) t = pick(e, is_tiny, mul(e, t, K(e, t, 3.814697265625e-06)), t);
  V edge = LLVMBuildOr(e->builder, cmpk(e, LLVMRealOEQ, a, 0),
                       cmp(e, LLVMRealUEQ, a, infinity(e, a)), "");
  return pick(e, edge, x, copysign_(e, t, x));
}

// log(a) for finite a > 0, to 2^-63 of itself: the first two terms of 2 artanh(s), s = f / (2 + f),
// with what their roundings lose.
static pair_t log_pair(emit_t *e, V a) {
  V k, f = math_split(e, a, &k), two = K(e, a, 2);
  pair_t u = sum_pair(e, two, f);
  V s = quotient(e, f, u.high);
  pair_t back = product_pair(e, s, u.high);
  V s_low = sub(e, sub(e, sub(e, f, back.high), back.low), mul(e, s, u.low));
  s_low = quotient(e, s_low, u.high);
  pair_t z = product_pair(e, s, s);
  z.low = add(e, z.low, mul(e, mul(e, two, s), s_low));
  V w = mul(e, z.high,
            POLY(e, z.high, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9,
                 2.0 / 7, 2.0 / 5));
  pair_t c = sum_pair(e, K(e, a, 6.66666666666666629659e-01), w);
  c.low = add(e, c.low, K(e, a, 3.70074341541718826e-17));
  pair_t t = product_pair(e, z.high, c.high);
  t.low = add(e, t.low, add(e, mul(e, z.high, c.low), mul(e, z.low, c.high)));
  pair_t q = sum_pair(e, two, t.high);
  q.low = add(e, q.low, t.low);
  pair_t l = product_pair(e, s, q.high);
  l.low = add(e, l.low, add(e, mul(e, s, q.low), mul(e, s_low, q.high)));
  pair_t r = sum_pair(e, mul(e, k, K(e, a, 6.93147180369123816490e-01)), l.high);
  r.low = add(e, r.low, add(e, l.low, mul(e, k, K(e, a, 1.90821492927058770002e-10))));
  return r;
}

// a^y for finite a > 0. From f32, the plain logarithm has bits enough.
static V pow_positive(emit_t *e, V a, V y, bool from_f32) {
  if (from_f32) return math_exp_f64(e, mul(e, y, math_log(e, a)));
  pair_t l = log_pair(e, a);
  // Farther out every power but 1's is 0 or infinite.
  V t = clamp(e, y, -9223372036854775808.0, 9223372036854775808.0);
  pair_t p = product_pair(e, t, l.high);
  p.low = add(e, p.low, mul(e, t, l.low));
  return math_exp_pair_f64(e, p);
}

V math_pow(emit_t *e, V x, V y, bool from_f32) {
  LLVMBuilderRef b = e->builder;
  V a = fabs_(e, x), one = K(e, x, 1), zero = K(e, x, 0), inf = infinity(e, x);
  V r = pow_positive(e, a, y, from_f32);
  V is_zero = cmp(e, LLVMRealOEQ, a, zero), is_infinite = cmp(e, LLVMRealOEQ, a, inf);
  V grows = LLVMBuildICmp(b, LLVMIntEQ, is_infinite, cmp(e, LLVMRealOGT, y, zero), "");
  r = pick(e, LLVMBuildOr(b, is_zero, is_infinite, ""), pick(e, grows, inf, zero), r);
  V half = mul(e, y, K(e, x, 0.5));
  V is_integer = cmp(e, LLVMRealOEQ, math_round_with(e, y, MATH_TRUNC), y);
  V is_even = cmp(e, LLVMRealOEQ, math_round_with(e, half, MATH_TRUNC), half);
  V is_odd = LLVMBuildAnd(b, is_integer, LLVMBuildNot(b, is_even, ""), "");
  V sign_negative = LLVMBuildICmp(b, LLVMIntSLT, bits(e, x), I(e, x, 0), "");
  r = pick(e, LLVMBuildAnd(b, is_odd, sign_negative, ""), neg(e, r), r);
  V finite_negative =
      LLVMBuildAnd(b, cmp(e, LLVMRealOLT, x, zero), LLVMBuildNot(b, is_infinite, ""), "");
  V bad = LLVMBuildAnd(b, finite_negative, LLVMBuildNot(b, is_integer, ""), "");
  r = pick(e, bad, nan_(e, x), r);
  V is_unit =
      LLVMBuildAnd(b, cmp(e, LLVMRealOEQ, a, one), cmp(e, LLVMRealOEQ, fabs_(e, y), inf), "");
  r = pick(e, is_unit, one, r);
  r = pick(e, cmp(e, LLVMRealUNO, x, y), add(e, x, y), r);
  V is_one = LLVMBuildOr(b, cmp(e, LLVMRealOEQ, x, one), cmp(e, LLVMRealOEQ, y, zero), "");
  return pick(e, is_one, one, r);
}

// Lanes combined by or: one bit.
static V any(emit_t *e, V condition) {
  if (!emit_llvm_lanes(LLVMTypeOf(condition))) return condition;
  return emit_intrinsic1(e, "llvm.vector.reduce.or", condition);
}

// x - n y with the sign of x, exact: each round takes off the upper 26 bits of the quotient, times
// the upper and lower half of y. At most ceil(2046 / 25) rounds; one for quotients below 2^26.
V math_fmod(emit_t *e, V x, V y, bool from_f32) {
  LLVMBuilderRef b = e->builder;
  V a = fabs_(e, x), d = fabs_(e, y);
  V d_high = upper_half(e, d);
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
  // Where the quotient is beyond the largest number (never of f32 values), by a multiple of y first,
  // which is exact.
  V by = d, by_high = d_high, by_low = d_low, q = quotient(e, r, d);
  for (int i = 0; i < (from_f32 ? 0 : 2); ++i) {
    V over = cmp(e, LLVMRealOEQ, q, infinity(e, q));
    V factor = pick(e, over, K(e, q, 0x1p1000), K(e, q, 1));
    by = mul(e, by, factor), by_high = mul(e, by_high, factor), by_low = mul(e, by_low, factor);
    q = quotient(e, r, by);
  }
  V top = upper_half(e, q);
  top = pick(e, cmpk(e, LLVMRealOLT, q, 67108864.0), math_round_with(e, q, MATH_TRUNC), top);
  V next = sub(e, r, mul(e, top, by_high));
  next = sub(e, next, mul(e, top, by_low));
  next = pick(e, cmpk(e, LLVMRealOLT, next, 0), add(e, next, by), next);
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
