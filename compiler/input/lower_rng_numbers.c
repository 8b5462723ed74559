// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rng: random numbers without a state of the program's. There is none here either: an op gives the
// same numbers in every call, and the ops of a module give different ones.
//
//   UNIFORM of floats    upstream's numbers for the first op of a module: a linear congruential
//   step
//                        per dimension over the indices, scaled to the bounds
//   UNIFORM of integers, NORMAL
//                        Philox over the position, keyed by the op's number; integers by remainder,
//                        normal ones by Box and Muller
#include "compiler/input/lower_rng.h"

static ir_value_t *unsigned_float(ir_builder_t *b, ir_value_t *v, ir_type_t type) {
  return ir_build1(b, OP_ARITH_UITOFP, type, v, NULL, NULL);
}
static ir_value_t *position(lowering_t *l, ir_builder_t *b, ir_type_t type, const sizes_t *sizes) {
  ir_type_t i64 = ir_type_i(l->ctx, 64);
  ir_value_t *at = low_int(b, i64, 0);
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    ir_value_t *extent =
        sizes->at[i] ? low_from_index(b, sizes->at[i], i64) : low_int(b, i64, ir_type_dim(type, i));
    at = low_op2(b, OP_ARITH_ADDI, low_op2(b, OP_ARITH_MULI, at, extent),
                 low_from_index(b, low_loop_index(b, i), i64));
  }
  return at;
}
static rng_words_t bits_at(ir_builder_t *b, ir_value_t *at, uint32_t number) {
  ir_type_t i32 = ir_type_i(b->ctx, 32);
  ir_value_t *zero = low_int(b, i32, 0);
  return low_philox(b, (rng_words_t){{low_half(b, at), low_high_half(b, at), zero, zero}},
                    low_int(b, i32, number), zero);
}

static ir_value_t *uniform_float(ir_builder_t *b, size_t rank, ir_value_t *from, ir_value_t *to,
                                 uint32_t number) {
  ir_type_t type = from->type, i32 = ir_type_i(b->ctx, 32);
  ir_value_t *bits = low_int(b, i32, (int64_t)(number * 0x9E3779B9u));
  for (size_t i = 0; i < rank; ++i) {
    ir_value_t *at = low_from_index(b, low_loop_index(b, i), i32);
    at =
        low_op2(b, OP_ARITH_MULI, low_op2(b, OP_ARITH_ADDI, at, bits), low_int(b, i32, 1103515245));
    bits = low_op2(b, OP_ARITH_ADDI, at, low_int(b, i32, 12345));
  }
  ir_value_t *scale = low_op2(b, OP_ARITH_MULF, low_op2(b, OP_ARITH_SUBF, to, from),
                              low_float(b, type, 2.3283064e-10));
  return low_op2(b, OP_ARITH_ADDF, low_op2(b, OP_ARITH_MULF, unsigned_float(b, bits, type), scale),
                 from);
}
// from + bits % (to - from), in 64 bits; what is no range gives |from|.
static ir_value_t *uniform_int(ir_builder_t *b, rng_words_t r, ir_value_t *from, ir_value_t *to,
                               ir_type_t semantic) {
  ir_type_t i64 = ir_type_int(b->ctx, 64, ir_int_sign(semantic));
  ir_value_t *low = low_convert(b, from, semantic, i64), *high = low_convert(b, to, semantic, i64);
  ir_value_t *zero = low_int(b, low->type, 0), *range = low_op2(b, OP_ARITH_SUBI, high, low);
  ir_value_t *is_empty = low_cmpi(b, "eq", range, zero);
  ir_value_t *v = low_op2(b, OP_ARITH_REMUI, low_join_halves(b, r.w[0], r.w[1]),
                          low_select(b, is_empty, low_int(b, low->type, 1), range));
  v = low_op2(b, OP_ARITH_ADDI, low, v);
  unsigned width = ir_type_width(semantic);
  return width == 64 ? v : ir_build1(b, OP_ARITH_TRUNCI, from->type, v, NULL, NULL);
}
// A number in (0, 1] of as many bits as |type| holds.
static ir_value_t *unit_float(ir_builder_t *b, ir_type_t type, ir_value_t *low, ir_value_t *high) {
  bool is_double = ir_type_width(type) == 64;
  ir_value_t *bits = is_double ? low_join_halves(b, low, high) : low;
  int unused = is_double ? 11 : 8;
  bits = low_op2(b, OP_ARITH_SHRUI, bits, low_int(b, bits->type, unused));
  bits = low_op2(b, OP_ARITH_ADDI, bits, low_int(b, bits->type, 1));
  return low_op2(b, OP_ARITH_MULF, unsigned_float(b, bits, type),
                 low_float(b, type, is_double ? 0x1p-53 : 0x1p-24));
}
static ir_value_t *normal_float(ir_builder_t *b, rng_words_t r, ir_value_t *mean,
                                ir_value_t *deviation) {
  ir_type_t type = mean->type;
  ir_value_t *u = unit_float(b, type, r.w[0], r.w[1]), *v = unit_float(b, type, r.w[2], r.w[3]);
  ir_value_t *radius =
      low_op1(b, OP_MATH_SQRT,
              low_op2(b, OP_ARITH_MULF, low_float(b, type, -2.0), low_op1(b, OP_MATH_LOG, u)));
  ir_value_t *angle = low_op2(b, OP_ARITH_MULF, v, low_float(b, type, 6.283185307179586));
  ir_value_t *z = low_op2(b, OP_ARITH_MULF, radius, low_op1(b, OP_MATH_COS, angle));
  return low_op2(b, OP_ARITH_ADDF, low_op2(b, OP_ARITH_MULF, z, deviation), mean);
}

