// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of products, factorisations, Fourier transforms and batch normalisation.
#include "compiler/dialects/stablehlo_verify.h"

#include <stdio.h>
#include <string.h>

#include "compiler/ir/printer.h"

typedef long long ll;

iree_status_t hlo_check_precision(ir_op_t *op) {
  ir_attr_t list = ir_op_attr(op, "precision_config");
  if (!list) return iree_ok_status();
  if (!ir_is(list, IR_A_ARRAY))
    return ir_op_error(op, "attribute 'precision_config' must be a list of precisions, is %s",
                       hlo_text(op, list));
  if (list->n_kids > 2)
    return ir_op_error(op, "attribute 'precision_config' has %u entries for two operands", list->n_kids);
  for (uint32_t i = 0; i < list->n_kids; ++i) {
    const char *text = hlo_text(op, ir_kid(list, i));
    if (!strstr(text, "DEFAULT") && !strstr(text, "HIGH") && !strstr(text, "PACKED_NIBBLE"))
      return ir_op_error(op, "attribute 'precision_config' has %s; there are DEFAULT, HIGH and HIGHEST",
                         text);
  }
  return iree_ok_status();
}
iree_status_t hlo_check_dot(ir_op_t *op) {
  ir_type_t lhs = hlo_in(op, 0), rhs = hlo_in(op, 1);
  size_t n = ir_type_rank(lhs), m = ir_type_rank(rhs);
  if (n < 1 || n > 2 || m < 1 || m > 2)
    return ir_op_error(op, "multiplies vectors and matrices, has %s and %s", hlo_text(op, lhs),
                       hlo_text(op, rhs));
  if (!hlo_agree(ir_type_dim(lhs, n - 1), ir_type_dim(rhs, 0)))
    return ir_op_error(op, "pairs extent %lld of lhs with %lld of rhs", (ll)ir_type_dim(lhs, n - 1),
                       (ll)ir_type_dim(rhs, 0));
  IREE_RETURN_IF_ERROR(hlo_check_precision(op));
  hlo_dims_t want = {.n = 0};
  if (n == 2) want.at[want.n++] = ir_type_dim(lhs, 0);
  if (m == 2) want.at[want.n++] = ir_type_dim(rhs, 1);
  return hlo_expect_shape(op, 0, want.at, want.n);
}

