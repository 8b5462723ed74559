// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatter as what it says: a kernel that starts from a copy of the operands and combines one update
// after another into them. Work is that of the updates, which are taken in their order.
#include "compiler/input/lower_loops.h"

typedef struct scatter {
  hlo_dims_t window, inserted, batching, index_batching, to;
  int64_t vector_dim;
  size_t rank, update_rank, index_rank, n;  // |n| operands
  ir_value_t *operands[LOOPS_MAX_CARRIED], *updates[LOOPS_MAX_CARRIED], *indices;
  ir_type_t elements[LOOPS_MAX_CARRIED];
  ir_type_t index_type;             // with its sign
  size_t window_dim[HLO_MAX_RANK];  // operand dimension of each window dimension of the updates
  ir_value_t *dims[HLO_MAX_RANK];   // extents of the operands
  ir_value_t *size[HLO_MAX_RANK];   // extents of the window; 1 where it has none
} scatter_t;

static iree_status_t read_op(lowering_t *l, ir_op_t *op, scatter_t *s) {
  ir_group_t in = ir_operand_group_at(op, 0), up = ir_operand_group_at(op, 2);
  ir_attr_t numbers = ir_op_attr(op, "scatter_dimension_numbers");
  if (in.n > LOOPS_MAX_CARRIED)
    return ir_op_error(op, "takes at most %d inputs", LOOPS_MAX_CARRIED);
  *s = (scatter_t){.window = hlo_list(numbers, "update_window_dims"),
                   .inserted = hlo_list(numbers, "inserted_window_dims"),
                   .batching = hlo_list(numbers, "input_batching_dims"),
                   .index_batching = hlo_list(numbers, "scatter_indices_batching_dims"),
                   .to = hlo_list(numbers, "scatter_dims_to_operand_dims"),
                   .vector_dim = hlo_number(numbers, "index_vector_dim", 0),
                   .indices = lowered_operand(l, op, in.n),
                   .index_type = ir_type_element(ir_operand(op, in.n)->type),
                   .n = in.n};
  for (uint32_t i = 0; i < in.n; ++i) {
    s->operands[i] = lowered_operand(l, op, i);
    s->updates[i] = lowered_operand(l, op, up.first + i);
    s->elements[i] = ir_type_element(s->operands[i]->type);
    low_check_shapes(l, op, s->operands[0], s->operands[i]);
    low_check_shapes(l, op, s->updates[0], s->updates[i]);
  }
  s->rank = ir_type_rank(s->operands[0]->type);
  s->update_rank = ir_type_rank(s->updates[0]->type);
  s->index_rank = ir_type_rank(s->indices->type);
  for (size_t d = 0, next = 0; d < s->rank; ++d) {
    s->dims[d] = low_dim_value(l, s->operands[0], d);
    s->size[d] = low_index(&l->b, 1);
    if (hlo_has(&s->inserted, (int64_t)d) || hlo_has(&s->batching, (int64_t)d)) continue;
    s->size[d] = low_dim_value(l, s->updates[0], (size_t)s->window.at[next]);
    s->window_dim[next++] = d;
  }
  return iree_ok_status();
}
// The index rows are the updates' dimensions outside of the window.
static void check_rows(lowering_t *l, ir_op_t *op, const scatter_t *s) {
  size_t row = 0;
  for (size_t i = 0; i < s->update_rank; ++i) {
    if (hlo_has(&s->window, (int64_t)i)) continue;
    size_t k = row++;
    k += (int64_t)k >= s->vector_dim;
    if (k < s->index_rank) low_check_extents(l, op, s->updates[0], i, s->indices, k);
  }
  for (size_t k = 0; k < s->batching.n; ++k)
    low_check_extents(l, op, s->operands[0], (size_t)s->batching.at[k], s->indices,
                      (size_t)s->index_batching.at[k]);
}
// Where the window of index row |row| starts; gives whether it lies inside, NULL if it always does.
static ir_value_t *window_start(lowering_t *l, const scatter_t *s, ir_value_t *const *row,
                                ir_value_t **start) {
  ir_builder_t *b = &l->b;
  ir_value_t *inside = NULL, *at[HLO_MAX_RANK];
  for (size_t d = 0; d < s->rank; ++d) {
    int64_t k = hlo_find(&s->to, (int64_t)d), batch = hlo_find(&s->batching, (int64_t)d);
    start[d] = NULL;
    if (batch >= 0) {
      int64_t i = s->index_batching.at[batch];
      start[d] = row[i - (i > s->vector_dim)];
      continue;
    }
    if (k < 0) continue;
    for (size_t i = 0, next = 0; i < s->index_rank; ++i)
      at[i] = (int64_t)i == s->vector_dim ? low_index(b, k) : row[next++];
    start[d] = low_to_index(b, low_extract(b, s->indices, at, s->index_rank), s->index_type);
    ir_value_t *last = low_op2(b, OP_ARITH_SUBI, s->dims[d], s->size[d]);
    ir_value_t *ok = low_op2(b, OP_ARITH_ANDI, low_cmpi(b, "sge", start[d], low_index(b, 0)),
                             low_cmpi(b, "sle", start[d], last));
    inside = inside ? low_op2(b, OP_ARITH_ANDI, inside, ok) : ok;
  }
  return inside;
}
static iree_status_t combine(lowering_t *l, ir_op_t *op, const scatter_t *s, ir_value_t *const *row,
                             ir_value_t *const *start, ir_value_t *const *window, loops_t *loops) {
  ir_builder_t *b = &l->b;
  ir_value_t *at[HLO_MAX_RANK] = {0}, *from[HLO_MAX_RANK], *args[2 * LOOPS_MAX_CARRIED],
             *results[LOOPS_MAX_CARRIED];
  for (size_t w = 0; w < s->window.n; ++w) at[s->window_dim[w]] = window[w];
  for (size_t d = 0; d < s->rank; ++d) {
    if (!at[d])
      at[d] = start[d] ? start[d] : low_index(b, 0);
    else if (start[d])
      at[d] = low_op2(b, OP_ARITH_ADDI, start[d], at[d]);
  }
  if (!s->rank) at[0] = low_index(b, 0);  // the operand has one dimension for the kernel
  size_t rank = s->rank ? s->rank : 1;
  for (size_t i = 0, next = 0; i < s->update_rank; ++i) {
    int64_t w = hlo_find(&s->window, (int64_t)i);
    from[i] = w < 0 ? row[next++] : window[w];
  }
  for (size_t i = 0; i < s->n; ++i) {
    args[i] = low_extract(b, loops->carried[i], at, rank);
    args[i] = low_convert(b, args[i], args[i]->type, s->elements[i]);
    args[s->n + i] = low_extract(b, s->updates[i], from, s->update_rank);
  }
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, b, ir_body(op), args, results));
  for (size_t i = 0; i < s->n; ++i) {
    ir_type_t stored = ir_type_element(loops->carried[i]->type);
    loops->carried[i] = low_insert(b, low_convert(b, results[i], s->elements[i], stored),
                                   loops->carried[i], at, rank);
  }
  return iree_ok_status();
}

