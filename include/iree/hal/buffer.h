// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A range of device or host memory with an owner, allowed uses and a reference count.
//
// A buffer either owns an allocation or is a span of another buffer's. What may be done with it is
// fixed when it is made: its memory type (where it lives, who sees it), its access (read, write)
// and its usage (transfer, dispatch, mapping). Offsets and lengths are bytes relative to the span.
// Shapes live one level above, in the buffer view.
#ifndef IREE_HAL_BUFFER_H_
#define IREE_HAL_BUFFER_H_

#include "iree/base/api.h"
#include "iree/hal/queue.h"
#include "iree/hal/resource.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_hal_allocator_t iree_hal_allocator_t;
typedef struct iree_hal_buffer_t iree_hal_buffer_t;
typedef struct iree_hal_device_t iree_hal_device_t;

// As a length: all bytes from the offset to the end of the buffer.
#define IREE_HAL_WHOLE_BUFFER ((iree_device_size_t)(-1))

enum iree_hal_memory_type_bits_t {
  IREE_HAL_MEMORY_TYPE_NONE = 0u,
  IREE_HAL_MEMORY_TYPE_OPTIMAL = 1u << 0,
  IREE_HAL_MEMORY_TYPE_HOST_VISIBLE = 1u << 1,
  IREE_HAL_MEMORY_TYPE_HOST_COHERENT = 1u << 2,
  IREE_HAL_MEMORY_TYPE_HOST_CACHED = 1u << 3,
  IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE = 1u << 4,
  IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL = IREE_HAL_MEMORY_TYPE_DEVICE_VISIBLE | (1u << 5),
  IREE_HAL_MEMORY_TYPE_HOST_LOCAL =
      IREE_HAL_MEMORY_TYPE_HOST_VISIBLE | IREE_HAL_MEMORY_TYPE_HOST_COHERENT | (1u << 6),
  IREE_HAL_MEMORY_TYPE_OPTIMAL_FOR_HOST =
      IREE_HAL_MEMORY_TYPE_OPTIMAL | IREE_HAL_MEMORY_TYPE_HOST_LOCAL,
  IREE_HAL_MEMORY_TYPE_OPTIMAL_FOR_DEVICE =
      IREE_HAL_MEMORY_TYPE_OPTIMAL | IREE_HAL_MEMORY_TYPE_DEVICE_LOCAL,
};
typedef uint32_t iree_hal_memory_type_t;

enum iree_hal_memory_access_bits_t {
  IREE_HAL_MEMORY_ACCESS_NONE = 0u,
  IREE_HAL_MEMORY_ACCESS_READ = 1u << 0,
  IREE_HAL_MEMORY_ACCESS_WRITE = 1u << 1,
  IREE_HAL_MEMORY_ACCESS_DISCARD = 1u << 2,
  IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE =
      IREE_HAL_MEMORY_ACCESS_WRITE | IREE_HAL_MEMORY_ACCESS_DISCARD,
  IREE_HAL_MEMORY_ACCESS_MAY_ALIAS = 1u << 3,
  IREE_HAL_MEMORY_ACCESS_UNALIGNED = 1u << 4,
  IREE_HAL_MEMORY_ACCESS_ANY = 1u << 5,
  IREE_HAL_MEMORY_ACCESS_ALL =
      IREE_HAL_MEMORY_ACCESS_READ | IREE_HAL_MEMORY_ACCESS_WRITE | IREE_HAL_MEMORY_ACCESS_DISCARD,
};
typedef uint16_t iree_hal_memory_access_t;

