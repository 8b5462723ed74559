// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of benchmark reports (benchmark_report.h).

#include "tooling/benchmark_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "tooling/benchmark.h"
#include "tooling/machine.h"

static const char *const k_unit_names[] = {"ns", "us", "ms", "s"};
static const double k_units_per_second[] = {1e9, 1e6, 1e3, 1};

static bool is_ratio(const benchmark_row_t *row) {
  return row->aggregate && strcmp(row->aggregate, "cv") == 0;
}

// Ratios have no unit.
static double in_unit(const benchmark_report_t *report, const benchmark_row_t *row, double value) {
  return is_ratio(row) ? value : value * k_units_per_second[report->time_unit];
}

static iree_status_t append_row_name(const benchmark_row_t *row, iree_string_builder_t *builder) {
  return iree_string_builder_append_format(builder, "%s%s%s", row->name, row->aggregate ? "_" : "",
                                           row->aggregate ? row->aggregate : "");
}

//===-- console ------------------------------------------------------------------------------===//

// 14037.9 -> "14.0379k"
static void format_human(double value, char *text, size_t size) {
  static const char k_large[] = "kMGTPEZY", k_small[] = "munpfazy";
  const double magnitude = fabs(value);
  double scaled = value;
  char suffix[2] = {0, 0};
  if (magnitude > 999) {
    for (size_t i = 0; i + 1 < sizeof(k_large) && fabs(scaled) > 999; ++i) {
      scaled /= 1000;
      suffix[0] = k_large[i];
    }
  } else if (magnitude < 0.01 && magnitude > 0) {
    for (size_t i = 0; i + 1 < sizeof(k_small) && fabs(scaled) < 1; ++i) {
      scaled *= 1000;
      suffix[0] = k_small[i];
    }
  }
  snprintf(text, size, "%g%s", scaled, suffix);
}

// Ten characters; fewer digits behind the point the larger the value.
static void format_time(double value, char *text, size_t size) {
  if (value > 9999999999.0) {
    snprintf(text, size, "%1.4e", value);
  } else {
    snprintf(text, size, "%10.*f", value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0, value);
  }
}

static iree_status_t append_console_header(benchmark_report_t *report,
                                           iree_string_builder_t *builder) {
  if (report->has_header) return iree_ok_status();
  report->has_header = true;
  char header[1024];
  const int length = snprintf(header, sizeof(header), "%-*s %13s %15s %12s UserCounters...",
                              report->name_width, "Benchmark", "Time", "CPU", "Iterations");
  for (int i = 0; i < 3; ++i) {
    if (i == 1) {
      IREE_RETURN_IF_ERROR(iree_string_builder_append_format(builder, "%s\n", header));
      continue;
    }
    for (int j = 0; j < length; ++j)
      IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "-"));
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\n"));
  }
  return iree_ok_status();
}

static iree_status_t append_console_row(benchmark_report_t *report, const benchmark_row_t *row,
                                        iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(append_console_header(report, builder));
  const iree_host_size_t start = iree_string_builder_size(builder);
  IREE_RETURN_IF_ERROR(append_row_name(row, builder));
  const int padding = report->name_width - (int)(iree_string_builder_size(builder) - start);
  char real[32], cpu[32], items[32];
  const char *unit = is_ratio(row) ? "%" : k_unit_names[report->time_unit];
  if (is_ratio(row)) {
    snprintf(real, sizeof(real), "%10.2f", row->real_time * 100);
    snprintf(cpu, sizeof(cpu), "%10.2f", row->cpu_time * 100);
    snprintf(items, sizeof(items), "%.2f%%", row->items_per_second * 100);
  } else {
    format_time(in_unit(report, row, row->real_time), real, sizeof(real));
    format_time(in_unit(report, row, row->cpu_time), cpu, sizeof(cpu));
    format_human(row->items_per_second, items, sizeof(items));
  }
  return iree_string_builder_append_format(
      builder, "%*s %s %-4s %s %-4s %10lld items_per_second=%s%s\n", padding > 0 ? padding : 0, "",
      real, unit, cpu, unit, (long long)row->iterations, items, is_ratio(row) ? "" : "/s");
}

//===-- JSON ---------------------------------------------------------------------------------===//

static iree_status_t append_json_field(const char *key, iree_string_view_t value,
                                       iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(builder, "    \"%s\": ", key));
  IREE_RETURN_IF_ERROR(json_append_string(value, builder));
  return iree_string_builder_append_cstring(builder, ",\n");
}

static iree_status_t append_json_caches(const machine_t *machine, iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "    \"caches\": [\n"));
  for (int i = 0; i < machine->cache_count; ++i) {
    const machine_cache_t *cache = &machine->caches[i];
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
        builder,
        "      {\n        \"type\": \"%s\",\n        \"level\": %d,\n        \"size\": %lld,\n"
        "        \"num_sharing\": %d\n      }%s\n",
        cache->type, cache->level, (long long)cache->size_bytes, cache->sharing,
        i + 1 < machine->cache_count ? "," : ""));
  }
  return iree_string_builder_append_cstring(builder, "    ],\n");
}

