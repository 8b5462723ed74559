// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The identity of a group of devices in a larger system: which machine, which session of it.
//
// Elsewhere a tracker also follows the progress of remote queues. Local devices have semaphores for
// that, so nothing here is to be followed.
#ifndef IREE_ASYNC_FRONTIER_TRACKER_H_
#define IREE_ASYNC_FRONTIER_TRACKER_H_

#include <string.h>

#include "iree/base/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_async_frontier_tracker_t iree_async_frontier_tracker_t;

typedef struct iree_async_frontier_tracker_options_t {
  uint32_t axis_table_capacity;  // of queues to follow; not used here
  uint8_t session_epoch;
  uint8_t machine_index;
} iree_async_frontier_tracker_options_t;

static inline iree_async_frontier_tracker_options_t iree_async_frontier_tracker_options_default(void) {
  iree_async_frontier_tracker_options_t options;
  memset(&options, 0, sizeof(options));
  options.axis_table_capacity = 256;
  options.session_epoch = 1;
  return options;
}

// Makes a tracker.
//   owns:   transfers |out_tracker| to the caller
//   errors: RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_async_frontier_tracker_create(iree_async_frontier_tracker_options_t options,
                                                                 iree_allocator_t allocator,
                                                                 iree_async_frontier_tracker_t **out_tracker);

// Reference counting; null is ignored.
//   thread: any thread
//   errors: none
IREE_API_EXPORT void iree_async_frontier_tracker_retain(iree_async_frontier_tracker_t *tracker);
IREE_API_EXPORT void iree_async_frontier_tracker_release(iree_async_frontier_tracker_t *tracker);

// What the tracker was made with.
//   errors: none
IREE_API_EXPORT uint8_t iree_async_frontier_tracker_session_epoch(const iree_async_frontier_tracker_t *tracker);
IREE_API_EXPORT uint8_t iree_async_frontier_tracker_machine_index(const iree_async_frontier_tracker_t *tracker);

#ifdef __cplusplus
}
#endif

#endif  // IREE_ASYNC_FRONTIER_TRACKER_H_
