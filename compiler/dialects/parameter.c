// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named parameters (parameter.h).
#include "compiler/dialects/parameter.h"

#include <string.h>

bool parameter_of(ir_attr_t value, parameter_t *out) {
  *out = (parameter_t){0};
  if (value && value->kind == IR_A_TYPED) value = ir_kid(value, 0);
  if (!ir_is(value, IR_A_DIALECT) || value->n_kids == 0) return false;
  if (strcmp(ir_bytes(value), "flow.parameter.named") && strcmp(ir_bytes(value), "stream.parameter.named")) return false;
  ir_attr_t name = ir_kid(value, 0);
  if (name->kind == IR_A_PAIR) {
    out->scope = ir_kid(name, 0);
    name = ir_kid(name, 1);
  }
  out->key = name;
  return ir_is(out->key, IR_A_STRING) && (!out->scope || ir_is(out->scope, IR_A_STRING));
}

ir_attr_t parameter_attr(ir_ctx_t *ctx, iree_string_view_t scope, iree_string_view_t key, ir_type_t type) {
  ir_attr_t name = ir_attr_string(ctx, key.data, key.size);
  if (scope.size) {
    ir_attr_t pair[2] = {ir_attr_string(ctx, scope.data, scope.size), name};
    name = ir_term(ctx, IR_A_PAIR, NULL, 0, pair, 2, "::", 2);
  }
  ir_attr_t typed[2] = {ir_attr_dialect(ctx, "flow.parameter.named", &name, 1), type};
  return ir_term(ctx, IR_A_TYPED, NULL, 0, typed, 2, NULL, 0);
}

void parameter_split_path(iree_string_view_t flag, iree_string_view_t *out_scope, iree_string_view_t *out_path) {
  if (iree_string_view_split(flag, '=', out_scope, out_path) != -1) return;
  *out_path = *out_scope;
  *out_scope = iree_string_view_empty();
}
