// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/flow/shapes.h"

#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"

ir_value_t *build_index(ir_builder_t *b, int64_t value) {
  return ir_build_attr(b, OP_ARITH_CONSTANT, ir_type_index(b->ctx), "value", ir_attr_index(b->ctx, value), NULL, NULL);
}

static bool rank_fits(ir_type_t type) { return !ir_type_is_shaped(type) || ir_type_rank(type) <= SHAPE_MAX_RANK; }
iree_status_t shape_check_rank(const ir_op_t *op) {
  bool fits = true;
  for (uint32_t i = 0; i < op->n_operands; ++i) fits = fits && rank_fits(ir_operand(op, i)->type);
  for (uint32_t i = 0; i < op->n_results; ++i) fits = fits && rank_fits(ir_result(op, i)->type);
  return fits ? iree_ok_status() : ir_op_error(op, "has a tensor of more than %d dimensions; merge some of them", SHAPE_MAX_RANK);
}

// Position of dynamic extent |i| among the dynamic extents of |type|.
static uint32_t dynamic_position(ir_type_t type, size_t i) {
  uint32_t n = 0;
  for (size_t d = 0; d < i; ++d) n += ir_type_dim(type, d) == IR_DYNAMIC;
  return n;
}

// Entry |i| of a mixed list: an operand of |group| or a constant of |statics|.
static ir_value_t *mixed(ir_builder_t *b, const ir_op_t *op, const char *group, const char *statics, size_t i) {
  ir_attr_t list = ir_op_attr(op, statics);
  if (ir_int(list, i) != IR_DYNAMIC) return build_index(b, ir_int(list, i));
  uint32_t k = ir_operand_group(op, group).first;
  for (size_t d = 0; d < i; ++d) k += ir_int(list, d) == IR_DYNAMIC;
  return ir_operand(op, k);
}

// Extent |i| of the result of extract_slice, whose rank may be smaller than the source's: unit sizes
// that the type lacks are skipped from the left.
static ir_value_t *slice_dim(ir_builder_t *b, const ir_op_t *op, size_t i) {
  ir_attr_t sizes = ir_op_attr(op, "static_sizes");
  ir_type_t type = ir_result(op, 0)->type;
  size_t dropped = sizes->n_ints - ir_type_rank(type), d = 0;
  for (size_t s = 0; s < sizes->n_ints; ++s) {
    bool unit = ir_int(sizes, s) == 1 && (d >= ir_type_rank(type) || ir_type_dim(type, d) != 1);
    if (dropped && unit) {
      --dropped;
      continue;
    }
    if (d++ == i) return mixed(b, op, "sizes", "static_sizes", s);
  }
  return NULL;
}

static iree_status_t collapsed_dim(ir_builder_t *b, ir_op_t *op, size_t i, ir_value_t **out) {
  ir_attr_t group = ir_kid(ir_op_attr(op, "reassociation"), i);
  ir_value_t *product = NULL;
  for (uint32_t k = 0; k < group->n_kids; ++k) {
    ir_value_t *dim;
    IREE_RETURN_IF_ERROR(shape_dim(b, ir_operand(op, 0), (size_t)ir_int(ir_kid(group, k), 0), &dim));
    product = product ? ir_build1(b, OP_ARITH_MULI, ir_type_index(b->ctx), product, dim, NULL) : dim;
  }
  *out = product;
  return iree_ok_status();
}
static iree_status_t padded_dim(ir_builder_t *b, ir_op_t *op, size_t i, ir_value_t **out) {
  ir_value_t *dim;
  ir_type_t index = ir_type_index(b->ctx);
  IREE_RETURN_IF_ERROR(shape_dim(b, ir_operand(op, 0), i, &dim));
  dim = ir_build1(b, OP_ARITH_ADDI, index, dim, mixed(b, op, "low", "static_low", i), NULL);
  *out = ir_build1(b, OP_ARITH_ADDI, index, dim, mixed(b, op, "high", "static_high", i), NULL);
  return iree_ok_status();
}
static iree_status_t concatenated_dim(ir_builder_t *b, ir_op_t *op, size_t i, ir_value_t **out) {
  if ((int64_t)i != ir_op_int(op, "dim", 0)) return shape_dim(b, ir_operand(op, 0), i, out);
  ir_value_t *sum = NULL;
  for (uint32_t k = 0; k < op->n_operands; ++k) {
    ir_value_t *dim;
    IREE_RETURN_IF_ERROR(shape_dim(b, ir_operand(op, k), i, &dim));
    sum = sum ? ir_build1(b, OP_ARITH_ADDI, ir_type_index(b->ctx), sum, dim, NULL) : dim;
  }
  *out = sum;
  return iree_ok_status();
}

