// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that move elements without computing on them.
#include <string.h>

#include "compiler/input/lower.h"

static ir_type_t result_type(lowering_t *l, const ir_op_t *op) {
  return low_type(l->ctx, ir_result(op, 0)->type);
}

iree_status_t input_lower_iota(lowering_t *l, ir_op_t *op) {
  ir_type_t type = result_type(l, op), semantic = ir_type_element(ir_result(op, 0)->type);
  int64_t dim = ir_op_int(op, "iota_dimension", -1);
  if (dim < 0 || dim >= (int64_t)ir_type_rank(type))
    return ir_op_error(op, "has no dimension %lld", (long long)dim);
  sizes_t sizes = {.at = {0}};
  if (op->kind == OP_HLO_DYNAMIC_IOTA)
    sizes = low_sizes_from_shape(l, op, type, lowered_operand(l, op, 0),
                                 ir_type_element(ir_operand(op, 0)->type));
  pointwise_t p = low_pointwise_begin(l, type, &sizes, NULL, 0);
  ir_value_t *v = low_loop_index(&p.b, (size_t)dim);
  ir_type_t element = ir_type_element(type);
  if (ir_is(element, IR_T_INTEGER)) {
    v = low_from_index(&p.b, v, element);
  } else {
    ir_type_t i64 = ir_type_i(l->ctx, 64);
    v = low_convert(&p.b, low_from_index(&p.b, v, i64), i64, semantic);
  }
  return input_lower_result(l, op, low_pointwise_end(l, &p, v));
}

