// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dot products and convolutions of quantised tensors as those of what is stored, where 32 bits hold
// every sum: exact whatever the order, and the scales are applied once.
//
//   %0 = stablehlo.dot_general %a, %b : (tensor<4x8x!q<i8, s:z>>, tensor<8x2x!q<i8, t>>) ->
//   tensor<4x2x!r>
// becomes
//   %x = stored %a as i16, less z;  %y = stored %b as i8
//   %1 = stablehlo.dot_general %x, %y : (tensor<4x8xi16>, tensor<8x2xi8>) -> tensor<4x2xi32>
//   %2 = stablehlo.bitcast_convert %1 : (tensor<4x2xi32>) -> tensor<4x2x!q<i32, s * t>>
//   %0 = stablehlo.uniform_quantize %2 : (tensor<4x2x!q<i32, s * t>>) -> tensor<4x2x!r>
#include <inttypes.h>
#include <stdio.h>

#include "compiler/dialects/quant_type.h"
#include "compiler/input/lower.h"
#include "compiler/ir/parser.h"

typedef struct contraction {
  quant_type_t lhs, rhs;
  int64_t terms;     // of each sum
  int64_t out_axis;  // the result's dimension that rhs is quantised along; -1: none
} contraction_t;

static bool multiply_extent(int64_t *terms, ir_type_t type, int64_t dim) {
  int64_t extent = ir_type_dim(type, (size_t)dim);
  return extent != IR_DYNAMIC && !__builtin_mul_overflow(*terms, extent ? extent : 1, terms);
}
static bool read_dot(const ir_op_t *op, contraction_t *c) {
  ir_type_t lhs = ir_operand(op, 0)->type, rhs = ir_operand(op, 1)->type;
  hlo_dims_t batch = {.n = 0}, contracted = {{0}, 1};
  if (op->kind == OP_HLO_DOT_GENERAL) {
    ir_attr_t numbers = ir_op_attr(op, "dot_dimension_numbers");
    batch = hlo_list(numbers, "rhs_batching_dimensions");
    contracted = hlo_list(numbers, "rhs_contracting_dimensions");
  }
  for (size_t i = 0; i < contracted.n; ++i)
    if (!multiply_extent(&c->terms, rhs, contracted.at[i])) return false;
  if (c->rhs.axis < 0) return true;
  if (hlo_has(&contracted, c->rhs.axis)) return false;
  c->out_axis = hlo_find(&batch, c->rhs.axis);
  if (c->out_axis >= 0) return true;
  c->out_axis = (int64_t)(ir_type_rank(lhs) - contracted.n);  // rhs' own come last
  for (int64_t d = 0; d < c->rhs.axis; ++d)
    if (!hlo_has(&batch, d) && !hlo_has(&contracted, d)) ++c->out_axis;
  return true;
}
static bool read_convolution(const ir_op_t *op, contraction_t *c) {
  hlo_conv_t dims;
  ir_type_t kernel = ir_operand(op, 1)->type;
  if (!hlo_conv_dims(ir_op_attr(op, "dimension_numbers"), &dims)) return false;
  if (!multiply_extent(&c->terms, kernel, dims.kernel_input)) return false;
  for (size_t s = 0; s < dims.n_spatial; ++s)
    if (!multiply_extent(&c->terms, kernel, dims.kernel_spatial[s])) return false;
  if (c->rhs.axis >= 0 && c->rhs.axis != dims.kernel_output) return false;
  if (c->rhs.axis >= 0) c->out_axis = dims.output_feature;
  return true;
}
static bool any_zero_point(const quant_type_t *q) {
  for (uint32_t i = 0; i < q->n; ++i)
    if (q->zero_points[i]) return true;
  return false;
}
static int64_t largest(const quant_type_t *q) {
  int64_t most = 0;
  for (uint32_t i = 0; i < q->n; ++i) {
    if (q->max - q->zero_points[i] > most) most = q->max - q->zero_points[i];
    if (q->zero_points[i] - q->min > most) most = q->zero_points[i] - q->min;
  }
  return most;
}
static bool fits(ir_ctx_t *ctx, const ir_op_t *op, contraction_t *c) {
  bool is_dot = op->kind == OP_HLO_DOT || op->kind == OP_HLO_DOT_GENERAL,
       is_convolution = op->kind == OP_HLO_CONVOLUTION || op->kind == OP_HLO_DYNAMIC_CONV;
  int64_t product;
  if ((!is_dot && !is_convolution) || op->n_operands < 2) return false;
  if (quant_type_read(ctx, ir_type_element(ir_operand(op, 0)->type), &c->lhs) ||
      quant_type_read(ctx, ir_type_element(ir_operand(op, 1)->type), &c->rhs))
    return false;
  if (c->lhs.axis >= 0 || ir_type_width(c->lhs.storage) > 8 || ir_type_width(c->rhs.storage) > 8 ||
      c->lhs.storage != c->rhs.storage || ir_float_bits(ir_float_kind(c->lhs.expressed)) < 32)
    return false;
  // Zero points per axis are zero by the specification.
  if (c->rhs.axis >= 0 && any_zero_point(&c->rhs)) return false;
  if (is_dot ? !read_dot(op, c) : !read_convolution(op, c)) return false;
  product = largest(&c->lhs) * largest(&c->rhs);
  return !__builtin_mul_overflow(product, c->terms, &product) && product <= INT32_MAX;
}

