// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arith dialect: scalars and vectors alike.
#include <math.h>
#include <string.h>

#include "compiler/codegen/llvm/emit.h"

//===-- combining kinds: reductions and min/max ----------------------------------------------------

typedef enum {
  COMBINE_ADDF,
  COMBINE_MULF,
  COMBINE_MINIMUMF,
  COMBINE_MAXIMUMF,
  COMBINE_MINNUMF,
  COMBINE_MAXNUMF,
  COMBINE_ADD,
  COMBINE_MUL,
  COMBINE_AND,
  COMBINE_OR,
  COMBINE_XOR,
  COMBINE_MINSI,
  COMBINE_MAXSI,
  COMBINE_MINUI,
  COMBINE_MAXUI,
} combine_t;

LLVMValueRef emit_combine(emit_t *e, LLVMValueRef a, LLVMValueRef b, int kind);
int emit_combine_kind(iree_string_view_t name, bool is_float);

static void allow_contract(emit_t *e, LLVMValueRef value) {
  if (e->allow_contract && LLVMIsAInstruction(value)) {
    LLVMSetFastMathFlags(value, LLVMFastMathAllowContract);
  }
}

// The sign of a constant that is no NaN, in all lanes alike: 1 or -1; 0: anything else.
static int constant_sign(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!LLVMIsConstant(value)) return 0;
  if (LLVMIsNull(value)) return 1;
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
    LLVMValueRef first = LLVMGetAggregateElement(value, 0);
    for (unsigned i = 1; i < LLVMGetVectorSize(type); ++i)
      if (LLVMGetAggregateElement(value, i) != first) return 0;
    value = first;
  }
  if (!value || !LLVMIsAConstantFP(value)) return 0;
  LLVMBool loses = 0;
  double number = LLVMConstRealGetDouble(value, &loses);
  return number != number ? 0 : signbit(number) ? -1 : 1;
}

// IEEE 754-2019 minimum/maximum with a constant: one comparison, true for NaNs. Equal operands are zeros
// of either sign, or the same: x stays where the constant is the zero that loses.
static LLVMValueRef minimum_of_constant(LLVMBuilderRef builder, LLVMValueRef x, LLVMValueRef constant, int sign,
                                        bool is_max) {
  LLVMRealPredicate stays = is_max ? sign < 0 ? LLVMRealUGE : LLVMRealUGT
                                   : sign < 0 ? LLVMRealULT : LLVMRealULE;
  return LLVMBuildSelect(builder, LLVMBuildFCmp(builder, stays, x, constant, ""), x, constant, "");
}

// IEEE 754-2019 minimum/maximum: a NaN operand gives NaN, -0 < +0.
static LLVMValueRef minimum(emit_t *e, LLVMValueRef a, LLVMValueRef b, bool is_max) {
  LLVMBuilderRef builder = e->builder;
  if (e->target->arch == CODEGEN_ARCH_ARM_64) {
    return emit_intrinsic2(e, is_max ? "llvm.maximum" : "llvm.minimum", a, b);
  }
  int a_sign = constant_sign(a), b_sign = constant_sign(b);
  if (b_sign) return minimum_of_constant(builder, a, b, b_sign, is_max);
  if (a_sign) return minimum_of_constant(builder, b, a, a_sign, is_max);
  LLVMTypeRef type = LLVMTypeOf(a), bits_type = emit_int_like(type);
  LLVMValueRef wins = LLVMBuildFCmp(builder, is_max ? LLVMRealOGT : LLVMRealOLT, a, b, "");
  LLVMValueRef result = LLVMBuildSelect(builder, wins, a, b, "");
  // Equal operands differ at most in the sign of zero: and for the larger, or for the smaller.
  LLVMValueRef ai = LLVMBuildBitCast(builder, a, bits_type, "");
  LLVMValueRef bi = LLVMBuildBitCast(builder, b, bits_type, "");
  LLVMValueRef both = is_max ? LLVMBuildAnd(builder, ai, bi, "") : LLVMBuildOr(builder, ai, bi, "");
  LLVMValueRef equal = LLVMBuildFCmp(builder, LLVMRealOEQ, a, b, "");
  result = LLVMBuildSelect(builder, equal, LLVMBuildBitCast(builder, both, type, ""), result, "");
  LLVMValueRef a_is_nan = LLVMBuildFCmp(builder, LLVMRealUNO, a, a, "");
  return LLVMBuildSelect(builder, a_is_nan, a, result, "");
}

