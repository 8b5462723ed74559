// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole files as bytes: module files, flag files, npy and raw inputs. Contents are aligned to 64
// bytes, as bytecode modules want, whether read or mapped.

#ifndef BASE_FILE_H_
#define BASE_FILE_H_

#include "iree/base/api.h"

typedef struct file_contents_t {
  iree_const_byte_span_t data;
  iree_allocator_t allocator;
  void *allocation;  // storage of read contents
  void *mapping;     // address of mapped contents
  iree_host_size_t mapping_length;
} file_contents_t;

// Reads the file at |path| into memory; "-" reads stdin to its end.
//   owns:   the caller frees with file_contents_release
//   errors: NOT_FOUND / PERMISSION_DENIED / ...  as the system says, naming the path
//           INVALID_ARGUMENT  a directory
iree_status_t file_contents_read(iree_string_view_t path, iree_allocator_t allocator,
                                 file_contents_t *out_contents);

// Maps the file at |path| read-only; stdin ("-") and empty files are read instead.
//   owns:   the caller frees with file_contents_release
//   errors: as file_contents_read
iree_status_t file_contents_map(iree_string_view_t path, iree_allocator_t allocator,
                                file_contents_t *out_contents);

// Frees the contents; a zeroed struct is fine.
void file_contents_release(file_contents_t *contents);

// Creates, or empties, the file at |path| for writing.
//   owns:   the caller closes |out_fd|
//   errors: as file_contents_read
iree_status_t file_create(iree_string_view_t path, int *out_fd);

// Whether |path| can be written, for those that have something long to do before. Leaves what is
// there alone, and nothing where nothing was.
//   errors: as file_contents_read
iree_status_t file_check_writable(iree_string_view_t path);

// Writes |parts| one after the other to |path|, replacing or (|append|) extending it.
//   errors: as file_contents_read; a file that cannot be written whole is an error
iree_status_t file_write(iree_string_view_t path, bool append, const iree_const_byte_span_t *parts,
                         iree_host_size_t part_count);

#endif  // BASE_FILE_H_
