// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a benchmark report says about the machine it ran on. Facts that the system hides are zero or
// empty.

#ifndef TOOLING_MACHINE_H_
#define TOOLING_MACHINE_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct machine_cache_t {
  char type[16];  // "Data", "Instruction", "Unified"
  int level;
  int64_t size_bytes;
  int sharing;  // logical CPUs that share one
} machine_cache_t;

#define MACHINE_MAX_CACHES 8

typedef struct machine_t {
  char date[40];  // local time, ISO 8601 with zone
  char host_name[256];
  int cpu_count;
  double cpu_mhz;
  bool has_cpu_scaling;  // the clock may change while measuring
  bool has_aslr;
  double load[3];
  int cache_count;
  machine_cache_t caches[MACHINE_MAX_CACHES];
} machine_t;

// Asks the system; never fails.
void machine_query(machine_t *out_machine);

#endif  // TOOLING_MACHINE_H_
