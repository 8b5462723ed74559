// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-create-parameters: writes an archive of parameters that are zero or one value throughout.
//
//   iree-create-parameters --data=w=4096xf32 --splat=b=16xf32=0.5 --output=file.irpa
//
// The table of what was written goes to stdout, messages to stderr.

#include <stdio.h>
#include <string.h>

#include "iree/io/formats/irpa/irpa_builder.h"
#include "tooling/cli.h"
#include "tooling/parameter_output.h"

typedef struct create_flags_t {
  flag_list_t splats;
  flag_list_t data;
  int32_t alignment;
} create_flags_t;

static const flag_t k_create_flags[] = {
    FLAG_LIST(create_flags_t, splats, "splat",
              "A parameter name=shapextype=value, of which the file holds the value alone. Programs "
              "cannot\n"
              "write it."),
    FLAG_LIST(create_flags_t, data, "data",
              "A parameter name=shapextype[=value], stored in full; without a value zeros."),
    FLAG_I32(create_flags_t, alignment, "alignment", "64",
             "Where stored parameters start: at multiples of this many bytes."),
};
static const flag_group_t k_create_flag_group = FLAG_GROUP("iree-create-parameters", k_create_flags);

typedef struct tool_t {
  create_flags_t flags;
  parameter_output_flags_t output_flags;
  iree_allocator_t allocator;
  iree_string_builder_t text;
  iree_io_parameter_archive_builder_t builder;
} tool_t;

// "name=2x4xf32=1.5" as a splat entry of its length.
static iree_status_t parse_declaration(iree_string_view_t flag,
                                       iree_io_parameter_index_entry_t *out_entry) {
  memset(out_entry, 0, sizeof(*out_entry));
  iree_string_view_t rest, type_text, value;
  if (iree_string_view_split(flag, '=', &out_entry->key, &rest) == -1) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "expected name=shapextype[=value]");
  }
  iree_string_view_split(rest, '=', &type_text, &value);
  iree_host_size_t rank = 0;
  iree_hal_dim_t shape[16] = {0};
  iree_hal_element_type_t type = IREE_HAL_ELEMENT_TYPE_NONE;
  IREE_RETURN_IF_ERROR(iree_hal_parse_shape_and_element_type(type_text, IREE_ARRAYSIZE(shape), &rank,
                                                             shape, &type));
  IREE_RETURN_IF_ERROR(parameter_parse_splat(type, value, out_entry));
  iree_device_size_t length = iree_hal_element_dense_byte_count(type);
  for (iree_host_size_t i = 0; i < rank; ++i) {
    if (!iree_device_size_checked_mul(length, shape[i], &length)) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "more than 2^64 bytes");
    }
  }
  out_entry->length = length;
  return iree_ok_status();
}

static iree_status_t declare(tool_t *tool, iree_string_view_t flag, bool is_data) {
  iree_io_parameter_index_entry_t entry;
  IREE_RETURN_IF_ERROR(parse_declaration(flag, &entry));
  return is_data ? iree_io_parameter_archive_builder_add_data_entry(
                       &tool->builder, entry.key, iree_const_byte_span_empty(),
                       (iree_io_physical_size_t)tool->flags.alignment, entry.length)
                 : iree_io_parameter_archive_builder_add_splat_entry(
                       &tool->builder, entry.key, iree_const_byte_span_empty(),
                       entry.storage.splat.pattern, entry.storage.splat.pattern_length,
                       entry.length);
}

static iree_status_t declare_all(tool_t *tool, const flag_list_t *list, bool is_data) {
  for (iree_host_size_t i = 0; i < list->count; ++i) {
    IREE_RETURN_IF_ERROR(declare(tool, list->values[i], is_data), "flag '--%s=%.*s'",
                         is_data ? "data" : "splat", IREE_SV_ARGS(list->values[i]));
  }
  return iree_ok_status();
}