// ---- broadcast: unit dimensions that grow are dropped, the rest is an indexing map
// |dims[i]| is where operand dimension i goes; |grows[i]| that it has extent 1 and is repeated.
static ir_value_t *broadcast(lowering_t *l, ir_value_t *v, ir_type_t type, const sizes_t *sizes,
                             const int64_t *dims, const bool *grows) {
  size_t rank = ir_type_rank(v->type), n = 0;
  int64_t kept_dims[HLO_MAX_RANK];
  ir_expr_t exprs[HLO_MAX_RANK];
  sizes_t kept_sizes = {.at = {0}};
  bool drops = false;
  for (size_t i = 0; i < rank; ++i) {
    if (grows[i]) {
      drops = true;
      continue;
    }
    kept_dims[n] = ir_type_dim(v->type, i);
    if (kept_dims[n] == IR_DYNAMIC) kept_sizes.at[n] = low_dim_value(l, v, i);
    exprs[n++] = ir_expr_dim(l->ctx, (size_t)dims[i]);
  }
  if (drops)
    v = low_reshape(l, v, ir_type_tensor(l->ctx, kept_dims, n, ir_type_element(v->type), NULL),
                    &kept_sizes);
  ir_attr_t maps[2] = {ir_attr_map(l->ctx, ir_type_rank(type), 0, exprs, n),
                       ir_attr_identity_map(l->ctx, ir_type_rank(type))};
  ir_value_t *out = low_empty(l, type, sizes);
  ir_op_t *generic = linalg_build_generic(&l->b, &v, 1, &out, 1, maps, NULL, ir_type_rank(type));
  linalg_build_yield(l->ctx, generic, &ir_body(generic)->args[0], 1, l->b.loc);
  return ir_result(generic, 0);
}
// As broadcast, where it shows at run time only whether a dimension grows.
static ir_value_t *broadcast_checked(lowering_t *l, ir_value_t *v, ir_type_t type,
                                     const sizes_t *sizes, const int64_t *dims) {
  size_t rank = ir_type_rank(v->type);
  ir_value_t *is_unit[HLO_MAX_RANK], *zero = low_index(&l->b, 0), *one = low_index(&l->b, 1);
  for (size_t i = 0; i < rank; ++i) is_unit[i] = low_cmpi(&l->b, "eq", low_dim_value(l, v, i), one);
  pointwise_t p = low_pointwise_begin(l, type, sizes, NULL, 0);
  ir_value_t *at[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i)
    at[i] = low_select(&p.b, is_unit[i], zero, low_loop_index(&p.b, (size_t)dims[i]));
  return low_pointwise_end(l, &p, low_extract(&p.b, v, at, rank));
}
// Fails at run time unless dimension |i| is 1 or as long as dimension |to| of the result.
static void check_growth(lowering_t *l, ir_value_t *v, size_t i, ir_type_t type,
                         const sizes_t *sizes, size_t to) {
  int64_t from = ir_type_dim(v->type, i), want = ir_type_dim(type, to);
  if (from == 1 || (from != IR_DYNAMIC && want != IR_DYNAMIC)) return;
  ir_value_t *own = low_dim_value(l, v, i),
             *extent = want == IR_DYNAMIC ? sizes->at[to] : low_index(&l->b, want);
  ir_value_t *fits = low_cmpi(&l->b, "eq", own, extent);
  if (from == IR_DYNAMIC) {
    ir_value_t *grows = low_cmpi(&l->b, "eq", own, low_index(&l->b, 1));
    fits = low_op2(&l->b, OP_ARITH_ORI, fits, grows);
  }
  low_require(l, fits, "dynamic_broadcast_in_dim: an extent is neither 1 nor that of the result");
}
iree_status_t input_lower_broadcast_in_dim(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = result_type(l, op);
  hlo_dims_t dims = hlo_dims(op, "broadcast_dimensions", 0, 0);
  hlo_dims_t expanding = hlo_dims(op, "known_expanding_dimensions", 0, 0),
             fixed = hlo_dims(op, "known_nonexpanding_dimensions", 0, 0);
  bool grows[HLO_MAX_RANK] = {false}, unsure = false, identity = dims.n == ir_type_rank(type);
  ir_value_t *scalar = low_splat_of(l, v);
  if (scalar && ir_type_is_static(type)) {
    ir_attr_t splat = ir_dense_splat(l->ctx, type, ir_constant_of(scalar));
    if (splat) return input_lower_result(l, op, ir_build_constant(&l->b, type, splat));
  }
  sizes_t sizes = {.at = {0}};
  if (op->kind == OP_HLO_DYNAMIC_BROADCAST_IN_DIM) {
    sizes = low_sizes_from_shape(l, op, type, lowered_operand(l, op, 1),
                                 ir_type_element(ir_operand(op, 1)->type));
  } else {
    for (size_t i = 0; i < dims.n; ++i)
      if (ir_type_dim(type, (size_t)dims.at[i]) == IR_DYNAMIC)
        sizes.at[dims.at[i]] = low_dim_value(l, v, i);
  }
  if (op->kind == OP_HLO_DYNAMIC_BROADCAST_IN_DIM)
    for (size_t i = 0; i < dims.n; ++i) check_growth(l, v, i, type, &sizes, (size_t)dims.at[i]);
  if (scalar) return input_lower_result(l, op, low_filled(l, type, &sizes, scalar));
  for (size_t i = 0; i < dims.n; ++i) {
    int64_t from = ir_type_dim(v->type, i), to = ir_type_dim(type, (size_t)dims.at[i]);
    grows[i] = from == 1 && to != 1;
    identity = identity && !grows[i] && dims.at[i] == (int64_t)i;
    if (from != IR_DYNAMIC || op->kind == OP_HLO_BROADCAST_IN_DIM) continue;
    if (hlo_has(&expanding, (int64_t)i))
      grows[i] = true;
    else if (!hlo_has(&fixed, (int64_t)i))
      unsure = true;
  }
  if (unsure) return input_lower_result(l, op, broadcast_checked(l, v, type, &sizes, dims.at));
  if (identity) return input_lower_result(l, op, low_tensor_cast(l, v, type));
  return input_lower_result(l, op, broadcast(l, v, type, &sizes, dims.at, grows));
}
iree_status_t input_lower_broadcast(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = result_type(l, op);
  size_t rank = ir_type_rank(v->type), leading = ir_type_rank(type) - rank;
  int64_t dims[HLO_MAX_RANK];
  bool grows[HLO_MAX_RANK] = {false};
  if (ir_type_rank(type) < rank) return ir_op_error(op, "cannot lower the rank");
  sizes_t sizes = {.at = {0}};
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = (int64_t)(i + leading);
    if (ir_type_dim(type, i + leading) == IR_DYNAMIC)
      sizes.at[i + leading] = low_dim_value(l, v, i);
  }
  return input_lower_result(l, op, broadcast(l, v, type, &sizes, dims, grows));
}

