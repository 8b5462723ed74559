// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The math dialect: rows onto math_kernels, and the integer functions.
#include "compiler/codegen/llvm/math_kernels.h"

// Up to five bits of exponent.
static bool is_small(const ir_op_t *op) {
  ir_type_t element = ir_type_element(ir_operand(op, 0)->type);
  if (!emit_is_narrow_float(element)) return false;
  const float_format_info_t *info = float_format_info((float_format_t)ir_float_kind(element));
  return info->total_bits - info->mantissa_bits <= 6;
}

static iree_status_t emit_unary(emit_t *e, const ir_op_t *op, int param) {
  LLVMValueRef value =
      math_emit(e, (math_function_t)param, emit_operand(e, op, 0), NULL, is_small(op));
  emit_set_result(e, op, emit_finish_float(e, value, ir_result(op, 0)->type));
  return iree_ok_status();
}

static iree_status_t emit_binary(emit_t *e, const ir_op_t *op, int param) {
  LLVMValueRef value =
      math_emit(e, (math_function_t)param, emit_operand(e, op, 0), emit_operand(e, op, 1), false);
  emit_set_result(e, op, emit_finish_float(e, value, ir_result(op, 0)->type));
  return iree_ok_status();
}

static iree_status_t emit_math_fma(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMValueRef value =
      math_emit_fma(e, emit_operand(e, op, 0), emit_operand(e, op, 1), emit_operand(e, op, 2));
  emit_set_result(e, op, emit_finish_float(e, value, ir_result(op, 0)->type));
  return iree_ok_status();
}

typedef enum { BITS_ABS, BITS_CTLZ, BITS_CTTZ, BITS_CTPOP } bits_t;

static iree_status_t emit_bits(emit_t *e, const ir_op_t *op, int param) {
  static const char *const names[] = {"llvm.abs", "llvm.ctlz", "llvm.cttz", "llvm.ctpop"};
  LLVMValueRef x = emit_operand(e, op, 0);
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef args[] = {x, LLVMConstInt(e->i1, 0, 0)};
  size_t count = param == BITS_CTPOP ? 1 : 2;
  emit_set_result(e, op, emit_intrinsic(e, names[param], &type, 1, args, count));
  return iree_ok_status();
}

typedef enum { CLASS_NAN, CLASS_INFINITE, CLASS_FINITE, CLASS_NORMAL } class_t;

static iree_status_t emit_class(emit_t *e, const ir_op_t *op, int param) {
  LLVMBuilderRef b = e->builder;
  LLVMValueRef x = emit_operand(e, op, 0), magnitude = emit_intrinsic1(e, "llvm.fabs", x), result;
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef infinity = emit_real(type, 1e300 * 1e300);
  if (param == CLASS_NAN) {
    result = LLVMBuildFCmp(b, LLVMRealUNO, x, x, "");
  } else if (param == CLASS_INFINITE) {
    result = LLVMBuildFCmp(b, LLVMRealOEQ, magnitude, infinity, "");
  } else {
    result = LLVMBuildFCmp(b, LLVMRealOLT, magnitude, infinity, "");
    bool wide = LLVMGetTypeKind(emit_llvm_scalar(type)) == LLVMDoubleTypeKind;
    LLVMValueRef smallest =
        emit_real(type, wide ? 2.2250738585072014e-308 : 1.1754943508222875e-38);
    if (param == CLASS_NORMAL) {
      result = LLVMBuildAnd(b, result, LLVMBuildFCmp(b, LLVMRealOGE, magnitude, smallest, ""), "");
    }
  }
  emit_set_result(e, op, result);
  return iree_ok_status();
}

// Square and multiply over the bits of |n| (no sign); the loop ends when no lane has bits left.
static LLVMValueRef power_loop(emit_t *e, LLVMValueRef x, LLVMValueRef n, bool is_float) {
  LLVMBuilderRef b = e->builder;
  LLVMTypeRef type = LLVMTypeOf(x), count_type = LLVMTypeOf(n);
  LLVMValueRef one = is_float ? emit_real(type, 1) : emit_int(type, 1);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(e->context, e->function, "");
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(e->context, e->function, "");
  LLVMBasicBlockRef exit = LLVMAppendBasicBlockInContext(e->context, e->function, "");
  LLVMBuildBr(b, loop);
  LLVMPositionBuilderAtEnd(b, loop);
  LLVMValueRef result = LLVMBuildPhi(b, type, ""), base = LLVMBuildPhi(b, type, "");
  LLVMValueRef left = LLVMBuildPhi(b, count_type, "");
  LLVMValueRef zero = emit_int(count_type, 0);
  LLVMValueRef goes_on = LLVMBuildICmp(b, LLVMIntNE, left, zero, "");
  if (emit_llvm_lanes(count_type)) goes_on = emit_intrinsic1(e, "llvm.vector.reduce.or", goes_on);
  LLVMBuildCondBr(b, goes_on, body, exit);
  LLVMPositionBuilderAtEnd(b, body);
  LLVMValueRef low = LLVMBuildAnd(b, left, emit_int(count_type, 1), "");
  LLVMValueRef is_set = LLVMBuildICmp(b, LLVMIntNE, low, zero, "");
  LLVMValueRef product =
      is_float ? LLVMBuildFMul(b, result, base, "") : LLVMBuildMul(b, result, base, "");
  LLVMValueRef next_result = LLVMBuildSelect(b, is_set, product, result, "");
  LLVMValueRef next_base =
      is_float ? LLVMBuildFMul(b, base, base, "") : LLVMBuildMul(b, base, base, "");
  LLVMValueRef next_left = LLVMBuildLShr(b, left, emit_int(count_type, 1), "");
  LLVMBasicBlockRef from[] = {before, body};
  LLVMAddIncoming(result, (LLVMValueRef[]){one, next_result}, from, 2);
  LLVMAddIncoming(base, (LLVMValueRef[]){x, next_base}, from, 2);
  LLVMAddIncoming(left, (LLVMValueRef[]){n, next_left}, from, 2);
  LLVMBuildBr(b, loop);
  LLVMPositionBuilderAtEnd(b, exit);
  return result;
}

