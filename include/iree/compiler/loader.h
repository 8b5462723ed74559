// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler loaded at run time. A program that links libiree_compiler_loader.a (and -ldl) instead of
// libIREECompiler.so calls ireeCompilerLoadLibrary before any other function of embedding_api.h.
#ifndef IREE_COMPILER_LOADER_H
#define IREE_COMPILER_LOADER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Loads libIREECompiler.so from |libraryPath|. Says why on stderr if it cannot.
//   thread: none other may use the compiler meanwhile
//   errors: false: no such library, or one of another major version
bool ireeCompilerLoadLibrary(const char *libraryPath);

#ifdef __cplusplus
}
#endif

#endif  // IREE_COMPILER_LOADER_H
