// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// local-sync: work runs in the thread that makes it ready. No threads, least overhead.
#ifndef RUNTIME_HAL_DRIVERS_SYNC_DRIVER_H_
#define RUNTIME_HAL_DRIVERS_SYNC_DRIVER_H_

#include "iree/hal/api.h"

extern const iree_hal_driver_factory_t sync_driver_factory;

#endif  // RUNTIME_HAL_DRIVERS_SYNC_DRIVER_H_