// ---- dot_general
typedef struct dot_side {
  hlo_dims_t batch, contracting, all;
} dot_side_t;
static iree_status_t read_side(ir_op_t *op, const char *side, size_t rank, dot_side_t *out) {
  ir_attr_t numbers = ir_op_attr(op, "dot_dimension_numbers");
  char name[2][40];
  memset(out, 0, sizeof *out);
  static const char *const suffixes[] = {"batching_dimensions", "contracting_dimensions"};
  for (size_t i = 0; i < 2; ++i) {
    strcpy(name[i], side);
    strcat(strcat(name[i], "_"), suffixes[i]);
  }
  out->batch = hlo_list(numbers, name[0]);
  out->contracting = hlo_list(numbers, name[1]);
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, name[0], &out->batch, rank, false));
  IREE_RETURN_IF_ERROR(hlo_check_dims(op, name[1], &out->contracting, rank, false));
  out->all = out->batch;
  for (size_t i = 0; i < out->contracting.n; ++i) {
    if (hlo_has(&out->batch, out->contracting.at[i]))
      return ir_op_error(op, "has dimension %lld of %s both in '%s' and '%s'",
                         (ll)out->contracting.at[i], side, name[0], name[1]);
    out->all.at[out->all.n++] = out->contracting.at[i];
  }
  return iree_ok_status();
}
// lhs type, rhs type, accumulator, operations: what hardware has
static const char *const algorithms[] = {
    "f16 f16 f16 1",    "f16 f16 f32 1",    "bf16 bf16 bf16 1", "bf16 bf16 f32 1", "bf16 bf16 f32 3", "bf16 bf16 f32 6",
    "bf16 bf16 f32 9",  "tf32 tf32 f32 1",  "tf32 tf32 f32 3",  "f32 f32 f32 1",   "f64 f64 f64 1",
};
static iree_status_t check_algorithm(ir_op_t *op) {
  ir_attr_t a = ir_op_attr(op, "algorithm");
  if (!a) return iree_ok_status();
  static const char *const types[] = {"lhs_precision_type", "rhs_precision_type", "accumulation_type"};
  static const char *const counts[] = {"lhs_component_count", "rhs_component_count", "num_primitive_operations"};
  char text[64];
  const char *name[3];
  for (size_t i = 0; i < 3; ++i) {
    ir_attr_t type = ir_attr_param(a, types[i]);
    if (!type) return ir_op_error(op, "has an algorithm without '%s': %s", types[i], hlo_text(op, a));
    name[i] = hlo_text(op, type);
    if (hlo_number(a, counts[i], 0) < 1)
      return ir_op_error(op, "has an algorithm with '%s' %lld; it must be positive", counts[i],
                         (ll)hlo_number(a, counts[i], 0));
  }
  snprintf(text, sizeof text, "%.15s %.15s %.15s %lld", name[0], name[1], name[2], (ll)hlo_number(a, counts[2], 0));
  ir_attr_t imprecise = ir_attr_param(a, "allow_imprecise_accumulation");
  bool narrow = !strncmp(name[0], "f8E", 3) && !strncmp(name[1], "f8E", 3) && strstr(text, " f32 1");
  bool known = narrow;
  for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; ++i)
    known = known || (!strcmp(text, algorithms[i]) && !(ir_is(imprecise, IR_A_BOOL) && ir_int(imprecise, 0)));
  if (hlo_number(a, counts[0], 0) != 1 || hlo_number(a, counts[1], 0) != 1 || !known)
    return ir_op_error(op, "has an algorithm that no hardware is known to have: %s", hlo_text(op, a));
  ir_attr_t precision = ir_op_attr(op, "precision_config");
  for (uint32_t i = 0; precision && i < precision->n_kids; ++i)
    if (strstr(hlo_text(op, ir_kid(precision, i)), "HIGH"))
      return ir_op_error(op, "has an algorithm and the precision %s; an algorithm goes with DEFAULT",
                         hlo_text(op, ir_kid(precision, i)));
  return iree_ok_status();
}
iree_status_t hlo_check_dot_general(ir_op_t *op) {
  ir_type_t lhs = hlo_in(op, 0), rhs = hlo_in(op, 1);
  dot_side_t l, r;
  IREE_RETURN_IF_ERROR(read_side(op, "lhs", ir_type_rank(lhs), &l));
  IREE_RETURN_IF_ERROR(read_side(op, "rhs", ir_type_rank(rhs), &r));
  if (l.batch.n != r.batch.n)
    return ir_op_error(op, "has %zu batching dimensions of lhs, %zu of rhs", l.batch.n, r.batch.n);
  if (l.contracting.n != r.contracting.n)
    return ir_op_error(op, "has %zu contracting dimensions of lhs, %zu of rhs", l.contracting.n,
                       r.contracting.n);
  hlo_dims_t want = {.n = 0};
  for (size_t i = 0; i < l.all.n; ++i) {
    int64_t a = ir_type_dim(lhs, (size_t)l.all.at[i]), b = ir_type_dim(rhs, (size_t)r.all.at[i]);
    if (!hlo_agree(a, b))
      return ir_op_error(op, "%s dimension %lld of lhs has extent %lld, its partner %lld of rhs %lld",
                         i < l.batch.n ? "batching" : "contracting", (ll)l.all.at[i], (ll)a,
                         (ll)r.all.at[i], (ll)b);
    if (i < l.batch.n) want.at[want.n++] = a == IR_DYNAMIC ? b : a;
  }
  for (size_t i = 0; i < ir_type_rank(lhs) && want.n < HLO_MAX_RANK; ++i)
    if (!hlo_has(&l.all, (int64_t)i)) want.at[want.n++] = ir_type_dim(lhs, i);
  for (size_t i = 0; i < ir_type_rank(rhs) && want.n < HLO_MAX_RANK; ++i)
    if (!hlo_has(&r.all, (int64_t)i)) want.at[want.n++] = ir_type_dim(rhs, i);
  IREE_RETURN_IF_ERROR(hlo_check_precision(op));
  IREE_RETURN_IF_ERROR(hlo_check_quantized_dot(op, &r.contracting));
  IREE_RETURN_IF_ERROR(check_algorithm(op));
  return hlo_expect_shape(op, 0, want.at, want.n);
}

// ---- factorisations
static iree_status_t check_square(ir_op_t *op, ir_type_t type) {
  size_t rank = ir_type_rank(type);
  if (rank < 2) return ir_op_error(op, "operand 'a' is %s; it must have rank 2 or more", hlo_text(op, type));
  if (!hlo_agree(ir_type_dim(type, rank - 1), ir_type_dim(type, rank - 2)))
    return ir_op_error(op, "operand 'a' is %s; its last two extents must be equal", hlo_text(op, type));
  return iree_ok_status();
}
iree_status_t hlo_check_cholesky(ir_op_t *op) { return check_square(op, hlo_in(op, 0)); }
iree_status_t hlo_check_triangular_solve(ir_op_t *op) {
  ir_type_t a = hlo_in(op, 0), b = hlo_in(op, 1);
  IREE_RETURN_IF_ERROR(check_square(op, a));
  size_t rank = ir_type_rank(a);
  if (ir_type_rank(b) != rank)
    return ir_op_error(op, "operands differ in rank: %s and %s", hlo_text(op, a), hlo_text(op, b));
  size_t shared = ir_op_flag(op, "left_side") ? rank - 2 : rank - 1;
  if (!hlo_agree(ir_type_dim(a, rank - 1), ir_type_dim(b, shared)))
    return ir_op_error(op, "dimension %zu of 'b' has extent %lld, 'a' has %lld", shared,
                       (ll)ir_type_dim(b, shared), (ll)ir_type_dim(a, rank - 1));
  for (size_t i = 0; i + 2 < rank; ++i)
    if (!hlo_agree(ir_type_dim(a, i), ir_type_dim(b, i)))
      return ir_op_error(op, "batch dimension %zu has extent %lld in 'a', %lld in 'b'", i,
                         (ll)ir_type_dim(a, i), (ll)ir_type_dim(b, i));
  ir_attr_t transpose = ir_op_attr(op, "transpose_a");
  if (transpose && !strcmp(ir_bytes(transpose), "TRANSPOSE_INVALID"))
    return ir_op_error(op, "attribute 'transpose_a' is TRANSPOSE_INVALID; there are NO_TRANSPOSE, TRANSPOSE and ADJOINT");
  return hlo_expect_type(op, 0, b);
}

