// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes and types as the stablehlo dialect encodes them, and the table of dialects known in bytecode.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/hlo_bytecode.h"
#include "compiler/dialects/ops.h"

// ---- building blocks
void hlo_field(hlo_fields_t *f, const char *name, ir_attr_t value) {
  ir_attr_t kids[2] = {ir_attr_keyword(f->ctx, name), value};
  if (f->n < HLO_MAX_FIELDS) f->at[f->n++] = ir_term(f->ctx, IR_A_PARAM, NULL, 0, kids, 2, NULL, 0);
}
void hlo_field_number(hlo_fields_t *f, const char *name, int64_t value) { hlo_field(f, name, ir_attr_i64(f->ctx, value)); }
static ir_attr_t list_of(ir_ctx_t *ctx, const int64_t *values, size_t n) {
  ir_attr_t *items = IREE_ARENA_ARRAY(ir_arena(ctx), ir_attr_t, n + 1);
  for (size_t i = 0; i < n; ++i) items[i] = ir_attr_i64(ctx, values[i]);
  return ir_attr_array(ctx, items, n);
}
void hlo_field_list(hlo_fields_t *f, const char *name, const int64_t *values, size_t n) {
  if (n) hlo_field(f, name, list_of(f->ctx, values, n));
}

// Text of the spatial numbers and the two letters at their places.
static bool conv_side(bc_cursor_t *c, const hlo_conv_dims_in_t *d, const char *letters, char *out, size_t cap) {
  enum { MAX_RANK = 32 };
  int at[MAX_RANK];
  size_t rank = d->n_spatial + 2, n = 0;
  if (rank > MAX_RANK) return bc_fail(c, "a convolution of %zu dimensions", rank);
  for (size_t i = 0; i < rank; ++i) at[i] = -1;
  for (size_t i = 0; i < rank; ++i) {
    int64_t place = i == 0 ? d->first : i == 1 ? d->second : d->spatial[i - 2];
    if (place < 0 || (uint64_t)place >= rank || at[place] >= 0) return bc_fail(c, "dimension %" PRId64 " of a convolution", place);
    at[place] = (int)i;
  }
  for (size_t i = 0; i < rank; ++i) {
    const char *comma = i ? ", " : "";
    n += (size_t)(at[i] < 2 ? snprintf(out + n, cap - n, "%s%c", comma, letters[at[i]]) : snprintf(out + n, cap - n, "%s%d", comma, at[i] - 2));
  }
  return true;
}
bool hlo_conv_attr(bc_cursor_t *c, const hlo_conv_dims_in_t dims[3], ir_attr_t *out) {
  char sides[3][160], text[600];
  static const char *const letters[3] = {"bf", "io", "bf"};
  for (int i = 0; i < 3; ++i)
    if (!conv_side(c, &dims[i], letters[i], sides[i], sizeof sides[i])) return false;
  int n = snprintf(text, sizeof text, "#stablehlo.conv<[%s]x[%s]->[%s]>", sides[0], sides[1], sides[2]);
  return bc_text(c, iree_make_string_view(iree_arena_copy(ir_arena(bc_ctx(c)), text, (size_t)n + 1), (size_t)n), out);
}

typedef struct enum_row {
  uint8_t vhlo, stablehlo;
  const char *kind;
  uint32_t first;
  const char *words;
} enum_row_t;
static const enum_row_t enums[] = {
#define HLO_ENUM(vhlo, stablehlo, kind, first, words) {vhlo, stablehlo, kind, first, words},
#include "compiler/dialects/vhlo.def"
};
bool hlo_read_enum(bc_cursor_t *c, uint64_t code, bool versioned, ir_attr_t *out) {
  *out = NULL;
  for (size_t i = 0; i < sizeof enums / sizeof *enums; ++i) {
    if (code != (versioned ? enums[i].vhlo : enums[i].stablehlo)) continue;
    uint64_t value;
    if (!bc_varint(c, &value)) return false;
    const char *word = enums[i].words;
    for (uint64_t k = enums[i].first; *word && k < value; ++k) word += strcspn(word, " "), word += *word == ' ';
    if (value < enums[i].first || !*word) return bc_fail(c, "value %" PRIu64 " of enum '%s'", value, enums[i].kind);
    char text[96];
    int n = snprintf(text, sizeof text, "#stablehlo<%s %.*s>", enums[i].kind, (int)strcspn(word, " "), word);
    return bc_text(c, iree_make_string_view(iree_arena_copy(ir_arena(bc_ctx(c)), text, (size_t)n + 1), (size_t)n), out);
  }
  return true;
}

