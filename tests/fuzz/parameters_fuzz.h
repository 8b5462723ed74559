// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a parameter file and looks at every entry: each must lie in the file, and be found.
#ifndef TESTS_FUZZ_PARAMETERS_FUZZ_H_
#define TESTS_FUZZ_PARAMETERS_FUZZ_H_

#include <stdlib.h>

#include "iree/io/formats/parser_registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void check_entry(iree_io_parameter_index_t *index, const iree_io_parameter_index_entry_t *entry,
                               size_t size) {
  const iree_io_parameter_index_entry_t *found = NULL;
  IREE_CHECK_OK(iree_io_parameter_index_lookup(index, entry->key, &found));
  if (!iree_string_view_equal(found->key, entry->key)) abort();
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE &&
      !iree_range_is_within(entry->storage.file.offset, entry->length, size))
    abort();
}

static inline int fuzz_parameters(const char *extension, const uint8_t *data, size_t size) {
  iree_allocator_t allocator = iree_allocator_system();
  iree_io_file_handle_t *handle = NULL;
  iree_io_parameter_index_t *index = NULL;
  iree_byte_span_t contents = iree_make_byte_span((void *)(uintptr_t)data, size);
  IREE_CHECK_OK(iree_io_file_handle_wrap_host_allocation(IREE_IO_FILE_ACCESS_READ, contents,
                                                         iree_io_file_handle_release_callback_null(), allocator, &handle));
  IREE_CHECK_OK(iree_io_parameter_index_create(allocator, &index));
  iree_status_ignore(iree_io_parse_file_index(iree_make_cstring_view(extension), handle, index, allocator));
  for (iree_host_size_t i = 0; i < iree_io_parameter_index_count(index); ++i) {
    const iree_io_parameter_index_entry_t *entry = NULL;
    IREE_CHECK_OK(iree_io_parameter_index_get(index, i, &entry));
    check_entry(index, entry, size);
  }
  iree_io_parameter_index_release(index);
  iree_io_file_handle_release(handle);
  return 0;
}

#endif  // TESTS_FUZZ_PARAMETERS_FUZZ_H_
