// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// iree_runtime_session_t: a VM context with the hal module of one device.
#include "iree/runtime/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "iree/base/internal/atomics.h"
#include "iree/modules/hal/module.h"
#include "iree/runtime/instance.h"
#include "iree/vm/bytecode/module.h"

struct iree_runtime_session_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t host_allocator;
  iree_runtime_instance_t *instance;
  iree_hal_device_t *device;
  iree_vm_context_t *context;
};

void iree_runtime_session_options_initialize(iree_runtime_session_options_t *out_options) {
  memset(out_options, 0, sizeof(*out_options));
  out_options->context_flags = IREE_VM_CONTEXT_FLAG_NONE;
  out_options->builtin_modules = IREE_RUNTIME_SESSION_BUILTIN_ALL;
}

//===-- lifetime -----------------------------------------------------------------------------===//

static iree_status_t session_append_hal_module(iree_runtime_session_t *session) {
  iree_hal_device_group_t *group = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_device_group_create_from_device(
      session->device, /*frontier_tracker=*/NULL, session->host_allocator, &group));
  iree_vm_module_t *module = NULL;
  iree_status_t status = iree_hal_module_create(
      iree_runtime_instance_vm_instance(session->instance), iree_hal_module_device_policy_default(),
      group, IREE_HAL_MODULE_FLAG_SYNCHRONOUS, iree_hal_module_debug_sink_stdio(stderr),
      session->host_allocator, &module);
  iree_hal_device_group_release(group);
  if (!iree_status_is_ok(status)) return status;
  status = iree_vm_context_register_modules(session->context, 1, &module);
  iree_vm_module_release(module);
  return status;
}

iree_status_t iree_runtime_session_create_with_device(iree_runtime_instance_t *instance,
                                                      const iree_runtime_session_options_t *options,
                                                      iree_hal_device_t *device,
                                                      iree_allocator_t host_allocator,
                                                      iree_runtime_session_t **out_session) {
  *out_session = NULL;
  iree_runtime_session_t *session = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*session), (void **)&session));
  iree_atomic_ref_count_init(&session->ref_count);
  session->host_allocator = host_allocator;
  session->instance = instance;
  iree_runtime_instance_retain(instance);
  session->device = device;
  iree_hal_device_retain(device);
  iree_status_t status =
      iree_vm_context_create(iree_runtime_instance_vm_instance(instance), options->context_flags,
                             host_allocator, &session->context);
  if (iree_status_is_ok(status)) status = session_append_hal_module(session);
  if (iree_status_is_ok(status)) {
    *out_session = session;
  } else {
    iree_runtime_session_release(session);
  }
  return status;
}

void iree_runtime_session_retain(iree_runtime_session_t *session) {
  if (session) iree_atomic_ref_count_inc(&session->ref_count);
}

void iree_runtime_session_release(iree_runtime_session_t *session) {
  if (!session || iree_atomic_ref_count_dec(&session->ref_count) != 1) return;
  iree_vm_context_release(session->context);
  iree_hal_device_release(session->device);
  iree_runtime_instance_release(session->instance);
  iree_allocator_free(session->host_allocator, session);
}

iree_allocator_t iree_runtime_session_host_allocator(const iree_runtime_session_t *session) {
  return session->host_allocator;
}

iree_runtime_instance_t *iree_runtime_session_instance(const iree_runtime_session_t *session) {
  return session->instance;
}

iree_vm_context_t *iree_runtime_session_context(const iree_runtime_session_t *session) {
  return session->context;
}

iree_hal_device_t *iree_runtime_session_device(const iree_runtime_session_t *session) {
  return session->device;
}

iree_hal_allocator_t *iree_runtime_session_device_allocator(const iree_runtime_session_t *session) {
  return iree_hal_device_allocator(session->device);
}

iree_status_t iree_runtime_session_trim(iree_runtime_session_t *session) {
  IREE_RETURN_IF_ERROR(iree_vm_context_notify(session->context, IREE_VM_SIGNAL_LOW_MEMORY));
  return iree_hal_device_trim(session->device);
}

//===-- modules ------------------------------------------------------------------------------===//

iree_status_t iree_runtime_session_append_module(iree_runtime_session_t *session,
                                                 iree_vm_module_t *module) {
  return iree_vm_context_register_modules(session->context, 1, &module);
}

iree_status_t iree_runtime_session_append_bytecode_module_from_memory(
    iree_runtime_session_t *session, iree_const_byte_span_t flatbuffer_data,
    iree_allocator_t flatbuffer_allocator) {
  iree_vm_module_t *module = NULL;
  iree_status_t status = iree_vm_bytecode_module_create(
      iree_runtime_instance_vm_instance(session->instance), IREE_VM_BYTECODE_MODULE_FLAG_NONE,
      flatbuffer_data, flatbuffer_allocator, session->host_allocator, &module);
  if (!iree_status_is_ok(status)) {
    // The data is ours whatever happens.
    iree_allocator_free(flatbuffer_allocator, (void *)(uintptr_t)flatbuffer_data.data);
    return status;
  }
  status = iree_runtime_session_append_module(session, module);
  iree_vm_module_release(module);
  return status;
}

// File contents: a block of its own that is its own allocator, so that the module frees it with the
// data pointer alone. Modules want their bytes at a multiple of 64.
typedef struct file_block_t {
  iree_allocator_t host_allocator;
  uint8_t *data;
} file_block_t;

