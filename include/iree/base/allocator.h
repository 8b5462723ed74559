// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where memory comes from: one control function and a self pointer, passed in and kept by objects.
// Memory from iree_allocator_malloc is zeroed. Sizes are bytes.
#ifndef IREE_BASE_ALLOCATOR_H_
#define IREE_BASE_ALLOCATOR_H_

#include "iree/base/alignment.h"
#include "iree/base/config.h"
#include "iree/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#if IREE_STATISTICS_ENABLE
#define IREE_STATISTICS(expr) expr
#else
#define IREE_STATISTICS(expr)
#endif

typedef struct iree_byte_span_t {
  uint8_t *data;
  iree_host_size_t data_length;
} iree_byte_span_t;

typedef struct iree_const_byte_span_t {
  const uint8_t *data;
  iree_host_size_t data_length;
} iree_const_byte_span_t;

static inline iree_byte_span_t iree_make_byte_span(void *data, iree_host_size_t data_length) {
  iree_byte_span_t span = {(uint8_t *)data, data_length};
  return span;
}
static inline iree_byte_span_t iree_byte_span_empty(void) { return iree_make_byte_span(NULL, 0); }
static inline bool iree_byte_span_is_empty(iree_byte_span_t span) {
  return span.data == NULL || span.data_length == 0;
}
static inline iree_const_byte_span_t iree_make_const_byte_span(const void *data,
                                                               iree_host_size_t data_length) {
  iree_const_byte_span_t span = {(const uint8_t *)data, data_length};
  return span;
}
static inline iree_const_byte_span_t iree_const_byte_span_empty(void) {
  return iree_make_const_byte_span(NULL, 0);
}
static inline bool iree_const_byte_span_is_empty(iree_const_byte_span_t span) {
  return span.data == NULL || span.data_length == 0;
}
static inline iree_const_byte_span_t iree_const_cast_byte_span(iree_byte_span_t span) {
  return iree_make_const_byte_span(span.data, span.data_length);
}
static inline iree_byte_span_t iree_cast_const_byte_span(iree_const_byte_span_t span) {
  return iree_make_byte_span((void *)(uintptr_t)span.data, span.data_length);
}

typedef enum iree_allocator_command_e {
  IREE_ALLOCATOR_COMMAND_MALLOC = 0,  // params: byte_length; inout_ptr: out
  IREE_ALLOCATOR_COMMAND_CALLOC,      // the same, zeroed
  IREE_ALLOCATOR_COMMAND_REALLOC,     // params: byte_length; inout_ptr: in and out, NULL allowed
  IREE_ALLOCATOR_COMMAND_FREE,        // params: NULL; inout_ptr: in
} iree_allocator_command_t;

typedef struct iree_allocator_alloc_params_t {
  iree_host_size_t byte_length;
} iree_allocator_alloc_params_t;

typedef iree_status_t (*iree_allocator_ctl_fn_t)(void *self, iree_allocator_command_t command,
                                                 const void *params, void **inout_ptr);

typedef struct iree_allocator_t {
  void *self;
  iree_allocator_ctl_fn_t ctl;
} iree_allocator_t;

// The C library's heap.
//   errors: RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_allocator_libc_ctl(void *self, iree_allocator_command_t command,
                                                      const void *params, void **inout_ptr);

static inline iree_allocator_t iree_allocator_system(void) {
  iree_allocator_t allocator = {NULL, iree_allocator_libc_ctl};
  return allocator;
}
// Frees nothing and allocates nothing: for memory that somebody else owns.
static inline iree_allocator_t iree_allocator_null(void) {
  iree_allocator_t allocator = {NULL, NULL};
  return allocator;
}
static inline bool iree_allocator_is_null(iree_allocator_t allocator) {
  return allocator.ctl == NULL;
}

// Allocates |byte_length| zeroed bytes; _uninitialized leaves them as they are.
//   owns:   transfers |out_ptr| to the caller
//   errors: RESOURCE_EXHAUSTED  no memory;  INVALID_ARGUMENT  zero bytes, or the null allocator
IREE_API_EXPORT iree_status_t iree_allocator_malloc(iree_allocator_t allocator,
                                                    iree_host_size_t byte_length, void **out_ptr);
IREE_API_EXPORT iree_status_t iree_allocator_malloc_uninitialized(iree_allocator_t allocator,
                                                                  iree_host_size_t byte_length,
                                                                  void **out_ptr);
