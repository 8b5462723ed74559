// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  cf.assert of conditions that folding has been through.
// Out: those that always hold or repeat one before them are gone; with --iree-opt-strip-assertions
//      all are.
//
//   %true = arith.constant true
//   cf.assert %true, "..."        becomes nothing
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

typedef struct elision {
  const pass_t *pass;
  ir_map_t *asserted;  // condition -> block in which it was last asserted
} elision_t;

static iree_status_t elide(ir_op_t *op, void *self) {
  elision_t *e = self;
  int64_t holds;
  if (op->kind != OP_CF_ASSERT) return iree_ok_status();
  ir_value_t *condition = ir_operand(op, 0);
  bool always = ir_constant_int(condition, &holds) && holds,
       again = ir_map_get(e->asserted, condition) == op->block;
  ir_map_set(e->asserted, condition, op->block);
  if (e->pass->options->strip_assertions || ((always || again) && ir_may_rewrite(op, "drop"))) ir_op_erase(op);
  return iree_ok_status();
}
iree_status_t input_elide_assertions(pass_t *pass, ir_op_t *module) {
  elision_t e = {pass, ir_map_create(pass->scratch)};
  IREE_RETURN_IF_ERROR(ir_walk(module, elide, &e));
  ir_drop_dead(module);  // what only the assertions used
  return iree_ok_status();
}
