// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar operations of the evaluator.
#ifndef COMPILER_DIALECTS_INTERP_SCALAR_H_
#define COMPILER_DIALECTS_INTERP_SCALAR_H_

#include "compiler/dialects/ops.h"

typedef union cell {
  int64_t i;  // integers and index, sign extended from their width
  double d;   // floats, exactly a value of their format
} cell_t;

enum { SCALAR_MAX_OPERANDS = 3 };
// One op of a body, taken apart once and run per point.
typedef struct scalar_step {
  ir_kind_t kind;
  uint32_t in[SCALAR_MAX_OPERANDS], n_in, out;  // slots
  ir_type_t type, result;                       // of the first operand and of the result
  unsigned width;                               // bits of |type|
  const char *predicate;                        // of comparisons
  cell_t constant;
} scalar_step_t;

bool scalar_type_fits(ir_type_t type);  // integers up to 64 bits, index, floats up to f64
cell_t scalar_load(ir_type_t type, const uint8_t *at);
void scalar_store(ir_type_t type, cell_t value, uint8_t *at);
bool scalar_from_attr(ir_type_t type, ir_attr_t attr, cell_t *out);
// Is there a rule for |op|? Constants and linalg.index are steps of their own.
bool scalar_step_of(const ir_op_t *op, scalar_step_t *out_step);
// Computes the step on |cells|. False if the value is not defined.
bool scalar_run(const scalar_step_t *step, cell_t *cells);

#endif  // COMPILER_DIALECTS_INTERP_SCALAR_H_
