// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a program's traced tensors go.
#ifndef IREE_MODULES_HAL_DEBUGGING_H_
#define IREE_MODULES_HAL_DEBUGGING_H_

#include <stdio.h>

#include "iree/base/api.h"
#include "iree/hal/api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_module_debug_sink_release_callback_t {
  void(IREE_API_PTR *fn)(void *user_data);
  void *user_data;
} iree_hal_module_debug_sink_release_callback_t;

typedef iree_status_t(IREE_API_PTR *iree_hal_module_buffer_view_trace_callback_fn_t)(
    void *user_data, iree_string_view_t key, iree_host_size_t buffer_view_count,
    iree_hal_buffer_view_t **buffer_views, iree_allocator_t host_allocator);
typedef struct iree_hal_module_buffer_view_trace_callback_t {
  iree_hal_module_buffer_view_trace_callback_fn_t fn;
  void *user_data;
} iree_hal_module_buffer_view_trace_callback_t;

// A sink; all zero drops everything.
typedef struct iree_hal_module_debug_sink_t {
  iree_hal_module_debug_sink_release_callback_t release;
  iree_hal_module_buffer_view_trace_callback_t buffer_view_trace;
} iree_hal_module_debug_sink_t;

// The sink that drops everything, and one that prints to a file.
//   owns:   |file| is borrowed until the sink is released
//   errors: none
IREE_API_EXPORT iree_hal_module_debug_sink_t iree_hal_module_debug_sink_null(void);
IREE_API_EXPORT iree_hal_module_debug_sink_t iree_hal_module_debug_sink_stdio(FILE *file);

#ifdef __cplusplus
}
#endif

#endif  // IREE_MODULES_HAL_DEBUGGING_H_