enum { FILE_ALIGNMENT = 64, FILE_READ_CHUNK = 256 * 1024 };

static iree_status_t file_block_ctl(void *self, iree_allocator_command_t command,
                                    const void *params, void **inout_ptr) {
  (void)params;
  if (command != IREE_ALLOCATOR_COMMAND_FREE) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "file contents can only be freed");
  }
  file_block_t *block = (file_block_t *)self;
  const iree_allocator_t host_allocator = block->host_allocator;
  iree_allocator_free_aligned(host_allocator, block->data);
  iree_allocator_free(host_allocator, block);
  *inout_ptr = NULL;
  return iree_ok_status();
}

static iree_status_t file_block_reserve(file_block_t *block, iree_host_size_t length,
                                        iree_host_size_t capacity) {
  void *data = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_aligned(block->host_allocator, capacity, FILE_ALIGNMENT, 0, &data));
  if (length) memcpy(data, block->data, length);
  iree_allocator_free_aligned(block->host_allocator, block->data);
  block->data = (uint8_t *)data;
  return iree_ok_status();
}

// Reads |file| to its end; works for pipes, whose length nobody knows.
static iree_status_t file_block_fill(file_block_t *block, FILE *file, const char *name,
                                     iree_host_size_t *out_length) {
  iree_host_size_t length = 0, capacity = FILE_READ_CHUNK;
  IREE_RETURN_IF_ERROR(file_block_reserve(block, 0, capacity));
  for (;;) {
    errno = 0;
    const size_t n = fread(block->data + length, 1, capacity - length, file);
    length += n;
    if (ferror(file)) {
      return iree_make_status(iree_status_code_from_errno(errno), "failed to read file '%s': %s",
                              name, strerror(errno));
    }
    if (length < capacity) break;
    if (capacity > IREE_HOST_SIZE_MAX / 2) {
      return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "file '%s' is too large", name);
    }
    capacity *= 2;
    IREE_RETURN_IF_ERROR(file_block_reserve(block, length, capacity));
  }
  *out_length = length;
  return iree_ok_status();
}

static iree_status_t session_append_stream(iree_runtime_session_t *session, FILE *file,
                                           const char *name) {
  file_block_t *block = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(session->host_allocator, sizeof(*block), (void **)&block));
  block->host_allocator = session->host_allocator;
  const iree_allocator_t block_allocator = {block, file_block_ctl};
  iree_host_size_t length = 0;
  iree_status_t status = file_block_fill(block, file, name, &length);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free_aligned(block->host_allocator, block->data);
    iree_allocator_free(block->host_allocator, block);
    return status;
  }
  return iree_status_annotate_f(
      iree_runtime_session_append_bytecode_module_from_memory(
          session, iree_make_const_byte_span(block->data, length), block_allocator),
      "loading bytecode module at '%s'", name);
}

iree_status_t iree_runtime_session_append_bytecode_module_from_file(iree_runtime_session_t *session,
                                                                    const char *file_path) {
  FILE *file = fopen(file_path, "rb");
  if (!file) {
    return iree_make_status(iree_status_code_from_errno(errno), "failed to open file '%s': %s",
                            file_path, strerror(errno));
  }
  iree_status_t status = session_append_stream(session, file, file_path);
  fclose(file);
  return status;
}

iree_status_t iree_runtime_session_append_bytecode_module_from_stdin(
    iree_runtime_session_t *session) {
  return session_append_stream(session, stdin, "<stdin>");
}

//===-- functions ----------------------------------------------------------------------------===//

iree_status_t iree_runtime_session_lookup_function(const iree_runtime_session_t *session,
                                                   iree_string_view_t full_name,
                                                   iree_vm_function_t *out_function) {
  return iree_vm_context_resolve_function(session->context, full_name, out_function);
}

iree_status_t iree_runtime_session_call(iree_runtime_session_t *session,
                                        const iree_vm_function_t *function,
                                        iree_vm_list_t *input_list, iree_vm_list_t *output_list) {
  return iree_vm_invoke(session->context, *function, IREE_VM_INVOCATION_FLAG_NONE, /*policy=*/NULL,
                        input_list, output_list, session->host_allocator);
}

iree_status_t iree_runtime_session_call_by_name(iree_runtime_session_t *session,
                                                iree_string_view_t full_name,
                                                iree_vm_list_t *input_list,
                                                iree_vm_list_t *output_list) {
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(iree_runtime_session_lookup_function(session, full_name, &function));
  return iree_runtime_session_call(session, &function, input_list, output_list);
}

iree_status_t iree_runtime_session_call_direct(iree_runtime_session_t *session,
                                               const iree_vm_function_call_t call) {
  IREE_VM_INLINE_STACK_INITIALIZE(stack, IREE_VM_INVOCATION_FLAG_NONE,
                                  iree_vm_context_state_resolver(session->context),
                                  session->host_allocator);
  iree_vm_module_t *module = call.function.module;
  iree_status_t status = module->begin_call(module->self, stack, call);
  if (iree_status_is_deferred(status)) {
    // The hal module of a session waits in place; only a module of the application can end up here.
    status = iree_status_join(
        iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                         "direct calls cannot be suspended; use iree_runtime_session_call"),
        status);
  }
  if (!iree_status_is_ok(status)) status = iree_vm_stack_annotate_backtrace(stack, status);
  iree_vm_stack_deinitialize(stack);
  return status;
}
