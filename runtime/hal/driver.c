// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drivers: the public functions, and device URIs: `driver[://path][?key=value&key=value...]`.
#include "iree/hal/driver.h"

#define VTABLE(driver) \
  ((const iree_hal_driver_vtable_t *)((const iree_hal_resource_t *)(driver))->vtable)
#define MAX_URI_PARAMS 32

void iree_hal_driver_retain(iree_hal_driver_t *driver) { iree_hal_resource_retain(driver); }
void iree_hal_driver_release(iree_hal_driver_t *driver) { iree_hal_resource_release(driver); }

iree_status_t iree_hal_driver_query_available_devices(iree_hal_driver_t *driver,
                                                      iree_allocator_t host_allocator,
                                                      iree_host_size_t *out_device_info_count,
                                                      iree_hal_device_info_t **out_device_infos) {
  *out_device_info_count = 0;
  *out_device_infos = NULL;
  return VTABLE(driver)->query_available_devices(driver, host_allocator, out_device_info_count,
                                                 out_device_infos);
}

iree_status_t iree_hal_driver_dump_device_info(iree_hal_driver_t *driver,
                                               iree_hal_device_id_t device_id,
                                               iree_string_builder_t *builder) {
  return VTABLE(driver)->dump_device_info(driver, device_id, builder);
}

iree_status_t iree_hal_driver_create_device_by_ordinal(
    iree_hal_driver_t *driver, iree_host_size_t device_ordinal, iree_host_size_t param_count,
    const iree_string_pair_t *params, const iree_hal_device_create_params_t *create_params,
    iree_allocator_t host_allocator, iree_hal_device_t **out_device) {
  *out_device = NULL;
  iree_host_size_t count = 0;
  iree_hal_device_info_t *infos = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_driver_query_available_devices(driver, host_allocator, &count, &infos));
  iree_hal_device_id_t device_id = device_ordinal < count ? infos[device_ordinal].device_id : 0;
  iree_allocator_free(host_allocator, infos);
  if (device_ordinal >= count) {
    return iree_make_status(IREE_STATUS_NOT_FOUND, "device %zu does not exist; there are %zu",
                            device_ordinal, count);
  }
  return iree_hal_driver_create_device_by_id(driver, device_id, param_count, params, create_params,
                                             host_allocator, out_device);
}

iree_status_t iree_hal_driver_create_device_by_id(
    iree_hal_driver_t *driver, iree_hal_device_id_t device_id, iree_host_size_t param_count,
    const iree_string_pair_t *params, const iree_hal_device_create_params_t *create_params,
    iree_allocator_t host_allocator, iree_hal_device_t **out_device) {
  *out_device = NULL;
  return VTABLE(driver)->create_device_by_id(driver, device_id, param_count, params, create_params,
                                             host_allocator, out_device);
}

iree_status_t iree_hal_driver_create_device_by_path(
    iree_hal_driver_t *driver, iree_string_view_t driver_name, iree_string_view_t device_path,
    iree_host_size_t param_count, const iree_string_pair_t *params,
    const iree_hal_device_create_params_t *create_params, iree_allocator_t host_allocator,
    iree_hal_device_t **out_device) {
  *out_device = NULL;
  return VTABLE(driver)->create_device_by_path(driver, driver_name, device_path, param_count,
                                               params, create_params, host_allocator, out_device);
}

iree_status_t iree_hal_driver_create_device_by_uri(
    iree_hal_driver_t *driver, iree_string_view_t device_uri,
    const iree_hal_device_create_params_t *create_params, iree_allocator_t host_allocator,
    iree_hal_device_t **out_device) {
  *out_device = NULL;
  iree_string_view_t address = iree_string_view_empty(), query = iree_string_view_empty();
  iree_string_view_split(device_uri, '?', &address, &query);
  iree_string_view_t driver_name = address, device_path = iree_string_view_empty();
  iree_host_size_t colon = iree_string_view_find_char(address, ':', 0);
  if (colon != IREE_STRING_VIEW_NPOS) {
    driver_name = iree_string_view_substr(address, 0, colon);
    device_path = iree_string_view_substr(address, colon, IREE_HOST_SIZE_MAX);
    if (!iree_string_view_consume_prefix(&device_path, IREE_SV("://"))) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "device URI '%.*s' is not of the form driver[://path][?key=value]",
                              IREE_SV_ARGS(device_uri));
    }
  }
  iree_string_pair_t params[MAX_URI_PARAMS];
  iree_host_size_t param_count = 0;
  while (!iree_string_view_is_empty(query)) {
    iree_string_view_t pair = iree_string_view_empty();
    iree_string_view_split(query, '&', &pair, &query);
    if (iree_string_view_is_empty(pair)) continue;
    if (param_count == MAX_URI_PARAMS) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "a device URI has at most %d parameters", MAX_URI_PARAMS);
    }
    iree_string_view_split(pair, '=', &params[param_count].key, &params[param_count].value);
    ++param_count;
  }
  if (iree_string_view_is_empty(device_path)) {
    return iree_hal_driver_create_device_by_id(driver, IREE_HAL_DEVICE_ID_DEFAULT, param_count,
                                               params, create_params, host_allocator, out_device);
  }
  return iree_hal_driver_create_device_by_path(driver, driver_name, device_path, param_count,
                                               params, create_params, host_allocator, out_device);
}

iree_status_t iree_hal_driver_create_default_device(
    iree_hal_driver_t *driver, const iree_hal_device_create_params_t *create_params,
    iree_allocator_t host_allocator, iree_hal_device_t **out_device) {
  return iree_hal_driver_create_device_by_id(driver, IREE_HAL_DEVICE_ID_DEFAULT, 0, NULL,
                                             create_params, host_allocator, out_device);
}
