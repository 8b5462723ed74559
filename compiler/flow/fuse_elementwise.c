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
// Else it may go into its first consumer and stay a result beside the consumer's, if both run over the
// same points: one pass over memory less, nothing computed twice.
// Inputs that are the same value throughout (splats) become scalars of the body.
//
// The producer's block is extended by the consumer's ops, so a chain of n ops costs n steps.
#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

enum {
  MAX_INPUTS = 24,     // as GROUP_MAX_INPUTS
  MAX_LOOPS = 32,
  FREE_WEIGHT = 1,     // repeated in every consumer
  CHEAP_WEIGHT = 2,    // repeated along loops that the consumer adds
  MATH_WEIGHT = 10,
  DIVIDE_WEIGHT = 4,
  MAX_RESULTS = 8,     // of one fused op
  MAX_SHARED_INPUTS = 16,
  MAX_BODY = 1024,     // ops: beyond, a pass over memory costs nothing beside them, and compile time grows with the square
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
// The number of ops in |generic|'s body, counted up to a little more than may be fused.
static uint32_t body_size(const ir_op_t *generic) {
  uint32_t n = 0;
  for (const ir_op_t *op = ir_body(generic)->first; op && n <= MAX_BODY; op = op->next) ++n;
  return n;
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
  if (!ir_op_is(op, OP_LINALG_GENERIC) || !op->n_results || !ir_is(ir_result(op, 0)->type, IR_T_TENSOR)) return false;
  size_t n = linalg_n_loops(ctx, op);
  if (n > MAX_LOOPS || linalg_n_parallel(ctx, op) != n) return false;
  for (uint32_t i = linalg_outputs(op).first; i < op->n_operands; ++i)
    if (!is_permutation(linalg_map(ctx, op, i)) || !ir_unused(ir_body(op)->args[i])) return false;
  return true;
}
static bool one_use(const ir_op_t *op) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < op->n_results; ++r)
    for (const ir_use_t *use = ir_result(op, r)->uses; use && n < 2; use = use->next) ++n;
  return n == 1;
}
// Do all other uses of |producer| stand after |consumer|? Marks number the block's ops.
static bool is_first_user(const ir_op_t *producer, const ir_op_t *consumer) {
  for (uint32_t r = 0; r < producer->n_results; ++r) {
    for (const ir_use_t *use = ir_result(producer, r)->uses; use; use = use->next) {
      const ir_op_t *user = use->user;
      while (user && user->block != producer->block) user = ir_op_parent(user);
      if (!user || (user != consumer && user->mark <= consumer->mark)) return false;
      if (user == consumer && use->user != consumer) return false;  // its body reads the whole tensor
    }
  }
  return true;
}
static bool may_share(ir_ctx_t *ctx, const ir_op_t *producer, const ir_op_t *consumer, ir_attr_t loops) {
  size_t n = linalg_n_loops(ctx, consumer);
  if (linalg_n_parallel(ctx, consumer) != n || !is_permutation(loops) || ir_map_n_results(loops) != n) return false;
  for (uint32_t i = linalg_outputs(consumer).first; i < consumer->n_operands; ++i)
    if (!ir_unused(ir_body(consumer)->args[i])) return false;
  if (producer->n_results + consumer->n_results > MAX_RESULTS) return false;
  // Every operand that the producer makes is read at the same point.
  for (uint32_t i = 0; i < consumer->n_operands; ++i) {
    if (ir_def(ir_operand(consumer, i)) != producer) continue;
    ir_attr_t produced = linalg_map(ctx, producer, linalg_outputs(producer).first + ir_operand(consumer, i)->index);
    if (i >= linalg_inputs(consumer).n || loop_map(ctx, produced, linalg_map(ctx, consumer, i)) != loops) return false;
  }
  if (linalg_inputs(producer).n + linalg_inputs(consumer).n > MAX_SHARED_INPUTS) return false;
  return is_first_user(producer, consumer);
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
typedef enum { FUSE_NOT, FUSE_MOVE, FUSE_REPEAT, FUSE_SHARE } fuse_mode_t;
static fuse_mode_t how_to_fuse(ir_ctx_t *ctx, ir_op_t *producer, const ir_op_t *consumer, uint32_t k, ir_attr_t *out_loops) {
  if (!is_producer(ctx, producer) || producer->block != consumer->block) return FUSE_NOT;
  if (linalg_inputs(producer).n + linalg_inputs(consumer).n > MAX_INPUTS) return FUSE_NOT;
  ir_attr_t consumed = linalg_map(ctx, consumer, k);
  if (ir_map_n_dims(consumed) > MAX_LOOPS || producer->n_results > MAX_RESULTS || consumer->n_results > MAX_INPUTS) return FUSE_NOT;
  if (body_size(producer) + body_size(consumer) > MAX_BODY) return FUSE_NOT;
  uint32_t weight = body_weight(producer);
  if (!is_projection(consumed) && weight > 0) return FUSE_NOT;
  bool repeats = ir_map_n_results(consumed) < linalg_n_loops(ctx, consumer);
  if (repeats && weight > CHEAP_WEIGHT) return FUSE_NOT;
  if (is_contraction_like(ctx, consumer) && weight > 0) return FUSE_NOT;
  uint32_t result = linalg_outputs(producer).first + ir_operand(consumer, k)->index;
  *out_loops = loop_map(ctx, linalg_map(ctx, producer, result), consumed);
  if (!ir_map_is_identity(*out_loops) && (!indexes_mappable(producer, *out_loops) || has_nested_index(producer))) return FUSE_NOT;
  if (!keeps_loops(ctx, producer, consumer, k, *out_loops)) return FUSE_NOT;
  if (one_use(producer)) return FUSE_MOVE;
  bool is_free = producer->n_results == 1 && weight <= FREE_WEIGHT && linalg_inputs(producer).n <= 1;
  if ((!is_free || weight > 0) && may_share(ctx, producer, consumer, *out_loops)) return FUSE_SHARE;
  return is_free ? FUSE_REPEAT : FUSE_NOT;
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

// Builds the op of |parts| with |body| for its region before |old|, whose iterators it has.
static ir_op_t *rebuild(ir_ctx_t *ctx, ir_op_t *old, const parts_t *parts, ir_region_t *body, ir_loc_t loc) {
  ir_builder_t b = ir_builder_before(ctx, old);
  ir_type_t types[64];
  for (uint32_t i = 0; i < parts->n_outputs; ++i) types[i] = parts->operands[parts->n_inputs + i]->type;
  ir_named_t attrs[2] = {{"indexing_maps", ir_attr_array(ctx, parts->maps, parts->n_inputs + parts->n_outputs)},
                         {"iterator_types", ir_op_attr(old, "iterator_types")}};
  ir_op_t *op = ir_build(&b, &(ir_op_desc_t){.kind = OP_LINALG_GENERIC, .loc = loc, .operands = parts->operands,
                                             .n_operands = parts->n_inputs + parts->n_outputs,
                                             .segments = (uint32_t[]){parts->n_inputs, parts->n_outputs}, .results = types,
                                             .n_results = parts->n_outputs, .attrs = attrs, .n_attrs = 2, .n_regions = 1});
  ir_region_take(op->regions[0], body);
  op->mark = old->mark;
  for (uint32_t i = 0; i < old->n_extra; ++i) ir_op_set_attr(ctx, op, old->extra[i].name, old->extra[i].value);
  return op;
}
static void add_part(ir_ctx_t *ctx, parts_t *parts, const ir_op_t *op, uint32_t i, ir_attr_t loops, bool output) {
  uint32_t at = parts->n_inputs + parts->n_outputs;
  ir_attr_t map = linalg_map(ctx, op, i);
  parts->operands[at] = ir_operand(op, i);
  parts->maps[at] = loops ? ir_map_compose(ctx, map, loops) : map;
  *(output ? &parts->n_outputs : &parts->n_inputs) += 1;
}
// Puts the |n| arguments from |first| on behind the |m| that follow them.
static void rotate_args(ir_block_t *block, uint32_t first, uint32_t n, uint32_t m) {
  ir_value_t *kept[MAX_RESULTS];
  for (uint32_t i = 0; i < n; ++i) kept[i] = block->args[first + i];
  for (uint32_t i = 0; i < m; ++i) block->args[first + i] = block->args[first + n + i];
  for (uint32_t i = 0; i < n; ++i) block->args[first + m + i] = kept[i];
  for (uint32_t i = 0; i < n + m; ++i) block->args[first + i]->index = first + i;
}

static ir_op_t *fuse(ir_ctx_t *ctx, ir_op_t *producer, ir_op_t *consumer, uint32_t k, ir_attr_t loops, fuse_mode_t mode) {
  uint32_t result = ir_operand(consumer, k)->index;
  if (mode == FUSE_REPEAT) {
    ir_op_t *copy = ir_op_clone(ctx, producer, NULL);
    ir_builder_t b = ir_builder_before(ctx, consumer);
    ir_insert(&b, copy);
    producer = copy;
  }
  parts_t parts = {.n_inputs = 0};
  ir_block_t *body = ir_body(producer), *tail = ir_body(consumer);
  uint32_t p_in = linalg_inputs(producer).n, c_in = linalg_inputs(consumer).n, n_kept = mode == FUSE_SHARE ? producer->n_results : 0;
  remap_indexes(ctx, body, loops);
  ir_value_t *yielded[MAX_RESULTS + 64];
  for (uint32_t r = 0; r < producer->n_results; ++r) yielded[r] = ir_operand(body->last, r);
  ir_replace_uses(tail->args[k], yielded[result]);
  ir_op_erase(body->last);
  for (uint32_t i = 0; i < p_in; ++i) add_part(ctx, &parts, producer, i, loops, false);
  if (!n_kept)
    while (body->n_args > p_in) ir_block_erase_arg(body, body->n_args - 1);
  uint32_t n_new = 0;
  for (uint32_t i = 0; i < c_in; ++i) {
    if (i == k) continue;
    if (ir_def(ir_operand(consumer, i)) == producer) {
      ir_replace_uses(tail->args[i], yielded[ir_operand(consumer, i)->index]);
      continue;
    }
    add_part(ctx, &parts, consumer, i, NULL, false);
    ir_replace_uses(tail->args[i], ir_block_add_arg(ctx, body, tail->args[i]->type));
    ++n_new;
  }
  rotate_args(body, p_in, n_kept, n_new);
  for (uint32_t r = 0; r < n_kept; ++r) add_part(ctx, &parts, producer, p_in + r, loops, true);
  for (uint32_t i = c_in; i < consumer->n_operands; ++i)
    add_part(ctx, &parts, consumer, i, NULL, true), ir_replace_uses(tail->args[i], ir_block_add_arg(ctx, body, tail->args[i]->type));
  ir_block_move_ops(tail->first, body);
  for (uint32_t r = 0; r < consumer->n_results; ++r) yielded[n_kept + r] = ir_operand(body->last, r);
  ir_op_set_operands(ctx, body->last, yielded, n_kept + consumer->n_results, NULL);
  ir_loc_t locs[2] = {producer->loc, consumer->loc};
  ir_op_t *op = rebuild(ctx, consumer, &parts, producer->regions[0], ir_loc_fused(ctx, locs, 2));
  for (uint32_t r = 0; r < consumer->n_results; ++r) ir_replace_uses(ir_result(consumer, r), ir_result(op, n_kept + r));
  ir_op_erase(consumer);
  for (uint32_t r = 0; r < n_kept; ++r) ir_replace_uses(ir_result(producer, r), ir_result(op, r));
  ir_op_erase(producer);
  return op;
}

// Results that are the same value become one.
static void merge_results(ir_ctx_t *ctx, ir_op_t *op) {
  uint32_t n_in = linalg_inputs(op).n;
  const ir_op_t *yield = ir_body(op)->last;
  for (uint32_t r = 1; r < op->n_results; ++r) {
    for (uint32_t first = 0; first < r; ++first) {
      bool same = ir_operand(yield, r) == ir_operand(yield, first) && ir_result(op, r)->type == ir_result(op, first)->type &&
                  linalg_map(ctx, op, n_in + r) == linalg_map(ctx, op, n_in + first);
      if (!same) continue;
      ir_replace_uses(ir_result(op, r), ir_result(op, first));
      break;
    }
  }
}
// Drops results that nobody uses any more.
static ir_op_t *drop_results(ir_ctx_t *ctx, ir_op_t *op) {
  merge_results(ctx, op);
  uint32_t n_unused = ir_op_n_unused_results(op), n_in = linalg_inputs(op).n;
  if (!n_unused || n_unused == op->n_results || op->n_results > MAX_RESULTS || op->n_operands > MAX_INPUTS + 64) return op;
  for (uint32_t r = 0; r < op->n_results; ++r)
    if (ir_unused(ir_result(op, r)) && !ir_unused(ir_body(op)->args[n_in + r])) return op;
  parts_t parts = {.n_inputs = 0};
  ir_value_t *yielded[MAX_RESULTS];
  ir_block_t *body = ir_body(op);
  for (uint32_t i = 0; i < n_in; ++i) add_part(ctx, &parts, op, i, NULL, false);
  for (uint32_t r = 0; r < op->n_results; ++r) {
    if (ir_unused(ir_result(op, r))) continue;
    yielded[parts.n_outputs] = ir_operand(body->last, r);
    add_part(ctx, &parts, op, n_in + r, NULL, true);
  }
  for (uint32_t r = op->n_results; r-- > 0;)
    if (ir_unused(ir_result(op, r))) ir_block_erase_arg(body, n_in + r);
  ir_op_set_operands(ctx, body->last, yielded, parts.n_outputs, NULL);
  ir_op_t *kept = rebuild(ctx, op, &parts, op->regions[0], op->loc);
  for (uint32_t r = 0, k = 0; r < op->n_results; ++r)
    if (!ir_unused(ir_result(op, r))) ir_replace_uses(ir_result(op, r), ir_result(kept, k++));
  ir_op_erase(op);
  return kept;
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

// An op that writes one outside value everywhere is a fill.
static ir_op_t *as_fill(ir_ctx_t *ctx, ir_op_t *op) {
  ir_block_t *body = ir_body(op);
  if (linalg_inputs(op).n || op->n_results != 1 || body->first != body->last) return op;
  ir_value_t *value = ir_operand(body->last, 0);
  if ((value->is_arg && value->block == body) || value->type != ir_type_element(ir_result(op, 0)->type)) return op;
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *fill = linalg_build_fill(&b, value, ir_operand(op, 0));
  fill->op->mark = op->mark;
  ir_op_replace(op, &fill);
  return fill->op;
}

// ---- the sweep
static ir_op_t *fuse_into(ir_ctx_t *ctx, ir_op_t *op) {
  simplify_inputs(ctx, op);
  for (uint32_t k = 0; k < linalg_inputs(op).n;) {
    ir_op_t *producer = ir_def(ir_operand(op, k));
    ir_attr_t loops;
    fuse_mode_t mode = producer ? how_to_fuse(ctx, producer, op, k, &loops) : FUSE_NOT;
    if (mode != FUSE_NOT && ir_may_rewrite(op, "fuse producer of")) {
      op = fuse(ctx, producer, op, k, loops, mode);
      simplify_inputs(ctx, op);
      k = 0;
    } else {
      ++k;
    }
  }
  return as_fill(ctx, op);
}
static void number_ops(ir_block_t *b) {
  uint32_t n = 0;
  for (ir_op_t *op = b->first; op; op = op->next) op->mark = n++;
}
static bool generalizes(const ir_op_t *op) {
  return op->kind == OP_LINALG_TRANSPOSE || op->kind == OP_LINALG_BROADCAST || op->kind == OP_LINALG_COPY;
}
static void fuse_in(ir_ctx_t *ctx, ir_op_t *parent) {
  for (uint16_t r = 0; r < parent->n_regions; ++r) {
    for (ir_block_t *b = parent->regions[r]->first; b; b = b->next) {
      for (ir_op_t *op = b->first; op; op = op->next)
        if (generalizes(op) && op->n_results) op = linalg_generalize(ctx, op);
      number_ops(b);
      for (ir_op_t *op = b->first; op; op = op->next) {
        if (op->kind == OP_FLOW_DISPATCH_WORKGROUPS || op->kind == OP_FLOW_EXECUTABLE) continue;
        if (op->kind == OP_LINALG_GENERIC && op->n_results) op = fuse_into(ctx, op);
        else if (!linalg_is_structured(op)) fuse_in(ctx, op);
      }
      for (ir_op_t *op = b->first; op; op = op->next)
        if (op->kind == OP_LINALG_GENERIC && op->n_results > 1) op = drop_results(ctx, op);
    }
  }
}

iree_status_t flow_fuse_elementwise(pass_t *pass, ir_op_t *module) {
  fuse_in(pass->ctx, module);
  return ir_simplify(pass->ctx, module);
}
