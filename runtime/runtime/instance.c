// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iree_runtime_instance_t.
#include "iree/runtime/instance.h"

#include <string.h>

#include "iree/base/internal/atomics.h"
#include "iree/hal/drivers/init.h"
#include "iree/modules/hal/types.h"

struct iree_runtime_instance_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t host_allocator;
  iree_vm_instance_t *vm_instance;
  iree_hal_driver_registry_t *driver_registry;  // borrowed unless owned_registry
  iree_hal_driver_registry_t *owned_registry;
};

void iree_runtime_instance_options_initialize(iree_runtime_instance_options_t *out_options) {
  memset(out_options, 0, sizeof(*out_options));
}

void iree_runtime_instance_options_use_all_available_drivers(
    iree_runtime_instance_options_t *options) {
  options->use_all_available_drivers = true;
}

static iree_status_t instance_add_drivers(iree_runtime_instance_t *instance,
                                          const iree_runtime_instance_options_t *options) {
  instance->driver_registry = options->driver_registry;
  if (instance->driver_registry || !options->use_all_available_drivers) return iree_ok_status();
  IREE_RETURN_IF_ERROR(
      iree_hal_driver_registry_allocate(instance->host_allocator, &instance->owned_registry));
  instance->driver_registry = instance->owned_registry;
  return iree_hal_register_all_available_drivers(instance->driver_registry);
}

iree_status_t iree_runtime_instance_create(const iree_runtime_instance_options_t *options,
                                           iree_allocator_t host_allocator,
                                           iree_runtime_instance_t **out_instance) {
  *out_instance = NULL;
  iree_runtime_instance_t *instance = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(host_allocator, sizeof(*instance), (void **)&instance));
  iree_atomic_ref_count_init(&instance->ref_count);
  instance->host_allocator = host_allocator;
  iree_status_t status = instance_add_drivers(instance, options);
  if (iree_status_is_ok(status)) {
    status = iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, host_allocator,
                                     &instance->vm_instance);
  }
  if (iree_status_is_ok(status)) {
    status = iree_hal_module_register_all_types(instance->vm_instance);
  }
  if (iree_status_is_ok(status)) {
    *out_instance = instance;
  } else {
    iree_runtime_instance_release(instance);
  }
  return status;
}

void iree_runtime_instance_retain(iree_runtime_instance_t *instance) {
  if (instance) iree_atomic_ref_count_inc(&instance->ref_count);
}

void iree_runtime_instance_release(iree_runtime_instance_t *instance) {
  if (!instance || iree_atomic_ref_count_dec(&instance->ref_count) != 1) return;
  iree_vm_instance_release(instance->vm_instance);
  if (instance->owned_registry) iree_hal_driver_registry_free(instance->owned_registry);
  iree_allocator_free(instance->host_allocator, instance);
}

iree_allocator_t iree_runtime_instance_host_allocator(const iree_runtime_instance_t *instance) {
  return instance->host_allocator;
}

iree_vm_instance_t *iree_runtime_instance_vm_instance(const iree_runtime_instance_t *instance) {
  return instance->vm_instance;
}

iree_hal_driver_registry_t *iree_runtime_instance_driver_registry(
    const iree_runtime_instance_t *instance) {
  return instance->driver_registry;
}

iree_status_t iree_runtime_instance_try_create_default_device(iree_runtime_instance_t *instance,
                                                              iree_string_view_t driver_name,
                                                              iree_hal_device_t **out_device) {
  *out_device = NULL;
  if (!instance->driver_registry) {
    return iree_make_status(
        IREE_STATUS_FAILED_PRECONDITION,
        "the instance has no drivers; call "
        "iree_runtime_instance_options_use_all_available_drivers before creating it");
  }
  iree_hal_driver_t *driver = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_driver_registry_try_create(instance->driver_registry, driver_name,
                                                           instance->host_allocator, &driver));
  const iree_hal_device_create_params_t params = iree_hal_device_create_params_default();
  iree_status_t status =
      iree_hal_driver_create_default_device(driver, &params, instance->host_allocator, out_device);
  iree_hal_driver_release(driver);
  return status;
}