iree_status_t input_lower_reshape(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = result_type(l, op);
  sizes_t sizes = {.at = {0}};
  if (op->kind == OP_HLO_DYNAMIC_RESHAPE) {
    sizes = low_sizes_from_shape(l, op, type, lowered_operand(l, op, 1),
                                 ir_type_element(ir_operand(op, 1)->type));
  } else if (!ir_type_is_static(type)) {
    // One extent that the others leave.
    if (ir_type_n_dynamic(type) > 1)
      return ir_op_error(op, "cannot tell several dynamic extents from the operand's");
    ir_value_t *total = low_index(&l->b, 1);
    int64_t known = 1;
    for (size_t i = 0; i < ir_type_rank(v->type); ++i)
      total = low_op2(&l->b, OP_ARITH_MULI, total, low_dim_value(l, v, i));
    for (size_t i = 0; i < ir_type_rank(type); ++i)
      if (ir_type_dim(type, i) != IR_DYNAMIC) known *= ir_type_dim(type, i);
    for (size_t i = 0; i < ir_type_rank(type); ++i)
      if (ir_type_dim(type, i) == IR_DYNAMIC)
        sizes.at[i] = low_op2(&l->b, OP_ARITH_DIVUI, total, low_index(&l->b, known ? known : 1));
  }
  low_check_count(l, op, v, type, &sizes);
  return input_lower_result(l, op, low_reshape(l, v, type, &sizes));
}
iree_status_t input_lower_transpose(lowering_t *l, ir_op_t *op) {
  hlo_dims_t dims = hlo_dims(op, "permutation", 0, 0);
  return input_lower_result(l, op, low_transposed(l, lowered_operand(l, op, 0), dims.at));
}
iree_status_t input_lower_slice(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = result_type(l, op);
  size_t rank = ir_type_rank(type);
  hlo_dims_t start = hlo_dims(op, "start_indices", 0, 0),
             limit = hlo_dims(op, "limit_indices", 0, 0), stride = hlo_dims(op, "strides", 0, 0);
  slice_spec_t s = {.offsets = {0}};
  int64_t dims[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) {
    s.offsets[i] = start.at[i], s.strides[i] = stride.at[i];
    low_check_fits(l, op, low_index(&l->b, limit.at[i]), v, i);
    dims[i] = s.sizes[i] = (limit.at[i] - start.at[i] + stride.at[i] - 1) / stride.at[i];
  }
  ir_type_t exact = ir_type_tensor(l->ctx, dims, rank, ir_type_element(type), NULL);
  return input_lower_result(l, op, exact == v->type ? v : low_extract_slice(l, v, &s, exact));
}
iree_status_t input_lower_concatenate(lowering_t *l, ir_op_t *op) {
  ir_type_t type = result_type(l, op);
  size_t dim = (size_t)ir_op_int(op, "dimension", 0), rank = ir_type_rank(type);
  sizes_t sizes = {.at = {0}};
  ir_value_t *first = lowered_operand(l, op, 0);
  if (op->n_operands == 1) return input_lower_result(l, op, first);
  for (size_t i = 0; i < rank; ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC && i != dim) sizes.at[i] = low_dim_value(l, first, i);
  if (ir_type_dim(type, dim) == IR_DYNAMIC) {
    sizes.at[dim] = low_dim_value(l, first, dim);
    for (uint32_t k = 1; k < op->n_operands; ++k)
      sizes.at[dim] = low_op2(&l->b, OP_ARITH_ADDI, sizes.at[dim],
                              low_dim_value(l, lowered_operand(l, op, k), dim));
  }
  // Small shapes are put together from scalars: they are sizes, and stay on the host.
  if (rank == 1 && ir_type_is_static(type) && ir_type_n_elements(type) <= 8 &&
      ir_is(ir_type_element(type), IR_T_INTEGER)) {
    ir_value_t *elements[8];
    size_t n = 0;
    bool shape = true;
    for (uint32_t k = 0; k < op->n_operands; ++k) {
      ir_value_t *v = lowered_operand(l, op, k);
      ir_op_t *def = ir_def(v);
      shape = shape && def &&
              (def->kind == OP_TENSOR_FROM_ELEMENTS || ir_op_has_trait(def, IR_CONSTANT) ||
               def->kind == OP_TENSOR_EXPAND_SHAPE);
    }
    for (uint32_t k = 0; shape && k < op->n_operands; ++k) {
      ir_value_t *v = lowered_operand(l, op, k);
      for (int64_t i = 0; i < ir_type_dim(v->type, 0); ++i) {
        ir_value_t *at = low_index(&l->b, i);
        elements[n++] = ir_value_is(v, OP_TENSOR_EXPAND_SHAPE)
                            ? low_extract(&l->b, ir_operand(ir_def(v), 0), NULL, 0)
                            : low_extract(&l->b, v, &at, 1);
      }
    }
    if (shape && n)
      return input_lower_result(
          l, op,
          ir_result(ir_build(&l->b, &(ir_op_desc_t){.kind = OP_TENSOR_FROM_ELEMENTS,
                                                    .operands = elements,
                                                    .n_operands = n,
                                                    .results = &type,
                                                    .n_results = 1}),
                    0));
  }
  ir_value_t *out = low_empty(l, type, &sizes), *offset = NULL;
  int64_t at = 0;
  for (uint32_t k = 0; k < op->n_operands; ++k) {
    ir_value_t *v = lowered_operand(l, op, k);
    slice_spec_t s = {.offsets = {0}};
    for (size_t i = 0; i < rank; ++i) {
      s.strides[i] = 1;
      s.sizes[i] = ir_type_dim(v->type, i);
      if (s.sizes[i] == IR_DYNAMIC) s.size_values[i] = low_dim_value(l, v, i);
    }
    for (size_t i = 0; i < rank; ++i)
      if (i != dim) low_check_extents(l, op, first, i, v, i);
    s.offsets[dim] = at;
    s.offset_values[dim] = offset;
    bool empty = ir_type_is_static(v->type) && !ir_type_n_elements(v->type);
    if (!empty) out = low_insert_slice(l, v, out, &s);
    if (k + 1 == op->n_operands) break;
    if (!offset && s.sizes[dim] != IR_DYNAMIC)
      at += s.sizes[dim];
    else
      offset = low_op2(&l->b, OP_ARITH_ADDI, offset ? offset : low_index(&l->b, at),
                       low_dim_value(l, v, dim));
  }
  return input_lower_result(l, op, out);
}
iree_status_t input_lower_pad(lowering_t *l, ir_op_t *op) {
  hlo_dims_t low = hlo_dims(op, "edge_padding_low", 0, 0),
             high = hlo_dims(op, "edge_padding_high", 0, 0),
             interior = hlo_dims(op, "interior_padding", 0, 0);
  ir_value_t *v = lowered_operand(l, op, 0);
  return input_lower_result(
      l, op,
      low_pad(l, v, low_scalar_of(l, lowered_operand(l, op, 1)), low.at, high.at, interior.at));
}
iree_status_t input_lower_reverse(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0), *at[HLO_MAX_RANK], *last[HLO_MAX_RANK] = {0};
  hlo_dims_t dims = hlo_dims(op, "dimensions", 0, 0);
  size_t rank = ir_type_rank(v->type);
  sizes_t sizes = low_sizes_like(l, v->type, v);
  for (size_t i = 0; i < dims.n; ++i)
    last[dims.at[i]] =
        low_op2(&l->b, OP_ARITH_SUBI, low_dim_value(l, v, (size_t)dims.at[i]), low_index(&l->b, 1));
  pointwise_t p = low_pointwise_begin(l, v->type, &sizes, NULL, 0);
  for (size_t i = 0; i < rank; ++i) {
    at[i] = low_loop_index(&p.b, i);
    if (last[i]) at[i] = low_op2(&p.b, OP_ARITH_SUBI, last[i], at[i]);
  }
  return input_lower_result(l, op, low_pointwise_end(l, &p, low_extract(&p.b, v, at, rank)));
}

