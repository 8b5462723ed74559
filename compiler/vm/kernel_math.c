// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the virtual machine has no instruction for, in kernels.
//
//   in, out:    util.funcs with arith and math on f32, f64 and integers
//   relies on:  kernel_floats.c went before
//   breaks:     nothing
//
//   %1 = math.tan %0 : f32     ->   %1 = arith.divf (math.sin %0), (math.cos %0) : f32
#include "compiler/dialects/low.h"
#include "compiler/vm/kernel.h"

typedef struct {
  ir_builder_t b;
  ir_op_t *op;
  ir_value_t *x, *y;  // operands
  ir_type_t type;     // of x
} expand_t;
typedef ir_value_t *(*expand_fn_t)(expand_t *e);

// ---- small ops
static ir_value_t *real(expand_t *e, double value) { return low_float(&e->b, e->type, value); }
static ir_value_t *integer(expand_t *e, ir_type_t type, uint64_t value) {
  return low_int(&e->b, type, (int64_t)value);
}
#define ADD(x, y) low_op2(&e->b, OP_ARITH_ADDF, x, y)
#define SUB(x, y) low_op2(&e->b, OP_ARITH_SUBF, x, y)
#define MUL(x, y) low_op2(&e->b, OP_ARITH_MULF, x, y)
#define DIV(x, y) low_op2(&e->b, OP_ARITH_DIVF, x, y)
#define MATH(name, x) low_op1(&e->b, OP_MATH_##name, x)

static ir_type_t bits_type(expand_t *e) { return ir_type_i(e->b.ctx, ir_type_width(e->type)); }
static uint64_t sign_bit(expand_t *e) { return 1ull << (ir_type_width(e->type) - 1); }
static ir_value_t *signed_as(expand_t *e, ir_value_t *magnitude, ir_value_t *sign) {
  ir_type_t bits = bits_type(e);
  ir_value_t *top = integer(e, bits, sign_bit(e)), *rest = integer(e, bits, sign_bit(e) - 1);
  ir_value_t *m =
      low_op2(&e->b, OP_ARITH_ANDI, low_cast(&e->b, OP_ARITH_BITCAST, bits, magnitude), rest);
  ir_value_t *s = low_op2(&e->b, OP_ARITH_ANDI, low_cast(&e->b, OP_ARITH_BITCAST, bits, sign), top);
  return low_cast(&e->b, OP_ARITH_BITCAST, e->type, low_op2(&e->b, OP_ARITH_ORI, m, s));
}

// ---- floats
static ir_value_t *expand_copysign(expand_t *e) { return signed_as(e, e->x, e->y); }
static ir_value_t *expand_trunc(expand_t *e) {
  ir_value_t *down = MATH(FLOOR, MATH(ABSF, e->x));
  return signed_as(e, down, e->x);
}
static ir_value_t *expand_tan(expand_t *e) { return DIV(MATH(SIN, e->x), MATH(COS, e->x)); }

// sqrt((1 - x) (1 + x)): the leg beside x in a triangle with hypotenuse 1.
static ir_value_t *leg(expand_t *e) {
  ir_value_t *one = real(e, 1);
  return MATH(SQRT, MUL(SUB(one, e->x), ADD(one, e->x)));
}
static ir_value_t *expand_asin(expand_t *e) { return low_op2(&e->b, OP_MATH_ATAN2, e->x, leg(e)); }
static ir_value_t *expand_acos(expand_t *e) { return low_op2(&e->b, OP_MATH_ATAN2, leg(e), e->x); }

