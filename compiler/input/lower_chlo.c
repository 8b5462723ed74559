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
static ir_value_t *quotient(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_DIVF, x, y);
}
static ir_value_t *num(ir_builder_t *b, const ir_value_t *like, double v) {
  return low_float(b, like->type, v);
}

// ---- gamma functions by Lanczos' sum with g = 7, reflected below 1/2
static const double lanczos[] = {
    676.520368121885098567009190444019, -1259.13921672240287047156078755283,
    771.3234287776530788486528258894,   -176.61502916214059906584551354,
    12.507343278686904814458936853,     -0.13857109526572011689554707,
    9.984369578019570859563e-6,         1.50563273514931155834e-7};
enum { N_LANCZOS = sizeof lanczos / sizeof *lanczos };
static const double pi = 3.14159265358979323846;

typedef struct gamma_parts {
  ir_value_t *reflect, *z, *t, *log_t;
} gamma_parts_t;
static gamma_parts_t gamma_parts(ir_builder_t *b, ir_value_t *x) {
  gamma_parts_t g;
  g.reflect = low_cmpf(b, "olt", x, num(b, x, 0.5));
  g.z = low_select(b, g.reflect, low_op1(b, OP_ARITH_NEGF, x), sub(b, x, num(b, x, 1)));
  g.t = add(b, num(b, x, 7.5), g.z);
  g.log_t =
      add(b, num(b, x, log(7.5)), low_op1(b, OP_MATH_LOG1P, quotient(b, g.z, num(b, x, 7.5))));
  return g;
}
static ir_value_t *lgamma_of(ir_builder_t *b, ir_value_t *x) {
  gamma_parts_t g = gamma_parts(b, x);
  ir_value_t *sum = num(b, x, 0.99999999999980993227684700473478), *half = num(b, x, 0.5),
             *one = num(b, x, 1);
  for (int i = 0; i < N_LANCZOS; ++i)
    sum = add(b, sum, quotient(b, num(b, x, lanczos[i]), add(b, g.z, num(b, x, i + 1))));
  // (z + 1/2) log t - t, kept from cancelling
  ir_value_t *y = mul(b, sub(b, add(b, g.z, half), quotient(b, g.t, g.log_t)), g.log_t);
  y = add(b, add(b, num(b, x, log(sqrt(2 * pi))), y), low_op1(b, OP_MATH_LOG, sum));
  ir_value_t *a = low_op1(b, OP_MATH_ABSF, x), *frac = sub(b, a, low_op1(b, OP_MATH_FLOOR, a));
  frac = low_select(b, low_cmpf(b, "ogt", frac, half), sub(b, one, frac), frac);
  ir_value_t *den = low_op1(b, OP_MATH_LOG, low_op1(b, OP_MATH_SIN, mul(b, num(b, x, pi), frac)));
  ir_value_t *finite = low_cmpf(b, "olt", low_op1(b, OP_MATH_ABSF, den), num(b, x, INFINITY));
  ir_value_t *reflected = low_select(b, finite, sub(b, sub(b, num(b, x, log(pi)), den), y),
                                     low_op1(b, OP_ARITH_NEGF, den));
  ir_value_t *inf = num(b, x, INFINITY);
  return low_select(b, low_cmpf(b, "oeq", a, inf), inf, low_select(b, g.reflect, reflected, y));
}
static ir_value_t *digamma_of(ir_builder_t *b, ir_value_t *x) {
  gamma_parts_t g = gamma_parts(b, x);
  ir_value_t *top = num(b, x, 0), *bottom = num(b, x, 0.99999999999980993227684700473478);
  for (int i = 0; i < N_LANCZOS; ++i) {
    ir_value_t *d = add(b, g.z, num(b, x, i + 1)), *c = num(b, x, lanczos[i]);
    top = sub(b, top, quotient(b, c, mul(b, d, d)));
    bottom = add(b, bottom, quotient(b, c, d));
  }
  ir_value_t *y = sub(b, add(b, g.log_t, quotient(b, top, bottom)), quotient(b, num(b, x, 7), g.t));
  ir_value_t *nearest = low_op1(b, OP_MATH_FLOOR, add(b, x, num(b, x, 0.5)));
  ir_value_t *angle = mul(b, num(b, x, pi), add(b, x, low_op1(b, OP_MATH_ABSF, nearest)));
  ir_value_t *cot = quotient(b, mul(b, num(b, x, pi), low_op1(b, OP_MATH_COS, angle)),
                             low_op1(b, OP_MATH_SIN, angle));
  ir_value_t *r = low_select(b, g.reflect, sub(b, y, cot), y);
  ir_value_t *pole = low_op2(b, OP_ARITH_ANDI, low_cmpf(b, "ole", x, num(b, x, 0)),
                             low_cmpf(b, "oeq", x, low_op1(b, OP_MATH_FLOOR, x)));
  return low_select(b, pole, num(b, x, NAN), r);
}
// Giles' two polynomials, in f32.
static ir_value_t *erf_inv_of(ir_builder_t *b, ir_value_t *x) {
  static const double small[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                 -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                 -0.00417768164,  0.246640727,    1.50140941};
  static const double large[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                 -0.00367342844,  0.00573950773,  -0.0076224613,
                                 0.00943887047,   1.00167406,     2.83297682};
  ir_value_t *w =
      low_op1(b, OP_ARITH_NEGF, low_op1(b, OP_MATH_LOG1P, low_op1(b, OP_ARITH_NEGF, mul(b, x, x))));
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

ir_value_t *low_chlo_scalar(ir_builder_t *b, const ir_op_t *op, ir_value_t *const *args) {
  ir_value_t *x = args[0];
  if (op->kind == OP_CHLO_SQUARE) return low_mul(b, x, x);
  if (op->kind == OP_CHLO_MULHI)
    return low_mulhi(b, ir_type_element(ir_operand(op, 0)->type), x, args[1]);
  if (ir_is(x->type, IR_T_COMPLEX)) return low_complex_op(b, op, args);
  if (!ir_type_is_float(x->type)) return NULL;
  if (op->kind == OP_CHLO_NEXT_AFTER) return next_after(b, x, args[1]);
  if (op->kind == OP_CHLO_LGAMMA || op->kind == OP_CHLO_DIGAMMA || op->kind == OP_CHLO_ERF_INV) {
    ir_type_t type = x->type, f32 = ir_type_float(b->ctx, IR_F32);
    if (op->kind == OP_CHLO_ERF_INV && ir_type_width(type) > 32) return NULL;
    if (ir_type_width(type) < 32) x = low_convert(b, x, type, f32);
    ir_value_t *r = op->kind == OP_CHLO_LGAMMA    ? lgamma_of(b, x)
                    : op->kind == OP_CHLO_DIGAMMA ? digamma_of(b, x)
                                                  : erf_inv_of(b, x);
    return low_convert(b, r, r->type, type);
  }
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
