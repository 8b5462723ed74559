// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniformly quantised types in bytecode. VHLO stores the same fields as the quant dialect, under other codes.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/dialects/hlo_bytecode.h"

bool quant_read_uniform(bc_cursor_t *c, bool per_axis, ir_type_t *out) {
  uint64_t flags, axis = 0, bits;
  ir_type_t storage, expressed;
  int64_t low, high;
  if (!bc_varint(c, &flags) || !bc_type(c, &storage) || !bc_type(c, &expressed)) return false;
  if (!ir_is(storage, IR_T_INTEGER) || !ir_type_is_float(expressed)) return bc_fail(c, "a quantized type of no integer or no float");
  size_t n = 1, n_zeros = 1;
  if (per_axis ? !bc_varint(c, &axis) || !bc_svarint(c, &low) || !bc_svarint(c, &high) || !bc_count(c, &n) : !bc_bits(c, 64, &bits)) return false;
  double *scales = IREE_ARENA_ARRAY(ir_arena(bc_ctx(c)), double, n + 1);
  int64_t *zeros = IREE_ARENA_ARRAY(ir_arena(bc_ctx(c)), int64_t, n + 1);
  for (size_t i = 0; i < n; ++i) {
    if (per_axis && !bc_bits(c, 64, &bits)) return false;
    memcpy(&scales[i], &bits, sizeof bits);
  }
  if (per_axis && !bc_count(c, &n_zeros)) return false;
  if (n_zeros != n) return bc_fail(c, "%zu zero points for %zu scales", n_zeros, n);
  for (size_t i = 0; i < n; ++i)
    if (!bc_svarint(c, &zeros[i])) return false;
  if (!per_axis && (!bc_svarint(c, &low) || !bc_svarint(c, &high))) return false;
  unsigned width = ir_type_width(storage);
  if (!width || width > 32) return bc_fail(c, "a quantized type stored in %u bits", width);
  bool is_signed = flags & 1;
  int64_t least = is_signed ? -((int64_t)1 << (width - 1)) : 0, most = ((int64_t)1 << (width - is_signed)) - 1;
  size_t cap = 160 + n * 64, at = 0;
  char *text = iree_arena_alloc(ir_arena(bc_ctx(c)), cap);
  at += (size_t)snprintf(text, cap, "!quant.uniform<%s%u", is_signed ? "i" : "u", width);
  if (low != least || high != most) at += (size_t)snprintf(text + at, cap - at, "<%" PRId64 ":%" PRId64 ">", low, high);
  at += (size_t)snprintf(text + at, cap - at, ":%s", ir_float_spelling(ir_float_kind(expressed)));
  if (per_axis) at += (size_t)snprintf(text + at, cap - at, ":%" PRIu64, axis);
  at += (size_t)snprintf(text + at, cap - at, per_axis ? ", {" : ", ");
  for (size_t i = 0; i < n; ++i) {
    at += (size_t)snprintf(text + at, cap - at, "%s%.17e", i ? "," : "", scales[i]);
    if (zeros[i]) at += (size_t)snprintf(text + at, cap - at, ":%" PRId64, zeros[i]);
  }
  at += (size_t)snprintf(text + at, cap - at, per_axis ? "}>" : ">");
  return bc_text(c, iree_make_string_view(text, at), out);
}
bool quant_read_type(bc_cursor_t *c, ir_type_t *out) {
  enum { UNIFORM = 4, UNIFORM_AXIS = 5 };
  uint64_t code;
  if (!bc_varint(c, &code)) return false;
  if (code != UNIFORM && code != UNIFORM_AXIS)
    return bc_fail(c, "quant type code %" PRIu64 " is no uniform type of one scale or one per position", code);
  return quant_read_uniform(c, code == UNIFORM_AXIS, out);
}
