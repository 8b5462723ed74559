// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindings as flat buffers, windows of dispatch tensors, storage of elements, constant data.
#include <string.h>

#include "compiler/codegen/eval_internal.h"

//===-- memory -------------------------------------------------------------------------------------

ir_type_t eval_bound_type(ir_type_t type) {
  if (ir_is(type, IR_T_TENSOR)) return type;
  for (size_t i = 0; i < type->n_kids; ++i) {
    const ir_term_t *kid = ir_kid(type, i);
    ir_type_t found = kid ? eval_bound_type(kid) : NULL;
    if (found) return found;
  }
  return NULL;
}

bool eval_is_packed(ir_type_t element) { return ir_type_packed_bits(element) != 0; }

// What a buffer of |element| is made of: parts of complex elements, bytes of narrow integers.
static ir_type_t storage_element(ir_ctx_t *ctx, ir_type_t element) {
  if (ir_is(element, IR_T_COMPLEX)) return ir_kid(element, 0);
  if (eval_is_packed(element)) return ir_type_i(ctx, 8);
  if (ir_is(element, IR_T_INTEGER) && ir_type_width(element) < 8) return ir_type_i(ctx, 8);
  if (ir_is(element, IR_T_INTEGER)) return ir_type_i(ctx, ir_type_width(element));
  return element;
}

// Buffer elements for |count| elements.
static int64_t storage_count(ir_type_t element, int64_t count) {
  unsigned bits = ir_type_packed_bits(element);
  if (bits) return (count * bits + 7) / 8;
  return ir_is(element, IR_T_COMPLEX) ? count * 2 : count;
}

static ir_type_t shaped(kernel_t *k, ir_type_t element, const ir_value_t *like) {
  return kernel_is_vector(like) ? kernel_vector_type(k, element) : element;
}

// Splits element index |at| of packed |bits|: the byte, and by how much to shift it.
static kidx_t packed_place(kernel_t *k, kidx_t at, unsigned bits, ir_value_t **out_shift) {
  kidx_t per_byte = kidx_const(8 / bits);
  kidx_t byte = kidx_binary(k, OP_ARITH_DIVSI, at, per_byte);
  kidx_t rest = kidx_mul(k, kidx_sub(k, at, kidx_mul(k, byte, per_byte)), kidx_const(bits));
  ir_value_t *shift = kidx_get(k, rest);
  *out_shift = kernel_op1(k, OP_ARITH_INDEX_CAST, shaped(k, ir_type_i(k->ctx, 8), shift), shift);
  return byte;
}

// The low bits of |byte|, where it is one that holds a narrow |element|.
static ir_value_t *from_byte(kernel_t *k, ir_value_t *byte, ir_type_t element) {
  unsigned width = ir_type_width(element);
  if (width >= 8) return byte;
  ir_value_t *bits =
      kernel_op1(k, OP_ARITH_TRUNCI, shaped(k, ir_type_i(k->ctx, width), byte), byte);
  if (!ir_type_is_float(element)) return bits;
  return kernel_op1(k, OP_ARITH_BITCAST, shaped(k, element, bits), bits);
}

kval_t eval_load(eval_t *e, ir_value_t *buffer, kidx_t at, ir_type_t element) {
  kernel_t *k = &e->k;
  if (ir_is(element, IR_T_COMPLEX)) {
    kidx_t re = kidx_mul(k, at, kidx_const(2)), im = kidx_add(k, re, kidx_const(1));
    ir_value_t *value = kernel_load(k, buffer, re);
    return (kval_t){.value = value, .imag = kernel_load(k, buffer, im)};
  }
  unsigned bits = ir_type_packed_bits(element);
  ir_value_t *value;
  if (bits) {
    ir_value_t *shift;
    kidx_t byte = packed_place(k, at, bits, &shift);
    value = kernel_op2(k, OP_ARITH_SHRUI, kernel_load(k, buffer, byte), shift);
  } else {
    value = kernel_load(k, buffer, at);
  }
  return kval(bits || ir_is(element, IR_T_INTEGER) ? from_byte(k, value, element) : value);
}

