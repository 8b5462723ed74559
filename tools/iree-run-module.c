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
#include "tooling/absent.h"
#include "tooling/call.h"
#include "tooling/cli.h"
#include "tooling/compare.h"
#include "tooling/device.h"
#include "base/flags.h"
#include "base/progress.h"
#include "tooling/program.h"

typedef struct run_flags_t {
  bool print_statistics;
} run_flags_t;

static const flag_t k_run_flags[] = {
    FLAG_BOOL(run_flags_t, print_statistics, "print_statistics", "false",
              "Prints allocator statistics of each device to stderr at the end."),
};
static const flag_group_t k_run_flag_group = FLAG_GROUP("iree-run-module", k_run_flags);

// The tool with all it was told and holds.
typedef struct tool_t {
  program_flags_t program_flags;
  device_flags_t device_flags;
  call_flags_t call_flags;
  result_flags_t result_flags;
  compare_flags_t compare_flags;
  run_flags_t run_flags;
  iree_allocator_t allocator;
  program_t program;
  iree_string_builder_t text;  // on its way to stdout or stderr
  bool is_match;
} tool_t;

static void print_text(tool_t *tool, FILE *file) {
  const iree_string_view_t view = iree_string_builder_view(&tool->text);
  if (view.size) fwrite(view.data, 1, view.size, file);
  fflush(file);
  iree_string_builder_reset(&tool->text);
}

static iree_status_t call_and_process(tool_t *tool, const call_t *call, iree_vm_list_t *inputs,
                                      iree_vm_list_t *outputs) {
  printf("EXEC @%.*s\n", IREE_SV_ARGS(iree_vm_function_name(&call->function)));
  fflush(stdout);
  progress_t progress;
  progress_start(&progress);
  progress_note(&progress, "running", 0, 0);
  iree_status_t status = call_invoke(call, inputs, outputs);
  progress_stop(&progress);
  IREE_RETURN_IF_ERROR(status);
  result_sink_t sink = {
      .flags = &tool->result_flags, .compare_flags = &tool->compare_flags, .text = &tool->text};
  status = call_process_results(call, outputs, &sink);
  print_text(tool, stdout);
  tool->is_match = sink.is_match;
  return status;
}

static iree_status_t run_function(tool_t *tool, const call_t *call) {
  iree_vm_list_t *inputs = NULL, *outputs = NULL;
  iree_status_t status = call_parse_inputs(call, flag_list_view(&tool->call_flags.inputs), &inputs);
  if (iree_status_is_ok(status)) {
    status = iree_vm_list_create(iree_vm_make_undefined_type_def(), 8, tool->allocator, &outputs);
  }
  if (iree_status_is_ok(status)) status = call_and_process(tool, call, inputs, outputs);
  iree_vm_list_release(outputs);
  iree_vm_list_release(inputs);
  return call_annotate(call, status);
}

// What the compiler knows of the memory that a call takes, beside what was measured.
static iree_status_t append_stated_peak(const iree_vm_function_t *function, iree_string_builder_t *text) {
  iree_string_view_t bytes = iree_vm_function_lookup_attr_by_name(function, IREE_SV("iree.memory.peak"));
  if (!bytes.size) return iree_ok_status();
  iree_string_view_t name = iree_vm_function_name(function);
  return iree_string_builder_append_format(text, "Function @%.*s: allocates %.*s bytes at its peak, results included, as compiled\n",
                                           IREE_SV_ARGS(name), IREE_SV_ARGS(bytes));
}

static iree_status_t run_program(tool_t *tool) {
  call_t call = {.program = &tool->program};
  IREE_RETURN_IF_ERROR(
      program_find_function(&tool->program, tool->call_flags.function, &call.function));
  IREE_RETURN_IF_ERROR(run_function(tool, &call));
  if (!tool->run_flags.print_statistics) return iree_ok_status();
  IREE_RETURN_IF_ERROR(append_stated_peak(&call.function, &tool->text));
  IREE_RETURN_IF_ERROR(cli_append_final_statistics(&tool->program, &tool->text));
  print_text(tool, stderr);
  return iree_ok_status();
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const cli_t cli = {.name = "iree-run-module",
                     .usage = "Calls one exported function of a compiled module.",
                     .argc = argc,
                     .argv = argv,
                     .device_flags = &tool->device_flags};
  bool is_done = false;
  iree_status_t status = cli_parse(&cli, parser, &tool->text, &is_done);
  print_text(tool, stdout);
  if (is_done || !iree_status_is_ok(status)) return status;
  status = program_init(&tool->program_flags, &tool->device_flags, tool->allocator, &tool->program);
  if (iree_status_is_ok(status)) status = run_program(tool);
  status = iree_status_join(status, trace_writer_close(tool->program.trace));
  program_deinit(&tool->program);
  return status;
}

int main(int argc, char **argv) {
  tool_t tool = {.allocator = iree_allocator_system(), .is_match = true};
  const flag_binding_t bindings[] = {
      {&program_flag_group, &tool.program_flags},
      {&parameter_flag_group, &tool.program_flags.parameters}, {&device_flag_group, &tool.device_flags},
      {&call_flag_group, &tool.call_flags},       {&result_flag_group, &tool.result_flags},
      {&compare_flag_group, &tool.compare_flags}, {&k_run_flag_group, &tool.run_flags},
      {&absent_device_flag_group, NULL},          {&absent_program_flag_group, NULL},
  };
  const cli_tool_t cli = {bindings, IREE_ARRAYSIZE(bindings), &tool.text, tool_main, &tool};
  return cli_run(&cli, argc, argv, stderr) && tool.is_match ? 0 : 1;
}
