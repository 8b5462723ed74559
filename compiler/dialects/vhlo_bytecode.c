// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VHLO as portable artefacts store it -> StableHLO. Attributes and types convert as they are read; an op
// converts when all of it is there: its name loses the revision, attributes that StableHLO keeps in one
// structure are gathered, and those StableHLO leaves out by default are dropped. An older revision of an op
// lacks attributes of the newer one, which then have their default: the rules serve all revisions.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/hlo_bytecode.h"
#include "compiler/dialects/ops.h"
#include "compiler/ir/context.h"

// ---- types
static bool ranked(bc_cursor_t *c, bool with_encoding, ir_type_t *out) {
  ir_attr_t encoding = NULL;
  int64_t *dims;
  size_t rank;
  ir_type_t element;
  if ((with_encoding && !bc_attr(c, &encoding)) || !bc_int_list(c, &dims, &rank) || !bc_type(c, &element)) return false;
  return bc_tensor(c, dims, rank, element, encoding, out);
}
static bool function_type(bc_cursor_t *c, ir_type_t *out) {
  ir_type_t *in, *results;
  size_t n_in, n_results;
  if (!bc_types(c, &in, &n_in) || !bc_types(c, &results, &n_results)) return false;
  *out = ir_type_function(bc_ctx(c), in, n_in, results, n_results);
  return true;
}
static bool buffer_type(bc_cursor_t *c, ir_type_t *out) {
  int64_t *dims;
  size_t rank;
  ir_type_t element, tensor;
  // What a tensor may look like, a buffer may.
  if (!bc_int_list(c, &dims, &rank) || !bc_type(c, &element) || !bc_tensor(c, dims, rank, element, NULL, &tensor)) return false;
  *out = ir_type_memref(bc_ctx(c), ir_type_dims(tensor), rank, element, NULL, NULL);
  return true;
}
bool vhlo_read_type(bc_cursor_t *c, ir_type_t *out) {
  enum { COMPLEX = 1, FUNCTION = 8, TENSOR = 20, TENSOR_ENCODING = 21, TUPLE = 23, QUANTIZED = 24, UNRANKED = 25, QUANTIZED_AXIS = 30, BUFFER = 41, FUTURE = 42 };
  static const struct { uint64_t code; const char *text; } plain[] = {
#define VHLO_TYPE(code, text) {code, text},
#include "compiler/dialects/vhlo.def"
  };
  uint64_t code;
  ir_type_t inner, *members;
  size_t n;
  if (!bc_varint(c, &code)) return false;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
    if (plain[i].code == code) return bc_text(c, iree_make_cstring_view(plain[i].text), out);
  switch (code) {
    case COMPLEX:
      if (!bc_type(c, &inner)) return false;
      if (!ir_type_is_float(inner)) return bc_fail(c, "a complex type of no float");
      return *out = ir_type_complex(bc_ctx(c), inner), true;
    case FUNCTION: return function_type(c, out);
    case TENSOR: return ranked(c, false, out);
    case TENSOR_ENCODING: return ranked(c, true, out);
    case BUFFER: return buffer_type(c, out);
    case FUTURE: return hlo_read_future(c, out);
    case TUPLE: return bc_types(c, &members, &n) && (*out = ir_type_tuple(bc_ctx(c), members, n), true);
    case QUANTIZED: return quant_read_uniform(c, false, out);
    case QUANTIZED_AXIS: return quant_read_uniform(c, true, out);
    case UNRANKED:
      if (!bc_type(c, &inner)) return false;
      return *out = ir_term(bc_ctx(c), IR_T_UNRANKED_TENSOR, NULL, 0, &inner, 1, NULL, 0), true;
    default: return bc_fail(c, "unknown vhlo type code %" PRIu64, code);
  }
}

