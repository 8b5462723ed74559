// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor text: shapes, element types and elements. What is accepted has to print.
#include <stdlib.h>

#include "iree/hal/api.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 512, MAX_RANK = 16 };

static iree_status_t read_and_print(iree_string_view_t text) {
  iree_string_view_t type, contents;
  iree_string_view_split(text, '=', &type, &contents);
  iree_hal_dim_t shape[MAX_RANK];
  iree_host_size_t rank = 0, length = 0;
  iree_hal_element_type_t element_type;
  IREE_RETURN_IF_ERROR(
      iree_hal_parse_shape_and_element_type(type, MAX_RANK, &rank, shape, &element_type));
  iree_device_size_t bytes = 0;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_compute_view_size(
      rank, shape, element_type, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &bytes));
  if (bytes == 0 || bytes > MAX_BYTES)
    return iree_ok_status();  // empty shapes may have endless brackets
  uint8_t *elements = malloc(bytes);
  if (!elements) abort();
  iree_status_t status =
      iree_hal_parse_buffer_elements(contents, element_type, iree_make_byte_span(elements, bytes));
  if (iree_status_is_ok(status)) {
    char small[8];  // too small: only measured
    status =
        iree_hal_format_buffer_elements(iree_make_const_byte_span(elements, bytes), rank, shape,
                                        element_type, 64, sizeof(small), small, &length);
    if (iree_status_is_out_of_range(status) && length < sizeof(small)) abort();
  }
  free(elements);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  iree_status_ignore(read_and_print(iree_make_string_view((const char *)data, size)));
  return 0;
}
