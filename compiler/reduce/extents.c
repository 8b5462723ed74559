// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "extents": every extent that is D becomes d, in all types at once, and if need be in what attributes say of
// shapes: slice limits, broadcast shapes, index constants. Whether the program still holds together, the
// verifier says.
#include <string.h>

#include "compiler/ir/fold.h"
#include "compiler/reduce/strategy.h"

enum { IN_TYPES, IN_ATTRIBUTES, MODES };

typedef struct mapper {
  ir_ctx_t *ctx;
  int64_t from, to;
  bool in_attributes;
  ir_map_t *done;  // terms
} mapper_t;

static const ir_term_t *map_term(mapper_t *m, const ir_term_t *t);
static bool has_dims(const ir_term_t *t) { return t->kind == IR_T_TENSOR || t->kind == IR_T_MEMREF || t->kind == IR_T_VECTOR; }
static bool has_numbers(const mapper_t *m, const ir_term_t *t) {
  return m->in_attributes && (t->kind == IR_A_DENSE_ARRAY || (t->kind == IR_A_INT && ir_is(ir_kid(t, 0), IR_T_INDEX)));
}

// Elements of a constant whose shape changes: the first ones.
static ir_attr_t map_dense(mapper_t *m, ir_attr_t old) {
  ir_type_t type = map_term(m, ir_dense_type(old));
  if (type == ir_dense_type(old) && !m->in_attributes) return old;
  size_t size = ir_type_storage_bytes(ir_type_element(type));
  if (ir_dense_is_splat(old)) return ir_attr_dense(m->ctx, type, ir_dense_data(old), ir_dense_bytes(old), true, false);
  int64_t n = ir_type_n_elements(type);
  if (n < 0 || (uint64_t)n > ir_dense_bytes(old) / (size ? size : 1)) return old;
  char *data = iree_arena_copy(ir_arena(m->ctx), ir_dense_data(old), (size_t)n * size);
  // Shapes given as constants: i64 or i32 elements, few of them.
  for (int64_t i = 0; m->in_attributes && n <= 16 && ir_type_is_integer_like(ir_type_element(type)) && i < n; ++i) {
    if (size == 8 && !memcmp(data + i * 8, &m->from, 8)) memcpy(data + i * 8, &m->to, 8);
    if (size == 4 && !memcmp(data + i * 4, &(int32_t){(int32_t)m->from}, 4)) memcpy(data + i * 4, &(int32_t){(int32_t)m->to}, 4);
  }
  return ir_attr_dense(m->ctx, type, data, (size_t)n * size, false, false);
}

static const ir_term_t *map_term(mapper_t *m, const ir_term_t *t) {
  if (!t || t->kind >= IR_L_UNKNOWN || t->kind == IR_A_STRING || t->kind == IR_A_MAP || t->kind == IR_A_SET) return t;
  const ir_term_t *known = ir_map_get(m->done, t);
  if (known) return known;
  const ir_term_t *result;
  if (t->kind == IR_A_DENSE) {
    result = map_dense(m, t);
  } else {
    int64_t *ints = IREE_ARENA_ARRAY(ir_arena(m->ctx), int64_t, t->n_ints + 1);
    const ir_term_t **kids = IREE_ARENA_ARRAY(ir_arena(m->ctx), const ir_term_t *, t->n_kids + 1);
    for (uint32_t i = 0; i < t->n_ints; ++i)
      ints[i] = (has_dims(t) || has_numbers(m, t)) && ir_int(t, i) == m->from ? m->to : ir_int(t, i);
    for (uint32_t i = 0; i < t->n_kids; ++i) kids[i] = map_term(m, ir_kid(t, i));
    result = ir_term(m->ctx, (ir_term_kind_t)t->kind, ints, t->n_ints, kids, t->n_kids, ir_bytes(t), t->n_bytes);
  }
  ir_map_set(m->done, t, (void *)(uintptr_t)result);
  return result;
}

static iree_status_t map_op(ir_op_t *op, void *self) {
  mapper_t *m = self;
  for (uint32_t i = 0; i < op->n_results; ++i) op->results[i].type = map_term(m, op->results[i].type);
  for (size_t i = 0; i < op->spec->n_attrs; ++i)
    if (op->attrs[i]) op->attrs[i] = map_term(m, op->attrs[i]);
  for (uint32_t i = 0; i < op->n_extra; ++i) op->extra[i].value = map_term(m, op->extra[i].value);
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next)
      for (uint32_t i = 0; i < b->n_args; ++i) b->args[i]->type = map_term(m, b->args[i]->type);
  return iree_ok_status();
}

// ---- sites: each extent of the program, the largest first, with what it becomes
typedef struct extents {
  int64_t v[256];
  size_t n;
} extents_t;
static void note_type(extents_t *e, ir_type_t type) {
  if (!ir_type_is_shaped(type)) return;
  for (size_t i = 0; i < ir_type_rank(type); ++i) {
    int64_t d = ir_type_dim(type, i);
    size_t at = 0;
    while (at < e->n && e->v[at] > d) ++at;
    if (d < 2 || (at < e->n && e->v[at] == d) || e->n == sizeof e->v / sizeof *e->v) continue;
    memmove(e->v + at + 1, e->v + at, (e->n++ - at) * sizeof *e->v);
    e->v[at] = d;
  }
}
static iree_status_t note_op(ir_op_t *op, void *self) {
  for (uint32_t i = 0; i < op->n_results; ++i) note_type(self, op->results[i].type);
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (ir_block_t *b = op->regions[r]->first; b; b = b->next)
      for (uint32_t i = 0; i < b->n_args; ++i) note_type(self, b->args[i]->type);
  return iree_ok_status();
}
void list_extents(ir_op_t *module, reduce_sites_t *sites) {
  extents_t e = {.n = 0};
  iree_status_ignore(ir_walk(module, note_op, &e));
  for (int mode = 0; mode < MODES; ++mode)
    for (int step = 0; step < 3; ++step)
      for (size_t i = 0; i < e.n; ++i) {
        int64_t to = step == 0 ? 1 : step == 1 ? 2 : e.v[i] / 2;
        if (to < e.v[i] && (step < 2 || to > 2)) reduce_add(sites, module, e.v[i], to * MODES + mode);
      }
}
void apply_extents(ir_op_t *module, const reduce_site_t *site) {
  ir_ctx_t *ctx = ir_op_ctx(module);
  mapper_t m = {ctx, site->a, site->b / MODES, site->b % MODES == IN_ATTRIBUTES, ir_map_create(ir_arena(ctx))};
  iree_status_ignore(ir_walk(module, map_op, &m));
}
