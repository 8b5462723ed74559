// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walking JSON text piece by piece, without a tree: enough for headers of parameter files.
#ifndef BASE_IO_FORMATS_JSON_CURSOR_H_
#define BASE_IO_FORMATS_JSON_CURSOR_H_

#include "iree/base/api.h"

typedef struct json_cursor_t {
  iree_string_view_t text;
  iree_host_size_t offset;
} json_cursor_t;

// The status of text that is not what it should be, with its place.
iree_status_t json_error(const json_cursor_t *cursor, const char *expected);

// Skips blanks; whether |c| comes next, and then past it.
bool json_accept(json_cursor_t *cursor, char c);
//   errors: INVALID_ARGUMENT  something else comes next
iree_status_t json_expect(json_cursor_t *cursor, char c);

// Reads a string, as it stands between the quotes.
iree_status_t json_string(json_cursor_t *cursor, iree_string_view_t *out_raw);

// Replaces the escapes of a string by what they mean (UTF-8). |target| has raw.size bytes.
//   errors: INVALID_ARGUMENT  an escape that JSON does not have
iree_status_t json_unescape(iree_string_view_t raw, char *target, iree_host_size_t *out_length);

// Reads a number without sign, fraction and exponent.
iree_status_t json_u64(json_cursor_t *cursor, uint64_t *out_value);

// Skips a value of any kind, at most 64 deep.
iree_status_t json_skip(json_cursor_t *cursor);

#endif  // BASE_IO_FORMATS_JSON_CURSOR_H_
