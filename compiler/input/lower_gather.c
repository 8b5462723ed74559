// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather reads each element at an index computed in the body. Scatter is turned around: each
// element of the operand folds the updates whose window covers it, in order; no races, any
// combiner.
#include "compiler/input/lower.h"

enum { MAX_INPUTS = 16 };

static ir_value_t *and_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return x ? low_op2(b, OP_ARITH_ANDI, x, y) : y;
}

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
      (int64_t)ir_type_rank(type) != rank - 1 + index_rank - batch || !ir_type_is_static(type))
    return ir_op_error(op, "has dimensions that do not fit the ranks, or are not static");
  sizes_t none = {.at = {0}};
  pointwise_t p = low_pointwise_begin(l, type, &none, NULL, 0);
  ir_value_t *at[HLO_MAX_RANK], *where[HLO_MAX_RANK];
  for (int64_t i = 0; i < index_rank; ++i)
    where[i] = low_loop_index(&p.b, (size_t)(i < batch ? i : dim + i - batch));
  for (int64_t i = 0; i < rank; ++i)
    at[i] = low_loop_index(&p.b, (size_t)(i < dim ? i : i + index_rank - batch - 1));
  at[dim] = low_to_index(&p.b, low_extract(&p.b, index, where, (size_t)index_rank),
                         ir_type_element(ir_operand(op, 1)->type));
  ir_value_t *top = low_index(&p.b, ir_type_dim(operand->type, (size_t)dim) - 1);
  at[dim] = low_op2(&p.b, OP_ARITH_MINSI,
                    low_op2(&p.b, OP_ARITH_MAXSI, at[dim], low_index(&p.b, 0)), top);
  return input_lower_result(l, op,
                            low_pointwise_end(l, &p, low_extract(&p.b, operand, at, (size_t)rank)));
}

// ---- scatter
typedef struct scatter_dims {
  hlo_dims_t window, inserted, batching, index_batching, to;
  int64_t vector_dim;
} scatter_dims_t;

// Extent of the update window along operand dimension |d|; |*next| counts window dimensions.
static bool is_windowed(const scatter_dims_t *s, size_t d) {
  return !hlo_has(&s->inserted, (int64_t)d) && !hlo_has(&s->batching, (int64_t)d);
}

