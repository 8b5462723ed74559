// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes, locations, affine maps.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/parse_internal.h"

static bool tok_is(ir_token_t t, const char *text) {
  return t.n == strlen(text) && !memcmp(t.text, text, t.n);
}

// ---- strings
static int hex_digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool p_unescape(ir_parser_t *p, ir_token_t t, ir_attr_t *out) {
  const char *from = t.text + 1, *to = t.text + t.n - 1;  // between the quotes
  if (!memchr(from, '\\', (size_t)(to - from))) {
    *out = ir_attr_string(p->ctx, from, (size_t)(to - from));
    return true;
  }
  char *text = iree_arena_alloc(&p->ctx->arena, (size_t)(to - from) + 1);
  size_t n = 0;
  while (from < to) {
    char c = *from++;
    if (c == '\\' && from < to) {
      c = *from++;
      if (c == 'n') c = '\n';
      else if (c == 't') c = '\t';
      else if (c != '"' && c != '\\') {
        int hi = hex_digit(c), lo = from < to ? hex_digit(*from) : -1;
        if (hi < 0 || lo < 0) return p_error_at(p, t, "unknown escape '\\%c' in string", c);
        c = (char)(hi * 16 + lo);
        ++from;
      }
    }
    text[n++] = c;
  }
  *out = ir_attr_string(p->ctx, text, n);
  return true;
}

bool p_expect_string(ir_parser_t *p, ir_attr_t *out) {
  ir_token_t t = p_peek(p);
  if (t.kind != TOK_STRING) return p_error(p, "expected a string");
  p_next(p);
  return p_unescape(p, t, out);
}

bool p_expect_symbol(ir_parser_t *p, ir_attr_t *out) {
  ir_token_t t = p_peek(p);
  if (t.kind != TOK_SYMBOL) return p_error(p, "expected a symbol name (@name)");
  p_next(p);
  ++t.text, --t.n;
  if (*t.text == '"') return p_unescape(p, t, out);
  *out = ir_attr_string(p->ctx, t.text, t.n);
  return true;
}

bool p_expect_symref(ir_parser_t *p, ir_attr_t *out) {
  const ir_term_t *parts[16];
  size_t n = 0;
  do {
    if (n == 16) return p_error(p, "symbol reference nested deeper than 16");
    if (!p_expect_symbol(p, &parts[n])) return false;
    ++n;
    ir_token_t t = p_peek(p);
    if (!tok_is(t, "::")) break;
    // `@a::@b` continues the reference; `@a::"x"` is a pair of a dialect attribute.
    const char *after = t.text + 2;
    if (after >= p->end || *after != '@') break;
    p_next(p);
  } while (true);
  *out = ir_term(p->ctx, IR_A_SYMREF, NULL, 0, parts, n, NULL, 0);
  return true;
}

// ---- numbers
static bool int_of_token(ir_parser_t *p, ir_token_t t, bool negative, int64_t *out) {
  uint64_t v = 0;
  bool hex = t.n > 2 && t.text[1] == 'x';
  for (size_t i = hex ? 2 : 0; i < t.n; ++i) {
    uint64_t base = hex ? 16 : 10;
    if (__builtin_mul_overflow(v, base, &v) ||
        __builtin_add_overflow(v, (uint64_t)hex_digit(t.text[i]), &v))
      return p_error_at(p, t, "integer does not fit 64 bits");
  }
  *out = negative ? (int64_t)(0 - v) : (int64_t)v;
  return true;
}

bool p_accept_int(ir_parser_t *p, int64_t *out) {
  ir_token_t t = p_peek(p);
  bool negative = tok_is(t, "-");
  if (negative) {
    ir_token_t next = ir_lex(t.text + 1, p->end);
    if (next.kind != TOK_INT) return false;
    p_next(p);
    t = p_peek(p);
  }
  if (t.kind != TOK_INT) return false;
  p_next(p);
  return int_of_token(p, t, negative, out);
}
bool p_expect_int(ir_parser_t *p, int64_t *out) {
  return p_accept_int(p, out) || p_error(p, "expected an integer");
}

static uint64_t float_bits(ir_parser_t *p, ir_type_t type, ir_token_t t, bool negative) {
  char text[64];
  double v;
  if (t.n < sizeof text) {
    memcpy(text, t.text, t.n);
    text[t.n] = 0;
    // f32 rounds once from decimal; via double it could round twice.
    if (ir_float_kind(type) == IR_F32) {
      float f = strtof(text, NULL);
      v = negative ? -(double)f : (double)f;
    } else {
      v = strtod(text, NULL);
      if (negative) v = -v;
    }
  } else {
    v = strtod(iree_arena_copy(&p->ctx->arena, t.text, t.n), NULL);
    if (negative) v = -v;
  }
  return ir_float_from_double(ir_float_kind(type), v);
}

