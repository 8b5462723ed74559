// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_FLOW_COPIES_H_
#define COMPILER_FLOW_COPIES_H_

#include "compiler/ir/ir.h"

// Do the elements that a tensor.extract_slice or tensor.insert_slice names lie side by side?
bool slice_is_contiguous(const ir_op_t *op);

#endif  // COMPILER_FLOW_COPIES_H_
