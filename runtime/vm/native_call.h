// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short way into functions of native modules, for callers that resolve them once: what
// begin_call does, without going through the module's table on each call.
#ifndef RUNTIME_VM_NATIVE_CALL_H_
#define RUNTIME_VM_NATIVE_CALL_H_

#include "iree/vm/native_module.h"
#include "runtime/vm/stack_impl.h"

typedef struct native_callee_t {
  iree_vm_native_function_shim_t shim;  // NULL: the module must be asked
  iree_vm_native_function_target_t target;
  void *self;
} native_callee_t;

// The callee of an exported function; its shim is NULL unless the module is a native one that
// leaves calls to its table.
native_callee_t native_callee_resolve(iree_vm_function_t function);

// Names the function in the failure of a call; DEFERRED passes.
//   owns:   takes and transfers |status|
iree_status_t native_callee_failed(const iree_vm_function_t *function, iree_status_t status);

// Calls it in a frame of its own. The frame stays when the call fails or defers.
//   errors: those of the function
static inline iree_status_t native_callee_call(const native_callee_t *callee,
                                               const iree_vm_function_t *function,
                                               iree_vm_stack_t *stack, iree_byte_span_t arguments,
                                               iree_byte_span_t results) {
  iree_vm_stack_frame_t *frame = NULL;
  IREE_RETURN_IF_ERROR(stack_enter_leaf(stack, function, &frame));
  iree_status_t status = callee->shim(stack, IREE_VM_NATIVE_FUNCTION_CALL_BEGIN, arguments, results,
                                      callee->target, callee->self, frame->module_state);
  if (IREE_LIKELY(iree_status_is_ok(status))) return stack_leave_leaf(stack);
  return native_callee_failed(function, status);
}

#endif  // RUNTIME_VM_NATIVE_CALL_H_
