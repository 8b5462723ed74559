// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IR section: ops, regions, blocks, values.
//
// Values are numbered in order of definition from the nearest isolated region on. A region announces how
// many it defines; its numbers follow all those its surroundings announced. A number used before its
// definition is a placeholder until then.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/bytecode_internal.h"
#include "compiler/ir/parse_internal.h"

enum { M_ATTRS = 1, M_RESULTS = 2, M_OPERANDS = 4, M_SUCCS = 8, M_REGIONS = 16, M_USE_ORDERS = 32, M_PROPS = 64 };

typedef struct bc_scope {  // of one isolated region
  ir_value_t **values;     // NULL: neither defined nor used yet
  size_t n, cap;
} bc_scope_t;
typedef struct bc_region {  // being read
  bc_scope_t *scope;
  size_t next, end, n_values;  // numbers of its values
  ir_block_t **blocks;
  size_t n_blocks;
  const ir_op_t *op;
} bc_region_t;

static bool is_placeholder(const ir_value_t *v) { return v->is_arg && !v->block; }

// ---- values
static bool scope_grow(bc_cursor_t *c, bc_scope_t *s, size_t n) {
  bc_file_t *f = c->file;
  f->n_values += n;
  if (f->n_values > (size_t)(f->end - f->begin)) return bc_fail(c, "more values than bytes");
  if (s->n + n > s->cap) {
    size_t cap = s->cap * 2 > s->n + n ? s->cap * 2 : s->n + n;
    s->values = iree_arena_grow(&f->ctx->arena, s->values, s->n * sizeof *s->values, cap * sizeof *s->values);
    s->cap = cap;
  }
  if (n) memset(s->values + s->n, 0, n * sizeof *s->values);
  s->n += n;
  return true;
}
static bool define(bc_cursor_t *c, bc_region_t *r, ir_value_t *value) {
  if (!r->n_values) return true;  // nothing uses them
  if (r->next == r->end) return bc_fail(c, "a region with more values than announced");
  ir_value_t **slot = &r->scope->values[r->next++];
  if (*slot) ir_replace_uses(*slot, value);
  *slot = value;
  return true;
}
static bool operand(bc_cursor_t *c, bc_region_t *r, ir_value_t **out) {
  uint64_t index;
  if (!bc_varint(c, &index)) return false;
  if (index >= r->scope->n) return bc_fail(c, "no value %llu", (unsigned long long)index);
  ir_value_t **slot = &r->scope->values[index];
  if (!*slot) {
    *slot = IREE_ARENA_NEW(&c->file->ctx->arena, ir_value_t);
    **slot = (ir_value_t){.type = ir_type_none(c->file->ctx), .is_arg = true};
  }
  *out = *slot;
  return true;
}
// The order of a value's uses: nothing here depends on it.
static bool skip_use_orders(bc_cursor_t *c, size_t n_values) {
  uint64_t index;
  bool pairs;
  size_t n = 1;
  if (n_values > 1 && !bc_count(c, &n)) return false;
  for (size_t i = 0; i < n; ++i) {
    uint64_t count;
    if ((n_values > 1 && !bc_varint(c, &index)) || !bc_flagged(c, &count, &pairs)) return false;
    for (uint64_t k = 0; k < count; ++k)
      if (!bc_varint(c, &index)) return false;
  }
  return true;
}

// ---- attributes
static bool add_attr(bc_cursor_t *c, bc_op_t *op, const char *name, ir_attr_t value) {
  ir_named_t named = {name, value};
  IREE_ARENA_PUSH(&c->file->ctx->arena, op->attrs, op->n_attrs, op->cap, named);
  return true;
}
static bool add_dict(bc_cursor_t *c, bc_op_t *op, ir_attr_t dict) {
  if (!ir_is(dict, IR_A_DICT)) return bc_fail(c, "expected a dictionary of attributes");
  for (uint32_t i = 0; i + 1 < dict->n_kids; i += 2) {
    ir_attr_t name = ir_kid(dict, i);
    add_attr(c, op, ir_intern(c->file->ctx, ir_bytes(name), name->n_bytes), ir_kid(dict, i + 1));
  }
  return true;
}
static ir_attr_t take_attr(bc_op_t *op, const char *name) {
  for (size_t i = 0; i < op->n_attrs; ++i) {
    if (strcmp(op->attrs[i].name, name)) continue;
    ir_attr_t value = op->attrs[i].value;
    op->attrs[i] = op->attrs[--op->n_attrs];
    return value;
  }
  return NULL;
}