// minnum/maxnum: a NaN operand is ignored.
static LLVMValueRef minnum(emit_t *e, LLVMValueRef a, LLVMValueRef b, bool is_max) {
  LLVMBuilderRef builder = e->builder;
  LLVMValueRef wins = LLVMBuildFCmp(builder, is_max ? LLVMRealOGT : LLVMRealOLT, a, b, "");
  LLVMValueRef result = LLVMBuildSelect(builder, wins, a, b, "");
  LLVMValueRef b_is_nan = LLVMBuildFCmp(builder, LLVMRealUNO, b, b, "");
  return LLVMBuildSelect(builder, b_is_nan, a, result, "");
}

LLVMValueRef emit_combine(emit_t *e, LLVMValueRef a, LLVMValueRef b, int kind) {
  LLVMBuilderRef builder = e->builder;
  LLVMValueRef result = NULL;
  switch ((combine_t)kind) {
    case COMBINE_ADDF:
      result = LLVMBuildFAdd(builder, a, b, "");
      allow_contract(e, result);
      return result;
    case COMBINE_MULF:
      result = LLVMBuildFMul(builder, a, b, "");
      allow_contract(e, result);
      return result;
    case COMBINE_MINIMUMF:
      return minimum(e, a, b, false);
    case COMBINE_MAXIMUMF:
      return minimum(e, a, b, true);
    case COMBINE_MINNUMF:
      return minnum(e, a, b, false);
    case COMBINE_MAXNUMF:
      return minnum(e, a, b, true);
    case COMBINE_ADD:
      return LLVMBuildAdd(builder, a, b, "");
    case COMBINE_MUL:
      return LLVMBuildMul(builder, a, b, "");
    case COMBINE_AND:
      return LLVMBuildAnd(builder, a, b, "");
    case COMBINE_OR:
      return LLVMBuildOr(builder, a, b, "");
    case COMBINE_XOR:
      return LLVMBuildXor(builder, a, b, "");
    case COMBINE_MINSI:
      return emit_intrinsic2(e, "llvm.smin", a, b);
    case COMBINE_MAXSI:
      return emit_intrinsic2(e, "llvm.smax", a, b);
    case COMBINE_MINUI:
      return emit_intrinsic2(e, "llvm.umin", a, b);
    case COMBINE_MAXUI:
      return emit_intrinsic2(e, "llvm.umax", a, b);
  }
  return NULL;
}

int emit_combine_kind(iree_string_view_t name, bool is_float) {
  static const struct {
    const char *name;
    int integer, floating;
  } rows[] = {
      {"add", COMBINE_ADD, COMBINE_ADDF}, {"mul", COMBINE_MUL, COMBINE_MULF},
      {"minsi", COMBINE_MINSI, -1},       {"maxsi", COMBINE_MAXSI, -1},
      {"minui", COMBINE_MINUI, -1},       {"maxui", COMBINE_MAXUI, -1},
      {"and", COMBINE_AND, -1},           {"or", COMBINE_OR, -1},
      {"xor", COMBINE_XOR, -1},           {"minimumf", -1, COMBINE_MINIMUMF},
      {"maximumf", -1, COMBINE_MAXIMUMF}, {"minnumf", -1, COMBINE_MINNUMF},
      {"maxnumf", -1, COMBINE_MAXNUMF},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
    if (iree_string_view_equal(name, iree_make_cstring_view(rows[i].name))) {
      return is_float ? rows[i].floating : rows[i].integer;
    }
  }
  return -1;
}

static iree_status_t emit_binary_combine(emit_t *e, const ir_op_t *op, int param) {
  LLVMValueRef value = emit_combine(e, emit_operand(e, op, 0), emit_operand(e, op, 1), param);
  emit_set_result(e, op, emit_finish_float(e, value, ir_result(op, 0)->type));
  return iree_ok_status();
}

//===-- constants ----------------------------------------------------------------------------------

static LLVMValueRef constant_from_bits(emit_t *e, ir_type_t element, uint64_t bits) {
  LLVMTypeRef type = emit_type(e, element);
  if (!ir_type_is_float(element)) return LLVMConstInt(type, bits, 0);
  ir_float_t kind = ir_float_kind(element);
  if (kind == IR_F64) return LLVMConstBitCast(LLVMConstInt(e->i64, bits, 0), e->f64);
  if (kind != IR_F32) bits = ir_float_from_double(IR_F32, ir_float_to_double(kind, bits));
  return LLVMConstBitCast(LLVMConstInt(e->i32, bits & 0xFFFFFFFFu, 0), e->f32);
}

