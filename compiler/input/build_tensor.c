// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor IR in small steps: empties, slices, reshapes, elementwise generics.
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/quant_type.h"
#include "compiler/input/lower.h"

// ---- types and values
ir_type_t low_type(ir_ctx_t *ctx, ir_type_t type) {
  switch ((int)type->kind) {
    case IR_T_INTEGER:
      return ir_type_i(ctx, ir_type_width(type));
    case IR_T_TENSOR:
      return ir_type_with_element(ctx, type, low_type(ctx, ir_type_element(type)));
    case IR_T_FUNCTION: {
      size_t n = ir_fn_n_inputs(type), m = ir_fn_n_results(type);
      ir_type_t *types = IREE_ARENA_ARRAY(ir_arena(ctx), ir_type_t, n + m + 1);
      for (size_t i = 0; i < n; ++i) types[i] = low_type(ctx, ir_fn_input(type, i));
      for (size_t i = 0; i < m; ++i) types[n + i] = low_type(ctx, ir_fn_result(type, i));
      return ir_type_function(ctx, types, n, types + n, m);
    }
    default: {
      quant_type_t q;
      return quant_is(type) && !quant_type_read(ctx, type, &q)
                 ? ir_type_i(ctx, ir_type_width(q.storage))
                 : type;
    }
  }
}
ir_value_t *lowered(lowering_t *l, const ir_value_t *old) {
  ir_value_t *v = ir_map_get(l->map, old);
  return v ? v : (ir_value_t *)old;
}
void set_lowered(lowering_t *l, const ir_value_t *old, ir_value_t *value) {
  // Where shape refinement made the new value's type more or less static, the old type holds.
  ir_type_t type = low_type(l->ctx, old->type);
  ir_map_set(l->map, old, value->type == type ? value : low_tensor_cast(l, value, type));
}