// One scalar of |element|: number, hex bits, true/false. Writes storage bytes, little endian.
static bool scalar_bits(ir_parser_t *p, ir_type_t element, uint64_t *out) {
  ir_token_t t = p_peek(p);
  bool negative = tok_is(t, "-");
  if (negative) p_next(p), t = p_peek(p);
  if (t.kind == TOK_WORD && (tok_is(t, "true") || tok_is(t, "false"))) {
    p_next(p);
    *out = tok_is(t, "true");
    return true;
  }
  if (t.kind == TOK_FLOAT) {
    if (!ir_type_is_float(element)) return p_error(p, "floating-point value for an integer type");
    p_next(p);
    *out = float_bits(p, element, t, negative);
    return true;
  }
  if (t.kind == TOK_INT) {
    p_next(p);
    bool hex = t.n > 2 && t.text[1] == 'x';
    if (ir_type_is_float(element) && !hex) {
      *out = float_bits(p, element, t, negative);
      return true;
    }
    int64_t v;
    if (!int_of_token(p, t, negative, &v)) return false;
    unsigned width = ir_type_width(element);
    if (!ir_type_is_float(element) && width < 64) {
      bool fits = negative ? v >= (ir_int_sign(element) == IR_UNSIGNED ? 0 : -(1ll << (width - 1))) : (uint64_t)v < (1ull << width);
      if (!fits) return p_error_at(p, t, "value does not fit %u bits", width);
    }
    if (width < 64) v = (int64_t)((uint64_t)v & ((1ull << width) - 1));
    *out = (uint64_t)v;
    return true;
  }
  return p_error(p, "expected a number");
}

// ---- dense elements
typedef struct dense_data {
  uint8_t *bytes;
  size_t n, cap;
  int64_t shape[32];
  size_t rank;
  bool any;
} dense_data_t;

static void dense_push(ir_parser_t *p, dense_data_t *d, const void *data, size_t n) {
  if (d->cap - d->n < n) {
    size_t cap = d->cap ? d->cap * 2 : 256;
    while (cap - d->n < n) cap *= 2;
    d->bytes = iree_arena_grow(&p->ctx->arena, d->bytes, d->n, cap);
    d->cap = cap;
  }
  memcpy(d->bytes + d->n, data, n);
  d->n += n;
}

static bool dense_scalar(ir_parser_t *p, ir_type_t element, dense_data_t *d) {
  uint64_t bits;
  if (ir_is(element, IR_T_COMPLEX)) {
    ir_type_t part = ir_kid(element, 0);
    uint64_t im;
    if (!p_expect(p, "(") || !scalar_bits(p, part, &bits) || !p_expect(p, ",") ||
        !scalar_bits(p, part, &im) || !p_expect(p, ")"))
      return false;
    dense_push(p, d, &bits, ir_type_storage_bytes(part));
    dense_push(p, d, &im, ir_type_storage_bytes(part));
    return true;
  }
  if (!scalar_bits(p, element, &bits)) return false;
  dense_push(p, d, &bits, ir_type_storage_bytes(element));
  return true;
}

static bool dense_list(ir_parser_t *p, ir_type_t element, dense_data_t *d, size_t depth) {
  if (!p_at(p, "[")) {
    if (d->any && depth != d->rank) return p_error(p, "dense elements are nested unevenly");
    if (!d->any) d->rank = depth, d->any = true;
    return dense_scalar(p, element, d);
  }
  if (depth == 32) return p_error(p, "dense elements nested deeper than 32");
  p_next(p);
  int64_t count = 0;
  if (!p_at(p, "]")) {
    do {
      if (!dense_list(p, element, d, depth + 1)) return false;
      ++count;
    } while (p_accept(p, ","));
  } else if (!d->any) {
    d->rank = depth + 1, d->any = true;
  }
  if (d->shape[depth] && d->shape[depth] != count + 1) return p_error(p, "dense elements are nested unevenly");
  d->shape[depth] = count + 1;  // stored plus one: zero means not seen
  return p_expect(p, "]");
}

static bool dense_hex(ir_parser_t *p, ir_token_t t, ir_type_t type, ir_attr_t *out) {
  const char *at = t.text + 1, *to = t.text + t.n - 1;
  if (to - at < 2 || at[0] != '0' || at[1] != 'x' || (to - at) % 2) return p_error_at(p, t, "expected \"0x...\" with an even number of digits");
  at += 2;
  size_t n = (size_t)(to - at) / 2;
  uint8_t *raw = iree_arena_alloc(&p->ctx->arena, n + 1);
  for (size_t i = 0; i < n; ++i, at += 2) {
    int hi = hex_digit(at[0]), lo = hex_digit(at[1]);
    if (hi < 0 || lo < 0) return p_error_at(p, t, "not a hexadecimal digit");
    raw[i] = (uint8_t)(hi * 16 + lo);
  }
  ir_type_t element = ir_type_element(type);
  size_t storage = ir_type_storage_bytes(element);
  int64_t count = ir_type_n_elements(type);
  if (count < 0) return p_error_at(p, t, "dense elements need a static shape");
  if (ir_type_is_int(element, 1)) {  // bit-packed on the outside, a byte each inside
    bool splat = n == 1 && count != 1 && (raw[0] == 0xFF || raw[0] == 0);
    size_t elements = splat ? 1 : (size_t)count;
    if (!splat && n < (elements + 7) / 8) return p_error_at(p, t, "%zu bytes do not hold %zu bits", n, elements);
    uint8_t *bytes = iree_arena_alloc(&p->ctx->arena, elements + 1);
    for (size_t i = 0; i < elements; ++i) bytes[i] = (raw[i / 8] >> (i % 8)) & 1;
    *out = ir_attr_dense(p->ctx, type, bytes, elements, splat, false);
    return true;
  }
  bool splat = n == storage && count != 1;
  if (!splat && n != storage * (size_t)count)
    return p_error_at(p, t, "%zu bytes for %lld elements of %zu bytes", n, (long long)count, storage);
  *out = ir_attr_dense(p->ctx, type, raw, n, splat, false);
  return true;
}

