// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A view is one block: the object, then its dims. Its byte length is computed once.
#include "iree/hal/buffer_view.h"

#include "iree/hal/allocator.h"
#include "iree/hal/device.h"

struct iree_hal_buffer_view_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  iree_hal_buffer_t *buffer;
  iree_hal_element_type_t element_type;
  iree_hal_encoding_type_t encoding_type;
  iree_device_size_t byte_length;
  iree_host_size_t shape_rank;
  iree_hal_dim_t shape[];
};

static void buffer_view_destroy(iree_hal_resource_t *resource) {
  iree_hal_buffer_view_t *view = (iree_hal_buffer_view_t *)resource;
  iree_hal_buffer_release(view->buffer);
  iree_allocator_free(view->host_allocator, view);
}

static const iree_hal_resource_vtable_t buffer_view_vtable = {.destroy = buffer_view_destroy};

iree_status_t iree_hal_buffer_view_create(iree_hal_buffer_t *buffer, iree_host_size_t shape_rank,
                                          const iree_hal_dim_t *shape,
                                          iree_hal_element_type_t element_type,
                                          iree_hal_encoding_type_t encoding_type,
                                          iree_allocator_t host_allocator,
                                          iree_hal_buffer_view_t **out_buffer_view) {
  *out_buffer_view = NULL;
  if (shape_rank > IREE_HAL_BUFFER_VIEW_MAX_RANK) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "rank %zu is above the limit of %d",
                            shape_rank, IREE_HAL_BUFFER_VIEW_MAX_RANK);
  }
  iree_device_size_t byte_length = iree_hal_buffer_byte_length(buffer);
  if (encoding_type == IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR) {
    IREE_RETURN_IF_ERROR(iree_hal_buffer_compute_view_size(shape_rank, shape, element_type,
                                                           encoding_type, &byte_length));
    if (byte_length > iree_hal_buffer_byte_length(buffer)) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "the shape needs %" PRIu64 " bytes but the buffer has %" PRIu64,
                              (uint64_t)byte_length, (uint64_t)iree_hal_buffer_byte_length(buffer));
    }
  }
  iree_hal_buffer_view_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_uninitialized(
      host_allocator, sizeof(*view) + shape_rank * sizeof(shape[0]), (void **)&view));
  iree_hal_resource_initialize(&buffer_view_vtable, &view->resource);
  view->host_allocator = host_allocator;
  view->buffer = buffer;
  iree_hal_buffer_retain(buffer);
  view->element_type = element_type;
  view->encoding_type = encoding_type;
  view->byte_length = byte_length;
  view->shape_rank = shape_rank;
  if (shape_rank) memcpy(view->shape, shape, shape_rank * sizeof(shape[0]));
  *out_buffer_view = view;
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_view_create_like(iree_hal_buffer_t *buffer,
                                               iree_hal_buffer_view_t *like_view,
                                               iree_allocator_t host_allocator,
                                               iree_hal_buffer_view_t **out_buffer_view) {
  return iree_hal_buffer_view_create(buffer, like_view->shape_rank, like_view->shape,
                                     like_view->element_type, like_view->encoding_type,
                                     host_allocator, out_buffer_view);
}

void iree_hal_buffer_view_retain(iree_hal_buffer_view_t *buffer_view) {
  iree_hal_resource_retain(buffer_view);
}
void iree_hal_buffer_view_release(iree_hal_buffer_view_t *buffer_view) {
  iree_hal_resource_release(buffer_view);
}

iree_hal_buffer_t *iree_hal_buffer_view_buffer(const iree_hal_buffer_view_t *buffer_view) {
  return buffer_view->buffer;
}
iree_host_size_t iree_hal_buffer_view_shape_rank(const iree_hal_buffer_view_t *buffer_view) {
  return buffer_view->shape_rank;
}
const iree_hal_dim_t *iree_hal_buffer_view_shape_dims(const iree_hal_buffer_view_t *buffer_view) {
  return buffer_view->shape;
}
iree_hal_dim_t iree_hal_buffer_view_shape_dim(const iree_hal_buffer_view_t *buffer_view,
                                              iree_host_size_t index) {
  return index < buffer_view->shape_rank ? buffer_view->shape[index] : 0;
}

