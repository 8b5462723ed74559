// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutexes, condition variables and threads: thin names over POSIX threads, so that a port to
// another system changes this header alone.
#ifndef BASE_THREADS_H_
#define BASE_THREADS_H_

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "iree/base/api.h"
#include "iree/base/internal/atomics.h"

// Tells the processor that this thread polls.
static inline void cpu_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

// A lock for a few instructions that touch memory and never wait; all zero is unlocked. Half the
// cost of a mutex when free; a thread that finds it taken for long lets others run.
typedef struct spinlock_t {
  iree_atomic_int32_t is_taken;
} spinlock_t;

static inline void spinlock_lock(spinlock_t *lock) {
  while (iree_atomic_exchange(&lock->is_taken, 1, iree_memory_order_acquire)) {
    for (int i = 0; iree_atomic_load(&lock->is_taken, iree_memory_order_relaxed); ++i) {
      if (i < 64) {
        cpu_relax();
      } else {
        sched_yield();
      }
    }
  }
}
static inline void spinlock_unlock(spinlock_t *lock) {
  iree_atomic_store(&lock->is_taken, 0, iree_memory_order_release);
}

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
