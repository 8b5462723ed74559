// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings go out in runs of bytes that need no escape.
#include "base/json.h"

// Bytes of the UTF-8 character at |i|; 0 if there is none (RFC 3629: no overlong forms, no
// surrogates, nothing past U+10FFFF).
static iree_host_size_t utf8_length(iree_string_view_t text, iree_host_size_t i) {
  const uint8_t *p = (const uint8_t *)text.data + i;
  if (p[0] < 0x80) return 1;
  const iree_host_size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
  if (p[0] < 0xC2 || p[0] > 0xF4 || length > text.size - i) return 0;
  for (iree_host_size_t k = 1; k < length; ++k) {
    if ((p[k] & 0xC0) != 0x80) return 0;
  }
  if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F)) return 0;
  if ((p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F)) return 0;
  return length;
}

static iree_status_t append_escape(unsigned char c, bool is_character,
                                   iree_string_builder_t *builder) {
  if (!is_character) return iree_string_builder_append_cstring(builder, "\\ufffd");
  if (c == '\n') return iree_string_builder_append_cstring(builder, "\\n");
  if (c == '\t') return iree_string_builder_append_cstring(builder, "\\t");
  return iree_string_builder_append_format(builder, c < 0x20 ? "\\u%04x" : "\\%c", c);
}

iree_status_t json_append_string(iree_string_view_t text, iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\""));
  iree_host_size_t begin = 0;  // of the run
  for (iree_host_size_t i = 0; i < text.size;) {
    const unsigned char c = (unsigned char)text.data[i];
    const iree_host_size_t length = utf8_length(text, i);
    if (length && c >= 0x20 && c != '"' && c != '\\') {
      i += length;
      continue;
    }
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_string(builder, iree_string_view_substr(text, begin, i - begin)));
    IREE_RETURN_IF_ERROR(append_escape(c, length != 0, builder));
    begin = ++i;
  }
  IREE_RETURN_IF_ERROR(iree_string_builder_append_string(
      builder, iree_string_view_substr(text, begin, text.size - begin)));
  return iree_string_builder_append_cstring(builder, "\"");
}