// Changes the size of a block, moving it if needed; new bytes are not zeroed.
//   owns:   takes and transfers |inout_ptr|; on failure the old block stays valid
//   errors: RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_allocator_realloc(iree_allocator_t allocator,
                                                     iree_host_size_t byte_length,
                                                     void **inout_ptr);
// A copy of |source_bytes|.
//   owns:   transfers |out_ptr| to the caller
//   errors: RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_allocator_clone(iree_allocator_t allocator,
                                                   iree_const_byte_span_t source_bytes,
                                                   void **out_ptr);
// Frees; NULL is fine.
//   owns:   takes ownership
//   errors: none
IREE_API_EXPORT void iree_allocator_free(iree_allocator_t allocator, void *ptr);

// The same with count * element_size (+ base) computed with a check.
//   owns:   transfers |out_ptr| to the caller
//   errors: OUT_OF_RANGE  the size overflows;  RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_allocator_malloc_array(iree_allocator_t allocator,
                                                          iree_host_size_t count,
                                                          iree_host_size_t element_size,
                                                          void **out_ptr);
IREE_API_EXPORT iree_status_t
iree_allocator_malloc_array_uninitialized(iree_allocator_t allocator, iree_host_size_t count,
                                          iree_host_size_t element_size, void **out_ptr);
IREE_API_EXPORT iree_status_t iree_allocator_realloc_array(iree_allocator_t allocator,
                                                           iree_host_size_t count,
                                                           iree_host_size_t element_size,
                                                           void **inout_ptr);
IREE_API_EXPORT iree_status_t iree_allocator_malloc_with_trailing(iree_allocator_t allocator,
                                                                  iree_host_size_t struct_size,
                                                                  iree_host_size_t trailing_size,
                                                                  void **out_ptr);
IREE_API_EXPORT iree_status_t iree_allocator_malloc_struct_array(iree_allocator_t allocator,
                                                                 iree_host_size_t struct_size,
                                                                 iree_host_size_t count,
                                                                 iree_host_size_t element_size,
                                                                 void **out_ptr);
// Grows an array to at least |minimum_capacity| elements, doubling; new elements are zeroed.
//   owns:   takes and transfers |inout_ptr|
//   errors: OUT_OF_RANGE  the size overflows;  RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_allocator_grow_array(iree_allocator_t allocator,
                                                        iree_host_size_t minimum_capacity,
                                                        iree_host_size_t element_size,
                                                        iree_host_size_t *inout_capacity,
                                                        void **inout_ptr);

// Blocks whose address + |offset| has |min_alignment| (a power of two); zeroed.
//   owns:   transfers |out_ptr| to the caller; free only by iree_allocator_free_aligned
//   errors: INVALID_ARGUMENT  bad alignment;  OUT_OF_RANGE  the size overflows;
//           RESOURCE_EXHAUSTED  no memory
IREE_API_EXPORT iree_status_t iree_allocator_malloc_aligned(iree_allocator_t allocator,
                                                            iree_host_size_t byte_length,
                                                            iree_host_size_t min_alignment,
                                                            iree_host_size_t offset,
                                                            void **out_ptr);
IREE_API_EXPORT void iree_allocator_free_aligned(iree_allocator_t allocator, void *ptr);

// A bump allocator over caller memory, for devices without a heap; single blocks are not given
// back.
typedef struct iree_allocator_inline_storage_t {
  iree_host_size_t capacity;
  iree_host_size_t length;
  void *head_ptr;  // the newest block: the only one that can grow or be freed
  uint8_t *buffer;
} iree_allocator_inline_storage_t;
#define IREE_ALLOCATOR_INLINE_STORAGE(var, storage_capacity) \
  uint8_t var##_bytes_[storage_capacity] iree_alignas(16);   \
  iree_allocator_inline_storage_t var = {(storage_capacity), 0, NULL, var##_bytes_}
//   errors: RESOURCE_EXHAUSTED  the storage is full
IREE_API_EXPORT iree_status_t iree_allocator_inline_arena_ctl(void *self,
                                                              iree_allocator_command_t command,
                                                              const void *params, void **inout_ptr);
static inline iree_allocator_t iree_allocator_inline_arena(
    iree_allocator_inline_storage_t *storage) {
  iree_allocator_t allocator = {storage, iree_allocator_inline_arena_ctl};
  return allocator;
}

#ifdef __cplusplus
}
#endif
#endif  // IREE_BASE_ALLOCATOR_H_
