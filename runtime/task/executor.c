// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sleeping: a worker announces itself in |sleeping_count|, looks once more for work, then waits for
// a token. Whoever offers work afterwards sees the count, takes one sleeper off it and leaves a
// token, so that each offer wakes at most one worker and none is lost: either the worker's last
// look sees the offer, or the offer sees the worker.
#include "runtime/task/executor.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "base/threads.h"
#include "runtime/task/float_mode.h"

#define LOCAL_MEMORY_ALIGNMENT 64
#define GUEST_COUNT 4  // threads that may help at once; more only wait

struct task_worker_t {
  task_deque_t deque;
  task_executor_t *executor;  // null for guests
  iree_allocator_t host_allocator;
  pthread_t thread;
  uint32_t index;
  uint32_t processor_id;
  bool is_started;
  iree_atomic_int32_t is_claimed;  // guest places: a thread is in it
  bool frees_executor;             // the last release ran on this worker
  uint32_t victim_seed;
  void *local_memory;
  iree_host_size_t local_memory_bytes;
};

struct task_executor_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t host_allocator;
  iree_duration_t worker_spin_ns;
  iree_host_size_t worker_count;
  iree_host_size_t place_count;  // workers, then guest places
  task_worker_t *workers;

  mutex_t mutex;
  condition_t token_added;
  iree_host_size_t token_count;
  iree_atomic_uint32_t sleeping_count;  // changed with the mutex held
  iree_atomic_int32_t is_stopping;

  iree_atomic_uint32_t submitted_count;  // length of the list below
  task_job_t *submitted_head;
  task_job_t *submitted_tail;
};

//===-- finding work --------------------------------------------------------------------------===//

static void wake_one(task_executor_t *executor) {
  if (!iree_atomic_load(&executor->sleeping_count, iree_memory_order_seq_cst)) return;
  mutex_lock(&executor->mutex);
  if (iree_atomic_load(&executor->sleeping_count, iree_memory_order_relaxed)) {
    iree_atomic_fetch_sub(&executor->sleeping_count, 1, iree_memory_order_seq_cst);
    ++executor->token_count;
    condition_signal(&executor->token_added);
  }
  mutex_unlock(&executor->mutex);
}

static bool take_submitted(task_executor_t *executor, task_t *out_task) {
  if (!iree_atomic_load(&executor->submitted_count, iree_memory_order_seq_cst)) return false;
  mutex_lock(&executor->mutex);
  task_job_t *job = executor->submitted_head;
  if (job) {
    executor->submitted_head = job->next;
    if (!job->next) executor->submitted_tail = NULL;
    iree_atomic_fetch_sub(&executor->submitted_count, 1, iree_memory_order_seq_cst);
    *out_task = (task_t){job, 0, job->unit_count};
  }
  mutex_unlock(&executor->mutex);
  return job != NULL;
}

static bool steal_any(task_worker_t *worker, task_t *out_task) {
  task_executor_t *executor = worker->executor;
  worker->victim_seed = worker->victim_seed * 1664525u + 1013904223u;
  iree_host_size_t start = (worker->victim_seed >> 16) % executor->place_count;
  for (iree_host_size_t i = 0; i < executor->place_count; ++i) {
    task_worker_t *victim = &executor->workers[(start + i) % executor->place_count];
    if (victim != worker && task_deque_steal(&victim->deque, out_task)) return true;
  }
  return false;
}

static bool find_task(task_worker_t *worker, task_t *out_task) {
  return task_deque_pop(&worker->deque, out_task) || steal_any(worker, out_task) ||
         take_submitted(worker->executor, out_task);
}

static bool has_work(task_executor_t *executor) {
  if (iree_atomic_load(&executor->submitted_count, iree_memory_order_seq_cst)) return true;
  for (iree_host_size_t i = 0; i < executor->place_count; ++i) {
    if (!task_deque_is_empty(&executor->workers[i].deque)) return true;
  }
  return false;
}

static void run_task(task_worker_t *worker, task_t task) {
  task_job_t *job = task.job;
  uint32_t grain = job->grain ? job->grain : 1;
  while (task.end - task.begin > grain) {
    uint32_t half_count = (task.end - task.begin) / 2;
    uint32_t middle = task.begin + (half_count + grain - 1) / grain * grain;
    task_t upper = {job, middle, task.end};
    if (!task_deque_push(&worker->deque, upper)) break;
    wake_one(worker->executor);
    task.end = middle;
  }
  job->run(job, task.begin, task.end, worker);
}

//===-- workers -------------------------------------------------------------------------------===//

