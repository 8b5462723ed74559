// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading IREE parameter archives (iree/schemas/parameter_archive.h).
#include "iree/io/formats/irpa/irpa_parser.h"

#include <string.h>

#include "iree/schemas/parameter_archive.h"
#include "base/io/formats/format.h"

// How often all of the metadata segment may be used on average, beside the first few bytes.
enum { METADATA_USES = 16, FREE_METADATA_BYTES = 64 * 1024 };

// One header with what it names: segments lie within the file.
typedef struct archive_t {
  const format_source_t *source;
  uint64_t base;  // of the header in the file
  // Names and metadata may overlap, but are copied: so that a small file cannot ask for much memory.
  uint64_t metadata_budget;
  iree_io_parameter_archive_header_v0_t header;
} archive_t;

static iree_status_t check_header(const format_source_t *source, uint64_t base,
                                  iree_io_parameter_archive_header_v0_t *out_header) {
  const iree_io_parameter_archive_header_prefix_t *prefix = &out_header->prefix;
  if (!iree_range_is_within(base, sizeof(*prefix), source->contents.data_length)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "no room for an archive header at %" PRIu64 " of a file of %" PRIhsz
                            " bytes; it is empty or truncated",
                            base, source->contents.data_length);
  }
  memcpy(out_header, source->contents.data + base, sizeof(*prefix));
  if (prefix->magic != IREE_IO_PARAMETER_ARCHIVE_MAGIC) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "an archive header starts with 'IRPA' (%08X), at %" PRIu64
                            " stands %08X; this is no .irpa file",
                            IREE_IO_PARAMETER_ARCHIVE_MAGIC, base, prefix->magic);
  }
  if (prefix->version_major != 0 || prefix->version_minor != 0) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "archive version %u.%u, this runtime reads 0.0; write the archive "
                            "with a matching release",
                            prefix->version_major, prefix->version_minor);
  }
  if (prefix->header_size != sizeof(*out_header)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "an archive header of version 0.0 has %" PRIhsz
                            " bytes, this one says %" PRIu64,
                            (iree_host_size_t)sizeof(*out_header), (uint64_t)prefix->header_size);
  }
  if (!iree_range_is_within(base, sizeof(*out_header), source->contents.data_length)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "the archive header at %" PRIu64 " leaves the file", base);
  }
  memcpy(out_header, source->contents.data + base, sizeof(*out_header));
  return iree_ok_status();
}

static iree_status_t check_segment(const archive_t *archive,
                                   iree_io_parameter_archive_range_t segment, const char *name) {
  const uint64_t available = archive->source->contents.data_length - archive->base;
  if (iree_range_is_within(segment.offset, segment.length, available)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "the %s segment is said to have %" PRIu64 " bytes at %" PRIu64
                          " from its header, but the file has %" PRIu64
                          " from there on; it is truncated or damaged",
                          name, (uint64_t)segment.length, (uint64_t)segment.offset, available);
}

static iree_status_t read_metadata(archive_t *archive,
                                   iree_io_parameter_archive_metadata_ref_t ref,
                                   iree_const_byte_span_t *out_span) {
  *out_span = iree_const_byte_span_empty();
  if (ref.length == 0) return iree_ok_status();
  const iree_io_parameter_archive_range_t segment = archive->header.metadata_segment;
  if (!iree_range_is_within(ref.offset, ref.length, segment.length)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "%" PRIu64 " bytes at %" PRIu64
                            " leave the metadata segment of %" PRIu64 " bytes",
                            (uint64_t)ref.length, (uint64_t)ref.offset, (uint64_t)segment.length);
  }
  if (ref.length > archive->metadata_budget) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "the entries use the metadata segment more than %d times; no archive "
                            "has so many names in so few bytes",
                            METADATA_USES);
  }
  archive->metadata_budget -= ref.length;
  *out_span = iree_make_const_byte_span(
      archive->source->contents.data + archive->base + segment.offset + ref.offset,
      (iree_host_size_t)ref.length);
  return iree_ok_status();
}

static iree_status_t add_splat(const archive_t *archive, const uint8_t *data,
                               iree_string_view_t name, iree_const_byte_span_t metadata) {
  iree_io_parameter_archive_splat_entry_t splat;
  memcpy(&splat, data, sizeof(splat));
  if (splat.pattern_length == 0 || splat.pattern_length > sizeof(splat.pattern)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "the splat '%.*s' has a pattern of %u bytes; 1 to 16 are possible",
                            IREE_SV_ARGS(name), splat.pattern_length);
  }
  iree_io_parameter_index_entry_t entry = {
      .key = name,
      .metadata = metadata,
      .length = splat.length,
      .type = IREE_IO_PARAMETER_INDEX_ENTRY_STORAGE_TYPE_SPLAT,
      .storage = {.splat = {.pattern_length = splat.pattern_length}},
  };
  memcpy(entry.storage.splat.pattern, splat.pattern, splat.pattern_length);
  return iree_io_parameter_index_add(archive->source->index, &entry);
}

