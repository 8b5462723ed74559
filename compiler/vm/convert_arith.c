// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arith and math on scalars. A row gives the vm op per register type; integers narrower than a
// register are sign-extended before ops that look at the sign and brought back to zero-extended
// after ops that may overflow.
#include <math.h>

#include "compiler/ir/fold.h"
#include "compiler/vm/convert.h"

enum {
  SIGNED = 1,  // reads operands as signed
  WRAPS = 2,   // the result may not fit a narrow type
  FULL = 4,    // wrong on types narrower than their register
};
typedef struct arith_row {
  op_kind_t kind, i32, i64, f32, f64;
  int flags;
} arith_row_t;

#define INT(A, V, flags) \
  { OP_ARITH_##A, OP_VM_##V##_I32, OP_VM_##V##_I64, OP_NONE, OP_NONE, flags }
#define INT_S(A, V, flags) \
  { OP_ARITH_##A, OP_VM_##V##_I32_S, OP_VM_##V##_I64_S, OP_NONE, OP_NONE, flags }
#define INT_U(A, V, flags) \
  { OP_ARITH_##A, OP_VM_##V##_I32_U, OP_VM_##V##_I64_U, OP_NONE, OP_NONE, flags }
#define FLOAT(A, V) \
  { OP_##A, OP_NONE, OP_NONE, OP_VM_##V##_F32, OP_VM_##V##_F64, 0 }
static const arith_row_t rows[] = {
    INT(ADDI, ADD, WRAPS),
    INT(SUBI, SUB, WRAPS),
    INT(MULI, MUL, WRAPS),
    INT(ANDI, AND, 0),
    INT(ORI, OR, 0),
    INT(XORI, XOR, 0),
    INT_S(DIVSI, DIV, SIGNED | WRAPS),
    INT_U(DIVUI, DIV, 0),
    INT_S(REMSI, REM, SIGNED | WRAPS),
    INT_U(REMUI, REM, 0),
    INT_S(MAXSI, MAX, SIGNED | WRAPS),
    INT_U(MAXUI, MAX, 0),
    INT_S(MINSI, MIN, SIGNED | WRAPS),
    INT_U(MINUI, MIN, 0),
    FLOAT(ARITH_ADDF, ADD),
    FLOAT(ARITH_SUBF, SUB),
    FLOAT(ARITH_MULF, MUL),
    FLOAT(ARITH_DIVF, DIV),
    FLOAT(ARITH_NEGF, NEG),
    FLOAT(ARITH_MAXNUMF, MAX),
    FLOAT(ARITH_MINNUMF, MIN),
    FLOAT(MATH_ABSF, ABS),
    FLOAT(MATH_CEIL, CEIL),
    FLOAT(MATH_FLOOR, FLOOR),
    FLOAT(MATH_ROUND, ROUND),
    {OP_MATH_ROUNDEVEN, OP_NONE, OP_NONE, OP_VM_ROUND_F32_EVEN, OP_VM_ROUND_F64_EVEN, 0},
    FLOAT(MATH_ATAN, ATAN),
    FLOAT(MATH_ATAN2, ATAN2),
    FLOAT(MATH_COS, COS),
    FLOAT(MATH_SIN, SIN),
    FLOAT(MATH_EXP, EXP),
    FLOAT(MATH_EXP2, EXP2),
    FLOAT(MATH_EXPM1, EXPM1),
    FLOAT(MATH_LOG, LOG),
    FLOAT(MATH_LOG10, LOG10),
    FLOAT(MATH_LOG1P, LOG1P),
    FLOAT(MATH_LOG2, LOG2),
    FLOAT(MATH_POWF, POW),
    FLOAT(MATH_RSQRT, RSQRT),
    FLOAT(MATH_SQRT, SQRT),
    FLOAT(MATH_TANH, TANH),
    FLOAT(MATH_ERF, ERF),
    FLOAT(MATH_FMA, FMA),
    {OP_MATH_ABSI, OP_VM_ABS_I32, OP_VM_ABS_I64, OP_NONE, OP_NONE, SIGNED | WRAPS},
    {OP_MATH_CTLZ, OP_VM_CTLZ_I32, OP_VM_CTLZ_I64, OP_NONE, OP_NONE, FULL},
};
#undef INT
#undef INT_S
#undef INT_U
#undef FLOAT

static unsigned narrow_width(ir_type_t type) {  // 0 where the register is full
  unsigned width = type->kind == IR_T_INTEGER ? ir_type_width(type) : 64;
  return width < 32 ? width : 0;
}
static ir_value_t *sign_extended(vm_convert_t *c, const ir_value_t *old) {
  ir_type_t i32 = ir_type_i(c->ctx, 32);
  ir_value_t *v = vm_mapped(c, old);
  switch (narrow_width(old->type)) {
    case 0:
      return v;
    case 1:
      return vm_op(c, OP_VM_SUB_I32, i32, vm_i32(c, 0), v, NULL);
    case 8:
      return vm_op(c, OP_VM_EXT_I8_I32_S, i32, v, NULL, NULL);
    case 16:
      return vm_op(c, OP_VM_EXT_I16_I32_S, i32, v, NULL, NULL);
    default: {
      ir_value_t *shift = vm_i32(c, 32 - (int32_t)narrow_width(old->type));
      return vm_op(c, OP_VM_SHR_I32_S, i32, vm_op(c, OP_VM_SHL_I32, i32, v, shift, NULL), shift,
                   NULL);
    }
  }
}
static ir_value_t *zero_extended(vm_convert_t *c, ir_value_t *v, ir_type_t type) {
  ir_type_t i32 = ir_type_i(c->ctx, 32);
  switch (narrow_width(type)) {
    case 0:
      return v;
    case 8:
      return vm_op(c, OP_VM_TRUNC_I32_I8, i32, v, NULL, NULL);
    case 16:
      return vm_op(c, OP_VM_TRUNC_I32_I16, i32, v, NULL, NULL);
    default:
      return vm_op(c, OP_VM_AND_I32, i32, v, vm_i32(c, (int32_t)((1u << narrow_width(type)) - 1)),
                   NULL);
  }
}

static iree_status_t register_type(vm_convert_t *c, const ir_op_t *op, ir_type_t type,
                                   ir_type_t *out) {
  if (!ir_type_is_integer_like(type) && !ir_type_is_float(type))
    return ir_op_error(op, "stays on the host, where only scalars can");
  return vm_convert_type(c, op, type, out);
}

static iree_status_t convert_row(vm_convert_t *c, ir_op_t *op) {
  size_t i = 0;
  while (rows[i].kind != (op_kind_t)op->kind) ++i;
  const arith_row_t *row = &rows[i];
  ir_type_t old = ir_result(op, 0)->type, type;
  IREE_RETURN_IF_ERROR(register_type(c, op, old, &type));
  bool wide = ir_type_width(type) > 32;
  op_kind_t kind = type->kind == IR_T_FLOAT ? (wide ? row->f64 : row->f32)
                   : wide                   ? row->i64
                                            : row->i32;
  if (kind == OP_NONE || (row->flags & FULL && narrow_width(old)))
    return ir_op_error(op, "has no instruction for this type");
  ir_value_t *v[3] = {NULL, NULL, NULL};
  for (uint32_t k = 0; k < op->n_operands && k < 3; ++k)
    v[k] =
        row->flags & SIGNED ? sign_extended(c, ir_operand(op, k)) : vm_mapped(c, ir_operand(op, k));
  ir_value_t *result = vm_op(c, kind, type, v[0], v[1], v[2]);
  vm_map(c, ir_result(op, 0), row->flags & WRAPS ? zero_extended(c, result, old) : result);
  return iree_ok_status();
}

static iree_status_t convert_shift(vm_convert_t *c, ir_op_t *op) {
  ir_type_t old = ir_result(op, 0)->type, type;
  IREE_RETURN_IF_ERROR(register_type(c, op, old, &type));
  bool wide = ir_type_width(type) > 32, is_signed = op->kind == OP_ARITH_SHRSI;
  ir_value_t *v = is_signed ? sign_extended(c, ir_operand(op, 0)) : vm_mapped(c, ir_operand(op, 0));
  ir_value_t *amount = vm_resize(c, vm_mapped(c, ir_operand(op, 1)), ir_type_i(c->ctx, 32));
  op_kind_t kind = op->kind == OP_ARITH_SHLI ? (wide ? OP_VM_SHL_I64 : OP_VM_SHL_I32)
                   : is_signed               ? (wide ? OP_VM_SHR_I64_S : OP_VM_SHR_I32_S)
                                             : (wide ? OP_VM_SHR_I64_U : OP_VM_SHR_I32_U);
  vm_map(c, ir_result(op, 0), zero_extended(c, vm_op(c, kind, type, v, amount, NULL), old));
  return iree_ok_status();
}

// Quotients rounded up or down: the truncated one, corrected by one where a remainder is left over.
static iree_status_t convert_rounded_division(vm_convert_t *c, ir_op_t *op) {
  ir_type_t old = ir_result(op, 0)->type, i32 = ir_type_i(c->ctx, 32), type;
  IREE_RETURN_IF_ERROR(register_type(c, op, old, &type));
  bool wide = ir_type_width(type) > 32, is_unsigned = op->kind == OP_ARITH_CEILDIVUI,
       down = op->kind == OP_ARITH_FLOORDIVSI;
  ir_value_t *a =
      is_unsigned ? vm_mapped(c, ir_operand(op, 0)) : sign_extended(c, ir_operand(op, 0));
  ir_value_t *b =
      is_unsigned ? vm_mapped(c, ir_operand(op, 1)) : sign_extended(c, ir_operand(op, 1));
  op_kind_t divide = is_unsigned ? (wide ? OP_VM_DIV_I64_U : OP_VM_DIV_I32_U)
                     : wide      ? OP_VM_DIV_I64_S
                                 : OP_VM_DIV_I32_S;
  ir_value_t *q = vm_op(c, divide, type, a, b, NULL);
  ir_value_t *back = vm_op(c, wide ? OP_VM_MUL_I64 : OP_VM_MUL_I32, type, q, b, NULL);
  ir_value_t *adjust = vm_op(c, wide ? OP_VM_CMP_NE_I64 : OP_VM_CMP_NE_I32, i32, back, a, NULL);
  if (!is_unsigned) {  // truncation was the wrong way where the signs differ (down) or agree (up)
    ir_value_t *zero = wide ? vm_i64(c, 0) : vm_i32(c, 0);
    op_kind_t less = wide ? OP_VM_CMP_LT_I64_S : OP_VM_CMP_LT_I32_S;
    ir_value_t *differ = vm_op(c, OP_VM_XOR_I32, i32, vm_op(c, less, i32, a, zero, NULL),
                               vm_op(c, less, i32, b, zero, NULL), NULL);
    if (!down) differ = vm_op(c, OP_VM_XOR_I32, i32, differ, vm_i32(c, 1), NULL);
    adjust = vm_op(c, OP_VM_AND_I32, i32, adjust, differ, NULL);
  }
  ir_value_t *one = vm_resize(c, adjust, type);
  q = vm_op(c,
            down ? (wide ? OP_VM_SUB_I64 : OP_VM_SUB_I32) : (wide ? OP_VM_ADD_I64 : OP_VM_ADD_I32),
            type, q, one, NULL);
  vm_map(c, ir_result(op, 0), zero_extended(c, q, old));
  return iree_ok_status();
}

// ---- comparisons: the machine has ==, != and <; the rest swaps operands and inverts
static const char *predicate(const ir_op_t *op) { return ir_bytes(ir_op_attr(op, "predicate")); }

static iree_status_t convert_cmpi(vm_convert_t *c, ir_op_t *op) {
  ir_type_t old = ir_operand(op, 0)->type, i32 = ir_type_i(c->ctx, 32), type;
  IREE_RETURN_IF_ERROR(register_type(c, op, old, &type));
  const char *p = predicate(op);
  bool wide = ir_type_width(type) > 32, is_signed = p[0] == 's';
  ir_value_t *a = is_signed ? sign_extended(c, ir_operand(op, 0)) : vm_mapped(c, ir_operand(op, 0));
  ir_value_t *b = is_signed ? sign_extended(c, ir_operand(op, 1)) : vm_mapped(c, ir_operand(op, 1));
  ir_value_t *result;
  if (p[0] == 'e' || p[0] == 'n') {
    op_kind_t kind = p[0] == 'e' ? (wide ? OP_VM_CMP_EQ_I64 : OP_VM_CMP_EQ_I32)
                                 : (wide ? OP_VM_CMP_NE_I64 : OP_VM_CMP_NE_I32);
    result = vm_op(c, kind, i32, a, b, NULL);
  } else {
    bool greater = p[1] == 'g', or_equal = p[2] == 'e';
    op_kind_t less = is_signed ? (wide ? OP_VM_CMP_LT_I64_S : OP_VM_CMP_LT_I32_S)
                               : (wide ? OP_VM_CMP_LT_I64_U : OP_VM_CMP_LT_I32_U);
    bool swap = greater != or_equal;  // a > b: b < a; a <= b: not b < a
    result = vm_op(c, less, i32, swap ? b : a, swap ? a : b, NULL);
    if (or_equal) result = vm_op(c, OP_VM_XOR_I32, i32, result, vm_i32(c, 1), NULL);
  }
  vm_map(c, ir_result(op, 0), result);
  return iree_ok_status();
}

static iree_status_t convert_cmpf(vm_convert_t *c, ir_op_t *op) {
  ir_type_t i32 = ir_type_i(c->ctx, 32), type;
  IREE_RETURN_IF_ERROR(register_type(c, op, ir_operand(op, 0)->type, &type));
  const char *p = predicate(op);
  bool wide = ir_type_width(type) > 32, ordered = p[0] == 'o';
  ir_value_t *a = vm_mapped(c, ir_operand(op, 0)), *b = vm_mapped(c, ir_operand(op, 1));
  ir_value_t *result;
  if (p[0] == 'f' || p[0] == 't') {
    result = vm_i32(c, p[0] == 't');
  } else if (p[1] == 'r' || (p[1] == 'n' && p[2] == 'o')) {  // ord, uno
    op_kind_t nan = wide ? OP_VM_CMP_NAN_F64 : OP_VM_CMP_NAN_F32;
    result = vm_op(c, OP_VM_OR_I32, i32, vm_op(c, nan, i32, a, NULL, NULL),
                   vm_op(c, nan, i32, b, NULL, NULL), NULL);
    if (ordered) result = vm_op(c, OP_VM_XOR_I32, i32, result, vm_i32(c, 1), NULL);
  } else {
    static const op_kind_t kinds[4][2][2] = {
        {{OP_VM_CMP_EQ_F32_U, OP_VM_CMP_EQ_F32_O}, {OP_VM_CMP_EQ_F64_U, OP_VM_CMP_EQ_F64_O}},
        {{OP_VM_CMP_NE_F32_U, OP_VM_CMP_NE_F32_O}, {OP_VM_CMP_NE_F64_U, OP_VM_CMP_NE_F64_O}},
        {{OP_VM_CMP_LT_F32_U, OP_VM_CMP_LT_F32_O}, {OP_VM_CMP_LT_F64_U, OP_VM_CMP_LT_F64_O}},
        {{OP_VM_CMP_LTE_F32_U, OP_VM_CMP_LTE_F32_O}, {OP_VM_CMP_LTE_F64_U, OP_VM_CMP_LTE_F64_O}}};
    bool greater = p[1] == 'g';
    int which = p[1] == 'e' ? 0 : p[1] == 'n' ? 1 : p[2] == 't' ? 2 : 3;
    result = vm_op(c, kinds[which][wide][ordered], i32, greater ? b : a, greater ? a : b, NULL);
  }
  vm_map(c, ir_result(op, 0), result);
  return iree_ok_status();
}

// ---- the rest
// maximumf and minimumf: a NaN gives NaN and -0 < +0. The machine's max and min give the other operand
// for a NaN and know one zero.
typedef struct {
  op_kind_t less, less_or_nan, less_or_equal_or_nan, equal, nan, select, to_bits, from_bits;
} extremum_t;
static const extremum_t extrema[2] = {
    {OP_VM_CMP_LT_F32_O, OP_VM_CMP_LT_F32_U, OP_VM_CMP_LTE_F32_U, OP_VM_CMP_EQ_F32_O, OP_VM_CMP_NAN_F32,
     OP_VM_SELECT_F32, OP_VM_BITCAST_F32_I32, OP_VM_BITCAST_I32_F32},
    {OP_VM_CMP_LT_F64_O, OP_VM_CMP_LT_F64_U, OP_VM_CMP_LTE_F64_U, OP_VM_CMP_EQ_F64_O, OP_VM_CMP_NAN_F64,
     OP_VM_SELECT_F64, OP_VM_BITCAST_F64_I64, OP_VM_BITCAST_I64_F64}};

// 1 or -1 by the sign bit of a constant that is no NaN; 0 for all else.
static int constant_sign(const ir_value_t *v) {
  ir_attr_t value = ir_constant_of(v);
  if (!ir_is(value, IR_A_FLOAT)) return 0;
  double number = ir_float_to_double(ir_float_kind(v->type), (uint64_t)ir_int(value, 0));
  return number != number ? 0 : signbit(number) ? -1 : 1;
}
static iree_status_t convert_nan_extremum(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type, i32 = ir_type_i(c->ctx, 32);
  IREE_RETURN_IF_ERROR(register_type(c, op, ir_result(op, 0)->type, &type));
  bool wide = ir_type_width(type) > 32, is_max = op->kind == OP_ARITH_MAXIMUMF;
  const extremum_t *k = &extrema[wide];
  ir_value_t *a = vm_mapped(c, ir_operand(op, 0)), *b = vm_mapped(c, ir_operand(op, 1));
  int a_sign = constant_sign(ir_operand(op, 0)), b_sign = constant_sign(ir_operand(op, 1));
  if (a_sign && !b_sign) {
    ir_value_t *other = a;
    a = b, b = other, b_sign = a_sign;
  }
  if (b_sign) {
    // |a| stays where it is beyond the constant or NaN; of two zeros the constant's sign decides.
    bool or_equal = is_max == (b_sign < 0);
    ir_value_t *stays = vm_op(c, or_equal ? k->less_or_equal_or_nan : k->less_or_nan, i32,
                              is_max ? b : a, is_max ? a : b, NULL);
    vm_map(c, ir_result(op, 0), vm_op(c, k->select, type, stays, a, b));
    return iree_ok_status();
  }
  ir_value_t *wins = vm_op(c, k->less, i32, is_max ? b : a, is_max ? a : b, NULL);
  ir_value_t *result = vm_op(c, k->select, type, wins, a, b);
  // Equal operands differ at most in the sign of zero: and for the larger, or for the smaller.
  ir_type_t bits = ir_type_i(c->ctx, wide ? 64 : 32);
  op_kind_t merge = is_max ? (wide ? OP_VM_AND_I64 : OP_VM_AND_I32) : (wide ? OP_VM_OR_I64 : OP_VM_OR_I32);
  ir_value_t *both = vm_op(c, merge, bits, vm_op(c, k->to_bits, bits, a, NULL, NULL),
                           vm_op(c, k->to_bits, bits, b, NULL, NULL), NULL);
  ir_value_t *equal = vm_op(c, k->equal, i32, a, b, NULL);
  result = vm_op(c, k->select, type, equal, vm_op(c, k->from_bits, type, both, NULL, NULL), result);
  vm_map(c, ir_result(op, 0), vm_op(c, k->select, type, vm_op(c, k->nan, i32, a, NULL, NULL), a, result));
  return iree_ok_status();
}

// The machine's remainder is of the nearest quotient; this one has the sign of the dividend. Of
// magnitudes the former is negative where the quotient was rounded up.
static iree_status_t convert_remainder(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type, i32 = ir_type_i(c->ctx, 32);
  IREE_RETURN_IF_ERROR(register_type(c, op, ir_result(op, 0)->type, &type));
  bool wide = ir_type_width(type) > 32;
  op_kind_t abs = wide ? OP_VM_ABS_F64 : OP_VM_ABS_F32, neg = wide ? OP_VM_NEG_F64 : OP_VM_NEG_F32,
            select = wide ? OP_VM_SELECT_F64 : OP_VM_SELECT_F32,
            less = wide ? OP_VM_CMP_LT_F64_O : OP_VM_CMP_LT_F32_O,
            to_bits = wide ? OP_VM_BITCAST_F64_I64 : OP_VM_BITCAST_F32_I32;
  ir_value_t *x = vm_mapped(c, ir_operand(op, 0)), *y = vm_mapped(c, ir_operand(op, 1));
  ir_value_t *divisor = vm_op(c, abs, type, y, NULL, NULL);
  ir_value_t *r = vm_op(c, wide ? OP_VM_REM_F64 : OP_VM_REM_F32, type,
                        vm_op(c, abs, type, x, NULL, NULL), divisor, NULL);
  ir_value_t *zero = vm_const(c, ir_attr_float_bits(c->ctx, type, 0));
  ir_value_t *up = vm_op(c, wide ? OP_VM_ADD_F64 : OP_VM_ADD_F32, type, r, divisor, NULL);
  r = vm_op(c, select, type, vm_op(c, less, i32, r, zero, NULL), up, r);
  ir_value_t *bits = vm_op(c, to_bits, wide ? ir_type_i(c->ctx, 64) : i32, x, NULL, NULL);
  ir_value_t *is_negative = vm_op(c, wide ? OP_VM_CMP_LT_I64_S : OP_VM_CMP_LT_I32_S, i32, bits,
                                  wide ? vm_i64(c, 0) : vm_i32(c, 0), NULL);
  vm_map(c, ir_result(op, 0),
         vm_op(c, select, type, is_negative, vm_op(c, neg, type, r, NULL, NULL), r));
  return iree_ok_status();
}

static iree_status_t convert_select(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(vm_convert_type(c, op, ir_result(op, 0)->type, &type));
  if (!ir_type_is_int(ir_operand(op, 0)->type, 1))
    return ir_op_error(op, "stays on the host, where only scalars can");
  op_kind_t kind =
      type->kind == IR_T_INTEGER ? (ir_type_width(type) > 32 ? OP_VM_SELECT_I64 : OP_VM_SELECT_I32)
      : type->kind == IR_T_FLOAT ? (ir_type_width(type) > 32 ? OP_VM_SELECT_F64 : OP_VM_SELECT_F32)
                                 : OP_VM_SELECT_REF;
  vm_map(c, ir_result(op, 0),
         vm_op(c, kind, type, vm_mapped(c, ir_operand(op, 0)), vm_mapped(c, ir_operand(op, 1)),
               vm_mapped(c, ir_operand(op, 2))));
  return iree_ok_status();
}

static iree_status_t convert_constant(vm_convert_t *c, ir_op_t *op) {
  ir_type_t old = ir_result(op, 0)->type, type;
  IREE_RETURN_IF_ERROR(register_type(c, op, old, &type));
  ir_attr_t value = ir_op_attr(op, "value");
  if (type->kind == IR_T_FLOAT) {
    vm_map(c, ir_result(op, 0), vm_const(c, value));
    return iree_ok_status();
  }
  int64_t number = ir_int(value, 0);
  if (narrow_width(old)) number &= (int64_t)((1u << narrow_width(old)) - 1);
  vm_map(c, ir_result(op, 0),
         ir_type_width(type) > 32 ? vm_i64(c, number) : vm_i32(c, (int32_t)number));
  return iree_ok_status();
}

static iree_status_t convert_extend(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(register_type(c, op, ir_result(op, 0)->type, &type));
  ir_type_t from = ir_operand(op, 0)->type;
  bool is_signed = op->kind == OP_ARITH_EXTSI || op->kind == OP_ARITH_INDEX_CAST;
  ir_value_t *v = is_signed ? sign_extended(c, ir_operand(op, 0)) : vm_mapped(c, ir_operand(op, 0));
  bool widens = ir_type_width(v->type) < ir_type_width(type);
  if (widens && is_signed)
    v = vm_op(c, OP_VM_EXT_I32_I64_S, type, v, NULL, NULL);
  else
    v = vm_resize(c, v, type);
  if (is_signed || ir_type_width(from) > ir_type_width(ir_result(op, 0)->type))
    v = zero_extended(c, v, ir_result(op, 0)->type);
  vm_map(c, ir_result(op, 0), v);
  return iree_ok_status();
}

static iree_status_t convert_number(vm_convert_t *c, ir_op_t *op) {  // between integers and floats
  ir_type_t old = ir_operand(op, 0)->type, type, from;
  IREE_RETURN_IF_ERROR(register_type(c, op, ir_result(op, 0)->type, &type));
  IREE_RETURN_IF_ERROR(register_type(c, op, old, &from));
  bool is_signed = op->kind == OP_ARITH_SITOFP || op->kind == OP_ARITH_FPTOSI;
  ir_value_t *v = op->kind == OP_ARITH_SITOFP ? sign_extended(c, ir_operand(op, 0))
                                              : vm_mapped(c, ir_operand(op, 0));
  ir_type_t integer = from->kind == IR_T_INTEGER ? from : type,
            number = from->kind == IR_T_INTEGER ? type : from;
  bool i64 = ir_type_width(integer) > 32, f64 = ir_type_width(number) > 32;
  static const op_kind_t to_float[2][2][2] = {
      {{OP_VM_CAST_UI32_F32, OP_VM_CAST_UI32_F64}, {OP_VM_CAST_UI64_F32, OP_VM_CAST_UI64_F64}},
      {{OP_VM_CAST_SI32_F32, OP_VM_CAST_SI32_F64}, {OP_VM_CAST_SI64_F32, OP_VM_CAST_SI64_F64}}};
  static const op_kind_t to_int[2][2][2] = {
      {{OP_VM_CAST_F32_UI32, OP_VM_CAST_F64_UI32}, {OP_VM_CAST_F32_UI64, OP_VM_CAST_F64_UI64}},
      {{OP_VM_CAST_F32_SI32, OP_VM_CAST_F64_SI32}, {OP_VM_CAST_F32_SI64, OP_VM_CAST_F64_SI64}}};
  if (from->kind == IR_T_INTEGER) {
    v = vm_op(c, to_float[is_signed][i64][f64], type, v, NULL, NULL);
  } else {
    // The machine rounds to nearest: drop the fraction first, toward zero.
    ir_type_t i32 = ir_type_i(c->ctx, 32);
    ir_value_t *zero = vm_const(c, ir_attr_float_bits(c->ctx, from, 0));
    ir_value_t *negative =
        vm_op(c, f64 ? OP_VM_CMP_LT_F64_O : OP_VM_CMP_LT_F32_O, i32, v, zero, NULL);
    ir_value_t *up = vm_op(c, f64 ? OP_VM_CEIL_F64 : OP_VM_CEIL_F32, from, v, NULL, NULL);
    ir_value_t *down = vm_op(c, f64 ? OP_VM_FLOOR_F64 : OP_VM_FLOOR_F32, from, v, NULL, NULL);
    v = vm_op(c, f64 ? OP_VM_SELECT_F64 : OP_VM_SELECT_F32, from, negative, up, down);
    v = zero_extended(c, vm_op(c, to_int[is_signed][i64][f64], type, v, NULL, NULL),
                      ir_result(op, 0)->type);
  }
  vm_map(c, ir_result(op, 0), v);
  return iree_ok_status();
}

static iree_status_t convert_float_width(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(register_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *v = vm_mapped(c, ir_operand(op, 0));
  if (v->type != type)
    v = vm_op(c, op->kind == OP_ARITH_EXTF ? OP_VM_EXT_F32_F64 : OP_VM_TRUNC_F64_F32, type, v, NULL,
              NULL);
  vm_map(c, ir_result(op, 0), v);
  return iree_ok_status();
}

static iree_status_t convert_bitcast(vm_convert_t *c, ir_op_t *op) {
  ir_type_t type;
  IREE_RETURN_IF_ERROR(register_type(c, op, ir_result(op, 0)->type, &type));
  ir_value_t *v = vm_mapped(c, ir_operand(op, 0));
  bool wide = ir_type_width(type) > 32;
  if (v->type != type)
    v = vm_op(c,
              type->kind == IR_T_FLOAT ? (wide ? OP_VM_BITCAST_I64_F64 : OP_VM_BITCAST_I32_F32)
                                       : (wide ? OP_VM_BITCAST_F64_I64 : OP_VM_BITCAST_F32_I32),
              type, v, NULL, NULL);
  vm_map(c, ir_result(op, 0), v);
  return iree_ok_status();
}

void vm_register_arith(vm_convert_fn_t *fns) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) fns[rows[i].kind] = convert_row;
  static const struct {
    op_kind_t kind;
    vm_convert_fn_t fn;
  } more[] = {{OP_ARITH_SHLI, convert_shift},
              {OP_ARITH_SHRSI, convert_shift},
              {OP_ARITH_SHRUI, convert_shift},
              {OP_ARITH_CEILDIVSI, convert_rounded_division},
              {OP_ARITH_CEILDIVUI, convert_rounded_division},
              {OP_ARITH_FLOORDIVSI, convert_rounded_division},
              {OP_ARITH_CMPI, convert_cmpi},
              {OP_ARITH_CMPF, convert_cmpf},
              {OP_ARITH_SELECT, convert_select},
              {OP_ARITH_REMF, convert_remainder},
              {OP_ARITH_MAXIMUMF, convert_nan_extremum},
              {OP_ARITH_MINIMUMF, convert_nan_extremum},
              {OP_ARITH_CONSTANT, convert_constant},
              {OP_ARITH_EXTSI, convert_extend},
              {OP_ARITH_EXTUI, convert_extend},
              {OP_ARITH_TRUNCI, convert_extend},
              {OP_ARITH_INDEX_CAST, convert_extend},
              {OP_ARITH_INDEX_CASTUI, convert_extend},
              {OP_ARITH_SITOFP, convert_number},
              {OP_ARITH_UITOFP, convert_number},
              {OP_ARITH_FPTOSI, convert_number},
              {OP_ARITH_FPTOUI, convert_number},
              {OP_ARITH_EXTF, convert_float_width},
              {OP_ARITH_TRUNCF, convert_float_width},
              {OP_ARITH_BITCAST, convert_bitcast}};
  for (size_t i = 0; i < sizeof more / sizeof *more; ++i) fns[more[i].kind] = more[i].fn;
}
