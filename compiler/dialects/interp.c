// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dialects/interp.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/dialects/interp_scalar.h"
#include "compiler/dialects/linalg.h"
#include "compiler/ir/fold.h"

enum { MAX_LOOPS = 32, MAX_STEPS = 256, MAX_OPERANDS = 64, MAX_SLOTS = MAX_STEPS + MAX_OPERANDS };

ir_attr_t interp_constant(ir_ctx_t *ctx, const ir_value_t *v) {
  if (!ir_is(v->type, IR_T_TENSOR) || !ir_type_is_static(v->type)) return NULL;
  ir_attr_t value = ir_constant_of(v);
  if (value) return ir_is(value, IR_A_DENSE) ? value : NULL;
  ir_op_t *def = ir_def(v);
  if (!def || (def->kind != OP_LINALG_FILL && def->kind != OP_TENSOR_SPLAT)) return NULL;
  ir_attr_t scalar = ir_constant_of(ir_operand(def, 0));
  return scalar ? ir_dense_splat(ctx, v->type, scalar) : NULL;
}

// ---- tensors
typedef struct tensor {
  ir_type_t element;
  uint8_t *data;
  size_t size;                       // bytes per element
  bool splat;
  int64_t stride[MAX_LOOPS], start;  // elements per step of each loop
} tensor_t;

static bool add_linear(ir_expr_t e, int64_t factor, int64_t scale, tensor_t *t) {
  switch (e->kind) {
    case IR_E_DIM: t->stride[ir_int(e, 0)] += factor * scale; return true;
    case IR_E_CONST: t->start += ir_int(e, 0) * factor * scale; return true;
    case IR_E_ADD: return add_linear(ir_kid(e, 0), factor, scale, t) && add_linear(ir_kid(e, 1), factor, scale, t);
    case IR_E_MUL: return ir_kid(e, 1)->kind == IR_E_CONST && add_linear(ir_kid(e, 0), factor * ir_int(ir_kid(e, 1), 0), scale, t);
    default: return false;
  }
}
static bool tensor_of(ir_type_t type, ir_attr_t map, tensor_t *t) {
  t->element = ir_type_element(type);
  t->size = ir_type_storage_bytes(t->element);
  if (!scalar_type_fits(t->element)) return false;
  int64_t scale = 1;
  for (size_t d = ir_type_rank(type); d-- > 0;) {
    if (!add_linear(ir_kid(map, d), 1, scale, t)) return false;
    scale *= ir_type_dim(type, d);
  }
  return true;
}

// Are all positions that the loops reach inside the tensor?
static bool stays_inside(const tensor_t *t, const int64_t *sizes, size_t n_loops, int64_t n_elements) {
  int64_t low = t->start, high = t->start, reach;
  for (size_t l = 0; l < n_loops; ++l) {
    if (!sizes[l]) return true;  // never runs
    if (__builtin_mul_overflow(t->stride[l], sizes[l] - 1, &reach)) return false;
    if (__builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high)) return false;
  }
  return low >= 0 && high < n_elements;
}

// ---- bodies
typedef struct program {
  scalar_step_t steps[MAX_STEPS];
  uint32_t n_steps, n_slots;
  uint32_t arg_slot[MAX_OPERANDS], yield_slot[MAX_OPERANDS];
  struct { uint32_t slot, loop; } index[16];
  uint32_t n_index;
  cell_t cells[MAX_SLOTS];
  tensor_t tensors[MAX_OPERANDS];
  int64_t sizes[MAX_LOOPS];
  size_t n_loops, n_operands, n_inputs;
  ir_map_t *slots;
} program_t;

static bool slot_of(program_t *p, ir_value_t *v, uint32_t *out) {
  uintptr_t slot = (uintptr_t)ir_map_get(p->slots, v);
  if (slot) return *out = (uint32_t)slot - 1, true;
  // Values from outside must be constants.
  if (p->n_slots == MAX_SLOTS || !scalar_from_attr(v->type, ir_constant_of(v), &p->cells[p->n_slots])) return false;
  *out = p->n_slots++;
  ir_map_set(p->slots, v, (void *)(uintptr_t)(*out + 1));
  return true;
}
static bool new_slot(program_t *p, ir_value_t *v, uint32_t *out) {
  if (p->n_slots == MAX_SLOTS) return false;
  *out = p->n_slots++;
  ir_map_set(p->slots, v, (void *)(uintptr_t)(*out + 1));
  return true;
}
static bool add_op(program_t *p, ir_op_t *op) {
  uint32_t slot;
  if (op->kind == OP_ARITH_CONSTANT) return slot_of(p, ir_result(op, 0), &slot);
  if (op->kind == OP_LINALG_INDEX) {
    if (p->n_index == 16 || !new_slot(p, ir_result(op, 0), &slot)) return false;
    p->index[p->n_index].slot = slot;
    p->index[p->n_index++].loop = (uint32_t)ir_op_int(op, "dim", 0);
    return true;
  }
  if (p->n_steps == MAX_STEPS) return false;
  scalar_step_t *s = &p->steps[p->n_steps];
  if (!scalar_step_of(op, s)) return false;
  for (uint32_t i = 0; i < op->n_operands; ++i)
    if (!slot_of(p, ir_operand(op, i), &s->in[i])) return false;
  ++p->n_steps;
  return new_slot(p, ir_result(op, 0), &s->out);
}
static bool add_body(program_t *p, ir_block_t *body) {
  for (uint32_t i = 0; i < body->n_args; ++i)
    if (!new_slot(p, body->args[i], &p->arg_slot[i])) return false;
  for (ir_op_t *op = body->first; op != body->last; op = op->next)
    if (!add_op(p, op)) return false;
  for (uint32_t i = 0; i < body->last->n_operands; ++i)
    if (!slot_of(p, ir_operand(body->last, i), &p->yield_slot[i])) return false;
  return true;
}

