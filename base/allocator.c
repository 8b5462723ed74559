// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocator front ends and the two built-in sources: the C heap and a caller's fixed storage.
#include "iree/base/allocator.h"

#include <stdlib.h>

static iree_status_t allocator_call(iree_allocator_t allocator, iree_allocator_command_t command,
                                    iree_host_size_t byte_length, void **inout_ptr) {
  if (IREE_UNLIKELY(byte_length == 0)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "allocations must be larger than 0");
  }
  if (IREE_UNLIKELY(!allocator.ctl)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "the null allocator has no memory");
  }
  iree_allocator_alloc_params_t params = {byte_length};
  return allocator.ctl(allocator.self, command, &params, inout_ptr);
}

iree_status_t iree_allocator_malloc(iree_allocator_t allocator, iree_host_size_t byte_length,
                                    void **out_ptr) {
  *out_ptr = NULL;
  return allocator_call(allocator, IREE_ALLOCATOR_COMMAND_CALLOC, byte_length, out_ptr);
}

iree_status_t iree_allocator_malloc_uninitialized(iree_allocator_t allocator,
                                                  iree_host_size_t byte_length, void **out_ptr) {
  *out_ptr = NULL;
  return allocator_call(allocator, IREE_ALLOCATOR_COMMAND_MALLOC, byte_length, out_ptr);
}

iree_status_t iree_allocator_realloc(iree_allocator_t allocator, iree_host_size_t byte_length,
                                     void **inout_ptr) {
  return allocator_call(allocator, IREE_ALLOCATOR_COMMAND_REALLOC, byte_length, inout_ptr);
}

iree_status_t iree_allocator_clone(iree_allocator_t allocator, iree_const_byte_span_t source_bytes,
                                   void **out_ptr) {
  IREE_RETURN_IF_ERROR(
      iree_allocator_malloc_uninitialized(allocator, source_bytes.data_length, out_ptr));
  memcpy(*out_ptr, source_bytes.data, source_bytes.data_length);
  return iree_ok_status();
}

void iree_allocator_free(iree_allocator_t allocator, void *ptr) {
  if (!ptr || !allocator.ctl) return;
  iree_status_ignore(allocator.ctl(allocator.self, IREE_ALLOCATOR_COMMAND_FREE, NULL, &ptr));
}

static iree_status_t checked_size(iree_host_size_t base, iree_host_size_t count,
                                  iree_host_size_t element_size, iree_host_size_t *out_size) {
  if (iree_host_size_checked_mul_add(base, count, element_size, out_size)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                          "allocation of %" PRIhsz " + %" PRIhsz " x %" PRIhsz " bytes overflows",
                          base, count, element_size);
}

iree_status_t iree_allocator_malloc_array(iree_allocator_t allocator, iree_host_size_t count,
                                          iree_host_size_t element_size, void **out_ptr) {
  return iree_allocator_malloc_struct_array(allocator, 0, count, element_size, out_ptr);
}

iree_status_t iree_allocator_malloc_array_uninitialized(iree_allocator_t allocator,
                                                        iree_host_size_t count,
                                                        iree_host_size_t element_size,
                                                        void **out_ptr) {
  iree_host_size_t size = 0;
  *out_ptr = NULL;
  IREE_RETURN_IF_ERROR(checked_size(0, count, element_size, &size));
  return iree_allocator_malloc_uninitialized(allocator, size, out_ptr);
}

iree_status_t iree_allocator_realloc_array(iree_allocator_t allocator, iree_host_size_t count,
                                           iree_host_size_t element_size, void **inout_ptr) {
  iree_host_size_t size = 0;
  IREE_RETURN_IF_ERROR(checked_size(0, count, element_size, &size));
  return iree_allocator_realloc(allocator, size, inout_ptr);
}

iree_status_t iree_allocator_malloc_with_trailing(iree_allocator_t allocator,
                                                  iree_host_size_t struct_size,
                                                  iree_host_size_t trailing_size, void **out_ptr) {
  return iree_allocator_malloc_struct_array(allocator, struct_size, trailing_size, 1, out_ptr);
}

iree_status_t iree_allocator_malloc_struct_array(iree_allocator_t allocator,
                                                 iree_host_size_t struct_size,
                                                 iree_host_size_t count,
                                                 iree_host_size_t element_size, void **out_ptr) {
  iree_host_size_t size = 0;
  *out_ptr = NULL;
  IREE_RETURN_IF_ERROR(checked_size(struct_size, count, element_size, &size));
  return iree_allocator_malloc(allocator, size, out_ptr);
}

