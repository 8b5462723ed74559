// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader and writer of .npy headers (npy.h). The reader is a tokeniser over the dict literal:
// whatever is not exactly what NumPy writes for plain arrays is refused, never guessed.

#include "tooling/npy.h"

#include <string.h>

static const uint8_t k_npy_magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

static iree_status_t npy_malformed(const char *what) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "malformed npy header: %s", what);
}

//===-- dict literal -------------------------------------------------------------------------===//

static void skip_space(iree_string_view_t *text) {
  while (text->size && (text->data[0] == ' ' || text->data[0] == '\n' || text->data[0] == '\t' ||
                        text->data[0] == '\r')) {
    *text = iree_string_view_remove_prefix(*text, 1);
  }
}

static bool consume_char(iree_string_view_t *text, char c) {
  skip_space(text);
  if (!text->size || text->data[0] != c) return false;
  *text = iree_string_view_remove_prefix(*text, 1);
  return true;
}

static bool consume_word(iree_string_view_t *text, const char *word) {
  skip_space(text);
  return iree_string_view_consume_prefix(text, iree_make_cstring_view(word));
}

static iree_status_t consume_string(iree_string_view_t *text, iree_string_view_t *out_string) {
  *out_string = iree_string_view_empty();
  const char quote = consume_char(text, '\'') ? '\'' : consume_char(text, '"') ? '"' : 0;
  if (!quote) return npy_malformed("expected a string");
  for (iree_host_size_t i = 0; i < text->size; ++i) {
    if (text->data[i] != quote) continue;
    *out_string = iree_string_view_substr(*text, 0, i);
    *text = iree_string_view_remove_prefix(*text, i + 1);
    return iree_ok_status();
  }
  return npy_malformed("string without end");
}

static iree_status_t consume_dim(iree_string_view_t *text, iree_hal_dim_t *out_dim) {
  skip_space(text);
  uint64_t value = 0;
  iree_host_size_t i = 0;
  for (; i < text->size && text->data[i] >= '0' && text->data[i] <= '9'; ++i) {
    const uint64_t digit = (uint64_t)(text->data[i] - '0');
    if (value > (INT64_MAX - digit) / 10) return npy_malformed("dimension too large");
    value = value * 10 + digit;
  }
  if (i == 0) return npy_malformed("expected a dimension");
  *text = iree_string_view_remove_prefix(*text, i);
  consume_char(text, 'L');  // Python 2 longs
  *out_dim = (iree_hal_dim_t)value;
  return iree_ok_status();
}

static iree_status_t consume_shape(iree_string_view_t *text, npy_array_t *array) {
  if (!consume_char(text, '(')) return npy_malformed("expected a shape");
  array->rank = 0;
  while (!consume_char(text, ')')) {
    if (array->rank == NPY_MAX_RANK) return npy_malformed("more than 64 dimensions");
    IREE_RETURN_IF_ERROR(consume_dim(text, &array->shape[array->rank]));
    ++array->rank;
    if (consume_char(text, ',')) continue;
    if (!consume_char(text, ')')) return npy_malformed("expected ',' or ')' in the shape");
    break;
  }
  return iree_ok_status();
}

//===-- element types ------------------------------------------------------------------------===//

// One row per descr kind: which byte widths it may have.
typedef struct npy_kind_t {
  char code;
  iree_hal_numerical_type_t numerical_type;
  uint32_t min_bytes, max_bytes;
} npy_kind_t;

static const npy_kind_t k_npy_kinds[] = {
    {'b', IREE_HAL_NUMERICAL_TYPE_BOOLEAN, 1, 1},
    {'i', IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED, 1, 8},
    {'u', IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED, 1, 8},
    {'f', IREE_HAL_NUMERICAL_TYPE_FLOAT_IEEE, 2, 8},
    {'c', IREE_HAL_NUMERICAL_TYPE_FLOAT_COMPLEX, 8, 16},
    {'V', IREE_HAL_NUMERICAL_TYPE_UNKNOWN, 1, 31},
};

static iree_status_t parse_descr(iree_string_view_t descr, npy_array_t *array) {
  iree_string_view_t rest = descr;
  array->is_big_endian = iree_string_view_consume_prefix(&rest, IREE_SV(">"));
  if (!array->is_big_endian && rest.size &&
      (rest.data[0] == '<' || rest.data[0] == '|' || rest.data[0] == '=')) {
    rest = iree_string_view_remove_prefix(rest, 1);
  }
  uint32_t width = 0;
  if (rest.size >= 2 &&
      iree_string_view_atoi_uint32(iree_string_view_remove_prefix(rest, 1), &width)) {
    for (size_t i = 0; i < sizeof(k_npy_kinds) / sizeof(k_npy_kinds[0]); ++i) {
      const npy_kind_t *kind = &k_npy_kinds[i];
      if (rest.data[0] != kind->code || width < kind->min_bytes || width > kind->max_bytes)
        continue;
      if (kind->code != 'V' && (width & (width - 1))) continue;
      array->element_type = iree_hal_make_element_type(kind->numerical_type, width * 8);
      return iree_ok_status();
    }
  }
  return iree_make_status(
      IREE_STATUS_UNIMPLEMENTED,
      "npy element type '%.*s' has no counterpart; convert the array to a bool, integer, float or "
      "complex type",
      (int)descr.size, descr.data);
}

