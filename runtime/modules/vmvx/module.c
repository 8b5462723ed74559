// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module object over the table of exports.def.
#include "iree/modules/vmvx/module.h"

#include "runtime/modules/create.h"
#include "runtime/modules/vmvx/exports.h"

static const iree_vm_native_export_descriptor_t exports[] = {
#define VMVX_EXPORT(name, arguments, results, shim, target) \
  {.local_name = {name, sizeof(name) - 1},                  \
   .calling_convention = {"0" arguments "_" results, sizeof(arguments results) + 1}},
#include "runtime/modules/vmvx/exports.def"
#undef VMVX_EXPORT
};

static const iree_vm_native_function_ptr_t functions[] = {
#define VMVX_EXPORT(name, arguments, results, shim, target) \
  {shim, (iree_vm_native_function_target_t)(void *)target},
#include "runtime/modules/vmvx/exports.def"
#undef VMVX_EXPORT
};

static const iree_vm_native_module_descriptor_t descriptor = {
    .name = {"vmvx", 4},
    .version = 0,
    .export_count = IREE_ARRAYSIZE(exports),
    .exports = exports,
    .function_count = IREE_ARRAYSIZE(functions),
    .functions = functions,
};

iree_status_t iree_vmvx_module_create(iree_vm_instance_t *instance, iree_allocator_t host_allocator,
                                      iree_vm_module_t **out_module) {
  const iree_vm_module_t interface = {0};
  vmvx_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(native_module_create(&descriptor, interface, sizeof(*module), instance,
                                            host_allocator, (void **)&module, out_module));
  processor_query(&module->processor);
  return iree_ok_status();
}

// No function of this module depends on where its caller runs.
void iree_vmvx_module_state_update_workgroup_state(iree_vm_module_state_t *module_state,
                                                   uint32_t processor_id) {
  (void)module_state, (void)processor_id;
}
