// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Module file writing: tables first, then strings, embedded constants and bytecode; external
// segments follow the FlatBuffer and are streamed from where they lie.
#include "compiler/emit/vmfb.h"

#include <stdlib.h>
#include <string.h>

#include "abi/version.h"
#include "abi/vmfb.h"
#include "compiler/emit/flatbuf.h"
#include "compiler/emit/zip.h"

// Where a rodata segment goes.
typedef struct {
  bool is_external;
  uint32_t at;             // of its reference (embedded) or offset field (external)
  uint64_t header_offset;  // in the file
  uint64_t header_size;
  uint64_t padding;  // in front of the header
} segment_t;

typedef struct {
  const vmfb_module_t *module;
  const vmfb_options_t *options;
  flatbuf_t fb;
  segment_t *segments;
  uint64_t *function_offsets;
  uint64_t bytecode_length;
} emitter_t;

static flatbuf_field_t reference(uint16_t slot) {
  return (flatbuf_field_t){.slot = slot, .size = 4};
}

static flatbuf_field_t scalar(uint16_t slot, uint8_t size, uint64_t value) {
  return (flatbuf_field_t){.slot = slot, .size = size, .value = value};
}

static uint32_t element_at(uint32_t vector, size_t index) {
  return vector + 4 + 4 * (uint32_t)index;
}

static uint32_t begin_vector(emitter_t *e, uint32_t at, size_t count) {
  uint32_t vector = flatbuf_add_references(&e->fb, count);
  flatbuf_link(&e->fb, at, vector);
  return vector;
}

static void add_attrs(emitter_t *e, uint32_t at, const vmfb_attr_t *attrs, size_t count) {
  uint32_t vector = begin_vector(e, at, count);
  for (size_t i = 0; i < count; ++i) {
    flatbuf_field_t fields[] = {reference(VMFB_AttrDef_key), reference(VMFB_AttrDef_value)};
    flatbuf_link(&e->fb, element_at(vector, i), flatbuf_add_table(&e->fb, fields, 2));
    flatbuf_link_string(&e->fb, fields[0].at, attrs[i].key);
    flatbuf_link_string(&e->fb, fields[1].at, attrs[i].value);
  }
}

static void add_types(emitter_t *e, uint32_t at) {
  uint32_t vector = begin_vector(e, at, e->module->type_count);
  for (size_t i = 0; i < e->module->type_count; ++i) {
    flatbuf_field_t field = reference(VMFB_TypeDef_full_name);
    flatbuf_link(&e->fb, element_at(vector, i), flatbuf_add_table(&e->fb, &field, 1));
    flatbuf_link_string(&e->fb, field.at, e->module->types[i]);
  }
}

static void add_dependencies(emitter_t *e, uint32_t at) {
  uint32_t vector = begin_vector(e, at, e->module->dependency_count);
  for (size_t i = 0; i < e->module->dependency_count; ++i) {
    const vmfb_dependency_t *dependency = &e->module->dependencies[i];
    flatbuf_field_t fields[3] = {reference(VMFB_ModuleDependencyDef_name)};
    size_t count = 1;
    if (dependency->minimum_version) {
      fields[count++] =
          scalar(VMFB_ModuleDependencyDef_minimum_version, 4, dependency->minimum_version);
    }
    if (dependency->is_optional) fields[count++] = scalar(VMFB_ModuleDependencyDef_flags, 4, 2);
    flatbuf_link(&e->fb, element_at(vector, i), flatbuf_add_table(&e->fb, fields, count));
    flatbuf_link_string(&e->fb, fields[0].at, dependency->name);
  }
}

// Returns the references of |count| signatures that still need their tables.
static void add_imports(emitter_t *e, uint32_t at, uint32_t *signature_at) {
  uint32_t vector = begin_vector(e, at, e->module->import_count);
  for (size_t i = 0; i < e->module->import_count; ++i) {
    const vmfb_import_t *import = &e->module->imports[i];
    flatbuf_field_t fields[3] = {reference(VMFB_ImportFunctionDef_full_name),
                                 reference(VMFB_ImportFunctionDef_signature)};
    size_t count = 2;
    if (import->is_optional) fields[count++] = scalar(VMFB_ImportFunctionDef_flags, 4, 2);
    flatbuf_link(&e->fb, element_at(vector, i), flatbuf_add_table(&e->fb, fields, count));
    flatbuf_link_string(&e->fb, fields[0].at, import->full_name);
    signature_at[i] = fields[1].at;
  }
}

