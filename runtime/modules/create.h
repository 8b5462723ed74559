// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native modules in one block: the module object and, behind it, what its functions get as
// |module|.
#ifndef RUNTIME_MODULES_CREATE_H_
#define RUNTIME_MODULES_CREATE_H_

#include "base/port.h"
#include "iree/vm/native_module.h"

// Makes a module whose functions get a zeroed block of |self_bytes|, 16-aligned. |interface| says
// what else it does; its self is filled in, and destroy is only for what the block holds.
//   owns:   transfers ownership to the caller; |out_self| is borrowed from the module
//   errors: RESOURCE_EXHAUSTED  no host memory
SHARED_INTERNALLY iree_status_t native_module_create(const iree_vm_native_module_descriptor_t *descriptor,
                                   iree_vm_module_t interface, iree_host_size_t self_bytes,
                                   iree_vm_instance_t *instance, iree_allocator_t host_allocator,
                                   void **out_self, iree_vm_module_t **out_module);

#endif  // RUNTIME_MODULES_CREATE_H_
