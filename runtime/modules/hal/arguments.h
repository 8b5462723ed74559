// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed arguments with several variadic groups, read one after the other and never past their end.
#ifndef RUNTIME_MODULES_HAL_ARGUMENTS_H_
#define RUNTIME_MODULES_HAL_ARGUMENTS_H_

#include "iree/base/api.h"

typedef struct argument_reader_t {
  const uint8_t *data;
  iree_host_size_t length;
  iree_host_size_t offset;
} argument_reader_t;

// The next |bytes|, aligned.
//   errors: INVALID_ARGUMENT  there are fewer
iree_status_t argument_take(argument_reader_t *reader, iree_host_size_t alignment,
                            iree_host_size_t bytes, const void **out_ptr);

// The count of a group: |max| |what| at most.
//   errors: INVALID_ARGUMENT, OUT_OF_RANGE
iree_status_t argument_take_count(argument_reader_t *reader, uint32_t max, const char *what,
                                  uint32_t *out_count);

#endif  // RUNTIME_MODULES_HAL_ARGUMENTS_H_
