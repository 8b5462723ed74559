// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small builders of arith that lowerings share: one op each, at a builder.
#ifndef COMPILER_DIALECTS_LOW_H_
#define COMPILER_DIALECTS_LOW_H_

#include "compiler/dialects/ops.h"
#include "compiler/ir/ir.h"

ir_value_t *low_int(ir_builder_t *b, ir_type_t type, int64_t value);
ir_value_t *low_float(ir_builder_t *b, ir_type_t type, double value);
// The result has the type of |x|.
ir_value_t *low_op1(ir_builder_t *b, ir_kind_t kind, ir_value_t *x);
ir_value_t *low_op2(ir_builder_t *b, ir_kind_t kind, ir_value_t *x, ir_value_t *y);
ir_value_t *low_cast(ir_builder_t *b, ir_kind_t kind, ir_type_t type,
                     ir_value_t *x);  // |x| if it has |type|
ir_value_t *low_cmpi(ir_builder_t *b, const char *predicate, ir_value_t *x, ir_value_t *y);
ir_value_t *low_cmpf(ir_builder_t *b, const char *predicate, ir_value_t *x, ir_value_t *y);
ir_value_t *low_pick(ir_builder_t *b, ir_value_t *condition, ir_value_t *x,
                     ir_value_t *y);  // arith.select

#endif  // COMPILER_DIALECTS_LOW_H_
