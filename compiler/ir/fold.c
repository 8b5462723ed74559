// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folding, merging and dropping: see fold.h.
//
// One sweep goes forward through every block, so that an op sees its operands folded already. A
// constant that folding makes stands at the top of the nearest isolated op's entry block, once per
// attribute and type. Loops may need further sweeps: their number is bounded.
#include "compiler/ir/fold.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/ir/context.h"

enum { MAX_SWEEPS = 8 };

// ---- constants
ir_attr_t ir_constant_of(const ir_value_t *v) {
  ir_op_t *def = ir_def(v);
  return def && ir_op_has_trait(def, IR_CONSTANT) ? ir_op_attr(def, "value") : NULL;
}
bool ir_constant_int(const ir_value_t *v, int64_t *out_value) {
  ir_attr_t a = ir_constant_of(v);
  if (!a || (a->kind != IR_A_INT && a->kind != IR_A_BOOL)) return false;
  *out_value = a->kind == IR_A_BOOL ? (ir_int(a, 0) != 0) : ir_int(a, 0);
  return true;
}
ir_attr_t ir_dense_element(ir_ctx_t *ctx, ir_attr_t dense, size_t i) {
  ir_type_t element = ir_type_element(ir_dense_type(dense));
  bool complex = ir_is(element, IR_T_COMPLEX);
  ir_type_t part = complex ? ir_kid(element, 0) : element;
  if (!ir_type_is_integer_like(part) && !ir_type_is_float(part)) return NULL;
  size_t size = ir_type_storage_bytes(element), part_size = ir_type_storage_bytes(part);
  if (part_size > 8) return NULL;
  size_t at = ir_dense_is_splat(dense) ? 0 : i * size;
  if (at + size > ir_dense_bytes(dense)) return NULL;
  ir_attr_t parts[2];
  for (size_t k = 0; k < size / part_size; ++k) {
    uint64_t bits = 0;
    memcpy(&bits, (const char *)ir_dense_data(dense) + at + k * part_size, part_size);
    parts[k] = ir_type_is_float(part) ? ir_attr_float_bits(ctx, part, bits)
                                      : ir_attr_int(ctx, part, (int64_t)bits);
  }
  return complex ? ir_attr_array(ctx, parts, 2) : parts[0];
}
static bool store_scalar(ir_attr_t a, uint8_t *out, size_t size) {
  if (a->kind == IR_A_ARRAY && a->n_kids == 2)
    return store_scalar(ir_kid(a, 0), out, size / 2) &&
           store_scalar(ir_kid(a, 1), out + size / 2, size / 2);
  if (a->kind != IR_A_INT && a->kind != IR_A_FLOAT && a->kind != IR_A_BOOL) return false;
  if (size > 8) return false;
  uint64_t bits = a->kind == IR_A_BOOL ? ir_int(a, 0) != 0 : (uint64_t)ir_int(a, 0);
  memcpy(out, &bits, size);
  return true;
}
ir_attr_t ir_dense_of_constants(ir_ctx_t *ctx, ir_type_t type, const ir_op_t *op) {
  size_t size = ir_type_storage_bytes(ir_type_element(type));
  if (ir_type_n_elements(type) != (int64_t)op->n_operands || op->n_operands > 65536) return NULL;
  uint8_t *data = iree_arena_alloc(&ctx->arena, op->n_operands * size + 1);
  bool same = true;
  for (uint32_t i = 0; i < op->n_operands; ++i) {
    ir_attr_t a = ir_constant_of(ir_operand(op, i));
    if (!a || !store_scalar(a, data + i * size, size)) return NULL;
    same = same && !memcmp(data, data + i * size, size);
  }
  return ir_attr_dense(ctx, type, data, same ? size : op->n_operands * size, same, true);
}
ir_attr_t ir_dense_splat(ir_ctx_t *ctx, ir_type_t type, ir_attr_t value) {
  uint8_t data[32] = {0};
  size_t size = ir_type_storage_bytes(ir_type_element(type));
  if (size > sizeof data || !store_scalar(value, data, size)) return NULL;
  return ir_attr_dense(ctx, type, data, size, true, true);
}
ir_value_t *ir_build_constant(ir_builder_t *b, ir_type_t type, ir_attr_t attr) {
  const char *name = ir_is(type, IR_T_COMPLEX) ? "complex.constant" : "arith.constant";
  ir_kind_t kind = ir_kind_lookup(b->ctx, iree_make_cstring_view(name));
  return ir_build_attr(b, kind, type, "value", attr, NULL, NULL);
}

// ---- a table of ops by content
typedef struct op_table {
  ir_op_t **slots;
  size_t count, capacity;
} op_table_t;

