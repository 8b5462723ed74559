// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the StableHLO specification constrains of shapes and attributes. Lowerings rely on these.
#include "compiler/dialects/stablehlo_verify.h"

#include <string.h>

#include "compiler/dialects/quant_type.h"
#include "compiler/dialects/stablehlo.h"
#include "compiler/ir/printer.h"

typedef long long ll;

static bool is_tensor(ir_type_t type) { return ir_is(type, IR_T_TENSOR); }
static bool agree(int64_t a, int64_t b) { return a == b || a == IR_DYNAMIC || b == IR_DYNAMIC; }
static bool shapes_agree(ir_type_t a, ir_type_t b) {
  if (ir_type_rank(a) != ir_type_rank(b)) return false;
  for (size_t i = 0; i < ir_type_rank(a); ++i)
    if (!agree(ir_type_dim(a, i), ir_type_dim(b, i))) return false;
  return true;
}
static bool is_supported_element(ir_type_t t) {
  if (!ir_is(t, IR_T_INTEGER)) return !ir_is(t, IR_T_INDEX);
  unsigned width = ir_type_width(t);
  return width && width <= 64 && !(width & (width - 1));
}
static iree_status_t check_element(ir_op_t *op, ir_type_t type) {
  const char *wrong = quant_type_check(ir_op_ctx(op), type);
  if (wrong)
    return ir_op_error(op, "has elements of a type that %s: %s", wrong,
                       ir_print_term_to(ir_arena(ir_op_ctx(op)), ir_type_element(type)));
  if (is_supported_element(ir_type_element(type))) return iree_ok_status();
  return ir_op_error(
      op, "is not defined on elements of type %s; use integers of 1, 2, 4, 8, 16, 32 or 64 bits",
      ir_print_term_to(ir_arena(ir_op_ctx(op)), ir_type_element(type)));
}
static iree_status_t all_tensors(ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!is_tensor(ir_operand(op, i)->type))
      return ir_op_error(op, "operand %u is not a ranked tensor", i);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!is_tensor(ir_result(op, i)->type))
      return ir_op_error(op, "result %u is not a ranked tensor", i);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (ir_type_rank(ir_operand(op, i)->type) > HLO_MAX_RANK)
      return ir_op_error(op, "operand %u has more than %d dimensions", i, HLO_MAX_RANK);
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (ir_type_rank(ir_result(op, i)->type) > HLO_MAX_RANK)
      return ir_op_error(op, "result %u has more than %d dimensions", i, HLO_MAX_RANK);
  for (uint32_t i = 0; i < op->n_results; ++i)
    IREE_RETURN_IF_ERROR(check_element(op, ir_result(op, i)->type));
  return iree_ok_status();
}
// A list attribute of |op| must have |n| entries, each in [low, high).
static iree_status_t check_list(ir_op_t *op, const char *name, size_t n, int64_t low,
                                int64_t high) {
  ir_attr_t list = ir_op_attr(op, name);
  if (!list) return iree_ok_status();
  if (list->n_ints != n)
    return ir_op_error(op, "'%s' has %u entries, %zu expected", name, list->n_ints, n);
  for (uint32_t i = 0; i < n; ++i)
    if (ir_int(list, i) < low || ir_int(list, i) >= high)
      return ir_op_error(op, "'%s' entry %u is %lld, out of range", name, i, (ll)ir_int(list, i));
  return iree_ok_status();
}
static iree_status_t check_dims(ir_op_t *op, const char *what, const hlo_dims_t *dims,
                                size_t rank) {
  for (size_t i = 0; i < dims->n; ++i) {
    if (dims->at[i] < 0 || dims->at[i] >= (int64_t)rank)
      return ir_op_error(op, "%s names dimension %lld of rank %zu", what, (ll)dims->at[i], rank);
    for (size_t k = 0; k < i; ++k)
      if (dims->at[k] == dims->at[i])
        return ir_op_error(op, "%s names dimension %lld twice", what, (ll)dims->at[i]);
  }
  return iree_ok_status();
}
// A region of one block of |n| scalars ending in stablehlo.return of |n_results|.
static iree_status_t check_body(ir_op_t *op, size_t region, uint32_t n_args, uint32_t n_results) {
  ir_block_t *b = region < op->n_regions ? op->regions[region]->first : NULL;
  if (!b || b->next || b->n_args != n_args)
    return ir_op_error(op, "needs a region of one block with %u arguments", n_args);
  if (!ir_op_is(b->last, OP_HLO_RETURN) || b->last->n_operands != n_results)
    return ir_op_error(op, "needs a region that returns %u value%s", n_results,
                       n_results == 1 ? "" : "s");
  return iree_ok_status();
}

