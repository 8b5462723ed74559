// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps one of executables that are equal but for their names and for the elements of constants.
//   in, out: flow.executable, flow.dispatch
//
//   flow.executable @a {... @a_f ... dense<[1, 2]> ...}   flow.executable @b {... @b_f ... dense<[3, 4]> ...}
//   flow.dispatch @a::@a_f(%x)   flow.dispatch @b::@b_f(%y)
//   ->
//   flow.executable @a {... @a_f(..., %c, ...) ... load %c ...}
//   flow.dispatch @a::@a_f(%x, dense<[1, 2]>)   flow.dispatch @a::@a_f(%y, dense<[3, 4]>)
//
// The first in the module stays. Layers of a net have one shape and differ in their weights; those too small
// to be bindings stand in the bodies up to here, where they cost least if they are read by one dispatch only.
#include <string.h>

#include "compiler/flow/bindings.h"
#include "compiler/flow/groups.h"
#include "compiler/ir/equal.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

enum { WORTH_A_POOL = 3 };  // kernels that must meet to pay for a module's first constants on the host

typedef struct entry entry_t;
struct entry {
  ir_op_t *executable, *export, *func;
  uint64_t hash;
  const ir_op_t *dispatch;  // one that runs it
  bool rigid;               // dispatched in a way that cannot take more operands
  entry_t *twin;            // the first that is equal throughout, maybe itself
  entry_t *keeper;          // the first that is equal, maybe itself
  entry_t *same;            // the next that is equal to the keeper
  uint32_t n_same;          // of a keeper: how many are equal, itself included
  ir_attr_t *values;        // elements of its constants that became operands
  uint32_t n_values;
};
typedef struct folder {
  pass_t *pass;
  ir_map_t *by_name;  // name string of an executable -> entry
  entry_t *entries;
  uint32_t n, cap;
  bool has_pool;  // some function has constants that will be bindings
} folder_t;

// ---- what does not count
static bool ignores_names(const ir_op_t *op, const char *name) {
  bool symbol = op->kind == OP_FLOW_EXECUTABLE || op->kind == OP_FLOW_EXECUTABLE_EXPORT || op->kind == OP_FUNC_FUNC;
  return symbol && (!strcmp(name, "sym_name") || !strcmp(name, "function_ref"));
}
static bool has_elements(const ir_op_t *op) {
  if (op->kind != OP_ARITH_CONSTANT || !ir_is(ir_result(op, 0)->type, IR_T_TENSOR)) return false;
  ir_attr_t value = ir_op_attr(op, "value");
  return ir_is(value, IR_A_DENSE) && !ir_dense_is_splat(value);
}
// A constant that a binding could be: elements of whole bytes, at the top of a kernel.
static bool is_bindable(const ir_op_t *op) {
  if (!has_elements(op) || ir_type_width(ir_type_element(ir_result(op, 0)->type)) % 8) return false;
  const ir_op_t *parent = ir_op_parent(op);
  return ir_op_is(parent, OP_FUNC_FUNC) && op->block == ir_body(parent);
}
static bool ignores_elements(const ir_op_t *op, const char *name) {
  return ignores_names(op, name) || (!strcmp(name, "value") && is_bindable(op));
}

// ---- entries
static ir_op_t *function_of(ir_op_t *export) {
  ir_op_t *f = ir_symbol_lookup(export->next, ir_symref_leaf(ir_op_attr(export, "function_ref")));
  return f && f == ir_body(export->next)->first && !f->next && ir_body(f) ? f : NULL;
}
static void collect(folder_t *f, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    if (op->kind != OP_FLOW_EXECUTABLE) continue;
    ir_op_t *export = ir_body(op)->first;
    bool one = ir_op_is(export, OP_FLOW_EXECUTABLE_EXPORT) && ir_op_is(export->next, OP_BUILTIN_MODULE) &&
               ir_op_is(export->next->next, OP_FLOW_EXECUTABLE_END);
    entry_t e = {.executable = op, .export = export, .func = one ? function_of(export) : NULL};
    if (e.func) IREE_ARENA_PUSH(f->pass->scratch, f->entries, f->n, f->cap, e);
  }
  for (uint32_t i = 0; i < f->n; ++i) ir_map_set(f->by_name, ir_op_attr(f->entries[i].executable, "sym_name"), &f->entries[i]);
}
static entry_t *entry_of(const folder_t *f, ir_attr_t entry_point) { return ir_map_get(f->by_name, ir_kid(entry_point, 0)); }
// Walks functions, not executables.
static iree_status_t note_uses(ir_op_t *op, void *self) {
  folder_t *f = self;
  f->has_pool |= has_elements(op);
  if (op->kind != OP_FLOW_DISPATCH) return iree_ok_status();
  ir_attr_t list = ir_op_attr(op, "entry_points");
  for (uint32_t i = 0; i < list->n_kids; ++i) {
    entry_t *e = entry_of(f, ir_kid(list, i));
    if (!e) continue;
    e->dispatch = op;
    e->rigid |= list->n_kids > 1;
  }
  return iree_ok_status();
}

