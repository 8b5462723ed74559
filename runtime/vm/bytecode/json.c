// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The FlatBuffer of a module file as JSON: one walk over the schema. Fields that have their default
// are left out, flags are spelled as names, bytes are arrays of numbers.
#include "abi/version.h"
#include "abi/vmfb.h"
#include "base/json.h"
#include "runtime/vm/bytecode/disasm.h"

#define TRY_APPEND(...) IREE_RETURN_IF_ERROR(iree_string_builder_append_format(__VA_ARGS__))

typedef struct json_t {
  iree_string_builder_t *builder;
  const flatbuf_schema_t *schema;
  bool is_pretty;
  int depth;
} json_t;

static iree_status_t json_newline(json_t *json) {
  if (!json->is_pretty) return iree_ok_status();
  return iree_string_builder_append_format(json->builder, "\n%*s", 2 * json->depth, "");
}

static iree_status_t json_open(json_t *json, char bracket) {
  ++json->depth;
  return iree_string_builder_append_format(json->builder, "%c", bracket);
}
static iree_status_t json_close(json_t *json, char bracket, bool is_empty) {
  --json->depth;
  if (!is_empty) IREE_RETURN_IF_ERROR(json_newline(json));
  return iree_string_builder_append_format(json->builder, "%c", bracket);
}

// `,` between members, then the key.
static iree_status_t json_key(json_t *json, const char *name, bool *inout_is_first) {
  if (!*inout_is_first) TRY_APPEND(json->builder, ",");
  *inout_is_first = false;
  IREE_RETURN_IF_ERROR(json_newline(json));
  return iree_string_builder_append_format(json->builder,
                                           json->is_pretty ? "\"%s\": " : "\"%s\":", name);
}

static iree_status_t json_flags(json_t *json, uint32_t bits, const char *const *names,
                                uint32_t name_count) {
  if (bits == 0 || bits >> name_count) {
    return iree_string_builder_append_format(json->builder, "%u", bits);
  }
  const char *separator = "\"";
  for (uint32_t i = 0; i < name_count; ++i) {
    if (!(bits & (1u << i))) continue;
    TRY_APPEND(json->builder, "%s%s", separator, names[i]);
    separator = " ";
  }
  return iree_string_builder_append_cstring(json->builder, "\"");
}

static iree_status_t json_features(json_t *json, uint32_t bits) {
  static const char *const names[] = {"EXT_F32", "EXT_F64", "YIELD", "UNWIND"};
  return json_flags(json, bits, names, IREE_ARRAYSIZE(names));
}
static iree_status_t json_presence(json_t *json, uint32_t bits) {
  static const char *const names[] = {"REQUIRED", "OPTIONAL"};
  return json_flags(json, bits, names, IREE_ARRAYSIZE(names));
}

static iree_status_t json_number(json_t *json, const char *name, int64_t value, bool *is_first) {
  IREE_RETURN_IF_ERROR(json_key(json, name, is_first));
  return iree_string_builder_append_format(json->builder, "%" PRId64, value);
}

static iree_status_t json_descriptor(json_t *json, const uint8_t *data) {
  vmfb_function_descriptor_t d;
  memcpy(&d, data, sizeof(d));
  bool first = true;
  IREE_RETURN_IF_ERROR(json_open(json, '{'));
  IREE_RETURN_IF_ERROR(json_number(json, "bytecode_offset", d.bytecode_offset, &first));
  IREE_RETURN_IF_ERROR(json_number(json, "bytecode_length", d.bytecode_length, &first));
  IREE_RETURN_IF_ERROR(json_key(json, "requirements", &first));
  IREE_RETURN_IF_ERROR(json_features(json, d.requirements));
  IREE_RETURN_IF_ERROR(json_number(json, "reserved", d.reserved, &first));
  IREE_RETURN_IF_ERROR(json_number(json, "block_count", d.block_count, &first));
  IREE_RETURN_IF_ERROR(json_number(json, "i32_register_count", d.i32_register_count, &first));
  IREE_RETURN_IF_ERROR(json_number(json, "ref_register_count", d.ref_register_count, &first));
  return json_close(json, '}', false);
}

static iree_status_t json_location(json_t *json, const uint8_t *data) {
  vmfb_bytecode_location_t location;
  memcpy(&location, data, sizeof(location));
  bool first = true;
  IREE_RETURN_IF_ERROR(json_open(json, '{'));
  IREE_RETURN_IF_ERROR(json_number(json, "bytecode_offset", location.bytecode_offset, &first));
  IREE_RETURN_IF_ERROR(json_number(json, "location", location.location, &first));
  return json_close(json, '}', false);
}

// The inline structs of the schema differ in size.
static iree_status_t json_struct(json_t *json, uint16_t size, const uint8_t *data) {
  if (size == sizeof(vmfb_function_descriptor_t)) return json_descriptor(json, data);
  if (size == sizeof(vmfb_bytecode_location_t)) return json_location(json, data);
  return iree_string_builder_append_format(json->builder, "%" PRId32,
                                           (int32_t)iree_unaligned_load_le_u32(data));
}

static const flatbuf_union_member_t *union_member(const json_t *json, uint16_t union_index,
                                                  uint8_t type) {
  for (uint16_t i = 0; i < json->schema->union_member_count; ++i) {
    const flatbuf_union_member_t *member = &json->schema->union_members[i];
    if (member->union_index == union_index && member->type == type) return member;
  }
  return NULL;
}

