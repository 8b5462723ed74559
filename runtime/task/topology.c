// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Topologies that are asked for by number; machine.c has those that the machine gives.
#include "runtime/task/topology.h"

#include <sched.h>
#include <unistd.h>

iree_status_t task_topology_from_group_count(iree_host_size_t group_count,
                                             task_topology_t *out_topology) {
  if (group_count < 1 || group_count > TASK_TOPOLOGY_MAX_GROUP_COUNT) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "the number of workers is 1 to %d, %zu were asked for",
                            TASK_TOPOLOGY_MAX_GROUP_COUNT, group_count);
  }
  out_topology->group_count = group_count;
  for (iree_host_size_t i = 0; i < group_count; ++i) {
    out_topology->processor_ids[i] = TASK_TOPOLOGY_ANY_PROCESSOR;
  }
  return iree_ok_status();
}

iree_status_t task_topology_from_processor_ids(iree_string_view_t ids,
                                               task_topology_t *out_topology) {
  out_topology->group_count = 0;
  const long configured = sysconf(_SC_NPROCESSORS_CONF);
  const uint32_t processor_count = configured > 0 && configured < CPU_SETSIZE ? (uint32_t)configured : CPU_SETSIZE;
  while (!iree_string_view_is_empty(ids)) {
    iree_string_view_t id = iree_string_view_empty();
    iree_string_view_split(ids, ',', &id, &ids);
    uint32_t processor_id = 0;
    if (!iree_string_view_atoi_uint32(iree_string_view_trim(id), &processor_id)) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "'%.*s' is not a processor number",
                              IREE_SV_ARGS(id));
    }
    if (processor_id >= processor_count) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "processor %u is out of bounds, there are only %u logical processors, "
                              "counted from 0",
                              processor_id, processor_count);
    }
    if (out_topology->group_count == TASK_TOPOLOGY_MAX_GROUP_COUNT) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "more than %d processors",
                              TASK_TOPOLOGY_MAX_GROUP_COUNT);
    }
    out_topology->processor_ids[out_topology->group_count++] = processor_id;
  }
  if (out_topology->group_count) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "the list of processors is empty");
}