static uint64_t element_bits(ir_attr_t dense, size_t index) {
  ir_type_t element = ir_type_element(ir_dense_type(dense));
  size_t bytes = ir_type_storage_bytes(element);
  const uint8_t *p = ir_dense_data(dense);
  if (!ir_dense_is_splat(dense)) p += index * bytes;
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes && i < 8; ++i) bits |= (uint64_t)p[i] << (8 * i);
  return bits;
}

static iree_status_t emit_constant(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  ir_attr_t value = ir_op_attr(op, "value");
  ir_type_t type = ir_result(op, 0)->type;
  ir_type_t element = ir_type_element(type);
  if (ir_is(value, IR_A_INT) || ir_is(value, IR_A_FLOAT) || ir_is(value, IR_A_BOOL)) {
    emit_set_result(e, op, constant_from_bits(e, element, (uint64_t)ir_int(value, 0)));
    return iree_ok_status();
  }
  unsigned lanes = emit_lanes(type);
  if (!ir_is(value, IR_A_DENSE) || !lanes || lanes > 256) {
    return emit_error(e, op, "has a constant that is neither a scalar nor a vector of at most 256");
  }
  LLVMValueRef elements[256];
  for (unsigned i = 0; i < lanes; ++i) {
    elements[i] = constant_from_bits(e, element, element_bits(value, i));
  }
  emit_set_result(e, op, LLVMConstVector(elements, lanes));
  return iree_ok_status();
}

//===-- integers -----------------------------------------------------------------------------------

static iree_status_t emit_binary(emit_t *e, const ir_op_t *op, int param) {
  LLVMValueRef value = LLVMBuildBinOp(e->builder, (LLVMOpcode)param, emit_operand(e, op, 0),
                                      emit_operand(e, op, 1), "");
  if (ir_type_is_float(ir_type_element(ir_result(op, 0)->type))) {
    allow_contract(e, value);
    value = emit_finish_float(e, value, ir_result(op, 0)->type);
  }
  emit_set_result(e, op, value);
  return iree_ok_status();
}

// Division where LLVM leaves the result undefined must not trap: divisor 0 gives -1 (all ones) and
// remainder the dividend, the smallest value by -1 gives itself and remainder 0.
static iree_status_t emit_division(emit_t *e, const ir_op_t *op, int param) {
  LLVMBuilderRef b = e->builder;
  LLVMOpcode opcode = (LLVMOpcode)param;
  LLVMValueRef lhs = emit_operand(e, op, 0), rhs = emit_operand(e, op, 1);
  LLVMTypeRef type = LLVMTypeOf(lhs);
  bool is_remainder = opcode == LLVMSRem || opcode == LLVMURem;
  bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
  LLVMValueRef one = emit_int(type, 1), zero = emit_int(type, 0);
  if (LLVMIsConstant(rhs) && !emit_llvm_lanes(type) && !LLVMIsNull(rhs)) {
    uint64_t ones = ~(uint64_t)0;
    if (!is_signed || rhs != emit_int(type, ones)) {
      emit_set_result(e, op, LLVMBuildBinOp(b, opcode, lhs, rhs, ""));
      return iree_ok_status();
    }
  }
  LLVMValueRef by_zero = LLVMBuildICmp(b, LLVMIntEQ, rhs, zero, "");
  LLVMValueRef safe = LLVMBuildSelect(b, by_zero, one, rhs, "");
  LLVMValueRef overflow = NULL;
  if (is_signed) {
    LLVMValueRef is_minus_one = LLVMBuildICmp(b, LLVMIntEQ, rhs, LLVMConstAllOnes(type), "");
    unsigned width = LLVMGetIntTypeWidth(emit_llvm_scalar(type));
    LLVMValueRef smallest = emit_int(type, width >= 64 ? 1ull << 63 : 1ull << (width - 1));
    LLVMValueRef is_smallest = LLVMBuildICmp(b, LLVMIntEQ, lhs, smallest, "");
    overflow = LLVMBuildAnd(b, is_minus_one, is_smallest, "");
    safe = LLVMBuildSelect(b, overflow, one, safe, "");
  }
  LLVMValueRef value = LLVMBuildBinOp(b, opcode, lhs, safe, "");
  value = LLVMBuildSelect(b, by_zero, is_remainder ? lhs : LLVMConstAllOnes(type), value, "");
  emit_set_result(e, op, value);
  return iree_ok_status();
}

