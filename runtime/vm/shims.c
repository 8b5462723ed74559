// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shims of iree/vm/shims.def: each checks sizes, clears results and calls the typed function.
#include "iree/vm/shims.h"

#define IREE_VM_ABI_SHIM IREE_VM_ABI_DEFINE_SHIM
#include "iree/vm/shims.def"
#undef IREE_VM_ABI_SHIM
