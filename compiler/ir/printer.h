// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR to text. ir_print is the entry; the rest is what custom print hooks of ops use.
// Tokens are spaced by pr_text's rule: no blank before closing or after opening punctuation.
#ifndef COMPILER_IR_PRINTER_H_
#define COMPILER_IR_PRINTER_H_

#include "compiler/ir/ir.h"

typedef struct ir_print_options {
  bool generic;               // "op"(...) form throughout
  bool debuginfo;             // loc(...) after each op
  int64_t elide_larger_than;  // elements; dense constants beyond become dense_resource<__elided__>; 0: never
  int64_t elide_resources_larger_than;  // characters; longer resources are left out; 0: never
  bool local_scope;           // no aliases, locations in place
} ir_print_options_t;

// Receives text in pieces.
typedef iree_status_t (*ir_write_fn_t)(void *self, const char *text, size_t n);
iree_status_t ir_print(const ir_op_t *op, const ir_print_options_t *options, ir_write_fn_t write, void *self);
// Prints into |arena|.
iree_string_view_t ir_print_to(iree_arena_t *arena, const ir_op_t *op, const ir_print_options_t *options);
const char *ir_print_term_to(iree_arena_t *arena, const ir_term_t *term);  // a type or attribute

ir_print_options_t pr_options(const ir_printer_t *p);
void pr_text(ir_printer_t *p, const char *token);             // a literal token, spaced
void pr_raw(ir_printer_t *p, const char *text);               // exactly this text, no space added
void pr_newline(ir_printer_t *p);                             // and the current indentation
void pr_indent(ir_printer_t *p, int by);
void pr_value(ir_printer_t *p, const ir_value_t *v);          // %3
void pr_values(ir_printer_t *p, const ir_op_t *op, ir_group_t group);  // %3, %4
void pr_type(ir_printer_t *p, ir_type_t type);
void pr_types(ir_printer_t *p, const ir_op_t *op, ir_group_t group);   // operand types
void pr_result_types(ir_printer_t *p, const ir_op_t *op);     // t, u
void pr_arrow_results(ir_printer_t *p, const ir_op_t *op);    // `-> t`, `-> (t, u)` or `-> ()`
void pr_attr(ir_printer_t *p, ir_attr_t attr);                // with type
void pr_attr_bare(ir_printer_t *p, ir_attr_t attr);           // numbers without type
void pr_int(ir_printer_t *p, int64_t value);
void pr_string(ir_printer_t *p, iree_string_view_t text);     // quoted, escaped
void pr_symbol(ir_printer_t *p, iree_string_view_t name);     // @name
void pr_block(ir_printer_t *p, const ir_block_t *block);      // ^bb3
void pr_successor(ir_printer_t *p, const ir_op_t *op, size_t i);  // ^bb3(%1 : i32)
// Row attributes not in |skip| (NULL-terminated names) and discardable ones: ` {a = 1}` or nothing.
void pr_attr_dict(ir_printer_t *p, const ir_op_t *op, const char *const *skip);
void pr_attr_dict_kw(ir_printer_t *p, const ir_op_t *op, const char *const *skip);
// ` {` blocks `}`. |entry_args|: print the first block's header even if it has only arguments shown
// elsewhere by the op (false). |terminators|: print an empty last terminator.
void pr_region(ir_printer_t *p, const ir_region_t *region, bool entry_args, bool terminators);
void pr_op(ir_printer_t *p, const ir_op_t *op);

#endif  // COMPILER_IR_PRINTER_H_
