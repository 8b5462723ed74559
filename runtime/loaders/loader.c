// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loaders of this build.
#include "runtime/loaders/loader.h"

static const executable_loader_t *const loaders[] = {&embedded_elf_loader, &system_library_loader};

const executable_loader_t *executable_loader_find(iree_string_view_t format) {
  for (size_t i = 0; i < IREE_ARRAYSIZE(loaders); ++i) {
    if (loaders[i]->supports(format)) return loaders[i];
  }
  return NULL;
}

const char *loader_machine_name(void) {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__i386__)
  return "x86_32";
#elif defined(__aarch64__)
  return "arm_64";
#elif defined(__arm__)
  return "arm_32";
#elif defined(__riscv) && __riscv_xlen == 64
  return "riscv_64";
#elif defined(__riscv)
  return "riscv_32";
#else
  return "unknown";
#endif
}
