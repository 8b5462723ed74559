// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool keep(process_result_t *r, iree_host_size_t *capacity, const char *data, iree_host_size_t n) {
  if (n > PROCESS_TEXT_MAX - r->text_length) n = PROCESS_TEXT_MAX - r->text_length;
  if (r->text_length + n + 1 > *capacity) {
    iree_host_size_t grown = (r->text_length + n + 1) * 2;
    char *text = realloc(r->text, grown);
    if (!text) return false;
    r->text = text;
    *capacity = grown;
  }
  memcpy(r->text + r->text_length, data, n);
  r->text[r->text_length += n] = 0;
  return true;
}

// Reads until the child and all that it started have closed the pipe, or until time is up.
static iree_status_t read_all(int fd, int64_t timeout_ms, process_result_t *r) {
  iree_time_t deadline = iree_time_now() + timeout_ms * 1000000;
  iree_host_size_t capacity = 0;
  char buffer[4096];
  if (!keep(r, &capacity, "", 0)) return iree_status_from_code(IREE_STATUS_RESOURCE_EXHAUSTED);
  for (;;) {
    int64_t left_ms = (deadline - iree_time_now()) / 1000000;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int ready = left_ms > 0 ? poll(&p, 1, left_ms > 60000 ? 60000 : (int)left_ms + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 && iree_time_now() < deadline) continue;
    if (ready <= 0) {
      r->is_timed_out = true;
      return iree_ok_status();
    }
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return iree_ok_status();
    if (!keep(r, &capacity, buffer, (iree_host_size_t)n)) return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory for a command's output");
  }
}

static void child_main(int fd, int (*fn)(void *self), void *self) {
  setpgid(0, 0);
  dup2(fd, STDOUT_FILENO);
  dup2(fd, STDERR_FILENO);
  close(fd);
  _exit(fn(self));
}

iree_status_t process_run(int (*fn)(void *self), void *self, int64_t timeout_ms, process_result_t *out_result) {
  *out_result = (process_result_t){0};
  int fds[2];
  if (pipe(fds) != 0) return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no pipe: %s", strerror(errno));
  pid_t child = fork();
  if (child < 0) {
    close(fds[0]), close(fds[1]);
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no process: %s", strerror(errno));
  }
  if (child == 0) {
    close(fds[0]);
    child_main(fds[1], fn, self);
  }
  setpgid(child, child);  // whichever of the two is first
  close(fds[1]);
  iree_status_t status = read_all(fds[0], timeout_ms, out_result);
  close(fds[0]);
  // Its group is its own: nothing else is meant.
  if (!iree_status_is_ok(status) || out_result->is_timed_out) kill(-child, SIGKILL);
  int code = 0;
  while (waitpid(child, &code, 0) < 0 && errno == EINTR) {
  }
  out_result->signal = WIFSIGNALED(code) ? WTERMSIG(code) : 0;
  out_result->exit_code = WIFEXITED(code) ? WEXITSTATUS(code) : 128 + out_result->signal;
  if (!iree_status_is_ok(status)) process_result_deinit(out_result);
  return status;
}

static int exec_shell(void *self) {
  const char *command = self;
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  return 127;
}
iree_status_t process_run_shell(const char *command, int64_t timeout_ms, process_result_t *out_result) {
  return process_run(exec_shell, (void *)command, timeout_ms, out_result);
}

void process_result_deinit(process_result_t *result) {
  free(result->text);
  *result = (process_result_t){0};
}
