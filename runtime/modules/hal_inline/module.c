// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hal_inline module: device buffers whose storage the program reads and writes itself.
#include "iree/modules/hal/inline/module.h"

#include "runtime/hal/local/processor.h"
#include "runtime/modules/create.h"
#include "runtime/modules/hal/exports.h"

typedef struct inline_module_t {
  hal_module_t base;  // without devices
  iree_hal_allocator_t *device_allocator;
  iree_hal_processor_v0_t processor;
} inline_module_t;

//===-- storage -------------------------------------------------------------------------------===//

// A view of a device buffer's memory as a buffer of the VM; releases the device buffer at the end.
typedef struct inline_storage_t {
  iree_vm_buffer_t vm_buffer;  // first: the VM frees by its address
  iree_allocator_t host_allocator;
  iree_hal_buffer_mapping_t mapping;
  iree_hal_buffer_t *buffer;
} inline_storage_t;

static iree_status_t storage_free(void *self, iree_allocator_command_t command, const void *params,
                                  void **inout_ptr) {
  (void)params;
  if (command != IREE_ALLOCATOR_COMMAND_FREE) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "storage can only be freed");
  }
  inline_storage_t *storage = (inline_storage_t *)self;
  iree_allocator_t host_allocator = storage->host_allocator;
  iree_status_t status = iree_hal_buffer_unmap_range(&storage->mapping);
  iree_hal_buffer_release(storage->buffer);
  iree_allocator_free(host_allocator, *inout_ptr);
  return status;
}

static iree_status_t storage_create(iree_hal_buffer_t *buffer, iree_allocator_t host_allocator,
                                    iree_vm_buffer_t **out_buffer) {
  *out_buffer = NULL;
  inline_storage_t *storage = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_aligned(
      host_allocator, sizeof(*storage), iree_alignof(inline_storage_t), 0, (void **)&storage));
  iree_status_t status =
      iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED, IREE_HAL_MEMORY_ACCESS_ANY, 0,
                                IREE_HAL_WHOLE_BUFFER, &storage->mapping);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free_aligned(host_allocator, storage);
    return status;
  }
  storage->host_allocator = host_allocator;
  storage->buffer = buffer;
  iree_hal_buffer_retain(buffer);
  iree_vm_buffer_access_t access = IREE_VM_BUFFER_ACCESS_ORIGIN_HOST;
  if (iree_all_bits_set(iree_hal_buffer_allowed_access(buffer), IREE_HAL_MEMORY_ACCESS_WRITE)) {
    access |= IREE_VM_BUFFER_ACCESS_MUTABLE;
  }
  iree_vm_buffer_initialize(access, storage->mapping.contents,
                            (iree_allocator_t){storage, storage_free}, &storage->vm_buffer);
  *out_buffer = &storage->vm_buffer;
  return iree_ok_status();
}

//===-- buffers -------------------------------------------------------------------------------===//

#define INLINE_UNUSED (void)stack, (void)module, (void)state, (void)args, (void)rets
#define INLINE_FUNCTION(name, arg_types, ret_types)                               \
  static iree_status_t hal_inline_##name(                                         \
      iree_vm_stack_t *stack, inline_module_t *module, hal_module_state_t *state, \
      const IREE_VM_ABI_TYPE_NAME(arg_types) * args, IREE_VM_ABI_TYPE_NAME(ret_types) * rets)

static iree_status_t allocate(const inline_module_t *module, hal_module_state_t *state,
                              int32_t minimum_alignment, iree_device_size_t length,
                              iree_const_byte_span_t data, iree_vm_abi_rr_t *rets) {
  iree_hal_buffer_params_t params = {
      .usage = IREE_HAL_BUFFER_USAGE_TRANSFER | IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE |
               IREE_HAL_BUFFER_USAGE_MAPPING,
      .access = IREE_HAL_MEMORY_ACCESS_ALL,
      .type = IREE_HAL_MEMORY_TYPE_OPTIMAL_FOR_HOST,
      .min_alignment = (iree_device_size_t)(uint32_t)minimum_alignment,
  };
  iree_hal_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_allocator_allocate_buffer(module->device_allocator, params, length, &buffer));
  iree_vm_buffer_t *storage = NULL;
  iree_status_t status = storage_create(buffer, state->object_allocator, &storage);
  if (!iree_status_is_ok(status)) {
    iree_hal_buffer_release(buffer);
    return status;
  }
  if (data.data_length) memcpy(iree_vm_buffer_data(storage), data.data, data.data_length);
  rets->r0 = iree_hal_buffer_move_ref(buffer);
  rets->r1 = iree_vm_buffer_move_ref(storage);
  return iree_ok_status();
}

INLINE_FUNCTION(buffer_allocate, iI, rr) {
  INLINE_UNUSED;
  return allocate(module, state, args->i0, (iree_device_size_t)args->i1,
                  iree_const_byte_span_empty(), rets);
}

INLINE_FUNCTION(buffer_allocate_initialized, irII, rr) {
  INLINE_UNUSED;
  HAL_ARG(iree_vm_buffer, source, args->r1);
  iree_const_byte_span_t data;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_map_ro(source, (iree_host_size_t)args->i2,
                                             (iree_host_size_t)args->i3, 1, &data));
  return allocate(module, state, args->i0, data.data_length, data, rets);
}

