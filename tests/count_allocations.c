// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loaded before the C library (LD_PRELOAD), counts allocations of a process and prints `allocations N` to stderr when it
// ends. glibc only: the real functions are reached by their internal names.
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long count;

static void add_one(void) { __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
  add_one();
  return __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
  add_one();
  return __libc_calloc(n, size);
}

void *realloc(void *block, size_t size) {
  add_one();
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  add_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **out_block, size_t alignment, size_t size) {
  add_one();
  *out_block = __libc_memalign(alignment, size);
  return *out_block ? 0 : 12;
}

__attribute__((destructor)) static void report(void) {
  char text[64];
  int length = snprintf(text, sizeof(text), "allocations %ld\n", count);
  if (write(2, text, (size_t)length) != length) _exit(3);
}
