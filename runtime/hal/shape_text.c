// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes and element types as text: `2x4xf32`.
#include <ctype.h>
#include <inttypes.h>

#include "iree/hal/string_util.h"
#include "runtime/hal/text.h"

//===-- shapes -------------------------------------------------------------------------------===//

static void write_shape(text_t *text, iree_host_size_t rank, const iree_hal_dim_t *shape) {
  for (iree_host_size_t i = 0; i < rank; ++i) {
    text_format(text, "%s%" PRIu64, i ? "x" : "", (uint64_t)shape[i]);
  }
}

static iree_status_t parse_dim(iree_string_view_t text, iree_host_size_t index,
                               iree_string_view_t shape, iree_hal_dim_t *out_dim) {
  int64_t value = 0;
  if (iree_string_view_atoi_int64_base(text, 10, &value) && value >= 0) {
    *out_dim = (iree_hal_dim_t)value;
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                          "shape[%" PRIhsz "] invalid value '%.*s' of '%.*s'", index,
                          IREE_SV_ARGS(text), IREE_SV_ARGS(shape));
}

iree_status_t iree_hal_parse_shape(iree_string_view_t value, iree_host_size_t shape_capacity,
                                   iree_host_size_t *out_shape_rank, iree_hal_dim_t *out_shape) {
  *out_shape_rank = 0;
  if (iree_string_view_is_empty(value)) return iree_ok_status();
  iree_host_size_t rank = 1;
  for (iree_host_size_t i = 0; i < value.size; ++i) rank += value.data[i] == 'x';
  *out_shape_rank = rank;
  if (rank > shape_capacity) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "shape '%.*s' has more than %" PRIhsz " dimensions",
                            IREE_SV_ARGS(value), shape_capacity);
  }
  iree_string_view_t rest = value;
  for (iree_host_size_t i = 0; i < rank; ++i) {
    iree_string_view_t dim;
    iree_string_view_split(rest, 'x', &dim, &rest);
    IREE_RETURN_IF_ERROR(parse_dim(dim, i, value, &out_shape[i]));
  }
  return iree_ok_status();
}

iree_status_t iree_hal_format_shape(iree_host_size_t shape_rank, const iree_hal_dim_t *shape,
                                    iree_host_size_t buffer_capacity, char *buffer,
                                    iree_host_size_t *out_buffer_length) {
  text_t text = text_begin(buffer, buffer_capacity);
  write_shape(&text, shape_rank, shape);
  return text_end(&text, out_buffer_length);
}

iree_status_t iree_hal_append_shape_string(iree_host_size_t shape_rank, const iree_hal_dim_t *shape,
                                           iree_string_builder_t *string_builder) {
  for (iree_host_size_t i = 0; i < shape_rank; ++i) {
    IREE_RETURN_IF_ERROR(iree_string_builder_append_format(string_builder, "%s%" PRIu64,
                                                           i ? "x" : "", (uint64_t)shape[i]));
  }
  return iree_ok_status();
}

//===-- element types ------------------------------------------------------------------------===//

// Types with a name of their own.
typedef struct type_name_t {
  const char *name;
  iree_hal_element_type_t type;
} type_name_t;
static const type_name_t k_type_names[] = {
    {"i1", IREE_HAL_ELEMENT_TYPE_BOOL_8},
    {"f8E5M2", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2},
    {"f8E4M3FN", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FN},
    {"f8E5M2FNUZ", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2_FNUZ},
    {"f8E4M3FNUZ", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FNUZ},
    {"f8E8M0FNU", IREE_HAL_ELEMENT_TYPE_FLOAT_8_E8M0_FNU},
};

// Kinds with a width behind their prefix. The first row of a kind is the one that is written.
typedef struct type_prefix_t {
  const char *prefix;
  iree_hal_numerical_type_t kind;
} type_prefix_t;
static const type_prefix_t k_type_prefixes[] = {
    {"i", IREE_HAL_NUMERICAL_TYPE_INTEGER},
    {"si", IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED},
    {"ui", IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED},
    {"f", IREE_HAL_NUMERICAL_TYPE_FLOAT_IEEE},
    {"bf", IREE_HAL_NUMERICAL_TYPE_FLOAT_BRAIN},
    {"cf", IREE_HAL_NUMERICAL_TYPE_FLOAT_COMPLEX},
    {"*", IREE_HAL_NUMERICAL_TYPE_UNKNOWN},
    {"x", IREE_HAL_NUMERICAL_TYPE_UNKNOWN},
};

