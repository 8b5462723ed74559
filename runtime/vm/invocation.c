// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Invocations: lists to packed arguments and back around begin_call / resume_call of the module.
//
// The stack's bottom is an external frame whose storage holds the packed arguments, then the packed
// results; it owns the refs in both until the outputs take them. A failing call leaves its frames
// for the backtrace.
#include "iree/vm/invocation.h"

#include "runtime/vm/bytecode/module_impl.h"
#include "runtime/vm/cconv.h"
#include "runtime/vm/context_impl.h"
#include "runtime/vm/stack_impl.h"

// What there is to know of a function in order to call it.
typedef struct callee_t {
  iree_string_view_t arguments;  // fragments
  iree_string_view_t results;
  iree_host_size_t arguments_size;  // of the packed areas
  iree_host_size_t results_size;
} callee_t;

typedef struct external_frame_t {
  callee_t callee;
  iree_alignas(16) uint8_t areas[];
} external_frame_t;

static iree_status_t callee_describe(iree_vm_function_t function, callee_t *out_callee) {
  // Modules from files know it since they were loaded.
  if (bytecode_module_isa(function.module)) {
    const bytecode_function_t *known =
        bytecode_function((const bytecode_module_t *)function.module->self, function);
    if (known) {
      *out_callee =
          (callee_t){known->arguments, known->results, known->arguments_size, known->results_size};
      return iree_ok_status();
    }
  }
  iree_vm_function_signature_t signature = iree_vm_function_signature(&function);
  callee_t callee;
  IREE_RETURN_IF_ERROR(
      iree_vm_function_call_get_cconv_fragments(&signature, &callee.arguments, &callee.results));
  if (iree_vm_function_call_is_variadic_cconv(callee.arguments)) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "functions with variadic arguments can only be called by modules");
  }
  callee.arguments_size = cconv_area_size(callee.arguments);
  callee.results_size = cconv_area_size(callee.results);
  *out_callee = callee;
  return iree_ok_status();
}

static iree_byte_span_t external_results(external_frame_t *external) {
  return iree_make_byte_span(external->areas + external->callee.arguments_size,
                             external->callee.results_size);
}

static void external_cleanup(iree_vm_stack_frame_t *frame) {
  external_frame_t *external = (external_frame_t *)(void *)stack_frame_storage(frame);
  cconv_release_refs(external->callee.arguments, external->areas);
  cconv_release_refs(external->callee.results, external_results(external).data);
}

static const char *cconv_name(char letter) {
  switch (letter) {
    case IREE_VM_CCONV_TYPE_I32:
      return "i32";
    case IREE_VM_CCONV_TYPE_I64:
      return "i64";
    case IREE_VM_CCONV_TYPE_F32:
      return "f32";
    case IREE_VM_CCONV_TYPE_F64:
      return "f64";
    default:
      return "ref";
  }
}

// One list element to the packed member at |target|.
static iree_status_t pack_input(const iree_vm_list_t *inputs, iree_host_size_t i, char letter,
                                uint8_t *target) {
  iree_vm_variant_t variant;
  IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(inputs, i, &variant));
  if (letter == IREE_VM_CCONV_TYPE_REF) {
    if (iree_vm_variant_is_value(variant)) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "argument %" PRIhsz " must be a ref but is a value", i);
    }
    iree_vm_ref_retain(&variant.ref, (iree_vm_ref_t *)(void *)target);
    return iree_ok_status();
  }
  if (!iree_vm_variant_is_value(variant)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "argument %" PRIhsz " must be a value of type %s but is a ref", i,
                            cconv_name(letter));
  }
  iree_vm_value_type_t type = letter == IREE_VM_CCONV_TYPE_I32   ? IREE_VM_VALUE_TYPE_I32
                              : letter == IREE_VM_CCONV_TYPE_I64 ? IREE_VM_VALUE_TYPE_I64
                              : letter == IREE_VM_CCONV_TYPE_F32 ? IREE_VM_VALUE_TYPE_F32
                                                                 : IREE_VM_VALUE_TYPE_F64;
  iree_vm_value_t value;
  IREE_RETURN_IF_ERROR(iree_vm_list_get_value_as(inputs, i, type, &value));
  memcpy(target, value.value_storage, cconv_size(letter));
  return iree_ok_status();
}

static iree_status_t pack_inputs(const iree_vm_list_t *inputs, iree_string_view_t arguments,
                                 uint8_t *area) {
  iree_host_size_t count = inputs ? iree_vm_list_size(inputs) : 0, offset = 0;
  if (count != arguments.size) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "input list and function mismatch; expected %" PRIhsz
                            " arguments but passed %" PRIhsz,
                            arguments.size, count);
  }
  for (iree_host_size_t i = 0; i < count; ++i) {
    char letter = arguments.data[i];
    offset = iree_host_align(offset, cconv_alignment(letter));
    IREE_RETURN_IF_ERROR(pack_input(inputs, i, letter, area + offset));
    offset += cconv_size(letter);
  }
  return iree_ok_status();
}

