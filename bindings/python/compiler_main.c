// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-compile and iree-opt of the Python package: they share the compiler's library with iree.compiler.api.
#include <string.h>

#include "iree/compiler/tool_entry_points_api.h"

int main(int argc, char **argv) {
  const char *slash = argc ? strrchr(argv[0], '/') : NULL, *name = slash ? slash + 1 : argc ? argv[0] : "";
  return strncmp(name, "iree-opt", 8) ? ireeCompilerRunMain(argc, argv) : ireeOptRunMain(argc, argv);
}
