// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of operand and result lists whose types carry their dynamic sizes and ties:
//   (tensor<?x4xf32>{%d}, index) -> (%arg0, tensor<?xf32>{%n}, %arg1 as tensor<4xf32>)
// A tied result is written by the operand whose storage it shares; the attribute tied_operands
// holds one operand number per result, -1 for none, and is absent if no result is tied.
#include "compiler/dialects/directives.h"

enum { MAX_RESULTS = 8192 };

static bool carries_size(ir_type_t type) {
  return ir_type_is(type, "stream.resource") || ir_type_is(type, "util.buffer");
}
static uint32_t n_sizes(ir_type_t type) {
  if (carries_size(type)) return 1;
  return ir_is(type, IR_T_TENSOR) ? (uint32_t)ir_type_n_dynamic(type) : 0;
}

static bool sizes_parse(ir_parser_t *p, ir_ref_list_t *sizes, ir_type_t type) {
  uint32_t n = n_sizes(type), before = sizes->n;
  if (!n) return true;
  if (!p_expect(p, "{") || !p_operands(p, sizes) || !p_expect(p, "}")) return false;
  return sizes->n - before == n || p_error(p, "the type has %u dynamic sizes, %u given", n, sizes->n - before);
}
// Prints the sizes of |type| from |*next| on and moves it.
static void sizes_print(ir_printer_t *p, const ir_op_t *op, ir_type_t type, uint32_t *next, uint32_t end) {
  uint32_t n = n_sizes(type);
  if (!n || *next + n > end) return;
  pr_raw(p, "{");
  for (uint32_t i = 0; i < n; ++i) {
    if (i) pr_raw(p, ", ");
    pr_value(p, ir_operand(op, (*next)++));
  }
  pr_raw(p, "}");
}

// ---- results
static int64_t find_operand(const ir_ref_list_t *operands, ir_operand_ref_t ref) {
  for (uint32_t i = 0; operands && i < operands->n; ++i)
    if (operands->refs[i].name == ref.name && operands->refs[i].number == ref.number) return i;
  return -1;
}
// One result; |sizes| NULL where the text has none.
static bool result_parse(ir_parser_t *p, const ir_ref_list_t *operands, ir_type_list_t *results,
                         ir_ref_list_t *sizes, int64_t *tied) {
  ir_type_t type = NULL;
  *tied = -1;
  if (p_at_operand(p)) {
    ir_ref_list_t name = {0};
    if (!p_operand(p, &name)) return false;
    *tied = find_operand(operands, name.refs[0]);
    if (*tied < 0) return p_error(p, "tied result %%%s is no operand", name.refs[0].name);
    type = operands->types[*tied];
    if (p_accept(p, "as") && !p_type(p, &type)) return false;
    if (!type) return p_error(p, "the type of %%%s is not known here", name.refs[0].name);
  } else if (!p_type(p, &type)) {
    return false;
  }
  p_types_push(p, results, type);
  return !sizes || sizes_parse(p, sizes, type);
}
static void set_tied(ir_parser_t *p, ir_op_state_t *s, int slot, const int64_t *tied, uint32_t n) {
  bool any = false;
  ir_attr_t *list = IREE_ARENA_ARRAY(ir_arena(p_ctx(p)), ir_attr_t, n + 1);
  for (uint32_t i = 0; i < n; ++i) {
    any |= tied[i] >= 0;
    list[i] = ir_attr_index(p_ctx(p), tied[i]);
  }
  if (any) s->attrs[slot] = ir_attr_array(p_ctx(p), list, n);
}
static bool results_parse(ir_parser_t *p, ir_op_state_t *s, const ir_ref_list_t *operands, int group,
                          ir_ref_list_t *sizes, int tied_slot) {
  int64_t *tied = NULL;
  uint32_t n_tied = 0, cap = 0;
  ir_type_list_t *results = &s->results[group];
  bool parens = p_accept(p, "(");
  if (parens && p_accept(p, ")")) return true;
  do {
    if (results->n == MAX_RESULTS) return p_error(p, "more than %d results", MAX_RESULTS);
    int64_t argument = -1;
    if (!result_parse(p, operands, results, sizes, &argument)) return false;
    IREE_ARENA_PUSH(ir_arena(p_ctx(p)), tied, n_tied, cap, argument);
  } while (parens && p_accept(p, ","));
  set_tied(p, s, tied_slot, tied, n_tied);
  return !parens || p_expect(p, ")");
}
static void results_print(ir_printer_t *p, const ir_op_t *op, ir_group_t operands, ir_group_t sizes, int tied_slot) {
  ir_attr_t tied = op->attrs[tied_slot];
  uint32_t next = sizes.first, end = sizes.first + sizes.n;
  bool parens = op->n_results != 1;
  if (parens) pr_raw(p, " (");
  for (uint32_t i = 0; i < op->n_results; ++i) {
    ir_type_t type = ir_result(op, i)->type;
    int64_t arg = tied && i < tied->n_kids ? ir_int(ir_kid(tied, i), 0) : -1;
    if (i) pr_text(p, ",");
    if (arg >= 0 && (uint32_t)arg < operands.n) {
      ir_value_t *operand = ir_operand(op, operands.first + (uint32_t)arg);
      pr_value(p, operand);
      if (operand->type != type) pr_text(p, "as"), pr_type(p, type);
    } else {
      pr_type(p, type);
    }
    sizes_print(p, op, type, &next, end);
  }
  if (parens) pr_raw(p, ")");
}

