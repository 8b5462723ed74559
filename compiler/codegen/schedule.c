// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules a function: one loop nest per group of stored tensors of one shape.
//   in:  a function of dispatch.tensor.store ops on pure tensor values
//   out: the same function as loops over flat buffers; its export with a workgroup count
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/decompose.h"
#include "compiler/codegen/schedule.h"
#include "compiler/dialects/linalg.h"

static bool is_named(const ir_op_t *op, const char *name) {
  return op && strcmp(ir_op_name(op), name) == 0;
}

//===-- roots --------------------------------------------------------------------------------------

static bool mentions(const ir_term_t *term, const char *word) {
  if (ir_is(term, IR_A_KEYWORD) && strstr(ir_bytes(term), word)) return true;
  if (term->n_bytes && term->kind == IR_A_PAIR && strstr(ir_bytes(term), word)) return true;
  for (size_t i = 0; i < term->n_kids; ++i) {
    if (ir_kid(term, i) && mentions(ir_kid(term, i), word)) return true;
  }
  return false;
}

static bool loads_whole(ir_value_t *value, const root_t *root) {
  ir_op_t *op = ir_def(value);
  return is_named(op, "iree_tensor_ext.dispatch.tensor.load") &&
         ir_operand(op, 0) == ir_operand(root->store, 1);
}

static iree_status_t add_root(plan_t *plan, root_t root) {
  if (plan->n_roots == MAX_ROOTS)
    return ir_op_error(root.store, "is one store too many for a kernel");
  ir_op_t *op = ir_def(root.value);
  bool has_room = root.n_steps < MAX_STEPS;
  if (is_named(op, "tensor.insert_slice") && has_room) {
    ir_value_t *dest = ir_operand(op, 1);
    ir_op_t *dest_op = ir_def(dest);
    bool in_place = loads_whole(dest, &root) && root.n_steps == 0;
    bool chained = is_named(dest_op, "tensor.insert_slice");
    if (is_named(dest_op, "tensor.empty") || in_place || chained) {
      // The parts of a chain are disjoint where they come from a concatenation; elsewhere later
      // parts overwrite earlier ones, which is only safe within one workgroup.
      if (chained) {
        root_t rest = root;
        rest.value = dest;
        IREE_RETURN_IF_ERROR(add_root(plan, rest));
      }
      root.steps[root.n_steps].op = op;
      root.steps[root.n_steps++].operand = 0;
      root.value = ir_operand(op, 0);
      return add_root(plan, root);
    }
  }
  if (is_named(op, "tensor.concat") && has_room) {
    for (size_t i = 0; i < op->n_operands; ++i) {
      root_t part = root;
      part.steps[part.n_steps].op = op;
      part.steps[part.n_steps++].operand = i;
      part.value = ir_operand(op, i);
      IREE_RETURN_IF_ERROR(add_root(plan, part));
    }
    return iree_ok_status();
  }
  plan->roots[plan->n_roots++] = root;
  return iree_ok_status();
}

static unsigned computed_bytes(ir_type_t element) {
  if (ir_is(element, IR_T_INDEX)) return 8;
  if (ir_is(element, IR_T_COMPLEX)) return computed_bytes(ir_kid(element, 0));
  if (!ir_is(element, IR_T_INTEGER) && !ir_type_is_float(element)) return 8;
  unsigned bytes = (ir_type_width(element) + 7) / 8;
  return ir_type_is_float(element) && bytes < 4 ? 4 : bytes;
}

// The kernel's type no longer says that a binding keeps what is not stored: for those who describe it.
static void note_in_place(plan_t *plan, const ir_op_t *store) {
  const ir_op_t *span = ir_def(ir_operand(store, 1));
  int64_t binding = span ? ir_op_int(span, "binding", -1) : -1;
  if (binding < 0 || binding > 62) return;
  int64_t mask = ir_op_int(plan->func, "in_place_bindings", 0) | (int64_t)1 << binding;
  ir_op_set_attr(plan->ctx, plan->func, "in_place_bindings", ir_attr_i64(plan->ctx, mask));
}

