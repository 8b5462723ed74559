// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise evaluation of tensor programs: "the value of tensor T at indices I", by asking T's
// defining op, which asks its operands. Fusion is what this does by nature: a producer's element is
// computed where it is wanted, once per distinct index tuple, in the outermost loop in which those
// indices are fixed (kernel.h). Reductions become loops there.
#ifndef IREE_COMPILER_CODEGEN_EVAL_H_
#define IREE_COMPILER_CODEGEN_EVAL_H_

#include "compiler/codegen/kernel.h"

// Values of a region being evaluated: its block arguments and op results.
typedef struct eval_frame_t eval_frame_t;
struct eval_frame_t {
  eval_frame_t *parent;
  const kidx_t *dims;  // of linalg.index
  size_t n_dims;
  const ir_value_t **keys;
  kval_t *values;
  size_t count, capacity;
};

typedef struct eval_t eval_t;
typedef kval_t (*eval_fn_t)(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);

// A tensor whose elements live in the binding that |store| writes and change as the kernel runs.
typedef struct {
  ir_op_t *store;
  const ir_value_t *current;  // the value that the binding holds now
} eval_place_t;

struct eval_t {
  kernel_t k;
  eval_place_t *places;
  size_t n_places;
  eval_frame_t *frame;
  eval_fn_t *tensor_fns;  // by op kind
  size_t n_kinds;
  int recursion;
};

void eval_init(eval_t *e, ir_ctx_t *ctx, iree_arena_t *arena, const codegen_target_t *target,
               ir_op_t *func, ir_block_t *block);

// The element of |tensor| at |idx|.
kval_t eval_tensor(eval_t *e, ir_value_t *tensor, const kidx_t *idx, size_t rank);
// A value that is no tensor: of the function, or of the region being evaluated.
kval_t eval_scalar(eval_t *e, ir_value_t *value);
// One op of the block being evaluated; gives |value| to what uses it there.
kval_t eval_op(eval_t *e, ir_op_t *op, size_t result);
void eval_bind(eval_t *e, const ir_value_t *value, kval_t to);
// The extent of dimension |d|.
kidx_t eval_extent(eval_t *e, ir_value_t *tensor, size_t d);
// Runs |block| with |args|; its terminator's operands go to |out|.
void eval_body(eval_t *e, ir_block_t *block, const kval_t *args, const kidx_t *dims, size_t n_dims,
               kval_t *out, size_t n_out);

// Entry |i| of a list of static and dynamic integers: attribute |statics|, operand group |group|.
kidx_t eval_mixed(eval_t *e, ir_op_t *op, const char *group, const char *statics, size_t i);
size_t eval_mixed_count(ir_op_t *op, const char *statics);

// The flat buffer behind a hal.interface.binding.subspan.
ir_value_t *eval_buffer(eval_t *e, ir_value_t *subspan);
// Linear index of |idx| in a dispatch tensor, through the window of |op| (load or store).
kidx_t eval_window(eval_t *e, ir_op_t *op, ir_value_t *target, ir_type_t window, const kidx_t *idx,
                   size_t rank);
// Element |at| of |buffer|: one or two buffer elements, or a part of a byte.
kval_t eval_load(eval_t *e, ir_value_t *buffer, kidx_t at, ir_type_t element);
void eval_store(eval_t *e, ir_value_t *buffer, kidx_t at, kval_t value, ir_type_t element);
// True if several elements share a byte: neighbours must then be stored one after the other.
bool eval_is_packed(ir_type_t element);
// The tensor type inside a dispatch tensor type; NULL if there is none.
ir_type_t eval_bound_type(ir_type_t type);

// Structured ops (eval_linalg.c).
kval_t eval_linalg(eval_t *e, ir_op_t *op, size_t result, const kidx_t *idx, size_t rank);

#endif  // IREE_COMPILER_CODEGEN_EVAL_H_
