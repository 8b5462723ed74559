// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a row's form as a printer: the mirror of parse_form.c.
#include <stdlib.h>
#include <string.h>

#include "compiler/ir/print_internal.h"

static ir_group_t results_at(const ir_op_t *op, int g) {
  return ir_result_group(op, op->spec->results[g].name);
}

// Is there anything to say for the anchor of an optional group?
static bool present(const ir_op_t *op, const ir_form_t *f) {
  switch (f->kind) {
    case IR_F_OPERAND: return ir_operand_group_at(op, (size_t)f->index).n > 0;
    case IR_F_ATTR: {
      ir_attr_t v = op->attrs[f->index];
      const ir_spec_attr_t *a = &op->spec->attrs[f->index];
      if (!v) return false;
      if (a->default_text && (v->kind == IR_A_KEYWORD || v->kind == IR_A_STRING)) return !ir_str_is(v, a->default_text);
      if (a->default_text && v->kind == IR_A_BOOL) return strcmp(a->default_text, ir_int(v, 0) ? "true" : "false") != 0;
      if (a->default_text && v->kind == IR_A_INT) return strtoll(a->default_text, NULL, 0) != ir_int(v, 0);
      return true;
    }
    case IR_F_REGION: return f->index < op->n_regions && op->regions[f->index]->first;
    case IR_F_RESULT_TYPE: return results_at(op, f->index).n > 0;
    case IR_F_SUCC:
    case IR_F_SUCC_ARGS: return f->index < op->n_succs;
    case IR_F_OPERANDS: return op->n_operands > 0;
    case IR_F_RESULT_TYPES: return op->n_results > 0;
    case IR_F_OPERAND_TYPES: return op->n_operands > 0;
    case IR_F_CUSTOM: return f->n_args == 0 || present(op, &f->args[0]);
    default: return true;
  }
}

static void attr_elem(ir_printer_t *p, const ir_op_t *op, int slot) {
  const ir_spec_attr_t *a = &op->spec->attrs[slot];
  ir_attr_t v = op->attrs[slot];
  if (!v) return;
  switch (a->kind) {
    case IR_AK_UNIT: return;
    case IR_AK_SYM: pr_symbol(p, ir_str(v)); return;
    case IR_AK_ENUM: pr_text(p, ir_bytes(v)); return;
    case IR_AK_I64:
      if (v->kind == IR_A_INT) pr_int(p, ir_int(v, 0));
      else pr_attr_bare(p, v);
      return;
    case IR_AK_I64S:
      pr_text(p, "[");
      for (uint32_t i = 0; i < v->n_ints; ++i) {
        if (i) pr_text(p, ",");
        if (ir_type_is_int(ir_kid(v, 0), 1)) pr_text(p, ir_int(v, i) ? "true" : "false");
        else pr_int(p, ir_int(v, i));
      }
      pr_text(p, "]");
      return;
    case IR_AK_STR:
    case IR_AK_SYMREF:
    case IR_AK_TYPE:
    case IR_AK_BOOL:
    case IR_AK_ANY: pr_attr(p, v); return;
  }
}

// Names of attributes the form prints itself, for attr-dict to leave out.
static void form_attrs(const ir_spec_t *spec, const ir_form_t *f, const char **names, size_t *n, size_t max) {
  for (; f; f = f->next) {
    if (f->kind == IR_F_ATTR && *n < max) names[(*n)++] = spec->attrs[f->index].name;
    if (f->kind == IR_F_CUSTOM)
      for (size_t i = 0; i < f->n_args; ++i)
        if (f->args[i].kind == IR_F_ATTR && *n < max) names[(*n)++] = spec->attrs[f->args[i].index].name;
    if (f->kind == IR_F_OPTIONAL) {
      form_attrs(spec, f->then, names, n, max);
      form_attrs(spec, f->otherwise, names, n, max);
    }
  }
}

// The dialects of StableHLO write properties and other attributes in one dictionary.
static bool one_dictionary(const ir_op_t *op) {
  return !strncmp(op->spec->info->name, "stablehlo.", 10) || !strncmp(op->spec->info->name, "chlo.", 5);
}

static void run(ir_printer_t *p, const ir_op_t *op, const ir_form_t *f);

static void elem(ir_printer_t *p, const ir_op_t *op, const ir_form_t *f) {
  switch (f->kind) {
    case IR_F_LITERAL:
      // Braces of a form hold sizes and extents of the type before them: tensor<?xf32>{%0}.
      if (f->text[0] == '{' || f->text[0] == '}') pr_raw(p, f->text);
      else pr_text(p, f->text);
      return;
    case IR_F_OPERAND: pr_values(p, op, ir_operand_group_at(op, (size_t)f->index)); return;
    case IR_F_ATTR: attr_elem(p, op, f->index); return;
    case IR_F_REGION:
      pr_region(p, op->regions[f->index], true, !(op->spec->info->traits & IR_IMPLICIT_TERM));
      return;
    case IR_F_SUCC:
    case IR_F_SUCC_ARGS: pr_successor(p, op, (size_t)f->index); return;
    case IR_F_TYPE: pr_types(p, op, ir_operand_group_at(op, (size_t)f->index)); return;
    case IR_F_RESULT_TYPE: {
      ir_group_t g = results_at(op, f->index);
      for (uint32_t i = 0; i < g.n; ++i) {
        if (i) pr_text(p, ",");
        pr_type(p, op->results[g.first + i].type);
      }
      return;
    }
    case IR_F_FUNCTIONAL:
      pr_raw(p, p->last == ' ' ? "(" : " (");
      p->tight = false;
      pr_types(p, op, (ir_group_t){0, op->n_operands});
      pr_text(p, ")");
      pr_arrow_results(p, op);
      return;
    case IR_F_OPERAND_TYPES: pr_types(p, op, (ir_group_t){0, op->n_operands}); return;
    case IR_F_RESULT_TYPES: pr_result_types(p, op); return;
    case IR_F_OPERANDS: pr_values(p, op, (ir_group_t){0, op->n_operands}); return;
    case IR_F_ATTR_DICT:
    case IR_F_ATTR_DICT_KW: {
      const char *names[33] = {0};
      size_t n = 0;
      form_attrs(op->spec, op->spec->form, names, &n, 32);
      if (one_dictionary(op) && f->kind == IR_F_ATTR_DICT) pr_attr_dict(p, op, names);
      else pr_form_attr_dict(p, op, names, f->kind == IR_F_ATTR_DICT_KW);
      return;
    }
    case IR_F_OPTIONAL: {
      const ir_form_t *anchor = NULL;
      for (const ir_form_t *g = f->then; g; g = g->next)
        if (g->anchor) anchor = g;
      if (!anchor || present(op, anchor)) run(p, op, f->then);
      else run(p, op, f->otherwise);
      return;
    }
    case IR_F_CUSTOM: {
      int args[8];
      for (size_t i = 0; i < f->n_args; ++i) args[i] = f->args[i].index;
      f->directive->print(p, op, args, f->n_args);
      return;
    }
  }
}

static void run(ir_printer_t *p, const ir_op_t *op, const ir_form_t *f) {
  for (; f; f = f->next) elem(p, op, f);
}

void pr_form(ir_printer_t *p, const ir_op_t *op) { run(p, op, op->spec->form); }
