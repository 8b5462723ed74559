// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structural comparison: ops that are equal but for their places in the source.
#ifndef COMPILER_IR_EQUAL_H_
#define COMPILER_IR_EQUAL_H_

#include "compiler/ir/ir.h"

// True if |name| of |op| does not count.
typedef bool (*ir_ignores_fn_t)(const ir_op_t *op, const char *name);

// Both take isolated ops, cost as much as these have ops and operands, and use the marks of values
// and blocks. Equal ops have equal hashes; hashes differ from run to run.
uint64_t ir_op_hash(const ir_op_t *op, ir_ignores_fn_t ignores);
bool ir_op_equal(const ir_op_t *a, const ir_op_t *b, ir_ignores_fn_t ignores);

#endif  // COMPILER_IR_EQUAL_H_
