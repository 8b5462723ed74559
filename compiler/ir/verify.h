// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_IR_VERIFY_H_
#define COMPILER_IR_VERIFY_H_

#include "compiler/ir/ir.h"

// Checks structure, counts, traits, required attributes and each op's own rules.
//   errors: INVALID_ARGUMENT, messages went to the context's sink
iree_status_t ir_verify(ir_op_t *root);
// Checks that every op may stand at |level| (a bit of dialects/ops.h) after |pass_name|. Ops of
// nested modules of executables are judged by the level their parent allows, see verify.c.
iree_status_t ir_verify_level(ir_op_t *root, uint32_t level, const char *pass_name);

#endif  // COMPILER_IR_VERIFY_H_