// Of a body that check_body accepted: argument |k|, argument |l| and result |i| are scalars of one
// type, and a reduction from |from| can be done in it.
static iree_status_t check_reducer(ir_op_t *op, uint32_t i, uint32_t k, uint32_t l,
                                   ir_type_t from) {
  ir_block_t *b = op->regions[0]->first;
  ir_type_t type = b->args[k]->type;
  if (!is_tensor(type) || ir_type_rank(type) || b->args[l]->type != type ||
      ir_operand(b->last, i)->type != type)
    return ir_op_error(
        op, "needs a region on scalar tensors that returns value %u of its arguments' type", i);
  ir_type_t have = ir_type_element(from), in = ir_type_element(type);
  if (have != in && (have->kind != in->kind ||
                     (ir_is(in, IR_T_INTEGER) && ir_type_width(in) < ir_type_width(have))))
    return ir_op_error(op, "value %u has another element type than its region's arguments", i);
  return iree_ok_status();
}

static int64_t stored_bits(ir_op_t *op, ir_type_t type) {
  quant_type_t q;
  if (!quant_is(ir_type_element(type))) return ir_type_width(ir_type_element(type));
  return quant_type_read(ir_op_ctx(op), ir_type_element(type), &q) ? 0 : ir_type_width(q.storage);
}
iree_status_t hlo_verify_bitcast(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_type_t from = ir_operand(op, 0)->type, to = ir_result(op, 0)->type;
  size_t n = ir_type_rank(from), m = ir_type_rank(to), same = n < m ? n : m;
  int64_t from_bits = stored_bits(op, from), to_bits = stored_bits(op, to);
  if (n > m) from_bits *= ir_type_dim(from, n - 1);
  if (m > n) to_bits *= ir_type_dim(to, m - 1);
  if ((n > m ? n - m : m - n) > 1 || from_bits != to_bits)
    return ir_op_error(
        op, "needs as many bits on both sides; a last dimension makes up for narrower elements");
  for (size_t i = 0; i < same; ++i)
    if (!agree(ir_type_dim(from, i), ir_type_dim(to, i)))
      return ir_op_error(op, "changes dimension %zu", i);
  return iree_ok_status();
}
iree_status_t hlo_verify_constant(ir_op_t *op) {
  ir_attr_t value = ir_op_attr(op, "value");
  ir_type_t type = ir_result(op, 0)->type;
  if (!ir_is(value, IR_A_DENSE) && !ir_is(value, IR_A_RESOURCE)) return iree_ok_status();
  ir_type_t given = ir_kid(value, 0);
  if (given == type) return iree_ok_status();
  if (!quant_is(ir_type_element(type)) || !shapes_agree(given, type) ||
      !ir_is(ir_type_element(given), IR_T_INTEGER) ||
      ir_type_width(ir_type_element(given)) != stored_bits(op, type))
    return ir_op_error(op, "has a value of another type; quantised ones are given as what is stored");
  return check_element(op, type);
}
iree_status_t hlo_verify_iota(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_type_t to = ir_result(op, 0)->type;
  int64_t dim = ir_op_int(op, "iota_dimension", -1);
  if (op->kind == OP_HLO_IOTA && ir_type_n_dynamic(to))
    return ir_op_error(op, "needs a static shape; stablehlo.dynamic_iota takes one at run time");
  if (dim < 0 || dim >= (int64_t)ir_type_rank(to))
    return ir_op_error(op, "has no dimension %lld", (ll)dim);
  if (ir_type_is_int(ir_type_element(to), 1)) return ir_op_error(op, "cannot count in i1");
  return iree_ok_status();
}

