// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// String views: searching, cutting and number parsing without copies or locale surprises.
#include "iree/base/string_view.h"

#include <errno.h>
#include <stdlib.h>

#include "iree/base/status.h"

static char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
static bool ascii_is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

bool iree_string_view_equal(iree_string_view_t lhs, iree_string_view_t rhs) {
  return lhs.size == rhs.size && (lhs.size == 0 || memcmp(lhs.data, rhs.data, lhs.size) == 0);
}

bool iree_string_view_equal_case(iree_string_view_t lhs, iree_string_view_t rhs) {
  if (lhs.size != rhs.size) return false;
  for (iree_host_size_t i = 0; i < lhs.size; ++i) {
    if (ascii_lower(lhs.data[i]) != ascii_lower(rhs.data[i])) return false;
  }
  return true;
}

int iree_string_view_compare(iree_string_view_t lhs, iree_string_view_t rhs) {
  iree_host_size_t size = iree_min(lhs.size, rhs.size);
  int order = size ? memcmp(lhs.data, rhs.data, size) : 0;
  if (order != 0) return order;
  return lhs.size == rhs.size ? 0 : lhs.size < rhs.size ? -1 : 1;
}

iree_host_size_t iree_string_view_find_char(iree_string_view_t value, char c,
                                            iree_host_size_t pos) {
  if (pos >= value.size) return IREE_STRING_VIEW_NPOS;
  const char *hit = memchr(value.data + pos, c, value.size - pos);
  return hit ? (iree_host_size_t)(hit - value.data) : IREE_STRING_VIEW_NPOS;
}

iree_host_size_t iree_string_view_find_first_of(iree_string_view_t value, iree_string_view_t s,
                                                iree_host_size_t pos) {
  for (iree_host_size_t i = pos; i < value.size; ++i) {
    if (iree_string_view_find_char(s, value.data[i], 0) != IREE_STRING_VIEW_NPOS) return i;
  }
  return IREE_STRING_VIEW_NPOS;
}

iree_host_size_t iree_string_view_find_last_of(iree_string_view_t value, iree_string_view_t s,
                                               iree_host_size_t pos) {
  if (value.size == 0) return IREE_STRING_VIEW_NPOS;
  for (iree_host_size_t i = iree_min(pos, value.size - 1) + 1; i-- > 0;) {
    if (iree_string_view_find_char(s, value.data[i], 0) != IREE_STRING_VIEW_NPOS) return i;
  }
  return IREE_STRING_VIEW_NPOS;
}

bool iree_string_view_starts_with(iree_string_view_t value, iree_string_view_t prefix) {
  return prefix.size > 0 && value.size >= prefix.size &&
         memcmp(value.data, prefix.data, prefix.size) == 0;
}

bool iree_string_view_ends_with(iree_string_view_t value, iree_string_view_t suffix) {
  return suffix.size > 0 && value.size >= suffix.size &&
         memcmp(value.data + value.size - suffix.size, suffix.data, suffix.size) == 0;
}

iree_string_view_t iree_string_view_remove_prefix(iree_string_view_t value, iree_host_size_t n) {
  if (n >= value.size) return iree_string_view_empty();
  return iree_make_string_view(value.data + n, value.size - n);
}

iree_string_view_t iree_string_view_remove_suffix(iree_string_view_t value, iree_host_size_t n) {
  if (n >= value.size) return iree_string_view_empty();
  return iree_make_string_view(value.data, value.size - n);
}

iree_string_view_t iree_string_view_strip_prefix(iree_string_view_t value,
                                                 iree_string_view_t prefix) {
  iree_string_view_consume_prefix(&value, prefix);
  return value;
}

iree_string_view_t iree_string_view_strip_suffix(iree_string_view_t value,
                                                 iree_string_view_t suffix) {
  iree_string_view_consume_suffix(&value, suffix);
  return value;
}

bool iree_string_view_consume_prefix(iree_string_view_t *value, iree_string_view_t prefix) {
  if (!iree_string_view_starts_with(*value, prefix)) return false;
  *value = iree_string_view_remove_prefix(*value, prefix.size);
  return true;
}

bool iree_string_view_consume_suffix(iree_string_view_t *value, iree_string_view_t suffix) {
  if (!iree_string_view_ends_with(*value, suffix)) return false;
  *value = iree_string_view_remove_suffix(*value, suffix.size);
  return true;
}

iree_string_view_t iree_string_view_trim(iree_string_view_t value) {
  while (value.size > 0 && ascii_is_space(value.data[0])) {
    ++value.data;
    --value.size;
  }
  while (value.size > 0 && ascii_is_space(value.data[value.size - 1])) --value.size;
  return value;
}

