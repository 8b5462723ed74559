// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the rows of stablehlo_rules.def, and what check functions share.
#include "compiler/dialects/stablehlo_verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/context.h"
#include "compiler/ir/printer.h"

typedef long long ll;
enum { SHAPE = 1, ELEM = 2, TYPE = SHAPE | ELEM, ARGS = 4 };

typedef struct rule {
  const char *operands, *results;
  unsigned relations;
  const char *ranges;
  hlo_check_t check;
} rule_t;
static const rule_t rules[OP_COUNT] = {
#define RULE(SYM, operands, results, relations, ranges, check) \
  [OP_##SYM] = {operands, results, relations, ranges, check},
#include "compiler/dialects/stablehlo_rules.def"
#undef RULE
};

// ---- types by the letters of a row
static char letter_of(const ir_op_t *op, ir_type_t element) {
  switch ((int)element->kind) {
    case IR_T_INTEGER: {
      unsigned width = ir_type_width(element);
      bool is_unsigned = ir_int_sign(element) == IR_UNSIGNED;
      if (ir_int_sign(element) == IR_SIGNED || width > 64 || (width & (width - 1))) return 0;
      if (width == 1) return is_unsigned ? 0 : 'p';
      return is_unsigned ? 'u' : 'i';
    }
    case IR_T_INDEX: return 'x';
    case IR_T_FLOAT:
      return ir_float_kind(element) == IR_F80 || ir_float_kind(element) == IR_F128 ? 0 : 'f';
    case IR_T_COMPLEX: {
      ir_type_t part = ir_kid(element, 0);
      bool fits = ir_type_is_float(part) &&
                  (ir_float_kind(part) == IR_F32 || ir_float_kind(part) == IR_F64);
      return fits ? 'c' : 0;
    }
    case IR_T_DIALECT:
      return !hlo_is_quantized(element) ? 0 : hlo_is_per_axis(op, element) ? 'Q' : 'q';
    default: return 0;
  }
}
static bool has_letter(const char *word, char letter) {
  for (; *word && *word != ' '; ++word) {
    const char *set = *word == '*' ? "pifucq" : *word == '+' ? "pifucqQ" : NULL;
    if (*word == letter || (set && strchr(set, letter))) return true;
  }
  return false;
}
static bool element_fits(const ir_op_t *op, const char *word, ir_type_t element) {
  char letter = letter_of(op, element);
  if (!letter) return false;
  if (has_letter(word, letter)) return true;
  if (letter == 'f' && has_letter(word, 'F'))
    return ir_float_kind(element) == IR_F32 || ir_float_kind(element) == IR_F64;
  return (letter == 'i' && has_letter(word, 'w') && ir_type_width(element) == 32) ||
         (letter == 'u' && has_letter(word, 'W') && ir_type_width(element) == 32);
}
static char kind_of(ir_type_t type) {  // of types that are no tensors
  if (ir_type_is(type, "stablehlo.token")) return 't';
  if (ir_type_is(type, "stablehlo.future")) return 'a';
  if (ir_is(type, IR_T_TUPLE)) return 'T';
  if (ir_is(type, IR_T_MEMREF)) return 'm';
  return ir_is(type, IR_T_UNRANKED_TENSOR) ? 'r' : 0;
}

static const char *const letter_texts[] = {
    "pi1",           "iinteger",     "uunsigned integer",       "ffloat",
    "Ff32 or f64",   "ccomplex",     "qper-tensor quantized",   "Qper-axis quantized",
    "xindex",        "wi32",         "Wui32",
};
static const char *expected(const ir_op_t *op, const char *word) {
  char text[256];
  size_t n = 0;
  for (size_t i = 0; i < sizeof letter_texts / sizeof *letter_texts; ++i)
    if (has_letter(word, letter_texts[i][0]))
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", letter_texts[i] + 1);
  text[n] = 0;
  iree_arena_t *arena = ir_arena(ir_op_ctx(op));
  char *out = IREE_ARENA_ARRAY(arena, char, n + 1);
  memcpy(out, text, n + 1);
  return out;
}
// "; stablehlo.dynamic_iota takes ...": of ops that have such a sibling.
static const char *dynamic_form(const ir_op_t *op) {
  char name[64];
  char *out = IREE_ARENA_ARRAY(ir_arena(ir_op_ctx(op)), char, 128);
  snprintf(name, sizeof name, "stablehlo.dynamic_%.40s", strchr(ir_op_name(op), '.') + 1);
  if (!ir_kind_lookup(ir_op_ctx(op), iree_make_cstring_view(name))) return "";
  snprintf(out, 128, "; %s takes a shape at run time", name);
  return out;
}
static iree_status_t check_type(const ir_op_t *op, const char *word, const char *what,
                                const char *name, ir_type_t type) {
  if (!ir_is(type, IR_T_TENSOR)) {
    char kind = kind_of(type);
    if (kind && has_letter(word, kind)) return iree_ok_status();
    if (!*expected(op, word))
      return ir_op_error(op, "%s '%s' is %s, which cannot stand here", what, name, hlo_text(op, type));
    return ir_op_error(op, "%s '%s' is %s; it must be a ranked tensor", what, name,
                       hlo_text(op, type));
  }
  const char *wrong = quant_type_check(ir_op_ctx(op), type);
  if (wrong) return ir_op_error(op, "%s '%s' is %s; its element type %s", what, name, hlo_text(op, type), wrong);
  if (!element_fits(op, word, ir_type_element(type))) {
    if (!*expected(op, word))
      return ir_op_error(op, "%s '%s' is %s, which cannot stand here", what, name, hlo_text(op, type));
    return ir_op_error(op, "%s '%s' is %s; its element type must be %s%s", what, name,
                       hlo_text(op, type), expected(op, word),
                       letter_of(op, ir_type_element(type)) ? "" : ", of a width that StableHLO has");
  }
  size_t rank = ir_type_rank(type);
  if (rank > HLO_MAX_RANK)
    return ir_op_error(op, "%s '%s' has %zu dimensions, more than %d", what, name, rank, HLO_MAX_RANK);
  for (const char *p = word; *p && *p != ' '; ++p) {
    if (*p >= '0' && *p <= '2' && rank != (size_t)(*p - '0'))
      return ir_op_error(op, "%s '%s' is %s; it must have rank %c", what, name, hlo_text(op, type), *p);
    if (*p == '!' && !ir_type_is_static(type))
      return ir_op_error(op, "%s '%s' is %s; it must have a static shape%s", what, name, hlo_text(op, type),
                         dynamic_form(op));
    size_t bounded = 0;
    for (size_t i = 0; *p == '~' && i < rank; ++i) {
      bounded += ir_type_dim(type, i) == IR_DYNAMIC;
      if (hlo_bound(type, i) == IR_DYNAMIC)
        return ir_op_error(op, "%s '%s' is %s; it must have a static shape or one bounded dimension%s", what,
                           name, hlo_text(op, type), dynamic_form(op));
    }
    if (bounded > 1)
      return ir_op_error(op, "%s '%s' is %s; only one of its dimensions can be bounded", what, name,
                         hlo_text(op, type));
  }
  return iree_ok_status();
}
static const char *next_word(const char *word) {
  const char *space = strchr(word, ' ');
  return space ? space + 1 : word;
}
static iree_status_t check_types(ir_op_t *op, const rule_t *rule) {
  const char *word = rule->operands;
  for (size_t g = 0; g < op->spec->n_operands; ++g, word = next_word(word)) {
    ir_group_t group = ir_operand_group_at(op, g);
    for (uint32_t i = 0; i < group.n; ++i)
      IREE_RETURN_IF_ERROR(check_type(op, word, "operand", op->spec->operands[g].name,
                                      hlo_in(op, group.first + i)));
  }
  word = rule->results;
  for (size_t g = 0; g < op->spec->n_results; ++g, word = next_word(word)) {
    ir_group_t group = ir_result_group(op, op->spec->results[g].name);
    for (uint32_t i = 0; i < group.n; ++i)
      IREE_RETURN_IF_ERROR(check_type(op, word, "result", op->spec->results[g].name,
                                      hlo_out(op, group.first + i)));
  }
  return iree_ok_status();
}

static iree_status_t check_relations(ir_op_t *op, unsigned relations) {
  uint32_t n = op->n_operands + (relations & (SHAPE | ELEM) ? op->n_results : 0);
  if (!n) return iree_ok_status();
  ir_type_t first = op->n_operands ? hlo_in(op, 0) : hlo_out(op, 0);
  for (uint32_t i = 1; i < n; ++i) {
    bool is_result = i >= op->n_operands;
    ir_type_t type = is_result ? hlo_out(op, i - op->n_operands) : hlo_in(op, i);
    if (relations & SHAPE && !hlo_shapes_agree(first, type))
      return ir_op_error(op, "needs operands and results of one shape, has %s and %s",
                         hlo_text(op, first), hlo_text(op, type));
    bool same_element = relations & ELEM || (relations & ARGS && !is_result);
    if (same_element && !hlo_elements_agree(op, ir_type_element(first), ir_type_element(type)))
      return ir_op_error(op, "needs %s of one element type, has %s and %s",
                         relations & ELEM ? "operands and results" : "operands",
                         hlo_text(op, first), hlo_text(op, type));
  }
  return iree_ok_status();
}

static iree_status_t check_ranges(ir_op_t *op, const char *ranges) {
  while (*ranges) {
    size_t n = strcspn(ranges, ">");
    bool positive = ranges[n + 1] != '=';
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)n, ranges);
    int64_t value = ir_op_int(op, name, 1);
    if (value < positive)
      return ir_op_error(op, "attribute '%s' is %lld; it must be %s", name, (ll)value,
                         positive ? "positive" : "0 or more");
    ranges += strcspn(ranges, " ");
    ranges += strspn(ranges, " ");
  }
  return iree_ok_status();
}

