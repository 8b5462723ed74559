// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON text (json_cursor.h).
#include "base/io/formats/json_cursor.h"

#include <string.h>

enum { MAX_DEPTH = 64 };

iree_status_t json_error(const json_cursor_t *cursor, const char *expected) {
  if (cursor->offset >= cursor->text.size) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "JSON ends where %s is expected",
                            expected);
  }
  const iree_string_view_t rest = iree_string_view_substr(cursor->text, cursor->offset, 16);
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "JSON has '%.*s' at %" PRIhsz " where %s is expected",
                          IREE_SV_ARGS(rest), cursor->offset, expected);
}

// The next character that is no blank, 0 at the end; it stays.
static char peek(json_cursor_t *cursor) {
  while (cursor->offset < cursor->text.size) {
    const char c = cursor->text.data[cursor->offset];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return c;
    ++cursor->offset;
  }
  return 0;
}

bool json_accept(json_cursor_t *cursor, char c) {
  if (peek(cursor) != c || cursor->offset >= cursor->text.size) return false;
  ++cursor->offset;
  return true;
}

iree_status_t json_expect(json_cursor_t *cursor, char c) {
  const char expected[] = {'\'', c, '\'', 0};
  return json_accept(cursor, c) ? iree_ok_status() : json_error(cursor, expected);
}

iree_status_t json_string(json_cursor_t *cursor, iree_string_view_t *out_raw) {
  *out_raw = iree_string_view_empty();
  if (!json_accept(cursor, '"')) return json_error(cursor, "a string");
  const iree_host_size_t start = cursor->offset;
  while (cursor->offset < cursor->text.size && cursor->text.data[cursor->offset] != '"') {
    cursor->offset += cursor->text.data[cursor->offset] == '\\' ? 2 : 1;
  }
  if (cursor->offset >= cursor->text.size) return json_error(cursor, "the end of a string");
  *out_raw = iree_string_view_substr(cursor->text, start, cursor->offset - start);
  ++cursor->offset;
  return iree_ok_status();
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// Four hexadecimal digits of |raw| from |at| on, or -1.
static int32_t code_unit(iree_string_view_t raw, iree_host_size_t at) {
  int32_t value = 0;
  if (raw.size - at < 4) return -1;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_digit(raw.data[at + (iree_host_size_t)i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

static iree_host_size_t put_utf8(char *target, uint32_t code) {
  const int extra = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
  target[0] = (char)(lead[extra] | code >> (6 * extra));
  for (int i = 1; i <= extra; ++i) {
    target[i] = (char)(0x80 | (code >> (6 * (extra - i)) & 0x3F));
  }
  return (iree_host_size_t)extra + 1;
}

// \uXXXX at |*at| behind the u, a pair of surrogates as one. Six characters make at most three bytes.
static bool unescape_unicode(iree_string_view_t raw, iree_host_size_t *at, uint32_t *out_code) {
  const int32_t first = code_unit(raw, *at);
  if (first < 0) return false;
  *at += 4;
  *out_code = (uint32_t)first;
  if (first < 0xD800 || first > 0xDFFF) return true;
  if (first > 0xDBFF || raw.size - *at < 6 || raw.data[*at] != '\\' || raw.data[*at + 1] != 'u') {
    return false;
  }
  const int32_t second = code_unit(raw, *at + 2);
  if (second < 0xDC00 || second > 0xDFFF) return false;
  *at += 6;
  *out_code = 0x10000u + (((uint32_t)first - 0xD800u) << 10) + ((uint32_t)second - 0xDC00u);
  return true;
}

iree_status_t json_unescape(iree_string_view_t raw, char *target, iree_host_size_t *out_length) {
  static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  iree_host_size_t length = 0;
  for (iree_host_size_t at = 0; at < raw.size;) {
    if (raw.data[at] != '\\') {
      target[length++] = raw.data[at++];
      continue;
    }
    const char name = at + 1 < raw.size ? raw.data[at + 1] : 0;
    const char *found = name ? strchr(names, name) : NULL;
    at += 2;
    uint32_t code = found ? (uint32_t)meanings[found - names] : 0;
    if (!found && (name != 'u' || !unescape_unicode(raw, &at, &code))) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "JSON string '%.*s' has a bad escape",
                              IREE_SV_ARGS(raw));
    }
    length += put_utf8(target + length, code);
  }
  *out_length = length;
  return iree_ok_status();
}

iree_status_t json_u64(json_cursor_t *cursor, uint64_t *out_value) {
  *out_value = 0;
  peek(cursor);
  const iree_host_size_t start = cursor->offset;
  uint64_t value = 0;
  for (; cursor->offset < cursor->text.size; ++cursor->offset) {
    const char c = cursor->text.data[cursor->offset];
    if (c < '0' || c > '9') break;
    if (!iree_device_size_checked_mul(value, 10, &value) ||
        !iree_device_size_checked_add(value, (uint64_t)(c - '0'), &value)) {
      return json_error(cursor, "the end of a number below 2^64");
    }
  }
  if (cursor->offset == start) return json_error(cursor, "a number");
  *out_value = value;
  return iree_ok_status();
}

// A number or a word: what they say is nobody's business here.
static iree_status_t skip_scalar(json_cursor_t *cursor) {
  const iree_host_size_t start = cursor->offset;
  while (cursor->offset < cursor->text.size) {
    const char c = cursor->text.data[cursor->offset];
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
        c != '+' && c != '-' && c != '.') {
      break;
    }
    ++cursor->offset;
  }
  return cursor->offset == start ? json_error(cursor, "a value") : iree_ok_status();
}

iree_status_t json_skip(json_cursor_t *cursor) {
  char closers[MAX_DEPTH];
  int depth = 0;
  do {
    iree_string_view_t string;
    const char c = peek(cursor);
    if (c == '{' || c == '[') {
      if (depth == MAX_DEPTH) return json_error(cursor, "a value that is not nested deeper");
      closers[depth++] = c == '{' ? '}' : ']';
      ++cursor->offset;
      if (peek(cursor) == closers[depth - 1]) continue;
    } else if (depth && c == closers[depth - 1]) {
      ++cursor->offset;
      --depth;
      if (depth) json_accept(cursor, ',');
    } else if (c == '"') {
      IREE_RETURN_IF_ERROR(json_string(cursor, &string));
      if (depth && !(closers[depth - 1] == '}' && json_accept(cursor, ':'))) json_accept(cursor, ',');
    } else {
      IREE_RETURN_IF_ERROR(skip_scalar(cursor));
      if (depth) json_accept(cursor, ',');
    }
  } while (depth);
  return iree_ok_status();
}
