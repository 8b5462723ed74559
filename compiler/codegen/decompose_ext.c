// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of iree_linalg_ext, which come with kernels that upstream formed, as loops over elements
// (schedule_loops.c): each as upstream defines it, with the work that its definition has.
//
//   sort     neighbours that are out of order change places, n times over
//   topk     each element moves down the list of the best until it stays
//   scan     each element is combined with the result before it
//   scatter  one update after another
#include <string.h>

#include "compiler/codegen/decompose.h"
#include "compiler/dialects/low.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/fold.h"

enum { MAX_RANK = 24, MAX_CARRIED = 16 };

typedef struct {
  ir_ctx_t *ctx;
  iree_arena_t *arena;
  ir_op_t *op;
  ir_builder_t b;  // where code goes
  ir_value_t *carried[MAX_CARRIED];
  size_t n;
  ir_op_t *open[2 * MAX_RANK];
  ir_builder_t after[2 * MAX_RANK];
  size_t depth;
} loops_t;

static ir_value_t *index_of(loops_t *l, int64_t value) {
  return low_int(&l->b, ir_type_index(l->ctx), value);
}
static ir_value_t *extent(loops_t *l, ir_value_t *tensor, size_t d) {
  int64_t dim = ir_type_dim(tensor->type, d);
  if (dim != IR_DYNAMIC) return index_of(l, dim);
  return ir_build1(&l->b, OP_TENSOR_DIM, ir_type_index(l->ctx), tensor, index_of(l, (int64_t)d),
                   NULL);
}
static ir_value_t *extract(loops_t *l, ir_value_t *tensor, ir_value_t *const *at) {
  ir_value_t *operands[1 + MAX_RANK] = {tensor};
  size_t rank = ir_type_rank(tensor->type);
  ir_type_t element = ir_type_element(tensor->type);
  if (rank) memcpy(operands + 1, at, rank * sizeof *at);
  return ir_result(ir_build(&l->b, &(ir_op_desc_t){.kind = OP_TENSOR_EXTRACT,
                                                   .operands = operands,
                                                   .n_operands = 1 + rank,
                                                   .results = &element,
                                                   .n_results = 1}),
                   0);
}
static void insert(loops_t *l, size_t i, ir_value_t *scalar, ir_value_t *const *at) {
  ir_value_t *operands[2 + MAX_RANK] = {scalar, l->carried[i]};
  ir_type_t type = l->carried[i]->type;
  size_t rank = ir_type_rank(type);
  if (rank) memcpy(operands + 2, at, rank * sizeof *at);
  l->carried[i] = ir_result(ir_build(&l->b, &(ir_op_desc_t){.kind = OP_TENSOR_INSERT,
                                                            .operands = operands,
                                                            .n_operands = 2 + rank,
                                                            .results = &type,
                                                            .n_results = 1}),
                            0);
}
static ir_value_t *open_loop(loops_t *l, ir_value_t *to) {
  ir_value_t *operands[3 + MAX_CARRIED] = {index_of(l, 0), to, index_of(l, 1)};
  ir_type_t types[MAX_CARRIED];
  for (size_t i = 0; i < l->n; ++i) operands[3 + i] = l->carried[i], types[i] = l->carried[i]->type;
  ir_op_t *op = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_FOR,
                                                .operands = operands,
                                                .n_operands = 3 + l->n,
                                                .results = types,
                                                .n_results = l->n,
                                                .n_regions = 1});
  ir_block_t *body = ir_block_create(l->ctx, op->regions[0]);
  ir_value_t *iv = ir_block_add_arg(l->ctx, body, ir_type_index(l->ctx));
  for (size_t i = 0; i < l->n; ++i) l->carried[i] = ir_block_add_arg(l->ctx, body, types[i]);
  l->after[l->depth] = l->b;
  l->open[l->depth++] = op;
  l->b = ir_builder_at_end(l->ctx, body);
  l->b.loc = l->op->loc;
  return iv;
}
static void close_loop(loops_t *l) {
  ir_op_t *op = l->open[--l->depth];
  ir_build(&l->b, &(ir_op_desc_t){
                      .kind = OP_SCF_YIELD, .operands = l->carried, .n_operands = op->n_results});
  l->b = l->after[l->depth];
  for (size_t i = 0; i < op->n_results; ++i) l->carried[i] = ir_result(op, i);
  l->n = l->depth ? l->open[l->depth - 1]->n_results : op->n_results;
}
// The body of the op on |args|; its first value.
static ir_value_t *apply(loops_t *l, ir_value_t *const *args) {
  ir_map_t *map = ir_map_create(l->arena);
  ir_block_t *body = ir_body(l->op);
  for (uint32_t i = 0; i < body->n_args; ++i) ir_map_set(map, body->args[i], args[i]);
  for (ir_op_t *op = body->first; op != body->last; op = op->next)
    ir_insert(&l->b, ir_op_clone(l->ctx, op, map));
  ir_value_t *yielded = ir_operand(body->last, 0), *found = ir_map_get(map, yielded);
  return found ? found : yielded;
}
// Loops over all dimensions of |tensor| but |skipped|.
static void open_others(loops_t *l, ir_value_t *tensor, size_t skipped, ir_value_t **at) {
  for (size_t d = 0; d < ir_type_rank(tensor->type); ++d)
    if (d != skipped) at[d] = open_loop(l, extent(l, tensor, d));
}

