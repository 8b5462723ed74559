// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Targets: what needs no machine-code generator to be known.
#include "compiler/codegen/target.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/codegen.h"

const char *const codegen_backends[] = {"llvm-cpu", "vmvx", NULL};

codegen_target_t *codegen_target_create_vm(void) {
  codegen_target_t *target = calloc(1, sizeof(*target));
  if (!target) abort();
  // Registers are plenty; several rows side by side share the loads and the loop around them.
  *target = (codegen_target_t){.arch = CODEGEN_ARCH_VM,
                               .format = "vmvx-bytecode-fb",
                               .vector_bytes = 8,
                               .vector_registers = 16,
                               .max_lanes = 1};
  return target;
}

void codegen_target_free(codegen_target_t *target) {
  if (!target) return;
  free(target->triple);
  free(target->cpu);
  free(target->features);
  free(target->data_layout);
  free(target->static_output);
  free(target);
}

char *codegen_query_symbol(const char *name) {
  static const char suffix[] = "_library_query";
  size_t n = strlen(name);
  char *symbol = malloc(n + sizeof suffix + 1), *at = symbol;
  if (!symbol) abort();
  if (!n || isdigit((unsigned char)name[0])) *at++ = '_';
  for (size_t i = 0; i < n; ++i) *at++ = isalnum((unsigned char)name[i]) ? name[i] : '_';
  memcpy(at, suffix, sizeof suffix);
  return symbol;
}
