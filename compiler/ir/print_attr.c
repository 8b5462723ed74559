// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, attributes, locations, affine maps as text.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/print_internal.h"

static void raw(ir_printer_t *p, const char *text) { pr_write(p, text, strlen(text)); }
static void raw_int(ir_printer_t *p, int64_t v) {
  char text[32];
  int n = snprintf(text, sizeof text, "%" PRId64, v);
  pr_write(p, text, (size_t)n);
}

void pr_quoted(ir_printer_t *p, const char *text, size_t n) {
  raw(p, "\"");
  for (size_t i = 0; i < n; ++i) {
    unsigned char c = (unsigned char)text[i];
    if (c == '\\') raw(p, "\\\\");
    else if (c >= 32 && c < 127 && c != '"') pr_write(p, (const char *)&text[i], 1);
    else {
      char hex[4];
      snprintf(hex, sizeof hex, "\\%02X", c);
      raw(p, hex);
    }
  }
  raw(p, "\"");
}

static bool is_plain_symbol(const char *s, size_t n) {
  if (!n || (s[0] >= '0' && s[0] <= '9')) return false;
  for (size_t i = 0; i < n; ++i) {
    char c = s[i];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.'))
      return false;
  }
  return true;
}
static void symbol(ir_printer_t *p, const char *s, size_t n) {
  raw(p, "@");
  if (is_plain_symbol(s, n)) pr_write(p, s, n);
  else pr_quoted(p, s, n);
}

// ---- numbers
static void float_text(ir_printer_t *p, ir_type_t type, uint64_t bits) {
  char text[64];
  ir_float_t kind = ir_float_kind(type);
  unsigned width = ir_float_bits(kind);
  double v = ir_float_to_double(kind, bits);
  bool native = kind == IR_F32 || kind == IR_F64 || kind < IR_F32;
  if (native && isfinite(v)) {
    // Six digits if they say it exactly, else as many as needed.
    for (int digits = 6; digits <= 17; digits = digits == 6 ? 8 : digits + 1) {
      snprintf(text, sizeof text, "%.*e", digits, v);
      double back = kind == IR_F32 ? (double)strtof(text, NULL) : strtod(text, NULL);
      if (ir_float_from_double(kind, back) == bits) {
        raw(p, text);
        return;
      }
    }
  }
  snprintf(text, sizeof text, "0x%0*" PRIX64, (int)((width + 3) / 4), bits);
  raw(p, text);
}

static void scalar_text(ir_printer_t *p, ir_type_t element, const uint8_t *at) {
  uint64_t bits = 0;
  if (ir_is(element, IR_T_COMPLEX)) {
    ir_type_t part = ir_kid(element, 0);
    raw(p, "(");
    scalar_text(p, part, at);
    raw(p, ",");
    scalar_text(p, part, at + ir_type_storage_bytes(part));
    raw(p, ")");
    return;
  }
  size_t size = ir_type_storage_bytes(element);
  memcpy(&bits, at, size < 8 ? size : 8);
  if (ir_type_is_float(element)) {
    float_text(p, element, bits);
  } else if (ir_type_is_int(element, 1)) {
    raw(p, bits & 1 ? "true" : "false");
  } else {
    unsigned width = ir_type_width(element);
    bool is_unsigned = ir_is(element, IR_T_INTEGER) && ir_int_sign(element) == IR_UNSIGNED;
    if (is_unsigned) {
      char text[32];
      if (width < 64) bits &= (1ull << width) - 1;
      snprintf(text, sizeof text, "%" PRIu64, bits);
      raw(p, text);
    } else {
      raw_int(p, width < 64 ? (int64_t)(bits << (64 - width)) >> (64 - width) : (int64_t)bits);
    }
  }
}

static const uint8_t *dense_list(ir_printer_t *p, ir_type_t type, size_t dim, const uint8_t *at) {
  ir_type_t element = ir_type_element(type);
  if (dim == ir_type_rank(type)) {
    scalar_text(p, element, at);
    return at + ir_type_storage_bytes(element);
  }
  raw(p, "[");
  for (int64_t i = 0; i < ir_type_dim(type, dim); ++i) {
    if (i) raw(p, ", ");
    at = dense_list(p, type, dim + 1, at);
  }
  raw(p, "]");
  return at;
}

