// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// File handles and views of them.
#include "iree/io/file_handle.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/file.h"
#include "iree/base/internal/atomics.h"
#include "base/io/file_range.h"

//===-- handles -------------------------------------------------------------------------------===//

struct iree_io_file_handle_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t host_allocator;
  iree_io_file_access_t access;
  iree_io_file_mode_t mode;
  iree_io_file_handle_primitive_t primitive;
  iree_io_file_handle_release_callback_t release_callback;
};

iree_status_t iree_io_file_handle_wrap(iree_io_file_access_t allowed_access,
                                       iree_io_file_mode_t mode,
                                       iree_io_file_handle_primitive_t handle_primitive,
                                       iree_io_file_handle_release_callback_t release_callback,
                                       iree_allocator_t host_allocator,
                                       iree_io_file_handle_t **out_handle) {
  *out_handle = NULL;
  iree_io_file_handle_t *handle = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*handle), (void **)&handle));
  iree_atomic_ref_count_init(&handle->ref_count);
  handle->host_allocator = host_allocator;
  handle->access = allowed_access;
  handle->mode = mode;
  handle->primitive = handle_primitive;
  handle->release_callback = release_callback;
  *out_handle = handle;
  return iree_ok_status();
}

iree_status_t iree_io_file_handle_wrap_host_allocation(
    iree_io_file_access_t allowed_access, iree_byte_span_t host_allocation,
    iree_io_file_handle_release_callback_t release_callback, iree_allocator_t host_allocator,
    iree_io_file_handle_t **out_handle) {
  const iree_io_file_handle_primitive_t primitive = {
      .type = IREE_IO_FILE_HANDLE_TYPE_HOST_ALLOCATION,
      .value = {.host_allocation = host_allocation},
  };
  return iree_io_file_handle_wrap(allowed_access, IREE_IO_FILE_MODE_NONE, primitive,
                                  release_callback, host_allocator, out_handle);
}

void iree_io_file_handle_retain(iree_io_file_handle_t *handle) {
  if (handle) iree_atomic_ref_count_inc(&handle->ref_count);
}

void iree_io_file_handle_release(iree_io_file_handle_t *handle) {
  if (!handle || iree_atomic_ref_count_dec(&handle->ref_count) != 1) return;
  if (handle->release_callback.fn) {
    handle->release_callback.fn(handle->release_callback.user_data, handle->primitive);
  }
  iree_allocator_free(handle->host_allocator, handle);
}

iree_io_file_access_t iree_io_file_handle_access(const iree_io_file_handle_t *handle) {
  return handle->access;
}
iree_io_file_handle_primitive_t iree_io_file_handle_primitive(const iree_io_file_handle_t *handle) {
  return handle->primitive;
}
bool iree_io_file_handle_uses_async_io(const iree_io_file_handle_t *handle) {
  return iree_all_bits_set(handle->mode, IREE_IO_FILE_MODE_ASYNC);
}

iree_status_t iree_io_file_handle_flush(iree_io_file_handle_t *handle) {
  if (handle->primitive.type == IREE_IO_FILE_HANDLE_TYPE_FD && fsync(handle->primitive.value.fd) &&
      errno != EINVAL) {  // pipes have nothing to flush
    return descriptor_error(errno, "flush", IREE_SV("<descriptor>"));
  }
  return iree_ok_status();
}

iree_status_t file_handle_length(iree_io_file_handle_t *handle, uint64_t *out_length) {
  *out_length = 0;
  if (handle->primitive.type == IREE_IO_FILE_HANDLE_TYPE_FD) {
    return descriptor_length(handle->primitive.value.fd, out_length);
  }
  *out_length = handle->primitive.value.host_allocation.data_length;
  return iree_ok_status();
}

//===-- platform files ------------------------------------------------------------------------===//

static void close_descriptor(void *user_data, iree_io_file_handle_primitive_t primitive) {
  (void)user_data;
  close(primitive.value.fd);
}

