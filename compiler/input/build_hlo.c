// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#include "compiler/input/build_hlo.h"

ir_value_t *hlo2(ir_builder_t *b, ir_kind_t kind, ir_value_t *x, ir_value_t *y) {
  return ir_build1(b, kind, x->type, x, y, NULL);
}
ir_value_t *hlo1(ir_builder_t *b, ir_kind_t kind, ir_value_t *x) {
  return ir_build1(b, kind, x->type, x, NULL, NULL);
}
ir_value_t *hlo_splat(ir_builder_t *b, ir_type_t type, double value) {
  ir_type_t element = ir_type_element(type);
  ir_attr_t scalar =
      ir_attr_float_bits(b->ctx, element, ir_float_from_double(ir_float_kind(element), value));
  return ir_build_attr(b, OP_HLO_CONSTANT, type, "value", ir_dense_splat(b->ctx, type, scalar),
                       NULL, NULL);
}
ir_value_t *hlo_sum(ir_builder_t *b, ir_value_t *v, const int64_t *dims, size_t n, ir_type_t type) {
  ir_type_t scalar = ir_type_tensor(b->ctx, NULL, 0, ir_type_element(v->type), NULL);
  ir_value_t *operands[2] = {v, hlo_splat(b, scalar, 0)};
  ir_named_t attrs[1] = {{"dimensions", ir_attr_i64s(b->ctx, dims, n)}};
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = OP_HLO_REDUCE,
                                            .operands = operands,
                                            .n_operands = 2,
                                            .segments = (uint32_t[]){1, 1},
                                            .results = &type,
                                            .n_results = 1,
                                            .attrs = attrs,
                                            .n_attrs = 1,
                                            .n_regions = 1});
  ir_block_t *body = ir_block_create(b->ctx, op->regions[0]);
  ir_value_t *x = ir_block_add_arg(b->ctx, body, scalar),
             *y = ir_block_add_arg(b->ctx, body, scalar);
  ir_builder_t inner = ir_builder_at_end(b->ctx, body);
  ir_value_t *r = hlo2(&inner, OP_HLO_ADD, x, y);
  ir_build(&inner, &(ir_op_desc_t){.kind = OP_HLO_RETURN, .operands = &r, .n_operands = 1});
  return ir_result(op, 0);
}

// ---- shapes as tensors of i32
ir_value_t *hlo_i32(ir_builder_t *b, int64_t number) {
  ir_type_t i32 = ir_type_i(b->ctx, 32), scalar = ir_type_tensor(b->ctx, NULL, 0, i32, NULL);
  return ir_build_attr(b, OP_HLO_CONSTANT, scalar, "value",
                       ir_dense_splat(b->ctx, scalar, ir_attr_int(b->ctx, i32, number)), NULL,
                       NULL);
}
ir_value_t *hlo_extent(ir_builder_t *b, ir_value_t *v, size_t dim) {
  ir_type_t scalar = ir_type_tensor(b->ctx, NULL, 0, ir_type_i(b->ctx, 32), NULL);
  int64_t extent = ir_type_dim(v->type, dim);
  if (extent != IR_DYNAMIC) return hlo_i32(b, extent);
  return ir_build_attr(b, OP_HLO_GET_DIMENSION_SIZE, scalar, "dimension",
                       ir_attr_i64(b->ctx, (int64_t)dim), v, NULL);
}
ir_value_t *hlo_shape(ir_builder_t *b, ir_value_t *const *extents, size_t n) {
  ir_type_t i32 = ir_type_i(b->ctx, 32);
  int64_t one = 1, rank = (int64_t)n;
  ir_value_t *parts[HLO_MAX_RANK];
  ir_type_t part = ir_type_tensor(b->ctx, &one, 1, i32, NULL),
            type = ir_type_tensor(b->ctx, &rank, 1, i32, NULL);
  ir_named_t attrs[1] = {{"dimension", ir_attr_i64(b->ctx, 0)}};
  for (size_t i = 0; i < n; ++i)
    parts[i] = ir_build1(b, OP_HLO_RESHAPE, part, extents[i], NULL, NULL);
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_HLO_CONCATENATE,
                                               .operands = parts,
                                               .n_operands = n,
                                               .results = &type,
                                               .n_results = 1,
                                               .attrs = attrs,
                                               .n_attrs = 1}),
                   0);
}
ir_value_t *hlo_shape_of(ir_builder_t *b, ir_value_t *v) {
  ir_value_t *extents[HLO_MAX_RANK];
  size_t n = ir_type_rank(v->type);
  for (size_t i = 0; i < n; ++i) extents[i] = hlo_extent(b, v, i);
  return hlo_shape(b, extents, n);
}
void hlo_assert(ir_builder_t *b, ir_value_t *holds, const char *message) {
  ir_named_t attrs[3] = {{"call_target_name", ir_attr_str(b->ctx, "shape_assertion")},
                         {"has_side_effect", ir_attr_bool(b->ctx, true)},
                         {"error_message", ir_attr_str(b->ctx, message)}};
  ir_build(b, &(ir_op_desc_t){.kind = OP_HLO_CUSTOM_CALL,
                              .operands = &holds,
                              .n_operands = 1,
                              .attrs = attrs,
                              .n_attrs = 3});
}
ir_value_t *hlo_dynamic_broadcast(ir_builder_t *b, ir_value_t *v, ir_type_t type,
                                  const int64_t *dims, ir_value_t *shape) {
  return ir_build_attr(b, OP_HLO_DYNAMIC_BROADCAST_IN_DIM, type, "broadcast_dimensions",
                       ir_attr_i64s(b->ctx, dims, ir_type_rank(v->type)), v, shape);
}
ir_value_t *hlo_broadcast(ir_builder_t *b, ir_value_t *v, ir_type_t type, const int64_t *dims,
                          ir_value_t *shape) {
  if (!ir_type_is_static(type)) return hlo_dynamic_broadcast(b, v, type, dims, shape);
  return ir_build_attr(b, OP_HLO_BROADCAST_IN_DIM, type, "broadcast_dimensions",
                       ir_attr_i64s(b->ctx, dims, ir_type_rank(v->type)), v, NULL);
}
