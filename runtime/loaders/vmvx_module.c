// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader of kernels in VM form: the data is a module file whose exports are the functions.
//
//   executable -> workers (idle list), each: context {vmvx, user modules, kernels}, stack, buffers
//
// A thread takes a worker for the workgroups that it runs and gives it back; there are as many as
// threads have run at once, so after warm-up nothing is allocated. Kernels see device memory as
// buffer objects of the worker that are empty between uses: one that a kernel keeps shows nothing.
#include "iree/hal/local/loaders/vmvx_module_loader.h"

#include <stdatomic.h>

#include "abi/version.h"
#include "iree/modules/vmvx/module.h"
#include "iree/vm/bytecode/module.h"
#include "runtime/hal/local/executable.h"
#include "runtime/loaders/loader.h"

#define ENTRY_CONVENTION "0rrriiiiiiiii_v"
#define NO_ENTRY UINT16_MAX

//===-- loader --------------------------------------------------------------------------------===//

typedef struct vmvx_loader_t {
  iree_hal_executable_loader_t base;
  iree_allocator_t host_allocator;
  iree_vm_instance_t *instance;
  iree_host_size_t module_count;  // vmvx first, then the user's
  iree_vm_module_t *modules[];
} vmvx_loader_t;

static void vmvx_loader_destroy(iree_hal_executable_loader_t *base) {
  vmvx_loader_t *loader = (vmvx_loader_t *)base;
  for (iree_host_size_t i = 0; i < loader->module_count; ++i) {
    iree_vm_module_release(loader->modules[i]);
  }
  iree_vm_instance_release(loader->instance);
  iree_allocator_free(loader->host_allocator, loader);
}

//===-- workers -------------------------------------------------------------------------------===//

typedef struct vmvx_worker_t {
  struct vmvx_worker_t *next;
  iree_vm_context_t *context;
  iree_vm_stack_t *stack;
  iree_vm_list_t *bindings;
  iree_host_size_t buffer_count;
  iree_vm_buffer_t *buffers[];  // local memory, constants, bindings
} vmvx_worker_t;

enum { BUFFER_LOCAL_MEMORY, BUFFER_CONSTANTS, BUFFER_BINDINGS };

typedef struct vmvx_executable_t {
  local_executable_t base;
  vmvx_loader_t *loader;
  iree_vm_module_t *kernels;
  iree_hal_executable_library_v0_t library;
  iree_host_size_t max_binding_count;
  iree_host_size_t constant_count;
  uint32_t *constants;
  uint16_t *entries;  // by export; NO_ENTRY: not a kernel
  atomic_flag lock;
  vmvx_worker_t *idle;
} vmvx_executable_t;

static void worker_free(const vmvx_executable_t *executable, vmvx_worker_t *worker) {
  if (!worker) return;
  iree_vm_stack_free(worker->stack);
  iree_vm_list_release(worker->bindings);
  for (iree_host_size_t i = 0; i < worker->buffer_count; ++i) {
    iree_vm_buffer_release(worker->buffers[i]);
  }
  iree_vm_context_release(worker->context);
  iree_allocator_free(executable->base.host_allocator, worker);
}

// Hands the executable's constants to a function that keeps what it needs of them.
static iree_status_t set_constants(vmvx_executable_t *executable, vmvx_worker_t *worker) {
  iree_vm_function_t function;
  iree_status_t status = iree_vm_module_lookup_function_by_name(
      executable->kernels, IREE_VM_FUNCTION_LINKAGE_EXPORT, IREE_SV("__set_constants"), &function);
  bool is_there = iree_status_is_ok(status);
  if (!is_there && !iree_status_is_not_found(status)) return status;
  iree_status_ignore(status);
  if (is_there != (executable->constant_count > 0)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            is_there ? "executable takes constants but none were given"
                                     : "executable takes no constants but %zu were given",
                            executable->constant_count);
  }
  if (!is_there) return iree_ok_status();
  iree_vm_buffer_t *buffer = worker->buffers[BUFFER_CONSTANTS];
  buffer->data =
      iree_make_byte_span(executable->constants, executable->constant_count * sizeof(uint32_t));
  iree_vm_list_t *inputs = NULL;
  status = iree_vm_list_create(iree_vm_make_variant_type_def(), 1, executable->base.host_allocator,
                               &inputs);
  if (iree_status_is_ok(status)) {
    iree_vm_ref_t ref = iree_vm_buffer_retain_ref(buffer);
    status = iree_vm_list_push_ref_move(inputs, &ref);
    if (!iree_status_is_ok(status)) iree_vm_ref_release(&ref);
  }
  if (iree_status_is_ok(status)) {
    status = iree_vm_invoke(worker->context, function, IREE_VM_INVOCATION_FLAG_NONE, NULL, inputs,
                            NULL, executable->base.host_allocator);
  }
  iree_vm_list_release(inputs);
  buffer->data = iree_byte_span_empty();
  return status;
}

