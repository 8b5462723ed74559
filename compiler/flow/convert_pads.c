// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns ops that assemble tensors into fills and slices, which copies and dispatches can do:
// tensor.pad, tensor.concat, and tensor.generate (a linalg.generic over its indices).
//   in:  the three      out: tensor.empty, linalg.fill, tensor.insert_slice, linalg.generic
//
//   %p = tensor.pad %a low[1] high[2] {yield %c} : tensor<4xf32> to tensor<7xf32>
//   ->
//   %e = tensor.empty() : tensor<7xf32>
//   %f = linalg.fill ins(%c) outs(%e)
//   %p = tensor.insert_slice %a into %f[1] [4] [1]
#include "compiler/dialects/linalg.h"
#include "compiler/flow/shapes.h"
#include "compiler/pass.h"

enum { MAX_RANK = SHAPE_MAX_RANK };

static iree_status_t build_empty(ir_builder_t *b, ir_value_t *like, ir_value_t **out) {
  ir_value_t *dims[MAX_RANK];
  IREE_RETURN_IF_ERROR(shape_dynamic_dims(b, like, dims));
  ir_type_t type = like->type;
  *out = ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_EMPTY, .operands = dims, .n_operands = ir_type_n_dynamic(type),
                                               .results = &type, .n_results = 1}), 0);
  return iree_ok_status();
}

// Inserts |source| whole into |target|; offset i is |values[i]| or, if that is NULL, |statics[i]|.
static iree_status_t build_insert(ir_builder_t *b, ir_value_t *source, ir_value_t *target, ir_value_t *const *values,
                                  const int64_t *statics, ir_value_t **out) {
  size_t rank = ir_type_rank(source->type);
  int64_t offsets[MAX_RANK], ones[MAX_RANK];
  ir_value_t *operands[2 * MAX_RANK + 2] = {source, target};
  uint32_t n = 2, segments[5] = {1, 1, 0, 0, 0};
  for (size_t i = 0; i < rank; ++i) {
    ones[i] = 1;
    offsets[i] = values[i] ? IR_DYNAMIC : statics[i];
    if (values[i]) operands[n++] = values[i], ++segments[2];
  }
  IREE_RETURN_IF_ERROR(shape_dynamic_dims(b, source, operands + n));
  segments[3] = (uint32_t)ir_type_n_dynamic(source->type);
  n += segments[3];
  ir_named_t attrs[3] = {{"static_offsets", ir_attr_i64s(b->ctx, offsets, rank)},
                         {"static_sizes", ir_attr_i64s(b->ctx, ir_type_dims(source->type), rank)},
                         {"static_strides", ir_attr_i64s(b->ctx, ones, rank)}};
  *out = ir_result(ir_build(b, &(ir_op_desc_t){.kind = OP_TENSOR_INSERT_SLICE, .operands = operands, .n_operands = n, .segments = segments,
                                               .results = &target->type, .n_results = 1, .attrs = attrs, .n_attrs = 3}), 0);
  return iree_ok_status();
}

static iree_status_t convert_pad(ir_ctx_t *ctx, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_block_t *body = ir_body(op);
  ir_value_t *value = ir_operand(body->last, 0), *target;
  if (value->is_arg && value->block == body) return ir_op_error(op, "pads with its indices");
  // The body may compute the padding from outside values: that moves before the op.
  for (ir_op_t *inner = body->first, *next; inner != body->last; inner = next) {
    next = inner->next;
    for (uint32_t i = 0; i < inner->n_operands; ++i)
      if (ir_operand(inner, i)->is_arg && ir_operand(inner, i)->block == body)
        return ir_op_error(op, "has padding that depends on the position; only one value throughout is supported");
    ir_op_move_before(inner, op);
  }
  IREE_RETURN_IF_ERROR(build_empty(&b, ir_result(op, 0), &target));
  target = linalg_build_fill(&b, value, target);
  ir_attr_t low = ir_op_attr(op, "static_low"), high = ir_op_attr(op, "static_high");
  ir_value_t *offsets[MAX_RANK];
  uint32_t next = ir_operand_group(op, "low").first;
  for (uint32_t i = 0; i < low->n_ints; ++i) {
    offsets[i] = ir_int(low, i) == IR_DYNAMIC ? ir_operand(op, next++) : NULL;
    if ((!offsets[i] && ir_int(low, i) < 0) || (ir_int(high, i) != IR_DYNAMIC && ir_int(high, i) < 0))
      return ir_op_error(op, "pads by a negative amount; slice before padding instead");
  }
  ir_value_t *result;
  IREE_RETURN_IF_ERROR(build_insert(&b, ir_operand(op, 0), target, offsets, ir_ints(low), &result));
  ir_op_replace(op, &result);
  return iree_ok_status();
}

