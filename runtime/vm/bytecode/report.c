// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summaries of module files straight from the FlatBuffer: what the tables say, and a ledger in
// which every byte of the file belongs to exactly one cause. The ledger walks the schema and marks
// bytes with the root field through which they are first reached; what nobody reaches is padding.
#include <stdio.h>
#include <string.h>

#include "abi/version.h"
#include "abi/vmfb.h"
#include "iree/vm/module.h"
#include "runtime/vm/bytecode/disasm.h"

#define TRY_APPEND(...) IREE_RETURN_IF_ERROR(iree_string_builder_append_format(__VA_ARGS__))

// ---- Metadata ----------------------------------------------------------------------------------

#define REPORT_RULE                                                                       \
  "//===--------------------------------------------------------------------------------" \
  "------------------------------===//\n"

static iree_status_t print_features(uint32_t bits, iree_string_builder_t *builder,
                                    iree_host_size_t *out_width) {
  static const char *const names[] = {"EXT_F32", "EXT_F64"};
  iree_host_size_t begin = iree_string_builder_size(builder);
  for (uint32_t i = 0; i < IREE_ARRAYSIZE(names); ++i) {
    if (!(bits & (1u << i))) continue;
    TRY_APPEND(builder, "%s%s", iree_string_builder_size(builder) > begin ? " | " : "", names[i]);
  }
  bits &= ~(ABI_FEATURE_EXT_F32 | ABI_FEATURE_EXT_F64);
  if (bits) {
    TRY_APPEND(builder, "%s%08X", iree_string_builder_size(builder) > begin ? " | " : "", bits);
  }
  *out_width = iree_string_builder_size(builder) - begin;
  return iree_ok_status();
}

static iree_status_t print_attrs(flatbuf_vector_t attrs, int indent,
                                 iree_string_builder_t *builder) {
  for (uint32_t i = 0; i < attrs.count; ++i) {
    flatbuf_table_t attr = flatbuf_vector_table(attrs, i);
    iree_string_view_t key = flatbuf_string(attr, VMFB_AttrDef_key);
    iree_string_view_t value = flatbuf_string(attr, VMFB_AttrDef_value);
    TRY_APPEND(builder, "%*s%.*s: %.*s\n", indent, "", IREE_SV_ARGS(key), IREE_SV_ARGS(value));
  }
  return iree_ok_status();
}

static iree_status_t print_fragment(iree_string_view_t fragment, iree_string_builder_t *builder) {
  for (iree_host_size_t i = 0; i < fragment.size; ++i) {
    if (i) TRY_APPEND(builder, ", ");
    const char *text = "!vm.ref<?>";
    switch (fragment.data[i]) {
      case IREE_VM_CCONV_TYPE_I32:
        text = "i32";
        break;
      case IREE_VM_CCONV_TYPE_I64:
        text = "i64";
        break;
      case IREE_VM_CCONV_TYPE_F32:
        text = "f32";
        break;
      case IREE_VM_CCONV_TYPE_F64:
        text = "f64";
        break;
      case IREE_VM_CCONV_TYPE_SPAN_START: {
        iree_host_size_t end = iree_string_view_find_char(fragment, IREE_VM_CCONV_TYPE_SPAN_END, i);
        TRY_APPEND(builder, "tuple<");
        IREE_RETURN_IF_ERROR(
            print_fragment(iree_string_view_substr(fragment, i + 1, end - i - 1), builder));
        text = ">...";
        i = end;
        break;
      }
      default:
        break;
    }
    TRY_APPEND(builder, "%s", text);
  }
  return iree_ok_status();
}

static iree_status_t print_signature(flatbuf_table_t signature, iree_string_builder_t *builder) {
  iree_string_view_t cconv =
      flatbuf_string(signature, VMFB_FunctionSignatureDef_calling_convention);
  if (!cconv.data) return iree_ok_status();
  iree_vm_function_signature_t parsed = {cconv};
  iree_string_view_t arguments, results;
  IREE_RETURN_IF_ERROR(iree_vm_function_call_get_cconv_fragments(&parsed, &arguments, &results));
  TRY_APPEND(builder, "(");
  IREE_RETURN_IF_ERROR(print_fragment(arguments, builder));
  TRY_APPEND(builder, ") -> (");
  IREE_RETURN_IF_ERROR(print_fragment(results, builder));
  TRY_APPEND(builder, ")");
  return iree_ok_status();
}

