// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printer's core: output, numbering, ops in both forms, regions, aliases.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/ir/print_internal.h"

// ---- output
static void flush(ir_printer_t *p) {
  if (p->used && iree_status_is_ok(p->status)) p->status = p->write(p->self, p->buffer, p->used);
  p->used = 0;
}
void pr_write(ir_printer_t *p, const char *text, size_t n) {
  if (!n) return;
  if (n > sizeof p->buffer - p->used) flush(p);
  if (n > sizeof p->buffer) {
    if (iree_status_is_ok(p->status)) p->status = p->write(p->self, text, n);
  } else {
    memcpy(p->buffer + p->used, text, n);
    p->used += n;
  }
  p->last = text[n - 1];
}
void pr_raw(ir_printer_t *p, const char *text) {
  pr_write(p, text, strlen(text));
  p->tight = !strchr(")]}>", p->last);  // what follows a closing bracket is spaced as usual
}
void pr_text(ir_printer_t *p, const char *token) {
  char first = token[0];
  bool opens = p->last == '(' || p->last == '[' || p->last == '<' || p->last == '\n' || p->last == ' ' || p->last == 0;
  bool closes = first && strchr(")]>,", first) && strcmp(token, ">=");
  bool glued = first && strchr("(<[", first) && p->last != ',' && p->last != '=' && p->last != '>' &&
               p->last != ')' && p->last != ']' && p->last != ':' && p->last != '}';
  if (!opens && !closes && !glued && !p->tight) pr_write(p, " ", 1);
  p->tight = false;
  pr_write(p, token, strlen(token));
}
void pr_newline(ir_printer_t *p) {
  pr_write(p, "\n", 1);
  for (int i = 0; i < p->indent; ++i) pr_write(p, "  ", 2);
  p->last = '\n';
  p->tight = false;
}
void pr_indent(ir_printer_t *p, int by) { p->indent += by; }
ir_print_options_t pr_options(const ir_printer_t *p) { return p->options; }

void pr_type(ir_printer_t *p, ir_type_t type) { pr_text(p, ""), pr_term(p, type, false); }
void pr_attr(ir_printer_t *p, ir_attr_t attr) { pr_text(p, ""), pr_term(p, attr, false); }
void pr_attr_bare(ir_printer_t *p, ir_attr_t attr) {
  if (attr->kind == IR_A_INT) {
    pr_int(p, ir_int(attr, 0));
  } else if (attr->kind == IR_A_FLOAT) {
    pr_text(p, "");
    pr_float_number(p, attr);
  } else {
    pr_text(p, "");
    pr_term(p, attr, true);
  }
}
void pr_int(ir_printer_t *p, int64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, value);
  pr_text(p, text);
}

// ---- numbering: values of a function count from zero, also through its nested regions
static void number_region(ir_printer_t *p, const ir_region_t *region, bool function_body);
static void number_op(ir_printer_t *p, const ir_op_t *op) {
  if (op->n_results) ir_map_set(p->numbers, &op->results[0], (void *)(++p->next_value));
  bool isolated = ir_op_has_trait(op, IR_ISOLATED);
  uintptr_t values = p->next_value, args = p->next_arg, blocks = p->next_block;
  if (isolated) p->next_value = p->next_arg = p->next_block = 0;
  for (uint16_t r = 0; r < op->n_regions; ++r) number_region(p, op->regions[r], true);
  if (isolated) p->next_value = values, p->next_arg = args, p->next_block = blocks;
}
static void number_region(ir_printer_t *p, const ir_region_t *region, bool entry_named) {
  uintptr_t block_number = 0;
  for (const ir_block_t *b = region->first; b; b = b->next) {
    ir_map_set(p->blocks, b, (void *)(++block_number));
    for (uint32_t i = 0; i < b->n_args; ++i) {
      if (b == region->first && entry_named) ir_map_set(p->args, b->args[i], (void *)(++p->next_arg));
      else ir_map_set(p->numbers, b->args[i], (void *)(++p->next_value));
    }
    for (const ir_op_t *op = b->first; op; op = op->next) number_op(p, op);
  }
}

