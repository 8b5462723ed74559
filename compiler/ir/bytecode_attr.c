// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries: attributes, types and locations by index, and the builtin dialect's own encodings.
#include <string.h>

#include "compiler/ir/bytecode_internal.h"
#include "compiler/ir/parse_internal.h"

// ---- entries
bool bc_text(bc_cursor_t *c, iree_string_view_t text, ir_attr_t *out) {
  *out = ir_parse_attr(c->file->ctx, text);
  return *out || bc_fail(c, "'%.*s' is no attribute or type", (int)(text.size > 200 ? 200 : text.size), text.data);
}

static bool entry_read(bc_cursor_t *c, bc_entry_t *e, bool is_type) {
  bc_cursor_t body = {c->file, e->data, e->data + e->n};
  const ir_term_t *value = NULL;
  if (!e->custom) {
    if (!e->n || e->data[e->n - 1]) return bc_fail(&body, "text without an end");
    if (!bc_text(&body, iree_make_string_view((const char *)e->data, e->n - 1), &value)) return false;
    body.at = body.end;
  } else {
    const ir_bytecode_dialect_t *facts = e->dialect->facts;
    if (!facts && !is_type) {
      // Of a framework's dialect, as `sdy`: read past; the input phase drops what it is attached to.
      char name[64];
      snprintf(name, sizeof name, "%.48s.unread", e->dialect->name);
      e->value = ir_attr_dialect(c->file->ctx, name, NULL, 0);
      return true;
    }
    if (!facts || (is_type ? !facts->type : !facts->attr))
      return bc_fail(&body, "the encoding of %s of dialect '%s' is not known; write the module as text instead",
                     is_type ? "types" : "attributes", e->dialect->name);
    if (is_type ? !facts->type(&body, &value) : !facts->attr(&body, &value)) return false;
  }
  if (body.at != body.end) return bc_fail(&body, "data after an entry of dialect '%s'", e->dialect->name);
  if (is_type && !ir_type_is_type(value)) return bc_fail(&body, "an attribute among the types");
  e->value = value;
  return true;
}
bool bc_entry_value(bc_cursor_t *c, bool is_type, uint64_t index, const ir_term_t **out) {
  bc_file_t *f = c->file;
  if (index >= (is_type ? f->n_types : f->n_attrs)) return bc_fail(c, "no %s %llu", is_type ? "type" : "attribute", (unsigned long long)index);
  bc_entry_t *e = is_type ? &f->types[index] : &f->attrs[index];
  if (!e->value) {
    if (e->busy) return bc_fail(c, "an entry that needs itself");
    if (f->depth == BC_MAX_DEPTH) return bc_fail(c, "entries nested deeper than %d", BC_MAX_DEPTH);
    e->busy = true;
    ++f->depth;
    bool ok = entry_read(c, e, is_type);
    --f->depth;
    e->busy = false;
    if (!ok) return false;
  }
  *out = e->value;
  return true;
}

static bool is_loc(const ir_term_t *t) { return t->kind >= IR_L_UNKNOWN && t->kind <= IR_L_FUSED; }
static bool attr_or_loc(bc_cursor_t *c, ir_attr_t *out) {
  uint64_t index;
  return bc_varint(c, &index) && bc_entry_value(c, false, index, out);
}
// Text has no locations among attributes, so nothing that is read may have them.
static bool no_loc(bc_cursor_t *c, ir_attr_t attr) {
  return !attr || !is_loc(attr) || bc_fail(c, "a location in the place of an attribute");
}
bool bc_attr(bc_cursor_t *c, ir_attr_t *out) { return attr_or_loc(c, out) && no_loc(c, *out); }
bool bc_attr_optional(bc_cursor_t *c, ir_attr_t *out) {
  uint64_t index;
  bool present;
  *out = NULL;
  return bc_flagged(c, &index, &present) &&
         (!present || (bc_entry_value(c, false, index, out) && no_loc(c, *out)));
}
bool bc_type(bc_cursor_t *c, ir_type_t *out) {
  uint64_t index;
  return bc_varint(c, &index) && bc_entry_value(c, true, index, out);
}
bool bc_loc(bc_cursor_t *c, ir_loc_t *out) {
  return attr_or_loc(c, out) && (is_loc(*out) || bc_fail(c, "expected a location"));
}
static bool list(bc_cursor_t *c, bool (*one)(bc_cursor_t *, const ir_term_t **), const ir_term_t ***out, size_t *out_n) {
  if (!bc_count(c, out_n)) return false;
  *out = IREE_ARENA_ARRAY(&c->file->ctx->arena, const ir_term_t *, *out_n + 1);
  for (size_t i = 0; i < *out_n; ++i)
    if (!one(c, *out + i)) return false;
  return true;
}
bool bc_attrs(bc_cursor_t *c, ir_attr_t **out, size_t *out_n) { return list(c, bc_attr, out, out_n); }
bool bc_types(bc_cursor_t *c, ir_type_t **out, size_t *out_n) { return list(c, bc_type, out, out_n); }