// The literal comes before its type: find the type first, then read the literal with it.
static bool dense(ir_parser_t *p, ir_type_t known, ir_attr_t *out) {
  if (!p_expect(p, "<")) return false;
  ir_token_t t = p_peek(p);
  const char *body = t.text;
  int depth = 1;
  while (depth) {
    t = p_peek(p);
    if (t.kind == TOK_EOF || t.kind == TOK_ERROR) return p_error(p, "unterminated dense<...>");
    if (tok_is(t, "<")) ++depth;
    if (tok_is(t, ">") && --depth == 0) break;
    p_next(p);
  }
  p_next(p);
  ir_type_t type = known;
  if (!known && (!p_expect(p, ":") || !p_type(p, &type))) return false;
  if (!ir_type_is_shaped(type)) return p_error(p, "dense elements need a tensor or vector type");
  const char *after = p->has_tok ? p->tok.text : p->at;
  p_seek(p, body);
  t = p_peek(p);
  int64_t count = ir_type_n_elements(type);
  ir_type_t element = ir_type_element(type);
  bool ok = true;
  if (t.kind == TOK_STRING) {
    p_next(p);
    ok = dense_hex(p, t, type, out);
  } else if (tok_is(t, ">")) {
    if (count != 0) return p_error(p, "no elements given for a shape of %lld", (long long)count);
    *out = ir_attr_dense(p->ctx, type, NULL, 0, false, false);
  } else {
    if (!ir_type_is_float(element) && !ir_is(element, IR_T_COMPLEX) && !ir_type_is_integer_like(element))
      return p_error(p, "dense elements of this type are not supported");
    if (ir_type_width(element) > 64 && !ir_is(element, IR_T_COMPLEX))
      return p_error(p, "elements wider than 64 bits are not supported");
    dense_data_t d = {0};
    if (!dense_list(p, element, &d, 0)) return false;
    bool splat = d.rank == 0;
    if (!splat) {
      bool match = d.rank == ir_type_rank(type);
      for (size_t i = 0; match && i < d.rank; ++i)
        match = d.shape[i] == ir_type_dim(type, i) + 1 || (i > 0 && d.shape[i] == 0);
      if (!match && count != 0) return p_error_at(p, t, "the nesting of dense elements does not match the type's shape");
    }
    *out = ir_attr_dense(p->ctx, type, d.bytes, d.n, splat, d.n > 256 ? false : true);
  }
  if (!ok) return false;
  if (!p_expect(p, ">")) return false;
  p_seek(p, after);
  return true;
}

static bool dense_array(ir_parser_t *p, ir_attr_t *out) {
  ir_type_t element;
  if (!p_expect(p, "<") || !p_type(p, &element)) return false;
  int64_t *values = NULL;
  size_t n = 0, cap = 0;
  if (p_accept(p, ":") && !p_at(p, ">")) {
    do {
      uint64_t bits;
      if (!scalar_bits(p, element, &bits)) return false;
      int64_t v = (int64_t)bits;
      unsigned width = ir_type_width(element);
      if (ir_is(element, IR_T_INTEGER) && width > 1 && width < 64 && ir_int_sign(element) != IR_UNSIGNED)
        v = (int64_t)(bits << (64 - width)) >> (64 - width);
      IREE_ARENA_PUSH(&p->ctx->arena, values, n, cap, v);
    } while (p_accept(p, ","));
  }
  *out = ir_attr_dense_array(p->ctx, element, values, n);
  return p_expect(p, ">");
}

static bool dense_resource(ir_parser_t *p, ir_attr_t *out) {
  if (!p_expect(p, "<")) return false;
  ir_attr_t key;
  if (p_peek(p).kind == TOK_STRING) {
    if (!p_expect_string(p, &key)) return false;
  } else {
    const char *word;
    if (!p_expect_word(p, &word)) return false;
    key = ir_attr_str(p->ctx, word);
  }
  ir_type_t type;
  if (!p_expect(p, ">") || !p_expect(p, ":") || !p_type(p, &type)) return false;
  ir_ctx_add_resource(p->ctx, ir_bytes(key), NULL, 0);
  *out = ir_term(p->ctx, IR_A_RESOURCE, NULL, 0, &type, 1, ir_bytes(key), key->n_bytes);
  return true;
}

// ---- affine
typedef struct affine_names {
  const char *dims[64], *syms[64];
  size_t n_dims, n_syms;
} affine_names_t;

static bool affine_sum(ir_parser_t *p, const affine_names_t *names, ir_expr_t *out);

