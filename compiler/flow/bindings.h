// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of dispatches: binding types, whole loads and stores, the workgroup count.
#ifndef COMPILER_FLOW_BINDINGS_H_
#define COMPILER_FLOW_BINDINGS_H_

#include "compiler/dialects/ops.h"

// !iree_tensor_ext.dispatch.tensor<ACCESS:TENSOR>; |access| is readonly, writeonly or readwrite.
ir_type_t binding_type(ir_ctx_t *ctx, const char *access, ir_type_t tensor);
ir_type_t binding_tensor(ir_type_t binding);        // the tensor type
const char *binding_access(ir_type_t binding);      // borrowed from the context
bool binding_is(ir_type_t type);
// Loads or stores all of a binding; |dims| are the dynamic extents of |tensor|.
ir_value_t *binding_build_load(ir_builder_t *b, ir_value_t *binding, ir_type_t tensor, ir_value_t *const *dims);
void binding_build_store(ir_builder_t *b, ir_value_t *value, ir_value_t *binding, ir_value_t *const *dims);
// Fills |region| with the count that follows from later tiling, over |n| workload values.
void dispatch_build_count(ir_ctx_t *ctx, ir_region_t *region, uint32_t n, ir_loc_t loc);

#endif  // COMPILER_FLOW_BINDINGS_H_
