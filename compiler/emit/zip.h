// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zip records (stored entries, zip64 sizes) around bytes that are written elsewhere: a module file
// is at once a zip archive that any unzip tool lists.
#ifndef IREE_COMPILER_EMIT_ZIP_H_
#define IREE_COMPILER_EMIT_ZIP_H_

#include <stddef.h>
#include <stdint.h>

#include "iree/base/api.h"

typedef struct {
  iree_string_view_t name;
  uint64_t header_offset;  // of the local header, in the file
  uint64_t header_size;    // as made by zip_local_header_size
  uint64_t length;         // of the data behind the header
  uint32_t crc;
} zip_entry_t;

// Continues a CRC-32 (start with 0) over |data|.
uint32_t zip_crc32(uint32_t crc, const void *data, size_t length);

// Bytes of a local header for |name| placed at file offset |offset| such that the data behind it
// lies at a multiple of |alignment| from file offset |base|.
uint64_t zip_local_header_size(iree_string_view_t name, uint64_t offset, uint64_t base,
                               uint64_t alignment);

// Writes the local header of |entry| (entry->header_size bytes).
void zip_write_local_header(const zip_entry_t *entry, uint8_t *out);

// Bytes of the central directory and its end records, and their writing; |offset| is where in the
// file.
uint64_t zip_directory_size(const zip_entry_t *entries, size_t count);
void zip_write_directory(const zip_entry_t *entries, size_t count, uint64_t offset, uint8_t *out);

#endif  // IREE_COMPILER_EMIT_ZIP_H_
