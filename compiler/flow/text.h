// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that grows in an arena.
#ifndef COMPILER_FLOW_TEXT_H_
#define COMPILER_FLOW_TEXT_H_

#include "base/arena.h"

typedef struct text {
  iree_arena_t *arena;
  char *data;  // ends with NUL once something was added
  size_t n, cap;
} text_t;
void text_add(text_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif  // COMPILER_FLOW_TEXT_H_