// ---- slices at run-time indices, clamped so that the box stays inside
static ir_value_t *clamped_start(lowering_t *l, ir_op_t *op, uint32_t operand, ir_value_t *whole,
                                 size_t dim, ir_value_t *size) {
  low_check_fits(l, op, size, whole, dim);
  ir_value_t *at = low_to_index(&l->b, low_scalar_of(l, lowered_operand(l, op, operand)),
                                ir_type_element(ir_operand(op, operand)->type));
  ir_value_t *most = low_op2(&l->b, OP_ARITH_SUBI, low_dim_value(l, whole, dim), size);
  at = low_op2(&l->b, OP_ARITH_MAXSI, at, low_index(&l->b, 0));
  return low_op2(&l->b, OP_ARITH_MINSI, at, most);
}
iree_status_t input_lower_dynamic_slice(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = result_type(l, op);
  hlo_dims_t sizes = hlo_dims(op, "slice_sizes", 0, 0);
  slice_spec_t s = {.offsets = {0}};
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    s.sizes[i] = sizes.at[i], s.strides[i] = 1;
    if (ir_type_dim(v->type, i) != sizes.at[i])
      s.offset_values[i] =
          clamped_start(l, op, (uint32_t)i + 1, v, i, low_index(&l->b, sizes.at[i]));
  }
  ir_type_t exact = ir_type_tensor(l->ctx, sizes.at, sizes.n, ir_type_element(type), NULL);
  return input_lower_result(l, op, exact == v->type ? v : low_extract_slice(l, v, &s, exact));
}
iree_status_t input_lower_dynamic_update_slice(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0), *update = lowered_operand(l, op, 1);
  slice_spec_t s = {.offsets = {0}};
  if (ir_type_is_static(update->type) && !ir_type_n_elements(update->type))
    return input_lower_result(l, op, v);
  for (size_t i = 0; i < ir_type_rank(v->type); ++i) {
    s.sizes[i] = ir_type_dim(update->type, i), s.strides[i] = 1;
    if (s.sizes[i] == IR_DYNAMIC) s.size_values[i] = low_dim_value(l, update, i);
    if (s.sizes[i] == IR_DYNAMIC || ir_type_dim(v->type, i) != s.sizes[i])
      s.offset_values[i] = clamped_start(l, op, (uint32_t)i + 2, v, i, low_dim_value(l, update, i));
  }
  if (update->type == v->type && ir_type_is_static(v->type))
    return input_lower_result(l, op, update);
  return input_lower_result(l, op, low_insert_slice(l, update, v, &s));
}
iree_status_t input_lower_get_dimension_size(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = result_type(l, op);
  int64_t dim = ir_op_int(op, "dimension", -1);
  if (!ir_is(v->type, IR_T_TENSOR) || dim < 0 || dim >= (int64_t)ir_type_rank(v->type))
    return ir_op_error(op, "has no dimension %lld", (long long)dim);
  ir_value_t *n = low_from_index(&l->b, low_dim_value(l, v, (size_t)dim), ir_type_element(type));
  return input_lower_result(l, op, ir_build1(&l->b, OP_TENSOR_FROM_ELEMENTS, type, n, NULL, NULL));
}
// Behind the size that is set there is nothing any more.
iree_status_t input_lower_set_dimension_size(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0), *size = lowered_operand(l, op, 1);
  ir_type_t type = result_type(l, op);
  int64_t dim = ir_op_int(op, "dimension", -1);
  size_t rank = ir_type_rank(v->type);
  if (!ir_is(v->type, IR_T_TENSOR) || !ir_is(type, IR_T_TENSOR) || dim < 0 ||
      dim >= (int64_t)rank || ir_type_rank(type) != rank || rank > HLO_MAX_RANK)
    return ir_op_error(op, "has no dimension %lld", (long long)dim);
  if (!ir_is(size->type, IR_T_TENSOR) || ir_type_rank(size->type) ||
      !ir_type_is_integer_like(ir_type_element(size->type)))
    return ir_op_error(op, "needs a size of tensor<i32>");
  ir_value_t *n =
      low_to_index(&l->b, low_scalar_of(l, size), ir_type_element(ir_operand(op, 1)->type));
  low_require(l, low_cmpi(&l->b, "ule", n, low_dim_value(l, v, (size_t)dim)),
              "set_dimension_size: the size is more than the dimension has");
  slice_spec_t box = {.offsets = {0}};
  int64_t dims[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) {
    box.strides[i] = 1;
    box.sizes[i] = dims[i] = i == (size_t)dim ? IR_DYNAMIC : ir_type_dim(v->type, i);
    if (box.sizes[i] == IR_DYNAMIC)
      box.size_values[i] = i == (size_t)dim ? n : low_dim_value(l, v, i);
  }
  if (ir_type_dim(type, (size_t)dim) != IR_DYNAMIC)
    low_require_extent(l, op, n, ir_type_dim(type, (size_t)dim));
  ir_type_t exact = ir_type_tensor(l->ctx, dims, rank, ir_type_element(type), NULL);
  return input_lower_result(l, op, low_extract_slice(l, v, &box, exact));
}