iree_status_t input_lower_rng(lowering_t *l, ir_op_t *op) {
  ir_type_t semantic = ir_type_element(ir_result(op, 0)->type),
            type = low_type(l->ctx, ir_result(op, 0)->type), element = ir_type_element(type);
  ir_value_t *bounds[2] = {lowered_operand(l, op, 0), lowered_operand(l, op, 1)};
  bool is_float = ir_type_is_float(element),
       is_normal = ir_str_is(ir_op_attr(op, "rng_distribution"), "NORMAL");
  for (int i = 0; i < 2; ++i)
    if (ir_type_rank(bounds[i]->type) || ir_type_element(bounds[i]->type) != element)
      return ir_op_error(op, "needs scalar bounds of the result's element type");
  if (!is_float && (is_normal || !ir_is(element, IR_T_INTEGER)))
    return ir_op_error(
        op, "gives %s",
        is_normal ? "floats where the distribution is NORMAL" : "integers or floats");
  sizes_t sizes = low_sizes_from_shape(l, op, type, lowered_operand(l, op, 2),
                                       ir_type_element(ir_operand(op, 2)->type));
  uint32_t number = l->n_rng++;
  pointwise_t p = low_pointwise_begin(l, type, &sizes, bounds, 2);
  ir_builder_t *b = &p.b;
  ir_value_t *x = p.body->args[0], *y = p.body->args[1], *v;
  // Narrow floats hold too few of the numbers between.
  ir_type_t compute =
      is_float && ir_type_width(element) < 32 ? ir_type_float(l->ctx, IR_F32) : semantic;
  if (is_float) x = low_convert(b, x, semantic, compute), y = low_convert(b, y, semantic, compute);
  if (is_float && !is_normal) {
    v = uniform_float(b, ir_type_rank(type), x, y, number);
  } else {
    rng_words_t r = bits_at(b, position(l, b, type, &sizes), number);
    v = is_normal ? normal_float(b, r, x, y) : uniform_int(b, r, x, y, semantic);
  }
  if (is_float) v = low_convert(b, v, compute, semantic);
  return input_lower_result(l, op, low_pointwise_end(l, &p, v));
}
