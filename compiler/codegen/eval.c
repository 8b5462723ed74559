// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of tensor ops other than the structured ones, of scalars, extents and region bodies.
#include "compiler/codegen/eval.h"

#include <string.h>

enum { MAX_RECURSION = 400 };

static kval_t failed(eval_t *e) { return kval(kernel_index_constant(&e->k, 0)); }

static kval_t fail(eval_t *e, const ir_op_t *op, const char *what) {
  kernel_fail(&e->k, ir_op_error(op, "%s", what));
  return failed(e);
}

static bool is_named(const ir_op_t *op, const char *name) {
  return op && strcmp(ir_op_name(op), name) == 0;
}

//===-- scalars and bodies -------------------------------------------------------------------------

static bool frame_find(const eval_t *e, const ir_value_t *value, kval_t *out) {
  for (const eval_frame_t *f = e->frame; f; f = f->parent) {
    for (size_t i = f->count; i-- > 0;) {
      if (f->keys[i] == value) {
        *out = f->values[i];
        return true;
      }
    }
  }
  return false;
}

static void frame_add(eval_t *e, const ir_value_t *key, kval_t value) {
  eval_frame_t *f = e->frame;
  if (f->count == f->capacity) {
    size_t capacity = f->capacity * 2 + 32;
    f->keys = iree_arena_grow(e->k.arena, f->keys, f->count * sizeof(*f->keys), capacity * sizeof(*f->keys));
    f->values = iree_arena_grow(e->k.arena, f->values, f->count * sizeof(*f->values), capacity * sizeof(*f->values));
    f->capacity = capacity;
  }
  f->keys[f->count] = key;
  f->values[f->count++] = value;
}

static bool is_tensor(ir_type_t type) { return ir_is(type, IR_T_TENSOR); }

static kval_t constant_value(eval_t *e, const ir_op_t *op) {
  ir_attr_t attr = ir_op_attr(op, "value");
  if (ir_is(attr, IR_A_INT) && ir_is(ir_result(op, 0)->type, IR_T_INDEX)) {
    return (kval_t){.index = kidx_const(ir_int(attr, 0))};
  }
  return kval(kernel_constant(&e->k, attr, ir_result(op, 0)->type));
}

// Arithmetic on indices keeps its affine form.
static bool index_arithmetic(eval_t *e, const ir_op_t *op, const kval_t *operands, kval_t *out) {
  kernel_t *k = &e->k;
  if (op->n_results != 1 || !ir_is(ir_result(op, 0)->type, IR_T_INDEX)) return false;
  if (op->kind == OP_ARITH_INDEX_CAST || op->kind == OP_ARITH_INDEX_CASTUI) {
    if (operands[0].value) return false;
    *out = operands[0];
    return true;
  }
  if (op->n_operands != 2) return false;
  kidx_t a = kval_index(k, operands[0]), b = kval_index(k, operands[1]), r;
  switch ((op_kind_t)op->kind) {
    case OP_ARITH_ADDI: r = kidx_add(k, a, b); break;
    case OP_ARITH_SUBI: r = kidx_sub(k, a, b); break;
    case OP_ARITH_MULI: r = kidx_mul(k, a, b); break;
    case OP_ARITH_DIVSI:
    case OP_ARITH_REMSI:
    case OP_ARITH_FLOORDIVSI:
    case OP_ARITH_CEILDIVSI:
    case OP_ARITH_MINSI:
    case OP_ARITH_MAXSI:
      if (!kidx_is_const(a) || !kidx_is_const(b)) return false;
      r = kidx_binary(k, op->kind, a, b);
      break;
    default: return false;
  }
  *out = (kval_t){.index = r};
  return true;
}

static kval_t elementwise(eval_t *e, const ir_op_t *op, const kval_t *operands, size_t result) {
  kval_t out;
  if (index_arithmetic(e, op, operands, &out)) return out;
  ir_value_t *value = kernel_elementwise(&e->k, op, (kval_t *)operands, op->n_operands, result);
  return value ? kval(value) : failed(e);
}

static bool is_elementwise_dialect(const ir_op_t *op) {
  const char *name = ir_op_name(op);
  return strncmp(name, "arith.", 6) == 0 || strncmp(name, "math.", 5) == 0;
}

// An op copied as it stands (no operands): hal.interface.constant.load, workgroup coordinates.
static kval_t copied(eval_t *e, ir_op_t *op, size_t result) {
  kernel_saved_t saved;
  kval_t value;
  if (kernel_recall(&e->k, ir_result(op, result), NULL, 0, &value)) return value;
  kernel_enter(&e->k, 0, &saved);
  ir_op_t *copy = ir_op_clone(e->k.ctx, op, NULL);
  ir_builder_t b = {.ctx = e->k.ctx, .block = e->k.scopes[0].block, .before = e->k.scopes[0].before, .loc = op->loc};
  ir_insert(&b, copy);
  for (size_t i = 0; i < copy->n_results; ++i) ir_result(copy, i)->mark = 0;
  kernel_leave(&e->k, &saved);
  value = kval(ir_result(copy, result));
  kernel_remember(&e->k, ir_result(op, result), NULL, 0, value);
  return value;
}

