// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// flow: texts of ops whose regions have arguments, and what dispatches must satisfy.
#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

enum { MAX_ARGS = 1024 };

// ---- workgroup counts: `(%x: index) -> (index, index, index) {...}` after a word of the op's
static bool count_parse(ir_parser_t *p, ir_op_state_t *s, const char *word) {
  if (!p_accept(p, word)) return p_region_empty(p, s) != NULL;
  ir_block_arg_ref_t args[64];
  size_t n = 0;
  ir_type_t index = ir_type_index(p_ctx(p));
  if (!p_expect(p, "(")) return false;
  while (!p_at(p, ")")) {
    if (n == 64) return p_error(p, "more than 64 workload values");
    if (n && !p_expect(p, ",")) return false;
    if (!p_block_arg(p, &args[n++])) return false;
  }
  ir_type_list_t results = {0};
  if (!p_expect(p, ")") || !p_expect(p, "->") || !p_paren_types(p, &results)) return false;
  if (results.n != 3 || results.types[0] != index || results.types[1] != index || results.types[2] != index)
    return p_error(p, "a workgroup count is (index, index, index)");
  return p_region(p, s, args, n);
}
static void count_print(ir_printer_t *p, const ir_op_t *op, size_t region, const char *word) {
  const ir_block_t *block = op->regions[region]->first;
  if (!block) return;
  pr_text(p, word);
  pr_raw(p, "(");
  for (uint32_t i = 0; i < block->n_args; ++i) {
    if (i) pr_text(p, ",");
    pr_value(p, block->args[i]);
    pr_raw(p, ": ");
    pr_type(p, block->args[i]->type);
  }
  pr_raw(p, ") -> (index, index, index)");
  pr_region(p, op->regions[region], false, true);
}

// ---- dispatch.workgroups: a dispatch whose body has not been outlined yet
static bool workgroups_parse(ir_parser_t *p, ir_op_state_t *s) {
  int workload = p_operand_group(s, "workload"), arguments = p_operand_group(s, "arguments");
  int args[5] = {arguments, p_operand_group(s, "argument_dims"), p_result_group(s, "results"),
                 p_operand_group(s, "result_dims"), 0 /* tied_operands */};
  if (p_accept(p, "[") && (!p_operands(p, &s->operands[workload]) || !p_expect(p, "]"))) return false;
  p_list_set_type(p, &s->operands[workload], ir_type_index(p_ctx(p)));
  if (!p_expect(p, "(") || !p_operands_until(p, &s->operands[arguments], ")") || !p_expect(p, ":") ||
      !shaped_function_parse(p, s, args, 5) || !p_attr_dict_kw(p, s) || !p_expect(p, "=") || !p_expect(p, "("))
    return false;
  p_list_set_type(p, &s->operands[args[1]], ir_type_index(p_ctx(p)));
  p_list_set_type(p, &s->operands[args[3]], ir_type_index(p_ctx(p)));
  ir_block_arg_ref_t *refs = IREE_ARENA_ARRAY(ir_arena(p_ctx(p)), ir_block_arg_ref_t, MAX_ARGS);
  size_t n = 0;
  while (!p_at(p, ")")) {
    if (n == MAX_ARGS) return p_error(p, "more than %d arguments", MAX_ARGS);
    if (n && !p_expect(p, ",")) return false;
    if (!p_block_arg(p, &refs[n++])) return false;
  }
  return p_expect(p, ")") && p_region(p, s, refs, n) && count_parse(p, s, "count");
}
static void workgroups_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"tied_operands", NULL};
  ir_group_t workload = ir_operand_group(op, "workload"), arguments = ir_operand_group(op, "arguments");
  int args[5] = {1, 2, 0, 3, 0};  // groups and slots in the row's order
  if (workload.n) {
    pr_raw(p, "[");
    pr_values(p, op, workload);
    pr_raw(p, "]");
  }
  pr_raw(p, "(");
  pr_values(p, op, arguments);
  pr_raw(p, ") :");
  shaped_function_print(p, op, args, 5);
  pr_attr_dict_kw(p, op, skip);
  pr_text(p, "=");
  pr_indent(p, 2);
  pr_newline(p);
  pr_raw(p, "(");
  const ir_block_t *body = ir_body(op);
  for (uint32_t i = 0; body && i < body->n_args; ++i) {
    if (i) pr_text(p, ",");
    pr_value(p, body->args[i]);
    pr_raw(p, ": ");
    pr_type(p, body->args[i]->type);
  }
  pr_raw(p, ")");
  pr_indent(p, -2);
  pr_region(p, op->regions[0], false, true);
  count_print(p, op, 1, "count");
}
static iree_status_t workgroups_verify(ir_op_t *op) {
  ir_block_t *body = ir_body(op);
  if (!body) return ir_op_error(op, "needs a body");
  ir_attr_t tied = ir_op_attr(op, "tied_operands");
  uint32_t n_tied = 0;
  for (uint32_t i = 0; tied && i < tied->n_kids; ++i) n_tied += ir_int(ir_kid(tied, i), 0) >= 0;
  uint32_t want = ir_operand_group(op, "arguments").n + op->n_results - n_tied;
  if (body->n_args != want) return ir_op_error(op, "body has %u arguments, %u expected", body->n_args, want);
  return iree_ok_status();
}
const ir_op_hooks_t flow_workgroups_hooks = {.verify = workgroups_verify, .parse = workgroups_parse, .print = workgroups_print};

