// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as a library: libIREECompiler.so, or loaded at run time (loader.h).
//
//   session     flags; many may live side by side
//   invocation  one program on its way: parse a source, run a pipeline, write outputs
//   source      text or bytecode of a program        output   a file, a descriptor or memory
//   error       what a function returns that fails at once; NULL is success
//
// What is wrong with a program is told through the invocation's diagnostics, and the function returns
// false. Sessions and what belongs to them are used by one thread at a time; different invocations, of
// the same session too, may run on different threads as long as none sets flags.
// Every function may be called with valid handles only, unless it says otherwise.
#ifndef IREE_COMPILER_EMBEDDING_API_H
#define IREE_COMPILER_EMBEDDING_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iree/compiler/api_support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_compiler_error_t iree_compiler_error_t;
typedef struct iree_compiler_session_t iree_compiler_session_t;
typedef struct iree_compiler_invocation_t iree_compiler_invocation_t;
typedef struct iree_compiler_source_t iree_compiler_source_t;
typedef struct iree_compiler_output_t iree_compiler_output_t;

// ---- errors

// Frees an error; NULL is fine.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerErrorDestroy(iree_compiler_error_t *error);

// The error's text.
//   owns:   borrowed from |error| until it is destroyed
//   errors: none
IREE_EMBED_EXPORTED const char *ireeCompilerErrorGetMessage(iree_compiler_error_t *error);

// ---- the process

// Version of this API: the major number times 65536 plus the minor one. Functions are only added
// within a major version.
//   thread: any, also before initialization
//   errors: none
IREE_EMBED_EXPORTED int ireeCompilerGetAPIVersion(void);

// Makes the compiler ready. Calls nest: each needs its ireeCompilerGlobalShutdown.
//   thread: any
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerGlobalInitialize(void);

// Version of the compiler, as `iree-compile --version` says it.
//   owns:   borrowed from the library
//   errors: none
IREE_EMBED_EXPORTED const char *ireeCompilerGetRevision(void);

// Replaces the arguments of main by decoded ones where the system needs that; here nothing changes.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerGetProcessCLArgs(int *argc, const char ***argv);

// Flags that every later session begins with: |argv|[1..|argc|), copied. A session made with flags
// that do not parse reports that when it parses a source. |banner| and |installSignalHandlers| have
// no use here: the library installs no handlers.
//   thread: none other may use the compiler meanwhile
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerSetupGlobalCL(int argc, const char **argv, const char *banner,
                                                   bool installSignalHandlers);

// Undoes one ireeCompilerGlobalInitialize. The last one frees what the process holds; all handles must
// be gone by then.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerGlobalShutdown(void);

// Calls |callback| with the name of each target backend.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerEnumerateRegisteredHALTargetBackends(
    void (*callback)(const char *backend, void *userData), void *userData);

// Calls |callback| with the name of each built-in part that upstream has as a plugin.
//   since:  1.2
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerEnumeratePlugins(void (*callback)(const char *pluginName, void *userData),
                                                      void *userData);

// ---- sessions

// Makes a session with default flags and those of ireeCompilerSetupGlobalCL.
//   owns:   the caller destroys it, after all that belongs to it
//   errors: none
IREE_EMBED_EXPORTED iree_compiler_session_t *ireeCompilerSessionCreate(void);

// Frees a session; NULL is fine.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerSessionDestroy(iree_compiler_session_t *session);

// Sets flags, all or none, for invocations created from now on: `--name=value` as iree-compile takes
// them, |argc| of them from |argv|[0] on, copied.
//   owns:   the caller destroys the error
//   errors: an unknown flag, a value that does not parse, an argument that is no flag
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerSessionSetFlags(iree_compiler_session_t *session, int argc,
                                                                       const char *const *argv);

// Calls |onFlag| with each flag as `--name=value`, without a NUL; lists give one call per element.
// |nonDefaultOnly| leaves out the ones that have their default value.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerSessionGetFlags(iree_compiler_session_t *session, bool nonDefaultOnly,
                                                     void (*onFlag)(const char *flag, size_t length, void *),
                                                     void *userData);

// ---- invocations

