// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing IREE parameter archives: declare entries, write the header, then the contents.
//
//   initialize -> add_*_entry ... -> total_size: make a file of that size -> write the header
//   -> write each entry's bytes where the target index says -> deinitialize
#ifndef IREE_IO_FORMATS_IRPA_IRPA_BUILDER_H_
#define IREE_IO_FORMATS_IRPA_IRPA_BUILDER_H_

#include "iree/base/api.h"
#include "iree/io/file_handle.h"
#include "iree/io/parameter_index.h"
#include "iree/io/stream.h"
#include "iree/schemas/parameter_archive.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_io_parameter_archive_builder_t {
  iree_allocator_t host_allocator;
  iree_io_parameter_index_t *index;
  iree_io_physical_size_t file_alignment;
  iree_io_physical_size_t entry_segment_size;
  iree_io_physical_size_t metadata_segment_size;
  iree_io_physical_size_t storage_segment_size;
  iree_io_physical_size_t storage_alignment;
} iree_io_parameter_archive_builder_t;

// Starts a builder in the caller's storage; _deinitialize frees what it holds.
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_io_parameter_archive_builder_initialize(
    iree_allocator_t host_allocator, iree_io_parameter_archive_builder_t *out_builder);
IREE_API_EXPORT void iree_io_parameter_archive_builder_deinitialize(
    iree_io_parameter_archive_builder_t *builder);

// Whether nothing was added, and the sizes so far: of all before the contents, and of the file.
//   units:  bytes
//   errors: none
IREE_API_EXPORT bool iree_io_parameter_archive_builder_is_empty(
    const iree_io_parameter_archive_builder_t *builder);
IREE_API_EXPORT iree_io_physical_size_t iree_io_parameter_archive_builder_header_size(
    const iree_io_parameter_archive_builder_t *builder);
IREE_API_EXPORT iree_io_physical_size_t iree_io_parameter_archive_builder_total_size(
    const iree_io_parameter_archive_builder_t *builder);

// Writes the header to |stream|, which stands at |file_offset| of the file, and adds the entries
// as they lie in the file to |target_index|.
//   units:  bytes
//   errors: those of the stream and the index
IREE_API_EXPORT iree_status_t iree_io_parameter_archive_builder_write(
    const iree_io_parameter_archive_builder_t *builder, iree_io_file_handle_t *file_handle,
    iree_io_physical_offset_t file_offset, iree_io_stream_t *stream,
    iree_io_parameter_index_t *target_index);

// Declare an entry: a repeated pattern, and one with contents in the file.
//   units:  bytes
//   errors: INVALID_ARGUMENT    a pattern of other than 1, 2, 4, 8, 16 bytes; an alignment that is
//                               no power of two
//           OUT_OF_RANGE        the archive would be larger than 2^63 bytes
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_io_parameter_archive_builder_add_splat_entry(
    iree_io_parameter_archive_builder_t *builder, iree_string_view_t name,
    iree_const_byte_span_t metadata, const void *pattern, uint8_t pattern_length,
    iree_io_physical_size_t data_length);
IREE_API_EXPORT iree_status_t iree_io_parameter_archive_builder_add_data_entry(
    iree_io_parameter_archive_builder_t *builder, iree_string_view_t name,
    iree_const_byte_span_t metadata, iree_io_physical_size_t minimum_alignment,
    iree_io_physical_size_t data_length);

// Opens a file that has |archive_length| bytes from |archive_offset| on.
typedef iree_status_t(IREE_API_PTR *iree_io_parameter_archive_file_open_fn_t)(
    void *user_data, iree_io_physical_offset_t archive_offset,
    iree_io_physical_size_t archive_length, iree_io_file_handle_t **out_file_handle);
typedef struct {
  iree_io_parameter_archive_file_open_fn_t fn;
  void *user_data;
} iree_io_parameter_archive_file_open_callback_t;

// Writes all of |source_index| as an archive at |target_file_offset| of the file that
// |target_file_open| opens, and adds its entries to |target_index|.
//   units:  bytes
//   errors: those of the source's files, the target's file, and the builder
IREE_API_EXPORT iree_status_t iree_io_build_parameter_archive(
    iree_io_parameter_index_t *source_index, iree_io_parameter_index_t *target_index,
    iree_io_parameter_archive_file_open_callback_t target_file_open,
    iree_io_physical_offset_t target_file_offset, iree_allocator_t host_allocator);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_FORMATS_IRPA_IRPA_BUILDER_H_