enum iree_hal_buffer_usage_bits_t {
  IREE_HAL_BUFFER_USAGE_NONE = 0u,
  IREE_HAL_BUFFER_USAGE_TRANSFER_SOURCE = 1u << 0,
  IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET = 1u << 1,
  IREE_HAL_BUFFER_USAGE_TRANSFER =
      IREE_HAL_BUFFER_USAGE_TRANSFER_SOURCE | IREE_HAL_BUFFER_USAGE_TRANSFER_TARGET,
  IREE_HAL_BUFFER_USAGE_DISPATCH_INDIRECT_PARAMETERS = 1u << 8,
  IREE_HAL_BUFFER_USAGE_DISPATCH_UNIFORM_READ = 1u << 9,
  IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE_READ = 1u << 10,
  IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE_WRITE = 1u << 11,
  IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE =
      IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE_READ | IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE_WRITE,
  IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE_READ = 1u << 12,
  IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE_WRITE = 1u << 13,
  IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE =
      IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE_READ | IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE_WRITE,
  IREE_HAL_BUFFER_USAGE_DISPATCH = IREE_HAL_BUFFER_USAGE_DISPATCH_INDIRECT_PARAMETERS |
                                   IREE_HAL_BUFFER_USAGE_DISPATCH_UNIFORM_READ |
                                   IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE |
                                   IREE_HAL_BUFFER_USAGE_DISPATCH_IMAGE,
  IREE_HAL_BUFFER_USAGE_SHARING_EXPORT = 1u << 16,
  IREE_HAL_BUFFER_USAGE_SHARING_REPLICATE = 1u << 17,
  IREE_HAL_BUFFER_USAGE_SHARING_CONCURRENT = 1u << 18,
  IREE_HAL_BUFFER_USAGE_SHARING_IMMUTABLE = 1u << 19,
  IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED = 1u << 24,
  IREE_HAL_BUFFER_USAGE_MAPPING_PERSISTENT = 1u << 25,
  IREE_HAL_BUFFER_USAGE_MAPPING_OPTIONAL = 1u << 26,
  IREE_HAL_BUFFER_USAGE_MAPPING_ACCESS_RANDOM = 1u << 27,
  IREE_HAL_BUFFER_USAGE_MAPPING_ACCESS_SEQUENTIAL_WRITE = 1u << 28,
  IREE_HAL_BUFFER_USAGE_MAPPING =
      IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED | IREE_HAL_BUFFER_USAGE_MAPPING_ACCESS_RANDOM,
  IREE_HAL_BUFFER_USAGE_DEFAULT =
      IREE_HAL_BUFFER_USAGE_TRANSFER | IREE_HAL_BUFFER_USAGE_DISPATCH_STORAGE,
};
typedef uint32_t iree_hal_buffer_usage_t;

// Bit sets as text: names joined by '|', unknown bits as one hexadecimal number.
//   owns:   the returned view is borrowed from |out_temp|
//   errors: parse: INVALID_ARGUMENT  an unknown name
IREE_API_EXPORT iree_status_t iree_hal_memory_type_parse(iree_string_view_t value,
                                                         iree_hal_memory_type_t *out_value);
IREE_API_EXPORT iree_string_view_t
iree_hal_memory_type_format(iree_hal_memory_type_t value, iree_bitfield_string_temp_t *out_temp);
IREE_API_EXPORT iree_status_t iree_hal_memory_access_parse(iree_string_view_t value,
                                                           iree_hal_memory_access_t *out_value);
IREE_API_EXPORT iree_string_view_t iree_hal_memory_access_format(
    iree_hal_memory_access_t value, iree_bitfield_string_temp_t *out_temp);
IREE_API_EXPORT iree_status_t iree_hal_buffer_usage_parse(iree_string_view_t value,
                                                          iree_hal_buffer_usage_t *out_value);
IREE_API_EXPORT iree_string_view_t
iree_hal_buffer_usage_format(iree_hal_buffer_usage_t value, iree_bitfield_string_temp_t *out_temp);

typedef enum iree_hal_buffer_overlap_e {
  IREE_HAL_BUFFER_OVERLAP_DISJOINT = 0,
  IREE_HAL_BUFFER_OVERLAP_PARTIAL,
  IREE_HAL_BUFFER_OVERLAP_COMPLETE,
} iree_hal_buffer_overlap_t;

