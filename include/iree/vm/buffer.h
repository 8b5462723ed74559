// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Byte buffers of the VM: program data, strings, scratch. Access bits say who made one and whether
// it may change. All offsets and lengths are bytes unless they say elements.
#ifndef IREE_VM_BUFFER_H_
#define IREE_VM_BUFFER_H_

#include "iree/base/api.h"
#include "iree/vm/ref.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_vm_module_t iree_vm_module_t;

typedef uint32_t iree_vm_buffer_access_t;
enum iree_vm_buffer_access_bits_t {
  IREE_VM_BUFFER_ACCESS_MUTABLE = 1u << 0,
  IREE_VM_BUFFER_ACCESS_ORIGIN_MODULE = 1u << 1,
  IREE_VM_BUFFER_ACCESS_ORIGIN_GUEST = 1u << 2,
  IREE_VM_BUFFER_ACCESS_ORIGIN_HOST = 1u << 3,
};

typedef struct iree_vm_buffer_t {
  iree_vm_ref_object_t ref_object;
  iree_vm_buffer_access_t access;
  iree_byte_span_t data;
  iree_allocator_t allocator;        // of the data; null when borrowed
  iree_vm_module_t *storage_module;  // whose file the data lies in, retained while shared
} iree_vm_buffer_t;

// Sets up a buffer over |data| in caller storage.
//   owns:   |data| is freed with |allocator| at the end (null: borrowed)
//   errors: none
IREE_API_EXPORT void iree_vm_buffer_initialize(iree_vm_buffer_access_t access,
                                               iree_byte_span_t data, iree_allocator_t allocator,
                                               iree_vm_buffer_t *out_buffer);
IREE_API_EXPORT void iree_vm_buffer_deinitialize(iree_vm_buffer_t *buffer);

// A new zeroed buffer; alignment 0 means any, else a power of two.
//   owns:   transfers |out_buffer| to the caller
//   errors: RESOURCE_EXHAUSTED  no memory;  INVALID_ARGUMENT  bad alignment
IREE_API_EXPORT iree_status_t iree_vm_buffer_create(iree_vm_buffer_access_t access,
                                                    iree_host_size_t length,
                                                    iree_host_size_t alignment,
                                                    iree_allocator_t allocator,
                                                    iree_vm_buffer_t **out_buffer);
IREE_API_EXPORT void iree_vm_buffer_retain(iree_vm_buffer_t *buffer);
IREE_API_EXPORT void iree_vm_buffer_release(iree_vm_buffer_t *buffer);
// A ref to the buffer, releasing what |out_ref| held.
//   owns:   retains |buffer|
//   errors: none
IREE_API_EXPORT iree_status_t iree_vm_buffer_wrap_retain(iree_vm_buffer_t *buffer,
                                                         iree_vm_ref_t *out_ref);
// A new buffer with a copy of a range.
//   owns:   transfers |out_buffer| to the caller
//   errors: OUT_OF_RANGE  the range leaves the buffer;  RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_vm_buffer_clone(
    iree_vm_buffer_access_t access, const iree_vm_buffer_t *source_buffer,
    iree_host_size_t source_offset, iree_host_size_t length, iree_host_size_t alignment,
    iree_allocator_t allocator, iree_vm_buffer_t **out_buffer);

// Bytes of the contents.
//   errors: none
IREE_API_EXPORT iree_host_size_t iree_vm_buffer_length(const iree_vm_buffer_t *buffer);
// All bytes, whatever the access bits.
//   owns:   borrowed from |buffer| until it is released
//   errors: none
IREE_API_EXPORT uint8_t *iree_vm_buffer_data(const iree_vm_buffer_t *buffer);
IREE_API_EXPORT iree_byte_span_t iree_vm_buffer_contents(const iree_vm_buffer_t *buffer);
IREE_API_EXPORT iree_const_byte_span_t
iree_vm_buffer_const_contents(const iree_vm_buffer_t *buffer);

