// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream over host memory, of fixed length.
#ifndef IREE_IO_MEMORY_STREAM_H_
#define IREE_IO_MEMORY_STREAM_H_

#include "iree/base/api.h"
#include "iree/io/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

// Makes a stream of |contents|; it is always seekable and mappable.
//   owns:   transfers ownership to the caller; |contents| stays alive until |release_callback| runs
//   errors: RESOURCE_EXHAUSTED  no host memory; |release_callback| is then not called
IREE_API_EXPORT iree_status_t iree_io_memory_stream_wrap(
    iree_io_stream_mode_t mode, iree_byte_span_t contents,
    iree_io_stream_release_callback_t release_callback, iree_allocator_t host_allocator,
    iree_io_stream_t **out_stream);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_MEMORY_STREAM_H_