// With t = e^|x| - 1: sinh = (t + t / (t + 1)) / 2. Where e^|x| overflows before the result does,
// half of it is e^(|x| - log 2).
static ir_value_t *exponential_half(expand_t *e, ir_value_t *magnitude) {
  return MATH(EXP, SUB(magnitude, real(e, 0.69314718055994530942)));
}
static ir_value_t *is_large(expand_t *e, ir_value_t *magnitude) {
  return low_cmpf(&e->b, "ogt", magnitude, real(e, ir_type_width(e->type) > 32 ? 700 : 80));
}
static ir_value_t *expand_sinh(expand_t *e) {
  ir_value_t *m = MATH(ABSF, e->x), *t = MATH(EXPM1, m);
  ir_value_t *small = MUL(real(e, 0.5), ADD(t, DIV(t, ADD(t, real(e, 1)))));
  return signed_as(e, low_pick(&e->b, is_large(e, m), exponential_half(e, m), small), e->x);
}
static ir_value_t *expand_cosh(expand_t *e) {
  ir_value_t *m = MATH(ABSF, e->x), *t = MATH(EXP, m), *half = real(e, 0.5);
  ir_value_t *small = ADD(MUL(half, t), DIV(half, t));
  return low_pick(&e->b, is_large(e, m), exponential_half(e, m), small);
}

// log(x) + log(2) where x^2 would overflow; log1p keeps the digits of small results.
static ir_value_t *log_twice(expand_t *e, ir_value_t *x) {
  return ADD(MATH(LOG, x), real(e, 0.69314718055994530942));
}
static ir_value_t *is_huge(expand_t *e, ir_value_t *x) {
  return low_cmpf(&e->b, "ogt", x, real(e, ir_type_width(e->type) > 32 ? 1e150 : 1e18));
}
static ir_value_t *expand_asinh(expand_t *e) {
  ir_value_t *m = MATH(ABSF, e->x), *one = real(e, 1), *square = MUL(m, m);
  ir_value_t *root = MATH(SQRT, ADD(square, one));
  ir_value_t *small = MATH(LOG1P, ADD(m, DIV(square, ADD(one, root))));
  return signed_as(e, low_pick(&e->b, is_huge(e, m), log_twice(e, m), small), e->x);
}
static ir_value_t *expand_acosh(expand_t *e) {
  ir_value_t *t = SUB(e->x, real(e, 1)), *twice = ADD(t, t);
  ir_value_t *small = MATH(LOG1P, ADD(t, MATH(SQRT, ADD(twice, MUL(t, t)))));
  return low_pick(&e->b, is_huge(e, e->x), log_twice(e, e->x), small);
}
static ir_value_t *expand_atanh(expand_t *e) {
  ir_value_t *m = MATH(ABSF, e->x), *ratio = DIV(ADD(m, m), SUB(real(e, 1), m));
  return signed_as(e, MUL(real(e, 0.5), MATH(LOG1P, ratio)), e->x);
}

// A power, and one step of Newton's method for what it lacks.
static ir_value_t *expand_cbrt(expand_t *e) {
  ir_value_t *m = MATH(ABSF, e->x), *three = real(e, 3);
  ir_value_t *y = low_op2(&e->b, OP_MATH_POWF, m, DIV(real(e, 1), three)), *square = MUL(y, y);
  ir_value_t *better = SUB(y, DIV(SUB(MUL(square, y), m), MUL(three, square)));
  // Zero, infinity and NaN are there already.
  ir_value_t *plain = low_op2(&e->b, OP_ARITH_ANDI, low_cmpf(&e->b, "ogt", m, real(e, 0)),
                              low_cmpf(&e->b, "olt", m, real(e, 1e300 * 1e300)));
  return signed_as(e, low_pick(&e->b, plain, better, y), e->x);
}

