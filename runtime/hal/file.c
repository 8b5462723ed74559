// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files: the public functions, and the file that is a piece of host memory.
#include "iree/hal/file.h"

#define VTABLE(file) ((const iree_hal_file_vtable_t *)((const iree_hal_resource_t *)(file))->vtable)

void iree_hal_file_retain(iree_hal_file_t *file) { iree_hal_resource_retain(file); }
void iree_hal_file_release(iree_hal_file_t *file) { iree_hal_resource_release(file); }

iree_hal_memory_access_t iree_hal_file_allowed_access(iree_hal_file_t *file) {
  return VTABLE(file)->allowed_access(file);
}

uint64_t iree_hal_file_length(iree_hal_file_t *file) { return VTABLE(file)->length(file); }

// Absent functions of a table mean no.
bool iree_hal_file_supports_synchronous_io(iree_hal_file_t *file) {
  const iree_hal_file_vtable_t *vtable = VTABLE(file);
  return vtable->supports_synchronous_io ? vtable->supports_synchronous_io(file) : vtable->read != NULL;
}
iree_hal_buffer_t *iree_hal_file_storage_buffer(iree_hal_file_t *file) {
  const iree_hal_file_vtable_t *vtable = VTABLE(file);
  return vtable->storage_buffer ? vtable->storage_buffer(file) : NULL;
}
iree_async_file_t *iree_hal_file_async_handle(iree_hal_file_t *file) {
  const iree_hal_file_vtable_t *vtable = VTABLE(file);
  return vtable->async_handle ? vtable->async_handle(file) : NULL;
}

iree_status_t iree_hal_file_validate_access(iree_hal_file_t *file,
                                            iree_hal_memory_access_t required_access) {
  iree_hal_memory_access_t allowed_access = iree_hal_file_allowed_access(file);
  if (iree_all_bits_set(allowed_access, required_access)) return iree_ok_status();
  iree_bitfield_string_temp_t have, need;
  iree_string_view_t have_text = iree_hal_memory_access_format(allowed_access, &have);
  iree_string_view_t need_text = iree_hal_memory_access_format(required_access, &need);
  return iree_make_status(IREE_STATUS_PERMISSION_DENIED,
                          "file does not allow the access; have %.*s but need %.*s",
                          IREE_SV_ARGS(have_text), IREE_SV_ARGS(need_text));
}

static iree_status_t check_range(iree_hal_file_t *file, uint64_t offset, uint64_t length) {
  uint64_t file_length = iree_hal_file_length(file);
  if (iree_range_is_within(offset, length, file_length)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "byte range leaves the file (offset=%" PRIu64 ", length=%" PRIu64
                          ", file length=%" PRIu64 ")",
                          offset, length, file_length);
}

iree_status_t iree_hal_file_read(iree_hal_file_t *file, uint64_t file_offset,
                                 iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                 iree_device_size_t length) {
  IREE_RETURN_IF_ERROR(iree_hal_file_validate_access(file, IREE_HAL_MEMORY_ACCESS_READ));
  IREE_RETURN_IF_ERROR(check_range(file, file_offset, length));
  return VTABLE(file)->read(file, file_offset, buffer, buffer_offset, length);
}

iree_status_t iree_hal_file_write(iree_hal_file_t *file, uint64_t file_offset,
                                  iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                  iree_device_size_t length) {
  IREE_RETURN_IF_ERROR(iree_hal_file_validate_access(file, IREE_HAL_MEMORY_ACCESS_WRITE));
  IREE_RETURN_IF_ERROR(check_range(file, file_offset, length));
  return VTABLE(file)->write(file, file_offset, buffer, buffer_offset, length);
}

//===-- memory files --------------------------------------------------------------------------===//

typedef struct memory_file_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  iree_hal_memory_access_t access;
  iree_byte_span_t contents;
  iree_hal_file_release_callback_t release_callback;
} memory_file_t;

static void memory_file_destroy(iree_hal_file_t *base) {
  memory_file_t *file = (memory_file_t *)base;
  if (file->release_callback.fn) file->release_callback.fn(file->release_callback.user_data);
  iree_allocator_free(file->host_allocator, file);
}

static iree_hal_memory_access_t memory_file_allowed_access(iree_hal_file_t *base) {
  return ((memory_file_t *)base)->access;
}

static uint64_t memory_file_length(iree_hal_file_t *base) {
  return ((memory_file_t *)base)->contents.data_length;
}

static iree_status_t memory_file_read(iree_hal_file_t *base, uint64_t file_offset,
                                      iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                      iree_device_size_t length) {
  memory_file_t *file = (memory_file_t *)base;
  return iree_hal_buffer_map_write(buffer, buffer_offset,
                                   file->contents.data + (iree_host_size_t)file_offset, length);
}

static iree_status_t memory_file_write(iree_hal_file_t *base, uint64_t file_offset,
                                       iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                       iree_device_size_t length) {
  memory_file_t *file = (memory_file_t *)base;
  return iree_hal_buffer_map_read(buffer, buffer_offset,
                                  file->contents.data + (iree_host_size_t)file_offset, length);
}

static const iree_hal_file_vtable_t memory_file_vtable = {
    .destroy = memory_file_destroy,
    .allowed_access = memory_file_allowed_access,
    .length = memory_file_length,
    .read = memory_file_read,
    .write = memory_file_write,
};

iree_status_t iree_hal_memory_file_wrap(iree_hal_memory_access_t access, iree_byte_span_t contents,
                                        iree_hal_file_release_callback_t release_callback,
                                        iree_allocator_t host_allocator,
                                        iree_hal_file_t **out_file) {
  *out_file = NULL;
  memory_file_t *file = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(host_allocator, sizeof(*file), (void **)&file));
  iree_hal_resource_initialize(&memory_file_vtable, &file->resource);
  file->host_allocator = host_allocator;
  file->access = access;
  file->contents = contents;
  file->release_callback = release_callback;
  *out_file = (iree_hal_file_t *)file;
  return iree_ok_status();
}
