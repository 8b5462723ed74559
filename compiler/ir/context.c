// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Context: the arena, the interning table of terms, interned names, op lookup, resources, errors.
#include "compiler/ir/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/suggest.h"

static uint64_t hash_bytes(uint64_t h, const void *data, size_t n) {
  const uint8_t *p = data;
  for (; n >= 8; n -= 8, p += 8) {
    uint64_t w;
    memcpy(&w, p, 8);
    h = (h ^ w) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  for (; n; --n) h = (h ^ *p++) * 0x100000001B3ull;
  return h ^ (h >> 32);
}

// ---- open addressing set of pointers, power-of-two capacity
static void set_grow(ir_ptr_set_t *set, uint64_t (*hash)(const void *)) {
  size_t capacity = set->capacity ? set->capacity * 2 : 1024;
  const void **slots = calloc(capacity, sizeof *slots);
  if (!slots) abort();
  for (size_t i = 0; i < set->capacity; ++i) {
    if (!set->slots[i]) continue;
    size_t k = hash(set->slots[i]) & (capacity - 1);
    while (slots[k]) k = (k + 1) & (capacity - 1);
    slots[k] = set->slots[i];
  }
  free(set->slots);
  set->slots = slots;
  set->capacity = capacity;
}

static size_t term_body_bytes(const ir_term_t *t) {
  return t->n_ints * sizeof(int64_t) + t->n_kids * sizeof(void *) + t->n_bytes;
}
static uint64_t term_hash(const void *p) {
  const ir_term_t *t = p;
  return hash_bytes(hash_bytes(0x1234567, t, sizeof *t), t + 1, term_body_bytes(t));
}

const ir_term_t *ir_term(ir_ctx_t *ctx, ir_term_kind_t kind, const int64_t *ints, size_t n_ints,
                         const ir_term_t *const *kids, size_t n_kids, const char *bytes,
                         size_t n_bytes) {
  size_t size = sizeof(ir_term_t) + n_ints * sizeof(int64_t) + n_kids * sizeof(void *) + n_bytes + 1;
  if (size > ctx->probe_bytes) {  // the candidate is laid out here first, copied if it is new
    free(ctx->probe);
    ctx->probe_bytes = size * 2 > 1024 ? size * 2 : 1024;
    if (!(ctx->probe = malloc(ctx->probe_bytes))) abort();
  }
  ir_term_t *probe = ctx->probe;
  *probe = (ir_term_t){.kind = (uint16_t)kind,
                       .n_ints = (uint32_t)n_ints,
                       .n_kids = (uint32_t)n_kids,
                       .n_bytes = (uint32_t)n_bytes};
  char *at = (char *)(probe + 1);
  if (n_ints) memcpy(at, ints, n_ints * sizeof(int64_t));
  at += n_ints * sizeof(int64_t);
  if (n_kids) memcpy(at, kids, n_kids * sizeof(void *));
  at += n_kids * sizeof(void *);
  if (n_bytes) memcpy(at, bytes, n_bytes);
  at[n_bytes] = 0;

  ir_ptr_set_t *set = &ctx->terms;
  if (set->count * 4 >= set->capacity * 3) set_grow(set, term_hash);
  size_t mask = set->capacity - 1, body = term_body_bytes(probe);
  size_t k = term_hash(probe) & mask;
  for (; set->slots[k]; k = (k + 1) & mask) {
    const ir_term_t *found = set->slots[k];
    if (!memcmp(found, probe, sizeof *found) && !memcmp(found + 1, probe + 1, body)) return found;
  }
  set->count++;
  return set->slots[k] = (ir_term_t *)iree_arena_copy(&ctx->arena, probe, size - 1);
}

static uint64_t name_hash(const void *p) { return hash_bytes(7, p, strlen(p)); }

const char *ir_intern(ir_ctx_t *ctx, const char *text, size_t n) {
  ir_ptr_set_t *set = &ctx->names;
  if (set->count * 4 >= set->capacity * 3) set_grow(set, name_hash);
  size_t mask = set->capacity - 1;
  size_t k = hash_bytes(7, text, n) & mask;
  for (; set->slots[k]; k = (k + 1) & mask) {
    const char *found = set->slots[k];
    if (!strncmp(found, text, n) && !found[n]) return found;
  }
  const char *copy = iree_arena_copy(&ctx->arena, text, n);
  set->slots[k] = copy;
  set->count++;
  return copy;
}

// ---- registered ops by name: sorted index built once per context
static int compare_rows(const void *a, const void *b, void *ops) {
  const ir_op_info_t *rows = ops;
  return strcmp(rows[*(const ir_kind_t *)a].name, rows[*(const ir_kind_t *)b].name);
}

const char *ir_alias_name(ir_ctx_t *ctx, iree_string_view_t name, size_t i) {
  for (size_t k = 0; k < ctx->tables.n_aliases; ++k) {
    const ir_dialect_alias_t *alias = &ctx->tables.aliases[k];
    size_t n = strlen(alias->from), m = strlen(alias->to);
    if (name.size < n || memcmp(name.data, alias->from, n) || (name.size > n && name.data[n] != '.') || i--) continue;
    char *text = iree_arena_alloc(&ctx->arena, m + name.size - n + 1);
    memcpy(text, alias->to, m);
    memcpy(text + m, name.data + n, name.size - n);
    return ir_intern(ctx, text, m + name.size - n);
  }
  return NULL;
}
static ir_kind_t lookup_row(const ir_ctx_t *ctx, iree_string_view_t name) {
  size_t lo = 0, hi = ctx->tables.n_ops - 1;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    const char *row = ctx->tables.ops[ctx->sorted_ops[mid]].name;
    int c = strncmp(row, name.data, name.size);
    if (!c) c = row[name.size] ? 1 : 0;
    if (!c) return ctx->sorted_ops[mid];
    if (c < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return 0;
}
const char *ir_kind_near(ir_ctx_t *ctx, const char *name) {
  suggest_t s = suggest_begin(iree_make_cstring_view(name));
  for (size_t k = 1; k < ctx->tables.n_ops; ++k) suggest_try(&s, ctx->tables.ops[k].name);
  return s.best;
}
bool ir_dialect_has_rows(ir_ctx_t *ctx, const char *name) {
  size_t n = strcspn(name, ".") + 1;
  for (size_t k = 1; k < ctx->tables.n_ops; ++k)
    if (!strncmp(ctx->tables.ops[k].name, name, n)) return true;
  return false;
}
ir_kind_t ir_kind_lookup(ir_ctx_t *ctx, iree_string_view_t name) {
  ir_kind_t kind = lookup_row(ctx, name);
  const char *other;
  for (size_t i = 0; !kind && (other = ir_alias_name(ctx, name, i)); ++i)
    kind = lookup_row(ctx, iree_make_cstring_view(other));
  return kind;
}

iree_status_t ir_ctx_create(const ir_tables_t *tables, ir_ctx_t **out_ctx) {
  *out_ctx = NULL;
  ir_ctx_t *ctx = calloc(1, sizeof *ctx);
  if (!ctx) return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory for an IR context");
  iree_arena_init(&ctx->arena);
  ctx->tables = *tables;
  ctx->specs = IREE_ARENA_ARRAY(&ctx->arena, const ir_spec_t *, tables->n_ops + 1);
  ctx->sorted_ops = IREE_ARENA_ARRAY(&ctx->arena, ir_kind_t, tables->n_ops + 1);
  for (size_t i = 1; i < tables->n_ops; ++i) ctx->sorted_ops[i - 1] = (ir_kind_t)i;
  if (tables->n_ops > 1)
    qsort_r(ctx->sorted_ops, tables->n_ops - 1, sizeof(ir_kind_t), compare_rows,
            (void *)(uintptr_t)tables->ops);
  ctx->unknown_loc = ir_term(ctx, IR_L_UNKNOWN, NULL, 0, NULL, 0, NULL, 0);
  *out_ctx = ctx;
  return iree_ok_status();
}

void ir_ctx_destroy(ir_ctx_t *ctx) {
  if (!ctx) return;
  free(ctx->terms.slots);
  free(ctx->names.slots);
  free(ctx->probe);
  iree_arena_deinit(&ctx->arena);
  free(ctx);
}

iree_arena_t *ir_arena(ir_ctx_t *ctx) { return &ctx->arena; }
const ir_tables_t *ir_ctx_tables(ir_ctx_t *ctx) { return &ctx->tables; }

void ir_ctx_set_diag(ir_ctx_t *ctx, ir_diag_fn_t fn, void *self) {
  ctx->diag = fn;
  ctx->diag_self = self;
}
void ir_ctx_set_gate(ir_ctx_t *ctx, ir_gate_fn_t fn, void *self) {
  ctx->gate = fn;
  ctx->gate_self = self;
}
bool ir_may_rewrite(const ir_op_t *op, const char *what) {
  ir_ctx_t *ctx = ir_op_ctx(op);
  return !ctx->gate || ctx->gate(ctx->gate_self, what, op);
}

// ---- resources
ir_resource_t *ir_ctx_add_resource(ir_ctx_t *ctx, const char *key, const uint8_t *data, size_t n) {
  for (size_t i = 0; i < ctx->n_resources; ++i) {
    if (!strcmp(ctx->resources[i]->key, key)) {
      if (data) ctx->resources[i]->data = data, ctx->resources[i]->n_bytes = n;
      return ctx->resources[i];
    }
  }
  ir_resource_t *resource = IREE_ARENA_NEW(&ctx->arena, ir_resource_t);
  *resource = (ir_resource_t){ir_intern(ctx, key, strlen(key)), data, n};
  IREE_ARENA_PUSH(&ctx->arena, ctx->resources, ctx->n_resources, ctx->resource_cap, resource);
  return resource;
}
const ir_resource_t *ir_ctx_find_resource(ir_ctx_t *ctx, const char *key) {
  for (size_t i = 0; i < ctx->n_resources; ++i)
    if (!strcmp(ctx->resources[i]->key, key)) return ctx->resources[i]->data ? ctx->resources[i] : NULL;
  return NULL;
}
size_t ir_ctx_n_resources(ir_ctx_t *ctx) { return ctx->n_resources; }
const ir_resource_t *ir_ctx_resource(ir_ctx_t *ctx, size_t i) { return ctx->resources[i]; }

// ---- diagnostics
static const char *emit(ir_ctx_t *ctx, ir_severity_t severity, ir_loc_t loc, const char *prefix,
                        const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  size_t skip = strlen(prefix), size = skip + (n > 0 ? (size_t)n : 0);
  char *text = iree_arena_alloc(&ctx->arena, size + 1);
  memcpy(text, prefix, skip);
  vsnprintf(text + skip, size - skip + 1, format, args);
  if (ctx->diag) ctx->diag(ctx->diag_self, severity, loc ? loc : ctx->unknown_loc, text);
  return text;
}

iree_status_t ir_error(ir_ctx_t *ctx, ir_loc_t loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = emit(ctx, IR_ERROR, loc, "", format, args);
  va_end(args);
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%s", text);
}

iree_status_t ir_op_error(const ir_op_t *op, const char *format, ...) {
  ir_ctx_t *ctx = ir_op_ctx(op);
  char prefix[128];
  snprintf(prefix, sizeof prefix, "'%s' op ", ir_op_name(op));
  va_list args;
  va_start(args, format);
  const char *text = emit(ctx, IR_ERROR, op->loc, prefix, format, args);
  va_end(args);
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%s", text);
}

void ir_note(ir_ctx_t *ctx, ir_loc_t loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  emit(ctx, IR_NOTE, loc, "", format, args);
  va_end(args);
}

void ir_warning(ir_ctx_t *ctx, ir_loc_t loc, const char *format, ...) {
  va_list args;
  va_start(args, format);
  emit(ctx, IR_WARNING, loc, "", format, args);
  va_end(args);
}
