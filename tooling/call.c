// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls from text to text (call.h).

#include "tooling/call.h"

#include "iree/modules/hal/types.h"
#include "tooling/value.h"

static const flag_t k_call_flags[] = {
    FLAG_STRING(call_flags_t, function, "function", "",
                "Exported function of the main module. May be left out where there is only one."),
    FLAG_LIST(call_flags_t, inputs, "input",
              "Argument, one flag each, in order:\n"
              "  7  3.14                 scalar\n"
              "  2x3xf32=1 2 3 4 5 6     tensor; brackets and commas may separate, one value "
              "fills, none gives zeros\n"
              "  2x3xf32=@file.bin       tensor of raw bytes; =+file.bin reads on where the last "
              "one ended\n"
              "  @file.npy  +file.npy    array of a NumPy file, next array; *file.npy takes all "
              "that are left\n"
              "  &2x3xf32                storage for a result, without shape\n"
              "  (null)                  null reference or zero"),
};
const flag_group_t call_flag_group = FLAG_GROUP("Call", k_call_flags);

static const flag_t k_result_flags[] = {
    FLAG_LIST(result_flags_t, outputs, "output",
              "Where a result goes, one flag each, in order; without any all are printed:\n"
              "  --output=               nowhere\n"
              "  --output=-              stdout\n"
              "  --output=@file.npy      NumPy file; +file.npy appends an array\n"
              "  --output=@file.bin      raw bytes; +file.bin appends"),
    FLAG_LIST(result_flags_t, expected_outputs, "expected_output",
              "Expected result, one flag each, written as --input=; (ignored) matches anything. "
              "The exit code is 1\n"
              "if any differs."),
    FLAG_I32(result_flags_t, max_element_count, "output_max_element_count", "1024",
             "Elements printed of each tensor; the rest is cut with \"...\"."),
};
const flag_group_t result_flag_group = FLAG_GROUP("Results", k_result_flags);

bool call_is_async(const iree_vm_function_t *function) {
  return iree_string_view_equal(
      iree_vm_function_lookup_attr_by_name(function, IREE_SV("iree.abi.model")),
      IREE_SV("coarse-fences"));
}

iree_status_t call_parse_inputs(const program_t *program, const iree_vm_function_t *function,
                                iree_string_view_list_t specs, iree_vm_list_t **out_inputs) {
  *out_inputs = NULL;
  const iree_vm_function_signature_t signature = iree_vm_function_signature(function);
  iree_string_view_t arguments, results;
  IREE_RETURN_IF_ERROR(iree_vm_function_call_get_cconv_fragments(&signature, &arguments, &results));
  const value_target_t target = program_value_target(program);
  return iree_status_annotate_f(value_parse_list(arguments, specs, &target, out_inputs),
                                "parsing function inputs");
}

iree_status_t call_append_fences(const program_t *program, const iree_vm_function_t *function,
                                 iree_hal_fence_t *wait_fence, iree_vm_list_t *inputs,
                                 iree_hal_fence_t **out_signal_fence) {
  *out_signal_fence = NULL;
  if (!call_is_async(function)) return iree_ok_status();
  iree_hal_device_t *device = program_device(program);
  if (!device) {
    return iree_make_status(
        IREE_STATUS_FAILED_PRECONDITION,
        "the function takes fences, but no module uses the hal module, so that there is no device "
        "to make them on");
  }
  iree_hal_semaphore_t *semaphore = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_semaphore_create(device, IREE_HAL_QUEUE_AFFINITY_ANY, 0ull,
                                                 IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore));
  iree_hal_fence_t *fence = NULL;
  iree_status_t status = iree_hal_fence_create_at(semaphore, 1ull, program->host_allocator, &fence);
  iree_hal_semaphore_release(semaphore);
  if (iree_status_is_ok(status)) {
    iree_vm_ref_t ref = wait_fence ? iree_hal_fence_retain_ref(wait_fence) : iree_vm_ref_null();
    status = iree_vm_list_push_ref_move(inputs, &ref);
    iree_vm_ref_release(&ref);
  }
  if (iree_status_is_ok(status)) {
    iree_vm_ref_t ref = iree_hal_fence_retain_ref(fence);
    status = iree_vm_list_push_ref_move(inputs, &ref);
    iree_vm_ref_release(&ref);
  }
  if (iree_status_is_ok(status)) {
    *out_signal_fence = fence;
  } else {
    iree_hal_fence_release(fence);
  }
  return status;
}

