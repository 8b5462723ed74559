// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier. Tables may be shared, so a small file can describe an enormous tree: the work is
// bounded by a budget in proportion to the file, which no honest file comes near.
#include "base/flatbuf.h"

#define FLATBUF_MAX_DEPTH 16
#define FLATBUF_WORK_PER_BYTE 16
// Contents count too, though less: whoever prints or hashes what is shared would suffer.
#define FLATBUF_BYTES_PER_WORK 16

typedef struct verifier_t {
  const uint8_t *data;
  uint64_t size;
  const flatbuf_schema_t *schema;
  uint64_t budget;
} verifier_t;

static iree_status_t malformed(const char *table, const char *field, const char *what) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "FlatBuffer verification failed: %s%s%s: %s", table, *field ? "." : "",
                          field, what);
}

static uint32_t load_u32(const verifier_t *v, uint64_t at) {
  return iree_unaligned_load_le_u32(v->data + at);
}

// Follows the offset stored at |at|; false when it leaves the buffer before 4 bytes are left.
static bool follow(const verifier_t *v, uint64_t at, uint64_t *out_target) {
  if (!iree_range_is_within(at, 4, v->size)) return false;
  *out_target = at + load_u32(v, at);
  return *out_target != at && iree_range_is_within(*out_target, 4, v->size);
}

static bool spend(verifier_t *v, uint64_t amount) {
  if (v->budget < amount) return false;
  v->budget -= amount;
  return true;
}

static iree_status_t verify_table(verifier_t *v, uint64_t at, uint16_t table_index, int depth);

// A vector of |count| elements of |element_size| bytes, whose count is at |at|.
static bool vector_fits(const verifier_t *v, uint64_t at, uint64_t element_size) {
  uint64_t count = load_u32(v, at);
  return iree_range_is_within(at + 4, count * element_size, v->size);
}

static iree_status_t verify_tables(verifier_t *v, uint64_t at, const char *table,
                                   const flatbuf_field_t *field, int depth) {
  uint32_t count = load_u32(v, at);
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t target = 0;
    if (!follow(v, at + 4 + 4ull * i, &target)) {
      return malformed(table, field->name, "element out of bounds");
    }
    IREE_RETURN_IF_ERROR(verify_table(v, target, field->of, depth + 1));
  }
  return iree_ok_status();
}

static iree_status_t verify_unions(verifier_t *v, uint64_t at, const char *table,
                                   const flatbuf_field_t *field, const uint8_t *types,
                                   uint32_t type_count, int depth) {
  uint32_t count = load_u32(v, at);
  if (count != type_count) return malformed(table, field->name, "types and values differ in count");
  for (uint32_t i = 0; i < count; ++i) {
    const flatbuf_union_member_t *member = NULL;
    for (uint16_t m = 0; m < v->schema->union_member_count; ++m) {
      const flatbuf_union_member_t *candidate = &v->schema->union_members[m];
      if (candidate->union_index == field->of && candidate->type == types[i]) member = candidate;
    }
    if (!member) continue;  // unknown types are never read
    uint64_t target = 0;
    if (!follow(v, at + 4 + 4ull * i, &target)) {
      return malformed(table, field->name, "element out of bounds");
    }
    IREE_RETURN_IF_ERROR(verify_table(v, target, member->table, depth + 1));
  }
  return iree_ok_status();
}

