// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of shape ops: slices, pads, concatenations and reshapes are arithmetic on indices; and
// the extents of tensors.
#include <string.h>

#include "compiler/codegen/eval_internal.h"

//===-- lists and extents --------------------------------------------------------------------------

size_t eval_mixed_count(ir_op_t *op, const char *statics) {
  ir_attr_t attr = ir_op_attr(op, statics);
  return attr ? attr->n_ints : 0;
}

kidx_t eval_mixed(eval_t *e, ir_op_t *op, const char *group, const char *statics, size_t i) {
  ir_attr_t attr = ir_op_attr(op, statics);
  if (!attr || i >= attr->n_ints) return kidx_const(0);
  int64_t value = ir_int(attr, i);
  if (value != IR_DYNAMIC) return kidx_const(value);
  ir_group_t g = ir_operand_group(op, group);
  size_t position = 0;
  for (size_t j = 0; j < i; ++j) position += ir_int(attr, j) == IR_DYNAMIC;
  if (position >= g.n) return kidx_const(0);
  return kval_index(&e->k, eval_scalar(e, ir_operand(op, g.first + position)));
}

// The value of dynamic dimension |d| of |type| from a group holding one per dynamic dimension.
kidx_t eval_dynamic_dim(eval_t *e, ir_op_t *op, ir_group_t g, ir_type_t type, size_t d) {
  size_t position = 0;
  for (size_t j = 0; j < d; ++j) position += ir_type_dim(type, j) == IR_DYNAMIC;
  if (position >= g.n) {
    eval_fail(e, op, "lacks the extent of a dynamic dimension");
    return kidx_const(1);
  }
  return kval_index(&e->k, eval_scalar(e, ir_operand(op, g.first + position)));
}

// Result dimensions of a slice: those whose size is dropped (rank reduction) have static size 1.
size_t eval_slice_dims(ir_op_t *op, ir_type_t sliced, size_t *out_source_dim) {
  ir_attr_t sizes = ir_op_attr(op, "static_sizes");
  size_t rank = sizes ? sizes->n_ints : 0, to = ir_type_rank(sliced), n = 0;
  size_t to_drop = rank > to ? rank - to : 0;
  for (size_t s = 0; s < rank; ++s) {
    bool keeps = n < to && (ir_int(sizes, s) == ir_type_dim(sliced, n));
    // Drop a unit dimension when too many are left, unless the result needs it here.
    if (to_drop && ir_int(sizes, s) == 1 && !(keeps && rank - s <= to - n)) {
      bool next_matches = keeps && s + 1 < rank && ir_int(sizes, s + 1) != ir_type_dim(sliced, n);
      if (!keeps || !next_matches) {
        --to_drop;
        continue;
      }
    }
    out_source_dim[n++] = s;
  }
  return n;
}

static kidx_t reshape_extent(eval_t *e, ir_op_t *op, size_t d) {
  ir_value_t *source = ir_operand(op, 0);
  ir_type_t type = ir_result(op, 0)->type;
  ir_attr_t groups = ir_op_attr(op, "reassociation");
  if (eval_is(op, "tensor.expand_shape"))
    return eval_mixed(e, op, "output_shape", "static_output_shape", d);
  (void)type;
  kidx_t product = kidx_const(1);
  ir_attr_t group = ir_kid(groups, d);
  for (size_t i = 0; i < group->n_kids; ++i) {
    product = kidx_mul(&e->k, product, eval_extent(e, source, (size_t)ir_int(ir_kid(group, i), 0)));
  }
  return product;
}