static kval_t affine_map_value(eval_t *e, ir_op_t *op) {
  ir_attr_t map = ir_op_attr(op, "map");
  kidx_t dims[KERNEL_MAX_RANK];
  size_t n = op->n_operands;
  if (!ir_is(map, IR_A_MAP) || n > KERNEL_MAX_RANK || ir_int(map, 1) != 0) {
    return fail(e, op, "has a map with symbols or too many operands");
  }
  for (size_t i = 0; i < n; ++i) dims[i] = kval_index(&e->k, eval_scalar(e, ir_operand(op, i)));
  kidx_t r = kidx_expr(&e->k, ir_kid(map, 0), dims, n);
  for (size_t i = 1; i < ir_map_n_results(map); ++i) {
    kidx_t other = kidx_expr(&e->k, ir_kid(map, i), dims, n);
    r = kidx_binary(&e->k, is_named(op, "affine.min") ? OP_ARITH_MINSI : OP_ARITH_MAXSI, r, other);
  }
  return (kval_t){.index = r};
}

static kval_t extracted(eval_t *e, ir_op_t *op) {
  kidx_t idx[KERNEL_MAX_RANK];
  size_t rank = op->n_operands - 1;
  if (rank > KERNEL_MAX_RANK) return fail(e, op, "has too high a rank");
  for (size_t i = 0; i < rank; ++i) idx[i] = kval_index(&e->k, eval_scalar(e, ir_operand(op, 1 + i)));
  return eval_tensor(e, ir_operand(op, 0), idx, rank);
}

static kval_t evaluate_op(eval_t *e, ir_op_t *op, size_t result);

// Both sides are computed, then selected: regions of a body have no effects.
static kval_t selected_regions(eval_t *e, ir_op_t *op, size_t result) {
  kval_t sides[2];
  ir_value_t *condition = kval_get(&e->k, eval_scalar(e, ir_operand(op, 0)));
  for (uint16_t r = 0; r < 2; ++r) {
    kval_t yields[16];
    ir_block_t *block = op->n_regions > r ? ir_region(op, r)->first : NULL;
    if (!block || op->n_results > 16) return fail(e, op, "is not a selection of values");
    eval_body(e, block, NULL, e->frame ? e->frame->dims : NULL, e->frame ? e->frame->n_dims : 0, yields, op->n_results);
    sides[r] = yields[result];
  }
  ir_value_t *a = kval_get(&e->k, sides[0]), *b = kval_get(&e->k, sides[1]);
  return kval(kernel_select(&e->k, condition, a, b));
}

static kval_t linalg_index(eval_t *e, const ir_op_t *op) {
  size_t dim = (size_t)ir_op_int(op, "dim", 0);
  for (const eval_frame_t *f = e->frame; f; f = f->parent) {
    if (f->dims && dim < f->n_dims) return (kval_t){.index = f->dims[dim]};
  }
  return fail(e, op, "stands outside of a structured op");
}

static kval_t evaluate_op(eval_t *e, ir_op_t *op, size_t result) {
  if (op->kind == OP_ARITH_CONSTANT) return constant_value(e, op);
  if (is_named(op, "linalg.index")) return linalg_index(e, op);
  if (is_named(op, "tensor.extract")) return extracted(e, op);
  if (is_named(op, "tensor.dim")) {
    kidx_t d = kval_index(&e->k, eval_scalar(e, ir_operand(op, 1)));
    if (!kidx_is_const(d)) return fail(e, op, "needs a constant dimension");
    return (kval_t){.index = eval_extent(e, ir_operand(op, 0), (size_t)d.add)};
  }
  if (is_named(op, "util.assume.int")) return eval_scalar(e, ir_operand(op, result));
  if (is_named(op, "iree_tensor_ext.dispatch.workload.ordinal") || is_named(op, "util.optimization_barrier")) {
    return eval_scalar(e, ir_operand(op, result));
  }
  if (is_named(op, "affine.apply") || is_named(op, "affine.min") || is_named(op, "affine.max")) {
    return affine_map_value(e, op);
  }
  if (op->kind == OP_SCF_IF) return selected_regions(e, op, result);
  if (is_elementwise_dialect(op)) {
    kval_t operands[8];
    if (op->n_operands > 8) return fail(e, op, "has too many operands");
    for (size_t i = 0; i < op->n_operands; ++i) operands[i] = eval_scalar(e, ir_operand(op, i));
    return elementwise(e, op, operands, result);
  }
  if (op->n_operands == 0 && op->n_regions == 0) return copied(e, op, result);
  return fail(e, op, "has no lowering inside a kernel");
}

kval_t eval_scalar(eval_t *e, ir_value_t *value) {
  kval_t found;
  if (!kernel_ok(&e->k)) return failed(e);
  if (frame_find(e, value, &found)) return found;
  ir_op_t *def = ir_def(value);
  if (!def) {
    kernel_fail(&e->k, ir_error(e->k.ctx, e->k.loc, "kernel uses a block argument from outside of its body"));
    return failed(e);
  }
  // A value of the function: the frames of bodies have no say.
  eval_frame_t *frame = e->frame;
  e->frame = NULL;
  if (!kernel_recall(&e->k, value, NULL, 0, &found)) {
    found = evaluate_op(e, def, value->index);
    kernel_remember(&e->k, value, NULL, 0, found);
  }
  e->frame = frame;
  return found;
}