// ---- (types{sizes}) -> results{sizes}
bool shaped_function_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_ref_list_t *operands = &s->operands[args[0]], *sizes = &s->operands[args[1]];
  if (!p_expect(p, "(")) return false;
  for (uint32_t i = 0; !p_at(p, ")"); ++i) {
    ir_type_t type;
    if (i && !p_expect(p, ",")) return false;
    if (!p_type(p, &type) || !p_list_add_type(p, operands, type) || !sizes_parse(p, sizes, type)) return false;
  }
  operands->have_types = true;
  return p_expect(p, ")") && p_expect(p, "->") &&
         results_parse(p, s, operands, args[2], &s->operands[args[3]], args[4]);
}
void shaped_function_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_group_t operands = ir_operand_group_at(op, (size_t)args[0]), sizes = ir_operand_group_at(op, (size_t)args[1]);
  uint32_t next = sizes.first;
  pr_raw(p, " (");
  for (uint32_t i = 0; i < operands.n; ++i) {
    ir_type_t type = ir_operand(op, operands.first + i)->type;
    if (i) pr_text(p, ",");
    pr_type(p, type);
    sizes_print(p, op, type, &next, sizes.first + sizes.n);
  }
  pr_raw(p, ")");
  pr_text(p, "->");
  results_print(p, op, operands, ir_operand_group_at(op, (size_t)args[3]), args[4]);
}

// ---- %value : type{sizes}, ...
bool shaped_operands_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  ir_ref_list_t *values = &s->operands[args[0]], *sizes = &s->operands[args[1]];
  values->have_types = true;
  for (bool more = p_at_operand(p); more; more = p_accept(p, ",")) {
    ir_type_t type;
    if (!p_operand(p, values) || !p_expect(p, ":") || !p_type(p, &type) || !p_list_add_type(p, values, type) || !sizes_parse(p, sizes, type))
      return false;
  }
  return true;
}
void shaped_operands_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_group_t values = ir_operand_group_at(op, (size_t)args[0]), sizes = ir_operand_group_at(op, (size_t)args[1]);
  uint32_t next = sizes.first;
  for (uint32_t i = 0; i < values.n; ++i) {
    ir_value_t *value = ir_operand(op, values.first + i);
    if (i) pr_raw(p, ", ");
    pr_value(p, value);
    pr_text(p, ":");
    pr_type(p, value->type);
    sizes_print(p, op, value->type, &next, sizes.first + sizes.n);
  }
}

// ---- `%target as type{sizes}` or `type{sizes}`: one result tied to the operand group |target|
bool shaped_tied_result_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  int64_t tied;
  const ir_ref_list_t *target = &s->operands[args[0]];
  if (p_at_operand(p)) {
    // The type is the target's; state it on both.
    ir_ref_list_t name = {0};
    if (!p_operand(p, &name)) return false;
    ir_type_t type = target->types[0];
    if (find_operand(target, name.refs[0]) < 0) return p_error(p, "expected the target operand");
    if (p_accept(p, "as") && !p_type(p, &type)) return false;
    if (!type) return p_error(p, "the type of %%%s is not known here", name.refs[0].name);
    if (!target->types[0]) p_list_set_type(p, &s->operands[args[0]], type);
    p_types_push(p, &s->results[args[1]], type);
    tied = 0;
    if (!sizes_parse(p, &s->operands[args[2]], type)) return false;
  } else {
    if (!result_parse(p, NULL, &s->results[args[1]], &s->operands[args[2]], &tied)) return false;
  }
  if (n_args > 3) set_tied(p, s, args[3], &tied, 1);
  return true;
}
void shaped_tied_result_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  ir_value_t *target = ir_operand(op, ir_operand_group_at(op, (size_t)args[0]).first);
  ir_group_t sizes = ir_operand_group_at(op, (size_t)args[2]);
  uint32_t next = sizes.first;
  pr_value(p, target);
  pr_text(p, "as");
  pr_type(p, ir_result(op, 0)->type);
  sizes_print(p, op, ir_result(op, 0)->type, &next, sizes.first + sizes.n);
}

// ---- results with ties, no sizes
bool tied_results_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args) {
  (void)n_args;
  return results_parse(p, s, &s->operands[args[0]], args[1], NULL, args[2]);
}
void tied_results_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args) {
  (void)n_args;
  results_print(p, op, ir_operand_group_at(op, (size_t)args[0]), (ir_group_t){0, 0}, args[2]);
}
