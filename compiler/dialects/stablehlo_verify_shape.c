// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of ops that move elements: what extents and attributes have to do with each other.
#include "compiler/dialects/stablehlo_verify.h"

#include <string.h>

typedef long long ll;

// Result 0 has the shape that constant operand |k| holds; else a rank of as many numbers.
static iree_status_t expect_shape_of(ir_op_t *op, size_t k) {
  int64_t dims[HLO_MAX_RANK], rank = ir_type_dim(hlo_in(op, k), 0);
  ir_type_t to = hlo_out(op, 0);
  if (rank != (int64_t)ir_type_rank(to))
    return ir_op_error(op, "operand '%s' has %lld extents, result 0 is %s",
                       hlo_name(op, k), (ll)rank, hlo_text(op, to));
  int n = hlo_constant_ints(ir_operand(op, k), dims, HLO_MAX_RANK);
  for (int i = 0; i < n; ++i)
    if (dims[i] < 0)
      return ir_op_error(op, "operand '%s' has a negative extent, %lld",
                         hlo_name(op, k), (ll)dims[i]);
  return n < 0 ? iree_ok_status() : hlo_expect_shape(op, 0, dims, (size_t)n);
}

iree_status_t hlo_check_iota(ir_op_t *op) {
  return hlo_check_dim(op, "iota_dimension", ir_op_int(op, "iota_dimension", 0),
                       ir_type_rank(hlo_out(op, 0)));
}
iree_status_t hlo_check_dynamic_iota(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(hlo_check_iota(op));
  return expect_shape_of(op, 0);
}

iree_status_t hlo_check_broadcast(ir_op_t *op) {
  hlo_dims_t want = hlo_dims(op, "broadcast_sizes", 0, 0);
  ir_type_t from = hlo_in(op, 0);
  for (size_t i = 0; i < want.n; ++i)
    if (want.at[i] < 0)
      return ir_op_error(op, "attribute 'broadcast_sizes' has %lld at %zu", (ll)want.at[i], i);
  for (size_t i = 0; i < ir_type_rank(from) && want.n < HLO_MAX_RANK; ++i)
    want.at[want.n++] = ir_type_dim(from, i);
  return hlo_expect_shape(op, 0, want.at, want.n);
}
iree_status_t hlo_check_broadcast_in_dim(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0), to = hlo_out(op, 0);
  hlo_dims_t dims = hlo_dims(op, "broadcast_dimensions", 0, 0);
  IREE_RETURN_IF_ERROR(hlo_check_scales_kept(op));
  IREE_RETURN_IF_ERROR(
      hlo_check_list(op, "broadcast_dimensions", ir_type_rank(from), 0, (int64_t)ir_type_rank(to)));
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, "broadcast_dimensions", &dims, ir_type_rank(to), false));
  for (size_t i = 0; i < dims.n; ++i) {
    int64_t have = ir_type_dim(from, i), want = ir_type_dim(to, (size_t)dims.at[i]);
    if (have != 1 && !hlo_agree(have, want))
      return ir_op_error(op, "cannot broadcast dimension %zu of extent %lld to dimension %lld of %lld",
                         i, (ll)have, (ll)dims.at[i], (ll)want);
  }
  return iree_ok_status();
}
iree_status_t hlo_check_dynamic_broadcast(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0);
  size_t rank = ir_type_rank(from);
  hlo_dims_t expanding = hlo_dims(op, "known_expanding_dimensions", 0, 0),
             kept = hlo_dims(op, "known_nonexpanding_dimensions", 0, 0);
  IREE_RETURN_IF_ERROR(hlo_check_broadcast_in_dim(op));
  IREE_RETURN_IF_ERROR(expect_shape_of(op, 1));
  if (ir_op_attr(op, "known_expanding_dimensions"))
    IREE_RETURN_IF_ERROR(hlo_check_dims(op, "known_expanding_dimensions", &expanding, rank, false));
  if (ir_op_attr(op, "known_nonexpanding_dimensions"))
    IREE_RETURN_IF_ERROR(hlo_check_dims(op, "known_nonexpanding_dimensions", &kept, rank, false));
  for (size_t i = 0; i < expanding.n; ++i)
    if (hlo_has(&kept, expanding.at[i]))
      return ir_op_error(op, "says of dimension %lld that it expands and that it does not",
                         (ll)expanding.at[i]);
  hlo_dims_t dims = hlo_dims(op, "broadcast_dimensions", 0, 0);
  int64_t shape[HLO_MAX_RANK];
  int n = hlo_constant_ints(ir_operand(op, 1), shape, HLO_MAX_RANK);
  for (size_t i = 0; i < dims.n && n > 0; ++i) {
    int64_t have = ir_type_dim(from, i), want = shape[dims.at[i]];
    if (have != 1 && !hlo_agree(have, want))
      return ir_op_error(op, "cannot broadcast dimension %zu of extent %lld to dimension %lld of %lld",
                         i, (ll)have, (ll)dims.at[i], (ll)want);
  }
  return iree_ok_status();
}

