// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value is one atomic word; signals and waits that nobody watches for take no lock. Who has to
// be told of a change, a sleeping waiter or a timepoint, counts itself in |watcher_count| before it
// looks at the value; a signal changes the value before it looks at the count. Whichever comes
// second sees the other. The mutex guards the failure, the list and sleeping. Callbacks run without
// the lock, in the thread that signals, after the value is visible.
#include "runtime/hal/timeline.h"

#include "base/threads.h"
#include "iree/base/internal/atomics.h"

// Rounds of polling before a waiter sleeps: a few microseconds, less than a wake-up costs.
#define SPIN_ROUNDS 200

typedef struct timeline_semaphore_t {
  iree_hal_resource_t resource;
  iree_allocator_t host_allocator;
  timeline_helper_t helper;
  iree_atomic_uint64_t value;  // IREE_HAL_SEMAPHORE_FAILURE_VALUE once failed
  iree_atomic_uint32_t
      watcher_count;  // sleeping waiters and timepoints; changed with the mutex held
  mutex_t mutex;
  condition_t changed;  // made by the first to sleep
  bool has_slept;
  uint32_t waiter_count;
  iree_status_t failure;
  iree_hal_semaphore_timepoint_t *first;  // by minimum value; equal ones by registration
  iree_hal_semaphore_timepoint_t *last;
} timeline_semaphore_t;

static void timeline_semaphore_destroy(iree_hal_semaphore_t *base) {
  timeline_semaphore_t *semaphore = (timeline_semaphore_t *)base;
  iree_status_free(semaphore->failure);
  if (semaphore->has_slept) condition_deinit(&semaphore->changed);
  mutex_deinit(&semaphore->mutex);
  timeline_helper_t helper = semaphore->helper;
  iree_allocator_free(semaphore->host_allocator, semaphore);
  if (helper.release) helper.release(helper.self);
}

static iree_status_t failure_of(timeline_semaphore_t *semaphore) {
  mutex_lock(&semaphore->mutex);
  iree_status_t status = iree_status_clone(semaphore->failure);
  mutex_unlock(&semaphore->mutex);
  return status;
}

static iree_status_t timeline_semaphore_query(iree_hal_semaphore_t *base, uint64_t *out_value) {
  timeline_semaphore_t *semaphore = (timeline_semaphore_t *)base;
  *out_value = iree_atomic_load(&semaphore->value, iree_memory_order_acquire);
  if (*out_value < IREE_HAL_SEMAPHORE_FAILURE_VALUE) return iree_ok_status();
  return failure_of(semaphore);
}

static void unlink_timepoint(timeline_semaphore_t *semaphore,
                             iree_hal_semaphore_timepoint_t *timepoint) {
  *(timepoint->prev ? &timepoint->prev->next : &semaphore->first) = timepoint->next;
  *(timepoint->next ? &timepoint->next->prev : &semaphore->last) = timepoint->prev;
  timepoint->next = timepoint->prev = NULL;
  iree_atomic_fetch_sub(&semaphore->watcher_count, 1, iree_memory_order_relaxed);
}

// Programs register in the order of their timeline, so the place is at the end or close to it.
static void insert_timepoint(timeline_semaphore_t *semaphore,
                             iree_hal_semaphore_timepoint_t *timepoint) {
  iree_hal_semaphore_timepoint_t *before = semaphore->last;
  while (before && before->minimum_value > timepoint->minimum_value) before = before->prev;
  timepoint->prev = before;
  timepoint->next = before ? before->next : semaphore->first;
  *(before ? &before->next : &semaphore->first) = timepoint;
  *(timepoint->next ? &timepoint->next->prev : &semaphore->last) = timepoint;
}

// Takes the timepoints that |value| reaches off the head of the list.
static iree_hal_semaphore_timepoint_t *take_reached(timeline_semaphore_t *semaphore,
                                                    uint64_t value) {
  iree_hal_semaphore_timepoint_t *reached = semaphore->first, *end = reached;
  uint32_t count = 0;
  for (; end && end->minimum_value <= value; end = end->next) ++count;
  if (!count) return NULL;
  iree_atomic_fetch_sub(&semaphore->watcher_count, count, iree_memory_order_relaxed);
  if (end) {
    end->prev->next = NULL;
    end->prev = NULL;
  } else {
    semaphore->last = NULL;
  }
  semaphore->first = end;
  return reached;
}