iree_status_t hlo_verify(ir_op_t *op) {
  const rule_t *rule = &rules[op->kind];
  if (!rule->operands) return iree_ok_status();
  IREE_RETURN_IF_ERROR(check_types(op, rule));
  IREE_RETURN_IF_ERROR(check_relations(op, rule->relations));
  IREE_RETURN_IF_ERROR(check_ranges(op, rule->ranges));
  return rule->check ? rule->check(op) : iree_ok_status();
}

// ---- texts
const char *hlo_name(const ir_op_t *op, size_t g) { return op->spec->operands[g].name; }
const char *hlo_region_name(const ir_op_t *op, size_t r) {
  return op->spec->regions[r < op->spec->n_regions ? r : op->spec->n_regions - 1];
}
const char *hlo_text(const ir_op_t *op, const ir_term_t *term) {
  return ir_print_term_to(ir_arena(ir_op_ctx(op)), term);
}
const char *hlo_shape_text(const ir_op_t *op, const int64_t *dims, size_t rank) {
  char *out = IREE_ARENA_ARRAY(ir_arena(ir_op_ctx(op)), char, 24 * rank + 3);
  size_t n = 0;
  out[n++] = '[';
  for (size_t i = 0; i < rank; ++i)
    n += dims[i] == IR_DYNAMIC ? (size_t)sprintf(out + n, "%s?", i ? ", " : "")
                               : (size_t)sprintf(out + n, "%s%lld", i ? ", " : "", (ll)dims[i]);
  out[n++] = ']';
  out[n] = 0;
  return out;
}

