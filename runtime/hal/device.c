// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices: the checks in front of every implementation, and the synchronous transfers.
#include "iree/hal/device.h"

#include "runtime/hal/buffer.h"

#define VTABLE(device) \
  ((const iree_hal_device_vtable_t *)((const iree_hal_resource_t *)(device))->vtable)

void iree_hal_device_retain(iree_hal_device_t *device) { iree_hal_resource_retain(device); }
void iree_hal_device_release(iree_hal_device_t *device) { iree_hal_resource_release(device); }

iree_string_view_t iree_hal_device_id(iree_hal_device_t *device) {
  return VTABLE(device)->id(device);
}
iree_allocator_t iree_hal_device_host_allocator(iree_hal_device_t *device) {
  return VTABLE(device)->host_allocator(device);
}
iree_hal_allocator_t *iree_hal_device_allocator(iree_hal_device_t *device) {
  return VTABLE(device)->device_allocator(device);
}
void iree_hal_device_replace_allocator(iree_hal_device_t *device,
                                       iree_hal_allocator_t *new_allocator) {
  VTABLE(device)->replace_device_allocator(device, new_allocator);
}
iree_status_t iree_hal_device_trim(iree_hal_device_t *device) {
  return VTABLE(device)->trim(device);
}

iree_status_t iree_hal_device_set_trace_sink(iree_hal_device_t *device,
                                             const iree_trace_sink_t *sink) {
  if (!VTABLE(device)->set_trace_sink) {
    const iree_string_view_t id = iree_hal_device_id(device);
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "device '%.*s' cannot be traced",
                            IREE_SV_ARGS(id));
  }
  VTABLE(device)->set_trace_sink(device, sink);
  return iree_ok_status();
}

iree_status_t iree_hal_device_query_i64(iree_hal_device_t *device, iree_string_view_t category,
                                        iree_string_view_t key, int64_t *out_value) {
  *out_value = 0;
  return VTABLE(device)->query_i64(device, category, key, out_value);
}

iree_status_t iree_hal_semaphore_create(iree_hal_device_t *device,
                                        iree_hal_queue_affinity_t queue_affinity,
                                        uint64_t initial_value, iree_hal_semaphore_flags_t flags,
                                        iree_hal_semaphore_t **out_semaphore) {
  *out_semaphore = NULL;
  return VTABLE(device)->create_semaphore(device, queue_affinity, initial_value, flags,
                                          out_semaphore);
}

iree_hal_semaphore_compatibility_t iree_hal_device_query_semaphore_compatibility(
    iree_hal_device_t *device, iree_hal_semaphore_t *semaphore) {
  return VTABLE(device)->query_semaphore_compatibility(device, semaphore);
}

//===-- queue operations ----------------------------------------------------------------------===//

// Checks a use and gives the range with its real length.
static iree_status_t make_checked_ref(iree_hal_buffer_t *buffer, iree_device_size_t offset,
                                      iree_device_size_t length, iree_hal_buffer_usage_t usage,
                                      iree_hal_memory_access_t access,
                                      iree_hal_buffer_ref_t *out_ref) {
  *out_ref = iree_hal_make_buffer_ref(buffer, 0, 0);
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_validate_access(iree_hal_buffer_allowed_access(buffer), access));
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_validate_usage(iree_hal_buffer_allowed_usage(buffer), usage));
  return iree_hal_buffer_calculate_range(0, iree_hal_buffer_byte_length(buffer), offset, length,
                                         &out_ref->offset, &out_ref->length);
}

iree_status_t iree_hal_device_queue_alloca(iree_hal_device_t *device,
                                           iree_hal_queue_affinity_t queue_affinity,
                                           const iree_hal_semaphore_list_t wait_semaphore_list,
                                           const iree_hal_semaphore_list_t signal_semaphore_list,
                                           iree_hal_pool_t *pool, iree_hal_buffer_params_t params,
                                           iree_device_size_t allocation_size,
                                           iree_hal_alloca_flags_t flags,
                                           iree_hal_buffer_t **out_buffer) {
  *out_buffer = NULL;
  iree_hal_buffer_params_canonicalize(&params);
  return VTABLE(device)->queue_alloca(device, queue_affinity, wait_semaphore_list,
                                      signal_semaphore_list, pool, params, allocation_size, flags,
                                      out_buffer);
}

iree_status_t iree_hal_device_queue_dealloca(iree_hal_device_t *device,
                                             iree_hal_queue_affinity_t queue_affinity,
                                             const iree_hal_semaphore_list_t wait_semaphore_list,
                                             const iree_hal_semaphore_list_t signal_semaphore_list,
                                             iree_hal_buffer_t *buffer,
                                             iree_hal_dealloca_flags_t flags) {
  return VTABLE(device)->queue_dealloca(device, queue_affinity, wait_semaphore_list,
                                        signal_semaphore_list, buffer, flags);
}

