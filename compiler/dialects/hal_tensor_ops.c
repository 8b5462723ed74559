// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hal.tensor.barrier: `join(%a, %b : t, u) => %fence : !hal.fence`; results have the sources' types.
#include "compiler/dialects/directives.h"

static bool barrier_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_list_t types = {0};
  ir_type_t fence;
  s->operands[0].have_types = true;
  if (!p_expect(p, "join") || !p_expect(p, "(")) return false;
  if (p_at_operand(p)) {
    if (!p_operands(p, &s->operands[0]) || !p_expect(p, ":") || !p_types(p, &types)) return false;
  } else if (!p_expect(p, ":")) {
    return false;
  }
  if (!p_list_set_types(p, &s->operands[0], &types) || !p_expect(p, ")") || !p_expect(p, "=>") ||
      !p_operand(p, &s->operands[1]) || !p_expect(p, ":") || !p_type(p, &fence))
    return false;
  p_list_set_type(p, &s->operands[1], fence);
  for (uint32_t i = 0; i < types.n; ++i) p_types_push(p, &s->results[0], types.types[i]);
  return p_attr_dict(p, s);
}
static void barrier_print(ir_printer_t *p, const ir_op_t *op) {
  ir_group_t sources = ir_operand_group(op, "sources");
  pr_text(p, "join");
  pr_raw(p, "(");
  pr_values(p, op, sources);
  pr_text(p, ":");
  pr_types(p, op, sources);
  pr_raw(p, ") =>");
  ir_value_t *fence = ir_operand_named(op, "signal_fence");
  pr_raw(p, " ");
  pr_value(p, fence);
  pr_text(p, ":");
  pr_type(p, fence->type);
  pr_attr_dict(p, op, NULL);
}
static iree_status_t barrier_verify(ir_op_t *op) {
  if (op->n_results + 1 != op->n_operands) return ir_op_error(op, "has %u sources and %u results", op->n_operands - 1, op->n_results);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_operand(op, i)->type != ir_result(op, i)->type) return ir_op_error(op, "result %u differs in type from its source", i);
  return iree_ok_status();
}
const ir_op_hooks_t hal_tensor_barrier_hooks = {.verify = barrier_verify, .parse = barrier_parse, .print = barrier_print};