// !quant.uniform<i32:f32:1, {...}> with the product of both scales.
static ir_type_t sum_type(ir_ctx_t *ctx, const contraction_t *c) {
  size_t cap = 96 + (size_t)c->rhs.n * 32, at;
  char *text = iree_arena_alloc(ir_arena(ctx), cap);
  bool axis = c->rhs.axis >= 0;
  at = (size_t)snprintf(text, cap, "!quant.uniform<i32:%s",
                        ir_float_spelling(ir_float_kind(c->lhs.expressed)));
  if (axis) at += (size_t)snprintf(text + at, cap - at, ":%" PRId64, c->out_axis);
  at += (size_t)snprintf(text + at, cap - at, axis ? ", {" : ", ");
  for (uint32_t i = 0; i < c->rhs.n; ++i)
    at += (size_t)snprintf(text + at, cap - at, "%s%.17e", i ? "," : "",
                           c->lhs.scales[0] * c->rhs.scales[i]);
  snprintf(text + at, cap - at, axis ? "}>" : ">");
  return ir_parse_attr(ctx, iree_make_cstring_view(text));
}
// What |v| stores, less the zero point in integers that hold the difference.
static ir_value_t *stored(ir_builder_t *b, ir_value_t *v, const quant_type_t *q) {
  ir_type_t i16 = ir_type_i(b->ctx, 16), type = ir_type_with_element(b->ctx, v->type, q->storage);
  v = ir_build1(b, OP_HLO_BITCAST_CONVERT, type, v, NULL, NULL);
  if (!any_zero_point(q)) return v;
  type = ir_type_with_element(b->ctx, type, i16);
  v = ir_build1(b, OP_HLO_CONVERT, type, v, NULL, NULL);
  ir_type_t scalar = ir_type_tensor(b->ctx, NULL, 0, i16, NULL);
  ir_value_t *zero = ir_build_attr(
      b, OP_HLO_CONSTANT, scalar, "value",
      ir_dense_splat(b->ctx, scalar, ir_attr_int(b->ctx, i16, q->zero_points[0])), NULL, NULL);
  return ir_build1(b, OP_CHLO_BROADCAST_SUBTRACT, type, v, zero, NULL);
}
bool input_contract_integers(ir_ctx_t *ctx, ir_op_t *op) {
  contraction_t c = {.terms = 1, .out_axis = -1};
  if (!fits(ctx, op, &c)) return false;
  ir_value_t *r = ir_result(op, 0);
  ir_type_t element = sum_type(ctx, &c), type = r->type;
  if (!element) return false;
  ir_builder_t b = ir_builder_before(ctx, op);
  b.loc = op->loc;
  ir_use_set(&op->operands[0], stored(&b, ir_operand(op, 0), &c.lhs));
  ir_use_set(&op->operands[1], stored(&b, ir_operand(op, 1), &c.rhs));
  if (ir_op_attr(op, "algorithm")) ir_op_set_attr(ctx, op, "algorithm", NULL);  // of floats
  r->type = ir_type_with_element(ctx, type, ir_type_i(ctx, 32));
  b = ir_builder_after(ctx, op);
  b.loc = op->loc;
  ir_value_t *sum = ir_build1(&b, OP_HLO_BITCAST_CONVERT, ir_type_with_element(ctx, type, element),
                              r, NULL, NULL);
  ir_kind_t kind =
      quant_is(ir_type_element(type)) ? OP_HLO_UNIFORM_QUANTIZE : OP_HLO_UNIFORM_DEQUANTIZE;
  ir_value_t *made = ir_build1(&b, kind, type, sum, NULL, NULL);
  for (ir_use_t *use = r->uses, *next; use; use = next) {
    next = use->next;
    if (use->user != ir_def(sum)) ir_use_set(use, made);
  }
  return true;
}
