// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iree_runtime_call_t.
#include "iree/runtime/call.h"

#include <string.h>

#include "iree/modules/hal/types.h"
#include "iree/runtime/session.h"

static iree_status_t call_create_lists(iree_runtime_call_t *call) {
  const iree_vm_function_signature_t signature = iree_vm_function_signature(&call->function);
  iree_string_view_t arguments, results;
  IREE_RETURN_IF_ERROR(iree_vm_function_call_get_cconv_fragments(&signature, &arguments, &results));
  const iree_allocator_t allocator = iree_runtime_session_host_allocator(call->session);
  IREE_RETURN_IF_ERROR(iree_vm_list_create(iree_vm_make_undefined_type_def(), arguments.size,
                                           allocator, &call->inputs));
  return iree_vm_list_create(iree_vm_make_undefined_type_def(), results.size, allocator,
                             &call->outputs);
}

iree_status_t iree_runtime_call_initialize(iree_runtime_session_t *session,
                                           iree_vm_function_t function,
                                           iree_runtime_call_t *out_call) {
  memset(out_call, 0, sizeof(*out_call));
  out_call->session = session;
  out_call->function = function;
  iree_runtime_session_retain(session);
  iree_status_t status = call_create_lists(out_call);
  if (!iree_status_is_ok(status)) iree_runtime_call_deinitialize(out_call);
  return status;
}

iree_status_t iree_runtime_call_initialize_by_name(iree_runtime_session_t *session,
                                                   iree_string_view_t full_name,
                                                   iree_runtime_call_t *out_call) {
  memset(out_call, 0, sizeof(*out_call));
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(iree_runtime_session_lookup_function(session, full_name, &function));
  return iree_runtime_call_initialize(session, function, out_call);
}

void iree_runtime_call_deinitialize(iree_runtime_call_t *call) {
  iree_vm_list_release(call->inputs);
  iree_vm_list_release(call->outputs);
  iree_runtime_session_release(call->session);
  memset(call, 0, sizeof(*call));
}

void iree_runtime_call_reset(iree_runtime_call_t *call) {
  iree_status_ignore(iree_vm_list_resize(call->inputs, 0));
  iree_status_ignore(iree_vm_list_resize(call->outputs, 0));
}

iree_vm_list_t *iree_runtime_call_inputs(const iree_runtime_call_t *call) { return call->inputs; }

iree_vm_list_t *iree_runtime_call_outputs(const iree_runtime_call_t *call) { return call->outputs; }

iree_status_t iree_runtime_call_invoke(iree_runtime_call_t *call, iree_runtime_call_flags_t flags) {
  (void)flags;
  return iree_runtime_session_call(call->session, &call->function, call->inputs, call->outputs);
}

iree_status_t iree_runtime_call_inputs_push_back_buffer_view(iree_runtime_call_t *call,
                                                             iree_hal_buffer_view_t *buffer_view) {
  iree_vm_ref_t ref = iree_hal_buffer_view_retain_ref(buffer_view);
  iree_status_t status = iree_vm_list_push_ref_move(call->inputs, &ref);
  iree_vm_ref_release(&ref);
  return status;
}

iree_status_t iree_runtime_call_outputs_pop_front_buffer_view(
    iree_runtime_call_t *call, iree_hal_buffer_view_t **out_buffer_view) {
  *out_buffer_view = NULL;
  iree_vm_ref_t ref = iree_vm_ref_null();
  IREE_RETURN_IF_ERROR(iree_vm_list_pop_front_ref_move(call->outputs, &ref));
  iree_status_t status = iree_hal_buffer_view_check_deref(ref, out_buffer_view);
  if (!iree_status_is_ok(status)) iree_vm_ref_release(&ref);
  return status;
}
