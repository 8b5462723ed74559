// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of ops that slide windows: convolutions, windows folded by a body, select and scatter.
#include "compiler/dialects/stablehlo_verify.h"

typedef long long ll;
enum { MOST_BITS = 40 };  // attributes beyond this cannot be those of a tensor
static const int64_t most = (int64_t)1 << MOST_BITS;

static int64_t dilated(int64_t extent, int64_t dilation) {
  return extent ? (extent - 1) * dilation + 1 : 0;
}
int64_t hlo_window_extent(int64_t extent, int64_t base_dilation, int64_t low, int64_t high,
                          int64_t window, int64_t window_dilation, int64_t stride) {
  if (extent == IR_DYNAMIC || window == IR_DYNAMIC) return IR_DYNAMIC;
  if (extent > most || window > most || extent > INT64_MAX / 4 / base_dilation ||
      window > INT64_MAX / 4 / window_dilation)
    return IR_DYNAMIC;
  int64_t padded = low + dilated(extent, base_dilation) + high;
  int64_t width = dilated(window, window_dilation);
  return padded <= 0 || width > padded ? 0 : (padded - width) / stride + 1;
}
iree_status_t hlo_check_padding(ir_op_t *op, size_t n) {
  ir_attr_t a = ir_op_attr(op, "padding");
  if (!a) return iree_ok_status();
  ir_type_t type = ir_is(a, IR_A_DENSE) ? ir_dense_type(a) : NULL;
  bool i64 = type && ir_type_is_int(ir_type_element(type), 64);
  if (!i64)
    return ir_op_error(op, "attribute 'padding' must be a tensor of i64, is %s", hlo_text(op, a));
  if (ir_type_n_elements(type) == 0 && op->kind == OP_HLO_CONVOLUTION) return iree_ok_status();
  if (ir_type_rank(type) != 2 || ir_type_dim(type, 0) != (int64_t)n || ir_type_dim(type, 1) != 2)
    return ir_op_error(op, "attribute 'padding' is a %s; it must have shape [%zu, 2]", hlo_text(op, type), n);
  for (size_t i = 0; i < n; ++i) {
    int64_t low, high;
    hlo_padding(op, i, &low, &high);
    if (low < -most || low > most || high < -most || high > most)
      return ir_op_error(op, "attribute 'padding' has %lld, %lld at %zu, out of all proportion", (ll)low,
                         (ll)high, i);
  }
  return iree_ok_status();
}
// Lists of positive numbers, one per dimension of the window; |names| ends with NULL. Convolutions
// may have empty ones, which say nothing.
// Programs in circulation give dynamic_conv more entries than it has spatial dimensions; the rest has
// no meaning.
static size_t entries(const ir_op_t *op, const char *name, size_t n) {
  ir_attr_t list = ir_op_attr(op, name);
  return op->kind == OP_HLO_DYNAMIC_CONV && list && list->n_ints > n ? list->n_ints : n;
}
static iree_status_t check_positive_lists(ir_op_t *op, const char *const *names, size_t n) {
  for (; *names; ++names)
    if (op->kind != OP_HLO_CONVOLUTION || (ir_op_attr(op, *names) && ir_op_attr(op, *names)->n_ints))
      IREE_RETURN_IF_ERROR(hlo_check_list(op, *names, entries(op, *names, n), 1, most));
  return iree_ok_status();
}

