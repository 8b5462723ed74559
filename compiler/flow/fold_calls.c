// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlines calls, so that fusion sees whole programs, and drops functions that nobody calls any more.
//   in:  util.call of functions of the module      out: calls only of imports and of what cannot be inlined
//   breaks: nothing; a call left over goes to a private copy if its callee is public (entry points
//   change their types next)
//
//   util.func private @g(%x) {%1 = OP(%x); util.return %1}     %2 = util.call @g(%a)
//   ->
//   %2 = OP(%a)
//
// Recursion is refused: device programs have no stack.
#include <string.h>

#include "compiler/flow/text.h"
#include "compiler/pass.h"

enum { MAX_INLINED_OPS = 200000 };  // over all calls, so that doubling chains end

typedef struct inliner {
  pass_t *pass;
  ir_op_t *module;
  ir_map_t *state;  // function -> visiting, done
  ir_map_t *sizes;  // function -> ops
  size_t n_inlined;
} inliner_t;
static void *const visiting = (void *)1, *const done = (void *)2;

static ir_op_t *callee_of(const inliner_t *in, const ir_op_t *call) {
  ir_op_t *f = ir_symbol_lookup(in->module, ir_symref_leaf(ir_op_attr(call, "callee")));
  return ir_op_is(f, OP_UTIL_FUNC) && ir_body(f) ? f : NULL;
}
static iree_status_t count_op(ir_op_t *op, void *self) {
  (void)op;
  ++*(size_t *)self;
  return iree_ok_status();
}

static bool may_inline(inliner_t *in, ir_op_t *callee) {
  size_t n = 0;
  ir_block_t *body = ir_body(callee);
  if (body->next || !ir_op_is(body->last, OP_UTIL_RETURN)) return false;
  ir_attr_t policy = ir_op_attr(callee, "inlining_policy");
  if (policy && ir_str_is(policy, "util.inline.never")) return false;
  iree_status_ignore(ir_walk(callee, count_op, &n));
  if (in->n_inlined + n > MAX_INLINED_OPS || !ir_may_rewrite(callee, "inline")) return false;
  in->n_inlined += n;
  return true;
}
static void inline_call(inliner_t *in, ir_op_t *call, ir_op_t *callee) {
  ir_ctx_t *ctx = in->pass->ctx;
  ir_map_t *map = ir_map_create(in->pass->scratch);
  ir_block_t *body = ir_body(callee);
  for (uint32_t i = 0; i < body->n_args; ++i) ir_map_set(map, body->args[i], ir_operand(call, i));
  ir_builder_t b = ir_builder_before(ctx, call);
  for (ir_op_t *op = body->first; op != body->last; op = op->next) ir_insert(&b, ir_op_clone(ctx, op, map));
  ir_value_t **results = IREE_ARENA_ARRAY(in->pass->scratch, ir_value_t *, call->n_results + 1);
  for (uint32_t i = 0; i < call->n_results; ++i) {
    ir_value_t *v = ir_operand(body->last, i), *to = ir_map_get(map, v);
    results[i] = to ? to : v;
  }
  ir_op_replace(call, results);
}

// A public callee that stays keeps its tensor types under another name.
static void call_copy(inliner_t *in, ir_op_t *call, ir_op_t *callee) {
  ir_ctx_t *ctx = in->pass->ctx;
  ir_attr_t visibility = ir_op_attr(callee, "sym_visibility");
  if (ir_str_is(visibility, "private")) return;
  text_t name = {.arena = in->pass->scratch};
  text_add(&name, "_%s", ir_bytes(ir_op_attr(callee, "sym_name")));
  ir_op_t *copy = ir_symbol_lookup(in->module, iree_make_cstring_view(name.data));
  if (!copy) {
    copy = ir_op_clone(ctx, callee, NULL);
    ir_op_set_attr(ctx, copy, "sym_name", ir_attr_str(ctx, name.data));
    ir_op_set_attr(ctx, copy, "sym_visibility", ir_attr_str(ctx, "private"));
    ir_builder_t b = ir_builder_after(ctx, callee);
    ir_insert(&b, copy);
    ir_map_set(in->state, copy, done);
  }
  ir_op_set_attr(ctx, call, "callee", ir_attr_sym(ctx, name.data));
}