static void add_exports(emitter_t *e, uint32_t at) {
  uint32_t vector = begin_vector(e, at, e->module->export_count);
  for (size_t i = 0; i < e->module->export_count; ++i) {
    const vmfb_export_t *export = &e->module->exports[i];
    flatbuf_field_t fields[2] = {reference(VMFB_ExportFunctionDef_local_name)};
    size_t count = 1;
    if (export->function)
      fields[count++] = scalar(VMFB_ExportFunctionDef_internal_ordinal, 4, export->function);
    flatbuf_link(&e->fb, element_at(vector, i), flatbuf_add_table(&e->fb, fields, count));
    flatbuf_link_string(&e->fb, fields[0].at, export->name);
  }
}

// A signature without attributes is one table for all that have its calling convention.
typedef struct {
  iree_string_view_t calling_convention;
  uint32_t table;
} shared_signature_t;

static uint32_t add_signature(emitter_t *e, iree_string_view_t calling_convention,
                              const vmfb_attr_t *attrs, size_t attr_count) {
  flatbuf_field_t fields[2];
  size_t count = 0;
  if (calling_convention.size)
    fields[count++] = reference(VMFB_FunctionSignatureDef_calling_convention);
  if (attr_count) fields[count++] = reference(VMFB_FunctionSignatureDef_attrs);
  uint32_t table = flatbuf_add_table(&e->fb, fields, count);
  if (calling_convention.size) flatbuf_link_string(&e->fb, fields[0].at, calling_convention);
  if (attr_count) add_attrs(e, fields[count - 1].at, attrs, attr_count);
  return table;
}

static void add_signatures(emitter_t *e, const uint32_t *import_at, uint32_t functions_at) {
  const vmfb_module_t *module = e->module;
  shared_signature_t *shared =
      calloc(module->import_count + module->function_count + 1, sizeof(*shared));
  if (!shared) abort();
  size_t shared_count = 0;
  uint32_t vector = begin_vector(e, functions_at, module->function_count);
  for (size_t i = 0; i < module->import_count + module->function_count; ++i) {
    bool is_import = i < module->import_count;
    const vmfb_function_t *function =
        is_import ? NULL : &module->functions[i - module->import_count];
    iree_string_view_t convention =
        is_import ? module->imports[i].calling_convention : function->calling_convention;
    uint32_t at = is_import ? import_at[i] : element_at(vector, i - module->import_count);
    if (!is_import && function->attr_count) {
      flatbuf_link(&e->fb, at, add_signature(e, convention, function->attrs, function->attr_count));
      continue;
    }
    size_t s = 0;
    while (s < shared_count && (!iree_string_view_equal(shared[s].calling_convention, convention) ||
                                shared[s].table <= at)) {
      ++s;
    }
    if (s == shared_count) {
      shared[shared_count++] =
          (shared_signature_t){convention, add_signature(e, convention, NULL, 0)};
    }
    flatbuf_link(&e->fb, at, shared[s].table);
  }
  free(shared);
}

static void add_rodata(emitter_t *e, uint32_t at) {
  uint32_t vector = begin_vector(e, at, e->module->rodata_count);
  for (size_t i = 0; i < e->module->rodata_count; ++i) {
    const vmfb_rodata_t *rodata = &e->module->rodata[i];
    segment_t *segment = &e->segments[i];
    segment->is_external = rodata->length >= ABI_ARCHIVE_EXTERNAL_THRESHOLD ||
                           (e->options->emit_zip && rodata->mime_type.size);
    flatbuf_field_t fields[2] = {reference(VMFB_RodataSegmentDef_embedded_data)};
    size_t count = 1;
    if (segment->is_external) {
      fields[0] = scalar(VMFB_RodataSegmentDef_external_data_offset, 8, 0);
      fields[1] = scalar(VMFB_RodataSegmentDef_external_data_length, 8, rodata->length);
      count = 2;
    }
    flatbuf_link(&e->fb, element_at(vector, i), flatbuf_add_table(&e->fb, fields, count));
    segment->at = fields[0].at;
  }
}

static void store(uint8_t *p, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) p[i] = (uint8_t)(value >> (8 * i));
}

