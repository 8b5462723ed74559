// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce as a generic whose outputs start as the initial values; any number of inputs, any body.
#include "compiler/input/lower.h"

enum { MAX_INPUTS = 32 };

iree_status_t input_lower_reduce(lowering_t *l, ir_op_t *op) {
  ir_group_t in = ir_operand_group_at(op, 0), init = ir_operand_group_at(op, 1);
  hlo_dims_t dims = hlo_dims(op, "dimensions", 0, 0);
  ir_type_t type = ir_operand(op, 0)->type;
  size_t rank = ir_type_rank(type), n_kept = rank - dims.n;
  ir_value_t *inputs[MAX_INPUTS], *outputs[MAX_INPUTS], *args[2 * MAX_INPUTS], *results[MAX_INPUTS];
  ir_attr_t maps[2 * MAX_INPUTS];
  ir_expr_t in_exprs[HLO_MAX_RANK], out_exprs[HLO_MAX_RANK];
  bool parallel[HLO_MAX_RANK];
  size_t kept[HLO_MAX_RANK], n = 0, r = n_kept;
  if (in.n > MAX_INPUTS) return ir_op_error(op, "takes at most %d inputs", MAX_INPUTS);
  for (size_t i = 0; i < rank; ++i) {
    bool reduced = hlo_has(&dims, (int64_t)i);
    size_t loop = reduced ? r++ : n;
    if (!reduced) kept[n++] = i;
    in_exprs[i] = ir_expr_dim(l->ctx, loop);
    parallel[loop] = !reduced;
  }
  for (size_t i = 0; i < n_kept; ++i) out_exprs[i] = ir_expr_dim(l->ctx, i);
  for (uint32_t i = 0; i < in.n; ++i) {
    ir_type_t to = low_type(l->ctx, ir_result(op, i)->type);
    sizes_t sizes = {.at = {0}};
    inputs[i] = lowered_operand(l, op, i);
    low_check_shapes(l, op, inputs[0], inputs[i]);
    for (size_t d = 0; d < n_kept; ++d)
      if (ir_type_dim(to, d) == IR_DYNAMIC) sizes.at[d] = low_dim_value(l, inputs[i], kept[d]);
    outputs[i] =
        low_filled(l, to, &sizes, low_scalar_of(l, lowered_operand(l, op, init.first + i)));
    maps[i] = ir_attr_map(l->ctx, rank, 0, in_exprs, rank);
    maps[in.n + i] = ir_attr_map(l->ctx, rank, 0, out_exprs, n_kept);
  }
  ir_op_t *g = linalg_build_generic(&l->b, inputs, in.n, outputs, in.n, maps, parallel, rank);
  ir_block_t *body = ir_body(g);
  for (uint32_t i = 0; i < in.n; ++i)
    args[i] = body->args[in.n + i], args[in.n + i] = body->args[i];
  ir_builder_t b = ir_builder_at_end(l->ctx, body);
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, &b, ir_body(op), args, results));
  linalg_build_yield(l->ctx, g, results, in.n, l->b.loc);
  for (uint32_t i = 0; i < in.n; ++i) set_lowered(l, ir_result(op, i), ir_result(g, i));
  return iree_ok_status();
}
