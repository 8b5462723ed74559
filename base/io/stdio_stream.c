// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams over FILE.
#include "iree/io/stdio_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/descriptor.h"

// Fills write their pattern many times at once.
enum { FILL_CHUNK_BYTES = 4096 };

typedef struct stdio_stream_t {
  iree_io_stream_t base;
  iree_allocator_t host_allocator;
  FILE *file;
  bool owns_file;
} stdio_stream_t;

static void stdio_stream_destroy(iree_io_stream_t *base) {
  stdio_stream_t *stream = (stdio_stream_t *)base;
  if (stream->owns_file) {
    fclose(stream->file);
  } else {
    fflush(stream->file);
  }
  iree_allocator_free(stream->host_allocator, stream);
}

static iree_io_stream_pos_t stdio_stream_offset(iree_io_stream_t *base) {
  return (iree_io_stream_pos_t)ftello(((stdio_stream_t *)base)->file);
}

static iree_io_stream_pos_t stdio_stream_length(iree_io_stream_t *base) {
  FILE *file = ((stdio_stream_t *)base)->file;
  const off_t offset = ftello(file);
  if (offset < 0 || fseeko(file, 0, SEEK_END)) return offset;
  const off_t length = ftello(file);
  fseeko(file, offset, SEEK_SET);
  return (iree_io_stream_pos_t)length;
}

static iree_status_t stdio_error(const char *verb) {
  return descriptor_error(errno ? errno : EIO, verb, IREE_SV("<stream>"));
}

static iree_status_t stdio_stream_seek(iree_io_stream_t *base, iree_io_stream_seek_mode_t seek_mode,
                                       iree_io_stream_pos_t seek_offset) {
  static const int origins[] = {SEEK_SET, SEEK_CUR, SEEK_END};
  stdio_stream_t *stream = (stdio_stream_t *)base;
  errno = 0;
  if (fseeko(stream->file, (off_t)seek_offset, origins[seek_mode])) return stdio_error("seek in");
  return iree_ok_status();
}

static iree_status_t stdio_stream_read(iree_io_stream_t *base, iree_host_size_t buffer_capacity,
                                       void *buffer, iree_host_size_t *out_buffer_length) {
  FILE *file = ((stdio_stream_t *)base)->file;
  errno = 0;
  const size_t n = buffer_capacity ? fread(buffer, 1, buffer_capacity, file) : 0;
  if (n < buffer_capacity && ferror(file)) return stdio_error("read");
  if (out_buffer_length) {
    *out_buffer_length = n;
  } else if (n < buffer_capacity) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "the file ends %zu bytes on, %" PRIhsz " were asked for", n,
                            buffer_capacity);
  }
  return iree_ok_status();
}

static iree_status_t stdio_stream_write(iree_io_stream_t *base, iree_host_size_t buffer_length,
                                        const void *buffer) {
  FILE *file = ((stdio_stream_t *)base)->file;
  errno = 0;
  if (fwrite(buffer, 1, buffer_length, file) != buffer_length) return stdio_error("write");
  return iree_ok_status();
}

static iree_status_t stdio_stream_fill(iree_io_stream_t *base, iree_io_stream_pos_t count,
                                       const void *pattern, iree_host_size_t pattern_length) {
  uint8_t chunk[FILL_CHUNK_BYTES];
  const int64_t per_chunk = (int64_t)(sizeof(chunk) / pattern_length);
  for (int64_t i = 0; i < iree_min(per_chunk, count); ++i) {
    memcpy(chunk + (size_t)i * pattern_length, pattern, pattern_length);
  }
  while (count > 0) {
    const int64_t now = iree_min(per_chunk, count);
    IREE_RETURN_IF_ERROR(stdio_stream_write(base, (size_t)now * pattern_length, chunk));
    count -= now;
  }
  return iree_ok_status();
}

static iree_status_t unmappable(void) {
  return iree_make_status(IREE_STATUS_UNAVAILABLE, "C files cannot be mapped; map a file handle");
}
static iree_status_t stdio_stream_map_read(iree_io_stream_t *base, iree_host_size_t length,
                                           iree_const_byte_span_t *out_span) {
  (void)base, (void)length, (void)out_span;
  return unmappable();
}
static iree_status_t stdio_stream_map_write(iree_io_stream_t *base, iree_host_size_t length,
                                            iree_byte_span_t *out_span) {
  (void)base, (void)length, (void)out_span;
  return unmappable();
}