enum iree_compiler_diagnostic_severity_t {
  IREE_COMPILER_DIAGNOSTIC_SEVERITY_NOTE = 0,
  IREE_COMPILER_DIAGNOSTIC_SEVERITY_WARNING = 1,
  IREE_COMPILER_DIAGNOSTIC_SEVERITY_ERROR = 2,
  IREE_COMPILER_DIAGNOSTIC_SEVERITY_REMARK = 3,
};

enum iree_compiler_pipeline_t {
  IREE_COMPILER_PIPELINE_STD = 0,             // all phases, or those chosen
  IREE_COMPILER_PIPELINE_HAL_EXECUTABLE = 1,  // one hal.executable to machine code
  IREE_COMPILER_PIPELINE_PRECOMPILE = 2,      // phases up to global-optimization
  IREE_COMPILER_PIPELINE_VM = 3,              // what is at phase hal, to the vm dialect
};

// Makes an invocation with the session's flags of now.
//   owns:   the caller destroys it
//   errors: none
IREE_EMBED_EXPORTED iree_compiler_invocation_t *ireeCompilerInvocationCreate(iree_compiler_session_t *session);

// Frees an invocation; NULL is fine.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationDestroy(iree_compiler_invocation_t *inv);

// Sends each message to |callback|: `place: severity: text`, then the source line and a caret, without
// a last newline or NUL. |flags| is 0.
//   owns:   |message| is borrowed until the callback returns
//   thread: the callback runs on the thread that calls the compiler
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationEnableCallbackDiagnostics(
    iree_compiler_invocation_t *inv, int flags,
    void (*callback)(enum iree_compiler_diagnostic_severity_t severity, const char *message, size_t messageSize,
                     void *userData),
    void *userData);

// Prints messages to stderr, besides any callback.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationEnableConsoleDiagnostics(iree_compiler_invocation_t *inv);

// When a pipeline fails, |onCrashCallback| is asked for an output, which receives a file that
// iree-compile fails on in the same way: flags as comments, then the source, or (|genLocalReproducer|)
// the program as it stood before the phase that failed. The output is kept and destroyed.
//   owns:   |userData| is borrowed until the invocation is destroyed
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationSetCrashHandler(
    iree_compiler_invocation_t *inv, bool genLocalReproducer,
    iree_compiler_error_t *(*onCrashCallback)(iree_compiler_output_t **outOutput, void *userData), void *userData);

// Parses |source|, in place of any program parsed before.
//   owns:   |source| is borrowed until the invocation is destroyed or parses another one
//   errors: false, after messages
IREE_EMBED_EXPORTED bool ireeCompilerInvocationParseSource(iree_compiler_invocation_t *inv,
                                                           iree_compiler_source_t *source);

// The phase at whose end the source stands; "start" by default. Checked by the pipeline.
//   since:  1.3
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationSetCompileFromPhase(iree_compiler_invocation_t *inv,
                                                                   const char *phase);

// The last phase to run; "end" by default. Checked by the pipeline.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationSetCompileToPhase(iree_compiler_invocation_t *inv, const char *phase);

// Writes the program at the end of each phase into the folder |path|.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationSetDumpCompilationPhasesTo(iree_compiler_invocation_t *inv,
                                                                          const char *path);

// Verifies the program after each pass, not at the end of each phase only, which always happens.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationSetVerifyIR(iree_compiler_invocation_t *inv, bool enable);

// Remarks of LLVM's passes are not recorded; asking for them gives a warning that names
// --compile-report, which tells what was fused and what it costs.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerInvocationSetupRemarks(iree_compiler_invocation_t *inv,
                                                            const char *remarksFilter,
                                                            const char *remarksOutputFile);

// Runs a pipeline over the parsed program.
//   errors: false, after messages
IREE_EMBED_EXPORTED bool ireeCompilerInvocationPipeline(iree_compiler_invocation_t *inv,
                                                        enum iree_compiler_pipeline_t pipeline);

// Runs passes by name: `builtin.module(a,b)` or `a,b`.
//   since:  1.4
//   errors: false, after messages
IREE_EMBED_EXPORTED bool ireeCompilerInvocationRunPassPipeline(iree_compiler_invocation_t *inv,
                                                               const char *textPassPipeline);

