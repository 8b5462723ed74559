// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer seen as a tensor: shape, element type and encoding.
//
// Element type = numerical kind << 24 | bits; sub-byte elements are packed densely. Only the dense
// row-major encoding has a computable layout. Below the view nothing knows shapes.
#ifndef IREE_HAL_BUFFER_VIEW_H_
#define IREE_HAL_BUFFER_VIEW_H_

#include <stdio.h>

#include "iree/base/api.h"
#include "iree/hal/buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum iree_hal_numerical_type_bits_t {
  IREE_HAL_NUMERICAL_TYPE_UNKNOWN = 0x00u,
  IREE_HAL_NUMERICAL_TYPE_INTEGER = 0x10u,
  IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED = 0x11u,
  IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED = 0x12u,
  IREE_HAL_NUMERICAL_TYPE_BOOLEAN = 0x13u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT = 0x20u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT_IEEE = 0x21u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT_BRAIN = 0x22u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT_COMPLEX = 0x23u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT_8_E5M2 = 0x24u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT_8_E4M3FN = 0x25u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT_8_E5M2_FNUZ = 0x26u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT_8_E4M3_FNUZ = 0x27u,
  IREE_HAL_NUMERICAL_TYPE_FLOAT_8_E8M0_FNU = 0x28u,
};
typedef uint8_t iree_hal_numerical_type_t;
typedef uint32_t iree_hal_element_type_t;

#define IREE_HAL_ELEMENT_TYPE_VALUE(numerical_type, bit_count) \
  (((uint32_t)(numerical_type) << 24) | (uint32_t)(bit_count))
#define iree_hal_make_element_type(numerical_type, bit_count) \
  ((iree_hal_element_type_t)IREE_HAL_ELEMENT_TYPE_VALUE(numerical_type, bit_count))
#define iree_hal_element_numerical_type(element_type) \
  ((iree_hal_numerical_type_t)((uint32_t)(element_type) >> 24))
#define iree_hal_element_numerical_type_is_opaque(element_type) \
  (iree_hal_element_numerical_type(element_type) == IREE_HAL_NUMERICAL_TYPE_UNKNOWN)
#define iree_hal_element_numerical_type_is_boolean(element_type)                        \
  ((iree_hal_element_numerical_type(element_type) & IREE_HAL_NUMERICAL_TYPE_BOOLEAN) == \
   IREE_HAL_NUMERICAL_TYPE_BOOLEAN)
#define iree_hal_element_numerical_type_is_integer(element_type) \
  ((iree_hal_element_numerical_type(element_type) & IREE_HAL_NUMERICAL_TYPE_INTEGER) != 0)
#define iree_hal_element_numerical_type_is_float(element_type) \
  ((iree_hal_element_numerical_type(element_type) & IREE_HAL_NUMERICAL_TYPE_FLOAT) != 0)
#define iree_hal_element_numerical_type_is_complex_float(element_type) \
  (iree_hal_element_numerical_type(element_type) == IREE_HAL_NUMERICAL_TYPE_FLOAT_COMPLEX)
#define iree_hal_element_bit_count(element_type) ((iree_host_size_t)((element_type)&0xFF))
#define iree_hal_element_is_byte_aligned(element_type) \
  (iree_hal_element_bit_count(element_type) % 8 == 0)
#define iree_hal_element_dense_byte_count(element_type) \
  ((iree_hal_element_bit_count(element_type) + 8 - 1) / 8)
#define iree_hal_element_packed_byte_count(element_type, element_count) \
  (((element_count)*iree_hal_element_bit_count(element_type) + 7) / 8)
#define iree_hal_element_type_is_integer(element_type, bit_width) \
  (iree_hal_element_numerical_type_is_integer(element_type) &&    \
   iree_hal_element_bit_count(element_type) == (bit_width))

