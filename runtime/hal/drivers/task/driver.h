// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// local-task: work is spread over worker threads. Parameters of the device URI:
//   task_topology_group_count=N   workers; default: one per physical core
//   task_topology_cpu_ids=0,2,4   one worker pinned to each processor
//   task_worker_spin_us=N         how long idle workers poll before they sleep; default 20
#ifndef RUNTIME_HAL_DRIVERS_TASK_DRIVER_H_
#define RUNTIME_HAL_DRIVERS_TASK_DRIVER_H_

#include "iree/hal/api.h"

extern const iree_hal_driver_factory_t task_driver_factory;

#endif  // RUNTIME_HAL_DRIVERS_TASK_DRIVER_H_