void eval_body(eval_t *e, ir_block_t *block, const kval_t *args, const kidx_t *dims, size_t n_dims,
               kval_t *out, size_t n_out) {
  eval_frame_t frame = {.parent = e->frame, .dims = dims, .n_dims = n_dims};
  e->frame = &frame;
  for (size_t i = 0; args && i < block->n_args; ++i) frame_add(e, block->args[i], args[i]);
  for (ir_op_t *op = block->first; op && kernel_ok(&e->k); op = op->next) {
    if (ir_op_has_trait(op, IR_TERMINATOR)) {
      for (size_t i = 0; i < n_out; ++i) {
        out[i] = i < op->n_operands ? eval_scalar(e, ir_operand(op, i)) : failed(e);
      }
      break;
    }
    for (size_t i = 0; i < op->n_results; ++i) {
      if (is_tensor(ir_result(op, i)->type)) continue;
      frame_add(e, ir_result(op, i), evaluate_op(e, op, i));
    }
  }
  if (!kernel_ok(&e->k)) {
    for (size_t i = 0; i < n_out; ++i) out[i] = failed(e);
  }
  e->frame = frame.parent;
}

//===-- lists and extents --------------------------------------------------------------------------

size_t eval_mixed_count(ir_op_t *op, const char *statics) {
  ir_attr_t attr = ir_op_attr(op, statics);
  return attr ? attr->n_ints : 0;
}

kidx_t eval_mixed(eval_t *e, ir_op_t *op, const char *group, const char *statics, size_t i) {
  ir_attr_t attr = ir_op_attr(op, statics);
  if (!attr || i >= attr->n_ints) return kidx_const(0);
  int64_t value = ir_int(attr, i);
  if (value != IR_DYNAMIC) return kidx_const(value);
  ir_group_t g = ir_operand_group(op, group);
  size_t position = 0;
  for (size_t j = 0; j < i; ++j) position += ir_int(attr, j) == IR_DYNAMIC;
  if (position >= g.n) return kidx_const(0);
  return kval_index(&e->k, eval_scalar(e, ir_operand(op, g.first + position)));
}

// The value of dynamic dimension |d| of |type| from a group holding one per dynamic dimension.
static kidx_t dynamic_dim(eval_t *e, ir_op_t *op, ir_group_t g, ir_type_t type, size_t d) {
  size_t position = 0;
  for (size_t j = 0; j < d; ++j) position += ir_type_dim(type, j) == IR_DYNAMIC;
  if (position >= g.n) {
    fail(e, op, "lacks the extent of a dynamic dimension");
    return kidx_const(1);
  }
  return kval_index(&e->k, eval_scalar(e, ir_operand(op, g.first + position)));
}

// Result dimensions of a slice: those whose size is dropped (rank reduction) have static size 1.
static size_t slice_dims(ir_op_t *op, ir_type_t sliced, size_t *out_source_dim) {
  ir_attr_t sizes = ir_op_attr(op, "static_sizes");
  size_t rank = sizes ? sizes->n_ints : 0, to = ir_type_rank(sliced), n = 0;
  size_t to_drop = rank > to ? rank - to : 0;
  for (size_t s = 0; s < rank; ++s) {
    bool keeps = n < to && (ir_int(sizes, s) == ir_type_dim(sliced, n));
    // Drop a unit dimension when too many are left, unless the result needs it here.
    if (to_drop && ir_int(sizes, s) == 1 && !(keeps && rank - s <= to - n)) {
      bool next_matches = keeps && s + 1 < rank && ir_int(sizes, s + 1) != ir_type_dim(sliced, n);
      if (!keeps || !next_matches) {
        --to_drop;
        continue;
      }
    }
    out_source_dim[n++] = s;
  }
  return n;
}

static kidx_t reshape_extent(eval_t *e, ir_op_t *op, size_t d) {
  ir_value_t *source = ir_operand(op, 0);
  ir_type_t type = ir_result(op, 0)->type;
  ir_attr_t groups = ir_op_attr(op, "reassociation");
  if (is_named(op, "tensor.expand_shape")) return eval_mixed(e, op, "output_shape", "static_output_shape", d);
  (void)type;
  kidx_t product = kidx_const(1);
  ir_attr_t group = ir_kid(groups, d);
  for (size_t i = 0; i < group->n_kids; ++i) {
    product = kidx_mul(&e->k, product, eval_extent(e, source, (size_t)ir_int(ir_kid(group, i), 0)));
  }
  return product;
}

