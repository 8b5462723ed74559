// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers: the checks in front of every implementation, spans, and synchronous host access.
//
// A span has its own object and points at the allocation; ranges add up to allocation offsets here,
// so implementations see ranges of the allocation alone. Everything a caller passes is checked in
// 64-bit arithmetic before it becomes an address.
#include "runtime/hal/buffer.h"

static iree_status_t missing_bits(const char *what, iree_string_view_t have,
                                  iree_string_view_t need) {
  return iree_make_status(IREE_STATUS_PERMISSION_DENIED,
                          "buffer %s does not allow the operation; have %.*s but need %.*s", what,
                          (int)have.size, have.data, (int)need.size, need.data);
}

iree_status_t iree_hal_buffer_validate_memory_type(iree_hal_memory_type_t actual_memory_type,
                                                   iree_hal_memory_type_t expected_memory_type) {
  if (iree_all_bits_set(actual_memory_type, expected_memory_type)) return iree_ok_status();
  iree_bitfield_string_temp_t have, need;
  return missing_bits("memory type", iree_hal_memory_type_format(actual_memory_type, &have),
                      iree_hal_memory_type_format(expected_memory_type, &need));
}

iree_status_t iree_hal_buffer_validate_access(iree_hal_memory_access_t allowed_memory_access,
                                              iree_hal_memory_access_t required_memory_access) {
  if (iree_all_bits_set(required_memory_access, IREE_HAL_MEMORY_ACCESS_ANY) ||
      iree_all_bits_set(allowed_memory_access, required_memory_access)) {
    return iree_ok_status();
  }
  iree_bitfield_string_temp_t have, need;
  return missing_bits("memory access", iree_hal_memory_access_format(allowed_memory_access, &have),
                      iree_hal_memory_access_format(required_memory_access, &need));
}

iree_status_t iree_hal_buffer_validate_usage(iree_hal_buffer_usage_t allowed_usage,
                                             iree_hal_buffer_usage_t required_usage) {
  if (iree_all_bits_set(allowed_usage, required_usage)) return iree_ok_status();
  iree_bitfield_string_temp_t have, need;
  return missing_bits("usage", iree_hal_buffer_usage_format(allowed_usage, &have),
                      iree_hal_buffer_usage_format(required_usage, &need));
}

iree_status_t iree_hal_buffer_validate_range(iree_hal_buffer_t *buffer,
                                             iree_device_size_t byte_offset,
                                             iree_device_size_t byte_length) {
  iree_device_size_t offset = 0;
  return iree_hal_buffer_calculate_range(0, buffer->byte_length, byte_offset, byte_length, &offset,
                                         NULL);
}

iree_status_t iree_hal_buffer_calculate_range(iree_device_size_t base_offset,
                                              iree_device_size_t max_length,
                                              iree_device_size_t offset, iree_device_size_t length,
                                              iree_device_size_t *out_adjusted_offset,
                                              iree_device_size_t *out_adjusted_length) {
  if (IREE_UNLIKELY(offset > max_length ||
                    (length != IREE_HAL_WHOLE_BUFFER && length > max_length - offset))) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "byte range leaves the buffer (offset=%" PRIu64 ", length=%" PRIu64
                            ", buffer length=%" PRIu64 ")",
                            (uint64_t)offset, (uint64_t)length, (uint64_t)max_length);
  }
  *out_adjusted_offset = base_offset + offset;
  if (out_adjusted_length) {
    *out_adjusted_length = length == IREE_HAL_WHOLE_BUFFER ? max_length - offset : length;
  }
  return iree_ok_status();
}

iree_hal_buffer_overlap_t iree_hal_buffer_test_overlap(
    iree_hal_buffer_t *lhs_buffer, iree_device_size_t lhs_offset, iree_device_size_t lhs_length,
    iree_hal_buffer_t *rhs_buffer, iree_device_size_t rhs_offset, iree_device_size_t rhs_length) {
  if (lhs_buffer->allocated_buffer != rhs_buffer->allocated_buffer) {
    return IREE_HAL_BUFFER_OVERLAP_DISJOINT;
  }
  if (lhs_length == IREE_HAL_WHOLE_BUFFER) lhs_length = lhs_buffer->byte_length - lhs_offset;
  if (rhs_length == IREE_HAL_WHOLE_BUFFER) rhs_length = rhs_buffer->byte_length - rhs_offset;
  iree_device_size_t lhs = lhs_buffer->byte_offset + lhs_offset;
  iree_device_size_t rhs = rhs_buffer->byte_offset + rhs_offset;
  if (!lhs_length || !rhs_length || lhs + lhs_length <= rhs || rhs + rhs_length <= lhs) {
    return IREE_HAL_BUFFER_OVERLAP_DISJOINT;
  }
  return lhs == rhs && lhs_length == rhs_length ? IREE_HAL_BUFFER_OVERLAP_COMPLETE
                                                : IREE_HAL_BUFFER_OVERLAP_PARTIAL;
}

