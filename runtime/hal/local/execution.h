// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of a recorded command buffer, in the caller or on the workers of an executor.
//
// The work of a wave is a row of units: ranges of workgroups, pieces of transfers. The last unit of
// a wave starts the next one in whichever worker ran it; the last of all calls |done| and frees the
// run.
#ifndef RUNTIME_HAL_LOCAL_EXECUTION_H_
#define RUNTIME_HAL_LOCAL_EXECUTION_H_

#include "runtime/hal/local/commands.h"
#include "runtime/hal/local/trace.h"
#include "runtime/task/executor.h"

// Called once with the outcome; owns the status.
typedef struct execution_done_t {
  void (*fn)(void *self, iree_status_t status);
  void *self;
} execution_done_t;

// Whether a run is done before execution_start returns.
bool execution_is_inline(const local_command_buffer_t *commands, const task_executor_t *executor);

// Starts a run. With an executor, work that pays for it goes to its workers and the call returns;
// everything else is done before it returns. |guest| serves work in the calling thread.
//   owns:   |commands|, |trace| (may be null) and what the table names are borrowed until |done| is called
//   errors: through |done| only
void execution_start(local_command_buffer_t *commands,
                     iree_hal_buffer_binding_table_t binding_table, task_executor_t *executor,
                     task_worker_t *guest, iree_allocator_t block_allocator, const local_trace_t *trace,
                     execution_done_t done);

#endif  // RUNTIME_HAL_LOCAL_EXECUTION_H_
