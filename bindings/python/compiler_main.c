// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's programs of the Python package: `_tools NAME ARGUMENTS...`. They share the compiler's library with
// iree.compiler.api.
#include <stdio.h>
#include <string.h>

#include "iree/compiler/tool_entry_points_api.h"

static const struct {
  const char *name;
  int (*main)(int argc, char **argv);
} tools[] = {{"iree-compile", ireeCompilerRunMain}, {"iree-opt", ireeOptRunMain}, {"iree-reduce", ireeReduceRunMain}};

int main(int argc, char **argv) {
  for (size_t i = 0; argc > 1 && i < sizeof tools / sizeof *tools; ++i)
    if (!strcmp(argv[1], tools[i].name)) return tools[i].main(argc - 1, argv + 1);
  fputs("usage: _tools NAME ARGUMENTS...\n", stderr);
  return 1;
}
