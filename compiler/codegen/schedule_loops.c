// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of loops that change tensors element by element, in the order of the program.
//
//   in:  scf.for over tensor.extract, tensor.insert and scalar ops; what it carries is stored
//   out: the same loops over the binding that the store writes, which held a copy of the first
//   value
//
// A loop whose iterations touch elements of their own, neighbours in the last dimension, runs over
// lanes. All is done by one workgroup: order is what such a function asks for.
#include <string.h>

#include "compiler/codegen/eval_internal.h"
#include "compiler/codegen/schedule.h"
#include "compiler/ir/fold.h"

static bool is_tensor(const ir_value_t *v) { return ir_is(v->type, IR_T_TENSOR); }

// The tensor that |loop|, of one value over an empty tensor, copies element by element; else NULL.
static ir_value_t *copied_by(ir_op_t *loop) {
  const ir_value_t *ivs[KERNEL_MAX_RANK];
  size_t rank = ir_type_rank(ir_operand(loop, 3)->type), n = 0;
  int64_t zero = 0, one = 1;
  if (!eval_is(ir_def(ir_operand(loop, 3)), "tensor.empty")) return NULL;
  for (ir_op_t *op = loop; op->kind == OP_SCF_FOR; op = ir_body(op)->first) {
    const ir_value_t *outer = op == loop ? NULL : ir_body(ir_op_parent(op))->args[1];
    if (op->n_results != 1 || n == KERNEL_MAX_RANK || (outer && ir_operand(op, 3) != outer))
      return NULL;
    if (!ir_constant_int(ir_operand(op, 0), &zero) || !ir_constant_int(ir_operand(op, 2), &one))
      return NULL;
    if (zero != 0 || one != 1) return NULL;
    ivs[n++] = ir_body(op)->args[0];
    loop = op;
  }
  ir_op_t *extract = ir_body(loop)->first, *insert = extract->next;
  if (n != rank || extract->kind != OP_TENSOR_EXTRACT || insert->kind != OP_TENSOR_INSERT ||
      insert->next != ir_body(loop)->last || ir_operand(insert, 0) != ir_result(extract, 0) ||
      ir_operand(insert, 1) != ir_body(loop)->args[1] || extract->n_operands != rank + 1)
    return NULL;
  for (uint32_t i = 0; i < rank; ++i)
    if (ir_operand(extract, 1 + i) != ivs[i] || ir_operand(insert, 2 + i) != ivs[i]) return NULL;
  return ir_operand(extract, 0)->is_arg ? NULL : ir_operand(extract, 0);
}

// What |v| was before the op that made it changed it; NULL if none did.
static ir_value_t *before(const ir_value_t *v) {
  ir_op_t *op = ir_def(v);
  if (!op) return NULL;
  if (op->kind == OP_SCF_FOR) return ir_operand(op, 3 + v->index);
  return op->kind == OP_TENSOR_INSERT ? ir_operand(op, 1) : NULL;
}
static bool is_step(const plan_t *plan, const ir_op_t *op) {
  for (size_t i = 0; i < plan->n_loops; ++i)
    if (plan->loops[i] == op) return true;
  return false;
}
bool schedule_add_loop(plan_t *plan, ir_op_t *store, root_t *out_copy) {
  ir_value_t *first = ir_operand(store, 0), *source = NULL;
  bool has_loop = false;
  for (const ir_value_t *v = first; v; v = before(v)) has_loop |= ir_value_is(v, OP_SCF_FOR);
  if (!has_loop) return false;
  while (before(first) && !source) {
    ir_op_t *op = ir_def(first);
    if (op->kind == OP_SCF_FOR) source = copied_by(op);
    if (!source && !is_step(plan, op) && plan->n_loops < MAX_ROOTS)
      plan->loops[plan->n_loops++] = op;
    first = source ? source : before(first);
  }
  ir_op_t *def = ir_def(first);
  bool holds_it = eval_is(def, "iree_tensor_ext.dispatch.tensor.load") &&
                  ir_operand(def, 0) == ir_operand(store, 1);
  out_copy->value = eval_is(def, "tensor.empty") || holds_it ? NULL : first;
  return true;
}

typedef struct {
  plan_t *plan;
  eval_t *e;
} builder_t;

static eval_place_t *place_of(eval_t *e, const ir_value_t *tensor) {
  for (size_t i = 0; i < e->n_places; ++i)
    if (e->places[i].current == tensor) return &e->places[i];
  return NULL;
}

