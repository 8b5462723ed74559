// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow, calls, and ops that only pass values on. Conditions are read by tensor.extract;
// what loops carry stays tensors, and `flow` moves scalars to the host.
#include <string.h>

#include "compiler/input/lower.h"

static void operands_of(lowering_t *l, const ir_op_t *op, ir_value_t **out) {
  for (uint32_t i = 0; i < op->n_operands; ++i) out[i] = lowered_operand(l, op, i);
}
static ir_value_t **value_array(lowering_t *l, size_t n) {
  return IREE_ARENA_ARRAY(ir_arena(l->ctx), ir_value_t *, n + 1);
}
static ir_type_t *result_types(lowering_t *l, const ir_op_t *op) {
  ir_type_t *types = IREE_ARENA_ARRAY(ir_arena(l->ctx), ir_type_t, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_results; ++i) types[i] = low_type(l->ctx, ir_result(op, i)->type);
  return types;
}
static void results_to(lowering_t *l, const ir_op_t *op, ir_op_t *made) {
  for (uint32_t i = 0; i < op->n_results; ++i) set_lowered(l, ir_result(op, i), ir_result(made, i));
}

// Lowers |from| into a new block of |to|: arguments first, then its ops but the terminator.
static iree_status_t input_lower_region(lowering_t *l, ir_block_t *from, ir_region_t *to,
                                        ir_builder_t *saved) {
  ir_block_t *block = ir_block_create(l->ctx, to);
  for (uint32_t i = 0; i < from->n_args; ++i)
    ir_map_set(l->map, from->args[i],
               ir_block_add_arg(l->ctx, block, low_type(l->ctx, from->args[i]->type)));
  *saved = l->b;
  l->b = ir_builder_at_end(l->ctx, block);
  l->b.loc = saved->loc;
  return input_lower_block(l, from);
}
static void yield_results(lowering_t *l, const ir_op_t *end) {
  ir_value_t **values = value_array(l, end->n_operands);
  operands_of(l, end, values);
  ir_build(&l->b, &(ir_op_desc_t){
                      .kind = OP_SCF_YIELD, .operands = values, .n_operands = end->n_operands});
}

iree_status_t input_lower_while(lowering_t *l, ir_op_t *op) {
  ir_value_t **values = value_array(l, op->n_operands);
  ir_type_t *types = result_types(l, op);
  ir_block_t *cond = op->regions[0]->first, *body = op->regions[1]->first;
  ir_builder_t saved;
  operands_of(l, op, values);
  for (uint32_t i = 0; i < op->n_operands; ++i) values[i] = low_tensor_cast(l, values[i], types[i]);
  ir_op_t *loop = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_WHILE,
                                                  .operands = values,
                                                  .n_operands = op->n_operands,
                                                  .results = types,
                                                  .n_results = op->n_results,
                                                  .n_regions = 2});
  IREE_RETURN_IF_ERROR(input_lower_region(l, cond, loop->regions[0], &saved));
  ir_value_t **passed = value_array(l, op->n_operands + 1);
  passed[0] = low_scalar_of(l, lowered_operand(l, cond->last, 0));
  for (uint32_t i = 0; i < cond->n_args; ++i) passed[i + 1] = lowered(l, cond->args[i]);
  ir_build(&l->b,
           &(ir_op_desc_t){
               .kind = OP_SCF_CONDITION, .operands = passed, .n_operands = op->n_operands + 1});
  l->b = saved;
  IREE_RETURN_IF_ERROR(input_lower_region(l, body, loop->regions[1], &saved));
  yield_results(l, body->last);
  l->b = saved;
  results_to(l, op, loop);
  return iree_ok_status();
}