// ---- convolution
static iree_status_t check_reversal(ir_op_t *op, size_t n) {
  ir_attr_t list = ir_op_attr(op, "window_reversal");
  return list && list->n_ints ? hlo_check_list(op, "window_reversal", entries(op, "window_reversal", n), INT64_MIN, INT64_MAX) : iree_ok_status();
}
// The positions of one tensor's dimensions: each in range, each once.
static iree_status_t check_layout(ir_op_t *op, const char *what, int64_t a, int64_t b,
                                  const int64_t *spatial, size_t n) {
  hlo_dims_t all = {.n = n + 2};
  all.at[0] = a, all.at[1] = b;
  for (size_t i = 0; i < n; ++i) all.at[2 + i] = spatial[i];
  return hlo_check_dims(op, what, &all, n + 2, false);
}
static iree_status_t check_groups(ir_op_t *op, const hlo_conv_t *c) {
  ir_type_t lhs = hlo_in(op, 0), rhs = hlo_in(op, 1);
  int64_t groups = ir_op_int(op, "feature_group_count", 1),
          batches = ir_op_int(op, "batch_group_count", 1);
  int64_t features = ir_type_dim(lhs, (size_t)c->input_feature),
          inputs = ir_type_dim(rhs, (size_t)c->kernel_input);
  int64_t outputs = ir_type_dim(rhs, (size_t)c->kernel_output),
          batch = ir_type_dim(lhs, (size_t)c->input_batch);
  if (groups > 1 && batches > 1)
    return ir_op_error(op, "groups features by %lld and batches by %lld; only one can be above 1",
                       (ll)groups, (ll)batches);
  if (batch != IR_DYNAMIC && batch % batches)
    return ir_op_error(op, "has a batch of %lld in %lld groups; it must be a multiple", (ll)batch,
                       (ll)batches);
  if (features != IR_DYNAMIC && features % groups)
    return ir_op_error(op, "has %lld input features in %lld groups; it must be a multiple", (ll)features,
                       (ll)groups);
  if (inputs != IR_DYNAMIC && features != IR_DYNAMIC && features / groups != inputs)
    return ir_op_error(op, "has %lld input features in %lld groups for %lld inputs of the kernel",
                       (ll)features, (ll)groups, (ll)inputs);
  if (outputs != IR_DYNAMIC && (outputs % groups || outputs % batches))
    return ir_op_error(op, "has %lld outputs of the kernel in %lld groups; it must be a multiple",
                       (ll)outputs, (ll)(groups > 1 ? groups : batches));
  return iree_ok_status();
}
iree_status_t hlo_check_convolution(ir_op_t *op) {
  hlo_conv_t c;
  ir_type_t lhs = hlo_in(op, 0), rhs = hlo_in(op, 1);
  static const char *const lists[] = {"window_strides", "lhs_dilation", "rhs_dilation", NULL};
  if (!hlo_conv_dims(ir_op_attr(op, "dimension_numbers"), &c))
    return ir_op_error(op, "has dimension numbers that do not fit together: %s",
                       hlo_text(op, ir_op_attr(op, "dimension_numbers")));
  size_t n = c.n_spatial;
  if (ir_type_rank(lhs) != n + 2 || ir_type_rank(rhs) != n + 2 || ir_type_rank(hlo_out(op, 0)) != n + 2)
    return ir_op_error(op, "takes tensors of rank %zu by its dimension numbers, has %s, %s and %s", n + 2,
                       hlo_text(op, lhs), hlo_text(op, rhs), hlo_text(op, hlo_out(op, 0)));
  IREE_RETURN_IF_ERROR(check_layout(op, "input dimensions", c.input_batch, c.input_feature, c.input_spatial, n));
  IREE_RETURN_IF_ERROR(check_layout(op, "kernel dimensions", c.kernel_input, c.kernel_output, c.kernel_spatial, n));
  IREE_RETURN_IF_ERROR(check_layout(op, "output dimensions", c.output_batch, c.output_feature, c.output_spatial, n));
  IREE_RETURN_IF_ERROR(check_positive_lists(op, lists, n));
  IREE_RETURN_IF_ERROR(check_reversal(op, n));
  IREE_RETURN_IF_ERROR(check_groups(op, &c));
  IREE_RETURN_IF_ERROR(hlo_check_precision(op));
  IREE_RETURN_IF_ERROR(hlo_check_quantized_convolution(op, &c));
  if (!hlo_is_quantized(rhs) && ir_type_element(lhs) != ir_type_element(rhs))
    return ir_op_error(op, "needs operands of one element type, has %s and %s", hlo_text(op, lhs), hlo_text(op, rhs));
  bool dynamic = op->kind == OP_HLO_DYNAMIC_CONV;
  int64_t pads[2 * HLO_MAX_RANK];
  int n_pads = dynamic ? hlo_constant_ints(ir_operand(op, 2), pads, 2 * HLO_MAX_RANK) : -1;
  if (dynamic && (ir_type_dim(hlo_in(op, 2), 0) != (int64_t)n || ir_type_dim(hlo_in(op, 2), 1) != 2))
    return ir_op_error(op, "operand 'padding' is %s; it must have shape [%zu, 2]",
                       hlo_text(op, hlo_in(op, 2)), n);
  if (!dynamic) IREE_RETURN_IF_ERROR(hlo_check_padding(op, n));
  hlo_dims_t strides = hlo_dims(op, "window_strides", n, 1), base = hlo_dims(op, "lhs_dilation", n, 1),
             window = hlo_dims(op, "rhs_dilation", n, 1), want = {.n = n + 2};
  int64_t batch = ir_type_dim(lhs, (size_t)c.input_batch), batches = ir_op_int(op, "batch_group_count", 1);
  want.at[c.output_batch] = batch == IR_DYNAMIC ? batch : batch / batches;
  want.at[c.output_feature] = ir_type_dim(rhs, (size_t)c.kernel_output);
  for (size_t i = 0; i < n; ++i) {
    int64_t low, high, size = ir_type_dim(rhs, (size_t)c.kernel_spatial[i]);
    if (dynamic) low = n_pads < 0 ? 0 : pads[2 * i], high = n_pads < 0 ? 0 : pads[2 * i + 1];
    else hlo_padding(op, i, &low, &high);
    if (size == 0)
      return ir_op_error(op, "has a kernel without extent in spatial dimension %zu: %s", i, hlo_text(op, rhs));
    bool known = !dynamic || n_pads >= 0;
    want.at[c.output_spatial[i]] =
        known ? hlo_window_extent(ir_type_dim(lhs, (size_t)c.input_spatial[i]), base.at[i], low, high, size,
                                  window.at[i], strides.at[i])
              : IR_DYNAMIC;
  }
  return hlo_expect_shape(op, 0, want.at, want.n);
}