static iree_status_t append_json_context(const machine_t *machine, const char *program,
                                         iree_string_view_list_t context,
                                         iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "{\n  \"context\": {\n"));
  IREE_RETURN_IF_ERROR(append_json_field("date", iree_make_cstring_view(machine->date), builder));
  IREE_RETURN_IF_ERROR(
      append_json_field("host_name", iree_make_cstring_view(machine->host_name), builder));
  IREE_RETURN_IF_ERROR(append_json_field("executable", iree_make_cstring_view(program), builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
      builder,
      "    \"num_cpus\": %d,\n    \"mhz_per_cpu\": %.0f,\n    \"cpu_scaling_enabled\": %s,\n"
      "    \"aslr_enabled\": %s,\n",
      machine->cpu_count, machine->cpu_mhz, machine->has_cpu_scaling ? "true" : "false",
      machine->has_aslr ? "true" : "false"));
  IREE_RETURN_IF_ERROR(append_json_caches(machine, builder));
  for (iree_host_size_t i = 0; i < context.count; ++i) {
    iree_string_view_t key, value;
    iree_string_view_split(context.values[i], '=', &key, &value);
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "    "));
    IREE_RETURN_IF_ERROR(json_append_string(key, builder));
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, ": "));
    IREE_RETURN_IF_ERROR(json_append_string(value, builder));
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, ",\n"));
  }
  return iree_string_builder_append_format(
      builder,
      "    \"load_avg\": [%g,%g,%g],\n    \"library_version\": \"v1.9.5\",\n"
      "    \"library_build_type\": \"%s\",\n    \"json_schema_version\": 1\n  },\n  "
      "\"benchmarks\": [\n",
      machine->load[0], machine->load[1], machine->load[2],
#ifdef NDEBUG
      "release"
#else
      "debug"
#endif
  );
}

static iree_status_t append_json_row(benchmark_report_t *report, const benchmark_row_t *row,
                                     iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(builder, "%s    {\n      \"name\": \"",
                                                         report->has_rows ? ",\n" : ""));
  report->has_rows = true;
  IREE_RETURN_IF_ERROR(append_row_name(row, builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
      builder,
      "\",\n      \"family_index\": %d,\n      \"per_family_instance_index\": 0,\n      "
      "\"run_name\": \"%s\",\n"
      "      \"run_type\": \"%s\",\n      \"repetitions\": %d,\n",
      row->family_index, row->name, row->aggregate ? "aggregate" : "iteration", row->repetitions));
  if (row->aggregate) {
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_format(builder,
                                          "      \"threads\": 1,\n      \"aggregate_name\": "
                                          "\"%s\",\n      \"aggregate_unit\": \"%s\",\n",
                                          row->aggregate, is_ratio(row) ? "percentage" : "time"));
  } else {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
        builder, "      \"repetition_index\": %d,\n      \"threads\": 1,\n",
        row->repetition_index));
  }
  return iree_string_builder_append_format(
      builder,
      "      \"iterations\": %lld,\n      \"real_time\": %.16e,\n      \"cpu_time\": %.16e,\n"
      "      \"time_unit\": \"%s\",\n      \"items_per_second\": %.16e\n    }",
      (long long)row->iterations, in_unit(report, row, row->real_time),
      in_unit(report, row, row->cpu_time), k_unit_names[report->time_unit], row->items_per_second);
}

//===-- CSV ----------------------------------------------------------------------------------===//

static iree_status_t append_csv_row(benchmark_report_t *report, const benchmark_row_t *row,
                                    iree_string_builder_t *builder) {
  if (!report->has_header) {
    report->has_header = true;
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_cstring(builder,
                                           "name,iterations,real_time,cpu_time,time_unit,bytes_per_"
                                           "second,items_per_second,label,error_occurred,"
                                           "error_message\n"));
  }
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\""));
  IREE_RETURN_IF_ERROR(append_row_name(row, builder));
  return iree_string_builder_append_format(
      builder, "\",%lld,%g,%g,%s,,%g,,,\n", (long long)row->iterations,
      in_unit(report, row, row->real_time), in_unit(report, row, row->cpu_time),
      is_ratio(row) ? "" : k_unit_names[report->time_unit], row->items_per_second);
}

//===-- all forms ----------------------------------------------------------------------------===//

iree_status_t benchmark_report_begin(benchmark_report_t *report, const char *program,
                                     iree_string_view_list_t context,
                                     iree_string_builder_t *builder,
                                     iree_string_builder_t *messages) {
  machine_t machine;
  machine_query(&machine);
  if (report->format == BENCHMARK_JSON)
    return append_json_context(&machine, program, context, builder);
  IREE_RETURN_IF_ERROR(iree_string_builder_append_format(
      messages, "%s\nRunning %s\nRun on (%d X %g MHz CPU s)\nCPU Caches:\n", machine.date, program,
      machine.cpu_count, machine.cpu_mhz));
  for (int i = 0; i < machine.cache_count; ++i) {
    const machine_cache_t *cache = &machine.caches[i];
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_format(messages, "  L%d %s %lld KiB (x%d)\n", cache->level,
                                          cache->type, (long long)(cache->size_bytes / 1024),
                                          cache->sharing ? machine.cpu_count / cache->sharing : 1));
  }
  return iree_string_builder_append_format(messages, "Load Average: %.2f, %.2f, %.2f\n",
                                           machine.load[0], machine.load[1], machine.load[2]);
}

iree_status_t benchmark_report_row(benchmark_report_t *report, const benchmark_row_t *row,
                                   iree_string_builder_t *builder) {
  if (report->format == BENCHMARK_JSON) return append_json_row(report, row, builder);
  if (report->format == BENCHMARK_CSV) return append_csv_row(report, row, builder);
  return append_console_row(report, row, builder);
}

iree_status_t benchmark_report_end(benchmark_report_t *report, iree_string_builder_t *builder) {
  if (report->format != BENCHMARK_JSON) return iree_ok_status();
  return iree_string_builder_append_cstring(builder, report->has_rows ? "\n  ]\n}\n" : "  ]\n}\n");
}
