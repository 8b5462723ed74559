// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark reports: rows and columns of each form, aggregates, selection, iteration counts,
// failures.

#include "tooling/benchmark.h"

#include "base/test.h"
#include "tooling/benchmark_report.h"

typedef struct output_t {
  iree_string_builder_t text, messages;
} output_t;

static void collect(void *self, bool is_message, iree_string_view_t text) {
  output_t *output = (output_t *)self;
  iree_status_ignore(
      iree_string_builder_append_string(is_message ? &output->messages : &output->text, text));
}

static iree_status_t count_call(void *self, benchmark_timer_t *timer) {
  (void)timer;
  ++*(int *)self;
  return iree_ok_status();
}

static iree_status_t fail_call(void *self, benchmark_timer_t *timer) {
  (void)timer;
  return ++*(int *)self > 2 ? iree_make_status(IREE_STATUS_ABORTED, "third call")
                            : iree_ok_status();
}

typedef struct fixture_t {
  benchmark_flags_t values;
  flag_binding_t binding;
  flags_t flags;
  output_t output;
} fixture_t;

static void begin(test_t *test, fixture_t *f, const char *flag_text) {
  f->binding = (flag_binding_t){&benchmark_flag_group, &f->values};
  EXPECT_OK(flags_init(&f->binding, 1, FLAG_STYLE_GNU, iree_allocator_system(), &f->flags));
  EXPECT_OK(flags_parse_text(&f->flags, iree_make_cstring_view(flag_text), IREE_SV("test")));
  iree_string_builder_initialize(iree_allocator_system(), &f->output.text);
  iree_string_builder_initialize(iree_allocator_system(), &f->output.messages);
}

static void end(fixture_t *f) {
  iree_string_builder_deinitialize(&f->output.messages);
  iree_string_builder_deinitialize(&f->output.text);
  flags_deinit(&f->flags);
}

static iree_status_t run(fixture_t *f, const benchmark_t *benchmarks, iree_host_size_t count) {
  const benchmark_options_t options = {.flags = &f->values,
                                       .time_unit = BENCHMARK_UNIT_MS,
                                       .program = "tool",
                                       .allocator = iree_allocator_system(),
                                       .sink = {.write = collect, .self = &f->output}};
  return benchmark_run_all(&options, benchmarks, count);
}

static int count_text(const fixture_t *f, const char *text) {
  int count = 0;
  for (const char *at = f->output.text.buffer; at && (at = strstr(at, text)); ++at) ++count;
  return count;
}

TEST(fixed_iterations) {
  int calls = 0;
  fixture_t f;
  begin(test, &f, "--benchmark_min_time=100x");
  const benchmark_t benchmark = {"BM_a", 8, 1, count_call, &calls};
  EXPECT_OK(run(&f, &benchmark, 1));
  EXPECT_EQ(calls, 13 + 1);  // whole batches, and one to warm up
  EXPECT_EQ(count_text(&f, " 104 items_per_second="), 1);
  EXPECT_EQ(count_text(&f, "Benchmark           Time             CPU   Iterations UserCounters..."),
            1);
  end(&f);
}

TEST(grows_to_min_time) {
  int calls = 0;
  fixture_t f;
  begin(test, &f, "--benchmark_min_time=0.002s");
  const benchmark_t benchmark = {"BM_a", 1, 1, count_call, &calls};
  EXPECT_OK(run(&f, &benchmark, 1));
  EXPECT(calls > 100);
  end(&f);
}

TEST(repetitions_and_aggregates) {
  int calls = 0;
  fixture_t f;
  begin(test, &f, "--benchmark_min_time=5x\n--benchmark_repetitions=3");
  const benchmark_t benchmark = {"BM_a", 1, 1, count_call, &calls};
  EXPECT_OK(run(&f, &benchmark, 1));
  EXPECT_EQ(calls, 16);
  EXPECT_EQ(count_text(&f, "BM_a"), 7);
  EXPECT_EQ(count_text(&f, "BM_a_median"), 1);
  EXPECT_EQ(count_text(&f, " %  "), 2);
  end(&f);
  begin(test, &f,
        "--benchmark_min_time=5x\n--benchmark_repetitions=3\n--benchmark_report_aggregates_only");
  EXPECT_OK(run(&f, &benchmark, 1));
  EXPECT_EQ(count_text(&f, "BM_a"), 4);
  end(&f);
}

