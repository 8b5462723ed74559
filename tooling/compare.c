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

//===-- elements -----------------------------------------------------------------------------===//

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

// One element, or a scalar, of the two sides.
typedef struct element_pair_t {
  iree_hal_element_type_t type;
  const uint8_t *expected;
  const uint8_t *actual;
} element_pair_t;

static bool elements_match(const compare_flags_t *flags, const element_reader_t *reader,
                           const element_pair_t *pair) {
  if (memcmp(pair->expected, pair->actual, iree_hal_element_dense_byte_count(pair->type)) == 0) {
    return true;
  }
  for (int i = 0; i < reader->component_count; ++i) {
    if (!numbers_match(read_component(reader, pair->expected, i),
                       read_component(reader, pair->actual, i), reader->absolute,
                       flags->relative)) {
      return false;
    }
  }
  return reader->component_count > 0;
}

//===-- reports ------------------------------------------------------------------------------===//

static iree_status_t begin_mismatch(comparison_t *comparison) {
  comparison->is_match = false;
  return iree_string_builder_append_format(comparison->report,
                                           "[FAILED] result[%zu]: ", (size_t)comparison->index);
}

static iree_status_t append_text(comparison_t *comparison, const char *text) {
  return iree_string_builder_append_cstring(comparison->report, text);
}

static iree_status_t append_element(comparison_t *comparison, iree_hal_element_type_t type,
                                    const uint8_t *element) {
  char text[80];
  iree_host_size_t length = 0;
  IREE_RETURN_IF_ERROR(iree_hal_format_element(
      iree_make_const_byte_span(element, iree_hal_element_dense_byte_count(type)), type,
      sizeof(text), text, &length));
  return append_text(comparison, text);
}

static iree_status_t append_type(comparison_t *comparison, iree_hal_buffer_view_t *view) {
  return iree_hal_append_shape_and_element_type_string(
      iree_hal_buffer_view_shape_rank(view), iree_hal_buffer_view_shape_dims(view),
      iree_hal_buffer_view_element_type(view), comparison->report);
}

static iree_status_t append_contents(comparison_t *comparison, const char *title,
                                     iree_hal_buffer_view_t *view) {
  IREE_RETURN_IF_ERROR(append_text(comparison, title));
  return iree_hal_buffer_view_append_to_builder(view, comparison->max_element_count,
                                                comparison->report);
}

// What follows the first words of a mismatch of tensors.
static iree_status_t append_both_views(comparison_t *comparison, iree_hal_buffer_view_t *expected,
                                       iree_hal_buffer_view_t *actual) {
  IREE_RETURN_IF_ERROR(
      append_text(comparison, "; expected that the view is equal to contents of a view of "));
  IREE_RETURN_IF_ERROR(append_type(comparison, expected));
  IREE_RETURN_IF_ERROR(append_contents(comparison, "\n  expected:\n", expected));
  IREE_RETURN_IF_ERROR(append_contents(comparison, "\n  actual:\n", actual));
  return append_text(comparison, "\n");
}

//===-- tensors ------------------------------------------------------------------------------===//

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
    if (iree_hal_buffer_view_shape_dim(expected, i) != iree_hal_buffer_view_shape_dim(actual, i)) {
      return false;
    }
  }
  return types_match(iree_hal_buffer_view_element_type(expected),
                     iree_hal_buffer_view_element_type(actual));
}

// Walks |count| elements from |pair| on; at the first mismatch reports where and what.
static iree_status_t compare_elements(comparison_t *comparison, element_pair_t pair,
                                      iree_host_size_t count) {
  const element_reader_t reader = choose_reader(comparison->flags, pair.type);
  const iree_host_size_t size = iree_hal_element_dense_byte_count(pair.type);
  for (iree_host_size_t i = 0; i < count; ++i, pair.expected += size, pair.actual += size) {
    if (elements_match(comparison->flags, &reader, &pair)) continue;
    IREE_RETURN_IF_ERROR(begin_mismatch(comparison));
    IREE_RETURN_IF_ERROR(
        iree_string_builder_append_format(comparison->report, "element at index %zu (", (size_t)i));
    IREE_RETURN_IF_ERROR(append_element(comparison, pair.type, pair.actual));
    IREE_RETURN_IF_ERROR(append_text(comparison, ") does not match the expected ("));
    IREE_RETURN_IF_ERROR(append_element(comparison, pair.type, pair.expected));
    return append_text(comparison, ")");
  }
  return iree_ok_status();
}

