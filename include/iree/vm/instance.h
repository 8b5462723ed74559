// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An instance: the ref types that contexts and modules share. Thread-safe.
#ifndef IREE_VM_INSTANCE_H_
#define IREE_VM_INSTANCE_H_

#include "iree/base/api.h"
#include "iree/vm/ref.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IREE_VM_TYPE_CAPACITY_DEFAULT 32

// Creates an instance with the built-in types (vm.buffer, vm.list) registered.
//   owns:   transfers |out_instance| to the caller
//   errors: RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_vm_instance_create(iree_host_size_t type_capacity,
                                                      iree_allocator_t allocator,
                                                      iree_vm_instance_t **out_instance);
IREE_API_EXPORT void iree_vm_instance_retain(iree_vm_instance_t *instance);
IREE_API_EXPORT void iree_vm_instance_release(iree_vm_instance_t *instance);
IREE_API_EXPORT iree_allocator_t iree_vm_instance_allocator(iree_vm_instance_t *instance);

// Registers a type; registering the same descriptor again counts, another of the same name fails.
//   owns:   |descriptor| is borrowed until unregistered
//   errors: ALREADY_EXISTS  the name belongs to another descriptor;
//           RESOURCE_EXHAUSTED  the instance's type capacity is used up
IREE_API_EXPORT iree_status_t iree_vm_instance_register_type(
    iree_vm_instance_t *instance, const iree_vm_ref_type_descriptor_t *descriptor,
    iree_vm_ref_type_t *out_registration);
IREE_API_EXPORT void iree_vm_instance_unregister_type(
    iree_vm_instance_t *instance, const iree_vm_ref_type_descriptor_t *descriptor);
// The type of that name (without `!`), or null.
//   errors: none
IREE_API_EXPORT iree_vm_ref_type_t iree_vm_instance_lookup_type(iree_vm_instance_t *instance,
                                                                iree_string_view_t full_name);
// Tells |sink| of every call of a function and an import in the contexts of |instance|; NULL tells
// nobody. Set it before the first call; without one a call pays for a null check.
//   owns:   |sink| is borrowed until the instance and what was made in it are gone
//   errors: none
IREE_API_EXPORT void iree_vm_instance_set_trace_sink(iree_vm_instance_t *instance,
                                                     const iree_trace_sink_t *sink);
//   owns:   borrowed from the one who set it
//   errors: none
IREE_API_EXPORT const iree_trace_sink_t *iree_vm_instance_trace_sink(
    const iree_vm_instance_t *instance);

// Sets this library's own registration variables from |instance|; a no-op when linked statically.
//   errors: none
IREE_API_EXPORT iree_status_t iree_vm_resolve_builtin_types(iree_vm_instance_t *instance);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_INSTANCE_H_
