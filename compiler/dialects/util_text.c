// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text directives that util's ops use; some serve other dialects too.
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

// ---- (t, u): types of one operand group
bool paren_types_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_list_t types = {0};
  return p_expect(p, "(") && (p_at(p, ")") || p_types(p, &types)) &&
         p_list_set_types(p, &s->operands[args[0]], &types) && p_expect(p, ")");
}
void paren_types_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  pr_raw(p, " (");
  pr_types(p, op, ir_operand_group_at(op, (size_t)args[0]));
  pr_raw(p, ")");
}

// ---- `: type`, `= attr` or `: type = attr`
static ir_type_t attr_type(ir_ctx_t *ctx, ir_attr_t a) {
  switch (a->kind) {
    case IR_A_BOOL: return ir_type_i(ctx, 1);
    case IR_A_TYPED: return ir_kid(a, 1);
    case IR_A_INT:
    case IR_A_FLOAT:
    case IR_A_DENSE:
    case IR_A_RESOURCE: return ir_kid(a, 0);
    default: return NULL;
  }
}
bool type_or_attr_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_attr_t *type = &s->attrs[args[0]], *value = &s->attrs[args[1]];
  if (p_accept(p, "=")) {
    if (!p_attr(p, value)) return false;
    *type = attr_type(p_ctx(p), *value);
    return *type || p_error(p, "a value without a type; write `: type = value`");
  }
  if (!p_expect(p, ":") || !p_type(p, type)) return false;
  return !p_accept(p, "=") || p_attr(p, value);
}
void type_or_attr_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_attr_t type = op->attrs[args[0]], value = op->attrs[args[1]];
  if (!value || attr_type(ir_op_ctx(op), value) != type) {
    pr_text(p, ":");
    pr_type(p, type);
  }
  if (value) {
    pr_text(p, "=");
    pr_attr(p, value);
  }
}

// ---- [%a : t, %b : u]
bool value_type_list_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_ref_list_t *list = &s->operands[args[0]];
  list->have_types = true;
  if (!p_expect(p, "[")) return false;
  for (bool first = true; !p_at(p, "]"); first = false) {
    ir_type_t type;
    if (!first && !p_expect(p, ",")) return false;
    if (!p_operand(p, list) || !p_expect(p, ":") || !p_type(p, &type) || !p_list_add_type(p, list, type)) return false;
  }
  return p_expect(p, "]");
}
void value_type_list_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_group_t g = ir_operand_group_at(op, (size_t)args[0]);
  pr_text(p, "[");
  for (uint32_t i = 0; i < g.n; ++i) {
    if (i) pr_text(p, ",");
    pr_value(p, ir_operand(op, g.first + i));
    pr_text(p, ":");
    pr_type(p, ir_operand(op, g.first + i)->type);
  }
  pr_text(p, "]");
}

// ---- lists: the element type is said only where it differs from the list's
static ir_type_t list_element(ir_type_t list) {
  return ir_type_is(list, "util.list") && list->n_kids && ir_type_is_type(ir_kid(list, 0)) ? ir_kid(list, 0) : NULL;
}
bool list_get_type_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_t list, element;
  if (!p_type(p, &list)) return false;
  element = list_element(list);
  if (p_accept(p, "->") && !p_type(p, &element)) return false;
  if (!element) return p_error(p, "expected `-> type` of the element");
  p_types_push(p, &s->results[args[1]], element);
  return p_list_set_type(p, &s->operands[args[0]], list);
}
void list_get_type_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_t list = ir_operand(op, ir_operand_group_at(op, (size_t)args[0]).first)->type;
  pr_type(p, list);
  if (list_element(list) == ir_result(op, 0)->type) return;
  pr_text(p, "->");
  pr_type(p, ir_result(op, 0)->type);
}
bool list_set_type_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_t list, element;
  if (!p_type(p, &list)) return false;
  element = list_element(list);
  if (p_accept(p, "->")) {
    element = list;
    if (!p_type(p, &list)) return false;
  }
  if (!element) return p_error(p, "expected `type -> !util.list<...>`");
  return p_list_set_type(p, &s->operands[args[0]], list) && p_list_set_type(p, &s->operands[args[1]], element);
}
void list_set_type_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_t list = ir_operand(op, ir_operand_group_at(op, (size_t)args[0]).first)->type;
  ir_type_t element = ir_operand(op, ir_operand_group_at(op, (size_t)args[1]).first)->type;
  if (list_element(list) != element) {
    pr_type(p, element);
    pr_text(p, "->");
  }
  pr_type(p, list);
}

// ---- [%offset for %length], ...: all offsets come before all lengths in the operand group
bool range_list_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_ref_list_t lengths = {0}, *list = &s->operands[args[0]];
  do {
    if (!p_expect(p, "[") || !p_operand(p, list) || !p_expect(p, "for") || !p_operand(p, &lengths) || !p_expect(p, "]"))
      return false;
  } while (p_accept(p, ","));
  uint32_t n = list->n;
  for (uint32_t i = 0; i < lengths.n; ++i) p_ref_push(p, list, lengths.refs[i]);
  return list->n == 2 * n;
}
void range_list_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_group_t g = ir_operand_group_at(op, (size_t)args[0]);
  uint32_t n = g.n / 2;
  for (uint32_t i = 0; i < n; ++i) {
    if (i) pr_text(p, ",");
    pr_text(p, "[");
    pr_value(p, ir_operand(op, g.first + i));
    pr_text(p, "for");
    pr_value(p, ir_operand(op, g.first + n + i));
    pr_text(p, "]");
  }
}
