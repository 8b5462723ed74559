// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scf: texts with named region arguments, and the checks that tie regions to operands and results.
#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

enum { MAX_ITER_ARGS = 1024 };

// A region whose empty yield is not written gets it here.
static void ensure_yield(ir_parser_t *p, ir_region_t *region) {
  ir_ctx_t *ctx = p_ctx(p);
  if (!region->first) ir_block_create(ctx, region);
  for (ir_block_t *b = region->first; b; b = b->next) {
    if (ir_block_has_terminator(b)) continue;
    ir_builder_t builder = ir_builder_at_end(ctx, b);
    ir_build(&builder, &(ir_op_desc_t){.kind = OP_SCF_YIELD});
  }
}
static bool results_arrow(ir_parser_t *p, ir_op_state_t *s) {
  return !p_accept(p, "->") || p_paren_types(p, &s->results[0]);
}
static void print_results_arrow(ir_printer_t *p, const ir_op_t *op) {
  pr_text(p, "->");
  pr_raw(p, " (");
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (i) pr_text(p, ",");
    pr_type(p, ir_result(op, i)->type);
  }
  pr_text(p, ")");
}
// Checks that |block| ends in an op of |kind| whose operands from |skip| on are |n| values of these
// types.
static iree_status_t check_end(ir_op_t *op, const ir_block_t *block, ir_kind_t kind, uint32_t skip,
                               const ir_value_t *like) {
  ir_op_t *end = block->last;
  if (!ir_op_is(end, kind))
    return ir_op_error(op, "has a region that does not end in %s",
                       kind == OP_SCF_YIELD ? "scf.yield" : "scf.condition");
  if (end->n_operands - skip != op->n_results)
    return ir_op_error(op, "has %u results, a region yields %u", op->n_results,
                       end->n_operands - skip);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_operand(end, i + skip)->type != like[i].type)
      return ir_op_error(op, "result %u and what a region yields for it differ in type", i);
  return iree_ok_status();
}

// ---- if: `scf.if %c -> (f32) {...} else {...}`
static bool if_parse(ir_parser_t *p, ir_op_state_t *s) {
  if (!p_operand(p, &s->operands[0]) || !results_arrow(p, s) || !p_region(p, s, NULL, 0))
    return false;
  p_list_set_type(p, &s->operands[0], ir_type_i(p_ctx(p), 1));
  ensure_yield(p, s->regions[0]);
  if (p_accept(p, "else")) {
    if (!p_region(p, s, NULL, 0)) return false;
    ensure_yield(p, s->regions[1]);
  } else {
    p_region_empty(p, s);
  }
  return p_attr_dict(p, s);
}
static void if_print(ir_printer_t *p, const ir_op_t *op) {
  pr_value(p, ir_operand(op, 0));
  if (op->n_results) print_results_arrow(p, op);
  pr_region(p, op->regions[0], false, op->n_results > 0);
  if (op->regions[1]->first) {
    pr_text(p, "else");
    pr_region(p, op->regions[1], false, op->n_results > 0);
  }
  pr_attr_dict(p, op, NULL);
}
static iree_status_t if_verify(ir_op_t *op) {
  if (!op->regions[0]->first) return ir_op_error(op, "needs a region");
  IREE_RETURN_IF_ERROR(check_end(op, op->regions[0]->first, OP_SCF_YIELD, 0, op->results));
  if (op->regions[1]->first)
    return check_end(op, op->regions[1]->first, OP_SCF_YIELD, 0, op->results);
  return op->n_results ? ir_op_error(op, "has results and so needs an else region")
                       : iree_ok_status();
}
const ir_op_hooks_t scf_if_hooks = {.verify = if_verify, .parse = if_parse, .print = if_print};

// ---- named arguments: `(%a = %x, %b = %y)`
static bool init_list(ir_parser_t *p, ir_ref_list_t *inits, ir_block_arg_ref_t *args, size_t *n) {
  if (!p_expect(p, "(")) return false;
  if (p_accept(p, ")")) return true;
  do {
    ir_ref_list_t name = {0};
    if (*n == MAX_ITER_ARGS) return p_error(p, "more than %d values", MAX_ITER_ARGS);
    if (!p_operand(p, &name) || !p_expect(p, "=") || !p_operand(p, inits)) return false;
    args[*n].at = name.refs[0].at;
    args[(*n)++].name = name.refs[0].name;
  } while (p_accept(p, ","));
  return p_expect(p, ")");
}
static void print_init_list(ir_printer_t *p, const ir_block_t *b, uint32_t first_arg,
                            const ir_op_t *op, ir_group_t inits) {
  pr_text(p, "(");
  for (uint32_t i = 0; i < inits.n; ++i) {
    if (i) pr_text(p, ",");
    pr_value(p, b->args[first_arg + i]);
    pr_text(p, "=");
    pr_value(p, ir_operand(op, inits.first + i));
  }
  pr_text(p, ")");
}