iree_status_t call_invoke(const program_t *program, const iree_vm_function_t *function,
                          iree_vm_list_t *inputs, iree_vm_list_t *outputs) {
  iree_hal_fence_t *fence = NULL;
  IREE_RETURN_IF_ERROR(call_append_fences(program, function, /*wait_fence=*/NULL, inputs, &fence));
  iree_status_t status = iree_vm_invoke(program->context, *function, IREE_VM_INVOCATION_FLAG_NONE,
                                        /*policy=*/NULL, inputs, outputs, program->host_allocator);
  if (iree_status_is_ok(status) && fence) {
    status = iree_hal_fence_wait(fence, iree_infinite_timeout(), IREE_ASYNC_WAIT_FLAG_NONE);
  }
  iree_hal_fence_release(fence);
  return iree_status_annotate_f(status, "invoking function '%.*s'",
                                IREE_SV_ARGS(iree_vm_function_name(function)));
}

//===-- results
//---------------------------------------------------------------------------------------------===

static bool is_host_visible(iree_hal_buffer_t *buffer) {
  return iree_all_bits_set(iree_hal_buffer_memory_type(buffer),
                           IREE_HAL_MEMORY_TYPE_HOST_VISIBLE) &&
         iree_all_bits_set(iree_hal_buffer_allowed_usage(buffer),
                           IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED);
}

static iree_status_t copy_to_host(const program_t *program, iree_hal_buffer_t *source,
                                  iree_hal_buffer_t **out_target) {
  *out_target = NULL;
  const iree_hal_buffer_params_t params = {
      .usage = IREE_HAL_BUFFER_USAGE_TRANSFER | IREE_HAL_BUFFER_USAGE_MAPPING,
      .access = IREE_HAL_MEMORY_ACCESS_ALL,
      .type = IREE_HAL_MEMORY_TYPE_HOST_LOCAL | IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE,
      .queue_affinity = IREE_HAL_QUEUE_AFFINITY_ANY};
  const iree_device_size_t length = iree_hal_buffer_byte_length(source);
  iree_hal_buffer_t *target = NULL;
  IREE_RETURN_IF_ERROR(
      iree_hal_allocator_allocate_buffer(program->buffer_allocator, params, length, &target));
  iree_status_t status =
      iree_hal_device_transfer_d2d(program_device(program), source, 0, target, 0, length,
                                   IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT, iree_infinite_timeout());
  if (iree_status_is_ok(status)) {
    *out_target = target;
  } else {
    iree_hal_buffer_release(target);
  }
  return status;
}

static iree_status_t bring_element_to_host(const program_t *program, iree_vm_list_t *list,
                                           iree_host_size_t i, iree_vm_ref_t ref) {
  const bool is_view = iree_hal_buffer_view_isa(ref);
  iree_hal_buffer_t *source = is_view ? iree_hal_buffer_view_buffer(iree_hal_buffer_view_deref(ref))
                                      : iree_hal_buffer_deref(ref);
  if (is_host_visible(source)) return iree_ok_status();
  iree_hal_buffer_t *target = NULL;
  IREE_RETURN_IF_ERROR(copy_to_host(program, source, &target));
  iree_vm_ref_t target_ref = iree_vm_ref_null();
  iree_status_t status = iree_ok_status();
  if (is_view) {
    iree_hal_buffer_view_t *view = NULL;
    status = iree_hal_buffer_view_create_like(target, iree_hal_buffer_view_deref(ref),
                                              program->host_allocator, &view);
    iree_hal_buffer_release(target);
    if (iree_status_is_ok(status)) target_ref = iree_hal_buffer_view_move_ref(view);
  } else {
    target_ref = iree_hal_buffer_move_ref(target);
  }
  if (iree_status_is_ok(status)) status = iree_vm_list_set_ref_move(list, i, &target_ref);
  iree_vm_ref_release(&target_ref);
  return status;
}

