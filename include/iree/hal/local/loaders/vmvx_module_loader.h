// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of "vmvx-bytecode-fb": kernels that are VM modules themselves, run by the interpreter
// with the functions of the `vmvx` module.
#ifndef IREE_HAL_LOCAL_LOADERS_VMVX_MODULE_LOADER_H_
#define IREE_HAL_LOCAL_LOADERS_VMVX_MODULE_LOADER_H_

#include <stdbool.h>
#include <stdint.h>

#include "iree/base/api.h"
#include "iree/hal/local/executable_loader.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes the loader over |instance|. Kernels may import from |user_modules|, too.
//   owns:   transfers ownership to the caller; retains |instance| and |user_modules|
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t
iree_hal_vmvx_module_loader_create(iree_vm_instance_t *instance, iree_host_size_t user_module_count,
                                   iree_vm_module_t **user_modules, iree_allocator_t host_allocator,
                                   iree_hal_executable_loader_t **out_executable_loader);

// The same with an instance of the loader's own.
//   owns:   transfers ownership to the caller; retains |user_modules|
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_vmvx_module_loader_create_isolated(
    iree_host_size_t user_module_count, iree_vm_module_t **user_modules,
    iree_allocator_t host_allocator, iree_hal_executable_loader_t **out_executable_loader);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_LOADERS_VMVX_MODULE_LOADER_H_
