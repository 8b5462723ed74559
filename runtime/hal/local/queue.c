// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting waits: |pending_waits| starts one higher than the number of waits, for the registration
// itself; whoever brings it to zero makes the submission ready. A failed wait withdraws the others,
// so that failure does not hang on semaphores that nobody will signal any more.
#include "runtime/hal/local/queue.h"

#include "runtime/hal/local/execution.h"
#include "runtime/hal/local/transient.h"

struct submission_t {
  submission_t *next;
  local_queue_t *queue;
  iree_hal_device_t *device;
  iree_allocator_t block_allocator;
  operation_t operation;
  iree_hal_semaphore_list_t wait_list;
  iree_hal_semaphore_list_t signal_list;
  iree_atomic_int32_t pending_waits;
  iree_atomic_int32_t is_registered;
  iree_atomic_intptr_t failure;                // the first iree_status_t of a wait
  iree_hal_semaphore_timepoint_t *timepoints;  // [wait_list.count]
  iree_time_t submitted_ns;                    // when traced
};

iree_status_t local_queue_initialize(task_executor_t *executor, iree_allocator_t block_allocator,
                                     iree_allocator_t host_allocator, local_queue_t *out_queue) {
  memset(out_queue, 0, sizeof(*out_queue));
  IREE_RETURN_IF_ERROR(task_worker_create_guest(host_allocator, &out_queue->guest));
  out_queue->block_allocator = block_allocator;
  out_queue->host_allocator = host_allocator;
  out_queue->executor = executor;
  if (executor) task_executor_retain(executor);
  return iree_ok_status();
}

void local_queue_deinitialize(local_queue_t *queue) {
  if (!queue->guest) return;
  task_executor_release(queue->executor);
  task_worker_free_guest(queue->guest);
  for (uint32_t i = 0; i < queue->idle_guest_count; ++i) {
    task_worker_free_guest(queue->idle_guests[i]);
  }
}

void local_queue_set_trace_sink(local_queue_t *queue, const iree_trace_sink_t *sink,
                                iree_string_view_t device) {
  queue->traced.sink = sink;
  queue->traced.device = device;
  queue->trace = sink ? &queue->traced : NULL;
}

static const char *operation_name(operation_kind_t kind) {
  switch (kind) {
    case OPERATION_BARRIER:
      return "barrier";
    case OPERATION_EXECUTE:
      return "execute";
    case OPERATION_ALLOCA:
      return "alloca";
    case OPERATION_DEALLOCA:
      return "dealloca";
    case OPERATION_READ:
      return "read";
    case OPERATION_WRITE:
      return "write";
    case OPERATION_HOST_CALL:
      return "host call";
  }
  return "unknown";
}

//===-- completion ----------------------------------------------------------------------------===//

static void release_operation(operation_t *operation) {
  for (iree_host_size_t i = 0; i < operation->binding_table.count; ++i) {
    iree_hal_buffer_release(operation->binding_table.bindings[i].buffer);
  }
  iree_hal_command_buffer_release(operation->command_buffer);
  iree_hal_buffer_release(operation->buffer_ref.buffer);
  iree_hal_file_release(operation->file);
}

static void retain_operation(operation_t *operation) {
  for (iree_host_size_t i = 0; i < operation->binding_table.count; ++i) {
    iree_hal_buffer_retain(operation->binding_table.bindings[i].buffer);
  }
  iree_hal_command_buffer_retain(operation->command_buffer);
  iree_hal_buffer_retain(operation->buffer_ref.buffer);
  iree_hal_file_retain(operation->file);
}

static void signal_or_fail(iree_hal_semaphore_list_t list, iree_status_t status) {
  if (iree_status_is_ok(status)) status = iree_hal_semaphore_list_signal(list, NULL);
  if (!iree_status_is_ok(status)) iree_hal_semaphore_list_fail(list, status);
}

#define FEW_SIGNALS 4