static void add_functions(emitter_t *e, uint32_t at) {
  const vmfb_module_t *module = e->module;
  uint32_t vector = flatbuf_add_vector(&e->fb, NULL, module->function_count,
                                       sizeof(vmfb_function_descriptor_t), 4);
  flatbuf_link(&e->fb, at, vector);
  for (size_t i = 0; i < module->function_count; ++i) {
    const vmfb_function_t *function = &module->functions[i];
    uint8_t *p = e->fb.data + vector + 4 + sizeof(vmfb_function_descriptor_t) * i;
    store(p, e->function_offsets[i], 4);
    store(p + 4, function->bytecode_length, 4);
    store(p + 8, function->requirements, 4);
    store(p + 14, function->block_count, 2);
    store(p + 16, function->i32_register_count, 2);
    store(p + 18, function->ref_register_count, 2);
  }
}

static void add_location(emitter_t *e, uint32_t at, const vmfb_location_t *location) {
  flatbuf_field_t fields[3];
  size_t count = 0;
  switch (location->kind) {
    case VMFB_LOCATION_CALL_SITE:
      fields[count++] = scalar(VMFB_CallSiteLocDef_callee, 4, (uint32_t)location->a);
      fields[count++] = scalar(VMFB_CallSiteLocDef_caller, 4, (uint32_t)location->b);
      break;
    case VMFB_LOCATION_FILE_LINE_COL:
      fields[count++] = reference(VMFB_FileLineColLocDef_filename);
      fields[count++] = scalar(VMFB_FileLineColLocDef_line, 4, (uint32_t)location->a);
      fields[count++] = scalar(VMFB_FileLineColLocDef_column, 4, (uint32_t)location->b);
      break;
    case VMFB_LOCATION_FUSED:
      fields[count++] = reference(VMFB_FusedLocDef_locations);
      if (location->text.size) fields[count++] = reference(VMFB_FusedLocDef_metadata);
      break;
    case VMFB_LOCATION_NAME:
      fields[count++] = reference(VMFB_NameLocDef_name);
      fields[count++] = scalar(VMFB_NameLocDef_child_location, 4, (uint32_t)location->a);
      break;
  }
  flatbuf_link(&e->fb, at, flatbuf_add_table(&e->fb, fields, count));
  if (location->kind == VMFB_LOCATION_FUSED) {
    flatbuf_link(&e->fb, fields[0].at,
                 flatbuf_add_vector(&e->fb, location->children, location->child_count, 4, 4));
    if (count > 1) flatbuf_link_string(&e->fb, fields[1].at, location->text);
  } else if (location->kind != VMFB_LOCATION_CALL_SITE) {
    flatbuf_link_string(&e->fb, fields[0].at, location->text);
  }
}

static void add_debug_database(emitter_t *e, uint32_t at) {
  const vmfb_module_t *module = e->module;
  flatbuf_field_t fields[] = {reference(VMFB_DebugDatabaseDef_location_table_type),
                              reference(VMFB_DebugDatabaseDef_location_table),
                              reference(VMFB_DebugDatabaseDef_functions)};
  flatbuf_link(&e->fb, at, flatbuf_add_table(&e->fb, fields, 3));
  uint32_t kinds = flatbuf_add_vector(&e->fb, NULL, module->location_count, 1, 4);
  flatbuf_link(&e->fb, fields[0].at, kinds);
  for (size_t i = 0; i < module->location_count; ++i) {
    e->fb.data[kinds + 4 + i] = (uint8_t)module->locations[i].kind;
  }
  uint32_t locations = begin_vector(e, fields[1].at, module->location_count);
  for (size_t i = 0; i < module->location_count; ++i) {
    add_location(e, element_at(locations, i), &module->locations[i]);
  }
  uint32_t functions = begin_vector(e, fields[2].at, module->function_count);
  for (size_t i = 0; i < module->function_count; ++i) {
    const vmfb_function_t *function = &module->functions[i];
    flatbuf_field_t map[] = {reference(VMFB_FunctionSourceMapDef_local_name),
                             reference(VMFB_FunctionSourceMapDef_locations)};
    flatbuf_link(&e->fb, element_at(functions, i), flatbuf_add_table(&e->fb, map, 2));
    flatbuf_link_string(&e->fb, map[0].at, function->name);
    uint32_t sources = flatbuf_add_vector(&e->fb, NULL, function->source_count, 8, 4);
    flatbuf_link(&e->fb, map[1].at, sources);
    for (size_t s = 0; s < function->source_count; ++s) {
      store(e->fb.data + sources + 4 + 8 * s, function->sources[s].bytecode_offset, 4);
      store(e->fb.data + sources + 8 + 8 * s, function->sources[s].location, 4);
    }
  }
}

