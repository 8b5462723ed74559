// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// VM buffers. Data of created buffers lies in one block with the buffer; all range checks are by
// iree_range_is_within, so no offset or length can wrap.
#include "iree/vm/buffer.h"

#include "iree/vm/module.h"
#include "runtime/vm/builtin_types.h"

static void buffer_destroy(void *ptr) {
  iree_vm_buffer_t *buffer = ptr;
  iree_vm_module_t *storage_module = buffer->storage_module;
  iree_allocator_free_aligned(buffer->allocator, buffer);
  iree_vm_module_release(storage_module);  // last: the allocator may be the module's
}

IREE_VM_DEFINE_TYPE_ADAPTERS(iree_vm_buffer, iree_vm_buffer_t);

iree_status_t iree_vm_buffer_register_type(iree_vm_instance_t *instance) {
  static const iree_vm_ref_type_descriptor_t descriptor = {
      .destroy = buffer_destroy,
      .type_name = IREE_SVL("vm.buffer"),
      .offsetof_counter = offsetof(iree_vm_buffer_t, ref_object) / IREE_VM_REF_COUNTER_ALIGNMENT,
  };
  return iree_vm_instance_register_type(instance, &descriptor, &iree_vm_buffer_registration);
}

void iree_vm_buffer_initialize(iree_vm_buffer_access_t access, iree_byte_span_t data,
                               iree_allocator_t allocator, iree_vm_buffer_t *out_buffer) {
  memset(out_buffer, 0, sizeof(*out_buffer));
  iree_atomic_ref_count_init(&out_buffer->ref_object.counter);
  out_buffer->access = access;
  out_buffer->data = data;
  out_buffer->allocator = allocator;
}

void iree_vm_buffer_deinitialize(iree_vm_buffer_t *buffer) {
  iree_allocator_free(buffer->allocator, buffer->data.data);
  buffer->data = iree_byte_span_empty();
}

iree_status_t iree_vm_buffer_create(iree_vm_buffer_access_t access, iree_host_size_t length,
                                    iree_host_size_t alignment, iree_allocator_t allocator,
                                    iree_vm_buffer_t **out_buffer) {
  *out_buffer = NULL;
  if (!iree_host_size_is_valid_alignment(alignment) || alignment > 1u << 20) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "buffer alignment %" PRIhsz " is not a power of two up to 1 MiB",
                            alignment);
  }
  alignment = iree_max(alignment, (iree_host_size_t)16);
  iree_host_size_t head = iree_host_align(sizeof(iree_vm_buffer_t), alignment), total = 0;
  if (!iree_host_size_checked_add(head, length, &total)) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED, "buffer length %" PRIhsz " overflows",
                            length);
  }
  iree_vm_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_aligned(allocator, total, alignment, 0, (void **)&buffer));
  iree_vm_buffer_initialize(access, iree_make_byte_span((uint8_t *)buffer + head, length),
                            allocator, buffer);
  *out_buffer = buffer;
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_create_view(iree_vm_module_t *module, iree_const_byte_span_t data,
                                         iree_allocator_t allocator,
                                         iree_vm_buffer_t **out_buffer) {
  *out_buffer = NULL;
  iree_vm_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc_aligned(
      allocator, sizeof(*buffer), iree_alignof(iree_vm_buffer_t), 0, (void **)&buffer));
  iree_vm_buffer_initialize(IREE_VM_BUFFER_ACCESS_ORIGIN_MODULE, iree_cast_const_byte_span(data),
                            allocator, buffer);
  buffer->storage_module = module;
  iree_vm_module_retain(module);
  *out_buffer = buffer;
  return iree_ok_status();
}

void iree_vm_buffer_retain(iree_vm_buffer_t *buffer) {
  if (buffer) iree_atomic_ref_count_inc(&buffer->ref_object.counter);
}

void iree_vm_buffer_release(iree_vm_buffer_t *buffer) {
  if (buffer && iree_atomic_ref_count_dec(&buffer->ref_object.counter) == 1) {
    buffer_destroy(buffer);
  }
}

iree_status_t iree_vm_buffer_wrap_retain(iree_vm_buffer_t *buffer, iree_vm_ref_t *out_ref) {
  return iree_vm_ref_wrap_retain(buffer, iree_vm_buffer_type(), out_ref);
}