iree_host_size_t iree_hal_buffer_view_element_count(const iree_hal_buffer_view_t *buffer_view) {
  iree_host_size_t count = 1;
  for (iree_host_size_t i = 0; i < buffer_view->shape_rank; ++i) {
    count *= (iree_host_size_t)buffer_view->shape[i];
  }
  return count;
}

iree_hal_element_type_t iree_hal_buffer_view_element_type(
    const iree_hal_buffer_view_t *buffer_view) {
  return buffer_view->element_type;
}
iree_host_size_t iree_hal_buffer_view_element_size(const iree_hal_buffer_view_t *buffer_view) {
  return iree_hal_element_dense_byte_count(buffer_view->element_type);
}
iree_hal_encoding_type_t iree_hal_buffer_view_encoding_type(
    const iree_hal_buffer_view_t *buffer_view) {
  return buffer_view->encoding_type;
}
iree_device_size_t iree_hal_buffer_view_byte_length(const iree_hal_buffer_view_t *buffer_view) {
  return buffer_view->byte_length;
}

iree_status_t iree_hal_buffer_view_shape(const iree_hal_buffer_view_t *buffer_view,
                                         iree_host_size_t rank_capacity, iree_hal_dim_t *out_shape,
                                         iree_host_size_t *out_shape_rank) {
  if (out_shape_rank) *out_shape_rank = buffer_view->shape_rank;
  if (rank_capacity < buffer_view->shape_rank) {
    return iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
  }
  memcpy(out_shape, buffer_view->shape, buffer_view->shape_rank * sizeof(out_shape[0]));
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_view_reshape(iree_hal_buffer_view_t *buffer_view,
                                           const iree_hal_dim_t *shape,
                                           iree_host_size_t shape_rank) {
  if (shape_rank != buffer_view->shape_rank) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "a view of rank %zu cannot take a shape of rank %zu; make a new view",
                            buffer_view->shape_rank, shape_rank);
  }
  iree_device_size_t byte_length = 0;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_compute_view_size(
      shape_rank, shape, buffer_view->element_type, buffer_view->encoding_type, &byte_length));
  if (byte_length != buffer_view->byte_length) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "the new shape has %" PRIu64 " bytes but the view has %" PRIu64,
                            (uint64_t)byte_length, (uint64_t)buffer_view->byte_length);
  }
  memcpy(buffer_view->shape, shape, shape_rank * sizeof(shape[0]));
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_view_compute_offset(const iree_hal_buffer_view_t *buffer_view,
                                                  iree_host_size_t indices_count,
                                                  const iree_hal_dim_t *indices,
                                                  iree_device_size_t *out_offset) {
  return iree_hal_buffer_compute_view_offset(buffer_view->shape_rank, buffer_view->shape,
                                             buffer_view->element_type, buffer_view->encoding_type,
                                             indices_count, indices, out_offset);
}

iree_status_t iree_hal_buffer_view_compute_range(const iree_hal_buffer_view_t *buffer_view,
                                                 iree_host_size_t indices_count,
                                                 const iree_hal_dim_t *start_indices,
                                                 iree_host_size_t lengths_count,
                                                 const iree_hal_dim_t *lengths,
                                                 iree_device_size_t *out_start_offset,
                                                 iree_device_size_t *out_length) {
  return iree_hal_buffer_compute_view_range(buffer_view->shape_rank, buffer_view->shape,
                                            buffer_view->element_type, buffer_view->encoding_type,
                                            indices_count, start_indices, lengths_count, lengths,
                                            out_start_offset, out_length);
}