// ---- reduce_window
iree_status_t hlo_check_reduce_window(ir_op_t *op) {
  ir_group_t in = ir_operand_group_at(op, 0), init = ir_operand_group_at(op, 1);
  static const char *const lists[] = {"window_dimensions", "window_strides", "base_dilations",
                                      "window_dilations", NULL};
  if (!in.n || in.n != init.n || op->n_results != in.n)
    return ir_op_error(op, "has %u inputs, %u initial values and %u results; it must have as many of each, and one at least",
                       in.n, init.n, op->n_results);
  ir_type_t type = hlo_in(op, 0);
  size_t rank = ir_type_rank(type);
  for (uint32_t i = 1; i < in.n; ++i)
    if (!hlo_shapes_agree(hlo_in(op, i), type))
      return ir_op_error(op, "input %u is %s; it must have the shape of input 0, %s", i,
                         hlo_text(op, hlo_in(op, i)), hlo_text(op, type));
  IREE_RETURN_IF_ERROR(check_positive_lists(op, lists, rank));
  IREE_RETURN_IF_ERROR(hlo_check_padding(op, rank));
  hlo_dims_t size = hlo_dims(op, "window_dimensions", rank, 1), stride = hlo_dims(op, "window_strides", rank, 1),
             base = hlo_dims(op, "base_dilations", rank, 1), window = hlo_dims(op, "window_dilations", rank, 1),
             want = {.n = rank};
  for (size_t i = 0; i < rank; ++i) {
    int64_t low, high;
    hlo_padding(op, i, &low, &high);
    want.at[i] = hlo_window_extent(ir_type_dim(type, i), base.at[i], low, high, size.at[i], window.at[i],
                                   stride.at[i]);
  }
  IREE_RETURN_IF_ERROR(hlo_check_scalars(op, init.first, in.n));
  IREE_RETURN_IF_ERROR(hlo_check_reducer(op, 0, 0, init.first, in.n));
  for (uint32_t i = 0; i < in.n; ++i) IREE_RETURN_IF_ERROR(hlo_expect_shape(op, i, want.at, rank));
  return iree_ok_status();
}

