// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of exported functions from text to text: inputs parsed, fences added where the function
// wants them, results brought to the host and printed, written or compared.

#ifndef TOOLING_CALL_H_
#define TOOLING_CALL_H_

#include "tooling/compare.h"
#include "base/flags.h"
#include "tooling/program.h"

typedef struct call_flags_t {
  iree_string_view_t function;
  flag_list_t inputs;
} call_flags_t;

typedef struct result_flags_t {
  flag_list_t outputs;
  flag_list_t expected_outputs;
  int32_t max_element_count;
} result_flags_t;

extern const flag_group_t call_flag_group;
extern const flag_group_t result_flag_group;

static inline iree_string_view_list_t flag_list_view(const flag_list_t *list) {
  return (iree_string_view_list_t){list->count, list->values};
}

// Whether |function| takes (wait, signal) fences after its inputs and returns before the work is
// done.
bool call_is_async(const iree_vm_function_t *function);

// Parses |specs| along the parameters of |function|.
//   owns:   transfers ownership of out_inputs to the caller
//   errors: those of value_parse_list
iree_status_t call_parse_inputs(const program_t *program, const iree_vm_function_t *function,
                                iree_string_view_list_t specs, iree_vm_list_t **out_inputs);

// Appends fences to |inputs| if the function is async. |wait_fence| may be NULL; |out_signal_fence|
// is NULL for other functions.
//   owns:   transfers ownership of out_signal_fence to the caller
//   errors: FAILED_PRECONDITION  an async function in a program without devices
iree_status_t call_append_fences(const program_t *program, const iree_vm_function_t *function,
                                 iree_hal_fence_t *wait_fence, iree_vm_list_t *inputs,
                                 iree_hal_fence_t **out_signal_fence);

// Calls |function| and waits until the results are there.
//   owns:   results are appended to |outputs|
//   errors: those of the function
iree_status_t call_invoke(const program_t *program, const iree_vm_function_t *function,
                          iree_vm_list_t *inputs, iree_vm_list_t *outputs);

// Replaces buffers in |list| that the host cannot map by copies that it can.
//   errors: those of allocation and transfer
iree_status_t call_bring_to_host(const program_t *program, iree_vm_list_t *list);

// Prints, writes or compares |outputs| as the flags say; text for stdout is appended to |builder|.
// |out_match| is false if expected values differ.
//   errors: those of values and files
iree_status_t call_process_results(const program_t *program, const iree_vm_function_t *function,
                                   const result_flags_t *flags,
                                   const compare_flags_t *compare_flags, iree_vm_list_t *outputs,
                                   iree_string_builder_t *builder, bool *out_match);

// Adds the declaration of |function| to a failing |status|, so that the message shows what it
// takes.
iree_status_t call_annotate(iree_status_t status, const iree_vm_function_t *function);

#endif  // TOOLING_CALL_H_
