// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of any layout as contractions whose input map adds output and kernel positions.
// Padding and gaps are put into the input first; groups become a dimension of their own.
#include <string.h>

#include "compiler/input/lower.h"


// |v| with dimension |dim| split into |groups| and the rest.
static ir_value_t *split_dim(lowering_t *l, ir_value_t *v, size_t dim, int64_t groups) {
  int64_t dims[HLO_MAX_RANK + 1];
  size_t rank = ir_type_rank(v->type), n = 0;
  sizes_t sizes = {.at = {0}};
  for (size_t i = 0; i < rank; ++i) {
    int64_t d = ir_type_dim(v->type, i);
    if (i == dim) dims[n++] = groups, d = d == IR_DYNAMIC ? d : d / groups;
    if (d == IR_DYNAMIC) {
      sizes.at[n] = low_dim_value(l, v, i);
      if (i == dim)
        sizes.at[n] = low_op2(&l->b, OP_ARITH_DIVUI, sizes.at[n], low_index(&l->b, groups));
    }
    dims[n++] = d;
  }
  return low_reshape(l, v, ir_type_tensor(l->ctx, dims, n, ir_type_element(v->type), NULL), &sizes);
}
static ir_value_t *reversed(lowering_t *l, ir_value_t *v, const bool *turn) {
  sizes_t sizes = sizes_none();
  size_t rank = ir_type_rank(v->type);
  ir_value_t *at[HLO_MAX_RANK];
  ir_value_t *extent[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) {
    extent[i] = low_dim_value(l, v, i);
    if (ir_type_dim(v->type, i) == IR_DYNAMIC) sizes.at[i] = extent[i];
  }
  pointwise_t p = low_pointwise_begin(l, v->type, &sizes, NULL, 0);
  for (size_t i = 0; i < rank; ++i) {
    at[i] = low_loop_index(&p.b, i);
    if (turn[i])
      at[i] = low_op2(&p.b, OP_ARITH_SUBI,
                      low_op2(&p.b, OP_ARITH_SUBI, extent[i], low_index(&p.b, 1)), at[i]);
  }
  return low_pointwise_end(l, &p, low_extract(&p.b, v, at, rank));
}

typedef struct convolution {
  hlo_conv_t dims;
  hlo_dims_t stride, gaps, dilation, reversal;
  int64_t feature_groups, batch_groups;
} convolution_t;

static ir_value_t *per_group(lowering_t *l, ir_value_t *extent, int64_t groups) {
  return groups == 1 ? extent : low_op2(&l->b, OP_ARITH_DIVUI, extent, low_index(&l->b, groups));
}
// Extent |i| of the result, from the padded input and the kernel.
static ir_value_t *result_extent(lowering_t *l, const convolution_t *c, ir_value_t *input,
                                 ir_value_t *kernel, size_t i) {
  const hlo_conv_t *d = &c->dims;
  if ((int64_t)i == d->output_batch)
    return per_group(l, low_dim_value(l, input, (size_t)d->input_batch), c->batch_groups);
  if ((int64_t)i == d->output_feature) return low_dim_value(l, kernel, (size_t)d->kernel_output);
  size_t s = 0;
  while (d->output_spatial[s] != (int64_t)i) ++s;
  ir_value_t *one = low_index(&l->b, 1), *zero = low_index(&l->b, 0),
             *reach = low_op2(&l->b, OP_ARITH_SUBI,
                              low_dim_value(l, kernel, (size_t)d->kernel_spatial[s]), one);
  reach = low_op2(&l->b, OP_ARITH_MULI, reach, low_index(&l->b, c->dilation.at[s]));
  ir_value_t *free =
      low_op2(&l->b, OP_ARITH_SUBI, low_dim_value(l, input, (size_t)d->input_spatial[s]), one);
  free = low_op2(&l->b, OP_ARITH_SUBI, free, reach);
  free = low_op2(&l->b, OP_ARITH_FLOORDIVSI, free, low_index(&l->b, c->stride.at[s]));
  return low_op2(&l->b, OP_ARITH_MAXSI, zero, low_op2(&l->b, OP_ARITH_ADDI, free, one));
}

