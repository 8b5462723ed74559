// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stream: the texts that the form language cannot say.
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

enum { READ = 1, WRITE = 2 };  // bits of resource_accesses

// `{%size}` after a resource's type.
static bool size_parse(ir_parser_t *p, ir_ref_list_t *sizes) {
  return p_expect(p, "{") && p_operand(p, sizes) && p_expect(p, "}");
}
static void size_print(ir_printer_t *p, ir_value_t *size) {
  pr_raw(p, "{");
  pr_value(p, size);
  pr_raw(p, "}");
}

static void set_index_types(ir_parser_t *p, ir_ref_list_t *list) {
  p_list_set_type(p, list, ir_type_index(p_ctx(p)));
}

static bool affinity_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t affinity;
  if (!p_accept(p, "on")) return true;
  return p_expect(p, "(") && p_attr(p, &affinity) && p_expect(p, ")") && p_set_attr(p, s, "affinity", affinity);
}
static void affinity_print(ir_printer_t *p, const ir_op_t *op) {
  ir_attr_t affinity = ir_op_attr(op, "affinity");
  if (!affinity) return;
  pr_text(p, "on");
  pr_text(p, "(");
  pr_attr(p, affinity);
  pr_text(p, ")");
}

// ---- stream.timepoint.await [sync] %tp => %r, %s : type{%size}, type{%size}
static bool await_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ref_list_t *resources = &s->operands[0], *sizes = &s->operands[1], *tp = &s->operands[2];
  if (p_accept(p, "sync") && !p_set_attr(p, s, "sync", ir_attr_unit(p_ctx(p)))) return false;
  if (!p_operand(p, tp) || !p_expect(p, "=>") || !p_operands(p, resources) || !p_expect(p, ":")) return false;
  p_list_set_type(p, tp, ir_type_dialect(p_ctx(p), "stream.timepoint", NULL, 0));
  do {
    ir_type_t type;
    if (!p_type(p, &type) || !p_list_add_type(p, resources, type) || !size_parse(p, sizes)) return false;
    p_types_push(p, &s->results[0], type);
  } while (p_accept(p, ","));
  set_index_types(p, sizes);
  return p_attr_dict_kw(p, s);
}
static void await_print(ir_printer_t *p, const ir_op_t *op) {
  ir_group_t resources = ir_operand_group_at(op, 0), sizes = ir_operand_group_at(op, 1);
  if (ir_op_flag(op, "sync")) pr_text(p, "sync");
  pr_value(p, ir_operand_named(op, "await_timepoint"));
  pr_text(p, "=>");
  pr_values(p, op, resources);
  pr_text(p, ":");
  for (uint32_t i = 0; i < resources.n; ++i) {
    if (i) pr_text(p, ",");
    pr_type(p, ir_operand(op, resources.first + i)->type);
    size_print(p, ir_operand(op, sizes.first + i));
  }
  static const char *const skip[] = {"sync", NULL};
  pr_attr_dict_kw(p, op, skip);
}
static iree_status_t await_verify(ir_op_t *op) {
  ir_group_t resources = ir_operand_group_at(op, 0), sizes = ir_operand_group_at(op, 1);
  if (resources.n != sizes.n || resources.n != op->n_results)
    return ir_op_error(op, "needs one size and one result per resource");
  return iree_ok_status();
}
const ir_op_hooks_t stream_timepoint_await_hooks = {.verify = await_verify, .parse = await_parse, .print = await_print};

