// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executable loaders of local devices, by format name.
#ifndef RUNTIME_LOADERS_LOADER_H_
#define RUNTIME_LOADERS_LOADER_H_

#include "abi/executable_library.h"
#include "iree/hal/api.h"

typedef struct executable_loader_t {
  // Whether the loader takes a format, by its name alone.
  bool (*supports)(iree_string_view_t format);
  // Loads an executable of such a format.
  //   owns:   transfers ownership to the caller
  iree_status_t (*load)(const iree_hal_executable_params_t *params,
                        const iree_hal_processor_v0_t *processor, iree_allocator_t host_allocator,
                        iree_hal_executable_t **out_executable);
} executable_loader_t;

// "embedded-elf-<arch of this machine>"
extern const executable_loader_t embedded_elf_loader;
// "system-elf-<arch of this machine>": shared libraries, loaded by the system
extern const executable_loader_t system_library_loader;

// The name of the machine that we run on, as in format names: "x86_64".
const char *loader_machine_name(void);

// The loader of a format, or null.
const executable_loader_t *executable_loader_find(iree_string_view_t format);

#endif  // RUNTIME_LOADERS_LOADER_H_
