// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes an op's row apart, once per context and kind: the strings of the table become ir_spec_t.
// The columns and the form language are described at the head of compiler/dialects/ops.h. A row
// that does not parse is a fault of ours, shown by the test that compiles every row.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/context.h"
#include "compiler/ir/parser.h"

typedef struct { const char *p; } words_t;
static bool next_word(words_t *w, const char **text, size_t *n) {
  while (*w->p == ' ' || *w->p == '\n') ++w->p;
  *text = w->p;
  while (*w->p && *w->p != ' ' && *w->p != '\n') ++w->p;
  *n = (size_t)(w->p - *text);
  return *n > 0;
}
static size_t count_words(const char *text) {
  words_t w = {text};
  const char *t;
  size_t n, count = 0;
  while (next_word(&w, &t, &n)) ++count;
  return count;
}

static const ir_spec_name_t *names_of(ir_ctx_t *ctx, const char *text, size_t *out_n,
                                      bool *out_variadic, bool *out_segmented) {
  size_t n = count_words(text), flexible = 0;
  ir_spec_name_t *names = IREE_ARENA_ARRAY(&ctx->arena, ir_spec_name_t, n + 1);
  words_t w = {text};
  const char *t;
  size_t len;
  for (size_t i = 0; next_word(&w, &t, &len); ++i) {
    const char *colon = memchr(t, ':', len);
    size_t name_len = colon ? (size_t)(colon - t) : len;
    char last = t[name_len - 1];
    names[i].count = last == '?' || last == '*' ? last : ' ';
    if (names[i].count != ' ') --name_len, ++flexible;
    names[i].name = ir_intern(ctx, t, name_len);
    if (!colon) continue;
    names[i].constraint = ir_intern(ctx, colon + 1, (size_t)(t + len - colon - 1));
    if (colon[1] != '=') names[i].fixed = ir_parse_attr(ctx, iree_make_cstring_view(names[i].constraint));
  }
  *out_n = n;
  *out_variadic = flexible > 0;
  *out_segmented = flexible > 1;
  return names;
}

static ir_type_t number_type(ir_ctx_t *ctx, const char *k, size_t n) {
  if (n == 5 && !memcmp(k, "index", 5)) return ir_type_index(ctx);
  if (n >= 2 && k[0] == 'i' && k[1] >= '0' && k[1] <= '9') return ir_type_i(ctx, (unsigned)atoi(k + 1));
  if (n == 3 && !memcmp(k, "f32", 3)) return ir_type_float(ctx, IR_F32);
  if (n == 3 && !memcmp(k, "f64", 3)) return ir_type_float(ctx, IR_F64);
  return NULL;
}

static bool is(const char *t, size_t n, const char *word) { return n == strlen(word) && !memcmp(t, word, n); }

static void attr_kind_of(ir_ctx_t *ctx, ir_spec_attr_t *a, const char *k, size_t n) {
  if (is(k, n, "bool")) a->kind = IR_AK_BOOL;
  else if (is(k, n, "str")) a->kind = IR_AK_STR;
  else if (is(k, n, "sym")) a->kind = IR_AK_SYM;
  else if (is(k, n, "symref")) a->kind = IR_AK_SYMREF;
  else if (is(k, n, "type")) a->kind = IR_AK_TYPE;
  else if (is(k, n, "unit")) a->kind = IR_AK_UNIT, a->optional = true;
  else if (is(k, n, "bools")) a->kind = IR_AK_I64S, a->type = ir_type_i(ctx, 1);
  else if (n > 5 && !memcmp(k, "enum(", 5))
    a->kind = IR_AK_ENUM, a->enums = ir_enum_lookup(k + 5, n - 6);
  else if (k[n - 1] == 's' && number_type(ctx, k, n - 1))
    a->kind = IR_AK_I64S, a->type = number_type(ctx, k, n - 1);
  else if ((a->type = number_type(ctx, k, n)))
    a->kind = IR_AK_I64;
  else
    a->kind = IR_AK_ANY;
}