// Loop numbers: those of the output's dimensions in its order (groups before features), then kernel
// positions, then input features.
static iree_status_t convolve(lowering_t *l, ir_op_t *op, const convolution_t *c, ir_value_t *input,
                              ir_value_t *kernel) {
  const hlo_conv_t *d = &c->dims;
  ir_ctx_t *ctx = l->ctx;
  ir_type_t type = low_type(ctx, ir_result(op, 0)->type);
  int64_t groups = c->feature_groups * c->batch_groups;
  bool grouped = groups > 1;
  size_t rank = d->n_spatial + 2, n = 0, loop_of[HLO_MAX_RANK], group_loop = 0, first_kernel;
  int64_t out_dims[HLO_MAX_RANK + 1];
  sizes_t sizes = {.at = {0}}, out_sizes = {.at = {0}};
  bool parallel[2 * HLO_MAX_RANK + 4];
  if (rank + 1 > HLO_MAX_RANK) return ir_op_error(op, "has too many dimensions");
  for (size_t i = 0; i < rank; ++i) {
    int64_t extent = ir_type_dim(type, i);
    if ((int64_t)i == d->output_feature && grouped) {
      out_dims[n] = groups;
      group_loop = n++;
      extent = extent == IR_DYNAMIC ? extent : extent / groups;
    }
    out_dims[n] = extent;
    ir_value_t *size = result_extent(l, c, input, kernel, i);
    if (extent == IR_DYNAMIC)
      out_sizes.at[i] = size,
      sizes.at[n] = (int64_t)i == d->output_feature ? per_group(l, size, groups) : size;
    else
      low_require_extent(l, op, size, ir_type_dim(type, i));
    loop_of[i] = n++;
  }
  size_t n_out = n;
  first_kernel = n;
  n += d->n_spatial;
  size_t feature_loop = n++;
  for (size_t i = 0; i < n; ++i) parallel[i] = i < n_out;
  // Maps, over dimensions as they are after splitting off the groups.
  ir_expr_t in[HLO_MAX_RANK + 1], ker[HLO_MAX_RANK + 1], out[HLO_MAX_RANK + 1];
  size_t ni = 0, nk = 0;
  for (size_t i = 0; i < rank; ++i) {
    if ((int64_t)i == d->input_batch) {
      if (c->batch_groups > 1) in[ni++] = ir_expr_dim(ctx, group_loop);
      in[ni++] = ir_expr_dim(ctx, loop_of[d->output_batch]);
    } else if ((int64_t)i == d->input_feature) {
      if (c->feature_groups > 1) in[ni++] = ir_expr_dim(ctx, group_loop);
      in[ni++] = ir_expr_dim(ctx, feature_loop);
    } else {
      for (size_t s = 0; s < d->n_spatial; ++s) {
        if (d->input_spatial[s] != (int64_t)i) continue;
        ir_expr_t o = ir_expr_binary(ctx, IR_E_MUL, ir_expr_dim(ctx, loop_of[d->output_spatial[s]]),
                                     ir_expr_const(ctx, c->stride.at[s]));
        ir_expr_t k = ir_expr_binary(ctx, IR_E_MUL, ir_expr_dim(ctx, first_kernel + s),
                                     ir_expr_const(ctx, c->dilation.at[s]));
        in[ni++] = ir_expr_binary(ctx, IR_E_ADD, o, k);
      }
    }
  }
  for (size_t i = 0; i < rank; ++i) {
    if ((int64_t)i == d->kernel_input) {
      ker[nk++] = ir_expr_dim(ctx, feature_loop);
    } else if ((int64_t)i == d->kernel_output) {
      if (grouped) ker[nk++] = ir_expr_dim(ctx, group_loop);
      ker[nk++] = ir_expr_dim(ctx, loop_of[d->output_feature]);
    } else {
      for (size_t s = 0; s < d->n_spatial; ++s)
        if (d->kernel_spatial[s] == (int64_t)i) ker[nk++] = ir_expr_dim(ctx, first_kernel + s);
    }
  }
  for (size_t i = 0; i < n_out; ++i) out[i] = ir_expr_dim(ctx, i);
  if (c->feature_groups > 1) input = split_dim(l, input, (size_t)d->input_feature, groups);
  if (c->batch_groups > 1) input = split_dim(l, input, (size_t)d->input_batch, groups);
  if (grouped) kernel = split_dim(l, kernel, (size_t)d->kernel_output, groups);
  ir_attr_t maps[3] = {ir_attr_map(ctx, n, 0, in, ni), ir_attr_map(ctx, n, 0, ker, nk),
                       ir_attr_map(ctx, n, 0, out, n_out)};
  ir_type_t out_type = ir_type_tensor(ctx, out_dims, n_out, ir_type_element(type), NULL);
  ir_value_t *v =
      low_contraction(l, op, (ir_value_t *[]){input, kernel}, out_type, &sizes, maps, parallel, n);
  return input_lower_result(l, op, grouped ? low_reshape(l, v, type, &out_sizes) : v);
}
static iree_status_t read_convolution(ir_op_t *op, convolution_t *c) {
  if (!hlo_conv_dims(ir_op_attr(op, "dimension_numbers"), &c->dims))
    return ir_op_error(op, "has dimension numbers that do not parse");
  size_t n = c->dims.n_spatial;
  c->stride = hlo_dims(op, "window_strides", n, 1);
  c->gaps = hlo_dims(op, "lhs_dilation", n, 1);
  c->dilation = hlo_dims(op, "rhs_dilation", n, 1);
  c->reversal = hlo_dims(op, "window_reversal", n, 0);
  c->feature_groups = ir_op_int(op, "feature_group_count", 1);
  c->batch_groups = ir_op_int(op, "batch_group_count", 1);
  // Programs in circulation give dynamic_conv more entries than it has dimensions: the rest has no
  // meaning.
  bool exact = op->kind == OP_HLO_CONVOLUTION;
  const hlo_dims_t *lists[4] = {&c->stride, &c->gaps, &c->dilation, &c->reversal};
  for (size_t i = 0; i < 4; ++i)
    if (lists[i]->n < n || (exact && lists[i]->n > n))
      return ir_op_error(op, "needs one entry per spatial dimension in each list");
  return iree_ok_status();
}
static ir_value_t *turn_kernel(lowering_t *l, const convolution_t *c, ir_value_t *kernel) {
  bool turn[HLO_MAX_RANK] = {false}, any = false;
  for (size_t s = 0; s < c->dims.n_spatial; ++s)
    if (c->reversal.at[s]) turn[c->dims.kernel_spatial[s]] = any = true;
  return any ? reversed(l, kernel, turn) : kernel;
}
// How many of the last positions of the padded input no window reads.
static int64_t unread(const ir_op_t *op, const convolution_t *c, size_t s, ir_type_t input,
                      int64_t padding, int64_t gap) {
  int64_t extent = ir_type_dim(input, (size_t)c->dims.input_spatial[s]),
          taps = ir_type_dim(ir_operand(op, 1)->type, (size_t)c->dims.kernel_spatial[s]),
          steps = ir_type_dim(ir_result(op, 0)->type, (size_t)c->dims.output_spatial[s]);
  if (extent < 1 || taps < 1 || steps < 1) return 0;  // dynamic or empty
  int64_t have = extent + (extent - 1) * gap + padding,
          read = (steps - 1) * c->stride.at[s] + (taps - 1) * c->dilation.at[s] + 1;
  return have > read ? have - read : 0;
}
iree_status_t input_lower_convolution(lowering_t *l, ir_op_t *op) {
  convolution_t c;
  int64_t low[HLO_MAX_RANK] = {0}, high[HLO_MAX_RANK] = {0}, gaps[HLO_MAX_RANK] = {0};
  IREE_RETURN_IF_ERROR(read_convolution(op, &c));
  ir_value_t *input = lowered_operand(l, op, 0), *kernel = lowered_operand(l, op, 1);
  for (size_t s = 0; s < c.dims.n_spatial; ++s) {
    size_t at = (size_t)c.dims.input_spatial[s];
    hlo_padding(op, s, &low[at], &high[at]);
    gaps[at] = c.gaps.at[s] - 1;
  }
  for (size_t s = 0; s < c.dims.n_spatial; ++s) {
    size_t at = (size_t)c.dims.input_spatial[s];
    high[at] -= unread(op, &c, s, input->type, low[at] + high[at], gaps[at]);
  }
  input = low_pad(l, input, low_zero(&l->b, ir_type_element(input->type)), low, high, gaps);
  return convolve(l, op, &c, input, turn_kernel(l, &c, kernel));
}
iree_status_t input_lower_dynamic_conv(lowering_t *l, ir_op_t *op) {
  convolution_t c;
  IREE_RETURN_IF_ERROR(read_convolution(op, &c));
  ir_value_t *input = lowered_operand(l, op, 0), *kernel = lowered_operand(l, op, 1),
             *padding = lowered_operand(l, op, 2);
  size_t rank = ir_type_rank(input->type);
  if (rank != c.dims.n_spatial + 2 || ir_type_rank(padding->type) != 2 ||
      ir_type_dim(padding->type, 0) != (int64_t)c.dims.n_spatial ||
      ir_type_dim(padding->type, 1) != 2)
    return ir_op_error(op,
                       "takes an input of rank %zu and a pair of paddings per spatial dimension",
                       c.dims.n_spatial + 2);
  ir_type_t semantic = ir_type_element(ir_operand(op, 2)->type);
  pad_values_t pad = {.step = {0}};
  int64_t dims[HLO_MAX_RANK];
  memcpy(dims, ir_type_dims(input->type), rank * sizeof *dims);
  for (size_t k = 0; k < c.dims.n_spatial; ++k) {
    size_t at = (size_t)c.dims.input_spatial[k];
    ir_value_t *row[2] = {low_index(&l->b, (int64_t)k), low_index(&l->b, 0)};
    pad.low[at] = low_to_index(&l->b, low_extract(&l->b, padding, row, 2), semantic);
    row[1] = low_index(&l->b, 1);
    pad.high[at] = low_to_index(&l->b, low_extract(&l->b, padding, row, 2), semantic);
    pad.step[at] = low_index(&l->b, c.gaps.at[k]);
    dims[at] = IR_DYNAMIC;
  }
  ir_type_t element = ir_type_element(input->type);
  input = low_pad_by_values(l, op, input, low_zero(&l->b, element), &pad,
                            ir_type_tensor(l->ctx, dims, rank, element, NULL));
  return convolve(l, op, &c, input, turn_kernel(l, &c, kernel));
}
