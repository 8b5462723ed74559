// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// complex: texts where the type of one side follows from the other's element.
#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

static bool is_complex(ir_type_t type) { return ir_is(type, IR_T_COMPLEX); }

// `complex.create %re, %im : complex<f32>`
static bool create_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t type;
  if (!p_operand(p, &s->operands[0]) || !p_expect(p, ",") || !p_operand(p, &s->operands[1]) ||
      !p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type))
    return false;
  if (!is_complex(type)) return p_error(p, "expected a complex type");
  p_list_set_type(p, &s->operands[0], ir_kid(type, 0));
  p_list_set_type(p, &s->operands[1], ir_kid(type, 0));
  p_types_push(p, &s->results[0], type);
  return true;
}
static void create_print(ir_printer_t *p, const ir_op_t *op) {
  pr_values(p, op, (ir_group_t){0, 2});
  pr_attr_dict(p, op, NULL);
  pr_text(p, ":");
  pr_type(p, ir_result(op, 0)->type);
}
static iree_status_t create_verify(ir_op_t *op) {
  ir_type_t type = ir_result(op, 0)->type;
  if (!is_complex(type) || ir_kid(type, 0) != ir_operand(op, 0)->type)
    return ir_op_error(op, "makes a complex of the operands' type");
  return iree_ok_status();
}
const ir_op_hooks_t complex_create_hooks = {
    .verify = create_verify, .parse = create_parse, .print = create_print};

// `complex.re %c : complex<f32>`
static bool part_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t type;
  if (!p_operand(p, &s->operands[0])) return false;
  if (p_accept(p, "fastmath")) {
    const char *word;
    if (!p_expect(p, "<") || !p_expect_word(p, &word) || !p_expect(p, ">") ||
        !p_set_attr(p, s, "fastmath", ir_attr_keyword(p_ctx(p), word)))
      return false;
  }
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type)) return false;
  if (!is_complex(type)) return p_error(p, "expected a complex type");
  p_list_set_type(p, &s->operands[0], type);
  p_types_push(p, &s->results[0], ir_kid(type, 0));
  return true;
}
static void part_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"fastmath", NULL};
  pr_value(p, ir_operand(op, 0));
  ir_attr_t fastmath = ir_op_attr(op, "fastmath");
  if (fastmath && !ir_str_is(fastmath, "none")) {
    pr_text(p, "fastmath");
    pr_raw(p, "<");
    pr_raw(p, ir_bytes(fastmath));
    pr_raw(p, ">");
  }
  pr_attr_dict(p, op, skip);
  pr_text(p, ":");
  pr_type(p, ir_operand(op, 0)->type);
}
static iree_status_t part_verify(ir_op_t *op) {
  ir_type_t type = ir_operand(op, 0)->type;
  if (!is_complex(type) || ir_kid(type, 0) != ir_result(op, 0)->type)
    return ir_op_error(op, "takes a complex and gives its element type");
  return iree_ok_status();
}
static bool part_fold(ir_op_t *op, ir_attr_t *out_attrs, ir_value_t **out_values) {
  (void)out_attrs;
  ir_op_t *create = ir_def(ir_operand(op, 0));
  if (!ir_op_is(create, OP_COMPLEX_CREATE)) return false;
  if (op->kind != OP_COMPLEX_RE && op->kind != OP_COMPLEX_IM) return false;
  out_values[0] = ir_operand(create, op->kind == OP_COMPLEX_IM);
  return true;
}
const ir_op_hooks_t complex_part_hooks = {
    .verify = part_verify, .fold = part_fold, .parse = part_parse, .print = part_print};

static iree_status_t constant_verify(ir_op_t *op) {
  ir_attr_t v = ir_op_attr(op, "value");
  ir_type_t type = ir_result(op, 0)->type;
  if (!is_complex(type) || !ir_is(v, IR_A_ARRAY) || v->n_kids != 2 ||
      !ir_is(ir_kid(v, 0), IR_A_FLOAT) || !ir_is(ir_kid(v, 1), IR_A_FLOAT) ||
      ir_kid(ir_kid(v, 0), 0) != ir_kid(type, 0) || ir_kid(ir_kid(v, 1), 0) != ir_kid(type, 0))
    return ir_op_error(op, "needs [real, imaginary] of the complex's element type");
  return iree_ok_status();
}
const ir_op_hooks_t complex_constant_hooks = {.verify = constant_verify};
