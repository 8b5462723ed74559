// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The k largest along the last dimension, equal ones by position. What is among the k largest lies
// in one of the k blocks whose best elements are the largest: one pass over all elements finds the
// best of each block, and only these and the k chosen blocks are sorted. Blocks are about as long
// as makes both sets equally large.
#include "compiler/input/lower_sort.h"

enum {
  SORTED = 64,        // up to this length blocks gain nothing
  SUBSORTED = 65536,  // up to this length what a pass over blocks left is sorted
  MIN_BLOCK = 4,
};

typedef struct top {
  ir_type_t semantic;  // element type with its sign
  ir_type_t id;        // element type of positions
  bool by_id;          // positions do not ascend: they say which of equal elements comes first
  bool has_gaps;       // elements with position -1 do not exist
} top_t;

typedef struct entries {
  ir_value_t *value, *id;
} entries_t;

static ir_value_t *or_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_ORI, x, y);
}
static ir_value_t *exists(ir_builder_t *b, ir_value_t *id) {
  return low_cmpi(b, "sge", id, low_int(b, id->type, 0));
}

// ---- order of (value, position)
static ir_value_t *goes_first(ir_builder_t *b, const top_t *t, ir_value_t *const *x,
                              ir_value_t *const *y) {
  ir_value_t *first = low_greater(b, t->semantic, x[0], y[0]);
  if (t->by_id) {
    ir_value_t *same = low_not(b, low_greater(b, t->semantic, y[0], x[0]));
    first = or_(b, first, low_both(b, same, low_cmpi(b, "slt", x[1], y[1])));
  }
  if (t->has_gaps) first = low_both(b, exists(b, x[1]), or_(b, low_not(b, exists(b, y[1])), first));
  return first;
}
static iree_status_t before_by(ir_builder_t *b, ir_op_t *op, bool by_id, bool has_gaps,
                               ir_value_t *const *x, ir_value_t *const *y, ir_value_t **out) {
  top_t t = {ir_type_element(ir_operand(op, 0)->type), NULL, by_id, has_gaps};
  *out = goes_first(b, &t, x, y);
  return iree_ok_status();
}
static iree_status_t before_ordered(lowering_t *l, ir_builder_t *b, ir_op_t *op,
                                    ir_value_t *const *x, ir_value_t *const *y, ir_value_t **out) {
  return (void)l, before_by(b, op, false, false, x, y, out);
}
static iree_status_t before_by_id(lowering_t *l, ir_builder_t *b, ir_op_t *op, ir_value_t *const *x,
                                  ir_value_t *const *y, ir_value_t **out) {
  return (void)l, before_by(b, op, true, false, x, y, out);
}
static iree_status_t before_with_gaps(lowering_t *l, ir_builder_t *b, ir_op_t *op,
                                      ir_value_t *const *x, ir_value_t *const *y,
                                      ir_value_t **out) {
  return (void)l, before_by(b, op, true, true, x, y, out);
}

// ---- shapes
// |type| with |n| elements of |element| along the last dimension, and |m| more after that.
static ir_type_t shaped(lowering_t *l, ir_type_t type, int64_t n, int64_t m, ir_type_t element) {
  int64_t dims[HLO_MAX_RANK + 1];
  size_t rank = ir_type_rank(type);
  for (size_t d = 0; d + 1 < rank; ++d) dims[d] = ir_type_dim(type, d);
  dims[rank - 1] = n, dims[rank] = m;
  return ir_type_tensor(l->ctx, dims, rank + (m > 0), element, NULL);
}
static sizes_t batch_sizes(lowering_t *l, ir_value_t *v) {
  sizes_t sizes = sizes_none();
  for (size_t d = 0; d < ir_type_rank(v->type); ++d) sizes.at[d] = low_dim_value(l, v, d);
  return sizes;
}
static ir_value_t *first_k(lowering_t *l, ir_value_t *v, int64_t k) {
  slice_spec_t part = {.offsets = {0}};
  size_t rank = ir_type_rank(v->type);
  for (size_t d = 0; d < rank; ++d) {
    part.strides[d] = 1, part.sizes[d] = d + 1 == rank ? k : ir_type_dim(v->type, d);
    if (part.sizes[d] == IR_DYNAMIC) part.size_values[d] = low_dim_value(l, v, d);
  }
  return low_extract_slice(l, v, &part, shaped(l, v->type, k, 0, ir_type_element(v->type)));
}
static ir_value_t *positions(lowering_t *l, ir_value_t *v, ir_type_t id) {
  sizes_t sizes = batch_sizes(l, v);
  pointwise_t p =
      low_pointwise_begin(l, ir_type_with_element(l->ctx, v->type, id), &sizes, NULL, 0);
  return low_pointwise_end(
      l, &p, low_from_index(&p.b, low_loop_index(&p.b, ir_type_rank(v->type) - 1), id));
}

