// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameter index: entries in the order of adding, and a hash table of their keys.
#include "iree/io/parameter_index.h"

#include <string.h>

#include "base/threads.h"

struct iree_io_parameter_index_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t host_allocator;
  mutex_t mutex;
  iree_host_size_t entry_count;
  iree_host_size_t entry_capacity;
  iree_io_parameter_index_entry_t **entries;
  iree_host_size_t slot_count;  // a power of two, more than twice the entries
  iree_host_size_t *slots;      // 1 + entry, 0: free
};

iree_status_t iree_io_parameter_index_create(iree_allocator_t host_allocator,
                                             iree_io_parameter_index_t **out_index) {
  *out_index = NULL;
  iree_io_parameter_index_t *index = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*index), (void **)&index));
  iree_atomic_ref_count_init(&index->ref_count);
  index->host_allocator = host_allocator;
  mutex_init(&index->mutex);
  *out_index = index;
  return iree_ok_status();
}

void iree_io_parameter_index_retain(iree_io_parameter_index_t *index) {
  if (index) iree_atomic_ref_count_inc(&index->ref_count);
}

void iree_io_parameter_index_release(iree_io_parameter_index_t *index) {
  if (!index || iree_atomic_ref_count_dec(&index->ref_count) != 1) return;
  for (iree_host_size_t i = 0; i < index->entry_count; ++i) {
    iree_io_parameter_index_entry_t *entry = index->entries[i];
    if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE) {
      iree_io_file_handle_release(entry->storage.file.handle);
    }
    iree_allocator_free(index->host_allocator, entry);
  }
  iree_allocator_free(index->host_allocator, index->entries);
  iree_allocator_free(index->host_allocator, index->slots);
  mutex_deinit(&index->mutex);
  iree_allocator_free(index->host_allocator, index);
}

iree_host_size_t iree_io_parameter_index_count(iree_io_parameter_index_t *index) {
  mutex_lock(&index->mutex);
  const iree_host_size_t count = index->entry_count;
  mutex_unlock(&index->mutex);
  return count;
}

static uint64_t hash_key(iree_string_view_t key) {  // FNV-1a
  uint64_t hash = 0xCBF29CE484222325u;
  for (iree_host_size_t i = 0; i < key.size; ++i) {
    hash = (hash ^ (uint8_t)key.data[i]) * 0x100000001B3u;
  }
  return hash ^ hash >> 32;
}

// The slot of |key|: one that holds it, else a free one. There is one.
static iree_host_size_t find_slot(const iree_io_parameter_index_t *index, iree_string_view_t key) {
  const iree_host_size_t mask = index->slot_count - 1;
  iree_host_size_t at = (iree_host_size_t)hash_key(key) & mask;
  while (index->slots[at] &&
         !iree_string_view_equal(index->entries[index->slots[at] - 1]->key, key)) {
    at = (at + 1) & mask;
  }
  return at;
}

static void insert_slot(iree_io_parameter_index_t *index, iree_host_size_t entry) {
  const iree_host_size_t at = find_slot(index, index->entries[entry]->key);
  if (!index->slots[at]) index->slots[at] = entry + 1;  // the first of a key stays
}

static iree_status_t grow(iree_io_parameter_index_t *index, iree_host_size_t capacity) {
  if (capacity <= index->entry_capacity) return iree_ok_status();
  capacity = iree_max(capacity, 16);
  if (capacity > IREE_HOST_SIZE_MAX / 64) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "%" PRIhsz " parameters are too many",
                            capacity);
  }
  const iree_host_size_t slot_count = iree_host_size_next_power_of_two(capacity * 2 + 1);
  iree_host_size_t *slots = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_array(index->host_allocator, slot_count,
                                                   sizeof(*slots), (void **)&slots));
  iree_status_t status =
      iree_allocator_realloc_array(index->host_allocator, capacity, sizeof(index->entries[0]),
                                   (void **)&index->entries);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(index->host_allocator, slots);
    return status;
  }
  iree_allocator_free(index->host_allocator, index->slots);
  index->slots = slots;
  index->slot_count = slot_count;
  index->entry_capacity = capacity;
  for (iree_host_size_t i = 0; i < index->entry_count; ++i) insert_slot(index, i);
  return iree_ok_status();
}

