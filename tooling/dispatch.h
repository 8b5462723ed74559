// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel under measurement: a command buffer with a batch of its dispatches, one after the other,
// recorded once and executed again and again.

#ifndef TOOLING_DISPATCH_H_
#define TOOLING_DISPATCH_H_

#include "iree/hal/api.h"
#include "tooling/benchmark.h"

// What to dispatch; all of it is borrowed.
typedef struct dispatch_t {
  iree_hal_device_t *device;
  iree_hal_executable_t *executable;
  iree_hal_executable_function_t function;
  iree_const_byte_span_t constants;
  iree_hal_buffer_ref_list_t bindings;
} dispatch_t;

typedef struct dispatch_subject_t {
  uint32_t workgroup_count[3];  // set before init
  int32_t batch_size;
  iree_hal_device_t *device;
  iree_hal_command_buffer_t *commands;
  iree_hal_semaphore_t *semaphore;
  uint64_t value;  // that the semaphore has reached
  char name[96];   // of the benchmark
} dispatch_subject_t;

// Reads "x,y,z".
//   errors: INVALID_ARGUMENT  any other text
iree_status_t dispatch_parse_workgroup_count(iree_string_view_t text, uint32_t *out_count);

// Records |batch_size| dispatches of |subject|'s workgroups.
//   owns:   |subject| needs dispatch_subject_deinit, also after failure
//   errors: those of recording: wrong numbers of constants and bindings, buffers that do not fit
iree_status_t dispatch_subject_init(const dispatch_t *dispatch, int32_t batch_size,
                                    dispatch_subject_t *subject);
void dispatch_subject_deinit(dispatch_subject_t *subject);

// The benchmark of |subject|, borrowing it; its items are workgroups.
benchmark_t dispatch_subject_benchmark(dispatch_subject_t *subject);

#endif  // TOOLING_DISPATCH_H_
