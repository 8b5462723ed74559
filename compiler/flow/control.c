// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/flow/control.h"

ir_op_t *control_rebuild(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *const *operands, size_t n_operands, const ir_type_t *types,
                         const int64_t *from, size_t n_results) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_op_t *fresh = ir_build(&b, &(ir_op_desc_t){.kind = op->kind, .loc = op->loc, .operands = operands, .n_operands = n_operands,
                                                .results = types, .n_results = n_results, .n_regions = op->n_regions});
  ir_op_copy_attrs(ctx, fresh, op);
  for (uint16_t r = 0; r < op->n_regions; ++r) ir_region_take(fresh->regions[r], op->regions[r]);
  for (size_t i = 0; i < n_results; ++i)
    if (from[i] != CONTROL_NEW) ir_replace_uses(ir_result(op, (size_t)from[i]), ir_result(fresh, i));
  ir_op_erase(op);
  return fresh;
}

ir_op_t *control_drop_results(ir_ctx_t *ctx, ir_op_t *op, const bool *drop) {
  iree_arena_t *arena = ir_arena(ctx);
  ir_value_t **operands = IREE_ARENA_ARRAY(arena, ir_value_t *, op->n_operands + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(arena, ir_type_t, op->n_results + 1);
  int64_t *from = IREE_ARENA_ARRAY(arena, int64_t, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_operands; ++i) operands[i] = ir_operand(op, i);
  size_t n = 0;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (drop[i]) continue;
    types[n] = ir_result(op, i)->type;
    from[n++] = i;
  }
  return control_rebuild(ctx, op, operands, op->n_operands, types, from, n);
}

bool control_is_simple(const ir_op_t *op) {
  for (uint16_t r = 0; r < op->n_regions; ++r)
    if (op->regions[r]->first && op->regions[r]->first->next) return false;
  return true;
}

bool control_is_outside(const ir_value_t *v, const ir_op_t *op) {
  return !ir_op_is_ancestor(op, v->is_arg ? v->block->region->op : v->op);
}
