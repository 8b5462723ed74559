// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-convert-parameters: writes parameter files of any format as one archive, leaving out, renaming
// and emptying parameters on the way.
//
//   iree-convert-parameters --parameters=a.gguf --rename=old=new --output=b.irpa
//
// The table of what was written goes to stdout, messages to stderr.

#include <stdio.h>
#include <string.h>

#include "iree/io/formats/irpa/irpa_builder.h"
#include "tooling/cli.h"
#include "tooling/parameter_output.h"
#include "tooling/parameters.h"

typedef struct convert_flags_t {
  flag_list_t exclude;
  flag_list_t rename;
  flag_list_t splat;
  bool strip;
} convert_flags_t;

static const flag_t k_convert_flags[] = {
    FLAG_LIST(convert_flags_t, exclude, "exclude", "Leaves the parameter of this name out."),
    FLAG_LIST(convert_flags_t, rename, "rename", "Writes a parameter by another name: old=new."),
    FLAG_BOOL(convert_flags_t, strip, "strip", "false",
              "Writes all parameters as splats of zero, for files with the names and sizes alone."),
    FLAG_LIST(convert_flags_t, splat, "splat",
              "Writes a parameter as a splat: name (of zero) or name=type=value (name=f32=4.5)."),
};
static const flag_group_t k_convert_flag_group =
    FLAG_GROUP("iree-convert-parameters", k_convert_flags);

typedef struct tool_t {
  convert_flags_t flags;
  parameter_flags_t parameter_flags;
  parameter_output_flags_t output_flags;
  iree_allocator_t allocator;
  iree_string_builder_t text;
} tool_t;

// The flag whose part up to the first '=' is |name|; what follows goes to |out_rest|.
static bool find_flag(const flag_list_t *list, iree_string_view_t name,
                      iree_string_view_t *out_rest) {
  for (iree_host_size_t i = 0; i < list->count; ++i) {
    iree_string_view_t flag_name;
    iree_string_view_split(list->values[i], '=', &flag_name, out_rest);
    if (iree_string_view_equal(flag_name, name)) return true;
  }
  return false;
}

static iree_status_t replace_by_splat(const convert_flags_t *flags,
                                      iree_io_parameter_index_entry_t *entry) {
  iree_string_view_t value;
  if (!find_flag(&flags->splat, entry->key, &value)) {
    return flags->strip ? parameter_parse_splat(IREE_HAL_ELEMENT_TYPE_INT_8,
                                                iree_string_view_empty(), entry)
                        : iree_ok_status();
  }
  iree_hal_element_type_t type = IREE_HAL_ELEMENT_TYPE_INT_8;
  iree_string_view_t type_text = iree_string_view_empty();
  if (!iree_string_view_is_empty(value)) {
    iree_string_view_split(value, '=', &type_text, &value);
    IREE_RETURN_IF_ERROR(iree_hal_parse_element_type(type_text, &type));
  }
  return parameter_parse_splat(type, value, entry);
}

static iree_status_t convert_index(const tool_t *tool, iree_io_parameter_index_t *source,
                                   iree_io_parameter_index_t *target) {
  const iree_host_size_t count = iree_io_parameter_index_count(source);
  for (iree_host_size_t i = 0; i < count; ++i) {
    const iree_io_parameter_index_entry_t *entry = NULL;
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(source, i, &entry));
    iree_string_view_t rest;
    if (find_flag(&tool->flags.exclude, entry->key, &rest)) continue;
    iree_io_parameter_index_entry_t converted = *entry;
    if (find_flag(&tool->flags.rename, entry->key, &rest)) converted.key = rest;
    IREE_RETURN_IF_ERROR(replace_by_splat(&tool->flags, &converted), "splat '%.*s'",
                         IREE_SV_ARGS(converted.key));
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_add(target, &converted));
  }
  return iree_ok_status();
}

static iree_status_t open_output(void *user_data, iree_io_physical_offset_t offset,
                                 iree_io_physical_size_t length,
                                 iree_io_file_handle_t **out_handle) {
  const tool_t *tool = (const tool_t *)user_data;
  return parameter_output_create(&tool->output_flags, offset + length, tool->allocator, out_handle);
}

static iree_status_t write_archive(tool_t *tool, iree_io_parameter_index_t *index) {
  iree_io_parameter_index_t *written = NULL;
  IREE_RETURN_IF_ERROR(iree_io_parameter_index_create(tool->allocator, &written));
  const iree_io_parameter_archive_file_open_callback_t open = {open_output, tool};
  iree_status_t status =
      iree_io_build_parameter_archive(index, written, open, 0, tool->allocator);
  if (iree_status_is_ok(status)) {
    status = parameter_output_report(&tool->output_flags, written, &tool->text);
  }
  iree_io_parameter_index_release(written);
  return status;
}

static iree_status_t convert(tool_t *tool, iree_io_scope_map_t *scope_map) {
  IREE_RETURN_IF_ERROR(parameters_index(&tool->parameter_flags, scope_map));
  iree_io_parameter_index_t *index = NULL;
  IREE_RETURN_IF_ERROR(iree_io_parameter_index_create(tool->allocator, &index));
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < scope_map->count && iree_status_is_ok(status); ++i) {
    status = convert_index(tool, scope_map->entries[i]->index, index);
  }
  if (iree_status_is_ok(status)) status = write_archive(tool, index);
  iree_io_parameter_index_release(index);
  return status;
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const cli_t cli = {.name = "iree-convert-parameters",
                     .usage = "Writes parameter files of any format as one archive.\n"
                              "$ iree-convert-parameters --parameters=a.gguf "
                              "--parameters=b.safetensors --output=ab.irpa",
                     .argc = argc,
                     .argv = argv};
  bool is_done = false;
  iree_status_t status = cli_parse(&cli, parser, &tool->text, &is_done);
  if (iree_status_is_ok(status) && !is_done) {
    iree_io_scope_map_t scope_map;
    iree_io_scope_map_initialize(tool->allocator, &scope_map);
    status = convert(tool, &scope_map);
    iree_io_scope_map_deinitialize(&scope_map);
  }
  return iree_status_join(status, cli_write(&tool->text, stdout));
}

int main(int argc, char **argv) {
  tool_t tool = {.allocator = iree_allocator_system()};
  const flag_binding_t bindings[] = {{&parameter_flag_group, &tool.parameter_flags},
                                     {&k_convert_flag_group, &tool.flags},
                                     {&parameter_output_flag_group, &tool.output_flags}};
  const cli_tool_t cli = {bindings, IREE_ARRAYSIZE(bindings), &tool.text, tool_main, &tool};
  return cli_run(&cli, argc, argv, stderr) ? 0 : 1;
}
