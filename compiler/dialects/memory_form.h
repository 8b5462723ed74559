// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants as their bytes lie in memory.
#ifndef COMPILER_DIALECTS_MEMORY_FORM_H_
#define COMPILER_DIALECTS_MEMORY_FORM_H_

#include "compiler/ir/ir.h"

// Elements of 2 and 4 bits packed low bits first, others of less than a byte as bytes. Splats of whole
// bytes stay splats.
ir_attr_t memory_form(ir_ctx_t *ctx, ir_attr_t dense);

// The dense elements behind |value|, looked up if it names a resource of the file; NULL: none.
ir_attr_t memory_dense(ir_ctx_t *ctx, ir_attr_t value);

#endif  // COMPILER_DIALECTS_MEMORY_FORM_H_
