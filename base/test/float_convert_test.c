// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exhaustive over every code of every format: values by the formats' definitions (ldexp), encoding
// of each value, of the midpoints between neighbours (ties to even) and of what lies just beside
// them.

#include "base/float_convert.h"

#include <math.h>
#include <stdlib.h>

#include "base/test.h"

// The value of |code| by definition, NaN and infinity included.
static double reference_value(const float_format_info_t *f, uint32_t code) {
  const int has_sign = f->kind != FLOAT_KIND_SCALE;
  const int exponent_bits = f->total_bits - f->mantissa_bits - has_sign;
  const int negative = has_sign ? (int)(code >> (f->total_bits - 1)) & 1 : 0;
  const int exponent = (int)(code >> f->mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = (int)code & ((1 << f->mantissa_bits) - 1);
  const int top = exponent == (1 << exponent_bits) - 1;
  const int all = top && mantissa == (1 << f->mantissa_bits) - 1;
  if (f->kind == FLOAT_KIND_IEEE && top) return mantissa ? NAN : negative ? -INFINITY : INFINITY;
  if ((f->kind == FLOAT_KIND_FN || f->kind == FLOAT_KIND_SCALE) && all) return NAN;
  if (f->kind == FLOAT_KIND_FNUZ && negative && !exponent && !mantissa) return NAN;
  const int implied = exponent || f->kind == FLOAT_KIND_SCALE;
  const double magnitude = ldexp(mantissa + (implied ? (double)(1 << f->mantissa_bits) : 0.0),
                                 (implied ? exponent : 1) - f->bias - f->mantissa_bits);
  return negative ? -magnitude : magnitude;
}

static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

static uint32_t code_count(const float_format_info_t *f) { return 1u << f->total_bits; }

TEST(decodes_every_code) {
  for (int format = 0; format < FLOAT_FORMAT_COUNT; ++format) {
    const float_format_info_t *f = float_format_info((float_format_t)format);
    int wrong = 0;
    for (uint32_t code = 0; code < code_count(f); ++code) {
      wrong += !same(float_bits_to_f64((float_format_t)format, code), reference_value(f, code));
    }
    if (!EXPECT_EQ(wrong, 0)) printf("  format %s\n", f->name);
  }
}

TEST(encodes_every_value) {
  for (int format = 0; format < FLOAT_FORMAT_COUNT; ++format) {
    const float_format_info_t *f = float_format_info((float_format_t)format);
    int wrong = 0;
    for (uint32_t code = 0; code < code_count(f); ++code) {
      const double value = reference_value(f, code);
      const uint32_t back = float_bits_from_f64((float_format_t)format, value);
      // NaN codes keep sign and payload only as far as doubles carry them here.
      wrong += isnan(value) ? !isnan(reference_value(f, back)) : back != code;
    }
    if (!EXPECT_EQ(wrong, 0)) printf("  format %s\n", f->name);
  }
}

// Between each pair of neighbouring positive finite values.
TEST(rounds_to_nearest_even) {
  for (int format = 0; format < FLOAT_FORMAT_COUNT; ++format) {
    const float_format_t id = (float_format_t)format;
    const float_format_info_t *f = float_format_info(id);
    const uint32_t sign = f->kind == FLOAT_KIND_SCALE ? 0 : code_count(f) / 2;
    const uint32_t count = sign ? sign : code_count(f);
    int wrong = 0;
    for (uint32_t code = 0; code + 1 < count; ++code) {
      const double low = reference_value(f, code), high = reference_value(f, code + 1);
      if (!isfinite(low) || !isfinite(high)) continue;
      const double middle = (low + high) / 2;
      const uint32_t even = f->kind == FLOAT_KIND_SCALE ? code + 1 : code + (code & 1);
      wrong += float_bits_from_f64(id, middle) != even;
      wrong += float_bits_from_f64(id, nextafter(middle, 0)) != code;
      wrong += float_bits_from_f64(id, nextafter(middle, high)) != code + 1;
      // FNUZ has no negative zero.
      if (sign && (even || f->kind != FLOAT_KIND_FNUZ)) {
        wrong += float_bits_from_f64(id, -middle) != (even | sign);
      }
    }
    if (!EXPECT_EQ(wrong, 0)) printf("  format %s\n", f->name);
  }
}

TEST(overflow_by_kind) {
  EXPECT_EQ(float_bits_from_f64(FLOAT_F16, 65519.0), 0x7BFF);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F16, 65520.0), 0x7C00);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F16, -1e300), 0xFC00);
  EXPECT_EQ(float_bits_from_f64(FLOAT_BF16, 3.4e38), 0x7F80);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F8E4M3FN, 464.0), 0x7E);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F8E4M3FN, 465.0), 0x7F);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F8E4M3FN, -INFINITY), 0xFF);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F8E5M2FNUZ, INFINITY), 0x80);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F4E2M1FN, -100.0), 0xF);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F8E8M0FNU, INFINITY), 0xFF);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F8E8M0FNU, 0.0), 0x00);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F8E8M0FNU, -1.0), 0xFF);
}

TEST(nan_keeps_sign_and_payload) {
  EXPECT_EQ(float_bits_from_f64(FLOAT_F16, NAN) & 0x7FFF, 0x7E00);
  EXPECT_EQ(float_bits_from_f64(FLOAT_BF16, -NAN) & 0x7FFF, 0x7FC0);
  EXPECT_EQ(float_bits_from_f64(FLOAT_BF16, float_bits_to_f64(FLOAT_BF16, 0xFFC5)), 0xFFC5);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F8E4M3FNUZ, NAN), 0x80);
}

// A double just above a tie of the narrow format, but on it after rounding to single precision.
TEST(rounds_once) {
  const double value = 1.0 + ldexp(1, -11) + ldexp(1, -40);
  EXPECT_EQ(float_bits_from_f64(FLOAT_F16, value), 0x3C01);
  EXPECT_EQ(float_bits_from_f32(FLOAT_F16, (float)value), 0x3C00);
}

TEST_MAIN(CASE(decodes_every_code) CASE(encodes_every_value) CASE(rounds_to_nearest_even)
              CASE(overflow_by_kind) CASE(nan_keeps_sign_and_payload) CASE(rounds_once))
