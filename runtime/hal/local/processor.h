// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU that we run on can do, in the bits of abi/cpu_feature.def.
#ifndef RUNTIME_HAL_LOCAL_PROCESSOR_H_
#define RUNTIME_HAL_LOCAL_PROCESSOR_H_

#include "base/port.h"
#include "abi/executable_library.h"
#include "iree/base/api.h"

// Reads the features that both the CPU has and the system lets programs use.
SHARED_INTERNALLY void processor_query(iree_hal_processor_v0_t *out_processor);

// Names of the features that the architecture may have, from index 0 to a NULL.
const char *processor_feature_name(iree_host_size_t index);

// Whether a feature by its name ("avx512f") is there; false when the name is unknown.
SHARED_INTERNALLY bool processor_lookup(const iree_hal_processor_v0_t *processor, iree_string_view_t name,
                      bool *out_is_present);

// Checks |word_count| words of required bits against a processor.
//   errors: INCOMPATIBLE  bits that the processor lacks; the text names them and the way out
iree_status_t processor_require(const iree_hal_processor_v0_t *processor,
                                const uint64_t *required_words, iree_host_size_t word_count);

#endif  // RUNTIME_HAL_LOCAL_PROCESSOR_H_