// In f64: erfc(z) = t e^(-z^2 + p(2 t - 1)) with t = 2 / (2 + z), p the interpolant in Chebyshev's
// points of what makes this exact (off by at most 6 ulp). z^2 is split so that no digit of it is
// lost: s, which is z in f32, has a square without rounding.
static ir_value_t *expand_erfc(expand_t *e) {
  static const double coefficients[] = {
      -0.6717940840566923,     0.6726432239776567,     0.04734330684190443,
      -0.0468956102311753,     -0.009872689366389959,  0.008824938557060623,
      0.001758933557799016,    -0.002345812500482853,  -0.00014624686337800336,
      0.000673678795580235,    -9.37350311709817e-05,  -0.0001743029472030762,
      7.14010141275703e-05,    3.17451797494374e-05,   -3.0187884551394243e-05,
      1.3772664134464417e-07,  8.562623420121286e-06,  -2.947986876998259e-06,
      -1.27231190486887e-06,   1.2500276612569754e-06, -1.6849800720653297e-07,
      -2.495832761719667e-07,  1.5334345920908177e-07, 1.4448658046252676e-09,
      -3.9171820510271855e-08, 1.1172352263623759e-08, 4.06088214696972e-09,
      -1.8902306008944537e-09};
  ir_type_t type = e->type, single = ir_type_float(e->b.ctx, IR_F32);
  ir_value_t *x = low_cast(&e->b, OP_ARITH_EXTF, ir_type_float(e->b.ctx, IR_F64), e->x);
  e->type = x->type;
  ir_value_t *z = MATH(ABSF, x), *two = real(e, 2), *limit = real(e, 30);
  z = low_pick(&e->b, low_cmpf(&e->b, "ogt", z, limit), limit, z);  // nothing is left there
  ir_value_t *t = DIV(two, ADD(two, z)), *u = SUB(ADD(t, t), real(e, 1));
  size_t n = sizeof coefficients / sizeof *coefficients;
  ir_value_t *p = real(e, coefficients[n - 1]);
  for (size_t i = n - 1; i-- > 0;) p = ADD(MUL(p, u), real(e, coefficients[i]));
  ir_value_t *s =
      low_cast(&e->b, OP_ARITH_EXTF, e->type, low_cast(&e->b, OP_ARITH_TRUNCF, single, z));
  ir_value_t *rest = ADD(MUL(SUB(s, z), ADD(s, z)), p);
  ir_value_t *above =
      MUL(t, MUL(MATH(EXP, low_op1(&e->b, OP_ARITH_NEGF, MUL(s, s))), MATH(EXP, rest)));
  ir_value_t *below = SUB(two, above);
  ir_value_t *result = low_pick(&e->b, low_cmpf(&e->b, "olt", x, real(e, 0)), below, above);
  return low_cast(&e->b, OP_ARITH_TRUNCF, type, result);
}

static ir_value_t *expand_class(expand_t *e) {
  ir_value_t *m = MATH(ABSF, e->x), *infinity = real(e, 1e300 * 1e300);
  if (e->op->kind == OP_MATH_ISNAN) return low_cmpf(&e->b, "uno", e->x, e->x);
  if (e->op->kind == OP_MATH_ISINF) return low_cmpf(&e->b, "oeq", m, infinity);
  ir_value_t *finite = low_cmpf(&e->b, "olt", m, infinity);
  if (e->op->kind == OP_MATH_ISFINITE) return finite;
  double smallest = ir_type_width(e->type) > 32 ? 2.2250738585072014e-308 : 1.1754943508222875e-38;
  return low_op2(&e->b, OP_ARITH_ANDI, finite, low_cmpf(&e->b, "oge", m, real(e, smallest)));
}

// In f64, where every i32 is exact.
static ir_value_t *expand_fpowi(expand_t *e) {
  ir_type_t wide = ir_type_float(e->b.ctx, IR_F64);
  ir_value_t *x = low_cast(&e->b, OP_ARITH_EXTF, wide, e->x);
  ir_value_t *n = ir_build1(&e->b, OP_ARITH_SITOFP, wide, e->y, NULL, NULL);
  return low_cast(&e->b, OP_ARITH_TRUNCF, e->type, low_op2(&e->b, OP_MATH_POWF, x, n));
}

