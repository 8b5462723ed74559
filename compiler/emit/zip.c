// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zip records, APPNOTE 6.3 layout: local file header 4.3.7, central record 4.3.12, zip64 end record
// 4.3.14, its locator 4.3.15, end record 4.3.16, zip64 extra field 4.5.3.
#include "compiler/emit/zip.h"

#include <string.h>

enum {
  LOCAL_SIZE = 30,
  CENTRAL_SIZE = 46,
  LOCAL_EXTRA = 4 + 4 + 16,  // padding field header, zip64 field with two sizes
  CENTRAL_EXTRA = 4 + 24,    // zip64 field with two sizes and the offset
  END64_SIZE = 56,
  LOCATOR_SIZE = 20,
  END_SIZE = 22,
  VERSION = 45,
  MADE_BY = 0x031E,
  DATE = 0x21,  // 1 January 1980: equal input gives equal bytes
};

uint32_t zip_crc32(uint32_t crc, const void *data, size_t length) {
  uint32_t table[256];
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    table[i] = c;
  }
  const uint8_t *p = data;
  crc = ~crc;
  for (size_t i = 0; i < length; ++i) crc = table[(crc ^ p[i]) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

static uint8_t *put(uint8_t *p, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) p[i] = (uint8_t)(value >> (8 * i));
  return p + bytes;
}

uint64_t zip_local_header_size(iree_string_view_t name, uint64_t offset, uint64_t base,
                               uint64_t alignment) {
  uint64_t size = LOCAL_SIZE + name.size + LOCAL_EXTRA;
  uint64_t rest = (offset + size - base) % alignment;
  return rest ? size + alignment - rest : size;
}

void zip_write_local_header(const zip_entry_t *entry, uint8_t *out) {
  uint64_t extra = entry->header_size - LOCAL_SIZE - entry->name.size;
  uint64_t padding = extra - LOCAL_EXTRA;
  memset(out, 0, entry->header_size);
  uint8_t *p = put(out, 0x04034B50, 4);
  p = put(p, VERSION, 2);
  p = put(p, 0, 6);  // flags, stored, time
  p = put(p, DATE, 2);
  p = put(p, entry->crc, 4);
  p = put(p, 0xFFFFFFFF, 4);
  p = put(p, 0xFFFFFFFF, 4);
  p = put(p, entry->name.size, 2);
  p = put(p, extra, 2);
  memcpy(p, entry->name.data, entry->name.size);
  p = put(p + entry->name.size, 0xCAFE, 2);
  p = put(p, padding, 2) + padding;
  p = put(p, 1, 2);
  p = put(p, 16, 2);
  p = put(p, entry->length, 8);
  put(p, entry->length, 8);
}

uint64_t zip_directory_size(const zip_entry_t *entries, size_t count) {
  uint64_t size = END64_SIZE + LOCATOR_SIZE + END_SIZE;
  for (size_t i = 0; i < count; ++i) size += CENTRAL_SIZE + entries[i].name.size + CENTRAL_EXTRA;
  return size;
}

static uint8_t *write_central(const zip_entry_t *entry, uint8_t *p) {
  memset(p, 0, CENTRAL_SIZE);
  put(p, 0x02014B50, 4);
  put(p + 4, MADE_BY, 2);
  put(p + 6, VERSION, 2);
  put(p + 14, DATE, 2);
  put(p + 16, entry->crc, 4);
  put(p + 20, 0xFFFFFFFF, 4);
  put(p + 24, 0xFFFFFFFF, 4);
  put(p + 28, entry->name.size, 2);
  put(p + 30, CENTRAL_EXTRA, 2);
  put(p + 42, 0xFFFFFFFF, 4);
  p += CENTRAL_SIZE;
  memcpy(p, entry->name.data, entry->name.size);
  p = put(p + entry->name.size, 1, 2);
  p = put(p, 24, 2);
  p = put(p, entry->length, 8);
  p = put(p, entry->length, 8);
  return put(p, entry->header_offset, 8);
}

void zip_write_directory(const zip_entry_t *entries, size_t count, uint64_t offset, uint8_t *out) {
  uint8_t *p = out;
  for (size_t i = 0; i < count; ++i) p = write_central(&entries[i], p);
  uint64_t directory_size = (uint64_t)(p - out);
  uint64_t end64_offset = offset + directory_size;
  p = put(p, 0x06064B50, 4);
  p = put(p, END64_SIZE - 12, 8);
  p = put(p, MADE_BY, 2);
  p = put(p, VERSION, 2);
  p = put(p, 0, 8);  // disk numbers
  p = put(p, count, 8);
  p = put(p, count, 8);
  p = put(p, directory_size, 8);
  p = put(p, offset, 8);
  p = put(p, 0x07064B50, 4);
  p = put(p, 0, 4);
  p = put(p, end64_offset, 8);
  p = put(p, 1, 4);
  p = put(p, 0x06054B50, 4);
  p = put(p, 0, 4);
  p = put(p, count < 0xFFFF ? count : 0xFFFF, 2);
  p = put(p, count < 0xFFFF ? count : 0xFFFF, 2);
  p = put(p, 0xFFFFFFFF, 4);
  p = put(p, 0xFFFFFFFF, 4);
  put(p, 0, 2);
}
