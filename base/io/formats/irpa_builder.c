// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing IREE parameter archives.
#include "iree/io/formats/irpa/irpa_builder.h"

#include <string.h>

#define HEADER_BYTES                                                  \
  ((sizeof(iree_io_parameter_archive_header_v0_t) +                   \
    IREE_IO_PARAMETER_ARCHIVE_ENTRY_ALIGNMENT - 1) /                  \
   IREE_IO_PARAMETER_ARCHIVE_ENTRY_ALIGNMENT * IREE_IO_PARAMETER_ARCHIVE_ENTRY_ALIGNMENT)

// Sums of sizes stay far below 2^64, so that they are not checked one by one.
#define MAX_BYTES ((uint64_t)INT64_MAX / 4)

iree_status_t iree_io_parameter_archive_builder_initialize(
    iree_allocator_t host_allocator, iree_io_parameter_archive_builder_t *out_builder) {
  memset(out_builder, 0, sizeof(*out_builder));
  out_builder->host_allocator = host_allocator;
  out_builder->file_alignment = IREE_IO_PARAMETER_ARCHIVE_DEFAULT_FILE_ALIGNMENT;
  return iree_io_parameter_index_create(host_allocator, &out_builder->index);
}

void iree_io_parameter_archive_builder_deinitialize(iree_io_parameter_archive_builder_t *builder) {
  iree_io_parameter_index_release(builder->index);
  memset(builder, 0, sizeof(*builder));
}

bool iree_io_parameter_archive_builder_is_empty(
    const iree_io_parameter_archive_builder_t *builder) {
  return iree_io_parameter_index_count(builder->index) == 0;
}

iree_io_physical_size_t iree_io_parameter_archive_builder_header_size(
    const iree_io_parameter_archive_builder_t *builder) {
  return iree_align_uint64(
      HEADER_BYTES + builder->entry_segment_size + builder->metadata_segment_size,
      builder->storage_alignment ? builder->storage_alignment : 1);
}

iree_io_physical_size_t iree_io_parameter_archive_builder_total_size(
    const iree_io_parameter_archive_builder_t *builder) {
  return iree_align_uint64(
      iree_io_parameter_archive_builder_header_size(builder) + builder->storage_segment_size,
      builder->file_alignment);
}

//===-- declaring -----------------------------------------------------------------------------===//

// Adds the entry and what it takes in the header.
static iree_status_t declare(iree_io_parameter_archive_builder_t *builder,
                             const iree_io_parameter_index_entry_t *entry,
                             iree_host_size_t entry_bytes) {
  if (entry->key.size > MAX_BYTES || entry->metadata.data_length > MAX_BYTES ||
      builder->metadata_segment_size > MAX_BYTES) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "the archive's names are too long");
  }
  IREE_RETURN_IF_ERROR(iree_io_parameter_index_add(builder->index, entry));
  builder->entry_segment_size = iree_align_uint64(builder->entry_segment_size,
                                                  IREE_IO_PARAMETER_ARCHIVE_ENTRY_ALIGNMENT) +
                                entry_bytes;
  builder->metadata_segment_size += entry->key.size + entry->metadata.data_length;
  return iree_ok_status();
}

iree_status_t iree_io_parameter_archive_builder_add_splat_entry(
    iree_io_parameter_archive_builder_t *builder, iree_string_view_t name,
    iree_const_byte_span_t metadata, const void *pattern, uint8_t pattern_length,
    iree_io_physical_size_t data_length) {
  if (pattern_length == 0 || pattern_length > IREE_IO_PARAMETER_MAX_SPLAT_PATTERN_LENGTH ||
      !iree_is_power_of_two_uint64(pattern_length)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "splat '%.*s' has a pattern of %u bytes; 1, 2, 4, 8 or 16 are possible",
                            IREE_SV_ARGS(name), pattern_length);
  }
  iree_io_parameter_index_entry_t entry = {
      .key = name,
      .metadata = metadata,
      .length = data_length,
      .type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT,
      .storage = {.splat = {.pattern_length = pattern_length}},
  };
  memcpy(entry.storage.splat.pattern, pattern, pattern_length);
  return declare(builder, &entry, sizeof(iree_io_parameter_archive_splat_entry_t));
}

iree_status_t iree_io_parameter_archive_builder_add_data_entry(
    iree_io_parameter_archive_builder_t *builder, iree_string_view_t name,
    iree_const_byte_span_t metadata, iree_io_physical_size_t minimum_alignment,
    iree_io_physical_size_t data_length) {
  if (!iree_is_power_of_two_uint64(minimum_alignment) || minimum_alignment > MAX_BYTES) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "alignment %" PRIu64 " of '%.*s' is no power of two",
                            (uint64_t)minimum_alignment, IREE_SV_ARGS(name));
  }
  if (data_length > MAX_BYTES || builder->storage_segment_size > MAX_BYTES) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "'%.*s' of %" PRIu64 " bytes makes the archive too large",
                            IREE_SV_ARGS(name), (uint64_t)data_length);
  }
  const iree_io_parameter_index_entry_t entry = {
      .key = name,
      .metadata = metadata,
      .length = data_length,
      .type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE,
      // In the storage segment; the file is known when the header is written.
      .storage = {.file = {.offset = iree_align_uint64(builder->storage_segment_size,
                                                       minimum_alignment)}},
  };
  IREE_RETURN_IF_ERROR(declare(builder, &entry, sizeof(iree_io_parameter_archive_data_entry_t)));
  builder->storage_segment_size = entry.storage.file.offset + entry.length;
  builder->storage_alignment = iree_max(builder->storage_alignment, minimum_alignment);
  return iree_ok_status();
}

