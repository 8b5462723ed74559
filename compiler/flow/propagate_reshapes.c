// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves tensor.expand_shape behind the elementwise ops and reductions that follow it, so that these meet
// the op that made the tensor in its own shape and can join it.
//   in, out: linalg.generic, tensor.expand_shape, tensor.collapse_shape
//   relies on: static shapes; others are left alone
//
//   %m = linalg.matmul ... -> tensor<12x8xf32>
//   %e = tensor.expand_shape %m [[0, 1], [2]] : tensor<12x8xf32> into tensor<2x6x8xf32>
//   %r = linalg.generic ins(%e, %bias : tensor<2x6x8xf32>, tensor<8xf32>) {add} -> tensor<2x6x8xf32>
//   ->
//   %r1 = linalg.generic ins(%m, %bias : tensor<12x8xf32>, tensor<8xf32>) {add} -> tensor<12x8xf32>
//   %r = tensor.expand_shape %r1 [[0, 1], [2]] : tensor<12x8xf32> into tensor<2x6x8xf32>
//
// Loops of one group of the reshape become one loop. Every operand must have the group whole and in
// order, or not at all; those that do are collapsed, which costs nothing.
#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

enum { MAX_LOOPS = 32, MAX_OPERANDS = 64 };

typedef struct grouping {
  size_t n_loops, n_groups;
  size_t group_of[MAX_LOOPS], first[MAX_LOOPS], count[MAX_LOOPS];
  int64_t size[MAX_LOOPS];      // of each group
} grouping_t;

// Groups of loops that follow from the groups of an operand's dimensions, read through |map|; loops that
// the operand does not have are groups of their own.
static bool read_groups(ir_attr_t groups, ir_type_t wide, ir_attr_t map, const int64_t *sizes, grouping_t *g) {
  bool joined[MAX_LOOPS + 1] = {0};  // is the loop one group with the one before it?
  *g = (grouping_t){.n_loops = ir_map_n_dims(map)};
  if (g->n_loops > MAX_LOOPS || ir_type_rank(wide) != map->n_kids) return false;
  for (uint32_t d = 0; d < map->n_kids; ++d)
    if (ir_kid(map, d)->kind != IR_E_DIM) return false;
  for (uint32_t k = 0, d = 0; k < groups->n_kids; ++k)
    for (uint32_t i = 0; i < ir_kid(groups, k)->n_kids; ++i, ++d) {
      if (d >= map->n_kids) return false;
      if (!i) continue;
      int64_t loop = ir_int(ir_kid(map, d), 0);
      if (loop != ir_int(ir_kid(map, d - 1), 0) + 1) return false;
      joined[loop] = true;
    }
  bool any = false;
  for (size_t l = 0; l < g->n_loops; ++l) {
    if (!joined[l]) {
      g->first[g->n_groups] = l;
      g->size[g->n_groups++] = 1;
    }
    size_t k = g->n_groups - 1;
    g->group_of[l] = k;
    any |= g->count[k]++ > 0;
    g->size[k] *= sizes[l];
  }
  return any;
}

