// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hal module in a context with one local-sync device, and calls of its functions as a program
// makes them.
#ifndef RUNTIME_MODULES_HAL_TEST_HAL_ENV_H_
#define RUNTIME_MODULES_HAL_TEST_HAL_ENV_H_

#include "base/test.h"
#include "iree/hal/drivers/init.h"
#include "iree/modules/hal/module.h"

typedef struct fixture_t {
  iree_vm_instance_t *instance;
  iree_hal_device_t *device;
  iree_vm_module_t *module;
  iree_vm_context_t *context;
} fixture_t;

static inline void fixture_open(test_t *test, iree_hal_module_flags_t flags, fixture_t *fixture) {
  iree_allocator_t allocator = iree_allocator_system();
  iree_hal_driver_registry_t *registry = NULL;
  iree_hal_device_group_t *group = NULL;
  EXPECT_OK(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, allocator, &fixture->instance));
  EXPECT_OK(iree_hal_module_register_all_types(fixture->instance));
  EXPECT_OK(iree_hal_driver_registry_allocate(allocator, &registry));
  EXPECT_OK(iree_hal_register_all_available_drivers(registry));
  EXPECT_OK(
      iree_hal_create_device(registry, IREE_SV("local-sync"), NULL, allocator, &fixture->device));
  iree_hal_driver_registry_free(registry);
  EXPECT_OK(iree_hal_device_group_create_from_device(fixture->device, NULL, allocator, &group));
  EXPECT_OK(iree_hal_module_create(fixture->instance, iree_hal_module_device_policy_default(),
                                   group, flags, iree_hal_module_debug_sink_null(), allocator,
                                   &fixture->module));
  iree_hal_device_group_release(group);
  EXPECT_OK(iree_vm_context_create_with_modules(fixture->instance, IREE_VM_CONTEXT_FLAG_NONE, 1,
                                                &fixture->module, allocator, &fixture->context));
}

static inline void fixture_close(fixture_t *fixture) {
  iree_vm_context_release(fixture->context);
  iree_vm_module_release(fixture->module);
  iree_hal_device_release(fixture->device);
  iree_vm_instance_release(fixture->instance);
}

// Calls a function with packed arguments, whose refs stay the caller's.
static inline iree_status_t call(fixture_t *fixture, iree_vm_stack_t *stack, const char *name,
                                 void *args, size_t args_size, void *rets, size_t rets_size) {
  iree_vm_function_call_t request = {
      .arguments = iree_make_byte_span(args, args_size),
      .results = iree_make_byte_span(rets, rets_size),
  };
  IREE_RETURN_IF_ERROR(
      iree_vm_module_lookup_function_by_name(fixture->module, IREE_VM_FUNCTION_LINKAGE_EXPORT,
                                             iree_make_cstring_view(name), &request.function));
  return fixture->module->begin_call(fixture->module->self, stack, request);
}

#define OPEN_STACK(fixture, stack)                                                   \
  IREE_VM_INLINE_STACK_INITIALIZE(stack, IREE_VM_INVOCATION_FLAG_NONE,               \
                                  iree_vm_context_state_resolver((fixture).context), \
                                  iree_allocator_system())

#endif  // RUNTIME_MODULES_HAL_TEST_HAL_ENV_H_
