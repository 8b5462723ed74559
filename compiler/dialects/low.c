// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialects/low.h"

#include "compiler/ir/fold.h"

ir_value_t *low_int(ir_builder_t *b, ir_type_t type, int64_t value) {
  return ir_build_constant(b, type, ir_attr_int(b->ctx, type, value));
}
ir_value_t *low_float(ir_builder_t *b, ir_type_t type, double value) {
  return ir_build_constant(
      b, type, ir_attr_float_bits(b->ctx, type, ir_float_from_double(ir_float_kind(type), value)));
}
ir_value_t *low_op1(ir_builder_t *b, ir_kind_t kind, ir_value_t *x) {
  return ir_build1(b, kind, x->type, x, NULL, NULL);
}
ir_value_t *low_op2(ir_builder_t *b, ir_kind_t kind, ir_value_t *x, ir_value_t *y) {
  return ir_build1(b, kind, x->type, x, y, NULL);
}
ir_value_t *low_cast(ir_builder_t *b, ir_kind_t kind, ir_type_t type, ir_value_t *x) {
  return x->type == type ? x : ir_build1(b, kind, type, x, NULL, NULL);
}
ir_value_t *low_cmpi(ir_builder_t *b, const char *predicate, ir_value_t *x, ir_value_t *y) {
  return ir_build_attr(b, OP_ARITH_CMPI, ir_type_i(b->ctx, 1), "predicate",
                       ir_attr_keyword(b->ctx, predicate), x, y);
}
ir_value_t *low_cmpf(ir_builder_t *b, const char *predicate, ir_value_t *x, ir_value_t *y) {
  return ir_build_attr(b, OP_ARITH_CMPF, ir_type_i(b->ctx, 1), "predicate",
                       ir_attr_keyword(b->ctx, predicate), x, y);
}
ir_value_t *low_pick(ir_builder_t *b, ir_value_t *condition, ir_value_t *x, ir_value_t *y) {
  return ir_build1(b, OP_ARITH_SELECT, x->type, condition, x, y);
}
