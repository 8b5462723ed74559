// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices of a schedule: lanes, rows and workgroups. Candidates are built and measured; the rest is
// a small model of registers and of what a workgroup should be worth.
#include <string.h>

#include "compiler/codegen/schedule.h"
#include "compiler/dialects/linalg.h"

enum { MAX_WORKGROUPS = 4096 };

// Work of one workgroup, in vector instructions: about ten microseconds, a few wake-ups' worth.
static const double grain = 40000;

static bool is_named(const ir_op_t *op, const char *name) {
  return op && strcmp(ir_op_name(op), name) == 0;
}

static unsigned power_of_two_below(int64_t value) {
  unsigned p = 1;
  while ((int64_t)p * 2 <= value && p < 256) p *= 2;
  return p;
}

static bool has_reduction(plan_t *plan) {
  for (ir_op_t *op = ir_body(plan->func)->first; op; op = op->next) {
    if (linalg_is_structured(op) &&
        linalg_n_parallel(plan->ctx, op) < linalg_n_loops(plan->ctx, op))
      return true;
  }
  return false;
}

// Rows that fit the registers beside |lanes| lanes and leave little over of |extent|.
static unsigned choose_rows(const plan_t *plan, int64_t extent, unsigned lanes) {
  unsigned parts = lanes * plan->widest / plan->target->vector_bytes, best = 1;
  if (!parts) parts = 1;
  int64_t best_work = extent * 16;
  for (unsigned rows = 2; rows * parts + parts + 1 <= plan->target->vector_registers && rows <= 12;
       ++rows) {
    if (rows > extent) break;
    // The last tile lies over the one before it, and another worker may write the same elements
    // just then: the same bits, which machine code may do. The virtual machine is C.
    if (plan->target->max_lanes < 2 && extent % rows) continue;
    // Rows done, and a share per tile for what the rows have in common.
    int64_t tiles = (extent + rows - 1) / rows, work = tiles * rows * 8 + tiles * 8;
    if (work < best_work) best_work = work, best = rows;
  }
  return best;
}

// |candidate| with and without rows, if that is cheaper than |best|.
static iree_status_t try_rows(plan_t *plan, group_t candidate, bool reduces, group_t *best) {
  ir_type_t type = plan->roots[candidate.first].value->type;
  IREE_RETURN_IF_ERROR(schedule_try_group(plan, &candidate, &candidate.cost));
  if (candidate.cost < best->cost) *best = candidate;
  for (size_t i = 0; i < candidate.count; ++i)
    reduces &= !plan->roots[candidate.first + i].in_place;
  if (!reduces) return iree_ok_status();
  // Outer dimensions first: what all rows share is then read once per tile of rows, not once per
  // row.
  double bar = candidate.cost * 0.8;
  for (size_t row = 0; row < ir_type_rank(type); ++row) {
    int64_t extent = ir_type_dim(type, row);
    if ((int)row == candidate.lane_dim || extent == 1 || extent == IR_DYNAMIC) continue;
    candidate.rows = choose_rows(plan, extent, candidate.lanes);
    if (candidate.rows < 2) continue;
    candidate.row_dim = (int)row;
    IREE_RETURN_IF_ERROR(schedule_try_group(plan, &candidate, &candidate.cost));
    // Rows multiply the code: only for what they share.
    if (candidate.cost >= bar) continue;
    if (candidate.cost < best->cost) *best = candidate;
    return iree_ok_status();
  }
  return iree_ok_status();
}

static bool stores_packed(const plan_t *plan, const group_t *group) {
  for (size_t i = 0; i < group->count; ++i) {
    if (eval_is_packed(ir_type_element(plan->roots[group->first + i].value->type))) return true;
  }
  return false;
}

iree_status_t schedule_choose_lanes(plan_t *plan, group_t *group) {
  ir_type_t type = plan->roots[group->first].value->type;
  size_t rank = ir_type_rank(type);
  unsigned native = plan->target->vector_bytes / plan->widest;
  if (native < 1) native = 1;
  group_t best = *group;
  bool reduces = has_reduction(plan);
  best.cost = 1e300;
  IREE_RETURN_IF_ERROR(try_rows(plan, *group, reduces, &best));
  if (stores_packed(plan, group) || !ir_may_rewrite(plan->func, "vectorise")) {
    *group = best;
    return iree_ok_status();
  }
  size_t lowest = rank > 4 ? rank - 4 : 0;
  for (size_t d = rank; d-- > lowest;) {
    int64_t extent = ir_type_dim(type, d);
    unsigned previous = 0;
    for (unsigned unroll = 1; unroll <= (reduces ? 4u : 2u); unroll *= 2) {
      unsigned lanes = native * unroll;
      if (extent != IR_DYNAMIC && (int64_t)lanes > extent) lanes = power_of_two_below(extent);
      if (lanes < 2 || lanes == previous || lanes > plan->target->max_lanes) continue;
      previous = lanes;
      group_t candidate = *group;
      candidate.lane_dim = (int)d;
      candidate.lanes = lanes;
      IREE_RETURN_IF_ERROR(try_rows(plan, candidate, reduces, &best));
    }
  }
  *group = best;
  return iree_ok_status();
}

