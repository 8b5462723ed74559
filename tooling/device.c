// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device selection and listings (device.h).

#include "tooling/device.h"

#include <stdio.h>

#include "iree/hal/drivers/init.h"
#include "iree/hal/local/plugins/registration/init.h"

static const flag_t k_device_flags[] = {
    FLAG_LIST(device_flags_t, devices, "device",
              "Device to run on, as a URI: driver[://path][?key=value&...]. May repeat; the first "
              "one leads.\n"
              "Default: local-task. See --list_devices."),
    FLAG_OPTION(device_flags_t, list_drivers, "list_drivers",
                "Lists the drivers of this build and exits."),
    FLAG_OPTION(
        device_flags_t, list_devices, "list_devices",
        "Lists the devices of all drivers, or of the one named, as URIs for --device= and exits."),
    FLAG_OPTION(device_flags_t, dump_devices, "dump_devices",
                "As --list_devices, with what each driver knows about its devices."),
    FLAG_LIST(device_flags_t, executable_plugins, "executable_plugin",
              "Plugin with functions that kernels import (iree/hal/local/executable_plugin.h): a "
              "shared library, or\n"
              "an ELF file that needs nothing of the system as FILE.sos or embedded:FILE. May "
              "repeat; later ones are asked first."),
    FLAG_I32(device_flags_t, task_topology_group_count, "task_topology_group_count", "0",
             "Worker threads of local-task devices, placed by the system; 0: one per core that the "
             "flags below choose."),
    FLAG_LIST(device_flags_t, task_topology_cpu_ids, "task_topology_cpu_ids",
              "Logical processors (0,2,4) that get a pinned worker of local-task devices each."),
    FLAG_STRING(device_flags_t, task_topology_mode, "task_topology_mode", "physical_cores",
                "What gets a worker: physical_cores is all there is."),
    FLAG_STRING(device_flags_t, task_topology_nodes, "task_topology_nodes", "current",
                "NUMA nodes whose cores get workers: current (of the calling thread), all or numa, or "
                "numbers (0,2)."),
    FLAG_STRING(device_flags_t, task_topology_performance_level, "task_topology_performance_level",
                "any", "Cores that get workers by speed: any, low (efficiency), high (performance)."),
    FLAG_I32(device_flags_t, task_topology_max_group_count, "task_topology_max_group_count", "64",
             "Most workers that cores get."),
    FLAG_I32(device_flags_t, task_worker_spin_us, "task_worker_spin_us", "0",
             "Microseconds that idle workers of local-task devices poll before they sleep; 0: the "
             "driver's choice."),
    FLAG_I32(device_flags_t, task_worker_stack_size, "task_worker_stack_size", "0",
             "Bytes of each worker's stack; 0: the system's choice."),
};
const flag_group_t device_flag_group = FLAG_GROUP("Devices", k_device_flags);

#define DEFAULT_DEVICE_URI "local-task"

iree_status_t device_create_registry(iree_allocator_t host_allocator,
                                     iree_hal_driver_registry_t **out_registry) {
  *out_registry = NULL;
  iree_hal_driver_registry_t *registry = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_driver_registry_allocate(host_allocator, &registry));
  iree_status_t status = iree_hal_register_all_available_drivers(registry);
  if (iree_status_is_ok(status)) {
    *out_registry = registry;
  } else {
    iree_hal_driver_registry_free(registry);
  }
  return status;
}

bool device_flags_want_listing(const device_flags_t *flags) {
  return flags->list_drivers.is_set || flags->list_devices.is_set || flags->dump_devices.is_set;
}

//===-- listings -----------------------------------------------------------------------------===//

static iree_status_t append_device(iree_hal_driver_t *driver, iree_string_view_t driver_name,
                                   const iree_hal_device_info_t *info, bool is_verbose,
                                   iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(
      iree_string_builder_append_format(builder, "%s%.*s://%.*s\n", is_verbose ? "# --device=" : "",
                                        IREE_SV_ARGS(driver_name), IREE_SV_ARGS(info->path)));
  if (!is_verbose) return iree_ok_status();
  IREE_RETURN_IF_ERROR(
      iree_string_builder_append_format(builder, "#   %.*s\n", IREE_SV_ARGS(info->name)));
  IREE_RETURN_IF_ERROR(iree_hal_driver_dump_device_info(driver, info->device_id, builder));
  return iree_string_builder_append_cstring(builder, "\n");
}