// Sizes of groups: a list, or (number, value) pairs packed in one number.
static bool segments(bc_cursor_t *c, size_t n, ir_attr_t *out) {
  ir_ctx_t *ctx = c->file->ctx;
  int64_t *values = IREE_ARENA_ARRAY(&ctx->arena, int64_t, n + 1);
  memset(values, 0, (n + 1) * sizeof *values);
  uint64_t count, bits = 0, v;
  bool sparse;
  if (!bc_flagged(c, &count, &sparse) || (count && sparse && !bc_varint(c, &bits))) return false;
  if (count > n || bits > 8) return bc_fail(c, "%llu group sizes for %zu groups", (unsigned long long)count, n);
  for (uint64_t i = 0; i < count; ++i) {
    if (!bc_varint(c, &v)) return false;
    uint64_t at = sparse ? v & (((uint64_t)1 << bits) - 1) : i;
    if (at >= n || v >> bits > INT32_MAX) return bc_fail(c, "a group size out of range");
    values[at] = (int64_t)(v >> bits);
  }
  *out = ir_attr_dense_array(ctx, ir_type_i(ctx, 32), values, n);
  return true;
}
static bool property(bc_cursor_t *c, bc_op_t *op, const char *name, bool optional) {
  ir_attr_t value;
  if (optional ? !bc_attr_optional(c, &value) : !bc_attr(c, &value)) return false;
  return !value || add_attr(c, op, name, value);
}
// All required, blank separated.
static bool listed_properties(bc_cursor_t *c, bc_op_t *op, const char *names) {
  while (*names) {
    size_t n = strcspn(names, " ");
    if (!property(c, op, ir_intern(c->file->ctx, names, n), false)) return false;
    names += n + strspn(names + n, " ");
  }
  return true;
}
typedef struct bc_property {
  const char *name;
  bool optional;
} bc_property_t;
static int by_name(const void *a, const void *b) { return strcmp(((const bc_property_t *)a)->name, ((const bc_property_t *)b)->name); }
static size_t n_numbers(bc_cursor_t c) {
  uint64_t ignored;
  size_t n = 0;
  for (; c.at < c.end && bc_varint(&c, &ignored); ++n) {}
  return n;
}
static bool row_properties(bc_cursor_t *c, bc_op_t *op, const ir_spec_t *spec) {
  bc_property_t *sorted = IREE_ARENA_ARRAY(&c->file->ctx->arena, bc_property_t, spec->n_attrs + 2);
  size_t n = 0;
  for (; n < spec->n_attrs; ++n) sorted[n] = (bc_property_t){spec->attrs[n].name, spec->attrs[n].optional || spec->attrs[n].default_text};
  bool old = c->file->version < BC_SEGMENT_PROPERTIES;  // then the sizes of groups are among them
  if (old && spec->operands_segmented && n_numbers(*c) > n) sorted[n++] = (bc_property_t){"operandSegmentSizes", false};
  if (old && spec->results_segmented && n_numbers(*c) > n) sorted[n++] = (bc_property_t){"resultSegmentSizes", false};
  qsort(sorted, n, sizeof *sorted, by_name);
  for (size_t i = 0; i < n; ++i)
    if (!property(c, op, sorted[i].name, sorted[i].optional)) return false;
  ir_attr_t sizes;
  if (c->at < c->end && !old && spec->operands_segmented &&
      (!segments(c, spec->n_operands, &sizes) || !add_attr(c, op, "operandSegmentSizes", sizes)))
    return false;
  return c->at == c->end || old || !spec->results_segmented ||
         (segments(c, spec->n_results, &sizes) && add_attr(c, op, "resultSegmentSizes", sizes));
}
// Stored are the attributes sorted by name, then the sizes of groups.
static bool properties(bc_cursor_t *c, const bc_op_name_t *name, bc_op_t *op) {
  bc_file_t *f = c->file;
  uint64_t index;
  if (!bc_varint(c, &index)) return false;
  if (!name->registered) {  // one dictionary, as the writer knew no better
    ir_attr_t dict;
    return bc_entry_value(c, false, index, &dict) && add_dict(c, op, dict);
  }
  if (index >= f->n_props) return bc_fail(c, "no properties %llu", (unsigned long long)index);
  bc_cursor_t body = {f, f->props[index].data, f->props[index].data + f->props[index].n};
  const ir_bytecode_dialect_t *facts = name->dialect->facts;
  ir_kind_t kind = ir_kind_lookup(f->ctx, iree_make_cstring_view(name->name));
  const char *order = facts && facts->properties ? facts->properties(name->name) : NULL;
  if (!order && (!kind || !facts))
    return bc_fail(&body, "the properties of '%s' are not known; write the module as text instead", name->name);
  const ir_spec_t *spec = ir_spec(f->ctx, kind);
  if (order ? !listed_properties(&body, op, order) : !row_properties(&body, op, spec)) return false;
  while (body.at < body.end && *body.at == 1) ++body.at;  // younger optional ones that are absent
  return body.at == body.end || bc_fail(&body, "more properties of '%s' than known", name->name);
}

