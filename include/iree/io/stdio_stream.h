// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream over a FILE of the C library.
#ifndef IREE_IO_STDIO_STREAM_H_
#define IREE_IO_STDIO_STREAM_H_

#include <stdio.h>

#include "iree/base/api.h"
#include "iree/io/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

enum iree_io_stdio_stream_mode_bits_t {
  // Contents go away when it is opened.
  IREE_IO_STDIO_STREAM_MODE_DISCARD = 1u << 0,
  IREE_IO_STDIO_STREAM_MODE_READ = 1u << 1,
  IREE_IO_STDIO_STREAM_MODE_WRITE = 1u << 2,
  // Writes go to the end.
  IREE_IO_STDIO_STREAM_MODE_APPEND = 1u << 3,
};
typedef uint32_t iree_io_stdio_stream_mode_t;

// Make streams of C files: of one that is open, of a path, of a duplicate of a descriptor.
//   owns:   transfers ownership to the caller; with |owns_handle| takes ownership of |handle| on
//           success
//   errors: NOT_FOUND / PERMISSION_DENIED / ...  as the system says
//           INVALID_ARGUMENT    a mode that neither reads nor writes
//           RESOURCE_EXHAUSTED  no host memory or descriptors
IREE_API_EXPORT iree_status_t iree_io_stdio_stream_wrap(iree_io_stream_mode_t mode, FILE *handle,
                                                        bool owns_handle,
                                                        iree_allocator_t host_allocator,
                                                        iree_io_stream_t **out_stream);
IREE_API_EXPORT iree_status_t iree_io_stdio_stream_open(iree_io_stdio_stream_mode_t mode,
                                                        iree_string_view_t path,
                                                        iree_allocator_t host_allocator,
                                                        iree_io_stream_t **out_stream);
IREE_API_EXPORT iree_status_t iree_io_stdio_stream_open_fd(iree_io_stdio_stream_mode_t mode, int fd,
                                                           iree_allocator_t host_allocator,
                                                           iree_io_stream_t **out_stream);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_STDIO_STREAM_H_
