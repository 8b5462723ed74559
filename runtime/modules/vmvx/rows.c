// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner loops, one per function. The common strides get loops of their own, which compilers
// turn into vector code.
#include <math.h>

#include "runtime/modules/vmvx/exports.h"

//===-- two operands --------------------------------------------------------------------------===//

#define LOOP(T, l, r, o, expr)              \
  for (size_t i = 0; i < count; ++i) {      \
    const T a = x[i * (l)], b = y[i * (r)]; \
    z[i * (o)] = (T)(expr);                 \
  }

#define BINARY(name, T, expr)                                    \
  VMVX_BINARY_ROW(name) {                                        \
    const T *x = lhs, *y = rhs;                                  \
    T *z = out;                                                  \
    if (lhs_stride == 1 && rhs_stride == 1 && out_stride == 1) { \
      LOOP(T, 1, 1, 1, expr)                                     \
    } else {                                                     \
      LOOP(T, lhs_stride, rhs_stride, out_stride, expr)          \
    }                                                            \
    return true;                                                 \
  }

BINARY(add_f32, float, a + b)
BINARY(sub_f32, float, a - b)
BINARY(mul_f32, float, a *b)
BINARY(div_f32, float, a / b)
BINARY(add_i32, uint32_t, a + b)
BINARY(sub_i32, uint32_t, a - b)
BINARY(mul_i32, uint32_t, a *b)
BINARY(and_i32, uint32_t, a &b)
BINARY(or_i32, uint32_t, a | b)
BINARY(xor_i32, uint32_t, a ^ b)
// Shifts by the width or more are undefined where they come from; the low bits count here.
BINARY(shl_i32, uint32_t, a << (b & 31))
BINARY(shru_i32, uint32_t, a >> (b & 31))
BINARY(shrs_i32, int32_t, a >> (b & 31))

#define DIVIDE(name, T, expr)                               \
  VMVX_BINARY_ROW(name) {                                   \
    const T *x = lhs, *y = rhs;                             \
    T *z = out;                                             \
    for (size_t i = 0; i < count; ++i) {                    \
      const T a = x[i * lhs_stride], b = y[i * rhs_stride]; \
      if (b == 0) return false;                             \
      z[i * out_stride] = (T)(expr);                        \
    }                                                       \
    return true;                                            \
  }
DIVIDE(divs_i32, int32_t, b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b)
DIVIDE(divu_i32, uint32_t, a / b)

//===-- one operand ---------------------------------------------------------------------------===//

static uint32_t leading_zeros(uint32_t value) {
  uint32_t count = 32;
  for (; value; value >>= 1) --count;
  return count;
}

#define UNARY(name, T, expr)             \
  VMVX_UNARY_ROW(name) {                 \
    const T *x = in;                     \
    T *z = out;                          \
    for (size_t i = 0; i < count; ++i) { \
      const T a = x[i * in_stride];      \
      z[i * out_stride] = (T)(expr);     \
    }                                    \
  }

UNARY(abs_f32, float, fabsf(a))
UNARY(ceil_f32, float, ceilf(a))
UNARY(floor_f32, float, floorf(a))
UNARY(neg_f32, float, -a)
UNARY(exp_f32, float, expf(a))
UNARY(log_f32, float, logf(a))
UNARY(rsqrt_f32, float, 1.0f / sqrtf(a))
UNARY(ctlz_i32, uint32_t, leading_zeros(a))

#define COPY(name, T)                        \
  VMVX_UNARY_ROW(name) {                     \
    const T *x = in;                         \
    T *z = out;                              \
    if (in_stride == 1 && out_stride == 1) { \
      memmove(z, x, count * sizeof(T));      \
      return;                                \
    }                                        \
    for (size_t i = 0; i < count; ++i) {     \
      z[i * out_stride] = x[i * in_stride];  \
    }                                        \
  }
COPY(copy_x8, uint8_t)
COPY(copy_x16, uint16_t)
COPY(copy_x32, uint32_t)
COPY(copy_x64, uint64_t)
