// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The container: primitives, sections, tables of strings, dialects, entries, resources, properties.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler/ir/bytecode_internal.h"

// ---- primitives
bool bc_fail(bc_cursor_t *c, const char *format, ...) {
  bc_file_t *f = c->file;
  if (f->failed) return false;
  f->failed = true;
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  iree_status_ignore(ir_error(f->ctx, ir_loc_unknown(f->ctx), "bytecode: %s (at byte %zu; version %llu written by '%.80s')",
                              text, (size_t)(c->at - f->begin), (unsigned long long)f->version,
                              f->producer ? f->producer : ""));
  return false;
}
ir_ctx_t *bc_ctx(const bc_cursor_t *c) { return c->file->ctx; }
static size_t left(const bc_cursor_t *c) { return (size_t)(c->end - c->at); }

bool bc_byte(bc_cursor_t *c, uint8_t *out) {
  *out = 0;
  if (c->at == c->end) return bc_fail(c, "the data ends early");
  *out = *c->at++;
  return true;
}
bool bc_bytes(bc_cursor_t *c, size_t n, const uint8_t **out) {
  *out = c->at;
  if (n > left(c)) return bc_fail(c, "%zu bytes expected, %zu are left", n, left(c));
  c->at += n;
  return true;
}
// The number of trailing zeros of the first byte is the number of bytes that follow it.
bool bc_varint(bc_cursor_t *c, uint64_t *out) {
  uint8_t first;
  if (!bc_byte(c, &first)) return false;
  unsigned more = first ? (unsigned)__builtin_ctz(first) : 8;
  const uint8_t *rest;
  if (!bc_bytes(c, more, &rest)) return false;
  uint64_t value = more == 8 ? 0 : (uint64_t)first >> (more + 1);
  for (unsigned i = 0; i < more; ++i) value |= (uint64_t)rest[i] << (8 * i + (more == 8 ? 0 : 7 - more));
  *out = value;
  return true;
}
bool bc_svarint(bc_cursor_t *c, int64_t *out) {
  uint64_t v;
  if (!bc_varint(c, &v)) return false;
  *out = (int64_t)((v >> 1) ^ (0 - (v & 1)));
  return true;
}
bool bc_flagged(bc_cursor_t *c, uint64_t *out, bool *flag) {
  uint64_t v;
  if (!bc_varint(c, &v)) return false;
  *flag = v & 1;
  *out = v >> 1;
  return true;
}
static bool count_fits(bc_cursor_t *c, uint64_t n) {
  return n <= left(c) || bc_fail(c, "%llu elements announced, %zu bytes are left", (unsigned long long)n, left(c));
}
bool bc_count(bc_cursor_t *c, size_t *out) {
  uint64_t n;
  if (!bc_varint(c, &n) || !count_fits(c, n)) return false;
  *out = (size_t)n;
  return true;
}
bool bc_blob(bc_cursor_t *c, const uint8_t **out, size_t *out_n) {
  return bc_count(c, out_n) && bc_bytes(c, *out_n, out);
}
bool bc_bits(bc_cursor_t *c, unsigned width, uint64_t *out) {
  if (width > 64) return bc_fail(c, "a number of %u bits; up to 64 are supported", width);
  if (width <= 8) {
    uint8_t byte;
    if (!bc_byte(c, &byte)) return false;
    *out = byte;
  } else {
    int64_t v;
    if (!bc_svarint(c, &v)) return false;
    *out = (uint64_t)v;
  }
  if (width < 64) *out &= ((uint64_t)1 << width) - 1;
  return true;
}
bool bc_int_list(bc_cursor_t *c, int64_t **out, size_t *out_n) {
  if (!bc_count(c, out_n)) return false;
  *out = IREE_ARENA_ARRAY(&c->file->ctx->arena, int64_t, *out_n + 1);
  for (size_t i = 0; i < *out_n; ++i)
    if (!bc_svarint(c, *out + i)) return false;
  return true;
}
static bool string_at(bc_cursor_t *c, uint64_t index, iree_string_view_t *out) {
  if (index >= c->file->n_strings) return bc_fail(c, "no string %llu", (unsigned long long)index);
  *out = c->file->strings[index];
  return true;
}
bool bc_string(bc_cursor_t *c, iree_string_view_t *out) {
  uint64_t index;
  return bc_varint(c, &index) && string_at(c, index, out);
}
static bool c_string(bc_cursor_t *c, iree_string_view_t *out) {
  const uint8_t *nul = memchr(c->at, 0, left(c));
  if (!nul) return bc_fail(c, "text without an end");
  *out = iree_make_string_view((const char *)c->at, (size_t)(nul - c->at));
  c->at = nul + 1;
  return true;
}