// ---- ops
// Gives |n| values to the groups of |names|. Without sizes those of any length share evenly what the others leave.
static bool split(bc_cursor_t *c, const char *op, const ir_spec_name_t *names, size_t n_names, ir_attr_t sizes, size_t n, uint32_t **out) {
  uint32_t *groups = IREE_ARENA_ARRAY(&c->file->ctx->arena, uint32_t, n_names + 1);
  size_t n_variadic = 0, total = 0;
  if (sizes && sizes->kind == IR_A_DENSE) {  // as the first versions wrote them
    ir_spec_attr_t list = {.kind = IR_AK_I64S, .type = ir_type_i(c->file->ctx, 32)};
    sizes = p_normalize(c->file->ctx, &list, sizes);
  }
  if (sizes && (!ir_is(sizes, IR_A_DENSE_ARRAY) || sizes->n_ints != n_names)) return bc_fail(c, "'%s' has %zu groups of values", op, n_names);
  for (size_t g = 0; g < n_names; ++g) n_variadic += names[g].count != ' ';
  if (n < n_names - n_variadic) return bc_fail(c, "'%s' cannot have %zu operands or results", op, n);
  size_t shared = n - (n_names - n_variadic);
  for (size_t g = 0; g < n_names; ++g) {
    int64_t size = sizes ? ir_int(sizes, g) : names[g].count == ' ' ? 1 : (int64_t)(shared / n_variadic);
    if (size < 0 || (uint64_t)size > n) return bc_fail(c, "a group of %lld values of '%s'", (long long)size, op);
    groups[g] = (uint32_t)size;
    total += (size_t)size;
  }
  if (total != n) return bc_fail(c, "'%s' cannot have %zu operands or results", op, n);
  *out = groups;
  return true;
}
// The operands that go to each successor: the last groups, one each; of a switch the last holds all cases'.
static bool successor_operands(bc_cursor_t *c, const ir_spec_t *spec, const uint32_t *groups, ir_attr_t cases, size_t n, uint32_t **out) {
  uint32_t *counts = IREE_ARENA_ARRAY(&c->file->ctx->arena, uint32_t, n + 1);
  memset(counts, 0, (n + 1) * sizeof *counts);
  *out = counts;
  if (cases) {
    if (!ir_is(cases, IR_A_DENSE_ARRAY) || spec->n_operands < 2 || cases->n_ints + 1 != n) return bc_fail(c, "expected one operand count per case");
    uint64_t total = 0;
    counts[0] = groups[spec->n_operands - 2];
    for (size_t i = 1; i < n; ++i) {
      int64_t count = ir_int(cases, i - 1);
      if (count < 0 || count > INT32_MAX) return bc_fail(c, "an operand count of %lld", (long long)count);
      total += counts[i] = (uint32_t)count;
    }
    return total == groups[spec->n_operands - 1] || bc_fail(c, "the operand counts of the cases do not add up");
  }
  for (size_t i = 0; i < n && !(spec->info->traits & IR_SUCC_RESULTS); ++i)
    if (spec->n_operands >= n - i && spec->operands[spec->n_operands - (n - i)].count != ' ') counts[i] = groups[spec->n_operands - (n - i)];
  return true;
}

typedef struct bc_parts {  // of an op, before it is created
  ir_type_t *types;
  ir_value_t **operands;
  ir_block_t **succs;
  size_t n_types, n_operands, n_succs, n_regions;
  bool isolated;
} bc_parts_t;

