// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes ask of linalg ops, generic or named, without looking at names.
#ifndef COMPILER_DIALECTS_LINALG_H_
#define COMPILER_DIALECTS_LINALG_H_

#include "compiler/dialects/ops.h"

bool linalg_is_structured(const ir_op_t *op);  // linalg.generic or a named op
ir_group_t linalg_inputs(const ir_op_t *op);
ir_group_t linalg_outputs(const ir_op_t *op);
// One map per operand, in an array attribute; of named ops made on the spot.
ir_attr_t linalg_maps(ir_ctx_t *ctx, const ir_op_t *op);
static inline ir_attr_t linalg_map(ir_ctx_t *ctx, const ir_op_t *op, size_t operand) {
  return ir_kid(linalg_maps(ctx, op), operand);
}
size_t linalg_n_loops(ir_ctx_t *ctx, const ir_op_t *op);
bool linalg_is_parallel(ir_ctx_t *ctx, const ir_op_t *op, size_t loop);
size_t linalg_n_parallel(ir_ctx_t *ctx, const ir_op_t *op);
// Is operand |i| read by the body? Outputs often are not, and inputs of pooling windows never.
bool linalg_operand_is_read(const ir_op_t *op, size_t i);

// A linalg.generic before |b|'s point with an empty body block whose arguments are in place; the
// caller fills it and ends it with linalg.yield. |parallel[i]| says loop i is parallel.
ir_op_t *linalg_build_generic(ir_builder_t *b, ir_value_t *const *inputs, size_t n_inputs,
                              ir_value_t *const *outputs, size_t n_outputs, const ir_attr_t *maps,
                              const bool *parallel, size_t n_loops);
void linalg_build_yield(ir_ctx_t *ctx, ir_op_t *generic, ir_value_t *const *values, size_t n,
                        ir_loc_t loc);
ir_value_t *linalg_build_fill(ir_builder_t *b, ir_value_t *scalar, ir_value_t *output);
// Rewrites a named op as linalg.generic in place of it and returns that; a generic is returned as
// is.
ir_op_t *linalg_generalize(ir_ctx_t *ctx, ir_op_t *op);

#endif  // COMPILER_DIALECTS_LINALG_H_