static const iree_io_stream_vtable_t stdio_stream_vtable = {
    .destroy = stdio_stream_destroy,
    .offset = stdio_stream_offset,
    .length = stdio_stream_length,
    .seek = stdio_stream_seek,
    .read = stdio_stream_read,
    .write = stdio_stream_write,
    .fill = stdio_stream_fill,
    .map_read = stdio_stream_map_read,
    .map_write = stdio_stream_map_write,
};

iree_status_t iree_io_stdio_stream_wrap(iree_io_stream_mode_t mode, FILE *handle, bool owns_handle,
                                        iree_allocator_t host_allocator,
                                        iree_io_stream_t **out_stream) {
  *out_stream = NULL;
  stdio_stream_t *stream = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*stream), (void **)&stream));
  iree_atomic_ref_count_init(&stream->base.ref_count);
  stream->base.vtable = &stdio_stream_vtable;
  stream->base.mode = mode & ~(iree_io_stream_mode_t)IREE_IO_STREAM_MODE_MAPPABLE;
  stream->host_allocator = host_allocator;
  stream->file = handle;
  stream->owns_file = owns_handle;
  *out_stream = &stream->base;
  return iree_ok_status();
}

static iree_status_t open_flags(iree_io_stdio_stream_mode_t mode, int *out_flags) {
  static const int by_access[] = {-1, O_RDONLY, O_WRONLY, O_RDWR};
  const int access = by_access[(mode & IREE_IO_STDIO_STREAM_MODE_READ ? 1 : 0) +
                               (mode & IREE_IO_STDIO_STREAM_MODE_WRITE ? 2 : 0)];
  if (access < 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "a stream is read or written or both");
  }
  *out_flags = access;
  if (mode & IREE_IO_STDIO_STREAM_MODE_DISCARD) *out_flags |= O_CREAT | O_TRUNC;
  if (mode & IREE_IO_STDIO_STREAM_MODE_APPEND) *out_flags |= O_CREAT | O_APPEND;
  return iree_ok_status();
}

// Takes |fd|, also when it fails.
static iree_status_t open_descriptor(iree_io_stdio_stream_mode_t mode, int flags, int fd,
                                     iree_allocator_t host_allocator,
                                     iree_io_stream_t **out_stream) {
  static const char *const by_access[] = {"rb", "wb", "r+b"};
  const int access = flags & O_ACCMODE;
  FILE *file = fdopen(fd, flags & O_APPEND ? (access == O_RDWR ? "a+b" : "ab")
                                           : by_access[access == O_RDONLY   ? 0
                                                       : access == O_WRONLY ? 1
                                                                            : 2]);
  if (!file) {
    const int error = errno;
    close(fd);
    return descriptor_error(error, "open", IREE_SV("<descriptor>"));
  }
  const iree_io_stream_mode_t stream_mode =
      IREE_IO_STREAM_MODE_SEEKABLE |
      (mode & IREE_IO_STDIO_STREAM_MODE_READ ? IREE_IO_STREAM_MODE_READABLE : 0u) |
      (mode & IREE_IO_STDIO_STREAM_MODE_WRITE
           ? IREE_IO_STREAM_MODE_WRITABLE | IREE_IO_STREAM_MODE_RESIZABLE
           : 0u);
  iree_status_t status =
      iree_io_stdio_stream_wrap(stream_mode, file, true, host_allocator, out_stream);
  if (!iree_status_is_ok(status)) fclose(file);
  return status;
}

iree_status_t iree_io_stdio_stream_open(iree_io_stdio_stream_mode_t mode, iree_string_view_t path,
                                        iree_allocator_t host_allocator,
                                        iree_io_stream_t **out_stream) {
  *out_stream = NULL;
  int flags = 0, fd = -1;
  IREE_RETURN_IF_ERROR(open_flags(mode, &flags));
  IREE_RETURN_IF_ERROR(descriptor_open(path, flags, &fd));
  return open_descriptor(mode, flags, fd, host_allocator, out_stream);
}

iree_status_t iree_io_stdio_stream_open_fd(iree_io_stdio_stream_mode_t mode, int fd,
                                           iree_allocator_t host_allocator,
                                           iree_io_stream_t **out_stream) {
  *out_stream = NULL;
  int flags = 0;
  IREE_RETURN_IF_ERROR(open_flags(mode, &flags));
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return descriptor_error(errno, "duplicate", IREE_SV("<descriptor>"));
  return open_descriptor(mode, flags, copy, host_allocator, out_stream);
}
