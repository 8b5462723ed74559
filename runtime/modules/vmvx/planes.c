// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of the two-dimensional functions: every element of a plane is checked to lie in its
// buffer before the first one is touched.
#include "runtime/modules/vmvx/exports.h"

iree_status_t vmvx_arguments(iree_byte_span_t storage, iree_host_size_t size,
                             const void **out_arguments) {
  *out_arguments = storage.data;
  if (IREE_LIKELY(storage.data_length >= size)) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "%zu bytes of arguments, %zu are needed",
                          storage.data_length, size);
}

iree_status_t vmvx_product(const int64_t *factors, iree_host_size_t count, int64_t *out_product) {
  iree_host_size_t product = 1;
  bool is_valid = true;
  for (iree_host_size_t i = 0; i < count; ++i) {
    is_valid &= factors[i] >= 0 &&
                iree_host_size_checked_mul(product, (iree_host_size_t)factors[i], &product) &&
                product <= INT64_MAX;
  }
  *out_product = (int64_t)product;
  if (is_valid) return iree_ok_status();
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "sizes are negative or overflow");
}

// Elements from the first one to behind the last one.
static bool plane_extent(const vmvx_plane_t *plane, int64_t size0, int64_t size1,
                         iree_host_size_t *out_extent) {
  if ((plane->offset | plane->stride0 | plane->stride1) < 0) return false;
  iree_host_size_t extent = 1;
  return iree_host_size_checked_mul_add(extent, (iree_host_size_t)(size0 - 1),
                                        (iree_host_size_t)plane->stride0, &extent) &&
         iree_host_size_checked_mul_add(extent, (iree_host_size_t)(size1 - 1),
                                        (iree_host_size_t)plane->stride1, out_extent);
}

iree_status_t vmvx_map(const vmvx_plane_t *plane, int64_t size0, int64_t size1,
                       iree_host_size_t element_size, bool for_write, uint8_t **out_data) {
  *out_data = NULL;
  iree_vm_buffer_t *buffer = NULL;
  IREE_RETURN_IF_ERROR(iree_vm_buffer_check_deref(plane->buffer, &buffer));
  if (IREE_UNLIKELY(size0 < 0 || size1 < 0)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "sizes %" PRId64 "x%" PRId64, size0,
                            size1);
  }
  if (!size0 || !size1) return iree_ok_status();
  iree_host_size_t extent = 0, offset = 0, length = 0;
  if (IREE_UNLIKELY(
          !plane_extent(plane, size0, size1, &extent) ||
          !iree_host_size_checked_mul(extent, element_size, &length) ||
          !iree_host_size_checked_mul((iree_host_size_t)plane->offset, element_size, &offset))) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "%" PRId64 "x%" PRId64 " elements at %" PRId64 " with strides %" PRId64
                            " and %" PRId64 " are no range",
                            size0, size1, plane->offset, plane->stride0, plane->stride1);
  }
  if (for_write) {
    iree_byte_span_t span;
    IREE_RETURN_IF_ERROR(iree_vm_buffer_map_rw(buffer, offset, length, element_size, &span));
    *out_data = span.data;
  } else {
    iree_const_byte_span_t span;
    IREE_RETURN_IF_ERROR(iree_vm_buffer_map_ro(buffer, offset, length, element_size, &span));
    *out_data = (uint8_t *)(uintptr_t)span.data;
  }
  return iree_ok_status();
}

typedef struct binary_arguments_t {
  vmvx_plane_t lhs, rhs, out;
  int64_t size0, size1;
} binary_arguments_t;

