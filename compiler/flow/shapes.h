// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents of tensors as values: who knows a dynamic extent, and where it comes from.
#ifndef COMPILER_FLOW_SHAPES_H_
#define COMPILER_FLOW_SHAPES_H_

#include "compiler/ir/ir.h"

// Writes one index value per dynamic extent of |value|'s tensor type to |out_dims|, in order. Ops that
// compute them are built at |b|, which |value| must dominate.
//   errors: UNIMPLEMENTED  the op that makes |value| does not tell its extents
iree_status_t shape_dynamic_dims(ir_builder_t *b, ir_value_t *value, ir_value_t **out_dims);
// Extent |i| as a value; a constant where it is static.
iree_status_t shape_dim(ir_builder_t *b, ir_value_t *value, size_t i, ir_value_t **out_dim);
// Tensors of more dimensions than this are refused: fixed arrays may rely on it after the check.
enum { SHAPE_MAX_RANK = 32 };
//   errors: INVALID_ARGUMENT  an operand or result of |op| has a larger rank
iree_status_t shape_check_rank(const ir_op_t *op);
// arith.constant of type index.
ir_value_t *build_index(ir_builder_t *b, int64_t value);

#endif  // COMPILER_FLOW_SHAPES_H_
