// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiler attributes; they live in config.h.
#include "iree/base/config.h"