static iree_status_t check_count(ir_op_t *op, ir_type_t from, int64_t n) {
  if (!ir_type_is_static(from) || n < 0 || ir_type_n_elements(from) == n) return iree_ok_status();
  return ir_op_error(op, "%lld elements cannot take a shape of %lld", (ll)ir_type_n_elements(from),
                     (ll)n);
}
iree_status_t hlo_check_reshape(ir_op_t *op) {
  ir_type_t to = hlo_out(op, 0);
  IREE_RETURN_IF_ERROR(hlo_check_scales_kept(op));
  return ir_type_is_static(to) ? check_count(op, hlo_in(op, 0), ir_type_n_elements(to))
                               : iree_ok_status();
}
iree_status_t hlo_check_dynamic_reshape(ir_op_t *op) {
  int64_t dims[HLO_MAX_RANK], n = 1;
  IREE_RETURN_IF_ERROR(expect_shape_of(op, 1));
  int rank = hlo_constant_ints(ir_operand(op, 1), dims, HLO_MAX_RANK);
  for (int i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(n, dims[i], &n)) return iree_ok_status();
  IREE_RETURN_IF_ERROR(hlo_check_reshape(op));
  return rank < 0 ? iree_ok_status() : check_count(op, hlo_in(op, 0), n);
}
iree_status_t hlo_check_transpose(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0);
  size_t rank = ir_type_rank(from);
  hlo_dims_t dims = hlo_dims(op, "permutation", 0, 0), want = {.n = rank};
  IREE_RETURN_IF_ERROR(hlo_check_list(op, "permutation", rank, 0, (int64_t)rank));
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, "permutation", &dims, rank, false));
  IREE_RETURN_IF_ERROR(hlo_check_scales_kept(op));
  for (size_t i = 0; i < rank; ++i) want.at[i] = ir_type_dim(from, (size_t)dims.at[i]);
  return hlo_expect_shape(op, 0, want.at, rank);
}
iree_status_t hlo_check_reverse(ir_op_t *op) {
  hlo_dims_t dims = hlo_dims(op, "dimensions", 0, 0);
  return hlo_check_dims(op, "dimensions", &dims, ir_type_rank(hlo_in(op, 0)), false);
}
iree_status_t hlo_check_concatenate(ir_op_t *op) {
  if (!op->n_operands) return ir_op_error(op, "needs an operand");
  hlo_dims_t want = {.n = ir_type_rank(hlo_in(op, 0))};
  int64_t dim = ir_op_int(op, "dimension", 0), sum = 0;
  IREE_RETURN_IF_ERROR(hlo_check_dim(op, "dimension", dim, want.n));
  for (size_t i = 0; i < want.n; ++i) want.at[i] = IR_DYNAMIC;
  for (uint32_t k = 0; k < op->n_operands; ++k) {
    ir_type_t from = hlo_in(op, k);
    if (ir_type_rank(from) != want.n)
      return ir_op_error(op, "operand %u is %s; its rank differs from that of operand 0", k,
                         hlo_text(op, from));
    for (size_t i = 0; i < want.n; ++i) {
      int64_t extent = ir_type_dim(from, i);
      if ((int64_t)i == dim) {
        sum = sum == IR_DYNAMIC || extent == IR_DYNAMIC || __builtin_add_overflow(sum, extent, &sum)
                  ? IR_DYNAMIC : sum;
        continue;
      }
      if (!hlo_agree(extent, want.at[i]))
        return ir_op_error(op, "operand %u has extent %lld in dimension %zu, those before have %lld", k,
                           (ll)extent, i, (ll)want.at[i]);
      if (extent != IR_DYNAMIC) want.at[i] = extent;
    }
  }
  want.at[dim] = sum;
  return hlo_expect_shape(op, 0, want.at, want.n);
}

