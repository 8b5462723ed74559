// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-benchmark-module: measures calls of exported functions, end to end.
//
//   iree-benchmark-module --module=add.vmfb --device=local-task --function=add --input=4xf32=1
//   --input=4xf32=2
//
// Without --function= every export that takes no inputs is measured. Functions that return before
// their work is done (coarse fences) are measured in batches: --batch_size= invocations in
// --batch_concurrency= chains, from the first call to the last fence.

#include <stdio.h>
#include <string.h>

#include "iree/base/api.h"
#include "tooling/absent.h"
#include "tooling/benchmark.h"
#include "tooling/call.h"
#include "tooling/cli.h"
#include "tooling/compare.h"
#include "tooling/device.h"
#include "base/flags.h"
#include "tooling/program.h"
#include "tooling/subject.h"

enum { UNIT_DEFAULT, UNIT_MS, UNIT_US, UNIT_NS };

typedef struct measure_flags_t {
  int32_t batch_size;
  int32_t batch_concurrency;
  int32_t time_unit;
  bool enable_output_processing;
  bool print_statistics;
} measure_flags_t;

static const flag_t k_measure_flags[] = {
    FLAG_I32(measure_flags_t, batch_size, "batch_size", "1",
             "Invocations per iteration. For functions compiled with a dispatch repeat count, that "
             "count."),
    FLAG_I32(measure_flags_t, batch_concurrency, "batch_concurrency", "1",
             "Chains that the invocations of a batch form; only for functions with fences."),
    FLAG_CHOICE(measure_flags_t, time_unit, "time_unit", "", "|ms|us|ns",
                "Unit of the times; default ms."),
    FLAG_BOOL(measure_flags_t, enable_output_processing, "enable_output_processing", "false",
              "Keeps the results of the last call and handles them as the result flags say."),
    FLAG_BOOL(measure_flags_t, print_statistics, "print_statistics", "false",
              "Prints allocator statistics of each device to stderr at the end."),
};
static const flag_group_t k_measure_flag_group =
    FLAG_GROUP("iree-benchmark-module", k_measure_flags);

// The tool with all it was told and holds.
typedef struct tool_t {
  program_flags_t program_flags;
  device_flags_t device_flags;
  call_flags_t call_flags;
  result_flags_t result_flags;
  compare_flags_t compare_flags;
  benchmark_flags_t benchmark_flags;
  measure_flags_t measure_flags;
  const char *executable;
  iree_allocator_t allocator;
  program_t program;
  iree_string_builder_t text;  // on its way to stdout or stderr
  bool is_match;
} tool_t;

//===-- functions ----------------------------------------------------------------------------===//

#define MAX_SUBJECTS 256

typedef struct subjects_t {
  iree_host_size_t count;
  subject_t items[MAX_SUBJECTS];
} subjects_t;

static iree_status_t add_subject(const tool_t *tool, iree_vm_function_t function,
                                 iree_string_view_list_t inputs, subjects_t *subjects) {
  if (subjects->count == MAX_SUBJECTS) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "more than %d functions; name one with --function=", MAX_SUBJECTS);
  }
  const call_t call = {&tool->program, function};
  iree_status_t status =
      subject_init(&call, inputs, tool->measure_flags.batch_size,
                   tool->measure_flags.batch_concurrency, &subjects->items[subjects->count++]);
  return call_annotate(&call, status);
}

static iree_status_t add_all_functions(const tool_t *tool, subjects_t *subjects) {
  const iree_vm_module_t *module = tool->program.main_module;
  const iree_vm_module_signature_t signature = iree_vm_module_signature(module);
  for (iree_host_size_t i = 0; i < signature.export_function_count; ++i) {
    iree_vm_function_t function;
    IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_ordinal(
        module, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function));
    const bool is_public = program_is_public_name(iree_vm_function_name(&function));
    if (!is_public || !subject_needs_no_inputs(&function)) continue;
    const iree_string_view_list_t no_inputs = {0, NULL};
    IREE_RETURN_IF_ERROR(add_subject(tool, function, no_inputs, subjects));
  }
  if (subjects->count) return iree_ok_status();
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT,
      "no exported function without inputs; name one with --function= and give its --input=");
}

static iree_status_t add_subjects(const tool_t *tool, subjects_t *subjects) {
  const call_flags_t *flags = &tool->call_flags;
  if (iree_string_view_is_empty(flags->function) && flags->inputs.count == 0) {
    return add_all_functions(tool, subjects);
  }
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(program_find_function(&tool->program, flags->function, &function));
  return add_subject(tool, function, flag_list_view(&flags->inputs), subjects);
}

//===-- measuring ----------------------------------------------------------------------------===//

static void write_text(void *self, bool is_message, iree_string_view_t text) {
  if (self) progress_clear((progress_t *)self);
  FILE *file = is_message ? stderr : stdout;
  if (text.size) fwrite(text.data, 1, text.size, file);
  fflush(file);
}

static void print_text(tool_t *tool, bool is_message) {
  write_text(NULL, is_message, iree_string_builder_view(&tool->text));
  iree_string_builder_reset(&tool->text);
}

