// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams of bytes with a position: over memory, C files and file handles.
#ifndef IREE_IO_STREAM_H_
#define IREE_IO_STREAM_H_

#include <stdint.h>

#include "iree/base/api.h"
#include "iree/base/internal/atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iree_io_file_handle_t iree_io_file_handle_t;

// Bytes from the start of the stream.
typedef int64_t iree_io_stream_pos_t;

enum iree_io_stream_mode_bits_t {
  IREE_IO_STREAM_MODE_READABLE = 1u << 0,
  IREE_IO_STREAM_MODE_WRITABLE = 1u << 1,
  IREE_IO_STREAM_MODE_RESIZABLE = 1u << 2,
  IREE_IO_STREAM_MODE_SEEKABLE = 1u << 3,
  IREE_IO_STREAM_MODE_MAPPABLE = 1u << 4,
};
typedef uint32_t iree_io_stream_mode_t;

typedef enum iree_io_stream_seek_mode_t {
  IREE_IO_STREAM_SEEK_SET = 0,
  IREE_IO_STREAM_SEEK_FROM_CURRENT,
  IREE_IO_STREAM_SEEK_FROM_END,
} iree_io_stream_seek_mode_t;

typedef struct iree_io_stream_t iree_io_stream_t;

// Reference counting; null is ignored.
//   errors: none
IREE_API_EXPORT void iree_io_stream_retain(iree_io_stream_t *stream);
IREE_API_EXPORT void iree_io_stream_release(iree_io_stream_t *stream);

// Facts about a stream.
//   units:  bytes
//   errors: none
IREE_API_EXPORT iree_io_stream_mode_t iree_io_stream_mode(const iree_io_stream_t *stream);
IREE_API_EXPORT iree_io_stream_pos_t iree_io_stream_offset(iree_io_stream_t *stream);
IREE_API_EXPORT iree_io_stream_pos_t iree_io_stream_length(iree_io_stream_t *stream);
IREE_API_EXPORT bool iree_io_stream_is_eos(iree_io_stream_t *stream);

// Moves the position; _to_alignment forwards to a multiple of |alignment|.
//   units:  bytes
//   errors: OUT_OF_RANGE         the position leaves a stream that cannot grow
//           FAILED_PRECONDITION  the stream is not SEEKABLE
//           INVALID_ARGUMENT     |alignment| is no power of two
IREE_API_EXPORT iree_status_t iree_io_stream_seek(iree_io_stream_t *stream,
                                                  iree_io_stream_seek_mode_t seek_mode,
                                                  iree_io_stream_pos_t seek_offset);
IREE_API_EXPORT iree_status_t iree_io_stream_seek_to_alignment(iree_io_stream_t *stream,
                                                               iree_io_stream_pos_t alignment);

// Reads up to |buffer_capacity| bytes; without |out_buffer_length| fewer are an error.
//   units:  bytes
//   errors: OUT_OF_RANGE       the stream ends before
//           PERMISSION_DENIED  the stream is not READABLE
IREE_API_EXPORT iree_status_t iree_io_stream_read(iree_io_stream_t *stream,
                                                  iree_host_size_t buffer_capacity, void *buffer,
                                                  iree_host_size_t *out_buffer_length);

// Writes bytes; _fill |count| times the pattern.
//   units:  bytes; |count| in patterns
//   errors: OUT_OF_RANGE       the stream ends before
//           PERMISSION_DENIED  the stream is not WRITABLE
//           INVALID_ARGUMENT   a pattern of no or more than 16 bytes
IREE_API_EXPORT iree_status_t iree_io_stream_write(iree_io_stream_t *stream,
                                                   iree_host_size_t buffer_length,
                                                   const void *buffer);
IREE_API_EXPORT iree_status_t iree_io_stream_write_char(iree_io_stream_t *stream, char c);
IREE_API_EXPORT iree_status_t iree_io_stream_write_string(iree_io_stream_t *stream,
                                                          iree_string_view_t value);
IREE_API_EXPORT iree_status_t iree_io_stream_fill(iree_io_stream_t *stream,
                                                  iree_io_stream_pos_t count, const void *pattern,
                                                  iree_host_size_t pattern_length);

