// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/flow/groups.h"

#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"

enum {
  CLONED_CONSTANT_BYTES = 256,  // as upstream: larger ones are bindings
  MIN_OUTER = 16,               // parallel points a group must keep to feed the workers ...
  SMALL_WORK = 16384,           // ... unless all its work is this small
  MAX_INNER = 1 << 16,          // elements a temporary of one outer point may have
  MAX_LOOPS = 32,
  MAX_OPS = 1024,           // in all bodies: kernels that are compiled in no time
  ASSUMED_SIZE = 64,        // of loops whose size is not known
  CHEAP = 8,                // steps per element that may be taken again without counting
  MAX_REPEATED = 4096,      // steps taken again that still cost less than a dispatch
  MAX_COST = 1 << 30,
};

bool dispatch_clones(const ir_op_t *op) {
  switch ((op_kind_t)op->kind) {
    case OP_TENSOR_EMPTY:
    case OP_LINALG_FILL:
    case OP_COMPLEX_CONSTANT: return true;
    case OP_TENSOR_EXTRACT_SLICE: return ir_type_rank(ir_result(op, 0)->type) == ir_type_rank(ir_operand(op, 0)->type);
    case OP_ARITH_CONSTANT: {
      ir_attr_t value = ir_op_attr(op, "value");
      if (!ir_is(ir_result(op, 0)->type, IR_T_TENSOR)) return true;
      return ir_is(value, IR_A_DENSE) && (ir_dense_is_splat(value) || ir_dense_bytes(value) <= CLONED_CONSTANT_BYTES);
    }
    default: return false;
  }
}

// ---- what ops are
static bool is_external_compute(const ir_op_t *op) {
  if (op->kind == OP_FLOW_DISPATCH_REGION) return true;
  return op->n_results && (!strncmp(ir_op_name(op), "iree_linalg_ext.", 16) || !strcmp(ir_op_name(op), "linalg.softmax"));
}
static bool is_compute(const ir_op_t *op) {
  if (op->kind == OP_LINALG_FILL) return false;  // data where it is not cloned: a splat
  if (linalg_is_structured(op)) return op->n_results > 0;
  return is_external_compute(op);
}
static bool is_generic(const ir_op_t *op) { return op->kind == OP_LINALG_GENERIC; }
static bool is_contraction(ir_ctx_t *ctx, const ir_op_t *op) {
  if (!linalg_is_structured(op)) return true;  // as heavy, and as little open to others
  if (!is_generic(op)) return linalg_n_parallel(ctx, op) < linalg_n_loops(ctx, op);
  // A generic with a reduction over more than one tensor whose operands do not all have every loop.
  if (linalg_n_parallel(ctx, op) == linalg_n_loops(ctx, op) || linalg_inputs(op).n < 2) return false;
  for (uint32_t i = 0; i < linalg_inputs(op).n; ++i)
    if (ir_map_n_results(linalg_map(ctx, op, i)) == linalg_n_loops(ctx, op)) return false;
  return true;
}
static int64_t loop_size(ir_ctx_t *ctx, const ir_op_t *op, size_t loop) {
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    if (!ir_is(type, IR_T_TENSOR)) continue;
    ir_attr_t map = linalg_map(ctx, op, i);
    for (uint32_t r = 0; r < map->n_kids && r < ir_type_rank(type); ++r)
      if (ir_kid(map, r)->kind == IR_E_DIM && ir_int(ir_kid(map, r), 0) == (int64_t)loop) return ir_type_dim(type, r);
  }
  return IR_DYNAMIC;
}
static int64_t times(int64_t a, int64_t b) {
  int64_t r;
  if (a == IR_DYNAMIC || b == IR_DYNAMIC) return IR_DYNAMIC;
  return __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}

