// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_DIALECTS_TERMS_H_
#define COMPILER_DIALECTS_TERMS_H_

#include "compiler/ir/ir.h"

// The check of ir_tables_t: |term| as it was read; may be replaced by the term that means the same.
// NULL, or what is wrong with it.
const char *dialect_check_term(ir_ctx_t *ctx, const ir_term_t **term);

#endif  // COMPILER_DIALECTS_TERMS_H_
