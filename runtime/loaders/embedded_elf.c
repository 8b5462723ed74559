// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of kernel ELF files: select, check required CPU features, load, ask for the tables.
// Features are checked before any code of the file runs.
#include "iree/hal/local/loaders/embedded_elf_loader.h"
#include "runtime/hal/local/executable.h"
#include "runtime/hal/local/processor.h"
#include "runtime/loaders/elf_file.h"
#include "runtime/loaders/elf_image.h"
#include "runtime/loaders/loader.h"

#include <unistd.h>

static bool embedded_elf_supports(iree_hal_executable_loader_t *base,
                                  iree_hal_executable_caching_mode_t caching_mode,
                                  iree_string_view_t format) {
  (void)base, (void)caching_mode;
  return iree_string_view_consume_prefix(&format, IREE_SV("embedded-elf-")) &&
         iree_string_view_starts_with(format, iree_make_cstring_view(loader_machine_name()));
}

static void release_image(void *self) { elf_image_free((elf_image_t *)self); }

static iree_status_t check_processor(iree_const_byte_span_t data,
                                     const iree_hal_processor_v0_t *processor) {
  elf_file_t file;
  IREE_RETURN_IF_ERROR(elf_file_parse(data, (uint64_t)sysconf(_SC_PAGESIZE), &file));
  uint64_t words[IREE_HAL_PROCESSOR_DATA_CAPACITY_V0] = {0};
  iree_host_size_t word_count = 0;
  IREE_RETURN_IF_ERROR(elf_file_required_processor(&file, words, &word_count));
  return processor_require(processor, words, word_count);
}

// The files of both loaders are ELF; one without a name is taken for the kind that needs nothing.
static iree_status_t embedded_elf_infer_format(iree_hal_executable_loader_t *base,
                                               iree_hal_executable_caching_mode_t caching_mode,
                                               iree_const_byte_span_t data,
                                               iree_host_size_t capacity, char *out_format,
                                               iree_host_size_t *out_length) {
  (void)base, (void)caching_mode;
  elf_file_t file;
  iree_const_byte_span_t selected = iree_const_byte_span_empty();
  iree_status_t status = elf_file_select(data, &selected);
  if (iree_status_is_ok(status)) {
    status = elf_file_parse(selected, (uint64_t)sysconf(_SC_PAGESIZE), &file);
  }
  if (!iree_status_is_ok(status)) {
    iree_status_ignore(status);
    return iree_make_status(IREE_STATUS_INCOMPATIBLE, "not an ELF file of this machine");
  }
  return loader_write_format("embedded-elf-", loader_machine_name(), data.data_length, capacity,
                             out_format, out_length);
}

static iree_status_t embedded_elf_load(iree_hal_executable_loader_t *base,
                                       const iree_hal_executable_params_t *params,
                                       iree_host_size_t worker_capacity,
                                       iree_hal_executable_t **out_executable) {
  (void)worker_capacity;
  const native_loader_t *loader = (const native_loader_t *)base;
  iree_const_byte_span_t data = iree_const_byte_span_empty();
  IREE_RETURN_IF_ERROR(elf_file_select(params->executable_data, &data));
  IREE_RETURN_IF_ERROR(check_processor(data, &loader->host.processor));
  elf_image_t *image = NULL;
  IREE_RETURN_IF_ERROR(elf_image_load(data, loader->host.host_allocator, &image));
  void *query = NULL;
  iree_status_t status =
      elf_image_lookup_function(image, IREE_HAL_EXECUTABLE_LIBRARY_EXPORT_NAME, &query);
  if (iree_status_is_ok(status)) {
    library_bounds_t bounds = {image, elf_image_contains, elf_image_contains_code};
    library_release_t release = {release_image, image};
    status = local_executable_create((iree_hal_executable_library_query_fn_t)(uintptr_t)query,
                                     bounds, release, params, &loader->host, out_executable);
  }
  if (!iree_status_is_ok(status)) elf_image_free(image);
  return status;
}

static const iree_hal_executable_loader_vtable_t embedded_elf_vtable = {
    .destroy = native_loader_destroy,
    .infer_format = embedded_elf_infer_format,
    .query_support = embedded_elf_supports,
    .try_load = embedded_elf_load,
};

iree_status_t iree_hal_embedded_elf_loader_create(
    iree_hal_executable_plugin_manager_t *plugin_manager, iree_allocator_t host_allocator,
    iree_hal_executable_loader_t **out_executable_loader) {
  return native_loader_create(&embedded_elf_vtable, plugin_manager, host_allocator,
                              out_executable_loader);
}
