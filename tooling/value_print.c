// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values to text and files (value.h).

#include <inttypes.h>

#include "base/file.h"
#include "tooling/npy.h"
#include "tooling/value.h"

// Lists in lists come from the program; one that holds itself must not hang the printer.
#define LIST_DEPTH_LIMIT 32

static iree_status_t append_list(iree_string_view_t name, iree_vm_list_t *list,
                                 iree_host_size_t max_element_count, int depth,
                                 iree_string_builder_t *builder);

static iree_status_t append_scalar(iree_vm_value_t value, iree_string_builder_t *builder) {
  switch (value.type) {
    case IREE_VM_VALUE_TYPE_I8:
      return iree_string_builder_append_format(builder, "i8=%" PRIi8, value.i8);
    case IREE_VM_VALUE_TYPE_I16:
      return iree_string_builder_append_format(builder, "i16=%" PRIi16, value.i16);
    case IREE_VM_VALUE_TYPE_I32:
      return iree_string_builder_append_format(builder, "i32=%" PRIi32, value.i32);
    case IREE_VM_VALUE_TYPE_I64:
      return iree_string_builder_append_format(builder, "i64=%" PRIi64, value.i64);
    case IREE_VM_VALUE_TYPE_F32:
      return iree_string_builder_append_format(builder, "f32=%g", (double)value.f32);
    case IREE_VM_VALUE_TYPE_F64:
      return iree_string_builder_append_format(builder, "f64=%g", value.f64);
    default:
      return iree_string_builder_append_cstring(builder, "?");
  }
}

static iree_status_t append_reference(iree_vm_variant_t variant, iree_host_size_t max_element_count,
                                      int depth, iree_string_builder_t *builder) {
  const iree_string_view_t type_name = iree_vm_ref_type_name(iree_vm_type_def_as_ref(variant.type));
  IREE_RETURN_IF_ERROR(
      iree_string_builder_append_format(builder, "%.*s\n", (int)type_name.size, type_name.data));
  if (iree_vm_list_isa(variant.ref)) {
    return append_list(IREE_SV("child_list"), iree_vm_list_deref(variant.ref), max_element_count,
                       depth + 1, builder);
  } else if (iree_hal_buffer_view_isa(variant.ref)) {
    return iree_hal_buffer_view_append_to_builder(iree_hal_buffer_view_deref(variant.ref),
                                                  max_element_count, builder);
  }
  return iree_string_builder_append_cstring(builder, "(no printer)");
}

static iree_status_t append_variant(iree_vm_variant_t variant, iree_host_size_t max_element_count,
                                    int depth, iree_string_builder_t *builder) {
  if (iree_vm_variant_is_value(variant))
    return append_scalar(iree_vm_variant_value(variant), builder);
  if (iree_vm_variant_is_ref(variant) && !iree_vm_ref_is_null(&variant.ref)) {
    return append_reference(variant, max_element_count, depth, builder);
  }
  return iree_string_builder_append_cstring(builder, "(null)");
}

static iree_status_t append_list(iree_string_view_t name, iree_vm_list_t *list,
                                 iree_host_size_t max_element_count, int depth,
                                 iree_string_builder_t *builder) {
  if (depth > LIST_DEPTH_LIMIT) return iree_string_builder_append_cstring(builder, "...");
  for (iree_host_size_t i = 0; i < iree_vm_list_size(list); ++i) {
    iree_vm_variant_t variant = iree_vm_variant_empty();
    IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(list, i, &variant));
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(builder, "%.*s[%zu]: ", (int)name.size,
                                                           name.data, (size_t)i));
    IREE_RETURN_IF_ERROR(append_variant(variant, max_element_count, depth, builder));
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\n"));
  }
  return iree_ok_status();
}

iree_status_t value_append_list(iree_string_view_t name, iree_vm_list_t *list,
                                iree_host_size_t max_element_count,
                                iree_string_builder_t *builder) {
  return append_list(name, list, max_element_count, 0, builder);
}