kidx_t eval_extent(eval_t *e, ir_value_t *tensor, size_t d) {
  ir_type_t type = tensor->type;
  if (ir_type_dim(type, d) != IR_DYNAMIC) return kidx_const(ir_type_dim(type, d));
  if (!kernel_ok(&e->k)) return kidx_const(1);
  ir_op_t *op = ir_def(tensor);
  if (!op) {
    kernel_fail(&e->k, ir_error(e->k.ctx, e->k.loc, "extent of a block argument is not known"));
    return kidx_const(1);
  }
  size_t source_dims[KERNEL_MAX_RANK];
  if (is_named(op, "iree_tensor_ext.dispatch.tensor.load") || is_named(op, "tensor.extract_slice")) {
    size_t n = slice_dims(op, type, source_dims);
    if (d < n) return eval_mixed(e, op, "sizes", "static_sizes", source_dims[d]);
  }
  if (is_named(op, "tensor.empty")) return dynamic_dim(e, op, ir_operand_group(op, "dynamicSizes"), type, d);
  if (is_named(op, "tensor.splat")) return dynamic_dim(e, op, ir_operand_group(op, "dynamicSizes"), type, d);
  if (is_named(op, "tensor.generate")) return dynamic_dim(e, op, ir_operand_group(op, "dynamicExtents"), type, d);
  if (is_named(op, "tensor.cast")) return eval_extent(e, ir_operand(op, 0), d);
  if (is_named(op, "tensor.insert_slice")) return eval_extent(e, ir_operand(op, 1), d);
  if (is_named(op, "tensor.expand_shape") || is_named(op, "tensor.collapse_shape")) return reshape_extent(e, op, d);
  if (is_named(op, "tensor.pad")) {
    kidx_t low = eval_mixed(e, op, "low", "static_low", d), high = eval_mixed(e, op, "high", "static_high", d);
    return kidx_add(&e->k, kidx_add(&e->k, low, high), eval_extent(e, ir_operand(op, 0), d));
  }
  if (is_named(op, "tensor.concat")) {
    kidx_t sum = eval_extent(e, ir_operand(op, 0), d);
    for (size_t i = 1; d == (size_t)ir_op_int(op, "dim", 0) && i < op->n_operands; ++i) {
      sum = kidx_add(&e->k, sum, eval_extent(e, ir_operand(op, i), d));
    }
    return sum;
  }
  if (strncmp(ir_op_name(op), "linalg.", 7) == 0) {
    ir_group_t outputs = ir_operand_group(op, "outputs");
    size_t i = outputs.n ? outputs.first + tensor->index : op->n_operands - op->n_results + tensor->index;
    return eval_extent(e, ir_operand(op, i), d);
  }
  if (is_elementwise_dialect(op)) return eval_extent(e, ir_operand(op, op->n_operands - 1), d);
  fail(e, op, "has a dynamic extent that is not known here");
  return kidx_const(1);
}

//===-- memory -------------------------------------------------------------------------------------

ir_type_t eval_bound_type(ir_type_t type) {
  if (is_tensor(type)) return type;
  for (size_t i = 0; i < type->n_kids; ++i) {
    const ir_term_t *kid = ir_kid(type, i);
    ir_type_t found = kid ? eval_bound_type(kid) : NULL;
    if (found) return found;
  }
  return NULL;
}

ir_type_t eval_storage_element(ir_ctx_t *ctx, ir_type_t element) {
  if (ir_is(element, IR_T_INTEGER) && ir_type_width(element) < 8) return ir_type_i(ctx, 8);
  if (ir_is(element, IR_T_INTEGER)) return ir_type_i(ctx, ir_type_width(element));
  return element;
}

kval_t eval_from_storage(eval_t *e, ir_value_t *value, ir_type_t element) {
  kernel_t *k = &e->k;
  if (!ir_is(element, IR_T_INTEGER) || ir_type_width(element) >= 8) return kval(value);
  ir_type_t narrow = ir_type_i(k->ctx, ir_type_width(element));
  ir_type_t type = kernel_is_vector(value) ? kernel_vector_type(k, narrow) : narrow;
  return kval(kernel_op1(k, OP_ARITH_TRUNCI, type, value));
}

ir_value_t *eval_to_storage(eval_t *e, kval_t v, ir_type_t element) {
  kernel_t *k = &e->k;
  ir_value_t *value = kval_get(k, v);
  if (!ir_is(element, IR_T_INTEGER) || ir_type_width(element) >= 8) return value;
  ir_type_t wide = ir_type_i(k->ctx, 8);
  ir_type_t type = kernel_is_vector(value) ? kernel_vector_type(k, wide) : wide;
  return kernel_op1(k, OP_ARITH_EXTUI, type, value);
}

ir_value_t *eval_buffer(eval_t *e, ir_value_t *subspan) {
  kernel_t *k = &e->k;
  kval_t known;
  if (kernel_recall(k, subspan, NULL, 0, &known)) return known.value;
  ir_op_t *op = ir_def(subspan);
  ir_type_t bound = op ? eval_bound_type(subspan->type) : NULL;
  if (!bound || !is_named(op, "hal.interface.binding.subspan")) {
    kernel_fail(k, ir_error(k->ctx, k->loc, "a dispatch tensor is not a binding"));
    return kernel_index_constant(k, 0);
  }
  ir_group_t offset = ir_operand_group(op, "byte_offset"), dims = ir_operand_group(op, "dynamic_dims");
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
      product = kidx_mul(k, product, dim == IR_DYNAMIC ? dynamic_dim(e, op, dims, bound, d) : kidx_const(dim));
    }
    operands[n++] = kidx_scalar(k, product);
    segments[1] = 1;
    count = IR_DYNAMIC;
  }
  ir_type_t type = ir_type_memref(k->ctx, &count, 1, eval_storage_element(k->ctx, ir_type_element(bound)), NULL, NULL);
  kernel_saved_t saved;
  kernel_enter(k, 0, &saved);
  ir_op_t *copy = ir_op_clone(k->ctx, op, NULL);
  ir_op_set_operands(k->ctx, copy, operands, n, segments);
  ir_result(copy, 0)->type = type;
  ir_result(copy, 0)->mark = 0;
  ir_builder_t b = {.ctx = k->ctx, .block = k->scopes[0].block, .before = k->scopes[0].before, .loc = op->loc};
  ir_insert(&b, copy);
  kernel_leave(k, &saved);
  kernel_remember(k, subspan, NULL, 0, kval(ir_result(copy, 0)));
  return ir_result(copy, 0);
}

