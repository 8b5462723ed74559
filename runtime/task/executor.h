// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work-stealing executor: workers that share jobs of many small units.
//
// A job is a number of units and a function that runs a range of them. Submitted jobs enter a
// common list; the worker that takes one splits its range in halves down to the job's grain, keeps
// the lower half and offers the upper one on its deque, where idle workers steal. Each worker so
// gets neighbouring units, and nobody is woken before there is something to steal. Nothing here
// allocates after creation. Idle workers poll for a bounded time, then sleep. A thread that waits
// for work may help meanwhile: it takes one of a few guest places, which are workers without a
// thread.
//
// The executor forgets a range before it calls the job for it: the call that finishes the last unit
// may submit the job again or free it.
#ifndef RUNTIME_TASK_EXECUTOR_H_
#define RUNTIME_TASK_EXECUTOR_H_

#include "iree/base/api.h"
#include "runtime/task/deque.h"
#include "runtime/task/topology.h"

typedef struct task_executor_t task_executor_t;
typedef struct task_worker_t task_worker_t;

struct task_job_t {
  // Runs units [begin, end). Called from several workers at once with disjoint ranges.
  void (*run)(task_job_t *job, uint32_t begin, uint32_t end, task_worker_t *worker);
  uint32_t grain;  // ranges are not split below this many units; at least 1
  // Of the executor while submitted:
  uint32_t unit_count;
  task_job_t *next;
};

typedef struct task_executor_options_t {
  iree_duration_t worker_spin_ns;  // how long an idle worker polls before it sleeps
  iree_host_size_t worker_stack_bytes;  // 0: the system's choice
} task_executor_options_t;
void task_executor_options_initialize(task_executor_options_t *out_options);

// Starts one worker per group of the topology.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no memory or no threads
iree_status_t task_executor_create(const task_topology_t *topology,
                                   const task_executor_options_t *options,
                                   iree_allocator_t host_allocator, task_executor_t **out_executor);
void task_executor_retain(task_executor_t *executor);
// The last release runs what was submitted, then ends the workers. It may be called on a worker.
void task_executor_release(task_executor_t *executor);

iree_host_size_t task_executor_worker_count(const task_executor_t *executor);

// Submits units [0, unit_count) of a job, unit_count > 0. |worker| is the calling worker or null.
//   owns:   |job| is borrowed until its last unit has run
//   thread: any thread
void task_executor_submit(task_executor_t *executor, task_job_t *job, uint32_t unit_count,
                          task_worker_t *worker);

// Runs submitted work in the calling thread until |is_done| says so or there has been none for a
// while. For threads that would only wait otherwise: work starts without waiting for a worker to
// wake up.
//   thread: any thread, also a worker
void task_executor_help(task_executor_t *executor, bool (*is_done)(void *arg), void *arg);

// Memory that belongs to the calling worker until its next call, at least |bytes| long and aligned
// to 64; null when there is none.
void *task_worker_local_memory(task_worker_t *worker, iree_host_size_t bytes);
uint32_t task_worker_index(const task_worker_t *worker);

// A worker that is not a thread: for jobs run in the caller's thread.
iree_status_t task_worker_create_guest(iree_allocator_t host_allocator, task_worker_t **out_worker);
void task_worker_free_guest(task_worker_t *worker);

#endif  // RUNTIME_TASK_EXECUTOR_H_
