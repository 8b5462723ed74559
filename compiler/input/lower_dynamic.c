// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices and borders whose numbers are tensors, and what a program of one device knows of itself.
#include "compiler/input/lower.h"

static ir_value_t *number(lowering_t *l, const ir_op_t *op, uint32_t operand, size_t i) {
  ir_value_t *at = low_index(&l->b, (int64_t)i);
  return low_to_index(&l->b, low_extract(&l->b, lowered_operand(l, op, operand), &at, 1),
                      ir_type_element(ir_operand(op, operand)->type));
}
static iree_status_t check_numbers(ir_op_t *op, uint32_t first, uint32_t n) {
  ir_type_t type = ir_operand(op, 0)->type, to = ir_result(op, 0)->type;
  if (!ir_is(type, IR_T_TENSOR) || !ir_is(to, IR_T_TENSOR) || ir_type_rank(type) > HLO_MAX_RANK ||
      ir_type_rank(to) != ir_type_rank(type))
    return ir_op_error(op, "keeps the rank of a ranked tensor");
  for (uint32_t i = first; i < first + n; ++i) {
    ir_type_t t = ir_operand(op, i)->type;
    if (!ir_is(t, IR_T_TENSOR) || ir_type_rank(t) != 1 ||
        ir_type_dim(t, 0) != (int64_t)ir_type_rank(type) ||
        !ir_type_is_integer_like(ir_type_element(t)))
      return ir_op_error(op, "needs one integer per dimension in operand %u", i);
  }
  return iree_ok_status();
}

iree_status_t input_lower_real_dynamic_slice(lowering_t *l, ir_op_t *op) {
  IREE_RETURN_IF_ERROR(check_numbers(op, 1, 3));
  ir_value_t *v = lowered_operand(l, op, 0), *start[HLO_MAX_RANK], *stride[HLO_MAX_RANK],
             *at[HLO_MAX_RANK];
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  size_t rank = ir_type_rank(type);
  sizes_t sizes = sizes_none();
  ir_value_t *zero = low_index(&l->b, 0), *one = low_index(&l->b, 1);
  for (size_t i = 0; i < rank; ++i) {
    ir_value_t *extent = low_dim_value(l, v, i),
               *limit = low_op2(&l->b, OP_ARITH_MINSI, number(l, op, 2, i), extent);
    start[i] = low_op2(&l->b, OP_ARITH_MAXSI, number(l, op, 1, i), zero);
    stride[i] = low_op2(&l->b, OP_ARITH_MAXSI, number(l, op, 3, i), one);
    ir_value_t *n =
        low_op2(&l->b, OP_ARITH_MAXSI, low_op2(&l->b, OP_ARITH_SUBI, limit, start[i]), zero);
    n = low_op2(&l->b, OP_ARITH_CEILDIVSI, n, stride[i]);
    if (ir_type_dim(type, i) == IR_DYNAMIC)
      sizes.at[i] = n;
    else
      low_require_extent(l, op, n, ir_type_dim(type, i));
  }
  pointwise_t p = low_pointwise_begin(l, type, &sizes, NULL, 0);
  for (size_t i = 0; i < rank; ++i) {
    at[i] = low_op2(&p.b, OP_ARITH_ADDI, start[i],
                    low_op2(&p.b, OP_ARITH_MULI, low_loop_index(&p.b, i), stride[i]));
  }
  return input_lower_result(l, op, low_pointwise_end(l, &p, low_extract(&p.b, v, at, rank)));
}

