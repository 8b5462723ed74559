// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test cases run one after the other, with the flags and the output of Google Test.

#ifndef TOOLING_TEST_SUITE_H_
#define TOOLING_TEST_SUITE_H_

#include <stdio.h>

#include "base/flags.h"
#include "iree/base/api.h"

typedef struct test_suite_flags_t {
  iree_string_view_t filter;
  bool list_tests;
  bool also_run_disabled_tests;
  bool fail_fast;
  bool brief;
  bool print_time;
  bool shuffle;
  int32_t repeat;
  int32_t random_seed;
} test_suite_flags_t;

extern const flag_group_t test_suite_flag_group;

typedef struct test_suite_t {
  const test_suite_flags_t *flags;
  iree_string_view_t name;
  iree_host_size_t count;
  iree_allocator_t allocator;
  FILE *file;  // gets all output
  // Names a case, and runs one: true if it passed. A case prints its failures itself.
  iree_string_view_t (*case_name)(void *self, iree_host_size_t index);
  bool (*run)(void *self, iree_host_size_t index);
  void *self;
} test_suite_t;

// Runs or lists the cases that the flags select.
//   errors: RESOURCE_EXHAUSTED
iree_status_t test_suite_run(const test_suite_t *suite, bool *out_passed);

// Whether |name| ("suite.case") matches a filter: patterns with * and ? between colons, those after
// a dash exclude.
bool test_suite_matches(iree_string_view_t filter, iree_string_view_t name);

#endif  // TOOLING_TEST_SUITE_H_
