// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selecting, running and counting cases (test_suite.h).

#include "tooling/test_suite.h"

static const flag_t k_test_suite_flags[] = {
    FLAG_STRING(test_suite_flags_t, filter, "gtest_filter", "*",
                "Cases to run: patterns of suite.case with * and ?, separated by colons; those "
                "after a - are left out."),
    FLAG_BOOL(test_suite_flags_t, list_tests, "gtest_list_tests", "false",
              "Lists the cases instead of running them."),
    FLAG_BOOL(test_suite_flags_t, also_run_disabled_tests, "gtest_also_run_disabled_tests", "false",
              "Runs cases whose names start with DISABLED_, too."),
    FLAG_I32(test_suite_flags_t, repeat, "gtest_repeat", "1",
             "How often to run all cases; negative: until one fails."),
    FLAG_BOOL(test_suite_flags_t, shuffle, "gtest_shuffle", "false",
              "Runs the cases in random order."),
    FLAG_I32(test_suite_flags_t, random_seed, "gtest_random_seed", "0",
             "Where the random order starts; 0 takes it from the clock."),
    FLAG_BOOL(test_suite_flags_t, fail_fast, "gtest_fail_fast", "false",
              "Runs no more cases after one that fails."),
    FLAG_BOOL(test_suite_flags_t, brief, "gtest_brief", "false", "Prints failures only."),
    FLAG_BOOL(test_suite_flags_t, print_time, "gtest_print_time", "true",
              "Prints how long each case took."),
};
const flag_group_t test_suite_flag_group = FLAG_GROUP("Tests", k_test_suite_flags);

//===-- selection ----------------------------------------------------------------------------===//

static bool matches_any(iree_string_view_t patterns, iree_string_view_t name) {
  while (patterns.size) {
    iree_string_view_t pattern;
    iree_string_view_split(patterns, ':', &pattern, &patterns);
    if (pattern.size && iree_string_view_match_pattern(name, pattern)) return true;
  }
  return false;
}

bool test_suite_matches(iree_string_view_t filter, iree_string_view_t name) {
  iree_string_view_t wanted, unwanted;
  iree_string_view_split(filter, '-', &wanted, &unwanted);
  if (!wanted.size) wanted = IREE_SV("*");
  return matches_any(wanted, name) && !matches_any(unwanted, name);
}

//===-- runs ---------------------------------------------------------------------------------===//

typedef struct run_t {
  const test_suite_t *suite;
  iree_host_size_t count;  // selected
  iree_host_size_t *cases;
  iree_host_size_t failed_count;
  iree_host_size_t *failed;
  iree_host_size_t done_count;
  iree_host_size_t disabled_count;
} run_t;

static const char *plural(iree_host_size_t count) { return count == 1 ? "" : "s"; }

static iree_string_view_t case_name(const test_suite_t *suite, iree_host_size_t i) {
  return suite->case_name(suite->self, i);
}

static iree_status_t select_cases(run_t *run) {
  const test_suite_t *suite = run->suite;
  iree_string_builder_t name;
  iree_string_builder_initialize(suite->allocator, &name);
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < suite->count && iree_status_is_ok(status); ++i) {
    iree_string_builder_reset(&name);
    status = iree_string_builder_append_format(&name, "%.*s.%.*s", IREE_SV_ARGS(suite->name),
                                               IREE_SV_ARGS(case_name(suite, i)));
    if (!iree_status_is_ok(status)) break;
    if (!test_suite_matches(suite->flags->filter, iree_string_builder_view(&name))) continue;
    bool is_disabled = iree_string_view_starts_with(case_name(suite, i), IREE_SV("DISABLED_"));
    if (is_disabled && !suite->flags->also_run_disabled_tests && !suite->flags->list_tests) {
      ++run->disabled_count;
      continue;
    }
    run->cases[run->count++] = i;
  }
  iree_string_builder_deinitialize(&name);
  return status;
}

static void shuffle_cases(run_t *run, uint32_t seed) {
  for (iree_host_size_t i = run->count; i > 1; --i) {
    seed = seed * 1664525u + 1013904223u;
    iree_host_size_t j = (iree_host_size_t)(((uint64_t)seed * i) >> 32);
    iree_host_size_t last = run->cases[i - 1];
    run->cases[i - 1] = run->cases[j];
    run->cases[j] = last;
  }
}

static int64_t milliseconds_since(iree_time_t start) { return (iree_time_now() - start) / 1000000; }

static void print_time(const run_t *run, iree_time_t start, const char *total) {
  if (run->suite->flags->print_time) {
    fprintf(run->suite->file, " (%" PRId64 " ms%s)", milliseconds_since(start), total);
  }
  fputc('\n', run->suite->file);
}

static void print_case(const run_t *run, const char *label, iree_host_size_t i) {
  iree_string_view_t name = case_name(run->suite, i);
  fprintf(run->suite->file, "%s %.*s.%.*s", label, IREE_SV_ARGS(run->suite->name),
          IREE_SV_ARGS(name));
}