static void notify(iree_hal_semaphore_timepoint_t *reached, iree_status_t failure) {
  while (reached) {
    iree_hal_semaphore_timepoint_t *timepoint = reached;
    reached = timepoint->next;
    timepoint->fn(timepoint->user_data, timepoint, iree_status_clone(failure));
  }
}

static iree_status_t timeline_semaphore_signal(iree_hal_semaphore_t *base, uint64_t new_value) {
  timeline_semaphore_t *semaphore = (timeline_semaphore_t *)base;
  if (new_value > IREE_HAL_SEMAPHORE_MAX_VALUE) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "semaphore value %" PRIu64 " is past the maximum %" PRIu64, new_value,
                            (uint64_t)IREE_HAL_SEMAPHORE_MAX_VALUE);
  }
  uint64_t value = iree_atomic_load(&semaphore->value, iree_memory_order_relaxed);
  do {
    if (value >= IREE_HAL_SEMAPHORE_FAILURE_VALUE) return failure_of(semaphore);
    if (new_value <= value) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "semaphore values only grow; it is at %" PRIu64
                              " and was signalled to %" PRIu64,
                              value, new_value);
    }
  } while (!iree_atomic_compare_exchange_weak(
      &semaphore->value, &value, new_value, iree_memory_order_seq_cst, iree_memory_order_relaxed));
  if (!iree_atomic_load(&semaphore->watcher_count, iree_memory_order_seq_cst)) {
    return iree_ok_status();
  }
  mutex_lock(&semaphore->mutex);
  iree_hal_semaphore_timepoint_t *reached = take_reached(semaphore, new_value);
  if (semaphore->waiter_count) condition_broadcast(&semaphore->changed);
  mutex_unlock(&semaphore->mutex);
  notify(reached, iree_ok_status());
  return iree_ok_status();
}

static void timeline_semaphore_fail(iree_hal_semaphore_t *base, iree_status_t status) {
  timeline_semaphore_t *semaphore = (timeline_semaphore_t *)base;
  mutex_lock(&semaphore->mutex);
  if (!iree_status_is_ok(semaphore->failure)) {
    mutex_unlock(&semaphore->mutex);
    iree_status_free(status);
    return;
  }
  semaphore->failure = status;
  iree_status_t notified = iree_status_clone(status);
  iree_atomic_store(&semaphore->value, IREE_HAL_SEMAPHORE_FAILURE_VALUE, iree_memory_order_seq_cst);
  iree_hal_semaphore_timepoint_t *reached = take_reached(semaphore, UINT64_MAX);
  if (semaphore->waiter_count) condition_broadcast(&semaphore->changed);
  mutex_unlock(&semaphore->mutex);
  notify(reached, notified);
  iree_status_free(notified);
}

typedef struct wait_target_t {
  timeline_semaphore_t *semaphore;
  uint64_t value;
} wait_target_t;

static bool is_target_reached(void *arg) {
  wait_target_t *target = (wait_target_t *)arg;
  return iree_atomic_load(&target->semaphore->value, iree_memory_order_acquire) >= target->value;
}

static iree_status_t timeline_semaphore_wait(iree_hal_semaphore_t *base, uint64_t value,
                                             iree_timeout_t timeout,
                                             iree_async_wait_flags_t flags) {
  (void)flags;
  timeline_semaphore_t *semaphore = (timeline_semaphore_t *)base;
  uint64_t current = iree_atomic_load(&semaphore->value, iree_memory_order_acquire);
  bool is_immediate = iree_timeout_is_immediate(timeout);
  if (current < value && semaphore->helper.help && iree_timeout_is_infinite(timeout)) {
    wait_target_t target = {semaphore, value};
    semaphore->helper.help(semaphore->helper.self, is_target_reached, &target);
    current = iree_atomic_load(&semaphore->value, iree_memory_order_acquire);
  }
  for (int i = 0; i < SPIN_ROUNDS && current < value && !is_immediate; ++i) {
    cpu_relax();
    current = iree_atomic_load(&semaphore->value, iree_memory_order_acquire);
  }
  if (current < value && !is_immediate) {
    iree_time_t deadline_ns = iree_timeout_as_deadline_ns(timeout);
    mutex_lock(&semaphore->mutex);
    if (!semaphore->has_slept) condition_init(&semaphore->changed);
    semaphore->has_slept = true;
    ++semaphore->waiter_count;
    iree_atomic_fetch_add(&semaphore->watcher_count, 1, iree_memory_order_seq_cst);
    bool has_time = true;
    while ((current = iree_atomic_load(&semaphore->value, iree_memory_order_seq_cst)) < value &&
           has_time) {
      has_time = condition_wait_until(&semaphore->changed, &semaphore->mutex, deadline_ns);
    }
    iree_atomic_fetch_sub(&semaphore->watcher_count, 1, iree_memory_order_relaxed);
    --semaphore->waiter_count;
    mutex_unlock(&semaphore->mutex);
  }
  if (current >= IREE_HAL_SEMAPHORE_FAILURE_VALUE) return failure_of(semaphore);
  return current >= value ? iree_ok_status() : iree_status_from_code(IREE_STATUS_DEADLINE_EXCEEDED);
}

