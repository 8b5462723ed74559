// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes over structured control flow (scf) share.
#ifndef COMPILER_FLOW_CONTROL_H_
#define COMPILER_FLOW_CONTROL_H_

#include "compiler/dialects/ops.h"

// Replaces |op| by one of the same kind, attributes and regions with |operands| and results of
// |types|; result i takes over the uses of the old result |from[i]|, CONTROL_NEW has none. Old results
// that are not named must have no uses. Returns the new op.
enum { CONTROL_NEW = -1 };
ir_op_t *control_rebuild(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *const *operands, size_t n_operands, const ir_type_t *types,
                         const int64_t *from, size_t n_results);
// The same operands, without those results that |drop| says.
ir_op_t *control_drop_results(ir_ctx_t *ctx, ir_op_t *op, const bool *drop);
// Are all regions that |op| has one block each (or absent), so that their ends are last ops?
bool control_is_simple(const ir_op_t *op);
// Is |v| there before |op| is, so that it may be used in its place?
bool control_is_outside(const ir_value_t *v, const ir_op_t *op);

#endif  // COMPILER_FLOW_CONTROL_H_