// ---- attributes
static bool dictionary(bc_cursor_t *c, ir_attr_t *out) {
  size_t n;
  if (!bc_count(c, &n)) return false;
  ir_attr_t *pairs = IREE_ARENA_ARRAY(ir_arena(bc_ctx(c)), ir_attr_t, 2 * n + 1);
  for (size_t i = 0; i < n; ++i) {
    if (!bc_attr(c, &pairs[2 * i]) || !bc_attr(c, &pairs[2 * i + 1])) return false;
    if (!ir_is(pairs[2 * i], IR_A_STRING)) return bc_fail(c, "a dictionary's name is no string");
  }
  *out = ir_attr_dict(bc_ctx(c), pairs, n);
  return true;
}
static bool number(bc_cursor_t *c, bool is_float, ir_attr_t *out) {
  ir_type_t type;
  uint64_t bits;
  if (!bc_type(c, &type)) return false;
  if (is_float ? !ir_type_is_float(type) : !ir_type_is_integer_like(type)) return bc_fail(c, "a number of a type that is none");
  if (!bc_bits(c, is_float ? ir_float_bits(ir_float_kind(type)) : ir_type_width(type), &bits)) return false;
  *out = is_float ? ir_attr_float_bits(bc_ctx(c), type, bits) : ir_attr_int(bc_ctx(c), type, (int64_t)bits);
  return true;
}
bool vhlo_read_attr(bc_cursor_t *c, ir_attr_t *out) {
  enum { ARRAY = 1, BOOLEAN = 2, API_VERSION = 5, DICTIONARY = 6, FLOAT = 8, INTEGER = 9, ALIAS = 10, STRING = 14, TENSOR = 15, TYPE = 17,
         EXTENSIONS = 18, ACCURACY = 20, SUB_AXIS = 21, AXIS_REF = 22, REPLICA_GROUPS = 23, MESH_AXIS = 24, MESH = 25 };
  uint64_t code, value;
  ir_attr_t *items;
  ir_type_t type;
  const uint8_t *data;
  size_t n;
  iree_string_view_t text;
  if (!bc_varint(c, &code) || !hlo_read_enum(c, code, true, out)) return false;
  if (*out) return true;
  switch (code) {
    case ARRAY: return bc_attrs(c, &items, &n) && (*out = ir_attr_array(bc_ctx(c), items, n), true);
    case BOOLEAN: return bc_varint(c, &value) && (*out = ir_attr_bool(bc_ctx(c), value != 0), true);
    case API_VERSION:
      if (!bc_varint(c, &value)) return false;
      if (value > 4) return bc_fail(c, "version %" PRIu64 " of the custom call interface", value);
      return *out = ir_attr_i32(bc_ctx(c), (int32_t)value), true;
    case DICTIONARY: return dictionary(c, out);
    case FLOAT: return number(c, true, out);
    case INTEGER: return number(c, false, out);
    case ALIAS: return hlo_read_alias(c, out);
    case STRING: return bc_string(c, &text) && (*out = ir_attr_string(bc_ctx(c), text.data, text.size), true);
    case TENSOR: return bc_type(c, &type) && bc_blob(c, &data, &n) && bc_dense(c, type, data, n, out);
    case TYPE: return bc_type(c, out);
    case EXTENSIONS: return hlo_read_bounds(c, out);
    case ACCURACY: return hlo_read_accuracy(c, out);
    case SUB_AXIS: return hlo_read_mesh(c, HLO_SUB_AXIS, true, out);
    case AXIS_REF: return hlo_read_mesh(c, HLO_AXIS_REF, true, out);
    case REPLICA_GROUPS: return hlo_read_mesh(c, HLO_REPLICA_GROUPS, true, out);
    case MESH_AXIS: return hlo_read_mesh(c, HLO_MESH_AXIS, true, out);
    case MESH: return hlo_read_mesh(c, HLO_MESH, true, out);
    default: return bc_fail(c, "unknown vhlo attribute code %" PRIu64, code);
  }
}

