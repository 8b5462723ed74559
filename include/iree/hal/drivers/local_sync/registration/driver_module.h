// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver `local-sync` alone, for programs that want no others.
#ifndef IREE_HAL_DRIVERS_LOCAL_SYNC_REGISTRATION_DRIVER_MODULE_H_
#define IREE_HAL_DRIVERS_LOCAL_SYNC_REGISTRATION_DRIVER_MODULE_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds the driver to |registry|.
//   errors: ALREADY_EXISTS      it is there already
//           RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t
iree_hal_local_sync_driver_module_register(iree_hal_driver_registry_t *registry);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_DRIVERS_LOCAL_SYNC_REGISTRATION_DRIVER_MODULE_H_
