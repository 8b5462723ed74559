// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/hal/local/trace.h"

static void emit(const local_trace_t *trace, iree_trace_slice_t slice, const iree_trace_arg_t *args,
                 iree_host_size_t arg_count, bool is_concurrent) {
  slice.end_ns = iree_time_now();
  slice.scope = trace->device;
  slice.args = args;
  slice.arg_count = arg_count;
  slice.is_concurrent = is_concurrent;
  trace->sink->slice(trace->sink->self, &slice);
}

void local_trace_operation(const local_trace_t *trace, iree_time_t begin_ns, const char *name,
                           bool is_concurrent) {
  const iree_trace_slice_t slice = {.kind = IREE_TRACE_KIND_QUEUE,
                                    .begin_ns = begin_ns,
                                    .name = iree_make_cstring_view(name)};
  emit(trace, slice, NULL, 0, is_concurrent);
}

void local_trace_commands(const local_trace_t *trace, iree_time_t begin_ns,
                          const local_command_buffer_t *commands, bool is_concurrent) {
  const iree_trace_slice_t slice = {.kind = IREE_TRACE_KIND_COMMAND_BUFFER,
                                    .begin_ns = begin_ns,
                                    .name = IREE_SV("command buffer")};
  const iree_trace_arg_t args[] = {{"commands", commands->command_count},
                                   {"waves", commands->wave_count}};
  emit(trace, slice, args, IREE_ARRAYSIZE(args), is_concurrent);
}

static const char *transfer_name(command_kind_t kind) {
  switch (kind) {
    case COMMAND_FILL:
      return "fill";
    case COMMAND_UPDATE:
      return "update";
    case COMMAND_COPY:
      return "copy";
    case COMMAND_DISPATCH:
      break;
  }
  return "dispatch";
}

void local_trace_command(const local_trace_t *trace, iree_time_t begin_ns, const command_t *command,
                         const command_state_t *state, uint64_t begin, uint64_t end) {
  iree_trace_slice_t slice = {.kind = IREE_TRACE_KIND_TRANSFER,
                              .begin_ns = begin_ns,
                              .name = iree_make_cstring_view(transfer_name(command->kind))};
  if (command->kind != COMMAND_DISPATCH) {
    const iree_trace_arg_t args[] = {{"wave", command->wave}, {"bytes", end - begin}};
    emit(trace, slice, args, IREE_ARRAYSIZE(args), false);
    return;
  }
  const dispatch_command_t *dispatch = (const dispatch_command_t *)command;
  const char *const *names = dispatch->executable->library->exports.names;
  slice.kind = IREE_TRACE_KIND_DISPATCH;
  if (names) slice.name = iree_make_cstring_view(names[dispatch->function]);
  const iree_trace_arg_t args[] = {{"wave", command->wave},
                                   {"first_workgroup", begin},
                                   {"workgroups", end - begin},
                                   {"x", state->dispatch.workgroup_count_x},
                                   {"y", state->dispatch.workgroup_count_y},
                                   {"z", state->dispatch.workgroup_count_z}};
  emit(trace, slice, args, IREE_ARRAYSIZE(args), false);
}