static void dense_hex(ir_printer_t *p, ir_attr_t a) {
  static const char digits[] = "0123456789ABCDEF";
  const uint8_t *data = ir_dense_data(a);
  size_t n = ir_dense_bytes(a);
  raw(p, "\"0x");
  if (ir_type_is_int(ir_type_element(ir_dense_type(a)), 1)) {
    for (size_t i = 0; i < n; i += 8) {
      unsigned byte = 0;
      for (size_t k = 0; k < 8 && i + k < n; ++k) byte |= (unsigned)(data[i + k] & 1) << k;
      pr_write(p, (char[]){digits[byte >> 4], digits[byte & 15]}, 2);
    }
  } else {
    char chunk[512];
    size_t used = 0;
    for (size_t i = 0; i < n; ++i) {
      chunk[used++] = digits[data[i] >> 4];
      chunk[used++] = digits[data[i] & 15];
      if (used == sizeof chunk) pr_write(p, chunk, used), used = 0;
    }
    pr_write(p, chunk, used);
  }
  raw(p, "\"");
}

static void dense(ir_printer_t *p, ir_attr_t a) {
  enum { HEX_ABOVE = 100 };
  ir_type_t type = ir_dense_type(a);
  int64_t count = ir_type_n_elements(type);
  if (p->options.elide_larger_than && !ir_dense_is_splat(a) && count > p->options.elide_larger_than) {
    raw(p, "dense_resource<__elided__> : ");
    pr_term(p, type, false);
    return;
  }
  raw(p, "dense<");
  if (ir_dense_is_splat(a)) {
    scalar_text(p, ir_type_element(type), ir_dense_data(a));
  } else if (count > HEX_ABOVE) {
    dense_hex(p, a);
  } else if (count) {
    dense_list(p, type, 0, ir_dense_data(a));
  }
  raw(p, "> : ");
  pr_term(p, type, false);
}

// ---- affine
static void expr(ir_printer_t *p, ir_expr_t e, int parent) {
  switch (e->kind) {
    case IR_E_DIM: raw(p, "d"), raw_int(p, ir_int(e, 0)); return;
    case IR_E_SYM: raw(p, "s"), raw_int(p, ir_int(e, 0)); return;
    case IR_E_CONST: raw_int(p, ir_int(e, 0)); return;
    default: break;
  }
  int level = e->kind == IR_E_ADD ? 1 : 2;
  if (level <= parent) raw(p, "(");
  expr(p, ir_kid(e, 0), level - 1);
  ir_expr_t rhs = ir_kid(e, 1);
  if (e->kind == IR_E_ADD && rhs->kind == IR_E_CONST && ir_int(rhs, 0) < 0 && ir_int(rhs, 0) != INT64_MIN) {
    raw(p, " - "), raw_int(p, -ir_int(rhs, 0));
  } else {
    raw(p, e->kind == IR_E_ADD ? " + " : e->kind == IR_E_MUL ? " * " : e->kind == IR_E_MOD ? " mod " : e->kind == IR_E_FLOORDIV ? " floordiv " : " ceildiv ");
    expr(p, rhs, level);
  }
  if (level <= parent) raw(p, ")");
}
static void affine(ir_printer_t *p, ir_attr_t a) {
  bool set = a->kind == IR_A_SET;
  raw(p, set ? "affine_set<(" : "affine_map<(");
  for (int64_t i = 0; i < ir_int(a, 0); ++i) raw(p, i ? ", d" : "d"), raw_int(p, i);
  raw(p, ")");
  if (ir_int(a, 1)) {
    raw(p, "[");
    for (int64_t i = 0; i < ir_int(a, 1); ++i) raw(p, i ? ", s" : "s"), raw_int(p, i);
    raw(p, "]");
  }
  raw(p, set ? " : (" : " -> (");
  for (uint32_t i = 0; i < a->n_kids; ++i) {
    if (i) raw(p, ", ");
    expr(p, ir_kid(a, i), 0);
    if (set) raw(p, ir_int(a, 2 + i) ? " == 0" : " >= 0");
  }
  raw(p, ")>");
}

