// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses linalg.generic producers into their linalg.generic consumers: one loop nest, no tensor between.
//   in, out: linalg ops on tensors
//   relies on: ir_simplify having merged equal ops, so that use counts mean something
//
//   %1 = linalg.generic ins(%a) {x -> x + 1}       %2 = linalg.generic ins(%1, %b) {x, y -> x * y}
//   ->
//   %2 = linalg.generic ins(%a, %b) {x, y -> (x + 1) * y}
//
// A producer with one use always goes into its consumer if that does not repeat costly work; one with
// several uses is repeated in each only if it is next to free (broadcasts, transposes, casts, iota).
// Inputs that are the same value throughout (splats) become scalars of the body.
//
// The producer's block is extended by the consumer's ops, so a chain of n ops costs n steps.
#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

enum {
  MAX_INPUTS = 32,
  MAX_LOOPS = 32,
  FREE_WEIGHT = 1,     // repeated in every consumer
  CHEAP_WEIGHT = 2,    // repeated along loops that the consumer adds
  MATH_WEIGHT = 10,
  DIVIDE_WEIGHT = 4,
};

// ---- what a body costs per point
static uint32_t op_weight(const ir_op_t *op) {
  const char *name = ir_op_name(op);
  if (!strncmp(name, "math.", 5) || !strncmp(name, "complex.", 8)) return MATH_WEIGHT;
  switch ((op_kind_t)op->kind) {
    case OP_ARITH_DIVF:
    case OP_ARITH_REMF:
    case OP_ARITH_DIVSI:
    case OP_ARITH_DIVUI:
    case OP_ARITH_REMSI:
    case OP_ARITH_REMUI: return DIVIDE_WEIGHT;
    case OP_TENSOR_EXTRACT: return DIVIDE_WEIGHT;
    case OP_LINALG_YIELD:
    case OP_LINALG_INDEX:
    case OP_ARITH_INDEX_CAST:
    case OP_ARITH_CONSTANT: return 0;
    default: return op->n_regions ? MATH_WEIGHT : 1;
  }
}
static uint32_t body_weight(const ir_op_t *generic) {
  uint32_t w = 0;
  for (const ir_op_t *op = ir_body(generic)->first; op && w < MATH_WEIGHT; op = op->next) w += op_weight(op);
  return w;
}

// ---- maps
static bool is_permutation(ir_attr_t map) {
  uint32_t seen = 0;
  if (map->n_kids != ir_map_n_dims(map) || map->n_kids > MAX_LOOPS) return false;
  for (uint32_t i = 0; i < map->n_kids; ++i) {
    ir_expr_t e = ir_kid(map, i);
    if (e->kind != IR_E_DIM || (seen >> ir_int(e, 0) & 1)) return false;
    seen |= 1u << ir_int(e, 0);
  }
  return true;
}
static bool is_projection(ir_attr_t map) {  // results are dims, each at most once, or constants
  uint32_t seen = 0;
  for (uint32_t i = 0; i < map->n_kids; ++i) {
    ir_expr_t e = ir_kid(map, i);
    if (e->kind == IR_E_CONST) continue;
    if (e->kind != IR_E_DIM || (seen >> ir_int(e, 0) & 1)) return false;
    seen |= 1u << ir_int(e, 0);
  }
  return true;
}
static uint32_t loops_in(ir_attr_t map) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < map->n_kids; ++i)
    if (ir_kid(map, i)->kind == IR_E_DIM) seen |= 1u << ir_int(ir_kid(map, i), 0);
  return seen;
}
// Loops of the consumer -> loops of the producer, through the tensor between them.
static ir_attr_t loop_map(ir_ctx_t *ctx, ir_attr_t produced, ir_attr_t consumed) {
  ir_expr_t results[MAX_LOOPS];
  for (uint32_t i = 0; i < produced->n_kids; ++i) results[ir_int(ir_kid(produced, i), 0)] = ir_kid(consumed, i);
  return ir_attr_map(ctx, ir_map_n_dims(consumed), 0, results, produced->n_kids);
}

