// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices by name: --device=URI, and what there is to choose from.

#ifndef TOOLING_DEVICE_H_
#define TOOLING_DEVICE_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "base/flags.h"
#include "iree/hal/local/executable_plugin_manager.h"

typedef struct device_flags_t {
  flag_list_t devices;
  flag_option_t list_drivers;
  flag_option_t list_devices;
  flag_option_t dump_devices;
  flag_list_t executable_plugins;  // of local devices
  // Options of local-task devices.
  int32_t task_topology_group_count;
  int32_t task_topology_max_group_count;
  int32_t task_worker_spin_us;
  int32_t task_worker_stack_size;
  flag_list_t task_topology_cpu_ids;
  iree_string_view_t task_topology_mode;
  iree_string_view_t task_topology_nodes;
  iree_string_view_t task_topology_performance_level;
} device_flags_t;

extern const flag_group_t device_flag_group;

// Makes a registry of all drivers in this build.
//   owns:   transfers ownership to the caller (iree_hal_driver_registry_free)
//   errors: RESOURCE_EXHAUSTED
iree_status_t device_create_registry(iree_allocator_t host_allocator,
                                     iree_hal_driver_registry_t **out_registry);

// Whether the flags ask for a listing instead of a run.
bool device_flags_want_listing(const device_flags_t *flags);

// Appends what the flags ask to list.
//   errors: NOT_FOUND  no such driver
iree_status_t device_append_listing(const device_flags_t *flags,
                                    iree_hal_driver_registry_t *registry,
                                    iree_allocator_t host_allocator,
                                    iree_string_builder_t *builder);

// Appends a device's URI as it was given, for local devices with the flags as parameters.
//   errors: INVALID_ARGUMENT  the path of a plugin has a character that ends a parameter
iree_status_t device_append_uri(const device_flags_t *flags, iree_string_view_t given,
                                iree_string_builder_t *uri);

// Creates the devices that --device= names, in order; local-task when none is named.
//   owns:   transfers ownership to the caller
//   errors: NOT_FOUND  no such driver or device
iree_status_t device_create_group(const device_flags_t *flags, iree_hal_driver_registry_t *registry,
                                  iree_allocator_t host_allocator,
                                  iree_hal_device_group_t **out_group);

// Loads the plugins that the flags name, for loaders without a device; null when they name none.
//   owns:   transfers ownership to the caller
//   errors: NOT_FOUND  no such file; and those of iree_hal_register_executable_plugin_from_spec
iree_status_t device_create_plugins(const device_flags_t *flags, iree_allocator_t host_allocator,
                                    iree_hal_executable_plugin_manager_t **out_plugins);

#endif  // TOOLING_DEVICE_H_
