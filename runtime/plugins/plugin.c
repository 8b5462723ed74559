// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The head of every plugin: what is checked before its code runs, and how it is asked.
#include <assert.h>

#include "iree/hal/local/executable_plugin_manager.h"

// What plugins see by other names is the runtime's own.
#define SAME_CODE(name)                                                                   \
  static_assert((int)IREE_HAL_EXECUTABLE_PLUGIN_STATUS_##name == (int)IREE_STATUS_##name, \
                "codes of plugins and of the runtime")
SAME_CODE(OK);
SAME_CODE(NOT_FOUND);
SAME_CODE(DEFERRED);
SAME_CODE(CODE_MASK);
static_assert((int)IREE_HAL_EXECUTABLE_PLUGIN_ALLOCATOR_COMMAND_FREE ==
                  (int)IREE_ALLOCATOR_COMMAND_FREE,
              "commands of allocators");
static_assert(sizeof(iree_hal_executable_plugin_allocator_t) == sizeof(iree_allocator_t) &&
                  sizeof(iree_hal_executable_plugin_string_pair_t) == sizeof(iree_string_pair_t),
              "structs of plugins and of the runtime");

#define HOST_SANITIZER IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_KIND

static iree_status_t check_table(const iree_hal_executable_plugin_v0_t *table,
                                 iree_hal_executable_plugin_features_t required_features) {
  if (!table || !table->header) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "the plugin does not support this version of the runtime (%08X)",
                            IREE_HAL_EXECUTABLE_PLUGIN_VERSION_LATEST);
  }
  const iree_hal_executable_plugin_header_t *header = table->header;
  const char *name = header->name ? header->name : "(unnamed)";
  if (header->version > IREE_HAL_EXECUTABLE_PLUGIN_VERSION_LATEST) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "plugin '%.200s' has version %08X, the runtime supports up to %08X",
                            name, header->version, IREE_HAL_EXECUTABLE_PLUGIN_VERSION_LATEST);
  }
  if (required_features & ~header->features) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "plugin '%.200s' does not declare the features %08X", name,
                            required_features & ~header->features);
  }
  if (header->sanitizer != IREE_HAL_EXECUTABLE_PLUGIN_SANITIZER_NONE &&
      header->sanitizer != HOST_SANITIZER) {
    return iree_make_status(IREE_STATUS_UNAVAILABLE,
                            "plugin '%.200s' is built for sanitizer %d, which this program is "
                            "built without; rebuild one of them",
                            name, (int)header->sanitizer);
  }
  if (!table->load || !table->resolve) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "plugin '%.200s' lacks a load or a resolve function", name);
  }
  return iree_ok_status();
}

// A status as the runtime knows it: plugins that promise nothing give codes.
static iree_status_t adopt_status(const iree_hal_executable_plugin_v0_t *table, void *status) {
  if (table->header->features & IREE_HAL_EXECUTABLE_PLUGIN_FEATURE_FULL_STATUS) {
    return (iree_status_t)status;
  }
  return iree_status_from_code((iree_status_code_t)((uintptr_t)status & IREE_STATUS_CODE_MASK));
}

static iree_status_t load(const iree_hal_executable_plugin_v0_t *table,
                          iree_host_size_t param_count, const iree_string_pair_t *params,
                          iree_allocator_t host_allocator, iree_hal_executable_plugin_t *plugin) {
  const iree_hal_executable_plugin_environment_v0_t environment = {
      .host_allocator = {
          .self = host_allocator.self,
          .ctl = (iree_hal_executable_plugin_allocator_ctl_fn_t)(void (*)(void))host_allocator.ctl,
      }};
  void *self = NULL;
  IREE_RETURN_IF_ERROR(
      adopt_status(
          table, table->load(&environment, param_count,
                             (const iree_hal_executable_plugin_string_pair_t *)(const void *)params,
                             &self)),
      "plugin '%.200s' does not load", table->header->name ? table->header->name : "(unnamed)");
  plugin->self = self;
  plugin->library.v0 = table;
  return iree_ok_status();
}

iree_status_t iree_hal_executable_plugin_initialize(
    const void *vtable, iree_hal_executable_plugin_features_t required_features,
    const iree_hal_executable_plugin_header_t **header_ptr, iree_host_size_t param_count,
    const iree_string_pair_t *params, iree_hal_executable_plugin_resolve_thunk_t resolve_thunk,
    iree_allocator_t host_allocator, iree_hal_executable_plugin_t *out_base_plugin) {
  memset(out_base_plugin, 0, sizeof(*out_base_plugin));
  iree_atomic_ref_count_init(&out_base_plugin->ref_count);
  out_base_plugin->vtable = vtable;
  out_base_plugin->resolve_thunk = resolve_thunk;
  const iree_hal_executable_plugin_v0_t *table = (const void *)header_ptr;
  IREE_RETURN_IF_ERROR(check_table(table, required_features));
  out_base_plugin->identifier = iree_make_cstring_view(table->header->name);
  return load(table, param_count, params, host_allocator, out_base_plugin);
}

void iree_hal_executable_plugin_retain(iree_hal_executable_plugin_t *plugin) {
  if (plugin) iree_atomic_ref_count_inc(&plugin->ref_count);
}

void iree_hal_executable_plugin_release(iree_hal_executable_plugin_t *plugin) {
  if (!plugin || iree_atomic_ref_count_dec(&plugin->ref_count) != 1) return;
  if (plugin->library.v0 && plugin->library.v0->unload) plugin->library.v0->unload(plugin->self);
  plugin->vtable->destroy(plugin);
}

static iree_status_t resolve(void *self, iree_host_size_t count, const char *const *symbol_names,
                             void **out_fn_ptrs, void **out_fn_contexts,
                             iree_hal_executable_import_resolution_t *out_resolution) {
  iree_hal_executable_plugin_t *plugin = self;
  const iree_hal_executable_plugin_v0_t *table = plugin->library.v0;
  const iree_hal_executable_plugin_resolve_params_v0_t params = {
      .count = count,
      .symbol_names = symbol_names,
      .out_fn_ptrs = out_fn_ptrs,
      .out_fn_contexts = out_fn_contexts,
  };
  uint32_t resolution = 0;
  void *result = plugin->resolve_thunk
                     ? (void *)plugin->resolve_thunk((void *)(uintptr_t)table->resolve,
                                                     plugin->self, &params, &resolution)
                     : (void *)table->resolve(plugin->self, &params, &resolution);
  if (out_resolution) *out_resolution = resolution;
  return adopt_status(table, result);
}

iree_hal_executable_import_provider_t iree_hal_executable_plugin_provider(
    iree_hal_executable_plugin_t *plugin) {
  return (iree_hal_executable_import_provider_t){plugin, resolve};
}
