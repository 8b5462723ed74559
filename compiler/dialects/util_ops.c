// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// util: texts that the form language cannot say.
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

// ---- func: as func.func, with ties between results and arguments
static iree_status_t util_func_verify(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(function_verify(op));
  ir_type_t type = ir_op_attr(op, "function_type");
  ir_attr_t tied = ir_op_attr(op, "tied_operands");
  if (tied && tied->n_kids != ir_fn_n_results(type))
    return ir_op_error(op, "ties %u results, the type has %zu", tied->n_kids, ir_fn_n_results(type));
  return iree_ok_status();
}
const ir_op_hooks_t util_func_hooks = {.verify = util_func_verify, .parse = function_parse, .print = function_print};

// ---- initializer: a function without name, arguments and results
static bool initializer_parse(ir_parser_t *p, ir_op_state_t *s) {
  return p_set_attr(p, s, "function_type", ir_type_function(p_ctx(p), NULL, 0, NULL, 0)) && p_attr_dict_kw(p, s) &&
         p_region(p, s, NULL, 0);
}
static void initializer_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"function_type", NULL};
  pr_attr_dict_kw(p, op, skip);
  pr_region(p, op->regions[0], false, true);
}
const ir_op_hooks_t util_initializer_hooks = {.parse = initializer_parse, .print = initializer_print};

