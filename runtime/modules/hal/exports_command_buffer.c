// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hal.command_buffer.*, hal.channel.*
#include "runtime/modules/hal/arguments.h"
#include "runtime/modules/hal/exports.h"

// A null buffer takes the slot. Slots are 24 bits; a larger one cannot exist.
static iree_status_t make_ref(iree_vm_ref_t buffer_ref, int32_t slot, int64_t offset,
                              int64_t length, iree_hal_buffer_ref_t *out_ref) {
  HAL_ARG_OR_NULL(iree_hal_buffer, buffer, buffer_ref);
  if (!buffer && (slot < 0 || (uint32_t)slot > IREE_HAL_BUFFER_SLOT_MAX)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "buffer slot %d does not exist", slot);
  }
  *out_ref = iree_hal_make_indirect_buffer_ref(
      buffer ? 0 : (uint32_t)slot, (iree_device_size_t)offset, (iree_device_size_t)length);
  out_ref->buffer = buffer;
  return iree_ok_status();
}

HAL_EXPORT(command_buffer_create, riiIi, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_device, device, args->r0);
  iree_hal_command_buffer_t *command_buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_command_buffer_create(
      device, (iree_hal_command_buffer_mode_t)args->i1, (iree_hal_command_category_t)args->i2,
      (iree_hal_queue_affinity_t)args->i3, (iree_host_size_t)(uint32_t)args->i4, &command_buffer));
  iree_status_t status = iree_hal_command_buffer_begin(command_buffer);
  if (iree_status_is_ok(status)) {
    rets->r0 = iree_hal_command_buffer_move_ref(command_buffer);
  } else {
    iree_hal_command_buffer_release(command_buffer);
  }
  return status;
}

HAL_EXPORT(command_buffer_finalize, r, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  return iree_hal_command_buffer_end(command_buffer);
}

HAL_EXPORT(command_buffer_begin_debug_group, rr, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  HAL_ARG_OR_NULL(iree_vm_buffer, label, args->r1);
  return iree_hal_command_buffer_begin_debug_group(command_buffer, iree_vm_buffer_as_string(label),
                                                   iree_hal_label_color_unspecified(), NULL);
}

HAL_EXPORT(command_buffer_end_debug_group, r, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  return iree_hal_command_buffer_end_debug_group(command_buffer);
}

HAL_EXPORT(command_buffer_execution_barrier, riiI, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  return iree_hal_command_buffer_execution_barrier(
      command_buffer, (iree_hal_execution_stage_t)args->i1, (iree_hal_execution_stage_t)args->i2,
      (iree_hal_execution_barrier_flags_t)args->i3, 0, NULL, 0, NULL);
}

HAL_EXPORT(command_buffer_advise_buffer, rrIIIi, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  iree_hal_buffer_ref_t ref;
  IREE_RETURN_IF_ERROR(make_ref(args->r1, args->i5, 0, -1, &ref));
  return iree_hal_command_buffer_advise_buffer(command_buffer, ref, (uint64_t)args->i2,
                                               (uint64_t)args->i3, (uint64_t)args->i4);
}

// Memory of local devices is coherent: a flush or invalidation is a checked hint. Devices with
// caches of their own do it as part of their barriers.
static iree_status_t maintain_range(iree_vm_ref_t command_buffer_ref, int32_t slot,
                                    iree_vm_ref_t buffer_ref, int64_t offset, int64_t length) {
  HAL_ARG(iree_hal_command_buffer, command_buffer, command_buffer_ref);
  iree_hal_buffer_ref_t ref;
  IREE_RETURN_IF_ERROR(make_ref(buffer_ref, slot, offset, length, &ref));
  return iree_hal_command_buffer_advise_buffer(command_buffer, ref,
                                               IREE_HAL_MEMORY_ADVISE_FLAG_NONE, 0, 0);
}

HAL_EXPORT(command_buffer_flush_buffer, rirII, v) {
  HAL_UNUSED;
  return maintain_range(args->r0, args->i1, args->r2, args->i3, args->i4);
}

HAL_EXPORT(command_buffer_invalidate_buffer, rirII, v) {
  HAL_UNUSED;
  return maintain_range(args->r0, args->i1, args->r2, args->i3, args->i4);
}