void pr_value(ir_printer_t *p, const ir_value_t *v) {
  pr_text(p, "");
  char text[48];
  uintptr_t n;
  if (v && v->is_arg && (n = (uintptr_t)ir_map_get(p->args, v))) {
    snprintf(text, sizeof text, "%%arg%" PRIuPTR, n - 1);
  } else if (v && (n = (uintptr_t)ir_map_get(p->numbers, v->is_arg ? v : &v->op->results[0]))) {
    if (!v->is_arg && v->op->n_results > 1)
      snprintf(text, sizeof text, "%%%" PRIuPTR "#%u", n - 1, v->index);
    else
      snprintf(text, sizeof text, "%%%" PRIuPTR, n - 1);
  } else {
    snprintf(text, sizeof text, "<<unknown value>>");
  }
  pr_write(p, text, strlen(text));
}
void pr_values(ir_printer_t *p, const ir_op_t *op, ir_group_t g) {
  for (uint32_t i = 0; i < g.n; ++i) {
    if (i) pr_text(p, ",");
    pr_value(p, op->operands[g.first + i].value);
  }
}
void pr_types(ir_printer_t *p, const ir_op_t *op, ir_group_t g) {
  for (uint32_t i = 0; i < g.n; ++i) {
    if (i) pr_text(p, ",");
    pr_type(p, op->operands[g.first + i].value->type);
  }
}
void pr_result_types(ir_printer_t *p, const ir_op_t *op) {
  for (uint32_t i = 0; i < op->n_results; ++i) {
    if (i) pr_text(p, ",");
    pr_type(p, op->results[i].type);
  }
}
void pr_arrow_results(ir_printer_t *p, const ir_op_t *op) {
  pr_text(p, "->");
  bool parens = op->n_results != 1 || op->results[0].type->kind == IR_T_FUNCTION;
  if (parens) pr_raw(p, " ("), p->tight = false;
  pr_result_types(p, op);
  if (parens) pr_text(p, ")");
}
void pr_block(ir_printer_t *p, const ir_block_t *block) {
  char text[32];
  snprintf(text, sizeof text, "^bb%" PRIuPTR, (uintptr_t)ir_map_get(p->blocks, block) - 1);
  pr_text(p, text);
}
void pr_successor(ir_printer_t *p, const ir_op_t *op, size_t i) {
  pr_block(p, op->succs[i].block);
  ir_group_t g = {op->succs[i].first, op->succs[i].n};
  if (!g.n) return;
  pr_text(p, "(");
  pr_values(p, op, g);
  pr_text(p, ":");
  pr_types(p, op, g);
  pr_text(p, ")");
}

