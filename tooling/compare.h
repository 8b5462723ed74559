// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results against expected values.
//
// Floats match when |actual - expected| <= absolute + relative * |expected|, or both are NaN;
// complex numbers component by component. All else, and everything in exact mode, is compared bit
// by bit. Integer types of one width match whatever their signedness, and an opaque type (npy 'V')
// matches any type of its size, because files cannot say more. A null expected value matches
// anything.

#ifndef TOOLING_COMPARE_H_
#define TOOLING_COMPARE_H_

#include "base/flags.h"
#include "iree/vm/api.h"

enum { COMPARE_APPROXIMATE, COMPARE_EXACT };

typedef struct compare_flags_t {
  double f16_absolute;
  double f32_absolute;
  double f64_absolute;
  double bf16_absolute;
  double relative;
  int32_t mode;
} compare_flags_t;

extern const flag_group_t compare_flag_group;

// What a comparison goes by and what comes of it.
typedef struct comparison_t {
  const compare_flags_t *flags;
  iree_host_size_t max_element_count;  // printed of each tensor that differs
  iree_string_builder_t *report;       // gets a text for each mismatch
  bool is_match;                       // result
  iree_host_size_t index;              // of the value being compared
} comparison_t;

// Compares the lists value by value; buffers must be host-visible.
//   errors: those of mapping buffers; RESOURCE_EXHAUSTED
iree_status_t compare_lists(comparison_t *comparison, iree_vm_list_t *expected,
                            iree_vm_list_t *actual);

#endif  // TOOLING_COMPARE_H_