iree_status_t hlo_verify_elementwise(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_type_t result = ir_result(op, 0)->type;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_type_t type = ir_operand(op, i)->type;
    bool scalar = ir_type_rank(type) == 0 &&
                  (op->kind == OP_HLO_SELECT ? i == 0 : op->kind == OP_HLO_CLAMP && i != 1);
    if (!scalar && !shapes_agree(type, result))
      return ir_op_error(op, "operand %u and the result differ in shape", i);
  }
  if (op->kind == OP_HLO_SELECT && !ir_type_is_int(ir_type_element(ir_operand(op, 0)->type), 1))
    return ir_op_error(op, "needs a predicate of i1");
  if (op->kind == OP_HLO_COMPARE && !ir_type_is_int(ir_type_element(result), 1))
    return ir_op_error(op, "gives a tensor of i1");
  uint32_t first = op->kind == OP_HLO_SELECT;
  for (uint32_t i = first + 1; i < op->n_operands; ++i) {
    ir_type_t a = ir_type_element(ir_operand(op, first)->type),
              b = ir_type_element(ir_operand(op, i)->type);
    if (a != b && !(quant_is(a) && quant_is(b)))  // each has its own scale
      return ir_op_error(op, "operands differ in element type");
  }
  return iree_ok_status();
}