TEST(selection) {
  static const struct {
    const char *flags;
    int expected;
  } k_cases[] = {{"--benchmark_filter=b", 1},   {"--benchmark_filter=-b", 2},
                 {"--benchmark_filter=all", 3}, {"--benchmark_filter=^BM_", 3},
                 {"--benchmark_filter=x", 0},   {"", 3}};
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_cases); ++i) {
    int calls = 0;
    fixture_t f;
    begin(test, &f, "--benchmark_list_tests");
    EXPECT_OK(
        flags_parse_text(&f.flags, iree_make_cstring_view(k_cases[i].flags), IREE_SV("test")));
    const benchmark_t benchmarks[] = {{"BM_a", 1, 1, count_call, &calls},
                                      {"BM_b", 1, 1, count_call, &calls},
                                      {"BM_c", 1, 1, count_call, &calls}};
    EXPECT_OK(run(&f, benchmarks, 3));
    EXPECT_EQ(count_text(&f, "BM_"), k_cases[i].expected);
    EXPECT_EQ(f.output.messages.size > 0, k_cases[i].expected == 0);
    EXPECT_EQ(calls, 0);
    end(&f);
  }
}

TEST(wrong_flags) {
  static const char *const k_flags[] = {"--benchmark_filter=(", "--benchmark_min_time=fast",
                                        "--benchmark_min_time=0x", "--benchmark_min_time=-1s",
                                        "--benchmark_repetitions=0"};
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_flags); ++i) {
    int calls = 0;
    fixture_t f;
    begin(test, &f, k_flags[i]);
    const benchmark_t benchmark = {"BM_a", 1, 1, count_call, &calls};
    if (!EXPECT_STATUS(INVALID_ARGUMENT, run(&f, &benchmark, 1))) printf("  %s\n", k_flags[i]);
    EXPECT_EQ(calls, 0);
    end(&f);
  }
}

TEST(failures_stop) {
  int calls = 0;
  fixture_t f;
  begin(test, &f, "--benchmark_min_time=100x");
  const benchmark_t benchmark = {"BM_a", 1, 1, fail_call, &calls};
  EXPECT_STATUS(ABORTED, run(&f, &benchmark, 1));
  EXPECT_EQ(calls, 3);
  end(&f);
}

static void expect_row(test_t *test, int format, const benchmark_row_t *row, const char *expected) {
  benchmark_report_t report = {.format = format,
                               .time_unit = BENCHMARK_UNIT_MS,
                               .name_width = 12,
                               .has_header = true,
                               .has_rows = false};
  iree_string_builder_t text;
  iree_string_builder_initialize(iree_allocator_system(), &text);
  EXPECT_OK(benchmark_report_row(&report, row, &text));
  EXPECT_STR(text.buffer, expected);
  iree_string_builder_deinitialize(&text);
}

TEST(row_forms) {
  benchmark_row_t row = {.name = "BM_a",
                         .repetitions = 1,
                         .iterations = 1000,
                         .real_time = 71.2e-6,
                         .cpu_time = 0.01234,
                         .items_per_second = 14037.9};
  expect_row(
      test, BENCHMARK_CONSOLE, &row,
      "BM_a              0.071 ms         12.3 ms         1000 items_per_second=14.0379k/s\n");
  expect_row(test, BENCHMARK_CSV, &row, "\"BM_a\",1000,0.0712,12.34,ms,,14037.9,,,\n");
  row.items_per_second = 1.01331e6;
  row.real_time = 12345;
  row.aggregate = "mean";
  expect_row(
      test, BENCHMARK_CONSOLE, &row,
      "BM_a_mean      12345000 ms         12.3 ms         1000 items_per_second=1.01331M/s\n");
  row = (benchmark_row_t){.name = "BM_a",
                          .aggregate = "cv",
                          .iterations = 3,
                          .real_time = 0.8248,
                          .cpu_time = 0.0257,
                          .items_per_second = 0.7964};
  expect_row(test, BENCHMARK_CONSOLE, &row,
             "BM_a_cv           82.48 %          2.57 %             3 items_per_second=79.64%\n");
}

TEST_MAIN(CASE(fixed_iterations) CASE(grows_to_min_time) CASE(repetitions_and_aggregates)
              CASE(selection) CASE(wrong_flags) CASE(failures_stop) CASE(row_forms))