static bool timeline_semaphore_acquire_timepoint(iree_hal_semaphore_t *base,
                                                 iree_hal_semaphore_timepoint_t *timepoint,
                                                 iree_status_t *out_status) {
  timeline_semaphore_t *semaphore = (timeline_semaphore_t *)base;
  *out_status = iree_ok_status();
  mutex_lock(&semaphore->mutex);
  iree_atomic_fetch_add(&semaphore->watcher_count, 1, iree_memory_order_seq_cst);
  uint64_t value = iree_atomic_load(&semaphore->value, iree_memory_order_seq_cst);
  bool is_pending = value < timepoint->minimum_value;
  if (is_pending) {
    insert_timepoint(semaphore, timepoint);
  } else {
    iree_atomic_fetch_sub(&semaphore->watcher_count, 1, iree_memory_order_relaxed);
    if (value >= IREE_HAL_SEMAPHORE_FAILURE_VALUE) {
      *out_status = iree_status_clone(semaphore->failure);
    }
  }
  mutex_unlock(&semaphore->mutex);
  return is_pending;
}

static bool timeline_semaphore_cancel_timepoint(iree_hal_semaphore_t *base,
                                                iree_hal_semaphore_timepoint_t *timepoint) {
  timeline_semaphore_t *semaphore = (timeline_semaphore_t *)base;
  mutex_lock(&semaphore->mutex);
  bool is_pending = false;
  for (iree_hal_semaphore_timepoint_t *it = semaphore->first; it; it = it->next) {
    if (it != timepoint) continue;
    unlink_timepoint(semaphore, timepoint);
    is_pending = true;
    break;
  }
  mutex_unlock(&semaphore->mutex);
  return is_pending;
}

static const iree_hal_semaphore_vtable_t timeline_semaphore_vtable = {
    .destroy = timeline_semaphore_destroy,
    .query = timeline_semaphore_query,
    .signal = timeline_semaphore_signal,
    .fail = timeline_semaphore_fail,
    .wait = timeline_semaphore_wait,
    .acquire_timepoint = timeline_semaphore_acquire_timepoint,
    .cancel_timepoint = timeline_semaphore_cancel_timepoint,
};

iree_status_t timeline_semaphore_create(uint64_t initial_value, timeline_helper_t helper,
                                        iree_allocator_t host_allocator,
                                        iree_hal_semaphore_t **out_semaphore) {
  *out_semaphore = NULL;
  if (initial_value > IREE_HAL_SEMAPHORE_MAX_VALUE) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "semaphore value %" PRIu64 " is past the maximum", initial_value);
  }
  timeline_semaphore_t *semaphore = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(host_allocator, sizeof(*semaphore), (void **)&semaphore));
  iree_hal_resource_initialize(&timeline_semaphore_vtable, &semaphore->resource);
  semaphore->host_allocator = host_allocator;
  semaphore->helper = helper;
  iree_atomic_store(&semaphore->value, initial_value, iree_memory_order_relaxed);
  mutex_init(&semaphore->mutex);
  *out_semaphore = (iree_hal_semaphore_t *)semaphore;
  return iree_ok_status();
}

iree_host_size_t timeline_semaphore_size(void) { return sizeof(timeline_semaphore_t); }

bool timeline_semaphore_isa(const iree_hal_semaphore_t *semaphore) {
  return iree_hal_resource_is(semaphore, &timeline_semaphore_vtable);
}