// ---- dense elements
static bool dense_bools(bc_cursor_t *c, ir_type_t type, int64_t count, const uint8_t *data, size_t n, ir_attr_t *out) {
  ir_ctx_t *ctx = c->file->ctx;
  bool splat = n == 1 && count != 1 && (data[0] == 0xFF || data[0] == 0 || count > 8);
  bool packed = !splat && n == ((uint64_t)count + 7) / 8 && (n != (uint64_t)count || n == 1);
  if (!splat && !packed && n != (uint64_t)count) return bc_fail(c, "%zu bytes for %lld booleans", n, (long long)count);
  size_t elements = splat ? 1 : (size_t)count;
  uint8_t *bytes = iree_arena_alloc(&ctx->arena, elements + 1);
  for (size_t i = 0; i < elements; ++i) bytes[i] = (uint8_t)(packed ? data[i / 8] >> (i % 8) & 1 : data[i] != 0);
  *out = ir_attr_dense(ctx, type, bytes, elements, splat, false);
  return true;
}
bool bc_dense(bc_cursor_t *c, ir_type_t type, const uint8_t *data, size_t n, ir_attr_t *out) {
  if (!ir_type_is_shaped(type)) return bc_fail(c, "dense elements need a tensor or vector type");
  ir_type_t element = ir_type_element(type);
  ir_type_t part = ir_is(element, IR_T_COMPLEX) ? ir_kid(element, 0) : element;
  int64_t count = ir_type_n_elements(type);
  if (count < 0) return bc_fail(c, "dense elements need a static shape");
  if (!ir_type_is_float(part) && !ir_type_is_integer_like(part)) return bc_fail(c, "dense elements of this type are not supported");
  if (ir_type_width(part) > 64) return bc_fail(c, "elements wider than 64 bits are not supported");
  if (ir_type_is_int(element, 1)) return dense_bools(c, type, count, data, n, out);
  size_t size = ir_type_storage_bytes(element);
  bool splat = n == size && count != 1;
  if (!splat && ((uint64_t)count > n || n != size * (size_t)count))
    return bc_fail(c, "%zu bytes for %lld elements of %zu", n, (long long)count, size);
  *out = ir_attr_dense(c->file->ctx, type, n ? data : NULL, n, splat, (uintptr_t)data % 8 != 0 || n <= 256);
  return true;
}

