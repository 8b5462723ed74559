// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module object: two tables side by side, names and signatures from abi/hal_imports.def,
// functions from exports.def.
#include "iree/modules/hal/module.h"

#include "abi/version.h"
#include "runtime/modules/create.h"
#include "runtime/modules/hal/exports.h"
#include "runtime/modules/hal/older.h"

// Fences and views in flight.
#define MAX_CACHED_OBJECT_BYTES ((iree_host_size_t)1 << 20)

static const iree_vm_native_export_descriptor_t exports[] = {
#define HAL_IMPORT(name, cconv, version, effect, arguments, results, doc) \
  {.local_name = {name, sizeof(name) - 1}, .calling_convention = {cconv, sizeof(cconv) - 1}},
#define HAL_IMPORT_OLDER(name, cconv) HAL_IMPORT(name, cconv, 0, , , , )
#include "abi/hal_imports.def"
#undef HAL_IMPORT
};

// Ordinals, and the older forms by them.
#define EXPORT(name, arg_types, ret_types) ORDINAL_##name,
#define EXPORT_RAW(name) ORDINAL_##name,
#define EXPORT_OLDER(name, recipe) ORDINAL_##name##_older,
enum {
#include "runtime/modules/hal/exports.def"
};
#undef EXPORT
#undef EXPORT_RAW
#define EXPORT(name, arg_types, ret_types)
#define EXPORT_RAW(name)
#define EXPORT_OLDER(name, recipe) \
  static const hal_older_form_t older_##name = {ORDINAL_##name##_older, ORDINAL_##name, recipe};
#include "runtime/modules/hal/exports.def"
#undef EXPORT
#undef EXPORT_RAW

static const iree_vm_native_function_ptr_t functions[] = {
#define EXPORT(name, arg_types, ret_types)                                                 \
  {.shim = (iree_vm_native_function_shim_t)(void *)iree_vm_shim_##arg_types##_##ret_types, \
   .target = (iree_vm_native_function_target_t)(void *)hal_export_##name},
#define EXPORT_RAW(name) {.shim = hal_export_##name, .target = NULL},
#define EXPORT_OLDER(name, recipe) \
  {.shim = hal_call_older_form,    \
   .target = (iree_vm_native_function_target_t)(void *)(uintptr_t)&older_##name},
#include "runtime/modules/hal/exports.def"
#undef EXPORT
#undef EXPORT_RAW
};
static_assert(IREE_ARRAYSIZE(exports) == IREE_ARRAYSIZE(functions), "the tables go row by row");

const iree_vm_native_module_descriptor_t hal_module_descriptor = {
    .name = {"hal", 3},
    .version = ABI_HAL_MODULE_VERSION,
    .export_count = IREE_ARRAYSIZE(exports),
    .exports = exports,
    .function_count = IREE_ARRAYSIZE(functions),
    .functions = functions,
};

iree_hal_module_device_policy_t iree_hal_module_device_policy_default(void) {
  iree_hal_module_device_policy_t policy = {{NULL, NULL}};
  return policy;
}

static void hal_module_destroy(void *self) {
  hal_module_t *module = (hal_module_t *)self;
  if (module->debug_sink.release.fn) {
    module->debug_sink.release.fn(module->debug_sink.release.user_data);
  }
  iree_hal_device_group_release(module->device_group);
}

// Modules that run everything in the caller have no devices.
static iree_host_size_t device_count_of(const hal_module_t *module) {
  return module->device_group ? iree_hal_device_group_device_count(module->device_group) : 0;
}

iree_status_t hal_module_alloc_state(void *self, iree_allocator_t host_allocator,
                                     iree_vm_module_state_t **out_module_state) {
  *out_module_state = NULL;
  hal_module_t *module = (hal_module_t *)self;
  iree_host_size_t device_count = device_count_of(module);
  hal_module_state_t *state = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_struct_array(host_allocator, sizeof(*state), device_count,
                                         sizeof(state->executable_caches[0]), (void **)&state));
  state->host_allocator = host_allocator;
  state->module = module;
  state->device_count = device_count;
  iree_status_t status = recycler_create(host_allocator, MAX_CACHED_OBJECT_BYTES, &state->recycler);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(host_allocator, state);
    return status;
  }
  state->object_allocator = recycler_allocator(state->recycler);
  *out_module_state = (iree_vm_module_state_t *)state;
  return iree_ok_status();
}

void hal_module_free_state(void *self, iree_vm_module_state_t *module_state) {
  (void)self;
  hal_module_state_t *state = (hal_module_state_t *)module_state;
  for (iree_host_size_t i = 0; i < state->device_count; ++i) {
    iree_hal_executable_cache_release(state->executable_caches[i]);
  }
  recycler_release(state->recycler);
  iree_allocator_free(state->host_allocator, state);
}

// Caches are by device, so a fork starts without any and makes its own.
iree_status_t hal_module_fork_state(void *self, iree_vm_module_state_t *parent_state,
                                    iree_allocator_t host_allocator,
                                    iree_vm_module_state_t **out_child_state) {
  (void)parent_state;
  return hal_module_alloc_state(self, host_allocator, out_child_state);
}

iree_status_t hal_module_notify(void *self, iree_vm_module_state_t *module_state,
                                iree_vm_signal_t signal) {
  hal_module_t *module = (hal_module_t *)self;
  if (signal != IREE_VM_SIGNAL_SUSPEND && signal != IREE_VM_SIGNAL_LOW_MEMORY) {
    return iree_ok_status();
  }
  recycler_trim(((hal_module_state_t *)module_state)->recycler);
  for (iree_host_size_t i = 0; i < device_count_of(module); ++i) {
    IREE_RETURN_IF_ERROR(
        iree_hal_device_trim(iree_hal_device_group_device_at(module->device_group, i)));
  }
  return iree_ok_status();
}

iree_status_t iree_hal_module_create(iree_vm_instance_t *instance,
                                     iree_hal_module_device_policy_t device_policy,
                                     iree_hal_device_group_t *device_group,
                                     iree_hal_module_flags_t flags,
                                     iree_hal_module_debug_sink_t debug_sink,
                                     iree_allocator_t host_allocator,
                                     iree_vm_module_t **out_module) {
  const iree_vm_module_t interface = {.destroy = hal_module_destroy,
                                      .alloc_state = hal_module_alloc_state,
                                      .free_state = hal_module_free_state,
                                      .fork_state = hal_module_fork_state,
                                      .notify = hal_module_notify};
  hal_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(native_module_create(&hal_module_descriptor, interface, sizeof(*module),
                                            instance, host_allocator, (void **)&module,
                                            out_module));
  module->host_allocator = host_allocator;
  module->flags = flags;
  module->device_policy = device_policy;
  module->debug_sink = debug_sink;
  module->device_group = device_group;
  iree_hal_device_group_retain(device_group);
  return iree_ok_status();
}