static iree_status_t worker_create_buffers(vmvx_executable_t *executable, vmvx_worker_t *worker) {
  iree_host_size_t count = BUFFER_BINDINGS + executable->max_binding_count;
  for (; worker->buffer_count < count; ++worker->buffer_count) {
    iree_vm_buffer_access_t access = IREE_VM_BUFFER_ACCESS_ORIGIN_HOST;
    if (worker->buffer_count != BUFFER_CONSTANTS) access |= IREE_VM_BUFFER_ACCESS_MUTABLE;
    IREE_RETURN_IF_ERROR(iree_vm_buffer_create(access, 0, 0, executable->base.host_allocator,
                                               &worker->buffers[worker->buffer_count]));
  }
  return iree_vm_list_create(iree_vm_make_ref_type_def(iree_vm_buffer_type()),
                             executable->max_binding_count, executable->base.host_allocator,
                             &worker->bindings);
}

static iree_status_t worker_create_context(vmvx_executable_t *executable, vmvx_worker_t *worker) {
  vmvx_loader_t *loader = executable->loader;
  iree_allocator_t host_allocator = executable->base.host_allocator;
  IREE_RETURN_IF_ERROR(iree_vm_context_create(loader->instance, IREE_VM_CONTEXT_FLAG_NONE,
                                              host_allocator, &worker->context));
  IREE_RETURN_IF_ERROR(
      iree_vm_context_register_modules(worker->context, loader->module_count, loader->modules));
  IREE_RETURN_IF_ERROR(iree_vm_context_register_modules(worker->context, 1, &executable->kernels));
  IREE_RETURN_IF_ERROR(iree_vm_context_freeze(worker->context));
  return iree_vm_stack_allocate(IREE_VM_INVOCATION_FLAG_NONE,
                                iree_vm_context_state_resolver(worker->context), host_allocator,
                                &worker->stack);
}

static iree_status_t worker_create(vmvx_executable_t *executable, vmvx_worker_t **out_worker) {
  *out_worker = NULL;
  vmvx_worker_t *worker = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_struct_array(executable->base.host_allocator, sizeof(*worker),
                                         BUFFER_BINDINGS + executable->max_binding_count,
                                         sizeof(worker->buffers[0]), (void **)&worker));
  iree_status_t status = worker_create_context(executable, worker);
  if (iree_status_is_ok(status)) status = worker_create_buffers(executable, worker);
  if (iree_status_is_ok(status)) status = set_constants(executable, worker);
  if (!iree_status_is_ok(status)) {
    worker_free(executable, worker);
    return status;
  }
  *out_worker = worker;
  return iree_ok_status();
}

// The lock is held for a pointer swap.
static void executable_lock(vmvx_executable_t *executable) {
  while (atomic_flag_test_and_set_explicit(&executable->lock, memory_order_acquire)) {
  }
}
static void executable_unlock(vmvx_executable_t *executable) {
  atomic_flag_clear_explicit(&executable->lock, memory_order_release);
}

static iree_status_t worker_take(vmvx_executable_t *executable, vmvx_worker_t **out_worker) {
  executable_lock(executable);
  *out_worker = executable->idle;
  if (*out_worker) executable->idle = (*out_worker)->next;
  executable_unlock(executable);
  return *out_worker ? iree_ok_status() : worker_create(executable, out_worker);
}

static void worker_give(vmvx_executable_t *executable, vmvx_worker_t *worker) {
  executable_lock(executable);
  worker->next = executable->idle;
  executable->idle = worker;
  executable_unlock(executable);
}

//===-- running -------------------------------------------------------------------------------===//

// The arguments of an entry, packed; areas of arguments are multiples of 16 bytes.
typedef struct entry_arguments_t {
  iree_alignas(16) iree_vm_ref_t local_memory;
  iree_vm_ref_t constants, bindings;
  uint32_t workgroup_id[3];
  uint32_t workgroup_size[3];
  uint32_t workgroup_count[3];
} entry_arguments_t;

