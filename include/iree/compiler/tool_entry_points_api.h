// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tools' main functions, for small programs that share libIREECompiler.so.
#ifndef IREE_COMPILER_TOOL_ENTRY_POINTS_API_H
#define IREE_COMPILER_TOOL_ENTRY_POINTS_API_H

#include "iree/compiler/api_support.h"

#ifdef __cplusplus
extern "C" {
#endif

// iree-compile: the exit code.
//   errors: 1 after a message on stderr
IREE_EMBED_EXPORTED int ireeCompilerRunMain(int argc, char **argv);

// iree-opt: the exit code.
//   errors: 1 after a message on stderr
IREE_EMBED_EXPORTED int ireeOptRunMain(int argc, char **argv);

// iree-reduce: the exit code.
//   errors: 1 after a message on stderr
IREE_EMBED_EXPORTED int ireeReduceRunMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif  // IREE_COMPILER_TOOL_ENTRY_POINTS_API_H
