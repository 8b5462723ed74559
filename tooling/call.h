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

// A function of a program.
typedef struct call_t {
  const program_t *program;
  iree_vm_function_t function;
} call_t;

// Whether |function| takes (wait, signal) fences after its inputs and returns before the work is
// done.
bool call_is_async(const iree_vm_function_t *function);

// Parses |specs| along the parameters of the function.
//   owns:   transfers ownership of out_inputs to the caller
//   errors: those of value_parse_list
iree_status_t call_parse_inputs(const call_t *call, iree_string_view_list_t specs,
                                iree_vm_list_t **out_inputs);

// Calls the function, with fences of its own where it takes them, and waits until the results are
// there.
//   owns:   |inputs| gets the fences; results are appended to |outputs|
//   errors: those of the function
//           FAILED_PRECONDITION  fences, but no device to make them on
iree_status_t call_invoke(const call_t *call, iree_vm_list_t *inputs, iree_vm_list_t *outputs);

// Replaces buffers in |list| that the host cannot map by copies that it can.
//   errors: those of allocation and transfer
iree_status_t call_bring_to_host(const program_t *program, iree_vm_list_t *list);

// Where results go: printed, written or compared as the flags say.
typedef struct result_sink_t {
  const result_flags_t *flags;
  const compare_flags_t *compare_flags;
  iree_string_builder_t *text;  // gets what is to be printed
  bool is_match;                // result: false if an expected value differs
} result_sink_t;

// Handles the results of a call.
//   errors: those of values and files
iree_status_t call_process_results(const call_t *call, iree_vm_list_t *outputs,
                                   result_sink_t *sink);

// Adds the declaration of the function to a failing |status|, so that the message shows what it
// takes.
iree_status_t call_annotate(const call_t *call, iree_status_t status);

#endif  // TOOLING_CALL_H_
