// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphores and lists of them: the public functions in front of every implementation.
#include "iree/hal/semaphore.h"

#include "base/threads.h"
#include "iree/hal/device.h"

#define VTABLE(semaphore) \
  ((const iree_hal_semaphore_vtable_t *)((const iree_hal_resource_t *)(semaphore))->vtable)

void iree_hal_semaphore_retain(iree_hal_semaphore_t *semaphore) {
  iree_hal_resource_retain(semaphore);
}
void iree_hal_semaphore_release(iree_hal_semaphore_t *semaphore) {
  iree_hal_resource_release(semaphore);
}

iree_status_t iree_hal_semaphore_query(iree_hal_semaphore_t *semaphore, uint64_t *out_value) {
  *out_value = 0;
  return VTABLE(semaphore)->query(semaphore, out_value);
}

iree_status_t iree_hal_semaphore_signal(iree_hal_semaphore_t *semaphore, uint64_t new_value,
                                        const iree_async_frontier_t *frontier) {
  (void)frontier;
  return VTABLE(semaphore)->signal(semaphore, new_value);
}

void iree_hal_semaphore_fail(iree_hal_semaphore_t *semaphore, iree_status_t status) {
  if (iree_status_is_ok(status)) status = iree_status_from_code(IREE_STATUS_UNKNOWN);
  VTABLE(semaphore)->fail(semaphore, status);
}

iree_status_t iree_hal_semaphore_wait(iree_hal_semaphore_t *semaphore, uint64_t value,
                                      iree_timeout_t timeout, iree_async_wait_flags_t flags) {
  return VTABLE(semaphore)->wait(semaphore, value, timeout, flags);
}

static iree_status_t wait_source_wait(iree_wait_source_t wait_source, iree_timeout_t timeout) {
  return iree_hal_semaphore_wait((iree_hal_semaphore_t *)wait_source.self, wait_source.data,
                                 timeout, IREE_ASYNC_WAIT_FLAG_NONE);
}

iree_wait_source_t iree_hal_semaphore_await(iree_hal_semaphore_t *semaphore, uint64_t value) {
  iree_wait_source_t source = {semaphore, value, wait_source_wait};
  return source;
}

bool iree_hal_semaphore_acquire_timepoint(iree_hal_semaphore_t *semaphore, uint64_t minimum_value,
                                          iree_hal_semaphore_timepoint_fn_t fn, void *user_data,
                                          iree_hal_semaphore_timepoint_t *timepoint,
                                          iree_status_t *out_status) {
  timepoint->minimum_value = minimum_value;
  timepoint->fn = fn;
  timepoint->user_data = user_data;
  return VTABLE(semaphore)->acquire_timepoint(semaphore, timepoint, out_status);
}

bool iree_hal_semaphore_cancel_timepoint(iree_hal_semaphore_t *semaphore,
                                         iree_hal_semaphore_timepoint_t *timepoint) {
  return VTABLE(semaphore)->cancel_timepoint(semaphore, timepoint);
}

//===-- lists ---------------------------------------------------------------------------------===//

void iree_hal_semaphore_list_retain(iree_hal_semaphore_list_t semaphore_list) {
  for (iree_host_size_t i = 0; i < semaphore_list.count; ++i) {
    iree_hal_semaphore_retain(semaphore_list.semaphores[i]);
  }
}

void iree_hal_semaphore_list_release(iree_hal_semaphore_list_t semaphore_list) {
  for (iree_host_size_t i = 0; i < semaphore_list.count; ++i) {
    iree_hal_semaphore_release(semaphore_list.semaphores[i]);
  }
}

iree_status_t iree_hal_semaphore_list_clone(const iree_hal_semaphore_list_t *source_list,
                                            iree_allocator_t host_allocator,
                                            iree_hal_semaphore_list_t *out_list) {
  *out_list = iree_hal_semaphore_list_empty();
  iree_host_size_t count = source_list->count;
  if (!count) return iree_ok_status();
  uint64_t *values = NULL;  // values, then pointers: one block
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array_uninitialized(
      host_allocator, count, sizeof(uint64_t) + sizeof(iree_hal_semaphore_t *), (void **)&values));
  out_list->count = count;
  out_list->payload_values = values;
  out_list->semaphores = (iree_hal_semaphore_t **)(values + count);
  memcpy(values, source_list->payload_values, count * sizeof(uint64_t));
  memcpy(out_list->semaphores, source_list->semaphores, count * sizeof(iree_hal_semaphore_t *));
  iree_hal_semaphore_list_retain(*out_list);
  return iree_ok_status();
}

void iree_hal_semaphore_list_free(iree_hal_semaphore_list_t list, iree_allocator_t host_allocator) {
  iree_hal_semaphore_list_release(list);
  iree_allocator_free(host_allocator, list.payload_values);
}

bool iree_hal_semaphore_list_poll(iree_hal_semaphore_list_t semaphore_list) {
  for (iree_host_size_t i = 0; i < semaphore_list.count; ++i) {
    uint64_t value = 0;
    iree_status_t status = iree_hal_semaphore_query(semaphore_list.semaphores[i], &value);
    bool is_reached = iree_status_is_ok(status) && value >= semaphore_list.payload_values[i];
    iree_status_free(status);
    if (!is_reached) return false;
  }
  return true;
}

