// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers: the checks in front of every implementation.
//
// A command that names a buffer is checked as it is recorded: state, category, usage, access,
// range. One that names a slot leaves a requirement behind; the union of a slot's requirements is
// checked against each binding table at submission. UNVALIDATED skips usage and access only, never
// ranges.
#include "iree/hal/command_buffer.h"

#include "iree/hal/device.h"
#include "runtime/hal/buffer.h"

#define VTABLE(command_buffer) \
  ((const iree_hal_command_buffer_vtable_t *)(command_buffer)->resource.vtable)
#define DEVICE_VTABLE(device) \
  ((const iree_hal_device_vtable_t *)((const iree_hal_resource_t *)(device))->vtable)

void iree_hal_command_buffer_initialize(iree_hal_command_buffer_mode_t mode,
                                        iree_hal_command_category_t command_categories,
                                        iree_hal_queue_affinity_t queue_affinity,
                                        iree_host_size_t binding_capacity,
                                        iree_hal_binding_requirement_t *requirements,
                                        const iree_hal_command_buffer_vtable_t *vtable,
                                        iree_hal_command_buffer_t *command_buffer) {
  iree_hal_resource_initialize(vtable, &command_buffer->resource);
  command_buffer->mode = mode;
  command_buffer->allowed_categories = command_categories;
  command_buffer->queue_affinity = queue_affinity;
  command_buffer->state = IREE_HAL_COMMAND_BUFFER_STATE_INITIAL;
  command_buffer->debug_group_depth = 0;
  command_buffer->binding_capacity = (uint32_t)binding_capacity;
  command_buffer->binding_count = 0;
  command_buffer->requirements = requirements;
}

iree_status_t iree_hal_command_buffer_create(iree_hal_device_t *device,
                                             iree_hal_command_buffer_mode_t mode,
                                             iree_hal_command_category_t command_categories,
                                             iree_hal_queue_affinity_t queue_affinity,
                                             iree_host_size_t binding_capacity,
                                             iree_hal_command_buffer_t **out_command_buffer) {
  *out_command_buffer = NULL;
  if (iree_all_bits_set(mode, IREE_HAL_COMMAND_BUFFER_MODE_ALLOW_INLINE_EXECUTION) &&
      (!iree_all_bits_set(mode, IREE_HAL_COMMAND_BUFFER_MODE_ONE_SHOT) || binding_capacity)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "inline execution needs a one-shot command buffer without bindings");
  }
  if (binding_capacity > IREE_HAL_BUFFER_SLOT_MAX) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "a binding table has at most %u slots, %zu were asked for",
                            IREE_HAL_BUFFER_SLOT_MAX, binding_capacity);
  }
  return DEVICE_VTABLE(device)->create_command_buffer(
      device, mode, command_categories, queue_affinity, binding_capacity, out_command_buffer);
}

void iree_hal_command_buffer_retain(iree_hal_command_buffer_t *command_buffer) {
  iree_hal_resource_retain(command_buffer);
}
void iree_hal_command_buffer_release(iree_hal_command_buffer_t *command_buffer) {
  iree_hal_resource_release(command_buffer);
}
iree_hal_command_buffer_mode_t iree_hal_command_buffer_mode(
    const iree_hal_command_buffer_t *command_buffer) {
  return command_buffer->mode;
}
iree_hal_command_category_t iree_hal_command_buffer_allowed_categories(
    const iree_hal_command_buffer_t *command_buffer) {
  return command_buffer->allowed_categories;
}
iree_hal_queue_affinity_t iree_hal_command_buffer_queue_affinity(
    const iree_hal_command_buffer_t *command_buffer) {
  return command_buffer->queue_affinity;
}

//===-- checks --------------------------------------------------------------------------------===//

static bool validates(const iree_hal_command_buffer_t *command_buffer) {
  return !iree_all_bits_set(command_buffer->mode, IREE_HAL_COMMAND_BUFFER_MODE_UNVALIDATED);
}

