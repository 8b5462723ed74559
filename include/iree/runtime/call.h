// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function of a session with lists for its inputs and outputs, usable for many invocations.
#ifndef IREE_RUNTIME_CALL_H_
#define IREE_RUNTIME_CALL_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_runtime_session_t iree_runtime_session_t;

enum iree_runtime_call_flag_bits_t {
  IREE_RUNTIME_CALL_FLAG_RESERVED = 0u,
};
typedef uint32_t iree_runtime_call_flags_t;

// In the caller's storage; not to be copied while initialized.
typedef struct iree_runtime_call_t {
  iree_runtime_session_t *session;
  iree_vm_function_t function;
  iree_vm_list_t *inputs;
  iree_vm_list_t *outputs;
} iree_runtime_call_t;

// Prepares a call of |function|, or of the one named "module.function".
//   owns:   retains the session; pair with iree_runtime_call_deinitialize on success
//   errors: NOT_FOUND           no such function
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_runtime_call_initialize(iree_runtime_session_t *session,
                                                           iree_vm_function_t function,
                                                           iree_runtime_call_t *out_call);
IREE_API_EXPORT iree_status_t iree_runtime_call_initialize_by_name(iree_runtime_session_t *session,
                                                                   iree_string_view_t full_name,
                                                                   iree_runtime_call_t *out_call);
IREE_API_EXPORT void iree_runtime_call_deinitialize(iree_runtime_call_t *call);

// Empties both lists for the next invocation.
//   errors: none
IREE_API_EXPORT void iree_runtime_call_reset(iree_runtime_call_t *call);

// The lists.
//   owns:   borrowed from |call| until it is deinitialized
//   errors: none
IREE_API_EXPORT iree_vm_list_t *iree_runtime_call_inputs(const iree_runtime_call_t *call);
IREE_API_EXPORT iree_vm_list_t *iree_runtime_call_outputs(const iree_runtime_call_t *call);

// Invokes the function and blocks until it returns; results are appended to the outputs.
//   errors: as iree_runtime_session_call
IREE_API_EXPORT iree_status_t iree_runtime_call_invoke(iree_runtime_call_t *call,
                                                       iree_runtime_call_flags_t flags);

// Appends a tensor to the inputs.
//   owns:   retains the view
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_runtime_call_inputs_push_back_buffer_view(
    iree_runtime_call_t *call, iree_hal_buffer_view_t *buffer_view);

// Takes the first output, which must be a tensor.
//   owns:   transfers ownership to the caller
//   errors: OUT_OF_RANGE      no outputs left
//           INVALID_ARGUMENT  the output is no tensor
IREE_API_EXPORT iree_status_t iree_runtime_call_outputs_pop_front_buffer_view(
    iree_runtime_call_t *call, iree_hal_buffer_view_t **out_buffer_view);

#ifdef __cplusplus
}
#endif

#endif  // IREE_RUNTIME_CALL_H_
