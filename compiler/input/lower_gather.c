// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather reads each element at an index computed in the body.
#include "compiler/input/lower.h"

// Reads component |k| of the index vector at |batch| (indices of the other dimensions, in order).
static ir_value_t *read_index(ir_builder_t *b, ir_value_t *indices, ir_type_t semantic,
                              int64_t vector_dim, ir_value_t *const *batch, size_t k) {
  ir_value_t *at[HLO_MAX_RANK];
  size_t rank = ir_type_rank(indices->type), next = 0;
  for (size_t i = 0; i < rank; ++i)
    at[i] = (int64_t)i == vector_dim ? low_index(b, (int64_t)k) : batch[next++];
  return low_to_index(b, low_extract(b, indices, at, rank), semantic);
}

typedef struct gather_dims {
  hlo_dims_t offset, collapsed, batching, index_batching, start;
  int64_t vector_dim;
} gather_dims_t;

// The result at the point of the enclosing loops; |slice| are the slice sizes.
static ir_value_t *gathered(lowering_t *l, ir_builder_t *b, ir_op_t *op, const gather_dims_t *g,
                            ir_value_t *operand, ir_value_t *indices, ir_value_t *const *most,
                            size_t result_rank) {
  ir_value_t *batch[HLO_MAX_RANK], *at[HLO_MAX_RANK];
  size_t n_batch = 0, next_offset = 0;
  ir_type_t semantic = ir_type_element(ir_operand(op, 1)->type);
  (void)l;
  for (size_t i = 0; i < result_rank; ++i)
    if (!hlo_has(&g->offset, (int64_t)i)) batch[n_batch++] = low_loop_index(b, i);
  for (size_t d = 0; d < ir_type_rank(operand->type); ++d) {
    int64_t k = hlo_find(&g->start, (int64_t)d), j = hlo_find(&g->batching, (int64_t)d);
    at[d] = NULL;
    if (k >= 0) {
      ir_value_t *i = read_index(b, indices, semantic, g->vector_dim, batch, (size_t)k);
      at[d] = low_op2(b, OP_ARITH_MINSI, low_op2(b, OP_ARITH_MAXSI, i, low_index(b, 0)), most[d]);
    }
    if (j >= 0) {  // the batch index, whose position skips the index vector
      int64_t dim = g->index_batching.at[j];
      at[d] = batch[dim - (dim > g->vector_dim)];
      continue;
    }
    if (hlo_has(&g->collapsed, (int64_t)d)) {
      if (!at[d]) at[d] = low_index(b, 0);
      continue;
    }
    ir_value_t *offset = low_loop_index(b, (size_t)g->offset.at[next_offset++]);
    at[d] = at[d] ? low_op2(b, OP_ARITH_ADDI, at[d], offset) : offset;
  }
  return low_extract(b, operand, at, ir_type_rank(operand->type));
}
iree_status_t input_lower_gather(lowering_t *l, ir_op_t *op) {
  ir_attr_t numbers = ir_op_attr(op, "dimension_numbers");
  ir_value_t *operand = lowered_operand(l, op, 0), *indices = lowered_operand(l, op, 1);
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  size_t rank = ir_type_rank(operand->type), result_rank = ir_type_rank(type);
  gather_dims_t g = {
      hlo_list(numbers, "offset_dims"),           hlo_list(numbers, "collapsed_slice_dims"),
      hlo_list(numbers, "operand_batching_dims"), hlo_list(numbers, "start_indices_batching_dims"),
      hlo_list(numbers, "start_index_map"),       hlo_number(numbers, "index_vector_dim", 0)};
  ir_value_t *slice[HLO_MAX_RANK], *most[HLO_MAX_RANK] = {0};
  if (op->kind == OP_HLO_DYNAMIC_GATHER) {
    // The verifier of gather has not seen this one.
    if (g.offset.n + g.collapsed.n + g.batching.n != rank || result_rank < g.offset.n ||
        g.batching.n != g.index_batching.n ||
        result_rank - g.offset.n !=
            ir_type_rank(indices->type) - (g.vector_dim < (int64_t)ir_type_rank(indices->type)))
      return ir_op_error(op, "has dimension numbers that do not fit the ranks");
    ir_value_t *sizes = lowered_operand(l, op, 2);
    for (size_t d = 0; d < rank; ++d) {
      ir_value_t *at = low_index(&l->b, (int64_t)d);
      slice[d] = low_to_index(&l->b, low_extract(&l->b, sizes, &at, 1),
                              ir_type_element(ir_operand(op, 2)->type));
    }
  } else {
    hlo_dims_t sizes = hlo_dims(op, "slice_sizes", 0, 0);
    for (size_t d = 0; d < rank; ++d) slice[d] = low_index(&l->b, sizes.at[d]);
  }
  sizes_t sizes = {.at = {0}};
  size_t next_offset = 0, next_batch = 0;
  for (size_t d = 0; d < rank; ++d) {
    int64_t pair = hlo_find(&g.batching, (int64_t)d);
    low_check_fits(l, op, slice[d], operand, d);
    if (pair >= 0) low_check_extents(l, op, operand, d, indices, (size_t)g.index_batching.at[pair]);
    if (hlo_has(&g.start, (int64_t)d))
      most[d] = low_op2(&l->b, OP_ARITH_SUBI, low_dim_value(l, operand, d), slice[d]);
    if (hlo_has(&g.collapsed, (int64_t)d) || hlo_has(&g.batching, (int64_t)d)) continue;
    int64_t to = g.offset.at[next_offset++];
    if (to >= 0 && to < (int64_t)result_rank && ir_type_dim(type, (size_t)to) == IR_DYNAMIC)
      sizes.at[to] = slice[d];
  }
  for (size_t i = 0; i < result_rank; ++i) {
    if (hlo_has(&g.offset, (int64_t)i)) continue;
    size_t dim = next_batch + ((int64_t)next_batch >= g.vector_dim);
    ++next_batch;
    if (ir_type_dim(type, i) == IR_DYNAMIC) sizes.at[i] = low_dim_value(l, indices, dim);
  }
  low_require_product(l, op, type, &sizes);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, NULL, 0);
  return input_lower_result(
      l, op,
      low_pointwise_end(l, &p, gathered(l, &p.b, op, &g, operand, indices, most, result_rank)));
}
iree_status_t input_lower_torch_index_select(lowering_t *l, ir_op_t *op) {
  ir_value_t *operand = lowered_operand(l, op, 0), *index = lowered_operand(l, op, 1);
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  int64_t dim = ir_op_int(op, "dim", 0), batch = ir_op_int(op, "batch_dims", 0),
          index_rank = (int64_t)ir_type_rank(index->type);
  int64_t rank = (int64_t)ir_type_rank(operand->type);
  if (dim < 0 || dim >= rank || batch < 0 || batch > dim || batch > index_rank ||
      (int64_t)ir_type_rank(type) != rank - 1 + index_rank - batch)
    return ir_op_error(op, "has dimensions that do not fit the ranks");
  if (!ir_type_dim(operand->type, (size_t)dim) && ir_type_n_elements(type))
    return ir_op_error(op, "selects from nothing");
  ir_value_t *one = low_index(&l->b, 1);
  low_check_fits(l, op, one, operand, (size_t)dim);
  for (int64_t i = 0; i < batch; ++i)
    low_check_extents(l, op, operand, (size_t)i, index, (size_t)i);
  sizes_t sizes = sizes_none();
  for (int64_t i = 0; i < (int64_t)ir_type_rank(type); ++i) {
    if (ir_type_dim(type, (size_t)i) != IR_DYNAMIC) continue;
    bool of_index = i >= dim && i < dim + index_rank - batch;
    sizes.at[i] =
        of_index ? low_dim_value(l, index, (size_t)(i - dim + batch))
                 : low_dim_value(l, operand, (size_t)(i < dim ? i : i - index_rank + batch + 1));
  }
  ir_value_t *top = low_op2(&l->b, OP_ARITH_SUBI, low_dim_value(l, operand, (size_t)dim), one);
  low_require_product(l, op, type, &sizes);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, NULL, 0);
  ir_value_t *at[HLO_MAX_RANK], *where[HLO_MAX_RANK];
  for (int64_t i = 0; i < index_rank; ++i)
    where[i] = low_loop_index(&p.b, (size_t)(i < batch ? i : dim + i - batch));
  for (int64_t i = 0; i < rank; ++i)
    at[i] = low_loop_index(&p.b, (size_t)(i < dim ? i : i + index_rank - batch - 1));
  at[dim] = low_to_index(&p.b, low_extract(&p.b, index, where, (size_t)index_rank),
                         ir_type_element(ir_operand(op, 1)->type));
  at[dim] = low_op2(&p.b, OP_ARITH_MINSI,
                    low_op2(&p.b, OP_ARITH_MAXSI, at[dim], low_index(&p.b, 0)), top);
  return input_lower_result(l, op,
                            low_pointwise_end(l, &p, low_extract(&p.b, operand, at, (size_t)rank)));
}