// ---- select_and_scatter
static iree_status_t check_selector(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(hlo_check_body(op, 0, 2, 1));
  ir_block_t *b = ir_region(op, 0)->first;
  for (uint32_t i = 0; i < 2; ++i)
    if (!ir_is(b->args[i]->type, IR_T_TENSOR) || ir_type_rank(b->args[i]->type) ||
        !hlo_elements_agree(op, ir_type_element(b->args[i]->type), ir_type_element(hlo_in(op, 0))))
      return ir_op_error(op, "argument %u of region 'select' is %s; it must be a scalar tensor of %s", i,
                         hlo_text(op, b->args[i]->type), hlo_text(op, ir_type_element(hlo_in(op, 0))));
  ir_type_t type = ir_operand(b->last, 0)->type;
  if (ir_type_rank(type) || !ir_type_is_int(ir_type_element(type), 1))
    return ir_op_error(op, "region 'select' returns %s; it must return tensor<i1>", hlo_text(op, type));
  return iree_ok_status();
}
iree_status_t hlo_check_select_and_scatter(ir_op_t *op) {
  static const char *const lists[] = {"window_dimensions", "window_strides", NULL};
  ir_type_t type = hlo_in(op, 0), source = hlo_in(op, 1);
  size_t rank = ir_type_rank(type);
  if (rank && !ir_op_attr(op, "window_dimensions"))
    return ir_op_error(op, "needs attribute 'window_dimensions' for an operand of rank %zu", rank);
  IREE_RETURN_IF_ERROR(check_positive_lists(op, lists, rank));
  IREE_RETURN_IF_ERROR(hlo_check_padding(op, rank));
  IREE_RETURN_IF_ERROR(check_selector(op));
  IREE_RETURN_IF_ERROR(hlo_check_scalars(op, 2, 1));
  IREE_RETURN_IF_ERROR(hlo_check_reducer(op, 1, 1, 2, 1));
  if (!hlo_elements_agree(op, ir_type_element(source), ir_type_element(type)))
    return ir_op_error(op, "scatters %s into %s; the element types differ", hlo_text(op, source), hlo_text(op, type));
  hlo_dims_t size = hlo_dims(op, "window_dimensions", rank, 1), stride = hlo_dims(op, "window_strides", rank, 1);
  if (ir_type_rank(source) != rank)
    return ir_op_error(op, "scatters %s into %s; the ranks differ", hlo_text(op, source), hlo_text(op, type));
  for (size_t i = 0; i < rank; ++i) {
    int64_t low, high;
    hlo_padding(op, i, &low, &high);
    int64_t windows = hlo_window_extent(ir_type_dim(type, i), 1, low, high, size.at[i], 1, stride.at[i]);
    if (!hlo_agree(windows, ir_type_dim(source, i)))
      return ir_op_error(op, "dimension %zu of 'source' has extent %lld; the operand has %lld windows there", i,
                         (ll)ir_type_dim(source, i), (ll)windows);
  }
  IREE_RETURN_IF_ERROR(hlo_expect_element(op, 0, ir_type_element(ir_region(op, 1)->first->args[0]->type)));
  return hlo_expect_shape(op, 0, ir_type_dims(type), rank);
}
