// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as a whole: source text in, IR text or module bytes out. main.c-level view:
//
//   compile_run:  parse -> verify -> phases (pipeline.c) -> print, or emit the module's bytes
//
// A compilation_t is the same in steps, for callers that look in between. Nothing here touches
// files or streams: text and messages go through the caller's functions.
#ifndef COMPILER_DRIVER_H_
#define COMPILER_DRIVER_H_

#include "abi/version.h"
#include "compiler/ir/ir.h"
#include "compiler/options.h"

#define IREE_C_VERSION ABI_PRODUCT_VERSION

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
  // Reads a file that a flag names into |arena|; one that is not there is no error but !*out_found. NULL: none.
  iree_status_t (*read)(void *self, const char *path, iree_arena_t *arena, iree_string_view_t *out_contents, bool *out_found);
  void *read_self;
  // Told what is being done, |done| of |total| (0: not counted); also by threads. |what| lives as long as the
  // process. NULL: nobody.
  void (*progress)(void *self, const char *what, int64_t done, int64_t total);
  void *progress_self;
  // Passes to run instead of phases (iree-opt); none: the phases of the options.
  const iree_string_view_t *passes;
  size_t n_passes;
  int64_t *n_rewrites;            // counts rewrites that could have been left out as they come; may be NULL
  bool print_ir;                  // print the IR at the end even after the last phase
} compile_io_t;

// Compiles. Every error has been reported through |message| when this returns it.
//   errors: INVALID_ARGUMENT and others; nothing was written
iree_status_t compile_run(const compile_options_t *options, const compile_io_t *io);

// One program on its way through the compiler. |options| and |io| are borrowed until
// compilation_destroy. Whatever a step returns has been reported through io->message; after a
// failed step only compilation_destroy is left to do. One thread at a time.
typedef struct compilation compilation_t;
iree_status_t compilation_create(const compile_options_t *options, const compile_io_t *io, compilation_t **out_compilation);
void compilation_destroy(compilation_t *compilation);
// Parses and verifies io->source, which is borrowed until compilation_destroy.
iree_status_t compilation_parse(compilation_t *compilation);
// Runs the phases after |from| up to |to|.
iree_status_t compilation_run_phases(compilation_t *compilation, compile_phase_t from, compile_phase_t to);
// Runs passes by name, one after the other.
iree_status_t compilation_run_passes(compilation_t *compilation, const iree_string_view_t *names, size_t count);
// Prints the module as it stands, with locations if |debuginfo| or a flag says so.
iree_status_t compilation_print(compilation_t *compilation, bool debuginfo, compile_write_fn_t write, void *self);
// Writes the bytes of the module, whose phases have all run.
iree_status_t compilation_emit(compilation_t *compilation, compile_write_fn_t write, void *self);
// Tells what options ask to be told at the end: --compile-report, --mlir-timing.
iree_status_t compilation_report(compilation_t *compilation);
// The module; NULL before it has been parsed.
ir_op_t *compilation_module(const compilation_t *compilation);

// Splits `builtin.module(a,b,c)` or `a,b,c` into names of passes, at most |max|.
//   errors: INVALID_ARGUMENT  parentheses do not match, or more passes
iree_status_t compile_split_pipeline(iree_string_view_t text, iree_string_view_t *out, size_t max, size_t *n);

// Line |line|, from 1, of |source| without its end; empty if there is none. Borrowed from |source|.
iree_string_view_t compile_source_line(iree_string_view_t source, int64_t line);

// The first place in a file that |loc| names; NULL if there is none.
ir_loc_t compile_file_loc(ir_loc_t loc);

// Name of the source file without folder and extension, "module" if there is no file: names files on the side.
void compile_base_name(const compile_io_t *io, char *out, size_t size);

#endif  // COMPILER_DRIVER_H_