VMVX_SHIM(vmvx_binary) {
  VMVX_UNUSED;
  const binary_arguments_t *args = NULL;
  IREE_RETURN_IF_ERROR(vmvx_arguments(args_storage, sizeof(*args), (const void **)&args));
  uint8_t *lhs = NULL, *rhs = NULL, *out = NULL;
  IREE_RETURN_IF_ERROR(vmvx_map(&args->lhs, args->size0, args->size1, 4, false, &lhs));
  IREE_RETURN_IF_ERROR(vmvx_map(&args->rhs, args->size0, args->size1, 4, false, &rhs));
  IREE_RETURN_IF_ERROR(vmvx_map(&args->out, args->size0, args->size1, 4, true, &out));
  if (!out) return iree_ok_status();
  vmvx_binary_row_fn_t row = (vmvx_binary_row_fn_t)(void *)target_fn;
  for (int64_t i = 0; i < args->size0; ++i) {
    if (IREE_UNLIKELY(!row(lhs + 4 * i * args->lhs.stride0, (size_t)args->lhs.stride1,
                           rhs + 4 * i * args->rhs.stride0, (size_t)args->rhs.stride1,
                           out + 4 * i * args->out.stride0, (size_t)args->out.stride1,
                           (size_t)args->size1))) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "integer division by zero in row %d",
                              (int)i);
    }
  }
  return iree_ok_status();
}

typedef struct unary_arguments_t {
  vmvx_plane_t in, out;
  int64_t size0, size1;
} unary_arguments_t;

static iree_status_t unary(iree_byte_span_t args_storage, int64_t element_size,
                           iree_vm_native_function_target_t target_fn) {
  const unary_arguments_t *args = NULL;
  IREE_RETURN_IF_ERROR(vmvx_arguments(args_storage, sizeof(*args), (const void **)&args));
  uint8_t *in = NULL, *out = NULL;
  IREE_RETURN_IF_ERROR(
      vmvx_map(&args->in, args->size0, args->size1, (iree_host_size_t)element_size, false, &in));
  IREE_RETURN_IF_ERROR(
      vmvx_map(&args->out, args->size0, args->size1, (iree_host_size_t)element_size, true, &out));
  if (!out) return iree_ok_status();
  vmvx_unary_row_fn_t row = (vmvx_unary_row_fn_t)(void *)target_fn;
  for (int64_t i = 0; i < args->size0; ++i) {
    row(in + element_size * i * args->in.stride0, (size_t)args->in.stride1,
        out + element_size * i * args->out.stride0, (size_t)args->out.stride1, (size_t)args->size1);
  }
  return iree_ok_status();
}

VMVX_SHIM(vmvx_unary_x8) {
  VMVX_UNUSED;
  return unary(args_storage, 1, target_fn);
}
VMVX_SHIM(vmvx_unary_x16) {
  VMVX_UNUSED;
  return unary(args_storage, 2, target_fn);
}
VMVX_SHIM(vmvx_unary_x32) {
  VMVX_UNUSED;
  return unary(args_storage, 4, target_fn);
}
VMVX_SHIM(vmvx_unary_x64) {
  VMVX_UNUSED;
  return unary(args_storage, 8, target_fn);
}

typedef struct fill_arguments_t {
  int32_t value;
  iree_vm_ref_t out;
  int64_t offset, stride0;
  int64_t size0, size1;
} fill_arguments_t;

VMVX_SHIM(vmvx_fill_x32) {
  VMVX_UNUSED, (void)target_fn;
  const fill_arguments_t *args = NULL;
  IREE_RETURN_IF_ERROR(vmvx_arguments(args_storage, sizeof(*args), (const void **)&args));
  vmvx_plane_t plane = {args->out, args->offset, args->stride0, 1};
  uint8_t *out = NULL;
  IREE_RETURN_IF_ERROR(vmvx_map(&plane, args->size0, args->size1, 4, true, &out));
  if (!out) return iree_ok_status();
  for (int64_t i = 0; i < args->size0; ++i) {
    int32_t *row = (int32_t *)(void *)(out + 4 * i * args->stride0);
    for (int64_t j = 0; j < args->size1; ++j) row[j] = args->value;
  }
  return iree_ok_status();
}