// ---- dependences
typedef struct operand_walk {
  groups_t *g;
  uint32_t *list;
  uint32_t n, cap, user;
  uint32_t *seen;  // per op: last user that listed it + 1
} operand_walk_t;
static iree_status_t list_operands(ir_op_t *op, void *self) {
  operand_walk_t *w = self;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_op_t *def = ir_def(ir_operand(op, i));
    if (!def || def->block != w->g->block || w->seen[def->mark] == w->user + 1 || def->mark == w->user) continue;
    w->seen[def->mark] = w->user + 1;
    IREE_ARENA_PUSH(w->g->pass->scratch, w->list, w->n, w->cap, def->mark);
  }
  return iree_ok_status();
}
static void collect(groups_t *g) {
  iree_arena_t *arena = g->pass->scratch;
  for (ir_op_t *op = g->block->first; op; op = op->next) op->mark = g->n_ops++;
  g->ops = IREE_ARENA_ARRAY(arena, ir_op_t *, g->n_ops + 1);
  g->of = IREE_ARENA_ARRAY(arena, group_t *, g->n_ops + 1);
  g->rank = IREE_ARENA_ARRAY(arena, uint32_t, g->n_ops + 1);
  g->operands = IREE_ARENA_ARRAY(arena, uint32_t *, g->n_ops + 1);
  g->n_operands = IREE_ARENA_ARRAY(arena, uint32_t, g->n_ops + 1);
  g->cost = IREE_ARENA_ARRAY(arena, int64_t, g->n_ops + 1);
  g->readers = IREE_ARENA_ARRAY(arena, uint32_t, g->n_ops + 1);
  operand_walk_t w = {.g = g, .seen = IREE_ARENA_ARRAY(arena, uint32_t, g->n_ops + 1)};
  for (ir_op_t *op = g->block->first; op; op = op->next) g->ops[op->mark] = op;
  for (uint32_t i = 0; i < g->n_ops; ++i) {
    w.list = NULL;
    w.n = w.cap = 0;
    w.user = i;
    iree_status_ignore(ir_walk(g->ops[i], list_operands, &w));
    g->operands[i] = w.list;
    g->n_operands[i] = w.n;
  }
}
static uint32_t rank_of(const groups_t *g, uint32_t i) { return g->of[i] ? g->of[i]->rank : g->rank[i]; }

// ---- tags: which outer loop of its group each dimension of a value is; -1: none
typedef struct tags {
  int8_t dim[MAX_LOOPS];
} tags_t;

static uint32_t count_ops(const ir_op_t *op) {
  uint32_t n = 1;
  for (const ir_op_t *o = ir_body(op) ? ir_body(op)->first : NULL; o; o = o->next) ++n;
  return n;
}
static void group_add(groups_t *g, group_t *group, ir_op_t *op) {
  group->n_ops += count_ops(op);
  IREE_ARENA_PUSH(g->pass->scratch, group->members, group->n_members, group->cap_members, op);
  g->of[op->mark] = group;
}
// Adds the tensors that |op| reads from outside of |group|; false, and nothing added, if they are too many.
static bool add_inputs(groups_t *g, group_t *group, ir_op_t *op) {
  uint32_t had = group->n_inputs;
  for (uint32_t i = 0; i < linalg_inputs(op).n; ++i) {
    ir_value_t *v = ir_operand(op, linalg_inputs(op).first + i);
    ir_op_t *def = ir_def(v);
    if (!ir_is(v->type, IR_T_TENSOR) || (def && dispatch_clones(def))) continue;
    if (def && def->block == g->block && g->of[def->mark] == group) continue;
    uint32_t k = 0;
    while (k < group->n_inputs && group->inputs[k] != v) ++k;
    if (k < group->n_inputs) continue;
    if (k == GROUP_MAX_INPUTS) {
      group->n_inputs = had;
      return false;
    }
    group->inputs[group->n_inputs++] = v;
  }
  return true;
}

