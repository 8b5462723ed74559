// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: the functions that hold for all of them.
#include "iree/io/stream.h"

#include "iree/io/file_handle.h"
#include "iree/io/memory_stream.h"
#include "iree/io/stdio_stream.h"

// What copies move at once.
enum { COPY_CHUNK_BYTES = 64 * 1024, MAX_PATTERN_BYTES = 16 };

void iree_io_stream_retain(iree_io_stream_t *stream) {
  if (stream) iree_atomic_ref_count_inc(&stream->ref_count);
}
void iree_io_stream_release(iree_io_stream_t *stream) {
  if (stream && iree_atomic_ref_count_dec(&stream->ref_count) == 1) iree_io_stream_destroy(stream);
}
void iree_io_stream_destroy(iree_io_stream_t *stream) { stream->vtable->destroy(stream); }

iree_io_stream_mode_t iree_io_stream_mode(const iree_io_stream_t *stream) { return stream->mode; }
iree_io_stream_pos_t iree_io_stream_offset(iree_io_stream_t *stream) {
  return stream->vtable->offset(stream);
}
iree_io_stream_pos_t iree_io_stream_length(iree_io_stream_t *stream) {
  return stream->vtable->length(stream);
}
bool iree_io_stream_is_eos(iree_io_stream_t *stream) {
  return iree_io_stream_offset(stream) == iree_io_stream_length(stream);
}

static iree_status_t check_mode(const iree_io_stream_t *stream, iree_io_stream_mode_t mode,
                                iree_status_code_t code, const char *what) {
  if (iree_all_bits_set(stream->mode, mode)) return iree_ok_status();
  return iree_make_status(code, "the stream was not opened to be %s", what);
}
static iree_status_t check_readable(const iree_io_stream_t *stream) {
  return check_mode(stream, IREE_IO_STREAM_MODE_READABLE, IREE_STATUS_PERMISSION_DENIED, "read");
}
static iree_status_t check_writable(const iree_io_stream_t *stream) {
  return check_mode(stream, IREE_IO_STREAM_MODE_WRITABLE, IREE_STATUS_PERMISSION_DENIED, "written");
}
static iree_status_t check_mappable(const iree_io_stream_t *stream) {
  return check_mode(stream, IREE_IO_STREAM_MODE_MAPPABLE, IREE_STATUS_FAILED_PRECONDITION,
                    "mapped");
}

iree_status_t iree_io_stream_seek(iree_io_stream_t *stream, iree_io_stream_seek_mode_t seek_mode,
                                  iree_io_stream_pos_t seek_offset) {
  const bool is_forward = seek_mode == IREE_IO_STREAM_SEEK_FROM_CURRENT && seek_offset >= 0;
  if (!is_forward) {
    IREE_RETURN_IF_ERROR(check_mode(stream, IREE_IO_STREAM_MODE_SEEKABLE,
                                    IREE_STATUS_FAILED_PRECONDITION, "moved about in"));
  }
  return stream->vtable->seek(stream, seek_mode, seek_offset);
}

iree_status_t iree_io_stream_seek_to_alignment(iree_io_stream_t *stream,
                                               iree_io_stream_pos_t alignment) {
  if (alignment <= 0 || !iree_is_power_of_two_uint64((uint64_t)alignment)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "alignment %" PRIi64 " is no power of two", alignment);
  }
  const iree_io_stream_pos_t beyond = iree_io_stream_offset(stream) & (alignment - 1);
  if (!beyond) return iree_ok_status();
  return iree_io_stream_seek(stream, IREE_IO_STREAM_SEEK_FROM_CURRENT, alignment - beyond);
}

iree_status_t iree_io_stream_read(iree_io_stream_t *stream, iree_host_size_t buffer_capacity,
                                  void *buffer, iree_host_size_t *out_buffer_length) {
  if (out_buffer_length) *out_buffer_length = 0;
  IREE_RETURN_IF_ERROR(check_readable(stream));
  return stream->vtable->read(stream, buffer_capacity, buffer, out_buffer_length);
}

iree_status_t iree_io_stream_write(iree_io_stream_t *stream, iree_host_size_t buffer_length,
                                   const void *buffer) {
  IREE_RETURN_IF_ERROR(check_writable(stream));
  if (buffer_length == 0) return iree_ok_status();
  return stream->vtable->write(stream, buffer_length, buffer);
}
iree_status_t iree_io_stream_write_char(iree_io_stream_t *stream, char c) {
  return iree_io_stream_write(stream, 1, &c);
}
iree_status_t iree_io_stream_write_string(iree_io_stream_t *stream, iree_string_view_t value) {
  return iree_io_stream_write(stream, value.size, value.data);
}

iree_status_t iree_io_stream_fill(iree_io_stream_t *stream, iree_io_stream_pos_t count,
                                  const void *pattern, iree_host_size_t pattern_length) {
  IREE_RETURN_IF_ERROR(check_writable(stream));
  if (pattern_length == 0 || pattern_length > MAX_PATTERN_BYTES || count < 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "%" PRIi64 " patterns of %" PRIhsz
                            " bytes; they have 1 to %d bytes",
                            count, pattern_length, MAX_PATTERN_BYTES);
  }
  if (count == 0) return iree_ok_status();
  return stream->vtable->fill(stream, count, pattern, pattern_length);
}