// ---- stream.cmd.execute [once] [on(a)] [await(%tp) =>] with(%r as %arg: type{%size}, ...) {...} => type
static bool execute_parse(ir_parser_t *p, ir_op_state_t *s) {
  enum { MAX_RESOURCES = 16384 };
  ir_ctx_t *ctx = p_ctx(p);
  ir_type_t timepoint = ir_type_dialect(ctx, "stream.timepoint", NULL, 0);
  ir_ref_list_t *resources = &s->operands[0], *sizes = &s->operands[1], *tp = &s->operands[2];
  if (p_accept(p, "once") && !p_set_attr(p, s, "once", ir_attr_unit(ctx))) return false;
  if (!affinity_parse(p, s)) return false;
  if (p_accept(p, "await")) {
    if (!p_expect(p, "(") || !p_operand(p, tp) || !p_expect(p, ")") || !p_expect(p, "=>")) return false;
    p_list_set_type(p, tp, timepoint);
  }
  ir_block_arg_ref_t *args = NULL;
  uint32_t n_args = 0, cap = 0;
  if (!p_expect(p, "with") || !p_expect(p, "(")) return false;
  if (!p_at(p, ")")) {
    do {
      if (resources->n == MAX_RESOURCES) return p_error(p, "more than %d resources", MAX_RESOURCES);
      ir_block_arg_ref_t arg = {0};
      if (!p_operand(p, resources) || !p_expect(p, "as") || !p_block_arg(p, &arg) ||
          !p_list_add_type(p, resources, arg.type) || !size_parse(p, sizes))
        return false;
      IREE_ARENA_PUSH(ir_arena(ctx), args, n_args, cap, arg);
    } while (p_accept(p, ","));
  }
  set_index_types(p, sizes);
  ir_type_t result;
  if (!p_expect(p, ")") || !p_region(p, s, args, n_args)) return false;
  if (!s->regions[0]->first) ir_block_create(ctx, s->regions[0]);
  if (!p_expect(p, "=>") || !p_type(p, &result)) return false;
  p_types_push(p, &s->results[0], result);
  return p_attr_dict_kw(p, s);
}
static void execute_print(ir_printer_t *p, const ir_op_t *op) {
  ir_group_t resources = ir_operand_group_at(op, 0), sizes = ir_operand_group_at(op, 1);
  ir_value_t *tp = ir_operand_named(op, "await_timepoint");
  if (ir_op_flag(op, "once")) pr_text(p, "once");
  affinity_print(p, op);
  if (tp) {
    pr_text(p, "await");
    pr_text(p, "(");
    pr_value(p, tp);
    pr_text(p, ")");
    pr_text(p, "=>");
  }
  pr_text(p, "with");
  pr_text(p, "(");
  for (uint32_t i = 0; i < resources.n; ++i) {
    if (i) pr_text(p, ",");
    pr_value(p, ir_operand(op, resources.first + i));
    pr_text(p, "as");
    pr_value(p, ir_body(op)->args[i]);
    pr_raw(p, ": ");
    pr_type(p, ir_operand(op, resources.first + i)->type);
    size_print(p, ir_operand(op, sizes.first + i));
  }
  pr_text(p, ")");
  pr_region(p, op->regions[0], false, false);
  pr_text(p, "=>");
  pr_result_types(p, op);
  static const char *const skip[] = {"once", "affinity", NULL};
  pr_attr_dict_kw(p, op, skip);
}
static iree_status_t execute_verify(ir_op_t *op) {
  ir_group_t resources = ir_operand_group_at(op, 0), sizes = ir_operand_group_at(op, 1);
  ir_block_t *body = ir_body(op);
  if (!body || body->n_args != resources.n || sizes.n != resources.n)
    return ir_op_error(op, "needs one size and one region argument per resource");
  for (uint32_t i = 0; i < resources.n; ++i)
    if (body->args[i]->type != ir_operand(op, resources.first + i)->type)
      return ir_op_error(op, "region argument %u has another type than its resource", i);
  return iree_ok_status();
}
const ir_op_hooks_t stream_cmd_execute_hooks = {.verify = execute_verify, .parse = execute_parse, .print = execute_print};

