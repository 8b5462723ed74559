// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// VM modules in shared libraries.
#ifndef IREE_VM_DYNAMIC_MODULE_H_
#define IREE_VM_DYNAMIC_MODULE_H_

#include "iree/base/api.h"
#include "iree/vm/api.h"
#include "iree/vm/dynamic/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Loads the library at |path| and makes its module by the function |export_name|
// (empty: IREE_VM_DYNAMIC_MODULE_EXPORT_NAME), which gets |params|. The library stays loaded for the life
// of the process: its types may be known longer than its module. It runs with the rights of the process,
// so load only what you trust.
//   owns:   transfers |out_module| to the caller
//   errors: NOT_FOUND           no such library, or it has no such function
//           RESOURCE_EXHAUSTED  no memory
//           UNKNOWN             or others, as the function returns them
IREE_API_EXPORT iree_status_t iree_vm_dynamic_module_load_from_file(
    iree_vm_instance_t *instance, iree_string_view_t path, iree_string_view_t export_name,
    iree_host_size_t param_count, const iree_string_pair_t *params, iree_allocator_t allocator,
    iree_vm_module_t **out_module);

#ifdef __cplusplus
}
#endif

#endif  // IREE_VM_DYNAMIC_MODULE_H_
