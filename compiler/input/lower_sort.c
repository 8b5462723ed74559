// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting in n log n work by steps whose elements are all independent, so that workers, lanes and
// other targets share one form. Always stable.
//
//   blocks   elements of a block count how many of it come before them, which is their place
//   merges   a host loop doubles sorted runs. Places at distance CHUNK find by bisection how many
//            of the first run come before them; each place in between continues from there, in
//            log2(CHUNK) steps, and takes its element.
#include "compiler/input/lower_sort.h"

enum {
  COUNTED = 64,  // up to this length one block does: quadratic, but in few vectors
  BLOCK = 32,    // of longer ones; counting two of these costs as much as one merge
  CHUNK = 16,    // bisections from scratch are then one in 16, and those within it take 4 steps
  CHUNK_STEPS = 4,
};

// ---- loops: the dimensions of the tensors, in |rank| loops; more loops follow
static ir_attr_t loops_map(lowering_t *l, size_t n_loops, size_t rank) {
  ir_expr_t exprs[HLO_MAX_RANK + 2];
  for (size_t i = 0; i < rank; ++i) exprs[i] = ir_expr_dim(l->ctx, i);
  return ir_attr_map(l->ctx, n_loops, 0, exprs, rank);
}
// A generic whose loops are |rank| dimensions of |outs| and, if |steps|, one that repeats.
static ir_op_t *stepped(lowering_t *l, ir_value_t *steps, ir_value_t *const *outs, size_t n) {
  size_t rank = ir_type_rank(outs[0]->type);
  ir_attr_t maps[SORT_MAX_INPUTS + 2];
  bool parallel[HLO_MAX_RANK + 2];
  ir_expr_t last = ir_expr_dim(l->ctx, rank);
  for (size_t i = 0; i <= rank; ++i) parallel[i] = i < rank;
  if (steps) maps[0] = ir_attr_map(l->ctx, rank + 1, 0, &last, 1);
  for (size_t i = 0; i < n; ++i) maps[!!steps + i] = loops_map(l, rank + !!steps, rank);
  return linalg_build_generic(&l->b, &steps, !!steps, outs, n, maps, parallel, rank + !!steps);
}
// Never read: gives a loop its extent.
static ir_value_t *extent_of(lowering_t *l, int64_t n, ir_value_t *value) {
  sizes_t sizes = {.at = {value}};
  return low_empty(l, ir_type_tensor(l->ctx, &n, 1, ir_type_i(l->ctx, 8), NULL), &sizes);
}

static ir_value_t *min_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_MINSI, x, y);
}
static ir_value_t *max_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_MAXSI, x, y);
}
static ir_value_t *add_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_ADDI, x, y);
}
static ir_value_t *sub_(ir_builder_t *b, ir_value_t *x, ir_value_t *y) {
  return low_op2(b, OP_ARITH_SUBI, x, y);
}

// Elements of |x| at |position| along the sorted dimension, elsewhere at the point of the loops.
// |gap| loops more stand where the sorted dimension is.
static void read_at(const sorting_t *s, ir_builder_t *b, ir_value_t *const *x, ir_value_t *position,
                    size_t gap, ir_value_t **out) {
  ir_value_t *at[HLO_MAX_RANK];
  for (size_t d = 0; d < s->rank; ++d)
    at[d] = d == s->dim ? position : low_loop_index(b, d + (d > s->dim ? gap : 0));
  for (size_t i = 0; i < s->n; ++i) out[i] = low_extract(b, x[i], at, s->rank);
}
// |type| with |extents| in place of the sorted dimension.
static ir_type_t with_extents(lowering_t *l, const sorting_t *s, ir_type_t type,
                              const int64_t *extents, size_t n) {
  int64_t dims[HLO_MAX_RANK + 1];
  size_t to = 0;
  for (size_t d = 0; d < s->rank; ++d) {
    if (d != s->dim) dims[to++] = ir_type_dim(type, d);
    for (size_t i = 0; d == s->dim && i < n; ++i) dims[to++] = extents[i];
  }
  return ir_type_tensor(l->ctx, dims, to, ir_type_element(type), NULL);
}
// Of such a type: |count| is the first of the extents, where dynamic.
static sizes_t with_count(lowering_t *l, const sorting_t *s, ir_value_t *count, size_t gap) {
  sizes_t sizes = sizes_none();
  for (size_t d = 0; d < s->rank; ++d)
    sizes.at[d + (d > s->dim ? gap : 0)] = d == s->dim ? count : low_dim_value(l, s->inputs[0], d);
  return sizes;
}