// ---- attributes of an op
static ir_attr_t *find(bc_op_t *op, const char *name) {
  for (size_t i = 0; i < op->n_attrs; ++i)
    if (!strcmp(op->attrs[i].name, name)) return &op->attrs[i].value;
  return NULL;
}
static ir_attr_t take(bc_op_t *op, const char *name) {
  ir_attr_t *at = find(op, name);
  if (!at) return NULL;
  ir_named_t *named = &op->attrs[0];
  while (&named->value != at) ++named;
  ir_attr_t value = *at;
  *named = op->attrs[--op->n_attrs];
  return value;
}
static void put(bc_cursor_t *c, bc_op_t *op, const char *name, ir_attr_t value) {
  ir_named_t named = {ir_intern(bc_ctx(c), name, strlen(name)), value};
  IREE_ARENA_PUSH(ir_arena(bc_ctx(c)), op->attrs, op->n_attrs, op->cap, named);
}
// A list of 64-bit numbers kept as a tensor; absent in older revisions: empty.
static bool take_list(bc_cursor_t *c, bc_op_t *op, const char *name, int64_t **out, size_t *out_n) {
  ir_attr_t a = take(op, name);
  *out = NULL;
  *out_n = 0;
  if (!a) return true;
  int64_t n = ir_is(a, IR_A_DENSE) ? ir_type_n_elements(ir_dense_type(a)) : -1;
  if (n < 0 || n > 65536 || !ir_type_is_int(ir_type_element(ir_dense_type(a)), 64)) return bc_fail(c, "'%s' of '%s' is no list of numbers", name, op->name);
  *out = IREE_ARENA_ARRAY(ir_arena(bc_ctx(c)), int64_t, n + 1);
  *out_n = (size_t)n;
  for (size_t i = 0; i < *out_n; ++i)
    memcpy(*out + i, (const char *)ir_dense_data(a) + (ir_dense_is_splat(a) ? 0 : 8 * i), 8);
  return true;
}
static bool take_number(bc_cursor_t *c, bc_op_t *op, const char *name, int64_t *out) {
  ir_attr_t a = take(op, name);
  if (!ir_is(a, IR_A_INT)) return bc_fail(c, "'%s' of '%s' is missing or no number", name, op->name);
  *out = ir_int(a, 0);
  return true;
}

// ---- attributes that StableHLO keeps in one
static bool gather_lists(bc_cursor_t *c, bc_op_t *op, const char *to, const char *structure, const char *const *lists, const char *index) {
  hlo_fields_t f = {.ctx = bc_ctx(c)};
  for (; *lists; ++lists) {
    int64_t *values;
    size_t n;
    if (!take_list(c, op, *lists, &values, &n)) return false;
    hlo_field_list(&f, *lists, values, n);
  }
  int64_t number = 0;
  if (index && !take_number(c, op, index, &number)) return false;
  if (number) hlo_field_number(&f, index, number);
  put(c, op, to, ir_attr_dialect(f.ctx, structure, f.at, f.n));
  return true;
}
static bool gather_conv(bc_cursor_t *c, bc_op_t *op) {
  static const char *const names[3][3] = {
      {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"},
      {"kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions"},
      {"output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"}};
  hlo_conv_dims_in_t dims[3];
  ir_attr_t attr;
  for (int i = 0; i < 3; ++i) {
    int64_t *spatial;
    if (!take_number(c, op, names[i][0], &dims[i].first) || !take_number(c, op, names[i][1], &dims[i].second) ||
        !take_list(c, op, names[i][2], &spatial, &dims[i].n_spatial))
      return false;
    dims[i].spatial = spatial;
  }
  if (!hlo_conv_attr(c, dims, &attr)) return false;
  put(c, op, "dimension_numbers", attr);
  return true;
}
static void gather_algorithm(bc_cursor_t *c, bc_op_t *op) {
  static const char *const names[] = {"lhs_precision_type", "rhs_precision_type", "accumulation_type", "lhs_component_count",
                                      "rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"};
  hlo_fields_t f = {.ctx = bc_ctx(c)};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    ir_attr_t value = take(op, names[i]);
    if (!value || value == ir_type_none(f.ctx)) continue;  // none stands for no algorithm
    hlo_field(&f, names[i], ir_is(value, IR_A_INT) ? ir_attr_i64(f.ctx, ir_int(value, 0)) : value);
  }
  if (f.n) put(c, op, "algorithm", ir_attr_dialect(f.ctx, "stablehlo.dot_algorithm", f.at, f.n));
}
static bool gather_structures(bc_cursor_t *c, bc_op_t *op, const char *base) {
  static const char *const dot[] = {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
                                    "rhs_contracting_dimensions", NULL};
  static const char *const gather[] = {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                                       "start_indices_batching_dims", "start_index_map", NULL};
  static const char *const scatter[] = {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                                        "scatter_indices_batching_dims", "scatter_dims_to_operand_dims", NULL};
  if (!strcmp(base, "convolution") || !strcmp(base, "dynamic_conv")) return gather_conv(c, op);
  if (!strcmp(base, "gather") || !strcmp(base, "dynamic_gather"))
    return gather_lists(c, op, "dimension_numbers", "stablehlo.gather", gather, "index_vector_dim");
  if (!strcmp(base, "scatter")) return gather_lists(c, op, "scatter_dimension_numbers", "stablehlo.scatter", scatter, "index_vector_dim");
  if (strcmp(base, "dot_general")) return true;
  gather_algorithm(c, op);
  return gather_lists(c, op, "dot_dimension_numbers", "stablehlo.dot", dot, NULL);
}