static void add_bytes(emitter_t *e, uint32_t bytecode_at) {
  const vmfb_module_t *module = e->module;
  for (size_t i = 0; i < module->rodata_count; ++i) {
    const vmfb_rodata_t *rodata = &module->rodata[i];
    if (e->segments[i].is_external) continue;
    // Text is read byte by byte; anything that asks for an alignment gets it.
    uint32_t vector =
        flatbuf_add_vector(&e->fb, rodata->data, rodata->length, 1, rodata->alignment);
    flatbuf_link(&e->fb, e->segments[i].at, vector);
  }
  uint32_t vector = flatbuf_add_vector(&e->fb, NULL, e->bytecode_length, 1, 8);
  flatbuf_link(&e->fb, bytecode_at, vector);
  for (size_t i = 0; i < module->function_count; ++i) {
    memcpy(e->fb.data + vector + 4 + e->function_offsets[i], module->functions[i].bytecode,
           module->functions[i].bytecode_length);
  }
}

static void add_module(emitter_t *e, uint32_t *import_signatures) {
  const vmfb_module_t *module = e->module;
  uint32_t requirements = 0;
  for (size_t i = 0; i < module->function_count; ++i)
    requirements |= module->functions[i].requirements;
  flatbuf_field_t fields[16];
  uint16_t count = 0;
  // References that are always there come first, so that their index is fixed.
  enum { NAME, TYPES, DEPENDENCIES, IMPORTS, EXPORTS, SIGNATURES, RODATA, DESCRIPTORS, BYTECODE };
  static const uint8_t always[] = {VMFB_BytecodeModuleDef_name,
                                   VMFB_BytecodeModuleDef_types,
                                   VMFB_BytecodeModuleDef_dependencies,
                                   VMFB_BytecodeModuleDef_imported_functions,
                                   VMFB_BytecodeModuleDef_exported_functions,
                                   VMFB_BytecodeModuleDef_function_signatures,
                                   VMFB_BytecodeModuleDef_rodata_segments,
                                   VMFB_BytecodeModuleDef_function_descriptors,
                                   VMFB_BytecodeModuleDef_bytecode_data};
  for (size_t i = 0; i < sizeof(always); ++i) fields[count++] = reference(always[i]);
  fields[count++] = scalar(VMFB_BytecodeModuleDef_bytecode_version, 4, ABI_BYTECODE_VERSION);
  if (requirements) fields[count++] = scalar(VMFB_BytecodeModuleDef_requirements, 4, requirements);
  if (module->version) fields[count++] = scalar(VMFB_BytecodeModuleDef_version, 4, module->version);
  uint16_t attrs = count, state, debug;
  if (module->attr_count) fields[count++] = reference(VMFB_BytecodeModuleDef_attrs);
  state = count;
  if (module->global_bytes || module->global_refs)
    fields[count++] = reference(VMFB_BytecodeModuleDef_module_state);
  debug = count;
  if (module->location_count) fields[count++] = reference(VMFB_BytecodeModuleDef_debug_database);
  uint32_t root = flatbuf_add_table(&e->fb, fields, count);

  flatbuf_link_string(&e->fb, fields[NAME].at, module->name);
  if (attrs != state) add_attrs(e, fields[attrs].at, module->attrs, module->attr_count);
  add_types(e, fields[TYPES].at);
  add_dependencies(e, fields[DEPENDENCIES].at);
  add_imports(e, fields[IMPORTS].at, import_signatures);
  add_exports(e, fields[EXPORTS].at);
  add_signatures(e, import_signatures, fields[SIGNATURES].at);
  add_rodata(e, fields[RODATA].at);
  if (state != debug) {
    flatbuf_field_t sizes[2];
    size_t size_count = 0;
    if (module->global_bytes) {
      sizes[size_count++] =
          scalar(VMFB_ModuleStateDef_global_bytes_capacity, 4, module->global_bytes);
    }
    if (module->global_refs) {
      sizes[size_count++] = scalar(VMFB_ModuleStateDef_global_ref_count, 4, module->global_refs);
    }
    flatbuf_link(&e->fb, fields[state].at, flatbuf_add_table(&e->fb, sizes, size_count));
  }
  if (debug != count) add_debug_database(e, fields[debug].at);
  flatbuf_add_strings(&e->fb);
  add_functions(e, fields[DESCRIPTORS].at);
  add_bytes(e, fields[BYTECODE].at);
  bool has_external = false;
  for (size_t i = 0; i < module->rodata_count; ++i) has_external |= e->segments[i].is_external;
  // Padding only serves what follows.
  flatbuf_finish(&e->fb, root, has_external ? ABI_ARCHIVE_ALIGNMENT : 4);
}

