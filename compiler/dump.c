// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/dump.h"

#include <stdio.h>
#include <string.h>

#include "compiler/driver.h"

static bool listed(const flag_list_t *list, iree_string_view_t name) {
  for (size_t i = 0; i < list->count; ++i)
    if (iree_string_view_equal(list->values[i], name)) return true;
  return false;
}

ir_print_options_t dump_print_options(const compile_options_t *o, bool debuginfo) {
  if (o->print_debuginfo.is_set) debuginfo = !iree_string_view_equal(o->print_debuginfo.value, IREE_SV("false"));
  return (ir_print_options_t){.generic = o->print_generic, .debuginfo = debuginfo, .local_scope = o->print_local_scope,
                              .elide_larger_than = o->elide_larger_than, .elide_resources_larger_than = o->elide_resources_larger_than};
}

iree_status_t dump_check_options(const compile_options_t *o) {
  const flag_list_t *lists[] = {&o->print_before, &o->print_after};
  for (size_t k = 0; k < 2; ++k)
    for (size_t i = 0; i < lists[k]->count; ++i)
      if (!pipeline_has_pass(lists[k]->values[i]))
        return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--mlir-print-ir-%s: no pass named '%.*s'; --mlir-timing names those that run",
                                k ? "after" : "before", (int)lists[k]->values[i].size, lists[k]->values[i].data);
  return iree_ok_status();
}

//===-- text of the module, or of the symbols that --filter-print-funcs names ----------------------------------

static iree_status_t print_selected(const pass_t *pass, const ir_op_t *module, const ir_print_options_t *printing, ir_write_fn_t write,
                                    void *self) {
  const flag_list_t *only = &pass->options->print_funcs;
  if (!only->count || listed(only, IREE_SV("*"))) return ir_print(module, printing, write, self);
  for (const ir_op_t *op = ir_body(module)->first; op; op = op->next) {
    // The vm.module stands between the functions and the top once there is one.
    if (op->kind == OP_VM_MODULE) IREE_RETURN_IF_ERROR(print_selected(pass, op, printing, write, self));
    if (ir_op_has_trait(op, IR_SYMBOL) && listed(only, ir_op_sym_name(op))) IREE_RETURN_IF_ERROR(ir_print(op, printing, write, self));
  }
  return iree_ok_status();
}

static iree_status_t hash_text(void *self, const char *text, size_t n) {
  uint64_t *hash = self;
  for (size_t i = 0; i < n; ++i) *hash = (*hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return iree_ok_status();
}
static uint64_t hash_module(const pass_t *pass, const ir_op_t *module) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  ir_print_options_t printing = {.elide_resources_larger_than = 1};
  iree_status_ignore(print_selected(pass, module, &printing, hash_text, &hash));
  return hash;
}

typedef struct text {
  iree_arena_t *arena;
  char *data;
  size_t n, cap;
} text_t;
static iree_status_t keep_text(void *self, const char *data, size_t n) {
  text_t *t = self;
  for (size_t i = 0; i < n; ++i) IREE_ARENA_PUSH(t->arena, t->data, t->n, t->cap, data[i]);
  return iree_ok_status();
}

// ---- the head of a dump: `flow-fold-calls` is FlowFoldCalls, as the classes of passes are elsewhere
static void append_class_name(char *out, size_t size, const char *name) {
  size_t n = 0;
  bool upper = true;
  for (; *name && n + 1 < size; ++name) {
    if (*name != '-') out[n++] = (char)(upper && *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
    upper = *name == '-';
  }
  out[n] = 0;
}

static iree_status_t write_tree(const dump_t *dump, pass_t *pass, const ir_op_t *module, const char *when, iree_string_view_t text) {
  iree_string_view_t symbol = ir_op_sym_name(module), root = pass->options->print_tree_dir;
  char folder[4096], name[192];
  int n = snprintf(folder, sizeof folder, "%.*s/builtin_module_%.*s", (int)root.size, root.data, symbol.size ? (int)(symbol.size < 128 ? symbol.size : 128) : 14,
                   symbol.size ? symbol.data : "no-symbol-name");
  if (n < 0 || (size_t)n >= sizeof folder) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--mlir-print-ir-tree-dir: name of the folder too long");
  snprintf(name, sizeof name, "%d_%s%s.mlir", dump->index, dump->name, when);
  return pass->io->file(pass->io->file_self, iree_make_string_view(folder, (size_t)n), name, text);
}

static iree_status_t print_module(const dump_t *dump, pass_t *pass, const ir_op_t *module, const char *when, const char *outcome) {
  char class_name[96], head[320];
  append_class_name(class_name, sizeof class_name, dump->name);
  text_t text = {.arena = pass->scratch};
  int n = snprintf(head, sizeof head, "// -----// IR Dump %s %s%s: %s //----- //\n", when, class_name, outcome, dump->name);
  keep_text(&text, head, (size_t)n);
  size_t head_size = text.n;
  ir_print_options_t printing = dump_print_options(pass->options, false);
  IREE_RETURN_IF_ERROR(print_selected(pass, module, &printing, keep_text, &text));
  if (pass->options->print_funcs.count && text.n == head_size) return iree_ok_status();
  keep_text(&text, "\n", 1);
  iree_string_view_t all = iree_make_string_view(text.data, text.n);
  if (pass->options->print_tree_dir.size && pass->io->file) return write_tree(dump, pass, module, *when == 'B' ? "_before" : "", all);
  return pass->io->dump ? pass->io->dump(pass->io->dump_self, all) : iree_ok_status();
}

iree_status_t dump_before(dump_t *dump, pass_t *pass, ir_op_t *module, const char *name) {
  const compile_options_t *o = pass->options;
  *dump = (dump_t){.name = name, .index = pass->n_run++};
  if (!pass->io) return iree_ok_status();
  iree_string_view_t view = iree_make_cstring_view(name);
  if (o->print_after_change && (o->print_after_all || listed(&o->print_after, view))) dump->hash = hash_module(pass, module);
  if (!o->print_before_all && !listed(&o->print_before, view)) return iree_ok_status();
  return print_module(dump, pass, module, "Before", "");
}

iree_status_t dump_after(const dump_t *dump, pass_t *pass, ir_op_t *module, bool failed) {
  const compile_options_t *o = pass->options;
  if (!pass->io) return iree_ok_status();
  bool asked = o->print_after_all || listed(&o->print_after, iree_make_cstring_view(dump->name));
  // A failure is worth a look by itself, without naming passes.
  if (o->print_after_failure && (!failed || (o->print_after.count && !asked))) return iree_ok_status();
  asked |= o->print_after_failure;
  if (!asked) return iree_ok_status();
  if (failed) return print_module(dump, pass, module, "After", " Failed");
  if (o->print_after_change && dump->hash == hash_module(pass, module)) return iree_ok_status();
  return print_module(dump, pass, module, "After", "");
}

iree_status_t pass_write_file(pass_t *pass, iree_string_view_t folder, const char *name, iree_string_view_t contents) {
  if (pass->io && pass->io->file) return pass->io->file(pass->io->file_self, folder, name, contents);
  return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "no files on the side can be written here");
}