// ---- stream.cmd.dispatch @x::@f[%workload](%scalars : types) { ro %r[%offset for %length] : type{%size}, ... }
static bool entry_points_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t refs[16];
  size_t n = 0;
  bool several = p_accept(p, "{");
  do {
    if (n == 16) return p_error(p, "more than 16 entry points");
    if (!p_expect_symref(p, &refs[n])) return false;
    ++n;
  } while (several && p_accept(p, ","));
  if (several && !p_expect(p, "}")) return false;
  return p_set_attr(p, s, "entry_points", ir_attr_array(p_ctx(p), refs, n));
}
static bool dispatch_resource_parse(ir_parser_t *p, ir_op_state_t *s, ir_attr_t *out_access) {
  ir_ref_list_t *resources = &s->operands[2];
  int access = p_accept(p, "ro") ? READ : p_accept(p, "wo") ? WRITE : p_accept(p, "rw") ? READ | WRITE : 0;
  if (!access) return p_error(p, "expected 'ro', 'wo' or 'rw'");
  *out_access = ir_attr_i32(p_ctx(p), access);
  ir_type_t type;
  return p_operand(p, resources) && p_expect(p, "[") && p_operand(p, &s->operands[4]) && p_expect(p, "for") &&
         p_operand(p, &s->operands[5]) && p_expect(p, "]") && p_expect(p, ":") && p_type(p, &type) &&
         p_list_add_type(p, resources, type) && size_parse(p, &s->operands[3]);
}
static bool dispatch_parse(ir_parser_t *p, ir_op_state_t *s) {
  enum { MAX_RESOURCES = 64 };
  ir_attr_t accesses[MAX_RESOURCES];
  size_t n = 0;
  if (!entry_points_parse(p, s)) return false;
  if (p_accept(p, "[") && !p_operands_until(p, &s->operands[0], "]")) return false;
  if (p_accept(p, "(")) {
    ir_type_list_t types = {0};
    if (!p_operands(p, &s->operands[1]) || !p_expect(p, ":") || !p_types(p, &types) ||
        !p_list_set_types(p, &s->operands[1], &types) || !p_expect(p, ")"))
      return false;
  }
  if (!p_expect(p, "{")) return false;
  if (!p_at(p, "}")) {
    do {
      if (n == MAX_RESOURCES) return p_error(p, "more than %d bindings", MAX_RESOURCES);
      if (!dispatch_resource_parse(p, s, &accesses[n])) return false;
      ++n;
    } while (p_accept(p, ","));
  }
  set_index_types(p, &s->operands[0]);
  for (int g = 3; g <= 5; ++g) set_index_types(p, &s->operands[g]);
  return p_expect(p, "}") && p_set_attr(p, s, "resource_accesses", ir_attr_array(p_ctx(p), accesses, n)) &&
         p_attr_dict_kw(p, s);
}
static void dispatch_print(ir_printer_t *p, const ir_op_t *op) {
  ir_group_t g[6];
  for (size_t i = 0; i < 6; ++i) g[i] = ir_operand_group_at(op, i);
  ir_attr_t entries = ir_op_attr(op, "entry_points"), accesses = ir_op_attr(op, "resource_accesses");
  if (entries->n_kids > 1) pr_text(p, "{");
  for (uint32_t i = 0; i < entries->n_kids; ++i) {
    if (i) pr_text(p, ",");
    pr_attr(p, ir_kid(entries, i));
  }
  if (entries->n_kids > 1) pr_text(p, "}");
  if (g[0].n) pr_text(p, "["), pr_values(p, op, g[0]), pr_text(p, "]");
  if (g[1].n) {
    pr_text(p, "(");
    pr_values(p, op, g[1]);
    pr_text(p, ":");
    pr_types(p, op, g[1]);
    pr_text(p, ")");
  }
  pr_raw(p, " {");
  pr_indent(p, 1);
  static const char *const words[] = {"", "ro", "wo", "rw"};
  for (uint32_t i = 0; i < g[2].n; ++i) {
    if (i) pr_text(p, ",");
    pr_newline(p);
    pr_text(p, words[ir_int(ir_kid(accesses, i), 0) & 3]);
    pr_value(p, ir_operand(op, g[2].first + i));
    pr_text(p, "[");
    pr_value(p, ir_operand(op, g[4].first + i));
    pr_text(p, "for");
    pr_value(p, ir_operand(op, g[5].first + i));
    pr_text(p, "]");
    pr_text(p, ":");
    pr_type(p, ir_operand(op, g[2].first + i)->type);
    size_print(p, ir_operand(op, g[3].first + i));
  }
  pr_indent(p, -1);
  pr_newline(p);
  pr_raw(p, "}");
  static const char *const skip[] = {"entry_points", "resource_accesses", NULL};
  pr_attr_dict_kw(p, op, skip);
}
static iree_status_t dispatch_verify(ir_op_t *op) {
  ir_attr_t accesses = ir_op_attr(op, "resource_accesses");
  uint32_t n = ir_operand_group_at(op, 2).n;
  for (size_t g = 3; g <= 5; ++g)
    if (ir_operand_group_at(op, g).n != n) return ir_op_error(op, "needs a size, offset and length per resource");
  if (!ir_is(accesses, IR_A_ARRAY) || accesses->n_kids != n) return ir_op_error(op, "needs an access per resource");
  return iree_ok_status();
}
const ir_op_hooks_t stream_cmd_dispatch_hooks = {.verify = dispatch_verify, .parse = dispatch_parse, .print = dispatch_print};