static iree_status_t collect_roots(plan_t *plan) {
  ir_block_t *body = ir_body(plan->func);
  plan->widest = 1;
  for (ir_op_t *op = body->first; op; op = op->next) {
    for (size_t i = 0; i < op->n_results; ++i) {
      ir_type_t type = ir_result(op, i)->type;
      if (!ir_is(type, IR_T_TENSOR)) continue;
      unsigned bytes = computed_bytes(ir_type_element(type));
      if (bytes > plan->widest) plan->widest = bytes;
    }
    if (is_named(op, "iree_tensor_ext.dispatch.tensor.store")) {
      root_t root = {.store = op, .value = ir_operand(op, 0)};
      root.in_place = mentions(ir_operand(op, 1)->type, "readwrite");
      if (root.in_place) note_in_place(plan, op);
      if (schedule_add_loop(plan, op, &root) && !root.value) continue;
      IREE_RETURN_IF_ERROR(add_root(plan, root));
    } else if (op->n_results == 0 && !ir_op_has_trait(op, IR_TERMINATOR)) {
      return ir_op_error(op, "has no lowering inside a kernel");
    }
  }
  return iree_ok_status();
}

// Do two results of one op take their elements from its loops by one map?
static bool same_map(ir_ctx_t *ctx, const ir_value_t *a, const ir_value_t *b) {
  ir_op_t *op = ir_def(a);
  if (!op || op != ir_def(b) || !linalg_is_structured(op)) return false;
  size_t n_inputs = linalg_inputs(op).n;
  return linalg_map(ctx, op, n_inputs + a->index) ==
         linalg_map(ctx, op, n_inputs + b->index);
}

static bool same_space(ir_ctx_t *ctx, const root_t *a, const root_t *b) {
  if (a->n_steps || b->n_steps) return false;
  ir_type_t x = a->value->type, y = b->value->type;
  if (ir_type_rank(x) != ir_type_rank(y)) return false;
  bool is_static = true;
  for (size_t d = 0; d < ir_type_rank(x); ++d) {
    if (ir_type_dim(x, d) != ir_type_dim(y, d)) return false;
    is_static &= ir_type_dim(x, d) != IR_DYNAMIC;
  }
  return is_static || same_map(ctx, a->value, b->value);
}

static void form_groups(plan_t *plan) {
  for (size_t i = 0; i < plan->n_roots; ++i) {
    group_t *last = plan->n_groups ? &plan->groups[plan->n_groups - 1] : NULL;
    if (last && last->count < MAX_GROUP && same_space(plan->ctx, &plan->roots[last->first], &plan->roots[i])) {
      ++last->count;
      continue;
    }
    plan->groups[plan->n_groups++] = (group_t){.first = i,
                                               .count = 1,
                                               .lane_dim = -1,
                                               .lanes = 1,
                                               .split_dim = -1,
                                               .row_dim = -1,
                                               .rows = 1};
  }
}

//===-- nests --------------------------------------------------------------------------------------

typedef struct {
  eval_t *e;
  plan_t *plan;
  const group_t *group;
  kidx_t extents[KERNEL_MAX_RANK];
  size_t rank;
  size_t order[KERNEL_MAX_RANK];  // loops from the outside in
  kidx_t idx[KERNEL_MAX_RANK];
  bool in_place;
  int64_t workgroups;
} nest_t;

// Where element |idx| of a root's value lies in the tensor that is stored.
static size_t stored_index(eval_t *e, const root_t *root, const kidx_t *idx, size_t rank,
                           kidx_t *out) {
  kernel_t *k = &e->k;
  memcpy(out, idx, rank * sizeof(*out));
  for (size_t s = root->n_steps; s-- > 0;) {
    ir_op_t *op = root->steps[s].op;
    if (is_named(op, "tensor.concat")) {
      size_t dim = (size_t)ir_op_int(op, "dim", 0);
      for (size_t i = 0; i < root->steps[s].operand; ++i) {
        out[dim] = kidx_add(k, out[dim], eval_extent(e, ir_operand(op, i), dim));
      }
      continue;
    }
    kidx_t at[KERNEL_MAX_RANK];
    ir_attr_t sizes = ir_op_attr(op, "static_sizes");
    size_t full = eval_mixed_count(op, "static_offsets"), next = 0;
    size_t to_drop = full - rank;
    for (size_t d = 0; d < full; ++d) {
      at[d] = eval_mixed(e, op, "offsets", "static_offsets", d);
      if (to_drop && ir_int(sizes, d) == 1) {
        --to_drop;
        continue;
      }
      kidx_t stride = eval_mixed(e, op, "strides", "static_strides", d);
      at[d] = kidx_add(k, at[d], kidx_mul(k, out[next++], stride));
    }
    memcpy(out, at, full * sizeof(*out));
    rank = full;
  }
  return rank;
}