HAL_EXPORT(command_buffer_fill_buffer, rrIIiIiI, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  iree_hal_buffer_ref_t target;
  IREE_RETURN_IF_ERROR(make_ref(args->r1, args->i4, args->i2, args->i3, &target));
  return iree_hal_command_buffer_fill_buffer(command_buffer, target, &args->i5,
                                             (iree_host_size_t)(uint32_t)args->i6,
                                             (iree_hal_fill_flags_t)args->i7);
}

HAL_EXPORT(command_buffer_update_buffer, rrIrIIiI, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  HAL_ARG(iree_vm_buffer, source, args->r1);
  iree_hal_buffer_ref_t target;
  IREE_RETURN_IF_ERROR(make_ref(args->r3, args->i6, args->i4, args->i5, &target));
  iree_const_byte_span_t span;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_map_ro(source, (iree_host_size_t)args->i2,
                                             (iree_host_size_t)args->i5, 1, &span));
  return iree_hal_command_buffer_update_buffer(command_buffer, span.data, 0, target,
                                               (iree_hal_update_flags_t)args->i7);
}

HAL_EXPORT(command_buffer_copy_buffer, riirIrIII, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  iree_hal_buffer_ref_t source, target;
  IREE_RETURN_IF_ERROR(make_ref(args->r3, args->i1, args->i4, args->i7, &source));
  IREE_RETURN_IF_ERROR(make_ref(args->r5, args->i2, args->i6, args->i7, &target));
  return iree_hal_command_buffer_copy_buffer(command_buffer, source, target,
                                             (iree_hal_copy_flags_t)args->i8);
}

HAL_EXPORT(command_buffer_collective, rriiiirrIIIII, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_command_buffer, command_buffer, args->r0);
  HAL_ARG(iree_hal_channel, channel, args->r1);
  iree_hal_collective_op_t op = {.packed = (uint32_t)args->i2};
  iree_hal_buffer_ref_t send, recv;
  IREE_RETURN_IF_ERROR(make_ref(args->r6, args->i4, args->i8, args->i9, &send));
  IREE_RETURN_IF_ERROR(make_ref(args->r7, args->i5, args->i10, args->i11, &recv));
  return iree_hal_command_buffer_collective(command_buffer, channel, op, (uint32_t)args->i3, send,
                                            recv, (iree_device_size_t)args->i12);
}

//===-- dispatch ------------------------------------------------------------------------------===//

// One tuple of `CiirIID`.
typedef struct packed_binding_t {
  int32_t reserved;
  int32_t slot;
  iree_vm_ref_t buffer;
  int64_t offset;
  int64_t length;
} packed_binding_t;
static_assert(sizeof(void *) != 8 || sizeof(packed_binding_t) == 40, "tuples are packed");

// Reads `CiDCiirIID` and records the dispatch.
static iree_status_t record_dispatch(iree_hal_command_buffer_t *command_buffer,
                                     iree_hal_executable_t *executable, uint64_t function_value,
                                     const iree_hal_dispatch_config_t *config,
                                     iree_hal_dispatch_flags_t flags, argument_reader_t *reader) {
  uint32_t constant_count = 0, binding_count = 0;
  const void *constants = NULL, *packed = NULL;
  IREE_RETURN_IF_ERROR(
      argument_take_count(reader, HAL_MODULE_MAX_CONSTANTS, "constants", &constant_count));
  IREE_RETURN_IF_ERROR(argument_take(reader, 4, constant_count * sizeof(uint32_t), &constants));
  IREE_RETURN_IF_ERROR(
      argument_take_count(reader, HAL_MODULE_MAX_BINDINGS, "bindings", &binding_count));
  IREE_RETURN_IF_ERROR(argument_take(reader, 8, binding_count * sizeof(packed_binding_t), &packed));
  iree_hal_buffer_ref_t bindings[HAL_MODULE_MAX_BINDINGS];
  for (uint32_t i = 0; i < binding_count; ++i) {
    packed_binding_t binding;
    memcpy(&binding, (const packed_binding_t *)packed + i, sizeof(binding));
    IREE_RETURN_IF_ERROR(
        make_ref(binding.buffer, binding.slot, binding.offset, binding.length, &bindings[i]));
  }
  iree_hal_buffer_ref_list_t list = {binding_count, bindings};
  return iree_hal_command_buffer_dispatch(
      command_buffer, executable, iree_hal_executable_function_from_value(function_value), *config,
      iree_make_const_byte_span(constants, constant_count * sizeof(uint32_t)), list, flags);
}

