// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting by counting: an element's place is the number of elements that come before it (equal ones
// by position, so every sort is stable), then each place takes the element that belongs there. Two
// parallel generics of quadratic work along the sorted dimension.
#include "compiler/input/lower.h"

enum { MAX_INPUTS = 16 };

typedef struct sorting {
  size_t rank, dim, n;  // inputs
  ir_value_t *inputs[MAX_INPUTS];
  ir_attr_t own, other;  // maps over rank + 1 loops; |other| reads at the last loop along |dim|
  bool parallel[HLO_MAX_RANK + 1];
} sorting_t;

static void sorting_maps(lowering_t *l, sorting_t *s) {
  ir_expr_t exprs[HLO_MAX_RANK];
  for (size_t i = 0; i < s->rank; ++i) exprs[i] = ir_expr_dim(l->ctx, i), s->parallel[i] = true;
  s->parallel[s->rank] = false;
  s->own = ir_attr_map(l->ctx, s->rank + 1, 0, exprs, s->rank);
  exprs[s->dim] = ir_expr_dim(l->ctx, s->rank);
  s->other = ir_attr_map(l->ctx, s->rank + 1, 0, exprs, s->rank);
}
// |before(other, own)| and |before(own, other)| give the order; made by |compare|.
typedef iree_status_t (*compare_fn_t)(lowering_t *l, ir_builder_t *b, ir_op_t *op,
                                      ir_value_t *const *x, ir_value_t *const *y, ir_value_t **out);

static iree_status_t places(lowering_t *l, ir_op_t *op, const sorting_t *s, compare_fn_t compare,
                            ir_value_t **out) {
  ir_type_t i64 = ir_type_i(l->ctx, 64),
            type = ir_type_with_element(l->ctx, s->inputs[0]->type, i64);
  sizes_t sizes = low_sizes_like(l, type, s->inputs[0]);
  ir_value_t *start = low_filled(l, type, &sizes, low_int(&l->b, i64, 0)), *both[2 * MAX_INPUTS],
             *before, *after;
  ir_attr_t maps[2 * MAX_INPUTS + 1];
  for (size_t i = 0; i < s->n; ++i) {
    both[i] = both[s->n + i] = s->inputs[i];
    maps[i] = s->own, maps[s->n + i] = s->other;
  }
  maps[2 * s->n] = s->own;
  ir_op_t *g =
      linalg_build_generic(&l->b, both, 2 * s->n, &start, 1, maps, s->parallel, s->rank + 1);
  ir_value_t *const *args = (ir_value_t *const *)ir_body(g)->args;
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  IREE_RETURN_IF_ERROR(compare(l, &b, op, args + s->n, args, &before));
  IREE_RETURN_IF_ERROR(compare(l, &b, op, args, args + s->n, &after));
  ir_value_t *earlier =
      low_cmpi(&b, "slt", low_loop_index(&b, s->rank), low_loop_index(&b, s->dim));
  ir_value_t *equal = low_op2(&b, OP_ARITH_XORI, after, low_int(&b, after->type, 1));
  ir_value_t *counts =
      low_op2(&b, OP_ARITH_ORI, before, low_op2(&b, OP_ARITH_ANDI, equal, earlier));
  ir_value_t *sum = low_op2(&b, OP_ARITH_ADDI, args[2 * s->n],
                            ir_build1(&b, OP_ARITH_EXTUI, i64, counts, NULL, NULL));
  linalg_build_yield(l->ctx, g, &sum, 1, l->b.loc);
  *out = ir_result(g, 0);
  return iree_ok_status();
}
// |types[i]|: of the results; |positions|: a last result gives where elements came from.
static ir_op_t *take_places(lowering_t *l, const sorting_t *s, ir_value_t *place,
                            const ir_type_t *types, bool positions) {
  ir_value_t *inputs[MAX_INPUTS + 1] = {place}, *outputs[MAX_INPUTS + 1], *results[MAX_INPUTS + 1];
  ir_attr_t maps[2 * MAX_INPUTS + 2] = {s->other};
  size_t n = s->n + positions;
  for (size_t i = 0; i < s->n; ++i) inputs[i + 1] = s->inputs[i], maps[i + 1] = s->other;
  for (size_t i = 0; i < n; ++i) {
    sizes_t sizes = low_sizes_like(l, types[i], s->inputs[0]);
    outputs[i] = low_filled(l, types[i], &sizes, low_zero(&l->b, ir_type_element(types[i])));
    maps[s->n + 1 + i] = s->own;
  }
  ir_op_t *g =
      linalg_build_generic(&l->b, inputs, s->n + 1, outputs, n, maps, s->parallel, s->rank + 1);
  ir_block_t *body = ir_body(g);
  ir_builder_t b = ir_builder_at_end(l->ctx, body);
  ir_value_t *here = low_from_index(&b, low_loop_index(&b, s->dim),
                                    place->type ? ir_type_element(place->type) : NULL);
  ir_value_t *hit = low_cmpi(&b, "eq", body->args[0], here);
  for (size_t i = 0; i < n; ++i) {
    ir_value_t *v =
        i < s->n ? body->args[i + 1]
                 : low_from_index(&b, low_loop_index(&b, s->rank), ir_type_element(types[i]));
    results[i] = low_select(&b, hit, v, body->args[s->n + 1 + i]);
  }
  linalg_build_yield(l->ctx, g, results, n, l->b.loc);
  return g;
}

