// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The allocator of plain host memory. A buffer and its bytes are one block of the recycler.
#include "iree/hal/allocator.h"
#include "runtime/hal/heap_buffer.h"
#include "runtime/hal/recycler.h"

#include "base/threads.h"

// What freed buffers may hold back for the next ones.
#define MAX_CACHED_BYTES ((iree_host_size_t)64 << 20)

typedef struct heap_allocator_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  recycler_t *recycler;
  spinlock_t statistics_lock;
  iree_hal_allocator_statistics_t statistics;
} heap_allocator_t;

typedef struct heap_buffer_t {
  iree_hal_buffer_t base;
  heap_allocator_t *allocator;
} heap_buffer_t;
#define HEAP_BUFFER_HEADER_BYTES \
  ((sizeof(heap_buffer_t) + RECYCLER_ALIGNMENT - 1) / RECYCLER_ALIGNMENT * RECYCLER_ALIGNMENT)

static void count_bytes(heap_allocator_t *allocator, iree_hal_memory_type_t type,
                        iree_device_size_t allocated, iree_device_size_t freed) {
  spinlock_lock(&allocator->statistics_lock);
  iree_hal_allocator_statistics_t *s = &allocator->statistics;
  if (iree_all_bits_set(type, IREE_HAL_MEMORY_TYPE_HOST_LOCAL)) {
    s->host_bytes_allocated += allocated;
    s->host_bytes_freed += freed;
    s->host_bytes_peak =
        iree_max(s->host_bytes_peak, s->host_bytes_allocated - s->host_bytes_freed);
  } else {
    s->device_bytes_allocated += allocated;
    s->device_bytes_freed += freed;
    s->device_bytes_peak =
        iree_max(s->device_bytes_peak, s->device_bytes_allocated - s->device_bytes_freed);
  }
  spinlock_unlock(&allocator->statistics_lock);
}

static void heap_buffer_destroy(iree_hal_buffer_t *base) {
  heap_allocator_t *allocator = ((heap_buffer_t *)base)->allocator;
  count_bytes(allocator, base->memory_type, 0, base->allocation_size);
  iree_allocator_free(recycler_allocator(allocator->recycler), base);
  iree_hal_allocator_release((iree_hal_allocator_t *)allocator);
}

static iree_status_t heap_buffer_map_range(iree_hal_buffer_t *base,
                                           iree_hal_mapping_mode_t mapping_mode,
                                           iree_hal_memory_access_t memory_access,
                                           iree_device_size_t offset, iree_device_size_t length,
                                           iree_hal_buffer_mapping_t *mapping) {
  (void)mapping_mode, (void)memory_access;
  mapping->contents =
      iree_make_byte_span((uint8_t *)base + HEAP_BUFFER_HEADER_BYTES + (iree_host_size_t)offset,
                          (iree_host_size_t)length);
  return iree_ok_status();
}

static const iree_hal_buffer_vtable_t heap_buffer_vtable = {
    .destroy = heap_buffer_destroy,
    .map_range = heap_buffer_map_range,
    .unmap_range = host_buffer_unmap_range,
    .invalidate_range = host_buffer_sync_range,
    .flush_range = host_buffer_sync_range,
};

static void heap_allocator_destroy(iree_hal_allocator_t *base) {
  heap_allocator_t *allocator = (heap_allocator_t *)base;
  iree_allocator_t host_allocator = allocator->host_allocator;
  recycler_release(allocator->recycler);
  iree_allocator_free(host_allocator, allocator);
}

static iree_allocator_t heap_allocator_host_allocator(const iree_hal_allocator_t *base) {
  return ((const heap_allocator_t *)base)->host_allocator;
}

static iree_status_t heap_allocator_trim(iree_hal_allocator_t *base) {
  recycler_trim(((heap_allocator_t *)base)->recycler);
  return iree_ok_status();
}

static void heap_allocator_query_statistics(iree_hal_allocator_t *base,
                                            iree_hal_allocator_statistics_t *out_statistics) {
  heap_allocator_t *allocator = (heap_allocator_t *)base;
  spinlock_lock(&allocator->statistics_lock);
  *out_statistics = allocator->statistics;
  spinlock_unlock(&allocator->statistics_lock);
}