// ---- small ops
ir_value_t *low_index(ir_builder_t *b, int64_t value) {
  return low_int(b, ir_type_index(b->ctx), value);
}
ir_value_t *low_extract(ir_builder_t *b, ir_value_t *tensor, ir_value_t *const *indices, size_t n) {
  ir_value_t *operands[HLO_MAX_RANK + 1] = {tensor};
  if (n) memcpy(operands + 1, indices, n * sizeof *indices);
  ir_type_t element = ir_type_element(tensor->type);
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_EXTRACT,
                                               .operands = operands,
                                               .n_operands = n + 1,
                                               .results = &element,
                                               .n_results = 1}),
                   0);
}
ir_value_t *low_splat_of(lowering_t *l, ir_value_t *tensor) {
  ir_attr_t value = ir_constant_of(tensor);
  if (ir_value_is(tensor, OP_LINALG_FILL) && ir_constant_of(ir_operand(ir_def(tensor), 0)))
    return ir_operand(ir_def(tensor), 0);
  if (!ir_is(value, IR_A_DENSE) || !ir_dense_is_splat(value)) return NULL;
  ir_attr_t element = ir_dense_element(l->ctx, value, 0);
  return element ? ir_build_constant(&l->b, ir_type_element(tensor->type), element) : NULL;
}
ir_value_t *low_scalar_of(lowering_t *l, ir_value_t *rank0) {
  ir_value_t *v = low_splat_of(l, rank0);
  return v ? v : low_extract(&l->b, rank0, NULL, 0);
}
ir_value_t *low_dim_value(lowering_t *l, ir_value_t *tensor, size_t i) {
  int64_t dim = ir_type_dim(tensor->type, i);
  if (dim != IR_DYNAMIC) return low_index(&l->b, dim);
  return ir_build1(&l->b, OP_TENSOR_DIM, ir_type_index(l->ctx), tensor,
                   low_index(&l->b, (int64_t)i), NULL);
}
sizes_t low_sizes_like(lowering_t *l, ir_type_t type, ir_value_t *tensor) {
  sizes_t s = {.at = {0}};
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC) s.at[i] = low_dim_value(l, tensor, i);
  return s;
}
void low_require(lowering_t *l, ir_value_t *condition, const char *text) {
  ir_named_t attrs[1] = {{"msg", ir_attr_str(l->ctx, text)}};
  ir_build(&l->b, &(ir_op_desc_t){.kind = OP_CF_ASSERT,
                                  .operands = &condition,
                                  .n_operands = 1,
                                  .attrs = attrs,
                                  .n_attrs = 1});
}
// Extents from data may be anything, and products of many extents, too; a size that wraps around
// would have kernels write past the end.
void low_require_sizes(lowering_t *l, const ir_op_t *op, ir_type_t type, const sizes_t *s) {
  int64_t left = INT64_C(1) << 56;  // elements: of 16 bytes at most, below what sizes can count
  ir_value_t *bound = NULL, *holds = NULL;
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) > 1) left /= ir_type_dim(type, i);
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    if (!s->at[i]) continue;
    if (!bound) bound = low_index(&l->b, left);
    ir_value_t *fits = low_cmpi(&l->b, "ule", s->at[i], bound);
    holds = holds ? low_op2(&l->b, OP_ARITH_ANDI, holds, fits) : fits;
    ir_value_t *some = low_op2(&l->b, OP_ARITH_MAXUI, s->at[i], low_index(&l->b, 1));
    bound = low_op2(&l->b, OP_ARITH_DIVUI, bound, some);
  }
  char text[160];
  snprintf(text, sizeof text, "%s: the extents asked for are negative or too large",
           ir_op_name(op));
  if (holds) low_require(l, holds, text);
}
sizes_t low_sizes_from_shape(lowering_t *l, const ir_op_t *op, ir_type_t type, ir_value_t *shape,
                             ir_type_t semantic) {
  sizes_t s = {.at = {0}};
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    if (ir_type_dim(type, i) != IR_DYNAMIC) continue;
    ir_value_t *at = low_index(&l->b, (int64_t)i);
    s.at[i] = low_to_index(&l->b, low_extract(&l->b, shape, &at, 1), semantic);
  }
  low_require_sizes(l, op, type, &s);
  return s;
}
void low_check_extents(lowering_t *l, const ir_op_t *op, ir_value_t *x, size_t i, ir_value_t *y,
                       size_t k) {
  int64_t a = ir_type_dim(x->type, i), c = ir_type_dim(y->type, k);
  char text[160];
  if (x == y && i == k) return;
  if (a != IR_DYNAMIC && c != IR_DYNAMIC) return;
  snprintf(text, sizeof text,
           "%s: dimension %zu of one operand and %zu of another differ in extent", ir_op_name(op),
           i, k);
  low_require(l, low_cmpi(&l->b, "eq", low_dim_value(l, x, i), low_dim_value(l, y, k)), text);
}
void low_check_fits(lowering_t *l, const ir_op_t *op, ir_value_t *size, ir_value_t *tensor,
                    size_t i) {
  char text[160];
  int64_t known;
  if (ir_type_dim(tensor->type, i) != IR_DYNAMIC && ir_constant_int(size, &known)) return;
  snprintf(text, sizeof text, "%s: a part is longer than dimension %zu of the whole",
           ir_op_name(op), i);
  low_require(l, low_cmpi(&l->b, "ule", size, low_dim_value(l, tensor, i)), text);
}
void low_require_extent(lowering_t *l, const ir_op_t *op, ir_value_t *extent, int64_t wanted) {
  char text[160];
  snprintf(text, sizeof text, "%s: the result's type wants an extent of %lld", ir_op_name(op),
           (long long)wanted);
  low_require(l, low_cmpi(&l->b, "eq", extent, low_index(&l->b, wanted)), text);
}
void low_check_count(lowering_t *l, const ir_op_t *op, ir_value_t *v, ir_type_t type,
                     const sizes_t *sizes) {
  if (ir_type_is_static(v->type) && ir_type_is_static(type)) return;
  char text[160];
  ir_value_t *have = low_index(&l->b, 1), *want = have;
  for (size_t i = 0; i < ir_type_rank(v->type); ++i)
    have = low_op2(&l->b, OP_ARITH_MULI, have, low_dim_value(l, v, i));
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    int64_t dim = ir_type_dim(type, i);
    want = low_op2(&l->b, OP_ARITH_MULI, want,
                   dim == IR_DYNAMIC ? sizes->at[i] : low_index(&l->b, dim));
  }
  snprintf(text, sizeof text, "%s: operand and result differ in their number of elements",
           ir_op_name(op));
  low_require(l, low_cmpi(&l->b, "eq", have, want), text);
}
void low_check_shapes(lowering_t *l, const ir_op_t *op, ir_value_t *x, ir_value_t *y) {
  for (size_t i = 0; i < ir_type_rank(x->type) && i < ir_type_rank(y->type); ++i)
    low_check_extents(l, op, x, i, y, i);
}
ir_value_t *low_empty(lowering_t *l, ir_type_t type, const sizes_t *sizes) {
  ir_value_t *dynamic[HLO_MAX_RANK];
  size_t n = 0;
  for (size_t i = 0; i < ir_type_rank(type); ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC) dynamic[n++] = sizes->at[i];
  return ir_result(ir_build(&l->b, &(ir_op_desc_t){.kind = OP_TENSOR_EMPTY,
                                                   .operands = dynamic,
                                                   .n_operands = n,
                                                   .results = &type,
                                                   .n_results = 1}),
                   0);
}
ir_value_t *low_filled(lowering_t *l, ir_type_t type, const sizes_t *sizes, ir_value_t *scalar) {
  return linalg_build_fill(&l->b, scalar, low_empty(l, type, sizes));
}
ir_value_t *low_tensor_cast(lowering_t *l, ir_value_t *v, ir_type_t type) {
  return v->type == type ? v : ir_build1(&l->b, OP_TENSOR_CAST, type, v, NULL, NULL);
}
ir_value_t *low_loop_index(ir_builder_t *b, size_t loop) {
  return ir_build_attr(b, OP_LINALG_INDEX, ir_type_index(b->ctx), "dim",
                       ir_attr_i64(b->ctx, (int64_t)loop), NULL, NULL);
}