// Takes |fd|, also when it fails.
static iree_status_t wrap_descriptor(iree_io_file_mode_t mode, int fd,
                                     iree_allocator_t host_allocator,
                                     iree_io_file_handle_t **out_handle) {
  const iree_io_file_access_t access =
      (iree_all_bits_set(mode, IREE_IO_FILE_MODE_READ) ? IREE_IO_FILE_ACCESS_READ : 0u) |
      (iree_all_bits_set(mode, IREE_IO_FILE_MODE_WRITE) ? IREE_IO_FILE_ACCESS_WRITE : 0u);
  const iree_io_file_handle_primitive_t primitive = {.type = IREE_IO_FILE_HANDLE_TYPE_FD,
                                                     .value = {.fd = fd}};
  const iree_io_file_handle_release_callback_t release = {close_descriptor, NULL};
  iree_status_t status =
      iree_io_file_handle_wrap(access, mode, primitive, release, host_allocator, out_handle);
  if (!iree_status_is_ok(status)) close(fd);
  return status;
}

static int open_flags(iree_io_file_mode_t mode) {
  const bool can_read = iree_all_bits_set(mode, IREE_IO_FILE_MODE_READ);
  const bool can_write = iree_all_bits_set(mode, IREE_IO_FILE_MODE_WRITE);
  int flags = can_write ? (can_read ? O_RDWR : O_WRONLY) : O_RDONLY;
  if (iree_all_bits_set(mode, IREE_IO_FILE_MODE_OVERWRITE)) flags |= O_CREAT | O_TRUNC;
  return flags;
}

static iree_status_t open_path(iree_io_file_mode_t mode, iree_string_view_t path,
                               uint64_t initial_size, int *out_fd) {
  *out_fd = -1;
  if (iree_all_bits_set(mode,
                        IREE_IO_FILE_MODE_RANDOM_ACCESS | IREE_IO_FILE_MODE_SEQUENTIAL_SCAN)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "a file is for random access or for a scan, not for both");
  }
  if (initial_size > INT64_MAX) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "a file cannot have %" PRIu64 " bytes",
                            initial_size);
  }
  int fd = -1;
  IREE_RETURN_IF_ERROR(descriptor_open(path, open_flags(mode), &fd));
  iree_status_t status = iree_ok_status();
  if (iree_all_bits_set(mode, IREE_IO_FILE_MODE_OVERWRITE) && ftruncate(fd, (off_t)initial_size)) {
    status = iree_status_annotate_f(descriptor_error(errno, "extend", path), "to %" PRIu64 " bytes",
                                    initial_size);
  }
  if (iree_status_is_ok(status) && iree_all_bits_set(mode, IREE_IO_FILE_MODE_TEMPORARY)) {
    char name[4096];
    memcpy(name, path.data, path.size);  // descriptor_open checked the length
    name[path.size] = 0;
    if (unlink(name)) status = descriptor_error(errno, "unlink", path);
  }
  if (!iree_status_is_ok(status)) {
    close(fd);
    return status;
  }
  *out_fd = fd;
  return status;
}

static iree_status_t create_or_open(iree_io_file_mode_t mode, iree_string_view_t path,
                                    uint64_t initial_size, iree_allocator_t host_allocator,
                                    iree_io_file_handle_t **out_handle) {
  *out_handle = NULL;
  int fd = -1;
  IREE_RETURN_IF_ERROR(open_path(mode, path, initial_size, &fd));
  return wrap_descriptor(mode, fd, host_allocator, out_handle);
}

iree_status_t iree_io_file_handle_create(iree_io_file_mode_t mode, iree_string_view_t path,
                                         uint64_t initial_size, iree_allocator_t host_allocator,
                                         iree_io_file_handle_t **out_handle) {
  return create_or_open(mode | IREE_IO_FILE_MODE_OVERWRITE, path, initial_size, host_allocator,
                        out_handle);
}

