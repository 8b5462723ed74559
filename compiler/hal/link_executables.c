// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executables for the same targets become one: one file and one load for all kernels of a module.
//
//   in, out:    hal.executable with variants, stream.cmd.dispatch
//   relies on:  nothing; an executable that already has a binary, or whose targets differ, stays
//   alone breaks:     names of executables (the first one's stays) and ordinals of exports
//
//   hal.executable private @a { ... @v { @f } }       hal.executable private @a { ... @v { @f, @g }
//   } hal.executable private @b { ... @v { @g } }   =>  stream.cmd.dispatch @a::@v::@g
//   stream.cmd.dispatch @b::@v::@g
#include <stdio.h>
#include <string.h>

#include "compiler/pass.h"

enum {
  MAX_VARIANTS = 16,
  MAX_EXPORTS = 1024
};  // per executable; small enough for one object file to stay handy

typedef struct link {
  pass_t *pass;
  ir_ctx_t *ctx;
  ir_map_t *renamed;  // entry point (three-part symbol) -> its new form
} link_t;

static ir_op_t *child(const ir_op_t *op, op_kind_t kind) {
  for (ir_op_t *c = ir_body(op)->first; c; c = c->next)
    if (c->kind == kind) return c;
  return NULL;
}
static int64_t count_exports(const ir_op_t *variant) {
  int64_t n = 0;
  for (ir_op_t *op = ir_body(variant)->first; op; op = op->next)
    n += op->kind == OP_HAL_EXECUTABLE_EXPORT;
  return n;
}

// The same variants in the same order, all of them kernels still.
static bool can_merge(const ir_op_t *into, const ir_op_t *from) {
  const ir_op_t *a = ir_body(into)->first, *b = ir_body(from)->first;
  for (size_t n = 0; n < MAX_VARIANTS && a && b && a->kind == OP_HAL_EXECUTABLE_VARIANT &&
                     b->kind == OP_HAL_EXECUTABLE_VARIANT;
       ++n, a = a->next, b = b->next) {
    if (ir_op_attr(a, "sym_name") != ir_op_attr(b, "sym_name") ||
        ir_op_attr(a, "target") != ir_op_attr(b, "target"))
      return false;
    if (ir_op_attr(a, "objects") || ir_op_attr(b, "objects") || ir_op_attr(a, "sources") ||
        ir_op_attr(b, "sources"))
      return false;
    if (!child(a, OP_BUILTIN_MODULE) || !child(b, OP_BUILTIN_MODULE)) return false;
    if (count_exports(a) + count_exports(b) > MAX_EXPORTS) return false;
  }
  return ir_op_is(a, OP_HAL_EXECUTABLE_END) && ir_op_is(b, OP_HAL_EXECUTABLE_END) &&
         a != ir_body(into)->first;
}
static bool is_candidate(const ir_op_t *op) {
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility");
  return op->kind == OP_HAL_EXECUTABLE && visibility && ir_str_is(visibility, "private");
}

// ---- names
typedef struct rename {
  ir_ctx_t *ctx;
  ir_attr_t from, to;  // strings
} rename_t;
static ir_attr_t renamed_attr(const rename_t *r, ir_attr_t attr) {
  if (attr->kind == IR_A_SYMREF && attr->n_kids == 1 && ir_kid(attr, 0) == r->from)
    return ir_attr_sym(r->ctx, ir_bytes(r->to));
  return attr;
}
static iree_status_t rename_in(ir_op_t *op, void *self) {
  const rename_t *r = self;
  static const char *const names[] = {"callee", "function_ref", "global", "name"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    ir_attr_t attr = ir_op_attr(op, names[i]);
    if (attr && renamed_attr(r, attr) != attr)
      ir_op_set_attr(r->ctx, op, names[i], renamed_attr(r, attr));
  }
  return iree_ok_status();
}
// Gives symbols of |from| that |into| has as well, whose names are |names|, names of their own: such as neither has.
static iree_status_t separate_names(link_t *l, ir_op_t *from_variant, ir_map_t *names) {
  ir_ctx_t *ctx = l->ctx;
  ir_op_t *from = child(from_variant, OP_BUILTIN_MODULE);
  ir_op_t **taken = NULL;
  size_t n_taken = 0, cap_taken = 0;
  for (ir_op_t *op = ir_body(from)->first; op; op = op->next) {
    ir_attr_t name = ir_op_has_trait(op, IR_SYMBOL) ? ir_op_attr(op, "sym_name") : NULL;
    if (!name) continue;
    if (ir_symbol_is_taken(names, name))
      IREE_ARENA_PUSH(l->pass->scratch, taken, n_taken, cap_taken, op);
    ir_symbol_reserve(names, name);
  }
  for (size_t i = 0; i < n_taken; ++i) {
    ir_attr_t name = ir_op_attr(taken[i], "sym_name");
    rename_t r = {ctx, name, ir_attr_str(ctx, ir_symbol_fresh(ctx, names, ir_bytes(name)))};
    ir_op_set_attr(ctx, taken[i], "sym_name", r.to);
    IREE_RETURN_IF_ERROR(ir_walk(from, rename_in, &r));
    for (ir_op_t *e = ir_body(from_variant)->first; e; e = e->next)
      if (e->kind == OP_HAL_EXECUTABLE_EXPORT && ir_op_attr(e, "sym_name") == name)
        ir_op_set_attr(ctx, e, "sym_name", r.to);
  }
  return iree_ok_status();
}