// ---- types that agree
static ir_attr_t bounds_of(ir_type_t type) {
  ir_attr_t encoding = ir_is(type, IR_T_TENSOR) ? ir_kid(type, 1) : NULL;
  bool is = ir_is(encoding, IR_A_DIALECT) && (!strcmp(ir_bytes(encoding), "stablehlo.bounds") ||
                                              !strcmp(ir_bytes(encoding), "stablehlo.type_extensions"));
  return is ? encoding : NULL;
}
int64_t hlo_bound(ir_type_t type, size_t i) {
  int64_t dim = ir_type_dim(type, i);
  ir_attr_t bounds = dim == IR_DYNAMIC ? bounds_of(type) : NULL;
  if (!bounds) return dim;
  if (bounds->n_kids == 1 && ir_is(ir_kid(bounds, 0), IR_A_PARAM)) {  // bounds = [3, ?]
    ir_attr_t list = ir_kid(ir_kid(bounds, 0), 1);
    bool is = ir_is(list, IR_A_ARRAY) && i < list->n_kids && ir_is(ir_kid(list, i), IR_A_INT);
    return is ? ir_int(ir_kid(list, i), 0) : dim;
  }
  bool is = i < bounds->n_kids && ir_is(ir_kid(bounds, i), IR_A_INT);
  return is ? ir_int(ir_kid(bounds, i), 0) : dim;
}
bool hlo_shapes_agree(ir_type_t a, ir_type_t b) {
  if (!ir_is(a, IR_T_TENSOR) || !ir_is(b, IR_T_TENSOR)) return a->kind != b->kind || a == b;
  if (ir_type_rank(a) != ir_type_rank(b)) return false;
  for (size_t i = 0; i < ir_type_rank(a); ++i) {
    int64_t x = ir_type_dim(a, i), y = ir_type_dim(b, i);
    if (!hlo_agree(x, y)) return false;
    if (x == IR_DYNAMIC && y != IR_DYNAMIC && hlo_bound(a, i) != IR_DYNAMIC && hlo_bound(a, i) < y)
      return false;
    if (y == IR_DYNAMIC && x != IR_DYNAMIC && hlo_bound(b, i) != IR_DYNAMIC && hlo_bound(b, i) < x)
      return false;
  }
  return true;
}
bool hlo_is_quantized(ir_type_t type) { return quant_is(ir_type_element(type)); }
bool hlo_quant(const ir_op_t *op, ir_type_t type, quant_type_t *out) {
  return hlo_is_quantized(type) && !quant_type_read(ir_op_ctx(op), ir_type_element(type), out);
}
bool hlo_is_per_axis(const ir_op_t *op, ir_type_t type) {
  quant_type_t q;
  return hlo_quant(op, type, &q) && q.axis >= 0;
}
bool hlo_elements_agree(const ir_op_t *op, ir_type_t a, ir_type_t b) {
  quant_type_t p, q;
  return a == b || (hlo_quant(op, a, &p) && hlo_quant(op, b, &q) && quant_same_baseline(&p, &q));
}
bool hlo_types_agree(const ir_op_t *op, ir_type_t a, ir_type_t b) {
  if (a == b) return true;
  if (!ir_is(a, IR_T_TENSOR) || !ir_is(b, IR_T_TENSOR)) return false;
  return hlo_shapes_agree(a, b) && hlo_elements_agree(op, ir_type_element(a), ir_type_element(b));
}
bool hlo_promotes(const ir_op_t *op, ir_type_t from, ir_type_t to) {
  if (from == to) return true;
  quant_type_t p, q;
  if (hlo_quant(op, from, &p) && hlo_quant(op, to, &q))
    return p.expressed == q.expressed && ir_int_sign(p.storage) == ir_int_sign(q.storage) &&
           ir_type_width(p.storage) <= ir_type_width(q.storage);
  if (from->kind != to->kind) return false;
  if (ir_is(from, IR_T_INTEGER))
    return ir_int_sign(from) == ir_int_sign(to) && ir_type_width(from) <= ir_type_width(to);
  return (ir_is(from, IR_T_FLOAT) || ir_is(from, IR_T_COMPLEX)) &&
         ir_type_width(from) <= ir_type_width(to);
}