static iree_status_t heap_allocator_query_memory_heaps(iree_hal_allocator_t *base,
                                                       iree_host_size_t capacity,
                                                       iree_hal_allocator_memory_heap_t *heaps,
                                                       iree_host_size_t *out_count) {
  (void)base;
  *out_count = 1;
  if (capacity < 1) return iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
  iree_hal_buffer_params_t params = {
      .usage = IREE_HAL_BUFFER_USAGE_TRANSFER | IREE_HAL_BUFFER_USAGE_DISPATCH,
      .type = IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL | IREE_HAL_MEMORY_TYPE_HOST_LOCAL};
  host_buffer_widen_params(&params);
  heaps[0] = (iree_hal_allocator_memory_heap_t){
      .type = params.type,
      .allowed_usage = params.usage,
      .max_allocation_size = IREE_HOST_SIZE_MAX / 4,
      .min_alignment = IREE_HAL_HEAP_BUFFER_ALIGNMENT,
  };
  return iree_ok_status();
}

static iree_hal_buffer_compatibility_t heap_allocator_query_buffer_compatibility(
    iree_hal_allocator_t *base, iree_hal_buffer_params_t *params,
    iree_device_size_t *allocation_size) {
  (void)base;
  host_buffer_widen_params(params);
  if (*allocation_size > IREE_HOST_SIZE_MAX / 4 ||
      params->min_alignment > IREE_HAL_HEAP_BUFFER_ALIGNMENT) {
    return IREE_HAL_BUFFER_COMPATIBILITY_NONE;
  }
  iree_hal_buffer_compatibility_t result = IREE_HAL_BUFFER_COMPATIBILITY_ALLOCATABLE |
                                           IREE_HAL_BUFFER_COMPATIBILITY_IMPORTABLE |
                                           IREE_HAL_BUFFER_COMPATIBILITY_EXPORTABLE;
  if (params->usage & IREE_HAL_BUFFER_USAGE_TRANSFER) {
    result |= IREE_HAL_BUFFER_COMPATIBILITY_QUEUE_TRANSFER;
  }
  if (params->usage & IREE_HAL_BUFFER_USAGE_DISPATCH) {
    result |= IREE_HAL_BUFFER_COMPATIBILITY_QUEUE_DISPATCH;
  }
  return result;
}

static iree_status_t check_alignment(const iree_hal_buffer_params_t *params) {
  if (params->min_alignment <= IREE_HAL_HEAP_BUFFER_ALIGNMENT) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "host buffers are aligned to %d bytes, %" PRIu64 " were asked for",
                          IREE_HAL_HEAP_BUFFER_ALIGNMENT, (uint64_t)params->min_alignment);
}

static iree_status_t heap_allocator_allocate_buffer(iree_hal_allocator_t *base,
                                                    const iree_hal_buffer_params_t *params,
                                                    iree_device_size_t allocation_size,
                                                    iree_hal_buffer_t **out_buffer) {
  heap_allocator_t *allocator = (heap_allocator_t *)base;
  IREE_RETURN_IF_ERROR(check_alignment(params));
  iree_hal_buffer_params_t wide = *params;
  host_buffer_widen_params(&wide);
  if (allocation_size > IREE_HOST_SIZE_MAX / 4) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "a buffer of %" PRIu64 " bytes cannot be allocated",
                            (uint64_t)allocation_size);
  }
  heap_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(
          recycler_allocator(allocator->recycler),
          HEAP_BUFFER_HEADER_BYTES + (iree_host_size_t)allocation_size, (void **)&buffer),
      "allocating a buffer of %" PRIu64 " bytes", (uint64_t)allocation_size);
  iree_hal_buffer_initialize(iree_hal_buffer_placement_undefined(), &buffer->base, allocation_size,
                             0, allocation_size, wide.type, wide.access, wide.usage,
                             &heap_buffer_vtable, &buffer->base);
  buffer->allocator = allocator;
  iree_hal_allocator_retain(base);
  count_bytes(allocator, wide.type, allocation_size, 0);
  *out_buffer = &buffer->base;
  return iree_ok_status();
}

