// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calling functions: at once (iree_vm_invoke), or in steps that return DEFERRED while the function
// waits: begin, then resume (after wait) until it is OK, then end. Inputs and outputs are lists.
#ifndef IREE_VM_INVOCATION_H_
#define IREE_VM_INVOCATION_H_

#include "iree/base/api.h"
#include "iree/vm/context.h"
#include "iree/vm/list.h"
#include "iree/vm/module.h"
#include "iree/vm/ref.h"

#ifdef __cplusplus
extern "C" {
#endif

// Reserved; pass NULL.
typedef struct iree_vm_invocation_policy_t iree_vm_invocation_policy_t;

// Calls |function| and blocks until it is done. Results replace the content of |outputs|.
//   owns:   inputs keep their refs; outputs get their own. Either list may be NULL when empty.
//   errors: INVALID_ARGUMENT  inputs do not match the signature;  whatever the function fails with
IREE_API_EXPORT iree_status_t iree_vm_invoke(iree_vm_context_t *context,
                                             iree_vm_function_t function,
                                             iree_vm_invocation_flags_t flags,
                                             const iree_vm_invocation_policy_t *policy,
                                             const iree_vm_list_t *inputs, iree_vm_list_t *outputs,
                                             iree_allocator_t host_allocator);

typedef struct iree_vm_invoke_state_t {
  iree_vm_context_t *context;
  iree_status_t status;
  iree_string_view_t cconv_results;
  iree_byte_span_t results;
  iree_vm_stack_t *stack;
} iree_vm_invoke_state_t;

// Starts a call in caller storage |state|. OK and DEFERRED leave it to be ended or aborted.
//   errors: as iree_vm_invoke;  DEFERRED  waits; then wait and resume
IREE_API_EXPORT iree_status_t iree_vm_begin_invoke(
    iree_vm_invoke_state_t *state, iree_vm_context_t *context, iree_vm_function_t function,
    iree_vm_invocation_flags_t flags, const iree_vm_invocation_policy_t *policy,
    const iree_vm_list_t *inputs, iree_allocator_t host_allocator);
IREE_API_EXPORT iree_status_t iree_vm_resume_invoke(iree_vm_invoke_state_t *state);
// Blocks until what the call waits for has come; the call must be resumed then. |wait_frame| may be
// NULL for the one on the call's stack.
//   errors: DEADLINE_EXCEEDED  not before |deadline_ns|
IREE_API_EXPORT iree_status_t iree_vm_wait_invoke(iree_vm_invoke_state_t *state,
                                                  iree_vm_wait_frame_t *wait_frame,
                                                  iree_time_t deadline_ns);
// Ends a call that is done: outputs and what the function returned.
//   owns:   transfers |out_status| to the caller
//   errors: RESOURCE_EXHAUSTED  no memory for the outputs
IREE_API_EXPORT iree_status_t iree_vm_end_invoke(iree_vm_invoke_state_t *state,
                                                 iree_vm_list_t *outputs,
                                                 iree_status_t *out_status);
// Drops a call wherever it is.
//   errors: none
IREE_API_EXPORT void iree_vm_abort_invoke(iree_vm_invoke_state_t *state);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_INVOCATION_H_
