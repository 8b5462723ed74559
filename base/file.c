// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File contents for the tools (file.h), over POSIX calls.

#include "base/file.h"

#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_ALIGNMENT = 64, FILE_READ_CHUNK = 64 * 1024 };

static iree_status_t file_open_for_reading(iree_string_view_t path, int *out_fd,
                                           struct stat *out_stat) {
  IREE_RETURN_IF_ERROR(descriptor_open(path, O_RDONLY, out_fd));
  int error = fstat(*out_fd, out_stat) ? errno : S_ISDIR(out_stat->st_mode) ? EISDIR : 0;
  if (!error) return iree_ok_status();
  close(*out_fd);
  return descriptor_error(error, "read", path);
}

typedef struct growing_buffer_t {
  void *allocation;
  uint8_t *data;  // inside |allocation|, aligned
  iree_host_size_t length;
  iree_host_size_t capacity;
} growing_buffer_t;

static iree_status_t growing_buffer_reserve(growing_buffer_t *buffer, iree_host_size_t capacity,
                                            iree_allocator_t allocator) {
  if (capacity <= buffer->capacity) return iree_ok_status();
  iree_host_size_t total = 0;
  void *allocation = NULL;
  if (!iree_host_size_checked_add(capacity, FILE_ALIGNMENT, &total)) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "file larger than memory");
  }
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_uninitialized(allocator, total, &allocation));
  uint8_t *data =
      (uint8_t *)(((uintptr_t)allocation + FILE_ALIGNMENT - 1) & ~(uintptr_t)(FILE_ALIGNMENT - 1));
  if (buffer->length) memcpy(data, buffer->data, buffer->length);
  iree_allocator_free(allocator, buffer->allocation);
  buffer->allocation = allocation;
  buffer->data = data;
  buffer->capacity = capacity;
  return iree_ok_status();
}

// Reads |fd| to its end; |size_hint| is what the file system says, pipes say 0.
static iree_status_t read_to_end(int fd, iree_host_size_t size_hint, iree_string_view_t path,
                                 iree_allocator_t allocator, growing_buffer_t *buffer) {
  // One byte more than the hint, so that the end shows without growing.
  IREE_RETURN_IF_ERROR(
      growing_buffer_reserve(buffer, size_hint ? size_hint + 1 : FILE_READ_CHUNK, allocator));
  for (;;) {
    if (buffer->length == buffer->capacity) {
      if (buffer->capacity > IREE_HOST_SIZE_MAX / 2) return descriptor_error(EFBIG, "read", path);
      IREE_RETURN_IF_ERROR(growing_buffer_reserve(buffer, buffer->capacity * 2, allocator));
    }
    const ssize_t n = read(fd, buffer->data + buffer->length, buffer->capacity - buffer->length);
    if (n == 0) return iree_ok_status();
    if (n > 0) {
      buffer->length += (iree_host_size_t)n;
    } else if (errno != EINTR) {
      return descriptor_error(errno, "read", path);
    }
  }
}

static iree_status_t read_descriptor(int fd, iree_host_size_t size_hint, iree_string_view_t path,
                                     iree_allocator_t allocator, file_contents_t *out_contents) {
  growing_buffer_t buffer = {0};
  iree_status_t status = read_to_end(fd, size_hint, path, allocator, &buffer);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(allocator, buffer.allocation);
    return status;
  }
  *out_contents = (file_contents_t){.data = iree_make_const_byte_span(buffer.data, buffer.length),
                                    .allocator = allocator,
                                    .allocation = buffer.allocation};
  return iree_ok_status();
}

iree_status_t file_contents_read(iree_string_view_t path, iree_allocator_t allocator,
                                 file_contents_t *out_contents) {
  memset(out_contents, 0, sizeof(*out_contents));
  if (iree_string_view_equal(path, IREE_SV("-"))) {
    return read_descriptor(STDIN_FILENO, 0, IREE_SV("<stdin>"), allocator, out_contents);
  }
  int fd = -1;
  struct stat info;
  IREE_RETURN_IF_ERROR(file_open_for_reading(path, &fd, &info));
  iree_status_t status =
      read_descriptor(fd, (iree_host_size_t)info.st_size, path, allocator, out_contents);
  close(fd);
  return status;
}

iree_status_t file_contents_map(iree_string_view_t path, iree_allocator_t allocator,
                                file_contents_t *out_contents) {
  memset(out_contents, 0, sizeof(*out_contents));
  if (iree_string_view_equal(path, IREE_SV("-")))
    return file_contents_read(path, allocator, out_contents);
  int fd = -1;
  struct stat info;
  IREE_RETURN_IF_ERROR(file_open_for_reading(path, &fd, &info));
  if (info.st_size == 0) {
    close(fd);
    return file_contents_read(path, allocator, out_contents);
  }
  const iree_host_size_t length = (iree_host_size_t)info.st_size;
  void *mapping = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
  const int error = errno;
  close(fd);
  if (mapping == MAP_FAILED) return descriptor_error(error, "map", path);
  *out_contents =
      (file_contents_t){.data = iree_make_const_byte_span((const uint8_t *)mapping, length),
                        .allocator = allocator,
                        .mapping = mapping,
                        .mapping_length = length};
  return iree_ok_status();
}

void file_contents_release(file_contents_t *contents) {
  if (contents->mapping) munmap(contents->mapping, contents->mapping_length);
  if (contents->allocation) iree_allocator_free(contents->allocator, contents->allocation);
  memset(contents, 0, sizeof(*contents));
}

// Returns 0 or an errno value.
static int write_all(int fd, iree_const_byte_span_t data) {
  for (iree_host_size_t offset = 0; offset < data.data_length;) {
    const ssize_t n = write(fd, data.data + offset, data.data_length - offset);
    if (n > 0) {
      offset += (iree_host_size_t)n;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

iree_status_t file_create(iree_string_view_t path, int *out_fd) {
  return descriptor_open(path, O_WRONLY | O_CREAT | O_TRUNC, out_fd);
}

iree_status_t file_check_writable(iree_string_view_t path) {
  int fd = -1;
  struct stat info;
  iree_status_t status = descriptor_open(path, O_PATH, &fd);
  if (iree_status_is_ok(status)) {
    const int error = fstat(fd, &info) ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
    close(fd);
    if (error) return descriptor_error(error, "write", path);
    if (!S_ISREG(info.st_mode)) return iree_ok_status();  // the reader of a pipe would see its end
    IREE_RETURN_IF_ERROR(descriptor_open(path, O_WRONLY, &fd));
    close(fd);
    return iree_ok_status();
  }
  if (!iree_status_is_not_found(status)) return status;
  iree_status_ignore(status);
  status = descriptor_open(path, O_WRONLY | O_CREAT | O_EXCL, &fd);
  if (iree_status_is_already_exists(status)) {  // a link to nothing
    iree_status_ignore(status);
    return iree_ok_status();
  }
  IREE_RETURN_IF_ERROR(status);
  close(fd);
  char name[4096];  // as long as what descriptor_open takes
  snprintf(name, sizeof(name), "%.*s", IREE_SV_ARGS(path));
  unlink(name);
  return iree_ok_status();
}

iree_status_t file_write(iree_string_view_t path, bool append, const iree_const_byte_span_t *parts,
                         iree_host_size_t part_count) {
  int fd = -1;
  IREE_RETURN_IF_ERROR(descriptor_open(path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), &fd));
  int error = 0;
  for (iree_host_size_t i = 0; i < part_count && !error; ++i) error = write_all(fd, parts[i]);
  if (close(fd) && !error) error = errno;
  return error ? descriptor_error(error, "write", path) : iree_ok_status();
}
