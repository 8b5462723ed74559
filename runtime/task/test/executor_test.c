// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The deque and the executor under load; run under a thread sanitizer too.
#include "runtime/task/executor.h"

#include <pthread.h>

#include "base/test.h"
#include "base/threads.h"

TEST(deque_is_lifo_for_owner_fifo_for_thief) {
  static task_deque_t deque;
  task_t task;
  EXPECT(!task_deque_pop(&deque, &task));
  for (uint32_t i = 0; i < 3; ++i) EXPECT(task_deque_push(&deque, (task_t){NULL, i, i + 1}));
  EXPECT(task_deque_steal(&deque, &task));
  EXPECT_EQ(task.begin, 0);
  EXPECT(task_deque_pop(&deque, &task));
  EXPECT_EQ(task.begin, 2);
  EXPECT(task_deque_pop(&deque, &task));
  EXPECT_EQ(task.end, 2);
  EXPECT(task_deque_is_empty(&deque));
  EXPECT(!task_deque_steal(&deque, &task));
}

TEST(deque_refuses_when_full) {
  static task_deque_t deque;
  for (uint32_t i = 0; i < TASK_DEQUE_CAPACITY; ++i) {
    EXPECT(task_deque_push(&deque, (task_t){NULL, i, i}));
  }
  EXPECT(!task_deque_push(&deque, (task_t){NULL, 0, 0}));
}

// A job that counts each unit, and repeats itself |rounds| times.
typedef struct counting_job_t {
  task_job_t job;
  task_executor_t *executor;
  iree_atomic_uint32_t remaining;
  uint32_t unit_count;
  uint32_t rounds;
  iree_atomic_uint32_t *hits;
  iree_atomic_uint32_t *done_count;
  mutex_t *mutex;
  condition_t *done;
} counting_job_t;

static void counting_job_run(task_job_t *base, uint32_t begin, uint32_t end,
                             task_worker_t *worker) {
  counting_job_t *job = (counting_job_t *)base;
  for (uint32_t i = begin; i < end; ++i) {
    iree_atomic_fetch_add(&job->hits[i], 1, iree_memory_order_relaxed);
  }
  uint8_t *scratch = (uint8_t *)task_worker_local_memory(worker, 128);
  memset(scratch, (int)begin, 128);
  if (iree_atomic_fetch_sub(&job->remaining, end - begin, iree_memory_order_acq_rel) !=
      end - begin) {
    return;
  }
  if (--job->rounds) {
    iree_atomic_store(&job->remaining, job->unit_count, iree_memory_order_relaxed);
    task_executor_submit(job->executor, base, job->unit_count, worker);
    return;
  }
  mutex_lock(job->mutex);
  iree_atomic_fetch_add(job->done_count, 1, iree_memory_order_relaxed);
  condition_broadcast(job->done);
  mutex_unlock(job->mutex);
}

#define JOB_COUNT 16
#define UNIT_COUNT 1000
#define ROUNDS 10

static void stress(test_t *test, iree_host_size_t worker_count, iree_duration_t spin_ns) {
  task_topology_t topology;
  ASSERT_OK(task_topology_from_group_count(worker_count, &topology));
  task_executor_options_t options = {.worker_spin_ns = spin_ns};
  task_executor_t *executor = NULL;
  ASSERT_OK(task_executor_create(&topology, &options, iree_allocator_system(), &executor));
  mutex_t mutex;
  condition_t done;
  mutex_init(&mutex);
  condition_init(&done);
  iree_atomic_uint32_t done_count = 0;
  static iree_atomic_uint32_t hits[JOB_COUNT][UNIT_COUNT];
  static counting_job_t jobs[JOB_COUNT];
  memset(hits, 0, sizeof(hits));
  for (uint32_t i = 0; i < JOB_COUNT; ++i) {
    jobs[i] = (counting_job_t){
        .job = {.run = counting_job_run, .grain = 1 + i % 5},
        .executor = executor,
        .remaining = UNIT_COUNT,
        .unit_count = UNIT_COUNT,
        .rounds = ROUNDS,
        .hits = hits[i],
        .done_count = &done_count,
        .mutex = &mutex,
        .done = &done,
    };
    task_executor_submit(executor, &jobs[i].job, UNIT_COUNT, NULL);
  }
  mutex_lock(&mutex);
  while (iree_atomic_load(&done_count, iree_memory_order_relaxed) < JOB_COUNT) {
    condition_wait_until(&done, &mutex, IREE_TIME_INFINITE_FUTURE);
  }
  mutex_unlock(&mutex);
  task_executor_release(executor);
  int wrong_count = 0;
  for (uint32_t i = 0; i < JOB_COUNT; ++i) {
    for (uint32_t j = 0; j < UNIT_COUNT; ++j) wrong_count += hits[i][j] != ROUNDS;
  }
  EXPECT_EQ(wrong_count, 0);
  condition_deinit(&done);
  mutex_deinit(&mutex);
}

