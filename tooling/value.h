// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of function calls as command-line text and files, in both directions.
//
// Input text, one per --input= (and --expected_output=), read along the calling convention of the
// function:
//   (null) (ignored)         null reference or zero
//   3.14                     scalar, where the convention has i, I, f or F
//   [DxDx..]TYPE[=VALUES]    tensor; no values: zeros, one value: all elements; brackets are
//   decoration [DxDx..]TYPE=@f.bin      tensor with the file's bytes; =+f.bin goes on where the
//   last read of f.bin ended &TENSOR                  the tensor's buffer without shape, for
//   results stored by reference
//   @f.npy  +f.npy  *f.npy   first array of the file, next array, all remaining arrays
//
// Output text, one per --output=:
//   (empty)   drop           -   print
//   @f.npy +f.npy            write or append an array       @f +f   write or append the raw bytes

#ifndef TOOLING_VALUE_H_
#define TOOLING_VALUE_H_

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/modules/hal/types.h"
#include "iree/vm/api.h"

// What values are made on. |device| may be NULL where |allocator| gives host-visible memory.
typedef struct value_target_t {
  iree_hal_device_t *device;
  iree_hal_allocator_t *allocator;
  iree_allocator_t host_allocator;
} value_target_t;

// Parses |specs| into a new list along |cconv| (one letter per value).
//   owns:   transfers ownership of out_list to the caller
//   errors: INVALID_ARGUMENT  malformed text, or more values than |cconv| has; the note names the
//   text
//           OUT_OF_RANGE      wrong number of elements, or a file that is too short
//           NOT_FOUND         missing file
iree_status_t value_parse_list(iree_string_view_t cconv, iree_string_view_list_t specs,
                               const value_target_t *target, iree_vm_list_t **out_list);

// Appends `name[i]: value` lines for all values of |list|; tensors end in "..." after
// |max_element_count| elements.
//   errors: those of mapping a buffer; RESOURCE_EXHAUSTED
iree_status_t value_append_list(iree_string_view_t name, iree_vm_list_t *list,
                                iree_host_size_t max_element_count, iree_string_builder_t *builder);

// Sends value i of |list| where spec i says; what is to be printed is appended to |builder|.
//   errors: OUT_OF_RANGE   |specs| and |list| differ in length
//           those of writing files
iree_status_t value_write_list(iree_vm_list_t *list, iree_string_view_list_t specs,
                               iree_host_size_t max_element_count, iree_allocator_t host_allocator,
                               iree_string_builder_t *builder);

#endif  // TOOLING_VALUE_H_
