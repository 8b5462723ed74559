// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_FLOW_DISPATCH_NAMES_H_
#define COMPILER_FLOW_DISPATCH_NAMES_H_

#include "compiler/flow/text.h"
#include "compiler/ir/ir.h"

// Adds what a dispatch body mainly does, in the manner `matmul_2x6x8_f32`: op, loop extents, element
// types. Nothing is added if there is nothing to say.
void dispatch_add_summary(text_t *t, ir_ctx_t *ctx, ir_block_t *body);

#endif  // COMPILER_FLOW_DISPATCH_NAMES_H_