// Puts the low bits of |value| (i8) into its place in the byte that holds it.
static void store_packed(eval_t *e, ir_value_t *buffer, kidx_t at, ir_value_t *value,
                         unsigned bits) {
  kernel_t *k = &e->k;
  ir_type_t byte_type = ir_type_i(k->ctx, 8);
  ir_value_t *shift;
  kidx_t byte = packed_place(k, at, bits, &shift);
  ir_value_t *mask = kernel_constant(k, ir_attr_int(k->ctx, byte_type, (1 << bits) - 1), byte_type);
  ir_value_t *ones = kernel_constant(k, ir_attr_int(k->ctx, byte_type, -1), byte_type);
  ir_value_t *keep = kernel_op2(k, OP_ARITH_XORI, kernel_op2(k, OP_ARITH_SHLI, mask, shift), ones);
  ir_value_t *kept = kernel_op2(k, OP_ARITH_ANDI, kernel_load(k, buffer, byte), keep);
  ir_value_t *moved = kernel_op2(k, OP_ARITH_SHLI, value, shift);
  kernel_store(k, buffer, byte, kernel_op2(k, OP_ARITH_ORI, kept, moved));
}

void eval_store(eval_t *e, ir_value_t *buffer, kidx_t at, kval_t v, ir_type_t element) {
  kernel_t *k = &e->k;
  ir_value_t *value = kval_get(k, v);
  if (ir_is(element, IR_T_COMPLEX)) {
    kidx_t re = kidx_mul(k, at, kidx_const(2));
    kernel_store(k, buffer, re, value);
    kernel_store(k, buffer, kidx_add(k, re, kidx_const(1)), v.imag);
    return;
  }
  if (ir_type_packed_bits(element) && ir_type_is_float(element)) {
    ir_type_t bits = ir_type_i(k->ctx, ir_type_width(element));
    value = kernel_op1(k, OP_ARITH_BITCAST, shaped(k, bits, value), value);
  }
  if (eval_is_packed(element) || (ir_is(element, IR_T_INTEGER) && ir_type_width(element) < 8)) {
    value = kernel_op1(k, OP_ARITH_EXTUI, shaped(k, ir_type_i(k->ctx, 8), value), value);
  }
  if (ir_type_packed_bits(element)) {
    store_packed(e, buffer, at, value, ir_type_packed_bits(element));
  } else {
    kernel_store(k, buffer, at, value);
  }
}

ir_value_t *eval_buffer(eval_t *e, ir_value_t *subspan) {
  kernel_t *k = &e->k;
  kval_t known;
  if (kernel_recall(k, subspan, NULL, 0, &known)) return known.value;
  ir_op_t *op = ir_def(subspan);
  ir_type_t bound = op ? eval_bound_type(subspan->type) : NULL;
  if (!bound || !eval_is(op, "hal.interface.binding.subspan")) {
    kernel_fail(k, ir_error(k->ctx, k->loc, "a dispatch tensor is not a binding"));
    return kernel_index_constant(k, 0);
  }
  ir_group_t offset = ir_operand_group(op, "byte_offset"),
             dims = ir_operand_group(op, "dynamic_dims");
  ir_value_t *operands[2];
  uint32_t segments[2] = {0, 0};
  size_t n = 0;
  if (offset.n) {
    operands[n++] = kidx_scalar(k, kval_index(k, eval_scalar(e, ir_operand(op, offset.first))));
    segments[0] = 1;
  }
  int64_t count = ir_type_n_elements(bound);
  if (count < 0) {
    kidx_t product = kidx_const(1);
    for (size_t d = 0; d < ir_type_rank(bound); ++d) {
      int64_t dim = ir_type_dim(bound, d);
      product =
          kidx_mul(k, product,
                   dim == IR_DYNAMIC ? eval_dynamic_dim(e, op, dims, bound, d) : kidx_const(dim));
    }
    product = kidx_mul(k, product, kidx_const(storage_count(ir_type_element(bound), 8)));
    operands[n++] = kidx_scalar(k, kidx_binary(k, OP_ARITH_CEILDIVSI, product, kidx_const(8)));
    segments[1] = 1;
    count = IR_DYNAMIC;
  } else {
    count = storage_count(ir_type_element(bound), count);
  }
  ir_type_t type = ir_type_memref(k->ctx, &count, 1,
                                  storage_element(k->ctx, ir_type_element(bound)), NULL, NULL);
  kernel_saved_t saved;
  kernel_enter(k, 0, &saved);
  ir_op_t *copy = ir_op_clone(k->ctx, op, NULL);
  ir_op_set_operands(k->ctx, copy, operands, n, segments);
  ir_result(copy, 0)->type = type;
  ir_result(copy, 0)->mark = 0;
  ir_builder_t b = {
      .ctx = k->ctx, .block = k->scopes[0].block, .before = k->scopes[0].before, .loc = op->loc};
  ir_insert(&b, copy);
  kernel_leave(k, &saved);
  kernel_remember(k, subspan, NULL, 0, kval(ir_result(copy, 0)));
  return ir_result(copy, 0);
}

