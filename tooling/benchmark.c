// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measuring loop (benchmark.h).

#include "tooling/benchmark.h"

#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tooling/benchmark_report.h"
#include "base/file.h"

static const flag_t k_benchmark_flags[] = {
    FLAG_BOOL(benchmark_flags_t, list_tests, "benchmark_list_tests", "false",
              "Prints the names and exits."),
    FLAG_STRING(benchmark_flags_t, filter, "benchmark_filter", "",
                "Regular expression of the names to run; a leading - runs the others."),
    FLAG_STRING(
        benchmark_flags_t, min_time, "benchmark_min_time", "0.5s",
        "How long each measurement lasts at least (0.3s), or how many iterations it has (100x)."),
    FLAG_F64(benchmark_flags_t, min_warmup_time, "benchmark_min_warmup_time", "0",
             "Seconds of unmeasured runs before; one run is always made."),
    FLAG_I32(benchmark_flags_t, repetitions, "benchmark_repetitions", "1",
             "Measurements per benchmark; more than one adds mean, median, stddev and cv."),
    FLAG_BOOL(benchmark_flags_t, dry_run, "benchmark_dry_run", "false",
              "Runs each benchmark once, unmeasured."),
    FLAG_BOOL(benchmark_flags_t, enable_random_interleaving, "benchmark_enable_random_interleaving",
              "false", "Measures the benchmarks in turn instead of one after the other."),
    FLAG_BOOL(benchmark_flags_t, report_aggregates_only, "benchmark_report_aggregates_only",
              "false", "Reports only mean, median, stddev and cv of repetitions."),
    FLAG_BOOL(benchmark_flags_t, display_aggregates_only, "benchmark_display_aggregates_only",
              "false", "The same on stdout only; --benchmark_out= gets all rows."),
    FLAG_CHOICE(benchmark_flags_t, format, "benchmark_format", "console", "console|json|csv",
                "Form of stdout."),
    FLAG_STRING(benchmark_flags_t, out, "benchmark_out", "", "File that gets the report as well."),
    FLAG_CHOICE(benchmark_flags_t, out_format, "benchmark_out_format", "json", "console|json|csv",
                "Form of that file."),
    FLAG_STRING(benchmark_flags_t, color, "benchmark_color", "auto",
                "Accepted; output is never coloured."),
    FLAG_BOOL(benchmark_flags_t, counters_tabular, "benchmark_counters_tabular", "false",
              "Accepted; there is one counter only."),
    FLAG_COMMA_LIST(benchmark_flags_t, context, "benchmark_context",
                    "key=value pairs for the JSON context."),
    FLAG_CHOICE(benchmark_flags_t, time_unit, "benchmark_time_unit", "", "|ns|us|ms|s",
                "Unit of the times; --time_unit= goes first."),
    FLAG_I32(benchmark_flags_t, verbosity, "v", "0", "Accepted; there is nothing more to say."),
};
const flag_group_t benchmark_flag_group = FLAG_GROUP("Benchmarks", k_benchmark_flags);

#define MAX_ITERATIONS INT64_C(1000000000)

//===-- clock --------------------------------------------------------------------------------===//

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void benchmark_timer_resume(benchmark_timer_t *timer) {
  timer->cpu_start_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  timer->real_start_ns = clock_ns(CLOCK_MONOTONIC);
}

void benchmark_timer_pause(benchmark_timer_t *timer) {
  timer->real_ns += clock_ns(CLOCK_MONOTONIC) - timer->real_start_ns;
  timer->cpu_ns += clock_ns(CLOCK_PROCESS_CPUTIME_ID) - timer->cpu_start_ns;
}

//===-- measuring ----------------------------------------------------------------------------===//

typedef struct goal_t {
  double seconds;      // a measurement lasts at least so long
  int64_t iterations;  // or, if not 0, has exactly so many
} goal_t;