static iree_status_t json_table(json_t *json, flatbuf_table_t table, uint16_t table_index);

static iree_status_t json_element(json_t *json, flatbuf_table_t table, const flatbuf_field_t *field,
                                  flatbuf_vector_t vector, uint32_t i) {
  if (field->kind == FLATBUF_BYTES && strcmp(field->name, "location_table_type") == 0) {
    const flatbuf_union_member_t *member = union_member(json, 0, vector.data[i]);
    return iree_string_builder_append_format(
        json->builder, "\"%s\"", member ? json->schema->tables[member->table].name : "NONE");
  }
  if (field->kind == FLATBUF_BYTES) {
    return iree_string_builder_append_format(json->builder, "%u", vector.data[i]);
  }
  if (field->kind == FLATBUF_STRUCTS) {
    return json_struct(json, field->of, vector.data + (uint64_t)i * field->of);
  }
  if (field->kind == FLATBUF_TABLES) {
    return json_table(json, flatbuf_vector_table(vector, i), field->of);
  }
  uint8_t type = flatbuf_bytes(table, field->slot - 1).data[i];
  const flatbuf_union_member_t *member = union_member(json, field->of, type);
  if (!member) return iree_string_builder_append_cstring(json->builder, "null");
  return json_table(json, flatbuf_vector_table(vector, i), member->table);
}

static iree_status_t json_vector(json_t *json, flatbuf_table_t table,
                                 const flatbuf_field_t *field) {
  flatbuf_vector_t vector = flatbuf_vector(table, field->slot);
  IREE_RETURN_IF_ERROR(json_open(json, '['));
  for (uint32_t i = 0; i < vector.count; ++i) {
    if (i) TRY_APPEND(json->builder, ",");
    if (field->kind != FLATBUF_BYTES) IREE_RETURN_IF_ERROR(json_newline(json));
    IREE_RETURN_IF_ERROR(json_element(json, table, field, vector, i));
  }
  return json_close(json, ']', vector.count == 0 || field->kind == FLATBUF_BYTES);
}

// A scalar with its default is left out.
static iree_status_t json_scalar(json_t *json, flatbuf_table_t table, const flatbuf_field_t *field,
                                 bool *inout_is_first) {
  bool is_flags = strcmp(field->name, "flags") == 0;
  uint64_t value = field->kind == FLATBUF_U64  ? flatbuf_u64(table, field->slot, 0)
                   : field->kind == FLATBUF_U8 ? flatbuf_u8(table, field->slot, 0)
                                               : flatbuf_u32(table, field->slot, is_flags);
  if (value == (is_flags ? 1 : 0)) return iree_ok_status();
  IREE_RETURN_IF_ERROR(json_key(json, field->name, inout_is_first));
  if (is_flags) return json_presence(json, (uint32_t)value);
  if (strcmp(field->name, "requirements") == 0) return json_features(json, (uint32_t)value);
  if (field->kind == FLATBUF_I32) {
    return iree_string_builder_append_format(json->builder, "%" PRId32, (int32_t)value);
  }
  return iree_string_builder_append_format(json->builder, "%" PRIu64, value);
}

static iree_status_t json_field(json_t *json, flatbuf_table_t table, const flatbuf_field_t *field,
                                bool *inout_is_first) {
  if (!flatbuf_field(table, field->slot)) return iree_ok_status();
  switch ((flatbuf_kind_t)field->kind) {
    case FLATBUF_U8:
    case FLATBUF_U32:
    case FLATBUF_I32:
    case FLATBUF_U64:
      return json_scalar(json, table, field, inout_is_first);
    case FLATBUF_STRING:
      IREE_RETURN_IF_ERROR(json_key(json, field->name, inout_is_first));
      return json_append_string(flatbuf_string(table, field->slot), json->builder);
    case FLATBUF_TABLE:
      IREE_RETURN_IF_ERROR(json_key(json, field->name, inout_is_first));
      return json_table(json, flatbuf_table(table, field->slot), field->of);
    case FLATBUF_BYTES:
    case FLATBUF_TABLES:
    case FLATBUF_STRUCTS:
    case FLATBUF_UNIONS:
      IREE_RETURN_IF_ERROR(json_key(json, field->name, inout_is_first));
      return json_vector(json, table, field);
  }
  return iree_ok_status();
}

static iree_status_t json_table(json_t *json, flatbuf_table_t table, uint16_t table_index) {
  const flatbuf_table_schema_t *row = &json->schema->tables[table_index];
  bool is_first = true;
  IREE_RETURN_IF_ERROR(json_open(json, '{'));
  for (uint16_t i = 0; i < row->field_count; ++i) {
    IREE_RETURN_IF_ERROR(
        json_field(json, table, &json->schema->fields[row->first_field + i], &is_first));
  }
  return json_close(json, '}', is_first);
}

iree_status_t vmfb_report_json(const vmfb_archive_t *archive, bool is_pretty,
                               iree_string_builder_t *builder) {
  json_t json = {.builder = builder, .schema = vmfb_schema(), .is_pretty = is_pretty};
  IREE_RETURN_IF_ERROR(json_table(&json, archive->root, json.schema->root_table));
  return is_pretty ? iree_string_builder_append_cstring(builder, "\n") : iree_ok_status();
}
