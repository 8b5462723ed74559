// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening module files. Of a zip only the first local header is looked at, as the format says;
// sizes and checksums in it are not trusted.
#include "runtime/vm/bytecode/archive.h"

#include "abi/version.h"
#include "abi/vmfb.h"

// Indices of tables, structs, unions and rows by name, from the order in vmfb.def.
#define VMFB_STRUCT(name, size, alignment)
#define VMFB_UNION_MEMBER(name, type, table)
#define VMFB_REQUIRED(table, name)
#define VMFB_TABLE(table, fields) TABLE_##table,
#define VMFB_FIELD(table, slot, name, kind, of, def)
enum {
#include "abi/vmfb.def"
};
#undef VMFB_TABLE
#undef VMFB_FIELD
#define VMFB_TABLE(table, fields) ROWS_##table, ROWS_BEFORE_##table = ROWS_##table - 1,
#define VMFB_FIELD(table, slot, name, kind, of, def) ROW_##table##_##name,
enum {
#include "abi/vmfb.def"
};
#undef VMFB_TABLE
#undef VMFB_FIELD
#undef VMFB_STRUCT
#undef VMFB_REQUIRED
#define VMFB_TABLE(table, fields)
#define VMFB_FIELD(table, slot, name, kind, of, def)
#define VMFB_STRUCT(name, size, alignment) STRUCT_SIZE_##name = size,
#define VMFB_REQUIRED(table, name) REQUIRED_##table##_##name,
enum {
#include "abi/vmfb.def"
};
#undef VMFB_STRUCT
#undef VMFB_REQUIRED
#undef VMFB_TABLE
#undef VMFB_FIELD
#undef VMFB_UNION_MEMBER
enum { UNION_LocationTypeDef };

// What |of| means depends on the kind.
#define OF_U8(of) 0
#define OF_U32(of) 0
#define OF_I32(of) 0
#define OF_U64(of) 0
#define OF_STRING(of) 0
#define OF_BYTES(of) 0
#define OF_TABLE(of) TABLE_##of
#define OF_TABLES(of) TABLE_##of
#define OF_STRUCTS(of) STRUCT_SIZE_##of
#define OF_UNIONS(of) UNION_##of

#define VMFB_STRUCT(name, size, alignment)
#define VMFB_UNION_MEMBER(name, type, table)
#define VMFB_REQUIRED(table, name)
#define VMFB_TABLE(table, fields)
#define VMFB_FIELD(table, slot, name, kind, of, def) \
  {#name, slot, OF_##kind(of), FLATBUF_##kind, false},
static const flatbuf_field_t vmfb_fields[] = {
#include "abi/vmfb.def"
};
#undef VMFB_TABLE
#undef VMFB_FIELD
#define VMFB_TABLE(table, fields) {#table, ROWS_##table, fields},
#define VMFB_FIELD(table, slot, name, kind, of, def)
static const flatbuf_table_schema_t vmfb_tables[] = {
#include "abi/vmfb.def"
};
#undef VMFB_TABLE
#undef VMFB_UNION_MEMBER
#define VMFB_TABLE(table, fields)
#define VMFB_UNION_MEMBER(name, type, table) {UNION_##name, type, TABLE_##table},
static const flatbuf_union_member_t vmfb_union_members[] = {
#include "abi/vmfb.def"
};
#undef VMFB_UNION_MEMBER
#undef VMFB_TABLE
#undef VMFB_FIELD
#undef VMFB_STRUCT
#undef VMFB_REQUIRED

const flatbuf_schema_t *vmfb_schema(void) {
  static const flatbuf_schema_t schema = {
      .identifier = ABI_ARCHIVE_IDENTIFIER,
      .tables = vmfb_tables,
      .fields = vmfb_fields,
      .union_members = vmfb_union_members,
      .union_member_count = IREE_ARRAYSIZE(vmfb_union_members),
      .root_table = TABLE_BytecodeModuleDef,
  };
  return &schema;
}

// Length of a zip local header at the start, 0 when there is none.
static iree_status_t skip_zip_header(iree_const_byte_span_t contents, iree_host_size_t *out_size) {
  *out_size = 0;
  if (contents.data_length < 30 || iree_unaligned_load_le_u32(contents.data) != 0x04034B50u) {
    return iree_ok_status();
  }
  iree_host_size_t size = 30u + iree_unaligned_load_le_u16(contents.data + 26) +
                          iree_unaligned_load_le_u16(contents.data + 28);
  if (size > contents.data_length) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "zip local header of %" PRIhsz " bytes exceeds the file", size);
  }
  *out_size = size;
  return iree_ok_status();
}

