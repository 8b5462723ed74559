// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of gather and scatter: their dimension numbers.
#include "compiler/dialects/stablehlo_verify.h"

typedef long long ll;

// Both ops index |operand| by a tensor of indices and have slices of it at the other end. The names
// differ.
typedef struct indexing {
  ir_type_t operand, indices, slices;
  hlo_dims_t window, collapsed, batching, index_batching, map;
  const char *window_name, *collapsed_name, *batching_name, *index_batching_name, *map_name;
  int64_t vector;
} indexing_t;

static iree_status_t check_disjoint(ir_op_t *op, const char *a_name, const hlo_dims_t *a, const char *b_name,
                                    const hlo_dims_t *b) {
  for (size_t i = 0; i < a->n; ++i)
    if (hlo_has(b, a->at[i]))
      return ir_op_error(op, "has dimension %lld both in '%s' and in '%s'", (ll)a->at[i], a_name, b_name);
  return iree_ok_status();
}
static iree_status_t check_numbers(ir_op_t *op, const indexing_t *x) {
  size_t rank = ir_type_rank(x->operand), index_rank = ir_type_rank(x->indices);
  if (x->vector < 0 || x->vector > (int64_t)index_rank)
    return ir_op_error(op, "'index_vector_dim' is %lld; it must be in [0, %zu]", (ll)x->vector, index_rank);
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, x->collapsed_name, &x->collapsed, rank, true));
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, x->batching_name, &x->batching, rank, true));
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, x->map_name, &x->map, rank, false));
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, x->index_batching_name, &x->index_batching, index_rank, false));
  IREE_RETURN_IF_ERROR(check_disjoint(op, x->collapsed_name, &x->collapsed, x->batching_name, &x->batching));
  IREE_RETURN_IF_ERROR(check_disjoint(op, x->map_name, &x->map, x->batching_name, &x->batching));
  if (hlo_has(&x->index_batching, x->vector))
    return ir_op_error(op, "has 'index_vector_dim' %lld also in '%s'", (ll)x->vector, x->index_batching_name);
  if (x->batching.n != x->index_batching.n)
    return ir_op_error(op, "'%s' has %zu entries, '%s' %zu", x->batching_name, x->batching.n,
                       x->index_batching_name, x->index_batching.n);
  if (x->window.n + x->collapsed.n + x->batching.n != rank)
    return ir_op_error(op, "'%s', '%s' and '%s' have %zu + %zu + %zu entries for rank %zu", x->window_name,
                       x->collapsed_name, x->batching_name, x->window.n, x->collapsed.n, x->batching.n, rank);
  int64_t n = x->vector == (int64_t)index_rank ? 1 : ir_type_dim(x->indices, (size_t)x->vector);
  if (!hlo_agree(n, (int64_t)x->map.n))
    return ir_op_error(op, "'%s' has %zu entries, the index vectors have %lld", x->map_name, x->map.n, (ll)n);
  for (size_t i = 0; i < x->batching.n; ++i) {
    int64_t a = ir_type_dim(x->operand, (size_t)x->batching.at[i]),
            b = ir_type_dim(x->indices, (size_t)x->index_batching.at[i]);
    if (!hlo_agree(a, b))
      return ir_op_error(op, "batching dimension %lld of the operand has extent %lld, its partner %lld of the indices %lld",
                         (ll)x->batching.at[i], (ll)a, (ll)x->index_batching.at[i], (ll)b);
  }
  // What is sliced has the dimensions of the window and those of the indices without the vector.
  size_t batch = index_rank - (x->vector < (int64_t)index_rank);
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, x->window_name, &x->window, batch + x->window.n, true));
  return iree_ok_status();
}
// The extent of each dimension of the indices but the vector's, in the places that the window leaves.
static hlo_dims_t slices_of(const indexing_t *x, const int64_t *window) {
  hlo_dims_t out = {.n = 0};
  size_t index_rank = ir_type_rank(x->indices), w = 0, k = 0;
  size_t rank = x->window.n + index_rank - (x->vector < (int64_t)index_rank);
  for (; out.n < rank && out.n < HLO_MAX_RANK; ++out.n) {
    if (hlo_has(&x->window, (int64_t)out.n)) {
      out.at[out.n] = window[w++];
      continue;
    }
    if ((int64_t)k == x->vector) ++k;
    out.at[out.n] = ir_type_dim(x->indices, k++);
  }
  return out;
}

