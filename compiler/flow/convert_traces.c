// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors that a program shows become buffer views that it shows.
//   in:  flow.tensor.trace       out: none
//
//   flow.tensor.trace "key" = [%0 : tensor<?xf32>{%n}]
//   ->
//   %v = hal.tensor.export %0 : tensor<?xf32>{%n} -> !hal.buffer_view
//   hal.buffer_view.trace "key" = %v : !hal.buffer_view
#include "compiler/flow/text.h"
#include "compiler/pass.h"

static ir_value_t *export_tensor(ir_builder_t *b, ir_value_t *tensor, const ir_op_t *op, ir_group_t dims, uint32_t *next) {
  ir_type_t view = ir_type_dialect(b->ctx, "hal.buffer_view", NULL, 0);
  if (tensor->type == view) return tensor;
  size_t n = ir_type_n_dynamic(tensor->type);
  ir_value_t **operands = IREE_ARENA_ARRAY(ir_arena(b->ctx), ir_value_t *, n + 1);
  operands[0] = tensor;
  for (size_t i = 0; i < n; ++i) operands[1 + i] = ir_operand(op, dims.first + (*next)++);
  ir_named_t encoding = {"source_encoding", tensor->type};
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_HAL_TENSOR_EXPORT, .operands = operands, .n_operands = n + 1, .results = &view,
                                               .n_results = 1, .attrs = &encoding, .n_attrs = 1}), 0);
}
static iree_status_t convert(ir_op_t *op, void *self) {
  pass_t *pass = self;
  if (op->kind != OP_FLOW_TENSOR_TRACE) return iree_ok_status();
  ir_group_t values = ir_operand_group(op, "values"), dims = ir_operand_group(op, "value_dims");
  size_t n_dims = 0;
  for (uint32_t i = 0; i < values.n; ++i) {
    ir_type_t type = ir_operand(op, values.first + i)->type;
    if (!ir_is(type, IR_T_TENSOR)) return ir_op_error(op, "shows a value that is no tensor");
    n_dims += ir_type_n_dynamic(type);
  }
  if (n_dims != dims.n) return ir_op_error(op, "has %u extents for %zu open ones", dims.n, n_dims);
  ir_builder_t b = ir_builder_before(pass->ctx, op);
  b.loc = op->loc;
  ir_value_t **views = IREE_ARENA_ARRAY(pass->scratch, ir_value_t *, values.n + 1);
  uint32_t next = 0;
  for (uint32_t i = 0; i < values.n; ++i) views[i] = export_tensor(&b, ir_operand(op, values.first + i), op, dims, &next);
  ir_named_t key = {"key", ir_op_attr(op, "key")};
  ir_build(&b, &(ir_op_desc_t){.kind = OP_HAL_BUFFER_VIEW_TRACE, .operands = views, .n_operands = values.n, .attrs = &key, .n_attrs = 1});
  ir_op_erase(op);
  return iree_ok_status();
}
iree_status_t flow_convert_traces(pass_t *pass, ir_op_t *module) { return ir_walk(module, convert, pass); }