// ---- attributes of another kind in StableHLO
static bool to_symbol(bc_cursor_t *c, ir_attr_t *at) {
  if (!ir_is(*at, IR_A_STRING)) return bc_fail(c, "a symbol's name is no string");
  *at = ir_attr_sym(bc_ctx(c), ir_bytes(*at));
  return true;
}
static bool convert_kinds(bc_cursor_t *c, bc_op_t *op) {
  ir_attr_t *at;
  if ((at = find(op, "callee")) && !to_symbol(c, at)) return false;
  if ((at = find(op, "decomposition")) && !to_symbol(c, at)) return false;
  if ((at = find(op, "called_computations"))) {
    if (!ir_is(*at, IR_A_ARRAY)) return bc_fail(c, "called_computations is no list");
    size_t n = (*at)->n_kids;
    ir_attr_t *names = IREE_ARENA_ARRAY(ir_arena(bc_ctx(c)), ir_attr_t, n + 1);
    for (size_t i = 0; i < n; ++i) {
      names[i] = ir_kid(*at, i);
      if (!to_symbol(c, &names[i])) return false;
    }
    *at = ir_attr_array(bc_ctx(c), names, n);
  }
  static const char *const units[] = {"use_global_device_ids", "has_dynamic_root"};
  for (size_t i = 0; i < 2; ++i)
    if ((at = find(op, units[i])) && ir_is(*at, IR_A_BOOL) && ir_int(*at, 0)) *at = ir_attr_unit(bc_ctx(c));
  ir_attr_t channel = take(op, "channel_id"), type = take(op, "channel_type");
  if (ir_is(channel, IR_A_INT) && (type || ir_int(channel, 0))) {
    hlo_fields_t f = {.ctx = bc_ctx(c)};
    hlo_field_number(&f, "handle", ir_int(channel, 0));
    hlo_field_number(&f, "type", ir_is(type, IR_A_INT) ? ir_int(type, 0) : 0);
    put(c, op, "channel_handle", ir_attr_dialect(f.ctx, "stablehlo.channel_handle", f.at, f.n));
  }
  return true;
}

