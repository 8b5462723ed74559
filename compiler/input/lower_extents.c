// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape dialect. A shape becomes a tensor of index whose length is known, made of its extents;
// sizes become indices; demands are checked where they stand, and a witness is a true that nobody
// reads.
#include "compiler/input/lower.h"

typedef struct extents {
  ir_value_t *at[HLO_MAX_RANK];
  size_t n;
} extents_t;

static iree_status_t is_a(lowering_t *l, const ir_op_t *op, ir_value_t *value) {
  ir_map_set(l->map, ir_result(op, 0), value);
  return iree_ok_status();
}
// Extents of the shape or tensor of index |v|.
static iree_status_t read_shape(lowering_t *l, ir_op_t *op, ir_value_t *v, extents_t *out) {
  ir_type_t semantic = ir_type_element(v->type);
  v = lowered(l, v);
  while (ir_value_is(v, OP_TENSOR_CAST)) v = ir_operand(ir_def(v), 0);
  if (!ir_is(v->type, IR_T_TENSOR) || ir_type_rank(v->type) != 1 || !ir_type_is_static(v->type) ||
      ir_type_dim(v->type, 0) > HLO_MAX_RANK)
    return ir_op_error(op, "needs shapes of a rank that is known here");
  if (ir_is(ir_type_element(v->type), IR_T_INDEX)) semantic = ir_type_element(v->type);
  out->n = (size_t)ir_type_dim(v->type, 0);
  for (size_t i = 0; i < out->n; ++i) {
    ir_value_t *at = low_index(&l->b, (int64_t)i);
    out->at[i] = ir_value_is(v, OP_TENSOR_FROM_ELEMENTS) ? ir_operand(ir_def(v), i)
                                                         : low_extract(&l->b, v, &at, 1);
    out->at[i] = low_to_index(&l->b, out->at[i], semantic);
  }
  return iree_ok_status();
}
static ir_value_t *make_shape(lowering_t *l, const extents_t *e) {
  int64_t n = (int64_t)e->n;
  ir_type_t type = ir_type_tensor(l->ctx, &n, 1, ir_type_index(l->ctx), NULL);
  if (!n) return ir_build1(&l->b, OP_TENSOR_EMPTY, type, NULL, NULL, NULL);
  return ir_result(ir_build(&l->b, &(ir_op_desc_t){.kind = OP_TENSOR_FROM_ELEMENTS,
                                                   .operands = e->at,
                                                   .n_operands = e->n,
                                                   .results = &type,
                                                   .n_results = 1}),
                   0);
}

// ---- making shapes
iree_status_t input_lower_shape_of(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  extents_t e = {.n = 0};
  if (!ir_is(v->type, IR_T_TENSOR) || ir_type_rank(v->type) > HLO_MAX_RANK)
    return ir_op_error(op, "needs a ranked tensor");
  for (; e.n < ir_type_rank(v->type); ++e.n) e.at[e.n] = low_dim_value(l, v, e.n);
  return is_a(l, op, make_shape(l, &e));
}
iree_status_t input_lower_const_shape(lowering_t *l, ir_op_t *op) {
  ir_attr_t shape = ir_op_attr(op, "shape");
  extents_t e = {.n = 0};
  if (ir_is(shape, IR_A_ARRAY)) {
    for (; e.n < shape->n_kids && e.n < HLO_MAX_RANK; ++e.n) {
      if (!ir_is(ir_kid(shape, e.n), IR_A_INT)) return ir_op_error(op, "needs numbers");
      e.at[e.n] = low_index(&l->b, ir_int(ir_kid(shape, e.n), 0));
    }
    return is_a(l, op, make_shape(l, &e));
  }
  if (!ir_is(shape, IR_A_DENSE)) return ir_op_error(op, "needs a list of extents");
  return is_a(l, op, ir_build_constant(&l->b, ir_dense_type(shape), shape));
}
iree_status_t input_lower_passed_on(lowering_t *l, ir_op_t *op) {
  return is_a(l, op, lowered_operand(l, op, 0));
}
iree_status_t input_lower_from_extents(lowering_t *l, ir_op_t *op) {
  extents_t e = {.n = op->n_operands};
  if (e.n > HLO_MAX_RANK) return ir_op_error(op, "has too many extents");
  for (uint32_t i = 0; i < e.n; ++i) e.at[i] = lowered_operand(l, op, i);
  return is_a(l, op, make_shape(l, &e));
}
iree_status_t input_lower_concat_shapes(lowering_t *l, ir_op_t *op) {
  extents_t e, rest;
  IREE_RETURN_IF_ERROR(read_shape(l, op, ir_operand(op, 0), &e));
  IREE_RETURN_IF_ERROR(read_shape(l, op, ir_operand(op, 1), &rest));
  if (e.n + rest.n > HLO_MAX_RANK) return ir_op_error(op, "has too many extents");
  for (size_t i = 0; i < rest.n; ++i) e.at[e.n++] = rest.at[i];
  return is_a(l, op, make_shape(l, &e));
}
iree_status_t input_lower_split_shape(lowering_t *l, ir_op_t *op) {
  extents_t e, tail = {.n = 0};
  int64_t at;
  IREE_RETURN_IF_ERROR(read_shape(l, op, ir_operand(op, 0), &e));
  if (!ir_constant_int(lowered_operand(l, op, 1), &at))
    return ir_op_error(op, "needs a constant index");
  if (at < 0) at += (int64_t)e.n;
  if (at < 0 || at > (int64_t)e.n) return ir_op_error(op, "splits outside of the shape");
  for (size_t i = (size_t)at; i < e.n; ++i) tail.at[tail.n++] = e.at[i];
  e.n = (size_t)at;
  ir_map_set(l->map, ir_result(op, 1), make_shape(l, &tail));
  return is_a(l, op, make_shape(l, &e));
}