// The operand's shape and map with groups for loops. False if it splits a group.
typedef struct side {
  int64_t dims[MAX_LOOPS];
  ir_expr_t exprs[MAX_LOOPS];
  ir_attr_t reassociation[MAX_LOOPS];
  uint32_t rank;
} side_t;
static bool collapse_side(ir_ctx_t *ctx, const grouping_t *g, ir_type_t type, ir_attr_t map, side_t *out) {
  out->rank = 0;
  for (uint32_t d = 0; d < map->n_kids;) {
    ir_expr_t e = ir_kid(map, d);
    if (e->kind != IR_E_DIM) return false;
    size_t k = g->group_of[ir_int(e, 0)];
    ir_attr_t members[MAX_LOOPS];
    if (d + g->count[k] > map->n_kids) return false;
    for (size_t i = 0; i < g->count[k]; ++i) {
      ir_expr_t m = ir_kid(map, d + i);
      if (m->kind != IR_E_DIM || (size_t)ir_int(m, 0) != g->first[k] + i) return false;
      if (ir_type_dim(type, d + i) == IR_DYNAMIC) return false;
      members[i] = ir_attr_i64(ctx, (int64_t)(d + i));
    }
    out->dims[out->rank] = g->size[k];
    out->exprs[out->rank] = ir_expr_dim(ctx, k);
    out->reassociation[out->rank++] = ir_attr_array(ctx, members, g->count[k]);
    d += (uint32_t)g->count[k];
  }
  return true;
}
static ir_value_t *collapse(ir_builder_t *b, ir_value_t *v, const side_t *s) {
  ir_type_t type = ir_type_tensor(b->ctx, s->dims, s->rank, ir_type_element(v->type), NULL);
  ir_op_t *def = ir_def(v);
  if (type == v->type) return v;
  if (ir_op_is(def, OP_TENSOR_EMPTY))
    return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_EMPTY, .results = &type, .n_results = 1}), 0);
  if (ir_op_is(def, OP_LINALG_FILL)) return linalg_build_fill(b, ir_operand(def, 0), collapse(b, ir_operand(def, 1), s));
  if (ir_op_is(def, OP_TENSOR_EXPAND_SHAPE) && ir_operand(def, 0)->type == type) return ir_operand(def, 0);
  ir_named_t attr = {"reassociation", ir_attr_array(b->ctx, s->reassociation, s->rank)};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_COLLAPSE_SHAPE, .operands = &v, .n_operands = 1, .results = &type,
                                               .n_results = 1, .attrs = &attr, .n_attrs = 1}), 0);
}

static iree_status_t find_index(ir_op_t *op, void *self) {
  if (op->kind == OP_LINALG_INDEX) *(bool *)self = true;
  return iree_ok_status();
}
static bool may_collapse(ir_ctx_t *ctx, ir_op_t *op) {
  size_t n = linalg_n_loops(ctx, op);
  if (op->kind != OP_LINALG_GENERIC || !op->n_results || op->n_operands > MAX_OPERANDS || n > MAX_LOOPS) return false;
  for (uint32_t i = linalg_outputs(op).first; i < op->n_operands; ++i)
    if (!ir_type_is_static(ir_operand(op, i)->type)) return false;
  bool indexed = false;
  iree_status_ignore(ir_walk(op, find_index, &indexed));
  return !indexed;
}
static bool loop_sizes(ir_ctx_t *ctx, const ir_op_t *op, int64_t *sizes) {
  size_t n = linalg_n_loops(ctx, op);
  for (size_t i = 0; i < n; ++i) sizes[i] = IR_DYNAMIC;
  for (uint32_t k = 0; k < op->n_operands; ++k) {
    ir_type_t type = ir_operand(op, k)->type;
    if (!ir_is(type, IR_T_TENSOR)) continue;
    ir_attr_t map = linalg_map(ctx, op, k);
    for (uint32_t d = 0; d < map->n_kids; ++d)
      if (ir_kid(map, d)->kind == IR_E_DIM) sizes[ir_int(ir_kid(map, d), 0)] = ir_type_dim(type, d);
  }
  for (size_t i = 0; i < n; ++i)
    if (sizes[i] == IR_DYNAMIC) return false;
  return true;
}
// Groups of loops by an operand that is the expanded result of an op this one could join.
static bool find_groups(ir_ctx_t *ctx, const ir_op_t *op, grouping_t *g) {
  int64_t sizes[MAX_LOOPS];
  if (!loop_sizes(ctx, op, sizes)) return false;
  for (uint32_t i = 0; i < linalg_inputs(op).n; ++i) {
    ir_op_t *def = ir_def(ir_operand(op, i));
    if (!ir_op_is(def, OP_TENSOR_EXPAND_SHAPE)) continue;
    ir_op_t *source = ir_def(ir_operand(def, 0));
    if (!source || !linalg_is_structured(source) || source->block != op->block) continue;
    if (read_groups(ir_op_attr(def, "reassociation"), ir_result(def, 0)->type, linalg_map(ctx, op, i), sizes, g)) return true;
  }
  return false;
}

