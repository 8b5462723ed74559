// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string.h>

#include "compiler/input/lower_loops.h"

loops_t low_loops_begin(lowering_t *l, const ir_type_t *types, const sizes_t *sizes, size_t n) {
  loops_t loops = {.n = n};
  ir_value_t *dims[LOOPS_MAX_CARRIED * HLO_MAX_RANK];
  size_t n_dims = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t d = 0; d < ir_type_rank(types[i]); ++d)
      if (ir_type_dim(types[i], d) == IR_DYNAMIC) dims[n_dims++] = sizes[i].at[d];
  uint32_t segments[2] = {(uint32_t)n_dims, 0};
  loops.region = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_FLOW_DISPATCH_REGION,
                                                 .operands = dims,
                                                 .n_operands = n_dims,
                                                 .segments = segments,
                                                 .results = types,
                                                 .n_results = n,
                                                 .n_regions = 2});
  loops.saved = l->b;
  l->b = ir_builder_at_end(l->ctx, ir_block_create(l->ctx, loops.region->regions[0]));
  l->b.loc = loops.saved.loc;
  for (size_t i = 0; i < n; ++i) loops.carried[i] = low_empty(l, types[i], &sizes[i]);
  return loops;
}
void low_loops_copy(lowering_t *l, loops_t *loops, ir_value_t *const *tensors) {
  ir_value_t *at[HLO_MAX_RANK], *extents[HLO_MAX_RANK];
  for (size_t i = 0; i < loops->n; ++i) {
    size_t rank = ir_type_rank(tensors[i]->type);
    loops_t copy = {.carried = {loops->carried[i]}, .n = 1};
    for (size_t d = 0; d < rank; ++d) extents[d] = low_dim_value(l, tensors[i], d);
    low_loops_open(l, &copy, extents, rank, at);
    ir_value_t *element = low_extract(&l->b, tensors[i], at, rank);
    copy.carried[0] = low_insert(&l->b, element, copy.carried[0], at, rank);
    while (copy.depth) low_loops_close(l, &copy);
    loops->carried[i] = copy.carried[0];
  }
}
void low_loops_open(lowering_t *l, loops_t *loops, ir_value_t *const *extents, size_t n,
                    ir_value_t **out_indices) {
  for (size_t i = 0; i < n; ++i) {
    ir_value_t *operands[3 + LOOPS_MAX_CARRIED] = {low_index(&l->b, 0), extents[i],
                                                   low_index(&l->b, 1)};
    ir_type_t types[LOOPS_MAX_CARRIED];
    for (size_t c = 0; c < loops->n; ++c)
      operands[3 + c] = loops->carried[c], types[c] = loops->carried[c]->type;
    ir_op_t *op = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_FOR,
                                                  .operands = operands,
                                                  .n_operands = 3 + loops->n,
                                                  .results = types,
                                                  .n_results = loops->n,
                                                  .n_regions = 1});
    ir_block_t *body = ir_block_create(l->ctx, op->regions[0]);
    out_indices[i] = ir_block_add_arg(l->ctx, body, ir_type_index(l->ctx));
    for (size_t c = 0; c < loops->n; ++c)
      loops->carried[c] = ir_block_add_arg(l->ctx, body, types[c]);
    loops->after[loops->depth] = l->b;
    loops->open[loops->depth++] = op;
    ir_loc_t loc = l->b.loc;
    l->b = ir_builder_at_end(l->ctx, body);
    l->b.loc = loc;
  }
}
void low_loops_carry(loops_t *loops, ir_value_t *scalar) { loops->carried[loops->n++] = scalar; }
void low_loops_close(lowering_t *l, loops_t *loops) {
  ir_op_t *op = loops->open[--loops->depth];
  ir_build(&l->b,
           &(ir_op_desc_t){
               .kind = OP_SCF_YIELD, .operands = loops->carried, .n_operands = op->n_results});
  l->b = loops->after[loops->depth];
  for (size_t c = 0; c < op->n_results; ++c) loops->carried[c] = ir_result(op, c);
  if (loops->depth)
    op = loops->open[loops->depth - 1];
  else if (loops->region)
    op = loops->region;
  loops->n = op->n_results;
}
void low_loops_end(lowering_t *l, loops_t *loops) {
  while (loops->depth) low_loops_close(l, loops);
  ir_build(&l->b, &(ir_op_desc_t){
                      .kind = OP_FLOW_RETURN, .operands = loops->carried, .n_operands = loops->n});
  l->b = loops->saved;
}
ir_value_t *low_insert(ir_builder_t *b, ir_value_t *scalar, ir_value_t *tensor,
                       ir_value_t *const *indices, size_t n) {
  ir_value_t *operands[HLO_MAX_RANK + 2] = {scalar, tensor};
  if (n) memcpy(operands + 2, indices, n * sizeof *indices);
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_INSERT,
                                               .operands = operands,
                                               .n_operands = n + 2,
                                               .results = &tensor->type,
                                               .n_results = 1}),
                   0);
}