static iree_status_t parse_min_time(iree_string_view_t text, goal_t *out_goal) {
  iree_string_view_t number = text;
  *out_goal = (goal_t){0};
  if (iree_string_view_consume_suffix(&number, IREE_SV("x"))) {
    if (iree_string_view_atoi_int64(number, &out_goal->iterations) && out_goal->iterations > 0 &&
        out_goal->iterations <= MAX_ITERATIONS) {
      return iree_ok_status();
    }
  } else {
    iree_string_view_consume_suffix(&number, IREE_SV("s"));
    if (iree_string_view_atod(number, &out_goal->seconds) && out_goal->seconds >= 0 &&
        out_goal->seconds < 1e9) {
      return iree_ok_status();
    }
  }
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT,
      "flag '--benchmark_min_time' expects seconds (0.3s) or iterations (100x), not '%.*s'",
      IREE_SV_ARGS(text));
}

// Runs at least |iterations|, in whole batches; |out_row| gets count and times per iteration.
static iree_status_t measure(const benchmark_t *benchmark, int64_t iterations,
                             progress_t *progress, benchmark_row_t *out_row, double *out_seconds) {
  benchmark_timer_t timer = {0};
  int64_t done = 0;
  benchmark_timer_resume(&timer);
  do {
    IREE_RETURN_IF_ERROR(benchmark->run(benchmark->self, &timer));
    done += benchmark->batch_size;
    if (progress) progress_note(progress, benchmark->name, done, iterations);
  } while (done < iterations);
  benchmark_timer_pause(&timer);
  *out_seconds = (double)timer.real_ns * 1e-9;
  out_row->iterations = done;
  out_row->real_time = *out_seconds / (double)done;
  out_row->cpu_time = (double)timer.cpu_ns * 1e-9 / (double)done;
  out_row->items_per_second = out_row->real_time > 0 ? benchmark->items / out_row->real_time : 0;
  return iree_ok_status();
}

// The next try after |iterations| took |seconds|: aims 40% above the goal, at most tenfold while
// the runs are too short to extrapolate from.
static int64_t next_iterations(int64_t iterations, double seconds, double goal) {
  double factor = goal * 1.4 / fmax(seconds, 1e-9);
  if (seconds / fmax(goal, 1e-9) <= 0.1) factor = fmin(10, factor);
  if (factor <= 1) factor = 2;
  const double next = fmax(factor * (double)iterations, (double)iterations + 1);
  return next > (double)MAX_ITERATIONS ? MAX_ITERATIONS : (int64_t)(next + 0.5);
}

// Finds the iteration count by running; the last run counts as the first repetition.
static iree_status_t measure_first(const benchmark_t *benchmark, goal_t goal,
                                   progress_t *progress, benchmark_row_t *out_row) {
  int64_t iterations = goal.iterations ? goal.iterations : 1;
  for (;;) {
    double seconds = 0;
    IREE_RETURN_IF_ERROR(measure(benchmark, iterations, progress, out_row, &seconds));
    if (goal.iterations || seconds >= goal.seconds || iterations >= MAX_ITERATIONS)
      return iree_ok_status();
    iterations = next_iterations(iterations, seconds, goal.seconds);
  }
}

static iree_status_t warm_up(const benchmark_t *benchmark, double seconds) {
  const int64_t start = clock_ns(CLOCK_MONOTONIC);
  do {
    benchmark_timer_t timer = {0};
    benchmark_timer_resume(&timer);
    IREE_RETURN_IF_ERROR(benchmark->run(benchmark->self, &timer));
  } while ((double)(clock_ns(CLOCK_MONOTONIC) - start) * 1e-9 < seconds);
  return iree_ok_status();
}

//===-- aggregates ---------------------------------------------------------------------------===//

enum { METRIC_REAL, METRIC_CPU, METRIC_ITEMS, METRIC_COUNT };

