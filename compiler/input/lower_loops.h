// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are written as loops: what has to happen in order. Tensors are carried through
// scf.for nests inside of one flow.dispatch.region, read and changed element by element.
//
//   loops_t loops = low_loops_begin(l, types, sizes, n);
//   low_loops_copy(l, &loops, tensors);                       // unless all is written anyway
//   low_loops_open(l, &loops, extents, n_extents, indices);   // any number of times
//   ... loops.carried[i] = low_insert(&l->b, scalar, loops.carried[i], at, rank); ...
//   low_loops_end(l, &loops);                                 // results: ir_result(loops.region,
//   i)
#ifndef COMPILER_INPUT_LOWER_LOOPS_H_
#define COMPILER_INPUT_LOWER_LOOPS_H_

#include "compiler/input/lower.h"

enum { LOOPS_MAX_CARRIED = 16, LOOPS_MAX_DEPTH = 2 * HLO_MAX_RANK + 2 };

typedef struct loops {
  ir_op_t *region;                         // flow.dispatch.region
  ir_value_t *carried[LOOPS_MAX_CARRIED];  // at the point of |l->b|; the caller moves them on
  size_t n;
  ir_op_t *open[LOOPS_MAX_DEPTH];
  ir_builder_t after[LOOPS_MAX_DEPTH];  // where the code after each loop goes
  size_t depth;
  ir_builder_t saved;
} loops_t;

// |l->b| is in the region from here to low_loops_end. What is carried has no values yet, and the
// dynamic extents of |sizes|.
loops_t low_loops_begin(lowering_t *l, const ir_type_t *types, const sizes_t *sizes, size_t n);
// Starts from copies of |tensors|: tensors of their own from the beginning need no memory beside
// the results.
void low_loops_copy(lowering_t *l, loops_t *loops, ir_value_t *const *tensors);
// Carries |scalar| as well, through the loops that are opened from here until the loop around
// this point is closed.
void low_loops_carry(loops_t *loops, ir_value_t *scalar);
// One loop per extent, from 0, each inside of the one before; |l->b| is in the last one.
void low_loops_open(lowering_t *l, loops_t *loops, ir_value_t *const *extents, size_t n,
                    ir_value_t **out_indices);
// Closes the innermost loop: |carried| are its results then.
void low_loops_close(lowering_t *l, loops_t *loops);
void low_loops_end(lowering_t *l, loops_t *loops);
ir_value_t *low_insert(ir_builder_t *b, ir_value_t *scalar, ir_value_t *tensor,
                       ir_value_t *const *indices, size_t n);

#endif  // COMPILER_INPUT_LOWER_LOOPS_H_