// ---- slices
static size_t slice_operands(ir_value_t **operands, size_t n, const slice_spec_t *spec, size_t rank,
                             uint32_t *segments, int64_t lists[3][HLO_MAX_RANK]) {
  segments[0] = segments[1] = segments[2] = 0;
  for (size_t i = 0; i < rank; ++i) {
    lists[0][i] = spec->offset_values[i] ? IR_DYNAMIC : spec->offsets[i];
    lists[1][i] = spec->size_values[i] ? IR_DYNAMIC : spec->sizes[i];
    lists[2][i] = spec->strides[i];
  }
  for (size_t i = 0; i < rank; ++i)
    if (spec->offset_values[i]) operands[n++] = spec->offset_values[i], segments[0]++;
  for (size_t i = 0; i < rank; ++i)
    if (spec->size_values[i]) operands[n++] = spec->size_values[i], segments[1]++;
  return n;
}
static ir_value_t *low_slice(lowering_t *l, ir_kind_t kind, ir_value_t **operands, size_t n,
                             const slice_spec_t *spec, size_t rank, ir_type_t result) {
  int64_t lists[3][HLO_MAX_RANK];
  uint32_t segments[5] = {1, 1};
  uint32_t *dynamic = segments + n;
  size_t total = slice_operands(operands, n, spec, rank, dynamic, lists);
  ir_named_t attrs[3] = {{"static_offsets", ir_attr_i64s(l->ctx, lists[0], rank)},
                         {"static_sizes", ir_attr_i64s(l->ctx, lists[1], rank)},
                         {"static_strides", ir_attr_i64s(l->ctx, lists[2], rank)}};
  return ir_result(ir_build(&l->b, &(ir_op_desc_t){.kind = kind,
                                                   .operands = operands,
                                                   .n_operands = total,
                                                   .segments = segments,
                                                   .results = &result,
                                                   .n_results = 1,
                                                   .attrs = attrs,
                                                   .n_attrs = 3}),
                   0);
}
ir_value_t *low_extract_slice(lowering_t *l, ir_value_t *source, const slice_spec_t *spec,
                              ir_type_t result) {
  ir_value_t *operands[3 * HLO_MAX_RANK + 2] = {source};
  return low_slice(l, OP_TENSOR_EXTRACT_SLICE, operands, 1, spec, ir_type_rank(source->type),
                   result);
}
ir_value_t *low_insert_slice(lowering_t *l, ir_value_t *source, ir_value_t *dest,
                             const slice_spec_t *spec) {
  ir_value_t *operands[3 * HLO_MAX_RANK + 2] = {source, dest};
  return low_slice(l, OP_TENSOR_INSERT_SLICE, operands, 2, spec, ir_type_rank(dest->type),
                   dest->type);
}

