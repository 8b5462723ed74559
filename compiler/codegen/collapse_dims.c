// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collapses neighbouring dimensions that every op of a function walks together.
//   in:   a function of whole loads and stores, structured ops and constants, static in the
//   dimensions
//         concerned
//   out:  the same with fewer dimensions: longer inner loops, simpler indices
//
//   generic (d0, d1) -> (d0, d1) on 128x3          ->  generic (d0) -> (d0) on 384
//
// A bit per pair of neighbours, of each tensor and of each op's loops, says "may collapse"; all
// start set, and what an op cannot walk as one clears bits until nothing changes.
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/decompose.h"
#include "compiler/dialects/linalg.h"

enum { MAX_RANK = 32 };

typedef struct {
  ir_ctx_t *ctx;
  ir_op_t *func;
  uint32_t *masks;  // by mark: of tensors (results) and of ops (loops), numbered together
  size_t count;
  bool changed;
} collapse_t;

static bool is_named(const ir_op_t *op, const char *name) {
  return op && strcmp(ir_op_name(op), name) == 0;
}

static ir_type_t tensor_type(ir_type_t type) {
  if (ir_is(type, IR_T_TENSOR)) return type;
  for (size_t i = 0; i < type->n_kids; ++i) {
    ir_type_t found = ir_kid(type, i) ? tensor_type(ir_kid(type, i)) : NULL;
    if (found) return found;
  }
  return NULL;
}

static uint32_t all_pairs(ir_type_t type) {
  uint32_t mask = 0;
  size_t rank = ir_type_rank(type);
  for (size_t d = 0; d + 1 < rank && rank <= MAX_RANK; ++d) {
    if (ir_type_dim(type, d) != IR_DYNAMIC && ir_type_dim(type, d + 1) != IR_DYNAMIC)
      mask |= 1u << d;
  }
  return mask;
}

// Tensors defined outside of the function's own ops have no mask.
static uint32_t *mask_of(collapse_t *c, const ir_value_t *value) {
  ir_op_t *def = ir_def(value);
  bool known = def && def->block == ir_body(c->func) && value->mark && value->mark < c->count;
  return known ? &c->masks[value->mark] : NULL;
}

static void keep(collapse_t *c, uint32_t *mask, uint32_t kept) {
  if (!mask || (*mask & ~kept) == 0) return;
  *mask &= kept;
  c->changed = true;
}

static bool has_index(const ir_op_t *op) {
  const ir_block_t *body = ir_body(op);
  for (const ir_op_t *inner = body ? body->first : NULL; inner; inner = inner->next) {
    if (inner->kind == OP_LINALG_INDEX || inner->n_regions) return true;
  }
  return false;
}

// Where loop |d| stands alone among the results of |map|; -1: nowhere, -2: not alone or within a
// sum.
static int position_of(ir_attr_t map, size_t d) {
  int found = -1;
  for (size_t r = 0; r < ir_map_n_results(map); ++r) {
    ir_expr_t expr = ir_kid(map, r);
    if (ir_is(expr, IR_E_DIM)) {
      if ((size_t)ir_int(expr, 0) != d) continue;
      if (found >= 0) return -2;
      found = (int)r;
    } else if (!ir_is(expr, IR_E_CONST)) {
      return -2;
    }
  }
  return found;
}

static void constrain_structured(collapse_t *c, ir_op_t *op) {
  uint32_t *loops = &c->masks[op->mark];
  ir_attr_t maps = linalg_maps(c->ctx, op);
  size_t n_loops = linalg_n_loops(c->ctx, op), n_in = linalg_inputs(op).n;
  bool usable = (op->kind == OP_LINALG_GENERIC || op->kind == OP_LINALG_FILL) && !has_index(op) &&
                n_loops <= MAX_RANK;
  for (size_t d = 0; d + 1 < n_loops && d < MAX_RANK; ++d) {
    bool same_kind =
        usable && linalg_is_parallel(c->ctx, op, d) == linalg_is_parallel(c->ctx, op, d + 1);
    if (!same_kind) keep(c, loops, ~(1u << d));
  }
  if (!usable) keep(c, loops, 0);
  for (size_t i = 0; i < op->n_operands; ++i) {
    ir_value_t *operand = ir_operand(op, i);
    if (!ir_is(operand->type, IR_T_TENSOR)) continue;
    ir_attr_t map = ir_kid(maps, i);
    uint32_t *mask = mask_of(c, operand);
    ir_value_t *result = i >= n_in && i - n_in < op->n_results ? ir_result(op, i - n_in) : NULL;
    uint32_t allowed = 0;
    for (size_t d = 0; d + 1 < n_loops && d < MAX_RANK; ++d) {
      int p = position_of(map, d), q = position_of(map, d + 1);
      bool absent = p == -1 && q == -1, together = p >= 0 && q == p + 1;
      bool tensor_agrees = absent || (together && mask && (*mask >> p & 1));
      if (!tensor_agrees) keep(c, loops, ~(1u << d));
      if (together && (*loops >> d & 1)) allowed |= 1u << p;
    }
    keep(c, mask, allowed);
    if (result) keep(c, mask_of(c, result), allowed);
    // Output operand and result have one type.
    if (result && mask) keep(c, mask, *mask_of(c, result)), keep(c, mask_of(c, result), *mask);
  }
}

