// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a local device tells its trace sink: queue operations, command buffers, and per thread the
// parts of dispatches and transfers. All functions take the trace of the queue, NULL when nobody
// listens.
#ifndef RUNTIME_HAL_LOCAL_TRACE_H_
#define RUNTIME_HAL_LOCAL_TRACE_H_

#include "iree/base/api.h"
#include "runtime/hal/local/commands.h"

typedef struct local_trace_t {
  const iree_trace_sink_t *sink;
  iree_string_view_t device;
} local_trace_t;

static inline iree_time_t local_trace_begin(const local_trace_t *trace) {
  return IREE_UNLIKELY(trace != NULL) ? iree_time_now() : 0;
}

// An operation is done. |is_concurrent|: it was not done within the call that submitted it.
void local_trace_operation(const local_trace_t *trace, iree_time_t begin_ns, const char *name,
                           bool is_concurrent);

// All of a command buffer has run.
void local_trace_commands(const local_trace_t *trace, iree_time_t begin_ns,
                          const local_command_buffer_t *commands, bool is_concurrent);

// Workgroups, or bytes, [begin, end) of a command have run on the calling thread.
void local_trace_command(const local_trace_t *trace, iree_time_t begin_ns, const command_t *command,
                         const command_state_t *state, uint64_t begin, uint64_t end);

#endif  // RUNTIME_HAL_LOCAL_TRACE_H_
