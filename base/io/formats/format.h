// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parsers of parameter files share.
#ifndef BASE_IO_FORMATS_FORMAT_H_
#define BASE_IO_FORMATS_FORMAT_H_

#include "iree/io/file_handle.h"
#include "iree/io/parameter_index.h"

// The file that is being indexed. Parsers read |contents|, which hold all of it.
typedef struct format_source_t {
  iree_io_file_handle_t *handle;
  iree_const_byte_span_t contents;
  iree_io_parameter_index_t *index;
  iree_allocator_t host_allocator;
} format_source_t;

typedef iree_status_t (*format_parse_fn_t)(const format_source_t *source);

// Maps the file and runs |parse| over it.
iree_status_t format_parse_file(iree_io_file_handle_t *file_handle,
                                iree_io_parameter_index_t *index, iree_allocator_t host_allocator,
                                format_parse_fn_t parse);

// Adds the parameter that lies at [offset, offset + length) of the file.
//   errors: OUT_OF_RANGE  it leaves the file
iree_status_t format_add_data(const format_source_t *source, iree_string_view_t key,
                              iree_const_byte_span_t metadata, uint64_t offset, uint64_t length);

#endif  // BASE_IO_FORMATS_FORMAT_H_
