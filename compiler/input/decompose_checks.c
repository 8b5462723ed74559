// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expectations of constants become expectations of values.
//   in:  check ops        out: none of them holds a constant
//
//   check.expect_eq_const(%0, dense<1> : tensor<4xi32>) : tensor<4xi32>
//   ->
//   %c = arith.constant dense<1> : tensor<4xi32>
//   check.expect_eq(%0, %c) : tensor<4xi32>
#include "compiler/pass.h"

static iree_status_t decompose(ir_op_t *op, void *self) {
  const pass_t *pass = self;
  bool almost = op->kind == OP_CHECK_EXPECT_ALMOST_EQ_CONST;
  if (!almost && op->kind != OP_CHECK_EXPECT_EQ_CONST) return iree_ok_status();
  ir_builder_t b = ir_builder_before(pass->ctx, op);
  b.loc = op->loc;
  ir_value_t *lhs = ir_operand_named(op, "lhs");
  ir_named_t value = {"value", ir_op_attr(op, "value")};
  ir_op_t *constant = ir_build(&b, &(ir_op_desc_t){.kind = OP_ARITH_CONSTANT, .results = &lhs->type, .n_results = 1, .attrs = &value, .n_attrs = 1});
  ir_value_t *operands[2] = {lhs, ir_result(constant, 0)};
  ir_named_t attrs[2];
  size_t n = 0;
  static const char *const names[] = {"atol", "rtol"};
  for (size_t i = 0; almost && i < 2; ++i)
    if (ir_op_attr(op, names[i])) attrs[n++] = (ir_named_t){names[i], ir_op_attr(op, names[i])};
  ir_build(&b, &(ir_op_desc_t){.kind = almost ? OP_CHECK_EXPECT_ALMOST_EQ : OP_CHECK_EXPECT_EQ, .operands = operands, .n_operands = 2,
                               .attrs = attrs, .n_attrs = n});
  ir_op_erase(op);
  return iree_ok_status();
}

iree_status_t input_decompose_checks(pass_t *pass, ir_op_t *module) {
  return ir_walk(module, decompose, pass);
}
