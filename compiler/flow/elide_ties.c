// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops what only told extents: by now each op that needs them has them as operands.
//   in:  flow.tensor.tie_shape in host functions      out: none
#include "compiler/pass.h"

static iree_status_t visit(ir_op_t *op, void *self) {
  (void)self;
  if (op->kind != OP_FLOW_TENSOR_TIE_SHAPE) return iree_ok_status();
  ir_value_t *value = ir_operand(op, 0);
  ir_op_replace(op, &value);
  return iree_ok_status();
}

iree_status_t flow_elide_ties(pass_t *pass, ir_op_t *module) {
  (void)pass;
  return ir_walk(module, visit, NULL);
}