static double *row_metric(benchmark_row_t *row, int metric) {
  return metric == METRIC_REAL  ? &row->real_time
         : metric == METRIC_CPU ? &row->cpu_time
                                : &row->items_per_second;
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Writes mean, median, stddev and cv of |values| (sorted in place) to |out|.
static void aggregate(double *values, int count, double out[4]) {
  double sum = 0, squares = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  const double mean = sum / count;
  for (int i = 0; i < count; ++i) squares += (values[i] - mean) * (values[i] - mean);
  qsort(values, (size_t)count, sizeof(values[0]), compare_doubles);
  out[0] = mean;
  out[1] = count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
  out[2] = sqrt(squares / (count - 1));
  out[3] = mean != 0 ? out[2] / mean : 0;
}

// Fills |out| from |count| > 1 repetitions; |scratch| has room for |count|.
static void aggregate_rows(benchmark_row_t *rows, int count, double *scratch,
                           benchmark_row_t out[4]) {
  static const char *const k_names[4] = {"mean", "median", "stddev", "cv"};
  for (int i = 0; i < 4; ++i) {
    out[i] = rows[0];
    out[i].aggregate = k_names[i];
    out[i].iterations = count;
  }
  for (int metric = 0; metric < METRIC_COUNT; ++metric) {
    double results[4];
    for (int i = 0; i < count; ++i) scratch[i] = *row_metric(&rows[i], metric);
    aggregate(scratch, count, results);
    for (int i = 0; i < 4; ++i) *row_metric(&out[i], metric) = results[i];
  }
}

//===-- selection ----------------------------------------------------------------------------===//

static iree_status_t compile_filter(iree_string_view_t filter, regex_t *out_regex,
                                    bool *out_is_negative) {
  *out_is_negative = iree_string_view_consume_prefix(&filter, IREE_SV("-"));
  char pattern[512];
  if (filter.size >= sizeof(pattern)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "flag '--benchmark_filter' is too long");
  }
  if (iree_string_view_equal(filter, IREE_SV("all"))) filter = IREE_SV(".");
  iree_string_view_to_cstring(filter.size ? filter : IREE_SV("."), pattern, sizeof(pattern));
  const int error = regcomp(out_regex, pattern, REG_EXTENDED | REG_NOSUB);
  if (!error) return iree_ok_status();
  char message[128];
  regerror(error, out_regex, message, sizeof(message));
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "flag '--benchmark_filter' has no valid expression '%s': %s", pattern,
                          message);
}

//===-- running ------------------------------------------------------------------------------===//

// Everything of one benchmark_run_all.
typedef struct session_t {
  const benchmark_options_t *options;
  const benchmark_flags_t *flags;
  bool has_begun;
  goal_t goal;
  int repetitions;
  iree_host_size_t count;  // selected benchmarks
  const benchmark_t **benchmarks;
  benchmark_row_t *rows;  // count * repetitions
  double *scratch;        // repetitions
  benchmark_report_t display;
  benchmark_report_t file;
  iree_string_builder_t display_text;
  iree_string_builder_t file_text;
} session_t;

static void session_flush(session_t *session) {
  session->options->sink.write(session->options->sink.self, false,
                               iree_string_builder_view(&session->display_text));
  iree_string_builder_reset(&session->display_text);
}

static iree_status_t session_report_row(session_t *session, const benchmark_row_t *row) {
  const benchmark_flags_t *flags = session->flags;
  const bool hides_single = session->repetitions > 1 && !row->aggregate;
  if (!(hides_single && (flags->report_aggregates_only || flags->display_aggregates_only))) {
    IREE_RETURN_IF_ERROR(benchmark_report_row(&session->display, row, &session->display_text));
    session_flush(session);
  }
  if (flags->out.size && !(hides_single && flags->report_aggregates_only)) {
    IREE_RETURN_IF_ERROR(benchmark_report_row(&session->file, row, &session->file_text));
  }
  return iree_ok_status();
}

