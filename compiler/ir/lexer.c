// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/lexer.h"

#include <string.h>

static bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
static bool is_word(char c) { return is_alpha(c) || is_digit(c) || c == '$' || c == '.'; }
static bool is_id(char c) { return is_word(c) || c == '-'; }

const char *ir_lex_skip(const char *at, const char *end) {
  for (; at < end; ++at) {
    if (*at == '/' && at + 1 < end && at[1] == '/') {
      const char *newline = memchr(at, '\n', (size_t)(end - at));
      if (!newline) return end;
      at = newline;
    } else if (*at != ' ' && *at != '\t' && *at != '\n' && *at != '\r') {
      break;
    }
  }
  return at;
}

static const char *lex_string(const char *at, const char *end) {  // at the opening quote
  const char *p = at + 1;
  while (p < end && *p != '"' && *p != '\n' && *p) p += (*p == '\\' && p + 1 < end && p[1] && p[1] != '\n') ? 2 : 1;
  return p < end && *p == '"' ? p + 1 : NULL;
}

static ir_token_t token(ir_token_kind_t kind, const char *from, const char *to) {
  return (ir_token_t){kind, from, (size_t)(to - from)};
}

static ir_token_t lex_number(const char *at, const char *end) {
  const char *p = at;
  if (*p == '0' && p + 2 < end && p[1] == 'x' && is_hex(p[2])) {
    // `0x1F` is hexadecimal, but in `0x4xf32` the x separates dimensions: those are read raw.
    for (p += 2; p < end && is_hex(*p); ++p) {}
    return token(TOK_INT, at, p);
  }
  while (p < end && is_digit(*p)) ++p;
  if (p >= end || *p != '.') return token(TOK_INT, at, p);
  for (++p; p < end && is_digit(*p); ++p) {}
  if (p < end && (*p == 'e' || *p == 'E')) {
    const char *q = p + 1;
    if (q < end && (*q == '+' || *q == '-')) ++q;
    if (q < end && is_digit(*q)) {
      for (p = q; p < end && is_digit(*p); ++p) {}
    }
  }
  return token(TOK_FLOAT, at, p);
}

ir_token_t ir_lex(const char *at, const char *end) {
  at = ir_lex_skip(at, end);
  if (at >= end) return token(TOK_EOF, end, end);
  const char *p = at;
  char c = *p;
  if (is_alpha(c)) {
    while (p < end && is_word(*p)) ++p;
    return token(TOK_WORD, at, p);
  }
  if (is_digit(c)) return lex_number(at, end);
  if (c == '"') {
    const char *close = lex_string(at, end);
    return close ? token(TOK_STRING, at, close) : token(TOK_ERROR, at, at + 1);
  }
  if (c == '@' && p + 1 < end && p[1] == '"') {
    const char *close = lex_string(at + 1, end);
    return close ? token(TOK_SYMBOL, at, close) : token(TOK_ERROR, at, at + 1);
  }
  if ((c == '%' || c == '^' || c == '#' || c == '!' || c == '@') && p + 1 < end &&
      (is_id(p[1]) && p[1] != '-')) {
    for (++p; p < end && is_id(*p); ++p) {
      if (*p == '-' && (c == '@' || (p + 1 < end && p[1] == '>'))) break;
    }
    ir_token_kind_t kind = c == '%'   ? TOK_VALUE
                           : c == '^' ? TOK_BLOCK
                           : c == '#' ? TOK_HASH
                           : c == '!' ? TOK_BANG
                                      : TOK_SYMBOL;
    return token(kind, at, p);
  }
  size_t left = (size_t)(end - at);
  if (left >= 3 && !memcmp(at, "{-#", 3)) return token(TOK_RESOURCES, at, at + 3);
  if (left >= 3 && (!memcmp(at, "...", 3) || !memcmp(at, "#-}", 3))) return token(TOK_PUNCT, at, at + 3);
  static const char twos[][3] = {"->", "=>", "::", "==", ">=", "<="};
  for (size_t i = 0; i < sizeof twos / sizeof *twos; ++i)
    if (left >= 2 && !memcmp(at, twos[i], 2)) return token(TOK_PUNCT, at, at + 2);
  return token(c && strchr("()[]{}<>,:=*+-?|/&;", c) ? TOK_PUNCT : TOK_ERROR, at, at + 1);
}
