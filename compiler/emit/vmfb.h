// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a bytecode module file from plain structs. Sees bytes, never IR.
//
//   [zip local header]  FlatBuffer  [external segments, each with a zip local header]  [zip
//   directory]
//
// The FlatBuffer's tables are those of abi/vmfb.def. Strings and equal signatures are stored once.
// Every string and byte range is borrowed for the call.
#ifndef IREE_COMPILER_EMIT_VMFB_H_
#define IREE_COMPILER_EMIT_VMFB_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iree/base/api.h"

typedef struct {
  iree_string_view_t key, value;
} vmfb_attr_t;

typedef struct {
  iree_string_view_t name;
  uint32_t minimum_version;
  bool is_optional;
} vmfb_dependency_t;

typedef struct {
  iree_string_view_t full_name;           // "hal.fence.create"
  iree_string_view_t calling_convention;  // empty: not checked at load
  bool is_optional;
} vmfb_import_t;

typedef struct {
  iree_string_view_t name;
  uint32_t function;  // ordinal
} vmfb_export_t;

typedef struct {
  uint32_t bytecode_offset;  // within the function
  uint32_t location;         // index into the module's locations
} vmfb_source_t;

typedef struct {
  iree_string_view_t name;  // for the debug database
  iree_string_view_t calling_convention;
  const vmfb_attr_t *attrs;
  size_t attr_count;
  const uint8_t *bytecode;
  size_t bytecode_length;
  uint32_t requirements;  // ABI_FEATURE bits (abi/version.h)
  uint16_t block_count, i32_register_count, ref_register_count;
  const vmfb_source_t *sources;  // by rising offset
  size_t source_count;
} vmfb_function_t;

typedef struct {
  iree_string_view_t name;       // file name in the archive, without extension
  iree_string_view_t mime_type;  // empty: plain data
  const void *data;
  uint64_t length;
  uint32_t alignment;  // of the bytes in the file; 0 means 16
} vmfb_rodata_t;

typedef enum {
  VMFB_LOCATION_CALL_SITE = 1,      // a callee, b caller
  VMFB_LOCATION_FILE_LINE_COL = 2,  // text file name, a line, b column
  VMFB_LOCATION_FUSED = 3,          // text metadata, children
  VMFB_LOCATION_NAME = 4,           // text name, a child location
} vmfb_location_kind_t;

typedef struct {
  vmfb_location_kind_t kind;
  iree_string_view_t text;
  int32_t a, b;
  const int32_t *children;
  size_t child_count;
} vmfb_location_t;

typedef struct {
  iree_string_view_t name;
  uint32_t version;
  const vmfb_attr_t *attrs;
  size_t attr_count;
  const iree_string_view_t *types;  // "!hal.buffer", "i32"
  size_t type_count;
  const vmfb_dependency_t *dependencies;
  size_t dependency_count;
  const vmfb_import_t *imports;
  size_t import_count;
  const vmfb_export_t *exports;
  size_t export_count;
  const vmfb_function_t *functions;
  size_t function_count;
  const vmfb_rodata_t *rodata;
  size_t rodata_count;
  uint32_t global_bytes, global_refs;
  const vmfb_location_t *locations;  // none: no debug database
  size_t location_count;
} vmfb_module_t;

typedef struct {
  bool emit_zip;  // the file is also a zip archive of module.fb and the external segments
} vmfb_options_t;

// Receives the file's bytes in order.
typedef iree_status_t (*vmfb_write_fn_t)(void *self, const void *data, size_t length);

// Writes |module| through |write|.
//   errors:  INVALID_ARGUMENT  an empty name, or an ordinal outside its table
//            RESOURCE_EXHAUSTED  tables and embedded bytes exceed 2 GiB
//            whatever |write| returns
iree_status_t vmfb_emit(const vmfb_module_t *module, const vmfb_options_t *options,
                        vmfb_write_fn_t write, void *self);

#endif  // IREE_COMPILER_EMIT_VMFB_H_
