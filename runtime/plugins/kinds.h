// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the kinds of plugins share: they differ in what holds the code.
#ifndef RUNTIME_PLUGINS_KINDS_H_
#define RUNTIME_PLUGINS_KINDS_H_

#include "iree/hal/local/executable_plugin_manager.h"

typedef struct plugin_params_t {
  iree_host_size_t count;
  const iree_string_pair_t *pairs;
} plugin_params_t;

// What holds the code of a plugin; freed last, or at once when the plugin cannot be made.
typedef struct plugin_code_t {
  void *self;
  void (*free)(void *self);  // may be null
} plugin_code_t;

// Makes and loads a plugin.
//   owns:   transfers ownership to the caller; takes ownership of |code|, also on failure
//   errors: those of iree_hal_executable_plugin_initialize
iree_status_t plugin_create(iree_hal_executable_plugin_query_fn_t query, plugin_code_t code,
                            plugin_params_t params, iree_allocator_t host_allocator,
                            iree_hal_executable_plugin_t **out_plugin);

#endif  // RUNTIME_PLUGINS_KINDS_H_