bool hlo_read_alias(bc_cursor_t *c, ir_attr_t *out) {
  int64_t *outputs, *operands, operand;
  size_t n_outputs, n_operands;
  if (!bc_int_list(c, &outputs, &n_outputs) || !bc_svarint(c, &operand) || !bc_int_list(c, &operands, &n_operands)) return false;
  hlo_fields_t f = {.ctx = bc_ctx(c)};
  hlo_field(&f, "output_tuple_indices", list_of(f.ctx, outputs, n_outputs));
  hlo_field_number(&f, "operand_index", operand);
  hlo_field(&f, "operand_tuple_indices", list_of(f.ctx, operands, n_operands));
  *out = ir_attr_dialect(f.ctx, "stablehlo.output_operand_alias", f.at, f.n);
  return true;
}
bool hlo_read_accuracy(bc_cursor_t *c, ir_attr_t *out) {
  uint64_t tolerance[2];
  int64_t ulps;
  ir_attr_t mode;
  if (!bc_bits(c, 64, &tolerance[0]) || !bc_bits(c, 64, &tolerance[1]) || !bc_svarint(c, &ulps) || !bc_attr(c, &mode)) return false;
  *out = mode;
  if (!tolerance[0] && !tolerance[1] && !ulps && ir_is(mode, IR_A_DIALECT)) {
    ir_attr_t word = mode->n_kids ? ir_kid(mode, 0) : NULL;
    if (ir_is(word, IR_A_KEYWORD) && strstr(ir_bytes(word), "DEFAULT")) return true;
  }
  ir_type_t f64 = ir_type_float(bc_ctx(c), IR_F64);
  hlo_fields_t f = {.ctx = bc_ctx(c)};
  if (tolerance[0]) hlo_field(&f, "atol", ir_attr_float_bits(f.ctx, f64, tolerance[0]));
  if (tolerance[1]) hlo_field(&f, "rtol", ir_attr_float_bits(f.ctx, f64, tolerance[1]));
  if (ulps) hlo_field_number(&f, "ulps", ulps);
  hlo_field(&f, "mode", mode);
  *out = ir_attr_dialect(f.ctx, "stablehlo.result_accuracy", f.at, f.n);
  return true;
}
bool hlo_read_bounds(bc_cursor_t *c, ir_attr_t *out) {
  int64_t *bounds;
  size_t n, at = 0;
  if (!bc_int_list(c, &bounds, &n)) return false;
  char *text = iree_arena_alloc(ir_arena(bc_ctx(c)), 24 + 24 * n);
  at += (size_t)sprintf(text, "#stablehlo.bounds<");
  for (size_t i = 0; i < n; ++i)
    at += (size_t)(bounds[i] < 0 ? sprintf(text + at, "%s?", i ? ", " : "") : sprintf(text + at, "%s%" PRId64, i ? ", " : "", bounds[i]));
  at += (size_t)sprintf(text + at, ">");
  return bc_text(c, iree_make_string_view(text, at), out);
}

// ---- structures of the plain dialect
static bool read_lists(bc_cursor_t *c, const char *name, const char *const *lists, const char *number, ir_attr_t *out) {
  hlo_fields_t f = {.ctx = bc_ctx(c)};
  for (; *lists; ++lists) {
    int64_t *values;
    size_t n;
    if (!bc_int_list(c, &values, &n)) return false;
    hlo_field_list(&f, *lists, values, n);
  }
  int64_t value = 0;
  if (number && !bc_svarint(c, &value)) return false;
  if (value) hlo_field_number(&f, number, value);
  *out = ir_attr_dialect(f.ctx, name, f.at, f.n);
  return true;
}
static bool read_channel(bc_cursor_t *c, ir_attr_t *out) {
  int64_t handle, type;
  if (!bc_svarint(c, &handle) || !bc_svarint(c, &type)) return false;
  hlo_fields_t f = {.ctx = bc_ctx(c)};
  hlo_field_number(&f, "handle", handle);
  hlo_field_number(&f, "type", type);
  *out = ir_attr_dialect(f.ctx, "stablehlo.channel_handle", f.at, f.n);
  return true;
}
static bool read_conv(bc_cursor_t *c, ir_attr_t *out) {
  hlo_conv_dims_in_t dims[3];
  for (int i = 0; i < 3; ++i) {
    int64_t *spatial;
    if (!bc_svarint(c, &dims[i].first) || !bc_svarint(c, &dims[i].second) || !bc_int_list(c, &spatial, &dims[i].n_spatial)) return false;
    dims[i].spatial = spatial;
  }
  return hlo_conv_attr(c, dims, out);
}
static bool read_algorithm(bc_cursor_t *c, ir_attr_t *out) {
  static const char *const types[] = {"lhs_precision_type", "rhs_precision_type", "accumulation_type"};
  static const char *const counts[] = {"lhs_component_count", "rhs_component_count", "num_primitive_operations"};
  hlo_fields_t f = {.ctx = bc_ctx(c)};
  uint8_t flag;
  for (int i = 0; i < 3; ++i) {
    ir_type_t type;
    if (!bc_type(c, &type)) return false;
    hlo_field(&f, types[i], type);
  }
  for (int i = 0; i < 3; ++i) {
    int64_t count;
    if (!bc_svarint(c, &count)) return false;
    hlo_field_number(&f, counts[i], count);
  }
  if (!bc_byte(c, &flag)) return false;
  hlo_field(&f, "allow_imprecise_accumulation", ir_attr_bool(f.ctx, flag));
  *out = ir_attr_dialect(f.ctx, "stablehlo.dot_algorithm", f.at, f.n);
  return true;
}

