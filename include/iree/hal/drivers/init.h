// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers every driver that this build has.
#ifndef IREE_HAL_DRIVERS_INIT_H_
#define IREE_HAL_DRIVERS_INIT_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds all drivers to a registry.
//   errors: ALREADY_EXISTS  they were added before
IREE_API_EXPORT iree_status_t
iree_hal_register_all_available_drivers(iree_hal_driver_registry_t *registry);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_DRIVERS_INIT_H_
