// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants: which functions to lower, for which target.
#include <string.h>

#include "compiler/codegen/codegen.h"

static bool is_named(const ir_op_t *op, const char *name) {
  return op && strcmp(ir_op_name(op), name) == 0;
}

static iree_string_view_t entry(ir_attr_t dict, const char *name) {
  ir_attr_t value = ir_is(dict, IR_A_DICT) ? ir_dict_get(dict, name) : NULL;
  return ir_is(value, IR_A_STRING) ? ir_str(value) : iree_string_view_empty();
}

iree_status_t codegen_target_from_attr(ir_ctx_t *ctx, ir_attr_t attr,
                                       codegen_target_t **out_target) {
  *out_target = NULL;
  if (!ir_is(attr, IR_A_DIALECT) || strcmp(ir_bytes(attr), "hal.executable.target") != 0 ||
      attr->n_kids < 2) {
    return ir_error(ctx, ir_loc_unknown(ctx),
                    "an executable variant has no #hal.executable.target");
  }
  if (ir_str_is(ir_kid(attr, 0), "vmvx")) {
    *out_target = codegen_target_create_vm();
    return iree_ok_status();
  }
  if (!ir_str_is(ir_kid(attr, 0), "llvm-cpu")) {
    iree_string_view_t backend = ir_str(ir_kid(attr, 0));
    return ir_error(ctx, ir_loc_unknown(ctx),
                    "no code generator for target backend '%.*s'; use llvm-cpu or vmvx",
                    (int)backend.size, backend.data);
  }
  ir_attr_t dict = attr->n_kids > 2 ? ir_kid(attr, 2) : NULL;
  iree_string_view_t format = ir_str(ir_kid(attr, 1));
  codegen_target_options_t options = {
      .triple = entry(dict, "target_triple"),
      .cpu = entry(dict, "cpu"),
      .features = entry(dict, "cpu_features"),
      .link = iree_string_view_equal(format, IREE_SV("static"))             ? CODEGEN_LINK_STATIC
              : iree_string_view_starts_with(format, IREE_SV("system-elf-")) ? CODEGEN_LINK_SYSTEM
                                                                            : CODEGEN_LINK_EMBEDDED,
      .static_output = entry(dict, "static_library_output"),
  };
  return codegen_target_create(&options, out_target);
}

static ir_op_t *export_of(ir_op_t *variant, iree_string_view_t name) {
  for (ir_op_t *op = ir_body(variant) ? ir_body(variant)->first : NULL; op; op = op->next) {
    if (is_named(op, "hal.executable.export") && iree_string_view_equal(ir_op_sym_name(op), name))
      return op;
  }
  return NULL;
}

static bool has_tensors(const ir_op_t *func) {
  for (const ir_op_t *op = ir_body(func) ? ir_body(func)->first : NULL; op; op = op->next) {
    if (is_named(op, "iree_tensor_ext.dispatch.tensor.store")) return true;
  }
  return false;
}

iree_status_t codegen_lower_variant(ir_ctx_t *ctx, ir_op_t *variant,
                                    const codegen_target_t *target) {
  for (ir_op_t *module = ir_body(variant) ? ir_body(variant)->first : NULL; module;
       module = module->next) {
    if (!is_named(module, "builtin.module") || !ir_body(module)) continue;
    for (ir_op_t *func = ir_body(module)->first, *next; func; func = next) {
      next = func->next;
      if (is_named(func, "iree_codegen.dispatch_config")) ir_op_erase(func);
      if (!is_named(func, "func.func") || !has_tensors(func)) continue;
      ir_op_set_attr(ctx, func, "translation_info", NULL);
      ir_op_t *export_op = export_of(variant, ir_op_sym_name(func));
      IREE_RETURN_IF_ERROR(codegen_schedule_function(ctx, module, func, export_op, target));
    }
  }
  return iree_ok_status();
}