static iree_status_t check_recording(const iree_hal_command_buffer_t *command_buffer,
                                     iree_hal_command_category_t categories) {
  if (command_buffer->state != IREE_HAL_COMMAND_BUFFER_STATE_RECORDING) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "command buffer is not recording; commands go between begin and end");
  }
  if (validates(command_buffer) &&
      !iree_all_bits_set(command_buffer->allowed_categories, categories)) {
    iree_bitfield_string_temp_t have, need;
    iree_string_view_t have_text =
        iree_hal_command_category_format(command_buffer->allowed_categories, &have);
    iree_string_view_t need_text = iree_hal_command_category_format(categories, &need);
    return iree_make_status(IREE_STATUS_PERMISSION_DENIED,
                            "command buffer allows %.*s commands, this one is %.*s",
                            IREE_SV_ARGS(have_text), IREE_SV_ARGS(need_text));
  }
  return iree_ok_status();
}

static iree_status_t check_use(iree_hal_buffer_t *buffer, iree_hal_buffer_usage_t usage,
                               iree_hal_memory_access_t access) {
  // Nearly always all is well; the functions below say what is not.
  if (IREE_LIKELY(iree_all_bits_set(buffer->memory_type, IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE) &&
                  iree_all_bits_set(buffer->allowed_access, access) &&
                  iree_all_bits_set(buffer->allowed_usage, usage))) {
    return iree_ok_status();
  }
  IREE_RETURN_IF_ERROR(iree_hal_buffer_validate_memory_type(iree_hal_buffer_memory_type(buffer),
                                                            IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE));
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_validate_access(iree_hal_buffer_allowed_access(buffer), access));
  return iree_hal_buffer_validate_usage(iree_hal_buffer_allowed_usage(buffer), usage);
}

// Checks a direct reference, or adds to the requirements of its slot.
static iree_status_t check_ref(iree_hal_command_buffer_t *command_buffer, iree_hal_buffer_ref_t ref,
                               iree_hal_buffer_usage_t usage, iree_hal_memory_access_t access) {
  if (ref.buffer) {
    if (validates(command_buffer)) IREE_RETURN_IF_ERROR(check_use(ref.buffer, usage, access));
    return iree_hal_buffer_validate_range(ref.buffer, ref.offset, ref.length);
  }
  if (ref.buffer_slot >= command_buffer->binding_capacity) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "buffer slot %u is past the binding capacity of %u",
                            (uint32_t)ref.buffer_slot, command_buffer->binding_capacity);
  }
  iree_hal_binding_requirement_t *requirement = &command_buffer->requirements[ref.buffer_slot];
  iree_device_size_t end = ref.offset;
  if (ref.length != IREE_HAL_WHOLE_BUFFER &&
      !iree_device_size_checked_add(ref.offset, ref.length, &end)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "the range of slot %u overflows",
                            (uint32_t)ref.buffer_slot);
  }
  requirement->is_used = true;
  requirement->usage |= usage;
  requirement->access |= access;
  requirement->minimum_length = iree_max(requirement->minimum_length, end);
  command_buffer->binding_count =
      iree_max(command_buffer->binding_count, (uint32_t)ref.buffer_slot + 1);
  return iree_ok_status();
}

