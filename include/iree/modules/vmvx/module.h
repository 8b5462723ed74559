// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `vmvx` VM module: loops over two-dimensional strided buffers, and matrix tiles, that kernels
// in VM form call instead of running them instruction by instruction.
#ifndef IREE_MODULES_VMVX_MODULE_H_
#define IREE_MODULES_VMVX_MODULE_H_

#include <stdint.h>

#include "iree/base/api.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes the module.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_vmvx_module_create(iree_vm_instance_t *instance,
                                                      iree_allocator_t host_allocator,
                                                      iree_vm_module_t **out_module);

// Tells a context's state which processor its thread runs on, before it runs workgroups.
//   errors: none
IREE_API_EXPORT void iree_vmvx_module_state_update_workgroup_state(
    iree_vm_module_state_t *module_state, uint32_t processor_id);

#ifdef __cplusplus
}
#endif

#endif  // IREE_MODULES_VMVX_MODULE_H_
