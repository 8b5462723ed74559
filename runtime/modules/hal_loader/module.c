// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hal_loader module: a dispatch runs all of its workgroups before the call returns.
#include "iree/modules/hal/loader/module.h"

#include "runtime/hal/local/executable.h"
#include "runtime/loaders/loader.h"
#include "runtime/modules/create.h"
#include "runtime/modules/hal/arguments.h"
#include "runtime/modules/hal/exports.h"
#include "runtime/task/float_mode.h"

typedef struct loader_module_t {
  hal_module_t base;  // without devices
  iree_host_size_t loader_count;
  iree_hal_executable_loader_t *loaders[];
} loader_module_t;

//===-- loading -------------------------------------------------------------------------------===//

static iree_status_t executable_query_support(iree_vm_stack_t *stack, loader_module_t *module,
                                              hal_module_state_t *state,
                                              const iree_vm_abi_r_t *args, iree_vm_abi_i_t *rets) {
  (void)stack, (void)state;
  HAL_ARG(iree_vm_buffer, format, args->r0);
  rets->i0 = iree_hal_query_any_executable_loader_support(module->loader_count, module->loaders, 0,
                                                          iree_vm_buffer_as_string(format));
  return iree_ok_status();
}

static iree_status_t executable_load(iree_vm_stack_t *stack, loader_module_t *module,
                                     hal_module_state_t *state, const iree_vm_abi_rrr_t *args,
                                     iree_vm_abi_r_t *rets) {
  (void)stack, (void)state;
  HAL_ARG(iree_vm_buffer, format, args->r0);
  HAL_ARG(iree_vm_buffer, data, args->r1);
  HAL_ARG_OR_NULL(iree_vm_buffer, constants, args->r2);
  iree_hal_executable_params_t params;
  IREE_RETURN_IF_ERROR(hal_module_executable_params(format, data, constants, &params));
  iree_hal_executable_t *executable = NULL;
  IREE_RETURN_IF_ERROR(
      loaders_load(module->loader_count, module->loaders, &params, 1, &executable));
  rets->r0 = iree_hal_executable_move_ref(executable);
  return iree_ok_status();
}

//===-- dispatch ------------------------------------------------------------------------------===//

// `rIiii` before the groups, and one tuple of `CrIID`.
typedef struct dispatch_head_t {
  iree_vm_ref_t executable;
  int64_t function;
  int32_t count_x, count_y, count_z;
} dispatch_head_t;
typedef struct packed_binding_t {
  iree_vm_ref_t buffer;
  int64_t offset;
  int64_t length;
} packed_binding_t;
static_assert(sizeof(void *) != 8 || sizeof(packed_binding_t) == 32, "tuples are packed");

typedef struct dispatch_t {
  local_executable_t *executable;
  uint32_t function;
  uint64_t read_only;
  iree_hal_executable_dispatch_state_v0_t state;
  void *pointers[HAL_MODULE_MAX_BINDINGS];
  size_t lengths[HAL_MODULE_MAX_BINDINGS];
} dispatch_t;

static iree_status_t take_function(const dispatch_head_t *head, dispatch_t *dispatch) {
  HAL_ARG(iree_hal_executable, executable, head->executable);
  IREE_RETURN_IF_ERROR(local_executable_cast(executable, &dispatch->executable));
  iree_hal_executable_function_t function =
      iree_hal_executable_function_from_value((uint64_t)head->function);
  uint32_t count = dispatch->executable->library->exports.count;
  if (!iree_hal_executable_function_is_index_in_range(function, count)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "no function %" PRIu64 " among %u",
                            function.value, count);
  }
  dispatch->function = iree_hal_executable_function_index(function);
  dispatch->read_only = 0;
  if ((uint32_t)head->count_z > UINT16_MAX) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "workgroup count z is at most 65535, %u was given",
                            (uint32_t)head->count_z);
  }
  return iree_ok_status();
}

