// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates buffers that a device can use, and wraps memory made elsewhere.
#ifndef IREE_HAL_ALLOCATOR_H_
#define IREE_HAL_ALLOCATOR_H_

#include <stdio.h>

#include "iree/base/api.h"
#include "iree/hal/buffer.h"

#ifdef __cplusplus
extern "C" {
#endif

// One kind of memory an allocator serves.
typedef struct iree_hal_allocator_memory_heap_t {
  iree_hal_memory_type_t type;
  iree_hal_buffer_usage_t allowed_usage;
  iree_device_size_t max_allocation_size;
  iree_device_size_t min_alignment;
} iree_hal_allocator_memory_heap_t;

enum iree_hal_buffer_compatibility_bits_t {
  IREE_HAL_BUFFER_COMPATIBILITY_NONE = 0u,
  IREE_HAL_BUFFER_COMPATIBILITY_ALLOCATABLE = 1u << 0,
  IREE_HAL_BUFFER_COMPATIBILITY_IMPORTABLE = 1u << 1,
  IREE_HAL_BUFFER_COMPATIBILITY_EXPORTABLE = 1u << 2,
  IREE_HAL_BUFFER_COMPATIBILITY_QUEUE_TRANSFER = 1u << 10,
  IREE_HAL_BUFFER_COMPATIBILITY_QUEUE_DISPATCH = 1u << 11,
  IREE_HAL_BUFFER_COMPATIBILITY_LOW_PERFORMANCE = 1u << 20,
};
typedef uint32_t iree_hal_buffer_compatibility_t;

// Compatibility bits as text.
//   owns:   the returned view is borrowed from |out_temp|
//   errors: parse: INVALID_ARGUMENT  an unknown name
IREE_API_EXPORT iree_status_t iree_hal_buffer_compatibility_parse(
    iree_string_view_t value, iree_hal_buffer_compatibility_t *out_value);
IREE_API_EXPORT iree_string_view_t iree_hal_buffer_compatibility_format(
    iree_hal_buffer_compatibility_t value, iree_bitfield_string_temp_t *out_temp);

typedef enum iree_hal_external_buffer_type_e {
  IREE_HAL_EXTERNAL_BUFFER_TYPE_NONE = 0,
  IREE_HAL_EXTERNAL_BUFFER_TYPE_HOST_ALLOCATION,
  IREE_HAL_EXTERNAL_BUFFER_TYPE_DEVICE_ALLOCATION,
  IREE_HAL_EXTERNAL_BUFFER_TYPE_OPAQUE_FD,
  IREE_HAL_EXTERNAL_BUFFER_TYPE_OPAQUE_WIN32,
} iree_hal_external_buffer_type_t;

enum iree_hal_external_buffer_flag_bits_t {
  IREE_HAL_EXTERNAL_BUFFER_FLAG_NONE = 0u,
};
typedef uint32_t iree_hal_external_buffer_flags_t;

// Memory made outside the HAL.
typedef struct iree_hal_external_buffer_t {
  iree_hal_external_buffer_type_t type;
  iree_hal_external_buffer_flags_t flags;
  iree_device_size_t size;
  union {
    struct {
      void *ptr;
    } host_allocation;
    struct {
      uint64_t ptr;
    } device_allocation;
    struct {
      int fd;
    } opaque_fd;
    struct {
      void *handle;
    } opaque_win32;
  } handle;
} iree_hal_external_buffer_t;

// Bytes since creation; "peak" is of what was live at one time.
typedef struct iree_hal_allocator_statistics_t {
  iree_device_size_t host_bytes_peak;
  iree_device_size_t host_bytes_allocated;
  iree_device_size_t host_bytes_freed;
  iree_device_size_t device_bytes_peak;
  iree_device_size_t device_bytes_allocated;
  iree_device_size_t device_bytes_freed;
} iree_hal_allocator_statistics_t;

// Appends the statistics as text, or prints an allocator's.
//   errors: RESOURCE_EXHAUSTED  no host memory for the text
IREE_API_EXPORT iree_status_t iree_hal_allocator_statistics_format(
    const iree_hal_allocator_statistics_t *statistics, iree_string_builder_t *builder);
IREE_API_EXPORT iree_status_t iree_hal_allocator_statistics_fprint(FILE *file,
                                                                   iree_hal_allocator_t *allocator);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_allocator_retain(iree_hal_allocator_t *allocator);
IREE_API_EXPORT void iree_hal_allocator_release(iree_hal_allocator_t *allocator);

// The host allocator that holds the allocator's own objects.
//   errors: none
IREE_API_EXPORT iree_allocator_t
iree_hal_allocator_host_allocator(const iree_hal_allocator_t *allocator);

// Gives unused cached memory back to the system.
//   thread: any thread
//   errors: none for host memory
IREE_API_EXPORT iree_status_t iree_hal_allocator_trim(iree_hal_allocator_t *allocator);

// Reads the counters.
//   thread: any thread
//   errors: none
IREE_API_EXPORT void iree_hal_allocator_query_statistics(
    iree_hal_allocator_t *allocator, iree_hal_allocator_statistics_t *out_statistics);

// Lists the heaps.
//   errors: OUT_OF_RANGE  |capacity| is too small; |out_count| has the need
IREE_API_EXPORT iree_status_t iree_hal_allocator_query_memory_heaps(
    iree_hal_allocator_t *allocator, iree_host_size_t capacity,
    iree_hal_allocator_memory_heap_t *heaps, iree_host_size_t *out_count);

// Says what can be done with memory of the given params, and how they would be widened.
//   units:  bytes; the out parameters may be null
//   errors: none; 0 means no
IREE_API_EXPORT iree_hal_buffer_compatibility_t iree_hal_allocator_query_buffer_compatibility(
    iree_hal_allocator_t *allocator, iree_hal_buffer_params_t params,
    iree_device_size_t allocation_size, iree_hal_buffer_params_t *out_params,
    iree_device_size_t *out_allocation_size);

// Allocates a buffer. Its contents are undefined.
//   units:  bytes; 0 is allowed
//   owns:   transfers ownership to the caller
//   thread: any thread
//   errors: RESOURCE_EXHAUSTED  no memory; INVALID_ARGUMENT  params that the allocator cannot serve
IREE_API_EXPORT iree_status_t iree_hal_allocator_allocate_buffer(iree_hal_allocator_t *allocator,
                                                                 iree_hal_buffer_params_t params,
                                                                 iree_device_size_t allocation_size,
                                                                 iree_hal_buffer_t **out_buffer);

// Wraps external memory as a buffer without a copy.
//   owns:   takes ownership of the memory on success only; |release_callback| gives it back
//   errors: UNIMPLEMENTED       a type of external memory that the allocator cannot use
//           INVALID_ARGUMENT    memory that is not aligned to IREE_HAL_HEAP_BUFFER_ALIGNMENT
IREE_API_EXPORT iree_status_t iree_hal_allocator_import_buffer(
    iree_hal_allocator_t *allocator, iree_hal_buffer_params_t params,
    iree_hal_external_buffer_t *external_buffer,
    iree_hal_buffer_release_callback_t release_callback, iree_hal_buffer_t **out_buffer);

// Exposes a buffer's memory.
//   owns:   the result is borrowed from |buffer| until it is released
//   errors: UNIMPLEMENTED  a type that the buffer does not have
IREE_API_EXPORT iree_status_t
iree_hal_allocator_export_buffer(iree_hal_allocator_t *allocator, iree_hal_buffer_t *buffer,
                                 iree_hal_external_buffer_type_t requested_type,
                                 iree_hal_external_buffer_flags_t requested_flags,
                                 iree_hal_external_buffer_t *out_external_buffer);

// Makes an allocator of plain host memory.
//   owns:   transfers ownership to the caller
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_allocator_create_heap(iree_string_view_t identifier,
                                                             iree_allocator_t data_allocator,
                                                             iree_allocator_t host_allocator,
                                                             iree_hal_allocator_t **out_allocator);

// What a kind of allocator implements; params arrive canonical.
typedef struct iree_hal_allocator_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_allocator_t *allocator);
  iree_allocator_t(IREE_API_PTR *host_allocator)(const iree_hal_allocator_t *allocator);
  iree_status_t(IREE_API_PTR *trim)(iree_hal_allocator_t *allocator);
  void(IREE_API_PTR *query_statistics)(iree_hal_allocator_t *allocator,
                                       iree_hal_allocator_statistics_t *out_statistics);
  iree_status_t(IREE_API_PTR *query_memory_heaps)(iree_hal_allocator_t *allocator,
                                                  iree_host_size_t capacity,
                                                  iree_hal_allocator_memory_heap_t *heaps,
                                                  iree_host_size_t *out_count);
  iree_hal_buffer_compatibility_t(IREE_API_PTR *query_buffer_compatibility)(
      iree_hal_allocator_t *allocator, iree_hal_buffer_params_t *params,
      iree_device_size_t *allocation_size);
  iree_status_t(IREE_API_PTR *allocate_buffer)(iree_hal_allocator_t *allocator,
                                               const iree_hal_buffer_params_t *params,
                                               iree_device_size_t allocation_size,
                                               iree_hal_buffer_t **out_buffer);
  iree_status_t(IREE_API_PTR *import_buffer)(iree_hal_allocator_t *allocator,
                                             const iree_hal_buffer_params_t *params,
                                             iree_hal_external_buffer_t *external_buffer,
                                             iree_hal_buffer_release_callback_t release_callback,
                                             iree_hal_buffer_t **out_buffer);
  iree_status_t(IREE_API_PTR *export_buffer)(iree_hal_allocator_t *allocator,
                                             iree_hal_buffer_t *buffer,
                                             iree_hal_external_buffer_type_t requested_type,
                                             iree_hal_external_buffer_flags_t requested_flags,
                                             iree_hal_external_buffer_t *out_external_buffer);
} iree_hal_allocator_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_allocator_vtable_t);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_ALLOCATOR_H_
