// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hal.device.*, hal.devices.*, hal.ex.*, hal.executable.*
#include "runtime/modules/hal/exports.h"

HAL_EXPORT(devices_count, v, i) {
  HAL_UNUSED;
  rets->i0 = (int32_t)state->device_count;
  return iree_ok_status();
}

HAL_EXPORT(devices_get, i, r) {
  HAL_UNUSED;
  iree_hal_device_t *device = args->i0 < 0 ? NULL
                                           : iree_hal_device_group_device_at(
                                                 module->device_group, (iree_host_size_t)args->i0);
  if (device) rets->r0 = iree_hal_device_retain_ref(device);
  return iree_ok_status();
}

HAL_EXPORT(device_allocator, r, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_device, device, args->r0);
  rets->r0 = iree_hal_allocator_retain_ref(iree_hal_device_allocator(device));
  return iree_ok_status();
}

// Never fails: what a device does not know is ok = 0.
HAL_EXPORT(device_query_i64, rrr, iI) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_device, device, args->r0);
  HAL_ARG(iree_vm_buffer, category, args->r1);
  HAL_ARG(iree_vm_buffer, key, args->r2);
  int64_t value = 0;
  iree_status_t status = iree_hal_device_query_i64(device, iree_vm_buffer_as_string(category),
                                                   iree_vm_buffer_as_string(key), &value);
  rets->i0 = iree_status_consume_code(status) == IREE_STATUS_OK;
  rets->i1 = value;
  return iree_ok_status();
}

//===-- queue ---------------------------------------------------------------------------------===//

// The arguments every queue operation starts with: device, affinity, wait fence, signal fence.
typedef struct queue_arguments_t {
  iree_hal_device_t *device;
  iree_hal_queue_affinity_t affinity;
  iree_hal_semaphore_list_t wait;
  iree_hal_semaphore_list_t signal;
} queue_arguments_t;

static iree_status_t queue_arguments(iree_vm_ref_t device_ref, int64_t affinity,
                                     iree_vm_ref_t wait_ref, iree_vm_ref_t signal_ref,
                                     queue_arguments_t *out_queue) {
  HAL_ARG(iree_hal_device, device, device_ref);
  HAL_ARG_OR_NULL(iree_hal_fence, wait_fence, wait_ref);
  HAL_ARG_OR_NULL(iree_hal_fence, signal_fence, signal_ref);
  *out_queue = (queue_arguments_t){
      .device = device,
      .affinity = (iree_hal_queue_affinity_t)affinity,
      .wait = iree_hal_fence_semaphore_list(wait_fence),
      .signal = iree_hal_fence_semaphore_list(signal_fence),
  };
  return iree_ok_status();
}
#define QUEUE_ARGUMENTS(queue) \
  queue_arguments_t queue;     \
  IREE_RETURN_IF_ERROR(queue_arguments(args->r0, args->i1, args->r2, args->r3, &queue))

HAL_EXPORT(device_queue_alloca, rIrrIiiII, r) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  if (args->i4) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "memory pool %" PRId64 " does not exist; pass 0", args->i4);
  }
  iree_hal_buffer_params_t params = {
      .type = (iree_hal_memory_type_t)args->i5,
      .usage = (iree_hal_buffer_usage_t)args->i6,
      .queue_affinity = queue.affinity,
  };
  iree_hal_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_device_queue_alloca(
      queue.device, queue.affinity, queue.wait, queue.signal, NULL, params,
      (iree_device_size_t)args->i7, (iree_hal_alloca_flags_t)args->i8, &buffer));
  rets->r0 = iree_hal_buffer_move_ref(buffer);
  return iree_ok_status();
}

HAL_EXPORT(device_queue_dealloca, rIrrrI, v) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  HAL_ARG(iree_hal_buffer, buffer, args->r4);
  return iree_hal_device_queue_dealloca(queue.device, queue.affinity, queue.wait, queue.signal,
                                        buffer, (iree_hal_dealloca_flags_t)args->i5);
}

HAL_EXPORT(device_queue_fill, rIrrrIIIiI, v) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  HAL_ARG(iree_hal_buffer, target, args->r4);
  return iree_hal_device_queue_fill(queue.device, queue.affinity, queue.wait, queue.signal, target,
                                    (iree_device_size_t)args->i5, (iree_device_size_t)args->i6,
                                    &args->i7, (iree_host_size_t)(uint32_t)args->i8,
                                    (iree_hal_fill_flags_t)args->i9);
}