// ---- attribute dictionaries
static bool skipped(const char *name, const char *const *skip) {
  for (; skip && *skip; ++skip)
    if (!strcmp(*skip, name)) return true;
  return false;
}
static bool is_default(const ir_spec_attr_t *a, ir_attr_t v) {
  if (!a->default_text || !v) return false;
  if (v->kind == IR_A_KEYWORD || v->kind == IR_A_STRING) return ir_str_is(v, a->default_text);
  char text[32];
  if (v->kind == IR_A_INT) snprintf(text, sizeof text, "%" PRId64, ir_int(v, 0));
  else if (v->kind == IR_A_BOOL) snprintf(text, sizeof text, "%s", ir_int(v, 0) ? "true" : "false");
  else return false;
  return !strcmp(text, a->default_text);
}
static void dict_entry(ir_printer_t *p, const char *open, const char *name, const ir_spec_attr_t *a, ir_attr_t v, bool *any) {
  pr_write(p, *any ? ", " : open, *any ? 2 : 1);
  *any = true;
  bool plain = *name && (*name < '0' || *name > '9');
  for (const char *c = name; *c; ++c)
    plain = plain && ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '.' || *c == '$');
  if (plain) {
    pr_write(p, name, strlen(name));
  } else {
    pr_quoted(p, name, strlen(name));
  }
  if (v->kind == IR_A_UNIT) return;
  pr_write(p, " = ", 3);
  if (a && a->kind == IR_AK_ENUM) pr_enum_generic(p, a, v);
  else if (a && a->kind == IR_AK_I64 && v->kind == IR_A_INT && open[0] == '<') pr_int(p, ir_int(v, 0));
  else pr_term(p, v, false);
}
static bool dict_entries(ir_printer_t *p, const char *open, const ir_op_t *op, const char *const *skip, bool row, bool extra) {
  bool any = false;
  if (row) {
    for (size_t i = 0; i < op->spec->n_attrs; ++i) {
      const ir_spec_attr_t *a = &op->spec->attrs[i];
      if (!op->attrs[i] || skipped(a->name, skip) || (!pr_options(p).generic && is_default(a, op->attrs[i]))) continue;
      dict_entry(p, open, a->name, a, op->attrs[i], &any);
    }
  }
  for (uint32_t i = 0; extra && i < op->n_extra; ++i)
    if (!skipped(op->extra[i].name, skip)) dict_entry(p, open, op->extra[i].name, NULL, op->extra[i].value, &any);
  return any;
}
static bool row_any(const ir_op_t *op, const char *const *skip) {
  for (size_t i = 0; i < op->spec->n_attrs; ++i)
    if (op->attrs[i] && !skipped(op->spec->attrs[i].name, skip) && !is_default(&op->spec->attrs[i], op->attrs[i])) return true;
  return false;
}
static bool extra_any(const ir_op_t *op, const char *const *skip) {
  for (uint32_t i = 0; i < op->n_extra; ++i)
    if (!skipped(op->extra[i].name, skip)) return true;
  return false;
}
// Ops with texts of their own show all attributes in one dictionary.
void pr_attr_dict(ir_printer_t *p, const ir_op_t *op, const char *const *skip) {
  if (!row_any(op, skip) && !extra_any(op, skip)) return;
  pr_text(p, "");
  dict_entries(p, "{", op, skip, true, true);
  pr_write(p, "}", 1);
}
void pr_attr_dict_kw(ir_printer_t *p, const ir_op_t *op, const char *const *skip) {
  if (!row_any(op, skip) && !extra_any(op, skip)) return;
  pr_text(p, "attributes");
  pr_attr_dict(p, op, skip);
}
// Forms keep properties apart: ` <a = 1> {b = 2}`.
void pr_form_attr_dict(ir_printer_t *p, const ir_op_t *op, const char *const *skip, bool keyword) {
  if (row_any(op, skip)) {
    pr_text(p, "");
    dict_entries(p, "<", op, skip, true, false);
    pr_write(p, ">", 1);
  }
  if (!extra_any(op, skip)) return;
  pr_text(p, keyword ? "attributes" : "");
  if (keyword) pr_text(p, "");
  dict_entries(p, "{", op, skip, false, true);
  pr_write(p, "}", 1);
}