enum iree_hal_transfer_buffer_flag_bits_t {
  IREE_HAL_TRANSFER_BUFFER_FLAG_DEFAULT = 0,
};
typedef uint32_t iree_hal_transfer_buffer_flags_t;

enum iree_hal_mapping_mode_bits_t {
  IREE_HAL_MAPPING_MODE_SCOPED = 1u << 0,
  IREE_HAL_MAPPING_MODE_PERSISTENT = 1u << 1,
};
typedef uint32_t iree_hal_mapping_mode_t;

enum iree_hal_buffer_placement_flag_bits_t {
  IREE_HAL_BUFFER_PLACEMENT_FLAG_NONE = 0u,
  IREE_HAL_BUFFER_PLACEMENT_FLAG_ASYNCHRONOUS = 1u << 0,
  IREE_HAL_BUFFER_PLACEMENT_FLAG_INDETERMINATE_LIFETIME = 1u << 1,
};
typedef uint32_t iree_hal_buffer_placement_flags_t;

// Where an allocation came from: the device and queues that may free it. All zero is undefined.
typedef struct iree_hal_buffer_placement_t {
  iree_hal_device_t *device;
  iree_hal_queue_affinity_t queue_affinity;
  iree_hal_buffer_placement_flags_t flags;
  uint32_t reserved;
} iree_hal_buffer_placement_t;

static inline iree_hal_buffer_placement_t iree_hal_buffer_placement_undefined(void) {
  iree_hal_buffer_placement_t placement;
  memset(&placement, 0, sizeof(placement));
  return placement;
}
static inline bool iree_hal_buffer_placement_is_undefined(iree_hal_buffer_placement_t placement) {
  return placement.device == NULL;
}

// What an allocation must be able to do. Zero fields are defaults (see _canonicalize).
typedef struct iree_hal_buffer_params_t {
  iree_hal_buffer_usage_t usage;
  iree_hal_memory_access_t access;
  iree_hal_memory_type_t type;
  iree_hal_queue_affinity_t queue_affinity;
  iree_device_size_t min_alignment;
} iree_hal_buffer_params_t;

static inline void iree_hal_buffer_params_canonicalize(iree_hal_buffer_params_t *params) {
  if (!params->usage) params->usage = IREE_HAL_BUFFER_USAGE_DEFAULT;
  if (!params->access) params->access = IREE_HAL_MEMORY_ACCESS_ALL;
  if (!params->type) params->type = IREE_HAL_MEMORY_TYPE_OPTIMAL;
  if (!params->queue_affinity) params->queue_affinity = IREE_HAL_QUEUE_AFFINITY_ANY;
}

static inline iree_hal_buffer_params_t iree_hal_buffer_params_with_usage(
    iree_hal_buffer_params_t params, iree_hal_buffer_usage_t usage) {
  if (!params.usage) params.usage = IREE_HAL_BUFFER_USAGE_DEFAULT;
  params.usage |= usage;
  return params;
}

typedef struct iree_hal_buffer_mapping_impl_t {
  iree_device_size_t byte_offset;
  iree_hal_memory_access_t allowed_access;
  uint32_t is_persistent : 1;
  uint32_t reserved_flags : 31;
  uint64_t reserved[1];
} iree_hal_buffer_mapping_impl_t;

// A host view of a buffer range; the only bridge between device and host memory.
typedef struct iree_hal_buffer_mapping_t {
  iree_byte_span_t contents;
  iree_hal_buffer_t *buffer;
  iree_hal_buffer_mapping_impl_t impl;
} iree_hal_buffer_mapping_t;

typedef void(IREE_API_PTR *iree_hal_buffer_release_fn_t)(void *user_data,
                                                         iree_hal_buffer_t *buffer);
// Called once when the memory that a buffer wraps is no longer used.
typedef struct iree_hal_buffer_release_callback_t {
  iree_hal_buffer_release_fn_t fn;
  void *user_data;
} iree_hal_buffer_release_callback_t;

static inline iree_hal_buffer_release_callback_t iree_hal_buffer_release_callback_null(void) {
  iree_hal_buffer_release_callback_t callback = {NULL, NULL};
  return callback;
}