static char descr_code(iree_hal_element_type_t element_type) {
  iree_hal_numerical_type_t type = iree_hal_element_numerical_type(element_type);
  if (type == IREE_HAL_NUMERICAL_TYPE_INTEGER) type = IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED;
  const iree_host_size_t width = iree_hal_element_dense_byte_count(element_type);
  for (size_t i = 0; i < sizeof(k_npy_kinds) / sizeof(k_npy_kinds[0]); ++i) {
    const npy_kind_t *kind = &k_npy_kinds[i];
    if (kind->numerical_type == type && width >= kind->min_bytes && width <= kind->max_bytes)
      return kind->code;
  }
  return 'V';
}

//===-- reading ------------------------------------------------------------------------------===//

enum { SEEN_DESCR = 1, SEEN_ORDER = 2, SEEN_SHAPE = 4, SEEN_ALL = 7 };

static iree_status_t parse_entry(iree_string_view_t *text, npy_array_t *array, int *seen) {
  iree_string_view_t key;
  IREE_RETURN_IF_ERROR(consume_string(text, &key));
  if (!consume_char(text, ':')) return npy_malformed("expected ':'");
  if (iree_string_view_equal(key, IREE_SV("descr"))) {
    *seen |= SEEN_DESCR;
    skip_space(text);
    if (text->size && text->data[0] == '[') {
      return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                              "npy arrays of records are not supported; save each field "
                              "as an array of its own");
    }
    iree_string_view_t descr;
    IREE_RETURN_IF_ERROR(consume_string(text, &descr));
    return parse_descr(descr, array);
  } else if (iree_string_view_equal(key, IREE_SV("fortran_order"))) {
    *seen |= SEEN_ORDER;
    array->is_fortran_order = consume_word(text, "True");
    return array->is_fortran_order || consume_word(text, "False")
               ? iree_ok_status()
               : npy_malformed("expected True or False");
  } else if (iree_string_view_equal(key, IREE_SV("shape"))) {
    *seen |= SEEN_SHAPE;
    return consume_shape(text, array);
  }
  return npy_malformed("unknown key");
}

static iree_status_t parse_dict(iree_string_view_t text, npy_array_t *array) {
  int seen = 0;
  if (!consume_char(&text, '{')) return npy_malformed("expected '{'");
  while (!consume_char(&text, '}')) {
    IREE_RETURN_IF_ERROR(parse_entry(&text, array, &seen));
    if (consume_char(&text, ',')) continue;
    if (!consume_char(&text, '}')) return npy_malformed("expected ',' or '}'");
    break;
  }
  skip_space(&text);
  if (text.size) return npy_malformed("text after the dict");
  return seen == SEEN_ALL ? iree_ok_status()
                          : npy_malformed("'descr', 'fortran_order' or 'shape' is missing");
}

static iree_status_t compute_data_length(const npy_array_t *array, iree_host_size_t *out_length) {
  iree_host_size_t length = iree_hal_element_dense_byte_count(array->element_type);
  for (iree_host_size_t i = 0; i < array->rank; ++i) {
    if (!iree_host_size_checked_mul(length, (iree_host_size_t)array->shape[i], &length)) {
      return npy_malformed("the shape has more elements than memory can hold");
    }
  }
  *out_length = length;
  return iree_ok_status();
}

iree_status_t npy_parse(iree_const_byte_span_t bytes, npy_array_t *out_array) {
  memset(out_array, 0, sizeof(*out_array));
  if (bytes.data_length == 0)
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "no npy array left in the file");
  if (bytes.data_length < 10 || memcmp(bytes.data, k_npy_magic, sizeof(k_npy_magic)) != 0) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "not an npy array (no 0x93 NUMPY at its start)");
  }
  const int major = bytes.data[6];
  if (major < 1 || major > 3) {
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                            "npy version %d.%d not supported; 1.0 to 3.0 are", major,
                            bytes.data[7]);
  }
  const iree_host_size_t prefix = major == 1 ? 10 : 12;
  if (bytes.data_length < prefix)
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "npy header is cut off");
  iree_host_size_t header_length = bytes.data[8] | (iree_host_size_t)bytes.data[9] << 8;
  if (major > 1)
    header_length |= (iree_host_size_t)bytes.data[10] << 16 | (iree_host_size_t)bytes.data[11]
                                                                  << 24;
  if (header_length > bytes.data_length - prefix) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "npy header is cut off: %zu bytes promised, %zu there",
                            (size_t)header_length, (size_t)(bytes.data_length - prefix));
  }
  IREE_RETURN_IF_ERROR(parse_dict(
      iree_make_string_view((const char *)bytes.data + prefix, header_length), out_array));
  iree_host_size_t data_length = 0;
  IREE_RETURN_IF_ERROR(compute_data_length(out_array, &data_length));
  const iree_host_size_t available = bytes.data_length - prefix - header_length;
  if (data_length > available) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "npy elements are cut off: %zu bytes promised, %zu there",
                            (size_t)data_length, (size_t)available);
  }
  out_array->data = iree_make_const_byte_span(bytes.data + prefix + header_length, data_length);
  out_array->stored_length = prefix + header_length + data_length;
  return iree_ok_status();
}

