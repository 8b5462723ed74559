// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing parameter archives (parameter_output.h).

#include "tooling/parameter_output.h"

#include <string.h>

#include "iree/io/file_handle.h"

static const flag_t k_output_flags[] = {
    FLAG_STRING(parameter_output_flags_t, output, "output", "", "The .irpa file to write."),
    FLAG_BOOL(parameter_output_flags_t, quiet, "quiet", "false",
              "Does not list what was written."),
};
const flag_group_t parameter_output_flag_group = FLAG_GROUP("Output", k_output_flags);

iree_status_t parameter_output_create(const parameter_output_flags_t *flags, uint64_t length,
                                      iree_allocator_t host_allocator,
                                      iree_io_file_handle_t **out_handle) {
  *out_handle = NULL;
  if (iree_string_view_is_empty(flags->output)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "no output file; name one by --output=file.irpa");
  }
  return iree_io_file_handle_create(IREE_IO_FILE_MODE_READ | IREE_IO_FILE_MODE_WRITE, flags->output,
                                    length, host_allocator, out_handle);
}

iree_status_t parameter_output_report(const parameter_output_flags_t *flags,
                                      iree_io_parameter_index_t *index,
                                      iree_string_builder_t *text) {
  if (flags->quiet) return iree_ok_status();
  return iree_io_parameter_index_dump(iree_string_view_empty(), index, text);
}

iree_status_t parameter_parse_splat(iree_hal_element_type_t type, iree_string_view_t text,
                                    iree_io_parameter_index_entry_t *entry) {
  const iree_host_size_t bits = iree_hal_element_bit_count(type);
  if (bits == 0 || bits % 8 != 0 ||
      bits / 8 > IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "elements of %" PRIhsz
                            " bits; name a type of 1 to 16 bytes and as many bytes in all "
                            "(2xi4 is 1xi8)",
                            bits);
  }
  entry->type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT;
  memset(&entry->storage, 0, sizeof(entry->storage));
  entry->storage.splat.pattern_length = 1;
  if (iree_string_view_is_empty(text)) return iree_ok_status();
  entry->storage.splat.pattern_length = (uint8_t)(bits / 8);
  return iree_hal_parse_element(
      text, type, iree_make_byte_span(entry->storage.splat.pattern, (iree_host_size_t)(bits / 8)));
}
