// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, elementwise ops and whatever has a body of scalars.
#include <string.h>

#include "compiler/input/lower.h"

iree_status_t input_lower_constant(lowering_t *l, ir_op_t *op) {
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  ir_attr_t value = ir_op_attr(op, "value");
  if (ir_is(value, IR_A_DENSE))
    value = ir_attr_dense(l->ctx, type, ir_dense_data(value), ir_dense_bytes(value),
                          ir_dense_is_splat(value), false);
  else if (ir_is(value, IR_A_RESOURCE))
    value = ir_term(l->ctx, IR_A_RESOURCE, ir_ints(value), value->n_ints,
                    (const ir_term_t *[]){type}, 1, ir_bytes(value), value->n_bytes);
  else
    return ir_op_error(op, "has a value that is neither dense nor a resource");
  return input_lower_result(l, op, ir_build_constant(&l->b, type, value));
}

// Constants of one value become scalars of the body; the rest are inputs.
iree_status_t input_lower_elementwise(lowering_t *l, ir_op_t *op);
iree_status_t input_lower_elementwise(lowering_t *l, ir_op_t *op) {
  enum { MAX = 4 };
  ir_value_t *inputs[MAX], *args[MAX] = {0}, *shape_of = NULL;
  size_t n = 0;
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  size_t rank = ir_type_rank(type);
  for (uint32_t i = 0; i < op->n_operands && i < MAX; ++i) {
    ir_value_t *v = lowered_operand(l, op, i);
    if (ir_type_rank(v->type) == rank && !shape_of) shape_of = v;
    if (ir_type_rank(v->type) == rank &&
        ir_type_n_dynamic(v->type) < ir_type_n_dynamic(shape_of->type))
      shape_of = v;
    args[i] = low_splat_of(l, v);
    if (!args[i]) inputs[n++] = v;
  }
  if (op->kind == OP_HLO_CONVERT && n == 1 && inputs[0]->type == type &&
      ir_type_element(ir_operand(op, 0)->type) == ir_type_element(ir_result(op, 0)->type))
    return input_lower_result(l, op, inputs[0]);
  for (uint32_t i = 0; i < op->n_operands && i < MAX; ++i) {
    ir_value_t *v = lowered_operand(l, op, i);
    if (ir_type_rank(v->type) == rank) low_check_shapes(l, op, shape_of, v);
  }
  sizes_t sizes = low_sizes_like(l, type, shape_of);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, inputs, n);
  for (uint32_t i = 0, next = 0; i < op->n_operands && i < MAX; ++i)
    if (!args[i]) args[i] = p.body->args[next++];
  ir_value_t *r = low_scalar_op(&p.b, op, args);
  if (!r)
    return ir_op_error(
        op, "is not supported on element type %s",
        ir_print_term_to(ir_arena(l->ctx), ir_type_element(ir_operand(op, 0)->type)));
  return input_lower_result(l, op, low_pointwise_end(l, &p, r));
}

// ---- regions of scalar tensors
// A value from outside the region: its element is read before the op that |b| stands in.
static ir_value_t *outer_scalar(lowering_t *l, const ir_builder_t *b, ir_value_t *tensor) {
  ir_builder_t saved = l->b;
  l->b = ir_builder_before(l->ctx, b->block->region->op);
  ir_value_t *v = low_scalar_of(l, tensor);
  l->b = saved;
  return v;
}
iree_status_t low_inline_scalar_region(lowering_t *l, ir_builder_t *b, ir_block_t *block,
                                       ir_value_t *const *args, ir_value_t **out) {
  ir_map_t *map = ir_map_create(ir_arena(l->ctx));
  for (uint32_t i = 0; i < block->n_args; ++i) ir_map_set(map, block->args[i], args[i]);
  for (ir_op_t *op = block->first; op; op = op->next) {
    ir_value_t *operands[8];
    bool end = op == block->last;
    if (!end && op->n_operands > 8)
      return ir_op_error(op, "is not supported in the region of another op");
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      ir_value_t *v = ir_map_get(map, ir_operand(op, i));
      if (!v) v = outer_scalar(l, b, lowered_operand(l, op, i));
      if (end)
        out[i] = v;
      else
        operands[i] = v;
    }
    if (end) break;
    ir_value_t *r = NULL;
    if (ir_op_has_trait(op, IR_CONSTANT) && ir_is(ir_op_attr(op, "value"), IR_A_DENSE)) {
      ir_type_t type = low_type(l->ctx, ir_dense_type(ir_op_attr(op, "value")));
      ir_attr_t value = ir_op_attr(op, "value");
      value = ir_attr_dense(l->ctx, type, ir_dense_data(value), ir_dense_bytes(value),
                            ir_dense_is_splat(value), false);
      ir_attr_t element = ir_dense_element(l->ctx, value, 0);
      if (element) r = ir_build_constant(b, ir_type_element(type), element);
    } else if (op->kind == OP_HLO_RESHAPE || op->kind == OP_HLO_BROADCAST_IN_DIM) {
      r = operands[0];
    } else if (op->kind == OP_HLO_BITCAST_CONVERT) {
      ir_type_t to = ir_type_element(low_type(l->ctx, ir_result(op, 0)->type));
      r = operands[0]->type == to ? operands[0]
                                  : ir_build1(b, OP_ARITH_BITCAST, to, operands[0], NULL, NULL);
    } else if (op->kind == OP_HLO_UNIFORM_QUANTIZE || op->kind == OP_HLO_UNIFORM_DEQUANTIZE) {
      IREE_RETURN_IF_ERROR(low_quantize_scalar(l, b, op, operands[0], &r));
    } else if (low_is_elementwise(op->kind)) {
      r = low_scalar_op(b, op, operands);
    } else if (op->n_results == 1 && op->n_regions == 0 && ir_op_has_trait(op, IR_PURE) &&
               op->kind) {  // arith, math
      ir_op_t *copy = ir_op_clone(l->ctx, op, map);
      ir_insert(b, copy);
      r = ir_result(copy, 0);
    }
    if (!r || op->n_results != 1)
      return ir_op_error(op, "is not supported in the region of another op");
    ir_map_set(map, ir_result(op, 0), r);
  }
  return iree_ok_status();
}

iree_status_t input_lower_map(lowering_t *l, ir_op_t *op) {
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  ir_value_t *inputs[64], *r = NULL;
  ir_block_t *body = ir_body(op);
  if (op->n_operands > 64 || !op->n_operands || !body || body->n_args != op->n_operands ||
      !body->last || body->last->n_operands != 1)
    return ir_op_error(op, "needs a body of one scalar per input that returns one");
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    inputs[i] = lowered_operand(l, op, i);
    low_check_shapes(l, op, inputs[0], inputs[i]);
  }
  sizes_t sizes = low_sizes_like(l, type, inputs[0]);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, inputs, op->n_operands);
  ir_value_t *scratch[1];
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, &p.b, body, p.body->args, scratch));
  r = scratch[0];
  return input_lower_result(l, op, low_pointwise_end(l, &p, r));
}