iree_status_t iree_io_parameter_index_reserve(iree_io_parameter_index_t *index,
                                              iree_host_size_t new_capacity) {
  mutex_lock(&index->mutex);
  iree_status_t status = grow(index, new_capacity);
  mutex_unlock(&index->mutex);
  return status;
}

// A copy with key and metadata behind it in one block.
static iree_status_t clone_entry(iree_allocator_t host_allocator,
                                 const iree_io_parameter_index_entry_t *entry,
                                 iree_io_parameter_index_entry_t **out_clone) {
  iree_host_size_t trailing = 0;
  if (!iree_host_size_checked_add(entry->key.size, entry->metadata.data_length, &trailing)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "key and metadata are too long");
  }
  iree_io_parameter_index_entry_t *clone = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_with_trailing(host_allocator, sizeof(*clone), trailing,
                                                           (void **)&clone));
  *clone = *entry;
  char *key = (char *)(clone + 1);
  uint8_t *metadata = (uint8_t *)key + entry->key.size;
  if (entry->key.size) memcpy(key, entry->key.data, entry->key.size);
  if (entry->metadata.data_length) {
    memcpy(metadata, entry->metadata.data, entry->metadata.data_length);
  }
  clone->key = iree_make_string_view(key, entry->key.size);
  clone->metadata = iree_make_const_byte_span(metadata, entry->metadata.data_length);
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE) {
    iree_io_file_handle_retain(entry->storage.file.handle);
  }
  *out_clone = clone;
  return iree_ok_status();
}

// So that nobody else needs to look whether the end of an entry wraps.
static iree_status_t check_entry(const iree_io_parameter_index_entry_t *entry) {
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE &&
      entry->length <= UINT64_MAX - entry->storage.file.offset) {
    return iree_ok_status();
  }
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT &&
      entry->storage.splat.pattern_length > 0 &&
      entry->storage.splat.pattern_length <= IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH) {
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "parameter '%.*s' is neither a range of a file nor a pattern of 1 to %d "
                          "bytes",
                          IREE_SV_ARGS(entry->key), IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH);
}

iree_status_t iree_io_parameter_index_add(iree_io_parameter_index_t *index,
                                          const iree_io_parameter_index_entry_t *entry) {
  IREE_RETURN_IF_ERROR(check_entry(entry));
  mutex_lock(&index->mutex);
  iree_status_t status = iree_ok_status();
  if (index->entry_count == index->entry_capacity) status = grow(index, index->entry_capacity * 2 + 1);
  iree_io_parameter_index_entry_t *clone = NULL;
  if (iree_status_is_ok(status)) status = clone_entry(index->host_allocator, entry, &clone);
  if (iree_status_is_ok(status)) {
    index->entries[index->entry_count] = clone;
    insert_slot(index, index->entry_count++);
  }
  mutex_unlock(&index->mutex);
  return status;
}

iree_status_t iree_io_parameter_index_get(iree_io_parameter_index_t *index, iree_host_size_t i,
                                          const iree_io_parameter_index_entry_t **out_entry) {
  mutex_lock(&index->mutex);
  const iree_host_size_t count = index->entry_count;
  *out_entry = i < count ? index->entries[i] : NULL;
  mutex_unlock(&index->mutex);
  if (*out_entry) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "no parameter %" PRIhsz ", there are %" PRIhsz,
                          i, count);
}

iree_status_t iree_io_parameter_index_lookup(iree_io_parameter_index_t *index,
                                             iree_string_view_t key,
                                             const iree_io_parameter_index_entry_t **out_entry) {
  *out_entry = NULL;
  mutex_lock(&index->mutex);
  const iree_host_size_t found = index->slot_count ? index->slots[find_slot(index, key)] : 0;
  if (found) *out_entry = index->entries[found - 1];
  mutex_unlock(&index->mutex);
  if (found) return iree_ok_status();
  return iree_make_status(IREE_STATUS_NOT_FOUND, "no parameter found in index with key '%.*s'",
                          IREE_SV_ARGS(key));
}