// Checks that what is had covers what is needed.
//   errors: PERMISSION_DENIED  a needed bit is missing; the text names it
//           OUT_OF_RANGE       (range) the range leaves the buffer
IREE_API_EXPORT iree_status_t iree_hal_buffer_validate_memory_type(
    iree_hal_memory_type_t actual_memory_type, iree_hal_memory_type_t expected_memory_type);
IREE_API_EXPORT iree_status_t
iree_hal_buffer_validate_access(iree_hal_memory_access_t allowed_memory_access,
                                iree_hal_memory_access_t required_memory_access);
IREE_API_EXPORT iree_status_t iree_hal_buffer_validate_usage(
    iree_hal_buffer_usage_t allowed_usage, iree_hal_buffer_usage_t required_usage);
IREE_API_EXPORT iree_status_t iree_hal_buffer_validate_range(iree_hal_buffer_t *buffer,
                                                             iree_device_size_t byte_offset,
                                                             iree_device_size_t byte_length);

// Places a range inside [base_offset, base_offset + max_length).
//   units:  bytes; |length| may be IREE_HAL_WHOLE_BUFFER; |out_adjusted_length| may be null
//   errors: OUT_OF_RANGE  the range leaves the base range
IREE_API_EXPORT iree_status_t iree_hal_buffer_calculate_range(
    iree_device_size_t base_offset, iree_device_size_t max_length, iree_device_size_t offset,
    iree_device_size_t length, iree_device_size_t *out_adjusted_offset,
    iree_device_size_t *out_adjusted_length);

// Tells whether two ranges share bytes of one allocation.
//   units:  bytes; lengths may be IREE_HAL_WHOLE_BUFFER
//   errors: none
IREE_API_EXPORT iree_hal_buffer_overlap_t iree_hal_buffer_test_overlap(
    iree_hal_buffer_t *lhs_buffer, iree_device_size_t lhs_offset, iree_device_size_t lhs_length,
    iree_hal_buffer_t *rhs_buffer, iree_device_size_t rhs_offset, iree_device_size_t rhs_length);

// Makes a buffer for a part of another one, sharing its storage.
//   units:  bytes; |byte_length| may be IREE_HAL_WHOLE_BUFFER
//   owns:   transfers ownership to the caller; the span keeps the allocation alive
//   errors: OUT_OF_RANGE        the range leaves the buffer
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_hal_buffer_subspan(iree_hal_buffer_t *buffer,
                                                      iree_device_size_t byte_offset,
                                                      iree_device_size_t byte_length,
                                                      iree_allocator_t host_allocator,
                                                      iree_hal_buffer_t **out_buffer);

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_hal_buffer_retain(iree_hal_buffer_t *buffer);
IREE_API_EXPORT void iree_hal_buffer_release(iree_hal_buffer_t *buffer);

// Facts about a buffer.
//   owns:   pointers are borrowed from |buffer| until it is released
//   errors: none
IREE_API_EXPORT iree_hal_buffer_t *iree_hal_buffer_allocated_buffer(
    const iree_hal_buffer_t *buffer);
IREE_API_EXPORT iree_device_size_t iree_hal_buffer_allocation_size(const iree_hal_buffer_t *buffer);
IREE_API_EXPORT iree_hal_buffer_placement_t
iree_hal_buffer_allocation_placement(const iree_hal_buffer_t *buffer);
IREE_API_EXPORT iree_device_size_t iree_hal_buffer_byte_offset(const iree_hal_buffer_t *buffer);
IREE_API_EXPORT iree_device_size_t iree_hal_buffer_byte_length(const iree_hal_buffer_t *buffer);
IREE_API_EXPORT iree_hal_memory_type_t iree_hal_buffer_memory_type(const iree_hal_buffer_t *buffer);
IREE_API_EXPORT iree_hal_memory_access_t
iree_hal_buffer_allowed_access(const iree_hal_buffer_t *buffer);
IREE_API_EXPORT iree_hal_buffer_usage_t
iree_hal_buffer_allowed_usage(const iree_hal_buffer_t *buffer);

