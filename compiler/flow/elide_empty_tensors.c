// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops work on tensors without elements: no kernel should run over nothing.
//   in, out: linalg and tensor ops      relies on: pads and concatenations being slices
//
//   %r = linalg.matmul ins(%a, %b : tensor<2x0xf32>, tensor<0x3xf32>) outs(%f : tensor<2x3xf32>)   ->  %f
//   %i = tensor.insert_slice %e into %d[0] [0] [1] : tensor<0xf32> into tensor<4xf32>              ->  %d
//   %t = linalg.generic ... -> tensor<0x4xf32>                                  ->  tensor.empty() : tensor<0x4xf32>
#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

static bool is_empty(const ir_value_t *v) { return ir_is(v->type, IR_T_TENSOR) && ir_type_n_elements(v->type) == 0; }

// An op that has a loop of no rounds leaves its outputs as they were.
static bool has_empty_operand(const ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (is_empty(ir_operand(op, i))) return true;
  return false;
}
static iree_status_t visit(ir_op_t *op, void *self) {
  pass_t *pass = self;
  if (linalg_is_structured(op) && op->n_results && op->kind != OP_LINALG_FILL && has_empty_operand(op)) {
    ir_value_t **outputs = IREE_ARENA_ARRAY(pass->scratch, ir_value_t *, op->n_results);
    for (uint32_t r = 0; r < op->n_results; ++r) outputs[r] = ir_operand(op, linalg_outputs(op).first + r);
    ir_op_replace(op, outputs);
    return iree_ok_status();
  }
  if (op->kind == OP_TENSOR_INSERT_SLICE && is_empty(ir_operand(op, 0))) {
    ir_op_replace(op, (ir_value_t *[]){ir_operand(op, 1)});
    return iree_ok_status();
  }
  bool makes = op->kind == OP_LINALG_FILL || op->kind == OP_ARITH_CONSTANT || (!strncmp(ir_op_name(op), "tensor.", 7) && op->kind != OP_TENSOR_EMPTY);
  if (makes && op->n_results == 1 && is_empty(ir_result(op, 0)) && ir_op_has_trait(op, IR_PURE)) {
    ir_builder_t b = ir_builder_before(pass->ctx, op);
    ir_op_t *empty = ir_build(&b, &(ir_op_desc_t){.kind = OP_TENSOR_EMPTY, .results = &ir_result(op, 0)->type, .n_results = 1});
    ir_op_replace(op, (ir_value_t *[]){ir_result(empty, 0)});
  }
  return iree_ok_status();
}

iree_status_t flow_elide_empty_tensors(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(ir_walk(op, visit, pass));
  return ir_simplify(pass->ctx, module);
}
