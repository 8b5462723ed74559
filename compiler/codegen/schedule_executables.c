// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-schedule-executables
//   in:   hal.executable.variant with functions on tensors, exports counting workgroups from slices
//   out:  the same with scheduled kernels (codegen.h) and workgroup counts as arithmetic
//   relies on:  one hal.executable.target per variant
//
//   %3 = linalg.generic ... ins(%1, %2)          %6 = vector.load %a[%i] : memref<?xf32>,
//   vector<8xf32> dispatch.tensor.store %3, %0             ->  vector.store %8, %c[%i]
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "compiler/pass.h"

static iree_status_t schedule(ir_op_t *op, void *self) {
  pass_t *pass = self;
  if (op->kind != OP_HAL_EXECUTABLE_VARIANT) return iree_ok_status();
  codegen_target_t *target = NULL;
  IREE_RETURN_IF_ERROR(codegen_target_from_attr(pass->ctx, ir_op_attr(op, "target"), &target));
  iree_status_t status = codegen_lower_variant(pass->ctx, op, target);
  codegen_target_free(target);
  return status;
}

iree_status_t codegen_schedule_executables(pass_t *pass, ir_op_t *module) {
  return ir_walk(module, schedule, pass);
}