static iree_status_t print_header(flatbuf_table_t root, iree_string_builder_t *builder) {
  iree_string_view_t name = flatbuf_string(root, VMFB_BytecodeModuleDef_name);
  iree_host_size_t width = 0;
  TRY_APPEND(builder, REPORT_RULE "// @%.*s : version %d\n" REPORT_RULE "\n", IREE_SV_ARGS(name),
             flatbuf_i32(root, VMFB_BytecodeModuleDef_version, 0));
  if (flatbuf_field(root, VMFB_BytecodeModuleDef_requirements)) {
    TRY_APPEND(builder, "Requirements: ");
    IREE_RETURN_IF_ERROR(
        print_features(flatbuf_u32(root, VMFB_BytecodeModuleDef_requirements, 0), builder, &width));
    TRY_APPEND(builder, "\n\n");
  }
  if (flatbuf_field(root, VMFB_BytecodeModuleDef_attrs)) {
    TRY_APPEND(builder, "Attributes:\n");
    IREE_RETURN_IF_ERROR(
        print_attrs(flatbuf_vector(root, VMFB_BytecodeModuleDef_attrs), 2, builder));
    TRY_APPEND(builder, "\n");
  }
  if (flatbuf_field(root, VMFB_BytecodeModuleDef_types)) {
    flatbuf_vector_t types = flatbuf_vector(root, VMFB_BytecodeModuleDef_types);
    TRY_APPEND(builder, "Required Types:\n");
    for (uint32_t i = 0; i < types.count; ++i) {
      iree_string_view_t type =
          flatbuf_string(flatbuf_vector_table(types, i), VMFB_TypeDef_full_name);
      TRY_APPEND(builder, "  [%3u] %.*s\n", i, IREE_SV_ARGS(type));
    }
    TRY_APPEND(builder, "\n");
  }
  return iree_ok_status();
}

static iree_status_t print_dependencies(flatbuf_table_t root, iree_string_builder_t *builder) {
  if (!flatbuf_field(root, VMFB_BytecodeModuleDef_dependencies)) return iree_ok_status();
  flatbuf_vector_t dependencies = flatbuf_vector(root, VMFB_BytecodeModuleDef_dependencies);
  TRY_APPEND(builder, "Module Dependencies:\n");
  for (uint32_t i = 0; i < dependencies.count; ++i) {
    flatbuf_table_t table = flatbuf_vector_table(dependencies, i);
    iree_string_view_t name = flatbuf_string(table, VMFB_ModuleDependencyDef_name);
    uint32_t flags = flatbuf_u32(table, VMFB_ModuleDependencyDef_flags, VMFB_FLAG_REQUIRED);
    TRY_APPEND(builder, "  %.*s, version >= %d, %s\n", IREE_SV_ARGS(name),
               flatbuf_i32(table, VMFB_ModuleDependencyDef_minimum_version, 0),
               flags & VMFB_FLAG_OPTIONAL ? "optional" : "required");
  }
  TRY_APPEND(builder, "\n");
  return iree_ok_status();
}