// Everything is let go before the signal, so that a waiter finds nothing in use any more: memory is
// back in its pools, and the next submission reuses this one's block.
static void complete(void *self, iree_status_t status) {
  submission_t *submission = (submission_t *)self;
  iree_allocator_t block_allocator = submission->block_allocator;
  iree_hal_semaphore_list_t list = submission->signal_list;
  const local_trace_t *trace = submission->queue->trace;
  if (IREE_UNLIKELY(trace != NULL)) {
    local_trace_operation(trace, submission->submitted_ns,
                          operation_name(submission->operation.kind), true);
  }
  release_operation(&submission->operation);
  iree_hal_semaphore_list_release(submission->wait_list);
  iree_hal_device_release(submission->device);
  if (list.count > FEW_SIGNALS) {
    signal_or_fail(list, status);
    iree_hal_semaphore_list_release(list);
    iree_allocator_free(block_allocator, submission);
    return;
  }
  iree_hal_semaphore_t *semaphores[FEW_SIGNALS];
  uint64_t payload_values[FEW_SIGNALS];
  memcpy(semaphores, list.semaphores, list.count * sizeof(semaphores[0]));
  memcpy(payload_values, list.payload_values, list.count * sizeof(payload_values[0]));
  iree_allocator_free(block_allocator, submission);
  list = (iree_hal_semaphore_list_t){list.count, semaphores, payload_values};
  signal_or_fail(list, status);
  iree_hal_semaphore_list_release(list);
}

//===-- issue ---------------------------------------------------------------------------------===//

static iree_status_t run_operation(const operation_t *operation, iree_hal_device_t *device,
                                   iree_hal_semaphore_list_t signal_list) {
  switch (operation->kind) {
    case OPERATION_BARRIER:
    case OPERATION_EXECUTE:
      return iree_ok_status();
    case OPERATION_ALLOCA:
      return transient_buffer_commit(operation->buffer_ref.buffer);
    case OPERATION_DEALLOCA:
      transient_buffer_retire(operation->buffer_ref.buffer);
      return iree_ok_status();
    case OPERATION_READ:
      return iree_hal_file_read(operation->file, operation->file_offset,
                                operation->buffer_ref.buffer, operation->buffer_ref.offset,
                                operation->buffer_ref.length);
    case OPERATION_WRITE:
      return iree_hal_file_write(operation->file, operation->file_offset,
                                 operation->buffer_ref.buffer, operation->buffer_ref.offset,
                                 operation->buffer_ref.length);
    case OPERATION_HOST_CALL: {
      iree_hal_host_call_context_t context = {device, operation->queue_affinity, signal_list};
      return operation->call.fn(operation->call.user_data, operation->call_args, &context);
    }
  }
  return iree_make_status(IREE_STATUS_INTERNAL, "unknown queue operation");
}

static void issue(submission_t *submission) {
  operation_t *operation = &submission->operation;
  iree_status_t failure =
      (iree_status_t)iree_atomic_load(&submission->failure, iree_memory_order_acquire);
  if (!iree_status_is_ok(failure)) {
    complete(submission, failure);
  } else if (operation->kind == OPERATION_EXECUTE) {
    local_queue_t *queue = submission->queue;
    execution_start((local_command_buffer_t *)operation->command_buffer, operation->binding_table,
                    queue->executor, queue->guest, queue->block_allocator, queue->trace,
                    (execution_done_t){complete, submission});
  } else {
    complete(submission, run_operation(operation, submission->device, submission->signal_list));
  }
}

static submission_t *take_ready(local_queue_t *queue) {
  spinlock_lock(&queue->lock);
  submission_t *submission = queue->ready_head;
  if (submission) {
    queue->ready_head = submission->next;
    if (!submission->next) queue->ready_tail = NULL;
  } else {
    queue->is_issuing = false;
  }
  spinlock_unlock(&queue->lock);
  return submission;
}

static void make_ready(submission_t *submission) {
  local_queue_t *queue = submission->queue;
  spinlock_lock(&queue->lock);
  submission->next = NULL;
  if (queue->ready_tail) {
    queue->ready_tail->next = submission;
  } else {
    queue->ready_head = submission;
  }
  queue->ready_tail = submission;
  bool issues_here = !queue->is_issuing;
  queue->is_issuing = true;
  // The last submission may drop the last reference to the device while the loop still needs it.
  iree_hal_device_t *device = submission->device;
  if (issues_here) iree_hal_device_retain(device);
  spinlock_unlock(&queue->lock);
  if (!issues_here) return;
  while ((submission = take_ready(queue))) issue(submission);
  iree_hal_device_release(device);
}

