// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function under measurement: its inputs, made once, and for functions that return before their
// work is done (coarse fences) the fences of a batch.
//
//   chain 0   [call 0] -> [call 2] -> ...      call i waits for call i - concurrency; one batch is
//   measured chain 1   [call 1] -> [call 3] -> ...      from its first call to the last fence

#ifndef TOOLING_SUBJECT_H_
#define TOOLING_SUBJECT_H_

#include "tooling/benchmark.h"
#include "tooling/call.h"

typedef struct subject_t {
  call_t call;
  char name[256];  // of the benchmark
  iree_vm_list_t *inputs;
  iree_vm_list_t *outputs;  // of the last call
  // Functions with fences only: per invocation of a batch its inputs and the fence it signals, per
  // chain the semaphore of its fences and the value reached.
  iree_host_size_t batch_size;
  iree_host_size_t concurrency;
  iree_vm_list_t **batch_inputs;
  iree_hal_fence_t **batch_fences;
  iree_hal_semaphore_t **chain_semaphores;
  uint64_t *chain_values;
} subject_t;

// Prepares |call| with the inputs of |specs|. |batch_size| is rounded up to whole chains; both
// counts are at least 1.
//   owns:   borrows the program; |subject| needs subject_deinit, also after failure
//   errors: those of parsing inputs; FAILED_PRECONDITION  fences, but no device
iree_status_t subject_init(const call_t *call, iree_string_view_list_t specs, int32_t batch_size,
                           int32_t concurrency, subject_t *subject);
void subject_deinit(subject_t *subject);

// Whether |function| can be called without inputs; fences do not count.
bool subject_needs_no_inputs(const iree_vm_function_t *function);

// The benchmark of |subject|, borrowing it.
benchmark_t subject_benchmark(subject_t *subject);

#endif  // TOOLING_SUBJECT_H_
