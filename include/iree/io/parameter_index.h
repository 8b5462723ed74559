// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index of parameters: which piece of which file a key means. Entries are added and never
// removed, so that those handed out stay valid as long as the index.
#ifndef IREE_IO_PARAMETER_INDEX_H_
#define IREE_IO_PARAMETER_INDEX_H_

#include <stdio.h>

#include "iree/base/api.h"
#include "iree/io/file_handle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iree_io_parameter_index_entry_storage_type_e {
  // A pattern, repeated; nothing is stored. Read-only.
  IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT = 0u,
  // A piece of a file, with the access of its handle.
  IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE,
} iree_io_parameter_index_entry_storage_type_t;

// A complex number of two f64.
#define IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH 16

// Lengths and offsets are bytes.
typedef struct iree_io_parameter_index_entry_t {
  iree_string_view_t key;
  iree_const_byte_span_t metadata;
  uint64_t length;
  iree_io_parameter_index_entry_storage_type_t type;
  union {
    struct {
      uint8_t pattern_length;
      uint8_t pattern[IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH];
    } splat;
    struct {
      iree_io_file_handle_t *handle;
      uint64_t offset;
    } file;
  } storage;
} iree_io_parameter_index_entry_t;

typedef struct iree_io_parameter_index_t iree_io_parameter_index_t;

// Makes an index without entries.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_io_parameter_index_create(iree_allocator_t host_allocator,
                                                             iree_io_parameter_index_t **out_index);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_io_parameter_index_retain(iree_io_parameter_index_t *index);
IREE_API_EXPORT void iree_io_parameter_index_release(iree_io_parameter_index_t *index);

// The number of entries so far.
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_io_parameter_index_count(iree_io_parameter_index_t *index);

// Makes room for |new_capacity| entries in all.
//   errors: RESOURCE_EXHAUSTED  no host memory;  OUT_OF_RANGE  more than memory can hold
IREE_API_EXPORT iree_status_t iree_io_parameter_index_reserve(iree_io_parameter_index_t *index,
                                                              iree_host_size_t new_capacity);

// Adds a copy of |entry|, key and metadata included. Of several entries with one key the first is
// found.
//   owns:   retains the file handle
//   thread: any thread
//   errors: INVALID_ARGUMENT    a range that wraps, or a pattern of no or more than 16 bytes
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_io_parameter_index_add(
    iree_io_parameter_index_t *index, const iree_io_parameter_index_entry_t *entry);

// Entry number |i|, and the entry named |key|.
//   owns:   borrowed from the index until it is released
//   thread: any thread
//   errors: OUT_OF_RANGE  no such number;  NOT_FOUND  no such key
IREE_API_EXPORT iree_status_t
iree_io_parameter_index_get(iree_io_parameter_index_t *index, iree_host_size_t i,
                            const iree_io_parameter_index_entry_t **out_entry);
IREE_API_EXPORT iree_status_t
iree_io_parameter_index_lookup(iree_io_parameter_index_t *index, iree_string_view_t key,
                               const iree_io_parameter_index_entry_t **out_entry);

// Appends or prints a table of all entries.
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_io_parameter_index_dump(iree_string_view_t scope,
                                                           iree_io_parameter_index_t *index,
                                                           iree_string_builder_t *builder);
IREE_API_EXPORT iree_status_t iree_io_parameter_index_fprint(FILE *file, iree_string_view_t scope,
                                                             iree_io_parameter_index_t *index);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_PARAMETER_INDEX_H_
