// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/vm/emit.h"

iree_status_t vm_emit_module(pass_t *pass, ir_op_t *module,
                             iree_status_t (*write)(void *self, const void *data, size_t n), void *self) {
  (void)pass, (void)write, (void)self;
  return ir_op_error(module, "cannot be emitted: no encoder yet");
}
