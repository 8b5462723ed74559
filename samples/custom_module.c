// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives samples/custom_module.mlir the function `app.scale`: `custom_module custom_module.vmfb`.
// Compile the program with --iree-execution-model=host-only: it needs no device.
//
//   module     a table of functions, shared by all contexts     state     what each context has of its own
#include <stdio.h>

#include "iree/io/file_contents.h"
#include "iree/vm/api.h"
#include "iree/vm/bytecode/module.h"

// ---- the module `app`

typedef struct app_state_t {
  iree_allocator_t allocator;
  int32_t factor;  // grows with each call
} app_state_t;

// One argument, one result, both i32: the shim iree_vm_shim_i_i packs and unpacks them.
IREE_VM_ABI_EXPORT(app_scale, app_state_t, i, i) {
  (void)stack, (void)module;
  rets->i0 = args->i0 * state->factor++;
  return iree_ok_status();
}

static const iree_vm_native_export_descriptor_t app_exports[] = {
    {{"scale", 5}, {"0i_i", 4}, 0, NULL},
};
static const iree_vm_native_function_ptr_t app_functions[] = {
    {iree_vm_shim_i_i, (iree_vm_native_function_target_t)app_scale},
};
static const iree_vm_native_module_descriptor_t app_descriptor = {
    .name = {"app", 3},
    .export_count = 1,
    .exports = app_exports,
    .function_count = 1,
    .functions = app_functions,
};

static iree_status_t app_alloc_state(void *self, iree_allocator_t allocator, iree_vm_module_state_t **out_state) {
  (void)self;
  app_state_t *state = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, sizeof(*state), (void **)&state));
  state->allocator = allocator;
  state->factor = 2;
  *out_state = (iree_vm_module_state_t *)state;
  return iree_ok_status();
}
static void app_free_state(void *self, iree_vm_module_state_t *state) {
  (void)self;
  iree_allocator_free(((app_state_t *)state)->allocator, state);
}

static iree_status_t create_app(iree_vm_instance_t *instance, iree_vm_module_t **out_module) {
  iree_vm_module_t interface;
  IREE_RETURN_IF_ERROR(iree_vm_module_initialize(&interface, NULL));
  interface.alloc_state = app_alloc_state;
  interface.free_state = app_free_state;
  return iree_vm_native_module_create(&interface, &app_descriptor, instance, iree_vm_instance_allocator(instance), out_module);
}

// ---- the program

static iree_status_t load_program(iree_vm_instance_t *instance, const char *path, iree_vm_module_t **out_module) {
  iree_allocator_t allocator = iree_vm_instance_allocator(instance);
  iree_io_file_contents_t *contents = NULL;
  IREE_RETURN_IF_ERROR(iree_io_file_contents_read(iree_make_cstring_view(path), allocator, &contents));
  iree_status_t status =
      iree_vm_bytecode_module_create(instance, IREE_VM_BYTECODE_MODULE_FLAG_NONE, contents->const_buffer,
                                     iree_io_file_contents_deallocator(contents), allocator, out_module);
  if (!iree_status_is_ok(status)) iree_io_file_contents_free(contents);
  return status;
}

static iree_status_t call_main(iree_vm_context_t *context, int32_t x, int32_t *out_result) {
  iree_allocator_t allocator = iree_allocator_system();
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(iree_vm_context_resolve_function(context, iree_make_cstring_view("module.main"), &function));
  iree_vm_list_t *inputs = NULL, *outputs = NULL;
  iree_vm_value_t value = iree_vm_value_make_i32(x), result = iree_vm_value_make_i32(0);
  iree_status_t status = iree_vm_list_create(iree_vm_make_undefined_type_def(), 1, allocator, &inputs);
  if (iree_status_is_ok(status)) status = iree_vm_list_create(iree_vm_make_undefined_type_def(), 1, allocator, &outputs);
  if (iree_status_is_ok(status)) status = iree_vm_list_push_value(inputs, &value);
  if (iree_status_is_ok(status))
    status = iree_vm_invoke(context, function, IREE_VM_INVOCATION_FLAG_NONE, NULL, inputs, outputs, allocator);
  if (iree_status_is_ok(status)) status = iree_vm_list_get_value_as(outputs, 0, IREE_VM_VALUE_TYPE_I32, &result);
  *out_result = result.i32;
  iree_vm_list_release(outputs);
  iree_vm_list_release(inputs);
  return status;
}

static iree_status_t run(const char *path) {
  iree_vm_instance_t *instance = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, iree_allocator_system(), &instance));
  // The application's module comes first: later ones import from those before them.
  iree_vm_module_t *modules[2] = {NULL, NULL};
  iree_vm_context_t *context = NULL;
  int32_t result = 0;
  iree_status_t status = create_app(instance, &modules[0]);
  if (iree_status_is_ok(status)) status = load_program(instance, path, &modules[1]);
  if (iree_status_is_ok(status))
    status = iree_vm_context_create_with_modules(instance, IREE_VM_CONTEXT_FLAG_NONE, 2, modules, iree_allocator_system(), &context);
  if (iree_status_is_ok(status)) status = call_main(context, 7, &result);
  if (iree_status_is_ok(status)) printf("7 * 2 * 3 = %d\n", (int)result);
  iree_vm_context_release(context);
  iree_vm_module_release(modules[1]);
  iree_vm_module_release(modules[0]);
  iree_vm_instance_release(instance);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s custom_module.vmfb\n", argv[0]);
    return 1;
  }
  iree_status_t status = run(argv[1]);
  if (iree_status_is_ok(status)) return 0;
  iree_status_fprint(stderr, status);
  iree_status_ignore(status);
  return 1;
}