iree_host_size_t iree_vm_buffer_length(const iree_vm_buffer_t *buffer) {
  return buffer->data.data_length;
}
uint8_t *iree_vm_buffer_data(const iree_vm_buffer_t *buffer) { return buffer->data.data; }
iree_byte_span_t iree_vm_buffer_contents(const iree_vm_buffer_t *buffer) { return buffer->data; }
iree_const_byte_span_t iree_vm_buffer_const_contents(const iree_vm_buffer_t *buffer) {
  return iree_const_cast_byte_span(buffer->data);
}

static iree_status_t buffer_check_range(const iree_vm_buffer_t *buffer, iree_host_size_t offset,
                                        iree_host_size_t length, bool for_write) {
  if (IREE_UNLIKELY(for_write && !(buffer->access & IREE_VM_BUFFER_ACCESS_MUTABLE))) {
    return iree_make_status(IREE_STATUS_PERMISSION_DENIED, "buffer is read-only");
  }
  if (IREE_UNLIKELY(!iree_range_is_within(offset, length, buffer->data.data_length))) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "out-of-bounds access (offset=%" PRIhsz ", length=%" PRIhsz
                            ", buffer length=%" PRIhsz ")",
                            offset, length, buffer->data.data_length);
  }
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_map_ro(const iree_vm_buffer_t *buffer, iree_host_size_t offset,
                                    iree_host_size_t length, iree_host_size_t alignment,
                                    iree_const_byte_span_t *out_span) {
  *out_span = iree_const_byte_span_empty();
  IREE_RETURN_IF_ERROR(buffer_check_range(buffer, offset, length, false));
  if (alignment > 1 && !iree_host_ptr_has_alignment(buffer->data.data + offset, alignment)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "offset %" PRIhsz " is not aligned to %" PRIhsz " bytes", offset,
                            alignment);
  }
  *out_span = iree_make_const_byte_span(buffer->data.data + offset, length);
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_map_rw(const iree_vm_buffer_t *buffer, iree_host_size_t offset,
                                    iree_host_size_t length, iree_host_size_t alignment,
                                    iree_byte_span_t *out_span) {
  *out_span = iree_byte_span_empty();
  IREE_RETURN_IF_ERROR(buffer_check_range(buffer, offset, length, true));
  iree_const_byte_span_t span;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_map_ro(buffer, offset, length, alignment, &span));
  *out_span = iree_cast_const_byte_span(span);
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_clone(iree_vm_buffer_access_t access,
                                   const iree_vm_buffer_t *source_buffer,
                                   iree_host_size_t source_offset, iree_host_size_t length,
                                   iree_host_size_t alignment, iree_allocator_t allocator,
                                   iree_vm_buffer_t **out_buffer) {
  *out_buffer = NULL;
  IREE_RETURN_IF_ERROR(buffer_check_range(source_buffer, source_offset, length, false));
  IREE_RETURN_IF_ERROR(iree_vm_buffer_create(access, length, alignment, allocator, out_buffer));
  if (length) {
    memcpy((*out_buffer)->data.data, source_buffer->data.data + source_offset, length);
  }
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_copy_bytes(const iree_vm_buffer_t *source_buffer,
                                        iree_host_size_t source_offset,
                                        const iree_vm_buffer_t *target_buffer,
                                        iree_host_size_t target_offset, iree_host_size_t length) {
  IREE_RETURN_IF_ERROR(buffer_check_range(source_buffer, source_offset, length, false));
  IREE_RETURN_IF_ERROR(buffer_check_range(target_buffer, target_offset, length, true));
  if (length) {
    memmove(target_buffer->data.data + target_offset, source_buffer->data.data + source_offset,
            length);
  }
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_compare_bytes(const iree_vm_buffer_t *lhs_buffer,
                                           iree_host_size_t lhs_offset,
                                           const iree_vm_buffer_t *rhs_buffer,
                                           iree_host_size_t rhs_offset, iree_host_size_t length,
                                           bool *out_result) {
  *out_result = false;
  IREE_RETURN_IF_ERROR(buffer_check_range(lhs_buffer, lhs_offset, length, false));
  IREE_RETURN_IF_ERROR(buffer_check_range(rhs_buffer, rhs_offset, length, false));
  *out_result = length == 0 || memcmp(lhs_buffer->data.data + lhs_offset,
                                      rhs_buffer->data.data + rhs_offset, length) == 0;
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_fill_bytes(const iree_vm_buffer_t *target_buffer,
                                        iree_host_size_t target_offset, iree_host_size_t length,
                                        uint8_t value) {
  return iree_vm_buffer_fill_elements(target_buffer, target_offset, length, 1, &value);
}

static iree_status_t element_bytes(iree_host_size_t count, iree_host_size_t element_length,
                                   iree_host_size_t *out_length) {
  if (element_length != 1 && element_length != 2 && element_length != 4 && element_length != 8) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "element length %" PRIhsz "; expected 1, 2, 4 or 8", element_length);
  }
  if (!iree_host_size_checked_mul(count, element_length, out_length)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "%" PRIhsz " elements of %" PRIhsz " bytes overflow", count,
                            element_length);
  }
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_fill_elements(const iree_vm_buffer_t *target_buffer,
                                           iree_host_size_t target_offset,
                                           iree_host_size_t element_count,
                                           iree_host_size_t element_length, const void *value) {
  iree_host_size_t length = 0;
  IREE_RETURN_IF_ERROR(element_bytes(element_count, element_length, &length));
  IREE_RETURN_IF_ERROR(buffer_check_range(target_buffer, target_offset, length, true));
  uint8_t *target = target_buffer->data.data + target_offset;
  if (element_length == 1) {
    if (length) memset(target, *(const uint8_t *)value, length);
    return iree_ok_status();
  }
  for (iree_host_size_t i = 0; i < length; i += element_length) {
    memcpy(target + i, value, element_length);
  }
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_read_elements(const iree_vm_buffer_t *source_buffer,
                                           iree_host_size_t source_offset, void *target_ptr,
                                           iree_host_size_t element_count,
                                           iree_host_size_t element_length) {
  iree_host_size_t length = 0;
  IREE_RETURN_IF_ERROR(element_bytes(element_count, element_length, &length));
  IREE_RETURN_IF_ERROR(buffer_check_range(source_buffer, source_offset, length, false));
  if (length) memcpy(target_ptr, source_buffer->data.data + source_offset, length);
  return iree_ok_status();
}

iree_status_t iree_vm_buffer_write_elements(const void *source_ptr,
                                            const iree_vm_buffer_t *target_buffer,
                                            iree_host_size_t target_offset,
                                            iree_host_size_t element_count,
                                            iree_host_size_t element_length) {
  iree_host_size_t length = 0;
  IREE_RETURN_IF_ERROR(element_bytes(element_count, element_length, &length));
  IREE_RETURN_IF_ERROR(buffer_check_range(target_buffer, target_offset, length, true));
  if (length) memcpy(target_buffer->data.data + target_offset, source_ptr, length);
  return iree_ok_status();
}

static uint64_t rotate_left(uint64_t value, int count) {
  return (value << count) | (value >> (64 - count));
}

static void sip_rounds(uint64_t v[4], int count) {
  for (int i = 0; i < count; ++i) {
    v[0] += v[1];
    v[1] = rotate_left(v[1], 13) ^ v[0];
    v[0] = rotate_left(v[0], 32);
    v[2] += v[3];
    v[3] = rotate_left(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate_left(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate_left(v[1], 17) ^ v[2];
    v[2] = rotate_left(v[2], 32);
  }
}

// SipHash-2-4 (Aumasson and Bernstein) with the key bytes 00 01 ... 0f.
iree_status_t iree_vm_buffer_hash(const iree_vm_buffer_t *source_buffer,
                                  iree_host_size_t source_offset, iree_host_size_t length,
                                  int64_t *result) {
  *result = 0;
  IREE_RETURN_IF_ERROR(buffer_check_range(source_buffer, source_offset, length, false));
  const uint64_t key0 = 0x0706050403020100ull, key1 = 0x0f0e0d0c0b0a0908ull;
  uint64_t v[4] = {0x736f6d6570736575ull ^ key0, 0x646f72616e646f6dull ^ key1,
                   0x6c7967656e657261ull ^ key0, 0x7465646279746573ull ^ key1};
  const uint8_t *data = source_buffer->data.data + source_offset;
  iree_host_size_t whole = length & ~(iree_host_size_t)7;
  for (iree_host_size_t i = 0; i < whole; i += 8) {
    uint64_t word = iree_unaligned_load_le_u64(data + i);
    v[3] ^= word;
    sip_rounds(v, 2);
    v[0] ^= word;
  }
  uint64_t last = (uint64_t)length << 56;
  for (iree_host_size_t i = whole; i < length; ++i) last |= (uint64_t)data[i] << (8 * (i & 7));
  v[3] ^= last;
  sip_rounds(v, 2);
  v[0] ^= last;
  v[2] ^= 0xFF;
  sip_rounds(v, 4);
  *result = (int64_t)(v[0] ^ v[1] ^ v[2] ^ v[3]);
  return iree_ok_status();
}
