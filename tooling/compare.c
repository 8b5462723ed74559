// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison of result lists (compare.h). Every float element becomes one or two doubles; one rule
// compares them.

#include "tooling/compare.h"

#include <math.h>
#include <string.h>

#include "base/float_convert.h"
#include "iree/hal/api.h"
#include "iree/modules/hal/types.h"

static const flag_t k_compare_flags[] = {
    FLAG_F64(compare_flags_t, f16_absolute, "expected_f16_threshold", "0.001",
             "Absolute tolerance of f16 elements."),
    FLAG_F64(compare_flags_t, f32_absolute, "expected_f32_threshold", "0.0001",
             "Absolute tolerance of f32 elements and cf64 components."),
    FLAG_F64(compare_flags_t, f64_absolute, "expected_f64_threshold", "0.0001",
             "Absolute tolerance of f64 elements and cf128 components."),
    FLAG_F64(compare_flags_t, bf16_absolute, "expected_bf16_threshold", "0.01",
             "Absolute tolerance of bf16 elements."),
    FLAG_F64(compare_flags_t, relative, "expected_rtol", "1e-05",
             "Relative tolerance of all float elements, added to the absolute one."),
    FLAG_CHOICE(compare_flags_t, mode, "equality_mode", "approximate", "approximate|exact",
                "approximate allows floats the tolerances above, exact compares bits."),
};
const flag_group_t compare_flag_group =
    FLAG_GROUP("Comparison with --expected_output=", k_compare_flags);

//===-- elements
//--------------------------------------------------------------------------------------------===

// How elements of one type are read as doubles; zero components: compared as bits.
typedef struct element_reader_t {
  int component_count;
  double absolute;
  enum { READ_F16, READ_BF16, READ_F32, READ_F64 } format;
} element_reader_t;

static element_reader_t choose_reader(const compare_flags_t *flags, iree_hal_element_type_t type) {
  if (flags->mode == COMPARE_EXACT) return (element_reader_t){0};
  switch (type) {
    case IREE_HAL_ELEMENT_TYPE_FLOAT_16:
      return (element_reader_t){1, flags->f16_absolute, READ_F16};
    case IREE_HAL_ELEMENT_TYPE_BFLOAT_16:
      return (element_reader_t){1, flags->bf16_absolute, READ_BF16};
    case IREE_HAL_ELEMENT_TYPE_FLOAT_32:
      return (element_reader_t){1, flags->f32_absolute, READ_F32};
    case IREE_HAL_ELEMENT_TYPE_FLOAT_64:
      return (element_reader_t){1, flags->f64_absolute, READ_F64};
    case IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_64:
      return (element_reader_t){2, flags->f32_absolute, READ_F32};
    case IREE_HAL_ELEMENT_TYPE_COMPLEX_FLOAT_128:
      return (element_reader_t){2, flags->f64_absolute, READ_F64};
    default:
      return (element_reader_t){0};
  }
}

static double read_component(const element_reader_t *reader, const uint8_t *element, int index) {
  uint16_t bits = 0;
  float single = 0;
  double value = 0;
  switch (reader->format) {
    case READ_F16:
    case READ_BF16:
      memcpy(&bits, element + 2 * index, sizeof(bits));
      return float_bits_to_f64(reader->format == READ_F16 ? FLOAT_F16 : FLOAT_BF16, bits);
    case READ_F32:
      memcpy(&single, element + 4 * index, sizeof(single));
      return (double)single;
    case READ_F64:
      memcpy(&value, element + 8 * index, sizeof(value));
      return value;
  }
  return value;
}

static bool numbers_match(double expected, double actual, double absolute, double relative) {
  if (expected == actual || (isnan(expected) && isnan(actual))) return true;
  if (isinf(expected) || isinf(actual)) return false;
  return fabs(actual - expected) <= absolute + relative * fabs(expected);
}

static bool elements_match(const compare_flags_t *flags, const element_reader_t *reader,
                           iree_host_size_t size, const uint8_t *expected, const uint8_t *actual) {
  if (memcmp(expected, actual, size) == 0) return true;
  if (reader->component_count == 0) return false;
  for (int i = 0; i < reader->component_count; ++i) {
    if (!numbers_match(read_component(reader, expected, i), read_component(reader, actual, i),
                       reader->absolute, flags->relative)) {
      return false;
    }
  }
  return true;
}

