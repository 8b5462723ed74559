// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser's core: cursor, errors, names, blocks, ops in both forms, whole files.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/bytecode.h"
#include "compiler/ir/parse_internal.h"
#include "compiler/ir/suggest.h"
#include "compiler/ir/printer.h"

// ---- cursor
static bool tok_is(ir_token_t t, const char *text) {
  return t.n == strlen(text) && !memcmp(t.text, text, t.n);
}
ir_token_t p_peek(ir_parser_t *p) {
  if (!p->has_tok) {
    p->tok = ir_lex(p->at, p->end);
    p->at = p->tok.text + p->tok.n;
    p->has_tok = true;
  }
  return p->tok;
}
void p_next(ir_parser_t *p) {
  p_peek(p);
  p->has_tok = false;
}
void p_seek(ir_parser_t *p, const char *at) {
  p->at = at;
  p->has_tok = false;
}
bool p_at(ir_parser_t *p, const char *literal) {
  ir_token_t t = p_peek(p);
  return (t.kind == TOK_WORD || t.kind == TOK_PUNCT) && tok_is(t, literal);
}
bool p_accept(ir_parser_t *p, const char *literal) {
  if (!p_at(p, literal)) return false;
  p_next(p);
  return true;
}
bool p_expect(ir_parser_t *p, const char *literal) {
  if (p_accept(p, literal)) return true;
  return p_error(p, "expected '%s'", literal);
}
bool p_accept_word(ir_parser_t *p, const char **out_word) {
  ir_token_t t = p_peek(p);
  if (t.kind != TOK_WORD) return false;
  p_next(p);
  *out_word = ir_intern(p->ctx, t.text, t.n);
  return true;
}
bool p_expect_word(ir_parser_t *p, const char **out_word) {
  return p_accept_word(p, out_word) || p_error(p, "expected a keyword");
}
ir_ctx_t *p_ctx(ir_parser_t *p) { return p->ctx; }
bool p_enter(ir_parser_t *p) {
  if (p->depth++ < P_MAX_DEPTH) return true;
  --p->depth;
  return p_error(p, "nested deeper than %d", P_MAX_DEPTH);
}
void p_leave(ir_parser_t *p) { --p->depth; }

// ---- errors
ir_loc_t p_loc(ir_parser_t *p, ir_token_t at) {
  // Lines are counted from the last position asked for: parsing asks in order.
  const char *from = p->line_at;
  int64_t line = p->line;
  if (!from || at.text < from) from = p->begin, line = 1;
  for (const char *q = from; q < at.text && (q = memchr(q, '\n', (size_t)(at.text - q))); ++q) ++line;
  p->line_at = at.text;
  p->line = line;
  const char *start = at.text;
  while (start > p->begin && start[-1] != '\n') --start;
  return ir_loc_file(p->ctx, p->file, line, at.text - start + 1);
}
static bool report(ir_parser_t *p, ir_token_t at, const char *format, va_list args) {
  if (p->quiet) return false;
  char text[1024];
  vsnprintf(text, sizeof text, format, args);
  if (p->n_errors++ < P_MAX_ERRORS) {
    char shown[48];
    snprintf(shown, sizeof shown, "%.*s", (int)(at.n < 40 ? at.n : 40), at.text);
    bool expected = !strncmp(text, "expected", 8) && at.kind != TOK_EOF;
    iree_status_ignore(at.kind == TOK_EOF ? ir_error(p->ctx, p_loc(p, at), "%s, found the end of the file", text)
                       : expected         ? ir_error(p->ctx, p_loc(p, at), "%s, found '%s'", text, shown)
                                          : ir_error(p->ctx, p_loc(p, at), "%s", text));
  }
  return false;
}
bool p_error_at(ir_parser_t *p, ir_token_t at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(p, at, format, args);
  va_end(args);
  return false;
}
bool p_error(ir_parser_t *p, const char *format, ...) {
  if (p->quiet) return false;
  va_list args;
  va_start(args, format);
  report(p, p_peek(p), format, args);
  va_end(args);
  return false;
}

// ---- aliases: positions found by one scan of the file, values read on first use
static void scan_aliases(ir_parser_t *p) {
  for (const char *line = p->begin; line < p->end;) {
    if (*line == '#' || *line == '!') {
      ir_token_t name = ir_lex(line, p->end);
      ir_token_t equals = ir_lex(name.text + name.n, p->end);
      if ((name.kind == TOK_HASH || name.kind == TOK_BANG) && tok_is(equals, "=")) {
        p_alias_t alias = {ir_intern(p->ctx, name.text, name.n), equals.text + 1, NULL, false};
        IREE_ARENA_PUSH(&p->ctx->arena, p->aliases, p->n_aliases, p->alias_cap, alias);
        if (!ir_map_get(p->alias_of, alias.name)) ir_map_set(p->alias_of, alias.name, (void *)(uintptr_t)p->n_aliases);
      }
    }
    line = memchr(line, '\n', (size_t)(p->end - line));
    if (!line) break;
    ++line;
  }
}
ir_attr_t p_alias_attr(ir_parser_t *p, ir_token_t t) {
  const char *name = ir_intern(p->ctx, t.text, t.n);
  size_t index = (size_t)(uintptr_t)ir_map_get(p->alias_of, name);
  if (!index) {
    p_error_at(p, t, "undefined alias '%s'", name);
    return NULL;
  }
  p_alias_t *alias = &p->aliases[index - 1];
  if (alias->value) return alias->value;
  if (alias->busy) {
    p_error_at(p, t, "alias '%s' refers to itself", name);
    return NULL;
  }
  alias->busy = true;
  const char *back = p->has_tok ? p->tok.text : p->at;
  p_seek(p, alias->body);
  ir_attr_t value = NULL;
  bool ok = name[0] == '!' ? p_type(p, &value) : p_attr(p, &value);
  alias->busy = false;
  if (!ok) return NULL;
  p_seek(p, back);
  return alias->value = value;
}

