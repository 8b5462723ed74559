// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of "static": kernels that are linked into the program, found by their library's name.
#ifndef IREE_HAL_LOCAL_LOADERS_STATIC_LIBRARY_LOADER_H_
#define IREE_HAL_LOCAL_LOADERS_STATIC_LIBRARY_LOADER_H_

#include <stdbool.h>
#include <stdint.h>

#include "iree/base/api.h"
#include "iree/hal/local/executable_library.h"
#include "iree/hal/local/executable_loader.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes a loader over libraries that are known now. The data of a "static" executable is the name
// of one of them.
//   owns:   transfers ownership to the caller; libraries are borrowed until the last executable of
//           the loader is released
//   errors: RESOURCE_EXHAUSTED   no host memory
//           UNAVAILABLE          a library does not support this version of the runtime
//           FAILED_PRECONDITION  a library of another version, or a sanitizer build
IREE_API_EXPORT iree_status_t iree_hal_static_library_loader_create(
    iree_host_size_t library_count, const iree_hal_executable_library_query_fn_t *library_query_fns,
    iree_hal_executable_import_provider_t import_provider, iree_allocator_t host_allocator,
    iree_hal_executable_loader_t **out_executable_loader);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_LOADERS_STATIC_LIBRARY_LOADER_H_
