// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of |bottom| and |top| in pop against steal needs sequential consistency; it is given by
// operations rather than fences, so that thread sanitizers understand it.
#include "runtime/task/deque.h"

static void store_slot(task_deque_t *deque, int64_t index, task_t task) {
  size_t i = (size_t)index % TASK_DEQUE_CAPACITY;
  iree_atomic_store(&deque->slots[i].job, (intptr_t)task.job, iree_memory_order_relaxed);
  iree_atomic_store(&deque->slots[i].range, (uint64_t)task.end << 32 | task.begin,
                    iree_memory_order_relaxed);
}

static task_t load_slot(task_deque_t *deque, int64_t index) {
  size_t i = (size_t)index % TASK_DEQUE_CAPACITY;
  uint64_t range = iree_atomic_load(&deque->slots[i].range, iree_memory_order_relaxed);
  task_t task = {
      .job = (task_job_t *)iree_atomic_load(&deque->slots[i].job, iree_memory_order_relaxed),
      .begin = (uint32_t)range,
      .end = (uint32_t)(range >> 32),
  };
  return task;
}

bool task_deque_push(task_deque_t *deque, task_t task) {
  int64_t bottom = iree_atomic_load(&deque->bottom, iree_memory_order_relaxed);
  int64_t top = iree_atomic_load(&deque->top, iree_memory_order_acquire);
  if (bottom - top >= TASK_DEQUE_CAPACITY) return false;
  store_slot(deque, bottom, task);
  iree_atomic_store(&deque->bottom, bottom + 1, iree_memory_order_seq_cst);
  return true;
}

bool task_deque_pop(task_deque_t *deque, task_t *out_task) {
  int64_t bottom = iree_atomic_load(&deque->bottom, iree_memory_order_relaxed) - 1;
  iree_atomic_store(&deque->bottom, bottom, iree_memory_order_seq_cst);
  int64_t top = iree_atomic_load(&deque->top, iree_memory_order_seq_cst);
  if (top > bottom) {
    iree_atomic_store(&deque->bottom, bottom + 1, iree_memory_order_seq_cst);
    return false;
  }
  *out_task = load_slot(deque, bottom);
  if (top < bottom) return true;
  // The last task: a thief may want it too.
  bool is_won = iree_atomic_compare_exchange_strong(
      &deque->top, &top, top + 1, iree_memory_order_seq_cst, iree_memory_order_relaxed);
  iree_atomic_store(&deque->bottom, bottom + 1, iree_memory_order_seq_cst);
  return is_won;
}

bool task_deque_steal(task_deque_t *deque, task_t *out_task) {
  int64_t top = iree_atomic_load(&deque->top, iree_memory_order_seq_cst);
  int64_t bottom = iree_atomic_load(&deque->bottom, iree_memory_order_seq_cst);
  if (top >= bottom) return false;
  *out_task = load_slot(deque, top);
  return iree_atomic_compare_exchange_strong(&deque->top, &top, top + 1, iree_memory_order_seq_cst,
                                             iree_memory_order_relaxed);
}

bool task_deque_is_empty(task_deque_t *deque) {
  return iree_atomic_load(&deque->top, iree_memory_order_seq_cst) >=
         iree_atomic_load(&deque->bottom, iree_memory_order_seq_cst);
}
