// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of ops with regions: what their blocks take and return.
#include "compiler/dialects/stablehlo_verify.h"

typedef long long ll;

iree_status_t hlo_check_body(ir_op_t *op, size_t r, uint32_t n_args, uint32_t n_results) {
  ir_block_t *b = r < op->n_regions ? ir_region(op, r)->first : NULL;
  const char *name = hlo_region_name(op, r);
  if (!b || b->next) return ir_op_error(op, "region '%s' must be one block", name);
  if (b->n_args != n_args)
    return ir_op_error(op, "region '%s' takes %u arguments; it must take %u", name, b->n_args, n_args);
  if (!ir_op_is(b->last, OP_HLO_RETURN))
    return ir_op_error(op, "region '%s' must end in stablehlo.return", name);
  if (b->last->n_operands != n_results)
    return ir_op_error(op, "region '%s' returns %u values; it must return %u", name, b->last->n_operands,
                       n_results);
  return iree_ok_status();
}

iree_status_t hlo_check_reducer(ir_op_t *op, size_t r, uint32_t in, uint32_t init, uint32_t n) {
  const char *name = hlo_region_name(op, r);
  IREE_RETURN_IF_ERROR(hlo_check_body(op, r, 2 * n, n));
  ir_block_t *b = ir_region(op, r)->first;
  for (uint32_t i = 0; i < n; ++i) {
    ir_type_t type = ir_operand(b->last, i)->type, start = hlo_in(op, init + i), from = hlo_in(op, in + i);
    if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type))
      return ir_op_error(op, "region '%s' returns %s as value %u; it must return a scalar tensor", name,
                         hlo_text(op, type), i);
    for (uint32_t k = i; k < 2 * n; k += n)
      if (!hlo_types_agree(op, b->args[k]->type, type))
        return ir_op_error(op, "argument %u of region '%s' is %s; it must be %s, as what value %u returns", k,
                           name, hlo_text(op, b->args[k]->type), hlo_text(op, type), i);
    ir_type_t element = ir_type_element(type);
    if (!hlo_promotes(op, ir_type_element(start), element))
      return ir_op_error(op, "operand %u is %s; region '%s' folds in %s", init + i, hlo_text(op, start), name,
                         hlo_text(op, element));
    if (!hlo_promotes(op, ir_type_element(from), element))
      return ir_op_error(op, "operand %u is %s; region '%s' folds in %s", in + i, hlo_text(op, from), name,
                         hlo_text(op, element));
    if (i < op->n_results && ir_is(hlo_out(op, i), IR_T_TENSOR))
      IREE_RETURN_IF_ERROR(hlo_expect_element(op, i, element));
  }
  return iree_ok_status();
}

iree_status_t hlo_check_scalars(ir_op_t *op, uint32_t first, uint32_t n) {
  for (uint32_t i = first; i < first + n; ++i)
    if (ir_type_rank(hlo_in(op, i)))
      return ir_op_error(op, "initial value %u is %s; it must be a scalar tensor", i - first,
                         hlo_text(op, hlo_in(op, i)));
  return iree_ok_status();
}

iree_status_t hlo_check_reduce(ir_op_t *op) {
  ir_group_t in = ir_operand_group_at(op, 0), init = ir_operand_group_at(op, 1);
  if (!in.n || in.n != init.n || op->n_results != in.n)
    return ir_op_error(op, "has %u inputs, %u initial values and %u results; it must have as many of each, and one at least",
                       in.n, init.n, op->n_results);
  ir_type_t type = hlo_in(op, 0);
  hlo_dims_t dims = hlo_dims(op, "dimensions", 0, 0), want = {.n = 0};
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, "dimensions", &dims, ir_type_rank(type), false));
  for (uint32_t i = 1; i < in.n; ++i)
    if (!hlo_shapes_agree(hlo_in(op, i), type))
      return ir_op_error(op, "input %u is %s; it must have the shape of input 0, %s", i,
                         hlo_text(op, hlo_in(op, i)), hlo_text(op, type));
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (!hlo_has(&dims, (int64_t)i)) want.at[want.n++] = ir_type_dim(type, i);
  IREE_RETURN_IF_ERROR(hlo_check_scalars(op, init.first, in.n));
  IREE_RETURN_IF_ERROR(hlo_check_reducer(op, 0, 0, init.first, in.n));
  for (uint32_t i = 0; i < in.n; ++i) IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, want.at, want.n));
  return iree_ok_status();
}

