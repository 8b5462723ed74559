// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator: what pure tensor ops compute, on constants.
//
// Integers wrap at their width; floats are computed in double and rounded once to their format, which
// is exact for + - * / and square root of formats up to f32. Elementary functions are those of the C
// library, rounded; on f64 they are left alone, since libraries differ in the last bit. Whatever has no
// defined value (division by zero, oversized shifts, conversions out of range) is not evaluated.
#ifndef COMPILER_DIALECTS_INTERP_H_
#define COMPILER_DIALECTS_INTERP_H_

#include "compiler/dialects/ops.h"

// A tensor constant that |v| is known to be: of arith.constant, or one value throughout (linalg.fill,
// tensor.splat of a constant). NULL if it is not known.
ir_attr_t interp_constant(ir_ctx_t *ctx, const ir_value_t *v);
// Evaluates |op| (a linalg op with a body, tensor.extract_slice, tensor.insert_slice) if all it reads is
// constant and it takes no more than |max_steps| scalar operations. Writes one attribute per result.
//   returns: false if it cannot be evaluated; nothing was written then
bool interp_op(ir_ctx_t *ctx, ir_op_t *op, int64_t max_steps, ir_attr_t *out_attrs);
// Scalar operations that evaluating |op| takes; -1 if that is not known.
int64_t interp_cost(ir_ctx_t *ctx, const ir_op_t *op);

#endif  // COMPILER_DIALECTS_INTERP_H_
