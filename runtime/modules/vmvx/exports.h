// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the vmvx module: shims that unpack arguments and check ranges, rows that compute.
#ifndef RUNTIME_MODULES_VMVX_EXPORTS_H_
#define RUNTIME_MODULES_VMVX_EXPORTS_H_

#include "iree/modules/vmvx/module.h"
#include "iree/vm/native_module.h"
#include "runtime/hal/local/processor.h"

typedef struct vmvx_module_t {
  iree_hal_processor_v0_t processor;
} vmvx_module_t;

#define VMVX_SHIM(name)                                                             \
  iree_status_t name(iree_vm_stack_t *stack, iree_vm_native_function_flags_t flags, \
                     iree_byte_span_t args_storage, iree_byte_span_t rets_storage,  \
                     iree_vm_native_function_target_t target_fn, void *module, void *module_state)
#define VMVX_UNUSED (void)stack, (void)flags, (void)rets_storage, (void)module, (void)module_state

// Rows of |count| elements, |stride| elements apart; input and output may be the same memory.
typedef void (*vmvx_unary_row_fn_t)(const void *in, size_t in_stride, void *out, size_t out_stride,
                                    size_t count);
// False when a divisor is zero.
typedef bool (*vmvx_binary_row_fn_t)(const void *lhs, size_t lhs_stride, const void *rhs,
                                     size_t rhs_stride, void *out, size_t out_stride, size_t count);

// A range of a buffer as rows: |size0| x |size1| elements.
typedef struct vmvx_plane_t {
  iree_vm_ref_t buffer;
  int64_t offset, stride0, stride1;
} vmvx_plane_t;

// Finds the first element of a plane once all of its elements are known to be inside of the buffer.
//   units:   |element_size| in bytes; null for a plane without elements
//   errors:  INVALID_ARGUMENT   null or wrong refs, negative sizes or strides, misaligned memory
//            OUT_OF_RANGE       the plane leaves its buffer
//            PERMISSION_DENIED  a read-only buffer
iree_status_t vmvx_map(const vmvx_plane_t *plane, int64_t size0, int64_t size1,
                       iree_host_size_t element_size, bool for_write, uint8_t **out_data);

// The product of extents.
//   errors:  INVALID_ARGUMENT  a factor is negative, or it overflows
iree_status_t vmvx_product(const int64_t *factors, iree_host_size_t count, int64_t *out_product);

// The arguments, when there are enough of them.
iree_status_t vmvx_arguments(iree_byte_span_t storage, iree_host_size_t size,
                             const void **out_arguments);

VMVX_SHIM(vmvx_binary);
VMVX_SHIM(vmvx_unary_x8);
VMVX_SHIM(vmvx_unary_x16);
VMVX_SHIM(vmvx_unary_x32);
VMVX_SHIM(vmvx_unary_x64);
VMVX_SHIM(vmvx_fill_x32);
VMVX_SHIM(vmvx_mmt4d);
VMVX_SHIM(vmvx_pack);
VMVX_SHIM(vmvx_unpack);
VMVX_SHIM(vmvx_query_tile_sizes);

#define VMVX_UNARY_ROW(name) \
  void vmvx_row_##name(const void *in, size_t in_stride, void *out, size_t out_stride, size_t count)
#define VMVX_BINARY_ROW(name)                                                                  \
  bool vmvx_row_##name(const void *lhs, size_t lhs_stride, const void *rhs, size_t rhs_stride, \
                       void *out, size_t out_stride, size_t count)
VMVX_UNARY_ROW(abs_f32);
VMVX_UNARY_ROW(ceil_f32);
VMVX_UNARY_ROW(copy_x8);
VMVX_UNARY_ROW(copy_x16);
VMVX_UNARY_ROW(copy_x32);
VMVX_UNARY_ROW(copy_x64);
VMVX_UNARY_ROW(ctlz_i32);
VMVX_UNARY_ROW(exp_f32);
VMVX_UNARY_ROW(floor_f32);
VMVX_UNARY_ROW(log_f32);
VMVX_UNARY_ROW(neg_f32);
VMVX_UNARY_ROW(rsqrt_f32);
VMVX_BINARY_ROW(add_f32);
VMVX_BINARY_ROW(add_i32);
VMVX_BINARY_ROW(and_i32);
VMVX_BINARY_ROW(div_f32);
VMVX_BINARY_ROW(divs_i32);
VMVX_BINARY_ROW(divu_i32);
VMVX_BINARY_ROW(mul_f32);
VMVX_BINARY_ROW(mul_i32);
VMVX_BINARY_ROW(or_i32);
VMVX_BINARY_ROW(shl_i32);
VMVX_BINARY_ROW(shrs_i32);
VMVX_BINARY_ROW(shru_i32);
VMVX_BINARY_ROW(sub_f32);
VMVX_BINARY_ROW(sub_i32);
VMVX_BINARY_ROW(xor_i32);

#endif  // RUNTIME_MODULES_VMVX_EXPORTS_H_