// ---- may it?
static bool is_producer(ir_ctx_t *ctx, const ir_op_t *op) {
  if (!ir_op_is(op, OP_LINALG_GENERIC) || op->n_results != 1 || !ir_is(ir_result(op, 0)->type, IR_T_TENSOR)) return false;
  size_t n = linalg_n_loops(ctx, op);
  if (n > MAX_LOOPS || linalg_n_parallel(ctx, op) != n) return false;
  if (!is_permutation(linalg_map(ctx, op, linalg_outputs(op).first))) return false;
  return ir_unused(ir_body(op)->args[linalg_outputs(op).first]);
}
static bool indexes_mappable(const ir_op_t *producer, ir_attr_t loops) {
  for (const ir_op_t *op = ir_body(producer)->first; op; op = op->next) {
    if (op->n_regions && op->kind != OP_LINALG_INDEX) continue;
    if (op->kind != OP_LINALG_INDEX) continue;
    ir_expr_t e = ir_kid(loops, (size_t)ir_op_int(op, "dim", 0));
    if (e->kind != IR_E_DIM && e->kind != IR_E_CONST) return false;
  }
  return true;
}
static iree_status_t find_index(ir_op_t *op, void *self) {
  if (op->kind == OP_LINALG_INDEX) *(bool *)self = true;
  return iree_ok_status();
}
static bool has_nested_index(ir_op_t *producer) {
  bool found = false;
  for (ir_op_t *op = ir_body(producer)->first; op; op = op->next)
    if (op->n_regions) iree_status_ignore(ir_walk(op, find_index, &found));
  return found;
}
static bool keeps_loops(ir_ctx_t *ctx, const ir_op_t *producer, const ir_op_t *consumer, uint32_t k, ir_attr_t loops) {
  uint32_t seen = 0;
  size_t n = linalg_n_loops(ctx, consumer);
  for (uint32_t i = 0; i < consumer->n_operands; ++i)
    if (i != k) seen |= loops_in(linalg_map(ctx, consumer, i));
  for (uint32_t i = 0; i < linalg_inputs(producer).n; ++i) seen |= loops_in(ir_map_compose(ctx, linalg_map(ctx, producer, i), loops));
  return n >= 32 ? seen == UINT32_MAX : seen == (1u << n) - 1;
}
static bool is_contraction_like(ir_ctx_t *ctx, const ir_op_t *op) {
  size_t n = linalg_n_loops(ctx, op);
  if (linalg_n_parallel(ctx, op) == n || linalg_inputs(op).n < 2) return false;
  for (uint32_t i = 0; i < linalg_inputs(op).n; ++i)
    if (ir_map_n_results(linalg_map(ctx, op, i)) == n) return false;
  return true;
}
static bool may_fuse(ir_ctx_t *ctx, ir_op_t *producer, const ir_op_t *consumer, uint32_t k, ir_attr_t *out_loops) {
  if (!is_producer(ctx, producer) || producer->block != consumer->block) return false;
  if (linalg_inputs(producer).n + linalg_inputs(consumer).n > MAX_INPUTS) return false;
  ir_attr_t consumed = linalg_map(ctx, consumer, k);
  if (ir_map_n_dims(consumed) > MAX_LOOPS) return false;
  uint32_t weight = body_weight(producer);
  bool single = ir_has_one_use(ir_result(producer, 0));
  if (!single && weight > FREE_WEIGHT) return false;
  if (!single && linalg_inputs(producer).n > 1) return false;
  if (!is_projection(consumed) && weight > 0) return false;
  bool repeats = ir_map_n_results(consumed) < linalg_n_loops(ctx, consumer);
  if (repeats && weight > CHEAP_WEIGHT) return false;
  if (is_contraction_like(ctx, consumer) && weight > 0) return false;
  *out_loops = loop_map(ctx, linalg_map(ctx, producer, linalg_outputs(producer).first), consumed);
  if (!ir_map_is_identity(*out_loops) && (!indexes_mappable(producer, *out_loops) || has_nested_index(producer))) return false;
  return keeps_loops(ctx, producer, consumer, k, *out_loops);
}

// ---- fusing
static void remap_indexes(ir_ctx_t *ctx, ir_block_t *body, ir_attr_t loops) {
  if (ir_map_is_identity(loops)) return;
  for (ir_op_t *op = body->first, *next; op; op = next) {
    next = op->next;
    if (op->kind != OP_LINALG_INDEX) continue;
    ir_expr_t e = ir_kid(loops, (size_t)ir_op_int(op, "dim", 0));
    if (e->kind == IR_E_DIM) {
      ir_op_set_attr(ctx, op, "dim", ir_attr_i64(ctx, ir_int(e, 0)));
      continue;
    }
    ir_builder_t b = ir_builder_before(ctx, op);
    ir_value_t *c = ir_build_constant(&b, ir_type_index(ctx), ir_attr_index(ctx, ir_int(e, 0)));
    ir_op_replace(op, &c);
  }
}