static iree_status_t print_functions(flatbuf_table_t root, iree_string_builder_t *builder) {
  if (flatbuf_field(root, VMFB_BytecodeModuleDef_imported_functions)) {
    flatbuf_vector_t imports = flatbuf_vector(root, VMFB_BytecodeModuleDef_imported_functions);
    TRY_APPEND(builder, "Imported Functions:\n");
    for (uint32_t i = 0; i < imports.count; ++i) {
      flatbuf_table_t table = flatbuf_vector_table(imports, i);
      iree_string_view_t name = flatbuf_string(table, VMFB_ImportFunctionDef_full_name);
      uint32_t flags = flatbuf_u32(table, VMFB_ImportFunctionDef_flags, VMFB_FLAG_REQUIRED);
      flatbuf_table_t signature = flatbuf_table(table, VMFB_ImportFunctionDef_signature);
      TRY_APPEND(builder, "  [%3u] %s%.*s", i, flags & VMFB_FLAG_OPTIONAL ? "?" : "",
                 IREE_SV_ARGS(name));
      IREE_RETURN_IF_ERROR(print_signature(signature, builder));
      TRY_APPEND(builder, "\n");
      IREE_RETURN_IF_ERROR(
          print_attrs(flatbuf_vector(signature, VMFB_FunctionSignatureDef_attrs), 8, builder));
    }
    TRY_APPEND(builder, "\n");
  }
  if (!flatbuf_field(root, VMFB_BytecodeModuleDef_exported_functions)) return iree_ok_status();
  flatbuf_vector_t exports = flatbuf_vector(root, VMFB_BytecodeModuleDef_exported_functions);
  flatbuf_vector_t signatures = flatbuf_vector(root, VMFB_BytecodeModuleDef_function_signatures);
  TRY_APPEND(builder, "Exported Functions:\n");
  for (uint32_t i = 0; i < exports.count; ++i) {
    flatbuf_table_t table = flatbuf_vector_table(exports, i);
    iree_string_view_t name = flatbuf_string(table, VMFB_ExportFunctionDef_local_name);
    uint32_t ordinal = flatbuf_u32(table, VMFB_ExportFunctionDef_internal_ordinal, 0);
    flatbuf_table_t signature =
        ordinal < signatures.count ? flatbuf_vector_table(signatures, ordinal) : NULL;
    TRY_APPEND(builder, "  [%3u] %.*s", i, IREE_SV_ARGS(name));
    IREE_RETURN_IF_ERROR(print_signature(signature, builder));
    TRY_APPEND(builder, "\n");
    IREE_RETURN_IF_ERROR(
        print_attrs(flatbuf_vector(signature, VMFB_FunctionSignatureDef_attrs), 8, builder));
  }
  TRY_APPEND(builder, "\n");
  return iree_ok_status();
}

// Length of the text that data starts with, or -1 when it is none.
static int64_t text_length(iree_const_byte_span_t data) {
  for (iree_host_size_t i = 0; i < data.data_length; ++i) {
    if (data.data[i] == 0) return (int64_t)i;
    if (data.data[i] < 0x20 || data.data[i] > 0x7E) return -1;
  }
  return (int64_t)data.data_length;
}

static iree_status_t print_rodata(flatbuf_table_t root, iree_string_builder_t *builder,
                                  uint64_t *out_external_size) {
  *out_external_size = 0;
  flatbuf_vector_t segments = flatbuf_vector(root, VMFB_BytecodeModuleDef_rodata_segments);
  for (uint32_t i = 0; i < segments.count; ++i) {
    flatbuf_table_t segment = flatbuf_vector_table(segments, i);
    iree_const_byte_span_t data = flatbuf_bytes(segment, VMFB_RodataSegmentDef_embedded_data);
    TRY_APPEND(builder, "  .rodata[%3u] ", i);
    if (!data.data) {
      uint64_t offset = flatbuf_u64(segment, VMFB_RodataSegmentDef_external_data_offset, 0);
      uint64_t length = flatbuf_u64(segment, VMFB_RodataSegmentDef_external_data_length, 0);
      TRY_APPEND(builder,
                 "external %8" PRIu64 " bytes (offset %" PRIu64 " / %" PRIX64 "h to %" PRIX64
                 "h)\n",
                 length, offset, offset, offset + length);
      *out_external_size += length;
      continue;
    }
    int64_t length = text_length(data);
    TRY_APPEND(builder, "embedded %8" PRIhsz " bytes", data.data_length);
    if (length >= 0) {
      TRY_APPEND(builder, " `%.*s`%s", (int)iree_min(length, 32), (const char *)data.data,
                 length >= 32 ? "..." : "");
    }
    TRY_APPEND(builder, "\n");
  }
  return iree_ok_status();
}