static iree_status_t worker_bind(vmvx_worker_t *worker, const workgroup_range_t *range) {
  const iree_hal_executable_dispatch_state_v0_t *dispatch = range->dispatch;
  if (IREE_UNLIKELY(BUFFER_BINDINGS + (iree_host_size_t)dispatch->binding_count >
                    worker->buffer_count)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%u bindings are too many",
                            dispatch->binding_count);
  }
  worker->buffers[BUFFER_LOCAL_MEMORY]->data =
      iree_make_byte_span(range->workgroup.local_memory, range->workgroup.local_memory_size);
  worker->buffers[BUFFER_CONSTANTS]->data = iree_make_byte_span(
      (void *)(uintptr_t)dispatch->constants, dispatch->constant_count * sizeof(uint32_t));
  IREE_RETURN_IF_ERROR(iree_vm_list_resize(worker->bindings, dispatch->binding_count));
  for (iree_host_size_t i = 0; i < dispatch->binding_count; ++i) {
    iree_vm_buffer_t *buffer = worker->buffers[BUFFER_BINDINGS + i];
    buffer->data = iree_make_byte_span(dispatch->binding_ptrs[i], dispatch->binding_lengths[i]);
    buffer->access = IREE_VM_BUFFER_ACCESS_ORIGIN_HOST;
    if (!(range->read_only >> i & 1)) buffer->access |= IREE_VM_BUFFER_ACCESS_MUTABLE;
    iree_vm_ref_t ref = {.type = iree_vm_buffer_type(), .ptr = buffer};
    IREE_RETURN_IF_ERROR(iree_vm_list_set_ref_retain(worker->bindings, i, &ref));
  }
  return iree_ok_status();
}

static iree_status_t run_entry(vmvx_executable_t *executable, vmvx_worker_t *worker,
                               const workgroup_range_t *range) {
  const iree_hal_executable_dispatch_state_v0_t *dispatch = range->dispatch;
  IREE_RETURN_IF_ERROR(worker_bind(worker, range));
  entry_arguments_t arguments = {
      {.type = iree_vm_buffer_type(), .ptr = worker->buffers[BUFFER_LOCAL_MEMORY]},
      {.type = iree_vm_buffer_type(), .ptr = worker->buffers[BUFFER_CONSTANTS]},
      {.type = iree_vm_list_type(), .ptr = worker->bindings},
      {0, 0, 0},
      {dispatch->workgroup_size_x, dispatch->workgroup_size_y, dispatch->workgroup_size_z},
      {dispatch->workgroup_count_x, dispatch->workgroup_count_y, dispatch->workgroup_count_z},
  };
  iree_vm_function_call_t call = {
      .function = {.module = executable->kernels,
                   .linkage = IREE_VM_FUNCTION_LINKAGE_EXPORT,
                   .ordinal = executable->entries[range->function]},
      .arguments = iree_make_byte_span(&arguments, sizeof(arguments)),
  };
  workgroup_cursor_t at = workgroup_cursor_at(dispatch, range->begin);
  for (uint64_t i = range->begin; i < range->end; ++i) {
    arguments.workgroup_id[0] = (uint32_t)at.x;
    arguments.workgroup_id[1] = (uint32_t)at.y;
    arguments.workgroup_id[2] = (uint32_t)at.z;
    iree_status_t status =
        executable->kernels->begin_call(executable->kernels->self, worker->stack, call);
    if (iree_status_is_deferred(status)) {
      iree_status_ignore(status);
      status = iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "kernels cannot wait");
    }
    if (IREE_UNLIKELY(!iree_status_is_ok(status))) {
      status = iree_vm_stack_annotate_backtrace(worker->stack, status);
      iree_vm_stack_reset(worker->stack);
      return iree_status_annotate_f(status, "in '%s', workgroup %" PRIu64 ",%" PRIu64 ",%" PRIu64,
                                    executable->library.exports.names[range->function], at.x, at.y,
                                    at.z);
    }
    workgroup_cursor_advance(&at);
  }
  return iree_ok_status();
}

static iree_status_t vmvx_run(local_executable_t *base, const workgroup_range_t *range) {
  vmvx_executable_t *executable = (vmvx_executable_t *)base;
  if (IREE_UNLIKELY(executable->entries[range->function] == NO_ENTRY)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "'%s' is not a kernel",
                            executable->library.exports.names[range->function]);
  }
  vmvx_worker_t *worker = NULL;
  IREE_RETURN_IF_ERROR(worker_take(executable, &worker));
  iree_status_t status = run_entry(executable, worker, range);
  for (iree_host_size_t i = 0; i < worker->buffer_count; ++i) {
    worker->buffers[i]->data = iree_byte_span_empty();
  }
  worker_give(executable, worker);
  return status;
}

