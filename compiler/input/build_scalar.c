// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops on scalars, with the results XLA gives where hardware differs: no trap on
// division by zero, shifts too far, conversions out of range, NaN in minimum and maximum.
#include <math.h>
#include <string.h>

#include "compiler/input/lower.h"

// ---- small ops
ir_value_t *low_both(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_ANDI, x, y);
}
ir_value_t *low_not(ir_builder_t *b, ir_value_t *x) {
  return low_op2(b, OP_ARITH_XORI, x, low_int(b, x->type, 1));
}
ir_value_t *low_select(ir_builder_t *b, ir_value_t *c, ir_value_t *x, ir_value_t *y) {
  if (ir_is(x->type, IR_T_COMPLEX))
    return low_complex(b, low_select(b, c, low_re(b, x), low_re(b, y)),
                       low_select(b, c, low_im(b, x), low_im(b, y)));
  return low_pick(b, c, x, y);
}
ir_value_t *low_zero(ir_builder_t *b, ir_type_t type) {
  if (ir_is(type, IR_T_COMPLEX)) {
    ir_attr_t zero = ir_attr_float_bits(b->ctx, ir_kid(type, 0), 0), parts[2] = {zero, zero};
    return ir_build_constant(b, type, ir_attr_array(b->ctx, parts, 2));
  }
  return ir_type_is_float(type) ? low_float(b, type, 0) : low_int(b, type, 0);
}
ir_value_t *low_to_index(ir_builder_t *b, ir_value_t *v, ir_type_t semantic) {
  if (ir_is(v->type, IR_T_INDEX)) return v;
  bool is_unsigned = ir_is(semantic, IR_T_INTEGER) && ir_int_sign(semantic) == IR_UNSIGNED;
  return ir_build1(b, is_unsigned ? OP_ARITH_INDEX_CASTUI : OP_ARITH_INDEX_CAST,
                   ir_type_index(b->ctx), v, NULL, NULL);
}
ir_value_t *low_from_index(ir_builder_t *b, ir_value_t *v, ir_type_t type) {
  if (ir_is(type, IR_T_INDEX)) return v;
  return ir_build1(b, OP_ARITH_INDEX_CAST, type, v, NULL, NULL);
}

// ---- either kind of number
ir_value_t *low_add(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  if (ir_is(x->type, IR_T_COMPLEX)) return low_complex_by_parts(b, OP_ARITH_ADDF, x, y);
  if (ir_type_is_float(x->type)) return low_op2(b, OP_ARITH_ADDF, x, y);
  return low_op2(b, ir_type_is_int(x->type, 1) ? OP_ARITH_ORI : OP_ARITH_ADDI, x, y);
}
ir_value_t *low_mul(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  if (ir_is(x->type, IR_T_COMPLEX)) return low_complex_mul(b, x, y);
  if (ir_type_is_float(x->type)) return low_op2(b, OP_ARITH_MULF, x, y);
  return low_op2(b, ir_type_is_int(x->type, 1) ? OP_ARITH_ANDI : OP_ARITH_MULI, x, y);
}
ir_value_t *low_div(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return ir_is(x->type, IR_T_COMPLEX) ? low_op2(b, OP_COMPLEX_DIV, x, y) : low_op2(b, OP_ARITH_DIVF, x, y);
}
ir_value_t *low_abs(ir_builder_t *b, ir_value_t *x) {
  if (ir_is(x->type, IR_T_COMPLEX)) return ir_build1(b, OP_COMPLEX_ABS, ir_kid(x->type, 0), x, NULL, NULL);
  return low_op1(b, OP_MATH_ABSF, x);
}
ir_value_t *low_sqrt(ir_builder_t *b, ir_value_t *x) {
  return ir_is(x->type, IR_T_COMPLEX) ? low_op1(b, OP_COMPLEX_SQRT, x) : low_op1(b, OP_MATH_SQRT, x);
}