// ---- for: `scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32) {...}`
static bool for_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  ir_block_arg_ref_t *args = IREE_ARENA_ARRAY(ir_arena(ctx), ir_block_arg_ref_t, MAX_ITER_ARGS + 1);
  ir_ref_list_t iv = {0};
  ir_type_t type = ir_type_index(ctx);
  size_t n = 0;
  if (p_accept(p, "unsigned") && !p_set_attr(p, s, "unsignedCmp", ir_attr_unit(ctx))) return false;
  if (!p_operand(p, &iv) || !p_expect(p, "=") || !p_operand(p, &s->operands[0]) ||
      !p_expect(p, "to") || !p_operand(p, &s->operands[1]) || !p_expect(p, "step") ||
      !p_operand(p, &s->operands[2]))
    return false;
  if (p_accept(p, "iter_args")) {
    if (!init_list(p, &s->operands[3], args + 1, &n) || !results_arrow(p, s)) return false;
    if (!p_list_set_types(p, &s->operands[3], &s->results[0])) return false;
  }
  s->operands[3].have_types = true;
  if (p_accept(p, ":") && !p_type(p, &type)) return false;
  for (size_t g = 0; g < 3; ++g) p_list_set_type(p, &s->operands[g], type);
  args[0] = (ir_block_arg_ref_t){iv.refs[0].name, type, iv.refs[0].at};
  for (size_t i = 0; i < n; ++i) args[i + 1].type = s->results[0].types[i];
  if (!p_region(p, s, args, n + 1)) return false;
  ensure_yield(p, s->regions[0]);
  return p_attr_dict(p, s);
}
static void for_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"unsignedCmp", NULL};
  ir_block_t *body = ir_body(op);
  if (ir_op_flag(op, "unsignedCmp")) pr_text(p, "unsigned");
  pr_value(p, body->args[0]);
  pr_text(p, "=");
  pr_value(p, ir_operand(op, 0));
  pr_text(p, "to");
  pr_value(p, ir_operand(op, 1));
  pr_text(p, "step");
  pr_value(p, ir_operand(op, 2));
  if (op->n_results) {
    pr_text(p, "iter_args");
    print_init_list(p, body, 1, op, ir_operand_group(op, "initArgs"));
    print_results_arrow(p, op);
  }
  if (ir_operand(op, 0)->type != ir_type_index(ir_op_ctx(op))) {
    pr_text(p, ":");
    pr_type(p, ir_operand(op, 0)->type);
  }
  pr_region(p, op->regions[0], false, op->n_results > 0);
  pr_attr_dict(p, op, skip);
}
static iree_status_t for_verify(ir_op_t *op) {
  ir_block_t *body = ir_body(op);
  ir_group_t inits = ir_operand_group(op, "initArgs");
  if (!body || body->n_args != inits.n + 1 || inits.n != op->n_results)
    return ir_op_error(
        op, "needs a body of the loop variable and one argument and result per initial value");
  if (body->args[0]->type != ir_operand(op, 0)->type)
    return ir_op_error(op, "loop variable and bounds differ in type");
  for (uint32_t i = 0; i < inits.n; ++i)
    if (ir_operand(op, inits.first + i)->type != ir_result(op, i)->type ||
        body->args[i + 1]->type != ir_result(op, i)->type)
      return ir_op_error(op, "value %u changes its type around the loop", i);
  return check_end(op, body, OP_SCF_YIELD, 0, op->results);
}
const ir_op_hooks_t scf_for_hooks = {.verify = for_verify, .parse = for_parse, .print = for_print};

