// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sink that writes traced tensors as text.
#include "iree/modules/hal/debugging.h"

iree_hal_module_debug_sink_t iree_hal_module_debug_sink_null(void) {
  iree_hal_module_debug_sink_t sink = {{NULL, NULL}, {NULL, NULL}};
  return sink;
}

static iree_status_t trace_to_file(void *user_data, iree_string_view_t key,
                                   iree_host_size_t buffer_view_count,
                                   iree_hal_buffer_view_t **buffer_views,
                                   iree_allocator_t host_allocator) {
  FILE *file = (FILE *)user_data;
  fprintf(file, "=== %.*s ===\n", IREE_SV_ARGS(key));
  for (iree_host_size_t i = 0; i < buffer_view_count; ++i) {
    IREE_RETURN_IF_ERROR(iree_hal_buffer_view_fprint(
        file, buffer_views[i], /*max_element_count=*/IREE_HOST_SIZE_MAX, host_allocator));
    fputc('\n', file);
  }
  fputc('\n', file);
  fflush(file);
  return iree_ok_status();
}

iree_hal_module_debug_sink_t iree_hal_module_debug_sink_stdio(FILE *file) {
  iree_hal_module_debug_sink_t sink = {{NULL, NULL}, {trace_to_file, file}};
  return sink;
}