static iree_status_t measure_subjects(const tool_t *tool, subjects_t *subjects) {
  const int32_t wish = tool->benchmark_flags.time_unit;
  const int k_units[] = {[UNIT_DEFAULT] = wish ? wish - 1 : BENCHMARK_UNIT_MS,
                                [UNIT_MS] = BENCHMARK_UNIT_MS,
                                [UNIT_US] = BENCHMARK_UNIT_US,
                                [UNIT_NS] = BENCHMARK_UNIT_NS};
  benchmark_t *benchmarks = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(tool->allocator, subjects->count,
                                                   sizeof(benchmarks[0]), (void **)&benchmarks));
  for (iree_host_size_t i = 0; i < subjects->count; ++i) {
    benchmarks[i] = subject_benchmark(&subjects->items[i]);
  }
  progress_t progress;
  progress_start(&progress);
  const benchmark_options_t options = {.flags = &tool->benchmark_flags,
                                       .time_unit = k_units[tool->measure_flags.time_unit],
                                       .program = tool->executable,
                                       .allocator = tool->allocator,
                                       .sink = {write_text, &progress},
                                       .progress = &progress};
  iree_status_t status = benchmark_run_all(&options, benchmarks, subjects->count);
  progress_stop(&progress);
  iree_allocator_free(tool->allocator, benchmarks);
  return status;
}

static iree_status_t process_outputs(tool_t *tool, subjects_t *subjects) {
  result_sink_t sink = {
      .flags = &tool->result_flags, .compare_flags = &tool->compare_flags, .text = &tool->text};
  for (iree_host_size_t i = 0; i < subjects->count; ++i) {
    const subject_t *subject = &subjects->items[i];
    IREE_RETURN_IF_ERROR(call_process_results(&subject->call, subject->outputs, &sink));
    print_text(tool, false);
    tool->is_match = tool->is_match && sink.is_match;
  }
  return iree_ok_status();
}

static iree_status_t run_subjects(tool_t *tool) {
  subjects_t *subjects = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(tool->allocator, sizeof(*subjects), (void **)&subjects));
  iree_status_t status = add_subjects(tool, subjects);
  if (iree_status_is_ok(status)) status = measure_subjects(tool, subjects);
  if (iree_status_is_ok(status) && tool->measure_flags.enable_output_processing) {
    status = process_outputs(tool, subjects);
  }
  for (iree_host_size_t i = 0; i < subjects->count; ++i) subject_deinit(&subjects->items[i]);
  iree_allocator_free(tool->allocator, subjects);
  return status;
}

//===-- the tool -----------------------------------------------------------------------------===//

static iree_status_t check_flags(const measure_flags_t *flags) {
  const int32_t limit = 1 << 20;
  if (flags->batch_size >= 1 && flags->batch_size <= limit && flags->batch_concurrency >= 1 &&
      flags->batch_concurrency <= limit) {
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "flags '--batch_size' and '--batch_concurrency' expect 1 to %d", limit);
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const cli_t cli = {.name = "iree-benchmark-module",
                     .usage = "Measures calls of exported functions, end to end.",
                     .argc = argc,
                     .argv = argv,
                     .device_flags = &tool->device_flags};
  bool is_done = false;
  iree_status_t status = cli_parse(&cli, parser, &tool->text, &is_done);
  print_text(tool, false);
  if (is_done || !iree_status_is_ok(status)) return status;
  IREE_RETURN_IF_ERROR(check_flags(&tool->measure_flags));
  status = program_init(&tool->program_flags, &tool->device_flags, tool->allocator, &tool->program);
  if (iree_status_is_ok(status)) status = run_subjects(tool);
  if (iree_status_is_ok(status) && tool->measure_flags.print_statistics) {
    status = cli_append_final_statistics(&tool->program, &tool->text);
    print_text(tool, true);
  }
  status = iree_status_join(status, trace_writer_close(tool->program.trace));
  program_deinit(&tool->program);
  return status;
}

int main(int argc, char **argv) {
  tool_t tool = {.executable = argv[0], .allocator = iree_allocator_system(), .is_match = true};
  const flag_binding_t bindings[] = {
      {&program_flag_group, &tool.program_flags},
      {&parameter_flag_group, &tool.program_flags.parameters},   {&device_flag_group, &tool.device_flags},
      {&call_flag_group, &tool.call_flags},         {&result_flag_group, &tool.result_flags},
      {&compare_flag_group, &tool.compare_flags},   {&benchmark_flag_group, &tool.benchmark_flags},
      {&k_measure_flag_group, &tool.measure_flags}, {&absent_device_flag_group, NULL},
      {&absent_program_flag_group, NULL},           {&absent_benchmark_flag_group, NULL},
  };
  const cli_tool_t cli = {bindings, IREE_ARRAYSIZE(bindings), &tool.text, tool_main, &tool};
  return cli_run(&cli, argc, argv, stderr) && tool.is_match ? 0 : 1;
}
