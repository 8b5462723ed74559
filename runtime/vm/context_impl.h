// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inside of contexts, for invocations: stacks are kept between calls, so that warm calls allocate
// nothing.
#ifndef RUNTIME_VM_CONTEXT_IMPL_H_
#define RUNTIME_VM_CONTEXT_IMPL_H_

#include "iree/vm/context.h"

// Takes the kept stack or makes one; gives one back (empty) to be kept or freed.
iree_status_t iree_vm_context_take_stack(iree_vm_context_t *context,
                                         iree_vm_invocation_flags_t flags,
                                         iree_vm_stack_t **out_stack);
void iree_vm_context_give_stack(iree_vm_context_t *context, iree_vm_stack_t *stack);

#endif  // RUNTIME_VM_CONTEXT_IMPL_H_
