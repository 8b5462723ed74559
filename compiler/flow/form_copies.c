// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes dispatches of the strided copies that no copy command can do: slices whose elements do not
// lie side by side. A dispatch that computes from such a slice has absorbed it already.
//   in:  tensor.extract_slice, tensor.insert_slice outside dispatches
//   out: those that remain are contiguous
//
//   %r = tensor.insert_slice %s into %d[0, 1] [4, 2] [1, 1] : tensor<4x2xf32> into tensor<4x8xf32>
//   ->
//   %r = flow.dispatch.workgroups(%s, %d) : (tensor<4x2xf32>, tensor<4x8xf32>) -> %d =
//       (%x: ...<readonly:tensor<4x2xf32>>, %y: ...<readwrite:tensor<4x8xf32>>) {
//     %l = load %x; store %l, %y, offsets = [0, 1], sizes = [4, 2], strides = [1, 1]
//   }
#include "compiler/flow/bindings.h"
#include "compiler/flow/copies.h"
#include "compiler/flow/shapes.h"
#include "compiler/pass.h"

enum { MAX_RANK = SHAPE_MAX_RANK, MAX_VALUES = 8 * MAX_RANK };

bool slice_is_contiguous(const ir_op_t *op) {
  bool extract = op->kind == OP_TENSOR_EXTRACT_SLICE;
  ir_value_t *whole = ir_operand(op, extract ? 0 : 1);
  ir_attr_t sizes = ir_op_attr(op, "static_sizes"), strides = ir_op_attr(op, "static_strides");
  ir_attr_t offsets = ir_op_attr(op, "static_offsets");
  ir_type_t element = ir_type_element(whole->type);
  // Elements that share a byte cannot be addressed by a copy.
  if (ir_type_packed_bits(element)) return false;
  bool inside = false;  // past the first dimension that has more than one row
  for (uint32_t i = 0; i < sizes->n_ints; ++i) {
    int64_t size = ir_int(sizes, i), dim = ir_type_dim(whole->type, i);
    bool unit_stride = ir_int(strides, i) == 1 || size == 1;
    if (!unit_stride) return false;
    if (!inside) {
      inside = size != 1;
      continue;
    }
    bool full = size != IR_DYNAMIC && size == dim && ir_int(offsets, i) == 0;
    if (!full) return false;
  }
  return true;
}

typedef struct copy {
  pass_t *pass;
  ir_builder_t outer;
  ir_value_t *index[MAX_VALUES];  // index values from outside, in the order of the arguments
  ir_value_t *inner[MAX_VALUES];
  uint32_t n_index;
  uint32_t n_dims;                // the first of them are extents: the workload
} copy_t;

static uint32_t need(copy_t *c, ir_value_t *v) {
  for (uint32_t i = 0; i < c->n_index; ++i)
    if (c->index[i] == v) return i;
  c->index[c->n_index] = v;
  return c->n_index++;
}
static iree_status_t need_dims(copy_t *c, ir_value_t *tensor, ir_value_t **dims) {
  IREE_RETURN_IF_ERROR(shape_dynamic_dims(&c->outer, tensor, dims));
  for (size_t i = 0; i < ir_type_n_dynamic(tensor->type); ++i) need(c, dims[i]);
  c->n_dims = c->n_index;
  return iree_ok_status();
}
static void to_inner(const copy_t *c, ir_value_t **values, size_t n) {
  for (size_t i = 0; i < n; ++i)
    for (uint32_t k = 0; k < c->n_index; ++k)
      if (c->index[k] == values[i]) {
        values[i] = c->inner[k];
        break;
      }
}