// ---- merging
static iree_status_t merge_variant(link_t *l, ir_op_t *into, ir_op_t *from, ir_attr_t into_name,
                                   ir_attr_t from_name, ir_map_t *names) {
  ir_ctx_t *ctx = l->ctx;
  const char *variant = ir_op_sym_name(into).data;
  ir_attr_t *old = IREE_ARENA_ARRAY(l->pass->scratch, ir_attr_t, (size_t)count_exports(from) + 1);
  size_t n = 0;
  for (ir_op_t *op = ir_body(from)->first; op; op = op->next)
    if (op->kind == OP_HAL_EXECUTABLE_EXPORT)
      old[n++] = ir_attr_symref(
          ctx, (const char *[]){ir_bytes(from_name), variant, ir_op_sym_name(op).data}, 3);
  IREE_RETURN_IF_ERROR(separate_names(l, from, names));
  ir_op_t *to_module = child(into, OP_BUILTIN_MODULE),
          *from_module = child(from, OP_BUILTIN_MODULE);
  int64_t ordinal = count_exports(into);
  n = 0;
  for (ir_op_t *op = ir_body(from)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind != OP_HAL_EXECUTABLE_EXPORT) continue;
    ir_op_set_attr(ctx, op, "ordinal", ir_attr_index(ctx, ordinal++));
    ir_map_set(
        l->renamed, old[n++],
        (void *)ir_attr_symref(
            ctx, (const char *[]){ir_bytes(into_name), variant, ir_op_sym_name(op).data}, 3));
    ir_op_move_before(op, to_module);
  }
  for (ir_op_t *op = ir_body(from_module)->first, *next; op; op = next) {
    next = op->next;
    ir_op_move_to_end(op, ir_body(to_module));
  }
  return iree_ok_status();
}
static iree_status_t merge(link_t *l, ir_op_t *into, ir_op_t *from, ir_map_t *const *names) {
  ir_op_t *a = ir_body(into)->first, *b = ir_body(from)->first;
  for (; a->kind == OP_HAL_EXECUTABLE_VARIANT; a = a->next, b = b->next)
    IREE_RETURN_IF_ERROR(merge_variant(l, a, b, ir_op_attr(into, "sym_name"),
                                       ir_op_attr(from, "sym_name"), *names++));
  ir_op_erase(from);
  return iree_ok_status();
}

static iree_status_t update_dispatch(ir_op_t *op, void *self) {
  link_t *l = self;
  if (op->kind != OP_STREAM_CMD_DISPATCH) return iree_ok_status();
  ir_attr_t entries = ir_op_attr(op, "entry_points");
  ir_attr_t *names = IREE_ARENA_ARRAY(l->pass->scratch, ir_attr_t, entries->n_kids + 1);
  for (uint32_t i = 0; i < entries->n_kids; ++i) {
    ir_attr_t to = ir_map_get(l->renamed, ir_kid(entries, i));
    names[i] = to ? to : ir_kid(entries, i);
  }
  ir_op_set_attr(l->ctx, op, "entry_points", ir_attr_array(l->ctx, names, entries->n_kids));
  return iree_ok_status();
}

iree_status_t hal_link_executables(pass_t *pass, ir_op_t *module) {
  if (!pass->options->link_executables) return iree_ok_status();
  link_t l = {.pass = pass, .ctx = pass->ctx};
  l.renamed = ir_map_create(pass->scratch);
  ir_op_t *into = NULL;
  ir_map_t *names[MAX_VARIANTS];  // symbols of |into|'s kernels, per variant
  bool any = false;
  for (ir_op_t *op = ir_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (!is_candidate(op)) continue;
    if (into && can_merge(into, op)) {
      IREE_RETURN_IF_ERROR(merge(&l, into, op, names));
      any = true;
      continue;
    }
    into = op;
    size_t n = 0;
    for (ir_op_t *v = ir_body(op)->first; v->kind == OP_HAL_EXECUTABLE_VARIANT && n < MAX_VARIANTS;
         v = v->next) {
      ir_op_t *kernels = child(v, OP_BUILTIN_MODULE);
      names[n++] = kernels ? ir_symbol_names(pass->scratch, kernels) : NULL;
    }
  }
  return any ? ir_walk(module, update_dispatch, &l) : iree_ok_status();
}