// Writes the program as it stands as text.
//   owns:   the caller destroys the error
//   errors: nothing was parsed, or the output cannot be written
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerInvocationOutputIR(iree_compiler_invocation_t *inv,
                                                                          iree_compiler_output_t *output);

// Always fails: MLIR bytecode is read but not written here.
//   since:  1.4
//   owns:   the caller destroys the error
//   errors: always
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerInvocationOutputIRBytecode(iree_compiler_invocation_t *inv,
                                                                                  iree_compiler_output_t *output,
                                                                                  int bytecodeVersion);

// Writes the module file after IREE_COMPILER_PIPELINE_STD to its end.
//   owns:   the caller destroys the error
//   errors: the program is not at its end, or the output cannot be written
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerInvocationOutputVMBytecode(iree_compiler_invocation_t *inv,
                                                                                  iree_compiler_output_t *output);

// Always fails: no C code is made of vm programs.
//   owns:   the caller destroys the error
//   errors: always
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerInvocationOutputVMCSource(iree_compiler_invocation_t *inv,
                                                                                 iree_compiler_output_t *output);

// Writes the machine code of the one executable after IREE_COMPILER_PIPELINE_HAL_EXECUTABLE.
//   owns:   the caller destroys the error
//   errors: there is no such executable or more than one, or the output cannot be written
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerInvocationOutputHALExecutable(iree_compiler_invocation_t *inv,
                                                                                     iree_compiler_output_t *output);

// ---- sources

// Frees a source; NULL is fine.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerSourceDestroy(iree_compiler_source_t *source);

// Opens a file; "-" reads stdin.
//   owns:   the caller destroys source and error
//   errors: the file cannot be read
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerSourceOpenFile(iree_compiler_session_t *session,
                                                                      const char *filePath,
                                                                      iree_compiler_source_t **out_source);

// Wraps |length| bytes, of which the last is NUL if |isNullTerminated|; messages call it |bufferName|.
//   owns:   |buffer| is borrowed until the source is destroyed; the caller destroys source and error
//   errors: |isNullTerminated| is not so
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerSourceWrapBuffer(iree_compiler_session_t *session,
                                                                        const char *bufferName, const char *buffer,
                                                                        size_t length, bool isNullTerminated,
                                                                        iree_compiler_source_t **out_source);

// Calls |callback| with each part of |source| between lines `// -----`.
//   owns:   the callback's user destroys each part, which may outlive |source|; the caller destroys
//           the error
//   errors: none
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerSourceSplit(
    iree_compiler_source_t *source, void (*callback)(iree_compiler_source_t *source, void *userData), void *userData);

// ---- outputs

// Closes an output; a file that was not kept is removed. NULL is fine.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerOutputDestroy(iree_compiler_output_t *output);

// Opens a file for writing; "-" is stdout.
//   owns:   the caller destroys output and error
//   errors: the file cannot be opened
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerOutputOpenFile(const char *filePath,
                                                                      iree_compiler_output_t **out_output);

// Writes to a descriptor, which stays open.
//   owns:   the caller destroys output and error
//   errors: none
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerOutputOpenFD(int fd, iree_compiler_output_t **out_output);

// Collects in memory.
//   owns:   the caller destroys output and error
//   errors: none
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerOutputOpenMembuffer(iree_compiler_output_t **out_output);

// What was written to an output in memory, aligned to 64 bytes as the runtime wants modules.
//   owns:   borrowed from |output| until more is written or it is destroyed; the caller destroys the error
//   errors: the output is not in memory
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerOutputMapMemory(iree_compiler_output_t *output,
                                                                       void **contents, uint64_t *size);

// Lets the file stay when its output is destroyed.
//   errors: none
IREE_EMBED_EXPORTED void ireeCompilerOutputKeep(iree_compiler_output_t *output);

// Writes |length| bytes.
//   owns:   the caller destroys the error
//   errors: they cannot be written whole
IREE_EMBED_EXPORTED iree_compiler_error_t *ireeCompilerOutputWrite(iree_compiler_output_t *output, const void *data,
                                                                   size_t length);

#ifdef __cplusplus
}
#endif

#endif  // IREE_COMPILER_EMBEDDING_API_H
