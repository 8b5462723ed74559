// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine facts from sysfs and procfs (machine.h).

#include "tooling/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <time.h>
#include <unistd.h>

#define CPU0 "/sys/devices/system/cpu/cpu0/"

// Reads the first line of a file; empty if there is none.
static void read_line(const char *path, char *line, int size) {
  line[0] = 0;
  FILE *file = fopen(path, "r");
  if (!file) return;
  if (fgets(line, size, file)) line[strcspn(line, "\n")] = 0;
  fclose(file);
}

static void query_date(char *date, size_t size) {
  const time_t now = time(NULL);
  struct tm parts;
  localtime_r(&now, &parts);
  size_t length = strftime(date, size - 1, "%Y-%m-%dT%H:%M:%S%z", &parts);
  if (length < 2) return;
  // +0000 -> +00:00
  memmove(date + length - 1, date + length - 2, 3);
  date[length - 2] = ':';
}

static double query_mhz(void) {
  char line[256];
  read_line(CPU0 "cpufreq/cpuinfo_max_freq", line, sizeof(line));
  if (line[0]) return atof(line) / 1000;
  FILE *file = fopen("/proc/cpuinfo", "r");
  double mhz = 0;
  while (file && mhz == 0 && fgets(line, sizeof(line), file)) {
    const char *value = strncmp(line, "cpu MHz", 7) == 0 ? strchr(line, ':') : NULL;
    if (value) mhz = atof(value + 1);
  }
  if (file) fclose(file);
  return mhz;
}

// "0-3,8" -> 5
static int count_cpus(const char *list) {
  int count = 0;
  while (*list) {
    char *end = NULL;
    const long first = strtol(list, &end, 10);
    long last = first;
    if (end == list) break;
    if (*end == '-') last = strtol(end + 1, &end, 10);
    if (last >= first) count += (int)(last - first) + 1;
    list = *end == ',' ? end + 1 : end;
    if (*end && *end != ',') break;
  }
  return count;
}

static int64_t parse_size(const char *text) {
  char *unit = NULL;
  const long long value = strtoll(text, &unit, 10);
  return *unit == 'K' ? value << 10 : *unit == 'M' ? value << 20 : value;
}

static void query_caches(machine_t *machine) {
  for (int i = 0; i < MACHINE_MAX_CACHES; ++i) {
    machine_cache_t *cache = &machine->caches[i];
    char path[128], line[128];
    snprintf(path, sizeof(path), CPU0 "cache/index%d/type", i);
    read_line(path, line, sizeof(line));
    if (!line[0]) break;
    snprintf(cache->type, sizeof(cache->type), "%.15s", line);
    snprintf(path, sizeof(path), CPU0 "cache/index%d/level", i);
    read_line(path, line, sizeof(line));
    cache->level = atoi(line);
    snprintf(path, sizeof(path), CPU0 "cache/index%d/size", i);
    read_line(path, line, sizeof(line));
    cache->size_bytes = parse_size(line);
    snprintf(path, sizeof(path), CPU0 "cache/index%d/shared_cpu_list", i);
    read_line(path, line, sizeof(line));
    cache->sharing = count_cpus(line);
    machine->cache_count = i + 1;
  }
}

void machine_query(machine_t *out_machine) {
  memset(out_machine, 0, sizeof(*out_machine));
  query_date(out_machine->date, sizeof(out_machine->date));
  if (gethostname(out_machine->host_name, sizeof(out_machine->host_name) - 1))
    out_machine->host_name[0] = 0;
  out_machine->cpu_count = (int)sysconf(_SC_NPROCESSORS_ONLN);
  out_machine->cpu_mhz = query_mhz();
  char governor[64];
  read_line(CPU0 "cpufreq/scaling_governor", governor, sizeof(governor));
  out_machine->has_cpu_scaling = governor[0] && strcmp(governor, "performance") != 0;
  const int current = personality(0xFFFFFFFF);
  out_machine->has_aslr = current != -1 && !(current & ADDR_NO_RANDOMIZE);
  if (getloadavg(out_machine->load, 3) != 3)
    memset(out_machine->load, 0, sizeof(out_machine->load));
  query_caches(out_machine);
}
