// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types that every instance has: registration, and what only the runtime makes of them.
#ifndef RUNTIME_VM_BUILTIN_TYPES_H_
#define RUNTIME_VM_BUILTIN_TYPES_H_

#include "iree/vm/buffer.h"
#include "iree/vm/instance.h"

iree_status_t iree_vm_buffer_register_type(iree_vm_instance_t *instance);
iree_status_t iree_vm_list_register_type(iree_vm_instance_t *instance);

// A read-only buffer over bytes of a module's file; keeps the module alive.
//   owns:   transfers |out_buffer| to the caller
iree_status_t iree_vm_buffer_create_view(iree_vm_module_t *module, iree_const_byte_span_t data,
                                         iree_allocator_t allocator, iree_vm_buffer_t **out_buffer);

#endif  // RUNTIME_VM_BUILTIN_TYPES_H_
