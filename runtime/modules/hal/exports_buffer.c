// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hal.allocator.*, hal.buffer.*, hal.buffer_view.*
#include "runtime/modules/hal/exports.h"

HAL_EXPORT(allocator_allocate, rIiiI, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_allocator, allocator, args->r0);
  iree_hal_buffer_params_t params = {
      .type = (iree_hal_memory_type_t)args->i2,
      .usage = (iree_hal_buffer_usage_t)args->i3,
      .queue_affinity = (iree_hal_queue_affinity_t)args->i1,
  };
  iree_hal_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_allocator_allocate_buffer(allocator, params, (iree_device_size_t)args->i4, &buffer));
  rets->r0 = iree_hal_buffer_move_ref(buffer);
  return iree_ok_status();
}

static void release_vm_buffer(void *user_data, iree_hal_buffer_t *buffer) {
  (void)buffer;
  iree_vm_buffer_release((iree_vm_buffer_t *)user_data);
}

// What a program may do with imported memory of its own.
static iree_status_t import_access(const iree_vm_buffer_t *source, iree_hal_buffer_usage_t usage,
                                   iree_hal_memory_access_t *out_access) {
  *out_access = IREE_HAL_MEMORY_ACCESS_READ;
  if (iree_all_bits_set(usage, IREE_HAL_BUFFER_USAGE_SHARING_IMMUTABLE)) return iree_ok_status();
  if (!iree_all_bits_set(source->access, IREE_VM_BUFFER_ACCESS_MUTABLE)) {
    return iree_make_status(IREE_STATUS_PERMISSION_DENIED,
                            "the source buffer is immutable and can be imported only with "
                            "SHARING_IMMUTABLE usage");
  }
  *out_access |= IREE_HAL_MEMORY_ACCESS_WRITE;
  return iree_ok_status();
}

HAL_EXPORT(allocator_import, riIiirII, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_allocator, allocator, args->r0);
  HAL_ARG(iree_vm_buffer, source, args->r5);
  iree_device_size_t offset = 0, length = 0;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_calculate_range(
      0, iree_vm_buffer_length(source), (iree_device_size_t)args->i6, (iree_device_size_t)args->i7,
      &offset, &length));
  iree_hal_buffer_params_t params = {
      .type = (iree_hal_memory_type_t)args->i3,
      .usage = (iree_hal_buffer_usage_t)args->i4,
      .queue_affinity = (iree_hal_queue_affinity_t)args->i2,
  };
  IREE_RETURN_IF_ERROR(import_access(source, params.usage, &params.access));
  iree_hal_external_buffer_t external = {
      .type = IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION,
      .size = length,
      .handle.host_allocation.ptr = iree_vm_buffer_data(source) + (iree_host_size_t)offset,
  };
  iree_hal_buffer_release_callback_t release = {release_vm_buffer, source};
  iree_hal_buffer_t *buffer = NULL;
  iree_status_t status =
      iree_hal_allocator_import_buffer(allocator, params, &external, release, &buffer);
  if (iree_status_is_ok(status)) {
    iree_vm_buffer_retain(source);
    rets->r0 = iree_hal_buffer_move_ref(buffer);
    return iree_ok_status();
  }
  return args->i1 ? iree_status_ignore(status) : status;  // a try: null says that it cannot
}

HAL_EXPORT(allocator_select, iiICrID, rI) {
  HAL_UNUSED;
  if (!args->a3_count || args->a3_count > HAL_MODULE_MAX_DEVICES) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "a selection is from 1 to %d devices, %u were given",
                            HAL_MODULE_MAX_DEVICES, args->a3_count);
  }
  iree_hal_device_queue_affinity_pair_t pairs[HAL_MODULE_MAX_DEVICES];
  for (uint32_t i = 0; i < args->a3_count; ++i) {
    IREE_RETURN_IF_ERROR(iree_hal_device_check_deref(args->a3[i].r0, &pairs[i].device));
    pairs[i].queue_affinity = (iree_hal_queue_affinity_t)args->a3[i].i1;
  }
  iree_host_size_t selection = 0;
  iree_hal_module_device_allocator_select_callback_t select =
      module->device_policy.allocator_select;
  if (select.fn) {
    IREE_RETURN_IF_ERROR(
        select.fn(select.user_data, args->a3_count, pairs, (iree_hal_memory_type_t)args->i0,
                  (iree_hal_buffer_usage_t)args->i1, (uint64_t)args->i2, &selection));
    if (selection >= args->a3_count) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "the policy selected device %zu of %u",
                              selection, args->a3_count);
    }
  }
  rets->r0 = iree_hal_device_retain_ref(pairs[selection].device);
  rets->i1 = (int64_t)pairs[selection].queue_affinity;
  return iree_ok_status();
}

//===-- buffer --------------------------------------------------------------------------------===//

HAL_EXPORT(buffer_allocation_discard, r, i) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r0);
  rets->i0 = iree_hal_buffer_allocation_discard(buffer);
  return iree_ok_status();
}

HAL_EXPORT(buffer_allocation_is_terminal, r, i) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r0);
  rets->i0 = iree_hal_buffer_allocation_is_terminal(buffer);
  return iree_ok_status();
}

