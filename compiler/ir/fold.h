// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification that every phase wants: folding by the rows' hooks, constants merged at the top of
// their function, equal pure ops merged, unused pure ops dropped.
#ifndef COMPILER_IR_FOLD_H_
#define COMPILER_IR_FOLD_H_

#include "compiler/ir/ir.h"

// Folds all ops below |root| in order, merges equal constants and equal pure ops, drops dead ones.
// Linear in the number of ops (a bounded number of sweeps).
iree_status_t ir_simplify(ir_ctx_t *ctx, ir_op_t *root);
// The steps alone.
bool ir_fold_ops(ir_ctx_t *ctx, ir_op_t *root);  // true if anything changed
bool ir_merge_equal(ir_ctx_t *ctx,
                    ir_op_t *root);  // common subexpressions of pure ops without regions
bool ir_drop_dead(ir_op_t *root);    // unused pure ops

// ---- constants as fold hooks see them
ir_attr_t ir_constant_of(const ir_value_t *v);  // attribute of a constant op; else NULL
bool ir_constant_int(const ir_value_t *v, int64_t *out_value);  // integer or index, sign extended
// One element of a dense attribute as an integer or float attribute; NULL for other element types.
ir_attr_t ir_dense_element(ir_ctx_t *ctx, ir_attr_t dense, size_t i);
// A dense attribute of |type| from the constants that |op|'s operands are; NULL if one is not.
ir_attr_t ir_dense_of_constants(ir_ctx_t *ctx, ir_type_t type, const ir_op_t *op);
// A splat of |type| with the scalar |value|.
ir_attr_t ir_dense_splat(ir_ctx_t *ctx, ir_type_t type, ir_attr_t value);
// A constant op of |attr| (arith.constant or complex.constant) at |b|; |type| is its result's.
ir_value_t *ir_build_constant(ir_builder_t *b, ir_type_t type, ir_attr_t attr);

#endif  // COMPILER_IR_FOLD_H_