// ---- generic form
static void segment_sizes(ir_printer_t *p, const char *name, const uint32_t *segments, size_t n, bool *any) {
  if (!segments) return;
  pr_write(p, *any ? ", " : "{", *any ? 2 : 1);
  *any = true;
  pr_write(p, name, strlen(name));
  pr_write(p, " = array<i32", 12);
  for (size_t g = 0; g < n; ++g) {
    char text[32];
    snprintf(text, sizeof text, "%s%u", g ? ", " : ": ", segments[g]);
    pr_write(p, text, strlen(text));
  }
  pr_write(p, ">", 1);
}
static void generic(ir_printer_t *p, const ir_op_t *op) {
  pr_raw(p, "\"");
  pr_raw(p, ir_op_name(op));
  pr_raw(p, "\"(");
  p->tight = false;
  // Branch operands of successors are part of the operands here.
  pr_values(p, op, (ir_group_t){0, op->n_operands});
  pr_raw(p, ")");
  p->tight = false;
  for (uint16_t i = 0; i < op->n_succs; ++i) {
    pr_text(p, i ? "," : "");
    if (!i) pr_raw(p, "["), p->tight = true;
    pr_block(p, op->succs[i].block);
  }
  if (op->n_succs) pr_text(p, "]");
  if (op->kind) {
    bool any = false;
    pr_write(p, " <", 2);
    any = dict_entries(p, "{", op, NULL, true, false);
    segment_sizes(p, "operandSegmentSizes", op->segments, op->spec->n_operands, &any);
    segment_sizes(p, "resultSegmentSizes", op->result_segments, op->spec->n_results, &any);
    if (any) pr_write(p, "}>", 2);
    else p->used -= 2;  // what was written last is still in the buffer
  }
  for (uint16_t r = 0; r < op->n_regions; ++r) {
    pr_raw(p, r ? ", " : " (");
    pr_region(p, op->regions[r], true, true);
  }
  if (op->n_regions) pr_raw(p, ")");
  p->tight = false;
  if (op->n_extra) {
    pr_text(p, "");
    dict_entries(p, "{", op, NULL, !op->kind, true);
    pr_write(p, "}", 1);
  }
  pr_raw(p, " : (");
  p->tight = false;
  pr_types(p, op, (ir_group_t){0, op->n_operands});
  pr_raw(p, ")");
  p->tight = false;
  pr_arrow_results(p, op);
}

// ---- regions and ops
void pr_region(ir_printer_t *p, const ir_region_t *region, bool entry_args, bool terminators) {
  pr_text(p, "{");
  p->indent++;
  for (const ir_block_t *b = region->first; b; b = b->next) {
    bool header = b != region->first || (entry_args && b->n_args);
    if (header) {
      p->indent--;
      pr_newline(p);
      pr_block(p, b);
      if (b->n_args) {
        pr_text(p, "(");
        for (uint32_t i = 0; i < b->n_args; ++i) {
          if (i) pr_text(p, ",");
          pr_value(p, b->args[i]);
          pr_raw(p, ": ");
          pr_type(p, b->args[i]->type);
        }
        pr_text(p, ")");
      }
      pr_raw(p, ":");
      p->tight = false;
      p->indent++;
    }
    for (const ir_op_t *op = b->first; op; op = op->next) {
      bool implied = op == b->last && !terminators && ir_op_has_trait(op, IR_TERMINATOR) && !op->n_operands && !op->n_succs;
      if (implied && (!p->options.debuginfo || op->loc == region->op->loc)) break;
      pr_newline(p);
      pr_op(p, op);
    }
  }
  p->indent--;
  pr_newline(p);
  pr_write(p, "}", 1);
}

static void pr_loc_name(ir_printer_t *p, ir_loc_t loc) {
  if (loc->kind == IR_L_UNKNOWN || p->options.local_scope) {
    pr_loc(p, loc);
    return;
  }
  uintptr_t number = (uintptr_t)ir_map_get(p->loc_number, loc);
  if (!number) {
    IREE_ARENA_PUSH(&p->scratch, p->locs, p->n_locs, p->loc_cap, loc);
    ir_map_set(p->loc_number, loc, (void *)(number = p->n_locs));
  }
  char text[32];
  snprintf(text, sizeof text, "#loc%" PRIuPTR, number - 1);
  pr_raw(p, text);
}
static void print_locs(ir_printer_t *p) {
  for (size_t i = 0; i < p->n_locs; ++i) {
    char text[32];
    snprintf(text, sizeof text, "#loc%zu = loc(", i);
    pr_raw(p, text);
    pr_loc(p, p->locs[i]);
    pr_raw(p, ")\n");
  }
}