// ---- boxes
iree_status_t hlo_check_slice(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0);
  hlo_dims_t want = {.n = ir_type_rank(from)};
  IREE_RETURN_IF_ERROR(hlo_check_list(op, "start_indices", want.n, 0, INT64_MAX));
  IREE_RETURN_IF_ERROR(hlo_check_list(op, "limit_indices", want.n, 0, INT64_MAX));
  IREE_RETURN_IF_ERROR(hlo_check_list(op, "strides", want.n, 1, INT64_MAX));
  for (size_t i = 0; i < want.n; ++i) {
    int64_t start = ir_int(ir_op_attr(op, "start_indices"), i),
            limit = ir_int(ir_op_attr(op, "limit_indices"), i);
    int64_t stride = ir_int(ir_op_attr(op, "strides"), i), dim = hlo_bound(from, i);
    if (start > limit || (dim != IR_DYNAMIC && limit > dim))
      return ir_op_error(op, "range %lld:%lld of dimension %zu leaves its extent %lld", (ll)start,
                         (ll)limit, i, (ll)(dim == IR_DYNAMIC ? -1 : dim));
    want.at[i] = (limit - start) / stride + ((limit - start) % stride != 0);
  }
  return hlo_expect_shape(op, 0, want.at, want.n);
}
iree_status_t hlo_check_pad(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0);
  hlo_dims_t want = {.n = ir_type_rank(from)};
  const int64_t most = (int64_t)1 << 40;
  IREE_RETURN_IF_ERROR(hlo_check_list(op, "edge_padding_low", want.n, -most, most));
  IREE_RETURN_IF_ERROR(hlo_check_list(op, "edge_padding_high", want.n, -most, most));
  IREE_RETURN_IF_ERROR(hlo_check_list(op, "interior_padding", want.n, 0, most));
  for (size_t i = 0; i < want.n; ++i) {
    int64_t dim = hlo_bound(from, i), low = ir_int(ir_op_attr(op, "edge_padding_low"), i);
    int64_t between = ir_int(ir_op_attr(op, "interior_padding"), i),
            high = ir_int(ir_op_attr(op, "edge_padding_high"), i);
    want.at[i] = IR_DYNAMIC;
    if (dim == IR_DYNAMIC || dim > most) continue;
    int64_t gaps = dim ? dim - 1 : 0, grown;
    if (__builtin_mul_overflow(gaps, between, &grown)) continue;
    int64_t extent = dim + grown + low + high;
    if (extent < 0)
      return ir_op_error(op, "pads dimension %zu of extent %lld to the negative extent %lld", i,
                         (ll)dim, (ll)extent);
    if (ir_type_dim(from, i) != IR_DYNAMIC) want.at[i] = extent;
  }
  return hlo_expect_shape(op, 0, want.at, want.n);
}
// Operands |first| to |last| hold one number per dimension of the first.
static iree_status_t check_lists(ir_op_t *op, size_t first, size_t last) {
  int64_t rank = (int64_t)ir_type_rank(hlo_in(op, 0));
  for (size_t k = first; k <= last; ++k) {
    if (!hlo_agree(ir_type_dim(hlo_in(op, k), 0), rank))
      return ir_op_error(op, "operand '%s' is %s; it must have %lld numbers, as %s has dimensions",
                         hlo_name(op, k), hlo_text(op, hlo_in(op, k)), (ll)rank,
                         hlo_text(op, hlo_in(op, 0)));
    if (hlo_in(op, k) != hlo_in(op, first))
      return ir_op_error(op, "operands '%s' and '%s' differ in type: %s and %s",
                         hlo_name(op, first), hlo_name(op, k),
                         hlo_text(op, hlo_in(op, first)), hlo_text(op, hlo_in(op, k)));
  }
  if (ir_type_rank(hlo_out(op, 0)) != (size_t)rank)
    return ir_op_error(op, "keeps the rank; it is given %s and %s", hlo_text(op, hlo_in(op, 0)),
                       hlo_text(op, hlo_out(op, 0)));
  return hlo_expect_element(op, 0, ir_type_element(hlo_in(op, 0)));
}
iree_status_t hlo_check_dynamic_pad(ir_op_t *op) {
  int64_t between[HLO_MAX_RANK], low[HLO_MAX_RANK], high[HLO_MAX_RANK];
  IREE_RETURN_IF_ERROR(check_lists(op, 2, 4));
  if (!hlo_elements_agree(op, ir_type_element(hlo_in(op, 0)), ir_type_element(hlo_in(op, 1))))
    return ir_op_error(op, "pads %s with %s", hlo_text(op, hlo_in(op, 0)), hlo_text(op, hlo_in(op, 1)));
  int n = hlo_constant_ints(ir_operand(op, 4), between, HLO_MAX_RANK);
  for (int i = 0; i < n; ++i)
    if (between[i] < 0)
      return ir_op_error(op, "operand 'interior_padding' has %lld at %d", (ll)between[i], i);
  bool known = n >= 0 && hlo_constant_ints(ir_operand(op, 2), low, HLO_MAX_RANK) == n &&
               hlo_constant_ints(ir_operand(op, 3), high, HLO_MAX_RANK) == n;
  for (int i = 0; known && i < n; ++i) {
    int64_t dim = ir_type_dim(hlo_in(op, 0), (size_t)i), grown;
    if (dim == IR_DYNAMIC || __builtin_mul_overflow(dim ? dim - 1 : 0, between[i], &grown)) known = false;
    else low[i] += dim + grown + high[i];
  }
  return known ? hlo_expect_shape(op, 0, low, (size_t)n) : iree_ok_status();
}
static iree_status_t check_starts(ir_op_t *op, uint32_t first) {
  uint32_t rank = (uint32_t)ir_type_rank(hlo_in(op, 0));
  if (op->n_operands - first != rank)
    return ir_op_error(op, "has %u start indices for %s; it needs one per dimension",
                       op->n_operands - first, hlo_text(op, hlo_in(op, 0)));
  for (uint32_t i = first + 1; i < op->n_operands; ++i)
    if (hlo_in(op, i) != hlo_in(op, first))
      return ir_op_error(op, "start indices differ in type: %s and %s", hlo_text(op, hlo_in(op, first)),
                         hlo_text(op, hlo_in(op, i)));
  return hlo_expect_element(op, 0, ir_type_element(hlo_in(op, 0)));
}
iree_status_t hlo_check_dynamic_slice(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0);
  hlo_dims_t want = hlo_dims(op, "slice_sizes", 0, 0);
  IREE_RETURN_IF_ERROR(check_starts(op, 1));
  IREE_RETURN_IF_ERROR(hlo_check_list(op, "slice_sizes", ir_type_rank(from), 0, INT64_MAX));
  for (size_t i = 0; i < want.n; ++i)
    if (hlo_bound(from, i) != IR_DYNAMIC && want.at[i] > hlo_bound(from, i))
      return ir_op_error(op, "takes %lld of dimension %zu, which has extent %lld", (ll)want.at[i], i,
                         (ll)hlo_bound(from, i));
  return hlo_expect_shape(op, 0, want.at, want.n);
}
iree_status_t hlo_check_dynamic_update_slice(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0), update = hlo_in(op, 1);
  IREE_RETURN_IF_ERROR(check_starts(op, 2));
  if (ir_type_rank(update) != ir_type_rank(from))
    return ir_op_error(op, "updates %s with %s; the ranks differ", hlo_text(op, from),
                       hlo_text(op, update));
  if (!hlo_elements_agree(op, ir_type_element(update), ir_type_element(from)))
    return ir_op_error(op, "updates %s with %s; the element types differ", hlo_text(op, from),
                       hlo_text(op, update));
  for (size_t i = 0; i < ir_type_rank(from); ++i) {
    int64_t have = hlo_bound(from, i), put = ir_type_dim(update, i);
    if (have != IR_DYNAMIC && put != IR_DYNAMIC && put > have)
      return ir_op_error(op, "puts %lld into dimension %zu, which has extent %lld", (ll)put, i, (ll)have);
  }
  return hlo_expect_type(op, 0, from);
}
iree_status_t hlo_check_real_dynamic_slice(ir_op_t *op) {
  int64_t start[HLO_MAX_RANK], limit[HLO_MAX_RANK], stride[HLO_MAX_RANK];
  IREE_RETURN_IF_ERROR(check_lists(op, 1, 3));
  int n = hlo_constant_ints(ir_operand(op, 3), stride, HLO_MAX_RANK);
  for (int i = 0; i < n; ++i)
    if (stride[i] <= 0) return ir_op_error(op, "operand 'strides' has %lld at %d", (ll)stride[i], i);
  bool known = n >= 0 && hlo_constant_ints(ir_operand(op, 1), start, HLO_MAX_RANK) == n &&
               hlo_constant_ints(ir_operand(op, 2), limit, HLO_MAX_RANK) == n;
  if (!known) return iree_ok_status();
  for (int i = 0; i < n; ++i) {
    int64_t length;
    if (__builtin_sub_overflow(limit[i], start[i], &length) || length < 0) return iree_ok_status();
    start[i] = length / stride[i] + (length % stride[i] != 0);
  }
  return hlo_expect_shape(op, 0, start, (size_t)n);
}

