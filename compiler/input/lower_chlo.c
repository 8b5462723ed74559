// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chlo's elementwise functions by those of math.
#include <math.h>

#include "compiler/input/lower.h"

static ir_value_t *add(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_ADDF, x, y);
}
static ir_value_t *sub(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_SUBF, x, y);
}
static ir_value_t *mul(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_MULF, x, y);
}
static ir_value_t *num(ir_builder_t *b, const ir_value_t *like, double v) {
  return low_float(b, like->type, v);
}

// Giles' two polynomials, in f32.
static ir_value_t *erf_inv_f32(ir_builder_t *b, ir_value_t *x) {
  static const double small[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                 -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                 -0.00417768164,  0.246640727,    1.50140941};
  static const double large[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                 -0.00367342844,  0.00573950773,  -0.0076224613,
                                 0.00943887047,   1.00167406,     2.83297682};
  // By its factors: the square's rounding would count near 1.
  ir_value_t *one = num(b, x, 1), *rest = mul(b, sub(b, one, x), add(b, one, x));
  ir_value_t *w = low_op1(b, OP_ARITH_NEGF, low_op1(b, OP_MATH_LOG, rest));
  ir_value_t *near = low_cmpf(b, "olt", w, num(b, x, 5));
  ir_value_t *v = low_select(b, near, sub(b, w, num(b, x, 2.5)),
                             sub(b, low_op1(b, OP_MATH_SQRT, w), num(b, x, 3)));
  ir_value_t *p = low_select(b, near, num(b, x, small[0]), num(b, x, large[0]));
  for (int i = 1; i < 9; ++i)
    p = add(b, low_select(b, near, num(b, x, small[i]), num(b, x, large[i])), mul(b, p, v));
  ir_value_t *end = low_cmpf(b, "oeq", low_op1(b, OP_MATH_ABSF, x), num(b, x, 1));
  return low_select(b, end, mul(b, x, num(b, x, INFINITY)), mul(b, p, x));
}
// The float next to x on the way to y, by its bits.
static ir_value_t *next_after(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  unsigned width = ir_type_width(x->type);
  ir_type_t t = ir_type_i(b->ctx, width);
  int64_t sign_bit = (int64_t)(1ull << (width - 1));
  ir_value_t *i = ir_build1(b, OP_ARITH_BITCAST, t, x, NULL, NULL),
             *j = ir_build1(b, OP_ARITH_BITCAST, t, y, NULL, NULL);
  ir_value_t *rest = low_int(b, t, ~sign_bit), *sign = low_int(b, t, sign_bit),
             *one = low_int(b, t, 1), *zero = low_int(b, t, 0);
  ir_value_t *ai = low_op2(b, OP_ARITH_ANDI, i, rest), *aj = low_op2(b, OP_ARITH_ANDI, j, rest);
  ir_value_t *si = low_op2(b, OP_ARITH_ANDI, i, sign), *sj = low_op2(b, OP_ARITH_ANDI, j, sign);
  ir_value_t *shrinks =
      low_op2(b, OP_ARITH_ORI, low_cmpi(b, "ne", si, sj), low_cmpi(b, "ugt", ai, aj));
  ir_value_t *step = low_op2(b, OP_ARITH_ADDI, i, low_select(b, shrinks, low_int(b, t, -1), one));
  step = low_select(b, low_cmpi(b, "eq", ai, zero), low_op2(b, OP_ARITH_ORI, sj, one), step);
  ir_value_t *r = ir_build1(b, OP_ARITH_BITCAST, x->type, step, NULL, NULL);
  r = low_select(b, low_cmpf(b, "oeq", x, y), y, r);
  return low_select(b, low_cmpf(b, "uno", x, y), add(b, x, y), r);
}

