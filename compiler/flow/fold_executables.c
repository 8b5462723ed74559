// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps one of executables that are equal but for their names.
//   in, out: flow.executable, flow.dispatch
//
//   flow.executable @a {... @a_f ...}   flow.executable @b {... @b_f, same body ...}   flow.dispatch @b::@b_f
//   ->
//   flow.executable @a {... @a_f ...}   flow.dispatch @a::@a_f
//
// Executables are compared by their text, printed with a common name; the first in the module stays.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/printer.h"
#include "compiler/pass.h"

typedef struct entry {
  iree_string_view_t text;
  uint64_t hash;
  uint32_t order;
  ir_op_t *executable, *keeper;
} entry_t;

typedef struct folder {
  pass_t *pass;
  ir_map_t *keepers;  // name string of an executable that goes -> the one that stays
} folder_t;

static ir_op_t *export_of(ir_op_t *executable) {
  ir_op_t *export = ir_body(executable)->first;
  bool one = ir_op_is(export, OP_FLOW_EXECUTABLE_EXPORT) && ir_op_is(export->next, OP_BUILTIN_MODULE) &&
             ir_op_is(export->next->next, OP_FLOW_EXECUTABLE_END);
  return one ? export : NULL;
}
static ir_op_t *function_of(ir_op_t *export) {
  ir_op_t *f = ir_symbol_lookup(export->next, ir_symref_leaf(ir_op_attr(export, "function_ref")));
  return f && f == ir_body(export->next)->first && !f->next ? f : NULL;
}

// The executable's text with all its names alike.
static bool describe(folder_t *f, ir_op_t *executable, entry_t *out) {
  ir_ctx_t *ctx = f->pass->ctx;
  ir_op_t *export = export_of(executable), *func = export ? function_of(export) : NULL;
  if (!func) return false;
  ir_op_t *ops[4] = {executable, export, func, export};
  static const char *const names[4] = {"sym_name", "sym_name", "sym_name", "function_ref"};
  ir_attr_t kept[4];
  for (size_t i = 0; i < 4; ++i) {
    kept[i] = ir_op_attr(ops[i], names[i]);
    ir_op_set_attr(ctx, ops[i], names[i], i < 3 ? ir_attr_str(ctx, "x") : ir_attr_sym(ctx, "x"));
  }
  ir_print_options_t options = {.generic = true, .local_scope = true};
  out->text = ir_print_to(f->pass->scratch, executable, &options);
  for (size_t i = 0; i < 4; ++i) ir_op_set_attr(ctx, ops[i], names[i], kept[i]);
  out->hash = 1469598103934665603ull;
  for (size_t i = 0; i < out->text.size; ++i) out->hash = (out->hash ^ (uint8_t)out->text.data[i]) * 1099511628211ull;
  out->executable = executable;
  return true;
}
static int compare(const void *a, const void *b) {
  const entry_t *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  if (x->text.size != y->text.size) return x->text.size < y->text.size ? -1 : 1;
  int text = memcmp(x->text.data, y->text.data, x->text.size);
  return text ? text : x->order < y->order ? -1 : 1;
}
static bool equal(const entry_t *a, const entry_t *b) { return a->hash == b->hash && iree_string_view_equal(a->text, b->text); }

static iree_status_t redirect(ir_op_t *op, void *self) {
  folder_t *f = self;
  if (op->kind != OP_FLOW_DISPATCH) return iree_ok_status();
  ir_ctx_t *ctx = f->pass->ctx;
  ir_attr_t list = ir_op_attr(op, "entry_points");
  ir_attr_t *points = IREE_ARENA_ARRAY(f->pass->scratch, ir_attr_t, list->n_kids + 1);
  bool changed = false;
  for (uint32_t i = 0; i < list->n_kids; ++i) {
    points[i] = ir_kid(list, i);
    ir_op_t *keeper = ir_map_get(f->keepers, ir_kid(points[i], 0));
    if (!keeper) continue;
    const char *path[2] = {ir_bytes(ir_op_attr(keeper, "sym_name")), ir_bytes(ir_op_attr(export_of(keeper), "sym_name"))};
    points[i] = ir_attr_symref(ctx, path, 2);
    changed = true;
  }
  if (changed) ir_op_set_attr(ctx, op, "entry_points", ir_attr_array(ctx, points, list->n_kids));
  return iree_ok_status();
}

iree_status_t flow_fold_executables(pass_t *pass, ir_op_t *module) {
  folder_t f = {.pass = pass, .keepers = ir_map_create(pass->scratch)};
  entry_t *entries = NULL;
  uint32_t n = 0, cap = 0, order = 0;
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    entry_t e = {.order = order++};
    if (op->kind == OP_FLOW_EXECUTABLE && describe(&f, op, &e)) IREE_ARENA_PUSH(pass->scratch, entries, n, cap, e);
  }
  if (n < 2) return iree_ok_status();
  qsort(entries, n, sizeof *entries, compare);
  bool any = false;
  for (uint32_t i = 0; i < n; ++i) {
    entries[i].keeper = i && equal(&entries[i - 1], &entries[i]) ? entries[i - 1].keeper : entries[i].executable;
    if (entries[i].keeper == entries[i].executable) continue;
    ir_map_set(f.keepers, ir_attr_str(pass->ctx, ir_bytes(ir_op_attr(entries[i].executable, "sym_name"))), entries[i].keeper);
    any = true;
  }
  if (!any) return iree_ok_status();
  IREE_RETURN_IF_ERROR(ir_walk(module, redirect, &f));
  for (uint32_t i = 0; i < n; ++i)
    if (entries[i].keeper != entries[i].executable) ir_op_erase(entries[i].executable);
  return iree_ok_status();
}
