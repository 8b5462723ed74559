// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of elements. Integers are decimal, floats %G, everything else hexadecimal bytes in memory order.
// An integer type without a sign takes the values of both its readings.
#include <ctype.h>

#include "base/float_convert.h"
#include "iree/hal/string_util.h"

static bool narrow_format(iree_hal_element_type_t type, float_format_t *out_format) {
  static const struct {
    iree_hal_element_type_t type;
    float_format_t format;
  } rows[] = {
      {IREE_HAL_ELEMENT_TYPE_FLOAT_16, FLOAT_F16},
      {IREE_HAL_ELEMENT_TYPE_BFLOAT_16, FLOAT_BF16},
      {IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2, FLOAT_F8E5M2},
      {IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FN, FLOAT_F8E4M3FN},
      {IREE_HAL_ELEMENT_TYPE_FLOAT_8_E5M2_FNUZ, FLOAT_F8E5M2FNUZ},
      {IREE_HAL_ELEMENT_TYPE_FLOAT_8_E4M3_FNUZ, FLOAT_F8E4M3FNUZ},
      {IREE_HAL_ELEMENT_TYPE_FLOAT_8_E8M0_FNU, FLOAT_F8E8M0FNU},
  };
  for (size_t i = 0; i < IREE_ARRAYSIZE(rows); ++i) {
    if (rows[i].type != type) continue;
    *out_format = rows[i].format;
    return true;
  }
  return false;
}

// Integers that are printed as numbers: whole bytes up to 8, bool apart.
static bool is_number_integer(iree_hal_element_type_t type) {
  iree_hal_numerical_type_t numerical = iree_hal_element_numerical_type(type);
  iree_host_size_t bits = iree_hal_element_bit_count(type);
  return (numerical == IREE_HAL_NUMERICAL_TYPE_INTEGER ||
          numerical == IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED ||
          numerical == IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED) &&
         (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

static iree_status_t bad_element(iree_string_view_t text, const char *what) {
  return iree_make_status(IREE_STATUS_INVALID_ARGUMENT, "'%.*s' is not %s", IREE_SV_ARGS(text),
                          what);
}

static iree_status_t check_byte_aligned(iree_hal_element_type_t type) {
  if (iree_hal_element_is_byte_aligned(type) && iree_hal_element_bit_count(type)) {
    return iree_ok_status();
  }
  return iree_make_status(IREE_STATUS_UNIMPLEMENTED,
                          "elements of %zu bits have no text form; use types of whole bytes",
                          iree_hal_element_bit_count(type));
}

//===-- parsing -------------------------------------------------------------------------------===//

static iree_status_t parse_integer(iree_string_view_t text, iree_hal_element_type_t type,
                                   uint8_t *target) {
  iree_host_size_t bits = iree_hal_element_bit_count(type);
  iree_hal_numerical_type_t numerical = iree_hal_element_numerical_type(type);
  bool takes_negative = numerical != IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED;
  bool takes_high = numerical != IREE_HAL_NUMERICAL_TYPE_INTEGER_SIGNED;
  bool is_negative = text.size && text.data[0] == '-';
  uint64_t value = 0;
  if (is_negative) {
    int64_t signed_value = 0;
    if (!takes_negative || !iree_string_view_atoi_int64(text, &signed_value) ||
        signed_value < INT64_MIN >> (64 - bits)) {
      return bad_element(text, "an integer of the element type");
    }
    value = (uint64_t)signed_value;
  } else {
    uint64_t max = UINT64_MAX >> (64 - bits);
    if (!iree_string_view_atoi_uint64(text, &value) || value > (takes_high ? max : max >> 1)) {
      return bad_element(text, "an integer of the element type");
    }
  }
  memcpy(target, &value, bits / 8);
  return iree_ok_status();
}

static iree_status_t parse_hex(iree_string_view_t text, iree_host_size_t bytes, uint8_t *target) {
  if (text.size != 2 * bytes || !iree_string_view_parse_hex_bytes(text, bytes, target)) {
    return iree_make_status(IREE_STATUS_INVALID_ARGUMENT,
                            "'%.*s' is not an element of %zu hexadecimal digits",
                            IREE_SV_ARGS(text), 2 * bytes);
  }
  return iree_ok_status();
}

static iree_status_t parse_one(iree_string_view_t text, iree_hal_element_type_t type,
                               uint8_t *target) {
  float_format_t format;
  double wide = 0;
  if (is_number_integer(type)) return parse_integer(text, type, target);
  if (type == IREE_HAL_ELEMENT_TYPE_FLOAT_32) {
    float value = 0;
    if (!iree_string_view_atof(text, &value)) return bad_element(text, "a number");
    memcpy(target, &value, sizeof(value));
    return iree_ok_status();
  }
  if (type == IREE_HAL_ELEMENT_TYPE_FLOAT_64 || narrow_format(type, &format)) {
    if (!iree_string_view_atod(text, &wide)) return bad_element(text, "a number");
    if (type == IREE_HAL_ELEMENT_TYPE_FLOAT_64) {
      memcpy(target, &wide, sizeof(wide));
    } else {
      uint32_t bits = float_bits_from_f64(format, wide);
      memcpy(target, &bits, iree_hal_element_dense_byte_count(type));
    }
    return iree_ok_status();
  }
  return parse_hex(text, iree_hal_element_dense_byte_count(type), target);
}

iree_status_t iree_hal_parse_element(iree_string_view_t data_str,
                                     iree_hal_element_type_t element_type,
                                     iree_byte_span_t data_ptr) {
  IREE_RETURN_IF_ERROR(check_byte_aligned(element_type));
  if (data_ptr.data_length < iree_hal_element_dense_byte_count(element_type)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "the element does not fit in %zu bytes",
                            data_ptr.data_length);
  }
  return parse_one(data_str, element_type, data_ptr.data);
}

// Takes the next value off the text; empty at the end.
static iree_string_view_t next_token(iree_string_view_t *text) {
  iree_host_size_t begin = 0;
#define IS_SEPARATOR(c) (isspace((unsigned char)(c)) || (c) == ',' || (c) == '[' || (c) == ']')
  while (begin < text->size && IS_SEPARATOR(text->data[begin])) ++begin;
  iree_host_size_t end = begin;
  while (end < text->size && !IS_SEPARATOR(text->data[end])) ++end;
#undef IS_SEPARATOR
  iree_string_view_t token = iree_make_string_view(text->data + begin, end - begin);
  *text = iree_make_string_view(text->data + end, text->size - end);
  return token;
}

iree_status_t iree_hal_parse_buffer_elements(iree_string_view_t data_str,
                                             iree_hal_element_type_t element_type,
                                             iree_byte_span_t data_ptr) {
  data_str = iree_string_view_trim(data_str);
  if (iree_string_view_is_empty(data_str)) {
    if (data_ptr.data_length) memset(data_ptr.data, 0, data_ptr.data_length);
    return iree_ok_status();
  }
  IREE_RETURN_IF_ERROR(check_byte_aligned(element_type));
  iree_host_size_t element_bytes = iree_hal_element_dense_byte_count(element_type);
  iree_host_size_t capacity = data_ptr.data_length / element_bytes, count = 0;
  for (iree_string_view_t token = next_token(&data_str); token.size;
       token = next_token(&data_str), ++count) {
    if (count == capacity) {
      return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                              "input data string overflow; more values than the %zu elements of the "
                              "shape",
                              capacity);
    }
    IREE_RETURN_IF_ERROR(parse_one(token, element_type, data_ptr.data + count * element_bytes));
  }
  if (count == 1) {
    for (iree_host_size_t i = 1; i < capacity; ++i) {
      memcpy(data_ptr.data + i * element_bytes, data_ptr.data, element_bytes);
    }
  } else if (count < capacity) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "input data string underflow; %zu values for the %zu elements of the "
                            "shape",
                            count, capacity);
  }
  return iree_ok_status();
}