static iree_status_t by_region(lowering_t *l, ir_builder_t *b, ir_op_t *op, ir_value_t *const *x,
                               ir_value_t *const *y, ir_value_t **out) {
  ir_value_t *args[2 * MAX_INPUTS];
  for (uint32_t i = 0; i < op->n_operands; ++i) args[2 * i] = x[i], args[2 * i + 1] = y[i];
  return low_inline_scalar_region(l, b, ir_body(op), args, out);
}
iree_status_t input_lower_sort(lowering_t *l, ir_op_t *op) {
  sorting_t s = {.rank = ir_type_rank(ir_operand(op, 0)->type), .n = op->n_operands};
  int64_t dim = ir_op_int(op, "dimension", -1);
  ir_type_t types[MAX_INPUTS];
  ir_value_t *place;
  if (op->n_operands > MAX_INPUTS) return ir_op_error(op, "takes at most %d inputs", MAX_INPUTS);
  if (!s.rank) return ir_op_error(op, "needs a dimension to sort along");
  s.dim = (size_t)(dim < 0 ? dim + (int64_t)s.rank : dim);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    s.inputs[i] = lowered_operand(l, op, i);
    low_check_shapes(l, op, s.inputs[0], s.inputs[i]);
    types[i] = low_type(l->ctx, ir_result(op, i)->type);
  }
  sorting_maps(l, &s);
  IREE_RETURN_IF_ERROR(places(l, op, &s, by_region, &place));
  ir_op_t *g = take_places(l, &s, place, types, false);
  for (uint32_t i = 0; i < op->n_results; ++i) set_lowered(l, ir_result(op, i), ir_result(g, i));
  return iree_ok_status();
}

static iree_status_t by_value(lowering_t *l, ir_builder_t *b, ir_op_t *op, ir_value_t *const *x,
                              ir_value_t *const *y, ir_value_t **out) {
  (void)l;
  *out = low_greater(b, ir_type_element(ir_operand(op, 0)->type), x[0], y[0]);
  return iree_ok_status();
}
iree_status_t input_lower_top_k(lowering_t *l, ir_op_t *op) {
  ir_type_t type = ir_operand(op, 0)->type;
  if (!ir_is(type, IR_T_TENSOR) || !ir_type_rank(type) || ir_type_rank(type) >= HLO_MAX_RANK ||
      ir_is(ir_type_element(type), IR_T_COMPLEX))
    return ir_op_error(op, "needs a tensor of ordered numbers");
  sorting_t s = {.rank = ir_type_rank(type),
                 .dim = ir_type_rank(type) - 1,
                 .n = 1,
                 .inputs = {lowered_operand(l, op, 0)}};
  ir_type_t types[2] = {low_type(l->ctx, ir_result(op, 0)->type),
                        low_type(l->ctx, ir_result(op, 1)->type)};
  if (ir_type_rank(types[0]) != s.rank || ir_type_rank(types[1]) != s.rank)
    return ir_op_error(op, "keeps the rank");
  ir_value_t *place;
  sorting_maps(l, &s);
  IREE_RETURN_IF_ERROR(places(l, op, &s, by_value, &place));
  ir_op_t *g = take_places(l, &s, place, types, true);
  set_lowered(l, ir_result(op, 0), ir_result(g, 0));
  set_lowered(l, ir_result(op, 1), ir_result(g, 1));
  return iree_ok_status();
}