// The part of the binding that |op| names: a load, or a store of |value|.
static ir_value_t *build_part(copy_t *c, ir_builder_t *b, ir_op_t *op, ir_value_t *value, ir_value_t *binding,
                              ir_value_t *const *dims, size_t n_dims) {
  ir_value_t *operands[MAX_VALUES];
  uint32_t n = 0, k = 0, segments[6];
  if (value) operands[n++] = value, segments[k++] = 1;
  operands[n++] = binding, segments[k++] = 1;
  for (size_t i = 0; i < n_dims; ++i) operands[n++] = dims[i];
  segments[k++] = (uint32_t)n_dims;
  static const char *const groups[3] = {"offsets", "sizes", "strides"};
  static const char *const names[3] = {"static_offsets", "static_sizes", "static_strides"};
  ir_named_t attrs[3];
  for (size_t i = 0; i < 3; ++i) {
    ir_group_t g = ir_operand_group(op, groups[i]);
    uint32_t first = n;
    for (uint32_t j = 0; j < g.n; ++j) operands[n++] = ir_operand(op, g.first + j);
    to_inner(c, operands + first, g.n);
    segments[k++] = g.n;
    attrs[i] = (ir_named_t){names[i], ir_op_attr(op, names[i])};
  }
  ir_op_t *part = ir_build(b, &(ir_op_desc_t){.kind = value ? OP_TEXT_TENSOR_STORE : OP_TEXT_TENSOR_LOAD, .operands = operands, .n_operands = n,
                                              .segments = segments, .results = &ir_result(op, 0)->type, .n_results = !value,
                                              .attrs = attrs, .n_attrs = 3});
  return value ? NULL : ir_result(part, 0);
}

static ir_op_t *build_dispatch(copy_t *c, ir_value_t **tensors, uint32_t n_tensors, ir_value_t **argument_dims, uint32_t n_argument_dims,
                               ir_type_t result, ir_value_t **result_dims, int64_t tied) {
  ir_ctx_t *ctx = c->pass->ctx;
  ir_value_t *operands[4 * MAX_VALUES];
  uint32_t n = 0, n_result_dims = (uint32_t)ir_type_n_dynamic(result);
  for (uint32_t i = 0; i < c->n_dims; ++i) operands[n++] = c->index[i];
  for (uint32_t i = 0; i < n_tensors; ++i) operands[n++] = tensors[i];
  for (uint32_t i = 0; i < c->n_index; ++i) operands[n++] = c->index[i];
  for (uint32_t i = 0; i < n_argument_dims; ++i) operands[n++] = argument_dims[i];
  for (uint32_t i = 0; i < n_result_dims; ++i) operands[n++] = result_dims[i];
  uint32_t segments[4] = {c->n_dims, n_tensors + c->n_index, n_argument_dims, n_result_dims};
  ir_attr_t tie = ir_attr_index(ctx, tied);
  ir_named_t attrs[1] = {{"tied_operands", tied >= 0 ? ir_attr_array(ctx, &tie, 1) : NULL}};
  ir_op_t *op = ir_build(&c->outer, &(ir_op_desc_t){.kind = OP_FLOW_DISPATCH_WORKGROUPS, .operands = operands, .n_operands = n,
                                                    .segments = segments, .results = &result, .n_results = 1, .n_regions = 2,
                                                    .attrs = attrs, .n_attrs = 1});
  ir_block_t *body = ir_block_create(ctx, op->regions[0]);
  for (uint32_t i = 0; i < n_tensors; ++i)
    ir_block_add_arg(ctx, body, binding_type(ctx, (int64_t)i == tied ? "readwrite" : "readonly", tensors[i]->type));
  ir_builder_t b = ir_builder_at_end(ctx, body);
  b.loc = op->loc;
  for (uint32_t i = 0; i < c->n_index; ++i) {
    ir_value_t *arg = ir_block_add_arg(ctx, body, ir_type_index(ctx));
    c->inner[i] = i < c->n_dims ? ir_build_attr(&b, OP_TEXT_WORKLOAD_ORDINAL, ir_type_index(ctx), "ordinal", ir_attr_index(ctx, i), arg, NULL) : arg;
  }
  dispatch_build_count(ctx, op->regions[1], c->n_dims, op->loc);
  return op;
}

