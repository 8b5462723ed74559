// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow hands on only what may differ and what is used.
//   in, out:  scf.if, index_switch, for, while
//
//   %r = scf.while (%a = %x) {scf.condition(%c) %a} do {^bb(%b): ... scf.yield %b}   ->  %x for %a, %b, %r
//   %r = scf.if %c {scf.yield %x} else {scf.yield %x}                                ->  %x for %r
//   values that nobody uses are not handed on; a branch of a constant condition takes its op's place
#include "compiler/flow/control.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

static bool replace(ir_value_t *v, ir_value_t *by) {
  if (ir_unused(v) || v == by) return false;
  ir_replace_uses(v, by);
  return true;
}

// ---- branches
static bool is_terminated(const ir_op_t *op) {
  for (uint16_t r = 0; r < op->n_regions; ++r)
    if (!op->regions[r]->first || !ir_op_is(op->regions[r]->first->last, OP_SCF_YIELD)) return false;
  return true;
}
// What all regions yield as result |i|, if that is there before |op|.
static ir_value_t *common_result(const ir_op_t *op, uint32_t i) {
  ir_value_t *first = ir_operand(ir_body(op)->last, i);
  for (uint16_t r = 1; r < op->n_regions; ++r) {
    ir_value_t *v = ir_operand(op->regions[r]->first->last, i);
    int64_t x, y;
    bool is_equal = v == first || (v->type == first->type && ir_constant_int(v, &x) && ir_constant_int(first, &y) && x == y);
    if (!is_equal) return NULL;
  }
  return control_is_outside(first, op) ? first : NULL;
}
static void inline_branch(ir_op_t *op, ir_block_t *taken) {
  for (uint32_t i = 0; i < op->n_results; ++i) ir_replace_uses(ir_result(op, i), ir_operand(taken->last, i));
  while (taken->first != taken->last) ir_op_move_before(taken->first, op);
  ir_op_erase(op);
}
static ir_block_t *taken_branch(const ir_op_t *op) {
  int64_t value;
  if (op->kind == OP_SCF_EXECUTE_REGION) return ir_body(op);
  if (!ir_constant_int(ir_operand(op, 0), &value)) return NULL;
  if (op->kind == OP_SCF_IF) return op->regions[value ? 0 : 1]->first;
  ir_attr_t cases = ir_op_attr(op, "cases");
  for (uint32_t i = 0; i < cases->n_ints; ++i)
    if (ir_int(cases, i) == value) return op->regions[i + 1]->first;
  return op->regions[0]->first;
}
static bool fold_branches(ir_ctx_t *ctx, ir_op_t *op) {
  if (!is_terminated(op)) return false;
  ir_block_t *taken = taken_branch(op);
  if (taken) {
    inline_branch(op, taken);
    return true;
  }
  bool changed = false, any = false;
  bool *drop = IREE_ARENA_ARRAY(ir_arena(ctx), bool, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_value_t *common = common_result(op, i);
    if (common) changed |= replace(ir_result(op, i), common);
    any |= drop[i] = ir_unused(ir_result(op, i));
  }
  if (!any) return changed;
  for (uint32_t i = op->n_results; i-- > 0;)
    for (uint16_t r = 0; drop[i] && r < op->n_regions; ++r) ir_op_erase_operand(op->regions[r]->first->last, i);
  control_drop_results(ctx, op, drop);
  return true;
}

// ---- counted loops
static bool fold_for(ir_ctx_t *ctx, ir_op_t *op) {
  enum { INITS = 3 };
  ir_block_t *body = ir_body(op);
  bool changed = false, any = false;
  bool *drop = IREE_ARENA_ARRAY(ir_arena(ctx), bool, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_value_t *init = ir_operand(op, INITS + i), *next = ir_operand(body->last, i), *arg = body->args[1 + i];
    if (next == arg || next == init) {
      changed |= replace(arg, init);
      changed |= replace(ir_result(op, i), init);
    }
    bool is_idle = ir_unused(arg) || (ir_has_one_use(arg) && next == arg);
    any |= drop[i] = is_idle && ir_unused(ir_result(op, i));
  }
  if (!any) return changed;
  for (uint32_t i = op->n_results; i-- > 0;) {
    if (!drop[i]) continue;
    ir_op_erase_operand(body->last, i);
    ir_block_erase_arg(body, 1 + i);
    ir_op_erase_operand(op, INITS + i);
  }
  control_drop_results(ctx, op, drop);
  return true;
}