//===-- loading -------------------------------------------------------------------------------===//

static void vmvx_release(void *self) {
  vmvx_executable_t *executable = (vmvx_executable_t *)self;
  while (executable->idle) {
    vmvx_worker_t *worker = executable->idle;
    executable->idle = worker->next;
    worker_free(executable, worker);
  }
  iree_vm_module_release(executable->kernels);
  iree_hal_executable_loader_release(&executable->loader->base);
}

// A number among a function's attributes; 0 when it is not there.
static iree_status_t count_attribute(const iree_vm_function_t *function, const char *key,
                                     uint32_t max, uint32_t *out_value) {
  *out_value = 0;
  iree_string_view_t text =
      iree_vm_function_lookup_attr_by_name(function, iree_make_cstring_view(key));
  if (iree_string_view_is_empty(text)) return iree_ok_status();
  if (iree_string_view_atoi_uint32(text, out_value) && *out_value <= max) return iree_ok_status();
  iree_string_view_t name = iree_vm_function_name(function);
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT, "attribute %s=%.*s of kernel '%.*s' is not a number up to %u",
      key, (int)iree_min(text.size, (iree_host_size_t)64), text.data, IREE_SV_ARGS(name), max);
}

static iree_status_t describe_entry(const iree_vm_function_t *function,
                                    iree_hal_executable_dispatch_attrs_v0_t *out_attrs) {
  const uint32_t page = IREE_HAL_EXECUTABLE_WORKGROUP_LOCAL_MEMORY_PAGE_SIZE;
  uint32_t constant_count = 0, binding_count = 0, local_memory = 0;
  IREE_RETURN_IF_ERROR(count_attribute(function, "constant_count",
                                       IREE_HAL_EXECUTABLE_MAX_CONSTANT_COUNT, &constant_count));
  IREE_RETURN_IF_ERROR(count_attribute(function, "binding_count",
                                       IREE_HAL_EXECUTABLE_MAX_BINDING_COUNT, &binding_count));
  IREE_RETURN_IF_ERROR(count_attribute(function, "local_memory", UINT16_MAX * page, &local_memory));
  out_attrs->constant_count = (uint8_t)constant_count;
  out_attrs->binding_count = (uint8_t)binding_count;
  out_attrs->local_memory_pages = (uint16_t)((local_memory + page - 1) / page);
  return iree_ok_status();
}

// Kernels are told by their form; what else there is must be the loader's own (__set_constants).
static iree_status_t find_entry(vmvx_executable_t *executable, iree_host_size_t i,
                                iree_hal_executable_dispatch_attrs_v0_t *attrs) {
  iree_vm_function_t function;
  IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_ordinal(
      executable->kernels, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function));
  executable->entries[i] = NO_ENTRY;
  iree_string_view_t name = iree_vm_function_name(&function);
  iree_string_view_t convention = iree_vm_function_signature(&function).calling_convention;
  if (!iree_string_view_equal(convention, IREE_SV(ENTRY_CONVENTION))) {
    if (iree_string_view_starts_with(name, IREE_SV("__"))) return iree_ok_status();
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "kernel '%.*s' has the calling convention '%.*s', it must be '%s'",
                            IREE_SV_ARGS(name), IREE_SV_ARGS(convention), ENTRY_CONVENTION);
  }
  executable->entries[i] = function.ordinal;
  IREE_RETURN_IF_ERROR(describe_entry(&function, attrs));
  executable->max_binding_count =
      iree_max(executable->max_binding_count, (iree_host_size_t)attrs->binding_count);
  return iree_ok_status();
}

// Bytes of all names, each with its NUL.
static iree_status_t measure_names(const iree_vm_module_t *kernels, iree_host_size_t count,
                                   iree_host_size_t *out_bytes) {
  *out_bytes = 0;
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_vm_function_t function;
    IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_ordinal(
        kernels, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function));
    *out_bytes += iree_vm_function_name(&function).size + 1;
  }
  return iree_ok_status();
}

