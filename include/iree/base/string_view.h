// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A borrowed range of characters: pointer and length, no terminating NUL needed, no ownership.
// All functions accept empty views with a NULL pointer and never allocate.
#ifndef IREE_BASE_STRING_VIEW_H_
#define IREE_BASE_STRING_VIEW_H_

#include "iree/base/alignment.h"
#include "iree/base/config.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_status_handle_t *iree_status_t;

#define IREE_STRING_VIEW_NPOS IREE_HOST_SIZE_MAX

typedef struct iree_string_view_t {
  const char *data;
  iree_host_size_t size;
} iree_string_view_t;

typedef struct iree_mutable_string_view_t {
  char *data;
  iree_host_size_t size;
} iree_mutable_string_view_t;

typedef struct iree_string_pair_t {
  union {
    iree_string_view_t first;
    iree_string_view_t key;
  };
  union {
    iree_string_view_t second;
    iree_string_view_t value;
  };
} iree_string_pair_t;

typedef struct iree_string_pair_list_t {
  iree_host_size_t count;
  const iree_string_pair_t *pairs;
} iree_string_pair_list_t;

typedef struct iree_string_view_list_t {
  iree_host_size_t count;
  const iree_string_view_t *values;
} iree_string_view_list_t;

static inline iree_string_view_t iree_make_string_view(const char *data, iree_host_size_t size) {
  iree_string_view_t view = {data, size};
  return view;
}
static inline iree_string_view_t iree_string_view_empty(void) {
  return iree_make_string_view(NULL, 0);
}
static inline iree_string_view_t iree_make_cstring_view(const char *text) {
  return iree_make_string_view(text, text ? strlen(text) : 0);
}
static inline iree_mutable_string_view_t iree_make_mutable_string_view(char *data,
                                                                       iree_host_size_t size) {
  iree_mutable_string_view_t view = {data, size};
  return view;
}
static inline iree_string_view_t iree_make_const_string_view(iree_mutable_string_view_t view) {
  return iree_make_string_view(view.data, view.size);
}
static inline iree_string_pair_t iree_make_string_pair(iree_string_view_t first,
                                                       iree_string_view_t second) {
  iree_string_pair_t pair;
  pair.first = first;
  pair.second = second;
  return pair;
}
static inline iree_string_pair_t iree_make_cstring_pair(const char *first, const char *second) {
  return iree_make_string_pair(iree_make_cstring_view(first), iree_make_cstring_view(second));
}

static inline iree_string_pair_t iree_string_pair_empty(void) {
  return iree_make_string_pair(iree_string_view_empty(), iree_string_view_empty());
}
static inline iree_mutable_string_view_t iree_mutable_string_view_empty(void) {
  return iree_make_mutable_string_view(NULL, 0);
}
static inline iree_string_pair_list_t iree_string_pair_list_empty(void) {
  iree_string_pair_list_t list = {0, NULL};
  return list;
}
static inline iree_string_view_list_t iree_string_view_list_empty(void) {
  iree_string_view_list_t list = {0, NULL};
  return list;
}

#define iree_mutable_string_view_is_empty(sv) ((sv).data == NULL || (sv).size == 0)
#define iree_string_view_is_empty(sv) ((sv).data == NULL || (sv).size == 0)
#define iree_string_view_literal(str) \
  { (str), IREE_ARRAYSIZE(str) - 1 }
#define IREE_SV(cstr) iree_make_cstring_view(cstr)
#define IREE_SVL(cstr) iree_string_view_literal(cstr)
// For printf: `"%.*s", IREE_SV_ARGS(view)`.
#define IREE_SV_ARGS(sv) (int)(sv).size, ((sv).data ? (sv).data : "")

// Equality and order of bytes; _case ignores the case of ASCII letters.
//   errors: none
IREE_API_EXPORT bool iree_string_view_equal(iree_string_view_t lhs, iree_string_view_t rhs);
IREE_API_EXPORT bool iree_string_view_equal_case(iree_string_view_t lhs, iree_string_view_t rhs);
IREE_API_EXPORT int iree_string_view_compare(iree_string_view_t lhs, iree_string_view_t rhs);

// Position of the first (last) match at or after (before or at) |pos|, or IREE_STRING_VIEW_NPOS.
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_string_view_find_char(iree_string_view_t value, char c,
                                                            iree_host_size_t pos);
IREE_API_EXPORT iree_host_size_t iree_string_view_find_first_of(iree_string_view_t value,
                                                                iree_string_view_t s,
                                                                iree_host_size_t pos);
IREE_API_EXPORT iree_host_size_t iree_string_view_find_last_of(iree_string_view_t value,
                                                               iree_string_view_t s,
                                                               iree_host_size_t pos);
IREE_API_EXPORT bool iree_string_view_starts_with(iree_string_view_t value,
                                                  iree_string_view_t prefix);
IREE_API_EXPORT bool iree_string_view_ends_with(iree_string_view_t value,
                                                iree_string_view_t suffix);