enum iree_hal_element_types_t {
  IREE_HAL_ELEMENT_TYPE_NONE = 0,
  IREE_HAL_ELEMENT_TYPE_OPAQUE_8 = 0x00000008u,
  IREE_HAL_ELEMENT_TYPE_OPAQUE_16 = 0x00000010u,
  IREE_HAL_ELEMENT_TYPE_OPAQUE_32 = 0x00000020u,
  IREE_HAL_ELEMENT_TYPE_OPAQUE_64 = 0x00000040u,
  IREE_HAL_ELEMENT_TYPE_BOOL_8 = 0x13000008u,
  IREE_HAL_ELEMENT_TYPE_INT_4 = 0x10000004u,
  IREE_HAL_ELEMENT_TYPE_INT_8 = 0x10000008u,
  IREE_HAL_ELEMENT_TYPE_INT_16 = 0x10000010u,
  IREE_HAL_ELEMENT_TYPE_INT_32 = 0x10000020u,
  IREE_HAL_ELEMENT_TYPE_INT_64 = 0x10000040u,
  IREE_HAL_ELEMENT_TYPE_SINT_4 = 0x11000004u,
  IREE_HAL_ELEMENT_TYPE_SINT_8 = 0x11000008u,
  IREE_HAL_ELEMENT_TYPE_SINT_16 = 0x11000010u,
  IREE_HAL_ELEMENT_TYPE_SINT_32 = 0x11000020u,
  IREE_HAL_ELEMENT_TYPE_SINT_64 = 0x11000040u,
  IREE_HAL_ELEMENT_TYPE_UINT_4 = 0x12000004u,
  IREE_HAL_ELEMENT_TYPE_UINT_8 = 0x12000008u,
  IREE_HAL_ELEMENT_TYPE_UINT_16 = 0x12000010u,
  IREE_HAL_ELEMENT_TYPE_UINT_32 = 0x12000020u,
  IREE_HAL_ELEMENT_TYPE_UINT_64 = 0x12000040u,
  IREE_HAL_ELEMENT_TYPE_FLOAT_16 = 0x21000010u,
  IREE_HAL_ELEMENT_TYPE_FLOAT_32 = 0x21000020u,
  IREE_HAL_ELEMENT_TYPE_FLOAT_64 = 0x21000040u,
  IREE_HAL_ELEMENT_TYPE_BFLOAT_16 = 0x22000010u,
  IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_64 = 0x23000040u,
  IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_128 = 0x23000080u,
  IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2 = 0x24000008u,
  IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FN = 0x25000008u,
  IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2_FNUZ = 0x26000008u,
  IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FNUZ = 0x27000008u,
  IREE_HAL_ELEMENT_TYPE_FLOAT_8_E8M0_FNU = 0x28000008u,
};

enum iree_hal_encoding_types_t {
  IREE_HAL_ENCODING_TYPE_OPAQUE = 0,
  IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR = 1,
};
typedef uint32_t iree_hal_encoding_type_t;

typedef iree_device_size_t iree_hal_dim_t;
#define PRIdim PRIdsz

typedef struct iree_hal_buffer_view_t iree_hal_buffer_view_t;

// Makes a view of a whole buffer.
//   owns:   transfers ownership to the caller; retains the buffer; the shape is copied
//   errors: INVALID_ARGUMENT    rank > IREE_HAL_BUFFER_VIEW_MAX_RANK
//           OUT_OF_RANGE        the dense shape needs more bytes than the buffer has
//           RESOURCE_EXHAUSTED  no host memory
#define IREE_HAL_BUFFER_VIEW_MAX_RANK 128
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_create(
    iree_hal_buffer_t *buffer, iree_host_size_t shape_rank, const iree_hal_dim_t *shape,
    iree_hal_element_type_t element_type, iree_hal_encoding_type_t encoding_type,
    iree_allocator_t host_allocator, iree_hal_buffer_view_t **out_buffer_view);
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_create_like(
    iree_hal_buffer_t *buffer, iree_hal_buffer_view_t *like_view, iree_allocator_t host_allocator,
    iree_hal_buffer_view_t **out_buffer_view);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_buffer_view_retain(iree_hal_buffer_view_t *buffer_view);
IREE_API_EXPORT void iree_hal_buffer_view_release(iree_hal_buffer_view_t *buffer_view);

// Facts about a view. shape_dim is 0 outside the rank.
//   units:  element_size and byte_length in bytes
//   owns:   pointers are borrowed from the view until it is released
//   errors: none
IREE_API_EXPORT iree_hal_buffer_t *iree_hal_buffer_view_buffer(
    const iree_hal_buffer_view_t *buffer_view);
IREE_API_EXPORT iree_host_size_t
iree_hal_buffer_view_shape_rank(const iree_hal_buffer_view_t *buffer_view);
IREE_API_EXPORT const iree_hal_dim_t *iree_hal_buffer_view_shape_dims(
    const iree_hal_buffer_view_t *buffer_view);
IREE_API_EXPORT iree_hal_dim_t
iree_hal_buffer_view_shape_dim(const iree_hal_buffer_view_t *buffer_view, iree_host_size_t index);
IREE_API_EXPORT iree_host_size_t
iree_hal_buffer_view_element_count(const iree_hal_buffer_view_t *buffer_view);
IREE_API_EXPORT iree_hal_element_type_t
iree_hal_buffer_view_element_type(const iree_hal_buffer_view_t *buffer_view);
IREE_API_EXPORT iree_host_size_t
iree_hal_buffer_view_element_size(const iree_hal_buffer_view_t *buffer_view);
IREE_API_EXPORT iree_hal_encoding_type_t
iree_hal_buffer_view_encoding_type(const iree_hal_buffer_view_t *buffer_view);
IREE_API_EXPORT iree_device_size_t
iree_hal_buffer_view_byte_length(const iree_hal_buffer_view_t *buffer_view);