// ---- results
iree_status_t hlo_expect_shape(ir_op_t *op, size_t i, const int64_t *dims, size_t rank) {
  ir_type_t have = hlo_out(op, i);
  bool same = ir_type_rank(have) == rank;
  for (size_t k = 0; same && k < rank; ++k) same = hlo_agree(ir_type_dim(have, k), dims[k]);
  if (same) return iree_ok_status();
  return ir_op_error(op, "result %zu is %s; its shape follows as %s", i, hlo_text(op, have),
                     hlo_shape_text(op, dims, rank));
}
iree_status_t hlo_expect_element(ir_op_t *op, size_t i, ir_type_t element) {
  ir_type_t have = hlo_out(op, i);
  if (hlo_elements_agree(op, ir_type_element(have), element)) return iree_ok_status();
  return ir_op_error(op, "result %zu is %s; its element type follows as %s", i, hlo_text(op, have),
                     hlo_text(op, element));
}
iree_status_t hlo_expect_type(ir_op_t *op, size_t i, ir_type_t type) {
  if (hlo_types_agree(op, hlo_out(op, i), type)) return iree_ok_status();
  return ir_op_error(op, "result %zu is %s; its type follows as %s", i, hlo_text(op, hlo_out(op, i)),
                     hlo_text(op, type));
}