// ---- types
static void dims(ir_printer_t *p, ir_type_t t) {
  int64_t scalable = t->kind == IR_T_VECTOR ? ir_int(t, t->n_ints - 1) : 0;
  for (size_t i = 0; i < ir_type_rank(t); ++i) {
    if (ir_type_dim(t, i) == IR_DYNAMIC) raw(p, "?");
    else {
      if (scalable >> i & 1) raw(p, "[");
      raw_int(p, ir_type_dim(t, i));
      if (scalable >> i & 1) raw(p, "]");
    }
    raw(p, "x");
  }
}
static void type_list(ir_printer_t *p, const ir_term_t *const *kids, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (i) raw(p, ", ");
    pr_term(p, kids[i], false);
  }
}
static void params(ir_printer_t *p, const ir_term_t *t) {
  if (!t->n_kids) return;
  raw(p, "<");
  for (uint32_t i = 0; i < t->n_kids; ++i) {
    if (i) raw(p, ", ");
    pr_term(p, ir_kid(t, i), true);
  }
  raw(p, ">");
}
static void function(ir_printer_t *p, ir_type_t t) {
  size_t n = ir_fn_n_inputs(t), m = ir_fn_n_results(t);
  raw(p, "(");
  type_list(p, ir_kids(t), n);
  raw(p, ") -> ");
  bool parens = m != 1 || ir_fn_result(t, 0)->kind == IR_T_FUNCTION;
  if (parens) raw(p, "(");
  type_list(p, ir_kids(t) + n, m);
  if (parens) raw(p, ")");
}

void pr_float_number(ir_printer_t *p, ir_attr_t attr) {
  float_text(p, ir_kid(attr, 0), (uint64_t)ir_int(attr, 0));
}

