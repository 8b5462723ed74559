// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocators: the public functions in front of every implementation.
#include "iree/hal/allocator.h"

#define VTABLE(allocator) \
  ((const iree_hal_allocator_vtable_t *)((const iree_hal_resource_t *)(allocator))->vtable)

void iree_hal_allocator_retain(iree_hal_allocator_t *allocator) {
  iree_hal_resource_retain(allocator);
}
void iree_hal_allocator_release(iree_hal_allocator_t *allocator) {
  iree_hal_resource_release(allocator);
}

iree_allocator_t iree_hal_allocator_host_allocator(const iree_hal_allocator_t *allocator) {
  return VTABLE(allocator)->host_allocator(allocator);
}

iree_status_t iree_hal_allocator_trim(iree_hal_allocator_t *allocator) {
  return VTABLE(allocator)->trim(allocator);
}

void iree_hal_allocator_query_statistics(iree_hal_allocator_t *allocator,
                                         iree_hal_allocator_statistics_t *out_statistics) {
  memset(out_statistics, 0, sizeof(*out_statistics));
  VTABLE(allocator)->query_statistics(allocator, out_statistics);
}

iree_status_t iree_hal_allocator_statistics_format(
    const iree_hal_allocator_statistics_t *statistics, iree_string_builder_t *builder) {
  const struct {
    const char *name;
    iree_device_size_t peak, allocated, freed;
  } rows[] = {
      {"HOST_LOCAL", statistics->host_bytes_peak, statistics->host_bytes_allocated,
       statistics->host_bytes_freed},
      {"DEVICE_LOCAL", statistics->device_bytes_peak, statistics->device_bytes_allocated,
       statistics->device_bytes_freed},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
        builder,
        "%12s: %12" PRIu64 "B peak / %12" PRIu64 "B allocated / %12" PRIu64 "B freed / %12" PRIu64
        "B live\n",
        rows[i].name, (uint64_t)rows[i].peak, (uint64_t)rows[i].allocated, (uint64_t)rows[i].freed,
        (uint64_t)(rows[i].allocated - rows[i].freed)));
  }
  return iree_ok_status();
}

iree_status_t iree_hal_allocator_statistics_fprint(FILE *file, iree_hal_allocator_t *allocator) {
  iree_hal_allocator_statistics_t statistics;
  iree_hal_allocator_query_statistics(allocator, &statistics);
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_hal_allocator_host_allocator(allocator), &builder);
  iree_status_t status = iree_hal_allocator_statistics_format(&statistics, &builder);
  if (iree_status_is_ok(status)) {
    fprintf(file, "%.*s", (int)iree_string_builder_size(&builder),
            iree_string_builder_buffer(&builder));
  }
  iree_string_builder_deinitialize(&builder);
  return status;
}

iree_status_t iree_hal_allocator_query_memory_heaps(iree_hal_allocator_t *allocator,
                                                    iree_host_size_t capacity,
                                                    iree_hal_allocator_memory_heap_t *heaps,
                                                    iree_host_size_t *out_count) {
  iree_host_size_t count = 0;
  iree_status_t status = VTABLE(allocator)->query_memory_heaps(allocator, capacity, heaps, &count);
  if (out_count) *out_count = count;
  return status;
}

iree_hal_buffer_compatibility_t iree_hal_allocator_query_buffer_compatibility(
    iree_hal_allocator_t *allocator, iree_hal_buffer_params_t params,
    iree_device_size_t allocation_size, iree_hal_buffer_params_t *out_params,
    iree_device_size_t *out_allocation_size) {
  iree_hal_buffer_params_canonicalize(&params);
  iree_hal_buffer_compatibility_t result =
      VTABLE(allocator)->query_buffer_compatibility(allocator, &params, &allocation_size);
  if (out_params) *out_params = params;
  if (out_allocation_size) *out_allocation_size = allocation_size;
  return result;
}

iree_status_t iree_hal_allocator_allocate_buffer(iree_hal_allocator_t *allocator,
                                                 iree_hal_buffer_params_t params,
                                                 iree_device_size_t allocation_size,
                                                 iree_hal_buffer_t **out_buffer) {
  *out_buffer = NULL;
  iree_hal_buffer_params_canonicalize(&params);
  return VTABLE(allocator)->allocate_buffer(allocator, &params, allocation_size, out_buffer);
}

iree_status_t iree_hal_allocator_import_buffer(iree_hal_allocator_t *allocator,
                                               iree_hal_buffer_params_t params,
                                               iree_hal_external_buffer_t *external_buffer,
                                               iree_hal_buffer_release_callback_t release_callback,
                                               iree_hal_buffer_t **out_buffer) {
  *out_buffer = NULL;
  iree_hal_buffer_params_canonicalize(&params);
  return VTABLE(allocator)->import_buffer(allocator, &params, external_buffer, release_callback,
                                          out_buffer);
}

iree_status_t iree_hal_allocator_export_buffer(iree_hal_allocator_t *allocator,
                                               iree_hal_buffer_t *buffer,
                                               iree_hal_external_buffer_type_t requested_type,
                                               iree_hal_external_buffer_flags_t requested_flags,
                                               iree_hal_external_buffer_t *out_external_buffer) {
  memset(out_external_buffer, 0, sizeof(*out_external_buffer));
  return VTABLE(allocator)->export_buffer(allocator, buffer, requested_type, requested_flags,
                                          out_external_buffer);
}
