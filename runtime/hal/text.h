// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text that is written and measured in one pass: what no longer fits the buffer is only counted.
#ifndef RUNTIME_HAL_TEXT_H_
#define RUNTIME_HAL_TEXT_H_

#include <stdarg.h>
#include <stdio.h>

#include "iree/base/api.h"
#include "iree/hal/buffer_view.h"

// The number at |data| of a float type; false for all other types.
bool element_float_value(iree_hal_element_type_t type, const void *data, double *out_value);

typedef struct text_t {
  char *buffer;               // may be NULL: only count
  iree_host_size_t capacity;  // with the NUL
  iree_host_size_t length;    // of all text, whether it fitted or not
} text_t;

static inline text_t text_begin(char *buffer, iree_host_size_t capacity) {
  if (buffer && capacity) buffer[0] = 0;
  return (text_t){.buffer = buffer, .capacity = buffer ? capacity : 0};
}

static inline void text_char(text_t *text, char c) {
  if (text->length + 1 < text->capacity) {
    text->buffer[text->length] = c;
    text->buffer[text->length + 1] = 0;
  }
  ++text->length;
}

static inline void text_string(text_t *text, const char *string) {
  for (; *string; ++string) text_char(text, *string);
}

static inline IREE_PRINTF_ATTRIBUTE(2, 3) void text_format(text_t *text, const char *format, ...) {
  char piece[64];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(piece, sizeof(piece), format, arguments);
  va_end(arguments);
  text_string(text, piece);
}

// OUT_OF_RANGE if it did not fit.
static inline iree_status_t text_end(const text_t *text, iree_host_size_t *out_length) {
  if (out_length) *out_length = text->length;
  return text->length < text->capacity ? iree_ok_status()
                                       : iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
}

#endif  // RUNTIME_HAL_TEXT_H_
