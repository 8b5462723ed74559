// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-run-module: calls one exported function of a compiled module and prints, writes or checks
// its results.
//
//   iree-run-module --module=add.vmfb --device=local-task --function=add --input=4xf32=1,2,3,4
//   --input=4xf32=5
//
// Results go to stdout, messages to stderr; the exit code is 0 when the call succeeded and all
// expected results matched, else 1.

#include <stdio.h>
#include <string.h>

#include "iree/base/api.h"
#include "tooling/call.h"
#include "tooling/cli.h"
#include "tooling/compare.h"
#include "tooling/device.h"
#include "base/flags.h"
#include "tooling/program.h"

typedef struct run_flags_t {
  bool print_statistics;
} run_flags_t;

static const flag_t k_run_flags[] = {
    FLAG_BOOL(run_flags_t, print_statistics, "print_statistics", "false",
              "Prints allocator statistics of each device to stderr at the end."),
};
static const flag_group_t k_run_flag_group = FLAG_GROUP("iree-run-module", k_run_flags);

typedef struct tool_flags_t {
  program_flags_t program;
  device_flags_t device;
  call_flags_t call;
  result_flags_t result;
  compare_flags_t compare;
  run_flags_t run;
} tool_flags_t;

static void print_text(FILE *file, iree_string_builder_t *text) {
  const iree_string_view_t view = iree_string_builder_view(text);
  if (view.size) fwrite(view.data, 1, view.size, file);
  fflush(file);
  iree_string_builder_reset(text);
}

static iree_status_t call_and_process(const tool_flags_t *flags, const program_t *program,
                                      const iree_vm_function_t *function, iree_vm_list_t *inputs,
                                      iree_vm_list_t *outputs, iree_string_builder_t *text,
                                      bool *out_match) {
  printf("EXEC @%.*s\n", IREE_SV_ARGS(iree_vm_function_name(function)));
  fflush(stdout);
  IREE_RETURN_IF_ERROR(call_invoke(program, function, inputs, outputs));
  iree_status_t status = call_process_results(program, function, &flags->result, &flags->compare,
                                              outputs, text, out_match);
  print_text(stdout, text);
  return status;
}

static iree_status_t run_function(const tool_flags_t *flags, const program_t *program,
                                  const iree_vm_function_t *function, iree_string_builder_t *text,
                                  bool *out_match) {
  iree_vm_list_t *inputs = NULL, *outputs = NULL;
  iree_status_t status =
      call_parse_inputs(program, function, flag_list_view(&flags->call.inputs), &inputs);
  if (iree_status_is_ok(status)) {
    status = iree_vm_list_create(iree_vm_make_undefined_type_def(), 8, program->host_allocator,
                                 &outputs);
  }
  if (iree_status_is_ok(status)) {
    status = call_and_process(flags, program, function, inputs, outputs, text, out_match);
  }
  iree_vm_list_release(outputs);
  iree_vm_list_release(inputs);
  return call_annotate(status, function);
}

static iree_status_t run_program(const tool_flags_t *flags, program_t *program,
                                 iree_string_builder_t *text, bool *out_match) {
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(program_find_function(program, flags->call.function, &function));
  IREE_RETURN_IF_ERROR(run_function(flags, program, &function, text, out_match));
  if (!flags->run.print_statistics) return iree_ok_status();
  IREE_RETURN_IF_ERROR(cli_append_final_statistics(program, text));
  print_text(stderr, text);
  return iree_ok_status();
}

static iree_status_t tool_main(flags_t *parser, int argc, char **argv, const tool_flags_t *flags,
                               iree_string_builder_t *text, bool *out_match) {
  static const cli_tool_t k_tool = {"iree-run-module",
                                    "Calls one exported function of a compiled module."};
  bool is_done = false;
  iree_status_t status = cli_parse(&k_tool, argc, argv, &flags->device, parser, text, &is_done);
  print_text(stdout, text);
  if (is_done || !iree_status_is_ok(status)) return status;
  program_t program;
  status = program_init(&flags->program, &flags->device, parser->allocator, &program);
  if (iree_status_is_ok(status)) status = run_program(flags, &program, text, out_match);
  program_deinit(&program);
  return status;
}

int main(int argc, char **argv) {
  const iree_allocator_t allocator = iree_allocator_system();
  tool_flags_t flags;
  const flag_binding_t bindings[] = {
      {&program_flag_group, &flags.program}, {&device_flag_group, &flags.device},
      {&call_flag_group, &flags.call},       {&result_flag_group, &flags.result},
      {&compare_flag_group, &flags.compare}, {&k_run_flag_group, &flags.run},
  };
  flags_t parser;
  iree_string_builder_t text;
  iree_string_builder_initialize(allocator, &text);
  bool is_match = true;
  iree_status_t status =
      flags_init(bindings, IREE_ARRAYSIZE(bindings), FLAG_STYLE_GNU, allocator, &parser);
  if (iree_status_is_ok(status)) status = tool_main(&parser, argc, argv, &flags, &text, &is_match);
  iree_string_builder_deinitialize(&text);
  flags_deinit(&parser);
  const int exit_code = iree_status_is_ok(status) && is_match ? 0 : 1;
  if (!iree_status_is_ok(status)) iree_status_fprint(stderr, status);
  iree_status_free(status);
  return exit_code;
}