// ---- names of values
static size_t bucket_of(const char *name) { return ((uintptr_t)name >> 4) * 2654435761u % P_BUCKETS; }
static void scope_push(ir_parser_t *p, p_scope_t *scope, bool isolated) {
  *scope = (p_scope_t){.outer = p->scope, .isolated = isolated};
  p->scope = scope;
}
static bool scope_pop(ir_parser_t *p) {
  bool ok = true;
  p_scope_t *scope = p->scope;
  for (p_name_t *n = scope->names; n; n = n->next_in_scope) {
    p->buckets[bucket_of(n->name)] = n->next_in_bucket;
    if (n->forward && ok) ok = p_error_at(p, n->at, "use of undefined value '%%%s'", n->name);
  }
  p->scope = scope->outer;
  return ok;
}
static p_name_t *name_find(ir_parser_t *p, const char *name) {
  p_name_t *n = p->buckets[bucket_of(name)];
  while (n && n->name != name) n = n->next_in_bucket;
  return n;
}
static p_name_t *name_push(ir_parser_t *p, const char *name, ir_token_t at, uint32_t n) {
  p_name_t *entry = IREE_ARENA_NEW(&p->ctx->arena, p_name_t);
  size_t b = bucket_of(name);
  *entry = (p_name_t){.name = name, .n = n, .at = at, .next_in_bucket = p->buckets[b], .next_in_scope = p->scope->names};
  entry->values = IREE_ARENA_ARRAY(&p->ctx->arena, ir_value_t *, n + 1);
  p->buckets[b] = entry;
  p->scope->names = entry;
  return entry;
}
static bool name_in_scope(ir_parser_t *p, const p_name_t *entry) {
  for (p_name_t *n = p->scope->names; n; n = n->next_in_scope)
    if (n == entry) return true;
  return false;
}

static bool name_define(ir_parser_t *p, const char *name, ir_token_t at, ir_value_t *const *values, uint32_t n) {
  p_name_t *entry = name_find(p, name);
  if (entry && entry->forward && name_in_scope(p, entry)) {
    // The placeholders were used before: give their uses to the real values.
    for (uint32_t i = 0; i < entry->n; ++i) {
      if (!entry->values[i]) continue;
      if (i >= n) return p_error_at(p, entry->at, "'%%%s' has %u results, #%u is used", name, n, i);
      if (entry->values[i]->type != values[i]->type)
        return p_error_at(p, entry->at, "'%%%s' is used with another type than it is defined with", name);
      ir_replace_uses(entry->values[i], values[i]);
    }
    entry->forward = false;
    entry->n = n;
    entry->values = IREE_ARENA_ARRAY(&p->ctx->arena, ir_value_t *, n + 1);
    memcpy(entry->values, values, n * sizeof *values);
    return true;
  }
  if (entry && name_in_scope(p, entry) && !entry->poisoned) return p_error_at(p, at, "redefinition of '%%%s'", name);
  entry = name_push(p, name, at, n);
  memcpy(entry->values, values, n * sizeof *values);
  return true;
}

ir_value_t *p_resolve(ir_parser_t *p, ir_operand_ref_t ref, ir_type_t type) {
  p_name_t *entry = name_find(p, ref.name);
  if (entry && entry->poisoned) return NULL;  // told where it should be defined
  if (entry && !entry->forward) {
    if (ref.number >= entry->n) {
      p_error_at(p, ref.at, "'%%%s' has %u results, #%u is asked for", ref.name, entry->n, ref.number);
      return NULL;
    }
    ir_value_t *v = entry->values[ref.number];
    if (type && v->type != type) {
      p_error_at(p, ref.at, "'%%%s' has type %s, used here as %s", ref.name,
                 ir_print_term_to(&p->ctx->arena, v->type), ir_print_term_to(&p->ctx->arena, type));
      return NULL;
    }
    return v;
  }
  if (!type) {
    p_error_at(p, ref.at, "use of undefined value '%%%s'", ref.name);
    return NULL;
  }
  if (ref.number > 65535) {
    p_error_at(p, ref.at, "result number out of range");
    return NULL;
  }
  if (!entry) {
    entry = name_push(p, ref.name, ref.at, ref.number + 1);
    entry->forward = true;
  } else if (ref.number >= entry->n) {
    ir_value_t **grown = IREE_ARENA_ARRAY(&p->ctx->arena, ir_value_t *, ref.number + 2);
    memcpy(grown, entry->values, entry->n * sizeof *grown);
    entry->values = grown;
    entry->n = ref.number + 1;
  }
  ir_value_t **slot = &entry->values[ref.number];
  if (!*slot) {
    *slot = IREE_ARENA_NEW(&p->ctx->arena, ir_value_t);
    **slot = (ir_value_t){.type = type, .is_arg = true};
  } else if ((*slot)->type != type) {
    p_error_at(p, ref.at, "'%%%s' is used with two types", ref.name);
    return NULL;
  }
  return *slot;
}

bool p_resolve_list(ir_parser_t *p, const ir_ref_list_t *list, ir_value_t **out) {
  for (uint32_t i = 0; i < list->n; ++i)
    if (!(out[i] = p_resolve(p, list->refs[i], list->types[i]))) return false;
  return true;
}

// ---- operands
bool p_at_operand(ir_parser_t *p) { return p_peek(p).kind == TOK_VALUE; }
void p_ref_push(ir_parser_t *p, ir_ref_list_t *list, ir_operand_ref_t ref) {
  uint32_t n = list->n, cap = list->cap;
  IREE_ARENA_PUSH(&p->ctx->arena, list->refs, n, cap, ref);
  n = list->n, cap = list->cap;
  ir_type_t none = NULL;
  IREE_ARENA_PUSH(&p->ctx->arena, list->types, n, cap, none);
  list->n = n;
  list->cap = cap;
}
bool p_operand(ir_parser_t *p, ir_ref_list_t *list) {
  ir_token_t t = p_peek(p);
  if (t.kind != TOK_VALUE) return p_error(p, "expected an operand (%%name)");
  p_next(p);
  ir_operand_ref_t ref = {ir_intern(p->ctx, t.text + 1, t.n - 1), 0, t};
  const char *after = t.text + t.n;
  if (after < p->end && *after == '#') {
    p_seek(p, after + 1);
    int64_t number;
    if (!p_expect_int(p, &number)) return false;
    if (number < 0 || number > 65535) return p_error_at(p, t, "result number out of range");
    ref.number = (uint32_t)number;
  }
  p_ref_push(p, list, ref);
  return true;
}
bool p_operands(ir_parser_t *p, ir_ref_list_t *list) {
  do {
    if (!p_operand(p, list)) return false;
  } while (p_accept(p, ","));
  return true;
}
bool p_operands_until(ir_parser_t *p, ir_ref_list_t *list, const char *close) {
  if (p_accept(p, close)) return true;
  return p_operands(p, list) && p_expect(p, close);
}
bool p_list_set_type(ir_parser_t *p, ir_ref_list_t *list, ir_type_t type) {
  (void)p;
  for (uint32_t i = 0; i < list->n; ++i) list->types[i] = type;
  list->have_types = true;
  return true;
}
bool p_list_add_type(ir_parser_t *p, ir_ref_list_t *list, ir_type_t type) {
  for (uint32_t i = 0; i < list->n; ++i) {
    if (list->types[i]) continue;
    list->types[i] = type;
    list->have_types = true;
    return true;
  }
  return p_error(p, "more types than operands");
}
bool p_list_set_types(ir_parser_t *p, ir_ref_list_t *list, const ir_type_list_t *types) {
  if (types->n != list->n) return p_error(p, "%u types for %u operands", types->n, list->n);
  for (uint32_t i = 0; i < list->n; ++i) list->types[i] = types->types[i];
  list->have_types = true;
  return true;
}
int p_operand_group(const ir_op_state_t *s, const char *name) {
  for (size_t g = 0; g < s->spec->n_operands; ++g)
    if (!strcmp(s->spec->operands[g].name, name)) return (int)g;
  return -1;
}
int p_result_group(const ir_op_state_t *s, const char *name) {
  for (size_t g = 0; g < s->spec->n_results; ++g)
    if (!strcmp(s->spec->results[g].name, name)) return (int)g;
  return -1;
}

