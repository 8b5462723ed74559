// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates ops on constant tensors at compile time.
//   in, out: linalg and tensor ops; results of constants become constants
//   relies on: ir_simplify having merged constants
//
//   %w = arith.constant dense<...> : tensor<784x128xf32>      %t = linalg.generic {transpose} ins(%w) ...
//   ->
//   %t = arith.constant dense<...> : tensor<128x784xf32>
//
// An op is worth it if its result is no larger than the constants it reads, or small: a broadcast or an
// iota is cheaper to compute where it is used than to keep. --iree-opt-const-eval=false leaves all alone.
#include "compiler/dialects/interp.h"
#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

enum { MAX_STEPS = 1 << 22, SMALL_BYTES = 64, MAX_RESULTS = 16 };

static int64_t bytes_of(ir_type_t type) {
  int64_t n = ir_type_n_elements(type);
  return n < 0 ? -1 : n * (int64_t)ir_type_storage_bytes(ir_type_element(type));
}
static bool is_worth_it(ir_ctx_t *ctx, const ir_op_t *op) {
  int64_t in = 0, out = 0;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_attr_t value = interp_constant(ctx, ir_operand(op, i));
    if (value && !ir_dense_is_splat(value)) in += bytes_of(ir_operand(op, i)->type);
  }
  for (uint32_t r = 0; r < op->n_results; ++r) {
    if (!ir_is(ir_result(op, r)->type, IR_T_TENSOR) || !ir_type_is_static(ir_result(op, r)->type)) return false;
    out += bytes_of(ir_result(op, r)->type);
  }
  return out <= in || (out <= SMALL_BYTES && in);
}
static bool evaluates(const ir_op_t *op) {
  if (!op->n_results || op->n_results > MAX_RESULTS || op->kind == OP_LINALG_FILL) return false;
  return linalg_is_structured(op) || op->kind == OP_TENSOR_EXTRACT_SLICE || op->kind == OP_TENSOR_INSERT_SLICE;
}

static iree_status_t visit(ir_op_t *op, void *self) {
  pass_t *pass = self;
  ir_attr_t attrs[MAX_RESULTS];
  ir_value_t *values[MAX_RESULTS];
  if (!evaluates(op) || !is_worth_it(pass->ctx, op) || !interp_op(pass->ctx, op, MAX_STEPS, attrs) ||
      !ir_may_rewrite(op, "evaluate"))
    return iree_ok_status();
  ir_builder_t b = ir_builder_before(pass->ctx, op);
  for (uint32_t r = 0; r < op->n_results; ++r) values[r] = ir_build_constant(&b, ir_result(op, r)->type, attrs[r]);
  ir_op_replace(op, values);
  return iree_ok_status();
}

iree_status_t flow_fold_constants(pass_t *pass, ir_op_t *module) {
  if (!pass->options->const_eval) return iree_ok_status();
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(ir_walk(op, visit, pass));
  return ir_simplify(pass->ctx, module);
}
