// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffer views from and to text: `2x2xf32=[1 2][3 4]`.
#include <inttypes.h>
#include <stdio.h>

#include "iree/hal/api.h"

//===-- reading ------------------------------------------------------------------------------===//

typedef struct parse_contents_t {
  iree_string_view_t text;
  iree_hal_element_type_t element_type;
} parse_contents_t;

static iree_status_t parse_into_mapping(iree_hal_buffer_mapping_t *mapping, void *user_data) {
  const parse_contents_t *contents = (const parse_contents_t *)user_data;
  return iree_hal_parse_buffer_elements(contents->text, contents->element_type, mapping->contents);
}

iree_status_t iree_hal_buffer_view_parse(iree_string_view_t value, iree_hal_device_t *device,
                                         iree_hal_allocator_t *device_allocator,
                                         iree_hal_buffer_view_t **out_buffer_view) {
  *out_buffer_view = NULL;
  value = iree_string_view_trim(value);
  iree_string_view_consume_prefix(&value, IREE_SV("\""));
  iree_string_view_consume_suffix(&value, IREE_SV("\""));
  iree_string_view_t type;
  parse_contents_t contents;
  iree_string_view_split(value, '=', &type, &contents.text);
  contents.text = iree_string_view_trim(contents.text);
  iree_hal_dim_t shape[IREE_HAL_BUFFER_VIEW_MAX_RANK];
  iree_host_size_t rank = 0;
  IREE_RETURN_IF_ERROR(iree_hal_parse_shape_and_element_type(type, IREE_HAL_BUFFER_VIEW_MAX_RANK,
                                                             &rank, shape, &contents.element_type));
  const iree_hal_buffer_params_t params = {.usage = IREE_HAL_BUFFER_USAGE_DEFAULT,
                                           .access = IREE_HAL_MEMORY_ACCESS_ALL,
                                           .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL};
  return iree_hal_buffer_view_generate_buffer(device, device_allocator, rank, shape,
                                              contents.element_type,
                                              IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, params,
                                              parse_into_mapping, &contents, out_buffer_view);
}

//===-- writing ------------------------------------------------------------------------------===//

// Writes `=` and the elements; the buffer must be mappable.
static iree_status_t format_elements(const iree_hal_buffer_view_t *view,
                                     iree_host_size_t max_element_count, iree_host_size_t capacity,
                                     char *buffer, iree_host_size_t *out_length) {
  const iree_device_size_t byte_length = iree_hal_buffer_view_byte_length(view);
  iree_hal_buffer_mapping_t mapping;
  iree_const_byte_span_t data = iree_const_byte_span_empty();
  if (byte_length) {
    IREE_RETURN_IF_ERROR(
        iree_hal_buffer_map_range(iree_hal_buffer_view_buffer(view), IREE_HAL_MAPPING_MODE_SCOPED,
                                  IREE_HAL_MEMORY_ACCESS_READ, 0, byte_length, &mapping));
    data = iree_make_const_byte_span(mapping.contents.data, mapping.contents.data_length);
  }
  iree_status_t status = iree_hal_format_buffer_elements(
      data, iree_hal_buffer_view_shape_rank(view), iree_hal_buffer_view_shape_dims(view),
      iree_hal_buffer_view_element_type(view), max_element_count, capacity, buffer, out_length);
  if (byte_length) status = iree_status_join(status, iree_hal_buffer_unmap_range(&mapping));
  return status;
}

iree_status_t iree_hal_buffer_view_append_to_builder(iree_hal_buffer_view_t *buffer_view,
                                                     iree_host_size_t max_element_count,
                                                     iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(iree_hal_append_shape_and_element_type_string(
      iree_hal_buffer_view_shape_rank(buffer_view), iree_hal_buffer_view_shape_dims(buffer_view),
      iree_hal_buffer_view_element_type(buffer_view), builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "="));
  // Measure, then write.
  iree_host_size_t length = 0;
  iree_status_t status = format_elements(buffer_view, max_element_count, 0, NULL, &length);
  if (!iree_status_is_out_of_range(status)) return status;
  iree_status_ignore(status);
  if (!length) return iree_ok_status();
  char *text = NULL;
  IREE_RETURN_IF_ERROR(iree_string_builder_append_inline(builder, length, &text));
  if (!text) return iree_ok_status();
  return format_elements(buffer_view, max_element_count, length + 1, text, NULL);
}

iree_status_t iree_hal_buffer_view_format(const iree_hal_buffer_view_t *buffer_view,
                                          iree_host_size_t max_element_count,
                                          iree_host_size_t buffer_capacity, char *buffer,
                                          iree_host_size_t *out_buffer_length) {
  if (out_buffer_length) *out_buffer_length = 0;
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  iree_status_t status = iree_hal_buffer_view_append_to_builder(
      (iree_hal_buffer_view_t *)(uintptr_t)buffer_view, max_element_count, &builder);
  if (iree_status_is_ok(status)) {
    const iree_string_view_t text = iree_string_builder_view(&builder);
    if (out_buffer_length) *out_buffer_length = text.size;
    if (buffer && buffer_capacity) iree_string_view_to_cstring(text, buffer, buffer_capacity);
    if (!buffer || text.size >= buffer_capacity)
      status = iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
  }
  iree_string_builder_deinitialize(&builder);
  return status;
}

iree_status_t iree_hal_buffer_view_fprint(FILE *file, const iree_hal_buffer_view_t *buffer_view,
                                          iree_host_size_t max_element_count,
                                          iree_allocator_t host_allocator) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(host_allocator, &builder);
  iree_status_t status = iree_hal_buffer_view_append_to_builder(
      (iree_hal_buffer_view_t *)(uintptr_t)buffer_view, max_element_count, &builder);
  if (iree_status_is_ok(status)) {
    const iree_string_view_t text = iree_string_builder_view(&builder);
    if (fwrite(text.data, 1, text.size, file) != text.size) {
      status = iree_make_status(IREE_STATUS_UNKNOWN, "writing a buffer view failed");
    }
  }
  iree_string_builder_deinitialize(&builder);
  return status;
}
