// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// chlo.scan: a loop on the host over the scanned dimension that carries what the op carries, and
// its outputs as they fill up. The body works on slices without that dimension.
#include "compiler/input/lower.h"

typedef struct scan {
  ir_group_t inputs, inits;
  uint32_t n_outputs, n_carried;
  size_t dim;
} scan_t;

static iree_status_t read_scan(ir_op_t *op, scan_t *s) {
  ir_block_t *body = ir_body(op);
  *s = (scan_t){.inputs = ir_operand_group(op, "inputs"),
                .inits = ir_operand_group(op, "inits"),
                .n_outputs = ir_result_group(op, "outputs").n,
                .n_carried = ir_operand_group(op, "inits").n,
                .dim = (size_t)ir_op_int(op, "dimension", 0)};
  if (!body || body->next || !body->last || body->n_args != op->n_operands ||
      body->last->n_operands != op->n_results || s->n_outputs + s->n_carried != op->n_results)
    return ir_op_error(op,
                       "needs a body that takes a slice of each input and what is carried, and "
                       "gives a slice of each output and what is carried on");
  for (uint32_t i = 0; i < op->n_operands + s->n_outputs; ++i) {
    bool is_result = i >= op->n_operands, whole = i >= s->inputs.n && !is_result;
    ir_type_t type = is_result ? ir_result(op, i - op->n_operands)->type : ir_operand(op, i)->type;
    ir_type_t part =
        is_result ? ir_operand(body->last, i - op->n_operands)->type : body->args[i]->type;
    if (!ir_is(type, IR_T_TENSOR) || !ir_is(part, IR_T_TENSOR) ||
        ir_type_element(type) != ir_type_element(part) ||
        ir_type_rank(type) != ir_type_rank(part) + (whole ? 0 : 1))
      return ir_op_error(op, "has a body that does not fit %s %u", is_result ? "output" : "operand",
                         is_result ? i - op->n_operands : i);
    if (!whole && s->dim >= ir_type_rank(type))
      return ir_op_error(op, "has no dimension %zu", s->dim);
  }
  if (!s->inputs.n) return ir_op_error(op, "needs an input, whose extent says how often it runs");
  return iree_ok_status();
}
// The box of |tensor| at position |i| of the scanned dimension.
static slice_spec_t box_at(lowering_t *l, ir_value_t *tensor, size_t dim, ir_value_t *i) {
  slice_spec_t box = {.offsets = {0}};
  for (size_t k = 0; k < ir_type_rank(tensor->type); ++k) {
    box.strides[k] = 1;
    box.sizes[k] = k == dim ? 1 : ir_type_dim(tensor->type, k);
    if (box.sizes[k] == IR_DYNAMIC) box.size_values[k] = low_dim_value(l, tensor, k);
  }
  box.offset_values[dim] = i;
  return box;
}
static ir_type_t with_unit_dim(ir_ctx_t *ctx, ir_type_t type, size_t dim) {
  int64_t dims[HLO_MAX_RANK];
  for (size_t k = 0; k < ir_type_rank(type); ++k) dims[k] = k == dim ? 1 : ir_type_dim(type, k);
  return ir_type_tensor(ctx, dims, ir_type_rank(type), ir_type_element(type), NULL);
}
static ir_value_t *read_slice(lowering_t *l, ir_value_t *from, size_t dim, ir_value_t *i,
                              ir_type_t type) {
  slice_spec_t box = box_at(l, from, dim, i);
  ir_value_t *v = low_extract_slice(l, from, &box, with_unit_dim(l->ctx, from->type, dim));
  int64_t dims[HLO_MAX_RANK];
  sizes_t sizes = sizes_none();
  size_t n = 0;
  for (size_t k = 0; k < ir_type_rank(from->type); ++k) {
    if (k == dim) continue;
    dims[n] = ir_type_dim(from->type, k);
    sizes.at[n++] = box.size_values[k];
  }
  v = low_reshape(l, v, ir_type_tensor(l->ctx, dims, n, ir_type_element(type), NULL), &sizes);
  return low_tensor_cast(l, v, low_type(l->ctx, type));
}
static ir_value_t *write_slice(lowering_t *l, ir_value_t *to, size_t dim, ir_value_t *i,
                               ir_value_t *slice) {
  slice_spec_t box = box_at(l, to, dim, i);
  sizes_t sizes = sizes_none();
  for (size_t k = 0; k < ir_type_rank(to->type); ++k) sizes.at[k] = box.size_values[k];
  return low_insert_slice(l, low_reshape(l, slice, with_unit_dim(l->ctx, to->type, dim), &sizes),
                          to, &box);
}
// Extents that an output's type leaves open are those of the first input, but for the scanned one.
static iree_status_t empty_output(lowering_t *l, ir_op_t *op, const scan_t *s, uint32_t i,
                                  ir_value_t *count, ir_value_t **out) {
  ir_type_t type = low_type(l->ctx, ir_result(op, i)->type);
  ir_value_t *like = lowered_operand(l, op, 0);
  sizes_t sizes = sizes_none();
  for (size_t k = 0; k < ir_type_rank(type); ++k) {
    if (ir_type_dim(type, k) != IR_DYNAMIC) continue;
    if (k != s->dim && ir_type_rank(like->type) != ir_type_rank(type))
      return ir_op_error(op, "has an output whose extents are not known before it runs");
    sizes.at[k] = k == s->dim ? count : low_dim_value(l, like, k);
  }
  *out = low_empty(l, type, &sizes);
  return iree_ok_status();
}