static uint64_t mix(uint64_t h, uint64_t v) { return (h ^ v) * 0x9E3779B97F4A7C15ull ^ (h >> 29); }
static uint64_t op_hash(const ir_op_t *op) {
  uint64_t h = op->kind;
  for (uint32_t i = 0; i < op->n_operands; ++i) h = mix(h, (uintptr_t)op->operands[i].value);
  for (size_t i = 0; i < op->spec->n_attrs; ++i) h = mix(h, (uintptr_t)op->attrs[i]);
  for (uint32_t i = 0; i < op->n_results; ++i) h = mix(h, (uintptr_t)op->results[i].type);
  return h ^ h >> 32;
}
static bool op_equal(const ir_op_t *a, const ir_op_t *b) {
  if (a->kind != b->kind || a->n_operands != b->n_operands || a->n_results != b->n_results ||
      a->n_extra || b->n_extra)
    return false;
  for (uint32_t i = 0; i < a->n_operands; ++i)
    if (a->operands[i].value != b->operands[i].value) return false;
  for (size_t i = 0; i < a->spec->n_attrs; ++i)
    if (a->attrs[i] != b->attrs[i]) return false;
  for (uint32_t i = 0; i < a->n_results; ++i)
    if (a->results[i].type != b->results[i].type) return false;
  for (size_t g = 0; a->segments && g < a->spec->n_operands; ++g)
    if (a->segments[g] != b->segments[g]) return false;
  return true;
}
static ir_op_t **table_slot(op_table_t *t, const ir_op_t *op) {
  size_t i = op_hash(op) & (t->capacity - 1);
  while (t->slots[i] && !op_equal(t->slots[i], op)) i = (i + 1) & (t->capacity - 1);
  return &t->slots[i];
}
static void table_grow(op_table_t *t) {
  if (t->count * 2 < t->capacity) return;
  op_table_t grown = {.capacity = t->capacity ? t->capacity * 2 : 64};
  grown.slots = calloc(grown.capacity, sizeof *grown.slots);
  if (!grown.slots) abort();
  for (size_t i = 0; i < t->capacity; ++i)
    if (t->slots[i]) *table_slot(&grown, t->slots[i]) = t->slots[i];
  grown.count = t->count;
  free(t->slots);
  *t = grown;
}

// ---- fold
typedef struct folder {
  ir_ctx_t *ctx;
  ir_block_t *top;  // where constants go
  op_table_t constants;
  bool changed;
} folder_t;

static ir_value_t *constant_at_top(folder_t *f, ir_type_t type, ir_attr_t attr, ir_loc_t loc) {
  ir_builder_t b = ir_builder_at_start(f->ctx, f->top);
  b.loc = loc;
  ir_value_t *v = ir_build_constant(&b, type, attr);
  table_grow(&f->constants);
  ir_op_t **slot = table_slot(&f->constants, v->op);
  if (*slot) {
    ir_op_erase(v->op);
    return ir_result(*slot, 0);
  }
  *slot = v->op;
  f->constants.count++;
  return v;
}
static bool attr_fits(ir_type_t type, ir_attr_t attr) {
  if (attr->kind == IR_A_BOOL) return ir_type_is_int(type, 1);
  if (attr->kind == IR_A_ARRAY) return ir_is(type, IR_T_COMPLEX);
  return attr->n_kids && ir_kid(attr, 0) == type;
}

static void fold_block(folder_t *f, ir_block_t *block);
static void fold_region(folder_t *f, ir_region_t *region) {
  for (ir_block_t *b = region->first; b; b = b->next) fold_block(f, b);
}
static void fold_isolated(folder_t *outer, ir_op_t *op) {
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    if (!op->regions[r]->first) continue;
    folder_t f = {.ctx = outer->ctx, .top = op->regions[r]->first};
    fold_region(&f, op->regions[r]);
    free(f.constants.slots);
    outer->changed |= f.changed;
  }
}

// Constants move to the top, once each.
static bool merge_constant(folder_t *f, ir_op_t *op) {
  if (op->n_extra || ir_op_has_trait(ir_op_parent(op), IR_SYMBOL_TABLE)) return false;
  table_grow(&f->constants);
  ir_op_t **slot = table_slot(&f->constants, op);
  if (*slot == op) return false;
  if (*slot) {
    ir_replace_uses(ir_result(op, 0), ir_result(*slot, 0));
    ir_op_erase(op);
    return f->changed = true;
  }
  *slot = op;
  f->constants.count++;
  if (op->block != f->top) ir_op_move_before(op, f->top->first);
  return true;
}

static void fold_op(folder_t *f, ir_op_t *op) {
  if (ir_op_has_trait(op, IR_CONSTANT)) {
    merge_constant(f, op);
    return;
  }
  const ir_op_hooks_t *hooks = op->spec->info->hooks;
  if (hooks && hooks->fold && op->n_results && op->n_results <= 64) {
    ir_attr_t attrs[64] = {0};
    ir_value_t *values[64] = {0};
    if (hooks->fold(op, attrs, values)) {
      bool whole = true;
      for (uint32_t i = 0; i < op->n_results; ++i) {
        ir_value_t *r = ir_result(op, i);
        if (!values[i] && attrs[i] && attr_fits(r->type, attrs[i]))
          values[i] = constant_at_top(f, r->type, attrs[i], op->loc);
        if (!values[i]) whole = false;
      }
      if (whole && ir_may_rewrite(op, "fold")) {
        f->changed = true;
        for (uint32_t i = 0; i < op->n_results; ++i)
          if (values[i] != ir_result(op, i)) ir_replace_uses(ir_result(op, i), values[i]);
        if (ir_op_has_trait(op, IR_PURE)) ir_op_erase(op);
        return;
      }
    }
  }
  if (ir_op_has_trait(op, IR_ISOLATED) || ir_op_has_trait(op, IR_CLOSED)) {
    fold_isolated(f, op);
    return;
  }
  for (uint16_t r = 0; r < op->n_regions; ++r) fold_region(f, op->regions[r]);
}
static void fold_block(folder_t *f, ir_block_t *block) {
  for (ir_op_t *op = block->first, *next; op; op = next) {
    next = op->next;
    fold_op(f, op);
  }
}
bool ir_fold_ops(ir_ctx_t *ctx, ir_op_t *root) {
  folder_t f = {.ctx = ctx};
  fold_isolated(&f, root);
  return f.changed;
}