HAL_EXPORT(device_queue_update, rIrrrIrIII, v) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  HAL_ARG(iree_vm_buffer, source, args->r4);
  HAL_ARG(iree_hal_buffer, target, args->r6);
  iree_const_byte_span_t span;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_map_ro(source, (iree_host_size_t)args->i5,
                                             (iree_host_size_t)args->i8, 1, &span));
  return iree_hal_device_queue_update(queue.device, queue.affinity, queue.wait, queue.signal,
                                      span.data, 0, target, (iree_device_size_t)args->i7,
                                      (iree_device_size_t)args->i8,
                                      (iree_hal_update_flags_t)args->i9);
}

HAL_EXPORT(device_queue_copy, rIrrrIrIII, v) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  HAL_ARG(iree_hal_buffer, source, args->r4);
  HAL_ARG(iree_hal_buffer, target, args->r6);
  return iree_hal_device_queue_copy(queue.device, queue.affinity, queue.wait, queue.signal, source,
                                    (iree_device_size_t)args->i5, target,
                                    (iree_device_size_t)args->i7, (iree_device_size_t)args->i8,
                                    (iree_hal_copy_flags_t)args->i9);
}

HAL_EXPORT(device_queue_read, rIrrrIrIII, v) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  HAL_ARG(iree_hal_file, source, args->r4);
  HAL_ARG(iree_hal_buffer, target, args->r6);
  return iree_hal_device_queue_read(queue.device, queue.affinity, queue.wait, queue.signal, source,
                                    (uint64_t)args->i5, target, (iree_device_size_t)args->i7,
                                    (iree_device_size_t)args->i8, (iree_hal_read_flags_t)args->i9);
}

HAL_EXPORT(device_queue_write, rIrrrIrIII, v) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  HAL_ARG(iree_hal_buffer, source, args->r4);
  HAL_ARG(iree_hal_file, target, args->r6);
  return iree_hal_device_queue_write(
      queue.device, queue.affinity, queue.wait, queue.signal, source, (iree_device_size_t)args->i5,
      target, (uint64_t)args->i7, (iree_device_size_t)args->i8, (iree_hal_write_flags_t)args->i9);
}

HAL_EXPORT(device_queue_barrier, rIrrI, v) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  return iree_hal_device_queue_barrier(queue.device, queue.affinity, queue.wait, queue.signal,
                                       (iree_hal_execute_flags_t)args->i4);
}

HAL_EXPORT(device_queue_execute, rIrrrI, v) {
  HAL_UNUSED;
  QUEUE_ARGUMENTS(queue);
  HAL_ARG_OR_NULL(iree_hal_command_buffer, command_buffer, args->r4);
  return iree_hal_device_queue_execute(queue.device, queue.affinity, queue.wait, queue.signal,
                                       command_buffer, iree_hal_buffer_binding_table_empty(),
                                       (iree_hal_execute_flags_t)args->i5);
}

// Executes with the table of the arguments, for which |bindings| has room.
static iree_status_t execute_indirect(const IREE_VM_ABI_TYPE_NAME(rIrrrICrIID) * args,
                                      iree_hal_buffer_binding_t *bindings) {
  QUEUE_ARGUMENTS(queue);
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r4);
  for (uint32_t i = 0; i < args->a6_count; ++i) {
    HAL_ARG_OR_NULL(iree_hal_buffer, buffer, args->a6[i].r0);
    bindings[i].buffer = buffer;
    bindings[i].offset = (iree_device_size_t)args->a6[i].i1;
    bindings[i].length = (iree_device_size_t)args->a6[i].i2;
  }
  iree_hal_buffer_binding_table_t table = {args->a6_count, bindings};
  // Whatever the program says, the table ends with the call.
  iree_hal_execute_flags_t flags =
      (iree_hal_execute_flags_t)args->i5 &
      ~(iree_hal_execute_flags_t)IREE_HAL_EXECUTE_FLAG_BORROW_BINDING_TABLE_LIFETIME;
  return iree_hal_device_queue_execute(queue.device, queue.affinity, queue.wait, queue.signal,
                                       command_buffer, table, flags);
}

HAL_EXPORT(device_queue_execute_indirect, rIrrrICrIID, v) {
  HAL_UNUSED;
  const bool fits = args->a6_count <= HAL_MODULE_MAX_TABLE;
  const iree_host_size_t size =
      ((iree_host_size_t)args->a6_count + 1) * sizeof(iree_hal_buffer_binding_t);
  void *bindings = NULL;
  if (fits) {
    bindings = __builtin_alloca(size);
  } else {
    IREE_RETURN_IF_ERROR(iree_allocator_malloc(state->host_allocator, size, &bindings));
  }
  iree_status_t status = execute_indirect(args, (iree_hal_buffer_binding_t *)bindings);
  if (!fits) iree_allocator_free(state->host_allocator, bindings);
  return status;
}

