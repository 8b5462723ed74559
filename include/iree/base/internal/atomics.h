// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics: thin names over what compilers have, and the reference count that shared objects embed.
// A count starts at 1; retain needs no order, release publishes, the last release acquires.
#ifndef IREE_BASE_INTERNAL_ATOMICS_H_
#define IREE_BASE_INTERNAL_ATOMICS_H_

#include "iree/base/config.h"

// C and C++ share these: plain integers, touched by the compiler's atomic builtins only.
typedef int32_t iree_atomic_int32_t;
typedef uint32_t iree_atomic_uint32_t;
typedef int64_t iree_atomic_int64_t;
typedef uint64_t iree_atomic_uint64_t;
typedef intptr_t iree_atomic_intptr_t;
typedef int iree_memory_order_t;
#define iree_memory_order_relaxed __ATOMIC_RELAXED
#define iree_memory_order_consume __ATOMIC_CONSUME
#define iree_memory_order_acquire __ATOMIC_ACQUIRE
#define iree_memory_order_release __ATOMIC_RELEASE
#define iree_memory_order_acq_rel __ATOMIC_ACQ_REL
#define iree_memory_order_seq_cst __ATOMIC_SEQ_CST
#define iree_atomic_load(object, order) __atomic_load_n(object, order)
#define iree_atomic_store(object, desired, order) __atomic_store_n(object, desired, order)
#define iree_atomic_fetch_add(object, operand, order) __atomic_fetch_add(object, operand, order)
#define iree_atomic_fetch_sub(object, operand, order) __atomic_fetch_sub(object, operand, order)
#define iree_atomic_fetch_and(object, operand, order) __atomic_fetch_and(object, operand, order)
#define iree_atomic_fetch_or(object, operand, order) __atomic_fetch_or(object, operand, order)
#define iree_atomic_fetch_xor(object, operand, order) __atomic_fetch_xor(object, operand, order)
#define iree_atomic_exchange(object, desired, order) __atomic_exchange_n(object, desired, order)
#define iree_atomic_compare_exchange_strong(object, expected, desired, succ, fail) \
  __atomic_compare_exchange_n(object, expected, desired, false, succ, fail)
#define iree_atomic_compare_exchange_weak(object, expected, desired, succ, fail) \
  __atomic_compare_exchange_n(object, expected, desired, true, succ, fail)
#define iree_atomic_thread_fence(order) __atomic_thread_fence(order)

#ifdef __cplusplus
extern "C" {
#endif

typedef iree_atomic_int32_t iree_atomic_ref_count_t;
#define IREE_ATOMIC_VAR_INIT(x) (x)
#define IREE_ATOMIC_REF_COUNT_INIT(x) (x)

static inline void iree_atomic_ref_count_init_value(iree_atomic_ref_count_t *count,
                                                    int32_t value) {
  iree_atomic_store(count, value, iree_memory_order_relaxed);
}
static inline void iree_atomic_ref_count_init(iree_atomic_ref_count_t *count) {
  iree_atomic_ref_count_init_value(count, 1);
}
// Returns the count before.
static inline int32_t iree_atomic_ref_count_inc(iree_atomic_ref_count_t *count) {
  return iree_atomic_fetch_add(count, 1, iree_memory_order_relaxed);
}
// Returns the count before: 1 means the caller was the last and destroys.
static inline int32_t iree_atomic_ref_count_dec(iree_atomic_ref_count_t *count) {
  return iree_atomic_fetch_sub(count, 1, iree_memory_order_acq_rel);
}
static inline int32_t iree_atomic_ref_count_load(iree_atomic_ref_count_t *count) {
  return iree_atomic_load(count, iree_memory_order_acquire);
}
static inline bool iree_atomic_ref_count_uniquely_owned(iree_atomic_ref_count_t *count) {
  return iree_atomic_ref_count_load(count) == 1;
}

#ifdef __cplusplus
}
#endif

#endif  // IREE_BASE_INTERNAL_ATOMICS_H_
