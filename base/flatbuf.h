// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading FlatBuffers that may be hostile: verify a buffer once against a schema of rows, then read
// its fields without checks.
//
//   table at p:   i32 back-offset to its vtable | fields
//   vtable:       u16 vtable bytes | u16 table bytes | u16 field offset per slot (0: absent)
//   string, vector, table fields: u32 forward offset from the field's own place
//   vector:       u32 count | elements         string: u32 length | bytes | NUL
//
// All positions are unaligned loads, so nothing is assumed about where the buffer lies.
#ifndef BASE_FLATBUF_H_
#define BASE_FLATBUF_H_

#include "iree/base/api.h"

typedef enum flatbuf_kind_e {
  FLATBUF_U8,
  FLATBUF_U32,
  FLATBUF_I32,
  FLATBUF_U64,
  FLATBUF_STRING,
  FLATBUF_BYTES,
  FLATBUF_TABLE,
  FLATBUF_TABLES,
  FLATBUF_STRUCTS,
  FLATBUF_UNIONS,  // the vector of type bytes is in the slot before
} flatbuf_kind_t;

typedef struct flatbuf_field_t {
  const char *name;
  uint16_t slot;
  uint16_t of;  // table index, struct size, or union index
  uint8_t kind;
  bool is_required;
} flatbuf_field_t;

typedef struct flatbuf_table_schema_t {
  const char *name;
  uint16_t first_field;  // into fields
  uint16_t field_count;
} flatbuf_table_schema_t;

typedef struct flatbuf_union_member_t {
  uint16_t union_index;
  uint8_t type;
  uint16_t table;
} flatbuf_union_member_t;

typedef struct flatbuf_schema_t {
  const char *identifier;  // 4 characters
  const flatbuf_table_schema_t *tables;
  const flatbuf_field_t *fields;
  const flatbuf_union_member_t *union_members;
  uint16_t union_member_count;
  uint16_t root_table;
} flatbuf_schema_t;

// Checks the whole buffer (without length prefix).
//   errors: INVALID_ARGUMENT  it is not a well-formed buffer of |schema|
iree_status_t flatbuf_verify(iree_const_byte_span_t buffer, const flatbuf_schema_t *schema);

// A verified table; NULL: absent, all its fields read as absent too.
typedef const uint8_t *flatbuf_table_t;

// A verified vector; empty when absent.
typedef struct flatbuf_vector_t {
  const uint8_t *data;
  uint32_t count;
} flatbuf_vector_t;

flatbuf_table_t flatbuf_root(iree_const_byte_span_t buffer);

// Address of a field, NULL when absent.
static inline const uint8_t *flatbuf_field(flatbuf_table_t table, int slot) {
  if (!table) return NULL;
  int32_t back = (int32_t)iree_unaligned_load_le_u32(table);
  const uint8_t *vtable = table - back;
  if (4 + 2 * slot + 2 > iree_unaligned_load_le_u16(vtable)) return NULL;
  uint16_t offset = iree_unaligned_load_le_u16(vtable + 4 + 2 * slot);
  return offset ? table + offset : NULL;
}
static inline const uint8_t *flatbuf_target(flatbuf_table_t table, int slot) {
  const uint8_t *field = flatbuf_field(table, slot);
  return field ? field + iree_unaligned_load_le_u32(field) : NULL;
}

static inline uint8_t flatbuf_u8(flatbuf_table_t table, int slot, uint8_t def) {
  const uint8_t *field = flatbuf_field(table, slot);
  return field ? *field : def;
}
static inline uint32_t flatbuf_u32(flatbuf_table_t table, int slot, uint32_t def) {
  const uint8_t *field = flatbuf_field(table, slot);
  return field ? iree_unaligned_load_le_u32(field) : def;
}
static inline int32_t flatbuf_i32(flatbuf_table_t table, int slot, int32_t def) {
  return (int32_t)flatbuf_u32(table, slot, (uint32_t)def);
}
static inline uint64_t flatbuf_u64(flatbuf_table_t table, int slot, uint64_t def) {
  const uint8_t *field = flatbuf_field(table, slot);
  return field ? iree_unaligned_load_le_u64(field) : def;
}
static inline flatbuf_table_t flatbuf_table(flatbuf_table_t table, int slot) {
  return flatbuf_target(table, slot);
}
static inline iree_string_view_t flatbuf_string(flatbuf_table_t table, int slot) {
  const uint8_t *target = flatbuf_target(table, slot);
  return target
             ? iree_make_string_view((const char *)target + 4, iree_unaligned_load_le_u32(target))
             : iree_string_view_empty();
}
static inline flatbuf_vector_t flatbuf_vector(flatbuf_table_t table, int slot) {
  const uint8_t *target = flatbuf_target(table, slot);
  flatbuf_vector_t vector = {target ? target + 4 : NULL,
                             target ? iree_unaligned_load_le_u32(target) : 0};
  return vector;
}
static inline iree_const_byte_span_t flatbuf_bytes(flatbuf_table_t table, int slot) {
  flatbuf_vector_t vector = flatbuf_vector(table, slot);
  return iree_make_const_byte_span(vector.data, vector.count);
}
static inline flatbuf_table_t flatbuf_vector_table(flatbuf_vector_t vector, iree_host_size_t i) {
  const uint8_t *element = vector.data + 4 * i;
  return element + iree_unaligned_load_le_u32(element);
}

#endif  // BASE_FLATBUF_H_