static iree_status_t map_view(iree_hal_buffer_view_t *view,
                              iree_hal_buffer_mapping_t *out_mapping) {
  return iree_hal_buffer_map_range(iree_hal_buffer_view_buffer(view), IREE_HAL_MAPPING_MODE_SCOPED,
                                   IREE_HAL_MEMORY_ACCESS_READ, 0,
                                   iree_hal_buffer_view_byte_length(view), out_mapping);
}

// Packed elements are compared byte by byte.
static iree_status_t compare_mapped(comparison_t *comparison, iree_hal_buffer_view_t *actual,
                                    const iree_hal_buffer_mapping_t *expected_mapping,
                                    const iree_hal_buffer_mapping_t *actual_mapping) {
  element_pair_t pair = {.type = iree_hal_buffer_view_element_type(actual),
                         .expected = expected_mapping->contents.data,
                         .actual = actual_mapping->contents.data};
  iree_host_size_t count = iree_hal_buffer_view_element_count(actual);
  if (!iree_hal_element_is_byte_aligned(pair.type)) {
    pair.type = IREE_HAL_ELEMENT_TYPE_OPAQUE_8;
    count = (iree_host_size_t)iree_hal_buffer_view_byte_length(actual);
  }
  return compare_elements(comparison, pair, count);
}

static iree_status_t compare_contents(comparison_t *comparison, iree_hal_buffer_view_t *expected,
                                      iree_hal_buffer_view_t *actual) {
  if (iree_hal_buffer_view_element_count(actual) == 0) return iree_ok_status();
  iree_hal_buffer_mapping_t expected_mapping, actual_mapping;
  IREE_RETURN_IF_ERROR(map_view(expected, &expected_mapping));
  iree_status_t status = map_view(actual, &actual_mapping);
  if (iree_status_is_ok(status)) {
    status = compare_mapped(comparison, actual, &expected_mapping, &actual_mapping);
    IREE_IGNORE_ERROR(iree_hal_buffer_unmap_range(&actual_mapping));
  }
  IREE_IGNORE_ERROR(iree_hal_buffer_unmap_range(&expected_mapping));
  return status;
}

static iree_status_t compare_views(comparison_t *comparison, iree_hal_buffer_view_t *expected,
                                   iree_hal_buffer_view_t *actual) {
  if (shapes_match(expected, actual)) {
    const iree_host_size_t length = iree_string_builder_size(comparison->report);
    IREE_RETURN_IF_ERROR(compare_contents(comparison, expected, actual));
    if (iree_string_builder_size(comparison->report) == length) return iree_ok_status();
  } else {
    IREE_RETURN_IF_ERROR(begin_mismatch(comparison));
    IREE_RETURN_IF_ERROR(append_text(comparison, "metadata is "));
    IREE_RETURN_IF_ERROR(append_type(comparison, actual));
    IREE_RETURN_IF_ERROR(append_text(comparison, "; expected that the view matches "));
    IREE_RETURN_IF_ERROR(append_type(comparison, expected));
  }
  return append_both_views(comparison, expected, actual);
}

//===-- values -------------------------------------------------------------------------------===//

static const struct {
  const char *name;
  iree_hal_element_type_t element_type;  // in memory
} k_scalars[] = {
    [IREE_VM_VALUE_TYPE_NONE] = {"none", IREE_HAL_ELEMENT_TYPE_INT_32},
    [IREE_VM_VALUE_TYPE_I8] = {"i8", IREE_HAL_ELEMENT_TYPE_INT_8},
    [IREE_VM_VALUE_TYPE_I16] = {"i16", IREE_HAL_ELEMENT_TYPE_INT_16},
    [IREE_VM_VALUE_TYPE_I32] = {"i32", IREE_HAL_ELEMENT_TYPE_INT_32},
    [IREE_VM_VALUE_TYPE_I64] = {"i64", IREE_HAL_ELEMENT_TYPE_INT_64},
    [IREE_VM_VALUE_TYPE_F32] = {"f32", IREE_HAL_ELEMENT_TYPE_FLOAT_32},
    [IREE_VM_VALUE_TYPE_F64] = {"f64", IREE_HAL_ELEMENT_TYPE_FLOAT_64},
};