// ---- conversion
static ir_value_t *to_f32(ir_builder_t *b, ir_value_t *v) {
  return ir_type_width(v->type) < 32
             ? ir_build1(b, OP_ARITH_EXTF, ir_type_float(b->ctx, IR_F32), v, NULL, NULL)
             : v;
}
static ir_value_t *float_to_float(ir_builder_t *b, ir_value_t *v, ir_type_t to) {
  if (v->type == to) return v;
  unsigned from_bits = ir_type_width(v->type), to_bits = ir_type_width(to);
  if (from_bits < 32 && to_bits < 32) v = to_f32(b, v), from_bits = 32;  // formats need not nest
  if (from_bits == to_bits) return v;
  return ir_build1(b, from_bits < to_bits ? OP_ARITH_EXTF : OP_ARITH_TRUNCF, to, v, NULL, NULL);
}
// Toward zero, NaN to 0, saturating.
static ir_value_t *float_to_int(ir_builder_t *b, ir_value_t *v, ir_type_t to) {
  unsigned width = ir_type_width(to);
  bool is_signed = ir_int_sign(to) != IR_UNSIGNED;
  ir_type_t type = ir_type_i(b->ctx, width), wide = width < 8 ? ir_type_i(b->ctx, 32) : type;
  v = to_f32(b, v);
  double over = ldexp(1, (int)width - is_signed), under = is_signed ? -ldexp(1, (int)width - 1) : 0;
  int64_t max = is_signed ? (int64_t)((1ull << (width - 1)) - 1)
                          : (int64_t)(width < 64 ? (1ull << width) - 1 : ~0ull);
  int64_t min = is_signed ? -max - 1 : 0;
  ir_value_t *r = ir_build1(b, is_signed ? OP_ARITH_FPTOSI : OP_ARITH_FPTOUI, wide, v, NULL, NULL);
  r = low_select(b, low_cmpf(b, "oge", v, low_float(b, v->type, over)), low_int(b, wide, max), r);
  r = low_select(b, low_cmpf(b, "ole", v, low_float(b, v->type, under)), low_int(b, wide, min), r);
  r = low_select(b, low_cmpf(b, "uno", v, v), low_int(b, wide, 0), r);
  return wide == type ? r : ir_build1(b, OP_ARITH_TRUNCI, type, r, NULL, NULL);
}
// |v|, whose last |n| bits become one that says whether any was set: the float it is rounded to in
// between then ties where |v| ties. Small values, which are exact there, stay.
static ir_value_t *sticky(ir_builder_t *b, ir_value_t *v, unsigned n, unsigned exact, bool is_signed) {
  ir_type_t t = v->type;
  int64_t mask = (1ll << n) - 1, limit = 1ll << exact;
  ir_value_t *low = low_op2(b, OP_ARITH_ANDI, v, low_int(b, t, mask));
  ir_value_t *any = low_select(b, low_cmpi(b, "ne", low, low_int(b, t, 0)),
                               low_int(b, t, 1ll << (n - 1)), low_int(b, t, 0));
  ir_value_t *kept =
      low_op2(b, OP_ARITH_ORI, low_op2(b, OP_ARITH_ANDI, v, low_int(b, t, ~mask)), any);
  ir_value_t *shifted = is_signed ? low_op2(b, OP_ARITH_ADDI, v, low_int(b, t, limit)) : v;
  ir_value_t *small =
      low_cmpi(b, "ult", shifted, low_int(b, t, is_signed ? 2 * limit : limit));
  return low_select(b, small, v, kept);
}
// Formats with the range of f32 and fewer bits would be rounded twice: 32 and 64 bits go through a
// float that the sticky bit makes exact.
static ir_value_t *int_to_float(ir_builder_t *b, ir_value_t *v, bool is_signed, ir_type_t to) {
  unsigned width = ir_type_width(v->type);
  ir_float_t kind = ir_float_kind(to);
  bool twice = width >= 32 && (kind == IR_BF16 || kind == IR_F8E8M0FNU);
  ir_type_t wide = ir_type_width(to) < 32 ? ir_type_float(b->ctx, IR_F32) : to;
  if (twice && width == 32) v = sticky(b, v, 9, 24, is_signed);
  if (twice && width == 64) {
    v = sticky(b, v, 12, 53, is_signed);
    wide = ir_type_float(b->ctx, IR_F64);
  }
  return float_to_float(
      b, ir_build1(b, is_signed ? OP_ARITH_SITOFP : OP_ARITH_UITOFP, wide, v, NULL, NULL), to);
}
static ir_value_t *is_nonzero(ir_builder_t *b, ir_value_t *v) {
  if (ir_float_kind(v->type) == IR_F8E8M0FNU)  // has no zero
    return low_int(b, ir_type_i(b->ctx, 1), 1);
  return low_cmpf(b, "une", v, low_float(b, v->type, 0));
}
ir_value_t *low_convert(ir_builder_t *b, ir_value_t *v, ir_type_t from, ir_type_t to) {
  ir_type_t low = low_type(b->ctx, to);
  if (ir_is(to, IR_T_COMPLEX)) {
    ir_type_t part_type = ir_kid(to, 0);
    if (!ir_is(from, IR_T_COMPLEX))
      return low_complex(b, low_convert(b, v, from, part_type), low_float(b, part_type, 0));
    return low_complex(b, low_convert(b, low_re(b, v), ir_kid(from, 0), part_type),
                       low_convert(b, low_im(b, v), ir_kid(from, 0), part_type));
  }
  if (ir_is(from, IR_T_COMPLEX)) return low_convert(b, low_re(b, v), ir_kid(from, 0), to);
  bool from_float = ir_type_is_float(from), to_float = ir_type_is_float(to);
  if (ir_type_is_int(to, 1) && !ir_type_is_int(from, 1))
    return from_float ? is_nonzero(b, v)
                      : low_cmpi(b, "ne", v, low_int(b, v->type, 0));
  if (from_float) return to_float ? float_to_float(b, v, low) : float_to_int(b, v, to);
  if (to_float) return int_to_float(b, v, is_signed_int(from), low);
  unsigned from_bits = ir_type_width(from), to_bits = ir_type_width(to);
  if (from_bits == to_bits) return v;
  ir_kind_t kind = from_bits > to_bits   ? OP_ARITH_TRUNCI
                   : is_signed_int(from) ? OP_ARITH_EXTSI
                                         : OP_ARITH_EXTUI;
  return ir_build1(b, kind, low, v, NULL, NULL);
}

