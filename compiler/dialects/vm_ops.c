// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vm: texts that the form language cannot say, and the checks of calls.
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"
#include "compiler/dialects/vm_ops.h"

static bool parse_visibility(ir_parser_t *p, ir_op_state_t *s) {
  static const char *const words[] = {"public", "private", "nested"};
  for (size_t i = 0; i < 3; ++i)
    if (p_accept(p, words[i]))
      return p_set_attr(p, s, "sym_visibility", ir_attr_str(p_ctx(p), words[i]));
  return true;
}
static void print_visibility(ir_printer_t *p, const ir_op_t *op) {
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility");
  if (visibility) pr_text(p, ir_str(visibility).data);
}

// ---- vm.import [visibility] [optional] @module.name(%arg : type, %rest : type ...) -> results
// attributes {...}
enum { MAX_IMPORT_ARGS = 64 };
static bool import_arguments(ir_parser_t *p, ir_type_list_t *types, ir_attr_t *attrs, bool *any) {
  ir_ctx_t *ctx = p_ctx(p);
  if (!p_expect(p, "(")) return false;
  if (p_accept(p, ")")) return true;
  do {
    ir_attr_t pairs[4];
    size_t n = 0;
    ir_type_t type;
    if (types->n == MAX_IMPORT_ARGS) return p_error(p, "more than %d arguments", MAX_IMPORT_ARGS);
    if (p_at_operand(p)) {
      ir_ref_list_t name = {0};
      if (!p_operand(p, &name) || !p_expect(p, ":")) return false;
      pairs[n++] = ir_attr_str(ctx, "vm.name");
      pairs[n++] = ir_attr_str(ctx, name.refs[0].name);
    }
    if (!p_type(p, &type)) return false;
    if (p_accept(p, "..."))
      pairs[n++] = ir_attr_str(ctx, "vm.variadic"), pairs[n++] = ir_attr_unit(ctx);
    *any = *any || n;
    attrs[types->n] = ir_attr_dict(ctx, pairs, n / 2);
    p_types_push(p, types, type);
  } while (p_accept(p, ","));
  return p_expect(p, ")");
}
static bool import_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  ir_attr_t name, attrs[MAX_IMPORT_ARGS];
  ir_type_list_t inputs = {0}, results = {0};
  bool any = false;
  if (!parse_visibility(p, s)) return false;
  if (p_accept(p, "optional") && !p_set_attr(p, s, "is_optional", ir_attr_unit(ctx))) return false;
  if (!p_expect_symbol(p, &name) || !p_set_attr(p, s, "sym_name", name) ||
      !import_arguments(p, &inputs, attrs, &any))
    return false;
  if (p_accept(p, "->") && !p_paren_types(p, &results)) return false;
  ir_type_t type = ir_type_function(ctx, inputs.types, inputs.n, results.types, results.n);
  if (!p_set_attr(p, s, "function_type", type)) return false;
  if (any && !p_set_attr(p, s, "arg_attrs", ir_attr_array(ctx, attrs, inputs.n))) return false;
  return p_attr_dict_kw(p, s) && p_region_empty(p, s);
}
static void import_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {
      "sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs", "is_optional", NULL};
  ir_type_t type = ir_op_attr(op, "function_type");
  ir_attr_t attrs = ir_op_attr(op, "arg_attrs");
  print_visibility(p, op);
  if (ir_op_flag(op, "is_optional")) pr_text(p, "optional");
  pr_symbol(p, ir_op_sym_name(op));
  pr_text(p, "(");
  for (size_t i = 0; i < ir_fn_n_inputs(type); ++i) {
    ir_attr_t dict = attrs && i < attrs->n_kids ? ir_kid(attrs, i) : NULL;
    ir_attr_t name = dict ? ir_dict_get(dict, "vm.name") : NULL;
    if (i) pr_text(p, ",");
    if (name) {
      pr_text(p, "%");
      pr_raw(p, ir_str(name).data);
      pr_raw(p, " : ");
    }
    pr_type(p, ir_fn_input(type, i));
    if (dict && ir_dict_get(dict, "vm.variadic")) pr_raw(p, " ..."), pr_text(p, "");
  }
  pr_text(p, ")");
  size_t n = ir_fn_n_results(type);
  if (n) pr_text(p, "->");
  if (n > 1) pr_raw(p, " ("), pr_text(p, "");
  for (size_t i = 0; i < n; ++i) {
    if (i) pr_text(p, ",");
    pr_type(p, ir_fn_result(type, i));
  }
  if (n > 1) pr_text(p, ")");
  pr_attr_dict_kw(p, op, skip);
}
const ir_op_hooks_t vm_import_hooks = {.parse = import_parse, .print = import_print};