// Position |i| of the result: which position of |v| it is, and whether it is one.
static ir_value_t *source_position(ir_builder_t *b, const pad_values_t *pad, size_t i,
                                   ir_value_t *extent, ir_value_t **ok) {
  ir_value_t *zero = low_index(b, 0),
             *position = low_op2(b, OP_ARITH_SUBI, low_loop_index(b, i), pad->low[i]);
  ir_value_t *at = low_op2(b, OP_ARITH_FLOORDIVSI, position, pad->step[i]);
  ir_value_t *in =
      low_op2(b, OP_ARITH_ANDI, low_cmpi(b, "sge", position, zero), low_cmpi(b, "slt", at, extent));
  in = low_op2(b, OP_ARITH_ANDI, in,
               low_cmpi(b, "eq", low_op2(b, OP_ARITH_MULI, at, pad->step[i]), position));
  *ok = *ok ? low_op2(b, OP_ARITH_ANDI, *ok, in) : in;
  return at;
}
static ir_value_t *padded_extent(lowering_t *l, const pad_values_t *pad, size_t i,
                                 ir_value_t *extent) {
  ir_value_t *zero = low_index(&l->b, 0), *one = low_index(&l->b, 1);
  ir_value_t *n =
      low_op2(&l->b, OP_ARITH_MULI, low_op2(&l->b, OP_ARITH_SUBI, extent, one), pad->step[i]);
  n = low_op2(&l->b, OP_ARITH_MAXSI, low_op2(&l->b, OP_ARITH_ADDI, n, one), zero);
  n = low_op2(&l->b, OP_ARITH_ADDI, low_op2(&l->b, OP_ARITH_ADDI, n, pad->low[i]), pad->high[i]);
  return low_op2(&l->b, OP_ARITH_MAXSI, n, zero);
}
ir_value_t *low_pad_by_values(lowering_t *l, const ir_op_t *op, ir_value_t *v, ir_value_t *scalar,
                              const pad_values_t *pad, ir_type_t type) {
  size_t rank = ir_type_rank(v->type);
  ir_value_t *extent[HLO_MAX_RANK], *at[HLO_MAX_RANK], *ok = NULL;
  sizes_t sizes = sizes_none();
  for (size_t i = 0; i < rank; ++i) {
    extent[i] = low_dim_value(l, v, i);
    ir_value_t *to = pad->low[i] ? padded_extent(l, pad, i, extent[i]) : extent[i];
    if (ir_type_dim(type, i) == IR_DYNAMIC)
      sizes.at[i] = to;
    else
      low_require_extent(l, op, to, ir_type_dim(type, i));
  }
  pointwise_t p = low_pointwise_begin(l, type, &sizes, NULL, 0);
  for (size_t i = 0; i < rank; ++i)
    at[i] = pad->low[i] ? source_position(&p.b, pad, i, extent[i], &ok) : low_loop_index(&p.b, i);
  for (size_t i = 0; i < rank && ok; ++i) at[i] = low_select(&p.b, ok, at[i], low_index(&p.b, 0));
  ir_value_t *r = low_extract(&p.b, v, at, rank);
  return low_pointwise_end(l, &p, ok ? low_select(&p.b, ok, r, scalar) : r);
}
iree_status_t input_lower_dynamic_pad(lowering_t *l, ir_op_t *op) {
  IREE_RETURN_IF_ERROR(check_numbers(op, 2, 3));
  ir_value_t *v = lowered_operand(l, op, 0), *one = low_index(&l->b, 1),
             *zero = low_index(&l->b, 0);
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  pad_values_t pad = {.step = {0}};
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    pad.low[i] = number(l, op, 2, i), pad.high[i] = number(l, op, 3, i);
    pad.step[i] = low_op2(&l->b, OP_ARITH_ADDI,
                          low_op2(&l->b, OP_ARITH_MAXSI, number(l, op, 4, i), zero), one);
  }
  ir_value_t *scalar = low_scalar_of(l, lowered_operand(l, op, 1));
  return input_lower_result(l, op, low_pad_by_values(l, op, v, scalar, &pad, type));
}

// One device: partition and replica 0.
iree_status_t input_lower_zero_id(lowering_t *l, ir_op_t *op) {
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  if (!ir_is(type, IR_T_TENSOR) || !ir_type_is_static(type) ||
      !ir_is(ir_type_element(type), IR_T_INTEGER))
    return ir_op_error(op, "gives a tensor<ui32>");
  ir_attr_t zero = ir_attr_int(l->ctx, ir_type_element(type), 0);
  return input_lower_result(l, op,
                            ir_build_constant(&l->b, type, ir_dense_splat(l->ctx, type, zero)));
}