// ---- what is computed again: a kernel computes an element of a member where it is read, in the outermost
// loop that fixes it, and keeps it no longer
static ir_op_t *member_read(const groups_t *g, const group_t *group, const ir_op_t *op, uint32_t i) {
  ir_op_t *def = ir_def(ir_operand(op, i));
  return def && def->block == g->block && g->of[def->mark] == group ? def : NULL;
}
static int64_t bounded(int64_t a, int64_t b) {
  if (b == IR_DYNAMIC) b = ASSUMED_SIZE;
  int64_t r;
  return __builtin_mul_overflow(a, b, &r) || r > MAX_COST ? MAX_COST : r;
}
// How often |op| has an element of its operand |i| computed: once per point of the loops that stand outside of
// the last one that the element depends on and do not move it. Reductions stand inside.
static int64_t times_read(const groups_t *g, const ir_op_t *op, uint32_t i, size_t n) {
  ir_ctx_t *ctx = g->pass->ctx;
  ir_attr_t map = linalg_map(ctx, op, i);
  bool used[MAX_LOOPS] = {0};
  for (uint32_t d = 0; d < map->n_kids; ++d)
    if (ir_kid(map, d)->kind == IR_E_DIM) used[ir_int(ir_kid(map, d), 0)] = true;
  int64_t outside = 1, times_used = 1;
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t l = 0; l < n; ++l) {
      if (linalg_is_parallel(ctx, op, l) != (pass == 0)) continue;
      if (used[l]) times_used = outside;
      else outside = bounded(outside, loop_size(ctx, op, l));
    }
  }
  return times_used;
}
static int64_t n_elements(ir_type_t type) {
  int64_t n = 1;
  for (size_t d = 0; d < ir_type_rank(type); ++d) n = bounded(n, ir_type_dim(type, d));
  return n;
}
// Steps behind one element of |op|; those of an operand that several elements share count in parts.
static int64_t element_cost(const groups_t *g, const group_t *group, const ir_op_t *op) {
  ir_ctx_t *ctx = g->pass->ctx;
  size_t n = linalg_n_loops(ctx, op);
  int64_t inner = 0, steps = 1, points = 1;
  for (size_t l = 0; l < n; ++l) {
    points = bounded(points, loop_size(ctx, op, l));
    if (!linalg_is_parallel(ctx, op, l)) steps = bounded(steps, loop_size(ctx, op, l));
  }
  for (uint32_t i = 0; i < linalg_inputs(op).n; ++i) {
    const ir_op_t *def = member_read(g, group, op, i);
    if (!def || !points) continue;
    int64_t times_computed = bounded(n_elements(ir_operand(op, i)->type), times_read(g, op, i, n));
    inner += bounded(g->cost[def->mark], times_computed) / points;
  }
  return linalg_n_parallel(ctx, op) == n ? inner : bounded(steps, inner + 1);
}
static bool has_inner_dim(const tags_t *t, size_t rank, uint64_t outer) {
  for (size_t d = 0; d < rank && d < MAX_LOOPS; ++d)
    if (t->dim[d] < 0 || !(outer >> t->dim[d] & 1)) return true;
  return false;
}
// Steps that are taken again if |op|, of |n| loops, joins |group|, whose outer loops then are |outer|.
static int64_t repeated_steps(groups_t *g, ir_map_t *tags, const group_t *group, const ir_op_t *op, size_t n, uint64_t outer) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < linalg_inputs(op).n; ++i) {
    const ir_op_t *def = member_read(g, group, op, i);
    if (!def || g->cost[def->mark] < CHEAP) continue;
    ir_type_t type = ir_operand(op, i)->type;
    const tags_t *t = ir_map_get(tags, def);
    int64_t again = times_read(g, op, i, n) - 1;
    if (g->readers[def->mark] && t && has_inner_dim(t + ir_operand(op, i)->index, ir_type_rank(type), outer)) ++again;
    sum += bounded(bounded(n_elements(type), g->cost[def->mark]), again);
  }
  return sum;
}
static void note_cost(groups_t *g, const group_t *group, const ir_op_t *op) {
  if (!linalg_is_structured(op)) return;
  g->cost[op->mark] = element_cost(g, group, op);
  for (uint32_t i = 0; i < linalg_inputs(op).n; ++i) {
    const ir_op_t *def = member_read(g, group, op, i);
    if (def) ++g->readers[def->mark];
  }
}

static tags_t *result_tags(groups_t *g, ir_op_t *op, const int8_t *loops) {
  tags_t *t = IREE_ARENA_ARRAY(g->pass->scratch, tags_t, op->n_results + 1);
  for (uint32_t r = 0; r < op->n_results; ++r) {
    ir_attr_t map = linalg_map(g->pass->ctx, op, linalg_outputs(op).first + r);
    for (uint32_t d = 0; d < map->n_kids && d < MAX_LOOPS; ++d)
      t[r].dim[d] = ir_kid(map, d)->kind == IR_E_DIM ? loops[ir_int(ir_kid(map, d), 0)] : -1;
  }
  return t;
}