static iree_status_t verify_broadcast(ir_op_t *op, ir_type_t from, ir_type_t to) {
  hlo_dims_t dims = hlo_dims(op, "broadcast_dimensions", 0, 0);
  IREE_RETURN_IF_ERROR(
      check_list(op, "broadcast_dimensions", ir_type_rank(from), 0, (int64_t)ir_type_rank(to)));
  IREE_RETURN_IF_ERROR(check_dims(op, "'broadcast_dimensions'", &dims, ir_type_rank(to)));
  for (size_t i = 0; i < dims.n; ++i) {
    int64_t d = ir_type_dim(from, i);
    if (d != 1 && !agree(d, ir_type_dim(to, (size_t)dims.at[i])))
      return ir_op_error(op, "cannot broadcast extent %lld to %lld", (ll)d,
                         (ll)ir_type_dim(to, (size_t)dims.at[i]));
  }
  return iree_ok_status();
}
static iree_status_t verify_slice(ir_op_t *op, ir_type_t from, ir_type_t to) {
  size_t rank = ir_type_rank(from);
  IREE_RETURN_IF_ERROR(check_list(op, "start_indices", rank, 0, INT64_MAX));
  IREE_RETURN_IF_ERROR(check_list(op, "limit_indices", rank, 0, INT64_MAX));
  IREE_RETURN_IF_ERROR(check_list(op, "strides", rank, 1, INT64_MAX));
  if (ir_type_rank(to) != rank) return ir_op_error(op, "keeps the rank");
  for (size_t i = 0; i < rank; ++i) {
    int64_t start = ir_int(ir_op_attr(op, "start_indices"), i),
            limit = ir_int(ir_op_attr(op, "limit_indices"), i);
    int64_t stride = ir_int(ir_op_attr(op, "strides"), i), dim = ir_type_dim(from, i);
    if (start > limit || (dim != IR_DYNAMIC && limit > dim))
      return ir_op_error(op, "range %lld:%lld leaves extent %lld of dimension %zu", (ll)start,
                         (ll)limit, (ll)dim, i);
    if (!agree(ir_type_dim(to, i), (limit - start) / stride + ((limit - start) % stride != 0)))
      return ir_op_error(op, "dimension %zu of the result has extent %lld, not that of the range",
                         i, (ll)ir_type_dim(to, i));
  }
  return iree_ok_status();
}
static iree_status_t verify_pad(ir_op_t *op, ir_type_t from, ir_type_t to) {
  size_t rank = ir_type_rank(from);
  const int64_t bound = (int64_t)1 << 40;
  IREE_RETURN_IF_ERROR(check_list(op, "edge_padding_low", rank, -bound, bound));
  IREE_RETURN_IF_ERROR(check_list(op, "edge_padding_high", rank, -bound, bound));
  IREE_RETURN_IF_ERROR(check_list(op, "interior_padding", rank, 0, bound));
  if (ir_type_rank(to) != rank || ir_type_rank(ir_operand(op, 1)->type))
    return ir_op_error(op, "keeps the rank and pads with a scalar");
  for (size_t i = 0; i < rank; ++i) {
    int64_t dim = ir_type_dim(from, i);
    if (dim == IR_DYNAMIC) continue;
    int64_t want = dim + (dim ? (dim - 1) * ir_int(ir_op_attr(op, "interior_padding"), i) : 0) +
                   ir_int(ir_op_attr(op, "edge_padding_low"), i) +
                   ir_int(ir_op_attr(op, "edge_padding_high"), i);
    if (want < 0 || !agree(want, ir_type_dim(to, i)))
      return ir_op_error(op, "dimension %zu of the result is %lld, padding gives %lld", i,
                         (ll)ir_type_dim(to, i), (ll)want);
  }
  return iree_ok_status();
}
static iree_status_t verify_concatenate(ir_op_t *op, ir_type_t to) {
  int64_t dim = ir_op_int(op, "dimension", -1), sum = 0;
  if (!op->n_operands) return ir_op_error(op, "needs an operand");
  if (dim < 0 || dim >= (int64_t)ir_type_rank(to))
    return ir_op_error(op, "has no dimension %lld", (ll)dim);
  for (uint32_t k = 0; k < op->n_operands; ++k) {
    ir_type_t from = ir_operand(op, k)->type;
    if (ir_type_rank(from) != ir_type_rank(to))
      return ir_op_error(op, "operand %u differs in rank", k);
    for (size_t i = 0; i < ir_type_rank(to); ++i)
      if ((int64_t)i != dim && !agree(ir_type_dim(from, i), ir_type_dim(to, i)))
        return ir_op_error(op, "operand %u differs in dimension %zu", k, i);
    int64_t extent = ir_type_dim(from, (size_t)dim);
    sum = extent == IR_DYNAMIC || sum == IR_DYNAMIC ? IR_DYNAMIC : sum + extent;
  }
  if (!agree(sum, ir_type_dim(to, (size_t)dim)))
    return ir_op_error(op, "operands sum to extent %lld, the result has %lld", (ll)sum,
                       (ll)ir_type_dim(to, (size_t)dim));
  return iree_ok_status();
}
static iree_status_t check_starts(ir_op_t *op, uint32_t first) {
  for (uint32_t i = first; i < op->n_operands; ++i)
    if (ir_type_rank(ir_operand(op, i)->type) ||
        !ir_is(ir_type_element(ir_operand(op, i)->type), IR_T_INTEGER))
      return ir_op_error(op, "start index %u is not a scalar integer", i - first);
  return iree_ok_status();
}
// Quantised per axis, the number of the axis may change with the shape.
static bool stores_alike(ir_op_t *op, ir_type_t from, ir_type_t to) {
  quant_type_t a, b;
  return quant_is(ir_type_element(from)) && quant_is(ir_type_element(to)) &&
         !quant_type_read(ir_op_ctx(op), ir_type_element(from), &a) &&
         !quant_type_read(ir_op_ctx(op), ir_type_element(to), &b) && quant_same_baseline(&a, &b);
}
iree_status_t hlo_verify_shape(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_type_t to = ir_result(op, 0)->type, from = op->n_operands ? ir_operand(op, 0)->type : to;
  size_t rank = ir_type_rank(from);
  if (op->n_operands && ir_type_element(from) != ir_type_element(to) && !stores_alike(op, from, to))
    return ir_op_error(op, "changes the element type");
  switch (op->kind) {
    case OP_HLO_BROADCAST_IN_DIM:
    case OP_HLO_DYNAMIC_BROADCAST_IN_DIM:
      return verify_broadcast(op, from, to);
    case OP_HLO_RESHAPE:
      if (ir_type_is_static(from) && ir_type_is_static(to) &&
          ir_type_n_elements(from) != ir_type_n_elements(to))
        return ir_op_error(op, "%lld elements cannot take a shape of %lld",
                           (ll)ir_type_n_elements(from), (ll)ir_type_n_elements(to));
      return iree_ok_status();
    case OP_HLO_TRANSPOSE: {
      hlo_dims_t dims = hlo_dims(op, "permutation", 0, 0);
      if (dims.n != rank || ir_type_rank(to) != rank)
        return ir_op_error(op, "needs a permutation of %zu dimensions", rank);
      IREE_RETURN_IF_ERROR(check_dims(op, "'permutation'", &dims, rank));
      for (size_t i = 0; i < rank; ++i)
        if (!agree(ir_type_dim(to, i), ir_type_dim(from, (size_t)dims.at[i])))
          return ir_op_error(op, "dimension %zu of the result has the wrong extent", i);
      return iree_ok_status();
    }
    case OP_HLO_SLICE:
      return verify_slice(op, from, to);
    case OP_HLO_PAD:
      return verify_pad(op, from, to);
    case OP_HLO_CONCATENATE:
      return verify_concatenate(op, to);
    case OP_HLO_REVERSE: {
      hlo_dims_t dims = hlo_dims(op, "dimensions", 0, 0);
      return check_dims(op, "'dimensions'", &dims, rank);
    }
    case OP_HLO_DYNAMIC_SLICE: {
      IREE_RETURN_IF_ERROR(check_list(op, "slice_sizes", rank, 0, INT64_MAX));
      IREE_RETURN_IF_ERROR(check_starts(op, 1));
      if (op->n_operands != rank + 1 || ir_type_rank(to) != rank)
        return ir_op_error(op, "needs one start index per dimension");
      for (size_t i = 0; i < rank; ++i)
        if (ir_type_dim(from, i) != IR_DYNAMIC &&
            ir_int(ir_op_attr(op, "slice_sizes"), i) > ir_type_dim(from, i))
          return ir_op_error(op, "slice of %lld exceeds extent %lld",
                             (ll)ir_int(ir_op_attr(op, "slice_sizes"), i),
                             (ll)ir_type_dim(from, i));
      return iree_ok_status();
    }
    case OP_HLO_DYNAMIC_UPDATE_SLICE: {
      ir_type_t update = ir_operand(op, 1)->type;
      IREE_RETURN_IF_ERROR(check_starts(op, 2));
      if (op->n_operands != rank + 2 || ir_type_rank(update) != rank)
        return ir_op_error(op, "needs one start index per dimension and an update of equal rank");
      for (size_t i = 0; i < rank; ++i)
        if (ir_type_dim(from, i) != IR_DYNAMIC && ir_type_dim(update, i) != IR_DYNAMIC &&
            ir_type_dim(update, i) > ir_type_dim(from, i))
          return ir_op_error(op, "update of %lld exceeds extent %lld", (ll)ir_type_dim(update, i),
                             (ll)ir_type_dim(from, i));
      return iree_ok_status();
    }
    default:
      return iree_ok_status();
  }
}