static iree_status_t append_driver_devices(iree_hal_driver_registry_t *registry,
                                           iree_string_view_t driver_name, bool is_verbose,
                                           iree_allocator_t host_allocator,
                                           iree_string_builder_t *builder) {
  iree_hal_driver_t *driver = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_driver_registry_try_create(registry, driver_name, host_allocator, &driver));
  iree_host_size_t count = 0;
  iree_hal_device_info_t *infos = NULL;
  iree_status_t status =
      iree_hal_driver_query_available_devices(driver, host_allocator, &count, &infos);
  for (iree_host_size_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    status = append_device(driver, driver_name, &infos[i], is_verbose, builder);
  }
  iree_allocator_free(host_allocator, infos);
  iree_hal_driver_release(driver);
  return status;
}

// A driver whose library or hardware is absent has no devices; that is no reason to hide the
// others.
static bool is_absence(iree_status_t status) {
  return iree_status_is_unavailable(status) || iree_status_is_not_found(status) ||
         iree_status_is_failed_precondition(status);
}

static iree_status_t append_all_devices(iree_hal_driver_registry_t *registry, bool is_verbose,
                                        iree_allocator_t host_allocator,
                                        iree_string_builder_t *builder) {
  iree_host_size_t count = 0;
  iree_hal_driver_info_t *infos = NULL;
  iree_status_t status =
      iree_hal_driver_registry_enumerate(registry, host_allocator, &count, &infos);
  for (iree_host_size_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    status =
        append_driver_devices(registry, infos[i].driver_name, is_verbose, host_allocator, builder);
    if (is_absence(status)) status = iree_status_ignore(status);
  }
  iree_allocator_free(host_allocator, infos);
  return status;
}

static iree_status_t append_devices(const flag_option_t *option, bool is_verbose,
                                    iree_hal_driver_registry_t *registry,
                                    iree_allocator_t host_allocator,
                                    iree_string_builder_t *builder) {
  if (!option->is_set) return iree_ok_status();
  if (iree_string_view_is_empty(option->value)) {
    return append_all_devices(registry, is_verbose, host_allocator, builder);
  }
  return append_driver_devices(registry, option->value, is_verbose, host_allocator, builder);
}

static iree_status_t append_drivers(iree_hal_driver_registry_t *registry,
                                    iree_allocator_t host_allocator,
                                    iree_string_builder_t *builder) {
  iree_host_size_t count = 0;
  iree_hal_driver_info_t *infos = NULL;
  iree_status_t status =
      iree_hal_driver_registry_enumerate(registry, host_allocator, &count, &infos);
  for (iree_host_size_t i = 0; i < count && iree_status_is_ok(status); ++i) {
    status = iree_string_builder_append_format(builder, "%16.*s: %.*s\n",
                                               IREE_SV_ARGS(infos[i].driver_name),
                                               IREE_SV_ARGS(infos[i].full_name));
  }
  iree_allocator_free(host_allocator, infos);
  return status;
}

iree_status_t device_append_listing(const device_flags_t *flags,
                                    iree_hal_driver_registry_t *registry,
                                    iree_allocator_t host_allocator,
                                    iree_string_builder_t *builder) {
  if (flags->list_drivers.is_set)
    IREE_RETURN_IF_ERROR(append_drivers(registry, host_allocator, builder));
  IREE_RETURN_IF_ERROR(
      append_devices(&flags->list_devices, false, registry, host_allocator, builder));
  return append_devices(&flags->dump_devices, true, registry, host_allocator, builder);
}

//===-- creation -----------------------------------------------------------------------------===//

static iree_status_t append_param(const char *key, iree_string_view_t value,
                                  iree_string_builder_t *uri) {
  const bool has_params =
      iree_string_view_find_char(iree_string_builder_view(uri), '?', 0) != IREE_STRING_VIEW_NPOS;
  return iree_string_builder_append_format(uri, "%c%s=%.*s", has_params ? '&' : '?', key,
                                           IREE_SV_ARGS(value));
}

static iree_status_t append_number_param(const char *key, int32_t value,
                                         iree_string_builder_t *uri) {
  char text[16];
  snprintf(text, sizeof(text), "%d", (int)value);
  return append_param(key, iree_make_cstring_view(text), uri);
}

static iree_status_t append_plugin_param(iree_string_view_t spec, iree_string_builder_t *uri) {
  if (iree_string_view_find_char(spec, '&', 0) != IREE_STRING_VIEW_NPOS) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "--executable_plugin=%.*s: '&' ends a parameter of a device; link the "
                            "file to a name without it",
                            IREE_SV_ARGS(spec));
  }
  return append_param("executable_plugin", spec, uri);
}

