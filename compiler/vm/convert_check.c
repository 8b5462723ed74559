// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// check ops become calls of the check module, where the program runs with one.
//
//   %there = vm.import.resolved @check.expect_true : i32
//   vm.cond_br %there, ^call, ^next
// ^call:
//   vm.call @check.expect_true(%x) : (i32) -> ()
//   vm.br ^next
#include "compiler/vm/convert.h"

// Goes on in a block that runs only if the import is there; end() goes on behind it.
static ir_block_t *begin(vm_convert_t *c, vm_call_t *call, const char *name) {
  vm_call_begin(c, call, name);
  ir_named_t import = {"import", ir_attr_sym(c->ctx, name)};
  ir_type_t i32 = ir_type_i(c->ctx, 32);
  ir_op_t *there = ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_IMPORT_RESOLVED, .results = &i32, .n_results = 1, .attrs = &import, .n_attrs = 1});
  ir_value_t *condition = ir_result(there, 0);
  ir_block_t *next = vm_split_here(c), *succs[2] = {vm_split_here(c), next};
  ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_COND_BR, .operands = &condition, .n_operands = 1, .segments = (uint32_t[]){1, 0, 0},
                                  .succs = succs, .succ_operands = (uint32_t[]){0, 0}, .n_succs = 2});
  vm_continue_in(c, succs[0]);
  return next;
}
static iree_status_t end(vm_convert_t *c, vm_call_t *call, ir_block_t *next) {
  vm_call_end(c, call, 0);
  ir_build(&c->b, &(ir_op_desc_t){.kind = OP_VM_BR, .succs = &next, .succ_operands = (uint32_t[]){0}, .n_succs = 1});
  vm_continue_in(c, next);
  return iree_ok_status();
}

static void push_device(vm_convert_t *c, ir_op_t *op, vm_call_t *call) {
  ir_group_t device = ir_operand_group(op, "device");
  if (device.n) {
    vm_call_arg(c, call, vm_mapped(c, ir_operand(op, device.first)));
    return;
  }
  vm_call_t devices;
  vm_call_begin(c, &devices, "devices.get");
  vm_call_arg(c, &devices, vm_i32(c, 0));
  vm_call_arg(c, call, vm_call_end(c, &devices, 0));
}

static iree_status_t convert_scalar(vm_convert_t *c, ir_op_t *op) {
  vm_call_t call;
  ir_block_t *next = begin(c, &call, op->kind == OP_CHECK_EXPECT_TRUE ? "check.expect_true" : "check.expect_false");
  vm_call_arg(c, &call, vm_mapped(c, ir_operand(op, 0)));
  return end(c, &call, next);
}

static iree_status_t convert_all_true(vm_convert_t *c, ir_op_t *op) {
  vm_call_t call;
  ir_block_t *next = begin(c, &call, "check.expect_all_true");
  push_device(c, op, &call);
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "operand")));
  return end(c, &call, next);
}

static ir_value_t *tolerance(vm_convert_t *c, ir_op_t *op, const char *name, double otherwise) {
  ir_attr_t attr = ir_op_attr(op, name);
  ir_type_t f32 = ir_type_float(c->ctx, IR_F32);
  return vm_const(c, attr ? attr : ir_attr_float_bits(c->ctx, f32, ir_float_from_double(IR_F32, otherwise)));
}

static iree_status_t convert_eq(vm_convert_t *c, ir_op_t *op) {
  bool almost = op->kind == OP_CHECK_EXPECT_ALMOST_EQ;
  vm_call_t call;
  ir_block_t *next = begin(c, &call, almost ? "check.expect_almost_eq" : "check.expect_eq");
  push_device(c, op, &call);
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "lhs")));
  vm_call_arg(c, &call, vm_mapped(c, ir_operand_named(op, "rhs")));
  if (almost) {
    vm_call_arg(c, &call, tolerance(c, op, "atol", 1e-4));
    vm_call_arg(c, &call, tolerance(c, op, "rtol", 0));
  }
  return end(c, &call, next);
}

void vm_register_check(vm_convert_fn_t *fns) {
  fns[OP_CHECK_EXPECT_TRUE] = fns[OP_CHECK_EXPECT_FALSE] = convert_scalar;
  fns[OP_CHECK_EXPECT_ALL_TRUE] = convert_all_true;
  fns[OP_CHECK_EXPECT_EQ] = fns[OP_CHECK_EXPECT_ALMOST_EQ] = convert_eq;
}