// ---- attributes of ops
static const char *kind_text(ir_ctx_t *ctx, const ir_spec_attr_t *a) {
  switch (a->kind) {
    case IR_AK_ANY: return "an attribute";
    case IR_AK_I64: return "a number, as in 1 : i64";
    case IR_AK_BOOL: return "true or false";
    case IR_AK_STR:
    case IR_AK_SYM: return "a string";
    case IR_AK_SYMREF: return "a symbol, as in @name";
    case IR_AK_TYPE: return "a type";
    case IR_AK_UNIT: return "a unit: its name alone";
    case IR_AK_ENUM: {
      const char *percent = a->enums && a->enums->words ? strchr(a->enums->generic, '%') : NULL;
      if (!percent) return "a word";
      char *out = IREE_ARENA_ARRAY(&ctx->arena, char, 200);
      snprintf(out, 200, "one of %.100s, as in %.*s%.*s>", a->enums->words, (int)(percent - a->enums->generic),
               a->enums->generic, (int)strcspn(a->enums->words, " ="), a->enums->words);
      return out;
    }
    case IR_AK_I64S: return "a list of numbers, as in array<i64: 1, 2>";
  }
  return "something else";
}
bool p_set_attr(ir_parser_t *p, ir_op_state_t *s, const char *name, ir_attr_t value) {
  int slot = ir_spec_attr_index(s->spec, name, strlen(name));
  if (slot >= 0) {
    s->attrs[slot] = p_normalize(p->ctx, &s->spec->attrs[slot], value);
    if (!s->attrs[slot])
      return p_error(p, "attribute '%s' must be %s, not %s", name, kind_text(p->ctx, &s->spec->attrs[slot]),
                     ir_print_term_to(&p->ctx->arena, value));
    return true;
  }
  ir_named_t named = {ir_intern(p->ctx, name, strlen(name)), value};
  IREE_ARENA_PUSH(&p->ctx->arena, s->extra, s->n_extra, s->extra_cap, named);
  return true;
}
ir_attr_t p_get_attr(const ir_op_state_t *s, const char *name) {
  int slot = ir_spec_attr_index(s->spec, name, strlen(name));
  if (slot >= 0) return s->attrs[slot];
  for (uint32_t i = 0; i < s->n_extra; ++i)
    if (!strcmp(s->extra[i].name, name)) return s->extra[i].value;
  return NULL;
}
// `{a = 1, b}`. As properties (`<{...}>`, `<a = 1>`) numbers take the type of the row's attribute.
static bool attr_entry_list(ir_parser_t *p, ir_op_state_t *s, bool typed, const char *close) {
  enum { MANY = 64 };  // lists beyond that are not looked through for doubles
  ir_attr_t seen[MANY];
  size_t n_seen = 0;
  if (p_accept(p, close)) return true;
  do {
    ir_attr_t name = NULL, value = ir_attr_unit(p->ctx);
    if (p_peek(p).kind == TOK_STRING) {
      if (!p_expect_string(p, &name)) return false;
    } else {
      const char *word = NULL;
      if (!p_expect_word(p, &word)) return false;
      name = ir_attr_str(p->ctx, word);
    }
    if (p_accept(p, "=")) {
      int slot = typed ? ir_spec_attr_index(s->spec, ir_bytes(name), name->n_bytes) : -1;
      const ir_spec_attr_t *a = slot >= 0 ? &s->spec->attrs[slot] : NULL;
      const char *word;
      bool keyword = a && a->kind == IR_AK_ENUM && p_peek(p).kind == TOK_WORD;
      if (keyword ? !p_expect_word(p, &word)
                  : !p_attr_typed(p, a && a->kind == IR_AK_I64 ? a->type : NULL, &value))
        return false;
      if (keyword) value = ir_attr_keyword(p->ctx, word);
      // A number of known type may still state it.
      ir_type_t stated;
      if (a && a->kind == IR_AK_I64 && p_accept(p, ":") && !p_type(p, &stated)) return false;
    }
    for (size_t i = 0; i < n_seen; ++i)
      if (seen[i] == name) return p_error(p, "attribute '%s' is given twice", ir_bytes(name));
    if (n_seen < MANY) seen[n_seen++] = name;
    if (!p_set_attr(p, s, ir_bytes(name), value)) return false;
  } while (p_accept(p, ","));
  return p_expect(p, close);
}
static bool attr_entries(ir_parser_t *p, ir_op_state_t *s) {
  return p_expect(p, "{") && attr_entry_list(p, s, false, "}");
}
// `<a = 1>` in the short form: only if the word after '<' is an attribute of the row.
static bool short_props(ir_parser_t *p, ir_op_state_t *s) {
  ir_token_t t = p_peek(p);
  if (!p_at(p, "<")) return true;
  ir_token_t word = ir_lex(t.text + 1, p->end);
  if (word.kind != TOK_WORD || ir_spec_attr_index(s->spec, word.text, word.n) < 0) return true;
  p_next(p);
  return attr_entry_list(p, s, true, ">");
}
bool p_attr_dict(ir_parser_t *p, ir_op_state_t *s) {
  return short_props(p, s) && (!p_at(p, "{") || attr_entries(p, s));
}
bool p_attr_dict_kw(ir_parser_t *p, ir_op_state_t *s) {
  return short_props(p, s) && (!p_accept(p, "attributes") || attr_entries(p, s));
}
bool p_props(ir_parser_t *p, ir_op_state_t *s) {
  return !p_accept(p, "<") || (p_expect(p, "{") && attr_entry_list(p, s, true, "}") && p_expect(p, ">"));
}

