// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One vm.func to bytecode: a walk over the fields of each instruction's row in abi/isa.def.
#ifndef COMPILER_VM_ENCODE_H_
#define COMPILER_VM_ENCODE_H_

#include "compiler/emit/vmfb.h"
#include "compiler/ir/ir.h"
#include "compiler/vm/rows.h"

// What symbols and types stand for in the module being written; numbers are handed out by the
// caller.
typedef struct vm_numbering {
  void *self;
  // errors: INVALID_ARGUMENT  the op names something that the module lacks (message sent)
  iree_status_t (*function)(void *self, const ir_op_t *user, ir_attr_t callee,
                            uint32_t *out_ordinal);
  iree_status_t (*global)(void *self, const ir_op_t *user, ir_attr_t symbol, uint32_t *out_offset);
  iree_status_t (*rodata)(void *self, const ir_op_t *user, ir_attr_t symbol, uint32_t *out_ordinal);
  uint32_t (*type)(void *self, ir_type_t type);
  int32_t (*location)(void *self, ir_loc_t loc);  // -1: nothing to say
} vm_numbering_t;

typedef struct vm_encode_options {
  const isa_row_t *const *rows;  // vm_rows
  bool strip_debug_ops;          // leave out vm.trace, vm.print and vm.break
  bool strip_sources;            // leave out the source map
} vm_encode_options_t;

// Fills bytecode, counts, requirements and sources of |out|; memory comes from |arena|, which also
// holds what is needed on the way.
//   errors: RESOURCE_EXHAUSTED  too many registers, blocks or bytes
//           INVALID_ARGUMENT    an op that is no instruction, or a name that resolves to nothing
iree_status_t vm_encode_function(ir_op_t *func, const vm_numbering_t *numbering,
                                 const vm_encode_options_t *options, iree_arena_t *arena,
                                 vmfb_function_t *out);

#endif  // COMPILER_VM_ENCODE_H_
