// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-opt: runs named passes over IR and prints it.
#include "compiler/tool.h"

int main(int argc, char **argv) { return compile_tool_main(argc, argv, COMPILE_TOOL_IR); }
