// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins in ELF files of the kernels' kind.
#include "base/file.h"
#include "iree/hal/local/plugins/embedded_elf_plugin.h"
#include "runtime/loaders/elf_file.h"
#include "runtime/loaders/elf_image.h"
#include "runtime/plugins/kinds.h"

static void free_image(void *self) { elf_image_free((elf_image_t *)self); }

iree_status_t iree_hal_embedded_elf_executable_plugin_load_from_memory(
    iree_const_byte_span_t buffer, iree_host_size_t param_count, const iree_string_pair_t *params,
    iree_allocator_t host_allocator, iree_hal_executable_plugin_t **out_plugin) {
  *out_plugin = NULL;
  iree_const_byte_span_t data = iree_const_byte_span_empty();
  IREE_RETURN_IF_ERROR(elf_file_select(buffer, &data));
  elf_image_t *image = NULL;
  IREE_RETURN_IF_ERROR(elf_image_load(data, host_allocator, &image));
  void *query = NULL;
  iree_status_t status =
      elf_image_lookup_function(image, IREE_HAL_EXECUTABLE_PLUGIN_EXPORT_NAME, &query);
  if (!iree_status_is_ok(status)) {
    elf_image_free(image);
    return status;
  }
  return plugin_create((iree_hal_executable_plugin_query_fn_t)(uintptr_t)query,
                       (plugin_code_t){image, free_image}, (plugin_params_t){param_count, params},
                       host_allocator, out_plugin);
}

iree_status_t iree_hal_embedded_elf_executable_plugin_load_from_file(
    iree_string_view_t path, iree_host_size_t param_count, const iree_string_pair_t *params,
    iree_allocator_t host_allocator, iree_hal_executable_plugin_t **out_plugin) {
  *out_plugin = NULL;
  file_contents_t contents = {0};
  IREE_RETURN_IF_ERROR(file_contents_read(path, host_allocator, &contents));
  iree_status_t status = iree_hal_embedded_elf_executable_plugin_load_from_memory(
      contents.data, param_count, params, host_allocator, out_plugin);
  file_contents_release(&contents);
  return iree_status_annotate_f(status, "loading plugin '%.*s'", IREE_SV_ARGS(path));
}
