// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialects/directives.h"

#include <stdio.h>
#include <string.h>

#include "compiler/dialects/hal_text.h"
#include "compiler/ir/parse_internal.h"
#include "compiler/ir/context.h"

// ---- visibility: private, public, nested or nothing; stored as a string
static bool visibility_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  static const char *const words[] = {"public", "private", "nested"};
  for (size_t i = 0; i < 3; ++i)
    if (p_accept(p, words[i])) s->attrs[args[0]] = ir_attr_str(p_ctx(p), words[i]);
  return true;
}
static void visibility_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  if (op->attrs[args[0]]) pr_text(p, ir_str(op->attrs[args[0]]).data);
}

// ---- executable-target: an attribute whose name may be left out: `<"llvm-cpu", ...>`; $target
static bool executable_target_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_attr_t target, *params = NULL;
  size_t n = 0;
  if (!p_at(p, "<")) return p_attr(p, &target) && ((s->attrs[args[0]] = target), true);
  if (!p_params(p, &params, &n)) return false;
  s->attrs[args[0]] = ir_attr_dialect(p_ctx(p), "hal.executable.target", params, n);
  return true;
}
static void executable_target_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  pr_attr(p, op->attrs[args[0]]);
}

// ---- indices: a list of static or dynamic integers: `4, %x, ?`-free; $values, $static (i64s)
static bool dynamic_list_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_ctx_t *ctx = p_ctx(p);
  int64_t values[64];
  size_t n = 0;
  if (!p_expect(p, "[")) return false;
  if (!p_at(p, "]")) {
    do {
      if (n == 64) return p_error(p, "more than 64 entries");
      if (p_at_operand(p)) {
        if (!p_operand(p, &s->operands[args[0]])) return false;
        values[n++] = IR_DYNAMIC;
      } else {
        if (!p_expect_int(p, &values[n])) return false;
        ++n;
      }
    } while (p_accept(p, ","));
  }
  s->attrs[args[1]] = ir_attr_i64s(ctx, values, n);
  return p_expect(p, "]");
}
static void dynamic_list_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_group_t g = ir_operand_group_at(op, (size_t)args[0]);
  ir_attr_t list = op->attrs[args[1]];
  uint32_t next = g.first;
  pr_text(p, "[");
  for (uint32_t i = 0; list && i < list->n_ints; ++i) {
    if (i) pr_text(p, ",");
    if (ir_int(list, i) == IR_DYNAMIC && next < g.first + g.n) pr_value(p, ir_operand(op, next++));
    else pr_int(p, ir_int(list, i));
  }
  pr_text(p, "]");
}

// ---- @name, or @name(@function) where they differ; $sym_name, $function_ref
static bool symbol_alias_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  if (!p_expect_symbol(p, &s->attrs[args[0]])) return false;
  s->attrs[args[1]] = ir_attr_sym(p_ctx(p), ir_bytes(s->attrs[args[0]]));
  return !p_accept(p, "(") || (p_expect_symref(p, &s->attrs[args[1]]) && p_expect(p, ")"));
}
static void symbol_alias_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  iree_string_view_t name = ir_str(op->attrs[args[0]]);
  pr_symbol(p, name);
  if (iree_string_view_equal(name, ir_symref_leaf(op->attrs[args[1]]))) return;
  pr_text(p, "(");
  pr_attr(p, op->attrs[args[1]]);
  pr_text(p, ")");
}

// ---- workgroups(%arg0: index, ...) -> (index, index, index) {...}; the region may be absent
static bool workgroup_count_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  enum { MAX_WORKLOAD = 64 };
  (void)args, (void)n_args;
  if (!p_accept(p, "workgroups")) return p_region_empty(p, s) != NULL;
  ir_block_arg_ref_t workload[MAX_WORKLOAD];
  size_t n = 0;
  if (!p_expect(p, "(")) return false;
  if (!p_at(p, ")")) {
    do {
      if (n == MAX_WORKLOAD) return p_error(p, "more than %d workload values", MAX_WORKLOAD);
      if (!p_block_arg(p, &workload[n])) return false;
      ++n;
    } while (p_accept(p, ","));
  }
  ir_type_list_t results = {0};
  return p_expect(p, ")") && p_expect(p, "->") && p_paren_types(p, &results) && p_region(p, s, workload, n);
}
static void workgroup_count_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_region_t *region = op->regions[args[0]];
  if (!region->first) return;
  pr_text(p, "workgroups");
  pr_text(p, "(");
  for (uint32_t i = 0; i < region->first->n_args; ++i) {
    if (i) pr_text(p, ",");
    pr_value(p, region->first->args[i]);
    pr_raw(p, ": ");
    pr_type(p, region->first->args[i]->type);
  }
  pr_text(p, ")");
  pr_raw(p, " -> (index, index, index)");
  pr_region(p, region, false, true);
}

