// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the local drivers have in common.
#include "runtime/hal/local/driver.h"

#include "iree/hal/local/executable_plugin_manager.h"
#include "iree/hal/local/plugins/registration/init.h"
#include "runtime/hal/local/processor.h"
#include "runtime/loaders/loader.h"
#include "runtime/task/topology.h"

// The shared runtime has plugins in a library of its own, which a program may leave out.
#if defined(IREE_RUNTIME_SPLIT)
#pragma weak iree_hal_executable_plugin_manager_create
#pragma weak iree_hal_register_executable_plugin_from_spec
#define HAS_PLUGINS (iree_hal_executable_plugin_manager_create != NULL)
#else
#define HAS_PLUGINS true
#endif

typedef struct local_driver_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  const local_driver_class_t *driver_class;
} local_driver_t;

static void local_driver_destroy(iree_hal_driver_t *base) {
  iree_allocator_free(((local_driver_t *)base)->host_allocator, base);
}

static iree_status_t local_driver_query_available_devices(
    iree_hal_driver_t *base, iree_allocator_t host_allocator,
    iree_host_size_t *out_device_info_count, iree_hal_device_info_t **out_device_infos) {
  local_driver_t *driver = (local_driver_t *)base;
  iree_string_view_t name = driver->driver_class->device_name;
  iree_hal_device_info_t *info = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_with_trailing(host_allocator, sizeof(*info), name.size,
                                                           (void **)&info));
  info->device_id = IREE_HAL_DEVICE_ID_DEFAULT;
  iree_string_view_append_to_buffer(name, &info->name, (char *)(info + 1));
  *out_device_info_count = 1;
  *out_device_infos = info;
  return iree_ok_status();
}

static iree_status_t check_device_id(local_driver_t *driver, iree_hal_device_id_t device_id) {
  if (device_id == IREE_HAL_DEVICE_ID_DEFAULT) return iree_ok_status();
  return iree_make_status(IREE_STATUS_NOT_FOUND, "driver '%.*s' has one device, with id 0",
                          IREE_SV_ARGS(driver->driver_class->info.driver_name));
}

static iree_status_t local_driver_dump_device_info(iree_hal_driver_t *base,
                                                   iree_hal_device_id_t device_id,
                                                   iree_string_builder_t *builder) {
  local_driver_t *driver = (local_driver_t *)base;
  IREE_RETURN_IF_ERROR(check_device_id(driver, device_id));
  task_topology_t topology;
  task_topology_choice_t choice = task_topology_choice_default();
  IREE_RETURN_IF_ERROR(task_topology_from_machine(&choice, &topology));
  iree_hal_processor_v0_t processor;
  processor_query(&processor);
  return iree_string_builder_append_format(
      builder,
      "- machine: %s\n- physical cores: %zu\n- processor features: %016" PRIx64
      "\n- executable formats: embedded-elf-%s, system-elf-%s\n",
      loader_machine_name(), topology.group_count, processor.data[0], loader_machine_name(),
      loader_machine_name());
}

// The plugins that parameters name; null when they name none.
static iree_status_t create_plugins(iree_host_size_t param_count, const iree_string_pair_t *params,
                                    iree_allocator_t host_allocator,
                                    iree_hal_executable_plugin_manager_t **out_plugins) {
  *out_plugins = NULL;
  iree_host_size_t count = 0;
  for (iree_host_size_t i = 0; i < param_count; ++i) count += local_driver_is_plugin(params[i]);
  if (!count) return iree_ok_status();
  if (!HAS_PLUGINS) {
    return iree_make_status(IREE_STATUS_UNAVAILABLE,
                            "this program is linked without -liree_modules, which loads plugins");
  }
  iree_hal_executable_plugin_manager_t *plugins = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_executable_plugin_manager_create(count, host_allocator, &plugins));
  for (iree_host_size_t i = 0; i < param_count; ++i) {
    if (!local_driver_is_plugin(params[i])) continue;
    iree_status_t status =
        iree_hal_register_executable_plugin_from_spec(plugins, params[i].value, host_allocator);
    if (iree_status_is_ok(status)) continue;
    plugin_manager_release(plugins);
    return status;
  }
  *out_plugins = plugins;
  return iree_ok_status();
}

