// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of scalars and of region bodies; which op of the program is evaluated by what.
#include "compiler/codegen/eval_internal.h"

#include <string.h>

enum { MAX_RECURSION = 400 };

kval_t eval_failed(eval_t *e) { return kval(kernel_index_constant(&e->k, 0)); }

kval_t eval_fail(eval_t *e, const ir_op_t *op, const char *what) {
  kernel_fail(&e->k, ir_op_error(op, "%s", what));
  return eval_failed(e);
}

bool eval_is(const ir_op_t *op, const char *name) {
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

void eval_bind(eval_t *e, const ir_value_t *key, kval_t value) {
  eval_frame_t *f = e->frame;
  if (f->count == f->capacity) {
    size_t capacity = f->capacity * 2 + 32;
    f->keys = iree_arena_grow(e->k.arena, f->keys, f->count * sizeof(*f->keys),
                              capacity * sizeof(*f->keys));
    f->values = iree_arena_grow(e->k.arena, f->values, f->count * sizeof(*f->values),
                                capacity * sizeof(*f->values));
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
    case OP_ARITH_ADDI:
      r = kidx_add(k, a, b);
      break;
    case OP_ARITH_SUBI:
      r = kidx_sub(k, a, b);
      break;
    case OP_ARITH_MULI:
      r = kidx_mul(k, a, b);
      break;
    case OP_ARITH_DIVSI:
    case OP_ARITH_REMSI:
    case OP_ARITH_FLOORDIVSI:
    case OP_ARITH_CEILDIVSI:
    case OP_ARITH_MINSI:
    case OP_ARITH_MAXSI:
      if (!kidx_is_const(a) || !kidx_is_const(b)) return false;
      r = kidx_binary(k, op->kind, a, b);
      break;
    default:
      return false;
  }
  *out = (kval_t){.index = r};
  return true;
}

kval_t eval_elementwise_op(eval_t *e, const ir_op_t *op, const kval_t *operands, size_t result) {
  kval_t out;
  if (strncmp(ir_op_name(op), "complex.", 8) == 0 || eval_is_complex(ir_result(op, 0)->type)) {
    return eval_complex_op(e, op, operands);
  }
  if (index_arithmetic(e, op, operands, &out)) return out;
  ir_value_t *value = kernel_elementwise(&e->k, op, (kval_t *)operands, op->n_operands, result);
  return value ? kval(value) : eval_failed(e);
}

bool eval_is_elementwise(const ir_op_t *op) {
  const char *name = ir_op_name(op);
  return strncmp(name, "arith.", 6) == 0 || strncmp(name, "math.", 5) == 0 ||
         strncmp(name, "complex.", 8) == 0;
}

// An op copied as it stands (no operands): hal.interface.constant.load, workgroup coordinates.
static kval_t copied(eval_t *e, ir_op_t *op, size_t result) {
  kernel_saved_t saved;
  kval_t value;
  if (kernel_recall(&e->k, ir_result(op, result), NULL, 0, &value)) return value;
  kernel_enter(&e->k, 0, &saved);
  ir_op_t *copy = ir_op_clone(e->k.ctx, op, NULL);
  ir_builder_t b = {.ctx = e->k.ctx,
                    .block = e->k.scopes[0].block,
                    .before = e->k.scopes[0].before,
                    .loc = op->loc};
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
    return eval_fail(e, op, "has a map with symbols or too many operands");
  }
  for (size_t i = 0; i < n; ++i) dims[i] = kval_index(&e->k, eval_scalar(e, ir_operand(op, i)));
  kidx_t r = kidx_expr(&e->k, ir_kid(map, 0), dims, n);
  for (size_t i = 1; i < ir_map_n_results(map); ++i) {
    kidx_t other = kidx_expr(&e->k, ir_kid(map, i), dims, n);
    r = kidx_binary(&e->k, eval_is(op, "affine.min") ? OP_ARITH_MINSI : OP_ARITH_MAXSI, r, other);
  }
  return (kval_t){.index = r};
}

