// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the loaders of local devices share.
#ifndef RUNTIME_LOADERS_LOADER_H_
#define RUNTIME_LOADERS_LOADER_H_

#include "base/port.h"
#include "abi/executable_library.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_loader.h"
#include "runtime/hal/local/executable.h"

#define LOADERS_MAX_COUNT 8

typedef struct iree_hal_executable_plugin_manager_t iree_hal_executable_plugin_manager_t;

// How a plugin manager starts: what a loader needs of it, so that a program without plugins is
// linked without their code.
typedef struct plugin_manager_head_t {
  iree_atomic_ref_count_t ref_count;
  iree_hal_executable_import_provider_t provider;
  void (*destroy)(iree_hal_executable_plugin_manager_t *manager);
} plugin_manager_head_t;

static inline void plugin_manager_retain(iree_hal_executable_plugin_manager_t *manager) {
  if (manager) iree_atomic_ref_count_inc(&((plugin_manager_head_t *)manager)->ref_count);
}
static inline void plugin_manager_release(iree_hal_executable_plugin_manager_t *manager) {
  plugin_manager_head_t *head = (plugin_manager_head_t *)manager;
  if (head && iree_atomic_ref_count_dec(&head->ref_count) == 1) head->destroy(manager);
}
static inline iree_hal_executable_import_provider_t plugin_manager_provider(
    iree_hal_executable_plugin_manager_t *manager) {
  return manager ? ((plugin_manager_head_t *)manager)->provider
                 : iree_hal_executable_import_provider_null();
}

// A loader of native code; its class is its vtable.
typedef struct native_loader_t {
  iree_hal_executable_loader_t base;
  library_host_t host;
  iree_hal_executable_plugin_manager_t *plugin_manager;  // retained, may be null
} native_loader_t;

// Makes one; the vtable's destroy is native_loader_destroy.
iree_status_t native_loader_create(const iree_hal_executable_loader_vtable_t *vtable,
                                   iree_hal_executable_plugin_manager_t *plugin_manager,
                                   iree_allocator_t host_allocator,
                                   iree_hal_executable_loader_t **out_loader);
void native_loader_destroy(iree_hal_executable_loader_t *base);

// The name of the machine that we run on, as in format names: "x86_64".
const char *loader_machine_name(void);

// The answer of infer_format for data of format <prefix><suffix>.
SHARED_INTERNALLY iree_status_t loader_write_format(const char *prefix, const char *suffix, iree_host_size_t length,
                                  iree_host_size_t capacity, char *out_format,
                                  iree_host_size_t *out_length);

// Loads with the first loader that supports the format.
//   owns:   transfers ownership to the caller
//   errors: NOT_FOUND  no loader for the format; else those of the loader
iree_status_t loaders_load(iree_host_size_t count, iree_hal_executable_loader_t **loaders,
                           const iree_hal_executable_params_t *params,
                           iree_host_size_t worker_capacity,
                           iree_hal_executable_t **out_executable);

#endif  // RUNTIME_LOADERS_LOADER_H_
