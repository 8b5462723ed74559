// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the evaluator share (eval.c, eval_shape.c, eval_memory.c, eval_complex.c).
#ifndef IREE_COMPILER_CODEGEN_EVAL_INTERNAL_H_
#define IREE_COMPILER_CODEGEN_EVAL_INTERNAL_H_

#include "compiler/codegen/eval.h"

kval_t eval_failed(eval_t *e);  // what stands for a value after an error
kval_t eval_fail(eval_t *e, const ir_op_t *op, const char *what);
bool eval_is(const ir_op_t *op, const char *name);  // by name; false for NULL
bool eval_is_elementwise(const ir_op_t *op);        // of arith, math or complex
// One of complex elements: operands and results of complex type, complex.re and kin.
kval_t eval_complex_op(eval_t *e, const ir_op_t *op, const kval_t *operands);
static inline bool eval_is_complex(ir_type_t type) {
  return ir_is(ir_type_element(type), IR_T_COMPLEX);
}
// Parts of an element that are stored and carried by themselves: 2 for complex ones.
static inline size_t eval_parts(ir_type_t type) { return eval_is_complex(type) ? 2 : 1; }
kval_t eval_elementwise_op(eval_t *e, const ir_op_t *op, const kval_t *operands, size_t result);

// The value of dynamic dimension |d| of |type| from a group holding one per dynamic dimension.
kidx_t eval_dynamic_dim(eval_t *e, ir_op_t *op, ir_group_t g, ir_type_t type, size_t d);
// Source dimensions that a slice keeps in |sliced|; returns their count.
size_t eval_slice_dims(ir_op_t *op, ir_type_t sliced, size_t *out_source_dim);
// |a| where |condition| (NULL: always), else |b|.
kval_t eval_choose(eval_t *e, ir_value_t *condition, kval_t a, kval_t b);
kidx_t eval_linearize(eval_t *e, ir_value_t *tensor, const kidx_t *idx, size_t rank);
ir_attr_t eval_scalar_attr(ir_ctx_t *ctx, ir_type_t element, uint64_t bits);

kval_t eval_collapse(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_concat(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_constant(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_dispatch_load(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_elementwise(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_expand(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_extract_slice(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_from_elements(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_generate(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_insert(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_insert_slice(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_pad(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_pass(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_splat(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);
kval_t eval_undefined(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);

#endif  // IREE_COMPILER_CODEGEN_EVAL_INTERNAL_H_