// ---- vm.export @function [as("name")] attributes {...}
static bool export_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t function, name;
  if (!p_expect_symref(p, &function)) return false;
  iree_string_view_t leaf = ir_symref_leaf(function);
  name = ir_attr_string(p_ctx(p), leaf.data, leaf.size);
  if (p_accept(p, "as") && (!p_expect(p, "(") || !p_expect_string(p, &name) || !p_expect(p, ")")))
    return false;
  return p_set_attr(p, s, "function_ref", function) && p_set_attr(p, s, "export_name", name) &&
         p_attr_dict_kw(p, s);
}
static void export_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"function_ref", "export_name", NULL};
  iree_string_view_t function = ir_symref_leaf(ir_op_attr(op, "function_ref"));
  iree_string_view_t name = ir_str(ir_op_attr(op, "export_name"));
  pr_symbol(p, function);
  if (!iree_string_view_equal(function, name))
    pr_text(p, "as"), pr_raw(p, "("), pr_string(p, name), pr_raw(p, ")"), pr_text(p, "");
  pr_attr_dict_kw(p, op, skip);
}
const ir_op_hooks_t vm_export_hooks = {.parse = export_parse, .print = export_print};

// ---- vm.call.variadic @f(%a, [%b, %c], [(%d, %e), (%f, %g)]) : (i32, i32 ..., tuple<i32, i32>
// ...) -> results
enum { MAX_SEGMENTS = 64 };

static bool variadic_tuple(ir_parser_t *p, ir_ref_list_t *operands) {
  return p_expect(p, "(") && p_operands_until(p, operands, ")");
}
// One bracketed list: the number of its entries, tuples counting once.
static bool variadic_list(ir_parser_t *p, ir_ref_list_t *operands, int64_t *out_count) {
  *out_count = 0;
  if (p_accept(p, "]")) return true;
  do {
    if (!(p_at(p, "(") ? variadic_tuple(p, operands) : p_operand(p, operands))) return false;
    ++*out_count;
  } while (p_accept(p, ","));
  return p_expect(p, "]");
}
ir_attr_t vm_segment_sizes(ir_ctx_t *ctx, const int64_t *sizes, size_t n) {
  int16_t values[MAX_SEGMENTS];
  bool splat = n > 0;
  for (size_t i = 0; i < n; ++i) {
    values[i] = (int16_t)sizes[i];
    splat = splat && sizes[i] == sizes[0];
  }
  int64_t dim = (int64_t)n;
  ir_type_t type = ir_type_vector(ctx, &dim, 1, ir_type_i(ctx, 16));
  return ir_attr_dense(ctx, type, values, (splat ? 1 : n) * sizeof *values, splat, true);
}
static bool call_variadic_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  ir_ref_list_t *operands = &s->operands[0];
  int64_t sizes[MAX_SEGMENTS];
  ir_type_t types[MAX_SEGMENTS];
  size_t n = 0;
  ir_attr_t callee;
  if (!p_expect_symref(p, &callee) || !p_set_attr(p, s, "callee", callee) || !p_expect(p, "("))
    return false;
  if (!p_accept(p, ")")) {
    do {
      if (n == MAX_SEGMENTS) return p_error(p, "more than %d argument groups", MAX_SEGMENTS);
      sizes[n] = -1;
      if (!(p_accept(p, "[") ? variadic_list(p, operands, &sizes[n]) : p_operand(p, operands)))
        return false;
      ++n;
    } while (p_accept(p, ","));
    if (!p_expect(p, ")")) return false;
  }
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_expect(p, "(")) return false;
  for (size_t i = 0; i < n; ++i) {
    if ((i && !p_expect(p, ",")) || !p_type(p, &types[i])) return false;
    if (p_accept(p, "...") != (sizes[i] >= 0))
      return p_error(p, "group %zu and its type disagree on being a list", i);
    bool tuple = types[i]->kind == IR_T_TUPLE;
    for (int64_t k = 0; k < (sizes[i] < 0 ? 1 : sizes[i]); ++k)
      for (uint32_t j = 0; j < (tuple ? types[i]->n_kids : 1); ++j)
        if (!p_list_add_type(p, operands, tuple ? ir_kid(types[i], j) : types[i])) return false;
  }
  if (!p_expect(p, ")")) return false;
  if (p_accept(p, "->") && !p_paren_types(p, &s->results[0])) return false;
  return p_set_attr(p, s, "segment_sizes", vm_segment_sizes(ctx, sizes, n)) &&
         p_set_attr(p, s, "segment_types", ir_attr_array(ctx, types, n));
}
static void call_variadic_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"callee", "segment_sizes", "segment_types", NULL};
  ir_attr_t types = ir_op_attr(op, "segment_types"), sizes = ir_op_attr(op, "segment_sizes");
  pr_attr(p, ir_op_attr(op, "callee"));
  pr_text(p, "(");
  uint32_t next = 0;
  for (uint32_t i = 0; i < types->n_kids; ++i) {
    int64_t size = vm_segment_size(sizes, i);
    if (i) pr_text(p, ",");
    if (size < 0) {
      pr_value(p, ir_operand(op, next++));
      continue;
    }
    bool tuple = ir_kid(types, i)->kind == IR_T_TUPLE;
    pr_text(p, "[");
    for (int64_t k = 0; k < size; ++k) {
      ir_group_t group = {next, tuple ? ir_kid(types, i)->n_kids : 1};
      next += group.n;
      if (k) pr_text(p, ",");
      if (tuple) pr_text(p, "(");
      pr_values(p, op, group);
      if (tuple) pr_text(p, ")");
    }
    pr_text(p, "]");
  }
  pr_text(p, ")");
  pr_attr_dict(p, op, skip);
  pr_text(p, ":");
  pr_raw(p, " (");
  pr_text(p, "");
  for (uint32_t i = 0; i < types->n_kids; ++i) {
    if (i) pr_text(p, ",");
    pr_type(p, ir_kid(types, i));
    if (vm_segment_size(sizes, i) >= 0) pr_raw(p, " ..."), pr_text(p, "");
  }
  pr_text(p, ")");
  if (op->n_results) pr_arrow_results(p, op);
}
int64_t vm_segment_size(ir_attr_t sizes, size_t i) {
  int16_t value;
  memcpy(&value,
         (const char *)ir_dense_data(sizes) + (ir_dense_is_splat(sizes) ? 0 : i * sizeof value),
         sizeof value);
  return value;
}
static iree_status_t call_variadic_verify(ir_op_t *op) {
  ir_attr_t types = ir_op_attr(op, "segment_types"), sizes = ir_op_attr(op, "segment_sizes");
  if (!ir_is(types, IR_A_ARRAY) || !ir_is(sizes, IR_A_DENSE) ||
      !ir_type_is_int(ir_type_element(ir_dense_type(sizes)), 16) ||
      ir_type_n_elements(ir_dense_type(sizes)) != types->n_kids)
    return ir_op_error(op, "needs one 16-bit segment size per segment type");
  if (ir_type_rank(ir_dense_type(sizes)) != 1)
    return ir_op_error(op, "needs its segment sizes in one row");
  uint64_t count = 0;
  for (uint32_t i = 0; i < types->n_kids; ++i) {
    if (!ir_type_is_type(ir_kid(types, i))) return ir_op_error(op, "segment type %u is no type", i);
    int64_t size = vm_segment_size(sizes, i);
    bool tuple = ir_kid(types, i)->kind == IR_T_TUPLE;
    uint64_t members = tuple ? ir_kid(types, i)->n_kids : 1, first = count;
    count += (size < 0 ? 1 : (uint64_t)size) * members;
    for (uint64_t k = first; k < count && k < op->n_operands; ++k)
      if (ir_operand(op, k)->type !=
          (tuple ? ir_kid(ir_kid(types, i), (k - first) % members) : ir_kid(types, i)))
        return ir_op_error(op, "has an operand of another type than its segment");
  }
  if (count != op->n_operands)
    return ir_op_error(op, "has %u operands, its segments %llu", op->n_operands,
                       (unsigned long long)count);
  return iree_ok_status();
}
const ir_op_hooks_t vm_call_variadic_hooks = {
    .verify = call_variadic_verify, .parse = call_variadic_parse, .print = call_variadic_print};
