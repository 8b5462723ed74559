// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialects/ops.h"

#include "compiler/dialects/directives.h"
#include "compiler/dialects/hlo_bytecode.h"
#include "compiler/dialects/terms.h"

#define OP(...)
#define HOOKS(x) extern const ir_op_hooks_t x;
#include "compiler/dialects/all.def"
#undef OP
#undef HOOKS

static const ir_op_info_t ops[OP_COUNT] = {
#define HOOKS(x)
#define OP(SYM, name, operands, results, attrs, blocks, form, traits, levels, hooks, doc) \
  [OP_##SYM] = {name, operands, results, attrs, blocks, form, traits, levels, hooks, doc},
#include "compiler/dialects/all.def"
#undef OP
#undef HOOKS
};

// MHLO is what StableHLO and CHLO were called where they came from.
static const ir_dialect_alias_t aliases[] = {{"mhlo", "stablehlo"}, {"mhlo", "chlo"}};

ir_tables_t dialect_tables(void) {
  return (ir_tables_t){ops, OP_COUNT, dialect_directives, dialect_n_directives, dialect_bytecode, dialect_n_bytecode, dialect_check_term,
                       aliases, sizeof aliases / sizeof *aliases};
}