static ir_value_t *from_group(const ir_op_t *op, const char *group, ir_type_t type, size_t i) {
  ir_group_t g = ir_operand_group(op, group);
  uint32_t k = dynamic_position(type, i);
  return k < g.n ? ir_operand(op, g.first + k) : NULL;
}
// Result dims of ops with several results follow one another.
static ir_value_t *from_result_dims(const ir_op_t *op, const ir_value_t *v, size_t i) {
  ir_group_t g = ir_operand_group(op, "result_dims");
  uint32_t k = dynamic_position(v->type, i);
  for (uint32_t r = 0; r < v->index; ++r)
    if (ir_is(ir_result(op, r)->type, IR_T_TENSOR)) k += (uint32_t)ir_type_n_dynamic(ir_result(op, r)->type);
  return k < g.n ? ir_operand(op, g.first + k) : NULL;
}

static iree_status_t result_dim(ir_builder_t *b, ir_op_t *op, ir_value_t *v, size_t i, ir_value_t **out) {
  if (linalg_is_structured(op)) return shape_dim(b, ir_operand(op, linalg_outputs(op).first + v->index), i, out);
  switch ((op_kind_t)op->kind) {
    case OP_LEXT_SORT:
    case OP_LEXT_SCAN:
    case OP_LEXT_SCATTER:
    case OP_LEXT_TOPK:
    case OP_LEXT_FFT: return shape_dim(b, ir_operand(op, op->n_operands - op->n_results + v->index), i, out);
    case OP_TENSOR_EMPTY: *out = ir_operand(op, dynamic_position(v->type, i)); break;
    case OP_TENSOR_SPLAT: *out = ir_operand(op, 1 + dynamic_position(v->type, i)); break;
    case OP_TENSOR_GENERATE: *out = ir_operand(op, dynamic_position(v->type, i)); break;
    case OP_TENSOR_EXPAND_SHAPE: *out = ir_operand(op, 1 + dynamic_position(v->type, i)); break;
    case OP_TENSOR_COLLAPSE_SHAPE: return collapsed_dim(b, op, i, out);
    case OP_TENSOR_PAD: return padded_dim(b, op, i, out);
    case OP_TENSOR_CONCAT: return concatenated_dim(b, op, i, out);
    case OP_TENSOR_EXTRACT_SLICE: *out = slice_dim(b, op, i); break;
    case OP_TENSOR_INSERT_SLICE:
    case OP_TENSOR_INSERT: return shape_dim(b, ir_operand(op, 1), i, out);
    case OP_TENSOR_CAST:
    case OP_TENSOR_BITCAST:
    case OP_UTIL_OPTIMIZATION_BARRIER:
    case OP_TEXT_BARRIER_START:
    case OP_TEXT_BARRIER_END:
    case OP_FLOW_TENSOR_CLONE:
    case OP_FLOW_TENSOR_TRANSFER:
    case OP_FLOW_TENSOR_BARRIER: return shape_dim(b, ir_operand(op, v->index < op->n_operands ? v->index : 0), i, out);
    case OP_FLOW_TENSOR_STORE: return shape_dim(b, ir_operand(op, 1), i, out);
    case OP_FLOW_TENSOR_TIE_SHAPE: *out = from_group(op, "dynamic_dims", v->type, i); break;
    case OP_FLOW_TENSOR_UPDATE: *out = from_group(op, "target_dims", v->type, i); break;
    case OP_HAL_TENSOR_IMPORT: *out = from_group(op, "target_dims", v->type, i); break;
    case OP_HAL_TENSOR_ALIAS: return shape_dim(b, ir_operand(op, 0), i, out);
    case OP_HAL_TENSOR_BARRIER: return shape_dim(b, ir_operand(op, v->index), i, out);
    default: *out = from_result_dims(op, v, i); break;
  }
  return iree_ok_status();
}

iree_status_t shape_dim(ir_builder_t *b, ir_value_t *v, size_t i, ir_value_t **out) {
  *out = NULL;
  int64_t dim = ir_type_dim(v->type, i);
  if (dim != IR_DYNAMIC) {
    *out = build_index(b, dim);
    return iree_ok_status();
  }
  ir_op_t *op = ir_def(v);
  if (op) IREE_RETURN_IF_ERROR(result_dim(b, op, v, i, out));
  if (*out) return iree_ok_status();
  ir_op_t *at = op ? op : v->block->region->op;
  return ir_op_error(at, "makes a tensor whose extent %zu is known at run time only and cannot be traced; use a static shape", i);
}

iree_status_t shape_dynamic_dims(ir_builder_t *b, ir_value_t *value, ir_value_t **out_dims) {
  size_t n = 0;
  for (size_t i = 0; i < ir_type_rank(value->type); ++i)
    if (ir_type_dim(value->type, i) == IR_DYNAMIC) IREE_RETURN_IF_ERROR(shape_dim(b, value, i, &out_dims[n++]));
  return iree_ok_status();
}
