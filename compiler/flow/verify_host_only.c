// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With --iree-execution-model=host-only a module has no device and thus no kernels: what is left to
// the host are scalars, control flow and calls. Refuses all else where it stands.
//   in:  functions      out: the same
#include "compiler/ir/printer.h"
#include "compiler/pass.h"

static bool needs_kernels(ir_type_t type) {
  return ir_is(type, IR_T_TENSOR) || ir_is(type, IR_T_MEMREF) || ir_is(type, IR_T_VECTOR);
}

static iree_status_t refuse(pass_t *pass, const ir_op_t *op, ir_type_t type) {
  return ir_op_error(op,
                     "has type %s, but a module made with --iree-execution-model=host-only has no device to work on it; use "
                     "scalars, or name a device and the model async-internal",
                     ir_print_term_to(pass->scratch, type));
}

static iree_status_t check_op(ir_op_t *op, void *self) {
  ir_type_t signature = op->kind == OP_UTIL_FUNC ? ir_op_attr(op, "function_type") : NULL;
  for (uint32_t i = 0; signature && i < signature->n_kids; ++i)
    if (needs_kernels(ir_kid(signature, i))) return refuse(self, op, ir_kid(signature, i));
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (needs_kernels(ir_operand(op, i)->type)) return refuse(self, op, ir_operand(op, i)->type);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (needs_kernels(ir_result(op, i)->type)) return refuse(self, op, ir_result(op, i)->type);
  return iree_ok_status();
}

iree_status_t flow_verify_host_only(pass_t *pass, ir_op_t *module) {
  if (pass->options->execution_model != MODEL_HOST_ONLY) return iree_ok_status();
  return ir_walk(module, check_op, pass);
}
