// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameter files of any known format.
#ifndef IREE_IO_FORMATS_PARSER_REGISTRY_H_
#define IREE_IO_FORMATS_PARSER_REGISTRY_H_

#include "iree/base/api.h"
#include "iree/io/file_handle.h"
#include "iree/io/parameter_index.h"

#ifdef __cplusplus
extern "C" {
#endif

// Adds all parameters of the file to |index|. The extension of |path|, or |path| itself without
// one, says the format: irpa, gguf or safetensors.
//   owns:   the index retains the handle
//   errors: UNIMPLEMENTED  no such format;  else those of the format's parser, naming the path
IREE_API_EXPORT iree_status_t iree_io_parse_file_index(iree_string_view_t path,
                                                       iree_io_file_handle_t *file_handle,
                                                       iree_io_parameter_index_t *index,
                                                       iree_allocator_t host_allocator);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_FORMATS_PARSER_REGISTRY_H_
