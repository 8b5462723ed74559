// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drops loops of extent one from linalg.generic ops: shapes like 4x1 and 1x4 keep ops from fusing that
// run over the same points.
//   in, out: linalg ops on tensors; tensors that lose dimensions pass through reshapes, which cancel
//
//   %1 = linalg.generic {maps = [(d0, d1) -> (d0, d1)] x 2} ins(%a : tensor<4x1xf32>) outs(%e : tensor<4x1xf32>)
//   ->
//   %c = tensor.collapse_shape %a [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
//   %d = linalg.generic {maps = [(d0) -> (d0)] x 2} ins(%c) outs(%e1 : tensor<4xf32>)
//   %1 = tensor.expand_shape %d [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

enum { MAX_LOOPS = 32, MAX_OPERANDS = 96 };

static int64_t loop_size(ir_ctx_t *ctx, const ir_op_t *op, size_t loop) {
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    if (!ir_is(type, IR_T_TENSOR)) continue;
    ir_attr_t map = linalg_map(ctx, op, i);
    for (uint32_t r = 0; r < map->n_kids; ++r)
      if (ir_kid(map, r)->kind == IR_E_DIM && ir_int(ir_kid(map, r), 0) == (int64_t)loop) return ir_type_dim(type, r);
  }
  return IR_DYNAMIC;
}

// Which dimensions of operand |i| stay: those that are not one element read at position 0.
typedef struct shape {
  int64_t dims[MAX_LOOPS];
  ir_expr_t exprs[MAX_LOOPS];
  ir_attr_t groups[MAX_LOOPS];  // reassociation
  uint32_t rank;
  bool changed;
} shape_t;
static bool shape_without(ir_ctx_t *ctx, ir_type_t type, ir_attr_t map, const ir_expr_t *loops, shape_t *out) {
  size_t rank = ir_type_rank(type);
  int64_t first = 0;
  *out = (shape_t){.rank = 0};
  if (rank > MAX_LOOPS) return false;
  for (uint32_t d = 0; d < rank; ++d) {
    ir_expr_t e = ir_expr_replace(ctx, ir_kid(map, d), loops, NULL);
    bool drop = ir_type_dim(type, d) == 1 && e->kind == IR_E_CONST && ir_int(e, 0) == 0;
    if (drop) {
      out->changed = true;
      continue;
    }
    // The group of a kept dimension takes the dropped ones before it, the last group those behind it.
    ir_attr_t members[MAX_LOOPS];
    uint32_t n = 0;
    uint32_t end = d + 1;
    bool last = true;
    for (uint32_t later = d + 1; later < rank; ++later) {
      ir_expr_t l = ir_expr_replace(ctx, ir_kid(map, later), loops, NULL);
      if (!(ir_type_dim(type, later) == 1 && l->kind == IR_E_CONST && ir_int(l, 0) == 0)) last = false;
    }
    if (last) end = (uint32_t)rank;
    for (int64_t k = first; k < end; ++k) members[n++] = ir_attr_i64(ctx, k);
    first = end;
    out->groups[out->rank] = ir_attr_array(ctx, members, n);
    out->dims[out->rank] = ir_type_dim(type, d);
    out->exprs[out->rank++] = e;
  }
  return true;
}

static ir_value_t *collapse(ir_builder_t *b, ir_value_t *v, const shape_t *s) {
  ir_type_t type = ir_type_tensor(b->ctx, s->dims, s->rank, ir_type_element(v->type), NULL);
  ir_op_t *def = ir_def(v);
  if (ir_op_is(def, OP_TENSOR_EMPTY)) {
    ir_value_t *dims[MAX_LOOPS];
    for (uint32_t i = 0; i < def->n_operands && i < MAX_LOOPS; ++i) dims[i] = ir_operand(def, i);
    return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_EMPTY, .operands = dims, .n_operands = def->n_operands, .results = &type, .n_results = 1}), 0);
  }
  if (ir_op_is(def, OP_LINALG_FILL)) return linalg_build_fill(b, ir_operand(def, 0), collapse(b, ir_operand(def, 1), s));
  ir_named_t attr = {"reassociation", ir_attr_array(b->ctx, s->groups, s->rank)};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_COLLAPSE_SHAPE, .operands = &v, .n_operands = 1, .results = &type,
                                               .n_results = 1, .attrs = &attr, .n_attrs = 1}), 0);
}
static ir_value_t *expand(ir_builder_t *b, ir_value_t *v, ir_type_t type, const shape_t *s) {
  ir_named_t attrs[2] = {{"reassociation", ir_attr_array(b->ctx, s->groups, s->rank)},
                         {"static_output_shape", ir_attr_i64s(b->ctx, ir_type_dims(type), ir_type_rank(type))}};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_EXPAND_SHAPE, .operands = &v, .n_operands = 1, .results = &type,
                                               .n_results = 1, .attrs = attrs, .n_attrs = 2}), 0);
}

