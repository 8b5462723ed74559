// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a row's form as a parser, then infers the types that the text leaves out.
#include <stdio.h>
#include <string.h>

#include "compiler/ir/parse_internal.h"

static bool run(ir_parser_t *p, ir_op_state_t *s, const ir_form_t *f);

static bool enum_has(const ir_enum_info_t *e, ir_token_t t) {
  for (const char *w = e->words; *w;) {
    size_t n = strcspn(w, " "), len = strcspn(w, " =");
    if (len == t.n && !memcmp(w, t.text, len)) return true;
    w += n;
    while (*w == ' ') ++w;
  }
  return false;
}

static bool attr_value(ir_parser_t *p, ir_op_state_t *s, const ir_spec_attr_t *a, ir_attr_t *out) {
  (void)s;
  switch (a->kind) {
    case IR_AK_SYM: return p_expect_symbol(p, out);
    case IR_AK_SYMREF: return p_expect_symref(p, out);
    case IR_AK_STR: return p_expect_string(p, out);
    case IR_AK_TYPE: return p_type(p, out);
    case IR_AK_UNIT: return *out = ir_attr_unit(p->ctx), true;
    case IR_AK_I64: return p_attr_typed(p, a->type, out);
    case IR_AK_ENUM: {
      ir_token_t t = p_peek(p);
      if (t.kind == TOK_STRING) {
        ir_attr_t text;
        if (!p_expect_string(p, &text)) return false;
        return *out = ir_attr_keyword(p->ctx, ir_bytes(text)), true;
      }
      const char *word;
      if (!p_expect_word(p, &word)) return false;
      *out = ir_attr_keyword(p->ctx, word);
      while (p_at(p, ",") || p_at(p, "|")) {  // bit sets: a,b or a|b
        ir_token_t sep = p_peek(p);
        ir_token_t next = ir_lex(sep.text + 1, p->end);
        if (next.kind != TOK_WORD || (a->enums && a->enums->words && !enum_has(a->enums, next))) break;
        p_next(p);
        char joined[256];
        const char *more;
        if (!p_expect_word(p, &more)) return false;
        int n = snprintf(joined, sizeof joined, "%s%.1s%s", ir_bytes(*out), sep.text, more);
        if (n < 0 || (size_t)n >= sizeof joined) return p_error(p, "too many flags");
        *out = ir_attr_keyword(p->ctx, joined);
      }
      return true;
    }
    case IR_AK_I64S: {
      if (!p_at(p, "[")) return p_attr(p, out);
      ir_attr_t list;
      if (!p_attr(p, &list)) return false;
      *out = p_normalize(p->ctx, a, list);
      return *out || p_error(p, "expected a list of integers");
    }
    case IR_AK_BOOL:
    case IR_AK_ANY: return p_attr(p, out);
  }
  return false;
}

static bool attr_elem(ir_parser_t *p, ir_op_state_t *s, int slot) {
  const ir_spec_attr_t *a = &s->spec->attrs[slot];
  ir_attr_t value;
  if (!attr_value(p, s, a, &value)) return false;
  s->attrs[slot] = p_normalize(p->ctx, a, value);
  return s->attrs[slot] || p_error(p, "attribute '%s' has the wrong kind", a->name);
}