static iree_status_t local_driver_create_device_by_id(
    iree_hal_driver_t *base, iree_hal_device_id_t device_id, iree_host_size_t param_count,
    const iree_string_pair_t *params, const iree_hal_device_create_params_t *create_params,
    iree_allocator_t host_allocator, iree_hal_device_t **out_device) {
  (void)create_params;
  local_driver_t *driver = (local_driver_t *)base;
  IREE_RETURN_IF_ERROR(check_device_id(driver, device_id));
  const local_driver_class_t *driver_class = driver->driver_class;
  iree_hal_executable_plugin_manager_t *plugins = NULL;
  IREE_RETURN_IF_ERROR(create_plugins(param_count, params, host_allocator, &plugins));
  iree_status_t status =
      driver_class->create_device(driver_class->info.driver_name, param_count, params, plugins,
                                  host_allocator, out_device);
  plugin_manager_release(plugins);
  return status;
}

static iree_status_t local_driver_create_device_by_path(
    iree_hal_driver_t *base, iree_string_view_t driver_name, iree_string_view_t device_path,
    iree_host_size_t param_count, const iree_string_pair_t *params,
    const iree_hal_device_create_params_t *create_params, iree_allocator_t host_allocator,
    iree_hal_device_t **out_device) {
  if (!iree_string_view_is_empty(device_path)) {
    return iree_make_status(IREE_STATUS_NOT_FOUND,
                            "driver '%.*s' has one device and no paths, '%.*s' was given; use "
                            "--device=%.*s",
                            IREE_SV_ARGS(driver_name), IREE_SV_ARGS(device_path),
                            IREE_SV_ARGS(driver_name));
  }
  return local_driver_create_device_by_id(base, IREE_HAL_DEVICE_ID_DEFAULT, param_count, params,
                                          create_params, host_allocator, out_device);
}

static const iree_hal_driver_vtable_t local_driver_vtable = {
    .destroy = local_driver_destroy,
    .query_available_devices = local_driver_query_available_devices,
    .dump_device_info = local_driver_dump_device_info,
    .create_device_by_id = local_driver_create_device_by_id,
    .create_device_by_path = local_driver_create_device_by_path,
};

iree_status_t local_driver_create(const local_driver_class_t *driver_class,
                                  iree_allocator_t host_allocator, iree_hal_driver_t **out_driver) {
  *out_driver = NULL;
  local_driver_t *driver = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*driver), (void **)&driver));
  iree_hal_resource_initialize(&local_driver_vtable, &driver->resource);
  driver->host_allocator = host_allocator;
  driver->driver_class = driver_class;
  *out_driver = (iree_hal_driver_t *)driver;
  return iree_ok_status();
}

iree_status_t local_driver_unknown_param(iree_string_view_t driver_name, iree_string_view_t key,
                                         const char *known_keys) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "driver '%.*s' has no parameter '%.*s'; it has: %s",
                          IREE_SV_ARGS(driver_name), IREE_SV_ARGS(key), known_keys);
}

iree_status_t local_driver_factory_enumerate(void *self, iree_host_size_t *out_driver_info_count,
                                             const iree_hal_driver_info_t **out_driver_infos) {
  const local_driver_class_t *driver_class = self;
  *out_driver_info_count = 1;
  *out_driver_infos = &driver_class->info;
  return iree_ok_status();
}

iree_status_t local_driver_factory_try_create(void *self, iree_string_view_t driver_name,
                                              iree_allocator_t host_allocator,
                                              iree_hal_driver_t **out_driver) {
  (void)driver_name;
  return local_driver_create(self, host_allocator, out_driver);
}
