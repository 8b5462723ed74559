// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all sessions of a process share: the VM's type table and the drivers to make devices with.
#ifndef IREE_RUNTIME_INSTANCE_H_
#define IREE_RUNTIME_INSTANCE_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_runtime_instance_t iree_runtime_instance_t;

typedef struct iree_runtime_instance_options_t {
  // Drivers to create devices by name with; borrowed until the instance is released. May be NULL
  // when devices are made elsewhere.
  iree_hal_driver_registry_t *driver_registry;
  // Without a registry: makes one of its own with every driver of this build.
  bool use_all_available_drivers;
} iree_runtime_instance_options_t;

// Sets the defaults: no drivers.
//   errors: none
IREE_API_EXPORT void iree_runtime_instance_options_initialize(
    iree_runtime_instance_options_t *out_options);

// Asks for every driver of this build.
//   errors: none
IREE_API_EXPORT void iree_runtime_instance_options_use_all_available_drivers(
    iree_runtime_instance_options_t *options);

// Makes an instance.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_runtime_instance_create(
    const iree_runtime_instance_options_t *options, iree_allocator_t host_allocator,
    iree_runtime_instance_t **out_instance);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_runtime_instance_retain(iree_runtime_instance_t *instance);
IREE_API_EXPORT void iree_runtime_instance_release(iree_runtime_instance_t *instance);

// Facts about an instance. The registry is NULL when it was made without drivers.
//   owns:   borrowed from |instance| until it is released
//   errors: none
IREE_API_EXPORT iree_allocator_t
iree_runtime_instance_host_allocator(const iree_runtime_instance_t *instance);
IREE_API_EXPORT iree_vm_instance_t *iree_runtime_instance_vm_instance(
    const iree_runtime_instance_t *instance);
IREE_API_EXPORT iree_hal_driver_registry_t *iree_runtime_instance_driver_registry(
    const iree_runtime_instance_t *instance);

// Creates the default device of the driver |driver_name| ("local-task", "local-sync").
//   owns:   transfers ownership to the caller
//   errors: NOT_FOUND            no such driver
//           FAILED_PRECONDITION  the instance has no drivers
IREE_API_EXPORT iree_status_t iree_runtime_instance_try_create_default_device(
    iree_runtime_instance_t *instance, iree_string_view_t driver_name,
    iree_hal_device_t **out_device);

#ifdef __cplusplus
}
#endif

#endif  // IREE_RUNTIME_INSTANCE_H_
