// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of "embedded-elf-<arch>": kernel files that need nothing of the system.
#ifndef IREE_HAL_LOCAL_LOADERS_EMBEDDED_ELF_LOADER_H_
#define IREE_HAL_LOCAL_LOADERS_EMBEDDED_ELF_LOADER_H_

#include "iree/base/api.h"
#include "iree/hal/local/executable_loader.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_executable_plugin_manager_t iree_hal_executable_plugin_manager_t;

// Makes the loader; imports come from the plugins of |plugin_manager| (may be null).
//   owns:   transfers ownership to the caller; retains |plugin_manager|
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_embedded_elf_loader_create(
    iree_hal_executable_plugin_manager_t *plugin_manager, iree_allocator_t host_allocator,
    iree_hal_executable_loader_t **out_executable_loader);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_LOADERS_EMBEDDED_ELF_LOADER_H_
