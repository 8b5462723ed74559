// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plugins in ELF files that need nothing of the system: the same files and the same loader as
// kernels.
#ifndef IREE_HAL_LOCAL_PLUGINS_EMBEDDED_ELF_PLUGIN_H_
#define IREE_HAL_LOCAL_PLUGINS_EMBEDDED_ELF_PLUGIN_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/hal/local/executable_plugin_manager.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes and loads a plugin of the bytes of an ELF file, or of a container of several machines'.
//   owns:   transfers ownership to the caller; |buffer| and |params| are borrowed until this
//   returns errors: INVALID_ARGUMENT  malformed
//           INCOMPATIBLE      for another machine
//           UNAVAILABLE       it needs symbols from outside
//           NOT_FOUND         no iree_hal_executable_plugin_query in it
//           and those of iree_hal_executable_plugin_initialize
IREE_API_EXPORT iree_status_t iree_hal_embedded_elf_executable_plugin_load_from_memory(
    iree_const_byte_span_t buffer, iree_host_size_t param_count, const iree_string_pair_t *params,
    iree_allocator_t host_allocator, iree_hal_executable_plugin_t **out_plugin);

// The same from a file.
//   owns:   transfers ownership to the caller; |params| are borrowed until this returns
//   errors: as above; NOT_FOUND, PERMISSION_DENIED, ...  as the system says
IREE_API_EXPORT iree_status_t iree_hal_embedded_elf_executable_plugin_load_from_file(
    iree_string_view_t path, iree_host_size_t param_count, const iree_string_pair_t *params,
    iree_allocator_t host_allocator, iree_hal_executable_plugin_t **out_plugin);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_LOCAL_PLUGINS_EMBEDDED_ELF_PLUGIN_H_
