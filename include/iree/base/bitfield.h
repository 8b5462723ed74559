// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit sets and their names.
//
// A mapping table lists names from the widest combination to single bits; formatting takes each row
// whose bits are all set and still unnamed, and what is left is printed as one hexadecimal number.
#ifndef IREE_BASE_BITFIELD_H_
#define IREE_BASE_BITFIELD_H_

#include "iree/base/status.h"
#include "iree/base/string_builder.h"
#include "iree/base/string_view.h"

#ifdef __cplusplus
extern "C" {
#endif

#define iree_any_bit_set(lhs, rhs) (((lhs) & (rhs)) != 0)
#define iree_all_bits_set(lhs, rhs) (((lhs) & (rhs)) == (rhs))

typedef struct iree_bitfield_string_mapping_t {
  uint32_t bits;
  iree_string_view_t string;
} iree_bitfield_string_mapping_t;

// Room for the text of one bit set.
typedef struct iree_bitfield_string_temp_t {
  char buffer[128];
} iree_bitfield_string_temp_t;

// Reads names joined by '|'.
//   errors: INVALID_ARGUMENT  an unknown name
IREE_API_EXPORT iree_status_t iree_bitfield_parse(iree_string_view_t value,
                                                  iree_host_size_t mapping_count,
                                                  const iree_bitfield_string_mapping_t *mappings,
                                                  uint32_t *out_value);

// Appends the names of a value.
//   errors: RESOURCE_EXHAUSTED  no room
IREE_API_EXPORT iree_status_t iree_bitfield_format(uint32_t value, iree_host_size_t mapping_count,
                                                   const iree_bitfield_string_mapping_t *mappings,
                                                   iree_string_builder_t *string_builder);

// The same into a temporary; text that does not fit is "(error)".
//   owns:   the view is borrowed from |out_temp|
//   errors: none
IREE_API_EXPORT iree_string_view_t iree_bitfield_format_inline(
    uint32_t value, iree_host_size_t mapping_count, const iree_bitfield_string_mapping_t *mappings,
    iree_bitfield_string_temp_t *out_temp);

#ifdef __cplusplus
}
#endif
#endif  // IREE_BASE_BITFIELD_H_