kidx_t eval_extent(eval_t *e, ir_value_t *tensor, size_t d) {
  ir_type_t type = tensor->type;
  if (ir_type_dim(type, d) != IR_DYNAMIC) return kidx_const(ir_type_dim(type, d));
  if (!kernel_ok(&e->k)) return kidx_const(1);
  ir_op_t *op = ir_def(tensor);
  if (!op) {
    kernel_fail(&e->k, ir_error(e->k.ctx, e->k.loc, "extent of a block argument is not known"));
    return kidx_const(1);
  }
  size_t source_dims[KERNEL_MAX_RANK];
  if (eval_is(op, "iree_tensor_ext.dispatch.tensor.load") || eval_is(op, "tensor.extract_slice")) {
    size_t n = eval_slice_dims(op, type, source_dims);
    if (d < n) return eval_mixed(e, op, "sizes", "static_sizes", source_dims[d]);
  }
  if (eval_is(op, "tensor.empty"))
    return eval_dynamic_dim(e, op, ir_operand_group(op, "dynamicSizes"), type, d);
  if (eval_is(op, "tensor.splat"))
    return eval_dynamic_dim(e, op, ir_operand_group(op, "dynamicSizes"), type, d);
  if (eval_is(op, "tensor.generate"))
    return eval_dynamic_dim(e, op, ir_operand_group(op, "dynamicExtents"), type, d);
  if (eval_is(op, "tensor.cast")) return eval_extent(e, ir_operand(op, 0), d);
  if (eval_is(op, "tensor.insert_slice")) return eval_extent(e, ir_operand(op, 1), d);
  if (eval_is(op, "tensor.expand_shape") || eval_is(op, "tensor.collapse_shape"))
    return reshape_extent(e, op, d);
  if (eval_is(op, "tensor.pad")) {
    kidx_t low = eval_mixed(e, op, "low", "static_low", d),
           high = eval_mixed(e, op, "high", "static_high", d);
    return kidx_add(&e->k, kidx_add(&e->k, low, high), eval_extent(e, ir_operand(op, 0), d));
  }
  if (eval_is(op, "tensor.concat")) {
    kidx_t sum = eval_extent(e, ir_operand(op, 0), d);
    for (size_t i = 1; d == (size_t)ir_op_int(op, "dim", 0) && i < op->n_operands; ++i) {
      sum = kidx_add(&e->k, sum, eval_extent(e, ir_operand(op, i), d));
    }
    return sum;
  }
  if (strncmp(ir_op_name(op), "linalg.", 7) == 0) {
    ir_group_t outputs = ir_operand_group(op, "outputs");
    size_t i =
        outputs.n ? outputs.first + tensor->index : op->n_operands - op->n_results + tensor->index;
    return eval_extent(e, ir_operand(op, i), d);
  }
  if (eval_is_elementwise(op)) return eval_extent(e, ir_operand(op, op->n_operands - 1), d);
  eval_fail(e, op, "has a dynamic extent that is not known here");
  return kidx_const(1);
}

//===-- shape ops ----------------------------------------------------------------------------------

kval_t eval_extract_slice(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  size_t source_dims[KERNEL_MAX_RANK],
      kept = eval_slice_dims(op, ir_result(op, 0)->type, source_dims), next = 0;
  size_t source_rank = ir_type_rank(ir_operand(op, 0)->type);
  kidx_t at[KERNEL_MAX_RANK];
  if (kept != rank) return eval_fail(e, op, "drops dimensions in a way that is not clear");
  for (size_t d = 0; d < source_rank; ++d) {
    at[d] = eval_mixed(e, op, "offsets", "static_offsets", d);
    if (next < kept && source_dims[next] == d) {
      kidx_t stride = eval_mixed(e, op, "strides", "static_strides", d);
      at[d] = kidx_add(&e->k, at[d], kidx_mul(&e->k, idx[next++], stride));
    }
  }
  return eval_tensor(e, ir_operand(op, 0), at, source_rank);
}

// Adds "|idx| in [lo, hi)" to |condition|; nothing if it always holds.
static ir_value_t *in_range(eval_t *e, ir_value_t *condition, kidx_t idx, kidx_t lo, kidx_t hi,
                            kidx_t extent) {
  kernel_t *k = &e->k;
  ir_value_t *value = NULL;
  bool starts_at_zero = kidx_is_const(lo) && lo.add <= 0;
  bool ends_at_end = kidx_equal(hi, extent);
  for (int side = 0; side < 2; ++side) {
    if (side ? ends_at_end : starts_at_zero) continue;
    if (!value) value = kidx_get(k, idx);
    ir_value_t *bound = kidx_scalar(k, side ? hi : lo);
    ir_value_t *test = kernel_compare(k, side ? 2 : 5, value, bound);
    condition = condition ? kernel_op2(k, OP_ARITH_ANDI, condition, test) : test;
  }
  return condition;
}

// |idx| moved into [0, extent) so that reading there is harmless.
static kidx_t clamp(eval_t *e, kidx_t idx, kidx_t extent) {
  kernel_t *k = &e->k;
  kidx_t last = kidx_add(k, extent, kidx_const(-1));
  return kidx_binary(k, OP_ARITH_MINSI, kidx_binary(k, OP_ARITH_MAXSI, idx, kidx_const(0)), last);
}

static bool is_empty_extent(eval_t *e, ir_value_t *tensor) {
  (void)e;
  for (size_t d = 0; d < ir_type_rank(tensor->type); ++d) {
    if (ir_type_dim(tensor->type, d) == 0) return true;
  }
  return false;
}

kval_t eval_choose(eval_t *e, ir_value_t *condition, kval_t a, kval_t b) {
  if (!condition) return a;
  ir_value_t *x = kval_get(&e->k, a), *y = kval_get(&e->k, b);
  if (!kernel_ok(&e->k)) return eval_failed(e);
  kval_t out = kval(kernel_select(&e->k, condition, x, y));
  if (a.imag) out.imag = kernel_select(&e->k, condition, a.imag, b.imag);
  return out;
}

