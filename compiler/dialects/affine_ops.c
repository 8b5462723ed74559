// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// affine: `affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]`.
#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

static bool map_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_attr_t map;
  if (!p_attr(p, &map) || !p_set_attr(p, s, "map", map) || !p_expect(p, "(") ||
      !p_operands_until(p, &s->operands[0], ")"))
    return false;
  if (!ir_is(map, IR_A_MAP)) return p_error(p, "expected an affine_map");
  if (s->operands[0].n != ir_map_n_dims(map))
    return p_error(p, "the map takes %zu dimensions", ir_map_n_dims(map));
  if (p_accept(p, "[") && !p_operands_until(p, &s->operands[0], "]")) return false;
  if (!p_attr_dict(p, s)) return false;
  p_list_set_type(p, &s->operands[0], ir_type_index(p_ctx(p)));
  p_types_push(p, &s->results[0], ir_type_index(p_ctx(p)));
  return true;
}
static void map_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"map", NULL};
  ir_attr_t map = ir_op_attr(op, "map");
  uint32_t dims = (uint32_t)ir_map_n_dims(map);
  pr_attr(p, map);
  pr_raw(p, "(");
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    if (i == dims)
      pr_raw(p, ")[");
    else if (i)
      pr_raw(p, ", ");
    pr_raw(p, "");
    pr_value(p, ir_operand(op, i));
  }
  pr_raw(p, op->n_operands > dims ? "]" : ")");
  pr_attr_dict(p, op, skip);
}
static iree_status_t map_verify(ir_op_t *op) {
  ir_attr_t map = ir_op_attr(op, "map");
  if (!ir_is(map, IR_A_MAP)) return ir_op_error(op, "needs an affine map");
  if (op->n_operands != (uint32_t)(ir_int(map, 0) + ir_int(map, 1)))
    return ir_op_error(op, "has %u operands for a map of %u dimensions and %u symbols",
                       op->n_operands, (unsigned)ir_int(map, 0), (unsigned)ir_int(map, 1));
  if (!map->n_kids || (op->kind == OP_AFFINE_APPLY && map->n_kids != 1))
    return ir_op_error(op, "needs a map of %s",
                       op->kind == OP_AFFINE_APPLY ? "one result" : "at least one result");
  return iree_ok_status();
}
const ir_op_hooks_t affine_map_hooks = {
    .verify = map_verify, .parse = map_parse, .print = map_print};