iree_status_t hlo_verify_dot_general(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_attr_t numbers = ir_op_attr(op, "dot_dimension_numbers");
  ir_type_t lhs = ir_operand(op, 0)->type, rhs = ir_operand(op, 1)->type,
            to = ir_result(op, 0)->type;
  hlo_dims_t lb = hlo_list(numbers, "lhs_batching_dimensions"),
             rb = hlo_list(numbers, "rhs_batching_dimensions");
  hlo_dims_t lc = hlo_list(numbers, "lhs_contracting_dimensions"),
             rc = hlo_list(numbers, "rhs_contracting_dimensions");
  if (lb.n != rb.n || lc.n != rc.n)
    return ir_op_error(op, "pairs batching and contracting dimensions of both sides");
  hlo_dims_t l = lb, r = rb;
  for (size_t i = 0; i < lc.n && l.n < HLO_MAX_RANK; ++i)
    l.at[l.n++] = lc.at[i], r.at[r.n++] = rc.at[i];
  IREE_RETURN_IF_ERROR(check_dims(op, "lhs", &l, ir_type_rank(lhs)));
  IREE_RETURN_IF_ERROR(check_dims(op, "rhs", &r, ir_type_rank(rhs)));
  for (size_t i = 0; i < l.n; ++i)
    if (!agree(ir_type_dim(lhs, (size_t)l.at[i]), ir_type_dim(rhs, (size_t)r.at[i])))
      return ir_op_error(op, "pairs extent %lld of lhs with %lld of rhs",
                         (ll)ir_type_dim(lhs, (size_t)l.at[i]),
                         (ll)ir_type_dim(rhs, (size_t)r.at[i]));
  if (ir_type_rank(to) != ir_type_rank(lhs) + ir_type_rank(rhs) - 2 * lc.n - lb.n)
    return ir_op_error(op, "gives the wrong rank");
  return iree_ok_status();
}

