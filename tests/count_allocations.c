// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loaded before the C library (LD_PRELOAD), counts allocations of a process and prints `allocations N` to stderr when it
// ends. With FAIL_ALLOCATION=N in the environment the N-th of them fails. glibc only: the real functions are reached by
// their internal names.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long count;

// False for the one that fails.
static int add_one(void) {
  static long failing = -1;
  if (failing < 0) {
    const char *text = getenv("FAIL_ALLOCATION");
    failing = text ? atol(text) : 0;
  }
  if (__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != failing) return 1;
  errno = ENOMEM;
  return 0;
}

void *malloc(size_t size) {
  if (!add_one()) return NULL;
  return __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
  if (!add_one()) return NULL;
  return __libc_calloc(n, size);
}

void *realloc(void *block, size_t size) {
  if (!add_one()) return NULL;
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  if (!add_one()) return NULL;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **out_block, size_t alignment, size_t size) {
  if (!add_one()) return ENOMEM;
  *out_block = __libc_memalign(alignment, size);
  return *out_block ? 0 : 12;
}

__attribute__((destructor)) static void report(void) {
  char text[64];
  int length = snprintf(text, sizeof(text), "allocations %ld\n", count);
  if (write(2, text, (size_t)length) != length) _exit(3);
}
