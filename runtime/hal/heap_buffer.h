// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mapping functions that all buffers of coherent host memory share, and what such memory can do.
#ifndef RUNTIME_HAL_HEAP_BUFFER_H_
#define RUNTIME_HAL_HEAP_BUFFER_H_

#include "iree/hal/api.h"

// Nothing to undo and nothing to flush.
iree_status_t host_buffer_unmap_range(iree_hal_buffer_t *buffer, iree_device_size_t offset,
                                      iree_device_size_t length,
                                      iree_hal_buffer_mapping_t *mapping);
iree_status_t host_buffer_sync_range(iree_hal_buffer_t *buffer, iree_device_size_t offset,
                                     iree_device_size_t length);

// Host memory serves every type and usage that local devices know: widens params to all of them.
static inline void host_buffer_widen_params(iree_hal_buffer_params_t *params) {
  iree_hal_buffer_params_canonicalize(params);
  params->type &= ~(iree_hal_memory_type_t)IREE_HAL_MEMORY_TYPE_OPTIMAL;
  params->type |= IREE_HAL_MEMORY_TYPE_HOST_VISIBLE | IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE;
  params->usage |= IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED | IREE_HAL_BUFFER_USAGE_MAPPING_PERSISTENT |
                   IREE_HAL_BUFFER_USAGE_MAPPING_ACCESS_RANDOM | IREE_HAL_BUFFER_USAGE_TRANSFER;
}

#endif  // RUNTIME_HAL_HEAP_BUFFER_H_