void iree_hal_buffer_initialize(iree_hal_buffer_placement_t placement,
                                iree_hal_buffer_t *allocated_buffer,
                                iree_device_size_t allocation_size, iree_device_size_t byte_offset,
                                iree_device_size_t byte_length, iree_hal_memory_type_t memory_type,
                                iree_hal_memory_access_t allowed_access,
                                iree_hal_buffer_usage_t allowed_usage,
                                const iree_hal_buffer_vtable_t *vtable, iree_hal_buffer_t *buffer) {
  iree_hal_resource_initialize(vtable, &buffer->resource);
  buffer->allocated_buffer = allocated_buffer;
  if (allocated_buffer != buffer) iree_hal_buffer_retain(allocated_buffer);
  buffer->allocation_size = allocation_size;
  buffer->byte_offset = byte_offset;
  buffer->byte_length = byte_length;
  buffer->placement = placement;
  iree_atomic_ref_count_init(&buffer->preserve_count);
  buffer->memory_type = memory_type;
  buffer->allowed_usage = allowed_usage;
  buffer->allowed_access = allowed_access;
}

//===-- spans ---------------------------------------------------------------------------------===//

typedef struct span_buffer_t {
  iree_hal_buffer_t base;
  iree_allocator_t host_allocator;
} span_buffer_t;

static void span_buffer_destroy(iree_hal_buffer_t *base) {
  span_buffer_t *buffer = (span_buffer_t *)base;
  iree_hal_buffer_release(base->allocated_buffer);
  iree_allocator_free(buffer->host_allocator, buffer);
}

static const iree_hal_buffer_vtable_t *buffer_vtable(iree_hal_buffer_t *buffer) {
  return (const iree_hal_buffer_vtable_t *)buffer->resource.vtable;
}

// The allocation does the work: calls always go to it with ranges of its own.
static const iree_hal_buffer_vtable_t span_buffer_vtable = {
    .destroy = span_buffer_destroy,
};

iree_status_t iree_hal_buffer_subspan(iree_hal_buffer_t *buffer, iree_device_size_t byte_offset,
                                      iree_device_size_t byte_length,
                                      iree_allocator_t host_allocator,
                                      iree_hal_buffer_t **out_buffer) {
  *out_buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_calculate_range(buffer->byte_offset, buffer->byte_length,
                                                       byte_offset, byte_length, &byte_offset,
                                                       &byte_length));
  if (byte_offset == buffer->byte_offset && byte_length == buffer->byte_length) {
    iree_hal_buffer_retain(buffer);
    *out_buffer = buffer;
    return iree_ok_status();
  }
  span_buffer_t *span = NULL;
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(host_allocator, sizeof(*span), (void **)&span));
  span->host_allocator = host_allocator;
  iree_hal_buffer_initialize(buffer->placement, buffer->allocated_buffer, buffer->allocation_size,
                             byte_offset, byte_length, buffer->memory_type, buffer->allowed_access,
                             buffer->allowed_usage, &span_buffer_vtable, &span->base);
  *out_buffer = &span->base;
  return iree_ok_status();
}

//===-- facts ---------------------------------------------------------------------------------===//

void iree_hal_buffer_retain(iree_hal_buffer_t *buffer) { iree_hal_resource_retain(buffer); }
void iree_hal_buffer_release(iree_hal_buffer_t *buffer) { iree_hal_resource_release(buffer); }