kidx_t eval_window(eval_t *e, ir_op_t *op, ir_value_t *target, ir_type_t window, const kidx_t *idx, size_t rank) {
  kernel_t *k = &e->k;
  ir_type_t bound = eval_bound_type(target->type);
  size_t source_dims[KERNEL_MAX_RANK], kept = slice_dims(op, window, source_dims);
  ir_group_t dims = ir_operand_group(op, is_named(op, "iree_tensor_ext.dispatch.tensor.store") ? "target_dims" : "source_dims");
  kidx_t linear = kidx_const(0);
  if (kept != rank) {
    fail(e, op, "drops dimensions in a way that is not clear");
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
    kidx_t size = extent == IR_DYNAMIC ? dynamic_dim(e, op, dims, bound, d) : kidx_const(extent);
    linear = kidx_add(k, kidx_mul(k, linear, size), at);
  }
  return linear;
}

static kval_t eval_dispatch_load(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  ir_value_t *source = ir_operand(op, 0);
  ir_value_t *buffer = eval_buffer(e, source);
  if (!kernel_ok(&e->k)) return failed(e);
  kidx_t at = eval_window(e, op, source, ir_result(op, 0)->type, idx, rank);
  return eval_from_storage(e, kernel_load(&e->k, buffer, at), ir_type_element(ir_result(op, 0)->type));
}

//===-- constants ----------------------------------------------------------------------------------

static kidx_t linearize(eval_t *e, ir_value_t *tensor, const kidx_t *idx, size_t rank) {
  kidx_t linear = kidx_const(0);
  for (size_t d = 0; d < rank; ++d) {
    linear = kidx_add(&e->k, kidx_mul(&e->k, linear, eval_extent(e, tensor, d)), idx[d]);
  }
  return linear;
}

static uint64_t dense_bits(ir_attr_t dense, size_t index, size_t bytes) {
  const uint8_t *p = ir_dense_data(dense);
  uint64_t bits = 0;
  if (!ir_dense_is_splat(dense)) p += index * bytes;
  for (size_t i = 0; i < bytes && i < 8; ++i) bits |= (uint64_t)p[i] << (8 * i);
  return bits;
}

static ir_attr_t scalar_attr(ir_ctx_t *ctx, ir_type_t element, uint64_t bits) {
  if (ir_type_is_float(element)) return ir_attr_float_bits(ctx, element, bits);
  if (ir_type_is_int(element, 1)) return ir_attr_bool(ctx, bits & 1);
  return ir_attr_int(ctx, element, (int64_t)bits);
}

// The global that holds |value|, flat; one per distinct constant.
static ir_value_t *constant_buffer(eval_t *e, ir_op_t *op, ir_attr_t value) {
  kernel_t *k = &e->k;
  kval_t known;
  if (kernel_recall(k, value, NULL, 0, &known)) return known.value;
  ir_type_t element = eval_storage_element(k->ctx, ir_type_element(ir_dense_type(value)));
  int64_t count = ir_type_n_elements(ir_dense_type(value));
  ir_type_t type = ir_type_memref(k->ctx, &count, 1, element, NULL, NULL);
  const char *name = NULL;
  for (ir_op_t *g = k->globals->first; g && !name; g = g->next) {
    if (is_named(g, "memref.global") && ir_op_attr(g, "initial_value") == value) name = ir_str(ir_op_attr(g, "sym_name")).data;
  }
  if (!name) {
    ir_type_t flat = ir_type_tensor(k->ctx, &count, 1, element, NULL);
    ir_attr_t data = ir_attr_dense(k->ctx, flat, ir_dense_data(value), ir_dense_bytes(value), ir_dense_is_splat(value), false);
    for (ir_op_t *g = k->globals->first; g && !name; g = g->next) {
      if (is_named(g, "memref.global") && ir_op_attr(g, "initial_value") == data) name = ir_str(ir_op_attr(g, "sym_name")).data;
    }
    if (!name) {
      name = ir_symbol_unique(k->ctx, k->module_op, "constant");
      ir_builder_t b = ir_builder_at_start(k->ctx, k->globals);
      b.loc = op->loc;
      ir_named_t attrs[] = {{"sym_name", ir_attr_str(k->ctx, name)}, {"sym_visibility", ir_attr_str(k->ctx, "private")},
                            {"type", type}, {"initial_value", data}, {"constant", ir_attr_unit(k->ctx)}};
      ir_build(&b, &(ir_op_desc_t){.kind = OP_MEMREF_GLOBAL, .attrs = attrs, .n_attrs = 5});
    }
  }
  kernel_attr_t attr = {"name", ir_attr_sym(k->ctx, name)};
  ir_value_t *buffer = kernel_op(k, OP_MEMREF_GET_GLOBAL, type, NULL, 0, &attr, 1);
  kernel_remember(k, value, NULL, 0, kval(buffer));
  return buffer;
}

