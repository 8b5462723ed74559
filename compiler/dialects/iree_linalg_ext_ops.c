// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iree_linalg_ext: `name attributes ins(%a : t) outs(%b : u) {body} -> u`. What stands in outs is as many
// operands as there are results; the rest is ins.
#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

// ---- attributes: `dimension(0)`, `inclusive(true)`, `dimension_map = [0]`
static bool attribute_parse(ir_parser_t *p, ir_op_state_t *s, const char *name, bool list) {
  ir_attr_t value;
  int64_t number;
  if (!p_expect(p, name)) return false;
  if (list) return p_expect(p, "=") && p_attr(p, &value) && p_set_attr(p, s, name, value);
  if (!p_expect(p, "(")) return false;
  if (p_accept(p, "true")) value = ir_attr_bool(p_ctx(p), true);
  else if (p_accept(p, "false")) value = ir_attr_bool(p_ctx(p), false);
  else if (p_expect_int(p, &number)) value = ir_attr_i64(p_ctx(p), number);
  else return false;
  return p_expect(p, ")") && p_set_attr(p, s, name, value);
}
static bool attributes_parse(ir_parser_t *p, ir_op_state_t *s, ir_kind_t kind) {
  if (kind == OP_LEXT_SCATTER) return attribute_parse(p, s, "dimension_map", true) && attribute_parse(p, s, "unique_indices", false);
  if (kind == OP_LEXT_FFT) return true;
  if (!attribute_parse(p, s, "dimension", false)) return false;
  return kind != OP_LEXT_SCAN || attribute_parse(p, s, "inclusive", false);
}
static void bool_print(ir_printer_t *p, const ir_op_t *op, const char *name) {
  pr_text(p, name);
  pr_raw(p, ir_op_flag(op, name) ? "(true)" : "(false)");
}
static void attributes_print(ir_printer_t *p, const ir_op_t *op) {
  if (op->kind == OP_LEXT_FFT) return;
  if (op->kind == OP_LEXT_SCATTER) {
    ir_attr_t map = ir_op_attr(op, "dimension_map");
    pr_text(p, "dimension_map = [");
    for (uint32_t i = 0; i < map->n_ints; ++i) {
      if (i) pr_text(p, ",");
      pr_int(p, ir_int(map, i));
    }
    pr_text(p, "]");
    bool_print(p, op, "unique_indices");
    return;
  }
  pr_text(p, "dimension");
  pr_raw(p, "(");
  pr_int(p, ir_op_int(op, "dimension", 0));
  pr_raw(p, ")");
  if (op->kind == OP_LEXT_SCAN) bool_print(p, op, "inclusive");
}

// ---- operands
static bool operands_parse(ir_parser_t *p, const char *word, ir_ref_list_t *list) {
  ir_type_list_t types = {0};
  if (!p_accept(p, word)) return true;
  return p_expect(p, "(") && p_operands(p, list) && p_expect(p, ":") && p_types(p, &types) && p_list_set_types(p, list, &types) &&
         p_expect(p, ")");
}
static void give(ir_parser_t *p, ir_op_state_t *s, int group, const ir_ref_list_t *from, uint32_t i) {
  ir_ref_list_t *to = &s->operands[group];
  p_ref_push(p, to, from->refs[i]);
  to->types[to->n - 1] = from->types[i];
  to->have_types = true;
}
static bool distribute(ir_parser_t *p, ir_op_state_t *s, ir_kind_t kind, const ir_ref_list_t *ins, const ir_ref_list_t *outs) {
  if (kind == OP_LEXT_FFT) {
    if ((ins->n != 1 && ins->n != 3) || outs->n != 2) return p_error(p, "expected a stage, coefficients or none, and two outputs");
    for (uint32_t i = 0; i < ins->n; ++i) give(p, s, (int)i, ins, i);
    for (uint32_t i = 0; i < 2; ++i) give(p, s, (int)i + 3, outs, i);
    return true;
  }
  int group = kind == OP_LEXT_SORT ? 1 : 0;
  for (uint32_t i = 0; i < ins->n; ++i) give(p, s, 0, ins, i);
  for (uint32_t i = 0; i < outs->n; ++i) give(p, s, group, outs, i);
  return true;
}

static bool linalg_ext_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ref_list_t ins = {0}, outs = {0};
  ir_type_list_t types = {0};
  ir_kind_t kind = s->kind;
  if (!attributes_parse(p, s, kind) || !p_attr_dict(p, s) || !operands_parse(p, "ins", &ins) || !operands_parse(p, "outs", &outs) ||
      !distribute(p, s, kind, &ins, &outs))
    return false;
  if (kind != OP_LEXT_FFT && !p_region(p, s, NULL, 0)) return false;
  if (!p_accept(p, "->") && !p_accept(p, ":")) return outs.n == 0;
  if (!p_types(p, &types)) return false;
  for (uint32_t i = 0; i < types.n; ++i) p_types_push(p, &s->results[0], types.types[i]);
  return true;
}
static void operands_print(ir_printer_t *p, const ir_op_t *op, const char *word, uint32_t first, uint32_t n) {
  if (!n) return;
  pr_text(p, word);
  pr_raw(p, "(");
  pr_values(p, op, (ir_group_t){first, n});
  pr_text(p, ":");
  pr_types(p, op, (ir_group_t){first, n});
  pr_raw(p, ")");
}
static void linalg_ext_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"dimension", "inclusive", "dimension_map", "unique_indices", NULL};
  uint32_t n_outs = op->n_results < op->n_operands ? op->n_results : op->n_operands;
  attributes_print(p, op);
  pr_attr_dict(p, op, skip);
  operands_print(p, op, "ins", 0, op->n_operands - n_outs);
  operands_print(p, op, "outs", op->n_operands - n_outs, n_outs);
  if (ir_body(op)) pr_region(p, op->regions[0], true, true);
  pr_text(p, op->kind == OP_LEXT_FFT ? ":" : "->");
  pr_result_types(p, op);
}
static iree_status_t linalg_ext_verify(ir_op_t *op) {
  if (!op->n_results || op->n_operands < op->n_results) return ir_op_error(op, "needs one output per result");
  for (uint32_t r = 0; r < op->n_results; ++r)
    if (ir_operand(op, op->n_operands - op->n_results + r)->type != ir_result(op, r)->type)
      return ir_op_error(op, "result %u has another type than its output", r);
  if (op->kind != OP_LEXT_FFT && (!ir_body(op) || !ir_op_is(ir_body(op)->last, OP_LEXT_YIELD))) return ir_op_error(op, "needs a body that yields");
  return iree_ok_status();
}
const ir_op_hooks_t linalg_ext_hooks = {.verify = linalg_ext_verify, .parse = linalg_ext_parse, .print = linalg_ext_print};
