// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as a whole: source text in, IR text or module bytes out. main.c-level view:
//
//   compile_run:  parse -> verify -> phases (pipeline.c) -> print, or emit the module's bytes
//
// Nothing here touches files or streams: text and messages go through the caller's functions.
#ifndef COMPILER_DRIVER_H_
#define COMPILER_DRIVER_H_

#include "compiler/ir/ir.h"
#include "compiler/options.h"

typedef iree_status_t (*compile_write_fn_t)(void *self, const void *data, size_t n);

typedef struct compile_io {
  iree_string_view_t source;      // borrowed for the call
  const char *source_name;        // as shown in messages
  compile_write_fn_t write;       // the result; called only after everything has succeeded
  void *write_self;
  // One whole message: "file:line:col: error: text\n  source line\n  ^\n".
  void (*message)(void *self, ir_severity_t severity, iree_string_view_t text);
  void *message_self;
  // Text on the side, for stderr: IR around passes, timing. NULL: dropped.
  iree_status_t (*dump)(void *self, iree_string_view_t text);
  void *dump_self;
  // Files on the side: |name| in |folder|, which is made; folder "-" is stdout, an empty one is none: |name| is
  // a path, "-" stderr. NULL: no such files.
  iree_status_t (*file)(void *self, iree_string_view_t folder, const char *name, iree_string_view_t contents);
  void *file_self;
  // Passes to run instead of phases (iree-opt); none: the phases of the options.
  const iree_string_view_t *passes;
  size_t n_passes;
  bool print_ir;                  // print the IR at the end even after the last phase
} compile_io_t;

// Compiles. Every error has been reported through |message| when this returns it.
//   errors: INVALID_ARGUMENT and others; nothing was written
iree_status_t compile_run(const compile_options_t *options, const compile_io_t *io);

// Line |line|, from 1, of |source| without its end; empty if there is none. Borrowed from |source|.
iree_string_view_t compile_source_line(iree_string_view_t source, int64_t line);

// Name of the source file without folder and extension, "module" if there is no file: names files on the side.
void compile_base_name(const compile_io_t *io, char *out, size_t size);

// Names of the backends that --iree-hal-target-backends takes, NULL-terminated.
extern const char *const compile_backends[];

#endif  // COMPILER_DRIVER_H_
