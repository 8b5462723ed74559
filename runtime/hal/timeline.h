// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host implementation of timeline semaphores, used by local devices.
#ifndef RUNTIME_HAL_TIMELINE_H_
#define RUNTIME_HAL_TIMELINE_H_

#include "iree/hal/semaphore.h"

// What a thread does for the device while it waits without a time limit; null functions: nothing.
typedef struct timeline_helper_t {
  void (*help)(void *self, bool (*is_done)(void *arg), void *arg);
  void (*release)(void *self);
  void *self;
} timeline_helper_t;

// Makes a semaphore whose timeline lives in host memory.
//   owns:   transfers ownership to the caller; takes ownership of |helper| on success
//   errors: RESOURCE_EXHAUSTED  no host memory
iree_status_t timeline_semaphore_create(uint64_t initial_value, timeline_helper_t helper,
                                        iree_allocator_t host_allocator,
                                        iree_hal_semaphore_t **out_semaphore);

// The bytes of one.
iree_host_size_t timeline_semaphore_size(void);

// Whether a semaphore is one of these.
bool timeline_semaphore_isa(const iree_hal_semaphore_t *semaphore);

#endif  // RUNTIME_HAL_TIMELINE_H_
