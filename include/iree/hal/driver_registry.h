// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The drivers a program knows, by name. A registry is the caller's; nothing is global.
#ifndef IREE_HAL_DRIVER_REGISTRY_H_
#define IREE_HAL_DRIVER_REGISTRY_H_

#include "iree/base/api.h"
#include "iree/hal/driver.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes drivers of one or more names.
typedef struct iree_hal_driver_factory_t {
  void *self;
  iree_status_t(IREE_API_PTR *enumerate)(void *self, iree_host_size_t *out_driver_info_count,
                                         const iree_hal_driver_info_t **out_driver_infos);
  iree_status_t(IREE_API_PTR *try_create)(void *self, iree_string_view_t driver_name,
                                          iree_allocator_t host_allocator,
                                          iree_hal_driver_t **out_driver);
} iree_hal_driver_factory_t;

typedef struct iree_hal_driver_registry_t iree_hal_driver_registry_t;

// Makes and frees a registry.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_driver_registry_allocate(
    iree_allocator_t host_allocator, iree_hal_driver_registry_t **out_registry);
IREE_API_EXPORT void iree_hal_driver_registry_free(iree_hal_driver_registry_t *registry);

// Adds or removes a factory; later ones come first when names are equal.
//   owns:   |factory| is borrowed until it is unregistered or the registry freed
//   thread: any thread
//   errors: ALREADY_EXISTS  registered twice; NOT_FOUND  not registered
IREE_API_EXPORT iree_status_t iree_hal_driver_registry_register_factory(
    iree_hal_driver_registry_t *registry, const iree_hal_driver_factory_t *factory);
IREE_API_EXPORT iree_status_t iree_hal_driver_registry_unregister_factory(
    iree_hal_driver_registry_t *registry, const iree_hal_driver_factory_t *factory);

// Lists drivers, makes one, or makes a device from a URI.
//   owns:   transfers ownership to the caller (the list is one block, freed with |host_allocator|)
//   thread: any thread
//   errors: NOT_FOUND  no driver of that name; the text lists those there are
IREE_API_EXPORT iree_status_t iree_hal_driver_registry_enumerate(
    iree_hal_driver_registry_t *registry, iree_allocator_t host_allocator,
    iree_host_size_t *out_driver_info_count, iree_hal_driver_info_t **out_driver_infos);
IREE_API_EXPORT iree_status_t iree_hal_driver_registry_try_create(
    iree_hal_driver_registry_t *registry, iree_string_view_t driver_name,
    iree_allocator_t host_allocator, iree_hal_driver_t **out_driver);
IREE_API_EXPORT iree_status_t
iree_hal_create_device(iree_hal_driver_registry_t *registry, iree_string_view_t device_uri,
                       const iree_hal_device_create_params_t *create_params,
                       iree_allocator_t host_allocator, iree_hal_device_t **out_device);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_DRIVER_REGISTRY_H_