// Counts the asynchronous owners of an allocation (not the references to the object): a producer
// and each consumer preserve; who discards last may queue the deallocation.
//   errors: none
IREE_API_EXPORT void iree_hal_buffer_allocation_preserve(iree_hal_buffer_t *buffer);
IREE_API_EXPORT IREE_MUST_USE_RESULT bool iree_hal_buffer_allocation_discard(
    iree_hal_buffer_t *buffer);
IREE_API_EXPORT bool iree_hal_buffer_allocation_is_terminal(const iree_hal_buffer_t *buffer);

// Synchronous host access through a scoped mapping.
//   units:  bytes; lengths may be IREE_HAL_WHOLE_BUFFER; patterns are 1, 2, 4 or 8 bytes
//   errors: OUT_OF_RANGE         the range leaves the buffer
//           PERMISSION_DENIED    the buffer's access or usage forbids it
//           FAILED_PRECONDITION  the buffer has no storage at this time
//           INVALID_ARGUMENT     overlapping copy, or a bad pattern length or alignment
IREE_API_EXPORT iree_status_t iree_hal_buffer_map_zero(iree_hal_buffer_t *buffer,
                                                       iree_device_size_t byte_offset,
                                                       iree_device_size_t byte_length);
IREE_API_EXPORT iree_status_t iree_hal_buffer_map_fill(iree_hal_buffer_t *buffer,
                                                       iree_device_size_t byte_offset,
                                                       iree_device_size_t byte_length,
                                                       const void *pattern,
                                                       iree_host_size_t pattern_length);
IREE_API_EXPORT iree_status_t iree_hal_buffer_map_read(iree_hal_buffer_t *source_buffer,
                                                       iree_device_size_t source_offset,
                                                       void *target_buffer,
                                                       iree_device_size_t data_length);
IREE_API_EXPORT iree_status_t iree_hal_buffer_map_write(iree_hal_buffer_t *target_buffer,
                                                        iree_device_size_t target_offset,
                                                        const void *source_buffer,
                                                        iree_device_size_t data_length);
IREE_API_EXPORT iree_status_t iree_hal_buffer_map_copy(iree_hal_buffer_t *source_buffer,
                                                       iree_device_size_t source_offset,
                                                       iree_hal_buffer_t *target_buffer,
                                                       iree_device_size_t target_offset,
                                                       iree_device_size_t data_length);

// Maps a range into host memory until it is unmapped.
//   units:  bytes; |byte_length| may be IREE_HAL_WHOLE_BUFFER
//   owns:   the mapping retains the buffer
//   errors: OUT_OF_RANGE, PERMISSION_DENIED, FAILED_PRECONDITION as above
IREE_API_EXPORT iree_status_t iree_hal_buffer_map_range(
    iree_hal_buffer_t *buffer, iree_hal_mapping_mode_t mapping_mode,
    iree_hal_memory_access_t memory_access, iree_device_size_t byte_offset,
    iree_device_size_t byte_length, iree_hal_buffer_mapping_t *out_buffer_mapping);
IREE_API_EXPORT iree_status_t
iree_hal_buffer_unmap_range(iree_hal_buffer_mapping_t *buffer_mapping);

// Cache maintenance for memory that is not coherent, and a checked part of a mapping.
//   units:  bytes, relative to the mapping
//   errors: OUT_OF_RANGE       the range leaves the mapping
//           PERMISSION_DENIED  (subspan) the mapping does not allow the access
IREE_API_EXPORT iree_status_t iree_hal_buffer_mapping_invalidate_range(
    iree_hal_buffer_mapping_t *buffer_mapping, iree_device_size_t byte_offset,
    iree_device_size_t byte_length);
IREE_API_EXPORT iree_status_t
iree_hal_buffer_mapping_flush_range(iree_hal_buffer_mapping_t *buffer_mapping,
                                    iree_device_size_t byte_offset, iree_device_size_t byte_length);