//===-- files --------------------------------------------------------------------------------===//

// A value as a file sees it: typed elements in host memory.
typedef struct value_bytes_t {
  iree_hal_element_type_t element_type;
  iree_host_size_t rank;
  const iree_hal_dim_t *shape;
  iree_const_byte_span_t data;
  iree_hal_dim_t length_as_shape[1];  // of what has no shape
  iree_hal_buffer_mapping_t mapping;  // in use if |is_mapped|
  bool is_mapped;
} value_bytes_t;

static iree_status_t map_buffer(iree_hal_buffer_t *buffer, iree_device_size_t length,
                                value_bytes_t *bytes) {
  if (length == 0) return iree_ok_status();
  IREE_RETURN_IF_ERROR(iree_hal_buffer_map_range(buffer, IREE_HAL_MAPPING_MODE_SCOPED,
                                                 IREE_HAL_MEMORY_ACCESS_READ, 0, length,
                                                 &bytes->mapping));
  bytes->is_mapped = true;
  bytes->data = iree_make_const_byte_span(bytes->mapping.contents.data, (iree_host_size_t)length);
  return iree_ok_status();
}

static iree_status_t scalar_element_type(iree_vm_value_t value,
                                         iree_hal_element_type_t *out_element_type) {
  switch (value.type) {
    case IREE_VM_VALUE_TYPE_I8:
      *out_element_type = IREE_HAL_ELEMENT_TYPE_INT_8;
      return iree_ok_status();
    case IREE_VM_VALUE_TYPE_I16:
      *out_element_type = IREE_HAL_ELEMENT_TYPE_INT_16;
      return iree_ok_status();
    case IREE_VM_VALUE_TYPE_I32:
      *out_element_type = IREE_HAL_ELEMENT_TYPE_INT_32;
      return iree_ok_status();
    case IREE_VM_VALUE_TYPE_I64:
      *out_element_type = IREE_HAL_ELEMENT_TYPE_INT_64;
      return iree_ok_status();
    case IREE_VM_VALUE_TYPE_F32:
      *out_element_type = IREE_HAL_ELEMENT_TYPE_FLOAT_32;
      return iree_ok_status();
    case IREE_VM_VALUE_TYPE_F64:
      *out_element_type = IREE_HAL_ELEMENT_TYPE_FLOAT_64;
      return iree_ok_status();
    default:
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                              "scalar of unknown type cannot be written to a file");
  }
}

// Fills |bytes| from |variant|; |value| is storage for scalars and must live as long.
static iree_status_t value_bytes_acquire(iree_vm_variant_t variant, iree_vm_value_t *value,
                                         value_bytes_t *bytes) {
  *bytes = (value_bytes_t){.element_type = IREE_HAL_ELEMENT_TYPE_INT_8, .rank = 1};
  bytes->shape = bytes->length_as_shape;
  if (iree_vm_variant_is_value(variant)) {
    *value = iree_vm_variant_value(variant);
    bytes->rank = 0;
    IREE_RETURN_IF_ERROR(scalar_element_type(*value, &bytes->element_type));
    bytes->data = iree_make_const_byte_span(value->value_storage,
                                            iree_hal_element_dense_byte_count(bytes->element_type));
    return iree_ok_status();
  }
  if (!iree_vm_variant_is_ref(variant) || iree_vm_ref_is_null(&variant.ref))
    return iree_ok_status();
  if (iree_hal_buffer_view_isa(variant.ref)) {
    iree_hal_buffer_view_t *view = iree_hal_buffer_view_deref(variant.ref);
    bytes->element_type = iree_hal_buffer_view_element_type(view);
    bytes->rank = iree_hal_buffer_view_shape_rank(view);
    bytes->shape = iree_hal_buffer_view_shape_dims(view);
    return map_buffer(iree_hal_buffer_view_buffer(view), iree_hal_buffer_view_byte_length(view),
                      bytes);
  } else if (iree_hal_buffer_isa(variant.ref)) {
    iree_hal_buffer_t *buffer = iree_hal_buffer_deref(variant.ref);
    bytes->length_as_shape[0] = (iree_hal_dim_t)iree_hal_buffer_byte_length(buffer);
    return map_buffer(buffer, iree_hal_buffer_byte_length(buffer), bytes);
  } else if (iree_vm_buffer_isa(variant.ref)) {
    iree_vm_buffer_t *buffer = iree_vm_buffer_deref(variant.ref);
    bytes->length_as_shape[0] = (iree_hal_dim_t)iree_vm_buffer_length(buffer);
    return iree_vm_buffer_map_ro(buffer, 0, iree_vm_buffer_length(buffer), 1, &bytes->data);
  }
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT,
      "only scalars, !hal.buffer_view, !hal.buffer and !vm.buffer can be written to a file");
}

