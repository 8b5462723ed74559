// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-benchmark-executable: measures one kernel of an executable, without the program around it.
//
//   iree-benchmark-executable --device=local-sync --executable_format=embedded-elf-x86_64
//   --executable_file=add.so --entry_point=0 --binding=4xf32=1 --binding=4xf32=2 --binding=4xf32
//   --workgroup_count=1,1,1
//
// Executables come from iree-compile --iree-hal-dump-executable-binaries-to=. Constants, bindings
// and workgroup counts are the caller's to know. Each --workgroup_count= is a benchmark: a command
// buffer with --batch_size= dispatches, one after the other, is recorded once and then executed.

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/flags.h"
#include "iree/modules/hal/module.h"
#include "tooling/absent.h"
#include "tooling/benchmark.h"
#include "tooling/call.h"
#include "tooling/cli.h"
#include "tooling/device.h"
#include "tooling/dispatch.h"
#include "tooling/trace.h"

typedef struct dispatch_flags_t {
  int32_t batch_size;
  int32_t entry_point;
  iree_string_view_t executable_format;
  iree_string_view_t executable_file;
  flag_list_t workgroup_counts;
  flag_list_t executable_constants;
  flag_list_t constants;
  flag_list_t bindings;
  iree_string_view_t trace;
} dispatch_flags_t;

static const flag_t k_dispatch_flags[] = {
    FLAG_STRING(dispatch_flags_t, executable_format, "executable_format", "",
                "Format of the executable: embedded-elf-x86_64, ..."),
    FLAG_STRING(dispatch_flags_t, executable_file, "executable_file", "",
                "The executable; - reads stdin."),
    FLAG_I32(dispatch_flags_t, entry_point, "entry_point", "0", "Number of the kernel in it."),
    FLAG_LIST(dispatch_flags_t, workgroup_counts, "workgroup_count",
              "Workgroups in each dimension, `x,y,z`. Each occurrence is a benchmark."),
    FLAG_LIST(dispatch_flags_t, executable_constants, "executable_constant",
              "A constant that the executable is specialised with, 32 bits. May repeat."),
    FLAG_LIST(dispatch_flags_t, constants, "constant",
              "A constant that the kernel gets, 32 bits. May repeat."),
    FLAG_LIST(dispatch_flags_t, bindings, "binding",
              "A buffer that the kernel gets, written as --input= of iree-run-module. May repeat."),
    FLAG_I32(dispatch_flags_t, batch_size, "batch_size", "64",
             "Dispatches per command buffer; many hide what its submission costs."),
    TRACE_FLAG(dispatch_flags_t, trace),
};
static const flag_group_t k_dispatch_group =
    FLAG_GROUP("iree-benchmark-executable", k_dispatch_flags);

#define MAX_EXECUTABLE_CONSTANTS 512
#define MAX_CONSTANTS 64
#define MAX_BINDINGS 64
#define MAX_BENCHMARKS 64
#define MAX_BATCH_SIZE (1 << 20)

// The tool with all it was told and holds.
typedef struct tool_t {
  device_flags_t device_flags;
  benchmark_flags_t benchmark_flags;
  dispatch_flags_t flags;
  const char *program;
  iree_allocator_t allocator;
  iree_string_builder_t text;
  trace_writer_t *trace;
  iree_vm_instance_t *instance;  // knows the types of --binding= values
  iree_hal_device_group_t *device_group;
  iree_hal_device_t *device;  // the first of the group
  file_contents_t file;
  iree_hal_executable_cache_t *cache;
  iree_hal_executable_t *executable;
  iree_vm_list_t *values;
  iree_host_size_t binding_count;
  iree_hal_buffer_ref_t bindings[MAX_BINDINGS];
  uint32_t constants[MAX_CONSTANTS];
  iree_host_size_t subject_count;
  dispatch_subject_t subjects[MAX_BENCHMARKS];
} tool_t;

//===-- flags --------------------------------------------------------------------------------===//

static iree_status_t parse_constants(const flag_list_t *list, const char *flag,
                                     iree_host_size_t capacity, uint32_t *out_values) {
  if (list->count > capacity) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "more than %" PRIhsz " --%s=", capacity,
                            flag);
  }
  for (iree_host_size_t i = 0; i < list->count; ++i) {
    if (iree_string_view_atoi_uint32(list->values[i], &out_values[i])) continue;
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "flag '--%s' expects a number of 32 bits, not '%.*s'", flag,
                            IREE_SV_ARGS(list->values[i]));
  }
  return iree_ok_status();
}

