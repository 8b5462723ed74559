// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared libraries from memory.
#ifndef RUNTIME_LOADERS_SYSTEM_LIBRARY_H_
#define RUNTIME_LOADERS_SYSTEM_LIBRARY_H_

#include "base/port.h"
#include "iree/base/api.h"

// Opens the bytes of a shared library.
//   owns:   transfers ownership to the caller (dlclose); |data| is not needed afterwards
//   errors: INVALID_ARGUMENT  the system cannot load it
SHARED_INTERNALLY iree_status_t system_library_open(iree_const_byte_span_t data,
                                                    void **out_library);

#endif  // RUNTIME_LOADERS_SYSTEM_LIBRARY_H_