static group_t *new_group(groups_t *g, ir_map_t *tags, ir_op_t *op, uint32_t rank, uint32_t epoch) {
  ir_ctx_t *ctx = g->pass->ctx;
  group_t *group = IREE_ARENA_NEW(g->pass->scratch, group_t);
  group->rank = rank;
  group->epoch = epoch;
  group->is_own_kind = !linalg_is_structured(op);
  if (linalg_is_structured(op) && !add_inputs(g, group, op)) group->closed = true;  // more than fits by itself
  group_add(g, group, op);
  note_cost(g, group, op);
  group->is_contraction = is_contraction(ctx, op);
  size_t n = linalg_is_structured(op) ? linalg_n_loops(ctx, op) : MAX_LOOPS + 1;
  if (n > MAX_LOOPS) {
    group->closed = true;
    return group;
  }
  int8_t loops[MAX_LOOPS];
  group->inner_size = group->work = 1;
  for (size_t i = 0; i < n; ++i) {
    loops[i] = -1;
    int64_t size = loop_size(ctx, op, i);
    group->work = times(group->work, size);
    if (!linalg_is_parallel(ctx, op, i)) {
      group->inner_size = times(group->inner_size, size);
      continue;
    }
    loops[i] = (int8_t)group->n_outer;
    group->outer |= 1ull << group->n_outer;
    group->outer_size[group->n_outer++] = size;
  }
  ir_map_set(tags, op, result_tags(g, op, loops));
  return group;
}

// ---- joining
// Gives each loop of |op| the outer loop it is, from the operands that |group| makes. False if an
// operand is read in a way that mixes outer points.
static bool loop_tags(groups_t *g, ir_map_t *tags, const group_t *group, ir_op_t *op, size_t n, int8_t *loops) {
  ir_ctx_t *ctx = g->pass->ctx;
  bool fixed[MAX_LOOPS] = {0};
  for (size_t i = 0; i < n; ++i) loops[i] = -1;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_op_t *def = ir_def(ir_operand(op, i));
    if (!def || def->block != g->block || g->of[def->mark] != group) continue;
    if (i >= linalg_inputs(op).n) return false;  // accumulates into it
    const tags_t *t = ir_map_get(tags, def);
    if (!t) return false;
    t += ir_operand(op, i)->index;
    ir_attr_t map = linalg_map(ctx, op, i);
    for (uint32_t d = 0; d < map->n_kids; ++d) {
      int8_t tag = t->dim[d];
      if (tag >= 0 && !(group->outer >> tag & 1)) tag = -1;
      ir_expr_t e = ir_kid(map, d);
      if (e->kind != IR_E_DIM) {
        if (tag >= 0) return false;
        continue;
      }
      size_t loop = (size_t)ir_int(e, 0);
      if (fixed[loop] && loops[loop] != tag) return false;
      fixed[loop] = true;
      loops[loop] = tag;
    }
  }
  return true;
}

static bool captures_group(groups_t *g, const group_t *group, ir_op_t *op) {
  // Values of the group that only the body uses (gathers) are not pieces of it.
  for (uint32_t k = 0; k < g->n_operands[op->mark]; ++k) {
    uint32_t d = g->operands[op->mark][k];
    if (g->of[d] != group) continue;
    bool direct = false;
    for (uint32_t i = 0; i < op->n_operands; ++i) direct |= ir_def(ir_operand(op, i)) == g->ops[d];
    if (!direct) return true;
  }
  return false;
}

static int64_t plus(int64_t a, int64_t b) {
  int64_t r;
  if (a == IR_DYNAMIC || b == IR_DYNAMIC) return IR_DYNAMIC;
  return __builtin_add_overflow(a, b, &r) ? INT64_MAX : r;
}

