// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of semaphore timepoints: reached when all are.
//
// Inserting the same semaphore twice keeps the larger value, so a fence has at most one timepoint
// per semaphore.
#ifndef IREE_HAL_FENCE_H_
#define IREE_HAL_FENCE_H_

#include "iree/base/api.h"
#include "iree/hal/semaphore.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_fence_t iree_hal_fence_t;

// Makes an empty fence, one with a single timepoint, or the union of several (null ones are
// skipped; with none left |out_fence| is null).
//   owns:   transfers ownership to the caller; semaphores are retained
//   errors: INVALID_ARGUMENT  more than 65535 timepoints; RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_fence_create(iree_host_size_t capacity,
                                                    iree_allocator_t host_allocator,
                                                    iree_hal_fence_t **out_fence);
IREE_API_EXPORT iree_status_t iree_hal_fence_create_at(iree_hal_semaphore_t *semaphore,
                                                       uint64_t value,
                                                       iree_allocator_t host_allocator,
                                                       iree_hal_fence_t **out_fence);
IREE_API_EXPORT iree_status_t iree_hal_fence_join(iree_host_size_t fence_count,
                                                  iree_hal_fence_t **fences,
                                                  iree_allocator_t host_allocator,
                                                  iree_hal_fence_t **out_fence);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_fence_retain(iree_hal_fence_t *fence);
IREE_API_EXPORT void iree_hal_fence_release(iree_hal_fence_t *fence);

// Destroys a fence whose count has dropped to zero by other means (the VM's references).
//   errors: none
IREE_API_EXPORT void iree_hal_fence_destroy(iree_hal_fence_t *fence);

// The timepoints; a null fence has none.
//   owns:   the list is borrowed from |fence| until it is changed or released
//   errors: none
IREE_API_EXPORT iree_hal_semaphore_list_t iree_hal_fence_semaphore_list(iree_hal_fence_t *fence);
IREE_API_EXPORT iree_host_size_t iree_hal_fence_timepoint_count(const iree_hal_fence_t *fence);

// Adds a timepoint, or all of another fence.
//   owns:   retains the semaphores
//   errors: RESOURCE_EXHAUSTED  the capacity is used up
IREE_API_EXPORT iree_status_t iree_hal_fence_insert(iree_hal_fence_t *fence,
                                                    iree_hal_semaphore_t *semaphore,
                                                    uint64_t value);
IREE_API_EXPORT iree_status_t iree_hal_fence_extend(iree_hal_fence_t *into_fence,
                                                    iree_hal_fence_t *from_fence);

// Polls, signals, fails or waits for all timepoints; a null fence is reached.
//   owns:   fail takes ownership of the status
//   thread: any thread
//   errors: query: DEFERRED  not reached yet; else as the semaphore operations
IREE_API_EXPORT iree_status_t iree_hal_fence_query(iree_hal_fence_t *fence);
IREE_API_EXPORT iree_status_t iree_hal_fence_signal(iree_hal_fence_t *fence);
IREE_API_EXPORT void iree_hal_fence_fail(iree_hal_fence_t *fence, iree_status_t signal_status);
IREE_API_EXPORT iree_status_t iree_hal_fence_wait(iree_hal_fence_t *fence, iree_timeout_t timeout,
                                                  iree_async_wait_flags_t flags);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_FENCE_H_
