// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics: thin names over C11, and the reference count that shared objects embed.
// A count starts at 1; retain needs no order, release publishes, the last release acquires.
#ifndef IREE_BASE_INTERNAL_ATOMICS_H_
#define IREE_BASE_INTERNAL_ATOMICS_H_

#include "iree/base/config.h"

#ifdef __cplusplus
// C++ sees the layout only; all operations are behind C functions.
typedef struct iree_atomic_ref_count_t {
  volatile int32_t value;
} iree_atomic_ref_count_t;
#else
#include <stdatomic.h>

typedef _Atomic int32_t iree_atomic_int32_t;
typedef _Atomic uint32_t iree_atomic_uint32_t;
typedef _Atomic int64_t iree_atomic_int64_t;
typedef _Atomic uint64_t iree_atomic_uint64_t;
typedef _Atomic intptr_t iree_atomic_intptr_t;
typedef memory_order iree_memory_order_t;
#define iree_memory_order_relaxed memory_order_relaxed
#define iree_memory_order_consume memory_order_consume
#define iree_memory_order_acquire memory_order_acquire
#define iree_memory_order_release memory_order_release
#define iree_memory_order_acq_rel memory_order_acq_rel
#define iree_memory_order_seq_cst memory_order_seq_cst
#define iree_atomic_load(object, order) atomic_load_explicit(object, order)
#define iree_atomic_store(object, desired, order) atomic_store_explicit(object, desired, order)
#define iree_atomic_fetch_add(object, operand, order) \
  atomic_fetch_add_explicit(object, operand, order)
#define iree_atomic_fetch_sub(object, operand, order) \
  atomic_fetch_sub_explicit(object, operand, order)
#define iree_atomic_fetch_and(object, operand, order) \
  atomic_fetch_and_explicit(object, operand, order)
#define iree_atomic_fetch_or(object, operand, order) atomic_fetch_or_explicit(object, operand, order)
#define iree_atomic_exchange(object, desired, order) atomic_exchange_explicit(object, desired, order)
#define iree_atomic_compare_exchange_strong(object, expected, desired, succ, fail) \
  atomic_compare_exchange_strong_explicit(object, expected, desired, succ, fail)
#define iree_atomic_compare_exchange_weak(object, expected, desired, succ, fail) \
  atomic_compare_exchange_weak_explicit(object, expected, desired, succ, fail)

typedef struct iree_atomic_ref_count_t {
  iree_atomic_int32_t value;
} iree_atomic_ref_count_t;
#define IREE_ATOMIC_VAR_INIT(x) (x)
#define IREE_ATOMIC_REF_COUNT_INIT(x) {x}

static inline void iree_atomic_ref_count_init_value(iree_atomic_ref_count_t *count,
                                                    int32_t value) {
  atomic_init(&count->value, value);
}
static inline void iree_atomic_ref_count_init(iree_atomic_ref_count_t *count) {
  iree_atomic_ref_count_init_value(count, 1);
}
// Returns the count before.
static inline int32_t iree_atomic_ref_count_inc(iree_atomic_ref_count_t *count) {
  return atomic_fetch_add_explicit(&count->value, 1, memory_order_relaxed);
}
// Returns the count before: 1 means the caller was the last and destroys.
static inline int32_t iree_atomic_ref_count_dec(iree_atomic_ref_count_t *count) {
  return atomic_fetch_sub_explicit(&count->value, 1, memory_order_acq_rel);
}
static inline int32_t iree_atomic_ref_count_load(iree_atomic_ref_count_t *count) {
  return atomic_load_explicit(&count->value, memory_order_acquire);
}
static inline bool iree_atomic_ref_count_uniquely_owned(iree_atomic_ref_count_t *count) {
  return iree_atomic_ref_count_load(count) == 1;
}
#endif  // __cplusplus

#endif  // IREE_BASE_INTERNAL_ATOMICS_H_