// ---- builtin attributes
static bool string_attr(bc_cursor_t *c, ir_attr_t *out) {
  return bc_attr(c, out) && (ir_is(*out, IR_A_STRING) || bc_fail(c, "expected a string"));
}
static bool read_string(bc_cursor_t *c, ir_attr_t *out) {
  iree_string_view_t text;
  if (!bc_string(c, &text)) return false;
  *out = ir_attr_string(c->file->ctx, text.data, text.size);
  return true;
}
static bool read_array(bc_cursor_t *c, ir_attr_t *out) {
  ir_attr_t *items;
  size_t n;
  if (!bc_attrs(c, &items, &n)) return false;
  *out = ir_attr_array(c->file->ctx, items, n);
  return true;
}
static bool read_dict(bc_cursor_t *c, ir_attr_t *out) {
  size_t n;
  if (!bc_count(c, &n)) return false;
  ir_attr_t *pairs = IREE_ARENA_ARRAY(&c->file->ctx->arena, ir_attr_t, 2 * n + 1);
  for (size_t i = 0; i < n; ++i)
    if (!string_attr(c, &pairs[2 * i]) || !bc_attr(c, &pairs[2 * i + 1])) return false;
  *out = ir_attr_dict(c->file->ctx, pairs, n);
  return true;
}
static bool read_symref(bc_cursor_t *c, bool nested, ir_attr_t *out) {
  ir_attr_t root, *inner = NULL;
  size_t n = 0;
  if (!string_attr(c, &root) || (nested && !bc_attrs(c, &inner, &n))) return false;
  const char **parts = IREE_ARENA_ARRAY(&c->file->ctx->arena, const char *, n + 1);
  parts[0] = ir_bytes(root);
  for (size_t i = 0; i < n; ++i) {
    if (!ir_is(inner[i], IR_A_SYMREF) || inner[i]->n_kids != 1) return bc_fail(c, "expected a symbol's name");
    parts[i + 1] = ir_bytes(ir_kid(inner[i], 0));
  }
  *out = ir_attr_symref(c->file->ctx, parts, n + 1);
  return true;
}
static bool read_int(bc_cursor_t *c, ir_attr_t *out) {
  ir_type_t type;
  uint64_t bits;
  if (!bc_type(c, &type)) return false;
  if (!ir_type_is_integer_like(type)) return bc_fail(c, "an integer of a type that is none");
  if (!bc_bits(c, ir_type_width(type), &bits)) return false;
  *out = type == ir_type_i(c->file->ctx, 1) ? ir_attr_bool(c->file->ctx, bits & 1) : ir_attr_int(c->file->ctx, type, (int64_t)bits);
  return true;
}
static bool read_float(bc_cursor_t *c, ir_attr_t *out) {
  ir_type_t type;
  uint64_t bits;
  if (!bc_type(c, &type)) return false;
  if (!ir_type_is_float(type)) return bc_fail(c, "a float of a type that is none");
  if (!bc_bits(c, ir_float_bits(ir_float_kind(type)), &bits)) return false;
  *out = ir_attr_float_bits(c->file->ctx, type, bits);
  return true;
}
static bool read_resource(bc_cursor_t *c, ir_attr_t *out) {
  bc_file_t *f = c->file;
  ir_type_t type;
  uint64_t index;
  if (!bc_type(c, &type) || !bc_varint(c, &index)) return false;
  if (index >= f->n_resources) return bc_fail(c, "no resource %llu", (unsigned long long)index);
  if (!ir_type_is_shaped(type)) return bc_fail(c, "a resource of a type without shape");
  *out = ir_term(f->ctx, IR_A_RESOURCE, NULL, 0, &type, 1, f->resources[index], strlen(f->resources[index]));
  return true;
}
static bool read_dense_array(bc_cursor_t *c, ir_attr_t *out) {
  ir_type_t element;
  uint64_t count;
  const uint8_t *data;
  size_t n;
  if (!bc_type(c, &element) || !bc_varint(c, &count) || !bc_blob(c, &data, &n)) return false;
  if (!ir_type_is_float(element) && !ir_type_is_integer_like(element)) return bc_fail(c, "an array of a type that is no number");
  size_t size = ir_type_storage_bytes(element);
  if (size > 8 || count > n || count * size != n) return bc_fail(c, "%zu bytes for %llu elements of %zu", n, (unsigned long long)count, size);
  int64_t *values = IREE_ARENA_ARRAY(&c->file->ctx->arena, int64_t, count + 1);
  for (size_t i = 0; i < count; ++i) {
    uint64_t v = 0;
    memcpy(&v, data + i * size, size);
    unsigned width = (unsigned)size * 8;
    bool is_signed = ir_is(element, IR_T_INTEGER) && ir_type_width(element) > 1 && ir_int_sign(element) != IR_UNSIGNED;
    values[i] = is_signed ? (int64_t)(v << (64 - width)) >> (64 - width) : (int64_t)v;
  }
  *out = ir_attr_dense_array(c->file->ctx, element, values, (size_t)count);
  return true;
}
static bool read_dense(bc_cursor_t *c, ir_attr_t *out) {
  ir_type_t type;
  const uint8_t *data;
  size_t n;
  return bc_type(c, &type) && bc_blob(c, &data, &n) && bc_dense(c, type, data, n, out);
}