iree_status_t input_lower_scan(lowering_t *l, ir_op_t *op) {
  scan_t s;
  IREE_RETURN_IF_ERROR(read_scan(op, &s));
  iree_arena_t *arena = ir_arena(l->ctx);
  ir_block_t *from = ir_body(op);
  ir_value_t **operands = IREE_ARENA_ARRAY(arena, ir_value_t *, op->n_results + 3),
             **next = IREE_ARENA_ARRAY(arena, ir_value_t *, op->n_results + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(arena, ir_type_t, op->n_results + 1);
  ir_value_t *first = lowered_operand(l, op, 0), *count = low_dim_value(l, first, s.dim);
  operands[0] = low_index(&l->b, 0), operands[1] = count, operands[2] = low_index(&l->b, 1);
  for (uint32_t i = 1; i < s.inputs.n; ++i)
    low_check_extents(l, op, first, s.dim, lowered_operand(l, op, i), s.dim);
  for (uint32_t i = 0; i < op->n_results; ++i) {
    types[i] = low_type(l->ctx, ir_result(op, i)->type);
    if (i < s.n_outputs)
      IREE_RETURN_IF_ERROR(empty_output(l, op, &s, i, count, &operands[3 + i]));
    else
      operands[3 + i] =
          low_tensor_cast(l, lowered_operand(l, op, s.inits.first + i - s.n_outputs), types[i]);
  }
  ir_op_t *loop = ir_build(&l->b, &(ir_op_desc_t){.kind = OP_SCF_FOR,
                                                  .operands = operands,
                                                  .n_operands = op->n_results + 3,
                                                  .results = types,
                                                  .n_results = op->n_results,
                                                  .n_regions = 1});
  ir_block_t *body = ir_block_create(l->ctx, loop->regions[0]);
  ir_value_t *i = ir_block_add_arg(l->ctx, body, ir_type_index(l->ctx));
  for (uint32_t k = 0; k < op->n_results; ++k) ir_block_add_arg(l->ctx, body, types[k]);
  ir_builder_t saved = l->b;
  l->b = ir_builder_at_end(l->ctx, body);
  l->b.loc = saved.loc;
  if (ir_op_flag(op, "is_reverse"))
    i = low_op2(&l->b, OP_ARITH_SUBI, low_op2(&l->b, OP_ARITH_SUBI, count, operands[2]), i);
  for (uint32_t k = 0; k < from->n_args; ++k)
    ir_map_set(l->map, from->args[k],
               k < s.inputs.n
                   ? read_slice(l, lowered_operand(l, op, k), s.dim, i, from->args[k]->type)
                   : low_tensor_cast(l, body->args[1 + s.n_outputs + k - s.inputs.n],
                                     low_type(l->ctx, from->args[k]->type)));
  IREE_RETURN_IF_ERROR(input_lower_block(l, from));
  for (uint32_t k = 0; k < op->n_results; ++k) {
    ir_value_t *v = lowered_operand(l, from->last, k);
    next[k] = k < s.n_outputs ? write_slice(l, body->args[1 + k], s.dim, i, v)
                              : low_tensor_cast(l, v, types[k]);
  }
  ir_build(&l->b,
           &(ir_op_desc_t){.kind = OP_SCF_YIELD, .operands = next, .n_operands = op->n_results});
  l->b = saved;
  for (uint32_t k = 0; k < op->n_results; ++k) set_lowered(l, ir_result(op, k), ir_result(loop, k));
  return iree_ok_status();
}
