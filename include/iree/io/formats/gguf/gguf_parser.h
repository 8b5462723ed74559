// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GGUF files, versions 2 and 3.
#ifndef IREE_IO_FORMATS_GGUF_GGUF_PARSER_H_
#define IREE_IO_FORMATS_GGUF_GGUF_PARSER_H_

#include "iree/base/api.h"
#include "iree/io/file_handle.h"
#include "iree/io/parameter_index.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds all parameters of the file to |index|; their contents stay where they are.
//   owns:   the index retains the handle
//   errors: INVALID_ARGUMENT    the file is malformed: what is wrong and where
//           OUT_OF_RANGE        a range leaves the file
//           UNIMPLEMENTED       a version or a kind of entry that this build does not know
//           RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_io_parse_gguf_index(iree_io_file_handle_t *file_handle,
                                                     iree_io_parameter_index_t *index,
                                                     iree_allocator_t host_allocator);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_FORMATS_GGUF_GGUF_PARSER_H_
