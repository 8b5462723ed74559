// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What strategies share. A strategy is a pair of functions over a module:
//   list_x   appends the sites, in the same order for equal modules
//   apply_x  takes one away; may find that it cannot and leave the module as it is. The site's op stands in
//            the module. Whatever does not verify afterwards is dropped as a candidate.
#ifndef COMPILER_REDUCE_STRATEGY_H_
#define COMPILER_REDUCE_STRATEGY_H_

#include "compiler/dialects/ops.h"
#include "compiler/ir/context.h"

typedef struct reduce_site {
  ir_op_t *op;
  int64_t a, b;    // the strategy's own
  uint32_t group;  // PREFIX only
} reduce_site_t;
typedef struct reduce_sites {
  iree_arena_t *arena;
  reduce_site_t *v;
  size_t n, cap;
} reduce_sites_t;
static inline void reduce_add(reduce_sites_t *s, ir_op_t *op, int64_t a, int64_t b) {
  IREE_ARENA_PUSH(s->arena, s->v, s->n, s->cap, ((reduce_site_t){op, a, b, 0}));
}

#define STRATEGY(name, kind, fn, doc)                            \
  void list_##fn(ir_op_t *module, reduce_sites_t *sites);        \
  void apply_##fn(ir_op_t *module, const reduce_site_t *site);
#include "compiler/reduce/strategies.def"
#undef STRATEGY

// ---- functions.c
bool reduce_is_function(const ir_op_t *op);                        // with a body
bool reduce_is_named(const ir_op_t *module, const ir_op_t *symbol);  // some attribute refers to it
ir_op_t *reduce_function_of(const ir_op_t *op);                    // around |op|; NULL if there is none
// Makes the type follow from the arguments and from what the last block returns.
void reduce_update_type(ir_op_t *function);
// Keeps |name| (arg_attrs, res_attrs) as long as the list that it describes: entry |at| goes or comes.
void reduce_attrs_erase(ir_op_t *function, const char *name, size_t at);
void reduce_attrs_append(ir_op_t *function, const char *name);

// ---- values.c
// A constant of |type| at |b|: ones, or zeros where there is no one. NULL if there are no constants of it.
ir_value_t *reduce_constant(ir_builder_t *b, ir_type_t type, bool hlo);
bool reduce_uses_hlo(const ir_op_t *module);

#endif  // COMPILER_REDUCE_STRATEGY_H_
