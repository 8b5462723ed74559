// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --trace=FILE: what the runtime did as a timeline, in the JSON of Chrome's trace viewer that
// ui.perfetto.dev and chrome://tracing read. Slices of a thread nest; operations that a queue runs
// beside them are asynchronous events. The file is valid JSON from the start and after each block
// that is written, so that a program that crashes leaves a trace, too.

#ifndef TOOLING_TRACE_H_
#define TOOLING_TRACE_H_

#include "base/flags.h"
#include "iree/hal/api.h"
#include "iree/vm/api.h"

// The row of a flags table whose |member| is the file's path.
#define TRACE_FLAG(values_t, member)                                                           \
  FLAG_STRING(values_t, member, "trace", "",                                                   \
              "File that gets a timeline of calls, queue operations, command buffers and "     \
              "dispatches, as JSON\nfor ui.perfetto.dev or chrome://tracing.")

typedef struct trace_writer_t trace_writer_t;

// Starts the file at |path|; without a path |out_writer| is NULL, which all functions take.
//   owns:   transfers ownership to the caller, who frees it after what it traces is gone
//   errors: those of opening the file
iree_status_t trace_writer_open(iree_string_view_t path, iree_allocator_t allocator,
                                trace_writer_t **out_writer);

// What to hand to the runtime; NULL without a writer.
const iree_trace_sink_t *trace_writer_sink(trace_writer_t *writer);

// Ends the file; later slices are dropped.
//   errors: UNKNOWN and others  the file could not be written whole
iree_status_t trace_writer_close(trace_writer_t *writer);
void trace_writer_free(trace_writer_t *writer);

#endif  // TOOLING_TRACE_H_
