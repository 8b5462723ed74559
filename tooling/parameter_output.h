// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tools that write parameter archives share: the output flags, the file, element values.

#ifndef TOOLING_PARAMETER_OUTPUT_H_
#define TOOLING_PARAMETER_OUTPUT_H_

#include "base/flags.h"
#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/io/parameter_index.h"

typedef struct parameter_output_flags_t {
  iree_string_view_t output;
  bool quiet;
} parameter_output_flags_t;

extern const flag_group_t parameter_output_flag_group;

// Makes the file of --output= with |length| bytes.
//   errors: INVALID_ARGUMENT  no output named;  those of creating files
iree_status_t parameter_output_create(const parameter_output_flags_t *flags, uint64_t length,
                                      iree_allocator_t host_allocator,
                                      iree_io_file_handle_t **out_handle);

// Appends the table of what was written, unless quiet.
iree_status_t parameter_output_report(const parameter_output_flags_t *flags,
                                      iree_io_parameter_index_t *index,
                                      iree_string_builder_t *text);

// Makes |entry| a splat of the value that |text| is as an element of |type|; no text: zeros.
//   errors: INVALID_ARGUMENT  a type of less than a byte or more than 16, or no value of it
iree_status_t parameter_parse_splat(iree_hal_element_type_t type, iree_string_view_t text,
                                    iree_io_parameter_index_entry_t *entry);

#endif  // TOOLING_PARAMETER_OUTPUT_H_