static void store_row(nest_t *nest) {
  eval_t *e = nest->e;
  kval_t values[MAX_GROUP];
  // All values first: a root may overwrite what another reads.
  for (size_t i = 0; i < nest->group->count; ++i) {
    values[i] =
        eval_tensor(e, nest->plan->roots[nest->group->first + i].value, nest->idx, nest->rank);
  }
  for (size_t i = 0; i < nest->group->count && kernel_ok(&e->k); ++i) {
    const root_t *root = &nest->plan->roots[nest->group->first + i];
    ir_value_t *target = ir_operand(root->store, 1), *buffer = eval_buffer(e, target);
    kidx_t at[KERNEL_MAX_RANK];
    size_t rank = stored_index(e, root, nest->idx, nest->rank, at);
    ir_type_t stored = ir_operand(root->store, 0)->type;
    kidx_t linear = eval_window(e, root->store, target, stored, at, rank);
    if (kernel_ok(&e->k)) eval_store(e, buffer, linear, values[i], ir_type_element(stored));
  }
}

static void store_elements(nest_t *nest) {
  kernel_t *k = &nest->e->k;
  if (!k->row_base) {
    store_row(nest);
    return;
  }
  size_t d = (size_t)nest->group->row_dim;
  kidx_t first = nest->idx[d];
  for (unsigned r = 0; r < k->row_count; ++r) {
    k->row = r;
    nest->idx[d] = kidx_add(k, first, kidx_const(r));
    store_row(nest);
  }
  k->row = 0;
  nest->idx[d] = first;
}

// The part of [0, extent) that this workgroup does: [lo, hi), cut at multiples of |unit|.
static void workgroup_range(nest_t *nest, kidx_t extent, int64_t unit, kidx_t *lo, kidx_t *hi) {
  kernel_t *k = &nest->e->k;
  kernel_attr_t dimension = {"dimension", ir_attr_index(k->ctx, 0)};
  kidx_t id = kidx_value(
      kernel_op(k, OP_HAL_INTERFACE_WORKGROUP_ID, k->index_type, NULL, 0, &dimension, 1));
  kidx_t chunk;
  if (nest->workgroups && kidx_is_const(extent)) {
    int64_t units = (extent.add + unit - 1) / unit;
    chunk = kidx_const((units + nest->workgroups - 1) / nest->workgroups * unit);
  } else {
    kidx_t count = kidx_value(
        kernel_op(k, OP_HAL_INTERFACE_WORKGROUP_COUNT, k->index_type, NULL, 0, &dimension, 1));
    kidx_t units =
        kidx_binary(k, OP_ARITH_DIVSI, kidx_add(k, extent, kidx_const(unit - 1)), kidx_const(unit));
    kidx_t rounded = kidx_add(k, units, kidx_add(k, count, kidx_const(-1)));
    chunk = kidx_mul(k, kidx_binary(k, OP_ARITH_DIVSI, rounded, count), kidx_const(unit));
  }
  *lo = kidx_mul(k, id, chunk);
  *hi = kidx_binary(k, OP_ARITH_MINSI, kidx_add(k, *lo, chunk), extent);
}

static void nest_loops(nest_t *nest, size_t level);

static void lane_loop(nest_t *nest, size_t d, kidx_t lo, kidx_t hi) {
  kernel_t *k = &nest->e->k;
  kernel_loop_t loop;
  ir_value_t *none[1];
  int64_t lanes = nest->group->lanes;
  kidx_t extent = nest->extents[d];
  // Lanes were chosen by types; an extent that only the body states may be shorter than a vector.
  bool is_known = kidx_is_const(extent) && extent.add >= lanes;
  bool is_whole = is_known && extent.add % lanes == 0;
  if (is_known && (is_whole || !nest->in_place)) {
    // The last vector is moved back to end with the data: some elements are computed twice.
    kernel_begin_loop(k, &loop, lo, hi, lanes, NULL, 0, 8);
    k->lanes = (unsigned)lanes;
    kidx_t at = loop.iv;
    if (!is_whole) at = kidx_binary(k, OP_ARITH_MINSI, at, kidx_const(extent.add - lanes));
    at.lane = 1;
    nest->idx[d] = at;
    store_elements(nest);
    k->lanes = 1;
    kernel_end_loop(k, &loop, NULL, none);
    return;
  }
  kidx_t count = kidx_sub(k, hi, lo), step = kidx_const(lanes);
  kidx_t main = kidx_add(k, lo, kidx_mul(k, kidx_binary(k, OP_ARITH_DIVSI, count, step), step));
  kernel_begin_loop(k, &loop, lo, main, lanes, NULL, 0, (double)ASSUMED_TRIPS / (double)lanes + 1);
  k->lanes = (unsigned)lanes;
  nest->idx[d] = loop.iv;
  nest->idx[d].lane = 1;
  store_elements(nest);
  k->lanes = 1;
  kernel_end_loop(k, &loop, NULL, none);
  kernel_begin_loop(k, &loop, main, hi, 1, NULL, 0, 2);
  nest->idx[d] = loop.iv;
  store_elements(nest);
  kernel_end_loop(k, &loop, NULL, none);
}

