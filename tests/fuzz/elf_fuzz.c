// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel ELF files up to, not including, the point where their code runs; and the tables that such
// code would hand over, taken from the same bytes.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/hal/local/executable.h"
#include "runtime/loaders/elf_file.h"
#include "runtime/loaders/elf_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Initializers would be run by the load: files that have any are not loaded.
static bool has_initializers(const elf_file_t *file) {
  for (uint64_t i = 0; i + sizeof(elf_dynamic_t) <= file->dynamic.p_filesz;
       i += sizeof(elf_dynamic_t)) {
    elf_dynamic_t entry;
    memcpy(&entry, file->data.data + file->dynamic.p_offset + i, sizeof(entry));
    if (entry.d_tag == DT_INIT || entry.d_tag == DT_INIT_ARRAY) return true;
  }
  return false;
}

static void load(iree_const_byte_span_t data) {
  elf_file_t file;
  uint64_t words[8];
  iree_host_size_t word_count = 0;
  elf_image_t *image = NULL;
  void *address = NULL;
  iree_status_t status = elf_file_select(data, &data);
  if (iree_status_is_ok(status)) {
    status = elf_file_parse(data, (uint64_t)sysconf(_SC_PAGESIZE), &file);
  }
  if (iree_status_is_ok(status)) status = elf_file_required_processor(&file, words, &word_count);
  if (iree_status_is_ok(status) && !has_initializers(&file)) {
    status = elf_image_load(data, iree_allocator_system(), &image);
  }
  if (iree_status_is_ok(status) && image) {
    status = elf_image_lookup_function(image, IREE_HAL_EXECUTABLE_LIBRARY_EXPORT_NAME, &address);
    if (address && !elf_image_contains_code(image, address)) abort();
  }
  elf_image_free(image);
  iree_status_ignore(status);
}

//===-- tables --------------------------------------------------------------------------------===//

static struct {
  uint8_t *base;
  size_t size;
} memory;

static bool contains(void *self, const void *ptr, iree_host_size_t length) {
  (void)self;
  uint64_t offset = (uint64_t)(uintptr_t)ptr - (uint64_t)(uintptr_t)memory.base;
  return iree_range_is_within(offset, length, memory.size);
}

static bool contains_code(void *self, const void *ptr) { return contains(self, ptr, 1); }

static const iree_hal_executable_library_header_t **query(
    iree_hal_executable_library_version_t max_version,
    const iree_hal_executable_environment_v0_t *environment) {
  (void)max_version, (void)environment;
  return (const iree_hal_executable_library_header_t **)(void *)memory.base;
}

// Words that could be offsets into the data become pointers, as relocations would make them.
static void check_tables(const uint8_t *data, size_t size) {
  memory.size = size / 8 * 8;
  memory.base = (uint8_t *)malloc(memory.size ? memory.size : 8);
  if (!memory.base) return;
  for (size_t i = 0; i < memory.size; i += 8) {
    uint64_t word = 0;
    memcpy(&word, data + i, 8);
    if (word >= 8 && word < memory.size) word += (uint64_t)(uintptr_t)memory.base;
    memcpy(memory.base + i, &word, 8);
  }
  iree_hal_executable_params_t params;
  iree_hal_executable_params_initialize(&params);
  const library_host_t host = {.host_allocator = iree_allocator_system()};
  iree_hal_executable_t *executable = NULL;
  iree_status_t status = local_executable_create(
      query, (library_bounds_t){NULL, contains, contains_code}, (library_release_t){NULL, NULL},
      &params, &host, &executable);
  if (iree_status_is_ok(status)) {
    iree_hal_executable_function_t function;
    status = iree_hal_executable_lookup_function_by_name(executable, IREE_SV("f"), &function);
  }
  iree_status_ignore(status);
  iree_hal_executable_release(executable);
  free(memory.base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  load(iree_make_const_byte_span(data, size));
  check_tables(data, size);
  return 0;
}
