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
typedef struct conv_loops {
  size_t of_output[HLO_MAX_RANK], group, n_output, first_kernel, feature, n;
} conv_loops_t;
static bool is_grouped(const convolution_t *c) { return c->feature_groups * c->batch_groups > 1; }
static conv_loops_t number_loops(const convolution_t *c) {
  conv_loops_t loops = {.n = 0};
  for (size_t i = 0; i < c->dims.n_spatial + 2; ++i) {
    if ((int64_t)i == c->dims.output_feature && is_grouped(c)) loops.group = loops.n++;
    loops.of_output[i] = loops.n++;
  }
  loops.n_output = loops.first_kernel = loops.n;
  loops.feature = loops.first_kernel + c->dims.n_spatial;
  loops.n = loops.feature + 1;
  return loops;
}
// What a convolution computes while groups have a dimension of their own.
typedef struct conv_result {
  ir_type_t type, grouped_type;
  sizes_t sizes, grouped_sizes;
} conv_result_t;
static conv_result_t shape_result(lowering_t *l, ir_op_t *op, const convolution_t *c,
                                  ir_value_t *input, ir_value_t *kernel) {
  conv_result_t r = {.type = low_type(l->ctx, ir_result(op, 0)->type)};
  int64_t groups = c->feature_groups * c->batch_groups, dims[HLO_MAX_RANK + 1];
  size_t n = 0;
  for (size_t i = 0; i < c->dims.n_spatial + 2; ++i, ++n) {
    int64_t extent = ir_type_dim(r.type, i);
    bool is_feature = (int64_t)i == c->dims.output_feature;
    if (is_feature && groups > 1) dims[n++] = groups;
    dims[n] = extent == IR_DYNAMIC || !is_feature ? extent : extent / groups;
    ir_value_t *size = result_extent(l, c, input, kernel, i);
    if (extent != IR_DYNAMIC) {
      low_require_extent(l, op, size, extent);
      continue;
    }
    r.sizes.at[i] = size;
    r.grouped_sizes.at[n] = is_feature ? per_group(l, size, groups) : size;
  }
  r.grouped_type = ir_type_tensor(l->ctx, dims, n, ir_type_element(r.type), NULL);
  return r;
}
// The maps are over dimensions as they are after splitting off the groups.
static ir_attr_t input_map(ir_ctx_t *ctx, const convolution_t *c, const conv_loops_t *loops) {
  const hlo_conv_t *d = &c->dims;
  ir_expr_t e[HLO_MAX_RANK + 1];
  size_t n = 0;
  for (size_t i = 0; i < d->n_spatial + 2; ++i) {
    bool is_batch = (int64_t)i == d->input_batch, is_feature = (int64_t)i == d->input_feature;
    if (is_batch ? c->batch_groups > 1 : is_feature && c->feature_groups > 1)
      e[n++] = ir_expr_dim(ctx, loops->group);
    if (is_batch) e[n++] = ir_expr_dim(ctx, loops->of_output[d->output_batch]);
    if (is_feature) e[n++] = ir_expr_dim(ctx, loops->feature);
    for (size_t s = 0; s < d->n_spatial; ++s) {
      if (d->input_spatial[s] != (int64_t)i) continue;
      ir_expr_t step = ir_expr_dim(ctx, loops->of_output[d->output_spatial[s]]),
                tap = ir_expr_dim(ctx, loops->first_kernel + s);
      step = ir_expr_binary(ctx, IR_E_MUL, step, ir_expr_const(ctx, c->stride.at[s]));
      tap = ir_expr_binary(ctx, IR_E_MUL, tap, ir_expr_const(ctx, c->dilation.at[s]));
      e[n++] = ir_expr_binary(ctx, IR_E_ADD, step, tap);
    }
  }
  return ir_attr_map(ctx, loops->n, 0, e, n);
}
static ir_attr_t kernel_map(ir_ctx_t *ctx, const convolution_t *c, const conv_loops_t *loops) {
  const hlo_conv_t *d = &c->dims;
  ir_expr_t e[HLO_MAX_RANK + 1];
  size_t n = 0;
  for (size_t i = 0; i < d->n_spatial + 2; ++i) {
    if ((int64_t)i == d->kernel_input) e[n++] = ir_expr_dim(ctx, loops->feature);
    if ((int64_t)i == d->kernel_output) {
      if (is_grouped(c)) e[n++] = ir_expr_dim(ctx, loops->group);
      e[n++] = ir_expr_dim(ctx, loops->of_output[d->output_feature]);
    }
    for (size_t s = 0; s < d->n_spatial; ++s)
      if (d->kernel_spatial[s] == (int64_t)i) e[n++] = ir_expr_dim(ctx, loops->first_kernel + s);
  }
  return ir_attr_map(ctx, loops->n, 0, e, n);
}
static ir_attr_t result_map(ir_ctx_t *ctx, const conv_loops_t *loops) {
  ir_expr_t e[HLO_MAX_RANK + 1];
  for (size_t i = 0; i < loops->n_output; ++i) e[i] = ir_expr_dim(ctx, i);
  return ir_attr_map(ctx, loops->n, 0, e, loops->n_output);
}
// |input| has its padding and gaps, |kernel| is turned.
static iree_status_t convolve(lowering_t *l, ir_op_t *op, const convolution_t *c, ir_value_t *input,
                              ir_value_t *kernel) {
  const hlo_conv_t *d = &c->dims;
  bool parallel[2 * HLO_MAX_RANK + 4];
  if (d->n_spatial + 3 > HLO_MAX_RANK) return ir_op_error(op, "has too many dimensions");
  conv_loops_t loops = number_loops(c);
  for (size_t i = 0; i < loops.n; ++i) parallel[i] = i < loops.n_output;
  conv_result_t result = shape_result(l, op, c, input, kernel);
  int64_t groups = c->feature_groups * c->batch_groups;
  if (c->feature_groups > 1) input = split_dim(l, input, (size_t)d->input_feature, groups);
  if (c->batch_groups > 1) input = split_dim(l, input, (size_t)d->input_batch, groups);
  if (is_grouped(c)) kernel = split_dim(l, kernel, (size_t)d->kernel_output, groups);
  ir_attr_t maps[3] = {input_map(l->ctx, c, &loops), kernel_map(l->ctx, c, &loops),
                       result_map(l->ctx, &loops)};
  ir_value_t *v = low_contraction(l, op, (ir_value_t *[]){input, kernel}, result.grouped_type,
                                  &result.grouped_sizes, maps, parallel, loops.n);
  return input_lower_result(l, op,
                            is_grouped(c) ? low_reshape(l, v, result.type, &result.sizes) : v);
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
