// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local devices that spread work over threads of an executor, made without a driver.
#ifndef IREE_HAL_DRIVERS_LOCAL_TASK_TASK_DEVICE_H_
#define IREE_HAL_DRIVERS_LOCAL_TASK_TASK_DEVICE_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_loader.h"
#include "iree/task/executor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_task_device_params_t {
  iree_host_size_t arena_block_size;             // bytes that recording command buffers takes at a time
  iree_task_scope_flags_t queue_scope_flags;     // none so far
  iree_device_size_t inline_transfer_threshold;  // transfers up to this size do not wait for a worker
} iree_hal_task_device_params_t;

// Stores the defaults.
//   errors: none
IREE_API_EXPORT void iree_hal_task_device_params_initialize(iree_hal_task_device_params_t *out_params);

// Makes a device. It has one queue, which runs on the first of |queue_executors|. |loaders| are asked in
// order for each executable.
//   owns:   transfers |out_device| to the caller; retains the executor, |loaders| and |device_allocator|
//   errors: INVALID_ARGUMENT    no executor
//           OUT_OF_RANGE        |loader_count| is over what a device takes
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_task_device_create(
    iree_string_view_t identifier, const iree_hal_task_device_params_t *params, iree_host_size_t queue_count,
    iree_task_executor_t *const *queue_executors, iree_host_size_t loader_count,
    iree_hal_executable_loader_t **loaders, iree_hal_allocator_t *device_allocator,
    const iree_hal_device_create_params_t *create_params, iree_allocator_t host_allocator,
    iree_hal_device_t **out_device);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_DRIVERS_LOCAL_TASK_TASK_DEVICE_H_
