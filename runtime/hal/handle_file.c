// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files over handles (iree/io/file_handle.h): host memory, or a descriptor that is read and written
// at offsets.
#include "base/descriptor.h"
#include "iree/hal/api.h"
#include "base/io/file_range.h"

typedef struct handle_file_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  iree_hal_memory_access_t access;
  iree_io_file_handle_t *handle;
} handle_file_t;

static void handle_file_destroy(iree_hal_file_t *base) {
  handle_file_t *file = (handle_file_t *)base;
  iree_io_file_handle_release(file->handle);
  iree_allocator_free(file->host_allocator, file);
}

static iree_hal_memory_access_t handle_file_allowed_access(iree_hal_file_t *base) {
  return ((handle_file_t *)base)->access;
}

// The length now: a file can grow.
static uint64_t handle_file_length(iree_hal_file_t *base) {
  uint64_t length = 0;
  iree_status_ignore(file_handle_length(((handle_file_t *)base)->handle, &length));
  return length;
}

static iree_status_t handle_file_read(iree_hal_file_t *base, uint64_t file_offset,
                                      iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                      iree_device_size_t length) {
  const iree_io_file_handle_primitive_t primitive =
      iree_io_file_handle_primitive(((handle_file_t *)base)->handle);
  if (length == 0) return iree_ok_status();
  if (primitive.type == IREE_IO_FILE_HANDLE_TYPE_HOST_ALLOCATION) {
    return iree_hal_buffer_map_write(buffer, buffer_offset,
                                     primitive.value.host_allocation.data + file_offset, length);
  }
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                 IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE,
                                                 buffer_offset, length, &mapping));
  iree_status_t status = descriptor_read(primitive.value.fd, file_offset, mapping.contents);
  return iree_status_join(status, iree_hal_buffer_unmap_range(&mapping));
}

static iree_status_t handle_file_write(iree_hal_file_t *base, uint64_t file_offset,
                                       iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                       iree_device_size_t length) {
  const iree_io_file_handle_primitive_t primitive =
      iree_io_file_handle_primitive(((handle_file_t *)base)->handle);
  if (length == 0) return iree_ok_status();
  if (primitive.type == IREE_IO_FILE_HANDLE_TYPE_HOST_ALLOCATION) {
    return iree_hal_buffer_map_read(buffer, buffer_offset,
                                    primitive.value.host_allocation.data + file_offset, length);
  }
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                 IREE_HAL_MEMORY_ACCESS_READ, buffer_offset, length,
                                                 &mapping));
  iree_status_t status = descriptor_write(primitive.value.fd, file_offset,
                                          iree_const_cast_byte_span(mapping.contents));
  return iree_status_join(status, iree_hal_buffer_unmap_range(&mapping));
}

static const iree_hal_file_vtable_t handle_file_vtable = {
    .destroy = handle_file_destroy,
    .allowed_access = handle_file_allowed_access,
    .length = handle_file_length,
    .read = handle_file_read,
    .write = handle_file_write,
};

static iree_hal_memory_access_t access_of(iree_io_file_handle_t *handle) {
  const iree_io_file_access_t access = iree_io_file_handle_access(handle);
  return (access & IREE_IO_FILE_ACCESS_READ ? IREE_HAL_MEMORY_ACCESS_READ : 0u) |
         (access & IREE_IO_FILE_ACCESS_WRITE
              ? IREE_HAL_MEMORY_ACCESS_WRITE | IREE_HAL_MEMORY_ACCESS_DISCARD
              : 0u);
}

iree_status_t iree_hal_file_import(iree_hal_device_t *device,
                                   iree_hal_queue_affinity_t queue_affinity,
                                   iree_hal_memory_access_t access, iree_io_file_handle_t *handle,
                                   iree_hal_external_file_flags_t flags,
                                   iree_hal_file_t **out_file) {
  (void)queue_affinity, (void)flags;
  *out_file = NULL;
  uint64_t length = 0;
  IREE_RETURN_IF_ERROR(file_handle_length(handle, &length));  // shows what is no file
  const iree_allocator_t host_allocator = iree_hal_device_host_allocator(device);
  handle_file_t *file = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*file), (void **)&file));
  iree_hal_resource_initialize(&handle_file_vtable, &file->resource);
  file->host_allocator = host_allocator;
  file->access = access_of(handle);
  file->handle = handle;
  iree_io_file_handle_retain(handle);
  iree_status_t status = iree_hal_file_validate_access((iree_hal_file_t *)file, access);
  if (!iree_status_is_ok(status)) {
    iree_hal_file_release((iree_hal_file_t *)file);
    return status;
  }
  *out_file = (iree_hal_file_t *)file;
  return iree_ok_status();
}