iree_status_t iree_hal_command_buffer_validate_submission(
    iree_hal_command_buffer_t *command_buffer, iree_hal_buffer_binding_table_t binding_table) {
  if (command_buffer->state != IREE_HAL_COMMAND_BUFFER_STATE_READY) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "command buffer cannot be executed before its recording has ended");
  }
  if (binding_table.count < command_buffer->binding_count) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "command buffer uses %u binding table slots but %zu were given",
                            command_buffer->binding_count, binding_table.count);
  }
  for (uint32_t i = 0; i < command_buffer->binding_count; ++i) {
    const iree_hal_binding_requirement_t *requirement = &command_buffer->requirements[i];
    if (!requirement->is_used) continue;
    const iree_hal_buffer_binding_t *binding = &binding_table.bindings[i];
    if (!binding->buffer) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "binding table slot %u is used but has no buffer", i);
    }
    iree_device_size_t offset = 0, length = 0;
    IREE_RETURN_IF_ERROR(buffer_range(0, iree_hal_buffer_byte_length(binding->buffer),
                                      binding->offset, binding->length, &offset, &length),
                         "binding table slot %u", i);
    if (length < requirement->minimum_length) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "binding table slot %u has %" PRIu64 " bytes but %" PRIu64
                              " are used",
                              i, (uint64_t)length, (uint64_t)requirement->minimum_length);
    }
    if (validates(command_buffer)) {
      IREE_RETURN_IF_ERROR(check_use(binding->buffer, requirement->usage, requirement->access),
                           "binding table slot %u", i);
    }
  }
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_binding_table_resolve_ref(
    iree_hal_buffer_binding_table_t binding_table, iree_hal_buffer_ref_t buffer_ref,
    iree_hal_buffer_ref_t *out_resolved_ref) {
  *out_resolved_ref = buffer_ref;
  if (buffer_ref.buffer) return iree_ok_status();
  if (IREE_UNLIKELY(buffer_ref.buffer_slot >= binding_table.count)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "buffer slot %u is past the binding table of %zu",
                            (uint32_t)buffer_ref.buffer_slot, binding_table.count);
  }
  const iree_hal_buffer_binding_t *binding = &binding_table.bindings[buffer_ref.buffer_slot];
  if (IREE_UNLIKELY(!binding->buffer)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "binding table slot %u has no buffer",
                            (uint32_t)buffer_ref.buffer_slot);
  }
  iree_device_size_t offset = 0, length = 0;
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_calculate_range(0, iree_hal_buffer_byte_length(binding->buffer),
                                      binding->offset, binding->length, &offset, &length));
  out_resolved_ref->buffer = binding->buffer;
  out_resolved_ref->buffer_slot = 0;
  return iree_hal_buffer_calculate_range(offset, length, buffer_ref.offset, buffer_ref.length,
                                         &out_resolved_ref->offset, &out_resolved_ref->length);
}

//===-- recording -----------------------------------------------------------------------------===//

iree_status_t iree_hal_command_buffer_begin(iree_hal_command_buffer_t *command_buffer) {
  if (command_buffer->state != IREE_HAL_COMMAND_BUFFER_STATE_INITIAL) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "command buffer was begun before; it records once");
  }
  IREE_RETURN_IF_ERROR(VTABLE(command_buffer)->begin(command_buffer));
  command_buffer->state = IREE_HAL_COMMAND_BUFFER_STATE_RECORDING;
  return iree_ok_status();
}

iree_status_t iree_hal_command_buffer_end(iree_hal_command_buffer_t *command_buffer) {
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, 0));
  if (command_buffer->debug_group_depth) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "%u debug groups are open at the end of the recording",
                            command_buffer->debug_group_depth);
  }
  IREE_RETURN_IF_ERROR(VTABLE(command_buffer)->end(command_buffer));
  command_buffer->state = IREE_HAL_COMMAND_BUFFER_STATE_READY;
  return iree_ok_status();
}

iree_status_t iree_hal_command_buffer_begin_debug_group(iree_hal_command_buffer_t *command_buffer,
                                                        iree_string_view_t label,
                                                        iree_hal_label_color_t label_color,
                                                        const iree_hal_label_location_t *location) {
  (void)label, (void)label_color, (void)location;
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, 0));
  ++command_buffer->debug_group_depth;
  return iree_ok_status();
}

iree_status_t iree_hal_command_buffer_end_debug_group(iree_hal_command_buffer_t *command_buffer) {
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, 0));
  if (!command_buffer->debug_group_depth) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "no debug group is open");
  }
  --command_buffer->debug_group_depth;
  return iree_ok_status();
}

