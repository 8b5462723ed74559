// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Narrow float formats (base/float_convert.h) as vector code: storage bits to f32 and back,
// rounding to nearest even. The magnitude of a value is an integer code, so rounding carries into
// the exponent by itself; values below the smallest normal are rounded by the f32 adder against a
// large constant. Nothing here depends on subnormal f32 values, which upstream's runtime flushes to
// zero in kernels.
#include "compiler/codegen/llvm/emit.h"

typedef struct {
  LLVMTypeRef f32, i32;  // scalar or vector
  const float_format_info_t *info;
  uint32_t all;         // magnitude bits
  uint32_t max_finite;  // code
  unsigned shift;       // from the format's mantissa to f32's
} codec_t;

static codec_t codec(emit_t *e, ir_float_t format, unsigned lanes) {
  const float_format_info_t *info = float_format_info((float_format_t)format);
  uint32_t sign_bits = info->kind == FLOAT_KIND_SCALE ? 0 : 1;
  uint32_t all = (1u << ((uint32_t)info->total_bits - sign_bits)) - 1;
  uint32_t mantissa = (1u << info->mantissa_bits) - 1;
  uint32_t max_finite = all;
  if (info->kind == FLOAT_KIND_IEEE) max_finite = all - mantissa - 1;
  if (info->kind == FLOAT_KIND_FN || info->kind == FLOAT_KIND_SCALE) max_finite = all - 1;
  return (codec_t){
      .f32 = emit_shape_like(e->f32, lanes),
      .i32 = emit_shape_like(e->i32, lanes),
      .info = info,
      .all = all,
      .max_finite = max_finite,
      .shift = 23u - (unsigned)info->mantissa_bits,
  };
}

static double power_of_two(int exponent) {
  double value = 1;
  for (; exponent > 0; --exponent) value *= 2;
  for (; exponent < 0; ++exponent) value /= 2;
  return value;
}

static LLVMValueRef pick(emit_t *e, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(e->builder, condition, a, b, "");
}

static LLVMValueRef decode_generic(emit_t *e, LLVMValueRef bits, const codec_t *c) {
  LLVMBuilderRef b = e->builder;
  LLVMValueRef x = LLVMBuildZExt(b, bits, c->i32, "");
  LLVMValueRef magnitude = LLVMBuildAnd(b, x, emit_int(c->i32, c->all), "");
  LLVMValueRef normal = LLVMBuildShl(b, magnitude, emit_int(c->i32, c->shift), "");
  uint32_t rebias = (uint32_t)(127 - c->info->bias) << 23;
  normal = LLVMBuildAdd(b, normal, emit_int(c->i32, rebias), "");
  LLVMValueRef result = normal;
  if (c->info->kind == FLOAT_KIND_SCALE) {
    // Code 0 is 2^-127, below f32's normals.
    LLVMValueRef is_zero = LLVMBuildICmp(b, LLVMIntEQ, magnitude, emit_int(c->i32, 0), "");
    result = pick(e, is_zero, emit_int(c->i32, 0x00400000), result);
  } else {
    double unit = power_of_two(1 - c->info->bias - c->info->mantissa_bits);
    LLVMValueRef small =
        LLVMBuildFMul(b, LLVMBuildUIToFP(b, magnitude, c->f32, ""), emit_real(c->f32, unit), "");
    uint32_t first_normal = 1u << c->info->mantissa_bits;
    LLVMValueRef is_small =
        LLVMBuildICmp(b, LLVMIntULT, magnitude, emit_int(c->i32, first_normal), "");
    result = pick(e, is_small, LLVMBuildBitCast(b, small, c->i32, ""), result);
  }
  if (c->info->kind == FLOAT_KIND_IEEE) {
    // Infinity and NaN keep their mantissa under f32's exponent of all ones.
    LLVMValueRef special = LLVMBuildShl(b, magnitude, emit_int(c->i32, c->shift), "");
    special = LLVMBuildOr(b, special, emit_int(c->i32, 0x7F800000), "");
    LLVMValueRef is_special =
        LLVMBuildICmp(b, LLVMIntUGT, magnitude, emit_int(c->i32, c->max_finite), "");
    result = pick(e, is_special, special, result);
  } else if (c->info->kind == FLOAT_KIND_FN || c->info->kind == FLOAT_KIND_SCALE) {
    LLVMValueRef is_nan = LLVMBuildICmp(b, LLVMIntEQ, magnitude, emit_int(c->i32, c->all), "");
    result = pick(e, is_nan, emit_int(c->i32, 0x7FC00000), result);
  }
  if (c->info->kind != FLOAT_KIND_SCALE) {
    LLVMValueRef sign = LLVMBuildAnd(b, x, emit_int(c->i32, c->all + 1), "");
    unsigned to_top = 32u - (unsigned)c->info->total_bits;
    result = LLVMBuildOr(b, result, LLVMBuildShl(b, sign, emit_int(c->i32, to_top), ""), "");
  }
  if (c->info->kind == FLOAT_KIND_FNUZ) {
    LLVMValueRef is_nan = LLVMBuildICmp(b, LLVMIntEQ, x, emit_int(c->i32, c->all + 1), "");
    result = pick(e, is_nan, emit_int(c->i32, 0x7FC00000), result);
  }
  return LLVMBuildBitCast(b, result, c->f32, "");
}