iree_status_t iree_io_stream_map_read(iree_io_stream_t *stream, iree_host_size_t length,
                                      iree_const_byte_span_t *out_span) {
  *out_span = iree_const_byte_span_empty();
  IREE_RETURN_IF_ERROR(check_mappable(stream));
  IREE_RETURN_IF_ERROR(check_readable(stream));
  return stream->vtable->map_read(stream, length, out_span);
}
iree_status_t iree_io_stream_map_write(iree_io_stream_t *stream, iree_host_size_t length,
                                       iree_byte_span_t *out_span) {
  *out_span = iree_byte_span_empty();
  IREE_RETURN_IF_ERROR(check_mappable(stream));
  IREE_RETURN_IF_ERROR(check_writable(stream));
  return stream->vtable->map_write(stream, length, out_span);
}

static iree_status_t copy_mapped(iree_io_stream_t *source, iree_io_stream_t *target,
                                 iree_host_size_t length) {
  iree_const_byte_span_t span = iree_const_byte_span_empty();
  IREE_RETURN_IF_ERROR(iree_io_stream_map_read(source, length, &span));
  return iree_io_stream_write(target, span.data_length, span.data);
}

iree_status_t iree_io_stream_copy(iree_io_stream_t *source_stream, iree_io_stream_t *target_stream,
                                  iree_io_stream_pos_t length) {
  if (length < 0) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "a copy of %" PRIi64 " bytes", length);
  }
  if (iree_all_bits_set(source_stream->mode, IREE_IO_STREAM_MODE_MAPPABLE)) {
    return copy_mapped(source_stream, target_stream, (iree_host_size_t)length);
  }
  uint8_t chunk[COPY_CHUNK_BYTES];
  while (length > 0) {
    const iree_host_size_t size = (iree_host_size_t)iree_min(length, (int64_t)sizeof(chunk));
    IREE_RETURN_IF_ERROR(iree_io_stream_read(source_stream, size, chunk, NULL));
    IREE_RETURN_IF_ERROR(iree_io_stream_write(target_stream, size, chunk));
    length -= (iree_io_stream_pos_t)size;
  }
  return iree_ok_status();
}

//===-- over files ----------------------------------------------------------------------------===//

static void release_handle(void *user_data, iree_io_stream_t *stream) {
  (void)stream;
  iree_io_file_handle_release((iree_io_file_handle_t *)user_data);
}

static iree_status_t open_memory(iree_io_stream_mode_t mode, iree_io_file_handle_t *file_handle,
                                 uint64_t file_offset, iree_allocator_t host_allocator,
                                 iree_io_stream_t **out_stream) {
  const iree_byte_span_t memory = iree_io_file_handle_value(file_handle).host_allocation;
  if (file_offset > memory.data_length) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "offset %" PRIu64 " is not in a file of %" PRIhsz " bytes", file_offset,
                            memory.data_length);
  }
  const iree_host_size_t offset = (iree_host_size_t)file_offset;
  const iree_byte_span_t contents = iree_make_byte_span(memory.data ? memory.data + offset : NULL,
                                                        memory.data_length - offset);
  const iree_io_stream_release_callback_t release = {release_handle, file_handle};
  IREE_RETURN_IF_ERROR(
      iree_io_memory_stream_wrap(mode, contents, release, host_allocator, out_stream));
  iree_io_file_handle_retain(file_handle);
  return iree_ok_status();
}

iree_status_t iree_io_stream_open(iree_io_stream_mode_t mode, iree_io_file_handle_t *file_handle,
                                  uint64_t file_offset, iree_allocator_t host_allocator,
                                  iree_io_stream_t **out_stream) {
  *out_stream = NULL;
  if (iree_io_file_handle_type(file_handle) == IREE_IO_FILE_HANDLE_TYPE_HOST_ALLOCATION) {
    return open_memory(mode, file_handle, file_offset, host_allocator, out_stream);
  }
  iree_io_stdio_stream_mode_t stdio_mode = 0;
  if (mode & IREE_IO_STREAM_MODE_READABLE) stdio_mode |= IREE_IO_STDIO_STREAM_MODE_READ;
  if (mode & IREE_IO_STREAM_MODE_WRITABLE) stdio_mode |= IREE_IO_STDIO_STREAM_MODE_WRITE;
  if (file_offset > INT64_MAX) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "file offset %" PRIu64 " is out of range",
                            file_offset);
  }
  iree_io_stream_t *stream = NULL;
  IREE_RETURN_IF_ERROR(iree_io_stdio_stream_open_fd(
      stdio_mode, iree_io_file_handle_value(file_handle).fd, host_allocator, &stream));
  iree_status_t status = iree_io_stream_seek(stream, IREE_IO_STREAM_SEEK_SET, (int64_t)file_offset);
  if (!iree_status_is_ok(status)) {
    iree_io_stream_release(stream);
    return status;
  }
  *out_stream = stream;
  return iree_ok_status();
}

iree_status_t iree_io_stream_write_file(iree_io_stream_t *stream,
                                        iree_io_file_handle_t *source_file_handle,
                                        uint64_t source_file_offset, iree_io_stream_pos_t length,
                                        iree_allocator_t host_allocator) {
  iree_io_stream_t *source = NULL;
  IREE_RETURN_IF_ERROR(iree_io_stream_open(IREE_IO_STREAM_MODE_READABLE, source_file_handle,
                                           source_file_offset, host_allocator, &source));
  if (length == -1) length = iree_io_stream_length(source) - iree_io_stream_offset(source);
  iree_status_t status = iree_io_stream_copy(source, stream, length);
  iree_io_stream_release(source);
  return status;
}
