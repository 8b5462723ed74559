// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// File descriptors over POSIX calls (descriptor.h).

#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

iree_status_t descriptor_error(int error, const char *verb, iree_string_view_t path) {
  return iree_make_status(iree_status_code_from_errno(error), "failed to %s file '%.*s': %s", verb,
                          IREE_SV_ARGS(path), strerror(error));
}

iree_status_t descriptor_open(iree_string_view_t path, int flags, int *out_fd) {
  *out_fd = -1;
  char name[4096];
  if (path.size >= sizeof(name) || memchr(path.data, 0, path.size)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "file path is too long or holds a NUL");
  }
  memcpy(name, path.data, path.size);
  name[path.size] = 0;
  const int fd = open(name, flags | O_CLOEXEC, 0666);
  if (fd < 0) return descriptor_error(errno, "open", path);
  *out_fd = fd;
  return iree_ok_status();
}

iree_status_t descriptor_length(int fd, uint64_t *out_length) {
  *out_length = 0;
  struct stat info;
  if (fstat(fd, &info)) return descriptor_error(errno, "query", IREE_SV("<descriptor>"));
  if (!S_ISREG(info.st_mode)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "not a regular file; a directory or a stream has no length");
  }
  *out_length = (uint64_t)info.st_size;
  return iree_ok_status();
}

// off_t is signed: nothing lies beyond.
static iree_status_t check_offset(uint64_t offset, iree_host_size_t length) {
  if (iree_range_is_within(offset, length, INT64_MAX)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "file offset %" PRIu64 " is out of range",
                          offset);
}

iree_status_t descriptor_read(int fd, uint64_t offset, iree_byte_span_t target) {
  IREE_RETURN_IF_ERROR(check_offset(offset, target.data_length));
  for (iree_host_size_t done = 0; done < target.data_length;) {
    const ssize_t n =
        pread(fd, target.data + done, target.data_length - done, (off_t)(offset + done));
    if (n > 0) {
      done += (iree_host_size_t)n;
    } else if (n == 0) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "the file ends at %" PRIu64 ", %" PRIhsz
                              " bytes before the end of what is to be read",
                              offset + done, target.data_length - done);
    } else if (errno != EINTR) {
      return descriptor_error(errno, "read", IREE_SV("<descriptor>"));
    }
  }
  return iree_ok_status();
}

iree_status_t descriptor_write(int fd, uint64_t offset, iree_const_byte_span_t source) {
  IREE_RETURN_IF_ERROR(check_offset(offset, source.data_length));
  for (iree_host_size_t done = 0; done < source.data_length;) {
    const ssize_t n =
        pwrite(fd, source.data + done, source.data_length - done, (off_t)(offset + done));
    if (n > 0) {
      done += (iree_host_size_t)n;
    } else if (n == 0 || errno != EINTR) {
      return descriptor_error(n == 0 ? ENOSPC : errno, "write", IREE_SV("<descriptor>"));
    }
  }
  return iree_ok_status();
}

iree_status_t descriptor_map(int fd, bool is_writable, bool is_private, uint64_t offset,
                             iree_host_size_t length, void **out_base,
                             iree_host_size_t *out_slack) {
  *out_base = NULL;
  const iree_host_size_t page = (iree_host_size_t)sysconf(_SC_PAGESIZE);
  const iree_host_size_t slack = (iree_host_size_t)(offset & (page - 1));
  IREE_RETURN_IF_ERROR(check_offset(offset, length));
  iree_host_size_t total = 0;
  if (!iree_host_size_checked_add(length, slack, &total)) return check_offset(UINT64_MAX, length);
  void *base = mmap(NULL, total, PROT_READ | (is_writable ? PROT_WRITE : 0),
                    is_private ? MAP_PRIVATE : MAP_SHARED, fd, (off_t)(offset - slack));
  if (base == MAP_FAILED) return descriptor_error(errno, "map", IREE_SV("<descriptor>"));
  *out_base = base;
  *out_slack = slack;
  return iree_ok_status();
}
