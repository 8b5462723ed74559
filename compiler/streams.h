// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for a compile_io_t that write to the process's streams and to files: what tools and the C
// API do with messages and dumps. |self| is not used.
#ifndef COMPILER_STREAMS_H_
#define COMPILER_STREAMS_H_

#include "compiler/driver.h"

void stream_message(void *self, ir_severity_t severity, iree_string_view_t text);
iree_status_t stream_dump(void *self, iree_string_view_t text);
iree_status_t stream_file(void *self, iree_string_view_t folder, const char *name, iree_string_view_t contents);
iree_status_t stream_read(void *self, const char *path, iree_arena_t *arena, iree_string_view_t *out_contents, bool *out_found);
// Writes a file as a whole.
//   errors: what errno says, naming |path|
iree_status_t stream_write_file(const char *path, const void *data, size_t n);
// The same, where possible at once: readers see the old contents or the new, and a failure keeps the old. What is at
// |path| stays what it is: a link is followed, a file keeps its mode, its owner and its other names.
iree_status_t stream_replace_file(const char *path, const void *data, size_t n);

// Tells a failure once, unless it is CANCELLED, which has been told; returns the exit code of |program|. Output to stdout
// that got lost is one.
int stream_finish(iree_status_t status, const char *program);

#endif  // COMPILER_STREAMS_H_
