// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processors the workers of an executor run on: one worker per group.
#ifndef RUNTIME_TASK_TOPOLOGY_H_
#define RUNTIME_TASK_TOPOLOGY_H_

#include "iree/base/api.h"

#define TASK_TOPOLOGY_MAX_GROUP_COUNT 64
#define TASK_TOPOLOGY_ANY_PROCESSOR UINT32_MAX

typedef struct task_topology_t {
  iree_host_size_t group_count;
  uint32_t
      processor_ids[TASK_TOPOLOGY_MAX_GROUP_COUNT];  // or TASK_TOPOLOGY_ANY_PROCESSOR: not pinned
} task_topology_t;

// |group_count| workers that the system places.
//   errors: INVALID_ARGUMENT  none, or more than TASK_TOPOLOGY_MAX_GROUP_COUNT
iree_status_t task_topology_from_group_count(iree_host_size_t group_count,
                                             task_topology_t *out_topology);

// One worker pinned to each processor of a list: "0,2,4".
//   errors: INVALID_ARGUMENT  not such a list, or too long
iree_status_t task_topology_from_processor_ids(iree_string_view_t ids,
                                               task_topology_t *out_topology);

// Which cores of the machine: |nodes| is "current", "all", "numa" (the same) or NUMA node numbers;
// |performance_level| "any", "low", "efficiency", "high" or "performance".
typedef struct task_topology_choice_t {
  iree_string_view_t nodes;
  iree_string_view_t performance_level;
  iree_host_size_t max_group_count;  // at most TASK_TOPOLOGY_MAX_GROUP_COUNT
} task_topology_choice_t;
task_topology_choice_t task_topology_choice_default(void);  // of the calling thread's node, all

// One worker for each physical core of the choice that this process may use, pinned when these are
// not all.
//   errors: INVALID_ARGUMENT  neither words nor numbers
//           NOT_FOUND  no such node, or no core is left
iree_status_t task_topology_from_machine(const task_topology_choice_t *choice,
                                         task_topology_t *out_topology);

#endif  // RUNTIME_TASK_TOPOLOGY_H_