// Would |f| match here? Decides optional groups by their first element.
static bool starts(ir_parser_t *p, ir_op_state_t *s, const ir_form_t *f) {
  ir_token_t t = p_peek(p);
  switch (f->kind) {
    case IR_F_LITERAL: return p_at(p, f->text);
    case IR_F_OPERAND: return t.kind == TOK_VALUE;
    case IR_F_SUCC:
    case IR_F_SUCC_ARGS: return t.kind == TOK_BLOCK;
    case IR_F_REGION: return p_at(p, "{");
    case IR_F_ATTR: {
      const ir_spec_attr_t *a = &s->spec->attrs[f->index];
      switch (a->kind) {
        case IR_AK_SYM:
        case IR_AK_SYMREF: return t.kind == TOK_SYMBOL;
        case IR_AK_STR: return t.kind == TOK_STRING;
        case IR_AK_TYPE: return p_at_type(p);
        case IR_AK_ENUM:
          if (t.kind != TOK_WORD) return false;
          if (!a->enums || !a->enums->words) return true;
          return enum_has(a->enums, t);
        case IR_AK_I64S: return p_at(p, "[");
        case IR_AK_I64:
        case IR_AK_BOOL:
        case IR_AK_ANY:
          return t.kind == TOK_INT || t.kind == TOK_FLOAT || t.kind == TOK_STRING || t.kind == TOK_HASH ||
                 t.kind == TOK_SYMBOL || p_at(p, "[") || p_at(p, "-") || p_at(p, "dense") || p_at(p, "true") ||
                 p_at(p, "false") || p_at_type(p);
        case IR_AK_UNIT: return false;
      }
      return false;
    }
    case IR_F_TYPE:
    case IR_F_RESULT_TYPE:
    case IR_F_RESULT_TYPES:
    case IR_F_OPERAND_TYPES: return p_at_type(p);
    case IR_F_FUNCTIONAL: return p_at(p, "(");
    case IR_F_OPTIONAL: return starts(p, s, f->then);
    case IR_F_OPERANDS: return t.kind == TOK_VALUE;
    case IR_F_ATTR_DICT: return p_at(p, "{");
    case IR_F_ATTR_DICT_KW: return p_at(p, "attributes");
    case IR_F_CUSTOM: return t.kind != TOK_EOF;  // put a literal before it in optional groups
  }
  return false;
}

static bool type_elem(ir_parser_t *p, ir_op_state_t *s, const ir_form_t *f) {
  ir_type_list_t types = {0};
  if (f->kind == IR_F_RESULT_TYPE) {
    char count = s->spec->results[f->index].count;
    if (count == '*' && !p_at_type(p)) return true;
    if (count == '*') return p_types(p, &s->results[f->index]);
    ir_type_t type;
    if (!p_type(p, &type)) return false;
    p_types_push(p, &s->results[f->index], type);
    return true;
  }
  ir_ref_list_t *list = &s->operands[f->index];
  if (s->spec->operands[f->index].count == '*') {
    if (!list->n) return list->have_types = true;
    return p_types(p, &types) && p_list_set_types(p, list, &types);
  }
  if (!list->n && s->spec->operands[f->index].count == '?') return true;
  ir_type_t type;
  return p_type(p, &type) && p_list_set_type(p, list, type);
}

static bool flat_operand_types(ir_parser_t *p, ir_op_state_t *s, const ir_type_list_t *types) {
  uint32_t k = 0;
  for (size_t g = 0; g < s->spec->n_operands; ++g) {
    ir_ref_list_t *list = &s->operands[g];
    for (uint32_t i = 0; i < list->n; ++i) {
      if (k == types->n) return p_error(p, "fewer operand types than operands");
      list->types[i] = types->types[k++];
    }
    list->have_types = true;
  }
  return k == types->n || p_error(p, "%u operand types for %u operands", types->n, k);
}
static bool flat_result_types(ir_parser_t *p, ir_op_state_t *s, const ir_type_list_t *types) {
  uint32_t k = 0, fixed = 0;
  for (size_t g = 0; g < s->spec->n_results; ++g) fixed += s->spec->results[g].count == ' ';
  if (types->n < fixed) return p_error(p, "expected %u result types", fixed);
  for (size_t g = 0; g < s->spec->n_results; ++g) {
    char count = s->spec->results[g].count;
    uint32_t n = count == ' ' ? 1 : types->n - fixed;
    if (count == '?' && n > 1) n = 1;
    for (uint32_t i = 0; i < n && k < types->n; ++i) p_types_push(p, &s->results[g], types->types[k++]);
    if (count != ' ') fixed += n;
  }
  return k == types->n || p_error(p, "%u result types, %u expected", types->n, k);
}

