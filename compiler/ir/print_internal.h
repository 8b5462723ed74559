// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_IR_PRINT_INTERNAL_H_
#define COMPILER_IR_PRINT_INTERNAL_H_

#include "compiler/ir/context.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"

typedef struct pr_alias {
  ir_attr_t attr;
  const char *name;
} pr_alias_t;

struct ir_printer {
  ir_print_options_t options;
  ir_write_fn_t write;
  void *self;
  iree_status_t status;
  char buffer[8192];
  size_t used;
  char last;        // last character written
  bool tight;       // the next token follows without a blank
  int indent;
  iree_arena_t scratch;
  ir_map_t *numbers;  // value -> number + 1; of a result: its op's first result
  ir_map_t *args;     // block argument of an entry block -> number + 1
  ir_map_t *blocks;   // block -> number + 1
  uintptr_t next_value, next_arg, next_block;
  pr_alias_t *aliases;
  size_t n_aliases, alias_cap;
  ir_map_t *alias_of;
  ir_loc_t *locs;    // named #loc0, #loc1, ... in order of appearance; defined at the end
  size_t n_locs, loc_cap;
  ir_map_t *loc_number;  // location -> number + 1
};

void pr_quoted(ir_printer_t *p, const char *text, size_t n);  // "text", what is odd as \hex
void pr_write(ir_printer_t *p, const char *text, size_t n);
void pr_float_number(ir_printer_t *p, ir_attr_t attr);  // without its type
void pr_term(ir_printer_t *p, const ir_term_t *t, bool elide_i64);
void pr_loc(ir_printer_t *p, ir_loc_t loc);
void pr_form_attr_dict(ir_printer_t *p, const ir_op_t *op, const char *const *skip, bool keyword);
void pr_form(ir_printer_t *p, const ir_op_t *op);
void pr_enum_generic(ir_printer_t *p, const ir_spec_attr_t *a, ir_attr_t value);

#endif  // COMPILER_IR_PRINT_INTERNAL_H_