static iree_status_t remap_index(ir_op_t *op, void *self) {
  const ir_expr_t *loops = self;
  if (op->kind != OP_LINALG_INDEX) return iree_ok_status();
  ir_ctx_t *ctx = ir_op_ctx(op);
  ir_expr_t e = loops[ir_op_int(op, "dim", 0)];
  if (e->kind == IR_E_DIM) {
    ir_op_set_attr(ctx, op, "dim", ir_attr_i64(ctx, ir_int(e, 0)));
    return iree_ok_status();
  }
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *zero = ir_build_constant(&b, ir_type_index(ctx), ir_attr_index(ctx, 0));
  ir_op_replace(op, &zero);
  return iree_ok_status();
}

// Where a window's position is all that is left of a sum, it must run over the whole operand: an op
// says how far its loops run by such dimensions.
static bool sums_fit(ir_ctx_t *ctx, const ir_op_t *op, const ir_expr_t *loops) {
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    if (!ir_is(type, IR_T_TENSOR)) continue;
    ir_attr_t map = linalg_map(ctx, op, i);
    for (uint32_t r = 0; r < map->n_kids; ++r) {
      if (ir_kid(map, r)->kind == IR_E_DIM) continue;
      ir_expr_t e = ir_expr_replace(ctx, ir_kid(map, r), loops, NULL);
      if (e->kind != IR_E_DIM) continue;
      for (size_t old = 0; old < linalg_n_loops(ctx, op); ++old)
        if (loops[old] == e && loop_size(ctx, op, old) != ir_type_dim(type, r)) return false;
    }
  }
  return true;
}

static iree_status_t elide(ir_op_t *op, void *self) {
  pass_t *pass = self;
  ir_ctx_t *ctx = pass->ctx;
  if (op->kind != OP_LINALG_GENERIC || !op->n_results || op->n_operands > MAX_OPERANDS) return iree_ok_status();
  size_t n = linalg_n_loops(ctx, op), kept = 0;
  if (n > MAX_LOOPS) return iree_ok_status();
  ir_expr_t loops[MAX_LOOPS];
  ir_attr_t iterators[MAX_LOOPS], all = ir_op_attr(op, "iterator_types");
  for (size_t i = 0; i < n; ++i) {
    bool unit = loop_size(ctx, op, i) == 1 && linalg_is_parallel(ctx, op, i);
    loops[i] = unit ? ir_expr_const(ctx, 0) : ir_expr_dim(ctx, kept);
    if (!unit) iterators[kept++] = ir_kid(all, i);
  }
  if (!sums_fit(ctx, op, loops)) return iree_ok_status();
  shape_t *shapes = IREE_ARENA_ARRAY(pass->scratch, shape_t, op->n_operands);
  bool changed = kept != n;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    if (!ir_is(type, IR_T_TENSOR)) continue;
    if (!shape_without(ctx, type, linalg_map(ctx, op, i), loops, &shapes[i])) return iree_ok_status();
    if (shapes[i].changed && !ir_type_is_static(type)) return iree_ok_status();  // reshapes would need extents
    changed |= shapes[i].changed;
  }
  if (!changed || !ir_may_rewrite(op, "drop unit dimensions of")) return iree_ok_status();
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *operands[MAX_OPERANDS];
  ir_attr_t maps[MAX_OPERANDS];
  ir_type_t types[MAX_OPERANDS];
  uint32_t n_in = linalg_inputs(op).n;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *v = ir_operand(op, i);
    bool tensor = ir_is(v->type, IR_T_TENSOR);
    operands[i] = tensor && shapes[i].changed ? collapse(&b, v, &shapes[i]) : v;
    maps[i] = ir_attr_map(ctx, kept, 0, shapes[i].exprs, tensor ? shapes[i].rank : 0);
    if (i >= n_in) types[i - n_in] = operands[i]->type;
  }
  ir_named_t attrs[2] = {{"indexing_maps", ir_attr_array(ctx, maps, op->n_operands)}, {"iterator_types", ir_attr_array(ctx, iterators, kept)}};
  ir_op_t *small = ir_build(&b, &(ir_op_desc_t){.kind = OP_LINALG_GENERIC, .operands = operands, .n_operands = op->n_operands,
                                                .segments = (uint32_t[]){n_in, op->n_operands - n_in}, .results = types,
                                                .n_results = op->n_results, .attrs = attrs, .n_attrs = 2, .n_regions = 1});
  ir_region_take(small->regions[0], op->regions[0]);
  for (ir_op_t *inner = ir_body(small)->first, *next; inner; inner = next) {
    next = inner->next;
    IREE_RETURN_IF_ERROR(ir_walk(inner, remap_index, loops));
  }
  ir_value_t *results[MAX_OPERANDS];
  for (uint32_t r = 0; r < op->n_results; ++r) {
    const shape_t *s = &shapes[n_in + r];
    results[r] = s->changed ? expand(&b, ir_result(small, r), ir_result(op, r)->type, s) : ir_result(small, r);
  }
  ir_op_replace(op, results);
  return iree_ok_status();
}

iree_status_t flow_elide_unit_dims(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(ir_walk(op, elide, pass));
  return ir_simplify(pass->ctx, module);
}