// ---- affine maps: expressions in prefix order
static bool read_expr(bc_cursor_t *c, size_t n_dims, size_t n_syms, int depth, ir_expr_t *out) {
  enum { DIM, SYM, CONST, ADD, MUL, MOD, FLOORDIV, CEILDIV };
  static const ir_term_kind_t kinds[] = {[ADD] = IR_E_ADD, [MUL] = IR_E_MUL, [MOD] = IR_E_MOD, [FLOORDIV] = IR_E_FLOORDIV, [CEILDIV] = IR_E_CEILDIV};
  uint64_t kind, position;
  int64_t value;
  ir_expr_t lhs, rhs;
  if (depth == BC_MAX_DEPTH) return bc_fail(c, "expressions nested deeper than %d", BC_MAX_DEPTH);
  if (!bc_varint(c, &kind)) return false;
  if (kind > CEILDIV) return bc_fail(c, "unknown kind %llu of affine expression", (unsigned long long)kind);
  if (kind == CONST) return bc_svarint(c, &value) && (*out = ir_expr_const(c->file->ctx, value), true);
  if (kind == DIM || kind == SYM) {
    if (!bc_varint(c, &position)) return false;
    if (position >= (kind == DIM ? n_dims : n_syms)) return bc_fail(c, "no affine dimension or symbol %llu", (unsigned long long)position);
    *out = kind == DIM ? ir_expr_dim(c->file->ctx, (size_t)position) : ir_expr_sym(c->file->ctx, (size_t)position);
    return true;
  }
  if (!read_expr(c, n_dims, n_syms, depth + 1, &lhs) || !read_expr(c, n_dims, n_syms, depth + 1, &rhs)) return false;
  if (kind > MUL && ir_is(rhs, IR_E_CONST) && ir_int(rhs, 0) <= 0) return bc_fail(c, "an affine division by %lld", (long long)ir_int(rhs, 0));
  *out = ir_expr_binary(c->file->ctx, kinds[kind], lhs, rhs);
  return true;
}
static bool read_map(bc_cursor_t *c, ir_attr_t *out) {
  enum { IDENTITY, PERMUTATION, PROJECTION, GENERAL, MAX_DIMS = 1 << 10 };
  uint64_t header, n_syms = 0, position;
  if (!bc_varint(c, &header)) return false;
  uint64_t n_dims = header >> 2, n = n_dims;
  unsigned kind = header & 3;
  if (kind == GENERAL && !bc_varint(c, &n_syms)) return false;
  if (kind >= PROJECTION && !bc_varint(c, &n)) return false;
  if (n_dims > MAX_DIMS || n_syms > MAX_DIMS || n > MAX_DIMS) return bc_fail(c, "an affine map of more than %d dimensions", MAX_DIMS);
  ir_expr_t *results = IREE_ARENA_ARRAY(&c->file->ctx->arena, ir_expr_t, n + 1);
  for (uint64_t i = 0; i < n; ++i) {
    if (kind == GENERAL) {
      if (!read_expr(c, (size_t)n_dims, (size_t)n_syms, 0, &results[i])) return false;
      continue;
    }
    position = i;
    if (kind != IDENTITY && !bc_varint(c, &position)) return false;
    if (position >= n_dims) return bc_fail(c, "no affine dimension %llu", (unsigned long long)position);
    results[i] = ir_expr_dim(c->file->ctx, (size_t)position);
  }
  *out = ir_attr_map(c->file->ctx, (size_t)n_dims, (size_t)n_syms, results, (size_t)n);
  return true;
}