static iree_status_t convert_concat(ir_ctx_t *ctx, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(ctx, op);
  size_t dim = (size_t)ir_op_int(op, "dim", 0);
  ir_value_t *result, *offset = NULL;
  int64_t at = 0;
  IREE_RETURN_IF_ERROR(build_empty(&b, ir_result(op, 0), &result));
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *part = ir_operand(op, i), *offsets[MAX_RANK] = {0}, *extent;
    int64_t statics[MAX_RANK] = {0}, size = ir_type_dim(part->type, dim);
    offsets[dim] = offset;
    statics[dim] = at;
    IREE_RETURN_IF_ERROR(build_insert(&b, part, result, offsets, statics, &result));
    if (!offset && size != IR_DYNAMIC) {
      at += size;
      continue;
    }
    IREE_RETURN_IF_ERROR(shape_dim(&b, part, dim, &extent));
    offset = ir_build1(&b, OP_ARITH_ADDI, ir_type_index(ctx), offset ? offset : build_index(&b, at), extent, NULL);
  }
  ir_op_replace(op, &result);
  return iree_ok_status();
}

static iree_status_t convert_generate(ir_ctx_t *ctx, ir_op_t *op) {
  ir_builder_t b = ir_builder_before(ctx, op);
  ir_value_t *target;
  ir_block_t *body = ir_body(op);
  size_t rank = ir_type_rank(ir_result(op, 0)->type);
  bool parallel[MAX_RANK];
  for (size_t i = 0; i < rank; ++i) parallel[i] = true;
  IREE_RETURN_IF_ERROR(build_empty(&b, ir_result(op, 0), &target));
  ir_attr_t map = ir_attr_identity_map(ctx, rank);
  ir_op_t *generic = linalg_build_generic(&b, NULL, 0, &target, 1, &map, parallel, rank);
  ir_builder_t in = ir_builder_at_end(ctx, ir_body(generic));
  for (size_t i = 0; i < rank; ++i)
    ir_replace_uses(body->args[i], ir_build_attr(&in, OP_LINALG_INDEX, ir_type_index(ctx), "dim", ir_attr_i64(ctx, (int64_t)i), NULL, NULL));
  ir_value_t *value = ir_operand(body->last, 0);
  for (ir_op_t *inner = body->first, *next; inner != body->last; inner = next) {
    next = inner->next;
    ir_op_move_to_end(inner, ir_body(generic));
  }
  linalg_build_yield(ctx, generic, &value, 1, op->loc);
  ir_op_replace(op, (ir_value_t *[]){ir_result(generic, 0)});
  return iree_ok_status();
}

static iree_status_t visit(ir_op_t *op, void *self) {
  pass_t *pass = self;
  if (op->kind == OP_TENSOR_PAD || op->kind == OP_TENSOR_CONCAT || op->kind == OP_TENSOR_GENERATE)
    IREE_RETURN_IF_ERROR(shape_check_rank(op));
  if (op->kind == OP_TENSOR_PAD) return convert_pad(pass->ctx, op);
  if (op->kind == OP_TENSOR_CONCAT) return convert_concat(pass->ctx, op);
  if (op->kind == OP_TENSOR_GENERATE) return convert_generate(pass->ctx, op);
  return iree_ok_status();
}

iree_status_t flow_convert_pads(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(ir_walk(op, visit, pass));
  return iree_ok_status();
}
