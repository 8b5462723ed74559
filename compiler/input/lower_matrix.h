// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix algorithms as loops on the host around generics.
#ifndef COMPILER_INPUT_LOWER_MATRIX_H_
#define COMPILER_INPUT_LOWER_MATRIX_H_

#include "compiler/input/lower.h"

enum { LOOP_MAX_CARRIED = 2 };
typedef struct host_loop {
  ir_op_t *op;
  ir_value_t *i, *carried[LOOP_MAX_CARRIED];
  size_t n;
  ir_builder_t saved;
} host_loop_t;
// scf.for from 0 below |n|; l->b is in its body until the end is built.
host_loop_t low_loop_begin(lowering_t *l, int64_t n, ir_value_t *const *init, size_t n_init);
void low_loop_end(lowering_t *l, host_loop_t *h, ir_value_t *const *next);

ir_value_t *low_cholesky(lowering_t *l, ir_value_t *a, bool lower);
ir_value_t *low_triangular_solve(lowering_t *l, ir_value_t *a, ir_value_t *rhs, bool left,
                                 bool lower, bool unit, bool transposed);
// The routine of LAPACK that custom call |op| names; |*out_done| says whether there is one.
iree_status_t low_lapack(lowering_t *l, ir_op_t *op, bool *out_done);

#endif  // COMPILER_INPUT_LOWER_MATRIX_H_
