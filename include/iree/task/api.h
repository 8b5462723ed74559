// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Worker threads for the machine at hand.
#ifndef IREE_TASK_API_H_
#define IREE_TASK_API_H_

#include "iree/base/api.h"
#include "iree/task/executor.h"
#include "iree/task/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes the executors of a default device: one, with a worker per physical core. (The tools' flags
// --task_topology_* go to devices they make, not here: a library reads no command line.)
//   owns:   transfers each of |executors| to the caller
//   errors: OUT_OF_RANGE        |executor_capacity| is 0
//           RESOURCE_EXHAUSTED  no memory or no threads
IREE_API_EXPORT iree_status_t iree_task_executors_create_from_flags(iree_allocator_t host_allocator,
                                                                    iree_host_size_t executor_capacity,
                                                                    iree_task_executor_t **executors,
                                                                    iree_host_size_t *out_executor_count);

#ifdef __cplusplus
}
#endif

#endif  // IREE_TASK_API_H_