// ---- builtin locations
static bool read_file_loc(bc_cursor_t *c, bool range, ir_attr_t *out) {
  ir_attr_t file;
  uint64_t numbers[4] = {0};
  size_t n = 2;
  if (!string_attr(c, &file) || (range && !bc_count(c, &n))) return false;
  if (n > 4) return bc_fail(c, "a location of %zu numbers", n);
  for (size_t i = 0; i < n; ++i)
    if (!bc_varint(c, &numbers[i])) return false;
  if (numbers[0] > INT32_MAX || numbers[1] > INT32_MAX) return bc_fail(c, "a line or column beyond 32 bits");
  *out = ir_loc_file(c->file->ctx, ir_bytes(file), (int64_t)numbers[0], (int64_t)numbers[1]);
  return true;
}
static bool read_callsite(bc_cursor_t *c, ir_attr_t *out) {
  ir_loc_t kids[2];
  if (!bc_loc(c, &kids[0]) || !bc_loc(c, &kids[1])) return false;
  *out = ir_term(c->file->ctx, IR_L_CALLSITE, NULL, 0, kids, 2, NULL, 0);
  return true;
}
static bool read_fused(bc_cursor_t *c, bool with_metadata, ir_attr_t *out) {
  ir_loc_t *locs;
  size_t n;
  if (!list(c, bc_loc, &locs, &n)) return false;
  const ir_term_t **kids = IREE_ARENA_ARRAY(&c->file->ctx->arena, const ir_term_t *, n + 1);
  kids[0] = NULL;
  memcpy(kids + 1, locs, n * sizeof *kids);
  if (with_metadata && !bc_attr(c, &kids[0])) return false;
  *out = ir_term(c->file->ctx, IR_L_FUSED, NULL, 0, kids, n + 1, NULL, 0);
  return true;
}
static bool read_name_loc(bc_cursor_t *c, ir_attr_t *out) {
  ir_attr_t name;
  ir_loc_t child;
  if (!string_attr(c, &name) || !bc_loc(c, &child)) return false;
  if (child == ir_loc_unknown(c->file->ctx)) child = NULL;
  *out = ir_term(c->file->ctx, IR_L_NAME, NULL, 0, &child, 1, ir_bytes(name), name->n_bytes);
  return true;
}

enum {  // codes of the builtin dialect's attributes
  A_ARRAY, A_DICT, A_STRING, A_STRING_TYPED, A_FLAT_SYMREF, A_SYMREF, A_TYPE, A_UNIT, A_INT, A_FLOAT, L_CALLSITE,
  L_FILE, L_FUSED, L_FUSED_METADATA, L_NAME, L_UNKNOWN, A_RESOURCE, A_DENSE_ARRAY, A_DENSE, A_DENSE_STRINGS,
  A_SPARSE, A_DISTINCT, L_FILE_RANGE, A_MAP
};
static bool builtin_attr(bc_cursor_t *c, ir_attr_t *out) {
  uint64_t code;
  ir_type_t type;
  if (!bc_varint(c, &code)) return false;
  switch (code) {
    case A_ARRAY: return read_array(c, out);
    case A_DICT: return read_dict(c, out);
    case A_STRING: return read_string(c, out);
    case A_STRING_TYPED: return read_string(c, out) && bc_type(c, &type);
    case A_FLAT_SYMREF: return read_symref(c, false, out);
    case A_SYMREF: return read_symref(c, true, out);
    case A_TYPE: return bc_type(c, out);
    case A_UNIT: return *out = ir_attr_unit(c->file->ctx), true;
    case A_INT: return read_int(c, out);
    case A_FLOAT: return read_float(c, out);
    case L_CALLSITE: return read_callsite(c, out);
    case L_FILE: return read_file_loc(c, false, out);
    case L_FILE_RANGE: return read_file_loc(c, true, out);
    case L_FUSED: return read_fused(c, false, out);
    case L_FUSED_METADATA: return read_fused(c, true, out);
    case L_NAME: return read_name_loc(c, out);
    case L_UNKNOWN: return *out = ir_loc_unknown(c->file->ctx), true;
    case A_MAP: return read_map(c, out);
    case A_RESOURCE: return read_resource(c, out);
    case A_DENSE_ARRAY: return read_dense_array(c, out);
    case A_DENSE: return read_dense(c, out);
    case A_DENSE_STRINGS: return bc_fail(c, "dense elements of strings are not supported");
    case A_SPARSE: return bc_fail(c, "sparse elements are not supported; write them dense");
    case A_DISTINCT: return bc_fail(c, "distinct attributes are not supported");
    default: return bc_fail(c, "unknown builtin attribute code %llu", (unsigned long long)code);
  }
}

