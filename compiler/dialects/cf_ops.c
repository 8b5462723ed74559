// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cf: `cf.switch %flag : i32, [default: ^bb1(%a : f32), 4: ^bb2]`.
#include "compiler/dialects/directives.h"
#include "compiler/dialects/ops.h"

static bool switch_parse(ir_parser_t *p, ir_op_state_t *s) {
  ir_type_t type;
  ir_ctx_t *ctx = p_ctx(p);
  if (!p_operand(p, &s->operands[0]) || !p_expect(p, ":") || !p_type(p, &type) ||
      !p_expect(p, ",") || !p_expect(p, "[") || !p_expect(p, "default") || !p_expect(p, ":") ||
      !p_successor(p, s))
    return false;
  if (!ir_is(type, IR_T_INTEGER)) return p_error(p, "expected an integer type");
  p_list_set_type(p, &s->operands[0], type);
  int64_t values[512];
  size_t n = 0;
  while (p_accept(p, ",")) {
    if (n == 512) return p_error(p, "more than 512 cases");
    if (!p_expect_int(p, &values[n++]) || !p_expect(p, ":") || !p_successor(p, s)) return false;
  }
  if (n) {
    size_t size = ir_type_storage_bytes(type);
    uint8_t data[512 * 8];
    for (size_t i = 0; i < n; ++i)
      for (size_t k = 0; k < size; ++k)
        data[i * size + k] = (uint8_t)((uint64_t)values[i] >> (8 * k));
    int64_t dims[1] = {(int64_t)n};
    if (!p_set_attr(p, s, "case_values",
                    ir_attr_dense(ctx, ir_type_tensor(ctx, dims, 1, type, NULL), data, n * size,
                                  false, true)))
      return false;
  }
  return p_expect(p, "]") && p_attr_dict(p, s);
}
static int64_t case_value(ir_attr_t values, size_t i) {
  size_t size = ir_type_storage_bytes(ir_type_element(ir_dense_type(values)));
  const uint8_t *d =
      (const uint8_t *)ir_dense_data(values) + (ir_dense_is_splat(values) ? 0 : i * size);
  uint64_t v = 0;
  for (size_t k = 0; k < size; ++k) v |= (uint64_t)d[k] << (8 * k);
  return (int64_t)(v << (64 - 8 * size)) >> (64 - 8 * size);
}
static void switch_print(ir_printer_t *p, const ir_op_t *op) {
  static const char *const skip[] = {"case_values", "case_operand_segments", NULL};
  pr_value(p, ir_operand(op, 0));
  pr_text(p, ":");
  pr_type(p, ir_operand(op, 0)->type);
  pr_text(p, ",");
  pr_text(p, "[");
  for (uint16_t i = 0; i < op->n_succs; ++i) {
    if (i) pr_text(p, ",");
    if (i)
      pr_int(p, case_value(ir_op_attr(op, "case_values"), i - 1u));
    else
      pr_text(p, "default");
    pr_raw(p, ":");
    pr_successor(p, op, i);
  }
  pr_text(p, "]");
  pr_attr_dict(p, op, skip);
}
static iree_status_t switch_verify(ir_op_t *op) {
  ir_attr_t values = ir_op_attr(op, "case_values");
  int64_t n = 0;
  if (values) {
    if (!ir_is(values, IR_A_DENSE)) return ir_op_error(op, "needs dense case values");
    n = ir_type_n_elements(ir_dense_type(values));
  }
  if (op->n_succs != n + 1)
    return ir_op_error(op, "has %u successors for %d cases and the default", op->n_succs, (int)n);
  return iree_ok_status();
}
const ir_op_hooks_t cf_switch_hooks = {
    .verify = switch_verify, .parse = switch_parse, .print = switch_print};