static bool affine_atom(ir_parser_t *p, const affine_names_t *names, ir_expr_t *out) {
  int64_t value;
  if (p_accept(p, "(")) return affine_sum(p, names, out) && p_expect(p, ")");
  if (p_accept_int(p, &value)) {
    *out = ir_expr_const(p->ctx, value);
    return true;
  }
  if (p_accept(p, "-")) {
    if (!affine_atom(p, names, out)) return false;
    *out = ir_expr_binary(p->ctx, IR_E_MUL, *out, ir_expr_const(p->ctx, -1));
    return true;
  }
  const char *word;
  if (!p_expect_word(p, &word)) return false;
  for (size_t i = 0; i < names->n_dims; ++i)
    if (names->dims[i] == word) return *out = ir_expr_dim(p->ctx, i), true;
  for (size_t i = 0; i < names->n_syms; ++i)
    if (names->syms[i] == word) return *out = ir_expr_sym(p->ctx, i), true;
  return p_error(p, "'%s' is neither a dimension nor a symbol of this map", word);
}

static bool affine_product(ir_parser_t *p, const affine_names_t *names, ir_expr_t *out) {
  if (!affine_atom(p, names, out)) return false;
  for (;;) {
    ir_term_kind_t kind;
    if (p_accept(p, "*")) kind = IR_E_MUL;
    else if (p_accept(p, "floordiv")) kind = IR_E_FLOORDIV;
    else if (p_accept(p, "ceildiv")) kind = IR_E_CEILDIV;
    else if (p_accept(p, "mod")) kind = IR_E_MOD;
    else return true;
    ir_expr_t rhs;
    if (!affine_atom(p, names, &rhs)) return false;
    *out = ir_expr_binary(p->ctx, kind, *out, rhs);
  }
}

static bool affine_sum(ir_parser_t *p, const affine_names_t *names, ir_expr_t *out) {
  if (!p_enter(p)) return false;
  bool ok = affine_product(p, names, out);
  while (ok) {
    bool minus = p_at(p, "-");
    if (!minus && !p_at(p, "+")) break;
    p_next(p);
    ir_expr_t rhs;
    if (!(ok = affine_product(p, names, &rhs))) break;
    if (minus) rhs = ir_expr_binary(p->ctx, IR_E_MUL, rhs, ir_expr_const(p->ctx, -1));
    *out = ir_expr_binary(p->ctx, IR_E_ADD, *out, rhs);
  }
  p_leave(p);
  return ok;
}

static bool affine_name_list(ir_parser_t *p, const char *close, const char **names, size_t *n) {
  if (p_accept(p, close)) return true;
  do {
    if (*n == 64) return p_error(p, "more than 64 dimensions or symbols");
    if (!p_expect_word(p, &names[*n])) return false;
    ++*n;
  } while (p_accept(p, ","));
  return p_expect(p, close);
}

bool p_affine(ir_parser_t *p, bool is_set, ir_attr_t *out) {
  affine_names_t names = {0};
  if (!p_expect(p, "<") || !p_expect(p, "(") || !affine_name_list(p, ")", names.dims, &names.n_dims)) return false;
  if (p_accept(p, "[") && !affine_name_list(p, "]", names.syms, &names.n_syms)) return false;
  if (!p_expect(p, is_set ? ":" : "->") || !p_expect(p, "(")) return false;
  ir_expr_t results[64];
  int64_t ints[66] = {(int64_t)names.n_dims, (int64_t)names.n_syms};
  size_t n = 0;
  if (!p_at(p, ")")) {
    do {
      if (n == 64) return p_error(p, "more than 64 results");
      if (!affine_sum(p, &names, &results[n])) return false;
      if (is_set) {
        bool eq = p_at(p, "==");
        if (!eq && !p_at(p, ">=")) return p_error(p, "expected '==' or '>='");
        p_next(p);
        ir_expr_t rhs;
        if (!affine_sum(p, &names, &rhs)) return false;
        rhs = ir_expr_binary(p->ctx, IR_E_MUL, rhs, ir_expr_const(p->ctx, -1));
        results[n] = ir_expr_binary(p->ctx, IR_E_ADD, results[n], rhs);
        ints[2 + n] = eq;
      }
      ++n;
    } while (p_accept(p, ","));
  }
  if (!p_expect(p, ")") || !p_expect(p, ">")) return false;
  *out = is_set ? ir_term(p->ctx, IR_A_SET, ints, 2 + n, results, n, NULL, 0)
                : ir_attr_map(p->ctx, names.n_dims, names.n_syms, results, n);
  return true;
}

static bool strided(ir_parser_t *p, ir_attr_t *out) {
  int64_t ints[33] = {0};
  size_t n = 1;
  if (!p_expect(p, "<") || !p_expect(p, "[")) return false;
  if (!p_at(p, "]")) {
    do {
      if (n == 33) return p_error(p, "more than 32 strides");
      if (p_accept(p, "?")) ints[n] = IR_DYNAMIC;
      else if (!p_expect_int(p, &ints[n])) return false;
      ++n;
    } while (p_accept(p, ","));
  }
  if (!p_expect(p, "]")) return false;
  if (p_accept(p, ",")) {
    if (!p_expect(p, "offset") || !p_expect(p, ":")) return false;
    if (p_accept(p, "?")) ints[0] = IR_DYNAMIC;
    else if (!p_expect_int(p, &ints[0])) return false;
  }
  *out = ir_term(p->ctx, IR_A_STRIDED, ints, n, NULL, 0, NULL, 0);
  return p_expect(p, ">");
}