static iree_status_t print_sections(const vmfb_archive_t *archive, iree_string_builder_t *builder) {
  flatbuf_table_t root = archive->root;
  TRY_APPEND(builder, REPORT_RULE "// Sections\n" REPORT_RULE "\n");
  flatbuf_table_t state = flatbuf_table(root, VMFB_BytecodeModuleDef_module_state);
  if (state) {
    int32_t bytes = flatbuf_i32(state, VMFB_ModuleStateDef_global_bytes_capacity, 0);
    int32_t refs = flatbuf_i32(state, VMFB_ModuleStateDef_global_ref_count, 0);
    TRY_APPEND(builder, "Module State:\n  %d bytes, %d refs, ~%" PRId64 " bytes total\n\n", bytes,
               refs, bytes + (int64_t)sizeof(iree_vm_ref_t) * refs);
  }
  TRY_APPEND(builder, "FlatBuffer: %" PRIhsz " bytes\n", archive->flatbuffer.data_length);
  if (flatbuf_field(root, VMFB_BytecodeModuleDef_bytecode_data)) {
    TRY_APPEND(builder, "  Bytecode: %u bytes\n",
               flatbuf_vector(root, VMFB_BytecodeModuleDef_bytecode_data).count);
  }
  uint64_t external_size = 0;
  IREE_RETURN_IF_ERROR(print_rodata(root, builder, &external_size));
  flatbuf_vector_t rwdata = flatbuf_vector(root, VMFB_BytecodeModuleDef_rwdata_segments);
  for (uint32_t i = 0; i < rwdata.count; ++i) {
    TRY_APPEND(builder, "  .rwdata[%3u] %d bytes\n", i,
               flatbuf_i32(flatbuf_vector_table(rwdata, i), VMFB_RwdataSegmentDef_byte_size, 0));
  }
  TRY_APPEND(builder, "\n");
  if (external_size) {
    TRY_APPEND(builder, "External .rodata: ~%" PRIu64 " bytes\n\n", external_size);
  }
  return iree_ok_status();
}

static iree_status_t print_descriptors(flatbuf_table_t root, iree_string_builder_t *builder) {
  TRY_APPEND(builder, REPORT_RULE "// Bytecode : version %d\n" REPORT_RULE "\n",
             flatbuf_i32(root, VMFB_BytecodeModuleDef_version, 0));
  if (!flatbuf_field(root, VMFB_BytecodeModuleDef_function_descriptors)) {
    return iree_string_builder_append_cstring(builder, "\n");
  }
  TRY_APPEND(builder,
             "  # | Offset   |   Length | Blocks | i32 # | ref # | Requirements | Aliases\n"
             "----+----------+----------+--------+-------+-------+--------------+-"
             "----------------------------------------------------\n");
  flatbuf_vector_t descriptors = flatbuf_vector(root, VMFB_BytecodeModuleDef_function_descriptors);
  flatbuf_vector_t exports = flatbuf_vector(root, VMFB_BytecodeModuleDef_exported_functions);
  for (uint32_t i = 0; i < descriptors.count; ++i) {
    vmfb_function_descriptor_t d;
    iree_host_size_t width = 0;
    memcpy(&d, descriptors.data + sizeof(d) * i, sizeof(d));
    TRY_APPEND(builder, "%3u | %08X | %8d | %6d | %5d | %5d | ", i, (uint32_t)d.bytecode_offset,
               d.bytecode_length, d.block_count, d.i32_register_count, d.ref_register_count);
    IREE_RETURN_IF_ERROR(print_features(d.requirements, builder, &width));
    TRY_APPEND(builder, "%*s | ", width < 12 ? 12 - (int)width : 0, "");
    const char *separator = "";
    for (uint32_t k = 0; k < exports.count; ++k) {
      flatbuf_table_t table = flatbuf_vector_table(exports, k);
      if (flatbuf_u32(table, VMFB_ExportFunctionDef_internal_ordinal, 0) != i) continue;
      iree_string_view_t name = flatbuf_string(table, VMFB_ExportFunctionDef_local_name);
      TRY_APPEND(builder, "%s%.*s", separator, IREE_SV_ARGS(name));
      separator = ", ";
    }
    TRY_APPEND(builder, "\n");
  }
  TRY_APPEND(builder, "\n");
  return iree_ok_status();
}

iree_status_t vmfb_report_metadata(const vmfb_archive_t *archive, iree_string_builder_t *builder) {
  flatbuf_table_t root = archive->root;
  IREE_RETURN_IF_ERROR(print_header(root, builder));
  IREE_RETURN_IF_ERROR(print_dependencies(root, builder));
  IREE_RETURN_IF_ERROR(print_functions(root, builder));
  IREE_RETURN_IF_ERROR(print_sections(archive, builder));
  IREE_RETURN_IF_ERROR(print_descriptors(root, builder));
  flatbuf_table_t database = flatbuf_table(root, VMFB_BytecodeModuleDef_debug_database);
  if (database) {
    TRY_APPEND(builder,
               REPORT_RULE
               "// Debug Information\n" REPORT_RULE
               "// NOTE: debug databases are large and should be stripped in deployed artifacts.\n"
               "\nLocations: %u\n\n",
               flatbuf_vector(database, VMFB_DebugDatabaseDef_location_table).count);
  }
  return iree_ok_status();
}