// In f64, but for the one that random numbers are made by.
static ir_value_t *special_function(ir_builder_t *b, const ir_op_t *op, ir_value_t *const *args) {
  static const struct {
    ir_kind_t kind;
    ir_value_t *(*unary)(ir_builder_t *b, ir_value_t *x);
    ir_value_t *(*binary)(ir_builder_t *b, ir_value_t *x, ir_value_t *y, bool is_narrow);
  } rows[] = {
      {OP_CHLO_LGAMMA, low_log_gamma, NULL},    {OP_CHLO_DIGAMMA, low_digamma, NULL},
      {OP_CHLO_ERF_INV, low_erf_inv, NULL},     {OP_CHLO_BESSEL_I1E, low_bessel_i1e, NULL},
      {OP_CHLO_POLYGAMMA, NULL, low_polygamma}, {OP_CHLO_ZETA, NULL, low_zeta},
  };
  ir_type_t type = args[0]->type, wide = ir_type_float(b->ctx, IR_F64);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (rows[i].kind != op->kind) continue;
    bool in_f32 = op->kind == OP_CHLO_ERF_INV && ir_type_width(type) <= 32;
    if (in_f32) wide = ir_type_float(b->ctx, IR_F32);
    ir_value_t *x = low_convert(b, args[0], type, wide), *r;
    if (in_f32)
      r = erf_inv_f32(b, x);
    else
      r = rows[i].unary ? rows[i].unary(b, x)
                        : rows[i].binary(b, x, low_convert(b, args[1], type, wide),
                                         ir_type_width(type) <= 32);
    return low_convert(b, r, wide, type);
  }
  return NULL;
}

ir_value_t *low_chlo_scalar(ir_builder_t *b, const ir_op_t *op, ir_value_t *const *args) {
  ir_value_t *x = args[0];
  if (op->kind == OP_CHLO_SQUARE) return low_mul(b, x, x);
  if (op->kind == OP_CHLO_MULHI)
    return low_mulhi(b, ir_type_element(ir_operand(op, 0)->type), x, args[1]);
  if (ir_is(x->type, IR_T_COMPLEX)) return low_complex_op(b, op, args);
  if (!ir_type_is_float(x->type)) return NULL;
  if (op->kind == OP_CHLO_NEXT_AFTER) return next_after(b, x, args[1]);
  ir_value_t *special = special_function(b, op, args);
  if (special) return special;
  switch (op->kind) {
    case OP_CHLO_ABS:
      return low_op1(b, OP_MATH_ABSF, x);
    case OP_CHLO_CONJ:
      return x;
    case OP_CHLO_ACOS:
      return low_op1(b, OP_MATH_ACOS, x);
    case OP_CHLO_ACOSH:
      return low_op1(b, OP_MATH_ACOSH, x);
    case OP_CHLO_ASIN:
      return low_op1(b, OP_MATH_ASIN, x);
    case OP_CHLO_ASINH:
      return low_op1(b, OP_MATH_ASINH, x);
    case OP_CHLO_ATAN:
      return low_op1(b, OP_MATH_ATAN, x);
    case OP_CHLO_ATANH:
      return low_op1(b, OP_MATH_ATANH, x);
    case OP_CHLO_COSH:
      return low_op1(b, OP_MATH_COSH, x);
    case OP_CHLO_SINH:
      return low_op1(b, OP_MATH_SINH, x);
    case OP_CHLO_TAN:
      return low_op1(b, OP_MATH_TAN, x);
    case OP_CHLO_ERF:
      return low_op1(b, OP_MATH_ERF, x);
    case OP_CHLO_ERFC:
      return low_op1(b, OP_MATH_ERFC, x);
    case OP_CHLO_IS_INF:
      return low_cmpf(b, "oeq", low_op1(b, OP_MATH_ABSF, x), low_float(b, x->type, INFINITY));
    case OP_CHLO_IS_POS_INF:
      return low_cmpf(b, "oeq", x, low_float(b, x->type, INFINITY));
    case OP_CHLO_IS_NEG_INF:
      return low_cmpf(b, "oeq", x, low_float(b, x->type, -INFINITY));
    default:
      return NULL;
  }
}
