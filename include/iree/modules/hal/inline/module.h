// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `hal_inline` VM module: buffers and views for programs that run all of their work in the
// calling thread, without devices.
#ifndef IREE_MODULES_HAL_INLINE_MODULE_H_
#define IREE_MODULES_HAL_INLINE_MODULE_H_

#include <stdint.h>

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/modules/hal/debugging.h"
#include "iree/modules/hal/types.h"
#include "iree/vm/api.h"

#ifdef __cplusplus
extern "C" {
#endif

enum iree_hal_inline_module_flag_bits_t {
  IREE_HAL_INLINE_MODULE_FLAG_NONE = 0u,
};
typedef uint32_t iree_hal_inline_module_flags_t;

// Makes the module; buffers come from |device_allocator|, whose memory the host must reach.
//   owns:   transfers ownership to the caller; retains |device_allocator|; takes ownership of
//           |debug_sink|
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_inline_module_create(iree_vm_instance_t *instance,
                                                            iree_hal_inline_module_flags_t flags,
                                                            iree_hal_module_debug_sink_t debug_sink,
                                                            iree_hal_allocator_t *device_allocator,
                                                            iree_allocator_t host_allocator,
                                                            iree_vm_module_t **out_module);

#ifdef __cplusplus
}
#endif

#endif  // IREE_MODULES_HAL_INLINE_MODULE_H_