static kval_t extracted(eval_t *e, ir_op_t *op) {
  kidx_t idx[KERNEL_MAX_RANK];
  size_t rank = op->n_operands - 1;
  if (rank > KERNEL_MAX_RANK) return eval_fail(e, op, "has too high a rank");
  for (size_t i = 0; i < rank; ++i)
    idx[i] = kval_index(&e->k, eval_scalar(e, ir_operand(op, 1 + i)));
  return eval_tensor(e, ir_operand(op, 0), idx, rank);
}

// Both sides are computed, then selected: regions of a body have no effects.
static kval_t selected_regions(eval_t *e, ir_op_t *op, size_t result) {
  kval_t sides[2];
  ir_value_t *condition = kval_get(&e->k, eval_scalar(e, ir_operand(op, 0)));
  for (uint16_t r = 0; r < 2; ++r) {
    kval_t yields[16];
    ir_block_t *block = op->n_regions > r ? ir_region(op, r)->first : NULL;
    if (!block || op->n_results > 16) return eval_fail(e, op, "is not a selection of values");
    eval_body(e, block, NULL, e->frame ? e->frame->dims : NULL, e->frame ? e->frame->n_dims : 0,
              yields, op->n_results);
    sides[r] = yields[result];
  }
  return eval_choose(e, condition, sides[0], sides[1]);
}

static kval_t linalg_index(eval_t *e, const ir_op_t *op) {
  size_t dim = (size_t)ir_op_int(op, "dim", 0);
  for (const eval_frame_t *f = e->frame; f; f = f->parent) {
    if (f->dims && dim < f->n_dims) return (kval_t){.index = f->dims[dim]};
  }
  return eval_fail(e, op, "stands outside of a structured op");
}

kval_t eval_op(eval_t *e, ir_op_t *op, size_t result) {
  if (op->kind == OP_ARITH_CONSTANT) return constant_value(e, op);
  if (eval_is(op, "linalg.index")) return linalg_index(e, op);
  if (eval_is(op, "tensor.extract")) return extracted(e, op);
  if (eval_is(op, "tensor.dim")) {
    kidx_t d = kval_index(&e->k, eval_scalar(e, ir_operand(op, 1)));
    if (!kidx_is_const(d)) return eval_fail(e, op, "needs a constant dimension");
    return (kval_t){.index = eval_extent(e, ir_operand(op, 0), (size_t)d.add)};
  }
  if (eval_is(op, "util.assume.int")) return eval_scalar(e, ir_operand(op, result));
  if (eval_is(op, "iree_tensor_ext.dispatch.workload.ordinal") ||
      eval_is(op, "util.optimization_barrier")) {
    return eval_scalar(e, ir_operand(op, result));
  }
  if (eval_is(op, "affine.apply") || eval_is(op, "affine.min") || eval_is(op, "affine.max")) {
    return affine_map_value(e, op);
  }
  if (op->kind == OP_SCF_IF) return selected_regions(e, op, result);
  if (eval_is_elementwise(op)) {
    kval_t operands[8];
    if (op->n_operands > 8) return eval_fail(e, op, "has too many operands");
    for (size_t i = 0; i < op->n_operands; ++i) operands[i] = eval_scalar(e, ir_operand(op, i));
    return eval_elementwise_op(e, op, operands, result);
  }
  if (op->n_operands == 0 && op->n_regions == 0) return copied(e, op, result);
  return eval_fail(e, op, "has no lowering inside a kernel");
}

kval_t eval_scalar(eval_t *e, ir_value_t *value) {
  kval_t found;
  if (!kernel_ok(&e->k)) return eval_failed(e);
  if (frame_find(e, value, &found)) return found;
  ir_op_t *def = ir_def(value);
  if (!def) {
    kernel_fail(&e->k, ir_error(e->k.ctx, e->k.loc,
                                "kernel uses a block argument from outside of its body"));
    return eval_failed(e);
  }
  // A value of the function: the frames of bodies have no say.
  eval_frame_t *frame = e->frame;
  e->frame = NULL;
  if (!kernel_recall(&e->k, value, NULL, 0, &found)) {
    found = eval_op(e, def, value->index);
    kernel_remember(&e->k, value, NULL, 0, found);
  }
  e->frame = frame;
  return found;
}