// ---- blocks
typedef struct blocks {
  int64_t size, count;
  ir_value_t *count_value;
  bool ragged;  // the last one is not full
} blocks_t;

// Where element |i| of the block of the loops stands; |*valid| is NULL if it always exists.
static ir_value_t *in_block(const sorting_t *s, const blocks_t *blocks, ir_builder_t *b,
                            ir_value_t *i, ir_value_t **valid) {
  ir_value_t *at =
      add_(b, low_op2(b, OP_ARITH_MULI, low_loop_index(b, s->dim), low_index(b, blocks->size)), i);
  *valid = NULL;
  if (!blocks->ragged) return at;
  *valid = low_cmpi(b, "slt", at, s->extent);
  return min_(b, at, sub_(b, s->extent, low_index(b, 1)));
}
static iree_status_t places(lowering_t *l, const sorting_t *s, const blocks_t *blocks,
                            ir_value_t **out) {
  ir_type_t i32 = ir_type_i(l->ctx, 32),
            type = with_extents(l, s, ir_type_with_element(l->ctx, s->inputs[0]->type, i32),
                                (int64_t[]){blocks->count, blocks->size}, 2);
  sizes_t sizes = with_count(l, s, blocks->count_value, 1);
  ir_value_t *zero = low_filled(l, type, &sizes, low_int(&l->b, i32, 0)), *valid, *before, *after,
             *own[SORT_MAX_INPUTS], *other[SORT_MAX_INPUTS];
  ir_op_t *g = stepped(l, extent_of(l, blocks->size, NULL), &zero, 1);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *i = low_loop_index(&b, s->dim + 1), *k = low_loop_index(&b, s->rank + 1);
  read_at(s, &b, s->inputs, in_block(s, blocks, &b, i, &valid), 1, own);
  read_at(s, &b, s->inputs, in_block(s, blocks, &b, k, &valid), 1, other);
  IREE_RETURN_IF_ERROR(s->before(l, &b, s->op, other, own, &before));
  IREE_RETURN_IF_ERROR(s->before(l, &b, s->op, own, other, &after));
  // Those that come before each other, or neither, are equal.
  ir_value_t *differ = low_op2(&b, OP_ARITH_XORI, before, after);
  ir_value_t *counts = low_select(&b, differ, before, low_cmpi(&b, "slt", k, i));
  if (valid) counts = low_both(&b, counts, valid);
  ir_value_t *sum =
      add_(&b, ir_body(g)->args[1], ir_build1(&b, OP_ARITH_EXTUI, i32, counts, NULL, NULL));
  linalg_build_yield(l->ctx, g, &sum, 1, l->b.loc);
  *out = ir_result(g, 0);
  return iree_ok_status();
}
// Each place of a block takes the element that belongs there.
static void take_places(lowering_t *l, const sorting_t *s, const blocks_t *blocks,
                        ir_value_t *place, ir_value_t **out) {
  ir_value_t *outs[SORT_MAX_INPUTS], *taken[SORT_MAX_INPUTS], *at[HLO_MAX_RANK + 1], *valid;
  sizes_t sizes = with_count(l, s, blocks->count_value, 1);
  for (size_t i = 0; i < s->n; ++i) {
    ir_type_t type =
        with_extents(l, s, s->inputs[i]->type, (int64_t[]){blocks->count, blocks->size}, 2);
    outs[i] = low_filled(l, type, &sizes, low_zero(&l->b, ir_type_element(type)));
  }
  ir_op_t *g = stepped(l, extent_of(l, blocks->size, NULL), outs, s->n);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *k = low_loop_index(&b, s->rank + 1);
  for (size_t d = 0; d <= s->rank; ++d) at[d] = d == s->dim + 1 ? k : low_loop_index(&b, d);
  ir_value_t *here = low_from_index(&b, low_loop_index(&b, s->dim + 1), ir_type_i(l->ctx, 32));
  ir_value_t *hit = low_cmpi(&b, "eq", low_extract(&b, place, at, s->rank + 1), here);
  read_at(s, &b, s->inputs, in_block(s, blocks, &b, k, &valid), 1, taken);
  if (valid) hit = low_both(&b, hit, valid);
  for (size_t i = 0; i < s->n; ++i)
    taken[i] = low_select(&b, hit, taken[i], ir_body(g)->args[1 + i]);
  linalg_build_yield(l->ctx, g, taken, s->n, l->b.loc);
  for (size_t i = 0; i < s->n; ++i) out[i] = ir_result(g, i);
}
// |v| in blocks as it was, without what filled the last one.
static ir_value_t *unblocked(lowering_t *l, const sorting_t *s, const blocks_t *blocks,
                             ir_value_t *v, ir_type_t type) {
  sizes_t sizes = with_count(l, s, NULL, 0);
  v = low_merge_dims(l, v, s->dim, 2);
  if (!blocks->ragged) return low_tensor_cast(l, v, type);
  slice_spec_t part = {.offsets = {0}};
  for (size_t d = 0; d < s->rank; ++d) {
    part.strides[d] = 1, part.sizes[d] = ir_type_dim(type, d);
    if (part.sizes[d] == IR_DYNAMIC) part.size_values[d] = d == s->dim ? s->extent : sizes.at[d];
  }
  return low_extract_slice(l, v, &part, type);
}
static iree_status_t sort_blocks(lowering_t *l, const sorting_t *s, int64_t n, ir_value_t **out) {
  blocks_t blocks = {.size = n != IR_DYNAMIC && n <= COUNTED ? n : BLOCK, .count = IR_DYNAMIC};
  blocks.ragged = n == IR_DYNAMIC || n % blocks.size;
  if (n != IR_DYNAMIC)
    blocks.count = (n + blocks.size - 1) / blocks.size;
  else
    blocks.count_value = low_op2(&l->b, OP_ARITH_CEILDIVSI, s->extent, low_index(&l->b, BLOCK));
  ir_value_t *place;
  IREE_RETURN_IF_ERROR(places(l, s, &blocks, &place));
  take_places(l, s, &blocks, place, out);
  for (size_t i = 0; i < s->n; ++i) out[i] = unblocked(l, s, &blocks, out[i], s->inputs[i]->type);
  return iree_ok_status();
}

