// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of files: the POSIX calls in one place, with errno made statuses that name the path.

#ifndef BASE_DESCRIPTOR_H_
#define BASE_DESCRIPTOR_H_

#include "iree/base/api.h"

// The status of an errno value: "failed to <verb> file '<path>': <reason>".
iree_status_t descriptor_error(int error, const char *verb, iree_string_view_t path);

// open(2) with O_CLOEXEC; |path| needs no NUL at its end.
iree_status_t descriptor_open(iree_string_view_t path, int flags, int *out_fd);

// The length of a regular file.
//   errors: INVALID_ARGUMENT  a directory, a pipe or the like
iree_status_t descriptor_length(int fd, uint64_t *out_length);

// Moves all of a span from or to |offset|, whatever the descriptor's own position.
//   errors: OUT_OF_RANGE  the file ends before
iree_status_t descriptor_read(int fd, uint64_t offset, iree_byte_span_t target);
iree_status_t descriptor_write(int fd, uint64_t offset, iree_const_byte_span_t source);

// Maps |length| > 0 bytes from |offset|, any offset. |out_base| is what to unmap, the contents
// start |out_slack| bytes later.
iree_status_t descriptor_map(int fd, bool is_writable, bool is_private, uint64_t offset,
                             iree_host_size_t length, void **out_base, iree_host_size_t *out_slack);

#endif  // BASE_DESCRIPTOR_H_
