// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wall time of passes and of other parts, by name: --mlir-timing and the report.
#ifndef COMPILER_TIMING_H_
#define COMPILER_TIMING_H_

#include "compiler/options.h"

enum { TIMING_LIST, TIMING_TREE };  // --mlir-timing-display
enum { TIMING_TEXT, TIMING_JSON };  // --mlir-output-format

enum { PASS_TIMING_MAX = 128 };
typedef struct pass_timing {
  struct pass_timing_row {
    const char *name;
    int64_t ns;
    int64_t n_rewrites;  // --mlir-pass-statistics
  } rows[PASS_TIMING_MAX];  // in order of first appearance
  size_t n;
} pass_timing_t;

// Adds wall time, or rewrites that were done, to the row |name|; |timing| may be NULL.
void pass_timing_add(pass_timing_t *timing, const char *name, int64_t ns);
void pass_timing_add_rewrites(pass_timing_t *timing, const char *name, int64_t n);

// Appends the report to |builder|.
//   errors: RESOURCE_EXHAUSTED  out of memory
iree_status_t pass_timing_print_statistics(const pass_timing_t *timing, iree_string_builder_t *builder);
iree_status_t pass_timing_print(const pass_timing_t *timing, int64_t total_ns, const compile_options_t *options,
                                iree_string_builder_t *builder);

#endif  // COMPILER_TIMING_H_
