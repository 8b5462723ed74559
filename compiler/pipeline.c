// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <string.h>

#include "compiler/driver.h"
#include "compiler/dump.h"
#include "compiler/ir/fold.h"
#include "compiler/ir/verify.h"
#include "compiler/pass.h"

#define PHASE(ID, name, doc) name,
#define PASS(...)
static const char *const phase_names[] = {
#include "compiler/pipeline.def"
};
#undef PASS
#undef PHASE
const char *phase_name(compile_phase_t phase) { return phase_names[phase]; }

typedef struct pass_row {
  compile_phase_t phase;
  const char *name;
  pass_fn_t fn;
  uint32_t level;
} pass_row_t;
#define PHASE(ID, name, doc)
#define PASS(phase, name, function, level, doc) {PHASE_##phase, name, function, level},
static const pass_row_t passes[] = {
    {PHASE_START, "", NULL, 0},
#include "compiler/pipeline.def"
};
#undef PASS
#undef PHASE
enum { PASS_COUNT = sizeof passes / sizeof *passes };

// Release builds check what a phase leaves, debug builds and --verify-each what each pass leaves.
static bool verifies_after(const pass_t *pass, const pass_row_t *row) {
#ifdef NDEBUG
  return pass->options->verify && (pass->options->verify_each || row + 1 == passes + PASS_COUNT || row[1].phase != row->phase);
#else
  (void)row;
  return pass->options->verify;
#endif
}

void pass_note_progress(const pass_t *pass, const char *what, int64_t done, int64_t total) {
  if (pass->io && pass->io->progress) pass->io->progress(pass->io->progress_self, what, done, total);
}

static iree_status_t run_row(pass_t *pass, ir_op_t *module, const pass_row_t *row) {
  dump_t dump;
  IREE_RETURN_IF_ERROR(dump_before(&dump, pass, module, row->name));
  iree_time_t start = iree_time_now();
  pass->name = row->name;
  pass_note_progress(pass, row->name, 0, 0);
  iree_status_t status = row->fn(pass, module);
  pass_timing_add(pass->timing, row->name, iree_time_now() - start);
  start = iree_time_now();
  if (iree_status_is_ok(status) && verifies_after(pass, row)) status = ir_verify(module);
  if (iree_status_is_ok(status) && row->level) status = ir_verify_level(module, row->level, row->name);
  pass_timing_add(pass->timing, "(verify)", iree_time_now() - start);
  iree_status_t dumped = dump_after(&dump, pass, module, !iree_status_is_ok(status));
  if (iree_status_is_ok(status)) status = dumped;
  else iree_status_ignore(dumped);
  iree_arena_reset(pass->scratch);
  return status;
}

iree_status_t pipeline_run(pass_t *pass, ir_op_t *module, compile_phase_t from, compile_phase_t to) {
  for (size_t i = 1; i < PASS_COUNT; ++i)
    if (passes[i].phase > from && passes[i].phase <= to) IREE_RETURN_IF_ERROR(run_row(pass, module, &passes[i]));
  return iree_ok_status();
}

static const pass_row_t *find_pass(iree_string_view_t name) {
  for (size_t i = 1; i < PASS_COUNT; ++i)
    if (iree_string_view_equal(name, iree_make_cstring_view(passes[i].name))) return &passes[i];
  return NULL;
}
bool pipeline_has_pass(iree_string_view_t name) { return find_pass(name) != NULL; }

iree_status_t pipeline_run_pass(pass_t *pass, ir_op_t *module, iree_string_view_t name) {
  const pass_row_t *row = find_pass(name);
  if (!row)
    return iree_make_status(IREE_STATUS_NOT_FOUND, "no pass named '%.*s'", (int)name.size, name.data);
  return run_row(pass, module, row);
}

// The same simplification serves several phases under names of their own.
iree_status_t pass_simplify(pass_t *pass, ir_op_t *module) { return ir_simplify(pass->ctx, module); }

// ---- files on the side
iree_status_t pass_read_file(pass_t *pass, const char *path, iree_string_view_t *out_contents, bool *out_found) {
  *out_contents = iree_string_view_empty();
  *out_found = false;
  if (!pass->io || !pass->io->read) return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "'%s' cannot be read: the compiler was given no files", path);
  return pass->io->read(pass->io->read_self, path, ir_arena(pass->ctx), out_contents, out_found);
}
void pass_file_name(char out[PASS_FILE_NAME_MAX], const char *prefix, const ir_op_t *module, const ir_op_t *executable,
                    const ir_op_t *variant, const char *suffix) {
  enum { MAX_PART = 150 };
  iree_string_view_t names[3] = {ir_op_sym_name(module), ir_op_sym_name(executable), variant ? ir_op_sym_name(variant) : iree_string_view_empty()};
  if (!names[0].size) names[0] = IREE_SV("module");
  for (size_t i = 0; i < 3; ++i)
    if (names[i].size > MAX_PART) names[i].size = MAX_PART;
  snprintf(out, PASS_FILE_NAME_MAX, "%s%.*s_%.*s%s%.*s%s", prefix, (int)names[0].size, names[0].data, (int)names[1].size, names[1].data,
           variant ? "_" : "", (int)names[2].size, names[2].data ? names[2].data : "", suffix);
  for (char *c = out; *c; ++c)
    if (*c == '/') *c = '_';
}
