// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO in small steps, for what is written with simpler ops.
#ifndef COMPILER_INPUT_BUILD_HLO_H_
#define COMPILER_INPUT_BUILD_HLO_H_

#include "compiler/input/lower.h"

ir_value_t *hlo1(ir_builder_t *b, ir_kind_t kind, ir_value_t *x);  // result like x
ir_value_t *hlo2(ir_builder_t *b, ir_kind_t kind, ir_value_t *x, ir_value_t *y);
ir_value_t *hlo_splat(ir_builder_t *b, ir_type_t type, double value);  // static, of floats
ir_value_t *hlo_sum(ir_builder_t *b, ir_value_t *v, const int64_t *dims, size_t n, ir_type_t type);

// Shapes are tensors of i32, extents scalar ones.
ir_value_t *hlo_i32(ir_builder_t *b, int64_t number);
ir_value_t *hlo_extent(ir_builder_t *b, ir_value_t *v, size_t dim);
ir_value_t *hlo_shape(ir_builder_t *b, ir_value_t *const *extents, size_t n);
ir_value_t *hlo_shape_of(ir_builder_t *b, ir_value_t *v);
ir_value_t *hlo_dynamic_broadcast(ir_builder_t *b, ir_value_t *v, ir_type_t type,
                                  const int64_t *dims, ir_value_t *shape);
// |shape| is read where |type| is dynamic.
ir_value_t *hlo_broadcast(ir_builder_t *b, ir_value_t *v, ir_type_t type, const int64_t *dims,
                          ir_value_t *shape);
// Fails at run time unless |holds|.
void hlo_assert(ir_builder_t *b, ir_value_t *holds, const char *message);

// Each replaces |op|.
iree_status_t input_decompose_batch_norm(ir_ctx_t *ctx, ir_op_t *op);  // decompose_batch_norm.c
iree_status_t input_decompose_broadcast(ir_ctx_t *ctx, ir_op_t *op);   // decompose_broadcasts.c
bool input_is_broadcast(ir_kind_t kind);

#endif  // COMPILER_INPUT_BUILD_HLO_H_
