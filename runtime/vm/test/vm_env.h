// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: an instance, modules and a context in one, over an allocator that counts; values in
// and out as variants.
#ifndef RUNTIME_VM_TEST_VM_ENV_H_
#define RUNTIME_VM_TEST_VM_ENV_H_

#include "iree/vm/api.h"
#include "iree/vm/bytecode/module.h"
#include "runtime/vm/test/vm_asm.h"

#define COUNTING_MAX_BYTES ((iree_host_size_t)64 << 20)
typedef struct counting_allocator_t {
  int64_t live;
  int64_t total;
  int64_t fail_at;  // 1 based ordinal of the allocation that fails; 0: none
} counting_allocator_t;

static inline iree_status_t counting_ctl(void *self, iree_allocator_command_t command,
                                         const void *params, void **inout_ptr) {
  counting_allocator_t *counting = self;
  if (command == IREE_ALLOCATOR_COMMAND_FREE) {
    if (*inout_ptr) --counting->live;
  } else {
    // What hostile sizes ask for; sanitizers would not return NULL.
    if (((const iree_allocator_alloc_params_t *)params)->byte_length > COUNTING_MAX_BYTES) {
      return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "too much for a test");
    }
    if (counting->fail_at && ++counting->total == counting->fail_at) {
      return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "made to fail");
    }
    if (!counting->fail_at) ++counting->total;
    if (command != IREE_ALLOCATOR_COMMAND_REALLOC || !*inout_ptr) ++counting->live;
  }
  return iree_allocator_libc_ctl(NULL, command, params, inout_ptr);
}

typedef struct env_t {
  counting_allocator_t counting;
  iree_allocator_t allocator;
  iree_vm_instance_t *instance;
  iree_vm_module_t *module;
  iree_vm_context_t *context;
  iree_vm_list_t *inputs;
  iree_vm_list_t *outputs;
} env_t;

static inline iree_status_t env_load(env_t *env, iree_const_byte_span_t file,
                                     iree_vm_module_t *native) {
  IREE_RETURN_IF_ERROR(iree_vm_bytecode_module_create(env->instance, 0, file, iree_allocator_null(),
                                                      env->allocator, &env->module));
  iree_vm_module_t *modules[2] = {native, env->module};
  return iree_vm_context_create_with_modules(env->instance, 0, native ? 2 : 1,
                                             native ? modules : modules + 1, env->allocator,
                                             &env->context);
}

static inline void env_init(env_t *env) {
  memset(env, 0, sizeof(*env));
  env->allocator.self = &env->counting;
  env->allocator.ctl = counting_ctl;
  IREE_CHECK_OK(iree_vm_instance_create(0, env->allocator, &env->instance));
  IREE_CHECK_OK(
      iree_vm_list_create(iree_vm_make_variant_type_def(), 16, env->allocator, &env->inputs));
  IREE_CHECK_OK(
      iree_vm_list_create(iree_vm_make_variant_type_def(), 16, env->allocator, &env->outputs));
}

// Releases all; what still lives is a leak.
static inline int64_t env_deinit(env_t *env) {
  iree_vm_list_release(env->inputs);
  iree_vm_list_release(env->outputs);
  iree_vm_context_release(env->context);
  iree_vm_module_release(env->module);
  iree_vm_instance_release(env->instance);
  return env->counting.live;
}

static inline iree_status_t env_call(env_t *env, const char *name) {
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_name(
      env->module, IREE_VM_FUNCTION_LINKAGE_EXPORT, iree_make_cstring_view(name), &function));
  return iree_vm_invoke(env->context, function, 0, NULL, env->inputs, env->outputs, env->allocator);
}

static inline void env_push(env_t *env, iree_vm_value_t value) {
  IREE_CHECK_OK(iree_vm_list_push_value(env->inputs, &value));
}
static inline void env_i32(env_t *env, int32_t value) {
  env_push(env, iree_vm_value_make_i32(value));
}
static inline void env_i64(env_t *env, int64_t value) {
  env_push(env, iree_vm_value_make_i64(value));
}

static inline iree_vm_value_t env_out(env_t *env, iree_host_size_t i) {
  iree_vm_variant_t variant = iree_vm_variant_empty();
  iree_status_ignore(iree_vm_list_get_variant_assign(env->outputs, i, &variant));
  return iree_vm_variant_value(variant);
}

#endif  // RUNTIME_VM_TEST_VM_ENV_H_
