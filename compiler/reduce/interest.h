// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a program interesting: ready-made tests, and any command. Compilers run in child processes, so
// that crashes and endless loops can be reduced like errors.
#ifndef COMPILER_REDUCE_INTEREST_H_
#define COMPILER_REDUCE_INTEREST_H_

#include "compiler/options.h"
#include "compiler/process.h"
#include "compiler/reduce/reduce.h"

enum { INTEREST_SCRIPT, INTEREST_ERROR, INTEREST_CRASH, INTEREST_DIFFER };  // --interesting=

typedef struct interest {
  int32_t kind;
  const compile_options_t *options;        // of compilations
  const compile_options_t *other_options;  // INTEREST_DIFFER: the second setting
  const char *script;                      // INTEREST_SCRIPT: called with the name of a file; 0 is interesting
  const char *run_module;                  // INTEREST_DIFFER: path of iree-run-module
  iree_string_view_t device;               // ... its --device
  iree_string_view_t message;              // INTEREST_ERROR: part of the message; empty: that of the first program
  int64_t timeout_ms;                      // of one compilation or command
  // Filled by interest_init.
  char folder[256];                        // of files on the way
  char *first_message;                     // without places and numbers
  bool has_run;                            // the script, once
} interest_t;

// Makes the folder. INVALID_ARGUMENT, and the errno of making one.
iree_status_t interest_init(interest_t *interest);
void interest_deinit(interest_t *interest);

// For reduce_options_t; |self| is an interest_t.
iree_status_t interest_test(void *self, iree_string_view_t text, const ir_op_t *module, bool *out_is_interesting);

#endif  // COMPILER_REDUCE_INTEREST_H_
