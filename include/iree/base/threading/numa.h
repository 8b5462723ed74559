// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NUMA nodes of the machine.
#ifndef IREE_BASE_THREADING_NUMA_H_
#define IREE_BASE_THREADING_NUMA_H_

#include "iree/base/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t iree_numa_node_id_t;
#define IREE_NUMA_NODE_ANY ((iree_numa_node_id_t)UINT32_MAX)

// How many nodes are on line; 1 where the system does not say.
//   thread: any thread
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_numa_node_count(void);

// The node of the processor that runs the caller now; 0 where the system does not say.
//   thread: any thread
//   errors: none
IREE_API_EXPORT iree_numa_node_id_t iree_numa_node_for_current_thread(void);

#ifdef __cplusplus
}
#endif

#endif  // IREE_BASE_THREADING_NUMA_H_
