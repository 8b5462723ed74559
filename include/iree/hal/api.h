// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hardware abstraction: devices, memory, queues, semaphores and kernels.
//
// Each noun has its own header; this one includes them all.
#ifndef IREE_HAL_API_H_
#define IREE_HAL_API_H_

#include "iree/hal/allocator.h"
#include "iree/hal/buffer.h"
#include "iree/hal/buffer_view.h"
#include "iree/hal/channel.h"
#include "iree/hal/command_buffer.h"
#include "iree/hal/device.h"
#include "iree/hal/device_group.h"
#include "iree/hal/driver.h"
#include "iree/hal/driver_registry.h"
#include "iree/hal/executable.h"
#include "iree/hal/executable_cache.h"
#include "iree/hal/fence.h"
#include "iree/hal/file.h"
#include "iree/hal/queue.h"
#include "iree/hal/resource.h"
#include "iree/hal/semaphore.h"
#include "iree/hal/string_util.h"

#endif  // IREE_HAL_API_H_
