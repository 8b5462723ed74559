// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The provider that serves one scope from a parameter index.
#ifndef IREE_IO_PARAMETER_INDEX_PROVIDER_H_
#define IREE_IO_PARAMETER_INDEX_PROVIDER_H_

#include <stdint.h>

#include "iree/base/api.h"
#include "iree/hal/api.h"
#include "iree/io/parameter_index.h"
#include "iree/io/parameter_provider.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IREE_IO_PARAMETER_INDEX_PROVIDER_DEFAULT_MAX_CONCURRENT_OPERATIONS 16

// Makes a provider of |scope| over |index|. |max_concurrent_operations| is a hint of how many reads
// and writes of a batch may be under way at once.
//   owns:   transfers ownership to the caller; retains the index
//   errors: RESOURCE_EXHAUSTED  no host memory
IREE_API_EXPORT iree_status_t iree_io_parameter_index_provider_create(
    iree_string_view_t scope, iree_io_parameter_index_t *index,
    iree_host_size_t max_concurrent_operations, iree_allocator_t host_allocator,
    iree_io_parameter_provider_t **out_provider);

#ifdef __cplusplus
}
#endif

#endif  // IREE_IO_PARAMETER_INDEX_PROVIDER_H_
