// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/flow/bindings.h"

#include <string.h>

ir_type_t binding_type(ir_ctx_t *ctx, const char *access, ir_type_t tensor) {
  const ir_term_t *kids[2] = {ir_attr_keyword(ctx, access), tensor};
  ir_attr_t pair = ir_term(ctx, IR_A_PAIR, NULL, 0, kids, 2, ":", 1);
  return ir_type_dialect(ctx, "iree_tensor_ext.dispatch.tensor", &pair, 1);
}
bool binding_is(ir_type_t type) {
  return ir_type_is(type, "iree_tensor_ext.dispatch.tensor") && type->n_kids == 1 && ir_is(ir_kid(type, 0), IR_A_PAIR);
}
ir_type_t binding_tensor(ir_type_t binding) { return ir_kid(ir_kid(binding, 0), 1); }
const char *binding_access(ir_type_t binding) { return ir_bytes(ir_kid(ir_kid(binding, 0), 0)); }

// Operands |head| then dims (as the binding's and again as sizes); the attributes of a whole access.
static ir_op_t *build_access(ir_builder_t *b, ir_kind_t kind, ir_value_t *const *head, uint32_t n_head, ir_type_t tensor,
                             ir_value_t *const *dims) {
  enum { MAX_RANK = 64 };
  ir_ctx_t *ctx = b->ctx;
  size_t rank = ir_type_rank(tensor), n_dims = ir_type_n_dynamic(tensor), n = 0;
  if (rank > MAX_RANK) rank = MAX_RANK;
  ir_value_t *operands[2 * MAX_RANK + 2];
  int64_t zeros[MAX_RANK] = {0}, ones[MAX_RANK], sizes[MAX_RANK];
  for (uint32_t i = 0; i < n_head; ++i) operands[n++] = head[i];
  for (size_t i = 0; i < 2 * n_dims; ++i) operands[n++] = dims[i % n_dims];
  for (size_t i = 0; i < rank; ++i) ones[i] = 1, sizes[i] = ir_type_dim(tensor, i);
  ir_named_t attrs[3] = {{"static_offsets", ir_attr_i64s(ctx, zeros, rank)}, {"static_sizes", ir_attr_i64s(ctx, sizes, rank)},
                         {"static_strides", ir_attr_i64s(ctx, ones, rank)}};
  uint32_t segments[6] = {1}, k = n_head;
  for (uint32_t i = 0; i < n_head; ++i) segments[i] = 1;
  segments[k++] = (uint32_t)n_dims;
  segments[k++] = 0;
  segments[k++] = (uint32_t)n_dims;
  segments[k++] = 0;
  return ir_build(b, &(ir_op_desc_t){.kind = kind, .operands = operands, .n_operands = n, .segments = segments,
                                     .results = &tensor, .n_results = kind == OP_TEXT_TENSOR_LOAD, .attrs = attrs, .n_attrs = 3});
}
ir_value_t *binding_build_load(ir_builder_t *b, ir_value_t *binding, ir_type_t tensor, ir_value_t *const *dims) {
  return ir_result(build_access(b, OP_TEXT_TENSOR_LOAD, &binding, 1, tensor, dims), 0);
}
void binding_build_store(ir_builder_t *b, ir_value_t *value, ir_value_t *binding, ir_value_t *const *dims) {
  ir_value_t *head[2] = {value, binding};
  build_access(b, OP_TEXT_TENSOR_STORE, head, 2, value->type, dims);
}

void dispatch_build_count(ir_ctx_t *ctx, ir_region_t *region, uint32_t n, ir_loc_t loc) {
  ir_block_t *block = ir_block_create(ctx, region);
  ir_type_t index = ir_type_index(ctx), three[3] = {index, index, index};
  for (uint32_t i = 0; i < n; ++i) ir_block_add_arg(ctx, block, index);
  ir_builder_t b = ir_builder_at_end(ctx, block);
  b.loc = loc;
  ir_op_t *count = ir_build(&b, &(ir_op_desc_t){.kind = OP_TEXT_COUNT_FROM_SLICE, .operands = block->args, .n_operands = n,
                                                .results = three, .n_results = 3});
  ir_value_t *xyz[3] = {ir_result(count, 0), ir_result(count, 1), ir_result(count, 2)};
  ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_RETURN, .operands = xyz, .n_operands = 3});
}