iree_string_view_t iree_string_view_substr(iree_string_view_t value, iree_host_size_t pos,
                                           iree_host_size_t n) {
  pos = iree_min(pos, value.size);
  return iree_make_string_view(value.data ? value.data + pos : NULL, iree_min(n, value.size - pos));
}

intptr_t iree_string_view_split(iree_string_view_t value, char split_char,
                                iree_string_view_t *out_lhs, iree_string_view_t *out_rhs) {
  iree_host_size_t pos = iree_string_view_find_char(value, split_char, 0);
  bool found = pos != IREE_STRING_VIEW_NPOS;
  if (out_lhs) *out_lhs = found ? iree_make_string_view(value.data, pos) : value;
  if (out_rhs) {
    *out_rhs = found ? iree_make_string_view(value.data + pos + 1, value.size - pos - 1)
                     : iree_string_view_empty();
  }
  return found ? (intptr_t)pos : -1;
}

void iree_string_view_replace_char(iree_string_view_t value, char old_char, char new_char) {
  char *data = (char *)(uintptr_t)value.data;
  for (iree_host_size_t i = 0; i < value.size; ++i) {
    if (data[i] == old_char) data[i] = new_char;
  }
}

// Backtracks to the last `*` only, so the time is at most value x pattern.
bool iree_string_view_match_pattern(iree_string_view_t value, iree_string_view_t pattern) {
  iree_host_size_t v = 0, p = 0, star = IREE_STRING_VIEW_NPOS, star_v = 0;
  while (v < value.size) {
    if (p < pattern.size && pattern.data[p] == '*') {
      star = p++;
      star_v = v;
    } else if (p < pattern.size && (pattern.data[p] == '?' || pattern.data[p] == value.data[v])) {
      ++p;
      ++v;
    } else if (star != IREE_STRING_VIEW_NPOS) {
      p = star + 1;
      v = ++star_v;
    } else {
      return false;
    }
  }
  while (p < pattern.size && pattern.data[p] == '*') ++p;
  return p == pattern.size;
}

void iree_string_view_to_cstring(iree_string_view_t value, char *buffer,
                                 iree_host_size_t buffer_length) {
  if (buffer_length == 0) return;
  iree_host_size_t size = iree_min(value.size, buffer_length - 1);
  if (size) memcpy(buffer, value.data, size);
  buffer[size] = 0;
}

iree_host_size_t iree_string_view_append_to_buffer(iree_string_view_t source_value,
                                                   iree_string_view_t *target_value, char *buffer) {
  if (source_value.size) memcpy(buffer, source_value.data, source_value.size);
  *target_value = iree_make_string_view(buffer, source_value.size);
  return source_value.size;
}

// Magnitude and sign of a whole view; |base| 0 picks 16/2/8/10 by prefix.
static bool parse_magnitude(iree_string_view_t value, int base, bool *out_negative,
                            uint64_t *out_magnitude) {
  *out_negative = false;
  *out_magnitude = 0;
  value = iree_string_view_trim(value);
  if (value.size && (value.data[0] == '-' || value.data[0] == '+')) {
    *out_negative = value.data[0] == '-';
    value = iree_string_view_substr(value, 1, IREE_STRING_VIEW_NPOS);
  }
  bool has_prefix = value.size > 2 && value.data[0] == '0';
  char mark = has_prefix ? ascii_lower(value.data[1]) : 0;
  if ((base == 0 || base == 16) && mark == 'x') {
    base = 16;
    value = iree_string_view_remove_prefix(value, 2);
  } else if ((base == 0 || base == 2) && mark == 'b') {
    base = 2;
    value = iree_string_view_remove_prefix(value, 2);
  } else if (base == 0) {
    base = value.size > 1 && value.data[0] == '0' ? 8 : 10;
  }
  if (value.size == 0 || base < 2 || base > 36) return false;
  uint64_t magnitude = 0;
  for (iree_host_size_t i = 0; i < value.size; ++i) {
    char c = ascii_lower(value.data[i]);
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
    if (digit >= base) return false;
    if (magnitude > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base) return false;
    magnitude = magnitude * (uint64_t)base + (uint64_t)digit;
  }
  *out_magnitude = magnitude;
  return true;
}

bool iree_string_view_atoi_int64_base(iree_string_view_t value, int base, int64_t *out_value) {
  bool negative = false;
  uint64_t magnitude = 0;
  *out_value = 0;
  if (!parse_magnitude(value, base, &negative, &magnitude)) return false;
  if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0)) return false;
  *out_value = (int64_t)(negative ? 0 - magnitude : magnitude);
  return true;
}

bool iree_string_view_atoi_uint64_base(iree_string_view_t value, int base, uint64_t *out_value) {
  bool negative = false;
  *out_value = 0;
  uint64_t magnitude = 0;
  if (!parse_magnitude(value, base, &negative, &magnitude)) return false;
  if (negative && magnitude != 0) return false;
  *out_value = magnitude;
  return true;
}

