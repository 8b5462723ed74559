// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "iree/io/file_contents.h"

#include "base/file.h"

typedef struct contents_t {
  iree_io_file_contents_t base;
  file_contents_t file;  // of contents that were read
} contents_t;

static iree_status_t contents_create(iree_allocator_t allocator, contents_t **out_contents) {
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, sizeof(**out_contents), (void **)out_contents));
  memset(*out_contents, 0, sizeof(**out_contents));
  (*out_contents)->base.allocator = allocator;
  return iree_ok_status();
}

void iree_io_file_contents_free(iree_io_file_contents_t *contents) {
  if (!contents) return;
  file_contents_release(&((contents_t *)contents)->file);
  iree_io_file_mapping_release(contents->mapping);
  iree_allocator_free(contents->allocator, contents);
}

static iree_status_t free_only(void *self, iree_allocator_command_t command, const void *params, void **inout_ptr) {
  (void)params, (void)inout_ptr;
  if (command != IREE_ALLOCATOR_COMMAND_FREE)
    return iree_make_status(IREE_STATUS_FAILED_PRECONDITION, "this allocator frees a file's contents and does nothing else");
  iree_io_file_contents_free((iree_io_file_contents_t *)self);
  return iree_ok_status();
}

iree_allocator_t iree_io_file_contents_deallocator(iree_io_file_contents_t *contents) {
  iree_allocator_t allocator = {contents, free_only};
  return allocator;
}

iree_status_t iree_io_file_contents_read(iree_string_view_t path, iree_allocator_t host_allocator,
                                         iree_io_file_contents_t **out_contents) {
  *out_contents = NULL;
  contents_t *contents = NULL;
  IREE_RETURN_IF_ERROR(contents_create(host_allocator, &contents));
  iree_status_t status = file_contents_read(path, host_allocator, &contents->file);
  if (!iree_status_is_ok(status)) {
    iree_allocator_free(host_allocator, contents);
    return status;
  }
  contents->base.const_buffer = contents->file.data;
  *out_contents = &contents->base;
  return iree_ok_status();
}

iree_status_t iree_io_file_contents_read_stdin(iree_allocator_t host_allocator, iree_io_file_contents_t **out_contents) {
  return iree_io_file_contents_read(IREE_SV("-"), host_allocator, out_contents);
}

static iree_status_t map_file(iree_string_view_t path, iree_io_file_access_t access, contents_t *contents) {
  const bool writes = (access & IREE_IO_FILE_ACCESS_WRITE) != 0;
  iree_io_file_handle_t *handle = NULL;
  IREE_RETURN_IF_ERROR(iree_io_file_handle_open(IREE_IO_FILE_MODE_READ | (writes ? IREE_IO_FILE_MODE_WRITE : 0), path,
                                                contents->base.allocator, &handle));
  iree_status_t status = iree_io_file_map_view(handle, access, 0, IREE_HOST_SIZE_MAX, 0, contents->base.allocator,
                                               &contents->base.mapping);
  iree_io_file_handle_release(handle);  // the mapping keeps it
  IREE_RETURN_IF_ERROR(status);
  if (writes) contents->base.buffer = iree_io_file_mapping_contents_rw(contents->base.mapping);
  else contents->base.const_buffer = iree_io_file_mapping_contents_ro(contents->base.mapping);
  return iree_ok_status();
}

iree_status_t iree_io_file_contents_map(iree_string_view_t path, iree_io_file_access_t access,
                                        iree_allocator_t host_allocator, iree_io_file_contents_t **out_contents) {
  *out_contents = NULL;
  contents_t *contents = NULL;
  IREE_RETURN_IF_ERROR(contents_create(host_allocator, &contents));
  iree_status_t status = map_file(path, access, contents);
  if (!iree_status_is_ok(status)) {
    iree_io_file_contents_free(&contents->base);
    return status;
  }
  *out_contents = &contents->base;
  return iree_ok_status();
}

iree_status_t iree_io_file_contents_write(iree_string_view_t path, iree_const_byte_span_t contents,
                                          iree_allocator_t host_allocator) {
  (void)host_allocator;
  return file_write(path, false, &contents, 1);
}
