// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree-reduce: flags and files around reduce_program.
#ifndef COMPILER_REDUCE_TOOL_H_
#define COMPILER_REDUCE_TOOL_H_

// Returns the process's exit code: 0, or 1 after a message on stderr.
int reduce_tool_main(int argc, char **argv);

#endif  // COMPILER_REDUCE_TOOL_H_
