// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_DIALECTS_STABLEHLO_VERIFY_H_
#define COMPILER_DIALECTS_STABLEHLO_VERIFY_H_

#include "compiler/ir/ir.h"

iree_status_t hlo_verify_elementwise(ir_op_t *op);
iree_status_t hlo_verify_shape(ir_op_t *op);
iree_status_t hlo_verify_bitcast(ir_op_t *op);
iree_status_t hlo_verify_constant(ir_op_t *op);
iree_status_t hlo_verify_iota(ir_op_t *op);
iree_status_t hlo_verify_dot_general(ir_op_t *op);
iree_status_t hlo_verify_convolution(ir_op_t *op);
iree_status_t hlo_verify_reduce(ir_op_t *op);
iree_status_t hlo_verify_reduce_window(ir_op_t *op);
iree_status_t hlo_verify_sort(ir_op_t *op);
iree_status_t hlo_verify_gather(ir_op_t *op);
iree_status_t hlo_verify_scatter(ir_op_t *op);
iree_status_t hlo_verify_while(ir_op_t *op);

#endif  // COMPILER_DIALECTS_STABLEHLO_VERIFY_H_
