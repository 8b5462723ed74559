// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes over vm ops share with their texts.
#ifndef COMPILER_DIALECTS_VM_OPS_H_
#define COMPILER_DIALECTS_VM_OPS_H_

#include "compiler/ir/ir.h"

// Entry |i| of `segment_sizes` of a variadic call: -1 a plain argument, else the entries of a list.
int64_t vm_segment_size(ir_attr_t sizes, size_t i);
ir_attr_t vm_segment_sizes(ir_ctx_t *ctx, const int64_t *sizes, size_t n);  // n <= 64

#endif  // COMPILER_DIALECTS_VM_OPS_H_