// ---- dispatch.region: `[workload] -> (types{dims}) {...} count(...)`; values are captured
static bool region_parse(ir_parser_t *p, ir_op_state_t *s) {
  int dims = p_operand_group(s, "result_dims"), workload = p_operand_group(s, "workload");
  if (p_accept(p, "[") && (!p_operands(p, &s->operands[workload]) || !p_expect(p, "]"))) return false;
  if (p_accept(p, "->")) {
    if (!p_expect(p, "(")) return false;
    for (bool first = true; !p_at(p, ")"); first = false) {
      ir_type_t type;
      if (!first && !p_expect(p, ",")) return false;
      if (!p_type(p, &type)) return false;
      p_types_push(p, &s->results[0], type);
      if (p_accept(p, "{") && (!p_operands(p, &s->operands[dims]) || !p_expect(p, "}"))) return false;
    }
    if (!p_expect(p, ")")) return false;
  }
  p_list_set_type(p, &s->operands[dims], ir_type_index(p_ctx(p)));
  p_list_set_type(p, &s->operands[workload], ir_type_index(p_ctx(p)));
  return p_attr_dict_kw(p, s) && p_region(p, s, NULL, 0) && count_parse(p, s, "count");
}
static void region_print(ir_printer_t *p, const ir_op_t *op) {
  ir_group_t dims = ir_operand_group(op, "result_dims"), workload = ir_operand_group(op, "workload");
  if (workload.n) {
    pr_raw(p, "[");
    pr_values(p, op, workload);
    pr_raw(p, "]");
  }
  pr_raw(p, " -> (");
  uint32_t next = dims.first;
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_type_t type = ir_result(op, i)->type;
    uint32_t n = ir_is(type, IR_T_TENSOR) ? (uint32_t)ir_type_n_dynamic(type) : 0;
    if (i) pr_text(p, ",");
    pr_type(p, type);
    if (!n || next + n > dims.first + dims.n) continue;
    pr_raw(p, "{");
    pr_values(p, op, (ir_group_t){next, n});
    pr_raw(p, "}");
    next += n;
  }
  pr_raw(p, ")");
  pr_attr_dict_kw(p, op, NULL);
  pr_region(p, op->regions[0], true, true);
  count_print(p, op, 1, "count");
}
static iree_status_t region_verify(ir_op_t *op) {
  const ir_block_t *body = ir_body(op);
  if (!body || body->next || !ir_op_is(body->last, OP_FLOW_RETURN) || body->last->n_operands != op->n_results)
    return ir_op_error(op, "needs a body of one block that returns a value per result");
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_operand(body->last, i)->type != ir_result(op, i)->type)
      return ir_op_error(op, "returns value %u of another type than its result", i);
  return iree_ok_status();
}
const ir_op_hooks_t flow_region_hooks = {.verify = region_verify, .parse = region_parse, .print = region_print};

