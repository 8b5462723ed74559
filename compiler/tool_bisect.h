// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-compile --opt-bisect-test=COMMAND: compiles again and again with other limits, asks the command whether
// the result is right, and names the first rewrite that makes it wrong.
#ifndef COMPILER_TOOL_BISECT_H_
#define COMPILER_TOOL_BISECT_H_

#include "iree/base/api.h"

typedef struct tool_bisect {
  // Compiles with --opt-bisect-limit=|limit| and writes the result; messages go to stderr. Runs in a child.
  // |out_count| receives how many rewrites were asked for.
  iree_status_t (*compile)(void *self, int64_t limit, int64_t *out_count);
  void *self;
  iree_string_view_t command;  // for the shell; exits with 0 if the result is right
  int64_t timeout_ms;          // of one compilation, and of one run of the command; what takes longer is wrong
} tool_bisect_t;

// Prints each step and the culprit on stdout. Afterwards the output is that of the last limit that is right.
//   errors: FAILED_PRECONDITION  right with all rewrites, or wrong without any: there is nothing to find
iree_status_t tool_bisect_run(const tool_bisect_t *bisect);

#endif  // COMPILER_TOOL_BISECT_H_