kidx_t eval_window(eval_t *e, ir_op_t *op, ir_value_t *target, ir_type_t window, const kidx_t *idx,
                   size_t rank) {
  kernel_t *k = &e->k;
  ir_type_t bound = eval_bound_type(target->type);
  size_t source_dims[KERNEL_MAX_RANK], kept = eval_slice_dims(op, window, source_dims);
  ir_group_t dims = ir_operand_group(
      op, eval_is(op, "iree_tensor_ext.dispatch.tensor.store") ? "target_dims" : "source_dims");
  kidx_t linear = kidx_const(0);
  if (kept != rank) {
    eval_fail(e, op, "drops dimensions in a way that is not clear");
    return linear;
  }
  size_t next = 0;
  for (size_t d = 0; d < ir_type_rank(bound); ++d) {
    kidx_t at = eval_mixed(e, op, "offsets", "static_offsets", d);
    if (next < kept && source_dims[next] == d) {
      kidx_t stride = eval_mixed(e, op, "strides", "static_strides", d);
      at = kidx_add(k, at, kidx_mul(k, idx[next++], stride));
    }
    int64_t extent = ir_type_dim(bound, d);
    kidx_t size =
        extent == IR_DYNAMIC ? eval_dynamic_dim(e, op, dims, bound, d) : kidx_const(extent);
    linear = kidx_add(k, kidx_mul(k, linear, size), at);
  }
  return linear;
}

kval_t eval_dispatch_load(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  ir_value_t *source = ir_operand(op, 0);
  ir_value_t *buffer = eval_buffer(e, source);
  if (!kernel_ok(&e->k)) return eval_failed(e);
  kidx_t at = eval_window(e, op, source, ir_result(op, 0)->type, idx, rank);
  return eval_load(e, buffer, at, ir_type_element(ir_result(op, 0)->type));
}

//===-- constants ----------------------------------------------------------------------------------

kidx_t eval_linearize(eval_t *e, ir_value_t *tensor, const kidx_t *idx, size_t rank) {
  kidx_t linear = kidx_const(0);
  for (size_t d = 0; d < rank; ++d) {
    linear = kidx_add(&e->k, kidx_mul(&e->k, linear, eval_extent(e, tensor, d)), idx[d]);
  }
  return linear;
}

static uint64_t part_bits(ir_attr_t dense, size_t index, size_t bytes) {
  const uint8_t *p = (const uint8_t *)ir_dense_data(dense) + index * bytes;
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes && i < 8; ++i) bits |= (uint64_t)p[i] << (8 * i);
  return bits;
}

static uint64_t dense_bits(ir_attr_t dense, size_t index, size_t bytes) {
  const uint8_t *p = ir_dense_data(dense);
  uint64_t bits = 0;
  if (!ir_dense_is_splat(dense)) p += index * bytes;
  for (size_t i = 0; i < bytes && i < 8; ++i) bits |= (uint64_t)p[i] << (8 * i);
  return bits;
}

ir_attr_t eval_scalar_attr(ir_ctx_t *ctx, ir_type_t element, uint64_t bits) {
  if (ir_type_is_float(element)) return ir_attr_float_bits(ctx, element, bits);
  if (ir_type_is_int(element, 1)) return ir_attr_bool(ctx, bits & 1);
  return ir_attr_int(ctx, element, (int64_t)bits);
}

