// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine's processors as Linux' sysfs tells of them: NUMA nodes, cores, how fast they are.
// What is not readable there counts as one node of equal cores.
#include <sched.h>
#include <stdio.h>

#include "runtime/task/topology.h"

#define MAX_NODE_ID 1023u

static bool read_number(const char *format, uint32_t id, uint32_t *out_number) {
  char path[96];
  snprintf(path, sizeof(path), format, id);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  bool ok = fscanf(file, "%u", out_number) == 1;
  fclose(file);
  return ok;
}

// The first processor that shares a core with |processor_id|; itself when unknown.
static uint32_t core_leader(uint32_t processor_id) {
  uint32_t leader = processor_id;
  read_number("/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", processor_id, &leader);
  return leader < CPU_SETSIZE ? leader : processor_id;
}

// Adds the processors of a node: "0-3,8-11".
static bool add_node(uint32_t node, cpu_set_t *set) {
  char path[96];
  snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", node);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  uint32_t first = 0, last = 0;
  while (fscanf(file, "%u", &first) == 1) {
    int mark = fgetc(file);
    last = first;
    if (mark == '-' && fscanf(file, "%u", &last) == 1) mark = fgetc(file);
    for (uint32_t i = first; i <= last && i < CPU_SETSIZE; ++i) CPU_SET(i, set);
    if (mark != ',') break;
  }
  fclose(file);
  return true;
}

static void add_current_node(cpu_set_t *set) {
  int processor = sched_getcpu();
  for (uint32_t node = 0; node <= MAX_NODE_ID && processor >= 0; ++node) {
    cpu_set_t one;
    CPU_ZERO(&one);
    if (!add_node(node, &one) || !CPU_ISSET((size_t)processor, &one)) continue;
    *set = one;
    return;
  }
}

static iree_status_t select_nodes(iree_string_view_t nodes, cpu_set_t *allowed) {
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  if (iree_string_view_equal(nodes, IREE_SV("all")) ||
      iree_string_view_equal(nodes, IREE_SV("numa"))) {
    return iree_ok_status();
  }
  if (iree_string_view_equal(nodes, IREE_SV("current"))) {
    add_current_node(&chosen);
    if (CPU_COUNT(&chosen) == 0) return iree_ok_status();
    nodes = iree_string_view_empty();
  }
  while (!iree_string_view_is_empty(nodes)) {
    iree_string_view_t text = iree_string_view_empty();
    iree_string_view_split(nodes, ',', &text, &nodes);
    uint32_t node = 0;
    if (!iree_string_view_atoi_uint32(iree_string_view_trim(text), &node) || node > MAX_NODE_ID) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "'%.*s' is not a NUMA node; nodes are current, numa, all or numbers",
                              IREE_SV_ARGS(text));
    }
    if (!add_node(node, &chosen)) {
      return iree_make_status(IREE_STATUS_NOT_FOUND, "this machine has no NUMA node %u", node);
    }
  }
  CPU_AND(allowed, allowed, &chosen);
  return iree_ok_status();
}

// Cores that are as fast as the fastest, or all others; where all are equal, both are all.
static iree_status_t select_level(iree_string_view_t level, cpu_set_t *allowed) {
  bool is_high = iree_string_view_equal(level, IREE_SV("high")) ||
                 iree_string_view_equal(level, IREE_SV("performance"));
  if (iree_string_view_equal(level, IREE_SV("any"))) return iree_ok_status();
  if (!is_high && !iree_string_view_equal(level, IREE_SV("low")) &&
      !iree_string_view_equal(level, IREE_SV("efficiency"))) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "performance level '%.*s' is not any, low, efficiency, high or "
                            "performance",
                            IREE_SV_ARGS(level));
  }
  uint32_t capacity[CPU_SETSIZE] = {0}, max = 0, min = UINT32_MAX;
  for (uint32_t i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, allowed)) continue;
    read_number("/sys/devices/system/cpu/cpu%u/cpu_capacity", i, &capacity[i]);
    max = iree_max(max, capacity[i]);
    min = iree_min(min, capacity[i]);
  }
  for (uint32_t i = 0; i < CPU_SETSIZE && min != max; ++i) {
    if ((capacity[i] == max) != is_high) CPU_CLR(i, allowed);
  }
  return iree_ok_status();
}

// Keeps one processor per core.
static void select_cores(cpu_set_t *allowed) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (uint32_t i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, allowed)) continue;
    uint32_t leader = core_leader(i);
    // A leader that this process may not use, or that was not chosen, is stood for by |i|.
    if (!CPU_ISSET(leader, allowed)) leader = i;
    CPU_SET(leader, &cores);
  }
  *allowed = cores;
}

task_topology_choice_t task_topology_choice_default(void) {
  return (task_topology_choice_t){.nodes = IREE_SV("current"),
                                  .performance_level = IREE_SV("any"),
                                  .max_group_count = TASK_TOPOLOGY_MAX_GROUP_COUNT};
}

iree_status_t task_topology_from_machine(const task_topology_choice_t *choice,
                                         task_topology_t *out_topology) {
  memset(out_topology, 0, sizeof(*out_topology));
  cpu_set_t all, allowed;
  CPU_ZERO(&all);
  if (sched_getaffinity(0, sizeof(all), &all) != 0) {
    return task_topology_from_group_count(1, out_topology);
  }
  allowed = all;
  IREE_RETURN_IF_ERROR(select_nodes(choice->nodes, &allowed));
  IREE_RETURN_IF_ERROR(select_level(choice->performance_level, &allowed));
  // Workers are pinned where they have to be kept from other cores; else the system places them.
  bool is_pinned = !CPU_EQUAL(&all, &allowed);
  select_cores(&allowed);
  for (uint32_t i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &allowed) || out_topology->group_count == choice->max_group_count) continue;
    out_topology->processor_ids[out_topology->group_count++] =
        is_pinned ? i : TASK_TOPOLOGY_ANY_PROCESSOR;
  }
  if (out_topology->group_count) return iree_ok_status();
  return iree_make_status(IREE_STATUS_NOT_FOUND,
                          "no processor of NUMA nodes '%.*s' may be used by this process",
                          IREE_SV_ARGS(choice->nodes));
}