// Programs pass what is read only, too. Kernels in VM form are held to it.
static iree_status_t take_bindings(argument_reader_t *reader, dispatch_t *dispatch) {
  uint32_t count = 0;
  const void *packed = NULL;
  IREE_RETURN_IF_ERROR(argument_take_count(reader, HAL_MODULE_MAX_BINDINGS, "bindings", &count));
  IREE_RETURN_IF_ERROR(argument_take(reader, 8, count * sizeof(packed_binding_t), &packed));
  for (uint32_t i = 0; i < count; ++i) {
    packed_binding_t binding;
    memcpy(&binding, (const packed_binding_t *)packed + i, sizeof(binding));
    HAL_ARG(iree_vm_buffer, buffer, binding.buffer);
    iree_const_byte_span_t span;
    IREE_RETURN_IF_ERROR(iree_vm_buffer_map_ro(buffer, (iree_host_size_t)binding.offset,
                                               (iree_host_size_t)binding.length, 1, &span));
    bool is_writable = buffer->access & IREE_VM_BUFFER_ACCESS_MUTABLE;
    dispatch->read_only |= (uint64_t)!is_writable << i;
    dispatch->pointers[i] = (void *)(uintptr_t)span.data;
    dispatch->lengths[i] = span.data_length;
  }
  dispatch->state.binding_count = (uint8_t)count;
  return iree_ok_status();
}

static iree_status_t check_counts(const dispatch_t *dispatch) {
  const iree_hal_executable_dispatch_attrs_v0_t *attrs =
      &dispatch->executable->library->exports.attrs[dispatch->function];
  if (attrs->constant_count == dispatch->state.constant_count &&
      attrs->binding_count == dispatch->state.binding_count) {
    return iree_ok_status();
  }
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT, "'%s' takes %u constants and %u bindings, %u and %u were given",
      local_executable_export_name(dispatch->executable, dispatch->function), attrs->constant_count,
      attrs->binding_count, dispatch->state.constant_count, dispatch->state.binding_count);
}

static iree_status_t take_dispatch(iree_byte_span_t storage, dispatch_t *dispatch) {
  argument_reader_t reader = {storage.data, storage.data_length, 0};
  const void *ptr = NULL;
  IREE_RETURN_IF_ERROR(argument_take(&reader, 8, offsetof(dispatch_head_t, count_z) + 4, &ptr));
  const dispatch_head_t *head = (const dispatch_head_t *)ptr;
  IREE_RETURN_IF_ERROR(take_function(head, dispatch));
  uint32_t constant_count = 0;
  IREE_RETURN_IF_ERROR(
      argument_take_count(&reader, HAL_MODULE_MAX_CONSTANTS, "constants", &constant_count));
  IREE_RETURN_IF_ERROR(argument_take(&reader, 4, constant_count * sizeof(uint32_t), &ptr));
  const iree_hal_executable_dispatch_attrs_v0_t *attrs =
      &dispatch->executable->library->exports.attrs[dispatch->function];
  dispatch->state = (iree_hal_executable_dispatch_state_v0_t){
      .workgroup_size_x = iree_max(attrs->workgroup_size_x, 1u),
      .workgroup_size_y = iree_max(attrs->workgroup_size_y, 1u),
      .workgroup_size_z = (uint16_t)iree_max((uint32_t)attrs->workgroup_size_z, 1u),
      .constant_count = (uint16_t)constant_count,
      .workgroup_count_x = (uint32_t)head->count_x,
      .workgroup_count_y = (uint32_t)head->count_y,
      .workgroup_count_z = (uint16_t)head->count_z,
      .max_concurrency = 1,
      .constants = (const uint32_t *)ptr,
      .binding_ptrs = dispatch->pointers,
      .binding_lengths = dispatch->lengths,
  };
  IREE_RETURN_IF_ERROR(take_bindings(&reader, dispatch));
  return check_counts(dispatch);
}

