// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chlo.ragged_dot: products of consecutive groups along one dimension of the left side.
//
//   the dimension is  a free one of lhs     each group of rows meets a matrix of its own
//                     a contracting one     each group gives a product of its own
//                     a batch one           the groups change nothing
//
// The left side gets a leading dimension of groups and is zero outside its own; where each group
// has its own matrix that dimension is summed over, else it leads the result.
#include "compiler/input/lower.h"

typedef struct ragged {
  hlo_dims_t lb, rb, lc, rc, dims, groups;
  size_t dim;         // of lhs
  hlo_dims_t prefix;  // dimensions of lhs that group_sizes may have before the last
  bool is_contracting, is_batch;
} ragged_t;

static iree_status_t check_dims_of(ir_op_t *op, const hlo_dims_t *dims, size_t rank) {
  for (size_t i = 0; i < dims->n; ++i)
    if (dims->at[i] < 0 || dims->at[i] >= (int64_t)rank)
      return ir_op_error(op, "has no dimension %lld", (long long)dims->at[i]);
  return iree_ok_status();
}
static iree_status_t read_ragged(ir_op_t *op, ragged_t *r) {
  ir_attr_t numbers = ir_op_attr(op, "ragged_dot_dimension_numbers");
  *r = (ragged_t){.lb = hlo_list(numbers, "lhs_batching_dimensions"),
                  .rb = hlo_list(numbers, "rhs_batching_dimensions"),
                  .lc = hlo_list(numbers, "lhs_contracting_dimensions"),
                  .rc = hlo_list(numbers, "rhs_contracting_dimensions"),
                  .dims = hlo_list(numbers, "lhs_ragged_dimensions"),
                  .groups = hlo_list(numbers, "rhs_group_dimensions")};
  ir_type_t lhs = ir_operand(op, 0)->type, rhs = ir_operand(op, 1)->type,
            sizes = ir_operand(op, 2)->type;
  if (!ir_is(lhs, IR_T_TENSOR) || !ir_is(rhs, IR_T_TENSOR) || !ir_is(sizes, IR_T_TENSOR) ||
      !ir_is(ir_type_element(sizes), IR_T_INTEGER) || !ir_type_rank(sizes) ||
      ir_type_rank(lhs) >= HLO_MAX_RANK)
    return ir_op_error(op, "needs tensors, and group sizes that are integers");
  size_t lhs_rank = ir_type_rank(lhs), rhs_rank = ir_type_rank(rhs);
  const hlo_dims_t *of_lhs[] = {&r->lb, &r->lc, &r->dims}, *of_rhs[] = {&r->rb, &r->rc, &r->groups};
  for (size_t i = 0; i < 3; ++i) {
    IREE_RETURN_IF_ERROR(check_dims_of(op, of_lhs[i], lhs_rank));
    IREE_RETURN_IF_ERROR(check_dims_of(op, of_rhs[i], rhs_rank));
  }
  if (r->dims.n != 1 || r->lb.n != r->rb.n || r->lc.n != r->rc.n)
    return ir_op_error(op,
                       "needs one ragged dimension, and as many batching and contracting "
                       "dimensions on both sides");
  int64_t dim = r->dims.at[0];
  r->dim = (size_t)dim;
  r->is_batch = hlo_has(&r->lb, dim), r->is_contracting = hlo_has(&r->lc, dim);
  if (r->groups.n != (r->is_batch || r->is_contracting ? 0 : 1))
    return ir_op_error(op,
                       "has %zu group dimensions; a free ragged dimension takes one, others none",
                       r->groups.n);
  r->prefix = r->lb;
  for (int64_t i = 0; i < (int64_t)lhs_rank && !r->is_contracting; ++i)
    if (i < dim && !hlo_has(&r->lb, i) && !hlo_has(&r->lc, i)) r->prefix.at[r->prefix.n++] = i;
  for (size_t i = 0; r->is_contracting && r->lc.at[i] != dim; ++i)
    r->prefix.at[r->prefix.n++] = r->lc.at[i];
  if (!r->is_batch && ir_type_rank(sizes) != 1 && ir_type_rank(sizes) != r->prefix.n + 1)
    return ir_op_error(op, "has group sizes of rank %zu; they take rank 1 or %zu",
                       ir_type_rank(sizes), r->prefix.n + 1);
  if (ir_type_rank(sizes) == 1) r->prefix.n = 0;
  size_t rank =
      lhs_rank + rhs_rank - r->lb.n - 2 * r->lc.n - r->groups.n + (r->is_contracting ? 1 : 0);
  if (ir_type_rank(ir_result(op, 0)->type) != rank)
    return ir_op_error(op, "gives rank %zu, not %zu", rank, ir_type_rank(ir_result(op, 0)->type));
  return iree_ok_status();
}