static bool read_parts(bc_cursor_t *c, bc_region_t *r, uint8_t mask, bc_parts_t *p) {
  ir_ctx_t *ctx = c->file->ctx;
  if (mask & M_RESULTS && !bc_types(c, &p->types, &p->n_types)) return false;
  if (mask & M_OPERANDS) {
    if (!bc_count(c, &p->n_operands)) return false;
    p->operands = IREE_ARENA_ARRAY(&ctx->arena, ir_value_t *, p->n_operands + 1);
    for (size_t i = 0; i < p->n_operands; ++i)
      if (!operand(c, r, &p->operands[i])) return false;
  }
  if (mask & M_SUCCS) {
    if (!bc_count(c, &p->n_succs)) return false;
    if (p->n_succs > UINT16_MAX) return bc_fail(c, "an op of %zu successors", p->n_succs);
    p->succs = IREE_ARENA_ARRAY(&ctx->arena, ir_block_t *, p->n_succs + 1);
    for (size_t i = 0; i < p->n_succs; ++i) {
      uint64_t index;
      if (!bc_varint(c, &index)) return false;
      if (index >= r->n_blocks) return bc_fail(c, "no block %llu", (unsigned long long)index);
      p->succs[i] = r->blocks[index];
    }
  }
  if (mask & M_USE_ORDERS && !skip_use_orders(c, p->n_types)) return false;
  if (mask & M_REGIONS) {
    uint64_t n;
    if (!bc_flagged(c, &n, &p->isolated)) return false;
    if (n > UINT16_MAX || n > (uint64_t)(c->end - c->at)) return bc_fail(c, "an op of %llu regions", (unsigned long long)n);
    p->n_regions = (size_t)n;
  }
  return true;
}

