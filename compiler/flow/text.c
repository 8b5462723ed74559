// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/flow/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_add(text_t *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  size_t need = t->n + (size_t)(n < 0 ? 0 : n) + 1;
  if (need > t->cap) {
    size_t cap = need * 2 + 64;
    char *grown = IREE_ARENA_ARRAY(t->arena, char, cap);
    if (t->n) memcpy(grown, t->data, t->n);
    t->data = grown;
    t->cap = cap;
  }
  if (n >= 0) t->n += (size_t)vsnprintf(t->data + t->n, t->cap - t->n, format, again);
  va_end(again);
}