iree_status_t hlo_verify_convolution(ir_op_t *op) {
  hlo_conv_t c;
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_type_t lhs = ir_operand(op, 0)->type, rhs = ir_operand(op, 1)->type,
            to = ir_result(op, 0)->type;
  if (!hlo_conv_dims(ir_op_attr(op, "dimension_numbers"), &c))
    return ir_op_error(op, "has dimension numbers that do not parse");
  if (ir_type_rank(lhs) != c.n_spatial + 2 || ir_type_rank(rhs) != c.n_spatial + 2 ||
      ir_type_rank(to) != c.n_spatial + 2)
    return ir_op_error(op, "takes tensors of rank %zu", c.n_spatial + 2);
  static const char *const lists[] = {"window_strides", "lhs_dilation", "rhs_dilation"};
  for (size_t i = 0; i < 3; ++i)
    IREE_RETURN_IF_ERROR(check_list(op, lists[i], c.n_spatial, 1, (int64_t)1 << 40));
  IREE_RETURN_IF_ERROR(check_list(op, "window_reversal", c.n_spatial, INT64_MIN, INT64_MAX));
  int64_t groups = ir_op_int(op, "feature_group_count", 1),
          batches = ir_op_int(op, "batch_group_count", 1);
  if (groups < 1 || batches < 1 || (groups > 1 && batches > 1))
    return ir_op_error(op, "groups either features or batches, by a positive count");
  int64_t features = ir_type_dim(lhs, (size_t)c.input_feature),
          inputs = ir_type_dim(rhs, (size_t)c.kernel_input);
  int64_t outputs = ir_type_dim(rhs, (size_t)c.kernel_output),
          batch = ir_type_dim(lhs, (size_t)c.input_batch);
  if (inputs != IR_DYNAMIC && features != IR_DYNAMIC && inputs * groups != features)
    return ir_op_error(op, "has %lld input features for %lld kernel inputs in %lld groups",
                       (ll)features, (ll)inputs, (ll)groups);
  if (outputs != IR_DYNAMIC && (outputs % groups || outputs % batches))
    return ir_op_error(op, "has %lld outputs, not a multiple of the groups", (ll)outputs);
  if (batch != IR_DYNAMIC && batch % batches)
    return ir_op_error(op, "has a batch of %lld, not a multiple of %lld groups", (ll)batch,
                       (ll)batches);
  return iree_ok_status();
}

iree_status_t hlo_verify_reduce(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_group_t in = ir_operand_group_at(op, 0), init = ir_operand_group_at(op, 1);
  if (!in.n || in.n != init.n || op->n_results != in.n)
    return ir_op_error(op, "needs one initial value and one result per input");
  ir_type_t type = ir_operand(op, 0)->type;
  hlo_dims_t dims = hlo_dims(op, "dimensions", 0, 0);
  IREE_RETURN_IF_ERROR(check_dims(op, "'dimensions'", &dims, ir_type_rank(type)));
  for (uint32_t i = 0; i < in.n; ++i) {
    if (!shapes_agree(ir_operand(op, i)->type, type))
      return ir_op_error(op, "inputs differ in shape");
    if (ir_type_rank(ir_operand(op, init.first + i)->type))
      return ir_op_error(op, "initial value %u is not a scalar", i);
    if (ir_type_rank(ir_result(op, i)->type) + dims.n != ir_type_rank(type))
      return ir_op_error(op, "result %u has the wrong rank", i);
  }
  IREE_RETURN_IF_ERROR(check_body(op, 0, 2 * in.n, in.n));
  for (uint32_t i = 0; i < in.n; ++i)
    IREE_RETURN_IF_ERROR(check_reducer(op, i, i, in.n + i, ir_operand(op, i)->type));
  return iree_ok_status();
}

iree_status_t hlo_verify_reduce_window(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_group_t in = ir_operand_group_at(op, 0), init = ir_operand_group_at(op, 1);
  if (!in.n || in.n != init.n || op->n_results != in.n)
    return ir_op_error(op, "needs one initial value and one result per input");
  size_t rank = ir_type_rank(ir_operand(op, 0)->type);
  static const char *const lists[] = {"window_dimensions", "window_strides", "base_dilations",
                                      "window_dilations"};
  for (size_t i = 0; i < 4; ++i)
    IREE_RETURN_IF_ERROR(check_list(op, lists[i], rank, 1, (int64_t)1 << 40));
  for (uint32_t i = 0; i < in.n; ++i)
    if (ir_type_rank(ir_operand(op, i)->type) != rank ||
        ir_type_rank(ir_result(op, i)->type) != rank ||
        ir_type_rank(ir_operand(op, init.first + i)->type))
      return ir_op_error(op, "keeps the rank and starts from scalars");
  IREE_RETURN_IF_ERROR(check_body(op, 0, 2 * in.n, in.n));
  for (uint32_t i = 0; i < in.n; ++i)
    IREE_RETURN_IF_ERROR(check_reducer(op, i, i, in.n + i, ir_operand(op, i)->type));
  return iree_ok_status();
}