static bool elem(ir_parser_t *p, ir_op_state_t *s, const ir_form_t *f) {
  switch (f->kind) {
    case IR_F_LITERAL: return p_expect(p, f->text);
    case IR_F_OPERAND: {
      char count = s->spec->operands[f->index].count;
      if (count != ' ' && !p_at_operand(p)) return true;
      return count == '*' ? p_operands(p, &s->operands[f->index]) : p_operand(p, &s->operands[f->index]);
    }
    case IR_F_ATTR: return attr_elem(p, s, f->index);
    case IR_F_REGION: return p_region(p, s, NULL, 0);
    case IR_F_SUCC:
    case IR_F_SUCC_ARGS: return p_successor(p, s);
    case IR_F_TYPE:
    case IR_F_RESULT_TYPE: return type_elem(p, s, f);
    case IR_F_FUNCTIONAL: {
      ir_type_list_t in = {0}, out = {0};
      return p_paren_types(p, &in) && p_expect(p, "->") && p_paren_types(p, &out) &&
             flat_operand_types(p, s, &in) && flat_result_types(p, s, &out);
    }
    case IR_F_OPERAND_TYPES: {
      ir_type_list_t types = {0};
      return (!p_at_type(p) || p_types(p, &types)) && flat_operand_types(p, s, &types);
    }
    case IR_F_RESULT_TYPES: {
      ir_type_list_t types = {0};
      return (!p_at_type(p) || p_types(p, &types)) && flat_result_types(p, s, &types);
    }
    case IR_F_OPERANDS: {
      ir_ref_list_t *list = &s->operands[0];
      if (s->spec->n_operands == 1) return !p_at_operand(p) || p_operands(p, list);
      for (size_t g = 0; g < s->spec->n_operands; ++g) {
        if (g && !p_expect(p, ",")) return false;
        if (!p_operand(p, &s->operands[g])) return false;
      }
      return true;
    }
    case IR_F_ATTR_DICT: return p_attr_dict(p, s);
    case IR_F_ATTR_DICT_KW: return p_attr_dict_kw(p, s);
    case IR_F_OPTIONAL: {
      if (starts(p, s, f->then)) {
        // A unit attribute is set by its group's presence.
        for (const ir_form_t *g = f->then; g; g = g->next)
          if (g->kind == IR_F_ATTR && s->spec->attrs[g->index].kind == IR_AK_UNIT)
            s->attrs[g->index] = ir_attr_unit(p->ctx);
        return run(p, s, f->then);
      }
      return run(p, s, f->otherwise);
    }
    case IR_F_CUSTOM: {
      int args[8];
      for (size_t i = 0; i < f->n_args; ++i) args[i] = f->args[i].index;
      return f->directive->parse(p, s, args, f->n_args);
    }
  }
  return false;
}

static bool run(ir_parser_t *p, ir_op_state_t *s, const ir_form_t *f) {
  for (; f; f = f->next)
    if (!elem(p, s, f)) return false;
  return true;
}

// ---- inference: constraints of the row against what is known
static ir_type_t known_type(const ir_op_state_t *s, const char *name, size_t n) {
  for (size_t g = 0; g < s->spec->n_results; ++g)
    if (!strncmp(s->spec->results[g].name, name, n) && !s->spec->results[g].name[n])
      return s->results[g].n ? s->results[g].types[0] : NULL;
  for (size_t g = 0; g < s->spec->n_operands; ++g)
    if (!strncmp(s->spec->operands[g].name, name, n) && !s->spec->operands[g].name[n])
      return s->operands[g].n ? s->operands[g].types[0] : NULL;
  return NULL;
}