//===-- buffer views
//----------------------------------------------------------------------------------------===

static bool types_match(iree_hal_element_type_t expected, iree_hal_element_type_t actual) {
  if (expected == actual) return true;
  if (iree_hal_element_bit_count(expected) != iree_hal_element_bit_count(actual)) return false;
  if (iree_hal_element_numerical_type_is_opaque(expected)) return true;
  return iree_hal_element_numerical_type_is_integer(expected) &&
         iree_hal_element_numerical_type_is_integer(actual);
}

static bool shapes_match(iree_hal_buffer_view_t *expected, iree_hal_buffer_view_t *actual) {
  const iree_host_size_t rank = iree_hal_buffer_view_shape_rank(expected);
  if (rank != iree_hal_buffer_view_shape_rank(actual)) return false;
  for (iree_host_size_t i = 0; i < rank; ++i) {
    if (iree_hal_buffer_view_shape_dim(expected, i) != iree_hal_buffer_view_shape_dim(actual, i))
      return false;
  }
  return types_match(iree_hal_buffer_view_element_type(expected),
                     iree_hal_buffer_view_element_type(actual));
}

static iree_status_t append_type(iree_hal_buffer_view_t *view, iree_string_builder_t *builder) {
  return iree_hal_append_shape_and_element_type_string(
      iree_hal_buffer_view_shape_rank(view), iree_hal_buffer_view_shape_dims(view),
      iree_hal_buffer_view_element_type(view), builder);
}

static iree_status_t append_element(iree_hal_element_type_t type, const uint8_t *element,
                                    iree_string_builder_t *builder) {
  char text[80];
  iree_host_size_t length = 0;
  IREE_RETURN_IF_ERROR(iree_hal_format_element(
      iree_make_const_byte_span(element, iree_hal_element_dense_byte_count(type)), type,
      sizeof(text), text, &length));
  return iree_string_builder_append_string(builder, iree_make_string_view(text, length));
}

// Compares mapped elements; on the first mismatch appends where and what.
static iree_status_t compare_elements(const compare_flags_t *flags, iree_hal_element_type_t type,
                                      iree_host_size_t count, const uint8_t *expected,
                                      const uint8_t *actual, iree_string_builder_t *builder,
                                      bool *out_match) {
  *out_match = true;
  const element_reader_t reader = choose_reader(flags, type);
  const iree_host_size_t size = iree_hal_element_dense_byte_count(type);
  for (iree_host_size_t i = 0; i < count; ++i, expected += size, actual += size) {
    if (elements_match(flags, &reader, size, expected, actual)) continue;
    *out_match = false;
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_format(builder, "element at index %zu (", (size_t)i));
    IREE_RETURN_IF_ERROR(append_element(type, actual, builder));
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_cstring(builder, ") does not match the expected ("));
    IREE_RETURN_IF_ERROR(append_element(type, expected, builder));
    return iree_string_builder_append_cstring(builder, ")");
  }
  return iree_ok_status();
}

static iree_status_t map_view(iree_hal_buffer_view_t *view,
                              iree_hal_buffer_mapping_t *out_mapping) {
  return iree_hal_buffer_map_range(iree_hal_buffer_view_buffer(view), IREE_HAL_MAPPING_MODE_SCOPED,
                                   IREE_HAL_MEMORY_ACCESS_READ, 0,
                                   iree_hal_buffer_view_byte_length(view), out_mapping);
}

static iree_status_t compare_contents(const compare_flags_t *flags,
                                      iree_hal_buffer_view_t *expected,
                                      iree_hal_buffer_view_t *actual,
                                      iree_string_builder_t *builder, bool *out_match) {
  *out_match = true;
  const iree_host_size_t count = iree_hal_buffer_view_element_count(actual);
  if (count == 0) return iree_ok_status();
  iree_hal_buffer_mapping_t expected_mapping, actual_mapping;
  IREE_RETURN_IF_ERROR(map_view(expected, &expected_mapping));
  iree_status_t status = map_view(actual, &actual_mapping);
  if (iree_status_is_ok(status)) {
    status = compare_elements(flags, iree_hal_buffer_view_element_type(actual), count,
                              expected_mapping.contents.data, actual_mapping.contents.data, builder,
                              out_match);
    IREE_IGNORE_ERROR(iree_hal_buffer_unmap_range(&actual_mapping));
  }
  IREE_IGNORE_ERROR(iree_hal_buffer_unmap_range(&expected_mapping));
  return status;
}