// ---- yield-to: `^bb1(i32)`, the successor and the types of the results it is given; $dest, $types
static bool yield_to_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_list_t types = {0};
  if (!p_successor_block(p, s) || !p_expect(p, "(")) return false;
  if (!p_at(p, ")") && !p_types(p, &types)) return false;
  s->attrs[args[1]] = ir_attr_array(p_ctx(p), types.types, types.n);
  return p_expect(p, ")");
}
static void yield_to_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  pr_block(p, op->succs[0].block);
  pr_raw(p, " (");
  ir_attr_t types = op->attrs[args[1]];
  for (uint32_t i = 0; types && i < types->n_kids; ++i) {
    if (i) pr_text(p, ",");
    pr_type(p, ir_kid(types, i));
  }
  pr_text(p, ")");
}

// ---- the type of an operand and of the result, or a function type where they differ; $x, $result
static bool same_types_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_t type, result;
  if (p_accept(p, "(")) {
    if (!p_type(p, &type) || !p_expect(p, ")") || !p_expect(p, "->") || !p_type(p, &result)) return false;
  } else {
    if (!p_type(p, &type)) return false;
    result = type;
  }
  p_types_push(p, &s->results[args[1]], result);
  return p_list_set_type(p, &s->operands[args[0]], type);
}
static void same_types_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_t type = ir_operand(op, (size_t)args[0])->type, result = ir_result(op, (size_t)args[1])->type;
  if (type == result) {
    pr_type(p, type);
    return;
  }
  pr_raw(p, " (");
  pr_type(p, type);
  pr_raw(p, ") -> ");
  pr_type(p, result);
}

const ir_directive_t dialect_directives[] = {
    {"same-types", same_types_parse, same_types_print},
    {"visibility", visibility_parse, visibility_print},
    {"executable-target", executable_target_parse, executable_target_print},
    {"symbol-alias", symbol_alias_parse, symbol_alias_print},
    {"workgroup-count", workgroup_count_parse, workgroup_count_print},
    {"dynamic-list", dynamic_list_parse, dynamic_list_print},
    {"shaped-function", shaped_function_parse, shaped_function_print},
    {"shaped-operands", shaped_operands_parse, shaped_operands_print},
    {"shaped-tied-result", shaped_tied_result_parse, shaped_tied_result_print},
    {"tied-results", tied_results_parse, tied_results_print},
    {"paren-types", paren_types_parse, paren_types_print},
    {"type-or-attr", type_or_attr_parse, type_or_attr_print},
    {"value-type-list", value_type_list_parse, value_type_list_print},
    {"list-get-type", list_get_type_parse, list_get_type_print},
    {"list-set-type", list_set_type_parse, list_set_type_print},
    {"range-list", range_list_parse, range_list_print},
    {"yield-to", yield_to_parse, yield_to_print},
    {"memory-type", memory_type_parse, memory_type_print},
    {"buffer-usage", buffer_usage_parse, buffer_usage_print},
    {"memory-access", memory_access_parse, memory_access_print},
    {"command-mode", command_mode_parse, command_mode_print},
    {"command-category", command_category_parse, command_category_print},
    {"execution-stage", execution_stage_parse, execution_stage_print},
    {"alloca-flags", alloca_parse, alloca_print},
    {"dealloca-flags", dealloca_parse, dealloca_print},
    {"flags", reserved_parse, reserved_print},
    {"bindings", bindings_parse, bindings_print},
    {"entry-points", dispatch_entry_points_parse, dispatch_entry_points_print},
    {"result-type-alias", result_type_alias_parse, result_type_alias_print},
    {"operand-type-alias", operand_type_alias_parse, operand_type_alias_print},
    {"parameter-name", parameter_name_parse, parameter_name_print},
    {"parameter-loads", parameter_loads_parse, parameter_loads_print},
    {"parameter-gathers", parameter_gathers_parse, parameter_gathers_print},
    {"parameter-scatters", parameter_scatters_parse, parameter_scatters_print},
};
const size_t dialect_n_directives = sizeof dialect_directives / sizeof *dialect_directives;
