// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that run kernels on the host's CPU. With an executor work is spread over its workers;
// without one it runs in the thread that makes it ready.
#ifndef RUNTIME_HAL_LOCAL_DEVICE_H_
#define RUNTIME_HAL_LOCAL_DEVICE_H_

#include "iree/hal/api.h"
#include "runtime/loaders/loader.h"
#include "iree/hal/local/executable_loader.h"
#include "runtime/task/executor.h"

// Loaders in the order in which they are asked.
typedef struct local_loaders_t {
  iree_host_size_t count;
  iree_hal_executable_loader_t **values;
} local_loaders_t;

// Makes a device named |identifier| ("local-task").
//   owns:   transfers ownership to the caller; retains |loaders| and |executor| (may be null)
//   errors: RESOURCE_EXHAUSTED  no host memory
iree_status_t local_device_create(iree_string_view_t identifier, local_loaders_t loaders,
                                  task_executor_t *executor, iree_allocator_t host_allocator,
                                  iree_hal_device_t **out_device);

// The same with all loaders of this build; they retain |plugins| (may be null).
iree_status_t local_device_create_default(iree_string_view_t identifier,
                                          iree_hal_executable_plugin_manager_t *plugins,
                                          task_executor_t *executor,
                                          iree_allocator_t host_allocator,
                                          iree_hal_device_t **out_device);

#endif  // RUNTIME_HAL_LOCAL_DEVICE_H_