static iree_status_t session_measure(session_t *session, iree_host_size_t index, int repetition) {
  const benchmark_t *benchmark = session->benchmarks[index];
  benchmark_row_t *rows = &session->rows[index * (iree_host_size_t)session->repetitions];
  benchmark_row_t *row = &rows[repetition];
  *row = (benchmark_row_t){.name = benchmark->name,
                           .family_index = (int)index,
                           .repetitions = session->repetitions,
                           .repetition_index = repetition};
  if (repetition == 0) {
    IREE_RETURN_IF_ERROR(warm_up(benchmark, session->flags->min_warmup_time));
    return measure_first(benchmark, session->goal, session->options->progress, row);
  }
  double seconds = 0;
  return measure(benchmark, rows[0].iterations, session->options->progress, row, &seconds);
}

// Writes what stands before the rows; once the first measurement has succeeded, so that a failure
// is all there is to read.
static iree_status_t session_begin_reports(session_t *session) {
  if (session->has_begun) return iree_ok_status();
  session->has_begun = true;
  int name_width = 10;
  for (iree_host_size_t i = 0; i < session->count; ++i) {
    // Room for the longest suffix, "_stddev", which only repetitions have.
    const int width =
        (int)strlen(session->benchmarks[i]->name) + (session->repetitions > 1 ? 7 : 0);
    if (width > name_width) name_width = width;
  }
  session->display = (benchmark_report_t){.format = session->flags->format,
                                          .time_unit = session->options->time_unit,
                                          .name_width = name_width};
  session->file = (benchmark_report_t){.format = session->flags->out_format,
                                       .time_unit = session->options->time_unit,
                                       .name_width = name_width};
  const iree_string_view_list_t context = {session->flags->context.count,
                                           session->flags->context.values};
  iree_string_builder_t messages;
  iree_string_builder_initialize(session->options->allocator, &messages);
  iree_status_t status = benchmark_report_begin(&session->display, session->options->program,
                                                context, &session->display_text, &messages);
  if (iree_status_is_ok(status) && messages.size) {
    session->options->sink.write(session->options->sink.self, true,
                                 iree_string_builder_view(&messages));
  }
  if (iree_status_is_ok(status) && session->flags->out.size) {
    status = benchmark_report_begin(&session->file, session->options->program, context,
                                    &session->file_text, &messages);
  }
  iree_string_builder_deinitialize(&messages);
  if (iree_status_is_ok(status)) session_flush(session);
  return status;
}

static iree_status_t session_report(session_t *session, iree_host_size_t index) {
  benchmark_row_t *rows = &session->rows[index * (iree_host_size_t)session->repetitions];
  IREE_RETURN_IF_ERROR(session_begin_reports(session));
  for (int i = 0; i < session->repetitions; ++i)
    IREE_RETURN_IF_ERROR(session_report_row(session, &rows[i]));
  if (session->repetitions == 1) return iree_ok_status();
  benchmark_row_t aggregates[4];
  aggregate_rows(rows, session->repetitions, session->scratch, aggregates);
  for (int i = 0; i < 4; ++i) IREE_RETURN_IF_ERROR(session_report_row(session, &aggregates[i]));
  return iree_ok_status();
}

// One benchmark after the other, or all of them repetition by repetition.
static iree_status_t session_measure_all(session_t *session) {
  if (!session->flags->enable_random_interleaving) {
    for (iree_host_size_t i = 0; i < session->count; ++i) {
      for (int r = 0; r < session->repetitions; ++r) {
        IREE_RETURN_IF_ERROR(session_measure(session, i, r), "running %s",
                             session->benchmarks[i]->name);
      }
      IREE_RETURN_IF_ERROR(session_report(session, i));
    }
    return iree_ok_status();
  }
  for (int r = 0; r < session->repetitions; ++r) {
    for (iree_host_size_t i = 0; i < session->count; ++i) {
      IREE_RETURN_IF_ERROR(session_measure(session, i, r), "running %s",
                           session->benchmarks[i]->name);
    }
  }
  for (iree_host_size_t i = 0; i < session->count; ++i)
    IREE_RETURN_IF_ERROR(session_report(session, i));
  return iree_ok_status();
}