static inline bool iree_string_view_starts_with_char(iree_string_view_t value, char c) {
  return value.size > 0 && value.data[0] == c;
}

// Cutting: remove_* drops |n| characters (all when fewer), strip_* drops the text if it is there,
// consume_* does so in place and says whether, trim drops white space on both sides.
//   errors: none
IREE_API_EXPORT iree_string_view_t iree_string_view_remove_prefix(iree_string_view_t value,
                                                                  iree_host_size_t n);
IREE_API_EXPORT iree_string_view_t iree_string_view_remove_suffix(iree_string_view_t value,
                                                                  iree_host_size_t n);
IREE_API_EXPORT iree_string_view_t iree_string_view_strip_prefix(iree_string_view_t value,
                                                                 iree_string_view_t prefix);
IREE_API_EXPORT iree_string_view_t iree_string_view_strip_suffix(iree_string_view_t value,
                                                                 iree_string_view_t suffix);
IREE_API_EXPORT bool iree_string_view_consume_prefix(iree_string_view_t *value,
                                                     iree_string_view_t prefix);
IREE_API_EXPORT bool iree_string_view_consume_suffix(iree_string_view_t *value,
                                                     iree_string_view_t suffix);
static inline bool iree_string_view_consume_prefix_char(iree_string_view_t *value, char c) {
  if (!iree_string_view_starts_with_char(*value, c)) return false;
  ++value->data;
  --value->size;
  return true;
}
IREE_API_EXPORT iree_string_view_t iree_string_view_trim(iree_string_view_t value);
IREE_API_EXPORT iree_string_view_t iree_string_view_substr(iree_string_view_t value,
                                                           iree_host_size_t pos,
                                                           iree_host_size_t n);

// Splits at the first |split_char| and returns its position, or -1 with |value| in |out_lhs| and
// an empty |out_rhs|. Either output may be NULL.
//   errors: none
IREE_API_EXPORT intptr_t iree_string_view_split(iree_string_view_t value, char split_char,
                                                iree_string_view_t *out_lhs,
                                                iree_string_view_t *out_rhs);

// Replaces in place; the storage must be writable.
//   errors: none
IREE_API_EXPORT void iree_string_view_replace_char(iree_string_view_t value, char old_char,
                                                   char new_char);

// Glob match: `*` any run, `?` any one character.
//   errors: none
IREE_API_EXPORT bool iree_string_view_match_pattern(iree_string_view_t value,
                                                    iree_string_view_t pattern);

// Copies as many characters as fit and a terminating NUL.
//   errors: none
IREE_API_EXPORT void iree_string_view_to_cstring(iree_string_view_t value, char *buffer,
                                                 iree_host_size_t buffer_length);

// Copies |source_value| to |buffer|, points |target_value| at it, returns the length.
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_string_view_append_to_buffer(iree_string_view_t source_value,
                                                                   iree_string_view_t *target_value,
                                                                   char *buffer);

// Numbers: false unless the whole view is one number in range; 0x and 0b/0 prefixes when base 0.
//   errors: none
IREE_API_EXPORT bool iree_string_view_atoi_int32_base(iree_string_view_t value, int base,
                                                      int32_t *out_value);
IREE_API_EXPORT bool iree_string_view_atoi_int32(iree_string_view_t value, int32_t *out_value);
IREE_API_EXPORT bool iree_string_view_atoi_uint32_base(iree_string_view_t value, int base,
                                                       uint32_t *out_value);
IREE_API_EXPORT bool iree_string_view_atoi_uint32(iree_string_view_t value, uint32_t *out_value);
IREE_API_EXPORT bool iree_string_view_atoi_int64_base(iree_string_view_t value, int base,
                                                      int64_t *out_value);
IREE_API_EXPORT bool iree_string_view_atoi_int64(iree_string_view_t value, int64_t *out_value);
IREE_API_EXPORT bool iree_string_view_atoi_uint64_base(iree_string_view_t value, int base,
                                                       uint64_t *out_value);
IREE_API_EXPORT bool iree_string_view_atoi_uint64(iree_string_view_t value, uint64_t *out_value);
IREE_API_EXPORT bool iree_string_view_atof(iree_string_view_t value, float *out_value);
IREE_API_EXPORT bool iree_string_view_atod(iree_string_view_t value, double *out_value);

// Two hex digits per byte, `-` and nothing else between bytes; fills |out_buffer| exactly.
//   errors: none
IREE_API_EXPORT bool iree_string_view_parse_hex_bytes(iree_string_view_t value,
                                                      iree_host_size_t buffer_length,
                                                      uint8_t *out_buffer);

// "64", "2kb", "1mib", "3gb": decimal (k/m/g + b) and binary (ki/mi/gi + b) units.
//   errors: INVALID_ARGUMENT  not a size;  OUT_OF_RANGE  more than a device size holds
IREE_API_EXPORT iree_status_t iree_string_view_parse_device_size(iree_string_view_t value,
                                                                 iree_device_size_t *out_size);

#ifdef __cplusplus
}
#endif
#endif  // IREE_BASE_STRING_VIEW_H_
