// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding to powers of two, checked size arithmetic, and unaligned little-endian access.
//
// Everything computed from a file or from a caller goes through the *_checked_* functions: they
// return false on overflow and leave the result unusable. The plain forms are for sizes we made.
#ifndef IREE_BASE_ALIGNMENT_H_
#define IREE_BASE_ALIGNMENT_H_

#include "iree/base/config.h"

#define IREE_ARRAYSIZE(arr) (sizeof(arr) / sizeof((arr)[0]))
#define iree_min(lhs, rhs) ((lhs) <= (rhs) ? (lhs) : (rhs))
#define iree_max(lhs, rhs) ((lhs) <= (rhs) ? (rhs) : (lhs))
#define iree_max_align_t sizeof(long double)
#define iree_sizeof_struct(t) iree_host_align(sizeof(t), iree_max_align_t)
#define iree_containerof(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#if defined(__GNUC__)
#define iree_alignas(x) __attribute__((__aligned__(x)))
#define iree_alignof(x) __alignof__(x)
#endif

// The same family for host and device sizes. |alignment| is a power of two.
#define IREE_IMPL_SIZE_FUNCTIONS_(T, prefix, align_name)                                     \
  static inline T align_name(T value, T alignment) {                                         \
    return (value + (alignment - 1)) & ~(alignment - 1);                                     \
  }                                                                                          \
  static inline bool prefix##_is_power_of_two(T value) {                                     \
    return value != 0 && (value & (value - 1)) == 0;                                         \
  }                                                                                          \
  static inline bool prefix##_is_valid_alignment(T alignment) {                              \
    return alignment == 0 || prefix##_is_power_of_two(alignment);                            \
  }                                                                                          \
  static inline bool prefix##_has_alignment(T value, T alignment) {                          \
    return alignment == 0 || (value & (alignment - 1)) == 0;                                 \
  }                                                                                          \
  static inline T prefix##_next_power_of_two(T value) {                                      \
    T result = 1;                                                                            \
    while (result < value) {                                                                 \
      if (result > (T) ~(T)0 / 2) return (T) ~(T)0;                                          \
      result = (T)(result << 1);                                                             \
    }                                                                                        \
    return result;                                                                           \
  }                                                                                          \
  static inline T prefix##_ceil_div(T lhs, T rhs) { return lhs / rhs + (lhs % rhs != 0); }   \
  static inline T prefix##_floor_div(T lhs, T rhs) { return lhs / rhs; }                     \
  static inline bool prefix##_checked_add(T a, T b, T *out) {                                \
    *out = (T)(a + b);                                                                       \
    return *out >= a;                                                                        \
  }                                                                                          \
  static inline bool prefix##_checked_mul(T a, T b, T *out) {                                \
    *out = (T)(a * b);                                                                       \
    return a == 0 || *out / a == b;                                                          \
  }                                                                                          \
  static inline bool prefix##_checked_mul_add(T base, T a, T b, T *out) {                    \
    T product = 0;                                                                           \
    *out = 0;                                                                                \
    return prefix##_checked_mul(a, b, &product) && prefix##_checked_add(base, product, out); \
  }                                                                                          \
  static inline bool prefix##_checked_align(T value, T alignment, T *out) {                  \
    if (!prefix##_checked_add(value, (T)(alignment - 1), out)) return false;                 \
    *out &= ~(T)(alignment - 1);                                                             \
    return true;                                                                             \
  }
IREE_IMPL_SIZE_FUNCTIONS_(iree_host_size_t, iree_host_size, iree_host_align)
IREE_IMPL_SIZE_FUNCTIONS_(iree_device_size_t, iree_device_size, iree_device_align)
#undef IREE_IMPL_SIZE_FUNCTIONS_

// Greatest common divisor and least common multiple.
static inline iree_device_size_t iree_device_size_gcd(iree_device_size_t a, iree_device_size_t b) {
  while (b) {
    iree_device_size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
static inline iree_device_size_t iree_device_size_lcm(iree_device_size_t a, iree_device_size_t b) {
  return a && b ? a / iree_device_size_gcd(a, b) * b : 0;
}
static inline bool iree_host_ptr_has_alignment(const void *ptr, iree_host_size_t alignment) {
  return iree_host_size_has_alignment((iree_host_size_t)(uintptr_t)ptr, alignment);
}
static inline bool iree_is_power_of_two_uint64(uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}
static inline uint64_t iree_align_uint64(uint64_t value, uint64_t alignment) {
  return (value + (alignment - 1)) & ~(alignment - 1);
}

// Whether [offset, offset + length) lies inside [0, size); never overflows.
static inline bool iree_range_is_within(uint64_t offset, uint64_t length, uint64_t size) {
  return offset <= size && length <= size - offset;
}

// Little-endian loads and stores at any address; the compiler makes them one instruction.
#define IREE_IMPL_UNALIGNED_(suffix, T)                                     \
  static inline T iree_unaligned_load_le_##suffix(const void *ptr) {        \
    T value;                                                                \
    memcpy(&value, ptr, sizeof(value));                                     \
    return value;                                                           \
  }                                                                         \
  static inline void iree_unaligned_store_le_##suffix(void *ptr, T value) { \
    memcpy(ptr, &value, sizeof(value));                                     \
  }
IREE_IMPL_UNALIGNED_(u8, uint8_t)
IREE_IMPL_UNALIGNED_(u16, uint16_t)
IREE_IMPL_UNALIGNED_(u32, uint32_t)
IREE_IMPL_UNALIGNED_(u64, uint64_t)
IREE_IMPL_UNALIGNED_(f32, float)
IREE_IMPL_UNALIGNED_(f64, double)
#undef IREE_IMPL_UNALIGNED_
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "big-endian hosts are not supported: module files are little-endian and used in place"
#endif

#endif  // IREE_BASE_ALIGNMENT_H_