// ---- steps
static iree_status_t sort_entries(lowering_t *l, ir_op_t *op, const top_t *t, entries_t *e,
                                  int64_t k) {
  sorting_t s = {.op = op,
                 .before = t->has_gaps ? before_with_gaps
                           : t->by_id  ? before_by_id
                                       : before_ordered,
                 .rank = ir_type_rank(e->value->type),
                 .dim = ir_type_rank(e->value->type) - 1,
                 .n = 2,
                 .inputs = {e->value, e->id}};
  ir_value_t *sorted[2];
  IREE_RETURN_IF_ERROR(low_sort(l, &s, sorted));
  *e = (entries_t){first_k(l, sorted[0], k), first_k(l, sorted[1], k)};
  return iree_ok_status();
}
// The best element of each block of |size|; their positions are the blocks'.
static entries_t best_of_blocks(lowering_t *l, const top_t *t, const entries_t *e, int64_t n,
                                int64_t size) {
  size_t rank = ir_type_rank(e->value->type), red = rank;
  int64_t count = (n + size - 1) / size;
  ir_type_t element = ir_type_element(e->value->type);
  sizes_t sizes = batch_sizes(l, e->value), none = sizes_none();
  ir_type_t values = shaped(l, e->value->type, count, 0, element),
            ids = shaped(l, e->value->type, count, 0, t->id);
  ir_value_t *space =
      low_empty(l, ir_type_tensor(l->ctx, &size, 1, ir_type_i(l->ctx, 8), NULL), &none);
  ir_value_t *outs[2] = {low_filled(l, values, &sizes, low_zero(&l->b, element)),
                         low_filled(l, ids, &sizes, low_int(&l->b, t->id, -1))};
  ir_expr_t exprs[HLO_MAX_RANK + 1];
  bool parallel[HLO_MAX_RANK + 1];
  for (size_t d = 0; d <= rank; ++d) exprs[d] = ir_expr_dim(l->ctx, d), parallel[d] = d < rank;
  ir_attr_t own = ir_attr_map(l->ctx, rank + 1, 0, exprs, rank),
            maps[3] = {ir_attr_map(l->ctx, rank + 1, 0, exprs + red, 1), own, own};
  ir_op_t *g = linalg_build_generic(&l->b, &space, 1, outs, 2, maps, parallel, rank + 1);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *at[HLO_MAX_RANK], *const *best = ir_body(g)->args + 1;
  for (size_t d = 0; d < rank; ++d) at[d] = low_loop_index(&b, d);
  at[rank - 1] =
      low_op2(&b, OP_ARITH_ADDI, low_op2(&b, OP_ARITH_MULI, at[rank - 1], low_index(&b, size)),
              low_loop_index(&b, red));
  ir_value_t *valid = NULL;
  if (n % size) {
    valid = low_cmpi(&b, "slt", at[rank - 1], low_index(&b, n));
    at[rank - 1] = low_op2(&b, OP_ARITH_MINSI, at[rank - 1], low_index(&b, n - 1));
  }
  top_t gaps = *t;
  gaps.has_gaps = true;  // the best so far is none at first
  gaps.by_id |= t->has_gaps;
  ir_value_t *x[2] = {low_extract(&b, e->value, at, rank), low_extract(&b, e->id, at, rank)};
  ir_value_t *better = goes_first(&b, &gaps, x, best);
  if (valid) better = low_both(&b, better, valid);
  ir_value_t *next[2] = {low_select(&b, better, x[0], best[0]),
                         low_select(&b, better, x[1], best[1])};
  linalg_build_yield(l->ctx, g, next, 2, l->b.loc);
  return (entries_t){ir_result(g, 0), ir_result(g, 1)};
}
// The elements of the blocks numbered |blocks|.
static entries_t members(lowering_t *l, const top_t *t, const entries_t *e, int64_t n, int64_t size,
                         ir_value_t *blocks, int64_t k) {
  size_t rank = ir_type_rank(e->value->type);
  sizes_t sizes = batch_sizes(l, e->value);
  ir_value_t *from[2] = {e->value, e->id}, *to[2];
  for (size_t i = 0; i < 2; ++i) {
    ir_type_t element = ir_type_element(from[i]->type);
    pointwise_t p =
        low_pointwise_begin(l, shaped(l, e->value->type, k, size, element), &sizes, NULL, 0);
    ir_value_t *at[HLO_MAX_RANK];
    for (size_t d = 0; d < rank; ++d) at[d] = low_loop_index(&p.b, d);
    ir_value_t *block = low_to_index(&p.b, low_extract(&p.b, blocks, at, rank), t->id);
    at[rank - 1] =
        low_op2(&p.b, OP_ARITH_ADDI, low_op2(&p.b, OP_ARITH_MULI, block, low_index(&p.b, size)),
                low_loop_index(&p.b, rank));
    ir_value_t *valid = low_cmpi(&p.b, "slt", at[rank - 1], low_index(&p.b, n));
    if (n % size)
      at[rank - 1] = low_op2(&p.b, OP_ARITH_MINSI, at[rank - 1], low_index(&p.b, n - 1));
    ir_value_t *v = low_extract(&p.b, from[i], at, rank);
    if (i && n % size) v = low_select(&p.b, valid, v, low_int(&p.b, element, -1));
    to[i] = low_merge_dims(l, low_pointwise_end(l, &p, v), rank - 1, 2);
  }
  return (entries_t){to[0], to[1]};
}

