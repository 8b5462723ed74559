// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of CHLO ops beyond their types.
#include "compiler/dialects/stablehlo_verify.h"

typedef long long ll;

// ---- implicit broadcasts: the lower rank is matched to trailing dimensions, or by the attribute
static bool broadcast_dim(int64_t a, int64_t b, int64_t *out) {
  if (a == 1 || a == b) *out = b;
  else if (b == 1) *out = a;
  else if (a == IR_DYNAMIC || b == IR_DYNAMIC) *out = a == IR_DYNAMIC ? b : a;
  else return false;
  return true;
}
static iree_status_t broadcast_shape(ir_op_t *op, hlo_dims_t *out) {
  *out = (hlo_dims_t){.n = 0};
  ir_attr_t dims = ir_op_attr(op, "broadcast_dimensions");
  size_t low = SIZE_MAX;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (ir_type_rank(hlo_in(op, i)) > out->n) out->n = ir_type_rank(hlo_in(op, i));
  for (size_t k = 0; k < out->n; ++k) out->at[k] = 1;
  for (uint32_t i = 0; dims && i < op->n_operands; ++i)
    if (ir_type_rank(hlo_in(op, i)) < out->n && low == SIZE_MAX) low = i;
  if (dims && low != SIZE_MAX) {
    hlo_dims_t list = hlo_dims(op, "broadcast_dimensions", 0, 0);
    IREE_RETURN_IF_ERROR(hlo_check_list(op, "broadcast_dimensions", ir_type_rank(hlo_in(op, low)), 0, (int64_t)out->n));
    IREE_RETURN_IF_ERROR(hlo_check_dims(op, "broadcast_dimensions", &list, out->n, true));
  }
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = hlo_in(op, i);
    for (size_t k = 0; k < ir_type_rank(type); ++k) {
      size_t to = i == low ? (size_t)ir_int(dims, k) : out->n - ir_type_rank(type) + k;
      int64_t have = ir_type_dim(type, k), before = out->at[to];
      if (!broadcast_dim(have, before, &out->at[to]))
        return ir_op_error(op, "cannot broadcast extent %lld of operand %u to extent %lld of dimension %zu", (ll)have, i,
                           (ll)before, to);
    }
  }
  return iree_ok_status();
}
iree_status_t chlo_check_broadcast(ir_op_t *op) {
  hlo_dims_t want;
  uint32_t first = op->kind == OP_CHLO_BROADCAST_SELECT;
  ir_type_t element = ir_type_element(hlo_in(op, first));
  for (uint32_t i = first + 1; i < op->n_operands; ++i)
    if (!hlo_elements_agree(op, ir_type_element(hlo_in(op, i)), element))
      return ir_op_error(op, "needs operands of one element type, has %s and %s", hlo_text(op, hlo_in(op, first)),
                         hlo_text(op, hlo_in(op, i)));
  IREE_RETURN_IF_ERROR(broadcast_shape(op, &want));
  IREE_RETURN_IF_ERROR(hlo_expect_shape(op, 0, want.at, want.n));
  if (op->kind == OP_CHLO_BROADCAST_COMPARE) return hlo_expect_element(op, 0, ir_type_i(ir_op_ctx(op), 1));
  if (op->kind == OP_CHLO_BROADCAST_COMPLEX) element = ir_type_complex(ir_op_ctx(op), element);
  return hlo_expect_element(op, 0, element);
}

// ---- constants, top_k
iree_status_t chlo_check_constant_like(ir_op_t *op) {
  ir_attr_t value = ir_op_attr(op, "value");
  if (!ir_is(value, IR_A_INT) && !ir_is(value, IR_A_FLOAT)) return iree_ok_status();
  return hlo_expect_element(op, 0, ir_kid(value, 0));
}
iree_status_t chlo_check_top_k(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0);
  hlo_dims_t want = {.n = ir_type_rank(from)};
  int64_t k = ir_op_int(op, "k", 0);
  if (!want.n) return ir_op_error(op, "operand is %s; it must have a dimension", hlo_text(op, from));
  for (size_t i = 0; i < want.n; ++i) want.at[i] = ir_type_dim(from, i);
  int64_t last = hlo_bound(from, want.n - 1);
  if (last != IR_DYNAMIC && k > last)
    return ir_op_error(op, "takes the top %lld of %lld elements", (ll)k, (ll)last);
  want.at[want.n - 1] = k;
  IREE_RETURN_IF_ERROR(hlo_expect_element(op, 0, ir_type_element(from)));
  IREE_RETURN_IF_ERROR(hlo_expect_shape(op, 0, want.at, want.n));
  return hlo_expect_shape(op, 1, want.at, want.n);
}