// ---- integers
static ir_value_t *int_divide(ir_builder_t *b, ir_value_t *x, ir_value_t *y, bool is_signed,
                              bool remainder) {
  ir_type_t t = x->type;
  ir_value_t *zero = low_int(b, t, 0), *one = low_int(b, t, 1), *ones = low_int(b, t, -1);
  ir_value_t *by_zero = low_cmpi(b, "eq", y, zero), *unsafe = by_zero, *overflow = NULL;
  if (is_signed) {
    ir_value_t *min = low_int(b, t, (int64_t)(1ull << (ir_type_width(t) - 1)));
    overflow = low_op2(b, OP_ARITH_ANDI, low_cmpi(b, "eq", x, min), low_cmpi(b, "eq", y, ones));
    unsafe = low_op2(b, OP_ARITH_ORI, by_zero, overflow);
  }
  ir_value_t *divisor = low_select(b, unsafe, one, y);
  if (remainder) {
    ir_value_t *r = low_op2(b, is_signed ? OP_ARITH_REMSI : OP_ARITH_REMUI, x, divisor);
    return low_select(b, by_zero, x, r);  // by -1: x % 1 = 0 as it should
  }
  ir_value_t *q = low_op2(b, is_signed ? OP_ARITH_DIVSI : OP_ARITH_DIVUI, x, divisor);
  return low_select(b, by_zero, ones, q);  // the smallest by -1: x / 1, itself
}
static ir_value_t *int_power(ir_builder_t *b, ir_value_t *x, ir_value_t *y, bool is_signed) {
  ir_type_t t = x->type;
  unsigned width = ir_type_width(t);
  ir_value_t *zero = low_int(b, t, 0), *one = low_int(b, t, 1), *result = one, *square = x;
  for (unsigned i = 0; i < width; ++i) {  // one step per bit of the exponent
    ir_value_t *bit =
        low_op2(b, OP_ARITH_ANDI, low_op2(b, OP_ARITH_SHRUI, y, low_int(b, t, i)), one);
    result = low_select(b, low_cmpi(b, "ne", bit, zero), low_op2(b, OP_ARITH_MULI, result, square),
                        result);
    if (i + 1 < width) square = low_op2(b, OP_ARITH_MULI, square, square);
  }
  if (!is_signed) return result;
  // Of a negative exponent only 1 and -1 leave anything.
  ir_value_t *ones = low_int(b, t, -1),
             *odd = low_cmpi(b, "ne", low_op2(b, OP_ARITH_ANDI, y, one), zero);
  ir_value_t *inverse =
      low_select(b, low_cmpi(b, "eq", x, ones), low_select(b, odd, ones, one), zero);
  inverse = low_select(b, low_cmpi(b, "eq", x, one), one, inverse);
  return low_select(b, low_cmpi(b, "slt", y, zero), inverse, result);
}
static ir_value_t *shift(ir_builder_t *b, ir_kind_t kind, ir_value_t *x, ir_value_t *y) {
  unsigned width = ir_type_width(x->type);
  ir_value_t *fits = low_cmpi(b, "ult", y, low_int(b, y->type, width));
  ir_value_t *beyond = low_int(b, x->type, 0);
  if (width == 1) fits = low_cmpi(b, "eq", y, low_int(b, y->type, 0));
  if (kind == OP_ARITH_SHRSI)
    beyond = width == 1 ? x : low_op2(b, kind, x, low_int(b, y->type, width - 1));
  ir_value_t *amount = low_select(b, fits, y, low_int(b, y->type, 0));
  return low_select(b, fits, low_op2(b, kind, x, amount), beyond);
}

