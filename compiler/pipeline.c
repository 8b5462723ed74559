// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string.h>

#include "compiler/ir/verify.h"
#include "compiler/pass.h"

static const char *const phase_names[] = {
#define PHASE(ID, name, doc) name,
#define PASS(...)
#include "compiler/pipeline.def"
#undef PASS
#undef PHASE
};
const char *phase_name(compile_phase_t phase) { return phase_names[phase]; }

typedef struct pass_row {
  compile_phase_t phase;
  const char *name;
  pass_fn_t fn;
  uint32_t level;
} pass_row_t;
static const pass_row_t passes[] = {
    {PHASE_START, NULL, NULL, 0},
#define PHASE(...)
#define PASS(phase, name, function, level, doc) {PHASE_##phase, name, function, level},
#include "compiler/pipeline.def"
#undef PASS
#undef PHASE
};

static iree_status_t run_row(pass_t *pass, ir_op_t *module, const pass_row_t *row) {
  iree_status_t status = row->fn(pass, module);
  if (iree_status_is_ok(status)) status = ir_verify(module);
  if (iree_status_is_ok(status) && row->level) status = ir_verify_level(module, row->level, row->name);
  iree_arena_reset(pass->scratch);
  return status;
}

iree_status_t pipeline_run(pass_t *pass, ir_op_t *module, compile_phase_t from, compile_phase_t to) {
  for (size_t i = 1; i < sizeof passes / sizeof *passes; ++i)
    if (passes[i].phase > from && passes[i].phase <= to) IREE_RETURN_IF_ERROR(run_row(pass, module, &passes[i]));
  return iree_ok_status();
}

iree_status_t pipeline_run_pass(pass_t *pass, ir_op_t *module, iree_string_view_t name) {
  for (size_t i = 1; i < sizeof passes / sizeof *passes; ++i)
    if (iree_string_view_equal(name, iree_make_cstring_view(passes[i].name))) return run_row(pass, module, &passes[i]);
  return iree_make_status(IREE_STATUS_NOT_FOUND, "no pass named '%.*s'", (int)name.size, name.data);
}