bool stablehlo_read_attr(bc_cursor_t *c, ir_attr_t *out) {
  enum { CHANNEL = 1, CONV = 4, DOT = 5, GATHER = 7, SCATTER = 11, EXTENSIONS = 13, ALIAS = 14, ALGORITHM = 15, ACCURACY = 17, REPLICA_GROUPS = 18, MESH = 22 };
  static const char *const dot[] = {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                                    "rhs_contracting_dimensions", NULL};
  static const char *const gather[] = {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                                       "start_indices_batching_dims", "start_index_map", NULL};
  static const char *const scatter[] = {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                                        "scatter_indices_batching_dims", "scatter_dims_to_operand_dims", NULL};
  uint64_t code;
  if (!bc_varint(c, &code) || !hlo_read_enum(c, code, false, out)) return false;
  if (*out) return true;
  switch (code) {
    case CHANNEL: return read_channel(c, out);
    case CONV: return read_conv(c, out);
    case DOT: return read_lists(c, "stablehlo.dot", dot, NULL, out);
    case GATHER: return read_lists(c, "stablehlo.gather", gather, "index_vector_dim", out);
    case SCATTER: return read_lists(c, "stablehlo.scatter", scatter, "index_vector_dim", out);
    case EXTENSIONS: return hlo_read_bounds(c, out);
    case ALIAS: return hlo_read_alias(c, out);
    case ALGORITHM: return read_algorithm(c, out);
    case ACCURACY: return hlo_read_accuracy(c, out);
    case REPLICA_GROUPS: case REPLICA_GROUPS + 1: case REPLICA_GROUPS + 2: case REPLICA_GROUPS + 3: case MESH:
      return hlo_read_mesh(c, (hlo_mesh_kind_t)(code - REPLICA_GROUPS), false, out);
    default: return bc_fail(c, "unknown stablehlo attribute code %" PRIu64, code);
  }
}
bool hlo_read_future(bc_cursor_t *c, ir_type_t *out) {
  ir_type_t *members;
  size_t n;
  if (!bc_types(c, &members, &n)) return false;
  for (size_t i = 0; i < n; ++i)
    if (!ir_is(members[i], IR_T_TENSOR)) return bc_fail(c, "a future of no tensor");
  *out = ir_type_dialect(bc_ctx(c), "stablehlo.future", members, n);
  return true;
}
bool stablehlo_read_type(bc_cursor_t *c, ir_type_t *out) {
  enum { FUTURE = 1 };
  uint64_t code;
  if (!bc_varint(c, &code)) return false;
  if (code == FUTURE) return hlo_read_future(c, out);
  return code ? bc_fail(c, "unknown stablehlo type code %" PRIu64, code) : bc_text(c, IREE_SV("!stablehlo.token"), out);
}

const ir_bytecode_dialect_t dialect_bytecode[] = {
    {.name = "stablehlo", .attr = stablehlo_read_attr, .type = stablehlo_read_type},
    {.name = "quant", .type = quant_read_type},
    {.name = "vhlo", .attr = vhlo_read_attr, .type = vhlo_read_type, .properties = vhlo_properties, .convert = vhlo_convert},
    {.name = "func"},
    {.name = "arith"},
    {.name = "math"},
    {.name = "chlo"},
    {.name = "cf"},
    {.name = "complex"},
    {.name = "scf"},
    {.name = "tensor"},
    {.name = "linalg"},
};
const size_t dialect_n_bytecode = sizeof dialect_bytecode / sizeof *dialect_bytecode;
