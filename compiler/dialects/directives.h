// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text directives that the forms of several ops share: name($args) in a FORM calls one of these.
#ifndef COMPILER_DIALECTS_DIRECTIVES_H_
#define COMPILER_DIALECTS_DIRECTIVES_H_

#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"

extern const ir_directive_t dialect_directives[];
extern const size_t dialect_n_directives;

// Parse and print of function-like ops, for hooks: `[visibility] @name(args) -> results attributes {...} {body}`.
bool function_parse(ir_parser_t *p, ir_op_state_t *s);
void function_print(ir_printer_t *p, const ir_op_t *op);

#endif  // COMPILER_DIALECTS_DIRECTIVES_H_