static kval_t eval_constant(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_attr_t value = ir_op_attr(op, "value");
  if (ir_is(value, IR_A_RESOURCE)) {
    const ir_resource_t *resource = ir_ctx_find_resource(k->ctx, ir_bytes(value));
    if (!resource) return fail(e, op, "names a resource that the file does not hold");
    value = ir_attr_dense(k->ctx, ir_kid(value, 0), resource->data, resource->n_bytes, false, false);
  }
  if (!ir_is(value, IR_A_DENSE)) return fail(e, op, "has no dense value");
  ir_type_t element = ir_type_element(ir_result(op, 0)->type);
  size_t bytes = ir_type_storage_bytes(element);
  kidx_t at = linearize(e, ir_result(op, 0), idx, rank);
  if (ir_dense_is_splat(value) || kidx_is_const(at)) {
    uint64_t bits = dense_bits(value, kidx_is_const(at) ? (size_t)at.add : 0, bytes);
    if (ir_is(element, IR_T_INDEX)) return (kval_t){.index = kidx_const((int64_t)bits)};
    return kval(kernel_constant(k, scalar_attr(k->ctx, element, bits), element));
  }
  ir_value_t *buffer = constant_buffer(e, op, value);
  if (!kernel_ok(k)) return failed(e);
  return eval_from_storage(e, kernel_load(k, buffer, at), element);
}

//===-- shape ops ----------------------------------------------------------------------------------

static kval_t eval_extract_slice(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  size_t source_dims[KERNEL_MAX_RANK], kept = slice_dims(op, ir_result(op, 0)->type, source_dims), next = 0;
  size_t source_rank = ir_type_rank(ir_operand(op, 0)->type);
  kidx_t at[KERNEL_MAX_RANK];
  if (kept != rank) return fail(e, op, "drops dimensions in a way that is not clear");
  for (size_t d = 0; d < source_rank; ++d) {
    at[d] = eval_mixed(e, op, "offsets", "static_offsets", d);
    if (next < kept && source_dims[next] == d) {
      kidx_t stride = eval_mixed(e, op, "strides", "static_strides", d);
      at[d] = kidx_add(&e->k, at[d], kidx_mul(&e->k, idx[next++], stride));
    }
  }
  return eval_tensor(e, ir_operand(op, 0), at, source_rank);
}

// Adds "|idx| in [lo, hi)" to |condition|; nothing if it always holds.
static ir_value_t *in_range(eval_t *e, ir_value_t *condition, kidx_t idx, kidx_t lo, kidx_t hi, kidx_t extent) {
  kernel_t *k = &e->k;
  ir_value_t *value = NULL;
  bool starts_at_zero = kidx_is_const(lo) && lo.add <= 0;
  bool ends_at_end = kidx_equal(hi, extent);
  for (int side = 0; side < 2; ++side) {
    if (side ? ends_at_end : starts_at_zero) continue;
    if (!value) value = kidx_get(k, idx);
    ir_value_t *bound = kidx_scalar(k, side ? hi : lo);
    ir_value_t *test = kernel_compare(k, side ? 2 : 5, value, bound);
    condition = condition ? kernel_op2(k, OP_ARITH_ANDI, condition, test) : test;
  }
  return condition;
}

// |idx| moved into [0, extent) so that reading there is harmless.
static kidx_t clamp(eval_t *e, kidx_t idx, kidx_t extent) {
  kernel_t *k = &e->k;
  kidx_t last = kidx_add(k, extent, kidx_const(-1));
  return kidx_binary(k, OP_ARITH_MINSI, kidx_binary(k, OP_ARITH_MAXSI, idx, kidx_const(0)), last);
}

static bool is_empty_extent(eval_t *e, ir_value_t *tensor) {
  (void)e;
  for (size_t d = 0; d < ir_type_rank(tensor->type); ++d) {
    if (ir_type_dim(tensor->type, d) == 0) return true;
  }
  return false;
}

static kval_t choose(eval_t *e, ir_value_t *condition, kval_t a, kval_t b) {
  if (!condition) return a;
  ir_value_t *x = kval_get(&e->k, a), *y = kval_get(&e->k, b);
  return kernel_ok(&e->k) ? kval(kernel_select(&e->k, condition, x, y)) : failed(e);
}

static kval_t eval_insert_slice(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_value_t *source = ir_operand(op, 0), *dest = ir_operand(op, 1);
  size_t source_dims[KERNEL_MAX_RANK], kept = slice_dims(op, source->type, source_dims), next = 0;
  kidx_t at[KERNEL_MAX_RANK];
  ir_value_t *condition = NULL;
  if (is_empty_extent(e, source)) return eval_tensor(e, dest, idx, rank);
  for (size_t d = 0; d < rank; ++d) {
    kidx_t lo = eval_mixed(e, op, "offsets", "static_offsets", d);
    kidx_t size = eval_mixed(e, op, "sizes", "static_sizes", d);
    kidx_t stride = eval_mixed(e, op, "strides", "static_strides", d);
    if (!kidx_is_const(stride) || stride.add != 1) return fail(e, op, "inserts with a stride");
    kidx_t hi = kidx_add(k, lo, size);
    condition = in_range(e, condition, idx[d], lo, hi, eval_extent(e, dest, d));
    if (next < kept && source_dims[next] == d) {
      kidx_t inside = kidx_sub(k, idx[d], lo);
      kidx_t extent = eval_extent(e, source, next);
      bool whole = kidx_is_const(lo) && lo.add == 0 && kidx_equal(hi, eval_extent(e, dest, d));
      at[next++] = whole ? inside : clamp(e, inside, extent);
    }
  }
  if (next != ir_type_rank(source->type)) return fail(e, op, "drops dimensions in a way that is not clear");
  kval_t inner = eval_tensor(e, source, at, next);
  if (!condition || is_named(ir_def(dest), "tensor.empty")) return inner;
  return choose(e, condition, inner, eval_tensor(e, dest, idx, rank));
}