// ---- blocks and regions
static p_block_t *block_named(ir_parser_t *p, ir_token_t t) {
  const char *name = ir_intern(p->ctx, t.text, t.n);
  for (p_block_t *b = p->scope->blocks; b; b = b->next)
    if (b->name == name) return b;
  p_block_t *b = IREE_ARENA_NEW(&p->ctx->arena, p_block_t);
  *b = (p_block_t){.name = name, .block = ir_block_create(p->ctx, NULL), .at = t, .next = p->scope->blocks};
  p->scope->blocks = b;
  return b;
}

bool p_block_arg(ir_parser_t *p, ir_block_arg_ref_t *out) {
  ir_token_t t = p_peek(p);
  if (t.kind != TOK_VALUE) return p_error(p, "expected a block argument (%%name: type)");
  p_next(p);
  out->name = ir_intern(p->ctx, t.text + 1, t.n - 1);
  out->at = t;
  ir_loc_t ignored;
  return p_expect(p, ":") && p_type(p, &out->type) && p_loc_trailing(p, &ignored);
}

static bool define_arg(ir_parser_t *p, ir_block_t *block, const ir_block_arg_ref_t *arg) {
  ir_value_t *v = ir_block_add_arg(p->ctx, block, arg->type);
  return !arg->name || name_define(p, arg->name, arg->at.text ? arg->at : p_peek(p), &v, 1);
}

static bool op_parse(ir_parser_t *p, ir_block_t *block);

static bool block_header(ir_parser_t *p, ir_region_t *region, ir_block_t **out) {
  ir_token_t t = p_peek(p);
  p_next(p);
  p_block_t *b = block_named(p, t);
  if (b->defined) return p_error_at(p, t, "redefinition of block '%.*s'", (int)t.n, t.text);
  b->defined = true;
  *out = b->block;
  // Blocks first seen as a branch target are unlinked until their definition.
  ir_block_t *block = b->block;
  block->region = region;
  block->prev = region->last;
  *(region->last ? &region->last->next : &region->first) = block;
  region->last = block;
  if (p_accept(p, "(") && !p_accept(p, ")")) {
    do {
      ir_block_arg_ref_t arg;
      if (!p_block_arg(p, &arg) || !define_arg(p, block, &arg)) return false;
    } while (p_accept(p, ","));
    if (!p_expect(p, ")")) return false;
  }
  return p_expect(p, ":");
}

// Names of results of an op that could not be read: what uses them is no mistake of its own.
static void poison(ir_parser_t *p, const char *from, const char *to) {
  while (from < to && *from == '%') {
    ir_token_t t = ir_lex(from, p->end);
    if (t.kind != TOK_VALUE) return;
    const char *name = ir_intern(p->ctx, t.text + 1, t.n - 1);
    p_name_t *entry = name_find(p, name);
    if (!entry) entry = name_push(p, name, t, 0);
    else if (!entry->forward) return;  // another op's
    entry->forward = false;
    entry->poisoned = true;
    from = t.text + t.n;
    while (from < to && strchr(" ,:0123456789", *from)) ++from;
  }
}
// After an error in the op that begins at |from|: continues behind the line that ends it, which is
// the first past the error where no bracket of the op is open. False if the region ends before.
static bool skip_op(ir_parser_t *p, const char *from) {
  const char *error = p->has_tok ? p->tok.text : p->at;
  int depth = 0;
  if (p->lost || p->n_errors >= P_MAX_ERRORS || error < from) return false;
  poison(p, from, error);
  while (error > from && strchr(" \t\r\n", error[-1])) --error;  // what was read, not what follows
  for (const char *at = from; at < p->end; ++at) {
    switch (*at) {
      case '"':
        for (++at; at < p->end && *at != '"' && *at != '\n'; ++at) at += *at == '\\';
        break;
      case '/':
        if (at + 1 < p->end && at[1] == '/')
          while (at + 1 < p->end && at[1] != '\n') ++at;
        break;
      case '(': case '[': case '{': ++depth; break;
      case ')': case ']': case '}':
        if (depth-- > 0) break;
        p->lost = *at != '}';
        p_seek(p, at);
        return !p->lost;
      case '\n':
        if (depth || at < error) break;
        p_seek(p, at + 1);
        return true;
      default: break;
    }
  }
  p->lost = true;
  return false;
}

static bool region_body(ir_parser_t *p, ir_region_t *region, const ir_block_arg_ref_t *args, size_t n_args) {
  ir_block_t *block = NULL;
  if (n_args || p_peek(p).kind != TOK_BLOCK) {
    if (!n_args && p_at(p, "}")) {
      p_next(p);
      return true;  // no block at all
    }
    block = ir_block_create(p->ctx, region);
    for (size_t i = 0; i < n_args; ++i)
      if (!define_arg(p, block, &args[i])) return false;
  }
  while (!p_at(p, "}")) {
    ir_token_t t = p_peek(p);
    if (t.kind == TOK_EOF) return p_error(p, "expected '}'");
    if (t.kind == TOK_BLOCK) {
      if (!block_header(p, region, &block)) return false;
      continue;
    }
    const char *from = t.text;
    int depth = p->depth;
    struct p_default *dialect = p->default_dialect;
    if (op_parse(p, block)) continue;
    // The next op may have a mistake of its own to tell; the file fails in any case.
    p->depth = depth;
    p->default_dialect = dialect;
    if (p->quiet || !skip_op(p, from)) return false;
  }
  p_next(p);
  for (p_block_t *b = p->scope->blocks; b; b = b->next)
    if (!b->defined) return p_error_at(p, b->at, "branch to undefined block '%s'", b->name);
  return true;
}

ir_region_t *p_region_empty(ir_parser_t *p, ir_op_state_t *s) {
  ir_region_t *region = ir_region_create(p->ctx, NULL);
  IREE_ARENA_PUSH(&p->ctx->arena, s->regions, s->n_regions, s->region_cap, region);
  return region;
}

