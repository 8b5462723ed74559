// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strategies over functions: whole ones, their ends, results, arguments and calls.
#include "compiler/reduce/strategy.h"

bool reduce_is_function(const ir_op_t *op) { return ir_op_has_trait(op, IR_FUNCTION) && ir_body(op); }
ir_op_t *reduce_function_of(const ir_op_t *op) {
  ir_op_t *f = ir_op_parent(op);
  while (f && !reduce_is_function(f)) f = ir_op_parent(f);
  return f;
}

// ---- who refers to a symbol
typedef struct named {
  const ir_op_t *symbol;
  ir_attr_t name;
  bool found;
} named_t;
static bool term_names(const ir_term_t *t, ir_attr_t name) {
  if (!t) return false;
  if (t->kind == IR_A_SYMREF) return t->n_kids && ir_kid(t, t->n_kids - 1) == name;
  if (t->kind < IR_A_UNIT || t->kind == IR_A_DENSE) return false;
  for (uint32_t i = 0; i < t->n_kids; ++i)
    if (term_names(ir_kid(t, i), name)) return true;
  return false;
}
static iree_status_t visit_names(ir_op_t *op, void *self) {
  named_t *n = self;
  for (size_t i = 0; i < op->spec->n_attrs; ++i) n->found |= term_names(op->attrs[i], n->name);
  for (uint32_t i = 0; i < op->n_extra; ++i) n->found |= term_names(op->extra[i].value, n->name);
  return iree_ok_status();
}
bool reduce_is_named(const ir_op_t *module, const ir_op_t *symbol) {
  named_t n = {symbol, ir_op_attr(symbol, "sym_name"), false};
  iree_status_ignore(ir_walk((ir_op_t *)(uintptr_t)module, visit_names, &n));
  return n.found;
}

// ---- types and attributes that follow from a body
static ir_op_t *return_of(const ir_op_t *function) {
  ir_block_t *last = function->regions[0]->last;
  return ir_block_has_terminator(last) && (last->last->kind == OP_FUNC_RETURN || last->last->kind == OP_UTIL_RETURN) ? last->last : NULL;
}
void reduce_update_type(ir_op_t *function) {
  ir_ctx_t *ctx = ir_op_ctx(function);
  ir_block_t *entry = ir_body(function);
  ir_op_t *ret = return_of(function);
  ir_type_t old = ir_op_attr(function, "function_type");
  size_t n_results = ret ? ret->n_operands : ir_fn_n_results(old);
  ir_type_t *types = IREE_ARENA_ARRAY(ir_arena(ctx), ir_type_t, entry->n_args + n_results + 1);
  for (uint32_t i = 0; i < entry->n_args; ++i) types[i] = entry->args[i]->type;
  for (size_t i = 0; i < n_results; ++i) types[entry->n_args + i] = ret ? ir_operand(ret, i)->type : ir_fn_result(old, i);
  ir_op_set_attr(ctx, function, "function_type", ir_type_function(ctx, types, entry->n_args, types + entry->n_args, n_results));
}
void reduce_attrs_erase(ir_op_t *function, const char *name, size_t at) {
  ir_ctx_t *ctx = ir_op_ctx(function);
  ir_attr_t old = ir_op_attr(function, name);
  if (!ir_is(old, IR_A_ARRAY) || at >= old->n_kids) return;
  ir_attr_t *kept = IREE_ARENA_ARRAY(ir_arena(ctx), ir_attr_t, old->n_kids);
  size_t n = 0;
  for (uint32_t i = 0; i < old->n_kids; ++i)
    if (i != at) kept[n++] = ir_kid(old, i);
  ir_op_set_attr(ctx, function, name, n ? ir_attr_array(ctx, kept, n) : NULL);
}
void reduce_attrs_append(ir_op_t *function, const char *name) {
  ir_ctx_t *ctx = ir_op_ctx(function);
  ir_attr_t old = ir_op_attr(function, name);
  if (!ir_is(old, IR_A_ARRAY)) return;
  ir_attr_t *all = IREE_ARENA_ARRAY(ir_arena(ctx), ir_attr_t, old->n_kids + 1);
  for (uint32_t i = 0; i < old->n_kids; ++i) all[i] = ir_kid(old, i);
  all[old->n_kids] = ir_attr_dict(ctx, NULL, 0);
  ir_op_set_attr(ctx, function, name, ir_attr_array(ctx, all, old->n_kids + 1));
}

// ---- "functions"
static void list_symbols(ir_op_t *table, reduce_sites_t *sites) {
  for (ir_op_t *op = ir_body(table) ? ir_body(table)->first : NULL; op; op = op->next) {
    if (ir_op_has_trait(op, IR_SYMBOL) || op->kind == OP_UTIL_INITIALIZER) reduce_add(sites, op, 0, 0);
    if (ir_op_has_trait(op, IR_SYMBOL_TABLE)) list_symbols(op, sites);
  }
}
void list_functions(ir_op_t *module, reduce_sites_t *sites) { list_symbols(module, sites); }
void apply_functions(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_op_erase(site->op);  // if somebody names it, the candidate does not verify
}

