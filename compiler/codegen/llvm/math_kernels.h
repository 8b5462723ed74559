// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions as straight-line code on scalars or vectors, all special cases by selection.
// Polynomials and splittings of constants are those of FreeBSD msun and Cephes; bounds below are in
// units in the last place, measured by test/math_test.c.
//
//   f32, computed in f32:  exp 1.1  log 1.0  tanh 2  erf 1.5  rsqrt 1.5
//   f32, computed in f64:  all others, under 0.51 (pow: under 0.6)
//   f64:  exp 1  log 1  sin cos 2.5  the rest under 4
#ifndef IREE_COMPILER_CODEGEN_LLVM_MATH_KERNELS_H_
#define IREE_COMPILER_CODEGEN_LLVM_MATH_KERNELS_H_

#include "compiler/codegen/llvm/emit.h"

// Function numbers; also the |param| of rows.
typedef enum {
  MATH_EXP,
  MATH_EXP2,
  MATH_EXPM1,
  MATH_LOG,
  MATH_LOG2,
  MATH_LOG10,
  MATH_LOG1P,
  MATH_SIN,
  MATH_COS,
  MATH_TAN,
  MATH_ASIN,
  MATH_ACOS,
  MATH_ATAN,
  MATH_SINH,
  MATH_COSH,
  MATH_TANH,
  MATH_ASINH,
  MATH_ACOSH,
  MATH_ATANH,
  MATH_ERF,
  MATH_ERFC,
  MATH_CBRT,
  MATH_SQRT,
  MATH_RSQRT,
  MATH_FLOOR,
  MATH_CEIL,
  MATH_TRUNC,
  MATH_ROUND,
  MATH_ROUNDEVEN,
  MATH_ABS,
  MATH_ATAN2,
  MATH_POW,
  MATH_COPYSIGN,
  MATH_FMOD,
} math_function_t;

// |x| (and |y| for the last four) float or double, scalar or vector. |is_small| promises that finite
// operands are below 2^20.
LLVMValueRef math_emit(emit_t *e, math_function_t function, LLVMValueRef x, LLVMValueRef y,
                       bool is_small);

// a b + c, rounded once; where that takes more than an instruction, twice in rare cases.
LLVMValueRef math_emit_fma(emit_t *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);

#endif  // IREE_COMPILER_CODEGEN_LLVM_MATH_KERNELS_H_