static iree_status_t heap_allocator_import_buffer(
    iree_hal_allocator_t *base, const iree_hal_buffer_params_t *params,
    iree_hal_external_buffer_t *external_buffer,
    iree_hal_buffer_release_callback_t release_callback, iree_hal_buffer_t **out_buffer) {
  heap_allocator_t *allocator = (heap_allocator_t *)base;
  void *ptr = NULL;
  if (external_buffer->type == IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION) {
    ptr = external_buffer->handle.host_allocation.ptr;
  } else if (external_buffer->type == IREE_HAL_EXTERNAL_BUFFER_TYPE_DEVICE_ALLOCATION) {
    ptr = (void *)(uintptr_t)external_buffer->handle.device_allocation.ptr;
  } else {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "external buffer type %d cannot be used by a host allocator; import a "
                            "host allocation",
                            (int)external_buffer->type);
  }
  IREE_RETURN_IF_ERROR(check_alignment(params));
  iree_hal_buffer_params_t wide = *params;
  host_buffer_widen_params(&wide);
  return iree_hal_heap_buffer_wrap(
      iree_hal_buffer_placement_undefined(), wide.type, wide.access, wide.usage,
      external_buffer->size, iree_make_byte_span(ptr, (iree_host_size_t)external_buffer->size),
      release_callback, allocator->host_allocator, out_buffer);
}

static iree_status_t heap_allocator_export_buffer(iree_hal_allocator_t *base,
                                                  iree_hal_buffer_t *buffer,
                                                  iree_hal_external_buffer_type_t requested_type,
                                                  iree_hal_external_buffer_flags_t requested_flags,
                                                  iree_hal_external_buffer_t *out_external_buffer) {
  (void)base;
  if (requested_type != IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION &&
      requested_type != IREE_HAL_EXTERNAL_BUFFER_TYPE_DEVICE_ALLOCATION) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "external buffer type %d cannot be exported from host memory",
                            (int)requested_type);
  }
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_PERSISTENT,
                                                 IREE_HAL_MEMORY_ACCESS_ANY, 0,
                                                 IREE_HAL_WHOLE_BUFFER, &mapping));
  *out_external_buffer = (iree_hal_external_buffer_t){
      .type = requested_type, .flags = requested_flags, .size = mapping.contents.data_length};
  if (requested_type == IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION) {
    out_external_buffer->handle.host_allocation.ptr = mapping.contents.data;
  } else {
    out_external_buffer->handle.device_allocation.ptr = (uint64_t)(uintptr_t)mapping.contents.data;
  }
  return iree_hal_buffer_unmap_range(&mapping);
}

static const iree_hal_allocator_vtable_t heap_allocator_vtable = {
    .destroy = heap_allocator_destroy,
    .host_allocator = heap_allocator_host_allocator,
    .trim = heap_allocator_trim,
    .query_statistics = heap_allocator_query_statistics,
    .query_memory_heaps = heap_allocator_query_memory_heaps,
    .query_buffer_compatibility = heap_allocator_query_buffer_compatibility,
    .allocate_buffer = heap_allocator_allocate_buffer,
    .import_buffer = heap_allocator_import_buffer,
    .export_buffer = heap_allocator_export_buffer,
};

iree_status_t iree_hal_allocator_create_heap(iree_string_view_t identifier,
                                             iree_allocator_t data_allocator,
                                             iree_allocator_t host_allocator,
                                             iree_hal_allocator_t **out_allocator) {
  (void)identifier;
  *out_allocator = NULL;
  recycler_t *recycler = NULL;
  IREE_RETURN_IF_ERROR(recycler_create(data_allocator, MAX_CACHED_BYTES, &recycler));
  heap_allocator_t *allocator = NULL;
  IREE_RETURN_AND_EVAL_IF_ERROR(
      recycler_release(recycler),
      iree_allocator_malloc(host_allocator, sizeof(*allocator), (void **)&allocator));
  iree_hal_resource_initialize(&heap_allocator_vtable, &allocator->resource);
  allocator->host_allocator = host_allocator;
  allocator->recycler = recycler;
  *out_allocator = (iree_hal_allocator_t *)allocator;
  return iree_ok_status();
}