// ---- reshape: by merging groups of dimensions, then splitting
typedef struct group {
  size_t from, n_from, to, n_to;
} group_t;
static ir_attr_t reassociation(ir_ctx_t *ctx, const group_t *groups, size_t n, bool of_from) {
  ir_attr_t lists[HLO_MAX_RANK], numbers[HLO_MAX_RANK];
  for (size_t g = 0; g < n; ++g) {
    size_t first = of_from ? groups[g].from : groups[g].to,
           count = of_from ? groups[g].n_from : groups[g].n_to;
    for (size_t i = 0; i < count; ++i) numbers[i] = ir_attr_i64(ctx, (int64_t)(first + i));
    lists[g] = ir_attr_array(ctx, numbers, count);
  }
  return ir_attr_array(ctx, lists, n);
}
static ir_value_t *low_collapse(lowering_t *l, ir_value_t *v, ir_type_t type, ir_attr_t groups) {
  return ir_build_attr(&l->b, OP_TENSOR_COLLAPSE_SHAPE, type, "reassociation", groups, v, NULL);
}
static ir_value_t *low_expand(lowering_t *l, ir_value_t *v, ir_type_t type, ir_attr_t groups,
                              const sizes_t *sizes) {
  ir_value_t *operands[HLO_MAX_RANK + 1] = {v};
  size_t n = 1, rank = ir_type_rank(type);
  for (size_t i = 0; i < rank; ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC) operands[n++] = sizes->at[i];
  ir_named_t attrs[2] = {{"reassociation", groups},
                         {"static_output_shape", ir_attr_i64s(l->ctx, ir_type_dims(type), rank)}};
  return ir_result(ir_build(&l->b, &(ir_op_desc_t){.kind = OP_TENSOR_EXPAND_SHAPE,
                                                   .operands = operands,
                                                   .n_operands = n,
                                                   .results = &type,
                                                   .n_results = 1,
                                                   .attrs = attrs,
                                                   .n_attrs = 2}),
                   0);
}
// Groups of one dimension each, but for |n| from |d| on.
static size_t one_group(group_t *groups, size_t rank, size_t d, size_t n) {
  for (size_t i = 0; i <= rank - n; ++i)
    groups[i] = (group_t){i + (i > d ? n - 1 : 0), i == d ? n : 1, i, 1};
  return rank - n + 1;
}
ir_value_t *low_merge_dims(lowering_t *l, ir_value_t *v, size_t d, size_t n) {
  group_t groups[HLO_MAX_RANK];
  int64_t dims[HLO_MAX_RANK];
  size_t rank = one_group(groups, ir_type_rank(v->type), d, n);
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = 1;
    for (size_t k = 0; k < groups[i].n_from; ++k) {
      int64_t dim = ir_type_dim(v->type, groups[i].from + k);
      dims[i] = dim == IR_DYNAMIC || dims[i] == IR_DYNAMIC ? IR_DYNAMIC : dims[i] * dim;
    }
  }
  return low_collapse(l, v, ir_type_tensor(l->ctx, dims, rank, ir_type_element(v->type), NULL),
                      reassociation(l->ctx, groups, rank, true));
}
ir_value_t *low_split_dim(lowering_t *l, ir_value_t *v, size_t d, const int64_t *extents,
                          size_t n) {
  group_t groups[HLO_MAX_RANK];
  int64_t dims[HLO_MAX_RANK];
  sizes_t sizes = sizes_none();
  size_t rank = ir_type_rank(v->type) + n - 1;
  for (size_t i = 0; i < rank; ++i) {
    size_t from = i < d ? i : i < d + n ? d : i - n + 1;
    dims[i] = from == d ? extents[i - d] : ir_type_dim(v->type, from);
    if (dims[i] == IR_DYNAMIC) sizes.at[i] = low_dim_value(l, v, from);
  }
  size_t n_groups = one_group(groups, rank, d, n);
  return low_expand(l, v, ir_type_tensor(l->ctx, dims, rank, ir_type_element(v->type), NULL),
                    reassociation(l->ctx, groups, n_groups, true), &sizes);
}
// Smallest runs of dimensions on both sides that hold the same number of elements.
static size_t find_groups(ir_type_t from, ir_type_t to, group_t *groups) {
  size_t i = 0, k = 0, n = 0, r = ir_type_rank(from), s = ir_type_rank(to);
  if (!r || !s) return 0;
  if (!ir_type_is_static(from) ||
      !ir_type_is_static(to)) {  // extents cannot be compared: all at once
    groups[0] = (group_t){0, r, 0, s};
    return 1;
  }
  while (i < r && k < s) {
    group_t g = {i, 1, k, 1};
    int64_t a = ir_type_dim(from, i++), b = ir_type_dim(to, k++);
    while (a != b) {
      if (a < b) {
        if (i == r) break;
        a *= ir_type_dim(from, i++), g.n_from++;
      } else {
        if (k == s) break;
        b *= ir_type_dim(to, k++), g.n_to++;
      }
    }
    groups[n++] = g;
  }
  if (n) {  // trailing ones join the last group
    groups[n - 1].n_from += r - i;
    groups[n - 1].n_to += s - k;
  }
  return n;
}
ir_value_t *low_reshape(lowering_t *l, ir_value_t *v, ir_type_t type, const sizes_t *sizes) {
  ir_ctx_t *ctx = l->ctx;
  ir_type_t from = v->type;
  group_t groups[HLO_MAX_RANK];
  sizes_t none = {.at = {0}};
  if (from == type && ir_type_is_static(type)) return v;
  ir_attr_t value = ir_constant_of(v);
  if (ir_is(value, IR_A_DENSE) && ir_type_is_static(type))
    return ir_build_constant(&l->b, type,
                             ir_attr_dense(ctx, type, ir_dense_data(value), ir_dense_bytes(value),
                                           ir_dense_is_splat(value), false));
  if (ir_type_is_static(type) && ir_type_n_elements(type) == 0) return low_empty(l, type, &none);
  size_t n = find_groups(from, type, groups);
  if (!n) {  // one side is a scalar, so the other's extents are all 1
    ir_attr_t empty = ir_attr_array(ctx, NULL, 0);
    int64_t ones[HLO_MAX_RANK];
    for (size_t i = 0; i < HLO_MAX_RANK; ++i) ones[i] = 1;
    if (ir_type_rank(from))
      v = low_tensor_cast(
          l, v, ir_type_tensor(ctx, ones, ir_type_rank(from), ir_type_element(from), NULL));
    return ir_type_rank(type) ? low_expand(l, v, type, empty, sizes)
                              : low_collapse(l, v, type, empty);
  }
  bool merges = false, splits = false;
  int64_t merged[HLO_MAX_RANK];
  for (size_t g = 0; g < n; ++g) {
    merges |= groups[g].n_from > 1;
    splits |= groups[g].n_to > 1;
    merged[g] = 1;
    for (size_t i = 0; i < groups[g].n_from; ++i) {
      int64_t d = ir_type_dim(from, groups[g].from + i);
      merged[g] = d == IR_DYNAMIC || merged[g] == IR_DYNAMIC ? IR_DYNAMIC : merged[g] * d;
    }
  }
  ir_type_t middle = ir_type_tensor(ctx, merged, n, ir_type_element(from), NULL);
  if (merges) v = low_collapse(l, v, middle, reassociation(ctx, groups, n, true));
  if (splits)
    v = low_expand(l, v, type, reassociation(ctx, groups, n, false), sizes ? sizes : &none);
  return low_tensor_cast(l, v, type);
}

