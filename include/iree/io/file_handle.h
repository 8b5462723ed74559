// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of files: a piece of host memory, or a descriptor of the platform. A handle is counted and
// says what may be done with the file; views map parts of it into memory.
#ifndef IREE_IO_FILE_HANDLE_H_
#define IREE_IO_FILE_HANDLE_H_

#include <stdint.h>

#include "iree/base/api.h"

#ifdef __cplusplus
extern "C" {
#endif

enum iree_io_file_access_bits_t {
  IREE_IO_FILE_ACCESS_READ = 1u << 0,
  IREE_IO_FILE_ACCESS_WRITE = 1u << 1,
};
typedef uint32_t iree_io_file_access_t;

enum iree_io_file_mode_bits_t {
  IREE_IO_FILE_MODE_NONE = 0ull,
  IREE_IO_FILE_MODE_READ = 1ull << 0,
  IREE_IO_FILE_MODE_WRITE = 1ull << 1,
  // Hints of the access pattern; at most one.
  IREE_IO_FILE_MODE_RANDOM_ACCESS = 1ull << 2,
  IREE_IO_FILE_MODE_SEQUENTIAL_SCAN = 1ull << 3,
  // Past the system's cache, where there is such a thing.
  IREE_IO_FILE_MODE_DIRECT = 1ull << 4,
  // Gone when the last handle is.
  IREE_IO_FILE_MODE_TEMPORARY = 1ull << 5,
  // Others may open it meanwhile (systems with mandatory locks only).
  IREE_IO_FILE_MODE_SHARE_READ = 1ull << 6,
  IREE_IO_FILE_MODE_SHARE_WRITE = 1ull << 7,
  // Contents go away when it is opened.
  IREE_IO_FILE_MODE_OVERWRITE = 1ull << 8,
  IREE_IO_FILE_MODE_ASYNC = 1ull << 9,
};
typedef uint64_t iree_io_file_mode_t;

typedef enum iree_io_file_handle_type_e {
  IREE_IO_FILE_HANDLE_TYPE_HOST_ALLOCATION = 0u,
  IREE_IO_FILE_HANDLE_TYPE_FD,
} iree_io_file_handle_type_t;

typedef union iree_io_file_handle_primitive_value_t {
  iree_byte_span_t host_allocation;
  int fd;
} iree_io_file_handle_primitive_value_t;

typedef struct iree_io_file_handle_primitive_t {
  iree_io_file_handle_type_t type;
  iree_io_file_handle_primitive_value_t value;
} iree_io_file_handle_primitive_t;

// Called once when the last reference of a handle is gone.
typedef void(IREE_API_PTR *iree_io_file_handle_release_fn_t)(
    void *user_data, iree_io_file_handle_primitive_t handle_primitive);
typedef struct {
  iree_io_file_handle_release_fn_t fn;
  void *user_data;
} iree_io_file_handle_release_callback_t;

static inline iree_io_file_handle_release_callback_t
iree_io_file_handle_release_callback_null(void) {
  iree_io_file_handle_release_callback_t callback = {NULL, NULL};
  return callback;
}

typedef struct iree_io_file_handle_t iree_io_file_handle_t;

// Makes a handle of a file that is there already.
//   owns:   transfers ownership to the caller; the file stays alive until |release_callback| runs
//   errors: RESOURCE_EXHAUSTED  no host memory; |release_callback| is then not called
IREE_API_EXPORT iree_status_t iree_io_file_handle_wrap(
    iree_io_file_access_t allowed_access, iree_io_file_mode_t mode,
    iree_io_file_handle_primitive_t handle_primitive,
    iree_io_file_handle_release_callback_t release_callback, iree_allocator_t host_allocator,
    iree_io_file_handle_t **out_handle);
IREE_API_EXPORT iree_status_t iree_io_file_handle_wrap_host_allocation(
    iree_io_file_access_t allowed_access, iree_byte_span_t host_allocation,
    iree_io_file_handle_release_callback_t release_callback, iree_allocator_t host_allocator,
    iree_io_file_handle_t **out_handle);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_io_file_handle_retain(iree_io_file_handle_t *handle);
IREE_API_EXPORT void iree_io_file_handle_release(iree_io_file_handle_t *handle);

// Facts about a handle. The primitive is valid as long as the handle.
//   errors: none
IREE_API_EXPORT iree_io_file_access_t
iree_io_file_handle_access(const iree_io_file_handle_t *handle);
IREE_API_EXPORT iree_io_file_handle_primitive_t
iree_io_file_handle_primitive(const iree_io_file_handle_t *handle);
IREE_API_EXPORT bool iree_io_file_handle_uses_async_io(const iree_io_file_handle_t *handle);

static inline iree_io_file_handle_type_t iree_io_file_handle_type(
    const iree_io_file_handle_t *handle) {
  return iree_io_file_handle_primitive(handle).type;
}
static inline iree_io_file_handle_primitive_value_t iree_io_file_handle_value(
    const iree_io_file_handle_t *handle) {
  return iree_io_file_handle_primitive(handle).value;
}

// Brings what was written to where it is kept.
//   errors: DATA_LOSS / RESOURCE_EXHAUSTED / ...  as the system says
IREE_API_EXPORT iree_status_t iree_io_file_handle_flush(iree_io_file_handle_t *handle);

// Opens files of the platform: create makes one of |initial_size| zeros or replaces what is there;
// open_fd duplicates |fd|; preload reads all of it into memory.
//   units:  bytes
//   owns:   transfers ownership to the caller
//   errors: NOT_FOUND / PERMISSION_DENIED / ...  as the system says, naming the path
//           INVALID_ARGUMENT    two hints of the access pattern, a directory, a path too long
//           RESOURCE_EXHAUSTED  no host memory, no space
IREE_API_EXPORT iree_status_t iree_io_file_handle_create(iree_io_file_mode_t mode,
                                                         iree_string_view_t path,
                                                         uint64_t initial_size,
                                                         iree_allocator_t host_allocator,
                                                         iree_io_file_handle_t **out_handle);
IREE_API_EXPORT iree_status_t iree_io_file_handle_open(iree_io_file_mode_t mode,
                                                       iree_string_view_t path,
                                                       iree_allocator_t host_allocator,
                                                       iree_io_file_handle_t **out_handle);
IREE_API_EXPORT iree_status_t iree_io_file_handle_open_fd(iree_io_file_mode_t mode, int fd,
                                                          iree_allocator_t host_allocator,
                                                          iree_io_file_handle_t **out_handle);
IREE_API_EXPORT iree_status_t iree_io_file_handle_preload(iree_io_file_mode_t mode,
                                                          iree_string_view_t path,
                                                          iree_allocator_t host_allocator,
                                                          iree_io_file_handle_t **out_handle);

enum iree_io_file_mapping_flag_bits_t {
  IREE_IO_FILE_MAPPING_FLAG_NONE = 0u,
  IREE_IO_FILE_MAPPING_FLAG_SEQUENTIAL_ACCESS = 1ull << 0,
  IREE_IO_FILE_MAPPING_FLAG_LARGE_PAGES = 1ull << 1,
  IREE_IO_FILE_MAPPING_FLAG_EXCLUDE_FROM_DUMPS = 1ull << 2,
  // Writes stay in this mapping.
  IREE_IO_FILE_MAPPING_FLAG_PRIVATE = 1ull << 3,
};
typedef uint64_t iree_io_file_mapping_flags_t;

typedef struct iree_io_file_mapping_t iree_io_file_mapping_t;

// Maps a piece of a file; of a handle to host memory it is that memory. A length of
// IREE_HOST_SIZE_MAX means all from |offset| on.
//   units:  bytes
//   owns:   transfers ownership to the caller; retains the handle
//   thread: any thread; the contents are shared with all who map or write the file
//   errors: OUT_OF_RANGE        the piece leaves the file
//           PERMISSION_DENIED   the handle forbids |access|
//           RESOURCE_EXHAUSTED  no host memory, no addresses left
IREE_API_EXPORT iree_status_t iree_io_file_map_view(iree_io_file_handle_t *handle,
                                                    iree_io_file_access_t access, uint64_t offset,
                                                    iree_host_size_t length,
                                                    iree_io_file_mapping_flags_t flags,
                                                    iree_allocator_t host_allocator,
                                                    iree_io_file_mapping_t **out_mapping);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_io_file_mapping_retain(iree_io_file_mapping_t *mapping);
IREE_API_EXPORT void iree_io_file_mapping_release(iree_io_file_mapping_t *mapping);

// What is mapped; _rw is empty unless mapped for writing.
//   units:  bytes
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_io_file_mapping_length(const iree_io_file_mapping_t *mapping);
IREE_API_EXPORT iree_const_byte_span_t
iree_io_file_mapping_contents_ro(const iree_io_file_mapping_t *mapping);
IREE_API_EXPORT iree_byte_span_t
iree_io_file_mapping_contents_rw(iree_io_file_mapping_t *mapping);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_FILE_HANDLE_H_