kval_t eval_insert_slice(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_value_t *source = ir_operand(op, 0), *dest = ir_operand(op, 1);
  size_t source_dims[KERNEL_MAX_RANK], kept = eval_slice_dims(op, source->type, source_dims),
                                       next = 0;
  kidx_t at[KERNEL_MAX_RANK];
  ir_value_t *condition = NULL;
  if (is_empty_extent(e, source)) return eval_tensor(e, dest, idx, rank);
  for (size_t d = 0; d < rank; ++d) {
    kidx_t lo = eval_mixed(e, op, "offsets", "static_offsets", d);
    kidx_t size = eval_mixed(e, op, "sizes", "static_sizes", d);
    kidx_t stride = eval_mixed(e, op, "strides", "static_strides", d);
    if (!kidx_is_const(stride) || stride.add != 1) return eval_fail(e, op, "inserts with a stride");
    kidx_t hi = kidx_add(k, lo, size);
    condition = in_range(e, condition, idx[d], lo, hi, eval_extent(e, dest, d));
    if (next < kept && source_dims[next] == d) {
      kidx_t inside = kidx_sub(k, idx[d], lo);
      kidx_t extent = eval_extent(e, source, next);
      bool whole = kidx_is_const(lo) && lo.add == 0 && kidx_equal(hi, eval_extent(e, dest, d));
      at[next++] = whole ? inside : clamp(e, inside, extent);
    }
  }
  if (next != ir_type_rank(source->type))
    return eval_fail(e, op, "drops dimensions in a way that is not clear");
  kval_t inner = eval_tensor(e, source, at, next);
  if (!condition || eval_is(ir_def(dest), "tensor.empty")) return inner;
  return eval_choose(e, condition, inner, eval_tensor(e, dest, idx, rank));
}

kval_t eval_pad(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_value_t *source = ir_operand(op, 0);
  kidx_t at[KERNEL_MAX_RANK];
  ir_value_t *condition = NULL;
  kval_t outside, args[KERNEL_MAX_RANK];
  for (size_t d = 0; d < rank; ++d) args[d] = (kval_t){.index = idx[d]};
  eval_body(e, ir_body(op), args, NULL, 0, &outside, 1);
  if (is_empty_extent(e, source)) return outside;
  for (size_t d = 0; d < rank; ++d) {
    kidx_t lo = eval_mixed(e, op, "low", "static_low", d),
           high = eval_mixed(e, op, "high", "static_high", d);
    kidx_t extent = eval_extent(e, source, d);
    at[d] = kidx_sub(k, idx[d], lo);
    bool no_low = kidx_is_const(lo) && lo.add == 0, no_high = kidx_is_const(high) && high.add == 0;
    if (no_low && no_high) continue;
    kidx_t hi = kidx_add(k, lo, extent), whole = kidx_add(k, hi, high);
    condition = in_range(e, condition, idx[d], lo, hi, no_high ? hi : whole);
    at[d] = clamp(e, at[d], extent);
  }
  return eval_choose(e, condition, eval_tensor(e, source, at, rank), outside);
}

kval_t eval_concat(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  size_t dim = (size_t)ir_op_int(op, "dim", 0);
  kidx_t at[KERNEL_MAX_RANK], start = kidx_const(0);
  memcpy(at, idx, rank * sizeof(*at));
  kval_t value = {0};
  bool is_first = true;
  for (size_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *input = ir_operand(op, i);
    if (is_empty_extent(e, input)) continue;
    kidx_t extent = eval_extent(e, input, dim);
    at[dim] = clamp(e, kidx_sub(k, idx[dim], start), extent);
    kval_t part = eval_tensor(e, input, at, rank);
    if (is_first) {
      value = part;
    } else {
      ir_value_t *behind = kernel_compare(k, 5, kidx_get(k, idx[dim]), kidx_scalar(k, start));
      value = eval_choose(e, behind, part, value);
    }
    is_first = false;
    start = kidx_add(k, start, extent);
  }
  return is_first ? eval_fail(e, op, "has no elements") : value;
}

