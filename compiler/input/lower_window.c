// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions over sliding windows, and their adjoint select_and_scatter. Window positions are loops
// of the generic; a tensor that is never read gives them their extents.
#include "compiler/input/lower.h"

enum { MAX_INPUTS = 16, MAX_LOOPS = 2 * HLO_MAX_RANK };

static ir_value_t *add_to(ir_builder_t *b, ir_value_t *v, int64_t n) {
  return n ? low_op2(b, OP_ARITH_ADDI, v, low_index(b, n)) : v;
}
static ir_value_t *scale(ir_builder_t *b, ir_value_t *v, int64_t n) {
  return n == 1 ? v : low_op2(b, OP_ARITH_MULI, v, low_index(b, n));
}

static void clamp_all(ir_builder_t *b, ir_value_t **at, ir_value_t *ok, size_t n) {
  for (size_t i = 0; i < n; ++i) at[i] = low_select(b, ok, at[i], low_index(b, 0));
}

iree_status_t input_lower_reduce_window(lowering_t *l, ir_op_t *op) {
  ir_group_t in = ir_operand_group_at(op, 0), init = ir_operand_group_at(op, 1);
  size_t rank = ir_type_rank(ir_operand(op, 0)->type), n_loops = rank;
  hlo_dims_t window = hlo_dims(op, "window_dimensions", rank, 1),
             stride = hlo_dims(op, "window_strides", rank, 1);
  hlo_dims_t base = hlo_dims(op, "base_dilations", rank, 1),
             dilation = hlo_dims(op, "window_dilations", rank, 1);
  int64_t low[HLO_MAX_RANK], high[HLO_MAX_RANK], gaps[HLO_MAX_RANK], extents[HLO_MAX_RANK];
  ir_expr_t in_exprs[HLO_MAX_RANK], window_exprs[HLO_MAX_RANK];
  bool parallel[MAX_LOOPS];
  size_t n_window = 0;
  size_t scanned;
  bool reverse;
  if (in.n > MAX_INPUTS) return ir_op_error(op, "takes at most %d inputs", MAX_INPUTS);
  if (low_is_running(op, &scanned, &reverse)) return low_running(l, op, scanned, reverse);
  for (size_t i = 0; i < rank; ++i) {
    hlo_padding(op, i, &low[i], &high[i]);
    gaps[i] = base.at[i] - 1;
    parallel[i] = true;
    in_exprs[i] = ir_expr_binary(l->ctx, IR_E_MUL, ir_expr_dim(l->ctx, i),
                                 ir_expr_const(l->ctx, stride.at[i]));
    if (window.at[i] == 1) continue;
    extents[n_window] = window.at[i];
    parallel[n_loops] = false;
    window_exprs[n_window++] = ir_expr_dim(l->ctx, n_loops);
    ir_expr_t step = ir_expr_binary(l->ctx, IR_E_MUL, ir_expr_dim(l->ctx, n_loops++),
                                    ir_expr_const(l->ctx, dilation.at[i]));
    in_exprs[i] = ir_expr_binary(l->ctx, IR_E_ADD, in_exprs[i], step);
  }
  ir_value_t *inputs[MAX_INPUTS + 1], *outputs[MAX_INPUTS], *args[2 * MAX_INPUTS],
      *results[MAX_INPUTS];
  ir_attr_t maps[2 * MAX_INPUTS + 1];
  uint32_t n_in = in.n;
  for (uint32_t i = 0; i < in.n; ++i) {
    ir_type_t to = low_type(l->ctx, ir_result(op, i)->type);
    ir_value_t *start = low_scalar_of(l, lowered_operand(l, op, init.first + i));
    low_check_shapes(l, op, lowered_operand(l, op, 0), lowered_operand(l, op, i));
    inputs[i] = low_pad(l, lowered_operand(l, op, i), start, low, high, gaps);
    sizes_t sizes = {.at = {0}};
    for (size_t d = 0; d < rank; ++d) {
      if (ir_type_dim(to, d) != IR_DYNAMIC) continue;
      ir_value_t *free =
          add_to(&l->b, low_dim_value(l, inputs[i], d), -((window.at[d] - 1) * dilation.at[d] + 1));
      ir_value_t *n = add_to(
          &l->b, low_op2(&l->b, OP_ARITH_FLOORDIVSI, free, low_index(&l->b, stride.at[d])), 1);
      sizes.at[d] = low_op2(&l->b, OP_ARITH_MAXSI, low_index(&l->b, 0), n);
    }
    outputs[i] = low_filled(l, to, &sizes, start);
    maps[i] = ir_attr_map(l->ctx, n_loops, 0, in_exprs, rank);
  }
  if (n_window) {
    sizes_t none = {.at = {0}};
    inputs[n_in] = low_empty(
        l, ir_type_tensor(l->ctx, extents, n_window, ir_type_element(inputs[0]->type), NULL),
        &none);
    maps[n_in++] = ir_attr_map(l->ctx, n_loops, 0, window_exprs, n_window);
  }
  ir_expr_t out_exprs[HLO_MAX_RANK];
  for (size_t i = 0; i < rank; ++i) out_exprs[i] = ir_expr_dim(l->ctx, i);
  for (uint32_t i = 0; i < in.n; ++i)
    maps[n_in + i] = ir_attr_map(l->ctx, n_loops, 0, out_exprs, rank);
  ir_op_t *g = linalg_build_generic(&l->b, inputs, n_in, outputs, in.n, maps, parallel, n_loops);
  ir_block_t *body = ir_body(g);
  for (uint32_t i = 0; i < in.n; ++i)
    args[i] = body->args[n_in + i], args[in.n + i] = body->args[i];
  ir_builder_t b = ir_builder_at_end(l->ctx, body);
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, &b, ir_body(op), args, results));
  linalg_build_yield(l->ctx, g, results, in.n, l->b.loc);
  for (uint32_t i = 0; i < in.n; ++i) set_lowered(l, ir_result(op, i), ir_result(g, i));
  return iree_ok_status();
}

