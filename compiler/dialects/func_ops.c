// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function-like ops: their text, and the checks of func.
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

enum { MAX_ARGS = 4096, FEW_ARGS = 16 };

// ---- text
typedef struct signature {
  ir_block_arg_ref_t *args;
  ir_attr_t *arg_attrs, *result_attrs;
  ir_type_t *inputs, *results;
  int64_t *tied;  // per result the argument whose storage it shares, -1: none
  size_t n_args, n_results;
  bool any_arg_attrs, any_result_attrs, any_tied;
} signature_t;

// A list of |n| with place for one more: most functions have few arguments, some have thousands.
static void *room(ir_parser_t *p, void *list, size_t n, size_t size) {
  if (n && (n < FEW_ARGS || (n & (n - 1)))) return list;
  return iree_arena_grow(ir_arena(p_ctx(p)), list, n * size, (n ? 2 * n : FEW_ARGS) * size);
}
static void argument_room(ir_parser_t *p, signature_t *sig) {
  sig->args = room(p, sig->args, sig->n_args, sizeof *sig->args);
  sig->arg_attrs = room(p, sig->arg_attrs, sig->n_args, sizeof *sig->arg_attrs);
  sig->inputs = room(p, sig->inputs, sig->n_args, sizeof *sig->inputs);
}
static void result_room(ir_parser_t *p, signature_t *sig) {
  sig->results = room(p, sig->results, sig->n_results, sizeof *sig->results);
  sig->result_attrs = room(p, sig->result_attrs, sig->n_results, sizeof *sig->result_attrs);
  sig->tied = room(p, sig->tied, sig->n_results, sizeof *sig->tied);
}

static bool attrs_of(ir_parser_t *p, ir_attr_t *out, bool *any) {
  *out = ir_attr_dict(p_ctx(p), NULL, 0);
  if (!p_at(p, "{")) return true;
  *any = true;
  return p_attr(p, out);
}

static bool arguments(ir_parser_t *p, signature_t *sig) {
  if (!p_expect(p, "(")) return false;
  if (p_accept(p, ")")) return true;
  do {
    if (sig->n_args == MAX_ARGS) return p_error(p, "more than %d arguments", MAX_ARGS);
    argument_room(p, sig);
    ir_block_arg_ref_t *arg = &sig->args[sig->n_args];
    *arg = (ir_block_arg_ref_t){0};
    ir_loc_t ignored;
    if (p_at_operand(p)) {
      ir_ref_list_t name = {0};
      if (!p_operand(p, &name) || !p_expect(p, ":")) return false;
      arg->name = name.refs[0].name;
      arg->at = name.refs[0].at;
    }
    if (!p_type(p, &arg->type) || !attrs_of(p, &sig->arg_attrs[sig->n_args], &sig->any_arg_attrs) ||
        !p_loc_trailing(p, &ignored))
      return false;
    sig->inputs[sig->n_args] = arg->type;
    ++sig->n_args;
  } while (p_accept(p, ","));
  return p_expect(p, ")");
}

// A type, or `%arg` / `%arg as type` for a result in an argument's storage.
static bool result_type(ir_parser_t *p, signature_t *sig) {
  ir_type_t *type = &sig->results[sig->n_results];
  int64_t *tied = &sig->tied[sig->n_results];
  *tied = -1;
  if (!p_at_operand(p)) return p_type(p, type);
  ir_ref_list_t name = {0};
  if (!p_operand(p, &name)) return false;
  for (size_t i = 0; i < sig->n_args; ++i)
    if (sig->args[i].name == name.refs[0].name) *tied = (int64_t)i;
  if (*tied < 0) return p_error(p, "tied result %%%s is no argument", name.refs[0].name);
  sig->any_tied = true;
  *type = sig->inputs[*tied];
  return !p_accept(p, "as") || p_type(p, type);
}
static ir_attr_t tied_attr(ir_ctx_t *ctx, const int64_t *tied, size_t n) {
  ir_attr_t *list = IREE_ARENA_ARRAY(ir_arena(ctx), ir_attr_t, n + 1);
  for (size_t i = 0; i < n; ++i) list[i] = ir_attr_index(ctx, tied[i]);
  return ir_attr_array(ctx, list, n);
}

