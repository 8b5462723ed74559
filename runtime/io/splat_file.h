// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of a repeated pattern, of which nothing is stored: splat parameters are read as any other.
#ifndef RUNTIME_IO_SPLAT_FILE_H_
#define RUNTIME_IO_SPLAT_FILE_H_

#include "iree/hal/api.h"

// Makes a read-only file of |length| bytes. The pattern has 1 to 16 bytes and is copied.
//   errors: RESOURCE_EXHAUSTED
iree_status_t splat_file_create(const void *pattern, iree_host_size_t pattern_length,
                                uint64_t length, iree_allocator_t host_allocator,
                                iree_hal_file_t **out_file);

#endif  // RUNTIME_IO_SPLAT_FILE_H_