// ---- assume.int: `%a<umin = 0, udiv = 4>, %b[<...>, <...>] : index, index`
static bool assumption_parse(ir_parser_t *p, ir_attr_t *out) {
  static const char *const names[] = {"umin", "umax", "udiv"};
  ir_attr_t params[3];
  size_t n = 0;
  if (!p_expect(p, "<")) return false;
  while (!p_at(p, ">")) {
    const char *name;
    int64_t value;
    if (n == 3) return p_error(p, "more than umin, umax and udiv");
    if (n && !p_expect(p, ",")) return false;
    if (!p_expect_word(p, &name)) return false;
    bool known = false;
    for (size_t i = 0; i < 3; ++i) known |= !strcmp(names[i], name);
    if (!known) return p_error(p, "expected umin, umax or udiv, not '%s'", name);
    if (!p_expect(p, "=") || !p_expect_int(p, &value)) return false;
    const ir_term_t *kids[2] = {ir_attr_keyword(p_ctx(p), name), ir_attr_i64(p_ctx(p), value)};
    params[n++] = ir_term(p_ctx(p), IR_A_PARAM, NULL, 0, kids, 2, NULL, 0);
  }
  *out = ir_attr_dialect(p_ctx(p), "util.int.assumption", params, n);
  return p_expect(p, ">");
}
static bool assume_parse(ir_parser_t *p, ir_op_state_t *s) {
  enum { MAX = 256 };
  ir_attr_t *rows = IREE_ARENA_ARRAY(ir_arena(p_ctx(p)), ir_attr_t, MAX);
  ir_attr_t *cells = IREE_ARENA_ARRAY(ir_arena(p_ctx(p)), ir_attr_t, MAX);
  size_t n = 0;
  do {
    size_t n_cells = 0;
    if (n == MAX) return p_error(p, "more than %d operands", MAX);
    if (!p_operand(p, &s->operands[0])) return false;
    if (p_accept(p, "[")) {
      while (!p_at(p, "]")) {
        if (n_cells == MAX) return p_error(p, "more than %d assumptions", MAX);
        if (n_cells && !p_expect(p, ",")) return false;
        if (!assumption_parse(p, &cells[n_cells++])) return false;
      }
      if (!p_expect(p, "]")) return false;
    } else if (!assumption_parse(p, &cells[n_cells++])) {
      return false;
    }
    rows[n++] = ir_attr_array(p_ctx(p), cells, n_cells);
  } while (p_accept(p, ","));
  ir_type_list_t types = {0};
  if (!p_expect(p, ":") || !p_types(p, &types) || !p_list_set_types(p, &s->operands[0], &types)) return false;
  for (uint32_t i = 0; i < types.n; ++i) p_types_push(p, &s->results[0], types.types[i]);
  return p_set_attr(p, s, "assumptions", ir_attr_array(p_ctx(p), rows, n)) && p_attr_dict(p, s);
}
static void assumption_print(ir_printer_t *p, ir_attr_t a) {
  pr_raw(p, "<");
  for (uint32_t i = 0; i < a->n_kids; ++i) {
    ir_attr_t param = ir_kid(a, i);
    if (i) pr_raw(p, ", ");
    pr_raw(p, ir_bytes(ir_kid(param, 0)));
    pr_raw(p, " = ");
    pr_int(p, ir_int(ir_kid(param, 1), 0));
  }
  pr_raw(p, ">");
}
static void assume_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"assumptions", NULL};
  ir_attr_t rows = ir_op_attr(op, "assumptions");
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_attr_t row = ir_kid(rows, i);
    if (i) pr_text(p, ",");
    pr_value(p, ir_operand(op, i));
    if (row->n_kids != 1) pr_raw(p, "[");
    for (uint32_t k = 0; k < row->n_kids; ++k) {
      if (k) pr_raw(p, ", ");
      assumption_print(p, ir_kid(row, k));
    }
    if (row->n_kids != 1) pr_raw(p, "]");
  }
  pr_text(p, ":");
  pr_result_types(p, op);
  pr_attr_dict(p, op, skip);
}
static iree_status_t assume_verify(ir_op_t *op) {
  ir_attr_t rows = ir_op_attr(op, "assumptions");
  if (op->n_results != op->n_operands) return ir_op_error(op, "has %u operands and %u results", op->n_operands, op->n_results);
  if (!ir_is(rows, IR_A_ARRAY) || rows->n_kids != op->n_operands)
    return ir_op_error(op, "needs one list of assumptions per operand");
  for (uint32_t i = 0; i < rows->n_kids; ++i) {
    if (!ir_is(ir_kid(rows, i), IR_A_ARRAY)) return ir_op_error(op, "assumptions of operand %u are no list", i);
    for (uint32_t k = 0; k < ir_kid(rows, i)->n_kids; ++k) {
      ir_attr_t a = ir_kid(ir_kid(rows, i), k);
      if (!ir_is(a, IR_A_DIALECT)) return ir_op_error(op, "assumption %u of operand %u is no #util.int.assumption", k, i);
      for (uint32_t m = 0; m < a->n_kids; ++m)
        if (!ir_is(ir_kid(a, m), IR_A_PARAM)) return ir_op_error(op, "assumption %u of operand %u is malformed", k, i);
    }
  }
  return iree_ok_status();
}
const ir_op_hooks_t util_assume_hooks = {.verify = assume_verify, .parse = assume_parse, .print = assume_print};

// ---- optimization_barrier: results have the operands' types
static bool barrier_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_list_t types = {0};
  if (!p_attr_dict(p, s)) return false;
  s->operands[0].have_types = true;
  if (!p_at_operand(p)) return true;
  if (!p_operands(p, &s->operands[0]) || !p_expect(p, ":") || !p_types(p, &types) || !p_list_set_types(p, &s->operands[0], &types))
    return false;
  for (uint32_t i = 0; i < types.n; ++i) p_types_push(p, &s->results[0], types.types[i]);
  return true;
}
static void barrier_print(ir_printer_t *p, const ir_op_t *op) {
  pr_attr_dict(p, op, NULL);
  if (!op->n_operands) return;
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_text(p, ":");
  pr_result_types(p, op);
}
static iree_status_t barrier_verify(ir_op_t *op) {
  if (op->n_operands != op->n_results) return ir_op_error(op, "has %u operands and %u results", op->n_operands, op->n_results);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (ir_operand(op, i)->type != ir_result(op, i)->type) return ir_op_error(op, "result %u differs in type from its operand", i);
  return iree_ok_status();
}
const ir_op_hooks_t util_barrier_hooks = {.verify = barrier_verify, .parse = barrier_parse, .print = barrier_print};
