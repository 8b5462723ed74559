// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chlo's elementwise functions by those of math.
#include <math.h>

#include "compiler/input/lower.h"

ir_value_t *low_chlo_scalar(ir_builder_t *b, const ir_op_t *op, ir_value_t *const *args) {
  ir_value_t *x = args[0];
  if (op->kind == OP_CHLO_SQUARE) return low_mul(b, x, x);
  if (ir_is(x->type, IR_T_COMPLEX)) {
    if (op->kind == OP_CHLO_CONJ) return low_complex(b, low_re(b, x), low_op1(b, OP_ARITH_NEGF, low_im(b, x)));
    return NULL;
  }
  if (!ir_type_is_float(x->type)) return NULL;
  switch (op->kind) {
    case OP_CHLO_ABS: return low_op1(b, OP_MATH_ABSF, x);
    case OP_CHLO_CONJ: return x;
    case OP_CHLO_ACOS: return low_op1(b, OP_MATH_ACOS, x);
    case OP_CHLO_ACOSH: return low_op1(b, OP_MATH_ACOSH, x);
    case OP_CHLO_ASIN: return low_op1(b, OP_MATH_ASIN, x);
    case OP_CHLO_ASINH: return low_op1(b, OP_MATH_ASINH, x);
    case OP_CHLO_ATAN: return low_op1(b, OP_MATH_ATAN, x);
    case OP_CHLO_ATANH: return low_op1(b, OP_MATH_ATANH, x);
    case OP_CHLO_COSH: return low_op1(b, OP_MATH_COSH, x);
    case OP_CHLO_SINH: return low_op1(b, OP_MATH_SINH, x);
    case OP_CHLO_TAN: return low_op1(b, OP_MATH_TAN, x);
    case OP_CHLO_ERF: return low_op1(b, OP_MATH_ERF, x);
    case OP_CHLO_ERFC: return low_op1(b, OP_MATH_ERFC, x);
    case OP_CHLO_IS_INF: return low_cmpf(b, "oeq", low_op1(b, OP_MATH_ABSF, x), low_float(b, x->type, INFINITY));
    case OP_CHLO_IS_POS_INF: return low_cmpf(b, "oeq", x, low_float(b, x->type, INFINITY));
    case OP_CHLO_IS_NEG_INF: return low_cmpf(b, "oeq", x, low_float(b, x->type, -INFINITY));
    default: return NULL;
  }
}