static iree_status_t executable_dispatch(iree_vm_stack_t *stack,
                                         iree_vm_native_function_flags_t flags,
                                         iree_byte_span_t args_storage,
                                         iree_byte_span_t rets_storage,
                                         iree_vm_native_function_target_t target_fn, void *module,
                                         void *module_state) {
  (void)stack, (void)flags, (void)rets_storage, (void)target_fn, (void)module;
  hal_module_state_t *state = (hal_module_state_t *)module_state;
  dispatch_t dispatch;
  IREE_RETURN_IF_ERROR(take_dispatch(args_storage, &dispatch));
  workgroup_range_t range = {
      .function = dispatch.function, .dispatch = &dispatch.state, .read_only = dispatch.read_only};
  uint64_t plane = (uint64_t)dispatch.state.workgroup_count_x * dispatch.state.workgroup_count_y;
  if (!iree_device_size_checked_mul(plane, dispatch.state.workgroup_count_z, &range.end)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "workgroup counts overflow");
  }
  if (!range.end) return iree_ok_status();
  range.workgroup.local_memory_size =
      (uint32_t)dispatch.executable->library->exports.attrs[dispatch.function].local_memory_pages *
      IREE_HAL_EXECUTABLE_WORKGROUP_LOCAL_MEMORY_PAGE_SIZE;
  if (range.workgroup.local_memory_size) {
    IREE_RETURN_IF_ERROR(iree_allocator_malloc_aligned(state->object_allocator,
                                                       range.workgroup.local_memory_size, 64, 0,
                                                       &range.workgroup.local_memory));
  }
  uint64_t float_mode = float_mode_enter();
  iree_status_t status = dispatch.executable->run(dispatch.executable, &range);
  float_mode_leave(float_mode);
  iree_allocator_free_aligned(state->object_allocator, range.workgroup.local_memory);
  return status;
}

//===-- module --------------------------------------------------------------------------------===//

static const iree_vm_native_export_descriptor_t exports[] = {
#define LOADER_EXPORT(name, convention, shim, target) \
  {.local_name = {name, sizeof(name) - 1},            \
   .calling_convention = {convention, sizeof(convention) - 1}},
#include "runtime/modules/hal_loader/exports.def"
#undef LOADER_EXPORT
};

static const iree_vm_native_function_ptr_t functions[] = {
#define LOADER_EXPORT(name, convention, shim, target) \
  {shim, (iree_vm_native_function_target_t)(void *)target},
#include "runtime/modules/hal_loader/exports.def"
#undef LOADER_EXPORT
};

static const iree_vm_native_module_descriptor_t descriptor = {
    .name = {"hal_loader", 10},
    .version = 1,
    .export_count = IREE_ARRAYSIZE(exports),
    .exports = exports,
    .function_count = IREE_ARRAYSIZE(functions),
    .functions = functions,
};

static void loader_module_destroy(void *self) {
  loader_module_t *module = (loader_module_t *)self;
  for (iree_host_size_t i = 0; i < module->loader_count; ++i) {
    iree_hal_executable_loader_release(module->loaders[i]);
  }
}

iree_status_t iree_hal_loader_module_create(iree_vm_instance_t *instance,
                                            iree_hal_loader_module_flags_t flags,
                                            iree_host_size_t loader_count,
                                            iree_hal_executable_loader_t **loaders,
                                            iree_allocator_t host_allocator,
                                            iree_vm_module_t **out_module) {
  (void)flags;
  *out_module = NULL;
  const iree_vm_module_t interface = {.destroy = loader_module_destroy,
                                      .alloc_state = hal_module_alloc_state,
                                      .free_state = hal_module_free_state,
                                      .fork_state = hal_module_fork_state,
                                      .notify = hal_module_notify};
  loader_module_t *module = NULL;
  iree_host_size_t bytes = 0;
  if (!iree_host_size_checked_mul_add(sizeof(*module), loader_count, sizeof(module->loaders[0]),
                                      &bytes)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "%zu loaders", loader_count);
  }
  IREE_RETURN_IF_ERROR(native_module_create(&descriptor, interface, bytes, instance, host_allocator,
                                            (void **)&module, out_module));
  module->base.host_allocator = host_allocator;
  for (; module->loader_count < loader_count; ++module->loader_count) {
    module->loaders[module->loader_count] = loaders[module->loader_count];
    iree_hal_executable_loader_retain(loaders[module->loader_count]);
  }
  return iree_ok_status();
}