// ---- sections
static bool align(bc_cursor_t *c, uint64_t alignment) {
  if (!alignment || alignment & (alignment - 1)) return bc_fail(c, "alignment %llu is no power of two", (unsigned long long)alignment);
  uint64_t at = (uint64_t)(c->at - c->file->begin), padding = (0 - at) & (alignment - 1);
  const uint8_t *skipped;
  return padding <= left(c) ? bc_bytes(c, (size_t)padding, &skipped) : bc_fail(c, "padding beyond the end");
}
bool bc_section(bc_cursor_t *c, unsigned *out_id, bc_cursor_t *out) {
  uint8_t id;
  uint64_t n, alignment;
  if (!bc_byte(c, &id) || !bc_varint(c, &n)) return false;
  if (id & 0x80 && (!bc_varint(c, &alignment) || !align(c, alignment))) return false;
  if (!count_fits(c, n)) return false;
  *out_id = id & 0x7F;
  *out = (bc_cursor_t){c->file, NULL, NULL};
  if (!bc_bytes(c, (size_t)n, &out->at)) return false;
  out->end = out->at + n;
  return true;
}

static bool strings(bc_cursor_t c) {
  bc_file_t *f = c.file;
  if (!bc_count(&c, &f->n_strings)) return false;
  f->strings = IREE_ARENA_ARRAY(&f->ctx->arena, iree_string_view_t, f->n_strings + 1);
  size_t total = 0;
  for (size_t i = f->n_strings; i-- > 0;) {
    uint64_t n;
    if (!bc_varint(&c, &n)) return false;
    if (!n || n > left(&c) || total + n > left(&c)) return bc_fail(&c, "the strings' sizes exceed their section");
    f->strings[i].size = (size_t)n - 1;
    total += (size_t)n;
  }
  if (total != left(&c)) return bc_fail(&c, "the strings' sizes do not fill their section");
  for (size_t i = 0; i < f->n_strings; ++i) {
    f->strings[i].data = (const char *)c.at;
    c.at += f->strings[i].size + 1;
    if (c.at[-1]) return bc_fail(&c, "a string without an end");
  }
  return true;
}

static bool dialect_at(bc_cursor_t *c, const bc_dialect_t **out) {
  uint64_t index;
  if (!bc_varint(c, &index)) return false;
  if (index >= c->file->n_dialects) return bc_fail(c, "no dialect %llu", (unsigned long long)index);
  *out = &c->file->dialects[index];
  return true;
}
static const ir_bytecode_dialect_t *facts_of(const ir_ctx_t *ctx, iree_string_view_t name) {
  if (iree_string_view_equal(name, IREE_SV("builtin"))) return &bc_builtin;
  for (size_t i = 0; i < ctx->tables.n_bytecode; ++i)
    if (iree_string_view_equal(name, iree_make_cstring_view(ctx->tables.bytecode[i].name))) return &ctx->tables.bytecode[i];
  return NULL;
}
static bool op_name(bc_cursor_t *c, const bc_dialect_t *dialect) {
  bc_file_t *f = c->file;
  uint64_t index;
  bool registered = true;
  iree_string_view_t name = {0};
  if (f->version >= BC_PROPERTIES ? !bc_flagged(c, &index, &registered) : !bc_varint(c, &index)) return false;
  if (!string_at(c, index, &name)) return false;
  size_t n = strlen(dialect->name);
  char *full = iree_arena_alloc(&f->ctx->arena, n + name.size + 2);
  memcpy(full, dialect->name, n);
  if (name.size) full[n++] = '.';
  memcpy(full + n, name.data, name.size);
  bc_op_name_t op = {ir_intern(f->ctx, full, n + name.size), dialect, registered};
  IREE_ARENA_PUSH(&f->ctx->arena, f->ops, f->n_ops, f->op_cap, op);
  return true;
}
static bool dialects(bc_cursor_t c) {
  bc_file_t *f = c.file;
  if (!bc_count(&c, &f->n_dialects)) return false;
  f->dialects = IREE_ARENA_ARRAY(&f->ctx->arena, bc_dialect_t, f->n_dialects + 1);
  for (size_t i = 0; i < f->n_dialects; ++i) {
    uint64_t index;
    bool versioned = false;
    iree_string_view_t name;
    if (f->version >= BC_DIALECT_VERSIONS ? !bc_flagged(&c, &index, &versioned) : !bc_varint(&c, &index)) return false;
    if (!string_at(&c, index, &name)) return false;
    f->dialects[i] = (bc_dialect_t){ir_intern(f->ctx, name.data, name.size), facts_of(f->ctx, name)};
    unsigned id;
    bc_cursor_t version;  // a dialect's version; its encodings tell their revisions apart by themselves
    if (versioned && !bc_section(&c, &id, &version)) return false;
    if (versioned && id != BC_VERSIONS) return bc_fail(&c, "expected a dialect's version");
  }
  size_t n_ops;
  if (f->version >= BC_ELIDED_LOCATIONS && !bc_count(&c, &n_ops)) return false;
  while (c.at < c.end) {
    const bc_dialect_t *dialect;
    size_t n;
    if (!dialect_at(&c, &dialect) || !bc_count(&c, &n)) return false;
    for (size_t i = 0; i < n; ++i)
      if (!op_name(&c, dialect)) return false;
  }
  return true;
}

