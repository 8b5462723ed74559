// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts executables of files in place of the program's: --iree-hal-substitute-executable-{source,configuration}=.
//   in, out:  hal.executable with variants
//   relies on:  the file standing at the same phase, as --iree-hal-dump-executable-*-to= writes it
//
//   hal.executable private @a {...}     ->  @a of the file, with all variants and exports that the program's had
#include <stdio.h>
#include <string.h>

#include "compiler/ir/parser.h"
#include "compiler/ir/verify.h"
#include "compiler/pass.h"

static ir_op_t *find_child(const ir_op_t *op, ir_kind_t kind, ir_attr_t name) {
  for (ir_op_t *c = ir_body(op) ? ir_body(op)->first : NULL; c; c = c->next)
    if (c->kind == kind && ir_op_attr(c, "sym_name") == name) return c;
  return NULL;
}

// What dispatches name has to be there still.
static iree_status_t check_substitute(const ir_op_t *old, const ir_op_t *new) {
  for (const ir_op_t *v = ir_body(old)->first; v; v = v->next) {
    if (v->kind != OP_HAL_EXECUTABLE_VARIANT) continue;
    const ir_op_t *variant = find_child(new, OP_HAL_EXECUTABLE_VARIANT, ir_op_attr(v, "sym_name"));
    if (!variant) return ir_op_error(new, "has no variant @%s, which the program's has", ir_op_sym_name(v).data);
    for (const ir_op_t *e = ir_body(v)->first; e; e = e->next) {
      if (e->kind != OP_HAL_EXECUTABLE_EXPORT) continue;
      const ir_op_t *export = find_child(variant, OP_HAL_EXECUTABLE_EXPORT, ir_op_attr(e, "sym_name"));
      if (!export) return ir_op_error(variant, "has no export @%s, which the program's has", ir_op_sym_name(e).data);
      if (ir_op_attr(export, "ordinal") != ir_op_attr(e, "ordinal")) return ir_op_error(export, "has another ordinal than the program's");
    }
  }
  return iree_ok_status();
}

static iree_status_t substitute(pass_t *pass, ir_op_t *executable, const char *path, iree_string_view_t text) {
  ir_ctx_t *ctx = pass->ctx;
  ir_op_t *file = NULL;
  IREE_RETURN_IF_ERROR(ir_parse(ctx, text, ir_intern(ctx, path, strlen(path)), &file));
  IREE_RETURN_IF_ERROR(ir_verify(file));
  ir_op_t *found = find_child(file, OP_HAL_EXECUTABLE, ir_op_attr(executable, "sym_name"));
  if (!found) return ir_op_error(file, "has no hal.executable @%s", ir_op_sym_name(executable).data);
  IREE_RETURN_IF_ERROR(check_substitute(executable, found));
  ir_attr_t visibility = ir_op_attr(executable, "sym_visibility");
  ir_op_move_before(found, executable);
  ir_op_erase(executable);
  ir_op_set_attr(ctx, found, "sym_visibility", visibility);
  return iree_ok_status();
}

// NAME=FILE, for the executable NAME.
static iree_status_t substitute_named(pass_t *pass, ir_op_t *module, iree_string_view_t flag) {
  iree_string_view_t name, path, text;
  if (iree_string_view_split(flag, '=', &name, &path) < 0 || !name.size || !path.size)
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "--iree-hal-substitute-executable-*=: NAME=FILE expected, not '%.*s'", (int)flag.size, flag.data);
  ir_op_t *executable = find_child(module, OP_HAL_EXECUTABLE, ir_attr_string(pass->ctx, name.data, name.size));
  if (!executable) {
    ir_warning(pass->ctx, module->loc, "no executable '%.*s' to substitute", (int)name.size, name.data);
    return iree_ok_status();
  }
  const char *file = ir_intern(pass->ctx, path.data, path.size);
  if (!iree_string_view_ends_with(path, IREE_SV(".mlir")) && !iree_string_view_ends_with(path, IREE_SV(".mlirbc")))
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "'%s': only .mlir and .mlirbc are substituted here; images go by --iree-hal-substitute-executable-object=", file);
  bool found = false;
  IREE_RETURN_IF_ERROR(pass_read_file(pass, file, &text, &found));
  if (!found) return iree_make_status(IREE_STATUS_NOT_FOUND, "no file '%s' for executable '%.*s'", file, (int)name.size, name.data);
  return substitute(pass, executable, file, text);
}

// FOLDER/<module>_NAME.mlir or FOLDER/NAME.mlir, of each executable that has one.
static iree_status_t substitute_from(pass_t *pass, ir_op_t *module, iree_string_view_t folder, const char *prefix) {
  for (ir_op_t *op = ir_body(module)->first, *next; op && folder.size; op = next) {
    next = op->next;
    if (op->kind != OP_HAL_EXECUTABLE) continue;
    char name[PASS_FILE_NAME_MAX], path[4096];
    bool found = false;
    iree_string_view_t text;
    pass_file_name(name, prefix, module, op, NULL, ".mlir");
    for (int i = 0; i < 2 && !found; ++i) {
      int n = i ? snprintf(path, sizeof path, "%.*s/%.200s.mlir", (int)folder.size, folder.data, ir_op_sym_name(op).data)
                : snprintf(path, sizeof path, "%.*s/%s", (int)folder.size, folder.data, name);
      if (n < 0 || (size_t)n >= sizeof path) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "folder name too long");
      IREE_RETURN_IF_ERROR(pass_read_file(pass, path, &text, &found));
    }
    if (found) IREE_RETURN_IF_ERROR(substitute(pass, op, path, text));
  }
  return iree_ok_status();
}

static iree_status_t run(pass_t *pass, ir_op_t *module, const flag_list_t *named, iree_string_view_t folder, const char *prefix) {
  IREE_RETURN_IF_ERROR(substitute_from(pass, module, folder, prefix));
  for (size_t i = 0; i < named->count; ++i) IREE_RETURN_IF_ERROR(substitute_named(pass, module, named->values[i]));
  return iree_ok_status();
}
iree_status_t hal_materialize_source_substitutes(pass_t *pass, ir_op_t *module) {
  return run(pass, module, &pass->options->substitute_sources, pass->options->substitute_sources_from, "");
}
iree_status_t hal_materialize_configuration_substitutes(pass_t *pass, ir_op_t *module) {
  return run(pass, module, &pass->options->substitute_configurations, pass->options->substitute_configurations_from, "configured_");
}
