// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  loads and stores through the address of a global that the same function takes.
// Out: loads and stores of that global; addresses that nothing else uses are gone.
//
//   %p = util.global.address @g : !util.ptr<tensor<4xf32>>
//   %v = util.global.load.indirect %p : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
// becomes
//   %v = util.global.load @g : tensor<4xf32>
#include "compiler/pass.h"

static iree_status_t check_type(const ir_op_t *op, ir_attr_t name, ir_type_t type) {
  ir_op_t *global = ir_symbol_resolve(op, name);
  if (!global || global->kind != OP_UTIL_GLOBAL)
    return ir_op_error(op, "takes its address from '@%.*s', which is no global", (int)ir_symref_leaf(name).size, ir_symref_leaf(name).data);
  if (ir_op_attr(global, "type") != type)
    return ir_op_error(op, "has another type than the global '@%.*s'", (int)ir_symref_leaf(name).size, ir_symref_leaf(name).data);
  return iree_ok_status();
}

static iree_status_t convert(ir_op_t *op, void *self) {
  ir_ctx_t *ctx = self;
  bool is_load = op->kind == OP_UTIL_GLOBAL_LOAD_INDIRECT;
  if (!is_load && op->kind != OP_UTIL_GLOBAL_STORE_INDIRECT) return iree_ok_status();
  ir_op_t *address = ir_def(ir_operand(op, is_load ? 0 : 1));
  if (!address || address->kind != OP_UTIL_GLOBAL_ADDRESS) return iree_ok_status();
  ir_attr_t name = ir_op_attr(address, "global");
  ir_builder_t b = ir_builder_before(ctx, op);
  b.loc = op->loc;
  if (is_load) {
    IREE_RETURN_IF_ERROR(check_type(op, name, ir_result(op, 0)->type));
    ir_value_t *value = ir_build_attr(&b, OP_UTIL_GLOBAL_LOAD, ir_result(op, 0)->type, "global", name, NULL, NULL);
    if (ir_op_attr(op, "is_immutable")) ir_op_set_attr(ctx, ir_def(value), "is_immutable", ir_op_attr(op, "is_immutable"));
    ir_op_replace(op, &value);
    return iree_ok_status();
  }
  IREE_RETURN_IF_ERROR(check_type(op, name, ir_operand(op, 0)->type));
  ir_value_t *stored = ir_operand(op, 0);
  ir_build(&b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL_STORE, .operands = &stored, .n_operands = 1,
                               .attrs = &(ir_named_t){"global", name}, .n_attrs = 1});
  ir_op_erase(op);
  return iree_ok_status();
}

static iree_status_t drop(ir_op_t *op, void *self) {
  (void)self;
  if (op->kind == OP_UTIL_GLOBAL_ADDRESS && ir_unused(ir_result(op, 0))) ir_op_erase(op);
  return iree_ok_status();
}

iree_status_t input_convert_global_addresses(pass_t *pass, ir_op_t *module) {
  IREE_RETURN_IF_ERROR(ir_walk(module, convert, pass->ctx));
  return ir_walk(module, drop, NULL);
}