// `=x`, `=elem(x)`, `=i1(x)`, `=attr(x)` (the type of, or named by, attribute x), or a type's text.
static ir_type_t constrained(ir_parser_t *p, const ir_op_state_t *s, const ir_spec_name_t *name) {
  const char *c = name->constraint;
  if (c[0] != '=') return name->fixed;
  ++c;
  const char *open = strchr(c, '(');
  if (!open) return known_type(s, c, strlen(c));
  const char *arg = open + 1;
  size_t n = strcspn(arg, ")");
  if (!strncmp(c, "attr(", 5)) {
    int slot = ir_spec_attr_index(s->spec, arg, n);
    ir_attr_t a = slot >= 0 ? s->attrs[slot] : NULL;
    if (!a) return NULL;
    if (ir_type_is_type(a)) return a;
    if (a->kind == IR_A_BOOL) return ir_type_i(p->ctx, 1);
    if (a->kind == IR_A_TYPED) return ir_kid(a, 1);
    return a->kind == IR_A_INT || a->kind == IR_A_FLOAT || a->kind == IR_A_DENSE || a->kind == IR_A_RESOURCE
               ? ir_kid(a, 0)
               : NULL;
  }
  ir_type_t of = known_type(s, arg, n);
  if (!of) return NULL;
  if (!strncmp(c, "elem(", 5)) return ir_type_element(of);
  if (!strncmp(c, "i1(", 3)) return ir_type_with_element(p->ctx, of, ir_type_i(p->ctx, 1));
  return NULL;
}

static bool infer_once(ir_parser_t *p, ir_op_state_t *s, bool *out_missing) {
  bool changed = false;
  *out_missing = false;
  for (size_t g = 0; g < s->spec->n_results; ++g) {
    const ir_spec_name_t *r = &s->spec->results[g];
    if (s->results[g].n || r->count == '*') continue;
    if (r->count == '?' && !(r->constraint && s->n_result_names)) continue;
    ir_type_t type = r->constraint ? constrained(p, s, r) : NULL;
    if (!type) { *out_missing = true; continue; }
    p_types_push(p, &s->results[g], type);
    changed = true;
  }
  for (size_t g = 0; g < s->spec->n_operands; ++g) {
    ir_ref_list_t *list = &s->operands[g];
    for (uint32_t i = 0; i < list->n; ++i) {
      if (list->types[i]) continue;
      const ir_spec_name_t *name = &s->spec->operands[g];
      ir_type_t type = name->constraint ? constrained(p, s, name) : NULL;
      if (!type) { *out_missing = true; continue; }
      list->types[i] = type;
      changed = true;
    }
  }
  return changed;
}

static ir_type_t any_type(const ir_op_state_t *s) {
  for (size_t g = 0; g < s->spec->n_results; ++g)
    if (s->results[g].n) return s->results[g].types[0];
  for (size_t g = 0; g < s->spec->n_operands; ++g)
    if (s->operands[g].n && s->operands[g].types[0]) return s->operands[g].types[0];
  return NULL;
}

static bool infer(ir_parser_t *p, ir_op_state_t *s) {
  bool missing;
  if (s->spec->info->traits & IR_SAME_TYPE) {
    ir_type_t type = any_type(s);
    if (type) {
      for (size_t g = 0; g < s->spec->n_results; ++g)
        if (!s->results[g].n && s->spec->results[g].count == ' ') p_types_push(p, &s->results[g], type);
      for (size_t g = 0; g < s->spec->n_operands; ++g)
        for (uint32_t i = 0; i < s->operands[g].n; ++i)
          if (!s->operands[g].types[i]) s->operands[g].types[i] = type;
    }
  }
  while (infer_once(p, s, &missing)) {}
  // What is still open may be known from the operands' definitions (types the text never states).
  if (missing) {
    for (size_t g = 0; g < s->spec->n_operands; ++g) {
      for (uint32_t i = 0; i < s->operands[g].n; ++i) {
        if (s->operands[g].types[i]) continue;
        ir_value_t *v = p_resolve(p, s->operands[g].refs[i], NULL);
        if (!v) return false;
        s->operands[g].types[i] = v->type;
      }
    }
    while (infer_once(p, s, &missing)) {}
  }
  for (size_t g = 0; g < s->spec->n_results; ++g)
    if (!s->results[g].n && s->spec->results[g].count == ' ')
      return p_error_at(p, s->at, "cannot tell the type of result '%s' of '%s'", s->spec->results[g].name, s->spec->info->name);
  return true;
}

bool p_form(ir_parser_t *p, ir_op_state_t *s) {
  if (!run(p, s, s->spec->form)) return false;
  // Regions the form left out (an absent body) still exist, empty.
  if (!s->spec->regions_variadic)
    while (s->n_regions < s->spec->n_regions) p_region_empty(p, s);
  return infer(p, s);
}
