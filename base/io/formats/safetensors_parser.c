// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading safetensors:
//
//   u64 length of the header | JSON {"name": {"data_offsets": [begin, end], ...}, ...} | data
#include "iree/io/formats/safetensors/safetensors_parser.h"

#include "base/io/formats/format.h"
#include "base/io/formats/json_cursor.h"

static iree_status_t read_range(json_cursor_t *cursor, uint64_t *out_begin, uint64_t *out_end) {
  IREE_RETURN_IF_ERROR(json_expect(cursor, '['));
  IREE_RETURN_IF_ERROR(json_u64(cursor, out_begin));
  IREE_RETURN_IF_ERROR(json_expect(cursor, ','));
  IREE_RETURN_IF_ERROR(json_u64(cursor, out_end));
  return json_expect(cursor, ']');
}

// The fields of a tensor; all but the range is for other readers.
static iree_status_t read_fields(json_cursor_t *cursor, uint64_t *out_begin, uint64_t *out_end) {
  bool has_range = false;
  IREE_RETURN_IF_ERROR(json_expect(cursor, '{'));
  while (!json_accept(cursor, '}')) {
    iree_string_view_t field;
    IREE_RETURN_IF_ERROR(json_string(cursor, &field));
    IREE_RETURN_IF_ERROR(json_expect(cursor, ':'));
    if (iree_string_view_equal(field, IREE_SV("data_offsets"))) {
      IREE_RETURN_IF_ERROR(read_range(cursor, out_begin, out_end));
      has_range = true;
    } else {
      IREE_RETURN_IF_ERROR(json_skip(cursor));
    }
    if (json_accept(cursor, ',')) continue;
    IREE_RETURN_IF_ERROR(json_expect(cursor, '}'));
    break;
  }
  if (has_range) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "has no \"data_offsets\"");
}

static iree_status_t add_tensor(const format_source_t *source, iree_string_view_t raw_name,
                                uint64_t offset, uint64_t length) {
  if (iree_string_view_find_char(raw_name, '\\', 0) == IREE_STRING_VIEW_NPOS) {
    return format_add_data(source, raw_name, iree_const_byte_span_empty(), offset, length);
  }
  char *name = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(source->host_allocator, raw_name.size, (void **)&name));
  iree_host_size_t name_length = 0;
  iree_status_t status = json_unescape(raw_name, name, &name_length);
  if (iree_status_is_ok(status)) {
    status = format_add_data(source, iree_make_string_view(name, name_length),
                             iree_const_byte_span_empty(), offset, length);
  }
  iree_allocator_free(source->host_allocator, name);
  return status;
}

static iree_status_t read_tensor(const format_source_t *source, json_cursor_t *cursor,
                                 uint64_t data_offset) {
  iree_string_view_t name;
  uint64_t begin = 0, end = 0, offset = 0;
  IREE_RETURN_IF_ERROR(json_string(cursor, &name));
  IREE_RETURN_IF_ERROR(json_expect(cursor, ':'));
  if (iree_string_view_equal(name, IREE_SV("__metadata__"))) return json_skip(cursor);
  IREE_RETURN_IF_ERROR(read_fields(cursor, &begin, &end), "tensor '%.*s'", IREE_SV_ARGS(name));
  if (begin > end || !iree_device_size_checked_add(data_offset, begin, &offset)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "tensor '%.*s' lies from %" PRIu64 " to %" PRIu64
                            ", which is no range",
                            IREE_SV_ARGS(name), begin, end);
  }
  return add_tensor(source, name, offset, end - begin);
}

static iree_status_t parse(const format_source_t *source) {
  const iree_host_size_t size = source->contents.data_length;
  const uint64_t header_length = size < 8 ? 0 : iree_unaligned_load_le_u64(source->contents.data);
  if (size < 8 || header_length > size - 8) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "a header of %" PRIu64 " bytes is not in a file of %" PRIhsz
                            "; it is truncated or no safetensors file",
                            header_length, size);
  }
  json_cursor_t cursor = {.text = iree_make_string_view((const char *)source->contents.data + 8,
                                                        (iree_host_size_t)header_length)};
  IREE_RETURN_IF_ERROR(json_expect(&cursor, '{'));
  while (!json_accept(&cursor, '}')) {
    IREE_RETURN_IF_ERROR(read_tensor(source, &cursor, 8 + header_length));
    if (json_accept(&cursor, ',')) continue;
    return json_expect(&cursor, '}');
  }
  return iree_ok_status();
}

iree_status_t iree_io_parse_safetensors_index(iree_io_file_handle_t *file_handle,
                                              iree_io_parameter_index_t *index,
                                              iree_allocator_t host_allocator) {
  return format_parse_file(file_handle, index, host_allocator, parse);
}
