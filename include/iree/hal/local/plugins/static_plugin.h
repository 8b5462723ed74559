// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins that are linked into the program.
#ifndef IREE_HAL_LOCAL_PLUGINS_STATIC_PLUGIN_H_
#define IREE_HAL_LOCAL_PLUGINS_STATIC_PLUGIN_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_plugin_manager.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes and loads a plugin of a query function.
//   owns:   transfers ownership to the caller; |params| are borrowed until this returns
//   errors: RESOURCE_EXHAUSTED  no host memory; and those of iree_hal_executable_plugin_initialize
IREE_API_EXPORT iree_status_t iree_hal_static_executable_plugin_create(
    iree_hal_executable_plugin_query_fn_t query_fn, iree_host_size_t param_count,
    const iree_string_pair_t *params, iree_allocator_t host_allocator,
    iree_hal_executable_plugin_t **out_plugin);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_PLUGINS_STATIC_PLUGIN_H_
