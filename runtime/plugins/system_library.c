// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins in shared libraries.
#include <dlfcn.h>

#include "iree/hal/local/plugins/system_library_plugin.h"
#include "runtime/loaders/system_library.h"
#include "runtime/plugins/kinds.h"

static void close_library(void *self) { dlclose(self); }

static iree_status_t create(void *library, iree_string_view_t name, plugin_params_t params,
                            iree_allocator_t host_allocator,
                            iree_hal_executable_plugin_t **out_plugin) {
  void *query = dlsym(library, IREE_HAL_EXECUTABLE_PLUGIN_EXPORT_NAME);
  if (!query) {
    dlclose(library);
    return iree_make_status(IREE_STATUS_NOT_FOUND, "plugin library '%.*s' does not export '%s'",
                            IREE_SV_ARGS(name), IREE_HAL_EXECUTABLE_PLUGIN_EXPORT_NAME);
  }
  iree_status_t status =
      plugin_create((iree_hal_executable_plugin_query_fn_t)(uintptr_t)query,
                    (plugin_code_t){library, close_library}, params, host_allocator, out_plugin);
  return iree_status_annotate_f(status, "loading plugin '%.*s'", IREE_SV_ARGS(name));
}

iree_status_t iree_hal_system_library_executable_plugin_load_from_memory(
    iree_string_view_t identifier, iree_const_byte_span_t buffer, iree_host_size_t param_count,
    const iree_string_pair_t *params, iree_allocator_t host_allocator,
    iree_hal_executable_plugin_t **out_plugin) {
  *out_plugin = NULL;
  void *library = NULL;
  IREE_RETURN_IF_ERROR(system_library_open(buffer, &library), "loading plugin '%.*s'",
                       IREE_SV_ARGS(identifier));
  return create(library, identifier, (plugin_params_t){param_count, params}, host_allocator,
                out_plugin);
}

iree_status_t iree_hal_system_library_executable_plugin_load_from_file(
    const char *path, iree_host_size_t param_count, const iree_string_pair_t *params,
    iree_allocator_t host_allocator, iree_hal_executable_plugin_t **out_plugin) {
  *out_plugin = NULL;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return iree_make_status(IREE_STATUS_NOT_FOUND, "cannot load plugin library '%s': %.300s%s",
                            path, reason ? reason : "no reason given",
                            strchr(path, '/') ? "" : "; write ./ before a file of this folder");
  }
  return create(library, iree_make_cstring_view(path), (plugin_params_t){param_count, params},
                host_allocator, out_plugin);
}
