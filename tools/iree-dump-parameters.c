// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-dump-parameters: lists what parameter files hold, and writes single parameters to files.
//
//   iree-dump-parameters --parameters=s=a.gguf --extract=s::w=w.bin

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "tooling/cli.h"
#include "tooling/parameters.h"

typedef struct dump_flags_t {
  flag_list_t extract;
} dump_flags_t;

static const flag_t k_dump_flags[] = {
    FLAG_LIST(dump_flags_t, extract, "extract",
              "Writes the bytes of a parameter to a file: [scope::]key=file.bin."),
};
static const flag_group_t k_dump_flag_group = FLAG_GROUP("iree-dump-parameters", k_dump_flags);

typedef struct tool_t {
  dump_flags_t flags;
  parameter_flags_t parameter_flags;
  iree_allocator_t allocator;
  iree_string_builder_t text;
} tool_t;

// "s::key" or "key".
static void split_name(iree_string_view_t name, iree_string_view_t *out_scope,
                       iree_string_view_t *out_key) {
  *out_scope = iree_string_view_empty();
  *out_key = name;
  for (iree_host_size_t i = 0; i + 1 < name.size; ++i) {
    if (name.data[i] != ':' || name.data[i + 1] != ':') continue;
    *out_scope = iree_string_view_substr(name, 0, i);
    *out_key = iree_string_view_substr(name, i + 2, IREE_HOST_SIZE_MAX);
    return;
  }
}

static iree_status_t write_file(const iree_io_parameter_index_entry_t *entry,
                                iree_string_view_t path, iree_allocator_t allocator) {
  iree_io_file_mapping_t *view = NULL;
  if (entry->length > IREE_HOST_SIZE_MAX - 1) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "larger than memory");
  }
  IREE_RETURN_IF_ERROR(iree_io_file_map_view(
      entry->storage.file.handle, IREE_IO_FILE_ACCESS_READ, entry->storage.file.offset,
      (iree_host_size_t)entry->length, IREE_IO_FILE_MAPPING_FLAG_SEQUENTIAL_ACCESS, allocator,
      &view));
  const iree_const_byte_span_t contents = iree_io_file_mapping_contents_ro(view);
  iree_status_t status = file_write(path, false, &contents, 1);
  iree_io_file_mapping_release(view);
  return status;
}

// A splat, in pieces.
static iree_status_t write_splat(const iree_io_parameter_index_entry_t *entry,
                                 iree_string_view_t path) {
  uint8_t chunk[48 * 1024];  // a multiple of every pattern's length up to 16
  const iree_host_size_t pattern_length = entry->storage.splat.pattern_length;
  const iree_host_size_t chunk_length = sizeof(chunk) / pattern_length * pattern_length;
  for (iree_host_size_t i = 0; i < chunk_length; ++i) {
    chunk[i] = entry->storage.splat.pattern[i % pattern_length];
  }
  uint64_t left = entry->length;
  bool append = false;
  do {
    const iree_host_size_t now = (iree_host_size_t)iree_min((uint64_t)chunk_length, left);
    const iree_const_byte_span_t part = iree_make_const_byte_span(chunk, now);
    IREE_RETURN_IF_ERROR(file_write(path, append, &part, 1));
    append = true;
    left -= now;
  } while (left);
  return iree_ok_status();
}

static iree_status_t extract(tool_t *tool, iree_io_scope_map_t *scope_map,
                             iree_string_view_t flag) {
  iree_string_view_t name, path, scope, key;
  if (iree_string_view_split(flag, '=', &name, &path) == -1 || iree_string_view_is_empty(path)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "expected [scope::]key=file");
  }
  split_name(name, &scope, &key);
  iree_io_parameter_index_t *index = NULL;
  const iree_io_parameter_index_entry_t *entry = NULL;
  IREE_RETURN_IF_ERROR(iree_io_scope_map_lookup(scope_map, scope, &index));
  IREE_RETURN_IF_ERROR(iree_io_parameter_index_lookup(index, key, &entry));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
      &tool->text, "Extracting parameter `%.*s` (%" PRIu64 "b) to `%.*s`...\n",
      IREE_SV_ARGS(name), entry->length, IREE_SV_ARGS(path)));
  return entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE
             ? write_file(entry, path, tool->allocator)
             : write_splat(entry, path);
}

static iree_status_t dump(tool_t *tool, iree_io_scope_map_t *scope_map) {
  IREE_RETURN_IF_ERROR(parameters_index(&tool->parameter_flags, scope_map));
  IREE_RETURN_IF_ERROR(iree_io_scope_map_dump(scope_map, &tool->text));
  for (iree_host_size_t i = 0; i < tool->flags.extract.count; ++i) {
    const iree_string_view_t flag = tool->flags.extract.values[i];
    IREE_RETURN_IF_ERROR(extract(tool, scope_map, flag), "flag '--extract=%.*s'",
                         IREE_SV_ARGS(flag));
  }
  return iree_ok_status();
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const cli_t cli = {.name = "iree-dump-parameters",
                     .usage = "Lists what parameter files hold.\n"
                              "$ iree-dump-parameters --parameters=a.gguf [--extract=key=file.bin]",
                     .argc = argc,
                     .argv = argv};
  bool is_done = false;
  iree_status_t status = cli_parse(&cli, parser, &tool->text, &is_done);
  if (iree_status_is_ok(status) && !is_done) {
    iree_io_scope_map_t scope_map;
    iree_io_scope_map_initialize(tool->allocator, &scope_map);
    status = dump(tool, &scope_map);
    iree_io_scope_map_deinitialize(&scope_map);
  }
  return iree_status_join(status, cli_write(&tool->text, stdout));
}

int main(int argc, char **argv) {
  tool_t tool = {.allocator = iree_allocator_system()};
  const flag_binding_t bindings[] = {{&parameter_flag_group, &tool.parameter_flags},
                                     {&k_dump_flag_group, &tool.flags}};
  const cli_tool_t cli = {bindings, IREE_ARRAYSIZE(bindings), &tool.text, tool_main, &tool};
  return cli_run(&cli, argc, argv, stderr) ? 0 : 1;
}