// ---- elementwise generics
pointwise_t low_pointwise_begin(lowering_t *l, ir_type_t type, const sizes_t *sizes,
                                ir_value_t *const *inputs, size_t n) {
  enum { MAX = 64 };
  ir_attr_t maps[MAX + 1];
  size_t rank = ir_type_rank(type);
  for (size_t i = 0; i < n && i < MAX; ++i)
    maps[i] = ir_type_rank(inputs[i]->type) == rank ? ir_attr_identity_map(l->ctx, rank)
                                                    : ir_attr_map(l->ctx, rank, 0, NULL, 0);
  maps[n] = ir_attr_identity_map(l->ctx, rank);
  ir_value_t *out = low_empty(l, type, sizes);
  pointwise_t p = {.op = linalg_build_generic(&l->b, inputs, n, &out, 1, maps, NULL, rank)};
  p.body = ir_body(p.op);
  p.b = ir_builder_at_end(l->ctx, p.body);
  p.b.loc = l->b.loc;
  return p;
}
ir_value_t *low_pointwise_end(lowering_t *l, pointwise_t *p, ir_value_t *result) {
  linalg_build_yield(l->ctx, p->op, &result, 1, l->b.loc);
  return ir_result(p->op, 0);
}
ir_value_t *low_transposed(lowering_t *l, ir_value_t *v, const int64_t *permutation) {
  size_t rank = ir_type_rank(v->type);
  int64_t dims[HLO_MAX_RANK];
  ir_expr_t exprs[HLO_MAX_RANK];
  sizes_t sizes = {.at = {0}};
  bool identity = true;
  for (size_t i = 0; i < rank; ++i) {
    dims[i] = ir_type_dim(v->type, (size_t)permutation[i]);
    exprs[permutation[i]] = ir_expr_dim(l->ctx, i);
    if (dims[i] == IR_DYNAMIC) sizes.at[i] = low_dim_value(l, v, (size_t)permutation[i]);
    identity = identity && permutation[i] == (int64_t)i;
  }
  if (identity) return v;
  ir_type_t type = ir_type_tensor(l->ctx, dims, rank, ir_type_element(v->type), NULL);
  ir_attr_t maps[2] = {ir_attr_map(l->ctx, rank, 0, exprs, rank),
                       ir_attr_identity_map(l->ctx, rank)};
  ir_value_t *out = low_empty(l, type, &sizes);
  ir_op_t *op = linalg_build_generic(&l->b, &v, 1, &out, 1, maps, NULL, rank);
  linalg_build_yield(l->ctx, op, &ir_body(op)->args[0], 1, l->b.loc);
  return ir_result(op, 0);
}