// ---- while: `scf.while (%a = %x) : (f32) -> f32 {...} do {...}`
static bool while_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_block_arg_ref_t *args =
      IREE_ARENA_ARRAY(ir_arena(p_ctx(p)), ir_block_arg_ref_t, MAX_ITER_ARGS);
  ir_type_list_t types = {0};
  size_t n = 0;
  if (p_at(p, "(") && !init_list(p, &s->operands[0], args, &n)) return false;
  if (!p_expect(p, ":") || !p_paren_types(p, &types) || !p_expect(p, "->") ||
      !p_paren_types(p, &s->results[0]) || !p_list_set_types(p, &s->operands[0], &types))
    return false;
  for (size_t i = 0; i < n; ++i) args[i].type = types.types[i];
  if (!p_region(p, s, args, n) || !p_expect(p, "do") || !p_region(p, s, NULL, 0)) return false;
  ensure_yield(p, s->regions[1]);
  return p_attr_dict_kw(p, s);
}
static void while_print(ir_printer_t *p, const ir_op_t *op) {
  if (op->n_operands) {
    pr_raw(p, " ");
    print_init_list(p, op->regions[0]->first, 0, op, (ir_group_t){0, op->n_operands});
  }
  pr_text(p, ":");
  pr_raw(p, " (");
  pr_types(p, op, (ir_group_t){0, op->n_operands});
  pr_text(p, ")");
  pr_arrow_results(p, op);
  pr_region(p, op->regions[0], false, true);
  pr_text(p, "do");
  pr_region(p, op->regions[1], true, true);
  pr_attr_dict_kw(p, op, NULL);
}
static iree_status_t while_verify(ir_op_t *op) {
  ir_block_t *before = op->regions[0]->first, *after = op->regions[1]->first;
  if (!before || !after) return ir_op_error(op, "needs two regions");
  if (before->n_args != op->n_operands || after->n_args != op->n_results)
    return ir_op_error(op, "needs a first region of its operands and a second of its results");
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (before->args[i]->type != ir_operand(op, i)->type)
      return ir_op_error(op, "operand %u and its argument differ in type", i);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (after->args[i]->type != ir_result(op, i)->type)
      return ir_op_error(op, "result %u and its argument differ in type", i);
  IREE_RETURN_IF_ERROR(check_end(op, before, OP_SCF_CONDITION, 1, op->results));
  if (!ir_op_is(after->last, OP_SCF_YIELD) || after->last->n_operands != op->n_operands)
    return ir_op_error(op, "needs a second region that yields its operands");
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (ir_operand(after->last, i)->type != ir_operand(op, i)->type)
      return ir_op_error(op, "value %u changes its type around the loop", i);
  return iree_ok_status();
}
const ir_op_hooks_t scf_while_hooks = {
    .verify = while_verify, .parse = while_parse, .print = while_print};

// ---- index_switch: `scf.index_switch %i -> f32 case 2 {...} default {...}`
static bool index_switch_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  int64_t cases[512];
  size_t n = 0;
  if (!p_operand(p, &s->operands[0]) || !p_attr_dict(p, s)) return false;
  p_list_set_type(p, &s->operands[0], ir_type_index(ctx));
  if (p_accept(p, "->") && !p_paren_types(p, &s->results[0])) return false;
  while (p_accept(p, "case")) {
    if (n == 512) return p_error(p, "more than 512 cases");
    if (!p_expect_int(p, &cases[n++]) || !p_region(p, s, NULL, 0)) return false;
  }
  if (!p_expect(p, "default") || !p_region(p, s, NULL, 0)) return false;
  ir_region_t *last = s->regions[n];  // written last, kept first
  for (size_t i = n; i > 0; --i) s->regions[i] = s->regions[i - 1];
  s->regions[0] = last;
  for (size_t i = 0; i <= n; ++i) ensure_yield(p, s->regions[i]);
  return p_set_attr(p, s, "cases", ir_attr_i64s(ctx, cases, n));
}
static void index_switch_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"cases", NULL};
  ir_attr_t cases = ir_op_attr(op, "cases");
  pr_value(p, ir_operand(op, 0));
  pr_attr_dict(p, op, skip);
  if (op->n_results) {
    pr_text(p, "->");
    pr_result_types(p, op);
  }
  for (uint32_t i = 0; i < cases->n_ints; ++i) {
    pr_newline(p);
    pr_text(p, "case");
    pr_int(p, ir_int(cases, i));
    pr_region(p, op->regions[i + 1], false, true);
  }
  pr_newline(p);
  pr_text(p, "default");
  pr_region(p, op->regions[0], false, true);
}
static iree_status_t index_switch_verify(ir_op_t *op) {
  ir_attr_t cases = ir_op_attr(op, "cases");
  if (op->n_regions != cases->n_ints + 1)
    return ir_op_error(op, "has %u regions for %u cases and the default", op->n_regions,
                       cases->n_ints);
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    if (!op->regions[r]->first) return ir_op_error(op, "has an empty region");
    IREE_RETURN_IF_ERROR(check_end(op, op->regions[r]->first, OP_SCF_YIELD, 0, op->results));
  }
  return iree_ok_status();
}
const ir_op_hooks_t scf_index_switch_hooks = {
    .verify = index_switch_verify, .parse = index_switch_parse, .print = index_switch_print};
