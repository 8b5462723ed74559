// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of an IREE parameter archive (.irpa), little endian and packed:
//
//   header 88 | entries, each at a multiple of 16 | metadata (names) | storage at a multiple of 64
//
// Segments are relative to the header, names and metadata to the metadata segment, contents to the
// storage segment. Headers may be chained by next_header_offset, relative to the header, 0: last.
#ifndef IREE_SCHEMAS_PARAMETER_ARCHIVE_H_
#define IREE_SCHEMAS_PARAMETER_ARCHIVE_H_

#include <stdint.h>

#if defined(_MSC_VER)
#define IREE_IO_PACKED_BEGIN __pragma(pack(push, 1))
#define IREE_IO_PACKED_END __pragma(pack(pop))
#else
#define IREE_IO_PACKED_BEGIN _Pragma("pack(push, 1)")
#define IREE_IO_PACKED_END _Pragma("pack(pop)")
#endif

IREE_IO_PACKED_BEGIN

typedef uint64_t iree_io_physical_offset_t;
typedef uint64_t iree_io_physical_size_t;

#define IREE_IO_PARAMETER_ARCHIVE_DEFAULT_FILE_ALIGNMENT 4096
#define IREE_IO_PARAMETER_ARCHIVE_HEADER_ALIGNMENT 16
#define IREE_IO_PARAMETER_ARCHIVE_ENTRY_ALIGNMENT 16
#define IREE_IO_PARAMETER_ARCHIVE_DEFAULT_DATA_ALIGNMENT 64

typedef uint32_t iree_io_parameter_archive_magic_t;
#define IREE_IO_PARAMETER_ARCHIVE_MAGIC 0x41505249u  // "IRPA"

typedef uint64_t iree_io_parameter_archive_flags_t;

typedef struct iree_io_parameter_archive_range_t {
  iree_io_physical_offset_t offset;
  iree_io_physical_size_t length;
} iree_io_parameter_archive_range_t;
typedef iree_io_parameter_archive_range_t iree_io_parameter_archive_metadata_ref_t;
typedef iree_io_parameter_archive_range_t iree_io_parameter_archive_storage_ref_t;

// What headers of every version start with.
typedef struct iree_io_parameter_archive_header_prefix_t {
  iree_io_parameter_archive_magic_t magic;
  uint16_t version_major;
  uint16_t version_minor;
  iree_io_physical_size_t header_size;
  iree_io_physical_offset_t next_header_offset;
  iree_io_parameter_archive_flags_t flags;
} iree_io_parameter_archive_header_prefix_t;

typedef struct iree_io_parameter_archive_header_v0_t {
  iree_io_parameter_archive_header_prefix_t prefix;
  iree_io_physical_size_t entry_count;
  iree_io_parameter_archive_range_t entry_segment;
  iree_io_parameter_archive_range_t metadata_segment;
  iree_io_parameter_archive_range_t storage_segment;
} iree_io_parameter_archive_header_v0_t;

enum iree_io_parameter_archive_entry_type_e {
  IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_SKIP = 0,
  IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_SPLAT = 1,
  IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_DATA = 2,
  IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_EXTERNAL = 3,
};
typedef uint32_t iree_io_parameter_archive_entry_type_t;

typedef uint64_t iree_io_parameter_archive_entry_flags_t;

// What every entry starts with; |entry_size| counts all of it.
typedef struct iree_io_parameter_archive_entry_header_t {
  iree_io_physical_size_t entry_size;
  iree_io_parameter_archive_entry_type_t type;
  iree_io_parameter_archive_entry_flags_t flags;
  iree_io_parameter_archive_metadata_ref_t name;
  iree_io_parameter_archive_metadata_ref_t metadata;
  iree_io_physical_size_t minimum_alignment;
} iree_io_parameter_archive_entry_header_t;

typedef struct iree_io_parameter_archive_splat_entry_t {
  iree_io_parameter_archive_entry_header_t header;
  iree_io_physical_size_t length;
  uint8_t pattern[16];
  uint8_t pattern_length;
} iree_io_parameter_archive_splat_entry_t;

typedef struct iree_io_parameter_archive_data_entry_t {
  iree_io_parameter_archive_entry_header_t header;
  iree_io_parameter_archive_storage_ref_t storage;
} iree_io_parameter_archive_data_entry_t;

typedef struct iree_io_parameter_archive_external_entry_t {
  iree_io_parameter_archive_entry_header_t header;
  iree_io_parameter_archive_metadata_ref_t path;
  iree_io_parameter_archive_range_t range;
} iree_io_parameter_archive_external_entry_t;

IREE_IO_PACKED_END

#endif  // IREE_SCHEMAS_PARAMETER_ARCHIVE_H_
