// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types: builtin ones spelled out, dialect types as name and parameters.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/parse_internal.h"
#include "compiler/ir/suggest.h"

enum { MAX_RANK = P_MAX_RANK };

void p_types_push(ir_parser_t *p, ir_type_list_t *list, ir_type_t type) {
  IREE_ARENA_PUSH(&p->ctx->arena, list->types, list->n, list->cap, type);
}

static bool tok_is(ir_token_t t, const char *text) {
  return t.n == strlen(text) && !memcmp(t.text, text, t.n);
}

static ir_type_t word_type(ir_parser_t *p, ir_token_t t) {
  if (t.kind != TOK_WORD) return NULL;
  if (tok_is(t, "index")) return ir_type_index(p->ctx);
  if (tok_is(t, "none")) return ir_type_none(p->ctx);
  for (int k = 0; k < IR_FLOAT_COUNT; ++k)
    if (tok_is(t, ir_float_spelling((ir_float_t)k))) return ir_type_float(p->ctx, (ir_float_t)k);
  size_t skip = t.n > 2 && (!memcmp(t.text, "si", 2) || !memcmp(t.text, "ui", 2)) ? 2
                : t.text[0] == 'i'                                               ? 1
                                                                                 : 0;
  if (!skip || skip == t.n || t.n - skip > 8 || t.text[skip] == '0') return NULL;
  unsigned width = 0;
  for (size_t i = skip; i < t.n; ++i) {
    if (t.text[i] < '0' || t.text[i] > '9') return NULL;
    width = width * 10 + (unsigned)(t.text[i] - '0');
  }
  if (width > (1u << 24)) return NULL;
  return ir_type_int(p->ctx, width, skip == 1 ? IR_SIGNLESS : t.text[0] == 's' ? IR_SIGNED : IR_UNSIGNED);
}

static bool is_type_word(ir_token_t t) {
  static const char *const words[] = {"tensor", "memref", "vector", "tuple", "complex"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (tok_is(t, words[i])) return true;
  return false;
}

bool p_at_type(ir_parser_t *p) {
  ir_token_t t = p_peek(p);
  if (t.kind == TOK_BANG) return true;
  if (t.kind == TOK_WORD) return is_type_word(t) || word_type(p, t);
  return t.kind == TOK_PUNCT && tok_is(t, "(");
}

// `4x?x[8]x` as raw characters, up to the element type.
static bool dims(ir_parser_t *p, int64_t *out, size_t *out_rank, int64_t *scalable) {
  const char *at = ir_lex_skip(p->has_tok ? p->tok.text : p->at, p->end);
  size_t rank = 0;
  *scalable = 0;
  for (;;) {
    const char *q = at;
    bool bracket = q < p->end && *q == '[';
    if (bracket) ++q;
    int64_t extent = 0;
    if (q < p->end && *q == '?') {
      extent = IR_DYNAMIC;
      ++q;
    } else {
      const char *digits = q;
      while (q < p->end && *q >= '0' && *q <= '9') {
        if (__builtin_mul_overflow(extent, 10, &extent) ||
            __builtin_add_overflow(extent, *q - '0', &extent)) {
          p_seek(p, at);
          return p_error(p, "extent does not fit 64 bits");
        }
        ++q;
      }
      if (q == digits) break;
    }
    if (bracket && q < p->end && *q == ']') ++q;
    while (q < p->end && *q == ' ') ++q;
    if (q >= p->end || *q != 'x') break;
    if (rank == MAX_RANK) {
      p_seek(p, at);
      return p_error(p, "more than %d dimensions", MAX_RANK);
    }
    if (bracket) *scalable |= 1ll << rank;
    out[rank++] = extent;
    at = ir_lex_skip(q + 1, p->end);
  }
  p_seek(p, at);
  *out_rank = rank;
  return true;
}

// Counts of elements are computed in 64 bits from here on.
bool p_is_countable(const int64_t *dims, size_t rank) {
  int64_t count = 1;
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] == 0) return true;
  for (size_t i = 0; i < rank; ++i)
    if (dims[i] != IR_DYNAMIC && __builtin_mul_overflow(count, dims[i], &count)) return false;
  return true;
}

static bool shaped(ir_parser_t *p, ir_term_kind_t kind, ir_type_t *out) {
  int64_t d[MAX_RANK + 1], scalable;
  size_t rank = 0;
  const ir_term_t *kids[3] = {0};
  ir_token_t start = p_peek(p);
  if (!p_expect(p, "<")) return false;
  bool unranked = false;
  if (kind != IR_T_VECTOR && p_at(p, "*")) {
    p_next(p);
    // `*x` then the element: the x may be glued to the element's word.
    const char *at = p->at;
    if (at >= p->end || *at != 'x') return p_error(p, "expected 'x' after '*'");
    p_seek(p, at + 1);
    unranked = true;
  } else if (!dims(p, d, &rank, &scalable)) {
    return false;
  }
  if (!p_is_countable(d, rank)) return p_error(p, "more elements than 64 bits can count");
  if (!p_type(p, &kids[0])) return false;
  size_t n_kids = kind == IR_T_VECTOR ? 1 : kind == IR_T_TENSOR ? 2 : 3;
  if (kind == IR_T_TENSOR && p_accept(p, ",")) {
    if (!p_attr(p, &kids[1])) return false;
  } else if (kind == IR_T_MEMREF) {
    while (p_accept(p, ",")) {
      ir_attr_t a;
      if (!p_attr(p, &a)) return false;
      kids[(a->kind == IR_A_MAP || a->kind == IR_A_STRIDED) && !kids[1] ? 1 : 2] = a;
    }
  }
  if (!p_expect(p, ">")) return false;
  if (unranked) {
    *out = kind == IR_T_TENSOR
               ? ir_term(p->ctx, IR_T_UNRANKED_TENSOR, NULL, 0, kids, 1, NULL, 0)
               : ir_term(p->ctx, IR_T_UNRANKED_MEMREF, NULL, 0,
                         (const ir_term_t *[]){kids[0], kids[2]}, 2, NULL, 0);
    return true;
  }
  if (kind == IR_T_VECTOR) d[rank++] = scalable;
  *out = ir_term(p->ctx, kind, d, rank, kids, n_kids, NULL, 0);
  return kind != IR_T_TENSOR || !kids[1] || p_check_term(p, start, out);
}