// Copies the shape out, or replaces it by one of as many elements (in place, same rank).
//   errors: OUT_OF_RANGE      |rank_capacity| is too small; |out_shape_rank| has the need
//           INVALID_ARGUMENT  (reshape) the rank or element count differs
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_shape(const iree_hal_buffer_view_t *buffer_view,
                                                         iree_host_size_t rank_capacity,
                                                         iree_hal_dim_t *out_shape,
                                                         iree_host_size_t *out_shape_rank);
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_reshape(iree_hal_buffer_view_t *buffer_view,
                                                           const iree_hal_dim_t *shape,
                                                           iree_host_size_t shape_rank);

// Byte layout of dense row-major shapes.
//   units:  sizes and offsets in bytes, indices and lengths in elements
//   errors: INVALID_ARGUMENT  opaque encoding, or a rank that differs from the shape's
//           OUT_OF_RANGE      an index leaves its dimension, or the size overflows
//           UNIMPLEMENTED     offset into sub-byte elements, or a range that is not contiguous
IREE_API_EXPORT iree_status_t iree_hal_buffer_compute_view_size(
    iree_host_size_t shape_rank, const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_device_size_t *out_allocation_size);
IREE_API_EXPORT iree_status_t iree_hal_buffer_compute_view_offset(
    iree_host_size_t shape_rank, const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_host_size_t indices_count,
    const iree_hal_dim_t *indices, iree_device_size_t *out_offset);
IREE_API_EXPORT iree_status_t iree_hal_buffer_compute_view_range(
    iree_host_size_t shape_rank, const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_host_size_t indices_count,
    const iree_hal_dim_t *start_indices, iree_host_size_t lengths_count,
    const iree_hal_dim_t *lengths, iree_device_size_t *out_start_offset,
    iree_device_size_t *out_length);
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_compute_offset(
    const iree_hal_buffer_view_t *buffer_view, iree_host_size_t indices_count,
    const iree_hal_dim_t *indices, iree_device_size_t *out_offset);
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_compute_range(
    const iree_hal_buffer_view_t *buffer_view, iree_host_size_t indices_count,
    const iree_hal_dim_t *start_indices, iree_host_size_t lengths_count,
    const iree_hal_dim_t *lengths, iree_device_size_t *out_start_offset,
    iree_device_size_t *out_length);

// Allocates a buffer, fills it (from data, or by a callback on its mapping) and makes a view of it.
//   owns:   transfers ownership to the caller
//   errors: those of allocation, mapping and view creation; OUT_OF_RANGE when |initial_data| is not
//           of the shape's size
typedef iree_status_t(IREE_API_PTR *iree_hal_buffer_view_generator_callback_t)(
    iree_hal_buffer_mapping_t *mapping, void *user_data);
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_allocate_buffer_copy(
    iree_hal_device_t *device, iree_hal_allocator_t *allocator, iree_host_size_t shape_rank,
    const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_hal_buffer_params_t buffer_params,
    iree_const_byte_span_t initial_data, iree_hal_buffer_view_t **out_buffer_view);
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_generate_buffer(
    iree_hal_device_t *device, iree_hal_allocator_t *allocator, iree_host_size_t shape_rank,
    const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_hal_buffer_params_t buffer_params,
    iree_hal_buffer_view_generator_callback_t callback, void *user_data,
    iree_hal_buffer_view_t **out_buffer_view);

// Reads `[DxDx...]TYPE[=VALUES]` into a new view; no values gives zeros, one value fills.
//   owns:   transfers ownership to the caller
//   errors: INVALID_ARGUMENT  malformed text; OUT_OF_RANGE  the wrong number of values
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_parse(iree_string_view_t value,
                                                         iree_hal_device_t *device,
                                                         iree_hal_allocator_t *device_allocator,
                                                         iree_hal_buffer_view_t **out_buffer_view);

// Writes a view as text in the form that _parse reads; more than |max_element_count| elements are
// cut with "...".
//   errors: OUT_OF_RANGE  (format) |buffer_capacity| is too small; |out_buffer_length| has the need
//           those of mapping the buffer
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_format(const iree_hal_buffer_view_t *buffer_view,
                                                          iree_host_size_t max_element_count,
                                                          iree_host_size_t buffer_capacity,
                                                          char *buffer,
                                                          iree_host_size_t *out_buffer_length);
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_fprint(FILE *file,
                                                          const iree_hal_buffer_view_t *buffer_view,
                                                          iree_host_size_t max_element_count,
                                                          iree_allocator_t host_allocator);
IREE_API_EXPORT iree_status_t iree_hal_buffer_view_append_to_builder(
    iree_hal_buffer_view_t *buffer_view, iree_host_size_t max_element_count,
    iree_string_builder_t *builder);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_BUFFER_VIEW_H_
