// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-compile: a model in, a module file out. Called iree-opt: named passes over IR, which is printed. Called
// iree-reduce: a failing program in, a small one out. One program under three names, since each is all of the
// compiler.
#include <signal.h>
#include <string.h>

#include "compiler/reduce/tool.h"
#include "compiler/tool.h"

int main(int argc, char **argv) {
  const char *slash = argc ? strrchr(argv[0], '/') : NULL, *name = slash ? slash + 1 : argc ? argv[0] : "";
  signal(SIGXFSZ, SIG_IGN);  // a file larger than the limit is an error of write(), which is told
  if (!strncmp(name, "iree-reduce", 11)) return reduce_tool_main(argc, argv);
  return compile_tool_main(argc, argv, strncmp(name, "iree-opt", 8) ? COMPILE_TOOL_MODULE : COMPILE_TOOL_IR);
}