// Where each group starts: starts[.., g] is the sum of what is before.
static ir_value_t *group_starts(lowering_t *l, ir_op_t *op) {
  ir_value_t *counts = lowered_operand(l, op, 2);
  ir_type_t i64 = ir_type_i(l->ctx, 64), semantic = ir_type_element(ir_operand(op, 2)->type),
            type = ir_type_with_element(l->ctx, counts->type, i64);
  size_t rank = ir_type_rank(type);
  sizes_t sizes = low_sizes_like(l, type, counts);
  ir_value_t *out = low_filled(l, type, &sizes, low_int(&l->b, i64, 0));
  ir_expr_t exprs[HLO_MAX_RANK];
  bool parallel[HLO_MAX_RANK + 1];
  for (size_t i = 0; i < rank; ++i) exprs[i] = ir_expr_dim(l->ctx, i), parallel[i] = true;
  parallel[rank] = false;
  ir_attr_t to = ir_attr_map(l->ctx, rank + 1, 0, exprs, rank);
  exprs[rank - 1] = ir_expr_dim(l->ctx, rank);
  ir_attr_t maps[2] = {ir_attr_map(l->ctx, rank + 1, 0, exprs, rank), to};
  ir_op_t *g = linalg_build_generic(&l->b, &counts, 1, &out, 1, maps, parallel, rank + 1);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *before = low_cmpi(&b, "ult", low_loop_index(&b, rank), low_loop_index(&b, rank - 1));
  ir_value_t *n = low_select(&b, before, low_convert(&b, ir_body(g)->args[0], semantic, i64),
                             low_int(&b, i64, 0));
  ir_value_t *sum = low_op2(&b, OP_ARITH_ADDI, ir_body(g)->args[1], n);
  linalg_build_yield(l->ctx, g, &sum, 1, l->b.loc);
  return ir_result(g, 0);
}
// lhs with a leading dimension of groups, zero outside each group's part.
static ir_value_t *grouped_lhs(lowering_t *l, ir_op_t *op, const ragged_t *r) {
  ir_value_t *lhs = lowered_operand(l, op, 0), *counts = lowered_operand(l, op, 2);
  ir_type_t semantic = ir_type_element(ir_operand(op, 2)->type),
            element = ir_type_element(lhs->type);
  size_t rank = ir_type_rank(lhs->type), last = ir_type_rank(counts->type) - 1;
  int64_t dims[HLO_MAX_RANK + 1];
  ir_expr_t exprs[HLO_MAX_RANK + 1], at[HLO_MAX_RANK + 1];
  sizes_t sizes = sizes_none();
  dims[0] = ir_type_dim(counts->type, last);
  if (dims[0] == IR_DYNAMIC) sizes.at[0] = low_dim_value(l, counts, last);
  for (size_t i = 0; i < rank; ++i) {
    dims[i + 1] = ir_type_dim(lhs->type, i);
    if (dims[i + 1] == IR_DYNAMIC) sizes.at[i + 1] = low_dim_value(l, lhs, i);
    exprs[i] = ir_expr_dim(l->ctx, i + 1);
  }
  for (size_t i = 0; i < r->prefix.n; ++i) {
    low_check_extents(l, op, counts, i, lhs, (size_t)r->prefix.at[i]);
    at[i] = ir_expr_dim(l->ctx, (size_t)r->prefix.at[i] + 1);
  }
  at[last] = ir_expr_dim(l->ctx, 0);
  ir_value_t *inputs[3] = {lhs, group_starts(l, op), counts};
  ir_value_t *out = low_empty(l, ir_type_tensor(l->ctx, dims, rank + 1, element, NULL), &sizes);
  ir_attr_t maps[4] = {
      ir_attr_map(l->ctx, rank + 1, 0, exprs, rank), ir_attr_map(l->ctx, rank + 1, 0, at, last + 1),
      ir_attr_map(l->ctx, rank + 1, 0, at, last + 1), ir_attr_identity_map(l->ctx, rank + 1)};
  ir_op_t *g = linalg_build_generic(&l->b, inputs, 3, &out, 1, maps, NULL, rank + 1);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *start = ir_body(g)->args[1];
  ir_value_t *i = low_from_index(&b, low_loop_index(&b, r->dim + 1), start->type);
  ir_value_t *count = low_convert(&b, ir_body(g)->args[2], semantic, start->type);
  ir_value_t *inside = low_op2(&b, OP_ARITH_ANDI, low_cmpi(&b, "sge", i, start),
                               low_cmpi(&b, "slt", i, low_op2(&b, OP_ARITH_ADDI, start, count)));
  ir_value_t *v = low_select(&b, inside, ir_body(g)->args[0], low_zero(&b, element));
  linalg_build_yield(l->ctx, g, &v, 1, l->b.loc);
  return ir_result(g, 0);
}