// Booleans are bytes while the loops change them: that is how they lie in memory.
static ir_value_t *as_element(lowering_t *l, ir_value_t *v, ir_type_t element) {
  ir_type_t type = ir_type_with_element(l->ctx, v->type, element), from = ir_type_element(v->type);
  if (type == v->type) return v;
  sizes_t sizes = low_sizes_like(l, type, v);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, &v, 1);
  return low_pointwise_end(l, &p, low_convert(&p.b, p.body->args[0], from, element));
}

iree_status_t input_lower_scatter(lowering_t *l, ir_op_t *op) {
  scatter_t s = {.n = 0};
  IREE_RETURN_IF_ERROR(read_op(l, op, &s));
  check_rows(l, op, &s);
  if (!ir_type_n_elements(s.operands[0]->type) || !ir_type_n_elements(s.updates[0]->type)) {
    for (size_t i = 0; i < s.n; ++i) set_lowered(l, ir_result(op, (uint32_t)i), s.operands[i]);
    return iree_ok_status();
  }
  ir_value_t *operands[LOOPS_MAX_CARRIED], *at[HLO_MAX_RANK + 1], *row[HLO_MAX_RANK],
      *start[HLO_MAX_RANK], *sizes[HLO_MAX_RANK + 1], *window[HLO_MAX_RANK];
  ir_type_t types[LOOPS_MAX_CARRIED];
  sizes_t carried[LOOPS_MAX_CARRIED];
  size_t last = 0;  // loops up to the last row dimension
  int64_t one = 1;
  sizes_t none = sizes_none();
  for (size_t i = 0; i < s.n; ++i) {
    bool is_bool = ir_type_is_int(s.elements[i], 1);
    operands[i] = as_element(l, s.operands[i], is_bool ? ir_type_i(l->ctx, 8) : s.elements[i]);
    carried[i] = low_sizes_like(l, operands[i]->type, s.operands[i]);
    if (!s.rank)
      operands[i] = low_reshape(
          l, operands[i], ir_type_tensor(l->ctx, &one, 1, ir_type_element(operands[i]->type), NULL),
          &none);
  }
  for (size_t i = 0; i < s.n; ++i) types[i] = operands[i]->type;
  for (size_t i = 0; i < s.update_rank; ++i) {
    sizes[i] = low_dim_value(l, s.updates[0], i);
    if (!hlo_has(&s.window, (int64_t)i)) last = i + 1;
  }
  loops_t loops = low_loops_begin(l, types, carried, s.n);
  low_loops_copy(l, &loops, operands);
  // In the order of the updates; where the window starts is known within the last loop over rows.
  low_loops_open(l, &loops, sizes, last, at);
  for (size_t i = 0, n = 0; i < last; ++i)
    if (!hlo_has(&s.window, (int64_t)i)) row[n++] = at[i];
  ir_value_t *inside = window_start(l, &s, row, start);
  size_t depth = s.update_rank;
  // A window that leaves the operand has no elements.
  if (inside && depth == last) sizes[depth++] = low_index(&l->b, 1);
  if (inside) sizes[last] = low_select(&l->b, inside, sizes[last], low_index(&l->b, 0));
  low_loops_open(l, &loops, sizes + last, depth - last, at + last);
  for (size_t w = 0; w < s.window.n; ++w) window[w] = at[s.window.at[w]];
  IREE_RETURN_IF_ERROR(combine(l, op, &s, row, start, window, &loops));
  low_loops_end(l, &loops);
  for (size_t i = 0; i < s.n; ++i) {
    ir_value_t *v = as_element(l, ir_result(loops.region, i), s.elements[i]);
    set_lowered(l, ir_result(op, i), s.rank ? v : low_reshape(l, v, s.operands[i]->type, &none));
  }
  return iree_ok_status();
}