iree_hal_buffer_t *iree_hal_buffer_allocated_buffer(const iree_hal_buffer_t *buffer) {
  return buffer->allocated_buffer;
}
iree_device_size_t iree_hal_buffer_allocation_size(const iree_hal_buffer_t *buffer) {
  return buffer->allocation_size;
}
iree_hal_buffer_placement_t iree_hal_buffer_allocation_placement(const iree_hal_buffer_t *buffer) {
  return buffer->allocated_buffer->placement;
}
iree_device_size_t iree_hal_buffer_byte_offset(const iree_hal_buffer_t *buffer) {
  return buffer->byte_offset;
}
iree_device_size_t iree_hal_buffer_byte_length(const iree_hal_buffer_t *buffer) {
  return buffer->byte_length;
}
iree_hal_memory_type_t iree_hal_buffer_memory_type(const iree_hal_buffer_t *buffer) {
  return buffer->memory_type;
}
iree_hal_memory_access_t iree_hal_buffer_allowed_access(const iree_hal_buffer_t *buffer) {
  return buffer->allowed_access;
}
iree_hal_buffer_usage_t iree_hal_buffer_allowed_usage(const iree_hal_buffer_t *buffer) {
  return buffer->allowed_usage;
}

void iree_hal_buffer_allocation_preserve(iree_hal_buffer_t *buffer) {
  iree_atomic_ref_count_inc(&buffer->allocated_buffer->preserve_count);
}

// A program may discard more often than it preserved; the count stays at zero then.
bool iree_hal_buffer_allocation_discard(iree_hal_buffer_t *buffer) {
  iree_atomic_int32_t *count = &buffer->allocated_buffer->preserve_count;
  int32_t value = iree_atomic_load(count, iree_memory_order_relaxed);
  do {
    if (value == 0) return false;
  } while (!iree_atomic_compare_exchange_weak(count, &value, value - 1, iree_memory_order_acq_rel,
                                              iree_memory_order_relaxed));
  return value == 1;
}

bool iree_hal_buffer_allocation_is_terminal(const iree_hal_buffer_t *buffer) {
  return iree_atomic_ref_count_load(&buffer->allocated_buffer->preserve_count) == 1;
}

//===-- mapping -------------------------------------------------------------------------------===//

iree_status_t buffer_host_span(iree_hal_buffer_t *buffer, iree_device_size_t byte_offset,
                               iree_device_size_t byte_length, iree_byte_span_t *out_span) {
  IREE_RETURN_IF_ERROR(iree_hal_buffer_calculate_range(buffer->byte_offset, buffer->byte_length,
                                                       byte_offset, byte_length, &byte_offset,
                                                       &byte_length));
  iree_hal_buffer_t *allocated = buffer->allocated_buffer;
  iree_hal_buffer_mapping_t mapping = {.buffer = allocated};
  IREE_RETURN_IF_ERROR(buffer_vtable(allocated)->map_range(
      allocated, IREE_HAL_MAPPING_MODE_PERSISTENT, IREE_HAL_MEMORY_ACCESS_ANY, byte_offset,
      byte_length, &mapping));
  *out_span = mapping.contents;
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_map_range(iree_hal_buffer_t *buffer,
                                        iree_hal_mapping_mode_t mapping_mode,
                                        iree_hal_memory_access_t memory_access,
                                        iree_device_size_t byte_offset,
                                        iree_device_size_t byte_length,
                                        iree_hal_buffer_mapping_t *out_buffer_mapping) {
  memset(out_buffer_mapping, 0, sizeof(*out_buffer_mapping));
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_validate_memory_type(buffer->memory_type, IREE_HAL_MEMORY_TYPE_HOST_VISIBLE));
  IREE_RETURN_IF_ERROR(iree_hal_buffer_validate_access(buffer->allowed_access, memory_access));
  IREE_RETURN_IF_ERROR(iree_hal_buffer_validate_usage(
      buffer->allowed_usage, mapping_mode & IREE_HAL_MAPPING_MODE_PERSISTENT
                                 ? IREE_HAL_BUFFER_USAGE_MAPPING_PERSISTENT
                                 : IREE_HAL_BUFFER_USAGE_MAPPING_SCOPED));
  IREE_RETURN_IF_ERROR(iree_hal_buffer_calculate_range(buffer->byte_offset, buffer->byte_length,
                                                       byte_offset, byte_length, &byte_offset,
                                                       &byte_length));
  iree_hal_buffer_mapping_t mapping = {
      .buffer = buffer,
      .impl = {.byte_offset = byte_offset,
               .allowed_access = memory_access,
               .is_persistent = (mapping_mode & IREE_HAL_MAPPING_MODE_PERSISTENT) != 0},
  };
  iree_hal_buffer_t *allocated = buffer->allocated_buffer;
  IREE_RETURN_IF_ERROR(buffer_vtable(allocated)->map_range(allocated, mapping_mode, memory_access,
                                                           byte_offset, byte_length, &mapping));
  iree_hal_buffer_retain(buffer);
  *out_buffer_mapping = mapping;
  return iree_ok_status();
}

