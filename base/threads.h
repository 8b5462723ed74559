// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutexes, condition variables and threads: thin names over POSIX threads, so that a port to another
// system changes this header alone.
#ifndef BASE_THREADS_H_
#define BASE_THREADS_H_

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "iree/base/api.h"

typedef struct mutex_t {
  pthread_mutex_t impl;
} mutex_t;

static inline void mutex_init(mutex_t *mutex) { pthread_mutex_init(&mutex->impl, NULL); }
static inline void mutex_deinit(mutex_t *mutex) { pthread_mutex_destroy(&mutex->impl); }
static inline void mutex_lock(mutex_t *mutex) { pthread_mutex_lock(&mutex->impl); }
static inline void mutex_unlock(mutex_t *mutex) { pthread_mutex_unlock(&mutex->impl); }

typedef struct condition_t {
  pthread_cond_t impl;
} condition_t;

static inline void condition_init(condition_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&condition->impl, &attributes);
  pthread_condattr_destroy(&attributes);
}
static inline void condition_deinit(condition_t *condition) {
  pthread_cond_destroy(&condition->impl);
}
static inline void condition_signal(condition_t *condition) {
  pthread_cond_signal(&condition->impl);
}
static inline void condition_broadcast(condition_t *condition) {
  pthread_cond_broadcast(&condition->impl);
}

// Waits with the mutex held, as iree_time_now counts; false when the deadline passed.
static inline bool condition_wait_until(condition_t *condition, mutex_t *mutex,
                                        iree_time_t deadline_ns) {
  if (deadline_ns == IREE_TIME_INFINITE_FUTURE) {
    pthread_cond_wait(&condition->impl, &mutex->impl);
    return true;
  }
  if (deadline_ns < 0) deadline_ns = 0;
  struct timespec until = {(time_t)(deadline_ns / 1000000000), (long)(deadline_ns % 1000000000)};
  return pthread_cond_timedwait(&condition->impl, &mutex->impl, &until) != ETIMEDOUT;
}

#endif  // BASE_THREADS_H_