typedef struct parts {
  ir_value_t *operands[MAX_INPUTS + 64];
  ir_attr_t maps[MAX_INPUTS + 64];
  uint32_t n_inputs, n_outputs;
} parts_t;

// Builds the op of |parts| with |body| for its region, in place of |old|.
static ir_op_t *rebuild(ir_ctx_t *ctx, ir_op_t *old, const parts_t *parts, ir_region_t *body, ir_loc_t loc) {
  ir_builder_t b = ir_builder_before(ctx, old);
  ir_type_t types[64];
  for (uint32_t i = 0; i < old->n_results; ++i) types[i] = ir_result(old, i)->type;
  ir_named_t attrs[2] = {{"indexing_maps", ir_attr_array(ctx, parts->maps, parts->n_inputs + parts->n_outputs)},
                         {"iterator_types", ir_op_attr(old, "iterator_types")}};
  ir_op_t *op = ir_build(&b, &(ir_op_desc_t){.kind = OP_LINALG_GENERIC, .loc = loc, .operands = parts->operands,
                                             .n_operands = parts->n_inputs + parts->n_outputs,
                                             .segments = (uint32_t[]){parts->n_inputs, parts->n_outputs}, .results = types,
                                             .n_results = old->n_results, .attrs = attrs, .n_attrs = 2, .n_regions = 1});
  ir_region_take(op->regions[0], body);
  for (uint32_t i = 0; i < old->n_extra; ++i) ir_op_set_attr(ctx, op, old->extra[i].name, old->extra[i].value);
  for (uint32_t i = 0; i < old->n_results; ++i) ir_replace_uses(ir_result(old, i), ir_result(op, i));
  return op;
}

static ir_op_t *fuse(ir_ctx_t *ctx, ir_op_t *producer, ir_op_t *consumer, uint32_t k, ir_attr_t loops) {
  if (!ir_has_one_use(ir_result(producer, 0))) {
    ir_op_t *copy = ir_op_clone(ctx, producer, NULL);
    ir_builder_t b = ir_builder_before(ctx, consumer);
    ir_insert(&b, copy);
    producer = copy;
  }
  parts_t parts = {.n_inputs = 0};
  ir_block_t *body = ir_body(producer), *tail = ir_body(consumer);
  uint32_t p_in = linalg_inputs(producer).n, c_in = linalg_inputs(consumer).n;
  for (uint32_t i = 0; i < p_in; ++i) {
    parts.operands[parts.n_inputs] = ir_operand(producer, i);
    parts.maps[parts.n_inputs++] = ir_map_compose(ctx, linalg_map(ctx, producer, i), loops);
  }
  remap_indexes(ctx, body, loops);
  ir_op_t *yield = body->last;
  ir_replace_uses(tail->args[k], ir_operand(yield, 0));
  ir_op_erase(yield);
  ir_block_erase_arg(body, p_in);
  for (uint32_t i = 0; i < consumer->n_operands; ++i) {
    if (i == k) continue;
    uint32_t at = parts.n_inputs + parts.n_outputs;
    parts.operands[at] = ir_operand(consumer, i);
    parts.maps[at] = linalg_map(ctx, consumer, i);
    *(i < c_in ? &parts.n_inputs : &parts.n_outputs) += 1;
    ir_replace_uses(tail->args[i], ir_block_add_arg(ctx, body, tail->args[i]->type));
  }
  ir_block_move_ops(tail, tail->first, body);
  ir_loc_t locs[2] = {producer->loc, consumer->loc};
  ir_op_t *op = rebuild(ctx, consumer, &parts, producer->regions[0], ir_loc_fused(ctx, locs, 2));
  ir_op_erase(consumer);
  ir_op_erase(producer);
  return op;
}