//===-- at once -------------------------------------------------------------------------------===//

static void keep_status(void *self, iree_status_t status) { *(iree_status_t *)self = status; }

// A place to run kernels for the calling thread; null when there is none left.
static task_worker_t *take_guest(local_queue_t *queue) {
  task_worker_t *guest = NULL;
  spinlock_lock(&queue->lock);
  bool makes_one = !queue->idle_guest_count && queue->guest_count < LOCAL_QUEUE_MAX_GUESTS;
  if (queue->idle_guest_count) {
    guest = queue->idle_guests[--queue->idle_guest_count];
  } else if (makes_one) {
    ++queue->guest_count;
  }
  spinlock_unlock(&queue->lock);
  if (!makes_one) return guest;
  iree_status_t status = task_worker_create_guest(queue->host_allocator, &guest);
  if (!iree_status_is_ok(status)) {
    iree_status_ignore(status);  // the operation runs as a submission
    spinlock_lock(&queue->lock);
    --queue->guest_count;
    spinlock_unlock(&queue->lock);
  }
  return guest;
}

static void give_guest(local_queue_t *queue, task_worker_t *guest) {
  spinlock_lock(&queue->lock);
  queue->idle_guests[queue->idle_guest_count++] = guest;
  spinlock_unlock(&queue->lock);
}

// The common case: nothing to wait for, nothing to hand over. The operation is done in the call,
// with what the caller holds alive, and needs no submission. False when it is not that case.
static bool run_at_once(local_queue_t *queue, iree_hal_device_t *device,
                        iree_hal_semaphore_list_t signal_list, const operation_t *operation) {
  iree_status_t status = iree_ok_status();
  const iree_time_t begin_ns = local_trace_begin(queue->trace);
  if (operation->kind == OPERATION_EXECUTE) {
    local_command_buffer_t *commands = (local_command_buffer_t *)operation->command_buffer;
    if (!execution_is_inline(commands, queue->executor)) return false;
    task_worker_t *guest = take_guest(queue);
    if (!guest) return false;
    execution_start(commands, operation->binding_table, queue->executor, guest,
                    queue->block_allocator, queue->trace,
                    (execution_done_t){keep_status, &status});
    give_guest(queue, guest);
  } else {
    status = run_operation(operation, device, signal_list);
  }
  if (IREE_UNLIKELY(queue->trace != NULL)) {
    local_trace_operation(queue->trace, begin_ns, operation_name(operation->kind), false);
  }
  signal_or_fail(signal_list, status);
  return true;
}

//===-- waits ---------------------------------------------------------------------------------===//

static void drop_pending(submission_t *submission, int32_t count) {
  if (count && iree_atomic_fetch_sub(&submission->pending_waits, count,
                                     iree_memory_order_acq_rel) == count) {
    make_ready(submission);
  }
}

static void record_wait_failure(submission_t *submission, iree_status_t status) {
  intptr_t expected = 0;
  if (!iree_atomic_compare_exchange_strong(&submission->failure, &expected, (intptr_t)status,
                                           iree_memory_order_seq_cst, iree_memory_order_relaxed)) {
    iree_status_free(status);
  }
}

// Withdraws the waits that are not reached yet. The caller holds a pending count.
static int32_t cancel_waits(submission_t *submission) {
  int32_t cancelled_count = 0;
  for (iree_host_size_t i = 0; i < submission->wait_list.count; ++i) {
    if (iree_hal_semaphore_cancel_timepoint(submission->wait_list.semaphores[i],
                                            &submission->timepoints[i])) {
      ++cancelled_count;
    }
  }
  return cancelled_count;
}

static void wait_reached(void *user_data, iree_hal_semaphore_timepoint_t *timepoint,
                         iree_status_t status) {
  (void)timepoint;
  submission_t *submission = (submission_t *)user_data;
  int32_t count = 1;
  if (!iree_status_is_ok(status)) {
    record_wait_failure(submission, status);
    if (iree_atomic_load(&submission->is_registered, iree_memory_order_seq_cst)) {
      count += cancel_waits(submission);
    }
  }
  drop_pending(submission, count);
}