static iree_status_t verify_reference(verifier_t *v, uint64_t table_at, uint64_t at,
                                      const char *table, const flatbuf_field_t *field, int depth) {
  uint64_t target = 0;
  if (!follow(v, at, &target)) return malformed(table, field->name, "offset out of bounds");
  bool fits = true;
  switch ((flatbuf_kind_t)field->kind) {
    case FLATBUF_U8:
    case FLATBUF_U32:
    case FLATBUF_I32:
    case FLATBUF_U64:
      break;
    case FLATBUF_STRING:
      fits = vector_fits(v, target, 1) &&
             iree_range_is_within(target + 4 + load_u32(v, target), 1, v->size);
      if (fits && v->data[target + 4 + load_u32(v, target)] != 0) {
        return malformed(table, field->name, "string is not NUL-terminated");
      }
      break;
    case FLATBUF_BYTES:
      fits = vector_fits(v, target, 1);
      break;
    case FLATBUF_STRUCTS:
      fits = vector_fits(v, target, field->of);
      break;
    case FLATBUF_TABLE:
      return verify_table(v, target, field->of, depth + 1);
    case FLATBUF_TABLES:
    case FLATBUF_UNIONS: {
      fits = vector_fits(v, target, 4);
      if (!fits) break;
      if (!spend(v, load_u32(v, target))) return malformed(table, field->name, "too much sharing");
      if (field->kind == FLATBUF_TABLES) return verify_tables(v, target, table, field, depth);
      flatbuf_vector_t types = flatbuf_vector(v->data + table_at, field->slot - 1);
      return verify_unions(v, target, table, field, types.data, types.count, depth);
    }
  }
  if (fits && !spend(v, 1 + load_u32(v, target) / FLATBUF_BYTES_PER_WORK)) {
    return malformed(table, field->name, "too much sharing");
  }
  return fits ? iree_ok_status() : malformed(table, field->name, "content out of bounds");
}

static uint64_t inline_size(flatbuf_kind_t kind) {
  return kind == FLATBUF_U8 ? 1 : kind == FLATBUF_U64 ? 8 : 4;
}

static iree_status_t verify_table(verifier_t *v, uint64_t at, uint16_t table_index, int depth) {
  const flatbuf_table_schema_t *schema = &v->schema->tables[table_index];
  if (depth > FLATBUF_MAX_DEPTH) return malformed(schema->name, "", "nested too deep");
  if (!spend(v, 1)) return malformed(schema->name, "", "too much sharing");
  // The back-offset is signed; a vtable may lie on either side of its table.
  int64_t vtable = (int64_t)at - (int32_t)load_u32(v, at);
  if (vtable < 0 || !iree_range_is_within((uint64_t)vtable, 4, v->size)) {
    return malformed(schema->name, "", "vtable out of bounds");
  }
  uint16_t vtable_size = iree_unaligned_load_le_u16(v->data + vtable);
  uint16_t table_size = iree_unaligned_load_le_u16(v->data + vtable + 2);
  if (vtable_size < 4 || !iree_range_is_within((uint64_t)vtable, vtable_size, v->size)) {
    return malformed(schema->name, "", "vtable out of bounds");
  }
  if (table_size < 4 || !iree_range_is_within(at, table_size, v->size)) {
    return malformed(schema->name, "", "table out of bounds");
  }
  for (uint16_t i = 0; i < schema->field_count; ++i) {
    const flatbuf_field_t *field = &v->schema->fields[schema->first_field + i];
    uint64_t slot_at = 4 + 2ull * field->slot;
    uint16_t offset = slot_at + 2 <= vtable_size
                          ? iree_unaligned_load_le_u16(v->data + (uint64_t)vtable + slot_at)
                          : 0;
    if (offset == 0) {
      if (field->is_required) return malformed(schema->name, field->name, "required but absent");
      continue;
    }
    if (offset < 4 ||
        !iree_range_is_within(offset, inline_size((flatbuf_kind_t)field->kind), table_size)) {
      return malformed(schema->name, field->name, "field out of bounds");
    }
    if (field->kind >= FLATBUF_STRING) {
      IREE_RETURN_IF_ERROR(verify_reference(v, at, at + offset, schema->name, field, depth));
    }
  }
  return iree_ok_status();
}

iree_status_t flatbuf_verify(iree_const_byte_span_t buffer, const flatbuf_schema_t *schema) {
  verifier_t v = {buffer.data, buffer.data_length, schema,
                  buffer.data_length * FLATBUF_WORK_PER_BYTE};
  if (v.size < 8) return malformed("buffer", "", "shorter than its header");
  if (memcmp(v.data + 4, schema->identifier, 4) != 0) {
    return malformed("buffer", "", "identifier mismatch");
  }
  uint64_t root = 0;
  if (!follow(&v, 0, &root)) return malformed("buffer", "", "root table out of bounds");
  return verify_table(&v, root, schema->root_table, 0);
}

flatbuf_table_t flatbuf_root(iree_const_byte_span_t buffer) {
  return buffer.data + iree_unaligned_load_le_u32(buffer.data);
}