static void run_case(run_t *run, iree_host_size_t i) {
  const test_suite_t *suite = run->suite;
  if (!suite->flags->brief) {
    print_case(run, "[ RUN      ]", i);
    fputc('\n', suite->file);
    fflush(suite->file);
  }
  iree_time_t start = iree_time_now();
  bool passed = suite->run(suite->self, i);
  ++run->done_count;
  if (!passed) run->failed[run->failed_count++] = i;
  if (passed && suite->flags->brief) return;
  print_case(run, passed ? "[       OK ]" : "[  FAILED  ]", i);
  print_time(run, start, "");
  fflush(suite->file);
}

static void print_summary(const run_t *run, iree_time_t start) {
  FILE *file = run->suite->file;
  iree_host_size_t passed = run->done_count - run->failed_count;
  if (!run->suite->flags->brief) {
    fprintf(file, "[----------] %zu test%s from %.*s", run->done_count, plural(run->done_count),
            IREE_SV_ARGS(run->suite->name));
    print_time(run, start, " total");
    fprintf(file, "\n[----------] Global test environment tear-down\n");
  }
  fprintf(file, "[==========] %zu test%s from %d test suite%s ran.", run->done_count,
          plural(run->done_count), run->done_count ? 1 : 0, run->done_count ? "" : "s");
  print_time(run, start, " total");
  fprintf(file, "[  PASSED  ] %zu test%s.\n", passed, plural(passed));
  if (run->failed_count) {
    fprintf(file, "[  FAILED  ] %zu test%s, listed below:\n", run->failed_count,
            plural(run->failed_count));
    for (iree_host_size_t i = 0; i < run->failed_count; ++i) {
      print_case(run, "[  FAILED  ]", run->failed[i]);
      fputc('\n', file);
    }
    fprintf(file, "\n%2zu FAILED TEST%s\n", run->failed_count, run->failed_count == 1 ? "" : "S");
  }
  if (run->disabled_count) {
    fprintf(file, "\n  YOU HAVE %zu DISABLED TEST%s\n\n", run->disabled_count,
            run->disabled_count == 1 ? "" : "S");
  }
  fflush(file);
}

static void run_cases(run_t *run) {
  const test_suite_t *suite = run->suite;
  iree_time_t start = iree_time_now();
  run->failed_count = run->done_count = 0;
  if (!suite->flags->brief) {
    fprintf(suite->file, "[==========] Running %zu test%s from %d test suite%s.\n", run->count,
            plural(run->count), run->count ? 1 : 0, run->count ? "" : "s");
    fprintf(suite->file, "[----------] Global test environment set-up.\n");
    fprintf(suite->file, "[----------] %zu test%s from %.*s\n", run->count, plural(run->count),
            IREE_SV_ARGS(suite->name));
  }
  for (iree_host_size_t i = 0; i < run->count; ++i) {
    run_case(run, run->cases[i]);
    if (run->failed_count && suite->flags->fail_fast) break;
  }
  print_summary(run, start);
}

static void list_cases(const run_t *run) {
  if (!run->count) return;
  fprintf(run->suite->file, "%.*s.\n", IREE_SV_ARGS(run->suite->name));
  for (iree_host_size_t i = 0; i < run->count; ++i) {
    iree_string_view_t name = case_name(run->suite, run->cases[i]);
    fprintf(run->suite->file, "  %.*s\n", IREE_SV_ARGS(name));
  }
}

static void run_repeatedly(run_t *run, bool *out_passed) {
  const test_suite_flags_t *flags = run->suite->flags;
  FILE *file = run->suite->file;
  uint32_t seed = flags->random_seed ? (uint32_t)flags->random_seed
                                     : (uint32_t)(iree_time_now() / 1000000 % 99999 + 1);
  if (flags->filter.size && !iree_string_view_equal(flags->filter, IREE_SV("*"))) {
    fprintf(file, "Note: Google Test filter = %.*s\n", IREE_SV_ARGS(flags->filter));
  }
  *out_passed = true;
  for (int32_t i = 0; flags->repeat < 0 || i < flags->repeat; ++i, ++seed) {
    if (flags->repeat != 1) fprintf(file, "\nRepeating all tests (iteration %d) . . .\n\n", i + 1);
    if (flags->shuffle) {
      fprintf(file, "Note: Randomizing tests' orders with a seed of %u .\n", seed);
      shuffle_cases(run, seed);
    }
    run_cases(run);
    if (run->failed_count) *out_passed = false;
    if (flags->repeat < 0 && run->failed_count) break;
  }
}

iree_status_t test_suite_run(const test_suite_t *suite, bool *out_passed) {
  *out_passed = false;
  run_t run = {.suite = suite};
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(suite->allocator,
                                                   iree_max(suite->count, (iree_host_size_t)1) * 2,
                                                   sizeof(run.cases[0]), (void **)&run.cases));
  run.failed = run.cases + iree_max(suite->count, (iree_host_size_t)1);
  iree_status_t status = select_cases(&run);
  if (iree_status_is_ok(status)) {
    if (suite->flags->list_tests) {
      list_cases(&run);
      *out_passed = true;
    } else {
      run_repeatedly(&run, out_passed);
    }
  }
  iree_allocator_free(suite->allocator, run.cases);
  return status;
}
