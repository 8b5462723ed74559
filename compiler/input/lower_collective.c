// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of one participant: what all of a group of one have is what it has itself. Groups
// that name others are refused, since a program runs on one device.
#include "compiler/input/lower.h"

static iree_status_t refuse(ir_op_t *op) {
  return ir_op_error(op,
                     "has several participants; programs run on one device: compile the "
                     "program for one partition and one replica");
}
// Whether an attribute of process numbers, or of mesh axes, knows process 0 only.
static bool is_alone(ir_attr_t groups) {
  if (!groups) return true;
  if (ir_is(groups, IR_A_DENSE)) {
    const int64_t *at = ir_dense_data(groups);
    bool has_elements = ir_type_n_elements(ir_dense_type(groups)) != 0;
    for (size_t i = 0; has_elements && i < ir_dense_bytes(groups) / sizeof *at; ++i)
      if (at[i] > 0) return false;
    return true;
  }
  if (ir_is(groups, IR_A_SYMREF)) return false;  // a mesh elsewhere
  if (ir_is(groups, IR_A_PARAM) && ir_str_is(ir_kid(groups, 0), "size"))
    return ir_is(ir_kid(groups, 1), IR_A_INT) && ir_int(ir_kid(groups, 1), 0) == 1;
  for (uint32_t i = 0; i < groups->n_kids; ++i)
    if (!is_alone(ir_kid(groups, i))) return false;
  return true;
}
// Reductions may widen the element type.
static iree_status_t pass_on(lowering_t *l, ir_op_t *op, uint32_t i) {
  ir_type_t from = ir_operand(op, i)->type, to = ir_result(op, i)->type;
  ir_value_t *v = lowered_operand(l, op, i);
  if (ir_type_rank(from) != ir_type_rank(to)) return refuse(op);
  for (size_t k = 0; k < ir_type_rank(from); ++k)
    if (ir_type_dim(from, k) != ir_type_dim(to, k)) return refuse(op);
  if (ir_type_element(from) != ir_type_element(to)) {
    ir_type_t type = low_type(l->ctx, to);
    sizes_t sizes = low_sizes_like(l, type, v);
    pointwise_t p = low_pointwise_begin(l, type, &sizes, &v, 1);
    v = low_pointwise_end(
        l, &p, low_convert(&p.b, p.body->args[0], ir_type_element(from), ir_type_element(to)));
  }
  set_lowered(l, ir_result(op, i), v);
  return iree_ok_status();
}
iree_status_t input_lower_collective(lowering_t *l, ir_op_t *op) {
  if (!is_alone(ir_op_attr(op, "replica_groups"))) return refuse(op);
  if (op->n_operands < op->n_results) return ir_op_error(op, "needs an operand per result");
  for (uint32_t i = 0; i < op->n_results; ++i) IREE_RETURN_IF_ERROR(pass_on(l, op, i));
  return iree_ok_status();
}
// What nobody sends to is zeros.
iree_status_t input_lower_collective_permute(lowering_t *l, ir_op_t *op) {
  ir_attr_t pairs = ir_op_attr(op, "source_target_pairs");
  if (!is_alone(pairs)) return refuse(op);
  if (op->n_operands != op->n_results) return ir_op_error(op, "needs an operand per result");
  bool sends = ir_is(pairs, IR_A_DENSE) && ir_type_n_elements(ir_dense_type(pairs)) != 0;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    IREE_RETURN_IF_ERROR(pass_on(l, op, i));
    if (sends) continue;
    ir_value_t *v = lowered(l, ir_result(op, i));
    sizes_t sizes = low_sizes_like(l, v->type, v);
    set_lowered(l, ir_result(op, i),
                low_filled(l, v->type, &sizes, low_zero(&l->b, ir_type_element(v->type))));
  }
  return iree_ok_status();
}
