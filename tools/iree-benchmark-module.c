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

typedef struct tool_flags_t {
  program_flags_t program;
  device_flags_t device;
  call_flags_t call;
  result_flags_t result;
  compare_flags_t compare;
  benchmark_flags_t benchmark;
  measure_flags_t measure;
} tool_flags_t;

//===-- all functions
//-----------------------------------------------------------------------------===

#define MAX_SUBJECTS 256

typedef struct subjects_t {
  iree_host_size_t count;
  subject_t items[MAX_SUBJECTS];
} subjects_t;

static iree_status_t add_subject(const tool_flags_t *flags, const program_t *program,
                                 iree_vm_function_t function, iree_string_view_list_t inputs,
                                 subjects_t *subjects) {
  if (subjects->count == MAX_SUBJECTS) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "more than %d functions; name one with --function=", MAX_SUBJECTS);
  }
  iree_status_t status =
      subject_init(program, function, inputs, flags->measure.batch_size,
                   flags->measure.batch_concurrency, &subjects->items[subjects->count++]);
  return call_annotate(status, &function);
}

static iree_status_t add_all_functions(const tool_flags_t *flags, const program_t *program,
                                       subjects_t *subjects) {
  const iree_vm_module_signature_t signature = iree_vm_module_signature(program->main_module);
  for (iree_host_size_t i = 0; i < signature.export_function_count; ++i) {
    iree_vm_function_t function;
    IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_ordinal(
        program->main_module, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function));
    if (!program_is_public_name(iree_vm_function_name(&function)) ||
        !subject_needs_no_inputs(&function))
      continue;
    const iree_string_view_list_t no_inputs = {0, NULL};
    IREE_RETURN_IF_ERROR(add_subject(flags, program, function, no_inputs, subjects));
  }
  if (subjects->count == 0) {
    return iree_make_status(
        IREE_STATUS_INVALID_ARGUMENT,
        "no exported function without inputs; name one with --function= and give its --input=");
  }
  return iree_ok_status();
}

static iree_status_t add_subjects(const tool_flags_t *flags, const program_t *program,
                                  subjects_t *subjects) {
  if (iree_string_view_is_empty(flags->call.function)) {
    if (flags->call.inputs.count == 0) return add_all_functions(flags, program, subjects);
  }
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(program_find_function(program, flags->call.function, &function));
  return add_subject(flags, program, function, flag_list_view(&flags->call.inputs), subjects);
}

static void write_text(void *self, bool is_message, iree_string_view_t text) {
  (void)self;
  FILE *file = is_message ? stderr : stdout;
  if (text.size) fwrite(text.data, 1, text.size, file);
  fflush(file);
}

static iree_status_t measure_subjects(const tool_flags_t *flags, const char *executable,
                                      const program_t *program, subjects_t *subjects) {
  static const int k_units[] = {BENCHMARK_UNIT_MS, BENCHMARK_UNIT_MS, BENCHMARK_UNIT_US,
                                BENCHMARK_UNIT_NS};
  benchmark_t *benchmarks = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(program->host_allocator, subjects->count,
                                                   sizeof(benchmarks[0]), (void **)&benchmarks));
  for (iree_host_size_t i = 0; i < subjects->count; ++i) {
    benchmarks[i] = subject_benchmark(&subjects->items[i]);
  }
  const benchmark_sink_t sink = {.write = write_text};
  iree_status_t status = benchmark_run_all(&flags->benchmark, benchmarks, subjects->count,
                                           k_units[flags->measure.time_unit], executable,
                                           program->host_allocator, &sink);
  iree_allocator_free(program->host_allocator, benchmarks);
  return status;
}

static void print_text(bool is_message, iree_string_builder_t *text) {
  write_text(NULL, is_message, iree_string_builder_view(text));
  iree_string_builder_reset(text);
}

static iree_status_t process_outputs(const tool_flags_t *flags, const program_t *program,
                                     subjects_t *subjects, iree_string_builder_t *text,
                                     bool *out_match) {
  for (iree_host_size_t i = 0; i < subjects->count; ++i) {
    bool is_match = true;
    IREE_RETURN_IF_ERROR(call_process_results(program, &subjects->items[i].function, &flags->result,
                                              &flags->compare, subjects->items[i].outputs, text,
                                              &is_match));
    print_text(false, text);
    *out_match = *out_match && is_match;
  }
  return iree_ok_status();
}

static iree_status_t run_subjects(const tool_flags_t *flags, const char *executable,
                                  const program_t *program, iree_string_builder_t *text,
                                  bool *out_match) {
  subjects_t *subjects = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(program->host_allocator, sizeof(*subjects), (void **)&subjects));
  iree_status_t status = add_subjects(flags, program, subjects);
  if (iree_status_is_ok(status)) status = measure_subjects(flags, executable, program, subjects);
  if (iree_status_is_ok(status) && flags->measure.enable_output_processing) {
    status = process_outputs(flags, program, subjects, text, out_match);
  }
  for (iree_host_size_t i = 0; i < subjects->count; ++i) subject_deinit(&subjects->items[i]);
  iree_allocator_free(program->host_allocator, subjects);
  return status;
}

//===-- the tool
//----------------------------------------------------------------------------------===

static iree_status_t check_measure_flags(const measure_flags_t *flags) {
  const int32_t limit = 1 << 20;
  if (flags->batch_size >= 1 && flags->batch_size <= limit && flags->batch_concurrency >= 1 &&
      flags->batch_concurrency <= limit) {
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "flags '--batch_size' and '--batch_concurrency' expect 1 to %d", limit);
}

static iree_status_t tool_main(flags_t *parser, int argc, char **argv, const tool_flags_t *flags,
                               iree_string_builder_t *text, bool *out_match) {
  static const cli_tool_t k_tool = {"iree-benchmark-module",
                                    "Measures calls of exported functions, end to end."};
  bool is_done = false;
  iree_status_t status = cli_parse(&k_tool, argc, argv, &flags->device, parser, text, &is_done);
  print_text(false, text);
  if (is_done || !iree_status_is_ok(status)) return status;
  IREE_RETURN_IF_ERROR(check_measure_flags(&flags->measure));
  program_t program;
  status = program_init(&flags->program, &flags->device, parser->allocator, &program);
  if (iree_status_is_ok(status)) status = run_subjects(flags, argv[0], &program, text, out_match);
  if (iree_status_is_ok(status) && flags->measure.print_statistics) {
    status = cli_append_final_statistics(&program, text);
    print_text(true, text);
  }
  program_deinit(&program);
  return status;
}

int main(int argc, char **argv) {
  const iree_allocator_t allocator = iree_allocator_system();
  tool_flags_t flags;
  const flag_binding_t bindings[] = {
      {&program_flag_group, &flags.program},   {&device_flag_group, &flags.device},
      {&call_flag_group, &flags.call},         {&result_flag_group, &flags.result},
      {&compare_flag_group, &flags.compare},   {&benchmark_flag_group, &flags.benchmark},
      {&k_measure_flag_group, &flags.measure},
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
