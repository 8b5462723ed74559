// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "iree/async/frontier_tracker.h"

#include "iree/base/internal/atomics.h"

struct iree_async_frontier_tracker_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t allocator;
  iree_async_frontier_tracker_options_t options;
};

iree_status_t iree_async_frontier_tracker_create(iree_async_frontier_tracker_options_t options, iree_allocator_t allocator,
                                                 iree_async_frontier_tracker_t **out_tracker) {
  *out_tracker = NULL;
  iree_async_frontier_tracker_t *tracker = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, sizeof(*tracker), (void **)&tracker));
  iree_atomic_ref_count_init(&tracker->ref_count);
  tracker->allocator = allocator;
  tracker->options = options;
  *out_tracker = tracker;
  return iree_ok_status();
}

void iree_async_frontier_tracker_retain(iree_async_frontier_tracker_t *tracker) {
  if (tracker) iree_atomic_ref_count_inc(&tracker->ref_count);
}
void iree_async_frontier_tracker_release(iree_async_frontier_tracker_t *tracker) {
  if (tracker && iree_atomic_ref_count_dec(&tracker->ref_count) == 1) iree_allocator_free(tracker->allocator, tracker);
}

uint8_t iree_async_frontier_tracker_session_epoch(const iree_async_frontier_tracker_t *tracker) {
  return tracker->options.session_epoch;
}
uint8_t iree_async_frontier_tracker_machine_index(const iree_async_frontier_tracker_t *tracker) {
  return tracker->options.machine_index;
}
