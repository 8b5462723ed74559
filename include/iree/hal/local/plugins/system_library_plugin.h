// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins in shared libraries, which the system loads and links.
#ifndef IREE_HAL_LOCAL_PLUGINS_SYSTEM_LIBRARY_PLUGIN_H_
#define IREE_HAL_LOCAL_PLUGINS_SYSTEM_LIBRARY_PLUGIN_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_plugin_manager.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes and loads a plugin of the bytes of a shared library; |identifier| is for messages.
//   owns:   transfers ownership to the caller; all arguments are borrowed until this returns
//   errors: INVALID_ARGUMENT  the system cannot load it
//           NOT_FOUND         no iree_hal_executable_plugin_query in it
//           and those of iree_hal_executable_plugin_initialize
IREE_API_EXPORT iree_status_t iree_hal_system_library_executable_plugin_load_from_memory(
    iree_string_view_t identifier, iree_const_byte_span_t buffer, iree_host_size_t param_count,
    const iree_string_pair_t *params, iree_allocator_t host_allocator,
    iree_hal_executable_plugin_t **out_plugin);

// The same from a file; without a '/' in |path| the system looks where it looks for libraries.
//   owns:   transfers ownership to the caller; all arguments are borrowed until this returns
//   errors: NOT_FOUND  the system cannot load it, or no iree_hal_executable_plugin_query in it
//           and those of iree_hal_executable_plugin_initialize
IREE_API_EXPORT iree_status_t iree_hal_system_library_executable_plugin_load_from_file(
    const char *path, iree_host_size_t param_count, const iree_string_pair_t *params,
    iree_allocator_t host_allocator, iree_hal_executable_plugin_t **out_plugin);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_PLUGINS_SYSTEM_LIBRARY_PLUGIN_H_