// ---- lists of numbers
iree_status_t hlo_check_list(ir_op_t *op, const char *name, size_t n, int64_t low, int64_t high) {
  ir_attr_t list = ir_op_attr(op, name);
  if (!list) return iree_ok_status();
  if (list->n_ints != n)
    return ir_op_error(op, "attribute '%s' has %u entries; it must have %zu", name, list->n_ints, n);
  for (uint32_t i = 0; i < n; ++i) {
    int64_t value = ir_int(list, i);
    if (value < low)
      return ir_op_error(op, "attribute '%s' has %lld at %u; the least is %lld", name, (ll)value, i,
                         (ll)low);
    if (value >= high)
      return ir_op_error(op, "attribute '%s' has %lld at %u; it must be below %lld", name, (ll)value,
                         i, (ll)high);
  }
  return iree_ok_status();
}
iree_status_t hlo_check_dims(ir_op_t *op, const char *what, const hlo_dims_t *dims, size_t rank,
                             bool sorted) {
  for (size_t i = 0; i < dims->n; ++i) {
    if (dims->at[i] < 0 || dims->at[i] >= (int64_t)rank)
      return ir_op_error(op, "'%s' names dimension %lld of rank %zu", what, (ll)dims->at[i], rank);
    for (size_t k = 0; k < i; ++k)
      if (dims->at[k] == dims->at[i])
        return ir_op_error(op, "'%s' names dimension %lld twice", what, (ll)dims->at[i]);
    if (sorted && i && dims->at[i] < dims->at[i - 1])
      return ir_op_error(op, "'%s' has %lld after %lld; it must be sorted", what, (ll)dims->at[i],
                         (ll)dims->at[i - 1]);
  }
  return iree_ok_status();
}
iree_status_t hlo_check_dim(ir_op_t *op, const char *name, int64_t dim, size_t rank) {
  if (dim >= 0 && dim < (int64_t)rank) return iree_ok_status();
  return ir_op_error(op, "'%s' is %lld; the tensor has %zu dimension%s", name, (ll)dim, rank,
                     rank == 1 ? "" : "s");
}
int hlo_constant_ints(const ir_value_t *v, int64_t *out, size_t cap) {
  const ir_op_t *def = ir_def(v);
  if (!def || !ir_op_has_trait(def, IR_CONSTANT)) return -1;
  ir_attr_t value = ir_op_attr(def, "value");
  if (!ir_is(value, IR_A_DENSE) || !ir_is(ir_type_element(ir_dense_type(value)), IR_T_INTEGER))
    return -1;
  int64_t n = ir_type_n_elements(ir_dense_type(value));
  size_t size = ir_type_storage_bytes(ir_type_element(ir_dense_type(value)));
  bool is_unsigned = ir_int_sign(ir_type_element(ir_dense_type(value))) == IR_UNSIGNED;
  if (n < 0 || (size_t)n > cap || size > 8) return -1;
  const char *data = ir_dense_data(value);
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, data + (ir_dense_is_splat(value) ? 0 : (size_t)i * size), size);
    unsigned unused = 64 - 8 * (unsigned)size;
    out[i] = is_unsigned ? (int64_t)bits : (int64_t)(bits << unused) >> unused;
  }
  return (int)n;
}

