// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IR around passes, on stderr or as files: --mlir-print-ir-*. One object watches one pass:
//
//   dump_t dump;
//   dump_before(&dump, pass, module, name);  // prints if asked; remembers what "change" compares with
//   ... the pass ...
//   dump_after(&dump, pass, module, failed);
#ifndef COMPILER_DUMP_H_
#define COMPILER_DUMP_H_

#include "compiler/ir/printer.h"
#include "compiler/pass.h"

typedef struct dump {
  const char *name;  // of the pass
  uint64_t hash;     // of the text before it; only where changes matter
  int index;         // of the pass in this compilation, from 0: names files
} dump_t;

iree_status_t dump_before(dump_t *dump, pass_t *pass, ir_op_t *module, const char *name);
iree_status_t dump_after(const dump_t *dump, pass_t *pass, ir_op_t *module, bool failed);

// What the options say of printed IR; |debuginfo| unless they say something of locations.
ir_print_options_t dump_print_options(const compile_options_t *options, bool debuginfo);

// Checks the names in --mlir-print-ir-{before,after}=.
//   errors: INVALID_ARGUMENT  no pass has that name
iree_status_t dump_check_options(const compile_options_t *options);

#endif  // COMPILER_DUMP_H_