static const ir_spec_attr_t *attrs_of(ir_ctx_t *ctx, const char *text, size_t *out_n) {
  size_t n = count_words(text);
  ir_spec_attr_t *attrs = IREE_ARENA_ARRAY(&ctx->arena, ir_spec_attr_t, n + 1);
  words_t w = {text};
  const char *t;
  size_t len;
  for (size_t i = 0; next_word(&w, &t, &len); ++i) {
    const char *colon = memchr(t, ':', len);
    size_t name_len = colon ? (size_t)(colon - t) : len;
    if (t[name_len - 1] == '?') attrs[i].optional = true, --name_len;
    attrs[i].name = ir_intern(ctx, t, name_len);
    if (!colon) continue;
    const char *kind = colon + 1, *equals = memchr(kind, '=', (size_t)(t + len - kind));
    size_t kind_len = equals ? (size_t)(equals - kind) : (size_t)(t + len - kind);
    attr_kind_of(ctx, &attrs[i], kind, kind_len);
    if (equals) {
      attrs[i].default_text = ir_intern(ctx, equals + 1, (size_t)(t + len - equals - 1));
      attrs[i].optional = true;
    }
  }
  *out_n = n;
  return attrs;
}

// ---- forms
static int name_index(const ir_spec_name_t *names, size_t n_names, const char *t, size_t n) {
  for (size_t i = 0; i < n_names; ++i)
    if (!strncmp(names[i].name, t, n) && !names[i].name[n]) return (int)i;
  return -1;
}
static int string_index(const char *const *names, size_t n_names, const char *t, size_t n) {
  for (size_t i = 0; i < n_names; ++i)
    if (!strncmp(names[i], t, n) && !names[i][n]) return (int)i;
  return -1;
}

static bool element_of(const ir_spec_t *spec, const char *t, size_t n, ir_form_t *f) {
  if ((f->index = name_index(spec->operands, spec->n_operands, t, n)) >= 0)
    f->kind = IR_F_OPERAND;
  else if ((f->index = ir_spec_attr_index(spec, t, n)) >= 0)
    f->kind = IR_F_ATTR;
  else if ((f->index = string_index(spec->regions, spec->n_regions, t, n)) >= 0)
    f->kind = IR_F_REGION;
  else if ((f->index = string_index(spec->succs, spec->n_succs, t, n)) >= 0)
    f->kind = IR_F_SUCC;
  else if ((f->index = name_index(spec->results, spec->n_results, t, n)) >= 0)
    f->kind = IR_F_RESULT_TYPE;
  else
    return false;
  return true;
}

// `type($x)`, `succ($dest,$args)`, `name($a,$b)`: the part between the parentheses.
static size_t call_args(const ir_spec_t *spec, ir_ctx_t *ctx, const char *t, size_t n, ir_form_t **out) {
  const char *open = memchr(t, '(', n);
  ir_form_t *args = IREE_ARENA_ARRAY(&ctx->arena, ir_form_t, 8);
  size_t count = 0;
  for (const char *p = open + 1; p < t + n && *p != ')' && count < 8;) {
    const char *q = p;
    while (q < t + n && *q != ',' && *q != ')') ++q;
    if (*p != '$' || !element_of(spec, p + 1, (size_t)(q - p - 1), &args[count])) abort();
    ++count;
    p = *q == ',' ? q + 1 : q;
  }
  *out = args;
  return count;
}

static const ir_directive_t *directive_of(ir_ctx_t *ctx, const char *t, size_t n) {
  for (size_t i = 0; i < ctx->tables.n_directives; ++i)
    if (is(t, n, ctx->tables.directives[i].name)) return &ctx->tables.directives[i];
  return NULL;
}