iree_status_t iree_hal_buffer_unmap_range(iree_hal_buffer_mapping_t *buffer_mapping) {
  if (!buffer_mapping->buffer) return iree_ok_status();
  iree_hal_buffer_t *allocated = buffer_mapping->buffer->allocated_buffer;
  iree_status_t status =
      buffer_vtable(allocated)->unmap_range(allocated, buffer_mapping->impl.byte_offset,
                                            buffer_mapping->contents.data_length, buffer_mapping);
  iree_hal_buffer_release(buffer_mapping->buffer);
  memset(buffer_mapping, 0, sizeof(*buffer_mapping));
  return status;
}

iree_status_t iree_hal_buffer_mapping_invalidate_range(iree_hal_buffer_mapping_t *buffer_mapping,
                                                       iree_device_size_t byte_offset,
                                                       iree_device_size_t byte_length) {
  IREE_RETURN_IF_ERROR(iree_hal_buffer_calculate_range(
      buffer_mapping->impl.byte_offset, buffer_mapping->contents.data_length, byte_offset,
      byte_length, &byte_offset, &byte_length));
  iree_hal_buffer_t *allocated = buffer_mapping->buffer->allocated_buffer;
  return buffer_vtable(allocated)->invalidate_range(allocated, byte_offset, byte_length);
}

iree_status_t iree_hal_buffer_mapping_flush_range(iree_hal_buffer_mapping_t *buffer_mapping,
                                                  iree_device_size_t byte_offset,
                                                  iree_device_size_t byte_length) {
  IREE_RETURN_IF_ERROR(iree_hal_buffer_calculate_range(
      buffer_mapping->impl.byte_offset, buffer_mapping->contents.data_length, byte_offset,
      byte_length, &byte_offset, &byte_length));
  iree_hal_buffer_t *allocated = buffer_mapping->buffer->allocated_buffer;
  return buffer_vtable(allocated)->flush_range(allocated, byte_offset, byte_length);
}

iree_status_t iree_hal_buffer_mapping_subspan(iree_hal_buffer_mapping_t *buffer_mapping,
                                              iree_hal_memory_access_t memory_access,
                                              iree_device_size_t byte_offset,
                                              iree_device_size_t byte_length,
                                              iree_byte_span_t *out_span) {
  *out_span = iree_byte_span_empty();
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_validate_access(buffer_mapping->impl.allowed_access, memory_access));
  IREE_RETURN_IF_ERROR(iree_hal_buffer_calculate_range(0, buffer_mapping->contents.data_length,
                                                       byte_offset, byte_length, &byte_offset,
                                                       &byte_length));
  *out_span = iree_make_byte_span(buffer_mapping->contents.data + (iree_host_size_t)byte_offset,
                                  (iree_host_size_t)byte_length);
  return iree_ok_status();
}

//===-- synchronous access --------------------------------------------------------------------===//

iree_status_t buffer_check_pattern(const void *pattern, iree_host_size_t pattern_length,
                                   iree_device_size_t byte_offset, iree_device_size_t byte_length) {
  (void)pattern;
  if (pattern_length != 1 && pattern_length != 2 && pattern_length != 4 && pattern_length != 8) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "fill patterns are 1, 2, 4 or 8 bytes; this one is %zu",
                            pattern_length);
  }
  if ((byte_offset | byte_length) & (pattern_length - 1)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "fill range (offset=%" PRIu64 ", length=%" PRIu64
                            ") is not a multiple of the %zu-byte pattern",
                            (uint64_t)byte_offset, (uint64_t)byte_length, pattern_length);
  }
  return iree_ok_status();
}

void buffer_fill_bytes(uint8_t *target, iree_host_size_t length, const void *pattern,
                       iree_host_size_t pattern_length) {
  uint64_t bits = 0;
  memcpy(&bits, pattern, pattern_length);
  for (iree_host_size_t width = pattern_length; width < 8; width *= 2) bits |= bits << (width * 8);
  if (bits == (bits & 0xFF) * 0x0101010101010101ull) {
    memset(target, (int)(bits & 0xFF), length);
    return;
  }
  iree_host_size_t i = 0;
  for (; i + 8 <= length; i += 8) memcpy(target + i, &bits, 8);
  memcpy(target + i, &bits, length - i);
}