// Rows with `region:op` in BLOCKS may be written without that op at the end.
static void add_terminator(ir_parser_t *p, ir_op_state_t *s, ir_region_t *region) {
  size_t i = s->n_regions - 1, n = s->spec->n_regions;
  ir_kind_t kind = n ? s->spec->region_terms[i < n ? i : n - 1] : 0;
  if (!kind) return;
  if (!region->first) ir_block_create(p->ctx, region);
  if (ir_block_has_terminator(region->last)) return;
  ir_builder_t b = ir_builder_at_end(p->ctx, region->last);
  ir_build(&b, &(ir_op_desc_t){.kind = kind});  // op_finish sets its location
}

bool p_region(ir_parser_t *p, ir_op_state_t *s, const ir_block_arg_ref_t *args, size_t n_args) {
  if (!p_expect(p, "{") || !p_enter(p)) return false;
  ir_region_t *region = p_region_empty(p, s);
  p_scope_t scope;
  bool isolated = (s->spec->info->traits & IR_ISOLATED) != 0;
  p_name_t **saved = NULL;
  if (isolated) {  // nothing outside is visible: set the table aside
    saved = malloc(sizeof p->buckets);
    if (!saved) abort();
    memcpy(saved, p->buckets, sizeof p->buckets);
    memset(p->buckets, 0, sizeof p->buckets);
  }
  scope_push(p, &scope, isolated);
  bool ok = region_body(p, region, args, n_args);
  if (ok) add_terminator(p, s, region);
  ok = scope_pop(p) && ok;
  if (isolated) {
    memcpy(p->buckets, saved, sizeof p->buckets);
    free(saved);
  }
  p_leave(p);
  return ok;
}

// ---- successors
static bool successor(ir_parser_t *p, ir_op_state_t *s, bool with_operands) {
  ir_token_t t = p_peek(p);
  if (t.kind != TOK_BLOCK) return p_error(p, "expected a successor (^block)");
  p_next(p);
  ir_block_t *block = block_named(p, t)->block;
  ir_ref_list_t args = {0};
  if (with_operands && p_accept(p, "(") && !p_accept(p, ")")) {
    ir_type_list_t types = {0};
    if (!p_operands(p, &args) || !p_expect(p, ":") || !p_types(p, &types) ||
        !p_list_set_types(p, &args, &types) || !p_expect(p, ")"))
      return false;
  }
  uint32_t n = s->n_succs, cap = s->more_cap;
  IREE_ARENA_PUSH(&p->ctx->arena, s->more_succs, n, cap, block);
  s->more_cap = cap;
  n = s->n_succs, cap = s->more_args_cap;
  IREE_ARENA_PUSH(&p->ctx->arena, s->more_succ_args, n, cap, args);
  s->more_args_cap = cap;
  s->n_succs = n;
  return true;
}
bool p_successor(ir_parser_t *p, ir_op_state_t *s) { return successor(p, s, true); }
bool p_successor_block(ir_parser_t *p, ir_op_state_t *s) { return successor(p, s, false); }

bool p_loc_trailing(ir_parser_t *p, ir_loc_t *out) {
  *out = NULL;
  return !p_accept(p, "loc") || p_location(p, out);
}

// ---- ops
static void state_init(ir_parser_t *p, ir_op_state_t *s, ir_kind_t kind, ir_token_t at) {
  memset(s, 0, sizeof *s);
  s->kind = kind;
  s->spec = ir_spec(p->ctx, kind);
  s->at = at;
  s->operands = IREE_ARENA_ARRAY(&p->ctx->arena, ir_ref_list_t, s->spec->n_operands + 1);
  s->results = IREE_ARENA_ARRAY(&p->ctx->arena, ir_type_list_t, s->spec->n_results + 1);
  s->attrs = IREE_ARENA_ARRAY(&p->ctx->arena, ir_attr_t, s->spec->n_attrs + 1);
}

// Gives the flat operands of the generic form to the row's groups.
// "lhs, rhs", "inputs..., init": the operands of an op, for messages.
static const char *operand_names(ir_ctx_t *ctx, const ir_spec_t *spec) {
  size_t cap = 8, n = 0;
  for (size_t g = 0; g < spec->n_operands; ++g) cap += strlen(spec->operands[g].name) + 8;
  char *out = IREE_ARENA_ARRAY(&ctx->arena, char, cap);
  strcpy(out, "nothing");
  for (size_t g = 0; g < spec->n_operands; ++g)
    n += (size_t)snprintf(out + n, cap - n, "%s%s%s", g ? ", " : "", spec->operands[g].name,
                          spec->operands[g].count == '*' ? "..." : spec->operands[g].count == '?' ? " (optional)" : "");
  return out;
}
static bool split_groups(ir_parser_t *p, ir_op_state_t *s, const ir_ref_list_t *flat, ir_attr_t sizes) {
  const ir_spec_t *spec = s->spec;
  uint32_t first = 0;
  if (sizes && sizes->kind == IR_A_DENSE_ARRAY && sizes->n_ints != spec->n_operands)
    return p_error_at(p, s->at, "operandSegmentSizes has %u entries, '%s' has %zu operand groups",
                      sizes->n_ints, spec->info->name, spec->n_operands);
  // Without sizes, groups of any length share evenly what the others leave (as those of a reduce).
  size_t n_variadic = 0;
  for (size_t g = 0; g < spec->n_operands; ++g) n_variadic += spec->operands[g].count != ' ';
  int64_t shared = (int64_t)flat->n - (int64_t)(spec->n_operands - n_variadic);
  for (size_t g = 0; g < spec->n_operands; ++g) {
    int64_t n = sizes && sizes->kind == IR_A_DENSE_ARRAY ? ir_int(sizes, g)
                : spec->operands[g].count == ' '          ? 1
                : shared % (int64_t)n_variadic            ? -1
                                                          : shared / (int64_t)n_variadic;
    if (n < 0 || (uint64_t)first + (uint64_t)n > flat->n)
      return p_error_at(p, s->at, "'%s' has %u operand%s, which do not fit what it takes: %s", spec->info->name, flat->n,
                        flat->n == 1 ? "" : "s", operand_names(p->ctx, spec));
    s->operands[g] = (ir_ref_list_t){flat->refs + first, flat->types + first, (uint32_t)n, (uint32_t)n, true};
    first += (uint32_t)n;
  }
  if (first != flat->n) return p_error_at(p, s->at, "'%s' takes %u operands, %u given", spec->info->name, first, flat->n);
  return true;
}
static bool split_results(ir_parser_t *p, ir_op_state_t *s, const ir_type_list_t *flat, ir_attr_t sizes) {
  const ir_spec_t *spec = s->spec;
  uint32_t first = 0;
  if (sizes && sizes->n_ints != spec->n_results) sizes = NULL;
  for (size_t g = 0; g < spec->n_results; ++g) {
    int64_t n = sizes                              ? ir_int(sizes, g)
                : spec->results[g].count == ' '    ? 1
                                                   : (int64_t)flat->n - (int64_t)(spec->n_results - 1);
    if (n < 0 || (uint64_t)first + (uint64_t)n > flat->n)
      return p_error_at(p, s->at, "'%s' cannot have %u results", spec->info->name, flat->n);
    s->results[g] = (ir_type_list_t){flat->types + first, (uint32_t)n, (uint32_t)n};
    first += (uint32_t)n;
  }
  if (first != flat->n) return p_error_at(p, s->at, "'%s' has %u results, %u types given", spec->info->name, first, flat->n);
  return true;
}

