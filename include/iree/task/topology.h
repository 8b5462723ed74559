// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which processors the workers of an executor run on: one worker per group.
#ifndef IREE_TASK_TOPOLOGY_H_
#define IREE_TASK_TOPOLOGY_H_

#include "iree/base/api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IREE_TASK_TOPOLOGY_MAX_GROUP_COUNT 64
// A group that the system places.
#define IREE_TASK_TOPOLOGY_ANY_PROCESSOR UINT32_MAX

typedef uint32_t iree_task_topology_node_id_t;
#define IREE_TASK_TOPOLOGY_NODE_ID_ANY ((iree_task_topology_node_id_t)-1)

typedef struct iree_task_topology_t {
  iree_host_size_t group_count;
  uint32_t processor_ids[IREE_TASK_TOPOLOGY_MAX_GROUP_COUNT];  // or IREE_TASK_TOPOLOGY_ANY_PROCESSOR
} iree_task_topology_t;

// Sets up an empty topology, and takes it down.
//   errors: none
IREE_API_EXPORT void iree_task_topology_initialize(iree_task_topology_t *out_topology);
IREE_API_EXPORT void iree_task_topology_deinitialize(iree_task_topology_t *topology);

// |group_count| groups that the system places; more than the maximum is cut to it.
//   errors: none
IREE_API_EXPORT void iree_task_topology_initialize_from_group_count(iree_host_size_t group_count,
                                                                    iree_task_topology_t *out_topology);

// One group for each physical core of a NUMA node, or of all, that this process may use, up to
// |max_core_count|.
//   errors: NOT_FOUND  no such node, or none of its cores may be used
IREE_API_EXPORT iree_status_t iree_task_topology_initialize_from_physical_cores(
    iree_task_topology_node_id_t node_id, iree_host_size_t max_core_count, iree_task_topology_t *out_topology);

#ifdef __cplusplus
}
#endif

#endif  // IREE_TASK_TOPOLOGY_H_