void eval_body(eval_t *e, ir_block_t *block, const kval_t *args, const kidx_t *dims, size_t n_dims,
               kval_t *out, size_t n_out) {
  eval_frame_t frame = {.parent = e->frame, .dims = dims, .n_dims = n_dims};
  e->frame = &frame;
  for (size_t i = 0; args && i < block->n_args; ++i) eval_bind(e, block->args[i], args[i]);
  for (ir_op_t *op = block->first; op && kernel_ok(&e->k); op = op->next) {
    if (ir_op_has_trait(op, IR_TERMINATOR)) {
      for (size_t i = 0; i < n_out; ++i) {
        out[i] = i < op->n_operands ? eval_scalar(e, ir_operand(op, i)) : eval_failed(e);
      }
      break;
    }
    for (size_t i = 0; i < op->n_results; ++i) {
      if (is_tensor(ir_result(op, i)->type)) continue;
      eval_bind(e, ir_result(op, i), eval_op(e, op, i));
    }
  }
  if (!kernel_ok(&e->k)) {
    for (size_t i = 0; i < n_out; ++i) out[i] = eval_failed(e);
  }
  e->frame = frame.parent;
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
    if (strncmp(name, "arith.", 6) == 0 || strncmp(name, "math.", 5) == 0 ||
        strncmp(name, "complex.", 8) == 0) {
      e->tensor_fns[i] = eval_elementwise;
    }
  }
  for (size_t i = 0; i < sizeof(tensor_rows) / sizeof(tensor_rows[0]); ++i) {
    ir_kind_t kind = ir_kind_lookup(ctx, iree_make_cstring_view(tensor_rows[i].op));
    if (kind) e->tensor_fns[kind] = tensor_rows[i].fn;
  }
}

static kval_t load_place(eval_t *e, const eval_place_t *place, const kidx_t *idx, size_t rank) {
  ir_value_t *target = ir_operand(place->store, 1), *buffer = eval_buffer(e, target);
  ir_type_t type = ir_operand(place->store, 0)->type;
  if (rank != ir_type_rank(type)) return eval_fail(e, place->store, "stores a tensor of another rank");
  kidx_t at = eval_window(e, place->store, target, type, idx, rank);
  if (!kernel_ok(&e->k)) return eval_failed(e);
  e->k.fresh_loads = true;
  kval_t value = eval_load(e, buffer, at, ir_type_element(type));
  e->k.fresh_loads = false;
  return value;
}

kval_t eval_tensor(eval_t *e, ir_value_t *tensor, const kidx_t *idx, size_t rank) {
  kval_t value;
  if (!kernel_ok(&e->k)) return eval_failed(e);
  for (size_t i = 0; i < e->n_places; ++i)
    if (e->places[i].current == tensor) return load_place(e, &e->places[i], idx, rank);
  if (kernel_recall(&e->k, tensor, idx, rank, &value)) return value;
  ir_op_t *op = ir_def(tensor);
  if (!op) {
    kernel_fail(&e->k,
                ir_error(e->k.ctx, e->k.loc, "kernel reads a tensor that is a block argument"));
    return eval_failed(e);
  }
  if (rank > KERNEL_MAX_RANK || rank != ir_type_rank(tensor->type))
    return eval_fail(e, op, "has too high a rank");
  eval_fn_t fn = op->kind < e->n_kinds ? e->tensor_fns[op->kind] : NULL;
  if (!fn) return eval_fail(e, op, "has no lowering inside a kernel");
  if (++e->recursion > MAX_RECURSION)
    return eval_fail(e, op, "ends too long a chain of operations for one kernel");
  eval_frame_t *frame = e->frame;
  e->frame = NULL;
  value = fn(e, op, tensor->index, idx, rank);
  e->frame = frame;
  --e->recursion;
  if (kernel_ok(&e->k)) kernel_remember(&e->k, tensor, idx, rank, value);
  return value;
}
