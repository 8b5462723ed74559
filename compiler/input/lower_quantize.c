// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between stored integers and reals. The steps and their order are the specification's, each
// rounded to the expressed type; only the zero point is taken off in integers wide enough to hold
// the result.
#include "compiler/dialects/quant_type.h"
#include "compiler/input/lower.h"

// What one element is scaled by: numbers, or block arguments where there is one per position.
typedef struct quant {
  quant_type_t type;
  ir_value_t *scale, *zero_point;  // the latter expressed; NULL: none
} quant_t;

static bool has_zero_points(const quant_type_t *t) {
  for (uint32_t i = 0; i < t->n; ++i)
    if (t->zero_points[i]) return true;
  return false;
}
static ir_type_t wide_storage(ir_ctx_t *ctx, const quant_type_t *t) {
  return ir_type_i(ctx, ir_type_width(t->storage) < 32 ? 32 : 64);
}
static ir_value_t *dequantize(ir_builder_t *b, ir_value_t *v, const quant_t *q) {
  ir_type_t wide = wide_storage(b->ctx, &q->type);
  if (q->zero_point) {
    v = low_convert(b, v, q->type.storage, wide);
    v = low_op2(b, OP_ARITH_SUBI, v, q->zero_point);
  }
  v = low_convert(b, v, q->zero_point ? wide : q->type.storage, q->type.expressed);
  return low_op2(b, OP_ARITH_MULF, v, q->scale);
}
static ir_value_t *quantize(ir_builder_t *b, ir_value_t *x, const quant_t *q) {
  const quant_type_t *t = &q->type;
  x = low_op2(b, OP_ARITH_DIVF, x, q->scale);
  if (q->zero_point)
    x = low_op2(b, OP_ARITH_ADDF, x,
                low_convert(b, q->zero_point, q->zero_point->type, t->expressed));
  if (t->bounded) {
    x = low_op2(b, OP_ARITH_MAXIMUMF, x, low_float(b, x->type, (double)t->min));
    x = low_op2(b, OP_ARITH_MINIMUMF, x, low_float(b, x->type, (double)t->max));
  }
  return low_convert(b, low_op1(b, OP_MATH_ROUNDEVEN, x), x->type, t->storage);  // saturates
}

