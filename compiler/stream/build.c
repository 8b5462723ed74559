// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/stream/build.h"

ir_value_t *stream_index(ir_builder_t *b, int64_t value) {
  return ir_build_attr(b, OP_ARITH_CONSTANT, ir_type_index(b->ctx), "value", ir_attr_index(b->ctx, value), NULL, NULL);
}

bool stream_constant(const ir_value_t *v, int64_t *out_value) {
  const ir_op_t *def = ir_def(v);
  if (!ir_op_is(def, OP_ARITH_CONSTANT)) return false;
  ir_attr_t value = ir_op_attr(def, "value");
  if (!ir_is(value, IR_A_INT)) return false;
  *out_value = ir_int(value, 0);
  return true;
}

ir_value_t *stream_add(ir_builder_t *b, ir_value_t *lhs, ir_value_t *rhs) {
  int64_t x = 0, y = 0, sum;
  bool has_x = stream_constant(lhs, &x), has_y = stream_constant(rhs, &y);
  if (has_x && has_y && !__builtin_add_overflow(x, y, &sum)) return stream_index(b, sum);
  if (has_x && x == 0) return rhs;
  if (has_y && y == 0) return lhs;
  return ir_build1(b, OP_ARITH_ADDI, ir_type_index(b->ctx), lhs, rhs, NULL);
}
ir_value_t *stream_mul(ir_builder_t *b, ir_value_t *lhs, ir_value_t *rhs) {
  int64_t x = 0, y = 0, product;
  bool has_x = stream_constant(lhs, &x), has_y = stream_constant(rhs, &y);
  if (has_x && has_y && !__builtin_mul_overflow(x, y, &product)) return stream_index(b, product);
  if (has_x && x == 1) return rhs;
  if (has_y && y == 1) return lhs;
  return ir_build1(b, OP_ARITH_MULI, ir_type_index(b->ctx), lhs, rhs, NULL);
}

ir_type_t stream_timepoint_type(ir_ctx_t *ctx) { return ir_type_dialect(ctx, "stream.timepoint", NULL, 0); }
ir_type_t stream_resource_type(ir_ctx_t *ctx, const char *lifetime) {
  ir_attr_t word = ir_attr_keyword(ctx, lifetime);
  return ir_type_dialect(ctx, "stream.resource", &word, 1);
}

int64_t stream_element_bits(ir_type_t type) {
  ir_type_t element = ir_type_element(type);
  unsigned packed = ir_type_packed_bits(element);
  return packed ? (int64_t)packed : (int64_t)ir_type_storage_bytes(element) * 8;
}

ir_value_t *stream_tensor_bytes(ir_builder_t *b, ir_type_t tensor, ir_value_t *const *dims) {
  int64_t bits = stream_element_bits(tensor), fixed = bits;
  ir_value_t *dynamic = NULL;
  size_t next = 0;
  for (size_t i = 0; i < ir_type_rank(tensor); ++i) {
    if (ir_type_dim(tensor, i) != IR_DYNAMIC) {
      fixed *= ir_type_dim(tensor, i);
      continue;
    }
    ir_value_t *extent = dims[next++];
    dynamic = dynamic ? stream_mul(b, dynamic, extent) : extent;
  }
  if (!dynamic) return stream_index(b, (fixed + 7) / 8);
  if (fixed % 8 == 0) return stream_mul(b, dynamic, stream_index(b, fixed / 8));
  // Packed elements: round the bits of the whole up to bytes.
  ir_value_t *total = stream_add(b, stream_mul(b, dynamic, stream_index(b, fixed)), stream_index(b, 7));
  return ir_build1(b, OP_ARITH_SHRUI, ir_type_index(b->ctx), total, stream_index(b, 3), NULL);
}

// ---- scalars as words
size_t stream_scalar_words(ir_type_t type) { return ir_type_width(type) > 32 ? 2 : 1; }

size_t stream_pack_scalar(ir_builder_t *b, ir_value_t *value, ir_value_t **out) {
  ir_ctx_t *ctx = b->ctx;
  ir_type_t type = value->type, i32 = ir_type_i(ctx, 32), i64 = ir_type_i(ctx, 64);
  unsigned width = ir_type_width(type);
  if (type->kind == IR_T_INDEX) value = ir_build1(b, OP_ARITH_INDEX_CASTUI, i64, value, NULL, NULL);
  else if (ir_type_is_float(type)) value = ir_build1(b, OP_ARITH_BITCAST, ir_type_i(ctx, width), value, NULL, NULL);
  if (width <= 32) {
    out[0] = width == 32 ? value : ir_build1(b, OP_ARITH_EXTUI, i32, value, NULL, NULL);
    return 1;
  }
  ir_value_t *shift = ir_build_attr(b, OP_ARITH_CONSTANT, i64, "value", ir_attr_i64(ctx, 32), NULL, NULL);
  ir_value_t *high = ir_build1(b, OP_ARITH_SHRUI, i64, value, shift, NULL);
  out[0] = ir_build1(b, OP_ARITH_TRUNCI, i32, value, NULL, NULL);
  out[1] = ir_build1(b, OP_ARITH_TRUNCI, i32, high, NULL, NULL);
  return 2;
}

ir_value_t *stream_unpack_scalar(ir_builder_t *b, ir_type_t type, ir_value_t *const *words) {
  ir_ctx_t *ctx = b->ctx;
  ir_type_t i64 = ir_type_i(ctx, 64);
  unsigned width = ir_type_width(type);
  ir_value_t *value = words[0];
  if (width < 32) {
    value = ir_build1(b, OP_ARITH_TRUNCI, ir_type_i(ctx, width), value, NULL, NULL);
  } else if (width > 32) {
    ir_value_t *low = ir_build1(b, OP_ARITH_EXTUI, i64, words[0], NULL, NULL);
    ir_value_t *high = ir_build1(b, OP_ARITH_EXTUI, i64, words[1], NULL, NULL);
    ir_value_t *shift = ir_build_attr(b, OP_ARITH_CONSTANT, i64, "value", ir_attr_i64(ctx, 32), NULL, NULL);
    high = ir_build1(b, OP_ARITH_SHLI, i64, high, shift, NULL);
    value = ir_build1(b, OP_ARITH_ORI, i64, low, high, NULL);
  }
  if (type->kind == IR_T_INDEX) return ir_build1(b, OP_ARITH_INDEX_CASTUI, type, value, NULL, NULL);
  if (ir_type_is_float(type)) return ir_build1(b, OP_ARITH_BITCAST, type, value, NULL, NULL);
  return value;
}
