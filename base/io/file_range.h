// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime asks of file handles besides the public functions.
#ifndef BASE_IO_FILE_RANGE_H_
#define BASE_IO_FILE_RANGE_H_

#include "iree/io/file_handle.h"

// The length of the file now, in bytes.
//   errors: INVALID_ARGUMENT  a descriptor of a directory or a stream
iree_status_t file_handle_length(iree_io_file_handle_t *handle, uint64_t *out_length);

#endif  // BASE_IO_FILE_RANGE_H_