static iree_status_t add_data(const archive_t *archive, const uint8_t *data,
                              iree_string_view_t name, iree_const_byte_span_t metadata) {
  iree_io_parameter_archive_data_entry_t entry;
  memcpy(&entry, data, sizeof(entry));
  const iree_io_parameter_archive_range_t segment = archive->header.storage_segment;
  if (!iree_range_is_within(entry.storage.offset, entry.storage.length, segment.length)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "parameter '%.*s' has %" PRIu64 " bytes at %" PRIu64
                            " of a storage segment of %" PRIu64 " bytes",
                            IREE_SV_ARGS(name), (uint64_t)entry.storage.length,
                            (uint64_t)entry.storage.offset, (uint64_t)segment.length);
  }
  // Nothing stands nowhere.
  const uint64_t offset = archive->base + segment.offset + entry.storage.offset;
  return format_add_data(archive->source, name, metadata, entry.storage.length ? offset : 0,
                         entry.storage.length);
}

// Least bytes of an entry by its type.
static const iree_host_size_t entry_bytes[] = {
    [IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_SKIP] = sizeof(iree_io_parameter_archive_entry_header_t),
    [IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_SPLAT] = sizeof(iree_io_parameter_archive_splat_entry_t),
    [IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_DATA] = sizeof(iree_io_parameter_archive_data_entry_t),
    [IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_EXTERNAL] =
        sizeof(iree_io_parameter_archive_external_entry_t),
};

static iree_status_t add_entry(archive_t *archive,
                               const iree_io_parameter_archive_entry_header_t *header,
                               const uint8_t *data) {
  if (header->type >= IREE_ARRAYSIZE(entry_bytes)) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "an entry of type %u; known are skip 0, splat 1 and data 2",
                            header->type);
  }
  if (header->entry_size < entry_bytes[header->type]) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "an entry of type %u has at least %" PRIhsz
                            " bytes, this one says %" PRIu64,
                            header->type, entry_bytes[header->type], (uint64_t)header->entry_size);
  }
  iree_const_byte_span_t name = {0}, metadata = {0};
  IREE_RETURN_IF_ERROR(read_metadata(archive, header->name, &name), "the name");
  IREE_RETURN_IF_ERROR(read_metadata(archive, header->metadata, &metadata), "the metadata");
  const iree_string_view_t key = iree_make_string_view((const char *)name.data, name.data_length);
  switch (header->type) {
    case IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_SKIP:
      return iree_ok_status();
    case IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_SPLAT:
      return add_splat(archive, data, key, metadata);
    case IREE_IO_PARAMETER_ARCHIVE_ENTRY_TYPE_DATA:
      return add_data(archive, data, key, metadata);
  }
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                          "parameter '%.*s' stands in another file, which archives of this "
                          "runtime cannot; merge the files with iree-convert-parameters",
                          IREE_SV_ARGS(key));
}

static iree_status_t add_entries(archive_t *archive) {
  const iree_io_parameter_archive_range_t segment = archive->header.entry_segment;
  const uint8_t *data = archive->source->contents.data + archive->base + segment.offset;
  uint64_t remaining = segment.length;
  for (uint64_t i = 0; i < archive->header.entry_count; ++i) {
    iree_io_parameter_archive_entry_header_t header;
    if (remaining >= sizeof(header)) memcpy(&header, data, sizeof(header));
    if (remaining < sizeof(header) || header.entry_size < sizeof(header) ||
        header.entry_size > remaining) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "the entry segment ends within entry %" PRIu64 " of %" PRIu64, i,
                              (uint64_t)archive->header.entry_count);
    }
    IREE_RETURN_IF_ERROR(add_entry(archive, &header, data), "entry %" PRIu64, i);
    // The last entry need not be padded.
    const uint64_t size = iree_align_uint64(header.entry_size,
                                            IREE_IO_PARAMETER_ARCHIVE_ENTRY_ALIGNMENT);
    if (size >= remaining) {
      remaining = 0;
      continue;
    }
    data += size;
    remaining -= size;
  }
  return iree_ok_status();
}

static iree_status_t parse(const format_source_t *source) {
  archive_t archive = {.source = source};
  for (;;) {  // along the chain, which only leads forward and so ends
    IREE_RETURN_IF_ERROR(check_header(source, archive.base, &archive.header));
    IREE_RETURN_IF_ERROR(check_segment(&archive, archive.header.entry_segment, "entry"));
    IREE_RETURN_IF_ERROR(check_segment(&archive, archive.header.metadata_segment, "metadata"));
    IREE_RETURN_IF_ERROR(check_segment(&archive, archive.header.storage_segment, "storage"));
    archive.metadata_budget =
        METADATA_USES * archive.header.metadata_segment.length + FREE_METADATA_BYTES;
    IREE_RETURN_IF_ERROR(add_entries(&archive), "the archive header at %" PRIu64, archive.base);
    const uint64_t next = archive.header.prefix.next_header_offset;
    if (next == 0) return iree_ok_status();
    if (next < sizeof(archive.header) || next > source->contents.data_length - archive.base) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "the header after the one at %" PRIu64 " is said to follow %" PRIu64
                              " bytes later, which is not in the file",
                              archive.base, next);
    }
    archive.base += next;
  }
}

iree_status_t iree_io_parse_irpa_index(iree_io_file_handle_t *file_handle,
                                       iree_io_parameter_index_t *index,
                                       iree_allocator_t host_allocator) {
  return format_parse_file(file_handle, index, host_allocator, parse);
}
