// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of shapes and element types. Names of element types are the prefixes below and a bit count, or
// one of the names that abi/element_type.def spells out.
#include "iree/hal/string_util.h"

// Copies text out by the rules of all format functions: the length is always given.
static iree_status_t give_text(const char *text, iree_host_size_t length,
                               iree_host_size_t buffer_capacity, char *buffer,
                               iree_host_size_t *out_buffer_length) {
  if (out_buffer_length) *out_buffer_length = length;
  if (!buffer || length >= buffer_capacity) return iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
  memcpy(buffer, text, length);
  buffer[length] = 0;
  return iree_ok_status();
}

//===-- shapes --------------------------------------------------------------------------------===//

iree_status_t iree_hal_parse_shape(iree_string_view_t value, iree_host_size_t shape_capacity,
                                   iree_host_size_t *out_shape_rank, iree_hal_dim_t *out_shape) {
  *out_shape_rank = 0;
  iree_host_size_t rank = 0;
  for (bool is_more = !iree_string_view_is_empty(value); is_more; ++rank) {
    iree_string_view_t text = iree_string_view_empty();
    is_more = iree_string_view_split(value, 'x', &text, &value) >= 0;
    uint64_t dim = 0;
    if (!iree_string_view_atoi_uint64(iree_string_view_trim(text), &dim) || dim > INT64_MAX) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "'%.*s' is not a dimension",
                              IREE_SV_ARGS(text));
    }
    if (rank < shape_capacity) out_shape[rank] = (iree_hal_dim_t)dim;
  }
  *out_shape_rank = rank;
  return rank <= shape_capacity ? iree_ok_status()
                                : iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
}

iree_status_t iree_hal_append_shape_string(iree_host_size_t shape_rank,
                                           const iree_hal_dim_t *shape,
                                           iree_string_builder_t *string_builder) {
  for (iree_host_size_t i = 0; i < shape_rank; ++i) {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(string_builder, "%s%" PRIu64,
                                                           i ? "x" : "", (uint64_t)shape[i]));
  }
  return iree_ok_status();
}

iree_status_t iree_hal_format_shape(iree_host_size_t shape_rank, const iree_hal_dim_t *shape,
                                    iree_host_size_t buffer_capacity, char *buffer,
                                    iree_host_size_t *out_buffer_length) {
  iree_host_size_t length = 0;
  if (buffer && buffer_capacity) buffer[0] = 0;
  for (iree_host_size_t i = 0; i < shape_rank; ++i) {
    char text[32];
    int text_length = snprintf(text, sizeof(text), "%s%" PRIu64, i ? "x" : "", (uint64_t)shape[i]);
    if (buffer && length + (iree_host_size_t)text_length < buffer_capacity) {
      memcpy(buffer + length, text, (iree_host_size_t)text_length + 1);
    }
    length += (iree_host_size_t)text_length;
  }
  if (out_buffer_length) *out_buffer_length = length;
  return buffer && length < buffer_capacity ? iree_ok_status()
                                            : iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
}

//===-- element types -------------------------------------------------------------------------===//

// Names that do not follow from prefix and bit count; the first of a type is how it is printed.
static const struct {
  const char *name;
  iree_hal_element_type_t type;
} named_types[] = {
    {"i1", IREE_HAL_ELEMENT_TYPE_BOOL_8},
    {"f8E5M2", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2},
    {"f8E4M3FN", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FN},
    {"f8E5M2FNUZ", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2_FNUZ},
    {"f8E4M3FNUZ", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FNUZ},
    {"f8E8M0FNU", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E8M0_FNU},
};

static const struct {
  const char *prefix;
  iree_hal_numerical_type_t numerical_type;
} prefixes[] = {
    {"i", IREE_HAL_NUMERICAL_TYPE_INTEGER},
    {"si", IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED},
    {"ui", IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED},
    {"f", IREE_HAL_NUMERICAL_TYPE_FLOAT_IEEE},
    {"bf", IREE_HAL_NUMERICAL_TYPE_FLOAT_BRAIN},
    {"cf", IREE_HAL_NUMERICAL_TYPE_FLOAT_COMPLEX},
    {"x", IREE_HAL_NUMERICAL_TYPE_UNKNOWN},
    {"*", IREE_HAL_NUMERICAL_TYPE_UNKNOWN},
};