static void nest_loops(nest_t *nest, size_t level) {
  kernel_t *k = &nest->e->k;
  if (!kernel_ok(k)) return;
  if (level == nest->rank) {
    store_elements(nest);
    return;
  }
  size_t d = nest->order[level];
  bool is_lane = (int)d == nest->group->lane_dim && nest->group->lanes > 1;
  kidx_t lo = kidx_const(0), hi = nest->extents[d];
  if ((int)d == nest->group->split_dim && nest->workgroups != 1) {
    bool is_row = (int)d == nest->group->row_dim;
    workgroup_range(nest, nest->extents[d],
                    is_lane  ? nest->group->lanes
                    : is_row ? nest->group->rows
                             : 1,
                    &lo, &hi);
  }
  if (is_lane) {
    lane_loop(nest, d, lo, hi);
    return;
  }
  kernel_loop_t loop;
  ir_value_t *none[1];
  int64_t rows = (int)d == nest->group->row_dim ? nest->group->rows : 1;
  kernel_begin_loop(k, &loop, lo, hi, rows, NULL, 0, ASSUMED_TRIPS);
  nest->idx[d] = loop.iv;
  if (rows > 1) {
    // The last rows are moved back to end with the data, as lanes are.
    kidx_t at = loop.iv;
    if (nest->extents[d].add % rows)
      at = kidx_binary(k, OP_ARITH_MINSI, at, kidx_const(nest->extents[d].add - rows));
    k->row_base = at.base ? at.base : kernel_index_constant(k, 0);
    k->row_count = (unsigned)rows;
    nest->idx[d] = (kidx_t){.base = k->row_base, .add = at.add};
  }
  nest_loops(nest, level + 1);
  if (rows > 1) k->row_base = NULL, k->row_count = 1;
  kernel_end_loop(k, &loop, NULL, none);
}

static void build_group(plan_t *plan, eval_t *e, const group_t *group, int64_t workgroups) {
  nest_t nest = {.e = e, .plan = plan, .group = group, .workgroups = workgroups};
  ir_value_t *value = plan->roots[group->first].value;
  nest.rank = ir_type_rank(value->type);
  if (nest.rank > KERNEL_MAX_RANK) {
    kernel_fail(&e->k,
                ir_op_error(plan->roots[group->first].store, "stores a tensor of too high a rank"));
    return;
  }
  size_t n = 0;
  for (size_t d = 0; d < nest.rank; ++d) {
    nest.extents[d] = eval_extent(e, value, d);
    if (kidx_is_const(nest.extents[d]) && nest.extents[d].add == 0) return;
    if ((int)d != group->lane_dim) nest.order[n++] = d;
  }
  if (group->lane_dim >= 0) nest.order[n++] = (size_t)group->lane_dim;
  for (size_t i = 0; i < group->count; ++i) nest.in_place |= plan->roots[group->first + i].in_place;
  bool guarded = group->split_dim < 0 && workgroups != 1;
  if (guarded) {
    // Nothing to distribute: the first workgroup does it all.
    kernel_attr_t dimension = {"dimension", ir_attr_index(plan->ctx, 0)};
    ir_value_t *id =
        kernel_op(&e->k, OP_HAL_INTERFACE_WORKGROUP_ID, e->k.index_type, NULL, 0, &dimension, 1);
    kernel_begin_if(&e->k, kernel_compare(&e->k, 0, id, kernel_index_constant(&e->k, 0)));
  }
  nest_loops(&nest, 0);
  if (guarded) kernel_end_if(&e->k);
}

//===-- the function -------------------------------------------------------------------------------

static void start_kernel(plan_t *plan, eval_t *e, ir_region_t *region) {
  ir_block_t *block = ir_block_create(plan->ctx, region);
  eval_init(e, plan->ctx, plan->arena, plan->target, plan->func, block);
  e->k.module_op = plan->module;
  e->k.globals = ir_body(plan->module);
}

// Builds |group| alone, for its cost; the code is dropped.
iree_status_t schedule_try_group(plan_t *plan, const group_t *group, double *out_cost) {
  eval_t *e = IREE_ARENA_NEW(plan->arena, eval_t);
  ir_region_t scratch = {.op = plan->func};
  start_kernel(plan, e, &scratch);
  build_group(plan, e, group, 1);
  *out_cost = e->k.cost;
  iree_status_t status = e->k.status;
  // Unlink uses of what stays.
  while (scratch.first) {
    ir_block_t *block = scratch.first;
    while (block->last) ir_op_erase(block->last);
    ir_block_erase(block);
  }
  return status;
}

