// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory that a call of a function takes at once: exact where sizes and control flow are static.
#ifndef COMPILER_STREAM_PEAK_H_
#define COMPILER_STREAM_PEAK_H_

#include "compiler/pass.h"

enum { STREAM_PEAK_MAX_SHOWN = 32 };
typedef struct stream_peak {
  int64_t bytes;        // a lower bound if |inexact|
  const char *inexact;  // why, or NULL
  struct {
    const char *lifetime;  // "transient", "external" (a result), ...
    int64_t bytes;
    ir_loc_t loc;
  } live[STREAM_PEAK_MAX_SHOWN];  // what is allocated at the peak
  uint32_t n_live, n_more;
} stream_peak_t;

// Follows the allocations of |func| in order, at the end of the stream phase.
void stream_peak(ir_ctx_t *ctx, const ir_op_t *func, stream_peak_t *out);

#endif  // COMPILER_STREAM_PEAK_H_
