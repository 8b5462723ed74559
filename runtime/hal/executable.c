// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executables and their caches: the public functions in front of every implementation.
#include "iree/hal/executable.h"

#include "iree/hal/device.h"
#include "iree/hal/executable_cache.h"

#define VTABLE(executable) \
  ((const iree_hal_executable_vtable_t *)((const iree_hal_resource_t *)(executable))->vtable)
#define CACHE_VTABLE(cache) \
  ((const iree_hal_executable_cache_vtable_t *)((const iree_hal_resource_t *)(cache))->vtable)
#define DEVICE_VTABLE(device) \
  ((const iree_hal_device_vtable_t *)((const iree_hal_resource_t *)(device))->vtable)

void iree_hal_executable_retain(iree_hal_executable_t *executable) {
  iree_hal_resource_retain(executable);
}
void iree_hal_executable_release(iree_hal_executable_t *executable) {
  iree_hal_resource_release(executable);
}

iree_host_size_t iree_hal_executable_function_count(iree_hal_executable_t *executable) {
  return VTABLE(executable)->function_count(executable);
}

static iree_status_t check_function(iree_hal_executable_t *executable,
                                    iree_hal_executable_function_t function) {
  iree_host_size_t count = iree_hal_executable_function_count(executable);
  if (iree_hal_executable_function_is_index_in_range(function, count)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "executable function %" PRIu64 " does not exist; there are %zu",
                          function.value, count);
}

iree_status_t iree_hal_executable_function_info(iree_hal_executable_t *executable,
                                                iree_hal_executable_function_t function,
                                                iree_hal_executable_function_info_t *out_info) {
  memset(out_info, 0, sizeof(*out_info));
  IREE_RETURN_IF_ERROR(check_function(executable, function));
  return VTABLE(executable)->function_info(executable, function, out_info);
}

iree_status_t iree_hal_executable_function_parameters(
    iree_hal_executable_t *executable, iree_hal_executable_function_t function,
    iree_host_size_t capacity, iree_hal_executable_function_parameter_t *out_parameters) {
  IREE_RETURN_IF_ERROR(check_function(executable, function));
  return VTABLE(executable)->function_parameters(executable, function, capacity, out_parameters);
}

iree_status_t iree_hal_executable_lookup_function_by_name(
    iree_hal_executable_t *executable, iree_string_view_t name,
    iree_hal_executable_function_t *out_function) {
  *out_function = iree_hal_executable_function_invalid();
  return VTABLE(executable)->lookup_function_by_name(executable, name, out_function);
}

void iree_hal_executable_params_initialize(iree_hal_executable_params_t *out_executable_params) {
  memset(out_executable_params, 0, sizeof(*out_executable_params));
  out_executable_params->queue_affinity = IREE_HAL_QUEUE_AFFINITY_ANY;
}

iree_status_t iree_hal_executable_cache_create(iree_hal_device_t *device,
                                               iree_string_view_t identifier,
                                               iree_hal_executable_cache_t **out_executable_cache) {
  *out_executable_cache = NULL;
  return DEVICE_VTABLE(device)->create_executable_cache(device, identifier, out_executable_cache);
}

void iree_hal_executable_cache_retain(iree_hal_executable_cache_t *executable_cache) {
  iree_hal_resource_retain(executable_cache);
}
void iree_hal_executable_cache_release(iree_hal_executable_cache_t *executable_cache) {
  iree_hal_resource_release(executable_cache);
}

bool iree_hal_executable_cache_can_prepare_format(iree_hal_executable_cache_t *executable_cache,
                                                  iree_hal_executable_caching_mode_t caching_mode,
                                                  iree_string_view_t executable_format) {
  return CACHE_VTABLE(executable_cache)
      ->can_prepare_format(executable_cache, caching_mode, executable_format);
}

iree_status_t iree_hal_executable_cache_prepare_executable(
    iree_hal_executable_cache_t *executable_cache,
    const iree_hal_executable_params_t *executable_params, iree_hal_executable_t **out_executable) {
  *out_executable = NULL;
  return CACHE_VTABLE(executable_cache)
      ->prepare_executable(executable_cache, executable_params, out_executable);
}