//===-- container ----------------------------------------------------------------------------------

static const char *extension_of(iree_string_view_t mime_type) {
  static const struct {
    const char *mime, *extension;
  } rows[] = {
      {"application/x-elf", ".so"},  {"application/x-flatbuffers", ".fb"},
      {"application/json", ".json"}, {"application/wasm", ".wasm"},
      {"text/plain", ".txt"},        {"application/x-sharedlib", ".so"},
      {"application/x-dll", ".dll"}, {"application/x-dylib", ".dylib"},
      {"application/yaml", ".yaml"},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
    if (iree_string_view_equal(mime_type, iree_make_cstring_view(rows[i].mime))) {
      return rows[i].extension;
    }
  }
  return ".bin";
}

static iree_status_t write_zeros(vmfb_write_fn_t write, void *self, uint64_t count) {
  static const uint8_t zeros[256];
  while (count) {
    size_t part = count < sizeof(zeros) ? (size_t)count : sizeof(zeros);
    IREE_RETURN_IF_ERROR(write(self, zeros, part));
    count -= part;
  }
  return iree_ok_status();
}

typedef struct {
  zip_entry_t *entries;
  char **names;
  size_t count;
  uint8_t *scratch;
  uint64_t scratch_size;
} archive_t;

static uint8_t *scratch(archive_t *archive, uint64_t size) {
  if (size > archive->scratch_size) {
    archive->scratch = realloc(archive->scratch, size);
    if (!archive->scratch) abort();
    archive->scratch_size = size;
  }
  return archive->scratch;
}

// Decides every offset; the FlatBuffer's external offsets are patched here.
static uint64_t place_segments(emitter_t *e, archive_t *archive, uint64_t fb_header_size) {
  uint64_t base = fb_header_size + e->fb.size, cursor = base;
  for (size_t i = 0; i < e->module->rodata_count; ++i) {
    const vmfb_rodata_t *rodata = &e->module->rodata[i];
    segment_t *segment = &e->segments[i];
    if (!segment->is_external) continue;
    uint64_t alignment = rodata->alignment ? rodata->alignment : 16;
    uint64_t data = (cursor - base + alignment - 1) / alignment * alignment + base;
    segment->padding = data - cursor;
    if (e->options->emit_zip) {
      const char *extension = extension_of(rodata->mime_type);
      size_t length = rodata->name.size + strlen(extension);
      char *name = malloc(length + 1);
      if (!name) abort();
      if (rodata->name.size) memcpy(name, rodata->name.data, rodata->name.size);
      memcpy(name + rodata->name.size, extension, strlen(extension) + 1);
      archive->names[i] = name;
      iree_string_view_t view = iree_make_string_view(name, length);
      segment->padding = 0;
      segment->header_size = zip_local_header_size(view, cursor, base, alignment);
      data = cursor + segment->header_size;
      archive->entries[archive->count++] = (zip_entry_t){
          .name = view,
          .header_offset = cursor,
          .header_size = segment->header_size,
          .length = rodata->length,
          .crc = zip_crc32(0, rodata->data, rodata->length),
      };
    }
    store(e->fb.data + segment->at, data - base, 8);
    cursor = data + rodata->length;
  }
  return cursor;
}