// ---- callees before callers, without recursion of our own: chains may be long
typedef struct calls {
  ir_op_t **v;
  uint32_t n, cap;
  iree_arena_t *arena;
} calls_t;
static iree_status_t find_call(ir_op_t *op, void *self) {
  calls_t *c = self;
  if (op->kind == OP_UTIL_CALL) IREE_ARENA_PUSH(c->arena, c->v, c->n, c->cap, op);
  return iree_ok_status();
}
typedef struct frame {
  ir_op_t *func;
  calls_t calls;
  uint32_t next;
} frame_t;

static frame_t enter(inliner_t *in, ir_op_t *func) {
  frame_t f = {.func = func, .calls = {.arena = in->pass->scratch}};
  ir_map_set(in->state, func, visiting);
  iree_status_ignore(ir_walk(func, find_call, &f.calls));
  return f;
}
static iree_status_t visit(inliner_t *in, ir_op_t *root) {
  frame_t *stack = NULL;
  uint32_t n = 0, cap = 0;
  IREE_ARENA_PUSH(in->pass->scratch, stack, n, cap, enter(in, root));
  while (n) {
    frame_t *f = &stack[n - 1];
    if (f->next < f->calls.n) {
      ir_op_t *call = f->calls.v[f->next++], *callee = callee_of(in, call);
      if (!callee || ir_map_get(in->state, callee) == done) continue;
      if (ir_map_get(in->state, callee) == visiting)
        return ir_op_error(call, "calls @%s, which leads back here; recursion cannot be compiled, use a loop",
                           ir_bytes(ir_op_attr(callee, "sym_name")));
      IREE_ARENA_PUSH(in->pass->scratch, stack, n, cap, enter(in, callee));
      continue;
    }
    for (uint32_t i = 0; i < f->calls.n; ++i) {
      ir_op_t *callee = callee_of(in, f->calls.v[i]);
      if (!callee) continue;
      if (may_inline(in, callee)) inline_call(in, f->calls.v[i], callee);
      else call_copy(in, f->calls.v[i], callee);
    }
    ir_map_set(in->state, f->func, done);
    --n;
  }
  return iree_ok_status();
}

static iree_status_t note_callee(ir_op_t *op, void *self) {
  inliner_t *in = self;
  // A function of another module may name one to call in its place.
  ir_attr_t name = ir_op_attr(op, op->kind == OP_UTIL_CALL ? "callee" : "vm.fallback");
  ir_op_t *f = name ? ir_symbol_lookup(in->module, ir_symref_leaf(name)) : NULL;
  if (f) ir_map_set(in->sizes, f, f);
  return iree_ok_status();
}
static void drop_uncalled(inliner_t *in) {
  in->sizes = ir_map_create(in->pass->scratch);
  iree_status_ignore(ir_walk(in->module, note_callee, in));
  for (ir_op_t *op = ir_body(in->module)->first, *next; op; op = next) {
    next = op->next;
    if (op->kind == OP_UTIL_FUNC && ir_str_is(ir_op_attr(op, "sym_visibility"), "private") && !ir_map_get(in->sizes, op)) ir_op_erase(op);
  }
}

iree_status_t flow_fold_calls(pass_t *pass, ir_op_t *module) {
  inliner_t in = {.pass = pass, .module = module, .state = ir_map_create(pass->scratch)};
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC && ir_body(op) && !ir_map_get(in.state, op)) IREE_RETURN_IF_ERROR(visit(&in, op));
  drop_uncalled(&in);
  return iree_ok_status();
}
