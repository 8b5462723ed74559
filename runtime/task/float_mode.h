// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels run with denormal numbers flushed to zero, on every thread and whatever the host program
// set.
#ifndef RUNTIME_TASK_FLOAT_MODE_H_
#define RUNTIME_TASK_FLOAT_MODE_H_

#include <stdint.h>

#if defined(__x86_64__) || (defined(__i386__) && defined(__SSE__))
#include <xmmintrin.h>
// Flush results (bit 15), read denormals as zero (bit 6).
static inline uint64_t float_mode_enter(void) {
  uint32_t previous = _mm_getcsr();
  _mm_setcsr(previous | 0x8040u);
  return previous;
}
static inline void float_mode_leave(uint64_t previous) { _mm_setcsr((uint32_t)previous); }
#elif defined(__aarch64__)
// FPCR.FZ (bit 24) does both.
static inline uint64_t float_mode_enter(void) {
  uint64_t previous;
  __asm__ __volatile__("mrs %0, fpcr" : "=r"(previous));
  __asm__ __volatile__("msr fpcr, %0" ::"r"(previous | (1ull << 24)));
  return previous;
}
static inline void float_mode_leave(uint64_t previous) {
  __asm__ __volatile__("msr fpcr, %0" ::"r"(previous));
}
#else
static inline uint64_t float_mode_enter(void) { return 0; }
static inline void float_mode_leave(uint64_t previous) { (void)previous; }
#endif

#endif  // RUNTIME_TASK_FLOAT_MODE_H_