// ---- Ledger ------------------------------------------------------------------------------------

// Causes: 0 nobody, 1 + slot for the root's fields, then the ones below.
enum {
  CAUSE_ROOT = 64,   // root table, prefix, identifier
  CAUSE_EXECUTABLE,  // ELF images behind the FlatBuffer
  CAUSE_CONSTANT,    // all else there
};

typedef struct ledger_t {
  const vmfb_archive_t *archive;
  uint8_t *owners;  // one per byte of the file
} ledger_t;

static void ledger_mark(ledger_t *ledger, const uint8_t *data, uint64_t size, uint8_t cause) {
  uint64_t begin = (uint64_t)(data - ledger->archive->contents.data);
  // Seen before, by way of something shared.
  if (size && ledger->owners[begin] == cause && ledger->owners[begin + size - 1] == cause) return;
  for (uint64_t i = begin; i < begin + size && i < ledger->archive->contents.data_length; ++i) {
    if (!ledger->owners[i]) ledger->owners[i] = cause;
  }
}

static void ledger_table(ledger_t *ledger, flatbuf_table_t table, uint16_t table_index,
                         uint8_t cause);

static void ledger_field(ledger_t *ledger, flatbuf_table_t table, const flatbuf_field_t *field,
                         uint8_t cause) {
  const uint8_t *target = flatbuf_target(table, field->slot);
  if (!target) return;
  uint32_t count = iree_unaligned_load_le_u32(target);
  flatbuf_vector_t vector = {target + 4, count};
  switch ((flatbuf_kind_t)field->kind) {
    case FLATBUF_U8:
    case FLATBUF_U32:
    case FLATBUF_I32:
    case FLATBUF_U64:
      break;
    case FLATBUF_STRING:
      ledger_mark(ledger, target, 5ull + count, cause);
      break;
    case FLATBUF_BYTES:
      ledger_mark(ledger, target, 4ull + count, cause);
      break;
    case FLATBUF_STRUCTS:
      ledger_mark(ledger, target, 4 + (uint64_t)count * field->of, cause);
      break;
    case FLATBUF_TABLE:
      ledger_table(ledger, target, field->of, cause);
      break;
    case FLATBUF_TABLES:
      ledger_mark(ledger, target, 4 + 4ull * count, cause);
      for (uint32_t i = 0; i < count; ++i) {
        ledger_table(ledger, flatbuf_vector_table(vector, i), field->of, cause);
      }
      break;
    case FLATBUF_UNIONS: {
      ledger_mark(ledger, target, 4 + 4ull * count, cause);
      const flatbuf_schema_t *schema = vmfb_schema();
      iree_const_byte_span_t types = flatbuf_bytes(table, field->slot - 1);
      for (uint32_t i = 0; i < count; ++i) {
        for (uint16_t m = 0; m < schema->union_member_count; ++m) {
          if (schema->union_members[m].type != types.data[i]) continue;
          ledger_table(ledger, flatbuf_vector_table(vector, i), schema->union_members[m].table,
                       cause);
        }
      }
      break;
    }
  }
}

static void ledger_table(ledger_t *ledger, flatbuf_table_t table, uint16_t table_index,
                         uint8_t cause) {
  const flatbuf_schema_t *schema = vmfb_schema();
  const flatbuf_table_schema_t *row = &schema->tables[table_index];
  const uint8_t *vtable = table - (int32_t)iree_unaligned_load_le_u32(table);
  ledger_mark(ledger, vtable, iree_unaligned_load_le_u16(vtable), cause ? cause : CAUSE_ROOT);
  ledger_mark(ledger, table, iree_unaligned_load_le_u16(vtable + 2), cause ? cause : CAUSE_ROOT);
  for (uint16_t i = 0; i < row->field_count; ++i) {
    const flatbuf_field_t *field = &schema->fields[row->first_field + i];
    uint8_t field_cause = cause ? cause : (uint8_t)(1 + field->slot);
    if (field->kind >= FLATBUF_STRING) ledger_field(ledger, table, field, field_cause);
  }
}