// One packed member to list element |i|; a ref moves.
static iree_status_t unpack_output(char letter, uint8_t *source, iree_vm_list_t *outputs,
                                   iree_host_size_t i) {
  iree_vm_value_t value = iree_vm_value_make_none();
  switch (letter) {
    case IREE_VM_CCONV_TYPE_REF:
      return iree_vm_list_set_ref_move(outputs, i, (iree_vm_ref_t *)(void *)source);
    case IREE_VM_CCONV_TYPE_I32:
      value.type = IREE_VM_VALUE_TYPE_I32;
      break;
    case IREE_VM_CCONV_TYPE_I64:
      value.type = IREE_VM_VALUE_TYPE_I64;
      break;
    case IREE_VM_CCONV_TYPE_F32:
      value.type = IREE_VM_VALUE_TYPE_F32;
      break;
    default:
      value.type = IREE_VM_VALUE_TYPE_F64;
      break;
  }
  memcpy(value.value_storage, source, cconv_size(letter));
  return iree_vm_list_set_value(outputs, i, &value);
}

static iree_status_t unpack_outputs(iree_string_view_t results, uint8_t *area,
                                    iree_vm_list_t *outputs) {
  if (!outputs) {
    if (results.size == 0) return iree_ok_status();
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "no output list for a function with %" PRIhsz " results", results.size);
  }
  iree_vm_list_clear(outputs);
  IREE_RETURN_IF_ERROR(iree_vm_list_resize(outputs, results.size));
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; i < results.size; ++i) {
    char letter = results.data[i];
    offset = iree_host_align(offset, cconv_alignment(letter));
    IREE_RETURN_IF_ERROR(unpack_output(letter, area + offset, outputs, i));
    offset += cconv_size(letter);
  }
  return iree_ok_status();
}

static iree_status_t enter_external(iree_vm_stack_t *stack, const callee_t *callee,
                                    external_frame_t **out_external) {
  iree_host_size_t size = sizeof(external_frame_t) + callee->arguments_size + callee->results_size;
  iree_vm_stack_frame_t *frame = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_stack_function_enter(stack, NULL, IREE_VM_STACK_FRAME_EXTERNAL, size,
                                                    external_cleanup, &frame));
  *out_external = (external_frame_t *)(void *)stack_frame_storage(frame);
  (*out_external)->callee = *callee;
  return iree_ok_status();
}

// Keeps a final status in |state| and tells the caller OK; DEFERRED passes.
static iree_status_t note_result(iree_vm_invoke_state_t *state, iree_status_t status) {
  if (iree_status_is_deferred(status)) return status;
  if (!iree_status_is_ok(status)) status = iree_vm_stack_annotate_backtrace(state->stack, status);
  state->status = status;
  return iree_ok_status();
}

iree_status_t iree_vm_begin_invoke(iree_vm_invoke_state_t *state, iree_vm_context_t *context,
                                   iree_vm_function_t function, iree_vm_invocation_flags_t flags,
                                   const iree_vm_invocation_policy_t *policy,
                                   const iree_vm_list_t *inputs, iree_allocator_t host_allocator) {
  (void)policy;
  (void)host_allocator;  // stacks come from the context
  memset(state, 0, sizeof(*state));
  if (!function.module) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "no function to invoke");
  }
  callee_t callee;
  IREE_RETURN_IF_ERROR(callee_describe(function, &callee));
  IREE_RETURN_IF_ERROR(iree_vm_context_take_stack(context, flags, &state->stack));
  iree_vm_context_retain(context);
  state->context = context;
  state->cconv_results = callee.results;
  external_frame_t *external = NULL;
  iree_status_t status = enter_external(state->stack, &callee, &external);
  if (iree_status_is_ok(status)) status = pack_inputs(inputs, callee.arguments, external->areas);
  if (!iree_status_is_ok(status)) {
    iree_vm_abort_invoke(state);
    return status;
  }
  state->results = external_results(external);
  iree_vm_function_call_t call = {
      .function = function,
      .arguments = iree_make_byte_span(external->areas, callee.arguments_size),
      .results = state->results,
  };
  return note_result(state, function.module->begin_call(function.module->self, state->stack, call));
}