iree_status_t iree_hal_parse_element_type(iree_string_view_t value,
                                          iree_hal_element_type_t *out_element_type) {
  *out_element_type = IREE_HAL_ELEMENT_TYPE_NONE;
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_type_names); ++i) {
    if (!iree_string_view_equal(value, iree_make_cstring_view(k_type_names[i].name))) continue;
    *out_element_type = k_type_names[i].type;
    return iree_ok_status();
  }
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_type_prefixes); ++i) {
    iree_string_view_t width = value;
    if (!iree_string_view_consume_prefix(&width,
                                         iree_make_cstring_view(k_type_prefixes[i].prefix))) {
      continue;
    }
    uint32_t bits = 0;
    if (iree_string_view_is_empty(width) || !isdigit((unsigned char)width.data[0])) continue;
    if (!iree_string_view_atoi_uint32_base(width, 10, &bits) || bits == 0 || bits > 255) {
      return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "out of range bit count in '%.*s'",
                              IREE_SV_ARGS(value));
    }
    *out_element_type = iree_hal_make_element_type(k_type_prefixes[i].kind, bits);
    return iree_ok_status();
  }
  return iree_make_status(
      IREE_STATUS_INVALID_ARGUMENT,
      "unhandled element type '%.*s'; known are i1, i8, si8, ui8, f32, bf16, cf64, "
      "f8E4M3FN, *32 and such",
      IREE_SV_ARGS(value));
}

static void write_element_type(text_t *text, iree_hal_element_type_t type) {
  for (size_t i = 0; i < IREE_ARRAYSIZE(k_type_names); ++i) {
    if (k_type_names[i].type == type) {
      text_string(text, k_type_names[i].name);
      return;
    }
  }
  const char *prefix = "*";
  for (size_t i = IREE_ARRAYSIZE(k_type_prefixes); i-- > 0;) {
    if (k_type_prefixes[i].kind == iree_hal_element_numerical_type(type)) {
      prefix = k_type_prefixes[i].prefix;
    }
  }
  text_format(text, "%s%u", prefix, (unsigned)iree_hal_element_bit_count(type));
}

iree_status_t iree_hal_format_element_type(iree_hal_element_type_t element_type,
                                           iree_host_size_t buffer_capacity, char *buffer,
                                           iree_host_size_t *out_buffer_length) {
  text_t text = text_begin(buffer, buffer_capacity);
  write_element_type(&text, element_type);
  return text_end(&text, out_buffer_length);
}

iree_status_t iree_hal_append_element_type_string(iree_hal_element_type_t element_type,
                                                  iree_string_builder_t *string_builder) {
  char name[16];
  IREE_RETURN_IF_ERROR(iree_hal_format_element_type(element_type, sizeof(name), name, NULL));
  return iree_string_builder_append_cstring(string_builder, name);
}

// `4x2xf32`: the type begins behind the last x, or at it where that x is the opaque prefix
// (`4xx32`).
static void split_type(iree_string_view_t value, iree_string_view_t *out_shape,
                       iree_string_view_t *out_type) {
  const iree_host_size_t x =
      iree_string_view_find_last_of(value, IREE_SV("x"), IREE_STRING_VIEW_NPOS);
  *out_shape = iree_string_view_empty();
  *out_type = value;
  if (x == IREE_STRING_VIEW_NPOS) return;
  const bool is_opaque = x + 1 < value.size && isdigit((unsigned char)value.data[x + 1]) &&
                         (x == 0 || value.data[x - 1] == 'x');
  if (!is_opaque) {
    *out_shape = iree_string_view_substr(value, 0, x);
    *out_type = iree_string_view_remove_prefix(value, x + 1);
  } else if (x > 0) {
    *out_shape = iree_string_view_substr(value, 0, x - 1);
    *out_type = iree_string_view_remove_prefix(value, x);
  }
}

iree_status_t iree_hal_parse_shape_and_element_type(iree_string_view_t value,
                                                    iree_host_size_t shape_capacity,
                                                    iree_host_size_t *out_shape_rank,
                                                    iree_hal_dim_t *out_shape,
                                                    iree_hal_element_type_t *out_element_type) {
  *out_shape_rank = 0;
  *out_element_type = IREE_HAL_ELEMENT_TYPE_NONE;
  value = iree_string_view_trim(value);
  iree_string_view_consume_prefix(&value, IREE_SV("\""));
  iree_string_view_consume_suffix(&value, IREE_SV("\""));
  iree_string_view_split(value, '=', &value, NULL);
  if (iree_string_view_is_empty(value)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "empty string input; expected e.g. `4x2xf32`");
  }
  iree_string_view_t shape, type;
  split_type(value, &shape, &type);
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