iree_status_t hlo_verify_sort(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  if (!op->n_operands || op->n_results != op->n_operands)
    return ir_op_error(op, "needs inputs and as many results");
  ir_type_t type = ir_operand(op, 0)->type;
  int64_t dim = ir_op_int(op, "dimension", -1), rank = (int64_t)ir_type_rank(type);
  if (dim < -rank || dim >= rank) return ir_op_error(op, "has no dimension %lld", (ll)dim);
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!shapes_agree(ir_operand(op, i)->type, type) || !shapes_agree(ir_result(op, i)->type, type))
      return ir_op_error(op, "inputs differ in shape");
  IREE_RETURN_IF_ERROR(check_body(op, 0, 2 * op->n_operands, 1));
  ir_type_t order = ir_operand(op->regions[0]->first->last, 0)->type;
  if (!is_tensor(order) || ir_type_rank(order) || !ir_type_is_int(ir_type_element(order), 1))
    return ir_op_error(op, "needs a region that returns tensor<i1>");
  for (uint32_t i = 0; i < 2 * op->n_operands; ++i) {
    ir_type_t arg = op->regions[0]->first->args[i]->type;
    if (!is_tensor(arg) || ir_type_rank(arg) ||
        ir_type_element(arg) != ir_type_element(ir_operand(op, i / 2)->type))
      return ir_op_error(op, "compares argument %u as another type than input %u has", i, i / 2);
  }
  return iree_ok_status();
}

iree_status_t hlo_verify_gather(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_attr_t numbers = ir_op_attr(op, "dimension_numbers");
  ir_type_t operand = ir_operand(op, 0)->type, indices = ir_operand(op, 1)->type,
            to = ir_result(op, 0)->type;
  hlo_dims_t offset = hlo_list(numbers, "offset_dims"),
             collapsed = hlo_list(numbers, "collapsed_slice_dims");
  hlo_dims_t batching = hlo_list(numbers, "operand_batching_dims"),
             start = hlo_list(numbers, "start_index_map");
  hlo_dims_t index_batching = hlo_list(numbers, "start_indices_batching_dims");
  int64_t vector = hlo_number(numbers, "index_vector_dim", 0);
  IREE_RETURN_IF_ERROR(check_dims(op, "offset_dims", &offset, ir_type_rank(to)));
  IREE_RETURN_IF_ERROR(check_dims(op, "collapsed_slice_dims", &collapsed, ir_type_rank(operand)));
  IREE_RETURN_IF_ERROR(check_dims(op, "operand_batching_dims", &batching, ir_type_rank(operand)));
  IREE_RETURN_IF_ERROR(check_dims(op, "start_index_map", &start, ir_type_rank(operand)));
  IREE_RETURN_IF_ERROR(
      check_dims(op, "start_indices_batching_dims", &index_batching, ir_type_rank(indices)));
  if (vector < 0 || vector > (int64_t)ir_type_rank(indices))
    return ir_op_error(op, "index_vector_dim %lld is out of range", (ll)vector);
  IREE_RETURN_IF_ERROR(check_list(op, "slice_sizes", ir_type_rank(operand), 0, INT64_MAX));
  for (size_t i = 0; ir_op_attr(op, "slice_sizes") && i < ir_type_rank(operand); ++i)
    if (ir_type_dim(operand, i) != IR_DYNAMIC &&
        ir_int(ir_op_attr(op, "slice_sizes"), i) > ir_type_dim(operand, i))
      return ir_op_error(op, "slice of %lld exceeds extent %lld of dimension %zu",
                         (ll)ir_int(ir_op_attr(op, "slice_sizes"), i), (ll)ir_type_dim(operand, i),
                         i);
  size_t batch = ir_type_rank(indices) - (vector < (int64_t)ir_type_rank(indices));
  if (offset.n + collapsed.n + batching.n != ir_type_rank(operand) ||
      ir_type_rank(to) != batch + offset.n || batching.n != index_batching.n)
    return ir_op_error(op, "has dimension numbers that do not fit the ranks");
  if (!ir_type_is_integer_like(ir_type_element(indices)))
    return ir_op_error(op, "needs integer indices");
  int64_t n = vector == (int64_t)ir_type_rank(indices) ? 1 : ir_type_dim(indices, (size_t)vector);
  if (!agree(n, (int64_t)start.n))
    return ir_op_error(op, "maps %zu start indices, the tensor has %lld", start.n, (ll)n);
  return iree_ok_status();
}