static void value_bytes_release(value_bytes_t *bytes) {
  if (bytes->is_mapped) IREE_IGNORE_ERROR(iree_hal_buffer_unmap_range(&bytes->mapping));
}

static iree_status_t write_bytes(const value_bytes_t *bytes, iree_string_view_t path, bool append,
                                 iree_allocator_t host_allocator) {
  if (!iree_string_view_ends_with(path, IREE_SV(".npy")))
    return file_write(path, append, &bytes->data, 1);
  iree_string_builder_t header;
  iree_string_builder_initialize(host_allocator, &header);
  iree_status_t status = npy_append_header(bytes->element_type, bytes->rank, bytes->shape, &header);
  if (iree_status_is_ok(status)) {
    const iree_const_byte_span_t parts[2] = {
        iree_make_const_byte_span(iree_string_builder_buffer(&header),
                                  iree_string_builder_size(&header)),
        bytes->data};
    status = file_write(path, append, parts, 2);
  }
  iree_string_builder_deinitialize(&header);
  return status;
}

static iree_status_t write_to_file(iree_vm_variant_t variant, iree_string_view_t spec,
                                   iree_allocator_t host_allocator) {
  const bool is_append = spec.data[0] == '+';
  if (!is_append && spec.data[0] != '@') {
    return iree_make_status(
        IREE_STATUS_UNIMPLEMENTED,
        "unsupported output specification '%.*s'; use @file, +file, - or nothing", (int)spec.size,
        spec.data);
  }
  iree_vm_value_t scalar;
  value_bytes_t bytes;
  IREE_RETURN_IF_ERROR(value_bytes_acquire(variant, &scalar, &bytes));
  iree_status_t status =
      write_bytes(&bytes, iree_string_view_remove_prefix(spec, 1), is_append, host_allocator);
  value_bytes_release(&bytes);
  return status;
}

iree_status_t value_write_list(iree_vm_list_t *list, iree_string_view_list_t specs,
                               iree_host_size_t max_element_count, iree_allocator_t host_allocator,
                               iree_string_builder_t *builder) {
  if (iree_vm_list_size(list) != specs.count) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "%zu outputs specified but the function has %zu results",
                            (size_t)specs.count, (size_t)iree_vm_list_size(list));
  }
  for (iree_host_size_t i = 0; i < specs.count; ++i) {
    const iree_string_view_t spec = specs.values[i];
    if (iree_string_view_is_empty(spec)) continue;
    iree_vm_variant_t variant = iree_vm_variant_empty();
    IREE_RETURN_IF_ERROR(iree_vm_list_get_variant_assign(list, i, &variant));
    if (iree_string_view_equal(spec, IREE_SV("-"))) {
      IREE_RETURN_IF_ERROR(append_variant(variant, max_element_count, 0, builder));
      IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\n"));
    } else {
      IREE_RETURN_IF_ERROR(write_to_file(variant, spec, host_allocator), "writing output %zu",
                           (size_t)i);
    }
  }
  return iree_ok_status();
}