// Counts bytes by owner.
static void ledger_count(const ledger_t *ledger, vmfb_ledger_t *out) {
  const vmfb_archive_t *archive = ledger->archive;
  memset(out, 0, sizeof(*out));
  uint64_t begin = archive->prefix_offset;
  uint64_t end = begin + 4 + archive->flatbuffer.data_length;
  for (uint64_t i = 0; i < archive->contents.data_length; ++i) {
    uint8_t owner = ledger->owners[i];
    if (owner == CAUSE_ROOT)
      ++out->root;
    else if (owner == CAUSE_EXECUTABLE)
      ++out->executables;
    else if (owner == CAUSE_CONSTANT)
      ++out->constants;
    else if (owner)
      ++out->fields[owner - 1];
    else if (i >= begin && i < end)
      ++out->padding;
    else
      ++out->container;
  }
}

static iree_status_t ledger_print(const vmfb_archive_t *archive, const vmfb_ledger_t *ledger,
                                  iree_string_builder_t *builder) {
  const flatbuf_schema_t *schema = vmfb_schema();
  const flatbuf_table_schema_t *root = &schema->tables[schema->root_table];
  uint64_t total = 0;
  TRY_APPEND(builder, "     Bytes | Share  | Cause\n-----------+--------+----------------------\n");
#define LEDGER_LINE(size, ...)                                                    \
  do {                                                                            \
    total += (size);                                                              \
    if (size) {                                                                   \
      TRY_APPEND(builder, "%10" PRIu64 " | %5.1f%% | ", (uint64_t)(size),         \
                 100.0 * (double)(size) / (double)archive->contents.data_length); \
      TRY_APPEND(builder, __VA_ARGS__);                                           \
    }                                                                             \
  } while (0)
  for (uint16_t i = 0; i < root->field_count; ++i) {
    const flatbuf_field_t *field = &schema->fields[root->first_field + i];
    LEDGER_LINE(ledger->fields[field->slot], "%s\n", field->name);
  }
  LEDGER_LINE(ledger->root, "root table, prefix, identifier\n");
  LEDGER_LINE(ledger->padding, "FlatBuffer padding\n");
  LEDGER_LINE(ledger->executables, "executables\n");
  LEDGER_LINE(ledger->constants, "constants\n");
  LEDGER_LINE(ledger->container, "container: zip records, alignment\n");
#undef LEDGER_LINE
  TRY_APPEND(builder, "%10" PRIu64 " | 100.0%% | file\n\n", total);
  return iree_ok_status();
}

iree_status_t vmfb_ledger(const vmfb_archive_t *archive, iree_allocator_t allocator,
                          vmfb_ledger_t *out_ledger) {
  memset(out_ledger, 0, sizeof(*out_ledger));
  ledger_t ledger = {.archive = archive};
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(allocator, archive->contents.data_length, (void **)&ledger.owners));
  ledger_mark(&ledger, archive->flatbuffer.data - 4, 12, CAUSE_ROOT);
  ledger_table(&ledger, archive->root, vmfb_schema()->root_table, 0);
  flatbuf_vector_t segments = flatbuf_vector(archive->root, VMFB_BytecodeModuleDef_rodata_segments);
  iree_status_t status = iree_ok_status();
  for (uint32_t i = 0; i < segments.count && iree_status_is_ok(status); ++i) {
    iree_const_byte_span_t data = iree_const_byte_span_empty();
    status = vmfb_archive_rodata(archive, i, &data);
    bool is_image = data.data_length >= 4 && memcmp(data.data, "\x7f" "ELF", 4) == 0;
    if (data.data)
      ledger_mark(&ledger, data.data, data.data_length, is_image ? CAUSE_EXECUTABLE : CAUSE_CONSTANT);
  }
  if (iree_status_is_ok(status)) ledger_count(&ledger, out_ledger);
  iree_allocator_free(allocator, ledger.owners);
  return status;
}

iree_status_t vmfb_report_ledger(const vmfb_archive_t *archive, iree_string_builder_t *builder) {
  vmfb_ledger_t ledger;
  IREE_RETURN_IF_ERROR(vmfb_ledger(archive, builder->allocator, &ledger));
  return ledger_print(archive, &ledger, builder);
}
