// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-check-module: runs each exported function of a module of tests; functions take and return
// nothing and state what they expect with the ops of the check dialect.
//
//   iree-check-module --module=tests.vmfb --device=local-task --gtest_filter=*matmul*
//
// Prints what Google Test prints; the exit code is 0 when all tests passed.

#include <stdio.h>

#include "base/flags.h"
#include "iree/modules/check/module.h"
#include "tooling/absent.h"
#include "tooling/cli.h"
#include "tooling/device.h"
#include "tooling/program.h"
#include "tooling/test_suite.h"

typedef struct check_flags_t {
  bool expect_failure;
} check_flags_t;

static const flag_t k_check_flags[] = {
    FLAG_BOOL(check_flags_t, expect_failure, "expect_failure", "false",
              "Succeeds when a test fails, and fails when all succeed."),
};
static const flag_group_t k_check_flag_group = FLAG_GROUP("iree-check-module", k_check_flags);

typedef struct tool_t {
  program_flags_t program_flags;
  device_flags_t device_flags;
  test_suite_flags_t suite_flags;
  check_flags_t check_flags;
  iree_allocator_t allocator;
  program_t program;
  iree_host_size_t function_count;
  iree_vm_function_t *functions;
  iree_host_size_t failure_count;  // of the test that runs
  iree_string_builder_t text;      // on its way to stdout or stderr
  bool is_done;                    // the flags asked for something else
  bool passed;
} tool_t;

static void print_failure(iree_string_view_t location, iree_string_view_t text) {
  if (!location.size) location = IREE_SV("unknown file");
  printf("%.*s: Failure\n%.*s\n", IREE_SV_ARGS(location), IREE_SV_ARGS(text));
  fflush(stdout);
}

static void note_failure(void *user_data, iree_string_view_t location, iree_string_view_t text) {
  ++((tool_t *)user_data)->failure_count;
  print_failure(location, text);
}

static iree_status_t create_check_module(void *self, iree_vm_instance_t *instance,
                                         iree_allocator_t host_allocator,
                                         iree_vm_module_t **out_module) {
  iree_check_module_sink_t sink = {note_failure, self};
  return iree_check_module_create_with_sink(instance, sink, host_allocator, out_module);
}

//===-- tests --------------------------------------------------------------------------------===//

static iree_string_view_t test_name(void *self, iree_host_size_t index) {
  return iree_vm_function_name(&((tool_t *)self)->functions[index]);
}

// Each test has a context of its own, so that none sees what another one left behind.
static bool run_test(void *self, iree_host_size_t index) {
  tool_t *tool = self;
  tool->failure_count = 0;
  iree_vm_context_t *context = NULL;
  iree_status_t status = program_create_context(&tool->program, &context);
  if (iree_status_is_ok(status)) {
    status = iree_vm_invoke(context, tool->functions[index], IREE_VM_INVOCATION_FLAG_NONE, NULL,
                            NULL, NULL, tool->allocator);
  }
  iree_vm_context_release(context);
  if (!iree_status_is_ok(status)) {
    ++tool->failure_count;
    printf("unknown file: Failure\n");
    iree_status_fprint(stdout, status);
    iree_status_free(status);
  }
  return tool->failure_count == 0;
}

static iree_status_t check_signature(const iree_vm_function_t *function) {
  iree_vm_function_signature_t signature = iree_vm_function_signature(function);
  iree_host_size_t argument_count = 0, result_count = 0;
  IREE_RETURN_IF_ERROR(iree_vm_function_call_count_arguments_and_results(
      &signature, &argument_count, &result_count));
  if (!argument_count && !result_count) return iree_ok_status();
  iree_string_view_t name = iree_vm_function_name(function);
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "tests have no inputs and no outputs, but '%.*s' has %zu and %zu; use "
                          "iree-run-module for it",
                          IREE_SV_ARGS(name), argument_count, result_count);
}

static iree_status_t find_tests(tool_t *tool) {
  iree_vm_module_t *module = tool->program.main_module;
  iree_host_size_t export_count = iree_vm_module_signature(module).export_function_count;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_array(tool->allocator, iree_max(export_count, (iree_host_size_t)1),
                                  sizeof(tool->functions[0]), (void **)&tool->functions));
  for (iree_host_size_t i = 0; i < export_count; ++i) {
    iree_vm_function_t function = {0};
    IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_ordinal(
        module, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function));
    if (!program_is_public_name(iree_vm_function_name(&function))) continue;
    IREE_RETURN_IF_ERROR(check_signature(&function));
    tool->functions[tool->function_count++] = function;
  }
  return iree_ok_status();
}

static iree_status_t run_tests(tool_t *tool) {
  IREE_RETURN_IF_ERROR(find_tests(tool));
  const test_suite_t suite = {
      .flags = &tool->suite_flags,
      .name = iree_vm_module_name(tool->program.main_module),
      .count = tool->function_count,
      .allocator = tool->allocator,
      .file = stdout,
      .case_name = test_name,
      .run = run_test,
      .self = tool,
  };
  return test_suite_run(&suite, &tool->passed);
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const cli_t cli = {.name = "iree-check-module",
                     .usage = "Runs the tests that a compiled module exports.",
                     .argc = argc,
                     .argv = argv,
                     .device_flags = &tool->device_flags};
  iree_status_t status = cli_parse(&cli, parser, &tool->text, &tool->is_done);
  status = iree_status_join(status, cli_write(&tool->text, stdout));
  if (tool->is_done || !iree_status_is_ok(status)) return status;
  const program_native_t native = {create_check_module, tool};
  status = program_init_with(&tool->program_flags, &tool->device_flags, &native, tool->allocator,
                             &tool->program);
  if (iree_status_is_ok(status)) status = run_tests(tool);
  status = iree_status_join(status, trace_writer_close(tool->program.trace));
  iree_allocator_free(tool->allocator, tool->functions);
  program_deinit(&tool->program);
  return status;
}

int main(int argc, char **argv) {
  tool_t tool = {.allocator = iree_allocator_system()};
  const flag_binding_t bindings[] = {
      {&program_flag_group, &tool.program_flags},  {&device_flag_group, &tool.device_flags},
      {&test_suite_flag_group, &tool.suite_flags}, {&k_check_flag_group, &tool.check_flags},
      {&absent_device_flag_group, NULL},           {&absent_program_flag_group, NULL},
  };
  const cli_tool_t cli = {bindings, IREE_ARRAYSIZE(bindings), &tool.text, tool_main, &tool};
  bool ran = cli_run(&cli, argc, argv, stderr);
  if (tool.is_done) return ran ? 0 : 1;
  bool passed = ran && tool.passed;
  if (!tool.check_flags.expect_failure) return passed ? 0 : 1;
  printf(passed ? "Test passed but expected failure\n" : "Test failed as expected\n");
  return passed ? 1 : 0;
}
