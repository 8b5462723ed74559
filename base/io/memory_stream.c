// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams over host memory.
#include "iree/io/memory_stream.h"

#include <string.h>

typedef struct memory_stream_t {
  iree_io_stream_t base;
  iree_allocator_t host_allocator;
  iree_byte_span_t contents;
  iree_host_size_t offset;  // within |contents|
  iree_io_stream_release_callback_t release_callback;
} memory_stream_t;

static void memory_stream_destroy(iree_io_stream_t *base) {
  memory_stream_t *stream = (memory_stream_t *)base;
  if (stream->release_callback.fn) stream->release_callback.fn(stream->release_callback.user_data, base);
  iree_allocator_free(stream->host_allocator, stream);
}

static iree_io_stream_pos_t memory_stream_offset(iree_io_stream_t *base) {
  return (iree_io_stream_pos_t)((memory_stream_t *)base)->offset;
}
static iree_io_stream_pos_t memory_stream_length(iree_io_stream_t *base) {
  return (iree_io_stream_pos_t)((memory_stream_t *)base)->contents.data_length;
}

static iree_status_t memory_stream_seek(iree_io_stream_t *base,
                                        iree_io_stream_seek_mode_t seek_mode,
                                        iree_io_stream_pos_t seek_offset) {
  memory_stream_t *stream = (memory_stream_t *)base;
  const int64_t length = memory_stream_length(base);
  const int64_t origin = seek_mode == IREE_IO_STREAM_SEEK_SET            ? 0
                         : seek_mode == IREE_IO_STREAM_SEEK_FROM_CURRENT ? (int64_t)stream->offset
                                                                         : length;
  // |origin| lies in 0..length, so neither difference overflows.
  if (seek_offset < -origin || seek_offset > length - origin) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "%" PRIi64 " bytes from %" PRIi64 " is not in a stream of %" PRIi64
                            " bytes",
                            seek_offset, origin, length);
  }
  stream->offset = (iree_host_size_t)(origin + seek_offset);
  return iree_ok_status();
}

static iree_host_size_t remaining(const memory_stream_t *stream) {
  return stream->contents.data_length - stream->offset;
}

// The next |length| bytes; the position moves past them.
static iree_status_t take(memory_stream_t *stream, iree_host_size_t length, uint8_t **out_data) {
  if (length > remaining(stream)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "the stream ends %" PRIhsz " bytes on, %" PRIhsz " were asked for",
                            remaining(stream), length);
  }
  *out_data = length ? stream->contents.data + stream->offset : stream->contents.data;
  stream->offset += length;
  return iree_ok_status();
}

static iree_status_t memory_stream_read(iree_io_stream_t *base, iree_host_size_t buffer_capacity,
                                        void *buffer, iree_host_size_t *out_buffer_length) {
  memory_stream_t *stream = (memory_stream_t *)base;
  if (out_buffer_length) {
    buffer_capacity = iree_min(buffer_capacity, remaining(stream));
    *out_buffer_length = buffer_capacity;
  }
  uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take(stream, buffer_capacity, &data));
  if (buffer_capacity) memcpy(buffer, data, buffer_capacity);
  return iree_ok_status();
}

static iree_status_t memory_stream_write(iree_io_stream_t *base, iree_host_size_t buffer_length,
                                         const void *buffer) {
  uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take((memory_stream_t *)base, buffer_length, &data));
  memcpy(data, buffer, buffer_length);
  return iree_ok_status();
}

static iree_status_t memory_stream_fill(iree_io_stream_t *base, iree_io_stream_pos_t count,
                                        const void *pattern, iree_host_size_t pattern_length) {
  memory_stream_t *stream = (memory_stream_t *)base;
  if ((uint64_t)count > remaining(stream) / pattern_length) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "%" PRIi64 " patterns of %" PRIhsz
                            " bytes do not fit: the stream ends %" PRIhsz " bytes on",
                            count, pattern_length, remaining(stream));
  }
  uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take(stream, (iree_host_size_t)count * pattern_length, &data));
  for (iree_io_stream_pos_t i = 0; i < count; ++i, data += pattern_length) {
    memcpy(data, pattern, pattern_length);
  }
  return iree_ok_status();
}

static iree_status_t memory_stream_map_read(iree_io_stream_t *base, iree_host_size_t length,
                                            iree_const_byte_span_t *out_span) {
  uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take((memory_stream_t *)base, length, &data));
  *out_span = iree_make_const_byte_span(data, length);
  return iree_ok_status();
}

static iree_status_t memory_stream_map_write(iree_io_stream_t *base, iree_host_size_t length,
                                             iree_byte_span_t *out_span) {
  uint8_t *data = NULL;
  IREE_RETURN_IF_ERROR(take((memory_stream_t *)base, length, &data));
  *out_span = iree_make_byte_span(data, length);
  return iree_ok_status();
}

static const iree_io_stream_vtable_t memory_stream_vtable = {
    .destroy = memory_stream_destroy,
    .offset = memory_stream_offset,
    .length = memory_stream_length,
    .seek = memory_stream_seek,
    .read = memory_stream_read,
    .write = memory_stream_write,
    .fill = memory_stream_fill,
    .map_read = memory_stream_map_read,
    .map_write = memory_stream_map_write,
};

iree_status_t iree_io_memory_stream_wrap(iree_io_stream_mode_t mode, iree_byte_span_t contents,
                                         iree_io_stream_release_callback_t release_callback,
                                         iree_allocator_t host_allocator,
                                         iree_io_stream_t **out_stream) {
  *out_stream = NULL;
  memory_stream_t *stream = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*stream), (void **)&stream));
  iree_atomic_ref_count_init(&stream->base.ref_count);
  stream->base.vtable = &memory_stream_vtable;
  stream->base.mode = mode | IREE_IO_STREAM_MODE_SEEKABLE | IREE_IO_STREAM_MODE_MAPPABLE;
  stream->host_allocator = host_allocator;
  stream->contents = contents;
  stream->release_callback = release_callback;
  *out_stream = &stream->base;
  return iree_ok_status();
}