// ---- bitcast_convert: equal widths elementwise; else the last dimension holds the parts, low
// first
static ir_value_t *as_bits(ir_builder_t *b, ir_value_t *v) {
  ir_type_t bits = ir_type_i(b->ctx, ir_type_width(v->type));
  return v->type == bits ? v : ir_build1(b, OP_ARITH_BITCAST, bits, v, NULL, NULL);
}
static ir_value_t *from_bits(ir_builder_t *b, ir_value_t *v, ir_type_t type) {
  return v->type == type ? v : ir_build1(b, OP_ARITH_BITCAST, type, v, NULL, NULL);
}
static ir_value_t *bitcast_real(lowering_t *l, ir_value_t *v, ir_type_t type) {
  ir_type_t from = ir_type_element(v->type), to = ir_type_element(type);
  unsigned from_width = ir_type_width(from), to_width = ir_type_width(to);
  if (v->type == type) return v;
  if (from_width == to_width) {
    sizes_t sizes = low_sizes_like(l, type, v);
    pointwise_t p = low_pointwise_begin(l, type, &sizes, &v, 1);
    return low_pointwise_end(l, &p, from_bits(&p.b, as_bits(&p.b, p.body->args[0]), to));
  }
  bool splits = from_width > to_width;
  size_t rank = ir_type_rank(splits ? type : v->type), outer = rank - 1;
  ir_type_t whole_bits = ir_type_i(l->ctx, splits ? from_width : to_width),
            part_bits = ir_type_i(l->ctx, splits ? to_width : from_width);
  unsigned step = ir_type_width(part_bits);
  ir_attr_t all = ir_attr_identity_map(l->ctx, rank);
  ir_expr_t exprs[HLO_MAX_RANK];
  for (size_t i = 0; i < outer; ++i) exprs[i] = ir_expr_dim(l->ctx, i);
  ir_attr_t leading = ir_attr_map(l->ctx, rank, 0, exprs, outer);
  if (splits) {
    sizes_t sizes = {.at = {0}};
    for (size_t i = 0; i < outer; ++i)
      if (ir_type_dim(type, i) == IR_DYNAMIC) sizes.at[i] = low_dim_value(l, v, i);
    ir_value_t *out = low_empty(l, type, &sizes);
    ir_attr_t maps[2] = {leading, all};
    ir_op_t *g = linalg_build_generic(&l->b, &v, 1, &out, 1, maps, NULL, rank);
    ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
    ir_value_t *k = low_from_index(&b, low_loop_index(&b, outer), whole_bits);
    ir_value_t *amount = low_op2(&b, OP_ARITH_MULI, k, low_int(&b, whole_bits, step));
    ir_value_t *r = low_op2(&b, OP_ARITH_SHRUI, as_bits(&b, ir_body(g)->args[0]), amount);
    r = from_bits(&b, ir_build1(&b, OP_ARITH_TRUNCI, part_bits, r, NULL, NULL), to);
    linalg_build_yield(l->ctx, g, &r, 1, l->b.loc);
    return ir_result(g, 0);
  }
  ir_type_t bits_type = ir_type_with_element(l->ctx, type, whole_bits);
  sizes_t sizes = low_sizes_like(l, type, v);
  ir_value_t *out = low_filled(l, bits_type, &sizes, low_int(&l->b, whole_bits, 0));
  ir_attr_t maps[2] = {all, leading};
  bool parallel[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) parallel[i] = i < outer;
  ir_op_t *g = linalg_build_generic(&l->b, &v, 1, &out, 1, maps, parallel, rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *k = low_from_index(&b, low_loop_index(&b, outer), whole_bits);
  ir_value_t *part =
      ir_build1(&b, OP_ARITH_EXTUI, whole_bits, as_bits(&b, ir_body(g)->args[0]), NULL, NULL);
  part = low_op2(&b, OP_ARITH_SHLI, part,
                 low_op2(&b, OP_ARITH_MULI, k, low_int(&b, whole_bits, step)));
  part = low_op2(&b, OP_ARITH_ORI, ir_body(g)->args[1], part);
  linalg_build_yield(l->ctx, g, &part, 1, l->b.loc);
  ir_value_t *joined = ir_result(g, 0);
  if (whole_bits == to) return joined;
  pointwise_t p = low_pointwise_begin(l, type, &sizes, &joined, 1);
  return low_pointwise_end(l, &p, from_bits(&p.b, p.body->args[0], to));
}

// A tensor type of complex elements with their two parts as a last dimension.
static ir_type_t with_parts(ir_ctx_t *ctx, ir_type_t type) {
  int64_t dims[HLO_MAX_RANK + 1];
  size_t rank = ir_type_rank(type);
  for (size_t i = 0; i < rank; ++i) dims[i] = ir_type_dim(type, i);
  dims[rank] = 2;
  return ir_type_tensor(ctx, dims, rank + 1, ir_kid(ir_type_element(type), 0), NULL);
}
static sizes_t leading_sizes(lowering_t *l, ir_value_t *v, ir_type_t type) {
  sizes_t sizes = sizes_none();
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC) sizes.at[i] = low_dim_value(l, v, i);
  return sizes;
}
// A tensor of complex numbers and one with a last dimension of their two parts.
static ir_value_t *parts_of(lowering_t *l, ir_value_t *v) {
  size_t rank = ir_type_rank(v->type);
  ir_type_t type = with_parts(l->ctx, v->type);
  sizes_t sizes = leading_sizes(l, v, type);
  ir_value_t *out = low_empty(l, type, &sizes);
  ir_expr_t exprs[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) exprs[i] = ir_expr_dim(l->ctx, i);
  ir_attr_t maps[2] = {ir_attr_map(l->ctx, rank + 1, 0, exprs, rank),
                       ir_attr_identity_map(l->ctx, rank + 1)};
  ir_op_t *g = linalg_build_generic(&l->b, &v, 1, &out, 1, maps, NULL, rank + 1);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *k = low_loop_index(&b, rank), *z = ir_body(g)->args[0];
  ir_value_t *r =
      low_select(&b, low_cmpi(&b, "eq", k, low_index(&b, 0)), low_re(&b, z), low_im(&b, z));
  linalg_build_yield(l->ctx, g, &r, 1, l->b.loc);
  return ir_result(g, 0);
}
static ir_value_t *from_parts(lowering_t *l, ir_value_t *v, ir_type_t type) {
  size_t rank = ir_type_rank(type);
  sizes_t sizes = leading_sizes(l, v, type);
  pointwise_t p = low_pointwise_begin(l, type, &sizes, NULL, 0);
  ir_value_t *at[HLO_MAX_RANK + 1], *parts[2];
  for (size_t i = 0; i < rank; ++i) at[i] = low_loop_index(&p.b, i);
  for (int64_t k = 0; k < 2; ++k) {
    at[rank] = low_index(&p.b, k);
    parts[k] = low_extract(&p.b, v, at, rank + 1);
  }
  return low_pointwise_end(l, &p, low_complex(&p.b, parts[0], parts[1]));
}

// Complex numbers only become complex ones: those of f32 are halves of those of f64.
iree_status_t input_lower_bitcast_convert(lowering_t *l, ir_op_t *op) {
  ir_value_t *v = lowered_operand(l, op, 0);
  ir_type_t type = result_type(l, op), to = ir_type_element(type), real_type = type;
  if (v->type == type) return input_lower_result(l, op, v);
  bool is_complex = ir_is(to, IR_T_COMPLEX);
  if (is_complex != ir_is(ir_type_element(v->type), IR_T_COMPLEX))
    return ir_op_error(op, "is of complex numbers and real ones");
  if (is_complex) v = parts_of(l, v), real_type = with_parts(l->ctx, type);
  unsigned from_width = ir_type_width(ir_type_element(v->type)),
           to_width = ir_type_width(ir_type_element(real_type));
  size_t rank = ir_type_rank(v->type) + (from_width > to_width) - (from_width < to_width);
  if (ir_type_rank(real_type) != rank)
    return ir_op_error(op, "needs a last dimension of the parts");
  ir_value_t *r = bitcast_real(l, v, real_type);
  return input_lower_result(l, op, is_complex ? from_parts(l, r, type) : r);
}
