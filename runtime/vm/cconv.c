// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walking calling convention strings. They come from files, so they are checked before they are
// used.
#include "runtime/vm/cconv.h"

bool cconv_is_valid(iree_string_view_t fragment, bool allow_groups) {
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    char letter = fragment.data[i];
    if (letter == IREE_VM_CCONV_TYPE_SPAN_START) {
      if (!allow_groups) return false;
      iree_host_size_t begin = ++i;
      while (i < fragment.size && cconv_size(fragment.data[i])) ++i;
      if (i == begin || i == fragment.size || fragment.data[i] != IREE_VM_CCONV_TYPE_SPAN_END) {
        return false;
      }
    } else if (!cconv_size(letter)) {
      return false;
    }
  }
  return true;
}

iree_string_view_t cconv_take_group(iree_string_view_t fragment, iree_host_size_t *inout_i) {
  iree_host_size_t begin = *inout_i + 1;
  iree_host_size_t end = iree_string_view_find_char(fragment, IREE_VM_CCONV_TYPE_SPAN_END, begin);
  *inout_i = end + 1;
  return iree_string_view_substr(fragment, begin, end - begin);
}

iree_host_size_t cconv_group_alignment(iree_string_view_t group) {
  iree_host_size_t alignment = 1;
  for (iree_host_size_t i = 0; i < group.size; ++i) {
    alignment = iree_max(alignment, cconv_alignment(group.data[i]));
  }
  return alignment;
}

iree_host_size_t cconv_area_size(iree_string_view_t fragment) {
  iree_host_size_t size = 0;
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    char letter = fragment.data[i];
    size = iree_host_align(size, cconv_alignment(letter)) + cconv_size(letter);
  }
  return iree_host_align(size, CCONV_AREA_ALIGNMENT);
}

void cconv_release_refs(iree_string_view_t fragment, uint8_t *area) {
  iree_host_size_t offset = 0;
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    char letter = fragment.data[i];
    offset = iree_host_align(offset, cconv_alignment(letter));
    if (letter == IREE_VM_CCONV_TYPE_REF) {
      iree_vm_ref_release((iree_vm_ref_t *)(void *)(area + offset));
    }
    offset += cconv_size(letter);
  }
}

iree_status_t iree_vm_function_call_get_cconv_fragments(
    const iree_vm_function_signature_t *signature, iree_string_view_t *out_arguments,
    iree_string_view_t *out_results) {
  *out_arguments = iree_string_view_empty();
  *out_results = iree_string_view_empty();
  iree_string_view_t cconv = signature->calling_convention;
  if (cconv.size == 0) return iree_ok_status();  // takes and returns nothing
  if (cconv.data[0] != '0') {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "calling convention version `%c`; this runtime knows version 0",
                            cconv.data[0]);
  }
  iree_string_view_t arguments, results;
  iree_string_view_split(iree_string_view_remove_prefix(cconv, 1), '_', &arguments, &results);
  if (iree_string_view_equal(arguments, IREE_SV("v"))) arguments = iree_string_view_empty();
  if (iree_string_view_equal(results, IREE_SV("v"))) results = iree_string_view_empty();
  if (!cconv_is_valid(arguments, true) || !cconv_is_valid(results, false)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "malformed calling convention `%.*s`",
                            IREE_SV_ARGS(cconv));
  }
  *out_arguments = arguments;
  *out_results = results;
  return iree_ok_status();
}

bool iree_vm_function_call_is_variadic_cconv(iree_string_view_t cconv) {
  return iree_string_view_find_char(cconv, IREE_VM_CCONV_TYPE_SPAN_START, 0) !=
         IREE_STRING_VIEW_NPOS;
}

iree_status_t iree_vm_function_call_count_arguments_and_results(
    const iree_vm_function_signature_t *signature, iree_host_size_t *out_argument_count,
    iree_host_size_t *out_result_count) {
  *out_argument_count = 0;
  *out_result_count = 0;
  iree_string_view_t arguments, results;
  IREE_RETURN_IF_ERROR(iree_vm_function_call_get_cconv_fragments(signature, &arguments, &results));
  if (iree_vm_function_call_is_variadic_cconv(arguments)) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "functions with variadic arguments can only be called by modules");
  }
  *out_argument_count = arguments.size;
  *out_result_count = results.size;
  return iree_ok_status();
}