static ir_attr_t take_extra(ir_op_state_t *s, const char *name) {
  for (uint32_t i = 0; i < s->n_extra; ++i) {
    if (strcmp(s->extra[i].name, name)) continue;
    ir_attr_t value = s->extra[i].value;
    memmove(&s->extra[i], &s->extra[i + 1], (s->n_extra - i - 1) * sizeof *s->extra);
    --s->n_extra;
    return value;
  }
  return NULL;
}

static bool generic_body(ir_parser_t *p, ir_op_state_t *s) {
  ir_ref_list_t flat = {0};
  if (!p_expect(p, "(") || !p_operands_until(p, &flat, ")")) return false;
  if (p_accept(p, "[")) {
    do {
      if (!p_successor(p, s)) return false;
    } while (p_accept(p, ","));
    if (!p_expect(p, "]")) return false;
  }
  if (!p_props(p, s)) return false;
  if (p_accept(p, "(")) {
    do {
      if (!p_region(p, s, NULL, 0)) return false;
    } while (p_accept(p, ","));
    if (!p_expect(p, ")")) return false;
  }
  ir_type_list_t in = {0}, out = {0};
  if (!p_attr_dict(p, s) || !p_expect(p, ":") || !p_paren_types(p, &in) || !p_expect(p, "->") ||
      !p_paren_types(p, &out) || !p_list_set_types(p, &flat, &in))
    return false;
  ir_attr_t operand_sizes = take_extra(s, "operandSegmentSizes");
  ir_attr_t result_sizes = take_extra(s, "resultSegmentSizes");
  // Branch operands are written flat: the last ones belong to the successors, split when known.
  return split_groups(p, s, &flat, operand_sizes) && split_results(p, s, &out, result_sizes);
}

static ir_kind_t kind_of_name(ir_parser_t *p, ir_token_t t, const char **out_name) {
  iree_string_view_t name = iree_make_string_view(t.text, t.n);
  ir_kind_t kind = ir_kind_lookup(p->ctx, name);
  *out_name = ir_intern(p->ctx, t.text, t.n);
  if (kind || memchr(t.text, '.', t.n)) return kind;
  const char *dialects[3] = {p->default_dialect ? p->default_dialect->dialect : NULL, "func", "builtin"};
  for (size_t i = 0; i < 3; ++i) {
    if (!dialects[i]) continue;
    char full[128];
    int n = snprintf(full, sizeof full, "%s.%.*s", dialects[i], (int)t.n, t.text);
    if (n > 0 && (size_t)n < sizeof full && (kind = ir_kind_lookup(p->ctx, iree_make_string_view(full, (size_t)n)))) {
      *out_name = ir_intern(p->ctx, full, (size_t)n);
      return kind;
    }
  }
  return 0;
}

static bool unknown_op(ir_parser_t *p, const char *name) {
  const char *near = ir_kind_near(p->ctx, name);
  if (!near && !strchr(name, '.') && strlen(name) < 60) {  // `retrun` is meant to be func.return
    char full[80];
    snprintf(full, sizeof full, "%s.%s", p->default_dialect && p->default_dialect->dialect ? p->default_dialect->dialect : "func", name);
    near = ir_kind_near(p->ctx, full);
  }
  if (!near && strchr(name, '.') && !ir_dialect_has_rows(p->ctx, name))
    return p_error(p, "unknown operation '%s', of a dialect that is not known here; lower it to StableHLO first", name);
  return near ? p_error(p, "unknown operation '%s'; did you mean '%s'?", name, near)
              : p_error(p, "unknown operation '%s'", name);
}

