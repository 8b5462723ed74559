// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executables of local devices: a kernel library in memory, checked once and then called unchecked;
// or tables of the same form whose functions something else runs.
#ifndef RUNTIME_HAL_LOCAL_EXECUTABLE_H_
#define RUNTIME_HAL_LOCAL_EXECUTABLE_H_

#include "base/port.h"
#include "abi/executable_library.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_loader.h"

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

// What a library gets from the runtime that loads it.
typedef struct library_host_t {
  iree_hal_processor_v0_t processor;
  iree_hal_executable_import_provider_t imports;
  iree_allocator_t host_allocator;
} library_host_t;

typedef struct local_executable_t local_executable_t;

// A part of a dispatch that one thread runs: workgroups [begin, end), x innermost. |workgroup| has
// the processor and the local memory.
typedef struct workgroup_range_t {
  uint32_t function;
  const iree_hal_executable_dispatch_state_v0_t *dispatch;
  iree_hal_executable_workgroup_state_v0_t workgroup;
  uint64_t read_only;  // bits of bindings that must not be written
  uint64_t begin;
  uint64_t end;
} workgroup_range_t;

typedef iree_status_t (*local_executable_run_fn_t)(local_executable_t *executable,
                                                   const workgroup_range_t *range);

struct local_executable_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  local_executable_run_fn_t run;
  bool checks_access;  // |run| looks at read_only
  const iree_hal_executable_library_v0_t *library;
  struct older_library_t *older;  // owns |library| when the file's is of an earlier version
  iree_hal_executable_environment_v0_t environment;
  library_release_t release;
};

// Sets up the head of an executable in the caller's block, which is freed when it is destroyed.
SHARED_INTERNALLY void local_executable_initialize(local_executable_run_fn_t run,
                                 const iree_hal_executable_library_v0_t *library,
                                 library_release_t release, iree_allocator_t host_allocator,
                                 local_executable_t *out_executable);

// Asks a library for its tables and makes an executable of it.
//   owns:   transfers ownership to the caller; takes ownership of the library through |release|, on
//           success only; constants are copied
//   errors: FAILED_PRECONDITION  another ABI version, or a sanitizer build
//           INVALID_ARGUMENT     tables that are missing or wrong, or the number of constants
//           NOT_FOUND            required imports that nothing provides
iree_status_t local_executable_create(iree_hal_executable_library_query_fn_t query,
                                      library_bounds_t bounds, library_release_t release,
                                      const iree_hal_executable_params_t *params,
                                      const library_host_t *host,
                                      iree_hal_executable_t **out_executable);

// What to call an export in messages; stripped libraries have no names.
static inline const char *local_executable_export_name(const local_executable_t *executable,
                                                       uint32_t i) {
  const char *const *names = executable->library->exports.names;
  return names ? names[i] : "(unnamed)";
}

// Position of a workgroup, and the next one.
typedef struct workgroup_cursor_t {
  uint64_t count_x, count_y;
  uint64_t x, y, z;
} workgroup_cursor_t;

static inline workgroup_cursor_t workgroup_cursor_at(
    const iree_hal_executable_dispatch_state_v0_t *dispatch, uint64_t index) {
  uint64_t count_x = dispatch->workgroup_count_x, count_y = dispatch->workgroup_count_y;
  return (workgroup_cursor_t){count_x, count_y, index % count_x, index / count_x % count_y,
                              index / count_x / count_y};
}

static inline void workgroup_cursor_advance(workgroup_cursor_t *cursor) {
  if (++cursor->x < cursor->count_x) return;
  cursor->x = 0;
  if (++cursor->y < cursor->count_y) return;
  cursor->y = 0;
  ++cursor->z;
}

// The local executable behind a public one.
//   errors: INVALID_ARGUMENT  an executable of another kind of device
iree_status_t local_executable_cast(iree_hal_executable_t *executable,
                                    local_executable_t **out_executable);

#endif  // RUNTIME_HAL_LOCAL_EXECUTABLE_H_