static void sort(loops_t *l, size_t dim) {
  ir_value_t *first = l->carried[0], *at[MAX_RANK], *next[MAX_RANK], *both[2 * MAX_CARRIED] = {0};
  ir_value_t *n = extent(l, first, dim), *fewer = low_op2(&l->b, OP_ARITH_SUBI, n, index_of(l, 1));
  size_t n_tensors = l->n;
  open_others(l, first, dim, at);
  open_loop(l, n);
  at[dim] = open_loop(l, fewer);
  memcpy(next, at, sizeof at);
  next[dim] = low_op2(&l->b, OP_ARITH_ADDI, at[dim], index_of(l, 1));
  for (size_t i = 0; i < n_tensors; ++i) {
    both[2 * i] = extract(l, l->carried[i], at);
    both[2 * i + 1] = extract(l, l->carried[i], next);
  }
  ir_value_t *stay = apply(l, both);
  for (size_t i = 0; i < n_tensors; ++i) {
    insert(l, i, low_pick(&l->b, stay, both[2 * i], both[2 * i + 1]), at);
    insert(l, i, low_pick(&l->b, stay, both[2 * i + 1], both[2 * i]), next);
  }
}
static void top_k(loops_t *l, size_t dim, size_t n_in) {
  ir_value_t *x = ir_operand(l->op, 0), *ids = n_in > 1 ? ir_operand(l->op, 1) : NULL,
             *at[MAX_RANK];
  ir_value_t *n = extent(l, x, dim), *k = extent(l, l->carried[0], dim);
  ir_type_t id = ir_type_element(l->carried[1]->type);
  open_others(l, x, dim, at);
  at[dim] = open_loop(l, n);
  l->carried[l->n++] = extract(l, x, at);
  l->carried[l->n++] =
      ids ? extract(l, ids, at) : ir_build1(&l->b, OP_ARITH_INDEX_CAST, id, at[dim], NULL, NULL);
  at[dim] = open_loop(l, k);
  ir_value_t *mine[2] = {l->carried[2], l->carried[3]},
             *theirs[2] = {extract(l, l->carried[0], at), extract(l, l->carried[1], at)};
  ir_value_t *before = apply(l, (ir_value_t *[]){mine[0], theirs[0]}),
             *after = apply(l, (ir_value_t *[]){theirs[0], mine[0]});
  ir_value_t *alike = low_cmpi(&l->b, "eq", before, after),
             *earlier = low_cmpi(&l->b, "slt", mine[1], theirs[1]);
  ir_value_t *take = low_pick(&l->b, alike, earlier, before);
  for (size_t i = 0; i < 2; ++i) {
    insert(l, i, low_pick(&l->b, take, mine[i], theirs[i]), at);
    l->carried[2 + i] = low_pick(&l->b, take, theirs[i], mine[i]);
  }
}
// Result 0 has the running values, result 1 the last one.
static void scan(loops_t *l, size_t dim, bool inclusive) {
  ir_value_t *x = ir_operand(l->op, 0), *first = ir_operand(l->op, 2), *at[MAX_RANK],
             *outer[MAX_RANK], *prior[MAX_RANK];
  ir_value_t *n = extent(l, x, dim), *zero = index_of(l, 0), *one = index_of(l, 1);
  size_t n_outer = 0;
  open_others(l, x, dim, at);
  for (size_t d = 0; d < ir_type_rank(x->type); ++d)
    if (d != dim) outer[n_outer++] = at[d];
  at[dim] = open_loop(l, n);
  memcpy(prior, at, sizeof at);
  prior[dim] = low_op2(&l->b, OP_ARITH_MAXSI, low_op2(&l->b, OP_ARITH_SUBI, at[dim], one), zero);
  ir_value_t *is_first = low_cmpi(&l->b, "eq", at[dim], zero),
             *own = extract(l, x, inclusive ? at : prior),
             *so_far = extract(l, l->carried[0], prior);
  ir_value_t *start = inclusive ? own : extract(l, first, outer);
  ir_value_t *value = low_pick(&l->b, is_first, start, apply(l, (ir_value_t *[]){so_far, own}));
  insert(l, 0, value, at);
  if (l->n > 1) insert(l, 1, value, outer);
}
// How many dimensions of the updates number index rows; -1 if nothing fits. Rows of one index need
// no dimension of their own for it.
static int64_t rows_of(const ir_op_t *op) {
  ir_type_t indices = ir_operand(op, 1)->type;
  int64_t depth = ir_op_attr(op, "dimension_map")->n_ints,
          updates = (int64_t)ir_type_rank(ir_operand(op, 0)->type),
          rank = (int64_t)ir_type_rank(ir_operand(op, 2)->type), n = (int64_t)ir_type_rank(indices);
  for (int64_t rows = n - 1; rows <= n; ++rows) {
    bool has_depth =
        rows < n ? rows >= 0 && ir_type_dim(indices, (size_t)rows) == depth : depth == 1;
    if (has_depth && updates - rows >= rank - depth && updates - rows <= rank && rows <= updates)
      return rows;
  }
  return -1;
}
static void scatter(loops_t *l) {
  ir_value_t *updates = ir_operand(l->op, 0), *indices = ir_operand(l->op, 1), *at[MAX_RANK],
             *row[MAX_RANK + 1], *to[MAX_RANK] = {0};
  ir_attr_t map = ir_op_attr(l->op, "dimension_map");
  size_t depth = map->n_ints, index_rank = ir_type_rank(indices->type),
         update_rank = ir_type_rank(updates->type), rank = ir_type_rank(l->carried[0]->type);
  size_t n_rows = (size_t)rows_of(l->op);
  for (size_t d = 0; d < update_rank; ++d) at[d] = open_loop(l, extent(l, updates, d));
  for (size_t d = n_rows; d < update_rank; ++d) to[rank - (update_rank - d)] = at[d];
  for (size_t k = 0; k < depth; ++k) {
    size_t d = (size_t)ir_int(map, k);
    memcpy(row, at, n_rows * sizeof *row);
    if (n_rows < index_rank) row[n_rows] = index_of(l, (int64_t)k);
    ir_value_t *i = ir_build1(&l->b, OP_ARITH_INDEX_CAST, ir_type_index(l->ctx),
                              extract(l, indices, row), NULL, NULL);
    to[d] = to[d] ? low_op2(&l->b, OP_ARITH_ADDI, i, to[d]) : i;
  }
  for (size_t d = 0; d < rank; ++d)
    if (!to[d]) to[d] = index_of(l, 0);
  ir_value_t *args[2] = {extract(l, updates, at), extract(l, l->carried[0], to)};
  insert(l, 0, apply(l, args), to);
}