static iree_status_t session_end_reports(session_t *session) {
  IREE_RETURN_IF_ERROR(benchmark_report_end(&session->display, &session->display_text));
  session_flush(session);
  if (!session->flags->out.size) return iree_ok_status();
  IREE_RETURN_IF_ERROR(benchmark_report_end(&session->file, &session->file_text));
  const iree_const_byte_span_t text =
      iree_make_const_byte_span(iree_string_builder_buffer(&session->file_text),
                                iree_string_builder_size(&session->file_text));
  return file_write(session->flags->out, /*append=*/false, &text, 1);
}

static iree_status_t session_list(session_t *session) {
  for (iree_host_size_t i = 0; i < session->count; ++i) {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(&session->display_text, "%s\n",
                                                           session->benchmarks[i]->name));
  }
  session_flush(session);
  return iree_ok_status();
}

static iree_status_t session_run(session_t *session) {
  if (session->count == 0) {
    char message[600];
    snprintf(message, sizeof(message), "Failed to match any benchmarks against regex: %.*s\n",
             IREE_SV_ARGS(session->flags->filter));
    session->options->sink.write(session->options->sink.self, true,
                                 iree_make_cstring_view(message));
    return iree_ok_status();
  }
  if (session->flags->list_tests) return session_list(session);
  if (session->flags->out.size) IREE_RETURN_IF_ERROR(file_check_writable(session->flags->out));
  const iree_host_size_t repetitions = (iree_host_size_t)session->repetitions;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_array(session->options->allocator, repetitions * session->count,
                                  sizeof(benchmark_row_t), (void **)&session->rows));
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(session->options->allocator, repetitions,
                                                   sizeof(double), (void **)&session->scratch));
  IREE_RETURN_IF_ERROR(session_measure_all(session));
  return session_end_reports(session);
}

// Selects, runs and frees.
static iree_status_t session_run_selected(session_t *session, const benchmark_t *benchmarks,
                                          iree_host_size_t benchmark_count) {
  const iree_allocator_t allocator = session->options->allocator;
  regex_t regex;
  bool is_negative = false;
  IREE_RETURN_IF_ERROR(compile_filter(session->flags->filter, &regex, &is_negative));
  iree_status_t status =
      iree_allocator_malloc_array(allocator, benchmark_count + 1, sizeof(session->benchmarks[0]),
                                  (void **)&session->benchmarks);
  for (iree_host_size_t i = 0; i < benchmark_count && iree_status_is_ok(status); ++i) {
    const bool is_match = regexec(&regex, benchmarks[i].name, 0, NULL, 0) == 0;
    if (is_match != is_negative) session->benchmarks[session->count++] = &benchmarks[i];
  }
  regfree(&regex);
  iree_string_builder_initialize(allocator, &session->display_text);
  iree_string_builder_initialize(allocator, &session->file_text);
  if (iree_status_is_ok(status)) status = session_run(session);
  iree_string_builder_deinitialize(&session->file_text);
  iree_string_builder_deinitialize(&session->display_text);
  iree_allocator_free(allocator, session->scratch);
  iree_allocator_free(allocator, session->rows);
  iree_allocator_free(allocator, session->benchmarks);
  return status;
}

iree_status_t benchmark_run_all(const benchmark_options_t *options, const benchmark_t *benchmarks,
                                iree_host_size_t benchmark_count) {
  const benchmark_flags_t *flags = options->flags;
  session_t session = {.options = options, .flags = flags, .repetitions = flags->repetitions};
  IREE_RETURN_IF_ERROR(parse_min_time(flags->min_time, &session.goal));
  if (flags->repetitions < 1 || flags->repetitions > 1000000) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "flag '--benchmark_repetitions' expects at least 1");
  }
  if (flags->dry_run) {
    session.goal = (goal_t){.iterations = 1};
    session.repetitions = 1;
  }
  return session_run_selected(&session, benchmarks, benchmark_count);
}