static iree_status_t emit_fpowi(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMBuilderRef b = e->builder;
  LLVMValueRef x = emit_operand(e, op, 0), n = emit_operand(e, op, 1);
  LLVMTypeRef count_type = LLVMTypeOf(n);
  LLVMValueRef is_negative = LLVMBuildICmp(b, LLVMIntSLT, n, emit_int(count_type, 0), "");
  LLVMValueRef magnitude = LLVMBuildSelect(b, is_negative, LLVMBuildNeg(b, n, ""), n, "");
  LLVMValueRef power = power_loop(e, x, magnitude, true);
  LLVMValueRef inverse = LLVMBuildFDiv(b, emit_real(LLVMTypeOf(x), 1), power, "");
  LLVMValueRef result = LLVMBuildSelect(b, is_negative, inverse, power, "");
  emit_set_result(e, op, emit_finish_float(e, result, ir_result(op, 0)->type));
  return iree_ok_status();
}

// A negative exponent leaves 1 for 1, the sign for -1, and 0 for all else.
static iree_status_t emit_ipowi(emit_t *e, const ir_op_t *op, int param) {
  (void)param;
  LLVMBuilderRef b = e->builder;
  LLVMValueRef x = emit_operand(e, op, 0), n = emit_operand(e, op, 1);
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef zero = emit_int(type, 0), one = emit_int(type, 1), ones = LLVMConstAllOnes(type);
  LLVMValueRef is_negative = LLVMBuildICmp(b, LLVMIntSLT, n, zero, "");
  LLVMValueRef x_is_one = LLVMBuildICmp(b, LLVMIntEQ, x, one, "");
  LLVMValueRef x_is_minus = LLVMBuildICmp(b, LLVMIntEQ, x, ones, "");
  LLVMValueRef is_odd = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, n, one, ""), zero, "");
  LLVMValueRef sign = LLVMBuildSelect(b, is_odd, ones, one, "");
  LLVMValueRef inverse = LLVMBuildSelect(b, x_is_minus, sign, zero, "");
  inverse = LLVMBuildSelect(b, x_is_one, one, inverse, "");
  LLVMValueRef magnitude = LLVMBuildSelect(b, is_negative, zero, n, "");
  LLVMValueRef power = power_loop(e, x, magnitude, false);
  emit_set_result(e, op, LLVMBuildSelect(b, is_negative, inverse, power, ""));
  return iree_ok_status();
}

static const emit_row_t rows[] = {
    {"math.exp", emit_unary, MATH_EXP},
    {"math.exp2", emit_unary, MATH_EXP2},
    {"math.expm1", emit_unary, MATH_EXPM1},
    {"math.log", emit_unary, MATH_LOG},
    {"math.log2", emit_unary, MATH_LOG2},
    {"math.log10", emit_unary, MATH_LOG10},
    {"math.log1p", emit_unary, MATH_LOG1P},
    {"math.sin", emit_unary, MATH_SIN},
    {"math.cos", emit_unary, MATH_COS},
    {"math.tan", emit_unary, MATH_TAN},
    {"math.asin", emit_unary, MATH_ASIN},
    {"math.acos", emit_unary, MATH_ACOS},
    {"math.atan", emit_unary, MATH_ATAN},
    {"math.sinh", emit_unary, MATH_SINH},
    {"math.cosh", emit_unary, MATH_COSH},
    {"math.tanh", emit_unary, MATH_TANH},
    {"math.asinh", emit_unary, MATH_ASINH},
    {"math.acosh", emit_unary, MATH_ACOSH},
    {"math.atanh", emit_unary, MATH_ATANH},
    {"math.erf", emit_unary, MATH_ERF},
    {"math.erfc", emit_unary, MATH_ERFC},
    {"math.cbrt", emit_unary, MATH_CBRT},
    {"math.sqrt", emit_unary, MATH_SQRT},
    {"math.rsqrt", emit_unary, MATH_RSQRT},
    {"math.floor", emit_unary, MATH_FLOOR},
    {"math.ceil", emit_unary, MATH_CEIL},
    {"math.trunc", emit_unary, MATH_TRUNC},
    {"math.round", emit_unary, MATH_ROUND},
    {"math.roundeven", emit_unary, MATH_ROUNDEVEN},
    {"math.absf", emit_unary, MATH_ABS},
    {"math.atan2", emit_binary, MATH_ATAN2},
    {"math.powf", emit_binary, MATH_POW},
    {"math.copysign", emit_binary, MATH_COPYSIGN},
    {"arith.remf", emit_binary, MATH_FMOD},
    {"math.fma", emit_math_fma, 0},
    {"math.absi", emit_bits, BITS_ABS},
    {"math.ctlz", emit_bits, BITS_CTLZ},
    {"math.cttz", emit_bits, BITS_CTTZ},
    {"math.ctpop", emit_bits, BITS_CTPOP},
    {"math.isnan", emit_class, CLASS_NAN},
    {"math.isinf", emit_class, CLASS_INFINITE},
    {"math.isfinite", emit_class, CLASS_FINITE},
    {"math.isnormal", emit_class, CLASS_NORMAL},
    {"math.fpowi", emit_fpowi, 0},
    {"math.ipowi", emit_ipowi, 0},
};
const emit_table_t emit_math_table = {rows, sizeof(rows) / sizeof(rows[0])};
