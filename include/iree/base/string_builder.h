// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A growing NUL-terminated text buffer. With the null allocator and no storage it only counts.
#ifndef IREE_BASE_STRING_BUILDER_H_
#define IREE_BASE_STRING_BUILDER_H_

#include "iree/base/allocator.h"
#include "iree/base/status.h"
#include "iree/base/string_view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_string_builder_t {
  iree_allocator_t allocator;  // null: fixed storage
  char *buffer;                // may be NULL while empty
  iree_host_size_t size;       // without the NUL
  iree_host_size_t capacity;   // with the NUL
} iree_string_builder_t;

// An empty builder; the second form writes into |buffer| and fails when it is full.
//   owns:   |buffer| is borrowed
//   errors: none
IREE_API_EXPORT void iree_string_builder_initialize(iree_allocator_t allocator,
                                                    iree_string_builder_t *out_builder);
IREE_API_EXPORT void iree_string_builder_initialize_with_storage(
    char *buffer, iree_host_size_t buffer_capacity, iree_string_builder_t *out_builder);
IREE_API_EXPORT void iree_string_builder_deinitialize(iree_string_builder_t *builder);

// Content so far; the buffer is NULL when nothing was appended.
//   owns:   borrowed from |builder| until the next change
//   errors: none
IREE_API_EXPORT const char *iree_string_builder_buffer(const iree_string_builder_t *builder);
IREE_API_EXPORT iree_host_size_t iree_string_builder_size(const iree_string_builder_t *builder);
IREE_API_EXPORT iree_host_size_t iree_string_builder_capacity(const iree_string_builder_t *builder);
IREE_API_EXPORT iree_string_view_t iree_string_builder_view(const iree_string_builder_t *builder);
// Hands the buffer out and resets the builder.
//   owns:   transfers ownership to the caller, who frees it with the builder's allocator
//   errors: none
IREE_API_EXPORT IREE_MUST_USE_RESULT char *iree_string_builder_take_storage(
    iree_string_builder_t *builder);
IREE_API_EXPORT void iree_string_builder_reset(iree_string_builder_t *builder);

// Growth and appending.
//   errors: RESOURCE_EXHAUSTED  no memory, or the fixed storage is full
IREE_API_EXPORT iree_status_t iree_string_builder_reserve(iree_string_builder_t *builder,
                                                          iree_host_size_t minimum_capacity);
IREE_API_EXPORT iree_status_t iree_string_builder_append_inline(iree_string_builder_t *builder,
                                                                iree_host_size_t count,
                                                                char **out_head);
// Room for at least |minimum_additional_capacity| characters to be written at |out_buffer|, and the
// number that were.
//   owns:   |out_buffer| is borrowed from |builder| until the next change
//   errors: RESOURCE_EXHAUSTED  no memory, or the fixed storage is full
IREE_API_EXPORT iree_status_t iree_string_builder_reserve_for_append(
    iree_string_builder_t *builder, iree_host_size_t minimum_additional_capacity, char **out_buffer,
    iree_host_size_t *out_capacity);
IREE_API_EXPORT void iree_string_builder_commit_append(iree_string_builder_t *builder,
                                                       iree_host_size_t append_size);
IREE_API_EXPORT iree_status_t iree_string_builder_append_string(iree_string_builder_t *builder,
                                                                iree_string_view_t value);
IREE_API_EXPORT iree_status_t iree_string_builder_append_cstring(iree_string_builder_t *builder,
                                                                 const char *value);
IREE_API_EXPORT IREE_PRINTF_ATTRIBUTE(2, 3) iree_status_t
    iree_string_builder_append_format(iree_string_builder_t *builder, const char *format, ...);
// The printed form of a status, which stays the caller's.
//   errors: RESOURCE_EXHAUSTED  no memory, or the fixed storage is full
IREE_API_EXPORT iree_status_t iree_string_builder_append_status(iree_string_builder_t *builder,
                                                                iree_status_t status);

#ifdef __cplusplus
}
#endif
#endif  // IREE_BASE_STRING_BUILDER_H_
