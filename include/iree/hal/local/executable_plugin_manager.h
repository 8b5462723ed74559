// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins as objects, and the list of those that loaders ask for the imports of kernels.
//
// Providers are asked from the last registered to the first; each fills what it has, and what
// earlier answers filled stays. A loader retains its manager: functions stay callable as long as
// the device that loaded the kernels lives.
#ifndef IREE_HAL_LOCAL_EXECUTABLE_PLUGIN_MANAGER_H_
#define IREE_HAL_LOCAL_EXECUTABLE_PLUGIN_MANAGER_H_

#include "iree/base/api.h"
#include "iree/base/internal/atomics.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_loader.h"
#include "iree/hal/local/executable_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

//===-- plugins -------------------------------------------------------------------------------===//

typedef struct iree_hal_executable_plugin_vtable_t iree_hal_executable_plugin_vtable_t;

// Calls a plugin's resolve where a plain call would not do.
typedef iree_status_t (*iree_hal_executable_plugin_resolve_thunk_t)(void *fn_ptr, void *self,
                                                                    const void *params,
                                                                    uint32_t *out_resolution);

// The head of every kind of plugin.
typedef struct iree_hal_executable_plugin_t {
  iree_atomic_ref_count_t ref_count;
  const iree_hal_executable_plugin_vtable_t *vtable;
  union {
    const iree_hal_executable_plugin_header_t **header;
    const iree_hal_executable_plugin_v0_t *v0;
  } library;  // null until it is loaded
  void *self;
  iree_string_view_t identifier;
  iree_hal_executable_plugin_resolve_thunk_t resolve_thunk;  // may be null
} iree_hal_executable_plugin_t;

struct iree_hal_executable_plugin_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_executable_plugin_t *plugin);
};

// Sets up the head of a plugin with one reference, checks the table and loads it. After an error
// the head can be released, which calls the vtable's destroy alone.
//   owns:   |header_ptr| is borrowed until the plugin is destroyed, |params| until this returns
//   errors: FAILED_PRECONDITION  null or a newer version, or without |required_features|
//           INVALID_ARGUMENT     a table without load or resolve
//           UNAVAILABLE          built for a sanitizer that this program lacks
//           UNKNOWN              or whatever else the plugin's load returns
IREE_API_EXPORT iree_status_t iree_hal_executable_plugin_initialize(
    const void *vtable, iree_hal_executable_plugin_features_t required_features,
    const iree_hal_executable_plugin_header_t **header_ptr, iree_host_size_t param_count,
    const iree_string_pair_t *params, iree_hal_executable_plugin_resolve_thunk_t resolve_thunk,
    iree_allocator_t host_allocator, iree_hal_executable_plugin_t *out_base_plugin);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_executable_plugin_retain(iree_hal_executable_plugin_t *plugin);
IREE_API_EXPORT void iree_hal_executable_plugin_release(iree_hal_executable_plugin_t *plugin);

// The plugin as a provider of its own.
//   owns:   borrowed from |plugin| until it is destroyed
//   errors: none
IREE_API_EXPORT iree_hal_executable_import_provider_t
iree_hal_executable_plugin_provider(iree_hal_executable_plugin_t *plugin);

//===-- manager -------------------------------------------------------------------------------===//

typedef struct iree_hal_executable_plugin_manager_t iree_hal_executable_plugin_manager_t;

// Makes a list with room for |capacity| providers.
//   owns:   transfers ownership to the caller
//   errors: OUT_OF_RANGE        a capacity beyond memory
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_executable_plugin_manager_create(
    iree_host_size_t capacity, iree_allocator_t host_allocator,
    iree_hal_executable_plugin_manager_t **out_manager);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_executable_plugin_manager_retain(
    iree_hal_executable_plugin_manager_t *manager);
IREE_API_EXPORT void iree_hal_executable_plugin_manager_release(
    iree_hal_executable_plugin_manager_t *manager);

// Adds a provider, which is asked before those that are there; one that provides nothing is not
// added.
//   owns:   the provider is borrowed until the manager is destroyed
//   thread: any thread, while others resolve
//   errors: RESOURCE_EXHAUSTED  more than the capacity
IREE_API_EXPORT iree_status_t iree_hal_executable_plugin_manager_register_provider(
    iree_hal_executable_plugin_manager_t *manager, iree_hal_executable_import_provider_t provider);

// The same with a plugin.
//   owns:   retains |plugin| until the manager is destroyed
//   thread: any thread, while others resolve
//   errors: RESOURCE_EXHAUSTED  more than the capacity
IREE_API_EXPORT iree_status_t iree_hal_executable_plugin_manager_register_plugin(
    iree_hal_executable_plugin_manager_t *manager, iree_hal_executable_plugin_t *plugin);

// All providers of the manager as one; null provides nothing.
//   owns:   borrowed from |manager| until it is destroyed
//   errors: none
IREE_API_EXPORT iree_hal_executable_import_provider_t
iree_hal_executable_plugin_manager_provider(iree_hal_executable_plugin_manager_t *manager);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_EXECUTABLE_PLUGIN_MANAGER_H_
