// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// String builder: always one byte more than the text, for the NUL. A builder without allocator and
// without storage counts what it would hold, so that callers can measure first.
#include "iree/base/string_builder.h"

#include <stdarg.h>
#include <stdio.h>

void iree_string_builder_initialize(iree_allocator_t allocator,
                                    iree_string_builder_t *out_builder) {
  memset(out_builder, 0, sizeof(*out_builder));
  out_builder->allocator = allocator;
}

void iree_string_builder_initialize_with_storage(char *buffer, iree_host_size_t buffer_capacity,
                                                 iree_string_builder_t *out_builder) {
  iree_string_builder_initialize(iree_allocator_null(), out_builder);
  out_builder->buffer = buffer;
  out_builder->capacity = buffer ? buffer_capacity : 0;
}

void iree_string_builder_deinitialize(iree_string_builder_t *builder) {
  iree_allocator_free(builder->allocator, builder->buffer);
  memset(builder, 0, sizeof(*builder));
}

const char *iree_string_builder_buffer(const iree_string_builder_t *builder) {
  return builder->buffer;
}
iree_host_size_t iree_string_builder_size(const iree_string_builder_t *builder) {
  return builder->size;
}
iree_host_size_t iree_string_builder_capacity(const iree_string_builder_t *builder) {
  return builder->capacity;
}
iree_string_view_t iree_string_builder_view(const iree_string_builder_t *builder) {
  return iree_make_string_view(builder->buffer, builder->buffer ? builder->size : 0);
}

char *iree_string_builder_take_storage(iree_string_builder_t *builder) {
  char *buffer = builder->buffer;
  iree_string_builder_initialize(builder->allocator, builder);
  return buffer;
}

void iree_string_builder_reset(iree_string_builder_t *builder) {
  builder->size = 0;
  if (builder->capacity) builder->buffer[0] = 0;
}

static bool builder_only_counts(const iree_string_builder_t *builder) {
  return !builder->allocator.ctl && !builder->buffer;
}

iree_status_t iree_string_builder_reserve(iree_string_builder_t *builder,
                                          iree_host_size_t minimum_capacity) {
  if (builder->capacity >= minimum_capacity || builder_only_counts(builder)) {
    return iree_ok_status();
  }
  if (!builder->allocator.ctl) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "text needs %" PRIhsz " bytes, the buffer has %" PRIhsz,
                            minimum_capacity, builder->capacity);
  }
  return iree_allocator_grow_array(builder->allocator, iree_max(minimum_capacity, 64), 1,
                                   &builder->capacity, (void **)&builder->buffer);
}

iree_status_t iree_string_builder_append_inline(iree_string_builder_t *builder,
                                                iree_host_size_t count, char **out_head) {
  *out_head = NULL;
  iree_host_size_t needed = 0;
  if (!iree_host_size_checked_add(builder->size, count, &needed) || needed == IREE_HOST_SIZE_MAX) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "text size overflows");
  }
  IREE_RETURN_IF_ERROR(iree_string_builder_reserve(builder, needed + 1));
  if (!builder_only_counts(builder)) {
    *out_head = builder->buffer + builder->size;
    builder->buffer[needed] = 0;
  }
  builder->size = needed;
  return iree_ok_status();
}

iree_status_t iree_string_builder_reserve_for_append(iree_string_builder_t *builder,
                                                     iree_host_size_t minimum_additional_capacity,
                                                     char **out_buffer,
                                                     iree_host_size_t *out_capacity) {
  *out_buffer = NULL;
  *out_capacity = 0;
  iree_host_size_t needed = 0;
  if (!iree_host_size_checked_add(builder->size, minimum_additional_capacity, &needed) ||
      needed == IREE_HOST_SIZE_MAX) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "text size overflows");
  }
  IREE_RETURN_IF_ERROR(iree_string_builder_reserve(builder, needed + 1));
  if (builder_only_counts(builder)) return iree_ok_status();
  *out_buffer = builder->buffer + builder->size;
  *out_capacity = builder->capacity - builder->size - 1;
  return iree_ok_status();
}

void iree_string_builder_commit_append(iree_string_builder_t *builder,
                                       iree_host_size_t append_size) {
  builder->size += append_size;
  if (builder->buffer) builder->buffer[builder->size] = 0;
}

iree_status_t iree_string_builder_append_string(iree_string_builder_t *builder,
                                                iree_string_view_t value) {
  char *head = NULL;
  IREE_RETURN_IF_ERROR(iree_string_builder_append_inline(builder, value.size, &head));
  if (head && value.size) memcpy(head, value.data, value.size);
  return iree_ok_status();
}

iree_status_t iree_string_builder_append_cstring(iree_string_builder_t *builder,
                                                 const char *value) {
  return iree_string_builder_append_string(builder, iree_make_cstring_view(value));
}

iree_status_t iree_string_builder_append_format(iree_string_builder_t *builder, const char *format,
                                                ...) {
  va_list varargs;
  va_start(varargs, format);
  int length = vsnprintf(NULL, 0, format, varargs);
  va_end(varargs);
  if (length < 0) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "bad format `%s`", format);
  char *head = NULL;
  IREE_RETURN_IF_ERROR(iree_string_builder_append_inline(builder, (iree_host_size_t)length, &head));
  if (head) {
    va_start(varargs, format);
    vsnprintf(head, (size_t)length + 1, format, varargs);
    va_end(varargs);
  }
  return iree_ok_status();
}

iree_status_t iree_string_builder_append_status(iree_string_builder_t *builder,
                                                iree_status_t status) {
  iree_host_size_t length = 0;
  iree_status_format(status, 0, NULL, &length);
  char *head = NULL;
  IREE_RETURN_IF_ERROR(iree_string_builder_append_inline(builder, length, &head));
  if (head) iree_status_format(status, length + 1, head, &length);
  return iree_ok_status();
}