TEST(every_unit_runs_once_per_round) { stress(test, 4, 20000); }
TEST(workers_that_sleep_at_once_miss_nothing) { stress(test, 3, 0); }
TEST(one_worker_does_it_all) { stress(test, 1, 1000); }

TEST(wakes_up_after_sleeping) {
  for (int i = 0; i < 20; ++i) {
    stress(test, 2, 0);
    if (test->failures) return;
  }
}

TEST(release_runs_what_was_submitted) {
  task_topology_t topology;
  ASSERT_OK(task_topology_from_group_count(2, &topology));
  task_executor_options_t options;
  task_executor_options_initialize(&options);
  task_executor_t *executor = NULL;
  ASSERT_OK(task_executor_create(&topology, &options, iree_allocator_system(), &executor));
  mutex_t mutex;
  condition_t done;
  mutex_init(&mutex);
  condition_init(&done);
  iree_atomic_uint32_t done_count = 0;
  iree_atomic_uint32_t hits[8] = {0};
  counting_job_t job = {.job = {.run = counting_job_run, .grain = 1},
                        .executor = executor,
                        .remaining = 8,
                        .unit_count = 8,
                        .rounds = 1,
                        .hits = hits,
                        .done_count = &done_count,
                        .mutex = &mutex,
                        .done = &done};
  task_executor_submit(executor, &job.job, 8, NULL);
  task_executor_release(executor);
  EXPECT_EQ(done_count, 1);
  condition_deinit(&done);
  mutex_deinit(&mutex);
}

TEST(topologies) {
  task_topology_t topology;
  task_topology_choice_t choice = task_topology_choice_default();
  EXPECT_OK(task_topology_from_machine(&choice, &topology));
  EXPECT(topology.group_count >= 1);
  EXPECT_STATUS(INVALID_ARGUMENT, task_topology_from_group_count(0, &topology));
  EXPECT_STATUS(INVALID_ARGUMENT, task_topology_from_group_count(1000, &topology));
  EXPECT_OK(task_topology_from_processor_ids(IREE_SV("0, 0"), &topology));
  EXPECT_EQ(topology.group_count, 2);
  EXPECT_EQ(topology.processor_ids[1], 0);
  EXPECT_STATUS(INVALID_ARGUMENT, task_topology_from_processor_ids(IREE_SV("0,x"), &topology));
  EXPECT_STATUS(INVALID_ARGUMENT, task_topology_from_processor_ids(IREE_SV(""), &topology));
  EXPECT_STATUS(OUT_OF_RANGE, task_topology_from_processor_ids(IREE_SV("0,100000"), &topology));
}

TEST_MAIN(CASE(deque_is_lifo_for_owner_fifo_for_thief) CASE(deque_refuses_when_full)
              CASE(every_unit_runs_once_per_round) CASE(workers_that_sleep_at_once_miss_nothing)
                  CASE(one_worker_does_it_all) CASE(wakes_up_after_sleeping)
                      CASE(release_runs_what_was_submitted) CASE(topologies))