iree_status_t input_lower_scatter(lowering_t *l, ir_op_t *op) {
  ir_group_t in = ir_operand_group_at(op, 0), up = ir_operand_group_at(op, 2);
  ir_attr_t numbers = ir_op_attr(op, "scatter_dimension_numbers");
  scatter_dims_t s = {hlo_list(numbers, "update_window_dims"),
                      hlo_list(numbers, "inserted_window_dims"),
                      hlo_list(numbers, "input_batching_dims"),
                      hlo_list(numbers, "scatter_indices_batching_dims"),
                      hlo_list(numbers, "scatter_dims_to_operand_dims"),
                      hlo_number(numbers, "index_vector_dim", 0)};
  ir_value_t *operands[MAX_INPUTS], *updates[MAX_INPUTS], *indices = lowered_operand(l, op, in.n);
  ir_ctx_t *ctx = l->ctx;
  if (in.n > MAX_INPUTS) return ir_op_error(op, "takes at most %d inputs", MAX_INPUTS);
  for (uint32_t i = 0; i < in.n; ++i) {
    operands[i] = lowered_operand(l, op, i);
    updates[i] = lowered_operand(l, op, up.first + i);
  }
  size_t rank = ir_type_rank(operands[0]->type), update_rank = ir_type_rank(updates[0]->type),
         index_rank = ir_type_rank(indices->type);
  // Loops: the operand's dimensions, then the index dimensions that are no batch of the operand.
  size_t n_loops = rank, n_batch = 0, n_extra = 0;
  size_t loop_of_batch[HLO_MAX_RANK];
  int64_t extents[HLO_MAX_RANK];
  sizes_t extent_sizes = {.at = {0}};
  bool parallel[2 * HLO_MAX_RANK];
  ir_expr_t own[HLO_MAX_RANK], extra[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) parallel[i] = true, own[i] = ir_expr_dim(ctx, i);
  for (size_t i = 0; i < index_rank; ++i) {
    if ((int64_t)i == s.vector_dim) continue;
    int64_t j = hlo_find(&s.index_batching, (int64_t)i);
    if (j >= 0) {
      loop_of_batch[n_batch++] = (size_t)s.batching.at[j];
      continue;
    }
    extents[n_extra] = ir_type_dim(indices->type, i);
    if (extents[n_extra] == IR_DYNAMIC) extent_sizes.at[n_extra] = low_dim_value(l, indices, i);
    extra[n_extra++] = ir_expr_dim(ctx, n_loops);
    parallel[n_loops] = false;
    loop_of_batch[n_batch++] = n_loops++;
  }
  ir_value_t *window[HLO_MAX_RANK] = {0}, *dims[HLO_MAX_RANK];
  bool whole[HLO_MAX_RANK] = {false};
  for (size_t d = 0, next = 0; d < rank; ++d) {
    dims[d] = low_dim_value(l, operands[0], d);
    window[d] = low_index(&l->b, 1);
    if (!is_windowed(&s, d)) continue;
    size_t at = (size_t)s.window.at[next++];
    window[d] = low_dim_value(l, updates[0], at);
    whole[d] = !hlo_has(&s.to, (int64_t)d) &&
               ir_type_dim(updates[0]->type, at) == ir_type_dim(operands[0]->type, d) &&
               ir_type_dim(operands[0]->type, d) != IR_DYNAMIC;
  }
  ir_value_t *inputs[1];
  ir_attr_t maps[MAX_INPUTS + 1];
  size_t n_in = 0;
  if (n_extra) {
    inputs[0] =
        low_empty(l, ir_type_tensor(ctx, extents, n_extra, ir_type_i(ctx, 8), NULL), &extent_sizes);
    maps[n_in++] = ir_attr_map(ctx, n_loops, 0, extra, n_extra);
  }
  for (uint32_t i = 0; i < in.n; ++i) maps[n_in + i] = ir_attr_map(ctx, n_loops, 0, own, rank);
  ir_op_t *g = linalg_build_generic(&l->b, inputs, n_in, operands, in.n, maps, parallel, n_loops);
  ir_block_t *body = ir_body(g);
  ir_builder_t b = ir_builder_at_end(ctx, body);
  ir_value_t *batch[HLO_MAX_RANK], *offset[HLO_MAX_RANK], *hit = NULL, *zero = low_index(&b, 0);
  for (size_t i = 0; i < n_batch; ++i) batch[i] = low_loop_index(&b, loop_of_batch[i]);
  for (size_t d = 0; d < rank; ++d) {
    int64_t k = hlo_find(&s.to, (int64_t)d);
    offset[d] = low_loop_index(&b, d);
    if (hlo_has(&s.batching, (int64_t)d) || whole[d]) continue;
    if (k >= 0) {  // the whole window must lie inside
      ir_value_t *start = read_index(&b, indices, ir_type_element(ir_operand(op, in.n)->type),
                                     s.vector_dim, batch, (size_t)k);
      hit = and_(&b, hit, low_cmpi(&b, "sge", start, zero));
      hit =
          and_(&b, hit, low_cmpi(&b, "sle", start, low_op2(&b, OP_ARITH_SUBI, dims[d], window[d])));
      offset[d] = low_op2(&b, OP_ARITH_SUBI, offset[d], start);
      hit = and_(&b, hit, low_cmpi(&b, "sge", offset[d], zero));
    }
    hit = and_(&b, hit, low_cmpi(&b, "slt", offset[d], window[d]));
  }
  ir_value_t *at[HLO_MAX_RANK], *args[2 * MAX_INPUTS], *results[MAX_INPUTS];
  size_t next_batch = 0, window_dim[HLO_MAX_RANK], n_windowed = 0;
  for (size_t d = 0; d < rank; ++d)
    if (is_windowed(&s, d)) window_dim[n_windowed++] = d;
  for (size_t i = 0; i < update_rank; ++i) {
    int64_t w = hlo_find(&s.window, (int64_t)i);
    at[i] = w < 0 ? batch[next_batch++]
            : hit ? low_select(&b, hit, offset[window_dim[w]], zero)
                  : offset[window_dim[w]];
  }
  for (uint32_t i = 0; i < in.n; ++i) {
    args[i] = body->args[n_in + i];
    args[in.n + i] = low_extract(&b, updates[i], at, update_rank);
  }
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, &b, ir_body(op), args, results));
  for (uint32_t i = 0; i < in.n && hit; ++i) results[i] = low_select(&b, hit, results[i], args[i]);
  linalg_build_yield(ctx, g, results, in.n, l->b.loc);
  for (uint32_t i = 0; i < in.n; ++i) set_lowered(l, ir_result(op, i), ir_result(g, i));
  return iree_ok_status();
}