iree_status_t iree_hal_command_buffer_execution_barrier(
    iree_hal_command_buffer_t *command_buffer, iree_hal_execution_stage_t source_stage_mask,
    iree_hal_execution_stage_t target_stage_mask, iree_hal_execution_barrier_flags_t flags,
    iree_host_size_t memory_barrier_count, const iree_hal_memory_barrier_t *memory_barriers,
    iree_host_size_t buffer_barrier_count, const iree_hal_buffer_barrier_t *buffer_barriers) {
  (void)memory_barrier_count, (void)memory_barriers, (void)buffer_barrier_count;
  (void)buffer_barriers;  // a full barrier covers them
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, 0));
  return VTABLE(command_buffer)
      ->execution_barrier(command_buffer, source_stage_mask, target_stage_mask, flags);
}

// A hint; checked so that a wrong one is not silent, then dropped.
iree_status_t iree_hal_command_buffer_advise_buffer(iree_hal_command_buffer_t *command_buffer,
                                                    iree_hal_buffer_ref_t buffer_ref,
                                                    iree_hal_memory_advise_flags_t flags,
                                                    uint64_t arg0, uint64_t arg1) {
  (void)flags, (void)arg0, (void)arg1;
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, 0));
  return check_ref(command_buffer, buffer_ref, 0, 0);
}

iree_status_t iree_hal_command_buffer_fill_buffer(iree_hal_command_buffer_t *command_buffer,
                                                  iree_hal_buffer_ref_t target_ref,
                                                  const void *pattern,
                                                  iree_host_size_t pattern_length,
                                                  iree_hal_fill_flags_t flags) {
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, IREE_HAL_COMMAND_CATEGORY_TRANSFER));
  IREE_RETURN_IF_ERROR(
      buffer_check_pattern(pattern, pattern_length, target_ref.offset,
                           target_ref.length == IREE_HAL_WHOLE_BUFFER ? 0 : target_ref.length));
  IREE_RETURN_IF_ERROR(check_ref(command_buffer, target_ref, IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET,
                                 IREE_HAL_MEMORY_ACCESS_WRITE));
  return VTABLE(command_buffer)
      ->fill_buffer(command_buffer, target_ref, pattern, pattern_length, flags);
}

iree_status_t iree_hal_command_buffer_update_buffer(iree_hal_command_buffer_t *command_buffer,
                                                    const void *source_buffer,
                                                    iree_host_size_t source_offset,
                                                    iree_hal_buffer_ref_t target_ref,
                                                    iree_hal_update_flags_t flags) {
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, IREE_HAL_COMMAND_CATEGORY_TRANSFER));
  if (target_ref.length > IREE_HAL_COMMAND_BUFFER_MAX_UPDATE_SIZE) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "an update carries at most %" PRIu64 " bytes, this one has %" PRIu64,
                            (uint64_t)IREE_HAL_COMMAND_BUFFER_MAX_UPDATE_SIZE,
                            (uint64_t)target_ref.length);
  }
  IREE_RETURN_IF_ERROR(check_ref(command_buffer, target_ref, IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET,
                                 IREE_HAL_MEMORY_ACCESS_WRITE));
  return VTABLE(command_buffer)
      ->update_buffer(command_buffer, source_buffer, source_offset, target_ref, flags);
}

iree_status_t iree_hal_command_buffer_copy_buffer(iree_hal_command_buffer_t *command_buffer,
                                                  iree_hal_buffer_ref_t source_ref,
                                                  iree_hal_buffer_ref_t target_ref,
                                                  iree_hal_copy_flags_t flags) {
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, IREE_HAL_COMMAND_CATEGORY_TRANSFER));
  if (source_ref.length != target_ref.length) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "copy source has %" PRIu64 " bytes and target %" PRIu64,
                            (uint64_t)source_ref.length, (uint64_t)target_ref.length);
  }
  IREE_RETURN_IF_ERROR(check_ref(command_buffer, source_ref, IREE_HAL_BUFFER_USAGE_TRANSFER_SOURCE,
                                 IREE_HAL_MEMORY_ACCESS_READ));
  IREE_RETURN_IF_ERROR(check_ref(command_buffer, target_ref, IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET,
                                 IREE_HAL_MEMORY_ACCESS_WRITE));
  if (source_ref.buffer && target_ref.buffer &&
      iree_hal_buffer_test_overlap(source_ref.buffer, source_ref.offset, source_ref.length,
                                   target_ref.buffer, target_ref.offset,
                                   target_ref.length) != IREE_HAL_BUFFER_OVERLAP_DISJOINT) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "source and target ranges of a copy overlap");
  }
  return VTABLE(command_buffer)->copy_buffer(command_buffer, source_ref, target_ref, flags);
}

