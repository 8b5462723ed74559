// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes. A pass is a function over the top-level module; pipeline.def says which run, in which
// order. The driver (pipeline.c) verifies, times, prints and stops around them.
#ifndef COMPILER_PASS_H_
#define COMPILER_PASS_H_

#include "compiler/dialects/ops.h"
#include "compiler/ir/ir.h"
#include "compiler/options.h"
#include "compiler/timing.h"

typedef struct pass {
  ir_ctx_t *ctx;
  const compile_options_t *options;
  iree_arena_t *scratch;  // emptied after each pass
  const struct compile_io *io;  // for dumps; may be NULL
  pass_timing_t *timing;        // NULL: not asked for
  int n_run;                    // passes so far
  const char *name;             // of the pass that runs
  int64_t n_rewrites;           // optional ones that were asked for: --opt-bisect-limit
  struct report *report;        // likewise
} pass_t;
typedef iree_status_t (*pass_fn_t)(pass_t *pass, ir_op_t *module);

#define PHASE(ID, name, doc)
#define PASS(phase, name, function, level, doc) iree_status_t function(pass_t *pass, ir_op_t *module);
#include "compiler/pipeline.def"
#undef PASS
#undef PHASE

// ---- files on the side
enum { PASS_FILE_NAME_MAX = 512 };
// Writes a file into |folder|: "-" is stdout, "" takes |name| as a path.
//   errors: FAILED_PRECONDITION  this run writes no files; and those of writing
iree_status_t pass_write_file(pass_t *pass, iree_string_view_t folder, const char *name, iree_string_view_t contents);
// Contents of a file, which live as long as the context.
iree_status_t pass_read_file(pass_t *pass, const char *path, iree_string_view_t *out_contents, bool *out_found);
// <prefix><module>_<executable>[_<variant>]<suffix>, the module being called "module" unless it has a name.
void pass_file_name(char out[PASS_FILE_NAME_MAX], const char *prefix, const ir_op_t *module, const ir_op_t *executable,
                    const ir_op_t *variant, const char *suffix);

// Tells the user what is being done (compile_io_t).
void pass_note_progress(const pass_t *pass, const char *what, int64_t done, int64_t total);

// Runs the phases after |from| up to and including |to| over |module|.
iree_status_t pipeline_run(pass_t *pass, ir_op_t *module, compile_phase_t from, compile_phase_t to);
// Runs one pass by its name; NOT_FOUND with a suggestion if there is none.
iree_status_t pipeline_run_pass(pass_t *pass, ir_op_t *module, iree_string_view_t name);
const char *phase_name(compile_phase_t phase);
// Is |name| a pass? For tools that take passes as flags.
bool pipeline_has_pass(iree_string_view_t name);

#endif  // COMPILER_PASS_H_