iree_status_t iree_allocator_grow_array(iree_allocator_t allocator,
                                        iree_host_size_t minimum_capacity,
                                        iree_host_size_t element_size,
                                        iree_host_size_t *inout_capacity, void **inout_ptr) {
  iree_host_size_t old_capacity = *inout_capacity, doubled = 0;
  if (minimum_capacity <= old_capacity && *inout_ptr) return iree_ok_status();
  if (!iree_host_size_checked_mul(old_capacity, 2, &doubled)) doubled = minimum_capacity;
  iree_host_size_t capacity = iree_max(iree_max(doubled, minimum_capacity), 4);
  IREE_RETURN_IF_ERROR(iree_allocator_realloc_array(allocator, capacity, element_size, inout_ptr));
  memset((uint8_t *)*inout_ptr + old_capacity * element_size, 0,
         (capacity - old_capacity) * element_size);
  *inout_capacity = capacity;
  return iree_ok_status();
}

// The address given out has the original pointer in the word before it.
iree_status_t iree_allocator_malloc_aligned(iree_allocator_t allocator,
                                            iree_host_size_t byte_length,
                                            iree_host_size_t min_alignment, iree_host_size_t offset,
                                            void **out_ptr) {
  *out_ptr = NULL;
  iree_host_size_t alignment = iree_max(min_alignment, sizeof(void *));
  if (!iree_host_size_is_power_of_two(alignment)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "alignment %" PRIhsz " is not a power of two", min_alignment);
  }
  iree_host_size_t extra = 0, total = 0;
  if (!iree_host_size_checked_add(alignment, alignment + sizeof(void *), &extra) ||
      !iree_host_size_checked_add(byte_length, extra, &total)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "aligned allocation size overflows");
  }
  void *block = NULL;
  IREE_RETURN_IF_ERROR(iree_allocator_malloc(allocator, total, &block));
  uintptr_t lowest = (uintptr_t)block + sizeof(void *);
  uintptr_t shift = (alignment - ((lowest + offset) & (alignment - 1))) & (alignment - 1);
  uint8_t *result = (uint8_t *)block + sizeof(void *) + shift;
  memcpy(result - sizeof(void *), &block, sizeof(block));
  *out_ptr = result;
  return iree_ok_status();
}

void iree_allocator_free_aligned(iree_allocator_t allocator, void *ptr) {
  if (!ptr) return;
  void *block = NULL;
  memcpy(&block, (uint8_t *)ptr - sizeof(void *), sizeof(block));
  iree_allocator_free(allocator, block);
}

iree_status_t iree_allocator_libc_ctl(void *self, iree_allocator_command_t command,
                                      const void *params, void **inout_ptr) {
  (void)self;
  if (command == IREE_ALLOCATOR_COMMAND_FREE) {
    free(*inout_ptr);
    *inout_ptr = NULL;
    return iree_ok_status();
  }
  iree_host_size_t size = ((const iree_allocator_alloc_params_t *)params)->byte_length;
  void *ptr = NULL;
  switch (command) {
    case IREE_ALLOCATOR_COMMAND_MALLOC:
      ptr = malloc(size);
      break;
    case IREE_ALLOCATOR_COMMAND_CALLOC:
      ptr = calloc(1, size);
      break;
    case IREE_ALLOCATOR_COMMAND_REALLOC:
      ptr = realloc(*inout_ptr, size);
      break;
    case IREE_ALLOCATOR_COMMAND_FREE:
      break;
  }
  if (!ptr) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "the system allocator has no %" PRIhsz " bytes", size);
  }
  *inout_ptr = ptr;
  return iree_ok_status();
}

iree_status_t iree_allocator_inline_arena_ctl(void *self, iree_allocator_command_t command,
                                              const void *params, void **inout_ptr) {
  iree_allocator_inline_storage_t *storage = self;
  uint8_t *head = storage->head_ptr;
  if (command == IREE_ALLOCATOR_COMMAND_FREE) {
    if (*inout_ptr && *inout_ptr == head) {
      storage->length = (iree_host_size_t)(head - storage->buffer);
      storage->head_ptr = NULL;
    }
    return iree_ok_status();
  }
  iree_host_size_t size = ((const iree_allocator_alloc_params_t *)params)->byte_length;
  void *old_ptr = command == IREE_ALLOCATOR_COMMAND_REALLOC ? *inout_ptr : NULL;
  iree_host_size_t begin = iree_host_align(storage->length, iree_max_align_t);
  if (old_ptr && old_ptr == head) begin = (iree_host_size_t)(head - storage->buffer);
  if (!iree_range_is_within(begin, size, storage->capacity)) {
    return iree_make_status(IREE_STATUS_RESOURCE_EXHAUSTED,
                            "fixed storage of %" PRIhsz " bytes has no room for %" PRIhsz,
                            storage->capacity, size);
  }
  uint8_t *ptr = storage->buffer + begin;
  if (command == IREE_ALLOCATOR_COMMAND_CALLOC) memset(ptr, 0, size);
  if (old_ptr && old_ptr != ptr) {
    // The size of the old block is unknown; everything from it up to the new one covers it.
    iree_host_size_t available = (iree_host_size_t)(ptr - (uint8_t *)old_ptr);
    memcpy(ptr, old_ptr, iree_min(size, available));
  }
  storage->length = begin + size;
  storage->head_ptr = ptr;
  *inout_ptr = ptr;
  return iree_ok_status();
}