// After |op| joined, which outer loops are left, how many points they have, and is that enough?
static bool worthwhile(ir_ctx_t *ctx, const group_t *group, ir_op_t *op, size_t n, const int8_t *loops, uint64_t *outer,
                       int64_t *out_work) {
  uint64_t used = 0;
  int64_t inner = 1, work = 1;
  bool shrinks = false;
  for (size_t i = 0; i < n; ++i) {
    int64_t size = loop_size(ctx, op, i);
    work = times(work, size);
    if (loops[i] >= 0 && linalg_is_parallel(ctx, op, i)) {
      if (used >> loops[i] & 1) return false;
      used |= 1ull << loops[i];
      continue;
    }
    if (loops[i] >= 0) shrinks = true;
    inner = times(inner, size);
  }
  *out_work = work = plus(group->work, work);
  *outer = group->outer & used;
  if (*outer != group->outer) shrinks = true;
  if (group->is_contraction && (shrinks || inner != 1)) return false;  // its tiles are its own affair
  if (inner != IR_DYNAMIC && inner > MAX_INNER) return false;
  int64_t points = 1;
  for (uint32_t i = 0; i < group->n_outer; ++i)
    if (*outer >> i & 1) points = times(points, group->outer_size[i]);
  if (!shrinks) {
    // Only new inner loops: they must not outgrow what an outer point held before by far.
    if (inner == 1 || inner == IR_DYNAMIC || group->inner_size == IR_DYNAMIC) return true;
    return inner <= group->inner_size * 4 || (work != IR_DYNAMIC && work <= SMALL_WORK);
  }
  return points == IR_DYNAMIC ? *outer != 0 : points >= MIN_OUTER || (work != IR_DYNAMIC && work <= SMALL_WORK);
}

static bool ranks_allow(groups_t *g, const group_t *group, ir_op_t *op, uint32_t *rank) {
  *rank = group->rank;
  for (uint32_t k = 0; k < g->n_operands[op->mark]; ++k) {
    uint32_t d = g->operands[op->mark][k];
    if (g->of[d] == group) continue;
    uint32_t r = rank_of(g, d);
    if (r < group->rank) continue;
    if (group->has_dependents) return false;
    if (r + 1 > *rank) *rank = r + 1;
  }
  return true;
}

// Why |op| may not join |group|, or FUSION_JOINS; then |out| says what the group becomes.
typedef struct joined {
  uint32_t rank;
  uint64_t outer;
  int64_t work, repeated;
  int8_t loops[MAX_LOOPS];
} joined_t;
static fusion_stop_t may_join(groups_t *g, ir_map_t *tags, group_t *group, ir_op_t *op, uint32_t epoch, joined_t *out) {
  ir_ctx_t *ctx = g->pass->ctx;
  if (group->is_own_kind) return FUSION_OWN_KERNEL;
  if (!is_generic(op) || is_contraction(ctx, op)) return FUSION_CONTRACTION;
  if (group->closed) return FUSION_CLOSED;
  if (group->epoch != epoch) return FUSION_EFFECT;
  size_t n = linalg_n_loops(ctx, op);
  if (group->n_ops + count_ops(op) > MAX_OPS) return FUSION_BODY;
  if (n > MAX_LOOPS) return FUSION_LOOPS;
  if (!ranks_allow(g, group, op, &out->rank)) return FUSION_CYCLE;
  if (captures_group(g, group, op)) return FUSION_GATHER;
  if (!loop_tags(g, tags, group, op, n, out->loops)) return FUSION_MIXED;
  if (!worthwhile(ctx, group, op, n, out->loops, &out->outer, &out->work)) return FUSION_PARALLELISM;
  out->repeated = group->repeated + repeated_steps(g, tags, group, op, n, out->outer);
  if (out->repeated > MAX_REPEATED) return FUSION_REPEATED;
  if (!ir_may_rewrite(op, "dispatch with its producer")) return FUSION_BISECT;
  return add_inputs(g, group, op) ? FUSION_JOINS : FUSION_INPUTS;
}
static bool try_join(groups_t *g, ir_map_t *tags, group_t *group, ir_op_t *op, uint32_t epoch) {
  ir_ctx_t *ctx = g->pass->ctx;
  joined_t as;
  group->stop = may_join(g, tags, group, op, epoch, &as);
  group->stop_for = op->mark + 1;
  if (group->stop != FUSION_JOINS) return false;
  int64_t inner = 1;
  for (size_t i = 0; i < linalg_n_loops(ctx, op); ++i)
    if (as.loops[i] < 0 || !(as.outer >> as.loops[i] & 1)) inner = times(inner, loop_size(ctx, op, i));
  if (inner == IR_DYNAMIC || (group->inner_size != IR_DYNAMIC && inner > group->inner_size)) group->inner_size = inner;
  group->rank = as.rank;
  group->outer = as.outer;
  group->work = as.work;
  group->repeated = as.repeated;
  note_cost(g, group, op);
  group_add(g, group, op);
  ir_map_set(tags, op, result_tags(g, op, as.loops));
  return true;
}

