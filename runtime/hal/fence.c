// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fence is one block: the object, then the values, then the semaphores.
#include "iree/hal/fence.h"

#include "iree/base/internal/atomics.h"

struct iree_hal_fence_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t host_allocator;
  iree_host_size_t capacity;
  iree_host_size_t count;
  uint64_t payload_values[];  // [capacity], then iree_hal_semaphore_t *[capacity]
};

static iree_hal_semaphore_t **semaphores_of(iree_hal_fence_t *fence) {
  return (iree_hal_semaphore_t **)(fence->payload_values + fence->capacity);
}

iree_status_t iree_hal_fence_create(iree_host_size_t capacity, iree_allocator_t host_allocator,
                                    iree_hal_fence_t **out_fence) {
  *out_fence = NULL;
  if (capacity > UINT16_MAX) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "a fence has at most 65535 timepoints, %zu were asked for", capacity);
  }
  iree_hal_fence_t *fence = NULL;
  iree_host_size_t bytes =
      sizeof(*fence) + capacity * (sizeof(uint64_t) + sizeof(iree_hal_semaphore_t *));
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_uninitialized(host_allocator, bytes, (void **)&fence));
  iree_atomic_ref_count_init(&fence->ref_count);
  fence->host_allocator = host_allocator;
  fence->capacity = capacity;
  fence->count = 0;
  *out_fence = fence;
  return iree_ok_status();
}

iree_status_t iree_hal_fence_create_at(iree_hal_semaphore_t *semaphore, uint64_t value,
                                       iree_allocator_t host_allocator,
                                       iree_hal_fence_t **out_fence) {
  IREE_RETURN_IF_ERROR(iree_hal_fence_create(1, host_allocator, out_fence));
  return iree_hal_fence_insert(*out_fence, semaphore, value);
}

iree_status_t iree_hal_fence_join(iree_host_size_t fence_count, iree_hal_fence_t **fences,
                                  iree_allocator_t host_allocator, iree_hal_fence_t **out_fence) {
  *out_fence = NULL;
  iree_host_size_t capacity = 0, real_count = 0;
  iree_hal_fence_t *only = NULL;
  for (iree_host_size_t i = 0; i < fence_count; ++i) {
    if (!fences[i]) continue;
    capacity += fences[i]->count;
    ++real_count;
    only = fences[i];
  }
  if (!real_count) return iree_ok_status();
  if (real_count == 1) {
    iree_hal_fence_retain(only);
    *out_fence = only;
    return iree_ok_status();
  }
  iree_hal_fence_t *fence = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_fence_create(capacity, host_allocator, &fence));
  for (iree_host_size_t i = 0; i < fence_count; ++i) {
    if (!fences[i]) continue;
    IREE_RETURN_AND_EVAL_IF_ERROR(iree_hal_fence_release(fence),
                                  iree_hal_fence_extend(fence, fences[i]));
  }
  *out_fence = fence;
  return iree_ok_status();
}

void iree_hal_fence_retain(iree_hal_fence_t *fence) {
  if (fence) iree_atomic_ref_count_inc(&fence->ref_count);
}

void iree_hal_fence_release(iree_hal_fence_t *fence) {
  if (fence && iree_atomic_ref_count_dec(&fence->ref_count) == 1) iree_hal_fence_destroy(fence);
}

void iree_hal_fence_destroy(iree_hal_fence_t *fence) {
  iree_hal_semaphore_list_release(iree_hal_fence_semaphore_list(fence));
  iree_allocator_free(fence->host_allocator, fence);
}

iree_hal_semaphore_list_t iree_hal_fence_semaphore_list(iree_hal_fence_t *fence) {
  if (!fence) return iree_hal_semaphore_list_empty();
  iree_hal_semaphore_list_t list = {fence->count, semaphores_of(fence), fence->payload_values};
  return list;
}

iree_host_size_t iree_hal_fence_timepoint_count(const iree_hal_fence_t *fence) {
  return fence ? fence->count : 0;
}

iree_status_t iree_hal_fence_insert(iree_hal_fence_t *fence, iree_hal_semaphore_t *semaphore,
                                    uint64_t value) {
  iree_hal_semaphore_t **semaphores = semaphores_of(fence);
  for (iree_host_size_t i = 0; i < fence->count; ++i) {
    if (semaphores[i] != semaphore) continue;
    fence->payload_values[i] = iree_max(fence->payload_values[i], value);
    return iree_ok_status();
  }
  if (fence->count == fence->capacity) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "fence has room for %zu timepoints only", fence->capacity);
  }
  iree_hal_semaphore_retain(semaphore);
  semaphores[fence->count] = semaphore;
  fence->payload_values[fence->count++] = value;
  return iree_ok_status();
}

iree_status_t iree_hal_fence_extend(iree_hal_fence_t *into_fence, iree_hal_fence_t *from_fence) {
  iree_hal_semaphore_list_t list = iree_hal_fence_semaphore_list(from_fence);
  for (iree_host_size_t i = 0; i < list.count; ++i) {
    IREE_RETURN_IF_ERROR(
        iree_hal_fence_insert(into_fence, list.semaphores[i], list.payload_values[i]));
  }
  return iree_ok_status();
}

iree_status_t iree_hal_fence_query(iree_hal_fence_t *fence) {
  iree_hal_semaphore_list_t list = iree_hal_fence_semaphore_list(fence);
  bool is_reached = true;
  for (iree_host_size_t i = 0; i < list.count; ++i) {
    uint64_t value = 0;
    IREE_RETURN_IF_ERROR(iree_hal_semaphore_query(list.semaphores[i], &value));
    if (value < list.payload_values[i]) is_reached = false;
  }
  return is_reached ? iree_ok_status() : iree_status_from_code(IREE_STATUS_DEFERRED);
}

iree_status_t iree_hal_fence_signal(iree_hal_fence_t *fence) {
  return iree_hal_semaphore_list_signal(iree_hal_fence_semaphore_list(fence), NULL);
}

void iree_hal_fence_fail(iree_hal_fence_t *fence, iree_status_t signal_status) {
  iree_hal_semaphore_list_fail(iree_hal_fence_semaphore_list(fence), signal_status);
}

iree_status_t iree_hal_fence_wait(iree_hal_fence_t *fence, iree_timeout_t timeout,
                                  iree_async_wait_flags_t flags) {
  return iree_hal_semaphore_list_wait(iree_hal_fence_semaphore_list(fence), timeout, flags);
}
