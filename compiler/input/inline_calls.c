// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  func.func with calls and composites.
// Out: calls of private functions of one block are replaced by their bodies, callees first, so that
//      each body is copied once per call; private functions that no public one leads to are
//      dropped. Recursion and functions of several blocks stay calls, and so does what would make
//      the module grow without bound: thirty functions that call each other twice are a billion
//      ops.
#include <string.h>

#include "compiler/input/lower.h"

enum { UNSEEN = 0, BUSY = 1, DONE = 2 };
enum { MAX_COPIED = 1 << 17 };  // ops; what is called after that many stays a call

typedef struct inliner {
  ir_ctx_t *ctx;
  ir_op_t *module;
  ir_map_t *state;  // function -> BUSY, DONE
  size_t copied;    // ops so far
} inliner_t;

static iree_status_t visit_function(inliner_t *in, ir_op_t *function);

static ir_attr_t callee_of(const ir_op_t *op) {
  if (op->kind == OP_FUNC_CALL) return ir_op_attr(op, "callee");
  return op->kind == OP_HLO_COMPOSITE ? ir_op_attr(op, "decomposition") : NULL;
}
static bool is_private_function(const ir_op_t *op) {
  ir_attr_t visibility = op->kind == OP_FUNC_FUNC ? ir_op_attr(op, "sym_visibility") : NULL;
  return visibility && ir_str_is(visibility, "private");
}
static iree_status_t count_op(ir_op_t *op, void *self) {
  return (void)op, ++*(size_t *)self, iree_ok_status();
}
static iree_status_t inline_call(inliner_t *in, ir_op_t *call, ir_op_t *callee) {
  IREE_RETURN_IF_ERROR(ir_walk(callee, count_op, &in->copied));
  ir_block_t *body = ir_body(callee);
  if (body->n_args != call->n_operands)
    return ir_op_error(call, "passes %u values to a function of %u", call->n_operands,
                       body->n_args);
  ir_map_t *map = ir_map_create(ir_arena(in->ctx));
  for (uint32_t i = 0; i < body->n_args; ++i) {
    if (body->args[i]->type != ir_operand(call, i)->type)
      return ir_op_error(call, "passes value %u of another type than the function takes", i);
    ir_map_set(map, body->args[i], ir_operand(call, i));
  }
  ir_builder_t b = ir_builder_before(in->ctx, call);
  for (ir_op_t *op = body->first; op != body->last; op = op->next) {
    ir_op_t *copy = ir_op_clone(in->ctx, op, map);
    ir_insert(&b, copy);
    for (uint32_t i = 0; i < op->n_results; ++i)
      ir_map_set(map, ir_result(op, i), ir_result(copy, i));
  }
  ir_value_t **results = IREE_ARENA_ARRAY(ir_arena(in->ctx), ir_value_t *, call->n_results + 1);
  if (body->last->n_operands != call->n_results)
    return ir_op_error(call, "expects %u results of a function of %u", call->n_results,
                       body->last->n_operands);
  for (uint32_t i = 0; i < call->n_results; ++i) {
    ir_value_t *v = ir_operand(body->last, i), *copy = ir_map_get(map, v);
    results[i] = copy ? copy : v;
    if (results[i]->type != ir_result(call, i)->type)
      return ir_op_error(call, "expects result %u of another type than the function gives", i);
  }
  ir_op_replace(call, results);
  return iree_ok_status();
}
// A composite whose decomposition cannot be put in its place calls it.
static iree_status_t call_decomposition(inliner_t *in, ir_op_t *op, ir_op_t *callee) {
  if (!ir_body(callee))
    return ir_op_error(op, "has the decomposition '%s', which has no body",
                       ir_op_sym_name(callee).data);
  ir_value_t **operands = IREE_ARENA_ARRAY(ir_arena(in->ctx), ir_value_t *, op->n_operands + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(ir_arena(in->ctx), ir_type_t, op->n_results + 1);
  ir_value_t **results = IREE_ARENA_ARRAY(ir_arena(in->ctx), ir_value_t *, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_operands; ++i) operands[i] = ir_operand(op, i);
  for (uint32_t i = 0; i < op->n_results; ++i) types[i] = ir_result(op, i)->type;
  ir_named_t attrs[1] = {{"callee", ir_attr_sym(in->ctx, ir_op_sym_name(callee).data)}};
  ir_builder_t b = ir_builder_before(in->ctx, op);
  ir_op_t *call = ir_build(&b, &(ir_op_desc_t){.kind = OP_FUNC_CALL,
                                               .loc = op->loc,
                                               .operands = operands,
                                               .n_operands = op->n_operands,
                                               .results = types,
                                               .n_results = op->n_results,
                                               .attrs = attrs,
                                               .n_attrs = 1});
  for (uint32_t i = 0; i < op->n_results; ++i) results[i] = ir_result(call, i);
  ir_op_replace(op, results);
  return iree_ok_status();
}
static iree_status_t visit_ops(inliner_t *in, ir_op_t *parent) {
  for (uint16_t r = 0; r < parent->n_regions; ++r)
    for (ir_block_t *b = parent->regions[r]->first; b; b = b->next)
      for (ir_op_t *op = b->first, *next; op; op = next) {
        next = op->next;
        IREE_RETURN_IF_ERROR(visit_ops(in, op));
        ir_attr_t name = callee_of(op);
        if (!name) continue;
        ir_op_t *callee = ir_symbol_lookup(in->module, ir_symref_leaf(name));
        if (!ir_op_is(callee, OP_FUNC_FUNC))
          return ir_op_error(op, "calls '%s', which is not defined", ir_symref_leaf(name).data);
        IREE_RETURN_IF_ERROR(visit_function(in, callee));
        bool is_private = is_private_function(callee);
        bool ready = (uintptr_t)ir_map_get(in->state, callee) == DONE && ir_body(callee) &&
                     !ir_body(callee)->next && !ir_op_flag(callee, "no_inline");
        bool in_function = op->block->region->op->kind == OP_FUNC_FUNC;
        if (ready && in->copied > MAX_COPIED) {
          if (!in_function)
            return ir_op_error(op,
                               "calls '%s' in a region, after %d operations were copied from "
                               "functions into their callers; call it outside of regions",
                               ir_symref_leaf(name).data, MAX_COPIED);
          ready = false;
        }
        if (ready && (is_private || op->kind == OP_HLO_COMPOSITE || !in_function))
          IREE_RETURN_IF_ERROR(inline_call(in, op, callee));
        else if (op->kind == OP_HLO_COMPOSITE)
          IREE_RETURN_IF_ERROR(call_decomposition(in, op, callee));
      }
  return iree_ok_status();
}
static iree_status_t visit_function(inliner_t *in, ir_op_t *function) {
  if (ir_map_get(in->state, function)) return iree_ok_status();
  ir_map_set(in->state, function, (void *)(uintptr_t)BUSY);
  IREE_RETURN_IF_ERROR(visit_ops(in, function));
  ir_map_set(in->state, function, (void *)(uintptr_t)DONE);
  return iree_ok_status();
}

// Marks the function |symbol| names and all that it leads to.
static iree_status_t mark_called(ir_op_t *op, void *self);
static iree_status_t mark_function(inliner_t *in, ir_attr_t symbol) {
  ir_op_t *callee = symbol ? ir_symbol_lookup(in->module, ir_symref_leaf(symbol)) : NULL;
  if (!callee || ir_map_get(in->state, callee)) return iree_ok_status();
  ir_map_set(in->state, callee, (void *)(uintptr_t)BUSY);
  // What is called where another module lacks the function.
  IREE_RETURN_IF_ERROR(mark_function(in, ir_op_attr(callee, "vm.fallback")));
  return ir_walk(callee, mark_called, in);
}
static iree_status_t mark_called(ir_op_t *op, void *self) {
  IREE_RETURN_IF_ERROR(mark_function(self, callee_of(op)));
  ir_attr_t called = op->kind == OP_HLO_CUSTOM_CALL ? ir_op_attr(op, "called_computations") : NULL;
  for (uint32_t i = 0; ir_is(called, IR_A_ARRAY) && i < called->n_kids; ++i)
    if (ir_is(ir_kid(called, i), IR_A_SYMREF))
      IREE_RETURN_IF_ERROR(mark_function(self, ir_kid(called, i)));
  return iree_ok_status();
}
static iree_status_t drop_uncalled(inliner_t *in) {
  in->state = ir_map_create(ir_arena(in->ctx));
  for (ir_op_t *op = ir_body(in->module)->first; op; op = op->next)
    if (!is_private_function(op)) IREE_RETURN_IF_ERROR(ir_walk(op, mark_called, in));
  for (ir_op_t *op = ir_body(in->module)->first, *next; op; op = next) {
    next = op->next;
    if (is_private_function(op) && ir_body(op) && !ir_map_get(in->state, op)) ir_op_erase(op);
  }
  return iree_ok_status();
}
iree_status_t input_inline_calls(pass_t *pass, ir_op_t *module) {
  inliner_t in = {.ctx = pass->ctx, .module = module};
  IREE_RETURN_IF_ERROR(drop_uncalled(&in));
  in.state = ir_map_create(ir_arena(pass->ctx));
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_FUNC_FUNC) IREE_RETURN_IF_ERROR(visit_function(&in, op));
  return drop_uncalled(&in);
}
