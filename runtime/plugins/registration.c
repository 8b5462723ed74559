// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the text of --executable_plugin= to a plugin.
#include "iree/hal/local/plugins/registration/init.h"

#include "iree/hal/local/plugins/embedded_elf_plugin.h"
#include "iree/hal/local/plugins/system_library_plugin.h"

#define PATH_BYTES_MAX 4096

static iree_status_t load_system_library(iree_string_view_t path, iree_allocator_t host_allocator,
                                         iree_hal_executable_plugin_t **out_plugin) {
  char text[PATH_BYTES_MAX];
  if (path.size == 0 || path.size >= sizeof(text)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "the path of a plugin has 1 to %d bytes, this one has %zu",
                            PATH_BYTES_MAX - 1, path.size);
  }
  iree_string_view_to_cstring(path, text, sizeof(text));
  return iree_hal_system_library_executable_plugin_load_from_file(text, 0, NULL, host_allocator,
                                                                  out_plugin);
}

iree_status_t iree_hal_register_executable_plugin_from_spec(
    iree_hal_executable_plugin_manager_t *manager, iree_string_view_t spec,
    iree_allocator_t host_allocator) {
  iree_string_view_t path = spec;
  iree_hal_executable_plugin_t *plugin = NULL;
  if (iree_string_view_consume_prefix(&path, IREE_SV("embedded:")) ||
      iree_string_view_ends_with(path, IREE_SV(".sos"))) {
    IREE_RETURN_IF_ERROR(iree_hal_embedded_elf_executable_plugin_load_from_file(
        path, 0, NULL, host_allocator, &plugin));
  } else {
    iree_string_view_consume_prefix(&path, IREE_SV("system:"));
    IREE_RETURN_IF_ERROR(load_system_library(path, host_allocator, &plugin));
  }
  iree_status_t status = iree_hal_executable_plugin_manager_register_plugin(manager, plugin);
  iree_hal_executable_plugin_release(plugin);
  return status;
}

#define ROOM_WITHOUT_FLAGS 16

iree_status_t iree_hal_executable_plugin_manager_create_from_flags(
    iree_allocator_t host_allocator, iree_hal_executable_plugin_manager_t **out_manager) {
  return iree_hal_executable_plugin_manager_create(ROOM_WITHOUT_FLAGS, host_allocator, out_manager);
}

iree_status_t iree_hal_register_executable_plugins_from_flags(
    iree_hal_executable_plugin_manager_t *manager, iree_allocator_t host_allocator) {
  (void)manager, (void)host_allocator;
  return iree_ok_status();
}
