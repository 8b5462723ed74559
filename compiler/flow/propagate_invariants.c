// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves what a loop computes anew each time round, from values outside, to before the loop: reads of
// tensors by the host above all, each of which waits for the device.
//   in, out: scf loops over scalars, flow.tensor.load
//
//   scf.while ... {%n = flow.tensor.load %a : tensor<i32> ...}     with %a from outside
//   ->
//   %n = flow.tensor.load %a : tensor<i32>      scf.while ... {...}
#include "compiler/pass.h"

static bool defined_inside(const ir_value_t *v, const ir_op_t *loop) {
  const ir_op_t *owner = v->is_arg ? v->block->region->op : v->op;
  for (; owner; owner = ir_op_parent(owner)) {
    if (owner == loop) return v->is_arg || v->op != loop;
  }
  return false;
}
// Cheap, and safe to run even if the loop never does.
static bool may_move(const ir_op_t *op) {
  switch ((op_kind_t)op->kind) {
    case OP_FLOW_TENSOR_LOAD: return ir_operand_group(op, "indices").n == 0;
    case OP_FLOW_TENSOR_RESHAPE:
    case OP_ARITH_ADDI:
    case OP_ARITH_SUBI:
    case OP_ARITH_MULI:
    case OP_ARITH_CMPI:
    case OP_ARITH_INDEX_CAST:
    case OP_ARITH_INDEX_CASTUI:
    case OP_ARITH_EXTSI:
    case OP_ARITH_EXTUI:
    case OP_ARITH_TRUNCI:
    case OP_ARITH_MAXSI:
    case OP_ARITH_MINSI: return true;
    default: return false;
  }
}
static void move_out(ir_op_t *parent) {
  for (uint16_t r = 0; r < parent->n_regions; ++r)
    for (ir_block_t *b = parent->regions[r]->first; b; b = b->next)
      for (ir_op_t *op = b->first, *next; op; op = next) {
        next = op->next;
        if (op->kind == OP_FLOW_DISPATCH_WORKGROUPS || op->kind == OP_FLOW_EXECUTABLE) continue;
        move_out(op);  // inner loops first: what leaves one may leave the next
        if (op->kind != OP_SCF_WHILE && op->kind != OP_SCF_FOR) continue;
        for (uint16_t k = 0; k < op->n_regions; ++k)
          for (ir_op_t *inner = op->regions[k]->first->first, *after; inner; inner = after) {
            after = inner->next;
            bool fixed = may_move(inner);
            for (uint32_t i = 0; fixed && i < inner->n_operands; ++i) fixed = !defined_inside(ir_operand(inner, i), op);
            if (fixed && ir_may_rewrite(inner, "hoist")) ir_op_move_before(inner, op);
          }
      }
}

iree_status_t flow_propagate_invariants(pass_t *pass, ir_op_t *module) {
  (void)pass;
  move_out(module);
  return iree_ok_status();
}
