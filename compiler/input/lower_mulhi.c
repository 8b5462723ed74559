// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chlo.mulhi: the upper half of a product. Up to 32 bits the product is formed in twice the width,
// 64 bits go by halves as on paper.
#include "compiler/input/lower.h"

static ir_value_t *op2(ir_builder_t *b, ir_kind_t kind, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, kind, x, y);
}
static ir_value_t *upper(ir_builder_t *b, ir_value_t *v) {
  return op2(b, OP_ARITH_SHRUI, v, low_int(b, v->type, 32));
}
static ir_value_t *lower(ir_builder_t *b, ir_value_t *v) {
  return op2(b, OP_ARITH_ANDI, v, low_int(b, v->type, 0xFFFFFFFF));
}
static ir_value_t *mulhi64(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  ir_value_t *xh = upper(b, x), *xl = lower(b, x), *yh = upper(b, y), *yl = lower(b, y);
  ir_value_t *low = op2(b, OP_ARITH_MULI, xl, yl);
  ir_value_t *mid = op2(b, OP_ARITH_ADDI, op2(b, OP_ARITH_MULI, xh, yl), upper(b, low));
  ir_value_t *cross = op2(b, OP_ARITH_ADDI, op2(b, OP_ARITH_MULI, xl, yh), lower(b, mid));
  ir_value_t *high = op2(b, OP_ARITH_ADDI, op2(b, OP_ARITH_MULI, xh, yh), upper(b, mid));
  return op2(b, OP_ARITH_ADDI, high, upper(b, cross));
}
// |other| where |v| is negative: what the unsigned product has too much.
static ir_value_t *excess(ir_builder_t *b, ir_value_t *v, ir_value_t *other) {
  ir_value_t *zero = low_int(b, v->type, 0);
  return low_select(b, low_cmpi(b, "slt", v, zero), other, zero);
}
ir_value_t *low_mulhi(ir_builder_t *b, ir_type_t semantic, ir_value_t *x, ir_value_t *y) {
  unsigned width = ir_type_width(semantic);
  bool is_signed = is_signed_int(semantic);
  if (!ir_is(semantic, IR_T_INTEGER) || width > 64) return NULL;
  if (width == 64) {
    ir_value_t *high = mulhi64(b, x, y);
    if (!is_signed) return high;
    high = op2(b, OP_ARITH_SUBI, high, excess(b, x, y));
    return op2(b, OP_ARITH_SUBI, high, excess(b, y, x));
  }
  ir_type_t wide = ir_type_int(b->ctx, width <= 32 && width > 16 ? 64 : 32, ir_int_sign(semantic));
  ir_value_t *product =
      op2(b, OP_ARITH_MULI, low_convert(b, x, semantic, wide), low_convert(b, y, semantic, wide));
  product = op2(b, OP_ARITH_SHRUI, product, low_int(b, product->type, width));
  return ir_build1(b, OP_ARITH_TRUNCI, x->type, product, NULL, NULL);
}
