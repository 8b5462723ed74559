// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scheduling (schedule.c) and its choices (schedule_choice.c) share: the plan of one function.
#ifndef IREE_COMPILER_CODEGEN_SCHEDULE_H_
#define IREE_COMPILER_CODEGEN_SCHEDULE_H_

#include "compiler/codegen/eval.h"

enum {
  MAX_ROOTS = 64,
  MAX_GROUP = 8,
  MAX_STEPS = 8,
  ASSUMED_TRIPS = 64,  // of loops whose extent is not known
};

// A tensor to store: |value|, at where |steps| put it within the stored tensor.
typedef struct {
  ir_op_t *store;
  ir_value_t *value;
  struct {
    ir_op_t *op;     // tensor.insert_slice or tensor.concat
    size_t operand;  // of the concat
  } steps[MAX_STEPS];
  size_t n_steps;
  bool in_place;  // the binding is read too
} root_t;

typedef struct {
  size_t first, count;  // roots with one iteration space
  int lane_dim;         // -1: none
  unsigned lanes;
  double cost;
  int split_dim;  // distributed over workgroups; -1: none
  int row_dim;    // whose neighbours are computed side by side; -1: none
  unsigned rows;
} group_t;

typedef struct {
  ir_ctx_t *ctx;
  ir_op_t *module, *func, *export_op;
  const codegen_target_t *target;
  iree_arena_t *arena;
  root_t roots[MAX_ROOTS];
  size_t n_roots;
  group_t groups[MAX_ROOTS];
  size_t n_groups;
  ir_op_t *loops[MAX_ROOTS];  // scf.for and tensor.insert of what is stored: they change it in place
  size_t n_loops;
  unsigned widest;     // bytes of the widest element computed
  int64_t workgroups;  // 0: known at run time only
} plan_t;

typedef struct {
  int64_t count;    // static; 0: from the workload
  int64_t ordinal;  // of the workload
  int64_t unit;     // extent per workgroup
} workgroups_t;

// Builds |group| alone, for its cost; the code is dropped.
iree_status_t schedule_try_group(plan_t *plan, const group_t *group, double *out_cost);

// Decides which index of |group| runs over lanes, how many, and which neighbours go side by side.
iree_status_t schedule_choose_lanes(plan_t *plan, group_t *group);

// Decides how many workgroups there are and along which dimension each group is cut.
workgroups_t schedule_choose_workgroups(plan_t *plan);

// Adds the copy of what |store|'s tensor is before the loop that makes it; false if none makes it.
bool schedule_add_loop(plan_t *plan, ir_op_t *store, root_t *out_copy);
// Builds the loops of |plan|, after the copies.
void schedule_build_loops(plan_t *plan, eval_t *e, bool is_guarded);

#endif  // IREE_COMPILER_CODEGEN_SCHEDULE_H_
