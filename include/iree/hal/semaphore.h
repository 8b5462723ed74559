// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timeline semaphores: a number that only grows, and a sticky failure.
//
//   value  0 --- 1 --------- 2 --- 3 -->        signal(v) moves it up to v
//                ^wait(1)          ^wait(3)     wait(v) returns once value >= v
//   fail(status) ends the timeline: every wait, now and later, returns that status.
//
// All order between queue operations, threads and devices goes through semaphores.
#ifndef IREE_HAL_SEMAPHORE_H_
#define IREE_HAL_SEMAPHORE_H_

#include "iree/base/api.h"
#include "iree/hal/queue.h"
#include "iree/hal/resource.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_device_t iree_hal_device_t;
typedef struct iree_hal_semaphore_t iree_hal_semaphore_t;

enum iree_hal_semaphore_flag_bits_t {
  IREE_HAL_SEMAPHORE_FLAG_NONE = 0ull,
  IREE_HAL_SEMAPHORE_FLAG_DEVICE_LOCAL = 1ull << 0,
  IREE_HAL_SEMAPHORE_FLAG_HOST_INTERRUPT = 1ull << 1,
  IREE_HAL_SEMAPHORE_FLAG_EXPORTABLE = 1ull << 2,
  IREE_HAL_SEMAPHORE_FLAG_EXPORTABLE_TIMEPOINTS = 1ull << 3,
  IREE_HAL_SEMAPHORE_FLAG_SINGLE_PRODUCER = 1ull << 4,
  IREE_HAL_SEMAPHORE_FLAG_DEFAULT =
      IREE_HAL_SEMAPHORE_FLAG_HOST_INTERRUPT | IREE_HAL_SEMAPHORE_FLAG_EXPORTABLE_TIMEPOINTS,
};
typedef uint64_t iree_hal_semaphore_flags_t;

// Largest payload value, and the first value that means failure.
#define IREE_HAL_SEMAPHORE_MAX_VALUE (2147483647ull - 1)
#define IREE_HAL_SEMAPHORE_FAILURE_VALUE (IREE_HAL_SEMAPHORE_MAX_VALUE + 1)

// Parts of the asynchronous layer that local devices need none of; pass null and NONE.
typedef struct iree_async_frontier_t iree_async_frontier_t;
typedef uint32_t iree_async_wait_flags_t;
enum iree_async_wait_flag_bits_e {
  IREE_ASYNC_WAIT_FLAG_NONE = 0u,
  IREE_ASYNC_WAIT_FLAG_YIELD = 1u << 0,
  IREE_ASYNC_WAIT_FLAG_ACTIVE = 1u << 1,
};
typedef enum iree_async_wait_mode_e {
  IREE_ASYNC_WAIT_MODE_ALL = 0,
  IREE_ASYNC_WAIT_MODE_ANY = 1,
} iree_async_wait_mode_t;

enum iree_hal_semaphore_compatibility_bits_t {
  IREE_HAL_SEMAPHORE_COMPATIBILITY_NONE = 0u,
  IREE_HAL_SEMAPHORE_COMPATIBILITY_HOST_WAIT = 1u << 0,
  IREE_HAL_SEMAPHORE_COMPATIBILITY_DEVICE_WAIT = 1u << 1,
  IREE_HAL_SEMAPHORE_COMPATIBILITY_HOST_SIGNAL = 1u << 2,
  IREE_HAL_SEMAPHORE_COMPATIBILITY_DEVICE_SIGNAL = 1u << 3,
  IREE_HAL_SEMAPHORE_COMPATIBILITY_HOST_ONLY =
      IREE_HAL_SEMAPHORE_COMPATIBILITY_HOST_WAIT | IREE_HAL_SEMAPHORE_COMPATIBILITY_HOST_SIGNAL,
  IREE_HAL_SEMAPHORE_COMPATIBILITY_DEVICE_ONLY =
      IREE_HAL_SEMAPHORE_COMPATIBILITY_DEVICE_WAIT | IREE_HAL_SEMAPHORE_COMPATIBILITY_DEVICE_SIGNAL,
  IREE_HAL_SEMAPHORE_COMPATIBILITY_ALL =
      IREE_HAL_SEMAPHORE_COMPATIBILITY_HOST_ONLY | IREE_HAL_SEMAPHORE_COMPATIBILITY_DEVICE_ONLY,
};
typedef uint32_t iree_hal_semaphore_compatibility_t;

