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

// One worker for each physical core that this process may use, not pinned.
void task_topology_from_machine(task_topology_t *out_topology);

#endif  // RUNTIME_TASK_TOPOLOGY_H_