iree_status_t iree_vm_resume_invoke(iree_vm_invoke_state_t *state) {
  iree_vm_stack_t *stack = state->stack;
  stack_header_t *entry = stack && stack->bottom ? stack->bottom->child : NULL;
  if (!entry) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "no call waits to be resumed");
  }
  iree_vm_module_t *module = entry->frame.function.module;
  if (!module->resume_call) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "the module's calls cannot be resumed");
  }
  stack->resume_frame = entry;
  return note_result(state, module->resume_call(module->self, stack, state->results));
}

// Sources have nothing in common to sleep on, so that they take turns, a millisecond each.
static iree_status_t wait_any(const iree_vm_wait_frame_t *frame, iree_time_t deadline_ns) {
  for (iree_host_size_t turn = 0;; ++turn) {
    for (iree_host_size_t i = 0; i < frame->count; ++i) {
      iree_status_code_t code = IREE_STATUS_OK;
      IREE_RETURN_IF_ERROR(iree_wait_source_query(frame->wait_sources[i], &code));
      if (code == IREE_STATUS_DEFERRED) continue;
      return iree_wait_source_wait_one(frame->wait_sources[i], iree_immediate_timeout());
    }
    iree_time_t slice_ns = iree_min(iree_time_now() + 1000000, deadline_ns);
    iree_status_t status = iree_wait_source_wait_one(frame->wait_sources[turn % frame->count],
                                                     iree_make_deadline(slice_ns));
    if (!iree_status_is_deadline_exceeded(status) || slice_ns == deadline_ns) return status;
    iree_status_ignore(status);
  }
}

iree_status_t iree_vm_wait_invoke(iree_vm_invoke_state_t *state, iree_vm_wait_frame_t *wait_frame,
                                  iree_time_t deadline_ns) {
  if (!wait_frame) wait_frame = iree_vm_stack_wait_frame(state->stack);
  if (!wait_frame) return iree_ok_status();  // yielded without waiting for anything
  iree_timeout_t timeout = iree_make_deadline(iree_min(deadline_ns, wait_frame->deadline_ns));
  iree_status_t status = iree_ok_status();
  if (wait_frame->wait_type == IREE_VM_WAIT_UNTIL) {
    iree_wait_until(timeout.nanos);
  } else if (wait_frame->wait_type == IREE_VM_WAIT_ANY && wait_frame->count > 1) {
    status = wait_any(wait_frame, timeout.nanos);
  } else {
    for (iree_host_size_t i = 0; i < wait_frame->count && iree_status_is_ok(status); ++i) {
      status = iree_wait_source_wait_one(wait_frame->wait_sources[i], timeout);
    }
  }
  if (iree_status_is_deadline_exceeded(status) && deadline_ns < wait_frame->deadline_ns) {
    return status;  // the caller's deadline, not the function's: it may wait again
  }
  iree_status_ignore(wait_frame->wait_status);
  wait_frame->wait_status = status;  // what the function makes of it is its own matter
  return iree_ok_status();
}

iree_status_t iree_vm_end_invoke(iree_vm_invoke_state_t *state, iree_vm_list_t *outputs,
                                 iree_status_t *out_status) {
  *out_status = state->status;
  state->status = iree_ok_status();
  iree_status_t status = iree_ok_status();
  if (iree_status_is_ok(*out_status)) {
    status = unpack_outputs(state->cconv_results, state->results.data, outputs);
  }
  iree_vm_abort_invoke(state);
  return status;
}

void iree_vm_abort_invoke(iree_vm_invoke_state_t *state) {
  iree_status_ignore(state->status);
  if (state->context) {
    iree_vm_context_give_stack(state->context, state->stack);
    iree_vm_context_release(state->context);
  }
  memset(state, 0, sizeof(*state));
}

iree_status_t iree_vm_invoke(iree_vm_context_t *context, iree_vm_function_t function,
                             iree_vm_invocation_flags_t flags,
                             const iree_vm_invocation_policy_t *policy,
                             const iree_vm_list_t *inputs, iree_vm_list_t *outputs,
                             iree_allocator_t host_allocator) {
  iree_vm_invoke_state_t state;
  iree_status_t status =
      iree_vm_begin_invoke(&state, context, function, flags, policy, inputs, host_allocator);
  while (iree_status_is_deferred(status)) {
    iree_status_ignore(status);
    status = iree_vm_wait_invoke(&state, NULL, IREE_TIME_INFINITE_FUTURE);
    if (!iree_status_is_ok(status)) break;
    status = iree_vm_resume_invoke(&state);
  }
  if (!iree_status_is_ok(status)) {
    if (state.context) iree_vm_abort_invoke(&state);
    return status;
  }
  iree_status_t call_status = iree_ok_status();
  status = iree_vm_end_invoke(&state, outputs, &call_status);
  return iree_status_join(call_status, status);
}
