// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the tensor ops outside dispatches into flow.tensor.* ops: what copies, fills and views
// without a kernel, and what the host reads or writes.
//   in:  tensor.*, linalg.fill, compute barriers outside dispatches      out: flow.tensor.*
//   relies on: strided slices, pads and concatenations being gone (form_copies.c, fold_pads.c)
//
//   %0 = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
//   ->
//   %0 = flow.tensor.reshape %a : tensor<2x3xf32> -> tensor<6xf32>
#include <string.h>

#include "compiler/dialects/linalg.h"
#include "compiler/flow/bindings.h"
#include "compiler/flow/shapes.h"
#include "compiler/ir/fold.h"
#include "compiler/pass.h"

enum { MAX_RANK = SHAPE_MAX_RANK };

typedef struct list {
  ir_value_t *v[5 * MAX_RANK];
  uint32_t n;
} list_t;
static void add(list_t *l, ir_value_t *v) { l->v[l->n++] = v; }
static iree_status_t add_dims(ir_builder_t *b, list_t *l, ir_value_t *tensor, uint32_t *out_n) {
  IREE_RETURN_IF_ERROR(shape_dynamic_dims(b, tensor, l->v + l->n));
  *out_n = (uint32_t)ir_type_n_dynamic(tensor->type);
  l->n += *out_n;
  return iree_ok_status();
}
static ir_value_t *build(ir_builder_t *b, ir_kind_t kind, const list_t *l, const uint32_t *segments, ir_type_t type) {
  return ir_result(ir_build(b, &(ir_op_desc_t){.kind = kind, .operands = l->v, .n_operands = l->n, .segments = segments,
                                               .results = &type, .n_results = 1}), 0);
}

// Another shape of the same elements; |like| tells the dynamic extents of the result.
static iree_status_t reshape(ir_builder_t *b, ir_kind_t kind, ir_value_t *source, ir_value_t *like, ir_value_t **out) {
  list_t l = {.n = 0};
  uint32_t segments[3] = {1};
  while (kind == OP_FLOW_TENSOR_RESHAPE && ir_value_is(source, OP_FLOW_TENSOR_RESHAPE)) source = ir_operand(ir_def(source), 0);
  if (kind == OP_FLOW_TENSOR_RESHAPE && source->type == like->type && ir_type_is_static(source->type)) {
    *out = source;
    return iree_ok_status();
  }
  add(&l, source);
  IREE_RETURN_IF_ERROR(add_dims(b, &l, source, &segments[1]));
  IREE_RETURN_IF_ERROR(add_dims(b, &l, like, &segments[2]));
  *out = build(b, kind, &l, segments, like->type);
  return iree_ok_status();
}
static iree_status_t shaped(ir_builder_t *b, ir_kind_t kind, ir_value_t *value, ir_value_t *like, ir_value_t **out) {
  list_t l = {.n = 0};
  uint32_t n;
  if (value) add(&l, value);
  IREE_RETURN_IF_ERROR(add_dims(b, &l, like, &n));
  *out = build(b, kind, &l, (uint32_t[]){1, n}, like->type);
  return iree_ok_status();
}