// ---- the custom call stablehlo.dynamic_reduce_window: inputs, initial values, then window
// dimensions, strides, base dilations, window dilations and padding as tensors
static ir_block_t *called_body(lowering_t *l, const ir_op_t *op) {
  ir_attr_t called = ir_op_attr(op, "called_computations");
  if (!ir_is(called, IR_A_ARRAY) || called->n_kids != 1 || !ir_is(ir_kid(called, 0), IR_A_SYMREF))
    return NULL;
  for (ir_op_t *f = ir_body(l->module)->first; f; f = f->next)
    if (f->kind == OP_FUNC_FUNC &&
        iree_string_view_equal(ir_op_sym_name(f), ir_symref_leaf(ir_kid(called, 0))))
      return ir_body(f);
  return NULL;
}
static ir_value_t *read_at(lowering_t *l, ir_op_t *op, uint32_t operand, size_t i, int64_t column) {
  ir_value_t *at[2] = {low_index(&l->b, (int64_t)i), NULL};
  if (column >= 0) at[1] = low_index(&l->b, column);
  return low_to_index(&l->b,
                      low_extract(&l->b, lowered_operand(l, op, operand), at, column >= 0 ? 2 : 1),
                      ir_type_element(ir_operand(op, operand)->type));
}
static iree_status_t check_dynamic_window(ir_op_t *op, const ir_block_t *reducer, uint32_t n) {
  if (!n || n > MAX_INPUTS || op->n_operands != 2 * n + 5 || op->n_results != n)
    return ir_op_error(
        op, "needs inputs, as many initial values and results, and five tensors of the window");
  if (!reducer || reducer->next || reducer->n_args != 2 * n || !reducer->last ||
      reducer->last->n_operands != n)
    return ir_op_error(op, "needs a called computation of two scalars per input");
  size_t rank = ir_type_rank(ir_operand(op, 0)->type);
  if (2 * rank > MAX_LOOPS || !rank)
    return ir_op_error(op, "needs a rank of 1 to %d", MAX_LOOPS / 2);
  for (uint32_t i = 0; i < n; ++i)
    if (ir_type_rank(ir_operand(op, i)->type) != rank ||
        ir_type_rank(ir_result(op, i)->type) != rank)
      return ir_op_error(op, "needs inputs and results of one rank");
  for (uint32_t i = 0; i < 5; ++i) {
    ir_type_t t = ir_operand(op, 2 * n + i)->type;
    if (!ir_is(t, IR_T_TENSOR) || ir_type_rank(t) != (i == 4 ? 2u : 1u) ||
        ir_type_dim(t, 0) != (int64_t)rank || (i == 4 && ir_type_dim(t, 1) != 2))
      return ir_op_error(op, "describes the window by a tensor of another shape");
  }
  return iree_ok_status();
}
typedef struct dynamic_window {
  sizes_t size;  // extents of the window
  ir_value_t *stride[HLO_MAX_RANK], *dilation[HLO_MAX_RANK];
  pad_values_t pad;
} dynamic_window_t;
static dynamic_window_t read_dynamic_window(lowering_t *l, ir_op_t *op, uint32_t n, size_t rank) {
  dynamic_window_t w = {.size = sizes_none()};
  ir_value_t *one = low_index(&l->b, 1);
  for (size_t d = 0; d < rank; ++d) {
    w.size.at[d] = read_at(l, op, 2 * n, d, -1);
    w.stride[d] = low_op2(&l->b, OP_ARITH_MAXSI, one, read_at(l, op, 2 * n + 1, d, -1));
    w.pad.step[d] = low_op2(&l->b, OP_ARITH_MAXSI, one, read_at(l, op, 2 * n + 2, d, -1));
    w.dilation[d] = low_op2(&l->b, OP_ARITH_MAXSI, one, read_at(l, op, 2 * n + 3, d, -1));
    w.pad.low[d] = read_at(l, op, 2 * n + 4, d, 0), w.pad.high[d] = read_at(l, op, 2 * n + 4, d, 1);
  }
  return w;
}
// The number of windows along each dimension of the padded |v|.
static sizes_t count_windows(lowering_t *l, const ir_op_t *op, const dynamic_window_t *w,
                             ir_value_t *v, ir_type_t result) {
  ir_value_t *one = low_index(&l->b, 1), *zero = low_index(&l->b, 0);
  sizes_t sizes = sizes_none();
  for (size_t d = 0; d < ir_type_rank(result); ++d) {
    ir_value_t *reach = low_op2(&l->b, OP_ARITH_MULI,
                                low_op2(&l->b, OP_ARITH_SUBI, w->size.at[d], one), w->dilation[d]);
    ir_value_t *free = low_op2(&l->b, OP_ARITH_SUBI,
                               low_op2(&l->b, OP_ARITH_SUBI, low_dim_value(l, v, d), one), reach);
    free = low_op2(&l->b, OP_ARITH_FLOORDIVSI, free, w->stride[d]);
    ir_value_t *count =
        low_op2(&l->b, OP_ARITH_MAXSI, zero, low_op2(&l->b, OP_ARITH_ADDI, free, one));
    if (ir_type_dim(result, d) == IR_DYNAMIC)
      sizes.at[d] = count;
    else
      low_require_extent(l, op, count, ir_type_dim(result, d));
  }
  return sizes;
}
iree_status_t low_dynamic_reduce_window(lowering_t *l, ir_op_t *op) {
  uint32_t n = op->n_operands >= 7 ? (op->n_operands - 5) / 2 : 0;
  ir_block_t *reducer = called_body(l, op);
  IREE_RETURN_IF_ERROR(check_dynamic_window(op, reducer, n));
  size_t rank = ir_type_rank(ir_operand(op, 0)->type);
  dynamic_window_t w = read_dynamic_window(l, op, n, rank);
  int64_t dynamic[HLO_MAX_RANK];
  ir_expr_t exprs[MAX_LOOPS];
  bool parallel[MAX_LOOPS];
  for (size_t d = 0; d < 2 * rank; ++d) exprs[d] = ir_expr_dim(l->ctx, d), parallel[d] = d < rank;
  for (size_t d = 0; d < rank; ++d) dynamic[d] = IR_DYNAMIC;
  ir_value_t *inputs[MAX_INPUTS], *outs[MAX_INPUTS], *args[2 * MAX_INPUTS], *results[MAX_INPUTS];
  ir_value_t *space = low_empty(
      l, ir_type_tensor(l->ctx, dynamic, rank, ir_type_i(l->ctx, 8), NULL), &w.size);  // never read
  ir_attr_t maps[MAX_INPUTS + 1] = {ir_attr_map(l->ctx, 2 * rank, 0, exprs + rank, rank)};
  for (uint32_t i = 0; i < n; ++i) {
    ir_value_t *v = lowered_operand(l, op, i),
               *init = low_scalar_of(l, lowered_operand(l, op, n + i));
    ir_type_t type = low_type(l->ctx, ir_result(op, i)->type);
    low_check_shapes(l, op, lowered_operand(l, op, 0), v);
    ir_type_t padded = ir_type_tensor(l->ctx, dynamic, rank, ir_type_element(v->type), NULL);
    inputs[i] = low_pad_by_values(l, op, v, init, &w.pad, padded);
    sizes_t sizes = count_windows(l, op, &w, inputs[i], type);
    outs[i] = low_filled(l, type, &sizes, init);
    maps[i + 1] = ir_attr_map(l->ctx, 2 * rank, 0, exprs, rank);
  }
  ir_op_t *g = linalg_build_generic(&l->b, &space, 1, outs, n, maps, parallel, 2 * rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *at[HLO_MAX_RANK];
  for (size_t d = 0; d < rank; ++d)
    at[d] =
        low_op2(&b, OP_ARITH_ADDI, low_op2(&b, OP_ARITH_MULI, low_loop_index(&b, d), w.stride[d]),
                low_op2(&b, OP_ARITH_MULI, low_loop_index(&b, rank + d), w.dilation[d]));
  for (uint32_t i = 0; i < n; ++i)
    args[i] = ir_body(g)->args[1 + i], args[n + i] = low_extract(&b, inputs[i], at, rank);
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, &b, reducer, args, results));
  linalg_build_yield(l->ctx, g, results, n, l->b.loc);
  for (uint32_t i = 0; i < n; ++i) set_lowered(l, ir_result(op, i), ir_result(g, i));
  return iree_ok_status();
}

