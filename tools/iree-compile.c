// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-compile: a model in, a module file out.
#include "compiler/tool.h"

int main(int argc, char **argv) { return compile_tool_main(argc, argv, COMPILE_TOOL_MODULE); }