//===-- making filled views -------------------------------------------------------------------===//

static iree_status_t copy_initial_data(iree_hal_buffer_mapping_t *mapping, void *user_data) {
  const iree_const_byte_span_t *data = (const iree_const_byte_span_t *)user_data;
  if (data->data_length != mapping->contents.data_length) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "the shape needs %zu bytes but %zu were given",
                            mapping->contents.data_length, data->data_length);
  }
  if (data->data_length) memcpy(mapping->contents.data, data->data, data->data_length);
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_view_allocate_buffer_copy(
    iree_hal_device_t *device, iree_hal_allocator_t *allocator, iree_host_size_t shape_rank,
    const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_hal_buffer_params_t buffer_params,
    iree_const_byte_span_t initial_data, iree_hal_buffer_view_t **out_buffer_view) {
  return iree_hal_buffer_view_generate_buffer(device, allocator, shape_rank, shape, element_type,
                                              encoding_type, buffer_params, copy_initial_data,
                                              &initial_data, out_buffer_view);
}

// Runs the callback on a mapping of the buffer, or on a staging copy when it cannot be mapped.
static iree_status_t generate_contents(iree_hal_device_t *device, iree_hal_buffer_t *buffer,
                                       iree_hal_buffer_view_generator_callback_t callback,
                                       void *user_data) {
  if (iree_all_bits_set(iree_hal_buffer_memory_type(buffer), IREE_HAL_MEMORY_TYPE_HOST_VISIBLE) &&
      iree_all_bits_set(iree_hal_buffer_allowed_usage(buffer),
                        IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED)) {
    iree_hal_buffer_mapping_t mapping;
    IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                   IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE, 0,
                                                   IREE_HAL_WHOLE_BUFFER, &mapping));
    iree_status_t status = callback(&mapping, user_data);
    if (iree_status_is_ok(status)) {
      status = iree_hal_buffer_mapping_flush_range(&mapping, 0, IREE_HAL_WHOLE_BUFFER);
    }
    return iree_status_join(status, iree_hal_buffer_unmap_range(&mapping));
  }
  iree_allocator_t host_allocator = iree_hal_device_host_allocator(device);
  iree_host_size_t length = (iree_host_size_t)iree_hal_buffer_byte_length(buffer);
  void *staging = NULL;
  if (length) IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, length, &staging));
  iree_hal_buffer_mapping_t mapping = {.contents = iree_make_byte_span(staging, length)};
  iree_status_t status = callback(&mapping, user_data);
  if (iree_status_is_ok(status)) {
    status = iree_hal_device_transfer_h2d(device, staging, buffer, 0, length,
                                          IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT,
                                          iree_infinite_timeout());
  }
  iree_allocator_free(host_allocator, staging);
  return status;
}

iree_status_t iree_hal_buffer_view_generate_buffer(
    iree_hal_device_t *device, iree_hal_allocator_t *allocator, iree_host_size_t shape_rank,
    const iree_hal_dim_t *shape, iree_hal_element_type_t element_type,
    iree_hal_encoding_type_t encoding_type, iree_hal_buffer_params_t buffer_params,
    iree_hal_buffer_view_generator_callback_t callback, void *user_data,
    iree_hal_buffer_view_t **out_buffer_view) {
  *out_buffer_view = NULL;
  iree_device_size_t size = 0;
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_compute_view_size(shape_rank, shape, element_type, encoding_type, &size));
  iree_hal_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_allocator_allocate_buffer(allocator, buffer_params, size, &buffer));
  iree_status_t status = generate_contents(device, buffer, callback, user_data);
  if (iree_status_is_ok(status)) {
    status =
        iree_hal_buffer_view_create(buffer, shape_rank, shape, element_type, encoding_type,
                                    iree_hal_allocator_host_allocator(allocator), out_buffer_view);
  }
  iree_hal_buffer_release(buffer);
  return status;
}
