// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string.h>

#include "compiler/ir/context.h"

static const ir_enum_info_t enums[] = {
#define ENUM(name, generic, words) {#name, generic, words},
#include "compiler/dialects/enums.def"
#undef ENUM
};

const ir_enum_info_t *ir_enum_lookup(const char *name, size_t n) {
  for (size_t i = 0; i < sizeof enums / sizeof *enums; ++i)
    if (!strncmp(enums[i].name, name, n) && !enums[i].name[n]) return &enums[i];
  return NULL;
}