static bool loop_sizes(ir_ctx_t *ctx, const ir_op_t *op, size_t n, int64_t *sizes) {
  for (size_t i = 0; i < n; ++i) sizes[i] = -1;
  for (uint32_t k = 0; k < op->n_operands; ++k) {
    ir_type_t type = ir_operand(op, k)->type;
    if (!ir_is(type, IR_T_TENSOR)) continue;
    if (!ir_type_is_static(type)) return false;
    ir_attr_t map = linalg_map(ctx, op, k);
    for (uint32_t d = 0; d < map->n_kids && d < ir_type_rank(type); ++d)
      if (ir_kid(map, d)->kind == IR_E_DIM) sizes[ir_int(ir_kid(map, d), 0)] = ir_type_dim(type, d);
  }
  for (size_t i = 0; i < n; ++i)
    if (sizes[i] < 0) return false;
  return true;
}

// Inputs and initial values. Outputs get memory of their own.
static bool bind_operand(ir_ctx_t *ctx, program_t *p, const ir_op_t *op, uint32_t i) {
  ir_value_t *v = ir_operand(op, i);
  tensor_t *t = &p->tensors[i];
  bool output = i >= p->n_inputs, read = !ir_unused(ir_body(op)->args[i]);
  if (!ir_is(v->type, IR_T_TENSOR)) {
    return !output && (!read || scalar_from_attr(v->type, ir_constant_of(v), &p->cells[p->arg_slot[i]]));
  }
  if (!read && !output) return true;
  if (!tensor_of(v->type, linalg_map(ctx, op, i), t)) return false;
  if (!stays_inside(t, p->sizes, p->n_loops, ir_type_n_elements(v->type))) return false;
  ir_attr_t value = read ? interp_constant(ctx, v) : NULL;
  if (read && !value) return false;
  if (!output) {
    t->data = (uint8_t *)(uintptr_t)ir_dense_data(value);
    t->splat = ir_dense_is_splat(value);
    return true;
  }
  size_t n = (size_t)ir_type_n_elements(v->type);
  t->data = iree_arena_alloc(ir_arena(ctx), n * t->size + 1);
  memset(t->data, 0, n * t->size);
  for (size_t k = 0; value && k < n; ++k)
    memcpy(t->data + k * t->size, (const uint8_t *)ir_dense_data(value) + (ir_dense_is_splat(value) ? 0 : k * t->size), t->size);
  return true;
}

static bool run_point(program_t *p, const int64_t *at, uint32_t n_results) {
  uint8_t *where[MAX_OPERANDS];
  for (size_t i = 0; i < p->n_operands; ++i) {
    tensor_t *t = &p->tensors[i];
    where[i] = NULL;
    if (!t->data) continue;
    int64_t offset = t->start;
    for (size_t l = 0; l < p->n_loops; ++l) offset += t->stride[l] * at[l];
    where[i] = t->data + (t->splat ? 0 : (size_t)offset * t->size);
    p->cells[p->arg_slot[i]] = scalar_load(t->element, where[i]);
  }
  for (uint32_t i = 0; i < p->n_index; ++i) p->cells[p->index[i].slot].i = at[p->index[i].loop];
  for (uint32_t i = 0; i < p->n_steps; ++i)
    if (!scalar_run(&p->steps[i], p->cells)) return false;
  for (uint32_t r = 0; r < n_results; ++r)
    scalar_store(p->tensors[p->n_inputs + r].element, p->cells[p->yield_slot[r]], where[p->n_inputs + r]);
  return true;
}