// ---- scales of the op's operand and result
enum { MAX_INPUTS = 5 };
typedef struct scaling {
  ir_value_t *inputs[MAX_INPUTS];
  ir_attr_t maps[MAX_INPUTS + 1];
  size_t n;
} scaling_t;
static ir_value_t *scales_tensor(lowering_t *l, const quant_type_t *t, bool zero_points) {
  int64_t n = t->n;
  ir_type_t element = zero_points ? wide_storage(l->ctx, t) : t->expressed;
  ir_type_t type = ir_type_tensor(l->ctx, &n, 1, element, NULL);
  size_t width = ir_type_width(element) / 8;
  uint8_t *data = iree_arena_alloc(ir_arena(l->ctx), t->n * width + 1);
  for (uint32_t i = 0; i < t->n; ++i) {
    uint64_t bits = zero_points ? (uint64_t)t->zero_points[i]
                                : ir_float_from_double(ir_float_kind(element), t->scales[i]);
    for (size_t k = 0; k < width; ++k) data[i * width + k] = (uint8_t)(bits >> 8 * k);
  }
  const void *kept =
      ir_bytes(ir_attr_string(l->ctx, (char *)data, t->n * width));  // equal: one constant
  return ir_build_constant(&l->b, type,
                           ir_attr_dense(l->ctx, type, kept, t->n * width, t->n == 1, false));
}
static void add_axis_input(lowering_t *l, scaling_t *s, const quant_type_t *t, size_t rank,
                           bool zero_points) {
  ir_expr_t along = ir_expr_dim(l->ctx, (size_t)t->axis);
  s->inputs[s->n] = scales_tensor(l, t, zero_points);
  s->maps[s->n++] = ir_attr_map(l->ctx, rank, 0, &along, 1);
}
static void scalar_scales(ir_builder_t *b, quant_t *q) {
  q->scale = low_float(b, q->type.expressed, q->type.scales[0]);
  if (has_zero_points(&q->type))
    q->zero_point = low_int(b, wide_storage(b->ctx, &q->type), q->type.zero_points[0]);
}
// The scales of |q| inside the body of |g|; inputs from |*at| on are its own if it has an axis.
static void bind_scales(ir_builder_t *b, ir_op_t *g, quant_t *q, size_t *at) {
  if (q->type.axis < 0) return scalar_scales(b, q);
  q->scale = ir_body(g)->args[(*at)++];
  if (has_zero_points(&q->type)) q->zero_point = ir_body(g)->args[(*at)++];
}
static iree_status_t read_operand(lowering_t *l, ir_op_t *op, ir_type_t type, quant_type_t *out) {
  const char *wrong = quant_type_check(l->ctx, type);
  if (!wrong) wrong = quant_type_read(l->ctx, ir_type_element(type), out);
  return wrong ? ir_op_error(op, "has elements of a type that %s", wrong) : iree_ok_status();
}
static iree_status_t read_op(lowering_t *l, ir_op_t *op, quant_t *from, quant_t *to) {
  ir_type_t in = ir_operand(op, 0)->type, out = ir_result(op, 0)->type;
  bool dequantizes = op->kind == OP_HLO_UNIFORM_DEQUANTIZE;
  *from = *to = (quant_t){.type = {.axis = -1}};
  if (dequantizes || quant_is(ir_type_element(in)))
    IREE_RETURN_IF_ERROR(read_operand(l, op, in, &from->type));
  if (!dequantizes) IREE_RETURN_IF_ERROR(read_operand(l, op, out, &to->type));
  ir_type_t left = from->type.expressed ? from->type.expressed : ir_type_element(in),
            right = to->type.expressed ? to->type.expressed : ir_type_element(out);
  return left == right
             ? iree_ok_status()
             : ir_op_error(op, "takes and gives reals of one type, that which is expressed");
}
// Where a stored number means the same on both sides there is nothing to round.
static bool stores_alike(const quant_type_t *from, const quant_type_t *to) {
  if (!quant_same_baseline(from, to) || from->axis != to->axis || from->n != to->n) return false;
  ir_float_t kind = ir_float_kind(from->expressed);
  for (uint32_t i = 0; i < from->n; ++i)
    if (from->zero_points[i] != to->zero_points[i] ||
        ir_float_from_double(kind, from->scales[i]) != ir_float_from_double(kind, to->scales[i]))
      return false;
  return true;
}
static ir_value_t *convert_scalar(ir_builder_t *b, ir_value_t *x, const quant_t *from,
                                  const quant_t *to) {
  if (from->type.expressed) x = dequantize(b, x, from);
  return to->type.expressed ? quantize(b, x, to) : x;
}
static iree_status_t lower(lowering_t *l, ir_op_t *op) {
  quant_t from, to;
  IREE_RETURN_IF_ERROR(read_op(l, op, &from, &to));
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  size_t rank = ir_type_rank(type), at = 1;
  if (from.type.expressed && to.type.expressed && stores_alike(&from.type, &to.type))
    return input_lower_result(l, op, v);
  sizes_t sizes = low_sizes_like(l, type, v);
  scaling_t s = {.inputs = {v}, .maps = {ir_attr_identity_map(l->ctx, rank)}, .n = 1};
  for (size_t side = 0; side < 2; ++side) {
    const quant_type_t *t = side ? &to.type : &from.type;
    if (t->axis < 0) continue;
    add_axis_input(l, &s, t, rank, false);
    if (has_zero_points(t)) add_axis_input(l, &s, t, rank, true);
  }
  s.maps[s.n] = ir_attr_identity_map(l->ctx, rank);
  ir_value_t *out = low_empty(l, type, &sizes);
  ir_op_t *g = linalg_build_generic(&l->b, s.inputs, s.n, &out, 1, s.maps, NULL, rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  b.loc = op->loc;
  if (from.type.expressed) bind_scales(&b, g, &from, &at);
  if (to.type.expressed) bind_scales(&b, g, &to, &at);
  ir_value_t *r = convert_scalar(&b, ir_body(g)->args[0], &from, &to);
  linalg_build_yield(l->ctx, g, &r, 1, l->b.loc);
  return input_lower_result(l, op, ir_result(g, 0));
}
iree_status_t input_lower_uniform_quantize(lowering_t *l, ir_op_t *op) { return lower(l, op); }
iree_status_t input_lower_uniform_dequantize(lowering_t *l, ir_op_t *op) { return lower(l, op); }

iree_status_t low_quantize_scalar(lowering_t *l, ir_builder_t *b, ir_op_t *op, ir_value_t *x,
                                  ir_value_t **out) {
  quant_t from, to;
  IREE_RETURN_IF_ERROR(read_op(l, op, &from, &to));
  if (from.type.axis >= 0 || to.type.axis >= 0)
    return ir_op_error(op, "is quantised per axis in a region on scalars");
  if (from.type.expressed) scalar_scales(b, &from);
  if (to.type.expressed) scalar_scales(b, &to);
  *out = convert_scalar(b, x, &from, &to);
  return iree_ok_status();
}
