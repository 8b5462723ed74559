// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running reductions: windows that reach from each point to one end of a dimension. Each point
// combines its element with the result of its neighbour, so that work is that of the elements.
#include "compiler/input/lower_loops.h"

enum { MIN_WINDOW = 16 };  // below, sums of windows side by side cost less than a chain

bool low_is_running(ir_op_t *op, size_t *out_dim, bool *out_reverse) {
  ir_type_t type = ir_operand(op, 0)->type;
  size_t rank = ir_type_rank(type), n = 0;
  hlo_dims_t window = hlo_dims(op, "window_dimensions", rank, 1),
             stride = hlo_dims(op, "window_strides", rank, 1),
             base = hlo_dims(op, "base_dilations", rank, 1),
             dilation = hlo_dims(op, "window_dilations", rank, 1);
  if (op->kind != OP_HLO_REDUCE_WINDOW || 2 * ir_operand_group_at(op, 0).n > LOOPS_MAX_CARRIED)
    return false;
  for (size_t d = 0; d < rank; ++d) {
    int64_t low, high, size = window.at[d];
    hlo_padding(op, d, &low, &high);
    if (size == 1 && stride.at[d] == 1 && base.at[d] == 1 && !low && !high) continue;
    bool ends = (low == size - 1 && !high) || (!low && high == size - 1);
    if (stride.at[d] != 1 || base.at[d] != 1 || dilation.at[d] != 1 || !ends || n++) return false;
    if (!ir_type_n_elements(type) || ir_type_dim(type, d) == IR_DYNAMIC ||
        size < ir_type_dim(type, d) || size < MIN_WINDOW)
      return false;
    *out_dim = d;
    *out_reverse = !low;
  }
  return n == 1;
}

// What the neighbours of the point |at| gave: carried along in the last dimension, else read.
static void neighbours(ir_builder_t *b, loops_t *loops, size_t n, size_t rank, size_t dim,
                       bool reverse, int64_t extent, ir_value_t *i, ir_value_t **at,
                       ir_value_t *const *start, ir_value_t **out) {
  if (dim + 1 == rank) {
    for (size_t k = 0; k < n; ++k) out[k] = loops->carried[n + k];
    return;
  }
  ir_value_t *here = at[dim], *one = low_index(b, 1),
             *first = low_cmpi(b, "eq", i, low_index(b, 0));
  at[dim] = low_op2(b, reverse ? OP_ARITH_ADDI : OP_ARITH_SUBI, here, one);
  at[dim] = reverse ? low_op2(b, OP_ARITH_MINSI, at[dim], low_index(b, extent - 1))
                    : low_op2(b, OP_ARITH_MAXSI, at[dim], low_index(b, 0));
  for (size_t k = 0; k < n; ++k)
    out[k] = low_select(b, first, start[k], low_extract(b, loops->carried[k], at, rank));
  at[dim] = here;
}

iree_status_t low_running(lowering_t *l, ir_op_t *op, size_t dim, bool reverse) {
  ir_group_t in = ir_operand_group_at(op, 0), init = ir_operand_group_at(op, 1);
  size_t rank = ir_type_rank(ir_operand(op, 0)->type), n = in.n;
  ir_type_t types[LOOPS_MAX_CARRIED];
  sizes_t sizes[LOOPS_MAX_CARRIED];
  int64_t extent = ir_type_dim(ir_operand(op, 0)->type, dim);
  ir_value_t *x[LOOPS_MAX_CARRIED] = {0}, *start[LOOPS_MAX_CARRIED], *extents[HLO_MAX_RANK],
             *at[HLO_MAX_RANK], *args[2 * LOOPS_MAX_CARRIED], *results[LOOPS_MAX_CARRIED], *i;
  for (size_t k = 0; k < n; ++k) {
    ir_type_t element = ir_type_element(low_type(l->ctx, ir_result(op, (uint32_t)k)->type));
    x[k] = lowered_operand(l, op, (uint32_t)k);
    low_check_shapes(l, op, x[0], x[k]);
    sizes[k] = low_sizes_like(l, x[k]->type, x[k]);
    types[k] = ir_type_with_element(l->ctx, x[k]->type, element);
  }
  for (size_t d = 0; d < rank; ++d) extents[d] = low_dim_value(l, x[0], d);
  loops_t loops = low_loops_begin(l, types, sizes, n);
  for (size_t k = 0; k < n; ++k)
    start[k] = low_scalar_of(l, lowered_operand(l, op, init.first + (uint32_t)k));
  low_loops_open(l, &loops, extents, dim, at);
  for (size_t k = 0; k < n && dim + 1 == rank; ++k) low_loops_carry(&loops, start[k]);
  low_loops_open(l, &loops, extents + dim, 1, &i);
  at[dim] = reverse ? low_op2(&l->b, OP_ARITH_SUBI, low_index(&l->b, extent - 1), i) : i;
  low_loops_open(l, &loops, extents + dim + 1, rank - dim - 1, at + dim + 1);
  ir_value_t **so_far = reverse ? args + n : args, **own = reverse ? args : args + n;
  neighbours(&l->b, &loops, n, rank, dim, reverse, extent, i, at, start, so_far);
  for (size_t k = 0; k < n; ++k) own[k] = low_extract(&l->b, x[k], at, rank);
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, &l->b, ir_body(op), args, results));
  for (size_t k = 0; k < n; ++k) {
    loops.carried[k] = low_insert(&l->b, results[k], loops.carried[k], at, rank);
    if (dim + 1 == rank) loops.carried[n + k] = results[k];
  }
  low_loops_end(l, &loops);
  for (size_t k = 0; k < n; ++k)
    set_lowered(l, ir_result(op, (uint32_t)k), ir_result(loops.region, k));
  return iree_ok_status();
}
