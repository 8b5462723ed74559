// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Something that will happen: a handle that can be asked, or waited on, whether it has.
#ifndef IREE_BASE_WAIT_SOURCE_H_
#define IREE_BASE_WAIT_SOURCE_H_

#include "iree/base/status.h"
#include "iree/base/time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_wait_source_t iree_wait_source_t;

// Waits up to |timeout|: OK once it happened, DEADLINE_EXCEEDED if not yet, else its failure.
typedef iree_status_t (*iree_wait_source_wait_fn_t)(iree_wait_source_t wait_source,
                                                    iree_timeout_t timeout);

struct iree_wait_source_t {
  void *self;
  uint64_t data;
  iree_wait_source_wait_fn_t wait;  // NULL: has happened
};

static inline iree_wait_source_t iree_wait_source_immediate(void) {
  iree_wait_source_t source = {NULL, 0, NULL};
  return source;
}
static inline bool iree_wait_source_is_immediate(iree_wait_source_t wait_source) {
  return wait_source.wait == NULL;
}
// Happens at a point in time.
//   errors: none
IREE_API_EXPORT iree_wait_source_t iree_wait_source_delay(iree_time_t deadline_ns);

// Whether it has happened: code OK, DEFERRED or that of its failure.
//   errors: none
IREE_API_EXPORT iree_status_t iree_wait_source_query(iree_wait_source_t wait_source,
                                                     iree_status_code_t *out_wait_status_code);
// Blocks.
//   errors: DEADLINE_EXCEEDED  not within |timeout|;  or the failure that was waited for
IREE_API_EXPORT iree_status_t iree_wait_source_wait_one(iree_wait_source_t wait_source,
                                                        iree_timeout_t timeout);

#ifdef __cplusplus
}
#endif
#endif  // IREE_BASE_WAIT_SOURCE_H_
