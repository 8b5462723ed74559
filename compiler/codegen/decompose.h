// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites composite ops of a function body as structured ops.
#ifndef IREE_COMPILER_CODEGEN_DECOMPOSE_H_
#define IREE_COMPILER_CODEGEN_DECOMPOSE_H_

#include "compiler/ir/ir.h"

iree_status_t codegen_decompose(ir_ctx_t *ctx, ir_op_t *func);

#endif  // IREE_COMPILER_CODEGEN_DECOMPOSE_H_
