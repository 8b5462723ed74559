// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text form of a parameter index.
#include <stdio.h>

#include "iree/io/parameter_index.h"

// Rules above, between and below the title and the names of the columns.
static const char rule[] =
    "//===--------------------------------------------------------------------------------------------"
    "------------------===//\n";
static const char head_rule[] =
    "//===------------+------------------+------------------+------------"
    "-----------------------------------------------===//\n";
static const char head[] =
    "//         Start |              End |           Length | Key\n"
    "//---------------+------------------+------------------+------------"
    "--------------------------------------------------//\n";

static iree_status_t append_entry(const iree_io_parameter_index_entry_t *entry,
                                  iree_string_builder_t *builder) {
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE) {
    const uint64_t offset = entry->storage.file.offset;
    return iree_string_builder_append_format(
        builder, "%16" PRIu64 " | %16" PRIu64 " | %16" PRIu64 " | `%.*s`\n", offset,
        offset + entry->length, entry->length, IREE_SV_ARGS(entry->key));
  }
  return iree_string_builder_append_format(
      builder, "               - |                - | %16" PRIu64 " | `%.*s`\n", entry->length,
      IREE_SV_ARGS(entry->key));
}

static iree_status_t append_title(iree_string_view_t scope, iree_io_parameter_index_t *index,
                                  iree_host_size_t count, iree_string_builder_t *builder) {
  uint64_t total_bytes = 0;
  for (iree_host_size_t i = 0; i < count; ++i) {
    const iree_io_parameter_index_entry_t *entry = NULL;
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(index, i, &entry));
    total_bytes += entry->length;
  }
  const char *quote = scope.size ? "`" : "";
  if (!scope.size) scope = IREE_SV("<global>");
  return iree_string_builder_append_format(
      builder, "%s// Parameter scope %s%.*s%s (%" PRIhsz " entries, %" PRIu64 " total bytes)\n%s%s",
      rule, quote, IREE_SV_ARGS(scope), quote, count, total_bytes, head_rule, head);
}

iree_status_t iree_io_parameter_index_dump(iree_string_view_t scope,
                                           iree_io_parameter_index_t *index,
                                           iree_string_builder_t *builder) {
  const iree_host_size_t count = iree_io_parameter_index_count(index);
  IREE_RETURN_IF_ERROR(append_title(scope, index, count, builder));
  for (iree_host_size_t i = 0; i < count; ++i) {
    const iree_io_parameter_index_entry_t *entry = NULL;
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(index, i, &entry));
    IREE_RETURN_IF_ERROR(append_entry(entry, builder));
  }
  return iree_string_builder_append_cstring(builder, "\n");
}

iree_status_t iree_io_parameter_index_fprint(FILE *file, iree_string_view_t scope,
                                             iree_io_parameter_index_t *index) {
  iree_string_builder_t builder;
  iree_string_builder_initialize(iree_allocator_system(), &builder);
  iree_status_t status = iree_io_parameter_index_dump(scope, index, &builder);
  if (iree_status_is_ok(status)) {
    const iree_string_view_t text = iree_string_builder_view(&builder);
    fwrite(text.data, 1, text.size, file);
  }
  iree_string_builder_deinitialize(&builder);
  return status;
}
