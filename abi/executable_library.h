// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The binary interface of CPU kernels, version 6: what a compiled executable exports and what the
// runtime hands to it. Pure data and C calling convention; 32-bit fields for 32-bit hosts follow from
// the same declarations. Nothing here may change without a new version.
//
//   symbol iree_hal_executable_library_query(max_version, environment)
//     -> address of a library struct, NULL when max_version is not supported
//   library -> header, exports.ptrs[i](environment, dispatch_state, workgroup_state) per workgroup
// CPU features that the code needs are stated beside the library, in a note of its ELF file
// (abi/elf_note.h); the loader refuses the file before any of its code runs when the host lacks one.
#ifndef ABI_EXECUTABLE_LIBRARY_H_
#define ABI_EXECUTABLE_LIBRARY_H_

#include <stddef.h>
#include <stdint.h>

typedef uint32_t iree_hal_executable_library_version_t;
#define IREE_HAL_EXECUTABLE_LIBRARY_VERSION_0_5 5u  // releases 3.0 to 3.7, other tables
#define IREE_HAL_EXECUTABLE_LIBRARY_VERSION_0_6 6u
#define IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST IREE_HAL_EXECUTABLE_LIBRARY_VERSION_0_6
#define IREE_HAL_EXECUTABLE_LIBRARY_EXPORT_NAME "iree_hal_executable_library_query"

typedef uint32_t iree_hal_executable_library_features_t;
#define IREE_HAL_EXECUTABLE_LIBRARY_FEATURE_NONE 0u

typedef enum iree_hal_executable_library_sanitizer_kind_e {
  IREE_HAL_EXECUTABLE_LIBRARY_SANITIZER_NONE = 0,
  IREE_HAL_EXECUTABLE_LIBRARY_SANITIZER_ADDRESS = 1,
  IREE_HAL_EXECUTABLE_LIBRARY_SANITIZER_MEMORY = 2,
  IREE_HAL_EXECUTABLE_LIBRARY_SANITIZER_THREAD = 3,
  IREE_HAL_EXECUTABLE_LIBRARY_SANITIZER_UNDEFINED = 4,
  IREE_HAL_EXECUTABLE_LIBRARY_SANITIZER_MAX_ENUM = INT32_MAX,
} iree_hal_executable_library_sanitizer_kind_t;

typedef struct iree_hal_executable_library_header_t {
  iree_hal_executable_library_version_t version;
  const char *name;  // for diagnostics
  iree_hal_executable_library_features_t features;
  iree_hal_executable_library_sanitizer_kind_t sanitizer;  // must be 0 to load
} iree_hal_executable_library_header_t;

#define IREE_HAL_PROCESSOR_DATA_CAPACITY_V0 8
typedef struct iree_hal_processor_v0_t {
  uint64_t data[IREE_HAL_PROCESSOR_DATA_CAPACITY_V0];  // [0]: CPU feature bits
} iree_hal_processor_v0_t;

typedef int (*iree_hal_executable_import_v0_t)(void *params, void *context, void *reserved);
typedef int (*iree_hal_executable_import_thunk_v0_t)(iree_hal_executable_import_v0_t fn_ptr,
                                                     void *params, void *context, void *reserved);

// Per executable: its constants, resolved imports and the processor it runs on.
typedef struct iree_hal_executable_environment_v0_t {
  const uint32_t *constants;
  iree_hal_executable_import_thunk_v0_t import_thunk;
  const iree_hal_executable_import_v0_t *import_funcs;
  const void **import_contexts;
  iree_hal_processor_v0_t processor;
} iree_hal_executable_environment_v0_t;

typedef const iree_hal_executable_library_header_t **(*iree_hal_executable_library_query_fn_t)(
    iree_hal_executable_library_version_t max_version,
    const iree_hal_executable_environment_v0_t *environment);

// Per dispatch. Constants are u32 words (64-bit ones low word first); binding pointers are offset
// already, lengths are bytes.
typedef struct iree_hal_executable_dispatch_state_v0_t {
  uint32_t workgroup_size_x;
  uint32_t workgroup_size_y;
  uint16_t workgroup_size_z;
  uint16_t constant_count;
  uint32_t workgroup_count_x;
  uint32_t workgroup_count_y;
  uint16_t workgroup_count_z;
  uint8_t max_concurrency;
  uint8_t binding_count;
  const uint32_t *constants;
  void *const *binding_ptrs;
  const size_t *binding_lengths;
} iree_hal_executable_dispatch_state_v0_t;

// Per workgroup. Local memory is this workgroup's alone, with undefined contents.
typedef struct iree_hal_executable_workgroup_state_v0_t {
  uint32_t workgroup_id_x;
  uint32_t workgroup_id_y;
  uint16_t workgroup_id_z;
  uint16_t reserved;
  uint32_t processor_id;
  void *local_memory;
  uint32_t local_memory_size;
} iree_hal_executable_workgroup_state_v0_t;

// 0 = success; anything else fails the dispatch.
typedef int (*iree_hal_executable_dispatch_v0_t)(
    const iree_hal_executable_environment_v0_t *environment,
    const iree_hal_executable_dispatch_state_v0_t *dispatch_state,
    const iree_hal_executable_workgroup_state_v0_t *workgroup_state);

#define IREE_HAL_EXECUTABLE_WORKGROUP_LOCAL_MEMORY_PAGE_SIZE 4096
#define IREE_HAL_EXECUTABLE_MAX_CONSTANT_COUNT 64
#define IREE_HAL_EXECUTABLE_MAX_BINDING_COUNT 64