void pr_term(ir_printer_t *p, const ir_term_t *t, bool elide_i64) {
  if (!t) return;
  if (p->alias_of && t->kind != IR_A_PARAM) {
    const char *alias = ir_map_get(p->alias_of, t);
    if (alias) {
      raw(p, "#"), raw(p, alias);
      return;
    }
  }
  switch ((ir_term_kind_t)t->kind) {
    case IR_T_NONE: raw(p, "none"); return;
    case IR_T_INTEGER:
      raw(p, ir_int_sign(t) == IR_SIGNED ? "si" : ir_int_sign(t) == IR_UNSIGNED ? "ui" : "i");
      raw_int(p, ir_int(t, 0));
      return;
    case IR_T_INDEX: raw(p, "index"); return;
    case IR_T_FLOAT: raw(p, ir_float_spelling(ir_float_kind(t))); return;
    case IR_T_COMPLEX: raw(p, "complex<"), pr_term(p, ir_kid(t, 0), false), raw(p, ">"); return;
    case IR_T_TUPLE: raw(p, "tuple<"), type_list(p, ir_kids(t), t->n_kids), raw(p, ">"); return;
    case IR_T_FUNCTION: function(p, t); return;
    case IR_T_TENSOR:
      raw(p, "tensor<"), dims(p, t), pr_term(p, ir_kid(t, 0), false);
      if (ir_kid(t, 1)) raw(p, ", "), pr_term(p, ir_kid(t, 1), false);
      raw(p, ">");
      return;
    case IR_T_UNRANKED_TENSOR: raw(p, "tensor<*x"), pr_term(p, ir_kid(t, 0), false), raw(p, ">"); return;
    case IR_T_MEMREF:
      raw(p, "memref<"), dims(p, t), pr_term(p, ir_kid(t, 0), false);
      if (ir_kid(t, 1)) raw(p, ", "), pr_term(p, ir_kid(t, 1), false);
      if (ir_kid(t, 2)) raw(p, ", "), pr_term(p, ir_kid(t, 2), false);
      raw(p, ">");
      return;
    case IR_T_UNRANKED_MEMREF:
      raw(p, "memref<*x"), pr_term(p, ir_kid(t, 0), false);
      if (ir_kid(t, 1)) raw(p, ", "), pr_term(p, ir_kid(t, 1), false);
      raw(p, ">");
      return;
    case IR_T_VECTOR: raw(p, "vector<"), dims(p, t), pr_term(p, ir_kid(t, 0), false), raw(p, ">"); return;
    case IR_T_DIALECT: raw(p, "!"), raw(p, ir_bytes(t)), params(p, t); return;
    case IR_A_UNIT: raw(p, "unit"); return;
    case IR_A_BOOL: raw(p, ir_int(t, 0) ? "true" : "false"); return;
    case IR_A_INT: {
      ir_type_t type = ir_kid(t, 0);
      if (ir_is(type, IR_T_INTEGER) && ir_int_sign(type) == IR_UNSIGNED) {
        char text[32];
        snprintf(text, sizeof text, "%" PRIu64, (uint64_t)ir_int(t, 0));
        raw(p, text);
      } else {
        raw_int(p, ir_int(t, 0));
      }
      if (elide_i64 && ir_type_is_int(type, 64) && ir_int_sign(type) == IR_SIGNLESS) return;
      raw(p, " : "), pr_term(p, type, false);
      return;
    }
    case IR_A_FLOAT:
      float_text(p, ir_kid(t, 0), (uint64_t)ir_int(t, 0));
      if (elide_i64 && ir_float_kind(ir_kid(t, 0)) == IR_F64) return;
      raw(p, " : "), pr_term(p, ir_kid(t, 0), false);
      return;
    case IR_A_STRING: pr_quoted(p, ir_bytes(t), t->n_bytes); return;
    case IR_A_SYMREF:
      for (uint32_t i = 0; i < t->n_kids; ++i) {
        if (i) raw(p, "::");
        symbol(p, ir_bytes(ir_kid(t, i)), ir_kid(t, i)->n_bytes);
      }
      return;
    case IR_A_ARRAY:
      raw(p, "[");
      for (uint32_t i = 0; i < t->n_kids; ++i) {
        if (i) raw(p, ", ");
        pr_term(p, ir_kid(t, i), true);
      }
      raw(p, "]");
      return;
    case IR_A_DICT:
      raw(p, "{");
      for (uint32_t i = 0; i + 1 < t->n_kids; i += 2) {
        if (i) raw(p, ", ");
        ir_attr_t name = ir_kid(t, i);
        if (is_plain_symbol(ir_bytes(name), name->n_bytes)) raw(p, ir_bytes(name));
        else pr_quoted(p, ir_bytes(name), name->n_bytes);
        if (ir_kid(t, i + 1)->kind != IR_A_UNIT) raw(p, " = "), pr_term(p, ir_kid(t, i + 1), false);
      }
      raw(p, "}");
      return;
    case IR_A_DENSE: dense(p, t); return;
    case IR_A_RESOURCE:
      raw(p, "dense_resource<");
      if (is_plain_symbol(ir_bytes(t), t->n_bytes)) raw(p, ir_bytes(t));
      else pr_quoted(p, ir_bytes(t), t->n_bytes);
      raw(p, "> : "), pr_term(p, ir_kid(t, 0), false);
      return;
    case IR_A_DENSE_ARRAY:
      raw(p, "array<"), pr_term(p, ir_kid(t, 0), false);
      for (uint32_t i = 0; i < t->n_ints; ++i) {
        raw(p, i ? ", " : ": ");
        int64_t v = ir_int(t, i);
        scalar_text(p, ir_kid(t, 0), (const uint8_t *)&v);
      }
      raw(p, ">");
      return;
    case IR_A_MAP:
    case IR_A_SET: affine(p, t); return;
    case IR_A_STRIDED:
      raw(p, "strided<[");
      for (uint32_t i = 1; i < t->n_ints; ++i) {
        if (i > 1) raw(p, ", ");
        if (ir_int(t, i) == IR_DYNAMIC) raw(p, "?");
        else raw_int(p, ir_int(t, i));
      }
      raw(p, "]");
      if (ir_int(t, 0)) {
        raw(p, ", offset: ");
        if (ir_int(t, 0) == IR_DYNAMIC) raw(p, "?");
        else raw_int(p, ir_int(t, 0));
      }
      raw(p, ">");
      return;
    case IR_A_KEYWORD: raw(p, ir_bytes(t)); return;
    case IR_A_DIALECT:
      raw(p, "#"), raw(p, ir_bytes(t)), params(p, t);
      if (t->n_ints && !t->n_kids) raw(p, "<>");
      return;
    case IR_A_PARAM: pr_term(p, ir_kid(t, 0), true), raw(p, " = "), pr_term(p, ir_kid(t, 1), true); return;
    case IR_A_PAIR: pr_term(p, ir_kid(t, 0), true), raw(p, ir_bytes(t)), pr_term(p, ir_kid(t, 1), true); return;
    case IR_A_TYPED: {
      ir_map_t *aliases = p->alias_of;  // `#alias : type` is no syntax
      if (aliases && ir_map_get(aliases, ir_kid(t, 0))) p->alias_of = NULL;
      pr_term(p, ir_kid(t, 0), true);
      p->alias_of = aliases;
      raw(p, " : "), pr_term(p, ir_kid(t, 1), false);
      return;
    }
    case IR_E_DIM:
    case IR_E_SYM:
    case IR_E_CONST:
    case IR_E_ADD:
    case IR_E_MUL:
    case IR_E_MOD:
    case IR_E_FLOORDIV:
    case IR_E_CEILDIV: expr(p, t, 0); return;
    case IR_L_UNKNOWN:
    case IR_L_FILE:
    case IR_L_NAME:
    case IR_L_CALLSITE:
    case IR_L_FUSED: raw(p, "loc("), pr_loc(p, t), raw(p, ")"); return;
  }
}