static iree_status_t check_flags(const dispatch_flags_t *flags) {
  if (iree_string_view_is_empty(flags->executable_file)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "no executable; give --executable_file= and --executable_format=");
  }
  if (!flags->workgroup_counts.count || flags->workgroup_counts.count > MAX_BENCHMARKS) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "flag '--workgroup_count' is expected 1 to %d times", MAX_BENCHMARKS);
  }
  if (flags->batch_size < 1 || flags->batch_size > MAX_BATCH_SIZE) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "flag '--batch_size' expects 1 to %d",
                            MAX_BATCH_SIZE);
  }
  if (flags->bindings.count > MAX_BINDINGS) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "more than %d --binding=", MAX_BINDINGS);
  }
  return iree_ok_status();
}

//===-- preparation --------------------------------------------------------------------------===//

static iree_status_t create_device(tool_t *tool) {
  iree_hal_driver_registry_t *registry = NULL;
  IREE_RETURN_IF_ERROR(device_create_registry(tool->allocator, &registry));
  iree_status_t status =
      device_create_group(&tool->device_flags, registry, tool->allocator, &tool->device_group);
  iree_hal_driver_registry_free(registry);
  if (!iree_status_is_ok(status)) return status;
  tool->device = iree_hal_device_group_device_at(tool->device_group, 0);
  if (!tool->trace) return iree_ok_status();
  return iree_hal_device_set_trace_sink(tool->device, trace_writer_sink(tool->trace));
}

static iree_status_t load_executable(tool_t *tool) {
  const dispatch_flags_t *flags = &tool->flags;
  uint32_t constants[MAX_EXECUTABLE_CONSTANTS];
  IREE_RETURN_IF_ERROR(parse_constants(&flags->executable_constants, "executable_constant",
                                       IREE_ARRAYSIZE(constants), constants));
  IREE_RETURN_IF_ERROR(file_contents_read(flags->executable_file, tool->allocator, &tool->file));
  IREE_RETURN_IF_ERROR(
      iree_hal_executable_cache_create(tool->device, IREE_SV("cache"), &tool->cache));
  iree_hal_executable_params_t params;
  iree_hal_executable_params_initialize(&params);
  params.caching_mode = IREE_HAL_EXECUTABLE_CACHING_MODE_ALLOW_OPTIMIZATION |
                        IREE_HAL_EXECUTABLE_CACHING_MODE_ALIAS_PROVIDED_DATA;
  params.executable_format = flags->executable_format;
  params.executable_data = tool->file.data;
  params.constant_count = flags->executable_constants.count;
  params.constants = constants;
  IREE_RETURN_IF_ERROR(
      iree_hal_executable_cache_prepare_executable(tool->cache, &params, &tool->executable),
      "loading '%.*s'", IREE_SV_ARGS(flags->executable_file));
  const iree_host_size_t count = iree_hal_executable_function_count(tool->executable);
  if (flags->entry_point >= 0 && (iree_host_size_t)flags->entry_point < count) {
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "flag '--entry_point': there is no kernel %d, the executable has %" PRIhsz,
                          flags->entry_point, count);
}

static iree_status_t parse_bindings(tool_t *tool) {
  char cconv[MAX_BINDINGS];
  memset(cconv, 'r', sizeof(cconv));
  const value_target_t target = {.device = tool->device,
                                 .allocator = iree_hal_device_allocator(tool->device),
                                 .host_allocator = tool->allocator};
  IREE_RETURN_IF_ERROR(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, tool->allocator,
                                               &tool->instance));
  IREE_RETURN_IF_ERROR(iree_hal_module_register_all_types(tool->instance));
  IREE_RETURN_IF_ERROR(value_parse_list(iree_make_string_view(cconv, tool->flags.bindings.count),
                                        flag_list_view(&tool->flags.bindings), &target,
                                        &tool->values));
  // `*file.npy` gives several values.
  tool->binding_count = iree_vm_list_size(tool->values);
  for (iree_host_size_t i = 0; i < tool->binding_count; ++i) {
    iree_vm_ref_t value = iree_vm_ref_null();
    IREE_RETURN_IF_ERROR(iree_vm_list_get_ref_assign(tool->values, i, &value));
    iree_hal_buffer_t *buffer = NULL;
    if (iree_hal_buffer_isa(value)) {
      buffer = iree_hal_buffer_deref(value);
    } else if (iree_hal_buffer_view_isa(value)) {
      buffer = iree_hal_buffer_view_buffer(iree_hal_buffer_view_deref(value));
    } else {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--binding= %" PRIhsz " is no buffer",
                              i);
    }
    tool->bindings[i] = iree_hal_make_buffer_ref(buffer, 0, IREE_HAL_WHOLE_BUFFER);
  }
  return parse_constants(&tool->flags.constants, "constant", MAX_CONSTANTS, tool->constants);
}