// ---- comparison
static const char *float_predicate(const char *direction) {
  static const char *const table[][2] = {{"EQ", "oeq"}, {"NE", "une"}, {"GE", "oge"},
                                         {"GT", "ogt"}, {"LE", "ole"}, {"LT", "olt"}};
  for (size_t i = 0; i < 6; ++i)
    if (!strcmp(table[i][0], direction)) return table[i][1];
  return "oeq";
}
static const char *int_predicate(const char *direction, bool is_signed) {
  static const char *const table[][3] = {{"EQ", "eq", "eq"},   {"NE", "ne", "ne"},
                                         {"GE", "sge", "uge"}, {"GT", "sgt", "ugt"},
                                         {"LE", "sle", "ule"}, {"LT", "slt", "ult"}};
  for (size_t i = 0; i < 6; ++i)
    if (!strcmp(table[i][0], direction)) return table[i][is_signed ? 1 : 2];
  return "eq";
}
// Bits of a float as an integer that orders as IEEE totalOrder does.
static ir_value_t *total_order(ir_builder_t *b, ir_value_t *x) {
  unsigned width = ir_type_width(x->type);
  ir_type_t t = ir_type_i(b->ctx, width);
  ir_value_t *bits = ir_build1(b, OP_ARITH_BITCAST, t, x, NULL, NULL);
  if (ir_float_kind(x->type) == IR_F8E8M0FNU)  // has no sign
    return low_op2(b, OP_ARITH_XORI, bits, low_int(b, t, -128));
  ir_value_t *flipped =
      low_op2(b, OP_ARITH_XORI, bits, low_int(b, t, (int64_t)((1ull << (width - 1)) - 1)));
  return low_select(b, low_cmpi(b, "slt", bits, low_int(b, t, 0)), flipped, bits);
}
static ir_value_t *compare(ir_builder_t *b, ir_type_t type, const char *direction,
                           ir_attr_t compare_type, ir_value_t *x, ir_value_t *y) {
  if (ir_is(type, IR_T_COMPLEX)) {
    bool ne = !strcmp(direction, "NE");
    ir_value_t *re = low_cmpf(b, ne ? "une" : "oeq", low_re(b, x), low_re(b, y)),
               *im = low_cmpf(b, ne ? "une" : "oeq", low_im(b, x), low_im(b, y));
    if (!ne && strcmp(direction, "EQ")) return NULL;
    return low_op2(b, ne ? OP_ARITH_ORI : OP_ARITH_ANDI, re, im);
  }
  if (ir_type_is_float(type)) {
    if (compare_type && ir_str_is(compare_type, "TOTALORDER"))
      return low_cmpi(b, int_predicate(direction, true), total_order(b, x), total_order(b, y));
    return low_cmpf(b, float_predicate(direction), x, y);
  }
  return low_cmpi(b, int_predicate(direction, is_signed_int(type)), x, y);
}

