// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialects/element_type.h"

#include <string.h>

#include "compiler/dialects/ops.h"
#include "compiler/ir/fold.h"

static const struct {
  const char *spelling;
  uint32_t numerical, bits;
} rows[] = {
#define ELEMENT_TYPE(name, numerical, bits, mlir, text, numpy) {mlir, numerical, bits},
#define ELEMENT_ALIAS(numerical, bits, mlir) {mlir, numerical, bits},
#include "abi/element_type.def"
#undef ELEMENT_TYPE
#undef ELEMENT_ALIAS
};

static bool by_spelling(const char *text, uint32_t *out_number) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (strcmp(rows[i].spelling, text)) continue;
    *out_number = rows[i].numerical << 24 | rows[i].bits;
    return true;
  }
  return false;
}

bool element_type_number(ir_type_t type, uint32_t *out_number) {
  enum { SIGNLESS = 0x10, SIGNED = 0x11, UNSIGNED = 0x12, MAX_BITS = 255 };
  *out_number = 0;
  switch (type->kind) {
    case IR_T_INTEGER: {
      unsigned width = ir_type_width(type);
      if (width == 1 && ir_int_sign(type) == IR_SIGNLESS) return by_spelling("i1", out_number);
      uint32_t numerical = ir_int_sign(type) == IR_SIGNED     ? SIGNED
                           : ir_int_sign(type) == IR_UNSIGNED ? UNSIGNED
                                                              : SIGNLESS;
      *out_number = numerical << 24 | width;
      return width <= MAX_BITS;
    }
    case IR_T_INDEX:
      return by_spelling("i64", out_number);
    case IR_T_FLOAT:
      return by_spelling(ir_float_spelling(ir_float_kind(type)), out_number);
    case IR_T_COMPLEX:
      return by_spelling(ir_type_width(type) > 64 ? "complex<f64>" : "complex<f32>", out_number);
    default:
      return false;
  }
}

ir_value_t *element_type_build(ir_builder_t *b, ir_type_t type) {
  enum { OPAQUE_END = 256 };
  uint32_t number;
  ir_type_t i32 = ir_type_i(b->ctx, 32);
  if (element_type_number(type, &number) && number < OPAQUE_END)
    return ir_build_constant(b, i32, ir_attr_i32(b->ctx, (int32_t)number));
  return ir_build_attr(b, OP_HAL_ELEMENT_TYPE, i32, "type", type, NULL, NULL);
}
