// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encoder and decoder of the narrow float formats (float_convert.h), in integer arithmetic only, so
// that the result does not depend on the host's rounding mode, flush-to-zero setting or
// half-precision instructions.
//
// With E the exponent of a value, the integer q = round(|v| / ulp(max(E, Emin))) plus (max(E, Emin)
// - Emin)
// << mantissa is the magnitude code: the implied one of normals and a carry out of rounding land in
// the exponent field by themselves, and subnormals are the case E < Emin.

#include "base/float_convert.h"

#include <string.h>

static const float_format_info_t k_formats[FLOAT_FORMAT_COUNT] = {
#define FLOAT_FORMAT(symbol, name, bits, mantissa, bias, kind) \
  {name, bits, mantissa, bias, FLOAT_KIND_##kind},
    FLOAT_FORMATS(FLOAT_FORMAT)
#undef FLOAT_FORMAT
};

const float_format_info_t *float_format_info(float_format_t format) { return &k_formats[format]; }

enum { F64_MANTISSA = 52, F64_BIAS = 1023, F64_EXPONENT_ALL = 0x7FF };

static uint32_t magnitude_mask(const float_format_info_t *f) {
  const int sign_bits = f->kind == FLOAT_KIND_SCALE ? 0 : 1;
  return (uint32_t)((UINT64_C(1) << (f->total_bits - sign_bits)) - 1);
}

static uint32_t mantissa_mask(const float_format_info_t *f) { return (1u << f->mantissa_bits) - 1; }

// The code of the largest finite magnitude.
static uint32_t max_finite(const float_format_info_t *f) {
  const uint32_t all = magnitude_mask(f);
  switch (f->kind) {
    case FLOAT_KIND_IEEE:
      return all - mantissa_mask(f) - 1;
    case FLOAT_KIND_FN:
    case FLOAT_KIND_SCALE:
      return all - 1;
    case FLOAT_KIND_FNUZ:
    case FLOAT_KIND_FINITE:
      return all;
  }
  return all;
}

// The code that |magnitude| takes under |negative|; FNUZ has no negative zero.
static uint32_t with_sign(const float_format_info_t *f, uint32_t magnitude, int negative) {
  if (!negative || (f->kind == FLOAT_KIND_FNUZ && magnitude == 0)) return magnitude;
  return magnitude | (magnitude_mask(f) + 1);
}

static uint32_t encode_nan(const float_format_info_t *f, uint64_t payload, int negative) {
  const uint32_t all = magnitude_mask(f);
  switch (f->kind) {
    case FLOAT_KIND_IEEE: {
      const uint32_t quiet = 1u << (f->mantissa_bits - 1);
      const uint32_t kept = (uint32_t)(payload >> (F64_MANTISSA - f->mantissa_bits));
      return with_sign(f, (all - mantissa_mask(f)) | quiet | kept, negative);
    }
    case FLOAT_KIND_FN:
      return with_sign(f, all, negative);
    case FLOAT_KIND_SCALE:
      return all;
    case FLOAT_KIND_FNUZ:
      return all + 1;
    case FLOAT_KIND_FINITE:
      return with_sign(f, 0, negative);
  }
  return 0;
}

static uint32_t encode_overflow(const float_format_info_t *f, int negative) {
  switch (f->kind) {
    case FLOAT_KIND_IEEE:
      return with_sign(f, max_finite(f) + 1, negative);
    case FLOAT_KIND_FINITE:
      return with_sign(f, max_finite(f), negative);
    case FLOAT_KIND_FN:
    case FLOAT_KIND_FNUZ:
    case FLOAT_KIND_SCALE:
      return encode_nan(f, 0, negative);
  }
  return 0;
}

// |value| / 2^|shift|, to nearest, ties to even.
static uint64_t shift_right_rne(uint64_t value, int shift) {
  if (shift <= 0) return value << -shift;
  if (shift > 63) return 0;
  const uint64_t dropped = value & ((UINT64_C(1) << shift) - 1);
  const uint64_t half = UINT64_C(1) << (shift - 1);
  const uint64_t kept = value >> shift;
  return kept + (dropped > half || (dropped == half && (kept & 1)));
}

uint32_t float_bits_from_f64(float_format_t format, double value) {
  const float_format_info_t *f = &k_formats[format];
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  const int negative = (int)(bits >> 63);
  const int field = (int)(bits >> F64_MANTISSA) & F64_EXPONENT_ALL;
  const uint64_t fraction = bits & ((UINT64_C(1) << F64_MANTISSA) - 1);
  if (field == F64_EXPONENT_ALL) {
    return fraction ? encode_nan(f, fraction, negative) : encode_overflow(f, negative);
  }
  // Doubles below 2^-1022 are far below half the smallest value of every format: all round to zero,
  // so the missing implied one of a subnormal source does not matter.
  const uint64_t significand = fraction | (field ? UINT64_C(1) << F64_MANTISSA : 0);
  const int exponent = field - F64_BIAS;
  uint64_t code;
  if (f->kind == FLOAT_KIND_SCALE) {
    // Code 0 is 2^-bias: no zero and no subnormals. Ties go to the larger power of two.
    if (significand == 0) return 0;
    if (negative) return encode_nan(f, 0, negative);
    code =
        exponent < -f->bias ? 0 : (uint64_t)(exponent + f->bias) + (fraction >> (F64_MANTISSA - 1));
  } else {
    const int min_exponent = 1 - f->bias;
    const int target = exponent > min_exponent ? exponent : min_exponent;
    code = shift_right_rne(significand, F64_MANTISSA - f->mantissa_bits + (target - exponent)) +
           ((uint64_t)(target - min_exponent) << f->mantissa_bits);
  }
  if (code > max_finite(f)) return encode_overflow(f, negative);
  return with_sign(f, (uint32_t)code, negative);
}

static double f64_from_parts(int negative, uint64_t field, uint64_t fraction) {
  const uint64_t bits = ((uint64_t)negative << 63) | (field << F64_MANTISSA) | fraction;
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

double float_bits_to_f64(float_format_t format, uint32_t bits) {
  const float_format_info_t *f = &k_formats[format];
  const uint32_t mask = magnitude_mask(f);
  const uint32_t magnitude = bits & mask;
  const int negative = f->kind != FLOAT_KIND_SCALE && (bits & (mask + 1)) != 0;
  uint64_t fraction = (uint64_t)(magnitude & mantissa_mask(f)) << (F64_MANTISSA - f->mantissa_bits);
  if (f->kind == FLOAT_KIND_FNUZ && negative && magnitude == 0) {
    return f64_from_parts(0, F64_EXPONENT_ALL, UINT64_C(1) << (F64_MANTISSA - 1));
  }
  if (magnitude > max_finite(f)) {
    const int is_infinity = f->kind == FLOAT_KIND_IEEE && fraction == 0;
    if (f->kind != FLOAT_KIND_IEEE) fraction = UINT64_C(1) << (F64_MANTISSA - 1);
    return f64_from_parts(negative, F64_EXPONENT_ALL, is_infinity ? 0 : fraction);
  }
  int field = (int)(magnitude >> f->mantissa_bits);
  if (field == 0 && f->kind != FLOAT_KIND_SCALE) {
    if (fraction == 0) return f64_from_parts(negative, 0, 0);
    // Subnormal: shift the leading one up to where it is implied.
    field = 1;
    while (!(fraction >> F64_MANTISSA)) {
      fraction <<= 1;
      --field;
    }
    fraction &= (UINT64_C(1) << F64_MANTISSA) - 1;
  }
  return f64_from_parts(negative, (uint64_t)(field - f->bias + F64_BIAS), fraction);
}