ir_value_t *low_greater(ir_builder_t *b, ir_type_t semantic, ir_value_t *x, ir_value_t *y) {
  if (ir_type_is_float(semantic)) return low_cmpi(b, "sgt", total_order(b, x), total_order(b, y));
  return low_cmpi(b, is_signed_int(semantic) ? "sgt" : "ugt", x, y);
}

// ---- floats
static ir_value_t *float_sign(ir_builder_t *b, ir_value_t *x) {
  ir_value_t *zero = low_float(b, x->type, 0), *one = low_float(b, x->type, 1);
  if (ir_float_kind(x->type) == IR_F8E8M0FNU)  // all are positive
    return low_select(b, low_cmpf(b, "uno", x, x), x, one);
  ir_value_t *s = low_op2(b, OP_MATH_COPYSIGN, one, x);
  return low_select(b, low_cmpf(b, "one", x, zero), s, x);  // zeros and NaN stay
}
// Rounds to a float of |e| exponent and |m| mantissa bits held in the same type.
static ir_value_t *reduce_precision(ir_builder_t *b, ir_value_t *x, int e, int m) {
  ir_float_t kind = ir_float_kind(x->type);
  if (ir_float_bits(kind) < 16)
    return float_to_float(b, reduce_precision(b, to_f32(b, x), e, m), x->type);
  int width = (int)ir_float_bits(kind), mantissa = kind == IR_F64   ? 52
                                                   : kind == IR_F32 ? 23
                                                   : kind == IR_F16 ? 10
                                                                    : 7;
  int exponent = width - 1 - mantissa;
  ir_type_t t = ir_type_i(b->ctx, (unsigned)width);
  ir_value_t *bits = ir_build1(b, OP_ARITH_BITCAST, t, x, NULL, NULL);
  uint64_t sign_bit = 1ull << (width - 1), exp_mask = ((1ull << exponent) - 1) << mantissa;
  if (m < mantissa) {
    int cut = mantissa - m;
    ir_value_t *last = low_op2(
        b, OP_ARITH_ANDI, low_op2(b, OP_ARITH_SHRUI, bits, low_int(b, t, cut)), low_int(b, t, 1));
    ir_value_t *bias =
        low_op2(b, OP_ARITH_ADDI, last, low_int(b, t, (int64_t)((1ull << (cut - 1)) - 1)));
    bits = low_op2(b, OP_ARITH_ANDI, low_op2(b, OP_ARITH_ADDI, bits, bias),
                   low_int(b, t, (int64_t) ~((1ull << cut) - 1)));
  }
  if (e < exponent) {
    uint64_t bias = (1ull << (exponent - 1)) - 1, reduced = (1ull << (e - 1)) - 1;
    ir_value_t *exp_bits = low_op2(b, OP_ARITH_ANDI, bits, low_int(b, t, (int64_t)exp_mask));
    ir_value_t *sign = low_op2(b, OP_ARITH_ANDI, bits, low_int(b, t, (int64_t)sign_bit));
    ir_value_t *over =
        low_cmpi(b, "ugt", exp_bits, low_int(b, t, (int64_t)((bias + reduced) << mantissa)));
    ir_value_t *under =
        low_cmpi(b, "ule", exp_bits, low_int(b, t, (int64_t)((bias - reduced) << mantissa)));
    bits =
        low_select(b, over, low_op2(b, OP_ARITH_ORI, sign, low_int(b, t, (int64_t)exp_mask)), bits);
    bits = low_select(b, under, sign, bits);
  }
  ir_value_t *r = ir_build1(b, OP_ARITH_BITCAST, x->type, bits, NULL, NULL);
  ir_value_t *is_nan = low_cmpf(b, "uno", x, x);
  if (m) return low_select(b, is_nan, x, r);
  // Without a mantissa there is no NaN: the infinity of its sign.
  ir_value_t *inf = low_op2(b, OP_MATH_COPYSIGN, low_float(b, x->type, INFINITY), x);
  return low_select(b, is_nan, inf, r);
}

