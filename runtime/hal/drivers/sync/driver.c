// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local device without an executor.
#include "runtime/hal/drivers/sync/driver.h"

#include "runtime/hal/local/device.h"
#include "runtime/hal/local/driver.h"

static iree_status_t create_device(iree_string_view_t identifier, iree_host_size_t param_count,
                                   const iree_string_pair_t *params,
                                   iree_allocator_t host_allocator,
                                   iree_hal_device_t **out_device) {
  if (param_count) return local_driver_unknown_param(identifier, params[0].key, "none");
  return local_device_create(identifier, NULL, host_allocator, out_device);
}

static const local_driver_class_t driver_class = {
    .info = {.driver_name = {"local-sync", 10},
             .full_name = {"Local execution in the calling thread", 37}},
    .device_name = {"default", 7},
    .create_device = create_device,
};

static iree_status_t enumerate(void *self, iree_host_size_t *out_driver_info_count,
                               const iree_hal_driver_info_t **out_driver_infos) {
  (void)self;
  *out_driver_info_count = 1;
  *out_driver_infos = &driver_class.info;
  return iree_ok_status();
}

static iree_status_t try_create(void *self, iree_string_view_t driver_name,
                                iree_allocator_t host_allocator, iree_hal_driver_t **out_driver) {
  (void)self, (void)driver_name;
  return local_driver_create(&driver_class, host_allocator, out_driver);
}

const iree_hal_driver_factory_t sync_driver_factory = {
    .enumerate = enumerate,
    .try_create = try_create,
};