// ---- inputs that need no tensor
// The scalar that |v| is throughout, built before |op|; NULL if it is not uniform.
static ir_value_t *uniform_scalar(ir_ctx_t *ctx, ir_op_t *op, ir_value_t *v) {
  ir_op_t *def = ir_def(v);
  if (!def || !ir_is(v->type, IR_T_TENSOR)) return NULL;
  if (def->kind == OP_LINALG_FILL || def->kind == OP_TENSOR_SPLAT) return ir_operand(def, 0);
  if (def->kind == OP_TENSOR_FROM_ELEMENTS && def->n_operands == 1) return ir_operand(def, 0);
  ir_attr_t value = ir_constant_of(v);
  if (!ir_is(value, IR_A_DENSE) || !ir_dense_is_splat(value)) return NULL;
  ir_attr_t element = ir_dense_element(ctx, value, 0);
  if (!element) return NULL;
  ir_builder_t b = ir_builder_before(ctx, op);
  return ir_build_constant(&b, ir_type_element(v->type), element);
}
static bool covered_without(ir_ctx_t *ctx, const ir_op_t *op, uint32_t k) {
  uint32_t seen = 0;
  size_t n = linalg_n_loops(ctx, op);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (i != k) seen |= loops_in(linalg_map(ctx, op, i));
  return n < 32 && seen == (1u << n) - 1;
}
// Drops input |k|, whose body argument has no more uses.
static void drop_input(ir_ctx_t *ctx, ir_op_t *op, uint32_t k) {
  ir_attr_t maps = linalg_maps(ctx, op), kept[MAX_INPUTS + 64];
  uint32_t n = 0;
  for (uint32_t i = 0; i < maps->n_kids; ++i)
    if (i != k) kept[n++] = ir_kid(maps, i);
  ir_op_set_attr(ctx, op, "indexing_maps", ir_attr_array(ctx, kept, n));
  ir_block_erase_arg(ir_body(op), k);
  ir_op_erase_operand(op, k);
}
static void simplify_inputs(ir_ctx_t *ctx, ir_op_t *op) {
  if (op->n_operands > MAX_INPUTS + 64 || linalg_n_loops(ctx, op) >= 32) return;
  for (uint32_t i = 0; i < linalg_inputs(op).n;) {
    ir_value_t *arg = ir_body(op)->args[i];
    bool twin = false;
    for (uint32_t j = 0; j < i && !twin; ++j) {
      if (ir_operand(op, j) != ir_operand(op, i) || linalg_map(ctx, op, j) != linalg_map(ctx, op, i)) continue;
      ir_replace_uses(arg, ir_body(op)->args[j]);
      twin = true;
    }
    ir_value_t *scalar = !twin && !ir_unused(arg) ? uniform_scalar(ctx, op, ir_operand(op, i)) : NULL;
    if (scalar) ir_replace_uses(arg, scalar);
    if (ir_unused(arg) && (twin || covered_without(ctx, op, i))) drop_input(ctx, op, i);
    else ++i;
  }
}

// ---- the sweep
static ir_op_t *fuse_into(ir_ctx_t *ctx, ir_op_t *op) {
  simplify_inputs(ctx, op);
  for (uint32_t k = 0; k < linalg_inputs(op).n;) {
    ir_op_t *producer = ir_def(ir_operand(op, k));
    ir_attr_t loops;
    if (producer && may_fuse(ctx, producer, op, k, &loops)) {
      op = fuse(ctx, producer, op, k, loops);
      simplify_inputs(ctx, op);
      k = 0;
    } else {
      ++k;
    }
  }
  return op;
}
static bool generalizes(const ir_op_t *op) {
  return op->kind == OP_LINALG_TRANSPOSE || op->kind == OP_LINALG_BROADCAST || op->kind == OP_LINALG_COPY;
}
static void fuse_in(ir_ctx_t *ctx, ir_op_t *parent) {
  for (uint16_t r = 0; r < parent->n_regions; ++r) {
    for (ir_block_t *b = parent->regions[r]->first; b; b = b->next) {
      for (ir_op_t *op = b->first; op; op = op->next) {
        if (op->kind == OP_FLOW_DISPATCH_WORKGROUPS || op->kind == OP_FLOW_EXECUTABLE) continue;
        if (generalizes(op) && op->n_results) op = linalg_generalize(ctx, op);
        if (op->kind == OP_LINALG_GENERIC && op->n_results) op = fuse_into(ctx, op);
        else if (!linalg_is_structured(op)) fuse_in(ctx, op);
      }
    }
  }
}

iree_status_t flow_fuse_elementwise(pass_t *pass, ir_op_t *module) {
  fuse_in(pass->ctx, module);
  return ir_simplify(pass->ctx, module);
}