// ---- executable: a symbol table of exports and one module
static bool visibility_of(ir_parser_t *p, ir_op_state_t *s) {
  static const char *const words[] = {"public", "private", "nested"};
  for (size_t i = 0; i < 3; ++i)
    if (p_accept(p, words[i])) return p_set_attr(p, s, "sym_visibility", ir_attr_str(p_ctx(p), words[i]));
  return true;
}
static bool executable_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t name;
  if (!visibility_of(p, s) || !p_expect_symbol(p, &name) || !p_set_attr(p, s, "sym_name", name) || !p_attr_dict_kw(p, s) ||
      !p_region(p, s, NULL, 0))
    return false;
  ir_region_t *region = s->regions[0];
  ir_block_t *block = region->first ? region->first : ir_block_create(p_ctx(p), region);
  if (!ir_block_has_terminator(block)) {
    ir_builder_t b = ir_builder_at_end(p_ctx(p), block);
    ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_EXECUTABLE_END});
  }
  return true;
}
static void executable_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"sym_name", "sym_visibility", NULL};
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility");
  if (visibility) pr_text(p, ir_bytes(visibility));
  pr_symbol(p, ir_op_sym_name(op));
  pr_attr_dict_kw(p, op, skip);
  pr_region(p, op->regions[0], false, false);
}
const ir_op_hooks_t flow_executable_hooks = {.parse = executable_parse, .print = executable_print};

// ---- executable.export: `public @function [as("name")] workgroups(...) -> (...) {...}`
static bool export_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t function, name;
  if (!visibility_of(p, s) || !p_expect_symref(p, &function)) return false;
  name = ir_kid(function, 0);
  if (p_accept(p, "as") && (!p_expect(p, "(") || !p_expect_string(p, &name) || !p_expect(p, ")"))) return false;
  return p_set_attr(p, s, "sym_name", name) && p_set_attr(p, s, "function_ref", function) && count_parse(p, s, "workgroups") &&
         p_attr_dict_kw(p, s);
}
static void export_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"sym_name", "sym_visibility", "function_ref", NULL};
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility"), function = ir_op_attr(op, "function_ref");
  if (visibility) pr_text(p, ir_bytes(visibility));
  pr_attr(p, function);
  if (!iree_string_view_equal(ir_symref_leaf(function), ir_op_sym_name(op))) {
    pr_text(p, "as");
    pr_raw(p, "(");
    pr_string(p, ir_op_sym_name(op));
    pr_raw(p, ")");
  }
  count_print(p, op, 0, "workgroups");
  pr_attr_dict_kw(p, op, skip);
}
const ir_op_hooks_t flow_export_hooks = {.parse = export_parse, .print = export_print};

// ---- entry points of a dispatch: `@ex::@fn` or `{@ex::@a, @ex::@b}`
bool dispatch_entry_points_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_attr_t list[64];
  size_t n = 0;
  bool braces = p_accept(p, "{");
  do {
    if (n == 64) return p_error(p, "more than 64 entry points");
    if (!p_expect_symref(p, &list[n++])) return false;
  } while (braces && p_accept(p, ","));
  s->attrs[args[0]] = ir_attr_array(p_ctx(p), list, n);
  return !braces || p_expect(p, "}");
}
void dispatch_entry_points_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_attr_t list = op->attrs[args[0]];
  if (list->n_kids != 1) pr_text(p, "{");
  for (uint32_t i = 0; i < list->n_kids; ++i) {
    if (i) pr_text(p, ",");
    pr_attr(p, ir_kid(list, i));
  }
  if (list->n_kids != 1) pr_raw(p, "}");
}

// ---- `type` or `encoding as type`: of result and operand
static bool alias_types(ir_parser_t *p, ir_op_state_t *s, int slot, ir_type_t *type) {
  if (!p_type(p, type)) return false;
  s->attrs[slot] = *type;
  return !p_accept(p, "as") || p_type(p, type);
}
static void alias_print(ir_printer_t *p, ir_type_t encoding, ir_type_t type) {
  pr_type(p, encoding ? encoding : type);
  if (!encoding || encoding == type) return;
  pr_text(p, "as");
  pr_type(p, type);
}
bool result_type_alias_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_t type;
  if (!alias_types(p, s, args[0], &type)) return false;
  p_types_push(p, &s->results[args[1]], type);
  return true;
}
void result_type_alias_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  alias_print(p, op->attrs[args[0]], ir_result(op, (size_t)args[1])->type);
}
bool operand_type_alias_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_type_t type;
  return alias_types(p, s, args[0], &type) && p_list_set_type(p, &s->operands[args[1]], type);
}
void operand_type_alias_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  alias_print(p, op->attrs[args[0]], ir_operand(op, ir_operand_group_at(op, (size_t)args[1]).first)->type);
}
