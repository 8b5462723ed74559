// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes and their indices: few, so a list.
#include "iree/io/scope_map.h"

#include <string.h>

void iree_io_scope_map_initialize(iree_allocator_t host_allocator,
                                  iree_io_scope_map_t *out_scope_map) {
  memset(out_scope_map, 0, sizeof(*out_scope_map));
  out_scope_map->host_allocator = host_allocator;
}

void iree_io_scope_map_deinitialize(iree_io_scope_map_t *scope_map) {
  for (iree_host_size_t i = 0; i < scope_map->count; ++i) {
    iree_io_parameter_index_release(scope_map->entries[i]->index);
    iree_allocator_free(scope_map->host_allocator, scope_map->entries[i]);
  }
  iree_allocator_free(scope_map->host_allocator, scope_map->entries);
  memset(scope_map, 0, sizeof(*scope_map));
}

static iree_status_t add_scope(iree_io_scope_map_t *scope_map, iree_string_view_t scope,
                               iree_io_scope_map_entry_t **out_entry) {
  if (scope_map->count == scope_map->capacity) {
    IREE_RETURN_IF_ERROR(iree_allocator_grow_array(
        scope_map->host_allocator, 8, sizeof(scope_map->entries[0]), &scope_map->capacity,
        (void **)&scope_map->entries));
  }
  iree_io_scope_map_entry_t *entry = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_with_trailing(
      scope_map->host_allocator, sizeof(*entry), scope.size, (void **)&entry));
  char *name = (char *)(entry + 1);
  if (scope.size) memcpy(name, scope.data, scope.size);
  entry->scope = iree_make_string_view(name, scope.size);
  iree_status_t status = iree_io_parameter_index_create(scope_map->host_allocator, &entry->index);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(scope_map->host_allocator, entry);
    return status;
  }
  scope_map->entries[scope_map->count++] = entry;
  *out_entry = entry;
  return iree_ok_status();
}

iree_status_t iree_io_scope_map_lookup(iree_io_scope_map_t *scope_map, iree_string_view_t scope,
                                       iree_io_parameter_index_t **out_index) {
  *out_index = NULL;
  iree_io_scope_map_entry_t *entry = NULL;
  for (iree_host_size_t i = 0; i < scope_map->count && !entry; ++i) {
    if (iree_string_view_equal(scope, scope_map->entries[i]->scope)) entry = scope_map->entries[i];
  }
  if (!entry) IREE_RETURN_IF_ERROR(add_scope(scope_map, scope, &entry));
  *out_index = entry->index;
  return iree_ok_status();
}

iree_status_t iree_io_scope_map_dump(iree_io_scope_map_t *scope_map,
                                     iree_string_builder_t *builder) {
  for (iree_host_size_t i = 0; i < scope_map->count; ++i) {
    const iree_io_scope_map_entry_t *entry = scope_map->entries[i];
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_dump(entry->scope, entry->index, builder));
  }
  return iree_ok_status();
}