// The workload ordinal that |value| is; -1 if it is none.
static int64_t workload_ordinal(ir_value_t *value) {
  for (int i = 0; i < 16; ++i) {
    ir_op_t *op = ir_def(value);
    if (!op) return -1;
    if (is_named(op, "iree_tensor_ext.dispatch.workload.ordinal"))
      return ir_op_int(op, "ordinal", -1);
    if (!is_named(op, "util.assume.int") && !is_named(op, "arith.index_cast")) return -1;
    value = ir_operand(op, value->index);
  }
  return -1;
}

// The ordinal of dynamic dimension |d| of what a root stores, if the store's own sizes tell.
static int64_t dimension_ordinal(const root_t *root, size_t d) {
  if (root->n_steps) return -1;
  ir_attr_t sizes = ir_op_attr(root->store, "static_sizes");
  ir_group_t dynamic = ir_operand_group(root->store, "sizes");
  size_t rank = ir_type_rank(root->value->type);
  if (!sizes || sizes->n_ints != rank) return -1;
  size_t position = 0;
  for (size_t i = 0; i < d; ++i) position += ir_int(sizes, i) == IR_DYNAMIC;
  if (position >= dynamic.n) return -1;
  return workload_ordinal(ir_operand(root->store, dynamic.first + position));
}

static int64_t units_of(const group_t *group, ir_type_t type, size_t d) {
  int64_t extent = ir_type_dim(type, d);
  int64_t lanes = (int)d == group->lane_dim  ? group->lanes
                  : (int)d == group->row_dim ? group->rows
                                             : 1;
  return (extent + lanes - 1) / lanes;
}

// Decides how many workgroups and along which dimension each group is cut.
workgroups_t schedule_choose_workgroups(plan_t *plan) {
  workgroups_t result = {.count = 1, .ordinal = -1};
  double cost = 0;
  if (!plan->export_op || plan->n_loops) return result;
  for (size_t i = 0; i < plan->n_groups; ++i) {
    group_t *group = &plan->groups[i];
    const root_t *root = &plan->roots[group->first];
    ir_type_t type = root->value->type;
    cost += group->cost;
    if (stores_packed(plan, group)) return result;
    int64_t best_units = 1;
    for (size_t d = 0; d < ir_type_rank(type); ++d) {
      if (ir_type_dim(type, d) == IR_DYNAMIC) continue;
      int64_t units = units_of(group, type, d);
      // The outermost dimension that offers enough; else the one that offers most.
      if (units > best_units && best_units < 64) best_units = units, group->split_dim = (int)d;
    }
    for (size_t d = 0; d < ir_type_rank(type) && plan->n_groups == 1; ++d) {
      int64_t ordinal = ir_type_dim(type, d) == IR_DYNAMIC ? dimension_ordinal(root, d) : -1;
      if (ordinal < 0) continue;
      group->split_dim = (int)d;
      result.ordinal = ordinal;
      double per_unit = group->cost / (double)ASSUMED_TRIPS;
      result.unit = per_unit >= grain ? 1 : (int64_t)(grain / (per_unit < 1 ? 1 : per_unit));
      if ((int)d == group->lane_dim)
        result.unit = (result.unit + group->lanes - 1) / group->lanes * group->lanes;
      result.count = 0;
      return result;
    }
    if (group->split_dim >= 0 && best_units > result.count) result.count = best_units;
  }
  int64_t paid = (int64_t)(cost / grain);
  if (paid < 1) paid = 1;
  if (result.count > paid) result.count = paid;
  if (result.count > MAX_WORKGROUPS) result.count = MAX_WORKGROUPS;
  if (result.count > 1 && !ir_may_rewrite(plan->func, "distribute")) result.count = 1;
  // Parts of one tensor written after each other stay together.
  for (size_t i = 0; i < plan->n_roots; ++i) {
    if (plan->roots[i].n_steps > 0 && is_named(plan->roots[i].steps[0].op, "tensor.insert_slice") &&
        plan->n_roots > 1) {
      result.count = 1;
    }
  }
  return result;
}