static bool is_whole_window(ir_op_t *op, ir_type_t window, ir_type_t bound) {
  ir_attr_t offsets = ir_op_attr(op, "static_offsets"), sizes = ir_op_attr(op, "static_sizes");
  ir_attr_t strides = ir_op_attr(op, "static_strides");
  size_t rank = ir_type_rank(bound);
  if (!offsets || !sizes || !strides || ir_type_rank(window) != rank) return false;
  for (size_t d = 0; d < rank; ++d) {
    int64_t dim = ir_type_dim(bound, d);
    if (dim != ir_type_dim(window, d) || dim == IR_DYNAMIC) return false;
    if (ir_int(offsets, d) != 0 || ir_int(strides, d) != 1 || ir_int(sizes, d) != dim) return false;
  }
  return true;
}

// Tensors read inside of bodies are read at indices of their own making.
static void constrain_nested(collapse_t *c, const ir_op_t *op) {
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    for (ir_block_t *block = ir_region(op, r)->first; block; block = block->next) {
      for (ir_op_t *inner = block->first; inner; inner = inner->next) {
        for (size_t i = 0; i < inner->n_operands; ++i) {
          ir_value_t *operand = ir_operand(inner, i);
          if (ir_is(operand->type, IR_T_TENSOR)) keep(c, mask_of(c, operand), 0);
        }
        constrain_nested(c, inner);
      }
    }
  }
}

static void constrain_op(collapse_t *c, ir_op_t *op) {
  constrain_nested(c, op);
  bool loads = is_named(op, "iree_tensor_ext.dispatch.tensor.load");
  bool stores = is_named(op, "iree_tensor_ext.dispatch.tensor.store");
  if (loads || stores) {
    ir_value_t *window = loads ? ir_result(op, 0) : ir_operand(op, 0);
    ir_value_t *binding = ir_operand(op, loads ? 0 : 1);
    uint32_t *a = mask_of(c, window), *b = mask_of(c, binding);
    if (!a || !b || !is_whole_window(op, window->type, tensor_type(binding->type))) {
      keep(c, a, 0), keep(c, b, 0);
      return;
    }
    keep(c, a, *b), keep(c, b, *a);
    return;
  }
  if (linalg_is_structured(op)) {
    constrain_structured(c, op);
    return;
  }
  if (is_named(op, "tensor.empty") || op->kind == OP_ARITH_CONSTANT ||
      is_named(op, "hal.interface.binding.subspan"))
    return;
  for (size_t i = 0; i < op->n_operands; ++i) keep(c, mask_of(c, ir_operand(op, i)), 0);
  for (size_t i = 0; i < op->n_results; ++i) keep(c, mask_of(c, ir_result(op, i)), 0);
}

//===-- rewriting ----------------------------------------------------------------------------------

static ir_type_t collapsed(collapse_t *c, ir_type_t type, uint32_t mask) {
  int64_t dims[MAX_RANK];
  size_t n = 0;
  for (size_t d = 0; d < ir_type_rank(type); ++d) {
    if (d && (mask >> (d - 1) & 1)) {
      dims[n - 1] *= ir_type_dim(type, d);
    } else {
      dims[n++] = ir_type_dim(type, d);
    }
  }
  return ir_type_tensor(c->ctx, dims, n, ir_type_element(type), NULL);
}

// |type| with the tensor type inside of it replaced.
static ir_type_t with_tensor(collapse_t *c, ir_type_t type, ir_type_t tensor) {
  if (ir_is(type, IR_T_TENSOR)) return tensor;
  const ir_term_t *kids[8];
  if (type->n_kids > 8) return type;
  for (size_t i = 0; i < type->n_kids; ++i) {
    const ir_term_t *kid = ir_kid(type, i);
    kids[i] = kid && tensor_type(kid) ? with_tensor(c, kid, tensor) : kid;
  }
  return ir_term(c->ctx, (ir_term_kind_t)type->kind, ir_ints(type), type->n_ints, kids,
                 type->n_kids, ir_bytes(type), type->n_bytes);
}

static void rewrite_list(collapse_t *c, ir_op_t *op, const char *name, ir_type_t type, bool is_size,
                         int64_t value) {
  int64_t values[MAX_RANK];
  size_t rank = ir_type_rank(type);
  for (size_t d = 0; d < rank; ++d) values[d] = is_size ? ir_type_dim(type, d) : value;
  ir_op_set_attr(c->ctx, op, name, ir_attr_i64s(c->ctx, values, rank));
}