//===-- the header ----------------------------------------------------------------------------===//

static iree_status_t write_entry(iree_io_stream_t *stream,
                                 const iree_io_parameter_index_entry_t *entry,
                                 uint64_t *metadata_offset) {
  iree_io_parameter_archive_entry_header_t header = {
      .name = {.offset = *metadata_offset, .length = entry->key.size},
      .metadata = {.length = entry->metadata.data_length},
  };
  *metadata_offset += entry->key.size;
  if (entry->metadata.data_length) header.metadata.offset = *metadata_offset;
  *metadata_offset += entry->metadata.data_length;
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT) {
    iree_io_parameter_archive_splat_entry_t splat = {.header = header, .length = entry->length};
    splat.header.entry_size = sizeof(splat);
    splat.header.type = IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_SPLAT;
    splat.pattern_length = entry->storage.splat.pattern_length;
    memcpy(splat.pattern, entry->storage.splat.pattern, sizeof(splat.pattern));
    return iree_io_stream_write(stream, sizeof(splat), &splat);
  }
  iree_io_parameter_archive_data_entry_t data = {
      .header = header,
      .storage = {.offset = entry->storage.file.offset, .length = entry->length},
  };
  data.header.entry_size = sizeof(data);
  data.header.type = IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_DATA;
  data.header.minimum_alignment = IREE_IO_PARAMETER_ARCHIVE_DEFAULT_DATA_ALIGNMENT;
  return iree_io_stream_write(stream, sizeof(data), &data);
}

// Entries with the file and the place in it that they get.
static iree_status_t add_target(const iree_io_parameter_index_entry_t *entry,
                                iree_io_file_handle_t *file_handle, uint64_t storage_offset,
                                iree_io_parameter_index_t *target_index) {
  iree_io_parameter_index_entry_t target = *entry;
  if (entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE) {
    target.storage.file.handle = file_handle;
    target.storage.file.offset += storage_offset;
  }
  return iree_io_parameter_index_add(target_index, &target);
}

static iree_status_t write_entries(const iree_io_parameter_archive_builder_t *builder,
                                   iree_io_stream_t *stream) {
  const iree_host_size_t count = iree_io_parameter_index_count(builder->index);
  const iree_io_parameter_index_entry_t *entry = NULL;
  uint64_t metadata_offset = 0;
  for (iree_host_size_t i = 0; i < count; ++i) {
    IREE_RETURN_IF_ERROR(
        iree_io_stream_seek_to_alignment(stream, IREE_IO_PARAMETER_ARCHIVE_ENTRY_ALIGNMENT));
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(builder->index, i, &entry));
    IREE_RETURN_IF_ERROR(write_entry(stream, entry, &metadata_offset));
  }
  for (iree_host_size_t i = 0; i < count; ++i) {
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(builder->index, i, &entry));
    IREE_RETURN_IF_ERROR(iree_io_stream_write_string(stream, entry->key));
    IREE_RETURN_IF_ERROR(
        iree_io_stream_write(stream, entry->metadata.data_length, entry->metadata.data));
  }
  return iree_ok_status();
}

iree_status_t iree_io_parameter_archive_builder_write(
    const iree_io_parameter_archive_builder_t *builder, iree_io_file_handle_t *file_handle,
    iree_io_physical_offset_t file_offset, iree_io_stream_t *stream,
    iree_io_parameter_index_t *target_index) {
  const iree_host_size_t count = iree_io_parameter_index_count(builder->index);
  const uint64_t storage_offset = iree_io_parameter_archive_builder_header_size(builder);
  const iree_io_parameter_archive_header_v0_t header = {
      .prefix = {.magic = IREE_IO_PARAMETER_ARCHIVE_MAGIC, .header_size = sizeof(header)},
      .entry_count = count,
      .entry_segment = {HEADER_BYTES, builder->entry_segment_size},
      .metadata_segment = {HEADER_BYTES + builder->entry_segment_size,
                           builder->metadata_segment_size},
      .storage_segment = {storage_offset, builder->storage_segment_size},
  };
  IREE_RETURN_IF_ERROR(iree_io_stream_write(stream, sizeof(header), &header));
  IREE_RETURN_IF_ERROR(write_entries(builder, stream));
  for (iree_host_size_t i = 0; i < count && target_index; ++i) {
    const iree_io_parameter_index_entry_t *entry = NULL;
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(builder->index, i, &entry));
    IREE_RETURN_IF_ERROR(
        add_target(entry, file_handle, file_offset + storage_offset, target_index));
  }
  return iree_ok_status();
}