static ir_op_t *count_from_slice(ir_op_t *export_op) {
  ir_block_t *block = export_op && export_op->n_regions ? ir_region(export_op, 0)->first : NULL;
  for (ir_op_t *op = block ? block->first : NULL; op; op = op->next) {
    if (is_named(op, "iree_tensor_ext.dispatch.workgroup_count_from_slice")) return op;
  }
  return NULL;
}

static void write_count(plan_t *plan, const workgroups_t *workgroups) {
  ir_op_t *op = count_from_slice(plan->export_op);
  if (!op) return;
  ir_ctx_t *ctx = plan->ctx;
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_type_t index = ir_type_index(ctx);
  ir_value_t *one = ir_build_attr(&b, OP_ARITH_CONSTANT, index, "value", ir_attr_index(ctx, 1),
                                  NULL, NULL),
             *x = one;
  if (workgroups->count > 1) {
    x = ir_build_attr(&b, OP_ARITH_CONSTANT, index, "value", ir_attr_index(ctx, workgroups->count),
                      NULL, NULL);
  } else if (workgroups->count == 0) {
    ir_value_t *extent = ir_operand(op, (size_t)workgroups->ordinal);
    ir_value_t *more = ir_build_attr(&b, OP_ARITH_CONSTANT, index, "value",
                                     ir_attr_index(ctx, workgroups->unit - 1), NULL, NULL);
    ir_value_t *unit = ir_build_attr(&b, OP_ARITH_CONSTANT, index, "value",
                                     ir_attr_index(ctx, workgroups->unit), NULL, NULL);
    ir_value_t *sum = ir_build1(&b, OP_ARITH_ADDI, index, extent, more, NULL);
    x = ir_build1(&b, OP_ARITH_DIVUI, index, sum, unit, NULL);
  }
  ir_op_replace(op, (ir_value_t *[]){x, one, one});
}

static iree_status_t build_kernel(plan_t *plan, int64_t workgroups) {
  eval_t *e = IREE_ARENA_NEW(plan->arena, eval_t);
  ir_region_t *region = ir_region(plan->func, 0);
  ir_block_t *old = region->first;
  start_kernel(plan, e, region);
  for (size_t i = 0; i < plan->n_groups && kernel_ok(&e->k); ++i) {
    build_group(plan, e, &plan->groups[i], workgroups);
  }
  schedule_build_loops(plan, e, workgroups != 1);
  ir_builder_t b = {.ctx = plan->ctx, .block = e->k.scopes[0].block, .loc = plan->func->loc};
  ir_build(&b, &(ir_op_desc_t){.kind = OP_FUNC_RETURN, .loc = plan->func->loc});
  if (!kernel_ok(&e->k)) return e->k.status;
  while (old->last) ir_op_erase(old->last);
  ir_block_erase(old);
  return iree_ok_status();
}

iree_status_t codegen_schedule_function(ir_ctx_t *ctx, ir_op_t *module, ir_op_t *func,
                                        ir_op_t *export_op, const codegen_target_t *target) {
  if (!ir_body(func)) return iree_ok_status();
  iree_arena_t arena;
  iree_arena_init(&arena);
  plan_t *plan = IREE_ARENA_NEW(&arena, plan_t);
  *plan = (plan_t){.ctx = ctx,
                   .module = module,
                   .func = func,
                   .export_op = export_op,
                   .target = target,
                   .arena = &arena};
  // A count that is written already is kept: the kernel then asks for it.
  bool owns_count = count_from_slice(export_op) != NULL;
  iree_status_t status = codegen_decompose(ctx, func);
  if (iree_status_is_ok(status)) codegen_collapse_dims(ctx, func);
  if (iree_status_is_ok(status)) status = collect_roots(plan);
  form_groups(plan);
  for (size_t i = 0; i < plan->n_groups && iree_status_is_ok(status); ++i) {
    status = schedule_choose_lanes(plan, &plan->groups[i]);
  }
  if (iree_status_is_ok(status)) {
    workgroups_t workgroups = schedule_choose_workgroups(plan);
    if (!owns_count && export_op && export_op->n_regions && ir_region(export_op, 0)->first)
      workgroups.count = 0;
    status = build_kernel(plan, workgroups.count);
    if (iree_status_is_ok(status) && owns_count) write_count(plan, &workgroups);
  }
  iree_arena_deinit(&arena);
  return status;
}