static iree_status_t write_file(emitter_t *e, archive_t *archive, vmfb_write_fn_t write,
                                void *self) {
  bool zip = e->options->emit_zip;
  iree_string_view_t fb_name = iree_make_cstring_view("module.fb");
  uint64_t fb_header_size = zip ? zip_local_header_size(fb_name, 0, 0, ABI_ARCHIVE_ALIGNMENT) : 0;
  if (zip) archive->count = 1;
  uint64_t end = place_segments(e, archive, fb_header_size);
  if (zip) {
    archive->entries[0] = (zip_entry_t){
        .name = fb_name,
        .header_size = fb_header_size,
        .length = e->fb.size,
        .crc = zip_crc32(0, e->fb.data, e->fb.size),
    };
    uint8_t *header = scratch(archive, fb_header_size);
    zip_write_local_header(&archive->entries[0], header);
    IREE_RETURN_IF_ERROR(write(self, header, fb_header_size));
  }
  IREE_RETURN_IF_ERROR(write(self, e->fb.data, e->fb.size));
  size_t entry = 1;
  for (size_t i = 0; i < e->module->rodata_count; ++i) {
    const segment_t *segment = &e->segments[i];
    if (!segment->is_external) continue;
    IREE_RETURN_IF_ERROR(write_zeros(write, self, segment->padding));
    if (zip) {
      uint8_t *header = scratch(archive, segment->header_size);
      zip_write_local_header(&archive->entries[entry++], header);
      IREE_RETURN_IF_ERROR(write(self, header, segment->header_size));
    }
    IREE_RETURN_IF_ERROR(write(self, e->module->rodata[i].data, e->module->rodata[i].length));
  }
  if (!zip) return iree_ok_status();
  uint64_t size = zip_directory_size(archive->entries, archive->count);
  uint8_t *directory = scratch(archive, size);
  zip_write_directory(archive->entries, archive->count, end, directory);
  return write(self, directory, size);
}

static iree_status_t check_module(const vmfb_module_t *module) {
  uint64_t total = 4096;
  if (!module->name.size)
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "module has no name");
  for (size_t i = 0; i < module->import_count; ++i) {
    if (!module->imports[i].full_name.size) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "import %zu has no name", i);
    }
  }
  for (size_t i = 0; i < module->export_count; ++i) {
    if (!module->exports[i].name.size || module->exports[i].function >= module->function_count) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "export %zu has no name or names function %u of %zu", i,
                              module->exports[i].function, module->function_count);
    }
  }
  for (size_t i = 0; i < module->function_count; ++i) {
    const vmfb_function_t *function = &module->functions[i];
    if (!function->bytecode_length || !function->block_count) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "function %zu has no code", i);
    }
    total += function->bytecode_length + 8 * function->source_count + 128;
  }
  for (size_t i = 0; i < module->rodata_count; ++i) {
    if (module->rodata[i].length < ABI_ARCHIVE_EXTERNAL_THRESHOLD)
      total += module->rodata[i].length + 128;
  }
  if (total > INT32_MAX / 2) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "module tables need %llu bytes; a FlatBuffer holds 2 GiB",
                            (unsigned long long)total);
  }
  return iree_ok_status();
}

iree_status_t vmfb_emit(const vmfb_module_t *module, const vmfb_options_t *options,
                        vmfb_write_fn_t write, void *self) {
  IREE_RETURN_IF_ERROR(check_module(module));
  emitter_t e = {.module = module, .options = options};
  archive_t archive = {0};
  e.segments = calloc(module->rodata_count + 1, sizeof(segment_t));
  e.function_offsets = calloc(module->function_count + 1, sizeof(uint64_t));
  uint32_t *import_signatures = calloc(module->import_count + 1, sizeof(uint32_t));
  archive.entries = calloc(module->rodata_count + 1, sizeof(zip_entry_t));
  archive.names = calloc(module->rodata_count + 1, sizeof(char *));
  if (!e.segments || !e.function_offsets || !import_signatures || !archive.entries ||
      !archive.names) {
    abort();
  }
  for (size_t i = 0; i < module->function_count; ++i) {
    e.function_offsets[i] = e.bytecode_length;
    // Register lists are aligned to 2 within a function.
    e.bytecode_length += (module->functions[i].bytecode_length + 1) & ~(size_t)1;
  }
  flatbuf_init(&e.fb, ABI_ARCHIVE_IDENTIFIER);
  add_module(&e, import_signatures);
  iree_status_t status = write_file(&e, &archive, write, self);
  for (size_t i = 0; i < module->rodata_count; ++i) free(archive.names[i]);
  free(archive.names);
  free(archive.entries);
  free(archive.scratch);
  free(import_signatures);
  free(e.function_offsets);
  free(e.segments);
  flatbuf_deinit(&e.fb);
  return status;
}