static iree_status_t check_branch(ir_op_t *op, ir_region_t *region) {
  ir_block_t *b = region->first;
  if (!b || b->next || b->n_args || !ir_op_is(b->last, OP_HLO_RETURN) ||
      b->last->n_operands != op->n_results)
    return ir_op_error(op, "needs branches of one block that return its results");
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_operand(b->last, i)->type != ir_result(op, i)->type)
      return ir_op_error(op, "has a branch that returns value %u of another type", i);
  return iree_ok_status();
}
// Branch |i| if |index| is |i|, else the ones after it; the last takes what is left.
static iree_status_t input_lower_branches(lowering_t *l, ir_op_t *op, ir_value_t *condition,
                                          ir_value_t *index, uint16_t i, ir_op_t **out) {
  ir_builder_t saved;
  ir_type_t *types = result_types(l, op);
  if (index) condition = low_cmpi(&l->b, "eq", index, low_int(&l->b, index->type, i));
  ir_op_t *made = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_IF,
                                                  .operands = &condition,
                                                  .n_operands = 1,
                                                  .results = types,
                                                  .n_results = op->n_results,
                                                  .n_regions = 2});
  IREE_RETURN_IF_ERROR(input_lower_region(l, op->regions[i]->first, made->regions[0], &saved));
  yield_results(l, op->regions[i]->first->last);
  l->b = saved;
  if (i + 2 == op->n_regions) {
    IREE_RETURN_IF_ERROR(
        input_lower_region(l, op->regions[i + 1]->first, made->regions[1], &saved));
    yield_results(l, op->regions[i + 1]->first->last);
  } else {
    ir_op_t *rest;
    saved = l->b;
    l->b = ir_builder_at_end(l->ctx, ir_block_create(l->ctx, made->regions[1]));
    l->b.loc = saved.loc;
    IREE_RETURN_IF_ERROR(input_lower_branches(l, op, NULL, index, (uint16_t)(i + 1), &rest));
    ir_value_t **values = value_array(l, op->n_results);
    for (uint32_t k = 0; k < op->n_results; ++k) values[k] = ir_result(rest, k);
    ir_build(&l->b, &(ir_op_desc_t){
                        .kind = OP_SCF_YIELD, .operands = values, .n_operands = op->n_results});
  }
  l->b = saved;
  *out = made;
  return iree_ok_status();
}
iree_status_t input_lower_if(lowering_t *l, ir_op_t *op) {
  ir_op_t *made;
  ir_type_t type = ir_operand(op, 0)->type;
  if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) || !ir_type_is_int(ir_type_element(type), 1))
    return ir_op_error(op, "needs a predicate of tensor<i1>");
  for (uint16_t i = 0; i < op->n_regions; ++i)
    IREE_RETURN_IF_ERROR(check_branch(op, op->regions[i]));
  IREE_RETURN_IF_ERROR(
      input_lower_branches(l, op, low_scalar_of(l, lowered_operand(l, op, 0)), NULL, 0, &made));
  results_to(l, op, made);
  return iree_ok_status();
}
iree_status_t input_lower_case(lowering_t *l, ir_op_t *op) {
  ir_op_t *made;
  ir_type_t type = ir_operand(op, 0)->type;
  if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) ||
      !ir_is(ir_type_element(type), IR_T_INTEGER))
    return ir_op_error(op, "needs an index of tensor<i32>");
  if (!op->n_regions) return ir_op_error(op, "needs a branch");
  for (uint16_t i = 0; i < op->n_regions; ++i)
    IREE_RETURN_IF_ERROR(check_branch(op, op->regions[i]));
  if (op->n_regions == 1) {
    IREE_RETURN_IF_ERROR(input_lower_block(l, op->regions[0]->first));
    for (uint32_t i = 0; i < op->n_results; ++i)
      set_lowered(l, ir_result(op, i), lowered_operand(l, op->regions[0]->first->last, i));
    return iree_ok_status();
  }
  IREE_RETURN_IF_ERROR(
      input_lower_branches(l, op, NULL, low_scalar_of(l, lowered_operand(l, op, 0)), 0, &made));
  results_to(l, op, made);
  return iree_ok_status();
}

iree_status_t input_lower_optimization_barrier(lowering_t *l, ir_op_t *op) {
  ir_value_t **values = value_array(l, op->n_operands);
  operands_of(l, op, values);
  results_to(l, op,
             ir_build(&l->b, &(ir_op_desc_t){.kind = OP_UTIL_OPTIMIZATION_BARRIER,
                                             .operands = values,
                                             .n_operands = op->n_operands,
                                             .results = result_types(l, op),
                                             .n_results = op->n_results}));
  return iree_ok_status();
}
iree_status_t input_lower_call(lowering_t *l, ir_op_t *op) {
  ir_value_t **values = value_array(l, op->n_operands);
  operands_of(l, op, values);
  ir_named_t attrs[1] = {{"callee", ir_op_attr(op, "callee")}};
  results_to(l, op,
             ir_build(&l->b, &(ir_op_desc_t){.kind = OP_UTIL_CALL,
                                             .operands = values,
                                             .n_operands = op->n_operands,
                                             .results = result_types(l, op),
                                             .n_results = op->n_results,
                                             .attrs = attrs,
                                             .n_attrs = 1}));
  return iree_ok_status();
}
iree_status_t input_lower_return(lowering_t *l, ir_op_t *op) {
  ir_value_t **values = value_array(l, op->n_operands);
  operands_of(l, op, values);
  ir_build(&l->b, &(ir_op_desc_t){
                      .kind = OP_UTIL_RETURN, .operands = values, .n_operands = op->n_operands});
  return iree_ok_status();
}