// ---- pad: cut what is negative, spread by the gaps, then put into a filled tensor
ir_value_t *low_pad(lowering_t *l, ir_value_t *v, ir_value_t *scalar, const int64_t *low,
                    const int64_t *high, const int64_t *interior) {
  size_t rank = ir_type_rank(v->type);
  ir_ctx_t *ctx = l->ctx;
  int64_t dims[HLO_MAX_RANK];
  bool grows = false, cuts = false;
  slice_spec_t in = {.offsets = {0}}, cut = {.offsets = {0}};
  sizes_t sizes = {.at = {0}};
  for (size_t i = 0; i < rank; ++i) {
    int64_t lo = low[i] > 0 ? low[i] : 0, hi = high[i] > 0 ? high[i] : 0,
            gap = interior ? interior[i] : 0;
    int64_t dim = ir_type_dim(v->type, i);
    grows |= lo || hi || gap;
    cuts |= low[i] < 0 || high[i] < 0;
    in.offsets[i] = lo;
    in.strides[i] = gap + 1;
    in.sizes[i] = dim;
    dims[i] = dim == IR_DYNAMIC ? IR_DYNAMIC : lo + hi + (dim ? (dim - 1) * (gap + 1) + 1 : 0);
    if (dim == IR_DYNAMIC) {
      in.size_values[i] = low_dim_value(l, v, i);
      ir_value_t *n = in.size_values[i];
      if (gap) {
        n = low_op2(&l->b, OP_ARITH_MULI, low_op2(&l->b, OP_ARITH_SUBI, n, low_index(&l->b, 1)),
                    low_index(&l->b, gap + 1));
        n = low_op2(&l->b, OP_ARITH_MAXSI, low_op2(&l->b, OP_ARITH_ADDI, n, low_index(&l->b, 1)),
                    low_index(&l->b, 0));
      }
      sizes.at[i] = low_op2(&l->b, OP_ARITH_ADDI, n, low_index(&l->b, lo + hi));
    }
  }
  if (grows) {
    ir_type_t type = ir_type_tensor(ctx, dims, rank, ir_type_element(v->type), NULL);
    ir_value_t *filled = low_filled(l, type, &sizes, scalar);
    v = ir_type_is_static(v->type) && ir_type_n_elements(v->type) == 0
            ? filled
            : low_insert_slice(l, v, filled, &in);
  }
  if (!cuts) return v;
  for (size_t i = 0; i < rank; ++i) {
    int64_t lo = low[i] < 0 ? -low[i] : 0, hi = high[i] < 0 ? -high[i] : 0,
            dim = ir_type_dim(v->type, i);
    cut.offsets[i] = lo;
    cut.strides[i] = 1;
    cut.sizes[i] = dims[i] = dim == IR_DYNAMIC ? IR_DYNAMIC : dim - lo - hi;
    if (dim != IR_DYNAMIC) continue;
    ir_value_t *extent = low_dim_value(l, v, i), *less = low_index(&l->b, lo + hi);
    low_require(l, low_cmpi(&l->b, "uge", extent, less), "pad: cuts more than there is");
    cut.size_values[i] = low_op2(&l->b, OP_ARITH_SUBI, extent, less);
  }
  return low_extract_slice(l, v, &cut,
                           ir_type_tensor(ctx, dims, rank, ir_type_element(v->type), NULL));
}