// ---- the table
typedef struct scalar_row {
  ir_kind_t kind, float_op, signed_op, unsigned_op;
} scalar_row_t;
static const scalar_row_t simple[] = {
    {OP_HLO_SUBTRACT, OP_ARITH_SUBF, OP_ARITH_SUBI, OP_ARITH_SUBI},
    {OP_HLO_AND, 0, OP_ARITH_ANDI, OP_ARITH_ANDI},
    {OP_HLO_OR, 0, OP_ARITH_ORI, OP_ARITH_ORI},
    {OP_HLO_XOR, 0, OP_ARITH_XORI, OP_ARITH_XORI},
    {OP_HLO_ATAN2, OP_MATH_ATAN2, 0, 0},
    {OP_HLO_CBRT, OP_MATH_CBRT, 0, 0},
    {OP_HLO_CEIL, OP_MATH_CEIL, 0, 0},
    {OP_HLO_COSINE, OP_MATH_COS, 0, 0},
    {OP_HLO_COUNT_LEADING_ZEROS, 0, OP_MATH_CTLZ, OP_MATH_CTLZ},
    {OP_HLO_EXPONENTIAL, OP_MATH_EXP, 0, 0},
    {OP_HLO_EXPONENTIAL_MINUS_ONE, OP_MATH_EXPM1, 0, 0},
    {OP_HLO_FLOOR, OP_MATH_FLOOR, 0, 0},
    {OP_HLO_LOG, OP_MATH_LOG, 0, 0},
    {OP_HLO_LOG_PLUS_ONE, OP_MATH_LOG1P, 0, 0},
    {OP_HLO_POPCNT, 0, OP_MATH_CTPOP, OP_MATH_CTPOP},
    {OP_HLO_ROUND_NEAREST_AFZ, OP_MATH_ROUND, 0, 0},
    {OP_HLO_ROUND_NEAREST_EVEN, OP_MATH_ROUNDEVEN, 0, 0},
    {OP_HLO_RSQRT, OP_MATH_RSQRT, 0, 0},
    {OP_HLO_SINE, OP_MATH_SIN, 0, 0},
    {OP_HLO_SQRT, OP_MATH_SQRT, 0, 0},
    {OP_HLO_TAN, OP_MATH_TAN, 0, 0},
    {OP_HLO_TANH, OP_MATH_TANH, 0, 0},
};
static const scalar_row_t *simple_row(ir_kind_t kind) {
  for (size_t i = 0; i < sizeof simple / sizeof *simple; ++i)
    if (simple[i].kind == kind) return &simple[i];
  return NULL;
}
bool low_is_elementwise(ir_kind_t kind) {
  if (simple_row(kind)) return true;
  switch (kind) {
    case OP_HLO_ABS:
    case OP_HLO_ADD:
    case OP_HLO_CLAMP:
    case OP_HLO_COMPARE:
    case OP_HLO_COMPLEX:
    case OP_HLO_CONVERT:
    case OP_HLO_DIVIDE:
    case OP_HLO_IMAG:
    case OP_HLO_IS_FINITE:
    case OP_HLO_LOGISTIC:
    case OP_HLO_MAXIMUM:
    case OP_HLO_MINIMUM:
    case OP_HLO_MULTIPLY:
    case OP_HLO_NEGATE:
    case OP_HLO_NOT:
    case OP_HLO_POWER:
    case OP_HLO_REAL:
    case OP_HLO_REDUCE_PRECISION:
    case OP_HLO_REMAINDER:
    case OP_HLO_SELECT:
    case OP_HLO_SHIFT_LEFT:
    case OP_HLO_SHIFT_RIGHT_ARITHMETIC:
    case OP_HLO_SHIFT_RIGHT_LOGICAL:
    case OP_HLO_SIGN:
      return true;
    default:
      return kind >= OP_CHLO_ABS && kind <= OP_CHLO_ZETA;
  }
}

