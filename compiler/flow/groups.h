// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops of a block run in one dispatch.
//
// A group is a set of tensor ops that share outer parallel loops: for each point of those, all of them
// can run one after another on pieces of tensors. Ops join in program order, each the group of one
// of its producers, so one sweep decides everything. That no path leaves a group and comes back is
// kept by ranks: along every dependence between groups (and other ops) the rank grows.
#ifndef COMPILER_FLOW_GROUPS_H_
#define COMPILER_FLOW_GROUPS_H_

#include "compiler/pass.h"
#include "compiler/report.h"

// Runtimes refuse dispatches of over 32 bindings; the rest is for results.
enum { GROUP_MAX_INPUTS = 24 };

typedef struct group {
  ir_op_t **members;  // in program order
  uint32_t n_members, cap_members;
  uint32_t rank, epoch;
  ir_value_t *inputs[GROUP_MAX_INPUTS];  // distinct tensors from outside, those first that joined first
  uint32_t n_inputs;
  bool has_dependents;   // something outside uses a value of it: the rank is fixed
  bool closed;           // nothing may join
  bool is_contraction;
  uint32_t n_outer;      // outer loops known so far, at most 64
  uint64_t outer;        // those that still are outer: bit per loop
  int64_t outer_size[64];
  int64_t inner_size;    // largest extent of what is not outer, per member
  uint32_t n_ops;        // in the bodies of all members
  int64_t work;          // points of all members' loops together
  int64_t repeated;      // steps of reductions that are run again, as values of members are not kept
  bool is_own_kind;      // no structured op
  fusion_stop_t stop;    // why it refused the op of number |stop_for| - 1
  uint32_t stop_for;
} group_t;

typedef struct groups {
  pass_t *pass;
  ir_block_t *block;
  uint32_t n_ops;
  ir_op_t **ops;         // of the block in program order; op->mark is the index
  group_t **of;          // per op; NULL: none
  uint32_t *rank;        // per op outside groups
  uint32_t **operands;   // per op: indices of the ops of this block it depends on, nested ones included
  uint32_t *n_operands;
  int64_t *cost;         // per op of a group: steps of reductions that one element of it takes
  uint32_t *readers;     // per op of a group: ops of the group that read it
} groups_t;

// Decides the groups of |block|.
iree_status_t groups_form(pass_t *pass, ir_block_t *block, groups_t *out_groups);
// Moves ops so that the members of each group stand together, after all they use.
void groups_sort(groups_t *groups);
// Is |op| one that a dispatch copies rather than gets as an operand?
bool dispatch_clones(const ir_op_t *op);

#endif  // COMPILER_FLOW_GROUPS_H_
