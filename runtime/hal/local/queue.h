// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The queue of a local device: submissions wait for semaphores, run, signal semaphores.
//
// An operation whose waits are reached runs in the call that submits it, on as many threads as
// submit. One that has to wait becomes a submission, which enters the ready list when its waits are
// reached. Whoever puts it there issues it, and all that follow, unless another thread is at it:
// then that one does. So a chain of any length is a loop and not a recursion. With an executor,
// large work is handed to the workers.
#ifndef RUNTIME_HAL_LOCAL_QUEUE_H_
#define RUNTIME_HAL_LOCAL_QUEUE_H_

#include "base/threads.h"
#include "iree/hal/api.h"
#include "runtime/hal/local/commands.h"
#include "runtime/hal/local/trace.h"
#include "runtime/hal/recycler.h"
#include "runtime/task/executor.h"

typedef struct submission_t submission_t;

// Threads that may run operations in their calls at once; more become submissions.
#define LOCAL_QUEUE_MAX_GUESTS 16

typedef struct local_queue_t {
  task_executor_t *executor;  // null: everything runs in the threads that submit and signal
  iree_allocator_t block_allocator;
  iree_allocator_t host_allocator;
  spinlock_t lock;
  task_worker_t *guest;  // of the thread that issues
  uint32_t guest_count;  // of calling threads, idle or not
  uint32_t idle_guest_count;
  task_worker_t *idle_guests[LOCAL_QUEUE_MAX_GUESTS];
  bool is_issuing;
  submission_t *ready_head;
  submission_t *ready_tail;
  const local_trace_t *trace;  // &traced, or null when nobody listens
  local_trace_t traced;
} local_queue_t;

typedef enum operation_kind_e {
  OPERATION_BARRIER,
  OPERATION_EXECUTE,
  OPERATION_ALLOCA,
  OPERATION_DEALLOCA,
  OPERATION_READ,
  OPERATION_WRITE,
  OPERATION_HOST_CALL,
} operation_kind_t;

// What a submission does; everything named is retained by it.
typedef struct operation_t {
  operation_kind_t kind;
  iree_hal_command_buffer_t *command_buffer;
  iree_hal_buffer_binding_table_t binding_table;
  iree_hal_buffer_ref_t buffer_ref;
  iree_hal_file_t *file;
  uint64_t file_offset;
  iree_hal_host_call_t call;
  uint64_t call_args[4];
  iree_hal_queue_affinity_t queue_affinity;
} operation_t;

// |executor| is retained and may be null.
iree_status_t local_queue_initialize(task_executor_t *executor, iree_allocator_t block_allocator,
                                     iree_allocator_t host_allocator, local_queue_t *out_queue);
void local_queue_deinitialize(local_queue_t *queue);

// Tells |sink| of what the queue does, or nobody. |device| names the device there.
//   owns:   both are borrowed until the queue is gone
void local_queue_set_trace_sink(local_queue_t *queue, const iree_trace_sink_t *sink,
                                iree_string_view_t device);

// Submits an operation. |device| owns the queue and is kept alive until the operation is done.
//   errors: RESOURCE_EXHAUSTED  no host memory; later failures go to the signal semaphores
iree_status_t local_queue_submit(local_queue_t *queue, iree_hal_device_t *device,
                                 iree_hal_semaphore_list_t wait_list,
                                 iree_hal_semaphore_list_t signal_list,
                                 const operation_t *operation);

#endif  // RUNTIME_HAL_LOCAL_QUEUE_H_