//===-- formatting ----------------------------------------------------------------------------===//

#define MAX_ELEMENT_TEXT 64

static iree_host_size_t format_integer(const uint8_t *data, iree_hal_element_type_t type,
                                       char *text) {
  iree_host_size_t bits = iree_hal_element_bit_count(type);
  uint64_t value = 0;
  memcpy(&value, data, bits / 8);
  if (iree_hal_element_numerical_type(type) == IREE_HAL_NUMERICAL_TYPE_INTEGER_UNSIGNED) {
    return (iree_host_size_t)snprintf(text, MAX_ELEMENT_TEXT, "%" PRIu64, value);
  }
  int64_t signed_value = (int64_t)(value << (64 - bits)) >> (64 - bits);
  return (iree_host_size_t)snprintf(text, MAX_ELEMENT_TEXT, "%" PRIi64, signed_value);
}

// |text| has MAX_ELEMENT_TEXT characters, enough for 16 bytes in hexadecimal.
static iree_host_size_t format_one(const uint8_t *data, iree_hal_element_type_t type, char *text) {
  float_format_t format;
  double value = 0;
  if (is_number_integer(type)) return format_integer(data, type, text);
  if (type == IREE_HAL_ELEMENT_TYPE_FLOAT_64) {
    memcpy(&value, data, sizeof(value));
  } else if (type == IREE_HAL_ELEMENT_TYPE_FLOAT_32) {
    float narrow = 0;
    memcpy(&narrow, data, sizeof(narrow));
    value = (double)narrow;
  } else if (narrow_format(type, &format)) {
    uint32_t bits = 0;
    memcpy(&bits, data, iree_hal_element_dense_byte_count(type));
    value = float_bits_to_f64(format, bits);
  } else {
    iree_host_size_t bytes =
        iree_min(iree_hal_element_dense_byte_count(type), (iree_host_size_t)(MAX_ELEMENT_TEXT - 1) / 2);
    for (iree_host_size_t i = 0; i < bytes; ++i) snprintf(text + 2 * i, 3, "%02X", data[i]);
    return 2 * bytes;
  }
  return (iree_host_size_t)snprintf(text, MAX_ELEMENT_TEXT, "%G", value);
}

