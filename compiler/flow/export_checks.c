// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that expectations are stated about become buffer views, as results of functions do: the host reads them.
//   in:  check ops on tensors        out: check ops on views
//
//   check.expect_eq(%0, %1) : tensor<4xi32>
//   ->
//   %v = hal.tensor.export %0 : tensor<4xi32> -> !hal.buffer_view
//   %w = hal.tensor.export %1 : tensor<4xi32> -> !hal.buffer_view
//   %device = util.global.load immutable @__device_0 : !hal.device
//   check.expect_eq<%device>(%v, %w) : !hal.buffer_view
#include "compiler/flow/shapes.h"
#include "compiler/pass.h"

static bool is_check(const ir_op_t *op) {
  return op->kind == OP_CHECK_EXPECT_ALL_TRUE || op->kind == OP_CHECK_EXPECT_EQ || op->kind == OP_CHECK_EXPECT_ALMOST_EQ;
}

typedef struct checks {
  pass_t *pass;
  ir_attr_t device;  // its symbol; NULL without devices
} checks_t;

static iree_status_t export_operand(const checks_t *checks, ir_builder_t *b, ir_value_t **inout) {
  ir_value_t *value = *inout;
  if (!ir_is(value->type, IR_T_TENSOR)) return iree_ok_status();
  size_t n_dims = ir_type_n_dynamic(value->type);
  ir_value_t **operands = IREE_ARENA_ARRAY(checks->pass->scratch, ir_value_t *, n_dims + 1);
  operands[0] = value;
  IREE_RETURN_IF_ERROR(shape_dynamic_dims(b, value, operands + 1));
  ir_type_t view = ir_type_dialect(b->ctx, "hal.buffer_view", NULL, 0);
  ir_named_t encoding = {"source_encoding", value->type};
  ir_op_t *exported = ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_EXPORT, .operands = operands, .n_operands = n_dims + 1,
                                                  .results = &view, .n_results = 1, .attrs = &encoding, .n_attrs = 1});
  *inout = ir_result(exported, 0);
  return iree_ok_status();
}

static ir_value_t *load_device(const checks_t *checks, ir_builder_t *b) {
  ir_type_t type = ir_type_dialect(b->ctx, "hal.device", NULL, 0);
  ir_named_t attrs[2] = {{"global", checks->device}, {"is_immutable", ir_attr_unit(b->ctx)}};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_UTIL_GLOBAL_LOAD, .results = &type, .n_results = 1, .attrs = attrs, .n_attrs = 2}), 0);
}

static iree_status_t convert(ir_op_t *op, void *self) {
  const checks_t *checks = self;
  if (!is_check(op) || ir_operand_group(op, "device").n) return iree_ok_status();
  ir_builder_t b = ir_builder_before(checks->pass->ctx, op);
  b.loc = op->loc;
  ir_value_t *operands[3];
  uint32_t n = 0;
  if (checks->device) operands[n++] = load_device(checks, &b);
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    operands[n] = ir_operand(op, i);
    IREE_RETURN_IF_ERROR(export_operand(checks, &b, &operands[n++]));
  }
  ir_named_t attrs[2];
  size_t n_attrs = 0;
  static const char *const names[] = {"atol", "rtol"};
  for (size_t i = 0; op->kind == OP_CHECK_EXPECT_ALMOST_EQ && i < 2; ++i)
    if (ir_op_attr(op, names[i])) attrs[n_attrs++] = (ir_named_t){names[i], ir_op_attr(op, names[i])};
  ir_build(&b, &(ir_op_desc_t){.kind = op->kind, .operands = operands, .n_operands = n, .attrs = attrs, .n_attrs = n_attrs});
  ir_op_erase(op);
  return iree_ok_status();
}

iree_status_t flow_export_checks(pass_t *pass, ir_op_t *module) {
  ir_attr_t affinity = ir_op_attr(module, "stream.affinity.default");
  checks_t checks = {pass, affinity && affinity->n_kids ? ir_kid(affinity, 0) : NULL};
  if (checks.device && !ir_is(checks.device, IR_A_SYMREF)) checks.device = NULL;
  return ir_walk(module, convert, &checks);
}
