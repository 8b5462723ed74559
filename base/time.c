// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The monotonic clock and saturating conversions between deadlines and durations.
#include "iree/base/time.h"

#include <errno.h>
#include <time.h>

iree_time_t iree_time_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (iree_time_t)now.tv_sec * 1000000000ll + now.tv_nsec;
}

iree_time_t iree_relative_timeout_to_deadline_ns(iree_duration_t timeout_ns) {
  if (timeout_ns == IREE_DURATION_ZERO) return IREE_TIME_INFINITE_PAST;
  iree_time_t now = iree_time_now();
  if (timeout_ns == IREE_DURATION_INFINITE || timeout_ns > INT64_MAX - now) {
    return IREE_TIME_INFINITE_FUTURE;
  }
  return now + timeout_ns;
}

iree_duration_t iree_absolute_deadline_to_timeout_ns(iree_time_t deadline_ns) {
  if (deadline_ns == IREE_TIME_INFINITE_PAST) return IREE_DURATION_ZERO;
  if (deadline_ns == IREE_TIME_INFINITE_FUTURE) return IREE_DURATION_INFINITE;
  iree_time_t now = iree_time_now();
  return deadline_ns <= now ? IREE_DURATION_ZERO : deadline_ns - now;
}

// Rounds up, so that waiting that long never ends before the deadline.
uint32_t iree_absolute_deadline_to_timeout_ms(iree_time_t deadline_ns) {
  iree_duration_t timeout_ns = iree_absolute_deadline_to_timeout_ns(deadline_ns);
  if (timeout_ns == IREE_DURATION_INFINITE) return UINT32_MAX;
  int64_t timeout_ms = timeout_ns / 1000000 + (timeout_ns % 1000000 != 0);
  return timeout_ms >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)timeout_ms;
}

bool iree_wait_until(iree_time_t deadline_ns) {
  if (deadline_ns <= 0) return true;
  struct timespec until = {(time_t)(deadline_ns / 1000000000ll),
                           (long)(deadline_ns % 1000000000ll)};
  return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0;
}
