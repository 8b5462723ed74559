// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What iree-compile and iree-opt share: arguments, files and streams around compile_run. The only
// part of compiler/ that touches them.
#ifndef COMPILER_TOOL_H_
#define COMPILER_TOOL_H_

typedef enum {
  COMPILE_TOOL_MODULE,  // iree-compile: phases, module bytes out
  COMPILE_TOOL_IR,      // iree-opt: passes named by flags, IR text out
} compile_tool_t;

// Returns the process's exit code: 0, or 1 after a message on stderr.
int compile_tool_main(int argc, char **argv, compile_tool_t tool);

#endif  // COMPILER_TOOL_H_
