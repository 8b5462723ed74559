// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantised tensors per tensor: stored integer = round(real / scale) + zero point.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/input/lower.h"
#include "compiler/ir/parser.h"

// !quant.uniform<i8:f32, 0.05:3>, read from its text: `u8` and `0.05:3` are no attributes
// elsewhere.
bool low_quant(ir_ctx_t *ctx, ir_type_t type, quant_t *out) {
  memset(out, 0, sizeof *out);
  if (!ir_type_is(type, "quant.uniform")) return false;
  const char *text = ir_print_term_to(ir_arena(ctx), type);
  char sign, expressed[8];
  int used = 0;
  if (sscanf(text, "!quant.uniform<%c%u:%7[a-z0-9], %lf%n", &sign, &out->width, expressed,
             &out->scale, &used) != 4)
    return false;
  if ((sign != 'i' && sign != 'u') || !out->width || out->width > 32) return false;
  if (text[used] == ':')
    out->zero_point = strtod(text + used + 1, NULL);
  else if (text[used] != '>' && text[used] != ' ')
    return false;
  out->is_unsigned = sign == 'u';
  out->expressed = ir_parse_attr(ctx, iree_make_cstring_view(expressed));
  return out->expressed && ir_type_is_type(out->expressed) && ir_type_is_float(out->expressed);
}

static ir_value_t *to_real(ir_builder_t *b, ir_value_t *v, const quant_t *q) {
  ir_type_t stored = ir_type_int(b->ctx, q->width, q->is_unsigned ? IR_UNSIGNED : IR_SIGNLESS);
  v = low_convert(b, v, stored, q->expressed);
  if (q->zero_point != 0)
    v = low_op2(b, OP_ARITH_SUBF, v, low_float(b, q->expressed, q->zero_point));
  return low_op2(b, OP_ARITH_MULF, v, low_float(b, q->expressed, q->scale));
}
iree_status_t input_lower_uniform_quantize(lowering_t *l, ir_op_t *op) {
  quant_t from = {0}, to = {0};
  ir_type_t in = ir_type_element(ir_operand(op, 0)->type),
            type = low_type(l->ctx, ir_result(op, 0)->type);
  bool requantizes = low_quant(l->ctx, in, &from);
  if (!low_quant(l->ctx, ir_type_element(ir_result(op, 0)->type), &to))
    return ir_op_error(op, "is supported for one scale per tensor");
  if (!requantizes && in != to.expressed)
    return ir_op_error(op, "takes the type that the result expresses");
  ir_value_t *v = lowered_operand(l, op, 0);
  sizes_t sizes = low_sizes_like(l, type, v);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, &v, 1);
  ir_value_t *x = p.body->args[0];
  if (requantizes) x = to_real(&p.b, x, &from);
  x = low_op1(&p.b, OP_MATH_ROUNDEVEN,
              low_op2(&p.b, OP_ARITH_DIVF, x, low_float(&p.b, x->type, to.scale)));
  if (to.zero_point != 0)
    x = low_op2(&p.b, OP_ARITH_ADDF, x, low_float(&p.b, x->type, to.zero_point));
  x = low_convert(&p.b, x, x->type,
                  ir_type_int(l->ctx, to.width, to.is_unsigned ? IR_UNSIGNED : IR_SIGNLESS));
  return input_lower_result(l, op, low_pointwise_end(l, &p, x));
}
iree_status_t input_lower_uniform_dequantize(lowering_t *l, ir_op_t *op) {
  quant_t q = {0};
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  if (!low_quant(l->ctx, ir_type_element(ir_operand(op, 0)->type), &q) ||
      ir_type_element(type) != q.expressed)
    return ir_op_error(op, "is supported from one scale per tensor to the type that it expresses");
  ir_value_t *v = lowered_operand(l, op, 0);
  sizes_t sizes = low_sizes_like(l, type, v);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, &v, 1);
  return input_lower_result(l, op, low_pointwise_end(l, &p, to_real(&p.b, p.body->args[0], &q)));
}
