// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text directives of the hal dialect; registered in directives.c.
#ifndef COMPILER_DIALECTS_HAL_TEXT_H_
#define COMPILER_DIALECTS_HAL_TEXT_H_

#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"

// Sets of named bits in integer attributes.
#define HAL_BIT_SETS(X)                                                                   \
  X(memory_type)                                                                          \
  X(buffer_usage) X(memory_access) X(command_mode) X(command_category) X(execution_stage) \
      X(alloca) X(dealloca) X(reserved)

#define HAL_DIRECTIVE(name)                                                       \
  bool name##_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n); \
  void name##_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n);
HAL_BIT_SETS(HAL_DIRECTIVE)
HAL_DIRECTIVE(bindings)
#undef HAL_DIRECTIVE

#endif  // COMPILER_DIALECTS_HAL_TEXT_H_