// Rounds the quotient towards minus (floor) or plus (ceil) infinity.
typedef enum { ROUND_FLOOR_S, ROUND_CEIL_S, ROUND_CEIL_U } rounding_t;

static iree_status_t emit_rounded_division(emit_t *e, const ir_op_t *op, int param) {
  LLVMBuilderRef b = e->builder;
  LLVMValueRef lhs = emit_operand(e, op, 0), rhs = emit_operand(e, op, 1);
  LLVMTypeRef type = LLVMTypeOf(lhs);
  LLVMValueRef zero = emit_int(type, 0), one = emit_int(type, 1);
  bool is_signed = param != ROUND_CEIL_U;
  LLVMValueRef by_zero = LLVMBuildICmp(b, LLVMIntEQ, rhs, zero, "");
  LLVMValueRef safe = LLVMBuildSelect(b, by_zero, one, rhs, "");
  LLVMValueRef q = LLVMBuildBinOp(b, is_signed ? LLVMSDiv : LLVMUDiv, lhs, safe, "");
  LLVMValueRef r = LLVMBuildSub(b, lhs, LLVMBuildMul(b, q, safe, ""), "");
  LLVMValueRef adjust = LLVMBuildICmp(b, LLVMIntNE, r, zero, "");
  if (is_signed) {
    // The remainder has the dividend's sign: floor adjusts when signs differ, ceil when they agree.
    LLVMValueRef signs = LLVMBuildXor(b, lhs, safe, "");
    LLVMIntPredicate wanted = param == ROUND_FLOOR_S ? LLVMIntSLT : LLVMIntSGE;
    adjust = LLVMBuildAnd(b, adjust, LLVMBuildICmp(b, wanted, signs, zero, ""), "");
  }
  LLVMValueRef moved =
      param == ROUND_FLOOR_S ? LLVMBuildSub(b, q, one, "") : LLVMBuildAdd(b, q, one, "");
  emit_set_result(e, op, LLVMBuildSelect(b, adjust, moved, q, ""));
  return iree_ok_status();
}

// Shifts by the width or more give 0 (or the sign) instead of LLVM's poison.
static iree_status_t emit_shift(emit_t *e, const ir_op_t *op, int param) {
  LLVMBuilderRef b = e->builder;
  LLVMOpcode opcode = (LLVMOpcode)param;
  LLVMValueRef lhs = emit_operand(e, op, 0), amount = emit_operand(e, op, 1);
  LLVMTypeRef type = LLVMTypeOf(lhs);
  unsigned width = LLVMGetIntTypeWidth(emit_llvm_scalar(type));
  if (LLVMIsAConstantInt(amount) && LLVMConstIntGetZExtValue(amount) < width) {
    emit_set_result(e, op, LLVMBuildBinOp(b, opcode, lhs, amount, ""));
    return iree_ok_status();
  }
  LLVMValueRef limit = emit_int(type, width);
  LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULT, amount, limit, "");
  LLVMValueRef last = emit_int(type, width - 1);
  LLVMValueRef safe = LLVMBuildSelect(b, fits, amount, last, "");
  LLVMValueRef value = LLVMBuildBinOp(b, opcode, lhs, safe, "");
  if (opcode != LLVMAShr) value = LLVMBuildSelect(b, fits, value, emit_int(type, 0), "");
  emit_set_result(e, op, value);
  return iree_ok_status();
}

static iree_status_t emit_extended(emit_t *e, const ir_op_t *op, int param) {
  LLVMBuilderRef b = e->builder;
  LLVMValueRef lhs = emit_operand(e, op, 0), rhs = emit_operand(e, op, 1);
  LLVMTypeRef type = LLVMTypeOf(lhs);
  unsigned width = LLVMGetIntTypeWidth(emit_llvm_scalar(type));
  LLVMTypeRef wide =
      emit_shape_like(LLVMIntTypeInContext(e->context, 2 * width), emit_llvm_lanes(type));
  LLVMOpcode extend = param == LLVMSExt ? LLVMSExt : LLVMZExt;
  LLVMValueRef a = LLVMBuildCast(b, extend, lhs, wide, "");
  LLVMValueRef c = LLVMBuildCast(b, extend, rhs, wide, "");
  bool is_add = param == LLVMAdd;
  LLVMValueRef result = is_add ? LLVMBuildAdd(b, a, c, "") : LLVMBuildMul(b, a, c, "");
  LLVMValueRef high = LLVMBuildLShr(b, result, emit_int(wide, width), "");
  emit_set(e, ir_result(op, 0), LLVMBuildTrunc(b, result, type, ""));
  emit_set(e, ir_result(op, 1), LLVMBuildTrunc(b, high, emit_type(e, ir_result(op, 1)->type), ""));
  return iree_ok_status();
}