// The magnitude code of |value| before limits: normals by integer rounding, small ones by addition.
static LLVMValueRef encode_magnitude(emit_t *e, LLVMValueRef magnitude_bits, const codec_t *c) {
  LLVMBuilderRef b = e->builder;
  uint32_t rebias = (uint32_t)(127 - c->info->bias) << 23;
  LLVMValueRef shift = emit_int(c->i32, c->shift);
  LLVMValueRef r = LLVMBuildSub(b, magnitude_bits, emit_int(c->i32, rebias), "");
  LLVMValueRef lsb = LLVMBuildAnd(b, LLVMBuildLShr(b, r, shift, ""), emit_int(c->i32, 1), "");
  r = LLVMBuildAdd(b, r, emit_int(c->i32, (1u << (c->shift - 1)) - 1), "");
  r = LLVMBuildLShr(b, LLVMBuildAdd(b, r, lsb, ""), shift, "");
  int anchor_exponent = 23 + 1 - c->info->bias - c->info->mantissa_bits;
  LLVMValueRef anchor = emit_real(c->f32, power_of_two(anchor_exponent));
  LLVMValueRef value = LLVMBuildBitCast(b, magnitude_bits, c->f32, "");
  LLVMValueRef sum = LLVMBuildBitCast(b, LLVMBuildFAdd(b, value, anchor, ""), c->i32, "");
  LLVMValueRef small = LLVMBuildSub(b, sum, LLVMBuildBitCast(b, anchor, c->i32, ""), "");
  uint32_t first_normal = (uint32_t)(127 - c->info->bias + 1) << 23;
  LLVMValueRef is_small =
      LLVMBuildICmp(b, LLVMIntULT, magnitude_bits, emit_int(c->i32, first_normal), "");
  return pick(e, is_small, small, r);
}