// The group to join first: one that holds a contraction, else the one that was extended last.
static group_t *group_of_operand(const groups_t *g, const ir_op_t *op, uint32_t i) {
  ir_op_t *def = ir_def(ir_operand(op, i));
  return def && def->block == g->block ? g->of[def->mark] : NULL;
}
static group_t *candidate(const groups_t *g, const ir_op_t *op) {
  group_t *best = NULL;
  for (uint32_t i = 0; i < linalg_inputs(op).n; ++i) {
    group_t *group = group_of_operand(g, op, i);
    if (!group) continue;
    bool better = !best || (group->is_contraction == best->is_contraction ? group->rank > best->rank : group->is_contraction);
    if (better) best = group;
  }
  return best;
}

// Tells the report why |op| is not in the dispatches that it reads from.
static void note_stops(const groups_t *g, const ir_op_t *op) {
  for (uint32_t i = 0; g->pass->report && i < op->n_operands; ++i) {
    const group_t *group = group_of_operand(g, op, i);
    if (!group || group == g->of[op->mark]) continue;
    fusion_stop_t stop = !linalg_is_structured(op)             ? FUSION_OWN_KERNEL
                         : group->stop_for == op->mark + 1 ? group->stop
                                                               : FUSION_OTHER;
    report_fusion_stop(g->pass->report, ir_def(ir_operand(op, i))->loc, op->loc, stop);
  }
}

static void place(groups_t *g, ir_map_t *tags, ir_op_t *op, uint32_t epoch) {
  if (linalg_is_structured(op)) {
    group_t *first = candidate(g, op);
    if (first && try_join(g, tags, first, op, epoch)) return;
    for (uint32_t i = 0; first && i < linalg_inputs(op).n; ++i) {
      group_t *group = group_of_operand(g, op, i);
      if (group && group != first && try_join(g, tags, group, op, epoch)) return;
    }
  }
  uint32_t rank = 0;
  for (uint32_t k = 0; k < g->n_operands[op->mark]; ++k) {
    uint32_t r = rank_of(g, g->operands[op->mark][k]) + 1;
    if (r > rank) rank = r;
  }
  new_group(g, tags, op, rank, epoch);
}

// ---- one result op per dispatch: all results of a kernel come out of one loop nest. Where a value in
// the middle of a group is needed outside, what leads to it becomes a group of its own. Both halves
// stay free of cycles: the first half holds all it depends on inside the group.
static bool needed_outside(const groups_t *g, const group_t *group, const ir_op_t *op) {
  for (uint32_t r = 0; r < op->n_results; ++r) {
    for (const ir_use_t *use = ir_result(op, r)->uses; use; use = use->next) {
      const ir_op_t *user = use->user;
      while (user && user->block != g->block) user = ir_op_parent(user);
      if (!user || g->of[user->mark] != group) return true;
    }
  }
  return false;
}
static group_t *split_at(groups_t *g, group_t *group, uint32_t m) {
  // Marks what member m depends on, itself included; members are in program order.
  group_t *first = IREE_ARENA_NEW(g->pass->scratch, group_t);
  *first = *group;
  first->members = NULL;
  first->n_members = first->cap_members = 0;
  uint8_t *in = IREE_ARENA_ARRAY(g->pass->scratch, uint8_t, group->n_members);
  in[m] = 1;
  for (uint32_t i = m + 1; i-- > 0;) {
    if (!in[i]) continue;
    uint32_t op = group->members[i]->mark;
    for (uint32_t k = 0; k < g->n_operands[op]; ++k) {
      if (g->of[g->operands[op][k]] != group) continue;
      for (uint32_t j = 0; j < i; ++j)
        if (group->members[j]->mark == g->operands[op][k]) in[j] = 1;
    }
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < group->n_members; ++i) {
    if (in[i]) group_add(g, first, group->members[i]);
    else group->members[kept++] = group->members[i];
  }
  group->n_members = kept;
  return first;
}
static void split_groups(groups_t *g) {
  group_t **work = NULL;
  uint32_t n = 0, cap = 0;
  for (uint32_t i = 0; i < g->n_ops; ++i) {
    if (!g->of[i] || g->of[i]->members[0]->mark != i) continue;
    IREE_ARENA_PUSH(g->pass->scratch, work, n, cap, g->of[i]);
    while (n) {
      group_t *group = work[--n];
      uint32_t m = 0;
      while (m + 1 < group->n_members && !needed_outside(g, group, group->members[m])) ++m;
      if (m + 1 >= group->n_members) continue;
      ir_op_t *last = group->members[m];
      group_t *first = split_at(g, group, m);
      for (uint32_t k = 0; g->pass->report && k < group->n_members; ++k)
        report_fusion_stop(g->pass->report, last->loc, group->members[k]->loc, FUSION_ELSEWHERE);
      IREE_ARENA_PUSH(g->pass->scratch, work, n, cap, first);
      if (group->n_members) IREE_ARENA_PUSH(g->pass->scratch, work, n, cap, group);
    }
  }
}

