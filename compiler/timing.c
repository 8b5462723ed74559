// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/timing.h"

#include <string.h>

static struct pass_timing_row *row_of(pass_timing_t *t, const char *name) {
  if (!t) return NULL;
  for (size_t i = 0; i < t->n; ++i)
    if (!strcmp(t->rows[i].name, name)) return &t->rows[i];
  if (t->n == PASS_TIMING_MAX) return NULL;
  t->rows[t->n] = (struct pass_timing_row){.name = name};
  return &t->rows[t->n++];
}
void pass_timing_add(pass_timing_t *t, const char *name, int64_t ns) {
  struct pass_timing_row *row = row_of(t, name);
  if (row) row->ns += ns;
}
void pass_timing_add_rewrites(pass_timing_t *t, const char *name, int64_t n) {
  struct pass_timing_row *row = row_of(t, name);
  if (row) row->n_rewrites += n;
}

static void sort_by_time(pass_timing_t *t) {  // insertion: few rows, and equal ones keep their order
  for (size_t i = 1; i < t->n; ++i) {
    struct pass_timing_row row = t->rows[i];
    size_t k = i;
    for (; k && t->rows[k - 1].ns < row.ns; --k) t->rows[k] = t->rows[k - 1];
    t->rows[k] = row;
  }
}

static iree_status_t print_row(iree_string_builder_t *b, bool json, const char *name, int64_t ns, int64_t total_ns) {
  double seconds = (double)ns * 1e-9, percent = total_ns ? 100.0 * (double)ns / (double)total_ns : 0;
  return iree_string_builder_append_format(
      b, json ? "{\"wall\": {\"duration\": %9.4f, \"percentage\": %5.1f}, \"name\": \"%s\"}" : "  %9.4f (%5.1f%%)  %s\n", seconds, percent, name);
}

static const char rule[] = "===-------------------------------------------------------------------------===\n";

iree_status_t pass_timing_print_statistics(const pass_timing_t *t, iree_string_builder_t *b) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(b, "%s                         ... Pass statistics report ...\n%s", rule, rule));
  for (size_t i = 0; i < t->n; ++i)
    if (t->rows[i].n_rewrites)
      IREE_RETURN_IF_ERROR(iree_string_builder_append_format(b, "%s\n  (S) %lld rewrites - that could have been left out\n", t->rows[i].name,
                                                             (long long)t->rows[i].n_rewrites));
  return iree_ok_status();
}

iree_status_t pass_timing_print(const pass_timing_t *timing, int64_t total_ns, const compile_options_t *options,
                                iree_string_builder_t *b) {
  pass_timing_t t = *timing;
  bool json = options->timing_format == TIMING_JSON;
  int64_t rest = total_ns;
  for (size_t i = 0; i < t.n; ++i) rest -= t.rows[i].ns;
  pass_timing_add(&t, "Rest", rest);
  if (options->timing_display == TIMING_LIST) sort_by_time(&t);
  if (json) IREE_RETURN_IF_ERROR(iree_string_builder_append_string(b, IREE_SV("[\n")));
  else
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
        b, "%s                         ... Execution time report ...\n%s  Total Execution Time: %.4f seconds\n\n  ----Wall Time----  ----Name----\n",
        rule, rule, (double)total_ns * 1e-9));
  for (size_t i = 0; i < t.n; ++i) {
    IREE_RETURN_IF_ERROR(print_row(b, json, t.rows[i].name, t.rows[i].ns, total_ns));
    if (json) IREE_RETURN_IF_ERROR(iree_string_builder_append_string(b, IREE_SV(",\n")));
  }
  IREE_RETURN_IF_ERROR(print_row(b, json, "Total", total_ns, total_ns));
  return json ? iree_string_builder_append_string(b, IREE_SV("\n]\n")) : iree_ok_status();
}