void pr_op(ir_printer_t *p, const ir_op_t *op) {
  if (op->n_results) {
    char text[48];
    uintptr_t n = (uintptr_t)ir_map_get(p->numbers, &op->results[0]);
    snprintf(text, sizeof text, op->n_results > 1 ? "%%%" PRIuPTR ":%u = " : "%%%" PRIuPTR " = ", n - 1, op->n_results);
    pr_raw(p, text);
    p->tight = false;
  }
  const ir_op_hooks_t *hooks = op->spec->info->hooks;
  bool has_form = op->kind && ((hooks && hooks->print) || op->spec->form);
  if (p->options.generic || !has_form) {
    generic(p, op);
  } else {
    pr_text(p, ir_op_name(op));
    if (hooks && hooks->print) hooks->print(p, op);
    else pr_form(p, op);
  }
  if (p->options.debuginfo) {
    pr_raw(p, " loc(");
    pr_loc_name(p, op->loc);
    pr_raw(p, ")");
    p->tight = false;
  }
}

// ---- aliases: long attributes that are likely to repeat, in order of appearance
static bool wants_alias(ir_attr_t a, const char **base) {
  if (a->kind == IR_A_TYPED) a = ir_kid(a, 0);  // `#alias : type` is no syntax: the type belongs to the alias
  if (a->kind == IR_A_MAP) return *base = "map", true;
  if (a->kind != IR_A_DIALECT) return false;
  static const char *const names[][2] = {
      {"hal.executable.target", "executable_target"}, {"hal.device.target", "device_target"},
      {"hal.pipeline.layout", "pipeline_layout"},     {"util.composite", "composite"},
      {"iree_codegen.translation_info", "translation"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(ir_bytes(a), names[i][0])) return *base = names[i][1], true;
  return false;
}
static void collect(ir_printer_t *p, const ir_term_t *t) {
  if (!t || t->kind == IR_A_DENSE || t->kind == IR_T_TENSOR) return;
  const ir_term_t *of = t->kind == IR_A_TYPED ? ir_kid(t, 0) : t;
  for (uint32_t i = 0; i < of->n_kids; ++i) collect(p, ir_kid(of, i));
  const char *base;
  if (!wants_alias(t, &base) || ir_map_get(p->alias_of, t)) return;
  char name[64];
  unsigned same = 0;
  for (size_t i = 0; i < p->n_aliases; ++i) same += !strncmp(p->aliases[i].name, base, strlen(base));
  snprintf(name, sizeof name, same ? "%s%u" : "%s", base, same);
  pr_alias_t alias = {t, iree_arena_copy(&p->scratch, name, strlen(name))};
  IREE_ARENA_PUSH(&p->scratch, p->aliases, p->n_aliases, p->alias_cap, alias);
  ir_map_set(p->alias_of, t, (void *)(uintptr_t)alias.name);
}
static void collect_op(ir_printer_t *p, const ir_op_t *op) {
  for (size_t i = 0; i < op->spec->n_attrs; ++i) collect(p, op->attrs[i]);
  for (uint32_t i = 0; i < op->n_extra; ++i) collect(p, op->extra[i].value);
  for (uint16_t r = 0; r < op->n_regions; ++r)
    for (const ir_block_t *b = op->regions[r]->first; b; b = b->next)
      for (const ir_op_t *o = b->first; o; o = o->next) collect_op(p, o);
}
static void print_aliases(ir_printer_t *p, const ir_op_t *op) {
  ir_map_t *all = ir_map_create(&p->scratch);
  p->alias_of = all;
  collect_op(p, op);
  // Each definition may use the ones before it, not itself.
  p->alias_of = ir_map_create(&p->scratch);
  for (size_t i = 0; i < p->n_aliases; ++i) {
    pr_raw(p, "#"), pr_raw(p, p->aliases[i].name), pr_raw(p, " = ");
    pr_term(p, p->aliases[i].attr, false);
    pr_raw(p, "\n");
    ir_map_set(p->alias_of, p->aliases[i].attr, (void *)(uintptr_t)p->aliases[i].name);
  }
  p->last = '\n';
  p->tight = false;
}

static void print_resources(ir_printer_t *p, ir_ctx_t *ctx) {
  int64_t limit = p->options.elide_resources_larger_than;
  static const char digits[] = "0123456789ABCDEF";
  bool any = false;
  for (size_t i = 0; i < ir_ctx_n_resources(ctx); ++i) {
    const ir_resource_t *r = ir_ctx_resource(ctx, i);
    if (!r->data || (limit && r->n_bytes * 2 + 12 > (uint64_t)limit)) continue;
    pr_raw(p, any ? ",\n" : "\n{-#\n  dialect_resources: {\n    builtin: {\n");
    any = true;
    pr_raw(p, "      "), pr_raw(p, r->key), pr_raw(p, ": \"0x10000000");
    for (size_t k = 0; k < r->n_bytes; ++k)
      pr_write(p, (char[]){digits[r->data[k] >> 4], digits[r->data[k] & 15]}, 2);
    pr_raw(p, "\"");
  }
  if (any) pr_raw(p, "\n    }\n  }\n#-}\n");
}

iree_status_t ir_print(const ir_op_t *op, const ir_print_options_t *options, ir_write_fn_t write, void *self) {
  iree_arena_t scratch;
  iree_arena_init(&scratch);
  ir_printer_t *p = IREE_ARENA_NEW(&scratch, ir_printer_t);
  if (options) p->options = *options;
  p->write = write;
  p->self = self;
  p->scratch = scratch;
  p->numbers = ir_map_create(&p->scratch);
  p->args = ir_map_create(&p->scratch);
  p->blocks = ir_map_create(&p->scratch);
  p->loc_number = ir_map_create(&p->scratch);
  p->status = iree_ok_status();
  bool whole = !ir_op_parent(op);
  const ir_op_t *root = op;
  while (ir_op_parent(root)) root = ir_op_parent(root);
  number_op(p, root);
  if (whole && !p->options.local_scope && !p->options.generic) print_aliases(p, op);
  pr_op(p, op);
  pr_write(p, "\n", 1);
  print_locs(p);
  if (whole && ir_op_has_trait(op, IR_SYMBOL_TABLE)) print_resources(p, ir_op_ctx(op));
  flush(p);
  iree_status_t status = p->status;
  scratch = p->scratch;
  iree_arena_deinit(&scratch);
  return status;
}

typedef struct sink {
  iree_arena_t *arena;
  char *text;
  size_t n, cap;
} sink_t;
static iree_status_t sink_write(void *self, const char *text, size_t n) {
  sink_t *s = self;
  if (s->cap - s->n < n + 1) {
    size_t cap = s->cap ? s->cap * 2 : 4096;
    while (cap - s->n < n + 1) cap *= 2;
    s->text = iree_arena_grow(s->arena, s->text, s->n, cap);
    s->cap = cap;
  }
  memcpy(s->text + s->n, text, n);
  s->n += n;
  s->text[s->n] = 0;
  return iree_ok_status();
}
iree_string_view_t ir_print_to(iree_arena_t *arena, const ir_op_t *op, const ir_print_options_t *options) {
  sink_t sink = {.arena = arena};
  iree_status_ignore(ir_print(op, options, sink_write, &sink));
  return iree_make_string_view(sink.text ? sink.text : "", sink.n);
}
const char *ir_print_term_to(iree_arena_t *arena, const ir_term_t *term) {
  sink_t sink = {.arena = arena};
  ir_printer_t *p = IREE_ARENA_NEW(arena, ir_printer_t);
  p->write = sink_write;
  p->self = &sink;
  pr_term(p, term, false);
  flush(p);
  return sink.text ? sink.text : "";
}