IREE_API_EXPORT iree_status_t iree_hal_buffer_mapping_subspan(
    iree_hal_buffer_mapping_t *buffer_mapping, iree_hal_memory_access_t memory_access,
    iree_device_size_t byte_offset, iree_device_size_t byte_length, iree_byte_span_t *out_span);

// Wraps host memory as a buffer.
//   owns:   |data| stays the caller's until |release_callback| runs
//   errors: INVALID_ARGUMENT    |data| is smaller than |allocation_size| or not aligned to
//                               IREE_HAL_HEAP_BUFFER_ALIGNMENT
//           RESOURCE_EXHAUSTED  no host memory
#define IREE_HAL_HEAP_BUFFER_ALIGNMENT 64
IREE_API_EXPORT iree_status_t iree_hal_heap_buffer_wrap(
    iree_hal_buffer_placement_t placement, iree_hal_memory_type_t memory_type,
    iree_hal_memory_access_t allowed_access, iree_hal_buffer_usage_t allowed_usage,
    iree_device_size_t allocation_size, iree_byte_span_t data,
    iree_hal_buffer_release_callback_t release_callback, iree_allocator_t host_allocator,
    iree_hal_buffer_t **out_buffer);

// What a kind of buffer implements. Ranges are checked and relative to the allocation.
typedef struct iree_hal_buffer_vtable_t {
  void(IREE_API_PTR *destroy)(iree_hal_buffer_t *buffer);
  iree_status_t(IREE_API_PTR *map_range)(iree_hal_buffer_t *buffer,
                                         iree_hal_mapping_mode_t mapping_mode,
                                         iree_hal_memory_access_t memory_access,
                                         iree_device_size_t local_byte_offset,
                                         iree_device_size_t local_byte_length,
                                         iree_hal_buffer_mapping_t *mapping);
  iree_status_t(IREE_API_PTR *unmap_range)(iree_hal_buffer_t *buffer,
                                           iree_device_size_t local_byte_offset,
                                           iree_device_size_t local_byte_length,
                                           iree_hal_buffer_mapping_t *mapping);
  iree_status_t(IREE_API_PTR *invalidate_range)(iree_hal_buffer_t *buffer,
                                                iree_device_size_t local_byte_offset,
                                                iree_device_size_t local_byte_length);
  iree_status_t(IREE_API_PTR *flush_range)(iree_hal_buffer_t *buffer,
                                           iree_device_size_t local_byte_offset,
                                           iree_device_size_t local_byte_length);
} iree_hal_buffer_vtable_t;
IREE_HAL_ASSERT_VTABLE_LAYOUT(iree_hal_buffer_vtable_t);

struct iree_hal_buffer_t {
  iree_hal_resource_t resource;
  iree_hal_buffer_t *allocated_buffer;  // self, or the allocation this is a span of
  iree_device_size_t allocation_size;
  iree_device_size_t byte_offset;
  iree_device_size_t byte_length;
  iree_hal_buffer_placement_t placement;
  iree_atomic_ref_count_t preserve_count;
  iree_hal_memory_type_t memory_type;
  iree_hal_buffer_usage_t allowed_usage;
  iree_hal_memory_access_t allowed_access;
};

// Starts the common part of a buffer; used by implementations.
//   owns:   retains |allocated_buffer| unless it is |buffer| itself
//   errors: none
IREE_API_EXPORT void iree_hal_buffer_initialize(
    iree_hal_buffer_placement_t placement, iree_hal_buffer_t *allocated_buffer,
    iree_device_size_t allocation_size, iree_device_size_t byte_offset,
    iree_device_size_t byte_length, iree_hal_memory_type_t memory_type,
    iree_hal_memory_access_t allowed_access, iree_hal_buffer_usage_t allowed_usage,
    const iree_hal_buffer_vtable_t *vtable, iree_hal_buffer_t *buffer);

#ifdef __cplusplus
}
#endif

#endif  // IREE_HAL_BUFFER_H_