static iree_status_t fill_tables(vmvx_executable_t *executable, iree_host_size_t count,
                                 iree_hal_executable_dispatch_attrs_v0_t *attrs, const char **names,
                                 char *text) {
  for (iree_host_size_t i = 0; i < count; ++i) {
    iree_vm_function_t function;
    IREE_RETURN_IF_ERROR(iree_vm_module_lookup_function_by_ordinal(
        executable->kernels, IREE_VM_FUNCTION_LINKAGE_EXPORT, i, &function));
    iree_string_view_t name = iree_vm_function_name(&function);
    names[i] = text;
    memcpy(text, name.data, name.size);
    text += name.size + 1;
    IREE_RETURN_IF_ERROR(find_entry(executable, i, &attrs[i]));
  }
  return iree_ok_status();
}

// Makes the executable over loaded kernels; takes ownership of |kernels|, also when it fails.
static iree_status_t executable_create(vmvx_loader_t *loader, iree_vm_module_t *kernels,
                                       const iree_hal_executable_params_t *params,
                                       iree_hal_executable_t **out_executable) {
  iree_host_size_t count = iree_vm_module_signature(kernels).export_function_count;
  iree_host_size_t name_bytes = 0;
  vmvx_executable_t *executable = NULL;
  // One block: the object, attributes, names' addresses, constants, entries, names.
  iree_hal_executable_dispatch_attrs_v0_t *attrs = NULL;
  iree_status_t status = measure_names(kernels, count, &name_bytes);
  if (iree_status_is_ok(status)) {
    status = iree_allocator_malloc_with_trailing(
        loader->host_allocator, sizeof(*executable),
        count * (sizeof(*attrs) + sizeof(char *) + sizeof(uint16_t)) +
            params->constant_count * sizeof(uint32_t) + name_bytes,
        (void **)&executable);
  }
  if (!iree_status_is_ok(status)) {
    iree_vm_module_release(kernels);
    return status;
  }
  attrs = (iree_hal_executable_dispatch_attrs_v0_t *)(void *)(executable + 1);
  const char **names = (const char **)(void *)(attrs + count);
  executable->constants = (uint32_t *)(void *)(names + count);
  executable->entries = (uint16_t *)(void *)(executable->constants + params->constant_count);
  executable->library.exports.count = (uint32_t)count;
  executable->library.exports.attrs = attrs;
  executable->library.exports.names = names;
  local_executable_initialize(vmvx_run, &executable->library,
                              (library_release_t){vmvx_release, executable}, loader->host_allocator,
                              &executable->base);
  executable->base.checks_access = true;
  atomic_flag_clear(&executable->lock);
  executable->loader = loader;
  iree_hal_executable_loader_retain(&loader->base);
  executable->kernels = kernels;
  executable->constant_count = params->constant_count;
  if (params->constant_count) {
    memcpy(executable->constants, params->constants, params->constant_count * sizeof(uint32_t));
  }
  status = fill_tables(executable, count, attrs, names, (char *)(executable->entries + count));
  // The first worker shows whether the kernels link and take the constants.
  vmvx_worker_t *worker = NULL;
  if (iree_status_is_ok(status)) status = worker_create(executable, &worker);
  if (iree_status_is_ok(status)) {
    worker_give(executable, worker);
    *out_executable = (iree_hal_executable_t *)executable;
  } else {
    iree_hal_executable_release((iree_hal_executable_t *)executable);
  }
  return status;
}

static bool vmvx_supports(iree_hal_executable_loader_t *base,
                          iree_hal_executable_caching_mode_t caching_mode,
                          iree_string_view_t format) {
  (void)base, (void)caching_mode;
  return iree_string_view_equal(format, IREE_SV("vmvx-bytecode-fb"));
}

static iree_status_t vmvx_infer_format(iree_hal_executable_loader_t *base,
                                       iree_hal_executable_caching_mode_t caching_mode,
                                       iree_const_byte_span_t data, iree_host_size_t capacity,
                                       char *out_format, iree_host_size_t *out_length) {
  (void)base, (void)caching_mode;
  uint32_t features = 0;
  iree_status_t status = iree_vm_bytecode_module_query_required_features(data, &features);
  if (!iree_status_is_ok(status)) {
    iree_status_ignore(status);
    return iree_make_status(IREE_STATUS_INCOMPATIBLE, "not a VM module file");
  }
  return loader_write_format("vmvx-bytecode-fb", "", data.data_length, capacity, out_format,
                             out_length);
}

// A copy of a file in memory of its own: files are laid out for 64-byte blocks, which data inside
// of another file need not keep, and that file may be gone first.
typedef struct file_copy_t {
  iree_allocator_t allocator;
  iree_alignas(ABI_ARCHIVE_ALIGNMENT) uint8_t data[];
} file_copy_t;

