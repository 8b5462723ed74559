// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracing: what ran when, told to a sink of the user's.
//
// The runtime tells of slices of time: calls of the VM, queue operations, command buffers and, per
// thread, the parts of kernels. Whoever wants to know sets a sink on an instance
// (iree_vm_instance_set_trace_sink) and on devices (iree_hal_device_set_trace_sink); without one
// nothing is measured, and each place pays for a null check. A slice is told of once, when it ends.
// Slices nest: the thread that tells of one was in it from begin to end. Only those marked concurrent
// began and ended on any threads, and may overlap.
#ifndef IREE_BASE_TRACE_H_
#define IREE_BASE_TRACE_H_

#include <stdbool.h>

#include "iree/base/attributes.h"
#include "iree/base/string_view.h"
#include "iree/base/time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iree_trace_kind_e {
  IREE_TRACE_KIND_CALL = 0,            // a function of a bytecode module
  IREE_TRACE_KIND_IMPORT = 1,          // a native function
  IREE_TRACE_KIND_WAIT = 2,            // an invocation that waits
  IREE_TRACE_KIND_QUEUE = 3,           // a queue operation, from its submission on
  IREE_TRACE_KIND_COMMAND_BUFFER = 4,  // the execution of a command buffer
  IREE_TRACE_KIND_DISPATCH = 5,        // workgroups of one dispatch, on one thread
  IREE_TRACE_KIND_TRANSFER = 6,        // part of a fill, copy or update, on one thread
} iree_trace_kind_t;

typedef struct iree_trace_arg_t {
  const char *key;
  uint64_t value;
} iree_trace_arg_t;

// Everything is borrowed until the sink returns.
typedef struct iree_trace_slice_t {
  iree_trace_kind_t kind;
  iree_time_t begin_ns;
  iree_time_t end_ns;
  iree_string_view_t name;      // function, operation or kernel
  iree_string_view_t scope;     // module or device
  iree_string_view_t location;  // "file:line:column" of the source, or empty
  bool is_concurrent;           // false: nests in what the calling thread does
  iree_host_size_t arg_count;
  const iree_trace_arg_t *args;
} iree_trace_slice_t;

// |slice| is called from any thread, also from several at once.
typedef struct iree_trace_sink_t {
  void *self;
  void (*slice)(void *self, const iree_trace_slice_t *slice);
} iree_trace_sink_t;

// When a slice begins; 0 without a sink.
static inline iree_time_t iree_trace_begin(const iree_trace_sink_t *sink) {
  return IREE_UNLIKELY(sink != NULL) ? iree_time_now() : 0;
}

#ifdef __cplusplus
}
#endif
#endif  // IREE_BASE_TRACE_H_
