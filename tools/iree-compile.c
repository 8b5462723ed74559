// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-compile: a model in, a module file out. Called iree-opt: named passes over IR, which is printed. One
// program under two names, since both are all of the compiler.
#include <string.h>

#include "compiler/tool.h"

int main(int argc, char **argv) {
  const char *slash = argc ? strrchr(argv[0], '/') : NULL, *name = slash ? slash + 1 : argc ? argv[0] : "";
  return compile_tool_main(argc, argv, strncmp(name, "iree-opt", 8) ? COMPILE_TOOL_MODULE : COMPILE_TOOL_IR);
}
