// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short way into functions of native modules, for callers that resolve them once: what
// begin_call does, without going through the module's table on each call.
#ifndef RUNTIME_VM_NATIVE_CALL_H_
#define RUNTIME_VM_NATIVE_CALL_H_

#include "iree/vm/native_module.h"

typedef struct native_callee_t {
  iree_vm_native_function_shim_t shim;  // NULL: the module must be asked
  iree_vm_native_function_target_t target;
  void *self;
} native_callee_t;

// The callee of an exported function; its shim is NULL unless the module is a native one that
// leaves calls to its table.
native_callee_t native_callee_resolve(iree_vm_function_t function);

// Calls it in a frame of its own. The frame stays when the call fails or defers.
//   errors: those of the function
iree_status_t native_callee_call(const native_callee_t *callee, const iree_vm_function_t *function,
                                 iree_vm_stack_t *stack, iree_byte_span_t arguments,
                                 iree_byte_span_t results);

#endif  // RUNTIME_VM_NATIVE_CALL_H_