// ---- builtin types
static bool read_int_type(bc_cursor_t *c, ir_type_t *out) {
  uint64_t v;
  if (!bc_varint(c, &v)) return false;
  if ((v & 3) > IR_UNSIGNED || !(v >> 2) || v >> 2 > 0xFFFFFF) return bc_fail(c, "an integer type of %llu bits", (unsigned long long)(v >> 2));
  *out = ir_type_int(c->file->ctx, (unsigned)(v >> 2), (ir_sign_t)(v & 3));
  return true;
}
static bool read_function_type(bc_cursor_t *c, ir_type_t *out) {
  ir_type_t *in, *results;
  size_t n_in, n_results;
  if (!bc_types(c, &in, &n_in) || !bc_types(c, &results, &n_results)) return false;
  *out = ir_type_function(c->file->ctx, in, n_in, results, n_results);
  return true;
}
static bool shape_fits(bc_cursor_t *c, const int64_t *dims, size_t rank, ir_type_t element) {
  if (rank > P_MAX_RANK) return bc_fail(c, "a shape of rank %zu", rank);
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] < 0 && dims[i] != IR_DYNAMIC) return bc_fail(c, "extent %lld", (long long)dims[i]);
  if (!p_is_countable(dims, rank)) return bc_fail(c, "more elements than 64 bits can count");
  if (ir_type_is_shaped(element) || ir_is(element, IR_T_FUNCTION) || ir_is(element, IR_T_TUPLE) || ir_is(element, IR_T_NONE))
    return bc_fail(c, "a shaped type of elements that cannot be");
  return true;
}
bool bc_tensor(bc_cursor_t *c, const int64_t *dims, size_t rank, ir_type_t element, ir_attr_t encoding, ir_type_t *out) {
  if (!shape_fits(c, dims, rank, element)) return false;
  *out = ir_type_tensor(c->file->ctx, dims, rank, element, encoding);
  return true;
}
static bool read_shaped(bc_cursor_t *c, ir_term_kind_t kind, bool with_attr, ir_type_t *out) {
  ir_ctx_t *ctx = c->file->ctx;
  ir_attr_t attr = NULL, layout = NULL;
  ir_type_t element;
  int64_t *dims;
  size_t rank;
  if ((with_attr && !bc_attr(c, &attr)) || !bc_int_list(c, &dims, &rank) || !bc_type(c, &element) || !shape_fits(c, dims, rank, element)) return false;
  if (kind == IR_T_MEMREF && !bc_attr(c, &layout)) return false;
  if (ir_is(layout, IR_A_MAP) && ir_map_is_identity(layout)) layout = NULL;
  if (kind == IR_T_VECTOR)
    for (size_t i = 0; i < rank; ++i)
      if (dims[i] < 1) return bc_fail(c, "a vector of extent %lld", (long long)dims[i]);
  if (kind == IR_T_TENSOR) return bc_tensor(c, dims, rank, element, attr, out);
  *out = kind == IR_T_MEMREF ? ir_type_memref(ctx, dims, rank, element, layout, attr) : ir_type_vector(ctx, dims, rank, element);
  return true;
}
static bool read_unranked(bc_cursor_t *c, ir_term_kind_t kind, bool with_space, ir_type_t *out) {
  ir_attr_t kids[2] = {NULL, NULL};
  if ((with_space && !bc_attr(c, &kids[1])) || !bc_type(c, &kids[0])) return false;
  *out = ir_term(c->file->ctx, kind, NULL, 0, kids, kind == IR_T_UNRANKED_MEMREF ? 2 : 1, NULL, 0);
  return true;
}
static bool read_tuple(bc_cursor_t *c, ir_type_t *out) {
  ir_type_t *members;
  size_t n;
  if (!bc_types(c, &members, &n)) return false;
  *out = ir_type_tuple(c->file->ctx, members, n);
  return true;
}

