// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_DIALECTS_ELEMENT_TYPE_H_
#define COMPILER_DIALECTS_ELEMENT_TYPE_H_

#include "compiler/ir/ir.h"

// The number of abi/element_type.def for a scalar type; false if buffer views have none.
bool element_type_number(ir_type_t type, uint32_t *out_number);
// That number as an i32: hal.element_type, or a constant for the types whose number upstream lacks.
ir_value_t *element_type_build(ir_builder_t *b, ir_type_t type);

#endif  // COMPILER_DIALECTS_ELEMENT_TYPE_H_
