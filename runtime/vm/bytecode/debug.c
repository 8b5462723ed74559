// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and source places from the optional debug database. Locations refer to each other by index;
// a damaged file may have cycles, so the depth is bounded.
#include "runtime/vm/bytecode/module_impl.h"

#define DEBUG_MAX_DEPTH 8
#define DEBUG_MAX_TEXT 4096

static flatbuf_table_t debug_database(const bytecode_module_t *module) {
  return flatbuf_table(module->archive.root, VMFB_BytecodeModuleDef_debug_database);
}

// Upstream's files have one entry for the exports' initialiser only; an entry per function is
// meant.
static flatbuf_table_t debug_function(const bytecode_module_t *module, uint32_t ordinal) {
  flatbuf_vector_t functions =
      flatbuf_vector(debug_database(module), VMFB_DebugDatabaseDef_functions);
  return functions.count == module->function_count && ordinal < functions.count
             ? flatbuf_vector_table(functions, ordinal)
             : NULL;
}

iree_string_view_t bytecode_function_name(const bytecode_module_t *module, uint32_t ordinal) {
  flatbuf_vector_t exports =
      flatbuf_vector(module->archive.root, VMFB_BytecodeModuleDef_exported_functions);
  for (uint32_t i = 0; i < exports.count; ++i) {
    flatbuf_table_t table = flatbuf_vector_table(exports, i);
    if (flatbuf_u32(table, VMFB_ExportFunctionDef_internal_ordinal, 0) == ordinal) {
      return flatbuf_string(table, VMFB_ExportFunctionDef_local_name);
    }
  }
  return flatbuf_string(debug_function(module, ordinal), VMFB_FunctionSourceMapDef_local_name);
}

static iree_status_t format_location(const bytecode_module_t *module, int32_t index, int depth,
                                     iree_string_builder_t *builder) {
  // Shared parts make a small file describe an endless text.
  if (iree_string_builder_size(builder) > DEBUG_MAX_TEXT) return iree_ok_status();
  flatbuf_table_t database = debug_database(module);
  iree_const_byte_span_t types = flatbuf_bytes(database, VMFB_DebugDatabaseDef_location_table_type);
  flatbuf_vector_t locations = flatbuf_vector(database, VMFB_DebugDatabaseDef_location_table);
  if (index < 0 || (uint32_t)index >= locations.count || depth > DEBUG_MAX_DEPTH) {
    return iree_string_builder_append_cstring(builder, "[unknown]");
  }
  flatbuf_table_t table = NULL;
  uint8_t type = types.data[index];
  if (type >= VMFB_LocationTypeDef_CallSiteLocDef && type <= VMFB_LocationTypeDef_NameLocDef) {
    table = flatbuf_vector_table(locations, (uint32_t)index);
  }
  switch (type) {
    case VMFB_LocationTypeDef_FileLineColLocDef: {
      iree_string_view_t file = flatbuf_string(table, VMFB_FileLineColLocDef_filename);
      return iree_string_builder_append_format(
          builder, "%.*s:%d:%d", IREE_SV_ARGS(file),
          flatbuf_i32(table, VMFB_FileLineColLocDef_line, 0),
          flatbuf_i32(table, VMFB_FileLineColLocDef_column, 0));
    }
    case VMFB_LocationTypeDef_CallSiteLocDef:
      IREE_RETURN_IF_ERROR(format_location(
          module, flatbuf_i32(table, VMFB_CallSiteLocDef_callee, 0), depth + 1, builder));
      IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, " called from "));
      return format_location(module, flatbuf_i32(table, VMFB_CallSiteLocDef_caller, 0), depth + 1,
                             builder);
    case VMFB_LocationTypeDef_NameLocDef: {
      iree_string_view_t name = flatbuf_string(table, VMFB_NameLocDef_name);
      IREE_RETURN_IF_ERROR(iree_string_builder_append_format(builder, "%.*s@", IREE_SV_ARGS(name)));
      return format_location(module, flatbuf_i32(table, VMFB_NameLocDef_child_location, 0),
                             depth + 1, builder);
    }
    case VMFB_LocationTypeDef_FusedLocDef: {
      flatbuf_vector_t parts = flatbuf_vector(table, VMFB_FusedLocDef_locations);
      IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "["));
      for (uint32_t i = 0; i < parts.count && i < 8; ++i) {
        if (i) IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, ", "));
        IREE_RETURN_IF_ERROR(
            format_location(module, (int32_t)iree_unaligned_load_le_u32(parts.data + 4ull * i),
                            depth + 1, builder));
      }
      return iree_string_builder_append_cstring(builder, "]");
    }
    default:
      return iree_string_builder_append_cstring(builder, "[unknown]");
  }
}

static iree_status_t format_source_location(void *self, uint64_t data[2],
                                            iree_vm_source_location_format_flags_t flags,
                                            iree_string_builder_t *builder) {
  (void)flags;
  return format_location(self, (int32_t)data[0], 0, builder);
}

iree_status_t bytecode_resolve_source_location(void *self, iree_vm_function_t function,
                                               iree_vm_source_offset_t pc,
                                               iree_vm_source_location_t *out_source_location) {
  bytecode_module_t *module = self;
  uint32_t ordinal = function.ordinal;
  if (function.linkage == IREE_VM_FUNCTION_LINKAGE_EXPORT ||
      function.linkage == IREE_VM_FUNCTION_LINKAGE_EXPORT_OPTIONAL) {
    flatbuf_vector_t exports =
        flatbuf_vector(module->archive.root, VMFB_BytecodeModuleDef_exported_functions);
    if (ordinal >= exports.count) return iree_status_from_code(IREE_STATUS_UNAVAILABLE);
    ordinal = flatbuf_u32(flatbuf_vector_table(exports, ordinal),
                          VMFB_ExportFunctionDef_internal_ordinal, 0);
  }
  // Locations are sorted by offset; the last one at or before |pc| holds.
  flatbuf_vector_t locations =
      flatbuf_vector(debug_function(module, ordinal), VMFB_FunctionSourceMapDef_locations);
  int64_t found = -1;
  for (uint32_t i = 0; i < locations.count; ++i) {
    vmfb_bytecode_location_t location;
    memcpy(&location, locations.data + 8ull * i, sizeof(location));
    if (location.bytecode_offset > pc) break;
    found = location.location;
  }
  if (found < 0) return iree_status_from_code(IREE_STATUS_UNAVAILABLE);
  out_source_location->self = self;
  out_source_location->data[0] = (uint64_t)found;
  out_source_location->format = format_source_location;
  return iree_ok_status();
}