// ---- ragged_dot: one dimension of lhs is cut in groups, whose sizes are an operand
typedef struct ragged {
  hlo_dims_t lb, rb, lc, rc, lr, rg;
} ragged_t;
static iree_status_t read_ragged(ir_op_t *op, ragged_t *r) {
  ir_attr_t a = ir_op_attr(op, "ragged_dot_dimension_numbers");
  static const char *const names[] = {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                                      "rhs_contracting_dimensions", "lhs_ragged_dimensions", "rhs_group_dimensions"};
  hlo_dims_t *lists[] = {&r->lb, &r->rb, &r->lc, &r->rc, &r->lr, &r->rg};
  for (size_t i = 0; i < 6; ++i) {
    *lists[i] = hlo_list(a, names[i]);
    IREE_RETURN_IF_ERROR(hlo_check_dims(op, names[i], lists[i], ir_type_rank(hlo_in(op, i % 2)), false));
    for (size_t k = i % 2; k < i && i != 4; k += 2)
      for (size_t d = 0; d < lists[i]->n; ++d)
        if (hlo_has(lists[k], lists[i]->at[d]))
          return ir_op_error(op, "has dimension %lld both in '%s' and in '%s'", (ll)lists[i]->at[d], names[k], names[i]);
  }
  for (size_t i = 0; i < 4; i += 2)
    if (lists[i]->n != lists[i + 1]->n)
      return ir_op_error(op, "'%s' has %zu entries, '%s' %zu", names[i], lists[i]->n, names[i + 1], lists[i + 1]->n);
  for (size_t i = 0; i < 4; i += 2)
    for (size_t d = 0; d < lists[i]->n; ++d) {
      int64_t x = ir_type_dim(hlo_in(op, 0), (size_t)lists[i]->at[d]),
              y = ir_type_dim(hlo_in(op, 1), (size_t)lists[i + 1]->at[d]);
      if (!hlo_agree(x, y))
        return ir_op_error(op, "'%s' pairs extent %lld of lhs with %lld of rhs", names[i], (ll)x, (ll)y);
    }
  if (r->lr.n != 1) return ir_op_error(op, "has %zu ragged dimensions of lhs; it must have one", r->lr.n);
  bool within = hlo_has(&r->lb, r->lr.at[0]) || hlo_has(&r->lc, r->lr.at[0]);
  if (r->rg.n != !within)
    return ir_op_error(op, "has %zu group dimensions of rhs; with a ragged dimension that is %s it must have %d", r->rg.n,
                       within ? "batching or contracting" : "neither batching nor contracting", !within);
  return iree_ok_status();
}
// The sizes are one list, or one per position of the dimensions that come before the ragged one.
static iree_status_t check_group_sizes(ir_op_t *op, const ragged_t *r) {
  ir_type_t lhs = hlo_in(op, 0), sizes = hlo_in(op, 2);
  int64_t ragged = r->lr.at[0];
  size_t rank = ir_type_rank(sizes);
  hlo_dims_t want = {.n = 0};
  bool is_batch = hlo_has(&r->lb, ragged), is_contracting = hlo_has(&r->lc, ragged);
  for (size_t i = 0; i < r->lb.n && !(is_batch && r->lb.at[i] == ragged); ++i)
    want.at[want.n++] = ir_type_dim(lhs, (size_t)r->lb.at[i]);
  for (size_t i = 0; is_contracting && r->lc.at[i] != ragged; ++i) want.at[want.n++] = ir_type_dim(lhs, (size_t)r->lc.at[i]);
  for (int64_t i = 0; !is_batch && !is_contracting && i < ragged; ++i)
    if (!hlo_has(&r->lb, i) && !hlo_has(&r->lc, i)) want.at[want.n++] = ir_type_dim(lhs, (size_t)i);
  want.at[want.n++] = rank ? ir_type_dim(sizes, rank - 1) : 1;
  bool fits = rank == want.n;
  for (size_t i = 0; fits && i < rank; ++i) fits = hlo_agree(ir_type_dim(sizes, i), want.at[i]);
  if (fits || rank == 1) return iree_ok_status();
  return ir_op_error(op, "operand 'group_sizes' is %s; its shape must be %s, or of rank 1", hlo_text(op, sizes),
                     hlo_shape_text(op, want.at, want.n));
}
iree_status_t chlo_check_ragged_dot(ir_op_t *op) {
  ragged_t r;
  ir_type_t lhs = hlo_in(op, 0), rhs = hlo_in(op, 1), sizes = hlo_in(op, 2);
  IREE_RETURN_IF_ERROR(read_ragged(op, &r));
  IREE_RETURN_IF_ERROR(hlo_check_precision(op));
  IREE_RETURN_IF_ERROR(check_group_sizes(op, &r));
  int64_t groups = ir_type_rank(sizes) ? ir_type_dim(sizes, ir_type_rank(sizes) - 1) : 1;
  if (r.rg.n && !hlo_agree(groups, ir_type_dim(rhs, (size_t)r.rg.at[0])))
    return ir_op_error(op, "has %lld groups, dimension %lld of rhs has %lld", (ll)groups, (ll)r.rg.at[0],
                       (ll)ir_type_dim(rhs, (size_t)r.rg.at[0]));
  hlo_dims_t want = {.n = 0};
  if (hlo_has(&r.lc, r.lr.at[0])) want.at[want.n++] = groups;
  for (size_t i = 0; i < r.lb.n; ++i) want.at[want.n++] = ir_type_dim(lhs, (size_t)r.lb.at[i]);
  for (size_t i = 0; i < ir_type_rank(lhs) && want.n < HLO_MAX_RANK; ++i)
    if (!hlo_has(&r.lb, (int64_t)i) && !hlo_has(&r.lc, (int64_t)i)) want.at[want.n++] = ir_type_dim(lhs, i);
  for (size_t i = 0; i < ir_type_rank(rhs) && want.n < HLO_MAX_RANK; ++i)
    if (!hlo_has(&r.rb, (int64_t)i) && !hlo_has(&r.rc, (int64_t)i) && !hlo_has(&r.rg, (int64_t)i))
      want.at[want.n++] = ir_type_dim(rhs, i);
  return hlo_expect_shape(op, 0, want.at, want.n);
}