// Both tables come grouped by dialect: per entry its size and whether its dialect encoded it.
static bool entry_sizes(bc_cursor_t *c, bc_cursor_t *data, bc_entry_t *entries, size_t n) {
  for (size_t i = 0; i < n;) {
    const bc_dialect_t *dialect;
    size_t group;
    if (!dialect_at(c, &dialect) || !bc_count(c, &group)) return false;
    if (group > n - i) return bc_fail(c, "more entries than announced");
    for (size_t k = 0; k < group; ++k, ++i) {
      uint64_t size;
      if (!bc_flagged(c, &size, &entries[i].custom)) return false;
      if (size > left(data)) return bc_fail(c, "an entry beyond the end of its section");
      entries[i].dialect = dialect;
      entries[i].n = (size_t)size;
      if (!bc_bytes(data, (size_t)size, &entries[i].data)) return false;
    }
  }
  return true;
}
static bool entries(bc_cursor_t c, bc_cursor_t data) {
  bc_file_t *f = c.file;
  if (!bc_count(&c, &f->n_attrs) || !bc_count(&c, &f->n_types)) return false;
  f->attrs = IREE_ARENA_ARRAY(&f->ctx->arena, bc_entry_t, f->n_attrs + 1);
  f->types = IREE_ARENA_ARRAY(&f->ctx->arena, bc_entry_t, f->n_types + 1);
  memset(f->attrs, 0, (f->n_attrs + 1) * sizeof *f->attrs);
  memset(f->types, 0, (f->n_types + 1) * sizeof *f->types);
  return entry_sizes(&c, &data, f->attrs, f->n_attrs) && entry_sizes(&c, &data, f->types, f->n_types) &&
         (c.at == c.end || bc_fail(&c, "data after the last entry"));
}

// ---- resources: blobs that dense_resource attributes name; other kinds are notes of tools
static bool resource(bc_cursor_t *c, bc_cursor_t *data, bool keep) {
  bc_file_t *f = c->file;
  enum { BLOB, BOOL, STRING };
  iree_string_view_t key;
  uint64_t size, alignment;
  uint8_t kind;
  if (!bc_string(c, &key) || !bc_varint(c, &size) || !bc_byte(c, &kind)) return false;
  if (kind > STRING) return bc_fail(c, "unknown kind %u of resource", kind);
  if (size > left(data)) return bc_fail(c, "a resource beyond the end of its section");
  bc_cursor_t value = {f, data->at, data->at + size};
  data->at += size;
  if (!keep) return true;
  const char *name = ir_intern(f->ctx, key.data, key.size);
  IREE_ARENA_PUSH(&f->ctx->arena, f->resources, f->n_resources, f->resource_cap, name);
  if (kind != BLOB || !size) return true;
  size_t n;
  const uint8_t *bytes;
  if (!bc_varint(&value, &alignment) || !bc_count(&value, &n) || !align(&value, alignment) || !bc_bytes(&value, n, &bytes)) return false;
  if ((uintptr_t)bytes % 16) bytes = (const uint8_t *)iree_arena_copy(&f->ctx->arena, bytes, n);
  ir_ctx_add_resource(f->ctx, name, bytes, n);
  return true;
}
static bool resources(bc_cursor_t c, bc_cursor_t data) {
  size_t n_external, n;
  if (!bc_count(&c, &n_external)) return false;
  for (size_t group = 0; c.at < c.end; ++group) {
    iree_string_view_t key;
    const bc_dialect_t *dialect;
    bool external = group < n_external;
    if (external ? !bc_string(&c, &key) : !dialect_at(&c, &dialect)) return false;
    if (!bc_count(&c, &n)) return false;
    for (size_t i = 0; i < n; ++i)
      if (!resource(&c, &data, !external)) return false;
  }
  return true;
}