// Argument |k| of the one block of region |r| is a scalar of operand |i|'s element type.
static iree_status_t check_scalar_arg(ir_op_t *op, size_t r, uint32_t k, uint32_t i) {
  ir_type_t arg = ir_region(op, r)->first->args[k]->type, from = hlo_in(op, i);
  bool fits = ir_is(arg, IR_T_TENSOR) && !ir_type_rank(arg) &&
              hlo_elements_agree(op, ir_type_element(arg), ir_type_element(from));
  if (fits) return iree_ok_status();
  return ir_op_error(op, "argument %u of region '%s' is %s; it must be a scalar tensor of %s, as input %u has", k,
                     hlo_region_name(op, r), hlo_text(op, arg), hlo_text(op, ir_type_element(from)), i);
}
iree_status_t hlo_check_map(ir_op_t *op) {
  if (!op->n_operands) return ir_op_error(op, "needs an input");
  size_t rank = ir_type_rank(hlo_in(op, 0));
  hlo_dims_t dims = hlo_dims(op, "dimensions", 0, 0);
  if (dims.n != rank)
    return ir_op_error(op, "attribute 'dimensions' has %zu entries for inputs of rank %zu", dims.n, rank);
  for (size_t i = 0; i < dims.n; ++i)
    if (dims.at[i] != (int64_t)i)
      return ir_op_error(op, "attribute 'dimensions' has %lld at %zu; it must count up from 0", (ll)dims.at[i], i);
  IREE_RETURN_IF_ERROR(hlo_check_body(op, 0, op->n_operands, 1));
  for (uint32_t i = 0; i < op->n_operands; ++i) IREE_RETURN_IF_ERROR(check_scalar_arg(op, 0, i, i));
  ir_type_t type = ir_operand(ir_region(op, 0)->first->last, 0)->type;
  if (!ir_is(type, IR_T_TENSOR) || ir_type_rank(type))
    return ir_op_error(op, "region 'computation' returns %s; it must return a scalar tensor", hlo_text(op, type));
  return hlo_expect_element(op, 0, ir_type_element(type));
}
static iree_status_t check_returns_i1(ir_op_t *op, size_t r) {
  ir_type_t type = ir_operand(ir_region(op, r)->first->last, 0)->type;
  if (ir_is(type, IR_T_TENSOR) && !ir_type_rank(type) && ir_type_is_int(ir_type_element(type), 1))
    return iree_ok_status();
  return ir_op_error(op, "region '%s' returns %s; it must return tensor<i1>", hlo_region_name(op, r),
                     hlo_text(op, type));
}
iree_status_t hlo_check_sort(ir_op_t *op) {
  if (!op->n_operands || op->n_results != op->n_operands)
    return ir_op_error(op, "has %u results for %u inputs; it must have as many, and one at least",
                       op->n_results, op->n_operands);
  int64_t dim = ir_op_int(op, "dimension", -1), rank = (int64_t)ir_type_rank(hlo_in(op, 0));
  if (rank ? dim < -rank || dim >= rank : dim != -1 && dim != 0)
    return ir_op_error(op, "attribute 'dimension' is %lld; it must be in [%lld, %lld)", (ll)dim, (ll)-rank,
                       (ll)rank);
  IREE_RETURN_IF_ERROR(hlo_check_pairwise(op));
  IREE_RETURN_IF_ERROR(hlo_check_body(op, 0, 2 * op->n_operands, 1));
  IREE_RETURN_IF_ERROR(check_returns_i1(op, 0));
  for (uint32_t i = 0; i < 2 * op->n_operands; ++i) IREE_RETURN_IF_ERROR(check_scalar_arg(op, 0, i, i / 2));
  return iree_ok_status();
}

// ---- control flow
iree_status_t hlo_check_while(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(hlo_check_pairwise(op));
  IREE_RETURN_IF_ERROR(hlo_check_body(op, 0, op->n_operands, 1));
  IREE_RETURN_IF_ERROR(hlo_check_body(op, 1, op->n_operands, op->n_operands));
  IREE_RETURN_IF_ERROR(check_returns_i1(op, 0));
  for (size_t r = 0; r < 2; ++r) {
    ir_block_t *b = ir_region(op, r)->first;
    for (uint32_t i = 0; i < op->n_operands; ++i) {
      if (!hlo_types_agree(op, b->args[i]->type, hlo_in(op, i)))
        return ir_op_error(op, "argument %u of region '%s' is %s; the operand is %s", i, hlo_region_name(op, r),
                           hlo_text(op, b->args[i]->type), hlo_text(op, hlo_in(op, i)));
      if (r == 1 && !hlo_types_agree(op, ir_operand(b->last, i)->type, hlo_in(op, i)))
        return ir_op_error(op, "region 'body' returns %s as value %u; the operand is %s",
                           hlo_text(op, ir_operand(b->last, i)->type), i, hlo_text(op, hlo_in(op, i)));
    }
  }
  return iree_ok_status();
}
iree_status_t hlo_check_branches(ir_op_t *op) {
  if (!op->n_regions) return ir_op_error(op, "needs a branch");
  for (size_t r = 0; r < op->n_regions; ++r) {
    IREE_RETURN_IF_ERROR(hlo_check_body(op, r, 0, op->n_results));
    for (uint32_t i = 0; i < op->n_results; ++i) {
      ir_type_t type = ir_operand(ir_region(op, r)->first->last, i)->type;
      if (!hlo_types_agree(op, type, hlo_out(op, i)))
        return ir_op_error(op, "branch %zu returns %s as value %u; the result is %s", r, hlo_text(op, type), i,
                           hlo_text(op, hlo_out(op, i)));
    }
  }
  return iree_ok_status();
}
