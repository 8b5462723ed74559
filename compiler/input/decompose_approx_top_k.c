// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The custom call ApproxTopK, as JAX writes approx_max_k and approx_min_k: the exact answer is one of
// those it allows, so it becomes a sort by its comparator and a slice.
//
//   %v:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %x0, %i0) {called_computations = [@greater],
//            mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 3 : i64, ...}}
//   ->
//   %s:2 = "stablehlo.sort"(%x, %i) {dimension = 1} ({ what @greater does });  %v#k = stablehlo.slice %s#k
#include "compiler/input/lower.h"

// The block that compares: arguments in pairs, one boolean at its end.
static ir_block_t *comparator_of(const ir_op_t *module, const ir_op_t *op, size_t n) {
  ir_attr_t called = ir_op_attr(op, "called_computations");
  if (!ir_is(called, IR_A_ARRAY) || called->n_kids != 1 || !ir_is(ir_kid(called, 0), IR_A_SYMREF))
    return NULL;
  ir_op_t *function = ir_symbol_lookup(module, ir_symref_leaf(ir_kid(called, 0)));
  ir_block_t *body = ir_op_is(function, OP_FUNC_FUNC) ? ir_body(function) : NULL;
  if (!body || body->next || body->n_args != 2 * n || !body->last || body->last->n_operands != 1)
    return NULL;
  return body;
}

static ir_op_t *build_sort(ir_ctx_t *ctx, ir_op_t *op, size_t n, int64_t dim, ir_block_t *by) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t **inputs = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, n + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(ir_arena(ctx), ir_type_t, n + 1);
  for (size_t i = 0; i < n; ++i) inputs[i] = ir_operand(op, i), types[i] = inputs[i]->type;
  ir_named_t attrs[2] = {{"dimension", ir_attr_i64(ctx, dim)}, {"is_stable", ir_attr_bool(ctx, true)}};
  ir_op_t *sort = ir_build(&b, &(ir_op_desc_t){.kind = OP_HLO_SORT,
                                               .loc = op->loc,
                                               .operands = inputs,
                                               .n_operands = n,
                                               .results = types,
                                               .n_results = n,
                                               .attrs = attrs,
                                               .n_attrs = 2,
                                               .n_regions = 1});
  ir_block_t *body = ir_block_create(ctx, sort->regions[0]);
  ir_map_t *map = ir_map_create(ir_arena(ctx));
  for (uint32_t i = 0; i < by->n_args; ++i)
    ir_map_set(map, by->args[i], ir_block_add_arg(ctx, body, by->args[i]->type));
  ir_builder_t inner = ir_builder_at_end(ctx, body);
  for (ir_op_t *o = by->first; o != by->last; o = o->next) ir_insert(&inner, ir_op_clone(ctx, o, map));
  ir_value_t *order = ir_map_get(map, ir_operand(by->last, 0));
  if (!order) order = ir_operand(by->last, 0);
  ir_build(&inner, &(ir_op_desc_t){.kind = OP_HLO_RETURN, .operands = &order, .n_operands = 1});
  return sort;
}

static ir_value_t *first_of(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *v, ir_type_t result) {
  ir_builder_t b = ir_builder_before(ctx, op);
  int64_t starts[HLO_MAX_RANK] = {0}, limits[HLO_MAX_RANK], strides[HLO_MAX_RANK];
  size_t rank = ir_type_rank(result);
  for (size_t d = 0; d < rank; ++d) limits[d] = ir_type_dim(result, d), strides[d] = 1;
  ir_named_t attrs[3] = {{"start_indices", ir_attr_i64s(ctx, starts, rank)},
                         {"limit_indices", ir_attr_i64s(ctx, limits, rank)},
                         {"strides", ir_attr_i64s(ctx, strides, rank)}};
  return ir_result(ir_build(&b, &(ir_op_desc_t){.kind = OP_HLO_SLICE,
                                                .loc = op->loc,
                                                .operands = &v,
                                                .n_operands = 1,
                                                .results = &result,
                                                .n_results = 1,
                                                .attrs = attrs,
                                                .n_attrs = 3}),
                   0);
}

iree_status_t input_decompose_approx_top_k(ir_ctx_t *ctx, const ir_op_t *module, ir_op_t *op) {
  ir_attr_t config = ir_op_attr(op, "mhlo.backend_config");
  if (!config) config = ir_op_attr(op, "backend_config");
  ir_attr_t dim = ir_is(config, IR_A_DICT) ? ir_dict_get(config, "reduction_dim") : NULL;
  size_t n = op->n_results;
  ir_block_t *by = n && op->n_operands == 2 * n ? comparator_of(module, op, n) : NULL;
  if (!by || !ir_is(dim, IR_A_INT))
    return ir_op_error(op, "'ApproxTopK' needs a reduction_dim, a comparator, and an initial value for each operand");
  for (size_t i = 0; i < n; ++i) {
    ir_type_t from = ir_operand(op, i)->type, to = ir_result(op, i)->type;
    if (!ir_is(from, IR_T_TENSOR) || !ir_is(to, IR_T_TENSOR) || !ir_type_is_static(from) || !ir_type_is_static(to) ||
        ir_type_rank(from) != ir_type_rank(to) || ir_type_rank(to) > HLO_MAX_RANK || ir_int(dim, 0) < 0 ||
        ir_int(dim, 0) >= (int64_t)ir_type_rank(to))
      return ir_op_error(op, "'ApproxTopK' is supported on static shapes, results of their operands' rank");
    for (size_t d = 0; d < ir_type_rank(to); ++d)
      if ((int64_t)d == ir_int(dim, 0) ? ir_type_dim(to, d) > ir_type_dim(from, d) : ir_type_dim(to, d) != ir_type_dim(from, d))
        return ir_op_error(op, "'ApproxTopK' has a result that is no part of its operand");
  }
  ir_op_t *sort = build_sort(ctx, op, n, ir_int(dim, 0), by);
  ir_value_t **results = IREE_ARENA_ARRAY(ir_arena(ctx), ir_value_t *, n);
  for (size_t i = 0; i < n; ++i) results[i] = first_of(ctx, op, ir_result(sort, i), ir_result(op, i)->type);
  ir_op_replace(op, results);
  return iree_ok_status();
}
