// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads modules of bytecode alone and, when they pass the verifier, calls their exports.
//
// The build bounds the steps of one invocation (VM_STEP_BUDGET, runtime/vm/stack_impl.h), the allocator
// here the memory that is live at one time. When all is released, no byte may be left.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "iree/base/api.h"
#include "iree/vm/api.h"
#include "iree/vm/bytecode/module.h"
#include "runtime/vm/stack_impl.h"

#if defined(__SANITIZE_ADDRESS__) && !VM_STEP_BUDGET
#error "hostile loops need not end without a step budget (make config=fuzz)"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_LIVE_BYTES (2u << 20)
#define MAX_EXPORTS 16

static iree_status_t capped_ctl(void *self, iree_allocator_command_t command, const void *params,
                                void **inout_ptr) {
  size_t *live = self;
  iree_allocator_t system = iree_allocator_system();
  size_t old = *inout_ptr && command != IREE_ALLOCATOR_COMMAND_MALLOC &&
                       command != IREE_ALLOCATOR_COMMAND_CALLOC
                   ? malloc_usable_size(*inout_ptr)
                   : 0;
  if (command != IREE_ALLOCATOR_COMMAND_FREE) {
    const iree_allocator_alloc_params_t *wanted = params;
    if (wanted->byte_length > MAX_LIVE_BYTES || *live - old + wanted->byte_length > MAX_LIVE_BYTES) {
      return iree_status_from_code(IREE_STATUS_RESOURCE_EXHAUSTED);
    }
  }
  IREE_RETURN_IF_ERROR(system.ctl(system.self, command, params, inout_ptr));
  *live -= old;
  if (command != IREE_ALLOCATOR_COMMAND_FREE) *live += malloc_usable_size(*inout_ptr);
  return iree_ok_status();
}

// Arguments of every export: numbers that reach both sides of most conditions; refs are null.
static iree_status_t push_arguments(iree_string_view_t arguments, int round, iree_vm_list_t *list) {
  static const int64_t integers[] = {7, -1, INT64_MIN};
  static const double floats[] = {1.5, -1e30, 0.0};
  for (iree_host_size_t i = 0; i < arguments.size; ++i) {
    iree_vm_value_t value = iree_vm_value_make_none();
    switch (arguments.data[i]) {
      case 'i': value = iree_vm_value_make_i32((int32_t)integers[round]); break;
      case 'I': value = iree_vm_value_make_i64(integers[round]); break;
      case 'f': value = iree_vm_value_make_f32((float)floats[round]); break;
      case 'F': value = iree_vm_value_make_f64(floats[round]); break;
      default: break;
    }
    iree_vm_ref_t none = iree_vm_ref_null();
    IREE_RETURN_IF_ERROR(arguments.data[i] == 'r' ? iree_vm_list_push_ref_move(list, &none)
                                                  : iree_vm_list_push_value(list, &value));
  }
  return iree_ok_status();
}

static iree_status_t call(iree_vm_context_t *context, iree_vm_function_t function, int round,
                          iree_allocator_t allocator) {
  iree_vm_function_signature_t signature = iree_vm_function_signature(&function);
  iree_string_view_t arguments, results;
  IREE_RETURN_IF_ERROR(iree_vm_function_call_get_cconv_fragments(&signature, &arguments, &results));
  iree_vm_list_t *inputs = NULL, *outputs = NULL;
  iree_status_t status = iree_vm_list_create(iree_vm_make_undefined_type_def(), 4, allocator, &inputs);
  if (iree_status_is_ok(status)) {
    status = iree_vm_list_create(iree_vm_make_undefined_type_def(), 4, allocator, &outputs);
  }
  if (iree_status_is_ok(status)) status = push_arguments(arguments, round, inputs);
  if (iree_status_is_ok(status)) {
    status = iree_vm_invoke(context, function, IREE_VM_INVOCATION_FLAG_NONE, NULL, inputs, outputs, allocator);
  }
  iree_vm_list_release(inputs);
  iree_vm_list_release(outputs);
  return status;
}

static void call_exports(iree_vm_context_t *context, iree_vm_module_t *module, iree_allocator_t allocator) {
  iree_host_size_t count = iree_vm_module_signature(module).export_function_count;
  for (iree_host_size_t i = 0; i < count && i < MAX_EXPORTS; ++i) {
    iree_vm_function_t function;
    iree_status_t status =
        iree_vm_module_lookup_function_by_ordinal(module, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function);
    for (int round = 0; round < 3 && iree_status_is_ok(status); ++round) {
      status = call(context, function, round, allocator);
      if (getenv("FUZZ_VERBOSE")) printf("export %d round %d: %s\n", (int)i, round, iree_status_code_string(iree_status_code(status)));
      iree_status_ignore(status);
      status = iree_ok_status();
    }
    iree_status_ignore(status);
  }
}

static iree_status_t load_and_call(iree_vm_instance_t *instance, iree_const_byte_span_t archive,
                                   iree_allocator_t allocator) {
  iree_vm_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_bytecode_module_create(instance, IREE_VM_BYTECODE_MODULE_FLAG_NONE, archive,
                                                      iree_allocator_null(), allocator, &module));
  iree_vm_context_t *context = NULL;
  iree_status_t status = iree_vm_context_create_with_modules(instance, IREE_VM_CONTEXT_FLAG_NONE, 1, &module,
                                                             allocator, &context);
  if (iree_status_is_ok(status)) call_exports(context, module, allocator);
  iree_vm_context_release(context);
  iree_vm_module_release(module);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t live = 0;
  iree_allocator_t allocator = {&live, capped_ctl};
  iree_vm_instance_t *instance = NULL;
  IREE_CHECK_OK(iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, allocator, &instance));
  void *archive = aligned_alloc(64, (size + 63) / 64 * 64 + 64);
  if (!archive) abort();
  memcpy(archive, data, size);
  iree_status_t status = load_and_call(instance, iree_make_const_byte_span(archive, size), allocator);
  if (getenv("FUZZ_VERBOSE")) printf("%s\n", iree_status_code_string(iree_status_code(status)));
  iree_status_ignore(status);
  iree_vm_instance_release(instance);
  free(archive);
  if (live) {
    fprintf(stderr, "fuzz: %zu bytes are left\n", live);
    abort();
  }
  return 0;
}