iree_status_t hlo_verify_scatter(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(all_tensors(op));
  ir_group_t in = ir_operand_group_at(op, 0), updates = ir_operand_group_at(op, 2);
  if (!in.n || updates.n != in.n || op->n_results != in.n)
    return ir_op_error(op, "needs one update and one result per input");
  ir_attr_t numbers = ir_op_attr(op, "scatter_dimension_numbers");
  ir_type_t operand = ir_operand(op, 0)->type, indices = ir_operand(op, in.n)->type,
            update = ir_operand(op, updates.first)->type;
  hlo_dims_t window = hlo_list(numbers, "update_window_dims"),
             inserted = hlo_list(numbers, "inserted_window_dims");
  hlo_dims_t batching = hlo_list(numbers, "input_batching_dims"),
             to = hlo_list(numbers, "scatter_dims_to_operand_dims");
  hlo_dims_t index_batching = hlo_list(numbers, "scatter_indices_batching_dims");
  int64_t vector = hlo_number(numbers, "index_vector_dim", 0);
  IREE_RETURN_IF_ERROR(check_dims(op, "update_window_dims", &window, ir_type_rank(update)));
  IREE_RETURN_IF_ERROR(check_dims(op, "inserted_window_dims", &inserted, ir_type_rank(operand)));
  IREE_RETURN_IF_ERROR(check_dims(op, "input_batching_dims", &batching, ir_type_rank(operand)));
  IREE_RETURN_IF_ERROR(check_dims(op, "scatter_dims_to_operand_dims", &to, ir_type_rank(operand)));
  IREE_RETURN_IF_ERROR(
      check_dims(op, "scatter_indices_batching_dims", &index_batching, ir_type_rank(indices)));
  if (vector < 0 || vector > (int64_t)ir_type_rank(indices))
    return ir_op_error(op, "index_vector_dim %lld is out of range", (ll)vector);
  size_t batch = ir_type_rank(indices) - (vector < (int64_t)ir_type_rank(indices));
  if (window.n + inserted.n + batching.n != ir_type_rank(operand) ||
      ir_type_rank(update) != batch + window.n || batching.n != index_batching.n)
    return ir_op_error(op, "has dimension numbers that do not fit the ranks");
  if (!ir_type_is_integer_like(ir_type_element(indices)))
    return ir_op_error(op, "needs integer indices");
  int64_t n = vector == (int64_t)ir_type_rank(indices) ? 1 : ir_type_dim(indices, (size_t)vector);
  if (!agree(n, (int64_t)to.n))
    return ir_op_error(op, "maps %zu indices, the tensor has %lld", to.n, (ll)n);
  return check_body(op, 0, 2 * in.n, in.n);
}

iree_status_t hlo_verify_while(ir_op_t *op) {
  if (op->n_results != op->n_operands)
    return ir_op_error(op, "has %u results for %u operands", op->n_results, op->n_operands);
  IREE_RETURN_IF_ERROR(check_body(op, 0, op->n_operands, 1));
  IREE_RETURN_IF_ERROR(check_body(op, 1, op->n_operands, op->n_operands));
  ir_type_t pred = ir_operand(op->regions[0]->first->last, 0)->type;
  if (!is_tensor(pred) || ir_type_rank(pred) || !ir_type_is_int(ir_type_element(pred), 1))
    return ir_op_error(op, "needs a condition of tensor<i1>");
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (ir_operand(op->regions[1]->first->last, i)->type != ir_result(op, i)->type)
      return ir_op_error(op, "body returns value %u of another type", i);
  return iree_ok_status();
}
