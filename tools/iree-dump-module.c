// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iree-dump-module: what is in a module file, as text or as a page.
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/flags.h"
#include "runtime/vm/bytecode/disasm.h"
#include "tooling/cli.h"
#include "tooling/inspect/inspect.h"

typedef struct dump_flags_t {
  iree_string_view_t output;
  iree_string_view_t function;
  iree_string_view_t source;
  iree_string_view_t disassembler;
  bool bytecode_offsets;
  bool pretty;
} dump_flags_t;

typedef enum dump_output_e {
  OUTPUT_ALL,
  OUTPUT_METADATA,
  OUTPUT_DISASSEMBLY,
  OUTPUT_LEDGER,
  OUTPUT_FLATBUFFER,
  OUTPUT_JSON,
  OUTPUT_REPORT_PAGE,  // into a file
  OUTPUT_REPORT_JSON,
} dump_output_t;
static const char *const k_outputs[] = {"all", "metadata", "disassembly", "ledger", "flatbuffer-binary", "flatbuffer-json"};

static const flag_t k_dump_flags[] = {
    FLAG_STRING(dump_flags_t, output, "output", "all",
                "What to print, or a file that gets a report:\n"
                "  all: metadata, commands, ledger and disassembly\n"
                "  metadata: names, types, imports, exports, sections, functions\n"
                "  disassembly: the program as assembly\n"
                "  ledger: commands recorded per function, and bytes by cause\n"
                "  flatbuffer-binary: the FlatBuffer itself, raw\n"
                "  flatbuffer-json: the same as JSON\n"
                "  FILE.html: a page to look at: schedule, memory, sizes, kernels\n"
                "  FILE.json: what that page shows, as JSON"),
    FLAG_STRING(dump_flags_t, source, "source", "",
                "The program that the module was made of: the report then shows the lines it names."),
    FLAG_STRING(dump_flags_t, disassembler, "disassembler", "auto",
                "The iree-compile that disassembles kernels for the report; auto takes the one beside\n"
                "this tool or on PATH, none shows bytes."),
    FLAG_STRING(dump_flags_t, function, "function", "",
                "Disassembles one function only, by name or ordinal."),
    FLAG_BOOL(dump_flags_t, bytecode_offsets, "bytecode_offsets", "false",
              "Starts each line of assembly with its position in the function."),
    FLAG_BOOL(dump_flags_t, pretty, "pretty", "false", "Indents JSON."),
};
static const flag_group_t k_dump_group = FLAG_GROUP("iree-dump-module", k_dump_flags);

static const char k_usage[] =
    "Prints what is in a module file.\n"
    "$ iree-dump-module [--output=...] module.vmfb";

// Loads the module: functions are verified before they are shown.
static iree_status_t load(const vmfb_archive_t *archive, iree_vm_instance_t **out_instance, iree_vm_module_t **out_module) {
  iree_allocator_t allocator = iree_allocator_system();
  *out_instance = NULL;
  *out_module = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_instance_create(0, allocator, out_instance));
  return iree_vm_bytecode_module_create(*out_instance, IREE_VM_BYTECODE_MODULE_FLAG_ALLOW_PLACEHOLDER_TYPES,
                                        archive->contents, iree_allocator_null(), allocator, out_module);
}

static iree_status_t dump_program(const vmfb_archive_t *archive, const dump_flags_t *flags,
                                  bool with_commands, bool with_assembly,
                                  iree_string_builder_t *text) {
  iree_vm_instance_t *instance = NULL;
  iree_vm_module_t *module = NULL;
  iree_status_t status = load(archive, &instance, &module);
  if (iree_status_is_ok(status) && with_commands) {
    status = bytecode_report_commands(module, text);
    if (iree_status_is_ok(status)) status = iree_string_builder_append_cstring(text, "\n");
    if (iree_status_is_ok(status)) status = vmfb_report_ledger(archive, text);
  }
  if (iree_status_is_ok(status) && with_assembly) {
    iree_vm_bytecode_disassembly_format_t format =
        flags->bytecode_offsets ? IREE_VM_BYTECODE_DISASSEMBLY_FORMAT_BYTECODE_OFFSETS
                                : IREE_VM_BYTECODE_DISASSEMBLY_FORMAT_DEFAULT;
    status = bytecode_disassemble_module(module, flags->function, format, text);
  }
  iree_vm_module_release(module);
  iree_vm_instance_release(instance);
  return status;
}

static iree_status_t write_report(const vmfb_archive_t *archive, const dump_flags_t *flags, iree_string_view_t name,
                                  iree_string_view_t source, bool is_page) {
  iree_vm_instance_t *instance = NULL;
  iree_vm_module_t *module = NULL;
  iree_arena_t arena;
  iree_string_builder_t text;
  inspect_t inspect;
  iree_arena_init(&arena);
  iree_string_builder_initialize(iree_allocator_system(), &text);
  iree_status_t status = load(archive, &instance, &module);
  if (iree_status_is_ok(status)) status = inspect_module(archive, module, name, &arena, &inspect);
  if (iree_status_is_ok(status)) status = inspect_disassemble(&inspect, flags->disassembler);
  if (iree_status_is_ok(status)) status = (is_page ? inspect_append_page : inspect_append_json)(&inspect, source, &text);
  if (iree_status_is_ok(status)) {
    iree_const_byte_span_t part = iree_make_const_byte_span(iree_string_builder_buffer(&text), iree_string_builder_size(&text));
    status = file_write(flags->output, false, &part, 1);
  }
  iree_string_builder_deinitialize(&text);
  iree_arena_deinit(&arena);
  iree_vm_module_release(module);
  iree_vm_instance_release(instance);
  return status;
}

