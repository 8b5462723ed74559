// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of sdy's ops: `sdy.mesh @m = <["x"=2]>`, `sdy.reshard %a <@m, [{"x"}]> : t`.
#include "compiler/dialects/ops.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"

static void print_bracketed(ir_printer_t *p, ir_attr_t attr) {
  if (ir_is(attr, IR_A_KEYWORD))
    pr_raw(p, " <"), pr_raw(p, ir_bytes(attr)), pr_raw(p, ">");
  else
    pr_attr(p, attr);
}
static bool mesh_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t name, mesh;
  return p_expect_symbol(p, &name) && p_set_attr(p, s, "sym_name", name) && p_expect(p, "=") &&
         p_bracketed(p, &mesh) && p_set_attr(p, s, "mesh", mesh) && p_attr_dict(p, s);
}
static void mesh_print(ir_printer_t *p, const ir_op_t *op) {
  pr_symbol(p, ir_op_sym_name(op));
  pr_text(p, "=");
  print_bracketed(p, ir_op_attr(op, "mesh"));
}
const ir_op_hooks_t sdy_mesh_hooks = {.parse = mesh_parse, .print = mesh_print};

static bool sharding_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t sharding;
  ir_type_t type;
  if (!p_operand(p, &s->operands[0]) || !p_bracketed(p, &sharding) ||
      !p_set_attr(p, s, "sharding", sharding) || !p_attr_dict(p, s) || !p_expect(p, ":") ||
      !p_type(p, &type))
    return false;
  p_types_push(p, &s->results[0], type);
  return p_list_add_type(p, &s->operands[0], type);
}
static void sharding_print(ir_printer_t *p, const ir_op_t *op) {
  pr_value(p, ir_operand(op, 0));
  print_bracketed(p, ir_op_attr(op, "sharding"));
  pr_text(p, ":");
  pr_type(p, ir_operand(op, 0)->type);
}
const ir_op_hooks_t sdy_sharding_hooks = {.parse = sharding_parse, .print = sharding_print};
