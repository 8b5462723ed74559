// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vm/bytes.h"

#include <string.h>

#include "compiler/ir/printer.h"

enum { MAX_BYTES_LOG2 = 40 };

// Elements narrower than a byte that are packed; i1 has a byte of its own.
static unsigned packed_bits(ir_type_t element) {
  unsigned width = ir_type_width(element);
  bool number = element->kind == IR_T_INTEGER || element->kind == IR_T_FLOAT;
  return number && width > 1 && width < 8 ? width : 0;
}

static void pack(const uint8_t *from, bool splat, uint64_t n, unsigned bits, uint8_t *to) {
  unsigned slot = bits > 4 ? 8 : bits > 2 ? 4 : 2;
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t at = i * slot;
    to[at / 8] |= (uint8_t)((from[splat ? 0 : i] & ((1u << bits) - 1)) << (at % 8));
  }
}

static iree_status_t dense_bytes(const ir_op_t *op, ir_attr_t value, iree_arena_t *arena,
                                 const uint8_t **out_data, uint64_t *out_length) {
  ir_type_t type = ir_dense_type(value), element = ir_type_element(type);
  int64_t n = ir_type_n_elements(type);
  const uint8_t *data = ir_dense_data(value);
  size_t size = ir_type_storage_bytes(element);
  if (n < 0 || n >> MAX_BYTES_LOG2 || !size) return ir_op_error(op, "constant of unknown size");
  unsigned bits = packed_bits(element);
  if (bits) {
    uint64_t length = ((uint64_t)n * (bits > 4 ? 8 : bits > 2 ? 4 : 2) + 7) / 8;
    uint8_t *bytes = iree_arena_alloc(arena, length + 1);
    pack(data, ir_dense_is_splat(value), (uint64_t)n, bits, bytes);
    *out_data = bytes, *out_length = length;
  } else if (ir_dense_is_splat(value)) {
    uint8_t *bytes = iree_arena_alloc(arena, (size_t)n * size + 1);
    for (int64_t i = 0; i < n; ++i) memcpy(bytes + (size_t)i * size, data, size);
    *out_data = bytes, *out_length = (uint64_t)n * size;
  } else {
    *out_data = data, *out_length = ir_dense_bytes(value);
  }
  return iree_ok_status();
}

// Bytes of a scalar `5 : i8` and how many; 0 if it is none.
static size_t scalar_bytes(ir_attr_t value, uint8_t out[8]) {
  if (value->kind != IR_A_INT && value->kind != IR_A_FLOAT)
    return value->kind == IR_A_BOOL ? (out[0] = ir_int(value, 0) != 0, (size_t)1) : 0;
  size_t size = ir_type_storage_bytes(ir_kid(value, 0));
  memcpy(out, &ir_ints(value)[0], size <= 8 ? size : 8);
  return size <= 8 ? size : 0;
}

static iree_status_t composite_bytes(const ir_op_t *op, ir_attr_t value, iree_arena_t *arena,
                                     const uint8_t **out_data, uint64_t *out_length) {
  ir_attr_t parts = NULL;
  for (uint32_t i = 0; i < value->n_kids; ++i)
    if (ir_is(ir_kid(value, i), IR_A_ARRAY)) parts = ir_kid(value, i);
  if (!parts) return ir_op_error(op, "composite constant without parts");
  const uint8_t **data = IREE_ARENA_ARRAY(arena, const uint8_t *, parts->n_kids + 1);
  uint64_t *lengths = IREE_ARENA_ARRAY(arena, uint64_t, parts->n_kids + 1), total = 0;
  for (uint32_t i = 0; i < parts->n_kids; ++i) {
    IREE_RETURN_IF_ERROR(attr_bytes(op, ir_kid(parts, i), arena, &data[i], &lengths[i]));
    total += lengths[i];
    if (total >> MAX_BYTES_LOG2) return ir_op_error(op, "constant of more than a terabyte");
  }
  uint8_t *bytes = iree_arena_alloc(arena, total + 1), *at = bytes;
  for (uint32_t i = 0; i < parts->n_kids; ++i) memcpy(at, data[i], lengths[i]), at += lengths[i];
  *out_data = bytes, *out_length = total;
  return iree_ok_status();
}

// `#util.byte_pattern<5> : tensor<4xi8>`, `#util.uninitialized : tensor<4xf32>`: one byte value
// throughout.
static iree_status_t pattern_bytes(const ir_op_t *op, ir_attr_t value, ir_type_t type,
                                   iree_arena_t *arena, const uint8_t **out_data,
                                   uint64_t *out_length) {
  int64_t n = ir_type_is_shaped(type) ? ir_type_n_elements(type) : 1;
  if (n < 0 || n >> MAX_BYTES_LOG2) return ir_op_error(op, "constant of unknown size");
  unsigned bits = packed_bits(ir_type_element(type));
  uint64_t length = bits ? ((uint64_t)n * (bits > 4   ? 8
                                           : bits > 2 ? 4
                                                      : 2) +
                            7) /
                               8
                         : (uint64_t)n * ir_type_storage_bytes(ir_type_element(type));
  ir_attr_t byte = value->n_kids ? ir_kid(value, 0) : NULL;
  uint8_t *bytes = iree_arena_alloc(arena, length + 1);
  if (ir_is(byte, IR_A_INT)) memset(bytes, (int)ir_int(byte, 0), length);
  *out_data = bytes, *out_length = length;
  return iree_ok_status();
}

iree_status_t attr_bytes(const ir_op_t *op, ir_attr_t value, iree_arena_t *arena,
                         const uint8_t **out_data, uint64_t *out_length) {
  *out_data = NULL, *out_length = 0;
  ir_type_t type = NULL;
  if (value->kind == IR_A_TYPED) type = ir_kid(value, 1), value = ir_kid(value, 0);
  switch (value->kind) {
    case IR_A_STRING: {
      iree_string_view_t s = ir_str(value);
      *out_data = (const uint8_t *)s.data, *out_length = s.size;
      return iree_ok_status();
    }
    case IR_A_DENSE:
      return dense_bytes(op, value, arena, out_data, out_length);
    case IR_A_RESOURCE: {
      const ir_resource_t *blob = ir_ctx_find_resource(ir_op_ctx(op), ir_bytes(value));
      if (!blob) return ir_op_error(op, "resource '%s' is not in the file", ir_bytes(value));
      *out_data = blob->data, *out_length = blob->n_bytes;
      return iree_ok_status();
    }
    case IR_A_DIALECT:
      if (!strcmp(ir_bytes(value), "util.composite"))
        return composite_bytes(op, value, arena, out_data, out_length);
      if (type && (!strcmp(ir_bytes(value), "util.byte_pattern") ||
                   !strcmp(ir_bytes(value), "util.uninitialized")))
        return pattern_bytes(op, value, type, arena, out_data, out_length);
      break;
    default: {
      uint8_t scalar[8];
      size_t n = scalar_bytes(value, scalar);
      if (!n) break;
      *out_data = (const uint8_t *)iree_arena_copy(arena, scalar, n), *out_length = n;
      return iree_ok_status();
    }
  }
  const char *text = ir_print_term_to(arena, value);
  return ir_op_error(op, "constant %.60s%s has no bytes", text, strlen(text) > 60 ? "..." : "");
}