// Returns false when the executor is stopping.
static bool sleep_until_token(task_worker_t *worker) {
  task_executor_t *executor = worker->executor;
  mutex_lock(&executor->mutex);
  iree_atomic_fetch_add(&executor->sleeping_count, 1, iree_memory_order_seq_cst);
  mutex_unlock(&executor->mutex);
  bool stays_awake = has_work(executor);
  mutex_lock(&executor->mutex);
  while (!stays_awake && !executor->token_count &&
         !iree_atomic_load(&executor->is_stopping, iree_memory_order_relaxed)) {
    condition_wait_until(&executor->token_added, &executor->mutex, IREE_TIME_INFINITE_FUTURE);
  }
  if (executor->token_count) {
    --executor->token_count;
  } else {
    iree_atomic_fetch_sub(&executor->sleeping_count, 1, iree_memory_order_seq_cst);
  }
  bool is_stopping = iree_atomic_load(&executor->is_stopping, iree_memory_order_relaxed);
  mutex_unlock(&executor->mutex);
  return !is_stopping || has_work(executor);
}

static bool never_done(void *arg) {
  (void)arg;
  return false;
}

// Looks for work for a bounded time; false when there was none or it is not wanted any more.
static bool poll_for_task(task_worker_t *worker, bool (*is_done)(void *arg), void *arg,
                          task_t *out_task) {
  iree_time_t deadline_ns = 0;
  for (;;) {
    for (int i = 0; i < 32; ++i) {
      if (is_done(arg)) return false;
      if (find_task(worker, out_task)) return true;
      cpu_relax();
    }
    iree_time_t now_ns = iree_time_now();
    if (!deadline_ns) deadline_ns = now_ns + worker->executor->worker_spin_ns;
    if (now_ns >= deadline_ns) return false;
  }
}

static void executor_free(task_executor_t *executor);

static void *worker_main(void *arg) {
  task_worker_t *worker = (task_worker_t *)arg;
  if (worker->processor_id != TASK_TOPOLOGY_ANY_PROCESSOR) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(worker->processor_id, &set);
    pthread_setaffinity_np(pthread_self(), sizeof(set), &set);  // a wish: runs unpinned otherwise
  }
  char name[16];  // what the system allows
  snprintf(name, sizeof(name), "iree-worker-%u", worker->index % 1000);
  pthread_setname_np(pthread_self(), name);
  float_mode_enter();  // for good: this thread runs kernels only
  do {
    task_t task;
    while (poll_for_task(worker, never_done, NULL, &task)) run_task(worker, task);
  } while (!worker->frees_executor && sleep_until_token(worker));
  if (worker->frees_executor) executor_free(worker->executor);
  return NULL;
}

void *task_worker_local_memory(task_worker_t *worker, iree_host_size_t bytes) {
  if (bytes <= worker->local_memory_bytes) return worker->local_memory;
  iree_allocator_free_aligned(worker->host_allocator, worker->local_memory);
  worker->local_memory = NULL;
  worker->local_memory_bytes = 0;
  iree_status_t status = iree_allocator_malloc_aligned(
      worker->host_allocator, bytes, LOCAL_MEMORY_ALIGNMENT, 0, &worker->local_memory);
  if (!iree_status_is_ok(status)) {
    iree_status_free(status);
    return NULL;
  }
  worker->local_memory_bytes = bytes;
  return worker->local_memory;
}

uint32_t task_worker_index(const task_worker_t *worker) { return worker->index; }

iree_status_t task_worker_create_guest(iree_allocator_t host_allocator,
                                       task_worker_t **out_worker) {
  *out_worker = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_aligned(
      host_allocator, sizeof(task_worker_t), iree_alignof(task_worker_t), 0, (void **)out_worker));
  (*out_worker)->host_allocator = host_allocator;
  return iree_ok_status();
}

void task_worker_free_guest(task_worker_t *worker) {
  if (!worker) return;
  iree_allocator_free_aligned(worker->host_allocator, worker->local_memory);
  iree_allocator_free_aligned(worker->host_allocator, worker);
}

//===-- executor ------------------------------------------------------------------------------===//

void task_executor_options_initialize(task_executor_options_t *out_options) {
  out_options->worker_spin_ns = 20000;
  out_options->worker_stack_bytes = 0;
}

// Ends the workers. On one of them, that one cannot be waited for and frees the executor itself.
static void executor_stop(task_executor_t *executor) {
  mutex_lock(&executor->mutex);
  iree_atomic_store(&executor->is_stopping, 1, iree_memory_order_seq_cst);
  condition_broadcast(&executor->token_added);
  mutex_unlock(&executor->mutex);
  bool is_on_worker = false;
  for (iree_host_size_t i = 0; i < executor->worker_count; ++i) {
    task_worker_t *worker = &executor->workers[i];
    if (!worker->is_started) continue;
    if (pthread_equal(worker->thread, pthread_self())) {
      is_on_worker = worker->frees_executor = true;
      pthread_detach(worker->thread);
    } else {
      pthread_join(worker->thread, NULL);
    }
  }
  if (!is_on_worker) executor_free(executor);
}

