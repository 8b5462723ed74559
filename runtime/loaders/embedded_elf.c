// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of kernel ELF files: select, check required CPU features, load, ask for the tables.
// Features are checked before any code of the file runs.
#include "runtime/hal/local/executable.h"
#include "runtime/hal/local/processor.h"
#include "runtime/loaders/elf_file.h"
#include "runtime/loaders/elf_image.h"
#include "runtime/loaders/loader.h"

#include <unistd.h>

static bool embedded_elf_supports(iree_string_view_t format) {
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

static iree_status_t embedded_elf_load(const iree_hal_executable_params_t *params,
                                       const iree_hal_processor_v0_t *processor,
                                       iree_allocator_t host_allocator,
                                       iree_hal_executable_t **out_executable) {
  *out_executable = NULL;
  iree_const_byte_span_t data = iree_const_byte_span_empty();
  IREE_RETURN_IF_ERROR(elf_file_select(params->executable_data, &data));
  IREE_RETURN_IF_ERROR(check_processor(data, processor));
  elf_image_t *image = NULL;
  IREE_RETURN_IF_ERROR(elf_image_load(data, host_allocator, &image));
  void *query = NULL;
  iree_status_t status =
      elf_image_lookup_function(image, IREE_HAL_EXECUTABLE_LIBRARY_EXPORT_NAME, &query);
  if (iree_status_is_ok(status)) {
    library_bounds_t bounds = {image, elf_image_contains, elf_image_contains_code};
    library_release_t release = {release_image, image};
    status =
        local_executable_create((iree_hal_executable_library_query_fn_t)(uintptr_t)query, bounds,
                                release, params, processor, host_allocator, out_executable);
  }
  if (!iree_status_is_ok(status)) elf_image_free(image);
  return status;
}

const executable_loader_t embedded_elf_loader = {
    .supports = embedded_elf_supports,
    .load = embedded_elf_load,
};