// ---- "tails"
void list_tails(ir_op_t *module, reduce_sites_t *sites) {
  uint32_t group = 0;
  for (ir_op_t *f = ir_body(module)->first; f; f = f->next) {
    if (!reduce_is_function(f) || ir_body(f)->next || !return_of(f) || reduce_is_named(module, f)) continue;
    ++group;
    ir_op_t *last = return_of(f)->prev;
    for (ir_op_t *op = ir_body(f)->first; op && op != last; op = op->next) {
      if (!op->n_results || ir_op_has_trait(op, IR_CONSTANT)) continue;
      reduce_add(sites, op, 0, 0);
      sites->v[sites->n - 1].group = group;
    }
  }
}
void apply_tails(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_op_t *op = site->op, *f = ir_op_parent(op), *ret = return_of(f);
  ir_ctx_t *ctx = ir_op_ctx(op);
  ir_value_t **values = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, op->n_results);
  for (uint32_t i = 0; i < op->n_results; ++i) values[i] = ir_result(op, i);
  ir_op_set_operands(ctx, ret, values, op->n_results, NULL);
  while (ret->prev != op) ir_op_erase(ret->prev);  // from the end: users go before what they use
  ir_op_set_attr(ctx, f, "res_attrs", NULL);
  reduce_update_type(f);
}

// ---- "results"
void list_results(ir_op_t *module, reduce_sites_t *sites) {
  for (ir_op_t *f = ir_body(module)->first; f; f = f->next) {
    if (!reduce_is_function(f) || ir_body(f)->next || !return_of(f) || reduce_is_named(module, f)) continue;
    for (uint32_t i = return_of(f)->n_operands; i-- > 0;) reduce_add(sites, f, i, 0);
  }
}
void apply_results(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_op_t *ret = return_of(site->op);
  if (!ret || site->a >= ret->n_operands) return;
  ir_op_erase_operand(ret, (size_t)site->a);
  reduce_attrs_erase(site->op, "res_attrs", (size_t)site->a);
  reduce_update_type(site->op);
}

// ---- "unused": of functions that nobody calls
void list_unused(ir_op_t *module, reduce_sites_t *sites) {
  for (ir_op_t *f = ir_body(module)->first; f; f = f->next) {
    if (!reduce_is_function(f) || reduce_is_named(module, f)) continue;
    for (uint32_t i = ir_body(f)->n_args; i-- > 0;)
      if (ir_unused(ir_body(f)->args[i])) reduce_add(sites, f, i, 0);
  }
}
void apply_unused(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_block_t *entry = ir_body(site->op);
  if (site->a >= entry->n_args || !ir_unused(entry->args[site->a])) return;
  ir_block_erase_arg(entry, (size_t)site->a);
  reduce_attrs_erase(site->op, "arg_attrs", (size_t)site->a);
  reduce_update_type(site->op);
}

// ---- "calls"
static iree_status_t visit_call(ir_op_t *op, void *self) {
  if (op->kind == OP_FUNC_CALL || op->kind == OP_UTIL_CALL) reduce_add(self, op, 0, 0);
  return iree_ok_status();
}
void list_calls(ir_op_t *module, reduce_sites_t *sites) { iree_status_ignore(ir_walk(module, visit_call, sites)); }
void apply_calls(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_op_t *call = site->op;
  ir_ctx_t *ctx = ir_op_ctx(call);
  ir_op_t *callee = ir_symbol_resolve(call, ir_op_attr(call, "callee"));
  if (!callee || !reduce_is_function(callee) || ir_body(callee)->next || ir_op_is_ancestor(callee, call)) return;
  ir_block_t *body = ir_body(callee);
  ir_op_t *ret = return_of(callee);
  if (!ret || body->n_args != call->n_operands || ret->n_operands != call->n_results) return;
  ir_map_t *map = ir_map_create(ir_arena(ctx));
  for (uint32_t i = 0; i < body->n_args; ++i) ir_map_set(map, body->args[i], ir_operand(call, i));
  ir_builder_t b = ir_builder_before(ctx, call);
  for (ir_op_t *op = body->first; op != ret; op = op->next) ir_insert(&b, ir_op_clone(ctx, op, map));
  ir_value_t **results = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, call->n_results + 1);
  for (uint32_t i = 0; i < call->n_results; ++i) {
    ir_value_t *copy = ir_map_get(map, ir_operand(ret, i));
    results[i] = copy ? copy : ir_operand(ret, i);
    if (results[i]->type != ir_result(call, i)->type) return;  // the copies are dead and go
  }
  ir_op_replace(call, results);
}

// ---- "blocks"
static iree_status_t visit_branch(ir_op_t *op, void *self) {
  if (op->kind == OP_CF_BR) reduce_add(self, op, 0, 0);
  return iree_ok_status();
}
void list_blocks(ir_op_t *module, reduce_sites_t *sites) { iree_status_ignore(ir_walk(module, visit_branch, sites)); }
static size_t count_predecessors(const ir_block_t *block) {
  size_t n = 0;
  for (const ir_block_t *b = block->region->first; b; b = b->next)
    for (uint16_t i = 0; b->last && i < b->last->n_succs; ++i) n += b->last->succs[i].block == block;
  return n;
}
void apply_blocks(ir_op_t *module, const reduce_site_t *site) {
  (void)module;
  ir_op_t *branch = site->op;
  ir_block_t *from = branch->block, *to = branch->succs[0].block;
  if (to == from || to == from->region->first || branch != from->last || count_predecessors(to) != 1) return;
  if (to->n_args != branch->succs[0].n || !to->first) return;
  for (uint32_t i = 0; i < to->n_args; ++i) ir_replace_uses(to->args[i], ir_operand(branch, branch->succs[0].first + i));
  ir_op_erase(branch);
  ir_block_move_ops(to->first, from);
  ir_block_erase(to);
}