static iree_status_t dump_report(const vmfb_archive_t *archive, const dump_flags_t *flags, iree_string_view_t name, bool is_page) {
  file_contents_t source;
  memset(&source, 0, sizeof(source));
  if (flags->source.size) IREE_RETURN_IF_ERROR(file_contents_read(flags->source, iree_allocator_system(), &source));
  iree_string_view_t program = iree_make_string_view((const char *)source.data.data, source.data.data_length);
  iree_status_t status = write_report(archive, flags, name, program, is_page);
  file_contents_release(&source);
  return status;
}

static iree_status_t parse_output(iree_string_view_t value, dump_output_t *out_output) {
  *out_output = OUTPUT_ALL;
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_outputs); ++i) {
    *out_output = (dump_output_t)i;
    if (iree_string_view_equal(value, iree_make_cstring_view(k_outputs[i]))) return iree_ok_status();
  }
  *out_output = OUTPUT_REPORT_PAGE;
  if (iree_string_view_ends_with(value, IREE_SV(".html"))) return iree_ok_status();
  *out_output = OUTPUT_REPORT_JSON;
  if (iree_string_view_ends_with(value, IREE_SV(".json"))) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "--output=%.*s: not one of all, metadata, disassembly, ledger, flatbuffer-binary, flatbuffer-json, "
                          "nor a file that ends in .html or .json",
                          IREE_SV_ARGS(value));
}

static iree_status_t dump(iree_const_byte_span_t contents, const dump_flags_t *flags, iree_string_view_t name,
                          iree_string_builder_t *text) {
  vmfb_archive_t archive;
  dump_output_t output;
  IREE_RETURN_IF_ERROR(parse_output(flags->output, &output));
  IREE_RETURN_IF_ERROR(vmfb_archive_open(contents, &archive));
  bool is_all = output == OUTPUT_ALL;
  if (output == OUTPUT_REPORT_PAGE || output == OUTPUT_REPORT_JSON)
    return dump_report(&archive, flags, name, output == OUTPUT_REPORT_PAGE);
  if (output == OUTPUT_FLATBUFFER) {
    return iree_string_builder_append_string(
        text, iree_make_string_view((const char *)archive.flatbuffer.data,
                                    archive.flatbuffer.data_length));
  }
  if (output == OUTPUT_JSON) return vmfb_report_json(&archive, flags->pretty, text);
  if (is_all || output == OUTPUT_METADATA) {
    IREE_RETURN_IF_ERROR(vmfb_report_metadata(&archive, text));
    if (is_all) IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(text, "\n"));
  }
  if (output == OUTPUT_METADATA) return iree_ok_status();
  return dump_program(&archive, flags, is_all || output == OUTPUT_LEDGER,
                      is_all || output == OUTPUT_DISASSEMBLY, text);
}

static iree_status_t run(int argc, char **argv, iree_string_builder_t *text) {
  dump_flags_t values;
  memset(&values, 0, sizeof(values));
  const flag_binding_t bindings[] = {{&k_dump_group, &values}};
  flags_t flags;
  iree_allocator_t allocator = iree_allocator_system();
  iree_status_t status = flags_init(bindings, 1, FLAG_STYLE_GNU, allocator, &flags);
  if (iree_status_is_ok(status)) status = flags_parse(&flags, argc, argv);
  bool is_done = false;
  if (iree_status_is_ok(status)) {
    status = cli_answer(&flags, "iree-dump-module", k_usage, text, &is_done);
  }
  if (iree_status_is_ok(status) && !is_done && flags.positional.count != 1) {
    status = iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "expected one module file: iree-dump-module [--output=...] "
                              "module.vmfb");
  } else if (iree_status_is_ok(status) && !is_done) {
    file_contents_t file;
    memset(&file, 0, sizeof(file));
    status = file_contents_map(flags.positional.values[0], allocator, &file);
    if (iree_status_is_ok(status)) status = dump(file.data, &values, flags.positional.values[0], text);
    file_contents_release(&file);
  }
  flags_deinit(&flags);
  return status;
}

int main(int argc, char **argv) {
  iree_string_builder_t text;
  iree_string_builder_initialize(iree_allocator_system(), &text);
  iree_status_t status = run(argc, argv, &text);
  // Also after a failure: what could be read is worth seeing.
  iree_host_size_t size = iree_string_builder_size(&text);
  if (size) fwrite(iree_string_builder_buffer(&text), 1, size, stdout);
  if (iree_status_is_ok(status)) status = cli_check_output(stdout);
  iree_string_builder_deinitialize(&text);
  if (!iree_status_is_ok(status)) {
    iree_status_fprint(stderr, status);
    iree_status_free(status);
    return 1;
  }
  return 0;
}