// ---- element by element
iree_status_t hlo_check_real_part(ir_op_t *op) {
  ir_type_t element = ir_type_element(hlo_in(op, 0));
  return hlo_expect_element(op, 0, ir_is(element, IR_T_COMPLEX) ? ir_kid(element, 0) : element);
}
// #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>
iree_status_t hlo_check_accuracy(ir_op_t *op) {
  ir_attr_t a = ir_op_attr(op, "result_accuracy");
  if (!a) return iree_ok_status();
  const char *text = hlo_text(op, a), *at;
  if (!strstr(text, "mode = ") || strstr(text, "TOLERANCE")) return iree_ok_status();
  static const char *const names[] = {"atol = ", "rtol = ", "ulps = "};
  for (size_t i = 0; i < 3; ++i)
    if ((at = strstr(text, names[i])) && strtod(at + 7, NULL) != 0)
      return ir_op_error(op, "has a tolerance of %g in 'result_accuracy'; only mode TOLERANCE takes one",
                         strtod(at + 7, NULL));
  return iree_ok_status();
}
// Quantised sums may differ in scales and in what of their storage they use.
iree_status_t hlo_check_add(ir_op_t *op) {
  ir_type_t to = hlo_out(op, 0);
  quant_type_t q, t;
  bool quantized = hlo_quant(op, to, &t);
  for (uint32_t i = 0; i < 2; ++i) {
    ir_type_t from = hlo_in(op, i);
    if (hlo_quant(op, from, &q) != quantized)
      return ir_op_error(op, "needs operands and result all quantized or none, has %s and %s", hlo_text(op, from),
                         hlo_text(op, to));
    if (quantized ? q.storage != t.storage || q.expressed != t.expressed : ir_type_element(from) != ir_type_element(to))
      return ir_op_error(op, "needs operands and results of one element type, has %s and %s", hlo_text(op, from),
                         hlo_text(op, to));
    if (quantized && q.axis >= 0 && q.axis != t.axis)
      return ir_op_error(op, "has a quantized axis of operand %u, %lld, that the result has not", i, (ll)q.axis);
  }
  return iree_ok_status();
}
iree_status_t hlo_check_complex(ir_op_t *op) {
  return hlo_expect_element(op, 0, ir_type_complex(ir_op_ctx(op), ir_type_element(hlo_in(op, 0))));
}
static iree_status_t check_scalar_or(ir_op_t *op, uint32_t i, ir_type_t type) {
  if (!ir_type_rank(hlo_in(op, i)) || hlo_shapes_agree(hlo_in(op, i), type)) return iree_ok_status();
  return ir_op_error(op, "operand '%s' is %s; it must be a scalar or of the shape of %s",
                     op->spec->operands[i].name, hlo_text(op, hlo_in(op, i)), hlo_text(op, type));
}
iree_status_t hlo_check_clamp(ir_op_t *op) {
  IREE_RETURN_IF_ERROR(check_scalar_or(op, 0, hlo_in(op, 1)));
  IREE_RETURN_IF_ERROR(check_scalar_or(op, 2, hlo_in(op, 1)));
  return hlo_expect_type(op, 0, hlo_in(op, 1));
}
iree_status_t hlo_check_select(ir_op_t *op) {
  ir_type_t on_true = hlo_in(op, 1), on_false = hlo_in(op, 2);
  if (!hlo_types_agree(op, on_true, on_false))
    return ir_op_error(op, "needs two values of one type, has %s and %s", hlo_text(op, on_true),
                       hlo_text(op, on_false));
  IREE_RETURN_IF_ERROR(check_scalar_or(op, 0, on_true));
  IREE_RETURN_IF_ERROR(hlo_expect_type(op, 0, on_true));
  return hlo_expect_type(op, 0, on_false);
}
iree_status_t hlo_check_constant(ir_op_t *op) {
  ir_attr_t value = ir_op_attr(op, "value");
  ir_type_t type = ir_is(value, IR_A_DENSE)      ? ir_dense_type(value)
                   : ir_is(value, IR_A_RESOURCE) ? ir_kid(value, 0)
                                                 : NULL;
  if (!type) return ir_op_error(op, "'value' must be dense elements");
  ir_type_t to = hlo_out(op, 0);
  quant_type_t q;
  if (hlo_quant(op, to, &q) && ir_type_element(type) == q.storage)
    return hlo_expect_shape(op, 0, ir_type_dims(type), ir_type_rank(type));
  return hlo_expect_type(op, 0, type);
}
iree_status_t hlo_check_pairwise(ir_op_t *op) {
  if (op->n_operands != op->n_results)
    return ir_op_error(op, "has %u results for %u operands", op->n_results, op->n_operands);
  for (uint32_t i = 0; i < op->n_results; ++i)
    IREE_RETURN_IF_ERROR(hlo_expect_type(op, i, hlo_in(op, i)));
  return iree_ok_status();
}
iree_status_t hlo_check_quantize(ir_op_t *op) {
  quant_type_t from, to;
  bool is_from = hlo_quant(op, hlo_in(op, 0), &from), is_to = hlo_quant(op, hlo_out(op, 0), &to);
  ir_type_t have = is_from ? from.expressed : ir_type_element(hlo_in(op, 0)),
            want = is_to ? to.expressed : ir_type_element(hlo_out(op, 0));
  if (have == want) return iree_ok_status();
  return ir_op_error(op, "goes from %s to %s; one expresses %s, the other %s", hlo_text(op, hlo_in(op, 0)),
                     hlo_text(op, hlo_out(op, 0)), hlo_text(op, have), hlo_text(op, want));
}
iree_status_t hlo_check_rng(ir_op_t *op) {
  int64_t dims[HLO_MAX_RANK];
  ir_type_t a = ir_type_element(hlo_in(op, 0)), b = ir_type_element(hlo_in(op, 1));
  if (a != b)
    return ir_op_error(op, "needs bounds of one element type, has %s and %s", hlo_text(op, a),
                       hlo_text(op, b));
  ir_attr_t kind = ir_op_attr(op, "rng_distribution");
  if (kind && !strcmp(ir_bytes(kind), "NORMAL") && !ir_type_is_float(a))
    return ir_op_error(op, "has the distribution NORMAL of %s; it needs floats", hlo_text(op, a));
  IREE_RETURN_IF_ERROR(hlo_expect_element(op, 0, a));
  int n = hlo_constant_ints(ir_operand(op, 2), dims, HLO_MAX_RANK);
  if (n >= 0) return hlo_expect_shape(op, 0, dims, (size_t)n);
  for (size_t i = 0; i < HLO_MAX_RANK; ++i) dims[i] = IR_DYNAMIC;
  int64_t rank = ir_type_dim(hlo_in(op, 2), 0);
  return rank > HLO_MAX_RANK ? iree_ok_status() : hlo_expect_shape(op, 0, dims, (size_t)rank);
}
iree_status_t hlo_check_rng_bits(ir_op_t *op) {
  return hlo_expect_type(op, 0, hlo_in(op, 0));
}