kval_t eval_collapse(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_value_t *source = ir_operand(op, 0);
  ir_attr_t groups = ir_op_attr(op, "reassociation");
  kidx_t at[KERNEL_MAX_RANK];
  size_t source_rank = ir_type_rank(source->type);
  for (size_t d = 0; d < source_rank; ++d) at[d] = kidx_const(0);
  for (size_t d = 0; d < rank; ++d) {
    ir_attr_t group = ir_kid(groups, d);
    kidx_t rest = idx[d];
    for (size_t i = group->n_kids; i-- > 0;) {
      size_t s = (size_t)ir_int(ir_kid(group, i), 0);
      kidx_t extent = eval_extent(e, source, s);
      if (kidx_is_const(extent) && extent.add == 1) continue;
      bool is_outermost = true;
      for (size_t j = 0; j < i; ++j) {
        kidx_t outer = eval_extent(e, source, (size_t)ir_int(ir_kid(group, j), 0));
        is_outermost &= kidx_is_const(outer) && outer.add == 1;
      }
      if (is_outermost) {
        at[s] = rest;
        break;
      }
      kidx_t q = kidx_binary(k, OP_ARITH_DIVSI, rest, extent);
      at[s] = kidx_sub(k, rest, kidx_mul(k, q, extent));
      rest = q;
    }
  }
  return eval_tensor(e, source, at, source_rank);
}

kval_t eval_expand(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)rank;
  kernel_t *k = &e->k;
  ir_value_t *source = ir_operand(op, 0), *expanded = ir_result(op, result);
  ir_attr_t groups = ir_op_attr(op, "reassociation");
  kidx_t at[KERNEL_MAX_RANK];
  size_t source_rank = ir_type_rank(source->type);
  for (size_t s = 0; s < source_rank; ++s) {
    ir_attr_t group = ir_kid(groups, s);
    at[s] = kidx_const(0);
    for (size_t i = 0; i < group->n_kids; ++i) {
      size_t d = (size_t)ir_int(ir_kid(group, i), 0);
      at[s] = kidx_add(k, kidx_mul(k, at[s], eval_extent(e, expanded, d)), idx[d]);
    }
  }
  return eval_tensor(e, source, at, source_rank);
}

kval_t eval_pass(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  return eval_tensor(e, ir_operand(op, 0), idx, rank);
}

kval_t eval_splat(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result, (void)idx, (void)rank;
  return eval_scalar(e, ir_operand(op, 0));
}

kval_t eval_from_elements(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  kidx_t at = eval_linearize(e, ir_result(op, result), idx, rank);
  if (kidx_is_const(at) && at.add >= 0 && (size_t)at.add < op->n_operands) {
    return eval_scalar(e, ir_operand(op, (size_t)at.add));
  }
  ir_value_t *position = kidx_get(&e->k, at);
  kval_t value = eval_scalar(e, ir_operand(op, 0));
  for (size_t i = 1; i < op->n_operands; ++i) {
    ir_value_t *is_here =
        kernel_compare(&e->k, 0, position, kernel_index_constant(&e->k, (int64_t)i));
    value = eval_choose(e, is_here, eval_scalar(e, ir_operand(op, i)), value);
  }
  return value;
}

kval_t eval_generate(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kval_t args[KERNEL_MAX_RANK], out;
  for (size_t d = 0; d < rank; ++d) args[d] = (kval_t){.index = idx[d]};
  eval_body(e, ir_body(op), args, NULL, 0, &out, 1);
  return out;
}

kval_t eval_insert(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_value_t *condition = NULL;
  for (size_t d = 0; d < rank; ++d) {
    ir_value_t *at = kidx_scalar(k, kval_index(k, eval_scalar(e, ir_operand(op, 2 + d))));
    ir_value_t *test = kernel_compare(k, 0, kidx_get(k, idx[d]), at);
    condition = condition ? kernel_op2(k, OP_ARITH_ANDI, condition, test) : test;
  }
  return eval_choose(e, condition, eval_scalar(e, ir_operand(op, 0)),
                     eval_tensor(e, ir_operand(op, 1), idx, rank));
}

kval_t eval_undefined(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)idx, (void)rank;
  kernel_t *k = &e->k;
  ir_type_t element = ir_type_element(ir_result(op, result)->type);
  if (ir_is(element, IR_T_INDEX)) return (kval_t){.index = kidx_const(0)};
  if (ir_is(element, IR_T_COMPLEX)) {
    ir_value_t *zero =
        kernel_constant(k, eval_scalar_attr(k->ctx, ir_kid(element, 0), 0), ir_kid(element, 0));
    return (kval_t){.value = zero, .imag = zero};
  }
  return kval(kernel_constant(k, eval_scalar_attr(k->ctx, element, 0), element));
}

// arith and math on tensors of one shape.
kval_t eval_elementwise(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  kval_t operands[8];
  if (op->n_operands > 8) return eval_fail(e, op, "has too many operands");
  for (size_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *operand = ir_operand(op, i);
    operands[i] = ir_is(operand->type, IR_T_TENSOR) ? eval_tensor(e, operand, idx, rank)
                                                    : eval_scalar(e, operand);
  }
  return eval_elementwise_op(e, op, operands, result);
}