iree_status_t device_append_uri(const device_flags_t *flags, iree_string_view_t given,
                                iree_string_builder_t *uri) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_string(uri, given));
  if (!iree_string_view_starts_with(given, IREE_SV("local-"))) return iree_ok_status();
  for (iree_host_size_t i = 0; i < flags->executable_plugins.count; ++i) {
    IREE_RETURN_IF_ERROR(append_plugin_param(flags->executable_plugins.values[i], uri));
  }
  if (!iree_string_view_starts_with(given, IREE_SV("local-task"))) return iree_ok_status();
  const struct {
    const char *key;
    int32_t value, unset;
  } numbers[] = {
      {"task_topology_group_count", flags->task_topology_group_count, 0},
      {"task_topology_max_group_count", flags->task_topology_max_group_count, 64},
      {"task_worker_spin_us", flags->task_worker_spin_us, 0},
      {"task_worker_stack_size", flags->task_worker_stack_size, 0},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(numbers); ++i) {
    if (numbers[i].value == numbers[i].unset) continue;
    IREE_RETURN_IF_ERROR(append_number_param(numbers[i].key, numbers[i].value, uri));
  }
  const struct {
    const char *key;
    iree_string_view_t value;
    const char *unset;
  } words[] = {
      {"task_topology_mode", flags->task_topology_mode, "physical_cores"},
      {"task_topology_nodes", flags->task_topology_nodes, "current"},
      {"task_topology_performance_level", flags->task_topology_performance_level, "any"},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(words); ++i) {
    if (iree_string_view_equal(words[i].value, iree_make_cstring_view(words[i].unset))) continue;
    IREE_RETURN_IF_ERROR(append_param(words[i].key, words[i].value, uri));
  }
  // One list of them all: a device has one executor.
  for (iree_host_size_t i = 0; i < flags->task_topology_cpu_ids.count; ++i) {
    iree_string_view_t ids = flags->task_topology_cpu_ids.values[i];
    IREE_RETURN_IF_ERROR(
        i ? iree_string_builder_append_format(uri, ",%.*s", IREE_SV_ARGS(ids))
          : append_param("task_topology_cpu_ids", ids, uri));
  }
  return iree_ok_status();
}

static iree_status_t add_device(const device_flags_t *flags, iree_string_view_t given,
                                iree_hal_driver_registry_t *registry,
                                iree_allocator_t host_allocator,
                                iree_hal_device_group_builder_t *builder) {
  const iree_hal_device_create_params_t params = iree_hal_device_create_params_default();
  iree_string_builder_t uri;
  iree_string_builder_initialize(host_allocator, &uri);
  iree_hal_device_t *device = NULL;
  iree_status_t status = device_append_uri(flags, given, &uri);
  if (iree_status_is_ok(status)) {
    status = iree_hal_create_device(registry, iree_string_builder_view(&uri), &params,
                                    host_allocator, &device);
    status = iree_status_annotate_f(
        status, "creating device '%.*s'; --list_devices shows what there is", IREE_SV_ARGS(given));
  }
  if (iree_status_is_ok(status)) status = iree_hal_device_group_builder_add_device(builder, device);
  iree_hal_device_release(device);
  iree_string_builder_deinitialize(&uri);
  return status;
}

iree_status_t device_create_group(const device_flags_t *flags, iree_hal_driver_registry_t *registry,
                                  iree_allocator_t host_allocator,
                                  iree_hal_device_group_t **out_group) {
  *out_group = NULL;
  iree_hal_device_group_builder_t builder;
  iree_hal_device_group_builder_initialize(&builder, /*frontier_tracker=*/NULL);
  iree_status_t status = iree_ok_status();
  if (flags->devices.count == 0) {
    status = add_device(flags, IREE_SV(DEFAULT_DEVICE_URI), registry, host_allocator, &builder);
  }
  for (iree_host_size_t i = 0; i < flags->devices.count && iree_status_is_ok(status); ++i) {
    status = add_device(flags, flags->devices.values[i], registry, host_allocator, &builder);
  }
  if (iree_status_is_ok(status)) {
    status = iree_hal_device_group_builder_finalize(&builder, host_allocator, out_group);
  }
  iree_hal_device_group_builder_deinitialize(&builder);
  return status;
}

iree_status_t device_create_plugins(const device_flags_t *flags, iree_allocator_t host_allocator,
                                    iree_hal_executable_plugin_manager_t **out_plugins) {
  *out_plugins = NULL;
  const flag_list_t *specs = &flags->executable_plugins;
  if (!specs->count) return iree_ok_status();
  iree_hal_executable_plugin_manager_t *plugins = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_executable_plugin_manager_create(specs->count, host_allocator, &plugins));
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < specs->count && iree_status_is_ok(status); ++i) {
    status = iree_hal_register_executable_plugin_from_spec(plugins, specs->values[i], host_allocator);
  }
  if (iree_status_is_ok(status)) {
    *out_plugins = plugins;
  } else {
    iree_hal_executable_plugin_manager_release(plugins);
  }
  return status;
}
