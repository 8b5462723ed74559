// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver of one kind of local device: there is one device, with no path.
#ifndef RUNTIME_HAL_LOCAL_DRIVER_H_
#define RUNTIME_HAL_LOCAL_DRIVER_H_

#include "iree/hal/api.h"
#include "runtime/loaders/loader.h"

typedef struct local_driver_class_t {
  iree_hal_driver_info_t info;
  iree_string_view_t device_name;
  // Makes the device from URI parameters; unknown ones are refused. |plugins| (may be null) come
  // from those that local_driver_is_plugin, which are to be passed over.
  iree_status_t (*create_device)(iree_string_view_t identifier, iree_host_size_t param_count,
                                 const iree_string_pair_t *params,
                                 iree_hal_executable_plugin_manager_t *plugins,
                                 iree_allocator_t host_allocator, iree_hal_device_t **out_device);
} local_driver_class_t;

// Makes a driver.
//   owns:   transfers ownership to the caller; |driver_class| is borrowed until it is destroyed
//   errors: RESOURCE_EXHAUSTED  no host memory
iree_status_t local_driver_create(const local_driver_class_t *driver_class,
                                  iree_allocator_t host_allocator, iree_hal_driver_t **out_driver);

// The two functions of a driver factory whose |self| is a local_driver_class_t: it lists that one
// driver and makes it. Ownership and errors are those of iree_hal_driver_factory_t.
iree_status_t local_driver_factory_enumerate(void *self, iree_host_size_t *out_driver_info_count,
                                             const iree_hal_driver_info_t **out_driver_infos);
iree_status_t local_driver_factory_try_create(void *self, iree_string_view_t driver_name,
                                              iree_allocator_t host_allocator,
                                              iree_hal_driver_t **out_driver);

// Whether a parameter names a plugin (executable_plugin=SPEC), as devices of all classes take it.
static inline bool local_driver_is_plugin(iree_string_pair_t param) {
  return iree_string_view_equal(param.key, IREE_SV("executable_plugin"));
}

// A parameter that no device of the driver knows.
iree_status_t local_driver_unknown_param(iree_string_view_t driver_name, iree_string_view_t key,
                                         const char *known_keys);

#endif  // RUNTIME_HAL_LOCAL_DRIVER_H_
