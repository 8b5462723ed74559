// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executables of local devices: a kernel library in memory, checked once and then called unchecked.
#ifndef RUNTIME_HAL_LOCAL_EXECUTABLE_H_
#define RUNTIME_HAL_LOCAL_EXECUTABLE_H_

#include "abi/executable_library.h"
#include "iree/hal/api.h"

// Where a library may keep its tables and code; null functions mean that anything goes (libraries
// that the system loaded, or that are linked in).
typedef struct library_bounds_t {
  void *self;
  bool (*contains)(void *self, const void *ptr, iree_host_size_t length);
  bool (*contains_code)(void *self, const void *ptr);
} library_bounds_t;

// Called once when the executable that uses a library is destroyed.
typedef struct library_release_t {
  void (*fn)(void *self);
  void *self;
} library_release_t;

typedef struct local_executable_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  const iree_hal_executable_library_v0_t *library;
  struct older_library_t *older;  // owns |library| when the file's is of an earlier version
  iree_hal_executable_environment_v0_t environment;
  library_release_t release;
  const void **import_slots;  // nulls for optional imports, or null
} local_executable_t;

// Asks a library for its tables and makes an executable of it.
//   owns:   transfers ownership to the caller; takes ownership of the library through |release|, on
//           success only; constants are copied
//   errors: FAILED_PRECONDITION  another ABI version, or a sanitizer build
//           INVALID_ARGUMENT     tables that are missing or wrong, or the number of constants
//           UNAVAILABLE          required imports
iree_status_t local_executable_create(iree_hal_executable_library_query_fn_t query,
                                      library_bounds_t bounds, library_release_t release,
                                      const iree_hal_executable_params_t *params,
                                      const iree_hal_processor_v0_t *processor,
                                      iree_allocator_t host_allocator,
                                      iree_hal_executable_t **out_executable);

// What to call an export in messages; stripped libraries have no names.
static inline const char *local_executable_export_name(const local_executable_t *executable,
                                                       uint32_t i) {
  const char *const *names = executable->library->exports.names;
  return names ? names[i] : "(unnamed)";
}

// The local executable behind a public one.
//   errors: INVALID_ARGUMENT  an executable of another kind of device
iree_status_t local_executable_cast(iree_hal_executable_t *executable,
                                    local_executable_t **out_executable);

#endif  // RUNTIME_HAL_LOCAL_EXECUTABLE_H_