static kval_t eval_pad(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_value_t *source = ir_operand(op, 0);
  kidx_t at[KERNEL_MAX_RANK];
  ir_value_t *condition = NULL;
  kval_t outside, args[KERNEL_MAX_RANK];
  for (size_t d = 0; d < rank; ++d) args[d] = (kval_t){.index = idx[d]};
  eval_body(e, ir_body(op), args, NULL, 0, &outside, 1);
  if (is_empty_extent(e, source)) return outside;
  for (size_t d = 0; d < rank; ++d) {
    kidx_t lo = eval_mixed(e, op, "low", "static_low", d), high = eval_mixed(e, op, "high", "static_high", d);
    kidx_t extent = eval_extent(e, source, d);
    at[d] = kidx_sub(k, idx[d], lo);
    bool no_low = kidx_is_const(lo) && lo.add == 0, no_high = kidx_is_const(high) && high.add == 0;
    if (no_low && no_high) continue;
    kidx_t hi = kidx_add(k, lo, extent), whole = kidx_add(k, hi, high);
    condition = in_range(e, condition, idx[d], lo, hi, no_high ? hi : whole);
    at[d] = clamp(e, at[d], extent);
  }
  return choose(e, condition, eval_tensor(e, source, at, rank), outside);
}

static kval_t eval_concat(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  size_t dim = (size_t)ir_op_int(op, "dim", 0);
  kidx_t at[KERNEL_MAX_RANK], start = kidx_const(0);
  memcpy(at, idx, rank * sizeof(*at));
  kval_t value = {0};
  bool is_first = true;
  for (size_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *input = ir_operand(op, i);
    if (is_empty_extent(e, input)) continue;
    kidx_t extent = eval_extent(e, input, dim);
    at[dim] = clamp(e, kidx_sub(k, idx[dim], start), extent);
    kval_t part = eval_tensor(e, input, at, rank);
    if (is_first) {
      value = part;
    } else {
      ir_value_t *behind = kernel_compare(k, 5, kidx_get(k, idx[dim]), kidx_scalar(k, start));
      value = choose(e, behind, part, value);
    }
    is_first = false;
    start = kidx_add(k, start, extent);
  }
  return is_first ? fail(e, op, "has no elements") : value;
}

static kval_t eval_collapse(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_value_t *source = ir_operand(op, 0);
  ir_attr_t groups = ir_op_attr(op, "reassociation");
  kidx_t at[KERNEL_MAX_RANK];
  size_t source_rank = ir_type_rank(source->type);
  for (size_t d = 0; d < source_rank; ++d) at[d] = kidx_const(0);
  for (size_t d = 0; d < rank; ++d) {
    ir_attr_t group = ir_kid(groups, d);
    kidx_t rest = idx[d];
    for (size_t i = group->n_kids; i-- > 0;) {
      size_t s = (size_t)ir_int(ir_kid(group, i), 0);
      kidx_t extent = eval_extent(e, source, s);
      if (kidx_is_const(extent) && extent.add == 1) continue;
      bool is_outermost = true;
      for (size_t j = 0; j < i; ++j) {
        kidx_t outer = eval_extent(e, source, (size_t)ir_int(ir_kid(group, j), 0));
        is_outermost &= kidx_is_const(outer) && outer.add == 1;
      }
      if (is_outermost) {
        at[s] = rest;
        break;
      }
      kidx_t q = kidx_binary(k, OP_ARITH_DIVSI, rest, extent);
      at[s] = kidx_sub(k, rest, kidx_mul(k, q, extent));
      rest = q;
    }
  }
  return eval_tensor(e, source, at, source_rank);
}

static kval_t eval_expand(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)rank;
  kernel_t *k = &e->k;
  ir_value_t *source = ir_operand(op, 0), *expanded = ir_result(op, result);
  ir_attr_t groups = ir_op_attr(op, "reassociation");
  kidx_t at[KERNEL_MAX_RANK];
  size_t source_rank = ir_type_rank(source->type);
  for (size_t s = 0; s < source_rank; ++s) {
    ir_attr_t group = ir_kid(groups, s);
    at[s] = kidx_const(0);
    for (size_t i = 0; i < group->n_kids; ++i) {
      size_t d = (size_t)ir_int(ir_kid(group, i), 0);
      at[s] = kidx_add(k, kidx_mul(k, at[s], eval_extent(e, expanded, d)), idx[d]);
    }
  }
  return eval_tensor(e, source, at, source_rank);
}

static kval_t eval_pass(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  return eval_tensor(e, ir_operand(op, 0), idx, rank);
}

static kval_t eval_splat(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result, (void)idx, (void)rank;
  return eval_scalar(e, ir_operand(op, 0));
}

static kval_t eval_from_elements(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  kidx_t at = linearize(e, ir_result(op, result), idx, rank);
  if (kidx_is_const(at) && at.add >= 0 && (size_t)at.add < op->n_operands) {
    return eval_scalar(e, ir_operand(op, (size_t)at.add));
  }
  ir_value_t *position = kidx_get(&e->k, at);
  kval_t value = eval_scalar(e, ir_operand(op, 0));
  for (size_t i = 1; i < op->n_operands; ++i) {
    ir_value_t *is_here = kernel_compare(&e->k, 0, position, kernel_index_constant(&e->k, (int64_t)i));
    value = choose(e, is_here, eval_scalar(e, ir_operand(op, i)), value);
  }
  return value;
}

