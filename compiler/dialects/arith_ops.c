// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arith: texts that the form language cannot say. Folding is in arith_fold.c.
#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

// `arith.constant 1 : index`, `arith.constant true`, `arith.constant dense<...> : tensor<...>`
static bool constant_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t value;
  if (!p_attr_dict(p, s) || !p_attr(p, &value) || !p_set_attr(p, s, "value", value)) return false;
  ir_type_t type = value->kind == IR_A_BOOL ? ir_type_i(p_ctx(p), 1)
                   : value->n_kids          ? ir_kid(value, value->kind == IR_A_TYPED ? 1 : 0)
                                            : NULL;
  if (!type || !ir_type_is_type(type)) return p_error(p, "a constant needs a value with a type");
  p_types_push(p, &s->results[0], type);
  return true;
}
static void constant_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"value", NULL};
  pr_attr_dict(p, op, skip);
  pr_attr(p, ir_op_attr(op, "value"));
}
static iree_status_t constant_verify(ir_op_t *op) {
  ir_attr_t v = ir_op_attr(op, "value");
  if (!v) return ir_op_error(op, "needs attribute 'value'");
  ir_type_t type = ir_result(op, 0)->type;
  bool match = v->kind == IR_A_BOOL ? type == ir_type_i(ir_op_ctx(op), 1)
                                    : v->n_kids && ir_kid(v, v->kind == IR_A_TYPED ? 1 : 0) == type;
  return match ? iree_ok_status() : ir_op_error(op, "value and result differ in type");
}
const ir_op_hooks_t arith_constant_hooks = {.verify = constant_verify, .parse = constant_parse, .print = constant_print};

// `arith.select %c, %a, %b : f32`; with a shaped condition `: tensor<4xi1>, tensor<4xf32>`
static bool select_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t type, condition = ir_type_i(p_ctx(p), 1);
  if (!p_operand(p, &s->operands[0]) || !p_expect(p, ",") || !p_operand(p, &s->operands[1]) || !p_expect(p, ",") ||
      !p_operand(p, &s->operands[2]) || !p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type))
    return false;
  if (p_accept(p, ",")) {
    condition = type;
    if (!p_type(p, &type)) return false;
  }
  p_list_set_type(p, &s->operands[0], condition);
  p_list_set_type(p, &s->operands[1], type);
  p_list_set_type(p, &s->operands[2], type);
  p_types_push(p, &s->results[0], type);
  return true;
}
static void select_print(ir_printer_t *p, const ir_op_t *op) {
  pr_values(p, op, (ir_group_t){0, 3});
  pr_attr_dict(p, op, NULL);
  pr_text(p, ":");
  if (ir_type_is_shaped(ir_operand(op, 0)->type)) {
    pr_type(p, ir_operand(op, 0)->type);
    pr_text(p, ",");
  }
  pr_type(p, ir_result(op, 0)->type);
}
static iree_status_t select_verify(ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  if (ir_operand(op, 1)->type != type || ir_operand(op, 2)->type != type)
    return ir_op_error(op, "both values must have the result's type");
  return iree_ok_status();
}
bool arith_select_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values);
const ir_op_hooks_t arith_select_hooks = {.verify = select_verify, .fold = arith_select_fold, .parse = select_parse, .print = select_print};