// The place of result |i| of |op|, which stands in the function's own block; NULL if it has none,
// or if what it changes has changed since.
static eval_place_t *place_of_result(eval_t *e, ir_op_t *op, uint32_t i) {
  const ir_value_t *from = before(ir_result(op, i));
  for (size_t p = 0; p < e->n_places; ++p) {
    for (const ir_value_t *v = ir_operand(e->places[p].store, 0); v; v = before(v)) {
      if (v != ir_result(op, i)) continue;
      return !e->places[p].current || e->places[p].current == from ? &e->places[p] : NULL;
    }
  }
  return NULL;
}
// Is |v| changed, or stored, in more than one way?
static bool is_shared(const ir_value_t *v) {
  uint32_t n = 0;
  for (const ir_use_t *use = v->uses; use; use = use->next)
    n += use->user->kind != OP_TENSOR_EXTRACT;
  return n > 1;
}

//===-- loops over lanes ---------------------------------------------------------------------------

static bool depends_on(const ir_value_t *v, const ir_value_t *iv) {
  const ir_op_t *op = v->is_arg ? NULL : v->op;
  if (v == iv) return true;
  if (!op || op->block != iv->block) return false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (depends_on(ir_operand(op, i), iv)) return true;
  return false;
}
// |v| is the loop's variable plus what the loop does not change.
static bool follows(const ir_value_t *v, const ir_value_t *iv) {
  const ir_op_t *op = v->is_arg ? NULL : v->op;
  if (v == iv) return true;
  if (!op || op->kind != OP_ARITH_ADDI || op->block != iv->block) return false;
  return (follows(ir_operand(op, 0), iv) && !depends_on(ir_operand(op, 1), iv)) ||
         (follows(ir_operand(op, 1), iv) && !depends_on(ir_operand(op, 0), iv));
}
// The only change of carried tensor |i| in |loop|; NULL if that is not what happens.
static ir_op_t *only_insert(const ir_op_t *loop, uint32_t i) {
  ir_block_t *body = ir_body(loop);
  ir_op_t *insert = ir_def(ir_operand(body->last, i));
  if (!insert || insert->kind != OP_TENSOR_INSERT || insert->block != body) return NULL;
  return ir_operand(insert, 1) == body->args[1 + i] ? insert : NULL;
}
static bool is_parallel(const ir_op_t *loop) {
  ir_block_t *body = ir_body(loop);
  const ir_value_t *iv = body->args[0];
  for (const ir_op_t *op = body->first; op != body->last; op = op->next)
    if (op->n_regions) return false;
  for (uint32_t i = 0; i < loop->n_results; ++i) {
    const ir_op_t *insert = only_insert(loop, i);
    if (!insert || insert->n_operands < 3 ||
        eval_is_packed(ir_type_element(insert->results[0].type)))
      return false;
    for (uint32_t k = 2; k + 1 < insert->n_operands; ++k)
      if (depends_on(ir_operand(insert, k), iv)) return false;
    if (!follows(ir_operand(insert, insert->n_operands - 1), iv)) return false;
    // Each iteration stays with its own last index.
    for (const ir_use_t *use = body->args[1 + i]->uses; use; use = use->next) {
      if (use->user == insert) continue;
      const ir_op_t *user = use->user;
      if (user->kind != OP_TENSOR_EXTRACT ||
          ir_operand(user, user->n_operands - 1) != ir_operand(insert, insert->n_operands - 1))
        return false;
    }
  }
  return loop->n_results > 0;
}

//===-- ops ----------------------------------------------------------------------------------------

static void build_block(builder_t *b, ir_block_t *block);

static void insert_element(builder_t *b, ir_op_t *op) {
  eval_t *e = b->e;
  eval_place_t *place = e->frame ? place_of(e, ir_operand(op, 1)) : place_of_result(e, op, 0);
  kidx_t idx[KERNEL_MAX_RANK];
  size_t rank = op->n_operands - 2;
  if (!place || rank > KERNEL_MAX_RANK) {
    eval_fail(e, op, "changes a tensor that has changed since, or that no loop carries");
    return;
  }
  for (size_t i = 0; i < rank; ++i)
    idx[i] = kval_index(&e->k, eval_scalar(e, ir_operand(op, 2 + i)));
  kval_t value = eval_scalar(e, ir_operand(op, 0));
  ir_value_t *target = ir_operand(place->store, 1), *buffer = eval_buffer(e, target);
  ir_type_t type = ir_operand(place->store, 0)->type;
  kidx_t at = eval_window(e, place->store, target, type, idx, rank);
  if (!kernel_ok(&e->k)) return;
  e->k.fresh_loads = true;  // of neighbours in a byte
  eval_store(e, buffer, at, value, ir_type_element(type));
  e->k.fresh_loads = false;
  place->current = ir_result(op, 0);
}