// ---- integers
// |x| in a register of 32 or 64 bits.
static ir_value_t *in_register(expand_t *e, ir_value_t *x) {
  unsigned width = ir_type_width(x->type);
  return low_cast(&e->b, OP_ARITH_EXTUI, ir_type_i(e->b.ctx, width > 32 ? 64 : 32), x);
}
static ir_value_t *as_result(expand_t *e, ir_value_t *x) {
  return low_cast(&e->b, OP_ARITH_TRUNCI, e->type, x);
}
static ir_value_t *expand_ctlz(expand_t *e) {
  ir_value_t *x = in_register(e, e->x);
  uint64_t unused = ir_type_width(x->type) - ir_type_width(e->type);
  return as_result(e, low_op2(&e->b, OP_ARITH_SUBI, MATH(CTLZ, x), integer(e, x->type, unused)));
}
// Ones per pair, per four, per byte; then the sum of bytes.
static ir_value_t *count_ones(expand_t *e, ir_value_t *x) {
  static const uint64_t masks[3] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F};
  for (int i = 0; i < 3; ++i) {
    ir_value_t *mask = integer(e, x->type, masks[i]);
    ir_value_t *high = low_op2(&e->b, OP_ARITH_SHRUI, x, integer(e, x->type, 1u << i));
    x = low_op2(&e->b, OP_ARITH_ADDI, low_op2(&e->b, OP_ARITH_ANDI, x, mask),
                low_op2(&e->b, OP_ARITH_ANDI, high, mask));
  }
  x = low_op2(&e->b, OP_ARITH_MULI, x, integer(e, x->type, 0x0101010101010101));
  return low_op2(&e->b, OP_ARITH_SHRUI, x, integer(e, x->type, ir_type_width(x->type) - 8));
}
static ir_value_t *expand_ctpop(expand_t *e) {
  return as_result(e, count_ones(e, in_register(e, e->x)));
}
static ir_value_t *expand_cttz(expand_t *e) {  // the ones of (x - 1) that x has not
  ir_value_t *x = in_register(e, e->x), *ones = integer(e, x->type, ~0ull);
  ir_value_t *below = low_op2(&e->b, OP_ARITH_ADDI, x, ones);
  ir_value_t *count =
      count_ones(e, low_op2(&e->b, OP_ARITH_ANDI, below, low_op2(&e->b, OP_ARITH_XORI, x, ones)));
  uint64_t width = ir_type_width(e->type);
  ir_value_t *limit = integer(e, x->type, width);  // of zero in a wider register
  return as_result(e, low_pick(&e->b, low_cmpi(&e->b, "ugt", count, limit), limit, count));
}

// ---- two results
static ir_value_t *upper_half(expand_t *e, ir_value_t *x, ir_value_t *y) {
  ir_value_t *mask = integer(e, e->type, 0xFFFFFFFF), *half = integer(e, e->type, 32);
#define LOW(v) low_op2(&e->b, OP_ARITH_ANDI, v, mask)
#define HIGH(v) low_op2(&e->b, OP_ARITH_SHRUI, v, half)
#define TIMES(v, w) low_op2(&e->b, OP_ARITH_MULI, v, w)
#define PLUS(v, w) low_op2(&e->b, OP_ARITH_ADDI, v, w)
  ir_value_t *xl = LOW(x), *xh = HIGH(x), *yl = LOW(y), *yh = HIGH(y);
  ir_value_t *first = PLUS(TIMES(xh, yl), HIGH(TIMES(xl, yl)));
  ir_value_t *second = PLUS(TIMES(xl, yh), LOW(first));
  return PLUS(PLUS(TIMES(xh, yh), HIGH(first)), HIGH(second));
#undef LOW
#undef HIGH
#undef TIMES
#undef PLUS
}
static void expand_product(expand_t *e, ir_value_t *out[2]) {
  bool is_signed = e->op->kind == OP_ARITH_MULSI_EXTENDED;
  unsigned width = ir_type_width(e->type);
  out[0] = low_op2(&e->b, OP_ARITH_MULI, e->x, e->y);
  if (width <= 32) {
    ir_type_t wide = ir_type_i(e->b.ctx, 64);
    ir_kind_t extend = is_signed ? OP_ARITH_EXTSI : OP_ARITH_EXTUI;
    ir_value_t *product = low_op2(&e->b, OP_ARITH_MULI, low_cast(&e->b, extend, wide, e->x),
                                  low_cast(&e->b, extend, wide, e->y));
    product = low_op2(&e->b, OP_ARITH_SHRUI, product, integer(e, wide, width));
    out[1] = low_cast(&e->b, OP_ARITH_TRUNCI, e->type, product);
    return;
  }
  out[1] = upper_half(e, e->x, e->y);
  if (!is_signed) return;
  ir_value_t *zero = integer(e, e->type, 0);
  ir_value_t *a = low_pick(&e->b, low_cmpi(&e->b, "slt", e->x, zero), e->y, zero);
  ir_value_t *b = low_pick(&e->b, low_cmpi(&e->b, "slt", e->y, zero), e->x, zero);
  out[1] = low_op2(&e->b, OP_ARITH_SUBI, low_op2(&e->b, OP_ARITH_SUBI, out[1], a), b);
}
static void expand_sum(expand_t *e, ir_value_t *out[2]) {
  out[0] = low_op2(&e->b, OP_ARITH_ADDI, e->x, e->y);
  out[1] = low_cmpi(&e->b, "ult", out[0], e->x);
}