// `rrIiiiI` before the groups.
typedef struct dispatch_head_t {
  iree_vm_ref_t command_buffer;
  iree_vm_ref_t executable;
  int64_t function;
  int32_t count_x, count_y, count_z;
  int64_t flags;
} dispatch_head_t;

HAL_EXPORT_RAW(command_buffer_dispatch) {
  (void)stack, (void)call_flags, (void)rets_storage, (void)target_fn, (void)module;
  (void)module_state;
  argument_reader_t reader = {args_storage.data, args_storage.data_length, 0};
  const void *ptr = NULL;
  IREE_RETURN_IF_ERROR(argument_take(&reader, 8, sizeof(dispatch_head_t), &ptr));
  const dispatch_head_t *head = (const dispatch_head_t *)ptr;
  HAL_ARG(iree_hal_command_buffer, command_buffer, head->command_buffer);
  HAL_ARG(iree_hal_executable, executable, head->executable);
  iree_hal_dispatch_config_t config = iree_hal_make_static_dispatch_config(
      (uint32_t)head->count_x, (uint32_t)head->count_y, (uint32_t)head->count_z);
  return record_dispatch(command_buffer, executable, (uint64_t)head->function, &config,
                         (iree_hal_dispatch_flags_t)head->flags, &reader);
}

// `rrIirII` before the groups.
typedef struct dispatch_indirect_head_t {
  iree_vm_ref_t command_buffer;
  iree_vm_ref_t executable;
  int64_t function;
  int32_t slot;
  iree_vm_ref_t buffer;
  int64_t offset;
  int64_t flags;
} dispatch_indirect_head_t;

HAL_EXPORT_RAW(command_buffer_dispatch_indirect) {
  (void)stack, (void)call_flags, (void)rets_storage, (void)target_fn, (void)module;
  (void)module_state;
  argument_reader_t reader = {args_storage.data, args_storage.data_length, 0};
  const void *ptr = NULL;
  IREE_RETURN_IF_ERROR(argument_take(&reader, 8, sizeof(dispatch_indirect_head_t), &ptr));
  const dispatch_indirect_head_t *head = (const dispatch_indirect_head_t *)ptr;
  HAL_ARG(iree_hal_command_buffer, command_buffer, head->command_buffer);
  HAL_ARG(iree_hal_executable, executable, head->executable);
  iree_hal_dispatch_config_t config = iree_hal_make_static_dispatch_config(0, 0, 0);
  IREE_RETURN_IF_ERROR(make_ref(head->buffer, head->slot, head->offset, 3 * sizeof(uint32_t),
                                &config.workgroup_count_ref));
  iree_hal_dispatch_flags_t flags = (iree_hal_dispatch_flags_t)head->flags;
  if (!iree_hal_dispatch_uses_indirect_parameters(flags)) {
    flags |= IREE_HAL_DISPATCH_FLAG_DYNAMIC_INDIRECT_PARAMETERS;
  }
  return record_dispatch(command_buffer, executable, (uint64_t)head->function, &config, flags,
                         &reader);
}

//===-- channel -------------------------------------------------------------------------------===//

HAL_EXPORT(channel_create, rIIrrii, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_device, device, args->r0);
  HAL_ARG_OR_NULL(iree_vm_buffer, id, args->r3);
  HAL_ARG_OR_NULL(iree_vm_buffer, group, args->r4);
  iree_hal_channel_params_t params = {
      .flags = (iree_hal_channel_flags_t)args->i2,
      .id = iree_vm_buffer_as_const_byte_span(id),
      .group = iree_vm_buffer_as_string(group),
      .rank = args->i5,
      .count = args->i6,
  };
  iree_hal_channel_t *channel = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_channel_create(device, (iree_hal_queue_affinity_t)args->i1, params, &channel));
  rets->r0 = iree_hal_channel_move_ref(channel);
  return iree_ok_status();
}

HAL_EXPORT(channel_split, riiI, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_channel, base_channel, args->r0);
  iree_hal_channel_t *channel = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_channel_split(base_channel, args->i1, args->i2,
                                              (iree_hal_channel_flags_t)args->i3, &channel));
  rets->r0 = iree_hal_channel_move_ref(channel);
  return iree_ok_status();
}

HAL_EXPORT(channel_rank_and_count, r, ii) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_channel, channel, args->r0);
  iree_hal_channel_query_rank_and_count(channel, &rets->i0, &rets->i1);
  return iree_ok_status();
}