// The global that holds |value|, flat; one per distinct constant.
static ir_value_t *constant_buffer(eval_t *e, ir_op_t *op, ir_attr_t value) {
  kernel_t *k = &e->k;
  kval_t known;
  if (kernel_recall(k, value, NULL, 0, &known)) return known.value;
  ir_type_t element = storage_element(k->ctx, ir_type_element(ir_dense_type(value)));
  int64_t count =
      ir_type_n_elements(ir_dense_type(value)) * (int64_t)eval_parts(ir_dense_type(value));
  ir_type_t type = ir_type_memref(k->ctx, &count, 1, element, NULL, NULL);
  const char *name = NULL;
  for (ir_op_t *g = k->globals->first; g && !name; g = g->next) {
    if (eval_is(g, "memref.global") && ir_op_attr(g, "initial_value") == value)
      name = ir_str(ir_op_attr(g, "sym_name")).data;
  }
  if (!name) {
    ir_type_t flat = ir_type_tensor(k->ctx, &count, 1, element, NULL);
    ir_attr_t data = ir_attr_dense(k->ctx, flat, ir_dense_data(value), ir_dense_bytes(value),
                                   ir_dense_is_splat(value), false);
    for (ir_op_t *g = k->globals->first; g && !name; g = g->next) {
      if (eval_is(g, "memref.global") && ir_op_attr(g, "initial_value") == data)
        name = ir_str(ir_op_attr(g, "sym_name")).data;
    }
    if (!name) {
      name = ir_symbol_unique(k->ctx, k->module_op, "constant");
      ir_builder_t b = ir_builder_at_start(k->ctx, k->globals);
      b.loc = op->loc;
      ir_named_t attrs[] = {{"sym_name", ir_attr_str(k->ctx, name)},
                            {"sym_visibility", ir_attr_str(k->ctx, "private")},
                            {"type", type},
                            {"initial_value", data},
                            {"constant", ir_attr_unit(k->ctx)}};
      ir_build(&b, &(ir_op_desc_t){.kind = OP_MEMREF_GLOBAL, .attrs = attrs, .n_attrs = 5});
    }
  }
  kernel_attr_t attr = {"name", ir_attr_sym(k->ctx, name)};
  ir_value_t *buffer = kernel_op(k, OP_MEMREF_GET_GLOBAL, type, NULL, 0, &attr, 1);
  kernel_remember(k, value, NULL, 0, kval(buffer));
  return buffer;
}

kval_t eval_constant(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_attr_t value = ir_op_attr(op, "value");
  if (ir_is(value, IR_A_RESOURCE)) {
    const ir_resource_t *resource = ir_ctx_find_resource(k->ctx, ir_bytes(value));
    if (!resource) return eval_fail(e, op, "names a resource that the file does not hold");
    value =
        ir_attr_dense(k->ctx, ir_kid(value, 0), resource->data, resource->n_bytes, false, false);
  }
  if (!ir_is(value, IR_A_DENSE)) return eval_fail(e, op, "has no dense value");
  ir_type_t element = ir_type_element(ir_result(op, 0)->type);
  size_t bytes = ir_type_storage_bytes(element);
  kidx_t at = eval_linearize(e, ir_result(op, 0), idx, rank);
  if (ir_dense_is_splat(value) || kidx_is_const(at)) {
    uint64_t bits = dense_bits(value, kidx_is_const(at) ? (size_t)at.add : 0, bytes);
    if (ir_is(element, IR_T_INDEX)) return (kval_t){.index = kidx_const((int64_t)bits)};
    if (ir_is(element, IR_T_COMPLEX)) {
      ir_type_t part = ir_kid(element, 0);
      size_t index = kidx_is_const(at) && !ir_dense_is_splat(value) ? (size_t)at.add * 2 : 0;
      uint64_t re = part_bits(value, index, bytes / 2), im = part_bits(value, index + 1, bytes / 2);
      return (kval_t){.value = kernel_constant(k, eval_scalar_attr(k->ctx, part, re), part),
                      .imag = kernel_constant(k, eval_scalar_attr(k->ctx, part, im), part)};
    }
    return kval(kernel_constant(k, eval_scalar_attr(k->ctx, element, bits), element));
  }
  ir_value_t *buffer = constant_buffer(e, op, value);
  if (!kernel_ok(k)) return eval_failed(e);
  // Constant data has a byte per narrow integer.
  if (eval_is_packed(element)) {
    return kval(from_byte(k, kernel_load(k, buffer, at), element));
  }
  return eval_load(e, buffer, at, element);
}