// ---- demands
static ir_value_t *both(lowering_t *l, ir_value_t *x, ir_value_t *y) {
  return x ? low_op2(&l->b, OP_ARITH_ANDI, x, y) : y;
}
static ir_value_t *truth(lowering_t *l, ir_value_t *v) {
  return v ? v : low_int(&l->b, ir_type_i(l->ctx, 1), 1);
}
// |common| becomes what it and |next| broadcast to; |*holds| whether they do.
static void broadcast_shapes(lowering_t *l, extents_t *common, const extents_t *next,
                             ir_value_t **holds) {
  extents_t longer = common->n >= next->n ? *common : *next,
            shorter = common->n >= next->n ? *next : *common;
  ir_value_t *one = low_index(&l->b, 1);
  for (size_t i = 0; i < shorter.n; ++i) {
    ir_value_t **x = &longer.at[i + longer.n - shorter.n], *y = shorter.at[i];
    ir_value_t *grows = low_cmpi(&l->b, "eq", *x, one);
    ir_value_t *fits = low_op2(&l->b, OP_ARITH_ORI, grows, low_cmpi(&l->b, "eq", y, one));
    fits = low_op2(&l->b, OP_ARITH_ORI, fits, low_cmpi(&l->b, "eq", *x, y));
    *holds = both(l, *holds, fits);
    *x = low_select(&l->b, grows, y, *x);
  }
  *common = longer;
}
static iree_status_t broadcast_all(lowering_t *l, ir_op_t *op, extents_t *common,
                                   ir_value_t **holds) {
  *common = (extents_t){.n = 0};
  *holds = NULL;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    extents_t e;
    IREE_RETURN_IF_ERROR(read_shape(l, op, ir_operand(op, i), &e));
    broadcast_shapes(l, common, &e, holds);
  }
  *holds = truth(l, *holds);
  return iree_ok_status();
}
static iree_status_t all_equal(lowering_t *l, ir_op_t *op, ir_value_t **holds) {
  extents_t first, e;
  *holds = NULL;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    IREE_RETURN_IF_ERROR(read_shape(l, op, ir_operand(op, i), i ? &e : &first));
    if (i && e.n != first.n) {
      *holds = low_int(&l->b, ir_type_i(l->ctx, 1), 0);
      return iree_ok_status();
    }
    for (size_t k = 0; i && k < e.n; ++k)
      *holds = both(l, *holds, low_cmpi(&l->b, "eq", first.at[k], e.at[k]));
  }
  *holds = truth(l, *holds);
  return iree_ok_status();
}
static iree_status_t demand(lowering_t *l, ir_op_t *op, ir_value_t *holds, const char *message) {
  ir_named_t attrs[1] = {{"msg", ir_attr_str(l->ctx, message)}};
  ir_build(
      &l->b,
      &(ir_op_desc_t){
          .kind = OP_CF_ASSERT, .operands = &holds, .n_operands = 1, .attrs = attrs, .n_attrs = 1});
  return is_a(l, op, truth(l, NULL));
}
iree_status_t input_lower_broadcast_shapes(lowering_t *l, ir_op_t *op) {
  extents_t common;
  ir_value_t *holds;
  IREE_RETURN_IF_ERROR(broadcast_all(l, op, &common, &holds));
  switch ((op_kind_t)op->kind) {
    case OP_SHAPE_IS_BROADCASTABLE:
      return is_a(l, op, holds);
    case OP_SHAPE_CSTR_BROADCASTABLE:
      return demand(l, op, holds, "shapes do not broadcast to a common one");
    default:
      return is_a(l, op, make_shape(l, &common));
  }
}
iree_status_t input_lower_equal_shapes(lowering_t *l, ir_op_t *op) {
  ir_value_t *holds;
  IREE_RETURN_IF_ERROR(all_equal(l, op, &holds));
  return op->kind == OP_SHAPE_CSTR_EQ ? demand(l, op, holds, "shapes differ") : is_a(l, op, holds);
}
iree_status_t input_lower_cstr_require(lowering_t *l, ir_op_t *op) {
  return demand(l, op, lowered_operand(l, op, 0), ir_bytes(ir_op_attr(op, "msg")));
}
iree_status_t input_lower_const_witness(lowering_t *l, ir_op_t *op) {
  if (!ir_op_flag(op, "passing"))
    return demand(l, op, low_int(&l->b, ir_type_i(l->ctx, 1), 0), "a demand that is never met");
  return is_a(l, op, truth(l, NULL));
}
iree_status_t input_lower_assuming_all(lowering_t *l, ir_op_t *op) {
  return is_a(l, op, truth(l, NULL));
}
iree_status_t input_lower_assuming(lowering_t *l, ir_op_t *op) {
  ir_block_t *body = ir_body(op);
  if (!body || body->next || !ir_op_is(body->last, OP_SHAPE_ASSUMING_YIELD) ||
      body->last->n_operands != op->n_results)
    return ir_op_error(op, "needs a region of one block that yields its results");
  IREE_RETURN_IF_ERROR(input_lower_block(l, body));
  for (uint32_t i = 0; i < op->n_results; ++i)
    ir_map_set(l->map, ir_result(op, i), lowered_operand(l, body->last, i));
  return iree_ok_status();
}
iree_status_t input_lower_assuming_yield(lowering_t *l, ir_op_t *op) {
  return (void)l, (void)op, iree_ok_status();  // its parent reads it
}