//===-- comparison and selection -------------------------------------------------------------------

// The predicate of arith.cmpi/cmpf as its number: an integer attribute or its keyword.
static int predicate(const ir_op_t *op, const char *const *names, int count) {
  ir_attr_t attr = ir_op_attr(op, "predicate");
  if (ir_is(attr, IR_A_INT)) return (int)ir_int(attr, 0);
  for (int i = 0; attr && i < count; ++i) {
    if (ir_str_is(attr, names[i])) return i;
  }
  return -1;
}

static iree_status_t emit_cmpi(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  static const char *const names[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  static const LLVMIntPredicate predicates[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSLT, LLVMIntSLE,
                                                LLVMIntSGT, LLVMIntSGE, LLVMIntULT, LLVMIntULE,
                                                LLVMIntUGT, LLVMIntUGE};
  int p = predicate(op, names, 10);
  if (p < 0 || p >= 10) return emit_error(e, op, "has an unknown predicate");
  emit_set_result(
      e, op,
      LLVMBuildICmp(e->builder, predicates[p], emit_operand(e, op, 0), emit_operand(e, op, 1), ""));
  return iree_ok_status();
}

static iree_status_t emit_cmpf(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  static const char *const names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                      "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  static const LLVMRealPredicate predicates[] = {LLVMRealPredicateFalse,
                                                 LLVMRealOEQ,
                                                 LLVMRealOGT,
                                                 LLVMRealOGE,
                                                 LLVMRealOLT,
                                                 LLVMRealOLE,
                                                 LLVMRealONE,
                                                 LLVMRealORD,
                                                 LLVMRealUEQ,
                                                 LLVMRealUGT,
                                                 LLVMRealUGE,
                                                 LLVMRealULT,
                                                 LLVMRealULE,
                                                 LLVMRealUNE,
                                                 LLVMRealUNO,
                                                 LLVMRealPredicateTrue};
  int p = predicate(op, names, 16);
  if (p < 0 || p >= 16) return emit_error(e, op, "has an unknown predicate");
  emit_set_result(
      e, op,
      LLVMBuildFCmp(e->builder, predicates[p], emit_operand(e, op, 0), emit_operand(e, op, 1), ""));
  return iree_ok_status();
}

static iree_status_t emit_select(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  emit_set_result(e, op,
                  LLVMBuildSelect(e->builder, emit_operand(e, op, 0), emit_operand(e, op, 1),
                                  emit_operand(e, op, 2), ""));
  return iree_ok_status();
}

//===-- casts --------------------------------------------------------------------------------------

static iree_status_t emit_cast(emit_t *e, const ir_op_t *op, int param) {
  ir_type_t type = ir_result(op, 0)->type;
  LLVMValueRef value =
      LLVMBuildCast(e->builder, (LLVMOpcode)param, emit_operand(e, op, 0), emit_type(e, type), "");
  emit_set_result(e, op, emit_finish_float(e, value, type));
  return iree_ok_status();
}

static unsigned scalar_bits(LLVMTypeRef type) {
  LLVMTypeRef scalar = emit_llvm_scalar(type);
  switch (LLVMGetTypeKind(scalar)) {
    case LLVMDoubleTypeKind:
      return 64;
    case LLVMFloatTypeKind:
      return 32;
    default:
      return LLVMGetIntTypeWidth(scalar);
  }
}

static iree_status_t emit_index_cast(emit_t *e, const ir_op_t *op, int param) {
  LLVMValueRef value = emit_operand(e, op, 0);
  LLVMTypeRef type = emit_type(e, ir_result(op, 0)->type);
  unsigned from = scalar_bits(LLVMTypeOf(value)), to = scalar_bits(type);
  if (to < from) {
    value = LLVMBuildTrunc(e->builder, value, type, "");
  } else if (to > from) {
    value = LLVMBuildCast(e->builder, (LLVMOpcode)param, value, type, "");
  }
  emit_set_result(e, op, value);
  return iree_ok_status();
}