static const ir_form_t *form_of(ir_ctx_t *ctx, const ir_spec_t *spec, words_t *w, int depth, bool *out_else) {
  ir_form_t *head = NULL, **tail = &head;
  const char *t;
  size_t n;
  bool anchored = false;
  while (next_word(w, &t, &n)) {
    if (depth && (is(t, n, "?)") || is(t, n, "(|"))) {
      *out_else = t[0] == '(';
      break;
    }
    ir_form_t *f = IREE_ARENA_NEW(&ctx->arena, ir_form_t);
    *tail = f;
    tail = (ir_form_t **)&f->next;
    bool anchor = n > 1 && t[n - 1] == '^';
    if (anchor) --n;
    ir_form_t *args;
    if (is(t, n, "(?")) {
      bool has_else = false, ignored;
      f->kind = IR_F_OPTIONAL;
      f->then = form_of(ctx, spec, w, depth + 1, &has_else);
      if (has_else) f->otherwise = form_of(ctx, spec, w, depth + 1, &ignored);
    } else if (is(t, n, "attr-dict")) {
      f->kind = IR_F_ATTR_DICT;
    } else if (is(t, n, "attr-dict-with-keyword")) {
      f->kind = IR_F_ATTR_DICT_KW;
    } else if (is(t, n, "functional")) {
      f->kind = IR_F_FUNCTIONAL;
    } else if (is(t, n, "operands")) {
      f->kind = IR_F_OPERANDS;
    } else if (is(t, n, "operand-types")) {
      f->kind = IR_F_OPERAND_TYPES;
    } else if (is(t, n, "result-types")) {
      f->kind = IR_F_RESULT_TYPES;
    } else if (t[0] == '$') {
      if (!element_of(spec, t + 1, n - 1, f)) abort();
      if (f->kind == IR_F_RESULT_TYPE) abort();
      anchor = anchor || !anchored;
      anchored = true;
    } else if (n > 5 && !memcmp(t, "type($", 6)) {
      call_args(spec, ctx, t, n, &args);
      *f = (ir_form_t){.kind = args[0].kind == IR_F_OPERAND ? IR_F_TYPE : IR_F_RESULT_TYPE,
                       .index = args[0].index};
    } else if (n > 5 && !memcmp(t, "succ($", 6)) {
      size_t count = call_args(spec, ctx, t, n, &args);
      *f = (ir_form_t){.kind = IR_F_SUCC_ARGS, .index = args[0].index,
                       .index2 = count > 1 ? args[1].index : -1};
    } else {
      const char *open = memchr(t, '(', n);
      const ir_directive_t *directive =
          open && open > t ? directive_of(ctx, t, (size_t)(open - t)) : NULL;
      if (directive) {
        f->kind = IR_F_CUSTOM;
        f->directive = directive;
        f->n_args = call_args(spec, ctx, t, n, &args);
        f->args = args;
        anchor = anchor || !anchored;
        anchored = true;
      } else {
        f->kind = IR_F_LITERAL;
        f->text = ir_intern(ctx, t, n);
      }
    }
    f->anchor = anchor;
  }
  return head;
}

const ir_spec_t *ir_spec(ir_ctx_t *ctx, ir_kind_t kind) {
  if (ctx->specs[kind]) return ctx->specs[kind];
  static const ir_op_info_t unregistered = {"", "operands*", "results*", "", "", "", 0, 0, NULL, ""};
  const ir_op_info_t *info = kind ? &ctx->tables.ops[kind] : &unregistered;
  ir_spec_t *spec = IREE_ARENA_NEW(&ctx->arena, ir_spec_t);
  spec->ctx = ctx;
  spec->kind = kind;
  spec->info = info;
  spec->operands = names_of(ctx, info->operands, &spec->n_operands, &spec->operands_variadic,
                            &spec->operands_segmented);
  spec->results = names_of(ctx, info->results, &spec->n_results, &spec->results_variadic,
                           &spec->results_segmented);
  spec->attrs = attrs_of(ctx, info->attrs, &spec->n_attrs);
  spec->sym_name_slot = info->traits & IR_SYMBOL ? ir_spec_attr_index(spec, "sym_name", 8) : -1;
  size_t n_blocks = count_words(info->blocks);
  const char **regions = IREE_ARENA_ARRAY(&ctx->arena, const char *, n_blocks + 1);
  ir_kind_t *terms = IREE_ARENA_ARRAY(&ctx->arena, ir_kind_t, n_blocks + 1);
  const char **succs = IREE_ARENA_ARRAY(&ctx->arena, const char *, n_blocks + 1);
  words_t w = {info->blocks};
  const char *t;
  size_t n;
  while (next_word(&w, &t, &n)) {
    if (t[0] == '>') {
      if (t[n - 1] == '*') spec->succs_variadic = true, --n;
      succs[spec->n_succs++] = ir_intern(ctx, t + 1, n - 1);
    } else {
      const char *colon = memchr(t, ':', n);
      if (colon) {
        terms[spec->n_regions] = ir_kind_lookup(ctx, iree_make_string_view(colon + 1, (size_t)(t + n - colon - 1)));
        n = (size_t)(colon - t);
      }
      if (t[n - 1] == '*') spec->regions_variadic = true, --n;
      regions[spec->n_regions++] = ir_intern(ctx, t, n);
    }
  }
  spec->regions = regions;
  spec->region_terms = terms;
  spec->succs = succs;
  ctx->specs[kind] = spec;
  words_t form = {info->form};
  bool ignored;
  spec->form = form_of(ctx, spec, &form, 0, &ignored);
  return spec;
}