// ---- extents
iree_status_t input_lower_num_elements(lowering_t *l, ir_op_t *op) {
  extents_t e;
  IREE_RETURN_IF_ERROR(read_shape(l, op, ir_operand(op, 0), &e));
  ir_value_t *n = low_index(&l->b, 1);
  for (size_t i = 0; i < e.n; ++i) n = low_op2(&l->b, OP_ARITH_MULI, n, e.at[i]);
  return is_a(l, op, n);
}
iree_status_t input_lower_shape_rank(lowering_t *l, ir_op_t *op) {
  extents_t e;
  IREE_RETURN_IF_ERROR(read_shape(l, op, ir_operand(op, 0), &e));
  return is_a(l, op, low_index(&l->b, (int64_t)e.n));
}
iree_status_t input_lower_get_extent(lowering_t *l, ir_op_t *op) {
  int64_t at;
  extents_t e = {.n = 0};
  if (op->kind == OP_SHAPE_DIM) {
    ir_value_t *v = lowered_operand(l, op, 0);
    if (!ir_is(v->type, IR_T_TENSOR) || ir_type_rank(v->type) > HLO_MAX_RANK)
      return ir_op_error(op, "needs a ranked tensor");
    for (; e.n < ir_type_rank(v->type); ++e.n) e.at[e.n] = low_dim_value(l, v, e.n);
  } else {
    IREE_RETURN_IF_ERROR(read_shape(l, op, ir_operand(op, 0), &e));
  }
  if (!ir_constant_int(lowered_operand(l, op, 1), &at))
    return ir_op_error(op, "needs a constant index");
  if (at < 0 || at >= (int64_t)e.n) return ir_op_error(op, "has no dimension %lld", (long long)at);
  return is_a(l, op, e.at[at]);
}
iree_status_t input_lower_const_size(lowering_t *l, ir_op_t *op) {
  return is_a(l, op, low_index(&l->b, ir_op_int(op, "value", 0)));
}
iree_status_t input_lower_extent_arithmetic(lowering_t *l, ir_op_t *op) {
  ir_kind_t kind = op->kind == OP_SHAPE_ADD   ? OP_ARITH_ADDI
                   : op->kind == OP_SHAPE_MUL ? OP_ARITH_MULI
                   : op->kind == OP_SHAPE_DIV ? OP_ARITH_FLOORDIVSI
                   : op->kind == OP_SHAPE_MAX ? OP_ARITH_MAXUI
                                              : OP_ARITH_MINUI;
  ir_value_t *x = lowered_operand(l, op, 0), *y = lowered_operand(l, op, 1);
  if (!ir_is(x->type, IR_T_INDEX) || x->type != y->type)
    return ir_op_error(op, "needs two extents");
  return is_a(l, op, low_op2(&l->b, kind, x, y));
}
