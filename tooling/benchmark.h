// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A measuring loop with the flags, rows and JSON of Google Benchmark 1.9, which dashboards and
// comparison scripts read.
//
//   warm-up -> estimate: run n iterations, n grows until a run lasts --benchmark_min_time -> that
//   run is the first repetition; further ones repeat n -> per repetition a row, over all of them
//   mean, median, stddev, cv
//
// Wall time decides n; CPU time is that of all threads of the process. The loop allocates nothing.

#ifndef TOOLING_BENCHMARK_H_
#define TOOLING_BENCHMARK_H_

#include "iree/base/api.h"
#include "base/flags.h"
#include "base/progress.h"

enum { BENCHMARK_CONSOLE, BENCHMARK_JSON, BENCHMARK_CSV };
enum { BENCHMARK_UNIT_NS, BENCHMARK_UNIT_US, BENCHMARK_UNIT_MS, BENCHMARK_UNIT_S };

typedef struct benchmark_flags_t {
  bool list_tests;
  iree_string_view_t filter;
  iree_string_view_t min_time;
  double min_warmup_time;
  int32_t repetitions;
  bool dry_run;
  bool enable_random_interleaving;
  bool report_aggregates_only;
  bool display_aggregates_only;
  int32_t format;
  iree_string_view_t out;
  int32_t out_format;
  iree_string_view_t color;
  bool counters_tabular;
  flag_list_t context;
  int32_t time_unit;  // BENCHMARK_UNIT_* + 1; 0: the tool's choice
  int32_t verbosity;
} benchmark_flags_t;

extern const flag_group_t benchmark_flag_group;

// The clock of one run; the body may stop it around work that is not to be measured.
typedef struct benchmark_timer_t {
  int64_t real_ns;  // measured so far
  int64_t cpu_ns;
  int64_t real_start_ns;
  int64_t cpu_start_ns;
} benchmark_timer_t;

void benchmark_timer_pause(benchmark_timer_t *timer);
void benchmark_timer_resume(benchmark_timer_t *timer);

typedef struct benchmark_t {
  const char *name;    // as in the rows, suffixes included; borrowed
  int64_t batch_size;  // iterations that one call of |run| stands for
  double items;        // per iteration, that items_per_second counts
  // Runs one batch. The timer is running on entry and must be on return.
  iree_status_t (*run)(void *self, benchmark_timer_t *timer);
  void *self;
} benchmark_t;

// Where text goes while benchmarks run.
typedef struct benchmark_sink_t {
  void (*write)(void *self, bool is_message,
                iree_string_view_t text);  // messages: stderr, others: stdout
  void *self;
} benchmark_sink_t;

typedef struct benchmark_options_t {
  const benchmark_flags_t *flags;
  int time_unit;        // of the reports, BENCHMARK_UNIT_*
  const char *program;  // names the executable in the context
  iree_allocator_t allocator;
  benchmark_sink_t sink;
  progress_t *progress;  // is told of the iterations; or NULL
} benchmark_options_t;

// Runs those of |benchmarks| that the flags select and reports them.
//   errors: INVALID_ARGUMENT  malformed filter or time
//           those of the benchmarks and of writing --benchmark_out
iree_status_t benchmark_run_all(const benchmark_options_t *options, const benchmark_t *benchmarks,
                                iree_host_size_t benchmark_count);

#endif  // TOOLING_BENCHMARK_H_
