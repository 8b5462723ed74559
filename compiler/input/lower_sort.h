// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting of tensors together along one dimension, by any order.
#ifndef COMPILER_INPUT_LOWER_SORT_H_
#define COMPILER_INPUT_LOWER_SORT_H_

#include "compiler/input/lower.h"

enum { SORT_MAX_INPUTS = 16 };

// Gives an i1 that says whether the elements |x| come before |y|.
typedef iree_status_t (*sort_before_fn_t)(lowering_t *l, ir_builder_t *b, ir_op_t *op,
                                          ir_value_t *const *x, ir_value_t *const *y,
                                          ir_value_t **out);
typedef struct sorting {
  ir_op_t *op;  // handed to |before|
  sort_before_fn_t before;
  size_t rank, dim, n;  // |n| inputs of one shape
  ir_value_t *inputs[SORT_MAX_INPUTS];
  ir_value_t *extent;  // of |dim|; set by low_sort
} sorting_t;

// |out|: the inputs sorted; equal elements keep their order.
iree_status_t low_sort(lowering_t *l, sorting_t *s, ir_value_t **out);

#endif  // COMPILER_INPUT_LOWER_SORT_H_
