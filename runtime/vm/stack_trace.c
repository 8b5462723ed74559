// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames as slices of a trace. A frame is told of when it is left, also after a failure, which leaves
// all of them. Bytecode functions are placed where their code begins, native ones where they are
// called.
#include <stdio.h>

#include "runtime/vm/stack_impl.h"

// Source places may be fused from many; what does not fit is cut.
#define MAX_LOCATION_LENGTH 512
// Code begins with constants, which come from no place in the source; how far to look for the first
// instruction that does.
#define MAX_PROLOGUE_LENGTH 4096

static iree_string_view_t frame_location(const iree_vm_function_t *function,
                                         iree_vm_source_offset_t pc, char *storage) {
  iree_vm_source_location_t location;
  iree_string_builder_t builder;
  iree_string_builder_initialize_with_storage(storage, MAX_LOCATION_LENGTH, &builder);
  iree_status_t status =
      iree_vm_module_resolve_source_location(function->module, *function, pc, &location);
  if (iree_status_is_ok(status)) {
    status = iree_vm_source_location_format(
        &location, IREE_VM_SOURCE_LOCATION_FORMAT_FLAG_SINGLE_LINE, &builder);
  }
  const bool is_unknown = iree_status_is_unavailable(status);
  iree_status_ignore(status);
  return is_unknown ? iree_string_view_empty() : iree_string_builder_view(&builder);
}

static iree_string_view_t function_location(const iree_vm_function_t *function, char *storage) {
  iree_string_view_t location = frame_location(function, 0, storage);
  for (iree_vm_source_offset_t pc = 16; !location.size && pc <= MAX_PROLOGUE_LENGTH; pc *= 2) {
    location = frame_location(function, pc, storage);
  }
  return location;
}

void stack_trace_leave(iree_vm_stack_t *stack) {
  stack_header_t *header = stack->top;
  const iree_vm_stack_frame_t *frame = &header->frame;
  iree_trace_slice_t slice = {.begin_ns = stack_trace_of(header)->begin_ns,
                              .end_ns = iree_time_now()};
  char location[MAX_LOCATION_LENGTH], ordinal[16];
  if (frame->type == IREE_VM_STACK_FRAME_EXTERNAL) return;
  if (frame->type == IREE_VM_STACK_FRAME_WAIT) {
    slice.kind = IREE_TRACE_KIND_WAIT;
    slice.name = IREE_SV("wait");
    stack->trace->slice(stack->trace->self, &slice);
    return;
  }
  const iree_vm_function_t *function = &frame->function;
  slice.name = iree_vm_function_name(function);
  slice.scope = iree_vm_module_name(function->module);
  if (!slice.name.size) {
    const int length = snprintf(ordinal, sizeof(ordinal), "@%u", function->ordinal);
    slice.name = iree_make_string_view(ordinal, (iree_host_size_t)length);
  }
  const stack_header_t *caller = header->parent;
  if (frame->type == IREE_VM_STACK_FRAME_BYTECODE) {
    slice.location = function_location(function, location);
  } else {
    slice.kind = IREE_TRACE_KIND_IMPORT;
    if (caller && caller->frame.type == IREE_VM_STACK_FRAME_BYTECODE) {
      slice.location = frame_location(&caller->frame.function, caller->frame.pc, location);
    }
  }
  stack->trace->slice(stack->trace->self, &slice);
}