static LLVMValueRef encode_generic(emit_t *e, LLVMValueRef value, const codec_t *c) {
  LLVMBuilderRef b = e->builder;
  float_kind_t kind = c->info->kind;
  LLVMValueRef bits = LLVMBuildBitCast(b, value, c->i32, "");
  LLVMValueRef magnitude = LLVMBuildAnd(b, bits, emit_int(c->i32, 0x7FFFFFFF), "");
  LLVMValueRef is_nan = LLVMBuildICmp(b, LLVMIntUGT, magnitude, emit_int(c->i32, 0x7F800000), "");
  LLVMValueRef is_negative = LLVMBuildICmp(b, LLVMIntSLT, bits, emit_int(c->i32, 0), "");
  if (kind == FLOAT_KIND_SCALE) {
    // The exponent alone, ties up; negative values and overflow have no code but NaN.
    LLVMValueRef code = LLVMBuildAdd(b, magnitude, emit_int(c->i32, 0x00400000), "");
    code = LLVMBuildLShr(b, code, emit_int(c->i32, 23), "");
    // From 2^-127 down f32 has no implied one: 1.5 * 2^-127 is the first that rounds up.
    LLVMValueRef tiny = LLVMBuildICmp(b, LLVMIntULT, magnitude, emit_int(c->i32, 0x00600000), "");
    code = pick(e, tiny, emit_int(c->i32, 0), code);
    LLVMValueRef is_over = LLVMBuildICmp(b, LLVMIntUGT, code, emit_int(c->i32, c->max_finite), "");
    LLVMValueRef is_zero = LLVMBuildICmp(b, LLVMIntEQ, magnitude, emit_int(c->i32, 0), "");
    LLVMValueRef bad = LLVMBuildOr(b, LLVMBuildOr(b, is_nan, is_over, ""), is_negative, "");
    code = pick(e, bad, emit_int(c->i32, c->all), code);
    return pick(e, is_zero, emit_int(c->i32, 0), code);
  }
  LLVMValueRef code = encode_magnitude(e, magnitude, c);
  uint32_t quiet = 1u << (c->info->mantissa_bits > 0 ? c->info->mantissa_bits - 1 : 0);
  uint32_t over = c->max_finite, nan = 0;
  if (kind == FLOAT_KIND_IEEE) over = c->max_finite + 1, nan = (c->max_finite + 1) | quiet;
  if (kind == FLOAT_KIND_FN) over = nan = c->all;
  LLVMValueRef is_over = LLVMBuildICmp(b, LLVMIntUGT, code, emit_int(c->i32, c->max_finite), "");
  code = pick(e, is_over, emit_int(c->i32, over), code);
  code = pick(e, is_nan, emit_int(c->i32, nan), code);
  LLVMValueRef sign = LLVMBuildAnd(b, bits, emit_int(c->i32, 0x80000000), "");
  sign = LLVMBuildLShr(b, sign, emit_int(c->i32, 32u - (unsigned)c->info->total_bits), "");
  LLVMValueRef result = LLVMBuildOr(b, code, sign, "");
  if (kind == FLOAT_KIND_FNUZ) {
    LLVMValueRef is_zero = LLVMBuildICmp(b, LLVMIntEQ, code, emit_int(c->i32, 0), "");
    result = pick(e, is_zero, emit_int(c->i32, 0), result);
    LLVMValueRef bad = LLVMBuildOr(b, is_nan, is_over, "");
    result = pick(e, bad, emit_int(c->i32, c->all + 1), result);
  }
  return result;
}

// bf16 is the upper half of f32; the result is f32 bits with a cleared lower half.
static LLVMValueRef round_bf16_bits(emit_t *e, LLVMValueRef value, const codec_t *c) {
  LLVMBuilderRef b = e->builder;
  LLVMValueRef bits = LLVMBuildBitCast(b, value, c->i32, "");
  LLVMValueRef lsb =
      LLVMBuildAnd(b, LLVMBuildLShr(b, bits, emit_int(c->i32, 16), ""), emit_int(c->i32, 1), "");
  LLVMValueRef rounded = LLVMBuildAdd(b, bits, emit_int(c->i32, 0x7FFF), "");
  rounded = LLVMBuildAdd(b, rounded, lsb, "");
  LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
  LLVMValueRef quiet = LLVMBuildOr(b, bits, emit_int(c->i32, 0x00400000), "");
  return LLVMBuildAnd(b, pick(e, is_nan, quiet, rounded), emit_int(c->i32, 0xFFFF0000), "");
}