iree_status_t iree_hal_command_buffer_collective(iree_hal_command_buffer_t *command_buffer,
                                                 iree_hal_channel_t *channel,
                                                 iree_hal_collective_op_t op, uint32_t param,
                                                 iree_hal_buffer_ref_t send_ref,
                                                 iree_hal_buffer_ref_t recv_ref,
                                                 iree_device_size_t element_count) {
  (void)channel, (void)param, (void)send_ref, (void)recv_ref, (void)element_count;
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, IREE_HAL_COMMAND_CATEGORY_DISPATCH));
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                          "collective operation %u is not available: no device of this build has "
                          "collectives; compile for a single device",
                          (uint32_t)op.fields.kind);
}

static iree_status_t check_dispatch(iree_hal_executable_t *executable,
                                    iree_hal_executable_function_t function,
                                    iree_const_byte_span_t constants,
                                    iree_hal_buffer_ref_list_t bindings,
                                    iree_hal_dispatch_flags_t flags) {
  if (iree_hal_dispatch_uses_custom_arguments(flags)) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "custom and indirect dispatch arguments are not available; pass "
                            "constants and bindings");
  }
  iree_hal_executable_function_info_t info;
  IREE_RETURN_IF_ERROR(iree_hal_executable_function_info(executable, function, &info));
  if (constants.data_length != info.constant_count * sizeof(uint32_t)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "'%.*s' takes %u constants (%zu bytes) but %zu bytes were given",
                            IREE_SV_ARGS(info.name), info.constant_count,
                            info.constant_count * sizeof(uint32_t), constants.data_length);
  }
  if (bindings.count != info.binding_count) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "'%.*s' takes %u bindings but %zu were given", IREE_SV_ARGS(info.name),
                            info.binding_count, bindings.count);
  }
  return iree_ok_status();
}

iree_status_t iree_hal_command_buffer_dispatch(iree_hal_command_buffer_t *command_buffer,
                                               iree_hal_executable_t *executable,
                                               iree_hal_executable_function_t function,
                                               const iree_hal_dispatch_config_t config,
                                               iree_const_byte_span_t constants,
                                               const iree_hal_buffer_ref_list_t bindings,
                                               iree_hal_dispatch_flags_t flags) {
  IREE_RETURN_IF_ERROR(check_recording(command_buffer, IREE_HAL_COMMAND_CATEGORY_DISPATCH));
  IREE_RETURN_IF_ERROR(check_dispatch(executable, function, constants, bindings, flags));
  for (iree_host_size_t i = 0; i < bindings.count; ++i) {
    // Whether a kernel writes a binding is not recorded anywhere; access is the program's word.
    IREE_RETURN_IF_ERROR(
        check_ref(command_buffer, bindings.values[i], IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE_READ,
                  IREE_HAL_MEMORY_ACCESS_READ),
        "dispatch binding %zu", i);
  }
  if (iree_hal_dispatch_uses_indirect_parameters(flags)) {
    iree_hal_buffer_ref_t ref = config.workgroup_count_ref;
    if (ref.length != 3 * sizeof(uint32_t) || ref.offset % sizeof(uint32_t)) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "indirect workgroup counts are 3 aligned u32 values");
    }
    IREE_RETURN_IF_ERROR(
        check_ref(command_buffer, ref, IREE_HAL_BUFFER_USAGE_DISPATCH_INDIRECT_PARAMETERS,
                  IREE_HAL_MEMORY_ACCESS_READ),
        "indirect workgroup counts");
  }
  return VTABLE(command_buffer)
      ->dispatch(command_buffer, executable, function, &config, constants, bindings, flags);
}
