// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context: modules in dependency order, linked together, each with its own state. Contexts are
// independent of each other. One thread at a time unless made CONCURRENT.
#ifndef IREE_VM_CONTEXT_H_
#define IREE_VM_CONTEXT_H_

#include "iree/base/api.h"
#include "iree/vm/instance.h"
#include "iree/vm/module.h"
#include "iree/vm/ref.h"
#include "iree/vm/stack.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_vm_context_t iree_vm_context_t;

typedef uint32_t iree_vm_context_flags_t;
enum iree_vm_context_flag_bits_t {
  IREE_VM_CONTEXT_FLAG_NONE = 0u,
  IREE_VM_CONTEXT_FLAG_TRACE_EXECUTION = 1u << 0,
  IREE_VM_CONTEXT_FLAG_CONCURRENT = 1u << 1,
};
typedef intptr_t iree_vm_context_id_t;

// Creates an empty context that modules are registered with, or one with all of them (then frozen).
//   owns:   transfers |out_context| to the caller; retains instance and modules
//   errors: those of register_modules
IREE_API_EXPORT iree_status_t iree_vm_context_create(iree_vm_instance_t *instance,
                                                     iree_vm_context_flags_t flags,
                                                     iree_allocator_t allocator,
                                                     iree_vm_context_t **out_context);
IREE_API_EXPORT iree_status_t iree_vm_context_create_with_modules(
    iree_vm_instance_t *instance, iree_vm_context_flags_t flags, iree_host_size_t module_count,
    iree_vm_module_t **modules, iree_allocator_t allocator, iree_vm_context_t **out_context);
// A frozen context with the same modules and copies of their states.
//   owns:   transfers |out_child_context| to the caller
//   errors: FAILED_PRECONDITION  the parent is not frozen;  UNIMPLEMENTED  a module cannot fork
IREE_API_EXPORT iree_status_t iree_vm_context_fork(const iree_vm_context_t *parent_context,
                                                   iree_allocator_t allocator,
                                                   iree_vm_context_t **out_child_context);
IREE_API_EXPORT void iree_vm_context_retain(iree_vm_context_t *context);
IREE_API_EXPORT void iree_vm_context_release(iree_vm_context_t *context);

// What the context was made of.
//   owns:   borrowed from |context| until it is released
//   errors: none
IREE_API_EXPORT iree_vm_instance_t *iree_vm_context_instance(const iree_vm_context_t *context);
IREE_API_EXPORT iree_vm_context_id_t iree_vm_context_id(const iree_vm_context_t *context);
IREE_API_EXPORT iree_vm_context_flags_t iree_vm_context_flags(const iree_vm_context_t *context);
IREE_API_EXPORT iree_host_size_t iree_vm_context_module_count(const iree_vm_context_t *context);
IREE_API_EXPORT iree_vm_module_t *iree_vm_context_module_at(const iree_vm_context_t *context,
                                                            iree_host_size_t i);

// Checks dependencies, makes states, resolves imports against the modules before, runs `__init`.
// On failure none of the modules is added.
//   owns:   retains the modules
//   errors: FAILED_PRECONDITION  frozen;  NOT_FOUND  a module or function is missing or too old;
//           INTERNAL  an import's signature differs;  whatever `__init` fails with
IREE_API_EXPORT iree_status_t iree_vm_context_register_modules(iree_vm_context_t *context,
                                                               iree_host_size_t module_count,
                                                               iree_vm_module_t **modules);
IREE_API_EXPORT iree_status_t iree_vm_context_freeze(iree_vm_context_t *context);

// How functions of the context find the state of their module.
//   errors: none
IREE_API_EXPORT iree_vm_state_resolver_t
iree_vm_context_state_resolver(const iree_vm_context_t *context);
//   owns:   |out_module_state| is borrowed from the context
//   errors: NOT_FOUND  the module is not in the context
IREE_API_EXPORT iree_status_t
iree_vm_context_resolve_module_state(const iree_vm_context_t *context, iree_vm_module_t *module,
                                     iree_vm_module_state_t **out_module_state);
// Finds "module.function".
//   errors: NOT_FOUND  no such module or function
IREE_API_EXPORT iree_status_t iree_vm_context_resolve_function(const iree_vm_context_t *context,
                                                               iree_string_view_t full_name,
                                                               iree_vm_function_t *out_function);
// Tells every module; the first failure is returned after all were told.
//   errors: those of the modules
IREE_API_EXPORT iree_status_t iree_vm_context_notify(iree_vm_context_t *context,
                                                     iree_vm_signal_t signal);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_CONTEXT_H_