static iree_status_t file_copy_free(void *self, iree_allocator_command_t command,
                                    const void *params, void **inout_ptr) {
  (void)params, (void)inout_ptr;
  if (command != IREE_ALLOCATOR_COMMAND_FREE) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "a copy of a file can only be freed");
  }
  file_copy_t *copy = (file_copy_t *)self;
  iree_allocator_free_aligned(copy->allocator, copy);
  return iree_ok_status();
}

static iree_status_t file_copy_create(iree_const_byte_span_t data, iree_allocator_t allocator,
                                      file_copy_t **out_copy) {
  *out_copy = NULL;
  iree_host_size_t bytes = 0;
  if (!iree_host_size_checked_add(sizeof(file_copy_t), data.data_length, &bytes)) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "%zu bytes of kernels",
                            data.data_length);
  }
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_aligned(allocator, bytes, ABI_ARCHIVE_ALIGNMENT, 0, (void **)out_copy));
  (*out_copy)->allocator = allocator;
  if (data.data_length) memcpy((*out_copy)->data, data.data, data.data_length);
  return iree_ok_status();
}

static iree_status_t vmvx_load(iree_hal_executable_loader_t *base,
                               const iree_hal_executable_params_t *params,
                               iree_host_size_t worker_capacity,
                               iree_hal_executable_t **out_executable) {
  (void)worker_capacity;
  vmvx_loader_t *loader = (vmvx_loader_t *)base;
  file_copy_t *copy = NULL;
  IREE_RETURN_IF_ERROR(file_copy_create(params->executable_data, loader->host_allocator, &copy));
  iree_vm_module_t *kernels = NULL;
  iree_status_t status = iree_vm_bytecode_module_create(
      loader->instance, IREE_VM_BYTECODE_MODULE_FLAG_NONE,
      iree_make_const_byte_span(copy->data, params->executable_data.data_length),
      (iree_allocator_t){copy, file_copy_free}, loader->host_allocator, &kernels);
  if (iree_status_is_ok(status)) {
    status = executable_create(loader, kernels, params, out_executable);
  } else {
    iree_allocator_free_aligned(loader->host_allocator, copy);
  }
  return iree_status_annotate(status, IREE_SV("loading kernels in VM form"));
}

static const iree_hal_executable_loader_vtable_t vmvx_vtable = {
    .destroy = vmvx_loader_destroy,
    .infer_format = vmvx_infer_format,
    .query_support = vmvx_supports,
    .try_load = vmvx_load,
};

iree_status_t iree_hal_vmvx_module_loader_create(
    iree_vm_instance_t *instance, iree_host_size_t user_module_count,
    iree_vm_module_t **user_modules, iree_allocator_t host_allocator,
    iree_hal_executable_loader_t **out_executable_loader) {
  *out_executable_loader = NULL;
  vmvx_loader_t *loader = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_struct_array(host_allocator, sizeof(*loader), user_module_count + 1,
                                         sizeof(loader->modules[0]), (void **)&loader));
  iree_hal_executable_loader_initialize(&vmvx_vtable, iree_hal_executable_import_provider_null(),
                                        &loader->base);
  loader->host_allocator = host_allocator;
  loader->instance = instance;
  iree_vm_instance_retain(instance);
  iree_status_t status = iree_vmvx_module_create(instance, host_allocator, &loader->modules[0]);
  if (!iree_status_is_ok(status)) {
    iree_hal_executable_loader_release(&loader->base);
    return status;
  }
  for (loader->module_count = 1; loader->module_count <= user_module_count;
       ++loader->module_count) {
    loader->modules[loader->module_count] = user_modules[loader->module_count - 1];
    iree_vm_module_retain(user_modules[loader->module_count - 1]);
  }
  *out_executable_loader = &loader->base;
  return iree_ok_status();
}

iree_status_t iree_hal_vmvx_module_loader_create_isolated(
    iree_host_size_t user_module_count, iree_vm_module_t **user_modules,
    iree_allocator_t host_allocator, iree_hal_executable_loader_t **out_executable_loader) {
  *out_executable_loader = NULL;
  iree_vm_instance_t *instance = NULL;
  IREE_RETURN_IF_ERROR(
      iree_vm_instance_create(IREE_VM_TYPE_CAPACITY_DEFAULT, host_allocator, &instance));
  iree_status_t status = iree_hal_vmvx_module_loader_create(
      instance, user_module_count, user_modules, host_allocator, out_executable_loader);
  iree_vm_instance_release(instance);
  return status;
}