// Fill commands repeat patterns of one, two or four bytes: does the value consist of such?
static bool fits_pattern(ir_ctx_t *ctx, ir_value_t *value) {
  ir_type_t type = value->type;
  size_t n = ir_type_storage_bytes(type);
  if (ir_is(type, IR_T_INTEGER) && ir_type_width(type) > 1 && ir_type_width(type) < 8) return false;
  ir_attr_t attr = ir_constant_of(value);
  ir_attr_t dense = n > 4 && attr ? ir_dense_splat(ctx, ir_type_tensor(ctx, NULL, 0, type, NULL), attr) : NULL;
  const uint8_t *bytes = dense ? ir_dense_data(dense) : NULL;
  while (bytes && n > 4 && !memcmp(bytes, bytes + n / 2, n / 2)) n /= 2;
  return n <= 4;
}
// A wider value is filled in by a dispatch.
static iree_status_t fill_dispatch(ir_builder_t *b, ir_value_t *value, ir_value_t *like, ir_value_t **out) {
  ir_ctx_t *ctx = b->ctx;
  ir_type_t type = like->type;
  bool constant = ir_constant_of(value) != NULL;
  list_t dims = {.n = 0}, l = {.n = 0};
  uint32_t n_dims;
  IREE_RETURN_IF_ERROR(add_dims(b, &dims, like, &n_dims));
  for (int k = 0; k < 2; ++k)  // the workload, then the arguments
    for (uint32_t i = 0; i < n_dims; ++i) add(&l, dims.v[i]);
  if (!constant) add(&l, value);
  for (uint32_t i = 0; i < n_dims; ++i) add(&l, dims.v[i]);
  uint32_t segments[4] = {n_dims, n_dims + !constant, 0, n_dims};
  ir_op_t *op = ir_build(b, &(ir_op_desc_t){.kind = OP_FLOW_DISPATCH_WORKGROUPS, .operands = l.v, .n_operands = l.n, .segments = segments,
                                            .results = &type, .n_results = 1, .n_regions = 2});
  ir_block_t *body = ir_block_create(ctx, op->regions[0]);
  ir_builder_t in = ir_builder_at_end(ctx, body);
  in.loc = op->loc;
  for (uint32_t i = 0; i < n_dims; ++i)
    dims.v[i] = ir_build_attr(&in, OP_TEXT_WORKLOAD_ORDINAL, ir_type_index(ctx), "ordinal", ir_attr_index(ctx, i),
                              ir_block_add_arg(ctx, body, ir_type_index(ctx)), NULL);
  value = constant ? ir_build_constant(&in, value->type, ir_constant_of(value)) : ir_block_add_arg(ctx, body, value->type);
  ir_value_t *target = ir_block_add_arg(ctx, body, binding_type(ctx, "writeonly", type));
  ir_value_t *empty = build(&in, OP_TENSOR_EMPTY, &dims, NULL, type);
  binding_build_store(&in, linalg_build_fill(&in, value, empty), target, dims.v);
  ir_build(&in, &(ir_op_desc_t){.kind = OP_FLOW_RETURN});
  dispatch_build_count(ctx, op->regions[1], n_dims, op->loc);
  *out = ir_result(op, 0);
  return iree_ok_status();
}
static iree_status_t splat(ir_builder_t *b, ir_value_t *value, ir_value_t *like, ir_value_t **out) {
  return fits_pattern(b->ctx, value) ? shaped(b, OP_FLOW_TENSOR_SPLAT, value, like, out) : fill_dispatch(b, value, like, out);
}

static iree_status_t load(ir_builder_t *b, ir_op_t *op, ir_value_t **out) {
  list_t l = {.n = 0};
  uint32_t segments[3] = {1, 0, op->n_operands - 1};
  add(&l, ir_operand(op, 0));
  IREE_RETURN_IF_ERROR(add_dims(b, &l, ir_operand(op, 0), &segments[1]));
  for (uint32_t i = 1; i < op->n_operands; ++i) add(&l, ir_operand(op, i));
  *out = build(b, OP_FLOW_TENSOR_LOAD, &l, segments, ir_result(op, 0)->type);
  return iree_ok_status();
}
static iree_status_t store(ir_builder_t *b, ir_value_t *value, ir_value_t *target, ir_value_t *const *indices, uint32_t n, ir_value_t **out) {
  list_t l = {.n = 0};
  uint32_t segments[4] = {1, 1, 0, n};
  add(&l, value);
  add(&l, target);
  IREE_RETURN_IF_ERROR(add_dims(b, &l, target, &segments[2]));
  for (uint32_t i = 0; i < n; ++i) add(&l, indices[i]);
  *out = build(b, OP_FLOW_TENSOR_STORE, &l, segments, target->type);
  return iree_ok_status();
}
static iree_status_t insert(ir_builder_t *b, ir_op_t *op, ir_value_t **out) {
  ir_value_t *indices[MAX_RANK];
  uint32_t n = op->n_operands - 2;
  for (uint32_t i = 0; i < n; ++i) indices[i] = ir_operand(op, i + 2);
  return store(b, ir_operand(op, 0), ir_operand(op, 1), indices, n, out);
}