iree_status_t iree_hal_parse_element_type(iree_string_view_t value,
                                          iree_hal_element_type_t *out_element_type) {
  *out_element_type = IREE_HAL_ELEMENT_TYPE_NONE;
  value = iree_string_view_trim(value);
  for (size_t i = 0; i < IREE_ARRAYSIZE(named_types); ++i) {
    if (!iree_string_view_equal(value, iree_make_cstring_view(named_types[i].name))) continue;
    *out_element_type = named_types[i].type;
    return iree_ok_status();
  }
  for (size_t i = 0; i < IREE_ARRAYSIZE(prefixes); ++i) {
    iree_string_view_t rest = value;
    uint32_t bit_count = 0;
    if (!iree_string_view_consume_prefix(&rest, iree_make_cstring_view(prefixes[i].prefix)) ||
        iree_string_view_is_empty(rest) || rest.data[0] < '0' || rest.data[0] > '9') {
      continue;
    }
    if (!iree_string_view_atoi_uint32(rest, &bit_count) || !bit_count || bit_count > 0xFF) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "'%.*s' has no bit count from 1 to 255", IREE_SV_ARGS(value));
    }
    *out_element_type = iree_hal_make_element_type(prefixes[i].numerical_type, bit_count);
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "unhandled element type prefix in '%.*s'; types are iN, siN, uiN, fN, bfN, "
                          "cfN, xN and f8*",
                          IREE_SV_ARGS(value));
}

iree_status_t iree_hal_format_element_type(iree_hal_element_type_t element_type,
                                           iree_host_size_t buffer_capacity, char *buffer,
                                           iree_host_size_t *out_buffer_length) {
  for (size_t i = 0; i < IREE_ARRAYSIZE(named_types); ++i) {
    if (named_types[i].type != element_type) continue;
    return give_text(named_types[i].name, strlen(named_types[i].name), buffer_capacity, buffer,
                     out_buffer_length);
  }
  const char *prefix = "*";
  for (size_t i = 0; i < IREE_ARRAYSIZE(prefixes); ++i) {
    if (prefixes[i].numerical_type == iree_hal_element_numerical_type(element_type)) {
      prefix = prefixes[i].prefix;
    }
  }
  char text[32];
  int length = snprintf(text, sizeof(text), "%s%zu", prefix,
                        iree_hal_element_bit_count(element_type));
  return give_text(text, (iree_host_size_t)length, buffer_capacity, buffer, out_buffer_length);
}

iree_status_t iree_hal_append_element_type_string(iree_hal_element_type_t element_type,
                                                  iree_string_builder_t *string_builder) {
  char text[32];
  iree_host_size_t length = 0;
  IREE_RETURN_IF_ERROR(iree_hal_format_element_type(element_type, sizeof(text), text, &length));
  return iree_string_builder_append_string(string_builder, iree_make_string_view(text, length));
}

//===-- both ----------------------------------------------------------------------------------===//

// The type begins after the last 'x' that follows a digit and is followed by the type's first letter;
// "2x3xx8" is a 2x3 shape of opaque bytes, "x8" a scalar of them.
iree_status_t iree_hal_parse_shape_and_element_type(iree_string_view_t value,
                                                    iree_host_size_t shape_capacity,
                                                    iree_host_size_t *out_shape_rank,
                                                    iree_hal_dim_t *out_shape,
                                                    iree_hal_element_type_t *out_element_type) {
  *out_shape_rank = 0;
  *out_element_type = IREE_HAL_ELEMENT_TYPE_NONE;
  value = iree_string_view_trim(value);
  iree_host_size_t type_begin = 0;
  for (iree_host_size_t i = 0; i < value.size; ++i) {
    bool is_digit = value.data[i] >= '0' && value.data[i] <= '9';
    if (is_digit || value.data[i] == ' ') continue;
    if (value.data[i] != 'x' || i == type_begin) break;  // a letter, or an empty dimension
    type_begin = i + 1;
  }
  iree_string_view_t type = iree_string_view_substr(value, type_begin, IREE_HOST_SIZE_MAX);
  if (iree_string_view_is_empty(type) || (type.data[0] >= '0' && type.data[0] <= '9')) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "invalid tensor specification '%.*s', requires at least a shape/type",
                            IREE_SV_ARGS(value));
  }
  iree_string_view_t shape =
      type_begin ? iree_string_view_substr(value, 0, type_begin - 1) : iree_string_view_empty();
  IREE_RETURN_IF_ERROR(iree_hal_parse_shape(shape, shape_capacity, out_shape_rank, out_shape));
  return iree_hal_parse_element_type(type, out_element_type);
}

iree_status_t iree_hal_append_shape_and_element_type_string(iree_host_size_t shape_rank,
                                                            const iree_hal_dim_t *shape,
                                                            iree_hal_element_type_t element_type,
                                                            iree_string_builder_t *string_builder) {
  IREE_RETURN_IF_ERROR(iree_hal_append_shape_string(shape_rank, shape, string_builder));
  if (shape_rank) IREE_RETURN_IF_ERROR(iree_string_builder_append_cstring(string_builder, "x"));
  return iree_hal_append_element_type_string(element_type, string_builder);
}
