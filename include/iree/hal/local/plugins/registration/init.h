// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins by the text that --executable_plugin= takes.
#ifndef IREE_HAL_LOCAL_PLUGINS_REGISTRATION_INIT_H_
#define IREE_HAL_LOCAL_PLUGINS_REGISTRATION_INIT_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_plugin_manager.h"

#ifdef __cplusplus
extern "C" {
#endif

// Loads the plugin that a text names and adds it: a path ending in .sos, or embedded:PATH, is an
// ELF file that needs nothing of the system; any other path, or system:PATH, a shared library.
//   owns:   |manager| retains the plugin
//   errors: RESOURCE_EXHAUSTED  more plugins than the manager has room for, or no host memory
//           NOT_FOUND           no such file; and those of the two kinds' load_from_file
IREE_API_EXPORT iree_status_t iree_hal_register_executable_plugin_from_spec(
    iree_hal_executable_plugin_manager_t *manager, iree_string_view_t spec,
    iree_allocator_t host_allocator);

// A manager as upstream makes it where no flag is given: without plugins; and adding none. (The
// tools' flag --executable_plugin= goes to devices they make: a library reads no command line.)
// Unlike upstream's it has room for 16, so that a program can add its own.
//   owns:   transfers ownership of |out_manager| to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_executable_plugin_manager_create_from_flags(
    iree_allocator_t host_allocator, iree_hal_executable_plugin_manager_t **out_manager);
IREE_API_EXPORT iree_status_t iree_hal_register_executable_plugins_from_flags(
    iree_hal_executable_plugin_manager_t *manager, iree_allocator_t host_allocator);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_PLUGINS_REGISTRATION_INIT_H_