// A constant of one value throughout stays if a command can fill it in.
static iree_status_t constant(ir_builder_t *b, ir_op_t *op, ir_value_t **out) {
  ir_attr_t dense = ir_op_attr(op, "value");
  bool fills = ir_is(ir_result(op, 0)->type, IR_T_TENSOR) && ir_is(dense, IR_A_DENSE) && ir_dense_is_splat(dense);
  if (!fills || ir_unused(ir_result(op, 0))) return iree_ok_status();
  ir_attr_t element = ir_dense_element(b->ctx, dense, 0);
  if (!element) return iree_ok_status();
  ir_value_t *value = ir_build_constant(b, ir_type_element(ir_result(op, 0)->type), element);
  return fits_pattern(b->ctx, value) ? iree_ok_status() : fill_dispatch(b, value, ir_result(op, 0), out);
}

// Elements one by one: all equal is a splat, else stores into a splat of the first.
static iree_status_t from_elements(ir_builder_t *b, ir_op_t *op, ir_value_t **out) {
  ir_type_t type = ir_result(op, 0)->type;
  list_t l = {.n = 0};
  if (!op->n_operands) {
    *out = build(b, OP_FLOW_TENSOR_EMPTY, &l, NULL, type);
    return iree_ok_status();
  }
  IREE_RETURN_IF_ERROR(splat(b, ir_operand(op, 0), ir_result(op, 0), out));
  for (uint32_t i = 1; i < op->n_operands; ++i) {
    if (ir_operand(op, i) == ir_operand(op, 0)) continue;
    ir_value_t *indices[MAX_RANK];
    int64_t rest = i;
    for (size_t d = ir_type_rank(type); d-- > 0; rest /= ir_type_dim(type, d)) indices[d] = build_index(b, rest % ir_type_dim(type, d));
    IREE_RETURN_IF_ERROR(store(b, ir_operand(op, i), *out, indices, (uint32_t)ir_type_rank(type), out));
  }
  return iree_ok_status();
}

// ---- contiguous slices
static ir_value_t *entry(ir_builder_t *b, const ir_op_t *op, const char *group, const char *statics, size_t i) {
  ir_attr_t list = ir_op_attr(op, statics);
  if (ir_int(list, i) != IR_DYNAMIC) return build_index(b, ir_int(list, i));
  uint32_t k = ir_operand_group(op, group).first;
  for (size_t d = 0; d < i; ++d) k += ir_int(list, d) == IR_DYNAMIC;
  return ir_operand(op, k);
}
// The slice's own shape, of the rank of what it is cut from.
static ir_type_t slice_type(ir_ctx_t *ctx, const ir_op_t *op, ir_type_t element) {
  ir_attr_t sizes = ir_op_attr(op, "static_sizes");
  return ir_type_tensor(ctx, ir_ints(sizes), sizes->n_ints, element, NULL);
}
static iree_status_t extract_slice(ir_builder_t *b, ir_op_t *op, ir_value_t **out) {
  list_t l = {.n = 0};
  ir_value_t *source = ir_operand(op, 0);
  size_t rank = ir_type_rank(source->type);
  uint32_t segments[5] = {1, 0, (uint32_t)rank, (uint32_t)rank, 0};
  ir_type_t type = slice_type(b->ctx, op, ir_type_element(source->type));
  add(&l, source);
  IREE_RETURN_IF_ERROR(add_dims(b, &l, source, &segments[1]));
  for (size_t i = 0; i < rank; ++i) add(&l, entry(b, op, "offsets", "static_offsets", i));
  for (size_t i = 0; i < rank; ++i) add(&l, entry(b, op, "sizes", "static_sizes", i));
  for (size_t i = 0; i < rank; ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC) add(&l, entry(b, op, "sizes", "static_sizes", i)), ++segments[4];
  *out = build(b, OP_FLOW_TENSOR_SLICE, &l, segments, type);
  if (type == ir_result(op, 0)->type) return iree_ok_status();
  return reshape(b, OP_FLOW_TENSOR_RESHAPE, *out, ir_result(op, 0), out);
}
static iree_status_t insert_slice(ir_builder_t *b, ir_op_t *op, ir_value_t **out) {
  list_t l = {.n = 0};
  ir_value_t *update = ir_operand(op, 0), *target = ir_operand(op, 1);
  size_t rank = ir_type_rank(target->type);
  uint32_t segments[5] = {1, 0, (uint32_t)rank, 1, 0};
  ir_type_t type = slice_type(b->ctx, op, ir_type_element(target->type));
  list_t dims = {.n = 0};
  for (size_t i = 0; i < rank; ++i)
    if (ir_type_dim(type, i) == IR_DYNAMIC) add(&dims, entry(b, op, "sizes", "static_sizes", i));
  if (type != update->type) {
    list_t r = {.n = 0};
    uint32_t s[3] = {1, 0, dims.n};
    add(&r, update);
    IREE_RETURN_IF_ERROR(add_dims(b, &r, update, &s[1]));
    for (uint32_t i = 0; i < dims.n; ++i) add(&r, dims.v[i]);
    update = build(b, OP_FLOW_TENSOR_RESHAPE, &r, s, type);
  }
  add(&l, target);
  IREE_RETURN_IF_ERROR(add_dims(b, &l, target, &segments[1]));
  for (size_t i = 0; i < rank; ++i) add(&l, entry(b, op, "offsets", "static_offsets", i));
  add(&l, update);
  for (uint32_t i = 0; i < dims.n; ++i) add(&l, dims.v[i]);
  segments[4] = dims.n;
  *out = build(b, OP_FLOW_TENSOR_UPDATE, &l, segments, target->type);
  return iree_ok_status();
}

