// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files as sources and targets of queue reads and writes.
#ifndef IREE_HAL_FILE_H_
#define IREE_HAL_FILE_H_

#include "iree/base/api.h"
#include "iree/hal/buffer.h"
#include "iree/hal/queue.h"
#include "iree/hal/resource.h"
#include "iree/io/file_handle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_async_file_t iree_async_file_t;
typedef struct iree_hal_device_t iree_hal_device_t;
typedef struct iree_hal_file_t iree_hal_file_t;

enum iree_hal_external_file_flag_bits_t {
  IREE_HAL_EXTERNAL_FILE_FLAG_NONE = 0u,
};
typedef uint32_t iree_hal_external_file_flags_t;

// Makes a file of a handle, for use on |device|.
//   owns:   transfers ownership to the caller; retains the handle
//   errors: PERMISSION_DENIED   the handle does not allow |access|
//           INVALID_ARGUMENT    a descriptor of a directory or a stream
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_file_import(iree_hal_device_t *device,
                                                   iree_hal_queue_affinity_t queue_affinity,
                                                   iree_hal_memory_access_t access,
                                                   iree_io_file_handle_t *handle,
                                                   iree_hal_external_file_flags_t flags,
                                                   iree_hal_file_t **out_file);

// Called once when wrapped file memory is no longer used.
typedef struct iree_hal_file_release_callback_t {
  void(IREE_API_PTR *fn)(void *user_data);
  void *user_data;
} iree_hal_file_release_callback_t;

// Makes a file of host memory.
//   owns:   transfers ownership to the caller; |contents| stays alive until |release_callback| runs
//   errors: RESOURCE_EXHAUSTED  no host memory; |release_callback| is then not called
IREE_API_EXPORT iree_status_t
iree_hal_memory_file_wrap(iree_hal_memory_access_t access, iree_byte_span_t contents,
                          iree_hal_file_release_callback_t release_callback,
                          iree_allocator_t host_allocator, iree_hal_file_t **out_file);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_file_retain(iree_hal_file_t *file);
IREE_API_EXPORT void iree_hal_file_release(iree_hal_file_t *file);

// Facts about a file: what may be done with it, how long it is, whether read and write below work,
// and, for some, the buffer or the asynchronous handle behind it (else null).
//   units:  bytes
//   owns:   results are borrowed from |file| until it is released
//   errors: none
IREE_API_EXPORT iree_hal_memory_access_t iree_hal_file_allowed_access(iree_hal_file_t *file);
IREE_API_EXPORT uint64_t iree_hal_file_length(iree_hal_file_t *file);
IREE_API_EXPORT bool iree_hal_file_supports_synchronous_io(iree_hal_file_t *file);
IREE_API_EXPORT iree_hal_buffer_t *iree_hal_file_storage_buffer(iree_hal_file_t *file);
IREE_API_EXPORT iree_async_file_t *iree_hal_file_async_handle(iree_hal_file_t *file);

// Moves bytes between a file and a buffer, in the caller.
//   units:  bytes
//   errors: OUT_OF_RANGE       a range leaves the file or the buffer
//           PERMISSION_DENIED  the file or the buffer forbids it
IREE_API_EXPORT iree_status_t
iree_hal_file_validate_access(iree_hal_file_t *file, iree_hal_memory_access_t required_access);
IREE_API_EXPORT iree_status_t iree_hal_file_read(iree_hal_file_t *file, uint64_t file_offset,
                                                 iree_hal_buffer_t *buffer,
                                                 iree_device_size_t buffer_offset,
                                                 iree_device_size_t length);
IREE_API_EXPORT iree_status_t iree_hal_file_write(iree_hal_file_t *file, uint64_t file_offset,
                                                  iree_hal_buffer_t *buffer,
                                                  iree_device_size_t buffer_offset,
                                                  iree_device_size_t length);

typedef struct iree_hal_file_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_file_t *file);
  iree_hal_memory_access_t(IREE_API_PTR *allowed_access)(iree_hal_file_t *file);
  uint64_t(IREE_API_PTR *length)(iree_hal_file_t *file);
  iree_hal_buffer_t *(IREE_API_PTR *storage_buffer)(iree_hal_file_t *file);
  iree_async_file_t *(IREE_API_PTR *async_handle)(iree_hal_file_t *file);
  bool(IREE_API_PTR *supports_synchronous_io)(iree_hal_file_t *file);
  iree_status_t(IREE_API_PTR *read)(iree_hal_file_t *file, uint64_t file_offset,
                                    iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                    iree_device_size_t length);
  iree_status_t(IREE_API_PTR *write)(iree_hal_file_t *file, uint64_t file_offset,
                                     iree_hal_buffer_t *buffer, iree_device_size_t buffer_offset,
                                     iree_device_size_t length);
} iree_hal_file_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_file_vtable_t);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_FILE_H_