static void executor_free(task_executor_t *executor) {
  for (iree_host_size_t i = 0; i < executor->place_count; ++i) {
    iree_allocator_free_aligned(executor->host_allocator, executor->workers[i].local_memory);
  }
  iree_allocator_free_aligned(executor->host_allocator, executor->workers);
  condition_deinit(&executor->token_added);
  mutex_deinit(&executor->mutex);
  iree_allocator_free(executor->host_allocator, executor);
}

iree_status_t task_executor_create(const task_topology_t *topology,
                                   const task_executor_options_t *options,
                                   iree_allocator_t host_allocator,
                                   task_executor_t **out_executor) {
  *out_executor = NULL;
  task_executor_t *executor = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(host_allocator, sizeof(*executor), (void **)&executor));
  iree_status_t status = iree_allocator_malloc_aligned(
      host_allocator, (topology->group_count + GUEST_COUNT) * sizeof(task_worker_t),
      iree_alignof(task_worker_t), 0, (void **)&executor->workers);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(host_allocator, executor);
    return status;
  }
  iree_atomic_ref_count_init(&executor->ref_count);
  executor->host_allocator = host_allocator;
  executor->worker_spin_ns = options->worker_spin_ns;
  executor->worker_count = topology->group_count;
  executor->place_count = topology->group_count + GUEST_COUNT;
  mutex_init(&executor->mutex);
  condition_init(&executor->token_added);
  for (iree_host_size_t i = 0; i < executor->place_count; ++i) {
    task_worker_t *worker = &executor->workers[i];
    worker->executor = executor;
    worker->host_allocator = host_allocator;
    worker->index = (uint32_t)i;
    worker->processor_id =
        i < executor->worker_count ? topology->processor_ids[i] : TASK_TOPOLOGY_ANY_PROCESSOR;
    worker->victim_seed = (uint32_t)i * 2654435761u;
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  // Sizes that the system refuses leave its own.
  if (options->worker_stack_bytes) {
    (void)pthread_attr_setstacksize(&attributes, options->worker_stack_bytes);
  }
  for (iree_host_size_t i = 0; i < executor->worker_count && iree_status_is_ok(status); ++i) {
    task_worker_t *worker = &executor->workers[i];
    int error = pthread_create(&worker->thread, &attributes, worker_main, worker);
    worker->is_started = error == 0;
    if (error) {
      status = iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "cannot start worker %zu of %zu", i,
                                executor->worker_count);
    }
  }
  pthread_attr_destroy(&attributes);
  if (!iree_status_is_ok(status)) {
    executor_stop(executor);
    return status;
  }
  *out_executor = executor;
  return iree_ok_status();
}

void task_executor_retain(task_executor_t *executor) {
  iree_atomic_ref_count_inc(&executor->ref_count);
}

void task_executor_release(task_executor_t *executor) {
  if (executor && iree_atomic_ref_count_dec(&executor->ref_count) == 1) executor_stop(executor);
}

iree_host_size_t task_executor_worker_count(const task_executor_t *executor) {
  return executor->worker_count;
}

void task_executor_submit(task_executor_t *executor, task_job_t *job, uint32_t unit_count,
                          task_worker_t *worker) {
  job->unit_count = unit_count;
  job->next = NULL;
  task_t task = {job, 0, unit_count};
  if (worker && worker->executor == executor && task_deque_push(&worker->deque, task)) return;
  mutex_lock(&executor->mutex);
  if (executor->submitted_tail) {
    executor->submitted_tail->next = job;
  } else {
    executor->submitted_head = job;
  }
  executor->submitted_tail = job;
  iree_atomic_fetch_add(&executor->submitted_count, 1, iree_memory_order_seq_cst);
  mutex_unlock(&executor->mutex);
  wake_one(executor);
}

static task_worker_t *claim_guest(task_executor_t *executor) {
  for (iree_host_size_t i = executor->worker_count; i < executor->place_count; ++i) {
    int32_t expected = 0;
    if (iree_atomic_compare_exchange_strong(&executor->workers[i].is_claimed, &expected, 1,
                                            iree_memory_order_acquire, iree_memory_order_relaxed)) {
      return &executor->workers[i];
    }
  }
  return NULL;
}

// What is left on the guest's deque when it goes is stolen by others like any other work.
void task_executor_help(task_executor_t *executor, bool (*is_done)(void *arg), void *arg) {
  task_worker_t *guest = has_work(executor) ? claim_guest(executor) : NULL;
  if (!guest) return;
  task_executor_retain(executor);  // work may drop the last reference to it
  uint64_t float_mode = float_mode_enter();
  task_t task;
  while (poll_for_task(guest, is_done, arg, &task)) run_task(guest, task);
  float_mode_leave(float_mode);
  iree_atomic_store(&guest->is_claimed, 0, iree_memory_order_release);
  task_executor_release(executor);
}
