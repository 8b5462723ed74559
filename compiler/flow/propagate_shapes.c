// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces tensor.dim by the values that extents come from.
//   in:  tensor.dim anywhere      out: none outside kernels; index values of imports, empties and the like
//
//   %t = hal.tensor.import %v ... -> tensor<?xf32>{%n}      %d = tensor.dim %t, %c0
//   ->  %n in place of %d
#include "compiler/flow/shapes.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

static iree_status_t visit(ir_op_t *op, void *self) {
  pass_t *pass = self;
  int64_t i;
  if (op->kind != OP_TENSOR_DIM || !ir_is(ir_operand(op, 0)->type, IR_T_TENSOR)) return iree_ok_status();
  if (!ir_constant_int(ir_operand(op, 1), &i)) return ir_op_error(op, "asks for a dimension that is known at run time only");
  if (i < 0 || (size_t)i >= ir_type_rank(ir_operand(op, 0)->type)) return ir_op_error(op, "asks for a dimension that does not exist");
  ir_builder_t b = ir_builder_before(pass->ctx, op);
  ir_value_t *dim;
  IREE_RETURN_IF_ERROR(shape_dim(&b, ir_operand(op, 0), (size_t)i, &dim));
  if (dim == ir_result(op, 0)) return ir_op_error(op, "depends on itself");
  ir_op_replace(op, &dim);
  return iree_ok_status();
}

iree_status_t flow_propagate_shapes(pass_t *pass, ir_op_t *module) {
  IREE_RETURN_IF_ERROR(ir_simplify(pass->ctx, module));
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(ir_walk(op, visit, pass));
  return ir_simplify(pass->ctx, module);
}
