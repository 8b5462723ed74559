// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Narrow floating-point formats as bit patterns: one table of formats, one encoder, one decoder.
//
// A format is a sign bit (or none), exponent bits and mantissa bits, plus what its topmost codes
// mean:
//   IEEE      all-ones exponent holds infinities and NaNs          (f16, bf16, f8E5M2, f8E4M3,
//   f8E3M4) FN        finite; only the all-ones magnitude is NaN           (f8E4M3FN) FNUZ finite,
//   no negative zero; 0x80 is the only NaN       (f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ) FINITE
//   neither infinities nor NaNs                          (f4E2M1FN, f6E2M3FN, f6E3M2FN) SCALE
//   unsigned powers of two, no zero; all ones is NaN     (f8E8M0FNU)
//
// Every value of every format here is a double, so decoding is exact and encoding from double
// rounds once (to nearest, ties to even) whether the source was f32 or f64.

#ifndef BASE_FLOAT_CONVERT_H_
#define BASE_FLOAT_CONVERT_H_

#include <stdint.h>

typedef enum float_kind_e {
  FLOAT_KIND_IEEE,
  FLOAT_KIND_FN,
  FLOAT_KIND_FNUZ,
  FLOAT_KIND_FINITE,
  FLOAT_KIND_SCALE,
} float_kind_t;

// FLOAT_FORMAT(SYMBOL, "MLIR spelling", total bits, mantissa bits, exponent bias, kind)
#define FLOAT_FORMATS(FLOAT_FORMAT)                            \
  FLOAT_FORMAT(F16, "f16", 16, 10, 15, IEEE)                   \
  FLOAT_FORMAT(BF16, "bf16", 16, 7, 127, IEEE)                 \
  FLOAT_FORMAT(TF32, "tf32", 19, 10, 127, IEEE)                \
  FLOAT_FORMAT(F8E5M2, "f8E5M2", 8, 2, 15, IEEE)               \
  FLOAT_FORMAT(F8E4M3, "f8E4M3", 8, 3, 7, IEEE)                \
  FLOAT_FORMAT(F8E3M4, "f8E3M4", 8, 4, 3, IEEE)                \
  FLOAT_FORMAT(F8E4M3FN, "f8E4M3FN", 8, 3, 7, FN)              \
  FLOAT_FORMAT(F8E5M2FNUZ, "f8E5M2FNUZ", 8, 2, 16, FNUZ)       \
  FLOAT_FORMAT(F8E4M3FNUZ, "f8E4M3FNUZ", 8, 3, 8, FNUZ)        \
  FLOAT_FORMAT(F8E4M3B11FNUZ, "f8E4M3B11FNUZ", 8, 3, 11, FNUZ) \
  FLOAT_FORMAT(F8E8M0FNU, "f8E8M0FNU", 8, 0, 127, SCALE)       \
  FLOAT_FORMAT(F6E2M3FN, "f6E2M3FN", 6, 3, 1, FINITE)          \
  FLOAT_FORMAT(F6E3M2FN, "f6E3M2FN", 6, 2, 3, FINITE)          \
  FLOAT_FORMAT(F4E2M1FN, "f4E2M1FN", 4, 1, 1, FINITE)

typedef enum float_format_e {
#define FLOAT_FORMAT(symbol, name, bits, mantissa, bias, kind) FLOAT_##symbol,
  FLOAT_FORMATS(FLOAT_FORMAT)
#undef FLOAT_FORMAT
      FLOAT_FORMAT_COUNT,
} float_format_t;

typedef struct float_format_info_t {
  const char *name;
  int total_bits;
  int mantissa_bits;
  int bias;
  float_kind_t kind;
} float_format_info_t;

// Returns the row of |format|; borrowed from static storage.
const float_format_info_t *float_format_info(float_format_t format);

// Returns the bits of |value| in |format|, in the low bits of the result, rounded to nearest even.
// What lies beyond the largest finite value becomes infinity (IEEE), NaN (FN, FNUZ, SCALE) or the
// largest finite value (FINITE). NaN encodes as the format's quiet NaN with sign and leading
// payload bits kept where there is room; FINITE formats encode it as zero of its sign. SCALE takes the smallest
// code for zero and NaN for negative values.
uint32_t float_bits_from_f64(float_format_t format, double value);

// Returns the exact value of the low bits of |bits| read as |format|; higher bits are ignored.
double float_bits_to_f64(float_format_t format, uint32_t bits);

// Single-precision forms of the above; |value| is widened first, so each still rounds once.
static inline uint32_t float_bits_from_f32(float_format_t format, float value) {
  return float_bits_from_f64(format, (double)value);
}
static inline float float_bits_to_f32(float_format_t format, uint32_t bits) {
  return (float)float_bits_to_f64(format, bits);
}

#endif  // BASE_FLOAT_CONVERT_H_
