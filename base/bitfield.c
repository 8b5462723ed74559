// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of bit sets, driven by the caller's table.
#include "iree/base/bitfield.h"

iree_status_t iree_bitfield_parse(iree_string_view_t value, iree_host_size_t mapping_count,
                                  const iree_bitfield_string_mapping_t *mappings,
                                  uint32_t *out_value) {
  *out_value = 0;
  uint32_t result = 0;
  while (!iree_string_view_is_empty(value)) {
    iree_string_view_t name = iree_string_view_empty();
    iree_string_view_split(value, '|', &name, &value);
    name = iree_string_view_trim(name);
    if (iree_string_view_is_empty(name)) continue;
    iree_host_size_t i = 0;
    while (i < mapping_count && !iree_string_view_equal(mappings[i].string, name)) ++i;
    if (i == mapping_count) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "unknown flag '%.*s'", (int)name.size,
                              name.data);
    }
    result |= mappings[i].bits;
  }
  *out_value = result;
  return iree_ok_status();
}

iree_status_t iree_bitfield_format(uint32_t value, iree_host_size_t mapping_count,
                                   const iree_bitfield_string_mapping_t *mappings,
                                   iree_string_builder_t *string_builder) {
  if (!value) return iree_string_builder_append_cstring(string_builder, "NONE");
  const char *separator = "";
  for (iree_host_size_t i = 0; i < mapping_count && value; ++i) {
    uint32_t bits = mappings[i].bits;
    if (!bits || (value & bits) != bits) continue;
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(string_builder, separator));
    IREE_RETURN_IF_ERROR(iree_string_builder_append_string(string_builder, mappings[i].string));
    separator = "|";
    value &= ~bits;
  }
  if (!value) return iree_ok_status();
  return iree_string_builder_append_format(string_builder, "%s%Xh", separator, value);
}

iree_string_view_t iree_bitfield_format_inline(uint32_t value, iree_host_size_t mapping_count,
                                               const iree_bitfield_string_mapping_t *mappings,
                                               iree_bitfield_string_temp_t *out_temp) {
  iree_string_builder_t builder;
  iree_string_builder_initialize_with_storage(out_temp->buffer, sizeof(out_temp->buffer), &builder);
  iree_status_t status = iree_bitfield_format(value, mapping_count, mappings, &builder);
  if (!iree_status_is_ok(status)) {
    iree_status_ignore(status);
    return iree_make_cstring_view("(error)");
  }
  return iree_string_builder_view(&builder);
}
