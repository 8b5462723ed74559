// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work-stealing deque of fixed capacity (Chase and Lev, in the form of Lê et al. 2013).
//
//   top ->  [steal by anyone] ... tasks ... [push and pop by the owner]  <- bottom
//
// A task is a range of units of a job and is kept by value. Its words are read before the claim on
// |top| and used only if the claim succeeds: a slot is written again only after |top| has passed
// it.
#ifndef RUNTIME_TASK_DEQUE_H_
#define RUNTIME_TASK_DEQUE_H_

#include "iree/base/api.h"
#include "iree/base/internal/atomics.h"

typedef struct task_job_t task_job_t;

typedef struct task_t {
  task_job_t *job;
  uint32_t begin;
  uint32_t end;
} task_t;

#define TASK_DEQUE_CAPACITY 256

typedef struct task_deque_t {
  iree_alignas(64) iree_atomic_int64_t top;
  iree_alignas(64) iree_atomic_int64_t bottom;
  iree_alignas(64) struct {
    iree_atomic_intptr_t job;
    iree_atomic_uint64_t range;
  } slots[TASK_DEQUE_CAPACITY];
} task_deque_t;

// Owner only; false when full.
bool task_deque_push(task_deque_t *deque, task_t task);
// Owner only; the newest task, false when empty.
bool task_deque_pop(task_deque_t *deque, task_t *out_task);
// Anyone; the oldest task, false when empty or lost to another thief.
bool task_deque_steal(task_deque_t *deque, task_t *out_task);
// Anyone; a hint.
bool task_deque_is_empty(task_deque_t *deque);

#endif  // RUNTIME_TASK_DEQUE_H_