static ir_value_t *int_op(ir_builder_t *b, const ir_op_t *op, ir_type_t type,
                          ir_value_t *const *args) {
  ir_value_t *x = args[0], *zero = low_int(b, x->type, 0);
  bool is_signed = is_signed_int(type);
  switch (op->kind) {
    case OP_HLO_ABS:
      return is_signed
                 ? low_select(b, low_cmpi(b, "slt", x, zero), low_op2(b, OP_ARITH_SUBI, zero, x), x)
                 : x;
    case OP_HLO_NEGATE:
      return low_op2(b, OP_ARITH_SUBI, zero, x);
    case OP_HLO_NOT:
      return low_op2(b, OP_ARITH_XORI, x, low_int(b, x->type, -1));
    case OP_HLO_SIGN: {
      ir_value_t *one = low_int(b, x->type, 1);
      ir_value_t *s = is_signed
                          ? low_select(b, low_cmpi(b, "slt", x, zero), low_int(b, x->type, -1), one)
                          : one;
      return low_select(b, low_cmpi(b, "eq", x, zero), zero, s);
    }
    case OP_HLO_DIVIDE:
      return ir_type_is_int(type, 1) ? x : int_divide(b, x, args[1], is_signed, false);
    case OP_HLO_REMAINDER:
      return ir_type_is_int(type, 1) ? zero : int_divide(b, x, args[1], is_signed, true);
    case OP_HLO_POWER:
      return int_power(b, x, args[1], is_signed);
    case OP_HLO_SHIFT_LEFT:
      return shift(b, OP_ARITH_SHLI, x, args[1]);
    case OP_HLO_SHIFT_RIGHT_LOGICAL:
      return shift(b, OP_ARITH_SHRUI, x, args[1]);
    case OP_HLO_SHIFT_RIGHT_ARITHMETIC:
      return shift(b, OP_ARITH_SHRSI, x, args[1]);
    default:
      return NULL;
  }
}
static ir_value_t *float_op(ir_builder_t *b, const ir_op_t *op, ir_value_t *const *args) {
  ir_value_t *x = args[0];
  switch (op->kind) {
    case OP_HLO_ABS:
      return low_op1(b, OP_MATH_ABSF, x);
    case OP_HLO_NEGATE:
      return low_op1(b, OP_ARITH_NEGF, x);
    case OP_HLO_SIGN:
      return float_sign(b, x);
    case OP_HLO_DIVIDE:
      return low_op2(b, OP_ARITH_DIVF, x, args[1]);
    case OP_HLO_REMAINDER:
      return low_op2(b, OP_ARITH_REMF, x, args[1]);
    case OP_HLO_POWER:
      return low_op2(b, OP_MATH_POWF, x, args[1]);
    case OP_HLO_IS_FINITE:
      x = to_f32(b, x);  // narrow formats may lack infinity
      return low_cmpf(b, "olt", low_op1(b, OP_MATH_ABSF, x), low_float(b, x->type, INFINITY));
    case OP_HLO_REDUCE_PRECISION:
      return reduce_precision(b, x, (int)ir_op_int(op, "exponent_bits", 8),
                              (int)ir_op_int(op, "mantissa_bits", 23));
    case OP_HLO_LOGISTIC: {
      // Narrow ones in f32: the power needs its range.
      ir_value_t *v = to_f32(b, x), *one = low_float(b, v->type, 1);
      ir_value_t *power = low_op1(b, OP_MATH_EXP, low_op1(b, OP_ARITH_NEGF, v));
      return float_to_float(
          b, low_op2(b, OP_ARITH_DIVF, one, low_op2(b, OP_ARITH_ADDF, one, power)), x->type);
    }
    case OP_HLO_REAL:
      return x;
    case OP_HLO_IMAG:
      return low_float(b, x->type, 0);
    default:
      return NULL;
  }
}
// The smaller or the larger of two.
static ir_value_t *extreme(ir_builder_t *b, ir_type_t type, bool is_max, ir_value_t *x,
                           ir_value_t *y) {
  if (ir_is(type, IR_T_COMPLEX)) return low_complex_extreme(b, is_max, x, y);
  ir_kind_t kind = ir_type_is_float(type) ? (is_max ? OP_ARITH_MAXIMUMF : OP_ARITH_MINIMUMF)
                   : is_signed_int(type)  ? (is_max ? OP_ARITH_MAXSI : OP_ARITH_MINSI)
                                          : (is_max ? OP_ARITH_MAXUI : OP_ARITH_MINUI);
  return low_op2(b, kind, x, y);
}
ir_value_t *low_scalar_op(ir_builder_t *b, const ir_op_t *op, ir_value_t *const *args) {
  ir_type_t type = ir_type_element(ir_operand(op, 0)->type),
            to = ir_type_element(ir_result(op, 0)->type);
  bool is_float = ir_type_is_float(type), is_complex = ir_is(type, IR_T_COMPLEX);
  switch (op->kind) {
    case OP_HLO_ADD:
      return low_add(b, args[0], args[1]);
    case OP_HLO_MULTIPLY:
      return low_mul(b, args[0], args[1]);
    case OP_HLO_SELECT:
      return low_select(b, args[0], args[1], args[2]);
    case OP_HLO_CONVERT:
      return low_convert(b, args[0], type, to);
    case OP_HLO_COMPLEX:
      return low_complex(b, args[0], args[1]);
    case OP_HLO_COMPARE:
      return compare(b, type, ir_bytes(ir_op_attr(op, "comparison_direction")),
                     ir_op_attr(op, "compare_type"), args[0], args[1]);
    case OP_HLO_CLAMP:
      return extreme(b, type, false, extreme(b, type, true, args[1], args[0]), args[2]);
    case OP_HLO_MAXIMUM:
    case OP_HLO_MINIMUM:
      return extreme(b, type, op->kind == OP_HLO_MAXIMUM, args[0], args[1]);
    default:
      break;
  }
  if (op->kind >= OP_CHLO_ABS && op->kind <= OP_CHLO_ZETA) return low_chlo_scalar(b, op, args);
  if (is_complex) return low_complex_op(b, op, args);
  const scalar_row_t *row = simple_row(op->kind);
  if (!row) return is_float ? float_op(b, op, args) : int_op(b, op, type, args);
  ir_kind_t kind = is_float              ? row->float_op
                   : is_signed_int(type) ? row->signed_op
                                         : row->unsigned_op;
  if (!kind) return NULL;
  return op->n_operands == 1 ? low_op1(b, kind, args[0]) : low_op2(b, kind, args[0], args[1]);
}