static bool create(bc_cursor_t *c, bc_op_t *op, const bc_parts_t *p, ir_loc_t loc, ir_block_t *block, ir_op_t **out) {
  ir_ctx_t *ctx = c->file->ctx;
  ir_kind_t kind = ir_kind_lookup(ctx, iree_make_cstring_view(op->name));
  if (!kind) {
    size_t plain = strspn(op->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-");
    const char *near = ir_kind_near(ctx, op->name);
    if (op->name[plain] || ir_dialect_has_rows(ctx, op->name))
      return near ? bc_fail(c, "unknown operation '%.80s'; did you mean '%s'?", op->name, near)
                  : bc_fail(c, "unknown operation '%.80s'", op->name);
  }
  const ir_spec_t *spec = ir_spec(ctx, kind);
  uint32_t *groups = NULL, *result_groups = NULL, *succ_operands = NULL;
  ir_attr_t sizes = take_attr(op, "operandSegmentSizes"), result_sizes = take_attr(op, "resultSegmentSizes");
  if (!sizes) sizes = take_attr(op, "operand_segment_sizes");
  if (!result_sizes) result_sizes = take_attr(op, "result_segment_sizes");
  if (kind && (!split(c, op->name, spec->operands, spec->n_operands, sizes, p->n_operands, &groups) ||
               !split(c, op->name, spec->results, spec->n_results, result_sizes, p->n_types, &result_groups)))
    return false;
  ir_attr_t cases = NULL;
  for (size_t i = 0; i < op->n_attrs; ++i) {
    int slot = kind ? ir_spec_attr_index(spec, op->attrs[i].name, strlen(op->attrs[i].name)) : -1;
    if (slot < 0) continue;
    op->attrs[i].value = p_normalize(ctx, &spec->attrs[slot], op->attrs[i].value);
    if (!op->attrs[i].value) return bc_fail(c, "attribute '%s' of '%s' has the wrong kind", op->attrs[i].name, op->name);
    if (!strcmp(op->attrs[i].name, "case_operand_segments")) cases = op->attrs[i].value;
  }
  if (p->n_succs && kind && !successor_operands(c, spec, groups, cases, p->n_succs, &succ_operands)) return false;
  *out = ir_op_create(ctx, &(ir_op_desc_t){
      .kind = kind, .name = op->name, .loc = loc, .operands = p->operands, .n_operands = p->n_operands, .segments = groups,
      .results = p->types, .n_results = p->n_types, .result_segments = result_groups, .attrs = op->attrs, .n_attrs = op->n_attrs,
      .n_regions = p->n_regions, .succs = p->succs, .succ_operands = succ_operands, .n_succs = p->n_succs});
  ir_builder_t b = ir_builder_at_end(ctx, block);
  ir_insert(&b, *out);
  return true;
}

static bool read_regions(bc_cursor_t *c, bc_scope_t *scope, ir_op_t *op);

static bool read_op(bc_cursor_t *c, bc_region_t *r, ir_block_t *block) {
  bc_file_t *f = c->file;
  uint64_t index;
  uint8_t mask;
  ir_loc_t loc;
  ir_attr_t dict;
  if (!bc_varint(c, &index)) return false;
  if (index >= f->n_ops) return bc_fail(c, "no op name %llu", (unsigned long long)index);
  const bc_op_name_t *name = &f->ops[index];
  bc_op_t op = {.name = name->name, .parent = r->op};
  if (!bc_byte(c, &mask) || !bc_loc(c, &loc)) return false;
  if (mask & 0x80) return bc_fail(c, "unknown parts of an op (%#x)", mask);
  if (mask & M_ATTRS && (!bc_attr(c, &dict) || !add_dict(c, &op, dict))) return false;
  if (mask & M_PROPS && !properties(c, name, &op)) return false;
  bc_parts_t parts = {0};
  if (!read_parts(c, r, mask, &parts)) return false;
  const ir_bytecode_dialect_t *facts = name->dialect->facts;
  if (facts && facts->convert && !facts->convert(c, &op)) return false;
  ir_op_t *created = NULL;
  if (!create(c, &op, &parts, loc, block, &created)) return false;
  for (size_t i = 0; i < parts.n_types; ++i)
    if (!define(c, r, &created->results[i])) return false;
  if (!parts.n_regions) return true;
  bc_scope_t inner = {0};
  bc_cursor_t section;
  if (!parts.isolated) return read_regions(c, r->scope, created);
  if (f->version < BC_ISOLATED_SECTIONS) return read_regions(c, &inner, created);
  unsigned id;
  if (!bc_section(c, &id, &section)) return false;
  if (id != BC_OPS) return bc_fail(c, "expected a section of regions");
  return read_regions(&section, &inner, created) && (section.at == section.end || bc_fail(&section, "data after the last region"));
}

static bool read_block(bc_cursor_t *c, bc_region_t *r, ir_block_t *block) {
  bc_file_t *f = c->file;
  uint64_t n_ops, index;
  bool has_args, has_loc = true;
  if (!bc_flagged(c, &n_ops, &has_args)) return false;
  if (has_args) {
    size_t n;
    if (!bc_count(c, &n)) return false;
    for (size_t i = 0; i < n; ++i) {
      ir_type_t type;
      ir_loc_t loc;  // arguments have none here
      if (f->version >= BC_ELIDED_LOCATIONS ? !bc_flagged(c, &index, &has_loc) : !bc_varint(c, &index)) return false;
      if (!bc_entry_value(c, true, index, &type) || (has_loc && !bc_loc(c, &loc))) return false;
      if (!define(c, r, ir_block_add_arg(f->ctx, block, type))) return false;
    }
    uint8_t has_orders = 0;
    if (f->version >= BC_USE_ORDERS && (!bc_byte(c, &has_orders) || (has_orders && !skip_use_orders(c, n)))) return false;
  }
  for (uint64_t i = 0; i < n_ops; ++i)
    if (!read_op(c, r, block)) return false;
  return true;
}

static bool read_region(bc_cursor_t *c, bc_scope_t *scope, ir_op_t *op, ir_region_t *region) {
  ir_ctx_t *ctx = c->file->ctx;
  bc_region_t r = {.scope = scope, .op = op, .next = scope->n};
  if (!bc_count(c, &r.n_blocks)) return false;
  if (!r.n_blocks) return true;
  if (!bc_count(c, &r.n_values)) return false;
  if (r.n_blocks > (size_t)(c->end - c->at)) return bc_fail(c, "a region of %zu blocks", r.n_blocks);
  if (!scope_grow(c, scope, r.n_values)) return false;
  r.end = scope->n;
  r.blocks = IREE_ARENA_ARRAY(&ctx->arena, ir_block_t *, r.n_blocks);
  for (size_t i = 0; i < r.n_blocks; ++i) r.blocks[i] = ir_block_create(ctx, region);
  for (size_t i = 0; i < r.n_blocks; ++i)
    if (!read_block(c, &r, r.blocks[i])) return false;
  for (size_t i = r.end - r.n_values; i < r.end; ++i)
    if (scope->values[i] && is_placeholder(scope->values[i])) return bc_fail(c, "value %zu is used but not defined", i);
  scope->n = r.end - r.n_values;
  return true;
}
static bool read_regions(bc_cursor_t *c, bc_scope_t *scope, ir_op_t *op) {
  bc_file_t *f = c->file;
  if (f->depth == BC_MAX_DEPTH) return bc_fail(c, "regions nested deeper than %d", BC_MAX_DEPTH);
  ++f->depth;
  bool ok = true;
  for (size_t i = 0; ok && i < op->n_regions; ++i) ok = read_region(c, scope, op, op->regions[i]);
  --f->depth;
  return ok;
}

bool bc_read_ops(bc_cursor_t *c, ir_block_t *body) {
  bc_scope_t scope = {0};
  bc_region_t top = {.scope = &scope, .blocks = &body, .n_blocks = 1, .op = body->region->op};
  uint64_t n_ops;
  bool has_args;
  if (!bc_flagged(c, &n_ops, &has_args)) return false;
  if (has_args) return bc_fail(c, "the top level has arguments");
  for (uint64_t i = 0; i < n_ops; ++i)
    if (!read_op(c, &top, body)) return false;
  return c->at == c->end || bc_fail(c, "data after the last op");
}
