// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepares executables for a device from the bytes that a compiler made.
#ifndef IREE_HAL_EXECUTABLE_CACHE_H_
#define IREE_HAL_EXECUTABLE_CACHE_H_

#include "iree/base/api.h"
#include "iree/hal/executable.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_device_t iree_hal_device_t;
typedef struct iree_hal_executable_cache_t iree_hal_executable_cache_t;

enum iree_hal_executable_caching_mode_bits_t {
  // The caller keeps executable_data alive and unchanged as long as the executable lives.
  IREE_HAL_EXECUTABLE_CACHING_MODE_ALIAS_PROVIDED_DATA = 1u << 0,
  IREE_HAL_EXECUTABLE_CACHING_MODE_ALLOW_PERSISTENT_CACHING = 1u << 1,
  IREE_HAL_EXECUTABLE_CACHING_MODE_ALLOW_OPTIMIZATION = 1u << 2,
  IREE_HAL_EXECUTABLE_CACHING_MODE_ENABLE_DEBUGGING = 1u << 3,
  IREE_HAL_EXECUTABLE_CACHING_MODE_ENABLE_COVERAGE = 1u << 4,
  IREE_HAL_EXECUTABLE_CACHING_MODE_ENABLE_PROFILING = 1u << 5,
  IREE_HAL_EXECUTABLE_CACHING_MODE_DISABLE_VERIFICATION = 1u << 6,
};
typedef uint32_t iree_hal_executable_caching_mode_t;

// What to load: a format name ("embedded-elf-x86_64"), its bytes and the specialisation constants.
typedef struct iree_hal_executable_params_t {
  iree_hal_queue_affinity_t queue_affinity;
  iree_hal_executable_caching_mode_t caching_mode;
  iree_string_view_t executable_format;
  iree_const_byte_span_t executable_data;
  iree_host_size_t constant_count;
  const uint32_t *constants;
} iree_hal_executable_params_t;

// Sets defaults: any queue, everything else zero.
//   errors: none
IREE_API_EXPORT void iree_hal_executable_params_initialize(
    iree_hal_executable_params_t *out_executable_params);

// Makes a cache for a device.
//   owns:   transfers ownership to the caller; retains the device
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t
iree_hal_executable_cache_create(iree_hal_device_t *device, iree_string_view_t identifier,
                                 iree_hal_executable_cache_t **out_executable_cache);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_executable_cache_retain(
    iree_hal_executable_cache_t *executable_cache);
IREE_API_EXPORT void iree_hal_executable_cache_release(
    iree_hal_executable_cache_t *executable_cache);

// Whether the device loads a format, by its name alone.
//   errors: none
IREE_API_EXPORT bool iree_hal_executable_cache_can_prepare_format(
    iree_hal_executable_cache_t *executable_cache, iree_hal_executable_caching_mode_t caching_mode,
    iree_string_view_t executable_format);

// Loads an executable.
//   owns:   transfers ownership to the caller; data and constants are copied unless aliasing is
//   allowed thread: any thread errors: NOT_FOUND            no loader for the format
//           INVALID_ARGUMENT     malformed data
//           FAILED_PRECONDITION  made for another ABI version
//           INCOMPATIBLE         needs CPU features that this machine lacks; the text names them
//           UNAVAILABLE          imports symbols that do not exist here
IREE_API_EXPORT iree_status_t iree_hal_executable_cache_prepare_executable(
    iree_hal_executable_cache_t *executable_cache,
    const iree_hal_executable_params_t *executable_params, iree_hal_executable_t **out_executable);

typedef struct iree_hal_executable_cache_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_executable_cache_t *executable_cache);
  bool(IREE_API_PTR *can_prepare_format)(iree_hal_executable_cache_t *executable_cache,
                                         iree_hal_executable_caching_mode_t caching_mode,
                                         iree_string_view_t executable_format);
  iree_status_t(IREE_API_PTR *prepare_executable)(
      iree_hal_executable_cache_t *executable_cache,
      const iree_hal_executable_params_t *executable_params,
      iree_hal_executable_t **out_executable);
} iree_hal_executable_cache_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_executable_cache_vtable_t);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_EXECUTABLE_CACHE_H_
