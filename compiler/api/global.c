// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process: initialization, version, and the one thing that the API makes global, the flags that all
// sessions begin with. Nothing else of the compiler is.
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "compiler/api/api.h"
#include "compiler/codegen/target.h"
#include "compiler/reduce/tool.h"
#include "compiler/tool.h"
#include "iree/compiler/tool_entry_points_api.h"

enum { API_MAJOR = 1, API_MINOR = 4 };  // of the functions of embedding_api.h

static struct {
  atomic_int uses;
  api_flags_t flags;
} process;

const api_flags_t *api_global_flags(void) { return &process.flags; }

int ireeCompilerGetAPIVersion(void) { return API_MAJOR << 16 | API_MINOR; }
const char *ireeCompilerGetRevision(void) { return IREE_C_VERSION; }

void ireeCompilerGlobalInitialize(void) { atomic_fetch_add(&process.uses, 1); }
void ireeCompilerGlobalShutdown(void) {
  if (atomic_fetch_sub(&process.uses, 1) == 1) api_flags_truncate(&process.flags, 0);
}

void ireeCompilerGetProcessCLArgs(int *argc, const char ***argv) { (void)argc, (void)argv; }

void ireeCompilerSetupGlobalCL(int argc, const char **argv, const char *banner, bool installSignalHandlers) {
  (void)banner, (void)installSignalHandlers;
  api_flags_truncate(&process.flags, 0);
  for (int i = 1; i < argc; ++i) api_flags_append(&process.flags, argv[i]);
}

void ireeCompilerEnumerateRegisteredHALTargetBackends(void (*callback)(const char *backend, void *userData),
                                                      void *userData) {
  for (const char *const *backend = codegen_backends; *backend; ++backend) callback(*backend, userData);
}

void ireeCompilerEnumeratePlugins(void (*callback)(const char *pluginName, void *userData), void *userData) {
  char name[64];
  for (const char *const *backend = codegen_backends; *backend; ++backend) {
    snprintf(name, sizeof name, "hal_target_%s", *backend);
    for (char *c = strchr(name, '-'); c; c = strchr(c, '-')) *c = '_';
    callback(name, userData);
  }
  callback("input_stablehlo", userData);
}

int ireeCompilerRunMain(int argc, char **argv) { return compile_tool_main(argc, argv, COMPILE_TOOL_MODULE); }
int ireeOptRunMain(int argc, char **argv) { return compile_tool_main(argc, argv, COMPILE_TOOL_IR); }
int ireeReduceRunMain(int argc, char **argv) { return reduce_tool_main(argc, argv); }