//===-- measuring ----------------------------------------------------------------------------===//

static iree_status_t add_subject(tool_t *tool, iree_string_view_t text,
                                 benchmark_t *out_benchmark) {
  dispatch_subject_t *subject = &tool->subjects[tool->subject_count++];
  const dispatch_t dispatch = {
      .device = tool->device,
      .executable = tool->executable,
      .function = iree_hal_executable_function_from_index((uint32_t)tool->flags.entry_point),
      .constants = iree_make_const_byte_span(
          tool->constants, tool->flags.constants.count * sizeof(tool->constants[0])),
      .bindings = {tool->binding_count, tool->bindings}};
  IREE_RETURN_IF_ERROR(dispatch_parse_workgroup_count(text, subject->workgroup_count),
                       "flag '--workgroup_count'");
  IREE_RETURN_IF_ERROR(dispatch_subject_init(&dispatch, tool->flags.batch_size, subject));
  *out_benchmark = dispatch_subject_benchmark(subject);
  return iree_ok_status();
}

static void write_text(void *self, bool is_message, iree_string_view_t text) {
  progress_clear((progress_t *)self);
  fwrite(text.data, 1, text.size, is_message ? stderr : stdout);
  fflush(is_message ? stderr : stdout);
}

static iree_status_t measure(tool_t *tool) {
  benchmark_t benchmarks[MAX_BENCHMARKS];
  for (iree_host_size_t i = 0; i < tool->flags.workgroup_counts.count; ++i) {
    IREE_RETURN_IF_ERROR(
        add_subject(tool, tool->flags.workgroup_counts.values[i], &benchmarks[i]));
  }
  const int32_t wish = tool->benchmark_flags.time_unit;
  progress_t progress;
  progress_start(&progress);
  const benchmark_options_t options = {.flags = &tool->benchmark_flags,
                                       .time_unit = wish ? wish - 1 : BENCHMARK_UNIT_NS,
                                       .program = tool->program,
                                       .allocator = tool->allocator,
                                       .sink = {write_text, &progress},
                                       .progress = &progress};
  iree_status_t status = benchmark_run_all(&options, benchmarks, tool->subject_count);
  progress_stop(&progress);
  return status;
}

//===-- the tool -----------------------------------------------------------------------------===//

static iree_status_t run(tool_t *tool) {
  IREE_RETURN_IF_ERROR(check_flags(&tool->flags));
  IREE_RETURN_IF_ERROR(trace_writer_open(tool->flags.trace, tool->allocator, &tool->trace));
  IREE_RETURN_IF_ERROR(create_device(tool));
  IREE_RETURN_IF_ERROR(load_executable(tool));
  IREE_RETURN_IF_ERROR(parse_bindings(tool));
  IREE_RETURN_IF_ERROR(measure(tool));
  return trace_writer_close(tool->trace);
}

static void release(tool_t *tool) {
  for (iree_host_size_t i = 0; i < tool->subject_count; ++i) {
    dispatch_subject_deinit(&tool->subjects[i]);
  }
  iree_vm_list_release(tool->values);
  iree_vm_instance_release(tool->instance);
  iree_hal_executable_release(tool->executable);
  iree_hal_executable_cache_release(tool->cache);
  file_contents_release(&tool->file);
  iree_hal_device_group_release(tool->device_group);
  trace_writer_free(tool->trace);
}

static iree_status_t tool_main(void *self, flags_t *parser, int argc, char **argv) {
  tool_t *tool = self;
  const cli_t cli = {.name = "iree-benchmark-executable",
                     .usage = "Measures one kernel of an executable.",
                     .argc = argc,
                     .argv = argv,
                     .device_flags = &tool->device_flags};
  bool is_done = false;
  IREE_RETURN_IF_ERROR(cli_parse(&cli, parser, &tool->text, &is_done));
  if (is_done) return cli_write(&tool->text, stdout);
  iree_status_t status = run(tool);
  release(tool);
  return status;
}

int main(int argc, char **argv) {
  static tool_t tool;
  tool.program = argv[0];
  tool.allocator = iree_allocator_system();
  const flag_binding_t bindings[] = {
      {&k_dispatch_group, &tool.flags},
      {&device_flag_group, &tool.device_flags},
      {&benchmark_flag_group, &tool.benchmark_flags},
      {&absent_device_flag_group, NULL},
      {&absent_benchmark_flag_group, NULL},
  };
  const cli_tool_t cli = {bindings, IREE_ARRAYSIZE(bindings), &tool.text, tool_main, &tool};
  return cli_run(&cli, argc, argv, stderr) ? 0 : 1;
}
