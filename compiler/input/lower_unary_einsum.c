// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unary_einsum, `ab->b`: letters that the result lacks are summed over, the others permuted; a
// letter that stands twice runs along a diagonal.
#include <string.h>

#include "compiler/input/lower.h"

iree_status_t input_lower_unary_einsum(lowering_t *l, ir_op_t *op) {
  const char *from = ir_bytes(ir_op_attr(op, "einsum_config")), *arrow = strstr(from, "->");
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type), element = ir_type_element(type);
  size_t rank = ir_type_rank(v->type), out_rank = ir_type_rank(type), n = 0;
  if (!arrow || (size_t)(arrow - from) != rank || strlen(arrow + 2) != out_rank ||
      element != ir_type_element(v->type))
    return ir_op_error(op, "needs a configuration such as \"ab->b\" with a letter per dimension");
  const char *to = arrow + 2;
  char letters[2 * HLO_MAX_RANK];
  bool parallel[2 * HLO_MAX_RANK];
  ir_expr_t in[HLO_MAX_RANK], out[HLO_MAX_RANK];
  sizes_t sizes = sizes_none();
  for (size_t i = 0; i < out_rank; ++i) {
    const char *at = memchr(from, to[i], rank);
    if (!at || memchr(to, to[i], i))
      return ir_op_error(op, "names letter %c of the result once in it and in the operand", to[i]);
    if (ir_type_dim(type, i) == IR_DYNAMIC) sizes.at[i] = low_dim_value(l, v, (size_t)(at - from));
    letters[n] = to[i], parallel[n] = true;
    out[i] = ir_expr_dim(l->ctx, n++);
  }
  for (size_t i = 0; i < rank; ++i) {
    const char *at = memchr(letters, from[i], n);
    if (!at) at = &letters[n], letters[n] = from[i], parallel[n++] = false;
    in[i] = ir_expr_dim(l->ctx, (size_t)(at - letters));
    const char *twin = memchr(from, from[i], i);
    if (twin) low_check_extents(l, op, v, (size_t)(twin - from), v, i);
  }
  ir_value_t *sum = low_filled(l, type, &sizes, low_zero(&l->b, element));
  ir_attr_t maps[2] = {ir_attr_map(l->ctx, n, 0, in, rank),
                       ir_attr_map(l->ctx, n, 0, out, out_rank)};
  ir_op_t *g = linalg_build_generic(&l->b, &v, 1, &sum, 1, maps, parallel, n);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *r = low_add(&b, ir_body(g)->args[1], ir_body(g)->args[0]);
  linalg_build_yield(l->ctx, g, &r, 1, l->b.loc);
  return input_lower_result(l, op, ir_result(g, 0));
}
