// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_VM_ELEMENT_TYPE_H_
#define COMPILER_VM_ELEMENT_TYPE_H_

#include "compiler/ir/ir.h"

// The number of abi/element_type.def for a scalar type; false if buffer views have none.
bool element_type_number(ir_type_t type, uint32_t *out_number);

#endif  // COMPILER_VM_ELEMENT_TYPE_H_