static bool function_type(ir_parser_t *p, ir_type_t *out) {
  ir_type_list_t in = {0}, result = {0};
  if (!p_paren_types(p, &in) || !p_expect(p, "->") || !p_paren_types(p, &result)) return false;
  *out = ir_type_function(p->ctx, in.types, in.n, result.types, result.n);
  return true;
}

static bool dialect_type(ir_parser_t *p, ir_type_t *out) {
  ir_token_t t = p_peek(p);
  if (!memchr(t.text, '.', t.n)) {
    // `!alias`, or `!dialect<name ...>` of the older spelling.
    const char *after = t.text + t.n;
    if (!(after < p->end && *after == '<')) {
      p_next(p);
      return (*out = p_alias_attr(p, t)) != NULL;
    }
  }
  p_next(p);
  ir_attr_t *params = NULL;
  size_t n = 0;
  const char *after = t.text + t.n;
  if (after < p->end && *after == '<' && !p_params(p, &params, &n)) return false;
  iree_string_view_t name = p_dialect_name(p, t);
  *out = ir_term(p->ctx, IR_T_DIALECT, NULL, 0, params, n, name.data, name.size);
  return p_check_term(p, t, out);
}

// What is written elsewhere for a type, and what is near one.
static const char *meant_type(ir_token_t t) {
  static const char *const elsewhere[][2] = {
      {"float", "f32"},   {"float32", "f32"}, {"double", "f64"}, {"float64", "f64"}, {"half", "f16"},  {"float16", "f16"},
      {"bfloat16", "bf16"}, {"int", "i32"},   {"int8", "i8"},    {"int16", "i16"},   {"int32", "i32"}, {"int64", "i64"},
      {"uint8", "ui8"},   {"uint16", "ui16"}, {"uint32", "ui32"}, {"uint64", "ui64"}, {"bool", "i1"},  {"pred", "i1"},
      {"u8", "ui8"},      {"u32", "ui32"},    {"s32", "i32"},    {"s8", "i8"},        {"c64", "complex<f32>"}};
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; ++i)
    if (tok_is(t, elsewhere[i][0])) return elsewhere[i][1];
  static const char *const words[] = {"tensor", "complex", "tuple", "vector", "memref", "index", "none"};
  suggest_t s = suggest_begin(iree_make_string_view(t.text, t.n));
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) suggest_try(&s, words[i]);
  return s.best;
}
static bool type_body(ir_parser_t *p, ir_type_t *out) {
  ir_token_t t = p_peek(p);
  if (t.kind == TOK_BANG) return dialect_type(p, out);
  if (t.kind == TOK_PUNCT && tok_is(t, "(")) return function_type(p, out);
  if (t.kind == TOK_WORD) {
    if ((*out = word_type(p, t))) {
      p_next(p);
      return true;
    }
    if (is_type_word(t)) {
      p_next(p);
      if (tok_is(t, "tensor")) return shaped(p, IR_T_TENSOR, out);
      if (tok_is(t, "memref")) return shaped(p, IR_T_MEMREF, out);
      if (tok_is(t, "vector")) return shaped(p, IR_T_VECTOR, out);
      ir_type_list_t members = {0};
      if (!p_expect(p, "<")) return false;
      if (!p_at(p, ">") && !p_types(p, &members)) return false;
      if (!p_expect(p, ">")) return false;
      if (tok_is(t, "tuple")) {
        *out = ir_type_tuple(p->ctx, members.types, members.n);
        return true;
      }
      if (members.n != 1) return p_error_at(p, t, "complex takes one element type");
      *out = ir_type_complex(p->ctx, members.types[0]);
      return true;
    }
  }
  const char *meant = t.kind == TOK_WORD ? meant_type(t) : NULL;
  return meant ? p_error(p, "'%.*s' is no type; did you mean '%s'?", (int)t.n, t.text, meant)
               : p_error(p, "expected a type");
}

bool p_type(ir_parser_t *p, ir_type_t *out) {
  *out = NULL;
  if (!p_enter(p)) return false;
  bool ok = type_body(p, out);
  p_leave(p);
  return ok;
}

bool p_types(ir_parser_t *p, ir_type_list_t *list) {
  do {
    ir_type_t type;
    if (!p_type(p, &type)) return false;
    p_types_push(p, list, type);
  } while (p_accept(p, ","));
  return true;
}

bool p_paren_types(ir_parser_t *p, ir_type_list_t *list) {
  if (!p_at(p, "(")) {
    ir_type_t type;
    if (!p_type(p, &type)) return false;
    p_types_push(p, list, type);
    return true;
  }
  p_next(p);
  if (p_accept(p, ")")) return true;
  return p_types(p, list) && p_expect(p, ")");
}
