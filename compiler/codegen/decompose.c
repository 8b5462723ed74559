// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Composite ops as structured ops, before a function is scheduled.
//
//   linalg.softmax over d   ->  m = max over d of x;  s = sum over d of exp(x - m);  exp(x - m) / s
#include "compiler/codegen/decompose.h"

#include <math.h>
#include <string.h>

#include "compiler/dialects/linalg.h"

typedef struct {
  ir_ctx_t *ctx;
  ir_builder_t b;
  ir_value_t *input, *output;
  ir_type_t element;
  size_t rank, dim;
  ir_attr_t identity, reduced;  // maps
  ir_value_t *init;             // an empty tensor of the reduced shape
} softmax_t;

static ir_value_t *float_constant(softmax_t *s, double value) {
  ir_attr_t attr = ir_attr_float_bits(s->ctx, s->element,
                                      ir_float_from_double(ir_float_kind(s->element), value));
  return ir_build_attr(&s->b, OP_ARITH_CONSTANT, s->element, "value", attr, NULL, NULL);
}

// tensor.empty of the input's shape without the softmax dimension.
static ir_value_t *reduced_empty(softmax_t *s) {
  int64_t dims[64];
  ir_value_t *dynamic[64];
  size_t n = 0, n_dynamic = 0;
  for (size_t d = 0; d < s->rank; ++d) {
    if (d == s->dim) continue;
    dims[n] = ir_type_dim(s->input->type, d);
    if (dims[n++] != IR_DYNAMIC) continue;
    ir_value_t *at = ir_build_attr(&s->b, OP_ARITH_CONSTANT, ir_type_index(s->ctx), "value",
                                   ir_attr_index(s->ctx, (int64_t)d), NULL, NULL);
    dynamic[n_dynamic++] =
        ir_build1(&s->b, OP_TENSOR_DIM, ir_type_index(s->ctx), s->input, at, NULL);
  }
  ir_type_t type = ir_type_tensor(s->ctx, dims, n, s->element, NULL);
  ir_op_t *op = ir_build(&s->b, &(ir_op_desc_t){.kind = OP_TENSOR_EMPTY,
                                                .operands = dynamic,
                                                .n_operands = n_dynamic,
                                                .results = &type,
                                                .n_results = 1});
  return ir_result(op, 0);
}

static ir_value_t *generic(softmax_t *s, ir_value_t *const *inputs, size_t n_inputs,
                           ir_value_t *output, bool reduces,
                           ir_value_t *(*body)(softmax_t *, ir_builder_t *, ir_value_t **)) {
  ir_attr_t maps[4];
  bool parallel[64];
  for (size_t i = 0; i < n_inputs; ++i) maps[i] = i ? s->reduced : s->identity;
  maps[n_inputs] = reduces ? s->reduced : s->identity;
  for (size_t d = 0; d < s->rank; ++d) parallel[d] = !reduces || d != s->dim;
  ir_op_t *op = linalg_build_generic(&s->b, inputs, n_inputs, &output, 1, maps, parallel, s->rank);
  ir_builder_t b = ir_builder_at_end(s->ctx, ir_body(op));
  b.loc = s->b.loc;
  ir_value_t *result = body(s, &b, ir_body(op)->args);
  linalg_build_yield(s->ctx, op, &result, 1, s->b.loc);
  return ir_result(op, 0);
}

static ir_value_t *max_body(softmax_t *s, ir_builder_t *b, ir_value_t **args) {
  return ir_build1(b, OP_ARITH_MAXIMUMF, s->element, args[0], args[1], NULL);
}

static ir_value_t *sum_body(softmax_t *s, ir_builder_t *b, ir_value_t **args) {
  ir_value_t *shifted = ir_build1(b, OP_ARITH_SUBF, s->element, args[0], args[1], NULL);
  ir_value_t *power = ir_build1(b, OP_MATH_EXP, s->element, shifted, NULL, NULL);
  return ir_build1(b, OP_ARITH_ADDF, s->element, power, args[2], NULL);
}

static ir_value_t *quotient_body(softmax_t *s, ir_builder_t *b, ir_value_t **args) {
  ir_value_t *shifted = ir_build1(b, OP_ARITH_SUBF, s->element, args[0], args[1], NULL);
  ir_value_t *power = ir_build1(b, OP_MATH_EXP, s->element, shifted, NULL, NULL);
  return ir_build1(b, OP_ARITH_DIVF, s->element, power, args[2], NULL);
}

static iree_status_t decompose_softmax(ir_ctx_t *ctx, ir_op_t *op) {
  if (op->n_operands != 2 || op->n_results != 1)
    return ir_op_error(op, "needs an input and an output");
  softmax_t s = {.ctx = ctx,
                 .b = ir_builder_before(ctx, op),
                 .input = ir_operand(op, 0),
                 .output = ir_operand(op, 1)};
  s.b.loc = op->loc;
  s.element = ir_type_element(s.input->type);
  s.rank = ir_type_rank(s.input->type);
  int64_t dim = ir_op_int(op, "dimension", -1);
  if (!ir_type_is_float(s.element) || dim < 0 || (size_t)dim >= s.rank || s.rank > 60) {
    return ir_op_error(op, "needs a float tensor and one of its dimensions");
  }
  s.dim = (size_t)dim;
  ir_expr_t kept[64];
  size_t n = 0;
  for (size_t d = 0; d < s.rank; ++d) {
    if (d != s.dim) kept[n++] = ir_expr_dim(ctx, d);
  }
  s.identity = ir_attr_identity_map(ctx, s.rank);
  s.reduced = ir_attr_map(ctx, s.rank, 0, kept, n);
  ir_value_t *empty = reduced_empty(&s);
  ir_value_t *lowest = linalg_build_fill(&s.b, float_constant(&s, -INFINITY), empty);
  ir_value_t *largest = generic(&s, &s.input, 1, lowest, true, max_body);
  ir_value_t *zero = linalg_build_fill(&s.b, float_constant(&s, 0), empty);
  ir_value_t *sum = generic(&s, (ir_value_t *[]){s.input, largest}, 2, zero, true, sum_body);
  ir_value_t *result =
      generic(&s, (ir_value_t *[]){s.input, largest, sum}, 3, s.output, false, quotient_body);
  ir_op_replace(op, &result);
  return iree_ok_status();
}

iree_status_t codegen_decompose(ir_ctx_t *ctx, ir_op_t *func) {
  for (ir_op_t *op = ir_body(func)->first, *next; op; op = next) {
    next = op->next;
    bool done;
    IREE_RETURN_IF_ERROR(codegen_decompose_ext(ctx, ir_arena(ctx), op, &done));
    if (!done && strcmp(ir_op_name(op), "linalg.softmax") == 0)
      IREE_RETURN_IF_ERROR(decompose_softmax(ctx, op));
  }
  return iree_ok_status();
}