// ---- equal ones
// Finds the keeper of each entry that |counts|; the table holds the first of each kind.
static void find_equal(folder_t *f, ir_ignores_fn_t ignores, bool (*counts)(const entry_t *)) {
  size_t capacity = 16;
  while (capacity < (size_t)f->n * 2) capacity *= 2;
  entry_t **table = IREE_ARENA_ARRAY(f->pass->scratch, entry_t *, capacity);
  for (uint32_t i = 0; i < f->n; ++i) {
    entry_t *e = &f->entries[i];
    if (!counts(e)) continue;
    e->hash = ir_op_hash(e->executable, ignores);
    size_t at = (size_t)e->hash & (capacity - 1);
    while (table[at] && (table[at]->hash != e->hash || !ir_op_equal(table[at]->executable, e->executable, ignores)))
      at = (at + 1) & (capacity - 1);
    if (!table[at]) table[at] = e;
    e->keeper = table[at] == e || ir_may_rewrite(e->executable, "merge") ? table[at] : e;
    e->n_same = 0;
    ++e->keeper->n_same;
    e->same = NULL;
    if (e->keeper == e) continue;
    e->same = e->keeper->same;
    e->keeper->same = e;
  }
}
static bool any(const entry_t *e) { return e->func != NULL; }
static bool may_grow(const entry_t *e) { return e->keeper == e && e->dispatch && !e->rigid; }

// ---- constants become operands
// One walk over the bodies of all that are equal to a keeper up to elements, constant by constant.
typedef struct step {
  ir_op_t **at;  // of each entry its constant
  uint32_t n;
  bool differs;
} step_t;
static bool step_next(step_t *s) {
  s->differs = false;
  for (uint32_t i = 0; i < s->n; ++i) {
    while (s->at[i] && !is_bindable(s->at[i])) s->at[i] = s->at[i]->next;
    if (!s->at[i]) return false;
    s->differs |= ir_op_attr(s->at[i], "value") != ir_op_attr(s->at[0], "value");
  }
  return true;
}
static void step_over(step_t *s) {
  for (uint32_t i = 0; i < s->n; ++i) s->at[i] = s->at[i]->next;
}
static step_t step_start(folder_t *f, entry_t *keeper) {
  step_t s = {.at = IREE_ARENA_ARRAY(f->pass->scratch, ir_op_t *, keeper->n_same)};
  for (entry_t *e = keeper; e; e = e->same) s.at[s.n++] = ir_body(e->func)->first;
  return s;
}
static uint32_t count_differing(folder_t *f, entry_t *keeper) {
  uint32_t count = 0;
  for (step_t s = step_start(f, keeper); step_next(&s); step_over(&s)) count += s.differs;
  return count;
}
static void bind_constant(ir_ctx_t *ctx, entry_t *keeper, ir_op_t *constant, uint32_t at) {
  ir_type_t type = ir_result(constant, 0)->type;
  ir_value_t *arg = ir_block_insert_arg(ctx, ir_body(keeper->func), at, binding_type(ctx, "readonly", type));
  ir_builder_t b = ir_builder_before(ctx, constant);
  b.loc = constant->loc;
  ir_op_replace(constant, (ir_value_t *[]){binding_build_load(&b, arg, type, NULL)});
}
static void update_type(folder_t *f, ir_op_t *func) {
  ir_block_t *body = ir_body(func);
  ir_type_t *types = IREE_ARENA_ARRAY(f->pass->scratch, ir_type_t, body->n_args + 1);
  for (uint32_t i = 0; i < body->n_args; ++i) types[i] = body->args[i]->type;
  ir_op_set_attr(f->pass->ctx, func, "function_type", ir_type_function(f->pass->ctx, types, body->n_args, NULL, 0));
}
// New arguments follow those of the operands; the rest are results.
static void bind_differing(folder_t *f, entry_t *keeper) {
  uint32_t count = count_differing(f, keeper), n = ir_operand_group(keeper->dispatch, "arguments").n;
  if (n + count > GROUP_MAX_INPUTS || n > ir_body(keeper->func)->n_args || (keeper->n_same < WORTH_A_POOL && !f->has_pool)) {
    for (entry_t *e = keeper, *next; e; e = next) {
      next = e->same;
      e->keeper = e;
      e->same = NULL;
    }
    return;
  }
  for (entry_t *e = keeper; e; e = e->same) e->values = IREE_ARENA_ARRAY(f->pass->scratch, ir_attr_t, count);
  for (step_t s = step_start(f, keeper); step_next(&s);) {
    uint32_t i = 0;
    ir_op_t *constant = s.at[0];
    for (entry_t *e = keeper; s.differs && e; e = e->same) e->values[e->n_values++] = ir_op_attr(s.at[i++], "value");
    step_over(&s);
    if (s.differs) bind_constant(f->pass->ctx, keeper, constant, n++);
  }
  update_type(f, keeper->func);
}

