// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ABI of kernel libraries, at the path where embedders expect it.
#ifndef IREE_HAL_LOCAL_EXECUTABLE_LIBRARY_H_
#define IREE_HAL_LOCAL_EXECUTABLE_LIBRARY_H_

#include "abi/executable_library.h"

#endif  // IREE_HAL_LOCAL_EXECUTABLE_LIBRARY_H_