static bool is_null(iree_vm_variant_t variant) {
  return iree_vm_variant_is_empty(variant) ||
         (iree_vm_variant_is_ref(variant) && iree_vm_ref_is_null(&variant.ref));
}

static iree_status_t append_variant_type(comparison_t *comparison, iree_vm_variant_t variant) {
  if (is_null(variant)) return append_text(comparison, "null");
  if (iree_vm_variant_is_ref(variant)) {
    return iree_string_builder_append_string(
        comparison->report, iree_vm_ref_type_name(iree_vm_type_def_as_ref(variant.type)));
  }
  return append_text(comparison, k_scalars[iree_vm_type_def_as_value(variant.type)].name);
}

static iree_status_t compare_scalars(comparison_t *comparison, iree_vm_value_t expected,
                                     iree_vm_value_t actual) {
  const element_pair_t pair = {.type = k_scalars[actual.type].element_type,
                               .expected = expected.value_storage,
                               .actual = actual.value_storage};
  const element_reader_t reader = choose_reader(comparison->flags, pair.type);
  if (elements_match(comparison->flags, &reader, &pair)) return iree_ok_status();
  IREE_RETURN_IF_ERROR(begin_mismatch(comparison));
  IREE_RETURN_IF_ERROR(append_text(comparison, k_scalars[actual.type].name));
  IREE_RETURN_IF_ERROR(append_text(comparison, " values differ\n  expected: "));
  IREE_RETURN_IF_ERROR(append_element(comparison, pair.type, pair.expected));
  IREE_RETURN_IF_ERROR(append_text(comparison, "\n  actual: "));
  IREE_RETURN_IF_ERROR(append_element(comparison, pair.type, pair.actual));
  return append_text(comparison, "\n");
}

static iree_status_t compare_variants(comparison_t *comparison, iree_vm_variant_t expected,
                                      iree_vm_variant_t actual) {
  if (is_null(expected)) return iree_ok_status();
  if (iree_vm_variant_is_value(expected) && iree_vm_variant_is_value(actual) &&
      iree_vm_type_def_equal(expected.type, actual.type)) {
    return compare_scalars(comparison, iree_vm_variant_value(expected),
                           iree_vm_variant_value(actual));
  }
  if (iree_vm_variant_is_ref(expected) && iree_vm_variant_is_ref(actual) && !is_null(actual) &&
      iree_hal_buffer_view_isa(expected.ref) && iree_hal_buffer_view_isa(actual.ref)) {
    return compare_views(comparison, iree_hal_buffer_view_deref(expected.ref),
                         iree_hal_buffer_view_deref(actual.ref));
  }
  IREE_RETURN_IF_ERROR(begin_mismatch(comparison));
  IREE_RETURN_IF_ERROR(append_text(comparison, "variant types mismatch; expected "));
  IREE_RETURN_IF_ERROR(append_variant_type(comparison, expected));
  IREE_RETURN_IF_ERROR(append_text(comparison, " but got "));
  IREE_RETURN_IF_ERROR(append_variant_type(comparison, actual));
  return append_text(comparison, "\n");
}

iree_status_t compare_lists(comparison_t *comparison, iree_vm_list_t *expected,
                            iree_vm_list_t *actual) {
  const iree_host_size_t count = iree_vm_list_size(expected);
  comparison->is_match = count == iree_vm_list_size(actual);
  if (!comparison->is_match) {
    return iree_string_builder_append_format(
        comparison->report, "[FAILED] expected %zu list elements but %zu provided\n", (size_t)count,
        (size_t)iree_vm_list_size(actual));
  }
  for (comparison->index = 0; comparison->index < count; ++comparison->index) {
    iree_vm_variant_t expected_variant, actual_variant;
    IREE_RETURN_IF_ERROR(
        iree_vm_list_get_variant_assign(expected, comparison->index, &expected_variant));
    IREE_RETURN_IF_ERROR(
        iree_vm_list_get_variant_assign(actual, comparison->index, &actual_variant));
    IREE_RETURN_IF_ERROR(compare_variants(comparison, expected_variant, actual_variant));
  }
  return iree_ok_status();
}
