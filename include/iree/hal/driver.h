// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver lists and creates devices of one kind.
#ifndef IREE_HAL_DRIVER_H_
#define IREE_HAL_DRIVER_H_

#include "iree/base/api.h"
#include "iree/hal/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_driver_info_t {
  iree_string_view_t driver_name;  // "local-task"
  iree_string_view_t full_name;    // for people
} iree_hal_driver_info_t;

typedef struct iree_hal_driver_t iree_hal_driver_t;

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_driver_retain(iree_hal_driver_t *driver);
IREE_API_EXPORT void iree_hal_driver_release(iree_hal_driver_t *driver);

// Lists the devices of the driver, or describes one.
//   owns:   transfers ownership of one block to the caller, who frees it with |host_allocator|
//   errors: RESOURCE_EXHAUSTED  no host memory; NOT_FOUND  no such device
IREE_API_EXPORT iree_status_t iree_hal_driver_query_available_devices(
    iree_hal_driver_t *driver, iree_allocator_t host_allocator,
    iree_host_size_t *out_device_info_count, iree_hal_device_info_t **out_device_infos);
IREE_API_EXPORT iree_status_t iree_hal_driver_dump_device_info(iree_hal_driver_t *driver,
                                                               iree_hal_device_id_t device_id,
                                                               iree_string_builder_t *builder);

// Creates a device by its number, id, path or URI (`driver[://path][?key=value&...]`), or the
// default one.
//   owns:   transfers ownership to the caller
//   errors: NOT_FOUND         no such device
//           INVALID_ARGUMENT  a malformed or unknown parameter
IREE_API_EXPORT iree_status_t iree_hal_driver_create_device_by_ordinal(
    iree_hal_driver_t *driver, iree_host_size_t device_ordinal, iree_host_size_t param_count,
    const iree_string_pair_t *params, const iree_hal_device_create_params_t *create_params,
    iree_allocator_t host_allocator, iree_hal_device_t **out_device);
IREE_API_EXPORT iree_status_t iree_hal_driver_create_device_by_id(
    iree_hal_driver_t *driver, iree_hal_device_id_t device_id, iree_host_size_t param_count,
    const iree_string_pair_t *params, const iree_hal_device_create_params_t *create_params,
    iree_allocator_t host_allocator, iree_hal_device_t **out_device);
IREE_API_EXPORT iree_status_t iree_hal_driver_create_device_by_path(
    iree_hal_driver_t *driver, iree_string_view_t driver_name, iree_string_view_t device_path,
    iree_host_size_t param_count, const iree_string_pair_t *params,
    const iree_hal_device_create_params_t *create_params, iree_allocator_t host_allocator,
    iree_hal_device_t **out_device);
IREE_API_EXPORT iree_status_t iree_hal_driver_create_device_by_uri(
    iree_hal_driver_t *driver, iree_string_view_t device_uri,
    const iree_hal_device_create_params_t *create_params, iree_allocator_t host_allocator,
    iree_hal_device_t **out_device);
IREE_API_EXPORT iree_status_t iree_hal_driver_create_default_device(
    iree_hal_driver_t *driver, const iree_hal_device_create_params_t *create_params,
    iree_allocator_t host_allocator, iree_hal_device_t **out_device);

typedef struct iree_hal_driver_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_driver_t *driver);
  iree_status_t(IREE_API_PTR *query_available_devices)(iree_hal_driver_t *driver,
                                                       iree_allocator_t host_allocator,
                                                       iree_host_size_t *out_device_info_count,
                                                       iree_hal_device_info_t **out_device_infos);
  iree_status_t(IREE_API_PTR *dump_device_info)(iree_hal_driver_t *driver,
                                                iree_hal_device_id_t device_id,
                                                iree_string_builder_t *builder);
  iree_status_t(IREE_API_PTR *create_device_by_id)(
      iree_hal_driver_t *driver, iree_hal_device_id_t device_id, iree_host_size_t param_count,
      const iree_string_pair_t *params, const iree_hal_device_create_params_t *create_params,
      iree_allocator_t host_allocator, iree_hal_device_t **out_device);
  iree_status_t(IREE_API_PTR *create_device_by_path)(
      iree_hal_driver_t *driver, iree_string_view_t driver_name, iree_string_view_t device_path,
      iree_host_size_t param_count, const iree_string_pair_t *params,
      const iree_hal_device_create_params_t *create_params, iree_allocator_t host_allocator,
      iree_hal_device_t **out_device);
} iree_hal_driver_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_driver_vtable_t);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_DRIVER_H_