// ---- dialect attributes and types: parameters
// A bare word of a parameter: `storage_buffer`, `precision DEFAULT`, `4x?xi8`, `*`, `?`.
static bool param_word(ir_parser_t *p, ir_attr_t *out) {
  const char *from = p_peek(p).text, *to = from;
  for (;;) {
    ir_token_t t = p_peek(p);
    bool star = tok_is(t, "*") || tok_is(t, "?");
    bool number = t.kind == TOK_INT && t.text + t.n < p->end && (t.text[t.n] == 'x');
    if (t.kind != TOK_WORD && !star && !number && !(tok_is(t, "|") && to != from)) break;
    p_next(p);
    to = t.text + t.n;
    if (number || star) {  // glued characters of a shape
      while (to < p->end && strchr("?x0123456789abcdefghijklmnopqrstuvwyz", *to) && *to) ++to;
      p_seek(p, to);
    }
  }
  if (to == from) return false;
  *out = ir_term(p->ctx, IR_A_KEYWORD, NULL, 0, NULL, 0, from, (size_t)(to - from));
  return true;
}

static bool param_value(ir_parser_t *p, ir_attr_t *out) {
  ir_token_t t = p_peek(p);
  bool shape = t.kind == TOK_INT && t.text + t.n < p->end && t.text[t.n] == 'x';
  bool attr_word = t.kind == TOK_WORD &&
                   (tok_is(t, "dense") || tok_is(t, "affine_map") || tok_is(t, "array") ||
                    tok_is(t, "true") || tok_is(t, "false") || tok_is(t, "unit") || tok_is(t, "loc") ||
                    tok_is(t, "dense_resource") || tok_is(t, "strided"));
  if (!shape && !attr_word && (tok_is(t, "?") || tok_is(t, "*") || (t.kind == TOK_WORD && !p_at_type(p))))
    return param_word(p, out);
  if (shape) return param_word(p, out);
  if (tok_is(t, "(")) return false;  // a structure of the dialect's own: keep as text
  return p_attr(p, out);
}

static bool param_item(ir_parser_t *p, ir_attr_t *out) {
  if (!param_value(p, out)) return false;
  static const char *const joins[] = {"::", ":"};
  for (size_t i = 0; i < 2; ++i) {
    if (!p_accept(p, joins[i])) continue;
    ir_attr_t rhs;
    if (!param_value(p, &rhs)) return false;
    *out = ir_term(p->ctx, IR_A_PAIR, NULL, 0, (const ir_term_t *[]){*out, rhs}, 2, joins[i], strlen(joins[i]));
  }
  if (ir_is(*out, IR_A_KEYWORD) && p_accept(p, "=")) {
    ir_attr_t value;
    if (!param_item(p, &value)) return false;
    *out = ir_term(p->ctx, IR_A_PARAM, NULL, 0, (const ir_term_t *[]){*out, value}, 2, NULL, 0);
  }
  return true;
}

static bool params_structured(ir_parser_t *p, ir_attr_t **out, size_t *out_n) {
  ir_attr_t *params = NULL;
  size_t n = 0, cap = 0;
  while (!p_at(p, ">")) {  // upstream takes a comma before the end, too
    ir_attr_t a;
    if (!param_item(p, &a)) return false;
    IREE_ARENA_PUSH(&p->ctx->arena, params, n, cap, a);
    if (!p_accept(p, ",") && !p_at(p, ">")) return false;
  }
  *out = params;
  *out_n = n;
  return true;
}

// The text as it stands, up to the '>' that balances.
static bool params_text(ir_parser_t *p, ir_attr_t *out) {
  const char *body = p_peek(p).text, *to = body;
  // Printed behind '<' it would read as another token.
  if (p_peek(p).n && *body == '=') return p_error(p, "expected a parameter, found '='");
  for (int depth = 0;;) {
    ir_token_t t = p_peek(p);
    if (t.kind == TOK_EOF || t.kind == TOK_ERROR) return p_error(p, "unterminated '<'");
    if (tok_is(t, "<") || tok_is(t, "(") || tok_is(t, "[") || tok_is(t, "{")) ++depth;
    if (tok_is(t, ">") && depth == 0) break;
    if (tok_is(t, ">") || tok_is(t, ")") || tok_is(t, "]") || tok_is(t, "}")) --depth;
    p_next(p);
    to = t.text + t.n;
  }
  *out = ir_term(p->ctx, IR_A_KEYWORD, NULL, 0, NULL, 0, body, (size_t)(to - body));
  return true;
}
bool p_bracketed(ir_parser_t *p, ir_attr_t *out) {
  return p_expect(p, "<") && params_text(p, out) && p_expect(p, ">");
}

// The name after `#` or `!`, in the spelling that the tables have.
iree_string_view_t p_dialect_name(ir_parser_t *p, ir_token_t t) {
  iree_string_view_t name = iree_make_string_view(t.text + 1, t.n - 1);
  const char *other = ir_alias_name(p->ctx, name, 0);
  return other ? iree_make_cstring_view(other) : name;
}