static bool results(ir_parser_t *p, signature_t *sig) {
  if (!p_accept(p, "->")) return true;
  bool parens = p_accept(p, "(");
  if (parens && p_accept(p, ")")) return true;
  do {
    if (sig->n_results == MAX_ARGS) return p_error(p, "more than %d results", MAX_ARGS);
    result_room(p, sig);
    if (!result_type(p, sig)) return false;
    sig->result_attrs[sig->n_results] = ir_attr_dict(p_ctx(p), NULL, 0);
    if (parens && !attrs_of(p, &sig->result_attrs[sig->n_results], &sig->any_result_attrs))
      return false;
    ++sig->n_results;
  } while (parens && p_accept(p, ","));
  return !parens || p_expect(p, ")");
}

bool function_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  static const char *const words[] = {"public", "private", "nested"};
  for (size_t i = 0; i < 3; ++i)
    if (p_accept(p, words[i]) && !p_set_attr(p, s, "sym_visibility", ir_attr_str(ctx, words[i]))) return false;
  ir_attr_t name;
  signature_t *sig = iree_arena_alloc(ir_arena(ctx), sizeof *sig);
  if (!p_expect_symbol(p, &name) || !p_set_attr(p, s, "sym_name", name) || !arguments(p, sig) || !results(p, sig))
    return false;
  ir_type_t type = ir_type_function(ctx, sig->inputs, sig->n_args, sig->results, sig->n_results);
  if (!p_set_attr(p, s, "function_type", type)) return false;
  if (sig->any_arg_attrs && !p_set_attr(p, s, "arg_attrs", ir_attr_array(ctx, sig->arg_attrs, sig->n_args))) return false;
  if (sig->any_result_attrs && !p_set_attr(p, s, "res_attrs", ir_attr_array(ctx, sig->result_attrs, sig->n_results)))
    return false;
  if (sig->any_tied && !p_set_attr(p, s, "tied_operands", tied_attr(ctx, sig->tied, sig->n_results))) return false;
  if (!p_attr_dict_kw(p, s)) return false;
  if (!p_at(p, "{")) return p_region_empty(p, s) != NULL;
  return p_region(p, s, sig->args, sig->n_args);
}

static void attrs_print(ir_printer_t *p, ir_attr_t list, size_t i) {
  if (list && i < list->n_kids && ir_kid(list, i)->n_kids) pr_attr(p, ir_kid(list, i));
}

static void argument_name(ir_printer_t *p, const ir_block_t *body, size_t i) {
  if (body) {
    pr_value(p, body->args[i]);
    return;
  }
  char name[32];
  snprintf(name, sizeof name, "%%arg%zu", i);
  pr_text(p, name);
}
static void result_print(ir_printer_t *p, const ir_op_t *op, ir_type_t type, ir_attr_t tied, size_t i) {
  int64_t arg = tied && i < tied->n_kids ? ir_int(ir_kid(tied, i), 0) : -1;
  if (arg >= 0 && (size_t)arg < ir_fn_n_inputs(type)) {
    argument_name(p, ir_body(op), (size_t)arg);
    if (ir_fn_input(type, (size_t)arg) == ir_fn_result(type, i)) return;
    pr_text(p, "as");
  }
  pr_type(p, ir_fn_result(type, i));
}

void function_print(ir_printer_t *p, const ir_op_t *op) {
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility");
  if (visibility) pr_text(p, ir_str(visibility).data);
  pr_symbol(p, ir_op_sym_name(op));
  pr_text(p, "(");
  ir_type_t type = ir_op_attr(op, "function_type");
  ir_attr_t arg_attrs = ir_op_attr(op, "arg_attrs"), result_attrs = ir_op_attr(op, "res_attrs");
  ir_attr_t tied = ir_op_attr(op, "tied_operands");
  ir_block_t *body = ir_body(op);
  for (size_t i = 0; i < ir_fn_n_inputs(type); ++i) {
    if (i) pr_text(p, ",");
    if (body || op->kind == OP_UTIL_FUNC || op->kind == OP_FLOW_FUNC) argument_name(p, body, i), pr_raw(p, ": ");
    pr_type(p, ir_fn_input(type, i));
    attrs_print(p, arg_attrs, i);
  }
  pr_text(p, ")");
  size_t n = ir_fn_n_results(type);
  if (n) {
    bool parens = n > 1 || ir_fn_result(type, 0)->kind == IR_T_FUNCTION ||
                  (result_attrs && ir_kid(result_attrs, 0)->n_kids);
    pr_text(p, "->");
    if (parens) pr_raw(p, " (");
    for (size_t i = 0; i < n; ++i) {
      if (i) pr_text(p, ",");
      result_print(p, op, type, tied, i);
      attrs_print(p, result_attrs, i);
    }
    if (parens) pr_text(p, ")");
  }
  static const char *const skip[] = {"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs", "tied_operands", NULL};
  pr_attr_dict_kw(p, op, skip);
  if (body) pr_region(p, op->regions[0], false, true);
}

