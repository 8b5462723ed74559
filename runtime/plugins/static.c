// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins over a query function, wherever it comes from.
#include "iree/hal/local/plugins/static_plugin.h"
#include "runtime/plugins/kinds.h"

typedef struct coded_plugin_t {
  iree_hal_executable_plugin_t base;
  iree_allocator_t host_allocator;
  plugin_code_t code;
} coded_plugin_t;

static void free_code(plugin_code_t code) {
  if (code.free) code.free(code.self);
}

static void destroy(iree_hal_executable_plugin_t *base) {
  coded_plugin_t *plugin = (coded_plugin_t *)base;
  free_code(plugin->code);
  iree_allocator_free(plugin->host_allocator, plugin);
}

static const iree_hal_executable_plugin_vtable_t vtable = {.destroy = destroy};

iree_status_t plugin_create(iree_hal_executable_plugin_query_fn_t query, plugin_code_t code,
                            plugin_params_t params, iree_allocator_t host_allocator,
                            iree_hal_executable_plugin_t **out_plugin) {
  *out_plugin = NULL;
  coded_plugin_t *plugin = NULL;
  iree_status_t status = iree_allocator_malloc(host_allocator, sizeof(*plugin), (void **)&plugin);
  if (!iree_status_is_ok(status)) {
    free_code(code);
    return status;
  }
  plugin->host_allocator = host_allocator;
  plugin->code = code;
  // No features are required, as by upstream: a file that needs the system would not have loaded.
  status = iree_hal_executable_plugin_initialize(
      &vtable, IREE_HAL_EXECUTABLE_PLUGIN_FEATURE_NONE,
      query(IREE_HAL_EXECUTABLE_PLUGIN_VERSION_LATEST, NULL), params.count, params.pairs, NULL,
      host_allocator, &plugin->base);
  if (!iree_status_is_ok(status)) {
    iree_hal_executable_plugin_release(&plugin->base);
    return status;
  }
  *out_plugin = &plugin->base;
  return iree_ok_status();
}

iree_status_t iree_hal_static_executable_plugin_create(
    iree_hal_executable_plugin_query_fn_t query_fn, iree_host_size_t param_count,
    const iree_string_pair_t *params, iree_allocator_t host_allocator,
    iree_hal_executable_plugin_t **out_plugin) {
  return plugin_create(query_fn, (plugin_code_t){NULL, NULL},
                       (plugin_params_t){param_count, params}, host_allocator, out_plugin);
}
