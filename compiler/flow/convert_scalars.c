// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves arithmetic on single numbers from tensors to the host: loop counters, conditions, offsets.
//   in:  rank-0 tensors computed by linalg.generic, carried by scf.while, scf.for, scf.if
//   out: scalars where the host knows or needs the value; tensors of them only where a kernel reads them
//   relies on: calls having been inlined where they can be
//
//   %1 = linalg.generic ins(%i : tensor<i32>) {x -> x + 1}          scf.while (%i = %0) : (tensor<i32>) ...
//   ->
//   %x = tensor.extract %i[]; %y = arith.addi %x, %c1; %1 = tensor.from_elements %y   scf.while (%i = %c) : (i32) ...
//
// A value moves if all it depends on is known to the host (constants, scalars), or if the host extracts
// it and it depends on arguments besides. What needs a device's result stays where it is. The sets are
// found optimistically: loop values count as known until something they are fed with is not.
#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

typedef struct scalars {
  pass_t *pass;
  ir_value_t **values;  // all rank-0 tensors of a function
  uint32_t n, cap;
  ir_map_t *known;      // value -> not NULL while in the set under construction
  ir_map_t *strict;     // known without reading arguments
  ir_map_t *demanded;
  ir_value_t **stack;
  uint32_t n_stack, cap_stack;
  bool allow_arguments;
} scalars_t;

static void *const yes = (void *)1, *const no = (void *)2;
static bool in(const ir_map_t *set, const ir_value_t *v) { return ir_map_get(set, v) == yes; }

// ---- what the host can compute
static bool is_host_type(ir_type_t type) {
  if (ir_is(type, IR_T_INDEX)) return true;
  if (ir_is(type, IR_T_INTEGER)) return ir_type_width(type) == 1 || ir_type_width(type) == 32 || ir_type_width(type) == 64;
  return ir_is(type, IR_T_FLOAT) && ir_float_kind(type) == IR_F32;
}
static bool is_candidate(const ir_value_t *v) {
  return ir_is(v->type, IR_T_TENSOR) && !ir_type_rank(v->type) && is_host_type(ir_type_element(v->type));
}
static bool is_host_op(const ir_op_t *op) {
  const char *name = ir_op_name(op);
  if (strncmp(name, "arith.", 6) || strstr(name, "_extended") || op->n_regions) return false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!is_host_type(ir_operand(op, i)->type)) return false;
  return op->n_results == 1 && is_host_type(ir_result(op, 0)->type);
}
static bool is_host_generic(ir_ctx_t *ctx, const ir_op_t *op) {
  if (!ir_op_is(op, OP_LINALG_GENERIC) || linalg_n_loops(ctx, op)) return false;
  for (const ir_op_t *o = ir_body(op)->first; o != ir_body(op)->last; o = o->next)
    if (!is_host_op(o)) return false;
  return true;
}

// ---- where a value comes from
typedef bool (*source_fn_t)(scalars_t *s, ir_value_t *source);
static bool all_sources(scalars_t *s, ir_value_t *v, source_fn_t fn) {
  ir_op_t *op = ir_def(v);
  if (!op) {
    ir_op_t *loop = v->block->region ? v->block->region->op : NULL;
    if (!loop || v->block != v->block->region->first) return false;
    if (loop->kind == OP_SCF_FOR)
      return v->index > 0 && fn(s, ir_operand(loop, 2 + v->index)) && fn(s, ir_operand(v->block->last, v->index - 1));
    if (loop->kind != OP_SCF_WHILE) return false;
    if (v->block->region == loop->regions[0])
      return fn(s, ir_operand(loop, v->index)) && fn(s, ir_operand(loop->regions[1]->first->last, v->index));
    return fn(s, ir_operand(loop->regions[0]->first->last, v->index + 1));
  }
  switch ((op_kind_t)op->kind) {
    case OP_ARITH_CONSTANT: return true;
    case OP_TENSOR_FROM_ELEMENTS: return true;
    case OP_HAL_TENSOR_IMPORT: return s->allow_arguments;
    case OP_SCF_FOR: return fn(s, ir_operand(op, 3 + v->index)) && fn(s, ir_operand(ir_body(op)->last, v->index));
    case OP_SCF_WHILE: return fn(s, ir_operand(ir_body(op)->last, v->index + 1));
    case OP_SCF_IF:
      return op->regions[1]->first && fn(s, ir_operand(ir_body(op)->last, v->index)) &&
             fn(s, ir_operand(op->regions[1]->first->last, v->index));
    case OP_LINALG_GENERIC:
      if (!is_host_generic(s->pass->ctx, op)) return false;
      for (uint32_t i = 0; i < op->n_operands; ++i) {
        if (ir_unused(ir_body(op)->args[i])) continue;
        ir_value_t *operand = ir_operand(op, i);
        if (ir_is(operand->type, IR_T_TENSOR) && !fn(s, operand)) return false;
      }
      return true;
    default: return false;
  }
}

