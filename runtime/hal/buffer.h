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

// Checks a fill pattern against a range.
//   errors: INVALID_ARGUMENT  pattern length, or a range that is not a multiple of it
iree_status_t buffer_check_pattern(const void *pattern, iree_host_size_t pattern_length,
                                   iree_device_size_t byte_offset, iree_device_size_t byte_length);

// Repeats a checked pattern over |length| bytes.
void buffer_fill_bytes(uint8_t *target, iree_host_size_t length, const void *pattern,
                       iree_host_size_t pattern_length);

#endif  // RUNTIME_HAL_BUFFER_H_
