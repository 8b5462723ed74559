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

// The letters of the calling convention for arguments and results.
static iree_status_t call_conventions(const call_t *call, iree_string_view_t *out_arguments,
                                      iree_string_view_t *out_results) {
  const iree_vm_function_signature_t signature = iree_vm_function_signature(&call->function);
  return iree_vm_function_call_get_cconv_fragments(&signature, out_arguments, out_results);
}

iree_status_t call_parse_inputs(const call_t *call, iree_string_view_list_t specs,
                                iree_vm_list_t **out_inputs) {
  *out_inputs = NULL;
  iree_string_view_t arguments, results;
  IREE_RETURN_IF_ERROR(call_conventions(call, &arguments, &results));
  const value_target_t target = program_value_target(call->program);
  return iree_status_annotate_f(value_parse_list(arguments, specs, &target, out_inputs),
                                "parsing function inputs");
}

static iree_status_t push_fence(iree_vm_list_t *list, iree_hal_fence_t *fence) {
  iree_vm_ref_t ref = fence ? iree_hal_fence_retain_ref(fence) : iree_vm_ref_null();
  iree_status_t status = iree_vm_list_push_ref_move(list, &ref);
  iree_vm_ref_release(&ref);
  return status;
}

// Appends (null, fence) if the function takes fences; the second one is for the caller to wait on.
static iree_status_t append_fences(const call_t *call, iree_vm_list_t *inputs,
                                   iree_hal_fence_t **out_fence) {
  *out_fence = NULL;
  if (!call_is_async(&call->function)) return iree_ok_status();
  iree_hal_device_t *device = program_device(call->program);
  if (!device) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "the function takes fences, but no module uses the hal module, so that "
                            "there is no device to make them on");
  }
  iree_hal_semaphore_t *semaphore = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_semaphore_create(device, IREE_HAL_QUEUE_AFFINITY_ANY, 0ull,
                                                 IREE_HAL_SEMAPHORE_FLAG_DEFAULT, &semaphore));
  iree_hal_fence_t *fence = NULL;
  iree_status_t status =
      iree_hal_fence_create_at(semaphore, 1ull, call->program->host_allocator, &fence);
  iree_hal_semaphore_release(semaphore);
  if (iree_status_is_ok(status)) status = push_fence(inputs, NULL);
  if (iree_status_is_ok(status)) status = push_fence(inputs, fence);
  if (iree_status_is_ok(status)) {
    *out_fence = fence;
  } else {
    iree_hal_fence_release(fence);
  }
  return status;
}

iree_status_t call_invoke(const call_t *call, iree_vm_list_t *inputs, iree_vm_list_t *outputs) {
  iree_hal_fence_t *fence = NULL;
  IREE_RETURN_IF_ERROR(append_fences(call, inputs, &fence));
  iree_status_t status =
      iree_vm_invoke(call->program->context, call->function, IREE_VM_INVOCATION_FLAG_NONE,
                     /*policy=*/NULL, inputs, outputs, call->program->host_allocator);
  if (iree_status_is_ok(status) && fence) {
    status = iree_hal_fence_wait(fence, iree_infinite_timeout(), IREE_ASYNC_WAIT_FLAG_NONE);
  }
  iree_hal_fence_release(fence);
  return iree_status_annotate_f(status, "invoking function '%.*s'",
                                IREE_SV_ARGS(iree_vm_function_name(&call->function)));
}

//===-- results ------------------------------------------------------------------------------===//

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

static iree_status_t compare_results(const call_t *call, iree_vm_list_t *outputs,
                                     result_sink_t *sink) {
  iree_string_view_t arguments, results;
  IREE_RETURN_IF_ERROR(call_conventions(call, &arguments, &results));
  // In host memory, so that device statistics show the program alone.
  const iree_allocator_t allocator = call->program->host_allocator;
  value_target_t target = {.host_allocator = allocator};
  IREE_RETURN_IF_ERROR(
      iree_hal_allocator_create_heap(IREE_SV("heap"), allocator, allocator, &target.allocator));
  iree_vm_list_t *expected = NULL;
  iree_status_t status = iree_status_annotate_f(
      value_parse_list(results, flag_list_view(&sink->flags->expected_outputs), &target, &expected),
      "parsing expected function outputs");
  comparison_t comparison = {.flags = sink->compare_flags,
                             .max_element_count = (iree_host_size_t)sink->flags->max_element_count,
                             .report = sink->text};
  if (iree_status_is_ok(status)) status = compare_lists(&comparison, expected, outputs);
  if (iree_status_is_ok(status) && comparison.is_match) {
    status = iree_string_builder_append_cstring(
        sink->text, "[SUCCESS] all function outputs matched their expected values.\n");
  }
  sink->is_match = comparison.is_match;
  iree_vm_list_release(expected);
  iree_hal_allocator_release(target.allocator);
  return status;
}

iree_status_t call_process_results(const call_t *call, iree_vm_list_t *outputs,
                                   result_sink_t *sink) {
  const result_flags_t *flags = sink->flags;
  sink->is_match = true;
  if (flags->max_element_count < 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "flag '--output_max_element_count' must not be negative");
  }
  const iree_host_size_t max_element_count = (iree_host_size_t)flags->max_element_count;
  IREE_RETURN_IF_ERROR(call_bring_to_host(call->program, outputs));
  if (flags->expected_outputs.count) return compare_results(call, outputs, sink);
  if (flags->outputs.count) {
    return value_write_list(outputs, flag_list_view(&flags->outputs), max_element_count,
                            call->program->host_allocator, sink->text);
  }
  return value_append_list(IREE_SV("result"), outputs, max_element_count, sink->text);
}

iree_status_t call_annotate(const call_t *call, iree_status_t status) {
  if (iree_status_is_ok(status)) return status;
  const iree_string_view_t declaration =
      iree_vm_function_lookup_attr_by_name(&call->function, IREE_SV("iree.abi.declaration"));
  if (iree_string_view_is_empty(declaration)) return status;
  return iree_status_annotate_f(status, "`%.*s`", IREE_SV_ARGS(declaration));
}