static bool has_identifier(const uint8_t *flatbuffer, iree_host_size_t length) {
  return length >= 8 && memcmp(flatbuffer + 4, ABI_ARCHIVE_IDENTIFIER, 4) == 0;
}

iree_status_t vmfb_archive_open(iree_const_byte_span_t contents, vmfb_archive_t *out_archive) {
  memset(out_archive, 0, sizeof(*out_archive));
  if (!contents.data || contents.data_length < 16) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "module file is not present or less than 16 bytes (%" PRIhsz " total)",
                            contents.data_length);
  }
  iree_host_size_t prefix_offset = 0;
  IREE_RETURN_IF_ERROR(skip_zip_header(contents, &prefix_offset));
  iree_host_size_t available = contents.data_length - prefix_offset;
  if (available < 4) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "module file ends before its FlatBuffer");
  }
  iree_host_size_t length = iree_unaligned_load_le_u32(contents.data + prefix_offset);
  available -= 4;
  if (length > available && !has_identifier(contents.data + prefix_offset + 4, available)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "not a compiled module (.vmfb): the identifier '" ABI_ARCHIVE_IDENTIFIER
                            "' is not at its place; programs are compiled first, by iree-compile");
  }
  if (length > available) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "FlatBuffer length prefix out of bounds (prefix is %" PRIhsz
                            " but only %" PRIhsz " available)",
                            length, available);
  }
  out_archive->contents = contents;
  out_archive->prefix_offset = prefix_offset;
  out_archive->flatbuffer = iree_make_const_byte_span(contents.data + prefix_offset + 4, length);
  out_archive->rodata_offset = iree_host_align(prefix_offset + 4 + length, ABI_ARCHIVE_ALIGNMENT);
  IREE_RETURN_IF_ERROR(flatbuf_verify(out_archive->flatbuffer, vmfb_schema()));
  out_archive->root = flatbuf_root(out_archive->flatbuffer);
  return iree_ok_status();
}

iree_status_t vmfb_archive_rodata(const vmfb_archive_t *archive, iree_host_size_t i,
                                  iree_const_byte_span_t *out_span) {
  flatbuf_vector_t segments = flatbuf_vector(archive->root, VMFB_BytecodeModuleDef_rodata_segments);
  flatbuf_table_t segment = flatbuf_vector_table(segments, i);
  *out_span = flatbuf_bytes(segment, VMFB_RodataSegmentDef_embedded_data);
  if (flatbuf_u8(segment, VMFB_RodataSegmentDef_compression_type_type, 0) != 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "rodata segment %" PRIhsz " is compressed in an unknown way", i);
  }
  if (out_span->data) return iree_ok_status();
  uint64_t offset = flatbuf_u64(segment, VMFB_RodataSegmentDef_external_data_offset, 0);
  uint64_t length = flatbuf_u64(segment, VMFB_RodataSegmentDef_external_data_length, 0);
  uint64_t available = archive->contents.data_length > archive->rodata_offset
                           ? archive->contents.data_length - archive->rodata_offset
                           : 0;
  if (!iree_range_is_within(offset, length, available)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "rodata segment %" PRIhsz " out of bounds (offset %" PRIu64
                            ", length %" PRIu64 ", available %" PRIu64 ")",
                            i, offset, length, available);
  }
  if (length) {
    *out_span = iree_make_const_byte_span(archive->contents.data + archive->rodata_offset + offset,
                                          (iree_host_size_t)length);
  }
  return iree_ok_status();
}
