// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef COMPILER_VM_EMIT_H_
#define COMPILER_VM_EMIT_H_

#include "compiler/pass.h"

// Encodes the vm.module inside |module| and writes the module file's bytes.
//   errors: INVALID_ARGUMENT  no vm.module, or an op that has no encoding
iree_status_t vm_emit_module(pass_t *pass, ir_op_t *module,
                             iree_status_t (*write)(void *self, const void *data, size_t n),
                             void *self);

#endif  // COMPILER_VM_EMIT_H_