// ---- dispatches
static void add_operands(folder_t *f, ir_op_t *op, const entry_t *e) {
  ir_group_t g = ir_operand_group(op, "arguments");
  uint32_t n = 0, segments[4];
  for (size_t i = 0; i < 4; ++i) segments[i] = op->segments[i];
  segments[1] += e->n_values;
  ir_value_t **operands = IREE_ARENA_ARRAY(f->pass->scratch, ir_value_t *, op->n_operands + e->n_values);
  for (uint32_t i = 0; i < g.first + g.n; ++i) operands[n++] = ir_operand(op, i);
  ir_builder_t b = ir_builder_before(f->pass->ctx, op);
  b.loc = op->loc;
  for (uint32_t i = 0; i < e->n_values; ++i) operands[n++] = ir_build_constant(&b, ir_dense_type(e->values[i]), e->values[i]);
  for (uint32_t i = g.first + g.n; i < op->n_operands; ++i) operands[n++] = ir_operand(op, i);
  ir_op_set_operands(f->pass->ctx, op, operands, n, segments);
}
static iree_status_t redirect(ir_op_t *op, void *self) {
  folder_t *f = self;
  if (op->kind != OP_FLOW_DISPATCH) return iree_ok_status();
  ir_ctx_t *ctx = f->pass->ctx;
  ir_attr_t list = ir_op_attr(op, "entry_points");
  ir_attr_t *points = IREE_ARENA_ARRAY(f->pass->scratch, ir_attr_t, list->n_kids + 1);
  for (uint32_t i = 0; i < list->n_kids; ++i) {
    points[i] = ir_kid(list, i);
    entry_t *e = entry_of(f, points[i]);
    if (!e) continue;
    const entry_t *keeper = e->twin->keeper;
    const char *path[2] = {ir_bytes(ir_op_attr(keeper->executable, "sym_name")), ir_bytes(ir_op_attr(keeper->export, "sym_name"))};
    points[i] = ir_attr_symref(ctx, path, 2);
    if (e->twin->n_values) add_operands(f, op, e->twin);
  }
  ir_op_set_attr(ctx, op, "entry_points", ir_attr_array(ctx, points, list->n_kids));
  return iree_ok_status();
}
static iree_status_t walk_functions(ir_op_t *module, iree_status_t (*visit)(ir_op_t *, void *), folder_t *f) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind != OP_FLOW_EXECUTABLE) IREE_RETURN_IF_ERROR(ir_walk(op, visit, f));
  return iree_ok_status();
}

iree_status_t flow_fold_executables(pass_t *pass, ir_op_t *module) {
  folder_t f = {.pass = pass, .by_name = ir_map_create(pass->scratch)};
  collect(&f, module);
  if (f.n < 2) return iree_ok_status();
  IREE_RETURN_IF_ERROR(walk_functions(module, note_uses, &f));
  find_equal(&f, ignores_names, any);
  for (uint32_t i = 0; i < f.n; ++i) {
    f.entries[i].twin = f.entries[i].keeper;
    f.entries[i].twin->rigid |= f.entries[i].rigid;
  }
  find_equal(&f, ignores_elements, may_grow);
  for (uint32_t i = 0; i < f.n; ++i) {
    entry_t *e = &f.entries[i];
    if (may_grow(e) && e->n_same > 1) bind_differing(&f, e);
  }
  IREE_RETURN_IF_ERROR(walk_functions(module, redirect, &f));
  for (uint32_t i = 0; i < f.n; ++i)
    if (f.entries[i].keeper != &f.entries[i]) ir_op_erase(f.entries[i].executable);
  return iree_ok_status();
}
