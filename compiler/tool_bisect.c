// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tool_bisect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "compiler/bisect.h"
#include "compiler/process.h"

typedef struct search {
  const tool_bisect_t *bisect;
  char *command;
  int64_t limit;           // of the compilation at hand
  int64_t *count;          // shared with the child
  process_result_t last;   // what was run last
} search_t;

static int compile_in_child(void *self) {
  search_t *s = self;
  iree_status_t status = s->bisect->compile(s->bisect->self, s->limit, s->count);
  bool is_ok = iree_status_is_ok(status);
  iree_status_ignore(status);
  fflush(stdout);
  return is_ok ? 0 : 1;
}

static const char *verdict(const process_result_t *r, const char *failed) {
  return r->is_timed_out ? "takes too long" : r->signal ? "crashes" : r->exit_code ? failed : "good";
}

static iree_status_t check(void *self, int64_t limit, bool *out_is_good) {
  search_t *s = self;
  s->limit = limit;
  process_result_deinit(&s->last);
  IREE_RETURN_IF_ERROR(process_run(compile_in_child, s, s->bisect->timeout_ms, &s->last));
  const char *said = verdict(&s->last, "does not compile");
  *out_is_good = false;
  if (!s->last.exit_code && !s->last.is_timed_out) {
    process_result_deinit(&s->last);
    IREE_RETURN_IF_ERROR(process_run_shell(s->command, s->bisect->timeout_ms, &s->last));
    said = verdict(&s->last, "bad");
    *out_is_good = !s->last.exit_code && !s->last.is_timed_out;
  }
  if (limit < 0) printf("BISECT: all rewrites (%" PRId64 "): %s\n", *s->count, said);
  else printf("BISECT: limit %" PRId64 ": %s\n", limit, said);
  fflush(stdout);
  return iree_ok_status();
}

// The line that a compilation just before the culprit says of it.
static iree_status_t tell_culprit(search_t *s, int64_t first_bad) {
  s->limit = first_bad - 1;
  process_result_deinit(&s->last);
  IREE_RETURN_IF_ERROR(process_run(compile_in_child, s, s->bisect->timeout_ms, &s->last));
  const char *line = s->last.text ? strstr(s->last.text, "BISECT: NOT running rewrite (") : NULL;
  const char *text = line ? strchr(line, ')') : NULL;
  printf("first bad rewrite: %" PRId64 "%.*s\n", first_bad, text ? (int)strcspn(text + 1, "\n") : 0, text ? text + 1 : "");
  printf("--opt-bisect-limit=%" PRId64 " leaves it and all that follow out; --mlir-print-ir-after-change shows the IR around it\n", first_bad - 1);
  return iree_ok_status();
}

static const char *failure_text(const process_result_t *r) {
  const char *text = r->text ? r->text : "";
  if (!strncmp(text, "BISECT:", 7)) text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
  return text;
}

static iree_status_t search(search_t *s) {
  bool is_good = false;
  IREE_RETURN_IF_ERROR(check(s, -1, &is_good));
  if (is_good) return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "--opt-bisect-test: the result is right with all rewrites; there is nothing to find");
  int64_t count = *s->count, first_bad = 0;
  IREE_RETURN_IF_ERROR(check(s, 0, &is_good));
  if (!is_good)
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "--opt-bisect-test: wrong without any of the rewrites, too; the cause lies elsewhere: %.400s",
                            failure_text(&s->last));
  IREE_RETURN_IF_ERROR(bisect_search(count > 0 ? count : 1, check, s, &first_bad));
  return tell_culprit(s, first_bad);
}

iree_status_t tool_bisect_run(const tool_bisect_t *bisect) {
  if (bisect->timeout_ms <= 0) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--opt-bisect-timeout: seconds are expected, one at least");
  search_t s = {.bisect = bisect};
  s.count = mmap(NULL, sizeof *s.count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s.count == MAP_FAILED) return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory to share with a child");
  s.command = malloc(bisect->command.size + 1);
  iree_status_t status = s.command ? iree_ok_status() : iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory for a command");
  if (s.command) {
    memcpy(s.command, bisect->command.data, bisect->command.size);
    s.command[bisect->command.size] = 0;
    status = search(&s);
  }
  process_result_deinit(&s.last);
  free(s.command);
  munmap(s.count, sizeof *s.count);
  return status;
}
