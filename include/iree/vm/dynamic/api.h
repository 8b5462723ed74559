// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a shared library exports to be a VM module.
//
//   IREE_VM_DYNAMIC_MODULE_EXPORT iree_status_t iree_vm_dynamic_module_create(
//       iree_vm_dynamic_module_version_t max_version, iree_vm_instance_t *instance, ...)
//
// The library has a copy of the runtime of its own: it calls iree_hal_module_resolve_all_types before it
// touches objects of the program that loads it, and unregisters its own types when its module goes.
#ifndef IREE_VM_DYNAMIC_API_H_
#define IREE_VM_DYNAMIC_API_H_

#include "iree/base/api.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Version of the interface of modules.
typedef uint32_t iree_vm_dynamic_module_version_t;
#define IREE_VM_DYNAMIC_MODULE_VERSION_0_1 0x00000001u
#define IREE_VM_DYNAMIC_MODULE_VERSION_LATEST IREE_VM_DYNAMIC_MODULE_VERSION_0_1

// Makes the library's module; UNIMPLEMENTED if it needs a version after |max_version|.
typedef iree_status_t(IREE_API_PTR *iree_vm_dynamic_module_create_fn_t)(
    iree_vm_dynamic_module_version_t max_version, iree_vm_instance_t *instance, iree_host_size_t param_count,
    const iree_string_pair_t *params, iree_allocator_t allocator, iree_vm_module_t **out_module);

// The name under which it is looked for, unless the user gives another one.
#define IREE_VM_DYNAMIC_MODULE_EXPORT_NAME "iree_vm_dynamic_module_create"

#if defined(_WIN32) || defined(__CYGWIN__)
#define IREE_VM_DYNAMIC_MODULE_EXPORT __declspec(dllexport)
#else
#define IREE_VM_DYNAMIC_MODULE_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
}
#endif

#endif  // IREE_VM_DYNAMIC_API_H_
