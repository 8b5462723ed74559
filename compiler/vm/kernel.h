// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels for the virtual machine (target "vmvx"): each executable is a module of its own, each export
// a function over byte buffers. A scheduled kernel (codegen.h) goes through
//
//   kernel_floats.c       floats narrower than f32 become f32, rounded after each op; bits in memory
//   kernel_math.c         functions that the machine lacks, from those it has
//   convert_kernel.c      buffers, bindings, workgroup coordinates; the rest is as on the host
//   serialize_kernels.c   runs these and what host code goes through (convert.h), and encodes
//
//   func.func @k() {                         vm.func @k(%local: !vm.buffer, %constants: !vm.buffer,
//     %0 = hal.interface.binding.subspan         %bindings: !vm.list<!vm.buffer>, id xyz, size xyz,
//     %1 = memref.load %0[%i]            ->      count xyz: i32) {
//                                              %0 = vm.list.get.ref %bindings, %c0
//                                              %1 = vm.buffer.load.f32 %0[%i]
#ifndef COMPILER_VM_KERNEL_H_
#define COMPILER_VM_KERNEL_H_

#include "compiler/vm/convert.h"

// Arguments of a kernel's function.
enum {
  KERNEL_LOCAL_MEMORY,
  KERNEL_CONSTANTS,
  KERNEL_BINDINGS,
  KERNEL_WORKGROUP_ID,
  KERNEL_WORKGROUP_SIZE = KERNEL_WORKGROUP_ID + 3,
  KERNEL_WORKGROUP_COUNT = KERNEL_WORKGROUP_SIZE + 3,
  KERNEL_N_ARGS = KERNEL_WORKGROUP_COUNT + 3,
};

// Rewrites the util.funcs of |module|. Conversions from and to bits become functions of |module|, one
// for each format and direction that is used.
//   errors:  UNIMPLEMENTED  with a diagnostic at an op that has no such form
iree_status_t vm_expand_narrow_floats(ir_ctx_t *ctx, iree_arena_t *arena, ir_op_t *module);

// Likewise for functions of math that the machine has no instruction for.
iree_status_t vm_expand_math(ir_ctx_t *ctx, ir_op_t *module);

#endif  // COMPILER_VM_KERNEL_H_