// Binds what |loop| carries to its arguments; scalars among it go to |out_scalars|.
static size_t enter(builder_t *b, ir_op_t *loop, ir_value_t **out_scalars) {
  eval_t *e = b->e;
  size_t n = 0;
  for (uint32_t i = 0; i < loop->n_results; ++i) {
    ir_value_t *init = ir_operand(loop, 3 + i);
    if (is_tensor(init)) {
      eval_place_t *place = e->frame ? place_of(e, init) : place_of_result(e, loop, i);
      if (!e->frame && is_shared(ir_result(loop, i)))
        eval_fail(e, loop, "makes a tensor that goes to two places; copy it first");
      else if (!place)
        eval_fail(e, loop, "carries a tensor that is stored nowhere, or has changed since");
      else
        place->current = ir_body(loop)->args[1 + i];
      continue;
    }
    kval_t value = eval_scalar(e, init);
    if (n + 2 > KERNEL_MAX_CARRIED) {
      eval_fail(e, loop, "carries too many values");
      return n;
    }
    out_scalars[n++] = kval_get(&e->k, value);
    if (value.imag) out_scalars[n++] = value.imag;
  }
  return n;
}
// Gives each scalar of |values| its value from |from|.
static void bind_scalars(eval_t *e, const ir_op_t *loop, ir_value_t *values,
                         ir_value_t *const *args, ir_value_t *const *from) {
  for (uint32_t i = 0, n = 0; i < loop->n_results; ++i) {
    ir_value_t *v = values ? &values[i] : args[i];
    if (is_tensor(v)) continue;
    kval_t value = kval(from[n++]);
    if (eval_is_complex(v->type)) value.imag = from[n++];
    eval_bind(e, v, value);
  }
}
static void build_loop_part(builder_t *b, ir_op_t *loop, kidx_t lo, kidx_t hi, int64_t step,
                            unsigned lanes, ir_value_t **scalars, size_t n) {
  eval_t *e = b->e;
  kernel_t *k = &e->k;
  kernel_loop_t made;
  ir_block_t *body = ir_body(loop);
  ir_value_t *yields[KERNEL_MAX_CARRIED];
  eval_frame_t frame = {.parent = e->frame};
  kernel_begin_loop(k, &made, lo, hi, step * lanes, scalars, n, ASSUMED_TRIPS);
  if (!kernel_ok(k)) return;
  e->frame = &frame;
  kidx_t at = made.iv;
  if (lanes > 1) at.lane = 1;
  k->lanes = lanes;
  eval_bind(e, body->args[0], (kval_t){.index = at});
  bind_scalars(e, loop, NULL, body->args + 1, made.carried);
  build_block(b, body);
  for (uint32_t i = 0, to = 0; i < loop->n_results && kernel_ok(k); ++i) {
    ir_value_t *v = ir_operand(body->last, i);
    if (is_tensor(v)) {
      eval_place_t *place = place_of(e, v);
      if (!place)
        eval_fail(e, loop, "yields a tensor that has changed since");
      else
        place->current = body->args[1 + i];  // for the next part
      continue;
    }
    kval_t value = eval_scalar(e, v);
    yields[to++] = kval_get(k, value);
    if (value.imag) yields[to++] = value.imag;
  }
  k->lanes = 1;
  e->frame = frame.parent;
  if (kernel_ok(k)) kernel_end_loop(k, &made, yields, scalars);
}
static unsigned lanes_for(const builder_t *b, kidx_t lo, kidx_t hi) {
  unsigned lanes = b->plan->target->vector_bytes / b->plan->widest;
  if (lanes > b->plan->target->max_lanes) lanes = b->plan->target->max_lanes;
  while (kidx_is_const(lo) && kidx_is_const(hi) && lanes > 1 && hi.add - lo.add < lanes) lanes /= 2;
  return lanes > 1 ? lanes : 1;
}
static void build_loop(builder_t *b, ir_op_t *loop) {
  eval_t *e = b->e;
  kernel_t *k = &e->k;
  ir_value_t *scalars[KERNEL_MAX_CARRIED];
  kidx_t lo = kval_index(k, eval_scalar(e, ir_operand(loop, 0))),
         hi = kval_index(k, eval_scalar(e, ir_operand(loop, 1))),
         step = kval_index(k, eval_scalar(e, ir_operand(loop, 2)));
  if (!kernel_ok(k)) return;
  if (!kidx_is_const(step) || step.add < 1) {
    eval_fail(e, loop, "needs a constant step inside a kernel");
    return;
  }
  size_t n = enter(b, loop, scalars);
  unsigned lanes = step.add == 1 && is_parallel(loop) ? lanes_for(b, lo, hi) : 1;
  if (lanes > 1) {
    kidx_t count = kidx_const(lanes),
           whole = kidx_binary(k, OP_ARITH_DIVSI, kidx_sub(k, hi, lo), count),
           middle = kidx_add(k, lo, kidx_mul(k, whole, count));
    build_loop_part(b, loop, lo, middle, 1, lanes, scalars, n);
    lo = middle;
  }
  if (kernel_ok(k) && !(kidx_equal(lo, hi)))
    build_loop_part(b, loop, lo, hi, step.add, 1, scalars, n);
  if (!kernel_ok(k)) return;
  for (uint32_t i = 0; i < loop->n_results; ++i) {
    if (!is_tensor(ir_result(loop, i))) continue;
    place_of(e, ir_body(loop)->args[1 + i])->current = ir_result(loop, i);
  }
  if (e->frame) bind_scalars(e, loop, loop->results, NULL, scalars);
}
static void build_block(builder_t *b, ir_block_t *block) {
  eval_t *e = b->e;
  for (ir_op_t *op = block->first; op && kernel_ok(&e->k); op = op->next) {
    if (ir_op_has_trait(op, IR_TERMINATOR)) return;
    if (op->kind == OP_SCF_FOR) {
      build_loop(b, op);
    } else if (op->kind == OP_TENSOR_INSERT) {
      insert_element(b, op);
    } else {
      for (size_t i = 0; i < op->n_results; ++i) {
        if (is_tensor(ir_result(op, i))) continue;
        eval_bind(e, ir_result(op, i), eval_op(e, op, i));
      }
    }
  }
}