iree_status_t iree_io_file_handle_open(iree_io_file_mode_t mode, iree_string_view_t path,
                                       iree_allocator_t host_allocator,
                                       iree_io_file_handle_t **out_handle) {
  return create_or_open(mode, path, 0, host_allocator, out_handle);
}

iree_status_t iree_io_file_handle_open_fd(iree_io_file_mode_t mode, int fd,
                                          iree_allocator_t host_allocator,
                                          iree_io_file_handle_t **out_handle) {
  *out_handle = NULL;
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return descriptor_error(errno, "duplicate", IREE_SV("<descriptor>"));
  return wrap_descriptor(mode, copy, host_allocator, out_handle);
}

static void release_contents(void *user_data, iree_io_file_handle_primitive_t primitive) {
  (void)primitive;
  file_contents_t *contents = (file_contents_t *)user_data;
  iree_allocator_t allocator = contents->allocator;
  file_contents_release(contents);
  iree_allocator_free(allocator, contents);
}

iree_status_t iree_io_file_handle_preload(iree_io_file_mode_t mode, iree_string_view_t path,
                                          iree_allocator_t host_allocator,
                                          iree_io_file_handle_t **out_handle) {
  *out_handle = NULL;
  file_contents_t *contents = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc(host_allocator, sizeof(*contents), (void **)&contents));
  iree_status_t status = file_contents_read(path, host_allocator, contents);
  contents->allocator = host_allocator;
  const iree_io_file_handle_release_callback_t release = {release_contents, contents};
  if (iree_status_is_ok(status)) {
    const iree_io_file_access_t access =
        iree_all_bits_set(mode, IREE_IO_FILE_MODE_WRITE)
            ? IREE_IO_FILE_ACCESS_READ | IREE_IO_FILE_ACCESS_WRITE
            : IREE_IO_FILE_ACCESS_READ;
    status = iree_io_file_handle_wrap_host_allocation(
        access, iree_cast_const_byte_span(contents->data), release, host_allocator, out_handle);
  }
  if (!iree_status_is_ok(status)) {
    release_contents(contents, (iree_io_file_handle_primitive_t){0});
  }
  return status;
}

//===-- views ---------------------------------------------------------------------------------===//

struct iree_io_file_mapping_t {
  iree_atomic_ref_count_t ref_count;
  iree_allocator_t host_allocator;
  iree_io_file_handle_t *handle;
  iree_io_file_access_t access;
  void *base;  // what to unmap, null: nothing
  iree_host_size_t base_length;
  iree_byte_span_t contents;
};

static iree_status_t check_view(iree_io_file_handle_t *handle, iree_io_file_access_t access,
                                iree_io_file_mapping_flags_t flags) {
  // Writes to a private view never reach the file.
  if (iree_all_bits_set(flags, IREE_IO_FILE_MAPPING_FLAG_PRIVATE)) {
    access &= ~(iree_io_file_access_t)IREE_IO_FILE_ACCESS_WRITE;
  }
  if (iree_all_bits_set(handle->access, access)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_PERMISSION_DENIED,
                          "the file was opened for %s and cannot be mapped for %s",
                          handle->access & IREE_IO_FILE_ACCESS_WRITE ? "writing" : "reading",
                          access & IREE_IO_FILE_ACCESS_WRITE ? "writing" : "reading");
}

