// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indexing of parameter files (format.h), and the choice of the parser by extension.
#include "base/io/formats/format.h"

#include "iree/io/formats/gguf/gguf_parser.h"
#include "iree/io/formats/irpa/irpa_parser.h"
#include "iree/io/formats/parser_registry.h"
#include "iree/io/formats/safetensors/safetensors_parser.h"

iree_status_t format_parse_file(iree_io_file_handle_t *file_handle,
                                iree_io_parameter_index_t *index, iree_allocator_t host_allocator,
                                format_parse_fn_t parse) {
  iree_io_file_mapping_t *view = NULL;
  IREE_RETURN_IF_ERROR(iree_io_file_map_view(
      file_handle, IREE_IO_FILE_ACCESS_READ, 0, IREE_HOST_SIZE_MAX,
      IREE_IO_FILE_MAPPING_FLAG_EXCLUDE_FROM_DUMPS, host_allocator, &view));
  const format_source_t source = {file_handle, iree_io_file_mapping_contents_ro(view), index,
                                  host_allocator};
  iree_status_t status = parse(&source);
  iree_io_file_mapping_release(view);
  return status;
}

iree_status_t format_add_data(const format_source_t *source, iree_string_view_t key,
                              iree_const_byte_span_t metadata, uint64_t offset, uint64_t length) {
  if (!iree_range_is_within(offset, length, source->contents.data_length)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "parameter '%.*s' is said to have %" PRIu64 " bytes at %" PRIu64
                            ", but the file has %" PRIhsz " bytes; it is truncated or damaged",
                            IREE_SV_ARGS(key), length, offset, source->contents.data_length);
  }
  const iree_io_parameter_index_entry_t entry = {
      .key = key,
      .metadata = metadata,
      .length = length,
      .type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE,
      .storage = {.file = {.handle = source->handle, .offset = offset}},
  };
  return iree_io_parameter_index_add(source->index, &entry);
}

static const struct {
  const char *extension;
  iree_status_t (*parse)(iree_io_file_handle_t *file_handle, iree_io_parameter_index_t *index,
                         iree_allocator_t host_allocator);
} formats[] = {
    {"irpa", iree_io_parse_irpa_index},
    {"gguf", iree_io_parse_gguf_index},
    {"safetensors", iree_io_parse_safetensors_index},
};

static iree_string_view_t extension_of(iree_string_view_t path) {
  const iree_host_size_t slash = iree_string_view_find_last_of(path, IREE_SV("/"), IREE_STRING_VIEW_NPOS);
  if (slash != IREE_STRING_VIEW_NPOS) {
    path = iree_string_view_substr(path, slash + 1, IREE_HOST_SIZE_MAX);
  }
  const iree_host_size_t dot = iree_string_view_find_last_of(path, IREE_SV("."), IREE_STRING_VIEW_NPOS);
  return dot == IREE_STRING_VIEW_NPOS ? path
                                      : iree_string_view_substr(path, dot + 1, IREE_HOST_SIZE_MAX);
}

iree_status_t iree_io_parse_file_index(iree_string_view_t path, iree_io_file_handle_t *file_handle,
                                       iree_io_parameter_index_t *index,
                                       iree_allocator_t host_allocator) {
  const iree_string_view_t extension = extension_of(path);
  for (size_t i = 0; i < IREE_ARRAYSIZE(formats); ++i) {
    if (!iree_string_view_equal_case(extension, iree_make_cstring_view(formats[i].extension))) {
      continue;
    }
    return iree_status_annotate_f(formats[i].parse(file_handle, index, host_allocator),
                                  "reading parameters of '%.*s'", IREE_SV_ARGS(path));
  }
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                          "'%.*s' is not a parameter file by its extension; known are .irpa, .gguf "
                          "and .safetensors",
                          IREE_SV_ARGS(path));
}