// ---- the sets
static bool is_known(scalars_t *s, ir_value_t *source) { return in(s->known, source); }
static void find_known(scalars_t *s, bool allow_arguments) {
  s->known = ir_map_create(s->pass->scratch);
  s->allow_arguments = allow_arguments;
  for (uint32_t i = 0; i < s->n; ++i) ir_map_set(s->known, s->values[i], yes);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < s->n; ++i) {
      if (!in(s->known, s->values[i]) || all_sources(s, s->values[i], is_known)) continue;
      ir_map_set(s->known, s->values[i], no);
      changed = true;
    }
  }
}
// Marks |v| and all it comes from as needed by the host.
static bool demand_source(scalars_t *s, ir_value_t *source) {
  if (!in(s->known, source) || in(s->demanded, source)) return true;
  ir_map_set(s->demanded, source, yes);
  IREE_ARENA_PUSH(s->pass->scratch, s->stack, s->n_stack, s->cap_stack, source);
  return true;
}
static void demand(scalars_t *s, ir_value_t *v) {
  demand_source(s, v);
  while (s->n_stack) all_sources(s, s->stack[--s->n_stack], demand_source);
}

static iree_status_t collect(ir_op_t *op, void *self) {
  scalars_t *s = self;
  for (uint32_t r = 0; r < op->n_results; ++r)
    if (is_candidate(ir_result(op, r))) IREE_ARENA_PUSH(s->pass->scratch, s->values, s->n, s->cap, ir_result(op, r));
  if (linalg_is_structured(op)) return iree_ok_status();
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next)
      for (uint32_t i = 0; i < b->n_args; ++i)
        if (is_candidate(b->args[i])) IREE_ARENA_PUSH(s->pass->scratch, s->values, s->n, s->cap, b->args[i]);
  return iree_ok_status();
}
static iree_status_t collect_demand(ir_op_t *op, void *self) {
  scalars_t *s = self;
  if (op->kind == OP_TENSOR_EXTRACT && is_candidate(ir_operand(op, 0))) demand(s, ir_operand(op, 0));
  return iree_ok_status();
}
static bool moves(const scalars_t *s, const ir_value_t *v) {
  return is_candidate(v) && (in(s->strict, v) || (in(s->known, v) && in(s->demanded, v)));
}

// ---- the rewrite: extracts and from_elements around everything that moves; folding joins them
static void unwrap_operand(ir_ctx_t *ctx, ir_op_t *op, uint32_t i) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *tensor = ir_operand(op, i);
  if (!ir_is(tensor->type, IR_T_TENSOR)) return;
  ir_use_set(&op->operands[i], ir_build1(&b, OP_TENSOR_EXTRACT, ir_type_element(tensor->type), tensor, NULL, NULL));
}
static void wrap_value(ir_builder_t *b, ir_value_t *v) {
  ir_type_t tensor = v->type;
  v->type = ir_type_element(tensor);
  ir_op_t *wrap = ir_op_create(b->ctx, &(ir_op_desc_t){.kind = OP_TENSOR_FROM_ELEMENTS, .loc = b->loc, .operands = &v, .n_operands = 1,
                                                       .results = &tensor, .n_results = 1});
  for (ir_use_t *use = v->uses, *next; use; use = next) {
    next = use->next;
    if (use->user != wrap) ir_use_set(use, ir_result(wrap, 0));
  }
  ir_insert(b, wrap);
}
static void wrap_argument(ir_ctx_t *ctx, ir_block_t *block, uint32_t i) {
  ir_builder_t b = ir_builder_at_start(ctx, block);
  wrap_value(&b, block->args[i]);
}
static void wrap_result(ir_ctx_t *ctx, ir_op_t *op, uint32_t i) {
  ir_builder_t b = ir_builder_after(ctx, op);
  wrap_value(&b, ir_result(op, i));
}