static bool op_finish(ir_parser_t *p, ir_op_state_t *s, const char *name, ir_block_t *block, ir_op_t **out) {
  const ir_spec_t *spec = s->spec;
  uint32_t n_operands = 0, n_results = 0, n_succ_args = 0;
  uint32_t *segments = IREE_ARENA_ARRAY(&p->ctx->arena, uint32_t, spec->n_operands + 1);
  uint32_t *result_segments = IREE_ARENA_ARRAY(&p->ctx->arena, uint32_t, spec->n_results + 1);
  for (size_t g = 0; g < spec->n_operands; ++g) n_operands += segments[g] = s->operands[g].n;
  for (size_t g = 0; g < spec->n_results; ++g) n_results += result_segments[g] = s->results[g].n;
  for (uint32_t i = 0; i < s->n_succs; ++i) n_succ_args += s->more_succ_args[i].n;
  ir_value_t **operands = IREE_ARENA_ARRAY(&p->ctx->arena, ir_value_t *, n_operands + n_succ_args + 1);
  ir_type_t *types = IREE_ARENA_ARRAY(&p->ctx->arena, ir_type_t, n_results + 1);
  ir_named_t *attrs = IREE_ARENA_ARRAY(&p->ctx->arena, ir_named_t, spec->n_attrs + s->n_extra + 1);
  uint32_t at = 0;
  for (size_t g = 0; g < spec->n_operands; ++g) {
    if (!p_resolve_list(p, &s->operands[g], operands + at)) return false;
    at += s->operands[g].n;
  }
  // Branch arguments written with their successor belong to the last groups, one per successor.
  // A switch has two: the default's and those of all cases, split by case_operand_segments.
  uint32_t *succ_n = IREE_ARENA_ARRAY(&p->ctx->arena, uint32_t, s->n_succs + 1);
  ir_attr_t cases = p_get_attr(s, "case_operand_segments");
  if (cases && (spec->n_operands < 2 || cases->kind != IR_A_DENSE_ARRAY || cases->n_ints + 1 != s->n_succs))
    return p_error_at(p, s->at, "expected one operand count per case");
  for (uint32_t i = 0; i < s->n_succs; ++i) {
    if (!p_resolve_list(p, &s->more_succ_args[i], operands + at)) return false;
    succ_n[i] = s->more_succ_args[i].n;
    at += succ_n[i];
    if (n_succ_args && spec->n_operands) {
      size_t g = cases ? spec->n_operands - (i ? 1 : 2)
                 : spec->n_operands >= s->n_succs ? spec->n_operands - s->n_succs + i : spec->n_operands - 1;
      segments[g] += succ_n[i];
    }
  }
  if (!n_succ_args && cases) {
    uint32_t total = 0;
    succ_n[0] = segments[spec->n_operands - 2];
    for (uint32_t i = 1; i < s->n_succs; ++i) total += succ_n[i] = (uint32_t)ir_int(cases, i - 1);
    if (total != segments[spec->n_operands - 1]) return p_error_at(p, s->at, "the operand counts of the cases do not add up");
  } else if (!n_succ_args && s->n_succs && !(spec->info->traits & IR_SUCC_RESULTS)) {  // generic form: groups know the counts
    for (uint32_t i = 0; i < s->n_succs; ++i) {
      size_t back = s->n_succs - i;
      if (spec->n_operands >= back && spec->operands[spec->n_operands - back].count != ' ')
        succ_n[i] = segments[spec->n_operands - back];
    }
  }
  uint32_t n = 0;
  for (size_t g = 0; g < spec->n_results; ++g)
    for (uint32_t i = 0; i < s->results[g].n; ++i) types[n++] = s->results[g].types[i];
  uint32_t n_attrs = 0;
  for (size_t i = 0; i < spec->n_attrs; ++i)
    if (s->attrs[i]) attrs[n_attrs++] = (ir_named_t){spec->attrs[i].name, s->attrs[i]};
  for (uint32_t i = 0; i < s->n_extra; ++i) attrs[n_attrs++] = s->extra[i];
  ir_builder_t b = ir_builder_at_end(p->ctx, block);
  ir_op_t *op = ir_build(&b, &(ir_op_desc_t){
      .kind = s->kind, .name = name, .loc = s->loc ? s->loc : p_loc(p, s->at), .operands = operands,
      .n_operands = at, .segments = segments, .results = types, .n_results = n_results,
      .result_segments = result_segments, .attrs = attrs, .n_attrs = n_attrs,
      .succs = s->more_succs, .succ_operands = succ_n, .n_succs = s->n_succs});
  op->n_regions = (uint16_t)s->n_regions;
  op->regions = s->regions;
  for (uint32_t i = 0; i < s->n_regions; ++i) {
    s->regions[i]->op = op;
    // An end that the text leaves out stands where its op stands.
    ir_kind_t end = spec->n_regions ? spec->region_terms[i < spec->n_regions ? i : spec->n_regions - 1] : 0;
    ir_op_t *last = s->regions[i]->last ? s->regions[i]->last->last : NULL;
    if (last && end && last->kind == end && last->loc == p->ctx->unknown_loc) last->loc = op->loc;
  }
  *out = op;
  return true;
}

typedef struct result_names {
  struct { const char *name; uint32_t n; ir_token_t at; } items[64];
  uint32_t n, total;
} result_names_t;

static bool parse_result_names(ir_parser_t *p, result_names_t *r) {
  while (p_peek(p).kind == TOK_VALUE) {
    ir_token_t t = p_peek(p);
    p_next(p);
    if (r->n == 64) return p_error(p, "more than 64 result names");
    int64_t n = 1;
    if (p_accept(p, ":") && !p_expect_int(p, &n)) return false;
    if (n < 0 || n > 65535) return p_error_at(p, t, "result count out of range");
    r->items[r->n].name = ir_intern(p->ctx, t.text + 1, t.n - 1);
    r->items[r->n].n = (uint32_t)n;
    r->items[r->n++].at = t;
    r->total += (uint32_t)n;
    if (!p_accept(p, ",")) return p_expect(p, "=");
  }
  return true;
}

static bool op_body(ir_parser_t *p, ir_op_state_t *s, const char *name) {
  const ir_op_hooks_t *hooks = s->spec->info->hooks;
  struct p_default def = {NULL, p->default_dialect};
  if (s->spec->info->traits & IR_ISOLATED) {
    size_t n = strcspn(name, ".");
    def.dialect = ir_intern(p->ctx, name, n);
    p->default_dialect = &def;
  }
  bool ok;
  if (hooks && hooks->parse)
    ok = hooks->parse(p, s);
  else if (s->spec->form)
    ok = p_form(p, s);
  else
    ok = p_error_at(p, s->at, "'%s' has no short form here; write it as \"%s\"(...)", name, name);
  p->default_dialect = def.outer;
  return ok;
}

static bool op_parse_at(ir_parser_t *p, ir_block_t *block) {
  result_names_t names = {.n = 0};
  if (!parse_result_names(p, &names)) return false;
  ir_token_t t = p_peek(p);
  ir_op_state_t s;
  const char *name;
  bool generic = t.kind == TOK_STRING;
  if (!generic && t.kind != TOK_WORD) return p_error(p, "expected an operation");
  if (generic) {
    ir_token_t inner = {TOK_WORD, t.text + 1, t.n - 2};
    state_init(p, &s, kind_of_name(p, inner, &name), t);
    if (!s.kind && ir_dialect_has_rows(p->ctx, name)) return unknown_op(p, name);
  } else {
    state_init(p, &s, kind_of_name(p, t, &name), t);
    if (!s.kind) return unknown_op(p, name);
  }
  p_next(p);
  s.n_result_names = names.total;
  if (generic) {
    struct p_default def = {ir_intern(p->ctx, name, strcspn(name, ".")), p->default_dialect};
    if (s.spec->info->traits & IR_ISOLATED) p->default_dialect = &def;
    bool ok = generic_body(p, &s);
    p->default_dialect = def.outer;
    if (!ok) return false;
  } else if (!op_body(p, &s, name)) {
    return false;
  }
  if (!s.loc && !p_loc_trailing(p, &s.loc)) return false;
  ir_op_t *op = NULL;
  if (!op_finish(p, &s, name, block, &op)) return false;
  if (names.n && names.total != op->n_results)
    return p_error_at(p, t, "'%s' has %u results, %u are named", name, op->n_results, names.total);
  uint32_t first = 0;
  for (uint32_t i = 0; i < names.n; ++i) {
    ir_value_t **values = IREE_ARENA_ARRAY(&p->ctx->arena, ir_value_t *, names.items[i].n + 1);
    for (uint32_t k = 0; k < names.items[i].n; ++k) values[k] = &op->results[first + k];
    first += names.items[i].n;
    if (!name_define(p, names.items[i].name, names.items[i].at, values, names.items[i].n)) return false;
  }
  return true;
}