// ---- merges
typedef struct merge {
  ir_value_t *run,
      *steps;  // length of sorted runs, a power of two; bisections of one takes |steps|
  ir_value_t *x[SORT_MAX_INPUTS];
} merge_t;
// The pair of runs that holds a place: [first, middle) and [middle, end). |d| places come before.
typedef struct pair {
  ir_value_t *first, *middle, *d, *n_a, *n_b;
} pair_t;
static pair_t pair_at(const sorting_t *s, const merge_t *m, ir_builder_t *b, ir_value_t *place) {
  pair_t p;
  ir_value_t *twice = add_(b, m->run, m->run);
  p.first = low_both(b, place, sub_(b, low_index(b, 0), twice));
  p.middle = min_(b, add_(b, p.first, m->run), s->extent);
  p.d = sub_(b, place, p.first);
  p.n_a = sub_(b, p.middle, p.first);
  p.n_b = sub_(b, min_(b, add_(b, p.first, twice), s->extent), p.middle);
  return p;
}
static ir_value_t *clamped(const sorting_t *s, ir_builder_t *b, ir_value_t *i) {
  ir_value_t *top = sub_(b, s->extent, low_index(b, 1));
  return max_(b, min_(b, i, top), low_index(b, 0));
}
// Between which counts of first-run elements before a place the right one lies: those of the pair,
// or of the chunk if |starts| gives its.
typedef struct range {
  ir_value_t *lo, *hi;
} range_t;
static range_t range_at(const sorting_t *s, ir_builder_t *b, const pair_t *p, ir_value_t *starts) {
  ir_value_t *loop = low_loop_index(b, s->dim), *at[HLO_MAX_RANK];
  range_t r = {max_(b, sub_(b, p->d, p->n_b), low_index(b, 0)), min_(b, p->d, p->n_a)};
  if (!starts) return r;
  for (size_t d = 0; d < s->rank; ++d) at[d] = low_loop_index(b, d);
  at[s->dim] = low_op2(b, OP_ARITH_SHRUI, loop, low_index(b, CHUNK_STEPS));
  ir_value_t *within = low_both(b, loop, low_index(b, CHUNK - 1)),
             *start = low_to_index(b, low_extract(b, starts, at, s->rank), ir_type_i(b->ctx, 64));
  start = add_(b, start, max_(b, sub_(b, sub_(b, p->d, within), p->n_b), low_index(b, 0)));
  return (range_t){max_(b, r.lo, start), min_(b, r.hi, add_(b, start, within))};
}
static pair_t pair_of_loop(const sorting_t *s, const merge_t *m, ir_builder_t *b, bool of_chunks) {
  ir_value_t *loop = low_loop_index(b, s->dim);
  if (of_chunks) loop = low_op2(b, OP_ARITH_MULI, loop, low_index(b, CHUNK));
  return pair_at(s, m, b, loop);
}
// How many elements of the first run stand before each place, or before each chunk if |starts| is
// NULL, counted from the least of the range. The count grows by powers of two, the largest first.
static iree_status_t count_first(lowering_t *l, const sorting_t *s, const merge_t *m,
                                 ir_type_t type, const sizes_t *sizes, ir_value_t *starts,
                                 ir_value_t **out) {
  ir_type_t i64 = ir_type_i(l->ctx, 64);
  ir_value_t *init = low_filled(l, type, sizes, low_int(&l->b, i64, 0)), *steps, *n_steps;
  steps = starts ? low_index(&l->b, CHUNK_STEPS) : m->steps;
  n_steps = starts ? extent_of(l, CHUNK_STEPS, NULL) : extent_of(l, IR_DYNAMIC, m->steps);
  ir_op_t *g = stepped(l, n_steps, &init, 1);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *count = ir_body(g)->args[1], *first[SORT_MAX_INPUTS], *second[SORT_MAX_INPUTS],
             *before, *one = low_index(&b, 1);
  pair_t p = pair_of_loop(s, m, &b, !starts);
  range_t r = range_at(s, &b, &p, starts);
  ir_value_t *step =
      low_op2(&b, OP_ARITH_SHLI, one, sub_(&b, sub_(&b, steps, one), low_loop_index(&b, s->rank)));
  ir_value_t *more = add_(&b, low_to_index(&b, count, i64), step), *tried = add_(&b, r.lo, more),
             *i = sub_(&b, tried, one), *j = sub_(&b, p.d, tried);
  read_at(s, &b, m->x, clamped(s, &b, add_(&b, p.first, i)), 0, first);
  read_at(s, &b, m->x, clamped(s, &b, add_(&b, p.middle, j)), 0, second);
  IREE_RETURN_IF_ERROR(s->before(l, &b, s->op, second, first, &before));
  ir_value_t *fits = low_cmpi(&b, "sle", tried, r.hi);
  ir_value_t *next =
      low_select(&b, low_both(&b, fits, low_not(&b, before)), low_from_index(&b, more, i64), count);
  linalg_build_yield(l->ctx, g, &next, 1, l->b.loc);
  *out = ir_result(g, 0);
  return iree_ok_status();
}
// Each place takes its element.
static iree_status_t take_merged(lowering_t *l, const sorting_t *s, const merge_t *m,
                                 ir_value_t *starts, ir_value_t *counts, ir_value_t **out) {
  ir_value_t *outs[SORT_MAX_INPUTS], *first[SORT_MAX_INPUTS], *second[SORT_MAX_INPUTS],
      *taken[SORT_MAX_INPUTS], *before;
  ir_type_t i64 = ir_type_i(l->ctx, 64);
  for (size_t i = 0; i < s->n; ++i) {
    sizes_t sizes = low_sizes_like(l, m->x[i]->type, s->inputs[0]);
    outs[i] = low_empty(l, m->x[i]->type, &sizes);
  }
  ir_attr_t maps[SORT_MAX_INPUTS + 1];
  for (size_t i = 0; i <= s->n; ++i) maps[i] = ir_attr_identity_map(l->ctx, s->rank);
  ir_op_t *g = linalg_build_generic(&l->b, &counts, 1, outs, s->n, maps, NULL, s->rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  pair_t p = pair_of_loop(s, m, &b, false);
  ir_value_t *a = add_(&b, range_at(s, &b, &p, starts).lo,
                       low_to_index(&b, ir_body(g)->args[0], i64)),
             *c = sub_(&b, p.d, a);
  read_at(s, &b, m->x, clamped(s, &b, add_(&b, p.first, a)), 0, first);
  read_at(s, &b, m->x, clamped(s, &b, add_(&b, p.middle, c)), 0, second);
  IREE_RETURN_IF_ERROR(s->before(l, &b, s->op, second, first, &before));
  ir_value_t *left =
      low_both(&b, low_cmpi(&b, "slt", a, p.n_a),
           low_op2(&b, OP_ARITH_ORI, low_cmpi(&b, "sge", c, p.n_b), low_not(&b, before)));
  for (size_t i = 0; i < s->n; ++i) taken[i] = low_select(&b, left, first[i], second[i]);
  linalg_build_yield(l->ctx, g, taken, s->n, l->b.loc);
  for (size_t i = 0; i < s->n; ++i) out[i] = ir_result(g, i);
  return iree_ok_status();
}
static iree_status_t merge_pairs(lowering_t *l, const sorting_t *s, const merge_t *m, int64_t n,
                                 ir_value_t **out) {
  ir_type_t i64 = ir_type_i(l->ctx, 64), full = ir_type_with_element(l->ctx, m->x[0]->type, i64);
  int64_t n_chunks = n == IR_DYNAMIC ? IR_DYNAMIC : (n + CHUNK - 1) / CHUNK;
  ir_value_t *starts, *counts;
  ir_value_t *chunks = low_op2(&l->b, OP_ARITH_CEILDIVSI, s->extent, low_index(&l->b, CHUNK));
  sizes_t of_chunks = with_count(l, s, chunks, 0),
          of_places = low_sizes_like(l, full, s->inputs[0]);
  IREE_RETURN_IF_ERROR(
      count_first(l, s, m, with_extents(l, s, full, &n_chunks, 1), &of_chunks, NULL, &starts));
  IREE_RETURN_IF_ERROR(count_first(l, s, m, full, &of_places, starts, &counts));
  return take_merged(l, s, m, starts, counts, out);
}
// while (run < n) merge pairs of runs
static iree_status_t merge_all(lowering_t *l, const sorting_t *s, int64_t n, ir_value_t **x) {
  ir_value_t *values[SORT_MAX_INPUTS + 3], *one = low_index(&l->b, 1);
  ir_type_t types[SORT_MAX_INPUTS + 2];
  size_t n_values = s->n + 2;
  int64_t steps = 0;  // 2^steps - 1 is the length of a run at least
  while (1 << steps <= BLOCK) ++steps;
  values[0] = low_index(&l->b, BLOCK), values[1] = low_index(&l->b, steps);
  for (size_t i = 0; i < s->n; ++i) values[2 + i] = x[i];
  for (size_t i = 0; i < n_values; ++i) types[i] = values[i]->type;
  ir_op_t *loop = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_WHILE,
                                                  .operands = values,
                                                  .n_operands = n_values,
                                                  .results = types,
                                                  .n_results = n_values,
                                                  .n_regions = 2});
  ir_builder_t saved = l->b;
  ir_block_t *blocks[2];
  for (size_t r = 0; r < 2; ++r) {
    blocks[r] = ir_block_create(l->ctx, loop->regions[r]);
    for (size_t i = 0; i < n_values; ++i) ir_block_add_arg(l->ctx, blocks[r], types[i]);
  }
  l->b = ir_builder_at_end(l->ctx, blocks[0]);
  l->b.loc = saved.loc;
  values[0] = low_cmpi(&l->b, "slt", blocks[0]->args[0], s->extent);
  for (size_t i = 0; i < n_values; ++i) values[1 + i] = blocks[0]->args[i];
  ir_build(&l->b, &(ir_op_desc_t){
                      .kind = OP_SCF_CONDITION, .operands = values, .n_operands = n_values + 1});
  l->b = ir_builder_at_end(l->ctx, blocks[1]);
  l->b.loc = saved.loc;
  merge_t m = {.run = blocks[1]->args[0], .steps = blocks[1]->args[1]};
  for (size_t i = 0; i < s->n; ++i) m.x[i] = blocks[1]->args[2 + i];
  IREE_RETURN_IF_ERROR(merge_pairs(l, s, &m, n, values + 2));
  values[0] = add_(&l->b, m.run, m.run), values[1] = add_(&l->b, m.steps, one);
  ir_build(&l->b,
           &(ir_op_desc_t){.kind = OP_SCF_YIELD, .operands = values, .n_operands = n_values});
  l->b = saved;
  for (size_t i = 0; i < s->n; ++i) x[i] = ir_result(loop, 2 + i);
  return iree_ok_status();
}

