// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local device without an executor.
#include "runtime/hal/drivers/sync/driver.h"

#include "runtime/hal/local/device.h"
#include "runtime/hal/local/driver.h"

static iree_status_t create_device(iree_string_view_t identifier, iree_host_size_t param_count,
                                   const iree_string_pair_t *params,
                                   iree_hal_executable_plugin_manager_t *plugins,
                                   iree_allocator_t host_allocator,
                                   iree_hal_device_t **out_device) {
  for (iree_host_size_t i = 0; i < param_count; ++i) {
    if (local_driver_is_plugin(params[i])) continue;
    return local_driver_unknown_param(identifier, params[i].key, "executable_plugin");
  }
  return local_device_create_default(identifier, plugins, NULL, host_allocator, out_device);
}

static const local_driver_class_t driver_class = {
    .info = {.driver_name = {"local-sync", 10},
             .full_name = {"Local execution in the calling thread", 37}},
    .device_name = {"default", 7},
    .create_device = create_device,
};

const iree_hal_driver_factory_t sync_driver_factory = {
    .self = (void *)&driver_class,
    .enumerate = local_driver_factory_enumerate,
    .try_create = local_driver_factory_try_create,
};