static iree_status_t compare_views(const compare_flags_t *flags, iree_hal_buffer_view_t *expected,
                                   iree_hal_buffer_view_t *actual,
                                   iree_host_size_t max_element_count,
                                   iree_string_builder_t *builder, bool *out_match) {
  *out_match = shapes_match(expected, actual);
  if (*out_match) {
    IREE_RETURN_IF_ERROR(compare_contents(flags, expected, actual, builder, out_match));
    if (*out_match) return iree_ok_status();
  } else {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "metadata is "));
    IREE_RETURN_IF_ERROR(append_type(actual, builder));
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_cstring(builder, "; expected that the view matches "));
    IREE_RETURN_IF_ERROR(append_type(expected, builder));
  }
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(
      builder, "; expected that the view is equal to contents of a view of "));
  IREE_RETURN_IF_ERROR(append_type(expected, builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\n  expected:\n"));
  IREE_RETURN_IF_ERROR(
      iree_hal_buffer_view_append_to_builder(expected, max_element_count, builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\n  actual:\n"));
  IREE_RETURN_IF_ERROR(iree_hal_buffer_view_append_to_builder(actual, max_element_count, builder));
  return iree_string_builder_append_cstring(builder, "\n");
}

//===-- lists
//-----------------------------------------------------------------------------------------------===

static bool is_null(iree_vm_variant_t variant) {
  return iree_vm_variant_is_empty(variant) ||
         (iree_vm_variant_is_ref(variant) && iree_vm_ref_is_null(&variant.ref));
}

static iree_status_t append_variant_type(iree_vm_variant_t variant,
                                         iree_string_builder_t *builder) {
  static const char *const k_names[] = {
      [IREE_VM_VALUE_TYPE_I8] = "i8",   [IREE_VM_VALUE_TYPE_I16] = "i16",
      [IREE_VM_VALUE_TYPE_I32] = "i32", [IREE_VM_VALUE_TYPE_I64] = "i64",
      [IREE_VM_VALUE_TYPE_F32] = "f32", [IREE_VM_VALUE_TYPE_F64] = "f64"};
  if (is_null(variant)) return iree_string_builder_append_cstring(builder, "null");
  if (iree_vm_variant_is_ref(variant)) {
    return iree_string_builder_append_string(
        builder, iree_vm_ref_type_name(iree_vm_type_def_as_ref(variant.type)));
  }
  const size_t type = (size_t)iree_vm_type_def_as_value(variant.type);
  const char *name = type < IREE_ARRAYSIZE(k_names) ? k_names[type] : NULL;
  return iree_string_builder_append_cstring(builder, name ? name : "?");
}

static iree_status_t append_mismatch_of_types(iree_vm_variant_t expected, iree_vm_variant_t actual,
                                              iree_string_builder_t *builder) {
  IREE_RETURN_IF_ERROR(
      iree_string_builder_append_cstring(builder, "variant types mismatch; expected "));
  IREE_RETURN_IF_ERROR(append_variant_type(expected, builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, " but got "));
  IREE_RETURN_IF_ERROR(append_variant_type(actual, builder));
  return iree_string_builder_append_cstring(builder, "\n");
}

// The element type that a scalar has in memory.
static iree_hal_element_type_t scalar_type(iree_vm_value_t value) {
  switch (value.type) {
    case IREE_VM_VALUE_TYPE_I64:
      return IREE_HAL_ELEMENT_TYPE_INT_64;
    case IREE_VM_VALUE_TYPE_F32:
      return IREE_HAL_ELEMENT_TYPE_FLOAT_32;
    case IREE_VM_VALUE_TYPE_F64:
      return IREE_HAL_ELEMENT_TYPE_FLOAT_64;
    case IREE_VM_VALUE_TYPE_I8:
      return IREE_HAL_ELEMENT_TYPE_INT_8;
    case IREE_VM_VALUE_TYPE_I16:
      return IREE_HAL_ELEMENT_TYPE_INT_16;
    default:
      return IREE_HAL_ELEMENT_TYPE_INT_32;
  }
}

static iree_status_t compare_scalars(const compare_flags_t *flags, iree_vm_value_t expected,
                                     iree_vm_value_t actual, iree_string_builder_t *builder,
                                     bool *out_match) {
  const iree_hal_element_type_t type = scalar_type(actual);
  const element_reader_t reader = choose_reader(flags, type);
  *out_match = elements_match(flags, &reader, iree_hal_element_dense_byte_count(type),
                              expected.value_storage, actual.value_storage);
  if (*out_match) return iree_ok_status();
  IREE_RETURN_IF_ERROR(iree_hal_append_element_type_string(type, builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, " values differ\n  expected: "));
  IREE_RETURN_IF_ERROR(append_element(type, expected.value_storage, builder));
  IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(builder, "\n  actual: "));
  IREE_RETURN_IF_ERROR(append_element(type, actual.value_storage, builder));
  return iree_string_builder_append_cstring(builder, "\n");
}

static iree_status_t compare_variants(const compare_flags_t *flags, iree_vm_variant_t expected,
                                      iree_vm_variant_t actual, iree_host_size_t max_element_count,
                                      iree_string_builder_t *builder, bool *out_match) {
  if (iree_vm_variant_is_value(expected) && iree_vm_variant_is_value(actual) &&
      iree_vm_type_def_equal(expected.type, actual.type)) {
    return compare_scalars(flags, iree_vm_variant_value(expected), iree_vm_variant_value(actual),
                           builder, out_match);
  }
  if (iree_vm_variant_is_ref(expected) && iree_vm_variant_is_ref(actual) && !is_null(actual) &&
      iree_hal_buffer_view_isa(expected.ref) && iree_hal_buffer_view_isa(actual.ref)) {
    return compare_views(flags, iree_hal_buffer_view_deref(expected.ref),
                         iree_hal_buffer_view_deref(actual.ref), max_element_count, builder,
                         out_match);
  }
  *out_match = false;
  return append_mismatch_of_types(expected, actual, builder);
}

iree_status_t compare_lists(const compare_flags_t *flags, iree_vm_list_t *expected,
                            iree_vm_list_t *actual, iree_host_size_t max_element_count,
                            iree_string_builder_t *builder, bool *out_match) {
  *out_match = iree_vm_list_size(expected) == iree_vm_list_size(actual);
  if (!*out_match) {
    return iree_string_builder_append_format(
        builder, "[FAILED] expected %zu list elements but %zu provided\n",
        (size_t)iree_vm_list_size(expected), (size_t)iree_vm_list_size(actual));
  }
  iree_string_builder_t report;
  iree_string_builder_initialize(builder->allocator, &report);
  iree_status_t status = iree_ok_status();
  for (iree_host_size_t i = 0; i < iree_vm_list_size(expected) && iree_status_is_ok(status); ++i) {
    iree_vm_variant_t expected_variant = iree_vm_variant_empty(),
                      actual_variant = iree_vm_variant_empty();
    status = iree_vm_list_get_variant_assign(expected, i, &expected_variant);
    if (iree_status_is_ok(status))
      status = iree_vm_list_get_variant_assign(actual, i, &actual_variant);
    if (!iree_status_is_ok(status) || is_null(expected_variant)) continue;
    bool is_match = false;
    iree_string_builder_reset(&report);
    status = compare_variants(flags, expected_variant, actual_variant, max_element_count, &report,
                              &is_match);
    if (!iree_status_is_ok(status) || is_match) continue;
    *out_match = false;
    status = iree_string_builder_append_format(builder, "[FAILED] result[%zu]: %.*s", (size_t)i,
                                               (int)iree_string_builder_size(&report),
                                               iree_string_builder_buffer(&report));
  }
  iree_string_builder_deinitialize(&report);
  return status;
}