iree_status_t hlo_check_gather(ir_op_t *op) {
  ir_attr_t numbers = ir_op_attr(op, "dimension_numbers");
  indexing_t x = {.operand = hlo_in(op, 0), .indices = hlo_in(op, 1), .slices = hlo_out(op, 0),
                  .window = hlo_list(numbers, "offset_dims"), .window_name = "offset_dims",
                  .collapsed = hlo_list(numbers, "collapsed_slice_dims"), .collapsed_name = "collapsed_slice_dims",
                  .batching = hlo_list(numbers, "operand_batching_dims"), .batching_name = "operand_batching_dims",
                  .index_batching = hlo_list(numbers, "start_indices_batching_dims"),
                  .index_batching_name = "start_indices_batching_dims",
                  .map = hlo_list(numbers, "start_index_map"), .map_name = "start_index_map",
                  .vector = hlo_number(numbers, "index_vector_dim", 0)};
  size_t rank = ir_type_rank(x.operand), w = 0;
  int64_t sizes[HLO_MAX_RANK], window[HLO_MAX_RANK];
  IREE_RETURN_IF_ERROR(check_numbers(op, &x));
  bool dynamic = op->kind == OP_HLO_DYNAMIC_GATHER;
  int n = dynamic ? hlo_constant_ints(ir_operand(op, 2), sizes, HLO_MAX_RANK) : (int)rank;
  if (dynamic && ir_type_dim(hlo_in(op, 2), 0) != (int64_t)rank)
    return ir_op_error(op, "operand 'slice_sizes' is %s; it must have %zu numbers", hlo_text(op, hlo_in(op, 2)), rank);
  if (!dynamic) IREE_RETURN_IF_ERROR(hlo_check_list(op, "slice_sizes", rank, 0, INT64_MAX));
  for (size_t i = 0; i < rank; ++i) {
    int64_t size = !dynamic ? ir_int(ir_op_attr(op, "slice_sizes"), i) : n < 0 ? IR_DYNAMIC : sizes[i];
    int64_t have = hlo_bound(x.operand, i);
    if (size != IR_DYNAMIC && (size < 0 || (have != IR_DYNAMIC && size > have)))
      return ir_op_error(op, "takes %lld of dimension %zu, which has extent %lld", (ll)size, i, (ll)have);
    bool gone = hlo_has(&x.collapsed, (int64_t)i) || hlo_has(&x.batching, (int64_t)i);
    if (gone && size != IR_DYNAMIC && size > 1)
      return ir_op_error(op, "takes %lld of dimension %zu, which it collapses; that must be 0 or 1", (ll)size, i);
    if (!gone && w < HLO_MAX_RANK) window[w++] = size;
  }
  hlo_dims_t want = slices_of(&x, window);
  IREE_RETURN_IF_ERROR(hlo_expect_element(op, 0, ir_type_element(x.operand)));
  return hlo_expect_shape(op, 0, want.at, want.n);
}

iree_status_t hlo_check_scatter(ir_op_t *op) {
  ir_group_t in = ir_operand_group_at(op, 0), updates = ir_operand_group_at(op, 2);
  ir_attr_t numbers = ir_op_attr(op, "scatter_dimension_numbers");
  if (!in.n || updates.n != in.n || op->n_results != in.n)
    return ir_op_error(op, "has %u inputs, %u updates and %u results; it must have as many of each, and one at least",
                       in.n, updates.n, op->n_results);
  indexing_t x = {.operand = hlo_in(op, 0), .indices = hlo_in(op, in.n), .slices = hlo_in(op, updates.first),
                  .window = hlo_list(numbers, "update_window_dims"), .window_name = "update_window_dims",
                  .collapsed = hlo_list(numbers, "inserted_window_dims"), .collapsed_name = "inserted_window_dims",
                  .batching = hlo_list(numbers, "input_batching_dims"), .batching_name = "input_batching_dims",
                  .index_batching = hlo_list(numbers, "scatter_indices_batching_dims"),
                  .index_batching_name = "scatter_indices_batching_dims",
                  .map = hlo_list(numbers, "scatter_dims_to_operand_dims"), .map_name = "scatter_dims_to_operand_dims",
                  .vector = hlo_number(numbers, "index_vector_dim", 0)};
  for (uint32_t i = 0; i < in.n; ++i) {
    ir_type_t input = hlo_in(op, i), update = hlo_in(op, updates.first + i);
    if (!hlo_shapes_agree(input, x.operand) || !hlo_shapes_agree(update, x.slices))
      return ir_op_error(op, "input and update %u are %s and %s; they must have the shapes of input and update 0",
                         i, hlo_text(op, input), hlo_text(op, update));
    IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, ir_type_dims(input), ir_type_rank(input)));
  }
  IREE_RETURN_IF_ERROR(check_numbers(op, &x));
  int64_t window[HLO_MAX_RANK];
  for (size_t i = 0, w = 0; i < ir_type_rank(x.operand); ++i)
    if (!hlo_has(&x.collapsed, (int64_t)i) && !hlo_has(&x.batching, (int64_t)i)) window[w++] = ir_type_dim(x.operand, i);
  hlo_dims_t want = slices_of(&x, window);
  if (ir_type_rank(x.slices) != want.n)
    return ir_op_error(op, "update 0 is %s; by the dimension numbers its rank is %zu", hlo_text(op, x.slices), want.n);
  for (size_t i = 0; i < want.n; ++i) {
    int64_t have = ir_type_dim(x.slices, i);
    bool is_window = hlo_has(&x.window, (int64_t)i);
    bool fits = have == IR_DYNAMIC || want.at[i] == IR_DYNAMIC || (is_window ? have <= want.at[i] : have == want.at[i]);
    if (!fits)
      return ir_op_error(op, "dimension %zu of the updates has extent %lld; %s has %lld", i, (ll)have,
                         is_window ? "the operand" : "its dimension of the indices", (ll)want.at[i]);
  }
  return hlo_check_reducer(op, 0, 0, updates.first, in.n);
}