iree_status_t call_bring_to_host(const program_t *program, iree_vm_list_t *list) {
  if (!program_device(program)) return iree_ok_status();
  for (iree_host_size_t i = 0; i < iree_vm_list_size(list); ++i) {
    iree_vm_variant_t variant = iree_vm_variant_empty();
    IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(list, i, &variant));
    if (!iree_vm_variant_is_ref(variant)) continue;
    if (!iree_hal_buffer_view_isa(variant.ref) && !iree_hal_buffer_isa(variant.ref)) continue;
    IREE_RETURN_IF_ERROR(bring_element_to_host(program, list, i, variant.ref), "reading result %zu",
                         (size_t)i);
  }
  return iree_ok_status();
}

static iree_status_t compare_results(const program_t *program, const iree_vm_function_t *function,
                                     const result_flags_t *flags,
                                     const compare_flags_t *compare_flags, iree_vm_list_t *outputs,
                                     iree_string_builder_t *builder, bool *out_match) {
  const iree_vm_function_signature_t signature = iree_vm_function_signature(function);
  iree_string_view_t arguments, results;
  IREE_RETURN_IF_ERROR(iree_vm_function_call_get_cconv_fragments(&signature, &arguments, &results));
  // In host memory, so that device statistics show the program alone.
  value_target_t target = {.host_allocator = program->host_allocator};
  IREE_RETURN_IF_ERROR(iree_hal_allocator_create_heap(IREE_SV("heap"), program->host_allocator,
                                                      program->host_allocator, &target.allocator));
  iree_vm_list_t *expected = NULL;
  iree_status_t status = iree_status_annotate_f(
      value_parse_list(results, flag_list_view(&flags->expected_outputs), &target, &expected),
      "parsing expected function outputs");
  if (iree_status_is_ok(status)) {
    status = compare_lists(compare_flags, expected, outputs,
                           (iree_host_size_t)flags->max_element_count, builder, out_match);
  }
  if (iree_status_is_ok(status) && *out_match) {
    status = iree_string_builder_append_cstring(
        builder, "[SUCCESS] all function outputs matched their expected values.\n");
  }
  iree_vm_list_release(expected);
  iree_hal_allocator_release(target.allocator);
  return status;
}

iree_status_t call_process_results(const program_t *program, const iree_vm_function_t *function,
                                   const result_flags_t *flags,
                                   const compare_flags_t *compare_flags, iree_vm_list_t *outputs,
                                   iree_string_builder_t *builder, bool *out_match) {
  *out_match = true;
  if (flags->max_element_count < 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "flag '--output_max_element_count' must not be negative");
  }
  const iree_host_size_t max_element_count = (iree_host_size_t)flags->max_element_count;
  IREE_RETURN_IF_ERROR(call_bring_to_host(program, outputs));
  if (flags->expected_outputs.count) {
    return compare_results(program, function, flags, compare_flags, outputs, builder, out_match);
  }
  if (flags->outputs.count) {
    return value_write_list(outputs, flag_list_view(&flags->outputs), max_element_count,
                            program->host_allocator, builder);
  }
  return value_append_list(IREE_SV("result"), outputs, max_element_count, builder);
}

iree_status_t call_annotate(iree_status_t status, const iree_vm_function_t *function) {
  if (iree_status_is_ok(status)) return status;
  const iree_string_view_t declaration =
      iree_vm_function_lookup_attr_by_name(function, IREE_SV("iree.abi.declaration"));
  if (iree_string_view_is_empty(declaration)) return status;
  return iree_status_annotate_f(status, "`%.*s`", IREE_SV_ARGS(declaration));
}