// ---- merge: a scope per block, its parent's visible unless isolated
typedef struct merger {
  op_table_t table;
  ir_op_t **added;  // to undo a scope
  size_t n_added, cap_added;
  bool changed;
} merger_t;

static void merge_block(ir_ctx_t *ctx, merger_t *m, ir_block_t *block);
static void merge_regions(ir_ctx_t *ctx, merger_t *m, ir_op_t *op) {
  if (ir_op_has_trait(op, IR_ISOLATED) || ir_op_has_trait(op, IR_CLOSED)) {
    merger_t inner = {0};
    for (uint16_t r = 0; r < op->n_regions; ++r)
      for (ir_block_t *b = op->regions[r]->first; b; b = b->next) merge_block(ctx, &inner, b);
    m->changed |= inner.changed;
    free(inner.table.slots);
    free(inner.added);
    return;
  }
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next) merge_block(ctx, m, b);
}
// Open addressing with entries placed in the order of |added|: the latest may simply be cleared.
static void merger_grow(merger_t *m) {
  if (m->n_added * 2 < m->table.capacity) return;
  free(m->table.slots);
  m->table.capacity = m->table.capacity ? m->table.capacity * 2 : 64;
  m->table.slots = calloc(m->table.capacity, sizeof *m->table.slots);
  if (!m->table.slots) abort();
  for (size_t i = 0; i < m->n_added; ++i) *table_slot(&m->table, m->added[i]) = m->added[i];
}
static void merger_leave(merger_t *m, size_t scope) {
  while (m->n_added > scope) *table_slot(&m->table, m->added[--m->n_added]) = NULL;
}
static void merge_block(ir_ctx_t *ctx, merger_t *m, ir_block_t *block) {
  size_t scope = m->n_added;
  for (ir_op_t *op = block->first, *next; op; op = next) {
    next = op->next;
    if (op->n_regions) {
      merge_regions(ctx, m, op);
      continue;
    }
    if (!op->kind || !ir_op_has_trait(op, IR_PURE) || op->n_extra || op->n_succs ||
        ir_op_has_trait(op, IR_TERMINATOR) || !op->n_results)
      continue;
    merger_grow(m);
    ir_op_t **slot = table_slot(&m->table, op);
    if (*slot && !ir_may_rewrite(op, "merge equal")) continue;
    if (*slot) {
      for (uint32_t i = 0; i < op->n_results; ++i)
        ir_replace_uses(ir_result(op, i), ir_result(*slot, i));
      ir_op_erase(op);
      m->changed = true;
      continue;
    }
    *slot = op;
    if (m->n_added == m->cap_added) {
      m->cap_added = m->cap_added ? m->cap_added * 2 : 64;
      m->added = realloc(m->added, m->cap_added * sizeof *m->added);
      if (!m->added) abort();
    }
    m->added[m->n_added++] = op;
  }
  merger_leave(m, scope);  // what this block defined is not visible outside it
}
bool ir_merge_equal(ir_ctx_t *ctx, ir_op_t *root) {
  merger_t m = {0};
  merge_regions(ctx, &m, root);
  free(m.table.slots);
  free(m.added);
  return m.changed;
}

// ---- dead ops: backward, so that one sweep takes whole chains
static bool drop_in(ir_op_t *op) {
  bool changed = false;
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->last; b; b = b->prev)
      for (ir_op_t *o = b->last, *prev; o; o = prev) {
        prev = o->prev;
        bool dead = o->kind && ir_op_has_trait(o, IR_PURE) && !ir_op_has_trait(o, IR_TERMINATOR) &&
                    o->n_results && ir_op_n_unused_results(o) == o->n_results;
        if (dead) {
          ir_op_erase(o);
          changed = true;
        } else if (o->n_regions) {
          changed |= drop_in(o);
        }
      }
  return changed;
}
bool ir_drop_dead(ir_op_t *root) { return drop_in(root); }

iree_status_t ir_simplify(ir_ctx_t *ctx, ir_op_t *root) {
  for (int i = 0; i < MAX_SWEEPS; ++i) {
    bool changed = ir_fold_ops(ctx, root);
    changed |= ir_merge_equal(ctx, root);
    changed |= ir_drop_dead(root);
    if (!changed) break;
  }
  return iree_ok_status();
}