iree_status_t iree_hal_device_queue_fill(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_buffer_t *target_buffer,
    iree_device_size_t target_offset, iree_device_size_t length, const void *pattern,
    iree_host_size_t pattern_length, iree_hal_fill_flags_t flags) {
  iree_hal_buffer_ref_t target_ref;
  IREE_RETURN_IF_ERROR(make_checked_ref(target_buffer, target_offset, length,
                                        IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET,
                                        IREE_HAL_MEMORY_ACCESS_WRITE, &target_ref));
  IREE_RETURN_IF_ERROR(
      buffer_check_pattern(pattern, pattern_length, target_ref.offset, target_ref.length));
  return VTABLE(device)->queue_fill(device, queue_affinity, wait_semaphore_list,
                                    signal_semaphore_list, target_ref, pattern, pattern_length,
                                    flags);
}

iree_status_t iree_hal_device_queue_update(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, const void *source_buffer,
    iree_host_size_t source_offset, iree_hal_buffer_t *target_buffer,
    iree_device_size_t target_offset, iree_device_size_t length, iree_hal_update_flags_t flags) {
  iree_hal_buffer_ref_t target_ref;
  IREE_RETURN_IF_ERROR(make_checked_ref(target_buffer, target_offset, length,
                                        IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET,
                                        IREE_HAL_MEMORY_ACCESS_WRITE, &target_ref));
  return VTABLE(device)->queue_update(
      device, queue_affinity, wait_semaphore_list, signal_semaphore_list,
      (const uint8_t *)source_buffer + source_offset, target_ref, flags);
}

iree_status_t iree_hal_device_queue_copy(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_buffer_t *source_buffer,
    iree_device_size_t source_offset, iree_hal_buffer_t *target_buffer,
    iree_device_size_t target_offset, iree_device_size_t length, iree_hal_copy_flags_t flags) {
  iree_hal_buffer_ref_t source_ref, target_ref;
  IREE_RETURN_IF_ERROR(make_checked_ref(source_buffer, source_offset, length,
                                        IREE_HAL_BUFFER_USAGE_TRANSFER_SOURCE,
                                        IREE_HAL_MEMORY_ACCESS_READ, &source_ref));
  IREE_RETURN_IF_ERROR(make_checked_ref(target_buffer, target_offset, source_ref.length,
                                        IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET,
                                        IREE_HAL_MEMORY_ACCESS_WRITE, &target_ref));
  if (iree_hal_buffer_test_overlap(source_buffer, source_ref.offset, source_ref.length,
                                   target_buffer, target_ref.offset,
                                   target_ref.length) != IREE_HAL_BUFFER_OVERLAP_DISJOINT) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "source and target ranges of a copy overlap");
  }
  return VTABLE(device)->queue_copy(device, queue_affinity, wait_semaphore_list,
                                    signal_semaphore_list, source_ref, target_ref, flags);
}

iree_status_t iree_hal_device_queue_read(iree_hal_device_t *device,
                                         iree_hal_queue_affinity_t queue_affinity,
                                         const iree_hal_semaphore_list_t wait_semaphore_list,
                                         const iree_hal_semaphore_list_t signal_semaphore_list,
                                         iree_hal_file_t *source_file, uint64_t source_offset,
                                         iree_hal_buffer_t *target_buffer,
                                         iree_device_size_t target_offset,
                                         iree_device_size_t length, iree_hal_read_flags_t flags) {
  iree_hal_buffer_ref_t target_ref;
  IREE_RETURN_IF_ERROR(iree_hal_file_validate_access(source_file, IREE_HAL_MEMORY_ACCESS_READ));
  IREE_RETURN_IF_ERROR(make_checked_ref(target_buffer, target_offset, length,
                                        IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET,
                                        IREE_HAL_MEMORY_ACCESS_WRITE, &target_ref));
  return VTABLE(device)->queue_read(device, queue_affinity, wait_semaphore_list,
                                    signal_semaphore_list, source_file, source_offset, target_ref,
                                    flags);
}

