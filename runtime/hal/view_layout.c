// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Byte layout of dense row-major tensors, in checked arithmetic: shapes come from programs and
// users.
#include "iree/hal/buffer_view.h"

// Bits of a dense shape; false when they do not fit 64 bits. A shape without elements has none, but
// its other extents must fit as well: programs make shapes of them that have elements.
static bool count_bits(iree_host_size_t rank, const iree_hal_dim_t *shape, uint64_t element_bits,
                       uint64_t *out_bits) {
  uint64_t bits = element_bits;
  bool has_zero = false;
  for (iree_host_size_t i = 0; i < rank; ++i) {
    has_zero |= shape[i] == 0;
    if (shape[i] && !iree_device_size_checked_mul(bits, shape[i], &bits)) return false;
  }
  *out_bits = has_zero ? 0 : bits;
  return true;
}

static iree_status_t check_dense(iree_hal_encoding_type_t encoding_type) {
  if (encoding_type == IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "encoding %u has no computable layout; only dense row-major (%d) has",
                          encoding_type, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR);
}

iree_status_t iree_hal_buffer_compute_view_size(iree_host_size_t shape_rank,
                                                const iree_hal_dim_t *shape,
                                                iree_hal_element_type_t element_type,
                                                iree_hal_encoding_type_t encoding_type,
                                                iree_device_size_t *out_allocation_size) {
  *out_allocation_size = 0;
  IREE_RETURN_IF_ERROR(check_dense(encoding_type));
  uint64_t bits = 0;
  if (!count_bits(shape_rank, shape, iree_hal_element_bit_count(element_type), &bits)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "the shape needs more than 2^61 bytes");
  }
  *out_allocation_size = bits / 8 + (bits % 8 != 0);
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_compute_view_offset(
    iree_host_size_t shape_rank, const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_host_size_t indices_count,
    const iree_hal_dim_t *indices, iree_device_size_t *out_offset) {
  *out_offset = 0;
  IREE_RETURN_IF_ERROR(check_dense(encoding_type));
  if (indices_count != shape_rank) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%zu indices for a shape of rank %zu",
                            indices_count, shape_rank);
  }
  uint64_t element = 0;
  for (iree_host_size_t i = 0; i < shape_rank; ++i) {
    if (indices[i] >= shape[i]) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "index %zu is %" PRIu64 " but the dimension is %" PRIu64, i,
                              (uint64_t)indices[i], (uint64_t)shape[i]);
    }
    if (!iree_device_size_checked_mul_add(indices[i], element, shape[i], &element)) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "the element offset overflows");
    }
  }
  uint64_t bits = 0;
  if (!iree_device_size_checked_mul(element, iree_hal_element_bit_count(element_type), &bits)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "the byte offset overflows");
  }
  if (bits % 8) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "the sub-byte element does not start on a byte");
  }
  *out_offset = bits / 8;
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_compute_view_range(
    iree_host_size_t shape_rank, const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_host_size_t indices_count,
    const iree_hal_dim_t *start_indices, iree_host_size_t lengths_count,
    const iree_hal_dim_t *lengths, iree_device_size_t *out_start_offset,
    iree_device_size_t *out_length) {
  *out_start_offset = *out_length = 0;
  if (indices_count != shape_rank || lengths_count != shape_rank) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "%zu indices and %zu lengths for a shape of rank %zu", indices_count,
                            lengths_count, shape_rank);
  }
  // Contiguous: after the first dimension with more than one element all are whole.
  bool must_be_whole = false;
  for (iree_host_size_t i = 0; i < shape_rank; ++i) {
    if (!iree_range_is_within(start_indices[i], lengths[i], shape[i])) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "range [%" PRIu64 ", +%" PRIu64 ") leaves dimension %zu of %" PRIu64,
                              (uint64_t)start_indices[i], (uint64_t)lengths[i], i,
                              (uint64_t)shape[i]);
    }
    if (must_be_whole && lengths[i] != shape[i]) {
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "the range is not contiguous");
    }
    if (lengths[i] > 1) must_be_whole = true;
  }
  iree_device_size_t length = 0;
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_compute_view_size(shape_rank, lengths, element_type, encoding_type, &length));
  if (!length) return iree_ok_status();
  IREE_RETURN_IF_ERROR(iree_hal_buffer_compute_view_offset(shape_rank, shape, element_type,
                                                           encoding_type, indices_count,
                                                           start_indices, out_start_offset));
  *out_length = length;
  return iree_ok_status();
}
