// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line on the terminal that tells how far long work is. Nothing shows in the first two seconds,
// when stderr is no terminal, or when TERM says that it cannot erase a line. The work only stores
// where it is; a thread of its own shows that a few times a second.
//
//   progress_t progress;
//   progress_start(&progress);
//   for (...) progress_note(&progress, "kernels", i, n);
//   progress_clear(&progress);   // before anything else is written to the terminal
//   progress_stop(&progress);

#ifndef BASE_PROGRESS_H_
#define BASE_PROGRESS_H_

#include "base/threads.h"
#include "iree/base/api.h"

typedef struct progress_t {
  bool is_started;  // there is a terminal, and a thread
  bool is_stopping;
  bool is_shown;  // the line is on the terminal
  pthread_t thread;
  mutex_t mutex;
  condition_t stopped;
  iree_time_t start_ns;
  iree_atomic_intptr_t what;  // const char *
  iree_atomic_int64_t done;
  iree_atomic_int64_t total;
} progress_t;

void progress_start(progress_t *progress);
// Says what is being done: |done| of |total|, which is 0 where there is nothing to count.
//   owns:   |what| is borrowed until the next note or progress_stop
//   thread: any
void progress_note(progress_t *progress, const char *what, int64_t done, int64_t total);
// Takes the line off the terminal until it is shown next.
void progress_clear(progress_t *progress);
void progress_stop(progress_t *progress);

#endif  // BASE_PROGRESS_H_