iree_status_t iree_hal_semaphore_list_signal(iree_hal_semaphore_list_t semaphore_list,
                                             const iree_async_frontier_t *frontier) {
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < semaphore_list.count; ++i) {
    status = iree_status_join(
        status, iree_hal_semaphore_signal(semaphore_list.semaphores[i],
                                          semaphore_list.payload_values[i], frontier));
  }
  return status;
}

void iree_hal_semaphore_list_fail(iree_hal_semaphore_list_t semaphore_list,
                                  iree_status_t signal_status) {
  for (iree_host_size_t i = 0; i < semaphore_list.count; ++i) {
    iree_hal_semaphore_fail(semaphore_list.semaphores[i], iree_status_clone(signal_status));
  }
  iree_status_free(signal_status);
}

iree_status_t iree_hal_semaphore_list_wait(iree_hal_semaphore_list_t semaphore_list,
                                           iree_timeout_t timeout, iree_async_wait_flags_t flags) {
  if (!iree_timeout_is_immediate(timeout)) iree_convert_timeout_to_absolute(&timeout);
  for (iree_host_size_t i = 0; i < semaphore_list.count; ++i) {
    IREE_RETURN_IF_ERROR(iree_hal_semaphore_wait(semaphore_list.semaphores[i],
                                                 semaphore_list.payload_values[i], timeout, flags));
  }
  return iree_ok_status();
}

//===-- waiting for any -----------------------------------------------------------------------===//

typedef struct any_wait_t {
  mutex_t mutex;
  condition_t changed;
  iree_host_size_t fired_count;
  iree_status_t status;  // of the first that fired
} any_wait_t;

static void any_wait_fire(void *user_data, iree_hal_semaphore_timepoint_t *timepoint,
                          iree_status_t status) {
  (void)timepoint;
  any_wait_t *wait = (any_wait_t *)user_data;
  mutex_lock(&wait->mutex);
  if (wait->fired_count++ == 0) {
    wait->status = status;
  } else {
    iree_status_free(status);
  }
  condition_broadcast(&wait->changed);
  mutex_unlock(&wait->mutex);
}

static iree_status_t wait_any(iree_hal_semaphore_list_t list, iree_timeout_t timeout) {
  iree_hal_semaphore_timepoint_t *timepoints = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(iree_allocator_system(), list.count,
                                                   sizeof(*timepoints), (void **)&timepoints));
  any_wait_t wait = {.fired_count = 0};
  mutex_init(&wait.mutex);
  condition_init(&wait.changed);
  iree_host_size_t pending_count = 0;
  bool is_reached = false;
  iree_status_t reached_status = iree_ok_status();
  while (pending_count < list.count && !is_reached) {
    iree_host_size_t i = pending_count;
    is_reached = !iree_hal_semaphore_acquire_timepoint(list.semaphores[i], list.payload_values[i],
                                                       any_wait_fire, &wait, &timepoints[i],
                                                       &reached_status);
    if (!is_reached) ++pending_count;
  }
  mutex_lock(&wait.mutex);
  bool has_time = !is_reached;
  iree_time_t deadline_ns = iree_timeout_as_deadline_ns(timeout);
  while (!wait.fired_count && has_time) {
    has_time = condition_wait_until(&wait.changed, &wait.mutex, deadline_ns);
  }
  mutex_unlock(&wait.mutex);
  // A callback that cannot be cancelled any more is waited for: it uses this frame.
  iree_host_size_t fired_count = 0;
  for (iree_host_size_t i = 0; i < pending_count; ++i) {
    if (!iree_hal_semaphore_cancel_timepoint(list.semaphores[i], &timepoints[i])) ++fired_count;
  }
  mutex_lock(&wait.mutex);
  while (wait.fired_count < fired_count) {
    condition_wait_until(&wait.changed, &wait.mutex, IREE_TIME_INFINITE_FUTURE);
  }
  mutex_unlock(&wait.mutex);
  iree_status_t status = is_reached         ? reached_status
                         : wait.fired_count ? wait.status
                                            : iree_status_from_code(IREE_STATUS_DEADLINE_EXCEEDED);
  if (is_reached && wait.fired_count) iree_status_free(wait.status);
  condition_deinit(&wait.changed);
  mutex_deinit(&wait.mutex);
  iree_allocator_free(iree_allocator_system(), timepoints);
  return status;
}

iree_status_t iree_hal_device_wait_semaphores(iree_hal_device_t *device,
                                              iree_async_wait_mode_t wait_mode,
                                              const iree_hal_semaphore_list_t semaphore_list,
                                              iree_timeout_t timeout,
                                              iree_async_wait_flags_t flags) {
  (void)device;
  if (wait_mode == IREE_ASYNC_WAIT_MODE_ANY && semaphore_list.count > 1) {
    return wait_any(semaphore_list, timeout);
  }
  return iree_hal_semaphore_list_wait(semaphore_list, timeout, flags);
}
