// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The drivers of this build.
#include "iree/hal/drivers/init.h"

#include "runtime/hal/drivers/sync/driver.h"
#include "runtime/hal/drivers/task/driver.h"

iree_status_t iree_hal_register_all_available_drivers(iree_hal_driver_registry_t *registry) {
  IREE_RETURN_IF_ERROR(iree_hal_driver_registry_register_factory(registry, &sync_driver_factory));
  return iree_hal_driver_registry_register_factory(registry, &task_driver_factory);
}