INLINE_FUNCTION(buffer_storage, r, r) {
  INLINE_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r0);
  iree_vm_buffer_t *storage = NULL;
  IREE_RETURN_IF_ERROR(storage_create(buffer, state->object_allocator, &storage));
  rets->r0 = iree_vm_buffer_move_ref(storage);
  return iree_ok_status();
}

static void release_wrapped(void *self, iree_hal_buffer_t *buffer) {
  (void)buffer;
  iree_vm_buffer_release((iree_vm_buffer_t *)self);
}

INLINE_FUNCTION(buffer_wrap, rII, r) {
  INLINE_UNUSED;
  HAL_ARG(iree_vm_buffer, source, args->r0);
  iree_const_byte_span_t span;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_map_ro(source, (iree_host_size_t)args->i1,
                                             (iree_host_size_t)args->i2, 1, &span));
  bool is_mutable = source->access & IREE_VM_BUFFER_ACCESS_MUTABLE;
  iree_hal_buffer_params_t params = {
      .usage = IREE_HAL_BUFFER_USAGE_TRANSFER | IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE |
               IREE_HAL_BUFFER_USAGE_MAPPING,
      .access = is_mutable ? IREE_HAL_MEMORY_ACCESS_ALL : IREE_HAL_MEMORY_ACCESS_READ,
      .type = IREE_HAL_MEMORY_TYPE_OPTIMAL_FOR_HOST,
  };
  iree_hal_external_buffer_t external = {
      .type = IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION,
      .size = span.data_length,
      .handle.host_allocation.ptr = (void *)(uintptr_t)span.data,
  };
  iree_hal_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_allocator_import_buffer(
      module->device_allocator, params, &external,
      (iree_hal_buffer_release_callback_t){release_wrapped, source}, &buffer));
  iree_vm_buffer_retain(source);
  rets->r0 = iree_hal_buffer_move_ref(buffer);
  return iree_ok_status();
}

// What a program can ask without a device: features of the processor.
INLINE_FUNCTION(device_query_i64, rr, iI) {
  INLINE_UNUSED;
  HAL_ARG(iree_vm_buffer, category, args->r0);
  HAL_ARG(iree_vm_buffer, key, args->r1);
  bool is_present = false;
  if (iree_string_view_equal(iree_vm_buffer_as_string(category), IREE_SV("hal.cpu")) &&
      processor_lookup(&module->processor, iree_vm_buffer_as_string(key), &is_present)) {
    rets->i0 = 1;
    rets->i1 = is_present;
  }
  return iree_ok_status();
}

//===-- module --------------------------------------------------------------------------------===//

static const iree_vm_native_export_descriptor_t exports[] = {
#define INLINE_EXPORT(name, function, arg_types, ret_types) \
  {.local_name = {name, sizeof(name) - 1},                  \
   .calling_convention = {"0" #arg_types "_" #ret_types,    \
                          sizeof("0" #arg_types "_" #ret_types) - 1}},
#include "runtime/modules/hal_inline/exports.def"
#undef INLINE_EXPORT
};

static const iree_vm_native_function_ptr_t functions[] = {
#define INLINE_EXPORT(name, function, arg_types, ret_types)                                \
  {.shim = (iree_vm_native_function_shim_t)(void *)iree_vm_shim_##arg_types##_##ret_types, \
   .target = (iree_vm_native_function_target_t)(void *)function},
#include "runtime/modules/hal_inline/exports.def"
#undef INLINE_EXPORT
};

static const iree_vm_native_module_descriptor_t descriptor = {
    .name = {"hal_inline", 10},
    .version = 0,
    .export_count = IREE_ARRAYSIZE(exports),
    .exports = exports,
    .function_count = IREE_ARRAYSIZE(functions),
    .functions = functions,
};

static void inline_module_destroy(void *self) {
  inline_module_t *module = (inline_module_t *)self;
  if (module->base.debug_sink.release.fn) {
    module->base.debug_sink.release.fn(module->base.debug_sink.release.user_data);
  }
  iree_hal_allocator_release(module->device_allocator);
}

iree_status_t iree_hal_inline_module_create(iree_vm_instance_t *instance,
                                            iree_hal_inline_module_flags_t flags,
                                            iree_hal_module_debug_sink_t debug_sink,
                                            iree_hal_allocator_t *device_allocator,
                                            iree_allocator_t host_allocator,
                                            iree_vm_module_t **out_module) {
  (void)flags;
  const iree_vm_module_t interface = {.destroy = inline_module_destroy,
                                      .alloc_state = hal_module_alloc_state,
                                      .free_state = hal_module_free_state,
                                      .fork_state = hal_module_fork_state,
                                      .notify = hal_module_notify};
  inline_module_t *module = NULL;
  IREE_RETURN_IF_ERROR(native_module_create(&descriptor, interface, sizeof(*module), instance,
                                            host_allocator, (void **)&module, out_module));
  module->base.host_allocator = host_allocator;
  module->base.debug_sink = debug_sink;
  module->device_allocator = device_allocator;
  iree_hal_allocator_retain(device_allocator);
  processor_query(&module->processor);
  return iree_ok_status();
}
