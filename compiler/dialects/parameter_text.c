// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How ops of several dialects name parameters: `%scope::%key[%offset]`, and rows of transfers.
#include "compiler/dialects/directives.h"

// ---- `%scope::%key[%offset]`, the scope being optional
static bool name_parse(ir_parser_t *p, ir_ref_list_t *scope, ir_ref_list_t *keys, ir_ref_list_t *offsets) {
  ir_ref_list_t first = {0};
  if (!p_operand(p, &first)) return false;
  if (p_accept(p, "::")) {
    if (!scope->n) p_ref_push(p, scope, first.refs[0]);  // rows repeat it
    if (!p_operand(p, keys)) return false;
  } else {
    p_ref_push(p, keys, first.refs[0]);
  }
  return p_expect(p, "[") && p_operand(p, offsets) && p_expect(p, "]");
}
static void name_print(ir_printer_t *p, const ir_op_t *op, const int *args, uint32_t row) {
  ir_group_t scope = ir_operand_group_at(op, (size_t)args[0]), keys = ir_operand_group_at(op, (size_t)args[1]),
             offsets = ir_operand_group_at(op, (size_t)args[2]);
  if (scope.n) {
    pr_value(p, ir_operand(op, scope.first));
    pr_raw(p, "::");
  }
  pr_value(p, ir_operand(op, keys.first + row));
  pr_raw(p, "[");
  pr_value(p, ir_operand(op, offsets.first + row));
  pr_text(p, "]");
}

bool parameter_name_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n) {
  (void)n;
  return name_parse(p, &s->operands[args[0]], &s->operands[args[1]], &s->operands[args[2]]);
}
void parameter_name_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n) {
  (void)n;
  name_print(p, op, args, 0);
}

// ---- rows in braces, on lines of their own
static void rows_begin(ir_printer_t *p) {
  pr_raw(p, " {");
  pr_indent(p, 1);
}
static void row_begin(ir_printer_t *p, uint32_t row) {
  if (row) pr_text(p, ",");
  pr_newline(p);
}
static void rows_end(ir_printer_t *p, uint32_t n) {
  pr_indent(p, -1);
  if (n) pr_newline(p);
  pr_text(p, "}");
}

// `%scope::%key[%offset] : type{%size}`
bool parameter_loads_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n) {
  (void)n;
  if (!p_expect(p, "{")) return false;
  do {
    ir_type_t type;
    if (!parameter_name_parse(p, s, args, 3) || !p_expect(p, ":") || !p_type(p, &type) || !p_expect(p, "{") ||
        !p_operand(p, &s->operands[args[3]]) || !p_expect(p, "}"))
      return false;
    p_types_push(p, &s->results[args[4]], type);
  } while (p_accept(p, ","));
  return p_expect(p, "}");
}
void parameter_loads_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n) {
  (void)n;
  ir_group_t sizes = ir_operand_group_at(op, (size_t)args[3]);
  rows_begin(p);
  for (uint32_t i = 0; i < sizes.n; ++i) {
    row_begin(p, i);
    name_print(p, op, args, i);
    pr_raw(p, " : ");
    pr_type(p, ir_result(op, i)->type);
    pr_raw(p, "{");
    pr_value(p, ir_operand(op, sizes.first + i));
    pr_raw(p, "}");
  }
  rows_end(p, sizes.n);
}

// `%resource[%offset for %length] : type{%size}`; the resource and its size are one and the same in all rows.
static bool range_parse(ir_parser_t *p, ir_op_state_t *s, int resource, int offsets, int lengths, int size) {
  ir_ref_list_t *one = &s->operands[resource], again = {0};
  bool is_first = one->n == 0;
  ir_type_t type;
  if (!p_operand(p, is_first ? one : &again) || !p_expect(p, "[") || !p_operand(p, &s->operands[offsets]) ||
      !p_expect(p, "for") || !p_operand(p, &s->operands[lengths]) || !p_expect(p, "]") || !p_expect(p, ":") ||
      !p_type(p, &type))
    return false;
  if (is_first && !p_list_add_type(p, one, type)) return false;
  if (!is_first && again.refs[0].name != one->refs[0].name) return p_error(p, "all rows have one and the same buffer");
  if (size < 0) return true;
  ir_ref_list_t size_again = {0};
  return p_expect(p, "{") && p_operand(p, is_first ? &s->operands[size] : &size_again) && p_expect(p, "}");
}
static void range_print(ir_printer_t *p, const ir_op_t *op, int resource, int offsets, int lengths, int size, uint32_t row) {
  const ir_value_t *v = ir_operand(op, ir_operand_group_at(op, (size_t)resource).first);
  pr_value(p, v);
  pr_raw(p, "[");
  pr_value(p, ir_operand(op, ir_operand_group_at(op, (size_t)offsets).first + row));
  pr_text(p, "for");
  pr_value(p, ir_operand(op, ir_operand_group_at(op, (size_t)lengths).first + row));
  pr_raw(p, "] : ");
  pr_type(p, v->type);
  if (size < 0) return;
  pr_raw(p, "{");
  pr_value(p, ir_operand(op, ir_operand_group_at(op, (size_t)size).first));
  pr_raw(p, "}");
}

bool parameter_gathers_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n) {
  if (!p_expect(p, "{")) return false;
  do {
    if (!parameter_name_parse(p, s, args, 3) || !p_expect(p, "->") ||
        !range_parse(p, s, args[3], args[4], args[5], n > 6 ? args[6] : -1))
      return false;
  } while (p_accept(p, ","));
  return p_expect(p, "}");
}
void parameter_gathers_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n) {
  uint32_t rows = ir_operand_group_at(op, (size_t)args[1]).n;
  rows_begin(p);
  for (uint32_t i = 0; i < rows; ++i) {
    row_begin(p, i);
    name_print(p, op, args, i);
    pr_raw(p, " -> ");
    range_print(p, op, args[3], args[4], args[5], n > 6 ? args[6] : -1, i);
  }
  rows_end(p, rows);
}

bool parameter_scatters_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n) {
  if (!p_expect(p, "{")) return false;
  do {
    if (!range_parse(p, s, args[0], args[1], args[2], n > 6 ? args[6] : -1) || !p_expect(p, "->") ||
        !parameter_name_parse(p, s, args + 3, 3))
      return false;
  } while (p_accept(p, ","));
  return p_expect(p, "}");
}
void parameter_scatters_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n) {
  uint32_t rows = ir_operand_group_at(op, (size_t)args[4]).n;
  rows_begin(p);
  for (uint32_t i = 0; i < rows; ++i) {
    row_begin(p, i);
    range_print(p, op, args[0], args[1], args[2], n > 6 ? args[6] : -1, i);
    pr_raw(p, " -> ");
    name_print(p, op, args + 3, i);
  }
  rows_end(p, rows);
}