static void convert_while(scalars_t *s, ir_op_t *op) {
  ir_ctx_t *ctx = s->pass->ctx;
  ir_block_t *before = op->regions[0]->first, *after = op->regions[1]->first;
  for (uint32_t i = 0; i < before->n_args; ++i) {
    if (!moves(s, before->args[i])) continue;
    unwrap_operand(ctx, op, i);
    unwrap_operand(ctx, after->last, i);
    wrap_argument(ctx, before, i);
  }
  for (uint32_t i = 0; i < after->n_args; ++i) {
    if (!moves(s, after->args[i]) && !moves(s, ir_result(op, i))) continue;
    unwrap_operand(ctx, before->last, i + 1);
    wrap_argument(ctx, after, i);
    wrap_result(ctx, op, i);
  }
}
static void convert_for(scalars_t *s, ir_op_t *op) {
  ir_ctx_t *ctx = s->pass->ctx;
  ir_block_t *body = ir_body(op);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (!moves(s, body->args[i + 1]) && !moves(s, ir_result(op, i))) continue;
    unwrap_operand(ctx, op, i + 3);
    unwrap_operand(ctx, body->last, i);
    wrap_argument(ctx, body, i + 1);
    wrap_result(ctx, op, i);
  }
}
static void convert_if(scalars_t *s, ir_op_t *op) {
  ir_ctx_t *ctx = s->pass->ctx;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (!moves(s, ir_result(op, i))) continue;
    for (uint16_t r = 0; r < 2; ++r) unwrap_operand(ctx, op->regions[r]->first->last, i);
    wrap_result(ctx, op, i);
  }
}
static void convert_generic(scalars_t *s, ir_op_t *op) {
  ir_ctx_t *ctx = s->pass->ctx;
  ir_block_t *body = ir_body(op);
  ir_builder_t b = ir_builder_before(ctx, op);
  for (uint32_t r = 0; r < op->n_results; ++r)
    if (!moves(s, ir_result(op, r))) return;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *operand = ir_operand(op, i);
    if (ir_unused(body->args[i])) continue;
    if (ir_is(operand->type, IR_T_TENSOR)) operand = ir_build1(&b, OP_TENSOR_EXTRACT, ir_type_element(operand->type), operand, NULL, NULL);
    ir_replace_uses(body->args[i], operand);
  }
  ir_value_t *results[64];
  for (uint32_t r = 0; r < op->n_results && r < 64; ++r) results[r] = ir_operand(body->last, r);
  while (body->first != body->last) ir_op_move_before(body->first, op);
  for (uint32_t r = 0; r < op->n_results && r < 64; ++r)
    results[r] = ir_build1(&b, OP_TENSOR_FROM_ELEMENTS, ir_result(op, r)->type, results[r], NULL, NULL);
  ir_op_replace(op, results);
}

// Inner ops first: rewriting an op invalidates nothing that its parents look at.
static void convert_in(scalars_t *s, ir_op_t *parent) {
  for (uint16_t r = 0; r < parent->n_regions; ++r) {
    for (ir_block_t *b = parent->regions[r]->first; b; b = b->next) {
      for (ir_op_t *op = b->first, *next; op; op = next) {
        next = op->next;
        if (linalg_is_structured(op)) {
          if (is_host_generic(s->pass->ctx, op) && op->n_results <= 64) convert_generic(s, op);
          continue;
        }
        if (op->kind == OP_FLOW_DISPATCH_REGION) continue;
        if (op->kind == OP_SCF_WHILE) convert_while(s, op);
        else if (op->kind == OP_SCF_FOR) convert_for(s, op);
        else if (op->kind == OP_SCF_IF) convert_if(s, op);
        convert_in(s, op);
      }
    }
  }
}

static iree_status_t convert(pass_t *pass, ir_op_t *func) {
  scalars_t s = {.pass = pass, .demanded = ir_map_create(pass->scratch)};
  IREE_RETURN_IF_ERROR(ir_walk(func, collect, &s));
  if (!s.n) return iree_ok_status();
  find_known(&s, false);
  s.strict = s.known;
  find_known(&s, true);
  IREE_RETURN_IF_ERROR(ir_walk(func, collect_demand, &s));
  convert_in(&s, func);
  return iree_ok_status();
}

iree_status_t flow_convert_scalars(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(convert(pass, op));
  return ir_simplify(pass->ctx, module);
}
