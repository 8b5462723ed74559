// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of quantised element types: which scales have to be equal, and where their axis may lie.
#include <string.h>

#include "compiler/dialects/stablehlo_verify.h"

typedef long long ll;

// |from_axis| and |to_axis|: the axis of the operand, and the one that becomes of it in the result.
static iree_status_t check_axis(ir_op_t *op, int64_t want, int64_t have) {
  if (want == have) return iree_ok_status();
  return ir_op_error(op, "moves the quantized axis to %lld, the result has it at %lld", (ll)want, (ll)have);
}
iree_status_t hlo_check_scales_kept(ir_op_t *op) {
  quant_type_t from, to;
  ir_type_t in = hlo_in(op, 0), out = hlo_out(op, 0);
  IREE_RETURN_IF_ERROR(hlo_expect_element(op, 0, ir_type_element(in)));
  if (!hlo_quant(op, in, &from) || !hlo_quant(op, out, &to)) return iree_ok_status();
  bool spread = false;  // one scale becomes that of every position
  if (from.axis >= 0) {
    size_t axis = (size_t)from.axis;
    hlo_dims_t dims = hlo_dims(op, op->kind == OP_HLO_TRANSPOSE ? "permutation" : "broadcast_dimensions", 0, 0);
    if (op->kind == OP_HLO_TRANSPOSE) {
      IREE_RETURN_IF_ERROR(check_axis(op, hlo_find(&dims, from.axis), to.axis));
    } else if (op->kind == OP_HLO_BROADCAST_IN_DIM || op->kind == OP_HLO_DYNAMIC_BROADCAST_IN_DIM) {
      IREE_RETURN_IF_ERROR(check_axis(op, axis < dims.n ? dims.at[axis] : -1, to.axis));
      spread = ir_type_dim(in, axis) == 1;
    } else {
      int64_t before[2] = {1, 1};
      if (!hlo_agree(ir_type_dim(in, axis), ir_type_dim(out, (size_t)to.axis)))
        return ir_op_error(op, "changes the extent of the quantized axis from %lld to %lld", (ll)ir_type_dim(in, axis),
                           (ll)ir_type_dim(out, (size_t)to.axis));
      bool known = true;
      for (int64_t i = 0; i < from.axis; ++i)
        known = known && ir_type_dim(in, (size_t)i) >= 0 && !__builtin_mul_overflow(before[0], ir_type_dim(in, (size_t)i), &before[0]);
      for (int64_t i = 0; i < to.axis; ++i)
        known = known && ir_type_dim(out, (size_t)i) >= 0 && !__builtin_mul_overflow(before[1], ir_type_dim(out, (size_t)i), &before[1]);
      if (known && before[0] != before[1])
        return ir_op_error(op, "has %lld elements before the quantized axis, the result %lld", (ll)before[0], (ll)before[1]);
    }
  }
  bool same = spread || quant_same_scales(&from, &to);
  for (uint32_t i = 0; same && spread && i < to.n; ++i)
    same = to.scales[i] == from.scales[0] && to.zero_points[i] == from.zero_points[0];
  if (same) return iree_ok_status();
  return ir_op_error(op, "keeps scales and zero points; it is given %s and %s", hlo_text(op, in), hlo_text(op, out));
}

// Products: rhs is quantised wherever something is, lhs where the result is.
iree_status_t hlo_check_quantized_product(ir_op_t *op) {
  quant_type_t l, r, t;
  ir_type_t lhs = hlo_in(op, 0), rhs = hlo_in(op, 1), to = hlo_out(op, 0);
  bool is_l = hlo_quant(op, lhs, &l), is_r = hlo_quant(op, rhs, &r), is_t = hlo_quant(op, to, &t);
  if (!is_l && !is_r && !is_t) return iree_ok_status();
  if (!is_r || is_l != is_t)
    return ir_op_error(op, "mixes %s and %s to %s; rhs must be quantized, and lhs exactly if the result is",
                       hlo_text(op, lhs), hlo_text(op, rhs), hlo_text(op, to));
  ir_type_t real = is_l ? l.expressed : ir_type_element(lhs), result = is_t ? t.expressed : ir_type_element(to);
  if (is_l && ir_type_width(l.storage) != ir_type_width(r.storage))
    return ir_op_error(op, "stores lhs as %s and rhs as %s", hlo_text(op, l.storage), hlo_text(op, r.storage));
  if (is_l && l.storage != r.storage)
    return ir_op_error(op, "stores lhs as %s and rhs as %s", hlo_text(op, l.storage), hlo_text(op, r.storage));
  if (real != r.expressed || real != result)
    return ir_op_error(op, "needs one real type, has %s for lhs, %s for rhs and %s for the result", hlo_text(op, real),
                       hlo_text(op, r.expressed), hlo_text(op, result));
  if (is_t && t.axis >= 0 && r.axis < 0)
    return ir_op_error(op, "has one scale per position in the result, but one in all in rhs: %s", hlo_text(op, rhs));
  return iree_ok_status();
}
iree_status_t hlo_check_quantized_dot(ir_op_t *op, const hlo_dims_t *contracting) {
  quant_type_t r;
  if (!hlo_quant(op, hlo_in(op, 1), &r)) return hlo_check_quantized_product(op);
  for (uint32_t i = 0; i < r.n; ++i)
    if (r.zero_points[i])
      return ir_op_error(op, "has zero point %lld of rhs; it must be 0", (ll)r.zero_points[i]);
  if (r.axis >= 0 && hlo_has(contracting, r.axis))
    return ir_op_error(op, "contracts dimension %lld of rhs, which has one scale per position", (ll)r.axis);
  return hlo_check_quantized_product(op);
}
iree_status_t hlo_check_quantized_convolution(ir_op_t *op, const hlo_conv_t *c) {
  quant_type_t r, t;
  if (hlo_quant(op, hlo_in(op, 1), &r) && r.axis >= 0 && r.axis != c->kernel_output)
    return ir_op_error(op, "has the quantized axis %lld of rhs; it must be the kernel's output feature, %lld", (ll)r.axis,
                       (ll)c->kernel_output);
  if (hlo_quant(op, hlo_out(op, 0), &t) && t.axis >= 0 && t.axis != c->output_feature)
    return ir_op_error(op, "has the quantized axis %lld of the result; it must be the output feature, %lld", (ll)t.axis,
                       (ll)c->output_feature);
  return hlo_check_quantized_product(op);
}