iree_status_t low_sort(lowering_t *l, sorting_t *s, ir_value_t **out) {
  int64_t n = ir_type_dim(s->inputs[0]->type, s->dim);
  for (size_t i = 0; i < s->n; ++i) out[i] = s->inputs[i];
  if (n != IR_DYNAMIC && n < 2) return iree_ok_status();
  s->extent = low_dim_value(l, s->inputs[0], s->dim);
  IREE_RETURN_IF_ERROR(sort_blocks(l, s, n, out));
  return n != IR_DYNAMIC && n <= COUNTED ? iree_ok_status() : merge_all(l, s, n, out);
}

// ---- the op
// Does the comparator order operand |i| by a comparison in which NaN is neither less nor greater?
static bool is_compared_loosely(ir_op_t *op, uint32_t i) {
  const ir_block_t *body = ir_body(op);
  if (!ir_type_is_float(ir_type_element(ir_operand(op, i)->type))) return false;
  for (const ir_op_t *c = body->first; c; c = c->next) {
    if (c->kind != OP_HLO_COMPARE || ir_str_is(ir_op_attr(c, "compare_type"), "TOTALORDER"))
      continue;
    for (uint32_t k = 0; k < 2; ++k)
      if (ir_operand(c, k) == body->args[2 * i] || ir_operand(c, k) == body->args[2 * i + 1])
        return true;
  }
  return false;
}
static ir_value_t *is_nan(ir_builder_t *b, ir_value_t *so_far, ir_value_t *x) {
  ir_value_t *nan = low_cmpf(b, "uno", x, x);
  return so_far ? low_op2(b, OP_ARITH_ORI, so_far, nan) : nan;
}
static iree_status_t by_region(lowering_t *l, ir_builder_t *b, ir_op_t *op, ir_value_t *const *x,
                               ir_value_t *const *y, ir_value_t **out) {
  ir_value_t *args[2 * SORT_MAX_INPUTS], *x_nan = NULL, *y_nan = NULL;
  for (uint32_t i = 0; i < op->n_operands; ++i) args[2 * i] = x[i], args[2 * i + 1] = y[i];
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, b, ir_body(op), args, out));
  // NaN goes last where the comparator leaves it open: places must follow from one order.
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    if (!is_compared_loosely(op, i)) continue;
    x_nan = is_nan(b, x_nan, x[i]), y_nan = is_nan(b, y_nan, y[i]);
  }
  if (x_nan) *out = low_select(b, low_op2(b, OP_ARITH_XORI, x_nan, y_nan), y_nan, *out);
  return iree_ok_status();
}
iree_status_t input_lower_sort(lowering_t *l, ir_op_t *op) {
  sorting_t s = {.op = op,
                 .before = by_region,
                 .rank = ir_type_rank(ir_operand(op, 0)->type),
                 .n = op->n_operands};
  int64_t dim = ir_op_int(op, "dimension", -1);
  ir_value_t *sorted[SORT_MAX_INPUTS];
  if (op->n_operands > SORT_MAX_INPUTS)
    return ir_op_error(op, "takes at most %d inputs", SORT_MAX_INPUTS);
  if (!s.rank) return ir_op_error(op, "needs a dimension to sort along");
  if (s.rank + 2 > HLO_MAX_RANK) return ir_op_error(op, "needs a rank below %d", HLO_MAX_RANK - 1);
  s.dim = (size_t)(dim < 0 ? dim + (int64_t)s.rank : dim);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    s.inputs[i] = lowered_operand(l, op, i);
    low_check_shapes(l, op, s.inputs[0], s.inputs[i]);
  }
  IREE_RETURN_IF_ERROR(low_sort(l, &s, sorted));
  for (uint32_t i = 0; i < op->n_results; ++i) set_lowered(l, ir_result(op, i), sorted[i]);
  return iree_ok_status();
}