void pr_loc(ir_printer_t *p, ir_loc_t l) {
  switch ((ir_term_kind_t)l->kind) {
    case IR_L_FILE:
      pr_quoted(p, ir_bytes(l), l->n_bytes);
      raw(p, ":"), raw_int(p, ir_int(l, 0)), raw(p, ":"), raw_int(p, ir_int(l, 1));
      if (l->n_ints == 4) raw(p, " to "), raw_int(p, ir_int(l, 2)), raw(p, ":"), raw_int(p, ir_int(l, 3));
      return;
    case IR_L_NAME:
      pr_quoted(p, ir_bytes(l), l->n_bytes);
      if (ir_kid(l, 0)) raw(p, "("), pr_loc(p, ir_kid(l, 0)), raw(p, ")");
      return;
    case IR_L_CALLSITE:
      raw(p, "callsite("), pr_loc(p, ir_kid(l, 0)), raw(p, " at "), pr_loc(p, ir_kid(l, 1)), raw(p, ")");
      return;
    case IR_L_FUSED:
      raw(p, "fused");
      if (ir_kid(l, 0)) raw(p, "<"), pr_term(p, ir_kid(l, 0), false), raw(p, ">");
      raw(p, "[");
      for (uint32_t i = 1; i < l->n_kids; ++i) {
        if (i > 1) raw(p, ", ");
        pr_loc(p, ir_kid(l, i));
      }
      raw(p, "]");
      return;
    default: raw(p, "unknown"); return;
  }
}

void pr_symbol(ir_printer_t *p, iree_string_view_t name) {
  pr_text(p, "");
  symbol(p, name.data, name.size);
}
void pr_string(ir_printer_t *p, iree_string_view_t text) {
  pr_text(p, "");
  pr_quoted(p, text.data, text.size);
}

void pr_enum_generic(ir_printer_t *p, const ir_spec_attr_t *a, ir_attr_t value) {
  const ir_enum_info_t *e = a->enums;
  const char *word = ir_bytes(value);
  if (!e || !e->generic) {
    pr_quoted(p, word, value->n_bytes);
    return;
  }
  const char *hole = strstr(e->generic, "%s");
  if (hole) {
    pr_write(p, e->generic, (size_t)(hole - e->generic));
    raw(p, word);
    raw(p, hole + 2);
    return;
  }
  int64_t next = 0, total = 0;
  for (const char *w = e->words; w && *w;) {  // bit sets add up
    size_t n = strcspn(w, " ");
    const char *equals = memchr(w, '=', n);
    int64_t v = equals ? strtoll(equals + 1, NULL, 0) : next;
    size_t len = equals ? (size_t)(equals - w) : n;
    for (const char *part = word; *part;) {
      size_t m = strcspn(part, ",|");
      if (m == len && !memcmp(part, w, m)) total |= v;
      part += m;
      if (*part) ++part;
    }
    next = v + 1;
    w += n;
    while (*w == ' ') ++w;
  }
  raw_int(p, total);
  raw(p, " : "), raw(p, e->generic);
}
