// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <string.h>

#include "compiler/driver.h"
#include "compiler/ir/fold.h"
#include "compiler/ir/printer.h"
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

static bool listed(const flag_list_t *list, const char *name) {
  for (size_t i = 0; i < list->count; ++i)
    if (iree_string_view_equal(list->values[i], iree_make_cstring_view(name))) return true;
  return false;
}

static iree_status_t dump_around(pass_t *pass, ir_op_t *module, const char *when, const pass_row_t *row) {
  if (!pass->io || !pass->io->dump) return iree_ok_status();
  const compile_options_t *o = pass->options;
  ir_print_options_t printing = {.generic = o->print_generic, .debuginfo = o->print_debuginfo.is_set,
                                 .elide_larger_than = o->elide_larger_than};
  char head[160];
  int n = snprintf(head, sizeof head, "// -----// IR Dump %s %s //----- //\n", when, row->name);
  IREE_RETURN_IF_ERROR(pass->io->dump(pass->io->dump_self, "stderr", 0, iree_make_string_view(head, (size_t)n)));
  return pass->io->dump(pass->io->dump_self, "stderr", 0, ir_print_to(pass->scratch, module, &printing));
}

// Release builds check what a phase leaves, debug builds what each pass leaves.
static bool verifies_after(const pass_row_t *row) {
#ifdef NDEBUG
  return row + 1 == passes + PASS_COUNT || row[1].phase != row->phase;
#else
  (void)row;
  return true;
#endif
}

static iree_status_t run_row(pass_t *pass, ir_op_t *module, const pass_row_t *row) {
  const compile_options_t *o = pass->options;
  if (o->print_before_all || listed(&o->print_before, row->name))
    IREE_RETURN_IF_ERROR(dump_around(pass, module, "Before", row));
  iree_time_t start = iree_time_now();
  iree_status_t status = row->fn(pass, module);
  pass_timing_add(pass, row->name, iree_time_now() - start);
  start = iree_time_now();
  if (iree_status_is_ok(status) && verifies_after(row)) status = ir_verify(module);
  if (iree_status_is_ok(status) && row->level) status = ir_verify_level(module, row->level, row->name);
  pass_timing_add(pass, "(verify)", iree_time_now() - start);
  if (iree_status_is_ok(status) && (o->print_after_all || listed(&o->print_after, row->name)))
    status = dump_around(pass, module, "After", row);
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

// ---- --mlir-timing: wall time by name, in order of first appearance
void pass_timing_add(pass_t *pass, const char *name, int64_t ns) {
  pass_timing_t *t = pass->timing;
  if (!t) return;
  for (size_t i = 0; i < t->n; ++i) {
    if (strcmp(t->rows[i].name, name)) continue;
    t->rows[i].ns += ns;
    return;
  }
  if (t->n < PASS_TIMING_MAX) {
    t->rows[t->n].name = name;
    t->rows[t->n++].ns = ns;
  }
}

// The same simplification serves several phases under names of their own.
iree_status_t pass_simplify(pass_t *pass, ir_op_t *module) { return ir_simplify(pass->ctx, module); }