static bool in_hardware(emit_t *e, ir_float_t format) {
  return format == IR_F16 && e->target->has_f16_convert;
}

LLVMValueRef emit_format_decode(emit_t *e, LLVMValueRef bits, ir_float_t format) {
  unsigned lanes = emit_llvm_lanes(LLVMTypeOf(bits));
  codec_t c = codec(e, format, lanes);
  if (in_hardware(e, format)) {
    LLVMTypeRef half = emit_shape_like(LLVMHalfTypeInContext(e->context), lanes);
    return LLVMBuildFPExt(e->builder, LLVMBuildBitCast(e->builder, bits, half, ""), c.f32, "");
  }
  if (format == IR_BF16) {
    LLVMValueRef wide = LLVMBuildZExt(e->builder, bits, c.i32, "");
    wide = LLVMBuildShl(e->builder, wide, emit_int(c.i32, 16), "");
    return LLVMBuildBitCast(e->builder, wide, c.f32, "");
  }
  return decode_generic(e, bits, &c);
}

LLVMValueRef emit_format_encode(emit_t *e, LLVMValueRef value, ir_float_t format) {
  unsigned lanes = emit_llvm_lanes(LLVMTypeOf(value));
  codec_t c = codec(e, format, lanes);
  unsigned width = (unsigned)(c.info->total_bits + 7) / 8 * 8;
  LLVMTypeRef storage = emit_shape_like(LLVMIntTypeInContext(e->context, width), lanes);
  if (in_hardware(e, format)) {
    LLVMTypeRef half = emit_shape_like(LLVMHalfTypeInContext(e->context), lanes);
    LLVMValueRef narrow = LLVMBuildFPTrunc(e->builder, value, half, "");
    return LLVMBuildBitCast(e->builder, narrow, storage, "");
  }
  if (format == IR_BF16) {
    LLVMValueRef bits = round_bf16_bits(e, value, &c);
    bits = LLVMBuildLShr(e->builder, bits, emit_int(c.i32, 16), "");
    return LLVMBuildTrunc(e->builder, bits, storage, "");
  }
  LLVMValueRef code = encode_generic(e, value, &c);
  return width < 32 ? LLVMBuildTrunc(e->builder, code, storage, "") : code;
}

LLVMValueRef emit_round_to_format(emit_t *e, LLVMValueRef value, ir_float_t format) {
  if (format == IR_BF16) {
    codec_t c = codec(e, format, emit_llvm_lanes(LLVMTypeOf(value)));
    return LLVMBuildBitCast(e->builder, round_bf16_bits(e, value, &c), c.f32, "");
  }
  return emit_format_decode(e, emit_format_encode(e, value, format), format);
}

LLVMValueRef emit_to_storage(emit_t *e, LLVMValueRef value, ir_type_t type) {
  ir_type_t element = ir_type_element(type);
  if (emit_is_narrow_float(element)) return emit_format_encode(e, value, ir_float_kind(element));
  LLVMTypeRef storage = emit_storage_type(e, type);
  if (LLVMTypeOf(value) == storage) return value;
  return LLVMBuildZExt(e->builder, value, storage, "");
}

LLVMValueRef emit_from_storage(emit_t *e, LLVMValueRef bits, ir_type_t type) {
  ir_type_t element = ir_type_element(type);
  if (emit_is_narrow_float(element)) return emit_format_decode(e, bits, ir_float_kind(element));
  LLVMTypeRef registers = emit_type(e, type);
  if (LLVMTypeOf(bits) == registers) return bits;
  return LLVMBuildTrunc(e->builder, bits, registers, "");
}

LLVMValueRef emit_finish_float(emit_t *e, LLVMValueRef value, ir_type_t type) {
  ir_type_t element = ir_type_element(type);
  if (!emit_is_narrow_float(element)) return value;
  return emit_round_to_format(e, value, ir_float_kind(element));
}
