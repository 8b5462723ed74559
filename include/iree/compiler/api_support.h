// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How functions of libIREECompiler.so are marked.
#ifndef IREE_COMPILER_API_SUPPORT_H
#define IREE_COMPILER_API_SUPPORT_H

#if !defined(_WIN32) && !defined(__CYGWIN__)
#define IREE_EMBED_EXPORTED __attribute__((visibility("default")))
#elif !defined(IREE_EMBED_ENABLE_WINDOWS_DLL_DECLSPEC)
#define IREE_EMBED_EXPORTED
#elif IREE_EMBED_BUILDING_LIBRARY
#define IREE_EMBED_EXPORTED __declspec(dllexport)
#else
#define IREE_EMBED_EXPORTED __declspec(dllimport)
#endif

#endif  // IREE_COMPILER_API_SUPPORT_H
