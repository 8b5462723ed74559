// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libiree_compiler_loader.a: the functions of embedding_api.h as calls into a libIREECompiler.so that
// is loaded at run time. A function of a newer minor version than the library's ends the process with
// a message, as calling one that is not there would.
#include "iree/compiler/loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "iree/compiler/embedding_api.h"

enum { API_MAJOR = 1 };

static struct {
  int version;  // of the library; 0: none is loaded
  int (*get_version)(void);
#define FN(since, result, name, params, args) result(*name) params;
#define VOID(since, name, params, args) void(*name) params;
#include "bindings/c/compiler_exports.def"
#undef FN
#undef VOID
} library;

static void find(void *handle, const char *name, void *out_function) {
  *(void **)out_function = dlsym(handle, name);
}

bool ireeCompilerLoadLibrary(const char *libraryPath) {
  void *handle = dlopen(libraryPath, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    fprintf(stderr, "iree: cannot load the compiler: %s\n", dlerror());
    return false;
  }
  find(handle, "ireeCompilerGetAPIVersion", &library.get_version);
  int version = library.get_version ? library.get_version() : 0;
  if (version >> 16 != API_MAJOR) {
    fprintf(stderr, "iree: %s has version %d of the compiler's API, this program needs %d\n", libraryPath, version >> 16,
            API_MAJOR);
    dlclose(handle);
    return false;
  }
#define FN(since, result, name, params, args) find(handle, #name, &library.name);
#define VOID(since, name, params, args) find(handle, #name, &library.name);
#include "bindings/c/compiler_exports.def"
#undef FN
#undef VOID
  library.version = version;
  return true;
}

static void check(bool found, const char *name, int since) {
  if (found) return;
  if (!library.version) fprintf(stderr, "iree: %s: call ireeCompilerLoadLibrary first\n", name);
  else fprintf(stderr, "iree: %s needs a compiler of API version %d.%d, the one loaded has %d.%d\n", name, API_MAJOR, since,
               library.version >> 16, library.version & 0xFFFF);
  abort();
}

int ireeCompilerGetAPIVersion(void) {
  check(library.version, "ireeCompilerGetAPIVersion", 0);
  return library.get_version();
}
#define FN(since, result, name, params, args) \
  result name params {                        \
    check(library.name, #name, since);        \
    return library.name args;                 \
  }
#define VOID(since, name, params, args) \
  void name params {                    \
    check(library.name, #name, since);  \
    library.name args;                  \
  }
#include "bindings/c/compiler_exports.def"
#undef FN
#undef VOID
