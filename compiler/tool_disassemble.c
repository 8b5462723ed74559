// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tool_disassemble.h"

#include <stdlib.h>

#include "compiler/codegen/disassemble.h"

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

static iree_status_t disassemble_line(iree_string_view_t machine, iree_string_view_t line, uint8_t *code,
                                      iree_string_builder_t *out) {
  uint64_t address = 0;
  size_t i = 0, n = 0;
  for (; i < line.size && digit(line.data[i]) >= 0 && i < 16; ++i) address = address << 4 | (uint64_t)digit(line.data[i]);
  bool is_good = i && i < line.size && line.data[i] == ' ' && (line.size - i) % 2 == 1;
  for (++i; is_good && i < line.size; i += 2) {
    int high = digit(line.data[i]), low = digit(line.data[i + 1]);
    is_good = high >= 0 && low >= 0;
    if (is_good) code[n++] = (uint8_t)(high << 4 | low);
  }
  if (!is_good) return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "expected lines of an address and code, both in hexadecimal digits");
  IREE_RETURN_IF_ERROR(codegen_disassemble(machine, address, iree_make_const_byte_span(code, n), out));
  return iree_string_builder_append_cstring(out, "\n");
}

iree_status_t tool_disassemble(iree_string_view_t machine, iree_string_view_t text, iree_string_builder_t *out) {
  uint8_t *code = malloc(text.size / 2 + 1);
  if (!code) return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "no memory");
  iree_status_t status = iree_ok_status();
  while (text.size && iree_status_is_ok(status)) {
    iree_string_view_t line;
    if (iree_string_view_split(text, '\n', &line, &text) < 0) text = iree_string_view_empty();
    if (line.size) status = disassemble_line(machine, line, code, out);
  }
  free(code);
  return status;
}