bool p_params(ir_parser_t *p, ir_attr_t **out, size_t *out_n) {
  if (!p_expect(p, "<") || !p_enter(p)) return false;
  const char *body = p_peek(p).text;
  p->quiet++;
  bool ok = params_structured(p, out, out_n);
  p->quiet--;
  if (!ok) {
    p_seek(p, body);
    ir_attr_t text;
    if (!params_text(p, &text)) {
      p_leave(p);
      return false;
    }
    *out = IREE_ARENA_ARRAY(&p->ctx->arena, ir_attr_t, 1);
    (*out)[0] = text;
    *out_n = 1;
  }
  p_leave(p);
  return p_expect(p, ">");
}

bool p_check_term(ir_parser_t *p, ir_token_t at, const ir_term_t **term) {
  const char *wrong = p->ctx->tables.check_term ? p->ctx->tables.check_term(p->ctx, term) : NULL;
  return !wrong || p_error_at(p, at, "%s", wrong);
}

static bool hash_attr(ir_parser_t *p, ir_attr_t *out) {
  ir_token_t t = p_peek(p);
  p_next(p);
  const char *after = t.text + t.n;
  bool has_body = after < p->end && *after == '<';
  if (!memchr(t.text, '.', t.n) && !has_body) return (*out = p_alias_attr(p, t)) != NULL;
  ir_attr_t *params = NULL;
  size_t n = 0;
  if (has_body && !p_params(p, &params, &n)) return false;
  // `#a.b<>` and `#a.b` are not the same text to other readers: the first carries a mark.
  iree_string_view_t name = p_dialect_name(p, t);
  *out = ir_term(p->ctx, IR_A_DIALECT, (int64_t[]){1}, has_body && !n, params, n, name.data, name.size);
  return p_check_term(p, t, out);
}

// ---- aggregates
static bool array(ir_parser_t *p, ir_attr_t *out) {
  ir_attr_t *elements = NULL;
  size_t n = 0, cap = 0;
  p_next(p);
  if (!p_at(p, "]")) {
    do {
      ir_attr_t a;
      if (!p_attr(p, &a)) return false;
      IREE_ARENA_PUSH(&p->ctx->arena, elements, n, cap, a);
    } while (p_accept(p, ",") && !p_at(p, "]"));  // upstream ends the parts of a composite with a comma
  }
  *out = ir_attr_array(p->ctx, elements, n);
  return p_expect(p, "]");
}

static bool dict(ir_parser_t *p, ir_attr_t *out) {
  ir_attr_t *pairs = NULL;
  size_t n = 0, cap = 0;
  p_next(p);
  if (!p_at(p, "}")) {
    do {
      ir_attr_t name, value = ir_attr_unit(p->ctx);
      if (p_peek(p).kind == TOK_STRING) {
        if (!p_expect_string(p, &name)) return false;
      } else {
        const char *word;
        if (!p_expect_word(p, &word)) return false;
        name = ir_attr_str(p->ctx, word);
      }
      if (p_accept(p, "=") && !p_attr(p, &value)) return false;
      IREE_ARENA_PUSH(&p->ctx->arena, pairs, n, cap, name);
      IREE_ARENA_PUSH(&p->ctx->arena, pairs, n, cap, value);
    } while (p_accept(p, ","));
  }
  *out = ir_attr_dict(p->ctx, pairs, n / 2);
  return p_expect(p, "}");
}

static bool number(ir_parser_t *p, ir_type_t known, ir_attr_t *out) {
  ir_token_t t = p_peek(p);
  bool negative = tok_is(t, "-");
  if (negative) p_next(p), t = p_peek(p);
  if (t.kind != TOK_INT && t.kind != TOK_FLOAT) return p_error(p, "expected a number");
  p_next(p);
  ir_type_t type = known;
  if (!type && p_accept(p, ":") && !p_type(p, &type)) return false;
  if (!type) type = t.kind == TOK_FLOAT ? ir_type_float(p->ctx, IR_F64) : ir_type_i(p->ctx, 64);
  bool hex = t.n > 2 && t.text[1] == 'x';
  if (ir_type_is_float(type)) {
    int64_t bits;
    if (t.kind == TOK_INT && hex) {
      if (!int_of_token(p, t, false, &bits)) return false;
    } else {
      bits = (int64_t)float_bits(p, type, t, negative);
    }
    *out = ir_attr_float_bits(p->ctx, type, (uint64_t)bits);
    return true;
  }
  if (t.kind == TOK_FLOAT || !ir_type_is_integer_like(type)) return p_error_at(p, t, "the number does not match its type");
  int64_t value;
  if (!int_of_token(p, t, negative, &value)) return false;
  unsigned width = ir_type_width(type);
  if (width < 64) {
    bool fits = negative ? value >= -(1ll << (width - 1)) && value <= 0 : (uint64_t)value < (1ull << width);
    if (!fits) return p_error_at(p, t, "value does not fit %u bits", width);
  }
  *out = ir_attr_int(p->ctx, type, value);
  return true;
}