// Work on ranges. Results of compare: equal or not. Elements are 1, 2, 4 or 8 bytes.
//   errors: OUT_OF_RANGE  a range leaves its buffer;  PERMISSION_DENIED  the target is immutable;
//           INVALID_ARGUMENT  element length
IREE_API_EXPORT iree_status_t iree_vm_buffer_copy_bytes(const iree_vm_buffer_t *source_buffer,
                                                        iree_host_size_t source_offset,
                                                        const iree_vm_buffer_t *target_buffer,
                                                        iree_host_size_t target_offset,
                                                        iree_host_size_t length);
IREE_API_EXPORT iree_status_t iree_vm_buffer_compare_bytes(const iree_vm_buffer_t *lhs_buffer,
                                                           iree_host_size_t lhs_offset,
                                                           const iree_vm_buffer_t *rhs_buffer,
                                                           iree_host_size_t rhs_offset,
                                                           iree_host_size_t length,
                                                           bool *out_result);
IREE_API_EXPORT iree_status_t iree_vm_buffer_fill_bytes(const iree_vm_buffer_t *target_buffer,
                                                        iree_host_size_t target_offset,
                                                        iree_host_size_t length, uint8_t value);
IREE_API_EXPORT iree_status_t iree_vm_buffer_fill_elements(const iree_vm_buffer_t *target_buffer,
                                                           iree_host_size_t target_offset,
                                                           iree_host_size_t element_count,
                                                           iree_host_size_t element_length,
                                                           const void *value);
IREE_API_EXPORT iree_status_t iree_vm_buffer_read_elements(const iree_vm_buffer_t *source_buffer,
                                                           iree_host_size_t source_offset,
                                                           void *target_ptr,
                                                           iree_host_size_t element_count,
                                                           iree_host_size_t element_length);
IREE_API_EXPORT iree_status_t iree_vm_buffer_write_elements(const void *source_ptr,
                                                            const iree_vm_buffer_t *target_buffer,
                                                            iree_host_size_t target_offset,
                                                            iree_host_size_t element_count,
                                                            iree_host_size_t element_length);
// SipHash-2-4 of a range under a fixed key.
//   errors: OUT_OF_RANGE  the range leaves the buffer
IREE_API_EXPORT iree_status_t iree_vm_buffer_hash(const iree_vm_buffer_t *source_buffer,
                                                  iree_host_size_t source_offset,
                                                  iree_host_size_t length, int64_t *result);
// A pointer to a range; |alignment| of its address is checked.
//   owns:   borrowed from |buffer|
//   errors: OUT_OF_RANGE  the range leaves the buffer or is unaligned;
//           PERMISSION_DENIED  (rw) the buffer is immutable
IREE_API_EXPORT iree_status_t iree_vm_buffer_map_ro(const iree_vm_buffer_t *buffer,
                                                    iree_host_size_t offset,
                                                    iree_host_size_t length,
                                                    iree_host_size_t alignment,
                                                    iree_const_byte_span_t *out_span);
IREE_API_EXPORT iree_status_t iree_vm_buffer_map_rw(const iree_vm_buffer_t *buffer,
                                                    iree_host_size_t offset,
                                                    iree_host_size_t length,
                                                    iree_host_size_t alignment,
                                                    iree_byte_span_t *out_span);

static inline iree_const_byte_span_t iree_vm_buffer_as_const_byte_span(
    const iree_vm_buffer_t *value) {
  return value ? iree_const_cast_byte_span(value->data) : iree_const_byte_span_empty();
}
static inline iree_string_view_t iree_vm_buffer_as_string(const iree_vm_buffer_t *value) {
  return value ? iree_make_string_view((const char *)value->data.data, value->data.data_length)
               : iree_string_view_empty();
}

IREE_VM_DECLARE_TYPE_ADAPTERS(iree_vm_buffer, iree_vm_buffer_t);

#ifdef __cplusplus
}
#endif
#endif  // IREE_VM_BUFFER_H_
