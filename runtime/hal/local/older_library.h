// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable libraries of version 5 (releases 3.0 to 3.7): the code is called as today's is, the
// tables lie elsewhere. They are copied into today's form when a library is loaded.
#ifndef RUNTIME_HAL_LOCAL_OLDER_LIBRARY_H_
#define RUNTIME_HAL_LOCAL_OLDER_LIBRARY_H_

#include "runtime/hal/local/executable.h"

typedef struct older_library_t older_library_t;

// Asks for version 5 and copies its tables. What they point at is not looked at: the caller checks
// the copy within older_library_bounds.
//   owns:   transfers ownership to the caller; the library of the file stays in use
//   errors: FAILED_PRECONDITION  the library knows neither version
//           INVALID_ARGUMENT     tables outside of it
iree_status_t older_library_create(iree_hal_executable_library_query_fn_t query,
                                   const iree_hal_executable_environment_v0_t *environment,
                                   const library_bounds_t *bounds, iree_allocator_t host_allocator,
                                   older_library_t **out_older);
void older_library_free(older_library_t *older);

// Today's form of the tables, borrowed from |older|.
const iree_hal_executable_library_v0_t *older_library_tables(const older_library_t *older);
// The library's bounds and the copy's together, borrowed from |older|.
library_bounds_t older_library_bounds(older_library_t *older);

#endif  // RUNTIME_HAL_LOCAL_OLDER_LIBRARY_H_
