// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices and the driver by their public names.
#include "iree/hal/drivers/local_task/task_device.h"

#include "iree/hal/drivers/local_task/registration/driver_module.h"
#include "runtime/hal/drivers/task/driver.h"
#include "runtime/hal/local/device.h"

#define ARENA_BLOCK_SIZE (32 * 1024)

void iree_hal_task_device_params_initialize(iree_hal_task_device_params_t *out_params) {
  *out_params = (iree_hal_task_device_params_t){.arena_block_size = ARENA_BLOCK_SIZE};
}

iree_status_t iree_hal_task_device_create(
    iree_string_view_t identifier, const iree_hal_task_device_params_t *params,
    iree_host_size_t queue_count, iree_task_executor_t *const *queue_executors,
    iree_host_size_t loader_count, iree_hal_executable_loader_t **loaders,
    iree_hal_allocator_t *device_allocator, const iree_hal_device_create_params_t *create_params,
    iree_allocator_t host_allocator, iree_hal_device_t **out_device) {
  (void)params, (void)create_params;
  *out_device = NULL;
  if (!queue_count)
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "a task device needs an executor");
  const local_loaders_t list = {.count = loader_count, .values = loaders};
  IREE_RETURN_IF_ERROR(
      local_device_create(identifier, list, queue_executors[0], host_allocator, out_device));
  if (device_allocator) iree_hal_device_replace_allocator(*out_device, device_allocator);
  return iree_ok_status();
}

iree_status_t iree_hal_local_task_driver_module_register(iree_hal_driver_registry_t *registry) {
  return iree_hal_driver_registry_register_factory(registry, &task_driver_factory);
}