static void need_operands(copy_t *c, const ir_op_t *op, uint32_t first) {
  for (uint32_t i = first; i < op->n_operands; ++i) need(c, ir_operand(op, i));
}

static iree_status_t form_extract(pass_t *pass, ir_op_t *op) {
  copy_t c = {.pass = pass, .outer = ir_builder_before(pass->ctx, op)};
  ir_value_t *source = ir_operand(op, 0), *source_dims[MAX_RANK], *result_dims[MAX_RANK];
  size_t n_source = ir_type_n_dynamic(source->type);
  IREE_RETURN_IF_ERROR(need_dims(&c, source, source_dims));
  IREE_RETURN_IF_ERROR(need_dims(&c, ir_result(op, 0), result_dims));
  need_operands(&c, op, 1);
  ir_op_t *dispatch = build_dispatch(&c, &source, 1, source_dims, (uint32_t)n_source, ir_result(op, 0)->type, result_dims, -1);
  ir_block_t *body = ir_body(dispatch);
  ir_builder_t b = ir_builder_at_end(pass->ctx, body);
  b.loc = op->loc;
  ir_value_t *target = ir_block_add_arg(pass->ctx, body, binding_type(pass->ctx, "writeonly", ir_result(op, 0)->type));
  to_inner(&c, source_dims, n_source);
  to_inner(&c, result_dims, ir_type_n_dynamic(ir_result(op, 0)->type));
  ir_value_t *part = build_part(&c, &b, op, NULL, body->args[0], source_dims, n_source);
  binding_build_store(&b, part, target, result_dims);
  ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_RETURN});
  ir_op_replace(op, (ir_value_t *[]){ir_result(dispatch, 0)});
  return iree_ok_status();
}

static iree_status_t form_insert(pass_t *pass, ir_op_t *op) {
  copy_t c = {.pass = pass, .outer = ir_builder_before(pass->ctx, op)};
  ir_value_t *tensors[2] = {ir_operand(op, 0), ir_operand(op, 1)}, *dims[2 * MAX_RANK];
  size_t n_source = ir_type_n_dynamic(tensors[0]->type), n_target = ir_type_n_dynamic(tensors[1]->type);
  IREE_RETURN_IF_ERROR(need_dims(&c, tensors[0], dims));
  IREE_RETURN_IF_ERROR(need_dims(&c, tensors[1], dims + n_source));
  need_operands(&c, op, 2);
  ir_op_t *dispatch = build_dispatch(&c, tensors, 2, dims, (uint32_t)(n_source + n_target), tensors[1]->type, dims + n_source, 1);
  ir_block_t *body = ir_body(dispatch);
  ir_builder_t b = ir_builder_at_end(pass->ctx, body);
  b.loc = op->loc;
  to_inner(&c, dims, n_source + n_target);
  ir_value_t *value = binding_build_load(&b, body->args[0], tensors[0]->type, dims);
  build_part(&c, &b, op, value, body->args[1], dims + n_source, n_target);
  ir_build(&b, &(ir_op_desc_t){.kind = OP_FLOW_RETURN});
  ir_op_replace(op, (ir_value_t *[]){ir_result(dispatch, 0)});
  return iree_ok_status();
}

static iree_status_t visit(ir_op_t *op, void *self) {
  pass_t *pass = self;
  if (op->kind != OP_TENSOR_EXTRACT_SLICE && op->kind != OP_TENSOR_INSERT_SLICE) return iree_ok_status();
  if (ir_op_parent_of_kind(op, OP_FLOW_DISPATCH_WORKGROUPS) || slice_is_contiguous(op)) return iree_ok_status();
  IREE_RETURN_IF_ERROR(shape_check_rank(op));
  return op->kind == OP_TENSOR_EXTRACT_SLICE ? form_extract(pass, op) : form_insert(pass, op);
}

iree_status_t flow_form_copies(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(ir_walk(op, visit, pass));
  return iree_ok_status();
}