typedef uint64_t iree_hal_executable_dispatch_flags_v0_t;
#define IREE_HAL_EXECUTABLE_DISPATCH_FLAG_V0_NONE 0ull
// Workgroups run one after the other, x innermost.
#define IREE_HAL_EXECUTABLE_DISPATCH_FLAG_V0_SEQUENTIAL (1ull << 0)
// The workgroup size comes from the dispatch.
#define IREE_HAL_EXECUTABLE_DISPATCH_FLAG_V0_WORKGROUP_SIZE_DYNAMIC (1ull << 1)

typedef struct iree_hal_executable_dispatch_attrs_v0_t {
  iree_hal_executable_dispatch_flags_v0_t flags;
  uint16_t local_memory_pages;
  uint8_t constant_count;
  uint8_t binding_count;
  uint32_t workgroup_size_x;
  uint32_t workgroup_size_y;
  uint16_t workgroup_size_z;
  uint16_t parameter_count;
  uint64_t reserved_1[5];
} iree_hal_executable_dispatch_attrs_v0_t;

typedef enum iree_hal_executable_dispatch_parameter_type_v0_e {
  IREE_HAL_EXECUTABLE_DISPATCH_PARAM_TYPE_V0_CONSTANT = 0,
  IREE_HAL_EXECUTABLE_DISPATCH_PARAM_TYPE_V0_BINDING = 1,
  IREE_HAL_EXECUTABLE_DISPATCH_PARAM_TYPE_V0_BUFFER_PTR = 2,
} iree_hal_executable_dispatch_parameter_type_bits_v0_t;
typedef struct iree_hal_executable_dispatch_parameter_v0_t {
  uint8_t type;
  uint8_t size;
  uint16_t flags;
  uint16_t name;  // index into parameter_names
  uint16_t offset;
} iree_hal_executable_dispatch_parameter_v0_t;

typedef struct iree_hal_executable_dispatch_occupancy_v0_t {
  int reserved;
} iree_hal_executable_dispatch_occupancy_v0_t;

typedef struct iree_hal_executable_source_location_v0_t {
  uint32_t line;
  uint32_t path_length;
  const char *path;
} iree_hal_executable_source_location_v0_t;

typedef struct iree_hal_executable_stage_location_table_v0_t {
  uint32_t count;
  const char *const *names;
  const iree_hal_executable_source_location_v0_t *locations;
} iree_hal_executable_stage_location_table_v0_t;

typedef struct iree_hal_executable_import_table_v0_t {
  uint32_t count;
  const char *const *symbols;  // sorted; a leading `?` marks an optional one
} iree_hal_executable_import_table_v0_t;

// All arrays are indexed by export; only ptrs and attrs must be there, and names for modules that
// look functions up by name (since release 3.12).
typedef struct iree_hal_executable_export_table_v0_t {
  uint32_t count;
  const iree_hal_executable_dispatch_v0_t *ptrs;
  const iree_hal_executable_dispatch_attrs_v0_t *attrs;
  const iree_hal_executable_dispatch_parameter_v0_t **params;
  const iree_hal_executable_dispatch_occupancy_v0_t *occupancy;
  const char *const *names;
  const char *const *tags;
  const char *const *parameter_names;
  const iree_hal_executable_source_location_v0_t *source_locations;
  const iree_hal_executable_stage_location_table_v0_t *stage_locations;
} iree_hal_executable_export_table_v0_t;

typedef struct iree_hal_executable_constant_table_v0_t {
  uint32_t count;  // u32 words the runtime must supply
} iree_hal_executable_constant_table_v0_t;

typedef struct iree_hal_executable_source_file_v0_t {
  uint32_t path_length;
  const char *path;
  uint32_t content_length;
  const uint8_t *content;
} iree_hal_executable_source_file_v0_t;

typedef struct iree_hal_executable_source_file_table_v0_t {
  uint32_t count;
  const iree_hal_executable_source_file_v0_t *files;
} iree_hal_executable_source_file_table_v0_t;

typedef struct iree_hal_executable_library_v0_t {
  const iree_hal_executable_library_header_t *header;
  iree_hal_executable_import_table_v0_t imports;
  iree_hal_executable_export_table_v0_t exports;
  iree_hal_executable_constant_table_v0_t constants;
  iree_hal_executable_source_file_table_v0_t sources;
} iree_hal_executable_library_v0_t;

// Byte offsets that compilers rely on (64-bit hosts).
#if UINTPTR_MAX > 0xFFFFFFFFu && !defined(__cplusplus)
_Static_assert(sizeof(iree_hal_executable_library_header_t) == 24, "header");
_Static_assert(sizeof(iree_hal_executable_library_v0_t) == 128, "library");
_Static_assert(offsetof(iree_hal_executable_library_v0_t, exports) == 24, "exports");
_Static_assert(offsetof(iree_hal_executable_library_v0_t, constants) == 104, "constants");
_Static_assert(sizeof(iree_hal_executable_dispatch_attrs_v0_t) == 64, "attrs");
_Static_assert(sizeof(iree_hal_executable_environment_v0_t) == 96, "environment");
_Static_assert(offsetof(iree_hal_executable_dispatch_state_v0_t, constants) == 24, "state");
_Static_assert(sizeof(iree_hal_executable_dispatch_state_v0_t) == 48, "state");
_Static_assert(sizeof(iree_hal_executable_workgroup_state_v0_t) == 32, "workgroup");
#endif

#endif  // ABI_EXECUTABLE_LIBRARY_H_