// Loops: [groups,] batch, free of lhs, free of rhs (the result's dimensions), contracting,
// [groups].
iree_status_t input_lower_ragged_dot(lowering_t *l, ir_op_t *op) {
  ragged_t r;
  IREE_RETURN_IF_ERROR(read_ragged(op, &r));
  size_t lead = r.is_batch ? 0 : 1;  // dimensions before lhs' own
  ir_value_t *inputs[2] = {lead ? grouped_lhs(l, op, &r) : lowered_operand(l, op, 0),
                           lowered_operand(l, op, 1)};
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  ir_expr_t lhs[HLO_MAX_RANK + 1], rhs[HLO_MAX_RANK], out[HLO_MAX_RANK];
  bool parallel[2 * HLO_MAX_RANK + 1];
  size_t n = 0, rank = ir_type_rank(type);
  struct {
    ir_value_t *tensor;
    size_t dim;
  } from[2 * HLO_MAX_RANK + 1];  // a tensor with each loop's extent
  for (size_t i = 0; i < r.lb.n; ++i)
    low_check_extents(l, op, inputs[0], (size_t)r.lb.at[i] + lead, inputs[1], (size_t)r.rb.at[i]);
  for (size_t i = 0; i < r.lc.n; ++i)
    low_check_extents(l, op, inputs[0], (size_t)r.lc.at[i] + lead, inputs[1], (size_t)r.rc.at[i]);
  if (r.is_contracting) {
    from[n].tensor = inputs[0], from[n].dim = 0;
    lhs[0] = ir_expr_dim(l->ctx, n++);
  }
  for (size_t i = 0; i < r.lb.n; ++i) {
    from[n].tensor = inputs[0], from[n].dim = (size_t)r.lb.at[i] + lead;
    lhs[r.lb.at[i] + (int64_t)lead] = rhs[r.rb.at[i]] = ir_expr_dim(l->ctx, n++);
  }
  for (size_t i = 0; i < ir_type_rank(inputs[0]->type) - lead; ++i) {
    if (hlo_has(&r.lb, (int64_t)i) || hlo_has(&r.lc, (int64_t)i)) continue;
    from[n].tensor = inputs[0], from[n].dim = i + lead;
    lhs[i + lead] = ir_expr_dim(l->ctx, n++);
  }
  for (size_t i = 0; i < ir_type_rank(inputs[1]->type); ++i) {
    if (hlo_has(&r.rb, (int64_t)i) || hlo_has(&r.rc, (int64_t)i) || hlo_has(&r.groups, (int64_t)i))
      continue;
    from[n].tensor = inputs[1], from[n].dim = i;
    rhs[i] = ir_expr_dim(l->ctx, n++);
  }
  sizes_t sizes = sizes_none();
  for (size_t i = 0; i < rank; ++i) {
    out[i] = ir_expr_dim(l->ctx, i), parallel[i] = true;
    if (ir_type_dim(type, i) == IR_DYNAMIC)
      sizes.at[i] = low_dim_value(l, from[i].tensor, from[i].dim);
  }
  for (size_t i = 0; i < r.lc.n; ++i, ++n) {
    lhs[r.lc.at[i] + (int64_t)lead] = rhs[r.rc.at[i]] = ir_expr_dim(l->ctx, n);
    parallel[n] = false;
  }
  if (r.groups.n) {
    low_check_extents(l, op, inputs[0], 0, inputs[1], (size_t)r.groups.at[0]);
    lhs[0] = rhs[r.groups.at[0]] = ir_expr_dim(l->ctx, n);
    parallel[n++] = false;
  }
  ir_attr_t maps[3] = {ir_attr_map(l->ctx, n, 0, lhs, ir_type_rank(inputs[0]->type)),
                       ir_attr_map(l->ctx, n, 0, rhs, ir_type_rank(inputs[1]->type)),
                       ir_attr_map(l->ctx, n, 0, out, rank)};
  return input_lower_result(l, op, low_contraction(l, op, inputs, type, &sizes, maps, parallel, n));
}