//===-- whole archives ------------------------------------------------------------------------===//

static iree_status_t declare_all(iree_io_parameter_archive_builder_t *builder,
                                 iree_io_parameter_index_t *source_index) {
  const iree_host_size_t count = iree_io_parameter_index_count(source_index);
  for (iree_host_size_t i = 0; i < count; ++i) {
    const iree_io_parameter_index_entry_t *entry = NULL;
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(source_index, i, &entry));
    IREE_RETURN_IF_ERROR(
        entry->type == IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT
            ? iree_io_parameter_archive_builder_add_splat_entry(
                  builder, entry->key, entry->metadata, entry->storage.splat.pattern,
                  entry->storage.splat.pattern_length, entry->length)
            : iree_io_parameter_archive_builder_add_data_entry(
                  builder, entry->key, entry->metadata,
                  IREE_IO_PARAMETER_ARCHIVE_DEFAULT_DATA_ALIGNMENT, entry->length));
  }
  return iree_ok_status();
}

// |first| is the number of the first target entry that belongs to the source.
static iree_status_t copy_contents(iree_io_parameter_index_t *source_index,
                                   iree_io_parameter_index_t *target_index, iree_host_size_t first,
                                   iree_io_stream_t *stream, iree_allocator_t host_allocator) {
  const iree_host_size_t count = iree_io_parameter_index_count(source_index);
  for (iree_host_size_t i = 0; i < count; ++i) {
    const iree_io_parameter_index_entry_t *source = NULL, *target = NULL;
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(source_index, i, &source));
    IREE_RETURN_IF_ERROR(iree_io_parameter_index_get(target_index, first + i, &target));
    if (source->type != IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_FILE) continue;
    // Streams of a handle's memory count from their own start, which is that of the file here.
    IREE_RETURN_IF_ERROR(iree_io_stream_seek(stream, IREE_IO_STREAM_SEEK_SET,
                                             (iree_io_stream_pos_t)target->storage.file.offset));
    IREE_RETURN_IF_ERROR(
        iree_io_stream_write_file(stream, source->storage.file.handle, source->storage.file.offset,
                                  (iree_io_stream_pos_t)source->length, host_allocator),
        "copying parameter '%.*s'", IREE_SV_ARGS(source->key));
  }
  return iree_ok_status();
}

static iree_status_t write_archive(const iree_io_parameter_archive_builder_t *builder,
                                   iree_io_parameter_index_t *source_index,
                                   iree_io_parameter_index_t *target_index,
                                   iree_io_file_handle_t *handle, uint64_t offset,
                                   iree_allocator_t host_allocator) {
  iree_io_stream_t *stream = NULL;
  IREE_RETURN_IF_ERROR(
      iree_io_stream_open(IREE_IO_STREAM_MODE_WRITABLE, handle, 0, host_allocator, &stream));
  const iree_host_size_t first = iree_io_parameter_index_count(target_index);
  iree_status_t status =
      iree_io_stream_seek(stream, IREE_IO_STREAM_SEEK_SET, (iree_io_stream_pos_t)offset);
  if (iree_status_is_ok(status)) {
    status = iree_io_parameter_archive_builder_write(builder, handle, offset, stream, target_index);
  }
  if (iree_status_is_ok(status)) {
    status = copy_contents(source_index, target_index, first, stream, host_allocator);
  }
  iree_io_stream_release(stream);
  return iree_status_is_ok(status) ? iree_io_file_handle_flush(handle) : status;
}

iree_status_t iree_io_build_parameter_archive(
    iree_io_parameter_index_t *source_index, iree_io_parameter_index_t *target_index,
    iree_io_parameter_archive_file_open_callback_t target_file_open,
    iree_io_physical_offset_t target_file_offset, iree_allocator_t host_allocator) {
  if (target_file_offset > MAX_BYTES) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "no archive can start at %" PRIu64,
                            (uint64_t)target_file_offset);
  }
  const uint64_t offset =
      iree_align_uint64(target_file_offset, IREE_IO_PARAMETER_ARCHIVE_HEADER_ALIGNMENT);
  iree_io_parameter_archive_builder_t builder;
  iree_status_t status = iree_io_parameter_archive_builder_initialize(host_allocator, &builder);
  if (iree_status_is_ok(status)) status = declare_all(&builder, source_index);
  iree_io_file_handle_t *handle = NULL;
  if (iree_status_is_ok(status)) {
    status = target_file_open.fn(target_file_open.user_data, offset,
                                 iree_io_parameter_archive_builder_total_size(&builder), &handle);
  }
  if (iree_status_is_ok(status)) {
    status = write_archive(&builder, source_index, target_index, handle, offset, host_allocator);
  }
  iree_io_file_handle_release(handle);
  iree_io_parameter_archive_builder_deinitialize(&builder);
  return status;
}