// Stored parameters follow the splats in the index. New files are zero.
static iree_status_t fill_all(tool_t *tool, iree_io_parameter_index_t *index,
                              iree_io_stream_t *stream) {
  for (iree_host_size_t i = 0; i < tool->flags.data.count; ++i) {
    iree_io_parameter_index_entry_t declared;
    const iree_io_parameter_index_entry_t *entry = NULL;
    IREE_RETURN_IF_ERROR(parse_declaration(tool->flags.data.values[i], &declared));
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(index, tool->flags.splats.count + i, &entry));
    const uint8_t length = declared.storage.splat.pattern_length;
    static const uint8_t zeros[IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH];
    if (memcmp(declared.storage.splat.pattern, zeros, length) == 0) continue;
    IREE_RETURN_IF_ERROR(iree_io_stream_seek(stream, IREE_IO_STREAM_SEEK_SET,
                                             (iree_io_stream_pos_t)entry->storage.file.offset));
    IREE_RETURN_IF_ERROR(iree_io_stream_fill(stream, (iree_io_stream_pos_t)(entry->length / length),
                                             declared.storage.splat.pattern, length));
  }
  return iree_ok_status();
}

static iree_status_t write_archive(tool_t *tool, iree_io_parameter_index_t *index,
                                   iree_io_file_handle_t *handle) {
  iree_io_stream_t *stream = NULL;
  IREE_RETURN_IF_ERROR(
      iree_io_stream_open(IREE_IO_STREAM_MODE_WRITABLE, handle, 0, tool->allocator, &stream));
  iree_status_t status =
      iree_io_parameter_archive_builder_write(&tool->builder, handle, 0, stream, index);
  if (iree_status_is_ok(status)) status = fill_all(tool, index, stream);
  iree_io_stream_release(stream);
  return status;
}

static iree_status_t create(tool_t *tool) {
  IREE_RETURN_IF_ERROR(declare_all(tool, &tool->flags.splats, false));
  IREE_RETURN_IF_ERROR(declare_all(tool, &tool->flags.data, true));
  iree_io_file_handle_t *handle = NULL;
  iree_io_parameter_index_t *index = NULL;
  IREE_RETURN_IF_ERROR(parameter_output_create(
      &tool->output_flags, iree_io_parameter_archive_builder_total_size(&tool->builder),
      tool->allocator, &handle));
  iree_status_t status = iree_io_parameter_index_create(tool->allocator, &index);
  if (iree_status_is_ok(status)) status = write_archive(tool, index, handle);
  if (iree_status_is_ok(status)) {
    status = parameter_output_report(&tool->output_flags, index, &tool->text);
  }
  iree_io_parameter_index_release(index);
  iree_io_file_handle_release(handle);
  return status;
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const cli_t cli = {.name = "iree-create-parameters",
                     .usage = "Writes an archive of parameters that are zero or one value "
                              "throughout.\n"
                              "$ iree-create-parameters --data=w=4096xf32 --splat=b=16xf32=0.5 "
                              "--output=file.irpa",
                     .argc = argc,
                     .argv = argv};
  bool is_done = false;
  iree_status_t status = cli_parse(&cli, parser, &tool->text, &is_done);
  if (iree_status_is_ok(status) && !is_done) {
    status = iree_io_parameter_archive_builder_initialize(tool->allocator, &tool->builder);
    if (iree_status_is_ok(status)) status = create(tool);
    iree_io_parameter_archive_builder_deinitialize(&tool->builder);
  }
  return iree_status_join(status, cli_write(&tool->text, stdout));
}

int main(int argc, char **argv) {
  tool_t tool = {.allocator = iree_allocator_system()};
  const flag_binding_t bindings[] = {{&k_create_flag_group, &tool.flags},
                                     {&parameter_output_flag_group, &tool.output_flags}};
  const cli_tool_t cli = {bindings, IREE_ARRAYSIZE(bindings), &tool.text, tool_main, &tool};
  return cli_run(&cli, argc, argv, stderr) ? 0 : 1;
}