// f64 to f32 so that a narrower format can be rounded to afterwards: what is inexact becomes odd, and
// so no tie that |value| is not.
static LLVMValueRef round_to_odd(emit_t *e, LLVMValueRef value, LLVMTypeRef f32) {
  LLVMBuilderRef b = e->builder;
  LLVMTypeRef f64 = LLVMTypeOf(value), i32 = emit_int_like(f32);
  LLVMValueRef near = LLVMBuildFPTrunc(b, value, f32, ""), back = LLVMBuildFPExt(b, near, f64, "");
  LLVMValueRef bits = LLVMBuildBitCast(b, near, i32, "");
  LLVMValueRef even = LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, bits, emit_int(i32, 1), ""), emit_int(i32, 0), "");
  LLVMValueRef inexact = LLVMBuildFCmp(b, LLVMRealONE, back, value, "");
  LLVMValueRef above = LLVMBuildFCmp(b, LLVMRealOGT, back, value, "");
  LLVMValueRef negative = LLVMBuildFCmp(b, LLVMRealOLT, value, emit_real(f64, 0), "");
  LLVMValueRef away = LLVMBuildXor(b, above, negative, "");
  LLVMValueRef step = LLVMBuildSelect(b, away, emit_int(i32, UINT32_MAX), emit_int(i32, 1), "");
  LLVMValueRef odd = LLVMBuildAdd(b, bits, step, "");
  bits = LLVMBuildSelect(b, LLVMBuildAnd(b, inexact, even, ""), odd, bits, "");
  return LLVMBuildBitCast(b, bits, f32, "");
}

// extf and truncf among f64, f32 and the narrow formats, which are kept as f32.
static iree_status_t emit_float_cast(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  ir_type_t type = ir_result(op, 0)->type;
  LLVMTypeRef target = emit_type(e, type);
  LLVMValueRef value = emit_operand(e, op, 0);
  unsigned from = scalar_bits(LLVMTypeOf(value)), to = scalar_bits(target);
  if (from < to) value = LLVMBuildFPExt(e->builder, value, target, "");
  if (from > to) {
    value = emit_is_narrow_float(type) ? round_to_odd(e, value, target)
                                       : LLVMBuildFPTrunc(e->builder, value, target, "");
  }
  ir_type_t source = ir_type_element(ir_operand(op, 0)->type);
  bool narrows =
      ir_float_bits(ir_float_kind(ir_type_element(type))) < ir_float_bits(ir_float_kind(source)) ||
      emit_is_narrow_float(source);
  emit_set_result(e, op, narrows ? emit_finish_float(e, value, type) : value);
  return iree_ok_status();
}

// Truncates towards zero; what does not fit saturates and NaN gives 0, on every target alike.
static iree_status_t emit_float_to_int(emit_t *e, const ir_op_t *op, int param) {
  LLVMValueRef value = emit_operand(e, op, 0);
  LLVMTypeRef type = emit_type(e, ir_result(op, 0)->type);
  LLVMTypeRef overloads[] = {type, LLVMTypeOf(value)};
  const char *name = param == LLVMFPToSI ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  emit_set_result(e, op, emit_intrinsic(e, name, overloads, 2, &value, 1));
  return iree_ok_status();
}

// |value| as |type|; integers of 4 and 6 bits lie in bytes where they are a narrow float's.
static LLVMValueRef same_bits(emit_t *e, LLVMValueRef value, LLVMTypeRef type) {
  LLVMTypeRef from = emit_llvm_scalar(LLVMTypeOf(value)), to = emit_llvm_scalar(type);
  bool integers = LLVMGetTypeKind(from) == LLVMIntegerTypeKind && LLVMGetTypeKind(to) == LLVMIntegerTypeKind;
  return integers ? LLVMBuildIntCast2(e->builder, value, type, 0, "")
                  : LLVMBuildBitCast(e->builder, value, type, "");
}
static iree_status_t emit_bitcast(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  ir_type_t from = ir_operand(op, 0)->type, to = ir_result(op, 0)->type;
  LLVMValueRef value = emit_operand(e, op, 0);
  if (emit_is_narrow_float(from)) {
    value = emit_format_encode(e, value, ir_float_kind(ir_type_element(from)));
  }
  if (emit_is_narrow_float(to)) {
    value = emit_format_decode(e, same_bits(e, value, emit_storage_type(e, to)),
                               ir_float_kind(ir_type_element(to)));
  } else {
    value = same_bits(e, value, emit_type(e, to));
  }
  emit_set_result(e, op, value);
  return iree_ok_status();
}

