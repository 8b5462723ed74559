// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stream-convert-control-flow: structured control flow of host functions becomes branches.
//
//   in         scf.if, while, for, index_switch, execute_region in util.func and util.initializer
//   out        cf.br and cf.cond_br between blocks; a loop is a back edge
//   relies on  nothing
//
//   %r = scf.if %c -> (t) {          cf.cond_br %c, ^then, ^else
//     scf.yield %a : t             ^then: cf.br ^after(%a : t)
//   } else {                 ->    ^else: cf.br ^after(%b : t)
//     scf.yield %b : t             ^after(%r: t):
//   }
#include "compiler/pass.h"

static void branch(ir_builder_t *b, ir_block_t *to, ir_op_t *values_of, uint32_t first) {
  uint32_t n = values_of ? values_of->n_operands - first : 0;
  ir_value_t **values = IREE_ARENA_ARRAY(ir_arena(b->ctx), ir_value_t *, n + 1);
  for (uint32_t i = 0; i < n; ++i) values[i] = ir_operand(values_of, first + i);
  ir_build(b, &(ir_op_desc_t){.kind = OP_CF_BR, .operands = values, .n_operands = n,
                              .succs = &to, .succ_operands = &n, .n_succs = 1});
}

typedef struct target {  // of a conditional branch
  ir_block_t *block;
  ir_value_t **values;
  uint32_t n;
} target_t;

static void cond_branch(ir_builder_t *b, ir_value_t *condition, target_t yes, target_t no) {
  uint32_t n = 1 + yes.n + no.n;
  ir_value_t **operands = IREE_ARENA_ARRAY(ir_arena(b->ctx), ir_value_t *, n);
  operands[0] = condition;
  for (uint32_t i = 0; i < yes.n; ++i) operands[1 + i] = yes.values[i];
  for (uint32_t i = 0; i < no.n; ++i) operands[1 + yes.n + i] = no.values[i];
  ir_block_t *succs[2] = {yes.block, no.block};
  uint32_t counts[2] = {yes.n, no.n}, segments[3] = {1, yes.n, no.n};
  ir_build(b, &(ir_op_desc_t){.kind = OP_CF_COND_BR, .operands = operands, .n_operands = n, .segments = segments,
                              .succs = succs, .succ_operands = counts, .n_succs = 2});
}

// Every scf.yield that ends a block of [first, end) becomes a branch to |to|.
static void convert_yields(ir_ctx_t *ctx, ir_block_t *first, ir_block_t *end, ir_block_t *to) {
  for (ir_block_t *block = first; block != end; block = block->next) {
    ir_op_t *yield = block->last;
    if (!ir_op_is(yield, OP_SCF_YIELD)) continue;
    ir_builder_t b = ir_builder_before(ctx, yield);
    branch(&b, to, yield, 0);
    ir_op_erase(yield);
  }
}

// Splits after |op|: the new block's arguments take the place of the op's results.
static ir_block_t *split_after(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *after = ir_block_split(ctx, op->next);
  for (uint32_t i = 0; i < op->n_results; ++i)
    ir_replace_uses(ir_result(op, i), ir_block_add_arg(ctx, after, ir_result(op, i)->type));
  return after;
}

// Moves a region's blocks before |after|, yields branching to |to|; returns the first block.
static ir_block_t *inline_region(ir_ctx_t *ctx, ir_region_t *region, ir_block_t *after, ir_block_t *to) {
  ir_block_t *first = region->first;
  ir_region_take_before(after, region);
  convert_yields(ctx, first, after, to);
  return first;
}

static void convert_if(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *after = split_after(ctx, op);
  ir_block_t *then = inline_region(ctx, op->regions[0], after, after);
  ir_block_t *other = op->n_regions > 1 && op->regions[1]->first ? inline_region(ctx, op->regions[1], after, after) : after;
  ir_builder_t b = ir_builder_before(ctx, op);
  cond_branch(&b, ir_operand(op, 0), (target_t){.block = then}, (target_t){.block = other});
  ir_op_erase(op);
}

static void convert_while(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *after = split_after(ctx, op);
  ir_block_t *before = op->regions[0]->first, *body = op->regions[1]->first;
  ir_region_take_before(after, op->regions[0]);
  ir_region_take_before(after, op->regions[1]);
  for (ir_block_t *block = before; block != body; block = block->next) {
    ir_op_t *condition = block->last;
    if (!ir_op_is(condition, OP_SCF_CONDITION)) continue;
    uint32_t n = condition->n_operands - 1;
    ir_value_t **values = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, n + 1);
    for (uint32_t i = 0; i < n; ++i) values[i] = ir_operand(condition, i + 1);
    ir_builder_t b = ir_builder_before(ctx, condition);
    cond_branch(&b, ir_operand(condition, 0), (target_t){body, values, n}, (target_t){after, values, n});
    ir_op_erase(condition);
  }
  convert_yields(ctx, body, after, before);
  ir_builder_t b = ir_builder_before(ctx, op);
  branch(&b, before, op, 0);
  ir_op_erase(op);
}