iree_status_t iree_hal_device_queue_write(iree_hal_device_t *device,
                                          iree_hal_queue_affinity_t queue_affinity,
                                          const iree_hal_semaphore_list_t wait_semaphore_list,
                                          const iree_hal_semaphore_list_t signal_semaphore_list,
                                          iree_hal_buffer_t *source_buffer,
                                          iree_device_size_t source_offset,
                                          iree_hal_file_t *target_file, uint64_t target_offset,
                                          iree_device_size_t length, iree_hal_write_flags_t flags) {
  iree_hal_buffer_ref_t source_ref;
  IREE_RETURN_IF_ERROR(iree_hal_file_validate_access(target_file, IREE_HAL_MEMORY_ACCESS_WRITE));
  IREE_RETURN_IF_ERROR(make_checked_ref(source_buffer, source_offset, length,
                                        IREE_HAL_BUFFER_USAGE_TRANSFER_SOURCE,
                                        IREE_HAL_MEMORY_ACCESS_READ, &source_ref));
  return VTABLE(device)->queue_write(device, queue_affinity, wait_semaphore_list,
                                     signal_semaphore_list, source_ref, target_file, target_offset,
                                     flags);
}

iree_status_t iree_hal_device_queue_host_call(iree_hal_device_t *device,
                                              iree_hal_queue_affinity_t queue_affinity,
                                              const iree_hal_semaphore_list_t wait_semaphore_list,
                                              const iree_hal_semaphore_list_t signal_semaphore_list,
                                              iree_hal_host_call_t call, const uint64_t args[4],
                                              iree_hal_host_call_flags_t flags) {
  return VTABLE(device)->queue_host_call(device, queue_affinity, wait_semaphore_list,
                                         signal_semaphore_list, call, args, flags);
}

iree_status_t iree_hal_device_queue_dispatch(
    iree_hal_device_t *device, iree_hal_queue_affinity_t queue_affinity,
    const iree_hal_semaphore_list_t wait_semaphore_list,
    const iree_hal_semaphore_list_t signal_semaphore_list, iree_hal_executable_t *executable,
    iree_hal_executable_function_t function, const iree_hal_dispatch_config_t config,
    iree_const_byte_span_t constants, const iree_hal_buffer_ref_list_t bindings,
    iree_hal_dispatch_flags_t flags) {
  iree_hal_command_buffer_t *command_buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_command_buffer_create(device, IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT,
                                                      IREE_HAL_COMMAND_CATEGORY_DISPATCH,
                                                      queue_affinity, 0, &command_buffer));
  iree_status_t status = iree_hal_command_buffer_begin(command_buffer);
  if (iree_status_is_ok(status)) {
    status = iree_hal_command_buffer_dispatch(command_buffer, executable, function, config,
                                              constants, bindings, flags);
  }
  if (iree_status_is_ok(status)) status = iree_hal_command_buffer_end(command_buffer);
  if (iree_status_is_ok(status)) {
    status = iree_hal_device_queue_execute(
        device, queue_affinity, wait_semaphore_list, signal_semaphore_list, command_buffer,
        iree_hal_buffer_binding_table_empty(), IREE_HAL_EXECUTE_FLAG_NONE);
  }
  iree_hal_command_buffer_release(command_buffer);
  return status;
}

iree_status_t iree_hal_device_queue_execute(iree_hal_device_t *device,
                                            iree_hal_queue_affinity_t queue_affinity,
                                            const iree_hal_semaphore_list_t wait_semaphore_list,
                                            const iree_hal_semaphore_list_t signal_semaphore_list,
                                            iree_hal_command_buffer_t *command_buffer,
                                            iree_hal_buffer_binding_table_t binding_table,
                                            iree_hal_execute_flags_t flags) {
  if (command_buffer) {
    IREE_RETURN_IF_ERROR(
        iree_hal_command_buffer_validate_submission(command_buffer, binding_table));
  }
  return VTABLE(device)->queue_execute(device, queue_affinity, wait_semaphore_list,
                                       signal_semaphore_list, command_buffer, binding_table, flags);
}

iree_status_t iree_hal_device_queue_barrier(iree_hal_device_t *device,
                                            iree_hal_queue_affinity_t queue_affinity,
                                            const iree_hal_semaphore_list_t wait_semaphore_list,
                                            const iree_hal_semaphore_list_t signal_semaphore_list,
                                            iree_hal_execute_flags_t flags) {
  return VTABLE(device)->queue_execute(device, queue_affinity, wait_semaphore_list,
                                       signal_semaphore_list, NULL,
                                       iree_hal_buffer_binding_table_empty(), flags);
}

iree_status_t iree_hal_device_queue_flush(iree_hal_device_t *device,
                                          iree_hal_queue_affinity_t queue_affinity) {
  return VTABLE(device)->queue_flush(device, queue_affinity);
}

//===-- synchronous transfers -----------------------------------------------------------------===//

// A semaphore that goes from 0 to 1 when an operation is done.
typedef struct completion_t {
  iree_hal_semaphore_t *semaphore;
  uint64_t value;
} completion_t;