const ir_op_hooks_t vm_call_variadic_yieldable_hooks = {.verify = call_variadic_verify};

// ---- vm.br_table %i { default: ^bb1(%x : i32), 0: ^bb2, 1: ^bb3 }
static bool br_table_parse(ir_parser_t *p, ir_op_state_t *s) {
  if (!p_operand(p, &s->operands[0]) || !p_expect(p, "{") || !p_expect(p, "default") ||
      !p_expect(p, ":") || !p_successor(p, s))
    return false;
  p_list_set_type(p, &s->operands[0], ir_type_i(p_ctx(p), 32));
  for (int64_t i = 0, index; p_accept(p, ","); ++i) {
    if (!p_expect_int(p, &index) || !p_expect(p, ":") || !p_successor(p, s)) return false;
    if (index != i) return p_error(p, "cases are numbered from 0 on");
  }
  if (!p_expect(p, "}")) return false;
  int64_t *counts = iree_arena_alloc(ir_arena(p_ctx(p)), s->n_succs * sizeof *counts);
  for (uint32_t i = 1; i < s->n_succs; ++i) counts[i - 1] = s->more_succ_args[i].n;
  s->attrs[0] = ir_attr_dense_array(p_ctx(p), ir_type_i(p_ctx(p), 32), counts, s->n_succs - 1);
  return p_attr_dict(p, s);
}
static void br_table_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"case_operand_segments", NULL};
  pr_value(p, ir_operand(op, 0));
  pr_text(p, "{");
  pr_indent(p, 1);
  for (uint16_t i = 0; i < op->n_succs; ++i) {
    if (i) pr_text(p, ",");
    pr_newline(p);
    if (i)
      pr_int(p, i - 1);
    else
      pr_text(p, "default");
    pr_raw(p, ": ");
    pr_successor(p, op, i);
  }
  pr_indent(p, -1);
  pr_newline(p);
  pr_text(p, "}");
  pr_attr_dict(p, op, skip);
}
const ir_op_hooks_t vm_br_table_hooks = {.parse = br_table_parse, .print = br_table_print};
