// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HAL objects as VM reference types.
#ifndef IREE_MODULES_HAL_TYPES_H_
#define IREE_MODULES_HAL_TYPES_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/vm/api.h"

IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_allocator, iree_hal_allocator_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_buffer, iree_hal_buffer_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_buffer_view, iree_hal_buffer_view_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_channel, iree_hal_channel_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_command_buffer, iree_hal_command_buffer_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_device, iree_hal_device_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_executable, iree_hal_executable_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_fence, iree_hal_fence_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_file, iree_hal_file_t);
IREE_VM_DECLARE_TYPE_ADAPTERS(iree_hal_semaphore, iree_hal_semaphore_t);

#ifdef __cplusplus
// vm::ref<iree_hal_buffer_t> and kin work without a registered type, too.
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_allocator, iree_hal_allocator_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_buffer, iree_hal_buffer_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_buffer_view, iree_hal_buffer_view_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_channel, iree_hal_channel_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_command_buffer, iree_hal_command_buffer_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_device, iree_hal_device_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_executable, iree_hal_executable_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_fence, iree_hal_fence_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_file, iree_hal_file_t)
IREE_VM_DECLARE_CC_TYPE_ADAPTERS(iree_hal_semaphore, iree_hal_semaphore_t)
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Registers the HAL types with an instance, once, before modules are loaded.
//   errors: RESOURCE_EXHAUSTED  no room for more types
IREE_API_EXPORT iree_status_t iree_hal_module_register_all_types(iree_vm_instance_t *instance);

// What the modules hal_inline and hal_loader need of it: here all types.
//   errors: RESOURCE_EXHAUSTED  no room for more types;  (resolve) NOT_FOUND  a type is not registered
IREE_API_EXPORT iree_status_t iree_hal_module_register_inline_types(iree_vm_instance_t *instance);
IREE_API_EXPORT iree_status_t iree_hal_module_register_loader_types(iree_vm_instance_t *instance);
IREE_API_EXPORT iree_status_t iree_hal_module_resolve_inline_types(iree_vm_instance_t *instance);
IREE_API_EXPORT iree_status_t iree_hal_module_resolve_loader_types(iree_vm_instance_t *instance);

// Sets this library's own registration variables from |instance|, where another copy of the runtime has
// registered the types: for modules that are loaded as shared libraries.
//   errors: NOT_FOUND  a type is not registered
IREE_API_EXPORT iree_status_t iree_hal_module_resolve_all_types(iree_vm_instance_t *instance);

// HAL objects in lists. Getters give NULL for elements of other types.
//   owns:   _assign borrows from the list until the element changes, _retain transfers a reference to
//           the caller; _set_ retains |value|
//   errors: OUT_OF_RANGE  (_set_) |i| is past the list's size
IREE_API_EXPORT iree_hal_buffer_t *iree_vm_list_get_buffer_assign(const iree_vm_list_t *list, iree_host_size_t i);
IREE_API_EXPORT iree_hal_buffer_t *iree_vm_list_get_buffer_retain(const iree_vm_list_t *list, iree_host_size_t i);
IREE_API_EXPORT iree_status_t iree_vm_list_set_buffer_retain(iree_vm_list_t *list, iree_host_size_t i, iree_hal_buffer_t *value);
IREE_API_EXPORT iree_hal_buffer_view_t *iree_vm_list_get_buffer_view_assign(const iree_vm_list_t *list, iree_host_size_t i);
IREE_API_EXPORT iree_hal_buffer_view_t *iree_vm_list_get_buffer_view_retain(const iree_vm_list_t *list, iree_host_size_t i);
IREE_API_EXPORT iree_status_t iree_vm_list_set_buffer_view_retain(iree_vm_list_t *list, iree_host_size_t i, iree_hal_buffer_view_t *value);
IREE_API_EXPORT iree_hal_fence_t *iree_vm_list_get_fence_assign(const iree_vm_list_t *list, iree_host_size_t i);
IREE_API_EXPORT iree_hal_fence_t *iree_vm_list_get_fence_retain(const iree_vm_list_t *list, iree_host_size_t i);
IREE_API_EXPORT iree_status_t iree_vm_list_set_fence_retain(iree_vm_list_t *list, iree_host_size_t i, iree_hal_fence_t *value);

#ifdef __cplusplus
}
#endif

#endif  // IREE_MODULES_HAL_TYPES_H_
