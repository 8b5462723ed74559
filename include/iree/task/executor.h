// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool of worker threads that devices share: make it once, give it to each local-task device.
#ifndef IREE_TASK_EXECUTOR_H_
#define IREE_TASK_EXECUTOR_H_

#include "iree/base/api.h"
#include "iree/task/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct task_executor_t iree_task_executor_t;

typedef uint32_t iree_task_scope_flags_t;
enum iree_task_scope_flag_bits_t {
  IREE_TASK_SCOPE_FLAG_NONE = 0u,
};

typedef struct iree_task_executor_options_t {
  iree_duration_t worker_spin_ns;  // how long an idle worker polls before it sleeps
} iree_task_executor_options_t;

// Stores the defaults.
//   errors: none
IREE_API_EXPORT void iree_task_executor_options_initialize(iree_task_executor_options_t *out_options);

// Starts one worker per group of |topology|.
//   owns:   transfers |out_executor| to the caller; |topology| is copied
//   errors: INVALID_ARGUMENT    no groups
//           RESOURCE_EXHAUSTED  no memory or no threads
IREE_API_EXPORT iree_status_t iree_task_executor_create(const iree_task_executor_options_t options,
                                                        const iree_task_topology_t *topology,
                                                        iree_allocator_t allocator,
                                                        iree_task_executor_t **out_executor);

// Reference counting; null is ignored. The last release ends the workers.
//   thread: any thread
//   errors: none
IREE_API_EXPORT void iree_task_executor_retain(iree_task_executor_t *executor);
IREE_API_EXPORT void iree_task_executor_release(iree_task_executor_t *executor);

// How many threads work.
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_task_executor_worker_count(iree_task_executor_t *executor);

#ifdef __cplusplus
}
#endif

#endif  // IREE_TASK_EXECUTOR_H_
