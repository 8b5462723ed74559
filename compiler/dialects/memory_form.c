// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants as bytes (memory_form.h).
#include "compiler/dialects/memory_form.h"

ir_attr_t memory_form(ir_ctx_t *ctx, ir_attr_t dense) {
  ir_type_t type = ir_dense_type(dense), element = ir_type_element(type);
  if (ir_is(element, IR_T_COMPLEX)) element = ir_kid(element, 0);
  unsigned width = ir_type_width(element);
  if (width >= 8) return dense;
  ir_type_t i8 = ir_type_i(ctx, 8);
  if (!ir_type_packed_bits(element))
    return ir_attr_dense(ctx, ir_type_with_element(ctx, type, i8), ir_dense_data(dense), ir_dense_bytes(dense),
                         ir_dense_is_splat(dense), false);
  int64_t n = ir_type_n_elements(type), bytes = (n * (int64_t)width + 7) / 8;
  const uint8_t *from = ir_dense_data(dense);
  uint8_t *to = iree_arena_alloc(ir_arena(ctx), (size_t)bytes + 1);
  for (int64_t i = 0; i < n; ++i) {
    unsigned value = from[ir_dense_is_splat(dense) ? 0 : i] & ((1u << width) - 1);
    to[i * width / 8] = (uint8_t)(to[i * width / 8] | value << (i * width % 8));
  }
  return ir_attr_dense(ctx, ir_type_tensor(ctx, &bytes, 1, i8, NULL), to, (size_t)bytes, false, false);
}

ir_attr_t memory_dense(ir_ctx_t *ctx, ir_attr_t value) {
  if (ir_is(value, IR_A_DENSE)) return value;
  const ir_resource_t *resource = ir_is(value, IR_A_RESOURCE) ? ir_ctx_find_resource(ctx, ir_bytes(value)) : NULL;
  return resource ? ir_attr_dense(ctx, ir_kid(value, 0), resource->data, resource->n_bytes, false, false) : NULL;
}