static bool op_parse(ir_parser_t *p, ir_block_t *block) {
  if (!p_enter(p)) return false;
  bool ok = op_parse_at(p, block);
  p_leave(p);
  return ok;
}

// ---- files
static bool resources_section(ir_parser_t *p) {
  // {-# dialect_resources: { builtin: { key: "0x<alignment><bytes>", ... } }, ... #-}
  p_next(p);
  while (!p_at(p, "#-}")) {
    const char *section, *dialect, *key;
    if (!p_expect_word(p, &section) || !p_expect(p, ":") || !p_expect(p, "{")) return false;
    while (!p_accept(p, "}")) {
      if (!p_expect_word(p, &dialect) || !p_expect(p, ":") || !p_expect(p, "{")) return false;
      while (!p_accept(p, "}")) {
        ir_attr_t text;
        if (p_peek(p).kind == TOK_STRING) {
          if (!p_expect_string(p, &text)) return false;
          key = ir_bytes(text);
        } else if (!p_expect_word(p, &key)) {
          return false;
        }
        if (!p_expect(p, ":")) return false;
        ir_token_t t = p_peek(p);
        if (t.kind != TOK_STRING) {  // bool or string of a non-blob section
          ir_attr_t ignored;
          if (!p_attr(p, &ignored)) return false;
        } else {
          p_next(p);
          size_t digits = t.n - 2;
          if (digits < 10 || digits % 2 || memcmp(t.text + 1, "0x", 2))
            return p_error_at(p, t, "a resource is \"0x\", 8 digits of alignment, then its bytes in hexadecimal");
          size_t n = (digits - 10) / 2;
          uint8_t *data = iree_arena_alloc(&p->ctx->arena, n + 1);
          const char *h = t.text + 1 + 10;
          for (size_t i = 0; i < n; ++i) {
            unsigned v = 0;
            for (int k = 0; k < 2; ++k) {
              char c = h[2 * i + (size_t)k];
              int d = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
              if (d < 0) return p_error_at(p, t, "not a hexadecimal digit in a resource");
              v = v * 16 + (unsigned)d;
            }
            data[i] = (uint8_t)v;
          }
          ir_ctx_add_resource(p->ctx, key, data, n);
        }
        p_accept(p, ",");
      }
      p_accept(p, ",");
    }
    p_accept(p, ",");
  }
  p_next(p);
  return true;
}

static bool skip_alias(ir_parser_t *p) {
  ir_token_t t = p_peek(p);
  p_next(p);
  ir_attr_t ignored;
  if (!p_expect(p, "=")) return false;
  return t.kind == TOK_BANG ? p_type(p, &ignored) : p_attr(p, &ignored);
}

// After an error: continue at the next line that starts an op at the file's or a function's level.
static bool recover(ir_parser_t *p) {
  if (p->n_errors >= P_MAX_ERRORS) return false;
  const char *at = p->has_tok ? p->tok.text : p->at;
  while (at < p->end && (at = memchr(at, '\n', (size_t)(p->end - at)))) {
    ++at;
    static const char *const starts[] = {"func.func ", "  func.func ", "util.func ", "  util.func ", "module "};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; ++i) {
      size_t n = strlen(starts[i]);
      if ((size_t)(p->end - at) > n && !memcmp(at, starts[i], n)) {
        p_seek(p, at);
        p->lost = false;
        return true;
      }
    }
  }
  return false;
}

static void parser_init(ir_parser_t *p, ir_ctx_t *ctx, iree_string_view_t source, const char *file) {
  memset(p, 0, sizeof *p);
  p->ctx = ctx;
  p->begin = p->at = source.data;
  p->end = source.data + source.size;
  p->file = ir_intern(ctx, file, strlen(file));
  p->alias_of = ir_map_create(&ctx->arena);
}

ir_attr_t ir_parse_attr(ir_ctx_t *ctx, iree_string_view_t text) {
  ir_parser_t *p = IREE_ARENA_NEW(&ctx->arena, ir_parser_t);
  parser_init(p, ctx, text, "<attribute>");
  ir_attr_t out = NULL;
  if (!p_attr(p, &out)) return NULL;
  if (p_peek(p).kind != TOK_EOF) {
    p_error(p, "expected nothing more");
    return NULL;
  }
  return out;
}

iree_status_t ir_parse(ir_ctx_t *ctx, iree_string_view_t source, const char *file_name, ir_op_t **out_module) {
  *out_module = NULL;
  if (ir_is_bytecode(source)) return ir_read_bytecode(ctx, source, file_name, out_module);
  ir_parser_t *p = IREE_ARENA_NEW(&ctx->arena, ir_parser_t);
  parser_init(p, ctx, source, file_name);
  scan_aliases(p);
  ir_kind_t module_kind = ir_kind_lookup(ctx, iree_make_cstring_view("builtin.module"));
  ir_op_t *top = ir_op_create(ctx, &(ir_op_desc_t){.kind = module_kind, .n_regions = 1,
                                                   .loc = ir_loc_file(ctx, file_name, 1, 1)});
  ir_block_t *body = ir_block_create(ctx, top->regions[0]);
  p_scope_t scope;
  scope_push(p, &scope, true);
  bool ok = true;
  for (;;) {
    ir_token_t t = p_peek(p);
    if (t.kind == TOK_EOF) break;
    bool good = t.kind == TOK_HASH || t.kind == TOK_BANG ? skip_alias(p)
                : t.kind == TOK_RESOURCES                ? resources_section(p)
                                                         : op_parse(p, body);
    if (good) continue;
    ok = false;
    p->depth = 0;
    p->default_dialect = NULL;
    p->scope = &scope;
    memset(p->buckets, 0, sizeof p->buckets);
    scope = (p_scope_t){.isolated = true};
    if (!recover(p)) break;
  }
  if (!ok || p->n_errors)
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%d error%s in '%s'", p->n_errors,
                            p->n_errors == 1 ? "" : "s", file_name);
  if (!scope_pop(p)) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "errors in '%s'", file_name);
  if (body->first && body->first == body->last && body->first->kind == module_kind) {
    *out_module = body->first;
    ir_op_remove(*out_module);
  } else {
    *out_module = top;
  }
  return iree_ok_status();
}