iree_status_t iree_hal_format_element(iree_const_byte_span_t data,
                                      iree_hal_element_type_t element_type,
                                      iree_host_size_t buffer_capacity, char *buffer,
                                      iree_host_size_t *out_buffer_length) {
  if (out_buffer_length) *out_buffer_length = 0;
  IREE_RETURN_IF_ERROR(check_byte_aligned(element_type));
  if (data.data_length < iree_hal_element_dense_byte_count(element_type)) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE, "an element needs %zu bytes, there are %zu",
                            iree_hal_element_dense_byte_count(element_type), data.data_length);
  }
  char text[MAX_ELEMENT_TEXT];
  iree_host_size_t length = format_one(data.data, element_type, text);
  if (out_buffer_length) *out_buffer_length = length;
  if (!buffer || length >= buffer_capacity) return iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
  memcpy(buffer, text, length);
  buffer[length] = 0;
  return iree_ok_status();
}

// Text that goes on counting when the buffer is full.
typedef struct writer_t {
  char *buffer;
  iree_host_size_t capacity;
  iree_host_size_t length;
} writer_t;

static void write_text(writer_t *writer, const char *text, iree_host_size_t length) {
  if (writer->buffer && writer->length + length < writer->capacity) {
    memcpy(writer->buffer + writer->length, text, length);
    writer->buffer[writer->length + length] = 0;
  }
  writer->length += length;
}

// Rows in brackets from the outermost dimension to the one before last; once the elements run out each
// innermost row that is left is "...".
static void write_rows(writer_t *writer, iree_host_size_t rank, const iree_hal_dim_t *shape,
                       iree_hal_element_type_t type, const uint8_t **data,
                       iree_host_size_t *inout_remaining) {
  iree_host_size_t element_bytes = iree_hal_element_dense_byte_count(type);
  if (rank > 1) {
    for (iree_hal_dim_t i = 0; i < shape[0]; ++i) {
      write_text(writer, "[", 1);
      write_rows(writer, rank - 1, shape + 1, type, data, inout_remaining);
      write_text(writer, "]", 1);
    }
    return;
  }
  iree_hal_dim_t count = rank ? shape[0] : 1;
  for (iree_hal_dim_t i = 0; i < count; ++i) {
    if (!*inout_remaining) {
      write_text(writer, "...", 3);
      return;
    }
    char text[MAX_ELEMENT_TEXT];
    if (i) write_text(writer, " ", 1);
    write_text(writer, text, format_one(*data, type, text));
    *data += element_bytes;
    --*inout_remaining;
  }
}

iree_status_t iree_hal_format_buffer_elements(iree_const_byte_span_t data,
                                              iree_host_size_t shape_rank,
                                              const iree_hal_dim_t *shape,
                                              iree_hal_element_type_t element_type,
                                              iree_host_size_t max_element_count,
                                              iree_host_size_t buffer_capacity, char *buffer,
                                              iree_host_size_t *out_buffer_length) {
  if (out_buffer_length) *out_buffer_length = 0;
  if (buffer && buffer_capacity) buffer[0] = 0;
  IREE_RETURN_IF_ERROR(check_byte_aligned(element_type));
  iree_device_size_t bytes = 0;
  IREE_RETURN_IF_ERROR(iree_hal_buffer_compute_view_size(
      shape_rank, shape, element_type, IREE_HAL_ENCODING_TYPE_DENSE_ROW_MAJOR, &bytes));
  if (bytes > data.data_length) {
    return iree_make_status(IREE_STATUS_OUT_OF_RANGE,
                            "the shape needs %" PRIu64 " bytes, there are %zu", (uint64_t)bytes,
                            data.data_length);
  }
  writer_t writer = {buffer, buffer_capacity, 0};
  const uint8_t *head = data.data;
  write_rows(&writer, shape_rank, shape, element_type, &head, &max_element_count);
  if (out_buffer_length) *out_buffer_length = writer.length;
  return buffer && writer.length < buffer_capacity
             ? iree_ok_status()
             : iree_status_from_code(IREE_STATUS_OUT_OF_RANGE);
}
