// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Child processes: a function of this program or a command, run to its end or to a time limit, with what
// it wrote. A crash or an endless loop of theirs is a result like others.
#ifndef COMPILER_PROCESS_H_
#define COMPILER_PROCESS_H_

#include "iree/base/api.h"

typedef struct process_result {
  int exit_code;      // as exit() took it; 128 + the signal if one ended it
  int signal;         // that ended it; 0: none
  bool is_timed_out;  // stopped by the limit
  char *text;         // stdout and stderr together, NUL-terminated, at most PROCESS_TEXT_MAX bytes
  iree_host_size_t text_length;
} process_result_t;

enum { PROCESS_TEXT_MAX = 1 << 20 };

// Runs |fn| in a child, which exits with what it returns.
//   owns:   |out_result| is freed by process_result_deinit
//   thread: no other thread of this process may hold a lock
//   errors: RESOURCE_EXHAUSTED  no process or pipe to be had;  UNIMPLEMENTED  no processes on this system
iree_status_t process_run(int (*fn)(void *self), void *self, int64_t timeout_ms, process_result_t *out_result);

// Runs |command| by the shell. What it starts in turn ends with it.
iree_status_t process_run_shell(const char *command, int64_t timeout_ms, process_result_t *out_result);

void process_result_deinit(process_result_t *result);

#endif  // COMPILER_PROCESS_H_
