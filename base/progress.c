// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_NS ((iree_duration_t)2 * 1000000000)
#define INTERVAL_NS ((iree_duration_t)200 * 1000000)
#define MAX_COLUMNS 78
#define ERASE "\r\x1b[K"

static bool can_show(void) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static void write_terminal(const char *text, size_t length) {
  if (write(STDERR_FILENO, text, length) < 0) return;  // the terminal is gone: nobody looks
}

// With the lock.
static void show(progress_t *progress) {
  const char *what = (const char *)iree_atomic_load(&progress->what, iree_memory_order_acquire);
  if (!what) return;
  const int64_t done = iree_atomic_load(&progress->done, iree_memory_order_relaxed);
  const int64_t total = iree_atomic_load(&progress->total, iree_memory_order_relaxed);
  const int64_t seconds = (iree_time_now() - progress->start_ns) / 1000000000;
  char text[sizeof(ERASE) + MAX_COLUMNS] = ERASE;
  char *line = text + sizeof(ERASE) - 1;
  if (total > 0) {
    snprintf(line, MAX_COLUMNS, "%s: %lld of %lld (%lld s)", what, (long long)done,
             (long long)total, (long long)seconds);
  } else {
    snprintf(line, MAX_COLUMNS, "%s (%lld s)", what, (long long)seconds);
  }
  write_terminal(text, strlen(text));
  progress->is_shown = true;
}

static void *run(void *self) {
  progress_t *progress = (progress_t *)self;
  iree_time_t next_ns = progress->start_ns + FIRST_NS;
  mutex_lock(&progress->mutex);
  while (!progress->is_stopping) {
    condition_wait_until(&progress->stopped, &progress->mutex, next_ns);
    if (progress->is_stopping || iree_time_now() < next_ns) continue;
    show(progress);
    next_ns = iree_time_now() + INTERVAL_NS;
  }
  mutex_unlock(&progress->mutex);
  return NULL;
}

void progress_start(progress_t *progress) {
  memset(progress, 0, sizeof(*progress));
  if (!can_show()) return;
  mutex_init(&progress->mutex);
  condition_init(&progress->stopped);
  progress->start_ns = iree_time_now();
  // Signals are the program's, which may block them for a while.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  progress->is_started = pthread_create(&progress->thread, NULL, run, progress) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_note(progress_t *progress, const char *what, int64_t done, int64_t total) {
  iree_atomic_store(&progress->done, done, iree_memory_order_relaxed);
  iree_atomic_store(&progress->total, total, iree_memory_order_relaxed);
  iree_atomic_store(&progress->what, (intptr_t)what, iree_memory_order_release);
}

// With the lock.
static void erase(progress_t *progress) {
  if (progress->is_shown) write_terminal(ERASE, sizeof(ERASE) - 1);
  progress->is_shown = false;
}

void progress_clear(progress_t *progress) {
  if (!progress->is_started) return;
  mutex_lock(&progress->mutex);
  erase(progress);
  mutex_unlock(&progress->mutex);
}

void progress_stop(progress_t *progress) {
  if (!progress->is_started) return;
  mutex_lock(&progress->mutex);
  progress->is_stopping = true;
  erase(progress);
  condition_broadcast(&progress->stopped);
  mutex_unlock(&progress->mutex);
  pthread_join(progress->thread, NULL);
  condition_deinit(&progress->stopped);
  mutex_deinit(&progress->mutex);
  progress->is_started = false;
}
