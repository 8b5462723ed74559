// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Points in time (ns of the monotonic clock), durations (ns) and timeouts (either of the two).
#ifndef IREE_BASE_TIME_H_
#define IREE_BASE_TIME_H_

#include "iree/base/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int64_t iree_time_t;
#define IREE_TIME_INFINITE_PAST INT64_MIN
#define IREE_TIME_INFINITE_FUTURE INT64_MAX
typedef int64_t iree_duration_t;
#define IREE_DURATION_ZERO 0
#define IREE_DURATION_INFINITE INT64_MAX

// The clock now.
//   errors: none
IREE_API_EXPORT iree_time_t iree_time_now(void);
// Conversions that keep "never" and "at once" what they are.
//   errors: none
IREE_API_EXPORT iree_time_t iree_relative_timeout_to_deadline_ns(iree_duration_t timeout_ns);
IREE_API_EXPORT iree_duration_t iree_absolute_deadline_to_timeout_ns(iree_time_t deadline_ns);
IREE_API_EXPORT uint32_t iree_absolute_deadline_to_timeout_ms(iree_time_t deadline_ns);
// Sleeps until the deadline; false when the sleep was cut short.
//   errors: none
IREE_API_EXPORT bool iree_wait_until(iree_time_t deadline_ns);

static inline iree_duration_t iree_make_duration_ms(int64_t timeout_ms) {
  return timeout_ms * 1000000ll;
}

typedef enum iree_timeout_type_e {
  IREE_TIMEOUT_ABSOLUTE = 0,
  IREE_TIMEOUT_RELATIVE = 1,
} iree_timeout_type_t;

typedef struct iree_timeout_t {
  iree_timeout_type_t type;
  iree_time_t nanos;  // a deadline, or a duration
} iree_timeout_t;

static inline iree_timeout_t iree_make_deadline(iree_time_t deadline_ns) {
  iree_timeout_t timeout = {IREE_TIMEOUT_ABSOLUTE, deadline_ns};
  return timeout;
}
static inline iree_timeout_t iree_make_timeout_ns(iree_duration_t timeout_ns) {
  iree_timeout_t timeout = {IREE_TIMEOUT_RELATIVE, timeout_ns};
  return timeout;
}
static inline iree_timeout_t iree_make_timeout_ms(iree_duration_t timeout_ms) {
  return iree_make_timeout_ns(timeout_ms >= IREE_DURATION_INFINITE / 1000000
                                  ? IREE_DURATION_INFINITE
                                  : timeout_ms * 1000000);
}
static inline iree_timeout_t iree_immediate_timeout(void) {
  return iree_make_deadline(IREE_TIME_INFINITE_PAST);
}
static inline iree_timeout_t iree_infinite_timeout(void) {
  return iree_make_deadline(IREE_TIME_INFINITE_FUTURE);
}
static inline bool iree_timeout_is_immediate(iree_timeout_t timeout) {
  return timeout.type == IREE_TIMEOUT_ABSOLUTE ? timeout.nanos == IREE_TIME_INFINITE_PAST
                                               : timeout.nanos == IREE_DURATION_ZERO;
}
static inline bool iree_timeout_is_infinite(iree_timeout_t timeout) {
  return timeout.type == IREE_TIMEOUT_ABSOLUTE ? timeout.nanos == IREE_TIME_INFINITE_FUTURE
                                               : timeout.nanos == IREE_DURATION_INFINITE;
}
static inline iree_time_t iree_timeout_as_deadline_ns(iree_timeout_t timeout) {
  return timeout.type == IREE_TIMEOUT_ABSOLUTE
             ? timeout.nanos
             : iree_relative_timeout_to_deadline_ns(timeout.nanos);
}
static inline iree_duration_t iree_timeout_as_duration_ns(iree_timeout_t timeout) {
  return timeout.type == IREE_TIMEOUT_ABSOLUTE ? iree_absolute_deadline_to_timeout_ns(timeout.nanos)
                                               : timeout.nanos;
}
static inline void iree_convert_timeout_to_absolute(iree_timeout_t *timeout) {
  *timeout = iree_make_deadline(iree_timeout_as_deadline_ns(*timeout));
}
static inline iree_timeout_t iree_timeout_min(iree_timeout_t lhs, iree_timeout_t rhs) {
  iree_time_t l = iree_timeout_as_deadline_ns(lhs), r = iree_timeout_as_deadline_ns(rhs);
  return iree_make_deadline(l < r ? l : r);
}

#ifdef __cplusplus
}
#endif
#endif  // IREE_BASE_TIME_H_