// The next |length| bytes of a MAPPABLE stream in place; the position moves past them.
//   units:  bytes
//   owns:   borrowed from the stream until it is released
//   errors: OUT_OF_RANGE         the stream ends before
//           FAILED_PRECONDITION  the stream is not MAPPABLE
//           PERMISSION_DENIED    the stream is not READABLE or WRITABLE
IREE_API_EXPORT iree_status_t iree_io_stream_map_read(iree_io_stream_t *stream,
                                                      iree_host_size_t length,
                                                      iree_const_byte_span_t *out_span);
IREE_API_EXPORT iree_status_t iree_io_stream_map_write(iree_io_stream_t *stream,
                                                       iree_host_size_t length,
                                                       iree_byte_span_t *out_span);

// Copies |length| bytes from position to position.
//   units:  bytes
//   errors: OUT_OF_RANGE       one of the streams ends before
//           PERMISSION_DENIED  the source is not READABLE or the target not WRITABLE
IREE_API_EXPORT iree_status_t iree_io_stream_copy(iree_io_stream_t *source_stream,
                                                  iree_io_stream_t *target_stream,
                                                  iree_io_stream_pos_t length);

typedef void(IREE_API_PTR *iree_io_stream_release_fn_t)(void *user_data, iree_io_stream_t *stream);
typedef struct {
  iree_io_stream_release_fn_t fn;
  void *user_data;
} iree_io_stream_release_callback_t;
static inline iree_io_stream_release_callback_t iree_io_stream_release_callback_null(void) {
  iree_io_stream_release_callback_t callback = {NULL, NULL};
  return callback;
}

// Opens a stream over a file from |file_offset| on.
//   units:  bytes
//   owns:   transfers ownership to the caller; retains the handle
//   errors: OUT_OF_RANGE        |file_offset| lies beyond memory's end
//           RESOURCE_EXHAUSTED  no host memory or descriptors
IREE_API_EXPORT iree_status_t iree_io_stream_open(iree_io_stream_mode_t mode,
                                                  iree_io_file_handle_t *file_handle,
                                                  uint64_t file_offset,
                                                  iree_allocator_t host_allocator,
                                                  iree_io_stream_t **out_stream);

// Copies |length| bytes of a file, or all from the offset on if it is -1, to the stream.
//   units:  bytes
//   errors: as iree_io_stream_open and iree_io_stream_copy
IREE_API_EXPORT iree_status_t iree_io_stream_write_file(iree_io_stream_t *stream,
                                                        iree_io_file_handle_t *source_file_handle,
                                                        uint64_t source_file_offset,
                                                        iree_io_stream_pos_t length,
                                                        iree_allocator_t host_allocator);

typedef struct iree_io_stream_vtable_t {
  void(IREE_API_PTR *destroy)(iree_io_stream_t *IREE_RESTRICT stream);
  iree_io_stream_pos_t(IREE_API_PTR *offset)(iree_io_stream_t *stream);
  iree_io_stream_pos_t(IREE_API_PTR *length)(iree_io_stream_t *stream);
  iree_status_t(IREE_API_PTR *seek)(iree_io_stream_t *stream, iree_io_stream_seek_mode_t seek_mode,
                                    iree_io_stream_pos_t seek_offset);
  iree_status_t(IREE_API_PTR *read)(iree_io_stream_t *stream, iree_host_size_t buffer_capacity,
                                    void *buffer, iree_host_size_t *out_buffer_length);
  iree_status_t(IREE_API_PTR *write)(iree_io_stream_t *stream, iree_host_size_t buffer_length,
                                     const void *buffer);
  iree_status_t(IREE_API_PTR *fill)(iree_io_stream_t *stream, iree_io_stream_pos_t count,
                                    const void *pattern, iree_host_size_t pattern_length);
  iree_status_t(IREE_API_PTR *map_read)(iree_io_stream_t *stream, iree_host_size_t length,
                                        iree_const_byte_span_t *out_span);
  iree_status_t(IREE_API_PTR *map_write)(iree_io_stream_t *stream, iree_host_size_t length,
                                         iree_byte_span_t *out_span);
} iree_io_stream_vtable_t;

// The head of every implementation.
struct iree_io_stream_t {
  iree_atomic_ref_count_t ref_count;
  const iree_io_stream_vtable_t *vtable;
  iree_io_stream_mode_t mode;
};

// Destroys the stream whatever its count; for implementations.
//   errors: none
IREE_API_EXPORT void iree_io_stream_destroy(iree_io_stream_t *stream);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_STREAM_H_