static bool properties(bc_cursor_t c) {
  bc_file_t *f = c.file;
  size_t n;
  if (!bc_count(&c, &n)) return false;
  for (size_t i = 0; i < n; ++i) {
    bc_blob_ref_t blob;
    if (!bc_blob(&c, &blob.data, &blob.n)) return false;
    IREE_ARENA_PUSH(&f->ctx->arena, f->props, f->n_props, f->prop_cap, blob);
  }
  return c.at == c.end || bc_fail(&c, "data after the last properties");
}

// ---- file
static const char magic[4] = {'M', 'L', (char)0xEF, 'R'};
bool ir_is_bytecode(iree_string_view_t source) {
  return source.size >= sizeof magic && !memcmp(source.data, magic, sizeof magic);
}

static bool read_file(bc_cursor_t *c, ir_block_t *body) {
  static const char *const names[BC_N_SECTIONS] = {"string", "dialect", "attribute and type", "attribute and type size", "IR", "resource",
                                                   "resource size", "dialect version", "properties"};
  bc_file_t *f = c->file;
  bc_cursor_t sections[BC_N_SECTIONS] = {{0}};
  iree_string_view_t producer = {0};
  c->at += sizeof magic;
  if (!bc_varint(c, &f->version)) return false;
  if (f->version > BC_NEWEST)
    return bc_fail(c, "version %llu is newer than %d, the newest known here", (unsigned long long)f->version, BC_NEWEST);
  if (!c_string(c, &producer)) return false;
  f->producer = ir_intern(f->ctx, producer.data, producer.size);
  while (c->at < c->end) {
    unsigned id;
    bc_cursor_t section;
    if (!bc_section(c, &id, &section)) return false;
    if (id >= BC_N_SECTIONS) return bc_fail(c, "unknown section %u", id);
    if (sections[id].file) return bc_fail(c, "a second %s section", names[id]);
    sections[id] = section;
  }
  for (unsigned id = 0; id <= BC_OPS; ++id)
    if (!sections[id].file) return bc_fail(c, "the %s section is missing", names[id]);
  if (!sections[BC_RESOURCES].file != !sections[BC_RESOURCE_SIZES].file) return bc_fail(c, "one of the two resource sections is missing");
  return strings(sections[BC_STRINGS]) && (!sections[BC_PROPS].file || properties(sections[BC_PROPS])) &&
         dialects(sections[BC_DIALECTS]) &&
         (!sections[BC_RESOURCES].file || resources(sections[BC_RESOURCE_SIZES], sections[BC_RESOURCES])) &&
         entries(sections[BC_ENTRY_SIZES], sections[BC_ENTRIES]) && bc_read_ops(&sections[BC_OPS], body);
}

iree_status_t ir_read_bytecode(ir_ctx_t *ctx, iree_string_view_t source, const char *file_name, ir_op_t **out_module) {
  *out_module = NULL;
  bc_file_t *f = IREE_ARENA_NEW(&ctx->arena, bc_file_t);
  memset(f, 0, sizeof *f);
  f->ctx = ctx;
  f->begin = (const uint8_t *)source.data;
  f->end = f->begin + source.size;
  ir_kind_t module_kind = ir_kind_lookup(ctx, IREE_SV("builtin.module"));
  ir_op_t *top = ir_op_create(ctx, &(ir_op_desc_t){.kind = module_kind, .n_regions = 1, .loc = ir_loc_unknown(ctx)});
  ir_block_t *body = ir_block_create(ctx, top->regions[0]);
  bc_cursor_t c = {f, f->begin, f->end};
  if (!read_file(&c, body) || f->failed)
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "errors in '%s'", file_name);
  *out_module = top;
  if (body->first && body->first == body->last && body->first->kind == module_kind) {
    *out_module = body->first;
    ir_op_remove(*out_module);
  }
  return iree_ok_status();
}
