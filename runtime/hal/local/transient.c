// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state is a pointer to the backing buffer and a flag, both atomic: queue threads commit and
// retire while others map. Order between them is the program's semaphores.
#include "runtime/hal/local/transient.h"

#include "iree/base/internal/atomics.h"
#include "runtime/hal/heap_buffer.h"

typedef struct transient_buffer_t {
  iree_hal_buffer_t base;
  iree_allocator_t host_allocator;
  iree_hal_allocator_t *device_allocator;
  iree_hal_buffer_params_t params;
  iree_atomic_intptr_t backing;  // iree_hal_buffer_t, null before commit
  iree_atomic_int32_t is_retired;
} transient_buffer_t;

static void transient_buffer_destroy(iree_hal_buffer_t *base) {
  transient_buffer_t *buffer = (transient_buffer_t *)base;
  iree_hal_buffer_release(
      (iree_hal_buffer_t *)iree_atomic_load(&buffer->backing, iree_memory_order_acquire));
  iree_hal_allocator_release(buffer->device_allocator);
  iree_allocator_free(buffer->host_allocator, buffer);
}

static iree_status_t transient_buffer_map_range(iree_hal_buffer_t *base,
                                                iree_hal_mapping_mode_t mapping_mode,
                                                iree_hal_memory_access_t memory_access,
                                                iree_device_size_t offset,
                                                iree_device_size_t length,
                                                iree_hal_buffer_mapping_t *mapping) {
  transient_buffer_t *buffer = (transient_buffer_t *)base;
  iree_hal_buffer_t *backing =
      (iree_hal_buffer_t *)iree_atomic_load(&buffer->backing, iree_memory_order_acquire);
  bool is_retired = iree_atomic_load(&buffer->is_retired, iree_memory_order_acquire);
  if (IREE_UNLIKELY(!backing || is_retired)) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            is_retired
                                ? "transient buffer is used after its deallocation"
                                : "transient buffer is used before its allocation is reached; "
                                  "wait for the fence that the allocation signals");
  }
  const iree_hal_buffer_vtable_t *vtable =
      (const iree_hal_buffer_vtable_t *)backing->resource.vtable;
  return vtable->map_range(backing, mapping_mode, memory_access, offset, length, mapping);
}

static const iree_hal_buffer_vtable_t transient_buffer_vtable = {
    .destroy = transient_buffer_destroy,
    .map_range = transient_buffer_map_range,
    .unmap_range = host_buffer_unmap_range,
    .invalidate_range = host_buffer_sync_range,
    .flush_range = host_buffer_sync_range,
};

iree_status_t transient_buffer_create(iree_hal_allocator_t *device_allocator,
                                      iree_hal_buffer_placement_t placement,
                                      const iree_hal_buffer_params_t *params,
                                      iree_device_size_t allocation_size,
                                      iree_allocator_t host_allocator,
                                      iree_hal_buffer_t **out_buffer) {
  *out_buffer = NULL;
  transient_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(host_allocator, sizeof(*buffer), (void **)&buffer));
  iree_hal_buffer_params_t wide = *params;
  host_buffer_widen_params(&wide);
  iree_hal_buffer_initialize(placement, &buffer->base, allocation_size, 0, allocation_size,
                             wide.type, wide.access, wide.usage, &transient_buffer_vtable,
                             &buffer->base);
  buffer->host_allocator = host_allocator;
  buffer->device_allocator = device_allocator;
  iree_hal_allocator_retain(device_allocator);
  buffer->params = *params;
  iree_atomic_store(&buffer->backing, 0, iree_memory_order_relaxed);
  iree_atomic_store(&buffer->is_retired, 0, iree_memory_order_relaxed);
  *out_buffer = &buffer->base;
  return iree_ok_status();
}

iree_status_t transient_buffer_commit(iree_hal_buffer_t *base) {
  transient_buffer_t *buffer = (transient_buffer_t *)base;
  iree_hal_buffer_t *backing = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_allocator_allocate_buffer(buffer->device_allocator, buffer->params,
                                                          base->allocation_size, &backing));
  iree_atomic_store(&buffer->backing, (intptr_t)backing, iree_memory_order_release);
  return iree_ok_status();
}

void transient_buffer_retire(iree_hal_buffer_t *base) {
  iree_hal_buffer_t *allocated = iree_hal_buffer_allocated_buffer(base);
  if (!iree_hal_resource_is(allocated, &transient_buffer_vtable)) return;
  iree_atomic_store(&((transient_buffer_t *)allocated)->is_retired, 1, iree_memory_order_release);
}
