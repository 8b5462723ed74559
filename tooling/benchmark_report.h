// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark rows as console text, JSON and CSV, in the forms of Google Benchmark 1.9.

#ifndef TOOLING_BENCHMARK_REPORT_H_
#define TOOLING_BENCHMARK_REPORT_H_

#include "iree/base/api.h"

// One row. Times are seconds per iteration, but ratios where |aggregate| is "cv".
typedef struct benchmark_row_t {
  const char *name;       // of the benchmark
  const char *aggregate;  // "mean", "median", "stddev", "cv", or NULL for a repetition
  int family_index;
  int repetitions;
  int repetition_index;
  int64_t iterations;
  double real_time;
  double cpu_time;
  double items_per_second;
} benchmark_row_t;

// State of one output: format, unit and what was written before.
typedef struct benchmark_report_t {
  int format;     // BENCHMARK_CONSOLE, ...
  int time_unit;  // BENCHMARK_UNIT_*
  int name_width;
  bool has_header;
  bool has_rows;
} benchmark_report_t;

// Appends what stands before the first row. |context| is "key=value" pairs of the user; |messages|
// takes what the console form says about the machine on stderr.
//   errors: RESOURCE_EXHAUSTED
iree_status_t benchmark_report_begin(benchmark_report_t *report, const char *program,
                                     iree_string_view_list_t context,
                                     iree_string_builder_t *builder,
                                     iree_string_builder_t *messages);
iree_status_t benchmark_report_row(benchmark_report_t *report, const benchmark_row_t *row,
                                   iree_string_builder_t *builder);
iree_status_t benchmark_report_end(benchmark_report_t *report, iree_string_builder_t *builder);

#endif  // TOOLING_BENCHMARK_REPORT_H_