HAL_EXPORT(buffer_allocation_preserve, r, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r0);
  iree_hal_buffer_allocation_preserve(buffer);
  return iree_ok_status();
}

HAL_EXPORT(buffer_assert, rrrIii, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r0);
  HAL_ARG(iree_vm_buffer, message, args->r1);
  HAL_ARG(iree_hal_allocator, allocator, args->r2);
  (void)allocator;
  iree_string_view_t text = iree_vm_buffer_as_string(message);
  iree_device_size_t length = iree_hal_buffer_byte_length(buffer);
  iree_device_size_t minimum_length = (iree_device_size_t)args->i3;
  if (length < minimum_length) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "%.*s buffer byte length %" PRIu64
                            " less than expected minimum %" PRIu64,
                            IREE_SV_ARGS(text), (uint64_t)length, (uint64_t)minimum_length);
  }
  IREE_RETURN_IF_ERROR(iree_hal_buffer_validate_memory_type(iree_hal_buffer_memory_type(buffer),
                                                            (iree_hal_memory_type_t)args->i4),
                       "%.*s", IREE_SV_ARGS(text));
  IREE_RETURN_IF_ERROR(iree_hal_buffer_validate_usage(iree_hal_buffer_allowed_usage(buffer),
                                                      (iree_hal_buffer_usage_t)args->i5),
                       "%.*s", IREE_SV_ARGS(text));
  return iree_ok_status();
}

HAL_EXPORT(buffer_length, r, I) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r0);
  rets->i0 = (int64_t)iree_hal_buffer_byte_length(buffer);
  return iree_ok_status();
}

static iree_status_t check_scalar_length(int32_t length) {
  if (length >= 0 && length <= 4) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "a load or store moves up to 4 bytes, %d were asked for", length);
}

HAL_EXPORT(buffer_load, rIi, i) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r0);
  IREE_RETURN_IF_ERROR(check_scalar_length(args->i2));
  return iree_hal_buffer_map_read(buffer, (iree_device_size_t)args->i1, &rets->i0,
                                  (iree_device_size_t)args->i2);
}

HAL_EXPORT(buffer_store, irIi, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r1);
  IREE_RETURN_IF_ERROR(check_scalar_length(args->i3));
  return iree_hal_buffer_map_write(buffer, (iree_device_size_t)args->i2, &args->i0,
                                   (iree_device_size_t)args->i3);
}

HAL_EXPORT(buffer_subspan, rII, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, buffer, args->r0);
  iree_hal_buffer_t *span = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_subspan(buffer, (iree_device_size_t)args->i1,
                                               (iree_device_size_t)args->i2,
                                               state->object_allocator, &span));
  rets->r0 = iree_hal_buffer_move_ref(span);
  return iree_ok_status();
}

//===-- buffer view ---------------------------------------------------------------------------===//

static bool element_types_match(iree_hal_element_type_t actual, iree_hal_element_type_t expected) {
  if (actual == expected || iree_hal_element_numerical_type_is_opaque(actual)) return true;
  return iree_hal_element_numerical_type_is_integer(actual) &&
         iree_hal_element_numerical_type_is_integer(expected) &&
         iree_hal_element_bit_count(actual) == iree_hal_element_bit_count(expected);
}

// Text for a message; empty when it cannot be made.
static void element_type_text(iree_hal_element_type_t type, char *text, iree_host_size_t capacity) {
  iree_status_t status = iree_hal_format_element_type(type, capacity, text, NULL);
  if (!iree_status_is_ok(status)) text[0] = 0;
  iree_status_ignore(status);
}

static iree_status_t mismatched_element_type(iree_string_view_t text,
                                             iree_hal_element_type_t expected,
                                             iree_hal_element_type_t actual) {
  char expected_text[32] = {0}, actual_text[32] = {0};
  element_type_text(expected, expected_text, sizeof(expected_text));
  element_type_text(actual, actual_text, sizeof(actual_text));
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "%.*s element type mismatch; expected %s (%08X) but have %s (%08X)",
                          IREE_SV_ARGS(text), expected_text, expected, actual_text, actual);
}

static void shape_text(iree_host_size_t rank, const iree_hal_dim_t *shape, char *text,
                       iree_host_size_t capacity) {
  iree_status_t status = iree_hal_format_shape(rank, shape, capacity, text, NULL);
  if (!iree_status_is_ok(status)) text[0] = 0;
  iree_status_ignore(status);
}