static ir_op_t *rebuild(ir_ctx_t *ctx, ir_op_t *op, const grouping_t *g, const side_t *sides) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *operands[MAX_OPERANDS], *results[MAX_OPERANDS];
  ir_attr_t maps[MAX_OPERANDS], iterators[MAX_LOOPS];
  ir_type_t types[MAX_OPERANDS];
  uint32_t n_in = linalg_inputs(op).n;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *v = ir_operand(op, i);
    bool tensor = ir_is(v->type, IR_T_TENSOR);
    operands[i] = tensor ? collapse(&b, v, &sides[i]) : v;
    maps[i] = ir_attr_map(ctx, g->n_groups, 0, sides[i].exprs, tensor ? sides[i].rank : 0);
    if (i >= n_in) types[i - n_in] = operands[i]->type;
  }
  for (size_t k = 0; k < g->n_groups; ++k) iterators[k] = ir_kid(ir_op_attr(op, "iterator_types"), g->first[k]);
  ir_named_t attrs[2] = {{"indexing_maps", ir_attr_array(ctx, maps, op->n_operands)}, {"iterator_types", ir_attr_array(ctx, iterators, g->n_groups)}};
  ir_op_t *small = ir_build(&b, &(ir_op_desc_t){.kind = OP_LINALG_GENERIC, .operands = operands, .n_operands = op->n_operands,
                                                .segments = (uint32_t[]){n_in, op->n_operands - n_in}, .results = types,
                                                .n_results = op->n_results, .attrs = attrs, .n_attrs = 2, .n_regions = 1});
  ir_region_take(small->regions[0], op->regions[0]);
  for (uint32_t r = 0; r < op->n_results; ++r) {
    ir_type_t type = ir_result(op, r)->type;
    ir_value_t *v = ir_result(small, r);
    const side_t *s = &sides[n_in + r];
    if (v->type == type) {
      results[r] = v;
      continue;
    }
    ir_named_t shape[2] = {{"reassociation", ir_attr_array(ctx, s->reassociation, s->rank)}, {"static_output_shape", ir_attr_i64s(ctx, ir_type_dims(type), ir_type_rank(type))}};
    results[r] = ir_result(ir_build(&b, &(ir_op_desc_t){.kind = OP_TENSOR_EXPAND_SHAPE, .operands = &v, .n_operands = 1, .results = &type,
                                                        .n_results = 1, .attrs = shape, .n_attrs = 2}), 0);
  }
  ir_op_replace(op, results);
  return small;
}

static iree_status_t visit(ir_op_t *op, void *self) {
  pass_t *pass = self;
  ir_ctx_t *ctx = pass->ctx;
  grouping_t g;
  if (op->kind != OP_LINALG_GENERIC || !may_collapse(ctx, op)) return iree_ok_status();
  if (!find_groups(ctx, op, &g)) return iree_ok_status();
  for (size_t i = 0; i < g.n_loops; ++i)
    if (linalg_is_parallel(ctx, op, i) != linalg_is_parallel(ctx, op, g.first[g.group_of[i]])) return iree_ok_status();
  side_t *sides = IREE_ARENA_ARRAY(pass->scratch, side_t, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    if (ir_is(type, IR_T_TENSOR) && !collapse_side(ctx, &g, type, linalg_map(ctx, op, i), &sides[i])) return iree_ok_status();
  }
  if (ir_may_rewrite(op, "move reshape behind")) rebuild(ctx, op, &g, sides);
  return iree_ok_status();
}

iree_status_t flow_propagate_reshapes(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(ir_walk(op, visit, pass));
  return ir_simplify(pass->ctx, module);
}