static void register_waits(submission_t *submission) {
  iree_host_size_t wait_count = submission->wait_list.count;
  iree_atomic_store(&submission->pending_waits, (int32_t)wait_count + 1, iree_memory_order_relaxed);
  int32_t count = 1;
  for (iree_host_size_t i = 0; i < wait_count; ++i) {
    iree_status_t status = iree_ok_status();
    if (iree_hal_semaphore_acquire_timepoint(submission->wait_list.semaphores[i],
                                             submission->wait_list.payload_values[i], wait_reached,
                                             submission, &submission->timepoints[i], &status)) {
      continue;
    }
    ++count;
    if (!iree_status_is_ok(status)) record_wait_failure(submission, status);
  }
  iree_atomic_store(&submission->is_registered, 1, iree_memory_order_seq_cst);
  if (iree_atomic_load(&submission->failure, iree_memory_order_seq_cst)) {
    count += cancel_waits(submission);
  }
  drop_pending(submission, count);
}

//===-- submission ----------------------------------------------------------------------------===//

static void *bump(uint8_t **head, iree_host_size_t bytes) {
  void *result = *head;
  *head += iree_host_align(bytes, 16);
  return result;
}

// Copies a list into the submission's block and retains its semaphores.
static iree_hal_semaphore_list_t copy_list(iree_hal_semaphore_list_t source, uint8_t **head) {
  iree_hal_semaphore_list_t list = {source.count, NULL, NULL};
  list.semaphores = (iree_hal_semaphore_t **)bump(head, source.count * sizeof(list.semaphores[0]));
  list.payload_values = (uint64_t *)bump(head, source.count * sizeof(list.payload_values[0]));
  if (source.count) {
    memcpy(list.semaphores, source.semaphores, source.count * sizeof(list.semaphores[0]));
    memcpy(list.payload_values, source.payload_values,
           source.count * sizeof(list.payload_values[0]));
    iree_hal_semaphore_list_retain(list);
  }
  return list;
}

iree_status_t local_queue_submit(local_queue_t *queue, iree_hal_device_t *device,
                                 iree_hal_semaphore_list_t wait_list,
                                 iree_hal_semaphore_list_t signal_list,
                                 const operation_t *operation) {
  // Usually everything that is waited for has happened.
  bool is_reached = iree_hal_semaphore_list_poll(wait_list);
  if (is_reached && run_at_once(queue, device, signal_list, operation)) return iree_ok_status();
  iree_hal_buffer_binding_table_t table = operation->binding_table;
  iree_host_size_t table_bytes = table.count * sizeof(table.bindings[0]);
  iree_host_size_t bytes =
      iree_host_align(sizeof(submission_t), 16) + iree_host_align(table_bytes, 16) +
      wait_list.count *
          (sizeof(uint64_t) + sizeof(void *) + sizeof(iree_hal_semaphore_timepoint_t)) +
      signal_list.count * (sizeof(uint64_t) + sizeof(void *)) + 5 * 16;
  submission_t *submission = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(queue->block_allocator, bytes, (void **)&submission));
  memset(submission, 0, sizeof(*submission));
  uint8_t *head = (uint8_t *)submission + iree_host_align(sizeof(*submission), 16);
  submission->queue = queue;
  submission->submitted_ns = local_trace_begin(queue->trace);
  submission->device = device;
  iree_hal_device_retain(device);
  submission->block_allocator = queue->block_allocator;
  submission->operation = *operation;
  submission->wait_list = copy_list(wait_list, &head);
  submission->signal_list = copy_list(signal_list, &head);
  submission->timepoints = (iree_hal_semaphore_timepoint_t *)bump(
      &head, wait_list.count * sizeof(submission->timepoints[0]));
  if (table_bytes) {
    void *bindings = bump(&head, table_bytes);
    memcpy(bindings, table.bindings, table_bytes);
    submission->operation.binding_table.bindings = (const iree_hal_buffer_binding_t *)bindings;
  }
  retain_operation(&submission->operation);
  if (is_reached) {
    make_ready(submission);
  } else {
    register_waits(submission);
  }
  return iree_ok_status();
}