static void convert_for(ir_ctx_t *ctx, ir_op_t *op) {
  enum { LOWER, UPPER, STEP, INITS };
  ir_value_t *upper = ir_operand(op, UPPER), *step = ir_operand(op, STEP);
  bool is_unsigned = ir_op_flag(op, "unsignedCmp");
  ir_block_t *after = split_after(ctx, op);
  ir_block_t *body = op->regions[0]->first;
  ir_region_take_before(after, op->regions[0]);
  ir_block_t *head = ir_block_insert_before(ctx, body);
  uint32_t n = body->n_args;
  ir_value_t **args = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, n + 1);
  for (uint32_t i = 0; i < n; ++i) args[i] = ir_block_add_arg(ctx, head, body->args[i]->type);
  for (ir_block_t *block = body; block != after; block = block->next) {
    ir_op_t *yield = block->last;
    if (!ir_op_is(yield, OP_SCF_YIELD)) continue;
    ir_builder_t b = ir_builder_before(ctx, yield);
    ir_value_t **next = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, n + 1);
    next[0] = ir_build1(&b, OP_ARITH_ADDI, body->args[0]->type, args[0], step, NULL);
    for (uint32_t i = 1; i < n; ++i) next[i] = ir_operand(yield, i - 1);
    ir_build(&b, &(ir_op_desc_t){.kind = OP_CF_BR, .operands = next, .n_operands = n, .succs = &head,
                                 .succ_operands = &n, .n_succs = 1});
    ir_op_erase(yield);
  }
  // The body sees the head's values directly: its own arguments go.
  for (uint32_t i = 0; i < n; ++i) ir_replace_uses(body->args[i], args[i]);
  while (body->n_args) ir_block_erase_arg(body, body->n_args - 1);
  ir_builder_t b = ir_builder_at_end(ctx, head);
  b.loc = op->loc;
  ir_value_t *more = ir_build_attr(&b, OP_ARITH_CMPI, ir_type_i(ctx, 1), "predicate",
                                   ir_attr_keyword(ctx, is_unsigned ? "ult" : "slt"), args[0], upper);
  cond_branch(&b, more, (target_t){.block = body}, (target_t){after, args + 1, n - 1});
  b = ir_builder_before(ctx, op);
  ir_value_t **inits = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, n + 1);
  inits[0] = ir_operand(op, LOWER);
  for (uint32_t i = 1; i < n; ++i) inits[i] = ir_operand(op, INITS + i - 1);
  ir_build(&b, &(ir_op_desc_t){.kind = OP_CF_BR, .operands = inits, .n_operands = n, .succs = &head,
                               .succ_operands = &n, .n_succs = 1});
  ir_op_erase(op);
}

static void convert_switch(ir_ctx_t *ctx, ir_op_t *op) {
  ir_attr_t cases = ir_op_attr(op, "cases");
  ir_block_t *after = split_after(ctx, op);
  ir_block_t *other = inline_region(ctx, op->regions[0], after, after);
  ir_builder_t b = ir_builder_before(ctx, op);
  for (uint32_t i = 0; i < cases->n_ints; ++i) {
    ir_block_t *taken = inline_region(ctx, op->regions[i + 1], after, after);
    ir_value_t *number = ir_build_attr(&b, OP_ARITH_CONSTANT, ir_type_index(ctx), "value", ir_attr_index(ctx, ir_int(cases, i)), NULL, NULL);
    ir_value_t *is = ir_build_attr(&b, OP_ARITH_CMPI, ir_type_i(ctx, 1), "predicate", ir_attr_keyword(ctx, "eq"), ir_operand(op, 0), number);
    bool last = i + 1 == cases->n_ints;
    ir_block_t *next = last ? other : ir_block_insert_before(ctx, taken);
    cond_branch(&b, is, (target_t){.block = taken}, (target_t){.block = next});
    b = ir_builder_at_end(ctx, next);
    b.loc = op->loc;
  }
  if (!cases->n_ints) branch(&b, other, NULL, 0);
  ir_op_erase(op);
}

static void convert_execute_region(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *after = split_after(ctx, op);
  ir_block_t *first = inline_region(ctx, op->regions[0], after, after);
  ir_builder_t b = ir_builder_before(ctx, op);
  branch(&b, first, NULL, 0);
  ir_op_erase(op);
}

static bool convert(ir_ctx_t *ctx, ir_op_t *op) {
  switch (op->kind) {
    case OP_SCF_IF: convert_if(ctx, op); return true;
    case OP_SCF_WHILE: convert_while(ctx, op); return true;
    case OP_SCF_FOR: convert_for(ctx, op); return true;
    case OP_SCF_INDEX_SWITCH: convert_switch(ctx, op); return true;
    case OP_SCF_EXECUTE_REGION: convert_execute_region(ctx, op); return true;
    default: return false;  // not structured control flow
  }
}

iree_status_t stream_convert_control_flow(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *fn = ir_body(module)->first; fn; fn = fn->next) {
    if (fn->kind != OP_UTIL_FUNC && fn->kind != OP_UTIL_INITIALIZER) continue;
    // Converting an op ends its block; what followed and what was inside come later in the list.
    for (ir_block_t *block = fn->regions[0]->first; block; block = block->next)
      for (ir_op_t *op = block->first; op; op = op->next)
        if (convert(pass->ctx, op)) break;
  }
  return iree_ok_status();
}