void schedule_build_loops(plan_t *plan, eval_t *e, bool is_guarded) {
  builder_t b = {.plan = plan, .e = e};
  if (!plan->n_loops || !kernel_ok(&e->k)) return;
  ir_block_t *body = ir_body(plan->func);
  e->places = IREE_ARENA_ARRAY(plan->arena, eval_place_t, MAX_ROOTS);
  for (ir_op_t *op = body->first; op && e->n_places < MAX_ROOTS; op = op->next) {
    if (!eval_is(op, "iree_tensor_ext.dispatch.tensor.store")) continue;
    const ir_value_t *v = ir_operand(op, 0);
    if (!is_step(plan, ir_def(v))) continue;
    while (is_step(plan, ir_def(v))) v = before(v);
    // What a loop made that is no step has been copied; other first values are read where they are.
    e->places[e->n_places++] = (eval_place_t){op, ir_value_is(v, OP_SCF_FOR) ? v : NULL};
  }
  if (is_guarded) {
    kernel_attr_t dimension = {"dimension", ir_attr_index(plan->ctx, 0)};
    ir_value_t *id =
        kernel_op(&e->k, OP_HAL_INTERFACE_WORKGROUP_ID, e->k.index_type, NULL, 0, &dimension, 1);
    kernel_begin_if(&e->k, kernel_compare(&e->k, 0, id, kernel_index_constant(&e->k, 0)));
  }
  for (ir_op_t *op = body->first; op && kernel_ok(&e->k); op = op->next) {
    if (is_step(plan, op)) {
      if (op->kind == OP_SCF_FOR)
        build_loop(&b, op);
      else
        insert_element(&b, op);
    } else if (op->kind == OP_TENSOR_EXTRACT && place_of(e, ir_operand(op, 0))) {
      eval_scalar(e, ir_result(op, 0));  // before it changes
    }
  }
  if (is_guarded) kernel_end_if(&e->k);
}