iree_status_t groups_form(pass_t *pass, ir_block_t *block, groups_t *out) {
  *out = (groups_t){.pass = pass, .block = block};
  collect(out);
  ir_map_t *tags = ir_map_create(pass->scratch);
  uint32_t epoch = 0;
  for (uint32_t i = 0; i < out->n_ops; ++i) {
    ir_op_t *op = out->ops[i];
    if (is_compute(op)) {
      place(out, tags, op, epoch);
      note_stops(out, op);
    } else {
      for (uint32_t k = 0; k < out->n_operands[i]; ++k) {
        uint32_t r = rank_of(out, out->operands[i][k]) + 1;
        if (r > out->rank[i]) out->rank[i] = r;
      }
      // What has effects or regions must keep its place: no group reaches over it.
      if (!ir_op_has_trait(op, IR_PURE) && op->kind != OP_UTIL_GLOBAL_LOAD) ++epoch;
    }
    for (uint32_t k = 0; k < out->n_operands[i]; ++k) {
      group_t *group = out->of[out->operands[i][k]];
      if (group && group != out->of[i]) group->has_dependents = true;
    }
  }
  split_groups(out);
  return iree_ok_status();
}

// ---- order: program order, but a group waits for its last member, and what follows for the group
typedef struct sorter {
  groups_t *g;
  uint8_t *state;  // per op: 0 waiting, 1 done
  uint32_t *stack;
  uint32_t n, cap;
} sorter_t;
static uint32_t unit_size(const groups_t *g, uint32_t i) { return g->of[i] ? g->of[i]->n_members : 1; }
static uint32_t unit_op(const groups_t *g, uint32_t i, uint32_t k) { return g->of[i] ? g->of[i]->members[k]->mark : i; }

// Pushes what unit |i| still waits for; true if nothing.
static bool ready(sorter_t *s, uint32_t i) {
  bool all = true;
  for (uint32_t m = 0; m < unit_size(s->g, i); ++m) {
    uint32_t op = unit_op(s->g, i, m);
    for (uint32_t k = 0; k < s->g->n_operands[op]; ++k) {
      uint32_t d = s->g->operands[op][k];
      if (s->state[d] || (s->g->of[d] && s->g->of[d] == s->g->of[i])) continue;
      IREE_ARENA_PUSH(s->g->pass->scratch, s->stack, s->n, s->cap, d);
      all = false;
    }
  }
  return all;
}
static void emit(sorter_t *s, uint32_t i) {
  for (uint32_t m = 0; m < unit_size(s->g, i); ++m) {
    uint32_t op = unit_op(s->g, i, m);
    s->state[op] = 1;
    ir_op_move_to_end(s->g->ops[op], s->g->block);
  }
}
void groups_sort(groups_t *g) {
  sorter_t s = {.g = g, .state = IREE_ARENA_ARRAY(g->pass->scratch, uint8_t, g->n_ops + 1)};
  for (uint32_t i = 0; i < g->n_ops; ++i) {
    if (s.state[i]) continue;
    group_t *group = g->of[i];
    if (group && group->members[group->n_members - 1]->mark != i) continue;  // not complete yet
    IREE_ARENA_PUSH(g->pass->scratch, s.stack, s.n, s.cap, i);
    while (s.n) {
      uint32_t top = s.stack[s.n - 1];
      if (s.state[top]) --s.n;
      else if (ready(&s, top)) emit(&s, top);
    }
  }
}
