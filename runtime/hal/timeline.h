// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host implementation of timeline semaphores, used by local devices.
#ifndef RUNTIME_HAL_TIMELINE_H_
#define RUNTIME_HAL_TIMELINE_H_

#include "iree/hal/semaphore.h"

// Makes a semaphore whose timeline lives in host memory.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
iree_status_t timeline_semaphore_create(uint64_t initial_value, iree_allocator_t host_allocator,
                                        iree_hal_semaphore_t **out_semaphore);

// Whether a semaphore is one of these.
bool timeline_semaphore_isa(const iree_hal_semaphore_t *semaphore);

#endif  // RUNTIME_HAL_TIMELINE_H_