iree_status_t hlo_check_dimension_size(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0);
  int64_t dim = ir_op_int(op, "dimension", 0), size;
  IREE_RETURN_IF_ERROR(hlo_check_dim(op, "dimension", dim, ir_type_rank(from)));
  if (op->kind == OP_HLO_GET_DIMENSION_SIZE) return iree_ok_status();
  hlo_dims_t want = {.n = ir_type_rank(from)};
  for (size_t i = 0; i < want.n; ++i) want.at[i] = ir_type_dim(from, i);
  int64_t have = hlo_bound(from, (size_t)dim);
  want.at[dim] = IR_DYNAMIC;
  if (hlo_constant_ints(ir_operand(op, 1), &size, 1) == 1) {
    if (size < 0 || (have != IR_DYNAMIC && size > have))
      return ir_op_error(op, "sets dimension %lld of extent %lld to %lld", (ll)dim, (ll)have, (ll)size);
  }
  IREE_RETURN_IF_ERROR(hlo_expect_element(op, 0, ir_type_element(from)));
  return hlo_expect_shape(op, 0, want.at, want.n);
}

iree_status_t hlo_check_bitcast(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0), to = hlo_out(op, 0);
  quant_type_t q;
  ir_type_t a = hlo_quant(op, from, &q) ? q.storage : ir_type_element(from);
  ir_type_t b = hlo_quant(op, to, &q) ? q.storage : ir_type_element(to);
  ir_type_t narrow = from, wide = to;
  unsigned bits = ir_type_width(a), big = ir_type_width(b);
  bool from_complex = ir_is(ir_type_element(from), IR_T_COMPLEX),
       to_complex = ir_is(ir_type_element(to), IR_T_COMPLEX);
  if (from_complex != to_complex)
    return ir_op_error(op, "goes between complex and real elements: %s and %s", hlo_text(op, from),
                       hlo_text(op, to));
  if (bits > big) {
    narrow = to, wide = from;
    bits = ir_type_width(b), big = ir_type_width(a);
  }
  size_t rank = ir_type_rank(wide), extra = bits != big;
  if (ir_type_rank(narrow) != rank + extra)
    return ir_op_error(op, "goes between %s and %s; the narrower elements need %s dimension%s",
                       hlo_text(op, from), hlo_text(op, to), extra ? "one more" : "as many",
                       extra ? "" : "s");
  for (size_t i = 0; i < rank; ++i)
    if (!hlo_agree(ir_type_dim(narrow, i), ir_type_dim(wide, i)))
      return ir_op_error(op, "changes dimension %zu from %lld to %lld", i, (ll)ir_type_dim(from, i),
                         (ll)ir_type_dim(to, i));
  int64_t last = extra ? ir_type_dim(narrow, rank) : 1;
  if (last != IR_DYNAMIC && (big % bits || last != big / bits))
    return ir_op_error(op, "%lld elements of %u bits are not one of %u", (ll)last, bits, big);
  return iree_ok_status();
}
