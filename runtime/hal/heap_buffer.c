// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of host memory that somebody else made: mapping is taking the address.
#include "runtime/hal/heap_buffer.h"

typedef struct wrapped_buffer_t {
  iree_hal_buffer_t base;
  iree_allocator_t host_allocator;
  uint8_t *data;
  iree_hal_buffer_release_callback_t release_callback;
} wrapped_buffer_t;

static void wrapped_buffer_destroy(iree_hal_buffer_t *base) {
  wrapped_buffer_t *buffer = (wrapped_buffer_t *)base;
  if (buffer->release_callback.fn) {
    buffer->release_callback.fn(buffer->release_callback.user_data, base);
  }
  iree_allocator_free(buffer->host_allocator, buffer);
}

static iree_status_t wrapped_buffer_map_range(iree_hal_buffer_t *base,
                                              iree_hal_mapping_mode_t mapping_mode,
                                              iree_hal_memory_access_t memory_access,
                                              iree_device_size_t local_byte_offset,
                                              iree_device_size_t local_byte_length,
                                              iree_hal_buffer_mapping_t *mapping) {
  (void)mapping_mode, (void)memory_access;
  wrapped_buffer_t *buffer = (wrapped_buffer_t *)base;
  mapping->contents = iree_make_byte_span(buffer->data + (iree_host_size_t)local_byte_offset,
                                          (iree_host_size_t)local_byte_length);
  return iree_ok_status();
}

iree_status_t host_buffer_unmap_range(iree_hal_buffer_t *buffer, iree_device_size_t offset,
                                      iree_device_size_t length,
                                      iree_hal_buffer_mapping_t *mapping) {
  (void)buffer, (void)offset, (void)length, (void)mapping;
  return iree_ok_status();
}

iree_status_t host_buffer_sync_range(iree_hal_buffer_t *buffer, iree_device_size_t offset,
                                     iree_device_size_t length) {
  (void)buffer, (void)offset, (void)length;
  return iree_ok_status();
}

static const iree_hal_buffer_vtable_t wrapped_buffer_vtable = {
    .destroy = wrapped_buffer_destroy,
    .map_range = wrapped_buffer_map_range,
    .unmap_range = host_buffer_unmap_range,
    .invalidate_range = host_buffer_sync_range,
    .flush_range = host_buffer_sync_range,
};

iree_status_t iree_hal_heap_buffer_wrap(iree_hal_buffer_placement_t placement,
                                        iree_hal_memory_type_t memory_type,
                                        iree_hal_memory_access_t allowed_access,
                                        iree_hal_buffer_usage_t allowed_usage,
                                        iree_device_size_t allocation_size, iree_byte_span_t data,
                                        iree_hal_buffer_release_callback_t release_callback,
                                        iree_allocator_t host_allocator,
                                        iree_hal_buffer_t **out_buffer) {
  *out_buffer = NULL;
  if (allocation_size > data.data_length || (!data.data && allocation_size)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "memory of %zu bytes cannot back a buffer of %" PRIu64 " bytes",
                            data.data_length, (uint64_t)allocation_size);
  }
  // Transfers take any address.
  const bool is_for_kernels = !(allowed_access & IREE_HAL_MEMORY_ACCESS_UNALIGNED) ||
                              (allowed_usage & IREE_HAL_BUFFER_USAGE_DISPATCH);
  if (is_for_kernels && !iree_host_ptr_has_alignment(data.data, IREE_HAL_HEAP_BUFFER_ALIGNMENT)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "memory at %p is not aligned to the %d bytes that kernels may assume",
                            (void *)data.data, IREE_HAL_HEAP_BUFFER_ALIGNMENT);
  }
  wrapped_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(host_allocator, sizeof(*buffer), (void **)&buffer));
  iree_hal_buffer_initialize(placement, &buffer->base, allocation_size, 0, allocation_size,
                             memory_type, allowed_access, allowed_usage, &wrapped_buffer_vtable,
                             &buffer->base);
  buffer->host_allocator = host_allocator;
  buffer->data = data.data;
  buffer->release_callback = release_callback;
  *out_buffer = &buffer->base;
  return iree_ok_status();
}
