// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block: today's tables, then the attributes of all exports.
#include "runtime/hal/local/older_library.h"

#define MAX_EXPORT_COUNT (1u << 20)

typedef struct older_attrs_t {
  uint16_t local_memory_pages;
  uint8_t constant_count;
  uint8_t binding_count;
  uint64_t reserved[8];
} older_attrs_t;

typedef struct older_tables_t {
  const iree_hal_executable_library_header_t *header;
  iree_hal_executable_import_table_v0_t imports;
  struct {
    uint32_t count;
    const iree_hal_executable_dispatch_v0_t *ptrs;
    const older_attrs_t *attrs;
    const char *const *names;
    const char *const *tags;
    const iree_hal_executable_source_location_v0_t *source_locations;
    const iree_hal_executable_stage_location_table_v0_t *stage_locations;
  } exports;
  iree_hal_executable_constant_table_v0_t constants;
  iree_hal_executable_source_file_table_v0_t sources;
} older_tables_t;
#if UINTPTR_MAX > 0xFFFFFFFFu
static_assert(sizeof(older_attrs_t) == 72, "as the file has it");
static_assert(sizeof(older_tables_t) == 104, "as the file has it");
#endif

struct older_library_t {
  iree_allocator_t host_allocator;
  library_bounds_t file_bounds;
  iree_hal_executable_library_header_t header;
  iree_hal_executable_library_v0_t tables;
  iree_hal_executable_dispatch_attrs_v0_t attrs[];
};

static bool file_contains(const library_bounds_t *bounds, const void *ptr,
                          iree_host_size_t length) {
  return ptr && (uintptr_t)ptr % sizeof(void *) == 0 &&
         (!bounds->contains || bounds->contains(bounds->self, ptr, length));
}

static iree_status_t check_tables(const older_tables_t *tables, const library_bounds_t *bounds) {
  if (!file_contains(bounds, tables, sizeof(*tables)) ||
      !file_contains(bounds, tables->header, sizeof(*tables->header)) ||
      tables->exports.count > MAX_EXPORT_COUNT ||
      (tables->exports.count && !file_contains(bounds, tables->exports.attrs,
                                               tables->exports.count * sizeof(older_attrs_t)))) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "executable library of version 5 is malformed: its tables are missing "
                            "or outside of it");
  }
  if (tables->header->version == IREE_HAL_EXECUTABLE_LIBRARY_VERSION_0_5) return iree_ok_status();
  return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                          "executable library says version %u when asked for version 5",
                          tables->header->version);
}

static void copy_tables(const older_tables_t *from, older_library_t *to) {
  to->header = *from->header;
  to->header.version = IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST;
  to->tables = (iree_hal_executable_library_v0_t){
      .header = &to->header,
      .imports = from->imports,
      .exports = {.count = from->exports.count,
                  .ptrs = from->exports.ptrs,
                  .attrs = to->attrs,
                  .names = from->exports.names,
                  .tags = from->exports.tags,
                  .source_locations = from->exports.source_locations,
                  .stage_locations = from->exports.stage_locations},
      .constants = from->constants,
      .sources = from->sources,
  };
  for (uint32_t i = 0; i < from->exports.count; ++i) {
    to->attrs[i] = (iree_hal_executable_dispatch_attrs_v0_t){
        .local_memory_pages = from->exports.attrs[i].local_memory_pages,
        .constant_count = from->exports.attrs[i].constant_count,
        .binding_count = from->exports.attrs[i].binding_count,
        .workgroup_size_x = 1,
        .workgroup_size_y = 1,
        .workgroup_size_z = 1,
    };
  }
}

iree_status_t older_library_create(iree_hal_executable_library_query_fn_t query,
                                   const iree_hal_executable_environment_v0_t *environment,
                                   const library_bounds_t *bounds, iree_allocator_t host_allocator,
                                   older_library_t **out_older) {
  *out_older = NULL;
  const older_tables_t *tables = (const older_tables_t *)(const void *)query(
      IREE_HAL_EXECUTABLE_LIBRARY_VERSION_0_5, environment);
  if (!tables) {
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION,
                            "executable does not support this version of the runtime (%08X); "
                            "recompile it for this runtime",
                            IREE_HAL_EXECUTABLE_LIBRARY_VERSION_LATEST);
  }
  IREE_RETURN_IF_ERROR(check_tables(tables, bounds));
  older_library_t *older = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_struct_array(host_allocator, sizeof(*older), tables->exports.count,
                                         sizeof(older->attrs[0]), (void **)&older));
  older->host_allocator = host_allocator;
  older->file_bounds = *bounds;
  copy_tables(tables, older);
  *out_older = older;
  return iree_ok_status();
}

void older_library_free(older_library_t *older) {
  if (older) iree_allocator_free(older->host_allocator, older);
}

const iree_hal_executable_library_v0_t *older_library_tables(const older_library_t *older) {
  return &older->tables;
}

static bool older_contains(void *self, const void *ptr, iree_host_size_t length) {
  const older_library_t *older = (const older_library_t *)self;
  iree_host_size_t size = sizeof(*older) + older->tables.exports.count * sizeof(older->attrs[0]);
  uintptr_t offset = (uintptr_t)ptr - (uintptr_t)older;
  if (offset < size) return length <= size - offset;
  return !older->file_bounds.contains ||
         older->file_bounds.contains(older->file_bounds.self, ptr, length);
}

static bool older_contains_code(void *self, const void *ptr) {
  const library_bounds_t *bounds = &((const older_library_t *)self)->file_bounds;
  return !bounds->contains_code || bounds->contains_code(bounds->self, ptr);
}

library_bounds_t older_library_bounds(older_library_t *older) {
  return (library_bounds_t){older, older_contains, older_contains_code};
}
