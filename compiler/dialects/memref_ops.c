// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// memref, vector: texts that the form language cannot say.
#include <string.h>

#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

// `memref.global "private" constant @name : memref<4xf32> = dense<1.0> {alignment = 64 : i64}`
static bool global_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_ctx_t *ctx = p_ctx(p);
  ir_attr_t text, value = NULL;
  ir_type_t type;
  if (p_peek(p).kind == TOK_STRING) {
    if (!p_expect_string(p, &text) || !p_set_attr(p, s, "sym_visibility", text)) return false;
  }
  if (p_accept(p, "constant") && !p_set_attr(p, s, "constant", ir_attr_unit(ctx))) return false;
  if (!p_expect_symbol(p, &text) || !p_set_attr(p, s, "sym_name", text)) return false;
  if (!p_expect(p, ":") || !p_type(p, &type) || !p_set_attr(p, s, "type", type)) return false;
  if (p_accept(p, "=")) {
    if (p_accept(p, "uninitialized")) {
      value = ir_attr_unit(ctx);
    } else {
      ir_type_t tensor = ir_type_tensor(ctx, ir_type_dims(type), ir_type_rank(type), ir_type_element(type), NULL);
      if (!p_attr_typed(p, tensor, &value)) return false;
    }
    if (!p_set_attr(p, s, "initial_value", value)) return false;
  }
  return p_attr_dict(p, s);
}
// The type of the contents follows from the buffer's.
static const char *without_type(const ir_op_t *op, ir_attr_t value) {
  iree_arena_t *arena = ir_arena(ir_op_ctx(op));
  const char *text = ir_print_term_to(arena, value);
  const char *end = NULL;
  for (const char *at = strstr(text, " : "); at; at = strstr(at + 1, " : ")) end = at;
  return end ? iree_arena_copy(arena, text, (size_t)(end - text)) : text;
}
static void global_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"sym_name", "sym_visibility", "type", "initial_value", "constant", NULL};
  ir_attr_t visibility = ir_op_attr(op, "sym_visibility"), value = ir_op_attr(op, "initial_value");
  if (visibility) pr_string(p, ir_str(visibility));
  if (ir_op_flag(op, "constant")) pr_text(p, "constant");
  pr_symbol(p, ir_op_sym_name(op));
  pr_text(p, ":");
  pr_type(p, ir_op_attr(op, "type"));
  if (value) {
    pr_text(p, "=");
    if (ir_is(value, IR_A_UNIT)) pr_text(p, "uninitialized");
    else pr_text(p, without_type(op, value));
  }
  pr_attr_dict(p, op, skip);
}
static iree_status_t global_verify(ir_op_t *op) {
  ir_type_t type = ir_op_attr(op, "type");
  if (!ir_is(type, IR_T_MEMREF) || !ir_type_is_static(type)) return ir_op_error(op, "needs a static memref type");
  ir_attr_t value = ir_op_attr(op, "initial_value");
  if (ir_is(value, IR_A_DENSE) && ir_type_n_elements(ir_dense_type(value)) != ir_type_n_elements(type))
    return ir_op_error(op, "initial value and type differ in size");
  return iree_ok_status();
}
const ir_op_hooks_t memref_global_hooks = {.verify = global_verify, .parse = global_parse, .print = global_print};

// `vector.step : vector<8xindex>`
static bool step_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t type;
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_type(p, &type)) return false;
  p_types_push(p, &s->results[0], type);
  return true;
}
static void step_print(ir_printer_t *p, const ir_op_t *op) {
  pr_attr_dict(p, op, NULL);
  pr_text(p, ":");
  pr_type(p, ir_result(op, 0)->type);
}
const ir_op_hooks_t vector_step_hooks = {.parse = step_parse, .print = step_print};
