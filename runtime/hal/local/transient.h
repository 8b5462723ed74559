// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transient buffers: made at once, given memory when the queue reaches their allocation.
//
//   create -> [no memory] -> commit -> [usable] -> retire -> [no memory]
//
// The memory itself goes back when the last reference does, so that work in flight never loses it.
#ifndef RUNTIME_HAL_LOCAL_TRANSIENT_H_
#define RUNTIME_HAL_LOCAL_TRANSIENT_H_

#include "iree/hal/api.h"

// Makes a transient buffer without memory.
//   owns:   transfers ownership to the caller; retains |device_allocator|
//   errors: RESOURCE_EXHAUSTED  no host memory
iree_status_t transient_buffer_create(iree_hal_allocator_t *device_allocator,
                                      iree_hal_buffer_placement_t placement,
                                      const iree_hal_buffer_params_t *params,
                                      iree_device_size_t allocation_size,
                                      iree_allocator_t host_allocator,
                                      iree_hal_buffer_t **out_buffer);

// Allocates the memory.
//   errors: RESOURCE_EXHAUSTED  no memory
iree_status_t transient_buffer_commit(iree_hal_buffer_t *buffer);

// Ends the use of the memory; buffers that are not transient are left alone.
void transient_buffer_retire(iree_hal_buffer_t *buffer);

#endif  // RUNTIME_HAL_LOCAL_TRANSIENT_H_