static void advise(const iree_io_file_mapping_t *mapping, iree_io_file_mapping_flags_t flags) {
  static const struct {
    iree_io_file_mapping_flags_t flag;
    int advice;
  } rows[] = {
      {IREE_IO_FILE_MAPPING_FLAG_SEQUENTIAL_ACCESS, MADV_SEQUENTIAL},
#ifdef MADV_HUGEPAGE
      {IREE_IO_FILE_MAPPING_FLAG_LARGE_PAGES, MADV_HUGEPAGE},
#endif
#ifdef MADV_DONTDUMP
      {IREE_IO_FILE_MAPPING_FLAG_EXCLUDE_FROM_DUMPS, MADV_DONTDUMP},
#endif
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {  // hints; a kernel may not know them
    if (flags & rows[i].flag) madvise(mapping->base, mapping->base_length, rows[i].advice);
  }
}

static iree_status_t map_contents(iree_io_file_mapping_t *mapping,
                                  iree_io_file_mapping_flags_t flags, uint64_t offset,
                                  iree_host_size_t length) {
  const iree_io_file_handle_primitive_t primitive = mapping->handle->primitive;
  if (primitive.type != IREE_IO_FILE_HANDLE_TYPE_FD) {
    uint8_t *data = primitive.value.host_allocation.data;
    mapping->contents = iree_make_byte_span(data ? data + offset : NULL, length);
    return iree_ok_status();
  }
  if (length == 0) return iree_ok_status();  // nothing to map, which mmap refuses
  iree_host_size_t slack = 0;
  IREE_RETURN_IF_ERROR(descriptor_map(
      primitive.value.fd, (mapping->access & IREE_IO_FILE_ACCESS_WRITE) != 0,
      (flags & IREE_IO_FILE_MAPPING_FLAG_PRIVATE) != 0, offset, length, &mapping->base, &slack));
  mapping->base_length = length + slack;
  mapping->contents = iree_make_byte_span((uint8_t *)mapping->base + slack, length);
  advise(mapping, flags);
  return iree_ok_status();
}

iree_status_t iree_io_file_map_view(iree_io_file_handle_t *handle, iree_io_file_access_t access,
                                    uint64_t offset, iree_host_size_t length,
                                    iree_io_file_mapping_flags_t flags,
                                    iree_allocator_t host_allocator,
                                    iree_io_file_mapping_t **out_mapping) {
  *out_mapping = NULL;
  IREE_RETURN_IF_ERROR(check_view(handle, access, flags));
  uint64_t file_length = 0;
  IREE_RETURN_IF_ERROR(file_handle_length(handle, &file_length));
  if (length == IREE_HOST_SIZE_MAX && offset <= file_length &&
      file_length - offset < IREE_HOST_SIZE_MAX) {
    length = (iree_host_size_t)(file_length - offset);
  }
  if (!iree_range_is_within(offset, length, file_length)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "bytes %" PRIu64 " + %" PRIhsz " are not in a file of %" PRIu64
                            " bytes",
                            offset, length, file_length);
  }
  iree_io_file_mapping_t *mapping = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(host_allocator, sizeof(*mapping), (void **)&mapping));
  iree_atomic_ref_count_init(&mapping->ref_count);
  mapping->host_allocator = host_allocator;
  mapping->handle = handle;
  mapping->access = access;
  iree_io_file_handle_retain(handle);
  iree_status_t status = map_contents(mapping, flags, offset, length);
  if (!iree_status_is_ok(status)) {
    iree_io_file_mapping_release(mapping);
    return status;
  }
  *out_mapping = mapping;
  return iree_ok_status();
}

void iree_io_file_mapping_retain(iree_io_file_mapping_t *mapping) {
  if (mapping) iree_atomic_ref_count_inc(&mapping->ref_count);
}

void iree_io_file_mapping_release(iree_io_file_mapping_t *mapping) {
  if (!mapping || iree_atomic_ref_count_dec(&mapping->ref_count) != 1) return;
  if (mapping->base) munmap(mapping->base, mapping->base_length);
  iree_io_file_handle_release(mapping->handle);
  iree_allocator_free(mapping->host_allocator, mapping);
}

iree_host_size_t iree_io_file_mapping_length(const iree_io_file_mapping_t *mapping) {
  return mapping->contents.data_length;
}
iree_const_byte_span_t iree_io_file_mapping_contents_ro(const iree_io_file_mapping_t *mapping) {
  return iree_const_cast_byte_span(mapping->contents);
}
iree_byte_span_t iree_io_file_mapping_contents_rw(iree_io_file_mapping_t *mapping) {
  return mapping->access & IREE_IO_FILE_ACCESS_WRITE ? mapping->contents : iree_byte_span_empty();
}
