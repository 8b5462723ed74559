// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wait sources: asking is waiting for no time.
#include "iree/base/wait_source.h"

static iree_status_t wait_for_time(iree_wait_source_t wait_source, iree_timeout_t timeout) {
  iree_time_t happens_ns = (iree_time_t)wait_source.data;
  iree_time_t deadline_ns = iree_timeout_as_deadline_ns(timeout);
  if (deadline_ns < happens_ns) {
    if (!iree_timeout_is_immediate(timeout)) iree_wait_until(deadline_ns);
    return iree_time_now() >= happens_ns ? iree_ok_status()
                                         : iree_status_from_code(IREE_STATUS_DEADLINE_EXCEEDED);
  }
  if (happens_ns == IREE_TIME_INFINITE_FUTURE) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "endless wait for a time that never comes");
  }
  while (iree_time_now() < happens_ns) iree_wait_until(happens_ns);
  return iree_ok_status();
}

iree_wait_source_t iree_wait_source_delay(iree_time_t deadline_ns) {
  iree_wait_source_t source = {NULL, (uint64_t)deadline_ns, wait_for_time};
  return source;
}

iree_status_t iree_wait_source_query(iree_wait_source_t wait_source,
                                     iree_status_code_t *out_wait_status_code) {
  *out_wait_status_code = IREE_STATUS_OK;
  if (!wait_source.wait) return iree_ok_status();
  iree_status_code_t code =
      iree_status_consume_code(wait_source.wait(wait_source, iree_immediate_timeout()));
  *out_wait_status_code = code == IREE_STATUS_DEADLINE_EXCEEDED ? IREE_STATUS_DEFERRED : code;
  return iree_ok_status();
}

iree_status_t iree_wait_source_wait_one(iree_wait_source_t wait_source, iree_timeout_t timeout) {
  return wait_source.wait ? wait_source.wait(wait_source, timeout) : iree_ok_status();
}