static iree_status_t convert(ir_builder_t *b, ir_op_t *op, ir_value_t **out) {
  ir_value_t *first = op->n_operands ? ir_operand(op, 0) : NULL, *result = ir_result(op, 0);
  *out = NULL;
  switch ((op_kind_t)op->kind) {
    case OP_TENSOR_EXTRACT: return load(b, op, out);
    case OP_TENSOR_INSERT: return insert(b, op, out);
    case OP_TENSOR_COLLAPSE_SHAPE:
    case OP_TENSOR_EXPAND_SHAPE:
    case OP_TENSOR_CAST: return reshape(b, OP_FLOW_TENSOR_RESHAPE, first, result, out);
    case OP_TENSOR_BITCAST: return reshape(b, OP_FLOW_TENSOR_BITCAST, first, result, out);
    case OP_TENSOR_EMPTY: return shaped(b, OP_FLOW_TENSOR_EMPTY, NULL, result, out);
    case OP_TENSOR_SPLAT:
    case OP_LINALG_FILL: return splat(b, first, result, out);
    case OP_ARITH_CONSTANT: return constant(b, op, out);
    case OP_TENSOR_FROM_ELEMENTS: return from_elements(b, op, out);
    case OP_TENSOR_EXTRACT_SLICE: return extract_slice(b, op, out);
    case OP_TENSOR_INSERT_SLICE: return insert_slice(b, op, out);
    case OP_TEXT_BARRIER_START:
    case OP_TEXT_BARRIER_END:
      *out = first;
      return iree_ok_status();
    default: *out = NULL; return iree_ok_status();
  }
}

static iree_status_t convert_in(pass_t *pass, ir_op_t *parent) {
  for (uint16_t r = 0; r < parent->n_regions; ++r) {
    for (ir_block_t *block = parent->regions[r]->first; block; block = block->next) {
      for (ir_op_t *op = block->first, *next; op; op = next) {
        next = op->next;
        if (op->kind == OP_FLOW_DISPATCH_WORKGROUPS || op->kind == OP_FLOW_EXECUTABLE) continue;
        if (op->n_results == 1 && ir_op_has_trait(op, IR_PURE)) {
          IREE_RETURN_IF_ERROR(shape_check_rank(op));
          ir_builder_t b = ir_builder_before(pass->ctx, op);
          ir_value_t *value = NULL;
          IREE_RETURN_IF_ERROR(convert(&b, op, &value));
          if (value) {
            ir_op_replace(op, &value);
            continue;
          }
        }
        IREE_RETURN_IF_ERROR(convert_in(pass, op));
      }
    }
  }
  return iree_ok_status();
}

iree_status_t flow_convert_tensor_ops(pass_t *pass, ir_op_t *module) {
  for (ir_op_t *op = ir_body(module)->first; op; op = op->next)
    if (op->kind == OP_UTIL_FUNC || op->kind == OP_UTIL_INITIALIZER) IREE_RETURN_IF_ERROR(convert_in(pass, op));
  return ir_simplify(pass->ctx, module);
}