static void rewrite_generic(collapse_t *c, ir_op_t *op, uint32_t mask) {
  ir_attr_t maps = linalg_maps(c->ctx, op), iterators = ir_op_attr(op, "iterator_types");
  size_t n_loops = linalg_n_loops(c->ctx, op), n = 0;
  size_t number[MAX_RANK];
  const ir_term_t *kept[MAX_RANK];
  for (size_t d = 0; d < n_loops; ++d) {
    bool joins = d && (mask >> (d - 1) & 1);
    if (!joins) kept[n] = ir_kid(iterators, d);
    number[d] = joins ? n - 1 : n++;
  }
  ir_attr_t new_maps[64];
  for (size_t i = 0; i < maps->n_kids && i < 64; ++i) {
    ir_expr_t results[MAX_RANK];
    ir_expr_t dims[MAX_RANK];
    size_t n_results = 0;
    for (size_t d = 0; d < n_loops; ++d) dims[d] = ir_expr_dim(c->ctx, number[d]);
    for (size_t r = 0; r < ir_map_n_results(ir_kid(maps, i)); ++r) {
      ir_expr_t expr = ir_kid(ir_kid(maps, i), r);
      size_t d = ir_is(expr, IR_E_DIM) ? (size_t)ir_int(expr, 0) : 0;
      if (ir_is(expr, IR_E_DIM) && d && (mask >> (d - 1) & 1)) continue;
      results[n_results++] = ir_expr_replace(c->ctx, expr, dims, NULL);
    }
    new_maps[i] = ir_attr_map(c->ctx, n, 0, results, n_results);
  }
  ir_op_set_attr(c->ctx, op, "indexing_maps", ir_attr_array(c->ctx, new_maps, maps->n_kids));
  ir_op_set_attr(c->ctx, op, "iterator_types", ir_attr_array(c->ctx, kept, n));
}

static void rewrite_op(collapse_t *c, ir_op_t *op) {
  // Maps are read from types by named ops: loops first.
  if (op->kind == OP_LINALG_GENERIC && c->masks[op->mark] &&
      linalg_maps(c->ctx, op)->n_kids <= 64) {
    rewrite_generic(c, op, c->masks[op->mark]);
  }
  for (size_t i = 0; i < op->n_results; ++i) {
    ir_value_t *result = ir_result(op, i);
    uint32_t *mask = mask_of(c, result);
    if (!mask || !*mask) continue;
    ir_type_t type = collapsed(c, tensor_type(result->type), *mask);
    if (op->kind == OP_ARITH_CONSTANT) {
      ir_attr_t value = ir_op_attr(op, "value");
      ir_op_set_attr(c->ctx, op, "value",
                     ir_attr_dense(c->ctx, type, ir_dense_data(value), ir_dense_bytes(value),
                                   ir_dense_is_splat(value), false));
    }
    result->type = with_tensor(c, result->type, type);
  }
  bool loads = is_named(op, "iree_tensor_ext.dispatch.tensor.load");
  if (loads || is_named(op, "iree_tensor_ext.dispatch.tensor.store")) {
    ir_value_t *window = loads ? ir_result(op, 0) : ir_operand(op, 0);
    uint32_t *mask = mask_of(c, window);
    if (!mask || !*mask) return;
    rewrite_list(c, op, "static_offsets", window->type, false, 0);
    rewrite_list(c, op, "static_sizes", window->type, true, 0);
    rewrite_list(c, op, "static_strides", window->type, false, 1);
  }
}

static void number(collapse_t *c) {
  c->count = 1;
  for (ir_op_t *op = ir_body(c->func)->first; op; op = op->next) {
    op->mark = (uint32_t)c->count++;
    for (size_t i = 0; i < op->n_results; ++i) ir_result(op, i)->mark = (uint32_t)c->count++;
  }
  c->masks = calloc(c->count, sizeof(*c->masks));
  if (!c->masks) abort();
  for (ir_op_t *op = ir_body(c->func)->first; op; op = op->next) {
    if (linalg_is_structured(op)) c->masks[op->mark] = UINT32_MAX >> 1;
    for (size_t i = 0; i < op->n_results; ++i) {
      ir_type_t type = tensor_type(ir_result(op, i)->type);
      bool is_dense = op->kind != OP_ARITH_CONSTANT || ir_is(ir_op_attr(op, "value"), IR_A_DENSE);
      if (type && is_dense) c->masks[ir_result(op, i)->mark] = all_pairs(type);
    }
  }
}

void codegen_collapse_dims(ir_ctx_t *ctx, ir_op_t *func) {
  collapse_t c = {.ctx = ctx, .func = func};
  number(&c);
  do {
    c.changed = false;
    for (ir_op_t *op = ir_body(func)->first; op; op = op->next) constrain_op(&c, op);
  } while (c.changed);
  // Loops beyond an op's own count never collapse anything.
  for (ir_op_t *op = ir_body(func)->first; op; op = op->next) rewrite_op(&c, op);
  free(c.masks);
}