static iree_status_t emit_negf(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  ir_type_t type = ir_result(op, 0)->type;
  LLVMValueRef value = LLVMBuildFNeg(e->builder, emit_operand(e, op, 0), "");
  if (emit_is_narrow_float(type)) {
    float_kind_t kind = float_format_info((float_format_t)ir_float_kind(ir_type_element(type)))->kind;
    // No negative zero, or no sign at all.
    if (kind == FLOAT_KIND_FNUZ || kind == FLOAT_KIND_SCALE) value = emit_finish_float(e, value, type);
  }
  emit_set_result(e, op, value);
  return iree_ok_status();
}

static const emit_row_t rows[] = {
    {"arith.constant", emit_constant, 0},
    {"arith.addi", emit_binary, LLVMAdd},
    {"arith.subi", emit_binary, LLVMSub},
    {"arith.muli", emit_binary, LLVMMul},
    {"arith.andi", emit_binary, LLVMAnd},
    {"arith.ori", emit_binary, LLVMOr},
    {"arith.xori", emit_binary, LLVMXor},
    {"arith.divsi", emit_division, LLVMSDiv},
    {"arith.divui", emit_division, LLVMUDiv},
    {"arith.remsi", emit_division, LLVMSRem},
    {"arith.remui", emit_division, LLVMURem},
    {"arith.floordivsi", emit_rounded_division, ROUND_FLOOR_S},
    {"arith.ceildivsi", emit_rounded_division, ROUND_CEIL_S},
    {"arith.ceildivui", emit_rounded_division, ROUND_CEIL_U},
    {"arith.shli", emit_shift, LLVMShl},
    {"arith.shrsi", emit_shift, LLVMAShr},
    {"arith.shrui", emit_shift, LLVMLShr},
    {"arith.addf", emit_binary, LLVMFAdd},
    {"arith.subf", emit_binary, LLVMFSub},
    {"arith.mulf", emit_binary, LLVMFMul},
    {"arith.divf", emit_binary, LLVMFDiv},
    {"arith.negf", emit_negf, 0},
    {"arith.maximumf", emit_binary_combine, COMBINE_MAXIMUMF},
    {"arith.minimumf", emit_binary_combine, COMBINE_MINIMUMF},
    {"arith.maxnumf", emit_binary_combine, COMBINE_MAXNUMF},
    {"arith.minnumf", emit_binary_combine, COMBINE_MINNUMF},
    {"arith.maxsi", emit_binary_combine, COMBINE_MAXSI},
    {"arith.minsi", emit_binary_combine, COMBINE_MINSI},
    {"arith.maxui", emit_binary_combine, COMBINE_MAXUI},
    {"arith.minui", emit_binary_combine, COMBINE_MINUI},
    {"arith.cmpi", emit_cmpi, 0},
    {"arith.cmpf", emit_cmpf, 0},
    {"arith.select", emit_select, 0},
    {"arith.extsi", emit_cast, LLVMSExt},
    {"arith.extui", emit_cast, LLVMZExt},
    {"arith.trunci", emit_cast, LLVMTrunc},
    {"arith.sitofp", emit_cast, LLVMSIToFP},
    {"arith.uitofp", emit_cast, LLVMUIToFP},
    {"arith.fptosi", emit_float_to_int, LLVMFPToSI},
    {"arith.fptoui", emit_float_to_int, LLVMFPToUI},
    {"arith.extf", emit_float_cast, 0},
    {"arith.truncf", emit_float_cast, 0},
    {"arith.index_cast", emit_index_cast, LLVMSExt},
    {"arith.index_castui", emit_index_cast, LLVMZExt},
    {"arith.bitcast", emit_bitcast, 0},
    {"arith.mulsi_extended", emit_extended, LLVMSExt},
    {"arith.mului_extended", emit_extended, LLVMZExt},
    {"arith.addui_extended", emit_extended, LLVMAdd},
};
const emit_table_t emit_arith_table = {rows, sizeof(rows) / sizeof(rows[0])};