iree_status_t iree_hal_buffer_map_zero(iree_hal_buffer_t *buffer, iree_device_size_t byte_offset,
                                       iree_device_size_t byte_length) {
  const uint8_t zero = 0;
  return iree_hal_buffer_map_fill(buffer, byte_offset, byte_length, &zero, sizeof(zero));
}

iree_status_t iree_hal_buffer_map_fill(iree_hal_buffer_t *buffer, iree_device_size_t byte_offset,
                                       iree_device_size_t byte_length, const void *pattern,
                                       iree_host_size_t pattern_length) {
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                 IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE, byte_offset,
                                                 byte_length, &mapping));
  iree_status_t status =
      buffer_check_pattern(pattern, pattern_length, byte_offset, mapping.contents.data_length);
  if (iree_status_is_ok(status)) {
    buffer_fill_bytes(mapping.contents.data, mapping.contents.data_length, pattern, pattern_length);
    status = iree_hal_buffer_mapping_flush_range(&mapping, 0, IREE_HAL_WHOLE_BUFFER);
  }
  return iree_status_join(status, iree_hal_buffer_unmap_range(&mapping));
}

iree_status_t iree_hal_buffer_map_read(iree_hal_buffer_t *source_buffer,
                                       iree_device_size_t source_offset, void *target_buffer,
                                       iree_device_size_t data_length) {
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(source_buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                 IREE_HAL_MEMORY_ACCESS_READ, source_offset,
                                                 data_length, &mapping));
  iree_status_t status =
      iree_hal_buffer_mapping_invalidate_range(&mapping, 0, IREE_HAL_WHOLE_BUFFER);
  if (iree_status_is_ok(status) && mapping.contents.data_length) {
    memcpy(target_buffer, mapping.contents.data, mapping.contents.data_length);
  }
  return iree_status_join(status, iree_hal_buffer_unmap_range(&mapping));
}

iree_status_t iree_hal_buffer_map_write(iree_hal_buffer_t *target_buffer,
                                        iree_device_size_t target_offset, const void *source_buffer,
                                        iree_device_size_t data_length) {
  iree_hal_buffer_mapping_t mapping;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(target_buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                 IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE,
                                                 target_offset, data_length, &mapping));
  if (mapping.contents.data_length) {
    memcpy(mapping.contents.data, source_buffer, mapping.contents.data_length);
  }
  iree_status_t status = iree_hal_buffer_mapping_flush_range(&mapping, 0, IREE_HAL_WHOLE_BUFFER);
  return iree_status_join(status, iree_hal_buffer_unmap_range(&mapping));
}

iree_status_t iree_hal_buffer_map_copy(iree_hal_buffer_t *source_buffer,
                                       iree_device_size_t source_offset,
                                       iree_hal_buffer_t *target_buffer,
                                       iree_device_size_t target_offset,
                                       iree_device_size_t data_length) {
  if (data_length == IREE_HAL_WHOLE_BUFFER && source_offset <= source_buffer->byte_length) {
    data_length = source_buffer->byte_length - source_offset;
  }
  iree_hal_buffer_mapping_t source, target;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(source_buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                 IREE_HAL_MEMORY_ACCESS_READ, source_offset,
                                                 data_length, &source));
  iree_status_t status = iree_hal_buffer_map_range(target_buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                   IREE_HAL_MEMORY_ACCESS_DISCARD_WRITE,
                                                   target_offset, data_length, &target);
  if (!iree_status_is_ok(status)) {
    return iree_status_join(status, iree_hal_buffer_unmap_range(&source));
  }
  if (iree_hal_buffer_test_overlap(source_buffer, source_offset, data_length, target_buffer,
                                   target_offset,
                                   data_length) != IREE_HAL_BUFFER_OVERLAP_DISJOINT) {
    status = iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                              "source and target ranges of a copy overlap");
  } else if (data_length) {
    memcpy(target.contents.data, source.contents.data, target.contents.data_length);
    status = iree_hal_buffer_mapping_flush_range(&target, 0, IREE_HAL_WHOLE_BUFFER);
  }
  status = iree_status_join(status, iree_hal_buffer_unmap_range(&source));
  return iree_status_join(status, iree_hal_buffer_unmap_range(&target));
}