static const struct {
  op_kind_t kind;
  expand_fn_t fn;
} rows[] = {
    {OP_MATH_COPYSIGN, expand_copysign}, {OP_MATH_TRUNC, expand_trunc},
    {OP_MATH_TAN, expand_tan},           {OP_MATH_ASIN, expand_asin},
    {OP_MATH_ACOS, expand_acos},         {OP_MATH_SINH, expand_sinh},
    {OP_MATH_COSH, expand_cosh},         {OP_MATH_ASINH, expand_asinh},
    {OP_MATH_ACOSH, expand_acosh},       {OP_MATH_ATANH, expand_atanh},
    {OP_MATH_ERFC, expand_erfc},         {OP_MATH_CBRT, expand_cbrt},
    {OP_MATH_ISNAN, expand_class},       {OP_MATH_ISINF, expand_class},
    {OP_MATH_ISFINITE, expand_class},    {OP_MATH_ISNORMAL, expand_class},
    {OP_MATH_FPOWI, expand_fpowi},       {OP_MATH_CTLZ, expand_ctlz},
    {OP_MATH_CTPOP, expand_ctpop},       {OP_MATH_CTTZ, expand_cttz},
};

static iree_status_t expand(ir_op_t *op, void *self) {
  ir_ctx_t *ctx = self;
  if (!op->n_operands || !op->n_results) return iree_ok_status();
  expand_t e = {.b = ir_builder_before(ctx, op), .op = op, .x = ir_operand(op, 0)};
  e.b.loc = op->loc;
  e.y = op->n_operands > 1 ? ir_operand(op, 1) : NULL;
  e.type = e.x->type;
  ir_value_t *values[2];
  if (op->kind == OP_ARITH_MULSI_EXTENDED || op->kind == OP_ARITH_MULUI_EXTENDED) {
    expand_product(&e, values);
  } else if (op->kind == OP_ARITH_ADDUI_EXTENDED) {
    expand_sum(&e, values);
  } else {
    size_t i = 0;
    while (i < sizeof rows / sizeof *rows && rows[i].kind != (op_kind_t)op->kind) ++i;
    if (i == sizeof rows / sizeof *rows) return iree_ok_status();
    if (op->kind == OP_MATH_CTLZ && ir_type_width(e.type) >= 32) return iree_ok_status();  // is one
    values[0] = rows[i].fn(&e);
  }
  ir_op_replace(op, values);
  return iree_ok_status();
}

iree_status_t vm_expand_math(ir_ctx_t *ctx, ir_op_t *module) {
  return ir_walk(module, expand, ctx);
}