static bool attr_body(ir_parser_t *p, ir_type_t known, ir_attr_t *out) {
  ir_token_t t = p_peek(p);
  switch (t.kind) {
    case TOK_HASH: return hash_attr(p, out);
    case TOK_STRING: return p_expect_string(p, out);
    case TOK_SYMBOL: return p_expect_symref(p, out);
    case TOK_INT:
    case TOK_FLOAT: return number(p, known, out);
    case TOK_PUNCT:
      if (tok_is(t, "-")) return number(p, known, out);
      if (tok_is(t, "[")) return array(p, out);
      if (tok_is(t, "{")) return dict(p, out);
      break;
    case TOK_WORD:
      if (tok_is(t, "true") || tok_is(t, "false")) {
        p_next(p);
        *out = ir_attr_bool(p->ctx, tok_is(t, "true"));
        return true;
      }
      if (tok_is(t, "unit")) return p_next(p), *out = ir_attr_unit(p->ctx), true;
      if (tok_is(t, "dense")) return p_next(p), dense(p, known, out);
      if (tok_is(t, "dense_resource")) return p_next(p), dense_resource(p, out);
      if (tok_is(t, "array")) return p_next(p), dense_array(p, out);
      if (tok_is(t, "affine_map")) return p_next(p), p_affine(p, false, out);
      if (tok_is(t, "affine_set")) return p_next(p), p_affine(p, true, out);
      if (tok_is(t, "strided")) return p_next(p), strided(p, out);
      if (tok_is(t, "loc")) return p_next(p), p_location(p, out);
      if (tok_is(t, "sparse")) return p_error(p, "sparse elements are not supported; write them as dense<...>");
      break;
    default: break;
  }
  if (p_at_type(p)) return p_type(p, out);
  return p_error(p, "expected an attribute");
}

bool p_attr_typed(ir_parser_t *p, ir_type_t type, ir_attr_t *out) {
  *out = NULL;
  if (!p_enter(p)) return false;
  bool ok = attr_body(p, type, out);
  // `#d.a<...> : type` and `"text" : type`
  if (ok && !type && ((*out)->kind == IR_A_DIALECT || (*out)->kind == IR_A_STRING) && p_at(p, ":")) {
    ir_type_t t;
    p_next(p);
    ok = p_type(p, &t);
    if (ok) *out = ir_term(p->ctx, IR_A_TYPED, NULL, 0, (const ir_term_t *[]){*out, t}, 2, NULL, 0);
  }
  p_leave(p);
  return ok;
}
bool p_attr(ir_parser_t *p, ir_attr_t *out) { return p_attr_typed(p, NULL, out); }

// ---- locations
static bool location_body_in(ir_parser_t *p, ir_loc_t *out);
static bool location_body(ir_parser_t *p, ir_loc_t *out) {
  if (!p_enter(p)) return false;
  bool ok = location_body_in(p, out);
  p_leave(p);
  return ok;
}
static bool location_body_in(ir_parser_t *p, ir_loc_t *out) {
  ir_token_t t = p_peek(p);
  if (t.kind == TOK_HASH) return p_next(p), (*out = p_alias_attr(p, t)) != NULL;
  if (p_accept(p, "unknown")) return *out = p->ctx->unknown_loc, true;
  if (p_accept(p, "callsite")) {
    const ir_term_t *kids[2];
    if (!p_expect(p, "(") || !location_body(p, &kids[0]) || !p_expect(p, "at") ||
        !location_body(p, &kids[1]) || !p_expect(p, ")"))
      return false;
    *out = ir_term(p->ctx, IR_L_CALLSITE, NULL, 0, kids, 2, NULL, 0);
    return true;
  }
  if (p_accept(p, "fused")) {
    const ir_term_t **kids = NULL;
    size_t n = 0, cap = 0;
    const ir_term_t *metadata = NULL;
    if (p_accept(p, "<") && (!p_attr(p, &metadata) || !p_expect(p, ">"))) return false;
    IREE_ARENA_PUSH(&p->ctx->arena, kids, n, cap, metadata);
    if (!p_expect(p, "[")) return false;
    do {
      ir_loc_t child;
      if (!location_body(p, &child)) return false;
      IREE_ARENA_PUSH(&p->ctx->arena, kids, n, cap, child);
    } while (p_accept(p, ","));
    *out = ir_term(p->ctx, IR_L_FUSED, NULL, 0, kids, n, NULL, 0);
    return p_expect(p, "]");
  }
  ir_attr_t text;
  if (!p_expect_string(p, &text)) return false;
  if (p_accept(p, ":")) {
    int64_t at[4] = {0};
    size_t n = 2;
    if (!p_expect_int(p, &at[0]) || !p_expect(p, ":") || !p_expect_int(p, &at[1])) return false;
    if (p_accept(p, "to")) {  // a range: `1:2 to 3:4` or `1:2 to :4`
      at[2] = at[0];
      if (p_accept(p, ":")) {
        if (!p_expect_int(p, &at[3])) return false;
      } else if (!p_expect_int(p, &at[2]) || !p_expect(p, ":") || !p_expect_int(p, &at[3])) {
        return false;
      }
      n = 4;
    }
    *out = ir_term(p->ctx, IR_L_FILE, at, n, NULL, 0, ir_bytes(text), text->n_bytes);
    return true;
  }
  ir_loc_t child = NULL;
  if (p_accept(p, "(") && (!location_body(p, &child) || !p_expect(p, ")"))) return false;
  *out = ir_term(p->ctx, IR_L_NAME, NULL, 0, &child, 1, ir_bytes(text), text->n_bytes);
  return true;
}
bool p_location(ir_parser_t *p, ir_loc_t *out) {
  if (!p_expect(p, "(") || !p_enter(p)) return false;
  bool ok = location_body(p, out);
  p_leave(p);
  return ok && p_expect(p, ")");
}

