// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queue affinity: a bit set naming the queues of one device that may run an operation.
#ifndef IREE_HAL_QUEUE_H_
#define IREE_HAL_QUEUE_H_

#include "iree/base/api.h"

typedef uint64_t iree_hal_queue_affinity_t;

// Any queue of the device, its own choice.
#define IREE_HAL_QUEUE_AFFINITY_ANY ((iree_hal_queue_affinity_t)(-1))
#define IREE_HAL_MAX_QUEUES (sizeof(iree_hal_queue_affinity_t) * 8)

#define iree_hal_queue_affinity_is_empty(queue_affinity) ((queue_affinity) == 0)
#define iree_hal_queue_affinity_is_any(queue_affinity) \
  ((queue_affinity) == IREE_HAL_QUEUE_AFFINITY_ANY)

#endif  // IREE_HAL_QUEUE_H_
