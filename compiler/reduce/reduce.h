// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a program small that shows a failure, and keeps the failure.
//
//   sites     places where a strategy can take something away, in the order of the program
//   candidate the program with some sites applied; it verifies, prints and weighs less, or is dropped
//   test      says of a candidate whether it still fails ("is interesting")
//
// Strategies are rows of strategies.def. Of each, all sites are tried at once, then halves, quarters, ... and
// at last single ones (delta debugging); rounds over all strategies end when one changes nothing. Nothing
// depends on time or chance: equal inputs and tests give equal programs.
#ifndef COMPILER_REDUCE_REDUCE_H_
#define COMPILER_REDUCE_REDUCE_H_

#include "compiler/ir/ir.h"

// Says whether |text|, printed from |module|, still shows the failure.
typedef iree_status_t (*reduce_test_fn_t)(void *self, iree_string_view_t text, const ir_op_t *module, bool *out_is_interesting);

typedef struct reduce_options {
  reduce_test_fn_t test;
  void *test_self;
  int64_t max_tests;  // stop after as many, with what there is; 0: no limit
  // One line per program that replaces the last one. May be NULL.
  void (*progress)(void *self, const char *strategy, size_t n_ops, size_t n_bytes, int64_t n_tests);
  void *progress_self;
} reduce_options_t;

typedef struct reduce_result {
  iree_string_view_t text;  // lies in the arena given
  int64_t n_tests;
  size_t n_ops_before, n_ops;
} reduce_result_t;

// Reduces the program |source|, which the test has to find interesting.
//   errors: INVALID_ARGUMENT     it does not parse or verify: what reads it has said so
//           FAILED_PRECONDITION  the test does not find it interesting
iree_status_t reduce_program(iree_string_view_t source, const char *name, const reduce_options_t *options, iree_arena_t *arena,
                             reduce_result_t *out_result);

#endif  // COMPILER_REDUCE_REDUCE_H_