// ---- select_and_scatter, by gathering: first the position each window selects, then for each
// element the sources of the windows that selected it.
typedef struct windows {
  size_t rank;
  hlo_dims_t size, stride;
  int64_t low[HLO_MAX_RANK];
  ir_value_t *operand, *source;
  sizes_t outer;            // of the source, that is the number of windows
  ir_value_t *extents;      // never read
  ir_attr_t space, window;  // maps of the first |rank| loops and of the last
  bool parallel[MAX_LOOPS];
} windows_t;

static ir_value_t *inside(ir_builder_t *b, ir_value_t *v, ir_value_t *extent, ir_value_t *so_far) {
  ir_value_t *ok = low_op2(b, OP_ARITH_ANDI, low_cmpi(b, "sge", v, low_index(b, 0)),
                           low_cmpi(b, "slt", v, extent));
  return so_far ? low_op2(b, OP_ARITH_ANDI, so_far, ok) : ok;
}
static ir_value_t *linear(ir_builder_t *b, ir_value_t *const *at, ir_value_t *const *extents,
                          size_t rank) {
  ir_value_t *r = low_index(b, 0);
  for (size_t i = 0; i < rank; ++i)
    r = low_op2(b, OP_ARITH_ADDI, low_op2(b, OP_ARITH_MULI, r, extents[i]), at[i]);
  return low_from_index(b, r, ir_type_i(b->ctx, 64));
}
static void extents_of(lowering_t *l, ir_value_t *v, ir_value_t **out) {
  for (size_t i = 0; i < ir_type_rank(v->type); ++i) out[i] = low_dim_value(l, v, i);
}
// Position and value selected by each window.
static iree_status_t selected(lowering_t *l, ir_op_t *op, const windows_t *w, ir_value_t **out) {
  ir_type_t i64 = ir_type_i(l->ctx, 64), element = ir_type_element(w->operand->type),
            type = w->source->type;
  ir_value_t *extents[HLO_MAX_RANK];
  extents_of(l, w->operand, extents);
  ir_value_t *outs[2] = {
      low_filled(l, ir_type_with_element(l->ctx, type, element), &w->outer,
                 low_zero(&l->b, element)),
      low_filled(l, ir_type_with_element(l->ctx, type, i64), &w->outer, low_int(&l->b, i64, -1))};
  ir_attr_t maps[3] = {w->window, w->space, w->space};
  ir_op_t *g = linalg_build_generic(&l->b, &w->extents, 1, outs, 2, maps, w->parallel, 2 * w->rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *at[HLO_MAX_RANK], *ok = NULL, *keep;
  for (size_t i = 0; i < w->rank; ++i) {
    at[i] = low_op2(&b, OP_ARITH_ADDI, scale(&b, low_loop_index(&b, i), w->stride.at[i]),
                    low_loop_index(&b, w->rank + i));
    at[i] = add_to(&b, at[i], -w->low[i]);
    ok = inside(&b, at[i], extents[i], ok);
  }
  clamp_all(&b, at, ok, w->rank);
  ir_value_t *value = low_extract(&b, w->operand, at, w->rank), *best = ir_body(g)->args[1],
             *where = ir_body(g)->args[2];
  IREE_RETURN_IF_ERROR(
      low_inline_scalar_region(l, &b, op->regions[0]->first, (ir_value_t *[]){best, value}, &keep));
  ir_value_t *any = low_cmpi(&b, "sge", where, low_int(&b, i64, 0));
  ir_value_t *take = low_op2(&b, OP_ARITH_ANDI, ok,
                             low_op2(&b, OP_ARITH_XORI, low_op2(&b, OP_ARITH_ANDI, any, keep),
                                     low_int(&b, keep->type, 1)));
  ir_value_t *r[2] = {low_select(&b, take, value, best),
                      low_select(&b, take, linear(&b, at, extents, w->rank), where)};
  linalg_build_yield(l->ctx, g, r, 2, l->b.loc);
  *out = ir_result(g, 1);
  return iree_ok_status();
}
iree_status_t input_lower_select_and_scatter(lowering_t *l, ir_op_t *op) {
  ir_value_t *operand = lowered_operand(l, op, 0), *source = lowered_operand(l, op, 1), *where,
             *sum, *extents[HLO_MAX_RANK], *n_windows[HLO_MAX_RANK];
  ir_type_t type = low_type(l->ctx, ir_result(op, 0)->type);
  windows_t w = {.rank = ir_type_rank(type), .operand = operand, .source = source};
  if (w.rank == 0 || ir_type_rank(operand->type) != w.rank || ir_type_rank(source->type) != w.rank)
    return ir_op_error(op, "needs an operand and a source of one rank over 0");
  for (uint16_t r = 0; r < 2; ++r)
    if (!op->regions[r]->first || op->regions[r]->first->n_args != 2 ||
        !ir_op_is(op->regions[r]->first->last, OP_HLO_RETURN) ||
        op->regions[r]->first->last->n_operands != 1)
      return ir_op_error(op, "needs regions of two scalars that return one");
  w.size = hlo_dims(op, "window_dimensions", w.rank, 1);
  w.stride = hlo_dims(op, "window_strides", w.rank, 1);
  if (w.size.n != w.rank || w.stride.n != w.rank)
    return ir_op_error(op, "needs one window size and stride per dimension");
  ir_expr_t exprs[MAX_LOOPS];
  for (size_t i = 0; i < w.rank; ++i) {
    int64_t high;
    if (w.size.at[i] < 1 || w.stride.at[i] < 1)
      return ir_op_error(op, "needs positive window sizes and strides");
    hlo_padding(op, i, &w.low[i], &high);
    exprs[i] = ir_expr_dim(l->ctx, i), exprs[w.rank + i] = ir_expr_dim(l->ctx, w.rank + i);
    w.parallel[i] = true, w.parallel[w.rank + i] = false;
  }
  w.space = ir_attr_map(l->ctx, 2 * w.rank, 0, exprs, w.rank);
  w.window = ir_attr_map(l->ctx, 2 * w.rank, 0, exprs + w.rank, w.rank);
  sizes_t none = {.at = {0}};
  w.extents =
      low_empty(l, ir_type_tensor(l->ctx, w.size.at, w.rank, ir_type_i(l->ctx, 8), NULL), &none);
  w.outer = low_sizes_like(l, source->type, source);
  extents_of(l, operand, extents);
  extents_of(l, source, n_windows);
  IREE_RETURN_IF_ERROR(selected(l, op, &w, &where));
  sizes_t sizes = low_sizes_like(l, type, operand);
  ir_value_t *out = low_filled(l, type, &sizes, low_scalar_of(l, lowered_operand(l, op, 2)));
  ir_attr_t maps[2] = {w.window, w.space};
  ir_op_t *g = linalg_build_generic(&l->b, &w.extents, 1, &out, 1, maps, w.parallel, 2 * w.rank);
  ir_builder_t b = ir_builder_at_end(l->ctx, ir_body(g));
  ir_value_t *at[HLO_MAX_RANK], *from[HLO_MAX_RANK], *ok = NULL, *acc = ir_body(g)->args[1];
  for (size_t i = 0; i < w.rank; ++i) {
    at[i] = low_loop_index(&b, i);
    ir_value_t *n = low_op2(&b, OP_ARITH_SUBI, add_to(&b, at[i], w.low[i]),
                            low_loop_index(&b, w.rank + i)),
               *s = low_index(&b, w.stride.at[i]);
    from[i] = low_op2(&b, OP_ARITH_FLOORDIVSI, n, s);
    ok = inside(&b, from[i], n_windows[i], ok);
    ok = low_op2(&b, OP_ARITH_ANDI, ok, low_cmpi(&b, "eq", scale(&b, from[i], w.stride.at[i]), n));
  }
  clamp_all(&b, from, ok, w.rank);
  ir_value_t *hit =
      low_cmpi(&b, "eq", low_extract(&b, where, from, w.rank), linear(&b, at, extents, w.rank));
  ir_value_t *args[2] = {acc, low_extract(&b, source, from, w.rank)};
  IREE_RETURN_IF_ERROR(low_inline_scalar_region(l, &b, op->regions[1]->first, args, &sum));
  sum = low_select(&b, low_op2(&b, OP_ARITH_ANDI, ok, hit), sum, acc);
  linalg_build_yield(l->ctx, g, &sum, 1, l->b.loc);
  return input_lower_result(l, op, ir_result(g, 0));
}