static iree_status_t check_shape(iree_string_view_t text, iree_host_size_t expected_rank,
                                 const iree_hal_dim_t *expected, iree_host_size_t actual_rank,
                                 const iree_hal_dim_t *actual) {
  iree_status_t status = iree_ok_status();
  if (expected_rank != actual_rank) {
    status = iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "%.*s shape rank mismatch; expected %zu%s but have %zu%s",
                              IREE_SV_ARGS(text), expected_rank, expected_rank ? "" : " (scalar)",
                              actual_rank, actual_rank ? "" : " (scalar)");
  }
  for (iree_host_size_t i = 0; i < expected_rank && iree_status_is_ok(status); ++i) {
    if (expected[i] == actual[i]) continue;
    status = iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "%.*s shape dimension %zu mismatch; expected %" PRIu64
                              " but have %" PRIu64,
                              IREE_SV_ARGS(text), i, (uint64_t)expected[i], (uint64_t)actual[i]);
  }
  if (iree_status_is_ok(status)) return status;
  char expected_text[256], actual_text[256];
  shape_text(expected_rank, expected, expected_text, sizeof(expected_text));
  shape_text(actual_rank, actual, actual_text, sizeof(actual_text));
  return iree_status_annotate_f(status, "expected shape `%s`, actual shape `%s`", expected_text,
                                actual_text);
}

HAL_EXPORT(buffer_view_assert, rriiCID, v) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer_view, view, args->r0);
  HAL_ARG(iree_vm_buffer, message, args->r1);
  iree_string_view_t text = iree_vm_buffer_as_string(message);
  iree_hal_element_type_t element_type = iree_hal_buffer_view_element_type(view);
  iree_hal_encoding_type_t encoding_type = iree_hal_buffer_view_encoding_type(view);
  if (encoding_type != IREE_HAL_ENCODING_TYPE_OPAQUE &&
      encoding_type != (iree_hal_encoding_type_t)args->i3) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "%.*s encoding mismatch; expected %08X but have %08X",
                            IREE_SV_ARGS(text), (uint32_t)args->i3, encoding_type);
  }
  if (!element_types_match(element_type, (iree_hal_element_type_t)args->i2)) {
    return mismatched_element_type(text, (iree_hal_element_type_t)args->i2, element_type);
  }
  iree_host_size_t rank = 0;
  iree_hal_dim_t *shape = NULL;
  IREE_VM_ABI_VLA_STACK_CAST(args, a4_count, a4, iree_hal_dim_t, HAL_MODULE_MAX_RANK, &rank,
                             &shape);
  return check_shape(text, rank, shape, iree_hal_buffer_view_shape_rank(view),
                     iree_hal_buffer_view_shape_dims(view));
}

HAL_EXPORT(buffer_view_buffer, r, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer_view, view, args->r0);
  rets->r0 = iree_hal_buffer_retain_ref(iree_hal_buffer_view_buffer(view));
  return iree_ok_status();
}

HAL_EXPORT(buffer_view_create, rIIiiCID, r) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer, source, args->r0);
  iree_host_size_t rank = 0;
  iree_hal_dim_t *shape = NULL;
  IREE_VM_ABI_VLA_STACK_CAST(args, a5_count, a5, iree_hal_dim_t, HAL_MODULE_MAX_RANK, &rank,
                             &shape);
  iree_hal_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_subspan(source, (iree_device_size_t)args->i1,
                                               (iree_device_size_t)args->i2,
                                               state->object_allocator, &buffer));
  iree_hal_buffer_view_t *view = NULL;
  iree_status_t status = iree_hal_buffer_view_create(
      buffer, rank, shape, (iree_hal_element_type_t)args->i3, (iree_hal_encoding_type_t)args->i4,
      state->object_allocator, &view);
  iree_hal_buffer_release(buffer);
  if (iree_status_is_ok(status)) rets->r0 = iree_hal_buffer_view_move_ref(view);
  return status;
}

HAL_EXPORT(buffer_view_dim, ri, I) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer_view, view, args->r0);
  if (args->i1 < 0) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "dimension %d is negative", args->i1);
  }
  rets->i0 = (int64_t)iree_hal_buffer_view_shape_dim(view, (iree_host_size_t)args->i1);
  return iree_ok_status();
}

HAL_EXPORT(buffer_view_element_type, r, i) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer_view, view, args->r0);
  rets->i0 = (int32_t)iree_hal_buffer_view_element_type(view);
  return iree_ok_status();
}

HAL_EXPORT(buffer_view_encoding_type, r, i) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer_view, view, args->r0);
  rets->i0 = (int32_t)iree_hal_buffer_view_encoding_type(view);
  return iree_ok_status();
}

HAL_EXPORT(buffer_view_rank, r, i) {
  HAL_UNUSED;
  HAL_ARG(iree_hal_buffer_view, view, args->r0);
  rets->i0 = (int32_t)iree_hal_buffer_view_shape_rank(view);
  return iree_ok_status();
}

HAL_EXPORT(buffer_view_trace, rCrD, v) {
  HAL_UNUSED;
  HAL_ARG(iree_vm_buffer, key, args->r0);
  iree_host_size_t count = 0;
  iree_hal_buffer_view_t **views = NULL;
  IREE_VM_ABI_VLA_STACK_DEREF(args, a1_count, a1, iree_hal_buffer_view, HAL_MODULE_MAX_VIEWS,
                              &count, &views);
  iree_hal_module_buffer_view_trace_callback_t trace = module->debug_sink.buffer_view_trace;
  if (!trace.fn) return iree_ok_status();
  return trace.fn(trace.user_data, iree_vm_buffer_as_string(key), count, views,
                  state->host_allocator);
}