int64_t interp_cost(ir_ctx_t *ctx, const ir_op_t *op) {
  if (op->kind == OP_TENSOR_EXTRACT_SLICE || op->kind == OP_TENSOR_INSERT_SLICE) return ir_type_n_elements(ir_result(op, 0)->type);
  if (!linalg_is_structured(op) || !ir_body(op)) return -1;
  int64_t sizes[MAX_LOOPS], points = 1, steps = 1;
  size_t n = linalg_n_loops(ctx, op);
  if (n > MAX_LOOPS || !loop_sizes(ctx, op, n, sizes)) return -1;
  for (size_t i = 0; i < n; ++i)
    if (__builtin_mul_overflow(points, sizes[i], &points)) return -1;
  for (const ir_op_t *o = ir_body(op)->first; o; o = o->next) ++steps;
  return __builtin_mul_overflow(points, steps, &points) ? -1 : points;
}

static bool run_linalg(ir_ctx_t *ctx, ir_op_t *op, ir_attr_t *out) {
  size_t n = linalg_n_loops(ctx, op);
  if (op->n_operands > MAX_OPERANDS || n > MAX_LOOPS || ir_body(op)->n_args != op->n_operands) return false;
  iree_arena_t scratch;
  iree_arena_init(&scratch);
  program_t *p = IREE_ARENA_NEW(&scratch, program_t);
  p->slots = ir_map_create(&scratch);
  p->n_loops = n;
  p->n_operands = op->n_operands;
  p->n_inputs = linalg_inputs(op).n;
  bool ok = loop_sizes(ctx, op, n, p->sizes) && add_body(p, ir_body(op));
  for (uint32_t i = 0; ok && i < op->n_operands; ++i) ok = bind_operand(ctx, p, op, i);
  int64_t at[MAX_LOOPS] = {0};
  bool any = true;
  for (size_t l = 0; l < n; ++l) any = any && p->sizes[l] > 0;
  while (ok && any) {
    ok = run_point(p, at, op->n_results);
    size_t l = n;
    while (l > 0 && ++at[l - 1] == p->sizes[l - 1]) at[--l] = 0;
    if (!l) break;
  }
  for (uint32_t r = 0; ok && r < op->n_results; ++r) {
    ir_type_t type = ir_result(op, r)->type;
    tensor_t *t = &p->tensors[p->n_inputs + r];
    out[r] = ir_attr_dense(ctx, type, t->data, (size_t)ir_type_n_elements(type) * t->size, false, false);
  }
  iree_arena_deinit(&scratch);
  return ok;
}

// ---- slices: walks the elements of the slice; the unit sizes that the part's type lacks do not matter
static bool run_slice(ir_ctx_t *ctx, ir_op_t *op, ir_attr_t *out) {
  bool extract = op->kind == OP_TENSOR_EXTRACT_SLICE;
  ir_value_t *whole = ir_operand(op, extract ? 0 : 1);
  if (op->n_operands != (extract ? 1u : 2u)) return false;  // dynamic
  ir_attr_t offsets = ir_op_attr(op, "static_offsets"), sizes = ir_op_attr(op, "static_sizes"), strides = ir_op_attr(op, "static_strides");
  ir_attr_t a = interp_constant(ctx, whole), b = extract ? NULL : interp_constant(ctx, ir_operand(op, 0));
  ir_type_t type = ir_result(op, 0)->type;
  size_t rank = sizes->n_ints, size = ir_type_storage_bytes(ir_type_element(type));
  if (!a || (!extract && !b) || rank > MAX_LOOPS) return false;
  size_t n = (size_t)ir_type_n_elements(type), n_slice = 1;
  uint8_t *data = iree_arena_alloc(ir_arena(ctx), n * size + 1);
  const uint8_t *from_whole = ir_dense_data(a), *from_part = b ? ir_dense_data(b) : NULL;
  for (size_t k = 0; !extract && k < n; ++k) memcpy(data + k * size, from_whole + (ir_dense_is_splat(a) ? 0 : k * size), size);
  for (size_t d = 0; d < rank; ++d) n_slice *= (size_t)ir_int(sizes, d);
  for (size_t k = 0; k < n_slice; ++k) {
    size_t rest = k, position = 0, scale = 1;
    for (size_t d = rank; d-- > 0; rest /= (size_t)ir_int(sizes, d)) {
      size_t i = rest % (size_t)ir_int(sizes, d);
      position += (size_t)(ir_int(offsets, d) + (int64_t)i * ir_int(strides, d)) * scale;
      scale *= (size_t)ir_type_dim(whole->type, d);
    }
    if (extract) memcpy(data + k * size, from_whole + (ir_dense_is_splat(a) ? 0 : position * size), size);
    else memcpy(data + position * size, from_part + (ir_dense_is_splat(b) ? 0 : k * size), size);
  }
  out[0] = ir_attr_dense(ctx, type, data, n * size, false, false);
  return true;
}

bool interp_op(ir_ctx_t *ctx, ir_op_t *op, int64_t max_steps, ir_attr_t *out) {
  int64_t cost = interp_cost(ctx, op);
  if (cost < 0 || cost > max_steps) return false;
  return linalg_is_structured(op) ? run_linalg(ctx, op, out) : run_slice(ctx, op, out);
}