enum {  // codes of the builtin dialect's types
  T_INT, T_INDEX, T_FUNCTION, T_BF16, T_F16, T_F32, T_F64, T_F80, T_F128, T_COMPLEX, T_MEMREF, T_MEMREF_SPACE, T_NONE,
  T_TENSOR, T_TENSOR_ENCODING, T_TUPLE, T_UNRANKED_MEMREF, T_UNRANKED_MEMREF_SPACE, T_UNRANKED_TENSOR, T_VECTOR,
  T_VECTOR_SCALABLE, T_FIRST_NARROW
};
static bool builtin_type(bc_cursor_t *c, ir_type_t *out) {
  ir_ctx_t *ctx = c->file->ctx;
  static const uint8_t narrow[] = {IR_TF32, IR_F8E5M2, IR_F8E4M3, IR_F8E4M3FN, IR_F8E5M2FNUZ, IR_F8E4M3FNUZ, IR_F8E4M3B11FNUZ,
                                   IR_F8E3M4, IR_F4E2M1FN, IR_F6E2M3FN, IR_F6E3M2FN, IR_F8E8M0FNU};
  uint64_t code;
  if (!bc_varint(c, &code)) return false;
  if (code >= T_FIRST_NARROW && code - T_FIRST_NARROW < sizeof narrow)
    return *out = ir_type_float(ctx, (ir_float_t)narrow[code - T_FIRST_NARROW]), true;
  switch (code) {
    case T_INT: return read_int_type(c, out);
    case T_INDEX: return *out = ir_type_index(ctx), true;
    case T_FUNCTION: return read_function_type(c, out);
    case T_BF16: return *out = ir_type_float(ctx, IR_BF16), true;
    case T_F16: return *out = ir_type_float(ctx, IR_F16), true;
    case T_F32: return *out = ir_type_float(ctx, IR_F32), true;
    case T_F64: return *out = ir_type_float(ctx, IR_F64), true;
    case T_F80: return *out = ir_type_float(ctx, IR_F80), true;
    case T_F128: return *out = ir_type_float(ctx, IR_F128), true;
    case T_COMPLEX: {
      ir_type_t element;
      if (!bc_type(c, &element)) return false;
      if (!ir_type_is_float(element) && !ir_is(element, IR_T_INTEGER)) return bc_fail(c, "a complex type of no number");
      return *out = ir_type_complex(ctx, element), true;
    }
    case T_MEMREF: return read_shaped(c, IR_T_MEMREF, false, out);
    case T_MEMREF_SPACE: return read_shaped(c, IR_T_MEMREF, true, out);
    case T_NONE: return *out = ir_type_none(ctx), true;
    case T_TENSOR: return read_shaped(c, IR_T_TENSOR, false, out);
    case T_TENSOR_ENCODING: return read_shaped(c, IR_T_TENSOR, true, out);
    case T_TUPLE: return read_tuple(c, out);
    case T_UNRANKED_MEMREF: return read_unranked(c, IR_T_UNRANKED_MEMREF, false, out);
    case T_UNRANKED_MEMREF_SPACE: return read_unranked(c, IR_T_UNRANKED_MEMREF, true, out);
    case T_UNRANKED_TENSOR: return read_unranked(c, IR_T_UNRANKED_TENSOR, false, out);
    case T_VECTOR: return read_shaped(c, IR_T_VECTOR, false, out);
    case T_VECTOR_SCALABLE: return bc_fail(c, "vectors of scalable extents are not supported");
    default: return bc_fail(c, "unknown builtin type code %llu", (unsigned long long)code);
  }
}

const ir_bytecode_dialect_t bc_builtin = {.name = "builtin", .attr = builtin_attr, .type = builtin_type};