static kval_t eval_generate(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kval_t args[KERNEL_MAX_RANK], out;
  for (size_t d = 0; d < rank; ++d) args[d] = (kval_t){.index = idx[d]};
  eval_body(e, ir_body(op), args, NULL, 0, &out, 1);
  return out;
}

static kval_t eval_insert(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)result;
  kernel_t *k = &e->k;
  ir_value_t *condition = NULL;
  for (size_t d = 0; d < rank; ++d) {
    ir_value_t *at = kidx_scalar(k, kval_index(k, eval_scalar(e, ir_operand(op, 2 + d))));
    ir_value_t *test = kernel_compare(k, 0, kidx_get(k, idx[d]), at);
    condition = condition ? kernel_op2(k, OP_ARITH_ANDI, condition, test) : test;
  }
  return choose(e, condition, eval_scalar(e, ir_operand(op, 0)), eval_tensor(e, ir_operand(op, 1), idx, rank));
}

static kval_t eval_undefined(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  (void)idx, (void)rank;
  kernel_t *k = &e->k;
  ir_type_t element = ir_type_element(ir_result(op, result)->type);
  if (ir_is(element, IR_T_INDEX)) return (kval_t){.index = kidx_const(0)};
  return kval(kernel_constant(k, scalar_attr(k->ctx, element, 0), element));
}

// arith and math on tensors of one shape.
static kval_t eval_elementwise(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank) {
  kval_t operands[8];
  if (op->n_operands > 8) return fail(e, op, "has too many operands");
  for (size_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *operand = ir_operand(op, i);
    operands[i] = is_tensor(operand->type) ? eval_tensor(e, operand, idx, rank) : eval_scalar(e, operand);
  }
  return elementwise(e, op, operands, result);
}

//===-- dispatch -----------------------------------------------------------------------------------

static const struct {
  const char *op;
  eval_fn_t fn;
} tensor_rows[] = {
    {"iree_tensor_ext.dispatch.tensor.load", eval_dispatch_load},
    {"arith.constant", eval_constant},
    {"tensor.empty", eval_undefined},
    {"tensor.extract_slice", eval_extract_slice},
    {"tensor.insert_slice", eval_insert_slice},
    {"tensor.pad", eval_pad},
    {"tensor.concat", eval_concat},
    {"tensor.collapse_shape", eval_collapse},
    {"tensor.expand_shape", eval_expand},
    {"tensor.cast", eval_pass},
    {"tensor.splat", eval_splat},
    {"tensor.from_elements", eval_from_elements},
    {"tensor.generate", eval_generate},
    {"tensor.insert", eval_insert},
    {"util.optimization_barrier", eval_pass},
};

void eval_init(eval_t *e, ir_ctx_t *ctx, iree_arena_t *arena, const codegen_target_t *target,
               ir_op_t *func, ir_block_t *block) {
  memset(e, 0, sizeof(*e));
  kernel_init(&e->k, ctx, arena, target, func, block);
  const ir_tables_t *tables = ir_ctx_tables(ctx);
  e->n_kinds = tables->n_ops;
  e->tensor_fns = IREE_ARENA_ARRAY(arena, eval_fn_t, e->n_kinds + 1);
  for (size_t i = 1; i < tables->n_ops; ++i) {
    const char *name = tables->ops[i].name;
    if (strncmp(name, "linalg.", 7) == 0) e->tensor_fns[i] = eval_linalg;
    if (strncmp(name, "arith.", 6) == 0 || strncmp(name, "math.", 5) == 0) e->tensor_fns[i] = eval_elementwise;
  }
  for (size_t i = 0; i < sizeof(tensor_rows) / sizeof(tensor_rows[0]); ++i) {
    ir_kind_t kind = ir_kind_lookup(ctx, iree_make_cstring_view(tensor_rows[i].op));
    if (kind) e->tensor_fns[kind] = tensor_rows[i].fn;
  }
}

kval_t eval_tensor(eval_t *e, ir_value_t *tensor, const kidx_t *idx, size_t rank) {
  kval_t value;
  if (!kernel_ok(&e->k)) return failed(e);
  if (kernel_recall(&e->k, tensor, idx, rank, &value)) return value;
  ir_op_t *op = ir_def(tensor);
  if (!op) {
    kernel_fail(&e->k, ir_error(e->k.ctx, e->k.loc, "kernel reads a tensor that is a block argument"));
    return failed(e);
  }
  if (rank > KERNEL_MAX_RANK || rank != ir_type_rank(tensor->type)) return fail(e, op, "has too high a rank");
  eval_fn_t fn = op->kind < e->n_kinds ? e->tensor_fns[op->kind] : NULL;
  if (!fn) return fail(e, op, "has no lowering inside a kernel");
  if (++e->recursion > MAX_RECURSION) return fail(e, op, "ends too long a chain of operations for one kernel");
  eval_frame_t *frame = e->frame;
  e->frame = NULL;
  value = fn(e, op, tensor->index, idx, rank);
  e->frame = frame;
  --e->recursion;
  if (kernel_ok(&e->k)) kernel_remember(&e->k, tensor, idx, rank, value);
  return value;
}
