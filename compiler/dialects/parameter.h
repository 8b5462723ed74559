// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named parameters: values that the host program provides when the module is loaded.
#ifndef COMPILER_DIALECTS_PARAMETER_H_
#define COMPILER_DIALECTS_PARAMETER_H_

#include "compiler/ir/ir.h"

typedef struct parameter {
  ir_attr_t scope;  // a string; NULL: the global scope
  ir_attr_t key;    // a string
} parameter_t;

// Whether |value| (NULL: no) is #flow.parameter.named<...> or #stream.parameter.named<...>.
bool parameter_of(ir_attr_t value, parameter_t *out);

// The attribute of a tensor's parameter, with its type.
ir_attr_t parameter_attr(ir_ctx_t *ctx, iree_string_view_t scope, iree_string_view_t key, ir_type_t type);

// The parts of a flag's value `[scope=]path`.
void parameter_split_path(iree_string_view_t flag, iree_string_view_t *out_scope, iree_string_view_t *out_path);

#endif  // COMPILER_DIALECTS_PARAMETER_H_