HAL_EXPORT(device_queue_flush, rI, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_device, device, args->r0);
  return iree_hal_device_queue_flush(device, (iree_hal_queue_affinity_t)args->i1);
}

//===-- files and executables -----------------------------------------------------------------===//

static void release_file_buffer(void *user_data) {
  iree_vm_buffer_release((iree_vm_buffer_t *)user_data);
}

HAL_EXPORT(ex_file_from_memory, rIirIIi, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_device, device, args->r0);
  HAL_ARG(iree_vm_buffer, buffer, args->r3);
  (void)device;
  if (args->i2 & ~IREE_HAL_MEMORY_ACCESS_READ) {
    return iree_make_status(IREE_STATUS_PERMISSION_DENIED,
                            "files over program memory are read-only");
  }
  iree_const_byte_span_t span;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_map_ro(buffer, (iree_host_size_t)args->i4,
                                             (iree_host_size_t)args->i5, 1, &span));
  iree_hal_file_t *file = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_memory_file_wrap(IREE_HAL_MEMORY_ACCESS_READ, iree_cast_const_byte_span(span),
                                (iree_hal_file_release_callback_t){release_file_buffer, buffer},
                                state->host_allocator, &file));
  iree_vm_buffer_retain(buffer);
  rets->r0 = iree_hal_file_move_ref(file);
  return iree_ok_status();
}

static iree_status_t executable_cache_of(hal_module_t *module, hal_module_state_t *state,
                                         iree_hal_device_t *device,
                                         iree_hal_executable_cache_t **out_cache) {
  for (iree_host_size_t i = 0; i < state->device_count; ++i) {
    if (iree_hal_device_group_device_at(module->device_group, i) != device) continue;
    if (!state->executable_caches[i]) {
      IREE_RETURN_IF_ERROR(iree_hal_executable_cache_create(device, IREE_SV("default"),
                                                            &state->executable_caches[i]));
    }
    *out_cache = state->executable_caches[i];
    return iree_ok_status();
  }
  *out_cache = NULL;
  return iree_make_status(IREE_STATUS_NOT_FOUND, "the device is not one of this context's");
}

iree_status_t hal_module_executable_params(iree_vm_buffer_t *format, iree_vm_buffer_t *data,
                                           iree_vm_buffer_t *constants,
                                           iree_hal_executable_params_t *out_params) {
  iree_const_byte_span_t constant_bytes = iree_vm_buffer_as_const_byte_span(constants);
  if (constant_bytes.data_length % sizeof(uint32_t)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "executable constants are 4-byte words, %zu bytes were given",
                            constant_bytes.data_length);
  }
  iree_hal_executable_params_initialize(out_params);
  out_params->executable_format = iree_vm_buffer_as_string(format);
  out_params->executable_data = iree_vm_buffer_const_contents(data);
  out_params->constant_count = constant_bytes.data_length / sizeof(uint32_t);
  out_params->constants = (const uint32_t *)(const void *)constant_bytes.data;
  return iree_ok_status();
}

HAL_EXPORT(executable_create, rIrrr, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_device, device, args->r0);
  HAL_ARG(iree_vm_buffer, format, args->r2);
  HAL_ARG(iree_vm_buffer, data, args->r3);
  HAL_ARG_OR_NULL(iree_vm_buffer, constants, args->r4);
  iree_hal_executable_params_t params;
  IREE_RETURN_IF_ERROR(hal_module_executable_params(format, data, constants, &params));
  iree_hal_executable_cache_t *cache = NULL;
  IREE_RETURN_IF_ERROR(executable_cache_of(module, state, device, &cache));
  params.queue_affinity = (iree_hal_queue_affinity_t)args->i1;
  iree_hal_executable_t *executable = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_executable_cache_prepare_executable(cache, &params, &executable));
  rets->r0 = iree_hal_executable_move_ref(executable);
  return iree_ok_status();
}

HAL_EXPORT(executable_lookup_function, rr, I) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_executable, executable, args->r0);
  HAL_ARG(iree_vm_buffer, name, args->r1);
  iree_hal_executable_function_t function;
  IREE_RETURN_IF_ERROR(iree_hal_executable_lookup_function_by_name(
      executable, iree_vm_buffer_as_string(name), &function));
  rets->i0 = (int64_t)function.value;
  return iree_ok_status();
}