static int64_t block_size(int64_t n, int64_t k) {
  int64_t size = 1;
  while ((size + 1) * (size + 1) <= n / k) ++size;
  return size;
}
// |e|: its |k| first. |limit|: up to this length they are sorted.
static iree_status_t pick(lowering_t *l, ir_op_t *op, const top_t *t, int64_t n, int64_t k,
                          int64_t limit, entries_t *e) {
  int64_t size = n == IR_DYNAMIC || n <= limit ? 1 : block_size(n, k);
  if (size < MIN_BLOCK) return sort_entries(l, op, t, e, k);
  int64_t count = (n + size - 1) / size;
  entries_t best = best_of_blocks(l, t, e, n, size);
  // Blocks stand in the order of their elements, unless those have none.
  ir_value_t *numbers = positions(l, best.value, t->id), *blocks;
  if (!t->by_id) {
    best.id = numbers;
    IREE_RETURN_IF_ERROR(pick(l, op, t, count, k, SUBSORTED, &best));
    blocks = best.id;
  } else {
    sorting_t s = {.op = op,
                   .before = t->has_gaps ? before_with_gaps : before_by_id,
                   .rank = ir_type_rank(best.value->type),
                   .dim = ir_type_rank(best.value->type) - 1,
                   .n = 3,
                   .inputs = {best.value, best.id, numbers}};
    ir_value_t *sorted[3];
    IREE_RETURN_IF_ERROR(low_sort(l, &s, sorted));
    blocks = first_k(l, sorted[2], k);
  }
  *e = members(l, t, e, n, size, blocks, k);
  top_t rest = *t;
  rest.by_id = true;
  rest.has_gaps |= n % size != 0;
  return pick(l, op, &rest, k * size, k, SUBSORTED, e);
}

static void check_length(lowering_t *l, ir_value_t *v, int64_t k) {
  ir_value_t *enough =
      low_cmpi(&l->b, "sge", low_dim_value(l, v, ir_type_rank(v->type) - 1), low_index(&l->b, k));
  ir_named_t attrs[1] = {
      {"msg", ir_attr_str(l->ctx, "chlo.top_k: there are fewer than k elements")}};
  ir_build(&l->b, &(ir_op_desc_t){.kind = OP_CF_ASSERT,
                                  .operands = &enough,
                                  .n_operands = 1,
                                  .attrs = attrs,
                                  .n_attrs = 1});
}
iree_status_t input_lower_top_k(lowering_t *l, ir_op_t *op) {
  ir_type_t type = ir_operand(op, 0)->type;
  if (!ir_is(type, IR_T_TENSOR) || !ir_type_rank(type) || ir_type_rank(type) + 2 > HLO_MAX_RANK ||
      ir_is(ir_type_element(type), IR_T_COMPLEX))
    return ir_op_error(op, "needs a tensor of ordered numbers");
  size_t rank = ir_type_rank(type);
  ir_type_t ids = low_type(l->ctx, ir_result(op, 1)->type);
  int64_t n = ir_type_dim(type, rank - 1), k = ir_op_int(op, "k", -1);
  if (ir_type_rank(ir_result(op, 0)->type) != rank || ir_type_rank(ids) != rank)
    return ir_op_error(op, "keeps the rank");
  if (k < 0 || (n != IR_DYNAMIC && k > n) || ir_type_dim(ids, rank - 1) != k)
    return ir_op_error(op, "needs a k of 0 to the number of elements, and as many results");
  top_t t = {.semantic = ir_type_element(type), .id = ir_type_element(ids)};
  ir_value_t *v = lowered_operand(l, op, 0);
  if (n == IR_DYNAMIC) check_length(l, v, k);
  entries_t e = {v, positions(l, v, t.id)};
  if (k)
    IREE_RETURN_IF_ERROR(pick(l, op, &t, n, k, SORTED, &e));
  else
    e = (entries_t){first_k(l, e.value, 0), first_k(l, e.id, 0)};
  set_lowered(l, ir_result(op, 0), e.value);
  set_lowered(l, ir_result(op, 1), e.id);
  return iree_ok_status();
}