// Ranks, counts and dimensions as the loops above take them.
static bool has_form(const ir_op_t *op, uint32_t n_in, int64_t dim) {
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type) >= MAX_RANK) return false;
  }
  size_t rank = ir_type_rank(ir_operand(op, n_in ? 0 : n_in)->type),
         out_rank = ir_type_rank(ir_operand(op, n_in)->type);
  if (!op->n_results || op->n_results > MAX_CARRIED) return false;
  if (op->kind == OP_LEXT_SCATTER) {
    ir_attr_t map = ir_op_attr(op, "dimension_map");
    if (op->n_results != 1 || n_in != 2 || !map || ir_body(op)->n_args != 2) return false;
    if (rows_of(op) < 0) return false;
    for (size_t k = 0; k < map->n_ints; ++k)
      if (ir_int(map, k) < 0 || (size_t)ir_int(map, k) >= out_rank) return false;
    return true;
  }
  if (dim < 0 || (size_t)dim >= rank) return false;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    bool is_last = op->kind == OP_LEXT_SCAN && i == 2;
    if (ir_type_rank(ir_operand(op, i)->type) != rank - is_last) return false;
  }
  if (op->kind == OP_LEXT_SORT) return !n_in && ir_body(op)->n_args == 2 * op->n_results;
  bool inputs = n_in == 1 || (n_in == 2 && op->kind == OP_LEXT_TOPK);
  return op->n_results == 2 && inputs && ir_body(op)->n_args == 2;
}
iree_status_t codegen_decompose_ext(ir_ctx_t *ctx, iree_arena_t *arena, ir_op_t *op,
                                    bool *out_done) {
  uint32_t n_in = op->n_operands - op->n_results;
  loops_t l = {
      .ctx = ctx, .arena = arena, .op = op, .b = ir_builder_before(ctx, op), .n = op->n_results};
  int64_t dim = ir_op_int(op, "dimension", 0);
  bool sorts = op->kind == OP_LEXT_SORT, picks = op->kind == OP_LEXT_TOPK,
       scans = op->kind == OP_LEXT_SCAN;
  *out_done = sorts || picks || scans || op->kind == OP_LEXT_SCATTER;
  if (!*out_done) return iree_ok_status();
  l.b.loc = op->loc;
  if (!has_form(op, n_in, dim)) return ir_op_error(op, "has a form that kernels do not know");
  for (uint32_t i = 0; i < op->n_results; ++i) l.carried[i] = ir_operand(op, n_in + i);
  // The last value of a scan is often not asked for: it then has no place.
  if (scans && ir_unused(ir_result(op, 1))) l.n = 1;
  if (sorts)
    sort(&l, (size_t)dim);
  else if (picks)
    top_k(&l, (size_t)dim, n_in);
  else if (scans)
    scan(&l, (size_t)dim, ir_op_flag(op, "inclusive"));
  else
    scatter(&l);
  while (l.depth) close_loop(&l);
  ir_op_replace(op, l.carried);
  return iree_ok_status();
}
