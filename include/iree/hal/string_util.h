// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of shapes, element types and elements: `2x4xf32`, `[1 2][3 4]`.
#ifndef IREE_HAL_STRING_UTIL_H_
#define IREE_HAL_STRING_UTIL_H_

#include "iree/base/api.h"
#include "iree/hal/buffer_view.h"

#ifdef __cplusplus
extern "C" {
#endif

// Shapes: dimensions joined by 'x'; the empty text is rank 0.
//   errors: INVALID_ARGUMENT  not a shape
//           OUT_OF_RANGE      more dimensions or characters than the capacity; the out count has
//           the need
IREE_API_EXPORT iree_status_t iree_hal_parse_shape(iree_string_view_t value,
                                                   iree_host_size_t shape_capacity,
                                                   iree_host_size_t *out_shape_rank,
                                                   iree_hal_dim_t *out_shape);
IREE_API_EXPORT iree_status_t iree_hal_format_shape(iree_host_size_t shape_rank,
                                                    const iree_hal_dim_t *shape,
                                                    iree_host_size_t buffer_capacity, char *buffer,
                                                    iree_host_size_t *out_buffer_length);
IREE_API_EXPORT iree_status_t iree_hal_append_shape_string(iree_host_size_t shape_rank,
                                                           const iree_hal_dim_t *shape,
                                                           iree_string_builder_t *string_builder);

// Element types: i8, si8, ui8, i1, f32, bf16, cf64, f8E4M3FN, x32 or *32 (opaque), ...
//   errors: INVALID_ARGUMENT  unknown prefix or width; OUT_OF_RANGE  capacity too small
IREE_API_EXPORT iree_status_t
iree_hal_parse_element_type(iree_string_view_t value, iree_hal_element_type_t *out_element_type);
IREE_API_EXPORT iree_status_t iree_hal_format_element_type(iree_hal_element_type_t element_type,
                                                           iree_host_size_t buffer_capacity,
                                                           char *buffer,
                                                           iree_host_size_t *out_buffer_length);
IREE_API_EXPORT iree_status_t iree_hal_append_element_type_string(
    iree_hal_element_type_t element_type, iree_string_builder_t *string_builder);

// Both in one: `4x5xf32`.
//   errors: as above
IREE_API_EXPORT iree_status_t iree_hal_parse_shape_and_element_type(
    iree_string_view_t value, iree_host_size_t shape_capacity, iree_host_size_t *out_shape_rank,
    iree_hal_dim_t *out_shape, iree_hal_element_type_t *out_element_type);
IREE_API_EXPORT iree_status_t iree_hal_append_shape_and_element_type_string(
    iree_host_size_t shape_rank, const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_string_builder_t *string_builder);

// One element. Bool and opaque elements are hexadecimal bytes.
//   errors: INVALID_ARGUMENT  not a value of the type
//           OUT_OF_RANGE      the value or its text does not fit
//           UNIMPLEMENTED     a width that has no text form; 1, 2, 4 and whole bytes have
IREE_API_EXPORT iree_status_t iree_hal_parse_element(iree_string_view_t data_str,
                                                     iree_hal_element_type_t element_type,
                                                     iree_byte_span_t data_ptr);
IREE_API_EXPORT iree_status_t iree_hal_format_element(iree_const_byte_span_t data,
                                                      iree_hal_element_type_t element_type,
                                                      iree_host_size_t buffer_capacity,
                                                      char *buffer,
                                                      iree_host_size_t *out_buffer_length);

// All elements of a dense buffer. Separators are spaces, commas and brackets; one value fills.
//   errors: OUT_OF_RANGE  fewer ("underflow") or more ("overflow") values than elements
//           as above
IREE_API_EXPORT iree_status_t iree_hal_parse_buffer_elements(iree_string_view_t data_str,
                                                             iree_hal_element_type_t element_type,
                                                             iree_byte_span_t data_ptr);
IREE_API_EXPORT iree_status_t iree_hal_format_buffer_elements(
    iree_const_byte_span_t data, iree_host_size_t shape_rank, const iree_hal_dim_t *shape,
    iree_hal_element_type_t element_type, iree_host_size_t max_element_count,
    iree_host_size_t buffer_capacity, char *buffer, iree_host_size_t *out_buffer_length);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_STRING_UTIL_H_