static iree_status_t completion_begin(iree_hal_device_t *device, completion_t *out_completion,
                                      iree_hal_semaphore_list_t *out_list) {
  out_completion->value = 1;
  IREE_RETURN_IF_ERROR(iree_hal_semaphore_create(device, IREE_HAL_QUEUE_AFFINITY_ANY, 0,
                                                 IREE_HAL_SEMAPHORE_FLAG_DEFAULT,
                                                 &out_completion->semaphore));
  *out_list = (iree_hal_semaphore_list_t){1, &out_completion->semaphore, &out_completion->value};
  return iree_ok_status();
}

static iree_status_t completion_end(completion_t *completion, iree_status_t status,
                                    iree_timeout_t timeout) {
  if (iree_status_is_ok(status)) {
    status = iree_hal_semaphore_wait(completion->semaphore, completion->value, timeout,
                                     IREE_ASYNC_WAIT_FLAG_NONE);
  }
  iree_hal_semaphore_release(completion->semaphore);
  return status;
}

static bool is_mappable(iree_hal_buffer_t *buffer) {
  return iree_all_bits_set(iree_hal_buffer_memory_type(buffer),
                           IREE_HAL_MEMORY_TYPE_HOST_VISIBLE) &&
         iree_all_bits_set(iree_hal_buffer_allowed_usage(buffer),
                           IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED);
}

static iree_status_t allocate_staging(iree_hal_device_t *device, iree_device_size_t length,
                                      iree_hal_buffer_t **out_buffer) {
  iree_hal_buffer_params_t params = {
      .usage = IREE_HAL_BUFFER_USAGE_TRANSFER | IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED,
      .type = IREE_HAL_MEMORY_TYPE_HOST_LOCAL | IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE,
  };
  return iree_hal_allocator_allocate_buffer(iree_hal_device_allocator(device), params, length,
                                            out_buffer);
}

iree_status_t iree_hal_device_transfer_h2d(iree_hal_device_t *device, const void *source,
                                           iree_hal_buffer_t *target,
                                           iree_device_size_t target_offset,
                                           iree_device_size_t data_length,
                                           iree_hal_transfer_buffer_flags_t flags,
                                           iree_timeout_t timeout) {
  if (is_mappable(target)) {
    return iree_hal_buffer_map_write(target, target_offset, source, data_length);
  }
  iree_hal_buffer_t *staging = NULL;
  IREE_RETURN_IF_ERROR(allocate_staging(device, data_length, &staging));
  iree_status_t status = iree_hal_buffer_map_write(staging, 0, source, data_length);
  if (iree_status_is_ok(status)) {
    status = iree_hal_device_transfer_d2d(device, staging, 0, target, target_offset, data_length,
                                          flags, timeout);
  }
  iree_hal_buffer_release(staging);
  return status;
}

iree_status_t iree_hal_device_transfer_d2h(iree_hal_device_t *device, iree_hal_buffer_t *source,
                                           iree_device_size_t source_offset, void *target,
                                           iree_device_size_t data_length,
                                           iree_hal_transfer_buffer_flags_t flags,
                                           iree_timeout_t timeout) {
  if (is_mappable(source)) {
    return iree_hal_buffer_map_read(source, source_offset, target, data_length);
  }
  iree_hal_buffer_t *staging = NULL;
  IREE_RETURN_IF_ERROR(allocate_staging(device, data_length, &staging));
  iree_status_t status = iree_hal_device_transfer_d2d(device, source, source_offset, staging, 0,
                                                      data_length, flags, timeout);
  if (iree_status_is_ok(status)) status = iree_hal_buffer_map_read(staging, 0, target, data_length);
  iree_hal_buffer_release(staging);
  return status;
}

iree_status_t iree_hal_device_transfer_d2d(
    iree_hal_device_t *device, iree_hal_buffer_t *source, iree_device_size_t source_offset,
    iree_hal_buffer_t *target, iree_device_size_t target_offset, iree_device_size_t data_length,
    iree_hal_transfer_buffer_flags_t flags, iree_timeout_t timeout) {
  (void)flags;
  completion_t completion;
  iree_hal_semaphore_list_t signal;
  IREE_RETURN_IF_ERROR(completion_begin(device, &completion, &signal));
  iree_status_t status = iree_hal_device_queue_copy(
      device, IREE_HAL_QUEUE_AFFINITY_ANY, iree_hal_semaphore_list_empty(), signal, source,
      source_offset, target, target_offset, data_length, IREE_HAL_COPY_FLAG_NONE);
  return completion_end(&completion, status, timeout);
}