// ---- fft: complex to complex, real to half of complex, and back
iree_status_t hlo_check_fft(ir_op_t *op) {
  ir_type_t from = hlo_in(op, 0), element = ir_type_element(from);
  const char *kind = ir_bytes(ir_op_attr(op, "fft_type"));
  hlo_dims_t length = hlo_dims(op, "fft_length", 0, 0), want = {.n = ir_type_rank(from)};
  bool real_in = !strcmp(kind, "RFFT"), real_out = !strcmp(kind, "IRFFT");
  if (length.n < 1 || length.n > 3)
    return ir_op_error(op, "attribute 'fft_length' has %zu entries; there are 1 to 3", length.n);
  if (want.n < length.n)
    return ir_op_error(op, "transforms %zu dimensions of %s", length.n, hlo_text(op, from));
  if (real_in == ir_is(element, IR_T_COMPLEX))
    return ir_op_error(op, "operand 'operand' is %s; %s takes %s", hlo_text(op, from), kind,
                       real_in ? "f32 or f64" : "complex numbers");
  if (real_in && ir_float_kind(element) != IR_F32 && ir_float_kind(element) != IR_F64)
    return ir_op_error(op, "operand 'operand' is %s; RFFT takes f32 or f64", hlo_text(op, from));
  ir_type_t result = real_in    ? ir_type_complex(ir_op_ctx(op), element)
                     : real_out ? ir_kid(element, 0)
                                : element;
  for (size_t i = 0; i < want.n; ++i) want.at[i] = ir_type_dim(from, i);
  for (size_t i = 0; i < length.n; ++i) {
    size_t dim = want.n - length.n + i;
    bool half = i + 1 == length.n && real_out, none = ir_type_dim(from, dim) == 0 && length.at[i] == 0;
    int64_t have = half && !none ? length.at[i] / 2 + 1 : length.at[i];
    if (!hlo_agree(ir_type_dim(from, dim), have))
      return ir_op_error(op, "dimension %zu of the operand has extent %lld; length %lld of %s needs %lld",
                         dim, (ll)ir_type_dim(from, dim), (ll)length.at[i], kind, (ll)have);
    if (i + 1 == length.n && real_in)
      want.at[dim] = ir_type_dim(from, dim) == 0 ? 0 : length.at[i] / 2 + 1;
    if (half) want.at[dim] = length.at[i];
  }
  IREE_RETURN_IF_ERROR(hlo_expect_element(op, 0, result));
  return hlo_expect_shape(op, 0, want.at, want.n);
}

// ---- batch normalisation: every vector has the feature's extent
iree_status_t hlo_check_batch_norm(ir_op_t *op) {
  ir_type_t type = hlo_in(op, 0);
  int64_t feature = ir_op_int(op, "feature_index", 0);
  IREE_RETURN_IF_ERROR(hlo_check_dim(op, "feature_index", feature, ir_type_rank(type)));
  int64_t extent = ir_type_dim(type, (size_t)feature);
  for (uint32_t i = 1; i < op->n_operands; ++i) {
    ir_type_t other = hlo_in(op, i);
    if (ir_type_rank(other) != 1 || *hlo_name(op, i) == 'g') {
      if (!hlo_shapes_agree(other, type))
        return ir_op_error(op, "operand '%s' is %s; it must have the shape of %s",
                           hlo_name(op, i), hlo_text(op, other), hlo_text(op, type));
    } else if (!hlo_agree(ir_type_dim(other, 0), extent)) {
      return ir_op_error(op, "operand '%s' has %lld elements, the feature dimension %lld",
                         hlo_name(op, i), (ll)ir_type_dim(other, 0), (ll)extent);
    }
  }
  IREE_RETURN_IF_ERROR(hlo_expect_shape(op, 0, ir_type_dims(type), ir_type_rank(type)));
  for (uint32_t i = 1; i < op->n_results; ++i)
    IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, &extent, 1));
  return iree_ok_status();
}
