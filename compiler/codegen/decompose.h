// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites of a function body before it is scheduled.
#ifndef IREE_COMPILER_CODEGEN_DECOMPOSE_H_
#define IREE_COMPILER_CODEGEN_DECOMPOSE_H_

#include "compiler/ir/ir.h"

// Composite ops as structured ops (decompose.c).
iree_status_t codegen_decompose(ir_ctx_t *ctx, ir_op_t *func);

// An op of iree_linalg_ext as loops (decompose_ext.c); |*out_done| is false for other ops.
iree_status_t codegen_decompose_ext(ir_ctx_t *ctx, iree_arena_t *arena, ir_op_t *op,
                                    bool *out_done);

// Neighbouring dimensions that all ops walk together as one (collapse_dims.c).
void codegen_collapse_dims(ir_ctx_t *ctx, ir_op_t *func);

#endif  // IREE_COMPILER_CODEGEN_DECOMPOSE_H_
