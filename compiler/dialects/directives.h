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
iree_status_t function_verify(ir_op_t *op);

// Rows of the table that stand in files of their own: parse and print of one piece of text.
#define DIRECTIVE(name) \
  bool name##_parse(ir_parser_t *p, ir_op_state_t *s, const int *args, size_t n_args); \
  void name##_print(ir_printer_t *p, const ir_op_t *op, const int *args, size_t n_args)
DIRECTIVE(shaped_function);     // shaped-function($args,$arg_dims,$results,$result_dims,$tied_operands)
DIRECTIVE(shaped_operands);     // shaped-operands($values,$value_dims)
DIRECTIVE(shaped_tied_result);  // shaped-tied-result($result,$dims[,$tied_operands])
DIRECTIVE(tied_results);        // tied-results($operands,$results,$tied_operands)
DIRECTIVE(paren_types);         // paren-types($operands)
DIRECTIVE(type_or_attr);        // type-or-attr($type,$value)
DIRECTIVE(value_type_list);     // value-type-list($values)
DIRECTIVE(list_get_type);       // list-get-type($list,$result)
DIRECTIVE(list_set_type);       // list-set-type($list,$value)
DIRECTIVE(range_list);          // range-list($offsets_then_lengths)
DIRECTIVE(dispatch_entry_points);        // entry-points($entry_points)
DIRECTIVE(result_type_alias);   // result-type-alias($encoding,$result)
DIRECTIVE(operand_type_alias);  // operand-type-alias($encoding,$operand)
DIRECTIVE(parameter_name);      // parameter-name($scope,$key,$offset)
DIRECTIVE(parameter_loads);     // parameter-loads($scope,$keys,$offsets,$sizes,$results)
DIRECTIVE(parameter_gathers);   // parameter-gathers($scope,$keys,$offsets,$target,$target_offsets,$lengths[,$size])
DIRECTIVE(parameter_scatters);  // parameter-scatters($source,$source_offsets,$lengths,$scope,$keys,$offsets[,$size])
#undef DIRECTIVE

#endif  // COMPILER_DIALECTS_DIRECTIVES_H_