// ---- fitting attributes to rows
static ir_attr_t enum_word(ir_ctx_t *ctx, const ir_enum_info_t *e, int64_t value) {
  if (!e || !e->words) return NULL;
  int64_t next = 0;
  for (const char *w = e->words; *w;) {
    size_t n = strcspn(w, " ");
    const char *equals = memchr(w, '=', n);
    int64_t v = equals ? strtoll(equals + 1, NULL, 0) : next;
    size_t len = equals ? (size_t)(equals - w) : n;
    if (v == value) return ir_term(ctx, IR_A_KEYWORD, NULL, 0, NULL, 0, w, len);
    next = v + 1;
    w += n;
    while (*w == ' ') ++w;
  }
  return NULL;
}

static ir_attr_t enum_of_dialect(ir_ctx_t *ctx, const ir_enum_info_t *row, ir_attr_t a) {
  char text[256];
  size_t n = 0;
  for (uint32_t i = 0; i < a->n_kids; ++i) {
    ir_attr_t k = ir_kid(a, i);
    bool is_none = k->kind == IR_T_NONE;  // the word `none` is also a type
    if (k->kind != IR_A_KEYWORD && k->kind != IR_A_STRING && !is_none) return NULL;
    const char *from = is_none ? "none" : ir_bytes(k), *space = strrchr(from, ' ');
    if (space && k->kind == IR_A_KEYWORD && !strchr(from, '|')) {
      // `comparison_direction LT`: the first word has to be the row's.
      char kind[64];
      snprintf(kind, sizeof kind, "%.*s ", (int)(space - from), from);
      if (row && row->generic && strchr(row->generic, ' ') && !strstr(row->generic, kind)) return NULL;
      from = space + 1;
    }
    size_t len = strlen(from);
    if (n + len + 2 > sizeof text) return NULL;
    if (n) text[n++] = ',';
    memcpy(text + n, from, len);
    n += len;
  }
  text[n] = 0;
  return ir_attr_keyword(ctx, text);
}

ir_attr_t p_normalize(ir_ctx_t *ctx, const ir_spec_attr_t *a, ir_attr_t v) {
  switch (a->kind) {
    case IR_AK_ENUM:
      if (v->kind == IR_A_KEYWORD) return v;
      if (v->kind == IR_A_INT) return enum_word(ctx, a->enums, ir_int(v, 0));
      if (v->kind == IR_A_STRING) return ir_attr_keyword(ctx, ir_bytes(v));
      if (v->kind == IR_A_DIALECT) return enum_of_dialect(ctx, a->enums, v);
      return NULL;
    case IR_AK_I64S: {
      if (v->kind == IR_A_DENSE_ARRAY) return v;
      if (v->kind == IR_A_DENSE) {
        ir_type_t element = ir_type_element(ir_dense_type(v));
        size_t size = ir_type_storage_bytes(element);
        int64_t count = ir_type_n_elements(ir_dense_type(v));
        if (count < 0 || count > 65536 || !ir_type_is_integer_like(element)) return NULL;
        int64_t *values = IREE_ARENA_ARRAY(&ctx->arena, int64_t, count + 1);
        for (int64_t i = 0; i < count; ++i)
          memcpy(&values[i], (const char *)ir_dense_data(v) + (ir_dense_is_splat(v) ? 0 : (size_t)i * size), size);
        for (int64_t i = 0; i < count && size < 8; ++i)
          values[i] = (int64_t)((uint64_t)values[i] << (64 - 8 * size)) >> (64 - 8 * size);
        return ir_attr_dense_array(ctx, a->type, values, (size_t)count);
      }
      if (v->kind == IR_A_ARRAY) {
        int64_t *values = IREE_ARENA_ARRAY(&ctx->arena, int64_t, v->n_kids + 1);
        for (uint32_t i = 0; i < v->n_kids; ++i) {
          ir_attr_t k = ir_kid(v, i);
          if (k->kind != IR_A_INT && k->kind != IR_A_BOOL) return NULL;
          values[i] = ir_int(k, 0);
        }
        return ir_attr_dense_array(ctx, a->type, values, v->n_kids);
      }
      return NULL;
    }
    case IR_AK_I64: return v->kind == IR_A_INT || v->kind == IR_A_FLOAT || v->kind == IR_A_BOOL ? v : NULL;
    case IR_AK_BOOL: return v->kind == IR_A_BOOL ? v : NULL;
    case IR_AK_SYM:
    case IR_AK_STR: return v->kind == IR_A_STRING ? v : NULL;
    case IR_AK_SYMREF: return v->kind == IR_A_SYMREF ? v : NULL;
    case IR_AK_TYPE: return ir_type_is_type(v) ? v : NULL;
    case IR_AK_UNIT: return v->kind == IR_A_UNIT ? v : NULL;
    case IR_AK_ANY: return v;
  }
  return NULL;
}
