// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules written in C: static tables of exports and functions, and an optional partial interface
// for state and dependencies. The descriptor is borrowed for as long as the module lives.
#ifndef IREE_VM_NATIVE_MODULE_H_
#define IREE_VM_NATIVE_MODULE_H_

#include "iree/base/api.h"
#include "iree/vm/instance.h"
#include "iree/vm/module.h"
#include "iree/vm/stack.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t iree_vm_native_import_flags_t;
enum iree_vm_native_import_flag_bits_e {
  IREE_VM_NATIVE_IMPORT_REQUIRED = 1u << 0,
  IREE_VM_NATIVE_IMPORT_OPTIONAL = 1u << 1,
};

typedef struct iree_vm_native_import_descriptor_t {
  iree_vm_native_import_flags_t flags;
  iree_string_view_t full_name;
} iree_vm_native_import_descriptor_t;

typedef struct iree_vm_native_export_descriptor_t {
  iree_string_view_t local_name;
  iree_string_view_t calling_convention;
  iree_host_size_t attr_count;
  const iree_string_pair_t *attrs;
} iree_vm_native_export_descriptor_t;

// A function of whatever type its shim knows it to have.
typedef void (*iree_vm_native_function_target_t)(void);

typedef uint32_t iree_vm_native_function_flags_t;
enum iree_vm_native_function_flag_bits_t {
  IREE_VM_NATIVE_FUNCTION_CALL_BEGIN = 1u << 0,
  IREE_VM_NATIVE_FUNCTION_CALL_RESUME = 1u << 1,  // |args_storage| is empty
};

// Unpacks arguments for |target_fn|, calls it and packs results; one per signature (shims.h).
typedef iree_status_t (*iree_vm_native_function_shim_t)(iree_vm_stack_t *stack,
                                                        iree_vm_native_function_flags_t flags,
                                                        iree_byte_span_t args_storage,
                                                        iree_byte_span_t rets_storage,
                                                        iree_vm_native_function_target_t target_fn,
                                                        void *module, void *module_state);

typedef struct iree_vm_native_function_ptr_t {
  iree_vm_native_function_shim_t shim;
  iree_vm_native_function_target_t target;
} iree_vm_native_function_ptr_t;

typedef struct iree_vm_native_module_descriptor_t {
  iree_string_view_t name;
  uint32_t version;
  iree_host_size_t attr_count;
  const iree_string_pair_t *attrs;
  iree_host_size_t dependency_count;
  const iree_vm_module_dependency_t *dependencies;
  iree_host_size_t import_count;
  const iree_vm_native_import_descriptor_t *imports;
  iree_host_size_t export_count;
  const iree_vm_native_export_descriptor_t *exports;  // sorted by name
  iree_host_size_t function_count;                    // equal to export_count
  const iree_vm_native_function_ptr_t *functions;
} iree_vm_native_module_descriptor_t;

// Bytes before user data in storage given to iree_vm_native_module_initialize.
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_vm_native_module_size(void);
// Creates a module. Functions set in |module_interface| replace the defaults and get its |self|;
// the call functions and the lookups stay those of the tables.
//   owns:   transfers |out_module| to the caller; destroying it calls |module_interface|'s destroy.
//           On failure |module_interface|'s self stays the caller's.
//   errors: INVALID_ARGUMENT  tables do not match;  RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_vm_native_module_create(
    const iree_vm_module_t *module_interface,
    const iree_vm_native_module_descriptor_t *module_descriptor, iree_vm_instance_t *instance,
    iree_allocator_t allocator, iree_vm_module_t **out_module);
// The same in caller storage of iree_vm_native_module_size() bytes (plus user data behind it),
// which is freed with |allocator| when the module is destroyed.
//   errors: as above
IREE_API_EXPORT iree_status_t iree_vm_native_module_initialize(
    const iree_vm_module_t *module_interface,
    const iree_vm_native_module_descriptor_t *module_descriptor, iree_vm_instance_t *instance,
    iree_allocator_t allocator, iree_vm_module_t *module);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_NATIVE_MODULE_H_