// Makes a semaphore at |initial_value|.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_semaphore_create(iree_hal_device_t *device,
                                                        iree_hal_queue_affinity_t queue_affinity,
                                                        uint64_t initial_value,
                                                        iree_hal_semaphore_flags_t flags,
                                                        iree_hal_semaphore_t **out_semaphore);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_semaphore_retain(iree_hal_semaphore_t *semaphore);
IREE_API_EXPORT void iree_hal_semaphore_release(iree_hal_semaphore_t *semaphore);

// Reads the current value; a failed one gives IREE_HAL_SEMAPHORE_FAILURE_VALUE and its status.
//   thread: any thread
//   errors: the status the semaphore failed with
IREE_API_EXPORT iree_status_t iree_hal_semaphore_query(iree_hal_semaphore_t *semaphore,
                                                       uint64_t *out_value);

// Moves the timeline up to |new_value| and starts what waits for it. |frontier| is null.
//   thread: any thread; work of local-sync devices that becomes ready runs in the caller
//   errors: INVALID_ARGUMENT  |new_value| does not move it up, or is past the maximum
//           the status the semaphore failed with
IREE_API_EXPORT iree_status_t iree_hal_semaphore_signal(iree_hal_semaphore_t *semaphore,
                                                        uint64_t new_value,
                                                        const iree_async_frontier_t *frontier);

// Ends the timeline; the first failure stays.
//   owns:   takes ownership of |status|
//   errors: none
IREE_API_EXPORT void iree_hal_semaphore_fail(iree_hal_semaphore_t *semaphore, iree_status_t status);

// Blocks until the timeline reaches |value|.
//   thread: any thread
//   errors: DEADLINE_EXCEEDED  the timeout passed
//           the status the semaphore failed with
IREE_API_EXPORT iree_status_t iree_hal_semaphore_wait(iree_hal_semaphore_t *semaphore,
                                                      uint64_t value, iree_timeout_t timeout,
                                                      iree_async_wait_flags_t flags);

// A wait source for the moment the timeline reaches |value|.
//   owns:   borrows |semaphore| until the source is no longer used
//   errors: none
IREE_API_EXPORT iree_wait_source_t iree_hal_semaphore_await(iree_hal_semaphore_t *semaphore,
                                                            uint64_t value);

// Semaphores and the value that each must reach.
typedef struct iree_hal_semaphore_list_t {
  iree_host_size_t count;
  iree_hal_semaphore_t **semaphores;
  uint64_t *payload_values;
} iree_hal_semaphore_list_t;

static inline iree_hal_semaphore_list_t iree_hal_semaphore_list_empty(void) {
  iree_hal_semaphore_list_t list = {0, NULL, NULL};
  return list;
}
static inline bool iree_hal_semaphore_list_is_empty(iree_hal_semaphore_list_t semaphore_list) {
  return semaphore_list.count == 0;
}

// All semaphores of a list: references, copies, and the operations of one semaphore on each.
//   owns:   clone transfers ownership to the caller, who frees it; fail takes ownership of the
//   status errors: as the operation on one semaphore
IREE_API_EXPORT void iree_hal_semaphore_list_retain(iree_hal_semaphore_list_t semaphore_list);
IREE_API_EXPORT void iree_hal_semaphore_list_release(iree_hal_semaphore_list_t semaphore_list);
IREE_API_EXPORT iree_status_t
iree_hal_semaphore_list_clone(const iree_hal_semaphore_list_t *source_list,
                              iree_allocator_t host_allocator, iree_hal_semaphore_list_t *out_list);