bool iree_string_view_atoi_int32_base(iree_string_view_t value, int base, int32_t *out_value) {
  int64_t wide = 0;
  *out_value = 0;
  if (!iree_string_view_atoi_int64_base(value, base, &wide)) return false;
  if (wide < INT32_MIN || wide > INT32_MAX) return false;
  *out_value = (int32_t)wide;
  return true;
}

bool iree_string_view_atoi_uint32_base(iree_string_view_t value, int base, uint32_t *out_value) {
  uint64_t wide = 0;
  *out_value = 0;
  if (!iree_string_view_atoi_uint64_base(value, base, &wide) || wide > UINT32_MAX) return false;
  *out_value = (uint32_t)wide;
  return true;
}

bool iree_string_view_atoi_int32(iree_string_view_t value, int32_t *out_value) {
  return iree_string_view_atoi_int32_base(value, 10, out_value);
}
bool iree_string_view_atoi_uint32(iree_string_view_t value, uint32_t *out_value) {
  return iree_string_view_atoi_uint32_base(value, 10, out_value);
}
bool iree_string_view_atoi_int64(iree_string_view_t value, int64_t *out_value) {
  return iree_string_view_atoi_int64_base(value, 10, out_value);
}
bool iree_string_view_atoi_uint64(iree_string_view_t value, uint64_t *out_value) {
  return iree_string_view_atoi_uint64_base(value, 10, out_value);
}

bool iree_string_view_atod(iree_string_view_t value, double *out_value) {
  char text[128];
  *out_value = 0.0;
  value = iree_string_view_trim(value);
  if (value.size == 0 || value.size >= sizeof(text)) return false;
  iree_string_view_to_cstring(value, text, sizeof(text));
  char *end = NULL;
  *out_value = strtod(text, &end);
  return end == text + value.size;
}

bool iree_string_view_atof(iree_string_view_t value, float *out_value) {
  char text[128];
  *out_value = 0.0f;
  value = iree_string_view_trim(value);
  if (value.size == 0 || value.size >= sizeof(text)) return false;
  iree_string_view_to_cstring(value, text, sizeof(text));
  char *end = NULL;
  *out_value = strtof(text, &end);  // rounds once; via double it would round twice
  return end == text + value.size;
}

bool iree_string_view_parse_hex_bytes(iree_string_view_t value, iree_host_size_t buffer_length,
                                      uint8_t *out_buffer) {
  value = iree_string_view_trim(value);
  for (iree_host_size_t i = 0; i < buffer_length; ++i) {
    uint32_t byte = 0;
    iree_string_view_consume_prefix_char(&value, '-');
    if (value.size < 2 || ascii_lower(value.data[1]) == 'x' ||
        !iree_string_view_atoi_uint32_base(iree_make_string_view(value.data, 2), 16, &byte)) {
      return false;
    }
    out_buffer[i] = (uint8_t)byte;
    value = iree_string_view_substr(value, 2, IREE_STRING_VIEW_NPOS);
  }
  return value.size == 0;
}

iree_status_t iree_string_view_parse_device_size(iree_string_view_t value,
                                                 iree_device_size_t *out_size) {
  static const struct {
    const char *suffix;
    uint64_t scale;
  } units[] = {
      {"kib", 1ull << 10}, {"mib", 1ull << 20},   {"gib", 1ull << 30}, {"kb", 1000ull},
      {"mb", 1000000ull},  {"gb", 1000000000ull}, {"b", 1ull},
  };
  *out_size = 0;
  iree_string_view_t number = iree_string_view_trim(value);
  uint64_t scale = 1;
  for (size_t i = 0; i < IREE_ARRAYSIZE(units); ++i) {
    iree_string_view_t suffix = iree_make_cstring_view(units[i].suffix);
    if (number.size < suffix.size) continue;
    iree_string_view_t tail =
        iree_string_view_substr(number, number.size - suffix.size, suffix.size);
    if (!iree_string_view_equal_case(tail, suffix)) continue;
    number = iree_string_view_trim(iree_string_view_remove_suffix(number, suffix.size));
    scale = units[i].scale;
    break;
  }
  uint64_t count = 0, size = 0;
  if (!iree_string_view_atoi_uint64(number, &count)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "`%.*s` is not a size; expected a form like 512, 64kb or 2gib",
                            IREE_SV_ARGS(value));
  }
  if (!iree_device_size_checked_mul(count, scale, &size)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "size `%.*s` exceeds 64 bits",
                            IREE_SV_ARGS(value));
  }
  *out_size = size;
  return iree_ok_status();
}