// ---- defaults
typedef enum { IS_EMPTY, IS_ZERO, IS_ONE, IS_LAST, IS_WORD } default_kind_t;
typedef struct default_row {
  const char *name;
  default_kind_t kind;
  const char *word;
} default_row_t;
static const default_row_t defaults[] = {
#define EMPTY IS_EMPTY, NULL
#define ZERO IS_ZERO, NULL
#define ONE IS_ONE, NULL
#define LAST IS_LAST, NULL
#define WORD(w) IS_WORD, w
#define VHLO_DEFAULT(name, ...) {name, __VA_ARGS__},
#include "compiler/dialects/vhlo.def"
#undef EMPTY
#undef ZERO
#undef ONE
#undef LAST
#undef WORD
};
static bool has_word(ir_attr_t a, const char *word) {
  if (ir_is(a, IR_A_ARRAY)) {
    for (uint32_t i = 0; i < a->n_kids; ++i)
      if (!has_word(ir_kid(a, i), word)) return false;
    return true;
  }
  const char *text = ir_is(a, IR_A_DIALECT) && a->n_kids && ir_is(ir_kid(a, 0), IR_A_KEYWORD) ? ir_bytes(ir_kid(a, 0)) : "";
  const char *blank = strrchr(text, ' ');
  return !strcmp(blank ? blank + 1 : text, word);
}
static bool all_are(ir_attr_t a, int64_t value) {
  if (ir_is(a, IR_A_INT) || ir_is(a, IR_A_BOOL)) return ir_int(a, 0) == value;
  if (!ir_is(a, IR_A_DENSE) || !ir_type_is_integer_like(ir_type_element(ir_dense_type(a)))) return false;
  size_t size = ir_type_storage_bytes(ir_type_element(ir_dense_type(a)));
  for (size_t at = 0; at + size <= ir_dense_bytes(a); at += size) {
    int64_t element = 0;
    memcpy(&element, (const char *)ir_dense_data(a) + at, size);
    if (element != value) return false;
  }
  return true;
}
static bool is_default(const char *name, ir_attr_t a) {
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; ++i) {
    const default_row_t *d = &defaults[i];
    if (strcmp(d->name, name)) continue;
    if (d->kind == IS_WORD) return has_word(a, d->word);
    if (d->kind != IS_EMPTY) return all_are(a, d->kind == IS_ZERO ? 0 : d->kind == IS_ONE ? 1 : -1);
    return ir_is(a, IR_A_STRING) ? !a->n_bytes : ir_is(a, IR_A_DENSE) ? !ir_type_n_elements(ir_dense_type(a)) : !a->n_kids;
  }
  return false;
}
// What is left must be an attribute of the StableHLO op, where it is not one that VHLO knows nothing of.
static bool drop_defaults(bc_cursor_t *c, bc_op_t *op, const char *stored_as, const char *stored) {
  ir_kind_t kind = ir_kind_lookup(bc_ctx(c), iree_make_cstring_view(op->name));
  if (!kind) return bc_fail(c, "'%s' has no counterpart '%s' here", stored_as, op->name);
  const ir_spec_t *spec = ir_spec(bc_ctx(c), kind);
  while (*stored) {
    size_t n = strcspn(stored, " ");
    const char *name = ir_intern(bc_ctx(c), stored, n);
    stored += n + strspn(stored + n, " ");
    ir_attr_t *at = find(op, name);
    if (!at) continue;
    int slot = ir_spec_attr_index(spec, name, n);
    bool optional = slot < 0 || spec->attrs[slot].optional || spec->attrs[slot].default_text;
    if (optional && is_default(name, *at)) take(op, name);
    else if (slot < 0) return bc_fail(c, "attribute '%s' of '%s' is not supported", name, stored_as);
  }
  return true;
}

// ---- ops
static const struct { const char *name, *attrs; } ops[] = {
#define VHLO_OP(name, attrs) {name, attrs},
#include "compiler/dialects/vhlo.def"
};
const char *vhlo_properties(const char *op_name) {
  op_name += strlen("vhlo.");
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (!strcmp(ops[i].name, op_name)) return ops[i].attrs;
  return NULL;
}
bool vhlo_convert(bc_cursor_t *c, bc_op_t *op) {
  const char *stored_as = op->name, *stored = vhlo_properties(stored_as);
  if (!stored) return bc_fail(c, "unknown op '%s'; export for an older version of StableHLO", stored_as);
  const char *name = stored_as + strlen("vhlo."), *end = strrchr(name, '_');
  char base[64], full[96];
  snprintf(base, sizeof base, "%.*s", (int)(end - name), name);
  bool in_func = !strcmp(base, "func") || !strcmp(base, "call") ||
                 (!strcmp(base, "return") && op->parent && op->parent->kind == OP_FUNC_FUNC);
  int n = snprintf(full, sizeof full, "%s.%s", in_func ? "func" : "stablehlo", base);
  op->name = ir_intern(bc_ctx(c), full, (size_t)n);
  if (!strcmp(name, "dynamic_conv_v1")) take(op, "padding");  // given by the operand
  return convert_kinds(c, op) && gather_structures(c, op, base) && drop_defaults(c, op, stored_as, stored);
}