// Copies one element, reversing each component of big-endian ones (complex numbers have two).
static void copy_element(const npy_array_t *array, const uint8_t *source, uint8_t *target,
                         iree_host_size_t width) {
  if (!array->is_big_endian || descr_code(array->element_type) == 'V') {
    memcpy(target, source, width);
    return;
  }
  const iree_host_size_t component = descr_code(array->element_type) == 'c' ? width / 2 : width;
  for (iree_host_size_t i = 0; i < width; ++i) {
    target[i] = source[i / component * component + (component - 1 - i % component)];
  }
}

iree_status_t npy_copy_elements(const npy_array_t *array, iree_byte_span_t target) {
  if (target.data_length != array->data.data_length) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "npy array has %zu bytes of elements, target %zu",
                            (size_t)array->data.data_length, (size_t)target.data_length);
  }
  if (target.data_length == 0) return iree_ok_status();
  if (!array->is_fortran_order && !array->is_big_endian) {
    memcpy(target.data, array->data.data, target.data_length);
    return iree_ok_status();
  }
  // Walk the target in row-major order with a counter per dimension; |source| follows by stored
  // strides.
  const iree_host_size_t width = iree_hal_element_dense_byte_count(array->element_type);
  iree_host_size_t strides[NPY_MAX_RANK], counter[NPY_MAX_RANK] = {0};
  iree_host_size_t stride = width;
  for (iree_host_size_t i = 0; i < array->rank; ++i) {
    const iree_host_size_t d = array->is_fortran_order ? i : array->rank - 1 - i;
    strides[d] = stride;
    stride *= (iree_host_size_t)array->shape[d];
  }
  const uint8_t *source = array->data.data;
  for (iree_host_size_t offset = 0; offset < target.data_length; offset += width) {
    copy_element(array, source, target.data + offset, width);
    for (iree_host_size_t d = array->rank; d-- > 0;) {
      source += strides[d];
      if (++counter[d] < (iree_host_size_t)array->shape[d]) break;
      source -= strides[d] * counter[d];
      counter[d] = 0;
    }
  }
  return iree_ok_status();
}

//===-- writing ------------------------------------------------------------------------------===//

iree_status_t npy_append_header(iree_hal_element_type_t element_type, iree_host_size_t rank,
                                const iree_hal_dim_t *shape, iree_string_builder_t *builder) {
  if (!iree_hal_element_is_byte_aligned(element_type)) {
    return iree_make_status(
        IREE_STATUS_UNIMPLEMENTED,
        "npy files hold whole bytes; write %u-bit elements to a .bin file instead",
        (unsigned)iree_hal_element_bit_count(element_type));
  }
  const iree_host_size_t width = iree_hal_element_dense_byte_count(element_type);
  char dict[128 + 24 * NPY_MAX_RANK];
  if (rank > NPY_MAX_RANK)
    return iree_make_status(IREE_STATUS_UNIMPLEMENTED, "npy arrays have at most 64 dimensions");
  int length =
      snprintf(dict, sizeof(dict), "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
               width == 1 ? '|' : '<', descr_code(element_type), (size_t)width);
  for (iree_host_size_t i = 0; i < rank; ++i) {
    length += snprintf(dict + length, sizeof(dict) - (size_t)length, "%s%llu%s", i ? ", " : "",
                       (unsigned long long)shape[i], rank == 1 ? "," : "");
  }
  length += snprintf(dict + length, sizeof(dict) - (size_t)length, "), }");
  // Magic, version and length take 10 bytes, the newline one.
  const int padded = (10 + length + 1 + 63) / 64 * 64;
  const int header_length = padded - 10;
  const char prefix[4] = {1, 0, (char)(header_length & 0xFF), (char)(header_length >> 8)};
  IREE_RETURN_IF_ERROR(iree_string_builder_append_string(
      builder, iree_make_string_view((const char *)k_npy_magic, sizeof(k_npy_magic))));
  IREE_RETURN_IF_ERROR(
      iree_string_builder_append_string(builder, iree_make_string_view(prefix, sizeof(prefix))));
  return iree_string_builder_append_format(builder, "%.*s%*s\n", length, dict,
                                           header_length - 1 - length, "");
}