// ---- checks
static iree_status_t return_verify(ir_op_t *op, ir_type_t fn) {
  iree_arena_t *arena = ir_arena(ir_op_ctx(op));
  if (op->n_operands != ir_fn_n_results(fn)) return ir_op_error(op, "returns %u values, the function has %zu results", op->n_operands, ir_fn_n_results(fn));
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t have = ir_operand(op, i)->type, want = ir_fn_result(fn, i);
    if (have != want)
      return ir_op_error(op, "value %u has type %s, the function's result %s", i, ir_print_term_to(arena, have), ir_print_term_to(arena, want));
  }
  return iree_ok_status();
}

// One dictionary per argument or result, or none at all.
static iree_status_t dictionaries_verify(ir_op_t *op, const char *name, size_t n) {
  ir_attr_t list = ir_op_attr(op, name);
  if (!list) return iree_ok_status();
  bool good = ir_is(list, IR_A_ARRAY) && list->n_kids == n;
  for (size_t i = 0; good && i < n; ++i) good = ir_is(ir_kid(list, i), IR_A_DICT);
  return good ? iree_ok_status() : ir_op_error(op, "attribute '%s' has to be a list of %zu dictionaries", name, n);
}
iree_status_t function_verify(ir_op_t *op) {
  ir_type_t type = ir_op_attr(op, "function_type");
  if (!ir_is(type, IR_T_FUNCTION)) return ir_op_error(op, "needs a function type");
  IREE_RETURN_IF_ERROR(dictionaries_verify(op, "arg_attrs", ir_fn_n_inputs(type)));
  IREE_RETURN_IF_ERROR(dictionaries_verify(op, "res_attrs", ir_fn_n_results(type)));
  ir_block_t *body = ir_body(op);
  if (!body) return iree_ok_status();
  if (body->n_args != ir_fn_n_inputs(type)) return ir_op_error(op, "entry block has %u arguments, the type %zu", body->n_args, ir_fn_n_inputs(type));
  for (uint32_t i = 0; i < body->n_args; ++i)
    if (body->args[i]->type != ir_fn_input(type, i)) return ir_op_error(op, "argument %u differs from the function type", i);
  for (ir_block_t *block = body; block; block = block->next)
    if (ir_op_is(block->last, OP_FUNC_RETURN) || ir_op_is(block->last, OP_UTIL_RETURN)) IREE_RETURN_IF_ERROR(return_verify(block->last, type));
  return iree_ok_status();
}
const ir_op_hooks_t func_func_hooks = {.verify = function_verify, .parse = function_parse, .print = function_print};

static bool module_parse(ir_parser_t *p, ir_op_state_t *s) {
  if (p_peek(p).kind == TOK_SYMBOL) {
    ir_attr_t name;
    if (!p_expect_symbol(p, &name) || !p_set_attr(p, s, "sym_name", name)) return false;
  }
  if (!p_attr_dict_kw(p, s) || !p_region(p, s, NULL, 0)) return false;
  if (!s->regions[0]->first) ir_block_create(p_ctx(p), s->regions[0]);
  return true;
}
static void module_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"sym_name", NULL};
  if (ir_op_attr(op, "sym_name")) pr_symbol(p, ir_op_sym_name(op));
  pr_attr_dict_kw(p, op, skip);
  pr_region(p, op->regions[0], false, true);
}
const ir_op_hooks_t builtin_module_hooks = {.parse = module_parse, .print = module_print};
