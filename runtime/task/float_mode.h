// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels run in IEEE's default float mode, on every thread and whatever the host program set:
// to nearest even, denormal numbers kept, no traps. A mode that is already right is not written,
// since the write costs more than the rest of a small dispatch's set-up.
#ifndef RUNTIME_TASK_FLOAT_MODE_H_
#define RUNTIME_TASK_FLOAT_MODE_H_

#include <stdint.h>

#if defined(__x86_64__) || (defined(__i386__) && defined(__SSE__))
#include <xmmintrin.h>
// Bits 0-5 are sticky exceptions; the rest is the mode: all exceptions masked (bits 7-12).
static inline uint64_t float_mode_enter(void) {
  uint32_t previous = _mm_getcsr();
  if ((previous & 0xFFC0u) != 0x1F80u) _mm_setcsr(0x1F80u);
  return previous;
}
static inline void float_mode_leave(uint64_t previous) {
  if ((previous & 0xFFC0u) != 0x1F80u) _mm_setcsr((uint32_t)previous);
}
#elif defined(__aarch64__)
// All of FPCR's bits are 0 in the default mode.
static inline uint64_t float_mode_enter(void) {
  uint64_t previous;
  __asm__ __volatile__("mrs %0, fpcr" : "=r"(previous));
  if (previous) __asm__ __volatile__("msr fpcr, %0" ::"r"((uint64_t)0));
  return previous;
}
static inline void float_mode_leave(uint64_t previous) {
  if (previous) __asm__ __volatile__("msr fpcr, %0" ::"r"(previous));
}
#else
static inline uint64_t float_mode_enter(void) { return 0; }
static inline void float_mode_leave(uint64_t previous) { (void)previous; }
#endif

#endif  // RUNTIME_TASK_FLOAT_MODE_H_
