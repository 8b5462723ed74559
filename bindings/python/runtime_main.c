// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's programs of the Python package in one: `_tools NAME ARGUMENTS...`. TOOLS is the Makefile's list:
// TOOL("iree-run-module", its main function).
#include <stdio.h>
#include <string.h>

#define TOOL(name, function) int function(int argc, char **argv);
TOOLS(TOOL)
#undef TOOL

int main(int argc, char **argv) {
#define TOOL(name, function) \
  if (argc > 1 && !strcmp(argv[1], name)) return function(argc - 1, argv + 1);
  TOOLS(TOOL)
#undef TOOL
  fputs("usage: _tools NAME ARGUMENTS...\n", stderr);
  return 1;
}
