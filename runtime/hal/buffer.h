// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What drivers share about buffers beyond the public API.
#ifndef RUNTIME_HAL_BUFFER_H_
#define RUNTIME_HAL_BUFFER_H_

#include "iree/hal/api.h"

// The host address of a range, for drivers that run on the host; usage is checked elsewhere.
//   owns:   borrowed from |buffer| while it has storage
//   errors: OUT_OF_RANGE         the range leaves the buffer
//           FAILED_PRECONDITION  the buffer has no storage at this time
iree_status_t buffer_host_span(iree_hal_buffer_t *buffer, iree_device_size_t byte_offset,
                               iree_device_size_t byte_length, iree_byte_span_t *out_span);

// The same for a range that is known to be within the buffer.
static inline iree_status_t buffer_host_span_unchecked(iree_hal_buffer_t *buffer,
                                                       iree_device_size_t byte_offset,
                                                       iree_device_size_t byte_length,
                                                       iree_byte_span_t *out_span) {
  iree_hal_buffer_t *allocated = buffer->allocated_buffer;
  iree_hal_buffer_mapping_t mapping;
  mapping.buffer = allocated;
  IREE_RETURN_IF_ERROR(((const iree_hal_buffer_vtable_t *)allocated->resource.vtable)
                           ->map_range(allocated, IREE_HAL_MAPPING_MODE_PERSISTENT,
                                       IREE_HAL_MEMORY_ACCESS_ANY,
                                       buffer->byte_offset + byte_offset, byte_length, &mapping));
  *out_span = mapping.contents;
  return iree_ok_status();
}

// iree_hal_buffer_calculate_range for inlining.
static inline iree_status_t buffer_range(iree_device_size_t base_offset,
                                         iree_device_size_t max_length, iree_device_size_t offset,
                                         iree_device_size_t length, iree_device_size_t *out_offset,
                                         iree_device_size_t *out_length) {
  if (IREE_LIKELY(offset <= max_length)) {
    iree_device_size_t rest = max_length - offset;
    if (length == IREE_HAL_WHOLE_BUFFER) length = rest;
    if (IREE_LIKELY(length <= rest)) {
      *out_offset = base_offset + offset;
      *out_length = length;
      return iree_ok_status();
    }
  }
  return iree_hal_buffer_calculate_range(base_offset, max_length, offset, length, out_offset,
                                         out_length);
}

// Checks a fill pattern against a range.
//   errors: INVALID_ARGUMENT  pattern length, or a range that is not a multiple of it
iree_status_t buffer_check_pattern(const void *pattern, iree_host_size_t pattern_length,
                                   iree_device_size_t byte_offset, iree_device_size_t byte_length);

// Repeats a checked pattern over |length| bytes.
void buffer_fill_bytes(uint8_t *target, iree_host_size_t length, const void *pattern,
                       iree_host_size_t pattern_length);

#endif  // RUNTIME_HAL_BUFFER_H_
