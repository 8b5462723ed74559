// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole views as text: `2x2xf32=[1 2][3 4]`.
#include "iree/hal/allocator.h"
#include "iree/hal/string_util.h"

static iree_status_t parse_contents(iree_hal_buffer_mapping_t *mapping, void *user_data) {
  const struct {
    iree_string_view_t text;
    iree_hal_element_type_t type;
  } *contents = user_data;
  return iree_hal_parse_buffer_elements(contents->text, contents->type, mapping->contents);
}

iree_status_t iree_hal_buffer_view_parse(iree_string_view_t value, iree_hal_device_t *device,
                                         iree_hal_allocator_t *device_allocator,
                                         iree_hal_buffer_view_t **out_buffer_view) {
  *out_buffer_view = NULL;
  iree_string_view_t spec = iree_string_view_empty(), text = iree_string_view_empty();
  iree_string_view_split(value, '=', &spec, &text);
  iree_hal_dim_t shape[IREE_HAL_BUFFER_VIEW_MAX_RANK];
  iree_host_size_t rank = 0;
  struct {
    iree_string_view_t text;
    iree_hal_element_type_t type;
  } contents = {text, IREE_HAL_ELEMENT_TYPE_NONE};
  IREE_RETURN_IF_ERROR(iree_hal_parse_shape_and_element_type(spec, IREE_ARRAYSIZE(shape), &rank,
                                                             shape, &contents.type));
  iree_hal_buffer_params_t params = {
      .usage = IREE_HAL_BUFFER_USAGE_DEFAULT | IREE_HAL_BUFFER_USAGE_MAPPING,
      .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL | IREE_HAL_MEMORY_TYPE_HOST_VISIBLE,
  };
  return iree_hal_buffer_view_generate_buffer(
      device, device_allocator, rank, shape, contents.type, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR,
      params, parse_contents, &contents, out_buffer_view);
}

static iree_status_t append_elements(const iree_hal_buffer_view_t *view,
                                     iree_const_byte_span_t data,
                                     iree_host_size_t max_element_count,
                                     iree_string_builder_t *builder) {
  iree_host_size_t rank = iree_hal_buffer_view_shape_rank(view), length = 0;
  const iree_hal_dim_t *shape = iree_hal_buffer_view_shape_dims(view);
  iree_hal_element_type_t type = iree_hal_buffer_view_element_type(view);
  iree_status_t status = iree_hal_format_buffer_elements(data, rank, shape, type,
                                                         max_element_count, 0, NULL, &length);
  if (!iree_status_is_out_of_range(status) || !length) return status;
  iree_status_ignore(status);
  char *head = NULL;
  IREE_RETURN_IF_ERROR(iree_string_builder_append_inline(builder, length, &head));
  if (!head) return iree_ok_status();  // a builder that only counts
  return iree_hal_format_buffer_elements(data, rank, shape, type, max_element_count, length + 1,
                                         head, &length);
}

iree_status_t iree_hal_buffer_view_append_to_builder(iree_hal_buffer_view_t *buffer_view,
                                                     iree_host_size_t max_element_count,
                                                     iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(iree_hal_append_shape_and_element_type_string(
      iree_hal_buffer_view_shape_rank(buffer_view), iree_hal_buffer_view_shape_dims(buffer_view),
      iree_hal_buffer_view_element_type(buffer_view), builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "="));
  if (!iree_hal_buffer_view_element_count(buffer_view)) return iree_ok_status();
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(
      iree_hal_buffer_view_buffer(buffer_view), IREE_HAL_MAPPING_MODE_SCOPED,
      IREE_HAL_MEMORY_ACCESS_READ, 0, iree_hal_buffer_view_byte_length(buffer_view), &mapping));
  iree_status_t status = append_elements(buffer_view, iree_const_cast_byte_span(mapping.contents),
                                         max_element_count, builder);
  return iree_status_join(status, iree_hal_buffer_unmap_range(&mapping));
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
  iree_host_size_t length = iree_string_builder_size(&builder);
  if (iree_status_is_ok(status)) {
    if (out_buffer_length) *out_buffer_length = length;
    if (buffer && length < buffer_capacity) {
      memcpy(buffer, iree_string_builder_buffer(&builder), length + 1);
    } else {
      status = iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
    }
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
    fwrite(iree_string_builder_buffer(&builder), 1, iree_string_builder_size(&builder), file);
  }
  iree_string_builder_deinitialize(&builder);
  return status;
}
