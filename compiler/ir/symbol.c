// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbols: finding them and naming new ones.
#include <stdio.h>
#include <string.h>

#include "compiler/ir/context.h"

ir_op_t *ir_symbol_lookup(const ir_op_t *table, iree_string_view_t name) {
  ir_attr_t wanted = ir_attr_string(ir_op_ctx(table), name.data, name.size);  // names compare as pointers
  for (ir_block_t *b = table->n_regions ? table->regions[0]->first : NULL; b; b = b->next)
    for (ir_op_t *op = b->first; op; op = op->next)
      if (op->spec->sym_name_slot >= 0 && op->attrs[op->spec->sym_name_slot] == wanted) return op;
  return NULL;
}
ir_op_t *ir_symbol_resolve(const ir_op_t *from, ir_attr_t symref) {
  if (!symref || symref->kind != IR_A_SYMREF) return NULL;
  for (const ir_op_t *table = from; table; table = ir_op_parent(table)) {
    if (!ir_op_has_trait(table, IR_SYMBOL_TABLE)) continue;
    const ir_op_t *found = table;
    for (uint32_t i = 0; i < symref->n_kids && found; ++i)
      found = ir_symbol_lookup(found, ir_str(ir_kid(symref, i)));
    if (found) return (ir_op_t *)(uintptr_t)found;
  }
  return NULL;
}
const char *ir_symbol_unique(ir_ctx_t *ctx, const ir_op_t *table, const char *base) {
  if (!ir_symbol_lookup(table, iree_make_cstring_view(base))) return ir_intern(ctx, base, strlen(base));
  for (unsigned n = 0;; ++n) {
    char name[512];
    snprintf(name, sizeof name, "%.490s_%u", base, n);
    if (!ir_symbol_lookup(table, iree_make_cstring_view(name))) return ir_intern(ctx, name, strlen(name));
  }
}

// ---- many new names
// What a name stands for in a map of names: how many symbols were derived from it, and itself.
static uintptr_t derived(const ir_map_t *names, ir_attr_t name) { return (uintptr_t)ir_map_get(names, name); }
static void set_derived(ir_map_t *names, ir_attr_t name, uintptr_t n) { ir_map_set(names, name, (void *)n); }

void ir_symbol_reserve(ir_map_t *names, ir_attr_t name) {
  if (!derived(names, name)) set_derived(names, name, 1);
}
bool ir_symbol_is_taken(const ir_map_t *names, ir_attr_t name) { return derived(names, name) != 0; }
ir_map_t *ir_symbol_names(iree_arena_t *arena, const ir_op_t *table) {
  ir_map_t *names = ir_map_create(arena);
  for (ir_block_t *b = table->n_regions ? table->regions[0]->first : NULL; b; b = b->next)
    for (ir_op_t *op = b->first; op; op = op->next)
      if (op->spec->sym_name_slot >= 0 && op->attrs[op->spec->sym_name_slot]) ir_symbol_reserve(names, op->attrs[op->spec->sym_name_slot]);
  return names;
}
const char *ir_symbol_fresh(ir_ctx_t *ctx, ir_map_t *names, const char *base) {
  ir_attr_t first = ir_attr_str(ctx, base), name = first;
  uintptr_t n = derived(names, first);
  for (; derived(names, name); ++n) {
    char text[512];
    snprintf(text, sizeof text, "%.480s_%llu", base, (unsigned long long)n - 1);
    name = ir_attr_str(ctx, text);
  }
  if (n) set_derived(names, first, n);
  set_derived(names, name, 1);
  return ir_bytes(name);
}