IREE_API_EXPORT void iree_hal_semaphore_list_free(iree_hal_semaphore_list_t list,
                                                  iree_allocator_t host_allocator);
IREE_API_EXPORT bool iree_hal_semaphore_list_poll(iree_hal_semaphore_list_t semaphore_list);
IREE_API_EXPORT iree_status_t iree_hal_semaphore_list_signal(
    iree_hal_semaphore_list_t semaphore_list, const iree_async_frontier_t *frontier);
IREE_API_EXPORT void iree_hal_semaphore_list_fail(iree_hal_semaphore_list_t semaphore_list,
                                                  iree_status_t signal_status);
IREE_API_EXPORT iree_status_t iree_hal_semaphore_list_wait(iree_hal_semaphore_list_t semaphore_list,
                                                           iree_timeout_t timeout,
                                                           iree_async_wait_flags_t flags);

// A callback for the moment a semaphore reaches a value (ok) or fails (its status, owned by the
// callee). The storage is the caller's and lives until the callback has run or the timepoint was
// cancelled.
typedef struct iree_hal_semaphore_timepoint_t iree_hal_semaphore_timepoint_t;
typedef void(IREE_API_PTR *iree_hal_semaphore_timepoint_fn_t)(
    void *user_data, iree_hal_semaphore_timepoint_t *timepoint, iree_status_t status);
struct iree_hal_semaphore_timepoint_t {
  iree_hal_semaphore_timepoint_t *next;
  iree_hal_semaphore_timepoint_t *prev;
  uint64_t minimum_value;
  iree_hal_semaphore_timepoint_fn_t fn;
  void *user_data;
};

// What a kind of semaphore implements.
typedef struct iree_hal_semaphore_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_semaphore_t *semaphore);
  iree_status_t(IREE_API_PTR *query)(iree_hal_semaphore_t *semaphore, uint64_t *out_value);
  iree_status_t(IREE_API_PTR *signal)(iree_hal_semaphore_t *semaphore, uint64_t new_value);
  void(IREE_API_PTR *fail)(iree_hal_semaphore_t *semaphore, iree_status_t status);
  iree_status_t(IREE_API_PTR *wait)(iree_hal_semaphore_t *semaphore, uint64_t value,
                                    iree_timeout_t timeout, iree_async_wait_flags_t flags);
  // Returns true and keeps the timepoint if the value is not reached; else false, with the failure.
  bool(IREE_API_PTR *acquire_timepoint)(iree_hal_semaphore_t *semaphore,
                                        iree_hal_semaphore_timepoint_t *timepoint,
                                        iree_status_t *out_status);
  // Returns true if the timepoint was withdrawn, false if its callback ran or is about to.
  bool(IREE_API_PTR *cancel_timepoint)(iree_hal_semaphore_t *semaphore,
                                       iree_hal_semaphore_timepoint_t *timepoint);
} iree_hal_semaphore_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_semaphore_vtable_t);

// Registers a timepoint (see the vtable).
//   thread: any thread; the callback runs in whichever thread signals
//   errors: the status the semaphore failed with, through |out_status|
IREE_API_EXPORT bool iree_hal_semaphore_acquire_timepoint(
    iree_hal_semaphore_t *semaphore, uint64_t minimum_value, iree_hal_semaphore_timepoint_fn_t fn,
    void *user_data, iree_hal_semaphore_timepoint_t *timepoint, iree_status_t *out_status);
IREE_API_EXPORT bool iree_hal_semaphore_cancel_timepoint(iree_hal_semaphore_t *semaphore,
                                                         iree_hal_semaphore_timepoint_t *timepoint);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_SEMAPHORE_H_