// ---- conditional loops: |before| hands values to |after| and out, |after| hands its own back
static bool fold_while(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *before = op->regions[0]->first, *after = op->regions[1]->first;
  ir_op_t *condition = before->last, *yield = after->last;
  bool changed = false;
  for (uint32_t i = 0; i < before->n_args; ++i) {
    ir_value_t *init = ir_operand(op, i), *next = ir_operand(yield, i), *arg = before->args[i];
    bool comes_back = next == init || (next->is_arg && next->block == after && ir_operand(condition, next->index + 1) == arg);
    if (comes_back) changed |= replace(arg, init);
  }
  for (uint32_t i = 0; i < after->n_args; ++i) {
    ir_value_t *passed = ir_operand(condition, i + 1);
    if (!control_is_outside(passed, op)) continue;
    changed |= replace(after->args[i], passed);
    changed |= replace(ir_result(op, i), passed);
  }
  for (uint32_t i = before->n_args; i-- > 0;) {
    if (!ir_unused(before->args[i])) continue;
    ir_op_erase_operand(yield, i);
    ir_block_erase_arg(before, i);
    ir_op_erase_operand(op, i);
    changed = true;
  }
  bool any = false;
  bool *drop = IREE_ARENA_ARRAY(ir_arena(ctx), bool, op->n_results + 1);
  for (uint32_t i = op->n_results; i-- > 0;) {
    any |= drop[i] = ir_unused(after->args[i]) && ir_unused(ir_result(op, i));
    if (!drop[i]) continue;
    ir_op_erase_operand(condition, i + 1);
    ir_block_erase_arg(after, i);
  }
  if (any) control_drop_results(ctx, op, drop);
  return changed || any;
}

static bool fold_op(ir_ctx_t *ctx, ir_op_t *op) {
  bool is_control = op->kind == OP_SCF_IF || op->kind == OP_SCF_INDEX_SWITCH || op->kind == OP_SCF_EXECUTE_REGION || op->kind == OP_SCF_FOR ||
                    op->kind == OP_SCF_WHILE;
  if (!is_control || !ir_may_rewrite(op, "simplify")) return false;
  switch ((op_kind_t)op->kind) {
    case OP_SCF_IF:
    case OP_SCF_INDEX_SWITCH:
    case OP_SCF_EXECUTE_REGION: return fold_branches(ctx, op);
    case OP_SCF_FOR: return fold_for(ctx, op);
    case OP_SCF_WHILE: return fold_while(ctx, op);
    default: return false;
  }
}
// Inner ops first: what they no longer hand on, outer ones may drop.
static bool fold_in(ir_ctx_t *ctx, ir_op_t *parent) {
  bool changed = false;
  for (uint16_t r = 0; r < parent->n_regions; ++r)
    for (ir_block_t *block = parent->regions[r]->first; block; block = block->next)
      for (ir_op_t *op = block->first, *next; op; op = next) {
        next = op->next;
        if (op->n_regions && !ir_op_is(op, OP_FLOW_DISPATCH_WORKGROUPS)) changed |= fold_in(ctx, op);
        if (control_is_simple(op)) changed |= fold_op(ctx, op);
      }
  return changed;
}

iree_status_t flow_fold_control_flow(pass_t *pass, ir_op_t *module) {
  enum { MAX_SWEEPS = 16 };  // each drops a layer of a chain of values; more is not worth the time
  bool changed = true;
  for (int i = 0; i < MAX_SWEEPS && changed; ++i) {
    changed = false;
    for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
      if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) changed |= fold_in(pass->ctx, op);
    if (changed) IREE_RETURN_IF_ERROR(ir_simplify(pass->ctx, module));
  }
  return iree_ok_status();
}
