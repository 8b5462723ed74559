// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of a pattern (splat_file.h).
#include "runtime/io/splat_file.h"

#include <string.h>

#include "iree/io/parameter_index.h"

typedef struct splat_file_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  uint64_t length;
  iree_host_size_t pattern_length;
  uint8_t pattern[IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH];
} splat_file_t;

static void splat_file_destroy(iree_hal_file_t *base) {
  iree_allocator_free(((splat_file_t *)base)->host_allocator, base);
}
static iree_hal_memory_access_t splat_file_allowed_access(iree_hal_file_t *base) {
  (void)base;
  return IREE_HAL_MEMORY_ACCESS_READ;
}
static uint64_t splat_file_length(iree_hal_file_t *base) { return ((splat_file_t *)base)->length; }

static iree_status_t splat_file_read(iree_hal_file_t *base, uint64_t file_offset,
                                     iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                     iree_device_size_t length) {
  const splat_file_t *file = (const splat_file_t *)base;
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                 IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE,
                                                 buffer_offset, length, &mapping));
  uint8_t turned[IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH];  // starts where the read does
  for (iree_host_size_t i = 0; i < file->pattern_length; ++i) {
    turned[i] = file->pattern[(file_offset + i) % file->pattern_length];
  }
  for (iree_host_size_t i = 0; i < mapping.contents.data_length; i += file->pattern_length) {
    memcpy(mapping.contents.data + i, turned,
           iree_min(file->pattern_length, mapping.contents.data_length - i));
  }
  return iree_hal_buffer_unmap_range(&mapping);
}

static iree_status_t splat_file_write(iree_hal_file_t *base, uint64_t file_offset,
                                      iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                      iree_device_size_t length) {
  (void)file_offset, (void)buffer, (void)buffer_offset, (void)length;
  return iree_hal_file_validate_access(base, IREE_HAL_MEMORY_ACCESS_WRITE);
}

static const iree_hal_file_vtable_t splat_file_vtable = {
    .destroy = splat_file_destroy,
    .allowed_access = splat_file_allowed_access,
    .length = splat_file_length,
    .read = splat_file_read,
    .write = splat_file_write,
};

iree_status_t splat_file_create(const void *pattern, iree_host_size_t pattern_length,
                                uint64_t length, iree_allocator_t host_allocator,
                                iree_hal_file_t **out_file) {
  *out_file = NULL;
  splat_file_t *file = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*file), (void **)&file));
  iree_hal_resource_initialize(&splat_file_vtable, &file->resource);
  file->host_allocator = host_allocator;
  file->length = length;
  file->pattern_length = pattern_length;
  memcpy(file->pattern, pattern, pattern_length);
  *out_file = (iree_hal_file_t *)file;
  return iree_ok_status();
}
