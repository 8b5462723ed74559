// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// State of the hal module in a context, and the prototypes of its functions.
#ifndef RUNTIME_MODULES_HAL_EXPORTS_H_
#define RUNTIME_MODULES_HAL_EXPORTS_H_

#include "iree/modules/hal/module.h"
#include "iree/vm/shims.h"
#include "runtime/hal/recycler.h"

// Limits on variadic arguments, which land on the C stack.
#define HAL_MODULE_MAX_RANK 128
#define HAL_MODULE_MAX_VIEWS 128
#define HAL_MODULE_MAX_DEVICES 64
#define HAL_MODULE_MAX_FENCES 4096  // one per result that is allocated, and then some
#define HAL_MODULE_MAX_TABLE 1024  // longer ones, of functions with thousands of arguments, are allocated
#define HAL_MODULE_MAX_BINDINGS 64
#define HAL_MODULE_MAX_CONSTANTS 64

typedef struct hal_module_t {
  iree_allocator_t host_allocator;
  iree_hal_module_flags_t flags;
  iree_hal_module_device_policy_t device_policy;
  iree_hal_module_debug_sink_t debug_sink;
  iree_hal_device_group_t *device_group;  // null: no devices
} hal_module_t;

typedef struct hal_module_state_t {
  iree_allocator_t host_allocator;
  const hal_module_t *module;
  recycler_t *recycler;               // of fences and views
  iree_allocator_t object_allocator;  // the recycler
  iree_host_size_t device_count;
  iree_hal_executable_cache_t *executable_caches[];  // by device, made when first used
} hal_module_state_t;

// State of a context, also of modules whose self starts with a hal_module_t.
iree_status_t hal_module_alloc_state(void *self, iree_allocator_t host_allocator,
                                     iree_vm_module_state_t **out_module_state);
void hal_module_free_state(void *self, iree_vm_module_state_t *module_state);
iree_status_t hal_module_fork_state(void *self, iree_vm_module_state_t *parent_state,
                                    iree_allocator_t host_allocator,
                                    iree_vm_module_state_t **out_child_state);
iree_status_t hal_module_notify(void *self, iree_vm_module_state_t *module_state,
                                iree_vm_signal_t signal);

// What a program passes of an executable; |constants| may be null.
//   owns:   |out_params| borrows all of them
//   errors: INVALID_ARGUMENT  constants that are no words
iree_status_t hal_module_executable_params(iree_vm_buffer_t *format, iree_vm_buffer_t *data,
                                           iree_vm_buffer_t *constants,
                                           iree_hal_executable_params_t *out_params);

#define HAL_EXPORT(name, arg_types, ret_types)                                 \
  iree_status_t hal_export_##name(                                             \
      iree_vm_stack_t *stack, hal_module_t *module, hal_module_state_t *state, \
      const IREE_VM_ABI_TYPE_NAME(arg_types) * args, IREE_VM_ABI_TYPE_NAME(ret_types) * rets)
#define HAL_EXPORT_RAW(name)                                              \
  iree_status_t hal_export_##name(                                        \
      iree_vm_stack_t *stack, iree_vm_native_function_flags_t call_flags, \
      iree_byte_span_t args_storage, iree_byte_span_t rets_storage,       \
      iree_vm_native_function_target_t target_fn, void *module, void *module_state)
// Most functions need their arguments alone.
#define HAL_UNUSED (void)stack, (void)module, (void)state, (void)args, (void)rets

#define EXPORT(name, arg_types, ret_types) HAL_EXPORT(name, arg_types, ret_types);
#define EXPORT_RAW(name) HAL_EXPORT_RAW(name);
#include "runtime/modules/hal/exports.def"
#undef EXPORT
#undef EXPORT_RAW

// Dereferences an argument: returns its status when it is null or of another type.
#define HAL_ARG(T, name, ref)   \
  T##_t *name = T##_deref(ref); \
  if (IREE_UNLIKELY(!name)) IREE_RETURN_IF_ERROR(T##_check_deref(ref, &name))
#define HAL_ARG_OR_NULL(T, name, ref) \
  T##_t *name = T##_deref(ref);       \
  if (IREE_UNLIKELY(!name && (ref).ptr != NULL)) IREE_RETURN_IF_ERROR(T##_check_deref(ref, &name))

#endif  // RUNTIME_MODULES_HAL_EXPORTS_H_
